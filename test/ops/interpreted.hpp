// SPDX-License-Identifier: Apache-2.0
// An operation called with symbols and run by the interpreter: a new shape or dtype costs a compiler next to nothing.
#pragma once
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

#include <string>
#include <tuple>
#include <vector>

#include "names.hpp"

namespace test {

namespace ops = sinter::ops;

template <class Op, class... A> sinter::sym::results interpreted(bool named, A const&... operands_and_keywords) {
  int n = 0;
  sinter::sym::arrays_by_name values;
  auto const as_variable = [&]<class X>(X const& x) {
    if constexpr (sinter::nd::is_tensor<X>) {
      using S = typename X::shape_type;
      std::string const name = "x" + std::to_string(n++);
      values.emplace(name, x);
      return sinter::sym::var(name, named ? with_names_in<S>::value : S::value, sinter::dtype_of<typename X::value_type>);
    } else return x;
  };
  std::tuple const called_with{as_variable(operands_and_keywords)...};  // in their order
  std::vector<sinter::symbol> results;
  sinter::each_part(std::apply([](auto const&... a) { return ops::function<Op>{}(a...); }, called_with),
                    [&](sinter::symbol const& s) { results.push_back(s); });
  return sinter::sym::group(results).eval(values);
}
// Result i as a tensor.
template <int I, class Op, class... A> auto interpreted_result(sinter::sym::results const& all) {
  using rule = ops::call_rule<Op, A...>;
  return all[I].template as<nd::tensor<typename rule::template value_type<I>, typename rule::template shape_type<I>>>();
}

}  // namespace test
