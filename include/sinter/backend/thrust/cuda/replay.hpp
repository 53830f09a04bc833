// SPDX-License-Identifier: Apache-2.0
// A compiled network as a CUDA graph: captured with its first call on a stream, replayed with later ones. Another pointer updates the
// graph, another value of a dynamic dimension captures it again.
#pragma once
#include <algorithm>

#include "../../../run/instance.hpp"
#include "../stream.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {

template <class P, class Backend> class replay {
 public:
  void run(geometry<P> const& g, executor::call const& c, std::int64_t& launches) {
    cudaStream_t const s = current().handle;
    std::byte* now[pointers]{};
    std::copy_n(c.inputs, P::sizes.inputs, now);
    std::copy_n(c.parameters, P::sizes.parameters, now + P::sizes.inputs);
    std::copy_n(c.outputs, P::sizes.results, now + P::sizes.inputs + P::sizes.parameters);
    now[pointers - 2] = c.arena;
    now[pointers - 1] = const_cast<std::byte*>(c.prepared[P::sizes.groups]);
    bool const fits = graph_ && at_ == g.at;
    if (fits && std::equal(now, now + pointers, seen_)) return launch(s, launches);
    auto const call = [&] { executor::instance<P, Backend>(g).run(c); };
    if (!fits) call();  // what it needs for the first time (constants, algorithms, scratch memory) is no part of a graph
    std::int64_t const before = launches;
    cudaGraph_t captured = capture(s, call);
    kernels_ = launches - before;
    launches = before;
    cudaGraphExecUpdateResultInfo why{};
    if (!graph_ || cudaGraphExecUpdate(graph_, captured, &why) != cudaSuccess) {
      cudaGetLastError();
      if (graph_) check(cudaGraphExecDestroy(graph_));
      graph_ = nullptr;
      cudaError_t const e = cudaGraphInstantiate(&graph_, captured, 0);
      if (e != cudaSuccess) graph_ = nullptr;
      cudaGraphDestroy(captured);
      check(e);
    } else check(cudaGraphDestroy(captured));
    at_ = g.at;
    std::copy_n(now, pointers, seen_);
    if (fits) launch(s, launches);
  }

 private:
  static constexpr int pointers = P::sizes.inputs + P::sizes.parameters + P::sizes.results + 2;
  cudaGraphExec_t graph_{};
  std::int64_t kernels_ = 0;
  binding at_;
  std::byte* seen_[pointers]{};

  void launch(cudaStream_t s, std::int64_t& launches) {
    check(cudaGraphLaunch(graph_, s));
    launches += kernels_;
  }
  template <class Call> static cudaGraph_t capture(cudaStream_t s, Call const& call) {
    cudaGraph_t graph{};
    check(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    try {
      call();
    } catch (...) {
      cudaStreamEndCapture(s, &graph);
      if (graph) cudaGraphDestroy(graph);
      throw;
    }
    check(cudaStreamEndCapture(s, &graph));
    return graph;
  }
};

}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
