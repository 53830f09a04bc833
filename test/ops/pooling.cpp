// SPDX-License-Identifier: Apache-2.0
// max_pool and avg_pool of lines, images and volumes, compared with loops over windows and elements.
#include "loops.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

using namespace sinter;
namespace ops = sinter::ops;

struct windows {
  int size[3]{1, 1, 1}, stride[3]{1, 1, 1}, pad[3]{};
  bool ceil_mode = false, count_pad = true;
};
// The places that a window of one axis has: elements from..to, and so many with its padding.
struct span {
  extent from, to, all;
};
span span_of(windows const& w, int i, extent place, extent n) {
  extent const begin = place * w.stride[i] - w.pad[i], end = begin + w.size[i];
  return {std::max<extent>(begin, 0), std::min(end, n), std::min(end, n + w.pad[i]) - begin};
}
template <class Op, class T, class S, class Y> void expect_windows(windows const& w, nd::tensor<T, S> const& x, Y const& y) {
  using R = typename Y::value_type;
  constexpr int spatial = S::rank - 2;
  nd::tensor<wanted<R>, typename Y::shape_type> want;
  extent n[3]{1, 1, 1}, out[3]{1, 1, 1};
  for (int i = 0; i < spatial; ++i) n[3 - spatial + i] = x.shape().d[i + 2], out[3 - spatial + i] = y.shape().d[i + 2];
  windows v = w;  // the axes that there are, behind those of extent 1
  for (int i = 0; i < 3; ++i) {
    bool const is = i >= 3 - spatial;
    int const from = is ? i - (3 - spatial) : 0;
    v.size[i] = is ? w.size[from] : 1, v.stride[i] = is ? w.stride[from] : 1, v.pad[i] = is ? w.pad[from] : 0;
  }
  extent const images = x.shape().d[0] * x.shape().d[1];
  extent e = 0;
  for (extent image = 0; image < images; ++image)
    for (extent a = 0; a < out[0]; ++a)
      for (extent b = 0; b < out[1]; ++b)
        for (extent c = 0; c < out[2]; ++c) {
          span const d = span_of(v, 0, a, n[0]), h = span_of(v, 1, b, n[1]), l = span_of(v, 2, c, n[2]);
          long double sum = 0;
          T most = std::numeric_limits<T>::lowest();
          extent count = 0;
          for (extent i = d.from; i < d.to; ++i)
            for (extent j = h.from; j < h.to; ++j)
              for (extent k = l.from; k < l.to; ++k, ++count) {
                T const at = x.data()[((image * n[0] + i) * n[1] + j) * n[2] + k];
                sum += static_cast<long double>(at);
                most = std::max(most, at);
              }
          REQUIRE(count > 0);
          if (w.count_pad) count = d.all * h.all * l.all;
          if constexpr (std::is_same_v<Op, ops::max_pool>) want.data()[e++] = static_cast<wanted<R>>(most);
          else want.data()[e++] = static_cast<wanted<R>>(sum / static_cast<long double>(count));
        }
  REQUIRE(e == want.size());
  test::expect(test::mismatch<Op>(y, want));
}
template <class Op, class T, class S, bool Everywhere = false, class... K> void check(windows const& w, K const&...) {
  nd::tensor<T, S> x;
  for (extent i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 7919 + i / 13) % 31 - 15);
  auto const y = calling<Everywhere, Op, K...>{}(x);
  if constexpr (!std::is_same_v<decltype(y), not_called const>) expect_windows<Op>(w, x, y);
}
template <class T> void check_max() {
  using op = ops::max_pool;
  check<op, T, shape<2, 3, 9>>({{2}, {2}}, pool_size<2>);
  check<op, T, shape<1, 2, 10>>({{3}, {2}, {1}}, pool_size<3>, stride<2>, pad<1>);
  check<op, T, shape<2, 3, 6, 7>, true>({{2, 2}, {2, 2}}, pool_size<2>);
  check<op, T, shape<2, 3, 6, 7>>({{2, 2}, {2, 2}, {}, true}, pool_size<2>, ceil_mode);
  check<op, T, shape<1, 4, 7, 5>, true>({{3, 3}, {2, 2}, {1, 1}}, pool_size<3>, stride<2>, pad<1>);
  check<op, T, shape<1, 1, 7, 5>>({{3, 2}, {1, 3}, {2, 0}}, pool_size<3, 2>, stride<1, 3>, pad<2, 0>);
  check<op, T, shape<1, 2, 4, 4>>({{2, 2}, {3, 3}, {1, 1}, true}, pool_size<2>, stride<3>, pad<1>, ceil_mode);
  check<op, T, shape<2, 2, 5, 6>>({{5, 6}, {5, 6}}, pool_size<5, 6>);
  check<op, T, shape<1, 2, 5>>({{2}, {3}, {1}, true}, pool_size<2>, stride<3>, pad<1>, ceil_mode);
  check<op, T, shape<1, 2, 3, 3>>({{1, 1}, {4, 4}}, pool_size<1>, stride<4>);
  check<op, T, shape<1, 2, 4, 5, 3>>({{2, 3, 3}, {2, 1, 2}, {1, 0, 1}}, pool_size<2, 3, 3>, stride<2, 1, 2>, pad<1, 0, 1>);
  check<op, T, shape<0, 2, 4, 4>>({{2, 2}, {2, 2}}, pool_size<2>);
  check<op, T, shape<2, 0, 4, 4>>({{2, 2}, {2, 2}}, pool_size<2>);
}

}  // namespace

TEMPLATE_TEST_CASE("max_pool", "", NUMBERS) { check_max<TestType>(); }

TEMPLATE_TEST_CASE("avg_pool", "", REALS) {
  using T = TestType;
  using op = ops::avg_pool;
  check<op, T, shape<2, 3, 9>>({{2}, {2}}, pool_size<2>);
  check<op, T, shape<1, 2, 10>>({{3}, {2}, {1}}, pool_size<3>, stride<2>, pad<1>);
  check<op, T, shape<1, 2, 10>>({{3}, {2}, {1}, false, false}, pool_size<3>, stride<2>, pad<1>, count_include_pad<false>);
  check<op, T, shape<2, 3, 6, 7>, true>({{2, 2}, {2, 2}}, pool_size<2>);
  check<op, T, shape<2, 3, 6, 7>>({{2, 2}, {2, 2}, {}, true}, pool_size<2>, ceil_mode);
  check<op, T, shape<1, 4, 7, 5>>({{3, 3}, {2, 2}, {1, 1}, true}, pool_size<3>, stride<2>, pad<1>, ceil_mode);
  check<op, T, shape<1, 4, 8, 6>>({{3, 3}, {2, 2}, {1, 1}, true}, pool_size<3>, stride<2>, pad<1>, ceil_mode);
  check<op, T, shape<1, 4, 8, 6>, true>({{3, 3}, {2, 2}, {1, 1}, true, false}, pool_size<3>, stride<2>, pad<1>, ceil_mode,
                                        count_include_pad<false>);
  check<op, T, shape<1, 1, 7, 5>>({{3, 2}, {1, 3}, {2, 0}, false, false}, pool_size<3, 2>, stride<1, 3>, pad<2, 0>,
                                  count_include_pad<false>);
  check<op, T, shape<2, 2, 5, 6>>({{5, 6}, {5, 6}}, pool_size<5, 6>);
  check<op, T, shape<1, 2, 5>>({{2}, {3}, {1}, true}, pool_size<2>, stride<3>, pad<1>, ceil_mode);
  check<op, T, shape<1, 2, 4, 5, 3>>({{2, 3, 3}, {2, 1, 2}, {1, 0, 1}, false, false}, pool_size<2, 3, 3>, stride<2, 1, 2>, pad<1, 0, 1>,
                                     count_include_pad<false>);
  check<op, T, shape<0, 2, 4, 4>>({{2, 2}, {2, 2}}, pool_size<2>);
}

TEST_CASE("pooling of numbers of note") {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  nd::tensor<float, shape<1, 1, 6>> const x{-inf, -inf, nan, 1, inf, 2};
  auto const most = max_pool(x, pool_size<2>);
  CHECK(most[0] == -inf);
  CHECK(std::isnan(most[1]));
  CHECK(most[2] == inf);
  auto const mean = avg_pool(x, pool_size<3>, stride<3>, pad<1>);
  CHECK((mean[0] == -inf && std::isnan(mean[1])));
  // Padding is less than every number, also less than these.
  nd::tensor<int, shape<1, 1, 2>> const lowest{std::numeric_limits<int>::lowest(), std::numeric_limits<int>::lowest()};
  CHECK(max_pool(lowest, pool_size<3>, stride<1>, pad<1>).to_vector() == std::vector<int>(2, std::numeric_limits<int>::lowest()));
}

TEST_CASE("pooling of any number of images") {
  nd::tensor<float, shape<dim<"batch">, 2, 4, 4>> x({3, 2, 4, 4});
  for (int i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7);
  auto const y = max_pool(x, pool_size<3>, stride<2>, pad<1>);
  static_assert(decltype(y)::shape_type::value == shape<dim<"batch">, 2, 2, 2>::value);
  CHECK(y.shape() == dims{3, 2, 2, 2});
  CHECK(y.to_vector() == max_pool(nd::tensor<float, shape<3, 2, 4, 4>>(x), pool_size<3>, stride<2>, pad<1>).to_vector());
}

}  // namespace test
