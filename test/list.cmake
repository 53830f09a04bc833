# SPDX-License-Identifier: Apache-2.0
# Every test, a line each, in the order of the rooms; sinter_test and sinter_fuzz in CMakeLists.txt say what a line may hold.
sinter_test(core/math)

# One program, so that ops/coverage.cpp sees what the others check; the second runs the same tests on the reference kernels.
set(ops ops/arithmetic.cpp ops/broadcast.cpp ops/cast.cpp ops/comparison.cpp ops/fully_connected.cpp ops/logic.cpp ops/movement.cpp ops/product.cpp ops/reduction.cpp
  ops/reduction_shapes.cpp ops/reduction_special.cpp ops/row.cpp ops/sort.cpp ops/unary.cpp ops/view.cpp)
sinter_test(ops/coverage SOURCES ${ops} ISA sse2 avx2 avx512)
sinter_test(ops/reference SOURCES ops/coverage.cpp ${ops} OPTIONS -DSINTER_REFERENCE_ONLY)

sinter_test(backend/xsimd/batch ISA sse2 avx2 avx512)
sinter_test(backend/xsimd/kernels ISA sse2 avx2 avx512)
sinter_test(backend/xsimd/math ISA sse2 avx2 avx512)
sinter_test(backend/xsimd/pool LABELS threads)
sinter_test(backend/xsimd/product ISA sse2 avx2 avx512)

sinter_test(io/match)
sinter_test(io/npy)
sinter_test(io/params)
sinter_fuzz(fuzz/npy CORPUS fuzz/corpus/npy)
sinter_fuzz(fuzz/params CORPUS fuzz/corpus/params)
