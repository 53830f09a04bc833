// SPDX-License-Identifier: Apache-2.0
// Writes composite operations in terms of others.
#pragma once
#include "../ops/view.hpp"
#include "rewrite.hpp"

namespace sinter::passes {

// exact: it is the definition.
//   softmax(x)          ->  exp(x - max(x)) * (1 / sum(exp(x - max(x))))
//   sum(x, axis<1>)     ->  reshape(sum(x, axis<1>, keepdims))
constexpr graph expand(graph g) {
  return rewrite(std::move(g), [](graph& r, int i) {
    node const k = r.nodes[i];
    r.scope = r.scope_of(k);
    if (k.op->kind == family::composite) {
      list<int> in;
      for (int j = 0; j < k.in.n; ++j) in.push(r.operand(k, j));
      return k.op->expand(r, in.data(), k.in.n, r.attributes_of(k));
    }
    if (k.op->kind == family::reduction && r.attrs[k.attrs].v[1] == 0) {
      attributes a = r.attrs[k.attrs];
      a.v[1] = 1;
      int const in = r.operand(k, 0);
      inferred why;
      int const kept = r.apply(*k.op, &in, 1, a, why);
      return r.append(ops::info<ops::reshape>, k.type, &kept, 1, ops::reshape::to_shape(k.type.shape));
    }
    return i;
  });
}

}  // namespace sinter::passes
