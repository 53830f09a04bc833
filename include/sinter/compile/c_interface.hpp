// SPDX-License-Identifier: Apache-2.0
// What the functions for C that sinter_add_model writes call: no exception leaves them.
#pragma once
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <span>

#include "../nn/imported.hpp"
#include "hybridized.hpp"

namespace sinter::nn::c {
inline namespace SINTER_ISA {

// Of the calling thread.
inline std::string& last_error() {
  static thread_local std::string text;
  return text;
}
namespace detail {
// What `f` throws as the text of the last error; whether it threw nothing.
template <class F> bool succeeds(F const& f) noexcept {
  char const* what = "sinter: something that is no std::exception was thrown";
  try {
    try {
      f();
      return true;
    } catch (std::bad_alloc const&) {
      last_error() = "sinter: there is not enough memory";
      return false;
    } catch (std::exception const& e) {
      last_error() = e.what();
      return false;
    } catch (...) { last_error() = what; }
  } catch (...) { return false; }  // there is no memory for the text
  return false;
}
}  // namespace detail

// An extent below 0 is the size of dimension -1 - extent.
struct array_info {
  char const *name, *dtype;
  int rank;
  std::int64_t extents[max_rank + 1];
};
struct signature {
  std::span<array_info const> inputs, outputs;
  char const* const* names;
  int dimensions;

  int count_inputs() const { return static_cast<int>(inputs.size()); }
  int count_outputs() const { return static_cast<int>(outputs.size()); }
  array_info const* input(int i) const { return exists("input", i, count_inputs()) ? &inputs[static_cast<std::size_t>(i)] : nullptr; }
  array_info const* output(int i) const { return exists("output", i, count_outputs()) ? &outputs[static_cast<std::size_t>(i)] : nullptr; }
  char const* dimension(int i) const { return exists("dimension", i, dimensions) ? names[i] : nullptr; }
  static char const* name(array_info const* a) { return a ? a->name : nullptr; }
  static char const* dtype(array_info const* a) { return a ? a->dtype : nullptr; }
  static int rank(array_info const* a) { return a ? a->rank : -1; }
  static std::int64_t extent(array_info const* a, int axis, std::int64_t const* sizes) {
    if (!a || !exists("axis", axis, a->rank)) return -1;
    std::int64_t const e = a->extents[axis];
    if (e >= 0) return e;
    return detail::succeeds([&] { check_sizes(sizes); }) ? sizes[-1 - e] : -1;
  }
  static void check_sizes(std::int64_t const* sizes) {
    if (!sizes) throw error("sinter: the extents of the dimensions with names are missing (sizes)");
  }
  // Whether i is one of n; else that is the last error.
  static bool exists(char const* what, int i, int n) noexcept {
    return detail::succeeds([&] {
      if (i < 0 || i >= n)
        throw error("sinter: there is no " + std::string(what) + " " + std::to_string(i) + ": there are " + std::to_string(n) +
                    ", from 0 on");
    });
  }
  dims shape(array_info const& a, std::int64_t const* sizes) const {
    dims r;
    for (int i = 0; i < a.rank; ++i) r.push(extent(&a, i, sizes));
    return r;
  }
};
template <class... T> struct tensors {};
template <class M, class In, class Out, class... Policy> struct model {
  using inputs = In;
  using outputs = Out;
  M net;
  decltype(std::declval<M const&>().hybridize(Policy{}...)) fast;
  void compile() { fast = net.hybridize(Policy{}...); }
};

namespace detail {
template <class T> struct at;
template <class T, class S, class D> struct at<nd::tensor<T, S, D>> {
  static nd::tensor<T, S, D> of(void const* data, dims const& shape) {
    static std::max_align_t nothing;  // where an array without elements lies that is given none
    auto* const to = static_cast<T*>(data ? const_cast<void*>(data) : &nothing);
    return nd::tensor<T, S, D>::share(buffer<T>(to, nullptr, [](void*) {}), shape);
  }
};
inline void check(signature const& all, void const* model, std::int64_t const* sizes, void const* const* inputs, void* const* outputs) {
  if (!model) throw error("sinter: there is no model");
  if (all.dimensions > 0) signature::check_sizes(sizes);
  for (int i = 0; i < all.dimensions; ++i)
    if (sizes[i] < 0)
      throw shape_error("sinter: dimension `" + std::string(all.names[i]) + "` is given the extent " + std::to_string(sizes[i]));
  auto const each = [&](std::span<array_info const> arrays, auto const* data) {
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      dims const s = all.shape(arrays[i], sizes);
      if (!is_countable(s))
        throw shape_error("sinter: `" + std::string(arrays[i].name) + "` has more elements than can be counted: " + to_string(s));
      if (!data || (!data[i] && s.size() > 0)) throw error("sinter: there is no memory given for `" + std::string(arrays[i].name) + "`");
    }
  };
  each(all.inputs, inputs);
  each(all.outputs, outputs);
}
template <class M, class... In, class... Out, std::size_t... I, std::size_t... O>
void call(signature const& all, M const& m, tensors<In...>, tensors<Out...>, std::index_sequence<I...>, std::index_sequence<O...>,
          std::int64_t const* sizes, [[maybe_unused]] void const* const* inputs, void* const* outputs) {
  std::tuple<Out...> out{at<Out>::of(outputs[O], all.shape(all.outputs[O], sizes))...};
  if constexpr (sizeof...(Out) == 1) m.fast(at<In>::of(inputs[I], all.shape(all.inputs[I], sizes))..., std::get<0>(out));
  else m.fast(at<In>::of(inputs[I], all.shape(all.inputs[I], sizes))..., out);
}
template <class M, class... In, class... Out>
void call(signature const& all, M const& m, tensors<In...> in, tensors<Out...> out, std::int64_t const* sizes, void const* const* inputs,
          void* const* outputs) {
  call(all, m, in, out, std::index_sequence_for<In...>{}, std::index_sequence_for<Out...>{}, sizes, inputs, outputs);
}
}  // namespace detail

// For a network without embedded parameters.
[[noreturn]] inline void refuse_nothing() { throw error("sinter: the file of the parameters is missing; no parameters are embedded"); }
template <class Model, class Embedded> Model* create(char const* parameters, Embedded const& load_embedded) noexcept {
  Model* made = nullptr;
  detail::succeeds([&] {
    auto m = std::make_unique<Model>();
    if (parameters) m->net.load(parameters);
    else if (m->net.size() > 0) load_embedded(m->net);
    m->compile();
    made = m.release();
  });
  return made;
}
template <class Model>
int run(signature const& all, Model const* m, std::int64_t const* sizes, void const* const* inputs, void* const* outputs) noexcept {
  bool const ran = detail::succeeds([&] {
    detail::check(all, m, sizes, inputs, outputs);
    detail::call(all, *m, typename Model::inputs{}, typename Model::outputs{}, sizes, inputs, outputs);
  });
  return ran ? 0 : -1;
}

}  // namespace SINTER_ISA
}  // namespace sinter::nn::c
