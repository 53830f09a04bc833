// SPDX-License-Identifier: Apache-2.0
// The device: in a .cu file a GPU, elsewhere one of Thrust's device systems on the processor.
//
//   auto x = images.to(sinter::device::gpu);       // a copy there; everything below is queued on this thread's stream
//   auto y = net(x);                               // eager operations, and compiled networks, run where their inputs lie
//   auto z = net.hybridize()(x);
//   std::cout << z.to(sinter::device::cpu);        // waits for the values
#pragma once
#include "backend/thrust/device.hpp"
#include "compile/hybridized.hpp"
#include "nn/load.hpp"
#include "nn/save.hpp"
#include "viz/benchmark.hpp"
#include "viz/report.hpp"
#ifndef __CUDACC__
#include "sinter.hpp"
#endif

namespace sinter {
inline namespace SINTER_GPU_SYSTEM {

// A tensor of the host in memory from which and into which copies run beside the program: tensor::to and copy_to return at once.
// It must live until they are done (waitall()).
template <element_type T, class S> SINTER_OWN nd::tensor<T, S> pinned(dims const& extents = S::value) {
  dims const checked = nd::tensor<T, S>::checked(extents);
  void* const p = gpu::runtime::allocate_pinned(static_cast<std::size_t>(checked.size()) * sizeof(T));
  return nd::tensor<T, S>::borrow(static_cast<T*>(p), checked, p, &gpu::runtime::release_pinned);
}

// Kernel G's part of device_kernels.
template <class P, int G> constexpr int launches_of_kernel([[maybe_unused]] geometry<P> const& at) {
  if constexpr (P::plan.groups[G].once) return 0;
  else {
#if SINTER_GPU_CUDA
    if constexpr (constexpr int last = P::plan.groups[G].together; last >= 0) {
      using all = executor::joined_kernels<P, last>;
      bool const joined = [&]<int... I>(std::integer_sequence<int, I...>) {
        kernel::launch const* const l[]{&at.launches[all().at[I]]..., nullptr};
        using body = gpu::chain<typename P::template kernel_at<all().at[I]>...>;
        if constexpr (body::possible) return body::fits(l, gpu::chain_shape::usual_bytes);
        else return false;
      }(std::make_integer_sequence<int, all().n>{});
      if (joined) return last == G;
    }
#endif
    return gpu::backend::launches_of<typename P::template kernel_at<G>>(at.launches[G]);
  }
}
// How many kernels a call of a plan launches on the device: those of the plan, one more for each product whose epilogue goes on beyond what
// cuBLASLt does and for each kernel whose rows are so few and long that teams share them, and one for attention whose rows fit into the 227 KiB
// that a block of threads may share since compute capability 9.0. Of a plan with dynamic dimensions for values between 1 and some thousands.
//   static_assert(sinter::device_kernels<sinter::compiled_t<mlp, shape<1, 64>>> == 3);
template <class Compiled> inline constexpr int device_kernels = [] {
  using P = typename Compiled::program_type;
  geometry<P> g;
  binding b;
  for (auto& v : b.value) v = 2;
  fill(g, P::plan, b);
  connect(g, P::plan);
  return []<int... G>(std::integer_sequence<int, G...>, geometry<P> const& at) { return (launches_of_kernel<P, G>(at) + ... + 0); }(
             std::make_integer_sequence<int, P::sizes.groups>{}, g);
}();

}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter
