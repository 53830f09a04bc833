// SPDX-License-Identifier: Apache-2.0
// The F of eager mode: every call runs at once, as a kernel of one operation.
#pragma once
#include <iostream>
#include <tuple>

#include "../run/extents.hpp"
#include "planned.hpp"
#include "sharing.hpp"

namespace sinter::nd::inline SINTER_ISA {

template <class, dtype> inline constexpr bool is_tensor_of = false;
template <class T, class S, class Device, dtype D> inline constexpr bool is_tensor_of<tensor<T, S, Device>, D> = dtype_of<T> == D;
template <class A, class Device> inline constexpr bool lies_on = true;
template <class T, class S, class D, class Device> inline constexpr bool lies_on<tensor<T, S, D>, Device> = std::is_same_v<D, Device>;
template <class A>
concept operand_or_keyword = ops::is_keyword<A> || is_tensor<A> || std::is_arithmetic_v<A>;

// F for tensors of one device.
template <class Device> struct functions_on : ops::all_members<functions_on<Device>> {
  using device_type = Device;
  template <class Op, class... A>
  static constexpr bool fits = [] {
    if constexpr ((has_own_functions<A> || ...)) return ops::function_fits<Op, A...>;
    else if constexpr ((operand_or_keyword<A> && ...)) {
      using R = ops::call_rule<Op, A...>;
      return R::ok || R::value.result.what == problem::too_many_dimensions;
    } else return false;
  }();

  // An operation that has no name in F, a user's own for example: F(my_op{}, x).
  template <class Op, class... A> constexpr auto operator()(Op, A const&... a) const { return call<Op>(a...); }

  // A function that is differentiated, or that calls a network in training, may have this F, and not that of the operands.
  template <class Op, class... A> constexpr auto call(A const&... a) const {
    if constexpr ((has_own_functions<A> || ...)) return space_for(in_sinter{}, a...).template call<Op>(a...);
    else return call_to<Op>(fresh{}, a...);
  }
  // The same into `out`, a tensor of the result's shape and dtype, which may be one of the operands.
  template <class Op, class T, class S, class... A> constexpr void call_into(tensor<T, S, Device> const& out, A const&... a) const {
    constexpr bool recorded = (is_recorded<A> || ...);
    static_assert(!recorded, "sinter: a result that a gradient goes through is a tensor of its own: auto z = x + y");
    if constexpr (!recorded) call_to<Op>(&out, a...);
  }
  // What a call gives that was refused.
  template <class Op, class... A> static constexpr auto refused() {
    return ops::for_each_result<Op, A...>(tensor<float, shape<1, 1>, Device>{});
  }
  template <class X>
    requires is_eager<X>
  void print(char const* label, X const& x) const {
    std::cout << label << " " << name_of(dtype_of<typename X::value_type>) << ' ' << to_string(x.shape()) << "\n" << x << "\n";
  }

 private:
  struct fresh {};  // the result is a new tensor

  template <class Op, class To, class... A> static constexpr auto call_to(To to, A const&... a) {
    using R = ops::call_rule<Op, A...>;
    static_assert(R::value.result.what != problem::too_many_dimensions,
                  "sinter: the result would have more than eight dimensions, or the operands have more than sixteen dynamic ones; give "
                  "dynamic dimensions that are equal one name: dim<\"n\">");
    if constexpr (!R::ok && R::value.result.what != problem::too_many_dimensions)
      using said [[maybe_unused]] = decltype(ops::operands_fit<Op, R::value.result.what, false, A...>());
    static_assert((lies_on<A, Device> && ...), "sinter: the operands lie on different devices; x.to(device::gpu) copies one to the other");
    constexpr bool known = knows_extents<R>();
    static_assert(known,
                  "sinter: the new shape names a dimension that no operand has, so that its extent is not known here; write a number, "
                  "give an operand that dimension, or take the shape of a tensor: ones_like(x)");
    if constexpr (!R::ok || !(lies_on<A, Device> && ...) || !known) return ops::first_of(a...);
    else if constexpr (sizeof...(A) > 0 && (is_tensor_of<A, R::value.in[0].type> && ...)) return apply<Op, R>(to, a...);
    else return promoted<Op, R>(to, std::make_index_sequence<R::n>{}, a...);
  }
  // Which of the arguments are operands; the others are keywords.
  template <class... A> struct operand_places {
    std::size_t items[sizeof...(A) + 1]{};
    constexpr operand_places() {
      bool const is_operand[]{!ops::is_keyword<A>..., false};
      std::size_t n = 0;
      for (std::size_t i = 0; i < sizeof...(A); ++i)
        if (is_operand[i]) items[n++] = i;
    }
  };
  template <std::size_t I, class First, class... Rest> static constexpr auto const& argument(First const& first, Rest const&... rest) {
    if constexpr (I == 0) return first;
    else return argument<I - 1>(rest...);
  }
  // The call with its operands in the dtype that it agreed on.
  template <class Op, class R, class To, std::size_t... I, class... A> static constexpr auto promoted(To to, std::index_sequence<I...>,
                                                                                                      A const&... a) {
    constexpr operand_places<A...> places;
    return apply<Op, R>(to, promote<R, I>(argument<places.items[I]>(a...))...);
  }
  template <class R, std::size_t I, class A> static constexpr decltype(auto) promote(A const& a) {
    using T = type_of<R::value.in[I].type>;
    if constexpr (!is_tensor<A>) return tensor<T, shape<>>(ops::number_as<T>(a)).to(Device{});
    else if constexpr (std::is_same_v<typename A::value_type, T>) return (a);
    else return functions_on{}.template call<ops::cast>(a, as<T>);
  }

  template <class R, int I> using result_type =
      tensor<typename R::template result_of<I>::value_type, typename R::template result_of<I>::shape_type, Device>;
  template <class Op, class R, class To, class... X> static constexpr auto apply(To to, X const&... x) {
    if constexpr (ops::has_several<Op>) {
      static_assert(std::is_same_v<To, fresh>, "sinter: nd::out takes an operation with one result; this one has several");
      if constexpr (std::is_same_v<To, fresh>) return several<Op, R>(std::make_integer_sequence<int, R::results>{}, x...);
    } else {
      using out_type = result_type<R, 0>;
      dims const extents = result_extents<Op, R, 0>(x...);
      if constexpr (!std::is_same_v<To, fresh>) write<Op, R, out_type>(extents, *to, x...);
      else if constexpr (Op::kind == family::view) return as_view<Op, R, out_type>(extents, x...);
      else return computed<Op, R, out_type>(extents, x...);
    }
  }
  // Not part of apply: GCC before 14 moves a result that a block inside a function declares.
  template <class Op, class R, class Out, class... X> static constexpr Out computed(dims const& extents, X const&... x) {
    Out out(extents, false);
    compute<Op, R>(out, x...);
    return out;
  }
  // All results of an operation with several, as a tuple.
  template <class Op, class R, int... I, class... X> static constexpr auto several(std::integer_sequence<int, I...>, X const&... x) {
    if constexpr (requires { &Op::view_of_result; })
      return std::tuple{as_view<Op, R, result_type<R, I>, I>(result_extents<Op, R, I>(x...), x...)...};
    else {
      std::tuple const results{result_type<R, I>(result_extents<Op, R, I>(x...), false)...};
      kernel::pointer const to[]{kernel::pointer(std::get<static_cast<std::size_t>(I)>(results).data())...};
      detail::run_planned<program<detail::single_op<R>>, Device>(to, x...);
      return results;
    }
  }
  // Whether one kernel can compute it: numbers of fewer than 32 bits are cast before and after.
  template <class Op, class Out, class... X> static constexpr bool is_one_step() {
    if constexpr (std::is_same_v<Op, ops::cast>)
      return (ops::is_one_step(dtype_of<typename X::value_type>, dtype_of<typename Out::value_type>) && ...);
    else
      return std::is_same_v<Op, ops::identity> ||
             !(is_narrow(dtype_of<typename Out::value_type>) || ... || is_narrow(dtype_of<typename X::value_type>));
  }
  template <class Op, class R, class Out, class... X> static constexpr void compute(Out const& out, X const&... x) {
    if constexpr (Op::kind == family::elementwise && is_one_step<Op, Out, X...>())
      detail::pointwise<Op, typename Out::value_type>(out, x...);
    else {
      kernel::pointer const to(out.data());
      detail::run_planned<program<detail::single_op<R>>, Device>(&to, x...);
    }
  }
  // Into a tensor that is there already. One that shares elements with an operand, or is not row-major, gets them last.
  template <class Op, class R, class Result, class Out, class... X> static constexpr void write(dims const& extents, Out const& out,
                                                                                                X const&... x) {
    using T = typename Result::value_type;
    constexpr bool same_type = std::is_same_v<T, typename Out::value_type>,
                   same_shape = may_equal(Out::shape_type::value, Result::shape_type::value);
    static_assert(same_type, "sinter: the tensor given for the result has another dtype than the result");
    static_assert(same_shape,
                  "sinter: the tensor given for the result has another shape than the result; a result that does not fit goes into a "
                  "tensor of its own: auto z = x + y");
    if constexpr (same_type && same_shape) write_where<Op, R, Result>(extents, out, x...);
  }
  template <class Op, class R, class Result, class Out, class... X> static constexpr void write_where(dims const& extents, Out const& out,
                                                                                                      X const&... x) {
    constexpr bool elementwise = Op::kind == family::elementwise;
    out.check_writable();
    if (!(Out::shape_type::fixed && Result::shape_type::fixed) && !(extents == out.shape()))
      throw shape_error("sinter: " + std::string(ops::op_name<Op>) + " gives " + to_string(extents) +
                        ", and the tensor given for it has shape " + to_string(out.shape()));
    bool const in_order = out.is_contiguous();
    if (!in_order && repeats_elements(out.shape(), out.strides()))
      throw shape_error("sinter: " + std::string(ops::op_name<Op>) +
                        " cannot write into a view that broadcast_to made: one element of memory stands for " +
                        "several of its elements; give it a copy()");
    if constexpr (Op::kind == family::view) {
      Result const seen = as_view<Op, R, Result>(extents, x...);
      detail::copy_elements(detail::may_write<false>(out, seen) ? seen : seen.copy(), out);
    } else if (in_order && (detail::may_write<elementwise>(out, x) && ...)) {
      if constexpr (std::is_same_v<Out, Result>) compute<Op, R>(out, x...);
      else compute<Op, R>(Result::view(out, extents, 0, out.strides()), x...);
    } else {
      Result first(extents, false);
      compute<Op, R>(first, x...);
      detail::copy_elements(first, out);
    }
  }
  // Whether the operands say what every dynamic extent of the result is.
  template <class R> static constexpr bool knows_extents() {
    if constexpr (!R::ok || R::value.result.type.shape.fixed()) return true;
    else return executor::extents_of<R>::known;
  }
  // The result's extents, from those that the operands have.
  template <class Op, class R, int I, class... X> static constexpr dims result_extents(X const&... x) {
    constexpr dims typed = R::template result_of<I>::shape_type::value;
    if constexpr (typed.fixed() && (X::shape_type::fixed && ...)) return typed;
    else {
      dims const actual[]{x.shape()..., dims{}};
      return executor::result_extents_of<executor::extents_of<R>>(ops::op_name<Op>, actual, sizeof...(X), I);
    }
  }

  // The elements of x, read another way; `I`: of an operation with several results, which.
  template <class Op, class R, class Out, int I = 0, class X> static constexpr Out as_view(dims const& extents, X const& x) {
    dimension_table t;
    layout in;
    for (int i = 0; i < X::rank; ++i) in.stride[i] = {x.strides()[i], 0};
    array_type const type{dtype_of<typename X::value_type>, X::shape_type::value};
    layout out;
    bool expressible = false;
    if constexpr (ops::has_several<Op>) expressible = Op::view_of_result(I, in, x.shape(), extents, R::attributes(&type), t, out);
    else expressible = Op::view(in, x.shape(), extents, R::attributes(&type), t, out);
    if (!expressible) return as_view<Op, R, Out, I>(extents, functions_on{}.template call<ops::identity>(x));
    std::int64_t strides[max_rank]{};
    for (int i = 0; i < extents.rank; ++i) strides[i] = out.stride[i].k;
    return Out::view(x, extents, out.offset.fixed, strides);
  }
};
using functions = functions_on<device::cpu_t>;

// What copy() of a tensor that does not lie on the host does.
template <class T, class S, class D> tensor<T, S, D> copy_on_device(tensor<T, S, D> const& x) {
  if (!x.is_contiguous()) return detail::copied(x);
  tensor<T, S, D> out(x.shape(), false);
  D::copy(out.data(), x.data(), static_cast<std::size_t>(x.size()) * sizeof(T));
  return out;
}

}  // namespace sinter::nd::inline SINTER_ISA
