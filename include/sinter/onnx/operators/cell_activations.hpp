// SPDX-License-Identifier: Apache-2.0
// The activations of ONNX's recurrent layers.
#pragma once
#include "elementwise.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

enum class cell : int { rnn = 1, gru = 3, lstm = 4 };  // how many gates it has

// A function of a cell, with the numbers that it takes.
struct activation {
  enum class function : std::uint8_t {
    affine,
    elu,
    hard_sigmoid,
    leaky_relu,
    relu,
    scaled_tanh,
    sigmoid,
    softplus,
    softsign,
    tanh,
    thresholded_relu
  } of;
  double alpha, beta;

  symbol operator()(symbol const& x) const {
    constexpr sym::composing F{};
    switch (of) {
      case function::affine: return line(x);
      case function::elu: return F.where(F.greater(x, 0), x, F.multiply(alpha, F.expm1(F.minimum(x, 0))));
      case function::hard_sigmoid: return F.clip(line(x), 0, 1);
      case function::leaky_relu: return F.where(F.lesser(x, 0), F.multiply(alpha, x), x);
      case function::relu: return F.relu(x);
      case function::scaled_tanh: return F.multiply(alpha, F.tanh(F.multiply(beta, x)));
      case function::sigmoid: return F.sigmoid(x);
      case function::softplus: return F.softrelu(x);
      case function::softsign: return F.softsign(x);
      case function::tanh: return F.tanh(x);
      case function::thresholded_relu: return F.where(F.lesser_equal(x, alpha), F.zeros_like(x), x);
    }
    throw error("sinter: there is no such activation");
  }

 private:
  symbol line(symbol const& x) const {
    constexpr sym::composing F{};
    return F.add(F.multiply(alpha, x), beta);
  }
};
// Names in lower case, and the numbers that a function has if the node gives none.
struct activation_row {
  std::string_view name;
  activation::function of;
  bool takes_alpha = false, takes_beta = false;
  std::optional<double> alpha{}, beta{};
};
inline constexpr activation_row activation_rows[] = {{"affine", activation::function::affine, true, true, {}, 0.},
                                                     {"elu", activation::function::elu, true, false, 1.},
                                                     {"hardsigmoid", activation::function::hard_sigmoid, true, true, 0.2, 0.5},
                                                     {"leakyrelu", activation::function::leaky_relu, true, false, 0.01},
                                                     {"relu", activation::function::relu},
                                                     {"scaledtanh", activation::function::scaled_tanh, true, true},
                                                     {"sigmoid", activation::function::sigmoid},
                                                     {"softplus", activation::function::softplus},
                                                     {"softsign", activation::function::softsign},
                                                     {"tanh", activation::function::tanh},
                                                     {"thresholdedrelu", activation::function::thresholded_relu, true, false, 1.}};
// activation_alpha or activation_beta.
struct activation_numbers {
  char const* attribute;
  std::vector<double> values;
  std::vector<std::size_t> readers{};  // the functions that take one
  // That of function i.
  double next(site& k, std::size_t i, std::string const& name, std::optional<double> otherwise) {
    readers.push_back(i);
    if (readers.size() <= values.size()) return values[readers.size() - 1];
    if (!otherwise) k.fail("activation " + io::in_quotes(name) + " has no default, and no number in " + attribute);
    return *otherwise;
  }
  // Some writers give each of the functions a number, also those that take none. That is refused where other numbers would be meant.
  void check(site& k, std::size_t functions) const {
    bool same = values.size() <= readers.size() || values.size() == functions;
    for (std::size_t i = 0; same && i < readers.size() && values.size() > readers.size(); ++i) same = values[i] == values[readers[i]];
    if (!same)
      k.fail(std::string(attribute) + " must have a number for each activation that takes one, " + std::to_string(readers.size()) +
             " here, and has " + std::to_string(values.size()));
  }
};
// The activations of all directions, one after the other. Those that take an alpha or a beta have those of the lists in this order; where a
// list is over, the defaults.
inline std::vector<activation> activations_of(site& k, cell kind, std::size_t directions) {
  std::vector<std::string> const by_default = kind == cell::rnn   ? std::vector<std::string>{"Tanh"}
                                              : kind == cell::gru ? std::vector<std::string>{"Sigmoid", "Tanh"}
                                                                  : std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"};
  std::vector<std::string> all;
  for (std::size_t d = 0; d < directions; ++d) all.insert(all.end(), by_default.begin(), by_default.end());
  if (attribute const* const said = k.find("activations", attribute_type::strings); said && !said->strings.empty()) {
    if (said->strings.size() < all.size())
      k.fail("it must have " + io::counted(all.size(), "activation") + ", and has " + std::to_string(said->strings.size()));
    all = said->strings;  // that of RNN has two by default, also for one direction
  }
  activation_numbers alphas{"activation_alpha", k.real_list("activation_alpha")}, betas{"activation_beta", k.real_list("activation_beta")};
  std::vector<activation> r;
  for (std::string const& name : all) {
    std::string lower = name;
    for (char& c : lower) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    auto const* const row =
        std::find_if(std::begin(activation_rows), std::end(activation_rows), [&](auto const& of) { return of.name == lower; });
    if (row == std::end(activation_rows)) k.fail("there is no activation " + io::in_quotes(name) + " of recurrent layers");
    double const alpha = row->takes_alpha ? alphas.next(k, r.size(), name, row->alpha) : 0;
    r.push_back({row->of, alpha, row->takes_beta ? betas.next(k, r.size(), name, row->beta) : 0});
  }
  alphas.check(k, r.size());
  betas.check(k, r.size());
  return r;
}

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
