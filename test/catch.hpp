// SPDX-License-Identifier: Apache-2.0
// Catch2, version 3 or the single header of version 2, whose names tests use.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace Catch {
inline auto Contains(std::string const& part) { return Matchers::ContainsSubstring(part); }
using Matchers::EndsWith;
using Matchers::StartsWith;
}  // namespace Catch
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
