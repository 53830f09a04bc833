// SPDX-License-Identifier: Apache-2.0
// The F of recorded tensors: the operations of a mode, each of which is noted with what its gradient needs.
#pragma once
#include <array>

#include "../core/places.hpp"
#include "../nn/block.hpp"
#include "../sym/part.hpp"
#include "derived.hpp"
#include "history.hpp"

namespace sinter::autograd::inline SINTER_ISA {

template <class X> inline constexpr bool has_floats = is_floating(dtype_of<typename X::value_type>);
// A plain tensor as an A of this mode, through which no gradient goes.
template <class A, class Mode, class X> A lifted(Mode const& F, X const& x) {
  if constexpr (nd::recording_depth<X>() == nd::recording_depth<A>()) return as_type<A>(x);
  else return A(lifted<typename A::recorded_type>(F.mode, x), F.on, -1);
}

// The places in an array at which it is true, as an index_sequence.
template <auto Flags, std::size_t... I>
typename sinter::detail::places_where<Flags[I]...>::type places_in(std::index_sequence<I...>);
template <auto Flags> using places_of = decltype(places_in<Flags>(std::make_index_sequence<Flags.size()>{}));

// Runs Source, a gradient: that of each of the first N operands which has one, as a std::tuple.
template <class Source, std::size_t N, class Device, class... X> auto run(nd::functions_on<Device> const&, X const&... x) {
  auto const out = []<std::size_t... K>(std::index_sequence<K...>, auto const& all) {
    return std::tuple(std::remove_cvref_t<decltype(std::get<K>(all))>(std::get<K>(all).shape(), false)...);
  }(places_of<Source::template gives<N>>{}, std::tie(x...));
  std::apply(
      [&](auto const&... o) {
        kernel::pointer const to[]{kernel::pointer(o.data())..., kernel::pointer()};
        nd::detail::run_planned<program<Source>, Device>(to, x...);
      },
      out);
  return out;
}
template <class Source, std::size_t N, class Mode, class... X> auto run(recording_functions<Mode> const& F, X const&... x) {
  return F.template noted<Source>("gradient", run<Source, N>(F.mode, F.lower(x)...), x...);
}

// A call. Derived: its gradient; X, Y: the types of operands and results, as Mode has them.
template <class Mode, class Derived, class Y, class... X> struct call_entry final : history::entry {
  Mode mode;
  std::tuple<X...> x;
  std::array<dims, std::tuple_size_v<Y>> extents;
  // The operands that get a gradient, and the results that have one.
  using given = places_of<Derived::template gives<sizeof...(X)>>;
  static constexpr auto floats = []<class... R>(std::type_identity<std::tuple<R...>>) {
    return std::array{has_floats<R>...};
  }(std::type_identity<Y>{});

  call_entry(Mode const& m, Y const& y, X const&... operands) : mode(m), x(operands...) {
    std::apply([&](auto const&... r) { extents = {r.shape()...}; }, y);
  }
  void backward(history& h) override {
    [&]<std::size_t... I, std::size_t... R, std::size_t... K, std::size_t... N>(std::index_sequence<I...>, std::index_sequence<R...>,
                                                                                std::index_sequence<K...>, std::index_sequence<N...>) {
      auto const all = run<Derived, sizeof...(X)>(mode, std::get<I>(x)..., of_result<R>(h)...);
      (h.add(mode, this->from[K], std::get<N>(all)), ...);
    }(std::index_sequence_for<X...>{}, places_of<floats>{}, given{}, std::make_index_sequence<given::size()>{});
  }

 private:
  // The gradient of result I, zeros if nothing came.
  template <std::size_t I> auto of_result(history& h) const {
    using A = std::tuple_element_t<I, Y>;
    A const* const d = h.template gradient<A>(this->to + static_cast<int>(I));
    return d ? *d : lifted<A>(mode, plain_t<A>(extents[I]));
  }
};
[[noreturn]] SINTER_NOINLINE inline void refuse_captured() {
  throw error(
      "sinter: the first function of with_gradient captures what is differentiated, whose gradient would be lost; make it an operand, or "
      "capture F.stop_gradient of it");
}
[[noreturn]] SINTER_NOINLINE inline void refuse_gradient(dims const& got, dims const& of) {
  throw shape_error("sinter: the second function of with_gradient gives a gradient of shape " + to_string(got) +
                    " for an operand of shape " + to_string(of));
}
// A call whose gradient is what a function says.
template <class Mode, class Backward, class Y, class... X> struct own_entry final : history::entry {
  Mode mode;
  Backward of;
  std::tuple<X...> x;
  own_entry(Mode const& m, Backward const& b, X const&... operands) : mode(m), of(b), x(operands...) {}
  void backward(history& h) override {
    auto const all = std::apply([&](auto const&... o) { return as_tuple(of(*h.template gradient<Y>(this->to), o...)); }, x);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (check_extents(std::get<I>(all), std::get<I>(x)), ...);
      (h.add(mode, this->from[I], lifted<X>(mode, std::get<I>(all))), ...);
    }(std::index_sequence_for<X...>{});
  }

 private:
  static void check_extents(auto const& d, auto const& operand) {
    if (!(d.shape() == operand.shape())) refuse_gradient(d.shape(), operand.shape());
  }
};
// One through which no gradient goes, by its nature.
struct flat_entry final : history::entry {
  void backward(history&) override {}
};
// One of which there is no gradient yet.
struct blocked_entry final : history::entry {
  std::string_view name;
  explicit blocked_entry(std::string_view n) : name(n) {}
  void backward(history&) override {
    throw error("sinter: a gradient is asked for that goes through " + std::string(name) +
                ", of which there is none yet; docs/operations.md says which operations have one");
  }
};

template <class Mode> struct recording_functions : ops::all_members<recording_functions<Mode>> {
  using device_type = typename Mode::device_type;
  static constexpr int depth = [] {
    if constexpr (requires { Mode::depth; }) return Mode::depth + 1;
    else return 1;
  }();
  Mode mode;
  std::shared_ptr<history> on;
  recording_functions(Mode m, std::shared_ptr<history> h) : mode(m), on(std::move(h)) {}

  template <class Op, class... A>
  static constexpr bool fits = ops::call_fits<nd::functions_on<device_type>, Op, plain_t<A>...>;
  template <class Op, class... A> auto operator()(Op, A const&... a) const { return call<Op>(a...); }
  template <class Op, class... A> auto call(A const&... a) const {
    if constexpr (((nd::recording_depth<A>() > depth) || ...)) return space_for(in_sinter{}, a...).template call<Op>(a...);
    else if (on->has_ended()) return recording_functions(mode, first_open(a...)).template agreed<Op>(std::index_sequence_for<A...>{}, a...);
    else return agreed<Op>(std::index_sequence_for<A...>{}, a...);
  }
  template <class Op, class... A> auto refused() const { return mode.template refused<Op, A...>(); }
  template <class X> void print(char const* label, X const& x) const { nd::functions_on<device_type>{}.print(label, x); }

  // An argument as the mode below has it.
  template <class X> decltype(auto) lower(X const& x) const {
    if constexpr (nd::recording_depth<X>() == depth) return x.held();
    else return (x);
  }
  // A value that no gradient goes through.
  template <class X> auto constant(X const& x) const { return recorded<X>(x, on, -1); }
  // A bit for each operand that is.
  template <class... X> static constexpr std::uint64_t operands_recorded() {
    std::uint64_t r = 0, bit = 1;
    if constexpr (sizeof...(X) > 64) r = ~std::uint64_t{0};
    else ((r |= nd::recording_depth<X>() == depth ? bit : 0, bit <<= 1), ...);
    return r;
  }
  // The results y of a call with these operands, recorded.
  template <class Source, class Y, class... X> auto noted(std::string_view name, Y const& y, X const&... x) const {
    std::array<int, sizeof...(X)> const from{id_of(x)...};
    if (!on->notes(from)) return marked(y, -1);
    using all = decltype(as_tuple(y));
    constexpr bool gives_floats = []<class... R>(std::type_identity<std::tuple<R...>>) {
      return (has_floats<R> || ...);
    }(std::type_identity<all>{});
    // Only of what is recorded: that of a number that is no operand may be none, as a logarithm of something below zero.
    using of = derived<Source, operands_recorded<X...>()>;
    std::unique_ptr<history::entry> e;
    constexpr bool flat = [] {
      if constexpr (std::is_void_v<Source> || !gives_floats) return true;
      else return of::template gives<sizeof...(X)> == std::array<bool, sizeof...(X)>{};
    }();
    if constexpr (flat) e = std::make_unique<flat_entry>();
    else if constexpr (of::missing() != nullptr) e = std::make_unique<blocked_entry>(name);
    else e = std::make_unique<call_entry<Mode, of, all, std::decay_t<decltype(lower(x))>...>>(mode, as_tuple(y), kept(x)...);
    [&]<class... R>(std::type_identity<std::tuple<R...>>) {
      on->add(std::move(e), from, {(has_floats<R> && !flat)...});
    }(std::type_identity<all>{});
    return marked(y, on->last());
  }
  template <class Forward, class Backward, class... X>
  auto noted_own(Forward const& forward, Backward const& backward, X const&... x) const {
    auto const result = with_gradient_in(mode, forward, backward, lower(x)...);
    if (on->follows(id_of(result))) refuse_captured();
    auto const y = lower(result);
    using Y = std::decay_t<decltype(y)>;
    std::array<int, sizeof...(X)> const from{id_of(x)...};
    if (!on->notes(from)) return marked(y, -1);
    on->add(std::make_unique<own_entry<Mode, Backward, Y, std::decay_t<decltype(lower(x))>...>>(mode, backward, kept(x)...), from, {true});
    return marked(y, on->last());
  }
  // Results of control flow, through which no gradient goes yet; `depends`: a value that they depend on, or -1.
  template <class Y> auto blocked(std::string_view name, Y const& y, int depends) const {
    return map_parts(y, [&](auto const& part) {
      if (depends < 0) return constant(part);
      auto e = std::make_unique<blocked_entry>(name);
      on->add(std::move(e), {&depends, 1}, {has_floats<std::decay_t<decltype(part)>>});
      return recorded(part, on, on->last());
    });
  }
  template <class X> int id_of(X const& x) const {
    if constexpr (nd::recording_depth<X>() == depth) return x.on()->operand_of(*on, x.id());
    else return -1;
  }

 private:
  // A record that goes on: that of an operand, where it is not this one.
  template <class... A> std::shared_ptr<history> first_open(A const&... a) const {
    std::shared_ptr<history> r = on;
    auto const look = [&]<class X>(X const& x) {
      if constexpr (nd::recording_depth<X>() == depth)
        if (r->has_ended()) r = x.on();
    };
    (look(a), ...);
    return r;
  }
  // The operand that argument I is, or -1 of a keyword.
  template <class... A> static constexpr int operand_number(std::size_t argument) {
    bool const is_keyword[]{ops::is_keyword<A>..., false};
    int n = 0;
    for (std::size_t i = 0; i < argument; ++i) n += !is_keyword[i];
    return is_keyword[argument] ? -1 : n;
  }
  // An argument in the dtype on which the call agreed.
  template <class R, int I, class A> auto in_agreed(A const& a) const {
    if constexpr (I < 0) return a;
    else {
      using T = type_of<R::value.in[I].type>;
      if constexpr (std::is_arithmetic_v<A>) return nd::tensor<T, shape<>>(ops::number_as<T>(a)).to(device_type{});
      else if constexpr (std::is_same_v<typename A::value_type, T>) return a;
      else return call<ops::cast>(a, as<T>);
    }
  }
  template <class Op, std::size_t... I, class... A> auto agreed(std::index_sequence<I...>, A const&... a) const {
    using R = ops::call_rule<Op, plain_t<A>...>;
    if constexpr (!R::ok) return mode.template call<Op>(lower(a)...);  // says why
    else return note_call<Op, R>(in_agreed<R, operand_number<A...>(I)>(a)...);
  }
  template <class A> static auto only_operands(A const& a) {
    if constexpr (ops::is_keyword<A>) return std::tuple<>{};
    else return std::tuple<A const&>(a);
  }
  template <class Op, class R, class... A> auto note_call(A const&... a) const {
    auto const y = mode.template call<Op>(lower(a)...);
    using source = std::conditional_t<ops::info<Op>.derives == derivative::zero, void, nd::detail::single_op<R>>;
    auto const note = [&](auto const&... x) {
      if constexpr (is_view<Op>) return noted<source>(ops::op_name<Op>, map_parts(y, [&](auto const& p) { return apart(p, x...); }), x...);
      else return noted<source>(ops::op_name<Op>, y, x...);
    };
    if constexpr ((ops::is_keyword<A> || ...)) return std::apply(note, std::tuple_cat(only_operands(a)...));
    else return note(a...);
  }
  template <class Op> static constexpr bool is_view = Op::kind == family::view || requires { &Op::view_of_result; };
  // A view of elements that others can write to, as elements of its own.
  template <class Y, class... X> static Y apart(Y const& y, X const&...) {
    if constexpr ((nd::is_recorded<X> || ...) || !nd::is_tensor<Y>) return y;
    else return y.copy();
  }
  // An operand as it is now, whatever is written to it before its gradient is asked for.
  template <class X> auto kept(X const& x) const {
    if constexpr (nd::is_tensor<X>) return x.copy();
    else return lower(x);
  }
  template <class Y> auto marked(Y const& y, int first) const {
    int next = first;
    return map_parts(y, [&](auto const& part) { return recorded(part, on, first < 0 ? -1 : next++); });
  }
};

// Parts, as in a trace: slice, squeeze and expand_dims.
template <class... I, class X> auto recorded_part(X const& x) { return sym::part_in<I...>(space_of(x), x); }

template <class X> inline constexpr bool are_recorded = each_part_is<nd::part_is_recorded, X>;

// Control flow. What a branch computes is recorded where it is computed; through loops there is no gradient yet, which who asks for it is told.
template <class Mode, class X> auto lower_parts(recording_functions<Mode> const& F, X const& x) {
  return map_parts(x, [&](auto const& p) -> std::decay_t<decltype(F.lower(p))> { return F.lower(p); });
}
template <class Mode, class X> void note_dependence(recording_functions<Mode> const& F, X const& x, int& depends) {
  each_part(x, [&](auto const& p) {
    if (F.id_of(p) >= 0) depends = F.id_of(p);
  });
}
template <class Mode, class Body, class X, class S>
auto foreach_in(recording_functions<Mode> const& F, Body const& body, X const& sequences, S const& states) {
  int depends = -1;
  note_dependence(F, sequences, depends);
  note_dependence(F, states, depends);
  auto const mark = [&](auto const& x) { return map_parts(x, [&](auto const& p) { return recorded(p, F.on, depends); }); };
  auto const all = F.mode.foreach (
      [&](auto const& x, auto const& s) {
        auto const y = body(mark(x), mark(s));
        note_dependence(F, y, depends);
        return lower_parts(F, y);
      },
      lower_parts(F, sequences), lower_parts(F, states));
  return F.blocked("foreach", all, depends);
}
template <int Most, class Mode, class GoOn, class Body, class S>
auto while_in(recording_functions<Mode> const& F, GoOn const& go_on, Body const& body, S const& states) {
  int depends = -1;
  note_dependence(F, states, depends);
  auto const mark = [&](auto const& p) { return recorded(p, F.on, depends); };
  auto const all = F.mode.while_loop([&](auto const&... s) { return lower_parts(F, go_on(mark(s)...)); },
                                     [&](auto const&... s) {
                                       auto const y = body(mark(s)...);
                                       note_dependence(F, y, depends);
                                       return lower_parts(F, y);
                                     },
                                     lower_parts(F, states), max_iterations<Most>);
  return F.blocked("while_loop", all, depends);
}
template <class Mode, class C, class Then, class Otherwise>
auto cond_in(recording_functions<Mode> const&, C const& condition, Then const& then, Otherwise const& otherwise) {
  using Y = std::remove_cvref_t<decltype(then())>;
  if constexpr (!ops::is_condition<C>() || !ops::gives_the_same<Y, std::remove_cvref_t<decltype(otherwise())>, true>()) return condition;
  else return condition.item() ? Y(then()) : Y(otherwise());
}
// The same of a function that has the F outside of it.
template <class Device, class Body, class X, class S>
  requires(are_recorded<X> || are_recorded<S>)
auto foreach_in(nd::functions_on<Device> const&, Body const& body, X const& sequences, S const& states) {
  return space_for(in_sinter{}, first_part(sequences), first_part(states)).foreach (body, sequences, states);
}
template <int Most, class Device, class GoOn, class Body, class S>
  requires are_recorded<S>
auto while_in(nd::functions_on<Device> const&, GoOn const& go_on, Body const& body, S const& states) {
  return space_of(first_part(states)).while_loop(go_on, body, states, max_iterations<Most>);
}
template <class Device, class C, class Then, class Otherwise>
  requires nd::is_recorded<C>
auto cond_in(nd::functions_on<Device> const&, C const& condition, Then const& then, Otherwise const& otherwise) {
  return space_of(condition).cond(condition, then, otherwise);
}

}  // namespace sinter::autograd::inline SINTER_ISA

namespace sinter::nn::inline SINTER_ISA {
// Leaves its gradient in a parameter. A: the tensor that the parameter is in the record.
template <class A> struct parameter_entry final : autograd::history::entry {
  parameter_of<typename A::value_type> of;
  explicit parameter_entry(parameter_of<typename A::value_type> const& p) : of(p) {}
  void backward(autograd::history& h) override {
    A d = h.template take<A>(this->to);
    if constexpr (!A::device_type::is_host) of.take_gradient(d.to(device::cpu).owner());
    else {
      bool const own = d.is_contiguous() && d.data() == d.owner().data() && !d.owner().is_shared();
      of.take_gradient(own ? d.owner() : d.copy().owner());
    }
  }
};
// F inside a block. Its parameters are constants of the record, unless that is one of autograd::record, which wants their gradients.
template <class Mode> struct block_space<autograd::recording_functions<Mode>> : autograd::recording_functions<Mode> {
  static constexpr bool training = false;
  explicit block_space(autograd::recording_functions<Mode> m) : autograd::recording_functions<Mode>(m) {}
  template <class P, class S> auto get(P const& p, S shape) const {
    auto const x = block_space<Mode>(this->mode).get(p, shape);
    using A = std::remove_cvref_t<decltype(x)>;
    if constexpr (nd::is_tensor<A>)
      if constexpr (is_floating(dtype_of<typename A::value_type>))
        if (this->on->takes_leaves() && p.kind() == role::parameter && p.get_grad_req() != grad_req::null)
          return autograd::recorded<A>(x, this->on,
                                       this->on->leaf(&p.value_in(S::value), [&] { return std::make_unique<parameter_entry<A>>(p); }));
    return this->constant(x);
  }
  template <class P, class X> void assign(P const& p, X const& value) const { block_space<Mode>(this->mode).assign(p, this->lower(value)); }
};
}  // namespace sinter::nn::inline SINTER_ISA
