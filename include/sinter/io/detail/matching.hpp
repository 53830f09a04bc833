// SPDX-License-Identifier: Apache-2.0
// The arrays and the parameters that are to be matched, what has been found so far, and sentences about them.
#pragma once
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../wanted.hpp"
#include "names.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

// A template, as those that derive from it and `match` are, so that a program which loads nothing does not compile it.
template <class = void> class matching {
 public:
  matching(std::vector<array> const& have, std::vector<wanted> const& want, std::string const& file, load_options const& options,
           array_order order)
      : have_(have), want_(want), file_(file), options_(options), order_(order), found_(want.size(), -1) {
    index_names();
    for (auto const& [from, to] : options.names.map()) given_.insert(dotted(to));
  }

 protected:
  using indices = std::vector<int>;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  array const& have(int i) const { return have_[at(i)]; }
  wanted const& want(int i) const { return want_[at(i)]; }
  bool is_given(std::size_t i) const { return given_.contains(dotted(want_[i].name)); }
  int& found(int i) { return found_[at(i)]; }

  static bool fits_shape(wanted const& w, std::vector<extent> const& shape) {
    return w.any_shape ||
           std::equal(w.shape.begin(), w.shape.end(), shape.begin(), shape.end(), [](extent x, extent y) { return x < 0 || x == y; });
  }
  bool fits(wanted const& w, array const& a) const { return (w.type == a.type || options_.cast_dtype) && fits_shape(w, a.shape); }

  static std::string described(dtype type, std::vector<extent> const& shape) { return std::string(name_of(type)) + " " + to_string(shape); }
  static std::string described(wanted const& w) { return "parameter " + in_quotes(w.name) + " (" + wish(w) + ")"; }
  static std::string described(array const& a) { return in_quotes(a.name) + " (" + described(a.type, a.shape) + ")"; }
  static std::string wish(wanted const& w) {
    return w.any_shape ? std::string(name_of(w.type)) + " of any shape" : described(w.type, w.shape);
  }
  template <class Say> static std::string listed(indices which, std::string const& between, Say say) {
    std::erase(which, -1);
    constexpr std::size_t most = 12;
    std::string r;
    for (std::size_t i = 0; i < which.size() && i < most; ++i) r += (i ? between : "") + say(which[i]);
    return which.size() > most ? r + " and " + std::to_string(which.size() - most) + " more" : r;
  }
  std::string described(indices const& arrays) const {
    return listed(arrays, ", ", [&](int i) { return described(have(i)); });
  }
  [[noreturn]] void fail(std::string const& sentence) const { throw parameter_error("sinter: " + sentence); }

  // What may have happened to an array that does not fit, and what to write.
  static std::string advice_for(wanted const& w, array const& a) {
    if (fits_shape(w, a.shape)) return w.type == a.type ? "" : "; {.cast_dtype = true} converts it";
    if (a.shape.size() == 2 && fits_shape(w, {a.shape[1], a.shape[0]}))
      return "; is it transposed? The weight of a dense layer is (units, inputs), and Keras writes (inputs, units)";
    return "";
  }
  // `names`: an example, or nothing. Of a file that is sorted by name the order says nothing.
  std::string advice(std::string const& names = "") const {
    return "; say with .names what they are called in the network" + names +
           (order_ == array_order::sorted ? "" : ", or write {.by_order = true} if the order is right");
  }

  // The parameters that do not fit the arrays of their names.
  std::string misfits(indices const& named) const {
    indices which;
    for (std::size_t i = 0; i < named.size(); ++i)
      if (named[i] >= 0 && !fits(want_[i], have(named[i]))) which.push_back(static_cast<int>(i));
    if (which.empty()) return "";
    bool const one = which.size() == 1;
    std::string advices;
    std::string const pairs = listed(which, ", ", [&](int i) {
      array const& a = have(named[at(i)]);
      std::string const advice = advice_for(want(i), a);
      if (advices.find(advice) == advices.npos) advices += advice;
      return in_quotes(want(i).name) + " (" + wish(want(i)) + ")" +
             (one ? " does not fit the array of its name in " + file_ + ": " : " and ") + described(a);
    });
    return (one ? "parameter " : "parameters do not fit the arrays of their names in " + file_ + ": ") + pairs + advices;
  }
  // The arrays that are none of these.
  indices without(indices const& named) const {
    std::vector<bool> used(have_.size(), false);
    for (int i : named)
      if (i >= 0) used[at(i)] = true;
    indices r;
    for (int i = 0; at(i) < have_.size(); ++i)
      if (!used[at(i)]) r.push_back(i);
    return r;
  }

  std::vector<array> const& have_;
  std::vector<wanted> const& want_;
  std::string const& file_;
  load_options const& options_;
  array_order order_;
  bool named_ = false;
  indices found_, best_;  // best_: what was found by name, when that was not all
  std::vector<std::string> dotted_;
  std::unordered_map<std::string_view, int> by_name_;
  std::unordered_map<std::string, int> by_dotted_;
  std::set<std::string> given_;  // the names that `names` gives, dotted

 private:
  void index_names() {
    for (std::size_t i = 0; i < have_.size(); ++i) {
      std::string_view const name = bare_name(have_[i].name);
      named_ = named_ || !is_nobodys(name);
      auto const [other, is_new] = by_name_.emplace(name, static_cast<int>(i));
      if (!is_new && !name.empty())
        fail("two arrays of " + file_ + " have the same name: " + described({other->second, static_cast<int>(i)}));
      if (!is_new) other->second = -1;  // a list
      dotted_.push_back(dotted(have_[i].name));
      if (auto const [twin, first] = by_dotted_.emplace(dotted_.back(), static_cast<int>(i)); !first) twin->second = -1;
    }
    auto const is_here = [&](wanted const& w) { return by_name_.contains(w.name); };
    if (!named_ && !have_.empty() && !want_.empty() && !options_.by_order && std::none_of(want_.begin(), want_.end(), is_here))
      fail("the arrays of " + file_ + " have no names: " + described(want_[0]) +
           " cannot be found; write {.by_order = true} if they lie in the order of the parameters");
  }
};

}  // namespace sinter::io::inline SINTER_ISA::detail
