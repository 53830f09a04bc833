// SPDX-License-Identifier: Apache-2.0
// Long rows, which teams share: their sums beside sums in double, all other results exact, and the same bits wherever the numbers lie.
#include <sinter/thrust.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "../../bits.hpp"
#include "../../catch.hpp"

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace device = sinter::device;
using sinter::axes;
using sinter::axis;
using sinter::dims;
using sinter::keepdims;

namespace {

template <class T, int Rank> struct array_of;
template <class T> struct array_of<T, 1> {
  using type = nd::tensor<T, sinter::shape<sinter::dynamic>>;
};
template <class T> struct array_of<T, 2> {
  using type = nd::tensor<T, sinter::shape<sinter::dynamic, sinter::dynamic>>;
};
template <class T> struct array_of<T, 3> {
  using type = nd::tensor<T, sinter::shape<sinter::dynamic, sinter::dynamic, sinter::dynamic>>;
};
// Steps before and behind a sum; a step that is written, too; and one whose elements wait for the sum, so that no team shares its rows.
struct distance : nn::hybrid_block<distance> {
  BOOST_HANA_DEFINE_STRUCT(distance);
  constexpr auto hybrid_forward(auto F, auto a, auto b) const { return F.sqrt(F.mean(F.square(a - b), axis<1>)); }
};
struct doubled : nn::hybrid_block<doubled> {
  BOOST_HANA_DEFINE_STRUCT(doubled);
  constexpr auto hybrid_forward(auto F, auto a) const {
    auto const b = a * 2;
    return std::tuple{b, F.sum(b, axis<1>)};
  }
};
struct centred : nn::hybrid_block<centred> {
  BOOST_HANA_DEFINE_STRUCT(centred);
  constexpr auto hybrid_forward(auto F, auto a) const { return a - F.mean(a, axis<1>, keepdims); }
};

// Numbers between -1 and 1 whose order matters to their sum; integers small enough for an exact one.
template <class T, int Rank> typename array_of<T, Rank>::type numbers(dims const& extents, std::uint64_t seed = 1) {
  typename array_of<T, Rank>::type x(extents);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    double const u = sinter::uniform_number(seed, static_cast<std::uint64_t>(i));
    x.data()[i] = std::is_floating_point_v<T> ? static_cast<T>(2 * u - 1) : static_cast<T>(u * 1000);
  }
  return x;
}
// The sums over the axes whose bits are set, in long double, and how far a sum of so many numbers may be from them: 256 roundings of the root of their magnitudes.
template <class X> void check_sums(X const& x, auto const& got, unsigned over) {
  dims const s = x.shape();
  std::int64_t rows = 1;
  for (int i = 0; i < s.rank; ++i)
    if (!(over >> i & 1)) rows *= s.d[i];
  std::vector<long double> want(static_cast<std::size_t>(rows)), magnitude(want);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    std::int64_t row = 0, rest = i, step = 1;
    for (int k = s.rank - 1; k >= 0; --k) {
      std::int64_t const at = rest % s.d[k];
      rest /= s.d[k];
      if (over >> k & 1) continue;
      row += at * step;
      step *= s.d[k];
    }
    want[static_cast<std::size_t>(row)] += static_cast<long double>(x.data()[i]);
    magnitude[static_cast<std::size_t>(row)] += std::abs(static_cast<long double>(x.data()[i]));
  }
  auto const v = got.to_vector();
  REQUIRE(v.size() == want.size());
  using T = typename X::value_type;
  long double const rounding = std::is_floating_point_v<T> ? 256 * static_cast<long double>(std::numeric_limits<T>::epsilon()) : 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    wrong += !(std::abs(static_cast<long double>(v[i]) - want[i]) <= rounding * std::sqrt(magnitude[i]));
  CHECK(wrong == 0);
}
template <class Call> std::int64_t launches_of(Call const& call) {
  std::int64_t const before = device::gpu.launches();
  call();
  return device::gpu.launches() - before;
}
// Rows of any length and number: enough teams, none too small, and all elements once.
constexpr bool are_parts_of(std::int64_t rows, std::int64_t count, bool across, std::int64_t wanted) {
  sinter::gpu::parts_of_row const p(rows, count, across);
  return p.n == wanted && (p.n == 1 || ((p.n - 1) * p.each < count && count <= p.n * p.each && p.each >= (across ? 256 : 4096)));
}
static_assert(are_parts_of(1, 8191, false, 1) && are_parts_of(1, 8192, false, 2) && are_parts_of(1, 511, true, 1) &&
              are_parts_of(1, 512, true, 2));
static_assert(are_parts_of(1, std::int64_t{1} << 31, false, 2048) && are_parts_of(1, (std::int64_t{1} << 42) + 1, false, 2048));
static_assert(are_parts_of(64, 1 << 20, true, 2048) && are_parts_of(std::int64_t{1} << 33, 1 << 20, false, 1) &&
              are_parts_of(0, 9000, false, 1));
static_assert(are_parts_of(1024, 1 << 20, false, 2) && are_parts_of(1025, 1 << 20, false, 1) && are_parts_of(3, 0, true, 1));

// Elements that wait for a sum, along a row and down a column.
template <int Axis> struct centred_along : nn::hybrid_block<centred_along<Axis>> {
  BOOST_HANA_DEFINE_STRUCT(centred_along);
  constexpr auto hybrid_forward(auto F, auto a) const { return a - F.mean(a, axis<Axis>, keepdims); }
};

auto there(auto const& x) { return x.to(device::gpu); }
auto here(auto const& x) { return x.to(device::cpu); }

}  // namespace

TEMPLATE_TEST_CASE("sums of long rows", "", float, double, std::int32_t, std::int64_t) {
  using T = TestType;
  for (std::int64_t const n : {8191, 8192, 8193, 100000, (1 << 20) + 3}) {
    auto const x = numbers<T, 1>({n});
    INFO(n << " numbers");
    CHECK(launches_of([&] { (void)sinter::sum(there(x)); }) == (n < 8192 ? 1 : 2));
    check_sums(x, here(sinter::sum(there(x))), 1);
  }
  auto const wide = numbers<T, 2>({3, 70001}), tall = numbers<T, 2>({60007, 5});
  check_sums(wide, here(sinter::sum(there(wide), axis<1>)), 2);
  check_sums(wide, here(sinter::sum(there(wide))), 3);
  CHECK(launches_of([&] { (void)sinter::sum(there(tall), axis<0>); }) == 2);
  check_sums(tall, here(sinter::sum(there(tall), axis<0>)), 1);
  check_sums(tall, here(sinter::sum(there(tall), axis<1>)), 2);
  auto const deep = numbers<T, 3>({130, 3, 140});
  CHECK(launches_of([&] { (void)sinter::sum(there(deep), axes<0, 2>); }) == 2);
  check_sums(deep, here(sinter::sum(there(deep), axes<0, 2>)), 5);
  check_sums(deep, here(sinter::sum(there(deep), axes<0, 1>, keepdims)), 3);
  check_sums(deep, here(sinter::sum(there(deep), axis<1>)), 2);
}
TEST_CASE("a sum has the same bits wherever its numbers lie, and in every call") {
  auto const x = numbers<float, 1>({300001});
  auto const want = here(sinter::sum(there(x)));
  for (int offset : {1, 2, 3, 7}) {
    nd::tensor<float, sinter::shape<sinter::dynamic>> more({x.size() + offset});
    for (std::int64_t i = 0; i < x.size(); ++i) more.data()[i + offset] = x.data()[i];
    auto const part = there(more)(sinter::range(offset, sinter::open));
    CHECK(test::same_bits(*here(sinter::sum(part)).data(), *want.data()));
  }
}
TEST_CASE("what else long rows give is exact") {
  auto x = numbers<float, 2>({2, 200000});
  float const nan = std::numeric_limits<float>::quiet_NaN();
  x.data()[123456] = 5;
  x.data()[150000] = 5;
  x.data()[200000 + 9] = -5;
  x.data()[200000 + 180000] = -5;
  auto const y = there(x);
  CHECK(here(sinter::max(y, axis<1>)).to_vector()[0] == 5);
  CHECK(here(sinter::min(y, axis<1>)).to_vector()[1] == -5);
  CHECK(here(sinter::argmax(y, axis<1>)).to_vector()[0] == 123456);
  CHECK(here(sinter::argmin(y, axis<1>)).to_vector()[1] == 9);
  CHECK(here(sinter::argmax(y)).to_vector()[0] == 123456);
  x.data()[199999] = nan;
  x.data()[170000] = nan;
  auto const z = there(x);
  CHECK(std::isnan(here(sinter::max(z, axis<1>)).to_vector()[0]));
  CHECK(here(sinter::argmax(z, axis<1>)).to_vector()[0] == 170000);
  CHECK(std::isnan(here(sinter::sum(z, axis<1>)).to_vector()[0]));
  CHECK_FALSE(std::isnan(here(sinter::sum(z, axis<1>)).to_vector()[1]));

  // Part after part: a number behind one that is none.
  x.data()[10] = nan;
  CHECK(here(sinter::argmax(there(x), axis<1>)).to_vector()[0] == 10);
  CHECK(here(sinter::argmin(there(x), axis<1>)).to_vector()[0] == 10);

  auto tall = numbers<float, 2>({200000, 2});
  tall.data()[2 * 777] = 7;
  tall.data()[2 * 190000] = 7;
  CHECK(here(sinter::argmax(there(tall), axis<0>)).to_vector()[0] == 777);
  CHECK(here(sinter::max(there(tall), axis<0>)).to_vector()[0] == 7);
}
TEST_CASE("sums whose elements wait for them, of any length") {
  // 2^24 ones and more: one thread that adds one after the other would stop there.
  std::int64_t const n = (std::int64_t{1} << 24) + (1 << 20);
  nd::tensor<float, sinter::shape<sinter::dynamic, sinter::dynamic>> row({1, n}), columns({n, 2});
  row.fill(1), columns.fill(1);
  auto const along = here(centred_along<1>{}.hybridize()(there(row)));
  auto const down = here(centred_along<0>{}.hybridize()(there(columns)));
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < n; ++i) wrong += along.data()[i] != 0 || down.data()[2 * i] != 0 || down.data()[2 * i + 1] != 0;
  CHECK(wrong == 0);
  CHECK(*here(sinter::sum(there(row))).data() == static_cast<float>(n));
  CHECK(here(sinter::sum(there(columns), axis<0>)).to_vector()[1] == static_cast<float>(n));

  auto const x = numbers<float, 2>({1, 1000000}, 7);
  auto const soft = here(sinter::softmax(there(x), axis<1>));
  long double sum = 0, worst = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) sum += std::exp(static_cast<long double>(x.data()[i]));
  for (std::int64_t i = 0; i < x.size(); ++i) {
    long double const want = std::exp(static_cast<long double>(x.data()[i])) / sum, error = std::abs(soft.data()[i] - want) / want;
    if (error > worst) worst = error;
  }
  CHECK(worst < 4e-6L);
}
TEST_CASE("many parts of a row, and rows that are neighbours in memory") {
  auto const tall = numbers<float, 2>({300001, 2}, 5);  // 1171 parts of each column
  CHECK(launches_of([&] { (void)sinter::sum(there(tall), axis<0>); }) == 2);
  check_sums(tall, here(sinter::sum(there(tall), axis<0>)), 1);
  auto const some = numbers<float, 2>({3000, 2}, 6);  // long as columns, not as rows
  CHECK(launches_of([&] { (void)sinter::sum(there(some), axis<0>); }) == 2);
  auto const turned = numbers<float, 2>({2, 3000}, 6);
  CHECK(launches_of([&] { (void)sinter::sum(there(turned), axis<1>); }) == 1);
  auto const deep = numbers<float, 3>({2, 3000, 3}, 6);
  CHECK(launches_of([&] { (void)sinter::sum(there(deep), axis<1>); }) == 2);
  check_sums(deep, here(sinter::sum(there(deep), axis<1>)), 2);
}
TEST_CASE("long rows with steps before and behind their sums") {
  auto const x = numbers<float, 2>({2, 50000}, 3), y = numbers<float, 2>({2, 50000}, 4);
  auto const fast = distance{}.hybridize();
  auto const got = here(fast(there(x), there(y)));
  CHECK(launches_of([&] { (void)fast(there(x), there(y)); }) == 2);
  auto const [twice, sums] = doubled{}.hybridize()(there(x));
  auto const minus = here(centred{}.hybridize()(there(x)));
  auto const all = here(twice).to_vector(), of_rows = here(sums).to_vector();
  for (std::int64_t row = 0; row < 2; ++row) {
    double squares = 0, sum = 0;
    for (std::int64_t i = row * 50000; i < (row + 1) * 50000; ++i) {
      double const a = x.data()[i], b = y.data()[i];
      squares += (a - b) * (a - b);
      sum += a;
      if (all[static_cast<std::size_t>(i)] != x.data()[i] * 2) FAIL("element " << i);
    }
    CHECK(std::abs(got.to_vector()[static_cast<std::size_t>(row)] - std::sqrt(squares / 50000)) < 1e-5);
    CHECK(std::abs(of_rows[static_cast<std::size_t>(row)] - 2 * sum) < 1e-3);
    CHECK(std::abs(minus.data()[row * 50000] - (x.data()[row * 50000] - sum / 50000)) < 1e-5);
  }
}
