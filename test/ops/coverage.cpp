// SPDX-License-Identifier: Apache-2.0
// Every operation that F offers is compared with expected values by some test of this program.
#include "check.hpp"

#include <filesystem>
#include <fstream>

namespace {

// What the headers of the room offer: one line SINTER_OP(name, ...) or SINTER_MATH_OP(name, ...) each.
std::set<std::string> offered_ops() {
  std::set<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(SINTER_SOURCE_DIR "/include/sinter/ops")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      for (std::string_view const begin : {"SINTER_OP(", "SINTER_MATH_OP("})
        if (line.starts_with(begin)) names.insert(line.substr(begin.size(), line.find(',') - begin.size()));
  }
  return names;
}
template <class... Op> std::set<std::string> listed_ops(sinter::ops::list_of<Op...>) { return {std::string(sinter::ops::op_name<Op>)...}; }
std::string unchecked(std::set<std::string> const& names) {
  std::string r;
  for (std::string const& name : names)
    if (!test::checked_ops().contains(name)) r += r.empty() ? name : ", " + name;
  return r;
}

}  // namespace

TEST_CASE("every operation has a reference test") {
  auto const offered = offered_ops();
  CHECK(offered.size() >= 58);
  CHECK(offered.contains("add"));
  CHECK(offered.contains("one_hot"));
  CHECK(unchecked(offered) == "");
}

TEST_CASE("every operation that has a name stands in the list of its header, and so in F") {
  CHECK(offered_ops() == listed_ops(sinter::ops::all_ops{}));
}

TEST_CASE("an operation without a reference test is found") { CHECK(unchecked({"add", "untested", "exp"}) == "untested"); }
