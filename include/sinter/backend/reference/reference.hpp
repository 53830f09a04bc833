// SPDX-License-Identifier: Apache-2.0
// Kernels over plain numbers: constexpr, one element at a time, in the order in which the operations are defined.
#pragma once
#include "loops.hpp"
#include "mapped.hpp"

namespace sinter::reference::inline SINTER_ISA {

template <class... Slot, class... Step, class Probe> struct run<pointwise<types<Slot...>, types<Step...>>, Probe> {
  static constexpr void go(launch const& l, pointer const* p) {
    constexpr int n = sizeof...(Slot);
    Probe::launch();
    frame<number, types<Slot...>, types<Step...>> f{};
    loop<n>(l, 0, l.rank, cursor<n>{}, [&](cursor<n> const& c) {
      load_all<Probe>(types<Slot...>{}, f, p, c);
      each(types<Step...>{}, [&]<class S>(auto i, S s) {
        at<i>(f) = evaluate<number>(s, f);
        Probe::operation(ops::info<typename S::op>.flops);
        if constexpr (S::bits.store >= 0) store_one<Probe, S::bits.store>(p, c.at[S::bits.store], at<i>(f));
      });
    });
  }
};

// The state of a reduction: a value, and for argmax its place.
template <class Op, class T> struct accumulator {
  T v = Op::template start<T>();
  std::int64_t best = 0, n = 0;
  constexpr void take(T x) {
    if constexpr (Op::indexed) {
      if (n == 0 || Op::better(x, v)) {
        v = x;
        best = n;
      }
    } else v = Op::combine(v, x);
    ++n;
  }
  template <class R> constexpr R finish() const {
    if constexpr (Op::indexed) return static_cast<R>(best);
    else return Op::template finish<T>(v, n);
  }
};

template <class... Slot, class... Step, int Phases, class Probe> struct run<rows<types<Slot...>, types<Step...>, Phases>, Probe> {
  static constexpr int n = sizeof...(Slot);
  using values = frame<number, types<Slot...>, types<Step...>>;
  template <int J> using type_at = std::remove_cvref_t<decltype(at<J>(std::declval<values&>()))>;

  // Steps that give one value a row and are ready when phase P begins.
  template <int P> static constexpr void row_steps(values& f, pointer const* p, cursor<n> const& c) {
    each(types<Step...>{}, [&]<class S>(auto i, S s) {
      if constexpr (S::bits.row && S::bits.phase == P) {
        if constexpr (!S::reduces) {
          at<i>(f) = evaluate<number>(s, f);
          Probe::operation(ops::info<typename S::op>.flops);
        }
        if constexpr (S::bits.store >= 0) store_one<Probe, S::bits.store>(p, c.at[S::bits.store], at<i>(f));
      }
    });
  }
  template <int P, int I, class S> static constexpr void element_step(std::integral_constant<int, I>, S s, values& f, pointer const* p,
                                                                      cursor<n> const& c) {
    if constexpr (!S::bits.row && ((S::bits.needed >> P) & 1)) {
      if constexpr (S::bits.keep >= 0 && P > S::bits.phase) at<I>(f) = p[S::bits.keep].template get<typename S::type>()[c.at[S::bits.keep]];
      else {
        at<I>(f) = evaluate<number>(s, f);
        Probe::operation(ops::info<typename S::op>.flops);
      }
    }
  }
  // Behind all steps of the phase: what one of them stores may replace what another has kept there.
  template <int P> static constexpr void store_element(values const& f, pointer const* p, cursor<n> const& c) {
    each(types<Step...>{}, [&]<class S>(auto i, S) {
      if constexpr (!S::bits.row && !S::reduces && S::bits.phase == P) {
        if constexpr (S::bits.keep >= 0 && S::bits.keep != S::bits.store)
          store_one<Probe, S::bits.keep>(p, c.at[S::bits.keep], at<i>(f), false);
        if constexpr (S::bits.store >= 0) store_one<Probe, S::bits.store>(p, c.at[S::bits.store], at<i>(f));
      }
    });
  }
  template <int P> static constexpr void phase(launch const& l, values& f, pointer const* p, cursor<n> const& row) {
    if constexpr (P > 0) row_steps<P>(f, p, row);
    auto state = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return leaves<leaf<static_cast<int>(I), decltype(start<Step>())>...>{{start<Step>()}...};
    }(std::index_sequence_for<Step...>{});
    loop<n>(l, l.row_rank, l.rank, row, [&](cursor<n> const& c) {
      load_all<Probe>(types<Slot...>{}, f, p, c);
      each(types<Step...>{}, [&]<class S>(auto i, S s) {
        if constexpr (S::reduces) {
          if constexpr (S::bits.phase - 1 == P) {
            at<i>(state).take(at<first_operand(S{})>(f));
            Probe::operation(1);
          }
        } else element_step<P>(i, s, f, p, c);
      });
      store_element<P>(f, p, c);
    });
    each(types<Step...>{}, [&]<class S>(auto i, S) {
      if constexpr (S::reduces && S::bits.phase - 1 == P) at<i>(f) = at<i>(state).template finish<typename S::type>();
    });
    if constexpr (P + 1 < Phases) phase<P + 1>(l, f, p, row);
  }
  template <class S> static constexpr auto start() {
    if constexpr (S::reduces) return accumulator<typename S::op, type_at<first_operand(S{})>>{};
    else return 0;
  }
  static constexpr void go(launch const& l, pointer const* p) {
    Probe::launch();
    values f{};
    loop<n>(l, 0, l.row_rank, cursor<n>{}, [&](cursor<n> const& row) {
      load_rows(f, p, row);
      row_steps<0>(f, p, row);
      phase<0>(l, f, p, row);
    });
  }
  // Operands that are one value a row, for the steps that run before any element is read.
  static constexpr void load_rows(values& f, pointer const* p, cursor<n> const& c) {
    each(types<Slot...>{}, [&]<class S>(auto j, S) {
      if constexpr (!S::written && S::mode == access::zero) at<-1 - j>(f) = p[j].template get<typename S::type>()[c.at[j]];
    });
  }
};

template <class T, class... Slot, class... Step, class Probe> struct run<product<T, types<Slot...>, types<Step...>>, Probe> {
  static constexpr int n = sizeof...(Slot);
  using values = frame<number, types<Slot...>, types<Step...>>;
  static constexpr void go(launch const& l, pointer const* p) {
    Probe::launch();
    values f{};
    loop<n>(l, 0, l.rank - 2, cursor<n>{}, [&](cursor<n> const& row) {
      bool first = true;
      loop<n>(l, l.rank - 2, l.rank - 1, row, [&](cursor<n> const& c) {
        T sum{};
        loop<n>(l, l.rank - 1, l.rank, c, [&](cursor<n> const& k) { add_product(sum, f, p, k, first); });
        finish(sum, f, p, c);
        first = false;
      });
    });
  }

 private:
  template <int J, class S> static constexpr void load(S, values& f, pointer const* p, cursor<n> const& c) {
    auto const* from = p[J].template get<typename S::type>() + c.at[J];
    Probe::load(J, from);
    at<-1 - J>(f) = *from;
  }
  // The prologue and the product of one k. The prologue is counted once for each element of the first operand: in the first column.
  static constexpr void add_product(T& sum, values& f, pointer const* p, cursor<n> const& k, bool first_column) {
    each(types<Slot...>{}, [&]<class S>(auto j, S s) {
      if constexpr (reads_inside<j>(types<Step...>{})) load<j>(s, f, p, k);
    });
    each(types<Step...>{}, [&]<class S>(auto i, S s) {
      if constexpr (S::bits.prologue) {
        at<i>(f) = evaluate<number>(s, f);
        if (first_column) Probe::operation(ops::info<typename S::op>.flops);
      } else if constexpr (S::op::kind == family::product) {
        sum = element::add(sum, element::multiply(at<first_operand(S{})>(f), at<second_operand(S{})>(f)));
        Probe::operation(2);
      }
    });
  }
  // The epilogue of one sum, and the stores.
  static constexpr void finish(T sum, values& f, pointer const* p, cursor<n> const& c) {
    each(types<Slot...>{}, [&]<class S>(auto j, S s) {
      if constexpr (!S::written && reads_after<j>(types<Step...>{})) load<j>(s, f, p, c);
    });
    each(types<Step...>{}, [&]<class S>(auto i, S s) {
      if constexpr (S::op::kind == family::product) at<i>(f) = sum;
      else if constexpr (!S::bits.prologue) {
        at<i>(f) = evaluate<number>(s, f);
        Probe::operation(ops::info<typename S::op>.flops);
      }
      if constexpr (S::bits.store >= 0) store_one<Probe, S::bits.store>(p, c.at[S::bits.store], at<i>(f));
    });
  }
  template <int J, class Op, class U, std::uint64_t B, int... From> static constexpr bool reads(kernel::step<Op, U, B, From...>) {
    return ((From == -1 - J) || ...);
  }
  template <int J> static constexpr bool reads_inside(auto) {
    return ((reads<J>(Step{}) && (Step::bits.prologue || Step::op::kind == family::product)) || ...);
  }
  template <int J> static constexpr bool reads_after(auto) {
    return ((reads<J>(Step{}) && !Step::bits.prologue && Step::op::kind != family::product) || ...);
  }
};

template <class Op, class... R, class... T, class Probe> struct run<opaque<Op, types<R...>, types<T...>>, Probe> {
  static constexpr void go(launch const& l, pointer const* p) {
    Probe::launch();
    [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
      Op::run(unpack<ops::attributes_of<Op>>(l.attributes), ops::array_view<R>{p[sizeof...(T) + I].template get<R>(), l.shapes[I]}...,
              ops::array_view<T const>{p[J].template get<T>(), l.shapes[sizeof...(R) + J]}...);
    }(std::index_sequence_for<R...>{}, std::index_sequence_for<T...>{});
  }
};

// The backend: `go` runs a kernel.
template <class Probe> struct probed {
  template <class Kernel> static constexpr void go(launch const& l, pointer const* p) { run<Kernel, Probe>::go(l, p); }
  // It reads weights as they are.
  template <class Kernel> static std::size_t packed_bytes(launch const&) { return 0; }
  template <class Kernel> static void pack(launch const&, pointer const*, std::byte*) {}
};
struct backend : probed<no_probe> {};

}  // namespace sinter::reference::inline SINTER_ISA
