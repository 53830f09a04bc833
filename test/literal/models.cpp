// SPDX-License-Identifier: Apache-2.0
// Files of MXNet as literals: their plans, and their outputs, which are those of symbol_block::imports bit for bit, and near to MXNet's.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/io/npy.hpp>
#include <sinter/literal.hpp>
#include <sinter/nn/layers/convolution.hpp>
#include <sinter/nn/layers/norms.hpp>
#include <sinter/nn/layers/pooling.hpp>
#include <sinter/symbol/symbol_block.hpp>

#include "../symbol/type_of_file.hpp"

using namespace sinter;

namespace {
#define SINTER_TEXT(name) \
  struct name {           \
    static constexpr char const* json =
#define SINTER_TEXT_ENDS \
  ;                      \
  }
SINTER_TEXT(cnn_text)
#include <literals/digits-cnn.inc>
SINTER_TEXT_ENDS;
SINTER_TEXT(resnet_text)
#include <literals/digits-resnet.inc>
SINTER_TEXT_ENDS;
SINTER_TEXT(mlp_text)
#include <literals/seed-mlp.inc>
SINTER_TEXT_ENDS;
SINTER_TEXT(transformer_text)
#include <literals/digits-transformer.inc>
SINTER_TEXT_ENDS;
SINTER_TEXT(two_inputs_text)
#include <literals/two-inputs.inc>
SINTER_TEXT_ENDS;
SINTER_TEXT(numpy_text)
#include <literals/numpy-mode.inc>
SINTER_TEXT_ENDS;
SINTER_TEXT(half_text)
#include <literals/half.inc>
SINTER_TEXT_ENDS;
SINTER_TEXT(words_text)
#include <literals/text.inc>
SINTER_TEXT_ENDS;
SINTER_TEXT(kitchen_text)
#include <literals/kitchen.inc>
SINTER_TEXT_ENDS;
SINTER_TEXT(concurrent_text)
#include <literals/concurrent.inc>
SINTER_TEXT_ENDS;

template <class T, class S> void check_bits(sym::array const& got, nd::tensor<T, S> const& want) {
  REQUIRE(got.type() == dtype_of<T>);
  REQUIRE(got.shape() == want.shape());
  auto const row_major = want.contiguous();
  CHECK(std::memcmp(got.data(), row_major.data(), static_cast<std::size_t>(want.size()) * sizeof(T)) == 0);
}
template <class Y> void check_all_bits(sym::results const& want, Y const& y) {
  if constexpr (nd::is_tensor<Y>) check_bits(want[0], y);
  else {
    std::size_t i = 0;
    std::apply([&](auto const&... one) { (check_bits(want[i++], one), ...); }, y);
  }
}
template <class Net, class... X> void check_literal(std::string const& folder, std::vector<std::string> const& inputs, X const&... x) {
  std::string const file = models + folder + "/" + folder;
  Net net;
  net.load(file + "-0000.params");
  auto const block = symbol_block::imports(file + "-symbol.json", inputs, file + "-0000.params");
  auto const want = block(x...);
  auto const y = net(x...);
  check_all_bits(want, y);
  check_outputs(y, folder);
  check_all_bits(want, net.hybridize()(x...));
}
}  // namespace

// The plan is the one of a network that is written by hand.
using by_hand = nn::hybrid_sequential<nn::conv2d<16, 3, 1, 1, 1, 1, nn::relu>, nn::max_pool2d<2>, nn::conv2d<32, 3, 1, 1>, nn::batch_norm<>,
                                      nn::activation<nn::relu>, nn::avg_pool2d<2>, nn::flatten, nn::dense<64, nn::relu>, nn::dropout<0.3>,
                                      nn::dense<10>>;
using cnn = compiled_t<symbol_network<cnn_text>, shape<dim<"batch">, 1, 8, 8>>;
static_assert(cnn::kernels == compiled_t<by_hand, shape<dim<"batch">, 1, 8, 8>>::kernels);
static_assert(cnn::arena_bytes(64) == compiled_t<by_hand, shape<dim<"batch">, 1, 8, 8>>::arena_bytes(64));
using resnet = compiled_t<symbol_network<resnet_text>, shape<5, 1, 8, 8>>;
static_assert(resnet::kernels == 8);
static_assert(resnet::arena_bytes <= 5 * 8192);
static_assert(compiled_t<symbol_network<mlp_text>, shape<1, 512>>::kernels == 3);

TEST_CASE("perceptrons") { check_literal<symbol_network<mlp_text>>("seed-mlp", {"data"}, input<float, shape<1, 512>>("seed-mlp", 0)); }
TEST_CASE("convolutional networks") {
  check_literal<symbol_network<cnn_text>>("digits-cnn", {"data"}, pictures<shape<7, 1, 8, 8>>());
  check_literal<symbol_network<cnn_text>>("digits-cnn", {"data"}, pictures<shape<dim<"batch">, 1, 8, 8>>({5, 1, 8, 8}));
  check_literal<symbol_network<resnet_text>>("digits-resnet", {"data"}, pictures<shape<5, 1, 8, 8>>());
}
TEST_CASE("a transformer") {
  check_literal<symbol_network<transformer_text>>("digits-transformer", {"data"}, pictures<shape<4, 8, 8>>());
  check_literal<symbol_network<transformer_text>>("digits-transformer", {"data"}, pictures<shape<dim<"batch">, 8, 8>>({3, 8, 8}));
}
TEST_CASE("several inputs, outputs and dtypes") {
  check_literal<symbol_network<two_inputs_text>>("two-inputs", {"data0", "data1"}, input<float, shape<4, 5>>("two-inputs", 0),
                                                 input<float, shape<4, 5>>("two-inputs", 1));
  check_literal<symbol_network<numpy_text>>("numpy-mode", {"data"}, input<float, shape<5, 4>>("numpy-mode", 0));
  check_literal<symbol_network<half_text>>("half", {"data"}, input<float16, shape<5, 6>>("half", 0));
  check_literal<symbol_network<words_text>>("text", {"data"}, input<float, shape<6, 9>>("text", 0));
  check_literal<symbol_network<concurrent_text>>("concurrent", {"data"}, input<float, shape<7, 4>>("concurrent", 0));
}
TEST_CASE("many operations") {
  check_literal<symbol_network<kitchen_text>>("kitchen", {"data0", "data1"}, input<float, shape<3, 4, 5>>("kitchen", 0),
                                              input<float, shape<4, 1>>("kitchen", 1));
}
