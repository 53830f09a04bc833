// SPDX-License-Identifier: Apache-2.0
// Symbols with values: planned as a compiled network is, and run by the interpreter.
#pragma once
#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstring>
#include <deque>
#include <mutex>

#include "../backend/interpreter/instance.hpp"
#include "../compile/overlap.hpp"
#include "../core/random.hpp"
#include "../nd/tensor.hpp"
#include "../nn/parameter.hpp"
#include "infer.hpp"
#include "print.hpp"

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
    if (!has_tensors(type)) throw dtype_error("sinter: no array has the dtype " + std::string(name_of(type)));
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
  template <class Tensor>
    requires nd::is_tensor<Tensor>
  Tensor as() const {
    using T = typename Tensor::value_type;
    if (dtype_of<T> != type_ || !Tensor::fits(shape_)) refuse_as(dtype_of<T>, Tensor::shape_type::value);
    Tensor t(shape_, false);
    std::copy_n(reinterpret_cast<T const*>(data_), shape_.size(), t.data());
    return t;
  }
  template <class T>
    requires(!nd::is_tensor<T>)
  SINTER_UNAVAILABLE("an array becomes a tensor, whose type has a shape: a.as<nd::tensor<float, shape<2, 3>>>()")
  T as() const {
    return T{};
  }

 private:
  dtype type_;
  dims shape_;
  std::byte* data_ = nullptr;
  std::shared_ptr<void const> owner_;

  [[noreturn]] SINTER_NOINLINE void refuse_as(dtype type, dims const& typed) const {
    if (type != type_)
      throw dtype_error("sinter: an array of dtype " + std::string(name_of(type_)) + " is no tensor of " + std::string(name_of(type)));
    throw shape_error("sinter: an array of shape " + to_string(shape_) + " is no tensor of shape " + to_string(typed));
  }
  template <class T, class S> array(nd::tensor<T, S> const& x, int) : type_(dtype_of<std::remove_const_t<T>>), shape_(x.shape()) {
    keep(x.data(), x.owner());  // which is one type for all shapes
  }
  void keep(auto* data, auto const& owner) {
    data_ = reinterpret_cast<std::byte*>(data);
    owner_ = std::make_shared<std::remove_cvref_t<decltype(owner)>>(owner);
  }
};
inline std::ostream& operator<<(std::ostream& out, array const& a) {
  std::int64_t strides[max_rank]{}, step = 1;
  for (int i = a.shape().rank; i-- > 0; step *= a.shape().d[i]) strides[i] = step;
  with_type(a.type(),
            [&]<class T>(T*) { nd::array_printer<T> const written(out, reinterpret_cast<T const*>(a.data()), a.shape(), strides); });
  return out;
}

// What a run gives: an array for each output.
class results : public std::vector<array> {
 public:
  using std::vector<array>::vector;
  array const& operator[](std::size_t i) const {
    if (i >= size())
      throw error("sinter: a run with " + std::to_string(size()) + (size() == 1 ? " output" : " outputs") + " has no output " +
                  std::to_string(i));
    return std::vector<array>::operator[](i);
  }
};
inline std::ostream& operator<<(std::ostream& out, results const& all) {
  for (std::size_t i = 0; i < all.size(); ++i) out << (i ? "\n" : "") << all[i];
  return out;
}
// Of {"x", a} where {{"x", a}} was meant: one argument, and not a map of them.
struct forgotten_braces {
  forgotten_braces(char const*, array const&) {}
};

// A symbol that is planned for these arguments, and can be run again. The arguments' elements may change between runs; those of parameters
// are read as they are then. Runs of one executor follow each other: each writes the same outputs. An output may be an argument of the next
// run, which reads it as it was before.
template <class Ops> class executor_of {
 public:
  executor_of(symbol const& s, arrays_by_name const& arguments);
  executor_of(executor_of&&) noexcept = default;
  executor_of& operator=(executor_of&&) noexcept = default;

  // Other elements for an argument, of the same dtype and shape, from the next run on.
  void set(std::string const& name, array const& value);
  // The outputs, in the order of list_outputs(). The next run writes over them. States that the network assigns get their values when all
  // kernels have run; such runs follow one another in the whole program.
  results const& forward();
  // Outputs that later runs do not write over.
  results forward_to_new();
  // The same run, and how many seconds each kernel of the plan took; one that ran when parameters changed took none.
  std::vector<double> kernel_times();
  results const& outputs() const { return outputs_; }
  sinter::plan const& plan() const { return program_->plan; }

 private:
  symbol symbol_;  // whose nodes the graph points to
  typed_graph typed_;
  std::unique_ptr<interpreter::program> program_;
  std::unique_ptr<interpreter::instance> instance_;
  // The parameters of the whole or of a body, and what was prepared from them.
  struct parameter_values {
    std::vector<std::byte*> parameters;
    std::unique_ptr<interpreter::prepared> prepared;
    std::byte const* const* made() const { return prepared->made(); }
    void set(interpreter::instance const& f, std::vector<std::byte*> const& all) {
      parameters.clear();
      for (int i : f.parameters()) parameters.push_back(all[static_cast<std::size_t>(i)]);
      parameters.push_back(nullptr);
      prepared = std::make_unique<interpreter::prepared>(f, parameters.data());
    }
  };
  parameter_values whole_;
  std::vector<parameter_values> bodies_;
  std::vector<sinter::executor::body_values> body_values_;
  binding at_;
  std::uint64_t epoch_ = 0;
  std::vector<array> arguments_;
  results outputs_, assigned_;
  std::deque<std::int64_t> keys_;
  std::vector<std::byte*> inputs_, to_, parameters_;
  buffer<std::byte> arena_;

  // Calls done(-1) before the first kernel, and done(g) behind kernel g.
  void run(std::invocable<int> auto done) {
    for (std::int64_t& key : keys_) key = random::next_key();
    std::vector<sinter::executor::any_value*> states;
    states.reserve(typed_.assigned.size());
    for (auto const& a : typed_.assigned) states.push_back(&a.of->state(a.type.shape));
    sinter::executor::held_values hold;
    hold.take(states.data(), static_cast<std::ptrdiff_t>(states.size()));
    renew_parameters();
    std::vector<std::byte*> inputs = inputs_;
    std::vector<buffer<std::byte>> copies;
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      if (is_written(arguments_[i])) {
        std::size_t const n = bytes_in(arguments_[i]);
        inputs[i] = copies.emplace_back(n, false).data();
        std::memcpy(inputs[i], arguments_[i].data(), n);
      }
    sinter::detail::call_of_this_thread const here;
    done(-1);
    instance_->run({inputs.data(), to_.data(), &at_, whole_.parameters.data(), whole_.made(), arena_.data(), body_values_.data()}, done);
    for (std::size_t i = 0; i < assigned_.size(); ++i) typed_.assigned[i].of->assign(assigned_[i].shape(), assigned_[i].data());
  }

  static std::size_t bytes_in(array const& a) { return static_cast<std::size_t>(a.shape().size() * bytes_of(a.type())); }
  static sinter::detail::bytes_of_tensor place_of(array const& a) {
    auto const from = reinterpret_cast<std::uintptr_t>(a.data());
    return {from, from + bytes_in(a)};
  }
  // Whether a run writes there.
  bool is_written(array const& a) const {
    auto const meets = [at = place_of(a)](array const& b) { return sinter::detail::overlap(at, place_of(b)); };
    return std::any_of(outputs_.begin(), outputs_.end(), meets) || std::any_of(assigned_.begin(), assigned_.end(), meets);
  }
  void renew_parameters() {
    std::uint64_t const epoch = sinter::executor::value_epoch.load(std::memory_order_acquire);
    std::vector<std::byte*> parameters;
    parameters.reserve(typed_.parameters.size());
    for (auto const& [variable, type] : typed_.parameters) parameters.push_back(values_of(*variable, type.shape));
    if (whole_.prepared && epoch == epoch_ && parameters == parameters_) return;
    parameters_ = std::move(parameters);
    whole_.set(*instance_, parameters_);
    bodies_.resize(static_cast<std::size_t>(program_->plan.bodies.size()));
    body_values_.clear();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      bodies_[i].set(instance_->at_body(static_cast<int>(i)), parameters_);
      body_values_.push_back({bodies_[i].parameters.data(), bodies_[i].made()});
    }
    epoch_ = epoch;
  }
  // A dimension that several variables name has one extent.
  void check_names(std::vector<dims> const& actual, std::vector<dims> const& declared) const {
    struct place {
      std::size_t variable;
      int axis;
    };
    std::map<extent, place> first;
    for (std::size_t i = 0; i < declared.size(); ++i)
      for (int k = 0; k < declared[i].rank; ++k) {
        if (!is_named(declared[i].d[k])) continue;
        auto const [at, is_new] = first.emplace(declared[i].d[k], place{i, k});
        auto const [variable, axis] = at->second;
        if (!is_new && actual[i].d[k] != actual[variable].d[axis])
          throw shape_error("sinter: variable `" + typed_.inputs[i].node->name + "` of shape " + to_string(declared[i]) +
                            " is given the extents " + to_string(actual[i]) + "; dimension " + std::to_string(k) + " must be " +
                            std::to_string(actual[variable].d[axis]) + ", as in `" + typed_.inputs[variable].node->name + "`");
      }
  }
  static types_by_name types_of(arrays_by_name const& arguments) {
    types_by_name r;
    for (auto const& [name, a] : arguments) r[name] = {a.type(), a.shape()};
    return r;
  }
};

// ---- the rest is written outside, so that where SINTER_INTERPRETER_ELSEWHERE is defined no compiler looks into it

template <class Ops>
executor_of<Ops>::executor_of(symbol const& s, arrays_by_name const& arguments)
    : symbol_(s), typed_(s, types_of(arguments)), program_(std::make_unique<interpreter::program>(make_plan(typed_.g))) {
  std::vector<dims> actual, declared;
  arguments_.reserve(typed_.inputs.size());
  for (auto const& [variable, type] : typed_.inputs) {
    auto const given = arguments.find(variable->name);
    if (given == arguments.end())
      throw error("sinter: variable `" + variable->name + "` has no value; eval and bind are given one for each: {{\"" + variable->name +
                  "\", x}}");
    arguments_.push_back(given->second);
    inputs_.push_back(given->second.data());
    actual.push_back(given->second.shape());
    declared.push_back(type.shape);
  }
  for (std::size_t i = 0; i < typed_.keys.size(); ++i) inputs_.push_back(reinterpret_cast<std::byte*>(&keys_.emplace_back(0)));
  inputs_.push_back(nullptr);
  check_names(actual, declared);
  at_ = program_->bind(actual.data(), declared.data(), static_cast<int>(typed_.inputs.size()));
  instance_ = std::make_unique<interpreter::instance>(*program_, at_);
  arena_ = buffer<std::byte>(static_cast<std::size_t>(instance_->arena_bytes()) + 1, false);
  for (int o = 0; o < program_->plan.results.size(); ++o) {
    auto& to = o < s.outputs() ? outputs_ : assigned_;
    to.emplace_back(program_->plan.results[o].type, program_->result_shape(at_, o));
    to_.push_back(to.back().data());
  }
}

template <class Ops> void executor_of<Ops>::set(std::string const& name, array const& value) {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (typed_.inputs[i].node->name != name) continue;
    if (value.type() != arguments_[i].type() || !(value.shape() == arguments_[i].shape()))
      throw shape_error("sinter: this run was planned for another dtype or shape of `" + name + "`; bind makes one for each");
    arguments_[i] = value;
    inputs_[i] = value.data();
    return;
  }
  throw error("sinter: no argument of this run is called " + io::in_quotes(name) + "; it has " +
              io::listed(typed_graph::names_of(typed_.inputs)));
}
template <class Ops> results const& executor_of<Ops>::forward() {
  run([](int) {});
  return outputs_;
}
template <class Ops> results executor_of<Ops>::forward_to_new() {
  std::size_t o = 0;
  for (array& a : outputs_) {
    a = array(a.type(), a.shape());
    to_[o++] = a.data();
  }
  return forward();
}
template <class Ops> std::vector<double> executor_of<Ops>::kernel_times() {
  using clock = std::chrono::steady_clock;
  std::vector<double> all(static_cast<std::size_t>(plan().groups.size()));
  clock::time_point before;
  run([&](int g) {
    auto const now = clock::now();
    if (g >= 0) all[static_cast<std::size_t>(g)] = std::chrono::duration<double>(now - before).count();
    before = clock::now();
  });
  return all;
}

#if defined(SINTER_INTERPRETER_ELSEWHERE)
// The planner and the interpreter: as the loops (backend/interpreter/library.hpp), in the translation unit that says
//     template class sinter::sym::executor_of<sinter::interpreter::all_ops>;
extern template class executor_of<interpreter::all_ops>;
#endif
class executor : public executor_of<interpreter::all_ops> {
 public:
  using executor_of::executor_of;
};

}  // namespace sym::inline SINTER_ISA

inline sym::results symbol::eval(sym::arrays_by_name const& arguments) const { return sym::executor(*this, arguments).forward(); }
inline sym::results symbol::eval() const { return eval(sym::arrays_by_name{}); }
SINTER_UNAVAILABLE("arguments are a list of pairs: y.eval({{\"x\", x}})")
inline sym::results symbol::eval(sym::forgotten_braces const&) const { return eval(); }
SINTER_UNAVAILABLE("arguments are a list of pairs: y.bind({{\"x\", x}})")
inline sym::executor symbol::bind(sym::forgotten_braces const&) const { return bind(); }
inline sym::executor symbol::bind() const { return bind(sym::arrays_by_name{}); }
inline sym::executor symbol::bind(sym::arrays_by_name const& arguments) const { return sym::executor(*this, arguments); }

}  // namespace sinter
