// SPDX-License-Identifier: Apache-2.0
// A network from the files that Gluon's export writes, called with arrays of any shape that it takes.
#pragma once
#include "../io/safetensors.hpp"
#include "declared.hpp"
#include "input_names.hpp"
#include "json.hpp"

namespace sinter {

class symbol_block;

namespace sym::inline SINTER_ISA {

// An array of a file. A shape_error or dtype_error where there are no such arrays.
inline array array_of(io::array const& from) {
  if (from.shape.size() > static_cast<std::size_t>(max_rank))
    throw shape_error("sinter: " + io::in_quotes(from.name) + " has " + std::to_string(from.shape.size()) +
                      " dimensions, and an array has at most " + std::to_string(max_rank));
  dims shape;
  for (extent const e : from.shape) shape.push(e);
  array r(from.type, shape);
  if (!from.data.empty()) std::memcpy(r.data(), from.data.data(), from.data.size());
  return r;
}
inline io::array file_array_of(std::string name, array const& from) {
  io::array r{std::move(name), from.type(), {}, {}};
  for (int i = 0; i < from.shape().rank; ++i) r.shape.push_back(from.shape().d[i]);
  r.data.assign(from.data(), from.data() + from.shape().size() * bytes_of(from.type()));
  return r;
}

// The arrays of a file of parameters, in any format that the program reads, by their names without `arg:` or `aux:`.
inline arrays_by_name values_in(std::string const& path) {
  arrays_by_name values;
  io::array_file const file = io::open_arrays(path);
  for (std::size_t i = 0; i < file.arrays.size(); ++i) {
    std::string const name(io::detail::bare_name(file.arrays[i].name));
    try {
      if (!values.emplace(name, array_of(io::read_array(file, i))).second) throw error("two arrays are named so");
    } catch (file_error const&) { throw; } catch (error const& e) {
      throw file_error(path, "array " + io::in_quotes(name) + ": " + reason_of(e));
    }
  }
  return values;
}
// The variables of a graph that these values leave, in the order of a call.
inline std::vector<std::string> left_by(arrays_by_name const& values, std::vector<std::string> variables) {
  std::erase_if(variables, [&](std::string const& name) { return values.contains(name); });
  return in_order_of_call(std::move(variables));
}
// Inputs are variables of the graph, each once. `params_file` is where the values come from, if they come from a file.
inline void check_inputs(std::string const& file, std::vector<std::string> const& inputs, std::vector<std::string> const& variables,
                         std::string const& params_file, arrays_by_name const& values) {
  for (auto at = inputs.begin(); at != inputs.end(); ++at) {
    if (std::find(inputs.begin(), at, *at) != at) throw error("sinter: " + file + ": the input " + io::in_quotes(*at) + " is named twice");
    if (std::find(variables.begin(), variables.end(), *at) != variables.end()) continue;
    std::string what = "sinter: " + file + ": there is no variable " + io::in_quotes(*at);
    if (params_file.empty()) what.append("; no file of parameters was given, and the variables are ").append(io::listed(variables));
    else what.append("; those that ").append(params_file).append(" leaves are ").append(io::listed(left_by(values, variables)));
    throw error(what);
  }
}

// What is wrong with the parameters of a graph, as one sentence.
class parameter_list {
 public:
  void add(char const* what, std::vector<std::string> const& names) {
    if (names.empty()) return;
    text_ += (text_.empty() ? "" : "; ") + std::string(what) + " ";
    for (std::size_t i = 0; i < names.size() && i < most; ++i) text_ += (i ? ", " : "") + names[i];
    if (names.size() > most) text_ += " and " + std::to_string(names.size() - most) + " more";
  }
  void finish(std::string const& file) const {
    if (!text_.empty()) throw parameter_error("sinter: " + file + " and the graph do not fit: " + text_);
  }

 private:
  static constexpr std::size_t most = 20;
  std::string text_;
};

}  // namespace sym::inline SINTER_ISA

// Calls may come from several threads; they follow one another.
//   auto const net = symbol_block::imports("digits-symbol.json", {"data"}, "digits-0000.params");
//   auto const y = net(x)[0].as<nd::tensor<float, shape<32, 10>>>();
class symbol_block {
 public:
  // `inputs`: the variables that a call gives, in this order; every other one is in the file of parameters, by its name, with `arg:` or
  // `aux:` before it or without. Without a file there are no others. What is missing, not in the graph or of another shape is listed in one
  // parameter_error; a parameter that does not fit the attributes of a node is a file_error that names both. The file may have any format
  // of io/format.hpp: params and safetensors, and .npz where io/npz.hpp is included.
  static symbol_block imports(std::string const& symbol_file, std::vector<std::string> const& inputs, std::string const& params_file = {}) {
    sym::arrays_by_name values;
    if (!params_file.empty()) values = sym::values_in(params_file);
    std::string const text = sym::text_of_file(symbol_file);
    return of_graph(sym::mxnet::text_reader::read(text, symbol_file), symbol_file, inputs, values, params_file);
  }
  // From the one file that net.save() writes (one_file.hpp). The inputs are those of the network, in its order.
  //   auto const net = symbol_block::load("digits.safetensors");
  template <class In = in_sinter> static symbol_block load(std::string const& file) {
    SINTER_RETURN_FROM("symbol/one_file.hpp", block_in_file(In{}, file, &of_graph));
  }
  // Of any symbol whose parameters have their values. With a signature, inputs have the dtypes and ranks that it says, and
  // dimensions of one name one extent; its numbers may be others.
  symbol_block(symbol const& s, std::vector<std::string> inputs, std::string signature = {})
      : symbol_(s), inputs_(std::move(inputs)), signature_(std::move(signature)) {
    if (auto declared = sym::inputs_in(signature_, inputs_)) declared_ = std::move(*declared);
  }
  // The same as files: both of Gluon's export, and the one file. What was read is written as it was.
  // NOLINTNEXTLINE(readability-identifier-naming): `export` is a keyword
  template <class In = in_sinter> void export_(std::string const& path, int epoch = 0) const {
    SINTER_CALL_FROM("symbol/export.hpp", export_block(In{}, path, graph(), epoch, signature_));
  }
  template <class In = in_sinter> void save(std::string const& file) const {
    SINTER_CALL_FROM("symbol/one_file.hpp", save_block(In{}, file, graph(), inputs_, signature_));
  }
  // Names, dtypes and shapes of inputs and outputs as the file notes them: `data: float32 (batch, 784) -> output0: float32 (batch, 10)`. Of a
  // file that notes nothing, the names.
  std::string signature() const {
    if (!signature_.empty()) return signature_;
    std::string r;
    for (std::string const& name : inputs_) r += (r.empty() ? "" : ", ") + name;
    r += " ->";
    for (std::string const& name : symbol_.list_outputs()) r += (r.ends_with('>') ? " " : ", ") + name;
    return r;
  }

  // The outputs, an array each. What does not fit is a shape_error or a dtype_error.
  template <class... X>
    requires(std::is_constructible_v<sym::array, X> && ...)
  sym::results operator()(X const&... x) const {
    return call({sym::array(x)...});
  }
  sym::results call(std::vector<sym::array> const& x) const {
    std::lock_guard<std::mutex> const hold(made_->one_at_a_time);
    return given(x).forward_to_new();
  }
  // How many seconds each kernel of plan(x) takes in one run.
  std::vector<double> kernel_times(std::vector<sym::array> const& x) const {
    std::lock_guard<std::mutex> const hold(made_->one_at_a_time);
    return given(x).kernel_times();
  }
  // What runs for inputs of these dtypes and shapes.
  sinter::plan const& plan(std::vector<sym::array> const& x) const {
    std::lock_guard<std::mutex> const hold(made_->one_at_a_time);
    return run_for(x).plan();
  }
  symbol const& graph() const { return symbol_; }
  std::vector<std::string> const& inputs() const { return inputs_; }

 private:
  static constexpr std::size_t most_runs = 16;
  struct planned {
    std::vector<array_type> types;
    std::unique_ptr<sym::executor> run;
  };
  struct plans {
    std::mutex one_at_a_time;
    std::set<std::string> used;  // inputs that the graph reads
    std::deque<planned> all;  // the latest last
  };
  symbol symbol_;
  std::vector<std::string> inputs_;
  std::string signature_;
  std::vector<sym::declared_input> declared_;  // by the signature
  std::shared_ptr<plans> made_ = std::make_shared<plans>();

  // `file` has the graph, `params_file` the values, if there are any.
  static symbol_block of_graph(sym::mxnet::graph_text const& g, std::string const& file, std::vector<std::string> const& inputs,
                               sym::arrays_by_name const& values, std::string const& params_file) {
    std::vector<std::string> known;
    for (auto const& n : g.nodes)
      if (n.op == "null") known.push_back(n.name);
    sym::check_inputs(file, inputs, known, params_file, values);
    std::set<std::string> const free(inputs.begin(), inputs.end());
    sym::mxnet::graph_reader reader(file, values, free);
    symbol_block r(sym::group(reader.read(g)), inputs, sym::inputs_in(g.signature, inputs) ? g.signature : std::string());
    check_values(r.symbol_, free, values, {known.begin(), known.end()}, reader.misfits, file, params_file);
    if (auto const& all = reader.contradictions; !all.empty())
      throw file_error(file, all[0] + (all.size() == 1   ? ""
                                       : all.size() == 2 ? "; 1 more does not fit"
                                                         : "; " + std::to_string(all.size() - 1) + " more do not fit"));
    return r;
  }
  static void check_values(symbol const& s, std::set<std::string> const& free, sym::arrays_by_name const& values,
                           std::set<std::string> const& known, std::vector<std::string> const& misfits, std::string const& file,
                           std::string const& params_file) {
    std::vector<std::string> extra, missing;
    for (auto const& [name, value] : values)
      if (!known.contains(name)) extra.push_back(io::in_quotes(name));
    for (sym::composed const* k : s.nodes())
      if (k->is_variable() && !k->values && !free.contains(k->name)) missing.push_back(k->name);
    if (params_file.empty() && !missing.empty())
      throw parameter_error("sinter: " + file +
                            ": no file of parameters was given, and these variables are no inputs: " + io::listed(missing));
    for (std::string& name : missing) name = io::in_quotes(name);
    sym::parameter_list wrong;
    wrong.add("missing, and not named as inputs, are", missing);
    wrong.add("the graph has no", extra);
    wrong.add("of another shape are", misfits);
    wrong.finish(params_file);
  }
  sym::executor& given(std::vector<sym::array> const& x) const {
    sym::executor& run = run_for(x);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (made_->used.contains(inputs_[i])) run.set(inputs_[i], x[i]);
    return run;
  }
  sym::executor& run_for(std::vector<sym::array> const& x) const {
    if (x.size() != inputs_.size())
      throw error("sinter: a network with " + io::counted(inputs_.size(), "input") + " is called with " + std::to_string(x.size()));
    std::vector<array_type> types;
    types.reserve(x.size());
    for (sym::array const& a : x) types.push_back({a.type(), a.shape()});
    for (planned& p : made_->all)
      if (p.types == types) return *p.run;
    for (std::string const& name : symbol_.list_arguments()) made_->used.insert(name);
    sym::arrays_by_name given;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (made_->used.contains(inputs_[i])) given.emplace(inputs_[i], x[i]);
    std::unique_ptr<sym::executor> run;
    try {
      sym::input_check check(false);
      for (std::size_t i = 0; i < declared_.size(); ++i) check(declared_[i], types[i]);
      run = std::make_unique<sym::executor>(symbol_, given);
    } catch (shape_error const& e) {
      if (signature_.empty()) throw;
      throw shape_error(std::string(e.what()) + "; the file notes " + signature_);
    }
    if (made_->all.size() == most_runs) made_->all.pop_front();
    made_->all.push_back({std::move(types), std::move(run)});
    return *made_->all.back().run;
  }
};

}  // namespace sinter
