// SPDX-License-Identifier: Apache-2.0
// Results into tensors that are there already: the same numbers as a new result, whatever shares its elements with what.
#include <sinter/nn/space.hpp>

#include "../catch.hpp"

using namespace sinter;

namespace {

template <auto... D> using f32 = nd::tensor<float, shape<D...>>;
template <class T, class S> std::vector<T> elements(nd::tensor<T, S> const& x) {
  std::vector<T> v;
  nd::tensor<T, S> const c = x.contiguous();
  for (extent i = 0; i < c.size(); ++i) v.push_back(c.data()[i]);
  return v;
}

}  // namespace

TEST_CASE("a result goes where a tensor is") {
  f32<2, 3> const x{1, 2, 3, 4, 5, 6};
  f32<2, 3> y;
  f32<3> sums;
  f32<2, 2> product;
  nd::tensor<bool, shape<2, 3>> big;
  float const* const before = y.data();
  nd::out(y).add(x, 1);
  nd::out(sums).sum(x, axis<0>);
  nd::out(product).matmul(x, x, transpose_b);
  nd::out(big).greater(x, 3);
  CHECK(y.data() == before);
  CHECK(elements(y) == elements(x + 1));
  CHECK(elements(sums) == elements(sum(x, axis<0>)));
  CHECK(elements(product) == elements(matmul(x, x, transpose_b)));
  CHECK(elements(big) == elements(x > 3));
}

TEST_CASE("a result may be one of the operands, or lie over them") {
  auto const square_of = [] { return f32<3, 3>{1, 2, 3, 4, 5, 6, 7, 8, 9}; };
  f32<3, 3> const same = square_of();
  f32<3, 3> x = square_of();
  SECTION("elementwise") {
    nd::out(x).multiply(x, x);
    CHECK(elements(x) == elements(same * same));
  }
  SECTION("stretched") {
    nd::out(x).add(x, slice(x, begin<2>, end<3>));
    CHECK(elements(x) == elements(same + slice(same, begin<2>, end<3>)));
  }
  SECTION("a stretched row that begins where the result does") {
    nd::out(x).add(x.row(0), x);
    CHECK(elements(x) == std::vector<float>{2, 4, 6, 5, 7, 9, 8, 10, 12});
    f32<2, 4> z{1, 2, 3, 4, 10, 20, 30, 40};
    nd::out(z).add(z.row(0), z);
    CHECK(elements(z) == std::vector<float>{2, 4, 6, 8, 11, 22, 33, 44});
  }
  SECTION("transposed") {
    nd::out(x).add(x, transpose(x));
    CHECK(elements(x) == elements(same + transpose(same)));
  }
  SECTION("a view") {
    nd::out(x).transpose(x);
    CHECK(elements(x) == elements(transpose(same)));
  }
  SECTION("a product") {
    nd::out(x).matmul(x, x);
    CHECK(elements(x) == elements(matmul(same, same)));
  }
  SECTION("a reduction") {
    nd::out(x).softmax(x, axis<0>);
    CHECK(elements(x) == elements(softmax(same, axis<0>)));
  }
  SECTION("rows that overlap") {
    nd::out(slice(x, begin<1>, end<3>)).negative(slice(x, begin<0>, end<2>));
    CHECK(elements(x) == std::vector<float>{1, 2, 3, -1, -2, -3, -4, -5, -6});
  }
}

TEST_CASE("a result may overlap an operand that is read backwards, at any distance") {
  constexpr int n = 20, all = 90;
  f32<dynamic> const before({all});
  f32<dynamic> memory({all});
  for (int i = 0; i < all; ++i) before(i) = static_cast<float>(i + 1);
  auto const part = [&](f32<dynamic> const& of, int from) { return f32<n>(of.slice(from, from + n)); };
  auto const check = [&](f32<n> const& result, std::vector<float> const& want, int to, int from) {
    INFO("to " << to << ", from " << from);
    CHECK(elements(result) == want);
  };
  for (int to = 0; to + n <= all; ++to) {
    int const from = 35;
    auto const begin_again = [&] { nd::out(memory).identity(before); };
    f32<n> result = part(memory, to);
    begin_again();
    nd::out(result).slice(part(memory, from), step<-1>);
    check(result, elements(slice(part(before, from), step<-1>)), to, from);
    begin_again();
    nd::out(result).negative(slice(part(memory, from), step<-1>));
    check(result, elements(-slice(part(before, from), step<-1>)), to, from);
    begin_again();
    nd::out(slice(result, step<-1>)).add(part(memory, from), 1);
    check(f32<n>(slice(result, step<-1>)), elements(part(before, from) + 1), to, from);
    begin_again();
    f32<n / 2> half(result.slice(0, n / 2));
    nd::out(half).slice(part(memory, from), begin<-1>, step<-2>);
    CHECK(elements(half) == elements(slice(part(before, from), begin<-1>, step<-2>)));
    begin_again();
    auto const as_square = [&](f32<dynamic> const& of, int at) { return reshape(part(of, at), into<4, 5>); };
    nd::out(as_square(memory, to)).slice(as_square(memory, from), step<-1, 1>);
    check(result, elements(slice(as_square(before, from), step<-1, 1>)), to, from);
    begin_again();
    nd::out(as_square(memory, to)).slice(as_square(memory, from), step<1, -1>);
    check(result, elements(slice(as_square(before, from), step<1, -1>)), to, from);
  }
}

TEST_CASE("a result may be a view") {
  f32<2, 3> const x{1, 2, 3, 4, 5, 6};
  f32<3, 4> y{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
  nd::out(slice(transpose(y), begin<0, 0>, end<2, 3>)).negative(x);
  CHECK(elements(y) == std::vector<float>{-1, -4, 7, 7, -2, -5, 7, 7, -3, -6, 7, 7});
}

TEST_CASE("a result of a dynamic shape must have it") {
  using rows = f32<dim<"batch">, 2>;
  rows const x(dims{3, 2});
  rows y(dims{3, 2}), other(dims{4, 2});
  nd::out(y).exp(x);
  CHECK(elements(y) == elements(sinter::exp(x)));
  CHECK_THROWS_WITH(nd::out(other).exp(x), "sinter: exp gives (3, 2), and the tensor given for it has shape (4, 2)");
}

TEST_CASE("a constant expression writes to a tensor too") {
  constexpr bool same = [] {
    f32<2> x{1, 2};
    nd::out(x).add(x, x);
    return x[0] == 2 && x[1] == 4;
  }();
  static_assert(same);
}

TEST_CASE("a broadcast view takes no result") {
  nd::tensor<float, shape<3>> x{1, 2, 3};
  auto b = broadcast_to(x, into<2, 3>);
  nd::tensor<float, shape<2, 3>> const y{1, 1, 1, 10, 10, 10};
  CHECK_THROWS_WITH(nd::out(b).add(b, y),
                    "sinter: add cannot write into a view that broadcast_to made: one element of memory stands for several of its "
                    "elements; give it a copy()");
  CHECK_THROWS_AS(nd::out(b).transpose(transpose(y)), shape_error);
  CHECK(x(0) == 1);
  auto one = broadcast_to(x, into<1, 3>);  // no element is given twice
  nd::out(one).add(one, one);
  CHECK(x(2) == 6);
  nd::tensor<float, shape<2, 0>> none;
  nd::out(none).add(none, none);
}
