// SPDX-License-Identifier: Apache-2.0
// softmax, log_softmax and layer_norm along every axis.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

namespace {

namespace ops = sinter::ops;
using namespace sinter;

template <int Axis, class X> void check_softmax(test::records const& r, std::string const& name, X const& x) {
  std::string const tail = "." + name + "." + std::to_string(Axis);
  test::compare<ops::softmax>(r, "softmax" + tail, x, axis<Axis>);
  test::compare<ops::log_softmax>(r, "log_softmax" + tail, x, axis<Axis>);
}
template <int Axis, class X> void check_norm(test::records const& r, std::string const& name, X const& x) {
  using T = typename X::value_type;
  using weights = shape<static_cast<int>(X::shape_type::value.d[Axis])>;
  std::string const place = std::to_string(Axis);
  auto const gamma = r.get<T, weights>(name + ".gamma" + place), beta = r.get<T, weights>(name + ".beta" + place);
  test::compare<ops::layer_norm>(r, "layer_norm." + name + "." + place, x, gamma, beta, axis<Axis>);
}

}  // namespace

TEMPLATE_TEST_CASE("softmax and log_softmax along every axis", "", REALS) {
  using T = TestType;
  test::records const r("row", dtype_of<T>);
  check_softmax<0>(r, "seven", r.get<T, shape<7>>("seven"));
  check_softmax<0>(r, "one", r.get<T, shape<1>>("one"));
  check_softmax<0>(r, "none", r.get<T, shape<0>>("none"));
  auto const odd = r.get<T, shape<3, 5>>("odd");
  check_softmax<0>(r, "odd", odd);
  check_softmax<1>(r, "odd", odd);
  test::compare<ops::softmax>(r, "softmax.odd.1", odd);
  test::compare<ops::softmax>(r, "softmax.odd.1", transpose(transpose(odd).copy()));
  test::compare<ops::log_softmax>(r, "log_softmax.odd.1", odd, axis<-1>);
  auto const cube = r.get<T, shape<2, 3, 4>>("cube");
  check_softmax<0>(r, "cube", cube);
  check_softmax<1>(r, "cube", cube);
  check_softmax<2>(r, "cube", cube);
  auto const wide = r.get<T, shape<3, 37>>("long");
  check_softmax<0>(r, "long", wide);
  check_softmax<1>(r, "long", wide);
  check_softmax<0>(r, "tall", r.get<T, shape<0, 3>>("tall"));
  check_softmax<1>(r, "tall", r.get<T, shape<0, 3>>("tall"));
  check_softmax<0>(r, "flat", r.get<T, shape<3, 0>>("flat"));
  check_softmax<1>(r, "flat", r.get<T, shape<3, 0>>("flat"));
  auto const special = r.get<T, shape<8, 4>>("special");
  check_softmax<0>(r, "special", special);
  check_softmax<1>(r, "special", special);
}

TEMPLATE_TEST_CASE("layer_norm along every axis", "", REALS) {
  using T = TestType;
  test::records const r("row", dtype_of<T>);
  check_norm<0>(r, "seven", r.get<T, shape<7>>("seven"));
  auto const odd = r.get<T, shape<3, 5>>("odd");
  check_norm<0>(r, "odd", odd);
  check_norm<1>(r, "odd", odd);
  check_norm<1>(r, "odd", transpose(transpose(odd).copy()));
  test::compare<ops::layer_norm>(r, "layer_norm.eps.1", odd, r.get<T, shape<5>>("odd.gamma1"), r.get<T, shape<5>>("odd.beta1"), eps<0.5>);
  auto const cube = r.get<T, shape<2, 3, 4>>("cube");
  check_norm<0>(r, "cube", cube);
  check_norm<1>(r, "cube", cube);
  check_norm<2>(r, "cube", cube);
  check_norm<1>(r, "long", r.get<T, shape<3, 37>>("long"));
  check_norm<1>(r, "tall", r.get<T, shape<0, 3>>("tall"));
  check_norm<1>(r, "level", r.get<T, shape<4, 4>>("level"));
}

TEMPLATE_TEST_CASE("row operations with a dynamic number of rows", "", REALS) {
  using T = TestType;
  test::records const r("row", dtype_of<T>);
  auto const rows = r.get<T, shape<64, 3>>("rows");
  auto const gamma = r.get<T, shape<3>>("rows.gamma1"), beta = r.get<T, shape<3>>("rows.beta1");
  for (extent const n : test::batches) {
    auto const x = test::batch(reshape(rows, into<192>), n);
    std::string const name = "rows" + std::to_string(n);
    check_softmax<1>(r, name, x);
    test::compare<ops::layer_norm>(r, "layer_norm." + name + ".1", x, gamma, beta);
  }
}

}  // namespace test
