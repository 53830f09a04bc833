// SPDX-License-Identifier: Apache-2.0
// Convolutions through cuDNN's graph interface, in C: its C++ frontend takes nvcc minutes to read. For each shape the engine is taken that
// cuDNN names first among those that add products in the type of the elements: no TF32, no transforms, nothing that differs between runs.
#pragma once
#include <cudnn_graph.h>

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "../kernels/convolution.hpp"
#include "../stream.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {

inline void check(cudnnStatus_t s) {
  if (s == CUDNN_STATUS_SUCCESS) return;
  throw device_error(std::string("sinter: cuDNN failed (") + cudnnGetErrorString(s) + ")");
}

// A descriptor of cuDNN's: attributes, then finish().
class cudnn_descriptor {
 public:
  explicit cudnn_descriptor(cudnnBackendDescriptorType_t type) { check(cudnnBackendCreateDescriptor(type, &d_)); }
  cudnn_descriptor(cudnn_descriptor&& other) noexcept : d_(std::exchange(other.d_, nullptr)) {}
  cudnn_descriptor& operator=(cudnn_descriptor&&) = delete;
  ~cudnn_descriptor() {
    if (d_) (void)cudnnBackendDestroyDescriptor(d_);
  }
  cudnnBackendDescriptor_t& handle() { return d_; }
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, void const* values, std::int64_t n = 1) {
    check(cudnnBackendSetAttribute(d_, name, type, n, values));
  }
  void set(cudnnBackendAttributeName_t name, std::int64_t value) { set(name, CUDNN_TYPE_INT64, &value); }
  void set(cudnnBackendAttributeName_t name, cudnnDataType_t value) { set(name, CUDNN_TYPE_DATA_TYPE, &value); }
  void set(cudnnBackendAttributeName_t name, cudnn_descriptor& other) { set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, &other.d_); }
  // How many of `most` values there were.
  template <class V> std::int64_t get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, V* values, std::int64_t most) {
    std::int64_t n = 0;
    check(cudnnBackendGetAttribute(d_, name, type, most, &n, values));
    return n < most ? n : most;
  }
  bool finish() { return cudnnBackendFinalize(d_) == CUDNN_STATUS_SUCCESS; }

 private:
  cudnnBackendDescriptor_t d_{};
};

// A stream's algorithms and scratch memory.
class convolution_library {
 public:
  // False where cuDNN has no engine for the shape.
  bool run(convolution_shape const& s, void const* x, void const* w, void* y, cudaStream_t stream) {
    if (!handle_) {
      check(cudnnCreate(&handle_));
      check(cudnnSetStream(handle_, stream));
    }
    known& k = find(s);
    if (!k.plan) return false;
    void* const room = k.workspace > 0 ? scratch_.at_least(static_cast<std::size_t>(k.workspace), stream) : nullptr;
    std::int64_t const names[]{'x', 'w', 'y'};
    void* const places[]{const_cast<void*>(x), const_cast<void*>(w), y};
    cudnn_descriptor arguments(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    arguments.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, names, 3);
    arguments.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, places, 3);
    arguments.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, &room);
    if (!arguments.finish()) check(CUDNN_STATUS_BAD_PARAM);
    check(cudnnBackendExecute(handle_, k.plan->handle(), arguments.handle()));
    return true;
  }

 private:
  static constexpr std::int64_t most_workspace = std::int64_t{256} << 20;
  struct known {
    convolution_shape shape;
    std::optional<cudnn_descriptor> plan;  // none where cuDNN has no engine
    std::int64_t workspace = 0;
  };
  cudnnHandle_t handle_{};
  scratch_memory scratch_;
  std::deque<known> all_;

  known& find(convolution_shape const& s) {
    for (known& k : all_)
      if (std::memcmp(&k.shape, &s, sizeof s) == 0) return k;
    known& k = all_.emplace_back();
    k.shape = s;
    look_for_plan(k);
    return k;
  }
  static bool describe(cudnn_descriptor& d, convolution_shape::array const& a, convolution_shape const& s, std::int64_t name) {
    d.set(CUDNN_ATTR_TENSOR_DATA_TYPE, s.is_double ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
    d.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, a.extent, s.rank);
    d.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, a.stride, s.rank);
    d.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, name);
    d.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, static_cast<std::int64_t>(s.is_double ? sizeof(double) : sizeof(float)));
    return d.finish();
  }
  void look_for_plan(known& k) {
    convolution_shape const& s = k.shape;
    cudnn_descriptor x(CUDNN_BACKEND_TENSOR_DESCRIPTOR), w(CUDNN_BACKEND_TENSOR_DESCRIPTOR), y(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    if (!describe(x, s.x, s, 'x') || !describe(w, s.w, s, 'w') || !describe(y, s.y, s, 'y')) return;

    cudnn_descriptor convolution(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    cudnnConvolutionMode_t const mode = CUDNN_CROSS_CORRELATION;
    convolution.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, s.rank - 2);
    convolution.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, s.is_double ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
    convolution.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, &mode);
    convolution.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, s.step, s.rank - 2);
    convolution.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, s.dilation, s.rank - 2);
    convolution.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, s.before, s.rank - 2);
    convolution.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, s.behind, s.rank - 2);
    if (!convolution.finish()) return;

    cudnn_descriptor forward(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    forward.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x);
    forward.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, w);
    forward.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, y);
    forward.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, convolution);
    if (s.is_double) {
      double const one = 1, zero = 0;
      forward.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_DOUBLE, &one);
      forward.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_DOUBLE, &zero);
    } else {
      float const one = 1, zero = 0;
      forward.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, &one);
      forward.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, &zero);
    }
    if (!forward.finish()) return;

    cudnn_descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, &handle_);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, forward);
    if (!graph.finish()) return;
    for (cudnnBackendHeurMode_t const how : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK})
      if (take_first(k, graph, how)) return;
  }
  bool take_first(known& k, cudnn_descriptor& graph, cudnnBackendHeurMode_t how) {
    cudnn_descriptor advice(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    advice.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    advice.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, &how);
    if (!advice.finish()) return false;
    constexpr int most = 64;
    std::vector<cudnn_descriptor> engines;
    cudnnBackendDescriptor_t handles[most];
    for (auto& h : handles) h = engines.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR).handle();
    auto const n = advice.get(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, handles, most);
    for (std::int64_t i = 0; i < n; ++i) {
      cudnn_descriptor& engine = engines[static_cast<std::size_t>(i)];
      if (!adds_products(engine, k.shape.is_double != 0)) continue;
      cudnn_descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
      plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, &handle_);
      plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, engine);
      if (!plan.finish()) continue;
      plan.get(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, &k.workspace, 1);
      if (k.workspace > most_workspace) continue;
      k.plan.emplace(std::move(plan));
      return true;
    }
    return false;
  }
  static bool adds_products(cudnn_descriptor& configuration, bool in_double) {
    cudnn_descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    configuration.get(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, &engine.handle(), 1);
    cudnnBackendNumericalNote_t notes[CUDNN_NUMERICAL_NOTE_TYPE_COUNT];
    for (std::int64_t n = engine.get(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, notes, CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
         n > 0; --n)
      if (notes[n - 1] != CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP && !(in_double && notes[n - 1] == CUDNN_NUMERICAL_NOTE_TENSOR_CORE))
        return false;
    cudnnBackendBehaviorNote_t how[CUDNN_BEHAVIOR_NOTE_TYPE_COUNT];
    for (std::int64_t n = engine.get(CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE, how, CUDNN_BEHAVIOR_NOTE_TYPE_COUNT); n > 0;
         --n)
      if (how[n - 1] == CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION) return false;
    return true;
  }
};

}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
