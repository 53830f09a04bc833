// SPDX-License-Identifier: Apache-2.0
// Losses against their formulas in double, of one and several numbers for an example, with weights; eagerly, compiled and as symbols.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/nn/layers/loss.hpp>
#include <sinter/symbol.hpp>

#include <cmath>
#include <numeric>

#include "../builds.hpp"
#include "network.hpp"

namespace {

using namespace sinter;

template <class X> std::vector<double> real(X const& x) {
  auto const v = x.to_vector();
  return std::vector<double>(v.begin(), v.end());
}
// Evaluates a loss as a symbol.
template <class Loss, class... X> sym::array evaluated(Loss const& loss, X const&... x) {
  sym::arrays_by_name values;
  auto const variable = [&](auto const& k) {
    std::string const name = "x" + std::to_string(values.size());
    values.emplace(name, k);
    return sym::var(name);
  };
  std::tuple const variables{variable(x)...};
  return std::apply(loss, variables).eval(values)[0];
}
// The same in all modes, and close to what is wanted.
template <class Loss, class... X> void check(Loss const& loss, std::vector<double> const& want, X const&... x) {
  auto const y = loss(x...);
  auto const got = real(y);
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(want[i]).margin(2e-6));
  if constexpr (test::compiles_networks) check_same(loss.hybridize()(x...), y);
  CHECK(real(evaluated(loss, x...).template as<std::remove_cvref_t<decltype(y)>>()) == got);
}
// As a symbol alone, which costs a compiler less.
template <class Loss, class... X> void check_symbol(Loss const& loss, std::vector<double> const& want, X const&... x) {
  sym::array const y = evaluated(loss, x...);
  REQUIRE(y.shape().size() == static_cast<extent>(want.size()));
  for (std::size_t i = 0; i < want.size(); ++i)
    CHECK(static_cast<double>(reinterpret_cast<float const*>(y.data())[i]) == Approx(want[i]).margin(2e-6));
}
// The mean of f(prediction, label) over what belongs to an example, for each of them.
template <class P, class L> std::vector<double> by_example(P const& p, L const& l, auto const& f) {
  std::vector<double> const a = real(p), b = real(l);
  auto const examples = static_cast<std::size_t>(p.shape().d[0]), each = a.size() / examples;
  std::vector<double> r(examples);
  for (std::size_t i = 0; i < a.size(); ++i) r[i / each] += f(a[i], b[i]) / static_cast<double>(each);
  return r;
}
std::vector<double> times(std::vector<double> v, std::vector<double> const& by) {
  for (std::size_t i = 0; i < v.size(); ++i) v[i] *= by[i % by.size()];
  return v;
}
double log_of_sum(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double distance(double a, double b) { return (a - b) * (a - b); }

}  // namespace

TEST_CASE("losses of a number and its label") {
  auto const pred = filled<f32<4, 3>>();
  auto const label = f32<4, 3>(sinter::roll(pred, shift<5>));
  check(nn::l2_loss<>{}, by_example(pred, label, [](double p, double y) { return distance(p, y) / 2; }), pred, label);
  check(nn::l1_loss<>{}, by_example(pred, label, [](double p, double y) { return std::abs(p - y); }), pred, label);
  auto const huber = [](double rho) {
    return [=](double p, double y) { return std::abs(p - y) > rho ? std::abs(p - y) - rho / 2 : distance(p, y) / (2 * rho); };
  };
  check(nn::huber_loss<>{}, by_example(pred, label, huber(1)), pred, label);
  check(nn::huber_loss<0.5, 3>{}, times(by_example(pred, label, huber(0.5)), {3}), pred, label);
  // One number each, with another shape, and weights.
  auto const one = filled<f32<5>>();
  auto const column = f32<5, 1>(sinter::reshape(sinter::square(one), into<5, 1>));
  f32<5> const weights{0, 1, 2, 0.5f, 1};
  auto const l2 = by_example(one, column, [](double p, double y) { return distance(p, y); });
  check(nn::l2_loss<2>{}, times(l2, real(weights)), one, column, weights);
  // Examples along the second axis.
  check_symbol(nn::l1_loss<2, 1>{}, times(by_example(pred, label, [](double p, double y) { return std::abs(p - y); }), {2}),
               f32<3, 4>(sinter::transpose(pred).copy()), f32<3, 4>(sinter::transpose(label).copy()));
}

TEST_CASE("losses of signs") {
  auto const pred = f32<4, 3>(filled<f32<4, 3>>() * 20);
  auto const signs = f32<4, 3>(sinter::where(sinter::sin(filled<f32<4, 3>>() * 9) > 0, f32<4, 3>(filled<f32<4, 3>>() * 0 + 1), -1));
  auto const bits = f32<4, 3>((signs + 1) * 0.5f);
  check(nn::hinge_loss<>{}, by_example(pred, signs, [](double p, double y) { return std::max(0.0, 1 - p * y); }), pred, signs);
  check(nn::squared_hinge_loss<2>{}, by_example(pred, signs, [](double p, double y) { return std::pow(std::max(0.0, 2 - p * y), 2); }),
        pred, signs);
  auto const logistic = by_example(pred, signs, [](double p, double y) { return log_of_sum(-p * y); });
  check(nn::logistic_loss<>{}, logistic, pred, signs);
  check(nn::logistic_loss<nn::label_format::binary>{}, logistic, pred, bits);
  check(nn::sigmoid_binary_cross_entropy_loss<>{}, logistic, pred, bits);
  auto const p = f32<4, 3>(sinter::sigmoid(filled<f32<4, 3>>()));
  check(nn::sigmoid_binary_cross_entropy_loss<true>{},
        by_example(p, bits, [](double q, double y) { return -(y * std::log(q + 1e-12) + (1 - y) * std::log(1 - q + 1e-12)); }), p, bits);
  double const most = -std::log(1e-12);
  check_symbol(nn::sigmoid_binary_cross_entropy_loss<true>{}, {0, 0, most, most}, f32<4>{0, 1, 0, 1}, f32<4>{0, 1, 1, 0});
}

TEST_CASE("losses of classes") {
  auto const pred = f32<3, 4, 2>(filled<f32<3, 4, 2>>() * 3);
  auto const log_p = f32<3, 4, 2>(sinter::log_softmax(pred, axis<1>));
  nd::tensor<std::int64_t, shape<3, 2>> const label{{3, 0}, {1, 2}, {2, 2}};
  std::vector<double> want(3);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k) {
      double total = 0;
      for (int c = 0; c < 4; ++c) total += std::exp(static_cast<double>(pred(i, c, k)));
      want[static_cast<std::size_t>(i)] -= (static_cast<double>(pred(i, static_cast<int>(label(i, k)), k)) - std::log(total)) / 2;
    }
  check(nn::softmax_cross_entropy_loss<1>{}, want, pred, label);
  check(nn::softmax_cross_entropy_loss<1, true, true>{}, want, log_p, label);
  auto const dense = f32<3, 4, 2>(sinter::transpose(sinter::one_hot(label, depth<4>), axes<0, 2, 1>).copy());
  check(nn::softmax_cross_entropy_loss<1, false>{}, want, pred, dense);
  // By default along the last axis.
  auto const rows = f32<3, 4>(filled<f32<3, 4>>());
  nd::tensor<int, shape<3>> const classes{1, 0, 3};
  std::vector<double> by_row;
  for (int i = 0; i < 3; ++i) by_row.push_back(-static_cast<double>(sinter::log_softmax(rows)(i, classes[i])));
  check(nn::softmax_cross_entropy_loss<>{}, by_row, rows, classes);
  auto const q = f32<3, 4>(sinter::softmax(rows * 2));
  auto const kl = [](double p, double y) { return y * (std::log(y + 1e-12) - p); };
  auto const log_rows = f32<3, 4>(sinter::log_softmax(rows));
  check(nn::kl_div_loss<>{}, by_example(log_rows, q, kl), log_rows, q);
  check(nn::kl_div_loss<false>{}, by_example(log_rows, q, kl), rows, q);
  check_symbol(nn::kl_div_loss<>{}, {1}, f32<1, 2>{{-1, -2}}, f32<1, 2>{{0, 1}});
}

TEST_CASE("losses of counts") {
  auto const pred = filled<f32<6>>();
  f32<6> const label{0, 1, 2, 3, 7, 1};
  std::vector<double> const p = real(pred), y = real(label);
  double logits = 0, more = 0, rates = 0;
  auto const positive = f32<6>(sinter::abs(pred) + 0.5f);
  for (std::size_t i = 0; i < 6; ++i) {
    logits += (std::exp(p[i]) - y[i] * p[i]) / 6;
    if (y[i] > 1) more += (y[i] * std::log(y[i]) - y[i] + 0.5 * std::log(2 * 3.14159265358979 * y[i])) / 6;
    double const rate = std::abs(p[i]) + 0.5;
    rates += (rate - y[i] * std::log(rate + 1e-8)) / 6;
  }
  check(nn::poisson_nll_loss<>{}, {logits}, pred, label);
  check(nn::poisson_nll_loss<true, true>{}, {logits + more}, pred, label);
  check(nn::poisson_nll_loss<false>{}, {rates}, positive, label);
  check_symbol(nn::poisson_nll_loss<false, false, 3>{}, {-1.5 * std::log(1e-8)}, f32<2>{0, 0}, f32<2>{0, 2}, f32<2>{1, 0.5f});
}

TEST_CASE("losses of features") {
  auto const a = filled<f32<4, 5>>();
  auto const b = f32<4, 5>(sinter::flip(a, axis<1>).copy()), c = f32<4, 5>(sinter::roll(a, shift<3>));
  auto const row = [](f32<4, 5> const& x, int i) {
    auto const v = real(x);
    return std::vector<double>(v.begin() + i * 5, v.begin() + i * 5 + 5);
  };
  auto const apart = [](std::vector<double> const& x, std::vector<double> const& y) {
    double r = 0;
    for (std::size_t i = 0; i < x.size(); ++i) r += distance(x[i], y[i]);
    return r;
  };
  auto const dot = [](std::vector<double> const& x, std::vector<double> const& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  std::vector<double> triplet, cosine, sdml, sure;
  f32<4> const label{1, -1, 1, -1};
  for (int i = 0; i < 4; ++i) {
    auto const x = row(a, i), y = row(b, i), z = row(c, i);
    triplet.push_back(std::max(0.0, 4 + apart(y, x) - apart(z, x)));
    double const angle = dot(x, y) / std::sqrt(dot(x, x) * dot(y, y));
    cosine.push_back(label[i] > 0 ? 1 - angle : std::max(0.0, angle - 0.1));
    double total = 0, loss = 0;
    for (int j = 0; j < 4; ++j) total += std::exp(-apart(x, row(b, j)));
    for (int j = 0; j < 4; ++j) {
      double const p = i == j ? 0.7 : 0.1;
      loss += p * (std::log(p + 1e-12) + apart(x, row(b, j)) + std::log(total));
    }
    sdml.push_back(loss);
    sure.push_back(apart(x, row(b, i)) + std::log(total));
  }
  check(nn::triplet_loss<4>{}, triplet, a, b, c);
  check(nn::cosine_embedding_loss<0.1>{}, cosine, a, b, label);
  check(nn::sdml_loss<>{}, sdml, a, b);
  check_symbol(nn::sdml_loss<0.0>{}, sure, a, b);
  // With weights, examples along the second axis, and of zeros, which have no angle.
  f32<4> const weights{0.5f, 2, 1, 4};
  std::vector<double> const by = times(real(weights), {3});
  auto const columns = [](f32<4, 5> const& x) { return f32<5, 4>(sinter::transpose(x).copy()); };
  check_symbol(nn::triplet_loss<4, 3>{}, times(triplet, by), a, b, c, weights);
  check_symbol(nn::triplet_loss<4, 1, 1>{}, triplet, columns(a), columns(b), columns(c));
  check_symbol(nn::cosine_embedding_loss<0.1, 3>{}, times(cosine, by), a, b, label, weights);
  check_symbol(nn::sdml_loss<0.3, 3>{}, times(sdml, by), a, b, weights);
  check_symbol(nn::cosine_embedding_loss<>{}, {1, 0}, f32<2, 3>(), f32<2, 3>(), f32<2>{1, -1});
}

TEST_CASE("losses of alignments") {
  // (time, batch, classes): the probability of one label is the sum over where it begins and ends.
  auto const pred = f32<4, 3, 2>(filled<f32<4, 3, 2>>() * 3);
  nd::tensor<std::int64_t, shape<3, 2>> const label{{0, -1}, {-1, -1}, {0, 0}};
  auto const log_p = [&](int t, int i, int c) { return static_cast<double>(sinter::log_softmax(pred, axis<2>)(t, i, c)); };
  // Over all sequences of 0 and the blank 1 that have so many runs of 0.
  auto const loss = [&](int i, int runs, int times) {
    double p = 0;
    for (int n = 0; n < 1 << times; ++n) {
      double log_of_all = 0;
      int found = 0;
      for (int t = 0; t < times; ++t) {
        bool const blank = (n >> t) & 1;
        log_of_all += log_p(t, i, blank);
        found += !blank && (t == 0 || ((n >> (t - 1)) & 1));
      }
      if (found == runs) p += std::exp(log_of_all);
    }
    return -std::log(p);
  };
  std::vector<double> const want{loss(0, 1, 4), loss(1, 0, 4), loss(2, 2, 4)};
  check(nn::ctc_loss<nn::sequence::tnc>{}, want, pred, label);
  auto const by_example = f32<3, 4, 2>(sinter::swap_axes(pred, axes<0, 1>).copy());
  check(nn::ctc_loss<>{}, want, by_example, label);
  nd::tensor<std::int64_t, shape<2, 3>> const turned{{0, -1, 0}, {-1, -1, 0}};
  check(nn::ctc_loss<nn::sequence::ntc, nn::label_layout::tn, 2>{}, times(want, {2}), by_example, turned);
  // Numbers of times and of labels, and weights.
  nd::tensor<int, shape<3>> const lengths{3, 4, 4}, counts{1, 1, 2};
  nd::tensor<std::int64_t, shape<3, 2>> const zeros_only{{0, 0}, {0, 0}, {0, 0}};
  std::vector<double> const some{loss(0, 1, 3), loss(1, 1, 4), loss(2, 2, 4)};
  check(nn::ctc_loss<>{}, some, by_example, zeros_only, lengths, counts);
  f32<3> const weights{0.5f, 2, 1};
  check(nn::ctc_loss<>{}, times(some, real(weights)), by_example, zeros_only, lengths, counts, weights);
}
