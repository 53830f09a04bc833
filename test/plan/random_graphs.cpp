// SPDX-License-Identifier: Apache-2.0
// Ten thousand random networks over every operation, as graphs: each plan is judged, and run it gives the bits of its operations one by one.
// The environment variable SINTER_RANDOM_GRAPHS says how many, SINTER_RANDOM_SEED with which one to begin.
#include "random_graph.hpp"

#include <cstdlib>
#include <iostream>
#include <set>

using namespace test;

namespace {
unsigned number_from(char const* name, unsigned otherwise) {
  char const* const v = std::getenv(name);
  return v ? static_cast<unsigned>(std::strtoul(v, nullptr, 10)) : otherwise;
}
}  // namespace

TEST_CASE("the plans of random networks are sound and give the values of their operations") {
  unsigned const first = number_from("SINTER_RANDOM_SEED", 0), count = number_from("SINTER_RANDOM_GRAPHS", 10000);
  std::set<std::string_view> drawn;
  std::size_t lines = 0;
  int failed = 0;
  for (unsigned seed = first; seed < first + count && failed < 5; ++seed) {
    random_program const p = program_writer(seed, true).p;
    for (line const& l : p.lines)
      if (l.op) {
        drawn.insert(l.op->name);
        ++lines;
      }
    std::string const fault = fault_in(p, seed);
    if (fault.empty()) continue;
    ++failed;
    random_program const small = shrunk(p, [&](random_program const& q) { return !fault_in(q, seed).empty(); });
    std::cout << "seed " << seed << ": " << fault << "\nshrunk: " << fault_in(small, seed) << "\n" << as_cpp(small) << "\n";
  }
  CHECK(failed == 0);
  std::cout << count << " networks of " << lines / count << " operations on average\n";
  if (count >= 1000 && failed == 0) {
    CHECK(plans_in_blocks() >= 5);
    std::cout << updates_of_plans()[0] << " parameters changed where they are, " << updates_of_plans()[1] << " elsewhere\n";
    CHECK(updates_of_plans()[0] > updates_of_plans()[1]);
    for (op_row const& op : every_op()) {
      INFO(op.name);
      CHECK(drawn.count(op.name) == 1);
    }
  }
}
