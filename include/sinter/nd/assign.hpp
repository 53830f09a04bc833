// SPDX-License-Identifier: Apache-2.0
// Elements into a part of a tensor: x(all, 0) = y and x.row(1) = 0.5f.
#pragma once
#include <cstring>

#include "functions.hpp"

namespace sinter::nd {
namespace detail::inline SINTER_ISA {

// Are numbers of one dtype stored as another without a cast? Floats are rounded; an integer that does not fit would be another number.
constexpr bool stored_as(dtype to, dtype from) {
  return kind_of(to) == kind_of(from) && (kind_of(to) != dtype_kind::integer || holds_integers_of(to, from));
}

[[noreturn]] SINTER_NOINLINE inline void refuse_assignment(dims const& to, dims const& from) {
  throw shape_error("sinter: a tensor of shape " + to_string(from) + " is assigned to elements of shape " + to_string(to));
}
// `x` has the dtype of `to`; its axes that are a 1 in its type are stretched. They share nothing that is written before it is read.
template <class To, class X> constexpr void copy_stretched(To const& to, X const& x) {
  constexpr dims typed = X::shape_type::value;
  std::int64_t strides[max_rank]{};
  for (int i = 1; i <= typed.rank; ++i)
    if (typed.d[typed.rank - i] != 1) strides[To::rank - i] = x.strides()[typed.rank - i];
  copy_array<typename To::value_type, typename To::device_type>({kernel::pointer(elements_to_read(x)), &to.shape(), strides}, array_of(to));
}
// The same of any x: what it shares with `to` is copied first.
template <class To, class X> constexpr void assign_stretched(To const& to, X const& x) {
  constexpr dims typed = X::shape_type::value;
  for (int i = 1; i <= typed.rank; ++i)
    if (typed.d[typed.rank - i] != 1 && x.shape().d[typed.rank - i] != to.shape().d[To::rank - i]) refuse_assignment(to.shape(), x.shape());
  if constexpr (To::device_type::is_host)
    if (!std::is_constant_evaluated() && x.shape() == to.shape() && to.is_contiguous() && x.is_contiguous()) {
      std::memmove(to.data(), x.data(), static_cast<std::size_t>(to.size()) * sizeof(typename To::value_type));
      return;
    }
  if (may_write<false>(to, x)) copy_stretched(to, x);
  else copy_stretched(to, x.copy());
}
template <class To> constexpr void check_assignable(To const& to) {
  to.check_owned();
  to.check_writable();
  if (to.owner().is_last())
    throw error(
        "sinter: elements are assigned to the result of a call, which nothing else holds, so that they would be lost; give it a name: auto "
        "z = x + y");
  if (repeats_elements(to.shape(), to.strides()))
    throw shape_error(
        "sinter: nothing can be assigned to a view that broadcast_to made: one element of memory stands for several of its elements; give "
        "it a copy()");
}

}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

// x stretches to the shape of `to` as in NumPy, and what both share is read before it is written. Floats become floats of the dtype of `to`,
// integers wider ones.
template <class T, class S, class D, class U, class V, class E>
constexpr void assign_elements(tensor<T, S, D> const& to, tensor<U, V, E> const& x) {
  constexpr broadcasted both = broadcast(S::value, V::value);
  constexpr bool one_device = std::is_same_v<D, E>, one_kind = kind_of(dtype_of<T>) == kind_of(dtype_of<std::remove_const_t<U>>),
                 fits = !one_kind || detail::stored_as(dtype_of<T>, dtype_of<std::remove_const_t<U>>),
                 stretches = both.ok && both.shape.rank == S::rank && may_equal(both.shape, S::value);
  static_assert(one_device, "sinter: elements of one device are assigned to a tensor on another; y.to(device::gpu) copies them there");
  static_assert(one_kind,
                "sinter: floats, integers and truth values are not assigned to each other; sinter::cast(y, as<float>) converts them");
  static_assert(fits,
                "sinter: the elements of this integer dtype cannot hold all numbers of the tensor that is assigned to them; "
                "sinter::cast(y, as<std::int32_t>) converts it");
  static_assert(stretches,
                "sinter: a tensor of this shape cannot be assigned to these elements, because it does not stretch to their shape");
  if constexpr (one_device && one_kind && fits && stretches) {
    detail::check_assignable(to);
    x.check_owned();
    if constexpr (std::is_same_v<T, std::remove_const_t<U>>) detail::assign_stretched(to, x);
    else detail::assign_stretched(to, functions_on<D>{}.template call<ops::cast>(x, as<T>));
  }
}
// One number for all elements.
template <class T, class S, class D, class N>
  requires std::is_arithmetic_v<N>
constexpr void assign_elements(tensor<T, S, D> const& to, N number) {
  constexpr bool fits = std::is_same_v<N, bool> || is_floating(dtype_of<T>) || (std::is_integral_v<N> && dtype_of<T> != dtype::boolean);
  static_assert(fits,
                "sinter: this number is of a higher kind than the elements that it is assigned to: a fraction for integers, for example");
  if constexpr (fits) {
    detail::check_assignable(to);
    T value = ops::number_as<T>(number);
    std::int64_t const strides[max_rank]{};
    if constexpr (D::is_host) detail::copy_array<T, D>({kernel::pointer(&value), &to.shape(), strides}, detail::array_of(to));
    else detail::copy_stretched(to, tensor<T, shape<>>(value).to(D{}));
  }
}

}  // namespace SINTER_ISA
}  // namespace sinter::nd
