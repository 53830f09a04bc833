// SPDX-License-Identifier: Apache-2.0
// Finds for each parameter of a network its array in a file: by name, or by order, ending and shape.
#pragma once
#include "detail/by_order.hpp"
#include "detail/names.hpp"

namespace sinter::io::inline SINTER_ISA {
namespace detail {
// The arrays without their elements, by the names that the network has for them.
template <class = void> std::vector<array> renamed(std::vector<array> const& arrays, std::vector<wanted> const& want,
                                                   std::string const& file, renaming const& names) {
  for (auto const& [from, to] : names.map()) {
    if (std::none_of(arrays.begin(), arrays.end(), [&](array const& a) { return a.name == from; }))
      throw parameter_error("sinter: " + file + " has no array " + in_quotes(from) + ", which is to be " + in_quotes(to));
    if (want.empty() || std::any_of(want.begin(), want.end(), [&](wanted const& w) { return dotted(w.name) == dotted(to); })) continue;
    auto const slip = std::find_if(want.begin(), want.end(), [&](wanted const& w) { return is_slip(dotted(to), dotted(w.name)); });
    throw parameter_error("sinter: array " + in_quotes(from) + " of " + file + " is to be " + in_quotes(to) +
                          ", and the network has no such parameter" +
                          (slip == want.end() ? "" : "; is " + in_quotes(slip->name) + " meant?"));
  }
  std::vector<array> r;
  r.reserve(arrays.size());
  for (array const& a : arrays) r.push_back({names(a.name), a.type, a.shape, {}});
  return r;
}
}  // namespace detail

// The index in `have` of each wanted parameter, or -1 for one that `allow_missing` permits to lack. If the file has an array of each
// structural name, those; `arg:`, `aux:`, a prefix that all share and the signs between the parts (net0_hidden_weight) do not count. (With
// `ignore_extra` the prefix of some is enough, where it brings all parameters and none has its exact name.) The children of a sequence may
// have other numbers (0, 2, 4 for 0, 1, 2), where both have as many and one leaves out more of them everywhere.
// Else, where the file keeps an order and the names hold nothing but counters (`hybridsequential0_dense1_bias`), or `by_order` says so: the
// k-th array whose name ends in the last part of the wanted name (`weight`, `running_mean`) is the k-th parameter that does. Shapes and
// dtypes must agree. `names` renames the arrays first. It is all or nothing: what is missing, left over, of another shape, or ambiguous is a
// parameter_error.
//   auto which = sinter::io::match(arrays, {{"0.weight", dtype::float32, {128, 64}}}, "digits-mlp-0000.params");
template <class = void>
std::vector<int> match(std::vector<array> const& have, std::vector<wanted> const& want, std::string const& file,
                       load_options const& options = {}, array_order order = array_order::unknown) {
  if (options.names.changes_names())
    return detail::matcher<>(detail::renamed(have, want, file, options.names), want, file, options, order).run();
  return detail::matcher<>(have, want, file, options, order).run();
}

}  // namespace sinter::io::inline SINTER_ISA
