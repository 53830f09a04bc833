// SPDX-License-Identifier: Apache-2.0
// Recurrent cells: what a recurrent layer does at one time, as a block of its own; cells around cells, and unroll.
#pragma once
#include "recurrent.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {

// Zeros of the extents of x, but for the last one, which is Hidden.
template <int Hidden, class T> constexpr auto zeros_beside(auto F, auto const& x) {
  return F.add(F.zeros_like(F.sum(x, axis<-1>, keepdims)), F.zeros(into<Hidden>, as<T>));
}
template <int First, int N> constexpr auto some_of(auto const& states) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return std::make_tuple(std::get<First + I>(states)...);
  }(std::make_integer_sequence<int, N>{});
}
// A tuple of N + 1, where a mistake was found before.
template <int N> constexpr auto nothing_of(auto const& x) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return std::tuple((static_cast<void>(I), x)...);
  }(std::make_integer_sequence<int, N + 1>{});
}
constexpr auto in_one_tuple(auto const& output_and_states) {
  return std::tuple_cat(std::make_tuple(std::get<0>(output_and_states)), std::get<1>(output_and_states));
}

// Whether x is one step or, with Rank 3, a sequence, and the states are its, as far as the compiler knows.
template <int Rank, int Hidden, class X, class... S> constexpr bool are_of_a_cell() {
  if constexpr (ops::is_untyped<X> || (ops::is_untyped<S> || ...)) return true;
  else if constexpr (constexpr dims x = X::shape_type::value; x.rank != Rank) return false;
  else {
    [[maybe_unused]] constexpr auto fits = [](dims const& s, extent batch) {
      return s.rank == 2 && s.d[1] == Hidden && (s.d[0] == batch || s.d[0] < 0 || batch < 0);
    };
    return (fits(S::shape_type::value, x.d[Rank - 2]) && ...);
  }
}
template <int Rank, int Hidden, class X, class... S> constexpr bool wants_states() {
  constexpr bool are = are_of_a_cell<Rank, Hidden, X, S...>();
  static_assert(are,
                "sinter: a recurrent cell is called with a step, (batch, channels), unrolled with (time, batch, channels), and its states "
                "have the shape (batch, Hidden); lstm_cell<16> called with (8, 5) wants two states (8, 16)");
  return are;
}

// What cells have in common. D has n_states, begin_state(F, x), which gives a tuple of zeros for a step x, step(F, x, states), and
// turns(F, x, states) for (time, batch, channels); both give std::tuple(output, states), the states as a tuple.
template <class D> struct cell_block : hybrid_block<D> {
  template <class X, class... S>
    requires(sizeof...(S) == 0 || sizeof...(S) == D::n_states)
  constexpr auto hybrid_forward(auto F, X const& x, S const&... states) const {
    auto const& cell = static_cast<D const&>(*this);
    if constexpr (is_poison<X>) return nothing_of<D::n_states>(x);
    else if constexpr (sizeof...(S) == D::n_states) return in_one_tuple(cell.step(F, x, std::make_tuple(states...)));
    else return in_one_tuple(cell.step(F, x, cell.begin_state(F, x)));
  }
};
// Calls a cell with states in a tuple; gives them in one.
template <class Cell> constexpr auto step_of(Cell const& cell, auto const& x, auto const& states) {
  auto const y = std::apply([&](auto const&... s) { return cell(x, s...); }, states);
  return std::tuple(std::get<0>(y), some_of<1, Cell::n_states>(y));
}

template <class D, class Gates, int Hidden, class T> struct recurrent_cell : cell_block<D> {
  static constexpr int n_states = Gates::n_states, hidden = Hidden;
  using parameters = recurrent_parameters<Gates, Hidden, T>;

  constexpr auto begin_state(auto F, auto const& x) const {
    auto const zero = zeros_beside<Hidden, T>(F, x);
    if constexpr (n_states == 1) return std::tuple(zero);
    else return std::tuple(zero, zero);
  }
  template <class X, class... S> constexpr auto step(auto F, X const& x, std::tuple<S...> const& states) const {
    if constexpr (!wants_states<2, Hidden, X, S...>()) return std::tuple(x, states);
    else {
      auto const w = parameters::get(F, static_cast<D const&>(*this), x);
      auto const from_input = F.fully_connected(x, std::get<0>(w), std::get<2>(w));
      auto const next = Gates::turn(F, from_input, F.fully_connected(std::get<0>(states), std::get<1>(w), std::get<3>(w)), states);
      return std::tuple(std::get<0>(next), next);
    }
  }
  template <class X, class... S> constexpr auto turns(auto F, X const& x, std::tuple<S...> const& states) const {
    if constexpr (!wants_states<3, Hidden, X, S...>()) return std::tuple(x, states);
    else {
      auto const w = parameters::get(F, static_cast<D const&>(*this), x);
      auto const products = F.fully_connected(x, std::get<0>(w), std::get<2>(w), flattened<false>);
      return all_turns<Gates>(F, products, std::get<1>(w), std::get<3>(w), states);
    }
  }
};
}  // namespace detail::inline SINTER_ISA

// lstm_cell<Hidden>, gru_cell<Hidden> and rnn_cell<Hidden, Function>: cell(x, h), for an lstm cell(x, h, c), of a step x (batch, channels) and
// states (batch, Hidden) gives a tuple of the output and the new states; cell(x) begins with zeros. Its parameters are those of a layer.
#define SINTER_CELL_PARAMETERS(name)                                                                                           \
  BOOST_HANA_DEFINE_STRUCT(name, (typename name::parameters::input_weight, i2h_weight),                                        \
                           (typename name::parameters::state_weight, h2h_weight), (typename name::parameters::bias, i2h_bias), \
                           (typename name::parameters::bias, h2h_bias))
template <int Hidden, class T = float>
struct lstm_cell : detail::recurrent_cell<lstm_cell<Hidden, T>, detail::lstm_gates, Hidden, T> {
  SINTER_CELL_PARAMETERS(lstm_cell);
};
template <int Hidden, class T = float>
struct gru_cell : detail::recurrent_cell<gru_cell<Hidden, T>, detail::gru_gates, Hidden, T> {
  SINTER_CELL_PARAMETERS(gru_cell);
};
template <int Hidden, class Function = tanh, class T = float>
struct rnn_cell : detail::recurrent_cell<rnn_cell<Hidden, Function, T>, detail::plain_gates<Function>, Hidden, T> {
  SINTER_CELL_PARAMETERS(rnn_cell);
};
#undef SINTER_CELL_PARAMETERS

// Drops elements of what it is given, in training, as dropout; it has no states.
template <auto P> struct dropout_cell : detail::cell_block<dropout_cell<P>> {
  static constexpr int n_states = 0;
  static constexpr auto begin_state(auto, auto const&) { return std::tuple<>{}; }
  static constexpr auto step(auto F, auto const& x, std::tuple<> const& none) {
    return std::tuple(dropout<P>{}.hybrid_forward(F, x), none);
  }
  static constexpr auto turns(auto F, auto const& x, std::tuple<> const& none) { return step(F, x, none); }
};

// One cell after the other at each time. Its states are those of all, in their order.
template <class... Cell> struct sequential_rnn_cell : detail::cell_block<sequential_rnn_cell<Cell...>>, block_list<Cell...> {
  static constexpr int n_states = (Cell::n_states + ... + 0);
  SINTER_OWN constexpr sequential_rnn_cell() = default;
  SINTER_OWN constexpr explicit sequential_rnn_cell(Cell... cell)
    requires(sizeof...(Cell) > 0)
      : block_list<Cell...>{{std::move(cell)...}} {}

  constexpr auto begin_state(auto F, auto const& x) const {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return std::tuple_cat(this->template at<I>().begin_state(F, x)...);
    }(std::make_integer_sequence<int, sizeof...(Cell)>{});
  }
  constexpr auto step(auto, auto const& x, auto const& states) const {
    return through<0, 0>([](auto const& cell, auto const&... a) { return detail::step_of(cell, a...); }, x, states);
  }
  constexpr auto turns(auto F, auto const& x, auto const& states) const {
    return through<0, 0>([F](auto const& cell, auto const&... a) { return cell.turns(F, a...); }, x, states);
  }

 private:
  template <int I, int First> constexpr auto through(auto const& run, auto const& x, auto const& states) const {
    if constexpr (I == sizeof...(Cell)) return std::tuple(x, std::tuple<>{});
    else {
      auto const& cell = this->template at<I>();
      constexpr int n = std::remove_cvref_t<decltype(cell)>::n_states;
      auto const own = run(cell, x, detail::some_of<First, n>(states));
      auto const rest = through<I + 1, First + n>(run, std::get<0>(own), states);
      return std::tuple(std::get<0>(rest), std::tuple_cat(std::get<1>(own), std::get<1>(rest)));
    }
  }
};

// What a cell gives plus what it was given, which has as many channels (Wu et al., arXiv 1609.08144).
template <class Cell> struct residual_cell : detail::cell_block<residual_cell<Cell>> {
  static constexpr int n_states = Cell::n_states, hidden = Cell::hidden;
  BOOST_HANA_DEFINE_STRUCT(residual_cell, (Cell, base_cell));
  constexpr auto begin_state(auto F, auto const& x) const { return base_cell.begin_state(F, x); }
  constexpr auto step(auto F, auto const& x, auto const& states) const { return sum(F, x, detail::step_of(base_cell, x, states)); }
  constexpr auto turns(auto F, auto const& x, auto const& states) const { return sum(F, x, base_cell.turns(F, x, states)); }

 private:
  template <class X> static constexpr auto sum(auto F, X const& x, auto const& y) {
    if constexpr (constexpr int channels = detail::extent_of_axis<X, -1>(); channels >= 0 && channels != hidden) {
      static_assert(channels == hidden,
                    "sinter: a residual_cell adds what its cell gives to what it is given, so both have the same number of channels");
      return y;
    } else return std::tuple(F.add(std::get<0>(y), x), std::get<1>(y));
  }
};

// In training each element of the new states is, with probability States, that of the state before, and each element of the output with
// probability Outputs that of the output before, which is then one state more, the last one (Krueger et al., arXiv 1606.01305). In inference
// it gives what its cell gives, as in Gluon. The cell is recurrent, or a residual_cell of one.
template <class Cell, auto Outputs = 0.0, auto States = 0.0> struct zoneout_cell : detail::cell_block<zoneout_cell<Cell, Outputs, States>> {
  static_assert(Outputs >= 0 && Outputs < 1 && States >= 0 && States < 1,
                "sinter: zoneout_cell<lstm_cell<8>, 0.1, 0.2> has the parts of outputs and states that stay, at least 0 and less than 1");
  static_assert(
      requires { Cell::hidden; },
      "sinter: a zoneout_cell is put around a recurrent cell, or a residual_cell of one; in other cells put it around those inside");
  static constexpr int inner = Cell::n_states, n_states = inner + (Outputs > 0 ? 1 : 0);
  BOOST_HANA_DEFINE_STRUCT(zoneout_cell, (Cell, base_cell));

  constexpr auto begin_state(auto F, auto const& x) const {
    auto const own = base_cell.begin_state(F, x);
    if constexpr (Outputs > 0) return std::tuple_cat(own, std::tuple(std::get<0>(own)));
    else return own;
  }
  constexpr auto step(auto F, auto const& x, auto const& states) const { return mixed(F, x, states, masks(F, std::get<0>(states))); }
  // Random numbers are drawn outside of the loop, for all times at once.
  constexpr auto turns(auto F, auto const& x, auto const& states) const {
    auto const like = F.add(F.zeros_like(F.sum(x, axis<-1>, keepdims)), F.zeros_like(std::get<0>(states)));
    return F.foreach (
        [&](auto const& rows, auto const& before) {
          return mixed(F, std::get<0>(rows), before, detail::some_of<1, n_masks<decltype(F)>>(rows));
        },
        std::tuple_cat(std::tuple(x), masks(F, like)), states);
  }

 private:
  template <class Space> static constexpr int n_masks = Space::training ? (Outputs > 0 ? 1 : 0) + (States > 0 ? inner : 0) : 0;

  // Where what is new is taken: for the output, and for each state.
  template <class Space> static constexpr auto masks(Space F, auto const& like) {
    if constexpr (!Space::training) return std::tuple<>{};
    else {
      auto const of_output = [&] {
        if constexpr (Outputs > 0) return std::tuple(F.dropout_mask(like, F.key(), values<Outputs>) > 0);
        else return std::tuple<>{};
      }();
      return std::tuple_cat(of_output, of_states < States != 0 ? inner : 0 > (F, like));
    }
  }
  template <int N> static constexpr auto of_states(auto F, auto const& like) {
    if constexpr (N == 0) return std::tuple<>{};
    else {
      auto const first = std::tuple(F.dropout_mask(like, F.key(), values<States>) > 0);
      return std::tuple_cat(first, of_states<N - 1>(F, like));
    }
  }
  template <class Space> constexpr auto mixed(Space F, auto const& x, auto const& before, auto const& mask) const {
    auto const next = detail::step_of(base_cell, x, detail::some_of<0, inner>(before));
    auto const output = [&] {
      if constexpr (Space::training && Outputs > 0) return F.where(std::get<0>(mask), std::get<0>(next), std::get<inner>(before));
      else return std::get<0>(next);
    }();
    auto const states = [&] {
      if constexpr (Space::training && States > 0)
        return [&]<int... I>(std::integer_sequence<int, I...>) {
          return std::tuple(F.where(std::get<I + (Outputs > 0 ? 1 : 0)>(mask), std::get<I>(std::get<1>(next)), std::get<I>(before))...);
        }(std::make_integer_sequence<int, inner>{});
      else return std::get<1>(next);
    }();
    if constexpr (Outputs > 0) return std::tuple(output, std::tuple_cat(states, std::tuple(output)));
    else return std::tuple(output, states);
  }
};

// Two cells along a sequence, one of them backwards; outputs side by side, the states of the first before those of the second. It is for
// unroll alone.
template <class Left, class Right> struct bidirectional_cell : detail::cell_block<bidirectional_cell<Left, Right>> {
  static constexpr int n_states = Left::n_states + Right::n_states;
  BOOST_HANA_DEFINE_STRUCT(bidirectional_cell, (Left, l_cell), (Right, r_cell));
  constexpr auto begin_state(auto F, auto const& x) const { return std::tuple_cat(l_cell.begin_state(F, x), r_cell.begin_state(F, x)); }
  template <class X> static constexpr auto step(auto, X const& x, auto const& states) {
    static_assert(sizeof(X) == 0,
                  "sinter: a bidirectional_cell has no step, because it runs from both ends: nn::unroll(F, cell, x), or "
                  "nn::unrolled<nn::bidirectional_cell<...>>");
    return std::tuple(x, states);
  }
  constexpr auto turns(auto F, auto const& x, auto const& states) const {
    auto const left = l_cell.turns(F, x, detail::some_of<0, Left::n_states>(states));
    auto const right = r_cell.turns(F, F.flip(x, axis<0>), detail::some_of<Left::n_states, Right::n_states>(states));
    return std::tuple(F.concat(std::get<0>(left), F.flip(std::get<0>(right), axis<0>), axis<2>),
                      std::tuple_cat(std::get<1>(left), std::get<1>(right)));
  }
};

// unroll<Layout>(F, cell, x, states...): the cell at each time of a sequence x, (time, batch, channels) or with sequence::ntc (batch, time,
// channels). Gives a tuple of all outputs and the last states; without states it begins with zeros.
template <sequence Layout = sequence::tnc, class Cell, class X, class... S>
  requires(sizeof...(S) == 0 || sizeof...(S) == Cell::n_states)
constexpr auto unroll(auto F, Cell const& cell, X const& x, S const&... states) {
  if constexpr (is_poison<X>) return detail::nothing_of<Cell::n_states>(x);
  else if constexpr (too_few_dimensions<X, 3>()) {
    static_assert(sizeof(X) == 0, "sinter: unroll runs along a sequence of steps, (time, batch, channels)");
    return detail::nothing_of<Cell::n_states>(x);
  } else {
    auto const turned = [&](auto const& a) {
      if constexpr (Layout == sequence::ntc) return F.transpose(a, axes<1, 0, 2>);
      else return a;
    };
    auto const steps = turned(x);
    auto const begin_with = [&] {
      if constexpr (sizeof...(S) == Cell::n_states) return std::make_tuple(states...);
      else return cell.begin_state(F, F.sum(steps, axis<0>));
    }();
    auto const result = cell.turns(F, steps, begin_with);
    return std::tuple_cat(std::make_tuple(turned(std::get<0>(result))), std::get<1>(result));
  }
}
// The same as a layer: net(x) gives the outputs, net(x, states...) a tuple of these and the last states.
template <class Cell, sequence Layout = sequence::tnc> struct unrolled : hybrid_block<unrolled<Cell, Layout>> {
  BOOST_HANA_DEFINE_STRUCT(unrolled, (Cell, cell));
  template <class... S>
    requires(sizeof...(S) == 0 || sizeof...(S) == Cell::n_states)
  constexpr auto hybrid_forward(auto F, auto const& x, S const&... states) const {
    auto const y = unroll<Layout>(F, cell, x, states...);
    if constexpr (sizeof...(S) > 0) return y;
    else return std::get<0>(y);
  }
};

}  // namespace sinter::nn
