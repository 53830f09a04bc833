// SPDX-License-Identifier: Apache-2.0
// Writes symbols as ONNX files.
#pragma once
#include "../io/write.hpp"
#include "../symbol/network.hpp"
#include "order.hpp"
#include "serialize.hpp"
#include "structure.hpp"
#include "writers.hpp"

namespace sinter::onnx::inline SINTER_ISA {

namespace detail {
// Leaves out what no output depends on.
inline void remove_unused(graph& g) {
  std::set<std::string> used;
  for (value const& v : g.outputs) used.insert(v.name);
  std::vector<node> kept;
  for (auto n = g.nodes.rbegin(); n != g.nodes.rend(); ++n) {
    if (std::none_of(n->outputs.begin(), n->outputs.end(), [&](std::string const& o) { return used.contains(o); })) continue;
    for (attribute& a : n->attributes)
      for (graph& inner : a.graphs) remove_unused(inner);
    used.merge(read_by(*n));
    kept.push_back(std::move(*n));
  }
  std::reverse(kept.begin(), kept.end());
  g.nodes = std::move(kept);
  std::erase_if(g.initializers, [&](tensor const& t) { return !used.contains(t.name); });
}
inline void order_inputs(graph& g, std::vector<std::string> const& order) {
  auto const place = [&](value const& v) { return std::find(order.begin(), order.end(), v.name); };
  std::sort(g.inputs.begin(), g.inputs.end(), [&](value const& a, value const& b) { return place(a) < place(b); });
}
}  // namespace detail

inline constexpr int written_opset = 28, written_ir = 14;

// A symbol with the values of its parameters as a model of the opset that ONNX Runtime 1.32 takes. `inputs`: dtypes and shapes of its variables, in which dimensions may have
// names; these are free in the model.
//   onnx::model_proto const m = onnx::to_model(net(sym::var("x")), {{"x", {dtype::float32, shape<dim<"batch">, 784>::value}}});
// An output that named() called `scores` is `scores_output`; others are output0, output1, ... What cannot be said in ONNX is an error that names the operation.
inline model_proto to_model(symbol const& s, sym::types_by_name const& inputs) {
  sym::typed_graph const typed(s, inputs);
  if (!typed.keys.empty()) throw error("sinter: a network that draws random numbers is not written as ONNX");
  if (!typed.assigned.empty()) throw error("sinter: a network that assigns states is not written as ONNX: they would be lost");
  detail::all_names taken;
  detail::graph_writer w(typed.g, taken, typed.g);
  for (auto const& v : typed.inputs) {
    w.input_names.push_back(taken.fresh(v.node->name));
    w.to.inputs.push_back(detail::value_named(w.input_names.back(), v.type, typed.g));
  }
  for (auto const& v : typed.parameters) w.parameter_names.push_back(w.initializer(v.node->name, v.type, v.node->values(v.type.shape)));
  w.write();
  detail::order_inputs(w.to, sym::in_order_of_call(w.input_names));
  std::vector<std::string> const names = s.list_outputs();
  for (int o = 0; o < s.outputs(); ++o) {
    int const node = typed.g.outputs[o];
    std::string const like = s.node(o).is_named ? names[static_cast<std::size_t>(o)] : "output" + std::to_string(o);
    std::string const name = w.emit("Identity", {w.of(node)}, {}, like);
    w.to.outputs.push_back(detail::value_named(name, typed.g.nodes[node].type, typed.g));
  }
  detail::remove_unused(w.to);
  model_proto m;
  m.ir_version = written_ir;
  m.producer_name = "sinter";
  m.opsets.push_back({{}, written_opset});
  m.graph = std::move(w.to);
  m.graph.name = "sinter";
  std::string parameters;
  for (tensor const& t : m.graph.initializers)
    if (std::find(w.parameter_names.begin(), w.parameter_names.end(), t.name) != w.parameter_names.end()) parameters += t.name + "\n";
  m.metadata.push_back({std::string(detail::parameters_key), parameters});
  m.metadata.push_back({std::string(detail::structure_key), io::note_of_structure(detail::structure_of(m))});
  return m;
}
// A model as a file, also one that was read.
inline void save(model_proto const& m, std::string const& path) {
  io::detail::refuse_extensions(path, {".params", ".json", ".safetensors", ".npz", ".npy"}, "a model is .onnx");
  std::string const bytes = serialize(m);
  io::write_file(path, std::as_bytes(std::span(bytes)));
}
// A symbol as a file, which a reader sees whole or not at all.
//   onnx::save(net(sym::var("x")), "net.onnx", {{"x", {dtype::float32, shape<dim<"batch">, 784>::value}}});
inline void save(symbol const& s, std::string const& path, sym::types_by_name const& inputs) { save(to_model(s, inputs), path); }

}  // namespace sinter::onnx::inline SINTER_ISA
