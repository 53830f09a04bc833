// SPDX-License-Identifier: Apache-2.0
// What follows from the shapes and dtypes of some variables of a symbol: those of all others and of the outputs, and its graph.
#pragma once
#include "typed.hpp"

namespace sinter {

inline sym::of_all<array_type> symbol::infer(sym::types_by_name const& given) const {
  sym::typed_graph const t(*this, given);
  sym::of_all<array_type> r;
  for (auto const& v : t.variables) r.arguments.push_back(v.type);
  for (int i = 0; i < outputs(); ++i) {
    array_type const& type = t.g.nodes[t.g.outputs[i]].type;
    r.outputs.push_back({type.type, ops::as_typed(type.shape)});
  }
  return r;
}
namespace sym::inline SINTER_ISA {
// The shapes alone, or the dtypes.
template <class What> of_all<What> part_of(of_all<array_type> const& all, What array_type::* part) {
  of_all<What> r;
  for (array_type const& t : all.arguments) r.arguments.push_back(t.*part);
  for (array_type const& t : all.outputs) r.outputs.push_back(t.*part);
  return r;
}
}  // namespace sym::inline SINTER_ISA
inline sym::of_all<dims> symbol::infer_shape(std::map<std::string, dims> const& given) const {
  sym::types_by_name all;
  for (auto const& [name, shape] : given) all[name] = {dtype::none, shape};
  return part_of(infer(all), &array_type::shape);
}
inline sym::of_all<dtype> symbol::infer_type(std::map<std::string, dtype> const& given) const {
  sym::types_by_name all;
  for (auto const& [name, type] : given) all[name] = {type, unknown_dims};
  return part_of(infer(all), &array_type::type);
}
inline graph symbol::graph_of(sym::types_by_name const& given) const { return sym::typed_graph(*this, given).g; }

}  // namespace sinter
