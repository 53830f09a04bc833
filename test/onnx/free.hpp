// SPDX-License-Identifier: Apache-2.0
// Models whose inputs have dimensions with names instead of numbers, as types have them.
#pragma once
#include <sinter/onnx.hpp>

#include <cmath>

#include "../catch.hpp"

namespace {

bool is_same(sinter::sym::array const& a, sinter::sym::array const& b) {
  if (a.type() != b.type() || !(a.shape() == b.shape())) return false;
  return sinter::with_type(a.type(), [&]<class T>(T*) {
    for (sinter::extent i = 0; i < a.shape().size(); ++i) {
      T const p = reinterpret_cast<T const*>(a.data())[i], q = reinterpret_cast<T const*>(b.data())[i];
      if (p == q || (p != p && q != q)) continue;
      double const x = static_cast<double>(p), y = static_cast<double>(q), most = sinter::bytes_of(a.type()) == 2 ? 1e-2 : 1e-5;
      if (!sinter::is_floating(a.type()) || !(std::abs(x - y) <= most * (1 + std::abs(y)))) return false;
    }
    return true;
  });
}
// Inputs of these types, whose first `axes` axes have names: one for each extent.
sinter::sym::types_by_name with_names(sinter::sym::arrays_by_name const& inputs, int axes) {
  sinter::sym::types_by_name types;
  for (auto const& [name, a] : inputs) {
    sinter::dims shape = a.shape();
    for (int i = 0; i < shape.rank && i < axes; ++i) shape.d[i] = sinter::detail::pack_name("n" + std::to_string(shape.d[i] % 100'000'000));
    types[name] = {a.type(), shape};
  }
  return types;
}
// Whether the model with these names gives `want`, or is refused; a run may refuse extents, too. `taken`: it was not refused.
bool is_same_free(sinter::onnx::model const& net, sinter::sym::arrays_by_name const& inputs, std::vector<sinter::sym::array> const& want,
                  int axes, bool& taken) {
  std::vector<sinter::sym::array> got;
  taken = false;
  try {
    std::set<std::string> decides;
    sinter::symbol const s = net.symbol_for(with_names(inputs, axes), decides);
    sinter::sym::arrays_by_name used;
    for (std::string const& name : s.list_arguments())
      if (auto const at = inputs.find(name); at != inputs.end()) used.insert(*at);
    for (sinter::sym::array const& a : s.eval(used)) got.push_back(a);
  } catch (sinter::error const&) { return true; }
  taken = true;
  bool same = got.size() == want.size();
  for (std::size_t i = 0; same && i < want.size(); ++i) same = is_same(got[i], want[i]);
  return same;
}
[[maybe_unused]] void check_free(sinter::onnx::model const& net, sinter::sym::arrays_by_name const& inputs,
                                 std::vector<sinter::sym::array> const& want) {
  for (int axes : {1, sinter::max_rank}) {
    bool taken = false;
    CHECK(is_same_free(net, inputs, want, axes, taken));
  }
}

}  // namespace
