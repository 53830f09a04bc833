// SPDX-License-Identifier: Apache-2.0
// Images that are resized, shuffled, normalized by their channels and read at places, against loops.
#include "loops.hpp"

#include <ranges>

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

template <class X> auto at(X const& x, place_of const& p) { return any_array<typename X::value_type>(x)[index_in_array(x.shape(), p)]; }
template <class T> using exact_of = std::conditional_t<std::is_floating_point_v<T>, long double, std::int64_t>;
template <class Y, class T> void check_elements(Y const& y, std::initializer_list<T> want) {
  if constexpr (!std::is_same_v<Y, not_called>) {
    REQUIRE(y.size() == static_cast<extent>(want.size()));
    for (extent i = 0; i < y.size(); ++i) CHECK((y[i] == want.begin()[i] || (std::isnan(y[i]) && std::isnan(want.begin()[i]))));
  }
}
constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

// The place of element i of `to`, among `from`: numerator and denominator.
struct place_between {
  extent over, under;
};
place_between place_on_axis(extent i, extent from, extent to, bool corners) {
  if (!corners) return {(2 * i + 1) * from - to, 2 * to};
  return to == 1 ? place_between{0, 1} : place_between{i * (from - 1), to - 1};
}
extent nearest_on_axis(extent i, extent from, extent to, bool corners) {  // the first of the nearest
  auto const [over, under] = place_on_axis(i, from, to, corners);
  extent best = 0;
  for (extent k = 1; k < from; ++k)
    if (std::abs(k * under - over) < std::abs(best * under - over)) best = k;
  return best;
}
template <bool Everywhere = false, extent H, extent W, class X, class... K> void check_resized(X const& x, K...) {
  constexpr bool corners = (std::is_same_v<K, std::remove_const_t<decltype(align_corners)>> || ...);
  constexpr bool linear = (std::is_same_v<K, std::remove_const_t<decltype(mode<interpolation::bilinear>)>> || ...);
  dims const s = x.shape();
  dims const to{s.d[0], s.d[1], H, W};
  using size = std::remove_const_t<decltype(into<H, W>)>;
  auto const got = calling<Everywhere && std::is_same_v<typename X::value_type, float>, ops::resize, size, K...>{}(x);
  if constexpr (!linear)
    expect<ops::resize>(got, to, [&](place_of p) {
      p[2] = nearest_on_axis(p[2], s.d[2], H, corners), p[3] = nearest_on_axis(p[3], s.d[3], W, corners);
      return at(x, p);
    });
  else {
    auto const mean = [&](place_of const& p, auto element) {
      long double r = 0;
      long double weights[2][2]{};
      extent first[2]{};
      for (int k : {0, 1}) {
        auto const [over, under] = place_on_axis(p[2 + k], s.d[2 + k], k == 0 ? H : W, corners);
        extent const v = std::clamp<extent>(over, 0, (s.d[2 + k] - 1) * under);
        first[k] = v / under;
        weights[k][1] = static_cast<long double>(v % under) / static_cast<long double>(under);
        weights[k][0] = 1 - weights[k][1];
      }
      for (int i : {0, 1})
        for (int j : {0, 1})
          if (weights[0][i] * weights[1][j] != 0)
            r += weights[0][i] * weights[1][j] * element(at(x, {{p[0], p[1], first[0] + i, first[1] + j}}));
      return r;
    };
    expect<ops::resize>(
        got, to, [&](place_of const& p) { return mean(p, [](auto v) { return static_cast<long double>(v); }); },
        [&](place_of const& p) { return 8 * static_cast<double>(mean(p, [](auto v) { return std::abs(static_cast<long double>(v)); })); });
  }
}

}  // namespace

TEMPLATE_TEST_CASE("resized to the nearest element", "", NUMBERS, bool) {
  using T = TestType;
  auto const x = some<T, 2, 3, 4, 5>(1);
  check_resized<true, 7, 3>(x);
  check_resized<false, 8, 15>(x, mode<interpolation::nearest>);
  check_resized<false, 2, 1>(x);
  check_resized<false, 7, 9>(x, align_corners);
  check_resized<false, 1, 2>(x, align_corners);
  check_resized<false, 4, 5>(x);
  check_resized<false, 3, 300>(some<T, 1, 1, 9, 257>(2));
  check_resized<false, 5, 4>(some<T, 1, 2, 1, 6>(3));
  check_resized<false, 2, 3>(some<T, 0, 2, 3, 2>());
}
TEMPLATE_TEST_CASE("resized between the elements", "", REALS) {
  using T = TestType;
  constexpr auto bilinear = mode<interpolation::bilinear>;
  auto const x = some<T, 2, 3, 4, 5>(1);
  check_resized<true, 7, 3>(x, bilinear);
  check_resized<false, 8, 10>(x, bilinear);
  check_resized<false, 7, 9>(x, bilinear, align_corners);
  check_resized<false, 1, 1>(x, bilinear, align_corners);
  check_resized<false, 1, 2>(x, bilinear);
  check_resized<false, 3, 300>(some<T, 1, 1, 9, 257>(2), bilinear);
  check_resized<false, 5, 4>(some<T, 1, 2, 1, 6>(3), bilinear);
}
TEST_CASE("an infinite element is met at its own place and beside it alone") {
  nd::tensor<float, shape<1, 1, 1, 3>> const x{1, inf, 2};
  check_elements(interpret<ops::resize>(into<1, 5>, mode<interpolation::bilinear>, align_corners)(x), {1.0f, inf, inf, inf, 2.0f});
}
TEMPLATE_TEST_CASE("upsampled", "", float, std::int64_t, bool) {
  using T = TestType;
  auto const x = some<T, 2, 3, 4, 1>(1);
  expect<ops::upsample>(calling<std::is_same_v<T, float>, ops::upsample, std::remove_const_t<decltype(scale<3>)>>{}(x), {2, 3, 12, 3},
                        [&](place_of p) { return p[2] /= 3, p[3] /= 3, at(x, p); });
  expect<ops::upsample>(interpret<ops::upsample>(scale<1>)(x), {2, 3, 4, 1}, [&](place_of const& p) { return at(x, p); });
  if constexpr (std::is_same_v<T, float>) {
    nd::tensor<float, shape<1, 1, 1, 2>> const two{0, 4};
    expect<ops::upsample>(interpret<ops::upsample>(scale<2>, mode<interpolation::bilinear>)(two), {1, 1, 2, 4}, [](place_of const& p) {
      return p[3] == 0 ? 0 : p[3] == 1 ? 1 : p[3] == 2 ? 3 : 4;
    });
  }
}
TEMPLATE_TEST_CASE("shuffled channels", "", float, std::int64_t, bool) {
  using T = TestType;
  auto const line = some<T, 2, 6, 5>(1);
  expect<ops::pixel_shuffle>(interpret<ops::pixel_shuffle>(factor<3>)(line), {2, 2, 15},
                             [&](place_of const& p) { return at(line, {{p[0], p[1] * 3 + p[2] % 3, p[2] / 3}}); });
  auto const image = some<T, 2, 12, 2, 3>(2);
  expect<ops::pixel_shuffle>(
      calling<std::is_same_v<T, float>, ops::pixel_shuffle, std::remove_const_t<decltype(factor<2, 3>)>>{}(image), {2, 2, 4, 9},
      [&](place_of const& p) { return at(image, {{p[0], (p[1] * 2 + p[2] % 2) * 3 + p[3] % 3, p[2] / 2, p[3] / 3}}); });
  auto const volume = some<T, 1, 8, 2, 1, 3>(3);
  expect<ops::pixel_shuffle>(interpret<ops::pixel_shuffle>(factor<2>)(volume), {1, 1, 4, 2, 6}, [&](place_of const& p) {
    return at(volume, {{p[0], ((p[1] * 2 + p[2] % 2) * 2 + p[3] % 2) * 2 + p[4] % 2, p[2] / 2, p[3] / 2, p[4] / 2}});
  });
}

namespace {
template <bool Everywhere = false, class X, class... K>
void check_lrn(X const& x, int n, long double alpha_, long double beta_, long double knorm_, K...) {
  dims const s = x.shape();
  expect<ops::lrn>(
      calling < Everywhere && std::is_same_v<typename X::value_type, float>, ops::lrn, K... > {}(x), s,
      [&](place_of const& p) {
        long double sum = 0;
        for (extent c = p[1] - n / 2; c <= p[1] + n / 2; ++c)
          if (place_of q = p; c >= 0 && c < s.d[1]) q[1] = c, sum += std::pow(static_cast<long double>(at(x, q)), 2.0L);
        return static_cast<long double>(at(x, p)) / std::pow(knorm_ + alpha_ / n * sum, beta_);
      },
      [&](place_of const& p) { return (n + 8) * std::abs(static_cast<double>(at(x, p))); });
}
}  // namespace

TEMPLATE_TEST_CASE("normalized by the channels around", "", REALS) {
  using T = TestType;
  auto const x = some<T, 2, 7, 3, 2>(1);
  check_lrn<true>(x, 5, 1e-4L, 0.75L, 2, nsize<5>);
  check_lrn(x, 3, 2, 0.5L, 1, nsize<3>, alpha<2>, beta<0.5>, knorm<1>);
  check_lrn(x, 99, 1.5L, 1, 1, nsize<99>, alpha<1.5>, beta<1>, knorm<1>);
  check_lrn(some<T, 3, 1>(2), 3, 1e-4L, 0.75L, 2, nsize<3>);
  check_lrn(some<T, 2, 3, 5>(2), 1, 1, 0.75L, 2, nsize<1>, alpha<1>);
  check_lrn(some<T, 2, 0, 3>(), 3, 1e-4L, 0.75L, 2, nsize<3>);
}

namespace {

// Of places from somewhat before to somewhat behind the image.
template <class T, auto... D> nd::tensor<T, shape<D...>> some_places(int seed) {
  nd::tensor<T, shape<D...>> t;
  for (extent i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>((i * 29 + seed) % 53 - 26) / T(20);
  return t;
}
template <bool Everywhere = false, class X, class G, class... K> void check_grid(X const& x, G const& grid, K...) {
  using T = typename X::value_type;
  constexpr bool corners = sizeof...(K) > 0;
  dims const s = x.shape(), to = grid.shape();
  auto const read = [&](place_of const& p, auto element) {
    long double place[2], r = 0;
    for (int k : {0, 1}) {  // as it is rounded: a place is where its number says, after that all is exact
      auto const n = static_cast<long double>(s.d[3 - k]), v = static_cast<long double>(at(grid, {{p[0], p[2], p[3], k}}));
      place[k] = corners ? (v + 1) * (n - 1) / 2 : ((v + 1) * n - 1) / 2;
    }
    for (extent i = 0; i < s.d[2]; ++i)
      for (extent j = 0; j < s.d[3]; ++j) {
        long double const across = 1 - std::abs(static_cast<long double>(j) - place[0]),
                          down = 1 - std::abs(static_cast<long double>(i) - place[1]);
        if (across > 0 && down > 0) r += across * down * element(at(x, {{p[0], p[1], i, j}}));
      }
    return r;
  };
  double const most = 8 * static_cast<double>(s.d[2] + s.d[3] + 2);  // of the places, whose rounding the elements multiply
  expect<ops::grid_sample>(
      calling < Everywhere && std::is_same_v<typename X::value_type, float>, ops::grid_sample, K... > {}(x, grid),
      {s.d[0], s.d[1], to.d[1], to.d[2]}, [&](place_of const& p) { return read(p, [](T v) { return static_cast<long double>(v); }); },
      [&](place_of const&) { return 4 * most; });
}

}  // namespace

TEMPLATE_TEST_CASE("read at places of a grid", "", REALS) {
  using T = TestType;
  auto const x = some<T, 2, 3, 4, 5>(1);
  check_grid<true>(x, some_places<T, 2, 3, 6, 2>(1));
  check_grid(x, some_places<T, 2, 7, 2, 2>(2), align_corners);
  check_grid(some<T, 3, 1, 1, 1>(2), some_places<T, 3, 4, 4, 2>(3));
  check_grid(some<T, 2, 2, 1, 6>(2), some_places<T, 2, 1, 9, 2>(4), align_corners);
  check_grid(some<T, 0, 2, 3, 3>(), some_places<T, 0, 1, 2, 2>(0));
  check_grid(some<T, 2, 2, 0, 3>(), some_places<T, 2, 1, 2, 2>(0));
}
TEST_CASE("places of note") {
  nd::tensor<float, shape<1, 1, 1, 3>> const x{1, inf, 3};
  nd::tensor<float, shape<1, 1, 6, 2>> const grid{{{{-1, 0}, {0, 0}, {1, 0}, {inf, 0}, {-1e30f, 0}, {nan, 0}}}};
  check_elements(interpret<ops::grid_sample>(align_corners)(x, grid), {1.0f, inf, 3.0f, 0.0f, 0.0f, nan});
  // The edges of the image, half an element outside of the centers.
  nd::tensor<float, shape<1, 1, 1, 2>> const two{2, 6};
  nd::tensor<float, shape<1, 1, 4, 2>> const edges{{{{-1, 0}, {0, 0}, {1, 0}, {1, -inf}}}};
  check_elements(interpret<ops::grid_sample>()(two, edges), {1.0f, 4.0f, 3.0f, 0.0f});
}

namespace {
template <bool Everywhere = false, int H, int W, class X, class R, class... K>
void check_regions(X const& x, R const& rois, double scale_, K...) {
  using T = typename X::value_type;
  dims const s = x.shape();
  using size = std::remove_const_t<decltype(into<H, W>)>;
  expect<ops::roi_pool>(
      calling < Everywhere && std::is_same_v<typename X::value_type, float>, ops::roi_pool, size, K... > {}(x, rois),
      {rois.shape().d[0], s.d[1], H, W}, [&](place_of const& p) {
        T best = -std::numeric_limits<T>::infinity();
        bool any = false;
        extent const image = std::clamp<extent>(static_cast<extent>(at(rois, {{p[0], 0}})), 0, s.d[0] - 1);
        auto const corner = [&](int i) {
          return static_cast<extent>(std::round(static_cast<T>(at(rois, {{p[0], i}}) * static_cast<T>(scale_))));
        };
        auto const in_bin = [&](extent v, int axis_) {  // its place in the region, of which the bin has [bin h / n, (bin + 1) h / n)
          extent const first = corner(axis_ == 2 ? 2 : 1), last = corner(axis_ == 2 ? 4 : 3), n = axis_ == 2 ? H : W;
          extent const h = std::max<extent>(last - first + 1, 1), k = v - first, bin = p[axis_];
          return (k + 1) * n > bin * h && k * n < (bin + 1) * h;
        };
        for (extent i = 0; i < s.d[2]; ++i)
          for (extent j = 0; j < s.d[3]; ++j)
            if (in_bin(i, 2) && in_bin(j, 3)) best = std::max(best, at(x, {{image, p[1], i, j}})), any = true;
        return any ? best : T(0);
      });
}
}  // namespace

TEMPLATE_TEST_CASE("pooled regions", "", REALS) {
  using T = TestType;
  auto const x = some<T, 2, 3, 6, 8>(1);
  nd::tensor<T, shape<6, 5>> const rois{{0, 0, 0, 7, 5},   {1, 2, 1, 5, 4}, {1, 3, 3, 3, 3},
                                        {0, -4, 2, 20, 9}, {7, 6, 4, 2, 1}, {0, 30, 30, 40, 40}};
  check_regions<true, 2, 3>(x, rois, 1);
  check_regions<false, 7, 7>(x, rois, 1);
  check_regions<false, 1, 1>(x, rois, 0.5, scale<0.5>);
  check_regions<false, 3, 2>(x, rois, 0.25, scale<0.25>);
  check_regions<false, 2, 2>(x, nd::tensor<T, shape<0, 5>>{}, 1);
  nd::tensor<T, shape<1, 5>> const unknown{{0, 0, static_cast<T>(nan), 1, 1}}, vast{{0, -static_cast<T>(inf), 0, static_cast<T>(inf), 5}};
  T most = 0;
  for (extent k = 0; k < 48; ++k) most = std::max(most, x[k]);
  T const none = static_cast<T>(nan);
  check_elements(interpret<ops::roi_pool>(into<1, 1>)(x, unknown), {none, none, none});
  auto const all = interpret<ops::roi_pool>(into<1, 1>)(x, vast);
  if constexpr (has_interpreter) CHECK(all[0] == most);
}

}  // namespace test
