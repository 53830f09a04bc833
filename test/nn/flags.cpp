// SPDX-License-Identifier: Apache-2.0
// The same bits with any flags: list.cmake compiles this file with those that make most of the processor, and flags_plain.cpp without.
#include "flags.hpp"

#include "../catch.hpp"

namespace sinter_plain::flags_test {
struct result {
  std::string name;
  std::vector<std::uint64_t> bits;
};
std::vector<result> plain_results();
}  // namespace sinter_plain::flags_test

TEST_CASE("the same bits with any flags") {
  auto const got = sinter::flags_test::results();
  auto const want = sinter_plain::flags_test::plain_results();
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    REQUIRE(got[i].name == want[i].name);
    REQUIRE(got[i].bits.size() == want[i].bits.size());
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < got[i].bits.size(); ++k) wrong += got[i].bits[k] != want[i].bits[k] ? 1 : 0;
    INFO(got[i].name << ", of " << got[i].bits.size());
    CHECK(wrong == 0);
  }
}
