// SPDX-License-Identifier: Apache-2.0
// What random_networks.py's networks are put through: compiled against eager, at several batch sizes, in memory full of NaN.
#pragma once
#include <sinter/compile/hybridized.hpp>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "../catch.hpp"
#if defined(SINTER_TEST_INTERPRETED)
#include "../backend/interpreter/beside.hpp"
#endif

namespace test {

using namespace sinter;

// Multiples of 1/4, or `uneven` ones, whose products round.
template <class T, class S> nd::tensor<T, S> numbers(extent batch, int seed, bool uneven) {
  dims d = S::value;
  for (int i = 0; i < d.rank; ++i)
    if (d.d[i] < 0) d.d[i] = batch;
  nd::tensor<T, S> t(d);
  for (extent i = 0; i < t.size(); ++i) {
    extent const n = (i * 7 + seed * 3 + i / 5) % 11 - 5;
    t.data()[i] = std::is_floating_point_v<T> ? static_cast<T>(n) * static_cast<T>(uneven ? 0.2437 : 0.25) : static_cast<T>(n);
  }
  return t;
}

// Arena over lower bound of every network so far.
inline std::vector<double>& ratios() {
  static std::vector<double> r;
  return r;
}
inline void check_arenas() {
  double sum = 0, worst = 1;
  for (double r : ratios()) {
    sum += r;
    worst = r > worst ? r : worst;
  }
  double const mean = sum / static_cast<double>(ratios().size());
  std::cout << ratios().size() << " networks: arena over lower bound " << mean << " on average, " << worst << " at most\n";
  CHECK(mean <= 1.005);
}

inline constexpr unsigned char poison = 0xFF;  // as a float or double NaN, as an integer -1

// Whether the two are the same bits (any NaN is one), or with a bound that is not 0 within it.
template <class T> bool agree(T const* a, T const* b, extent n, double bound) {
  for (extent i = 0; i < n; ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a[i]) && std::isnan(b[i])) continue;
      if (bound != 0 && std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) <= bound) continue;
    }
    if (std::memcmp(a + i, b + i, sizeof(T)) == 0) continue;
    UNSCOPED_INFO("element " << i << " is " << +a[i] << " eagerly and " << +b[i] << " compiled; allowed are " << bound);
    return false;
  }
  return true;
}

template <class M, class... Input> void compare(std::initializer_list<double> bounds) {
  using C = compiled_t<M, Input...>;
  using P = typename C::program_type;
  M const net;
  auto const fast = net.hybridize();
  for (extent const batch : {0, 1, 7, 64, 1797}) {
    if (P::fixed && batch != 64) continue;
    INFO("batch " << batch);
    auto const in = [&]<int... Seed>(std::integer_sequence<int, Seed...>) {
      return std::tuple{numbers<typename Input::value_type, typename Input::shape_type>(batch, Seed, M::uneven)...};
    }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Input))>{});
    auto const eager = std::apply(net, in);
    auto out = std::apply(fast, in);  // allocates what the next call finds poisoned
    auto& w = sinter::executor::workspace_of<P, sinter::default_backend>();
    if (w.bytes > 0) std::memset(w.arena.data(), poison, static_cast<std::size_t>(w.bytes));
    auto const spoil = [](auto const& t) {
      std::memset(static_cast<void*>(t.data()), poison, static_cast<std::size_t>(t.size()) * sizeof(*t.data()));
    };
    sinter::detail::each_tensor(out, spoil);
    std::apply([&](auto const&... x) { fast(x..., out); }, in);
#if defined(SINTER_TEST_INTERPRETED)
    std::apply([&](auto const&... x) { CHECK(interpreted_alike(net, out, x...)); }, in);
#endif
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto const check = [&](auto const& e, auto const& c, std::size_t i) {
        INFO("output " << i);
        CHECK(e.shape() == c.shape());
        auto const whole = e.contiguous();
        CHECK(agree(whole.data(), c.data(), whole.size(), bounds.begin()[i]));
      };
      (check(std::get<I>(eager), std::get<I>(out), I), ...);
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(out)>>>{});
    if (batch != 64) continue;
    std::int64_t arena = 0, bound = 0;
    if constexpr (P::fixed) arena = C::arena_bytes, bound = C::arena_lower_bound;
    else arena = w.g.arena_bytes, bound = C::arena_lower_bound(w.g.at);
    ratios().push_back(bound ? static_cast<double>(arena) / static_cast<double>(bound) : 1);
  }
}

}  // namespace test
