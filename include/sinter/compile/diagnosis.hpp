// SPDX-License-Identifier: Apache-2.0
// A network before it is planned: the compiler traces it, and says in one sentence what is wrong with it.
#pragma once
#include "written.hpp"

namespace sinter::detail::inline SINTER_ISA {

// The path of the layer in which it went wrong.
template <class M, class... X> struct path_of_error {
  static constexpr std::string_view whole = "the network itself";
  static constexpr int length = [] {
    tape const t = trace<M, X...>();
    return t.wrong_at.n;
  }();
  static constexpr auto value = [] {
    text<length ? static_cast<std::size_t>(length) + 1 : whole.size() + 1> r;
    if constexpr (length == 0)
      for (std::size_t i = 0; i < whole.size(); ++i) r.s[i] = whole[i];
    else {
      tape const t = trace<M, X...>();
      for (int i = 0; i < length; ++i) r.s[i] = t.g.chars[t.wrong_at.at + i];
    }
    r.s[sizeof(r.s) - 1] = 0;  // as in core/shape.hpp
    return r;
  }();
};

// One evaluation answers whether the compiler can trace the network, what is wrong with it, and how large its graph may become.
struct measurement {
  bool traceable = false;
  trace_error wrong = trace_error::none;
  graph_sizes bounds;
  trace_sizes written;
  bool prints = false;
  bool dimensions_known = true;  // each dynamic dimension is one of an input, or follows from those
  int labels = 0;  // inputs that are classes; a network with more than most_labels is refused
  static constexpr int most_labels = 8;
  int label[most_labels]{};
  extent classes[most_labels]{};
};
constexpr bool knows_dimensions(graph const& g) {
  for (graph const& body : g.bodies)
    if (!knows_dimensions(body)) return false;
  for (node const& k : g.nodes)
    for (extent const *e = k.type.shape.d, *const end = e + k.type.shape.rank; e != end; ++e)
      if (*e < 0 && g.dimensions.size_of(*e) == size{}) return false;
  return true;
}
template <class M, class... X> constexpr measurement measure() {
  tape const t = trace<M, X...>(false);
  measurement r{true, t.wrong, passes::bound_of(t.g), sizes_of_trace(t), t.prints, t.wrong != trace_error::none || knows_dimensions(t.g)};
  r.labels = t.labels.size();
  for (int i = 0; i < r.labels && i < measurement::most_labels; ++i) r.label[i] = t.labels[i].input, r.classes[i] = t.labels[i].classes;
  return r;
}
template <class... MX, measurement R = measure<MX...>()> constexpr measurement try_measure(int) { return R; }
template <class... MX> constexpr measurement try_measure(long) { return {}; }

// All that is known of the network before it is planned. It never fails itself: `check_network` says what is wrong.
template <class M, class... X> struct diagnosis {
  static constexpr bool constructible = std::is_default_constructible_v<M>;
  using fault = nn::first_fault<M>;
  static constexpr bool whole = constructible && std::is_same_v<fault, nn::nothing>;
  static constexpr measurement measured = [] {
    if constexpr (!whole) return measurement{};
    else if constexpr (!is_result<traced_result<M, X...>> || has_poison<traced_result<M, X...>>)
      return measurement{true, trace_error::operands, {}, {}};
    else return try_measure<M, X...>(0);
  }();
  static constexpr bool sound = measured.traceable && measured.wrong == trace_error::none && measured.dimensions_known;
};

// Follows the sentence on operands that do not fit, which names the line, where they meet in a layer inside of the network.
template <text Layer, bool Fits = false> constexpr bool operands_meet_in_layer() {
  static_assert(Fits,
                "sinter: the operands above meet in this layer of the network; GCC prints its path above this sentence, Clang below it");
  return true;
}
template <class Result> constexpr bool network_gives() {
#define SINTER_GIVES "sinter: the hybrid_forward of a network returns a tensor or a std::tuple of tensors; this one returns "
  constexpr bool number = std::is_arithmetic_v<Result>, eager = nd::is_tensor<Result>;
  static_assert(!number, SINTER_GIVES "a number, as std::exp(h) is one, and F.exp(h) is none");
  static_assert(!eager,
                SINTER_GIVES "an eager tensor, because a layer or an operation in it was called with no symbol, but with numbers alone");
  static_assert(number || eager || is_result<Result>, SINTER_GIVES "something else");
#undef SINTER_GIVES
  return true;
}
template <text Layer> constexpr bool parameter_of_two_shapes_in_layer() {
  static_assert(
      sizeof(Layer) == 0,
      "sinter: this layer is called twice, with operands for which a parameter of it would have two shapes; make it two layers; GCC "
      "prints the layer's path above this sentence, Clang below it");
  return true;
}
template <text Layer> constexpr bool number_out_of_range_in_layer() {
  static_assert(sizeof(Layer) == 0,
                "sinter: in this layer a number is out of the range of the arrays beside it; F.cast them to a wider dtype; GCC prints the "
                "layer's path above "
                "this sentence, Clang below it");
  return true;
}
// The name of the operation that has no gradient.
template <class M, class... X> struct operation_without_gradient {
  static constexpr std::string_view name = trace<M, X...>(false).without_gradient->name;
  static constexpr auto value = [] {
    text<name.size() + 1> r;
    for (std::size_t i = 0; i < name.size(); ++i) r.s[i] = name[i];
    return r;
  }();
};
template <text Operation> constexpr bool operation_has_a_gradient() {
  static_assert(sizeof(Operation) == 0,
                "sinter: a gradient is asked for that goes through an operation of which there is none yet; GCC prints its name above this "
                "sentence, Clang below it; docs/operations.md says which have one");
  return true;
}
template <class M, class... X> inline constexpr bool meet_inside = [] {
  tape const t = trace<M, X...>();
  return t.wrong == trace_error::operands && t.wrong_at.n > 0;
}();
// One sentence on what is wrong with a network that is not sound. Functions, because Clang gives up on a class whose assertion failed.
template <class M, class... X> constexpr bool check_network() {
  using D = diagnosis<M, X...>;
  if constexpr (!D::constructible)
    static_assert(D::constructible,
                  "sinter: a network is traced by default-constructing it, so a block may not need constructor arguments; what shapes the "
                  "graph belongs into its type");
  else if constexpr (!D::whole) return nn::detail::check_block<typename D::fault::block_type, D::fault::what>();
  else if constexpr (!is_result<traced_result<M, X...>>) return network_gives<traced_result<M, X...>>();
  else if constexpr (has_poison<traced_result<M, X...>> || D::measured.wrong == trace_error::operands) {
    if constexpr (meet_inside<M, X...>) return operands_meet_in_layer<path_of_error<M, X...>::value>();
  } else if constexpr (!D::measured.traceable)
    static_assert(
        D::measured.traceable,
        "sinter: this network cannot be traced by the compiler; is hybrid_forward of each of its blocks written `constexpr auto "
        "hybrid_forward(auto F, auto x) const`, is nothing in it that only a running program can do, and does no lambda capture a "
        "structured binding, which Clang cannot evaluate?");
  else if constexpr (!D::measured.dimensions_known)
    static_assert(
        D::measured.dimensions_known,
        "sinter: an operation of this network makes a shape with a dynamic dimension that none of the network's inputs has; write a "
        "number, or give an input that dimension");
  else if constexpr (D::measured.wrong == trace_error::number) return number_out_of_range_in_layer<path_of_error<M, X...>::value>();
  else if constexpr (D::measured.wrong == trace_error::two_shapes) return parameter_of_two_shapes_in_layer<path_of_error<M, X...>::value>();
  else if constexpr (D::measured.wrong == trace_error::no_gradient)
    return operation_has_a_gradient<operation_without_gradient<M, X...>::value>();
  else if constexpr (D::measured.wrong == trace_error::captured)
    static_assert(
        D::measured.wrong != trace_error::captured,
        "sinter: the first function of with_gradient captures what is differentiated, whose gradient would be lost; make it an operand, or "
        "capture F.stop_gradient of it");
  else if constexpr (D::measured.wrong == trace_error::nothing_trained)
    static_assert(D::measured.wrong != trace_error::nothing_trained,
                  "sinter: the loss of this step depends on none of the parameters that are trained");
  else if constexpr (D::measured.wrong == trace_error::independent)
    static_assert(D::measured.wrong != trace_error::independent,
                  "sinter: a gradient is asked for with respect to an operand on which what the function gives does not depend");
  else if constexpr (D::measured.wrong == trace_error::left_body)
    static_assert(D::measured.wrong != trace_error::left_body,
                  "sinter: this network uses a tensor outside the function of a foreach, while_loop or cond in which it was made; the "
                  "function returns what is used outside");
  else if constexpr (D::measured.wrong == trace_error::state_in_body)
    static_assert(D::measured.wrong != trace_error::state_in_body,
                  "sinter: this network assigns a state in the function of a foreach, while_loop or cond; return the value, and assign it "
                  "behind the loop");
  else if constexpr (D::measured.wrong == trace_error::key_in_body)
    static_assert(D::measured.wrong != trace_error::key_in_body,
                  "sinter: this network draws random numbers in the function of a foreach, while_loop or cond; draw them outside, for all "
                  "turns, and give them as a sequence");
  else if constexpr (D::measured.wrong == trace_error::state)
    static_assert(D::measured.wrong != trace_error::state,
                  "sinter: this network reads a state in another shape than it was assigned in before");
  else if constexpr (D::measured.wrong != trace_error::refused)
    static_assert(D::measured.wrong != trace_error::foreign_parameter,
                  "sinter: a parameter that this network uses is not one of its members; was its layer copied, or left out of "
                  "BOOST_HANA_DEFINE_STRUCT?");
  return true;
}

}  // namespace sinter::detail::inline SINTER_ISA
