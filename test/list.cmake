# SPDX-License-Identifier: Apache-2.0
# Every test, a line each, in the order of the rooms; sinter_test and sinter_fuzz in CMakeLists.txt say what a line may hold.
sinter_test(core/math)

sinter_test(ops/coverage SOURCES ops/*.cpp ISA sse2 avx2 avx512)

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
