// SPDX-License-Identifier: Apache-2.0
// What one eager operation costs beside the least that it can: memory from the allocator and a call that the compiler cannot see through.
#include "rows.hpp"

namespace bench {

void eager() {
  nd::tensor<float, shape<1>> const a{1.0f}, b{2.0f};
  check("C5", static_cast<double>(sinter::add(a, b)(0)), 3, 1);
  float* (*volatile make)(float, float) = [](float x, float y) { return new float(x + y); };
  nd::tensor<float, shape<1>> c;
  void (*volatile put)(float const*, float const*, float*) = [](float const* x, float const* y, float* to) { *to = *x + *y; };
  row("C5", "add of one element into a given tensor", [&] { nd::out(c).add(a, b); }, {{[&] { put(a.data(), b.data(), c.data()); }}});
  row("C5", "add of one element into a new tensor", [&] { static_cast<void>(sinter::add(a, b)); }, {{[&] { delete make(1.0f, 2.0f); }}});
}

}  // namespace bench
