// SPDX-License-Identifier: Apache-2.0
// The rules of an operation applied to types: what a call gives, or why it cannot.
#pragma once
#include <cstdio>

#include "../core/error.hpp"
#include "arguments.hpp"
#include "elementwise.hpp"
#include "problem.hpp"

namespace sinter::ops::inline SINTER_ISA {

// An operand of a call: an array of a known type, or a plain C++ number, which takes the dtype of the arrays beside it.
template <class T, class S> struct array_arg {
  static constexpr bool is_number = false;
  static constexpr array_type type{dtype_of<T>, S::value};
};
template <class T> struct number_arg {
  static constexpr bool is_number = true;
  static constexpr array_type type{dtype_of<T>, dims{}};
};

// The types of a result. They are named by numbers alone: the front end of nvcc keeps by what names a type was made and walks through all
// of them, which would take twice as long with every call if its result were named by its operands, and they by theirs.
template <dtype D, extent... E> struct array_of {
  using value_type = type_of<D>;
  using shape_type = sinter::detail::spelled<E...>;
};

// The dtype that the operands of a call share. Plain numbers do not widen the dtype of arrays, but they may not be of a higher kind.
// Without arrays, the highest kind among the numbers decides.
struct promotion {
  dtype common = dtype::none;
  bool ok = true;
};
constexpr promotion promote_all(array_type const* in, bool const* is_number, int n, int first) {
  promotion r;
  for (int i = first; i < n; ++i)
    if (!is_number[i]) {
      dtype const t = r.common == dtype::none ? in[i].type : promote(r.common, in[i].type);
      if (t == dtype::none) return {in[i].type, false};
      r.common = t;
    }
  if (r.common == dtype::none) {
    for (int i = first; i < n; ++i) {
      if (r.common == dtype::none || kind_of(in[i].type) > kind_of(r.common)) r.common = in[i].type;
      else if (kind_of(in[i].type) == kind_of(r.common)) r.common = promote(r.common, in[i].type);
    }
  }
  for (int i = first; i < n; ++i)
    if (is_number[i] && kind_of(in[i].type) > kind_of(r.common)) r.ok = false;
  return r;
}

template <class Op> constexpr bool promotes() {
  if constexpr (requires { Op::promotes; }) return Op::promotes;
  else return true;
}
// Whether no operand can be a plain number.
template <class Op> constexpr bool wants_arrays() {
  if constexpr (requires { Op::wants_arrays; }) return Op::wants_arrays;
  else return false;
}
template <class Op> constexpr int first_promoted() {
  if constexpr (requires { Op::condition; }) return Op::condition ? 1 : 0;
  else return 0;
}

// The operands with their dynamic dimensions in the table.
constexpr list<array_type> declared(operand_types in, dimension_table& t) {
  list<array_type> known;
  for (int i = 0; i < in.n; ++i) {
    array_type k = in[i];
    for (int axis = 0; axis < k.shape.rank; ++axis) k.shape.d[axis] = t.declare(k.shape.d[axis], i, axis);
    known.push(k);
  }
  return known;
}
// A shape as it appears in the type of a tensor: dimensions that are computed from others have no name there.
constexpr dims as_typed(dims s) {
  for (int k = 0; k < s.rank; ++k)
    if (s.d[k] < 0 && !is_named(s.d[k])) s.d[k] = unknown_extent;
  return s;
}
// The call Op(Arg..., Keyword...).
template <class Op, class Keywords, class... Arg> struct rule;
template <class Op, class... K, class... Arg> struct rule<Op, list_of<K...>, Arg...> {
  static constexpr int n = sizeof...(Arg);
  static_assert(knows_keywords<Op, K...>, "sinter: this operation has no such keyword; see its line in ops/");
  static constexpr given_to<Op> given = keywords_given<Op, K...>();
  // The attributes, for operands of these types.
  static constexpr attributes_of<Op> attributes(operand_types in) { return attributes_for<Op>(given, in); }
  static constexpr attributes_of<Op> attributes(array_type const* in) { return attributes({in, n}); }

  struct evaluated {
    array_type in[n + 1]{};  // after promotion
    inferred result;
    bool fixed = false;  // no extent is dynamic, so that every call has these types
  };
  static constexpr evaluated value = [] {
    evaluated r{{Arg::type..., array_type{}}, {}};
    bool const number[]{Arg::is_number..., false};
    r.result.b = n > 1 ? 1 : 0;
    r.result.what = !arity_of<Op>.holds(n) ? problem::operand_count : !keywords_fit<Op, K...>() ? problem::keyword_count : problem::none;
    if (wants_arrays<Op>())
      for (int i = n; i-- > 0;)
        if (number[i] && r.result.what == problem::none) r.result = {{}, problem::wants_array, 0, i};
    if (r.result.what != problem::none) return r;
    if (promotes<Op>() && n > 0) {
      promotion const p = promote_all(r.in, number, n, first_promoted<Op>());
      if (!p.ok) {
        r.result = {{}, problem::mixed_dtypes, first_promoted<Op>(), n - 1};
        return r;
      }
      for (int i = first_promoted<Op>(); i < n; ++i) r.in[i].type = p.common;
    }
    dimension_table t;
    t.typed = true;
    list<array_type> const known = declared({r.in, n}, t);
    operand_types const in{known.data(), n};
    r.result = infer<Op>(in, attributes(in), t);
    if (r.result.what == problem::none && t.full) r.result.what = problem::too_many_dimensions;
    r.fixed = t.rows.empty() && t.equal.empty() && r.result.type.shape.fixed();
    r.result.type.shape = as_typed(r.result.type.shape);
    return r;
  }();
  static constexpr bool ok = is_registered<Op>() && value.result.what == problem::none;
  static constexpr int results = results_of<Op>(given);
  static constexpr array_type result_type(int i) {
    if constexpr (!has_several<Op>) return value.result.type;
    else {
      dimension_table t;
      list<array_type> const known = declared({value.in, n}, t);
      operand_types const in{known.data(), n};
      array_type r = Op::result(i, in, attributes(in), infer<Op>(in, attributes(in), t).type);
      r.shape = as_typed(r.shape);
      return r;
    }
  }
  // The types of result I: result_of<I>::value_type, result_of<I>::shape_type
  template <int I, class = std::make_index_sequence<static_cast<std::size_t>(result_type(I).shape.rank)>> struct result_of;
  template <int I, std::size_t... Axis> struct result_of<I, std::index_sequence<Axis...>>
      : array_of<result_type(I).type, result_type(I).shape.d[Axis]...> {};
};

// The rule of a call with tensors (of any mode), plain numbers and keywords in any order.
template <class A> struct arg_of {
  using type = array_arg<typename A::value_type, typename A::shape_type>;
};
template <class A>
  requires std::is_arithmetic_v<A>
struct arg_of<A> {
  static constexpr bool in_32_bits = holds(dtype::int32, std::numeric_limits<A>::max());
  using integer = std::conditional_t<in_32_bits, std::int32_t, std::int64_t>;
  using type =
      number_arg<std::conditional_t<std::is_same_v<A, bool>, bool, std::conditional_t<std::is_floating_point_v<A>, float, integer>>>;
};
// A plain number as an element of the arrays beside it.
template <class A> [[noreturn]] SINTER_NOINLINE void refuse_number(A v, dtype t) {
  std::string number;
  if constexpr (std::is_floating_point_v<A>) {
    char digits[48];
    std::snprintf(digits, sizeof digits, "%.9Lg", static_cast<long double>(v));
    number = digits;
  } else number = std::to_string(v);
  throw dtype_error("sinter: the number " + number + " beside arrays of " + std::string(name_of(t)) +
                    " is out of their range; F.cast them to a wider dtype");
}
template <class T, class A> constexpr T number_as(A v) {
  if (!holds(dtype_of<T>, v)) refuse_number(v, dtype_of<T>);
  return static_cast<T>(v);
}
template <class Op, class... A> struct call_of {
  template <class... Done, class... K> static auto sort(list_of<Done...>, list_of<K...>)
      -> rule<Op, list_of<K...>, typename arg_of<Done>::type...>;
  template <class... Done, class... K, class Next, class... Rest> static auto sort(list_of<Done...>, list_of<K...>, Next const*,
                                                                                   Rest const*... rest) {
    if constexpr (is_keyword<Next>) return sort(list_of<Done...>{}, list_of<K..., Next>{}, rest...);
    else return sort(list_of<Done..., Next>{}, list_of<K...>{}, rest...);
  }
  using type = decltype(sort(list_of<>{}, list_of<>{}, static_cast<A const*>(nullptr)...));
};
template <class Op, class... A> using call_rule = typename call_of<Op, A...>::type;

// Reports what is wrong with a call. Fits is false, as a parameter: Clang prints any other condition in front of the sentence. Its
// result is deduced, and asked for by decltype, so that both compilers look at it where it stands, and none of them evaluates it.
template <class Op, problem Why, bool Fits, class... A> constexpr auto operands_fit() {
#define SINTER_IN_CALL(words) \
  "sinter: these operands do not fit: " words "; GCC prints the operation and them above this sentence, Clang below it"
  if constexpr (Why == problem::shapes_differ) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_SHAPES_DIFFER));
  if constexpr (Why == problem::parts_differ) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_PARTS_DIFFER));
  if constexpr (Why == problem::inner_differ) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_INNER_DIFFER));
  if constexpr (Why == problem::rank_too_small) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_RANK_TOO_SMALL));
  if constexpr (Why == problem::mixed_dtypes) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_MIXED_DTYPES));
  if constexpr (Why == problem::wants_floating) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_WANTS_FLOATING));
  if constexpr (Why == problem::wants_integer) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_WANTS_INTEGER));
  if constexpr (Why == problem::wants_bool) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_WANTS_BOOL));
  if constexpr (Why == problem::takes_no_bool) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_TAKES_NO_BOOL));
  if constexpr (Why == problem::no_such_axis) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_NO_SUCH_AXIS));
  if constexpr (Why == problem::reshape_count) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_RESHAPE_COUNT));
  if constexpr (Why == problem::slice_range) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_SLICE_RANGE));
  if constexpr (Why == problem::split_uneven) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_SPLIT_UNEVEN));
  if constexpr (Why == problem::squeeze_extent) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_SQUEEZE_EXTENT));
  if constexpr (Why == problem::wants_number) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_WANTS_NUMBER));
  if constexpr (Why == problem::too_many_dimensions) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_TOO_MANY_DIMENSIONS));
  if constexpr (Why == problem::operand_count) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_OPERAND_COUNT));
  if constexpr (Why == problem::wants_array) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_WANTS_ARRAY));
  if constexpr (Why == problem::keyword_count) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_KEYWORD_COUNT));
  if constexpr (Why == problem::keyword_value) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_KEYWORD_VALUE));
  if constexpr (Why == problem::axis_twice) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_AXIS_TWICE));
  if constexpr (Why == problem::channels_differ) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_CHANNELS_DIFFER));
  if constexpr (Why == problem::kernel_rank) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_KERNEL_RANK));
  if constexpr (Why == problem::kernel_too_large) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_KERNEL_TOO_LARGE));
  if constexpr (Why == problem::window_too_large) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_WINDOW_TOO_LARGE));
  if constexpr (Why == problem::pad_too_large) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_PAD_TOO_LARGE));
  if constexpr (Why == problem::border_too_large) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_BORDER_TOO_LARGE));
  if constexpr (Why == problem::index_shape) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_INDEX_SHAPE));
  if constexpr (Why == problem::lengths_shape) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_LENGTHS_SHAPE));
  if constexpr (Why == problem::coordinates_shape) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_COORDINATES_SHAPE));
  if constexpr (Why == problem::attention_shapes) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_ATTENTION_SHAPES));
  if constexpr (Why == problem::subscripts_count) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_SUBSCRIPTS_COUNT));
  if constexpr (Why == problem::subscripts_extents) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_SUBSCRIPTS_EXTENTS));
  if constexpr (Why == problem::not_square) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_NOT_SQUARE));
  if constexpr (Why == problem::ctc_shapes) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_CTC_SHAPES));
  if constexpr (Why == problem::transposed_channels) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_TRANSPOSED_CHANNELS));
  if constexpr (Why == problem::grid_shape) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_GRID_SHAPE));
  if constexpr (Why == problem::regions_shape) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_REGIONS_SHAPE));
  if constexpr (Why == problem::image_extents) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_IMAGE_EXTENTS));
  if constexpr (Why == problem::groups_differ) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_GROUPS_DIFFER));
  if constexpr (Why == problem::top_range) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_TOP_RANGE));
  if constexpr (Why == problem::spatial_axes) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_SPATIAL_AXES));
  if constexpr (Why == problem::states_shape) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_STATES_SHAPE));
  if constexpr (Why == problem::wants_key) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_WANTS_KEY));
  if constexpr (Why == problem::head_shape) static_assert(Fits, SINTER_IN_CALL(SINTER_SAY_HEAD_SHAPE));
#undef SINTER_IN_CALL
  return true;
}
template <class Op, class... A> constexpr bool operands_of_call_fit() {
  constexpr bool mixed = (is_untyped<A> || ...);
  static_assert(!mixed,
                "sinter: an operation has a symbol beside a tensor; put sym::var(\"x\") in its place, and give eval or bind the tensor: "
                "y.eval({{\"x\", x}})");
  // Where an operand could not be made the sentence has been said.
  if constexpr (mixed) return true;
  else if constexpr (((is_keyword<A> || std::is_arithmetic_v<A> || requires { typename A::shape_type; }) && ...)) {
    using R = call_rule<Op, A...>;
    static_assert(!R::ok,
                  "sinter: an operation has a symbol beside an eager tensor, whose values the compiler does not know; make it a parameter "
                  "of the block, or an input of the network");
    return operands_fit<Op, R::value.result.what, false, A...>();
  } else return true;
}

}  // namespace sinter::ops::inline SINTER_ISA
