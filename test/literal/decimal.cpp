// SPDX-License-Identifier: Apache-2.0
// Decimal numbers in constant expressions are those of std::from_chars, bit for bit.
#include <sinter/literal/decimal.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "../catch.hpp"

using sinter::literal::real_in;

static_assert(real_in("1e-05") == 1e-05);
static_assert(real_in("-0.0010000000474974513") == -0.0010000000474974513);
static_assert(real_in("3.4028234663852886e+38") == 3.4028234663852886e+38);
static_assert(real_in("9007199254740993") == 9007199254740992.0 && real_in("9007199254740995.") == 9007199254740996.0);
static_assert(real_in("-inf") == -std::numeric_limits<double>::infinity());
static_assert(!real_in("") && !real_in("-") && !real_in("1.2.3") && !real_in("1e") && !real_in("0x1") && !real_in("nan") && !real_in("1 "));
// Decimal numbers that are too long or too large to be read.
using sinter::literal::is_decimal;
static_assert(is_decimal("-1.5e-400") && is_decimal(".5") && is_decimal("5.") &&
              is_decimal("123456789012345678901234567890123456789012345"));
static_assert(!is_decimal("") && !is_decimal("-") && !is_decimal(".") && !is_decimal("1e") && !is_decimal("e1") && !is_decimal("1.2.3"));
static_assert(!is_decimal("nan") && !is_decimal("1 ") && !is_decimal("(1,)"));

TEST_CASE("decimal numbers") {
  std::mt19937_64 random(1);
  auto const check = [](std::string const& s) {
    double want = 0;
    std::from_chars(s.data(), s.data() + s.size(), want);
    auto const got = real_in(s);
    INFO(s);
    REQUIRE(got);
    CHECK(std::bit_cast<std::uint64_t>(*got) == std::bit_cast<std::uint64_t>(want));
  };
  for (int i = 0; i < 3000; ++i) {
    char digits[64];
    double const v = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 220) - 160);
    std::snprintf(digits, sizeof digits, "%.*g", static_cast<int>(random() % 30) + 1, v);
    check(digits);
    check(std::to_string((std::uint64_t{1} << 52) + random() % 1000) + ".5");  // between two doubles
    check(std::to_string((std::uint64_t{1} << 53) + random() % 1000));
  }
}
