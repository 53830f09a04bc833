// SPDX-License-Identifier: Apache-2.0
// Weights in 16 or 8 bits. One row of input is multiplied by them as they lie; for more rows each panel becomes float32 when it is wanted.
//
// Two elements of a column lie side by side, so that a vector of 32-bit lanes holds a pair for each of its columns; groups of up to
// `group` such vectors are read from end to end: [N / group][K / 2][group][lanes][2]. The columns end with the last vector, in zeros.
#pragma once

#include <sinter/backend/xsimd/batch.hpp>
#include <sinter/backend/xsimd/product/shape.hpp>
#include <sinter/core/weights.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace product_detail {

struct narrow_shape {
  static constexpr index lanes = tile_shape<float>::lanes, group = registers == 32 ? 8 : 4;
  index n, k;

  [[nodiscard]] constexpr index pairs() const noexcept { return ceil_div(k, 2); }
  [[nodiscard]] constexpr index vectors() const noexcept { return ceil_div(n, lanes); }
  [[nodiscard]] constexpr index elements() const noexcept { return vectors() * lanes * 2 * pairs(); }
  // Where the first pairs of vector v lie, and how far it is to the next ones.
  [[nodiscard]] constexpr index step(index v) const noexcept { return std::min(group, vectors() - v / group * group) * lanes * 2; }
  [[nodiscard]] constexpr index at(index v) const noexcept { return v / group * group * lanes * 2 * pairs() + v % group * lanes * 2; }
};

template <class W>
struct narrow;

using words = native::raw<std::uint32_t>;
using integers = native::raw<std::int32_t>;
using shorts = native::raw<std::int16_t, 2 * static_cast<int>(narrow_shape::lanes)>;
using bytes_of_shorts = native::raw<std::int8_t, 2 * static_cast<int>(narrow_shape::lanes)>;

SINTER_INLINE xsimd::batch<float> float_bits(words v) noexcept {
  return native::from_raw<float>(__builtin_bit_cast(native::raw<float>, v));
}
SINTER_INLINE xsimd::batch<float> to_float(integers v) noexcept {
  return native::from_raw<float>(__builtin_convertvector(v, native::raw<float>));
}

template <>
struct narrow<weights::bf16_format> {
  using element = std::uint16_t;
  using input = float;  // of one row
  static constexpr index scales(narrow_shape const&) noexcept { return 0; }

  static element rounded(float v, float) noexcept {
    auto const bits = __builtin_bit_cast(std::uint32_t, v);
    if (v != v) { return static_cast<element>(bits >> 16 | 0x40u); }
    std::uint32_t const nearest = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    bool const overflows = (nearest & 0x7fffu) == 0x7f80u && (bits & 0x7fffffffu) != 0x7f800000u;
    return static_cast<element>(overflows ? nearest - 1 : nearest); // the largest one: within 2^-8, too
  }
  static float scale_of(float const*, index, index) noexcept { return 1; }

  struct both {
    xsimd::batch<float> even, odd;
  };
  static SINTER_INLINE both load(element const* p, float const*) noexcept {
    words v;
    std::memcpy(&v, p, sizeof(v));
    SINTER_KEEP_ROUNDED(v); // GCC would load it twice
    return {float_bits(v << 16), float_bits(v & 0xffff0000u)};
  }

  // One row; of an odd number of elements the last is multiplied alone.
  template <std::size_t... I>
  static SINTER_INLINE void multiply(input const* x, index k, element const* w, float const*, float, float* out,
                                     std::index_sequence<I...>) noexcept {
    using batch = xsimd::batch<float>;
    constexpr index lanes = narrow_shape::lanes, count = static_cast<index>(sizeof...(I));
    constexpr bool two = count <= 4; // chains for each column: eight at least, where there are columns enough
    batch even[] = {(static_cast<void>(I), batch(0.0f))...};
    batch odd[] = {(static_cast<void>(I), batch(0.0f))...};
    auto const step = [&](batch const& x0, batch const& x1) SINTER_INLINED {
      (__builtin_prefetch(w + (static_cast<index>(I) + 8 * count) * 2 * lanes), ...);
      both const v[] = {load(w + static_cast<index>(I) * 2 * lanes, nullptr)...};
      ((even[I] = fused(x0, v[I].even, even[I])), ...);
      if constexpr (two) {
        ((odd[I] = fused(x1, v[I].odd, odd[I])), ...);
      } else {
        ((even[I] = fused(x1, v[I].odd, even[I])), ...);
      }
      w += count * 2 * lanes;
    };
    for (index p = 0; p < k / 2; ++p) { step(batch(x[2 * p]), batch(x[2 * p + 1])); }
    if (k % 2 != 0) { step(batch(x[k - 1]), batch(0.0f)); }
    if constexpr (two) { ((even[I] = even[I] + odd[I]), ...); }
    (even[I].store_aligned(out + static_cast<index>(I) * lanes), ...);
  }
};

template <>
struct narrow<weights::int8_format> {
  using element = std::int8_t;
  using input = std::int16_t;
  static constexpr index scales(narrow_shape const& s) noexcept { return round_up(s.n, 16); }

  static element rounded(float v, float scale) noexcept {
    float const q = scale > 0 ? v / scale : 0.0f;
    return std::isfinite(q) ? static_cast<element>(std::nearbyint(std::clamp(q, -127.0f, 127.0f))) : element{0};
  }
  static float scale_of(float const* column, index stride, index k) noexcept {
    float largest = 0;
    for (index p = 0; p < k; ++p) {
      float const v = std::abs(column[p * stride]);
      if (!(v <= std::numeric_limits<float>::max())) { return std::numeric_limits<float>::quiet_NaN(); }
      largest = std::max(largest, v);
    }
    float const scale = largest / 127;
    // Rounded upwards, 127 times that of the largest float would be infinite.
    return 127 * scale <= std::numeric_limits<float>::max() ? scale : std::nextafter(scale, 0.0f);
  }

  struct both {
    xsimd::batch<float> even, odd;
  };
  static SINTER_INLINE both load(element const* p, float const* scale) noexcept {
    auto const v = __builtin_bit_cast(integers, widened(p));
    xsimd::batch<float> const s = xsimd::batch<float>::load_unaligned(scale);
    return {to_float(v << 16 >> 16) * s, to_float(v >> 16) * s};
  }

  // One row in 16 bits, with a zero behind an odd number of them; false where they cannot hold it.
  static bool take(float const* x, index k, input* to, float& scale) noexcept {
    constexpr index lanes = narrow_shape::lanes;
    // Without their signs, numbers stand in the order of their bits, and NaN behind infinity.
    integers most{};
    index p = 0;
    for (; p + lanes <= k; p += lanes) {
      integers v;
      std::memcpy(&v, x + p, sizeof(v));
      v &= 0x7fffffff;
      most = most > v ? most : v;
    }
    std::int32_t bits = 0;
    for (index i = 0; i < lanes; ++i) { bits = std::max(bits, most[i]); }
    for (; p < k; ++p) { bits = std::max(bits, __builtin_bit_cast(std::int32_t, x[p]) & 0x7fffffff); }
    auto const largest = __builtin_bit_cast(float, bits);
    if (!(largest <= std::numeric_limits<float>::max()) || (largest != 0 && largest < 1e-30f)) { return false; }
    scale = largest / 32767;
    float const by = largest == 0 ? 0.0f : 32767 / largest;
    auto const put = [&](index at, vec<float> const& v) SINTER_INLINED {
      auto const whole = cast<std::int32_t>(vec<float>{native::round<native::to_nearest>((v * splat(by)).lo)});
      auto const q = __builtin_convertvector(native::to_raw(whole.lo), native::raw<std::int16_t, static_cast<int>(lanes)>);
      std::memcpy(to + at, &q, sizeof(q));
    };
    for (p = 0; p + lanes <= k; p += lanes) { put(p, simd::load(x + p)); }
    if (p < k) { put(p, load_partial(x + p, static_cast<int>(k - p))); }
    return true;
  }
  template <std::size_t... I>
  static SINTER_INLINE void multiply(input const* x, index k, element const* w, float const* scale, float input_scale, float* out,
                                     std::index_sequence<I...>) noexcept {
    using batch = xsimd::batch<float>;
    constexpr index lanes = narrow_shape::lanes, count = static_cast<index>(sizeof...(I));
    constexpr index most = 256; // pairs of 16 and 8 bits whose sum 32 bits hold
    batch sum[] = {(static_cast<void>(I), batch(0.0f))...};
    for (index p = 0, all = ceil_div(k, 2); p < all;) {
      integers part[] = {(static_cast<void>(I), integers{})...};
      for (index const end = std::min(p + most, all); p < end; ++p, w += count * 2 * lanes) {
        (__builtin_prefetch(w + (static_cast<index>(I) + 8 * count) * 2 * lanes), ...);
        std::int32_t pair;
        std::memcpy(&pair, x + 2 * p, sizeof(pair));
        auto const both = __builtin_bit_cast(shorts, integers{} + pair);
        ((part[I] += native::dot_pairs(widened(w + static_cast<index>(I) * 2 * lanes), both)), ...);
      }
      ((sum[I] = sum[I] + to_float(part[I])), ...);
    }
    // One scale after the other: their product may be infinite where the sum is zero. That of the inputs first where it makes sums smaller, which
    // would be infinite otherwise where weights are large.
    batch const of_input(input_scale);
    auto const put = [&](index i, batch const& v) SINTER_INLINED {
      auto const of_weights = batch::load_unaligned(scale + i * lanes);
      (input_scale < 1 ? (v * of_input) * of_weights : (v * of_weights) * of_input).store_aligned(out + i * lanes);
    };
    (put(static_cast<index>(I), sum[I]), ...);
  }

 private:
  static SINTER_INLINE shorts widened(element const* p) noexcept {
    bytes_of_shorts v;
    std::memcpy(&v, p, sizeof(v));
    return native::widen(v);
  }
};

// Bytes of B[K, N], and the same written to `to`, which is aligned to 64 bytes.
template <class W>
[[nodiscard]] constexpr std::size_t narrow_bytes(narrow_shape const& s) noexcept {
  return static_cast<std::size_t>(narrow<W>::scales(s)) * sizeof(float) +
         static_cast<std::size_t>(s.elements()) * sizeof(typename narrow<W>::element);
}
template <class W>
struct narrow_weights {
  using element = typename narrow<W>::element;
  narrow_shape shape;
  float const* scale;
  element const* data;
  narrow_weights(narrow_shape const& s, std::byte const* from) noexcept
      : shape(s), scale(reinterpret_cast<float const*>(from)), data(reinterpret_cast<element const*>(scale + narrow<W>::scales(s))) {}
};
template <class W>
void narrow_pack(float const* b, index k_stride, index n_stride, narrow_shape const& s, std::byte* to) noexcept {
  using form = narrow<W>;
  constexpr index lanes = narrow_shape::lanes;
  narrow_weights<W> const packed(s, to);
  auto* const scale = const_cast<float*>(packed.scale);
  auto* const data = const_cast<typename form::element*>(packed.data);
  std::memset(to, 0, narrow_bytes<W>(s));
  for (index j = 0; j < s.n; ++j) {
    float const* const column = b + j * n_stride;
    float const by = form::scale_of(column, k_stride, s.k);
    if (form::scales(s) != 0) { scale[j] = by; }
    index const first = s.at(j / lanes) + j % lanes * 2, step = s.step(j / lanes);
    for (index p = 0; p < s.k; ++p) { data[first + p / 2 * step + p % 2] = form::rounded(column[p * k_stride], by); }
  }
}

// Elements [k, k + count) of columns [j, j + columns) as the tiles read them; k and j begin a pair and a panel.
template <class W>
void widen_panels(void const* weights, index j, index columns, index k, index count, float* to) noexcept {
  using form = narrow<W>;
  constexpr index lanes = narrow_shape::lanes, width = tile_shape<float>::columns;
  auto const& w = *static_cast<narrow_weights<W> const*>(weights);
  for (index c = 0; c < columns; c += lanes) {
    index const v = (j + c) / lanes, step = w.shape.step(v);
    auto const* from = w.data + w.shape.at(v) + k / 2 * step;
    float* out = to + c / width * width * count + c % width;
    for (index p = 0; p < count; p += 2, from += step, out += 2 * width) {
      auto const both = form::load(from, w.scale + v * lanes);
      both.even.store_aligned(out);
      if (p + 1 < count) { both.odd.store_aligned(out + width); }
    }
  }
}

// One row times a group of columns.
template <class W>
struct narrow_call {
  typename narrow<W>::input const* x;
  float x_scale;
  index k;
  typename narrow<W>::element const* w;
  float const* scale;
  float* out;
};
template <class W, std::size_t... I>
SINTER_NOINLINE void narrow_columns(narrow_call<W> const& c, std::index_sequence<I...> columns) noexcept {
  narrow<W>::multiply(c.x, c.k, c.w, c.scale, c.x_scale, c.out, columns);
}
template <class W, std::size_t... V>
void narrow_group(narrow_call<W> const& c, index vectors, std::index_sequence<V...>) noexcept {
  using function = void (*)(narrow_call<W> const&) noexcept;
  static constexpr function table[] = {
      [](narrow_call<W> const& one) noexcept { narrow_columns<W>(one, std::make_index_sequence<V + 1>{}); }...};
  table[vectors - 1](c);
}
// finish(j, c, count) for all vectors of columns of groups [from, to).
template <class W, class Finish>
void narrow_row(narrow_weights<W> const& w, typename narrow<W>::input const* x, float x_scale, index from, index to, Finish const& finish) {
  constexpr index lanes = narrow_shape::lanes, group = narrow_shape::group;
  alignas(64) float out[static_cast<std::size_t>(group * lanes)];
  for (index v = from * group; v < std::min(to * group, w.shape.vectors()); v += group) {
    index const vectors = std::min(group, w.shape.vectors() - v);
    narrow_group<W>({x, x_scale, w.shape.k, w.data + w.shape.at(v), w.scale + v * lanes, out}, vectors,
                    std::make_index_sequence<static_cast<std::size_t>(group)>{});
    for (index i = 0; i < vectors; ++i) {
      index const j = (v + i) * lanes;
      finish(j, xsimd::batch<float>::load_aligned(out + i * lanes), std::min(lanes, w.shape.n - j));
    }
  }
}

}  // namespace product_detail
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
