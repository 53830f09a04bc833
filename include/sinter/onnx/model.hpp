// SPDX-License-Identifier: Apache-2.0
// A model from an ONNX file, run by the interpreter.
#pragma once
#include <deque>
#include <mutex>

#include "../io/file.hpp"
#include "../symbol/declared.hpp"
#include "external.hpp"
#include "functions.hpp"
#include "order.hpp"
#include "parse.hpp"
#include "structure.hpp"
#include "subgraphs.hpp"
#include "verify.hpp"

namespace sinter::onnx::inline SINTER_ISA {

//   auto const net = onnx::load("lenet.onnx");
//   auto const y = net(x)[0].as<nd::tensor<float, shape<32, 10>>>();
// A call with inputs of new shapes plans the model for these, and the latest plans are kept. So it is where the elements of an input decide
// shapes, as that of a Reshape does, or branches and turns of If, Loop and Scan: then a plan holds for these elements. Calls may come from
// several threads; they follow one another.
class model {
 public:
  // What is wrong with the model is a file_error with `file` as its name.
  explicit model(model_proto proto, std::string const& file = "the model")
      : proto_(std::make_shared<model_proto>(in_order(without_functions(std::move(proto), file), file))),
        file_(file),
        opset_(detail::verifier(*proto_, file).run()) {
    for (string_pair const& p : proto_->metadata)
      if (p.key == detail::structure_key)
        if (auto const what = io::changed_structure(p.value, detail::structure_of(*proto_), detail::structure_key); !what.empty())
          throw file_error(file, what);
  }
  model_proto const& proto() const { return *proto_; }
  // Names, dtypes and shapes of inputs and outputs, as the file has them.
  std::string signature() const { return signature_of(*proto_); }
  std::vector<std::string> input_names() const {
    std::vector<std::string> r;
    for (value const& v : proto_->graph.inputs)
      if (!default_of(v.name)) r.push_back(v.name);
    return r;
  }
  std::vector<std::string> output_names() const {
    std::vector<std::string> r;
    r.reserve(proto_->graph.outputs.size());
    for (value const& v : proto_->graph.outputs) r.push_back(v.name);
    return r;
  }
  // The outputs in their order, for these values of the inputs by their names, or in the order of input_names(). What does not fit is a
  // shape_error or a dtype_error.
  sym::results operator()(sym::arrays_by_name const& inputs) const {
    std::lock_guard<std::mutex> const hold(made_->one_at_a_time);
    planned const& p = given(inputs);
    return within_memory(p.largest, [&] { return p.run->forward_to_new(); });
  }
  // How many seconds each kernel of plan(inputs) takes in one run.
  std::vector<double> kernel_times(sym::arrays_by_name const& inputs) const {
    std::lock_guard<std::mutex> const hold(made_->one_at_a_time);
    planned const& p = given(inputs);
    return within_memory(p.largest, [&] { return p.run->kernel_times(); });
  }
  template <class... X>
    requires(sizeof...(X) > 0 && (nd::is_tensor<X> && ...))
  sym::results operator()(X const&... x) const {
    std::vector<std::string> const names = input_names();
    if (names.size() != sizeof...(X))
      throw error("sinter: a model with " + io::counted(names.size(), "input") + " is called with " + std::to_string(sizeof...(X)));
    sym::arrays_by_name inputs;
    std::size_t i = 0;
    (inputs.emplace(names[i++], x), ...);
    return (*this)(inputs);
  }
  // The model as a symbol, whose variables are inputs and initializers under their names, for inputs of these shapes.
  symbol symbol_for(sym::arrays_by_name const& inputs) const {
    std::set<std::string> read;
    return compose(inputs, read).s;
  }
  // The same for inputs of these types, whose dimensions may have names. `decides`: the inputs whose elements would decide what is composed,
  // where it throws for that.
  symbol symbol_for(sym::types_by_name const& types, std::set<std::string>& decides) const { return compose(types, {}, decides).s; }
  // What runs for these inputs.
  sinter::plan const& plan(sym::arrays_by_name const& inputs) const {
    std::lock_guard<std::mutex> const hold(made_->one_at_a_time);
    return plan_for(inputs).run->plan();
  }

 private:
  struct planned {
    std::map<std::string, array_type> types;
    sym::arrays_by_name read;  // copies of the inputs whose elements the plan depends on
    std::set<std::string> used;  // the inputs that the plan has
    std::string largest;  // its largest array, in words
    std::unique_ptr<sym::executor> run;
    bool holds_for(sym::arrays_by_name const& given) const {
      if (given.size() != types.size()) return false;
      for (auto const& [name, type] : types)
        if (auto const at = given.find(name); at == given.end() || !(array_type{at->second.type(), at->second.shape()} == type))
          return false;
      for (auto const& [name, a] : read)
        if (std::memcmp(a.data(), given.at(name).data(), bytes(a)) != 0) return false;
      return true;
    }
  };
  struct plans {
    std::mutex one_at_a_time;
    std::deque<planned> all;  // the latest first
  };
  static constexpr std::size_t most_plans = 16;
  std::shared_ptr<model_proto const> proto_;  // copies of a model share it
  std::string file_;
  int opset_;
  std::shared_ptr<plans> made_ = std::make_shared<plans>();

  static std::size_t bytes(sym::array const& a) { return static_cast<std::size_t>(a.shape().size() * bytes_of(a.type())); }
  static sym::array copy(sym::array const& from) {
    sym::array r(from.type(), from.shape());
    if (bytes(from) != 0) std::memcpy(r.data(), from.data(), bytes(from));
    return r;
  }
  tensor const* default_of(std::string const& name) const {
    for (tensor const& t : proto_->graph.initializers)
      if (t.name == name) return &t;
    return nullptr;
  }
  // The result of f. Too little memory is an error that says how large the largest array is.
  template <class F> std::invoke_result_t<F&> within_memory(std::string const& largest, F f) const {
    auto const say = [&] {
      return "sinter: " + file_ + ": there is not enough memory for the model" + (largest.empty() ? "" : ": " + largest);
    };
    try {
      return f();
    } catch (std::bad_alloc const&) { throw error(say()); } catch (std::length_error const&) {
      throw error(say());
    }
  }
  planned& given(sym::arrays_by_name const& inputs) const {
    planned& p = plan_for(inputs);
    for (std::string const& name : p.used) p.run->set(name, inputs.at(name));
    return p;
  }
  planned& plan_for(sym::arrays_by_name const& inputs) const {
    check(inputs);
    std::deque<planned>& all = made_->all;
    for (auto at = all.begin(); at != all.end(); ++at)
      if (at->holds_for(inputs)) {
        std::rotate(all.begin(), at, at + 1);
        return all.front();
      }
    planned p;
    std::set<std::string> read;
    composition const made = compose(inputs, read);
    sym::arrays_by_name used;
    for (std::string const& name : made.s.list_arguments())
      if (auto const at = inputs.find(name); at != inputs.end()) used.insert(*at), p.used.insert(name);
    for (auto const& [name, a] : inputs) p.types[name] = {a.type(), a.shape()};
    for (std::string const& name : read) p.read.emplace(name, copy(inputs.at(name)));
    p.largest = made.largest;
    p.run = within_memory(p.largest, [&] { return std::make_unique<sym::executor>(made.s, used); });
    all.push_front(std::move(p));
    if (all.size() > most_plans) all.pop_back();
    return all.front();
  }
  struct composition {
    symbol s;
    std::string largest;
  };
  composition compose(sym::arrays_by_name const& inputs, std::set<std::string>& read) const {
    sym::types_by_name types;
    for (auto const& [name, a] : inputs) types[name] = {a.type(), a.shape()};
    return compose(types, inputs, read);
  }
  composition compose(sym::types_by_name const& types, sym::arrays_by_name const& inputs, std::set<std::string>& read) const {
    detail::composer c(types, inputs, file_);
    detail::environment all(c, opset_);
    for (value const& v : proto_->graph.inputs)
      if (types.contains(v.name)) all.define(v.name, c.input(v.name));
    try {
      all.run(proto_->graph);
      std::vector<symbol> outputs;
      for (detail::term const& t : all.outputs(proto_->graph)) {
        if (c.is_open(t)) throw file_error(file_, "an output is made of extents, of which some have no number");
        outputs.push_back(t.s.node(0).is_variable() ? c.call("identity", {t}).s : t.s);
      }
      read = c.read();
      return {sym::group(outputs), c.largest()};
    } catch (...) {
      read = c.read();
      throw;
    }
  }
  // The inputs are those that the model declares. The names of their dimensions are hints: files have one for extents that differ.
  void check(sym::arrays_by_name const& inputs) const {
    for (auto const& [name, a] : inputs) {
      auto const& all = proto_->graph.inputs;
      if (std::none_of(all.begin(), all.end(), [&](value const& v) { return v.name == name; }))
        throw error("sinter: the model has no input " + io::in_quotes(name) + "; it has " + io::listed(input_names()));
    }
    sym::input_check check(true);
    for (value const& v : proto_->graph.inputs) {
      auto const at = inputs.find(v.name);
      if (at == inputs.end() && default_of(v.name)) continue;
      if (at == inputs.end()) throw error("sinter: the input " + io::in_quotes(v.name) + " of the model has no value");
      if (!v.is_tensor)
        throw dtype_error("sinter: the input " + io::in_quotes(v.name) + " of the model is no tensor (a sequence, a map or optional)");
      sym::declared_input d{v.name, v.type == element::undefined ? at->second.type() : dtype_of(v.type), v.has_shape, {}};
      for (dimension const& e : v.shape) d.shape.push_back({e.extent, {}});
      check(d, {at->second.type(), at->second.shape()});
    }
  }
};

// A model from a file. What is no ONNX model, damaged, or has an operator or an attribute that sinter has not is a file_error.
// Elements that it keeps in other files beside it are read as well.
inline model load(std::string const& path) {
  model_proto m = parse_model(io::read_file(path), path);
  detail::external_reader(path).read(m);
  return model(std::move(m), path);
}

}  // namespace sinter::onnx::inline SINTER_ISA
