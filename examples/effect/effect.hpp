// SPDX-License-Identifier: Apache-2.0
// A network that changes a stream of sound, block by block: it remembers what it needs of the blocks before.
#pragma once
#include <algorithm>
#include <sinter/sinter.hpp>

namespace effect {
namespace nn = sinter::nn;
using sinter::shape;

inline constexpr int block = 64, hidden = 16;
using samples = sinter::nd::tensor<float, shape<block, 1, 1>>;  // samples, one stream, one channel

// A recurrent layer over the samples; what its outputs add up to is added to the sound.
struct network : nn::hybrid_block<network> {
  using memory = shape<1, 1, hidden>;
  BOOST_HANA_DEFINE_STRUCT(network, (nn::gru<hidden>, cells), (nn::dense<1>, output), (nn::state<memory>, last));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const [y, h] = cells(x, F.get(last, memory{}));
    F.assign(last, h);
    return x + F.reshape_like(output(y), x);
  }
};

// A voice has a memory of its own, and the parameters of all voices. What an audio library calls for each block, in a thread of its own, is
// voice(in, out): it takes no lock and allocates nothing.
class voice {
 public:
  explicit voice(sinter::hybridized<network> const& fast) : network_(fast) { network_.warm_up<samples>(); }
  void operator()(float const* in, float* out) {
    std::copy_n(in, block, in_.data());
    network_(in_, out_);
    std::copy_n(out_.data(), block, out);
  }
  // From another thread than that of the calls, if need be; the voice goes on where it is.
  void use(network const& preset) { network_.use(preset); }
  void reset_states() { network_.reset_states(); }

 private:
  sinter::instance<network> network_;
  samples in_, out_;
};

}  // namespace effect
