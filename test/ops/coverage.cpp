// SPDX-License-Identifier: Apache-2.0
// Every operation of F is compared with expected values: by some test of this program, so that ops/recorded has cases of it, or by rows of make.py.
#include <fstream>

#include "check.hpp"

namespace {

std::set<std::string> operations_with_rows() {
  std::set<std::string> r;
  std::ifstream file(SINTER_SOURCE_DIR "/test/data/ops/cases.txt");
  for (std::string line; std::getline(file, line);) r.insert(line.substr(0, line.find(' ')));
  return r;
}
template <class... Op> std::string unchecked(sinter::ops::list_of<Op...>) {
  std::set<std::string> const rows = operations_with_rows();
  std::string r;
  for (std::string_view const name : {sinter::ops::op_name<Op>...})
    if (!test::checked_ops().contains(name) && !rows.contains(std::string(name))) r += (r.empty() ? "" : ", ") + std::string(name);
  return r;
}

}  // namespace

TEST_CASE("every operation has a reference test") { CHECK(unchecked(sinter::ops::all_ops{}) == ""); }
