// SPDX-License-Identifier: Apache-2.0
// A symbol as a graph, when the shapes and dtypes of its variables are known: the graph that a compiled network has, too.
#pragma once
#include <algorithm>
#include <utility>

#include "../io/array.hpp"
#include "given_types.hpp"
#include "levels.hpp"
#include "refusals.hpp"
#include "typing_observer.hpp"

namespace sinter {
namespace sym::inline SINTER_ISA {

class typed_graph {
 public:
  graph g;
  struct variable {
    composed const* node;
    array_type type;
  };
  static std::vector<std::string> names_of(std::vector<variable> const& all) {
    std::vector<std::string> r;
    r.reserve(all.size());
    for (variable const& v : all) r.push_back(v.node->name);
    return r;
  }
  std::vector<variable> variables;  // in the order of list_arguments()
  std::vector<variable> inputs, parameters;  // the same in two parts: those of the graph
  std::vector<composed const*> keys;  // for which a run draws numbers: inputs behind the others
  struct new_value {
    assignment const* of;
    array_type type;
  };
  std::vector<new_value> assigned;  // outputs behind the others: what states are to be when a run is done

  typed_graph(symbol const& s, types_by_name const& given, typing_observer* observer = nullptr) : nodes_(s.nodes()), observer_(observer) {
    find_variables(given);
    find_keys();
    find_completed();
    for (variable const& v : variables)
      if (place const& p = places_.at(v.node); p.is_known() && !p.follows) place_variable(*v.node);
    for (composed const* k : nodes_)
      if (k->call) add_operation(*k);
    for (variable& v : variables) {
      node_of(*v.node, 0);
      place const& p = places_.at(v.node);
      v.type = p.type;
      (p.is_input ? inputs : parameters).push_back(v);
    }
    for (int i = 0; i < s.outputs(); ++i) all_.whole().outputs.push(node_of(s.node(i), s.index(i)));
    for (assignments const* a : s.assigned())
      for (assignment const& one : a->all) add_assignment(one);
    g = std::move(all_.whole());
    ops::finish_updates(g);
  }

 private:
  struct place {
    int node = -1;
    array_type type;
    bool is_input = true;
    int index = -1;  // among the inputs, or the parameters
    bool follows = false;  // extents may follow from the other operands of what reads it
    bool is_known() const { return type.shape.rank >= 0 && (is_input || type.shape.fixed()); }
  };
  std::vector<composed const*> nodes_;
  std::map<composed const*, place> places_;  // of variables
  std::vector<symbol> defined_;  // whose nodes the results of `all_` belong to
  levels all_;
  typing_observer* observer_;
  int parameters_ = 0;
  composed const* inside_ = nullptr;  // whose definition is written, of several in one another the outermost

  void find_completed() {
    for (composed const* k : nodes_) {
      if (!k->bodies && !(k->call && k->call->complete)) continue;
      for (symbol const& s : k->in)
        if (composed const& v = s.node(0); v.is_variable()) {
          place& p = places_.at(&v);
          for (int i = 0; i < p.type.shape.rank; ++i) p.follows = p.follows || p.type.shape.d[i] == unknown_extent;
        }
    }
  }
  void find_keys() {
    for (composed const* k : nodes_)
      if (k->key >= 0) keys.push_back(k);
    std::sort(keys.begin(), keys.end(), [](composed const* a, composed const* b) { return a->key < b->key; });
    for (composed const* k : keys) {
      node v;
      v.op = &input_op;
      v.type = k->type;
      v.index = all_.whole().inputs++;
      v.name = all_.whole().intern(k->name);
      all_.add_to_whole(*k, all_.whole().append(v));
    }
  }
  void add_assignment(assignment const& a) {
    for (new_value const& known : assigned) {
      if (known.of == &a) return;
      if (known.of->who == a.who)
        throw error("sinter: two calls of a network in one symbol assign the state `" + a.name + "`; give each call a symbol of its own");
    }
    int const node = node_of(a.value.node(0), a.value.index(0));
    array_type const t = all_.now().nodes[node].type;
    if (t.type != a.declared.type || !t.shape.fixed() || !may_equal(a.declared.shape, t.shape))
      throw shape_error("sinter: state `" + a.name + "` of " + std::string(name_of(a.declared.type)) + " " + to_string(a.declared.shape) +
                        " is assigned " + std::string(name_of(t.type)) + " " + to_string(t.shape) +
                        "; a state is assigned a tensor of its own dtype and shape, without dynamic dimensions");
    for (dims const& d : a.read)
      if (!may_equal(d, t.shape))
        throw shape_error("sinter: state `" + a.name + "` is read in shape " + to_string(d) + ", and was assigned in " +
                          to_string(t.shape) + " before");
    assigned.push_back({&a, t});
    all_.whole().outputs.push(node);
    all_.whole().updates.push(parameter_at(a.who));
  }
  // Which parameter of the graph keeps its values there; -1 where several do.
  int parameter_at(void const* who) {
    int found = -1, n = 0;
    for (auto const& [k, p] : places_)
      if (k->who == who && !p.is_input) found = p.index, ++n;
    return n == 1 ? found : n == 0 ? parameters_++ : -1;
  }

  void find_variables(types_by_name const& given) {
    std::map<std::string, composed const*> by_name;
    for (composed const* k : nodes_) {
      if (!k->is_variable()) continue;
      auto const [at, is_new] = by_name.emplace(k->name, k);
      // Blocks may have parameters of the same name, as long as nobody is asked for them by name.
      if (!is_new && (!k->values || !at->second->values || given.contains(k->name))) refuse_twins(*k, *at->second);
      variables.push_back({k, {}});
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
      p.index = p.is_input ? all_.whole().inputs++ : parameters_++;
      places_.emplace(k, p);
    }
    for (auto const& [name, type] : given)
      if (!by_name.contains(name))
        throw error("sinter: no variable of this symbol is called " + io::in_quotes(name) + "; it has " + io::listed(names_of(variables)));
  }
  int place_variable(composed const& k) {
    place& p = places_.at(&k);
    if (p.type.type == dtype::none) p.type.type = dtype::float32;
    if (!has_tensors(p.type.type))
      throw dtype_error("sinter: variable `" + k.name + "` has dtype " + std::string(name_of(p.type.type)) +
                        ", of which there are no tensors");
    if (!p.is_known()) refuse_unknown_shape(k, p.type.shape);
    node v;
    v.op = p.is_input ? &input_op : &parameter_op;
    v.type = p.type;
    v.index = p.index;
    v.name = all_.whole().intern(k.name);
    if (p.is_input)
      for (int i = 0; i < v.type.shape.rank; ++i) v.type.shape.d[i] = all_.dimensions().declare(v.type.shape.d[i], p.index, i);
    p.node = all_.whole().append(v);
    all_.add_to_whole(k, p.node);
    return p.node;
  }
  // A symbol's type as it is known by now, without placing a variable.
  array_type type_of(symbol const& s) const {
    composed const& k = s.node(0);
    if (k.is_number) return k.type;
    if (array_type const* const t = all_.find_type(k, s.index(0))) return *t;
    if (!k.is_variable()) refuse_stranger(k);
    array_type t = places_.at(&k).type;
    if (t.type == dtype::none) t.type = dtype::float32;
    return t;
  }
  int node_of(composed const& k, int i) {
    if (k.is_variable() && places_.at(&k).node < 0) place_variable(k);
    int const at = all_.find(k, i);
    if (at < 0) refuse_stranger(k);
    return at;
  }
  void add_operation(composed const& k) {
    called const& c = *k.call;
    if (c.definition) return add_definition(k);
    composed const& named = inside_ && !k.is_named ? *inside_ : k;
    all_.now().scope = all_.now().intern(named.is_named ? named.name + composite_mark : named.layer);
    if (k.bodies) return add_control_flow(k);
    int const n = static_cast<int>(k.in.size());
    list<array_type> types_in;
    for (symbol const& s : k.in) types_in.push(type_of(s));
    if (c.complete && types_in[0].shape.rank >= 0) complete(k, types_in);
    list<int> in(n + 1);
    for (int i = 0; i < n; ++i)
      if (symbol const& s = k.in[static_cast<std::size_t>(i)]; !s.node(0).is_number) {
        in[i] = node_of(s.node(0), s.index(0));
        types_in[i] = all_.now().nodes[in[i]].type;
      }
    promote(k, types_in);
    for (int i = 0; i < n; ++i) in[i] = in_dtype(k, i, in[i], types_in[i].type);
    graph& to = all_.now();
    inferred why;
    int const at = to.apply(*c.op, {in.data(), n}, types_in.data(), c.attributes({types_in.data(), n}), why);
    if (at < 0) refuse(k, types_in, why.what);
    if (to.dimensions.full) refuse(k, types_in, problem::too_many_dimensions);
    for (int i = 0; i < c.results; ++i) {
      int const result = c.op->several ? to.result(at, i) : at;
      check_size(k, types_in, to.nodes[result].type.shape);
      all_.add(k, i, result);
    }
    if (observer_) observer_->operation(k, {types_in.data(), n});
  }
  // An operation of a file format: the operations of its definition, of symbols that stand for its operands.
  void add_definition(composed const& k) {
    std::vector<symbol> in;
    list<array_type> types_in;
    for (symbol const& s : k.in) {
      auto argument = std::make_shared<composed>();
      argument->name = s.node(0).name;
      argument->is_argument = true;
      int const at = node_of(s.node(0), s.index(0));
      all_.add(*argument, 0, at);
      types_in.push(all_.now().nodes[at].type);
      in.emplace_back(std::move(argument));
    }
    if (observer_) observer_->enter_definition(k, in);
    composed const* const outer = std::exchange(inside_, inside_ ? inside_ : &k);
    try {
      symbol const out = group(k.call->definition(in, {types_in.data(), types_in.size()}));
      defined_.insert(defined_.end(), in.begin(), in.end());
      defined_.push_back(out);
      for (composed const* inner : out.nodes())
        if (inner->call) add_operation(*inner);
      for (int i = 0; i < out.outputs(); ++i) all_.add(k, i, node_of(out.node(i), out.index(i)));
      if (observer_) observer_->leave_definition(k, out);
      inside_ = outer;
    } catch (error& e) {
      e.set_layer(k.name);
      throw;
    }
  }
  // Extents of variables that follow from the other operands of the operation that reads them first.
  void complete(composed const& k, list<array_type>& types_in) {
    list<array_type> completed = types_in;
    k.call->complete(completed);
    for (int i = 0; i < completed.size(); ++i) {
      composed const& operand = k.in[static_cast<std::size_t>(i)].node(0);
      if (operand.is_variable() && places_.at(&operand).node < 0) places_.at(&operand).type.shape = completed[i].shape;
    }
    if (!are_complete(k)) refuse_ranks(k, types_in);
  }
  bool are_complete(composed const& k) const {
    return std::all_of(k.in.begin(), k.in.end(), [&](symbol const& s) {
      composed const& v = s.node(0);
      return !v.is_variable() || places_.at(&v).node >= 0 || places_.at(&v).is_known();
    });
  }
  // Extents do not follow where the operands do not fit whatever these are.
  void refuse_ranks(composed const& k, list<array_type> const& types_in) {
    list<array_type> any = types_in;
    for (int i = 0; i < any.size(); ++i) {
      dims& shape = any[i].shape;
      if (shape.rank < 0) return;
      for (int d = 0; d < shape.rank; ++d)
        if (shape.d[d] == unknown_extent) shape.d[d] = 1;
    }
    operand_types const in{any.data(), any.size()};
    dimension_table t = all_.dimensions();
    problem const what = k.call->op->infer(in, k.call->attributes(in).data(), t).what;
    if (what == problem::rank_too_small || what == problem::kernel_rank || what == problem::too_many_dimensions) refuse(k, types_in, what);
  }
  void promote(composed const& k, list<array_type>& types_in) {
    int const n = types_in.size(), first = k.call->first_promoted;
    if (first < 0 || n == 0) return;
    list<bool> is_number;
    for (symbol const& s : k.in) is_number.push(s.node(0).is_number);
    ops::promotion const p = ops::promote_all(types_in.data(), is_number.data(), n, first);
    if (!p.ok) refuse(k, types_in, problem::mixed_dtypes);
    for (int i = first; i < n; ++i) types_in[i].type = p.common;
  }
  int in_dtype(composed const& k, int i, int at, dtype want) {
    composed const& operand = k.in[static_cast<std::size_t>(i)].node(0);
    graph& to = all_.now();
    if (!operand.is_number) return to.nodes[at].type.type == want ? at : ops::make<ops::cast>(to, {want}, at);
    if (!operand.value.fits(want))
      throw dtype_error("sinter: in " + k.name + " a number is out of the range of " + std::string(name_of(want)) +
                        "; cast the array beside it");
    return to.fill(want, dims{}, operand.value.bits(want));
  }

  // ---- control flow

  void add_control_flow(composed const& k) {
    region const& r = *k.bodies;
    auto const id = k.call->op->id;
    bool const loops = id != ops::cond_id, along = id == ops::foreach_id;
    list<int> in;
    list<array_type> types_in;
    for (int i = 0; i < r.operands; ++i) {
      symbol const& s = k.in[static_cast<std::size_t>(i)];
      in.push(node_of(s.node(0), s.index(0)));
      types_in.push(all_.now().nodes[in[i]].type);
    }
    ops::foreach::attributes a;
    static_cast<ops::region_info&>(a) = {-1, -1, r.sequences, r.states, r.most};
    extent turns = r.most;
    if (along) turns = turns_of(k, types_in);
    else if (types_in[0].type != dtype::boolean || !types_in[0].shape.fixed() || types_in[0].shape.size() != 1)
      refuse(k, types_in, "a condition is a tensor of one bool: F.sum(x) < 1");

    all_.open();
    int const skipped = along || !loops ? 0 : 1;  // the first condition of a while_loop is no argument of its body
    for (int i = 0; i < static_cast<int>(r.bodies[0].arguments.size()); ++i)
      all_.argument(r.bodies[0].arguments[static_cast<std::size_t>(i)].node(0), argument_type(types_in[i + skipped], i < r.sequences));
    list<array_type> const out = write_body(k, r.bodies[0]);
    int const more = along || !loops ? 0 : 1, stacked = loops ? out.size() - more - r.states : 0;
    for (int j = 0; loops && j < r.states; ++j) same_type(k, types_in, types_in[r.sequences + skipped + j], out[stacked + j], "state");
    if (more && (out[out.size() - 1].type != dtype::boolean || !out[out.size() - 1].shape.fixed() || out[out.size() - 1].shape.size() != 1))
      refuse(k, types_in, "a condition is a tensor of one bool: F.sum(x) < 1");
    auto first = all_.close();
    for (auto const& l : first->captured) in.push(l.outside);
    if (!loops) {
      all_.open();
      all_.capture_like(*first);
      list<array_type> const others = write_body(k, r.bodies[1]);
      for (int j = 0; j < out.size(); ++j) same_type(k, types_in, out[j], others[j], "result");
      auto second = all_.close();
      all_.capture_like(*first, *second);
      in.shrink(r.operands);
      for (auto const& l : second->captured) in.push(l.outside);
      a.body = all_.finish(*first);
      a.otherwise = all_.finish(*second);
    } else a.body = all_.finish(*first);
    for (int j = 0; j + more < out.size(); ++j) a.types.push(loops && j < stacked ? stacked_type(turns, out[j]) : out[j]);
    graph& to = all_.now();
    list<array_type> all_types;
    for (int i : in) all_types.push(to.nodes[i].type);
    inferred why;
    int const at = to.apply(*k.call->op, {in.data(), in.size()}, all_types.data(), pack(a), why);
    for (int i = 0; i < k.call->results; ++i) all_.add(k, i, to.result(at, i));
    if (observer_) observer_->control_flow(k);
  }
  list<array_type> write_body(composed const& owner, body const& b) {
    if (observer_) observer_->enter_body(owner, b);
    for (composed const* k : b.nodes) add_operation(*k);
    if (observer_) observer_->leave_body(owner, b);
    list<array_type> r;
    for (symbol const& s : b.outputs) {
      all_.now().outputs.push(node_of(s.node(0), s.index(0)));
      r.push(all_.now().nodes[all_.now().outputs[all_.now().outputs.size() - 1]].type);
    }
    return r;
  }
  // How many turns a foreach makes.
  extent turns_of(composed const& k, list<array_type> const& types_in) {
    int const n = k.bodies->sequences;
    for (int i = 0; i < n; ++i)
      if (types_in[i].shape.rank == 0)
        refuse(k, types_in, "foreach runs along the first axis of its sequences, and one of them has no axis");
    extent const turns = types_in[0].shape.d[0];
    for (int i = 1; i < n; ++i) {
      extent const other = types_in[i].shape.d[0];
      if (turns >= 0 && other >= 0 && turns != other)
        refuse(k, types_in, "foreach runs along the first axis of its sequences, and two of them have different extents there");
      all_.dimensions().same(turns, other);
    }
    return turns;
  }
  static array_type argument_type(array_type const& t, bool slice) {
    array_type r{t.type, {}};
    for (int i = slice ? 1 : 0; i < t.shape.rank; ++i) r.shape.push(t.shape.d[i]);
    return r;
  }
  static array_type stacked_type(extent turns, array_type const& t) {
    array_type r{t.type, {}};
    r.shape.push(turns);
    for (int i = 0; i < t.shape.rank; ++i) r.shape.push(t.shape.d[i]);
    return r;
  }
  void same_type(composed const& k, list<array_type> const& types_in, array_type const& a, array_type const& b, std::string_view what) {
    if (a.type != b.type || !may_equal(a.shape, b.shape)) {
      std::string const both =
          std::string(name_of(a.type)) + " " + to_string(a.shape) + " and " + std::string(name_of(b.type)) + " " + to_string(b.shape);
      refuse(k, types_in,
             what == "state" ? "a state keeps its dtype and shape from turn to turn, and this one is " + both
                             : "its two functions give results of different shapes or dtypes: " + both);
    }
    for (int i = 0; i < a.shape.rank; ++i) all_.dimensions().same(a.shape.d[i], b.shape.d[i]);
  }
};

}  // namespace sym::inline SINTER_ISA
}  // namespace sinter
