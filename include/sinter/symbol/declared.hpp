// SPDX-License-Identifier: Apache-2.0
// What a file says of the inputs of its network, and whether arrays are such inputs.
#pragma once
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../io/array.hpp"
#include "given_types.hpp"

namespace sinter::sym::inline SINTER_ISA {

struct declared_extent {
  extent e = -1;
  std::string name;  // of a dynamic one, or nothing
};
struct declared_input {
  std::string name;
  dtype type = dtype::none;
  bool has_shape = true;
  std::vector<declared_extent> shape;
};

// Checks the inputs of one call: dtypes and ranks, that dimensions of one name have one extent, and, where they are to be kept, extents that are numbers.
class input_check {
 public:
  explicit input_check(bool keeps_numbers) : keeps_numbers_(keeps_numbers) {}
  void operator()(declared_input const& d, array_type const& a) {
    std::string const what =
        "sinter: the input " + io::in_quotes(d.name) + " of the model is given " + std::string(name_of(a.type)) + " " + to_string(a.shape);
    if (d.type != a.type) throw dtype_error(what + ", and its elements are " + std::string(name_of(d.type)));
    if (!d.has_shape) return;
    if (static_cast<int>(d.shape.size()) != a.shape.rank) throw shape_error(what + ", and has " + io::counted(d.shape.size(), "dimension"));
    for (int i = 0; i < a.shape.rank; ++i) {
      declared_extent const& want = d.shape[static_cast<std::size_t>(i)];
      extent const got = a.shape.d[i];
      if (keeps_numbers_ && want.e >= 0 && want.e != got)
        throw shape_error(what + "; dimension " + std::to_string(i) + " is " + std::to_string(want.e));
      if (want.e >= 0 || want.name.empty()) continue;
      auto const [at, is_new] = named_.emplace(want.name, std::pair(got, d.name));
      if (at->second.first != got)
        throw shape_error(what + "; dimension " + std::to_string(i) + ", " + io::in_quotes(want.name) + ", is " +
                          std::to_string(at->second.first) + " in input " + io::in_quotes(at->second.second));
    }
  }

 private:
  bool keeps_numbers_;
  std::map<std::string, std::pair<extent, std::string>> named_;  // and the input that has it first
};

// The inputs of a signature, `x: float32 (batch, 4), y: int64 (2,) -> ...`, where it is one of inputs of these names.
inline std::optional<std::vector<declared_input>> inputs_in(std::string_view signature, std::vector<std::string> const& names) {
  std::vector<declared_input> all;
  auto const take = [&](std::string_view word) {
    bool const is_next = signature.starts_with(word);
    if (is_next) signature.remove_prefix(word.size());
    return is_next;
  };
  auto const until = [&](std::string_view ends) {
    std::string_view const r = signature.substr(0, signature.find_first_of(ends));
    signature.remove_prefix(r.size());
    return r;
  };
  for (std::string const& name : names) {
    if ((!all.empty() && !take(", ")) || !take(name) || !take(": ")) return {};
    declared_input d{name, dtype_named(until(" ")), true, {}};
    if (d.type == dtype::none || !take(" (")) return {};
    while (!take(")")) {
      std::string_view const word = until(",)");
      if (word.empty() || signature.empty()) return {};
      declared_extent e;
      auto const [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), e.e);
      if (wrong != std::errc() || end != word.data() + word.size()) e = {-1, word == "?" ? std::string() : std::string(word)};
      d.shape.push_back(std::move(e));
      if (take(",")) static_cast<void>(take(" "));
    }
    all.push_back(std::move(d));
  }
  return take(" -> ") ? std::optional(std::move(all)) : std::nullopt;
}

}  // namespace sinter::sym::inline SINTER_ISA
