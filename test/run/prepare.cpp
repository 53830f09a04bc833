// SPDX-License-Identifier: Apache-2.0
// What depends on parameters alone: which work that is, and that it is done when parameters have moved and at no other time.
#include <sinter/run/prepare.hpp>
#include <sinter/run/workspace.hpp>

#include <cstring>
#include <stdexcept>

#include "../passes/plans.hpp"

using namespace test;

namespace {

constexpr bool prepares(plan const& p, std::initializer_list<int> operands) {
  if (p.preparations.size() != static_cast<int>(operands.size())) return false;
  for (int i = 0; i < p.preparations.size(); ++i)
    if (p.preparations[i].group != i || p.preparations[i].operand != operands.begin()[i]) return false;
  return true;
}
constexpr bool weights_are_prepared() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  return prepares(make_plan(b.with_outputs(b.dense<5, 4>(b.dense<4, 3>(x)))), {1, 1});
}
constexpr bool weights_in_a_view_are_prepared() {
  builder b;
  int const x = b.input<shape<2, 3>>(), w = b.parameter<shape<4, 3>>();
  return prepares(make_plan(b.with_outputs(b.product(x, b.call<ops::transpose>(w)))), {1});
}
constexpr bool inputs_are_not_prepared() {
  builder b;
  int const x = b.input<shape<2, 3>>(), y = b.input<shape<3, 4>>();
  return prepares(make_plan(b.with_outputs(b.product(x, y))), {});
}
constexpr bool first_operands_are_not_prepared() {
  builder b;
  int const w = b.parameter<shape<2, 3>>(), y = b.input<shape<3, 4>>();
  return prepares(make_plan(b.with_outputs(b.product(w, y))), {});
}

constexpr bool weights_read_twice_are_prepared_once() {
  builder b;
  int const x = b.input<shape<2, 3>>(), few = b.input<shape<5, 3>>(), w = b.parameter<shape<3, 3>>();
  int const once = b.product(x, w), again = b.product(b.call<ops::exp>(once), w), turned = b.product(x, w, false, true);
  plan p = make_plan(b.with_outputs(again, turned, b.product(few, w)));
  list<int> like;
  for (preparation const& o : p.preparations) like.push(o.like);
  int alike = 0;
  for (int i : like) alike += i >= 0;
  // Other rows and another order of the same weights are prepared on their own.
  if (like.size() != 4 || alike != 1 || !fault_of(p).empty()) return false;
  for (int i = 1; i < 4; ++i) {
    if (like[i] >= 0) continue;
    p.preparations[i].like = 0;
    if (fault_of(p) != "a kernel reads weights that were prepared for another") return false;
    p.preparations[i].like = -1;
  }
  return true;
}

// A program of four kernels that counts how often it prepares something. The second one makes nothing of its weights.
struct counted {
  list<preparation> all;
  mutable int times = 0;
  counted() {
    for (int i : {0, 1, 3}) all.push({i, 1});
  }
  std::int64_t arena_bytes() const { return 0; }
  int kernels() const { return 4; }
  list<preparation> const& preparations() const { return all; }
  std::size_t prepared_bytes(preparation const& w) const { return w.group == 1 ? 0 : 70; }
  std::size_t once_bytes() const { return 0; }
  void run_once(executor::call const&) const {}
  void prepare(preparation const& w, executor::call const& c, std::byte* to) const {
    ++times;
    std::memset(to, static_cast<int>(c.parameters[0][0]) + w.group, 70);
  }
  void run(executor::call const&) const {}
};
static_assert(executor::is_instance<counted>);

struct prepared_by {
  std::byte value{5};
  std::byte const* made[5]{};
  buffer<std::byte> memory;
  explicit prepared_by(counted const& f) {
    std::byte* const parameters[]{&value};
    executor::prepare(f, parameters, made, memory);
  }
};

struct some_sizes {
  int parameters = 1, groups = 4, updates = 0;
};
struct program_of_one {
  static constexpr some_sizes sizes{};
};

// A place with little memory.
struct small_place {
  template <class T> static buffer<T> allocate(std::size_t n, bool) {
    if (n > 1000) throw std::bad_alloc();
    return buffer<T>(n, false);
  }
};

}  // namespace

TEST_CASE("weights are prepared, whatever view they are read through; what a call brings is not") {
  SINTER_AT_BOTH_CLOCKS(weights_are_prepared());
  SINTER_AT_BOTH_CLOCKS(weights_in_a_view_are_prepared());
  SINTER_AT_BOTH_CLOCKS(weights_read_twice_are_prepared_once());
  SINTER_AT_BOTH_CLOCKS(inputs_are_not_prepared());
  SINTER_AT_BOTH_CLOCKS(first_operands_are_not_prepared());
}

TEST_CASE("what was prepared lies apart, in whole lines") {
  counted const f;
  prepared_by const here(f);
  auto const& made = here.made;
  CHECK(f.times == 2);
  REQUIRE(made[0] != nullptr);
  CHECK(made[1] == nullptr);
  CHECK(made[2] == nullptr);
  CHECK(made[3] == made[0] + 128);
  CHECK(reinterpret_cast<std::uintptr_t>(made[0]) % 64 == 0);
  CHECK(made[0][69] == std::byte{5});
  CHECK(made[3][69] == std::byte{8});
}

TEST_CASE("kernels that read the same weights alike have what was prepared for the first of them") {
  counted f;
  f.all.push({2, 1, 0});
  prepared_by const here(f);
  auto const& made = here.made;
  CHECK(f.times == 2);
  CHECK(made[2] == made[0]);
  CHECK(made[3] == made[0] + 128);
}

TEST_CASE("parameters are looked at when the epoch has moved, and prepared when they have") {
  counted const f;
  executor::prepared<program_of_one> p;
  auto& epoch = executor::value_epoch;
  std::byte value{1};
  std::uint64_t version = 1;
  int looks = 0;
  auto const renew = [&] {
    executor::renew(p, f, [&](bool& changed) {
      ++looks;
      if (p.note(0, &value, version)) changed = true;
    });
  };
  renew();
  CHECK((looks == 1 && f.times == 2));
  renew();
  CHECK((looks == 1 && f.times == 2));
  ++epoch;  // another network's parameter
  renew();
  CHECK((looks == 2 && f.times == 2));
  ++version;
  ++epoch;
  renew();
  CHECK((looks == 3 && f.times == 4));
  std::byte elsewhere{7};
  ++epoch;
  executor::renew(p, f, [&](bool& changed) { changed = p.note(0, &elsewhere, version); });
  CHECK((f.times == 6 && p.made[0][0] == std::byte{7}));
}

TEST_CASE("an epoch that moves while parameters are looked at is followed") {
  counted const f;
  executor::prepared<program_of_one> p;
  auto& epoch = executor::value_epoch;
  std::byte value{1};
  int looks = 0;
  executor::renew(p, f, [&](bool& changed) {
    if (++looks < 3) ++epoch;  // values that are made now
    if (p.note(0, &value, 1)) changed = true;
  });
  CHECK((looks == 3 && f.times == 2 && p.epoch == epoch));
}

TEST_CASE("after an exception everything is prepared again") {
  counted const f;
  executor::prepared<program_of_one> p;
  auto& epoch = executor::value_epoch;
  std::byte value{1};
  // The first time, and when it was prepared before and the look that failed has seen the new version.
  for (std::uint64_t const version : {1u, 2u}) {
    auto const look = [&](bool& changed) {
      if (p.note(0, &value, version)) changed = true;
    };
    int const before = f.times;
    CHECK_THROWS_AS(executor::renew(p, f,
                                    [&](bool& changed) {
                                      look(changed);
                                      throw std::runtime_error("a later parameter has no values");
                                    }),
                    std::runtime_error);
    CHECK(f.times == before);
    executor::renew(p, f, look);
    CHECK(f.times == before + 2);
    ++epoch;
  }
}

TEST_CASE("a workspace without memory asks for it again") {
  executor::workspace_base w;
  w.grow<small_place>(100);
  CHECK((w.bytes == 100 && w.arena.data() != nullptr));
  CHECK_THROWS_AS(w.grow<small_place>(2000), std::bad_alloc);
  CHECK((w.bytes == -1 && w.arena.data() == nullptr));
}
