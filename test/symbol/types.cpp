// SPDX-License-Identifier: Apache-2.0
// Small files of MXNet as types.
#include <bag_of_words.hpp>
#include <concurrent.hpp>
#include <digits_cnn.hpp>
#include <half.hpp>
#include <hybrid_net.hpp>
#include <loops.hpp>
#include <numpy_mode.hpp>
#include <seed_mlp.hpp>
#include <two_inputs.hpp>

#include <filesystem>

#include "type_of_file.hpp"

using namespace sinter;

// The plan is the one of a network that is written by hand.
using mlp = compiled_t<seed_mlp, shape<1, 512>>;
static_assert(mlp::kernels == 3);
using cnn = compiled_t<digits_cnn, shape<dim<"batch">, 1, 8, 8>>;
static_assert(cnn::kernels <= 9);
static_assert(compiled_t<digits_cnn, shape<7, 1, 8, 8>>::arena_bytes > 0);

TEST_CASE("networks without shapes of inputs") {
  check_model<seed_mlp>("seed-mlp", input<float, shape<1, 512>>("seed-mlp", 0));
  check_model<hybrid_net>("hybrid-net", input<float, shape<3, 4>>("hybrid-net", 0));
  check_model<hybrid_net>("hybrid-net", input<float, shape<dim<"n">, 4>>("hybrid-net", 0));
  check_model<concurrent>("concurrent", input<float, shape<7, 4>>("concurrent", 0));
}
TEST_CASE("networks whose operations depend on the shapes of inputs") {
  check_model<two_inputs>("two-inputs", input<float, shape<4, 5>>("two-inputs", 0), input<float, shape<4, 5>>("two-inputs", 1));
  check_model<numpy_mode>("numpy-mode", input<float, shape<5, 4>>("numpy-mode", 0));
  check_model<half>("half", input<float16, shape<5, 6>>("half", 0));
  check_model<bag_of_words>("text", input<float, shape<6, 9>>("text", 0));
  check_model<bag_of_words>("text", input<float, shape<dim<"batch">, 9>>("text", 0));
}
TEST_CASE("loops and branches") {
  check_model<loops>("loops", input<float, shape<7, 2, 2>>("loops", 0), input<float, shape<2, 3>>("loops", 1));
}
TEST_CASE("a convolutional network with a batch of any size") {
  check_model<digits_cnn>("digits-cnn", pictures<shape<7, 1, 8, 8>>());
  check_model<digits_cnn>("digits-cnn", pictures<shape<dim<"batch">, 1, 8, 8>>({5, 1, 8, 8}));
}
TEST_CASE("weights that are embedded as a policy keeps them give what the policy gives with the whole file") {
  digits_cnn embedded, loaded;
  embedded.load_embedded();
  loaded.load(models + "digits-cnn/digits-cnn-0000.params");
  auto const x = pictures<shape<7, 1, 8, 8>>();
  auto const narrow = embedded.hybridize(weights::int8), whole = loaded.hybridize(weights::int8);
  CHECK(std::memcmp(narrow(x).data(), whole(x).data(), sizeof(float) * static_cast<std::size_t>(whole(x).shape().size())) == 0);
  CHECK(sinter_embedded_digits_cnn_bytes().size() < std::filesystem::file_size(models + "digits-cnn/digits-cnn-0000.params") * 2 / 3);
}
TEST_CASE("a file of other parameters is refused") {
  digits_cnn net;
  CHECK_THROWS_AS(net.load(models + "hybrid-net/hybrid-net-0000.params"), parameter_error);
}
