// SPDX-License-Identifier: Apache-2.0
// Attention in blocks of rows beside its three operations, one after the other: the same bits for any number of places, threads and batches.
#include <cstring>
#include <limits>

#include "../builds.hpp"
#include "../sanitized.hpp"
#include "network.hpp"

namespace {

using namespace sinter;

template <int Heads, bool Causal> struct attend {
  constexpr auto operator()(auto F, auto const& q, auto const& k, auto const& v) const {
    if constexpr (Causal) return F.scaled_dot_product_attention(q, k, v, num_heads<Heads>, is_causal);
    else return F.scaled_dot_product_attention(q, k, v, num_heads<Heads>);
  }
};
template <int Heads> struct attend_where {
  constexpr auto operator()(auto F, auto const& q, auto const& k, auto const& v, auto const& mask) const {
    return F.scaled_dot_product_attention(q, k, v, mask, num_heads<Heads>);
  }
};
template <class T> T noise(dims const& extents, unsigned seed) {
  T t(extents);
  for (int i = 0; i < t.size(); ++i) {
    seed = seed * 1664525 + 1013904223;
    t[i] = static_cast<typename T::value_type>(static_cast<int>(seed >> 16) % 1000 - 500) / 250;
  }
  return t;
}
constexpr int heads = 3, width = 8;
// (n, t, heads * width) as (n, heads, t, width), and back.
template <class Result> Result turned(auto const& x, dims const& extents, std::int64_t inner, std::int64_t outer) {
  Result r(extents);
  std::int64_t const batches = extents.d[0], all = batches ? x.size() / batches : 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    std::int64_t const b = i / all, o = i % all / (inner * width), n = i / width % inner, w = i % width;
    r.data()[b * all + (n * outer + o) * width + w] = x.data()[i];
  }
  return r;
}
template <class T, auto Place> using parted = nd::tensor<T, shape<dim<"n">, heads, Place, width>>;
// One operation after the other, so that nothing can run together. sees(batch, query, key)
template <class Q, class K, class Sees> auto by_parts(Q const& q, K const& k, K const& v, Sees const& sees) {
  using T = typename Q::value_type;
  std::int64_t const n = q.shape().d[0], t = q.shape().d[1], s = k.shape().d[1];
  auto const queries = turned<parted<T, dim<"t">>>(q, {n, heads, t, width}, heads, t);
  auto const with = turned<parted<T, dim<"s">>>(k, {n, heads, s, width}, heads, s);
  auto const values = turned<parted<T, dim<"s">>>(v, {n, heads, s, width}, heads, s);
  auto const scores = matmul(multiply(queries, static_cast<T>(1 / math::sqrt(double{width}))), with, transpose_b);
  for (std::int64_t i = 0; i < scores.size(); ++i)
    if (!sees(i / s / t / heads, i / s % t, i % s)) scores.data()[i] = -std::numeric_limits<T>::infinity();
  return turned<Q>(matmul(softmax(scores, axis<3>), values), q.shape(), t, heads);
}
template <class A, class B> bool same_elements(A const& a, B const& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) == 0;
}
template <class T> using any = nd::tensor<T, shape<dim<"n">, dim<"t">, 24>>;
template <class T> using keys = nd::tensor<T, shape<dim<"n">, dim<"s">, 24>>;

template <class T, bool Causal> void check_any(int batches, int places, int all) {
  INFO(batches << " batches of " << places << " places that see " << all);
  auto const q = noise<any<T>>({batches, places, 24}, 1);
  auto const k = noise<keys<T>>({batches, all, 24}, 2), v = noise<keys<T>>({batches, all, 24}, 3);
  auto const fast = hybridize(attend<heads, Causal>{});
  CHECK(same_elements(fast.network(q, k, v), by_parts(q, k, v, [](auto, auto i, auto j) { return !Causal || j <= i; })));
}

}  // namespace

TEST_CASE("attention of any number of places") {
  for (int places : {1, 4, 5, 15, 16, 17, 31, 32, 33, 47, 100, 261}) check_any<float, false>(2, places, 40);
  for (int places : {3, 40, 300}) {
    check_any<float, true>(1, places, places);
    check_any<float, false>(2, 40, 10 * places);
    check_any<double, false>(1, places, 500);
  }
  check_any<float, false>(0, 5, 5);
  check_any<float, false>(3, 0, 5);
  check_any<float, false>(2, 40, 0);
}
TEST_CASE("attention with a mask, of one number of places") {
  using places = f32<2, 300, 24>;
  auto const q = noise<any<float>>({2, 300, 24}, 4);
  auto const k = noise<keys<float>>({2, 300, 24}, 5);
  places const y = noise<places>({2, 300, 24}, 5);
  places x = noise<places>({2, 300, 24}, 4);
  nd::tensor<bool, shape<2, 1, 1, 300>> mask;
  for (int i = 0; i < 600; ++i) mask.data()[i] = i % 7 != 3;
  auto const want = by_parts(q, k, k, [&](auto b, auto, auto j) { return mask.data()[b * 300 + j]; });
  auto const fast = hybridize(attend_where<heads>{});
  CHECK(same_elements(fast.network(x, y, y, mask), want));
  CHECK(same_elements(scaled_dot_product_attention(x, y, y, mask, num_heads<heads>), want));
  using plan = compiled_t<decltype(fast.network), places, places, places, nd::tensor<bool, shape<2, 1, 1, 300>>>;
  static_assert(plan::arena_bytes < 2 * 3 * 300 * 300 * 4);
  // The result lies where the queries do.
  fast.network(x, y, y, mask, x);
  CHECK(same_elements(x, want));
}
// Each block reads columns of q.
struct one_head {
  constexpr auto operator()(auto F, auto const& q, auto const& k) const {
    return F.matmul(F.softmax(F.matmul(q, k, transpose_a, transpose_b)), k);
  }
};
TEST_CASE("a result where an earlier kernel reads the next block") {
  auto const q = noise<f32<300, 300>>({300, 300}, 8);
  auto k = noise<f32<300, 300>>({300, 300}, 9);
  auto const fast = hybridize(one_head{}).network;
  auto const want = fast(q, k).copy(), other = fast(k, k).copy();
  static_assert(compiled_t<std::remove_const_t<decltype(fast)>, shape<300, 300>, shape<300, 300>>::plan.groups[0].together == 2);
  CHECK(same_elements(want, matmul(softmax(matmul(q, k, transpose_a, transpose_b)), k)));
  auto x = q.copy();
  fast(x, k, x);
  CHECK(same_elements(x, want));
  fast(k, k, k);
  CHECK(same_elements(k, other));
}
TEST_CASE("attention in a network whose weights have fewer bits") {
#if defined(SINTER_XSIMD)
  using places = f32<1, 300, 24>;
  auto const q = noise<places>(places::shape_type::value, 6);
  auto const fast = hybridize(attend<heads, false>{}).network;
  nn::hybrid_lambda<attend<heads, false>> const net;
  CHECK(same_elements(net.hybridize(weights::bf16)(q, q, q), fast(q, q, q)));
#endif
}
TEST_CASE("attention in several threads") {
#if defined(SINTER_XSIMD)
  unsigned const before = simd::threads();
  for (unsigned threads : {1u, 2u, 5u}) {
    if (SINTER_SANITIZED && threads < 5) continue;
    simd::set_threads(threads);
    check_any<float, false>(1, 700, 600);
    check_any<float, true>(4, 300, 300);
  }
  simd::set_threads(before);
#endif
}
TEST_CASE("attention in a constant expression") {
  constexpr float first = [] {
    nd::tensor<float, shape<dim<"n">, dim<"t">, 2>> x({1, 3, 2});
    for (int i = 0; i < 6; ++i) x.data()[i] = static_cast<float>(i) / 4;
    auto const y = hybridize(attend<1, true>{}).network(x, x, x);
    return y.data()[0] + y.data()[1];
  }();
  static_assert(first == 0.25f);
}
