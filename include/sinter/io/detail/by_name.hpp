// SPDX-License-Identifier: Apache-2.0
// Arrays that have the names of parameters, perhaps behind a prefix.
#pragma once
#include "by_structure.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

template <class = void> class by_name : protected by_structure<> {
 public:
  using by_structure<>::by_structure;

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
    exactly_ = exact.behind > 0;
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
    auto numbered = renumbered(given_in(exact.of));  // refuses a second prefix behind which the numbers' order brings all
    if (!whole && options_.allow_missing && may_be_others(numbered.has_value())) names_differ();
    if (!whole && numbered) return take(std::move(*numbered));
    if (whole || (options_.allow_missing && most_taken > 0)) {
      if ((whole ? complete : partial) > 1) fail_prefixes(taken);
      return take(std::move(taken));
    }
    if (has_path) names_differ();
    return false;
  }
  indices given_in(indices named) const {
    for (std::size_t i = 0; i < named.size(); ++i)
      if (!is_given(i)) named[i] = -1;
    return named;
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
};

}  // namespace sinter::io::inline SINTER_ISA::detail
