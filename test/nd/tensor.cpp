// SPDX-License-Identifier: Apache-2.0
// The eager tensor itself: storage, views, sharing, borrowing, printing.
#include <sinter/nn/space.hpp>
#include <sstream>
#include <utility>

#include "../catch.hpp"

namespace nd = sinter::nd;
using sinter::dim;
using sinter::dims;
using sinter::dynamic;
using sinter::shape;
template <auto... D> using f32 = nd::tensor<float, shape<D...>>;

namespace {

constexpr bool literal() {
  f32<2, 3> const a{1, 2, 3, 4, 5, 6};
  auto const t = sinter::transpose(a);
  f32<3, 2> const c = t.copy();
  f32<> const s(7.f);
  float const plain = s;
  return t(2, 1) == 6 && !t.is_contiguous() && c.is_contiguous() && c(2, 0) == 3 && a[4] == 5 && plain == 7 && f32<2>{}(1) == 0 &&
         s.item() == 7;
}
static_assert(literal());

template <class T> std::string printed(T const& t) {
  std::ostringstream out;
  out << t;
  return out.str();
}
template <class Call> std::string message_of(Call call) {
  try {
    call();
  } catch (sinter::shape_error const& e) { return e.what(); }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("a tensor begins with zeros, aligned") {
  CHECK(literal());
  f32<3, 5> const t;
  CHECK(t.size() == 15);
  for (int i = 0; i < 15; ++i) CHECK(t[i] == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(t.data()) % sinter::storage_alignment == 0);
  f32<dim<"batch">, 4> const none;
  CHECK(none.size() == 0);
  CHECK(none.shape() == dims{0, 4});
  auto const three = f32<dim<"batch">, 4>::of(3, 4);
  CHECK(three.shape() == dims{3, 4});
}

TEST_CASE("copies share, copy() does not") {
  f32<3> a{1, 2, 3};
  f32<3> const b = a, c = a.copy();
  a(1) = 20;
  CHECK((b(1) == 20 && c(1) == 2));
  a = f32<3>{7, 8, 9};
  CHECK((b(1) == 20 && a(1) == 8));
  b.fill(4);
  CHECK(b(2) == 4);
}

TEMPLATE_TEST_CASE("a tensor that was moved from says so until it has elements again", "", (f32<3>), (f32<dim<"n">>)) {
  TestType const given = TestType::from(std::vector<float>{1, 2, 3});
  auto const refuses = [&](TestType& x) {
    std::string const sentence = "sinter: this tensor has no elements, because it was moved from; assign another to it first";
    CHECK_THROWS_WITH(x + 1, sentence);
    CHECK_THROWS_WITH(sinter::sum(x), sentence);
    CHECK_THROWS_WITH(given + x, sentence);
    CHECK_THROWS_WITH(x += given, sentence);
    CHECK_THROWS_WITH(nd::out(x).add(given, given), sentence);
    CHECK_THROWS_WITH(sinter::reshape(x, sinter::into<-1, 1>), sentence);
    CHECK_THROWS_WITH(x.copy(), sentence);
    CHECK_THROWS_WITH(x.to_vector(), sentence);
    CHECK_THROWS_WITH(x.begin(), sentence);
    CHECK_THROWS_WITH(x.fill(1), sentence);
    CHECK_THROWS_WITH(x.row(0), sentence);
    CHECK_THROWS_WITH(x.slice(1), sentence);
    CHECK_THROWS_WITH(printed(x), sentence);
    CHECK_THROWS_WITH((f32<sinter::dynamic>(x)), sentence);
    CHECK(x.data() == nullptr);
#if SINTER_CHECK_ELEMENTS
    CHECK_THROWS_WITH(x(0), sentence);
    CHECK_THROWS_WITH(x[0], sentence);
#endif
  };
  TestType x = given.copy();
  TestType const taken = std::move(x);
  CHECK(taken(2) == 3);
  refuses(x);  // NOLINT(bugprone-use-after-move): this is what it is about
  x = TestType::from(std::vector<float>{4, 5, 6});
  CHECK(x(2) == 6);
  TestType to = given.copy();
  to = std::move(x);
  CHECK(to(2) == 6);
  refuses(x);  // NOLINT(bugprone-use-after-move)
  x = to;
  TestType& same = x;
  x = std::move(same);
  CHECK(x(2) == 6);
  std::swap(x, to);
  CHECK((x(2) == 6 && to.data() == x.data()));
  std::vector<TestType> many(1, given);
  for (int i = 0; i < 9; ++i) many.push_back(many.front().copy());
  CHECK((many.front()(2) == 3 && many.back()(2) == 3));
}

TEST_CASE("a view that is moved keeps its place") {
  f32<sinter::dynamic, sinter::dynamic> a({2, 3}), b({3, 4});
  a.fill(5);
  a(1, 2) = 7;
  auto part = sinter::slice(a, sinter::begin<0, 1>);
  b = std::move(part);
  CHECK((b.shape() == dims{2, 2} && b(0, 1) == 5 && b(1, 1) == 7 && b.strides()[0] == 3));
  f32<> x(4.f);
  f32<> const y = std::move(x);
  CHECK(y.item() == 4);
  CHECK_THROWS_AS(x.item(), sinter::error);  // NOLINT(bugprone-use-after-move)
  CHECK_THROWS_AS(static_cast<float>(x), sinter::error);
}

TEST_CASE("a view keeps its memory alive") {
  auto const turned = [] {
    f32<2, 3> const a{1, 2, 3, 4, 5, 6};
    return sinter::transpose(a);
  }();
  CHECK((turned(0, 1) == 4 && turned[5] == 6));
  CHECK(turned.contiguous().is_contiguous());
  CHECK(turned.contiguous()[1] == 4);
  f32<2, 3> const a{1, 2, 3, 4, 5, 6};
  CHECK(a.contiguous().data() == a.data());
  auto const row = sinter::slice(a, sinter::begin<1, 0>, sinter::end<2, 3>);
  CHECK((row.is_contiguous() && row.data() == a.data() + 3));
  row(0, 0) = 40;
  CHECK(a(1, 0) == 40);
}

TEST_CASE("borrowed memory is released once, by the last") {
  static int released;
  released = 0;
  float memory[]{1, 2, 3, 4};
  {
    auto const t = f32<2, 2>::borrow(memory, {2, 2}, memory, [](void* p) { released += p != nullptr; });
    auto const view = sinter::transpose(t);
    auto const copy = t;
    CHECK((view(0, 1) == 3 && t.data() == memory));
    CHECK(released == 0);
  }
  CHECK(released == 1);
  CHECK(f32<4>::borrow(memory, {4})(3) == 4);
  CHECK(message_of([&] { f32<4>::borrow(memory, {3}); }) == "sinter: a tensor of shape (4,) cannot have the extents (3,)");
  CHECK_THROWS_WITH((f32<4>::borrow(static_cast<float*>(nullptr), {4})),
                    "sinter: the memory that is lent to a tensor of the extents (4,) is a null pointer");
  CHECK(f32<dim<"n">>::borrow(static_cast<float*>(nullptr), {0}).size() == 0);
}
TEST_CASE("borrowed memory that is const is only read") {
  float const memory[]{1, 2, 3, 4};
  auto const t = f32<4>::borrow(memory, {4});
  CHECK((t + t).to_vector() == std::vector<float>{2, 4, 6, 8});
  CHECK_THROWS_WITH(t.fill(0), Catch::Contains("sinter: this tensor is there for operations to read"));
  CHECK_THROWS_WITH(t[0] = 5, Catch::Contains("or memory that is const where it was borrowed"));
  CHECK(memory[0] == 1);
}

TEST_CASE("extents written in another shape type") {
  f32<2, 3> const fixed{1, 2, 3, 4, 5, 6};
  f32<dim<"batch">, 3> const named(fixed);
  CHECK((named.data() == fixed.data() && named.shape() == dims{2, 3}));
  CHECK(f32<2, 3>(named)(1, 2) == 6);
  CHECK(f32<2, sinter::dynamic>(sinter::transpose(f32<3, 2>{1, 2, 3, 4, 5, 6}))(1, 2) == 6);
  CHECK(message_of([&] { f32<4, 3> const wrong(named); }) == "sinter: a tensor of shape (4, 3) cannot have the extents (2, 3)");
  CHECK(message_of([] { f32<dim<"n">, dim<"n">>({2, 3}); }) == "sinter: a tensor of shape (n, n) cannot have the extents (2, 3)");
  CHECK(message_of([] { f32<sinter::dynamic>({-1}); }).find("sinter: ") == 0);
  CHECK(message_of([] { f32<2, 2>{1, 2, 3}; }) == "sinter: a tensor of shape (2, 2) is given 3 elements");
  CHECK(message_of([] { f32<dim<"n">>({2, 3}); }).find("cannot have the extents (2, 3)") != std::string::npos);
}

TEST_CASE("extents that do not fit are found when an operation runs") {
  using named = f32<dim<"n">>;
  named const two({2}), three({3});
  std::string const what = message_of([&] { two + three; });
  CHECK(what.find("sinter: add of (2,) and (3,): ") == 0);
}

TEST_CASE("printing") {
  CHECK(printed(f32<2, 2>{1, 2.5f, 3, 4}) == "[[1. , 2.5],\n [3. , 4. ]]");
  CHECK(printed(f32<>(3.f)) == "3");
  CHECK(printed(f32<dim<"n">>{}) == "[]");
  CHECK(printed(nd::tensor<bool, shape<2>>{true, false}) == "[ True, False]");
  CHECK(printed(f32<9>{1, 2, 3, 4, 5, 6, 7, 8, 9}) == "[1, 2, 3, 4, 5, 6, 7, 8, 9]");
  CHECK(printed(f32<8>{1, 2, 3, 4, 5, 6, 7, 8}) == "[1, 2, 3, 4, 5, 6, 7, 8]");
  CHECK(printed(sinter::transpose(f32<1, 2>{1, 2})) == "[[1],\n [2]]");
  CHECK(printed(nd::tensor<std::int64_t, shape<1, 1, 2>>{7, -8}) == "[[[ 7, -8]]]");
}

TEST_CASE("braces say how large dynamic dimensions are") {
  using rows = nd::tensor<float, shape<dim<"n">, 2>>;
  rows const x{{1, 2}, {3, 4}, {5, 6}};
  CHECK(x.shape() == dims{3, 2});
  CHECK((x(0, 1) == 2 && x(2, 0) == 5));
  CHECK(rows{{3, 2}}.shape() == dims{1, 2});
  CHECK(rows({3, 2}).shape() == dims{3, 2});
  nd::tensor<int, shape<dynamic, 2, dynamic>> const y{{{1, 2, 3}, {4, 5, 6}}};
  CHECK(y.shape() == dims{1, 2, 3});
  CHECK(y(0, 1, 2) == 6);
  CHECK(nd::tensor<double, shape<dim<"n">>>({5}).shape() == dims{5});
  static_assert(nd::tensor<int, shape<dynamic, 2>>{{1, 2}, {3, 4}}(1, 0) == 3);
  CHECK_THROWS_WITH((rows{{1, 2}, {3}}), "sinter: a tensor of shape (2, 2) is given 1 in braces along dimension 1, whose extent is 2");
  CHECK_THROWS_WITH((rows{{1, 2, 3}}), "sinter: a tensor of shape (1, 2) is given 3 in braces along dimension 1, whose extent is 2");
  CHECK_THROWS_WITH((nd::tensor<int, shape<dynamic, dynamic>>{{1, 2}, {3, 4, 5}}),
                    "sinter: a tensor of shape (2, 2) is given 3 in braces along dimension 1, whose extent is 2");
  CHECK_THROWS_AS((nd::tensor<int, shape<dim<"n">, dim<"n">>>{{1, 2}}), sinter::shape_error);
}

TEST_CASE("elements come from arrays and vectors") {
  using rows = f32<dim<"n">, 3>;
  float const array[]{1, 2, 3, 4, 5, 6};
  auto const x = rows::from(array);
  CHECK((x.shape() == dims{2, 3} && x(1, 2) == 6));
  CHECK(nd::tensor<bool, shape<2>>::from(std::vector<bool>{false, true})(1));
  CHECK_THROWS_WITH(rows::from(std::vector<float>(20)), "sinter: a tensor of shape (n, 3) is given 20 elements, which is no multiple of 3");
  CHECK(rows::from(std::vector<float>{}).shape() == dims{0, 3});
}

TEST_CASE("names that std has, too, are sinter's for tensors under both using directives") {
  using namespace std;     // NOLINT(google-build-using-namespace)
  using namespace sinter;  // NOLINT(google-build-using-namespace)
  f32<3> const x{2, 3, 1};
  CHECK((max(x) == 3 && min(x) == 1));
  CHECK(sort(x)(0) == 1);
  CHECK(sort(x, axis<0>, descending)(0) == 3);
  CHECK(equal(x, x)(2));
  CHECK((exp(x)(2) > 2.7f && max(2, 3) == 3));
}
