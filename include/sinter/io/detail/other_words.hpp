// SPDX-License-Identifier: Apache-2.0
// Translates PyTorch's and MXNet's names for the parameters of norms and recurrent layers into those of this library.
#pragma once
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../wanted.hpp"
#include "names.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

// A template, as `matching` is, so that a program which loads nothing does not compile it.
//   bn.weight: bn.gamma    bn.bias: bn.beta    lstm.weight_ih_l1: lstm.1.i2h_weight    cell.bias_hh: cell.h2h_bias    lstm.l1_i2h_weight: lstm.1.i2h_weight
template <class = void> class other_words {
 public:
  other_words(std::vector<array> const& arrays, std::vector<wanted> const& want) {
    std::set<std::string> with_bias;
    for (array const& a : arrays) {
      auto const [parent, last] = halves(a.name);
      if (last == "running_mean" || (last == "weight" && a.shape.size() == 1)) norms_.insert(parent);
      if (last == "running_mean" || last == "bias") with_bias.insert(parent);
      if (recurrent(last).is_backward) both_ways_.insert(parent);
      if (recurrent(last).layer > 0) several_layers_.insert(parent);
    }
    // A weight alone may be that of a PReLU.
    if (std::any_of(want.begin(), want.end(), [](wanted const& w) { return halves(w.name).second == "alpha"; }))
      std::set_difference(norms_.begin(), norms_.end(), with_bias.begin(), with_bias.end(), std::inserter(slopes_, slopes_.end()));
  }
  std::string of(array const& a) const {
    auto const [parent, last] = halves(a.name);
    if (slopes_.contains(parent) && last == "weight") return parent + "alpha";
    if (norms_.contains(parent) && (last == "weight" || last == "bias")) return parent + (last == "weight" ? "gamma" : "beta");
    auto const r = recurrent(last);
    if (r.name.empty()) return parent + last;
    if (r.layer < 0) return parent + r.name;
    return parent + std::to_string(both_ways_.contains(parent) ? 2 * r.layer + (r.is_backward ? 1 : 0) : r.layer) + "." + r.name;
  }
  // Why it is the name: the numbers of cells do not tell two layers from two directions.
  std::string reason(array const& a) const {
    auto const [parent, last] = halves(a.name);
    std::string r = std::string(last.find("2h_") == std::string::npos ? "is PyTorch's" : "is MXNet's") + " name for it";
    if (recurrent(last).layer < 0) return r;
    return r + (both_ways_.contains(parent)        ? " in a layer of both directions"
                : several_layers_.contains(parent) ? " in layers of one direction"
                                                   : "");
  }

 private:
  static std::pair<std::string, std::string> halves(std::string const& name) {
    std::string const bare(bare_name(name));
    auto const last = bare.find_last_of("./") + 1;
    return {bare.substr(0, last), bare.substr(last)};
  }
  struct parameter {
    std::string name;  // nothing where it is none of a recurrent layer
    int layer = -1;  // of a cell
    bool is_backward = false;
  };
  static int number(std::string_view s) {
    bool const is = !s.empty() && s.size() < 5 && s.find_first_not_of("0123456789") == s.npos;
    return is ? std::stoi(std::string(s)) : -1;
  }
  // PyTorch's weight_ih_l0_reverse and weight_ih, MXNet's r0_i2h_weight.
  static parameter recurrent(std::string_view s) {
    for (std::string const what : {"weight", "bias"})
      for (std::string const from : {"i", "h"}) {
        std::string ours = from, torchs = what;
        ours.append("2h_").append(what);
        torchs.append("_").append(from).append("h");
        if (s == torchs) return {ours};
        if (s.starts_with(torchs + "_l")) {
          auto layer = s.substr(torchs.size() + 2);
          bool const is_backward = layer.ends_with("_reverse");
          if (is_backward) layer.remove_suffix(8);
          if (int const n = number(layer); n >= 0) return {ours, n, is_backward};
        }
        if ((s.starts_with("l") || s.starts_with("r")) && s.ends_with("_" + ours))
          if (int const n = number(s.substr(1, s.size() - ours.size() - 2)); n >= 0) return {ours, n, s[0] == 'r'};
      }
    return {};
  }

  // By what stands before their last part.
  std::set<std::string> norms_, slopes_, both_ways_, several_layers_;
};

}  // namespace sinter::io::inline SINTER_ISA::detail
