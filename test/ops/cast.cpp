// SPDX-License-Identifier: Apache-2.0
// Casts between all dtypes.
#include "check.hpp"

namespace test {  // not the global one: nvcc puts its own mathematics there, behind this file

using namespace sinter;
namespace ops = sinter::ops;

namespace {

template <class From, class To> void check_cast(test::records const& r) {
  constexpr bool safe = std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>;
  auto const x = r.get<From, shape<101>>(safe ? "cast.safe" : "cast.x");
  auto const want = r.get<test::wanted<To>, shape<101>>("cast." + std::string(name_of(dtype_of<To>)));
  INFO("from " << name_of(dtype_of<From>));
  test::in_main_layouts([](auto const& in, auto const& wanted) { test::expect(test::mismatch<ops::cast>(cast(in, as<To>), wanted)); }, x,
                        want);
}

}  // namespace

TEMPLATE_TEST_CASE("casts", "", NUMBERS, bool) {
  test::records const r("logic", dtype_of<TestType>);
  check_cast<TestType, float>(r);
  check_cast<TestType, double>(r);
  check_cast<TestType, std::int32_t>(r);
  check_cast<TestType, std::int64_t>(r);
  check_cast<TestType, bool>(r);
}

}  // namespace test
