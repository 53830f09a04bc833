// SPDX-License-Identifier: Apache-2.0
// What a model is made of, as text: operators with their attributes and what they read, inputs and outputs with names, dtypes and shapes, and
// initializers, with their values where they are numbers of the network and no parameters, which its metadata name.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>
#include <set>
#include <type_traits>

#include "../core/with_type.hpp"
#include "../io/array.hpp"
#include "../io/structure.hpp"
#include "proto.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

// The second has the names of the initializers that are parameters, each in a line.
inline constexpr std::string_view structure_key = "sinter_structure", parameters_key = "sinter_parameters";
using parameter_names = std::set<std::string, std::less<>>;

inline parameter_names parameters_of(model_proto const& m) {
  parameter_names r;
  for (string_pair const& p : m.metadata) {
    if (p.key != parameters_key) continue;
    std::string_view rest = p.value;
    while (!rest.empty()) {
      std::size_t const end = std::min(rest.find('\n'), rest.size());
      r.emplace(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return r;
}

inline std::string type_in_words(value const& v) {
  if (!v.is_tensor) return "no tensor";
  std::string r = std::string(name_of(v.type));
  if (!v.has_shape) return r;
  r += " (";
  for (std::size_t i = 0; i < v.shape.size(); ++i) {
    dimension const& d = v.shape[i];
    r += (i ? ", " : "") + (d.extent >= 0 ? std::to_string(d.extent) : d.name.empty() ? "?" : d.name);
  }
  return r + (v.shape.size() == 1 ? ",)" : ")");
}
template <class T> std::string in_digits(T v) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, v).ptr};
}
// A few numbers as they are, others as their hash.
inline std::string values_in_words(tensor const& t) {
  constexpr std::size_t most = 64;
  std::string r;
  for (std::string const& one : t.strings) r += " `" + one + "`";
  dtype const type = dtype_of(t.type);
  if (!has_tensors(type) || t.data.size() > most * static_cast<std::size_t>(bytes_of(type)))
    return r + " #" + io::in_hex(hash_of({reinterpret_cast<char const*>(t.data.data()), t.data.size()}), 16);
  with_type(type, [&]<class T>(T*) {
    using stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
    for (std::size_t at = 0; at + sizeof(T) <= t.data.size(); at += sizeof(T)) {
      stored v{};
      std::memcpy(&v, t.data.data() + at, sizeof v);
      if constexpr (is_floating(sinter::dtype_of<T>)) r += " " + in_digits(static_cast<double>(v));
      else r += " " + in_digits(static_cast<std::int64_t>(v));
    }
  });
  return r;
}
inline std::string tensor_in_words(tensor const& t, bool is_parameter) {
  return std::string(name_of(t.type)) + " " + io::to_string(t.shape) + (is_parameter ? "" : " =" + values_in_words(t));
}
template <class List> std::string list_in_words(List const& all) {
  std::string r;
  for (auto const& v : all) {
    if (!r.empty()) r += ", ";
    if constexpr (std::is_convertible_v<decltype(v), std::string>) r += "`" + v + "`";
    else r += in_digits(v);
  }
  return "[" + r + "]";
}
inline void add_structure(io::structure& to, graph const& g, parameter_names const& parameters, std::string const& in);
inline std::string attribute_in_words(attribute const& a, parameter_names const& parameters) {
  switch (a.type) {
    case attribute_type::real: return in_digits(a.real);
    case attribute_type::whole: return in_digits(a.whole);
    case attribute_type::string: return "`" + a.string + "`";
    case attribute_type::reals: return list_in_words(a.reals);
    case attribute_type::wholes: return list_in_words(a.wholes);
    case attribute_type::strings: return list_in_words(a.strings);
    default: break;
  }
  std::string r;
  for (tensor const& t : a.tensors) r += tensor_in_words(t, false) + ";";
  for (graph const& g : a.graphs) {
    io::structure inner;
    add_structure(inner, g, parameters, "");
    r += "graph " + io::hash_of_structure(inner);
  }
  return r;
}
inline void add_structure(io::structure& to, graph const& g, parameter_names const& parameters, std::string const& in) {
  for (value const& v : g.inputs) to.push_back({in + "an input", "`" + v.name + "`: " + type_in_words(v)});
  for (tensor const& t : g.initializers)
    to.push_back({in + "an initializer", "`" + t.name + "`: " + tensor_in_words(t, parameters.contains(t.name))});
  for (node const& n : g.nodes) {
    std::string what = n.domain.empty() ? n.op : n.domain + "." + n.op;
    for (attribute const& a : n.attributes) what += " " + a.name + "=" + attribute_in_words(a, parameters);
    what += " of " + list_in_words(n.inputs) + " as " + list_in_words(n.outputs);
    to.push_back({in + "node `" + n.name + "`", std::move(what)});
  }
  for (value const& v : g.outputs) to.push_back({in + "an output", "`" + v.name + "`: " + type_in_words(v)});
}
inline io::structure structure_of(model_proto const& m) {
  io::structure r;
  for (opset const& o : m.opsets) r.push_back({"the opset", "`" + o.domain + "` " + std::to_string(o.version)});
  add_structure(r, m.graph, parameters_of(m), "");
  return r;
}

}  // namespace detail

// Names, dtypes and shapes of inputs and outputs: `data: float32 (batch, 784) -> output0: float32 (batch, 10)`.
inline std::string signature_of(model_proto const& m) {
  std::set<std::string> given;
  for (tensor const& t : m.graph.initializers) given.insert(t.name);
  std::string in, out;
  auto const add = [](std::string& to, value const& v) { to += (to.empty() ? "" : ", ") + v.name + ": " + detail::type_in_words(v); };
  for (value const& v : m.graph.inputs)
    if (!given.contains(v.name)) add(in, v);
  for (value const& v : m.graph.outputs) add(out, v);
  return in + " -> " + out;
}

}  // namespace sinter::onnx::inline SINTER_ISA
