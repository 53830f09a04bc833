// SPDX-License-Identifier: Apache-2.0
// ONNX's normalizations.
#pragma once
#include "elementwise.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

inline int_list axes_from(int first, int rank) {
  int_list r;
  for (int i = first; i < rank; ++i) r.push(i);
  return r;
}
inline term mean_over(site& k, term const& x, int_list const& axes) { return k("mean", {x}, {{"axis", axes}, {"keepdims", true}}); }

inline void compose_batch_norm(site& k) {
  term const& given = k[0];
  term const x = given.rank() == 1 ? k.reshape(given, {given.free(0), 1}) : given;  // one channel, as the standard says
  if (k.whole("spatial", 1) != 1) k.fail("the attribute spatial is not 1, and only that is run");
  double const eps = k.real("epsilon", 1e-5), momentum = k.real("momentum", 0.9);
  auto const normalized = [&](term const& mean, term const& variance) {
    dtype const t = x.type.type;
    term const r = k("batch_norm", {x, k.cast(k[1], t), k.cast(k[2], t), k.cast(mean, t), k.cast(variance, t)}, {{"eps", eps}});
    return given.rank() == 1 ? k.reshape(r, given.type.shape) : r;
  };
  if (!k.truth("training_mode", false)) {
    if (k.wants(1)) k.fail("it gives more than its result, as in training, which is not run");
    return k.give(normalized(k[3], k[4]));
  }
  int_list axes{0};
  for (int i = 2; i < x.rank(); ++i) axes.push(i);
  term const mean = k("mean", {x}, {{"axis", axes}}), variance = k("var", {x}, {{"axis", axes}});
  auto const moved = [&](term const& old, term const& now) {
    return k("add", {scaled(k, old, momentum), scaled(k, k.cast(now, old.type.type), 1 - momentum)});
  };
  k.give(normalized(mean, variance));
  k.give(moved(k[3], mean));
  k.give(moved(k[4], variance));
}
// x with mean 0 and variance 1 over axes; `more` receives the mean and the inverse of the deviation.
inline term standardized(site& k, term const& x, int_list const& axes, double eps, terms* more = nullptr) {
  term const mean = mean_over(k, x, axes), apart = k("subtract", {x, mean});
  term const variance = mean_over(k, k("square", {apart}), axes);
  term const inverse = k("rsqrt", {k("add", {variance, k.beside(variance, eps)})});
  if (more) *more = {mean, inverse};
  return k("multiply", {apart, inverse});
}
// The dtype in which stash_type has it computed.
inline dtype stash_type(site& k) { return dtype_of_code(k, k.whole("stash_type", 1)); }
inline void compose_layer_norm(site& k) {
  dtype const t = k[0].type.type, in = stash_type(k);
  term const x = k.cast(k[0], in);
  terms more;
  term r = k.cast(standardized(k, x, axes_from(k.axis(k.whole("axis", -1), x.rank()), x.rank()), k.real("epsilon", 1e-5), &more), t);
  r = k("multiply", {r, k[1]});
  k.give(k.has(2) ? k("add", {r, k[2]}) : r);
  k.give(more[0]);
  k.give(more[1]);
}
inline void compose_rms_norm(site& k) {
  term const x = k.cast(k[0], stash_type(k));
  int_list const axes = axes_from(k.axis(k.whole("axis", -1), x.rank()), x.rank());
  term const squares = mean_over(k, k("square", {x}), axes);
  term const r = k("multiply", {x, k("rsqrt", {k("add", {squares, k.beside(squares, k.real("epsilon", 1e-5))})})});
  k.give(k("multiply", {k.cast(r, k[1].type.type), k[1]}));
}
inline void compose_group_norm(site& k) {
  term const& x = k[0];
  std::int64_t const groups = k.wanted_whole("num_groups");
  if (x.rank() < 2 || groups < 1 || x[1] % groups != 0)
    k.fail("num_groups is " + std::to_string(groups) + ", which does not divide the channels of " + in_words(x.type));
  dtype const t = x.type.type, in = k.opset < 21 ? t : stash_type(k);
  // A scale for each group, from opset 21 on for each channel.
  auto const for_channels = [&](term const& v) {
    if (k.opset >= 21) return k.along(v, 1, x.rank());
    return k.along(k.reshape(k.stretch(k.reshape(v, {groups, 1}), {groups, x[1] / groups}), {x[1]}), 1, x.rank());
  };
  extent rest = x[1] / groups;
  for (int i = 2; i < x.rank(); ++i) rest = k.c.product(rest, x.free(i));
  term const apart = k.reshape(k.cast(x, in), {x.free(0), groups, rest});
  term const r = k.cast(k.reshape(standardized(k, apart, {2}, k.real("epsilon", 1e-5)), x.type.shape), t);
  k.give(k("add", {k("multiply", {r, for_channels(k[1])}), for_channels(k[2])}));
}
inline void compose_instance_norm(site& k) { k.give(k("instance_norm", {k[0], k[1], k[2]}, {{"eps", k.real("epsilon", 1e-5)}})); }
// The squares of `size` channels around each are summed; of an even number one more lies behind.
inline void compose_lrn(site& k) {
  term const& x = k[0];
  std::int64_t const size = k.wanted_whole("size");
  if (x.rank() < 3 || size < 1 || size > 4096) k.fail("size is " + std::to_string(size) + ", of " + in_words(x.type));
  int_list begin, end;
  for (int i = 0; i < x.rank(); ++i) begin.push(i == 1 ? (size - 1) / 2 : 0), end.push(i == 1 ? size / 2 : 0);
  term const squares = k("padded", {k("square", {x})}, {{"begin", begin}, {"end", end}});
  term sum = k.part(squares, 1, 0, x[1]);
  for (std::int64_t i = 1; i < size; ++i) sum = k("add", {sum, k.part(squares, 1, i, i + x[1])});
  double const alpha = k.real("alpha", 0.0001), beta = k.real("beta", 0.75), bias = k.real("bias", 1);
  term const divisor = k("add", {scaled(k, sum, alpha / static_cast<double>(size)), k.beside(x, bias)});
  k.give(k("divide", {x, k("power", {divisor, k.beside(x, beta)})}));
}
// A line of zeros stays so.
inline void compose_lp_norm(site& k) {
  term const& x = k[0];
  std::int64_t const p = k.whole("p", 2);
  if (p != 1 && p != 2) k.fail("p is neither 1 nor 2");
  int_list const axis{k.axis(k.whole("axis", -1), x.rank())};
  term const norm = k("norm", {x}, {{"axis", axis}, {"keepdims", true}, {"ord", static_cast<int>(p)}});
  k.give(k("where", {k("equal", {norm, k.beside(x, 0)}), k.beside(x, 0), k("divide", {x, norm})}));
}
inline void compose_mean_variance(site& k) {
  term const& x = k[0];
  int_list const axes = k.list(k.wholes("axes").value_or(std::vector<std::int64_t>{0, 2, 3}));
  term const apart = k("subtract", {x, mean_over(k, x, axes)}), deviation = k("sqrt", {mean_over(k, k("square", {apart}), axes)});
  k.give(k("divide", {apart, k("add", {deviation, k.beside(x, 1e-9)})}));
}

inline constexpr operator_row norm_rows[] = {
    {"BatchNormalization", 7, 8, 5, "epsilon momentum spatial", "", compose_batch_norm},
    {"BatchNormalization", 9, 13, 5, "epsilon momentum", "", compose_batch_norm},
    {"BatchNormalization", 14, 0, 5, "epsilon momentum training_mode", "", compose_batch_norm},
    {"GroupNormalization", 18, 20, 3, "epsilon num_groups", "", in_float32<compose_group_norm>},
    {"GroupNormalization", 21, 0, 3, "epsilon num_groups stash_type", "", compose_group_norm},
    {"InstanceNormalization", 6, 0, 3, "epsilon", "", compose_instance_norm},
    {"LRN", 1, 0, 1, "alpha beta bias size", "", in_float32<compose_lrn>},
    {"LayerNormalization", 17, 0, 3, "axis epsilon stash_type", "", compose_layer_norm},
    {"LpNormalization", 1, 0, 1, "axis p", "", in_float32<compose_lp_norm>},
    {"MeanVarianceNormalization", 9, 0, 1, "axes", "", in_float32<compose_mean_variance>},
    {"RMSNormalization", 23, 0, 2, "axis epsilon stash_type", "", compose_rms_norm},
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
