// SPDX-License-Identifier: Apache-2.0
// Which of Thrust's device systems this file is compiled for: CUDA with nvcc, otherwise CPP or OMP, on which the same kernels run on the
// processor.
#pragma once
#include "../../core/config.hpp"

#if !defined(__CUDACC__) && !defined(THRUST_DEVICE_SYSTEM)
#error \
    "sinter: without nvcc the device is one of Thrust's systems on the processor: define THRUST_DEVICE_SYSTEM as THRUST_DEVICE_SYSTEM_CPP or THRUST_DEVICE_SYSTEM_OMP, as the target sinter::thrust does"
#endif

#if defined(__CUDACC__)
#define SINTER_GPU_CUDA 1
#include <cuda_runtime_api.h>
#else
#define SINTER_GPU_CUDA 0
#include <thrust/execution_policy.h>
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#error "sinter: Thrust's CUDA system needs nvcc; compile this file as a .cu file"
#endif
#endif

// With SINTER_CUDNN convolutions run through cuDNN, where it takes them.
#if SINTER_GPU_CUDA && defined(SINTER_CUDNN)
#define SINTER_GPU_CUDNN 1
#else
#define SINTER_GPU_CUDNN 0
#endif

// One name for each system, around every kernel: two files of one program may be compiled for different ones.
#if SINTER_GPU_CUDNN
#define SINTER_GPU_SYSTEM cudnn
#elif SINTER_GPU_CUDA
#define SINTER_GPU_SYSTEM cuda
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_OMP
#define SINTER_GPU_SYSTEM omp
#else
#define SINTER_GPU_SYSTEM cpp
#endif
