// SPDX-License-Identifier: Apache-2.0
// How each operation of F is written; those without a row are no nodes of MXNet's. Elementwise ones of one operand have MXNet's own names.
#pragma once
#include <algorithm>

#include "write_parts.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

inline std::map<std::string_view, writer_of_node> const& elementwise_writers() {
  using w = node_writer;
  static std::map<std::string_view, writer_of_node> const all{
      {"add", [](w& n) { write_binary(n, "broadcast_add", "_plus_scalar", "_plus_scalar"); }},
      {"subtract", [](w& n) { write_binary(n, "broadcast_sub", "_minus_scalar", "_rminus_scalar"); }},
      {"multiply", [](w& n) { write_binary(n, "broadcast_mul", "_mul_scalar", "_mul_scalar"); }},
      {"divide", [](w& n) { write_binary(n, "broadcast_div", "_div_scalar", "_rdiv_scalar"); }},
      {"power", [](w& n) { write_binary(n, "broadcast_power", "_power_scalar", "_rpower_scalar"); }},
      {"maximum", [](w& n) { write_binary(n, "broadcast_maximum", "_maximum_scalar", "_maximum_scalar"); }},
      {"minimum", [](w& n) { write_binary(n, "broadcast_minimum", "_minimum_scalar", "_minimum_scalar"); }},
      {"hypot", [](w& n) { write_binary(n, "broadcast_hypot", "_hypot_scalar", "_hypot_scalar"); }},
      {"equal", [](w& n) { write_binary(n, "broadcast_equal", "_equal_scalar", "_equal_scalar"); }},
      {"not_equal", [](w& n) { write_binary(n, "broadcast_not_equal", "_not_equal_scalar", "_not_equal_scalar"); }},
      {"greater", [](w& n) { write_binary(n, "broadcast_greater", "_greater_scalar", "_lesser_scalar"); }},
      {"greater_equal", [](w& n) { write_binary(n, "broadcast_greater_equal", "_greater_equal_scalar", "_lesser_equal_scalar"); }},
      {"lesser", [](w& n) { write_binary(n, "broadcast_lesser", "_lesser_scalar", "_greater_scalar"); }},
      {"lesser_equal", [](w& n) { write_binary(n, "broadcast_lesser_equal", "_lesser_equal_scalar", "_greater_equal_scalar"); }},
      {"logical_and", [](w& n) { n.node("broadcast_logical_and"); }},
      {"logical_or", [](w& n) { n.node("broadcast_logical_or"); }},
      {"logical_xor", [](w& n) { n.node("broadcast_logical_xor"); }},
      {"logical_not", [](w& n) { n.node("logical_not"); }},
      {"where",
       [](w& n) {
         entry const a = n.operand(1, n.is_number(2) ? 0 : 2), b = n.operand(2, n.is_number(1) ? 0 : 1);
         n.node("_npi_where", {}, {n.in[0], a, b});
       }},
      {"clip",
       [](w& n) {
         if (!n.is_number(1) || !n.is_number(2)) n.refuse("its bounds are arrays");
         n.node("clip", {{"a_max", n.text<float>(n.value(2))}, {"a_min", n.text<float>(n.value(1))}}, {n.in[0]});
       }},
      {"cast", [](w& n) { n.node("Cast", {{"dtype", type_in_file(n, *n.given<dtype>("as"))}}); }},
      {"identity", [](w& n) { n.node("_copy"); }},
      {"stop_gradient", [](w& n) { n.node("BlockGrad"); }},
      {"full_like",
       [](w& n) {
         n.node("_plus_scalar", {{"scalar", n.text(n.given<ops::number_list>("values")->at[0])}}, {n.helper("zeros_like", {}, n.in)});
       }},
      {"zeros", [](w& n) { write_full(n, number(0)); }},
      {"ones", [](w& n) { write_full(n, number(1)); }},
      {"full", [](w& n) { write_full(n, n.given<ops::number_list>("values")->at[0]); }},

      {"softrelu", [](w& n) { write_activation(n, "softrelu"); }},
      {"gelu", [](w& n) { write_leaky(n, "gelu", "", 0); }},
      {"selu", [](w& n) { write_leaky(n, "selu", "", 0); }},
      {"elu", [](w& n) { write_leaky(n, "elu", "alpha", 1); }},
      {"leaky_relu", [](w& n) { write_leaky(n, "leaky", "slope", 0.25); }},
      {"hard_sigmoid", [](w& n) { n.node("hard_sigmoid"); }},
      {"hard_swish",
       [](w& n) {
         entry const step = n.helper("hard_sigmoid", {{"alpha", text_of(1. / 6)}, {"beta", "0.5"}}, n.in);
         n.node("elemwise_mul", {}, {n.in[0], step});
       }},
      {"silu", [](w& n) { n.node("elemwise_mul", {}, {n.in[0], n.helper("sigmoid", {}, n.in)}); }},
      {"mish",
       [](w& n) {
         n.node("elemwise_mul", {}, {n.in[0], n.helper("tanh", {}, {n.helper("Activation", {{"act_type", "softrelu"}}, n.in)})});
       }},
      {"gelu_tanh",
       [](w& n) {
         entry const cube = n.helper("_power_scalar", {{"scalar", "3"}}, n.in);
         entry const sum = n.helper("elemwise_add", {}, {n.in[0], n.helper("_mul_scalar", {{"scalar", "0.044715"}}, {cube})});
         entry const tanh = n.helper("tanh", {}, {n.helper("_mul_scalar", {{"scalar", "0.7978845608028654"}}, {sum})});
         entry const half = n.helper("_mul_scalar", {{"scalar", "0.5"}}, n.in);
         n.node("elemwise_mul", {}, {half, n.helper("_plus_scalar", {{"scalar", "1"}}, {tanh})});
       }},
      {"prelu",
       [](w& n) {
         if (n.is_number(0) || n.is_number(1)) n.refuse("an operand is a plain number");
         entry const low = n.helper("_minimum_scalar", {{"scalar", "0"}}, {n.in[0]});
         n.node("broadcast_add", {}, {n.helper("relu", {}, {n.in[0]}), n.helper("broadcast_mul", {}, {low, n.in[1]})});
       }},
      {"smooth_l1",
       [](w& n) {
         auto const v = n.given<ops::number_list>("values");
         n.node("smooth_l1", {{"scalar", v ? n.text(v->at[0]) : "1"}});
       }},
  };
  return all;
}

inline std::map<std::string_view, writer_of_node> const& array_writers() {
  using w = node_writer;
  static std::map<std::string_view, writer_of_node> const all{
      {"sum", [](w& n) { write_sum(n, "sum"); }},
      {"mean", [](w& n) { write_reduction(n, "mean"); }},
      {"max", [](w& n) { write_reduction(n, "max"); }},
      {"min", [](w& n) { write_reduction(n, "min"); }},
      {"prod", [](w& n) { write_sum(n, "prod"); }},
      {"norm", [](w& n) { write_reduction(n, "norm", {{"ord", text_of(std::int64_t{n.given<int>("ord").value_or(2)})}}); }},
      {"argmax", [](w& n) { write_position(n, "argmax"); }},
      {"argmin", [](w& n) { write_position(n, "argmin"); }},

      {"flatten", [](w& n) { n.node("Flatten"); }},
      {"reshape",
       [](w& n) {
         dims const to = *n.given<dims>("into");
         dims rest = to;  // but for the one extent that both compute where it is -1
         for (int i = 0; i < to.rank; ++i)
           if (to.d[i] == -1) rest.d[i] = 1;
         if (to.rank == 0) n.refuse("its result has no axes");
         static_cast<void>(n.text(rest));
         n.node("Reshape", {{"shape", text_of(to)}});
       }},
      {"transpose",
       [](w& n) {
         auto const axes = n.given<int_list>("axis");
         for (int i = 0; axes && i < axes->n; ++i)
           if ((*axes)[i] < 0) n.refuse("an axis is negative");
         n.node("transpose", axes ? attribute_texts{{"axes", text_of(*axes)}} : attribute_texts{});
       }},
      {"swap_axes",
       [](w& n) {
         auto const a = n.given<int_list>("axis");
         n.node("SwapAxis", {{"dim1", text_of((*a)[0])}, {"dim2", text_of((*a)[1])}});
       }},
      {"expand_dims", [](w& n) { write_along(n, "expand_dims", 0); }},
      {"squeeze",
       [](w& n) {
         auto const axes = n.given<int_list>("axis");
         n.node("squeeze", axes ? attribute_texts{{"axis", text_of(*axes)}} : attribute_texts{});
       }},
      {"broadcast_to",
       [](w& n) {
         dims const to = *n.given<dims>("into");
         n.node(n.shape_of(0).rank == to.rank ? "broadcast_to" : "_npi_broadcast_to", {{"shape", n.text(to)}});
       }},
      {"slice",
       [](w& n) {
         auto const given = [&](char const* key) { return n.given<int_list>(key).value_or(int_list{}); };
         int_list const begin = given("begin"), end = given("end"), step = given("step");
         int const most = std::max({begin.n, end.n, step.n});  // MXNet wants numbers for as many axes in each
         if (most == 0) return n.node("_copy");
         auto const filled = [&](int_list list) { return text_of(ops::slice::filled(list, most, open)); };
         attribute_texts a{{"begin", filled(begin)}, {"end", filled(end)}};
         if (step.n > 0) a["step"] = filled(step);
         n.node("slice", std::move(a));
       }},
      {"split",
       [](w& n) {
         int const parts = *n.given<int>("parts");
         n.node("SliceChannel", {{"axis", text_of(std::int64_t{n.axis(1)})}, {"num_outputs", text_of(std::int64_t{parts})}}, n.in, parts);
       }},
      {"concat",
       [](w& n) {
         n.node("Concat", {{"dim", text_of(std::int64_t{n.axis(1)})}, {"num_args", text_of(static_cast<std::int64_t>(n.in.size()))}});
       }},
      {"stack", [](w& n) { write_along(n, "stack", 0, {{"num_args", text_of(static_cast<std::int64_t>(n.in.size()))}}); }},
      {"tile", [](w& n) { n.node("tile", {{"reps", text_of(*n.given<int_list>("reps"))}}); }},
      {"repeat",
       [](w& n) {
         attribute_texts a{{"repeats", text_of((*n.given<int_list>("reps"))[0])}};
         if (n.given<int_list>("axis")) a["axis"] = text_of(std::int64_t{n.axis(0)});
         n.node("repeat", std::move(a));
       }},
      {"flip",
       [](w& n) {
         auto const axes = n.given<int_list>("axis");
         if (axes) return n.node("reverse", {{"axis", text_of(*axes)}});
         // Along all axes, however many: all elements in the opposite order.
         entry const elements = n.helper("Reshape", {{"shape", "(-1,)"}}, {n.in[0]});
         n.node("reshape_like", {}, {n.helper("reverse", {{"axis", "(0,)"}}, {elements}), n.in[0]});
       }},
      // MXNet's broadcast_like wants operands of one rank.
      {"broadcast_like", [](w& n) { n.node("_npi_where", {}, {n.helper("ones_like", {}, {n.in[1]}), n.in[0], n.in[0]}); }},
      {"reshape_like", [](w& n) { n.node("reshape_like"); }},
      {"slice_like",
       [](w& n) {
         auto const axes = n.given<int_list>("axis");
         n.node("slice_like", axes ? attribute_texts{{"axes", text_of(*axes)}} : attribute_texts{});
       }},
      {"space_to_depth", [](w& n) { n.node("space_to_depth", {{"block_size", text_of(std::int64_t{*n.given<int>("block")})}}); }},
      {"depth_to_space", [](w& n) { n.node("depth_to_space", {{"block_size", text_of(std::int64_t{*n.given<int>("block")})}}); }},

      {"sort",
       [](w& n) {
         attribute_texts const a{{"axis", text_of(std::int64_t{n.axis(-1)})}, {"is_ascend", text_of(n.flag("ascending", true))}};
         if (is_half(n)) write_in(n, dtype::float32, "sort", a, n.in);
         else n.node("sort", a);
       }},
      {"argsort",
       [](w& n) {
         n.node("argsort",
                {{"axis", text_of(std::int64_t{n.axis(-1)})}, {"dtype", "int64"}, {"is_ascend", text_of(n.flag("ascending", true))}},
                {is_half(n) ? cast_for(n, n.in[0], dtype::float32) : n.in[0]});
       }},
      {"topk",
       [](w& n) {
         n.node("topk",
                {{"axis", text_of(std::int64_t{n.axis(-1)})},
                 {"dtype", "int64"},
                 {"is_ascend", text_of(n.flag("ascending"))},
                 {"k", text_of(std::int64_t{*n.given<int>("top")})},
                 {"ret_typ", "both"}},
                n.in, 2);
       }},
      {"take", [](w& n) { write_along(n, "take", 0, {{"mode", "clip"}}); }},
      {"pick", [](w& n) { write_along(n, "pick", -1, {{"keepdims", text_of(n.flag("keepdims"))}}); }},
      // A coordinate below 0 is taken for 0, and MXNet would count it from the end.
      {"gather_nd", [](w& n) { n.node("gather_nd", {}, {n.in[0], n.helper("_maximum_scalar", {{"scalar", "0"}}, {n.in[1]})}); }},
      {"one_hot",
       [](w& n) {
         auto const v = n.given<ops::number_list>("values");
         n.node("one_hot", {{"depth", text_of(std::int64_t{*n.given<int>("depth")})},
                            {"dtype", type_in_file(n, n.given<dtype>("as").value_or(dtype::float32))},
                            {"off_value", v && v->n > 1 ? n.text(v->at[1]) : "0"},
                            {"on_value", v ? n.text(v->at[0]) : "1"}});
       }},
  };
  return all;
}

inline std::map<std::string_view, writer_of_node> const& layer_writers() {
  using w = node_writer;
  static std::map<std::string_view, writer_of_node> const all{
      {"fully_connected",
       [](w& n) {
         n.node("FullyConnected", {{"flatten", text_of(n.flag("flattened", true))},
                                   {"no_bias", text_of(n.in.size() == 2)},
                                   {"num_hidden", text_of(known_weight(n).d[0])}});
       }},
      {"convolution", [](w& n) { write_convolution(n, false); }},
      {"convolution_transpose", [](w& n) { write_convolution(n, true); }},
      {"max_pool", [](w& n) { write_pooling(n, "max"); }},
      {"avg_pool", [](w& n) { write_pooling(n, "avg"); }},
      {"matmul",
       [](w& n) {
         // linalg_gemm2 wants operands of one rank, with the same batches.
         auto const operand = [&](std::size_t i, std::string_view transposed) {
           return n.flag(transposed) ? n.helper("SwapAxis", {{"dim1", "-2"}, {"dim2", "-1"}}, {n.in[i]}) : n.in[i];
         };
         for (std::size_t const i : {0u, 1u})
           if (dtype const t = n.type_of(i); t != dtype::none && kind_of(t) == dtype_kind::integer)
             n.refuse("MXNet multiplies matrices of floats alone; cast its operands");
         std::vector<entry> const both{operand(0, "transpose_a"), operand(1, "transpose_b")};
         if (is_half(n) && n.type_of(1) == dtype::float16) write_in(n, dtype::float32, "_npi_matmul", {}, both);
         else n.node("_npi_matmul", {}, both);
       }},
      {"gemm2",
       [](w& n) {
         n.node("_linalg_gemm2", {{"alpha", text_of(n.given<double>("alpha").value_or(1))},
                                  {"transpose_a", text_of(n.flag("transpose_a"))},
                                  {"transpose_b", text_of(n.flag("transpose_b"))}});
       }},
      {"softmax", [](w& n) { write_like_softmax(n, "softmax"); }},
      {"log_softmax", [](w& n) { write_like_softmax(n, "log_softmax"); }},
      {"softmin", [](w& n) { write_like_softmax(n, "softmin"); }},
      {"batch_norm",
       [](w& n) {
         write_norm(n, "BatchNorm", 1e-5,
                    {{"axis", text_of(std::int64_t{n.axis(1)})}, {"fix_gamma", "False"}, {"use_global_stats", "True"}});
       }},
      {"layer_norm", [](w& n) { write_norm(n, "LayerNorm", 1e-5, {{"axis", text_of(std::int64_t{n.axis(-1)})}}); }},
      {"instance_norm", [](w& n) { write_norm(n, "InstanceNorm", 1e-5); }},
      {"l2_normalize",
       [](w& n) {
         char const* const names[]{"instance", "channel", "spatial"};
         write_norm(n, "L2Normalization", 1e-10, {{"mode", names[n.given<int>("over").value_or(0)]}});
       }},
      {"upsample",
       [](w& n) {
         if (interpolation(n.given<int>("mode").value_or(0)) != interpolation::nearest) n.refuse("it is not of the nearest elements");
         n.node("UpSampling",
                {{"num_args", "1"}, {"sample_type", "nearest"}, {"scale", text_of(static_cast<std::int64_t>(*n.given<double>("scale")))}});
       }},
      {"lrn",
       [](w& n) {
         n.node("LRN", {{"alpha", text_of(n.given<double>("alpha").value_or(1e-4))},
                        {"beta", text_of(n.given<double>("beta").value_or(0.75))},
                        {"knorm", text_of(n.given<double>("knorm").value_or(2))},
                        {"nsize", text_of(std::int64_t{*n.given<int>("nsize")})}});
       }},
  };
  return all;
}

inline void write_call(node_writer& w, std::string_view op) {
  for (auto const* all : {&elementwise_writers(), &array_writers(), &layer_writers(), &part_writers()})
    if (auto const at = all->find(op); at != all->end()) return at->second(w);
  row const* const same = table::find(op);
  if (!same || same->read || same->same != op)
    w.refuse(
        "MXNet has no such operation, nor several that give the same numbers, so its files (net.save, export_, symbol.tojson) cannot hold "
        "this network; export_onnx writes it as an ONNX model, and save_parameters its weights alone");
  w.node(std::string(same->name));
}

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
