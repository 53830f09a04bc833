// SPDX-License-Identifier: Apache-2.0
// What a network wants of a file, and how strictly.
#pragma once
#include <concepts>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "array.hpp"

namespace sinter::io {

// The names that a network has for the arrays of a file: a map, which must find all its names in the file and leaves the others as they
// are, or a function of any name.
//   {.names = {{"fc1.weight", "hidden.weight"}, {"fc1.bias", "hidden.bias"}}}
//   {.names = [](std::string const& name) { return name.substr(6); }}
class renaming {
 public:
  SINTER_OWN renaming() = default;
  SINTER_OWN renaming(std::initializer_list<std::pair<std::string const, std::string>> names) : map_(names) {}
  SINTER_OWN renaming(std::map<std::string, std::string> names) : map_(std::move(names)) {}
  template <std::invocable<std::string const&> F>
    requires(!std::same_as<std::remove_cvref_t<F>, renaming>)
  SINTER_OWN renaming(F f) : function_(std::move(f)) {}

  SINTER_OWN std::string operator()(std::string const& name) const {
    if (function_) return function_(name);
    auto const it = map_.find(name);
    return it == map_.end() ? name : it->second;
  }
  SINTER_OWN bool changes_names() const { return function_ || !map_.empty(); }
  SINTER_OWN std::map<std::string, std::string> const& map() const { return map_; }

 private:
  std::map<std::string, std::string> map_;
  std::function<std::string(std::string const&)> function_;
};

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
  bool by_order = false;  // the arrays lie in the order of the parameters, unless all names agree; not in safetensors, which is sorted
  renaming names{};  // what the arrays are called in the network
  bool map = false;  // elements stay where they lie in the file, if they can (safetensors): it must not change while they are used
};

// What a file lacked and had beyond the network, where the options permit it; both are empty where file and network are one.
struct load_result {
  std::vector<std::string> missing;  // parameters, by the names of the network, that kept what they had
  std::vector<std::string> extra;    // arrays, by the names of the file, that no parameter took
};

}  // namespace sinter::io
