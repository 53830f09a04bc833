// SPDX-License-Identifier: Apache-2.0
// Operations with named dimensions: this program calls them with a name for each extent, see check.hpp.
#include "check.hpp"

namespace test {

TEST_CASE("names take the place of numbers") {
  using namespace sinter;
  auto const x = with_names(nd::tensor<float, shape<2, 1, 12>>{});
  static_assert(std::is_same_v<decltype(x)::shape_type, shape<dim<"n2">, 1, dim<"n21">>>);
  auto const y = sum(softmax(transpose(x)), axis<1>);
  static_assert(std::is_same_v<decltype(y)::shape_type, shape<dim<"n21">, dim<"n2">>>);
  CHECK(y.shape() == dims{12, 2});
}

}  // namespace test
