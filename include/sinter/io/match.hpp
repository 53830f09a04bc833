// SPDX-License-Identifier: Apache-2.0
// Finds for each parameter of a network its array in a file: by name, or by order, ending and shape.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "array.hpp"

namespace sinter::io::inline SINTER_ISA {

// A parameter that a network wants: its structural name (`0.weight`, `hidden.bias`), in the order in which the members are
// visited. An extent below zero is not known yet and takes any number.
struct wanted {
  std::string name;
  dtype type = dtype::none;
  std::vector<extent> shape;
  bool any_shape = false;  // not even the rank is known
};

namespace detail {

class matcher {
 public:
  matcher(std::vector<array> const& have, std::vector<wanted> const& want, std::string const& file, bool allow_extra)
      : have_(have), want_(want), file_(file), allow_extra_(allow_extra), found_(want.size(), -1) {}

  std::vector<int> run() {
    index_names();
    if (!by_name()) by_order();
    if (!allow_extra_) refuse_extra();
    return found_;
  }

 private:
  using indices = std::vector<int>;
  array const& have(int i) const { return have_[static_cast<std::size_t>(i)]; }
  wanted const& want(int i) const { return want_[static_cast<std::size_t>(i)]; }
  int& found(int i) { return found_[static_cast<std::size_t>(i)]; }

  static std::string described(dtype type, std::vector<extent> const& shape) { return std::string(name_of(type)) + " " + to_string(shape); }
  static std::string described(wanted const& w) { return "parameter " + in_quotes(w.name) + " (" + described(w.type, w.shape) + ")"; }
  static std::string described(array const& a) { return in_quotes(a.name) + " (" + described(a.type, a.shape) + ")"; }
  std::string described(indices const& arrays) const {
    constexpr std::size_t most = 12;
    std::string r;
    for (std::size_t i = 0; i < arrays.size() && i < most; ++i) r += (i ? ", " : "") + described(have(arrays[i]));
    return arrays.size() > most ? r + " and " + std::to_string(arrays.size() - most) + " more" : r;
  }
  [[noreturn]] void fail(std::string const& sentence) const { throw parameter_error("sinter: " + sentence); }

  static bool fits(wanted const& w, array const& a) {
    return w.type == a.type && (w.any_shape || std::equal(w.shape.begin(), w.shape.end(), a.shape.begin(), a.shape.end(),
                                                          [](extent x, extent y) { return x < 0 || x == y; }));
  }

  void index_names() {
    bool named = have_.empty();
    for (std::size_t i = 0; i < have_.size(); ++i) {
      std::string_view const name = bare_name(have_[i].name);
      named = named || !name.empty();
      auto const [other, is_new] = by_name_.emplace(name, static_cast<int>(i));
      if (!is_new && !name.empty())
        fail("two arrays of " + file_ + " have the same name: " + described({other->second, static_cast<int>(i)}));
    }
    if (!named && !want_.empty()) fail("the arrays of " + file_ + " have no names: " + described(want_[0]) + " cannot be found");
  }

  bool by_name() {
    indices named(want_.size(), -1);
    for (std::size_t i = 0; i < want_.size(); ++i) {
      auto const it = by_name_.find(want_[i].name);
      if (it == by_name_.end()) return false;
      named[i] = it->second;
    }
    for (std::size_t i = 0; i < want_.size(); ++i)
      if (!fits(want_[i], have(named[i])))
        fail(described(want_[i]) + " does not fit the array of its name in " + file_ + ": " + described(have(named[i])));
    found_ = std::move(named);
    return true;
  }

  // `weight` ends `dense0_weight` and is all of `weight`, but does not end `overweight`.
  static bool ends_with(std::string_view name, std::string_view ending) {
    if (!name.ends_with(ending)) return false;
    return name.size() == ending.size() || std::string_view("_./").find(name[name.size() - ending.size() - 1]) != std::string_view::npos;
  }
  static std::string_view ending_of(wanted const& w) {
    std::string_view const name = w.name;
    return name.substr(name.rfind('.') + 1);
  }
  static std::string_view parent_of(wanted const& w) {
    std::string_view const name = w.name;
    return name.substr(0, name.size() - ending_of(w).size());
  }

  // The parameters and the arrays that share an ending, both in order.
  struct group {
    std::string_view ending;
    indices want, have;
  };

  void by_order() {
    std::vector<group> groups;
    for (std::size_t i = 0; i < want_.size(); ++i) {
      auto const ending = ending_of(want_[i]);
      auto it = std::find_if(groups.begin(), groups.end(), [&](group const& g) { return g.ending == ending; });
      if (it == groups.end()) it = groups.insert(it, {ending, {}, {}});
      it->want.push_back(static_cast<int>(i));
    }
    // The longest ending takes an array: `lstm0_i2h_bias` belongs to `i2h_bias` where a network has that and `bias`.
    for (std::size_t i = 0; i < have_.size(); ++i) {
      group* best = nullptr;
      for (group& g : groups)
        if (ends_with(bare_name(have_[i].name), g.ending) && (!best || g.ending.size() > best->ending.size())) best = &g;
      if (best) best->have.push_back(static_cast<int>(i));
    }
    for (group const& g : groups) assign(g);
    for (group const& g : groups) check_numbers(g);
    check_names();
    check_stems();
  }

  // Earliest and latest choice in order; they differ only where the file has more arrays than are wanted.
  void assign(group const& g) {
    indices first(g.want.size()), last(g.want.size());
    bool const one_to_one = !allow_extra_ || g.want.size() == g.have.size();
    std::size_t next = 0;
    for (std::size_t k = 0; k < g.want.size(); ++k) {
      if (!one_to_one)
        while (next < g.have.size() && !fits(want(g.want[k]), have(g.have[next]))) ++next;
      if (next == g.have.size() || !fits(want(g.want[k]), have(g.have[next]))) no_array(g, k);
      first[k] = g.have[next++];
    }
    if (one_to_one && g.have.size() != g.want.size()) too_many(g);
    next = g.have.size();
    for (std::size_t k = g.want.size(); k-- > 0;) {
      do --next;
      while (!fits(want(g.want[k]), have(g.have[next])));
      last[k] = g.have[next];
    }
    for (std::size_t k = 0; k < g.want.size(); ++k) {
      if (first[k] != last[k])
        fail(described(want(g.want[k])) + " is ambiguous: in " + file_ + " both " + described(have(first[k])) + " and " +
             described(have(last[k])) + " could be it, because the file has " + counts(g) + advice());
      found(g.want[k]) = first[k];
    }
  }

  std::string counts(group const& g) const {
    return std::to_string(g.have.size()) + " arrays that end in " + in_quotes(g.ending) + " and the network " +
           std::to_string(g.want.size());
  }
  static std::string advice() { return "; give the arrays the names of the network"; }

  [[noreturn]] void no_array(group const& g, std::size_t k) const {
    auto const& w = want(g.want[k]);
    if (g.have.empty()) {
      indices all(have_.size());
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
      fail(described(w) + " is not in " + file_ + ": no array there has its name or ends in " + in_quotes(g.ending) + "; the file has " +
           (all.empty() ? "no arrays" : described(all)));
    }
    if (!allow_extra_ && k < g.have.size())
      fail(described(w) + " does not fit array " + described(have(g.have[k])) + " of " + file_ +
           ", which has its place in order: the file has " + counts(g) + "; candidates: " + described(g.have));
    fail(described(w) + " has no array left in " + file_ + ": the file has " + counts(g) + "; candidates: " + described(g.have));
  }
  [[noreturn]] void too_many(group const& g) const {
    fail("the arrays of " + file_ + " are more than the parameters: the file has " + counts(g) + ", from " +
         described(want(g.want.front())) + " to " + described(want(g.want.back())) + "; candidates: " + described(g.have));
  }

  // Where two arrays could change places, order alone decides. MXNet writes them in the order of use, a network lists its members
  // in the order of declaration; the numbers in the names (order of creation) show that the two differ.
  void check_numbers(group const& g) {
    for (std::size_t k = 0; k < g.want.size(); ++k)
      for (std::size_t l = k + 1; l < g.want.size(); ++l) {
        int const a = found(g.want[k]), b = found(g.want[l]);
        if (counts_down(have(a).name, have(b).name) && fits(want(g.want[k]), have(b)) && fits(want(g.want[l]), have(a)))
          fail(described(want(g.want[k])) + " is ambiguous: by its place in " + file_ + " it is " + in_quotes(have(a).name) +
               ", by the numbers in the names " + in_quotes(have(b).name) + advice());
      }
  }
  // dense1_weight, dense0_weight: the same but for one number, and that gets smaller.
  static bool counts_down(std::string_view a, std::string_view b) {
    auto const digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0;
    while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
    while (i > 0 && digit(a[i - 1])) --i;
    std::size_t m = i, n = i;
    while (m < a.size() && digit(a[m])) ++m;
    while (n < b.size() && digit(b[n])) ++n;
    if (m == i || n == i || a.substr(m) != b.substr(n)) return false;
    auto const x = a.substr(i, m - i), y = b.substr(i, n - i);
    return x.size() != y.size() ? x.size() > y.size() : x > y;
  }

  // A parameter whose very name is in the file must not get another array by order.
  void check_names() {
    for (std::size_t i = 0; i < want_.size(); ++i)
      if (auto const it = by_name_.find(want_[i].name); it != by_name_.end() && it->second != found_[i])
        fail(described(want_[i]) + " is ambiguous: " + file_ + " has an array of its name, " + described(have(it->second)) +
             ", but not of all names, and by order it is " + in_quotes(have(found_[i]).name) + advice());
  }

  // The parameters of one layer come from one layer: k-th to k-th would otherwise give the bias of a layer to the next one, where
  // the file and the network have their biases in different layers.
  void check_stems() {
    std::unordered_map<std::string_view, std::size_t> seen;
    auto const stem = [&](std::size_t i) {
      auto const name = bare_name(have(found_[i]).name);
      return name.substr(0, name.size() - ending_of(want_[i]).size());
    };
    for (std::size_t i = 0; i < want_.size(); ++i) {
      auto const [first, is_new] = seen.emplace(parent_of(want_[i]), i);
      if (!is_new && stem(first->second) != stem(i))
        fail("parameters " + in_quotes(want_[first->second].name) + " and " + in_quotes(want_[i].name) +
             " are of one layer, but by order they are " + in_quotes(have(found_[first->second]).name) + " and " +
             in_quotes(have(found_[i]).name) + " of " + file_ + ", of different layers");
    }
  }

  void refuse_extra() const {
    std::vector<bool> used(have_.size(), false);
    for (int i : found_) used[static_cast<std::size_t>(i)] = true;
    indices extra;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) extra.push_back(static_cast<int>(i));
    if (!extra.empty())
      fail("the network has no parameter for " + std::to_string(extra.size()) + " of the " + std::to_string(have_.size()) + " arrays of " +
           file_ + ": " + described(extra));
  }

  std::vector<array> const& have_;
  std::vector<wanted> const& want_;
  std::string const& file_;
  bool allow_extra_;
  indices found_;
  std::unordered_map<std::string_view, int> by_name_;
};

}  // namespace detail

// The index in `have` of each wanted parameter. If the file has an array of each structural name (with or without `arg:` or
// `aux:`), those. Otherwise by order: the k-th array whose name ends in the last component of the wanted name (`weight`,
// `running_mean`) is the k-th parameter that does, which is how the names of MXNet (`arg:hybridsequential0_dense1_bias`) are met.
// Shapes and dtypes must agree. It is all or nothing: what is missing, left over (unless `allow_extra`), of another shape or
// ambiguous is a parameter_error.
//   auto which = sinter::io::match(arrays, {{"0.weight", dtype::float32, {128, 64}}}, "digits-mlp-0000.params");
inline std::vector<int> match(std::vector<array> const& have, std::vector<wanted> const& want, std::string const& file,
                              bool allow_extra = false) {
  return detail::matcher(have, want, file, allow_extra).run();
}

}  // namespace sinter::io::inline SINTER_ISA
