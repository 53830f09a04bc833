// SPDX-License-Identifier: Apache-2.0
// Recurrent cells: against loops over numbers, and unrolled against the layers of the same weights, bit for bit.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/nn/layers/cells.hpp>
#include <sinter/symbol.hpp>

#include "../builds.hpp"
#include "turns.hpp"

namespace {

using namespace sinter;
using namespace test::turns;

constexpr int n_batch = 3, n_in = 5, n_hidden = 6, n_time = 4;
using step_type = f32<n_batch, n_in>;
using state_type = f32<n_batch, n_hidden>;
using sequence_type = f32<n_time, n_batch, n_in>;

template <class A, class B> void check_all(A const& a, B const& b) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (check_same(unmarked(std::get<I>(a)), unmarked(std::get<I>(b))), ...);
  }(std::make_index_sequence<std::tuple_size_v<A>>{});
}
template <class To, class From> void copy_weights(To& to, From const& from) {
  to.i2h_weight.set(from.i2h_weight.template data<shape<dynamic, dynamic>>());
  to.h2h_weight.set(from.h2h_weight.template data<shape<dynamic, dynamic>>());
  to.i2h_bias.set(from.i2h_bias.template data<shape<dynamic>>());
  to.h2h_bias.set(from.h2h_bias.template data<shape<dynamic>>());
}
template <class Cell> void fill_weights(Cell& cell, unsigned seed) {
  cell.initialize(init::uniform{0.8}, seed);
  f32<dynamic> const bias = filled<f32<dynamic>>(cell.i2h_bias.shape().rank < 0 ? dims{0} : cell.i2h_bias.shape());
  if (bias.size() > 0) cell.i2h_bias.set(bias);
}

template <kind Of, class Cell, class Layer> void check_cell(Cell cell, Layer layer) {
  cell.initialize(init::uniform{0.8}, 5);
  auto const x = filled<step_type>();
  auto const h = filled<state_type>();
  state_type const c(h * -0.5f);
  auto const call = [&](auto const& called, auto const& a, auto const& b, auto const& d) {
    if constexpr (Of == kind::lstm) return called(a, b, d);
    else return called(a, b);
  };
  cell(x);
  fill_weights(cell, 5);
  auto const got = call(cell, x, h, c);
  one_layer const l{Of,
                    1,
                    n_batch,
                    n_in,
                    n_hidden,
                    values_in(cell.i2h_weight),
                    values_in(cell.h2h_weight),
                    values_in(cell.i2h_bias),
                    values_in(cell.h2h_bias)};
  numbers own_h = values_of(h), own_c = values_of(c);
  close(values_of(std::get<0>(got)), l.run(values_of(x), own_h, own_c, false));
  close(values_of(std::get<1>(got)), own_h);
  if constexpr (Of == kind::lstm) close(values_of(std::get<2>(got)), own_c);
  // Without states they are zeros.
  check_all(cell(x), call(cell, x, state_type{}, state_type{}));
  if constexpr (test::compiles_networks) check_all(call(cell.hybridize(), x, h, c), got);
  auto const composed = call(cell, sym::var("x"), sym::var("h"), sym::var("c"));
  sym::arrays_by_name given{{"x", x}, {"h", h}};
  if constexpr (Of == kind::lstm) given.emplace("c", c);
  CHECK(std::get<1>(composed).eval(given)[0].template as<state_type>().to_vector() == std::get<1>(got).to_vector());

  nn::unrolled<Cell> all;
  all.initialize();
  layer.initialize();
  auto const sequence = filled<sequence_type>();
  all(sequence);
  layer(sequence);
  copy_weights(all.cell, cell);
  copy_weights(layer.template at<0>(), cell);
  check_same(all(sequence), layer(sequence));
  auto const one = [](state_type const& s) { return f32<1, n_batch, n_hidden>(expand_dims(s, axis<0>)); };
  auto const from_layer = call(layer, sequence, one(h), one(c));
  auto const unrolled = call(all, sequence, h, c);
  check_same(std::get<0>(unrolled), std::get<0>(from_layer));
  check_same(one(std::get<1>(unrolled)), std::get<1>(from_layer));
  // Step by step.
  auto states = std::tuple(h, c);
  for (int t = 0; t < n_time; ++t) {
    auto const y = call(cell, step_type(sequence.row(t).copy()), std::get<0>(states), std::get<1>(states));
    check_same(std::get<0>(y), state_type(std::get<0>(unrolled).row(t).copy()));
    std::get<0>(states) = std::get<1>(y);
    if constexpr (Of == kind::lstm) std::get<1>(states) = std::get<2>(y);
  }
}

using inner = nn::residual_cell<nn::lstm_cell<n_in>>;
using deep = nn::sequential_rnn_cell<nn::dropout_cell<0.5>, nn::gru_cell<n_in>, inner>;
using careful = nn::zoneout_cell<nn::lstm_cell<n_hidden>, 0.5, 0.5>;

template <class T> bool is_one_of(T a, T b, T c) { return a == b || a == c; }

}  // namespace

TEST_CASE("a recurrent cell is its formula, and unrolled its layer") {
  check_cell<kind::lstm>(nn::lstm_cell<n_hidden>{}, nn::lstm<n_hidden>{});
  check_cell<kind::gru>(nn::gru_cell<n_hidden>{}, nn::gru<n_hidden>{});
  check_cell<kind::rnn>(nn::rnn_cell<n_hidden>{}, nn::rnn<n_hidden, nn::tanh>{});
}

TEST_CASE("cells one after the other, with a sum around one of them") {
  nn::unrolled<deep, nn::sequence::ntc> net;
  net.initialize(init::uniform{1}, 3);
  auto const x = filled<f32<2, n_time, n_in>>();
  auto const h = filled<f32<2, n_in>>();
  f32<2, n_in> const second(h * 0.5f), c(h * -0.5f);
  auto const got = net(x, h, second, c);
  auto const& drop = net.cell.at<0>();
  auto const& gru = net.cell.at<1>();
  auto const& residual = net.cell.at<2>();
  f32<2, n_in> s0(h), s1(second), s2(c);
  for (int t = 0; t < n_time; ++t) {
    f32<2, n_in> const row = x(all, t).copy();
    auto const whole = net.cell(row, s0, s1, s2);
    auto const first = gru(std::get<0>(drop(row)), s0);
    auto const last = residual.base_cell(std::get<0>(first), s1, s2);
    f32<2, n_in> const joined(std::get<0>(last) + std::get<0>(first));
    check_all(whole, std::tuple(joined, std::get<1>(first), std::get<1>(last), std::get<2>(last)));
    check_same(f32<2, n_in>(std::get<0>(got)(all, t).copy()), joined);
    s0 = std::get<1>(whole), s1 = std::get<2>(whole), s2 = std::get<3>(whole);
  }
  check_all(got, std::tuple(std::get<0>(got), s0, s1, s2));
  check_same(net(x), std::get<0>(net(x, f32<2, n_in>{}, f32<2, n_in>{}, f32<2, n_in>{})));
  CHECK(net(sym::var("x")).eval({{"x", x}})[0].template as<std::remove_cvref_t<decltype(net(x))>>().to_vector() == net(x).to_vector());
  // In training elements of x are dropped, others at each time, and the same ones when it is compiled.
  random::seed(4);
  auto const in_training = net(training(x), training(h), training(second), training(c));
  CHECK(std::get<0>(in_training).to_vector() != std::get<0>(got).to_vector());
  if constexpr (test::compiles_networks) {
    random::seed(4);
    check_all(net.hybridize()(training(x), training(h), training(second), training(c)), in_training);
    f32<dim<"batch">, dim<"time">, n_in> const any(x);
    check_same(net.hybridize()(any), net(any));
  }
}

TEST_CASE("cells along a sequence from both ends") {
  using cell = nn::bidirectional_cell<nn::lstm_cell<n_hidden>, nn::lstm_cell<n_hidden>>;
  nn::unrolled<cell> net;
  nn::lstm<n_hidden, 1, nn::sequence::tnc, true> layer;
  net.initialize(init::uniform{1}, 3);
  layer.initialize();
  auto const x = filled<sequence_type>();
  auto const y = net(x);
  layer(x);
  copy_weights(layer.at<0>(), net.cell.l_cell);
  copy_weights(layer.at<1>(), net.cell.r_cell);
  check_same(y, layer(x));
  auto const h = filled<state_type>();
  auto const got = net(x, h, h, h, h);
  f32<2, n_batch, n_hidden> const both_sides(stack(h, h, axis<0>));
  auto const want = layer(x, both_sides, both_sides);
  check_same(std::get<0>(got), std::get<0>(want));
  for (int i = 0; i < 2; ++i) {
    check_same(state_type(std::get<1>(want).row(i).copy()), i == 0 ? std::get<1>(got) : std::get<3>(got));
    check_same(state_type(std::get<2>(want).row(i).copy()), i == 0 ? std::get<2>(got) : std::get<4>(got));
  }
}

TEST_CASE("zoneout keeps elements in training, and in inference none") {
  nn::unrolled<careful> net;
  net.initialize(init::uniform{1}, 3);
  auto const x = filled<sequence_type>();
  auto const h = filled<state_type>();
  state_type const c(h * -0.5f), before(h * 0.25f);
  auto const& lstm = net.cell.base_cell;
  auto const quiet = net(x, h, c, before);
  nn::unrolled<nn::lstm_cell<n_hidden>> plain;
  plain.initialize();
  plain(x);
  copy_weights(plain.cell, lstm);
  auto const of_lstm = plain(x, h, c);
  check_same(std::get<0>(quiet), std::get<0>(of_lstm));
  check_same(std::get<1>(quiet), std::get<1>(of_lstm));
  check_same(std::get<3>(quiet), state_type(std::get<0>(of_lstm).row(-1).copy()));
  // One step: each number is that of the cell, or the one before.
  int kept[3]{};
  std::tuple states(h, c, before);
  for (int turn = 0; turn < 20; ++turn) {
    step_type const row = x.row(turn % n_time).copy();
    auto const next = lstm(row, std::get<0>(states), std::get<1>(states));
    auto const y = net.cell(training(row), training(std::get<0>(states)), training(std::get<1>(states)), training(std::get<2>(states)));
    state_type const out = unmarked(std::get<0>(y)), new_h = unmarked(std::get<1>(y)), new_c = unmarked(std::get<2>(y));
    check_same(unmarked(std::get<3>(y)), out);
    for (int i = 0; i < out.size(); ++i) {
      CHECK(is_one_of(out[i], std::get<0>(next)[i], std::get<2>(states)[i]));
      CHECK(is_one_of(new_h[i], std::get<1>(next)[i], std::get<0>(states)[i]));
      CHECK(is_one_of(new_c[i], std::get<2>(next)[i], std::get<1>(states)[i]));
      kept[0] += out[i] == std::get<2>(states)[i];
      kept[1] += new_h[i] == std::get<0>(states)[i];
      kept[2] += new_c[i] == std::get<1>(states)[i];
    }
    states = std::tuple(new_h, new_c, out);
  }
  for (int k : kept) CHECK((k > 120 && k < 240));  // half of 360
  // Unrolled: others at each time, and the same ones when it is compiled.
  random::seed(9);
  auto const all_times = net(training(x), training(h), training(c), training(before));
  if constexpr (test::compiles_networks) {
    random::seed(9);
    check_all(net.hybridize()(training(x), training(h), training(c), training(before)), all_times);
  }
  f32<n_time, n_batch, n_hidden> const outputs = unmarked(std::get<0>(all_times));
  int stayed[n_time]{};
  for (int i = 0; i < n_batch * n_hidden; ++i) {
    CHECK(is_one_of(outputs.row(0)[i], std::get<0>(lstm(step_type(x.row(0).copy()), h, c))[i], before[i]));
    for (int t = 1; t < n_time; ++t) stayed[t] += outputs.row(t)[i] == outputs.row(t - 1)[i];
  }
  for (int t = 1; t < n_time; ++t) CHECK((stayed[t] > 1 && stayed[t] < 17));
}
