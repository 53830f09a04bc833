// SPDX-License-Identifier: Apache-2.0
// Convolution layers of one, two and three spatial axes.
#pragma once
#include "basic.hpp"

namespace sinter::nn {

// Numbers for N spatial axes: one for all, or one for each: conv2d<64, 3>, conv2d<64, size2d{3, 5}>
template <int N> struct spatial_size {
  int at[N]{};
  SINTER_OWN constexpr spatial_size(int all) {
    for (int& n : at) n = all;
  }
  template <std::same_as<int>... I>
    requires(sizeof...(I) == N && N > 1)
  SINTER_OWN constexpr spatial_size(I... each) : at{each...} {}
  SINTER_OWN constexpr spatial_size(int const (&each)[N])  // size2d{{3, 5}}: so nvcc writes it for the host's compiler
    requires(N > 1)
  {
    for (int i = 0; i < N; ++i) at[i] = each[i];
  }
  friend constexpr bool operator==(spatial_size const&, spatial_size const&) = default;
};
using size1d = spatial_size<1>;
using size2d = spatial_size<2>;
using size3d = spatial_size<3>;

namespace detail::inline SINTER_ISA {
// The channels of an operand (N, C, ...), from its type; -1 where they are not known yet.
template <class X> constexpr int channels_of() {
  if constexpr (ops::is_untyped<X>) return -1;
  else return X::shape_type::rank < 2 || X::shape_type::value.d[1] < 0 ? -1 : static_cast<int>(X::shape_type::value.d[1]);
}
// Whether an operand has N spatial axes.
template <class X, int N> constexpr bool has_spatial_axes() {
  if constexpr (ops::is_untyped<X>) return true;
  else return X::shape_type::rank == N + 2;
}
// What layer Op gives and says of an operand with others: in a trace the layer's path comes with it.
template <class Op, class X> constexpr auto wants_spatial_axes(auto F, X const& x) {
  if constexpr (requires { refuse<Op, problem::spatial_axes>(F, x); }) return refuse<Op, problem::spatial_axes>(F, x);
  else {
    constexpr bool has = ops::is_untyped<X>;
    static_assert(has, "sinter: " SINTER_SAY_SPATIAL_AXES);
    return x;
  }
}

// Whether all numbers of a layer's window are from `least` on.
template <int N> constexpr bool are_from(int least, spatial_size<N> const& v) {
  for (int n : v.at)
    if (n < least) return false;
  return true;
}
// Fewer groups than one have a sentence of their own.
constexpr bool divides(int groups, int channels) { return groups < 1 || channels % groups == 0; }
template <class Layer> constexpr bool has_sizes() {
  constexpr bool has = [] {
    bool r = are_from(1, Layer::strides) && are_from(0, Layer::padding);
    if constexpr (requires { Layer::kernel; })
      r = r && Layer::channels >= 1 && are_from(1, Layer::kernel) && are_from(1, Layer::dilation) && Layer::in_groups >= 1;
    else r = r && are_from(1, Layer::size);
    return r;
  }();
  static_assert(has,
                "sinter: the channels, the kernel or the window, the strides, the dilation and the groups of a layer are from 1 on, the "
                "padding from 0 on");
  return has;
}

template <class Layer> inline constexpr bool is_transposed = requires { Layer::output_padding; };
// What a layer says of its numbers where it is declared: after that it computes nothing.
template <int N> constexpr bool is_output_padding(spatial_size<N> const& n, spatial_size<N> const& strides,
                                                  spatial_size<N> const& dilation) {
  for (int i = 0; i < N; ++i)
    if (n.at[i] > 0 && n.at[i] >= strides.at[i] && n.at[i] >= dilation.at[i]) return false;
  return true;
}
template <class Layer> constexpr bool has_fitting_numbers() {
  bool fit = divides(Layer::in_groups, Layer::channels);
  if constexpr (is_transposed<Layer>) fit = fit && is_output_padding(Layer::output_padding, Layer::strides, Layer::dilation);
  return fit;
}
template <class Layer, class Axes> struct windows;
template <class Layer, int... I> struct windows<Layer, std::integer_sequence<int, I...>> {
  static constexpr auto convolved(auto F, auto const& x, auto const&... weights) {
    constexpr auto steps = stride<Layer::strides.at[I]...>;
    constexpr auto zeros = pad<Layer::padding.at[I]...>;
    constexpr auto apart = dilate<Layer::dilation.at[I]...>;
    if constexpr (is_transposed<Layer>)
      return F.convolution_transpose(x, weights..., steps, zeros, apart, groups<Layer::in_groups>, adjust<Layer::output_padding.at[I]...>);
    else return F.convolution(x, weights..., steps, zeros, apart, groups<Layer::in_groups>);
  }
  static constexpr auto pooled(auto F, auto const& x, auto pool, auto... words) {
    return pool(F, x, pool_size<Layer::size.at[I]...>, stride<Layer::strides.at[I]...>, pad<Layer::padding.at[I]...>, words...);
  }
};
// The shape of the weight of a layer whose operand has so many channels, -1 where they are not known.
template <class Layer, int Inputs, int... I> constexpr auto kernel_shape(std::integer_sequence<int, I...>) {
  constexpr int per_group = Layer::in_groups < 1 ? 1 : Layer::in_groups;  // what is wrong with the groups is said later
  if constexpr (is_transposed<Layer>) return shape<extent_from_operand<Inputs>(), Layer::channels / per_group, Layer::kernel.at[I]...>{};
  else return shape<Layer::channels, extent_from_operand<(Inputs < 0 ? -1 : Inputs / per_group)>(), Layer::kernel.at[I]...>{};
}
template <class Layer, int N, int Inputs> using kernel_of = decltype(kernel_shape<Layer, Inputs>(std::make_integer_sequence<int, N>{}));
template <class Layer, int N> using windows_of = windows<Layer, std::make_integer_sequence<int, N>>;

template <class Layer, int N, class Activation, class X>
constexpr auto convolution_forward(auto F, X const& x, auto const& weight, auto const&... bias) {
  using op = std::conditional_t<is_transposed<Layer>, ops::convolution_transpose, ops::convolution>;
  if constexpr (is_poison<X>) return x;
  else if constexpr (!is_one_tensor<X>) return wants_tensor<op, X>(F);
  else if constexpr (!is_dtype_for<X, decltype(weight)>()) return wants_cast<op>(F);
  else if constexpr (!has_spatial_axes<X, N>()) return wants_spatial_axes<op>(F, x);
  else if constexpr (!has_sizes<Layer>() || !has_fitting_numbers<Layer>()) return x;
  else if constexpr (constexpr int in = channels_of<X>(); in < 0 && !ops::is_untyped<X>)
    return refuse_axis<op, problem::image_extents>(F, x);
  else {
    auto const kernel = F.get(weight, kernel_of<Layer, N, in>{});
    return Activation::apply(F, windows_of<Layer, N>::convolved(F, x, kernel, F.get(bias, shape<Layer::channels>{})...));
  }
}
}  // namespace detail::inline SINTER_ISA

// conv2d<Channels, Kernel, Strides, Padding, Dilation, Groups, Activation, T, UseBias>: x (N, C, H, W) gives (N, Channels, H', W') with
// H' = floor((H + 2 padding - dilation (kernel - 1) - 1) / stride) + 1. weight (Channels, C / Groups, kernel...), bias (Channels,); the
// channels C are known from the first call. conv1d and conv3d are the same of one and three spatial axes.
//   nn::conv2d<64, 3, 1, 1>   nn::conv2d<32, nn::size2d{1, 7}, 1, nn::size2d{0, 3}, 1, 1, nn::relu>
#define SINTER_CONVOLUTION(name, N)                                                                                                       \
  template <int Channels, spatial_size<N> Kernel, spatial_size<N> Strides = 1, spatial_size<N> Padding = 0, spatial_size<N> Dilation = 1, \
            int Groups = 1, class Activation = no_activation, class T = float, bool UseBias = true>                                       \
  struct name : hybrid_block<name<Channels, Kernel, Strides, Padding, Dilation, Groups, Activation, T, UseBias>> {                        \
    static_assert(detail::divides(Groups, Channels), "sinter: the groups of a convolution divide its channels");                          \
    static_assert(std::is_class_v<Activation>, SINTER_SAY_ACTIVATION);                                                                    \
    static constexpr int channels = Channels, in_groups = Groups;                                                                         \
    static constexpr spatial_size<N> kernel = Kernel, strides = Strides, padding = Padding, dilation = Dilation;                          \
    using weight_type = basic_parameter<T, detail::kernel_of<name, N, -1>>;                                                               \
    using bias_type = basic_parameter<T, shape<Channels>>;                                                                                \
    BOOST_HANA_DEFINE_STRUCT(name, (weight_type, weight), (bias_type, bias));                                                             \
    constexpr auto hybrid_forward(auto F, auto const& x) const {                                                                          \
      return detail::convolution_forward<name, N, Activation>(F, x, weight, bias);                                                        \
    }                                                                                                                                     \
  };                                                                                                                                      \
  template <int Channels, spatial_size<N> Kernel, spatial_size<N> Strides, spatial_size<N> Padding, spatial_size<N> Dilation, int Groups, \
            class Activation, class T>                                                                                                    \
  struct name<Channels, Kernel, Strides, Padding, Dilation, Groups, Activation, T, false>                                                 \
      : hybrid_block<name<Channels, Kernel, Strides, Padding, Dilation, Groups, Activation, T, false>> {                                  \
    static_assert(detail::divides(Groups, Channels), "sinter: the groups of a convolution divide its channels");                          \
    static_assert(std::is_class_v<Activation>, SINTER_SAY_ACTIVATION);                                                                    \
    static constexpr int channels = Channels, in_groups = Groups;                                                                         \
    static constexpr spatial_size<N> kernel = Kernel, strides = Strides, padding = Padding, dilation = Dilation;                          \
    using weight_type = basic_parameter<T, detail::kernel_of<name, N, -1>>;                                                               \
    BOOST_HANA_DEFINE_STRUCT(name, (weight_type, weight));                                                                                \
    constexpr auto hybrid_forward(auto F, auto const& x) const { return detail::convolution_forward<name, N, Activation>(F, x, weight); } \
  };
SINTER_CONVOLUTION(conv1d, 1)
SINTER_CONVOLUTION(conv2d, 2)
SINTER_CONVOLUTION(conv3d, 3)
#undef SINTER_CONVOLUTION

}  // namespace sinter::nn
