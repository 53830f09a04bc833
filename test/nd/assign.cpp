// SPDX-License-Identifier: Apache-2.0
// Assignment into parts of tensors: stretched as in NumPy, and as if the right side had been copied first, whatever it shares.
#include <sinter/compile/hybridized.hpp>

#include <random>

#include "../catch.hpp"

using namespace sinter;

namespace {

template <auto... D> using f32 = nd::tensor<float, shape<D...>>;
using matrix = f32<dynamic, dynamic>;

matrix numbered(extent n, extent m) {
  matrix x({n, m});
  float next = 0;
  for (float& e : x) e = next++;
  return x;
}
template <class To, class From>
concept is_assigned = requires(To to, From from) { to = from; };

constexpr bool constant() {
  f32<2, 3> x{1, 2, 3, 4, 5, 6};
  x(nth<1>) = x(nth<0>);
  x(all, range<1, 3>) = x(all, range<0, 2>);
  x(0, range<0, 1>) = 9;
  x(all, range<2, 3>) += 1;
  return x[0] == 9 && x[1] == 1 && x[2] == 3 && x[3] == 1 && x[4] == 1 && x[5] == 3;
}
static_assert(constant());

struct net : nn::hybrid_block<net> {
  BOOST_HANA_DEFINE_STRUCT(net, (nn::dense<2>, layer));
  constexpr auto hybrid_forward(auto, auto x) const { return layer(x); }
};
struct writes_parameter : nn::hybrid_block<writes_parameter> {
  BOOST_HANA_DEFINE_STRUCT(writes_parameter, (nn::parameter, gamma));
  constexpr auto hybrid_forward(auto F, auto x) const {
    F.get(gamma, shape<2>{})(all) = 1;
    return x;
  }
};

}  // namespace

TEST_CASE("what is assigned to a part goes into its elements") {
  CHECK(constant());
  f32<3, 4> x;
  auto const same = x;
  x(nth<0>) = f32<4>{1, 2, 3, 4};
  x(all, 3) = 0.5f;
  x.row(1) = x.row(0);
  x(range(2, 3), range<0, 2>) = f32<2>{7, 8};
  CHECK(same.to_vector() == std::vector<float>{1, 2, 3, 0.5f, 1, 2, 3, 0.5f, 7, 8, 0, 0.5f});
  x(ellipsis) = 1;
  CHECK(same.to_vector() == std::vector<float>(12, 1));
  x(all, range<open, open, -2>) = f32<3, 1>{1, 2, 3};
  x.slice(0, 1) *= 10;
  x(all, 0) -= f32<3>{1, 2, 3};
  CHECK(same.to_vector() == std::vector<float>{9, 10, 10, 10, -1, 2, 1, 2, -2, 3, 1, 3});
  x(nth<0>, nth<1>) = 4;
  CHECK(same(0, 1) == 4);
  x = f32<3, 4>{};  // a name takes another handle
  CHECK((x(0, 1) == 0 && same(0, 1) == 4));
  x(all) = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  CHECK(x(2, 3) == 12);
}

TEST_CASE("what is assigned is stretched, and must fit then") {
  matrix const x({2, 3});
  x(all) = f32<1>{5};
  CHECK(x.to_vector() == std::vector<float>(6, 5));
  x(all) = f32<dim<"n">>({3});
  CHECK(x.to_vector() == std::vector<float>(6, 0));
  CHECK_THROWS_WITH(x(all) = f32<2>{}, "sinter: a tensor of shape (2,) is assigned to elements of shape (2, 3)");
  CHECK_THROWS_WITH(x(all) = f32<dim<"n">>({1}), "sinter: a tensor of shape (1,) is assigned to elements of shape (2, 3)");
  CHECK_THROWS_WITH(x(range(0, 1)) = matrix({2, 3}), "sinter: a tensor of shape (2, 3) is assigned to elements of shape (1, 3)");
  x(range(0, 0)) = f32<3>{1, 2, 3};
  CHECK(x.to_vector() == std::vector<float>(6, 0));
}

TEST_CASE("floats are rounded and integers of fewer bits are widened") {
  f32<2> const x;
  x(all) = nd::tensor<double, shape<2>>{0.5, 16777217};
  CHECK((x(0) == 0.5f && x(1) == 16777216));
  x(all) = 0.1;
  CHECK(x(1) == 0.1f);
  x(all) = 3;
  CHECK(x(1) == 3);
  nd::tensor<int, shape<2>> counts{};
  counts(all) = nd::tensor<std::uint8_t, shape<2>>{1, 255};
  counts += nd::tensor<std::int8_t, shape<2>>{1, -2};
  CHECK(counts.to_vector() == std::vector{2, 253});
  CHECK_THROWS_AS(counts(all) = std::int64_t{1} << 40, error);
  nd::tensor<bool, shape<2>> const truth{};
  truth(range<1, 2>) = true;
  CHECK((!truth(0) && truth(1)));
}

TEST_CASE("the right side is read before the left side is written") {
  f32<5> x{1, 2, 3, 4, 5};
  x(range<1, open>) = x(range<open, -1>);
  CHECK(x.to_vector() == std::vector<float>{1, 1, 2, 3, 4});
  x(range<open, -1>) = x(range<1, open>);
  CHECK(x.to_vector() == std::vector<float>{1, 2, 3, 4, 4});
  x(all) = x(range<open, open, -1>);
  CHECK(x.to_vector() == std::vector<float>{4, 4, 3, 2, 1});
  x(range<1, open>) += x(range<open, -1>);
  CHECK(x.to_vector() == std::vector<float>{4, 8, 7, 5, 3});
  f32<2, 2> y{1, 2, 3, 4};
  y(all) = transpose(y);
  CHECK(y.to_vector() == std::vector<float>{1, 3, 2, 4});
  y(all) = y(nth<1>);
  CHECK(y.to_vector() == std::vector<float>{2, 4, 2, 4});
  y(all) = y(all, range<1, 2>);
  CHECK(y.to_vector() == std::vector<float>{4, 4, 4, 4});
}

// Two parts of one matrix, each given by the places of its elements, which a matrix of numbers tells.
TEST_CASE("parts that overlap in any way") {
  std::mt19937 numbers{11};
  auto const between = [&](std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(numbers); };
  for (int turn = 0; turn < 3000; ++turn) {
    extent const n = between(1, 7), m = between(1, 7), rows = between(1, n), columns = between(1, m);
    matrix const places = numbered(n, m);
    // rows and columns that are `count` apart from each other by the same step, forwards or backwards
    auto const some = [&](extent all_of_them, extent count) {
      std::int64_t const step = count == 1 ? 1 : between(1, (all_of_them - 1) / (count - 1)),
                         first = between(0, all_of_them - 1 - (count - 1) * step);
      std::int64_t const last = first + (count - 1) * step;
      if (between(0, 1)) return range(first, last + 1, step);
      return range(last, first == 0 ? open : first - 1, -step);
    };
    bool const turned = rows <= m && columns <= n && between(0, 2) == 0;
    index_range const to[]{some(n, rows), some(m, columns)},
        from[]{turned ? some(n, columns) : some(n, rows), turned ? some(m, rows) : some(m, columns)};
    auto const part = [&](matrix const& x, index_range const* r, bool t) {
      matrix const p(x(r[0], r[1]));
      return t ? matrix(transpose(p)) : p;
    };
    auto const to_places = part(places, to, false).to_vector(), from_places = part(places, from, turned).to_vector();
    auto const check = [&](auto const& assign, auto const& expected) {
      matrix const x = numbered(n, m) + 100;
      std::vector<float> const before = x.to_vector();
      std::vector<float> want = before;
      for (std::size_t i = 0; i < to_places.size(); ++i) {
        auto const t = static_cast<std::size_t>(to_places[i]), f = static_cast<std::size_t>(from_places[i]);
        want[t] = expected(before[t], before[f]);
      }
      assign(part(x, to, false), part(x, from, turned));
      REQUIRE(x.to_vector() == want);
    };
    INFO(n << " x " << m << (turned ? ", turned" : ""));
    check([](matrix a, matrix const& b) { a(ellipsis) = b; }, [](float, float b) { return b; });
    check([](matrix a, matrix const& b) { a += b; }, [](float a, float b) { return a + b; });
    check([](matrix a, matrix const& b) { a -= b; }, [](float a, float b) { return a - b; });
    check([](matrix a, matrix const& b) { a *= b; }, [](float a, float b) { return a * b; });
    check([](matrix a, matrix const& b) { a /= b; }, [](float a, float b) { return a / b; });
    check([](matrix a, matrix const& b) { nd::out(a).maximum(b, 120); }, [](float, float b) { return b > 120 ? b : 120; });
  }
}

TEST_CASE("what cannot be assigned to") {
  f32<3> const x{1, 2, 3};
  auto const repeated = broadcast_to(x, into<2, 3>);
  CHECK_THROWS_WITH(repeated(all) = 1,
                    "sinter: nothing can be assigned to a view that broadcast_to made: one element of memory stands for several of its "
                    "elements; give it a copy()");
  CHECK_THROWS_AS(repeated(all, range<1, 2>) = f32<1>{4}, shape_error);
  repeated(0, all) = 4;  // the elements of x
  CHECK(x(2) == 4);
  net n;
  n.initialize();
  n(f32<1, 3>{});
  n.layer.weight.data<shape<2, 3>>()(all) = 7;  // a copy, as the guide says
  CHECK(n.layer.weight.data<shape<2, 3>>()(0, 0) != 7);
  writes_parameter w;
  w.initialize();
  CHECK_THROWS_AS(w(x), parameter_error);
  f32<3> moved = x.copy();
  f32<3> const taken = std::move(moved);
  CHECK_THROWS_WITH(taken(all) = moved, "sinter: this tensor has no elements, because it was moved from; assign another to it first");
  static_assert(is_assigned<f32<3>&, f32<3>>);
}

TEST_CASE("what is assigned to a result that nobody holds would be lost") {
  nd::tensor<float, shape<2>> const x{1, 2};
  CHECK_THROWS_WITH(
      x + x = x,
      "sinter: elements are assigned to the result of a call, which nothing else holds, so that they would be lost; give it a "
      "name: auto z = x + y");
  CHECK_THROWS_AS(x.copy() = 1, error);
}

TEST_CASE("a tensor is filled with a number that it can hold") {
  nd::tensor<std::uint8_t, shape<2>> const u;
  u.fill(255);
  CHECK(u(1) == 255);
  CHECK_THROWS_WITH(u.fill(300), "sinter: a tensor of uint8 is filled with a number that it cannot hold: 300");
  CHECK_THROWS_AS(u.fill(0.5), dtype_error);
  CHECK(u(0) == 255);
}
TEST_CASE("x += y computes in the wider dtype and converts the result at last") {
  f32<2> x{1, 3};
  x += nd::tensor<double, shape<2>>{0x1.0000004p-24, 0};  // as a float half of the distance to the next number, as a double a little more
  CHECK(x[0] == 1.00000012f);
  CHECK(x[1] == 3);
}
