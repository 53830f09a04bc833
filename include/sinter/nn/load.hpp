// SPDX-License-Identifier: Apache-2.0
// A network's parameters from a file.
#pragma once
#include <map>
#include <tuple>

#include "../io/cast.hpp"
#include "../io/match.hpp"
#include "../io/params.hpp"
#include "visit.hpp"

namespace sinter::nn::inline SINTER_ISA {

using io::load_options;

// What a network wants of a file: a name, a dtype and what is known of the shape for each parameter, in the order of its members.
template <class M> std::vector<io::wanted> wanted_by(M const& net) {
  std::vector<io::wanted> want;
  visit_parameters(net, [&]<class T>(parameter_of<T> const& p, std::string_view name, dims const& declared) {
    io::wanted w{std::string(name), dtype_of<T>, {}, false};
    dims const known = p.shape().rank < 0 ? declared : p.shape();
    w.any_shape = known.rank < 0;
    for (int i = 0; i < known.rank; ++i) w.shape.push_back(known.d[i] < 0 ? -1 : known.d[i]);
    want.push_back(std::move(w));
  });
  return want;
}

// The values of all parameters of one type, before any parameter changes.
template <class T> struct staged {
  std::vector<buffer<T>> values;
  std::size_t next = 0;
};

// Gives the network's parameters the values of `arrays`: all or, where an exception says why, none. `file` names them in errors.
template <class M>
void set_parameters(M& net, std::vector<io::array> const& arrays, std::string const& file, load_options const& options = {}) {
  std::vector<int> const found = io::match(arrays, wanted_by(net), file, options);
  std::vector<dims> shapes(found.size());
  std::map<void const*, std::pair<std::string, io::array const*>> shared;
  std::tuple<staged<float>, staged<double>, staged<std::int32_t>, staged<std::int64_t>, staged<bool>> all;
  std::size_t next = 0;
  visit_parameters(net, [&]<class T>(parameter_of<T>& p, std::string_view name) {
    std::size_t const i = next++;
    if (found[i] < 0) return;
    io::array const& a = arrays[static_cast<std::size_t>(found[i])];
    if (a.shape.size() > static_cast<std::size_t>(max_rank))
      throw parameter_error("sinter: " + file + ": " + a.name + " has " + std::to_string(a.shape.size()) +
                            " dimensions, and a tensor at most eight");
    for (extent e : a.shape) shapes[i].push(e);
    buffer<T> const values(io::detail::checked_count(a), false);
    io::detail::copy_elements(a, values.data(), options.cast_dtype);
    if (auto const [other, is_new] = shared.try_emplace(p.prepare(shapes[i]), std::string(name), &a);
        !is_new && (other->second.second->shape != a.shape || other->second.second->data != a.data))
      throw parameter_error("sinter: parameters " + io::in_quotes(other->second.first) + " and " + io::in_quotes(name) +
                            " share their values, and " + file + " has different ones for them");
    std::get<staged<T>>(all).values.push_back(values);
  });
  // Nothing below throws: no names are made, and no memory is asked for.
  next = 0;
  visit_parameters(
      net,
      [&]<class T>(parameter_of<T>& p, std::string_view) {
        std::size_t const i = next++;
        staged<T>& s = std::get<staged<T>>(all);
        if (found[i] >= 0) p.take(shapes[i], s.values[s.next++]);
      },
      {}, false);
}

// MXNet's params files, of `export` and of `save_parameters`: by structural name, or for names with counters (dense0_weight) by order,
// ending and shape. Throws file_error for a damaged file and parameter_error where file and network do not fit.
//   nn::load_parameters(net, "digits-0010.params", {.ignore_extra = true, .cast_dtype = true});
template <class M> void load_parameters(M& net, std::string const& path, load_options const& options = {}) {
  set_parameters(net, io::read_params(path), path, options);
}

}  // namespace sinter::nn::inline SINTER_ISA
