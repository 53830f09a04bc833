// SPDX-License-Identifier: Apache-2.0
// What one eager operation costs beside the least that it can: memory from the allocator and a call that the compiler cannot see through.
#include "rows.hpp"

namespace bench {

// The eight operations of C7, each with a result of its own, beside eight copies into one array that is there already.
template <int N> static void chain() {
  std::string const text = "8 cheap operations, eager, " + std::to_string(N / 1024) + " Ki elements";
  if (!wanted("C5", text)) return;
  nd::tensor<float, shape<N>> x, to;
  fill(x);
  auto const eight = [&] { return sinter::relu(sinter::relu(x * 1.5f + 0.25f) * 0.75f - 1.0f + 0.125f) * 3.0f; };
  auto const relu = [](double v) { return v > 0 ? v : 0; };
  auto const y = eight();
  for (int i = 0; i < N; i += 1 + N / 1009)
    check(text, static_cast<double>(y(i)), 3 * relu(relu(1.5 * static_cast<double>(x(i)) + 0.25) * 0.75 - 1 + 0.125), 1);
  limit copies = copying(x.data(), to.data(), N);
  copies.scale = 8;
  row("C5", text, [&] { static_cast<void>(eight()); }, {copies});
}

void eager() {
  chain<4 << 10>();
  chain<1 << 20>();
  nd::tensor<float, shape<1>> const a{1.0f}, b{2.0f};
  check("C5", static_cast<double>(sinter::add(a, b)(0)), 3, 1);
  float* (*volatile make)(float, float) = [](float x, float y) { return new float(x + y); };
  nd::tensor<float, shape<1>> c;
  void (*volatile put)(float const*, float const*, float*) = [](float const* x, float const* y, float* to) { *to = *x + *y; };
  row("C5", "add of one element into a given tensor", [&] { nd::out(c).add(a, b); }, {{[&] { put(a.data(), b.data(), c.data()); }}});
  row("C5", "add of one element into a new tensor", [&] { static_cast<void>(sinter::add(a, b)); }, {{[&] { delete make(1.0f, 2.0f); }}});
}

}  // namespace bench
