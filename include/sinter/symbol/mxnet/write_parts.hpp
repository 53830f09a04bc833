// SPDX-License-Identifier: Apache-2.0
// Operations that MXNet does not have, or has otherwise, as several nodes of it.
#pragma once
#include <algorithm>

#include "write_node.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

using writer_of_node = void (*)(node_writer&);

inline entry squared_distances(node_writer& w) {
  entry const mean = w.helper("mean", along_axes(w, true), w.in);
  return w.helper("square", {}, {w.helper("broadcast_sub", {}, {w.in[0], mean})});
}
inline void only_without_ddof(node_writer const& w) {
  if (w.given<int>("ddof").value_or(0) != 0) w.refuse("with ddof it divides by a number that MXNet does not know before it knows shapes");
}
inline void write_var(node_writer& w) {
  only_without_ddof(w);
  w.node("mean", along_axes(w, w.flag("keepdims")), {squared_distances(w)});
}
inline void write_stddev(node_writer& w) {
  only_without_ddof(w);
  w.node("sqrt", {}, {w.helper("mean", along_axes(w, w.flag("keepdims")), {squared_distances(w)})});
}
// log(sum(exp(x - m))) + m of the largest elements m, whose axes of one element a last sum removes. An infinite m is taken for 0, so that nothing
// is subtracted from itself.
inline void write_logsumexp(node_writer& w) {
  bool const keepdims = w.flag("keepdims");
  entry const largest = w.helper("max", along_axes(w, true), w.in);
  entry const is_finite = w.helper("_lesser_scalar", {{"scalar", "inf"}}, {w.helper("abs", {}, {largest})});
  entry const m = w.helper("_npi_where", {}, {is_finite, largest, w.helper("zeros_like", {}, {largest})});
  entry const sum = w.helper("sum", along_axes(w, true), {w.helper("exp", {}, {w.helper("broadcast_sub", {}, {w.in[0], m})})});
  std::vector<entry> const both{w.helper("log", {}, {sum}), m};
  if (keepdims) return w.node("elemwise_add", {}, both);
  w.node("sum", along_axes(w, false), {w.helper("elemwise_add", {}, both)});
}
// Any or all: the largest or smallest of 0 and 1.
inline void write_truth(node_writer& w, char const* op) {
  w.node(op, along_axes(w, w.flag("keepdims")), {w.helper("_not_equal_scalar", {{"scalar", "0"}}, w.in)});
}
inline entry scaled_to_one(node_writer& w, entry x, entry squares, double eps, attribute_texts axes) {
  axes["keepdims"] = "True";
  entry const mean = w.helper("_plus_scalar", {{"scalar", text_of(eps)}}, {w.helper("mean", std::move(axes), {squares})});
  return w.helper("broadcast_mul", {}, {x, w.helper("rsqrt", {}, {mean})});
}
inline void write_rms_norm(node_writer& w) {
  if (w.axis(-1) != -1) w.refuse("its axis is not the last one");
  entry const squares = w.helper("square", {}, {w.in[0]});
  w.node("broadcast_mul", {}, {scaled_to_one(w, w.in[0], squares, w.given<double>("eps").value_or(1e-5), {{"axis", "-1"}}), w.in[1]});
}
// In MXNet 1.x a group has one gamma and one beta, here each channel has its own.
inline void write_group_norm(node_writer& w) {
  std::int64_t const groups = w.given<int>("groups").value_or(1);
  entry const apart = w.helper("Reshape", {{"shape", text_of(dims{0, groups, -1})}}, {w.in[0]});
  entry const centred = w.helper("broadcast_sub", {}, {apart, w.helper("mean", {{"axis", "2"}, {"keepdims", "True"}}, {apart})});
  entry const normal = scaled_to_one(w, centred, w.helper("square", {}, {centred}), w.given<double>("eps").value_or(1e-5), {{"axis", "2"}});
  entry const channels = w.helper("Reshape", {{"shape", "(0, 0, -1)"}}, {w.helper("reshape_like", {}, {normal, w.in[0]})});
  auto const along = [&](std::size_t i) { return w.helper("Reshape", {{"shape", "(1, -1, 1)"}}, {w.in[i]}); };
  entry const scaled = w.helper("broadcast_mul", {}, {channels, along(1)});
  w.node("reshape_like", {}, {w.helper("broadcast_add", {}, {scaled, along(2)}), w.in[0]});
}
// (batch, length, channels) as (batch, heads, length, channels / heads)
inline entry parted(node_writer& w, entry x, std::int64_t heads) {
  return w.helper("transpose", {{"axes", "(0, 2, 1, 3)"}}, {w.helper("Reshape", {{"shape", text_of(dims{0, 0, heads, -1})}}, {x})});
}
inline void write_attention(node_writer& w) {
  std::int64_t const heads = w.given<int>("num_heads").value_or(1);
  entry query = parted(w, w.in[0], heads);
  if (auto const alpha = w.given<double>("alpha")) query = w.helper("_mul_scalar", {{"scalar", text_of(*alpha)}}, {query});
  else query = w.helper("_contrib_div_sqrt_dim", {}, {query});
  entry scores = w.helper("_linalg_gemm2", {{"transpose_b", "True"}}, {query, parted(w, w.in[1], heads)});
  bool const is_causal = w.flag("is_causal");
  if (is_causal || w.in.size() > 3) {
    entry const nothing = w.helper("_plus_scalar", {{"scalar", "-inf"}}, {w.helper("zeros_like", {}, {scores})});
    auto const keep = [&](entry condition) { scores = w.helper("_npi_where", {}, {condition, scores, nothing}); };
    if (is_causal) {
      auto const places = [&](std::size_t i) { return w.helper("_contrib_arange_like", {{"axis", "1"}}, {w.in[i]}); };
      entry const key = w.helper("expand_dims", {{"axis", "0"}}, {places(1)});
      keep(w.helper("broadcast_lesser_equal", {}, {key, w.helper("expand_dims", {{"axis", "1"}}, {places(0)})}));
    }
    if (w.in.size() > 3) keep(w.in[3]);
  }
  entry const each = w.helper("_linalg_gemm2", {}, {w.helper("softmax", {{"axis", "-1"}}, {scores}), parted(w, w.in[2], heads)});
  w.node("Reshape", {{"shape", "(0, 0, -1)"}}, {w.helper("transpose", {{"axes", "(0, 2, 1, 3)"}}, {each})});
}
// MXNet reads and writes outside of the array where a length is not one of the sequence: those below `least` become it, and with `most` those
// beyond the extent of the axis of time become that.
inline std::vector<entry> with_lengths(node_writer& w, std::int64_t least, bool most) {
  int const axis = w.axis(0);
  if (axis < 0) w.refuse("its axis is negative");
  entry lengths = w.helper("Cast", {{"dtype", "int64"}}, {w.in[1]});
  if (most) {
    entry const extent =
        w.helper("slice_axis", {{"axis", "0"}, {"begin", text_of(std::int64_t{axis})}, {"end", text_of(std::int64_t{axis} + 1)}},
                 {w.helper("shape_array", {}, {w.in[0]})});
    lengths = w.helper("broadcast_minimum", {}, {lengths, extent});
  }
  return {w.in[0], w.helper("_maximum_scalar", {{"scalar", text_of(least)}}, {lengths})};
}
inline void write_sequence_mask(node_writer& w) {
  auto const v = w.given<ops::number_list>("values");
  w.node("SequenceMask",
         {{"axis", text_of(std::int64_t{w.axis(0)})}, {"use_sequence_length", "True"}, {"value", v ? w.text(v->at[0]) : "0"}},
         with_lengths(w, 0, false));
}
inline void write_sequence_last(node_writer& w) {
  w.node("SequenceLast", {{"axis", text_of(std::int64_t{w.axis(0)})}, {"use_sequence_length", "True"}}, with_lengths(w, 1, true));
}
inline void write_sequence_reverse(node_writer& w) {
  w.node("SequenceReverse", {{"use_sequence_length", "True"}}, with_lengths(w, 1, true));
}

// The axes one by one, because MXNet transposes no more than six: what they become stands beside them among the channels, goes behind the first
// of them, and the part of this one joins it.
inline void write_pixel_shuffle(node_writer& w) {
  int_list factors = *w.given<int_list>("factor");
  if (int const axes = w.shape_of(0).rank - 2; factors.n == 1)  // one for all axes
    while (factors.n < axes) factors.push(factors[0]);
  int const axes = factors.n;
  if (axes > 3) w.refuse("it has more than three spatial axes");
  std::int64_t left = 1;
  for (int i = 0; i < axes; ++i) left *= factors[i];
  auto const shape = [](int before, std::initializer_list<std::int64_t> codes, int behind) {
    int_list all;
    while (before-- > 0) all.push(0);
    for (std::int64_t const c : codes) all.push(c);
    while (behind-- > 0) all.push(0);
    return attribute_texts{{"shape", text_of(all)}};
  };
  entry x = w.helper("Reshape", shape(1, {-4, -1, left}, axes), {w.in[0]});
  for (int i = 0; i < axes; ++i) {
    int_list order;
    for (int k = 0; k < axes + 3; ++k) order.push(k == i + 2 ? k + 1 : k == i + 3 ? k - 1 : k);
    x = w.helper("transpose", {{"axes", text_of(order)}}, {x});
    if (i + 1 == axes) return w.node("Reshape", shape(i + 2, {-3}, 0), {x});
    left /= factors[i];
    x = w.helper("Reshape", shape(i + 3, {-4, factors[i], left}, axes - i - 1), {x});
    x = w.helper("Reshape", shape(i + 2, {-3}, axes - i), {x});
  }
}
inline void write_padded(node_writer& w) {
  char const* const modes[]{"constant", "edge", "reflect"};
  auto const begin = w.given<int_list>("begin").value_or(int_list{}), end = w.given<int_list>("end").value_or(int_list{});
  int rank = w.shape_of(0).rank;
  if (rank < 0) rank = std::max({4, begin.n, end.n});
  if (rank != 4 && rank != 5) w.refuse("MXNet pads arrays of four or five axes");
  std::vector<std::int64_t> widths;
  for (int i = 0; i < rank; ++i)
    for (int_list const* v : {&begin, &end}) widths.push_back(i < v->n ? (*v)[i] : 0);
  if (std::any_of(widths.begin(), widths.begin() + 4, [](std::int64_t v) { return v != 0; }))
    w.refuse("MXNet pads no axis before the third");
  auto const value = w.given<ops::number_list>("values");
  write_of_floats(w, "Pad",
                  {{"mode", modes[w.given<int>("border").value_or(0)]},
                   {"pad_width", text_of(widths.data(), static_cast<int>(widths.size()))},
                   {"constant_value", value ? w.text(value->at[0]) : "0"}});
}
// Halves to the even number: MXNet's rint takes them down, and its round away from 0.
inline void write_rounded(node_writer& w) {
  if (is_half(w)) return write_in(w, dtype::float32, "_npi_around", {}, w.in);
  w.node("_npi_around");
}

inline std::map<std::string_view, writer_of_node> const& part_writers() {
  using w = node_writer;
  static std::map<std::string_view, writer_of_node> const all{
      {"var", write_var},
      {"stddev", write_stddev},
      {"logsumexp", write_logsumexp},
      {"any_true", [](w& n) { write_truth(n, "max"); }},
      {"all_true", [](w& n) { write_truth(n, "min"); }},
      {"rms_norm", write_rms_norm},
      {"group_norm", write_group_norm},
      {"scaled_dot_product_attention", write_attention},
      {"outer",
       [](w& n) {
         auto const as = [&](std::size_t i, char const* shape) { return n.helper("Reshape", {{"shape", shape}}, {n.in[i]}); };
         n.node("broadcast_mul", {}, {as(0, "(-1, 1)"), as(1, "(1, -1)")});
       }},
      {"arange_like",
       [](w& n) {
         entry const places = n.helper("_contrib_arange_like", {{"axis", text_of(std::int64_t{n.axis(0)})}}, {counted(n)});
         n.node("Cast", {{"dtype", "int64"}}, {places});
       }},
      {"cumsum",
       [](w& n) { n.node("_np_cumsum", {{"axis", n.given<int_list>("axis") ? text_of(std::int64_t{n.axis(0)}) : "None"}}, summed(n)); }},
      {"pixel_shuffle", write_pixel_shuffle},
      {"padded", write_padded},
      {"tril", [](w& n) { n.node("_npi_tril", {{"k", text_of(std::int64_t{n.given<int>("diagonal").value_or(0)})}}); }},
      {"triu",
       [](w& n) {
         std::int64_t const above = n.given<int>("diagonal").value_or(0);
         entry const zeros = n.helper("zeros_like", {}, n.in), ones = n.helper("ones_like", {}, n.in);
         n.node("_npi_where", {}, {n.helper("_npi_tril", {{"k", text_of(above - 1)}}, {ones}), zeros, n.in[0]});
       }},
      {"sequence_mask", write_sequence_mask},
      {"sequence_last", write_sequence_last},
      {"sequence_reverse", write_sequence_reverse},
      {"rint", write_rounded},
      {"round", write_rounded},
  };
  return all;
}

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
