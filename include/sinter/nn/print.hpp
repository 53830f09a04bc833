// SPDX-License-Identifier: Apache-2.0
// Networks in print, as Gluon prints them: std::cout << net shows its blocks by their names, and the shapes of their parameters.
#pragma once
#include <ostream>
#include <string>

#include "../core/error.hpp"
#include "visit.hpp"

namespace sinter::nn {
namespace detail::inline SINTER_ISA {

// Cuts what stands in the last pair of brackets off, of `net<4>` or of `f(int)::net<4>`.
constexpr std::string_view without_arguments(std::string_view s) {
  if (!s.ends_with('>')) return s;
  int open = 0;
  for (std::size_t i = s.size(); i-- > 0;) {
    open += (s[i] == '>') - (s[i] == '<');
    if (open == 0) return s.substr(0, i);
  }
  return s;
}
// The name of a type alone, without its namespace and its template arguments.
template <class Named> constexpr auto name_of_type() {  // GCC would print what std::string_view is
  std::string_view s = SINTER_FUNCTION;  // ... [with Named = a::dense<4>]
  s = s.substr(s.find("Named") + 5);
  while (s.starts_with(' ') || s.starts_with('=')) s.remove_prefix(1);
  s = without_arguments(s.substr(0, s.rfind(']')));
  std::size_t const colon = s.rfind(':');
  return colon == s.npos ? s : s.substr(colon + 1);
}

// The text of a block, line by line.
class describer {
 public:
  template <class M> void block(M const& m) {
    text += name_of_type<std::conditional_t<has_children<M>, typename M::block_type, M>>();
    text += "(";
    each_member(m, [&](std::string_view name, auto const& k) { parameter(name, k); });
    bool const holds_blocks = blocks_in(m);
    if (holds_blocks) {
      indent_ += 2;
      each_member(m, [&](std::string_view name, auto const& k) { child(name, k); });
      indent_ -= 2;
      new_line();
    }
    text += ")";
  }
  std::string text;

 private:
  int indent_ = 0;

  void new_line() { (text += "\n").append(static_cast<std::size_t>(indent_), ' '); }
  void begin(std::string_view name) {
    new_line();
    ((text += "(") += name) += "): ";
  }
  template <class K> void parameter(std::string_view name, K const& k) {
    if constexpr (is_parameter<K>) {
      if (!text.ends_with('(')) text += ", ";
      text += name;
      if constexpr (!std::is_same_v<typename K::value_type, float>) (text += " ") += name_of(dtype_of<typename K::value_type>);
      (text += " ") += to_string(k.shape().rank < 0 ? K::declared_shape::value : k.shape());
    }
  }
  template <class K> void child(std::string_view name, K const& k) {
    if constexpr (compiled_block<K>) {
      begin(name);
      text += "hybridized ";
      block(k.network());
    } else if constexpr (block_like<K>) {
      begin(name);
      block(k);
    }
  }
  template <class M> static bool blocks_in(M const& m) {
    bool any = false;
    each_member(m, [&]<class K>(std::string_view, K const&) { any = any || child_block<K>; });
    return any;
  }
  // fn(name, member) for the members of a block, or the children of a container.
  template <class M> static void each_member(M const& m, auto const& fn) {
    if constexpr (has_children<M>) {
      int number = 0;
      each_child(m.children, number, fn, names_of_children<M>());
    } else if constexpr (has_members<M>) {
      hana::for_each(hana::accessors<M>(), [&](auto a) { fn(hana::to<char const*>(hana::first(a)), hana::second(a)(m)); });
    }
  }
  template <class L> static void each_child(L const& tree, int& number, auto const& fn, name_of_child names) {
    if constexpr (is_fork<L>) {
      each_child(tree.first, number, fn, names);
      each_child(tree.second, number, fn, names);
    } else if constexpr (!std::is_same_v<L, nothing>) {
      fn(names ? std::string(names(number)) : std::to_string(number), tree);
      ++number;
    }
  }
};

}  // namespace detail::inline SINTER_ISA
inline namespace SINTER_ISA {

template <block_like D> std::ostream& operator<<(std::ostream& out, D const& net) {
  detail::describer d;
  d.block(net);
  return out << d.text;
}
template <class T, class S> std::ostream& operator<<(std::ostream& out, basic_parameter<T, S> const& p) {
  return out << "parameter " << name_of(dtype_of<T>) << ' ' << to_string(p.shape().rank < 0 ? S::value : p.shape());
}

}  // namespace SINTER_ISA
}  // namespace sinter::nn

namespace sinter::inline SINTER_ISA {

template <class M, class Backend> std::ostream& operator<<(std::ostream& out, hybridized<M, Backend> const& fast) {
  return out << "hybridized " << fast.network();
}

}  // namespace sinter::inline SINTER_ISA
