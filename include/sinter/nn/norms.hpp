// SPDX-License-Identifier: Apache-2.0
// Normalization layers beside layer_norm.
#pragma once
#include "layers.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
// The extent of an axis, from the operand's type; -1 where it is dynamic, or not known yet.
template <class X, int Axis> constexpr int extent_of_axis() {
  if constexpr (ops::is_untyped<X>) return -1;
  else {
    constexpr int at = Axis < 0 ? Axis + X::shape_type::rank : Axis;
    return at < 0 || at >= X::shape_type::rank || X::shape_type::value.d[at] < 0 ? -1 : static_cast<int>(X::shape_type::value.d[at]);
  }
}
// normalize(x, gamma, beta) with parameters of the extent of an axis.
template <class Op, int Axis, class X, class P, class... More>
constexpr auto norm_forward(auto F, X const& x, auto normalize, P const& gamma, More const&... beta) {
  if constexpr (is_poison<X>) return x;
  else if constexpr (!is_one_tensor<X>) return wants_tensor<Op, X>(F);
  else if constexpr (!is_dtype_for<X, P>()) return wants_cast<Op>(F);
  else if constexpr (constexpr int n = extent_of_axis<X, Axis>(); n < 0 && !ops::is_untyped<X>) return wants_number<Op>(F, x);
  else {
    using along = shape<extent_from_operand<n>()>;
    auto const g = F.get(gamma, along{});
    return normalize(F, x, g, F.get(beta, along{})...);
  }
}
}  // namespace detail::inline SINTER_ISA

// batch_norm<Axis, Momentum, Epsilon, Center, Scale, UseGlobalStats, T>: with the defaults of Gluon, on the channels of (N, C, ...). In
// inference the running mean and variance normalize, in training those of the batch, which the running ones then follow:
// running * Momentum + batch * (1 - Momentum), with the variance divided by the number of elements. Without Center beta is taken for 0, without
// Scale gamma for 1. gamma, beta, running_mean and running_var have the extent of the axis.
template <int Axis = 1, double Momentum = 0.9, double Epsilon = 1e-5, bool Center = true, bool Scale = true, bool UseGlobalStats = false,
          class T = float>
struct batch_norm : hybrid_block<batch_norm<Axis, Momentum, Epsilon, Center, Scale, UseGlobalStats, T>> {
  static_assert(Momentum >= 0 && Momentum <= 1,
                "sinter: the momentum of batch_norm is the part of the running mean that stays, from 0 to 1");
  using vector_type = basic_parameter<T, shape<dynamic>>;
  using mean_type = basic_state<T, shape<dynamic>>;
  using variance_type = basic_state<T, shape<dynamic>, 1>;
  BOOST_HANA_DEFINE_STRUCT(batch_norm, (vector_type, gamma), (vector_type, beta), (mean_type, running_mean), (variance_type, running_var));
  template <class Space, class X> constexpr auto hybrid_forward(Space F, X const& x) const {
    if constexpr (is_poison<X>) return x;
    else if constexpr (!is_one_tensor<X>) return wants_tensor<ops::batch_norm, X>(F);
    else if constexpr (!is_dtype_for<X, decltype(gamma)>()) return wants_cast<ops::batch_norm>(F);
    else if constexpr (too_few_dimensions<X, (Axis < 0 ? -Axis : Axis + 1)>()) {
      static_assert(sizeof(X) == 0, "sinter: batch_norm<1> wants an operand that has the axis which it normalizes: (batch, channels, ...)");
      return x;
    } else if constexpr (constexpr int n = detail::extent_of_axis<X, Axis>(); n < 0 && !ops::is_untyped<X>)
      return wants_number<ops::batch_norm>(F, x);
    else {
      using along = shape<extent_from_operand<n>()>;
      auto const g = F.get(gamma, along{});
      auto const b = F.get(beta, along{});
      auto const old_mean = F.get(running_mean, along{});
      auto const old_variance = F.get(running_var, along{});
      auto const scale = [&] {
        if constexpr (Scale) return g;
        else return F.ones_like(g);
      }();
      auto const shift = [&] {
        if constexpr (Center) return b;
        else return F.zeros_like(b);
      }();
      if constexpr (!Space::training || UseGlobalStats)
        return F.batch_norm(x, scale, shift, old_mean, old_variance, axis<Axis>, eps<Epsilon>);
      else {
        auto const mean = F.mean(x, axis<Axis>, exclude, keepdims);
        auto const variance = F.mean(F.square(x - mean), axis<Axis>, exclude);
        auto const flat = F.reshape(mean, into<-1>);
        F.assign(running_mean, old_mean * static_cast<T>(Momentum) + flat * static_cast<T>(1 - Momentum));
        F.assign(running_var, old_variance * static_cast<T>(Momentum) + variance * static_cast<T>(1 - Momentum));
        return F.batch_norm(x, scale, shift, flat, variance, axis<Axis>, eps<Epsilon>);
      }
    }
  }
};

// Each channel of each image of (N, C, ...) on its own; gamma and beta have the extent of the channels.
template <double Epsilon = 1e-5, class T = float> struct instance_norm : hybrid_block<instance_norm<Epsilon, T>> {
  using vector_type = basic_parameter<T, shape<dynamic>>;
  BOOST_HANA_DEFINE_STRUCT(instance_norm, (vector_type, gamma), (vector_type, beta));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return detail::norm_forward<ops::instance_norm, 1>(
        F, x, [](auto G, auto const&... a) { return G.instance_norm(a..., eps<Epsilon>); }, gamma, beta);
  }
};
// Groups of channels of each image of (N, C, ...); gamma and beta have the extent of the channels.
template <int Groups = 1, double Epsilon = 1e-5, class T = float> struct group_norm : hybrid_block<group_norm<Groups, Epsilon, T>> {
  using vector_type = basic_parameter<T, shape<dynamic>>;
  BOOST_HANA_DEFINE_STRUCT(group_norm, (vector_type, gamma), (vector_type, beta));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return detail::norm_forward<ops::group_norm, 1>(
        F, x, [](auto G, auto const&... a) { return G.group_norm(a..., groups<Groups>, eps<Epsilon>); }, gamma, beta);
  }
};
// Over the last axis, without its mean; gamma has its extent.
template <double Epsilon = 1e-5, class T = float> struct rms_norm : hybrid_block<rms_norm<Epsilon, T>> {
  using vector_type = basic_parameter<T, shape<dynamic>>;
  BOOST_HANA_DEFINE_STRUCT(rms_norm, (vector_type, gamma));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return detail::norm_forward<ops::rms_norm, -1>(F, x, [](auto G, auto const&... a) { return G.rms_norm(a..., eps<Epsilon>); }, gamma);
  }
};

}  // namespace sinter::nn
