// SPDX-License-Identifier: Apache-2.0
// Operations of F as nodes of MXNet's symbol JSON.
#pragma once
#include "graph_text.hpp"
#include "table.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

inline std::string text_of(bool v) { return v ? "True" : "False"; }
inline std::string text_of(std::int64_t v) { return std::to_string(v); }
inline std::string text_of(double v) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, v).ptr};
}
inline std::string text_of(dtype t) { return std::string(name_of(t)); }
// Where a number is `open`, `None`.
inline std::string text_of(std::int64_t const* v, int n) {
  std::string r = "(";
  for (int i = 0; i < n; ++i) r += (i ? ", " : "") + (v[i] == open ? "None" : std::to_string(v[i]));
  return r + (n == 1 ? ",)" : ")");
}
inline std::string text_of(int_list const& v) { return text_of(v.at, v.n); }
inline std::string text_of(dims const& v) { return text_of(v.d, v.rank); }

// The shapes of variables: their own, and for those that have none yet the shapes that a file has.
struct known_shapes {
  std::map<std::string, dims> in_file{};
  dims of(composed const& v) const {
    dims const known = v.known_shape ? v.known_shape() : unknown_dims;
    dims const own = known.rank >= 0 ? known : v.type.shape;
    if (own.fixed() || !v.values) return own;
    auto const at = in_file.find(v.name);
    return at == in_file.end() ? own : at->second;
  }
};

// Writes what one composed call is, one node or several, of which the last has its name.
class node_writer {
 public:
  // `in`: where its operands are written; those that are plain numbers have node -1.
  node_writer(graph_text& to, composed const& k, std::string name, std::vector<entry> inputs, std::vector<dtype> types,
              known_shapes const& shapes)
      : in(std::move(inputs)), to_(to), k_(k), name_(std::move(name)), types_(std::move(types)), shapes_(shapes) {}
  std::vector<entry> const in;
  std::vector<entry> results;

  template <class V> std::optional<V> given(std::string_view key) const {
    auto const at = k_.call->keywords.find(key);
    if (at == k_.call->keywords.end()) return {};
    if (V const* const v = std::get_if<V>(&at->second)) return *v;
    if constexpr (std::is_same_v<V, int_list>) {
      if (int const* const one = std::get_if<int>(&at->second)) return int_list{*one};
    }
    if constexpr (std::is_same_v<V, double>) {
      if (int const* const one = std::get_if<int>(&at->second)) return *one;
    }
    refuse("its keyword " + std::string(key) + " has another type");
  }
  int axis(int otherwise) const {
    auto const a = given<int_list>("axis");
    return a ? static_cast<int>((*a)[0]) : otherwise;
  }
  bool flag(std::string_view key, bool otherwise = false) const { return given<bool>(key).value_or(otherwise); }
  bool is_number(std::size_t i) const { return in[i].node < 0; }
  number value(std::size_t i) const { return k_.in[i].node(0).value; }
  // Numbers are doubles in MXNet. Its `clip` takes floats, so that `Float` says which integers it can be given.
  template <class Float = double> std::string text(number const& v) const {
    if (!v.is_whole && v.real != v.real) refuse("a number of it is NaN");
    if (!v.is_whole) return text_of(v.real);
    if (auto const kept = static_cast<Float>(v.whole); kept >= Float(0x1p63) || static_cast<std::int64_t>(kept) != v.whole)
      refuse("MXNet keeps its numbers in " + std::string(name_of(dtype_of<Float>)) + ", which has no " + text_of(v.whole));
    return text_of(v.whole);
  }
  // In its shapes an extent of 0 is kept from the operand, or not known yet.
  std::string text(dims const& shape) const {
    for (int i = 0; i < shape.rank; ++i)
      if (shape.d[i] < 1) refuse("an extent of its shape is no number from 1 on");
    return text_of(shape);
  }
  // The shape of an operand that is a variable, as far as it is known.
  dims shape_of(std::size_t i) const { return shapes_.of(k_.in[i].node(0)); }
  // The dtype of an operand, where it is known.
  dtype type_of(std::size_t i) const { return types_[i]; }
  std::string const& name() const { return name_; }

  entry helper(std::string op, attribute_texts attributes, std::vector<entry> inputs) {
    return put(name_ + "_" + std::to_string(helpers_++), std::move(op), std::move(attributes), std::move(inputs), 1);
  }
  void node(std::string op, attribute_texts attributes, std::vector<entry> inputs, int n = 1) {
    entry const at = put(name_, std::move(op), std::move(attributes), std::move(inputs), n);
    for (int i = 0; i < n; ++i) results.push_back({at.node, i});
  }
  void node(std::string op, attribute_texts attributes = {}) { node(std::move(op), std::move(attributes), in); }
  // An operand as a node, an array like operand `like` where it is a number.
  entry operand(std::size_t i, std::size_t like) {
    if (!is_number(i)) return in[i];
    return helper("_plus_scalar", {{"scalar", text(value(i))}}, {helper("zeros_like", {}, {in[like]})});
  }
  [[noreturn]] void refuse(std::string const& why) const { fail("cannot be written for MXNet: " + why); }
  [[noreturn]] void fail(std::string const& what) const {
    throw error("sinter: " + name_ + " (" + std::string(k_.call->op->name) + ") " + what);
  }

 private:
  graph_text& to_;
  composed const& k_;
  std::string name_;
  std::vector<dtype> types_;
  known_shapes const& shapes_;
  int helpers_ = 0;

  entry put(std::string name, std::string op, attribute_texts attributes, std::vector<entry> inputs, int n) {
    for (entry const& e : inputs)
      if (e.node < 0) refuse("an operand is a plain number");
    to_.nodes.push_back({std::move(op), std::move(name), std::move(attributes), std::move(inputs), {}, n});
    return {static_cast<int>(to_.nodes.size()) - 1, 0};
  }
};

// The dtype of the result of a call, as far as the dtypes of its operands say it without their shapes; else none.
inline dtype type_of_result(called const& c, std::vector<dtype> const& operands) {
  if (auto const as = c.keywords.find("as"); as != c.keywords.end())
    if (dtype const* const to = std::get_if<dtype>(&as->second)) return *to;
  bool const keeps = c.op->kind == family::view || c.op->kind == family::join || c.op->name == "max" || c.op->name == "min";
  if (keeps) return operands[0];
  if (c.op->kind != family::elementwise) return dtype::none;
  list<array_type> types;
  for (dtype const t : operands) {
    if (t == dtype::none) return t;
    types.push({t, {}});
  }
  operand_types const in{types.data(), types.size()};
  dimension_table table;
  inferred const r = c.op->infer(in, c.attributes(in).data(), table);
  return r.what == problem::none ? r.type.type : dtype::none;
}

// ---- one function for operations that are written alike

inline std::string type_in_file(node_writer const& w, dtype t) {
  if (t == dtype::int16) w.refuse("MXNet has no int16");
  return text_of(t);
}
inline entry cast_for(node_writer& w, entry e, dtype t) { return w.helper("Cast", {{"dtype", type_in_file(w, t)}}, {e}); }
// The operation in the dtype `wide`, and cast back to that of its first operand, in which MXNet does not compute it.
inline void write_in(node_writer& w, dtype wide, std::string op, attribute_texts a, std::vector<entry> operands) {
  for (entry& e : operands) e = cast_for(w, e, wide);
  w.node("Cast", {{"dtype", type_in_file(w, w.type_of(0))}}, {w.helper(std::move(op), std::move(a), std::move(operands))});
}
inline bool is_half(node_writer const& w) { return w.type_of(0) == dtype::float16; }
// What MXNet computes of floats alone; a float that has all numbers of the integers stands for them.
inline void write_of_floats(node_writer& w, std::string op, attribute_texts a) {
  dtype const t = w.type_of(0);
  if (t == dtype::none || t == dtype::boolean || is_floating(t)) return w.node(std::move(op), std::move(a));
  if (t == dtype::int64) w.refuse("MXNet computes it of floats, and none has all numbers of int64; cast its operand");
  write_in(w, t == dtype::int32 ? dtype::float64 : dtype::float32, std::move(op), std::move(a), w.in);
}

// Two operands, of which one may be a number: broadcast_add, _plus_scalar, and _rminus_scalar where it stands first.
inline void write_binary(node_writer& w, char const* arrays, char const* scalar, char const* reversed) {
  if (!w.is_number(0) && !w.is_number(1)) return w.node(arrays);
  std::size_t const n = w.is_number(0) ? 0 : 1;
  w.node(n == 0 ? reversed : scalar, {{"scalar", w.text(w.value(n))}}, {w.in[1 - n]});
}
// The axes of a reduction.
inline attribute_texts along_axes(node_writer const& w, bool keepdims) {
  attribute_texts a;
  if (auto const axes = w.given<int_list>("axis")) a["axis"] = text_of(*axes);
  if (w.flag("exclude")) a["exclude"] = "True";
  if (keepdims) a["keepdims"] = "True";
  return a;
}
inline void write_reduction(node_writer& w, std::string op, attribute_texts a = {}) {
  a.merge(along_axes(w, w.flag("keepdims")));
  w.node(std::move(op), std::move(a));
}
// MXNet adds small integers up in their own dtype, sinter in int32.
inline std::vector<entry> summed(node_writer& w) {
  dtype const t = w.type_of(0), wide = t == dtype::none ? t : summed_in(t);
  return wide == t ? w.in : std::vector<entry>{w.helper("Cast", {{"dtype", text_of(wide)}}, w.in)};
}
inline void write_sum(node_writer& w, char const* op) { w.node(op, along_axes(w, w.flag("keepdims")), summed(w)); }
// MXNet counts in the dtype of the operand: small integers wrap around, and a half has no odd number beyond 2048.
inline entry counted(node_writer& w) {
  dtype const t = w.type_of(0);
  bool const is_small = t == dtype::boolean || is_narrow(t);
  return is_small || is_half(w) ? cast_for(w, w.in[0], is_small ? dtype::int32 : dtype::float32) : w.in[0];
}
inline void write_position(node_writer& w, char const* op) {
  attribute_texts a;
  if (w.given<int_list>("axis")) a["axis"] = text_of(std::int64_t{w.axis(0)});
  if (w.flag("keepdims")) a["keepdims"] = "True";
  w.node("Cast", {{"dtype", "int64"}}, {w.helper(op, a, {counted(w)})});
}
inline void write_along(node_writer& w, char const* op, int otherwise, attribute_texts a = {}) {
  a["axis"] = text_of(std::int64_t{w.axis(otherwise)});
  w.node(op, std::move(a));
}
inline void write_like_softmax(node_writer& w, char const* op) { write_along(w, op, -1); }
inline void write_activation(node_writer& w, char const* act) { w.node("Activation", {{"act_type", act}}); }
inline void write_leaky(node_writer& w, char const* act, char const* key, double otherwise) {
  attribute_texts a{{"act_type", act}};
  if (*key) a["slope"] = text_of(w.given<double>(key).value_or(otherwise));
  w.node("LeakyReLU", std::move(a));
}
inline dims known_weight(node_writer const& w) {
  dims const s = w.shape_of(1);
  if (!s.fixed())
    w.fail(
        "has a weight whose shape is not known; call the network once, or say of which types its inputs are: "
        "net.export_<shape<dim<\"batch\">, 784>>(path)");
  return s;
}
inline attribute_texts window_attributes(node_writer const& w, dims const& kernel, std::initializer_list<char const*> keys, bool pooling) {
  attribute_texts a{{"kernel", text_of(kernel)}};
  for (char const* key : keys) {
    bool const zero = std::string_view(key) == "pad" || std::string_view(key) == "adjust";
    int_list v = w.given<int_list>(key).value_or(int_list{});
    dims all = kernel;
    for (int i = 0; i < kernel.rank; ++i) all.d[i] = v.n == 0 ? (zero ? 0 : pooling ? kernel.d[i] : 1) : v[v.n == 1 ? 0 : i];
    a[std::string_view(key) == "adjust" ? "adj" : key] = text_of(all);
  }
  return a;
}
inline void write_convolution(node_writer& w, bool transposed) {
  dims const weight = known_weight(w);
  dims kernel;
  for (int i = 2; i < weight.rank; ++i) kernel.push(weight.d[i]);
  int const groups = w.given<int>("groups").value_or(1);
  attribute_texts a = window_attributes(w, kernel, {"stride", "pad", "dilate"}, false);
  if (transposed) a["adj"] = window_attributes(w, kernel, {"adjust"}, false)["adj"];
  a["num_filter"] = text_of(transposed ? weight.d[1] * groups : weight.d[0]);
  a["num_group"] = text_of(std::int64_t{groups});
  a["no_bias"] = text_of(w.in.size() == 2);
  w.node(transposed ? "Deconvolution" : "Convolution", std::move(a));
}
inline void write_pooling(node_writer& w, char const* what) {
  auto const size = w.given<int_list>("pool_size");
  dims kernel;
  for (int i = 0; i < size->n; ++i) kernel.push((*size)[i]);
  int const axes = w.shape_of(0).rank - 2;  // below 1 where it is not known
  if (size->n == 1)
    while (kernel.rank < axes) kernel.push((*size)[0]);
  if (kernel.rank < 2 && axes != 1) w.refuse("write pool_size for each axis");
  attribute_texts a = window_attributes(w, kernel, {"stride", "pad"}, true);
  a["pool_type"] = what;
  a["pooling_convention"] = w.flag("ceil_mode") ? "full" : "valid";
  if (std::string_view(what) == "avg") a["count_include_pad"] = text_of(w.flag("count_include_pad", true));
  write_of_floats(w, "Pooling", std::move(a));
}
inline void write_norm(node_writer& w, char const* op, double eps, attribute_texts a = {}) {
  a["eps"] = text_of(w.given<double>("eps").value_or(eps));
  w.node(op, std::move(a));
}
inline void write_full(node_writer& w, number const& v) {
  dims const into = *w.given<dims>("into");
  if (into.rank == 0) w.refuse("its result has no axes");
  w.node("_full",
         {{"dtype", type_in_file(w, w.given<dtype>("as").value_or(dtype::float32))}, {"shape", w.text(into)}, {"value", w.text(v)}});
}

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
