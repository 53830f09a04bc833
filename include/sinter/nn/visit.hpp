// SPDX-License-Identifier: Apache-2.0
// Walks through a network's members, which gives every parameter and block its structural name.
#pragma once
#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/core/to.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/unpack.hpp>

#include "define_struct.hpp"
#include "parameter.hpp"

namespace sinter {
template <class Model, class Backend> class hybridized;
}

namespace sinter::nn {

namespace hana = boost::hana;

// No common base: two empty bases of one type may not share an address, so a block and its first member would be pushed apart.
template <class T>
concept block_like = requires { typename std::remove_cvref_t<T>::block_type; };
// One whose forward is plain C++, so that no compiled network can hold it (nn/plain.hpp).
template <class T>
concept plain_block = requires { typename std::remove_cvref_t<T>::plain_block_type; };

// What hybridize() gives, as a child of a plain block: parameters are found in the network that it was made of.
template <class T> inline constexpr bool is_hybridized = false;
template <class M, class Backend> inline constexpr bool is_hybridized<hybridized<M, Backend>> = true;
template <class T>
concept compiled_block = is_hybridized<T>;
template <class T> struct network_of;
template <class M, class Backend> struct network_of<hybridized<M, Backend>> {
  using type = M;
};
template <class T>
concept child_block = block_like<T> || compiled_block<T>;

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
// Eight pairs in one step, so that the compilers' limits of depth suffice for thousands.
template <class... D, class A, class B, class C, class E, class F, class G, class H, class I, class J, class K, class M, class N, class O,
          class P, class Q, class R, class... L>
struct pair_up<children_list<D...>, A, B, C, E, F, G, H, I, J, K, M, N, O, P, Q, R, L...>
    : pair_up<children_list<D..., fork<A, B>, fork<C, E>, fork<F, G>, fork<H, I>, fork<J, K>, fork<M, N>, fork<O, P>, fork<Q, R>>, L...> {};
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

namespace detail {
// Over the tree, because Clang stops at a fold over more than 256.
template <class T> inline constexpr bool all_blocks = child_block<T>;
template <> inline constexpr bool all_blocks<nothing> = true;
template <class A, class B> inline constexpr bool all_blocks<fork<A, B>> = all_blocks<A> && all_blocks<B>;
template <class T> inline constexpr bool any_plain = plain_block<T> || compiled_block<T>;
template <class A, class B> inline constexpr bool any_plain<fork<A, B>> = any_plain<A> || any_plain<B>;
}  // namespace detail

template <class M>
concept has_children = requires { typename M::child_types; };  // a block_list, not a member that happens to be called so
template <class M>
concept has_members = hana::Struct<std::remove_const_t<M>>::value;

template <class T> inline constexpr char type_tag = 0;  // its address stands for the type

// What can be wrong with a block's declaration.
enum class fault : std::int8_t { none, hidden, value, holder, left_out, other_base, plain };
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
  return ((is_parameter<L> || child_block<L> || std::is_empty_v<L>) && ...);
}
// Parameters are not trivial to copy, so that numbers and structs of numbers hold none; a std::array of layers does.
template <class... L> constexpr bool hide_parameters(children_list<L...>) {
  return (!(is_parameter<L> || child_block<L> || std::is_empty_v<L> || std::is_trivially_copyable_v<L>) || ...);
}
template <class L> inline constexpr bool holds_plain_blocks = false;
template <class... L> inline constexpr bool holds_plain_blocks<children_list<L...>> = (any_plain<L> || ...);
template <class M> constexpr fault fault_of() {
  if constexpr (!std::is_base_of_v<typename M::block_type, M>) return fault::other_base;
  else if constexpr (std::is_empty_v<M>) return fault::none;
  else if constexpr (has_children<M>) return sizeof(M) == sizeof(typename M::block_type) ? fault::none : fault::left_out;
  else if constexpr (!has_members<M>) return fault::hidden;
  else if (!plain_block<M> && holds_plain_blocks<members_of<M>>) return fault::plain;
  else if (hide_parameters(members_of<M>{})) return fault::holder;
  else if (!hold_parameters(members_of<M>{})) return fault::value;
  else return all_members_declared<M>() ? fault::none : fault::left_out;
}
template <class M> inline constexpr fault fault_in = fault_of<M>();  // found once: a trace meets the block again and again
// The sentence for it. Sound is false, as a parameter: Clang prints any other condition in front of the sentence.
template <class Block, fault Why, bool Sound = false> constexpr bool check_block() {
  if constexpr (Why == fault::other_base)
    static_assert(Sound,
                  "sinter: a block derives from hybrid_block of its own type, struct net : nn::hybrid_block<net>; this one names another "
                  "block there");
  if constexpr (Why == fault::hidden)
    static_assert(Sound, "sinter: the members of a hybrid block are declared with BOOST_HANA_DEFINE_STRUCT, in a public section");
  if constexpr (Why == fault::plain)
    static_assert(
        Sound,
        "sinter: a hybrid block has a member that is a plain block or compiled already, which it cannot trace; make that member an "
        "nn::hybrid_block, or this block an nn::block, whose hybridize() compiles the hybrid blocks in it");
  if constexpr (Why == fault::value)
    static_assert(Sound,
                  "sinter: a block has a member that is neither a parameter nor a block; a value that shapes the graph belongs into its "
                  "type, as a template argument or a static member");
  if constexpr (Why == fault::holder)
    static_assert(Sound,
                  "sinter: a block has a member that is neither a parameter nor a block, and may hold some that nobody would find, as a "
                  "std::vector of layers does; make each a member, or use hybrid_sequential");
  if constexpr (Why == fault::left_out)
    static_assert(Sound,
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
  constexpr virtual void meet(any_parameter&, dtype, std::string_view) = 0;

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
// The next name of a path, behind a dot. A function of its own, because every block's walk would contain the array that grows.
SINTER_NOINLINE constexpr void append_name(list<char>& path, std::string_view name) {
  if (!path.empty()) path.push('.');
  for (char const c : name) path.push(c);
}
// Without a path names are left out, which a trace in a constant expression does not pay for then.
template <class M> SINTER_COLD constexpr void walk(M const& m, visitor& v, list<char>* path);

// Children have numbers, and names where their block knows some.
using name_of_child = std::string_view (*)(int);
template <class M> constexpr name_of_child names_of_children() {
  if constexpr (requires { M::name_of_child(0); }) return &M::name_of_child;
  else return nullptr;
}
template <class L> SINTER_COLD constexpr void walk_children(L const& child, int& i, visitor& v, list<char>* path, name_of_child names) {
  if constexpr (is_fork<L>) {
    walk_children(child.first, i, v, path, names);
    walk_children(child.second, i, v, path, names);
  } else if constexpr (!std::is_same_v<L, nothing>) {
    int const before = path ? path->size() : 0;
    if (path && names) append_name(*path, names(i));
    else if (path) {
      char digits[8]{};
      put_number(i, digits);
      append_name(*path, digits);
    }
    walk(child, v, path);
    if (path) path->shrink(before);
    ++i;
  }
}
// The members of M in order. Hana's accessors are called as types: its pairs and tuples as values would cost a trace hundreds of steps.
template <class... A> struct accessor_list {};
struct accessor_types {
  template <class... A> constexpr accessor_list<A...> operator()(A...) const { return {}; }
};
template <class M> using accessors_of = decltype(hana::unpack(hana::accessors<M>(), accessor_types{}));
template <class A, class M> constexpr void walk_member(M const& m, visitor& v, list<char>* path) {
  using access = std::remove_cvref_t<decltype(hana::second(std::declval<A const&>()))>;
  if (!path) return walk(access{}(m), v, path);
  int const before = path->size();
  append_name(*path, hana::to<char const*>(hana::first(A{})));
  walk(access{}(m), v, path);
  path->shrink(before);
}
template <class M, class... A> constexpr void walk_members([[maybe_unused]] M const& m, accessor_list<A...>, [[maybe_unused]] visitor& v,
                                                           [[maybe_unused]] list<char>* path) {
  (walk_member<A>(m, v, path), ...);
}
template <class M> constexpr void walk(M const& m, visitor& v, list<char>* path) {
  std::string_view const here = path ? std::string_view{path->data(), static_cast<std::size_t>(path->size())} : std::string_view{};
  if constexpr (is_parameter<M>) {
    v.declared = M::declared_shape::value;
    v.meet(const_cast<M&>(m), dtype_of<typename M::value_type>, here);  // a handle: who may change it decides whether he does
  } else if constexpr (compiled_block<M>) {
    walk(m.network(), v, path);
  } else if constexpr (block_like<M>) {
    // A parameter that the walk does not meet gets no values, eagerly as well. (Numbers in a block are refused when it is compiled.)
    if constexpr (fault_in<M> != fault::none && fault_in<M> != fault::value) check_block<M, fault_in<M>>();
    v.enter(&m, &type_tag<M>, here);
    if constexpr (has_children<M>) {
      int number = 0;
      walk_children(m.children, number, v, path, names_of_children<M>());
    } else if constexpr (has_members<M>) walk_members(m, accessors_of<M>{}, v, path);
  }
}
// The element types of the parameters that a walk through M meets, as bits: what a visit does is compiled for these alone.
template <class M> constexpr unsigned find_dtypes();
template <class M> inline constexpr unsigned dtypes_in = find_dtypes<M>();
template <class... L> constexpr unsigned dtypes_in_all(children_list<L...>) { return (0u | ... | dtypes_in<L>); }
template <class M> constexpr unsigned find_dtypes() {
  if constexpr (is_fork<M>) return dtypes_in<decltype(M::first)> | dtypes_in<decltype(M::second)>;
  else if constexpr (is_parameter<M>) return 1u << static_cast<unsigned>(dtype_of<typename M::value_type>);
  else if constexpr (compiled_block<M>) return dtypes_in<typename network_of<M>::type>;
  else if constexpr (!block_like<M>) return 0;
  else if constexpr (has_children<M>) return dtypes_in<decltype(M::children)>;
  else if constexpr (has_members<M>) return dtypes_in_all(members_of<M>{});
  else return 0;
}
template <class Fn> struct takes_parameters {  // a class, which is looked at once
  static_assert(
      sizeof(Fn) == 0,
      "sinter: what visits parameters is called with parameters of each dtype that the network has: [](auto const& p, std::string_view "
      "name) { ... }");
};
template <class Fn, class Enter, unsigned Dtypes> struct calling_visitor final : visitor {
  Fn& fn;
  Enter& on_block;
  constexpr calling_visitor(Fn& f, Enter& e) : fn(f), on_block(e) {}
  constexpr void enter(void const* block, void const* type, std::string_view path) override { on_block(block, type, path); }
  constexpr void meet(any_parameter& p, dtype t, std::string_view name) override {
    // Stops at the first that fits, and asks for the most frequent one first: each call takes steps of a trace in a constant expression.
    static_cast<void>(meet_one<float>(p, t, name) || meet_one<double>(p, t, name) || meet_one<std::int32_t>(p, t, name) ||
                      meet_one<std::int64_t>(p, t, name) || meet_one<bool>(p, t, name) || meet_one<float16>(p, t, name) ||
                      meet_one<bfloat16>(p, t, name) || meet_one<std::int8_t>(p, t, name) || meet_one<std::int16_t>(p, t, name) ||
                      meet_one<std::uint8_t>(p, t, name));
  }
  template <class T>
  constexpr bool meet_one([[maybe_unused]] any_parameter& any, [[maybe_unused]] dtype t, [[maybe_unused]] std::string_view name) {
    if constexpr ((Dtypes >> static_cast<unsigned>(dtype_of<T>) & 1u) != 0)
      if (t == dtype_of<T>) {
        auto& p = static_cast<parameter_of<T>&>(any);
        if constexpr (requires { fn(p, name, declared); }) fn(p, name, declared);
        else if constexpr (requires { fn(p, name); }) fn(p, name);
        else static_cast<void>(sizeof(takes_parameters<Fn>));
        return true;
      }
    return false;
  }
};
// Finds the member, a block or a parameter, in which an error happened.
struct member_finder final : visitor {
  void const *inner, *type;  // a parameter has no type
  std::string found;
  explicit member_finder(error const& e) : inner(e.where()), type(e.where_type()) {}
  void enter(void const* block, void const* block_type, std::string_view path) override { look(block, block_type, path); }
  void meet(any_parameter& p, dtype, std::string_view name) override { look(&p, nullptr, name); }
  SINTER_NOINLINE void look(void const* member, void const* member_type, std::string_view name) {
    if (member == inner && member_type == type) found = name;
  }
  // The member's name before the path so far, which is now one of members of `outer`.
  SINTER_NOINLINE void put_before(error& e, void const* outer, void const* outer_type) const {
    std::string path = found;
    if (!found.empty() && !e.layer().empty()) path += ".";
    path += e.layer();
    e.set_where(outer, outer_type);
    if (!path.empty()) e.set_layer(path);
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
  detail::calling_visitor<Fn, Enter, detail::dtypes_in<M>> v(fn, enter);
  detail::walk(m, v, names ? &path : nullptr);
}
// The same twice: fn(parameter, name, bool again). What takes memory comes first, so that the second visit takes none if fn does not.
template <class M, class Fn> constexpr void visit_parameters_twice(M const& m, Fn fn) {
  list<char> path;
  bool again = false;
  detail::ignore_blocks enter;
  auto call = [&](auto& p, std::string_view name) { fn(p, name, again); };
  detail::calling_visitor<decltype(call), detail::ignore_blocks, detail::dtypes_in<M>> v(call, enter);
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
  if constexpr (compiled_block<M>) return std::type_identity<typename network_of<M>::type>{};
  else if constexpr (!block_like<M>) return std::type_identity<nothing>{};
  else if constexpr (has_children<M>) return std::type_identity<decltype(M::children)>{};
  else if constexpr (has_members<M>) return std::type_identity<children_of_list<members_of<M>>>{};
  else return std::type_identity<nothing>{};
}
template <class M> struct find_fault : find_fault<typename decltype(inside<M>())::type> {};
template <> struct find_fault<nothing> {
  using type = nothing;
};
template <class A, class B> struct find_fault<fork<A, B>> : find_fault_of_two<A, B> {};
template <block_like M>
  requires(fault_in<M> != fault::none)
struct find_fault<M> {
  using type = faulty<M, fault_in<M>>;
};
}  // namespace detail
template <class M> using first_fault = typename detail::find_fault<M>::type;

}  // namespace sinter::nn
