// SPDX-License-Identifier: Apache-2.0
// What every block can do with its parameters and its blocks, whether it can be compiled or not.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "../core/hash.hpp"
#include "../ops/registry.hpp"
#include "visit.hpp"

namespace sinter::io {
struct load_options;
struct save_options;
}  // namespace sinter::io

namespace sinter::nn {

class parameter_dict;

namespace detail::inline SINTER_ISA {
// What summary() says of a network's parameters.
class parameter_lines {
 public:
  SINTER_NOINLINE void add(std::string_view name, dtype type, dims const& shape, void const* identity) {
    text_ += std::string(name) + (type == dtype::float32 ? "" : " " + std::string(name_of(type))) + " " + to_string(shape);
    int first = 0;
    while (first < met_.size() && met_[first] != identity) ++first;
    bool const is_shared = first < met_.size();
    if (shape.fixed()) text_ += ": " + std::to_string(shape.size()) + (is_shared ? ", shared" : "");
    text_ += "\n";
    ++all_;
    if (!shape.fixed()) ++unknown_;
    else if (!is_shared) values_ += shape.size();
    met_.push(identity);
  }
  std::string text() const {
    return text_ + std::to_string(values_) + " values" +
           (unknown_ ? ", and " + std::to_string(unknown_) + " of " + std::to_string(all_) + " shapes not known yet\n" : "\n");
  }

 private:
  std::string text_;
  list<void const*> met_;
  extent values_ = 0;
  int all_ = 0, unknown_ = 0;
};
}  // namespace detail::inline SINTER_ISA

template <class D> struct block_functions {
  // Every parameter under this block gets its first values from `how`; zeros for biases, ones for gammas.
  SINTER_OWN constexpr void initialize(init::spec how = init::uniform{}, std::uint64_t seed = 0) {
    visit_parameters_twice(self(), [&](auto& p, std::string_view name, bool again) {
      init::spec const first = init::for_name(how, name);
      if (again) p.initialize(first, random_bits(seed, hash_of(name)));
      else p.check(first, name);
    });
  }
  template <class How>
    requires(!std::is_convertible_v<How const&, init::spec>)
  SINTER_UNAVAILABLE("initialize() takes how the first values are made, and then the seed: net.initialize(init::xavier{}, 42)")
  constexpr void initialize(How const&, std::uint64_t = 0) const {}
  // The parameters as a file, and back: nn::save_parameters and nn::load_parameters, in nn/save.hpp and nn/load.hpp.
  //   net.save_parameters("digits.params");   auto const [missing, extra] = net.load_parameters("digits.params", {.ignore_extra = true});
  SINTER_OWN void save_parameters(std::string const& path) const {
    SINTER_CALL_FROM("nn/save.hpp", save_parameters_of(in_sinter{}, self(), path));
  }
  SINTER_OWN void save_parameters(std::string const& path, io::save_options const& options) const {
    SINTER_CALL_FROM("nn/save.hpp", save_parameters_of(in_sinter{}, self(), path, options));
  }
  SINTER_OWN auto load_parameters(std::string const& path) {
    SINTER_RETURN_FROM("nn/load.hpp", load_parameters_of(in_sinter{}, self(), path));
  }
  SINTER_OWN auto load_parameters(std::string const& path, io::load_options const& options) {
    SINTER_RETURN_FROM("nn/load.hpp", load_parameters_of(in_sinter{}, self(), path, options));
  }
  // The same from the bytes of a file.
  SINTER_OWN auto load_parameters(std::span<std::byte const> bytes) {
    SINTER_RETURN_FROM("nn/load.hpp", load_parameters_of(in_sinter{}, self(), bytes));
  }
  SINTER_OWN auto load_parameters(std::span<std::byte const> bytes, io::load_options const& options) {
    SINTER_RETURN_FROM("nn/load.hpp", load_parameters_of(in_sinter{}, self(), bytes, options));
  }
  // A network as files that other programs read, with its parameters, which have values. Each is in a header of its own, which only who writes
  // such files includes. X: the inputs, as shapes of floats or tensor types; files note them, and the shapes of the outputs.
  // Gluon's export: PATH-symbol.json and PATH-0000.params, which MXNet loads (symbol/export.hpp).
  //   net.export_("digits");   net.export_<shape<dim<"batch">, 784>>("digits", 3);
  // NOLINTNEXTLINE(readability-identifier-naming): `export` is a keyword
  template <class... X> SINTER_OWN void export_(std::string const& path, int epoch = 0) const {
    SINTER_CALL_FROM("symbol/export.hpp", export_network<X...>(in_sinter{}, self(), path, epoch));
  }
  // An ONNX model, which wants to know the inputs; dimensions with names stay free (onnx/export.hpp).
  //   net.export_onnx<shape<dim<"batch">, 784>>("digits.onnx");
  template <class... X> SINTER_OWN void export_onnx(std::string const& path) const {
    static_assert(sizeof...(X) > 0, "sinter: an ONNX model says what its inputs are: net.export_onnx<shape<dim<\"batch\">, 784>>(file)");
    if constexpr (sizeof...(X) > 0) { SINTER_CALL_FROM("onnx/export.hpp", export_onnx_network<X...>(in_sinter{}, self(), path)); }
  }
  // One file with the graph and the weights: a safetensors file (symbol/one_file.hpp). `load` takes the weights back; a file of another network is refused with
  // the first difference, and symbol_block::load runs it without this type.
  //   net.save("digits.safetensors");   again.load("digits.safetensors");
  template <class... X> SINTER_OWN void save(std::string const& path) const {
    SINTER_CALL_FROM("symbol/one_file.hpp", save_network<X...>(in_sinter{}, self(), path));
  }
  template <class... X> SINTER_OWN D& load(std::string const& path) {
    SINTER_CALL_FROM("symbol/one_file.hpp", load_network<X...>(in_sinter{}, self(), path));
    return self();
  }
  // Of a file whose arrays another program has converted: again.load("half.safetensors", {.cast_dtype = true});
  template <class... X> SINTER_OWN D& load(std::string const& path, io::load_options const& options) {
    SINTER_CALL_FROM("symbol/one_file.hpp", load_network<X...>(in_sinter{}, self(), path, options));
    return self();
  }
  // Copies the parameters to a device now; otherwise the first call there does it. A network runs where its inputs lie.
  //   auto const fast = net.to(device::gpu).hybridize();   auto y = fast(x.to(device::gpu));
  template <device::place Device> SINTER_OWN D const& to(Device) const {
    visit_parameters(self(), [](auto const& p, std::string_view) {
      if (p.has_values()) p.template storage<Device>();
    });
    return self();
  }
  // Its parameters, states and constants as a dictionary of handles (nn/collect.hpp); with a pattern those whose names match it, as Gluon
  // matches: net.collect_params(".*weight|.*bias")
  SINTER_OWN parameter_dict collect_params() const;
  SINTER_OWN parameter_dict collect_params(std::string_view pattern) const;
  // From now on it has the parameters of `other`, which has the same structure, or those of a dictionary, each under its name. What is
  // written to one is seen by both, in compiled networks as well (nn/share.hpp).
  //   decoder.share_parameters(encoder);   decoder.share_parameters(encoder.collect_params(".*weight"));
  template <block_like Other> SINTER_OWN D& share_parameters(Other const& other);
  SINTER_OWN D& share_parameters(parameter_dict const& shared);
  // The same network with parameters of its own, of the same values; what shares values in it shares them in the copy. `auto b = a` is a second
  // name for the parameters of a (nn/copy.hpp).
  [[nodiscard("sinter: copy() changes nothing, it returns a network with parameters of its own")]] SINTER_OWN D copy() const;
  // States become what they begin with, and parameters stay; so do statistics that a layer has learned, those of batch_norm (nn/copy.hpp).
  SINTER_OWN void reset_states() const;
  // Calls f(block) for every block in it, children before their parent, and at last for itself (nn/apply.hpp).
  //   net.apply([](auto& block) { std::cout << block << "\n"; });
  template <class F> SINTER_OWN constexpr D& apply(F f);
  template <class F> SINTER_OWN constexpr D const& apply(F f) const;
  // A line for each parameter, with what is known of its shape (`hidden.weight (128, 64): 8192`), and how many values there are. What
  // parameters share is counted once.
  SINTER_OWN std::string summary() const {
    detail::parameter_lines lines;
    visit_parameters(self(), [&]<class T>(parameter_of<T>& p, std::string_view name, dims const& declared) {
      lines.add(name, dtype_of<T>, p.shape().rank < 0 ? declared : p.shape(), p.identity());
    });
    return lines.text();
  }
  // A table of the calls that net(x...) makes: each block with its type, the shape of its result and the number of its parameters. A shape
  // stands for a tensor of zeros (nn/table.hpp).
  template <class X, class... More> SINTER_OWN std::string summary(X const& x, More const&... more) const;

 protected:
  SINTER_OWN constexpr D& self() { return static_cast<D&>(*this); }
  SINTER_OWN constexpr D const& self() const { return static_cast<D const&>(*this); }
  SINTER_OWN void say_where(error& e) const {
    detail::member_finder found(e);
    list<char> path;
    detail::walk(self(), found, &path);
    found.put_before(e, &self(), &type_tag<D>);
  }
};

}  // namespace sinter::nn
