// SPDX-License-Identifier: Apache-2.0
// From an operation's type to its row in graphs, and from the row back to the type.
#pragma once
#include <concepts>
#include <exception>

#include "../core/config.hpp"
#include "../core/hash.hpp"
#include "../graph/graph.hpp"

namespace sinter {
struct in_sinter {};  // lets a call find the functions of this namespace whatever its operands are
}  // namespace sinter

// Calls a function of a header that only who needs it includes, and says which one where it is not there.
#define SINTER_CALL_FROM(header, ...)                                                              \
  constexpr bool known = requires { __VA_ARGS__; };                                                \
  static_assert(known, "sinter: this function is in a header of its own; include sinter/" header); \
  if constexpr (known) __VA_ARGS__
#define SINTER_RETURN_FROM(header, ...)                                                            \
  constexpr bool known = requires { __VA_ARGS__; };                                                \
  static_assert(known, "sinter: this function is in a header of its own; include sinter/" header); \
  if constexpr (known) return __VA_ARGS__;                                                         \
  else std::terminate()

namespace sinter::ops::inline SINTER_ISA {

// The name by which graphs know an operation: SINTER_OP gives it that of its type, and any other operation declares it as a member.
template <class Op> constexpr std::string_view has_no_name() {
  static_assert(sizeof(Op) == 0, "sinter: an operation says its name: static constexpr std::string_view name = \"my.op\"");
  return {};
}
template <class Op> inline constexpr std::string_view op_name = has_no_name<Op>();
template <class Op>
  requires requires { Op::name; }
inline constexpr std::string_view op_name<Op> = Op::name;

// Specialised by SINTER_USER_OP: the type of the operation whose name hashes to Id.
template <std::uint64_t Id> struct op_at {
  using type = void;
};
// Whether no operation of Op's name is known yet: SINTER_USER_OP asks it before it makes Op known.
template <std::uint64_t Id> struct op_id {};
template <class Op> inline constexpr bool has_own_name = !requires(op_id<hash_of(op_name<Op>)>* id) { known(id); };
// Whether the name belongs to Op itself; if not, another operation of the same name would run in its place, which is reported.
template <class Op> constexpr bool is_registered() {
  using found = typename op_at<hash_of(op_name<Op>)>::type;
  static_assert(!std::is_void_v<found>,
                "sinter: graphs do not know this operation; write SINTER_USER_OP(my::op); at global scope behind it");
  static_assert(std::is_same_v<found, Op> || std::is_void_v<found>,
                "sinter: two operations have the same name, by which graphs know them; give each its own, and write SINTER_USER_OP behind "
                "each");
  return std::is_same_v<found, Op>;
}

template <class... Op> struct list_of {};

// Elementwise, evaluated on numbers of type T that are given and returned as bits.
template <class Op, class T> constexpr std::uint64_t fold_as(std::uint64_t const* v) {
  auto const r = [&] {
    if constexpr (Op::arity == 1) return Op::eval(element_of<T>(v[0]));
    else if constexpr (Op::arity == 2) return Op::eval(element_of<T>(v[0]), element_of<T>(v[1]));
    else if constexpr (Op::condition) return Op::eval(v[0] != 0, element_of<T>(v[1]), element_of<T>(v[2]));
    else return Op::eval(element_of<T>(v[0]), element_of<T>(v[1]), element_of<T>(v[2]));
  }();
  if constexpr (std::is_floating_point_v<decltype(r)>) return std::bit_cast<std::uint64_t>(static_cast<double>(r));
  else return static_cast<std::uint64_t>(static_cast<std::int64_t>(r));
}
template <class Op> constexpr std::uint64_t fold(dtype t, std::uint64_t const* v) {
  return with_computed_type(t, [&]<class T>(T*) -> std::uint64_t {
    if constexpr (Op::template takes<T>) return fold_as<Op, T>(v);
    else return 0;
  });
}

template <class Op> constexpr operand_count count_of() {
  constexpr bool says = requires { operand_count(Op::arity); };
  static_assert(says,
                "sinter: an operation says how many operands it takes: static constexpr int arity = 2, or sinter::operand_count "
                "arity{1, 3}");
  if constexpr (says) return Op::arity;
  else return {};
}
template <class Op> inline constexpr operand_count arity_of = count_of<Op>();

// The attributes of an operation, as it has declared them.
template <class Op> constexpr auto find_attributes() {
  if constexpr (requires { typename Op::attributes; }) return typename Op::attributes{};
  else return no_attributes{};
}
template <class Op> using attributes_of = decltype(find_attributes<Op>());
template <class Op> constexpr attributes_of<Op> attributes_in(graph const& g, node const& k) {
  return unpack<attributes_of<Op>>(g.words_of(k));
}

// Calls the functions of an operation. One without attributes leaves them out of the parameters.
template <class Op> constexpr inferred infer(operand_types in, attributes_of<Op> const& a, dimension_table& t) {
  if constexpr (requires { Op::infer(in, a, t); }) return Op::infer(in, a, t);
  else return Op::infer(in, t);
}
template <class Op> constexpr int expand(graph& g, operand_nodes in, attributes_of<Op> const& a) {
  if constexpr (requires { Op::expand(g, in, a); }) return Op::expand(g, in, a);
  else return Op::expand(g, in);
}
// Whether an operation has several results: `results(attributes)` of them, and `result(i, in, attributes, first)` gives the type of each.
template <class Op> inline constexpr bool has_several = requires { &Op::results; };

// The ways in which an operation says its gradient.
template <class Op>
concept has_rule_for_all = requires(graph& g, gradient_request const& r) { Op::gradients(g, r); };
template <class Op>
concept has_rule = has_rule_for_all<Op> || requires(graph& g, int y, operand_nodes d) {
  { Op::gradient(g, y, d, 0) } -> std::same_as<int>;
};
template <class Op>
concept is_flat = requires { requires Op::flat; } || requires { requires Op::truth; } || requires { requires Op::indexed; } ||
                  requires { requires arity_of<Op>.most == 0; };

// How a graph, which knows no types, calls them.
template <class Op> struct from_words {
  using attributes = attributes_of<Op>;
  static constexpr inferred infer(operand_types in, std::int64_t const* a, dimension_table& t) {
    return ops::infer<Op>(in, unpack<attributes>(a), t);
  }
  static constexpr int results(std::int64_t const* a) { return Op::results(unpack<attributes>(a)); }
  static constexpr array_type result(int i, operand_types in, std::int64_t const* a, array_type const& first) {
    return Op::result(i, in, unpack<attributes>(a), first);
  }
  static constexpr bool view(layout const& in, dims const& from, dims const& to, std::int64_t const* a, dimension_table& t, layout& out) {
    return Op::view(in, from, to, unpack<attributes>(a), t, out);
  }
  static constexpr int expand(graph& g, operand_nodes in, std::int64_t const* a) { return ops::expand<Op>(g, in, unpack<attributes>(a)); }
  // A rule is `gradients(g, request)`, or `gradient(g, y, d, i)`: that of operand i alone, -1 where it is zero.
  static constexpr void gradient(graph& g, gradient_request const& r) {
    if constexpr (has_rule_for_all<Op>) Op::gradients(g, r);
    else
      for (int i = 0; i < r.wanted.n; ++i)
        if (r.wanted[i]) r.to[i] = Op::gradient(g, r.y, r.d, i);
  }
};

// An effect is a kernel of its own: one that is fused, read as a view or written with other operations would have no place in an order.
template <class Op> constexpr bool may_have_effect() {
  constexpr bool may = Op::kind == family::opaque || !requires { requires Op::effect; };
  static_assert(may, "sinter: an operation with an effect is opaque: derive it from sinter::ops::opaque_op");
  return may;
}
template <class Op> constexpr op_info make_info() {
  is_registered<Op>();
  may_have_effect<Op>();
  op_info r;
  r.arity = arity_of<Op>;
  r.name = op_name<Op>;
  r.id = hash_of(op_name<Op>);
  r.kind = Op::kind;
  r.several = has_several<Op>;
  r.fields = attribute_fields<attributes_of<Op>>.rows;
  r.n_fields = attribute_fields<attributes_of<Op>>.n;
  r.infer = &from_words<Op>::infer;
  if constexpr (has_several<Op>) r.results = &from_words<Op>::results, r.result = &from_words<Op>::result;
  if constexpr (Op::kind == family::view) r.view = &from_words<Op>::view;
  if constexpr (Op::kind == family::composite) r.expand = &from_words<Op>::expand;
#define SINTER_PROPERTY(name) \
  if constexpr (requires { Op::name; }) r.name = Op::name;
  SINTER_PROPERTY(formats)
  SINTER_PROPERTY(exact)
  SINTER_PROPERTY(commutative)
  SINTER_PROPERTY(idempotent)
  SINTER_PROPERTY(involution)
  SINTER_PROPERTY(selects)
  SINTER_PROPERTY(truth)
  SINTER_PROPERTY(condition)
  SINTER_PROPERTY(indexed)
  SINTER_PROPERTY(effect)
  SINTER_PROPERTY(own_gradient)
  SINTER_PROPERTY(moves)
  SINTER_PROPERTY(keeps_order)
  SINTER_PROPERTY(divisor)
  SINTER_PROPERTY(mapped)
  SINTER_PROPERTY(flops)
  SINTER_PROPERTY(cost)
#undef SINTER_PROPERTY
  if constexpr (has_rule<Op>) {
    r.derives = derivative::rule;
    if constexpr (requires { Op::name; }) r.gradient = &from_words<Op>::gradient;  // not of F
  } else if constexpr (requires { r.derives = Op::derives; }) r.derives = Op::derives;
  else if constexpr (is_flat<Op>) r.derives = derivative::zero;
  else if constexpr (Op::kind == family::composite) r.derives = derivative::definition;
  if constexpr (requires { r.rule_of = Op::rule_of; }) r.rule_of = Op::rule_of;
  if constexpr (requires { r.narrowed = Op::narrowed; }) r.narrowed = Op::narrowed;
  if constexpr (Op::kind == family::elementwise && requires { requires Op::exact && Op::foldable; }) r.fold = &fold<Op>;
  return r;
}
template <class Op> inline constexpr op_info info = make_info<Op>();

// Appends an operation whose operands fit: those of a rewrite, or of a composite operation's definition.
template <class Op, std::same_as<int>... I> constexpr int make(graph& g, attributes_of<Op> const& a, I... in) {
  int const nodes[]{in..., 0};
  inferred why;
  int const made = g.apply(info<Op>, {nodes, sizeof...(in)}, pack(a), why);
  if (made < 0) throw error("sinter: a rewrite made an operation whose operands do not fit");
  return made;
}
template <class Op, std::same_as<int>... I>
  requires(std::is_same_v<attributes_of<Op>, no_attributes>)
constexpr int make(graph& g, I... in) {
  return make<Op>(g, no_attributes{}, in...);
}

// What gradients are written with: operand j of node y, and a number in its dtype.
constexpr int operand_of(graph const& g, int y, int j) { return g.operand(g.nodes[y], j); }
constexpr int number_beside(graph& g, int y, double v) { return g.scalar(g.nodes[y].type.type, v); }

}  // namespace sinter::ops::inline SINTER_ISA

// At global scope, after an operation of one's own: lets graphs find the type again. Use it as my::selu is used in the tests:
// `SINTER_USER_OP(my::selu_op)`, then `inline constexpr sinter::ops::function<selu_op> selu{};` makes it callable.
#define SINTER_USER_OP(...)                                                                                 \
  static_assert(sinter::ops::has_own_name<__VA_ARGS__>,                                                     \
                "sinter: two operations have the same name, by which graphs know them; give each its own"); \
  SINTER_KNOWN_OP(__VA_ARGS__)
#define SINTER_KNOWN_OP(...)                                                                  \
  template <> struct sinter::ops::op_at<sinter::hash_of(sinter::ops::op_name<__VA_ARGS__>)> { \
    using type = __VA_ARGS__;                                                                 \
  };                                                                                          \
  namespace sinter::ops {                                                                     \
  void known(op_id<sinter::hash_of(op_name<__VA_ARGS__>)>*);                                  \
  }                                                                                           \
  static_assert(true)
