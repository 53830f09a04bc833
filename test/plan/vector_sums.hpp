// SPDX-License-Identifier: Apache-2.0
// The order of additions of the kernels on vectors, one number after the other: what backend/xsimd says of it, written down again.
#pragma once
#include "../passes/plans.hpp"

#include <cmath>
#include <vector>

namespace test {

struct vector_sums {
  int lanes = 0;       // of float; 0: one element after the other
  bool fused = false;  // a product and its sum are rounded once
  // An operation that is not exact, as vectors compute it.
  std::uint64_t (*function)(op_info const* op, dtype t, std::uint64_t const* in) = nullptr;
  // The operation's own order of what is equal and not the same: zeros.
  bits (*sort)(dtype t, ops::sort::attributes const& a, bits const& from, dims const& s) = nullptr;

  // ---- reductions: four vectors in turn; then the first two, the last two, and both; then the upper half of the lanes to the lower

  template <class Op, class T> std::uint64_t fold(reduction_state const& s, std::int64_t line, bool across) const {
    auto const width = static_cast<std::size_t>(across ? 1 : lanes);
    std::vector<T> total[4];
    for (auto& t : total) t.assign(width, Op::template start<T>());
    std::size_t turn = 0;
    auto const n = static_cast<std::int64_t>(s.taken.size());
    for (std::int64_t from = 0; from < n;) {
      std::int64_t const left = across ? 1 : line - from % line, some = std::min(left, static_cast<std::int64_t>(width));
      auto& t = total[turn++ % 4];
      for (std::size_t i = 0; i < width; ++i)
        t[i] = Op::combine(t[i], static_cast<std::int64_t>(i) < some ? element_of<T>(s.taken[static_cast<int>(from) + static_cast<int>(i)])
                                                                     : Op::template start<T>());
      from += some;
    }
    std::vector<T> all(width);
    for (std::size_t i = 0; i < width; ++i)
      all[i] = Op::combine(Op::combine(total[turn % 4][i], total[(turn + 1) % 4][i]),
                           Op::combine(total[(turn + 2) % 4][i], total[(turn + 3) % 4][i]));
    for (std::size_t half = width / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) all[i] = Op::combine(all[i], all[i + half]);
    T const v = Op::finish(all[0], n);
    if constexpr (std::is_floating_point_v<T>) return std::bit_cast<std::uint64_t>(static_cast<double>(v));
    else return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
  }
  std::uint64_t finish(reduction_state const& s, std::int64_t line, bool across) const {
    return with_computed_type(s.type, [&]<class T>(T*) -> std::uint64_t {
      if constexpr (!std::is_same_v<T, bool>) {
        if (s.op == &ops::info<ops::sum>) return fold<ops::sum, T>(s, line, across);
        if (s.op == &ops::info<ops::mean>) return fold<ops::mean, T>(s, line, across);
        if (s.op == &ops::info<ops::max>) return fold<ops::max, T>(s, line, across);
        if (s.op == &ops::info<ops::min>) return fold<ops::min, T>(s, line, across);
        if (s.op == &ops::info<ops::prod>) return fold<ops::prod, T>(s, line, across);
      }
      return s.finish();
    });
  }

  // ---- products

  struct matrix {
    std::int64_t m = 0, n = 0, k_stride = 0, n_stride = 0;
  };
  template <class T> T add(T x, T y, T sum) const { return fused ? std::fma(x, y, sum) : math::mul(x, y) + sum; }
  template <class T> T chain(std::vector<T> const& x, std::vector<T> const& y, std::size_t first, std::size_t step) const {
    T sum = 0;
    for (std::size_t k = first; k < x.size(); k += step) sum = add(x[k], y[k], sum);
    return sum;
  }
  // A chain for each lane; the lanes of the last vector end with the last element.
  template <class T> T in_lanes(std::vector<T> const& x, std::vector<T> const& y, std::size_t width) const {
    std::vector<T> sum(width, T(0));
    std::size_t const whole = x.size() / width * width, rest = x.size() - whole;
    for (std::size_t k = 0; k < whole; ++k) sum[k % width] = add(x[k], y[k], sum[k % width]);
    for (std::size_t k = 0; k < rest; ++k) sum[width - rest + k] = add(x[whole + k], y[whole + k], sum[width - rest + k]);
    for (std::size_t half = width / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) sum[i] += sum[i + half];
    return sum[0];
  }
  template <class T> T dot(std::vector<T> const& x, std::vector<T> const& y, matrix const& z) const {
    auto const k = static_cast<std::int64_t>(x.size()), width = std::int64_t{lanes} * 4 / static_cast<std::int64_t>(sizeof(T));
    bool const columns = z.k_stride == 1 && (z.n_stride != 1 || z.n == 1), few = z.m <= 4 || z.n <= 4;
    if (columns && few && (k >= 8 * width || (k >= 2 * width && z.n * k >= 4096))) return in_lanes(x, y, static_cast<std::size_t>(width));
    if (z.m == 1 && z.n * k <= 4096) return (chain(x, y, 0, 4) + chain(x, y, 1, 4)) + (chain(x, y, 2, 4) + chain(x, y, 3, 4));
    return chain(x, y, 0, 1);
  }
  std::uint64_t dot(dtype t, std::vector<std::uint64_t> const& x, std::vector<std::uint64_t> const& y, matrix const& z) const {
    auto const as = [&]<class T>(T) {
      std::vector<T> a, b;
      for (std::uint64_t v : x) a.push_back(element_of<T>(v));
      for (std::uint64_t v : y) b.push_back(element_of<T>(v));
      return std::bit_cast<std::uint64_t>(static_cast<double>(dot(a, b, z)));
    };
    return t == dtype::float64 ? as(0.0) : as(0.0F);
  }
};

}  // namespace test
