// SPDX-License-Identifier: Apache-2.0
// What a compiled network takes and gives: the device of its inputs, plain numbers among them, its results as eager tensors, and tensors
// that are given for them.
#pragma once
#include <tuple>

#include "../backend/default.hpp"
#include "../run/bind.hpp"
#include "compiled.hpp"

namespace sinter {
namespace detail::inline SINTER_ISA {

// The device on which all inputs of a call lie: tensors, or tuples of them.
template <class... X> struct device_of;
template <class T, class S, class D> struct device_of<nd::tensor<T, S, D>> {
  using type = D;
};
template <class X> struct device_of<in_training<X>> : device_of<X> {};
template <class... X> struct device_of<std::tuple<X...>> : device_of<X...> {};
template <class A, class B, class... Rest> struct device_of<A, B, Rest...> : device_of<A> {
  static_assert(std::is_same_v<typename device_of<A>::type, typename device_of<B, Rest...>::type>,
                "sinter: the inputs of the network lie on different devices; x.to(device::gpu) copies one to the other");
};
template <class... X> using device_t = typename device_of<X...>::type;
// The backend that a network's type names.
template <class Backend> struct backend_named {
  using type = Backend;
};
template <class... Policy> struct backend_named<on_host<Policy...>> : nn::backend_with<default_backend, Policy...> {};
template <class Backend> struct backend_named<relaxed_on<Backend>> : backend_named<Backend> {};
template <class Backend> struct backend_named<alone_on<Backend>> : backend_named<Backend> {};
template <class Backend> inline constexpr bool is_alone = false;
template <class Backend> inline constexpr bool is_alone<alone_on<Backend>> = true;
template <class Backend> using named_backend = typename backend_named<Backend>::type;
// A backend that keeps weights in fewer bits.
template <class Backend>
concept narrows_weights = requires { typename Backend::weights; };
// And one that takes the faster forms of elementary functions.
template <class Backend>
concept has_fast_math = requires { typename Backend::math; };
// And one that computes convolutions in Winograd's form.
template <class Backend>
concept has_winograds_form = requires { typename Backend::convolutions; };
// On the host the network's own backend, elsewhere that of the device.
template <class Device, class Backend> struct backend_for : backend_of<Device> {};
template <class Backend> struct backend_for<device::cpu_t, Backend> {
  using type = Backend;
};
// Whether a network with this backend runs on the device, and the sentence where it does not.
template <class Device, class Backend> constexpr bool runs_on() {
  constexpr bool narrow = !Device::is_host && narrows_weights<Backend>, fast = !Device::is_host && has_fast_math<Backend>,
                 winograd = !Device::is_host && has_winograds_form<Backend>;
  static_assert(!narrow, "sinter: a network with weights::bf16 or weights::int8 runs on the processor alone");
  static_assert(!fast, "sinter: a network with math::fast runs on the processor alone");
  static_assert(!winograd, "sinter: a network with math::winograd runs on the processor alone");
  return !narrow && !fast && !winograd;
}

// What a plain number becomes beside the other inputs of a call: a tensor of rank 0, on their device.
template <class... X> struct beside {
  using device_type = device::cpu_t;
  template <class A> using type = A;
};
template <class First, class... X> struct beside<First, X...> : beside<X...> {};
template <class First, class... X>
  requires(nd::is_tensor<unmarked_t<First>>)
struct beside<First, X...> {
  using tensor_type = unmarked_t<First>;
  using device_type = typename tensor_type::device_type;
  template <class A> using rule = ops::call_rule<ops::add, tensor_type, A>;
  template <class A> static constexpr auto promoted() {
    if constexpr (rule<A>::ok) return type_of<rule<A>::value.in[1].type>{};
    else return A{};
  }
  template <class A> using type = decltype(promoted<A>());
};
template <class... X, class A> constexpr decltype(auto) as_input(A const& x) {
  if constexpr (std::is_arithmetic_v<A>) {
    using T = typename beside<X...>::template type<A>;
    return nd::tensor<T, shape<>>(ops::number_as<T>(x)).to(typename beside<X...>::device_type{});
  } else return (x);
}

// The result of a trace as eager tensors.
template <class Y, class D = device::cpu_t> struct eager_like;
template <class T, class S, class D> struct eager_like<sym::tensor<T, S>, D> {
  using type = nd::tensor<T, S, D>;
  template <class Tag> static constexpr type make(frozen_plan<Tag> const& p, binding const& b, int& n) {
    return type(executor::result_shape(p, b, n++), false);
  }
};
template <class Y, class D> struct eager_like<in_training<Y>, D> {
  using type = in_training<typename eager_like<Y, D>::type>;
  template <class Tag> static constexpr type make(frozen_plan<Tag> const& p, binding const& b, int& n) {
    return eager_like<Y, D>::make(p, b, n);
  }
};
template <class... Y, class D> struct eager_like<std::tuple<Y...>, D> {
  using type = std::tuple<typename eager_like<Y, D>::type...>;
  template <class Tag> static constexpr type make(frozen_plan<Tag> const& p, binding const& b, int& n) {
    return type{eager_like<Y, D>::make(p, b, n)...};
  }
};

// A tuple of references, as std::tie makes one, also within another, with the handles themselves.
template <class X> struct without_references {
  using type = X;
};
template <class... X> struct without_references<std::tuple<X...>> {
  using type = std::tuple<typename without_references<std::remove_cvref_t<X>>::type...>;
};
template <class X> inline constexpr bool is_tied = !std::is_same_v<X, typename without_references<X>::type>;
template <class X> constexpr X const& untied(X const& x) { return x; }  // NOLINT(bugprone-return-const-ref-from-parameter)
template <class X>
  requires is_tied<X>
constexpr typename without_references<X>::type untied(X const& x) {
  return x;
}

template <class X> inline constexpr bool is_input = nd::is_tensor<unmarked_t<X>>;
template <class... X> inline constexpr bool is_input<std::tuple<X...>> = (is_input<X> && ...);

#define SINTER_GIVE_ONE_TUPLE \
  "sinter: this network has several results, and they are given as one tuple behind the inputs: fast(x, std::tie(y, z))"
// Which of several results is given as another type, -1 where each has its own.
template <class Result, class Given, std::size_t... I> constexpr int first_other(std::index_sequence<I...>) {
  int r = -1;
  ((r < 0 && !std::is_same_v<std::tuple_element_t<I, Result>, std::tuple_element_t<I, Given>> ? r = static_cast<int>(I) : r), ...);
  return r;
}
// Whether what is given for the result behind `Inputs` inputs has its type.
template <class Result, class Given, int Inputs> constexpr bool is_given_for() {
#define SINTER_ANOTHER "has another shape, dtype or device than the result"
  constexpr bool several = requires { std::tuple_size<Result>::value; }, one = nd::is_tensor<Given>, same = std::is_same_v<Given, Result>;
  if constexpr (several && one) static_assert(!one, SINTER_GIVE_ONE_TUPLE);
  else if constexpr (several && requires { std::tuple_size<Given>::value; }) {
    constexpr std::size_t n = std::tuple_size_v<Result>;
    if constexpr (n != std::tuple_size_v<Given>)
      static_assert(same, "sinter: this network has another number of results than are given behind its inputs: fast(x, std::tie(y, z))");
    else {
      constexpr int other = first_other<Result, Given>(std::make_index_sequence<n>{});
      static_assert(other != 0, "sinter: what is given for the first result of this network " SINTER_ANOTHER);
      static_assert(other != 1, "sinter: what is given for the second result of this network " SINTER_ANOTHER);
      static_assert(other != 2, "sinter: what is given for the third result of this network " SINTER_ANOTHER);
      static_assert(other < 3, "sinter: what is given for one of the results of this network " SINTER_ANOTHER);
    }
  } else {
    static_assert(same || Inputs != 1, "sinter: what is given for the result, after one input of this network, " SINTER_ANOTHER);
    static_assert(same || Inputs != 2, "sinter: what is given for the result, after two inputs of this network, " SINTER_ANOTHER);
    static_assert(same || Inputs < 3, "sinter: what is given for the result, after the inputs of this network, " SINTER_ANOTHER);
  }
#undef SINTER_ANOTHER
  return same;
}

template <class Y> constexpr Y contiguous(Y const& y) {
  if constexpr (nd::is_tensor<Y>) return y.contiguous();
  else return std::apply([](auto const&... k) { return Y{contiguous(k)...}; }, y);
}

}  // namespace detail::inline SINTER_ISA
}  // namespace sinter
