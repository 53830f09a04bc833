// SPDX-License-Identifier: Apache-2.0
// Random arrays from the program's one sequence of keys, which sinter::random::seed begins anew.
#pragma once
#include "functions.hpp"

namespace sinter::random::inline SINTER_ISA {

// A key for random_uniform and its like: the next one of the program. Each call gives another.
inline nd::tensor<std::int64_t, shape<>> key() { return nd::tensor<std::int64_t, shape<>>{next_key()}; }

// An object, because GCC says twice that a function outside a class is unavailable.
#define SINTER_RANDOM(name, op, usage)                                                                                             \
  struct name##_numbers {                                                                                                          \
    template <class... Keyword>                                                                                                    \
      requires(ops::well_called<ops::op, nd::tensor<std::int64_t, shape<>>, Keyword...>)                                           \
    auto operator()(Keyword const&... k) const {                                                                                   \
      return nd::functions{}.op(key(), k...);                                                                                      \
    }                                                                                                                              \
    template <class... A> SINTER_UNAVAILABLE("random::" #name " is called as random::" usage) auto operator()(A const&...) const { \
      return nd::tensor<float, shape<1>>{};                                                                                        \
    }                                                                                                                              \
  };                                                                                                                               \
  inline constexpr name##_numbers name{};
// Floats between the two values, by default float32 between 0 and 1.
SINTER_RANDOM(uniform, random_uniform, "uniform(into<2, 3>, values<0, 1>, as<float>)")
// Normally distributed floats of this mean and deviation, by default float32, 0 and 1.
SINTER_RANDOM(normal, random_normal, "normal(into<2, 3>, values<0, 1>, as<float>)")
// Integers from the first value on and below the second, by default int64.
SINTER_RANDOM(randint, random_randint, "randint(into<2, 3>, values<0, 10>, as<int>)")
#undef SINTER_RANDOM

// random::shuffle(x): a copy of x whose parts along the first axis are in another order.
template <class X> auto shuffle(X const& x) {
  static_assert(nd::is_tensor<X>,
                "sinter: random::shuffle takes an eager tensor; in a network write F.shuffle(x, key), whose key is an input of it");
  if constexpr (nd::is_tensor<X>) return nd::functions_on<typename X::device_type>{}.shuffle(x, key().to(typename X::device_type{}));
  else return x;
}

}  // namespace sinter::random::inline SINTER_ISA
