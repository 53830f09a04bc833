// SPDX-License-Identifier: Apache-2.0
// An operation of a user's with an effect: it happens as often and in the order in which the network says it, eagerly and compiled.
#include <utility>
#include <vector>

#include "effect_op.hpp"
#include "network.hpp"

namespace my {
// Notes a number and the first element of its operand, which is its result.
std::vector<float> notes;
struct note_op : test::effect_op<note_op> {
  static constexpr std::string_view name = "test_effects.note";
  static void happens(float first) { notes.push_back(first); }
};
}  // namespace my
SINTER_USER_OP(my::note_op);
namespace my {
namespace {
inline constexpr sinter::ops::function<note_op> note{};
}
}  // namespace my

namespace {
struct noted : nn::hybrid_block<noted> {
  BOOST_HANA_DEFINE_STRUCT(noted, (nn::dense<3>, fc));
  constexpr auto hybrid_forward(auto F, auto x) const {
    (void)my::note(x * 2);  // nothing reads it
    auto h = my::note(fc(x));
    (void)my::note(F.arange(sinter::values<7, 9>, sinter::as<float>));
    (void)my::note(x * 2);  // the same once more
    auto last = my::note(F.sum(h));
    return F.relu(h) * 1 + last + my::note(h * 0.5f);
  }
};
}  // namespace

TEST_CASE("an effect happens in its order, and each time") {
  noted net;
  net.initialize(sinter::init::constant{1});
  f32<2, 4> const x{1, 2, 3, 4, 5, 6, 7, 8};
  my::notes.clear();
  auto const want = net(x);
  std::vector<float> const eager = my::notes;
  CHECK(eager.size() == 6);
  auto const fast = net.hybridize();
  for (int i = 0; i < 2; ++i) {
    my::notes.clear();
    check_same(fast(x), want);
    CHECK(my::notes == eager);
  }
}

namespace {
// What becomes the state is noted before others, and what reads the old state is noted behind them.
struct noted_state : nn::hybrid_block<noted_state> {
  BOOST_HANA_DEFINE_STRUCT(noted_state, (nn::state<shape<3>, 100>, last));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const old = F.get(last, shape<3>{});
    auto const next = my::note(x * 2);
    F.assign(last, next);
    auto const other = my::note(x * 3);
    return my::note(old + other);
  }
};
}  // namespace
TEST_CASE("effects keep their order where a state changes") {
  noted_state const eager, other;
  auto const fast = other.hybridize();
  sinter::nd::tensor<float, shape<3>> const x{1, 2, 3};
  for (int i = 0; i < 3; ++i) {
    my::notes.clear();
    auto const want = eager(x);
    auto const notes = std::exchange(my::notes, {});
    CHECK(notes == std::vector<float>{2, 3, i == 0 ? 103.0f : 5.0f});
    check_same(fast(x), want);
    CHECK(my::notes == notes);
  }
}
