// SPDX-License-Identifier: Apache-2.0
// What a block declares as a member: a parameter, a state that calls remember, or a constant.
#pragma once
#include <string>
#include <vector>

#include "parameter_of.hpp"

namespace sinter::nn {

// What a layer declares. S: what is known of the shape beforehand, `shape<256, dynamic>` for example.
struct any_shape {
  static constexpr dims value = unknown_dims;
};
template <class T, class S = any_shape> class basic_parameter : public parameter_of<T> {
 public:
  using declared_shape = S;
  SINTER_OWN constexpr basic_parameter() = default;
  // As parameter_of::set, and within what is declared: another shape would be found by the first call alone, far from here.
  SINTER_OWN constexpr void set(dims const& shape, T const* from) { parameter_of<T>::set_within(S::value, shape, from); }
  template <class U> SINTER_OWN constexpr void set(nd::tensor<T, U> const& v) {
    nd::tensor<T, U> const c = v.contiguous();
    set(c.shape(), c.data());
  }
  SINTER_OWN constexpr void set(std::vector<T> const& v)
    requires(!std::is_same_v<T, bool>)
  {
    parameter_of<T>::set(v, S::value);
  }
  template <class U> SINTER_OWN constexpr nd::tensor<T, U> data() const { return parameter_of<T>::template data_within<U>(S::value); }
  using parameter_of<T>::data;
  template <class V> SINTER_UNAVAILABLE(
      "a parameter is given a tensor of its dtype, weight.set(nd::tensor<float, shape<2, 3>>{...}), or row-major values of its dtype in a "
      "std::vector")
  SINTER_OWN void set(V const&) {}
  // One parameter from now on, which begins with the values of `other`: output.weight.share(words.weight) ties two layers, in networks that
  // are compiled already as well. share_parameters does it for all of a block.
  template <class U> SINTER_OWN void share(basic_parameter<T, U>& other) {
    dims const from = other.shape().rank < 0 ? U::value : other.shape(), to = this->shape().rank < 0 ? S::value : this->shape();
    if (!may_equal(from, to) || !may_equal(from, S::value))
      throw parameter_error("sinter: a parameter of shape " + to_string(from) + " cannot be shared as one of shape " + to_string(to));
    if (this->kind() != other.kind()) throw parameter_error("sinter: a parameter is shared as a parameter, a state as a state");
    this->become(other);
  }

 protected:
  SINTER_OWN constexpr explicit basic_parameter(init::spec start) : parameter_of<T>(start) {}
  SINTER_OWN constexpr explicit basic_parameter(T const* numbers) : parameter_of<T>(S::value, numbers) {}
};
using parameter = basic_parameter<float>;
// What a call remembers for the next one: F.assign(mean, value) changes it, F.get(mean, shape) reads it as it was assigned last. It begins
// as `Start` everywhere, and has a name and a place in files as parameters have.
template <class T, class S = any_shape, int Start = 0> class basic_state : public basic_parameter<T, S> {
  static_assert(holds(dtype_of<T>, Start), "sinter: a state begins with a number that its dtype cannot hold");

 public:
  SINTER_OWN constexpr basic_state() : basic_parameter<T, S>(init::constant(Start)) {}
};
template <class S = any_shape, int Start = 0> using state = basic_state<float, S, Start>;

// Numbers that a network has and saves, and that are not trained: Gluon's get_constant. `Values` are all elements, row by row, or one number
// for all, or a function that gives the element at an index: [](int i) { return i * 0.5f; }
namespace detail {
template <class T, class S, auto... Values> struct numbers_of_constant {
  static_assert(S::fixed, "sinter: the shape of a constant has numbers alone: nn::constant<shape<2, 3>, 0.5f>");
  static constexpr int n = S::fixed ? static_cast<int>(S::value.size()) : 1;
  static constexpr bool one_for_all = sizeof...(Values) == 1;
  static constexpr bool fits = sizeof...(Values) == n || one_for_all;
  static_assert(
      fits,
      "sinter: a constant has a number for each element, nn::constant<shape<3>, 1, 2, 3>, or one for all, or a function of the index");
  T item[n ? n : 1]{};
  template <class V> static constexpr T at([[maybe_unused]] V const& v, [[maybe_unused]] int i) {
    if constexpr (std::is_arithmetic_v<V>) return held(v);
    else return held(v(i));
  }
  template <class N> static constexpr T held(N v) {
    if (!number(v).fits(dtype_of<T>)) throw dtype_error("sinter: a constant has a number that its dtype cannot hold");
    return static_cast<T>(v);
  }
  constexpr numbers_of_constant() {
    if constexpr (one_for_all)
      for (int i = 0; i < n; ++i) item[i] = (at(Values, i), ...);
    else if constexpr (fits) {
      int i = 0;
      ((item[i] = at(Values, i), ++i), ...);
    }
  }
};
template <class T, class S, auto... Values> inline constexpr numbers_of_constant<T, S, Values...> numbers{};
}  // namespace detail
template <class T, class S, auto... Values> class basic_constant : public basic_parameter<T, S> {
 public:
  SINTER_OWN constexpr basic_constant() : basic_parameter<T, S>(static_cast<T const*>(detail::numbers<T, S, Values...>.item)) {}
};
template <class S, auto... Values> using constant = basic_constant<float, S, Values...>;

template <class> inline constexpr bool is_parameter = false;
template <class T, class S> inline constexpr bool is_parameter<basic_parameter<T, S>> = true;
template <class T, class S, int Start> inline constexpr bool is_parameter<basic_state<T, S, Start>> = true;
template <class T, class S, auto... Values> inline constexpr bool is_parameter<basic_constant<T, S, Values...>> = true;
template <class> inline constexpr bool is_state = false;
template <class T, class S, int Start> inline constexpr bool is_state<basic_state<T, S, Start>> = true;

}  // namespace sinter::nn
