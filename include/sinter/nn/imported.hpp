// SPDX-License-Identifier: Apache-2.0
// What networks that come from files (sinter_add_model, symbol_literal) are made with.
#pragma once
#include <span>
#include <string_view>

#include "../io/narrow.hpp"
#include "layers/basic.hpp"
#include "load.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
template <class X, int Axis, auto Name> consteval auto extent_of_input() {
  if constexpr (nd::is_eager<X> || sym::is_symbol<X>) {
    if constexpr (Axis < X::shape_type::rank) return sinter::detail::spell<X::shape_type::value.d[Axis]>();
    else return Name;
  } else return Name;
}
template <class T, class S, class X> constexpr bool is_input_like() {
  if constexpr (!nd::is_eager<X> && !sym::is_symbol<X>) return true;  // what was refused before
  else {
    constexpr dims want = S::value, got = X::shape_type::value;
    bool same = std::is_same_v<typename X::value_type, T> && want.rank == got.rank;
    for (int i = 0; same && i < want.rank; ++i) same = want.d[i] < 0 || want.d[i] == got.d[i];
    return same;
  }
}
}  // namespace detail::inline SINTER_ISA

inline namespace SINTER_ISA {

// The extent of an input's axis as a template argument: into<batch, 64>.
template <class X, int Axis, auto Name> inline constexpr auto extent_of_input = detail::extent_of_input<unmarked_t<X>, Axis, Name>();

// Whether an input is of the dtype and shape for which the network was written; named dimensions may be any.
template <class T, class S, class X> constexpr bool takes_input(X const&) {
  static_assert(
      !ops::is_untyped<X>,
      "sinter: this network was written from a file for inputs of certain shapes, so that it is not called with symbols, whose shapes "
      "come later; symbol::load reads a JSON as symbols, and the file itself is exported from there");
  constexpr bool fits = detail::is_input_like<T, S, unmarked_t<X>>();
  static_assert(fits,
                "sinter: this network was written from a file for inputs of other shapes or dtypes, which its INPUTS say in "
                "sinter_add_model; the compiler prints the dtype and the shape that it takes, and the type that it is given");
  return fits;
}

// A network from a file knows its parameters by numbers and by the names that the file has for them, which are in Net::parameter_names.
// (Members that Hana describes would cost GCC 150 MB for two hundred parameters.) Parameters: a children_list.
template <class Net, class Parameters> struct imported_block;
template <class Net, class... P> struct imported_block<Net, children_list<P...>> : hybrid_block<Net>, block_list<P...> {
  SINTER_OWN static constexpr std::string_view name_of_child(int i) { return Net::parameter_names[static_cast<std::size_t>(i)]; }
  // Loads the parameters under these names, from any format that load_parameters reads.
  SINTER_OWN load_result load(std::string const& path, load_options const& options = {}) {
    return nn::load_parameters(static_cast<Net&>(*this), path, options);
  }
};
// Loads parameters from bytes that are a part of the program; weights may be there in fewer bits (io/narrow.hpp).
template <class M> void load_bytes(M& net, std::span<std::byte const> bytes, std::string const& what) {
  load_options options;
  options.cast_dtype = true;
  set_parameters(net, io::widened(io::parse_params(bytes, what)), what, options);
}

}  // namespace SINTER_ISA
}  // namespace sinter::nn
