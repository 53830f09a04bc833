// SPDX-License-Identifier: Apache-2.0
// What a network gives that is called with symbols, beside what the compiled one gives.
#pragma once
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

#include <sinter/compile/hybridized.hpp>

#include <cmath>
#include <cstring>

#include "../builds.hpp"
#include "../catch.hpp"

namespace test {

using namespace sinter;

template <auto... D> using f32 = nd::tensor<float, shape<D...>>;
template <class T, class S> nd::tensor<T, S> numbers(dims const& extents, int seed = 0) {
  nd::tensor<T, S> t(extents);
  for (extent i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>(static_cast<double>((i * 7 + seed * 5 + i / 11) % 23) / 8 - 1);
  return t;
}

// Every run of one gives what that of the other gives, bit for bit; any NaN is one.
template <class... X> void same_runs(int runs, sym::executor& run, auto const& fast, X const&... x) {
  for (int r = 0; r < runs; ++r) {
    std::size_t o = 0;
    random::seed(static_cast<std::uint64_t>(r));
    auto const& all = run.forward();
    random::seed(static_cast<std::uint64_t>(r));
    each_part(unmarked(fast(x...)), [&]<class T, class S>(nd::tensor<T, S> const& want) {
      sym::array const& got = all[o++];
      REQUIRE(got.type() == dtype_of<T>);
      REQUIRE(got.shape() == want.shape());
      auto const row_major = want.contiguous();
      for (extent e = 0; e < want.size(); ++e) {
        T const a = reinterpret_cast<T const*>(got.data())[e], b = row_major.data()[e];
        if constexpr (std::is_floating_point_v<T>)
          if (std::isnan(a) && std::isnan(b)) continue;
        if (std::memcmp(&a, &b, sizeof(T)) != 0) FAIL_CHECK("output " << o - 1 << ", element " << e << ": " << +a << ", not " << +b);
      }
    });
  }
}
// The outputs of a block or a function called with symbols are those of the compiled one, where this build compiles it. Runs: of networks with
// states both change theirs, so there are two of them.
template <class Net, class Other, class... X> void same_as_compiled_twice(int runs, Net const& net, Other const& other, X const&... x) {
  std::vector<symbol> variables, outputs;
  sym::arrays_by_name arguments;
  auto const add = [&](auto const& k) {
    std::string const name = "x" + std::to_string(variables.size());
    variables.push_back(sym::var(name));
    arguments.emplace(name, unmarked(k));
  };
  (add(x), ...);
  int i = 0;
  auto const next = [&]<class K>(K const&) {
    symbol const& v = variables[static_cast<std::size_t>(i++)];
    if constexpr (is_training<K>) return training(v);
    else return v;
  };
  each_part(std::apply(net, std::tuple{next(x)...}), [&](symbol const& s) { outputs.push_back(s); });
  auto run = sym::group(outputs).bind(arguments);
  if constexpr (compiles_networks) same_runs(runs, run, other.hybridize(), x...);
  else
    for (int r = 0; r < runs; ++r) run.forward();
}
template <class Net, class... X> void same_as_compiled(Net const& net, X const&... x) { same_as_compiled_twice(1, net, net, x...); }

}  // namespace test
