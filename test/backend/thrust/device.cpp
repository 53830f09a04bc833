// SPDX-License-Identifier: Apache-2.0
// Tensors and networks on the device: where they lie, what is queued where, and how many kernels that is. The results have the bits of the
// reference, which adds short rows in the same order; a GPU's libraries add products in another one.
#include <sinter/nn/collect.hpp>
#include <sinter/nn/layers/convolution.hpp>
#include <sinter/nn/layers/norms.hpp>
#include <sinter/nn/layers/transformer.hpp>
#include <sinter/thrust.hpp>

#include <cmath>
#include <limits>
#include <sstream>
#include <thread>

#include "../../bits.hpp"
#include "../../catch.hpp"

namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace device = sinter::device;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = nd::tensor<float, shape<D...>>;
template <auto... D> using on_device = nd::tensor<float, shape<D...>, device::gpu_t>;

namespace {

struct classifier : nn::hybrid_block<classifier> {
  BOOST_HANA_DEFINE_STRUCT(classifier, (nn::dense<24>, hidden), (nn::layer_norm<>, norm), (nn::dense<10>, output));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const h = F.gelu(norm(hidden(x)) + 1);
    return F.softmax(output(h) * F.arange(sinter::values<10>));
  }
};
struct thinned : nn::hybrid_block<thinned> {
  BOOST_HANA_DEFINE_STRUCT(thinned, (nn::dense<8>, layer), (nn::dropout<0.5>, drop));
  constexpr auto hybrid_forward(auto, auto x) const { return drop(layer(x)); }
};

struct most_and_twice : nn::hybrid_block<most_and_twice> {  // a lambda inside a test confuses nvcc
  BOOST_HANA_DEFINE_STRUCT(most_and_twice);
  constexpr auto hybrid_forward(auto F, auto x) const { return std::tuple{F.max(x, sinter::axis<1>), x * 2}; }
};
using padded = nn::conv2d<6, 3, 1, 1, 1, 1, nn::relu>;
using halved = nn::conv2d<4, 1, 2>;
using in_groups = nn::conv2d<8, 3, 1, 1, 2, 4>;
struct convolutions : nn::hybrid_block<convolutions> {
  BOOST_HANA_DEFINE_STRUCT(convolutions, (padded, first), (halved, second), (in_groups, third));
  constexpr auto hybrid_forward(auto, auto x) const { return third(second(first(x))); }
};

using written_out = nn::conv2d<16, 3, 1, 1>;
using as_it_lies = nn::conv2d<32, 1>;
using in_two_groups = nn::conv2d<32, 3, 2, 1, 1, 2>;
using solid = nn::conv3d<16, 2>;
// Large enough for products of matrices: written out, as the image lies, in groups, in three dimensions.
struct large_convolutions : nn::hybrid_block<large_convolutions> {
  BOOST_HANA_DEFINE_STRUCT(large_convolutions, (written_out, first), (as_it_lies, second), (in_two_groups, third));
  constexpr auto hybrid_forward(auto F, auto x) const { return third(second(F.relu(first(x)))); }
};
struct solid_convolution : nn::hybrid_block<solid_convolution> {
  BOOST_HANA_DEFINE_STRUCT(solid_convolution, (solid, layer));
  constexpr auto hybrid_forward(auto, auto x) const { return layer(x); }
};

struct attention : nn::hybrid_block<attention> {
  BOOST_HANA_DEFINE_STRUCT(attention);
  constexpr auto hybrid_forward(auto F, auto q, auto k, auto v) const {
    return F.scaled_dot_product_attention(q, k, v, sinter::num_heads<2>);
  }
};
struct causal_attention : nn::hybrid_block<causal_attention> {
  BOOST_HANA_DEFINE_STRUCT(causal_attention);
  constexpr auto hybrid_forward(auto F, auto q, auto k, auto v) const {
    return F.scaled_dot_product_attention(q, k, v, sinter::num_heads<2>, sinter::is_causal);
  }
};
// Probabilities that lie across, factors that are computed, and rows of which two reductions are added.
struct unusual_attention : nn::hybrid_block<unusual_attention> {
  BOOST_HANA_DEFINE_STRUCT(unusual_attention);
  constexpr auto hybrid_forward(auto F, auto q, auto k, auto v) const {
    auto const s = F.abs(F.matmul(F.relu(q), F.transpose(k, sinter::axes<0, 2, 1>)) + 1);
    return F.relu(F.matmul(s / F.sum(s, sinter::axis<2>, sinter::keepdims) - F.max(s, sinter::axis<2>, sinter::keepdims) / 64, v) * 2);
  }
};

struct over_the_maximum : nn::hybrid_block<over_the_maximum> {
  BOOST_HANA_DEFINE_STRUCT(over_the_maximum);
  constexpr auto hybrid_forward(auto F, auto x) const { return x + 1 / F.max(x, sinter::axis<1>, sinter::keepdims); }
};
struct sum_of_products : nn::hybrid_block<sum_of_products> {
  BOOST_HANA_DEFINE_STRUCT(sum_of_products);
  constexpr auto hybrid_forward(auto F, auto x, auto y) const { return F.sum(x * y, sinter::axes<1, 2>); }
};
struct product_and_next : nn::hybrid_block<product_and_next> {
  BOOST_HANA_DEFINE_STRUCT(product_and_next);
  constexpr auto hybrid_forward(auto F, auto a, auto b) const {
    auto const c = F.multiply(b, a);
    return std::tuple{c, c + 1};
  }
};

// A tensor, not its type alone: nvcc loses the name of a dimension between a function's explicit template arguments.
template <class T> T filled(T t = T()) {
  for (int i = 0; i < t.size(); ++i) t[i] = static_cast<typename T::value_type>((i * 37 % 23) - 11) / 8;
  return t;
}
template <class T, class S> void check_same(nd::tensor<T, S> const& a, nd::tensor<T, S> const& b) {
  REQUIRE(a.shape() == b.shape());
  for (int i = 0; i < a.size(); ++i)
    if (!test::same_bits(a[i], b[i])) FAIL_CHECK("element " << i << " is " << +a[i] << ", not " << +b[i]);
}
// Small whole numbers, whose sums are exact in any order.
template <class T> T small(T x = T()) {
  for (int i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 5 % 11 - 5);
  return x;
}
// For what sums of products are in.
template <class T, class S> void check_products(nd::tensor<T, S> const& a, nd::tensor<T, S> const& b) {
#if SINTER_GPU_CUDA
  REQUIRE(a.shape() == b.shape());
  for (int i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= 4e-6f * (1 + std::abs(b[i])))) FAIL_CHECK("element " << i << " is " << a[i] << ", not " << b[i]);
#else
  check_same(a, b);
#endif
}
template <class Call> std::string message_of(Call call) {
  try {
    call();
  } catch (sinter::error const& e) { return e.what(); }
  return "nothing was thrown";
}
template <class Call> std::int64_t launches_of(Call call) {
  std::int64_t const before = device::gpu.launches();
  call();
  return device::gpu.launches() - before;
}
// On the reference kernels: eager operations use those of the program.
template <class Net, class... X> auto reference(Net const& net, X const&... x) {
  return net.template hybridize<sinter::reference::backend>()(x...);
}

}  // namespace

TEST_CASE("a tensor goes to the device and comes back") {
  auto const x = filled<f32<3, 5>>();
  on_device<3, 5> const there = x.to(device::gpu);
  check_same(there.to(device::cpu), x);
  check_same(there.to(device::gpu).copy().to(device::cpu), x);
  check_same(sinter::transpose(x).to(device::gpu).to(device::cpu), sinter::transpose(x).copy());
  check_same(sinter::transpose(there).to(device::cpu), sinter::transpose(x).copy());
  check_same(on_device<2, 2>().to(device::cpu), f32<2, 2>{0, 0, 0, 0});
  check_same(filled(f32<dim<"batch">, 2>({0, 2})).to(device::gpu).to(device::cpu), f32<dim<"batch">, 2>({0, 2}));
  std::ostringstream text;
  text << f32<2>{1, 2}.to(device::gpu);
  CHECK(text.str() == "[1, 2]");
}

TEST_CASE("copies into memory of the host's are queued") {
  auto const x = filled<f32<4, 4>>();
  auto const host = sinter::pinned<float, shape<4, 4>>();
  (x.to(device::gpu) * 2).copy_to(host);
  sinter::waitall();
  check_same(host, x * 2);
  f32<dim<"batch">, 4> const wrong({3, 4});
  CHECK(message_of([&] { filled(f32<dim<"batch">, 4>({2, 4})).to(device::gpu).copy_to(wrong); }) ==
        "sinter: a tensor of shape (2, 4) is copied to one of shape (3, 4)");
}

TEST_CASE("eager operations stay on the device") {
  auto const a = filled<f32<3, 5>>();
  auto const b = filled<f32<5>>() + 3;
  auto const there = a.to(device::gpu);
  on_device<3, 5> const sum = there / b.to(device::gpu) + 1;
  check_same(sum.to(device::cpu), a / b + 1);
  check_same(sinter::slice(there, sinter::begin<0, 1>, sinter::step<2, 2>).to(device::cpu),
             sinter::slice(a, sinter::begin<0, 1>, sinter::step<2, 2>).copy());
  check_same(sinter::sort(there).to(device::cpu), sinter::sort(a));
  nd::tensor<std::int64_t, shape<3>, device::gpu_t> const where = sinter::argmax(there, sinter::axis<1>);
  check_same(where.to(device::cpu), sinter::argmax(a, sinter::axis<1>));
  check_same(sinter::cast(there, sinter::as<int>).to(device::cpu), sinter::cast(a, sinter::as<int>));
  auto const square = filled<f32<4, 4>>();
  on_device<4, 4> given = square.to(device::gpu).copy();
  nd::out(given).matmul(given, given);
  nd::out(sinter::transpose(given)).add(given, 1);
  check_same(given.to(device::cpu), sinter::transpose(sinter::matmul(square, square) + 1).copy());
}

template <class Net, class Q, class K> static void check_attention(Net const& net, Q const& q, K const& k, K const& v) {
  auto const fast = net.hybridize();
  auto const a = q.to(device::gpu);
  auto const b = k.to(device::gpu), c = v.to(device::gpu);
  check_products(fast(a, b, c).to(device::cpu), reference(net, q, k, v));
  using plan = sinter::compiled_t<decltype(fast), decltype(a), decltype(b), decltype(c)>;
  CHECK(launches_of([&] { (void)fast(a, b, c); }) == sinter::device_kernels<plan>);
}
TEST_CASE("what lies between the products of attention is no array") {
  auto const of = [](auto t, int factor) {
    for (std::int64_t i = 0; i < t.size(); ++i) t[i] = static_cast<typename decltype(t)::value_type>(i * factor % 101 - 50) / 32;
    return t;
  };
  check_attention(attention{}, of(f32<2, 150, 24>(), 37), of(f32<2, 150, 24>(), 59), of(f32<2, 150, 24>(), 83));
  check_attention(attention{}, of(f32<1, 40, 130>(), 37), of(f32<1, 2000, 130>(), 59), of(f32<1, 2000, 130>(), 83));
  check_attention(attention{}, of(f32<1, 40, 8>(), 37), of(f32<1, 4000, 8>(), 59), of(f32<1, 4000, 8>(), 83));  // does not fit
  check_attention(causal_attention{}, of(f32<1, 201, 24>(), 37), of(f32<1, 201, 24>(), 59), of(f32<1, 201, 24>(), 83));
  check_attention(unusual_attention{}, of(f32<3, 133, 9>(), 37), of(f32<3, 133, 9>(), 59), of(f32<3, 133, 9>(), 83));
  using more_precise = nd::tensor<double, shape<2, 150, 24>>;
  check_attention(attention{}, of(more_precise(), 37), of(more_precise(), 59), of(more_precise(), 83));
#if SINTER_GPU_CUDA
  using plan = sinter::compiled_t<attention, shape<2, 150, 24>, shape<2, 150, 24>, shape<2, 150, 24>>;
  static_assert(sinter::device_kernels<plan> == 1 && plan::kernels == 3);
#endif
}

TEST_CASE("a network runs where its input lies, eagerly and compiled alike") {
  classifier net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const x = filled<f32<6, 12>>();
  auto const want = reference(net, x);
  auto const there = x.to(device::gpu);
  check_products(net(there).to(device::cpu), want);
  auto const fast = net.to(device::gpu).hybridize();
  on_device<6, 10> const y = fast(there);
  check_products(y.to(device::cpu), want);
  on_device<6, 10> out;
  fast(there, out);
  check_products(out.to(device::cpu), want);

  auto const both = most_and_twice{}.hybridize();
  auto const [most, twice] = both(there);
  check_same(most.to(device::cpu), sinter::max(x, sinter::axis<1>));
  check_same(twice.to(device::cpu), x * 2);
}

TEST_CASE("a dynamic batch") {
  classifier net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  for (int n : {0, 1, 7, 64, 7}) {
    auto const x = filled(f32<dim<"batch">, 12>({n, 12}));
    INFO("batch " << n);
    check_products(fast(x.to(device::gpu)).to(device::cpu), reference(net, x));
    check_products(net(x.to(device::gpu)).to(device::cpu), reference(net, x));
  }
}

TEST_CASE("other values of a parameter are seen on the device") {
  classifier net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  auto const x = filled<f32<2, 12>>();
  auto const there = x.to(device::gpu);
  auto const before = fast(there).to(device::cpu);
  net.initialize(sinter::init::xavier{}, 4);
  check_products(fast(there).to(device::cpu), reference(net, x));
  check_products(net(there).to(device::cpu), reference(net, x));
  CHECK(before[0] != fast(there).to(device::cpu)[0]);
}

namespace {
// A state that each call reads elsewhere than it writes, and one that is added to.
struct remembering : nn::hybrid_block<remembering> {
  BOOST_HANA_DEFINE_STRUCT(remembering, (nn::dense<6>, layer), (nn::state<shape<3, 6>>, last), (nn::state<shape<6>, 1>, sum));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const h = F.tanh(layer(x) + F.flip(F.get(last, shape<3, 6>{}), sinter::axis<0>));
    F.assign(last, h);
    F.assign(sum, F.get(sum, shape<6>{}) + F.mean(h, sinter::axis<0>));
    return h * F.get(sum, shape<6>{});
  }
};
struct normalized : nn::hybrid_block<normalized> {
  BOOST_HANA_DEFINE_STRUCT(normalized, (nn::dense<5>, layer), (nn::batch_norm<-1>, norm));
  constexpr auto hybrid_forward(auto, auto x) const { return norm(layer(x)); }
};
// A token at a time, with the keys and values of those before.
struct generating : nn::hybrid_block<generating> {
  using attention = nn::cached_attention<8, 2, 1, 16>;
  using counter = nn::basic_state<std::int64_t, shape<>>;
  BOOST_HANA_DEFINE_STRUCT(generating, (attention, attend), (counter, place));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const at = F.get(place, shape<>{});
    F.assign(place, at + 1);
    return attend(x, at);
  }
};
// Calls on the device and on the host give the same; the device's copy nothing behind the first.
template <class Net, class X> void states_stay_on_the_device(X const& x) {
  Net net;
  net.initialize(sinter::init::uniform(0.5), 3);
  Net const there = net.copy();
  auto const fast = net.hybridize(), far = there.hybridize();
  auto const moved = x.to(device::gpu);
  auto const take = [](auto const& y) { return sinter::unmarked(y).to(device::cpu); };
  for (int i = 0; i < 5; ++i) {
    auto const want = sinter::unmarked(fast(sinter::training(x)));
    std::int64_t const before = device::gpu.copies();
    auto const y = far(sinter::training(moved));
    if (i > 0) CHECK(device::gpu.copies() == before);
    auto const got = take(y);
    for (int k = 0; k < want.size(); ++k) CHECK(got.data()[k] == Approx(want.data()[k]).margin(1e-6));
  }
  auto const here = net.collect_params(), over_there = there.collect_params();
  for (auto const& p : here) {
    if (p.type() != sinter::dtype::float32) continue;
    std::vector<float> const a = p.to_vector(), b = over_there[p.name()].to_vector();
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) CHECK(a[k] == Approx(b[k]).margin(1e-6));
  }
  // The host goes on with what the device has left, and the device with that.
  auto const take_turns = [&](Net const& a, Net const& b) {
    auto const one = a.hybridize(), other = b.hybridize();
    for (int i = 0; i < 2; ++i) {
      auto const on_host = sinter::unmarked(one(sinter::training(x)));
      auto const of_both = i == 0 ? sinter::unmarked(other(sinter::training(x))) : take(other(sinter::training(moved)));
      for (int k = 0; k < on_host.size(); ++k) CHECK(of_both.data()[k] == Approx(on_host.data()[k]).margin(1e-6));
    }
  };
  take_turns(net, there);
  take_turns(net, there);
  net.reset_states();
  there.reset_states();
  take_turns(net, there);
}
}  // namespace
TEST_CASE("states live where their network runs") {
  f32<3, 4> x;
  for (int i = 0; i < 12; ++i) x.data()[i] = 0.25f * static_cast<float>(i % 5) - 0.5f;
  states_stay_on_the_device<remembering>(x);
  states_stay_on_the_device<normalized>(x);
  f32<1, 1, 8> token;
  for (int i = 0; i < 8; ++i) token.data()[i] = 0.25f * static_cast<float>(i % 5) - 0.5f;
  states_stay_on_the_device<generating>(token);
}
TEST_CASE("training draws the same numbers on the device") {
  thinned net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const x = filled<f32<4, 6>>();
  auto const host = net.hybridize<sinter::reference::backend>();
  auto const fast = net.hybridize();
  sinter::random::seed(5);
  auto const want = sinter::unmarked(host(sinter::training(x)));
  sinter::random::seed(5);
  auto const got = sinter::unmarked(fast(sinter::training(x.to(device::gpu))));
  sinter::random::seed(5);
  auto const eager = sinter::unmarked(net(sinter::training(x.to(device::gpu))));
  check_products(got.to(device::cpu), want);
  check_products(eager.to(device::cpu), want);
}

template <class Net, class X> Net with_small_numbers(Net net, X const& x) {
  net.initialize();
  net(x);
  int n = 0;
  for (auto const& p : net.collect_params()) {
    auto values = p.to_vector();
    for (float& v : values) v = static_cast<float>(n++ * 37 % 7 - 3);
    p.set(values);
  }
  return net;
}
TEST_CASE("convolutions") {
  auto const x = small<f32<3, 2, 11, 10>>();
  auto const net = with_small_numbers(convolutions{}, x);
  check_same(net.hybridize()(x.to(device::gpu)).to(device::cpu), reference(net, x));
  check_same(net(x.to(device::gpu)).to(device::cpu), reference(net, x));
  auto const fast = net.hybridize();
  for (int batch : {2, 0, 5, 2}) {
    auto const some = small(f32<dim<"batch">, 2, 7, 9>({batch, 2, 7, 9}));
    check_same(fast(some.to(device::gpu)).to(device::cpu), reference(net, some));
  }
}
TEST_CASE("convolutions that are large enough for a library") {
  auto const x = small<f32<3, 2, 11, 10>>();
  auto const net = with_small_numbers(large_convolutions{}, x);
  auto const fast = net.hybridize();
  on_device<3, 32, 6, 5> y;
  auto const there = x.to(device::gpu);
  fast(there, y);
  check_same(y.to(device::cpu), reference(net, x));
  using plan = sinter::compiled_t<large_convolutions, shape<3, 2, 11, 10>>;
  CHECK(launches_of([&] { fast(there, y); }) == sinter::device_kernels<plan>);
  check_same(net(there).to(device::cpu), reference(net, x));
  for (int batch : {2, 0, 5, 2}) {
    auto const some = small(f32<dim<"batch">, 2, 7, 9>({batch, 2, 7, 9}));
    check_same(fast(some.to(device::gpu)).to(device::cpu), reference(net, some));
  }
  auto const volume = small<f32<2, 3, 4, 5, 6>>();
  auto const of_volumes = with_small_numbers(solid_convolution{}, volume);
  check_same(of_volumes.hybridize()(volume.to(device::gpu)).to(device::cpu), reference(of_volumes, volume));
#if SINTER_GPU_CUDA  // of more than is written out at once: several images, and one
  auto const images = small<f32<2, 256, 48, 48>>();
  auto const of_many = with_small_numbers(written_out{}, images);
  check_same(of_many.hybridize()(images.to(device::gpu)).to(device::cpu), reference(of_many, images));
  auto const image = small<f32<1, 256, 64, 63>>();
  check_same(of_many.hybridize()(image.to(device::gpu)).to(device::cpu), reference(of_many, image));
#endif
}

TEST_CASE("what is no number stays none behind a product") {
  auto x = filled<f32<2, 3>>();
  x(1, 0) = std::numeric_limits<float>::quiet_NaN();
  nn::dense<4, nn::relu> net;
  net.initialize();
  auto const y = net.hybridize()(x.to(device::gpu)).to(device::cpu), eager = net(x.to(device::gpu)).to(device::cpu);
  for (int i = 0; i < 8; ++i) {
    CHECK((y[i] != y[i]) == (i >= 4));
    CHECK((eager[i] != eager[i]) == (i >= 4));
  }
}

TEST_CASE("a call launches as many kernels as its plan has") {
  classifier net;
  net.initialize();
  auto const fast = net.hybridize();
  auto const x = filled<f32<6, 12>>().to(device::gpu);
  on_device<6, 10> y;
  fast(x, y);
  using plan = sinter::compiled_t<classifier, shape<6, 12>>;
  CHECK(launches_of([&] { fast(x, y); }) == sinter::device_kernels<plan>);
#if !SINTER_GPU_CUDA
  CHECK(sinter::device_kernels<plan> == plan::kernels);  // a product with its epilogue is one on the processor
#endif

  auto const joined = product_and_next{}.hybridize();
  CHECK(launches_of([&] { (void)joined(x, x); }) == 1);
  auto const soft = nn::activation<nn::softmax>{}.hybridize();
  CHECK(launches_of([&] { (void)soft(x); }) == 1);
}

TEST_CASE("zeros of both signs: all threads of a row agree on its maximum") {
  f32<2, 300> x;
  for (int i = 0; i < x.size(); ++i) x[i] = i % 3 == 1 ? -0.0f : 0.0f;
  auto const y = over_the_maximum{}.hybridize()(x.to(device::gpu)).to(device::cpu);
  for (int i = 0; i < y.size(); ++i) CHECK(y[i] == y[i / 300 * 300]);
}
TEST_CASE("several loops of a row, along the outer of which an operand moves") {
  auto const x = small<f32<3, 5, 7>>();
  auto const y = small<f32<3, 5, 1>>();
  check_same(sum_of_products{}.hybridize()(x.to(device::gpu), y.to(device::gpu)).to(device::cpu), reference(sum_of_products{}, x, y));
}

TEST_CASE("streams have workspaces of their own") {
  classifier net;
  net.initialize(sinter::init::xavier{}, 3);
  auto const fast = net.hybridize();
  auto const x = filled<f32<6, 12>>();
  auto const want = reference(net, x);
  auto const there = x.to(device::gpu);
  sinter::stream one, two;
  on_device<6, 10> a, b;
  sinter::waitall();  // for this thread's stream, which makes them
  {
    sinter::on_stream const here(one);
    fast(there, a);
  }
  {
    sinter::on_stream const here(two);
    fast(there, b);
  }
  one.wait();
  two.wait();
  check_products(a.to(device::cpu), want);
  check_products(b.to(device::cpu), want);

  std::vector<f32<6, 10>> results(4);
  std::vector<std::thread> threads;
  for (auto& r : results) threads.emplace_back([&] { r = fast(x.to(device::gpu)).to(device::cpu); });
  for (auto& t : threads) t.join();
  for (auto const& r : results) check_products(r, want);
}

TEST_CASE("more memory than there is") {
  CHECK(message_of([] { nd::tensor<float, shape<sinter::dynamic>, device::gpu_t> t(sinter::dims{std::int64_t{1} << 48}); }) ==
        "sinter: the device is out of memory: 1125899906842624 bytes were asked for");
}
