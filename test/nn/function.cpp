// SPDX-License-Identifier: Apache-2.0
// Plain functions, several inputs and results, other dtypes.
#include <sinter/viz/report.hpp>

#include "network.hpp"

namespace {
// Tuples in, tuples of tuples out.
struct cell : nn::hybrid_block<cell> {
  BOOST_HANA_DEFINE_STRUCT(cell, (nn::dense<4>, state), (nn::dense<4>, input));
  constexpr auto hybrid_forward(auto F, auto x, auto memory) const {
    auto const [h, c] = memory;
    auto const n = F.tanh(state(h) + input(x));
    return std::make_tuple(n * c, std::make_tuple(n, F.sigmoid(n) + c));
  }
};
}  // namespace

TEST_CASE("tuples in and out") {
  cell net;
  net.initialize(sinter::init::uniform{1}, 9);
  auto const fast = net.hybridize();
  auto const x = filled<f32<2, 3>>();
  auto const memory = std::make_tuple(filled<f32<2, 4>>(), sinter::transpose(filled<f32<4, 2>>()));
  auto const eager = net(x, memory), compiled = fast(x, memory);
  static_assert(std::is_same_v<decltype(eager), decltype(compiled)>);
  check_same(std::get<0>(eager), std::get<0>(compiled));
  check_same(std::get<0>(std::get<1>(eager)), std::get<0>(std::get<1>(compiled)));
  check_same(std::get<1>(std::get<1>(eager)), std::get<1>(std::get<1>(compiled)));
  auto out = std::make_tuple(f32<2, 4>{}, std::make_tuple(f32<2, 4>{}, f32<2, 4>{}));
  fast(x, memory, out);
  check_same(std::get<1>(std::get<1>(out)), std::get<1>(std::get<1>(eager)));
}

TEST_CASE("a plain function") {
  auto const fast = sinter::hybridize([](auto F, auto a, auto b) { return F.relu(a - b) * 2; });
  auto const a = filled<f32<3, 1>>();
  auto const b = filled<f32<1, 4>>();
  auto const expected = [&] {
    auto const F = sinter::space_of(a);
    return F.relu(a - b) * 2;
  }();
  check_same(fast(a, b), expected);
  f32<3, 4> out;
  fast(a, b, out);
  check_same(out, expected);
  auto const parts = sinter::hybridize([](auto F, auto x) { return F.split(x, sinter::parts<3>); });
  auto const [first, second, third] = parts(filled<f32<2, 6>>());
  CHECK(second(1, 0) == filled<f32<2, 6>>()(1, 2));
  CHECK((first.size() == 4 && third(1, 1) == filled<f32<2, 6>>()(1, 5)));
  CHECK(fast(3, 1) == 4);
  CHECK(fast.report(a, b).find("plan: 1 kernel\n") == 0);
  CHECK((fast.report(a, b) == decltype(fast)::report<shape<3, 1>, shape<1, 4>>() && fast.dot(a, b).find("digraph") == 0));
}

TEST_CASE("an input that is its own result") {
  auto const same = sinter::hybridize([](auto, auto x) { return x; });
  auto const x = filled<f32<3, 4>>();
  check_same(same(x), x);
  auto const both = sinter::hybridize([](auto F, auto v) {
    auto const y = F.relu(v);
    return std::make_tuple(y, y);
  });
  auto const [a, b] = both(x);
  check_same(a, b);
  a(0, 0) = 77;
  CHECK(b(0, 0) != 77);  // two results are two tensors
}

TEST_CASE("integers, bools and doubles") {
  auto const fast = sinter::hybridize([](auto F, auto i, auto d) { return std::make_tuple(i * 2, F.where(i > 1, d, -d), i > 1); });
  sinter::nd::tensor<std::int64_t, shape<3>> const i{0, 1, 2};
  sinter::nd::tensor<double, shape<3>> const d{0.5, 1.5, 2.5};
  auto const [doubled, chosen, above] = fast(i, d);
  CHECK((doubled(2) == 4 && chosen(1) == -1.5 && chosen(2) == 2.5 && !above(1) && above(2)));
}

namespace {
// Sorts are kernels of their own: what lies between two of them is in the arena.
struct sorted_in_rows {
  constexpr auto operator()(auto F, auto x) const { return F.sort(F.sort(F.reshape(x, sinter::into<-1, 4>))); }
};
struct sorted_twice_as_long {
  constexpr auto operator()(auto F, auto x) const { return F.sort(F.sort(F.concat(F.sort(x), F.sort(x * 2), sinter::axis<0>))); }
};
struct sorted_beside {
  constexpr auto operator()(auto F, auto x, auto y) const { return F.sort(F.sort(F.concat(x, y, sinter::axis<0>))); }
};
using sinter::dim;
template <class F, class... X> using plan_for = sinter::compiled_t<nn::hybrid_lambda<F>, X...>;
using in_rows = plan_for<sorted_in_rows, shape<dim<"batch">, 16>>;
using as_long = plan_for<sorted_twice_as_long, shape<dim<"batch">, 16>>;
using beside = plan_for<sorted_beside, shape<dim<"n">, 16>, shape<dim<"m">, 16>>;
static_assert(in_rows::arena_bytes(64) == 64 * 64 && in_rows::arena_lower_bound(64) == 64 * 64);
static_assert(as_long::arena_bytes(64) == 2 * 128 * 64 && as_long::arena_lower_bound(64) == 2 * 128 * 64);
static_assert(beside::arena_bytes(sinter::binding{{3, 5}}) == 2 * 8 * 64);
}  // namespace

namespace {
struct scaled : nn::hybrid_block<scaled> {
  BOOST_HANA_DEFINE_STRUCT(scaled, (nn::dense<3>, inner));
  constexpr auto hybrid_forward(auto, auto x, auto by) const { return inner(x) * by + by; }
};
}  // namespace

TEST_CASE("a plain number among the inputs of a network") {
  scaled net;
  net.initialize(sinter::init::uniform{1}, 9);
  auto const fast = net.hybridize();
  auto const x = filled<f32<2, 4>>();
  check_same(fast(x, 2), net(x, 2));
  check_same(fast(x, 0.1), net(x, 0.1));
  f32<2, 3> y;
  fast(x, 3, y);
  check_same(y, net(x, 3));
  auto const f = sinter::hybridize([](auto F, auto a, auto b, auto n) { return F.maximum(a * n, b); });
  check_same(f(x, x, 2), sinter::maximum(x * 2, x));
  check_same(f(2, x, x), sinter::maximum(2 * x, x));
}
