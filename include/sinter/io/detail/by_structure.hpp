// SPDX-License-Identifier: Apache-2.0
// Arrays that stand where parameters do: found where the numbers of sequences alone differ, and proposed, with the reason, where the words do.
#pragma once
#include <optional>

#include "matching.hpp"
#include "name_tree.hpp"
#include "other_words.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

template <class = void> class by_structure : protected matching<> {
 public:
  using matching<>::matching;

 protected:
  bool exactly_ = false;  // a parameter has its exact name in the file, so that no prefix is looked for

  name_tree<> tree_of_parameters() const {
    name_tree<> r;
    for (std::size_t i = 0; i < want_.size(); ++i)
      if (!is_given(i)) r.insert(want_[i].name, static_cast<int>(i));
    return r;
  }
  template <class NameOf> name_tree<> tree_of_arrays(NameOf const& name_of) const {
    name_tree<> r;
    for (std::size_t k = 0; k < have_.size(); ++k)
      if (!given_.contains(dotted_[k])) r.insert(name_of(have_[k]), static_cast<int>(k));
    return r;
  }
  name_tree<> tree_of_arrays() const {
    return tree_of_arrays([](array const& a) { return bare_name(a.name); });
  }
  // True where the network may begin at this node of the file's names. A part of them is enough if it brings all parameters, and others may be
  // left over.
  bool may_begin(name_tree<> const& theirs, std::size_t at) const {
    if (exactly_) return at == 0;
    return (options_.ignore_extra && !options_.allow_missing) || theirs.nodes[at].n_leaves == theirs.nodes[0].n_leaves;
  }
  [[noreturn]] void fail_prefixes(indices const& found) const {
    fail("the network is ambiguous: " + file_ + " has its names behind more than one prefix, among them " + described(found) +
         "; give the arrays the names of the network");
  }

  // The arrays whose names differ from those of the parameters in the numbers of sequences alone, because one leaves out more of them:
  // PyTorch's 0, 2, 4 are 0, 1, 2 where activations are no layers. `given` has those that `names` gives.
  std::optional<indices> renumbered(indices const& given) const {
    name_tree<> const ours = tree_of_parameters(), theirs = tree_of_arrays();
    std::optional<indices> r;
    for (std::size_t node = 0; node < theirs.nodes.size(); ++node) {
      if (!may_begin(theirs, node)) continue;
      indices found = given;
      auto const pair = [&](int i, int k) {
        found[at(i)] = k;
        return fits_shape(want(i), have(k).shape);
      };
      if (!ours.align(0, theirs, node, true, pair)) continue;
      if (r) fail_prefixes(*r);
      r = std::move(found);
    }
    return r;
  }
  // True where an array that has the name of a parameter may be another layer's: it has its place in order as another one, which it fits as
  // well, or, unless all have their places in order, numbers are left out before it and after it.
  bool may_be_others(bool in_order) const {
    name_tree<> const ours = tree_of_parameters(), theirs = tree_of_arrays();
    auto const pair = [&](int i, int k) { return fits_shape(want(i), have(k).shape); };
    for (std::size_t node = 0; node < theirs.nodes.size(); ++node)
      if (may_begin(theirs, node) && ((!in_order && ours.is_shifted(0, theirs, node)) || ours.may_be_others(0, theirs, node, pair)))
        return true;
    return false;
  }

  // A name in the file that a missing parameter may have, and the reason.
  struct proposal {
    int array = -1;
    std::string reason;
  };
  [[noreturn]] void names_differ() {
    std::vector<proposal> const proposals = propose();
    indices missing;
    for (std::size_t i = 0; i < want_.size(); ++i)
      if (best_[i] < 0) missing.push_back(static_cast<int>(i));
    indices const left = without(best_);
    std::string const wrong = misfits(best_);
    constexpr std::size_t most = 2;  // the gamma and the beta of one norm say how
    std::size_t n = 0;
    std::string names;
    for (int i : missing) {
      int const k = proposals[at(i)].array;
      if (k >= 0 && n++ < most) names += (n > 1 ? ", " : "") + ("{\"" + have(k).name + "\", \"" + want(i).name + "\"}");
    }
    std::string const missed = listed(missing, ", ", [&](int i) {
      auto const& [k, reason] = proposals[at(i)];
      return in_quotes(want(i).name) + " (" + wish(want(i)) + (k < 0 ? "" : "; " + in_quotes(have(k).name) + " " + reason) + ")";
    });
    bool const is_function = options_.names.changes_names() && options_.names.map().empty();  // whose names are not the file's
    if (n == 0) {
      auto const some = std::find_if(best_.begin(), best_.end(), [](int k) { return k >= 0; });
      int const k = !left.empty() ? left[0] : some != best_.end() ? *some : -1;
      if (k >= 0) names = "{\"" + have(k).name + "\", \"its name in the network\"}";
    }
    std::string const example =
        is_function ? "" : ": .names = {" + names + "}" + ((n == 0 ? left.size() > 1 : n > most) ? ", and so on" : "");
    fail("the names in " + file_ + " are not those of the network: missing " + missed + (wrong.empty() ? "" : "; " + wrong) +
         (left.empty() ? "" : "; left over " + described(left)) +
         (may_be_others(false)
              ? "; file and network leave out different numbers of a sequence, so that the same number need not be the same layer"
              : "") +
         (!wrong.empty()           ? ""
          : options_.allow_missing ? advice(example)
          : left.empty()           ? "; {.allow_missing = true} keeps what the network has"
                                   : advice(example) + ", or {.allow_missing = true} to keep what it has"));
  }

 private:
  // By structure: the same path, behind one prefix, in our words, and of a sequence the k-th child. Else by shape, where no other fits.
  std::vector<proposal> propose() {
    std::vector<proposal> r(want_.size());
    best_.resize(want_.size(), -1);
    other_words<> const words(have_, want_);
    name_tree<> const ours = tree_of_parameters(), theirs = tree_of_arrays([&](array const& a) { return words.of(a); });
    std::size_t most = 0;
    indices aligned(want_.size(), -1);
    for (std::size_t node = 0; node < theirs.nodes.size(); ++node) {
      if (exactly_ && node > 0) break;
      indices found(want_.size(), -1);
      std::size_t n = 0;
      auto const pair = [&](int i, int k) {
        if (!fits(want(i), have(k))) return false;
        found[at(i)] = k;
        ++n;
        return true;
      };
      ours.align(0, theirs, node, false, pair);
      if (n >= most) aligned = n > most ? found : indices(want_.size(), -1);
      most = std::max(n, most);
    }
    for (std::size_t i = 0; i < want_.size(); ++i) {
      int const k = aligned[i];
      if (k < 0 || k == best_[i]) continue;
      std::replace(best_.begin(), best_.end(), k, -1);
      best_[i] = -1;
      std::string const name = words.of(have(k));
      bool const translated = name != bare_name(have(k).name), has_name = ends_in(dotted(name), dotted(want_[i].name));
      r[i] = {k, translated ? words.reason(have(k)) : ""};
      if (!has_name) r[i].reason += std::string(translated ? ", and " : "") + "has its place in the order of the numbers";
      else if (!translated) r[i].reason = "has its name behind a prefix";
    }
    for (std::size_t i = 0; i < want_.size(); ++i)
      if (best_[i] < 0 && r[i].array < 0) r[i] = only_fitting(i, aligned);
    return r;
  }
  // The array that is the only one to fit, of those with this ending, a parameter that is the only one it fits.
  proposal only_fitting(std::size_t i, indices const& aligned) const {
    auto const ending_of = [](wanted const& w) { return w.name.substr(w.name.rfind('.') + 1); };
    std::string const ending = ending_of(want_[i]);
    int found = -1;
    for (int k = 0; at(k) < have_.size(); ++k)
      if (ends_in(dotted_[at(k)], dotted(ending)) && fits(want_[i], have(k))) {
        if (found >= 0) return {};
        found = k;
      }
    auto const is_taken = [&](indices const& by) { return std::find(by.begin(), by.end(), found) != by.end(); };
    if (found < 0 || is_taken(best_) || is_taken(aligned)) return {};
    for (std::size_t j = 0; j < want_.size(); ++j)
      if (j != i && ending_of(want_[j]) == ending && fits(want_[j], have(found))) return {};
    return {found, "is the only " + in_quotes(ending) + " that fits"};
  }
};

}  // namespace sinter::io::inline SINTER_ISA::detail
