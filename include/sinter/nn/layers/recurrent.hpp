// SPDX-License-Identifier: Apache-2.0
// Recurrent layers: rnn, lstm and gru, of one or several layers and in one or both directions.
#pragma once
#include "basic.hpp"
#include "sequence.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {

// What a turn makes of the products of the input and of the state before, both with their biases, and of that state.
template <class Function> struct plain_gates {
  static constexpr int gates = 1, n_states = 1;
  static constexpr auto turn(auto F, auto const& from_input, auto const& from_state, auto const&) {
    return std::tuple(Function::apply(F, from_input + from_state));
  }
};
// Hochreiter and Schmidhuber, 1997; the gates in MXNet's order: input, forget, candidate, output.
struct lstm_gates {
  static constexpr int gates = 4, n_states = 2;
  static constexpr auto turn(auto F, auto const& from_input, auto const& from_state, auto const& states) {
    auto [i, f, g, o] = F.split(from_input + from_state, parts<4>, axis<1>);
    auto const c = F.sigmoid(f) * std::get<1>(states) + F.sigmoid(i) * F.tanh(g);
    return std::tuple(F.sigmoid(o) * F.tanh(c), c);
  }
};
// Cho et al., arXiv 1406.1078, with the reset gate behind the product, as MXNet and cuDNN have it: reset, update, candidate.
struct gru_gates {
  static constexpr int gates = 3, n_states = 1;
  static constexpr auto turn(auto F, auto const& from_input, auto const& from_state, auto const& states) {
    auto [ri, zi, ni] = F.split(from_input, parts<3>, axis<1>);
    auto [rh, zh, nh] = F.split(from_state, parts<3>, axis<1>);
    auto const z = F.sigmoid(zi + zh);
    auto const n = F.tanh(ni + F.sigmoid(ri + rh) * nh);
    return std::tuple((1 - z) * n + z * std::get<0>(states));
  }
};

template <class Cell, int Hidden, class T> struct recurrent_parameters {
  static constexpr int rows = Cell::gates * Hidden;
  using input_weight = basic_parameter<T, shape<rows, dynamic>>;
  using state_weight = basic_parameter<T, shape<rows, Hidden>>;
  using bias = basic_parameter<T, shape<rows>>;
  // i2h_weight, h2h_weight, i2h_bias and h2h_bias of a block that is called with x, in this order.
  template <class X> static constexpr auto get(auto F, auto const& block, X const&) {
    constexpr int inputs = dense_inputs<X, false>();
    auto const wi = F.get(block.i2h_weight, shape<rows, extent_from_operand<inputs>()>{});
    auto const wh = F.get(block.h2h_weight, shape<rows, Hidden>{});
    auto const bi = F.get(block.i2h_bias, shape<rows>{});
    auto const bh = F.get(block.h2h_bias, shape<rows>{});
    return std::tuple(wi, wh, bi, bh);
  }
};
// All turns, of the products of all inputs: all outputs and the last states, a tuple.
template <class Cell> constexpr auto all_turns(auto F, auto const& products, auto const& wh, auto const& bh, auto const& states) {
  return F.foreach (
      [&](auto const& row, auto const& before) {
        auto const next = Cell::turn(F, row, F.fully_connected(std::get<0>(before), wh, bh), before);
        return std::tuple(std::get<0>(next), next);
      },
      products, states);
}

// One layer in one direction: x (time, batch, channels) gives all outputs (time, batch, Hidden) and the last states. All products with inputs
// are one.
template <class Cell, int Hidden, bool Backwards, class T>
struct recurrent_layer : hybrid_block<recurrent_layer<Cell, Hidden, Backwards, T>> {
  using parameters = recurrent_parameters<Cell, Hidden, T>;
  BOOST_HANA_DEFINE_STRUCT(recurrent_layer, (typename parameters::input_weight, i2h_weight),
                           (typename parameters::state_weight, h2h_weight), (typename parameters::bias, i2h_bias),
                           (typename parameters::bias, h2h_bias));
  template <class X, class... S> constexpr auto hybrid_forward(auto F, X const& x, S const&... begin_with) const {
    if constexpr (is_poison<X>) return std::tuple(x, std::tuple(x));
    else {
      auto const w = parameters::get(F, *this, x);
      auto const in_order = [&](auto const& a) {
        if constexpr (Backwards) return F.flip(a, axis<0>);
        else return a;
      };
      auto const products = F.fully_connected(in_order(x), std::get<0>(w), std::get<2>(w), flattened<false>);
      auto const zero = F.slice(F.zeros_like(F.sum(products, axis<0>)), begin<0, 0>, end<open, Hidden>);
      auto const states = [&] {
        if constexpr (sizeof...(S) > 0) return std::tuple(begin_with...);
        else if constexpr (Cell::n_states == 1) return std::tuple(zero);
        else return std::tuple(zero, zero);
      }();
      auto const result = all_turns<Cell>(F, products, std::get<1>(w), std::get<3>(w), states);
      return std::tuple(in_order(std::get<0>(result)), std::get<1>(result));
    }
  }
};

template <class Cell, int Hidden, int Layers, bool Both, class T, class All = std::make_integer_sequence<int, Layers*(Both ? 2 : 1)>>
struct recurrent_layers;
template <class Cell, int Hidden, int Layers, bool Both, class T, int... I>
struct recurrent_layers<Cell, Hidden, Layers, Both, T, std::integer_sequence<int, I...>> {
  using type = block_list<recurrent_layer<Cell, Hidden, Both && I % 2 == 1, T>...>;
};

// Layers from `I` on; `states`: those that they begin with, or none. Gives the output of the last one and the states of all, a tuple for each.
template <int I, class Net, double Dropout, bool Both, class Space, class X, class S>
constexpr auto through_layers(Net const& net, Space F, X const& x, S const& states) {
  auto const run = [&]<int K>(std::integral_constant<int, K>, auto const& input) {
    if constexpr (std::tuple_size_v<S> == 0) return net.template at<K>()(input);
    else return std::apply([&](auto const&... s) { return net.template at<K>()(input, s...); }, std::get<K>(states));
  };
  auto const behind = [&](auto const& y, auto const& own) {
    if constexpr (I + (Both ? 2 : 1) == Net::size()) return std::make_tuple(y, own);
    else {
      auto const dropped = [&] {
        if constexpr (Dropout > 0 && Space::training) return F.multiply(y, F.dropout_mask(y, F.key(), values<Dropout>));
        else return y;
      }();
      auto const rest = through_layers<I + (Both ? 2 : 1), Net, Dropout, Both>(net, F, dropped, states);
      return std::tuple(std::get<0>(rest), std::tuple_cat(own, std::get<1>(rest)));
    }
  };
  auto const first = run(std::integral_constant<int, I>{}, x);
  if constexpr (!Both) return behind(std::get<0>(first), std::make_tuple(std::get<1>(first)));
  else {
    auto const second = run(std::integral_constant<int, I + 1>{}, x);
    return behind(F.concat(std::get<0>(first), std::get<0>(second), axis<2>), std::tuple(std::get<1>(first), std::get<1>(second)));
  }
}

// Whether states given to a layer have its shape, as far as the compiler knows.
template <int All, int Hidden, sequence Layout, class X, class... S> constexpr bool have_shape_of_states() {
  if constexpr (ops::is_untyped<X> || ((ops::is_untyped<S> || is_poison<S>) || ...)) return true;
  else {
    constexpr dims x = X::shape_type::value;
    constexpr extent batch = x.rank < 3 ? -1 : x.d[Layout == sequence::ntc ? 0 : 1];
    // The batch of what a turn gives is that of the states, too.
    [[maybe_unused]] constexpr auto fits = [](dims const& s) {
      extent both = 0;
      return s.rank == 3 && s.d[0] == All && s.d[2] == Hidden && (s.d[1] == 1) == (batch == 1) && broadcast_extent(batch, s.d[1], both) &&
             both == s.d[1];
    };
    return (fits(S::shape_type::value) && ...);
  }
}
// The first of the states that has not.
template <int All, int Hidden, sequence Layout, class X, class S, class... More> constexpr auto first_misfit() {
  if constexpr (sizeof...(More) == 0 || !have_shape_of_states<All, Hidden, Layout, X, S>()) return std::type_identity<S>{};
  else return first_misfit<All, Hidden, Layout, X, More...>();
}
// What a recurrent layer says of an operand of another rank.
template <class X> constexpr bool has_time_and_batch() {
  if constexpr (ops::is_untyped<X>) return true;
  else {
    constexpr bool has = X::shape_type::rank == 3;
    static_assert(has,
                  "sinter: a recurrent layer wants an operand of shape (time, batch, channels), or with sequence::ntc (batch, time, "
                  "channels); F.expand_dims makes a batch of one");
    return has;
  }
}
// A call gives all states, or none.
template <class Cell, class... S>
concept all_states = sizeof...(S) == 0 || sizeof...(S) == Cell::n_states;
template <class Cell, int Hidden, class Net, sequence Layout, double Dropout, bool Both, class X, class... S>
constexpr auto recurrent_forward(Net const& net, auto F, X const& x, S const&... states) {
  if constexpr (is_poison<X>) return x;
  else if constexpr (!is_one_tensor<X>) return wants_tensor<ops::fully_connected, X>(F);
  else if constexpr (!has_time_and_batch<X>()) return x;
  else if constexpr (!have_shape_of_states<Net::size(), Hidden, Layout, X, S...>()) {
    using state = typename decltype(first_misfit<Net::size(), Hidden, Layout, X, S...>())::type;
    if constexpr (requires { refuse<ops::fully_connected, problem::states_shape, state>(F, x); })
      return std::tuple(refuse<ops::fully_connected, problem::states_shape, state>(F, x), states...);
    else {
      static_assert(sizeof(X) == 0, "sinter: " SINTER_SAY_STATES_SHAPE);
      return std::tuple(x, states...);
    }
  } else {
    auto const turned = [&](auto const& a) {
      if constexpr (Layout == sequence::ntc) return F.transpose(a, axes<1, 0, 2>);
      else return a;
    };
    // Of states (layers, batch, Hidden) those of layer K.
    auto const of_layer = [&]<int K>(std::integral_constant<int, K>) {
      return std::tuple(F.squeeze(F.slice(states, begin<K>, end<K + 1>), axis<0>)...);
    };
    auto const given = [&]<int... K>(std::integer_sequence<int, K...>) {
      if constexpr (sizeof...(S) == 0) return std::tuple<>{};
      else return std::make_tuple(of_layer(std::integral_constant<int, K>{})...);
    }(std::make_integer_sequence<int, Net::size()>{});
    auto const result = through_layers<0, Net, Dropout, Both>(net, F, turned(x), given);
    auto const output = turned(std::get<0>(result));
    if constexpr (sizeof...(S) == 0) return output;
    else
      return [&]<int... J>(std::integer_sequence<int, J...>) {
        auto const stacked = [&]<int K>(std::integral_constant<int, K>) {
          return std::apply([&](auto const&... layer) { return F.stack(std::get<K>(layer)..., axis<0>); }, std::get<1>(result));
        };
        return std::tuple(output, stacked(std::integral_constant<int, J>{})...);
      }(std::make_integer_sequence<int, Cell::n_states>{});
  }
}
}  // namespace detail::inline SINTER_ISA

// lstm<Hidden, Layers, Layout, Bidirectional, Dropout, T>, gru<...> and rnn<Hidden, Function, Layers, ...>: x (time, batch, channels) gives
// (time, batch, Hidden), or twice as much in both directions; the states begin with zeros. net(x, h, c), of states (layers, batch, Hidden), in
// both directions twice as many layers, gives a tuple of the output and the last states; gru and rnn have one state, h. Child i is layer i, in
// both directions layer i / 2, backwards where i is odd, with i2h_weight (gates * Hidden, channels), h2h_weight (gates * Hidden, Hidden),
// i2h_bias and h2h_bias (gates * Hidden,). Dropout is that of training, between layers.
template <int Hidden, int Layers = 1, sequence Layout = sequence::tnc, bool Bidirectional = false, double Dropout = 0.0, class T = float>
struct lstm : hybrid_block<lstm<Hidden, Layers, Layout, Bidirectional, Dropout, T>>,
              detail::recurrent_layers<detail::lstm_gates, Hidden, Layers, Bidirectional, T>::type {
  template <class... S>
    requires detail::all_states<detail::lstm_gates, S...>
  constexpr auto hybrid_forward(auto F, auto const& x, S const&... states) const {
    return detail::recurrent_forward<detail::lstm_gates, Hidden, lstm, Layout, Dropout, Bidirectional>(*this, F, x, states...);
  }
};
template <int Hidden, int Layers = 1, sequence Layout = sequence::tnc, bool Bidirectional = false, double Dropout = 0.0, class T = float>
struct gru : hybrid_block<gru<Hidden, Layers, Layout, Bidirectional, Dropout, T>>,
             detail::recurrent_layers<detail::gru_gates, Hidden, Layers, Bidirectional, T>::type {
  template <class... S>
    requires detail::all_states<detail::gru_gates, S...>
  constexpr auto hybrid_forward(auto F, auto const& x, S const&... states) const {
    return detail::recurrent_forward<detail::gru_gates, Hidden, gru, Layout, Dropout, Bidirectional>(*this, F, x, states...);
  }
};
template <int Hidden, class Function = relu, int Layers = 1, sequence Layout = sequence::tnc, bool Bidirectional = false,
          double Dropout = 0.0, class T = float>
struct rnn : hybrid_block<rnn<Hidden, Function, Layers, Layout, Bidirectional, Dropout, T>>,
             detail::recurrent_layers<detail::plain_gates<Function>, Hidden, Layers, Bidirectional, T>::type {
  template <class... S>
    requires detail::all_states<detail::plain_gates<Function>, S...>
  constexpr auto hybrid_forward(auto F, auto const& x, S const&... states) const {
    return detail::recurrent_forward<detail::plain_gates<Function>, Hidden, rnn, Layout, Dropout, Bidirectional>(*this, F, x, states...);
  }
};

}  // namespace sinter::nn
