// SPDX-License-Identifier: Apache-2.0
// A tensor whose way through eager operations is recorded, so that a gradient can go back through them.
#pragma once
#include <concepts>
#include <memory>
#include <ostream>
#include <vector>

#include "../nn/space.hpp"

namespace sinter::autograd::inline SINTER_ISA {

class history;
template <class Mode> struct recording_functions;
template <class... I, class X> auto recorded_part(X const& x);  // recording.hpp

// It stands wherever a tensor can, and what operations give for it is recorded, too. Nobody can write to it: what a gradient is computed from must
// stay as it was. A: a tensor, or a recorded one, where a gradient is differentiated again.
template <class A> class recorded {
 public:
  using recorded_type = A;
  using value_type = typename A::value_type;
  using shape_type = typename A::shape_type;
  using device_type = typename A::device_type;
  static constexpr int rank = A::rank, depth = nd::recording_depth<A>() + 1;

  recorded(A value, std::shared_ptr<history> on, int id) : value_(std::move(value)), on_(std::move(on)), id_(id) {}

  dims const& shape() const { return value_.shape(); }
  extent size() const { return value_.size(); }
  value_type item() const {
    if constexpr (nd::is_tensor<A>) return value_.to(device::cpu).item();
    else return value_.item();
  }
  explicit operator value_type() const
    requires(rank == 0)
  {
    return item();
  }
  std::vector<value_type> to_vector() const { return value_.to_vector(); }
  recorded copy() const { return *this; }
  recorded contiguous() const { return *this; }
  template <std::integral... I>
    requires(sizeof...(I) == rank)
  value_type operator()(I... i) const {
    return value_(i...);
  }
  // The part that indices in the type choose, as in a network: h(all, range<1, 3>).
  template <class... I>
    requires(sizeof...(I) > 0 && (is_index<I> && ...) && !(std::integral<I> && ...))
  auto operator()(I const&...) const {
    static_assert((typed_index<I>.in_type && ...),
                  "sinter: a part of what is recorded is chosen by indices in the type, nth<2> and range<1, 3>; F.take(h, i) takes what an "
                  "index names");
    if constexpr (!indices_fit<shape_type, I...>()) return *this;
    else if constexpr ((typed_index<I>.in_type && ...)) return recorded_part<I...>(*this);
    else return *this;
  }

#define SINTER_NO_CHANGE(sign, instead) \
  SINTER_UNAVAILABLE("what is recorded stays as it is; write " instead) void operator sign(auto const&) {}
  SINTER_NO_CHANGE(+=, "a = a + b")
  SINTER_NO_CHANGE(-=, "a = a - b")
  SINTER_NO_CHANGE(*=, "a = a * b")
  SINTER_NO_CHANGE(/=, "a = a / b")
#undef SINTER_NO_CHANGE
  SINTER_UNAVAILABLE("a part of what is recorded is chosen by indices in the type, h(nth<2>); F.take(h, i) takes what an index names")
  recorded row(std::int64_t) const { return *this; }
  // The gradients of all that is recorded on the way to these numbers, whose own are ones, or `seed`; sinter/train.hpp has it. A tensor keeps none:
  // they go into parameters, and into what autograd::attach_grad gave one. Then what was recorded is forgotten, unless autograd::retain_graph
  // follows.
  template <class... How> void backward(How const&... how) const { backward_of(*this, how...); }
  // A copy of the elements, through which no gradient goes.
  A value() const {
    if constexpr (nd::is_tensor<A>) return A(value_.copy());
    else return value_;
  }
  A const& held() const { return value_; }
  // The record it is in, and its number there: -1 where no gradient goes on from it.
  std::shared_ptr<history> const& on() const { return on_; }
  int id() const { return id_; }

 private:
  A value_;
  std::shared_ptr<history> on_;
  int id_;
};
template <class A> std::ostream& operator<<(std::ostream& out, recorded<A> const& x) { return out << x.held(); }

// The tensor below all records.
template <class A> struct plain {
  using type = A;
};
template <class A> struct plain<recorded<A>> : plain<A> {};
template <class A> using plain_t = typename plain<A>::type;

template <class A> auto space_of(recorded<A> const& x) {
  using sinter::space_of;
  return recording_functions<decltype(space_of(x.held()))>(space_of(x.held()), x.on());
}

}  // namespace sinter::autograd::inline SINTER_ISA
