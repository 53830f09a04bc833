// SPDX-License-Identifier: Apache-2.0
// Training and inference: two meanings of one network, told apart by the type of its input.
#include "network.hpp"

namespace {
using sinter::in_training;
using sinter::training;
using regular = nn::hybrid_sequential<nn::dense<16, nn::relu>, nn::dropout<0.5>, nn::dense<4>, nn::dropout<0.25>>;
using plain = nn::hybrid_sequential<nn::dense<16, nn::relu>, nn::dense<4>>;

// Asks F what it is for, gives more in training, takes nested operands, and uses every way to call an operation.
struct curious : nn::hybrid_block<curious> {
  BOOST_HANA_DEFINE_STRUCT(curious, (nn::dense<3>, fc), (nn::dropout<0.5>, drop));
  template <class F, class X, class Y> constexpr auto hybrid_forward(F space, std::tuple<X, Y> const& x) const {
    auto const [a, b] = x;
    auto h = drop(space.add(fc(a), 1));
    h = space.add(drop(h), 2 * h);
    auto const [left, right] = space.split(b, sinter::parts<2>, sinter::axis<1>);
    if constexpr (F::training) return std::tuple(h, space.concat(sinter::exp(left), space(sinter::ops::square{}, right)));
    else return h;
  }
};

// What a call gives when the stream of random numbers begins at `seed`.
template <class Net> auto seeded(std::uint64_t seed, Net const& net, auto const&... x) {
  sinter::random::seed(seed);
  return net(x...);
}
template <class A> int zeros_in(A const& a) {
  int n = 0;
  for (int i = 0; i < a.size(); ++i) n += a[i] == 0;
  return n;
}
}  // namespace

TEST_CASE("dropout is gone in inference, and a mask in training") {
  using infers = sinter::compiled_t<regular, shape<7, 8>>;
  using trains = sinter::compiled_t<regular, in_training<shape<7, 8>>>;
  static_assert(infers::kernels == sinter::compiled_t<plain, shape<7, 8>>::kernels);
  static_assert(infers::arena_bytes == sinter::compiled_t<plain, shape<7, 8>>::arena_bytes);
  static_assert(trains::kernels == infers::kernels + 2);
  static_assert(trains::parameter_bytes == infers::parameter_bytes);
}

TEST_CASE("eager and compiled training drop the same elements") {
  regular net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  auto const x = filled<f32<7, 8>>();
  auto const eager = seeded(1, net, training(x)), compiled = seeded(1, fast, training(x));
  static_assert(std::is_same_v<std::remove_const_t<decltype(eager)>, in_training<f32<7, 4>>>);
  check_same(eager, compiled);
  CHECK(zeros_in(eager) > 0);
  f32<7, 4> out;
  sinter::random::seed(1);
  fast(training(x), out);
  check_same(out, sinter::unmarked(eager));
  fast(training(x), out);  // the next pass draws other numbers
  bool same = true;
  for (int i = 0; i < out.size(); ++i) same = same && out[i] == eager[i];
  CHECK(!same);
  check_same(seeded(2, fast, x), seeded(3, net, x));  // inference draws none
}

TEST_CASE("a dynamic batch in training") {
  regular net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  using input = f32<dim<"batch">, 8>;
  for (int n : {0, 1, 7, 64}) {
    auto const x = filled<input>({n, 8});
    check_same(seeded(5, net, training(x)), seeded(5, fast, training(x)));
  }
}

TEST_CASE("dropout keeps the mean") {
  nn::dropout<0.3> drop;
  f32<100, 100> ones;
  for (int i = 0; i < ones.size(); ++i) ones[i] = 1;
  auto const y = seeded(4, drop, training(ones));
  double sum = 0;
  for (int i = 0; i < y.size(); ++i) {
    if (y[i] != 0) CHECK(y[i] == 1 / 0.7f);
    sum += static_cast<double>(y[i]);
  }
  CHECK(std::abs(zeros_in(y) - 3000) < 200);  // four deviations and a half
  CHECK(std::abs(sum / 10000 - 1) < 0.03);
  check_same(seeded(4, drop, ones), ones);
}

TEST_CASE("training reaches all that is computed from a marked operand") {
  curious net;
  net.initialize(sinter::init::uniform{1}, 2);
  auto const fast = net.hybridize();
  auto const x = std::tuple(filled<f32<4, 5>>(), filled<f32<4, 6>>());
  static_assert(std::is_same_v<decltype(net(x)), f32<4, 3>>);
  auto const eager = seeded(6, net, training(x)), compiled = seeded(6, fast, training(x));
  static_assert(std::is_same_v<std::remove_const_t<decltype(eager)>, std::tuple<in_training<f32<4, 3>>, in_training<f32<4, 6>>>>);
  check_same(std::get<0>(eager), std::get<0>(compiled));
  check_same(std::get<1>(eager), std::get<1>(compiled));
  check_same(net(x), fast(x));
  auto out = std::tuple(f32<4, 3>{}, f32<4, 6>{});
  sinter::random::seed(6);
  fast(training(x), out);
  check_same(std::get<1>(out), sinter::unmarked(std::get<1>(eager)));

  auto const half = std::tuple(filled<f32<4, 5>>(), training(filled<f32<4, 6>>()));  // one marked part is enough
  check_same(std::get<0>(seeded(6, net, half)), std::get<0>(eager));
  check_same(std::get<0>(seeded(6, fast, half)), std::get<0>(eager));

  nn::dropout<0.5> drop;  // one marked operand is enough, and a parameter beside it is none
  auto const a = filled<f32<20, 20>>();
  auto const sum = a + training(a);
  static_assert(std::is_same_v<std::remove_const_t<decltype(sum)>, in_training<f32<20, 20>>>);
  CHECK(zeros_in(drop(sum)) > 100);
}

TEST_CASE("two dropouts of one operand are two") {
  nn::dropout<0.5> drop;
  auto const both_of = [](auto F, auto const& v) {
    nn::dropout<0.5> const d;
    (void)F;
    return std::tuple(d(v), d(v));
  };
  auto const a = filled<f32<20, 20>>();
  auto const fast = sinter::hybridize(both_of);
  auto const [p, q] = seeded(8, fast, training(a));
  check_same(p, seeded(8, drop, training(a)));
  check_same(q, drop(training(a)));
  CHECK(!std::equal(p.data(), p.data() + p.size(), q.data()));
}

TEST_CASE("a seed decides the numbers") {
  nn::dropout<0.5> drop;
  auto const a = filled<f32<20, 20>>();
  check_same(seeded(1, drop, training(a)), seeded(1, drop, training(a)));
  auto const p = seeded(1, drop, training(a)), q = seeded(2, drop, training(a));
  CHECK(!std::equal(p.data(), p.data() + p.size(), q.data()));
}
