// SPDX-License-Identifier: Apache-2.0
// A network as the two files of Gluon's export: net.export_("digits") writes digits-symbol.json and digits-0000.params.
#pragma once
#include <cstdio>
#include <limits>
#include <map>
#include <set>

#include "../io/write_params.hpp"
#include "network.hpp"
#include "symbol_block.hpp"

namespace sinter {
namespace sym::inline SINTER_ISA {

// The parameters of a symbol with their values, in the order in which the graph that is written reads them: auxiliary states as `aux:`, others as
// `arg:`.
inline std::vector<io::array> parameters_of(symbol const& s, mxnet::graph_text const& written) {
  std::set<composed const*> auxiliary;
  auto const nodes = s.nodes();
  for (composed const* k : nodes)
    if (k->call && (k->call->op->name == "batch_norm" || k->call->op->name == "BatchNorm") && k->in.size() == 5)
      auxiliary.insert(&k->in[3].node(0)), auxiliary.insert(&k->in[4].node(0));
  std::map<std::string_view, int> places;
  for (int const i : written.arguments) places.emplace(written.nodes[static_cast<std::size_t>(i)].name, i);
  std::map<std::pair<int, int>, io::array> in_order;
  for (composed const* k : nodes) {
    if (!k->is_variable() || !k->values) continue;
    dims const shape = k->known_shape();
    if (!shape.fixed())
      throw parameter_error("sinter: the shape of parameter " + io::in_quotes(k->name) +
                            " is not known; call the network once, or say of which types its inputs are: "
                            "net.export_<shape<dim<\"batch\">, 784>>(path)");
    std::byte const* const from = k->values(shape);
    io::array a{(auxiliary.contains(k) ? "aux:" : "arg:") + k->name, k->type.type, {}, {}};
    for (int i = 0; i < shape.rank; ++i) a.shape.push_back(shape.d[i]);
    a.data.assign(from, from + shape.size() * bytes_of(a.type));
    auto const place = places.find(k->name);
    in_order.emplace(std::pair(place == places.end() ? std::numeric_limits<int>::max() : place->second, static_cast<int>(in_order.size())),
                     std::move(a));
  }
  std::vector<io::array> all;
  all.reserve(in_order.size());
  for (auto& [place, a] : in_order) all.push_back(std::move(a));
  return all;
}
// Writes PATH-symbol.json and PATH-0000.params, the number being the epoch. Both are written whole before one replaces an old file, so that
// what fails leaves both old ones; the weights are replaced first, and what stops the program just then leaves them beside the old graph.
// `signature` (network.hpp) is noted, and not looked at by MXNet.
inline void export_symbol(symbol const& s, std::string const& path, int epoch = 0, std::string const& signature = {}) {
  if (epoch < 0 || epoch > 9999) throw error("sinter: an epoch is a number from 0 to 9999, and is " + std::to_string(epoch));
  char number[16];
  std::snprintf(number, sizeof number, "%04d", epoch);
  mxnet::graph_text const graph = mxnet::graph_writer::write(s);
  std::string const text = json_of(graph, signature);
  std::string const weights_path = path + "-" + number + ".params";
  std::vector<std::byte> const bytes = io::params_bytes_for(weights_path, parameters_of(s, graph), graph.is_numpy);
  io::new_file<> weights(weights_path, {bytes}), text_file(path + "-symbol.json", {std::as_bytes(std::span<char const>(text))});
  if (weights.target() == text_file.target()) throw file_error(weights_path, "it and the file of the graph are links to one file");
  weights.replace();
  text_file.replace();
}

}  // namespace sym::inline SINTER_ISA

inline namespace SINTER_ISA {
template <class... X, class M> void export_network(in_sinter, M const& net, std::string const& path, int epoch) {
  symbol const s = sym::symbol_to_save<X...>(net);
  sym::export_symbol(s, path, epoch, sym::signature_of(s, sym::types_of_inputs<X...>()));
}
inline void export_block(in_sinter, std::string const& path, symbol const& s, int epoch, std::string const& signature) {
  sym::export_symbol(s, path, epoch, signature);
}
}  // namespace SINTER_ISA

}  // namespace sinter
