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
template <class... D> struct pair_up<children_list<D...>> { using type = children_list<D...>; };
template <class... D, class A> struct pair_up<children_list<D...>, A> { using type = children_list<D..., A>; };
template <class... D, class A, class B, class... L> struct pair_up<children_list<D...>, A, B, L...> : pair_up<children_list<D..., fork<A, B>>, L...> {};
template <class T> struct tree { using type = nothing; };
template <class A> struct tree<children_list<A>> { using type = A; };
template <class A, class B, class... L> struct tree<children_list<A, B, L...>> : tree<typename pair_up<children_list<>, A, B, L...>::type> {};
}  // namespace detail
template <class... L> using children_of = typename detail::tree<children_list<L...>>::type;

template <class T> inline constexpr bool is_fork = false;
template <class A, class B> inline constexpr bool is_fork<fork<A, B>> = true;
// fn(child, number) for each child in order
template <class L, class Fn> constexpr void each_child(L& child, int& i, Fn&& fn) {
  if constexpr (is_fork<std::remove_const_t<L>>) {
    each_child(child.first, i, fn);
    each_child(child.second, i, fn);
  } else if constexpr (!std::is_same_v<std::remove_const_t<L>, nothing>) fn(child, i++);
}

template <class M>
concept has_children = requires(M& m) { m.children; };
template <class M>
concept has_members = hana::Struct<std::remove_const_t<M>>::value;

template <class T> inline constexpr char type_tag = 0;  // its address stands for the type

namespace detail {
constexpr int put_number(int i, char* to) {
  int n = 0;
  for (int p = 1000000; p; p /= 10)
    if (i >= p || p == 1) to[n++] = static_cast<char>('0' + i / p % 10);
  return n;
}
template <class M, class Fn> constexpr void visit(M& m, list<char>& path, Fn& fn) {
  using type = std::remove_const_t<M>;
  std::string_view const here{path.data(), static_cast<std::size_t>(path.size())};
  if constexpr (is_parameter<type>) fn(m, here);
  else if constexpr (block<type>) {
    fn(m, here);
    auto const into = [&](auto& child, char const* name, int length) {
      int const before = path.size();
      if (before) path.push('.');
      for (int i = 0; i < length; ++i) path.push(name[i]);
      visit(child, path, fn);
      path.shrink(before);
    };
    if constexpr (has_children<M>) {
      int number = 0;
      each_child(m.children, number, [&](auto& child, int i) {
        char digits[8]{};
        into(child, digits, put_number(i, digits));
      });
    } else if constexpr (has_members<M>)
      hana::for_each(hana::accessors<type>(), [&](auto a) {
        char const* name = hana::to<char const*>(hana::first(a));
        int n = 0;
        while (name[n]) ++n;
        into(hana::second(a)(m), name, n);
      });
  }
}
}  // namespace detail

// Calls fn(block or parameter, path) for the model and all that is in it, in the order of its members.
template <class M, class Fn> constexpr void visit(M& m, Fn fn) {
  list<char> path;
  detail::visit(m, path, fn);
}
// The parameters in the same order without their names, for traces in a constant expression.
template <class M, class Fn> constexpr void each_parameter(M& m, Fn& fn) {
  using type = std::remove_const_t<M>;
  if constexpr (is_parameter<type>) fn(m);
  else if constexpr (block<type>) {
    if constexpr (has_children<M>) {
      int number = 0;
      each_child(m.children, number, [&](auto& child, int) { each_parameter(child, fn); });
    } else if constexpr (has_members<M>) hana::for_each(hana::accessors<type>(), [&](auto a) { each_parameter(hana::second(a)(m), fn); });
  }
}
// Only the parameters.
template <class M, class Fn> constexpr void visit_parameters(M& m, Fn fn) {
  visit(m, [&]<class T>(T& v, std::string_view path) {
    if constexpr (is_parameter<std::remove_const_t<T>>) fn(v, path);
  });
}

// What sizeof says of a struct whose members are those that Hana knows; more means that one is not declared.
template <class M> constexpr bool all_members_declared() {
  if constexpr (has_children<M>) return true;
  else if constexpr (!has_members<M>) return std::is_empty_v<M>;
  else {
    std::size_t n = 0, align = 1;
    hana::for_each(hana::accessors<M>(), [&](auto a) {
      using T = std::remove_cvref_t<decltype(hana::second(a)(std::declval<M&>()))>;
      if (alignof(T) > align) align = alignof(T);
      n = (n + alignof(T) - 1) / alignof(T) * alignof(T) + sizeof(T);
    });
    return (n + align - 1) / align * align == sizeof(M);
  }
}

}  // namespace sinter::nn
