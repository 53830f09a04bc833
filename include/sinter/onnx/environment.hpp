// SPDX-License-Identifier: Apache-2.0
// A graph of a model while it is composed: its values by their names.
#pragma once
#include "operators.hpp"
#include "order.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

class environment {
 public:
  environment(composer& c, int opset, environment const* outer = nullptr) : c_(c), opset_(opset), outer_(outer) {}
  int opset() const { return opset_; }
  void define(std::string const& name, term t) { values_.insert_or_assign(name, std::move(t)); }
  term const& at(std::string const& name) const {
    if (auto const found = values_.find(name); found != values_.end()) return found->second;
    if (!outer_) throw error("sinter: the value " + io::in_quotes(name) + " is not known");
    return outer_->at(name);
  }
  // Composes the nodes of a graph, whose inputs are defined.
  void run(graph const& g) {
    for (tensor const& t : g.initializers)
      if (!values_.contains(t.name)) define(t.name, initializer(t));
    for (node const& n : g.nodes) run(n);
  }
  // The outputs of a graph that has run. They have the element types that it says.
  terms outputs(graph const& g) const {
    terms r;
    for (value const& v : g.outputs) {
      dtype const got = r.emplace_back(at(v.name)).type.type;
      if (v.is_tensor && v.type != element::undefined && dtype_of(v.type) != got)
        throw file_error(c_.file(), v.at,
                         "the output " + io::in_quotes(v.name) + " is " + std::string(name_of(got)) + ", and the graph says " +
                             std::string(name_of(v.type)));
    }
    return r;
  }

 private:
  composer& c_;
  int opset_;
  environment const* outer_;
  std::map<std::string, term, std::less<>> values_;

  term initializer(tensor const& t) {
    try {
      return c_.initializer(t, array_of);
    } catch (error const& e) { throw file_error(c_.file(), t.at, reason_of(e)); }
  }
  // Every error about the node names it. Those about nodes of its inner graphs name these.
  static void compose(operator_row const& row, site& k) {
    constexpr char const* no_memory = "there is not enough memory for an array of it";
    try {
      if (row.compose) row.compose(k);
      else k.give(k(row.plain, k.all()));
    } catch (names_node const&) { throw; } catch (file_error const&) {
      throw;
    } catch (dtype_error const& e) { k.c.fail<dtype_error>(reason_of(e)); } catch (error const& e) {
      k.fail(reason_of(e));
    } catch (std::bad_alloc const&) { k.fail(no_memory); } catch (std::length_error const&) {
      k.fail(no_memory);
    }
  }
  void run(node const& n) {
    std::vector<std::optional<term>> in;
    in.reserve(n.inputs.size());
    for (std::string const& name : n.inputs) in.push_back(name.empty() ? std::nullopt : std::optional(at(name)));
    while (!in.empty() && !in.back()) in.pop_back();
    operator_row const& row = *find_operator(name_in_table(n), opset_);
    c_.begin(n.name, described(n));
    site k(c_, *this, n, opset_, std::move(in));
    compose(row, k);
    for (std::size_t i = 0; i < n.outputs.size(); ++i) {
      if (n.outputs[i].empty()) continue;
      if (i >= k.results.size()) k.fail("there is no output " + std::to_string(i) + " of this operator");
      define(n.outputs[i], k.results[i]);
    }
  }
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
