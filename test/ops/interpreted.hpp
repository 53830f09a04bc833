// SPDX-License-Identifier: Apache-2.0
// An operation called with symbols and run by the interpreter: a new shape or dtype costs a compiler next to nothing.
#pragma once
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/symbol.hpp>

#include <string>
#include <vector>

#include "names.hpp"

namespace test {

namespace ops = sinter::ops;

// The operands of a call as variables, and their values.
class variables {
 public:
  sinter::symbol add(sinter::sym::array const& values, dims const& shape) {
    std::string const name = "x" + std::to_string(values_.size());
    values_.emplace(name, values);
    return sinter::sym::var(name, shape, values.type());
  }
  sinter::sym::arrays_by_name const& values() const { return values_; }

 private:
  sinter::sym::arrays_by_name values_;
};
template <class X> struct as_variable {
  using type = X;
};
template <class T, class S> struct as_variable<nd::tensor<T, S>> {
  using type = sinter::symbol;
};
template <class X> typename as_variable<X>::type variable_of(variables& all, bool named, X const& x) {
  if constexpr (sinter::nd::is_tensor<X>) return all.add(x, named ? names_in(X::shape_type::value) : X::shape_type::value);
  else return x;
}
// An operation called with symbols and keywords, whose types do not say which shapes and dtypes these have.
template <class Op, class... S> struct call_of_symbols {
  std::vector<sinter::symbol> results;
  explicit call_of_symbols(S const&... symbols_and_keywords) {
    sinter::each_part(ops::function<Op>{}(symbols_and_keywords...), [this](sinter::symbol const& s) { results.push_back(s); });
  }
};

template <class Op, class... A> sinter::sym::results interpreted(bool named, A const&... operands_and_keywords) {
  variables all;
  call_of_symbols<Op, typename as_variable<A>::type...> const call{variable_of(all, named, operands_and_keywords)...};  // in their order
  return sinter::sym::group(call.results).eval(all.values());
}
// Result i as a tensor.
template <int I, class Op, class... A> auto interpreted_result(sinter::sym::results const& all) {
  using rule = ops::call_rule<Op, A...>;
  return all[I]
      .template as<nd::tensor<typename rule::template result_of<I>::value_type, typename rule::template result_of<I>::shape_type>>();
}

}  // namespace test
