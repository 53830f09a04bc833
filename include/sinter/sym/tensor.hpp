// SPDX-License-Identifier: Apache-2.0
// The symbolic tensor: a typed shape and a node of a tape. With it the same code becomes a graph.
#pragma once
#include "../ops/all.hpp"
#include "../ops/rule.hpp"
#include "tape.hpp"

namespace sinter::sym::inline SINTER_ISA {

// Every member that only says no also notes it on the tape, so that the network is not called wrong a second time.
#define SINTER_NO_VALUE                                                                                               \
  SINTER_UNAVAILABLE(                                                                                                 \
      "a symbol has no value to read; F takes it (F.exp(h) for std::exp(h), F.print for std::cout, F.where for ?:), " \
      "and a call of the network with an eager tensor has values")
#define SINTER_NO_BRANCH SINTER_UNAVAILABLE("a branch cannot depend on a symbol; use F.where")
#define SINTER_NO_EXTENT                                                                                         \
  SINTER_UNAVAILABLE(                                                                                            \
      "a dynamic extent is known when the program runs, not in a network; decltype(h)::shape_type is its shape " \
      "as the compiler knows it")
#define SINTER_NO_CHANGE(instead) SINTER_UNAVAILABLE("a symbol cannot be changed in place; write " instead)
#define SINTER_NO_PART_CHANGE \
  SINTER_UNAVAILABLE("a part of a symbol cannot be assigned to; F.concat joins parts, and F.where(mask, a, b) chooses elements")

// What no symbol can do, whatever its type.
struct traced {
  tape* t = nullptr;
  int id = -1;

  SINTER_NO_CHANGE("a = a + b") constexpr void operator+=(auto const&) { refused(); }
  SINTER_NO_CHANGE("a = a - b") constexpr void operator-=(auto const&) { refused(); }
  SINTER_NO_CHANGE("a = a * b") constexpr void operator*=(auto const&) { refused(); }
  SINTER_NO_CHANGE("a = a / b") constexpr void operator/=(auto const&) { refused(); }
  SINTER_NO_CHANGE("a = F.zeros_like(a) + v") constexpr void fill(auto const&) const { refused(); }

 protected:
  constexpr void refused() const { t->fail(trace_error::refused); }
};
template <class T> struct traced_of : traced {
  using value_type = T;
  SINTER_NO_BRANCH constexpr explicit operator bool() const { return this->refused(), true; }
  SINTER_NO_VALUE constexpr operator T() const
    requires(!std::is_same_v<T, bool>)
  {
    return nowhere();
  }
  SINTER_NO_VALUE constexpr T& operator[](auto const&) const { return nowhere(); }
  SINTER_NO_VALUE constexpr T& operator()(auto const&...) const { return nowhere(); }
  SINTER_NO_VALUE constexpr T& item() const { return nowhere(); }
  SINTER_NO_VALUE constexpr T* data() const { return &nowhere(); }
  SINTER_NO_VALUE constexpr T* begin() const { return &nowhere(); }
  constexpr T* end() const { return &nowhere(); }

 private:
  constexpr T& nowhere() const { return refused(), t->template nowhere<T>(); }
};

template <class T, class S> struct tensor;
template <class... I, class T, class S> constexpr auto part(tensor<T, S> const& x);  // part.hpp

template <class T, class S> struct tensor : traced_of<T> {
  using shape_type = S;
  static constexpr int rank = S::rank;

  constexpr tensor() = default;
  constexpr tensor(tape* on, int node) : traced_of<T>{{on, node}} {}
  constexpr tensor(tensor const&) = default;
  constexpr tensor& operator=(tensor const&) & = default;
  SINTER_NO_PART_CHANGE constexpr tensor& operator=(tensor const&) && { return this->refused(), *this; }
  template <class A> SINTER_NO_PART_CHANGE constexpr tensor& operator=(A const&) && { return this->refused(), *this; }

  // The part that indices choose, as slice, squeeze and expand_dims (part.hpp).
  using traced_of<T>::operator();
  template <class... I>
    requires(sizeof...(I) > 0 && ((is_index<I> && typed_index<I>.in_type) && ...))
  constexpr auto operator()(I const&...) const {
    return part<I...>(*this);
  }
  template <class... I>
    requires((is_index<I> && ...) && !(typed_index<I>.in_type && ...) && !(std::integral<I> && ...))
  SINTER_UNAVAILABLE(
      "a part of a symbol is chosen by indices in the type, nth<2> and range<1, 3>; F.take(h, i) takes what an index among the inputs "
      "names")
  constexpr tensor
  operator()(I const&...) const {
    return this->refused(), *this;
  }
  template <class U, class V>
    requires(!std::is_same_v<tensor<U, V>, tensor>)
  SINTER_UNAVAILABLE(
      "a symbol of another shape or dtype cannot be converted to this one; shapes are types, so write auto h = ..., and give "
      "the same type in every branch")
  constexpr tensor(tensor<U, V> const& x)
      : tensor(x.t, x.id) {
    this->refused();
  }
  template <class U, class V>
    requires(!std::is_same_v<tensor<U, V>, tensor>)
  SINTER_UNAVAILABLE("a symbol of another shape or dtype cannot be assigned to this one; shapes are types, so write auto h = ...")
  constexpr tensor& operator=(tensor<U, V> const&) & {
    return this->refused(), *this;
  }
  // A symbol never changes, so it is its own copy.
  constexpr tensor copy() const { return *this; }
  constexpr tensor contiguous() const { return *this; }
  constexpr dims const& shape() const
    requires(S::fixed)
  {
    return S::value;
  }
  constexpr extent size() const
    requires(S::fixed)
  {
    return S::value.size();
  }
  SINTER_NO_EXTENT constexpr dims const& shape() const { return this->refused(), S::value; }
  SINTER_NO_EXTENT constexpr extent size() const { return this->refused(), 1; }
  SINTER_UNAVAILABLE("a network runs where its inputs lie; write fast(x.to(device::gpu))") constexpr tensor to(auto) const {
    return this->refused(), *this;
  }
};

template <class Out, class T, class S>
  requires requires { typename Out::char_type; }
constexpr Out& operator<<(Out& out, tensor<T, S> const& x) {  // GCC says twice that a function outside a class is unavailable
  static_assert(sizeof(T) == 0, "sinter: a symbol has no value to print; write F.print(\"h\", h), which prints values in an eager call");
  x.t->fail(trace_error::refused);
  return out;
}
#undef SINTER_NO_VALUE
#undef SINTER_NO_BRANCH
#undef SINTER_NO_EXTENT
#undef SINTER_NO_CHANGE
#undef SINTER_NO_PART_CHANGE

// What an operation gives whose operands do not fit. It carries what the message needs, and every operation passes it on.
// A and B: tensors of this namespace, or numbers.
template <class Op, problem What, class A, class B> struct poison {
  tape* t = nullptr;
  using op = Op;
  using first = A;
  using second = B;
  static constexpr problem what = What;
  template <class... I> constexpr poison operator()(I const&...) const { return *this; }  // a part of it
};

template <class> inline constexpr bool is_symbol = false;
template <class T, class S> inline constexpr bool is_symbol<tensor<T, S>> = true;
template <class> inline constexpr bool is_poison = false;
template <class Op, problem P, class A, class B> inline constexpr bool is_poison<poison<Op, P, A, B>> = true;

// The F of a trace.
struct functions : ops::all_members<functions> {
  tape* t;
  constexpr explicit functions(tape* on) : t(on) {}

  template <class Op, class... A> static constexpr bool fits =
      ((ops::is_keyword<A> || is_symbol<A> || is_poison<A> || std::is_arithmetic_v<A>) && ...);

  template <class Op, class... A> constexpr auto operator()(Op, A const&... a) const { return call<Op>(a...); }

  template <class Op, class... A> constexpr auto call(A const&... a) const {
    if constexpr ((is_poison<A> || ...)) return ops::for_each_result<Op, A...>(first_poison(a...));
    else {
      using R = ops::call_rule<Op, A...>;
      if constexpr (!R::ok) {
        t->fail(trace_error::operands);
        using said [[maybe_unused]] = decltype(ops::operands_fit<Op, R::value.result.what, false, A...>());
        return ops::for_each_result<Op, A...>(bad_operands<Op, R>(ops::list_of<>{}, a...));
      } else {
        tape& on = t->now();
        int in[sizeof...(A) + 1]{};
        int n = 0;
        (operand<R>(on, in, n, a), ...);
        if constexpr (ops::has_several<Op>) return results<R>(on, apply<Op, R>(on, in), std::make_integer_sequence<int, R::results>{});
        else if constexpr (R::value.fixed)
          return result_of<R>{&on, on.g.append(ops::info<Op>, R::value.result.type, {in, R::n}, pack(R::attributes({R::value.in, R::n})))};
        else return result_of<R>{&on, apply<Op, R>(on, in)};
      }
    }
  }
  // What a call gives of which the compiler has said what is wrong.
  template <class Op, class... A> constexpr auto refused() const {
    t->fail(trace_error::refused);
    using any = tensor<float, shape<1, 1>>;
    return ops::for_each_result<Op, A...>(poison<Op, problem::none, any, any>{t});
  }
  template <class X> constexpr void print(char const* label, X const& x) const {
    if constexpr (is_symbol<X>) {
      t->whole().prints = true;
      tape& on = t->now();
      if (on.named) on.g.prints.push({on.g.intern(label), on.local(x.t, x.id)});
    }
  }

 private:
  template <class R, int I = 0> using result_of =
      tensor<typename R::template result_of<I>::value_type, typename R::template result_of<I>::shape_type>;
  // Infers the type again, of nodes, which know more of their dynamic dimensions than types do.
  template <class Op, class R> static constexpr int apply(tape& on, int const* in) {
    array_type types[R::n + 1]{};
    for (int i = 0; i < R::n; ++i) types[i] = on.g.nodes[in[i]].type;
    inferred why;
    return on.g.apply(ops::info<Op>, {in, R::n}, types, pack(R::attributes(types)), why);
  }
  // One tensor for each result of node `id`.
  template <class R, int... I> constexpr auto results(tape& on, int id, std::integer_sequence<int, I...>) const {
    return std::tuple{result_of<R, I>{&on, on.g.result(id, I)}...};
  }
  template <class R, class A> constexpr void operand(tape& on, int* in, int& n, A const& a) const {
    if constexpr (!ops::is_keyword<A>) {
      if constexpr (std::is_arithmetic_v<A>) {
        dtype const want = R::value.in[n].type;
        bool const held = holds(want, a);
        if (!held) t->fail(trace_error::number);
        in[n] = on.g.fill(want, dims{}, held ? bits_of(want, a) : 0);
      } else {
        in[n] = on.local(a.t, a.id);
        if (R::value.in[n].type != dtype_of<typename A::value_type>) in[n] = ops::make<ops::cast>(on.g, {R::value.in[n].type}, in[n]);
      }
      ++n;
    }
  }
  template <class A, class... B> static constexpr auto first_poison(A const& a, B const&... b) {
    if constexpr (is_poison<A>) return a;
    else return first_poison(b...);
  }
  template <class Op, class R, class... Done> constexpr auto bad_operands(ops::list_of<Done...>) const {
    return poison<Op, R::value.result.what, part_at<R::value.result.a, Done...>, part_at<R::value.result.b, Done...>>{t};
  }
  template <class Op, class R, class... Done, class Next, class... Rest> constexpr auto bad_operands(ops::list_of<Done...>, Next const&,
                                                                                                     Rest const&... rest) const {
    if constexpr (ops::is_keyword<Next>) return bad_operands<Op, R>(ops::list_of<Done...>{}, rest...);
    else return bad_operands<Op, R>(ops::list_of<Done..., Next>{}, rest...);
  }
  template <int I, class... S> static auto type_of_part() {
    constexpr int n = sizeof...(S);
    if constexpr (n == 0) return std::type_identity<ops::list_of<>>{};
    else return std::type_identity<std::tuple_element_t<(I < n ? I : n - 1), std::tuple<S...>>>{};
  }
  template <int I, class... S> using part_at = typename decltype(type_of_part<I, S...>())::type;
};

}  // namespace sinter::sym::inline SINTER_ISA
