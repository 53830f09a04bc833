// SPDX-License-Identifier: Apache-2.0
// The operations of MXNet that sinter reads, by their names.
#pragma once
#include "elementwise.hpp"
#include "layers.hpp"
#include "recurrent.hpp"
#include "reductions.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

class table {
 public:
  // Null where there is none.
  static row const* find(std::string_view op) {
    static table const all;
    auto const at = all.by_name_.find(op);
    return at == all.by_name_.end() ? nullptr : at->second;
  }

 private:
  std::vector<row> rows_;
  std::map<std::string_view, row const*> by_name_;

  table() {
    for (auto const& more : {elementwise_rows(), shape_rows(), reduction_rows(), layer_rows(), recurrent_rows()})
      rows_.insert(rows_.end(), more.begin(), more.end());
    for (row const& r : rows_) {
      by_name_.emplace(r.name, &r);
      for (std::string_view rest = r.aliases; !rest.empty();) {
        auto const blank = rest.find(' ');
        by_name_.emplace(rest.substr(0, blank), &r);
        rest = blank == std::string_view::npos ? std::string_view() : rest.substr(blank + 1);
      }
    }
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
