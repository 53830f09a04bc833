// SPDX-License-Identifier: Apache-2.0
// Shared by tests of training; and a law: eager and compiled steps leave the same bits.
#pragma once
#include <sinter/sinter.hpp>
#include <sinter/train.hpp>

#include "../catch.hpp"

namespace test {

// All values of a network, states too, in the order of its members.
template <class T = float, class Net> std::vector<T> values_of(Net const& net) {
  std::vector<T> all;
  sinter::nn::visit_parameters(net, [&](auto const& p, std::string_view) {
    for (auto const v : p.to_vector()) all.push_back(static_cast<T>(v));
  });
  return all;
}
// The sentence of the exception that a call throws.
template <class Call> std::string refusal(Call const& call) {
  try {
    call();
  } catch (sinter::error const& e) { return e.what(); }
  return "nothing was refused";
}
// One eager step; the mean loss before it.
template <class Net, class X, class Y, class Trainer, class Loss>
auto eager_step(Net const& net, X const& x, Y const& y, Trainer& trainer, Loss const& loss_of) {
  sinter::autograd::record on;
  auto const loss = loss_of(net(on(x)), y);
  loss.backward();
  trainer.step(static_cast<double>(y.shape().d[0]));
  return sinter::mean(loss.value()).item();
}
template <class Net, class Optimizer> void same_steps(Net net, Optimizer const& how) {
  namespace nn = sinter::nn;
  sinter::nd::tensor<float, sinter::shape<9, 5>> x;
  for (int i = 0; i < 45; ++i) x.data()[i] = static_cast<float>(i * 37 % 53) / 53 - 0.5f;
  net.initialize(sinter::init::xavier{}, 1);
  auto const y = sinter::sin(net(x));
  Net const other = net.copy();
  sinter::train::trainer eager(net, how), compiled(other, how);
  nn::l2_loss<> const loss_of;
  auto step = compiled.compile(loss_of);
  for (int i = 0; i < 3; ++i) {
    CHECK(step(x, y).item() == eager_step(net, x, y, eager, loss_of));
    CHECK(values_of(net) == values_of(other));
  }
}

}  // namespace test
