// SPDX-License-Identifier: Apache-2.0
// Text that constant expressions put together.
#include <sinter/core/letters.hpp>

#include <limits>

#include "../catch.hpp"

using sinter::in_digits;
using sinter::in_words;
using sinter::letters;

namespace {
constexpr auto least = std::numeric_limits<std::int64_t>::min();
constexpr bool grows() {
  letters r = "a";
  for (int i = 0; i < 30; ++i) r += "bc";
  letters const before = r;
  r += before + '-' + std::string_view("de");
  return before.size() == 61 && r.size() == 2 * 61 + 3 && r.view().ends_with("bc-de") && !(r == before);
}
constexpr bool counts() {
  letters r;
  r << "n " << 0 << ' ' << -12 << ' ' << std::int64_t{1234567890123};
  return r == letters("n 0 -12 1234567890123") && in_digits(least).view() == "-9223372036854775808";
}
static_assert(grows() && counts());

struct number_as_constant {
  char s[17]{};
  constexpr explicit number_as_constant(double v) {
    letters const r = in_words(v);
    for (int i = 0; i < 17; ++i) s[i] = r.view()[static_cast<std::size_t>(i)];
  }
};
}  // namespace

TEST_CASE("text grows at both clocks") { CHECK((grows() && counts())); }
TEST_CASE("a number that a constant holds is written when the program runs") {
  constexpr number_as_constant tenth{0.1}, tiny{-1e-300}, infinite{std::numeric_limits<double>::infinity()};
  auto const text = [](number_as_constant const& n) { return sinter::with_numbers({n.s, 17}); };
  CHECK(text(tenth) == "0.1");
  CHECK(text(tiny) == "-1e-300");
  CHECK(text(infinite) == "inf");
  CHECK(sinter::with_numbers("a" + std::string(tenth.s, 17) + ", b") == "a0.1, b");
  CHECK(in_words(0.1).view() == "0.1");
}
