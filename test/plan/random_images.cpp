// SPDX-License-Identifier: Apache-2.0
// Random graphs over images, whose kernels run together in blocks of image rows wherever they may: -DSINTER_SMALL_IMAGE_BLOCKS=1500, bytes. Here
// networks' runner calls kernels that compute element by element (run_plan.hpp).
#include "image_graph.hpp"

using namespace test;

TEST_CASE("random graphs over images give the values of their operations in blocks of image rows") {
  constexpr unsigned first = 1, count = 3000;
  long const before = plan_runner::image_chains();
  int failed = 0;
  for (unsigned seed = first; seed < first + count && failed < 3; ++seed) {
    random_program const p = image_graph(seed).p;
    std::string const fault = fault_in(p, seed);
    if (fault.empty()) continue;
    ++failed;
    random_program const small = shrunk(p, [&](random_program const& q) { return !fault_in(q, seed).empty(); });
    UNSCOPED_INFO("seed " << seed << ": " << fault << "\n" << as_cpp(small));
  }
  CHECK(failed == 0);
  CHECK(plan_runner::image_chains() - before > count / 5);
}
