// SPDX-License-Identifier: Apache-2.0
// A network's parameters from a file.
#pragma once
#include <variant>
#include <vector>

#include "../io/match.hpp"
#include "../io/params.hpp"
#include "visit.hpp"

namespace sinter::nn::inline SINTER_ISA {

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

// Gives the network's parameters the values of `arrays`; all or nothing. `file` names them in errors.
template <class M> void set_parameters(M& net, std::vector<io::array> const& arrays, std::string const& file, bool allow_extra = false) {
  std::vector<int> const found = io::match(arrays, wanted_by(net), file, allow_extra);
  for (int i : found)
    if (io::array const& a = arrays[static_cast<std::size_t>(i)]; a.shape.size() > static_cast<std::size_t>(max_rank))
      throw parameter_error("sinter: " + file + ": " + a.name + " has " + std::to_string(a.shape.size()) +
                            " dimensions, and a tensor at most eight");
  // What can fail comes first; to give the parameters their values then, without their names, takes no memory.
  struct value {
    dims shape;
    std::variant<buffer<float>, buffer<double>, buffer<std::int32_t>, buffer<std::int64_t>, buffer<bool>> elements;
  };
  std::vector<value> values;
  visit_parameters(net, [&]<class T>(parameter_of<T>& p, std::string_view) {
    io::array const& a = arrays[static_cast<std::size_t>(found[values.size()])];
    dims shape;
    for (extent e : a.shape) shape.push(e);
    p.check(shape);
    buffer<T> const copy(static_cast<std::size_t>(io::element_count(a)));
    io::copy_to(a, copy.data());
    values.push_back({shape, copy});
  });
  std::size_t next = 0;
  auto const give = [&]<class T>(parameter_of<T>& p, std::string_view) {
    p.take(values[next].shape, std::get<buffer<T>>(values[next].elements));
    ++next;
  };
  visit_parameters(net, give, detail::ignore_blocks{}, false);
}

// MXNet's params files, of `export` and of `save_parameters`: by structural name, or for names with counters (dense0_weight) by order,
// ending and shape. Throws file_error for a damaged file and parameter_error where file and network do not fit.
template <class M> void load_parameters(M& net, std::string const& path, bool allow_extra = false) {
  set_parameters(net, io::read_params(path), path, allow_extra);
}

}  // namespace sinter::nn::inline SINTER_ISA
