// SPDX-License-Identifier: Apache-2.0
// The networks of models/ with parameters and images that zoo.py gives MXNet and peers.py torchvision, whose scores are in zoo.txt and peers.txt.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/models/alexnet.hpp>
#include <sinter/models/densenet.hpp>
#include <sinter/models/googlenet.hpp>
#include <sinter/models/inception.hpp>
#include <sinter/models/lenet.hpp>
#include <sinter/models/mobilenet.hpp>
#include <sinter/models/resnet.hpp>
#include <sinter/models/squeezenet.hpp>
#include <sinter/models/vgg.hpp>

#include <algorithm>

#include "../catch.hpp"
#include "formula.hpp"

namespace models = sinter::models;
namespace nn = sinter::nn;
using formula::number_of;

namespace {

// The scores of one image, as a symbol.
template <class Net> void gives_what_is_in(std::string const& file, std::string const& name) {
  INFO(name);
  std::vector<double> const want = formula::numbers_in(file, name);  // the extents of the image, and ten scores
  REQUIRE(want.size() == 11);
  auto const size = static_cast<sinter::extent>(want[0]);
  sinter::dims const shape{1, 3, size, size};
  sinter::nd::tensor<float, sinter::shape<1, 3, sinter::dynamic, sinter::dynamic>> image(shape);
  for (int i = 0; i < image.size(); ++i) image[i] = static_cast<float>(2 * number_of("image", static_cast<std::uint32_t>(i)) - 1);
  Net net;
  net.initialize(sinter::init::zeros{});
  sinter::symbol const scores = net(sinter::sym::var("image"));
  formula::set_parameters(net, scores, {{"image", shape}});
  auto const got = scores.eval({{"image", image}})[0].template as<sinter::nd::tensor<float, sinter::shape<1, 10>>>();
  double largest = 0;
  for (int i = 1; i <= 10; ++i) largest = std::max(largest, std::abs(want[static_cast<std::size_t>(i)]));
  for (int i = 0; i < 10; ++i) CHECK(std::abs(static_cast<double>(got[i]) - want[static_cast<std::size_t>(i) + 1]) < 2e-4 * largest);
}
template <class Net> void gives_what_mxnet_gives(std::string const& name) { gives_what_is_in<Net>("zoo.txt", name); }
template <class Net> void gives_what_torchvision_gives(std::string const& name) { gives_what_is_in<Net>("peers.txt", name); }

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

TEST_CASE("networks for images give torchvision's scores") {
  gives_what_torchvision_gives<models::mobilenet_v3_small<0.5, 10>>("mobilenet_v3_small_0_5");
#if defined(SINTER_ALL_NETWORKS)
  gives_what_torchvision_gives<models::mobilenet_v3_small<1.0, 10>>("mobilenet_v3_small");
  gives_what_torchvision_gives<models::mobilenet_v3_large<1.0, 10>>("mobilenet_v3_large");
  gives_what_torchvision_gives<models::googlenet<10>>("googlenet");
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
  CHECK(parameters_of<models::mobilenet_v3_large<>>() == 266);
  CHECK(parameters_of<models::googlenet<>>() == 287);
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
