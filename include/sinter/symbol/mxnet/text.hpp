// SPDX-License-Identifier: Apache-2.0
// MXNet's symbol JSON as it stands in the file: nodes with names, attributes and inputs. Needs nlohmann/json.
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>

#include "../../io/array.hpp"
#include "structure.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

// Reads a text. What is no graph is a file_error: where, and why.
class text_reader {
 public:
  static graph_text read(std::string_view text, std::string const& file) { return text_reader(file).graph(parsed(text, file), 0); }

 private:
  using json = nlohmann::json;
  std::string const& file_;

  explicit text_reader(std::string const& file) : file_(file) {}

  static json parsed(std::string_view text, std::string const& file) {
    constexpr int deepest = 64;
    std::vector<std::set<std::string>> keys;
    auto const look = [&](int depth, json::parse_event_t event, json& value) {
      if (depth > deepest) throw file_error(file, "arrays and objects are nested deeper than any graph's");
      if (event == json::parse_event_t::object_start) keys.emplace_back();
      if (event == json::parse_event_t::object_end) keys.pop_back();
      if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
        throw file_error(file, "key " + io::in_quotes(value.get<std::string>()) + " stands twice in one object");
      return true;
    };
    if (auto const other = io::reader(std::as_bytes(std::span(text)), file).foreign(); !other.empty())
      throw file_error(file, 0, "it is no JSON text; " + other);
    try {
      return json::parse(text.begin(), text.end(), look);
    } catch (json::parse_error const& e) {
      throw file_error(file, e.byte == 0 ? 0 : e.byte - 1, "it is no JSON text, or it is cut off here");
    } catch (json::exception const&) { throw file_error(file, "it has a number that no computer holds"); }
  }
  [[noreturn]] void fail(std::string const& reason) const { throw file_error(file_, reason); }
  void only_keys(json const& object, std::initializer_list<std::string_view> known, std::string const& of) const {
    for (auto const& [key, value] : object.items())
      if (std::find(known.begin(), known.end(), key) == known.end()) fail(of + " has the unknown key " + io::in_quotes(key));
  }
  json const& array_in(json const& object, char const* key, std::string const& of) const {
    auto const at = object.find(key);
    if (at == object.end() || !at->is_array()) fail(of + " has no array `" + key + "`");
    return *at;
  }
  std::string string_in(json const& object, char const* key, std::string const& of) const {
    auto const at = object.find(key);
    if (at == object.end() || !at->is_string()) fail(of + " has no string `" + key + "`");
    return at->get<std::string>();
  }
  int number(json const& v, std::string const& of) const {
    if (!v.is_number_integer() || v.is_number_float() || (!v.is_number_unsigned() && v.get<std::int64_t>() < 0) ||
        v.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
      fail(of + " has a number that is no index");
    return v.get<int>();
  }
  // The inputs of node `limit`, or the outputs of a graph with so many nodes: whatever they name comes earlier.
  std::vector<entry> entries(json const& all, std::size_t limit, std::string const& of) const {
    std::vector<entry> r;
    for (json const& e : all) {
      if (!e.is_array() || e.size() < 2 || e.size() > 3) fail(of + " has an entry that is not [node, output, version]");
      entry const one{number(e[0], of), number(e[1], of)};
      if (e.size() == 3) number(e[2], of);
      if (static_cast<std::size_t>(one.node) >= limit)
        fail(of + " names node " + std::to_string(one.node) + ", and only those before it can be named: " + std::to_string(limit));
      r.push_back(one);
    }
    return r;
  }
  graph_text graph(json const& top, int depth) const {
    constexpr int deepest = 8;
    std::string const me = depth == 0 ? "the graph" : "a subgraph";
    if (depth > deepest) fail("subgraphs are nested deeper than in any network");
    if (!top.is_object()) fail(me + " is no JSON object");
    only_keys(top, {"nodes", "arg_nodes", "node_row_ptr", "heads", "attrs"}, me);
    graph_text r;
    for (json const& n : array_in(top, "nodes", me)) r.nodes.push_back(node(n, r.nodes.size(), depth));
    for (json const& a : array_in(top, "arg_nodes", me)) {
      int const at = number(a, "`arg_nodes`");
      if (static_cast<std::size_t>(at) >= r.nodes.size() || r.nodes[static_cast<std::size_t>(at)].op != "null")
        fail("`arg_nodes` names node " + std::to_string(at) + ", which is no variable");
      r.arguments.push_back(at);
    }
    r.heads = entries(array_in(top, "heads", me), r.nodes.size(), "`heads`");
    if (r.heads.empty()) fail("`heads` names no output");
    if (auto const at = top.find("attrs"); at != top.end()) graph_attributes(*at, r);
    return r;
  }
  // {"mxnet_version": ["int", 10901]}
  void graph_attributes(json const& all, graph_text& to) const {
    std::string noted;
    if (!all.is_object()) fail("`attrs` of the graph is no JSON object");
    for (auto const& [key, value] : all.items()) {
      if (!value.is_array() || value.size() != 2 || !value[0].is_string())
        fail("the graph's attribute " + io::in_quotes(key) + " is no pair");
      if (key == "is_np_shape") to.is_numpy = number(value[1], "`is_np_shape`") != 0;
      if (key != structure_key && key != signature_key) continue;
      if (!value[1].is_string()) fail("the graph's attribute " + io::in_quotes(key) + " is no string");
      (key == structure_key ? noted : to.signature) = value[1].get<std::string>();
    }
    if (noted.empty()) return;
    if (std::string const what = io::changed_structure(noted, structure_of(to), structure_key); !what.empty()) fail(what);
  }
  node_text node(json const& n, std::size_t id, int depth) const {
    std::string me = "node " + std::to_string(id);
    if (!n.is_object()) fail(me + " is no JSON object");
    node_text r;
    r.name = string_in(n, "name", me);
    me += " " + io::in_quotes(r.name);
    r.op = string_in(n, "op", me);
    only_keys(n, {"op", "name", "attrs", "attr", "param", "inputs", "control_deps", "subgraphs", "backward_source_id"}, me);
    for (char const* key : {"attrs", "attr", "param"})  // of MXNet 1.0, 0.9 and before
      if (auto const at = n.find(key); at != n.end()) {
        if (!at->is_object()) fail(me + " has `" + key + "` that is no JSON object");
        for (auto const& [name, value] : at->items()) {
          if (!value.is_string()) fail(me + " has the attribute " + io::in_quotes(name) + ", which is no string");
          r.attributes.emplace(name, value.get<std::string>());
        }
      }
    r.inputs = entries(array_in(n, "inputs", me), id, me);
    if (n.contains("control_deps") && !n["control_deps"].empty()) fail(me + " has `control_deps`, which sinter does not know");
    if (n.contains("subgraphs"))
      for (json const& s : array_in(n, "subgraphs", me)) r.subgraphs.push_back(graph(s, depth + 1));
    return r;
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
