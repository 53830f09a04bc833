// SPDX-License-Identifier: Apache-2.0
// Operations are functions; who looks for one among a tensor's members is told so.
#pragma once
#include "../core/config.hpp"

namespace sinter::nd {

#define SINTER_NO_MEMBER(name)                                                                    \
  SINTER_UNAVAILABLE("operations are no members of a tensor but functions, sinter::" #name "(x)") \
  constexpr float name(auto const&...) const { return 0; }
struct operations_are_functions {
  SINTER_NO_MEMBER(sum)
  SINTER_NO_MEMBER(mean)
  SINTER_NO_MEMBER(max)
  SINTER_NO_MEMBER(min)
  SINTER_NO_MEMBER(argmax)
  SINTER_NO_MEMBER(exp)
  SINTER_NO_MEMBER(abs)
  SINTER_NO_MEMBER(softmax)
  SINTER_NO_MEMBER(matmul)
  SINTER_NO_MEMBER(reshape)
  SINTER_NO_MEMBER(transpose)
  SINTER_NO_MEMBER(flatten)
  SINTER_NO_MEMBER(squeeze)
  SINTER_UNAVAILABLE("sinter::cast(x, as<double>) converts the elements of a tensor") constexpr float astype(auto const&...) const {
    return 0;
  }
  SINTER_UNAVAILABLE("to_vector() copies the elements of a tensor, data() points to them, and sinter::io::save(path, x) writes a .npy file")
  constexpr float asnumpy() const { return 0; }
  SINTER_UNAVAILABLE("backward() begins at what was recorded: sinter::autograd::record on; loss(net(on(x)), y).backward()")
  constexpr void backward(auto const&...) const {}
};
#undef SINTER_NO_MEMBER

}  // namespace sinter::nd
