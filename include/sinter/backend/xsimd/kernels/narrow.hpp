// SPDX-License-Identifier: Apache-2.0
// The kernels of a network whose weights are kept in fewer bits: products read them so, all else is as it was.
#pragma once
#include "../product/narrow.hpp"
#include "product.hpp"

SINTER_SIMD_QUIET_BEGIN

namespace sinter::simd {
inline namespace SINTER_ISA {
namespace kernels {

template <class W, class Kernel> struct narrow : run<Kernel> {};

template <class W, class... Slot, class... Step>
struct narrow<W, kernel::product<float, types<Slot...>, types<Step...>>> : run<kernel::product<float, types<Slot...>, types<Step...>>> {
  using base = run<kernel::product<float, types<Slot...>, types<Step...>>>;
  using form = product_detail::narrow<W>;
  using held = product_detail::narrow_weights<W>;

  static void go(launch const& l, pointer const* p) {
    if (!l.packed) return base::go(l, p);
    typename base::sizes const z(l);
    held const w({z.n, z.k}, l.packed);
    cursor<base::n> c;
    for (std::int64_t i = 0, all = z.m == 0 ? 0 : turns(l, 0, z.batch); i < all; ++i, c.next(l, 0, z.batch)) one(l, p, z, w, c.at);
  }
  static std::size_t packed_bytes(launch const& l) {
    std::int64_t const* const s = l.stride + (-1 - base::second) * max_loop;
    for (int i = 0; i < l.rank - 3; ++i)
      if (s[i] != 0) return 0;
    typename base::sizes const z(l);
    return z.k == 0 ? 0 : product_detail::narrow_bytes<W>({z.n, z.k});
  }
  static void pack(launch const& l, pointer const* p, std::byte* to) {
    typename base::sizes const z(l);
    auto const b = base::second_operand(l, p, cursor<base::n>{}.at);
    product_detail::narrow_pack<W>(b.raw, b.k_stride, b.n_stride, {z.n, z.k}, to);
  }

 private:
  static void one(launch const& l, pointer const* p, typename base::sizes const& z, held const& w, std::int64_t const* offset) {
    typename base::epilogue const after{base::matrices_at(l, p, offset, z.rows, l.rank - 2)};
    if constexpr (base::first >= 0) {
      multiply(z, typename base::prologue{base::matrices_at(l, p, offset, z.rows, l.rank - 1)}, w, after, true);
    } else {
      std::int64_t const* const s = l.stride + (-1 - base::first) * max_loop;
      a_operand<float> const a{p[-1 - base::first].template get<float>() + offset[-1 - base::first], s[z.rows], s[l.rank - 1]};
      multiply(z, a, w, after, a.k_stride != 1);
    }
  }
  template <class A> static void multiply(typename base::sizes const& z, A const& a, held const& w, typename base::epilogue const& after,
                                          bool fill) {
    if (z.m == 1 && row(z, a, w, after)) return;
    b_operand<float> const b{nullptr, 0, 0, nullptr, &w, &product_detail::widen_panels<W>};
    product_detail::plan<float> const plan(static_cast<std::size_t>(z.m), static_cast<std::size_t>(z.n), static_cast<std::size_t>(z.k),
                                           b_layout::narrow, fill, false);
    int const threads = static_cast<int>(default_pool().threads());
    product_detail::planned_product<float>(plan, a, b, after, scratch_of(plan.scratch_bytes() * static_cast<std::size_t>(threads)),
                                           threads);
  }
  // One row: its elements side by side, in the form in which these weights take them; groups of columns are shared out to threads.
  template <class A>
  static bool row(typename base::sizes const& z, A const& a, held const& w, typename base::epilogue const& after) {
    using input = typename form::input;
    auto const k = static_cast<std::size_t>(z.k);
    constexpr std::size_t shorter = std::is_same_v<input, float> ? 0 : sizeof(input);
    auto* const room = reinterpret_cast<float*>(scratch_of((k + 16) / 16 * 64 + (k + 32) / 32 * 32 * shorter));
    float const* x = room;
    if constexpr (base::first >= 0) a(0, 0, k, room);
    else if (a.k_stride == 1) x = a.data;
    else
      for (std::int64_t i = 0; i < z.k; ++i) room[i] = a.data[i * a.k_stride];
    input const* taken;
    float scale = 1;
    if constexpr (std::is_same_v<input, float>) taken = x;
    else {
      auto* const to = reinterpret_cast<input*>(room + (k + 16) / 16 * 16);
      if (!form::take(x, z.k, to, scale)) return false;
      taken = to;
    }
    auto const finish = [&](index j, xsimd::batch<float> const& c, index count) {
      after(0, static_cast<std::size_t>(j), c, static_cast<std::size_t>(count));
    };
    index const groups = product_detail::ceil_div(w.shape.vectors(), product_detail::narrow_shape::group);
    double const seconds = static_cast<double>(w.shape.elements()) * 2e-11;
    index const threads = static_cast<index>(default_pool().threads());
    index const parts = std::min({threads, groups, static_cast<index>(std::min(seconds, 1.0) / product_detail::shortest_part)});
    if (parts < 2) {
      product_detail::narrow_row<W>(w, taken, scale, 0, groups, finish);
      return true;
    }
    default_pool().parallel(
        static_cast<std::size_t>(parts),
        [&](std::size_t part) {
          auto const q = static_cast<index>(part);
          product_detail::narrow_row<W>(w, taken, scale, groups * q / parts, groups * (q + 1) / parts, finish);
        },
        seconds < 5e-5);
    return true;
  }
};

}  // namespace kernels
}  // namespace SINTER_ISA
}  // namespace sinter::simd

SINTER_SIMD_QUIET_END
