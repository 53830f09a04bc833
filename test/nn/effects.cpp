// SPDX-License-Identifier: Apache-2.0
// An operation of a user's with an effect: it happens as often and in the order in which the network says it, eagerly and compiled.
#include <vector>

#include "network.hpp"

namespace my {
// Notes a number and the first element of its operand, which is its result.
std::vector<float> notes;
struct note_op : sinter::ops::opaque_op<note_op> {
  static constexpr std::string_view name = "test_effects.note";
  static constexpr int arity = 1;
  static constexpr bool effect = true;
  static constexpr sinter::inferred infer(sinter::operand_types in, sinter::dimension_table&) { return {in[0]}; }
  static constexpr std::int64_t items(sinter::no_attributes const&, sinter::dims const*) { return 1; }
  template <class T> static constexpr void item(sinter::no_attributes const&, sinter::ops::share s, sinter::ops::array_view<T> out,
                                                sinter::ops::array_view<T const> x) {
    if (s.lane != 0) return;
    for (std::int64_t i = 0; i < x.shape.size(); ++i) out.data[i] = x.data[i];
    if (!std::is_constant_evaluated()) notes.push_back(static_cast<float>(x.data[0]));
  }
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
