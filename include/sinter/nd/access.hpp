// SPDX-License-Identifier: Apache-2.0
// What the parentheses and brackets of a tensor give: its elements, and parts of it as views.
#pragma once
#include <type_traits>
#include <vector>

#include "../core/device.hpp"
#include "../core/part.hpp"
#include "../graph/number.hpp"
#include "elements.hpp"

namespace sinter::nd {

template <class T, class S, class Device> class tensor;
template <class> inline constexpr bool is_tensor = false;
template <class T, class S, class D> inline constexpr bool is_tensor<tensor<T, S, D>> = true;
// A tensor that gradients go back through (train/recorded.hpp), and in how many records it is.
template <class A> inline constexpr bool is_recorded = requires { typename A::recorded_type; };
// An operand that has an F of its own, which a call finds by it: one that is recorded, or in training (nn/phase.hpp).
template <class A> inline constexpr bool has_own_functions = is_recorded<A> || requires { typename A::training_of; };
template <class A> inline constexpr bool is_eager = is_tensor<A> || is_recorded<A>;
template <class A> constexpr int recording_depth() {
  if constexpr (is_recorded<A>) return A::depth;
  else return 0;
}

#define SINTER_ON_DEVICE SINTER_UNAVAILABLE("the elements lie on the device; to(device::cpu) copies them to where they can be read")

// The base of tensor<T, S, Device> that has these members.
template <class T, class S, class Device> class element_access {
  using tensor_type = tensor<T, S, Device>;

 public:
  // An element. Places are checked in debug builds; those of at(i, j) always.
  template <std::integral... I>
    requires(sizeof...(I) == S::rank && Device::is_host)
  SINTER_OWN constexpr T& operator()(I... i) const {
    return element<(SINTER_CHECK_ELEMENTS != 0)>(i...);
  }
  template <std::integral... I>
    requires(sizeof...(I) == S::rank && Device::is_host)
  SINTER_OWN constexpr T& at(I... i) const {
    return element<true>(i...);
  }
  // The element that is number `i` in row-major order.
  SINTER_OWN constexpr T& operator[](std::int64_t i) const
    requires Device::is_host
  {
    self().check_writable();
    if constexpr (SINTER_CHECK_ELEMENTS != 0) {
      self().check_owned();
      if (i < 0 || i >= self().size()) refuse_place(&i, 1, self().shape());
    }
    return self().data()[place_of_element(i, self().shape(), self().strides())];
  }
  // All elements in row-major order.
  SINTER_OWN constexpr auto begin() const
    requires Device::is_host
  {
    self().check_writable();
    return first_element();
  }
  SINTER_OWN constexpr auto end() const
    requires Device::is_host
  {
    return element_from(self().size());
  }
  SINTER_OWN std::vector<T> to_vector() const {
    if constexpr (Device::is_host) return std::vector<T>(first_element(), end());
    else return self().to(device::cpu).to_vector();
  }
  SINTER_OWN constexpr void fill(T v) const
    requires Device::is_host
  {
    for (T& e : self()) e = v;
  }
  template <class N>
    requires(std::is_arithmetic_v<N> && !std::is_same_v<N, T> && Device::is_host)
  SINTER_OWN constexpr void fill(N v) const {
    if (!number(v).fits(dtype_of<T>))
      throw dtype_error("sinter: a tensor of " + std::string(name_of(dtype_of<T>)) +
                        " is filled with a number that it cannot hold: " + std::to_string(v));
    fill(static_cast<T>(v));
  }
  // The only element; throws where a dynamic shape has another number of them.
  SINTER_OWN constexpr T item() const
    requires(Device::is_host)
  {
    self().check_owned();
    if constexpr (S::fixed)
      static_assert(S::value.size() == 1, "sinter: item() reads a tensor of one element; sinter::mean(x) makes one of several");
    else if (self().size() != 1)
      throw shape_error("sinter: item() reads a tensor of one element; this one has shape " + to_string(self().shape()));
    return *self().data();
  }

  // The part that indices choose, as a view: x(all, range<1, 3>, nth<0>, newaxis, ellipsis), and integers and range(i, j) of the running
  // program. Axes that have no index are taken whole.
  template <class... I>
    requires(sizeof...(I) > 0 && (is_index<I> && ...) && !(std::integral<I> && ...))
  SINTER_OWN constexpr auto operator()(I const&... i) const {
    if constexpr (!indices_fit<S, I...>()) return self();
    else {
      any_index const list[]{index_of(i)...};
      array_part const p = part_of(self().shape(), self().strides(), list, sizeof...(I));
      if (p.wrong != index_error::none) refuse_index(p, self().shape());
      return tensor<T, shape_of_value<typed_part<S, I...>>, Device>::view(self(), p.shape, p.offset, p.strides);
    }
  }
  // The part with this index along the first dimension; a negative index counts from the end.
  SINTER_OWN constexpr auto row(std::int64_t i) const
    requires(S::rank > 0)
  {
    dims const& all_extents = self().shape();
    std::int64_t const place = i < 0 ? i + all_extents.d[0] : i;
    if (place < 0 || place >= all_extents.d[0])
      throw shape_error("sinter: a tensor of shape " + to_string(all_extents) + " has no row " + std::to_string(i));
    dims extents;
    for (int k = 1; k < S::rank; ++k) extents.push(all_extents.d[k]);
    return tensor<T, typename first_of_shape<S>::removed, Device>::view(self(), extents, place * self().strides()[0], self().strides() + 1);
  }
  // Rows [from, to): negative numbers count from the end, and what lies outside is left out.
  SINTER_OWN constexpr auto slice(std::int64_t from, std::int64_t to = INT64_MAX) const
    requires(S::rank > 0)
  {
    auto const inside = [n = self().shape().d[0]](std::int64_t i) {
      if (i < 0) i += n;
      return i < 0 ? 0 : i > n ? n : i;
    };
    std::int64_t const first = inside(from), last = inside(to);
    dims extents = self().shape();
    extents.d[0] = last > first ? last - first : 0;
    return tensor<T, typename first_of_shape<S>::open, Device>::view(self(), extents, first * self().strides()[0], self().strides());
  }

  SINTER_OWN constexpr operator T() const
    requires(S::rank == 0 && Device::is_host)
  {
    self().check_owned();
    return *self().data();
  }
  template <class N>
    requires(std::is_arithmetic_v<N> && S::fixed && S::rank > 0 && S::value.size() == 1 && Device::is_host)
  SINTER_OWN constexpr explicit operator N() const {
    self().check_owned();
    return static_cast<N>(*self().data());
  }

  // ---- what only says why it cannot be

  template <class B>
    requires(std::is_same_v<B, bool> && S::rank > 0 && !(S::fixed && S::value.size() == 1) && Device::is_host)
  SINTER_UNAVAILABLE(
      "several elements are neither true nor false together; ask for one of them, or for item() of a reduction, and write "
      "sinter::maximum(x, y) for std::max(x, y)")
  SINTER_OWN constexpr explicit
  operator B() const {
    return false;
  }
  template <std::integral... I>
    requires(sizeof...(I) != S::rank && Device::is_host)
  SINTER_UNAVAILABLE("an element has one index for each dimension, x(i, j); x.row(i) or x(i, ellipsis) is the part with that first index")
  SINTER_OWN constexpr T& operator()(I...) const {
    return *self().data();
  }
  template <class... I>
    requires(!(is_index<I> && ...) && !(std::integral<I> && ...))
  SINTER_UNAVAILABLE(
      "an index is an integer, nth<2>, all, range<1, 3>, range(i, j), ellipsis or newaxis; sinter::take(x, i) gives the parts that a "
      "tensor of indices names, and sinter::where(condition, x, y) chooses by truth values")
  SINTER_OWN constexpr T&
  operator()(I const&...) const {
    return *self().data();
  }
  template <class I>
    requires(!std::integral<I>)
  SINTER_UNAVAILABLE("x[i] is the element that is number i in row-major order; parts stand in parentheses: x(range<0, 2>, all)")
  SINTER_OWN constexpr T& operator[](I const&) const {
    return *self().data();
  }
  template <std::integral... I>
    requires(!Device::is_host)
  SINTER_ON_DEVICE T& operator()(I...) const {
    return *self().data();
  }
  template <std::integral I>
    requires(!Device::is_host)
  SINTER_ON_DEVICE T& operator[](I) const {
    return *self().data();
  }
  template <class D = Device>
    requires(!D::is_host)
  SINTER_ON_DEVICE T item() const {
    return T{};
  }

 protected:
  SINTER_OWN constexpr auto first_element() const { return element_from(0); }

 private:
  SINTER_OWN constexpr element_iterator<T> element_from(std::int64_t i) const {
    return {self().data(), self().shape(), self().strides(), i, self().is_contiguous()};
  }
  SINTER_OWN constexpr tensor_type const& self() const { return static_cast<tensor_type const&>(*this); }
  template <bool Checked, class... I> SINTER_OWN constexpr T& element(I... i) const {
    self().check_writable();
    std::int64_t const index[]{static_cast<std::int64_t>(i)..., 0};
    if constexpr (Checked) self().check_owned(), check_place(index, self().shape());
    std::int64_t place = 0;
    for (int k = 0; k < S::rank; ++k) place += index[k] * self().strides()[k];
    return self().data()[place];
  }
};
#undef SINTER_ON_DEVICE

}  // namespace sinter::nd
