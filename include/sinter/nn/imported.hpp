// SPDX-License-Identifier: Apache-2.0
// What networks that were written from files (sinter_add_model) are made with.
#pragma once
#include <span>
#include <string_view>

#include "layers.hpp"
#include "load.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
template <class X, int Axis, auto Name> consteval auto extent_of_input() {
  if constexpr (nd::is_tensor<X> || sym::is_symbol<X>) {
    if constexpr (Axis < X::shape_type::rank) return sinter::detail::spell<X::shape_type::value.d[Axis]>();
    else return Name;
  } else return Name;
}
template <class T, class S, class X> constexpr bool is_input_like() {
  if constexpr (!nd::is_tensor<X> && !sym::is_symbol<X>) return true;  // what was refused before
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
      "come later; symbol::load or onnx::load reads the file as symbols");
  constexpr bool fits = detail::is_input_like<T, S, unmarked_t<X>>();
  static_assert(fits,
                "sinter: this network was written from a file for inputs of other shapes or dtypes, which its INPUTS say in "
                "sinter_add_model; the compiler prints the dtype and the shape that it takes, and the type that it is given");
  return fits;
}

struct file_name {
  std::string_view file, member;
};
// Loads parameters under the names that the model's own file has for them; arrays of other names are looked for as load_parameters does.
template <class M>
void load_named(M& net, std::span<file_name const> names, std::string const& path, load_options const& options = {}) {
  io::array_file file = io::open_arrays(path);
  for (io::array& a : file.arrays) {
    std::string_view const bare = io::detail::bare_name(a.name);
    for (file_name const& n : names)
      if (n.file == bare) {
        a.name = n.member;
        break;
      }
  }
  set_parameters(net, file.arrays, path, options, file.access);
}
// The same from bytes that are a part of the program, and have the members' names.
template <class M> void load_bytes(M& net, std::span<std::byte const> bytes, std::string const& what) {
  set_parameters(net, io::parse_params(bytes, what), what);
}

}  // namespace SINTER_ISA
}  // namespace sinter::nn
