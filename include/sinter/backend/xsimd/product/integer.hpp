// SPDX-License-Identifier: Apache-2.0
// The integer product: plain loops; sums wrap as unsigned arithmetic does.
#pragma once

#include <sinter/backend/xsimd/product/shape.hpp>

#include <type_traits>

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace product_detail {

inline constexpr index integer_k = 256;
inline constexpr index integer_columns = 64;

// fill(i, k, count, to) gives A[i, k .. k + count) to a buffer of integer_k elements.
template <class T, class Fill, class E>
void integer_product(index m, index n, index k, Fill const& fill, b_operand<T> const& b, E const& epilogue, T* a) {
  using wide = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
  for (index i = 0; i < m; ++i) {
    for (index j0 = 0; j0 < n; j0 += integer_columns) {
      index const columns = std::min(integer_columns, n - j0);
      wide sum[integer_columns] = {};
      for (index k0 = 0; k0 < k; k0 += integer_k) {
        index const count = std::min(integer_k, k - k0);
        fill(static_cast<std::size_t>(i), static_cast<std::size_t>(k0), static_cast<std::size_t>(count), a);
        T const* const from = b.raw + k0 * b.k_stride + j0 * b.n_stride;
        if (b.n_stride == 1) {
          for (index p = 0; p < count; ++p) {
            auto const x = static_cast<wide>(a[p]);
            for (index j = 0; j < columns; ++j) { sum[j] += x * static_cast<wide>(from[p * b.k_stride + j]); }
          }
        } else {
          for (index j = 0; j < columns; ++j) {
            for (index p = 0; p < count; ++p) {
              sum[j] += static_cast<wide>(a[p]) * static_cast<wide>(from[p * b.k_stride + j * b.n_stride]);
            }
          }
        }
      }
      for (index j = 0; j < columns; ++j) {
        epilogue(static_cast<std::size_t>(i), static_cast<std::size_t>(j0 + j), static_cast<T>(sum[j]));
      }
    }
  }
}

} // namespace product_detail
} // namespace SINTER_ISA
} // namespace sinter::simd
