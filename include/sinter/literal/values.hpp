// SPDX-License-Identifier: Apache-2.0
// What the nodes of a file give in one call: a value for each operation, made in their order by the constructors of a tree of bases, so that no
// function has them all as parameters and no type names them all.
#pragma once
#include "check.hpp"

namespace sinter::literal::inline SINTER_ISA {

// The operations that the outputs read.
template <class File> struct operations_of {
  int n = 0;
  int at[File::nodes + 1]{};
  constexpr operations_of() {
    for (int i = 0; i < File::nodes; ++i)
      if (File::graph.vertices[i].is_read && File::graph.vertices[i].what == role::operation) at[n++] = i;
  }
};
template <class File> inline constexpr operations_of<File> operations;

// ---- parameters

// An operand that is parameter P, before the operation that reads it says its shape.
template <class File, int P> struct pending {
  using file = File;
  static constexpr int place = P;
  static constexpr dims shape = parameter_of_file<File, P>::noted.shape;
};
template <class X> inline constexpr bool is_pending = false;
template <class File, int P> inline constexpr bool is_pending<pending<File, P>> = true;

template <text Node, text Parameter> constexpr bool knows_shape() {
  static_assert(
      sizeof(Node) == 0,
      "sinter: the shape of this parameter of a symbol JSON follows neither from its note `__shape__` nor from the operation that "
      "reads it; an axis along which there are parameters must have a number as its extent; GCC prints the node and the parameter "
      "above this sentence, Clang below it");
  return true;
}
template <class X> constexpr dims shape_of_operand() {
  if constexpr (is_pending<X>) return X::shape;
  else if constexpr (requires { X::shape_type::value; }) return X::shape_type::value;
  else return unknown_dims;
}
template <text Node, text Parameter> constexpr bool fits_attributes() {
  static_assert(
      sizeof(Node) == 0,
      "sinter: the shape that is noted of this parameter of a symbol JSON (`__shape__`) is not the one that the attributes of the node "
      "say that reads it; GCC prints the node and the parameter above this sentence, Clang below it");
  return true;
}
inline constexpr int contradicts = -2;  // a rank: the note and the attributes differ
// The noted shape, where it is known; else what the row wants, and where that is not known what is noted.
template <class N, int K, class P, class First> constexpr dims shape_wanted() {
  dims r = P::shape;
  using M = typename N::meaning;
  if constexpr (requires { M::row_type::wanted(M::values, K, dims{}); }) {
    if (dims const said = M::row_type::wanted(M::values, K, unknown_dims); r.rank >= 0 && said.rank >= 0 && !may_equal(r, said)) {
      r.rank = contradicts;
      return r;
    }
    if (r.fixed()) return r;
    dims const w = M::row_type::wanted(M::values, K, shape_of_operand<First>());
    if (r.rank < 0) r = w;
    for (int i = 0; i < r.rank && r.rank == w.rank; ++i)
      if (w.d[i] >= 0) r.d[i] = w.d[i];
  }
  return r;
}
template <class N, int K, class First, class Tree, class A> constexpr auto operand_value(auto const& F, Tree const& tree, A const& a) {
  if constexpr (!is_pending<A>) return a;
  else {
    constexpr dims shape = shape_wanted<N, K, A, First>();
    if constexpr (shape.fixed()) return F.get(nn::detail::child_at<A::place>(tree), shape_of_value<fixed_dims<shape>>{});
    else {
      using P = parameter_of_file<typename A::file, A::place>;
      constexpr auto name = text_of<P::read.name.n>(P::name.data());
      if constexpr (shape.rank == contradicts) fits_attributes<N::name_text, name>();
      else knows_shape<N::name_text, name>();
      return F.template refused<ops::identity>();
    }
  }
}
template <class A, class... More> constexpr auto first_poison(A const& a, More const&... more) {
  if constexpr (nn::is_poison<A>) return a;
  else return first_poison(more...);
}

// ---- one node

// The name is a template argument, so that the compilers print it with every error inside.
template <text Name, class Meaning, class... X> constexpr auto call_row(auto const& F, X const&... x) {
  if constexpr ((nn::is_poison<X> || ...)) return first_poison(x...);
  else return Meaning::row_type::template call<Meaning>(F, x...);
}
template <class N, int... K, class Tree, class A, class... More>
constexpr auto call_with_parameters(std::integer_sequence<int, K...>, auto const& F, Tree const& tree, A const& a, More const&... more) {
  // In this order on every compiler, so that the first parameter without values is the same.
  std::tuple<decltype(operand_value<N, 0, A>(F, tree, a)), decltype(operand_value<N, K + 1, A>(F, tree, more))...> const in{
      operand_value<N, 0, A>(F, tree, a), operand_value<N, K + 1, A>(F, tree, more)...};
  return call_row<N::name_text, typename N::meaning>(F, std::get<0>(in), std::get<K + 1>(in)...);
}
template <class N, class... X> constexpr auto in_node(auto const& F, auto const& tree, X const&... x) {
  if constexpr ((is_pending<X> || ...) && !(nn::is_poison<X> || ...))
    return call_with_parameters<N>(std::make_integer_sequence<int, static_cast<int>(sizeof...(X)) - 1>{}, F, tree, x...);
  else return call_row<N::name_text, typename N::meaning>(F, x...);
}
template <class N> using operands_read = std::make_integer_sequence<int, N::meaning::reads_one ? 1 : N::place.inputs>;
// While a trace has names, those of nodes are its scopes, as paths of layers are.
template <class Space> class named_scope {
 public:
  constexpr named_scope(Space const& F, [[maybe_unused]] std::string_view name) : space_(F) {
    if constexpr (requires { tape_of(F); }) {
      tape& t = tape_of(F);
      before_ = t.g.scope;
      if (!t.named) return;
      list<char> path;
      for (char const c : t.g.str(before_)) path.push(c);
      if (!path.empty()) path.push('.');
      for (char const c : name) path.push(c);
      t.g.scope = t.g.intern({path.data(), static_cast<std::size_t>(path.size())});
    }
  }
  constexpr ~named_scope() {
    if constexpr (requires { tape_of(space_); }) tape_of(space_).g.scope = before_;
  }

 private:
  Space const& space_;
  span_of before_{};
};

// ---- a call

template <class Run> struct all_values;
// A call of a file with inputs X. Tree: of its parameters.
template <class File, class Tree, class Space, class... X> struct run {
  using file = File;
  using tree = Tree;
  using space = Space;
  using input_types = std::tuple<X...>;
  using inputs = std::tuple<X const&...>;
};
template <class Run, int Node, class Operands> struct slot;
template <class Run, int Node> using slot_of = slot<Run, Node, operands_read<node_of<typename Run::file, Node>>>;
// What an entry names, by its role.
template <class Run, int Node, int Output, role What = Run::file::graph.vertices[Node].what> struct operand {  // a parameter, or a label
  using type = pending<typename Run::file, Run::file::graph.vertices[Node].place>;
  static constexpr type get(all_values<Run> const&) { return {}; }
};
template <class Run, int Node, int Output> struct operand<Run, Node, Output, role::input> {
  static constexpr auto place = static_cast<std::size_t>(Run::file::graph.vertices[Node].place);
  using type = std::tuple_element_t<place, typename Run::input_types>;
  static constexpr type const& get(all_values<Run> const& all) { return std::get<place>(all.inputs); }
};
template <class All, int Output> struct result_of {
  using type = All;
  static constexpr bool is_one = true;
};
template <class... All, int Output> struct result_of<std::tuple<All...>, Output> {
  using type = std::tuple_element_t<static_cast<std::size_t>(Output), std::tuple<All...>>;
  static constexpr bool is_one = false;
};
template <class Run, int Node, int Output> struct operand<Run, Node, Output, role::operation> {
  using slot = slot_of<Run, Node>;
  using result = result_of<typename slot::type, Output>;
  using type = typename result::type;
  static constexpr type const& get(all_values<Run> const& all) {
    slot const& s = all;
    if constexpr (result::is_one) return s.value;
    else return std::get<static_cast<std::size_t>(Output)>(s.value);
  }
};
template <class Run, int Node, int... K> struct slot<Run, Node, std::integer_sequence<int, K...>> {
  using node = node_of<typename Run::file, Node>;
  template <int I> using operand_at =
      operand<Run, Run::file::graph.entries[node::place.first + I].node, Run::file::graph.entries[node::place.first + I].output>;
  using type = decltype(in_node<node>(std::declval<typename Run::space const&>(), std::declval<typename Run::tree const&>(),
                                      std::declval<typename operand_at<K>::type const&>()...));
  type value;

  // The scope ends behind the value.
  constexpr explicit slot(all_values<Run> const& all)
      : value((static_cast<void>(named_scope(all.space, node::name)), in_node<node>(all.space, all.tree, operand_at<K>::get(all)...))) {}
};
// The values in their order, sixteen in a row: the compilers take their time for a class with hundreds of bases, and for each class.
template <class Run, int From, class Places> struct row_of_slots;
template <class Run, int From, int... I>
struct row_of_slots<Run, From, std::integer_sequence<int, I...>> : slot_of<Run, operations<typename Run::file>.at[From + I]>... {
  constexpr explicit row_of_slots(all_values<Run> const& all) : slot_of<Run, operations<typename Run::file>.at[From + I]>(all)... {}
};
template <class Run, int N, int R>
using row_at = row_of_slots<Run, 16 * R, std::make_integer_sequence<int, (N - 16 * R < 16 ? N - 16 * R : 16)>>;
template <class Run, int N, class Rows = std::make_integer_sequence<int, (N + 15) / 16>> struct slots;
template <class Run, int N, int... R> struct slots<Run, N, std::integer_sequence<int, R...>> : row_at<Run, N, R>... {
  constexpr explicit slots([[maybe_unused]] all_values<Run> const& all) : row_at<Run, N, R>(all)... {}
};
// What the values are made of comes before them.
template <class Run> struct sources {
  typename Run::space const& space;
  typename Run::tree const& tree;
  typename Run::inputs inputs;
};
template <class Run> struct all_values : sources<Run>, slots<Run, operations<typename Run::file>.n> {
  constexpr explicit all_values(sources<Run> const& from) : sources<Run>(from), slots<Run, operations<typename Run::file>.n>(*this) {}
  template <int I> constexpr auto output() const {
    constexpr entry e = Run::file::graph.heads[I];
    using found = operand<Run, e.node, e.output>;
    constexpr role what = Run::file::graph.vertices[e.node].what;
    if constexpr (what == role::operation) return found::get(*this);
    else if constexpr (what == role::input) return this->space.identity(found::get(*this));
    else {
      using P = typename found::type;
      static_assert(P::shape.fixed(), "sinter: a symbol JSON gives a parameter as its output, whose shape is not noted");
      return this->space.identity(this->space.get(nn::detail::child_at<P::place>(this->tree), shape_of_value<fixed_dims<P::shape>>{}));
    }
  }
};

}  // namespace sinter::literal::inline SINTER_ISA
