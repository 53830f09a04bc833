// SPDX-License-Identifier: Apache-2.0
// What all kernels of products have in common: their loops, and what stands behind the product.
#pragma once
#include "common.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

// The loops of a product. With a map the windows are further operands behind the n that lie in memory.
template <class Kernel> struct product_loops;
template <class T, class... Slot, class Steps> struct product_loops<product<T, types<Slot...>, Steps>> {
  static constexpr bool is_mapped = false;
  static constexpr int n = sizeof...(Slot), all = n;
  loop_map map;
  loops<all> l;
  cursor<all> start;
  product_loops(launch const& from, pointer const* p) : l(from, p) {}
};
template <class T, class... Slot, class... Step> struct product_loops<mapped_product<T, types<Slot...>, types<Step...>>> {
  static constexpr bool is_mapped = true;
  static constexpr int n = sizeof...(Slot), all = mapped_loops<n>::size;
  loop_map map;
  loops<all> l;
  cursor<all> start;
  product_loops(launch const& from, pointer const* p) : map(*from.map) {
    bool is_windowed[n]{};
    each(types<Slot...>{}, [&]<class S>(auto j, S) { is_windowed[j] = (reads_windowed<j>(Step{}) || ...); });
    mapped_loops<n> const m(from, is_windowed);
    launch own = from;
    own.stride = m.stride;
    pointer operands[all];
    for (int j = 0; j < n; ++j) operands[j] = p[j];
    l = loops<all>(own, operands);
    for (int j = 0; j < all; ++j) start.at[j] = m.start[j];
  }
};

// A factor of the product: the operands and steps from which it follows, as bits.
struct factor_parts {
  std::uint64_t slots = 0, steps = 0;
};
template <class... Step> constexpr factor_parts parts_of_factor(int which) {
  struct row {
    bool is_product;
    int n, from[max_step_operands];
  };
  constexpr auto row_of = []<class Op, class U, std::uint64_t B, int... From>(kernel::step<Op, U, B, From...>) {
    return row{Op::kind == family::product, static_cast<int>(sizeof...(From)), {From...}};
  };
  constexpr row rows[]{row_of(Step{})...};
  factor_parts r;
  auto const take = [&](int from) { from < 0 ? r.slots |= std::uint64_t{1} << (-1 - from) : r.steps |= std::uint64_t{1} << from; };
  for (row const& s : rows)
    if (s.is_product) take(s.from[which]);
  for (int i = static_cast<int>(sizeof...(Step)); i-- > 0;)
    if ((r.steps >> i) & 1)
      for (int k = 0; k < rows[i].n; ++k) take(rows[i].from[k]);
  return r;
}
template <int Which, class... Step> inline constexpr factor_parts factor_of = parts_of_factor<Step...>(Which);
// Whether elements of factor `Which` that are neighbours along the depth are neighbours in memory.
template <int Which, class... Slot, class... Step, int N>
bool lies_along_depth(types<Slot...> slots, types<Step...>, loops<N> const& l) {
  bool r = false;
  each(slots, [&]<class S>(auto j, S) {
    if constexpr ((factor_of<Which, Step...>.slots >> j) & 1) r = r || l.stride[j][l.rank - 1] == 1;
  });
  return r;
}
// An element of factor `Which`, of a product in T. `c`: a cursor, or places.
template <int Which, class T, class... Slot, class... Step, int N>
SINTER_HD T factor_at(types<Slot...> slots, types<Step...> steps, loops<N> const& l, auto const& c) {
  frame<number, types<Slot...>, types<Step...>> f{};
  each(slots, [&]<class S>(auto j, S) {
    if constexpr ((factor_of<Which, Step...>.slots >> j) & 1) at<-1 - j>(f) = element_at<j, typename S::type>(l, c);
  });
  T r{};
  each(steps, [&]<class S>(auto s, S step) {
    if constexpr ((factor_of<Which, Step...>.steps >> s) & 1) at<s>(f) = evaluate<number>(step, f);
    else if constexpr (S::op::kind == family::product) {
      if constexpr (Which == 0) r = at<first_operand(S{})>(f);
      else r = at<second_operand(S{})>(f);
    }
  });
  return r;
}
template <class T> SINTER_HD T multiply_add(T a, T b, T sum) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_floating_point_v<T>) return fma(a, b, sum);
#endif
  return element::add(sum, element::multiply(a, b));
}

// Which step is the product.
template <class... Step> SINTER_HD constexpr int product_step(types<Step...>) {
  int r = 0, i = 0;
  ((r = Step::op::kind == family::product ? i : r, ++i), ...);
  return r;
}
template <class... Step> inline constexpr int product_at = product_step(types<Step...>{});
// Whether step I runs for each element of the result: it stands behind step Last, or computes from other operands what such a step reads.
template <int I, int Last, class Step> SINTER_HD constexpr bool runs_behind(int product) {
  return I > Last || (I < product && !Step::bits.prologue);
}
template <int J, int Last, class... Step, std::size_t... I>
SINTER_HD constexpr bool reads_behind(types<Step...> steps, std::index_sequence<I...>) {
  return ((runs_behind<static_cast<int>(I), Last, Step>(product_step(steps)) && reads<J>(Step{})) || ...);
}
// One element of each operand; `c`: a cursor, or places.
template <int N, class Cursor> struct one_element {
  static constexpr int width = 1;
  loops<N> const& l;
  Cursor const& c;
  template <int J, class S> SINTER_HD void read(pack<S, 1>& to) const { to.v[0] = element_at<J, S>(l, c); }
  template <int J, class S> SINTER_HD void write(pack<S, 1> const& from) const { element_at<J, S>(l, c) = from.v[0]; }
};
// True where step Last, or one behind it, stores to operand J.
template <int J, int Last, class... Step, std::size_t... I>
SINTER_HD constexpr bool writes_behind(types<Step...> steps, std::index_sequence<I...>) {
  return (((I == Last || runs_behind<static_cast<int>(I), Last, Step>(product_step(steps))) && Step::bits.store == J) || ...);
}
// The steps behind step Last, the product or one behind it, for elements of the result where that step gives `value`.
template <int Last, class T, class... Slot, class... Step, class Elements>
SINTER_HD void finish_elements(types<Slot...> slots, types<Step...> steps, Elements const& e, pack<T, Elements::width> const& value) {
  constexpr int W = Elements::width;
  frame<number, types<Slot...>, types<Step...>> f[W]{};
  each(slots, [&]<class S>(auto j, S) {
    if constexpr (!S::written && reads_behind<j, Last>(types<Step...>{}, std::index_sequence_for<Step...>{})) {
      pack<typename S::type, W> v;
      e.template read<j, typename S::type>(v);
      SINTER_UNROLL
      for (int w = 0; w < W; ++w) at<-1 - j>(f[w]) = v.v[w];
    }
  });
  each(steps, [&]<class S>(auto s, S step) {
    constexpr bool runs = runs_behind<s, Last, S>(product_at<Step...>);
    SINTER_UNROLL
    for (int w = 0; w < W; ++w) {
      if constexpr (s == Last) at<s>(f[w]) = value.v[w];
      else if constexpr (runs) at<s>(f[w]) = evaluate<number>(step, f[w]);
    }
    if constexpr ((s == Last || runs) && S::bits.store >= 0) {
      pack<typename S::type, W> v;
      SINTER_UNROLL
      for (int w = 0; w < W; ++w) v.v[w] = at<s>(f[w]);
      e.template write<S::bits.store, typename S::type>(v);
    }
  });
}
template <int Last, class T, class... Slot, class... Step, int N, class Cursor>
SINTER_HD void finish_element(types<Slot...> slots, types<Step...> steps, loops<N> const& l, Cursor const& c, T value) {
  finish_elements<Last>(slots, steps, one_element<N, Cursor>{l, c}, pack<T, 1>{{value}});
}

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
