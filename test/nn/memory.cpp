// SPDX-License-Identifier: Apache-2.0
// When memory runs out, at whatever allocation: what was called throws, and everything is as it was before, or it is right.
#include <sinter/compile/hybridized.hpp>
#include <sinter/nn/load.hpp>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <thread>

#include "../catch.hpp"

namespace {
constexpr long never = std::numeric_limits<long>::max();
thread_local long left = never;  // allocations of this thread until one fails
void* allocate(std::size_t n, std::size_t alignment) {
  if (left != never && left-- <= 0) throw std::bad_alloc();
  void* const p = std::aligned_alloc(alignment, (n + alignment) / alignment * alignment);
  if (!p) throw std::bad_alloc();
  return p;
}
}  // namespace
void* operator new(std::size_t n) { return allocate(n, 16); }
void* operator new[](std::size_t n) { return allocate(n, 16); }
void* operator new(std::size_t n, std::nothrow_t const&) noexcept { return std::aligned_alloc(16, (n + 16) / 16 * 16); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate(n, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<48>, first), (nn::layer_norm<>, norm), (nn::dense<24>, second_of_two_layers));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const sorted = F.sort(second_of_two_layers(norm(F.gelu(first(x)))));
    return F.softmax(sorted * F.sigmoid(sorted));
  }
};
using input = f32<dim<"batch">, 32>;
using output = f32<dim<"batch">, 24>;
using fixed_input = f32<3, 32>;

input batch(int n) {
  input x({n, 32});
  for (int i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 37) % 23 - 11) / 8;
  return x;
}
// What `step` does with each number of allocations that it may have: it throws and `unchanged` holds, or it is done. Then once more, with
// all that it wants. In threads of their own, which know no plans yet.
void fail_everywhere(std::function<void()> const& before, std::function<void()> const& step, std::function<bool()> const& unchanged,
                     std::function<bool()> const& done) {
  bool failed = true;
  for (long n = 0; failed; ++n) {
    bool was_unchanged = true, was_done = false;
    failed = false;
    std::thread([&] {
      before();
      left = n;
      try {
        step();
        left = never;
      } catch (std::bad_alloc const&) {
        left = never;
        failed = true;
      }
      if (failed) {
        was_unchanged = unchanged();
        step();
      }
      was_done = done();
    }).join();
    CAPTURE(n, failed);
    CHECK(was_unchanged);
    CHECK(was_done);
    REQUIRE(n < 10000);
  }
}
bool same(output const& a, output const& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}
bool near(output const& a, output const& b) {
  bool r = a.shape() == b.shape();
  for (int i = 0; r && i < a.size(); ++i) r = a[i] - b[i] < 1e-5f && b[i] - a[i] < 1e-5f;
  return r;
}
network made(std::uint64_t seed) {
  network net;
  net.initialize(sinter::init::xavier{}, seed);
  return net;
}
std::vector<sinter::io::array> arrays_of(network const& net) {
  std::vector<sinter::io::array> r;
  nn::visit_parameters(net, [&]<class T>(nn::parameter_of<T> const& p, std::string_view name) {
    sinter::io::array a{std::string(name), sinter::dtype_of<T>, {}, {}};
    for (int i = 0; i < p.shape().rank; ++i) a.shape.push_back(p.shape().d[i]);
    a.data.resize(static_cast<std::size_t>(p.shape().size()) * sizeof(T));
    std::memcpy(a.data.data(), p.storage().data(), a.data.size());
    r.push_back(std::move(a));
  });
  return r;
}

}  // namespace

TEST_CASE("a network is made, and called eagerly") {
  input const x = batch(3);
  output const expected = made(1)(x);
  std::optional<network> net;
  std::optional<output> y;
  auto const clear = [&] {
    net.reset();
    y.reset();
  };
  fail_everywhere(
      clear,
      [&] {
        if (!net) net = made(1);
        y = (*net)(x);
      },
      [&] { return !y; }, [&] { return same(*y, expected); });
}

TEST_CASE("a network is initialized again") {
  input const x = batch(3);
  output const first = made(1)(x), second = made(2)(x);
  network net;
  fail_everywhere(
      [&] {
        net = made(1);
        net(x);
      },
      [&] { net.initialize(sinter::init::xavier{}, 2); }, [&] { return same(net(x), first); }, [&] { return same(net(x), second); });
  fail_everywhere([&] { net = made(1); }, [&] { net.initialize(sinter::init::xavier{}, 2); }, [&] { return same(net(x), first); },
                  [&] { return same(net(x), second); });
}

TEST_CASE("parameters are set, all or none") {
  input const x = batch(3);
  network const from = made(2);
  output const first = made(1)(x), second = from(x);
  auto const arrays = arrays_of(from);
  network net;
  auto const set = [&] { nn::set_parameters(net, arrays, "arrays"); };
  fail_everywhere(
      [&] {
        net = made(1);
        net(x);
      },
      set, [&] { return same(net(x), first); }, [&] { return same(net(x), second); });
  // And where there were no values: no shape either.
  fail_everywhere([&] { net = network{}; }, set, [&] { return net.first.weight.shape().rank < 0 && net.norm.beta.shape().rank < 0; },
                  [&] { return same(net(x), second); });
  fail_everywhere([&] { net = made(1); }, [&] { net.norm.gamma.set(f32<48>{}); },
                  [&] { return net.norm.gamma.shape().rank < 0 && near(net(x), first); },
                  [&] { return net.norm.gamma.data<shape<48>>()(1) == 0; });
}

TEST_CASE("a refused file pins no shape") {
  network net;
  auto arrays = arrays_of([] {
    network const n = made(1);
    n(batch(1));
    return n;
  }());
  arrays.pop_back();
  CHECK_THROWS_AS(nn::set_parameters(net, arrays, "arrays"), sinter::parameter_error);
  CHECK(net.first.weight.shape().rank < 0);
  net.initialize();
  f32<1, 5> const other;
  CHECK(net(other).size() == 24);
}

TEST_CASE("a network is hybridized and first called") {
  input const x = batch(3);
  network const net = made(1);
  output const expected = net.hybridize()(x);
  using compiled = decltype(net.hybridize());
  std::optional<compiled> fast;
  std::optional<output> y;
  fail_everywhere(
      [&] {
        fast.reset();
        y.reset();
      },
      [&] {
        if (!fast) fast.emplace(net.hybridize());
        y = (*fast)(x);
      },
      [&] { return !y; }, [&] { return same(*y, expected); });
  // Of a network without values yet, and with a static shape.
  fixed_input const fixed(batch(3));
  auto const other = [&] {
    network const n = made(1);
    return n.hybridize()(fixed);
  };
  auto const wanted = other();
  std::optional<network> fresh;
  fail_everywhere(
      [&] {
        fresh = made(1);
        y.reset();
      },
      [&] { y = output(fresh->hybridize()(fixed)); }, [&] { return !y; }, [&] { return same(*y, output(wanted)); });
}

TEST_CASE("a dynamic batch grows, and is small again") {
  network const net = made(1);
  auto const fast = net.hybridize();
  input const small = batch(2), large = batch(40);
  output const few = fast(small), many = fast(large);
  output y({40, 24});
  fail_everywhere([&] { CHECK(same(fast(small), few)); }, [&] { fast(large, y); },
                  [&] { return same(fast(small), few) && same(fast(batch(1)), fast(batch(1))); },
                  [&] { return same(y, many) && same(fast(small), few); });
}

TEST_CASE("weights are packed again") {
  input const x = batch(3);
  network const first = made(1), second = made(2);
  output const before = first.hybridize()(x), after = second.hybridize()(x);
  auto const old_values = arrays_of(first), new_values = arrays_of(second);
  network net = made(1);
  auto const check = [&](auto const& fast, output const& old_result, output const& new_result) {
    output y({3, 24});
    fail_everywhere(
        [&] {
          nn::set_parameters(net, old_values, "arrays");
          fast(x, y);
          CHECK(same(y, old_result));
          nn::set_parameters(net, new_values, "arrays");
        },
        [&] { fast(x, y); }, [] { return true; }, [&] { return same(y, new_result); });
  };
  check(net.hybridize(), before, after);
  check(net.hybridize(sinter::weights::int8), first.hybridize(sinter::weights::int8)(x), second.hybridize(sinter::weights::int8)(x));
}

TEST_CASE("borrowed memory is given back") {
  static int released = 0;
  float numbers[6]{};
  int calls = 0;
  fail_everywhere([&] { released = 0; },
                  [&] {
                    ++calls;
                    f32<2, 3>::borrow(numbers, {2, 3}, &calls, [](void*) { ++released; });
                  },
                  [&] { return released == 1; }, [&] { return released >= 1; });
  released = 0;
  CHECK_THROWS_AS((f32<2, 3>::borrow(numbers, {3, 2}, &calls, [](void*) { ++released; })), sinter::shape_error);
  CHECK(released == 1);
  CHECK_THROWS_AS(sinter::buffer<float>(std::numeric_limits<std::size_t>::max() / 4 + 2), std::bad_alloc);
}

TEST_CASE("extents that are refused leave no half of their numbers behind") {
  auto const fast = sinter::hybridize([](auto F, auto x, auto y) {
    using namespace sinter;
    return F.sum(F.sort(F.exp(F.sort(F.add(F.expand_dims(x, axis<1>), F.expand_dims(y, axis<0>))))));
  });
  f32<dim<"n">> const x({2});
  f32<dim<"m">> const y({3});
  auto const want = fast(x, y);
  float never_read = 0;
  auto const long_x = f32<dim<"n">>::borrow(&never_read, {std::int64_t{1} << 40});
  auto const long_y = f32<dim<"m">>::borrow(&never_read, {std::int64_t{1} << 40});
  for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(fast(long_x, long_y), sinter::shape_error);
  CHECK(fast(x, y).item() == want.item());
}
