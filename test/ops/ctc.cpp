// SPDX-License-Identifier: Apache-2.0
// ctc_loss against all sequences of classes that become the labels when repetitions are merged and blanks are taken away.
#include "loops.hpp"

#include <cmath>

namespace test {

using namespace sinter;

namespace {

// The loss of example i, for so many times and labels.
template <class X, class L> double by_alignments(X const& x, L const& label, extent i, extent times, extent counts) {
  extent const batch = x.shape().d[1], classes = x.shape().d[2], most = label.shape().d[1];
  any_array<typename X::value_type> const all(x);
  any_array<typename L::value_type> const given(label);
  std::vector<extent> wanted;
  for (extent k = 0; k < std::min(counts, most); ++k) wanted.push_back(static_cast<extent>(given[i * most + k]));
  auto const log_p = [&](extent t, extent c) {
    double total = 0;
    auto const at = [&](extent k) { return static_cast<double>(all[(t * batch + i) * classes + k]); };
    for (extent k = 0; k < classes; ++k) total += std::exp(at(k));
    return at(c) - std::log(total);
  };
  times = std::clamp<extent>(times, 0, x.shape().d[0]);
  extent sequences = 1;
  for (extent t = 0; t < times; ++t) sequences *= classes;
  double probability = 0;
  for (extent n = 0; n < sequences; ++n) {
    std::vector<extent> merged;
    double sum_ = 0;
    extent last = -1;
    for (extent t = 0, rest = n; t < times; ++t, rest /= classes) {
      extent const c = rest % classes;
      sum_ += log_p(t, c);
      if (c != last && c != classes - 1) merged.push_back(c);
      last = c;
    }
    if (merged == wanted) probability += std::exp(sum_);
  }
  return -std::log(probability);
}
template <class T> auto bound() {
  return [](place_of const&) { return 200.; };  // the loss is a sum of several logarithms
}

}  // namespace

TEMPLATE_TEST_CASE("losses of alignments", "", REALS) {
  using T = TestType;
  auto const x = some<T, 5, 4, 3>(1);
  constexpr extent none = 100;
  // Empty, one label, a repetition, which needs a blank between, and as many as fit.
  nd::tensor<std::int64_t, shape<4, 3>> const label{{-1, -1, -1}, {1, -1, 0}, {0, 0, -1}, {0, 1, 0}};
  extent const counts[]{0, 1, 2, 3};
  expect<ops::ctc_loss>(
      call<ops::ctc_loss>()(x, label), {4}, [&](place_of const& p) { return by_alignments(x, label, p[0], none, counts[p[0]]); },
      bound<T>());
  // With lengths: -1 is not read where counts are given, and more times than there are are all.
  nd::tensor<std::int32_t, shape<4, 3>> const full{{0, 1, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  nd::tensor<std::int32_t, shape<4>> const times{5, 4, 3, 9}, some_labels{2, 2, 3, 9};
  expect<ops::ctc_loss>(
      interpret<ops::ctc_loss>()(x, full, times, some_labels), {4},
      [&](place_of const& p) { return by_alignments(x, full, p[0], times[p[0]], some_labels[p[0]]); }, bound<T>());
  expect<ops::ctc_loss>(
      interpret<ops::ctc_loss>()(x, label, times), {4},
      [&](place_of const& p) { return by_alignments(x, label, p[0], times[p[0]], counts[p[0]]); }, bound<T>());
  // More classes, of int8 labels; numbers far from 0.
  nd::tensor<T, shape<4, 2, 6>> const far(some<T, 4, 2, 6>(3) * T(40));
  nd::tensor<std::int8_t, shape<2, 2>> const small{{4, 2}, {3, 3}};
  expect<ops::ctc_loss>(
      interpret<ops::ctc_loss>()(far, small), {2}, [&](place_of const& p) { return by_alignments(far, small, p[0], 4, 2); }, bound<T>());
  // No labels at all, no examples, one class.
  expect<ops::ctc_loss>(
      interpret<ops::ctc_loss>()(x, nd::tensor<int, shape<4, 0>>{}), {4},
      [&](place_of const& p) { return by_alignments(x, nd::tensor<int, shape<4, 0>>{}, p[0], none, 0); }, bound<T>());
  expect<ops::ctc_loss>(interpret<ops::ctc_loss>()(some<T, 5, 0, 3>(), nd::tensor<int, shape<0, 2>>{}), {0},
                        [](place_of const&) { return 0; });
  expect<ops::ctc_loss>(interpret<ops::ctc_loss>()(some<T, 2, 1, 1>(), nd::tensor<int, shape<1, 1>>{-1}), {1},
                        [](place_of const&) { return 0; });
}

TEST_CASE("labels that fit into no alignment, and what is no label") {
  auto const x = some<float, 3, 5, 3>(1);
  // Four labels in three times; a repetition without time for its blank; the blank; no class; one behind the end, which is not read.
  nd::tensor<int, shape<5, 4>> const label{{0, 1, 0, 1}, {0, 0, 1, -1}, {0, 2, -1, -1}, {3, -1, -1, -1}, {0, -1, 7, 7}};
  auto const y = ctc_loss(x, label);
  CHECK((y[0] == std::numeric_limits<float>::infinity() && y[1] == std::numeric_limits<float>::infinity()));
  CHECK((std::isnan(y[2]) && std::isnan(y[3]) && std::isfinite(y[4])));
  // No time: only the empty sequence is certain. A negative label within given counts is none.
  nd::tensor<int, shape<5>> const times{0, 0, 3, 3, -2}, counts{0, 1, 1, 1, 0};
  auto const z = ctc_loss(x, nd::tensor<int, shape<5, 4>>(label * 0 - nd::tensor<int, shape<5, 1>>{0, 0, 0, 1, 0}), times, counts);
  CHECK((z[0] == 0 && z[1] == std::numeric_limits<float>::infinity() && std::isfinite(z[2]) && std::isnan(z[3]) && z[4] == 0));
  // A long sequence, whose probability no float holds.
  nd::tensor<float, shape<300, 1, 2>> const even{};
  CHECK(ctc_loss(even, nd::tensor<int, shape<1, 1>>{0}).item() == Approx(300 * std::log(2.0) - std::log(300 * 301 / 2)));
  nd::tensor<float, shape<2, 1, 2>> bad{};
  bad(0, 0, 0) = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(ctc_loss(bad, nd::tensor<int, shape<1, 1>>{0}).item()));
}

constexpr double of_even_chances() {
  double const log_p[]{math::log(0.5), math::log(0.5), math::log(0.5), math::log(0.5)};
  std::int64_t const label[]{0};
  double row[3]{}, loss[1]{};
  ops::ctc_alignments::run(ops::ctc_attributes{}, ops::array_view<double>{row, {1, 3}}, ops::array_view<double>{loss, {1}},
                           ops::array_view<double const>{log_p, {2, 1, 2}}, ops::array_view<std::int64_t const>{label, {1, 1}},
                           ops::array_view<std::int64_t const>{label, {1, 1}}, ops::array_view<std::int64_t const>{label, {1, 1}});
  return loss[0];
}
TEST_CASE("a loss in a constant expression") {
  constexpr double got = of_even_chances();
  CHECK(got == Approx(-std::log(0.75)));
}

}  // namespace test
