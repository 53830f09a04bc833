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

#include "names.hpp"

namespace sinter::io::inline SINTER_ISA {

// A parameter that a network wants: its structural name (`0.weight`, `hidden.bias`), in the order in which the members are
// visited. An extent below zero is not known yet and takes any number.
struct wanted {
  std::string name;
  dtype type = dtype::none;
  std::vector<extent> shape;
  bool any_shape = false;  // not even the rank is known
};

// What a file may lack or have beyond the network: load_parameters(net, path, {.ignore_extra = true}). The first three are Gluon's.
struct load_options {
  bool allow_missing = false;  // a parameter that is not in the file keeps what it has; at least one must be there
  bool ignore_extra = false;   // an array without a parameter is left out
  bool cast_dtype = false;     // another element type is converted; a value that the parameter's cannot hold is an error
  bool by_order = false;       // the arrays lie in the order of the parameters, whatever their names
};

namespace detail {

class matcher {
 public:
  matcher(std::vector<array> const& have, std::vector<wanted> const& want, std::string const& file, load_options const& options)
      : have_(have), want_(want), file_(file), options_(options), found_(want.size(), -1) {}

  std::vector<int> run() {
    index_names();
    if (!by_name()) by_order();
    if (!options_.ignore_extra) refuse_extra();
    return found_;
  }

 private:
  using indices = std::vector<int>;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  array const& have(int i) const { return have_[at(i)]; }
  wanted const& want(int i) const { return want_[at(i)]; }
  int& found(int i) { return found_[at(i)]; }

  // ---- sentences

  static std::string described(dtype type, std::vector<extent> const& shape) { return std::string(name_of(type)) + " " + to_string(shape); }
  static std::string described(wanted const& w) { return "parameter " + in_quotes(w.name) + " (" + wish(w) + ")"; }
  static std::string described(array const& a) { return in_quotes(a.name) + " (" + described(a.type, a.shape) + ")"; }
  static std::string wish(wanted const& w) {
    return w.any_shape ? std::string(name_of(w.type)) + " of any shape" : described(w.type, w.shape);
  }
  template <class Say> static std::string listed(indices which, Say say) {
    std::erase(which, -1);
    constexpr std::size_t most = 12;
    std::string r;
    for (std::size_t i = 0; i < which.size() && i < most; ++i) r += (i ? ", " : "") + say(which[i]);
    return which.size() > most ? r + " and " + std::to_string(which.size() - most) + " more" : r;
  }
  std::string described(indices const& arrays) const {
    return listed(arrays, [&](int i) { return described(have(i)); });
  }
  [[noreturn]] void fail(std::string const& sentence) const { throw parameter_error("sinter: " + sentence); }

  // What may have happened to an array that does not fit, and what to write.
  static std::string advice_for(wanted const& w, array const& a) {
    if (fits_shape(w, a.shape)) return w.type == a.type ? "" : "; {.cast_dtype = true} converts it";
    if (a.shape.size() == 2 && fits_shape(w, {a.shape[1], a.shape[0]}))
      return "; is it transposed? The weight of a dense layer is (units, inputs), and Keras writes (inputs, units)";
    return "";
  }
  static std::string advice() { return "; give the arrays the names of the network, or write {.by_order = true} if the order is right"; }

  // ---- by name

  static bool fits_shape(wanted const& w, std::vector<extent> const& shape) {
    return w.any_shape ||
           std::equal(w.shape.begin(), w.shape.end(), shape.begin(), shape.end(), [](extent x, extent y) { return x < 0 || x == y; });
  }
  bool fits(wanted const& w, array const& a) const { return (w.type == a.type || options_.cast_dtype) && fits_shape(w, a.shape); }

  void index_names() {
    for (std::size_t i = 0; i < have_.size(); ++i) {
      std::string_view const name = bare_name(have_[i].name);
      named_ = named_ || !name.empty();
      auto const [other, is_new] = by_name_.emplace(name, static_cast<int>(i));
      if (!is_new && !name.empty())
        fail("two arrays of " + file_ + " have the same name: " + described({other->second, static_cast<int>(i)}));
      dotted_.push_back(dotted(have_[i].name));
      if (auto const [twin, first] = by_dotted_.emplace(dotted_.back(), static_cast<int>(i)); !first) twin->second = -1;
    }
    if (!named_ && !have_.empty() && !want_.empty() && !options_.by_order)
      fail("the arrays of " + file_ + " have no names: " + described(want_[0]) +
           " cannot be found; write {.by_order = true} if they lie in the order of the parameters");
  }

  static bool is_path(wanted const& w) { return w.name.find('.') != w.name.npos; }

  // The array of each parameter's name behind `prefix`, and how many there are.
  std::pair<indices, std::size_t> named_behind(std::string const& prefix) const {
    indices named(want_.size(), -1);
    std::size_t n = 0;
    for (std::size_t i = 0; i < want_.size(); ++i) {
      auto const exact = prefix.empty() ? by_name_.find(want_[i].name) : by_name_.end();
      if (exact != by_name_.end()) named[i] = exact->second;
      else if (auto const it = by_dotted_.find(prefix + dotted(want_[i].name)); it != by_dotted_.end()) named[i] = it->second;
      n += named[i] >= 0;
    }
    return {named, n};
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

  // If one prefix brings all parameters, or with allow_missing some, those. A file that has some of the paths and not the others is
  // not one to guess about.
  bool by_name() {
    if (want_.empty()) return true;
    std::size_t most = 0, complete = 0, partial = 0;
    for (std::string const& prefix : prefixes()) {
      auto [named, n] = named_behind(prefix);
      if (prefix.empty() && n == want_.size()) return take(std::move(named));
      complete += n == want_.size();
      partial += n != 0;
      if (n > most) best_ = std::move(named), most = n;
    }
    bool const whole = complete > 0;
    if (options_.by_order && complete != 1) return false;
    if (whole || (options_.allow_missing && partial > 0)) {
      if ((whole ? complete : partial) > 1)
        fail("the network is ambiguous: " + file_ + " has its names behind more than one prefix, among them " + described(best_) +
             "; give the arrays the names of the network");
      return take(best_);
    }
    if (best_has_path()) names_differ();
    return false;
  }
  bool best_has_path() const {
    for (std::size_t i = 0; i < best_.size(); ++i)
      if (best_[i] >= 0 && is_path(want_[i])) return true;
    return false;
  }
  bool take(indices named) {
    for (std::size_t i = 0; i < want_.size(); ++i)
      if (named[i] >= 0 && !fits(want_[i], have(named[i])))
        fail(described(want_[i]) + " does not fit the array of its name in " + file_ + ": " + described(have(named[i])) +
             advice_for(want_[i], have(named[i])));
    found_ = std::move(named);
    return true;
  }

  [[noreturn]] void names_differ() const {
    indices missing, left;
    for (std::size_t i = 0; i < want_.size(); ++i)
      if (best_.empty() || best_[i] < 0) missing.push_back(static_cast<int>(i));
    for (int i = 0; at(i) < have_.size(); ++i)
      if (std::find(best_.begin(), best_.end(), i) == best_.end()) left.push_back(i);
    auto const say = [&](int i) {
      std::string r = in_quotes(want(i).name) + " (" + wish(want(i));
      if (left.empty()) return r + ")";
      std::string const name = dotted(want(i).name);
      auto const nearest = std::min_element(left.begin(), left.end(),
                                            [&](int a, int b) { return distance(dotted_[at(a)], name) < distance(dotted_[at(b)], name); });
      return r + "; nearest " + in_quotes(have(*nearest).name) + ")";
    };
    fail("the names in " + file_ + " are not those of the network: missing " + listed(missing, say) + "; left over " +
         (left.empty() ? "nothing, and {.allow_missing = true} keeps what the network has" : described(left) + advice()));
  }

  // ---- by order

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

  void by_order() {
    std::vector<group> groups;
    for (std::size_t i = 0; i < want_.size(); ++i) {
      auto const ending = ending_of(want_[i]);
      auto it = std::find_if(groups.begin(), groups.end(), [&](group const& g) { return g.ending == ending; });
      if (it == groups.end()) it = groups.insert(it, {ending, dotted(ending), {}, {}});
      it->want.push_back(static_cast<int>(i));
    }
    // The longest ending takes an array: `lstm0_i2h_bias` belongs to `i2h_bias` where a network has that and `bias`.
    for (std::size_t i = 0; i < have_.size(); ++i) {
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

  // Names that somebody gave say which array is which, and order would not listen.
  void refuse_names(std::vector<group> const& groups) const {
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
    for (int a : g.have)
      for (int k : g.want)
        if (fits(want(k), have(a)) && std::none_of(g.want.begin(), g.want.end(), [&](int w) { return found(w) == a; }))
          fail(described(want(k)) + " is ambiguous: in " + file_ + " both " + described({std::min(found(k), a)}) + " and " +
               described({std::max(found(k), a)}) + " could be it, because the file has " + counts(g) +
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
    fail(described(want(k)) + " has no array left in " + file_ + ": the file has " + counts(g) + "; candidates: " + described(g.have));
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
          fail(described(v) + " is ambiguous: by its place in " + file_ + " it is " + in_quotes(a.name) + ", by the numbers in the names " +
               in_quotes(b.name) + advice());
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
      auto const parent = of_parent.emplace(parent_of(want_[i]), i).first->second;
      if (stem_of(parent) != stem_of(i)) say(parent, i, "one layer", "different layers");
      auto const stem = of_stem.emplace(stem_of(i), i).first->second;
      if (parent_of(want_[stem]) != parent_of(want_[i])) say(stem, i, "different layers", "one layer");
    }
  }

  void refuse_extra() const {
    std::vector<bool> used(have_.size(), false);
    for (int i : found_)
      if (i >= 0) used[at(i)] = true;
    indices extra;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) extra.push_back(static_cast<int>(i));
    if (!extra.empty())
      fail("the network has no parameter for " + std::to_string(extra.size()) + " of the " + std::to_string(have_.size()) + " arrays of " +
           file_ + ": " + described(extra) + "; {.ignore_extra = true} leaves them out");
  }

  std::vector<array> const& have_;
  std::vector<wanted> const& want_;
  std::string const& file_;
  load_options const& options_;
  bool named_ = false;
  indices found_, best_;  // best_: what was found by name, when that was not all
  std::vector<std::string> dotted_;
  std::unordered_map<std::string_view, int> by_name_;
  std::unordered_map<std::string, int> by_dotted_;
};

}  // namespace detail

// The index in `have` of each wanted parameter, or -1 for one that `allow_missing` permits to lack. If the file has an array of each
// structural name, those; `arg:`, `aux:`, a prefix that all share and the signs between the parts (net0_hidden_weight) do not count.
// Else, where the names hold nothing but counters (`hybridsequential0_dense1_bias`) or `by_order` says so: the k-th array whose name
// ends in the last part of the wanted name (`weight`, `running_mean`) is the k-th parameter that does. Shapes and dtypes must agree.
// It is all or nothing: what is missing, left over, of another shape, or ambiguous is a parameter_error.
//   auto which = sinter::io::match(arrays, {{"0.weight", dtype::float32, {128, 64}}}, "digits-mlp-0000.params");
inline std::vector<int> match(std::vector<array> const& have, std::vector<wanted> const& want, std::string const& file,
                              load_options const& options = {}) {
  return detail::matcher(have, want, file, options).run();
}

}  // namespace sinter::io::inline SINTER_ISA
