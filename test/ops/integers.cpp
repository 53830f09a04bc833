// SPDX-License-Identifier: Apache-2.0
// Integers that a double cannot hold: as literals, as constants that the compiler folds, and what a dtype is too small for.
#include <sinter/compile/hybridized.hpp>

#include <cmath>
#include <limits>

#include "../catch.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;

namespace {

constexpr std::int64_t odd = 9007199254740993, most = std::numeric_limits<std::int64_t>::max(), least = -most - 1;
constexpr double infinity = std::numeric_limits<double>::infinity();
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

// Whether an operation takes these operands and keywords.
template <class Op, class... A> constexpr bool takes(A const&...) { return ops::call_rule<Op, A...>::ok; }
template <class... Keyword> constexpr bool gives_range(Keyword...) { return takes<ops::arange>(Keyword{}...); }

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
  CHECK(both([](auto, auto y) { return y - 3.4028235677973362e38; }, x)(0) == -std::numeric_limits<float>::max());  // just not halfway
  nd::tensor<double, shape<1>> const d{0};
  CHECK(both([](auto, auto y) { return y + 18446744073709551615ull; }, d)(0) == 18446744073709551616.);
}

TEST_CASE("a literal that floats would round to infinity is an exception, infinity is not") {
  nd::tensor<float, shape<2>> const x{0, 1};
  CHECK_THROWS_WITH(x + 1e300, "sinter: the number 1e+300 beside arrays of float32 is out of their range; F.cast them to a wider dtype");
  CHECK_THROWS_AS(x - 3.5e38, dtype_error);
  CHECK_THROWS_AS(x * -3.4028235677973366e38, dtype_error);
  CHECK_THROWS_AS(where(x > 0, 0.1, 1e300), dtype_error);
  nd::tensor<float, shape<2>> changed{0, 1};
  CHECK_THROWS_AS(changed += 1e300, dtype_error);
  CHECK_THROWS_AS(x + 1e4000L, dtype_error);
  CHECK(both([](auto, auto y) { return y - infinity; }, x)(0) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan((x + std::numeric_limits<double>::quiet_NaN())(0)));
  nd::tensor<double, shape<1>> const d{0};
  CHECK(both([](auto, auto y) { return y + 1e300; }, d)(0) == 1e300);
  CHECK_THROWS_AS(d + 1e4000L, dtype_error);
}

TEST_CASE("a number beside a tensor in a compiled call is in the range of its dtype") {
  auto const plus = [](auto, auto x, auto y) { return x + y; };
  auto const fast = hybridize(plus);
  CHECK(fast(narrow, 2147483647ll)(0) == most32);
  CHECK_THROWS_WITH(fast(narrow, 2147483648ll),
                    "sinter: the number 2147483648 beside arrays of int32 is out of their range; F.cast them to a wider dtype");
  nd::tensor<float, shape<2>> const x{0, 1};
  CHECK_THROWS_AS(fast(x, 1e300), dtype_error);
}

TEST_CASE("a number in a keyword is in the range of the result") {
  CHECK(takes<ops::one_hot>(narrow, depth<3>, values<1e38, 0>));
  CHECK(!takes<ops::one_hot>(narrow, depth<3>, values<1e300, 0>));
  CHECK(!takes<ops::one_hot>(narrow, depth<3>, values<0, -1e300>));
  nd::tensor<float, shape<3>> const row;
  nd::tensor<double, shape<3>> const wide_row;
  CHECK(takes<ops::layer_norm>(row, row, row, eps<1e30>));
  CHECK(!takes<ops::layer_norm>(row, row, row, eps<1e300>));
  CHECK(takes<ops::layer_norm>(wide_row, wide_row, wide_row, eps<1e300>));
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
  CHECK(both([](auto F, auto x) { return F.mod(constant(F, x), -10); }, wide)(0) == -7);
  CHECK(both([](auto F, auto x) { return F.floor_divide(constant(F, x), -10); }, wide)(0) == -900719925474100);
  CHECK(both([](auto F, auto x) { return F.floor_divide(F.zeros_like(x) + least, -1); }, wide)(0) == least);
  CHECK(both([](auto F, auto x) { return F.mod(F.zeros_like(x) + 5, F.zeros_like(x)); }, wide)(0) == 0);
  CHECK(both([](auto F, auto x) { return F.round(F.zeros_like(F.cast(x, as<double>)) + 2.5); }, wide)(0) == 2);
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

TEST_CASE("every number of a range is one of its dtype") {
  // From integers.
  CHECK(gives_range(values<most32 - 1, std::int64_t{most32} + 1>, as<std::int32_t>));
  CHECK(!gives_range(values<most32 - 1, std::int64_t{most32} + 2>, as<std::int32_t>));
  CHECK(gives_range(values<0, std::int64_t{1} << 40, (std::int64_t{1} << 40) - 1>, as<std::int64_t>));
  CHECK(!gives_range(values<0, std::int64_t{1} << 40, (std::int64_t{1} << 40) - 1>, as<std::int32_t>));
  CHECK(!gives_range(values<std::int64_t{least32} - 1, 0>, as<std::int32_t>));
  CHECK(gives_range(values<least32, 0, most32>, as<std::int32_t>));
  CHECK(!gives_range(values<0, std::int64_t{least32} - 2, -1>, as<std::int32_t>));
  // From numbers with a fraction, which is cut off.
  CHECK(!gives_range(values<0.0, 1e10, 1e9>, as<std::int32_t>));
  CHECK(gives_range(values<0.0, 1e10, 1e9>, as<std::int64_t>));
  CHECK(gives_range(values<0.0, 1e10, 1e9>, as<float>));
  CHECK(!gives_range(values<-1e10, 0.0, 1e9>, as<std::int32_t>));
  CHECK(!gives_range(values<0.0, 1e20, 1e19>, as<std::int64_t>));
  CHECK(!gives_range(values<-1e19, 0, 1e19>, as<std::int64_t>));
  CHECK(gives_range(values<2147483647.5, 2147483648.5>, as<std::int32_t>));
  CHECK(!gives_range(values<2147483646.5, 2147483648.5, 1.5>, as<std::int32_t>));
  CHECK(gives_range(values<-2147483648.5, 0, 1e9>, as<std::int32_t>));
  CHECK(!gives_range(values<-2147483649.5, 0, 1e9>, as<std::int32_t>));
  CHECK(gives_range(values<-9223372036854775808., 0, 0x1p62>, as<std::int64_t>));
  CHECK(!gives_range(values<0, 9223372036854777856., 9223372036854775808.>, as<std::int64_t>));
  CHECK(gives_range(values<1e10, 0.0>, as<std::int32_t>));  // it is empty
  auto const r = both([](auto F, auto x) { return F.arange(values<0.0, 4e9, 1e9>, as<std::int64_t>) + F.take(x, 0); }, wide);
  CHECK(r(3) == 3000000000);
  auto const ends = both(
      [](auto F, auto x) { return F.arange(values<-2147483648.5, 2147483647.9, 4294967295.>, as<std::int32_t>) + F.take(x, 0); }, narrow);
  CHECK((ends(0) == least32 && ends(1) == 2147483646));
}

}  // namespace test
