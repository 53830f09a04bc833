// SPDX-License-Identifier: Apache-2.0
// A sheet of nodes, each an output, read by the compiler and by symbol::load_json: both give the same bits.
#pragma once
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/sinter.hpp>
#include <sinter/symbol/symbol_block.hpp>

#include <sinter/literal.hpp>

#include <cmath>
#include <cstring>

#include "../catch.hpp"

namespace {

using namespace sinter;

// A node: its operation, its attributes as JSON, and the numbers of its inputs, the variables data0, data1, ...
struct line {
  std::string_view op, attributes = "", inputs = "0";
};
// The text of a graph with so many variables and these nodes, whose results are its outputs.
struct written {
  std::array<char, 16000> text{};
  std::size_t n = 0;
  constexpr void add(std::string_view s) {
    for (char const c : s) text[n++] = c;
  }
  constexpr void add(int i) {
    if (i > 9) add(i / 10);
    text[n++] = static_cast<char>('0' + i % 10);
  }
  constexpr void node(std::string_view op, std::string_view name, int number, std::string_view attributes) {
    add(R"({"op": ")"), add(op), add(R"(", "name": ")"), add(name), add(number), add(R"(", "attrs": {)"), add(attributes);
    add(R"(}, "inputs": [)");
  }
};
template <auto const& Lines> constexpr written write(int variables, bool is_numpy) {
  written r;
  r.add(R"({"nodes": [)");
  for (int i = 0; i < variables; ++i) r.node("null", "data", i, ""), r.add("]}, ");
  int i = 0;
  for (line const& l : Lines) {
    r.node(l.op, "node", i++, l.attributes);
    for (std::size_t k = 0; k < l.inputs.size(); ++k) r.add(k ? ", [" : "["), r.add(l.inputs[k] - '0'), r.add(", 0, 0]");
    r.add(i == static_cast<int>(std::size(Lines)) ? "]}" : "]}, ");
  }
  r.add(R"(], "arg_nodes": [)");
  for (int v = 0; v < variables; ++v) r.add(v ? ", " : ""), r.add(v);
  r.add(R"(], "heads": [)");
  for (int k = 0; k < i; ++k) r.add(k ? ", [" : "["), r.add(variables + k), r.add(", 0, 0]");
  r.add(is_numpy ? R"(], "attrs": {"is_np_shape": ["int", 1]}})" : R"(], "attrs": {"mxnet_version": ["int", 10901]}})");
  return r;
}
template <auto const& Lines, int Variables, bool IsNumpy> struct sheet {
  static constexpr written all = write<Lines>(Variables, IsNumpy);
  static constexpr char const* json = all.text.data();
};

template <class T, class S> nd::tensor<T, S> numbers(int seed, double from = -1, double step = 0.125) {
  nd::tensor<T, S> t;
  for (extent i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>(from + step * static_cast<double>((i * 7 + seed * 5 + i / 11) % 23));
  return t;
}
template <auto... D> using f32 = nd::tensor<float, shape<D...>>;

// Any NaN is one.
template <class T, class S> void check_bits(sym::array const& got, nd::tensor<T, S> const& want) {
  REQUIRE(got.type() == dtype_of<T>);
  REQUIRE(got.shape() == want.shape());
  auto const row_major = want.contiguous();
  for (extent e = 0; e < want.size(); ++e) {
    T const a = reinterpret_cast<T const*>(got.data())[e], b = row_major.data()[e];
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(a) && std::isnan(b)) continue;
    if (std::memcmp(&a, &b, sizeof(T)) != 0) FAIL_CHECK("element " << e << ": " << +b << ", and " << +a << " of symbol::load_json");
  }
}
template <auto const& Lines, bool IsNumpy = false, class... X> void check_sheet(X const&... x) {
  using text_type = sheet<Lines, sizeof...(X), IsNumpy>;
  symbol_network<text_type> const net;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < sizeof...(X); ++i) names.push_back("data" + std::to_string(i));
  symbol_block const block(symbol::load_json(std::string(text_type::all.text.data(), text_type::all.n)), names);
  auto const want = block(x...);
  auto const compare = [&](auto const& all) {
    std::size_t i = 0;
    auto const one = [&](auto const& y) {
      INFO("node " << i << ", " << Lines[i].op << " {" << Lines[i].attributes << "}");
      check_bits(want[i], y);
      ++i;
    };
    if constexpr (requires { std::tuple_size<std::remove_cvref_t<decltype(all)>>::value; })
      std::apply([&](auto const&... y) { (one(y), ...); }, all);
    else one(all);
    CHECK(i == std::size(Lines));
  };
  compare(net(x...));
  compare(net.hybridize()(x...));
}

}  // namespace
