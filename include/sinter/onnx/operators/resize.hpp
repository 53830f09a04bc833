// SPDX-License-Identifier: Apache-2.0
// ONNX's Resize and Upsample: along one axis after the other each element becomes a weighted sum of some others, the same ones for all lines.
#pragma once
#include <cmath>

#include "elementwise.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// What Resize says of all axes.
struct resizing {
  std::string mode, places, nearest;
  double cubic = -0.75, outside = 0;
  bool antialias = false, exclude = false;
};
// One axis: its extents, their ratio, and the part of it that tf_crop_and_resize takes.
struct resized_axis {
  extent from = 0, to = 0;
  double scale = 1, begin = 0, end = 1;

  // Where element i comes from; NaN: from outside.
  double place(site& k, resizing const& r, extent i) const {
    auto const at = static_cast<double>(i), n = static_cast<double>(from), m = static_cast<double>(to);
    if (r.places == "asymmetric") return at / scale;
    if (r.places == "half_pixel") return (at + 0.5) / scale - 0.5;
    if (r.places == "pytorch_half_pixel") return to > 1 ? (at + 0.5) / scale - 0.5 : 0;
    if (r.places == "align_corners") return to > 1 ? at * (n - 1) / (m - 1) : 0;
    if (r.places == "tf_half_pixel_for_nn") return (at + 0.5) / scale;
    if (r.places == "half_pixel_symmetric") {
      double const exact = scale * n;
      return n / 2 * (1 - m / exact) + (at + 0.5) / scale - 0.5;
    }
    if (r.places == "tf_crop_and_resize") {
      double const x = to > 1 ? begin * (n - 1) + at * (end - begin) * (n - 1) / (m - 1) : 0.5 * (begin + end) * (n - 1);
      return x < 0 || x > n - 1 ? std::nan("") : x;
    }
    k.fail("coordinate_transformation_mode is " + io::in_quotes(r.places));
  }
  extent nearest(site& k, resizing const& r, double x) const {
    double const low = std::floor(x), rest = x - low;
    double at = 0;
    if (k.opset < 11) at = scale < 1 ? std::ceil(x) : low;  // a smaller array takes the element behind
    else if (r.nearest == "round_prefer_floor") at = rest <= 0.5 ? low : low + 1;
    else if (r.nearest == "round_prefer_ceil") at = rest < 0.5 ? low : low + 1;
    else if (r.nearest == "floor") at = low;
    else if (r.nearest == "ceil") at = std::ceil(x);
    else k.fail("nearest_mode is " + io::in_quotes(r.nearest));
    return std::clamp<extent>(static_cast<extent>(at), 0, from - 1);
  }
};
inline double weight_at(resizing const& r, double x) {
  x = std::abs(x);
  if (r.mode == "linear") return x < 1 ? 1 - x : 0;
  double const a = r.cubic;
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((x - 5) * x + 8) * x * a - 4 * a : 0;
}
// The elements around a place and their weights; those beyond the border are the outermost, or left out.
inline std::vector<std::pair<extent, double>> taps(resizing const& r, resized_axis const& a, double x) {
  double const stretch = r.antialias && a.scale < 1 ? a.scale : 1, reach = (r.mode == "linear" ? 1 : 2) / stretch;
  std::vector<std::pair<extent, double>> all;
  double sum = 0;
  for (double at = std::floor(x - reach) + 1; at < x + reach || all.empty(); ++at) {
    auto const i = static_cast<extent>(at);
    bool const inside = i >= 0 && i < a.from;
    double const w = r.exclude && !inside ? 0 : weight_at(r, (at - x) * stretch);
    all.emplace_back(std::clamp<extent>(i, 0, a.from - 1), w);
    sum += w;
  }
  for (auto& [i, w] : all) w /= sum;
  return all;
}
inline term weighted(site& k, term const& x, int axis, resized_axis const& a, resizing const& r) {
  auto const n = static_cast<std::size_t>(a.to);
  std::vector<std::vector<std::pair<extent, double>>> of;
  std::size_t most = 1;
  for (extent i = 0; i < a.to; ++i) {
    double const at = a.place(k, r, i);
    if (std::isnan(at)) of.emplace_back();
    else if (r.mode == "nearest") of.push_back({{a.nearest(k, r, at), 1.}});
    else of.push_back(taps(r, a, at));
    most = std::max(most, of.back().size());
  }
  std::optional<term> sum;
  for (std::size_t j = 0; j < most; ++j) {
    std::vector<std::int64_t> index(n);
    sym::array weight(dtype::float64, {a.to});
    for (std::size_t i = 0; i < n; ++i) {
      bool const has = j < of[i].size();
      index[i] = has ? of[i][j].first : 0;
      reinterpret_cast<double*>(weight.data())[i] = has ? of[i][j].second : 0;
    }
    term part = k("take", {x, k.c.constant(index)}, {{"axis", int_list{axis}}});
    if (r.mode == "nearest") return part;
    part = k("multiply", {part, k.cast(k.along(k.c.constant(weight, sym::fresh_name("weight")), axis, x.rank()), x.type.type)});
    sum = sum ? k("add", {*sum, part}) : part;
  }
  return *sum;
}
// The extents, and ratios, that sizes or scales ask for, those of all axes or of the named ones.
inline std::vector<resized_axis> resized_axes(site& k, resizing const& r) {
  term const& x = k[0];
  int const at_scales = k.opset < 11 ? 1 : 2;
  bool const crops = r.places == "tf_crop_and_resize";
  std::vector<resized_axis> all;
  all.reserve(static_cast<std::size_t>(x.rank()));
  for (int i = 0; i < x.rank(); ++i) all.push_back({x.free(i), x.free(i)});
  std::vector<std::int64_t> every;
  every.reserve(static_cast<std::size_t>(x.rank()));
  for (int i = 0; i < x.rank(); ++i) every.push_back(i);
  std::vector<std::int64_t> const axes = k.wholes("axes").value_or(every);
  auto const reals = [&](int i) { return k.has(i) ? k.reals(k[i]) : std::vector<double>{}; };
  std::vector<double> const scales = k.opset < 9 ? k.real_list("scales") : reals(at_scales), roi = crops ? reals(1) : std::vector<double>{};
  std::vector<std::int64_t> const sizes = k.has(3) ? k.extents(3) : std::vector<extent>{};
  std::size_t const n = axes.size();
  if ((scales.size() != n || !sizes.empty()) && (sizes.size() != n || !scales.empty()))
    k.fail("either scales or sizes have a number for each axis");
  if (crops && roi.size() != 2 * n) k.fail("roi does not have two numbers for each axis");
  std::string const policy = k.text("keep_aspect_ratio_policy", "stretch");
  double common = policy == "not_smaller" ? 0 : std::numeric_limits<double>::infinity();
  // An axis without a number stays as it is.
  auto const stays = [&](std::size_t i, int axis) {
    return x.free(axis) < 0 && !crops && (scales.empty() ? policy == "stretch" && sizes[i] == x.free(axis) : scales[i] == 1);
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    int const axis = k.axis(axes[i], x.rank());
    if (stays(i, axis)) continue;
    if (sizes[i] <= -named_base) k.fail("it needs a number for the new extent of axis " + std::to_string(axis));
    double const s = static_cast<double>(sizes[i]) / static_cast<double>(x[axis]);
    common = policy == "not_smaller" ? std::max(common, s) : std::min(common, s);
  }
  for (std::size_t i = 0; i < n; ++i) {
    int const axis = k.axis(axes[i], x.rank());
    if (stays(i, axis)) continue;
    resized_axis& a = all[static_cast<std::size_t>(axis)];
    auto const extent_of_axis = static_cast<double>(x[axis]);
    if (crops) a.begin = roi[i], a.end = roi[i + n];
    a.scale = scales.empty() ? policy == "stretch" ? static_cast<double>(sizes[i]) / extent_of_axis : common : scales[i];
    double const to = !scales.empty()       ? std::floor(extent_of_axis * a.scale)
                      : policy == "stretch" ? static_cast<double>(sizes[i])
                                            : std::round(extent_of_axis * common);
    if (a.from == 0 && to == 0) {
      a = {0, 0};
      continue;
    }
    if (!(to >= 1 && to < 1e9) || a.from < 1 || !(a.scale > 0))
      k.fail("an axis of " + in_words(x.type) + " would have " + (to >= 1e9 ? "more than a thousand million elements" : "no elements"));
    a.to = static_cast<extent>(to);
  }
  return all;
}
inline void compose_resize(site& k) {
  resizing r{k.text("mode", "nearest"),
             k.text("coordinate_transformation_mode", k.opset < 11 ? "asymmetric" : "half_pixel"),
             k.text("nearest_mode", "round_prefer_floor"),
             k.real("cubic_coeff_a", -0.75),
             k.real("extrapolation_value", 0),
             k.truth("antialias", false),
             k.truth("exclude_outside", false)};
  if (r.mode != "nearest" && r.mode != "linear" && r.mode != "cubic") k.fail("mode is " + io::in_quotes(r.mode));
  std::vector<resized_axis> const axes = resized_axes(k, r);
  term y = k[0];
  if (r.mode != "nearest") y = k.cast(y, is_floating(y.type.type) ? y.type.type : dtype::float32);
  std::vector<term> outside;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    resized_axis const& a = axes[i];
    if (a.from == a.to && a.scale == 1 && (r.places != "tf_crop_and_resize" || (a.begin == 0 && a.end == 1))) continue;
    y = weighted(k, y, static_cast<int>(i), a, r);
    if (r.places != "tf_crop_and_resize") continue;
    sym::array from_outside(dtype::boolean, {a.to});
    for (extent e = 0; e < a.to; ++e) reinterpret_cast<bool*>(from_outside.data())[e] = std::isnan(a.place(k, r, e));
    outside.push_back(k.along(k.c.constant(from_outside, sym::fresh_name("outside")), static_cast<int>(i), y.rank()));
  }
  for (term const& o : outside) y = k("where", {o, k.beside(y, r.outside), y});
  k.give(k.cast(y, k[0].type.type));
}

inline constexpr operator_row resize_rows[] = {
    {"Resize", 10, 10, 2, "mode", "", in_float32<compose_resize>},
    {"Resize", 11, 17, 4, "coordinate_transformation_mode cubic_coeff_a exclude_outside extrapolation_value mode nearest_mode", "",
     in_float32<compose_resize>},
    {"Resize", 18, 0, 4,
     "antialias axes coordinate_transformation_mode cubic_coeff_a exclude_outside extrapolation_value keep_aspect_ratio_policy mode "
     "nearest_mode",
     "", in_float32<compose_resize>},
    {"Upsample", 7, 8, 1, "mode scales", "", in_float32<compose_resize>},
    {"Upsample", 9, 9, 2, "mode", "", in_float32<compose_resize>},
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
