// SPDX-License-Identifier: Apache-2.0
// One translation unit: the same functions for the instruction set that its flags say. SINTER_UNIT is its name.
#include "units.hpp"

#include <sstream>

#define SINTER_PASTE(a, b) a##b
#define SINTER_JOIN(a, b) SINTER_PASTE(a, b)
#define SINTER_QUOTED(a) #a
#define SINTER_QUOTE(a) SINTER_QUOTED(a)

namespace {

// 1 + 2^-12 squared loses its last bit where it is rounded before it is added; the sums below, one of them at least, add it to -1 - 2^-11
// in the same lane.
float product(auto const& multiply) {
  float const e = 1.0f / 4096;
  f32<6, 512> a;
  f32<512, 1> b;
  b.fill(1 + e);
  b(0, 0) = 1;
  for (int i = 0; i < 6; ++i) {
    a(i, 0) = -1 - 2 * e;
    a(i, 8 << i) = 1 + e;
  }
  f32<6, 1> const y = multiply(a, b);
  float most = 0;
  for (int i = 0; i < 6; ++i) most = y(i, 0) > most ? y(i, 0) : most;
  return most;
}
f32<3, 7> wide() { return f32<3, 7>(sinter::dims{3, 7}); }

}  // namespace

unit SINTER_JOIN(unit_, SINTER_UNIT)() {
  return {SINTER_QUOTE(SINTER_UNIT),
#if defined(__FMA__)
          true,
#else
          false,
#endif
          [] {
            network net;
            net.initialize(sinter::init::xavier{}, 1);
            return net;
          },
          [](network const& net, input const& x) { return net(x); },
          [](compiled const& fast, input const& x) { return fast(x); },
          [](compiled const& fast, input const& x, output& y) { fast(x, y); },
          [](compiled const& fast, any_input const& x) { return fast(x); },
          [](compiled const& fast, input const& x) -> output { return fast(sinter::training(x)); },
          [](narrow const& fast, input const& x) { return fast(x); },
          [] { return product([](auto const& a, auto const& b) { return sinter::matmul(a, b); }); },
          [] {
            return product([](auto const& a, auto const& b) {
              auto const fast = sinter::hybridize([](auto F, auto x, auto y) { return F.matmul(x, y); });
              return fast(a, b);
            });
          },
          [](network const& net, float v) {
            output y;
            y.fill(v);
            sinter::nd::out(y).add(y, y);
            auto bias = net.second.bias;
            bias.set(f32<32>::view(y, sinter::dims{32}, 0, y.strides() + 1).contiguous());
          },
          [](network const& net, compiled const& fast, output const& y) {
            std::ostringstream s;
            s << net.summary() << compiled(fast).report<shape<4, 64>>() << compiled(fast).dot<shape<4, 64>>()
              << sinter::sum(y, sinter::axis<1>) << sinter::transpose(y).copy() << f32<2, 3>{1, 2, 3, 4, 5, 6}
              << sinter::concat(y, y * 2, sinter::axis<0>).shape().size();
            return s.str();
          },
          [](network const& net) { net(wide()); }};
}
