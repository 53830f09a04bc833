// SPDX-License-Identifier: Apache-2.0
// Reads an ONNX file: what stands in which field of its messages.
#pragma once
#include "../io/array.hpp"
#include "parse_tensor.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

void read_graph(message in, graph& to);

inline attribute read_attribute(message in) {
  attribute r;
  r.at = in.at();
  auto const one = [&](auto& list, auto v) { list.push_back(std::move(v)); };
  while (std::uint32_t const field = in.next()) {
    switch (field) {
      case 1: r.name = in.string("an attribute's name"); break;
      case 2: r.real = in.real("an attribute's f"); break;
      case 3: r.whole = in.whole("an attribute's i"); break;
      case 4: r.string = in.string("an attribute's s"); break;
      case 5:
      case 10: one(r.tensors, tensor_reader(in.inner("an attribute's tensor")).read()); break;
      case 6:
      case 11:
        r.graphs.emplace_back();
        read_graph(in.inner("an attribute's graph"), r.graphs.back());
        break;
      case 7: in.each_number("an attribute's floats", [&](auto& from, char const* what) { one(r.reals, from.real(what)); }); break;
      case 8: in.each_number("an attribute's ints", [&](auto& from, char const* what) { one(r.wholes, from.whole(what)); }); break;
      case 9: one(r.strings, in.string("an attribute's strings")); break;
      case 20: {
        std::int64_t const code = in.whole("an attribute's type");
        if (code < 1 || code > static_cast<std::int64_t>(attribute_type::types))
          in.fail("attribute " + io::in_quotes(r.name) + " has the type " + std::to_string(code) + ", which there is not");
        r.type = static_cast<attribute_type>(code);
        break;
      }
      case 21: r.refers_to = in.string("an attribute's ref_attr_name"); break;
      default: in.skip();
    }
  }
  if (r.name.empty()) in.fail("an attribute has no name");
  if (r.type == attribute_type::undefined) in.fail("attribute " + io::in_quotes(r.name) + " has no type");
  bool const is_list = r.type == attribute_type::tensors || r.type == attribute_type::graphs;
  if (r.refers_to.empty() && !is_list &&
      (r.tensors.size() != (r.type == attribute_type::tensor) || r.graphs.size() != (r.type == attribute_type::graph)))
    in.fail("attribute " + io::in_quotes(r.name) + " has another value than its type says");
  return r;
}

inline node read_node(message in) {
  node r;
  r.at = in.at();
  while (std::uint32_t const field = in.next()) {
    switch (field) {
      case 1: r.inputs.push_back(in.string("a node's input")); break;
      case 2: r.outputs.push_back(in.string("a node's output")); break;
      case 3: r.name = in.string("a node's name"); break;
      case 4: r.op = in.string("a node's op_type"); break;
      case 5: r.attributes.push_back(read_attribute(in.inner("a node's attribute"))); break;
      case 7: r.domain = in.string("a node's domain"); break;
      case 8: r.overload = in.string("a node's overload"); break;
      default: in.skip();
    }
  }
  if (r.op.empty()) in.fail("a node has no op_type");
  return r;
}

inline dimension read_dimension(message in) {
  dimension r;
  while (std::uint32_t const field = in.next()) {
    if (field == 1) {
      r = {std::max<std::int64_t>(in.whole("dim_value"), -1), {}};  // a negative one is unknown
    } else if (field == 2) r = {-1, in.string("dim_param")};
    else in.skip();
  }
  return r;
}
inline void read_tensor_type(message in, value& to) {
  to.is_tensor = true;
  while (std::uint32_t const field = in.next()) {
    if (field == 1) {
      std::int64_t const code = in.whole("elem_type");
      if (code != 0 && !is_element(code)) in.fail("value " + io::in_quotes(to.name) + " has elements of type " + std::to_string(code));
      to.type = static_cast<element>(code);
    } else if (field == 2) {
      to.has_shape = true;
      message shape = in.inner("a shape");
      while (std::uint32_t const part = shape.next()) {
        if (part == 1) to.shape.push_back(read_dimension(shape.inner("a dimension")));
        else shape.skip();
      }
    } else in.skip();
  }
}
inline value read_value(message in) {
  value r;
  r.at = in.at();
  while (std::uint32_t const field = in.next()) {
    if (field == 1) r.name = in.string("a value's name");
    else if (field == 2) {
      message type = in.inner("a value's type");
      while (std::uint32_t const kind = type.next()) {
        if (kind == 1) read_tensor_type(type.inner("a tensor's type"), r);
        else type.skip();
      }
    } else in.skip();
  }
  if (r.name.empty()) in.fail("an input or output has no name");
  return r;
}

inline void read_graph(message in, graph& to) {
  to.at = in.at();
  while (std::uint32_t const field = in.next()) {
    switch (field) {
      case 1: to.nodes.push_back(read_node(in.inner("a node"))); break;
      case 2: to.name = in.string("a graph's name"); break;
      case 5: to.initializers.push_back(tensor_reader(in.inner("an initializer")).read()); break;
      case 11: to.inputs.push_back(read_value(in.inner("an input"))); break;
      case 12: to.outputs.push_back(read_value(in.inner("an output"))); break;
      case 15: in.fail("the graph has a sparse initializer, which is not read");
      default: in.skip();
    }
  }
}

inline opset read_opset(message in) {
  opset r;
  while (std::uint32_t const field = in.next()) {
    if (field == 1) r.domain = in.string("a domain");
    else if (field == 2) r.version = in.whole("an opset's version");
    else in.skip();
  }
  if (r.domain == "ai.onnx") r.domain.clear();
  return r;
}
inline function read_function(message in) {
  function r;
  r.at = in.at();
  while (std::uint32_t const field = in.next()) {
    switch (field) {
      case 1: r.name = in.string("a function's name"); break;
      case 4: r.inputs.push_back(in.string("a function's input")); break;
      case 5: r.outputs.push_back(in.string("a function's output")); break;
      case 7: r.nodes.push_back(read_node(in.inner("a function's node"))); break;
      case 9: r.opsets.push_back(read_opset(in.inner("an opset_import"))); break;
      case 10: r.domain = in.string("a function's domain"); break;
      case 11: r.defaults.push_back(read_attribute(in.inner("a function's attribute"))); break;
      case 13: r.overload = in.string("a function's overload"); break;
      default: in.skip();
    }
  }
  if (r.name.empty()) in.fail("a function has no name");
  return r;
}
inline string_pair read_pair(message in) {
  string_pair r;
  while (std::uint32_t const field = in.next()) {
    if (field == 1) r.key = in.string("a key");
    else if (field == 2) r.value = in.string("a value");
    else in.skip();
  }
  return r;
}
}  // namespace detail

// A model of which nothing is checked yet but its form. `file` is the name that errors show. Each byte of the file becomes at most eight.
inline model_proto parse_model(std::span<std::byte const> bytes, std::string const& file) {
  std::string_view const all = detail::as_text(bytes);
  detail::message in(all, file);
  if (io::reader const first(bytes, file); !first.seems_onnx())
    if (std::string const other = first.seeming(); !other.empty()) in.fail("this is no ONNX model" + other);
  model_proto r;
  bool has_graph = false;
  while (std::uint32_t const field = in.next()) {
    switch (field) {
      case 1: r.ir_version = in.whole("ir_version"); break;
      case 2: r.producer_name = in.string("producer_name"); break;
      case 3: r.producer_version = in.string("producer_version"); break;
      case 4: r.domain = in.string("domain"); break;
      case 5: r.model_version = in.whole("model_version"); break;
      case 6: r.doc_string = in.string("doc_string"); break;
      case 7:
        detail::read_graph(in.inner("the graph"), r.graph);
        has_graph = true;
        break;
      case 8: r.opsets.push_back(detail::read_opset(in.inner("an opset_import"))); break;
      case 14: r.metadata.push_back(detail::read_pair(in.inner("metadata_props"))); break;
      case 20: in.fail("the model says how it is trained (training_info), which is not read");
      case 25: r.functions.push_back(detail::read_function(in.inner("a function"))); break;
      default: in.skip();
    }
  }
  if (!has_graph) in.fail("there is no graph in this file; it is no ONNX model, or a part of one");
  return r;
}
}  // namespace sinter::onnx::inline SINTER_ISA
