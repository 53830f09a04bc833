// SPDX-License-Identifier: Apache-2.0
// Convolutions of the sizes of ResNet-18 and MobileNet v2 against the peak of multiplications.
#include "rows.hpp"

namespace bench {

// Some of the sums, in double precision.
template <int Kernel, int Stride, int Pad, int Groups> static void compare(std::string const& what, auto const& x, auto const& w,
                                                                           auto const& y) {
  auto const in = x.shape(), out = y.shape();
  int const per_group = static_cast<int>(in.d[1]) / Groups, outputs = static_cast<int>(out.d[1]) / Groups;
  for (std::int64_t i = 0; i < out.size(); i += 997) {
    int const column = static_cast<int>(i % out.d[3]), line = static_cast<int>(i / out.d[3] % out.d[2]);
    int const to = static_cast<int>(i / out.d[3] / out.d[2] % out.d[1]);
    double sum = 0;
    for (int c = 0; c < per_group; ++c)
      for (int k = 0; k < Kernel * Kernel; ++k) {
        int const a = line * Stride + k / Kernel - Pad, b = column * Stride + k % Kernel - Pad;
        if (a < 0 || b < 0 || a >= in.d[2] || b >= in.d[3]) continue;
        sum += static_cast<double>(x(0, to / outputs * per_group + c, a, b)) * static_cast<double>(w(to, c, k / Kernel, k % Kernel));
      }
    check(what, static_cast<double>(y.data()[i]), sum, 100);
  }
}
template <int Channels, int Size, int Outputs, int Kernel, int Stride, int Groups> static void convolution(std::string const& what) {
  if (!wanted("C13", what)) return;
  constexpr int pad = Kernel / 2, size = (Size + 2 * pad - Kernel) / Stride + 1;
  nn::conv2d<Outputs, Kernel, Stride, pad, 1, Groups, nn::no_activation, float, false> net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<1, Channels, Size, Size>> x;
  nd::tensor<float, shape<1, Outputs, size, size>> y;
  fill(x);
  net(x);
  set_parameters(net);
  auto const fast = net.hybridize();
  fast(x, y);
  nd::tensor<float, shape<Outputs, Channels / Groups, Kernel, Kernel>> w;
  auto const weights = parameters_of(net)[0];
  for (std::size_t i = 0; i < weights.size(); ++i) w.data()[i] = static_cast<float>(weights[i]);
  compare<Kernel, Stride, pad, Groups>(what, x, w, y);
  row("C13", what, [&] { fast(x, y); }, {flops(2.0 * Outputs * size * size * (Channels / Groups) * Kernel * Kernel)});
}
// The same beside the same limit, of which it needs a part. Its error is looked at, as a part of the largest result.
template <int Channels, int Size> static void winograd(std::string const& what) {
  if (!wanted("C13", what)) return;
  nn::conv2d<Channels, 3, 1, 1, 1, 1, nn::no_activation, float, false> net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<1, Channels, Size, Size>> x, y;
  fill(x);
  auto const direct = net(x);
  auto const fast = net.hybridize(sinter::math::winograd);
  fast(x, y);
  double error = 0, most = 0;
  for (std::int64_t i = 0; i < y.size(); ++i) {
    error = std::max(error, std::abs(static_cast<double>(y.data()[i]) - static_cast<double>(direct.data()[i])));
    most = std::max(most, std::abs(static_cast<double>(direct.data()[i])));
  }
  if (error == 0 || error > 1e-4 * most) throw std::runtime_error(what + ": an error of " + std::to_string(error / most));
  row("C13", what, [&] { fast(x, y); }, {flops(18.0 * Channels * Channels * Size * Size)});
}
void convolutions() {
  each_convolution([]<int Channels, int Size, int Outputs, int Kernel, int Stride, int Groups>(std::string const& what) {
    convolution<Channels, Size, Outputs, Kernel, Stride, Groups>(what);
  });
  winograd<64, 56>("convolution 3 x 3, 64 channels, 56 x 56, math::winograd");
  winograd<128, 28>("convolution 3 x 3, 128 channels, 28 x 28, math::winograd");
  winograd<256, 14>("convolution 3 x 3, 256 channels, 14 x 14, math::winograd");
}

}  // namespace bench
