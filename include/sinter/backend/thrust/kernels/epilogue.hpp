// SPDX-License-Identifier: Apache-2.0
// What of a product group the library's product does not do: the steps behind those that it took, from the product that it left.
#pragma once
#include "product_parts.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

// A product as a library sees it: the product itself, and of a product of matrices a bias for each column and a function that it knows.
struct library_part {
  int last = -1;           // the last step that it does; -1: it does not take this product
  int bias = -1;           // an operand
  library_epilogue function = library_epilogue::none;
  int stored = -1;         // the operand where it leaves its result; -1: steps follow, and it goes to scratch memory
};

inline constexpr std::int64_t most_matrices = 65535;  // that cuBLASLt multiplies at once

template <class T, bool HasEpilogue, class... Step> struct library_steps {
  static constexpr library_part part(bool) { return {}; }
  static constexpr int factor(int) { return -1; }
  static constexpr int bias_candidate() { return -1; }
};
template <class T, bool HasEpilogue, class... Step>
  requires std::is_floating_point_v<T>
struct library_steps<T, HasEpilogue, Step...> {
  struct row {
    bool is_product, is_add, prologue;
    library_epilogue function;
    int store, from[2];
  };
  static constexpr int n = sizeof...(Step);
  template <class Op> static constexpr library_epilogue epilogue_of() {
    if constexpr (requires { Op::epilogue; }) return Op::epilogue;
    else return library_epilogue::none;
  }
  template <class Op, class U, std::uint64_t B, int First, int... Rest> static constexpr row row_of(
      kernel::step<Op, U, B, First, Rest...>) {
    constexpr int rest[]{Rest..., 1 << 20};
    constexpr step_bits bits = step_bits::unpack(B);
    return {Op::kind == family::product, std::is_same_v<Op, ops::add>, bits.prologue, epilogue_of<Op>(), bits.store, {First, rest[0]}};
  }
  static constexpr row rows[n]{row_of(Step{})...};  // the bound is for Clang
  static constexpr int readers(int step) {
    int count = 0;
    for (row const& r : rows) count += (r.from[0] == step) + (r.from[1] == step);
    return count;
  }
  // The two operands of the product, where it reads them as they lie.
  static constexpr int factor(int which) {
    for (row const& r : rows)
      if (r.is_product) return -1 - r.from[which];
    return -1;
  }
  // The operand that the step behind the product adds, which may be a bias.
  static constexpr int bias_candidate() {
    for (int i = 0; i + 1 < n; ++i) {
      if (!rows[i].is_product || rows[i].store >= 0 || readers(i) != 1 || !rows[i + 1].is_add) continue;
      for (int side = 0; side < 2; ++side)
        if (rows[i + 1].from[side] == i && rows[i + 1].from[1 - side] < 0) return -1 - rows[i + 1].from[1 - side];
    }
    return -1;
  }
  // `bias`: whether that operand is one number for each column.
  static constexpr library_part part(bool bias) {
    library_part r;
    for (int i = 0; i < n; ++i) {
      if (rows[i].prologue) return {};
      if (rows[i].is_product) {
        if (rows[i].from[0] >= 0 || rows[i].from[1] >= 0) return {};
        r.last = i;
      }
    }
    auto const next = [&] { return r.last + 1 < n && rows[r.last].store < 0 && readers(r.last) == 1; };
    if constexpr (HasEpilogue) {
      if (bias && bias_candidate() >= 0) {
        r.bias = bias_candidate();
        ++r.last;
      }
      if (next() && rows[r.last + 1].from[0] == r.last && rows[r.last + 1].function != library_epilogue::none) {
        r.function = rows[r.last + 1].function;
        ++r.last;
      }
    }
    if (r.last == n - 1) r.stored = rows[r.last].store;
    return r;
  }
};

// cuBLASLt has epilogues in float alone; those of cuDNN are not used.
template <class Kernel> struct library_of;
template <class T, class Slots, class... Step>
struct library_of<product<T, Slots, types<Step...>>> : library_steps<T, std::is_same_v<T, float>, Step...> {};
template <class T, class Slots, class... Step>
struct library_of<mapped_product<T, Slots, types<Step...>>> : library_steps<T, false, Step...> {};

// The steps behind step Last, whose value the library left in row-major order in `from`.
template <class Kernel, int Last> struct epilogue;
template <template <class, class, class> class Product, class T, class... Slot, class... Step, int Last>
struct epilogue<Product<T, types<Slot...>, types<Step...>>, Last> {
  static constexpr int n = sizeof...(Slot);
  using slots = types<Slot...>;
  using steps = types<Step...>;
  static constexpr int width = 16 / sizeof(T);  // elements of the product in 16 bytes
  template <int J> static constexpr bool is_read = reads_behind<J, Last>(steps{}, std::index_sequence_for<Step...>{});
  template <int J> static constexpr bool is_written = writes_behind<J, Last>(steps{}, std::index_sequence_for<Step...>{});

  loops<n> l;
  int outside = 0;  // the loops around those over the depth
  T const* from = nullptr;
  std::uint64_t side_by_side = 0;  // a bit for each operand of which `width` neighbours are one aligned access

  epilogue(launch const& at, pointer const* p, T const* product)
      : l(at, p), outside(at.rank - (at.map ? at.map->depth : 1)), from(product) {
    join_loops();
    each(slots{}, [&]<class S>(auto j, S) {
      using U = typename S::type;
      if constexpr (is_read<j> || is_written<j>) {
        bool side = outside > 0 && l.stride[j][outside - 1] == 1 &&
                    reinterpret_cast<std::uintptr_t>(l.p[j].template get<U>()) % (sizeof(U) * width) == 0;
        for (int i = 0; i + 1 < outside; ++i) side = side && l.stride[j][i] % width == 0;
        side_by_side |= std::uint64_t{side} << j;
      }
    });
  }
  std::int64_t size() const { return l.turns(0, outside); }
  SINTER_HD bool is_side_by_side(int operand) const { return (side_by_side >> operand) & 1; }
  // True where `width` neighbours of the product are neighbours along the innermost loop, too.
  bool aligned() const {
    return outside > 0 && l.extent[outside - 1] % width == 0 && reinterpret_cast<std::uintptr_t>(from) % sizeof(pack<T, width>) == 0;
  }
  // Elements [i * W, i * W + W).
  template <int W> SINTER_HD void run(std::int64_t i) const {
    cursor<n> c;
    l.seek(c, 0, outside, i * W);
    auto const value = reinterpret_cast<pack<T, W> const*>(from)[i];  // one load: a reference would be read element by element
    finish_elements<Last>(slots{}, steps{}, neighbours<W>{*this, c}, value);
  }
  SINTER_HD void operator()(std::int64_t i) const { run<1>(i); }

 private:
  template <int W> struct neighbours {
    static constexpr int width = W;
    epilogue const& e;
    cursor<n> const& c;
    template <int J, class U> SINTER_HD void read(pack<U, W>& to) const {
      U const* const p = e.l.p[J].template get<U>() + c.at[J];
      if constexpr (W == 1) to.v[0] = *p;
      else if (e.is_side_by_side(J)) to = *reinterpret_cast<pack<U, W> const*>(p);
      else {
        std::int64_t const stride = e.l.stride[J][e.outside - 1];
        SINTER_UNROLL
        for (int w = 0; w < W; ++w) to.v[w] = p[w * stride];
      }
    }
    template <int J, class U> SINTER_HD void write(pack<U, W> const& v) const {
      U* const p = e.l.p[J].template get<U>() + c.at[J];
      if constexpr (W == 1) *p = v.v[0];
      else if (e.is_side_by_side(J)) *reinterpret_cast<pack<U, W>*>(p) = v;
      else {
        std::int64_t const stride = e.l.stride[J][e.outside - 1];
        SINTER_UNROLL
        for (int w = 0; w < W; ++w) p[w * stride] = v.v[w];
      }
    }
  };
  // Makes one loop of the last two around the depth, as long as all operands go on from one into the other.
  void join_loops() {
    for (; outside > 1; --outside) {
      int const k = outside - 1;
      bool go_on = true;
      each(slots{}, [&]<class S>(auto j, S) {
        if constexpr (is_read<j> || is_written<j>) go_on = go_on && l.stride[j][k - 1] == l.stride[j][k] * l.extent[k];
      });
      if (!go_on) return;
      l.extent[k - 1] *= l.extent[k];
      if (l.extent[k - 1] < divisor::end) l.by[k - 1] = divisor(static_cast<std::uint32_t>(l.extent[k - 1] < 1 ? 1 : l.extent[k - 1]));
      else l.divides_small = false;
      each(slots{}, [&]<class S>(auto j, S) { l.stride[j][k - 1] = l.stride[j][k]; });
    }
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
