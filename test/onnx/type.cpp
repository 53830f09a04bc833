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
  // The file that stands beside the header has the members' names; others have those of the model.
  small loaded;
  loaded.load(SINTER_SMALL_PARAMS);
  check(loaded(x));
}
TEST_CASE("parameters under the names of the model") {
  small net;
  net.load_embedded();
  std::vector<io::array> all;
  nn::visit_parameters(net, [&](auto const& p, std::string_view name) {
    for (nn::file_name const& n : small::file_names())
      if (n.member == name) {
        io::array a{std::string(n.file), dtype::float32, {}, {}};
        for (int i = 0; i < p.shape().rank; ++i) a.shape.push_back(p.shape().d[i]);
        auto const* const from = reinterpret_cast<std::byte const*>(p.use(p.shape()));
        a.data.assign(from, from + p.shape().size() * 4);
        all.push_back(std::move(a));
      }
  });
  CHECK(all.size() == 8);
  CHECK(all[0].name == "features.0.weight");
  std::string const path = std::string(SINTER_SMALL_PARAMS) + ".names";
  io::write_params(path, all);
  small other;
  other.load(path);
  auto const x = tensor_of<float, shape<3, 1, 8, 8>>(io::read_npy(SINTER_SOURCE_DIR "/test/data/onnx/small-input.npy"));
  CHECK(std::get<0>(other(x)).data()[7] == std::get<0>(net(x)).data()[7]);
}
