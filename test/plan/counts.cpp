// SPDX-License-Identifier: Apache-2.0
// A plan's numbers are what its kernels do: launches, operations, and distinct elements that each operand of each kernel reads and writes.
#include <sinter/compile/hybridized.hpp>

#include <set>
#include <tuple>

#include "../catch.hpp"

using namespace sinter;

namespace {

// Counts what the reference kernels do.
struct counting {
  static inline std::int64_t launches = 0, operations = 0, loads = 0, stores = 0, bytes_read = 0, bytes_written = 0;
  static inline std::set<std::tuple<bool, int, void const*>> seen;  // of the kernel that runs

  static void reset() {
    seen.clear();
    launches = operations = loads = stores = bytes_read = bytes_written = 0;
  }
  static void launch() {
    ++launches;
    seen.clear();
  }
  static void operation(int flops) { operations += flops; }
  template <class T> static void load(int operand, T const* at) {
    if (!seen.insert({false, operand, at}).second) return;
    ++loads;
    bytes_read += static_cast<std::int64_t>(sizeof(T));
  }
  template <class T> static void store(int operand, T const* at) {
    if (!seen.insert({true, operand, at}).second) return;
    ++stores;
    bytes_written += static_cast<std::int64_t>(sizeof(T));
  }
};
using backend = reference::probed<counting>;

template <class T, class S> nd::tensor<T, S> numbers(extent batch) {
  dims d = S::value;
  for (int i = 0; i < d.rank; ++i)
    if (d.d[i] < 0) d.d[i] = batch;
  nd::tensor<T, S> t(d);
  for (extent i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>(i % 13 - 6);
  return t;
}

// Runs the network once and compares. X: tensors, whose dynamic dimensions are `batch`.
template <class... X, class M> void check(M net, int kernels, extent batch = 1) {
  using C = compiled_t<M, X...>;
  INFO("batch " << batch);
  net.initialize();
  auto const fast = net.template hybridize<backend>();
  auto const run = [&] { (void)fast(numbers<typename X::value_type, typename X::shape_type>(batch)...); };
  run();
  counting::reset();
  run();
  binding b;
  b.value[0] = batch;
  costs const c = C::cost_at(b);
  CHECK(C::kernels == kernels);
  CHECK(counting::launches == C::kernels);
  CHECK(counting::operations == c.flops);
  CHECK(counting::loads == c.loads);
  CHECK(counting::stores == c.stores);
  CHECK(counting::bytes_read == c.bytes_read);
  CHECK(counting::bytes_written == c.bytes_written);
  if constexpr (C::fixed) {
    CHECK(C::flops == counting::operations);
    CHECK(C::bytes_moved == counting::bytes_read + counting::bytes_written);
  }
}
template <class S> using f32 = nd::tensor<float, S>;
template <class X, class M> void check_batches(M const& net, int kernels) {
  for (extent const n : {0, 1, 7, 64}) check<X>(net, kernels, n);
}

struct residual : nn::hybrid_block<residual> {
  BOOST_HANA_DEFINE_STRUCT(residual, (nn::dense<8>, up), (nn::dense<6>, down));
  constexpr auto hybrid_forward(auto F, auto x) const { return x + down(F.relu(up(x))); }
};
struct normed : nn::hybrid_block<normed> {
  BOOST_HANA_DEFINE_STRUCT(normed, (nn::layer_norm<>, norm), (nn::dense<5>, out));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmax(out(norm(x))); }
};

}  // namespace

TEST_CASE("counts of multilayer perceptrons") {
  auto const seed = nn::hybrid_sequential{nn::dense<16, nn::relu>{}, nn::dense<8, nn::relu>{}, nn::dense<2>{}};
  check<f32<shape<1, 32>>>(seed, 3);
  check<f32<shape<5, 32>>>(seed, 3);
  check_batches<f32<shape<dim<"batch">, 32>>>(seed, 3);
  check<f32<shape<3, 7>>>(nn::hybrid_sequential{nn::dense<4, nn::gelu>{}, nn::dense<3, nn::softmax>{}}, 3);
}
TEST_CASE("counts of residual blocks and rows") {
  check_batches<f32<shape<dim<"batch">, 6>>>(nn::hybrid_sequential{residual{}, residual{}}, 4);
  check_batches<f32<shape<dim<"batch">, 6>>>(normed{}, 3);
  check_batches<f32<shape<dim<"batch">, 6>>>(
      nn::hybrid_lambda{[](auto F, auto x) { return std::tuple{F.log_softmax(x), F.sum(F.exp(x), axis<1>), F.mean(x, axis<0>)}; }}, 3);
  check<f32<shape<4, 6>>>(nn::hybrid_lambda{[](auto F, auto x) { return F.layer_norm(x, F.sum(x, axis<0>), F.max(x, axis<0>)); }}, 3);
}
TEST_CASE("counts of networks with several outputs and branches") {
  check<f32<shape<3, 4>>, f32<shape<3, 4>>>(nn::hybrid_lambda{[](auto F, auto a, auto b) {
                                              auto c = F.multiply(b, a);
                                              return std::tuple{c, c + 1};
                                            }},
                                            1);
  check_batches<f32<shape<dim<"batch">, 6>>>(
      nn::hybrid_concurrent{nn::dense<4, nn::relu>{}, nn::dense<3>{}, nn::activation<nn::tanh>{}, nn::identity{}}, 3);
  check<f32<shape<3, 4>>>(
      nn::hybrid_lambda{[](auto F, auto x) { return F.where(x > 0, x, F.slice(F.transpose(x) * 2, begin<0, 0>, end<1, 1>)); }}, 2);
  check<f32<shape<3, 4>>, nd::tensor<std::int32_t, shape<4>>>(
      nn::hybrid_lambda{[](auto F, auto x, auto i) { return F.argmax(x, axis<1>) + F.cast(F.sum(i), as<std::int64_t>); }}, 2);
}
TEST_CASE("counts of products") {
  auto const with_prologue = nn::hybrid_lambda{[](auto F, auto x, auto w) { return F.relu(F.matmul(F.relu(x) + 1, w)); }};
  check<f32<shape<3, 4>>, f32<shape<4, 5>>>(with_prologue, 1);
  check<f32<shape<2, 3, 4>>, f32<shape<4, 5>>>(with_prologue, 1);
  check<f32<shape<3, 4>>, f32<shape<2, 4, 5>>>(with_prologue, 1);
  check<f32<shape<2, 3, 4>>, f32<shape<2, 4, 5>>>(with_prologue, 1);
  check<f32<shape<3, 0>>, f32<shape<0, 5>>>(with_prologue, 1);
  auto const row_prologue =
      nn::hybrid_lambda{[](auto F, auto x, auto w) { return F.matmul(x * F.slice(x, begin<0>, end<1>), w, transpose_b); }};
  check<f32<shape<3, 4>>, f32<shape<5, 4>>>(row_prologue, 1);
  auto const batched = nn::hybrid_lambda{[](auto F, auto x, auto y) { return F.matmul(x, y, transpose_a); }};
  check<f32<shape<2, 1, 4, 3>>, f32<shape<5, 4, 2>>>(batched, 1);
  for (extent const n : {0, 1, 7, 64}) check<f32<shape<dim<"batch">, 3, 4>>, f32<shape<4, 2>>>(with_prologue, 1, n);
}
TEST_CASE("counts of convolutions") {
  auto const layer = nn::hybrid_lambda{[](auto F, auto x, auto w, auto b) { return F.relu(F.convolution(x, w, b, pad<1>)); }};
  check<f32<shape<2, 3, 4, 5>>, f32<shape<6, 3, 3, 3>>, f32<shape<6>>>(layer, 1);
  check<f32<shape<2, 3, 4, 5>>, f32<shape<6, 3, 1, 1>>, f32<shape<6>>>(layer, 1);
  auto const grouped = nn::hybrid_lambda{[](auto F, auto x, auto w) { return F.convolution(F.relu(x) + 1, w, groups<2>, dilate<2>); }};
  check<f32<shape<2, 4, 9>>, f32<shape<6, 2, 3>>>(grouped, 1);
  for (extent const n : {0, 1, 7}) check<f32<shape<dim<"batch">, 4, 9>>, f32<shape<6, 2, 3>>>(grouped, 1, n);
}
