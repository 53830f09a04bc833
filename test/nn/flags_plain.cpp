// SPDX-License-Identifier: Apache-2.0
// What flags.cpp is compared with. list.cmake has this file compiled with -ffp-contract=off, and with another name for the namespace, so that
// the linker takes no function of one for the other's.
#define sinter sinter_plain
#include "flags.hpp"

namespace sinter_plain::flags_test {
std::vector<result> plain_results() { return results(); }
}  // namespace sinter_plain::flags_test
