// SPDX-License-Identifier: Apache-2.0
// softmin and the normalisations, against the formulas in long double: odd shapes, one element, none, each axis.
#include "loops.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

using real = long double;
using numbers = std::vector<real>;
// The elements for which `same(p, q)`: those that are summed with the one at p.
template <class X> numbers beside(X const& x, place_of const& p, auto same) {
  numbers r;
  any_array<typename X::value_type> const all(x);
  for (extent i = 0; i < all.shape.size(); ++i)
    if (place_of const q = place_in_array(all.shape, i); same(p, q)) r.push_back(all[i]);
  return r;
}
template <class X> real at(X const& x, place_of const& p) { return any_array<typename X::value_type>(x)[index_in_array(x.shape(), p)]; }
real total(numbers const& v, auto f) {
  real r = 0;
  for (real e : v) r += f(e);
  return r;
}
real mean_of(numbers const& v) {
  return total(v, [](real e) { return e; }) / static_cast<real>(v.size());
}
real squares(numbers const& v, real middle = 0) {
  return total(v, [&](real e) { return (e - middle) * (e - middle); });
}
real standard(real x, numbers const& v, real eps_) {
  real const middle = mean_of(v);
  return (x - middle) / std::sqrt(squares(v, middle) / static_cast<real>(v.size()) + eps_);
}
// The elements with the same places on every axis but one, or on the first axes.
auto line(int axis_) {
  return [axis_](place_of const& p, place_of const& q) {
    for (int i = 0; i < max_rank; ++i)
      if (i != axis_ && p[i] != q[i]) return false;
    return true;
  };
}
auto same_image(place_of const& p, place_of const& q) { return p[0] == q[0]; }
auto same_channel(place_of const& p, place_of const& q) { return p[0] == q[0] && p[1] == q[1]; }
auto close(double n) {
  return [=](place_of const&) { return 16 + 8 * n; };
}

template <class T, bool Everywhere = false> void check_lines(auto const& x, auto axis_, int place_) {
  auto const elements = [&](place_of const& p) { return beside(x, p, line(place_)); };
  dims const s = x.shape();
  expect<ops::softmin>(
      calling<Everywhere, ops::softmin, decltype(axis_)>{}(x), s,
      [&](place_of const& p) {
        numbers const v = elements(p);
        return std::exp(-at(x, p)) / total(v, [](real e) { return std::exp(-e); });
      },
      close(1));
}
template <class T, int N, bool Everywhere = false> void check_rms(auto const& x, auto axis_, int place_) {
  auto const gamma = some<T, N>(3);
  expect<ops::rms_norm>(
      calling<Everywhere, ops::rms_norm, decltype(axis_)>{}(x, gamma), x.shape(),
      [&](place_of const& p) {
        numbers const v = beside(x, p, line(place_));
        return at(x, p) / std::sqrt(squares(v) / static_cast<real>(v.size()) + 1e-5L) * gamma.data()[p[place_]];
      },
      close(4));
}
template <class T, int N, bool Everywhere = false> void check_batch(auto const& x, auto axis_, int place_) {
  auto const gamma = some<T, N>(3), beta = some<T, N>(4), middle = some<T, N>(5);
  nd::tensor<T, shape<N>> const variance = square(some<T, N>(6)) + T(0.5);
  auto const of = [&](auto const& v, place_of const& p) { return static_cast<real>(v.data()[p[place_]]); };
  expect<ops::batch_norm>(
      calling<Everywhere, ops::batch_norm, decltype(axis_)>{}(x, gamma, beta, middle, variance), x.shape(),
      [&](place_of const& p) { return (at(x, p) - of(middle, p)) / std::sqrt(of(variance, p) + 1e-5L) * of(gamma, p) + of(beta, p); },
      close(4));
}

}  // namespace

TEMPLATE_TEST_CASE("softmin and rms_norm along every axis", "", REALS) {
  using T = TestType;
  auto const x = some<T, 2, 3, 4>(1);
  check_lines<T, true>(x, axis<0>, 0);
  check_lines<T>(x, axis<-1>, 2);
  check_lines<T>(some<T, 3, 1>(), axis<1>, 1);
  check_lines<T>(some<T, 0, 3>(), axis<1>, 1);
  check_rms<T, 2>(x, axis<0>, 0);
  check_rms<T, 3, true>(x, axis<1>, 1);
  check_rms<T, 4>(x, axis<-1>, 2);
  check_rms<T, 37>(some<T, 5, 37>(), axis<1>, 1);
  check_rms<T, 3>(some<T, 0, 3>(), axis<1>, 1);
}

TEMPLATE_TEST_CASE("l2_normalize", "", REALS) {
  using T = TestType;
  auto const x = some<T, 2, 3, 4, 5>(1);
  auto const check = []<bool Everywhere>(std::bool_constant<Everywhere>, auto const& v, auto over_, auto same) {
    expect<ops::l2_normalize>(
        calling<Everywhere, ops::l2_normalize, decltype(over_)>{}(v), v.shape(),
        [&](place_of const& p) { return at(v, p) / std::sqrt(squares(beside(v, p, same)) + 1e-10L); }, close(1));
  };
  check(std::true_type{}, x, over<parts_of::instance>, same_image);
  check(std::false_type{}, x, over<parts_of::channel>, line(1));
  check(std::false_type{}, x, over<parts_of::spatial>, same_channel);
  check(std::false_type{}, some<T, 3, 1>(), over<parts_of::instance>, same_image);
  check(std::false_type{}, some<T, 0, 3>(), over<parts_of::channel>, line(1));
  expect<ops::l2_normalize>(
      interpret<ops::l2_normalize>(eps<0.5>)(x), x.shape(),
      [&](place_of const& p) { return at(x, p) / std::sqrt(squares(beside(x, p, same_image)) + 0.5L); }, close(1));
}

TEMPLATE_TEST_CASE("batch_norm, instance_norm and group_norm", "", REALS) {
  using T = TestType;
  auto const x = some<T, 2, 6, 3, 5>(1);
  check_batch<T, 6, true>(x, axis<1>, 1);
  check_batch<T, 5>(x, axis<-1>, 3);
  check_batch<T, 3>(some<T, 4, 3>(), axis<1>, 1);
  check_batch<T, 3>(some<T, 0, 3>(), axis<1>, 1);
  auto const gamma = some<T, 6>(3), beta = some<T, 6>(4);
  auto const check = [&]<bool Everywhere, class Op, class... K>(calling<Everywhere, Op, K...> how, auto same) {
    expect<Op>(
        how(x, gamma, beta), x.shape(),
        [&](place_of const& p) { return standard(at(x, p), beside(x, p, same), 1e-5L) * gamma.data()[p[1]] + beta.data()[p[1]]; },
        close(20));
  };
  auto const same_group = [](extent channels) {
    return [=](place_of const& p, place_of const& q) { return p[0] == q[0] && p[1] / channels == q[1] / channels; };
  };
  check(call<ops::instance_norm>(), same_channel);
  check(call<ops::group_norm>(groups<2>), same_group(3));
  check(interpret<ops::group_norm>(groups<6>), same_group(1));
  check(interpret<ops::group_norm>(), same_image);
  CHECK(group_norm(some<T, 0, 4>(), some<T, 4>(), some<T, 4>(), groups<2>).shape() == dims{0, 4});
}

TEST_CASE("what cannot be normalised") {
  auto const fits = []<class Op, class... A>(std::type_identity<Op>, A const&...) { return ops::call_rule<Op, A...>::ok; };
  nd::tensor<float, shape<2, 6, 3>> const x;
  nd::tensor<float, shape<6>> const six;
  nd::tensor<float, shape<3>> const three;
  CHECK(fits(std::type_identity<ops::group_norm>{}, x, six, six, groups<3>));
  CHECK(!fits(std::type_identity<ops::group_norm>{}, x, six, six, groups<4>));
  CHECK(!fits(std::type_identity<ops::group_norm>{}, x, six, three));
  CHECK(!fits(std::type_identity<ops::instance_norm>{}, three, three, three));
  CHECK(!fits(std::type_identity<ops::batch_norm>{}, x, six, six, six, three));
  CHECK(!fits(std::type_identity<ops::batch_norm>{}, x, six, six, six, six, axis<3>));
  CHECK(!fits(std::type_identity<ops::rms_norm>{}, x, six));
  CHECK(fits(std::type_identity<ops::rms_norm>{}, x, six, axis<1>));
  CHECK(!fits(std::type_identity<ops::l2_normalize>{}, three));
  CHECK(!fits(std::type_identity<ops::softmin>{}, nd::tensor<int, shape<3>>{}));
}

}  // namespace test
