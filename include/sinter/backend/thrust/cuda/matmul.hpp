// SPDX-License-Identifier: Apache-2.0
// Matrix products through cuBLASLt, with its epilogues where they fit. The algorithm of each shape is asked for once.
#pragma once
#include <cublasLt.h>

#include <algorithm>
#include <vector>

#include "../kernels/epilogue.hpp"
#include "../stream.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {

inline void check(cublasStatus_t s) {
  if (s == CUBLAS_STATUS_SUCCESS) return;
  throw device_error(std::string("sinter: cuBLASLt failed (") + cublasLtGetStatusName(s) + ", " + cublasLtGetStatusString(s) + ")");
}

// One operand: `rows` times `columns`, row-major with `stride` from row to row, or transposed. cuBLASLt thinks in columns, so that it is
// given the second operand first, and everything transposed.
struct matrix {
  std::int64_t rows = 0, columns = 0, stride = 0, batch_stride = 0, transposed = 0;
};
// What decides about an algorithm. Without padding, to be compared as bytes.
struct matmul_shape {
  matrix a, b, c;
  std::int64_t batch = 1;
  std::int64_t alignment[3]{};
  std::int64_t epilogue = CUBLASLT_EPILOGUE_DEFAULT, is_double = 0;
};

// False where cuBLASLt cannot read the operand as it lies.
constexpr bool as_matrix(matrix& r, std::int64_t rows, std::int64_t columns, std::int64_t by_row, std::int64_t by_column) {
  r.rows = rows;
  r.columns = columns;
  r.transposed = !((by_column == 1 || columns == 1) && (by_row >= columns || rows == 1));
  if (r.transposed && !((by_row == 1 || rows == 1) && (by_column >= rows || columns == 1))) return false;
  r.stride = r.transposed ? by_column : by_row;
  std::int64_t const line = r.transposed ? rows : columns;
  if (r.stride < line) r.stride = line;
  return true;
}

// Product group `Kernel` for the library, or nothing: its loops are batches, m, n and k.
struct library_product {
  library_part part;
  matmul_shape shape;
  int a = 0, b = 0;
};
template <class T, class... Slot, class... Step>
constexpr library_product for_library(std::type_identity<product<T, types<Slot...>, types<Step...>>>, launch const& l) {
  using library = library_of<product<T, types<Slot...>, types<Step...>>>;
  library_product r;
  if (l.rank > 4 || l.rank < 3 || (l.rank == 4 && l.extent[0] > most_matrices)) return r;
  int const m = l.rank - 3, n = l.rank - 2, k = l.rank - 1;
  auto const stride = [&](int operand, int loop) { return l.stride[operand * max_loop + loop]; };
  for (int i = 0; i < l.rank; ++i)
    if (l.extent[i] == 0) return r;
  int const bias = library::bias_candidate();
  bool is_bias = bias >= 0 && (stride(bias, n) == 1 || l.extent[n] == 1);
  for (int i = 0; i <= m && bias >= 0; ++i) is_bias = is_bias && (stride(bias, i) == 0 || l.extent[i] == 1);
  library_part const part = library::part(is_bias);
  if (part.last < 0) return r;
  r.a = library::factor(0);
  r.b = library::factor(1);
  matmul_shape& s = r.shape;
  s.is_double = std::is_same_v<T, double>;
  bool ok = as_matrix(s.a, l.extent[m], l.extent[k], stride(r.a, m), stride(r.a, k)) &&
            as_matrix(s.b, l.extent[k], l.extent[n], stride(r.b, k), stride(r.b, n));
  s.c = {l.extent[m], l.extent[n], l.extent[n], l.extent[m] * l.extent[n], 0};
  if (part.stored >= 0)
    ok = ok && as_matrix(s.c, l.extent[m], l.extent[n], stride(part.stored, m), stride(part.stored, n)) && !s.c.transposed;
  if (l.rank == 4) {
    s.batch = l.extent[0];
    s.a.batch_stride = stride(r.a, 0);
    s.b.batch_stride = stride(r.b, 0);
    if (part.stored >= 0) s.c.batch_stride = stride(part.stored, 0);
  } else s.a.batch_stride = s.b.batch_stride = s.c.batch_stride = 0;
  switch (part.function) {
    case library_epilogue::none: s.epilogue = part.bias < 0 ? CUBLASLT_EPILOGUE_DEFAULT : CUBLASLT_EPILOGUE_BIAS; break;
    case library_epilogue::relu: s.epilogue = part.bias < 0 ? CUBLASLT_EPILOGUE_RELU : CUBLASLT_EPILOGUE_RELU_BIAS; break;
    // cuBLASLt's GELU is the tanh form (github.com/pytorch/pytorch/pull/104061).
    case library_epilogue::gelu_tanh: s.epilogue = part.bias < 0 ? CUBLASLT_EPILOGUE_GELU : CUBLASLT_EPILOGUE_GELU_BIAS; break;
  }
  if (ok) r.part = part;
  return r;
}

// A stream's algorithms and scratch memory.
class matmul_library {
 public:
  // D = A B, then the epilogue. `c` of the shape is D's. False where cuBLASLt has no algorithm for it.
  bool run(matmul_shape const& s, void const* a, void const* b, void* d, void const* bias, cudaStream_t stream) {
    plan& p = find(s, bias, stream);
    if (!p.exists) return false;
    float const one = 1, zero = 0;
    double const one_d = 1, zero_d = 0;
    void const *alpha = &one, *beta = &zero;
    if (s.is_double) alpha = &one_d, beta = &zero_d;
    if (bias) check(cublasLtMatmulDescSetAttribute(p.what, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias));
    check(cublasLtMatmul(handle_, p.what, alpha, b, p.layout[1], a, p.layout[0], beta, d, p.layout[2], d, p.layout[2], &p.algorithm,
                         workspace_, workspace_bytes, stream));
    return true;
  }

 private:
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;
  struct plan {
    matmul_shape shape;
    cublasLtMatmulDesc_t what{};
    cublasLtMatrixLayout_t layout[3]{};
    cublasLtMatmulAlgo_t algorithm{};
    bool exists = false;
  };
  cublasLtHandle_t handle_{};
  void* workspace_ = nullptr;
  std::vector<plan> plans_;

  plan& find(matmul_shape const& s, void const* bias, cudaStream_t stream) {
    for (plan& p : plans_)
      if (std::memcmp(&p.shape, &s, sizeof s) == 0) return p;
    if (!handle_) {
      check(cublasLtCreate(&handle_));
      workspace_ = runtime::allocate(workspace_bytes, stream);
    }
    plans_.push_back(make(s, bias));
    return plans_.back();
  }
  plan make(matmul_shape const& s, void const* bias) const {
    plan p;
    p.shape = s;
    cudaDataType_t const type = s.is_double ? CUDA_R_64F : CUDA_R_32F;
    check(cublasLtMatmulDescCreate(&p.what, s.is_double ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, type));
    auto const set = [&](cublasLtMatmulDescAttributes_t name, auto const& v) {
      check(cublasLtMatmulDescSetAttribute(p.what, name, &v, sizeof v));
    };
    set(CUBLASLT_MATMUL_DESC_TRANSA, s.b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_TRANSB, s.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<cublasLtEpilogue_t>(s.epilogue));
    if (bias) set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    matrix const* const of[]{&s.a, &s.b, &s.c};
    for (int i = 0; i < 3; ++i) {
      matrix const& m = *of[i];
      auto const rows = static_cast<std::uint64_t>(m.transposed ? m.rows : m.columns),
                 columns = static_cast<std::uint64_t>(m.transposed ? m.columns : m.rows);
      check(cublasLtMatrixLayoutCreate(&p.layout[i], type, rows, columns, m.stride));
      auto const batch = static_cast<std::int32_t>(s.batch);
      check(cublasLtMatrixLayoutSetAttribute(p.layout[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch));
      check(cublasLtMatrixLayoutSetAttribute(p.layout[i], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &m.batch_stride,
                                             sizeof m.batch_stride));
    }
    find_algorithm(p);
    return p;
  }
  void find_algorithm(plan& p) const {
    cublasLtMatmulPreference_t wish{};
    check(cublasLtMatmulPreferenceCreate(&wish));
    std::uint64_t const most = workspace_bytes;
    check(cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most));
    cublasLtMatmulPreferenceAttributes_t const names[]{
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES};
    for (int i = 0; i < 3; ++i) {
      auto const bytes = static_cast<std::uint32_t>(p.shape.alignment[i]);
      check(cublasLtMatmulPreferenceSetAttribute(wish, names[i], &bytes, sizeof bytes));
    }
    auto const c_bytes = static_cast<std::uint32_t>(p.shape.alignment[2]);
    check(cublasLtMatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, &c_bytes, sizeof c_bytes));
    cublasLtMatmulHeuristicResult_t best{};
    int found = 0;
    cublasStatus_t const status =
        cublasLtMatmulAlgoGetHeuristic(handle_, p.what, p.layout[1], p.layout[0], p.layout[2], p.layout[2], wish, 1, &best, &found);
    check(cublasLtMatmulPreferenceDestroy(wish));
    if (status != CUBLAS_STATUS_NOT_SUPPORTED) check(status);
    p.exists = status == CUBLAS_STATUS_SUCCESS && found > 0;
    p.algorithm = best.algo;
  }
};

}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
