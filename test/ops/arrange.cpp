// SPDX-License-Identifier: Apache-2.0
// Operations that only move elements: which element stands where, on odd shapes, of one and of nothing, along every axis.
#include "loops.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

// What stands at place p of x.
template <class X> auto at(X const& x, place_of const& p) { return any_array<typename X::value_type>(x)[index_in_array(x.shape(), p)]; }
template <class Op, class R, class X, class From> void moved(R const& got, dims const& to, X const& x, From const& from) {
  expect<Op>(got, to, [&](place_of p) { return from(p), at(x, p); });
}
place_of without(place_of const& p, int axis_) {
  place_of r;
  for (int i = 0, k = 0; k < max_rank; ++k)
    if (k != axis_) r[i++] = p[k];
  return r;
}

}  // namespace

TEMPLATE_TEST_CASE("swapped axes and axes backwards", "", float, bool) {
  using T = TestType;
  auto const x = some<T, 2, 3, 4>();
  auto const swapped = [](int a, int b) { return [=](place_of& p) { std::swap(p[a], p[b]); }; };
  moved<ops::swap_axes>(call<ops::swap_axes>(axes<0, 2>)(x), {4, 3, 2}, x, swapped(0, 2));
  moved<ops::swap_axes>(interpret<ops::swap_axes>(axes<-1, 1>)(x), {2, 4, 3}, x, swapped(1, 2));
  moved<ops::swap_axes>(interpret<ops::swap_axes>(axes<1, 1>)(x), {2, 3, 4}, x, swapped(1, 1));
  moved<ops::swap_axes>(interpret<ops::swap_axes>(axes<0, 1>)(some<T, 0, 3>()), {3, 0}, some<T, 0, 3>(), swapped(0, 1));
  moved<ops::flip>(call<ops::flip>(axis<1>)(x), {2, 3, 4}, x, [](place_of& p) { p[1] = 2 - p[1]; });
  moved<ops::flip>(interpret<ops::flip>(axis<0, -1>)(x), {2, 3, 4}, x, [](place_of& p) { p[0] = 1 - p[0], p[2] = 3 - p[2]; });
  moved<ops::flip>(interpret<ops::flip>()(x), {2, 3, 4}, x, [](place_of& p) { p[0] = 1 - p[0], p[1] = 2 - p[1], p[2] = 3 - p[2]; });
  moved<ops::flip>(interpret<ops::flip>(axis<0>)(some<T, 0, 3>()), {0, 3}, some<T, 0, 3>(), [](place_of&) {});
  CHECK(swap_axes(x, axes<0, 2>).data() == x.data());  // a view
  CHECK(flip(x).data() == x.data() + 23);
}

TEMPLATE_TEST_CASE("stacked arrays", "", float, bool) {
  using T = TestType;
  auto const x = some<T, 2, 3>(0), y = some<T, 2, 3>(1), z = some<T, 2, 3>(2);
  auto const stacked = [&](int axis_) {
    return [&, axis_](place_of const& p) { return at(p[axis_] == 0 ? x : p[axis_] == 1 ? y : z, without(p, axis_)); };
  };
  expect<ops::stack>(call<ops::stack>()(x, y, z), {3, 2, 3}, stacked(0));
  expect<ops::stack>(interpret<ops::stack>(axis<1>)(x, y, z), {2, 3, 3}, stacked(1));
  expect<ops::stack>(interpret<ops::stack>(axis<-1>)(x, y, z), {2, 3, 3}, stacked(2));
  expect<ops::stack>(interpret<ops::stack>()(x), {1, 2, 3}, stacked(0));
  CHECK(stack(some<T, 0, 3>(), some<T, 0, 3>(), axis<1>).shape() == dims{0, 2, 3});
}

TEMPLATE_TEST_CASE("elements several times", "", float, bool) {
  using T = TestType;
  auto const x = some<T, 2, 3>();
  auto const around_ = [](place_of& p) { p[0] %= 2, p[1] %= 3; };
  moved<ops::tile>(call<ops::tile>(reps<2, 3>)(x), {4, 9}, x, around_);
  moved<ops::tile>(interpret<ops::tile>(reps<2>)(x), {2, 6}, x, around_);
  moved<ops::tile>(interpret<ops::tile>(reps<1, 1>)(x), {2, 3}, x, around_);
  moved<ops::tile>(interpret<ops::tile>(reps<2, 0>)(x), {4, 0}, x, around_);
  moved<ops::tile>(interpret<ops::tile>(reps<3, 1, 2>)(x), {3, 2, 6}, x, [](place_of& p) { p[0] = p[1] % 2, p[1] = p[2] % 3; });
  moved<ops::tile>(interpret<ops::tile>(reps<2, 2>)(some<T, 0, 3>()), {0, 6}, x, around_);
  moved<ops::tile>(interpret<ops::tile>(reps<4>)(some<T>()), {4}, some<T>(), [](place_of& p) { p[0] = 0; });
  moved<ops::tile>(ops::function<ops::tile>{}(some<T, 2, 1, 1, 1, 1, 1, 1, 2>(), reps<3, 1, 1, 1, 1, 1, 1, 1>), {6, 1, 1, 1, 1, 1, 1, 2},
                   some<T, 2, 1, 1, 1, 1, 1, 1, 2>(), [](place_of& p) { p[0] %= 2; });
  moved<ops::repeat>(call<ops::repeat>(reps<3>, axis<0>)(x), {6, 3}, x, [](place_of& p) { p[0] /= 3; });
  moved<ops::repeat>(interpret<ops::repeat>(reps<2>, axis<-1>)(x), {2, 6}, x, [](place_of& p) { p[1] /= 2; });
  moved<ops::repeat>(interpret<ops::repeat>(reps<2>)(x), {12}, x, [](place_of& p) { p[1] = p[0] / 2 % 3, p[0] /= 6; });
  moved<ops::repeat>(interpret<ops::repeat>(reps<0>, axis<0>)(x), {0, 3}, x, [](place_of&) {});
  moved<ops::repeat>(interpret<ops::repeat>(reps<2>, axis<1>)(some<T, 0, 3>()), {0, 6}, x, [](place_of&) {});
}

TEMPLATE_TEST_CASE("elements that go around", "", float, std::int64_t, bool) {
  using T = TestType;
  auto const x = some<T, 3, 5>();
  auto const rolled = [](extent rows, extent columns) {
    return [=](place_of& p) { p[0] = (p[0] - rows + 300) % 3, p[1] = (p[1] - columns + 500) % 5; };
  };
  moved<ops::roll>(call<ops::roll>(shift<1>, axis<0>)(x), {3, 5}, x, rolled(1, 0));
  moved<ops::roll>(interpret<ops::roll>(shift<-7>, axis<-1>)(x), {3, 5}, x, rolled(0, -7));
  moved<ops::roll>(interpret<ops::roll>(shift<2, 1>, axis<1, 0>)(x), {3, 5}, x, rolled(1, 2));
  moved<ops::roll>(interpret<ops::roll>(shift<4>, axis<0, 1>)(x), {3, 5}, x, rolled(4, 4));
  moved<ops::roll>(interpret<ops::roll>(shift<0>, axis<0>)(x), {3, 5}, x, rolled(0, 0));
  moved<ops::roll>(interpret<ops::roll>(shift<4>)(x), {3, 5}, x, [](place_of& p) {
    extent const i = (p[0] * 5 + p[1] + 11) % 15;
    p[0] = i / 5, p[1] = i % 5;
  });
  moved<ops::roll>(interpret<ops::roll>(shift<2>, axis<0>)(some<T, 0, 3>()), {0, 3}, x, [](place_of&) {});
}

TEMPLATE_TEST_CASE("shapes of other arrays", "", float, bool) {
  using T = TestType;
  auto const x = some<T, 3, 1>();
  auto const y = some<T, 2, 3, 4>();
  auto const z = some<T, 5, 4>();
  moved<ops::broadcast_like>(call<ops::broadcast_like>()(x, y), {2, 3, 4}, x, [](place_of& p) { p[0] = p[1], p[1] = 0; });
  moved<ops::broadcast_like>(interpret<ops::broadcast_like>()(some<T, 1>(), some<T, 0, 3>()), {0, 3}, x, [](place_of&) {});
  moved<ops::slice_like>(call<ops::slice_like>()(z, x), {3, 1}, z, [](place_of&) {});
  moved<ops::slice_like>(interpret<ops::slice_like>(axis<0>)(z, x), {3, 4}, z, [](place_of&) {});
  moved<ops::slice_like>(interpret<ops::slice_like>(axis<-1>)(z, some<T, 9, 0>()), {5, 0}, z, [](place_of&) {});
}

TEMPLATE_TEST_CASE("triangles and diagonals", "", float, bool) {
  using T = TestType;
  auto const x = some<T, 4, 3>(1);
  auto const cube = some<T, 2, 3, 5>(2);
  auto const kept = [](auto const& v, auto inside) {
    int const r = v.shape().rank;
    return [=](place_of const& p) { return inside(p[r - 1] - p[r - 2]) ? at(v, p) : T(0); };
  };
  expect<ops::tril>(call<ops::tril>()(x), {4, 3}, kept(x, [](extent d) { return d <= 0; }));
  expect<ops::tril>(interpret<ops::tril>(diagonal<-2>)(cube), {2, 3, 5}, kept(cube, [](extent d) { return d <= -2; }));
  expect<ops::triu>(call<ops::triu>()(x), {4, 3}, kept(x, [](extent d) { return d >= 0; }));
  expect<ops::triu>(interpret<ops::triu>(diagonal<2>)(cube), {2, 3, 5}, kept(cube, [](extent d) { return d >= 2; }));
  expect<ops::tril>(interpret<ops::tril>(diagonal<1>)(some<T, 0, 3>()), {0, 3}, kept(x, [](extent) { return true; }));
  moved<ops::diag>(call<ops::diag>()(x), {3}, x, [](place_of& p) { p[1] = p[0]; });
  moved<ops::diag>(interpret<ops::diag>(diagonal<-2>)(x), {2}, x, [](place_of& p) { p[1] = p[0], p[0] += 2; });
  moved<ops::diag>(interpret<ops::diag>(diagonal<1>)(cube), {2, 3}, cube, [](place_of& p) { p[2] = p[1] + 1; });
  moved<ops::diag>(interpret<ops::diag>(diagonal<7>)(x), {0}, x, [](place_of&) {});
  moved<ops::diag>(interpret<ops::diag>()(transpose(x)), {3}, x, [](place_of& p) { p[1] = p[0]; });
  auto const v = some<T, 3>(5);
  auto const spread = [&](extent k) {
    return [&v, k](place_of const& p) { return p[1] - p[0] == k ? v.data()[k < 0 ? p[1] : p[0]] : T(0); };
  };
  expect<ops::diag>(call<ops::diag>()(v), {3, 3}, spread(0));
  expect<ops::diag>(interpret<ops::diag>(diagonal<2>)(v), {5, 5}, spread(2));
  expect<ops::diag>(interpret<ops::diag>(diagonal<-1>)(v), {4, 4}, spread(-1));
  expect<ops::diag>(interpret<ops::diag>()(some<T, 0>()), {0, 0}, spread(0));
}

TEMPLATE_TEST_CASE("blocks that become channels, and back", "", float, bool) {
  using T = TestType;
  auto const x = some<T, 2, 3, 4, 6>();
  moved<ops::space_to_depth>(call<ops::space_to_depth>(block<2>)(x), {2, 12, 2, 3}, x, [](place_of& p) {
    extent const c = p[1];
    p[1] = c % 3, p[2] = p[2] * 2 + c / 3 / 2, p[3] = p[3] * 2 + c / 3 % 2;
  });
  auto const y = some<T, 2, 12, 2, 3>();
  moved<ops::depth_to_space>(call<ops::depth_to_space>(block<2>)(y), {2, 3, 4, 6}, y,
                             [](place_of& p) { p[1] += 3 * (p[2] % 2 * 2 + p[3] % 2), p[2] /= 2, p[3] /= 2; });
  moved<ops::space_to_depth>(interpret<ops::space_to_depth>(block<1>)(x), {2, 3, 4, 6}, x, [](place_of&) {});
  CHECK(depth_to_space(some<T, 0, 9, 1, 1>(), block<3>).shape() == dims{0, 1, 3, 3});
}

TEMPLATE_TEST_CASE("borders around arrays", "", float, bool) {
  using T = TestType;
  auto const x = some<T, 3, 4>(1);
  auto const inside = [](place_of const& p, extent top, extent left) {
    return p[0] >= top && p[0] < top + 3 && p[1] >= left && p[1] < left + 4;
  };
  expect<ops::padded>(call<ops::padded>(begin<1, 2>, end<0, 1>)(x), {4, 7},
                      [&](place_of const& p) { return inside(p, 1, 2) ? at(x, {{p[0] - 1, p[1] - 2}}) : T(0); });
  expect<ops::padded>(interpret<ops::padded>(end<2>, values<1>)(x), {5, 4},
                      [&](place_of const& p) { return inside(p, 0, 0) ? at(x, p) : T(1); });
  moved<ops::padded>(interpret<ops::padded>(begin<5, 2>, end<1, 7>, border<borders::edge>)(x), {9, 13}, x,
                     [](place_of& p) { p[0] = std::clamp<extent>(p[0] - 5, 0, 2), p[1] = std::clamp<extent>(p[1] - 2, 0, 3); });
  moved<ops::padded>(call<ops::padded>(begin<2, 1>, end<1, 3>, border<borders::reflect>)(x), {6, 8}, x, [](place_of& p) {
    extent const i = std::abs(p[0] - 2), k = std::abs(p[1] - 1);
    p[0] = i > 2 ? 4 - i : i, p[1] = k > 3 ? 6 - k : k;
  });
  moved<ops::padded>(interpret<ops::padded>()(x), {3, 4}, x, [](place_of&) {});
  moved<ops::padded>(interpret<ops::padded>(end<0, 2>, border<borders::edge>)(some<T, 0, 1>()), {0, 3}, x, [](place_of&) {});
  expect<ops::padded>(interpret<ops::padded>(begin<2>)(some<T, 0, 2>()), {2, 2}, [](place_of const&) { return T(0); });
}

TEST_CASE("what cannot be arranged") {
  auto const fits = []<class Op, class... A>(std::type_identity<Op>, A const&...) { return ops::call_rule<Op, A...>::ok; };
  nd::tensor<float, shape<3, 4>> const x;
  nd::tensor<float, shape<2, 3, 4, 6>> const image;
  sym::tensor<float, shape<dim<"n">, 4>> const* const n = nullptr;
  using named = std::remove_cvref_t<decltype(*n)>;
  STATIC_REQUIRE(ops::call_rule<ops::flip, named>::ok);
  STATIC_REQUIRE(ops::call_rule<ops::slice, named, decltype(step<-1>)>::ok);
  STATIC_REQUIRE(!ops::call_rule<ops::slice, named, decltype(begin<1>), decltype(step<-1>)>::ok);
  STATIC_REQUIRE(!ops::call_rule<ops::slice, named, decltype(end<1>), decltype(step<-1>)>::ok);
  STATIC_REQUIRE(!ops::call_rule<ops::slice, named, decltype(step<-2>)>::ok);
  STATIC_REQUIRE(!ops::call_rule<ops::slice, named, decltype(begin<-1>)>::ok);
  STATIC_REQUIRE(!ops::call_rule<ops::slice, named, decltype(end<0>)>::ok);
  static constexpr bool empty = [] {  // no pointer leaves the array, which the compiler sees
    nd::tensor<float, shape<dim<"n">, 2>> const none({0, 2});
    return flip(none).size() == 0 && flip(nd::tensor<float, shape<2, 0>>{}).size() == 0;
  }();
  STATIC_REQUIRE(empty);
  STATIC_REQUIRE(ops::call_rule<ops::tile, named, decltype(reps<2, 3>)>::ok);
  STATIC_REQUIRE(!ops::call_rule<ops::padded, named, decltype(begin<2>)>::ok);
  STATIC_REQUIRE(ops::call_rule<ops::padded, named, decltype(begin<0, 2>)>::ok);
  STATIC_REQUIRE(!ops::call_rule<ops::roll, named, decltype(shift<1>), decltype(axis<0>)>::ok);
  STATIC_REQUIRE(ops::call_rule<ops::roll, named, decltype(shift<1>), decltype(axis<1>)>::ok);
  CHECK(!fits(std::type_identity<ops::swap_axes>{}, x, axes<0, 2>));
  CHECK(!fits(std::type_identity<ops::swap_axes>{}, x, axes<0>));
  CHECK(!fits(std::type_identity<ops::flip>{}, x, axis<1, -1>));
  CHECK(!fits(std::type_identity<ops::stack>{}, x, x, axis<3>));
  CHECK(!fits(std::type_identity<ops::stack>{}, x, image));
  CHECK(!fits(std::type_identity<ops::tile>{}, x, reps<-1>));
  CHECK(!fits(std::type_identity<ops::roll>{}, x, shift<1, 2>, axis<0>));
  CHECK(!fits(std::type_identity<ops::slice_like>{}, x, nd::tensor<float, shape<4, 4>>{}));
  CHECK(!fits(std::type_identity<ops::space_to_depth>{}, image, block<5>));
  CHECK(!fits(std::type_identity<ops::depth_to_space>{}, image, block<2>));
  CHECK(!fits(std::type_identity<ops::padded>{}, x, begin<3>, border<borders::reflect>));
  CHECK(fits(std::type_identity<ops::padded>{}, x, begin<2>, border<borders::reflect>));
  CHECK(!fits(std::type_identity<ops::padded>{}, x, begin<-1>));
}

}  // namespace test
