// SPDX-License-Identifier: Apache-2.0
// fast(x, out) where out is an input, or shares elements with one or with another result.
#include <sinter/compile/hybridized.hpp>

#include "../catch.hpp"

namespace nn = sinter::nn;
using sinter::dim;
using sinter::dims;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

template <class X> X numbers(X x) {
  for (sinter::extent i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 7) % 11) - 5;
  return x;
}
template <class Y> void check_same(Y const& a, Y const& b) {
  REQUIRE(a.shape() == b.shape());
  int wrong = 0;
  for (sinter::extent i = 0; i < a.size(); ++i) wrong += a[i] != b[i];
  CHECK(wrong == 0);
}
// The input and the result in one block, the result `by` elements behind the input.
template <class X, class Fast> void check_overlaps(Fast const& fast, X const& x) {
  X const expected = fast(x);
  for (sinter::extent by = -x.size(); by <= x.size(); ++by) {
    f32<sinter::dynamic> const block(dims{3 * x.size()});
    std::int64_t const* const strides = x.strides();
    X in = X::view(block, x.shape(), x.size(), strides), out = X::view(block, x.shape(), x.size() + by, strides);
    for (sinter::extent i = 0; i < x.size(); ++i) in[i] = x[i];
    fast(in, out);
    check_same(out, expected);
  }
}

struct two_layers : nn::hybrid_block<two_layers> {
  BOOST_HANA_DEFINE_STRUCT(two_layers, (nn::dense<6>, first), (nn::dense<6>, second));
  constexpr auto hybrid_forward(auto F, auto x) const { return second(F.tanh(first(x))) + x; }
};

struct cut : nn::hybrid_block<cut> {
  constexpr auto hybrid_forward(auto F, auto x) const { return F.exp(F.slice(x, sinter::begin<1>)) + 1; }
};

}  // namespace

TEST_CASE("a product into its own input") {
  nn::dense<6> net;
  net.initialize(sinter::init::xavier{}, 1);
  auto const fast = net.hybridize();
  check_overlaps(fast, numbers(f32<4, 6>{}));
  check_overlaps(fast, numbers(f32<dim<"batch">, 6>(dims{3, 6})));
}

TEST_CASE("a network into its own input") {
  two_layers net;
  net.initialize(sinter::init::xavier{}, 1);
  check_overlaps(net.hybridize(), numbers(f32<4, 6>{}));
}

TEST_CASE("functions into their own input") {
  f32<3, 4> const x = numbers(f32<3, 4>{});
  check_overlaps(sinter::hybridize([](auto F, auto a) { return F.exp(a) * 2 + a; }), x);
  check_overlaps(sinter::hybridize([](auto F, auto a) { return F.softmax(a); }), x);
  check_overlaps(sinter::hybridize([](auto F, auto a) { return a - F.sum(a, sinter::axis<0>); }), x);
  check_overlaps(sinter::hybridize([](auto F, auto a) { return F.sort(a); }), x);
  check_overlaps(sinter::hybridize([](auto F, auto a) { return F.reshape(F.transpose(a), sinter::into<3, 4>) + a; }), x);
  check_overlaps(
      sinter::hybridize([](auto F, auto a) { return F.concat(F.slice(a, sinter::begin<2>), F.slice(a, sinter::end<2>), sinter::axis<0>); }),
      numbers(f32<6, 1>{}));
}

// Both what the plan says of the two places and what the call finds there must hold a slice back.
TEST_CASE("a slice into the beginning of what it is cut from") {
  auto const fast = cut{}.hybridize();
  f32<5, 3> const x = numbers(f32<5, 3>{});
  auto const expected = fast(x);
  f32<4, 3> out(x.slice(0, 4));
  fast(x, out);
  check_same(out, expected);
  f32<dim<"n">, 3> const y = numbers(f32<dim<"n">, 3>({5, 3}));
  auto const want = fast(y);
  std::remove_cvref_t<decltype(want)> to(y.slice(0, 4));
  fast(y, to);
  check_same(to, want);

  using plan = sinter::compiled_t<cut, shape<5, 3>>::program_type;
  static_assert(sinter::detail::sharing_of<plan>{}.with[0][0] == sinter::detail::sharing::nothing);
}

TEST_CASE("one of two inputs, and two results") {
  auto const fast = sinter::hybridize([](auto F, auto a, auto b) { return F.matmul(a, b); });
  f32<3, 3> const a = numbers(f32<3, 3>{});
  f32<3, 3> b = numbers(f32<3, 3>{});
  f32<3, 3> const expected = fast(a, b);
  fast(a, b, b);
  check_same(b, expected);

  auto const both = sinter::hybridize([](auto F, auto x) { return std::tuple(F.exp(x), F.transpose(x)); });
  f32<3, 3> const x = numbers(f32<3, 3>{}), y;
  auto const separate = both(x);
  both(x, std::tuple(y, x));
  check_same(y, std::get<0>(separate));
  check_same(x, std::get<1>(separate));
  // An elementwise kernel could write to its own input, but a later kernel still reads that.
  auto const later = sinter::hybridize([](auto F, auto v) { return std::tuple(F.exp(v), F.sort(v)); });
  f32<3, 3> const z = numbers(f32<3, 3>{});
  auto const expected_later = later(z);
  later(z, std::tuple(z, y));
  check_same(z, std::get<0>(expected_later));
  check_same(y, std::get<1>(expected_later));
  CHECK_THROWS_WITH(both(x, std::tuple(y, y)), "sinter: two tensors that are given for results of one call share elements");
}

TEST_CASE("in a constant expression") {
  constexpr auto sum = [] {
    auto const fast = sinter::hybridize([](auto F, auto a) { return F.matmul(a, a); });
    f32<2, 2> x{1, 2, 3, 4};
    fast(x, x);
    return x(0, 0) * 1000 + x(0, 1) * 100 + x(1, 0) * 10 + x(1, 1);
  }();
  static_assert(sum == 7 * 1000 + 10 * 100 + 15 * 10 + 22);
}

TEST_CASE("two views of one array are two operands of a kernel") {
  auto const f = sinter::hybridize([](auto F, auto x) {
    auto const from = [&](auto begins, auto ends) { return F.slice(x, begins, ends); };
    return from(sinter::begin<0>, sinter::end<3>) * 10 + from(sinter::begin<1>, sinter::end<4>);
  });
  CHECK(f(sinter::nd::tensor<float, sinter::shape<4>>{1, 2, 3, 4}).to_vector() == std::vector<float>{12, 23, 34});
}
