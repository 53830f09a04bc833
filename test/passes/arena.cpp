// SPDX-License-Identifier: Apache-2.0
// The arena: nothing that lives at the same time overlaps, and the named networks need no byte more than the lower bound.
#include "plans.hpp"

using namespace test;

namespace {

template <int... Units> constexpr graph dense_layers() {
  builder b;
  int last = 0, x = -1;
  auto const layer = [&]<int In, int Out>(shape<In, Out>, bool ends) {
    if (x < 0) x = b.input<shape<1, In>>();
    x = b.dense<Out, In>(x);
    if (!ends) x = b.call<ops::relu>(x);
    last = x;
  };
  constexpr int units[]{Units...};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (layer(shape<units[I], units[I + 1]>{}, I + 2 == sizeof...(Units)), ...);
  }(std::make_index_sequence<sizeof...(Units) - 1>{});
  return b.with_outputs(last);
}
constexpr graph seed_mlp() { return dense_layers<512, 256, 128, 2>(); }
constexpr graph digits_mlp() { return dense_layers<64, 128, 64, 10>(); }
constexpr graph residual_chain() {
  builder b;
  int x = b.input<shape<1, 32>>();
  for (int i = 0; i < 6; ++i) {
    int const h = b.call<ops::relu>(b.dense<32, 32>(x));
    x = b.call<ops::add>(x, b.dense<32, 32>(h));
  }
  return b.with_outputs(x);
}
// Values of many sizes and lives: a product of each width, summed later in another order.
constexpr graph many_lives() {
  builder b;
  int const x = b.input<shape<dim<"batch">, 4>>();
  int const a = b.call<ops::fully_connected>(x, b.parameter<shape<16, 4>>()),
            c = b.call<ops::fully_connected>(x, b.parameter<shape<64, 4>>()),
            d = b.call<ops::fully_connected>(c, b.parameter<shape<16, 64>>()),
            e = b.call<ops::fully_connected>(a, b.parameter<shape<48, 16>>()),
            f = b.call<ops::fully_connected>(e, b.parameter<shape<16, 48>>());
  return b.with_outputs(b.call<ops::softmax>(b.call<ops::add>(b.call<ops::add>(f, d), a)), b.call<ops::sum>(e));
}
constexpr graph narrow_rows() {
  builder b;
  int const x = b.input<shape<dim<"batch">, 3>>();
  return b.with_outputs(b.call<ops::sort>(b.call<ops::sort>(x)));
}
constexpr graph two_dynamic_dimensions() {
  builder b;
  int const x = b.input<shape<dim<"rows">, 4>>(), y = b.input<shape<dim<"columns">, 4>>();
  int const p = b.product(b.call<ops::exp>(x), b.call<ops::exp>(y), false, true);
  return b.with_outputs(b.call<ops::softmax>(b.call<ops::transpose>(b.call<ops::tanh>(p))));
}

constexpr bool is_sound(graph const& g, std::int64_t n = 3, std::int64_t m = 2) { return memory_is_sound(make_plan(g), n, m); }
// The planner's lower bound is the one counted from the kernels, and no byte is above it.
constexpr bool at_lower_bound(graph const& g, binding const& b) {
  plan const p = make_plan(g);
  arena_layout const a = arena_at(p, plan_arena(p), b);
  return a.bytes == a.lower_bound && a.lower_bound == live_bytes(p, b);
}
constexpr bool arena_is(graph const& g, int kernels, std::int64_t bytes, std::int64_t n = 1) {
  plan const p = make_plan(g);
  return p.groups.size() == kernels && arena_at(p, plan_arena(p), bound_to(n)).bytes == bytes;
}
// What is checked can fail: a plan whose buffers all lie in one place is not sound.
constexpr bool overlap_is_found() {
  plan const p = make_plan(many_lives());
  arena_layout a = arena_at(p, plan_arena(p), bound_to(1));
  for (std::int64_t& at : a.offset) at = 0;
  return !memory_is_sound(p, a, bound_to(1));
}

}  // namespace

TEST_CASE("no two live values overlap") {
  SINTER_AT_BOTH_CLOCKS(is_sound(many_lives(), 1));
  SINTER_AT_BOTH_CLOCKS(is_sound(networks::residual()));
  SINTER_AT_BOTH_CLOCKS(is_sound(networks::row_operations()));
  SINTER_AT_BOTH_CLOCKS(is_sound(networks::joined()));
  SINTER_AT_BOTH_CLOCKS(is_sound(networks::views()));
  SINTER_AT_BOTH_CLOCKS(is_sound(networks::repeated()));
  SINTER_AT_BOTH_CLOCKS(is_sound(networks::products()));
  SINTER_AT_BOTH_CLOCKS(overlap_is_found());
  for (std::int64_t const n : {0, 1, 7, 64}) {
    CHECK(is_sound(many_lives(), n));
    CHECK(is_sound(residual_chain(), n));
    CHECK(is_sound(two_dynamic_dimensions(), n, 65 - n));
  }
}
TEST_CASE("the named networks reach the lower bound") {
  SINTER_AT_BOTH_CLOCKS(arena_is(seed_mlp(), 3, 1536));
  SINTER_AT_BOTH_CLOCKS(arena_is(digits_mlp(), 3, 768));
  SINTER_AT_BOTH_CLOCKS(at_lower_bound(seed_mlp(), bound_to(1)));
  SINTER_AT_BOTH_CLOCKS(at_lower_bound(digits_mlp(), bound_to(1)));
  SINTER_AT_BOTH_CLOCKS(at_lower_bound(residual_chain(), bound_to(1)));
}
// One order of the values serves them all, and no row is rounded up to a line by itself.
TEST_CASE("the arena is at its lower bound whatever the dynamic dimensions are") {
  SINTER_AT_BOTH_CLOCKS(at_lower_bound(narrow_rows(), bound_to(1)));
  SINTER_AT_BOTH_CLOCKS(at_lower_bound(narrow_rows(), bound_to(100)));
  SINTER_AT_BOTH_CLOCKS(arena_is(narrow_rows(), 2, 1216, 100));
  for (std::int64_t const n : {1, 2, 7, 64, 1797}) {
    CHECK(at_lower_bound(many_lives(), bound_to(n)));
    CHECK(at_lower_bound(two_dynamic_dimensions(), bound_to(n, 1798 - n)));
  }
}
