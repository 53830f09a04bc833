// SPDX-License-Identifier: Apache-2.0
// Two voices of an effect, block by block as an audio library asks for them, beside the whole sound in one piece.
#include <chrono>
#include <cmath>
#include <iostream>
#include <vector>

#include "effect.hpp"

int main() {
  sinter::simd::set_threads(1);  // a callback has one thread, and wakes no others
  effect::network net, preset;
  net.initialize(sinter::init::xavier{}, 1);
  preset.initialize(sinter::init::xavier{}, 2);
  auto const fast = net.hybridize();
  effect::voice left(fast), right(fast);

  constexpr int blocks = 750, rate = 48000;
  sinter::nd::tensor<float, sinter::shape<blocks * effect::block, 1, 1>> sound;
  for (int i = 0; i < sound.size(); ++i) sound.data()[i] = 0.5f * std::sin(0.05f * static_cast<float>(i % 4000));
  auto result = sound.copy(), other = sound.copy();
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < sound.size(); i += effect::block) {
    left(sound.data() + i, result.data() + i);
    right(sound.data() + sound.size() - effect::block - i, other.data() + i);
  }
  std::chrono::duration<double> const took = std::chrono::steady_clock::now() - start;
  std::cerr << 2.0 * sound.size() / rate << " s of sound in " << took.count() << " s\n";

  auto const whole = net(sound);
  int different = 0;
  for (int i = 0; i < sound.size(); ++i) different += std::abs(whole.data()[i] - result.data()[i]) > 1e-5f;
  std::cout << sound.size() << " samples in blocks of " << effect::block << ", " << different << " other than in one piece\n";

  left.use(preset);
  left(sound.data(), result.data());
  left.reset_states();
  preset.reset_states();
  left(sound.data(), result.data());
  auto const first = preset.hybridize()(effect::samples(sound(sinter::range<0, effect::block>)));
  for (int i = 0; i < effect::block; ++i) different += first.data()[i] != result.data()[i];
  std::cout << "another preset" << (different ? ", and other samples\n" : "\n");
  return different != 0;
}
