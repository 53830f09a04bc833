// SPDX-License-Identifier: Apache-2.0
// Random arrays. Each takes a key as an operand, so that a graph stays a function of its inputs.
#pragma once
#include "../core/random.hpp"
#include "movement.hpp"

namespace sinter::ops {

// What dropout_mask becomes: the mask from the key alone, with its type among the attributes, so that nothing waits for x.
struct random_mask : opaque_op {
  static constexpr std::string_view name = "random_mask";
  static constexpr unsigned accepts = 0;
  static constexpr int arity = 1;
  static constexpr attributes of(std::int64_t p, array_type const& t) {
    attributes a{3 + t.shape.rank, {p, static_cast<std::int64_t>(t.type), t.shape.rank}};
    for (int i = 0; i < t.shape.rank; ++i) a.v[3 + i] = t.shape.d[i];
    return a;
  }
  static constexpr inferred infer(array_type const*, int, attributes const& a, dimension_table&) {
    inferred r{{static_cast<dtype>(a.v[1]), {}}};
    for (int i = 0; i < a.v[2]; ++i) r.type.shape.push(a.v[3 + i]);
    return r;
  }
  template <class T, class I> static constexpr void run(attributes const& a, array_view<T> out, array_view<I const> key) {
    double const p = std::bit_cast<double>(a.v[0]);
    T const kept = static_cast<T>(1 / (1 - p));
    std::uint64_t const bits = static_cast<std::uint64_t>(key.data[0]);
    for (std::int64_t i = 0, n = out.shape.size(); i < n; ++i)
      out.data[i] = random_uniform(bits, static_cast<std::uint64_t>(i)) < p ? T{} : kept;
  }
};

// dropout_mask(x, key, values<P>): of the shape and dtype of x; element i is 0 with probability P and 1 / (1 - P) otherwise. It is made of
// number i of `key` (int64, of rank 0) alone, whatever x holds. (Srivastava et al., JMLR 2014; scaled in training, as in Gluon.)
struct dropout_mask {
  static constexpr std::string_view name = "dropout_mask";
  static constexpr family kind = family::composite;
  static constexpr bool promotes = false;
  static constexpr unsigned accepts = keyword::values;
  static constexpr int arity = 2;
  static constexpr attributes arguments(settings const& s, array_type const*, int) {
    return {1, {std::bit_cast<std::int64_t>(s.values[0])}};
  }
  static constexpr inferred infer(array_type const* in, int, attributes const&, dimension_table&) {
    if (!is_floating(in[0].type)) return {{}, problem::wants_floating, 0, 0};
    if (in[1].type != dtype::int64) return {{}, problem::wants_integer, 1, 1};
    if (in[1].shape.rank != 0) return {{}, problem::shapes_differ, 0, 1};
    return {in[0]};
  }
  static constexpr int expand(graph& g, int const* in, int, attributes const& a) {
    return g.make(info<random_mask>, random_mask::of(a.v[0], g.nodes[in[0]].type), in[1]);
  }
};

using random_ops = list_of<dropout_mask>;

}  // namespace sinter::ops

SINTER_USER_OP(sinter::ops::random_mask);
SINTER_OP(dropout_mask)
