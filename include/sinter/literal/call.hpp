// SPDX-License-Identifier: Apache-2.0
// What the rows of operations are written with: the values of attributes as keywords, shapes that codes make, casts.
#pragma once
#include "../core/reshape_codes.hpp"
#include "../nn/layers/basic.hpp"
#include "attributes.hpp"

namespace sinter::literal::inline SINTER_ISA {

// How an operation of MXNet is read and called, by its name: specialised in rows/. A row says
//   operands                         how many a node has
//   read(attributes&, node_facts)    the values of its attributes, as a struct
//   call<N>(F, x...)                 the operations of F; N::values are those that were read
// and perhaps
//   wanted(values, k, x)             the shape of operand k, a parameter, beside a first operand of shape x
//   results(values)                  how many results other nodes may read
//   any_attributes                   others than those that were read are no mistake
template <text Op> struct row;

struct node_facts {
  std::string_view op;
  int inputs = 0;
  bool is_numpy = false;
};
struct no_values {};

template <class X> inline constexpr dims shape_of = X::shape_type::value;
template <class X> inline constexpr dtype type_of_elements = dtype_of<typename X::value_type>;

// ---- keywords

template <class Key, whole_numbers V, int... I> constexpr auto keyword_of(std::integer_sequence<int, I...>) {
  return ops::keyword<Key, static_cast<int>(V.at[I])...>{};
}
template <class Key, whole_numbers V> inline constexpr auto list_word = keyword_of<Key, V>(std::make_integer_sequence<int, V.n>{});
template <dims D, int... I> constexpr auto into_of(std::integer_sequence<int, I...>) {
  return ops::keyword<ops::key::into, sinter::detail::spell<D.d[I]>()...>{};
}
template <dims D, int... I> constexpr auto new_shape_of(std::integer_sequence<int, I...>) {
  constexpr auto extent_at = []<extent E>(std::integral_constant<extent, E>) {
    if constexpr (E == -1) return -1;
    else return sinter::detail::spell<E>();
  };
  return ops::keyword<ops::key::into, extent_at(std::integral_constant<extent, D.d[I]>{})...>{};
}
template <dims D, class X> constexpr auto reshaped(auto F, X const& x) {
  constexpr dims to = with_one_open(D, shape_of<X>);
  return F.reshape(x, new_shape_of<to>(std::make_integer_sequence<int, to.rank>{}));
}
template <dims D> constexpr auto into_word() { return into_of<D>(std::make_integer_sequence<int, D.rank>{}); }

constexpr dims dims_of(whole_numbers const& all) {
  dims r;
  for (std::int64_t const v : all)
    if (r.rank < max_rank) r.push(v);
  return r;
}

// ---- dtypes

template <dtype T, class X> constexpr auto cast_to(auto F, X const& x) { return F.cast(x, ops::keyword<ops::key::as, T>{}); }
// A number beside arrays of dtype T, as a literal of C++ would be.
template <dtype T, double V> constexpr auto number_beside() {
  if constexpr (is_floating(T)) return V;
  else {
    constexpr bool whole = V >= -0x1p53 && V <= 0x1p53 && V == static_cast<double>(static_cast<std::int64_t>(V));
    static_assert(whole, "sinter: a node of this symbol JSON puts a number with a fraction beside an array of integers");
    if constexpr (V >= INT32_MIN && V <= INT32_MAX) return static_cast<int>(V);
    else return static_cast<std::int64_t>(V);
  }
}
// Indices and lengths, which MXNet keeps in floats, too: cut towards 0.
template <class X> constexpr auto as_index(auto F, X const& x) {
  if constexpr (type_of_elements<X> == dtype::int32 || type_of_elements<X> == dtype::int64) return x;
  else return cast_to<dtype::int64>(F, x);
}
template <class X> constexpr auto as_truth(auto F, X const& x) {
  if constexpr (type_of_elements<X> == dtype::boolean) return x;
  else return F.not_equal(x, number_beside<type_of_elements<X>, 0.0>());
}
// MXNet's comparisons give 0 and 1 in the dtype of the operands, in the numpy mode bool.
template <class N, dtype T> constexpr auto in_numbers(auto F, auto const& truth) {
  if constexpr (N::facts.is_numpy) return truth;
  else return cast_to<T>(F, truth);
}

}  // namespace sinter::literal::inline SINTER_ISA
