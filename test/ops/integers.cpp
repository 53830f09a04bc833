// SPDX-License-Identifier: Apache-2.0
// Integers that a double cannot hold: as literals, as constants that the compiler folds, and what a dtype is too small for.
#include <sinter/nn/hybridized.hpp>

#include <limits>

#include "../catch.hpp"

using namespace sinter;

namespace {

constexpr std::int64_t odd = 9007199254740993, most = std::numeric_limits<std::int64_t>::max(), least = -most - 1;
constexpr std::int32_t most32 = std::numeric_limits<std::int32_t>::max(), least32 = -most32 - 1;
// Rounded to float it is 2^54 + 2^31; rounded to double first, 2^54.
constexpr std::int64_t twice_rounded = (std::int64_t{1} << 54) + (std::int64_t{1} << 30) + 1;

nd::tensor<std::int64_t, shape<5>> const wide{0, 1, odd, most, least};
nd::tensor<std::int32_t, shape<4>> const narrow{0, -1, most32, least32};

// Eager and compiled results of a function, element for element.
template <class Function, class X> auto both(Function f, X const& x) {
  auto const eager = f(space_of(x), x), compiled = hybridize(f)(x);
  STATIC_REQUIRE(std::is_same_v<decltype(eager), decltype(compiled)>);
  for (extent i = 0; i < eager.size(); ++i) CHECK(eager[i] == compiled[i]);
  return eager;
}

constexpr auto constant = [](auto F, auto x) { return F.zeros_like(x) + odd; };

}  // namespace

TEST_CASE("a literal beside int64 is exact") {
  auto const more = both([](auto, auto x) { return x + odd; }, wide);
  CHECK(more(0) == odd);
  CHECK(more(1) == odd + 1);
  auto const same = both([](auto, auto x) { return x == odd; }, wide);
  CHECK(same(2));
  CHECK(!same(0));
  auto const highest = both([](auto, auto x) { return x == most; }, wide), lowest = both([](auto, auto x) { return x == least; }, wide);
  CHECK((highest(3) && !highest(4) && lowest(4) && !lowest(3)));
  auto const capped = both([](auto F, auto x) { return F.minimum(x, most - 1); }, wide);
  CHECK(capped(3) == most - 1);
  CHECK(both([](auto, auto x) { return x + 1ull; }, wide)(2) == odd + 1);
}

TEST_CASE("a literal beside int32 has all of its range") {
  auto const highest = both([](auto, auto x) { return x == 2147483647ll; }, narrow);
  auto const lowest = both([](auto, auto x) { return x == -2147483648ll; }, narrow);
  CHECK((highest(2) && !highest(3) && lowest(3) && !lowest(2)));
  CHECK(both([](auto, auto x) { return x + least32; }, narrow)(0) == least32);
}

TEST_CASE("a literal that its dtype cannot hold is an exception") {
  CHECK_THROWS_AS(narrow + 2147483648ll, dtype_error);
  CHECK_THROWS_AS(narrow == -2147483649ll, dtype_error);
  CHECK_THROWS_AS(maximum(narrow, 4294967295u), dtype_error);
  CHECK_THROWS_AS(wide + 9223372036854775808ull, dtype_error);
  CHECK_THROWS_WITH(narrow + 2147483648ll,
                    "sinter: the number 2147483648 beside arrays of int32 is out of their range; F.cast them to a wider dtype");
}

TEST_CASE("a literal beside floats is rounded once") {
  nd::tensor<float, shape<1>> const x{0};
  CHECK(both([](auto, auto y) { return y + twice_rounded; }, x)(0) == static_cast<float>(twice_rounded));
  CHECK(both([](auto, auto y) { return y + 18446744073709551615ull; }, x)(0) == 18446744073709551616.F);
  CHECK(both([](auto, auto y) { return y + 1e300; }, x)(0) == std::numeric_limits<float>::infinity());
  CHECK(both([](auto, auto y) { return y - 3.5e38; }, x)(0) == -std::numeric_limits<float>::infinity());
  nd::tensor<double, shape<1>> const d{0};
  CHECK(both([](auto, auto y) { return y + 18446744073709551615ull; }, d)(0) == 18446744073709551616.);
}

TEST_CASE("numbers alone take the widest of their kinds") {
  nd::tensor<bool, shape<2>> const c{true, false};
  auto const mixed = both([](auto F, auto x) { return F.where(x, 1, 2.5); }, c);
  STATIC_REQUIRE(std::is_same_v<decltype(mixed), nd::tensor<float, shape<2>> const>);
  CHECK((mixed(0) == 1 && mixed(1) == 2.5F));
  auto const large = both([](auto F, auto x) { return F.where(x, odd, 0); }, c);
  STATIC_REQUIRE(std::is_same_v<decltype(large), nd::tensor<std::int64_t, shape<2>> const>);
  CHECK(large(0) == odd);
  auto const small = both([](auto F, auto x) { return F.where(x, 1, 0); }, c);
  STATIC_REQUIRE(std::is_same_v<decltype(small), nd::tensor<std::int32_t, shape<2>> const>);
}

TEST_CASE("an index that is a literal keeps its bits") {
  nd::tensor<float, shape<3>> const x{1, 2, 3};
  CHECK(both([](auto F, auto y) { return F.take(y, 4294967296); }, x).item() == 3);  // clipped, as any index out of range
}

TEST_CASE("constants are folded as kernels compute them") {
  CHECK(both([](auto F, auto x) { return F.cast(constant(F, x), as<double>); }, wide)(0) == 9007199254740992.);
  CHECK(both([](auto F, auto x) { return F.cast(F.zeros_like(x) + twice_rounded, as<float>); }, wide)(0) ==
        static_cast<float>(twice_rounded));
  CHECK(both([](auto F, auto x) { return F.cast(constant(F, x), as<std::int32_t>) + 0; }, wide)(0) == 1);
  CHECK(both([](auto F, auto x) { return F.cast(constant(F, x), as<bool>); }, wide)(0));
  CHECK(both([](auto F, auto x) { return F.cast(F.zeros_like(x) + most, as<std::int64_t>); }, wide)(0) == most);
  CHECK(both([](auto F, auto x) { return F.cast(F.zeros_like(x) + least, as<double>); }, wide)(0) == -9223372036854775808.);
  CHECK(both([](auto F, auto x) { return constant(F, x) * 3 - constant(F, x); }, wide)(0) == 2 * odd);
  CHECK(both([](auto F, auto x) { return F.cast(F.zeros_like(x) + most32, as<float>); }, narrow)(0) == 2147483648.F);
}

TEST_CASE("a range of large integers") {
  auto const r = both([](auto F, auto x) { return F.arange(values<odd, odd + 6, 2>, as<std::int64_t>) + F.take(x, 0); }, wide);
  STATIC_REQUIRE(std::is_same_v<decltype(r), nd::tensor<std::int64_t, shape<3>> const>);
  CHECK((r(0) == odd && r(1) == odd + 2 && r(2) == odd + 4));
  auto const down = arange(values<most, most - 3, -1>, as<std::int64_t>);
  CHECK((down(0) == most && down(2) == most - 2));
  auto const span = arange(values<least, most, most>, as<std::int64_t>);
  STATIC_REQUIRE(decltype(span)::shape_type::value.d[0] == 3);
  CHECK((span(0) == least && span(1) == -1 && span(2) == most - 1));
  auto const long_one = arange(values<odd, odd + 1000>, as<std::int64_t>);  // longer than what is folded
  CHECK(long_one(999) == odd + 999);
  auto const hot = both([](auto F, auto x) { return F.one_hot(x, depth<2>, values<odd, most>, as<std::int64_t>); }, wide);
  CHECK((hot(0, 0) == odd && hot(0, 1) == most && hot(2, 0) == most));
}
