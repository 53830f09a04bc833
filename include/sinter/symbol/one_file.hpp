// SPDX-License-Identifier: Apache-2.0
// One file that holds a network and its weights: safetensors whose metadata have the graph as MXNet's symbol JSON. Other programs read the
// weights of it as of any safetensors file, it may be larger than the 2 GiB of ONNX, and nothing in it is run. Needs nlohmann/json.
#pragma once
#include "../io/safetensors.hpp"
#include "../nn/load.hpp"
#include "export.hpp"

namespace sinter {
namespace sym::inline SINTER_ISA {

inline constexpr char const *graph_key = "sinter.graph", *inputs_key = "sinter.inputs";  // in the metadata

// The file: its arrays, and the graph, of which it is checked that it has the structure that it notes.
class one_file {
 public:
  explicit one_file(std::string const& path) : arrays(path), graph(read_graph(arrays, path)), path_(path) {}
  io::safetensors arrays;
  mxnet::graph_text graph;
  // The inputs in the order of a call: those that the file notes; without a note every variable of which it has no array.
  std::vector<std::string> inputs() const {
    std::vector<std::string> r;
    if (auto const at = arrays.metadata().find(inputs_key); at != arrays.metadata().end()) {
      auto const noted = nlohmann::json::parse(at->second, nullptr, false);
      if (!noted.is_array() || !std::all_of(noted.begin(), noted.end(), [](auto const& name) { return name.is_string(); }))
        throw file_error(path_, std::string("its metadata `") + inputs_key + "` are no list of names");
      for (auto const& name : noted) r.push_back(name.template get<std::string>());
      return r;
    }
    for (int const i : graph.arguments) {
      std::string const& name = graph.nodes[static_cast<std::size_t>(i)].name;
      if (std::none_of(arrays.arrays().begin(), arrays.arrays().end(), [&](io::array const& a) { return a.name == name; }))
        r.push_back(name);
    }
    return r;
  }

 private:
  std::string path_;

  static mxnet::graph_text read_graph(io::safetensors const& file, std::string const& path) {
    auto const at = file.metadata().find(graph_key);
    if (at == file.metadata().end())
      throw file_error(path, std::string("it has weights and no graph (no metadata `") + graph_key +
                                 "`); nn::load_parameters reads weights into a network that is written in C++");
    return mxnet::text_reader::read(at->second, path);
  }
};

// `inputs` in the order of a call.
inline void save_symbol(symbol const& s, std::string const& path, std::vector<std::string> const& inputs, std::string const& signature) {
  io::detail::refuse_extensions(path, {".params", ".json", ".npz", ".onnx"}, "graph and weights in one file are .safetensors");
  mxnet::graph_text const graph = mxnet::graph_writer::write(s);
  std::vector<io::array> all = parameters_of(s, graph);
  for (io::array& a : all) a.name = io::detail::bare_name(a.name);
  io::write_safetensors(path, all, {{graph_key, json_of(graph, signature)}, {inputs_key, nlohmann::json(inputs).dump()}});
}
// Refuses a file whose network is not this one, with the first difference.
inline void check_structure(one_file const& file, std::string const& path, symbol const& net) {
  auto const refuse = [&](std::string const& what) { throw file_error(path, "it holds another network: " + what); };
  mxnet::known_shapes shapes;
  for (io::array const& a : file.arrays.arrays()) {
    dims& s = shapes.in_file[a.name];
    for (extent const e : a.shape)
      if (s.rank < max_rank) s.push(e);
  }
  std::set<std::string> own;
  for (composed const* k : net.nodes()) {
    if (!k->is_variable() || !k->values) continue;
    own.insert(k->name);
    auto const at = shapes.in_file.find(k->name);
    if (at == shapes.in_file.end()) {
      if (std::any_of(file.graph.nodes.begin(), file.graph.nodes.end(), [&](auto const& n) { return n.op == "null" && n.name == k->name; }))
        throw file_error(path, "it has no array for the parameter " + io::in_quotes(k->name) + " of its graph");
      refuse("this one has the parameter " + io::in_quotes(k->name) + ", and the file has not");
    }
    dims const known = mxnet::known_shapes{}.of(*k);
    if (known.rank >= 0 && !may_equal(known, at->second))
      refuse("parameter " + io::in_quotes(k->name) + " has the shape " + to_string(at->second) + " in the file, and " + to_string(known) +
             " in this one");
  }
  for (auto const& [name, shape] : shapes.in_file)
    if (!own.contains(name)) refuse("the file has the parameter " + io::in_quotes(name) + ", and this one has not");
  std::string const difference =
      io::first_difference(mxnet::structure_of(file.graph), mxnet::structure_of(mxnet::graph_writer::write(net, shapes)));
  if (!difference.empty()) refuse(difference);
}

}  // namespace sym::inline SINTER_ISA

inline namespace SINTER_ISA {
template <class... X, class M> void save_network(in_sinter, M const& net, std::string const& path) {
  symbol const s = sym::symbol_to_save<X...>(net);
  sym::save_symbol(s, path, sym::inputs_of(s), sym::signature_of(s, sym::types_of_inputs<X...>()));
}
template <class... X, class M> void load_network(in_sinter, M& net, std::string const& path, io::load_options options = {}) {
  sym::one_file const file(path);
  sym::check_structure(file, path, sym::symbol_of<X...>(net));
  // What the graph does not read is not in the file, and keeps what it has.
  options.allow_missing = true;
  if (!file.arrays.arrays().empty()) nn::load_parameters(net, path, options);
}
inline symbol_block block_in_file(in_sinter, std::string const& path, auto of_graph) {
  sym::one_file const file(path);
  sym::arrays_by_name values;
  for (io::array const& a : file.arrays.arrays()) values.emplace(a.name, sym::array_of(file.arrays.read(a.name)));
  return of_graph(file.graph, path, file.inputs(), values, path);
}
inline void save_block(in_sinter, std::string const& path, symbol const& s, std::vector<std::string> const& inputs,
                       std::string const& signature) {
  sym::save_symbol(s, path, inputs, signature);
}
}  // namespace SINTER_ISA

}  // namespace sinter
