// SPDX-License-Identifier: Apache-2.0
// From an operation's type to its row in graphs, and from the row back to the type.
#pragma once
#include "../core/config.hpp"
#include "../graph/graph.hpp"

namespace sinter {
struct in_sinter {};  // lets a call find the functions of this namespace whatever its operands are
}  // namespace sinter

namespace sinter::ops {

// Specialised by SINTER_OP: the type of the operation whose name hashes to Id.
template <std::uint64_t Id> struct op_at;

// What may stand behind an operation's operands in a call; each bit is one keyword of ops/arguments.hpp.
namespace keyword {
inline constexpr unsigned axis = 1, keepdims = 2, shape = 4, range = 8, eps = 16, type = 32, count = 64, order = 128, transpose = 256,
                          values = 512;
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

template <class Op> constexpr op_info make_info() {
  op_info r;
  r.name = Op::name;
  r.id = hash_of(Op::name);
  r.kind = Op::kind;
  r.infer = &Op::infer;
  if constexpr (requires { Op::formats; }) r.formats = Op::formats;
  if constexpr (requires { Op::exact; }) r.exact = Op::exact;
  if constexpr (requires { Op::commutative; }) r.commutative = Op::commutative;
  if constexpr (requires { Op::truth; }) r.truth = Op::truth;
  if constexpr (requires { Op::indexed; }) r.indexed = Op::indexed;
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
// Whether all keywords of a call are among those of its operation.
template <class Op, class... A>
concept knows_keywords = ((keyword_bit<A>() | ... | 0u) & ~Op::accepts) == 0;

// Whether the operands of a free function or an operator fit. `space_for` stands in nn/space.hpp.
template <class Op, class... A> inline constexpr bool function_fits =
    call_fits<decltype(space_for(in_sinter{}, std::declval<A const&>()...)), Op, A...>;

// The operation as a free function: what its operands are says what it does.
template <class Op> struct function;

}  // namespace sinter::ops

// What is said on the caller's line when eager operands do not fit; the compilers print their types after it.
#define SINTER_DOES_NOT_FIT                                                                                                                \
  ": these operands do not fit; shapes must broadcast (1 stretches) or agree where they are summed, dtypes be of one kind (F.cast), axes " \
  "exist"
#define SINTER_NO_SUCH_KEYWORD ": the operation has no such keyword; what it accepts stands with it in sinter/ops/"

// A function `f` that does what `space` does with the operation, and its two twins that only say why it cannot. `what`: the name to say.
#define SINTER_CALLABLE(f, op, what, fits, space)                                                               \
  template <class... A>                                                                                         \
    requires(sinter::ops::knows_keywords<op, A...> && fits)                                                     \
  constexpr auto f(A const&... a) const {                                                                       \
    return space.template call<op>(a...);                                                                       \
  }                                                                                                             \
  template <class... A>                                                                                         \
    requires(sinter::ops::knows_keywords<op, A...>)                                                             \
  SINTER_UNAVAILABLE(what SINTER_DOES_NOT_FIT)                                                                  \
  constexpr auto f(A const&... a) const {                                                                       \
    return sinter::ops::first_of(a...);                                                                         \
  }                                                                                                             \
  template <class... A> SINTER_UNAVAILABLE(what SINTER_NO_SUCH_KEYWORD) constexpr auto f(A const&... a) const { \
    return sinter::ops::first_of(a...);                                                                         \
  }

template <class Op> struct sinter::ops::function {
  SINTER_CALLABLE(operator(), Op, "this operation", (sinter::ops::function_fits<Op, A...>), space_for(sinter::in_sinter{}, a...))
};

// At global scope, after an operation of one's own: lets graphs find the type again. Use it as my::selu is used in the tests:
// `SINTER_USER_OP(my::selu_op)`, then `inline constexpr sinter::ops::function<selu_op> selu{};` makes it callable.
#define SINTER_USER_OP(...)                                                   \
  template <> struct sinter::ops::op_at<sinter::hash_of(__VA_ARGS__::name)> { \
    using type = __VA_ARGS__;                                                 \
  }

// The same for an operation of sinter::ops, which F and the namespace sinter then offer by its name.
#define SINTER_OP(op)                                                                                                                 \
  SINTER_USER_OP(sinter::ops::op);                                                                                                    \
  template <> struct sinter::ops::function<sinter::ops::op> {                                                                         \
    SINTER_CALLABLE(operator(), sinter::ops::op, #op, (sinter::ops::function_fits<sinter::ops::op, A...>),                            \
                    space_for(sinter::in_sinter{}, a...))                                                                             \
  };                                                                                                                                  \
  template <class Mode> struct sinter::ops::member<sinter::ops::op, Mode> {                                                           \
    SINTER_CALLABLE(op, sinter::ops::op, #op, (sinter::ops::call_fits<Mode, sinter::ops::op, A...>), static_cast<Mode const&>(*this)) \
  };                                                                                                                                  \
  namespace sinter {                                                                                                                  \
  inline constexpr ops::function<ops::op> op{};                                                                                       \
  }

// The same for one that <cmath> has, too: an object of its name would be ambiguous under `using namespace sinter`, a function is not.
#define SINTER_MATH_OP(op)                                                                                                            \
  SINTER_USER_OP(sinter::ops::op);                                                                                                    \
  template <class Mode> struct sinter::ops::member<sinter::ops::op, Mode> {                                                           \
    SINTER_CALLABLE(op, sinter::ops::op, #op, (sinter::ops::call_fits<Mode, sinter::ops::op, A...>), static_cast<Mode const&>(*this)) \
  };                                                                                                                                  \
  namespace sinter {                                                                                                                  \
  template <class A, class... More>                                                                                                   \
    requires(!std::is_arithmetic_v<A>)                                                                                                \
  constexpr auto op(A const& a, More const&... more) {                                                                                \
    return space_for(in_sinter{}, a, more...).op(a, more...);                                                                         \
  }                                                                                                                                   \
  }
