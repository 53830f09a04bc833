// SPDX-License-Identifier: Apache-2.0
// A network's parameters from a file.
#pragma once
#include <any>
#include <map>

#include "../io/cast.hpp"
#include "../io/format.hpp"
#include "../io/match.hpp"
#include "../ops/registry.hpp"
#include "visit.hpp"

namespace sinter::nn::inline SINTER_ISA {
using io::load_options;
using io::load_result;
}  // namespace sinter::nn::inline SINTER_ISA

namespace sinter::nn::detail::inline SINTER_ISA {

// The elements of an array, which are there, or are read or mapped now.
template <class T>
buffer<T> elements_of(std::vector<io::array> const& arrays, std::size_t i, io::array_access const& access, std::string const& file,
                      load_options const& options) {
  io::array const& a = arrays[i];
  if (access.read && a.type == dtype_of<T>) {
    if (auto const at = options.map && access.map ? access.map(i) : nullptr) {
      using owner = std::shared_ptr<std::byte>;
      return buffer<T>(reinterpret_cast<T*>(at.get()), new owner(at), [](void* o) { delete static_cast<owner*>(o); });
    }
    auto const bytes = io::size_in_bytes(a);
    buffer<T> const values(bytes / sizeof(T), false);
    io::detail::prefer_large_pages(values.data(), bytes);
    access.read(i, {reinterpret_cast<std::byte*>(values.data()), bytes});
    return values;
  }
  if (access.read) return elements_of<T>({io::read_array(a, i, access, file)}, 0, {}, file, options);
  buffer<T> const values(io::detail::checked_count(a), false);
  io::detail::prefer_large_pages(values.data(), io::detail::checked_count(a) * sizeof(T));
  try {
    io::detail::copy_elements(a, values.data(), options.cast_dtype);
  } catch (dtype_error const& e) { throw dtype_error("sinter: " + file + ": " + reason_of(e)); }
  return values;
}
// Do two parameters that share their values get the same ones?
template <class T> bool same_bits(std::any const& a, std::any const& b, dims const& shape) {
  return std::memcmp(std::any_cast<buffer<T> const&>(a).data(), std::any_cast<buffer<T> const&>(b).data(),
                     static_cast<std::size_t>(shape.size()) * sizeof(T)) == 0;
}

}  // namespace sinter::nn::detail::inline SINTER_ISA

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

// Which array each parameter gets, or -1. A file may have what parameters share once, under the name of the first, as Gluon's
// save_parameters(f, deduplicate=True) writes it.
template <class M>
std::vector<int> arrays_for(M const& net, std::vector<io::array> const& arrays, std::string const& file, load_options const& options,
                            io::array_order order = io::array_order::unknown) {
  std::vector<io::wanted> want = wanted_by(net);
  std::map<void const*, std::string> first;
  std::vector<bool> left_out(want.size());
  std::size_t next = 0;
  visit_parameters(net, [&](auto& p, std::string_view name) {
    auto const in_file = [&](std::string_view wanted) {
      return std::any_of(arrays.begin(), arrays.end(), [&](io::array const& a) { return options.names(a.name) == wanted; });
    };
    auto const [other, is_new] = first.try_emplace(p.identity(), name);
    left_out[next++] = !is_new && in_file(other->second) && !in_file(name);
  });
  if (std::find(left_out.begin(), left_out.end(), true) == left_out.end()) return io::match(arrays, want, file, options, order);
  std::vector<io::wanted> named;
  named.reserve(want.size());
  for (std::size_t i = 0; i < want.size(); ++i)
    if (!left_out[i]) named.push_back(want[i]);
  std::vector<int> const some = io::match(arrays, named, file, options, order);
  std::vector<int> all;
  all.reserve(left_out.size());
  next = 0;
  for (bool const out : left_out) all.push_back(out ? -1 : some[next++]);
  return all;
}

// Gives the network's parameters the values of `arrays`: all or, where an exception says why, none. `file` names them in errors. Where
// there is `access.read`, the arrays have no elements, and it reads them (io/array_file.hpp). What was missing and what was left over is
// returned; a parameter that shares the values of another one is not missing.
template <class M>
load_result set_parameters(M& net, std::vector<io::array> const& arrays, std::string const& file, load_options const& options = {},
                           io::array_access const& access = {}) {
  std::vector<int> const found = arrays_for(net, arrays, file, options, access.order);
  std::vector<dims> shapes(found.size());
  std::map<void const*, std::pair<std::string, std::size_t>> shared;
  std::vector<std::pair<std::string, void const*>> absent;
  list<std::any> values_of(static_cast<int>(found.size()));  // a buffer<T> for each, before any parameter changes
  std::size_t next = 0;
  visit_parameters(net, [&]<class T>(parameter_of<T>& p, std::string_view name) {
    std::size_t const i = next++;
    if (found[i] < 0) {
      absent.emplace_back(name, p.identity());
      return;
    }
    auto const k = static_cast<std::size_t>(found[i]);
    io::array const& a = arrays[k];
    if (a.shape.size() > static_cast<std::size_t>(max_rank))
      throw parameter_error("sinter: " + file + ": " + a.name + " has " + std::to_string(a.shape.size()) +
                            " dimensions, and a tensor at most eight");
    for (extent e : a.shape) shapes[i].push(e);
    std::any& values = values_of[static_cast<int>(i)];
    values = detail::elements_of<T>(arrays, k, access, file, options);
    auto const [other, is_new] = shared.try_emplace(p.prepare(shapes[i]), std::string(name), i);
    if (std::size_t const first = other->second.second;
        !is_new && (!(shapes[first] == shapes[i]) || !detail::same_bits<T>(values_of[static_cast<int>(first)], values, shapes[i])))
      throw parameter_error("sinter: parameters " + io::in_quotes(other->second.first) + " and " + io::in_quotes(name) +
                            " share their values, and " + file + " has different ones for them");
  });
  load_result result;
  for (auto const& [name, identity] : absent)
    if (!shared.contains(identity)) result.missing.push_back(name);
  std::vector<bool> taken(arrays.size());
  for (int const k : found)
    if (k >= 0) taken[static_cast<std::size_t>(k)] = true;
  for (std::size_t k = 0; k < taken.size(); ++k)
    if (!taken[k]) result.extra.push_back(arrays[k].name);
  // Nothing below throws: no names are made, and no memory is asked for.
  next = 0;
  visit_parameters(
      net,
      [&]<class T>(parameter_of<T>& p, std::string_view) {
        std::size_t const i = next++;
        if (found[i] >= 0) p.take(shapes[i], *std::any_cast<buffer<T>>(&values_of[static_cast<int>(i)]));
      },
      {}, false);
  return result;
}
// The same from a file that was opened.
template <class M> load_result set_parameters(M& net, io::array_file const& file, load_options const& options = {}) {
  if (options.by_order && file.access.order == io::array_order::sorted)
    throw parameter_error(
        "sinter: " + file.path +
        " has its arrays sorted by name, as every safetensors file, and not in the order of the parameters: leave .by_order out, "
        "and say with .names what they are called in the network");
  return set_parameters(net, file.arrays, file.path, options, file.access);
}
// From MXNet's params files, of `export` and of `save_parameters`, and, where the program includes sinter/io/safetensors.hpp or
// sinter/io/npz.hpp, from those: by structural name, or for names with counters (dense0_weight), in a file that keeps an order, by order,
// ending and shape. Throws file_error for a damaged file and parameter_error where file and network do not fit.
//   auto const [missing, extra] = nn::load_parameters(net, "digits-0010.params", {.ignore_extra = true, .cast_dtype = true});
template <class M> load_result load_parameters(M& net, std::string const& path, load_options const& options = {}) {
  return set_parameters(net, io::open_arrays(path), options);
}
// From the bytes of such a file, which errors call by its format ("a safetensors file in memory, at byte 8"). They are copied.
//   nn::load_parameters(net, std::as_bytes(std::span(embedded)));
template <class M> load_result load_parameters(M& net, std::span<std::byte const> bytes, load_options const& options = {}) {
  return set_parameters(net, io::parse_arrays(bytes), options);
}

}  // namespace sinter::nn::inline SINTER_ISA

namespace sinter {
inline namespace SINTER_ISA {
template <class M> io::load_result load_parameters_of(in_sinter, M& net, std::string const& path, io::load_options const& options = {}) {
  return nn::load_parameters(net, path, options);
}
template <class M>
io::load_result load_parameters_of(in_sinter, M& net, std::span<std::byte const> bytes, io::load_options const& options = {}) {
  return nn::load_parameters(net, bytes, options);
}
}  // namespace SINTER_ISA
}  // namespace sinter
