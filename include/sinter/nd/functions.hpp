// SPDX-License-Identifier: Apache-2.0
// The F of eager mode: every call runs at once, as a kernel of one operation.
#pragma once
#include <array>
#include <cstdio>
#include <iostream>
#include <tuple>

#include "../backend/default.hpp"
#include "../ops/all.hpp"
#include "../ops/rule.hpp"
#include "../plan/program.hpp"
#include "extents.hpp"
#include "tensor.hpp"

namespace sinter::nd::inline SINTER_ISA {

template <class, dtype> inline constexpr bool is_tensor_of = false;
template <class T, class S, class Device, dtype D> inline constexpr bool is_tensor_of<tensor<T, S, Device>, D> = dtype_of<T> == D;
template <class A, class Device> inline constexpr bool lies_on = true;
template <class T, class S, class D, class Device> inline constexpr bool lies_on<tensor<T, S, D>, Device> = std::is_same_v<D, Device>;
template <class A>
concept operand_or_keyword = ops::is_keyword<A> || is_tensor<A> || std::is_arithmetic_v<A>;

// One operation as a network, for operations that need more than one loop over their elements.
template <class Rule> struct single_op;
template <class Op, class... K, class... Arg> struct single_op<ops::rule<Op, ops::list_of<K...>, Arg...>> {
  using rule = ops::rule<Op, ops::list_of<K...>, Arg...>;
  static constexpr graph whole() {
    graph g;
    int in[sizeof...(Arg) + 1]{};
    array_type types[sizeof...(Arg) + 1]{};
    for (int i = 0; i < static_cast<int>(sizeof...(Arg)); ++i) {
      node k;
      k.op = &input_op;
      k.type = rule::value.in[i];
      for (int d = 0; d < k.type.shape.rank; ++d) k.type.shape.d[d] = g.dimensions.declare(k.type.shape.d[d], i, d);
      k.index = i;
      types[i] = k.type;
      in[i] = g.append(k);
    }
    g.inputs = static_cast<int>(sizeof...(Arg));
    inferred why;
    int const made = g.apply(ops::info<Op>, {in, g.inputs}, pack(rule::attributes(types)), why);
    if constexpr (!ops::has_several<Op>) g.outputs.push(made);
    else
      for (int i = 0; i < rule::results; ++i) g.outputs.push(g.result(made, i));
    return g;
  }
  static constexpr plan make() { return make_plan(whole()); }  // nvcc forgets to destroy a graph that is moved there
  // One operation becomes at most this.
  static constexpr graph_sizes bounds{static_cast<int>(sizeof...(Arg)) * 2 + 24 + 2 * rule::results,
                                      static_cast<int>(sizeof...(Arg)) * 3 + 40 + 2 * rule::results,
                                      300 + 30 * rule::results,
                                      300,
                                      1 + rule::results,
                                      max_dimensions,
                                      2 * max_dimensions,
                                      4};
};

// An array that a kernel reads or writes, whatever the type of its tensor.
struct any_array {
  kernel::pointer data;
  dims const* shape;
  std::int64_t const* strides;
};
template <class T, class S, class D> constexpr any_array array_of(tensor<T, S, D> const& x) { return {x.data(), &x.shape(), x.strides()}; }

// The axes of a result, as bits, along which an operand of this shape moves: those where its type has no 1. What its extents are when it
// runs says nothing: the kernel's type expects a step, or none.
constexpr unsigned moving_axes(dims const& typed, int rank) {
  unsigned r = 0;
  for (int k = 0; k < typed.rank; ++k) r |= unsigned{typed.d[k] != 1} << (rank - typed.rank + k);
  return r;
}

// The loops of one elementwise operation over operands and, last, its result; the largest possible runs become one loop. `moves`: the axes
// along which each of them moves. An axis of the result that is a 1 in its type is no loop.
template <int N> struct pointwise_loops {
  kernel::launch l;
  std::int64_t stride[N * max_loop]{};
  constexpr void set(unsigned const* moves, any_array const* arrays) {
    int n = 0;
    dims const& out = *arrays[N - 1].shape;
    for (int i = 0; i < out.rank; ++i) {
      if (!((moves[N - 1] >> i) & 1)) continue;
      std::int64_t s[N]{};
      for (int j = 0; j < N; ++j) s[j] = (moves[j] >> i) & 1 ? arrays[j].strides[i - out.rank + arrays[j].shape->rank] : 0;
      bool merge = n > 0;
      for (int j = 0; j < N; ++j) merge = merge && stride[j * max_loop + n - 1] == s[j] * out.d[i];
      if (merge) l.extent[n - 1] *= out.d[i];
      else l.extent[n++] = out.d[i];
      for (int j = 0; j < N; ++j) stride[j * max_loop + n - 1] = s[j];
    }
    if (n == 0) l.extent[n++] = 1;
    l.rank = n;
    l.stride = stride;
  }
  // One loop over `n` elements, which all arrays run through in order.
  constexpr void set_in_step(std::int64_t n) {
    l.extent[0] = n;
    for (int j = 0; j < N; ++j) stride[j * max_loop] = 1;
    l.rank = 1;
    l.stride = stride;
  }
};

// F for tensors of one device.
template <class Device> struct functions_on : ops::all_members<functions_on<Device>> {
  using device_type = Device;
  using backend = typename backend_of<Device>::type;
  template <class Op, class... A>
  static constexpr bool fits = (operand_or_keyword<A> && ...) && [] {
    if constexpr ((operand_or_keyword<A> && ...)) {
      using R = ops::call_rule<Op, A...>;
      return R::ok || R::value.result.what == problem::too_many_dimensions;
    } else return false;
  }();

  // An operation that has no name in F, a user's own for example: F(my_op{}, x).
  template <class Op, class... A> constexpr auto operator()(Op, A const&... a) const { return call<Op>(a...); }

  template <class Op, class... A> constexpr auto call(A const&... a) const { return call_to<Op>(fresh{}, a...); }
  // The same into `out`, a tensor of the result's shape and dtype, which may be one of the operands.
  template <class Op, class T, class S, class... A> constexpr void call_into(tensor<T, S, Device> const& out, A const&... a) const {
    call_to<Op>(&out, a...);
  }
  // What a call gives that was refused.
  template <class Op, class... A> static constexpr auto refused() {
    return ops::for_each_result<Op, A...>(tensor<float, shape<1, 1>, Device>{});
  }
  template <class T, class S> void print(char const* label, tensor<T, S, Device> const& x) const {
    std::cout << label << " " << name_of(dtype_of<T>) << ' ' << to_string(x.shape()) << "\n" << x << "\n";
  }
  // A row-major copy.
  template <class T, class S> static tensor<T, S, Device> copied(tensor<T, S, Device> const& x) {
    if (x.is_contiguous()) return x;
    tensor<T, S, Device> out(x.shape(), false);
    copy_elements(x, out);
    return out;
  }

 private:
  struct fresh {};  // the result is a new tensor

  template <class Op, class To, class... A> static constexpr auto call_to(To to, A const&... a) {
    using R = ops::call_rule<Op, A...>;
    static_assert(R::value.result.what != problem::too_many_dimensions,
                  "sinter: the result would have more than eight dimensions, or the operands have more than sixteen dynamic ones; give "
                  "dynamic dimensions that are equal one name: dim<\"n\">");
    if constexpr (!R::ok && R::value.result.what != problem::too_many_dimensions)
      static_assert(ops::operands_fit<Op, R::value.result.what, A...>());
    static_assert((lies_on<A, Device> && ...), "sinter: the operands lie on different devices; x.to(device::gpu) copies one to the other");
    constexpr bool known = knows_extents<R>();
    static_assert(known,
                  "sinter: the new shape names a dimension that no operand has, so that its extent is not known here; write a number, or "
                  "give an operand that dimension");
    if constexpr (!R::ok || !(lies_on<A, Device> && ...) || !known) return ops::first_of(a...);
    else if constexpr (sizeof...(A) > 0 && (is_tensor_of<A, R::value.in[0].type> && ...)) return apply<Op, R>(to, a...);
    else if constexpr (R::n == sizeof...(A)) return promoted<Op, R>(to, std::make_index_sequence<R::n>{}, a...);
    else return without_keywords<Op, R>(to, std::tuple<>{}, a...);
  }
  template <class Op, class R, class To, class... Done> static constexpr auto without_keywords(To to, std::tuple<Done...> const& operands) {
    return std::apply([to](auto const&... x) { return promoted<Op, R>(to, std::index_sequence_for<Done...>{}, x...); }, operands);
  }
  template <class Op, class R, class To, class... Done, class Next, class... Rest> static constexpr auto without_keywords(
      To to, std::tuple<Done...> const& operands, Next const& next, Rest const&... rest) {
    if constexpr (ops::is_keyword<Next>) return without_keywords<Op, R>(to, operands, rest...);
    else return without_keywords<Op, R>(to, std::tuple_cat(operands, std::tuple<Next const&>(next)), rest...);
  }
  // The call with its operands in the dtype that it agreed on.
  template <class Op, class R, class To, std::size_t... I, class... A> static constexpr auto promoted(To to, std::index_sequence<I...>,
                                                                                                      A const&... a) {
    return apply<Op, R>(to, promote<R, I>(a)...);
  }
  template <class R, std::size_t I, class A> static constexpr decltype(auto) promote(A const& a) {
    using T = type_of<R::value.in[I].type>;
    if constexpr (!is_tensor<A>) return tensor<T, shape<>>(ops::number_as<T>(a)).to(Device{});
    else if constexpr (std::is_same_v<typename A::value_type, T>) return (a);
    else return functions_on{}.template call<ops::cast>(a, as<T>);
  }

  template <class R, int I> using result_type = tensor<typename R::template value_type<I>, typename R::template shape_type<I>, Device>;
  template <class Op, class R, class To, class... X> static constexpr auto apply(To to, X const&... x) {
    if constexpr (ops::has_several<Op>) {
      static_assert(std::is_same_v<To, fresh>, "sinter: nd::out takes an operation with one result; this one has several");
      if constexpr (std::is_same_v<To, fresh>) return several<Op, R>(std::make_integer_sequence<int, R::results>{}, x...);
    } else {
      using out_type = result_type<R, 0>;
      dims const extents = result_extents<Op, R, 0>(x...);
      if constexpr (!std::is_same_v<To, fresh>) write<Op, R, out_type>(extents, *to, x...);
      else if constexpr (Op::kind == family::view) return as_view<Op, R, out_type>(extents, x...);
      else {
        out_type out(extents, false);
        compute<Op, R>(out, x...);
        return out;
      }
    }
  }
  // All results of an operation with several, as a tuple.
  template <class Op, class R, int... I, class... X> static constexpr auto several(std::integer_sequence<int, I...>, X const&... x) {
    if constexpr (requires { &Op::view_of_result; })
      return std::tuple{as_view<Op, R, result_type<R, I>, I>(result_extents<Op, R, I>(x...), x...)...};
    else {
      std::tuple const results{result_type<R, I>(result_extents<Op, R, I>(x...), false)...};
      run_planned<program<single_op<R>>>(results, x...);
      return results;
    }
  }
  template <class Op, class R, class Out, class... X> static constexpr void compute(Out const& out, X const&... x) {
    if constexpr (Op::kind == family::elementwise) pointwise<Op, typename Out::value_type>(out, x...);
    else planned<R>(out, x...);
  }
  // Into a tensor that is there already. One that shares elements with an operand, or is not row-major, gets them last.
  template <class Op, class R, class Result, class Out, class... X> static constexpr void write(dims const& extents, Out const& out,
                                                                                                X const&... x) {
    using T = typename Result::value_type;
    constexpr bool same_type = std::is_same_v<T, typename Out::value_type>,
                   same_shape = may_hold(Out::shape_type::value, Result::shape_type::value);
    static_assert(same_type, "sinter: the tensor given for the result has another dtype than the result");
    static_assert(same_shape, "sinter: the tensor given for the result has another shape than the result");
    if constexpr (same_type && same_shape) write_where<Op, R, Result>(extents, out, x...);
  }
  template <class Op, class R, class Result, class Out, class... X> static constexpr void write_where(dims const& extents, Out const& out,
                                                                                                      X const&... x) {
    constexpr bool elementwise = Op::kind == family::elementwise;
    out.check_writable();
    if (!(extents == out.shape()))
      throw shape_error("sinter: " + std::string(Op::name) + " gives " + to_string(extents) + ", and the tensor given for it has shape " +
                        to_string(out.shape()));
    if (repeats_elements(out.shape(), out.strides()))
      throw shape_error("sinter: " + std::string(Op::name) +
                        " cannot write into a view that broadcast_to made: one element of memory stands for " +
                        "several of its elements; give it a copy()");
    if constexpr (Op::kind == family::view) {
      Result const seen = as_view<Op, R, Result>(extents, x...);
      copy_elements(may_write<false>(out, seen) ? seen : seen.copy(), out);
    } else if (out.is_contiguous() && (may_write<elementwise>(out, x) && ...)) {
      if constexpr (std::is_same_v<Out, Result>) compute<Op, R>(out, x...);
      else compute<Op, R>(Result::view(out, extents, 0, out.strides()), x...);
    } else {
      Result first(extents, false);
      compute<Op, R>(first, x...);
      copy_elements(first, out);
    }
  }
  // Whether several elements are one in memory.
  static constexpr bool repeats_elements(dims const& extents, std::int64_t const* strides) {
    bool repeats = false;
    for (int i = 0; i < extents.rank; ++i) {
      if (extents.d[i] == 0) return false;  // there are none
      repeats = repeats || (strides[i] == 0 && extents.d[i] > 1);
    }
    return repeats;
  }
  static constexpr bool may_hold(dims const& out, dims const& result) {
    bool fits = out.rank == result.rank;
    for (int i = 0; fits && i < out.rank; ++i) fits = out.d[i] < 0 || result.d[i] < 0 || out.d[i] == result.d[i];
    return fits;
  }
  // Whether a result may be written to `out` while `x` is read: elements beside each other, or each in its own place.
  template <bool Elementwise, class Out, class X> static constexpr bool may_write(Out const& out, X const& x) {
    if (std::is_constant_evaluated()) return false;
    auto const span = [](auto const& t) {
      std::int64_t low = 0, high = 0;
      for (int i = 0; i < t.shape().rank; ++i) {
        std::int64_t const last = (t.shape().d[i] - 1) * t.strides()[i];
        (last < 0 ? low : high) += last;
      }
      auto const* const p = reinterpret_cast<std::byte const*>(t.data());
      constexpr auto size = static_cast<std::int64_t>(sizeof(*t.data()));
      return std::pair(p + low * size, p + (high + 1) * size);
    };
    if (out.size() == 0 || x.size() == 0) return true;
    auto const [from, to] = span(x);
    auto const [first, last] = span(out);
    if (std::less_equal<>{}(to, first) || std::less_equal<>{}(last, from)) return true;
    if constexpr (Elementwise && std::is_same_v<typename Out::value_type, typename X::value_type>)
      return x.data() == out.data() && x.is_contiguous() && x.shape() == out.shape();
    else return false;
  }
  template <class X, class Out> static constexpr void copy_elements(X const& x, Out const& out) {
    using T = typename X::value_type;
    using copy = kernel::pointwise<kernel::types<kernel::slot<T, access::strided, false>, kernel::slot<T, access::strided, true>>,
                                   kernel::types<kernel::step<ops::identity, T, kernel::step_bits{.store = 1}.pack(), -1>>>;
    any_array const arrays[]{array_of(x), array_of(out)};
    unsigned const moves[]{~0u, ~0u};
    pointwise_loops<2> loops;
    loops.set(moves, arrays);
    run_pointwise<copy, 2>(loops, arrays);
  }

  // Whether the operands say what every dynamic extent of the result is.
  template <class R> static constexpr bool knows_extents() {
    if constexpr (!R::ok || R::value.result.type.shape.fixed()) return true;
    else return extents_of<R>::known;
  }
  // The result's extents, from those that the operands have.
  template <class Op, class R, int I, class... X> static constexpr dims result_extents(X const&... x) {
    constexpr dims typed = R::template result_shape<I>::value;
    if constexpr (typed.fixed() && (X::shape_type::fixed && ...)) return typed;
    else {
      dims const actual[]{x.shape()..., dims{}};
      return result_extents_of<extents_of<R>>(Op::name, actual, sizeof...(X), I);
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

  // The last axis along which the result has more than one element, from its type; an operand that does not move along it is one number there.
  template <class Out, class X> static constexpr access expected_access() {
    constexpr dims out = Out::shape_type::value, in = X::shape_type::value;
    for (int i = 1; i <= out.rank; ++i)
      if (out.d[out.rank - i] != 1) return i > in.rank || in.d[in.rank - i] == 1 ? access::zero : access::unit;
    return access::zero;
  }
  // One kernel for each operation and dtype: operands that lie otherwise than row-major are copied by the one kernel that reads anyhow.
  template <class Op, class T, class Out, class... X> static constexpr void pointwise(Out const& out, X const&... x) {
    if (!(Device::is_host && std::is_constant_evaluated()) && !(x.is_contiguous() && ...)) return pointwise<Op, T>(out, copied(x)...);
    using kernel_type = typename one_step<Op, T, std::make_integer_sequence<int, sizeof...(X)>,
                                          kernel::slot<typename X::value_type, expected_access<Out, X>(), false>...>::type;
    any_array const arrays[]{array_of(x)..., array_of(out)};
    constexpr unsigned moves[]{moving_axes(X::shape_type::value, Out::rank)..., moving_axes(Out::shape_type::value, Out::rank)};
    constexpr bool in_step = ((moving_axes(X::shape_type::value, Out::rank) == moves[sizeof...(X)]) && ...);
    pointwise_loops<sizeof...(X) + 1> loops;
    if (in_step && !(Device::is_host && std::is_constant_evaluated())) loops.set_in_step(out.size());
    else loops.set(moves, arrays);
    run_pointwise<kernel_type, sizeof...(X) + 1>(loops, arrays);
  }
  template <class Kernel, int N> static constexpr void run_pointwise(pointwise_loops<N> const& loops, any_array const* arrays) {
    kernel::pointer p[N];
    for (int j = 0; j < N; ++j) p[j] = arrays[j].data;
    if constexpr (Device::is_host)
      if (std::is_constant_evaluated()) return reference::backend::go<Kernel>(loops.l, p);
    backend::template go<Kernel>(loops.l, p);
  }
  template <class Op, class T, class J, class... Slot> struct one_step;
  template <class Op, class T, int... J, class... Slot> struct one_step<Op, T, std::integer_sequence<int, J...>, Slot...> {
    static constexpr std::uint64_t bits = kernel::step_bits{.store = sizeof...(J)}.pack();
    using type = kernel::pointwise<kernel::types<Slot..., kernel::slot<T, access::unit, true>>,
                                   kernel::types<kernel::step<Op, T, bits, (-1 - J)...>>>;
  };

  template <class R, class Out, class... X> static constexpr void planned(Out const& out, X const&... x) {
    run_planned<program<single_op<R>>>(std::tie(out), x...);
  }
  // `out`: a tuple of the results.
  template <class P, class Out, class... X> static constexpr void run_planned(Out const& out, X const&... x) {
    if (!(x.is_contiguous() && ...)) {
      if (std::is_constant_evaluated()) run_row_major<P>(out, x.contiguous()...);
      else run_row_major<P>(out, copied(x)...);
    } else run_row_major<P>(out, x...);
  }
  template <class P, class Out, class... X> static constexpr void run_row_major(Out const& out, X const&... x) {
    binding b;
    if constexpr (!P::fixed) {
      dims const actual[]{x.shape()..., dims{}}, typed[]{X::shape_type::value..., dims{}};
      b = bind(P::plan, actual, typed, sizeof...(X));
    }
    if constexpr (Device::is_host) {
      if (std::is_constant_evaluated()) {
        kernel::pointer const in[]{kernel::pointer(const_cast<std::remove_const_t<typename X::value_type>*>(x.data()))...,
                                   kernel::pointer()};
        return std::apply(
            [&](auto const&... o) {
              kernel::pointer const to[]{kernel::pointer(o.data())...};
              P::template run_constant<reference::backend>(in, nullptr, to, b);
            },
            out);
      }
    }
    std::byte* const in[]{reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<typename X::value_type>*>(x.data()))..., nullptr};
    std::apply([&](auto const&... o) { run_at<P>(b, in, std::array{reinterpret_cast<std::byte*>(o.data())...}.data()); }, out);
  }
  template <class P> static void run_at(binding const& b, std::byte* const* in, std::byte* const* to) {
    if constexpr (P::fixed) run_program<P>(P::fixed_numbers(), in, to);
    else {
      geometry<P> g;
      P::prepare(g, b);
      run_program<P>(g, in, to);
    }
  }
  template <class P> static void run_program(geometry<P> const& g, std::byte* const* in, std::byte* const* to) {
    auto const arena = Device::template allocate<std::byte>(static_cast<std::size_t>(g.arena_bytes), false);
    P::template run<backend>(g, in, nullptr, to, arena.data(), nullptr);
  }
};
using functions = functions_on<device::cpu_t>;

// The F whose results go where a tensor, or a view of one, already is: nd::out(z).add(x, y). Elementwise operations of row-major
// tensors allocate nothing then.
template <class Tensor> class functions_into : public ops::all_members<functions_into<Tensor>> {
  using on = functions_on<typename std::remove_cvref_t<Tensor>::device_type>;

 public:
  template <class Op, class... A> static constexpr bool fits = on::template fits<Op, A...>;

  constexpr explicit functions_into(Tensor&& to) : to_(std::forward<Tensor>(to)) {}
  template <class Op, class... A> constexpr void operator()(Op, A const&... a) const { call<Op>(a...); }
  template <class Op, class... A> constexpr void call(A const&... a) const { on{}.template call_into<Op>(to_, a...); }
  template <class Op, class... A> static constexpr void refused() {}

 private:
  Tensor to_;  // a reference to what has a name
};
template <class Tensor>
  requires(is_tensor<std::remove_cvref_t<Tensor>>)
constexpr functions_into<Tensor> out(Tensor&& to) {
  return functions_into<Tensor>(std::forward<Tensor>(to));
}

// x += y: in place, so that all that share the elements see it. The right side broadcasts, the result has the dtype and shape of x.
template <class X, class A>
concept changes_in_place =
    is_tensor<std::remove_cvref_t<X>> && !std::is_const_v<std::remove_reference_t<X>> && (is_tensor<A> || std::is_arithmetic_v<A>);
#define SINTER_IN_PLACE(sign, op)                                                                            \
  template <class X, class A>                                                                                \
    requires(changes_in_place<X, A> && functions_into<X>::template fits<ops::op, std::remove_cvref_t<X>, A>) \
  constexpr X operator sign(X&& x, A const& a) {                                                             \
    out(x).op(x, a);                                                                                         \
    return static_cast<X&&>(x);                                                                              \
  }                                                                                                          \
  template <class X, class A>                                                                                \
    requires(changes_in_place<X, A>)                                                                         \
  SINTER_UNAVAILABLE("operator " #sign SINTER_DOES_NOT_FIT)                                                  \
  constexpr X operator sign(X&& x, A const&) {                                                               \
    return static_cast<X&&>(x);                                                                              \
  }                                                                                                          \
  template <class X, ops::stranger_to_operators A>                                                           \
    requires(is_tensor<std::remove_cvref_t<X>>)                                                              \
  constexpr X operator sign(X&& x, A const&) {                                                               \
    ops::refuse_strangers<A>();                                                                              \
    return static_cast<X&&>(x);                                                                              \
  }
SINTER_IN_PLACE(+=, add)
SINTER_IN_PLACE(-=, subtract)
SINTER_IN_PLACE(*=, multiply)
SINTER_IN_PLACE(/=, divide)
#undef SINTER_IN_PLACE

// What copy() of a tensor that does not lie on the host does.
template <class T, class S, class D> tensor<T, S, D> copy_on_device(tensor<T, S, D> const& x) {
  if (!x.is_contiguous()) return functions_on<D>::copied(x);
  tensor<T, S, D> out(x.shape(), false);
  D::copy(out.data(), x.data(), static_cast<std::size_t>(x.size()) * sizeof(T));
  return out;
}

}  // namespace sinter::nd::inline SINTER_ISA
