// SPDX-License-Identifier: Apache-2.0
// The probes themselves: how fast, and whether a second way of measuring finds the same.
#include "rows.hpp"

namespace bench {

static void probe(std::string const& what, char const* unit, double amount, work const& first, work const& second) {
  if (!wanted("P", what)) return;
  row_of const r = measure(first, {{second}});
  char rate[32];
  std::snprintf(rate, sizeof rate, ", %.1f %s", amount / r.us * 1e-3, unit);
  print("P", what + rate, r);
}

void probes() {
  array const a(std::size_t{8} << 20), b(std::size_t{8} << 20);
  std::pair<char const*, std::size_t> const levels[] = {{"L1", 4096}, {"L2", 165000}, {"memory", std::size_t{8} << 20}};
  for (auto const& [name, n] : levels) {
    auto const bytes = static_cast<double>(n * sizeof(float));
    probe(std::string("read ") + name, "GB/s", bytes, [&] { read(a.get(), n); }, [&] { read_again(a.get(), n); });
    probe(std::string("copy ") + name, "GB/s", 2 * bytes, [&] { copy(a.get(), b.get(), n); }, [&] { copy_again(a.get(), b.get(), n); });
  }
  probe("fma", "GFLOP/s", 2.0 * fma_operations * lanes, [] { fma(); }, [&] { fma_again(a.get()); });
}

}  // namespace bench
