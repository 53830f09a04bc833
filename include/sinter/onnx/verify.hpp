// SPDX-License-Identifier: Apache-2.0
// Checks a model that is well formed and in order: names that are defined, once and before their use, and operators that sinter has.
#pragma once
#include "operators.hpp"
#include "order.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

class verifier {
 public:
  verifier(model_proto const& m, std::string const& file) : m_(m), file_(file) {}
  // Returns the opset.
  int run() {
    if (m_.ir_version < 3 || m_.ir_version > newest_ir)
      fail(0, "the model's ir_version is " + std::to_string(m_.ir_version) + ", and those from 3 to " + std::to_string(newest_ir) +
                  " are read");
    for (opset const& o : m_.opsets) {
      if (!o.domain.empty()) continue;
      if (opset_ != 0 && opset_ != o.version) fail(0, "the model imports two opsets of one domain");
      if (o.version < oldest_opset || o.version > newest_opset)
        fail(0, "the model is of opset " + std::to_string(o.version) + ", and those from " + std::to_string(oldest_opset) + " to " +
                    std::to_string(newest_opset) + " are read");
      opset_ = static_cast<int>(o.version);
    }
    if (opset_ == 0) fail(0, "the model imports no opset of ONNX (opset_import)");
    if (m_.graph.outputs.empty()) fail(m_.graph.at, "the model has no outputs");
    graph_of(m_.graph, {});
    return opset_;
  }

 private:
  model_proto const& m_;
  std::string const& file_;
  int opset_ = 0;

  [[noreturn]] void fail(std::uint64_t at, std::string const& reason) const { throw file_error(file_, at, reason); }
  // `known`: the names that a graph may use of those around it.
  void graph_of(graph const& g, std::set<std::string> known) {
    std::set<std::string> own;
    auto const define = [&](std::string const& name, std::uint64_t at) {
      if (!own.insert(name).second) fail(at, "the value " + io::in_quotes(name) + " is defined twice");
      known.insert(name);
    };
    for (value const& v : g.inputs) define(v.name, v.at);
    std::set<std::string> constants;
    for (tensor const& t : g.initializers) {
      if (t.name.empty()) fail(t.at, "an initializer has no name");
      if (!constants.insert(t.name).second) fail(t.at, "the value " + io::in_quotes(t.name) + " is defined twice");
      if (!own.contains(t.name)) define(t.name, t.at);
      for (value const& v : g.inputs)  // an input may have a value that it has where none is given
        if (v.name == t.name && !may_be(v, t))
          fail(t.at, "the initializer " + io::in_quotes(t.name) + " has another dtype or shape than the input of its name");
    }
    for (node const& n : g.nodes) {
      node_of(n, known);
      for (std::string const& o : n.outputs)
        if (!o.empty()) define(o, n.at);
    }
    for (value const& v : g.outputs)
      if (!known.contains(v.name)) fail(v.at, "the output " + io::in_quotes(v.name) + " is computed by no node");
  }
  static bool may_be(value const& v, tensor const& t) {
    if (v.type != element::undefined && v.type != t.type) return false;
    if (!v.has_shape) return true;
    bool fits = v.shape.size() == t.shape.size();
    for (std::size_t i = 0; fits && i < t.shape.size(); ++i) fits = v.shape[i].extent < 0 || v.shape[i].extent == t.shape[i];
    return fits;
  }
  // How many inputs a node has; empty names behind the last input do not count.
  static int inputs_of(node const& n) {
    std::size_t many = n.inputs.size();
    while (many > 0 && n.inputs[many - 1].empty()) --many;
    return static_cast<int>(many);
  }
  void node_of(node const& n, std::set<std::string> const& known) {
    if (!has_domain(n.domain))
      fail(n.at, described(n) + " is of the domain " + io::in_quotes(n.domain) + ", of which sinter has no operators");
    bool in_others = false;
    operator_row const* const row = find_operator(name_in_table(n), opset_, &in_others);
    if (!row)
      fail(n.at, described(n) + ": sinter has no operator " + name_in_table(n) + (in_others ? " of opset " + std::to_string(opset_) : ""));
    for (std::string const& i : n.inputs)
      if (!i.empty() && !known.contains(i))
        fail(n.at, described(n) + " reads " + io::in_quotes(i) + ", which is no input, no initializer and no result of a node");
    if (int const inputs = inputs_of(n); inputs > row->most_inputs)
      fail(n.at, described(n) + " has " + io::counted(static_cast<std::size_t>(inputs), "input") + ", and " + n.op + " of opset " +
                     std::to_string(opset_) + " takes at most " + std::to_string(row->most_inputs));
    std::set<std::string> met;
    for (attribute const& a : n.attributes) {
      if (!has_attribute(*row, a.name))
        fail(a.at,
             described(n) + ": sinter knows no attribute " + io::in_quotes(a.name) + " of " + n.op + " in opset " + std::to_string(opset_));
      if (!met.insert(a.name).second) fail(a.at, described(n) + " has the attribute " + io::in_quotes(a.name) + " twice");
      for (graph const& g : a.graphs) graph_of(g, known);
    }
  }
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
