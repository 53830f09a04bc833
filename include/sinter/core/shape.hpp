// SPDX-License-Identifier: Apache-2.0
// Typed shapes: each dimension a number or dynamic, a dynamic one may have a name.
#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "config.hpp"
#include "text.hpp"

namespace sinter {

// In a graph an extent is one integer. Zero and above: the number itself. `unknown_extent`: dynamic and nameless. Up to -named_base: a
// name of at most ten letters, packed six bits each. Below derived_base: a dimension that the graph computes (see graph/dimensions.hpp).
using extent = std::int64_t;
inline constexpr int max_rank = 8;
inline constexpr extent unknown_extent = INT64_MIN;
inline constexpr extent named_base = 1024;
inline constexpr extent derived_base = -(extent{1} << 61);

inline namespace SINTER_ISA {
constexpr bool is_number(extent e) { return e >= 0; }
constexpr bool is_named(extent e) { return e <= -named_base && e > derived_base; }
}  // namespace SINTER_ISA

// The type of `sinter::dynamic`.
struct dynamic_extent {
  SINTER_OWN constexpr bool operator==(dynamic_extent const&) const = default;
};
inline constexpr dynamic_extent dynamic{};

namespace detail::inline SINTER_ISA {
inline constexpr int longest_name = 10;
inline constexpr char name_letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
// The place of a letter among them, or -1. By ranges: under GCC's sanitizers a search in a string is no constant expression.
constexpr int number_of_letter(char c) {
  if (c == '_') return 0;
  if (c >= 'a' && c <= 'z') return 1 + (c - 'a');
  if (c >= 'A' && c <= 'Z') return 27 + (c - 'A');
  if (c >= '0' && c <= '9') return 53 + (c - '0');
  return -1;
}
constexpr bool has_name_letters(std::string_view s) {
  for (char c : s)
    if (number_of_letter(c) < 0) return false;
  return true;
}
constexpr extent pack_name(std::string_view s) {  // the name is valid
  extent v = 0;
  for (char c : s) v = v * 64 + number_of_letter(c) + 1;
  return -v - named_base;
}
constexpr int name_length(extent e) {
  int n = 0;
  for (extent v = -e - named_base; v; v /= 64) ++n;
  return n;
}
constexpr void unpack_name(extent e, char* to) {
  int n = name_length(e);
  for (extent v = -e - named_base; v; v /= 64) to[--n] = name_letters[v % 64 - 1];
}
template <class D> constexpr bool is_extent(D) { return std::is_same_v<D, dynamic_extent>; }
template <std::integral D> constexpr bool is_extent(D d) { return d >= 0; }
template <std::size_t N> constexpr bool is_extent(text<N> const& t) { return N > 1 && N <= longest_name + 1 && has_name_letters(t.view()); }
template <class D> constexpr extent extent_of(D const& d) {
  if constexpr (std::is_integral_v<D>) return static_cast<extent>(d);
  else if constexpr (requires { d.view(); }) return pack_name(d.view());
  else return unknown_extent;
}
template <text S> consteval auto name_of_dimension() {
  constexpr std::string_view name = S.view();
  constexpr bool filled = !name.empty(), fits = name.size() <= longest_name, spelled = has_name_letters(name);
  static_assert(filled, "sinter: the name of a dimension has at least one letter; sinter::dynamic has no name");
  static_assert(fits, "sinter: the name of a dimension has at most ten letters");
  static_assert(spelled, "sinter: the name of a dimension is made of letters, digits and _");
  if constexpr (filled && fits && spelled) return S;
  else return text("wrong");
}
}  // namespace detail::inline SINTER_ISA
template <text S> inline constexpr auto dim = detail::name_of_dimension<S>();

namespace detail {
// An integer of any type: sizes of containers are unsigned.
struct any_extent {
  extent e;
  template <std::integral I> SINTER_OWN constexpr any_extent(I i) : e(static_cast<extent>(i)) {}
};
}  // namespace detail
// A shape as a value: dims{32, 64}. Rank -1 means that nothing is known; a list of more extents than a shape can have gives that, too.
struct dims {
  int rank = 0;
  extent d[max_rank]{};

  constexpr dims() = default;
  // Of too many extents nothing is left but how many they were.
  SINTER_OWN constexpr dims(std::initializer_list<detail::any_extent> extents) {
    if (extents.size() > max_rank) {
      rank = -1;
      d[0] = static_cast<extent>(extents.size());
    } else
      for (detail::any_extent const& e : extents) push(e.e);
  }
  SINTER_OWN constexpr extent& operator[](int i) { return d[i]; }
  SINTER_OWN constexpr extent operator[](int i) const { return d[i]; }
  SINTER_OWN constexpr void push(extent e) { d[rank++] = e; }
  SINTER_OWN constexpr bool fixed() const {
    for (int i = 0; i < rank; ++i)
      if (d[i] < 0) return false;
    return rank >= 0;
  }
  // The number of elements; every extent must be a number.
  SINTER_OWN SINTER_HD constexpr extent size() const {
    extent n = 1;
    for (int i = 0; i < rank; ++i) n *= d[i];
    return n;
  }
  SINTER_OWN constexpr bool operator==(dims const& o) const {
    if (rank != o.rank) return false;
    for (int i = 0; i < rank; ++i)
      if (d[i] != o.d[i]) return false;
    return true;
  }
};
inline constexpr dims unknown_dims = [] {
  dims d;
  d.rank = -1;
  return d;
}();

// Whether both shapes can have the same extents: dynamic ones fit all others, and so does a shape of which nothing is known.
constexpr bool may_equal(dims const& a, dims const& b) {
  bool fits = a.rank < 0 || b.rank < 0 || a.rank == b.rank;
  for (int i = 0; fits && i < a.rank && i < b.rank; ++i) fits = a.d[i] < 0 || b.d[i] < 0 || a.d[i] == b.d[i];
  return fits;
}

// Whether an extent is dynamic and has no name, so that a type does not say where it comes from.
constexpr bool has_nameless(dims const& s) {
  for (int i = 0; i < s.rank; ++i)
    if (s.d[i] < 0 && !is_named(s.d[i])) return true;
  return false;
}

inline constexpr extent most_elements = extent{1} << 59;  // that memory can have
// Whether memory can have so many elements. No extent may be negative, and an extent of 0 counts as 1, because strides are products of the
// other extents.
constexpr bool is_countable(dims const& s) {
  extent all = 0, n = 1;
  for (int i = 0; i < s.rank; ++i) all |= s.d[i];
  if (s.rank <= 0 || all < extent{1} << (59 / s.rank)) return true;
  for (int i = 0; i < s.rank; ++i) {
    if (s.d[i] > most_elements / n) return false;
    if (s.d[i] > 0) n *= s.d[i];
  }
  return true;
}

// A shape as a type: `shape<dim<"batch">, 512>`, `shape<dynamic, 3>`, `shape<>` (a scalar).
template <auto... D> struct shape {
  static_assert(sizeof...(D) <= max_rank, "sinter: a tensor has at most eight dimensions");
  static_assert((detail::is_extent(D) && ...),
                "sinter: an extent of a shape is a number from 0 on, sinter::dynamic or sinter::dim<\"name\">");
  static constexpr dims value{detail::extent_of(D)...};
  static constexpr int rank = sizeof...(D);
  static constexpr bool fixed = ((detail::extent_of(D) >= 0) && ...);
};

// A shape without its first dimension, and with another one in front.
template <class S> struct first_of_shape;
template <auto First, auto... D> struct first_of_shape<shape<First, D...>> {
  using removed = shape<D...>;
  using open = shape<dynamic, D...>;
  template <class S> struct on;
  template <auto... E> struct on<shape<E...>> {
    using type = shape<First, E...>;
  };
};

namespace detail::inline SINTER_ISA {
template <extent E> consteval auto spell() {  // the one spelling of an extent in a type, as the compilers print it in an error
  if constexpr (E >= 0 && E <= INT32_MAX) return static_cast<int>(E);
  else if constexpr (E >= 0) return E;
  else if constexpr (is_named(E)) {
    text<static_cast<std::size_t>(name_length(E)) + 1> t;
    unpack_name(E, t.s);
    t.s[sizeof(t.s) - 1] = 0;  // Clang prints texts that it has not seen end as numbers
    return t;
  } else return dynamic;
}
template <extent... E> using spelled = shape<spell<E>()...>;
template <class R, std::size_t... I> auto spell_shape(std::index_sequence<I...>) -> spelled<R::value.d[I]...>;
}  // namespace detail::inline SINTER_ISA
// The shape type of R::value, a `dims`.
template <class R>
using shape_of_value =
    decltype(detail::spell_shape<R>(std::make_index_sequence<static_cast<std::size_t>(R::value.rank < 0 ? 0 : R::value.rank)>{}));

inline namespace SINTER_ISA {
// The shape that tensors of two shapes share in NumPy's broadcasting. A dynamic extent never stretches: where it meets a number other than
// 1 or another dynamic extent, both must be equal, which is checked when the program runs. Two different names are an error.
struct broadcasted {
  dims shape;
  bool ok = true;
};
constexpr bool broadcast_extent(extent a, extent b, extent& r) {
  if (a == b || b == 1) r = a;
  else if (a == 1) r = b;
  else if (a >= 0 && b >= 0) return false;
  else if (is_named(a) && is_named(b)) return false;
  else r = a >= 0 ? a : b >= 0 ? b : is_named(a) ? a : b;
  return true;
}
constexpr broadcasted broadcast(dims const& a, dims const& b) {
  broadcasted r;
  r.shape.rank = a.rank > b.rank ? a.rank : b.rank;
  for (int i = 1; i <= r.shape.rank; ++i) {
    extent const x = i <= a.rank ? a.d[a.rank - i] : 1, y = i <= b.rank ? b.d[b.rank - i] : 1;
    if (!broadcast_extent(x, y, r.shape.d[r.shape.rank - i])) r.ok = false;
  }
  return r;
}

}  // namespace SINTER_ISA
}  // namespace sinter
