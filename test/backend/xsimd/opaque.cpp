// SPDX-License-Identifier: Apache-2.0
// Operations that nothing joins run in threads, each item once, with the results of one thread.
#include <sinter/compile/hybridized.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "../../catch.hpp"

namespace my {
inline std::atomic<int> calls[4096];
inline std::atomic<std::thread::id> last;
inline std::atomic<bool> met{false};

// x + 1, an item each. Waits a while for another thread to take part.
struct watched_op : sinter::ops::opaque_op<watched_op> {
  static constexpr std::string_view name = "watched";
  static constexpr int arity = 1, cost = 10000;
  static constexpr bool wants_arrays = true;
  static constexpr sinter::inferred infer(sinter::operand_types in, sinter::dimension_table&) { return {in[0]}; }
  static constexpr std::int64_t items(sinter::no_attributes const&, sinter::dims const* shapes) { return shapes[0].size(); }
  template <class T>
  static constexpr void item(sinter::no_attributes const&, sinter::ops::share s, sinter::ops::array_view<T> out,
                             sinter::ops::array_view<T const> x) {
    if (!std::is_constant_evaluated()) seen(s.item);
    out.data[s.item] = x.data[s.item] + 1;
  }
  static void seen(std::int64_t item) {
    ++calls[item];
    auto const before = last.exchange(std::this_thread::get_id());
    if (before != std::thread::id{} && before != std::this_thread::get_id()) met = true;
    auto const end = std::chrono::steady_clock::now() + std::chrono::microseconds(met ? 0 : 100);
    while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
  }
};
}  // namespace my

SINTER_USER_OP(my::watched_op);

namespace {
using namespace sinter;
constexpr ops::function<my::watched_op> watched{};

template <class T> T numbers() {
  T x;
  for (int i = 0; i < x.size(); ++i) x[i] = static_cast<typename T::value_type>((i * 7919) % 1013);
  return x;
}
}  // namespace

TEST_CASE("items are shared out to threads, each once") {
  simd::set_threads(3);
  auto const x = numbers<nd::tensor<float, shape<4096>>>();
  int rounds = 0;
  for (; rounds < 20 && !my::met; ++rounds) {
    auto const y = watched(x);
    for (int i = 0; i < 4096; ++i)
      if (y[i] != x[i] + 1) FAIL_CHECK("element " << i);
  }
  CHECK(my::met);
  for (int i = 0; i < 4096; ++i)
    if (my::calls[i] != rounds) FAIL_CHECK("item " << i << " ran " << my::calls[i] << " times, not " << rounds);
}

TEST_CASE("sort and take give the results of one thread") {
  auto const x = numbers<nd::tensor<float, shape<300, 40>>>();
  auto const i = numbers<nd::tensor<std::int32_t, shape<500>>>();
  auto const all = [&] { return std::tuple{sort(x, axis<0>), sort(x, axis<1>, descending), take(x, i, axis<0>), take(x, i, axis<1>)}; };
  simd::set_threads(1);
  auto const alone = all();
  simd::set_threads(4);
  auto const shared = all();
  auto const same = [](auto const& a, auto const& b) {
    for (int k = 0; k < a.size(); ++k)
      if (a[k] != b[k]) return false;
    return true;
  };
  CHECK(same(std::get<0>(alone), std::get<0>(shared)));
  CHECK(same(std::get<1>(alone), std::get<1>(shared)));
  CHECK(same(std::get<2>(alone), std::get<2>(shared)));
  CHECK(same(std::get<3>(alone), std::get<3>(shared)));
}
