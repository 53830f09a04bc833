// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <sinter/thrust.hpp>

#include "model.hpp"

float on_device(model const& net, float const* x, float const* want) {
  if (!sinter::device::gpu.available()) return -1;
  sinter::nd::tensor<float, sinter::shape<2, 8>> input;
  for (int i = 0; i < 16; ++i) input[i] = x[i];
  auto const there = input.to(sinter::device::gpu);
  auto const fast = net.to(sinter::device::gpu).hybridize();
  auto const eager = net(there).to(sinter::device::cpu), compiled = fast(there).to(sinter::device::cpu);
  float most = 0;
  for (int i = 0; i < 8; ++i) most = std::fmax(most, std::fmax(std::fabs(eager[i] - want[i]), std::fabs(compiled[i] - want[i])));
  return most;
}
struct loop : sinter::nn::hybrid_block<loop> {
  BOOST_HANA_DEFINE_STRUCT(loop, (sinter::nn::dense<3>, fc));
  constexpr auto hybrid_forward(auto F, auto x, auto s) const {
    return F.foreach (
        [&](auto row, auto state) {
          return std::tuple(F.cond(F.sum(row) < 0, [&] { return row; }, [&] { return fc(state); }), state + row);
        },
        x, s);
  }
};
bool host_loops_and_sorts() {
  sinter::nd::tensor<float, sinter::shape<2, 3>> const x{1, 2, 3, 4, 5, 6}, s;
  auto const y = sinter::softmax(sinter::fully_connected(x, x));
  auto const [values, places] = sinter::topk(y, sinter::top<1>);
  if (places[0] != 1) return false;
  if (!sinter::device::gpu.available()) return true;
  loop net;
  net.initialize();
  auto const rows = sinter::reshape(x, sinter::into<1, 2, 3>).copy();
  auto const there = net.hybridize()(rows.to(sinter::device::gpu), s.to(sinter::device::gpu));
  // A line that is long enough for what the target compiles besides.
  sinter::nd::tensor<float, sinter::shape<100>> line;
  for (int i = 0; i < 100; ++i) line[i] = static_cast<float>(i * 37 % 100);
  auto const sorted = sinter::sort(line.to(sinter::device::gpu)).to(sinter::device::cpu);
  return sorted[0] == 0 && sorted[99] == 99 && std::get<1>(there).to(sinter::device::cpu)[5] == 6;
}
