// SPDX-License-Identifier: Apache-2.0
// Walks through a network's members, which gives every parameter and block its structural name.
#pragma once
#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/core/to.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/unpack.hpp>

#include "parameter.hpp"

namespace sinter::nn {

namespace hana = boost::hana;

// No common base: two empty bases of one type may not share an address, so a block and its first member would be pushed apart.
template <class T>
concept block = requires { typename std::remove_cvref_t<T>::block_type; };

// Children of a container as a balanced tree of pairs: equal halves are one type, and no name holds all children. (A std::tuple of 120
// costs GCC seconds, a fold over 120 makes its warnings quadratic, and Clang stops at 256.)
struct nothing {};
template <class A, class B> struct fork {
  A first;
  B second;
};
template <class... L> struct children_list {};
namespace detail {
template <class Done, class... L> struct pair_up;
template <class... D> struct pair_up<children_list<D...>> {
  using type = children_list<D...>;
};
template <class... D, class A> struct pair_up<children_list<D...>, A> {
  using type = children_list<D..., A>;
};
template <class... D, class A, class B, class... L> struct pair_up<children_list<D...>, A, B, L...>
    : pair_up<children_list<D..., fork<A, B>>, L...> {};
template <class T> struct tree {
  using type = nothing;
};
template <class A> struct tree<children_list<A>> {
  using type = A;
};
template <class A, class B, class... L> struct tree<children_list<A, B, L...>> : tree<typename pair_up<children_list<>, A, B, L...>::type> {
};
}  // namespace detail
template <class L> using children_of_list = typename detail::tree<L>::type;
template <class... L> using children_of = children_of_list<children_list<L...>>;

template <class T> inline constexpr bool is_fork = false;
template <class A, class B> inline constexpr bool is_fork<fork<A, B>> = true;

template <class M>
concept has_children = requires { typename M::child_types; };  // a block_list, not a member that happens to be called so
template <class M>
concept has_members = hana::Struct<std::remove_const_t<M>>::value;

template <class T> inline constexpr char type_tag = 0;  // its address stands for the type

// What can be wrong with a block's declaration.
enum class fault : std::int8_t { none, hidden, value, holder, left_out, other_base };
namespace detail {
// What sizeof says of a struct whose members are those that Hana knows; more means that one is not declared.
template <class M> constexpr bool all_members_declared() {
  std::size_t n = 0, align = 1;
  hana::for_each(hana::accessors<M>(), [&]<class A>(A const&) {
    using T = std::remove_cvref_t<decltype(hana::second(std::declval<A const&>())(std::declval<M&>()))>;
    if (alignof(T) > align) align = alignof(T);
    n = (n + alignof(T) - 1) / alignof(T) * alignof(T) + sizeof(T);
  });
  return (n + align - 1) / align * align == sizeof(M);
}
template <class M> struct member_types {  // a lambda here confuses GCC 12
  template <class... A> constexpr children_list<std::remove_cvref_t<decltype(hana::second(std::declval<A>())(std::declval<M&>()))>...>
  operator()(A...) const {
    return {};
  }
};
template <class M> using members_of = decltype(hana::unpack(hana::accessors<M>(), member_types<M>{}));
template <class... L> constexpr bool hold_parameters(children_list<L...>) {
  return ((is_parameter<L> || block<L> || std::is_empty_v<L>) && ...);
}
// Parameters are not trivial to copy, so that numbers and structs of numbers hold none; a std::array of layers does.
template <class... L> constexpr bool hide_parameters(children_list<L...>) {
  return (!(is_parameter<L> || block<L> || std::is_empty_v<L> || std::is_trivially_copyable_v<L>) || ...);
}
template <class M> constexpr fault fault_of() {
  if constexpr (!std::is_base_of_v<typename M::block_type, M>) return fault::other_base;
  else if constexpr (std::is_empty_v<M>) return fault::none;
  else if constexpr (has_children<M>) return sizeof(M) == sizeof(typename M::block_type) ? fault::none : fault::left_out;
  else if constexpr (!has_members<M>) return fault::hidden;
  else if (hide_parameters(members_of<M>{})) return fault::holder;
  else if (!hold_parameters(members_of<M>{})) return fault::value;
  else return all_members_declared<M>() ? fault::none : fault::left_out;
}
// The sentence for it.
template <class Block, fault Why> constexpr bool check_block() {
  static_assert(Why != fault::other_base,
                "sinter: a block derives from hybrid_block of its own type, struct net : nn::hybrid_block<net>; this one names another "
                "block there");
  static_assert(Why != fault::hidden,
                "sinter: the members of a hybrid block are declared with BOOST_HANA_DEFINE_STRUCT, in a public section");
  static_assert(Why != fault::value,
                "sinter: a block has a member that is neither a parameter nor a block; a value that shapes the graph belongs into its "
                "type, as a template argument or a static member");
  static_assert(Why != fault::holder,
                "sinter: a block has a member that is neither a parameter nor a block, and may hold some that nobody would find, as a "
                "std::vector of layers does; make each a member, or use hybrid_sequential");
  static_assert(Why != fault::left_out,
                "sinter: a block has a member that BOOST_HANA_DEFINE_STRUCT does not name; its parameters would be lost, and its value "
                "could change the graph");
  return Why == fault::none;
}
}  // namespace detail

inline namespace SINTER_ISA {
// Meets all blocks and parameters of a network. The walk knows it by these functions alone, so that each type of block is compiled
// into one walk, whatever is done on it.
struct visitor {
  dims declared;  // what the parameter's declaration says of its shape
  constexpr virtual void enter(void const*, void const*, std::string_view) {}
  constexpr virtual void meet(parameter_of<float>&, std::string_view) = 0;
  constexpr virtual void meet(parameter_of<double>&, std::string_view) = 0;
  constexpr virtual void meet(parameter_of<std::int32_t>&, std::string_view) = 0;
  constexpr virtual void meet(parameter_of<std::int64_t>&, std::string_view) = 0;
  constexpr virtual void meet(parameter_of<bool>&, std::string_view) = 0;

 protected:
  constexpr ~visitor() = default;
};
}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {
constexpr int put_number(int i, char* to) {
  int n = 0;
  for (int p = 1000000; p; p /= 10)
    if (i >= p || p == 1) to[n++] = static_cast<char>('0' + i / p % 10);
  return n;
}
// Without a path names are left out, which a trace in a constant expression does not pay for then.
template <class M> constexpr void walk(M const& m, visitor& v, list<char>* path);

template <class L> constexpr void walk_children(L const& child, int& i, visitor& v, list<char>* path) {
  if constexpr (is_fork<L>) {
    walk_children(child.first, i, v, path);
    walk_children(child.second, i, v, path);
  } else if constexpr (!std::is_same_v<L, nothing>) {
    int const before = path ? path->size() : 0;
    if (path) {
      char digits[8]{};
      int const n = put_number(i, digits);
      if (before) path->push('.');
      for (int k = 0; k < n; ++k) path->push(digits[k]);
    }
    walk(child, v, path);
    if (path) path->shrink(before);
    ++i;
  }
}
template <class M> struct walk_members {
  M const& m;
  visitor& v;
  list<char>* path;
  template <class... A> constexpr void operator()(A... a) const { (one(a), ...); }
  template <class A> constexpr void one(A a) const {
    int const before = path ? path->size() : 0;
    if (path) {
      if (before) path->push('.');
      for (char const* name = hana::to<char const*>(hana::first(a)); *name; ++name) path->push(*name);
    }
    walk(hana::second(a)(m), v, path);
    if (path) path->shrink(before);
  }
};
template <class M> constexpr void walk(M const& m, visitor& v, list<char>* path) {
  std::string_view const here = path ? std::string_view{path->data(), static_cast<std::size_t>(path->size())} : std::string_view{};
  if constexpr (is_parameter<M>) {
    v.declared = M::declared_shape::value;
    v.meet(const_cast<M&>(m), here);  // a handle: who may change it decides whether he does
  } else if constexpr (block<M>) {
    // A parameter that the walk does not meet gets no values, eagerly as well. (Numbers in a block are refused when it is compiled.)
    if constexpr (constexpr fault f = fault_of<M>(); f != fault::none && f != fault::value) check_block<M, f>();
    v.enter(&m, &type_tag<M>, here);
    if constexpr (has_children<M>) {
      int number = 0;
      walk_children(m.children, number, v, path);
    } else if constexpr (has_members<M>) hana::unpack(hana::accessors<M>(), walk_members<M>{m, v, path});
  }
}
template <class Fn, class Enter> struct calling_visitor final : visitor {
  Fn& fn;
  Enter& on_block;
  constexpr calling_visitor(Fn& f, Enter& e) : fn(f), on_block(e) {}
  constexpr void enter(void const* block, void const* type, std::string_view path) override { on_block(block, type, path); }
  constexpr void meet(parameter_of<float>& p, std::string_view name) override { call(p, name); }
  constexpr void meet(parameter_of<double>& p, std::string_view name) override { call(p, name); }
  constexpr void meet(parameter_of<std::int32_t>& p, std::string_view name) override { call(p, name); }
  constexpr void meet(parameter_of<std::int64_t>& p, std::string_view name) override { call(p, name); }
  constexpr void meet(parameter_of<bool>& p, std::string_view name) override { call(p, name); }
  constexpr void call(auto& p, std::string_view name) {
    if constexpr (requires { fn(p, name, declared); }) fn(p, name, declared);
    else fn(p, name);
  }
};
struct ignore_blocks {
  constexpr void operator()(void const*, void const*, std::string_view) const {}
};
}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

// The model and all that is in it, in the order of its members: fn(parameter, name[, declared shape]) for each parameter, and
// enter(address, type_tag, path) for each block. Names are structural (`hidden.weight`); without `names` they are empty.
template <class M, class Fn, class Enter = detail::ignore_blocks> constexpr void visit_parameters(M const& m, Fn fn, Enter enter = {},
                                                                                                  bool names = true) {
  list<char> path;
  detail::calling_visitor<Fn, Enter> v(fn, enter);
  detail::walk(m, v, names ? &path : nullptr);
}
// The same twice: fn(parameter, name, bool again). What takes memory comes first, so that the second visit takes none if fn does not.
template <class M, class Fn> constexpr void visit_parameters_twice(M const& m, Fn fn) {
  list<char> path;
  bool again = false;
  detail::ignore_blocks enter;
  auto call = [&](auto& p, std::string_view name) { fn(p, name, again); };
  detail::calling_visitor<decltype(call), detail::ignore_blocks> v(call, enter);
  detail::walk(m, v, &path);
  again = true;
  detail::walk(m, v, &path);
}

}  // namespace SINTER_ISA
namespace detail {
template <class M, fault F> struct faulty {
  using block_type = M;
  static constexpr fault what = F;
};
// faulty<...> for the first block in M with a fault; or nothing. Equal halves of a tree of children are looked at once.
template <class M> struct find_fault;
template <class A, class B> struct find_fault_of_two : find_fault<A> {};
template <class A, class B>
  requires std::is_same_v<typename find_fault<A>::type, nothing>
struct find_fault_of_two<A, B> : find_fault<B> {};
template <class M> constexpr auto inside() {
  if constexpr (!block<M>) return std::type_identity<nothing>{};
  else if constexpr (has_children<M>) return std::type_identity<decltype(M::children)>{};
  else if constexpr (has_members<M>) return std::type_identity<children_of_list<members_of<M>>>{};
  else return std::type_identity<nothing>{};
}
template <class M> struct find_fault : find_fault<typename decltype(inside<M>())::type> {};
template <> struct find_fault<nothing> {
  using type = nothing;
};
template <class A, class B> struct find_fault<fork<A, B>> : find_fault_of_two<A, B> {};
template <block M>
  requires(fault_of<M>() != fault::none)
struct find_fault<M> {
  using type = faulty<M, fault_of<M>()>;
};
}  // namespace detail
template <class M> using first_fault = typename detail::find_fault<M>::type;

}  // namespace sinter::nn
