// SPDX-License-Identifier: Apache-2.0
// Arrays that have the names of parameters, perhaps behind a prefix.
#pragma once
#include "matching.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

template <class = void> class by_name : protected matching<> {
 public:
  using matching<>::matching;

 protected:
  static bool is_path(wanted const& w) { return w.name.find('.') != w.name.npos; }

  struct named_arrays {
    indices of;  // for each parameter
    std::size_t n = 0, behind = 0;  // how many there are, and how many of them have the prefix
  };
  // The array of each parameter's name behind `prefix`. What `names` gives a name has that one, without a prefix.
  named_arrays named_behind(std::string const& prefix) const {
    named_arrays r{indices(want_.size(), -1)};
    for (std::size_t i = 0; i < want_.size(); ++i) {
      std::string const name = dotted(want_[i].name);
      bool const is_given = given_.contains(name);
      auto const exact = is_given || prefix.empty() ? by_name_.find(want_[i].name) : by_name_.end();
      if (exact != by_name_.end()) r.of[i] = exact->second;
      else if (auto const it = by_dotted_.find(is_given ? name : prefix + name); it != by_dotted_.end()) r.of[i] = it->second;
      r.n += r.of[i] >= 0;
      r.behind += !is_given && r.of[i] >= 0;
    }
    return r;
  }
  // What stands before the name of a parameter in the names of the file: nothing, or `net0.`. A name of one part (`weight`) ends too
  // many others to tell that, unless the network has no longer one.
  std::vector<std::string> prefixes() const {
    bool const nested = std::any_of(want_.begin(), want_.end(), is_path);
    std::vector<std::string> r{""};
    for (wanted const& w : want_) {
      if (nested && !is_path(w)) continue;
      std::string const name = dotted(w.name);
      for (std::string const& a : dotted_)
        if (a.size() > name.size() && ends_in(a, name)) r.push_back(a.substr(0, a.size() - name.size()));
    }
    std::sort(r.begin(), r.end());
    r.erase(std::unique(r.begin(), r.end()), r.end());
    return r;
  }

  // Whether the arrays that have the names of parameters behind `prefix` are those. A network's name is as good as another's part
  // (`encoder.out.weight` beside `out.weight`): so exact names are never passed over, and only a prefix that all names share, but those
  // that `names` gives, brings some of the parameters.
  bool may_stand(std::string const& prefix, named_arrays const& named, named_arrays const& exact) const {
    if (prefix.empty() || exact.behind > 0) return prefix.empty();
    if (named.n == want_.size() && !(options_.allow_missing && options_.ignore_extra)) return true;
    return std::all_of(dotted_.begin(), dotted_.end(), [&](std::string const& a) { return a.starts_with(prefix) || given_.contains(a); });
  }
  // If one prefix brings all parameters, or with allow_missing some, those. A file that has some of the paths and not the others is
  // not one to guess about.
  bool find_names() {
    if (want_.empty()) return true;
    named_arrays const exact = named_behind("");
    if (exact.n == want_.size()) return take(exact.of);
    best_ = exact.of;
    std::size_t most = exact.n, most_taken = exact.n, complete = 0, partial = 0;
    indices taken = exact.of;
    bool has_path = has_path_of(exact.of);
    for (std::string const& prefix : prefixes()) {
      named_arrays const named = named_behind(prefix);
      has_path = has_path || has_path_of(named.of);
      if (exact.behind == 0 && named.n > most && named.n < want_.size()) best_ = named.of, most = named.n;
      if (!may_stand(prefix, named, exact)) continue;
      complete += named.n == want_.size();
      partial += named.behind != 0;
      if (named.n > most_taken) taken = named.of, most_taken = named.n;
    }
    bool const whole = complete > 0;
    if (options_.by_order && complete != 1) return false;
    if (whole || (options_.allow_missing && most_taken > 0)) {
      if ((whole ? complete : partial) > 1)
        fail("the network is ambiguous: " + file_ + " has its names behind more than one prefix, among them " + described(taken) +
             "; give the arrays the names of the network");
      return take(std::move(taken));
    }
    if (has_path) names_differ();
    return false;
  }
  bool has_path_of(indices const& named) const {
    for (std::size_t i = 0; i < named.size(); ++i)
      if (named[i] >= 0 && is_path(want_[i]) && !is_given(i)) return true;
    return false;
  }
  bool take(indices named) {
    if (std::string const wrong = misfits(named); !wrong.empty()) {
      indices const extra = options_.ignore_extra ? indices{} : without(named);
      fail(wrong + (extra.empty() ? "" : "; no parameter takes " + described(extra)));
    }
    for (std::size_t i = 0; i < want_.size(); ++i)  // `a_b` and `a.b` are one name to dotted()
      if (auto const twin = std::find(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(i), named[i]);
          named[i] >= 0 && twin != named.begin() + static_cast<std::ptrdiff_t>(i))
        fail(described(want_[static_cast<std::size_t>(twin - named.begin())]) + " and " + described(want_[i]) + " would both be " +
             described(have(named[i])) + " of " + file_ + "; give the arrays the names of the network");
    found_ = std::move(named);
    return true;
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

  // PyTorch calls the gamma and the beta of a norm weight and bias.
  static std::string name_in_torch(std::string const& name) {
    for (auto const& [ours, torchs] : {std::pair<std::string, char const*>{"gamma", "weight"}, {"beta", "bias"}})
      if (ends_in(name, ours)) return name.substr(0, name.size() - ours.size()) + torchs;
    return "";
  }
  // Of the arrays that fit a missing parameter the one that it may be, or -1.
  int nearest_to(wanted const& w, indices const& left, bool& is_torchs) const {
    std::string const name = dotted(w.name), torchs = name_in_torch(name);
    indices fitting, named;
    for (int k : left)
      if (fits(w, have(k))) {
        fitting.push_back(k);
        if (!torchs.empty() && ends_in(dotted_[at(k)], torchs)) named.push_back(k);
      }
    is_torchs = !named.empty();
    if (fitting.empty()) return -1;
    return *nearest(is_torchs ? named : fitting, name, [&](int k) -> std::string const& { return dotted_[at(k)]; });
  }
  [[noreturn]] void names_differ() const {
    indices missing;
    for (std::size_t i = 0; i < want_.size(); ++i)
      if (best_.empty() || best_[i] < 0) missing.push_back(static_cast<int>(i));
    indices const left = without(best_);
    std::string const wrong = misfits(best_);
    constexpr std::size_t most = 2;  // the gamma and the beta of one norm say how
    std::size_t n = 0;
    std::string names;
    auto const say = [&](int i) {
      bool is_torchs = false;
      int const k = nearest_to(want(i), left, is_torchs);
      if (is_torchs && n++ < most) names += (n > 1 ? ", " : "") + ("{\"" + have(k).name + "\", \"" + want(i).name + "\"}");
      return in_quotes(want(i).name) + " (" + wish(want(i)) + (k < 0 ? "" : "; nearest " + in_quotes(have(k).name)) + ")";
    };
    std::string const missed = listed(missing, ", ", say);
    bool const is_function = options_.names.changes_names() && options_.names.map().empty();  // whose names are not the file's
    std::string const example = names.empty() || is_function ? "" : ": .names = {" + names + "}" + (n > most ? ", and so on" : "");
    fail("the names in " + file_ + " are not those of the network: missing " + missed + (wrong.empty() ? "" : "; " + wrong) +
         (left.empty() ? "" : "; left over " + described(left)) +
         (!wrong.empty()           ? ""
          : left.empty()           ? "; {.allow_missing = true} keeps what the network has"
          : options_.allow_missing ? advice(example)
                                   : advice(example) + ", or {.allow_missing = true} to keep what it has"));
  }
};

}  // namespace sinter::io::inline SINTER_ISA::detail
