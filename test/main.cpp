// SPDX-License-Identifier: Apache-2.0
// The main function of the tests with Catch2 version 2; version 3 brings its own (Catch2Main), and this file is then empty.
#if !__has_include(<catch2/catch_test_macros.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
