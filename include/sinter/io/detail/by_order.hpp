// SPDX-License-Identifier: Apache-2.0
// Arrays whose names hold nothing but counters, in the order of their file, if it keeps one.
#pragma once
#include "by_name.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

template <class = void> class matcher : by_name<> {
 public:
  using by_name<>::by_name;

  std::vector<int> run() {
    if (!find_names()) by_order();
    if (!options_.ignore_extra) refuse_extra();
    return found_;
  }

 private:
  std::string_view ending_of(wanted const& w) const {
    std::string_view const name = w.name;
    return named_ ? name.substr(name.rfind('.') + 1) : "";
  }
  std::string_view parent_of(wanted const& w) const {
    std::string_view const name = w.name;
    return name.substr(0, name.size() - ending_of(w).size());
  }
  std::string_view stem_of(std::size_t i) const {
    std::string_view const name = dotted_[at(found_[i])];
    return name.substr(0, name.size() - ending_of(want_[i]).size());
  }

  // The parameters and the arrays that share an ending, both in order.
  struct group {
    std::string_view ending;
    std::string parts;  // the same, dotted
    indices want, have;
  };

  // What `names` gives a name has that, and is not counted. Whether each array is such a one.
  std::vector<bool> take_given() {
    std::vector<bool> taken(have_.size(), false);
    for (std::size_t i = 0; i < want_.size(); ++i) {
      if (!is_given(i)) continue;
      if (auto const exact = by_name_.find(want_[i].name); exact != by_name_.end()) found_[i] = exact->second;
      else if (auto const same = by_dotted_.find(dotted(want_[i].name)); same != by_dotted_.end()) found_[i] = same->second;
      if (found_[i] >= 0) taken[at(found_[i])] = true;
    }
    if (std::string const wrong = misfits(found_); !wrong.empty()) fail(wrong);
    return taken;
  }
  void by_order() {
    std::vector<bool> const taken = take_given();
    std::vector<group> groups;
    for (std::size_t i = 0; i < want_.size(); ++i) {
      if (found_[i] >= 0) continue;
      auto const ending = ending_of(want_[i]);
      auto it = std::find_if(groups.begin(), groups.end(), [&](group const& g) { return g.ending == ending; });
      if (it == groups.end()) it = groups.insert(it, {ending, dotted(ending), {}, {}});
      it->want.push_back(static_cast<int>(i));
    }
    // The longest ending takes an array: `lstm0_i2h_bias` belongs to `i2h_bias` where a network has that and `bias`.
    for (std::size_t i = 0; i < have_.size(); ++i) {
      if (taken[i]) continue;
      group* best = nullptr;
      for (group& g : groups)
        if (ends_in(dotted_[i], g.parts) && (!best || g.ending.size() > best->ending.size())) best = &g;
      if (best) best->have.push_back(static_cast<int>(i));
    }
    if (!options_.by_order) refuse_names(groups);
    for (group const& g : groups) assign(g);
    if (options_.by_order) return;
    for (group const& g : groups) check_counters(g);
    check_layers();
  }

  // Names that somebody gave say which array is which, and order would not listen; and that of sorted arrays says nothing.
  void refuse_names(std::vector<group> const& groups) {
    if (order_ != array_order::kept) names_differ();
    std::vector<std::string_view> stems;
    for (group const& g : groups) {
      if (g.have.empty()) names_differ();
      for (int i : g.have) stems.push_back(std::string_view(dotted_[at(i)]).substr(0, dotted_[at(i)].size() - g.ending.size()));
    }
    std::size_t common = stems.empty() ? 0 : stems[0].size();
    for (auto const s : stems)
      common = static_cast<std::size_t>(
          std::mismatch(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(std::min(common, s.size())), stems[0].begin()).first -
          s.begin());
    for (auto const s : stems)
      if (!only_counters(s, common)) names_differ();
  }

  // One array after the other. Where the file has more, those between may not fit any parameter: which to leave out is not ours to say.
  void assign(group const& g) {
    bool const one_to_one = !options_.ignore_extra || g.want.size() == g.have.size();
    std::size_t next = 0;
    for (int k : g.want) {
      if (!one_to_one)
        while (next < g.have.size() && !fits(want(k), have(g.have[next]))) ++next;
      if (next == g.have.size() || !fits(want(k), have(g.have[next]))) no_array(g, k, next);
      found(k) = g.have[next++];
    }
    if (one_to_one && g.have.size() != g.want.size()) too_many(g);
    indices used;
    for (int k : g.want) used.push_back(found(k));  // in ascending order
    for (int a : g.have)
      for (int k : g.want)
        if (!std::binary_search(used.begin(), used.end(), a) && fits(want(k), have(a)))
          fail(described(want(k)) + " is ambiguous: in " + file_ + " both " + described(have(std::min(found(k), a))) + " and " +
               described(have(std::max(found(k), a))) + " could be it, because the file has " + counts(g) +
               "; give the arrays the names of the network");
  }

  std::string counts(group const& g) const {
    return std::to_string(g.have.size()) + " arrays" + (named_ ? " that end in " + in_quotes(g.ending) : "") + " and the network " +
           std::to_string(g.want.size());
  }
  [[noreturn]] void no_array(group const& g, int k, std::size_t next) const {
    if (!options_.ignore_extra && next < g.have.size())
      fail(described(want(k)) + " does not fit array " + described(have(g.have[next])) + " of " + file_ +
           ", which has its place in order: the file has " + counts(g) + "; candidates: " + described(g.have) +
           advice_for(want(k), have(g.have[next])));
    fail(described(want(k)) + " has no array left in " + file_ + ": the file has " + counts(g) + "; candidates: " + described(g.have) +
         (options_.allow_missing ? "; {.allow_missing = true} needs names, because in order nothing says which array is missing" : ""));
  }
  [[noreturn]] void too_many(group const& g) const {
    fail("the arrays of " + file_ + " are more than the parameters: the file has " + counts(g) + ", from " +
         described(want(g.want.front())) + " to " + described(want(g.want.back())) + "; candidates: " + described(g.have));
  }

  // Where two arrays could change places, order alone decides. MXNet writes them in the order of use, sorted files in that of text
  // (dense10 before dense9), a network lists its members as they are declared: the counters (order of creation) must agree.
  void check_counters(group const& g) const {
    std::vector<counted_name> names;
    for (int k : g.want) names.emplace_back(dotted_[at(found_[at(k)])]);
    for (std::size_t k = 0; k < g.want.size(); ++k)
      for (std::size_t l = k + 1; l < g.want.size(); ++l) {
        wanted const &v = want(g.want[k]), &w = want(g.want[l]);
        array const &a = have(found_[at(g.want[k])]), &b = have(found_[at(g.want[l])]);
        if (!fits(v, b) && !fits(w, a)) continue;
        if (names[k].words != names[l].words)
          fail(described(v) + " is ambiguous: by its place in " + file_ + " it is " + in_quotes(a.name) + ", but " + in_quotes(b.name) +
               " would fit as well, and no counter tells which comes first" + advice());
        if (!names[k].before(names[l]))
          fail(described(v) + " is ambiguous: by its place in " + file_ + " it is " + in_quotes(a.name) + ", which stands before " +
               in_quotes(b.name) + " although its number is larger" + advice());
      }
  }

  // The parameters of one layer come from one layer, and those of two from two: k-th to k-th would otherwise give the bias of a layer
  // to the next one, where the file and the network have their biases in different layers.
  void check_layers() const {
    std::unordered_map<std::string_view, std::size_t> of_parent, of_stem;
    auto const say = [&](std::size_t i, std::size_t j, char const* here, char const* there) {
      fail("parameters " + in_quotes(want_[i].name) + " and " + in_quotes(want_[j].name) + " are of " + here + ", but by order they are " +
           in_quotes(have(found_[i]).name) + " and " + in_quotes(have(found_[j]).name) + " of " + file_ + ", of " + there + advice());
    };
    for (std::size_t i = 0; i < want_.size(); ++i) {
      if (is_given(i)) continue;
      auto const parent = of_parent.emplace(parent_of(want_[i]), i).first->second;
      if (stem_of(parent) != stem_of(i)) say(parent, i, "one layer", "different layers");
      auto const stem = of_stem.emplace(stem_of(i), i).first->second;
      if (parent_of(want_[stem]) != parent_of(want_[i])) say(stem, i, "different layers", "one layer");
    }
  }

  void refuse_extra() const {
    indices const extra = without(found_);
    if (!extra.empty())
      fail("the network has no parameter for " + std::to_string(extra.size()) + " of the " + std::to_string(have_.size()) + " arrays of " +
           file_ + ": " + described(extra) + "; {.ignore_extra = true} leaves them out");
  }
};

}  // namespace sinter::io::inline SINTER_ISA::detail
