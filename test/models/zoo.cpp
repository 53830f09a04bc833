// SPDX-License-Identifier: Apache-2.0
// The networks of models/ with parameters and images that zoo.py gives MXNet, whose scores are in zoo.txt.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/models/alexnet.hpp>
#include <sinter/models/densenet.hpp>
#include <sinter/models/inception.hpp>
#include <sinter/models/lenet.hpp>
#include <sinter/models/mobilenet.hpp>
#include <sinter/models/resnet.hpp>
#include <sinter/models/squeezenet.hpp>
#include <sinter/models/vgg.hpp>
#include <sinter/symbol.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "../catch.hpp"

namespace models = sinter::models;
namespace nn = sinter::nn;

namespace {

// Number `i` of those that belong to a name, from 0 to 1.
double number_of(std::string_view name, std::uint32_t i) {
  auto v = static_cast<std::uint32_t>(sinter::hash_of(name)) + i * 0x9E3779B1u;
  v = (v ^ v >> 16) * 0x85EBCA6Bu;
  v = (v ^ v >> 13) * 0xC2B2AE35u;
  return static_cast<double>(v ^ v >> 16) / 4294967296.;
}
float value_of(std::string_view name, sinter::dims const& shape, std::uint32_t i) {
  double const u = number_of(name, i);
  if (name.ends_with("weight")) return static_cast<float>((2 * u - 1) * std::sqrt(6. / static_cast<double>(shape.size() / shape.d[0])));
  if (name.ends_with("gamma")) return static_cast<float>(0.75 + 0.5 * u);
  if (name.ends_with("running_var")) return static_cast<float>(0.5 + u);
  return static_cast<float>(0.2 * u - 0.1);
}
struct expected {
  int size = 0;
  std::vector<double> scores;
};
expected scores_of(std::string const& network) {
  std::ifstream file(SINTER_SOURCE_DIR "/test/models/zoo.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    expected r;
    words >> name >> r.size;
    for (double v; words >> v;) r.scores.push_back(v);
    if (name == network) return r;
  }
  return {};
}

// The scores of one image, as a symbol.
template <class Net> void gives_what_mxnet_gives(std::string const& name) {
  INFO(name);
  expected const want = scores_of(name);
  REQUIRE(want.scores.size() == 10);
  sinter::dims const shape{1, 3, want.size, want.size};
  sinter::nd::tensor<float, sinter::shape<1, 3, sinter::dynamic, sinter::dynamic>> image(shape);
  for (int i = 0; i < image.size(); ++i) image[i] = static_cast<float>(2 * number_of("image", static_cast<std::uint32_t>(i)) - 1);
  Net net;
  net.initialize(sinter::init::zeros{});
  sinter::symbol const scores = net(sinter::sym::var("image"));
  auto const names = scores.list_arguments();
  auto const extents = scores.infer_shape({{"image", shape}}).arguments;
  std::map<std::string, sinter::dims> shapes;
  for (std::size_t i = 0; i < names.size(); ++i) shapes[names[i]] = extents[i];
  std::vector<float> values;
  nn::visit_parameters(net, [&]<class T>(nn::parameter_of<T> const& p, std::string_view parameter) {
    auto const found = shapes.find(std::string(parameter));
    if (found == shapes.end()) return;  // of a norm without scale and shift
    auto const n = static_cast<std::uint32_t>(found->second.size());
    values.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) values[i] = value_of(parameter, found->second, i);
    p.assign(found->second, values.data());
  });
  auto const got = scores.eval({{"image", image}})[0].template as<sinter::nd::tensor<float, sinter::shape<1, 10>>>();
  double largest = 0;
  for (double const v : want.scores) largest = std::max(largest, std::abs(v));
  for (int i = 0; i < 10; ++i) CHECK(std::abs(static_cast<double>(got[i]) - want.scores[static_cast<std::size_t>(i)]) < 2e-4 * largest);
}

}  // namespace

TEST_CASE("networks for images give MXNet's scores") {
  gives_what_mxnet_gives<models::resnet18_v1<10>>("resnet18_v1");
  gives_what_mxnet_gives<models::resnet18_v2<10>>("resnet18_v2");
  gives_what_mxnet_gives<models::resnet50_v2<10>>("resnet50_v2");
  gives_what_mxnet_gives<models::mobilenet<0.5, 10>>("mobilenet0_5");
  gives_what_mxnet_gives<models::mobilenet_v2<0.5, 10>>("mobilenet_v2_0_5");
  gives_what_mxnet_gives<models::squeezenet1_1<10>>("squeezenet1_1");
#if defined(SINTER_ALL_NETWORKS)  // the slow ones
  gives_what_mxnet_gives<models::alexnet<10>>("alexnet");
  gives_what_mxnet_gives<models::vgg11<10>>("vgg11");
  gives_what_mxnet_gives<models::resnet50_v1<10>>("resnet50_v1");
  gives_what_mxnet_gives<models::vgg11_bn<10>>("vgg11_bn");
  gives_what_mxnet_gives<models::squeezenet1_0<10>>("squeezenet1_0");
  gives_what_mxnet_gives<models::densenet121<10>>("densenet121");
  gives_what_mxnet_gives<models::inception_v3<10>>("inception_v3");
#endif
}

// The others are made of the same parts.
template <class Net> int parameters_of() {
  int n = 0;
  nn::visit_parameters(Net{}, [&](auto const&, std::string_view) { ++n; });
  return n;
}
TEST_CASE("networks have the parameters of their depth") {
  CHECK(parameters_of<models::alexnet<>>() == 16);
  CHECK(parameters_of<models::vgg13<>>() == 26);
  CHECK(parameters_of<models::vgg16<>>() == 32);
  CHECK(parameters_of<models::vgg19<>>() == 38);
  CHECK(parameters_of<models::vgg19_bn<>>() == 102);
  CHECK(parameters_of<models::resnet34_v1<>>() == 182);
  CHECK(parameters_of<models::densenet121<>>() == 606);
  CHECK(parameters_of<models::inception_v3<>>() == 472);
}
TEST_CASE("LeNet runs eagerly and compiled") {
  models::lenet<> net;
  net.initialize(sinter::init::xavier{}, 3);
  sinter::nd::tensor<float, sinter::shape<1, 1, 28, 28>> image;
  for (int i = 0; i < image.size(); ++i) image[i] = static_cast<float>(number_of("image", static_cast<std::uint32_t>(i)));
  auto const scores = net(image);
  CHECK(net.hybridize()(image).to_vector() == scores.to_vector());
  CHECK(net(sinter::sym::var("x")).eval({{"x", image}})[0].as<sinter::nd::tensor<float, sinter::shape<1, 10>>>().to_vector() ==
        scores.to_vector());
}
