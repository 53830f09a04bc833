// SPDX-License-Identifier: Apache-2.0
// A step of training as a block: forward pass, loss, its mean, gradients and updates are one graph.
#pragma once
#include "../compile/trace.hpp"
#include "updates.hpp"

namespace sinter::train {

// Gradients are not clipped.
struct no_clip {
  static constexpr auto clipped(auto, auto g) { return g; }
};
// Each element of a gradient, divided by the batch, is at most this: train::clip_value<1.0>
template <auto Most> struct clipped_values {
  static_assert(Most > 0, "sinter: train::clip_value<1.0> takes a number above 0");
  static constexpr double most = Most;
  static constexpr auto clipped(auto F, auto g) { return F.minimum(F.maximum(g, -most), most); }
};
template <auto Most> inline constexpr clipped_values<Most> clip_value{};
// All gradients, divided by the batch, are multiplied with one number so that the root of the sum of all squares is at most this (Pascanu et al., ICML
// 2013): train::clip_norm<1.0>. It must know all gradients before the first update, so that they go through memory.
template <auto Most> struct clipped_norm {
  static_assert(Most > 0, "sinter: train::clip_norm<1.0> takes a number above 0");
  static constexpr double norm = Most;
  static constexpr auto clipped(auto, auto g) { return g; }
};
template <auto Most> inline constexpr clipped_norm<Most> clip_norm{};
struct no_loss : nn::hybrid_block<no_loss> {};

namespace detail {
template <class M> constexpr int count_visited() {
  int n = 0;
  nn::visit_parameters(M{}, [&](auto const&, std::string_view) { ++n; }, nn::detail::ignore_blocks{}, false);
  return n;
}
template <class Net, class Loss, class Optimizer, class Which, class Clip>
struct step_block : nn::hybrid_block<step_block<Net, Loss, Optimizer, Which, Clip>> {
  using trained_type = trained<Net, Which>;
  using kept_type = kept<Net, Optimizer, Which>;
  using number_type = typename trained_type::number_type;
  static constexpr bool never_constant = true;
  // A row for each parameter that is trained.
  using numbers_type = nn::basic_state<number_type, shape<trained_type::count == 0 ? 1 : trained_type::count, number_count<Optimizer>>>;
  BOOST_HANA_DEFINE_STRUCT(step_block, (Net, net), (Loss, loss), (kept_type, states), (numbers_type, numbers));

  // The last that a visit meets.
  static constexpr int numbers_visited = count_visited<Net>() + count_visited<Loss>() + kept_type::size;

  // False if the loss declares that it does not take labels of this dtype.
  template <class... X> static constexpr bool takes() {
    if constexpr (has_loss && sizeof...(X) > 1) {
      using label = std::tuple_element_t<sizeof...(X) - 1, std::tuple<X...>>;
      if constexpr (requires { Loss::template takes_label<label>; }) return Loss::template takes_label<label>;
    }
    return true;
  }
  template <class... X> static void check(X const&... x) {
    (each_part(x, [](auto const& part) { part.size() > 0 ? void() : refuse_empty(); }), ...);
  }
  // x: the network's operands, and last what the loss compares with, where there is a loss.
  template <class Mode, class... X> constexpr auto hybrid_forward(Mode const& F, X const&... x) const {
    auto const each = unmarked_copy(loss_of(std::make_index_sequence<sizeof...(X) - (has_loss ? 1 : 0)>{}, std::tie(x...)));
    if constexpr (sym::is_poison<std::remove_cvref_t<decltype(each)>>) return each;
    else {
      auto const head = F.sum(each);
      write(tape_of(F), head.id, scale_of(F, each).id);
      return F.mean(each);
    }
  }

 private:
  [[noreturn]] SINTER_NOINLINE static void refuse_empty() {
    throw error("sinter: a step of training takes at least one example, and its mean would be one of none");
  }
  static constexpr bool has_loss = !std::is_same_v<Loss, no_loss>;
  template <std::size_t... I, class All> constexpr auto loss_of(std::index_sequence<I...>, All const& x) const {
    auto const y = net(training(std::get<I>(x))...);
    if constexpr (has_loss) return loss(y, std::get<sizeof...(I)>(x));
    else return y;
  }
  // 1 / the number of examples, by which the sum of their gradients is multiplied.
  static constexpr auto scale_of(auto const& F, auto const& each) {
    using E = std::remove_cvref_t<decltype(each)>;
    using T = number_type;
    if constexpr (E::shape_type::fixed) {
      tape& t = tape_of(F);
      constexpr T one_of = T{1} / static_cast<T>(E::shape_type::value.size());
      return sym::tensor<T, shape<>>{&t, t.g.scalar(dtype_of<T>, static_cast<double>(one_of))};
    } else return F.divide(1, F.sum(F.ones_like(F.cast(each, as<T>))));
  }
  // 1 / the number of examples, smaller where all gradients together are too large.
  static constexpr int clipped_scale(graph& g, int gradients, list<int> const& wanted, int scale) {
    constexpr dtype t = dtype_of<number_type>;
    auto const in_type = [&](int x) { return g.nodes[x].type.type == t ? x : ops::make<ops::cast>(g, {t}, x); };
    int total = -1;
    for (int k = 0; k < wanted.size(); ++k) {
      int const row = ops::make<ops::reshape>(g, {dims{g.nodes[wanted[k]].type.shape.size()}}, in_type(g.result(gradients, k)));
      int const one = ops::make<ops::sum>(g, {1, false}, ops::make<ops::square>(g, row));
      total = total < 0 ? one : ops::make<ops::add>(g, total, one);
    }
    int const norm = ops::make<ops::multiply>(g, ops::make<ops::sqrt>(g, total), scale), most = g.scalar(t, Clip::norm);
    int const factor =
        ops::make<ops::where>(g, ops::make<ops::greater>(g, norm, most), ops::make<ops::divide>(g, most, norm), g.scalar(t, 1));
    return ops::make<ops::multiply>(g, scale, factor);
  }
  // In a graph that is printed the nodes of an update are parts of one operation: net.hidden.weight.update
  static constexpr span_of name_of_update(graph& g, int parameter) {
    if (g.chars.empty()) return {};
    span_of const of = g.nodes[parameter].name;
    constexpr std::string_view update = "update";
    span_of const r{g.chars.size(), of.n + 1 + static_cast<int>(update.size())};
    char* to = g.chars.extend(r.n);
    for (int i = 0; i < of.n; ++i) *to++ = g.chars[of.at + i];
    *to++ = composite_mark;
    for (char const c : update) *to++ = c;
    return r;
  }
  constexpr void write(tape& t, int head, int scale) const {
    list<void const*> who;
    nn::visit_parameters(*this, [&](auto const& p, std::string_view) { who.push(&p); }, nn::detail::ignore_blocks{}, false);
    list<int> met, wanted, which;  // the nodes, and which of those that are trained
    for (trained_one const& one : trained_type::list) met.push(t.node_of(who[one.visited]));
    for (int const at : met)
      if (at >= 0) wanted.push(at);
    list<char> const used = ops::between(t.g, head, wanted);  // a gradient goes there
    wanted.shrink(0);
    for (int i = 0; i < met.size(); ++i)
      if (met[i] >= 0 && used[met[i]]) wanted.push(met[i]), which.push(i);
    if (wanted.empty()) return t.fail(trace_error::nothing_trained);
    if (op_info const* const op = ops::without_gradient(t.g, head, wanted)) {
      t.fail(trace_error::no_gradient);
      t.without_gradient = op;
    }
    list<int> in;
    in.push(head);
    for (int const at : wanted) in.push(at);
    inferred why;
    int const gradients = t.g.apply(ops::info<ops::gradient>, {in.data(), in.size()}, pack(ops::gradient::attributes{wanted.size()}), why);
    if constexpr (requires { Clip::norm; }) scale = clipped_scale(t.g, gradients, wanted, scale);
    int const first_state = who.size() - 1 - kept_type::size;
    int const numbers_at = t.parameter(who.back(), dtype_of<number_type>, numbers_type::declared_shape::value);
    t.g.nodes[numbers_at].data = 1;  // it changes with every step
    span_of const before = t.g.scope;
    graph update;
    dtype update_of = dtype::none;
    for (int k = 0; k < wanted.size(); ++k) {
      auto const one = trained_type::list[static_cast<std::size_t>(which[k])];
      if (one.type != update_of) {
        update_of = one.type;
        with_type(one.type, [&]<class T>(T*) {
          if constexpr (is_floating(dtype_of<T>)) update = update_graph<Optimizer, Clip, T>();
        });
      }
      dims const extents = t.g.nodes[wanted[k]].type.shape;
      auto const in_type = [&](int node) {
        return t.g.nodes[node].type.type == one.type ? node : ops::make<ops::cast>(t.g, {one.type}, node);
      };
      t.g.scope = name_of_update(t.g, wanted[k]);
      list<int> operands, next;
      operands.push(wanted[k]);
      operands.push(t.g.result(gradients, k));
      operands.push(in_type(scale));
      for (int j = 0; j < number_count<Optimizer>; ++j) operands.push(number_at(t.g, numbers_at, which[k], j, one.type));
      int const states_at = first_state + which[k] * slot_count<Optimizer>;
      for (int j = 0; j < slot_count<Optimizer>; ++j) operands.push(t.parameter(who[states_at + j], one.type, extents));
      append_update(t.g, update, operands, next);
      t.assign(who[one.visited], &t, next[0]);
      for (int j = 0; j < slot_count<Optimizer>; ++j) t.assign(who[states_at + j], &t, next[1 + j]);
    }
    t.g.scope = before;
  }
};
}  // namespace detail
}  // namespace sinter::train
