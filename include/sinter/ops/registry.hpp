// SPDX-License-Identifier: Apache-2.0
// From an operation's type to its row in graphs, and from the row back to the type.
#pragma once
#include "../core/config.hpp"
#include "../graph/graph.hpp"

namespace sinter {
struct in_sinter {};  // lets a call find the functions of this namespace whatever its operands are
}  // namespace sinter

namespace sinter::ops::inline SINTER_ISA {

// Specialised by SINTER_USER_OP: the type of the operation whose name hashes to Id.
template <std::uint64_t Id> struct op_at {
  static_assert(Id + 1 == Id, "sinter: graphs do not know this operation; write SINTER_USER_OP(my::op); at global scope behind it");
  using type = void;
};
// Whether no operation of Op's name is known yet: SINTER_USER_OP asks it before it makes Op known.
template <std::uint64_t Id> struct op_id {};
template <class Op> inline constexpr bool has_own_name = !requires(op_id<hash_of(Op::name)>* id) { known(id); };
// Whether it is Op itself: another operation of the same name would run in its place. Says so where it is not.
template <class Op> constexpr bool is_registered() {
  using found = typename op_at<hash_of(Op::name)>::type;
  static_assert(std::is_same_v<found, Op> || std::is_same_v<found, void>,
                "sinter: two operations have the same name, by which graphs know them; give each its own, and write SINTER_USER_OP behind "
                "each");
  return std::is_same_v<found, Op>;
}

// What may stand behind an operation's operands in a call; each bit is one keyword of ops/arguments.hpp.
namespace keyword {
inline constexpr unsigned axis = 1, keepdims = 2, shape = 4, begin = 8, end = 16, step = 32, range = begin | end | step, eps = 64,
                          type = 128, depth = 256, parts = 512, order = 1024, transpose_a = 2048, transpose_b = 4096,
                          transpose = transpose_a | transpose_b, values = 8192, flattened = 16384, stride = 32768, pad = 65536,
                          dilate = 131072, groups = 262144;
}

// Elementwise, evaluated on numbers of type T that are given and returned as bits.
template <class Op, class T> constexpr std::uint64_t fold_as(std::uint64_t const* v) {
  auto const r = [&] {
    if constexpr (Op::arity == 1) return Op::eval(element_of<T>(v[0]));
    else if constexpr (Op::arity == 2) return Op::eval(element_of<T>(v[0]), element_of<T>(v[1]));
    else if constexpr (Op::condition) return Op::eval(v[0] != 0, element_of<T>(v[1]), element_of<T>(v[2]));
    else return Op::eval(element_of<T>(v[0]), element_of<T>(v[1]), element_of<T>(v[2]));
  }();
  if constexpr (std::is_floating_point_v<decltype(r)>) return std::bit_cast<std::uint64_t>(static_cast<double>(r));
  else return static_cast<std::uint64_t>(static_cast<std::int64_t>(r));
}
template <class Op> constexpr std::uint64_t fold(dtype t, std::uint64_t const* v) {
  return with_type(t, [&]<class T>(T*) -> std::uint64_t {
    if constexpr (Op::template takes<T>) return fold_as<Op, T>(v);
    else return 0;
  });
}

template <class Op> constexpr operand_count count_of() {
  constexpr bool says = requires { operand_count(Op::arity); };
  static_assert(says,
                "sinter: an operation says how many operands it takes: static constexpr int arity = 2, or sinter::operand_count "
                "arity{1, 3}");
  if constexpr (says) return Op::arity;
  else return {};
}
template <class Op> inline constexpr operand_count arity_of = count_of<Op>();

template <class Op> constexpr op_info make_info() {
  is_registered<Op>();
  op_info r;
  r.arity = arity_of<Op>;
  r.name = Op::name;
  r.id = hash_of(Op::name);
  r.kind = Op::kind;
  r.infer = &Op::infer;
  if constexpr (requires { Op::formats; }) r.formats = Op::formats;
  if constexpr (requires { Op::exact; }) r.exact = Op::exact;
  if constexpr (requires { Op::commutative; }) r.commutative = Op::commutative;
  if constexpr (requires { Op::truth; }) r.truth = Op::truth;
  if constexpr (requires { Op::indexed; }) r.indexed = Op::indexed;
  if constexpr (requires { Op::mapped; }) r.mapped = Op::mapped;
  if constexpr (requires { Op::flops; }) r.flops = Op::flops;
  if constexpr (requires { Op::cost; }) r.cost = Op::cost;
  if constexpr (requires { &Op::view; }) r.view = &Op::view;
  if constexpr (requires { &Op::expand; }) r.expand = &Op::expand;
  if constexpr (Op::kind == family::elementwise && requires { requires Op::exact && Op::foldable; }) r.fold = &fold<Op>;
  return r;
}
template <class Op> inline constexpr op_info info = make_info<Op>();

// Asked through a variable, because a mode is not complete while its own members are declared.
template <class Mode, class Op, class... A> inline constexpr bool call_fits = Mode::template fits<Op, A...>;
// One row of F: `member<relu, Mode>` has the function `relu`. Specialised by SINTER_OP.
template <class Op, class Mode> struct member {};
template <class... Op> struct list_of {};

// What an overload that only says no returns, so that nothing else fails after it.
constexpr int first_of() { return 0; }
template <class A, class... B> constexpr A first_of(A const& a, B const&...) { return a; }

template <class A> constexpr unsigned keyword_bit() {
  if constexpr (requires { A::bit; }) return A::bit;
  else return 0;
}
template <class A> constexpr int keyword_values() {
  if constexpr (requires { A::bit, A::values; }) return A::values;
  else return 1;
}
// What an operation asks of its keywords beside knowing them: `needs` are those that it cannot do without, `most_axes` and `most_values`
// how many numbers two of them may have.
struct keyword_rule {
  unsigned needs = 0;
  int most_axes = max_rank, most_values = 3;
  // The bits of a call's arguments, 0 for an operand, and how many values each has. None may be given twice, or without a value.
  constexpr bool holds(unsigned const* bits, int const* values, int n) const {
    unsigned given = 0;
    for (int i = 0; i < n; ++i) {
      int const most = bits[i] == keyword::axis ? most_axes : bits[i] == keyword::values ? most_values : max_rank;
      if (bits[i] && ((given & bits[i]) || values[i] < 1 || values[i] > most)) return false;
      given |= bits[i];
    }
    return (needs & ~given) == 0;
  }
};
template <class Op> constexpr keyword_rule make_keyword_rule() {
  keyword_rule r;
  if constexpr (requires { Op::needs; }) r.needs = Op::needs;
  if constexpr (requires { Op::most_axes; }) r.most_axes = Op::most_axes;
  if constexpr (requires { Op::most_values; }) r.most_values = Op::most_values;
  return r;
}
template <class Op, class... A> constexpr bool keywords_fit() {
  unsigned const bits[]{keyword_bit<A>()..., 0};
  int const values[]{keyword_values<A>()..., 0};
  return make_keyword_rule<Op>().holds(bits, values, sizeof...(A));
}

// What a call asks whatever the operands' types are, each with a sentence of its own: whether the operation has these keywords, takes that
// many operands, and the keywords are complete.
template <class Op, class... A>
concept knows_keywords = ((keyword_bit<A>() | ... | 0u) & ~Op::accepts) == 0;
template <class Op, class... A>
concept counts_operands = knows_keywords<Op, A...> && arity_of<Op>.holds(((keyword_bit<A>() == 0) + ... + 0));
template <class Op, class... A>
concept well_called = counts_operands<Op, A...> && keywords_fit<Op, A...>();

// Whether the operands of a free function or an operator fit. `space_for` stands in nn/space.hpp.
template <class Op, class... A> inline constexpr bool function_fits =
    call_fits<decltype(space_for(in_sinter{}, std::declval<A const&>()...)), Op, A...>;

// The operation as a free function: what its operands are says what it does.
template <class Op> struct function;

}  // namespace sinter::ops::inline SINTER_ISA

// What is said on the caller's line when eager operands do not fit; the compilers print their types after it.
#define SINTER_DOES_NOT_FIT                                                                                                                \
  ": these operands do not fit; shapes must broadcast (1 stretches) or agree where they are summed, dtypes be of one kind (F.cast), axes " \
  "exist"
#define SINTER_INCOMPLETE_KEYWORDS ": a keyword is missing, given twice, or has too many or too few values; call it as "
#define SINTER_WRONG_COUNT ": too many or too few operands; call it as "
#define SINTER_NO_SUCH_KEYWORD ": the operation has no such keyword; call it as "

// A function `f` that does what `space` does with the operation, and its twins that only report an error, the most particular first.
// `what`: the name to say; `usage`: a right call. One macro, because the compilers print each one that an error comes from.
#define SINTER_CALLABLE(f, op, what, usage, fits, space)                                                              \
  template <class... A>                                                                                               \
    requires(sinter::ops::well_called<op, A...> && fits)                                                              \
  constexpr auto f(A const&... a) const {                                                                             \
    return space.template call<op>(a...);                                                                             \
  }                                                                                                                   \
  template <class... A>                                                                                               \
    requires(sinter::ops::well_called<op, A...>)                                                                      \
  SINTER_UNAVAILABLE(what SINTER_DOES_NOT_FIT "; call it as " usage)                                                  \
  constexpr auto f(A const&... a) const {                                                                             \
    return sinter::ops::first_of(a...);                                                                               \
  }                                                                                                                   \
  template <class... A>                                                                                               \
    requires(sinter::ops::counts_operands<op, A...>)                                                                  \
  SINTER_UNAVAILABLE(what SINTER_INCOMPLETE_KEYWORDS usage)                                                           \
  constexpr auto f(A const&... a) const {                                                                             \
    return sinter::ops::first_of(a...);                                                                               \
  }                                                                                                                   \
  template <class... A>                                                                                               \
    requires(sinter::ops::knows_keywords<op, A...>)                                                                   \
  SINTER_UNAVAILABLE(what SINTER_WRONG_COUNT usage)                                                                   \
  constexpr auto f(A const&... a) const {                                                                             \
    return sinter::ops::first_of(a...);                                                                               \
  }                                                                                                                   \
  template <class... A> SINTER_UNAVAILABLE(what SINTER_NO_SUCH_KEYWORD usage) constexpr auto f(A const&... a) const { \
    return sinter::ops::first_of(a...);                                                                               \
  }

// An overload of `f` that only reports an error.
#define SINTER_REFUSAL(f, sentence) \
  template <class... A> SINTER_UNAVAILABLE(sentence) constexpr auto f(A const&... a) const { return sinter::ops::first_of(a...); }

template <class Op> struct sinter::ops::function {
  SINTER_CALLABLE(operator(), Op, "this operation", "its arity, its accepts and its needs say", (sinter::ops::function_fits<Op, A...>),
                  space_for(sinter::in_sinter{}, a...))
};

// At global scope, after an operation of one's own: lets graphs find the type again. Use it as my::selu is used in the tests:
// `SINTER_USER_OP(my::selu_op)`, then `inline constexpr sinter::ops::function<selu_op> selu{};` makes it callable.
#define SINTER_USER_OP(...)                                                                                 \
  static_assert(sinter::ops::has_own_name<__VA_ARGS__>,                                                     \
                "sinter: two operations have the same name, by which graphs know them; give each its own"); \
  SINTER_KNOWN_OP(__VA_ARGS__)
#define SINTER_KNOWN_OP(...)                                                  \
  template <> struct sinter::ops::op_at<sinter::hash_of(__VA_ARGS__::name)> { \
    using type = __VA_ARGS__;                                                 \
  };                                                                          \
  namespace sinter::ops {                                                     \
  void known(op_id<sinter::hash_of(__VA_ARGS__::name)>*);                     \
  }                                                                           \
  static_assert(true)

// The same for an operation of sinter::ops, which F and the namespace sinter then offer by its name; `usage_`: how it is called.
#define SINTER_OP(op, usage_)                                                                                      \
  SINTER_KNOWN_OP(sinter::ops::op);                                                                                \
  template <> struct sinter::ops::function<sinter::ops::op> {                                                      \
    static constexpr std::string_view usage = usage_;                                                              \
    SINTER_CALLABLE(operator(), sinter::ops::op, #op, usage_, (sinter::ops::function_fits<sinter::ops::op, A...>), \
                    space_for(sinter::in_sinter{}, a...))                                                          \
  };                                                                                                               \
  template <class Mode> struct sinter::ops::member<sinter::ops::op, Mode> {                                        \
    SINTER_CALLABLE(op, sinter::ops::op, #op, usage_, (sinter::ops::call_fits<Mode, sinter::ops::op, A...>),       \
                    static_cast<Mode const&>(*this))                                                               \
  };                                                                                                               \
  namespace sinter {                                                                                               \
  inline constexpr ops::function<ops::op> op{};                                                                    \
  }
// The same for one that <cmath> has, too: an object of its name would be ambiguous under `using namespace sinter`, a function is not. What
// both have in common is written twice, because the compilers print every macro that an error comes from.
#define SINTER_MATH_OP(op, usage_)                                                                                 \
  SINTER_KNOWN_OP(sinter::ops::op);                                                                                \
  template <> struct sinter::ops::function<sinter::ops::op> {                                                      \
    static constexpr std::string_view usage = usage_;                                                              \
    SINTER_CALLABLE(operator(), sinter::ops::op, #op, usage_, (sinter::ops::function_fits<sinter::ops::op, A...>), \
                    space_for(sinter::in_sinter{}, a...))                                                          \
  };                                                                                                               \
  template <class Mode> struct sinter::ops::member<sinter::ops::op, Mode> {                                        \
    SINTER_CALLABLE(op, sinter::ops::op, #op, usage_, (sinter::ops::call_fits<Mode, sinter::ops::op, A...>),       \
                    static_cast<Mode const&>(*this))                                                               \
  };                                                                                                               \
  namespace sinter::inline SINTER_ISA {                                                                            \
  template <class A, class... More>                                                                                \
    requires(!std::is_arithmetic_v<A>)                                                                             \
  constexpr auto op(A const& a, More const&... more) {                                                             \
    return space_for(in_sinter{}, a, more...).op(a, more...);                                                      \
  }                                                                                                                \
  }
