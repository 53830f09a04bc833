// SPDX-License-Identifier: Apache-2.0
// Data in batches: for (auto [x, y] : train::batches<64>(pixels, digits, epoch)) loss += step(x, y).item();
#pragma once
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../core/random.hpp"
#include "../nd/tensor.hpp"

namespace sinter::train {

// The examples that do not fill a batch are left out, or make a shorter one.
enum class last_batch : std::int8_t { discard, keep };

namespace detail {
template <int N, last_batch Last, class S> struct batch_shape;
template <int N, auto First, auto... Rest> struct batch_shape<N, last_batch::discard, shape<First, Rest...>> {
  using type = shape<N, Rest...>;
};
template <int N, auto First, auto... Rest> struct batch_shape<N, last_batch::keep, shape<First, Rest...>> {
  using type = shape<dim<"batch">, Rest...>;
};
template <int N, last_batch Last, class X> using batch_of =
    nd::tensor<typename X::value_type, typename batch_shape<N, Last, typename X::shape_type>::type>;

// The numbers from 0 to n, each order as likely as the others (Fisher and Yates, as Durstenfeld, CACM 1964); the same for a seed on every
// compiler.
inline std::vector<extent> shuffled(extent n, std::uint64_t seed) {
  std::vector<extent> r(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = static_cast<extent>(i);
  for (std::size_t i = r.size(); i > 1; --i) std::swap(r[i - 1], r[static_cast<std::size_t>(number_below(i, random_bits(seed, 0), i))]);
  return r;
}
}  // namespace detail

// Batches of N examples, which lie along the first axis of each array. They are copies, on the processor.
template <int N, last_batch Last, class... X> class batch_range {
 public:
  using value_type = std::tuple<detail::batch_of<N, Last, X>...>;
  batch_range(std::vector<extent> order, X const&... x) : order_(std::move(order)), x_(x.contiguous()...) {}

  class iterator {
   public:
    iterator(batch_range const* of, std::size_t at) : of_(of), at_(at) {}
    value_type operator*() const { return of_->batch(at_); }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(iterator const& o) const { return at_ == o.at_; }

   private:
    batch_range const* of_;
    std::size_t at_;
  };
  iterator begin() const { return {this, 0}; }
  iterator end() const { return {this, size()}; }
  // The number of batches.
  std::size_t size() const { return (order_.size() + (Last == last_batch::keep ? N - 1 : 0)) / N; }

 private:
  std::vector<extent> order_;
  std::tuple<X...> x_;

  value_type batch(std::size_t i) const {
    std::size_t const from = i * N, n = std::min<std::size_t>(N, order_.size() - from);
    return std::apply([&](auto const&... x) { return value_type(rows(x, from, n)...); }, x_);
  }
  template <class A> auto rows(A const& x, std::size_t from, std::size_t n) const {
    dims extents = x.shape();
    extent const one = extents.d[0] == 0 ? 0 : extents.size() / extents.d[0];
    extents.d[0] = static_cast<extent>(n);
    detail::batch_of<N, Last, A> r(extents);
    for (std::size_t i = 0; i < n; ++i) std::copy_n(x.data() + order_[from + i] * one, one, r.data() + static_cast<extent>(i) * one);
    return r;
  }
};

namespace detail {
template <int N, last_batch Last, class... X> auto batches_of(bool shuffles, std::uint64_t seed, X const&... x) {
  static_assert(N > 0, "sinter: a batch has one example or more: train::batches<64>(x, y, seed)");
  static_assert(((X::rank > 0) && ...), "sinter: the examples of a batch lie along the first axis, and a single number has none");
  static_assert((X::device_type::is_host && ...), "sinter: batches are made on the processor; x.to(device) brings one to a device");
  extent const n = std::get<0>(std::tie(x...)).shape().d[0];
  auto const check = [&](dims const& s) {
    if (s.d[0] != n)
      throw shape_error("sinter: the arrays of a batch have as many examples, and here one has " + std::to_string(n) + " and another one " +
                        std::to_string(s.d[0]));
  };
  (check(x.shape()), ...);
  if (n < N && Last == last_batch::discard)
    throw shape_error("sinter: " + std::to_string(n) + " examples make no batch of " + std::to_string(N) + "; train::batches<" +
                      std::to_string(N) + ", train::last_batch::keep> gives a shorter one");
  std::vector<extent> order;
  if (shuffles) order = shuffled(n, seed);
  else
    for (extent i = 0; i < n; ++i) order.push_back(i);
  return batch_range<N, Last, X...>(std::move(order), x...);
}
template <int N, last_batch Last, class All, std::size_t... I> auto batches_from(All const& all, std::index_sequence<I...>) {
  using last = std::remove_cvref_t<std::tuple_element_t<sizeof...(I), All>>;
  if constexpr (std::is_integral_v<last>)
    return batches_of<N, Last>(true, static_cast<std::uint64_t>(std::get<sizeof...(I)>(all)), std::get<I>(all)...);
  else return batches_of<N, Last>(false, 0, std::get<I>(all)..., std::get<sizeof...(I)>(all));
}
}  // namespace detail

// The arrays, and last a seed, by which the examples are shuffled: the same batches for the same seed, anywhere. Without one they keep their order.
template <int N, last_batch Last = last_batch::discard, class... X> auto batches(X const&... x) {
  static_assert(sizeof...(X) > 0, "sinter: batches are made of tensors: train::batches<64>(x, y, seed)");
  return detail::batches_from<N, Last>(std::tie(x...), std::make_index_sequence<sizeof...(X) - 1>{});
}

}  // namespace sinter::train
