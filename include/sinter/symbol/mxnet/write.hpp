// SPDX-License-Identifier: Apache-2.0
// A symbol as MXNet's symbol JSON, which MXNet 1.9.1 loads. The same symbol gives the same bytes; read and written again it gives them, too.
#pragma once
#include "../control_flow.hpp"
#include "structure.hpp"
#include "write_table.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

// The nodes of a graph in the order in which its outputs need them, and nothing that they do not need.
inline graph_text in_order(graph_text const& g) {
  std::vector<int> place(g.nodes.size(), -1);
  std::vector<std::pair<int, std::size_t>> path;
  graph_text r;
  r.is_numpy = g.is_numpy;
  for (entry const& head : g.heads) {
    if (place[static_cast<std::size_t>(head.node)] < 0) path.emplace_back(head.node, 0);
    while (!path.empty()) {
      auto& [at, next] = path.back();
      node_text const& n = g.nodes[static_cast<std::size_t>(at)];
      if (next < n.inputs.size()) {
        int const in = n.inputs[next++].node;
        if (place[static_cast<std::size_t>(in)] < 0) path.emplace_back(in, 0);
        continue;
      }
      if (place[static_cast<std::size_t>(at)] < 0) {
        place[static_cast<std::size_t>(at)] = static_cast<int>(r.nodes.size());
        if (n.op == "null") r.arguments.push_back(static_cast<int>(r.nodes.size()));
        r.nodes.push_back(n);
        for (entry& e : r.nodes.back().inputs) e.node = place[static_cast<std::size_t>(e.node)];
      }
      path.pop_back();
    }
  }
  for (entry const& head : g.heads) r.heads.push_back({place[static_cast<std::size_t>(head.node)], head.output});
  return r;
}

class graph_writer {
 public:
  static graph_text write(symbol const& s, known_shapes const& shapes = {}) {
    if (!s.assigned().empty()) throw error("sinter: this network assigns states, and MXNet's graphs have no such operation");
    graph_writer w(shapes);
    std::vector<symbol> heads;
    heads.reserve(static_cast<std::size_t>(s.outputs()));
    for (int i = 0; i < s.outputs(); ++i) heads.emplace_back(s[i]);
    return w.graph(s.nodes(), heads);
  }

 private:
  using place = std::pair<composed const*, int>;
  known_shapes const& shapes_;
  graph_text to_;
  std::map<place, entry> written_;
  std::map<composed const*, dtype> types_;  // of first results, where they are known
  std::set<composed const*> without_axes_;  // as far as it is known without shapes
  std::set<std::string> names_, variables_;
  std::map<std::string, int> numbers_;

  explicit graph_writer(known_shapes const& shapes) : shapes_(shapes) {}
  graph_text graph(std::vector<composed const*> const& nodes, std::vector<symbol> const& heads, bool is_body = false) {
    for (composed const* k : nodes) {
      if (k->is_variable() && !variables_.insert(k->name).second)
        throw error("sinter: two variables of this symbol are called `" + k->name + "`; MXNet knows them by their names");
      if (k->is_named || !k->call) names_.insert(k->name);
    }
    for (composed const* k : nodes) node(*k);
    for (symbol const& h : heads) to_.heads.push_back(is_body ? computed(at(h)) : at(h));
    return in_order(to_);
  }
  // The outputs of MXNet's subgraphs are no variables.
  entry computed(entry e) {
    if (to_.nodes[static_cast<std::size_t>(e.node)].op != "null") return e;
    to_.nodes.push_back({"_copy", "output/" + std::to_string(to_.heads.size()), {}, {e}, {}, 1});
    return {static_cast<int>(to_.nodes.size()) - 1, 0};
  }
  entry at(symbol const& s) const {
    if (s.node(0).is_number) return {-1, 0};
    auto const found = written_.find({&s.node(0), s.index(0)});
    if (found == written_.end()) throw error("sinter: " + s.node(0).name + " is used outside the loop in which it was made");
    return found->second;
  }
  void set(composed const& k, int i, entry e) { written_[{&k, i}] = e; }
  entry variable(std::string name, attribute_texts attributes) {
    to_.nodes.push_back({"null", std::move(name), std::move(attributes), {}, {}, 1});
    return {static_cast<int>(to_.nodes.size()) - 1, 0};
  }
  // What nobody has named is called by its layer and its operation, with a number behind them where there are several, and outside of layers always.
  std::string name_of_node(composed const& k) {
    if (k.is_named) return k.name;
    std::string const op = (k.layer.empty() ? "" : k.layer + ".") + std::string(k.call->op->name);
    for (;;) {
      int const number = numbers_[op]++;
      std::string const name = k.layer.empty() ? op + std::to_string(number) : number == 0 ? op : op + "_" + std::to_string(number);
      if (names_.insert(name).second) return name;
    }
  }
  void node(composed const& k) {
    if (k.is_number || written_.contains({&k, 0})) return;
    if (k.key >= 0) throw error("sinter: " + k.name + ": this network draws random numbers, and MXNet's graphs have no such operation");
    if (k.is_variable()) {
      types_[&k] = k.type.type;
      return set(k, 0, variable(k.name, variable_attributes(k)));
    }
    if (!k.call) throw error("sinter: " + k.name + " is used outside the loop in which it was made");
    std::vector<entry> in;
    in.reserve(k.in.size());
    for (symbol const& s : k.in) in.push_back(at(s));
    if (k.bodies) return control_flow(k, in);
    if (k.call->read && k.call->read->format == format) return as_read(k, in);
    if (k.call->definition) throw error("sinter: " + k.name + " (" + std::string(k.call->op->name) + ") is no operation of MXNet");
    if (!k.call->as_given)
      throw error("sinter: " + k.name +
                  ": MXNet's files have no part of an array with an ellipsis; write its axes out where it is to be saved: "
                  "x(all, all, nth<0>)");
    std::vector<dtype> const types = types_of_operands(k);
    types_[&k] = type_of_result(*k.call, types);
    node_writer w(to_, k, name_of_node(k), std::move(in), types, shapes_);
    if (gains_an_axis(k))
      w.refuse(
          "an operand has no axes, and MXNet gives it one, so that the result had one more; write F.reshape(x, into<1>) for that operand");
    if (has_no_axes(k)) without_axes_.insert(&k);
    write_call(w, k.call->op->name);
    for (std::size_t i = 0; i < w.results.size(); ++i) set(k, static_cast<int>(i), w.results[i]);
  }
  bool has_no_axes(composed const& k) const {
    static std::set<std::string_view> const reductions{"sum",    "mean", "max",    "min",       "prod",     "norm",    "argmax",
                                                       "argmin", "var",  "stddev", "logsumexp", "any_true", "all_true"};
    auto const& keywords = k.call->keywords;
    if (reductions.contains(k.call->op->name)) return !keywords.contains("axis") && !keywords.contains("keepdims");
    return k.call->op->kind == family::elementwise && std::all_of(k.in.begin(), k.in.end(), [&](symbol const& s) {
             return s.node(0).is_number || without_axes_.contains(&s.node(0));
           });
  }
  bool gains_an_axis(composed const& k) const {
    static std::map<std::string_view, std::size_t> const adding{{"stack", 0}, {"expand_dims", 0}, {"one_hot", 0}, {"take", 1}};
    auto const at = adding.find(k.call->op->name);
    return at != adding.end() && without_axes_.contains(&k.in[at->second].node(0));
  }
  // A number has the dtype of the array beside it.
  std::vector<dtype> types_of_operands(composed const& k) const {
    std::vector<dtype> types;
    dtype of_array = dtype::none;
    for (symbol const& s : k.in) {
      auto const known = types_.find(&s.node(0));
      types.push_back(known == types_.end() || s.index(0) != 0 ? dtype::none : known->second);
      if (of_array == dtype::none) of_array = types.back();
    }
    for (std::size_t i = 0; i < types.size(); ++i)
      if (k.in[i].node(0).is_number) types[i] = of_array;
    return types;
  }
  void as_read(composed const& k, std::vector<entry> in) {
    file_call const& c = *k.call->read;
    if (c.op.empty()) return set(k, 0, in[0]);  // nothing stood there
    to_.is_numpy = to_.is_numpy || c.is_numpy;
    to_.nodes.push_back({c.op, k.name, c.attributes, std::move(in), {}, k.call->results});
    for (int i = 0; i < k.call->results; ++i) set(k, i, {static_cast<int>(to_.nodes.size()) - 1, i});
  }
  // What is known of a variable, in the numpy mode with -1 for what is not.
  attribute_texts variable_attributes(composed const& k) const {
    attribute_texts a = k.attributes;
    dims const shape = shapes_.of(k);
    if (shape.fixed() && shape.rank > 0) a.emplace("__shape__", text_of(shape));
    if (k.type.type != dtype::none && k.values) a.emplace("__dtype__", text_of(static_cast<std::int64_t>(k.type.type)));
    return a;
  }

  // ---- control flow

  // A body, whose arguments and what it uses from outside are its variables. `ends`: what counts as given beside them.
  struct subgraph {
    graph_text g;
    std::vector<int> variables;  // for each of `given` which variable it is, or -1
  };
  subgraph body(std::vector<composed const*> const& nodes, std::vector<symbol> const& given, std::vector<symbol> const& heads) const {
    graph_writer inner(shapes_);
    std::vector<std::pair<place, int>> ids;
    for (symbol const& s : given) {
      place const who(&s.node(0), s.index(0));
      if (!inner.written_.contains(who)) inner.set(s.node(0), s.index(0), inner.variable("input/" + std::to_string(ids.size()), {}));
      ids.emplace_back(who, inner.at(s).node);
    }
    subgraph r{inner.graph(nodes, heads, true), {}};
    for (auto const& [where, id] : ids) {
      int found = -1;
      for (std::size_t i = 0; i < r.g.arguments.size(); ++i)
        if (r.g.nodes[static_cast<std::size_t>(r.g.arguments[i])].name == inner.to_.nodes[static_cast<std::size_t>(id)].name)
          found = static_cast<int>(i);
      r.variables.push_back(found);
    }
    return r;
  }
  static std::string list(std::vector<int> const& all) {
    std::string r = "[";
    for (std::size_t i = 0; i < all.size(); ++i) r += (i ? "," : "") + std::to_string(all[i]);
    return r + "]";
  }
  // For each variable of the subgraph which of the operation's inputs it is.
  static std::vector<int> inputs_of(subgraph const& s) {
    std::vector<int> r(s.g.arguments.size(), -1);
    for (std::size_t i = 0; i < s.variables.size(); ++i)
      if (int const v = s.variables[i]; v >= 0 && r[static_cast<std::size_t>(v)] < 0) r[static_cast<std::size_t>(v)] = static_cast<int>(i);
    return r;
  }
  void control_flow(composed const& k, std::vector<entry> const& in) {
    auto const id = k.call->op->id;
    if (id == ops::foreach_id) return foreach (k, in);
    if (id == ops::cond_id) return cond(k, in);
    while_loop(k, in);
  }
  void add(composed const& k, std::string op, attribute_texts a, std::vector<entry> in, std::vector<graph_text> subgraphs) {
    a["num_args"] = text_of(static_cast<std::int64_t>(in.size() + subgraphs.size()));
    a["num_outputs"] = text_of(std::int64_t{k.call->results});
    to_.nodes.push_back({std::move(op), name_of_node(k), std::move(a), std::move(in), std::move(subgraphs), k.call->results});
    for (int i = 0; i < k.call->results; ++i) set(k, i, {static_cast<int>(to_.nodes.size()) - 1, i});
  }
  static std::vector<symbol> captured(composed const& k) { return {k.in.begin() + k.bodies->operands, k.in.end()}; }
  static std::vector<symbol> joined(std::vector<symbol> a, std::vector<symbol> const& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  void foreach (composed const& k, std::vector<entry> const& in) {
    region const& r = *k.bodies;
    subgraph const s = body(r.bodies[0].nodes, joined(r.bodies[0].arguments, captured(k)), r.bodies[0].outputs);
    auto const part = [&](int from, int n) { return std::vector<int>(s.variables.begin() + from, s.variables.begin() + from + n); };
    for (int const v : s.variables)
      if (v < 0) throw error("sinter: " + k.name + ": a slice or a state that the loop does not read cannot be written for MXNet");
    int const states = r.states, rest = static_cast<int>(in.size()) - r.sequences - states;
    add(k, "_foreach",
        {{"in_data_locs", list(part(0, r.sequences))},
         {"in_state_locs", list(part(r.sequences, states))},
         {"remain_locs", list(part(r.sequences + states, rest))},
         {"num_out_data", text_of(std::int64_t{k.call->results - states})}},
        in, {s.g});
  }
  void cond(composed const& k, std::vector<entry> const& in) {
    region const& r = *k.bodies;
    std::vector<symbol> const given = joined({k.in[0]}, captured(k));
    graph_text test;
    test.nodes = {{"null", "condition", {}, {}, {}, 1}};
    test.arguments = {0};
    test.heads = {{0, 0}};
    subgraph const then = body(r.bodies[0].nodes, given, r.bodies[0].outputs),
                   otherwise = body(r.bodies[1].nodes, given, r.bodies[1].outputs);
    add(k, "_cond",
        {{"cond_input_locs", "[0]"}, {"then_input_locs", list(inputs_of(then))}, {"else_input_locs", list(inputs_of(otherwise))}}, in,
        {test, then.g, otherwise.g});
  }
  // The condition of the next turn is a function of the states behind this one, which MXNet wants as a graph of its own.
  void while_loop(composed const& k, std::vector<entry> const& in) {
    region const& r = *k.bodies;
    sym::body const& b = r.bodies[0];
    std::size_t const states = static_cast<std::size_t>(r.states), stacked = b.outputs.size() - 1 - states;
    std::vector<symbol> const after(b.outputs.begin() + static_cast<std::ptrdiff_t>(stacked), b.outputs.end() - 1);
    std::vector<symbol> const turn(b.outputs.begin(), b.outputs.end() - 1);
    std::set<place> different;
    for (symbol const& x : after)
      if (!different.insert({&x.node(0), x.index(0)}).second)
        throw error("sinter: " + k.name + ": a loop with two states of one value cannot be written for MXNet");
    subgraph const test = body_between(b, joined(after, captured(k)), b.outputs.back());
    subgraph const func = this->body(b.nodes, joined(b.arguments, captured(k)), turn);
    std::vector<int> vars(func.variables.begin(), func.variables.begin() + r.states);
    for (int const v : vars)
      if (v < 0) throw error("sinter: " + k.name + ": a state that the loop does not read cannot be written for MXNet");
    std::vector<entry> const inputs(in.begin() + 1, in.end());  // the first condition is that of the states
    add(k, "_while_loop",
        {{"cond_input_locs", list(inputs_of(test))},
         {"func_input_locs", list(inputs_of(func))},
         {"func_var_locs", list(vars)},
         {"max_iterations", text_of(r.most)},
         {"num_out_data", text_of(static_cast<std::int64_t>(stacked))}},
        inputs, {test.g, func.g});
  }
  subgraph body_between(sym::body const& b, std::vector<symbol> const& given, symbol const& head) const {
    std::set<place> ends;
    for (symbol const& s : given) ends.insert({&s.node(0), s.index(0)});
    std::set<composed const*> needed;
    std::vector<symbol> path{head};
    while (!path.empty()) {
      symbol const s = path.back();
      path.pop_back();
      if (s.node(0).is_number || ends.contains({&s.node(0), s.index(0)}) || !needed.insert(&s.node(0)).second) continue;
      path.insert(path.end(), s.node(0).in.begin(), s.node(0).in.end());
    }
    std::vector<composed const*> nodes;
    for (composed const* k : b.nodes)
      if (needed.contains(k)) nodes.push_back(k);
    return body(nodes, given, {head});
  }
};

// ---- text

class json_writer {
 public:
  static std::string write(graph_text const& g) {
    json_writer w;
    w.graph(g, "", true);
    return w.out_ + "\n";
  }

 private:
  std::string out_;

  // MXNet's reader knows these escapes and no others.
  void string(std::string_view s) {
    out_ += '"';
    for (char const c : s) {
      if (c == '"' || c == '\\') out_ += '\\', out_ += c;
      else if (c == '\n') out_ += "\\n";
      else if (c == '\r') out_ += "\\r";
      else if (c == '\t') out_ += "\\t";
      else if (static_cast<unsigned char>(c) < 0x20)
        throw error("sinter: a name or an attribute has a control character, which MXNet does not read");
      else out_ += c;
    }
    out_ += '"';
  }
  void entries(std::vector<entry> const& all) {
    out_ += "[";
    for (std::size_t i = 0; i < all.size(); ++i)
      out_ += (i ? ", [" : "[") + std::to_string(all[i].node) + ", " + std::to_string(all[i].output) + ", 0]";
    out_ += "]";
  }
  void numbers(std::vector<int> const& all) {
    out_ += "[";
    for (std::size_t i = 0; i < all.size(); ++i) out_ += (i ? ", " : "") + std::to_string(all[i]);
    out_ += "]";
  }
  static int results_in_file(node_text const& n) {
    row const* const r = table::find(n.op);
    return n.results + (r ? r->hidden : 0);
  }
  void graph(graph_text const& g, std::string const& indent, bool top) {
    std::string const in = "\n" + indent + "  ";
    out_ += "{" + in + "\"nodes\": [";
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
      out_ += (i ? "," : "") + in + "  ";
      node(g.nodes[i], indent + "    ");
    }
    out_ += in + "]," + in + "\"arg_nodes\": ";
    numbers(g.arguments);
    std::vector<int> rows{0};
    for (node_text const& n : g.nodes) rows.push_back(rows.back() + results_in_file(n));
    out_ += "," + in + "\"node_row_ptr\": ";
    numbers(rows);
    out_ += "," + in + "\"heads\": ";
    entries(g.heads);
    if (top) {
      out_ += "," + in + "\"attrs\": {" + (g.is_numpy ? "\"is_np_shape\": [\"int\", 1], " : "") + "\"mxnet_version\": [\"int\", 10901], ";
      if (!g.signature.empty()) {
        out_ += "\"" + std::string(signature_key) + "\": [\"str\", ";
        string(g.signature);
        out_ += "], ";
      }
      out_ += "\"" + std::string(structure_key) + "\": [\"str\", \"" + io::note_of_structure(structure_of(g)) + "\"]}";
    }
    out_ += "\n" + indent + "}";
  }
  void node(node_text const& n, std::string const& indent) {
    std::string const in = "\n" + indent + "  ";
    out_ += "{" + in + "\"op\": ";
    string(n.op);
    out_ += "," + in + "\"name\": ";
    string(n.name);
    if (!n.attributes.empty()) {
      out_ += "," + in + "\"attrs\": {";
      bool first = true;
      for (auto const& [key, text] : n.attributes) {
        out_ += (first ? "" : ",") + in + "  ";
        string(key);
        out_ += ": ";
        string(text);
        first = false;
      }
      out_ += in + "}";
    }
    out_ += "," + in + "\"inputs\": ";
    entries(n.inputs);
    if (!n.subgraphs.empty()) {
      out_ += "," + in + "\"subgraphs\": [";
      for (std::size_t i = 0; i < n.subgraphs.size(); ++i) {
        out_ += i ? ", " : "";
        graph(n.subgraphs[i], indent + "  ", false);
      }
      out_ += "]";
    }
    out_ += "\n" + indent + "}";
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
