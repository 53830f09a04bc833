// SPDX-License-Identifier: Apache-2.0
// The precompiled loops, found by the name of an operation and the types of its elements.
#pragma once
#include <atomic>
#include <tuple>
#include <vector>

#include "../reference/reference.hpp"
#include "chains.hpp"
#include "mapped.hpp"
#include "reductions.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// One operation with one choice of element types; one of the pointers is set.
struct entry {
  std::uint64_t op = 0, types = 0;
  tile_loop loop = nullptr;
  interpreter::reducer const* reducer = nullptr;
  interpreter::multiplier const* multiplier = nullptr;
  void (*opaque)(kernel::launch const& l, kernel::pointer const* p) = nullptr;
};
// Element types as one number: of the result, then of the operands.
constexpr std::uint64_t add_type(std::uint64_t all, dtype t) { return all << 4 | static_cast<std::uint64_t>(static_cast<int>(t) + 1); }
template <class... T> constexpr std::uint64_t types_of = [] {
  std::uint64_t r = 0;
  ((r = add_type(r, dtype_of<T>)), ...);
  return r;
}();

using element_types = ops::list_of<float, double, std::int32_t, std::int64_t, bool>;
// What is stored in fewer bits than it is computed in; operations that only move elements take them as they are.
using stored_types = ops::list_of<float16, bfloat16, std::int8_t, std::int16_t, std::uint8_t>;
using all_types = ops::joined<element_types, stored_types>::type;

// ---- the entries of one operation

// The types of an operation that never fuses, as function types: float(float, std::int64_t). Those of your own are given to `knows`.
template <class Op> struct signatures {
  using type = ops::list_of<>;
};
template <> struct signatures<ops::take> {
  template <class... T> static auto of(ops::list_of<T...>) -> ops::list_of<T(T, std::int32_t)..., T(T, std::int64_t)...>;
  using type = decltype(of(all_types{}));
};
template <> struct signatures<ops::sequence_reverse> : signatures<ops::take> {};
template <> struct signatures<ops::scatter_nd> : signatures<ops::take> {};
template <> struct signatures<ops::scatter_add> {
  template <class... T> static auto of(ops::list_of<T...>) -> ops::list_of<T(T, std::int32_t)..., T(T, std::int64_t)...>;
  using type = decltype(of(ops::list_of<float, double, std::int32_t, std::int64_t>{}));
};
template <> struct signatures<ops::running_sum> {
  using type = ops::list_of<float(float), double(double), std::int32_t(std::int32_t), std::int64_t(std::int64_t)>;
};
template <> struct signatures<ops::running_product> : signatures<ops::running_sum> {};
template <> struct signatures<ops::cholesky> {
  using type = ops::list_of<float(float), double(double)>;
};
template <> struct signatures<ops::triangular_solution> {
  using type = ops::list_of<float(float, float), double(double, double)>;
};
template <> struct signatures<ops::lu_inverse> {
  template <class... T> static auto of(ops::list_of<T...>) -> ops::list_of<std::tuple<T, T>(T)...>;
  using type = decltype(of(ops::list_of<float, double>{}));
};
template <> struct signatures<ops::lu_determinant> {
  template <class... T> static auto of(ops::list_of<T...>) -> ops::list_of<std::tuple<T, T, T, T>(T)...>;
  using type = decltype(of(ops::list_of<float, double>{}));
};
template <> struct signatures<ops::ctc_alignments> {
  template <class... T> static auto of(ops::list_of<T...>)
      -> ops::list_of<std::tuple<double, T>(T, std::int64_t, std::int64_t, std::int64_t)...>;
  using type = decltype(of(ops::list_of<float, double>{}));
};
template <> struct signatures<ops::ctc_slopes> : signatures<ops::ctc_alignments> {};
template <> struct signatures<ops::sort> {
  template <class... T> static auto of(ops::list_of<T...>) -> ops::list_of<T(T)...>;
  using type = decltype(of(element_types{}));
};
template <> struct signatures<ops::argsort> {
  template <class... T> static auto of(ops::list_of<T...>) -> ops::list_of<std::int64_t(T)...>;
  using type = decltype(of(element_types{}));
};
template <> struct signatures<ops::topk> {
  template <class... T> static auto of(ops::list_of<T...>) -> ops::list_of<std::tuple<T, std::int64_t>(T)...>;
  using type = decltype(of(element_types{}));
};
template <> struct signatures<ops::arange> {
  using type = ops::list_of<float(), double(), std::int32_t(), std::int64_t(), bool()>;
};
template <> struct signatures<ops::linspace> {
  using type = ops::list_of<float(), double()>;
};
template <class T, class... U> using from_key = ops::list_of<T(std::int64_t), U(std::int64_t)...>;
template <> struct signatures<ops::random_mask> {
  using type = from_key<float, double>;
};
template <> struct signatures<ops::random_order> {
  using type = from_key<std::int64_t>;
};
template <> struct signatures<ops::random_uniform> {
  using type = from_key<float, double>;
};
template <> struct signatures<ops::random_normal> {
  using type = from_key<float, double>;
};
template <> struct signatures<ops::random_randint> {
  using type = from_key<std::int32_t, std::int64_t>;
};

template <class Op> struct entries_of {
  static constexpr std::uint64_t id = hash_of(ops::op_name<Op>);
  std::vector<entry>& to;

  template <class R, class... T> void add_loop() {
    entry e{id, types_of<R, T...>};
    e.loop = &elementwise_loop<Op, R, T...>::go;
    to.push_back(e);
  }
  template <class T, std::size_t> using again = T;
  template <class T, std::size_t... I> void add_elementwise(std::index_sequence<I...>) {
    using result = std::conditional_t<Op::truth, bool, T>;
    if constexpr (Op::condition) add_loop<result, std::conditional_t<I == 0, bool, T>...>();
    else add_loop<result, again<T, I>...>();
  }
  template <class T> void add_numbers() {
    if constexpr (Op::template takes<T>) add_elementwise<T>(std::make_index_sequence<static_cast<std::size_t>(Op::arity)>{});
  }
  template <class From, class... To> void add_conversions(ops::list_of<To...>) { (add_loop<To, From>(), ...); }
  template <class... S> void add_stored_conversions(ops::list_of<S...>) {
    (add_loop<type_of<computed_in(dtype_of<S>)>, S>(), ...);
    (add_loop<S, type_of<computed_in(dtype_of<S>)>>(), ...);
    add_loop<float16, double>();
    add_loop<bfloat16, double>();
  }
  template <class... S> void add_copies(ops::list_of<S...>) { (add_loop<S, S>(), ...); }
  template <class T> void add_reduction() {
    if constexpr (!std::is_same_v<T, bool> && Op::check(dtype_of<T>) == problem::none) {
      using result = std::conditional_t<Op::indexed, std::int64_t, T>;
      entry e{id, types_of<result, T>};
      e.reducer = &reduction_loop<Op, result, T>::value;
      to.push_back(e);
    }
  }
  template <class R, class... T> void add_opaque(std::type_identity<R(T...)>) { add_opaque<T...>(ops::list_of<R>{}); }
  // With several results they are a tuple: std::tuple<float, std::int64_t>(float).
  template <class... R, class... T> void add_opaque(std::type_identity<std::tuple<R...>(T...)>) { add_opaque<T...>(ops::list_of<R...>{}); }
  template <class... T, class First, class... R> void add_opaque(ops::list_of<First, R...>) {
    entry e{id, types_of<First, T...>};
    e.opaque = &reference::run<kernel::opaque<Op, kernel::types<First, R...>, kernel::types<T...>>>::go;
    to.push_back(e);
  }
  template <class... T> void add(ops::list_of<T...> all) {
    if constexpr (Op::kind == family::elementwise) {
      if constexpr (requires(vec<float> const& v) { Op::template convert<vec<float>>(v); }) {
        (add_conversions<T>(all), ...);
        add_stored_conversions(stored_types{});
      } else (add_numbers<T>(), ...);
      if constexpr (std::is_same_v<Op, ops::identity>) add_copies(stored_types{});
    } else if constexpr (Op::kind == family::reduction) (add_reduction<T>(), ...);
    else if constexpr (Op::kind == family::product) add_products(all);
    else if constexpr (Op::kind == family::opaque) add_opaques(typename signatures<Op>::type{});
  }
  template <class... T> void add_products(ops::list_of<T...>) {
    (
        [&] {
          if constexpr (!std::is_same_v<T, bool>) {
            entry e{id, types_of<T, T, T>};
            if constexpr (std::is_same_v<Op, ops::mapped_product>) e.multiplier = &mapped_product_loop<T>::value;
            else e.multiplier = &product_loop<T>::value;
            to.push_back(e);
          }
        }(),
        ...);
  }
  template <class... S> void add_opaques(ops::list_of<S...>) { (add_opaque(std::type_identity<S>{}), ...); }
};

// ---- all of them

// The loops of a list of operations. They are many: a program may have them in one translation unit, which says
//     template struct sinter::interpreter::precompiled<sinter::interpreter::all_ops>;
// and define SINTER_INTERPRETER_ELSEWHERE in the others.
template <class Ops> struct precompiled {
  static std::vector<entry> const& entries();
};
// What is a view or written with others has no loop; products and the mask are what others are written with.
using all_ops =
    ops::joined<ops::all_ops,
                ops::list_of<ops::product, ops::mapped_product, ops::random_mask, ops::random_order, ops::running_sum, ops::running_product,
                             ops::triangular_solution, ops::lu_inverse, ops::lu_determinant, ops::ctc_alignments, ops::ctc_slopes>>::type;
// The chain of these operations, and those that have one more.
template <class... Op> void add_chains(std::vector<entry>& r, std::uint64_t name) {
  if constexpr (sizeof...(Op) > 1) {
    entry e{name, types_of<float, float>};
    e.loop = &chain_loop<float, false, Op...>::go;
    r.push_back(e);
  }
  if constexpr (sizeof...(Op) == 2) {  // as a bias and what follows it
    entry e{name, types_of<float, float, float>};
    e.loop = &chain_loop<float, true, Op...>::go;
    r.push_back(e);
  }
  if constexpr (sizeof...(Op) < most_chained)
    [&]<class... Next>(ops::list_of<Next...>) {
      (add_chains<Op..., Next>(r, sizeof...(Op) == 0 ? hash_of(ops::op_name<Next>) : chain_of(name, hash_of(ops::op_name<Next>))), ...);
    }(chained_ops{});
}
template <class... Op> void add_entries(std::vector<entry>& r, ops::list_of<Op...>) { (entries_of<Op>{r}.add(element_types{}), ...); }
template <class Ops> std::vector<entry> const& precompiled<Ops>::entries() {
  static std::vector<entry> const all = [] {
    std::vector<entry> r;
    add_entries(r, Ops{});
    add_chains(r, 0);
    return r;
  }();
  return all;
}
#if defined(SINTER_INTERPRETER_ELSEWHERE)
extern template struct precompiled<all_ops>;
#endif

// What programs have added.
struct own_entries {
  std::vector<entry> entries;
  own_entries const* next = nullptr;
};
inline std::atomic<own_entries const*>& first_own() {
  static std::atomic<own_entries const*> first{nullptr};
  return first;
}
// Makes operations of your own known, which a plan may then have; what one is made of (family::composite) is known already:
//     static bool const known = sinter::interpreter::knows<my::selu_op>();
// Of one that never fuses (family::opaque) the element types are said, the results' and in parentheses the operands':
//     sinter::interpreter::knows<my::unique_op, float(float), double(double)>();
//     sinter::interpreter::knows<my::largest_op, std::tuple<float, std::int64_t>(float)>();
template <class Op, class... Signature> bool knows() {
  static_assert(Op::kind != family::opaque || sizeof...(Signature) > 0,
                "sinter: of an operation that never fuses the interpreter is told the element types, the results' and in parentheses the "
                "operands': knows<my::op, float(float)>(), or knows<my::op, std::tuple<float, std::int64_t>(float)>()");
  static own_entries added = [] {
    own_entries r;
    if constexpr (sizeof...(Signature) > 0) entries_of<Op>{r.entries}.add_opaques(ops::list_of<Signature...>{});
    else entries_of<Op>{r.entries}.add(element_types{});
    return r;
  }();
  static bool const linked = [] {
    added.next = first_own().load();
    while (!first_own().compare_exchange_weak(added.next, &added)) {}
    return true;
  }();
  return linked;
}

inline entry const* find(std::uint64_t op, std::uint64_t types) {
  auto const look = [&](std::vector<entry> const& all) -> entry const* {
    for (entry const& e : all)
      if (e.op == op && e.types == types) return &e;
    return nullptr;
  };
  if (entry const* const e = look(precompiled<all_ops>::entries())) return e;
  for (own_entries const* o = first_own().load(); o; o = o->next)
    if (entry const* const e = look(o->entries)) return e;
  return nullptr;
}

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
