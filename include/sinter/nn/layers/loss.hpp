// SPDX-License-Identifier: Apache-2.0
// Losses, as blocks: each gives a number for each example, the mean over all other axes, multiplied by Weight and, where a call has
// them, by the examples' own weights. The formulas and defaults are Gluon's.
//   nn::softmax_cross_entropy_loss<> loss;
//   auto const per_example = loss(net(x), labels);   // (batch,)
#pragma once
#include "../block.hpp"
#include "../labels.hpp"
#include "sequence.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
template <auto Weight> constexpr auto weighted(auto F, auto const& loss, auto const&... sample_weight) {
  auto const by_number = [&] {
    if constexpr (Weight == 1) return loss;
    else return F.multiply(loss, static_cast<double>(Weight));
  }();
  if constexpr (sizeof...(sample_weight) == 0) return by_number;
  else return F.multiply(by_number, sample_weight...);
}
template <auto Weight, int BatchAxis> constexpr auto mean_loss(auto F, auto const& loss, auto const&... sample_weight) {
  static_assert(sizeof...(sample_weight) <= 1,
                "sinter: a loss is called with predictions, labels and, if there are some, weights of the examples");
  return F.mean(weighted<Weight>(F, loss, sample_weight...), axis<BatchAxis>, exclude);
}
template <bool Swaps> constexpr auto swapped(auto F, auto const& x) {
  if constexpr (Swaps) return F.swap_axes(x, axes<0, 1>);
  else return x;
}
template <auto Weight, class... A> constexpr auto weighted_ctc(auto F, auto const& pred, auto const& label, A const&... rest) {
  if constexpr (sizeof...(A) < 3) return weighted<Weight>(F, F.ctc_loss(pred, label, rest...));
  else
    return [&](auto const& times, auto const& counts, auto const& sample_weight) {
      return weighted<Weight>(F, F.ctc_loss(pred, label, times, counts), sample_weight);
    }(rest...);
}
// log(1 + exp(-x y)) for y of 1 and -1, from y of 1 and 0: without overflow.
constexpr auto logistic(auto F, auto const& x, auto const& zero_or_one) {
  return F.add(F.subtract(F.relu(x), F.multiply(x, zero_or_one)), F.softrelu(F.negative(F.abs(x))));
}
}  // namespace detail::inline SINTER_ISA

// Weight / 2 (label - pred)^2
template <auto Weight = 1, int BatchAxis = 0> struct l2_loss : hybrid_block<l2_loss<Weight, BatchAxis>> {
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... sample_weight) const {
    return detail::mean_loss<0.5 * Weight, BatchAxis>(F, F.square(F.subtract(F.reshape_like(label, pred), pred)), sample_weight...);
  }
};
// |label - pred|
template <auto Weight = 1, int BatchAxis = 0> struct l1_loss : hybrid_block<l1_loss<Weight, BatchAxis>> {
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... sample_weight) const {
    return detail::mean_loss<Weight, BatchAxis>(F, F.abs(F.subtract(F.reshape_like(label, pred), pred)), sample_weight...);
  }
};
// -(label log(p) + (1 - label) log(1 - p)), where p is sigmoid(pred), or with FromSigmoid pred itself.
template <bool FromSigmoid = false, auto Weight = 1, int BatchAxis = 0>
struct sigmoid_binary_cross_entropy_loss : hybrid_block<sigmoid_binary_cross_entropy_loss<FromSigmoid, Weight, BatchAxis>> {
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... sample_weight) const {
    auto const y = F.reshape_like(label, pred);
    if constexpr (!FromSigmoid) return detail::mean_loss<Weight, BatchAxis>(F, detail::logistic(F, pred, y), sample_weight...);
    else {
      auto const yes = F.multiply(F.log(F.add(pred, 1e-12)), y);
      auto const no = F.multiply(F.log(F.add(F.subtract(1, pred), 1e-12)), F.subtract(1, y));
      return detail::mean_loss<Weight, BatchAxis>(F, F.negative(F.add(yes, no)), sample_weight...);
    }
  }
};
// -log(p[label]) along Axis, where log(p) is log_softmax(pred), or with FromLogits pred itself; labels are integers, and without SparseLabel
// numbers like pred, as a sum of -label log(p).
template <int Axis = -1, bool SparseLabel = true, bool FromLogits = false, auto Weight = 1, int BatchAxis = 0>
struct softmax_cross_entropy_loss : hybrid_block<softmax_cross_entropy_loss<Axis, SparseLabel, FromLogits, Weight, BatchAxis>> {
  template <class Label> static constexpr bool takes_label = !SparseLabel || std::is_integral_v<typename Label::value_type>;
  // In training a label that is no class is an error, unless weights may exclude examples.
  static constexpr void check(dims const& pred, auto const& label) {
    if constexpr (SparseLabel)
      if (extent const classes = pred.d[Axis < 0 ? pred.rank + Axis : Axis]; classes >= 0) detail::check_labels(label, classes);
  }
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... sample_weight) const {
    if constexpr (sizeof...(sample_weight) == 0) {
      if constexpr (nd::is_recorded<unmarked_t<decltype(pred)>>) check(pred.shape(), label);
      else if constexpr (is_training<std::remove_cvref_t<decltype(pred)>> && sym::is_symbol<unmarked_t<decltype(pred)>>)
        check(unmarked_t<decltype(pred)>::shape_type::value, label);
    }
    auto const log_p = [&] {
      if constexpr (FromLogits) return pred;
      else return F.log_softmax(pred, axis<Axis>);
    }();
    if constexpr (SparseLabel)
      return detail::mean_loss<Weight, BatchAxis>(F, F.negative(F.pick(log_p, label, axis<Axis>, keepdims)), sample_weight...);
    else
      return detail::mean_loss<Weight, BatchAxis>(
          F, F.negative(F.sum(F.multiply(log_p, F.reshape_like(label, log_p)), axis<Axis>, keepdims)), sample_weight...);
  }
};
// label (log(label) - log(p)), where log(p) is pred, or without FromLogits log_softmax(pred) along Axis.
template <bool FromLogits = true, int Axis = -1, auto Weight = 1, int BatchAxis = 0>
struct kl_div_loss : hybrid_block<kl_div_loss<FromLogits, Axis, Weight, BatchAxis>> {
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... sample_weight) const {
    auto const log_p = [&] {
      if constexpr (FromLogits) return pred;
      else return F.log_softmax(pred, axis<Axis>);
    }();
    return detail::mean_loss<Weight, BatchAxis>(F, F.multiply(label, F.subtract(F.log(F.add(label, 1e-12)), log_p)), sample_weight...);
  }
};
// (label - pred)^2 / (2 Rho) where |label - pred| is at most Rho, and |label - pred| - Rho / 2 beyond.
template <auto Rho = 1, auto Weight = 1, int BatchAxis = 0> struct huber_loss : hybrid_block<huber_loss<Rho, Weight, BatchAxis>> {
  static_assert(Rho > 0, "sinter: the Rho of huber_loss is the distance from which on it is linear, a number above 0");
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... sample_weight) const {
    auto const d = F.abs(F.subtract(F.reshape_like(label, pred), pred));
    auto const loss = F.where(F.greater(d, Rho), F.subtract(d, 0.5 * Rho), F.multiply(F.square(d), 0.5 / Rho));
    return detail::mean_loss<Weight, BatchAxis>(F, loss, sample_weight...);
  }
};
// max(0, Margin - pred label), for labels of 1 and -1
template <auto Margin = 1, auto Weight = 1, int BatchAxis = 0> struct hinge_loss : hybrid_block<hinge_loss<Margin, Weight, BatchAxis>> {
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... sample_weight) const {
    auto const loss = F.relu(F.subtract(Margin, F.multiply(pred, F.reshape_like(label, pred))));
    return detail::mean_loss<Weight, BatchAxis>(F, loss, sample_weight...);
  }
};
// The square of it
template <auto Margin = 1, auto Weight = 1, int BatchAxis = 0>
struct squared_hinge_loss : hybrid_block<squared_hinge_loss<Margin, Weight, BatchAxis>> {
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... sample_weight) const {
    auto const loss = F.square(F.relu(F.subtract(Margin, F.multiply(pred, F.reshape_like(label, pred)))));
    return detail::mean_loss<Weight, BatchAxis>(F, loss, sample_weight...);
  }
};
// log(1 + exp(-pred label)), for labels of 1 and -1; with label_format::binary of 1 and 0
enum class label_format : int { signs, binary };
template <label_format Format = label_format::signs, auto Weight = 1, int BatchAxis = 0>
struct logistic_loss : hybrid_block<logistic_loss<Format, Weight, BatchAxis>> {
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... sample_weight) const {
    auto const y = F.reshape_like(label, pred);
    if constexpr (Format == label_format::binary)
      return detail::mean_loss<Weight, BatchAxis>(F, detail::logistic(F, pred, y), sample_weight...);
    else return detail::mean_loss<Weight, BatchAxis>(F, detail::logistic(F, pred, F.multiply(F.add(y, 1), 0.5)), sample_weight...);
  }
};
// max(0, Margin + |positive - pred|^2 - |negative - pred|^2), the squares of distances between whole examples
template <auto Margin = 1, auto Weight = 1, int BatchAxis = 0>
struct triplet_loss : hybrid_block<triplet_loss<Margin, Weight, BatchAxis>> {
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& positive, auto const& negative, auto const&... sample_weight) const {
    auto const near = F.square(F.subtract(F.reshape_like(positive, pred), pred));
    auto const far = F.square(F.subtract(F.reshape_like(negative, pred), pred));
    auto const loss = F.relu(F.add(F.sum(F.subtract(near, far), axis<BatchAxis>, exclude), Margin));
    return detail::weighted<Weight>(F, loss, sample_weight...);
  }
};
// exp(pred) - label pred, or without FromLogits pred - label log(pred); with ComputeFull the Stirling approximation of log(label!) is added for
// labels above 1. One number: the mean over all examples.
template <bool FromLogits = true, bool ComputeFull = false, auto Weight = 1>
struct poisson_nll_loss : hybrid_block<poisson_nll_loss<FromLogits, ComputeFull, Weight>> {
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... sample_weight) const {
    auto const y = F.reshape_like(label, pred);
    auto const loss = [&] {
      if constexpr (FromLogits) return F.subtract(F.exp(pred), F.multiply(y, pred));
      else return F.subtract(pred, F.multiply(y, F.log(F.add(pred, 1e-8))));
    }();
    if constexpr (!ComputeFull) return F.mean(detail::weighted<Weight>(F, loss, sample_weight...));
    else {
      auto const stirling = F.add(F.subtract(F.multiply(y, F.log(y)), y), F.multiply(F.log(F.multiply(y, 6.283185307179586)), 0.5));
      return F.mean(detail::weighted<Weight>(F, F.add(loss, F.where(F.greater(y, 1), stirling, 0)), sample_weight...));
    }
  }
};
// Of two rows of features: 1 - cos(angle) for a label of 1, and max(0, cos(angle) - Margin) for one of -1.
template <auto Margin = 0, auto Weight = 1> struct cosine_embedding_loss : hybrid_block<cosine_embedding_loss<Margin, Weight>> {
  constexpr auto hybrid_forward(auto F, auto const& first, auto const& second, auto const& label, auto const&... sample_weight) const {
    auto const other = F.reshape_like(second, first);
    auto const lengths = F.multiply(F.norm(first, axis<-1>), F.norm(other, axis<-1>));
    auto const cosine = F.divide(F.sum(F.multiply(first, other), axis<-1>), F.maximum(lengths, 1e-12));
    auto const like = F.where(F.equal(label, 1), F.subtract(1, cosine), 0);
    auto const unlike = F.where(F.equal(label, -1), F.relu(F.subtract(cosine, Margin)), 0);
    return detail::weighted<Weight>(F, F.add(like, unlike), sample_weight...);
  }
};
// Smoothed deep metric learning (Bonadiman et al., arXiv 1905.12786): row i of one operand belongs to row i of the other, and the other rows
// of the batch are examples of what does not.
template <auto Smoothing = 0.3, auto Weight = 1> struct sdml_loss : hybrid_block<sdml_loss<Smoothing, Weight>> {
  constexpr auto hybrid_forward(auto F, auto const& first, auto const& second, auto const&... sample_weight) const {
    auto const differences = F.subtract(F.expand_dims(first, axis<1>), F.expand_dims(second, axis<0>));
    auto const distances = F.sum(F.square(differences), axis<2>);
    auto const log_p = F.log_softmax(F.negative(distances), axis<1>);
    auto const own = F.equal(F.expand_dims(F.arange_like(first), axis<1>), F.arange_like(second));
    auto const count = F.sum(F.where(own, F.ones_like(distances), 0));
    auto const label = F.where(own, F.subtract(F.ones_like(count), Smoothing), F.divide(Smoothing, F.subtract(count, 1)));
    auto const loss = F.sum(F.multiply(label, F.subtract(F.log(F.add(label, 1e-12)), log_p)), axis<1>);
    return detail::weighted<Weight>(F, loss, sample_weight...);
  }
};
// Connectionist temporal classification: the negative logarithm of the probability that the softmax of pred (batch, time, classes) gives the
// labels (batch, labels), whatever their alignment. The last class is the blank. Behind label come, where a call has them, how many times
// and how many labels each example has, and its weight, which needs both; without the number of labels -1 fills them up. One number for
// each example: infinity where the labels fit into no alignment.
template <sequence Layout = sequence::ntc, label_layout LabelLayout = label_layout::nt, auto Weight = 1>
struct ctc_loss : hybrid_block<ctc_loss<Layout, LabelLayout, Weight>> {
  constexpr auto hybrid_forward(auto F, auto const& pred, auto const& label, auto const&... lengths_and_weight) const {
    static_assert(sizeof...(lengths_and_weight) <= 3,
                  "sinter: ctc_loss is called with predictions, labels and, if there are some, numbers of times, numbers of labels and "
                  "weights of the examples");
    return detail::weighted_ctc<Weight>(F, detail::swapped < Layout == sequence::ntc > (F, pred),
                                        detail::swapped < LabelLayout == label_layout::tn > (F, label), lengths_and_weight...);
  }
};

}  // namespace sinter::nn
