// SPDX-License-Identifier: Apache-2.0
// The layers.
#pragma once
#include "../block.hpp"

namespace sinter::nn {

// ---- activations, as types: dense<256, relu>
struct no_activation {
  static constexpr auto apply(auto, auto const& x) { return x; }
};
#define SINTER_NO_LAYER \
  "an activation is a type, dense<4, nn::relu>; a layer of it is nn::activation<nn::relu>, and the operation F.relu(x)"
struct activation_type {
  constexpr activation_type() = default;
  template <tensor_like X> constexpr activation_type(X const&) {  // Clang passes over an unavailable constructor that is inherited
    static_assert(sizeof(X) == 0, "sinter: " SINTER_NO_LAYER);
  }
  template <class X> SINTER_UNAVAILABLE(SINTER_NO_LAYER) constexpr X operator()(X const& x) const { return x; }
};
#undef SINTER_NO_LAYER
#define SINTER_ACTIVATION(f)                                              \
  struct f : activation_type {                                            \
    using activation_type::activation_type;                               \
    static constexpr auto apply(auto F, auto const& x) { return F.f(x); } \
  };
SINTER_ACTIVATION(relu)
SINTER_ACTIVATION(sigmoid)
SINTER_ACTIVATION(tanh)
SINTER_ACTIVATION(softrelu)
SINTER_ACTIVATION(gelu)
SINTER_ACTIVATION(gelu_tanh)
SINTER_ACTIVATION(softmax)
SINTER_ACTIVATION(log_softmax)
SINTER_ACTIVATION(silu)
SINTER_ACTIVATION(mish)
SINTER_ACTIVATION(selu)
SINTER_ACTIVATION(softsign)
SINTER_ACTIVATION(hard_sigmoid)
SINTER_ACTIVATION(hard_swish)
#undef SINTER_ACTIVATION
// Between 0 and 6, as MobileNet has it.
struct relu6 : activation_type {
  using activation_type::activation_type;
  static constexpr auto apply(auto F, auto const& x) { return F.clip(x, 0, 6); }
};
// Their numbers are those of the operations: leaky_relu<0.1>, elu<1.5>
template <double Slope = 0.25> struct leaky_relu : activation_type {
  using activation_type::activation_type;
  static constexpr auto apply(auto F, auto const& x) { return F.leaky_relu(x, slope<Slope>); }
};
template <double Alpha = 1.0> struct elu : activation_type {
  using activation_type::activation_type;
  static constexpr auto apply(auto F, auto const& x) { return F.elu(x, alpha<Alpha>); }
};

// x sigmoid(Beta x); silu is that of 1
template <double Beta = 1.0> struct swish : activation_type {
  using activation_type::activation_type;
  static constexpr auto apply(auto F, auto const& x) { return F.multiply(x, F.sigmoid(F.multiply(x, Beta))); }
};

template <class X> inline constexpr bool is_poison = sym::is_poison<std::remove_cvref_t<X>>;

template <class X> inline constexpr bool is_one_tensor = nd::is_eager<unmarked_t<X>> || sym::is_symbol<unmarked_t<X>> || ops::is_untyped<X>;

// Whether a layer can say that its operand has too few dimensions: in a trace the operation does, with the layer's path.
template <class X, int Rank> constexpr bool too_few_dimensions() {
  if constexpr (nd::is_eager<unmarked_t<X>>) return X::shape_type::rank < Rank;
  else return false;
}

// The inputs of a dense layer, from the operand's type; -1 where they are dynamic, or not known yet.
template <class X, bool Flatten> constexpr int dense_inputs() {
  if constexpr (ops::is_untyped<X>) return -1;
  else {
    constexpr dims s = X::shape_type::value;
    extent n = s.rank ? s.d[s.rank - 1] : 0;
    for (int i = 1; Flatten && i + 1 < s.rank; ++i) n = n < 0 || s.d[i] < 0 ? -1 : n * s.d[i];
    return n < 0 ? -1 : static_cast<int>(n);
  }
}
// The shape of a layer's parameter with one extent that follows from the operand.
template <int In> constexpr auto extent_from_operand() {
  if constexpr (In < 0) return dynamic;
  else return In;
}

// What layer Op says of an operand that is dynamic where its parameters have extents, or lacks that axis: in a trace the layer's path comes with it.
template <class Op, problem Why = problem::wants_number> constexpr auto refuse_axis(auto F, auto const& x) {
  if constexpr (requires { refuse<Op, Why>(F, x); }) return refuse<Op, Why>(F, x);
  else {
    static_assert(sizeof(F) == 0,
                  "sinter: an axis along which a layer has parameters must have a number as its extent; only others may be dynamic");
    return x;
  }
}

// What a layer Op gives that was called with no tensor.
template <class Op, class X> constexpr auto wants_tensor(auto F) {
  static_assert(is_one_tensor<X>,
                "sinter: a layer is called with one tensor, hidden(x), and this is none; a number has no shape, and several results are "
                "taken apart: std::get<0>(y)");
  return F.template refused<Op>();
}

// Whether the operand's elements are of the kind of the parameters; in a trace the operation says it, with the layer's path.
template <class X, class P> constexpr bool is_dtype_for() {
  if constexpr (!nd::is_eager<unmarked_t<X>>) return true;
  else return kind_of(dtype_of<typename X::value_type>) == kind_of(dtype_of<typename std::remove_cvref_t<P>::value_type>);
}
template <class Op> constexpr auto wants_cast(auto F) {
  static_assert(sizeof(F) == 0,
                "sinter: cast what this layer is called with, hidden(F.cast(x, as<float>)): its parameters are floats, and no tensor of "
                "integers becomes one of floats by itself");
  return F.template refused<Op>();
}

namespace detail::inline SINTER_ISA {
template <int Units, class Activation, bool Flatten, class X>
constexpr auto dense_forward(auto F, X const& x, auto const& weight, auto const&... bias) {
  if constexpr (is_poison<X>) return x;
  else if constexpr (!is_one_tensor<X>) return wants_tensor<ops::fully_connected, X>(F);
  else if constexpr (!is_dtype_for<X, decltype(weight)>()) return wants_cast<ops::fully_connected>(F);
  else if constexpr (constexpr int in = dense_inputs<X, Flatten>(); in < 0 && !ops::is_untyped<X>)
    return refuse_axis<ops::fully_connected>(F, x);
  else if constexpr (too_few_dimensions<X, Flatten ? 2 : 1>()) {
    static_assert(in < 0, "sinter: a dense layer wants an operand of shape (batch, inputs)");
    return x;
  } else {
    auto const w =
        F.get(weight, shape<Units, extent_from_operand<in>()>{});  // in this order on every compiler, so that the first to miss is the same
    return Activation::apply(F, F.fully_connected(x, w, F.get(bias, shape<Units>{})..., flattened<Flatten>));
  }
}
}  // namespace detail::inline SINTER_ISA

#define SINTER_SAY_UNITS "sinter: a dense layer has one unit or more: nn::dense<10>"
#define SINTER_SAY_ACTIVATION \
  "sinter: the activation of a layer is nn::relu, another one, or nn::no_activation; the dtype of its parameters comes behind it"
// x (N, ...) -> activation(x weight^T + bias): (N, Units). weight (Units, inputs), bias (Units,); the inputs are known from the first
// call. With Flatten false it works on the last axis alone.
template <int Units,
          class Activation = no_activation,  // sinter: dense<16> has 16 units and takes its inputs from the first call; then a type follows
          class T = float, bool UseBias = true, bool Flatten = true>
struct dense : hybrid_block<dense<Units, Activation, T, UseBias, Flatten>> {
  static_assert(Units >= 1, SINTER_SAY_UNITS);
  static_assert(std::is_class_v<Activation>, SINTER_SAY_ACTIVATION);
  using weight_type = basic_parameter<T, shape<Units, dynamic>>;
  using bias_type = basic_parameter<T, shape<Units>>;
  BOOST_HANA_DEFINE_STRUCT(dense, (weight_type, weight), (bias_type, bias));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return detail::dense_forward<Units, Activation, Flatten>(F, x, weight, bias);
  }
};
template <int Units, class Activation, class T, bool Flatten> struct dense<Units, Activation, T, false, Flatten>
    : hybrid_block<dense<Units, Activation, T, false, Flatten>> {
  static_assert(Units >= 1, SINTER_SAY_UNITS);
  static_assert(std::is_class_v<Activation>, SINTER_SAY_ACTIVATION);
  using weight_type = basic_parameter<T, shape<Units, dynamic>>;
  BOOST_HANA_DEFINE_STRUCT(dense, (weight_type, weight));
  constexpr auto hybrid_forward(auto F, auto const& x) const { return detail::dense_forward<Units, Activation, Flatten>(F, x, weight); }
};

#undef SINTER_SAY_UNITS

template <class Function> struct activation : hybrid_block<activation<Function>> {
  constexpr auto hybrid_forward(auto F, auto const& x) const { return Function::apply(F, x); }
};
struct flatten : hybrid_block<flatten> {
  constexpr auto hybrid_forward(auto F, auto const& x) const { return F.flatten(x); }
};
struct identity : hybrid_block<identity> {
  constexpr auto hybrid_forward(auto, auto const& x) const { return x; }
};
// In training each element becomes 0 with probability P, the others are divided by 1 - P; in inference nothing happens. Its numbers
// come from random::seed.
template <auto P> struct dropout : hybrid_block<dropout<P>> {
  static_assert(P >= 0 && P < 1,
                "sinter: the P of dropout<P> is the part of the elements that are dropped, at least 0 and less than 1: dropout<0.3>");
  template <class Space, class X> constexpr auto hybrid_forward(Space F, X const& x) const {
    if constexpr (Space::training && !is_poison<X>) return F.multiply(x, F.dropout_mask(x, F.key(), values<P>));
    else return x;
  }
};
// Rows of a weight of shape (Inputs, Outputs), chosen by integers from 0 to Inputs - 1: (batch, words) gives (batch, words, Outputs).
// Other integers give the first or the last row, as in Gluon.
template <int Inputs, int Outputs, class T = float> struct embedding : hybrid_block<embedding<Inputs, Outputs, T>> {
  static_assert(Inputs >= 1 && Outputs >= 1, "sinter: embedding<1000, 64> is of 1000 words with 64 numbers each, so both are from 1 on");
  using matrix_type = basic_parameter<T, shape<Inputs, Outputs>>;
  BOOST_HANA_DEFINE_STRUCT(embedding, (matrix_type, weight));
  template <class X> constexpr auto hybrid_forward(auto F, X const& x) const {
    if constexpr (is_poison<X>) return x;
    else if constexpr (!is_one_tensor<X>) return wants_tensor<ops::take, X>(F);
    else return F.take(F.get(weight, shape<Inputs, Outputs>{}), x, axis<0>);
  }
};
namespace detail::inline SINTER_ISA {
template <class X, int Axis> constexpr bool has_axis() {
  constexpr int at = Axis < 0 ? Axis + X::shape_type::rank : Axis;
  return at >= 0 && at < X::shape_type::rank;
}
// The extent of an axis, from the operand's type; -1 where it is dynamic, or not known yet, and where there is none.
template <class X, int Axis> constexpr int extent_of_axis() {
  if constexpr (ops::is_untyped<X>) return -1;
  else if constexpr (!has_axis<X, Axis>()) return -1;
  else {
    constexpr extent n = X::shape_type::value.d[Axis < 0 ? Axis + X::shape_type::rank : Axis];
    return n < 0 ? -1 : static_cast<int>(n);
  }
}
// normalize(shape) of parameters like gamma, which have the extent of an axis of x.
template <class Op, int Axis, class X> constexpr auto norm_forward(auto F, X const& x, auto const& gamma, auto const& normalize) {
  if constexpr (is_poison<X>) return x;
  else if constexpr (!is_one_tensor<X>) return wants_tensor<Op, X>(F);
  else if constexpr (!is_dtype_for<X, decltype(gamma)>()) return wants_cast<Op>(F);
  else if constexpr (too_few_dimensions<X, (Axis < 0 ? -Axis : Axis + 1)>()) {
    static_assert(sizeof(X) == 0,
                  "sinter: a normalization layer wants an operand that has the axis of its parameters: (batch, channels, ...)");
    return x;
  } else if constexpr (constexpr int n = extent_of_axis<X, Axis>(); n < 0 && !ops::is_untyped<X>)
    return refuse_axis<Op, has_axis<X, Axis>() ? problem::wants_number : problem::no_such_axis>(F, x);
  else return normalize(shape<extent_from_operand<n>()>{});
}
}  // namespace detail::inline SINTER_ISA

// Over the last axis, with gamma and beta of its extent.
template <class T = float, double Epsilon = 1e-5> struct layer_norm : hybrid_block<layer_norm<T, Epsilon>> {
  using vector_type = basic_parameter<T, shape<dynamic>>;
  BOOST_HANA_DEFINE_STRUCT(layer_norm, (vector_type, gamma), (vector_type, beta));
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return detail::norm_forward<ops::layer_norm, -1>(F, x, gamma, [&](auto along) {
      auto const g = F.get(gamma, along);
      return F.layer_norm(x, g, F.get(beta, along), eps<Epsilon>);
    });
  }
};
// A function without captures as a block: hybrid_lambda{[](auto F, auto x) { return F.square(x); }}
template <class L> struct hybrid_lambda : hybrid_block<hybrid_lambda<L>> {
  using function_type = L;
  static_assert(
      std::is_empty_v<L> && std::is_default_constructible_v<L>,
      "sinter: a function in a network may not capture; what shapes the graph must be in its type; give it a number that it needs "
      "as an input, or write it there");
  SINTER_OWN constexpr hybrid_lambda() = default;
  SINTER_OWN constexpr explicit hybrid_lambda(L) {}
  template <class Space, class... X>
    requires std::invocable<L const&, Space, X...>
  constexpr auto hybrid_forward(Space F, X const&... x) const {
    if constexpr (std::is_empty_v<L> && std::is_default_constructible_v<L>) return L{}(F, x...);
    else return ops::first_of(x...);
  }
};

// ---- containers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"  // a tree of children is filled with its braces left out

namespace detail::inline SINTER_ISA {
template <class L> constexpr auto chain(L const& child, auto const& x, auto const&... more) {
  if constexpr (is_fork<L>) return chain(child.second, chain(child.first, x, more...), more...);
  else if constexpr (child_block<L>) return child(x, more...);
  else return x;
}
template <class L> constexpr auto outputs_of(L const& child, auto const& x) {
  if constexpr (is_fork<L>) {
    auto first = outputs_of(child.first, x);  // a statement each: GCC would call the operands of one from right to left, but not in a trace
    auto second = outputs_of(child.second, x);
    return std::tuple_cat(std::move(first), std::move(second));
  } else if constexpr (child_block<L>) return std::make_tuple(child(x));
  else return std::tuple<>{};
}
template <class L> inline constexpr int leaves = std::is_same_v<L, nothing> ? 0 : 1;
template <class A, class B> inline constexpr int leaves<fork<A, B>> = leaves<A> + leaves<B>;
template <int I, class L> constexpr auto& child_at(L& tree) {
  if constexpr (!is_fork<std::remove_const_t<L>>) return tree;
  else if constexpr (constexpr int first = leaves<std::remove_cvref_t<decltype(tree.first)>>; I < first) return child_at<I>(tree.first);
  else return child_at<I - first>(tree.second);
}
// With an initializer, because nvcc takes a child without members for uninitialized otherwise; a child may need a constructor's arguments.
template <class Children, bool Default = std::is_default_constructible_v<Children>> struct held_children {
  Children children{};
};
template <class Children> struct held_children<Children, false> {
  Children children;
};
}  // namespace detail::inline SINTER_ISA

// The children of a container. They have types of their own, so that a number of one is known to the compiler:
//   net.at<0>().weight.set(w);   net[0_c].weight.set(w), with boost::hana::literals;   decltype(net)::size()
template <class... L> struct block_list : detail::held_children<children_of<L...>> {
  using child_types = children_list<L...>;
  using detail::held_children<children_of<L...>>::children;
  SINTER_OWN static constexpr int size() { return static_cast<int>(sizeof...(L)); }
  template <int I> SINTER_OWN constexpr auto& at() {
    static_assert(I >= 0 && I < size(), "sinter: a container has no child of this number; the first is at<0>()");
    return detail::child_at<I>(children);
  }
  template <int I> SINTER_OWN constexpr auto const& at() const {
    static_assert(I >= 0 && I < size(), "sinter: a container has no child of this number; the first is at<0>()");
    return detail::child_at<I>(children);
  }
  template <class T, T I> SINTER_OWN constexpr auto& operator[](std::integral_constant<T, I>) { return at<static_cast<int>(I)>(); }
  template <class T, T I> SINTER_OWN constexpr auto const& operator[](std::integral_constant<T, I>) const {
    return at<static_cast<int>(I)>();
  }
  template <std::integral I>
  SINTER_UNAVAILABLE("the children of a container have different types, so the compiler must know the number: net.at<0>()")
  constexpr auto const& operator[](I) const {
    return detail::child_at<0>(children);
  }
};

// One block after the other.
template <class... L> struct hybrid_sequential : hybrid_block<hybrid_sequential<L...>>, block_list<L...> {
  static_assert(detail::all_blocks<children_of<L...>>,
                "sinter: a hybrid_sequential holds hybrid blocks; an activation is one as nn::activation<nn::relu>{}, a function as "
                "nn::hybrid_lambda{f}");
  static_assert(
      !detail::any_plain<children_of<L...>>,
      "sinter: a hybrid_sequential holds hybrid blocks, and one of these is plain or compiled already; nn::sequential holds any, and its "
      "hybridize() compiles the hybrid ones");
  SINTER_OWN constexpr hybrid_sequential() = default;
  SINTER_OWN constexpr explicit hybrid_sequential(L... l)
    requires(sizeof...(L) > 0)
      : block_list<L...>{{std::move(l)...}} {}
  constexpr auto hybrid_forward(auto, auto const& x) const { return detail::chain(this->children, x); }
};
namespace detail {
template <std::size_t, class Layer> using one_of = Layer;
template <class Layer, class> struct repetition;
template <class Layer, std::size_t... I> struct repetition<Layer, std::index_sequence<I...>> {
  using type = hybrid_sequential<one_of<I, Layer>...>;
};
}  // namespace detail
// N layers of one type, one behind the other, each with parameters of its own: repeated<12, encoder<...>>. Gluon's `add` in a loop.
template <int N, class Layer> using repeated =
    typename detail::repetition<Layer, std::make_index_sequence<static_cast<std::size_t>(N)>>::type;
// All blocks on the same operand, their results side by side along the last axis.
template <class... L> struct hybrid_concurrent : hybrid_block<hybrid_concurrent<L...>>, block_list<L...> {
  static_assert(detail::all_blocks<children_of<L...>>,
                "sinter: a hybrid_concurrent holds hybrid blocks; an activation is one as nn::activation<nn::relu>{}, a function as "
                "nn::hybrid_lambda{f}");
  static_assert(
      !detail::any_plain<children_of<L...>>,
      "sinter: a hybrid_concurrent holds hybrid blocks, and one of these is plain or compiled already; nn::concurrent holds any, and its "
      "hybridize() compiles the hybrid ones");
  SINTER_OWN constexpr hybrid_concurrent() = default;
  SINTER_OWN constexpr explicit hybrid_concurrent(L... l)
    requires(sizeof...(L) > 0)
      : block_list<L...>{{std::move(l)...}} {}
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return std::apply([&](auto const&... y) { return F.concat(y..., axis<-1>); }, detail::outputs_of(this->children, x));
  }
};
#pragma GCC diagnostic pop

// Containers in containers: hybrid_sequential{hybrid_sequential{a}} would copy the inner one; this nests it.
template <class... L> SINTER_OWN constexpr hybrid_sequential<L...> sequential_of(L... l) {
  return hybrid_sequential<L...>(std::move(l)...);
}

}  // namespace sinter::nn
