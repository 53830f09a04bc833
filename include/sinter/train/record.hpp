// SPDX-License-Identifier: Apache-2.0
// The scope in which eager calls are recorded, and the gradients that go back from there.
//   autograd::record on;
//   auto loss = cross_entropy(net(on(x)), y);
//   loss.backward();   // each parameter that was met has its gradient now: p.grad<shape<10, 8>>()
#pragma once
#include <optional>

#include "recording.hpp"

namespace sinter::autograd::inline SINTER_ISA {

// Keeps what was recorded for another backward().
struct retain_graph_t {};
inline constexpr retain_graph_t retain_graph{};

// A tensor that has a gradient of its own. on(x) records it.
template <class A> class variable {
 public:
  explicit variable(A x) : value_(std::move(x)), kept_(std::make_shared<gradient>()) {}
  A const& value() const { return value_; }
  // A copy of the gradient that the last backward() computed.
  A grad() const {
    if (!kept_->of) throw error("sinter: a tensor has no gradient yet; backward() of a number that depends on it makes one");
    return A(kept_->of->copy());
  }
  void zero_grad() const {
    if (kept_->of) kept_->of = A(kept_->of->shape());
  }
  void set_grad_req(grad_req r) const { kept_->wanted = r; }
  grad_req get_grad_req() const { return kept_->wanted; }

 private:
  friend class record;
  struct gradient {
    std::optional<A> of;
    grad_req wanted = grad_req::write;
  };
  struct entry final : history::entry {
    std::shared_ptr<gradient> to_what;
    explicit entry(std::shared_ptr<gradient> g) : to_what(std::move(g)) {}
    void backward(history& h) override {
      if (to_what->wanted == grad_req::null) return;
      A const& d = *h.template gradient<A>(this->to);
      if (to_what->of && to_what->wanted == grad_req::add) to_what->of = A(space_of(d).template call<ops::add>(*to_what->of, d));
      else to_what->of = A(d.copy());
    }
  };
  A value_;
  std::shared_ptr<gradient> kept_;
};
template <class T, class S, class D> auto attach_grad(nd::tensor<T, S, D> const& x) {
  static_assert(is_floating(dtype_of<T>), "sinter: a gradient is one of floats; F.cast integers first");
  return variable<nd::tensor<T, S, D>>(x);
}

class record {
 public:
  record() : on_(std::make_shared<history>()) { on_->take_leaves(); }
  record(record const&) = delete;
  record& operator=(record const&) = delete;
  ~record() { on_->end(); }

  // x as an operand whose way through operations is recorded, in training.
  template <class X> auto operator()(X const& x) const { return training(predict(x)); }
  // The same as a network that infers has it.
  template <class T, class S, class D> auto predict(nd::tensor<T, S, D> const& x) const {
    return recorded<nd::tensor<T, S, D>>(x.copy(), on_, -1);  // elements of its own: x may change before backward()
  }
  template <class A> auto predict(variable<A> const& x) const {
    if (x.kept_->wanted == grad_req::null) return recorded<A>(A(x.value().copy()), on_, -1);
    return recorded<A>(A(x.value().copy()), on_,
                       on_->leaf(x.kept_.get(), [&] { return std::make_unique<typename variable<A>::entry>(x.kept_); }, true));
  }

 private:
  std::shared_ptr<history> on_;
};

// A recorded tensor as a plain one: nothing that is computed of it is recorded.
template <class A> A pause(recorded<A> const& x) { return x.value(); }

template <class A> void check_head(recorded<A> const& y) {
  static_assert(nd::is_tensor<A>,
                "sinter: backward() belongs to autograd::record; within F.gradient the function returns what is differentiated");
  static_assert(has_floats<A>, "sinter: backward() begins at floats, and these are integers");
  if (y.on()->has_ended())
    throw error("sinter: backward() is called outside of the scope of the autograd::record in which the number was computed");
  if (y.id() < 0)
    throw error(
        "sinter: backward() of a number that depends on no parameter and on nothing that has a gradient; is the network called with "
        "on(x)?");
  if (y.on()->has_released(y.id()))
    throw error(
        "sinter: backward() is called twice; the first call forgets what was recorded, unless it is backward(autograd::retain_graph)");
  if (!y.on()->follows(y.id()))
    throw error(
        "sinter: backward() of a number on whose way no gradient goes back: through comparisons, roundings or F.stop_gradient alone");
}
// The gradients of several heads, seeds[i] being that of heads[i]. `leaves`: whether parameters get theirs.
template <class... A, class... Seed>
void go_back(std::tuple<recorded<A>...> const& heads, std::tuple<Seed...> const& seeds, bool leaves) {
  std::apply([](auto const&... y) { (check_head(y), ...); }, heads);
  history& h = *std::get<0>(heads).on();
  auto const begin_at = [&]<class B, class G>(recorded<B> const& y, G const& seed) {
    constexpr bool fits =
        std::is_same_v<typename B::value_type, typename G::value_type> && may_equal(B::shape_type::value, G::shape_type::value);
    static_assert(fits, "sinter: backward() is given a gradient of the dtype and shape of the number that it begins at, or none");
    if (y.on().get() != &h) throw error("sinter: backward() of numbers that are recorded in two scopes");
    if (!(seed.shape() == y.shape()))
      throw shape_error("sinter: backward() of shape " + to_string(y.shape()) + " is given a gradient of shape " + to_string(seed.shape()));
    if constexpr (fits) h.add(space_of(y.held()), y.id(), as_type<B>(seed));
  };
  try {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (begin_at(std::get<I>(heads), std::get<I>(seeds)), ...);
      h.backward(std::vector<int>{std::get<I>(heads).id()...}, leaves);
    }(std::index_sequence_for<A...>{});
  } catch (...) {
    h.forget_gradients();
    throw;
  }
}
template <class A> recorded<A> unmarked_record(recorded<A> const& x) { return x; }
template <class... Y> auto as_records(std::tuple<Y...> const& y) {
  return std::apply([](auto const&... k) { return std::tuple(unmarked_record(k)...); }, y);
}
template <class Y> auto as_records(Y const& y) { return std::tuple(unmarked_record(y)); }
template <class... A> auto ones_of(std::tuple<recorded<A>...> const& heads) {
  return std::apply([](auto const&... y) { return std::tuple(space_of(y.held()).template call<ops::ones_like>(y.held())...); }, heads);
}

// Of several numbers at once: autograd::backward(std::tuple(first, second)), and behind them their gradients, where these are not ones.
template <class Heads, class Seeds> void backward(Heads const& heads, Seeds const& seeds, retain_graph_t) {
  auto const all = as_records(heads);
  go_back(all, seeds, true);
  std::get<0>(all).on()->forget_gradients();
}
template <class Heads, class Seeds> void backward(Heads const& heads, Seeds const& seeds) {
  auto const all = as_records(heads);
  go_back(all, seeds, true);
  std::get<0>(all).on()->release();
}
template <class Heads> void backward(Heads const& heads) { backward(heads, ones_of(as_records(heads))); }
template <class Heads> void backward(Heads const& heads, retain_graph_t r) { backward(heads, ones_of(as_records(heads)), r); }
template <class A> void backward_of(recorded<A> const& y) { backward(y); }
template <class A> void backward_of(recorded<A> const& y, retain_graph_t r) { backward(y, r); }
template <class A, class Seed> void backward_of(recorded<A> const& y, Seed const& seed) { backward(y, std::tuple(seed)); }
template <class A, class Seed> void backward_of(recorded<A> const& y, Seed const& seed, retain_graph_t r) {
  backward(y, std::tuple(seed), r);
}

// The gradients of the sum of the heads with respect to recorded tensors, as tensors; parameters keep the gradients that they have, and what was
// recorded stays: autograd::grad(loss, std::tuple(a, b))
template <class Heads, class Variables, class Seeds> auto grad(Heads const& heads, Variables const& variables, Seeds const& seeds) {
  auto const all = as_records(heads);
  auto const wanted = as_records(variables);
  go_back(all, seeds, false);
  history& h = *std::get<0>(all).on();
  auto const found = [&]<class A>(recorded<A> const& v) {
    A const* const d = v.on().get() == &h && h.follows(v.id()) ? h.template gradient<A>(v.id()) : nullptr;
    if (!d) {
      h.forget_gradients();
      throw error("sinter: a gradient is asked for with respect to a tensor on which the number that is differentiated does not depend");
    }
    return A(d->copy());
  };
  auto r = std::apply([&](auto const&... v) { return std::tuple(found(v)...); }, wanted);
  h.forget_gradients();
  if constexpr (std::tuple_size_v<decltype(r)> == 1) return std::get<0>(std::move(r));
  else return r;
}
template <class Heads, class Variables> auto grad(Heads const& heads, Variables const& variables) {
  return grad(heads, variables, ones_of(as_records(heads)));
}

}  // namespace sinter::autograd::inline SINTER_ISA
