// SPDX-License-Identifier: Apache-2.0
// Small graphs that the laws of the passes and of the plan are tried on. Leaves are made one in a statement: in which order a call's
// operands are made differs between the compiler's clock and the program's.
#pragma once
#include "build.hpp"

namespace test::networks {

// x -> relu(x w + b) -> x w + b
constexpr graph mlp() {
  builder b;
  int const x = b.input<shape<dim<"batch">, 3>>();
  int const h = b.call<ops::relu>(b.dense<4, 3>(x));
  return b.with_outputs(b.dense<2, 4>(h));
}
constexpr graph residual() {
  builder b;
  int x = b.input<shape<2, 3>>();
  for (int i = 0; i < 2; ++i) x = b.call<ops::add>(x, b.call<ops::relu>(b.dense<3, 3>(x)));
  return b.with_outputs(x);
}
constexpr graph row_operations() {
  builder b;
  int const x = b.input<shape<dim<"batch">, 3>>();
  int const gamma = b.parameter<shape<3>>();
  int const beta = b.parameter<shape<3>>();
  int const n = b.call<ops::layer_norm>(x, gamma, beta, axis<-1>);
  return b.with_outputs(b.call<ops::softmax>(n), b.call<ops::log_softmax>(x, axis<0>));
}
// c = b * a; d = c + 1
constexpr graph two_outputs() {
  builder b;
  int const x = b.input<shape<2, 3>>(), y = b.input<shape<2, 3>>(), c = b.call<ops::multiply>(y, x);
  return b.with_outputs(c, b.call<ops::add>(c, b.number(1)));
}
constexpr graph joined() {
  builder b;
  int const x = b.input<shape<dim<"batch">, 3>>(), y = b.call<ops::relu>(x);
  int const inner = b.call<ops::concat>(b.call<ops::square>(x), x, axis<1>);
  return b.with_outputs(b.call<ops::concat>(y, inner, y, axis<-1>), y);
}
constexpr graph views() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  int const t = b.call<ops::transpose>(b.call<ops::square>(x));
  int const r = b.call<ops::reshape>(t, into<2, 3>);
  int const s = b.call<ops::slice>(r, begin<0, 1>, end<open, 3>, step<1, 1>);
  return b.with_outputs(b.call<ops::negative>(s), t, x, x, b.call<ops::broadcast_to>(b.call<ops::slice>(x, begin<0>, end<1>), into<2, 3>));
}
constexpr graph constants() {
  builder b;
  int const x = b.input<shape<2, 3>>();
  int const six = b.call<ops::multiply>(b.number(2), b.number(3));
  int const line = b.call<ops::add>(b.call<ops::arange>(values<3>), six);
  int const zeros = b.call<ops::zeros_like>(x);
  return b.with_outputs(b.call<ops::add>(b.call<ops::multiply>(x, line), b.call<ops::divide>(zeros, b.number(4))));
}
constexpr graph whole_numbers() {
  builder b;
  int const x = b.input<shape<2, 3>, std::int32_t>(), zero = b.number<std::int32_t>(0);
  int const c = b.call<ops::greater>(x, zero);
  int const y = b.call<ops::where>(c, b.call<ops::multiply>(x, zero), b.call<ops::subtract>(x, zero));
  return b.with_outputs(y, b.call<ops::logical_or>(b.call<ops::logical_not>(b.call<ops::logical_not>(c)), c), b.call<ops::sum>(x, axis<1>));
}
// The same thing said more than once, and a lot that nobody needs.
constexpr graph repeated() {
  builder b;
  int const x = b.input<shape<2, 3>>(), y = b.input<shape<2, 3>>();
  int const a = b.call<ops::add>(b.call<ops::exp>(x), b.call<ops::exp>(y)), c = b.call<ops::add>(b.call<ops::exp>(y), b.call<ops::exp>(x));
  b.call<ops::log>(b.call<ops::square>(a));
  return b.with_outputs(b.call<ops::multiply>(a, c), b.call<ops::sum>(c), b.call<ops::mean>(a, axis<0>, keepdims));
}
// What algebra makes shorter.
constexpr graph long_winded() {
  builder b;
  int const x = b.input<shape<2, 3>>(), one = b.number(1), zero = b.number(0);
  int const y = b.call<ops::multiply>(b.call<ops::subtract>(x, zero), one);
  int const z = b.call<ops::relu>(b.call<ops::relu>(b.call<ops::divide>(y, b.number(8))));
  int const t = b.call<ops::transpose>(b.call<ops::transpose>(b.call<ops::negative>(b.call<ops::negative>(z))));
  int const r = b.call<ops::reshape>(b.call<ops::reshape>(t, into<3, 2>), into<6>);
  return b.with_outputs(b.call<ops::relu>(b.call<ops::add>(r, r)), b.call<ops::maximum>(x, x));
}
// Products with broadcast batches and transposed operands.
constexpr graph products() {
  builder b;
  int const x = b.input<shape<2, 2, 3>>(), y = b.input<shape<2, 3>>();
  int const p = b.product(b.call<ops::add>(x, b.number(0.5)), y, false, true);
  return b.with_outputs(b.product(p, p, true, false), b.product(y, b.call<ops::transpose>(y)));
}

// Convolutions with and without groups, of what is computed while it is read, and of a result.
constexpr graph convolutions() {
  builder b;
  int const x = b.input<shape<dim<"batch">, 2, 3, 4>>();
  int const w = b.parameter<shape<4, 2, 2, 3>>();
  int const bias = b.parameter<shape<4>>();
  int const v = b.parameter<shape<2, 2, 2, 2>>();
  int const y = b.call<ops::convolution>(b.call<ops::add>(x, b.number(0.5)), w, bias, pad<1>, stride<1, 2>);
  return b.with_outputs(b.call<ops::relu>(b.call<ops::convolution>(b.call<ops::relu>(y), v, groups<2>, dilate<1, 1>)));
}

}  // namespace test::networks
