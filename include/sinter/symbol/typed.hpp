// SPDX-License-Identifier: Apache-2.0
// A symbol as a graph, when the shapes and dtypes of its variables are known: the graph that a compiled network has, too.
#pragma once
#include <memory>
#include <utility>

#include "../graph/graph.hpp"
#include "symbol.hpp"

namespace sinter {
namespace sym::inline SINTER_ISA {

class typed_graph {
 public:
  graph g;
  std::vector<composed const*> variables;   // in the order of list_arguments()
  std::vector<array_type> types;            // of the variables
  std::vector<composed const*> inputs, parameters;  // in the order of the graph's

  typed_graph(symbol const& s, types_by_name const& given) : nodes_(s.nodes()) {
    find_variables(given);
    for (composed const* k : variables)
      if (places_.at(k).is_known()) place_variable(*k);
    for (composed const* k : nodes_)
      if (k->call) add_operation(*k);
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (places_.at(variables[i]).node < 0) place_variable(*variables[i]);
    for (composed const* k : variables) types.push_back(places_.at(k).type);
    for (int i = 0; i < s.outputs(); ++i) g.outputs.push(node_of(s.node(i), s.index(i)));
  }

 private:
  struct place {
    int node = -1;
    array_type type;
    bool is_input = true;
    int index = -1;  // among the inputs, or the parameters
    bool is_known() const { return type.shape.rank >= 0 && (is_input || type.shape.fixed()); }
  };
  std::vector<composed const*> nodes_;
  std::map<composed const*, place> places_;  // of variables
  std::map<std::pair<composed const*, int>, int> results_;

  void find_variables(types_by_name const& given) {
    std::map<std::string, composed const*> by_name;
    for (composed const* k : nodes_) {
      if (!k->is_variable()) continue;
      auto const [at, is_new] = by_name.emplace(k->name, k);
      // Blocks may have parameters of the same name, as long as nobody is asked for them by name.
      if (!is_new && (!k->values || !at->second->values || given.contains(k->name)))
        throw error("sinter: two variables of this symbol are called `" + k->name +
                    "`; give each a name of its own, or use one symbol twice");
      variables.push_back(k);
      place p;
      p.type = k->type;
      if (dims const known = k->known_shape ? k->known_shape() : unknown_dims; known.rank >= 0) {
        if (!may_equal(p.type.shape, known)) {
          parameter_error e("sinter: a parameter of shape " + to_string(known) + " is used in shape " + to_string(p.type.shape));
          e.set_layer(k->name);
          throw e;
        }
        p.type.shape = known;
      }
      if (auto const said = given.find(k->name); said != given.end())
        take(p.type, {said->second.type, with_unknown(said->second.shape)}, *k);
      p.is_input = !k->values || given.contains(k->name);
      auto& all = p.is_input ? inputs : parameters;
      p.index = static_cast<int>(all.size());
      all.push_back(k);
      places_.emplace(k, p);
    }
    g.inputs = static_cast<int>(inputs.size());
    for (auto const& [name, type] : given)
      if (!by_name.contains(name))
        throw error("sinter: no variable of this symbol is called `" + name + "`; list_arguments() tells their names");
  }
  // What is said of a variable when it is evaluated fits what it was declared with. A dimension that has a name keeps it.
  static void take(array_type& known, array_type const& given, composed const& k) {
    if (given.type != dtype::none) {
      if (known.type != dtype::none && known.type != given.type)
        throw dtype_error("sinter: variable `" + k.name + "` of dtype " + std::string(name_of(known.type)) + " is given " +
                          std::string(name_of(given.type)));
      known.type = given.type;
    }
    if (given.shape.rank < 0) return;
    if (known.shape.rank < 0) known.shape = given.shape;
    if (!may_equal(known.shape, given.shape))
      throw shape_error("sinter: variable `" + k.name + "` of shape " + to_string(known.shape) + " is given the shape " +
                        to_string(given.shape));
    for (int i = 0; i < known.shape.rank; ++i)
      if (known.shape.d[i] == unknown_extent) known.shape.d[i] = given.shape.d[i];
  }

  int place_variable(composed const& k) {
    place& p = places_.at(&k);
    if (p.type.type == dtype::none) p.type.type = dtype::float32;
    if (!p.is_known())
      throw shape_error("sinter: the shape of variable `" + k.name + "` is not known, and does not follow from others" +
                        (p.type.shape.rank < 0 ? "" : ": of " + to_string(p.type.shape)) + "; give it with the values, or in sym::var");
    node v;
    v.op = p.is_input ? &input_op : &parameter_op;
    v.type = p.type;
    v.index = p.index;
    v.name = g.intern(k.name);
    if (p.is_input)
      for (int i = 0; i < v.type.shape.rank; ++i) v.type.shape.d[i] = g.dimensions.declare(v.type.shape.d[i], p.index, i);
    p.node = g.append(v);
    return p.node;
  }
  // A variable's type as it is known by now, without placing it.
  array_type type_of(symbol const& s) const {
    composed const& k = s.node(0);
    if (k.is_number) return k.type;
    if (k.is_variable()) {
      place const& p = places_.at(&k);
      array_type t = p.node < 0 ? p.type : g.nodes[p.node].type;
      if (t.type == dtype::none) t.type = dtype::float32;
      return t;
    }
    return g.nodes[results_.at({&k, s.index(0)})].type;
  }
  int node_of(composed const& k, int i) {
    if (k.call) return results_.at({&k, i});
    place const& p = places_.at(&k);
    return p.node < 0 ? place_variable(k) : p.node;
  }
  void add_operation(composed const& k) {
    called const& c = *k.call;
    int const n = static_cast<int>(k.in.size());
    list<array_type> types_in;
    for (symbol const& s : k.in) types_in.push(type_of(s));
    if (c.complete && types_in[0].shape.rank >= 0) complete(k, types_in);
    list<int> in(n + 1);
    for (int i = 0; i < n; ++i)
      if (symbol const& s = k.in[static_cast<std::size_t>(i)]; !s.node(0).is_number) {
        in[i] = node_of(s.node(0), s.index(0));
        types_in[i] = g.nodes[in[i]].type;
      }
    promote(k, types_in);
    for (int i = 0; i < n; ++i) in[i] = in_dtype(k, i, in[i], types_in[i].type);
    inferred why;
    int const at = g.apply(*c.op, {in.data(), n}, types_in.data(), c.attributes({types_in.data(), n}), why);
    if (at < 0) refuse(k, types_in, why.what);
    if (g.dimensions.full) refuse(k, types_in, problem::too_many_dimensions);
    for (int i = 0; i < c.results; ++i) results_[{&k, i}] = c.op->several ? g.result(at, i) : at;
  }
  // Extents of variables that follow from the other operands of the operation that reads them first.
  void complete(composed const& k, list<array_type>& types_in) {
    list<array_type> completed = types_in;
    k.call->complete(completed);
    for (int i = 0; i < completed.size(); ++i) {
      composed const& operand = k.in[static_cast<std::size_t>(i)].node(0);
      if (operand.is_variable() && places_.at(&operand).node < 0) places_.at(&operand).type.shape = completed[i].shape;
    }
  }
  void promote(composed const& k, list<array_type>& types_in) {
    int const n = types_in.size(), first = k.call->first_promoted;
    if (first < 0 || n == 0) return;
    std::unique_ptr<bool[]> const is_number(new bool[k.in.size() + 1]);
    for (std::size_t i = 0; i < k.in.size(); ++i) is_number[i] = k.in[i].node(0).is_number;
    ops::promotion const p = ops::promote_all(types_in.data(), is_number.get(), n, first);
    if (!p.ok) refuse(k, types_in, problem::mixed_dtypes);
    for (int i = first; i < n; ++i) types_in[i].type = p.common;
  }
  int in_dtype(composed const& k, int i, int at, dtype want) {
    composed const& operand = k.in[static_cast<std::size_t>(i)].node(0);
    if (!operand.is_number) return g.nodes[at].type.type == want ? at : ops::make<ops::cast>(g, {want}, at);
    if (!operand.value.fits(want))
      throw dtype_error("sinter: in " + k.name + " a number is out of the range of " + std::string(name_of(want)) +
                        "; cast the array beside it");
    return g.fill(want, dims{}, operand.value.bits(want));
  }
  [[noreturn]] void refuse(composed const& k, list<array_type> const& types_in, problem what) const {
    std::string of;
    for (array_type const& t : types_in)
      of += (of.empty() ? "" : ", ") + std::string(name_of(t.type)) + std::string(" ") + to_string(t.shape);
    std::string const s = "sinter: " + k.name + " of " + of + ": " + std::string(sentence(what));
    bool const of_dtypes = what == problem::mixed_dtypes || what == problem::wants_floating || what == problem::wants_integer ||
                           what == problem::wants_bool || what == problem::takes_no_bool;
    if (of_dtypes) throw dtype_error(s);
    throw shape_error(s);
  }
};

}  // namespace sym::inline SINTER_ISA

inline sym::of_all<array_type> symbol::infer(sym::types_by_name const& given) const {
  sym::typed_graph const t(*this, given);
  sym::of_all<array_type> r{t.types, {}};
  for (int o : t.g.outputs) r.outputs.push_back({t.g.nodes[o].type.type, ops::as_typed(t.g.nodes[o].type.shape)});
  return r;
}
inline sym::of_all<dims> symbol::infer_shape(std::map<std::string, dims> const& given) const {
  sym::types_by_name all;
  for (auto const& [name, shape] : given) all[name] = {dtype::none, shape};
  auto const t = infer(all);
  sym::of_all<dims> r;
  for (array_type const& k : t.arguments) r.arguments.push_back(k.shape);
  for (array_type const& k : t.outputs) r.outputs.push_back(k.shape);
  return r;
}
inline sym::of_all<dtype> symbol::infer_type(std::map<std::string, dtype> const& given) const {
  sym::types_by_name all;
  for (auto const& [name, type] : given) all[name] = {type, unknown_dims};
  auto const t = infer(all);
  sym::of_all<dtype> r;
  for (array_type const& k : t.arguments) r.arguments.push_back(k.type);
  for (array_type const& k : t.outputs) r.outputs.push_back(k.type);
  return r;
}
inline graph symbol::graph_of(sym::types_by_name const& given) const { return sym::typed_graph(*this, given).g; }

}  // namespace sinter
