// SPDX-License-Identifier: Apache-2.0
// The bytes of a model: its messages in protobuf's wire format, by protozero. The same model gives the same bytes.
#pragma once
#include <protozero/pbf_writer.hpp>
#include <span>

#include "proto.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

inline std::string bytes_of_graph(graph const& g);

inline std::string bytes_of_tensor(tensor const& t) {
  std::string r;
  protozero::pbf_writer to(r);
  for (std::int64_t e : t.shape) to.add_int64(1, e);
  to.add_int32(2, static_cast<std::int32_t>(t.type));
  for (std::string const& s : t.strings) to.add_bytes(6, s);
  if (!t.name.empty()) to.add_string(8, t.name);
  if (t.type != element::string) to.add_bytes(9, reinterpret_cast<char const*>(t.data.data()), t.data.size());
  return r;
}
inline std::string bytes_of_attribute(attribute const& a) {
  std::string r;
  protozero::pbf_writer to(r);
  to.add_string(1, a.name);
  switch (a.type) {
    case attribute_type::real: to.add_float(2, a.real); break;
    case attribute_type::whole: to.add_int64(3, a.whole); break;
    case attribute_type::string: to.add_bytes(4, a.string); break;
    case attribute_type::tensor: to.add_message(5, bytes_of_tensor(a.tensors.at(0))); break;
    case attribute_type::graph: to.add_message(6, bytes_of_graph(a.graphs.at(0))); break;
    case attribute_type::reals:
      for (float v : a.reals) to.add_float(7, v);
      break;
    case attribute_type::wholes:
      for (std::int64_t v : a.wholes) to.add_int64(8, v);
      break;
    case attribute_type::strings:
      for (std::string const& v : a.strings) to.add_bytes(9, v);
      break;
    default: throw error("sinter: an attribute of this type is not written: " + a.name);
  }
  to.add_enum(20, static_cast<std::int32_t>(a.type));
  return r;
}
inline std::string bytes_of_node(node const& n) {
  std::string r;
  protozero::pbf_writer to(r);
  for (std::string const& s : n.inputs) to.add_string(1, s);
  for (std::string const& s : n.outputs) to.add_string(2, s);
  if (!n.name.empty()) to.add_string(3, n.name);
  to.add_string(4, n.op);
  for (attribute const& a : n.attributes) to.add_message(5, bytes_of_attribute(a));
  if (!n.domain.empty()) to.add_string(7, n.domain);
  return r;
}
inline std::string bytes_of_value(value const& v) {
  std::string shape, tensor_type, type, r;
  for (dimension const& d : v.shape) {
    std::string one;
    protozero::pbf_writer to(one);
    if (d.extent >= 0) to.add_int64(1, d.extent);
    else if (!d.name.empty()) to.add_string(2, d.name);
    protozero::pbf_writer(shape).add_message(1, one);
  }
  protozero::pbf_writer to(tensor_type);
  to.add_int32(1, static_cast<std::int32_t>(v.type));
  if (v.has_shape) to.add_message(2, shape);
  protozero::pbf_writer(type).add_message(1, tensor_type);
  protozero::pbf_writer all(r);
  all.add_string(1, v.name);
  all.add_message(2, type);
  return r;
}
inline std::string bytes_of_graph(graph const& g) {
  std::string r;
  protozero::pbf_writer to(r);
  for (node const& n : g.nodes) to.add_message(1, bytes_of_node(n));
  to.add_string(2, g.name);
  for (tensor const& t : g.initializers) to.add_message(5, bytes_of_tensor(t));
  for (value const& v : g.inputs) to.add_message(11, bytes_of_value(v));
  for (value const& v : g.outputs) to.add_message(12, bytes_of_value(v));
  return r;
}

}  // namespace detail

// The file of a model. One of 2 GiB and more is an error: protobuf has none.
inline std::string serialize(model_proto const& m) {
  std::string r;
  protozero::pbf_writer to(r);
  to.add_int64(1, m.ir_version);
  if (!m.producer_name.empty()) to.add_string(2, m.producer_name);
  if (!m.producer_version.empty()) to.add_string(3, m.producer_version);
  if (!m.domain.empty()) to.add_string(4, m.domain);
  if (m.model_version != 0) to.add_int64(5, m.model_version);
  if (!m.doc_string.empty()) to.add_string(6, m.doc_string);
  to.add_message(7, detail::bytes_of_graph(m.graph));
  for (opset const& o : m.opsets) {
    std::string one;
    protozero::pbf_writer(one).add_string(1, o.domain);
    protozero::pbf_writer(one).add_int64(2, o.version);
    to.add_message(8, one);
  }
  for (string_pair const& p : m.metadata) {
    std::string one;
    protozero::pbf_writer(one).add_string(1, p.key);
    protozero::pbf_writer(one).add_string(2, p.value);
    to.add_message(14, one);
  }
  if (r.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw error("sinter: the model has " + std::to_string(r.size()) + " bytes, and a file of ONNX at most 2147483647");
  return r;
}

}  // namespace sinter::onnx::inline SINTER_ISA
