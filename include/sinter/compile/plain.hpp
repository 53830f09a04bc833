// SPDX-License-Identifier: Apache-2.0
// hybridize() of plain blocks: which types the hybrid blocks in them become.
#pragma once
#include "../nn/plain.hpp"
#include "hybridized.hpp"

namespace sinter::nn {

namespace detail {
// True where hybridize() has something to compile in M.
template <class M> inline constexpr bool has_hybrid = block_like<M>;
template <class A, class B> inline constexpr bool has_hybrid<fork<A, B>> = has_hybrid<A> || has_hybrid<B>;
template <class... M> constexpr bool any_hybrid(children_list<M...>) { return (has_hybrid<M> || ...); }
template <class M> constexpr bool holds_hybrid() {
  if constexpr (has_children<M>) return has_hybrid<decltype(M::children)>;
  else if constexpr (has_members<M>) return any_hybrid(members_of<M>{});
  else return false;
}
template <plain_block M> inline constexpr bool has_hybrid<M> = holds_hybrid<M>();

// M as a member of a plain block that hybridize() gave: `type`, and make(m).
template <class M, class Backend> struct compiled_child {
  using type = M;
  static M make(M const& m) { return m; }
};
template <class M, class Backend>
  requires(block_like<M> && !plain_block<M>)
struct compiled_child<M, Backend> {
  using type = hybridized<M, Backend>;
  static type make(M const& m) { return type(m); }
};
template <template <class...> class Container, class Backend, class... L> auto compile_children(Container<L...> const& m) {
  using type = Container<typename compiled_child<L, Backend>::type...>;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return type(compiled_child<L, Backend>::make(m.template at<static_cast<int>(I)>())...);
  }(std::index_sequence_for<L...>{});
}
template <class Backend, class... L>
  requires has_hybrid<sequential<L...>>
struct compiled_child<sequential<L...>, Backend> {
  using type = sequential<typename compiled_child<L, Backend>::type...>;
  static type make(sequential<L...> const& m) { return compile_children<sequential, Backend>(m); }
};
template <class Backend, class... L>
  requires has_hybrid<concurrent<L...>>
struct compiled_child<concurrent<L...>, Backend> {
  using type = concurrent<typename compiled_child<L, Backend>::type...>;
  static type make(concurrent<L...> const& m) { return compile_children<concurrent, Backend>(m); }
};

// A block of a user's own with hybrid blocks among its members, whose types it must be able to change: net<Child>, or with other arguments
//   template <template <class> class Other> using with_children = net<Width, Other>;
struct probe {};
template <template <class> class Child> inline constexpr bool is_eager_child = std::is_same_v<Child<probe>, probe>;
template <class Backend> struct compiled_for {
  template <class M> using child = typename compiled_child<M, Backend>::type;
};
template <class M, class Backend> struct with_compiled {
  using type = void;
};
template <template <template <class> class> class Net, template <class> class Child, class Backend>
  requires is_eager_child<Child>
struct with_compiled<Net<Child>, Backend> {
  using type = Net<compiled_for<Backend>::template child>;
};
template <class M, class Backend>
  requires requires { typename M::template with_children<compiled_for<Backend>::template child>; }
struct with_compiled<M, Backend> {
  using type = typename M::template with_children<compiled_for<Backend>::template child>;
};
template <plain_block M, class Backend>
  requires(has_hybrid<M> && !has_children<M>)
struct compiled_child<M, Backend> {
  using other = typename with_compiled<M, Backend>::type;
  static constexpr bool possible = !std::is_void_v<other>;
  using type = std::conditional_t<possible, other, M>;
  static auto make(M const& m) {
    static_assert(
        possible,
        "sinter: hybridize() makes other types of the hybrid blocks in a plain block, and this one names theirs; it takes them from "
        "an argument: template <template <class> class Child = nn::eager_child> struct net : nn::block<net<Child>>, with members "
        "(Child<nn::dense<4>>, hidden)");
    if constexpr (possible) {
      type made;
      copy_members(m, made, accessors_of<M>{}, accessors_of<type>{});
      return made;
    } else return m;
  }
  template <class From, class To> static void copy_member(From const& from, To& to) {
    if constexpr (block_like<From>) to = compiled_child<From, Backend>::make(from);
    else to = from;
  }
  template <class... A, class... B> static void copy_members(M const& m, type& made, accessor_list<A...>, accessor_list<B...>) {
    (copy_member(std::remove_cvref_t<decltype(hana::second(std::declval<A const&>()))>{}(m),
                 std::remove_cvref_t<decltype(hana::second(std::declval<B const&>()))>{}(made)),
     ...);
  }
};
}  // namespace detail

}  // namespace sinter::nn
