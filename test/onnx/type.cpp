// SPDX-License-Identifier: Apache-2.0
// An ONNX model as a type, its parameters linked into the program: ONNX Runtime's outputs.
#include <small.hpp>

#include <sinter/io/write_params.hpp>

#include "../symbol/type_of_file.hpp"

using namespace sinter;

TEST_CASE("a network from an ONNX model") {
  std::string const file = SINTER_SOURCE_DIR "/test/data/onnx/small-";
  auto const x = tensor_of<float, shape<3, 1, 8, 8>>(io::read_npy(file + "input.npy"));
  auto const probabilities = tensor_of<float, shape<3, 5>>(io::read_npy(file + "output0.npy"));
  auto const classes = tensor_of<std::int64_t, shape<3>>(io::read_npy(file + "output1.npy"));
  small net;
  CHECK_THROWS_AS(net(x), parameter_error);
  net.load_embedded();
  auto const check = [&](auto const& y) {
    for (int i = 0; i < 15; ++i) CHECK(std::abs(std::get<0>(y).data()[i] - probabilities.data()[i]) < 1e-5f);
    for (int i = 0; i < 3; ++i) CHECK(static_cast<std::int64_t>(std::get<1>(y).data()[i]) == classes.data()[i]);
  };
  check(net(x));
  check(net.hybridize()(x));
  // The file that stands beside the header.
  small loaded;
  loaded.load(SINTER_SMALL_PARAMS);
  check(loaded(x));
}
TEST_CASE("a dimension that has a number in the model may have a name in its type") {
  small net;
  net.load_embedded();
  auto const fast = net.hybridize();
  nd::tensor<float, shape<5, 1, 8, 8>> x;
  for (int i = 0; i < 5 * 64; ++i) x[i] = static_cast<float>(i % 37) / 8 - 2;
  auto const all = fast(x);
  nd::tensor<float, shape<dim<"rows">, 1, 8, 8>> any({2, 1, 8, 8});
  std::copy_n(x.data() + 3 * 64, 2 * 64, any.data());
  auto const some = fast(any), eager = net(any);
  REQUIRE(std::get<0>(some).shape() == dims{2, 5});
  REQUIRE(std::get<1>(some).shape() == dims{2});
  for (int i = 0; i < 10; ++i) {
    CHECK(std::abs(std::get<0>(some).data()[i] - std::get<0>(all).data()[15 + i]) < 1e-5f);
    CHECK(std::abs(std::get<0>(some).data()[i] - std::get<0>(eager).data()[i]) < 1e-5f);
  }
  for (int i = 0; i < 2; ++i) CHECK(std::get<1>(some).data()[i] == std::get<1>(all).data()[3 + i]);
}
TEST_CASE("parameters have the names of the model") {
  small net;
  net.load_embedded();
  std::vector<std::string> names;
  nn::visit_parameters(net, [&](auto const&, std::string_view name) { names.emplace_back(name); });
  CHECK(names.size() == 8);
  CHECK(names[0] == "features.0.weight");
  CHECK(net.at<small::features_0_weight>().shape() == net.collect_params()["features.0.weight"].shape());
  std::string const path = std::string(SINTER_SMALL_PARAMS) + ".names";
  net.save_parameters(path);
  small other;
  other.load(path);
  auto const x = tensor_of<float, shape<3, 1, 8, 8>>(io::read_npy(SINTER_SOURCE_DIR "/test/data/onnx/small-input.npy"));
  CHECK(std::get<0>(other(x)).data()[7] == std::get<0>(net(x)).data()[7]);
}
