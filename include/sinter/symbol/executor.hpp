// SPDX-License-Identifier: Apache-2.0
// Symbols with values: planned as a compiled network is, and run by the interpreter.
#pragma once
#include <algorithm>

#include "../backend/interpreter/instance.hpp"
#include "../nd/tensor.hpp"
#include "../nn/parameter.hpp"
#include "typed.hpp"

namespace sinter {
namespace sym::inline SINTER_ISA {

// A tensor whose dtype and shape the compiler does not know.
//   nd::tensor<float, shape<2, 3>> const y = run.forward()[0].as<nd::tensor<float, shape<2, 3>>>();
class array {
 public:
  // Of a row-major tensor, its elements; else a copy of them.
  template <class T, class S> array(nd::tensor<T, S> const& x) : array(x.contiguous(), 0) {}
  // Without values.
  array(dtype type, dims const& shape) : type_(type), shape_(shape) {
    bool const has_tensors = is_floating(type) ? type == dtype::float32 || type == dtype::float64
                                               : type == dtype::int32 || type == dtype::int64 || type == dtype::boolean;
    if (!has_tensors) throw dtype_error("sinter: no array has the dtype " + std::string(name_of(type)));
    if (!shape.fixed() || !is_countable(shape)) throw shape_error("sinter: no array has the shape " + to_string(shape));
    with_type(type, [&]<class T>(T*) {
      buffer<T> const values(static_cast<std::size_t>(shape.size()) + 1);
      keep(values.data(), values);
    });
  }
  dtype type() const { return type_; }
  dims const& shape() const { return shape_; }
  std::byte* data() const { return data_; }
  // A copy as a tensor of this type; a shape_error or a dtype_error where it is of another.
  template <class Tensor> Tensor as() const {
    using T = typename Tensor::value_type;
    if (dtype_of<T> != type_)
      throw dtype_error("sinter: an array of dtype " + std::string(name_of(type_)) + " is no tensor of " +
                        std::string(name_of(dtype_of<T>)));
    if (shape_.rank != Tensor::rank || !Tensor::fits(shape_))
      throw shape_error("sinter: an array of shape " + to_string(shape_) + " is no tensor of shape " +
                        to_string(Tensor::shape_type::value));
    Tensor t(shape_, false);
    std::copy_n(reinterpret_cast<T const*>(data_), shape_.size(), t.data());
    return t;
  }

 private:
  dtype type_;
  dims shape_;
  std::byte* data_ = nullptr;
  std::shared_ptr<void const> owner_;

  template <class T, class S> array(nd::tensor<T, S> const& x, int) : type_(dtype_of<std::remove_const_t<T>>), shape_(x.shape()) {
    keep(x.data(), x);
  }
  void keep(auto* data, auto const& owner) {
    data_ = reinterpret_cast<std::byte*>(data);
    owner_ = std::make_shared<std::remove_cvref_t<decltype(owner)>>(owner);
  }
};
inline std::ostream& operator<<(std::ostream& out, array const& a) {
  std::int64_t strides[max_rank]{}, step = 1;
  for (int i = a.shape().rank; i-- > 0; step *= a.shape().d[i]) strides[i] = step;
  with_type(a.type(), [&]<class T>(T*) { nd::array_printer<T>(out, reinterpret_cast<T const*>(a.data()), a.shape(), strides); });
  return out;
}

// A symbol that is planned for these arguments, and can be run again. The arguments' elements may change between runs; those of parameters
// are read as they are then. Runs of one executor follow each other: each writes the same outputs.
class executor {
 public:
  executor(symbol const& s, arrays_by_name const& arguments)
      : symbol_(s), typed_(s, types_of(arguments)), program_(std::make_unique<interpreter::program>(make_plan(typed_.g))) {
    std::vector<dims> actual, declared;
    arguments_.reserve(typed_.inputs.size());
    for (composed const* k : typed_.inputs) {
      auto const given = arguments.find(k->name);
      if (given == arguments.end())
        throw error("sinter: variable `" + k->name + "` has no value; eval and bind are given one for each: {{\"" + k->name + "\", x}}");
      arguments_.push_back(given->second);
      inputs_.push_back(arguments_.back().data());
      actual.push_back(arguments_.back().shape());
      declared.push_back(type_of(*k).shape);
    }
    inputs_.push_back(nullptr);
    binding const at = program_->bind(actual.data(), declared.data(), static_cast<int>(typed_.inputs.size()));
    for (node const& k : program_->plan.g.nodes)
      if (dims const d = extents(k.type.shape, at); !is_countable(d))
        throw shape_error("sinter: " + std::string(k.op->name) + " gives the extents " + to_string(d) +
                          ", which are more elements than memory can have");
    for (composed const* k : typed_.parameters) parameter_shapes_.push_back(type_of(*k).shape);
    instance_ = std::make_unique<interpreter::instance>(*program_, at);
    arena_ = buffer<std::byte>(static_cast<std::size_t>(instance_->arena_bytes()) + 1, false);
    for (int o = 0; o < typed_.g.outputs.size(); ++o) {
      outputs_.emplace_back(program_->plan.results[o].type, extents(program_->plan.results[o].shape, at));
      to_.push_back(outputs_.back().data());
    }
    at_ = at;
  }
  executor(executor&&) = default;
  executor& operator=(executor&&) = default;

  // The outputs, in the order of list_outputs(). The next run writes over them.
  std::vector<array> const& forward() {
    std::uint64_t const epoch = nn::parameter_epoch.load(std::memory_order_acquire);
    std::vector<std::byte*> parameters;
    parameters.reserve(parameter_shapes_.size() + 1);
    for (std::size_t i = 0; i < parameter_shapes_.size(); ++i) parameters.push_back(values_of(*typed_.parameters[i], parameter_shapes_[i]));
    parameters.push_back(nullptr);
    if (!prepared_ || epoch != epoch_ || parameters != parameters_) {
      parameters_ = std::move(parameters);
      prepared_ = std::make_unique<interpreter::prepared>(*instance_, parameters_.data());
      epoch_ = epoch;
    }
    instance_->run({inputs_.data(), to_.data(), &at_, parameters_.data(), prepared_->made(), arena_.data()});
    return outputs_;
  }
  std::vector<array> const& outputs() const { return outputs_; }
  sinter::plan const& plan() const { return program_->plan; }

 private:
  symbol symbol_;  // whose nodes the graph points to
  typed_graph typed_;
  std::unique_ptr<interpreter::program> program_;
  std::unique_ptr<interpreter::instance> instance_;
  std::unique_ptr<interpreter::prepared> prepared_;
  binding at_;
  std::uint64_t epoch_ = 0;
  std::vector<dims> parameter_shapes_;
  std::vector<array> arguments_, outputs_;
  std::vector<std::byte*> inputs_, to_, parameters_;
  buffer<std::byte> arena_;

  static std::byte* values_of(composed const& parameter, dims const& shape) {
    try {
      return parameter.values(shape);
    } catch (error& e) {
      e.set_layer(parameter.name);
      throw;
    }
  }
  dims extents(dims d, binding const& at) const {
    for (int k = 0; k < d.rank; ++k) d.d[k] = extent_in(program_->plan.g.dimensions.rows, at, d.d[k]);
    return d;
  }
  static types_by_name types_of(arrays_by_name const& arguments) {
    types_by_name r;
    for (auto const& [name, a] : arguments) r[name] = {a.type(), a.shape()};
    return r;
  }
  array_type const& type_of(composed const& k) const {
    auto const at = std::find(typed_.variables.begin(), typed_.variables.end(), &k) - typed_.variables.begin();
    return typed_.types[static_cast<std::size_t>(at)];
  }
};

}  // namespace sym::inline SINTER_ISA

inline std::vector<sym::array> symbol::eval(sym::arrays_by_name const& arguments) const {
  return sym::executor(*this, arguments).forward();
}
inline std::vector<sym::array> symbol::eval() const { return eval(sym::arrays_by_name{}); }
inline sym::executor symbol::bind() const { return bind(sym::arrays_by_name{}); }
inline sym::executor symbol::bind(sym::arrays_by_name const& arguments) const { return sym::executor(*this, arguments); }

}  // namespace sinter
