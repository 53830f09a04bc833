// SPDX-License-Identifier: Apache-2.0
// Parts of tensors that indices choose: their shapes as types, their elements beside a loop over Python's slices, and that every kind of
// operation reads them.
#include <sinter/compile/hybridized.hpp>

#include <random>

#include <sys/mman.h>
#include <unistd.h>

#include "../catch.hpp"

using namespace sinter;

namespace {

template <auto... D> using f32 = nd::tensor<float, shape<D...>>;
template <class T, auto... D> inline constexpr bool has_shape = std::is_same_v<typename T::shape_type, shape<D...>>;
using cube = f32<dynamic, dynamic, dynamic>;

cube numbered(dims const& extents) {
  cube x(extents);
  float next = 0;
  for (float& e : x) e = next++;
  return x;
}

// What Python's slice(begin, end, step).indices(n) walks through.
std::vector<std::int64_t> indices_of(index_range r, std::int64_t n) {
  auto const adjusted = [&](std::int64_t i, std::int64_t otherwise) {
    if (i == open) return otherwise;
    if (i < 0) i += n;
    if (i < 0) return r.step < 0 ? std::int64_t{-1} : 0;
    return i >= n ? (r.step < 0 ? n - 1 : n) : i;
  };
  std::int64_t const first = adjusted(r.begin, r.step < 0 ? n - 1 : 0), last = adjusted(r.end, r.step < 0 ? -1 : n);
  std::vector<std::int64_t> all_of_them;
  for (std::int64_t i = first; r.step < 0 ? i > last : i < last; i += r.step) all_of_them.push_back(i);
  return all_of_them;
}

class dice {
 public:
  std::int64_t between(std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(numbers_); }
  std::int64_t end_of_range(std::int64_t n) { return between(0, 4) == 0 ? open : between(-n - 3, n + 3); }
  index_range range_of(std::int64_t n) {
    std::int64_t const step = between(1, 4) * (between(0, 1) ? 1 : -1);
    return range(end_of_range(n), end_of_range(n), step);
  }

 private:
  std::mt19937 numbers_{7};
};

template <class X> void check_operations(X const& part) {
  auto const whole = part.copy();
  REQUIRE(part.to_vector() == whole.to_vector());
  CHECK((part + 1).to_vector() == (whole + 1).to_vector());
  CHECK((part * transpose(part, axes<0, 1, 2>)).to_vector() == (whole * whole).to_vector());
  CHECK(sum(part, axis<1>).to_vector() == sum(whole, axis<1>).to_vector());
  CHECK(max(part, axis<0, 2>).to_vector() == max(whole, axis<0, 2>).to_vector());
  CHECK(softmax(part).to_vector() == softmax(whole).to_vector());
  CHECK(sort(part, axis<1>).to_vector() == sort(whole, axis<1>).to_vector());
  CHECK(reshape(part, into<-1>).to_vector() == whole.to_vector());
  CHECK(transpose(part).to_vector() == transpose(whole).to_vector());
  CHECK(concat(part, whole, axis<2>).to_vector() == concat(whole, whole, axis<2>).to_vector());
  CHECK(matmul(part, transpose(part, axes<0, 2, 1>)).to_vector() == matmul(whole, transpose(whole, axes<0, 2, 1>)).to_vector());
  CHECK(take(part, nd::tensor<int, shape<2>>{1, 0}).to_vector() == take(whole, nd::tensor<int, shape<2>>{1, 0}).to_vector());
  CHECK(where(part > 7, part, -part).to_vector() == where(whole > 7, whole, -whole).to_vector());
  CHECK(cast(part, as<int>).to_vector() == cast(whole, as<int>).to_vector());
}

struct rows_and_columns : nn::hybrid_block<rows_and_columns> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto a = x(all, range<1, 3>);
    auto b = x(nth<-1>, newaxis, ellipsis);
    auto c = x(range<open, open, -1>, nth<0>, newaxis);
    auto d = x(nth<0>, nth<1>);
    auto e = x(ellipsis, newaxis, range<3, open, -2>)(nth<0>, nth<0>, ellipsis);
    return F.concat(F.reshape(a + c, into<-1>), F.reshape(b, into<-1>), F.reshape(d, into<1>), e, axis<0>);
  }
};
struct between_ends : nn::hybrid_block<between_ends> {
  constexpr auto hybrid_forward(auto, auto x) const { return x(range<1, -1>, newaxis, nth<2>); }
};
struct first_row_dropped : nn::hybrid_block<first_row_dropped> {
  BOOST_HANA_DEFINE_STRUCT(first_row_dropped, (nn::dropout<0.5>, drop));
  constexpr auto hybrid_forward(auto, auto x) const { return drop(x(nth<0>)); }
};
struct sliced_by_operations : nn::hybrid_block<sliced_by_operations> {
  constexpr auto hybrid_forward(auto F, auto x) const {
    return F.expand_dims(F.squeeze(F.slice(x, begin<open, 1, 2>, end<open, 2, open>, step<-1, 1, 1>), axis<1>), axis<0>);
  }
};
struct sliced_by_indices : nn::hybrid_block<sliced_by_indices> {
  constexpr auto hybrid_forward(auto, auto x) const { return x(newaxis, range<open, open, -1>, nth<1>, range<2, open>); }
};

constexpr bool constant() {
  f32<3, 4> const x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  return x(nth<1>)(2) == 7 && x(all, range<open, open, -2>)(2, 1) == 10 && x(range(1, 3), 0)(1) == 9;
}
static_assert(constant());

}  // namespace

TEST_CASE("the shape of a part is a type") {
  f32<3, 4, 5> const x;
  static_assert(has_shape<decltype(x(all)), 3, 4, 5> && has_shape<decltype(x(ellipsis)), 3, 4, 5>);
  static_assert(has_shape<decltype(x(nth<0>)), 4, 5> && has_shape<decltype(x(2, all)), 4, 5>);
  static_assert(has_shape<decltype(x(ellipsis, nth<-1>)), 3, 4> && has_shape<decltype(x(nth<1>, ellipsis, nth<2>)), 4>);
  static_assert(has_shape<decltype(x(range<1, 3>)), 2, 4, 5> && has_shape<decltype(x(all, range<-3, open>())), 3, 3, 5>);
  static_assert(has_shape<decltype(x(all, range<open, open, -2>)), 3, 2, 5> && has_shape<decltype(x(range<7, 9>)), 0, 4, 5>);
  static_assert(has_shape<decltype(x(newaxis, ellipsis, newaxis)), 1, 3, 4, 5, 1>);
  static_assert(has_shape<decltype(x(nth<0>, newaxis, nth<0>)), 1, 5> && has_shape<decltype(x(nth<0>, nth<0>, nth<0>))>);
  static_assert(has_shape<decltype(x(all, range(1, 3))), 3, dynamic, 5>);
  static_assert(has_shape<decltype(x(1, 2, ellipsis)), 5> && has_shape<decltype(x(1, 2, 3, ellipsis))>);
  static_assert(has_shape<decltype(x(std::integral_constant<int, 1>{})), 4, 5>);
  using rows = f32<dim<"n">, 4>;
  rows const y({6, 4});
  static_assert(has_shape<decltype(y(all, nth<1>)), dim<"n">> && has_shape<decltype(y(range<1, open>)), dynamic, 4>);
  static_assert(has_shape<decltype(y(nth<1>)), 4> && has_shape<decltype(y(range<open, open>, 1)), dim<"n">>);
  CHECK(y(range<1, open, 2>).shape() == dims{3, 4});
  CHECK(y(range<0, 100>).shape() == dims{6, 4});
}

TEST_CASE("a part shares the elements") {
  f32<2, 3> const x{1, 2, 3, 4, 5, 6};
  auto const column = x(all, 1);
  column(0) = 20;
  CHECK(x(0, 1) == 20);
  CHECK(x(nth<1>).data() == x.data() + 3);
  CHECK(x(range<open, open, -1>, 2).data() == x.data() + 5);
  float const one = x(nth<1>, nth<2>);
  CHECK(one == 6);
  CHECK(x(-1, all).to_vector() == x.row(-1).to_vector());
}

TEST_CASE("parts are those of a loop over Python's slices, and every operation reads them") {
  dice d;
  for (int turn = 0; turn < 250; ++turn) {
    cube const x = numbered({d.between(0, 6), d.between(0, 7), d.between(0, 8)});
    auto const [n, m, k] = std::array{x.shape()[0], x.shape()[1], x.shape()[2]};
    index_range const r[]{d.range_of(n), d.range_of(m), d.range_of(k)};
    auto const a = indices_of(r[0], n), b = indices_of(r[1], m), c = indices_of(r[2], k);
    INFO(to_string(x.shape()) << " " << r[0].begin << ":" << r[0].end << ":" << r[0].step << " " << r[1].begin << ":" << r[1].end << ":"
                              << r[1].step << " " << r[2].begin << ":" << r[2].end << ":" << r[2].step);
    std::vector<float> want, row;
    for (auto const i : a)
      for (auto const j : b)
        for (auto const l : c) want.push_back(x(i, j, l));
    auto const part = x(r[0], r[1], r[2]);
    REQUIRE(part.shape() == dims{a.size(), b.size(), c.size()});
    REQUIRE(part.to_vector() == want);
    CHECK(x(r[0], newaxis, r[1], r[2]).to_vector() == want);
    CHECK(x(r[0], ellipsis)(all, r[1])(ellipsis, r[2]).to_vector() == want);
    if (turn % 10 == 0 && part.size() > 0) check_operations(part);
    if (m == 0) continue;
    std::int64_t const one = d.between(-m, m - 1);
    for (auto const i : a)
      for (auto const l : c) row.push_back(x(i, one < 0 ? one + m : one, l));
    auto const plane = x(r[0], one, r[2]);
    REQUIRE(plane.shape() == dims{a.size(), c.size()});
    REQUIRE(plane.to_vector() == row);
  }
}

// The memory ends with the last element, in front of a page that nobody may read.
template <class T> void check_steps() {
  auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  auto* const pages = static_cast<std::byte*>(::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  REQUIRE(::mprotect(pages + page, page, PROT_NONE) == 0);
  for (std::int64_t n = 1; n < 70; ++n) {
    T* const memory = reinterpret_cast<T*>(pages + page) - n;
    for (std::int64_t i = 0; i < n; ++i) memory[i] = static_cast<T>(i);
    auto const x = nd::tensor<T, shape<dynamic>>::borrow(memory, {n});
    for (std::int64_t const step : {2, 3, -1, -2})
      for (std::int64_t const first : {0, 1}) {
        index_range const r = step > 0 ? range(first, open, step) : range(open, open, step);
        std::vector<T> want;
        for (auto const i : indices_of(r, n)) want.push_back(static_cast<T>(i + 1));
        INFO(n << " elements from " << first << " in steps of " << step);
        REQUIRE((x(r) + T(1)).to_vector() == want);
      }
  }
  ::munmap(pages, 2 * page);
}
TEST_CASE("lines of any length in steps") {
  check_steps<float>();
  check_steps<double>();
  check_steps<std::int32_t>();
}

TEST_CASE("wrong indices of the running program") {
  f32<3, 4> const x;
  CHECK_THROWS_WITH(x(3, all), "sinter: a tensor of shape (3, 4) has no index 3 along dimension 0");
  CHECK_THROWS_WITH(x(all, -5), "sinter: a tensor of shape (3, 4) has no index -5 along dimension 1");
  CHECK_THROWS_WITH(x(newaxis, ellipsis, 4), "sinter: a tensor of shape (3, 4) has no index 4 along dimension 1");
  CHECK_THROWS_WITH(x(range(0, 2, 0)), "sinter: the step of a range is not 0");
  CHECK_THROWS_WITH((f32<dim<"n">, 2>({0, 2})(nth<0>)), "sinter: a tensor of shape (0, 2) has no index 0 along dimension 0");
  CHECK(x(range(0, 3, INT64_MAX)).shape() == dims{1, 4});
  CHECK(x(range(open, open, INT64_MIN)).shape() == dims{1, 4});
  CHECK(x(range(INT64_MIN, INT64_MAX)).shape() == dims{3, 4});
}

TEST_CASE("an element by at() is checked in every build") {
  f32<2, 3> const x{1, 2, 3, 4, 5, 6};
  x.at(1, 2) = 60;
  CHECK(x.at(1, 2) == 60);
  CHECK_THROWS_WITH(x.at(2, 0), "sinter: a tensor of shape (2, 3) has no element (2, 0)");
  CHECK_THROWS_WITH(x.at(0, -1), "sinter: a tensor of shape (2, 3) has no element (0, -1)");
}

TEST_CASE("the same indices in a network") {
  f32<3, 4> const x{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  rows_and_columns const net;
  std::vector<float> const want{11, 12, 11, 12, 11, 12, 9, 10, 11, 12, 2, 4, 2};
  CHECK(net(x).to_vector() == want);
  auto fast = net.hybridize();
  CHECK(fast(x).to_vector() == want);
  CHECK(fast(x(range<open, open, -1>)(range<open, open, -1>)).to_vector() == want);
  f32<dim<"n">, 4> const y(x);
  between_ends const ends;
  CHECK((ends(y).shape() == dims{1, 1} && ends(y).item() == 7));
  CHECK((ends.hybridize()(y).shape() == dims{1, 1} && ends.hybridize()(y).item() == 7));
}

TEST_CASE("indices write the operations that they stand for") {
  using in = shape<2, 3, 4>;
  CHECK(to_string(compiled_t<sliced_by_indices, in>::traced()) == to_string(compiled_t<sliced_by_operations, in>::traced()));
}

TEST_CASE("a part of a tensor in training is in training") {
  f32<2, 64> x;
  x.fill(1);
  first_row_dropped const net;
  CHECK(net(x).to_vector() == std::vector<float>(64, 1));
  CHECK(net(training(x)).to_vector() != std::vector<float>(64, 1));
  CHECK(net.hybridize()(training(x)).to_vector() != std::vector<float>(64, 1));
}
