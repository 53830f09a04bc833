// SPDX-License-Identifier: Apache-2.0
// What the tests of reductions share.
#pragma once
#include "check.hpp"

namespace test {

// Every reduction that T has; argmax where it is defined, over one axis or all of something.
template <bool Argmax = true, class X, class... K> void check_reductions(records const& r, std::string const& tail, X const& x,
                                                                         K const&... keywords) {
  compare<ops::sum>(r, "sum." + tail, x, keywords...);
  compare<ops::max>(r, "max." + tail, x, keywords...);
  if constexpr (std::is_floating_point_v<typename X::value_type>) compare<ops::mean>(r, "mean." + tail, x, keywords...);
  if constexpr (Argmax) compare<ops::argmax>(r, "argmax." + tail, x, keywords...);
}

}  // namespace test
