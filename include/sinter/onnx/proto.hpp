// SPDX-License-Identifier: Apache-2.0
// The messages of an ONNX file as plain structs (onnx.proto of IR version 14, of which they have what models are run by). `at` is where a
// message begins in its file, for errors.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "../core/dtype.hpp"
#include "../core/error.hpp"

namespace sinter::onnx {

// TensorProto.DataType. Of most there are tensors; the others can be read and written.
enum class element : std::int32_t {
  undefined,
  float32,
  uint8,
  int8,
  uint16,
  int16,
  int32,
  int64,
  string,
  boolean,
  float16,
  float64,
  uint32,
  uint64,
  complex64,
  complex128,
  bfloat16,
  float8e4m3fn,
  float8e4m3fnuz,
  float8e5m2,
  float8e5m2fnuz,
  uint4,
  int4,
  float4e2m1,
  float8e8m0,
  uint2,
  int2
};
namespace elements {
struct element_row {
  std::string_view name;
  int bits;
  dtype type = dtype::none;
};
inline constexpr element_row element_rows[] = {{"undefined", 0},
                                               {"float32", 32, dtype::float32},
                                               {"uint8", 8, dtype::uint8},
                                               {"int8", 8, dtype::int8},
                                               {"uint16", 16, dtype::uint16},
                                               {"int16", 16, dtype::int16},
                                               {"int32", 32, dtype::int32},
                                               {"int64", 64, dtype::int64},
                                               {"string", 0},
                                               {"bool", 8, dtype::boolean},
                                               {"float16", 16, dtype::float16},
                                               {"float64", 64, dtype::float64},
                                               {"uint32", 32, dtype::uint32},
                                               {"uint64", 64, dtype::uint64},
                                               {"complex64", 64},
                                               {"complex128", 128},
                                               {"bfloat16", 16, dtype::bfloat16},
                                               {"float8e4m3fn", 8},
                                               {"float8e4m3fnuz", 8},
                                               {"float8e5m2", 8},
                                               {"float8e5m2fnuz", 8},
                                               {"uint4", 4},
                                               {"int4", 4},
                                               {"float4e2m1", 4},
                                               {"float8e8m0", 8},
                                               {"uint2", 2},
                                               {"int2", 2}};
inline constexpr std::int64_t most_elements = static_cast<std::int64_t>(std::size(element_rows));
}  // namespace elements

inline namespace SINTER_ISA {
constexpr bool is_element(std::int64_t code) { return code > 0 && code < elements::most_elements; }
constexpr elements::element_row const& row_of(element e) { return elements::element_rows[static_cast<int>(e)]; }
constexpr std::string_view name_of(element e) { return row_of(e).name; }
constexpr dtype dtype_of(element e) { return row_of(e).type; }
constexpr element element_of(dtype t) {
  for (std::int32_t i = 1; i < elements::most_elements; ++i)
    if (elements::element_rows[i].type == t) return static_cast<element>(i);
  return element::undefined;
}
}  // namespace SINTER_ISA

struct string_pair {
  std::string key, value;
};
// What lies in another file beside the model's.
struct external_data {
  std::string location;
  std::uint64_t offset = 0, length = 0;
  bool has_length = false;
};
// Row-major and little-endian as raw_data has it, whichever field the file has the elements in; 4-bit elements two in a byte.
struct tensor {
  std::string name;
  element type = element::undefined;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;
  std::vector<std::string> strings;  // of elements that are strings
  bool is_external = false;
  external_data external;
  std::uint64_t at = 0;
};

struct graph;
enum class attribute_type : std::int32_t {
  undefined,
  real,
  whole,
  string,
  tensor,
  graph,
  reals,
  wholes,
  strings,
  tensors,
  graphs,
  sparse_tensor,
  sparse_tensors,
  type,
  types
};
struct attribute {
  std::string name;
  attribute_type type = attribute_type::undefined;
  float real = 0;
  std::int64_t whole = 0;
  std::string string;
  std::vector<float> reals;
  std::vector<std::int64_t> wholes;
  std::vector<std::string> strings;
  std::vector<onnx::tensor> tensors;  // one, or those of a list
  std::vector<onnx::graph> graphs;
  std::string refers_to;  // in the body of a function: the attribute of the call that it is
  std::uint64_t at = 0;
};
struct node {
  std::string name, op, domain, overload;
  std::vector<std::string> inputs, outputs;  // an empty name: left out
  std::vector<attribute> attributes;
  std::uint64_t at = 0;
};

// An extent is a number or, as -1, unknown; then it may have a name.
struct dimension {
  std::int64_t extent = -1;
  std::string name;
};
struct value {
  std::string name;
  element type = element::undefined;
  bool has_shape = false;
  bool is_tensor = false;
  std::vector<dimension> shape;
  std::uint64_t at = 0;
};
struct graph {
  std::string name;
  std::vector<node> nodes;
  std::vector<tensor> initializers;
  std::vector<value> inputs, outputs;
  std::uint64_t at = 0;
};
struct opset {
  std::string domain;  // empty: that of ONNX itself
  std::int64_t version = 0;
};
// An operator that the model defines itself.
struct function {
  std::string name, domain, overload;
  std::vector<std::string> inputs, outputs;
  std::vector<attribute> defaults;  // of attributes that a call may leave out
  std::vector<node> nodes;
  std::vector<opset> opsets;
  std::uint64_t at = 0;
};
struct model_proto {
  std::int64_t ir_version = 0, model_version = 0;
  std::string producer_name, producer_version, domain, doc_string;
  std::vector<opset> opsets;
  std::vector<string_pair> metadata;
  std::vector<function> functions;
  onnx::graph graph;
};

}  // namespace sinter::onnx
