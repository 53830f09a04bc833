// SPDX-License-Identifier: Apache-2.0
// Each row of the table of operations, beside the row that symbol::load_json has.
#include "sheet.hpp"

namespace {
constexpr line unary[]{{"abs"},
                       {"negative"},
                       {"square"},
                       {"exp"},
                       {"expm1"},
                       {"sin"},
                       {"cos"},
                       {"tan"},
                       {"arctan"},
                       {"sinh"},
                       {"cosh"},
                       {"tanh"},
                       {"arcsinh"},
                       {"cbrt"},
                       {"degrees"},
                       {"radians"},
                       {"erf"},
                       {"sigmoid"},
                       {"relu"},
                       {"softsign"},
                       {"floor"},
                       {"ceil"},
                       {"trunc"},
                       {"fix"},
                       {"sign"},
                       {"round"},
                       {"rint"},
                       {"zeros_like"},
                       {"ones_like"},
                       {"_npi_rint"},
                       {"_npi_around", R"("decimals": "0")"},
                       {"_npi_tril", R"("k": "1")"},
                       {"hard_sigmoid"},
                       {"smooth_l1", R"("scalar": "0.5")"}};
constexpr line positive[]{{"reciprocal"}, {"sqrt"},  {"rsqrt"},   {"log"},      {"log2"},      {"log10"},    {"log1p"},
                          {"arccosh"},    {"gamma"}, {"gammaln"}, {"_npi_exp"}, {"_npx_relu"}, {"_npi_log"}, {"_npi_sqrt"}};
constexpr line small[]{{"arcsin"}, {"arccos"}, {"arctanh"}, {"erfinv"}};
constexpr line binary[]{{"elemwise_add", "", "01"},
                        {"_plus", "", "01"},
                        {"broadcast_add", "", "02"},
                        {"elemwise_sub", "", "01"},
                        {"broadcast_sub", "", "20"},
                        {"broadcast_minus", "", "02"},
                        {"elemwise_mul", "", "01"},
                        {"broadcast_mul", "", "02"},
                        {"elemwise_div", "", "01"},
                        {"broadcast_div", "", "02"},
                        {"broadcast_maximum", "", "02"},
                        {"_maximum", "", "01"},
                        {"broadcast_minimum", "", "20"},
                        {"broadcast_hypot", "", "02"},
                        {"broadcast_mod", "", "02"},
                        {"_power", "", "30"},
                        {"add_n", R"("num_args": "3")", "013"},
                        {"ElementWiseSum", R"("num_args": "1")", "0"},
                        {"where", "", "013"},
                        {"_npi_where", "", "201"}};
constexpr line comparisons[]{{"_equal", "", "01"},
                             {"broadcast_not_equal", "", "01"},
                             {"broadcast_greater", "", "01"},
                             {"_greater_equal", "", "01"},
                             {"broadcast_lesser", "", "01"},
                             {"_Lesser_Equal", "", "01"},
                             {"broadcast_logical_and", "", "01"},
                             {"_logical_or", "", "01"},
                             {"broadcast_logical_xor", "", "01"},
                             {"logical_not"},
                             {"_equal_scalar", R"("scalar": "0.5")"},
                             {"_not_equal_scalar", R"("scalar": "0")"},
                             {"_greater_scalar", R"("scalar": "0.25", "is_int": "False")"},
                             {"_greater_equal_scalar", R"("scalar": "0.25")"},
                             {"_lesser_scalar", R"("scalar": "-0.5")"},
                             {"_lesser_equal_scalar", R"("scalar": "-0.5")"},
                             {"_logical_and_scalar", R"("scalar": "2")"},
                             {"_logical_or_scalar", R"("scalar": "0")"},
                             {"_logical_xor_scalar", R"("scalar": "1")"}};
constexpr line numbers_beside[]{{"_plus_scalar", R"("scalar": "0.1")"},
                                {"_minus_scalar", R"("scalar": "0.30000000000000004")"},
                                {"_rminus_scalar", R"("scalar": "1")"},
                                {"_mul_scalar", R"("scalar": "1e-05")"},
                                {"_div_scalar", R"("scalar": "3")"},
                                {"_rdiv_scalar", R"("scalar": "-2.5e+00")"},
                                {"_mod_scalar", R"("scalar": "0.75")"},
                                {"_rmod_scalar", R"("scalar": "2")"},
                                {"_power_scalar", R"("scalar": "3")"},
                                {"_rpower_scalar", R"("scalar": "2")"},
                                {"_maximum_scalar", R"("scalar": "0.2")"},
                                {"_MinimumScalar", R"("scalar": "0.2")"},
                                {"_hypot_scalar", R"("scalar": "2")"},
                                {"_PlusScalar", R"("scalar": "0.0010000000474974513")"},
                                {"_npi_multiply_scalar", R"("scalar": "3.0", "is_int": "False")"},
                                {"clip", R"("a_min": "-0.5", "a_max": "inf")"},
                                {"_plus_scalar"}};
constexpr line integers[]{{"_plus_scalar", R"("scalar": "3")"},
                          {"_plus_scalar", R"("scalar": "0.5", "is_int": "False")"},
                          {"_mul_scalar", R"("scalar": "-7", "is_int": "1")"},
                          {"_mod_scalar", R"("scalar": "3")"},
                          {"_greater_scalar", R"("scalar": "2")"},
                          {"_greater_scalar", R"("scalar": "0.5", "is_int": "False")"},
                          {"_logical_xor_scalar", R"("scalar": "0.5", "is_int": "False")"},
                          {"elemwise_add", "", "01"},
                          {"broadcast_mod", "", "01"},
                          {"_equal", "", "01"},
                          {"logical_not"},
                          {"clip", R"("a_min": "-2", "a_max": "5")"},
                          {"Cast", R"("dtype": "float32")"},
                          {"cast", R"("dtype": "int64")"},
                          {"sum"},
                          {"where", "", "001"}};
constexpr line truths[]{{"_not_equal_scalar", R"("scalar": "0")"},   {"_greater_scalar", R"("scalar": "0.5", "is_int": "False")"},
                        {"_plus_scalar", R"("scalar": "1")"},        {"_rminus_scalar", R"("scalar": "0.5", "is_int": "False")"},
                        {"_logical_xor_scalar", R"("scalar": "1")"}, {"_logical_and_scalar", R"("scalar": "0.5", "is_int": "False")"}};
constexpr line activations[]{{"Activation", R"("act_type": "relu")"},
                             {"Activation", R"("act_type": "sigmoid")"},
                             {"Activation", R"("act_type": "tanh")"},
                             {"Activation", R"("act_type": "softrelu")"},
                             {"Activation", R"("act_type": "softsign")"},
                             {"Activation", R"("act_type": "mish")"},
                             {"_npx_activation", R"("act_type": "log_sigmoid")"},
                             {"LeakyReLU"},
                             {"LeakyReLU", R"("act_type": "leaky", "slope": "0.1")"},
                             {"LeakyReLU", R"("act_type": "elu", "slope": "1.5")"},
                             {"LeakyReLU", R"("act_type": "selu")"},
                             {"LeakyReLU", R"("act_type": "gelu")"},
                             {"LeakyReLU", R"("act_type": "gelu_tanh")"},
                             {"LeakyReLU", R"("act_type": "rrelu", "lower_bound": "0.1", "upper_bound": "0.3")"},
                             {"LeakyReLU", R"("act_type": "prelu")", "01"},
                             {"Dropout", R"("p": "0.5", "mode": "training")"},
                             {"identity"},
                             {"BlockGrad"},
                             {"softmax"},
                             {"softmax", R"("axis": "1", "temperature": "2.0")"},
                             {"log_softmax", R"("axis": "-2")"},
                             {"softmax", R"("axis": "0", "dtype": "float64")"},
                             {"softmin", R"("axis": "1")"},
                             {"SoftmaxActivation"},
                             {"SoftmaxActivation", R"("mode": "channel")"},
                             {"SoftmaxOutput", R"("grad_scale": "1", "multi_output": "True")"},
                             {"SoftmaxOutput", R"("preserve_shape": "True")"},
                             {"SoftmaxOutput"},
                             {"LogisticRegressionOutput", R"("grad_scale": "1")"},
                             {"LinearRegressionOutput"},
                             {"MAERegressionOutput"}};
}  // namespace

TEST_CASE("elementwise rows") {
  check_sheet<unary>(numbers<float, shape<3, 5>>(0));
  check_sheet<positive>(numbers<float, shape<3, 5>>(1, 1.0, 0.25));
  check_sheet<small>(numbers<float, shape<3, 5>>(1, -0.9, 0.08));
}
TEST_CASE("rows of two arrays") {
  check_sheet<binary>(numbers<float, shape<3, 5>>(0), numbers<float, shape<3, 5>>(1), numbers<float, shape<1, 5>>(2),
                      numbers<float, shape<3, 5>>(3, 0.5));
  check_sheet<comparisons>(numbers<float, shape<4, 6>>(0), numbers<float, shape<4, 6>>(1));
  check_sheet<comparisons, true>(numbers<float, shape<4, 6>>(0), numbers<float, shape<4, 6>>(1));
}
TEST_CASE("rows with numbers") { check_sheet<numbers_beside>(numbers<float, shape<3, 5>>(0)); }
TEST_CASE("rows on integers") {
  check_sheet<integers>(numbers<std::int32_t, shape<3, 5>>(0, -8, 1), numbers<std::int32_t, shape<3, 5>>(1, -4, 1));
}
TEST_CASE("rows on truths") {
  check_sheet<truths>(numbers<bool, shape<3, 5>>(0, -1, 1));
  check_sheet<truths, true>(numbers<bool, shape<3, 5>>(0, -1, 1));
}
TEST_CASE("activations") { check_sheet<activations>(numbers<float, shape<2, 3, 4>>(0), numbers<float, shape<3>>(1, 0.1)); }
