// SPDX-License-Identifier: Apache-2.0
// Normalization layers beside layer_norm.
#pragma once
#include "basic.hpp"

namespace sinter::nn {

// batch_norm<Axis, Momentum, Epsilon, Center, Scale, UseGlobalStats, T>: with the defaults of Gluon, on the channels of (N, C, ...). In
// inference the running mean and variance normalize, in training those of the batch, which the running ones then follow:
// running * Momentum + batch * (1 - Momentum), with the variance divided by the number of elements. Without Center beta is taken for 0, without
// Scale gamma for 1. gamma, beta, running_mean and running_var have the extent of the axis. A batch without elements leaves them as they are.
template <int Axis = 1, double Momentum = 0.9, double Epsilon = 1e-5, bool Center = true, bool Scale = true, bool UseGlobalStats = false,
          class T = float>
struct batch_norm : hybrid_block<batch_norm<Axis, Momentum, Epsilon, Center, Scale, UseGlobalStats, T>> {
  static_assert(Momentum >= 0 && Momentum <= 1,
                "sinter: the momentum of batch_norm is the part of the running mean that stays, from 0 to 1");
  static_assert(Momentum == 0 || Epsilon <= Momentum,
                "sinter: the epsilon of this batch_norm is greater than its momentum; their order is batch_norm<Axis, Momentum, Epsilon>");
  using vector_type = basic_parameter<T, shape<dynamic>>;
  using mean_type = basic_state<T, shape<dynamic>>;
  using variance_type = basic_state<T, shape<dynamic>, 1>;
  static constexpr bool keeps_states = true;
  BOOST_HANA_DEFINE_STRUCT(batch_norm, (vector_type, gamma), (vector_type, beta), (mean_type, running_mean), (variance_type, running_var));
  template <class Space, class X> constexpr auto hybrid_forward(Space F, X const& x) const {
    return detail::norm_forward<ops::batch_norm, Axis>(F, x, gamma, [&](auto along) {
      // In a symbol the extents of those that are no operands of F.batch_norm follow from x alone.
      constexpr bool all_operands = Scale && Center && (!Space::training || UseGlobalStats);
      auto const of_axis = [&](auto const& v) {
        if constexpr (ops::is_untyped<X> && !all_operands) return F.reshape_like(v, F.mean(x, axis<Axis>, exclude));
        else return v;
      };
      auto const g = of_axis(F.get(gamma, along));
      auto const b = of_axis(F.get(beta, along));
      auto const old_mean = of_axis(F.get(running_mean, along));
      auto const old_variance = of_axis(F.get(running_var, along));
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
        auto const follow = [&](auto const& state, auto const& old, auto const& of_batch) {
          auto const next = old * static_cast<T>(Momentum) + of_batch * static_cast<T>(1 - Momentum);
          if constexpr (has_elements<unmarked_t<X>>()) F.assign(state, next);
          // The mean of no ones is NaN.
          else F.assign(state, F.where(F.isnan(F.mean(F.ones_like(x), axis<Axis>, exclude)), old, next));
        };
        follow(running_mean, old_mean, flat);
        follow(running_var, old_variance, variance);
        return F.batch_norm(x, scale, shift, flat, variance, axis<Axis>, eps<Epsilon>);
      }
    });
  }

 private:
  template <class X> static constexpr bool has_elements() {
    if constexpr (ops::is_untyped<X>) return false;
    else return X::shape_type::value.fixed() && X::shape_type::value.size() > 0;
  }
};

// Each channel of each image of (N, C, ...) on its own; gamma and beta have the extent of the channels.
template <double Epsilon = 1e-5, class T = float> struct instance_norm : hybrid_block<instance_norm<Epsilon, T>> {
  using vector_type = basic_parameter<T, shape<dynamic>>;
  BOOST_HANA_DEFINE_STRUCT(instance_norm, (vector_type, gamma), (vector_type, beta));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return detail::norm_forward<ops::instance_norm, 1>(F, x, gamma, [&](auto along) {
      auto const g = F.get(gamma, along);
      return F.instance_norm(x, g, F.get(beta, along), eps<Epsilon>);
    });
  }
};
// Groups of channels of each image of (N, C, ...); gamma and beta have the extent of the channels.
template <int Groups = 1, double Epsilon = 1e-5, class T = float> struct group_norm : hybrid_block<group_norm<Groups, Epsilon, T>> {
  using vector_type = basic_parameter<T, shape<dynamic>>;
  BOOST_HANA_DEFINE_STRUCT(group_norm, (vector_type, gamma), (vector_type, beta));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return detail::norm_forward<ops::group_norm, 1>(F, x, gamma, [&](auto along) {
      auto const g = F.get(gamma, along);
      return F.group_norm(x, g, F.get(beta, along), groups<Groups>, eps<Epsilon>);
    });
  }
};
// Over the last axis, without its mean; gamma has its extent.
template <double Epsilon = 1e-5, class T = float> struct rms_norm : hybrid_block<rms_norm<Epsilon, T>> {
  using vector_type = basic_parameter<T, shape<dynamic>>;
  BOOST_HANA_DEFINE_STRUCT(rms_norm, (vector_type, gamma));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return detail::norm_forward<ops::rms_norm, -1>(F, x, gamma,
                                                   [&](auto along) { return F.rms_norm(x, F.get(gamma, along), eps<Epsilon>); });
  }
};

}  // namespace sinter::nn
