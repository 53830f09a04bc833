// SPDX-License-Identifier: Apache-2.0
// Tensors made from braces, extents and vectors; their elements, rows and slices; changes in place.
#include <sinter/nn/space.hpp>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "../catch.hpp"

using namespace sinter;

namespace {

template <auto... D> using f32 = nd::tensor<float, shape<D...>>;
template <auto... D> using i32 = nd::tensor<int, shape<D...>>;
inline constexpr auto batch_name = dim<"batch">;
template <class T> std::string printed(T const& t) {
  std::ostringstream out;
  out << t;
  return out.str();
}
template <class Call> std::string message_of(Call call) {
  try {
    call();
  } catch (shape_error const& e) { return e.what(); }
  return "nothing was thrown";
}
template <class Tensor>
concept has_braces_of_a_rank = requires(Tensor t) { Tensor({2, {2, 64}}); };
template <class To, class From>
concept added_in_place = requires(To t, From f) { t += f; };

}  // namespace

TEST_CASE("extents in braces") {
  static_assert(dims{}.rank == 0 && dims{7}.rank == 1 && dims{2, 3}[1] == 3 && dims{1, 2, 3, 4, 5, 6, 7, 8}.rank == 8);
  static_assert(!has_braces_of_a_rank<f32<batch_name, 64>> && !std::is_convertible_v<int, dims>);
  f32<batch_name, 64> b({32, 64});
  CHECK(b.shape() == dims{32, 64});
  CHECK(std::all_of(b.begin(), b.end(), [](float v) { return v == 0; }));
  std::vector<float> const numbers(128);
  CHECK(f32<dynamic, 64>({numbers.size() / 64, 64}).size() == 128);
  CHECK(f32<dynamic>({5}).size() == 5);
  CHECK(message_of([] { f32<batch_name, 64>({32}); }) == "sinter: a tensor of shape (batch, 64) cannot have the extents (32,)");
  CHECK(message_of([] { f32<batch_name, 64>({32, 63}); }) == "sinter: a tensor of shape (batch, 64) cannot have the extents (32, 63)");
  CHECK(message_of([] { f32<batch_name>({-1}); }) == "sinter: a tensor of shape (batch,) cannot have the extents (-1,)");
  CHECK(message_of([] { f32<batch_name>({1, 1, 1, 1, 1, 1, 1, 1, 1}); }) ==
        "sinter: a tensor of shape (batch,) cannot have the extents (more than eight)");
  CHECK(printed(dims{2, 3}) == "(2, 3)");
}

TEST_CASE("elements in braces") {
  CHECK((f32<2, 3>{{1, 2, 3}, {4, 5, 6}}.to_vector() == f32<2, 3>{1, 2, 3, 4, 5, 6}.to_vector()));
  CHECK((i32<2, 2, 2>{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}(1, 0, 1) == 6));
  CHECK((f32<2, 1>{1, 2}(1, 0) == 2 && f32<1, 2>{{1, 2}}(0, 1) == 2 && f32<3>{{1, 2, 3}}(2) == 3));
  CHECK((i32<1, 1, 1, 2>{{{{1, 2}}}}(0, 0, 0, 1) == 2));
  static_assert(f32<2, 2>{{1, 2}, {3, 4}}(1, 0) == 3);
  CHECK(message_of([] { f32<2, 2>{{1, 2}, {3, 4, 5}}; }) ==
        "sinter: a tensor of shape (2, 2) is given 3 in braces along dimension 1, whose extent is 2");
  CHECK(message_of([] { f32<2, 2>{{1, 2}, {3}}; }).find("1 in braces along dimension 1, whose extent is 2") != std::string::npos);
  CHECK(message_of([] { f32<2, 2>{{1, 2}}; }).find("1 in braces along dimension 0, whose extent is 2") != std::string::npos);
  CHECK(message_of([] { f32<3>{1, 2, 3, 4}; }) == "sinter: a tensor of shape (3,) is given 4 elements");
}

TEST_CASE("counts of elements do not wrap") {
  CHECK(message_of([] { f32<dynamic>::of(1ll << 62); }) ==
        "sinter: a tensor of the extents (4611686018427387904,) has more elements than memory can have");
  constexpr extent many = extent{1} << 32;
  CHECK(message_of([] { f32<dynamic, dynamic>::of(many, many); }).find("more elements than memory") != std::string::npos);
  CHECK(message_of([] { f32<dynamic, dynamic, dynamic>::of(0, many, many); }).find("more elements than memory") != std::string::npos);
  CHECK(f32<dynamic, dynamic>::of(0, many).size() == 0);
  CHECK(message_of([] { f32<dynamic>::of(std::uint64_t{1} << 63); }).find("cannot have the extents") != std::string::npos);
  CHECK(f32<dynamic, 0>::of(5, 0).to_vector().empty());
}

TEST_CASE("elements are walked in row-major order") {
  f32<2, 3> const x{{1, 2, 3}, {4, 5, 6}};
  CHECK((transpose(x).to_vector() == std::vector<float>{1, 4, 2, 5, 3, 6}));
  float all = 0;
  for (float const v : x) all += v;
  CHECK(all == 21);
  for (float& v : x) v *= 2;
  CHECK(x(1, 2) == 12);
  auto const t = transpose(x);
  std::sort(t.begin(), t.end(), std::greater<>{});
  CHECK((t.to_vector() == std::vector<float>{12, 10, 8, 6, 4, 2}));
  CHECK((t.end() - t.begin() == 6 && t.begin()[1] == 10 && *(t.begin() + 5) == 2 && t.begin() < t.end()));
  static_assert(std::random_access_iterator<decltype(x.begin())>);
  CHECK(f32<0, 3>{}.to_vector().empty());
  CHECK((std::accumulate(x.begin(), x.end(), 0.f) == 42));
}

TEST_CASE("from a vector and back") {
  std::vector<float> const v{1, 2, 3, 4, 5, 6};
  CHECK(f32<2, 3>::from(v)(1, 0) == 4);
  CHECK(f32<batch_name, 3>::from(v).shape() == dims{2, 3});
  CHECK(f32<dynamic, dynamic>::from(v, {3, 2})(2, 1) == 6);
  CHECK(f32<dynamic>::from(v).to_vector() == v);
  CHECK((f32<6>(v)(5) == 6 && f32<dynamic>(v).size() == 6));
  CHECK((nd::tensor<bool, shape<2>>::from(std::vector<bool>{true, false}).to_vector() == std::vector<bool>{true, false}));
  CHECK(message_of([&] { f32<2, 2>::from(v); }) == "sinter: a tensor of the extents (2, 2) is given 6 elements");
  CHECK(message_of([&] { f32<batch_name, 4>::from(v); }) ==
        "sinter: a tensor of shape (batch, 4) is given 6 elements, which is no multiple of 4");
  CHECK(message_of([&] { f32<dynamic, dynamic>::from(v); }).find("without saying its extents") != std::string::npos);
}

TEST_CASE("rows and slices are views") {
  f32<3, 2> const x{{1, 2}, {3, 4}, {5, 6}};
  CHECK((x.row(1).to_vector() == std::vector<float>{3, 4} && x.row(-1)(0) == 5));
  x.row(0)(1) = 20;
  CHECK((x(0, 1) == 20 && x.row(0).row(1) == 20));
  CHECK((x.slice(1, 3).shape() == dims{2, 2} && x.slice(1)(1, 1) == 6 && x.slice(-2, -1)(0, 0) == 3));
  CHECK((x.slice(-99).shape() == dims{3, 2} && x.slice(0, -99).size() == 0));
  CHECK((x.slice(5).size() == 0 && x.slice(2, 1).shape() == dims{0, 2} && x.slice(0, 100).shape() == dims{3, 2}));
  CHECK((transpose(x).row(1).to_vector() == std::vector<float>{20, 4, 6}));
  CHECK((transpose(x).slice(1, 2) + 1).to_vector() == std::vector<float>{21, 5, 7});
  CHECK(message_of([&] { x.row(3); }) == "sinter: a tensor of shape (3, 2) has no row 3");
  CHECK(message_of([&] { f32<batch_name, 2>({0, 2}).row(-1); }) == "sinter: a tensor of shape (0, 2) has no row -1");
}

TEST_CASE("in place") {
  f32<2, 2> x{{1, 2}, {3, 4}};
  auto const same = x;
  (x += 1) *= 2;
  CHECK((same.to_vector() == std::vector<float>{4, 6, 8, 10}));
  x -= f32<2>{1, 2};
  x /= x;
  CHECK((x.to_vector() == std::vector<float>{1, 1, 1, 1}));
  x.row(1) += f32<2>{5, 6};
  transpose(x) += f32<2, 1>{10, 20};
  CHECK((x.to_vector() == std::vector<float>{11, 21, 16, 27}));
  x += transpose(x);
  CHECK((x.to_vector() == std::vector<float>{22, 37, 37, 54}));
  f32<batch_name> rows({2});
  f32<2> narrow{1, 16777216};  // a wider dtype of the same kind is converted at last, as NumPy does
  narrow += nd::tensor<double, shape<2>>{0.5, 2.5};
  narrow *= nd::tensor<double, shape<1>>{2};
  CHECK((narrow(0) == 3 && narrow(1) == 33554436));
  nd::tensor<std::int32_t, shape<2>> counts{1, 2};
  counts += nd::tensor<std::int16_t, shape<2>>{-7, 3};
  CHECK((counts(0) == -6 && counts(1) == 5));
  CHECK(message_of([&] { rows += f32<batch_name>({3}); }).find("sinter: add of (2,) and (3,): ") == 0);
  CHECK(message_of([&] { f32<dynamic>({1}) += f32<3>{}; }).find("sinter: add of (1,) and (3,)") == 0);
  static_assert(!added_in_place<f32<2> const, float>);
}

TEST_CASE("one element is a number") {
  f32<1, 1> const one{7};
  CHECK((static_cast<float>(one) == 7 && static_cast<int>(one) == 7 && one.item() == 7));
  CHECK(bool(max(cast(f32<2>{1, 2} > 1, as<int>))));
  CHECK(bool(f32<1>{2}));
  CHECK(f32<dynamic>({1}).item() == 0);
  CHECK(message_of([] { f32<dynamic>({2}).item(); }) == "sinter: item() reads a tensor of one element; this one has shape (2,)");
  static_assert(!std::is_convertible_v<f32<1>, float>);
}

#if SINTER_CHECK_ELEMENTS
TEST_CASE("a place outside is found in debug builds") {
  f32<2, 3> const x;
  CHECK(message_of([&] { x(2, 0); }) == "sinter: a tensor of shape (2, 3) has no element (2, 0)");
  CHECK(message_of([&] { x(0, -1); }) == "sinter: a tensor of shape (2, 3) has no element (0, -1)");
  CHECK(message_of([&] { x[6]; }) == "sinter: a tensor of shape (2, 3) has no element (6)");
}
#endif

TEST_CASE("long arrays and many dimensions are printed as NumPy prints them") {
  CHECK(printed(f32<0, 3>{}) == "[]");
  CHECK(printed(i32<2, 2, 2>{1, 2, 3, 4, 5, 6, 7, 8}) == "[[[1, 2],\n  [3, 4]],\n\n [[5, 6],\n  [7, 8]]]");
  i32<1001> x;
  std::iota(x.begin(), x.end(), 0);
  CHECK(printed(x) == "[   0,    1,    2, ...,  998,  999, 1000]");
  i32<30, 40> y;
  CHECK(printed(y) ==
        "[[0, 0, 0, ..., 0, 0, 0],\n [0, 0, 0, ..., 0, 0, 0],\n [0, 0, 0, ..., 0, 0, 0],\n ...,\n [0, 0, 0, ..., 0, 0, 0],\n"
        " [0, 0, 0, ..., 0, 0, 0],\n [0, 0, 0, ..., 0, 0, 0]]");
  std::string const lines = printed(x.slice(0, 30));
  CHECK(lines.find("17,\n 18") != std::string::npos);
  CHECK(lines.find('\n') <= 76);
}

TEST_CASE("a sign in front of a tensor gives other elements than its own") {
  sinter::nd::tensor<float, sinter::shape<2>> const x{1, -2};
  auto const same = +x;
  auto const other = -x;
  x(0) = 5;
  CHECK(same.to_vector() == std::vector<float>{1, -2});
  CHECK(other.to_vector() == std::vector<float>{-1, 2});
}
