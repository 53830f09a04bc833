// SPDX-License-Identifier: Apache-2.0
// Networks of convolutions and of attention as people run them, against the peak of multiplications; bench/peers gives them to others.
#include <sinter/models/lenet.hpp>
#include <sinter/models/mobilenet.hpp>
#include <sinter/models/resnet.hpp>
#ifdef SINTER_BENCH_ONNX
#include <sinter/io/tensor.hpp>
#include <sinter/onnx/export.hpp>
#endif

#include "rows.hpp"

namespace bench {

// For bench/peers: FOLDER/WHAT.onnx, its input and the eager result as WHAT.x.npy and WHAT.y.npy.
static void write(std::string const& what, auto const& net, auto const& x, auto const& y) {
#ifdef SINTER_BENCH_ONNX
  std::string const path = chosen().folder + "/" + what;
  net.template export_onnx<std::remove_cvref_t<decltype(x)>>(path + ".onnx");
  sinter::io::save(path + ".x.npy", x);
  sinter::io::save(path + ".y.npy", y);
#else
  (void)net, (void)x, (void)y;
  throw std::runtime_error(what + " cannot be written without protozero");
#endif
}
// Beside so many operations. Others get each network once, however sinter compiles it.
template <class Net, class X, class Y, class... Options>
static void model(std::string const& id, std::string const& what, double operations, double tolerance, Options... options) {
  if (!wanted(id, what)) return;
  Net net;
  net.initialize(sinter::init::xavier{}, 1);
  X x;
  Y y;
  fill(x);
  auto const eager = net(x);
  if (!chosen().folder.empty()) {
    if (sizeof...(options) == 0) write(what, net, x, eager);
    return;
  }
  auto const fast = net.hybridize(options...);
  fast(x, y);
  double size = 0;
  for (std::int64_t i = 0; i < y.size(); ++i) size = std::max(size, std::abs(static_cast<double>(eager.data()[i])));
  for (std::int64_t i = 0; i < y.size(); ++i)
    check(what, static_cast<double>(y.data()[i]), static_cast<double>(eager.data()[i]), size, tolerance);
  row(id, what, [&] { fast(x, y); }, {flops(operations)});
}
template <class Net, int Images, int Channels, int Size, int Classes, class... Options>
static void images(std::string const& id, std::string const& what, double tolerance = 1e-5, Options... options) {
  using image = shape<Images, Channels, Size, Size>;
  model<Net, nd::tensor<float, image>, nd::tensor<float, shape<Images, Classes>>>(
      id, what, static_cast<double>(sinter::compiled_t<Net, image>::flops), tolerance, options...);
}
template <int Tokens> static void encoder(std::string const& what) {
  constexpr int units = 384, hidden = 1536;
  using states = nd::tensor<float, shape<1, Tokens, units>>;
  model<nn::hybrid_sequential<nn::transformer_encoder_cell<units, hidden, 12, nn::gelu>>, states, states>(
      "C19", what, 2.0 * Tokens * (4 * units * units + 2 * units * hidden) + 4.0 * Tokens * Tokens * units, 1e-5);
}

void models() {
  images<sinter::models::lenet<>, 1, 1, 28, 10>("C14", "LeNet, 1 image");
  images<sinter::models::lenet<>, 64, 1, 28, 10>("C14", "LeNet, 64 images");
  encoder<16>("MiniLM's layer, 16 tokens");
  encoder<128>("MiniLM's layer, 128 tokens");
  images<sinter::models::resnet18_v1<>, 1, 3, 224, 1000>("C22", "ResNet-18, 1 image");
  images<sinter::models::resnet18_v1<>, 1, 3, 224, 1000>("C22", "ResNet-18, 1 image, math::winograd", 1e-4, sinter::math::winograd);
  images<sinter::models::mobilenet_v2<>, 1, 3, 224, 1000>("C22", "MobileNet v2, 1 image");
}

}  // namespace bench
