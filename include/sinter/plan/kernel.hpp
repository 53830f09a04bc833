// SPDX-License-Identifier: Apache-2.0
// Kernels as types: made of types, integers and enums only, so that equal groups of different networks are one instantiation and no
// device compiler meets a user's type. A backend turns such a type into code.
#pragma once
#include <bit>
#include <cstddef>
#include <utility>

#include "plan.hpp"

namespace sinter::kernel::inline SINTER_ISA {

// Operand j: its element type, how the innermost loop runs through it, and whether it is written.
template <class T, access Mode, bool Written> struct slot {
  using type = T;
  static constexpr access mode = Mode;
  static constexpr bool written = Written;
};

// What a step does besides computing, packed into one number to keep names short.
enum class rows_of_product : std::uint8_t { any, few, up_to_16, many };
inline constexpr std::int64_t few_rows = 3;
constexpr rows_of_product class_of_rows(std::int64_t n) {
  return n <= few_rows ? rows_of_product::few : n <= 16 ? rows_of_product::up_to_16 : rows_of_product::many;
}
// True if a product with a map runs along the lines of an image: its innermost window has far more iterations in the depth than in the columns.
constexpr bool runs_along(std::int64_t depth, std::int64_t columns) { return depth >= 7 && depth >= 2 * columns; }
struct step_bits {
  int store = -1, keep = -1, phase = 0;
  bool row = false, prologue = false;
  unsigned needed = 0;
  bool one_row = false;  // a product whose first operand has one row, whatever the call: kernels for more are left out
  rows_of_product rows = rows_of_product::any;  // of a product with a map, whatever the call: kernels for others are left out
  bool never_along = false;  // as well
  constexpr std::uint64_t pack() const {
    return static_cast<std::uint64_t>(store + 1) | static_cast<std::uint64_t>(keep + 1) << 8 | static_cast<std::uint64_t>(phase) << 16 |
           static_cast<std::uint64_t>(row) << 24 | static_cast<std::uint64_t>(prologue) << 25 | static_cast<std::uint64_t>(one_row) << 26 |
           static_cast<std::uint64_t>(rows) << 27 | static_cast<std::uint64_t>(never_along) << 29 |
           static_cast<std::uint64_t>(needed) << 32;
  }
  static constexpr step_bits unpack(std::uint64_t b) {
    return {static_cast<int>(b & 255) - 1,
            static_cast<int>((b >> 8) & 255) - 1,
            static_cast<int>((b >> 16) & 255),
            ((b >> 24) & 1) != 0,
            ((b >> 25) & 1) != 0,
            static_cast<unsigned>(b >> 32),
            ((b >> 26) & 1) != 0,
            static_cast<rows_of_product>((b >> 27) & 3),
            ((b >> 29) & 1) != 0};
  }
};
// One operation. From: an earlier step, or -1 - j for operand j.
template <class Op, class T, std::uint64_t Bits, int... From> struct step {
  using op = Op;
  using type = T;
  static constexpr step_bits bits = step_bits::unpack(Bits);
  static constexpr bool reduces = Op::kind == family::reduction;
};

template <class... T> struct types {
  static constexpr int size = sizeof...(T);
};
template <class Slots, class Steps> struct pointwise;
template <class Slots, class Steps, int Phases> struct rows;
template <class T, class Slots, class Steps> struct product;
template <class T, class Slots, class Steps> struct mapped_product;
template <class Op, class Results, class Operands> struct opaque;
struct region;  // control flow: the host runs the kernels of its bodies (run/region.hpp)

// The address of an operand. The kernel's type says which member is used; it is a union, because in a constant expression a void pointer
// cannot become a typed one.
union pointer {
  float* f32;
  double* f64;
  std::int32_t* i32;
  std::int64_t* i64;
  bool* b;
  float16* f16;
  bfloat16* bf16;
  std::int8_t* i8;
  std::int16_t* i16;
  std::uint8_t* u8;
  constexpr pointer() : f32(nullptr) {}
  constexpr pointer(float* p) : f32(p) {}
  constexpr pointer(double* p) : f64(p) {}
  constexpr pointer(std::int32_t* p) : i32(p) {}
  constexpr pointer(std::int64_t* p) : i64(p) {}
  constexpr pointer(bool* p) : b(p) {}
  constexpr pointer(float16* p) : f16(p) {}
  constexpr pointer(bfloat16* p) : bf16(p) {}
  constexpr pointer(std::int8_t* p) : i8(p) {}
  constexpr pointer(std::int16_t* p) : i16(p) {}
  constexpr pointer(std::uint8_t* p) : u8(p) {}
  template <class T> SINTER_HD constexpr T* get() const {
    if constexpr (std::is_same_v<T, float>) return f32;
    else if constexpr (std::is_same_v<T, double>) return f64;
    else if constexpr (std::is_same_v<T, std::int32_t>) return i32;
    else if constexpr (std::is_same_v<T, std::int64_t>) return i64;
    else if constexpr (std::is_same_v<T, bool>) return b;
    else if constexpr (std::is_same_v<T, float16>) return f16;
    else if constexpr (std::is_same_v<T, bfloat16>) return bf16;
    else if constexpr (std::is_same_v<T, std::int8_t>) return i8;
    else if constexpr (std::is_same_v<T, std::int16_t>) return i16;
    else return u8;
  }
};
constexpr pointer advance(pointer p, dtype t, std::int64_t by) {
  if (!SINTER_IS_CONSTANT) return std::bit_cast<pointer>(std::bit_cast<std::byte*>(p) + by * bytes_of(t));
  return with_type(t, [&]<class T>(T*) -> pointer { return p.get<T>() + by; });
}

// The extent of a loop about which a call decides, where weights of a product with a map are prepared.
inline constexpr std::int64_t any_extent = 0;

// The loops of one run: constant data for a static plan.
struct launch {
  int rank = 0, row_rank = 0;
  std::int64_t extent[max_loop]{};
  std::int64_t const* stride = nullptr;  // max_loop numbers for each operand
  std::int64_t const* attributes = nullptr;  // opaque: as words
  dims const* shapes = nullptr;  // opaque: of the results, then of the operands
  loop_map const* map = nullptr;  // product, where it has one
  std::byte const* packed = nullptr;  // product: its second operand in the backend's own order, if it was packed
};

// The loops of a product with a map. Its windows are further operands behind the N that lie in memory: they stand at the places, which the
// loops move as they move the others.
template <int N> struct mapped_loops {
  static constexpr int size = N + ops::max_windows;
  std::int64_t stride[size * max_loop]{}, start[size]{};

  // `windowed`: whether operand j is read through the windows.
  constexpr mapped_loops(launch const& l, bool const* windowed) {
    for (int i = 0; i < N * max_loop; ++i) stride[i] = l.stride[i];
    for (int w = 0; w < l.map->windows; ++w) {
      window const& v = l.map->window_at[w];
      stride[(N + w) * max_loop + v.outer] = v.step;
      stride[(N + w) * max_loop + v.inner] = v.dilation;
      start[N + w] = -v.shift;
      for (int j = 0; j < N; ++j)
        if (windowed[j]) start[j] -= v.shift * (stride[j * max_loop + v.outer] / v.step);
    }
  }
};
// Whether the windows, which stand at `places`, show elements.
SINTER_HD constexpr bool inside(loop_map const& m, std::int64_t const* places) {
  for (int w = 0; w < m.windows; ++w)
    if (!m.window_at[w].holds(places[w])) return false;
  return true;
}

// ---- values of a running kernel: one member for each operand that is read and for each step

template <int I, class V> struct leaf {
  V v;
};
template <int I, class V> SINTER_HD constexpr V& at(leaf<I, V>& l) { return l.v; }
template <int I, class V> SINTER_HD constexpr V const& at(leaf<I, V> const& l) { return l.v; }
template <class... Leaf> struct leaves : Leaf... {};

template <template <class> class Vec, class Slots, class Steps, class J = void, class I = void> struct frame_of;
template <template <class> class Vec, class... Slot, class... Step> struct frame_of<Vec, types<Slot...>, types<Step...>, void, void> {
  template <std::size_t... J, std::size_t... I>
  static auto make(std::index_sequence<J...>, std::index_sequence<I...>)
      -> leaves<leaf<-1 - static_cast<int>(J), Vec<typename Slot::type>>..., leaf<static_cast<int>(I), Vec<typename Step::type>>...>;
  using type = decltype(make(std::index_sequence_for<Slot...>{}, std::index_sequence_for<Step...>{}));
};
template <template <class> class Vec, class Slots, class Steps> using frame = typename frame_of<Vec, Slots, Steps>::type;

// The value of one elementwise step from those in the frame.
template <template <class> class Vec, class Op, class T, std::uint64_t B, int... From, class Frame>
SINTER_HD constexpr Vec<T> evaluate(step<Op, T, B, From...>, Frame const& f) {
  if constexpr (requires { Op::template convert<Vec<T>>(at<From>(f)...); }) return Op::template convert<Vec<T>>(at<From>(f)...);
  else return Op::eval(at<From>(f)...);
}
template <class Op, class T, std::uint64_t B, int First, int... Rest> SINTER_HD constexpr int first_operand(
    step<Op, T, B, First, Rest...>) {
  return First;
}
template <class Op, class T, std::uint64_t B, int First, int Second> SINTER_HD constexpr int second_operand(step<Op, T, B, First, Second>) {
  return Second;
}

// Whether a step reads operand J.
template <int J, class Op, class T, std::uint64_t B, int... From> SINTER_HD constexpr bool reads(step<Op, T, B, From...>) {
  return ((From == -1 - J) || ...);
}
// Whether a product's step, or one before it, reads operand J through the windows of a map.
template <int J, class Step> SINTER_HD constexpr bool reads_windowed(Step s) {
  if constexpr (Step::op::kind == family::product) return first_operand(s) == -1 - J;
  else return Step::bits.prologue && reads<J>(s);
}

// A number in its type: the conversion of std::integral_constant is a host function.
template <int I> struct index : std::integral_constant<int, I> {
  SINTER_HD constexpr operator int() const { return I; }
};
// Calls f(index<I>, step) for every step in order.
SINTER_HD_IF_CALLED template <class... Step, class F, std::size_t... I> SINTER_HD constexpr void each(types<Step...>,
                                                                                                      std::index_sequence<I...>, F&& f) {
  (f(index<static_cast<int>(I)>{}, Step{}), ...);
}
SINTER_HD_IF_CALLED template <class... T, class F> SINTER_HD constexpr void each(types<T...> t, F&& f) {
  each(t, std::index_sequence_for<T...>{}, f);
}

}  // namespace sinter::kernel::inline SINTER_ISA
