// SPDX-License-Identifier: Apache-2.0
// Blocks whose forward is plain C++: it runs with tensors alone, and may print, loop and branch on values.
#pragma once
#include "layers/basic.hpp"

namespace sinter::nn {

// How a plain block has the blocks that hybridize() compiles: as they are, or compiled for a backend.
//   template <template <class> class Child = nn::eager_child> struct chooser : nn::block<chooser<Child>> {
//     BOOST_HANA_DEFINE_STRUCT(chooser, (Child<nn::dense<4>>, quick), (Child<deep>, slow));
//     auto forward(auto const& x) const { return sinter::max(x).item() > 0 ? slow(x) : quick(x); }
//   };
template <class Block> using eager_child = Block;
namespace detail {
template <class M, class Backend> struct compiled_child;
template <class T> inline constexpr bool is_symbolic =
    sym::is_symbol<unmarked_t<T>> || sym::is_poison<std::remove_cvref_t<T>> || ops::is_untyped<T>;
template <class... T> inline constexpr bool is_symbolic<std::tuple<T...>> = (is_symbolic<T> || ...);
}  // namespace detail

// The base of such a block. D has public members, declared with BOOST_HANA_DEFINE_STRUCT, and
//   auto forward(auto x) const
// with as many operands of whatever types as it likes.
template <class D> struct block : block_functions<D> {
  using block_type = D;
  using plain_block_type = D;

  template <class... X> SINTER_OWN constexpr auto operator()(X const&... x) const {
    if constexpr ((detail::is_symbolic<X> || ...)) {
      static_assert(sizeof(D) == 0,
                    "sinter: a plain block runs with tensors alone, and a network that is compiled calls it with a symbol here; make it an "
                    "nn::hybrid_block, or the network an nn::block, whose hybridize() compiles the hybrid blocks in it");
      return ops::first_of(x...);
    } else if constexpr (!requires(D const& b) { b.forward(std::declval<X const&>()...); }) {  // not x...: see block.hpp
      static_assert(
          sizeof(D) == 0,
          "sinter: a plain block is called by its `auto forward(auto x) const`, and this one has none for these operands; what has "
          "a hybrid_forward is an nn::hybrid_block");
      return ops::first_of(x...);
    } else {
      try {
        detail::eager_call const call;
        if constexpr (std::is_void_v<decltype(self().forward(x...))>) self().forward(x...);
        else {
          auto y = self().forward(x...);
          if (call.is_outermost()) detail::make_own(y);
          if (detail::observer_of_calls) detail::tell_observer(&self(), &type_tag<D>, y);
          return y;
        }
      } catch (error& e) {
        this->say_where(e);
        throw;
      }
    }
  }
  // The same block with the hybrid blocks in it compiled, over the same parameters; plain ones stay plain. It has another type: that of a
  // container has other children, and a block of one's own says with `Child` above what its members become.
  template <class Backend = on_host<>, class... Policy>
  [[nodiscard("sinter: hybridize() changes nothing, it returns the compiled network: auto fast = net.hybridize();")]] SINTER_OWN auto
  hybridize(Policy...) const {
    constexpr bool has_inputs = (tensor_like<Policy> || ...);
    static_assert(!has_inputs, SINTER_SAY_NO_INPUTS);
    using chosen = chosen_backend<Backend, Policy...>;
    static_assert(has_inputs || !std::is_void_v<chosen>, SINTER_SAY_POLICIES);
    if constexpr (!std::is_void_v<chosen>) return detail::compiled_child<D, chosen>::make(self());
  }

 private:
  using block_functions<D>::self;
};

// The values of a parameter in shape S, as F.get gives them to a hybrid block: a tensor that nobody writes to, on the processor.
template <class P, class S> auto values_of(P const& p, S shape) { return in_block(nd::functions{}).get(p, shape); }

// A function as a block: nn::lambda{[](auto x) { return x * 2; }}. What it captures are values, no layers, whose parameters nobody would find.
template <class L> struct lambda : block<lambda<L>> {
  BOOST_HANA_DEFINE_STRUCT(lambda, (L, function));
  SINTER_OWN constexpr lambda() = default;
  SINTER_OWN constexpr explicit lambda(L f) : function(std::move(f)) {}
  template <class... X>
    requires std::invocable<L const&, X const&...>
  auto forward(X const&... x) const {
    return function(x...);
  }
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"
// One block after the other, of any kind.
template <class... L> struct sequential : block<sequential<L...>>, block_list<L...> {
  static_assert(detail::all_blocks<children_of<L...>>,
                "sinter: a sequential holds blocks; an activation is one as nn::activation<nn::relu>{}, a function as nn::lambda{f}");
  SINTER_OWN constexpr sequential() = default;
  SINTER_OWN constexpr explicit sequential(L... l)
    requires(sizeof...(L) > 0)
      : block_list<L...>{{std::move(l)...}} {}
  template <class X> auto forward(X const& x) const {
    if constexpr (detail::all_blocks<children_of<L...>>) return detail::chain(this->children, x);
    else return x;
  }
};
// All blocks on the same operand, their results side by side along the last axis.
template <class... L> struct concurrent : block<concurrent<L...>>, block_list<L...> {
  static_assert(detail::all_blocks<children_of<L...>>,
                "sinter: a concurrent holds blocks; an activation is one as nn::activation<nn::relu>{}, a function as nn::lambda{f}");
  SINTER_OWN constexpr concurrent() = default;
  SINTER_OWN constexpr explicit concurrent(L... l)
    requires(sizeof...(L) > 0)
      : block_list<L...>{{std::move(l)...}} {}
  template <class X> auto forward(X const& x) const {
    if constexpr (detail::all_blocks<children_of<L...>>)
      return std::apply([&](auto const&... y) { return sinter::concat(y..., axis<-1>); }, detail::outputs_of(this->children, x));
    else return x;
  }
};
#pragma GCC diagnostic pop

}  // namespace sinter::nn
