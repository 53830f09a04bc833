// SPDX-License-Identifier: Apache-2.0
// MXNet's symbol JSON as a symbol.
#pragma once
#include "../executor.hpp"
#include "../held.hpp"
#include "table.hpp"
#include "text.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

class graph_reader {
 public:
  // `values`: variables that have their values, by name; `free`: those whose notes of shape and dtype are not asked, because they are given.
  graph_reader(std::string const& file, arrays_by_name const& values, std::set<std::string> const& free)
      : file_(file), values_(values), free_(free) {}
  std::vector<std::string> misfits;  // values whose shapes are not those that the graph notes
  std::vector<std::string> contradictions;  // those that the attributes of a node do not fit, each as a sentence
  symbols read(graph_text const& g) {
    is_numpy_ = g.is_numpy;
    return outputs(g, {});
  }

 private:
  std::string const& file_;
  arrays_by_name const& values_;
  std::set<std::string> const& free_;
  std::set<std::string> variables_;
  bool is_numpy_ = false;

  // The outputs of a graph; of a subgraph the arguments, in the order of its variables, are given.
  symbols outputs(graph_text const& g, symbols const& arguments) {
    std::vector<symbols> made(g.nodes.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) made[static_cast<std::size_t>(g.arguments[i])] = {arguments[i]};
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
      node_text const& n = g.nodes[i];
      if (!made[i].empty()) continue;
      try {
        made[i] = n.op == "null" ? symbols{variable(n)} : operation(n, entries(n.inputs, made));
      } catch (file_error&) { throw; } catch (error const& e) {
        throw file_error(file_, "node " + io::in_quotes(n.name) + " (" + n.op + "): " + reason_of(e));
      }
    }
    try {
      return entries(g.heads, made);
    } catch (file_error&) { throw; } catch (error const& e) {
      throw file_error(file_, "`heads`: " + reason_of(e));
    }
  }
  static symbols entries(std::vector<entry> const& all, std::vector<symbols> const& made) {
    symbols r;
    for (entry const& e : all) {
      symbols const& from = made[static_cast<std::size_t>(e.node)];
      if (static_cast<std::size_t>(e.output) >= from.size())
        throw error("output " + std::to_string(e.output) + " of node " + std::to_string(e.node) + " is wanted, which has " +
                    std::to_string(from.size()));
      r.push_back(from[static_cast<std::size_t>(e.output)]);
    }
    return r;
  }
  symbol variable(node_text const& n) {
    if (!n.inputs.empty()) throw error("a variable has inputs");
    if (scope_now == 0 && !variables_.insert(n.name).second) throw error("two variables have this name");
    dims shape = unknown_dims;
    dtype type = dtype::none;
    bool const is_free = free_.contains(n.name);
    if (auto const at = n.attributes.find("__shape__"); !is_free && at != n.attributes.end() && at->second != "None") {
      attributes a(n.attributes);
      shape = noted_shape(a.list("__shape__"));
    }
    if (auto const at = n.attributes.find("__dtype__"); !is_free && at != n.attributes.end() && at->second != "-1")
      if (int const t = attributes(n.attributes).whole("__dtype__"); t >= 0 && t <= static_cast<int>(dtype::bfloat16))
        type = static_cast<dtype>(t);
    auto const own = values_.find(n.name);
    symbol r = own == values_.end() ? var(n.name, shape, type) : held(n.name, own->second);
    if (own != values_.end() && !may_equal(shape, own->second.shape()))
      misfits.push_back(io::in_quotes(n.name) + " of shape " + to_string(own->second.shape()) + " (the graph says " + to_string(shape) +
                        ")");
    for (auto const& [key, text] : n.attributes) r = r.with_attr(key, text);
    return r;
  }
  dims noted_shape(whole_numbers const& all) const {
    dims r;
    for (std::int64_t const e : all) {
      if (r.rank == max_rank) throw error("it has more than eight dimensions");
      r.push(e < 0 || (e == 0 && !is_numpy_) ? unknown_extent : e);
    }
    return r;
  }

  symbols operation(node_text const& n, symbols in) {
    auto const read = std::make_shared<file_call>(file_call{format, n.op, n.attributes, is_numpy_});
    if (n.op == "_foreach" || n.op == "_while_loop" || n.op == "_cond") return control_flow(n, in, read);
    row const* const of = table::find(n.op);
    if (!of) throw error("sinter has no such operation");
    if (!n.subgraphs.empty()) throw error("it has subgraphs, which sinter does not know of it");
    if (!of->operands.holds(static_cast<int>(in.size()))) throw error("it has " + io::counted(in.size(), "input"));
    node_reader reader{*of, n.name, std::move(in), attributes(n.attributes), is_numpy_, read};
    symbols const made = of->read ? of->read(reader) : reader.direct(of->same, reader.in);
    if (of->read) reader.a.finish();  // those without attributes take any, as MXNet's
    compare_values(reader);
    return made;
  }
  void compare_values(node_reader const& n) {
    for (wanted_shape const& w : n.wants)
      if (composed const& v = n.in[w.operand].node(0); v.is_variable() && v.values && !w.fits(v.type.shape))
        contradictions.push_back(n.title() + ": parameter " + w.misfit(v.type.shape));
  }

  // ---- control flow

  static whole_numbers places(attributes& a, char const* key, std::size_t inputs, std::size_t n) {
    whole_numbers all = a.list(key, whole_numbers{});
    for (std::int64_t const v : all)
      if (v < 0 || static_cast<std::size_t>(v) >= inputs) a.refuse(key, "there is no such input");
    if (all.size() != n) a.refuse(key, "there is not one for each");
    return all;
  }
  static symbols chosen(symbols const& in, whole_numbers const& at) {
    symbols r;
    for (std::int64_t const i : at) r.push_back(in[static_cast<std::size_t>(i)]);
    return r;
  }
  // What MXNet takes for true is any number but 0.
  static symbol condition(symbol const& s) {
    static op_info const info = sinter::detail::part("condition", family::composite);
    auto made = std::make_shared<called>();
    made->op = &info;
    made->first_promoted = -1;
    made->read = std::make_shared<file_call>(file_call{format, "", {}});
    made->definition = [](symbols const& in, operand_types t) {
      return symbols{t[0].type == dtype::boolean ? one("identity", in) : as_truth(in[0], t[0].type)};
    };
    return compose(made, {s}, s.node(0).name + ".condition")[0];
  }
  symbols control_flow(node_text const& n, symbols const& in, std::shared_ptr<file_call const> const& read) {
    if (scope_now != 0) throw error("a subgraph has subgraphs of its own, which sinter does not run");
    if (n.subgraphs.size() != (n.op == "_foreach" ? 1u : n.op == "_while_loop" ? 2u : 3u))
      throw error("it has " + io::counted(n.subgraphs.size(), "subgraph"));
    attributes a(n.attributes);
    int const results = a.at_least(1, "num_outputs"), stacked = n.op == "_cond" ? 0 : a.at_least(0, "num_out_data");
    if (results > most_results || stacked > results) a.refuse("num_outputs", "it is out of range");
    a.ignore({"num_args"});
    region_composer w(n.op == "_foreach" ? ops::info<ops::foreach> : n.op == "_cond" ? ops::info<ops::cond> : ops::info<ops::while_loop>);
    w.named(n.name, read);
    if (n.op == "_foreach") read_foreach(n, in, a, w, results, stacked);
    else if (n.op == "_cond") read_cond(n, in, a, w, results);
    else read_while_loop(n, in, a, w, results, stacked);
    a.finish();
    w.finish(results);
    symbols all;
    for (int i = 0; i < results; ++i) all.push_back(w.results(in.at(0)));
    return all;
  }
  symbols subgraph(graph_text const& g, symbols const& arguments, int results) {
    symbols const all = outputs(g, arguments);
    if (static_cast<int>(all.size()) != results) throw error("a subgraph has " + io::counted(all.size(), "output"));
    return all;
  }
  // The inputs: sequences, states, and what the body uses beside them. Each list says which variables of the body they are.
  void read_foreach(node_text const& n, symbols const& in, attributes& a, region_composer& w, int results, int stacked) {
    graph_text const& body = n.subgraphs[0];
    std::size_t const all = body.arguments.size(), states = static_cast<std::size_t>(results - stacked);
    whole_numbers const data_at = a.list("in_data_locs"), state_at = places(a, "in_state_locs", all, states);
    if (all != in.size() || data_at.size() + states > all || data_at.empty())
      throw error("its subgraph has " + io::counted(all, "variable"));
    whole_numbers const slice_at = places(a, "in_data_locs", all, data_at.size());
    whole_numbers const rest_at = places(a, "remain_locs", all, all - data_at.size() - states);
    std::size_t const first_rest = data_at.size() + states;
    for (std::size_t i = 0; i < first_rest; ++i) w.operands(in[i]);
    w.of.sequences = static_cast<int>(data_at.size());
    w.of.states = static_cast<int>(states);
    w.open();
    std::vector<std::optional<symbol>> given(all);
    for (std::size_t i = 0; i < slice_at.size(); ++i) given[static_cast<std::size_t>(slice_at[i])] = w.arguments(in[i], "slice");
    for (std::size_t i = 0; i < states; ++i) given[static_cast<std::size_t>(state_at[i])] = w.arguments(in[slice_at.size() + i], "state");
    for (std::size_t i = 0; i < rest_at.size(); ++i) given[static_cast<std::size_t>(rest_at[i])] = in[first_rest + i];
    symbols arguments;
    for (auto const& g : given) {
      if (!g) throw error("a variable of its subgraph is given nothing");
      arguments.push_back(*g);
    }
    for (symbol const& s : subgraph(body, arguments, results)) w.outputs(s);
    w.close();
  }
  void read_while_loop(node_text const& n, symbols const& in, attributes& a, region_composer& w, int results, int stacked) {
    graph_text const &test = n.subgraphs[0], &body = n.subgraphs[1];
    std::size_t const states = static_cast<std::size_t>(results - stacked);
    whole_numbers const test_at = places(a, "cond_input_locs", in.size(), test.arguments.size());
    whole_numbers const body_at = places(a, "func_input_locs", in.size(), body.arguments.size());
    whole_numbers const state_at = places(a, "func_var_locs", body.arguments.size(), states);
    symbols begins;
    for (std::int64_t const i : state_at) begins.push_back(in[static_cast<std::size_t>(body_at[static_cast<std::size_t>(i)])]);
    w.operands(condition(subgraph(test, chosen(in, test_at), 1)[0]));
    for (symbol const& s : begins) w.operands(s);
    w.of.states = static_cast<int>(states);
    w.of.most = a.at_least(1, "max_iterations");
    w.open();
    symbols now = in;  // the inputs in a turn, and behind it
    for (std::size_t i = 0; i < states; ++i)
      now[static_cast<std::size_t>(body_at[static_cast<std::size_t>(state_at[i])])] = w.arguments(begins[i], "state");
    symbols const y = subgraph(body, chosen(now, body_at), results);
    for (symbol const& s : y) w.outputs(s);
    for (std::size_t i = 0; i < states; ++i)
      now[static_cast<std::size_t>(body_at[static_cast<std::size_t>(state_at[i])])] = y[static_cast<std::size_t>(stacked) + i];
    w.outputs(condition(subgraph(test, chosen(now, test_at), 1)[0]));
    w.close();
  }
  void read_cond(node_text const& n, symbols const& in, attributes& a, region_composer& w, int results) {
    char const* const keys[]{"cond_input_locs", "then_input_locs", "else_input_locs"};
    whole_numbers at[3];
    for (std::size_t i = 0; i < 3; ++i) at[i] = places(a, keys[i], in.size(), n.subgraphs[i].arguments.size());
    w.operands(condition(subgraph(n.subgraphs[0], chosen(in, at[0]), 1)[0]));
    for (std::size_t i = 1; i < 3; ++i) {
      w.open();
      for (symbol const& s : subgraph(n.subgraphs[i], chosen(in, at[i]), results)) w.outputs(s);
      w.close();
    }
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
