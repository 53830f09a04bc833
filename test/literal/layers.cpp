// SPDX-License-Identifier: Apache-2.0
// The rows of layers, shapes, reductions and indices, beside those that symbol::load_json has.
#include "sheet.hpp"

namespace {
constexpr line dense[]{{"FullyConnected", R"x("num_hidden": "4")x", "012"},
                       {"FullyConnected", R"x("num_hidden": "4", "no_bias": "True", "flatten": "True")x", "01"},
                       {"FullyConnected", R"x("num_hidden": "4", "flatten": "False")x", "032"},
                       {"batch_dot", "", "04"},
                       {"batch_dot", R"x("transpose_b": "True")x", "00"},
                       {"batch_dot", R"x("transpose_a": "True", "forward_stype": "default")x", "00"},
                       {"dot", "", "05"},
                       {"dot", R"x("transpose_b": "True")x", "03"},
                       {"dot", R"x("transpose_a": "True")x", "11"},
                       {"dot", "", "22"},
                       {"_npi_matmul", "", "04"}};
constexpr line convolutions[]{
    {"Convolution", R"x("kernel": "(3, 3)", "num_filter": "4", "pad": "(1, 1)", "stride": "(2, 1)", "workspace": "1024")x", "012"},
    {"Convolution", R"x("kernel": "(3, 3)", "num_filter": "4", "dilate": "(2, 1)", "no_bias": "True", "layout": "NCHW")x", "01"},
    {"Convolution", R"x("kernel": "[1,3]", "num_filter": "4", "num_group": "2", "no_bias": "1")x", "03"},
    {"Deconvolution", R"x("kernel": "(3, 3)", "num_filter": "4", "stride": "(2, 2)", "adj": "(1, 1)", "pad": "(1, 1)")x", "04"},
    {"Pooling", R"x("kernel": "(2, 2)", "pool_type": "max", "stride": "(2, 2)")x"},
    {"Pooling", R"x("kernel": "(3, 2)", "pool_type": "avg", "pad": "(1, 0)", "stride": "(2, 2)")x"},
    {"Pooling", R"x("kernel": "(3, 2)", "pool_type": "avg", "pad": "(1, 0)", "count_include_pad": "False", "pooling_convention": "full")x"},
    {"Pooling", R"x("kernel": "(2, 2)", "pool_type": "sum", "p_value": "None")x"},
    {"Pooling", R"x("kernel": "(2, 2)", "pool_type": "lp", "p_value": "2")x"},
    {"Pooling", R"x("kernel": "(2, 2)", "pool_type": "lp", "p_value": "3")x"},
    {"Pooling", R"x("kernel": "(1, 1)", "global_pool": "True", "pool_type": "max", "stride": "(3, 3)")x"},
    {"Pooling", R"x("global_pool": "True", "pool_type": "avg", "cudnn_off": "True")x"},
    {"Pooling", R"x("global_pool": "True", "pool_type": "sum")x"},
    {"LRN", R"x("nsize": "3", "alpha": "0.001", "beta": "0.5", "knorm": "1")x"},
    {"LRN", R"x("nsize": "3")x"},
    {"L2Normalization", R"x("mode": "channel")x"},
    {"L2Normalization", R"x("mode": "spatial", "eps": "0.1")x"},
    {"L2Normalization"},
    {"UpSampling", R"x("scale": "2", "sample_type": "nearest", "num_args": "1")x"},
    {"Pad", R"x("mode": "constant", "pad_width": "(0, 0, 0, 0, 1, 2, 2, 1)", "constant_value": "1.5")x"},
    {"pad", R"x("mode": "reflect", "pad_width": "(0, 0, 0, 0, 1, 2, 2, 1)")x"},
    {"Pad", R"x("mode": "edge", "pad_width": "(0, 0, 0, 0, 1, 2, 2, 1)")x"},
    {"space_to_depth", R"x("block_size": "2")x", "5"},
    {"depth_to_space", R"x("block_size": "2")x", "5"}};
constexpr line norms[]{{"BatchNorm", R"x("eps": "1e-05", "momentum": "0.9", "fix_gamma": "False")x", "01234"},
                       {"BatchNorm", R"x("use_global_stats": "True")x", "01234"},
                       {"BatchNorm", R"x("axis": "-2", "fix_gamma": "False")x", "01234"},
                       {"LayerNorm", "", "056"},
                       {"LayerNorm", R"x("axis": "1", "eps": "0.001")x", "012"},
                       {"InstanceNorm", "", "012"},
                       {"InstanceNorm", R"x("eps": "0.01")x", "012"}};
constexpr line shapes[]{{"Flatten"},
                        {"Reshape", R"x("shape": "(0, -1)")x"},
                        {"Reshape", R"x("shape": "(-3, 4)")x"},
                        {"reshape", R"x("shape": "(-4, 1, 2, -2)")x"},
                        {"Reshape", R"x("shape": "(-1, 0)", "reverse": "True")x"},
                        {"Reshape", R"x("target_shape": "(0, 12)", "keep_highest": "True")x"},
                        {"_npx_reshape", R"x("newshape": "(-2, -5)")x"},
                        {"_npi_reshape", R"x("newshape": "(-5, -2)", "reverse": "True")x"},
                        {"_np_reshape", R"x("newshape": "(6, -1)", "order": "C")x"},
                        {"reshape_like", "", "01"},
                        {"transpose"},
                        {"transpose", R"x("axes": "(1, 0, 2)")x"},
                        {"SwapAxis", R"x("dim1": "0", "dim2": "2")x"},
                        {"expand_dims", R"x("axis": "1")x"},
                        {"squeeze", "", "2"},
                        {"squeeze", R"x("axis": "(1,)")x", "2"},
                        {"reverse", R"x("axis": "1")x"},
                        {"slice", R"x("begin": "(None, 1)", "end": "(None, 3)")x"},
                        {"slice", R"x("begin": "(0, 0, 3)", "end": "(2, 3, None)", "step": "(1, 2, -1)")x"},
                        {"slice_axis", R"x("axis": "-1", "begin": "1", "end": "None")x"},
                        {"slice_axis", R"x("axis": "1", "begin": "0", "end": "-1")x"},
                        {"slice_like", R"x("axes": "(0,)")x", "03"},
                        {"Concat", R"x("num_args": "2")x", "00"},
                        {"concat", R"x("num_args": "3", "dim": "-1")x", "000"},
                        {"_npi_concatenate", R"x("num_args": "2")x", "00"},
                        {"stack", R"x("num_args": "2", "axis": "1")x", "00"},
                        {"broadcast_to", R"x("shape": "(0, 3, 4)")x", "2"},
                        {"broadcast_axis", R"x("axis": "1", "size": "5")x", "2"},
                        {"broadcast_like", "", "20"},
                        {"tile", R"x("reps": "(2, 1, 1)")x"},
                        {"repeat", R"x("repeats": "2", "axis": "1")x"},
                        {"repeat", R"x("repeats": "2")x"}};
constexpr line reductions[]{{"sum"},
                            {"sum", R"x("axis": "1")x"},
                            {"sum", R"x("axis": "(0, 2)", "keepdims": "True")x"},
                            {"mean", R"x("axis": "()")x"},
                            {"mean", R"x("axis": "(1,)", "exclude": "True")x"},
                            {"mean", R"x("axis": "(1,)", "exclude": "True", "keepdims": "1")x"},
                            {"max", R"x("axis": "-1")x"},
                            {"min", R"x("axis": "None", "keepdims": "True")x"},
                            {"max_axis", R"x("axis": "0")x"},
                            {"prod", R"x("axis": "2")x"},
                            {"sum", R"x("axis": "1", "dtype": "float64")x"},
                            {"norm"},
                            {"norm", R"x("ord": "1", "axis": "1")x"},
                            {"argmax", R"x("axis": "1")x"},
                            {"argmin", R"x("axis": "2", "keepdims": "True")x"},
                            {"argmax"}};
constexpr line orders[]{{"sort"},
                        {"sort", R"x("axis": "None", "is_ascend": "False")x"},
                        {"argsort", R"x("axis": "0", "dtype": "int32")x"},
                        {"argsort", R"x("is_ascend": "0")x"},
                        {"topk", R"x("k": "2")x"},
                        {"topk", R"x("k": "2", "ret_typ": "value", "axis": "1", "is_ascend": "True")x"},
                        {"topk", R"x("k": "3", "axis": "None", "ret_typ": "both")x"},
                        {"cumsum"},
                        {"_np_cumsum", R"x("axis": "1", "dtype": "float64")x"}};
constexpr line indices[]{{"Embedding", R"x("input_dim": "5", "output_dim": "3", "dtype": "float32")x", "01"},
                         {"Embedding", R"x("input_dim": "5", "output_dim": "3")x", "21"},
                         {"take", R"x("axis": "1")x", "12"},
                         {"take", R"x("mode": "wrap")x", "12"},
                         {"pick", "", "13"},
                         {"pick", R"x("axis": "0", "keepdims": "True")x", "14"},
                         {"pick", "", "25"},
                         {"one_hot", R"x("depth": "6", "on_value": "2.5")x", "0"},
                         {"one_hot", R"x("depth": "6", "dtype": "int32", "off_value": "-1")x", "2"}};
}  // namespace

TEST_CASE("products") {
  check_sheet<dense>(numbers<float, shape<2, 3, 5>>(0), numbers<float, shape<4, 15>>(1), numbers<float, shape<4>>(2),
                     numbers<float, shape<4, 5>>(3), numbers<float, shape<2, 5, 2>>(4), numbers<float, shape<5, 2>>(5));
}
TEST_CASE("convolutions and pooling") {
  check_sheet<convolutions>(numbers<float, shape<2, 6, 7, 9>>(0), numbers<float, shape<4, 6, 3, 3>>(1), numbers<float, shape<4>>(2),
                            numbers<float, shape<4, 3, 1, 3>>(3), numbers<float, shape<6, 4, 3, 3>>(4),
                            numbers<float, shape<1, 8, 4, 6>>(5));
}
TEST_CASE("norms") {
  check_sheet<norms>(numbers<float, shape<2, 3, 4>>(0), f32<3>{0.5, 1, 2}, f32<3>{1, -1, 0}, f32<3>{0.1f, 0.2f, 0.3f}, f32<3>{1, 2, 0.5},
                     f32<4>{1, 2, 3, 0.5}, f32<4>{0, 1, 0, -1});
}
TEST_CASE("shapes") {
  check_sheet<shapes>(numbers<float, shape<2, 3, 4>>(0), numbers<float, shape<4, 6>>(1), numbers<float, shape<2, 1, 4>>(2),
                      numbers<float, shape<1, 3, 4>>(3));
}
TEST_CASE("reductions") {
  check_sheet<reductions>(numbers<float, shape<2, 3, 4>>(0));
  check_sheet<reductions, true>(numbers<float, shape<2, 3, 4>>(0));
}
TEST_CASE("orders") { check_sheet<orders>(numbers<float, shape<3, 5, 4>>(0)); }
TEST_CASE("indices") {
  check_sheet<indices>(nd::tensor<std::int32_t, shape<2, 2>>{0, 4, 2, 1}, numbers<float, shape<5, 3>>(0), f32<3>{1, 2.9f, 0},
                       f32<5>{0, 2, 1, 2, 0}, f32<3>{4, 0, 3}, f32<1>{2});
}
