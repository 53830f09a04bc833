// SPDX-License-Identifier: Apache-2.0
// Work beside its physical limit: blocks of both in turn, so that each pair meets the same clock and the same neighbours. The harnesses
// that Debian has time one thing after another, and on a shared machine their quotients move by a tenth.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace bench {

using work = std::function<void()>;
// `run` takes as long as the limit divided by `scale`.
struct limit {
  work run;
  double scale = 1;
};
struct settings {
  std::string only;  // the rows whose id or text begins with it
  int blocks = 61;
  bool fast = false;   // once through everything, for the test
  std::function<void(unsigned)> set_threads = {};
  std::string folder = {};  // where networks are written for bench/peers, instead of being measured
  bool serve = false;  // a block of the first row for each line of the input, as bench/peers asks for
};
inline settings& chosen() {
  static settings s;
  return s;
}

inline double seconds(work const& w, int n) {
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < n; ++i) w();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / n;
}
// How often one block repeats it: for a tenth of a millisecond, or longer.
inline int repeats(work const& w, double at_least = 1e-4) {
  int n = 1;
  // The lesser of two: one may have been interrupted, and a block too short would be all cold.
  while (!chosen().fast && n < 1 << 20 && std::min(seconds(w, n), seconds(w, n)) * n < at_least) n *= 2;
  return n;
}
inline double quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1) + 0.5)];
}

struct row_of {
  double us, limit_us, ratio, spread;
};
// Medians over blocks: of the times, of the quotient within a block, and the middle half of those quotients as a part of it. Of several
// limits the one that takes longest counts.
inline row_of measure(work const& w, std::vector<limit> const& limits) {
  int const n = repeats(w);
  std::vector<int> counts;
  for (limit const& l : limits) counts.push_back(repeats(l.run));
  std::vector<double> own, least, quotient;
  int const blocks = chosen().fast ? 1 : chosen().blocks;
  for (int b = 0; b < blocks; ++b) {
    double bound = 0;
    for (std::size_t i = 0; i < limits.size(); ++i) bound = std::max(bound, seconds(limits[i].run, counts[i]) * limits[i].scale);
    own.push_back(seconds(w, n));
    least.push_back(bound);
    quotient.push_back(own.back() / bound);
  }
  double const middle = quantile(quotient, 0.5);
  return {quantile(own, 0.5) * 1e6, quantile(least, 0.5) * 1e6, middle, (quantile(quotient, 0.75) - quantile(quotient, 0.25)) / middle};
}

// Rows C3 are some of the others on two threads beside one. They need two processors, and the others want to stay on one.
inline bool in_two() { return chosen().only.starts_with("C3"); }
inline constexpr char const* on_two_threads[] = {"seed MLP, 1 row",        "seed MLP, 64 rows",
                                                 "seed MLP, 256 rows",     "8 cheap operations, 1024 Ki elements",
                                                 "GELU, 1024 Ki elements", "softmax, 768 x 64"};

inline bool wanted(std::string const& id, std::string const& what) {
  std::string const& o = chosen().only;
  if (in_two())
    return ("C3 " + what).starts_with(o) &&
           std::find(std::begin(on_two_threads), std::end(on_two_threads), what) != std::end(on_two_threads);
  return o.empty() || id == o || (id + " " + what).starts_with(o);
}
// A row's numbers, as an object on a line of its own.
inline void print(std::string const& id, std::string const& what, row_of const& r) {
  std::printf(R"({"id": "%s", "what": "%s", "us": %.5g, "limit_us": %.5g, "ratio": %.3f, "spread": %.3f})"
              "\n",
              id.c_str(), what.c_str(), r.us, r.limit_us, r.ratio, r.spread);
  std::fflush(stdout);
}
// Both in blocks of their own, of some milliseconds: a helper that sleeps is woken by the first calls.
inline void two_threads(std::string const& what, work const& w) {
  int const n = 40 * repeats(w);
  auto const on = [&](unsigned threads) {
    return [&w, n, threads] {
      chosen().set_threads(threads);
      for (int i = 0; i < n; ++i) w();
    };
  };
  row_of r = measure(on(2), {{on(1)}});
  r.us /= n;
  r.limit_us /= n;
  chosen().set_threads(1);
  print("C3", what + ", 2 threads beside 1", r);
}
inline void row(std::string const& id, std::string const& what, work const& w, std::vector<limit> const& limits) {
  if (!wanted(id, what)) return;
  if (chosen().serve) {
    int const n = repeats(w, 2e-3);
    for (int c = std::getchar(); c != EOF; c = std::getchar()) {
      if (n > 1) w();  // its code and data are in the cache again
      std::printf("%.6g\n", seconds(w, n) * 1e6);
      std::fflush(stdout);
    }
    std::exit(0);
  }
  if (in_two()) return two_threads(what, w);
  print(id, what, measure(w, limits));
}

// Ends the program where a result is not what double precision says, within `tolerance` of the sum of sizes that made it.
inline void check(std::string const& what, double got, double want, double size, double tolerance = 3e-6) {
  if (std::abs(got - want) <= tolerance * std::max(size, 1e-3)) return;
  std::fprintf(stderr, "%s: %.9g where double precision gives %.9g\n", what.c_str(), got, want);
  std::exit(1);
}

}  // namespace bench
