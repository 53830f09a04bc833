// SPDX-License-Identifier: Apache-2.0
// Every row of the bench, or those that begin so: bench.avx512 C10, bench.avx512 "C9 softmax". `--once` runs everything and measures nothing;
// `--write FOLDER C22` writes networks as ONNX files, with inputs and results, for bench/peers.
// One thread, unless SINTER_NUM_THREADS says how many.
#include <cstdlib>
#include <cstring>

#include "rows/rows.hpp"

int main(int count, char** arguments) {
  bench::chosen().set_threads = sinter::simd::set_threads;
  if (std::getenv("SINTER_NUM_THREADS") == nullptr) sinter::simd::set_threads(1);
  for (int i = 1; i < count; ++i)
    if (std::strcmp(arguments[i], "--once") == 0) bench::chosen().fast = true;
    else if (std::strcmp(arguments[i], "--serve") == 0) bench::chosen().serve = true;
    else if (std::strcmp(arguments[i], "--write") == 0 && i + 1 < count) bench::chosen().folder = arguments[++i];
    else bench::chosen().only = arguments[i];
  bench::probes();
  bench::networks();
  bench::convolutions();
  bench::sequences();
  bench::models();
  bench::eager();
  bench::interpreted_plans();
  bench::elementwise();
  bench::rows();
  bench::products();
  bench::gradients();
  bench::training();
}
