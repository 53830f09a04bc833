// SPDX-License-Identifier: Apache-2.0
// Recurrent layers, compared with loops over numbers, and MXNet's readers of digits row by row: an LSTM and a transformer.
#include <sinter/nn/layers/recurrent.hpp>
#include <sinter/nn/share.hpp>

#include "digits.hpp"
#include "turns.hpp"

namespace {

using namespace sinter;
using namespace test::turns;

struct row_reader : nn::hybrid_block<row_reader> {
  using layer = nn::lstm<32, 1, nn::sequence::ntc>;
  BOOST_HANA_DEFINE_STRUCT(row_reader, (layer, rows), (nn::dense<10>, head));
  constexpr auto hybrid_forward(auto F, auto x) const { return head(F.squeeze(F.slice(rows(x), begin<0, -1>), axis<1>)); }
};

template <int Units> using linear = nn::dense<Units, nn::no_activation, float, true, false>;
struct attention : nn::hybrid_block<attention> {
  BOOST_HANA_DEFINE_STRUCT(attention, (nn::layer_norm<>, norm0), (linear<96>, project), (linear<32>, join), (nn::layer_norm<>, norm1),
                           (linear<128>, wide), (linear<32>, narrow));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const heads = [&](auto const& a) { return F.transpose(F.reshape(a, into<-1, 8, 4, 8>), axes<0, 2, 1, 3>); };
    auto const [q, k, v] = F.split(project(norm0(x)), parts<3>, axis<2>);
    auto const weights = F.softmax(F.matmul(heads(q), heads(k), transpose_b) * 0.3535533905932738f);
    auto const y = x + join(F.reshape(F.transpose(F.matmul(weights, heads(v)), axes<0, 2, 1, 3>), into<-1, 8, 32>));
    return y + narrow(F.gelu(wide(norm1(y))));
  }
};
struct transformer : nn::hybrid_block<transformer> {
  using place = nn::basic_parameter<float, shape<1, 8, 32>>;
  BOOST_HANA_DEFINE_STRUCT(transformer, (linear<32>, embed), (place, position), (attention, first), (attention, second),
                           (nn::layer_norm<>, norm), (nn::dense<10>, head));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const y = second(first(embed(x) + F.get(position, shape<1, 8, 32>{})));
    return head(F.mean(norm(y), axis<1>));
  }
};

template <kind Of, int Layers, bool Both, class Net> void check(Net net) {
  constexpr int time = 4, batch = 3, n = 5, hidden = 6, sides = Both ? 2 : 1, all = Layers * sides;
  net.initialize(init::uniform{0.8}, 5);
  auto const x = filled<f32<time, batch, n>>();
  auto const begin_h = filled<f32<all, batch, hidden>>(), begin_c = f32<all, batch, hidden>(begin_h * -0.5f);
  auto const call = [&](auto const& called, auto const& a, auto const& h, auto const& c) {
    if constexpr (Of == kind::lstm) return called(a, h, c);
    else return called(a, h);
  };
  auto const with_states = call(net, x, begin_h, begin_c);
  numbers h = values_of(begin_h), c = values_of(begin_c), y = values_of(x);
  numbers zero_y = y;
  // The parameters of the layers are there, now that the network was called.
  auto const run_all = [&](numbers input, bool zeros) {
    auto const part = static_cast<std::size_t>(batch * hidden);
    auto const layer = [&]<int K>(std::integral_constant<int, K>, numbers const& from, int width) {
      auto const& p = net.template at<K>();
      one_layer const l{
          Of, time, batch, width, hidden, values_in(p.i2h_weight), values_in(p.h2h_weight), values_in(p.i2h_bias), values_in(p.h2h_bias)};
      auto const own = [&](numbers const& of) {
        auto const begin = of.begin() + static_cast<std::ptrdiff_t>(part) * K;
        return zeros ? numbers(part) : numbers(begin, begin + static_cast<std::ptrdiff_t>(part));
      };
      numbers own_h = own(h), own_c = own(c);
      numbers r = l.run(from, own_h, own_c, Both && K % 2 == 1);
      if (!zeros)
        for (std::size_t i = 0; i < part; ++i) h[part * K + i] = own_h[i], c[part * K + i] = own_c[i];
      return r;
    };
    int width = n;
    [&]<int... L>(std::integer_sequence<int, L...>) {
      auto const step = [&]<int K>(std::integral_constant<int, K> k) {
        numbers const first = layer(k, input, width);
        if constexpr (!Both) input = first;
        else {
          numbers const second = layer(std::integral_constant<int, K + 1>{}, input, width);
          input.clear();
          for (std::size_t i = 0; i < first.size(); i += hidden) {
            input.insert(input.end(), first.begin() + static_cast<std::ptrdiff_t>(i),
                         first.begin() + static_cast<std::ptrdiff_t>(i) + hidden);
            input.insert(input.end(), second.begin() + static_cast<std::ptrdiff_t>(i),
                         second.begin() + static_cast<std::ptrdiff_t>(i) + hidden);
          }
        }
        width = hidden * sides;
      };
      (step(std::integral_constant<int, L * sides>{}), ...);
    }(std::make_integer_sequence<int, Layers>{});
    return input;
  };
  close(values_of(std::get<0>(with_states)), run_all(y, false));
  close(values_of(std::get<1>(with_states)), h);
  if constexpr (Of == kind::lstm) close(values_of(std::get<2>(with_states)), c);
  close(values_of(net(x)), run_all(zero_y, true));
  if constexpr (test::compiles_networks) {
    auto const fast = net.hybridize();
    check_same(fast(x), net(x));
    auto const again = call(fast, x, begin_h, begin_c);
    check_same(std::get<0>(again), std::get<0>(with_states));
    check_same(std::get<1>(again), std::get<1>(with_states));
  }
  CHECK(net(sym::var("x")).eval({{"x", x}})[0].template as<std::remove_cvref_t<decltype(net(x))>>().to_vector() == net(x).to_vector());
}

}  // namespace

TEST_CASE("an LSTM and a transformer of MXNet read the digits as MXNet did") {
  using rows = f32<test::some, 8, 8>;
  test::reads_the_digits<row_reader, rows>("digits-lstm");
  test::reads_the_digits<transformer, rows>("digits-transformer", {.by_order = true});
}

TEST_CASE("recurrent layers are their formulas") {
  check<kind::rnn, 1, false>(nn::rnn<6, nn::tanh>{});
  check<kind::lstm, 2, true>(nn::lstm<6, 2, nn::sequence::tnc, true>{});
  check<kind::gru, 2, false>(nn::gru<6, 2>{});
  check<kind::rnn, 1, true>(nn::rnn<6, nn::tanh, 1, nn::sequence::tnc, true>{});
}

TEST_CASE("a recurrent layer of sequences in another order, of any number of rows") {
  nn::lstm<3> one;
  nn::lstm<3, 1, nn::sequence::ntc> other;
  one.initialize(init::uniform{1}, 2);
  auto const x = filled<f32<4, 2, 5>>();
  auto const y = one(x);
  other.initialize();
  other(f32<2, 4, 5>(transpose(x, axes<1, 0, 2>).copy()));
  other.share_parameters(one);
  check_same(f32<4, 2, 3>(transpose(other(f32<2, 4, 5>(transpose(x, axes<1, 0, 2>).copy())), axes<1, 0, 2>).copy()), y);
  f32<dim<"time">, dim<"batch">, 5> const any(x);
  CHECK(one.hybridize()(any).to_vector() == y.to_vector());
  CHECK(one.hybridize()(f32<dim<"time">, dim<"batch">, 5>({0, 2, 5})).shape() == dims{0, 2, 3});
}

template <class Net> void check_any_length(Net const& net) {
  auto const fast = net.hybridize();
  for (extent const time : {0, 1, 4, 9}) {
    f32<dim<"time">, dim<"batch">, 5> x({time, 2, 5});
    for (extent i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7 % 11 - 5) / 4;
    INFO(time);
    CHECK(fast(x).shape() == dims{time, 2, 6});
    check_same(fast(x), net(x));
    if (time == 4) check_same(f32<4, 2, 6>(fast(x)), net(f32<4, 2, 5>(x)));
  }
}

TEST_CASE("a recurrent layer in both directions, of any length") {
  nn::lstm<3, 2, nn::sequence::tnc, true> one;
  nn::gru<3, 1, nn::sequence::tnc, true> other;
  one.initialize(init::uniform{1}, 2);
  other.initialize(init::uniform{1}, 2);
  nn::rnn<3, nn::tanh, 1, nn::sequence::tnc, true> plain;
  plain.initialize(init::uniform{1}, 2);
  check_any_length(one);
  check_any_length(other);
  check_any_length(plain);
  // The same sequences with the batch first.
  nn::lstm<3, 2, nn::sequence::ntc, true> batch_first;
  auto const x = filled<f32<4, 2, 5>>();
  f32<2, 4, 5> const turned(transpose(x, axes<1, 0, 2>).copy());
  batch_first.initialize();
  batch_first(turned);
  batch_first.share_parameters(one);
  check_same(f32<4, 2, 6>(transpose(batch_first(turned), axes<1, 0, 2>).copy()), one(x));
  f32<dim<"batch">, dim<"time">, 5> const any(turned);
  CHECK(batch_first.hybridize()(any).to_vector() == batch_first(turned).to_vector());
}

TEST_CASE("dropout between recurrent layers") {
  nn::lstm<3, 2, nn::sequence::tnc, false, 0.5> net;
  net.initialize(init::uniform{1}, 2);
  auto const x = filled<f32<4, 2, 5>>();
  random::seed(3);
  auto const first = unmarked(net(training(x)));
  random::seed(3);
  check_same(unmarked(net.hybridize()(training(x))), first);
  CHECK(net(x).to_vector() != first.to_vector());
}
