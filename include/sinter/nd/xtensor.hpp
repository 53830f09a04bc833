// SPDX-License-Identifier: Apache-2.0
// The border with xtensor: the same memory as a tensor of either library. Not in sinter.hpp: who wants it includes it, and never in a
// file for nvcc, which compiles no xtensor.
#pragma once
#if defined(__CUDACC__)
#error "sinter: nvcc does not compile xtensor; include sinter/nd/xtensor.hpp in files of the host compiler only"
#endif
// New places first: a new xtensor beside an old one of the system would otherwise mix with it.
#if __has_include(<xtensor/containers/xadapt.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/core/xnoalias.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xnoalias.hpp>
#endif

#include "tensor.hpp"

namespace sinter::nd::inline SINTER_ISA {

// T const: to read.
template <class T, int Rank> using xtensor_of =
    xt::xtensor_adaptor<xt::xbuffer_adaptor<T*, xt::no_ownership, std::allocator<std::remove_const_t<T>>>, static_cast<std::size_t>(Rank),
                        xt::layout_type::dynamic>;

namespace detail {
template <class T, class U, class S> xtensor_of<T, S::rank> adapt(tensor<U, S> const& t) {
  using result = xtensor_of<T, S::rank>;
  typename result::shape_type extents{};
  typename result::strides_type strides{};
  for (int i = 0; i < S::rank; ++i) {
    auto const k = static_cast<std::size_t>(i);
    extents[k] = static_cast<std::size_t>(t.shape().d[i]);
    strides[k] = static_cast<std::ptrdiff_t>(t.shape().d[i] == 1 ? 0 : t.strides()[i]);
  }
  typename result::storage_type storage(t.data(), static_cast<std::size_t>(t.size()));
  // Told that it is row-major, xtensor walks the elements in one loop; over a view it must not.
  if (t.is_contiguous()) return result(std::move(storage), extents, xt::layout_type::row_major);
  return result(std::move(storage), extents, strides);
}
}  // namespace detail

// The tensor in expressions of xtensor: the same elements, to read, views with their strides. It borrows: the tensor outlives it.
//   auto const m = xt::mean(nd::as_xtensor(x));
template <class T, class S> auto as_xtensor(tensor<T, S> const& t) { return detail::adapt<T const>(t); }
// The same to write to, of row-major tensors only: through a view's strides xtensor's `=` would put elements in the wrong places.
// `assign` writes into any. Parameters are refused by both.
template <class T, class S> auto as_writable_xtensor(tensor<T, S> const& t) {
  t.check_writable();
  if (!t.is_contiguous())
    throw shape_error("sinter: a view of shape " + to_string(t.shape()) +
                      " is not row-major, so xtensor cannot write to it; use nd::assign, or contiguous()");
  return detail::adapt<T>(t);
}

namespace detail {
template <std::size_t... I> auto dynamic_shape(std::index_sequence<I...>) -> shape<((void)I, dynamic)...>;
// The shape of a container whose rank its type knows: all dimensions dynamic.
template <class C> using shape_of_container =
    decltype(dynamic_shape(std::make_index_sequence<std::tuple_size_v<typename C::shape_type>>{}));
struct shape_of_the_container;

template <class S, class C> auto from_xtensor(C& c, void* context, void (*release)(void*)) {
  using T = typename C::value_type;
  auto const all = tensor<T, shape<dynamic>>::borrow(c.data(), dims{static_cast<extent>(c.size())}, context, release);
  if (c.dimension() != static_cast<std::size_t>(S::rank))
    throw shape_error("sinter: an xtensor container of rank " + std::to_string(c.dimension()) + " is borrowed as shape " +
                      to_string(S::value));
  dims extents = S::value;
  std::int64_t strides[S::rank + 1]{};
  for (int i = 0; i < S::rank; ++i) {
    extents.d[i] = static_cast<extent>(c.shape()[static_cast<std::size_t>(i)]);
    strides[i] = static_cast<std::int64_t>(c.strides()[static_cast<std::size_t>(i)]);
  }
  return tensor<T, S>::view(all, tensor<T, S>::checked(extents), static_cast<std::int64_t>(c.data_offset()), strides);
}
}  // namespace detail

// A tensor over the elements of an xtensor container, which outlives it. The shape is given where the type of the container does not know
// its rank, or to name dimensions and fix numbers; extents that do not fit it throw.
//   xt::xarray<float> a = ...;   auto x = nd::borrow_xtensor<shape<dim<"batch">, 64>>(a);
template <class S = detail::shape_of_the_container, class C>
  requires(!std::is_const_v<C>)
auto borrow_xtensor(C& c) {
  if constexpr (std::is_same_v<S, detail::shape_of_the_container>)
    return detail::from_xtensor<detail::shape_of_container<C>>(c, nullptr, nullptr);
  else return detail::from_xtensor<S>(c, nullptr, nullptr);
}
// The same of a container that nobody else needs: the tensor takes it over, without a copy.
template <class S = detail::shape_of_the_container, class C>
  requires(!std::is_reference_v<C> && !std::is_const_v<C>)
auto borrow_xtensor(C&& c) {
  auto* const owner = new C(std::move(c));
  auto const release = [](void* p) { delete static_cast<C*>(p); };
  if constexpr (std::is_same_v<S, detail::shape_of_the_container>)
    return detail::from_xtensor<detail::shape_of_container<C>>(*owner, owner, release);
  else return detail::from_xtensor<S>(*owner, owner, release);
}

// Writes an expression of xtensor into a tensor of its shape, element by element and without a temporary; the expression may read the
// tensor at the same place, not at another.
//   nd::assign(y, xt::cumsum(nd::as_xtensor(x), 0));
template <class T, class S, class E> void assign(tensor<T, S> const& to, xt::xexpression<E> const& expression) {
  E const& e = expression.derived_cast();
  bool same = e.dimension() == static_cast<std::size_t>(S::rank);
  std::string found = "(";
  for (std::size_t i = 0; i < e.dimension(); ++i) {
    same = same && static_cast<extent>(e.shape()[i]) == to.shape().d[i];
    found += (i ? ", " : "") + std::to_string(e.shape()[i]);
  }
  to.check_writable();
  if (repeats_elements(to.shape(), to.strides()))
    throw shape_error(
        "sinter: an expression cannot be assigned to a view that broadcast_to made: one element of memory stands for several of its "
        "elements; give it a copy()");
  if (!same) throw shape_error("sinter: an expression of shape " + found + ") is assigned to a tensor of shape " + to_string(to.shape()));
  auto x = detail::adapt<T>(to);
  xt::noalias(x) = e;
}

}  // namespace sinter::nd::inline SINTER_ISA
