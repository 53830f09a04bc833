# SPDX-License-Identifier: Apache-2.0
# Every test, a line each, in the order of the rooms; sinter_test and sinter_fuzz in CMakeLists.txt say what a line may hold.
sinter_test(core/buffer LABELS threads)
sinter_test(core/math)
sinter_test(core/shape SOURCES core/dtype.cpp core/list.cpp)

# One program, so that ops/coverage.cpp sees what the others check; the second runs the same tests on the reference kernels.
set(ops ops/arithmetic.cpp ops/broadcast.cpp ops/cast.cpp ops/comparison.cpp ops/fully_connected.cpp ops/logic.cpp ops/movement.cpp ops/product.cpp ops/random.cpp ops/reduction.cpp
  ops/reduction_shapes.cpp ops/reduction_special.cpp ops/row.cpp ops/sort.cpp ops/unary.cpp ops/view.cpp)
sinter_test(ops/coverage SOURCES ${ops} ISA sse2 avx2 avx512 OPTIONS -O0 -g0)
if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)  # plain C++, so that one compiler does: the others spend their time on vectors
  sinter_test(ops/reference SOURCES ops/coverage.cpp ${ops} OPTIONS -O0 -g0 -DSINTER_REFERENCE_ONLY)
else()
  set_property(GLOBAL APPEND PROPERTY sinter_listed_tests ops/reference.cpp)
endif()
# Thrust's device systems: CPP with GCC, OMP with Clang. The operations, which are the same kernels on both, only once.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(thrust OMP)
  set_property(GLOBAL APPEND PROPERTY sinter_listed_tests ops/thrust.cpp)
else()
  set(thrust CPP)
  sinter_test(ops/thrust SOURCES ops/coverage.cpp ${ops} THRUST CPP OPTIONS -O0 -g0 -DSINTER_THRUST_ONLY)
endif()

sinter_test(ops/selu ISA sse2 avx2 avx512)

sinter_test(passes/laws SOURCES passes/*.cpp OPTIONS -DSINTER_CHECK_LEVEL=1)
# 200 networks. Without optimisation and debug information: a part takes the compilers a third of the time.
sinter_test(passes/random GENERATE passes/random_networks.py PARTS 15 SPREAD ISA sse2 avx2 avx512 OPTIONS -O0 -g0)

sinter_test(passes/random_thrust GENERATE passes/random_networks.py PARTS 15 ONLY 1 THRUST ${thrust} OPTIONS -O0 -g0 -DSINTER_THRUST_ONLY)

sinter_test(plan/counts OPTIONS -DSINTER_REFERENCE_ONLY)

sinter_test(backend/xsimd/batch ISA sse2 avx2 avx512)
sinter_test(backend/xsimd/kernels ISA sse2 avx2 avx512)
sinter_test(backend/xsimd/math ISA sse2 avx2 avx512)
sinter_test(backend/xsimd/pool LABELS threads)
sinter_test(backend/xsimd/product ISA sse2 avx2 avx512)
sinter_test(backend/thrust/device SOURCES backend/thrust/digits.cpp THRUST ${thrust} OPTIONS -O0 -g0 LABELS unit)
sinter_test(backend/thrust/kernels THRUST ${thrust} OPTIONS -O0 -g0)

sinter_test(nd/tensor)
if(sinter_xtensor_missing)
  set_property(GLOBAL APPEND PROPERTY sinter_listed_tests nd/xtensor.cpp)
else()
  sinter_test(nd/xtensor LIBRARIES sinter::xtensor)
endif()

set(nn nn/constant.cpp nn/containers.cpp nn/function.cpp nn/hybridize.cpp nn/initializer.cpp nn/layers.cpp nn/print.cpp nn/training.cpp)
sinter_test(nn/block SOURCES ${nn} ISA sse2 avx2 avx512 OPTIONS -O0 -g0)
sinter_test(nn/reference SOURCES nn/block.cpp ${nn} OPTIONS -O0 -g0 -DSINTER_REFERENCE_ONLY)
sinter_test(nn/thrust SOURCES nn/block.cpp ${nn} THRUST ${thrust} OPTIONS -O0 -g0 -DSINTER_THRUST_ONLY)
sinter_test(nn/allocation LABELS allocation LIBRARIES ${CMAKE_DL_LIBS})
if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)  # LLVM's OpenMP allocates by itself in every parallel loop, GCC's does not
  sinter_test(nn/allocation_thrust SOURCES nn/allocation.cpp THRUST CPP OMP LABELS allocation LIBRARIES ${CMAKE_DL_LIBS}
    OPTIONS -O0 -g0 -DSINTER_THRUST_ONLY)
else()
  set_property(GLOBAL APPEND PROPERTY sinter_listed_tests nn/allocation_thrust.cpp)
endif()
sinter_test(nn/threads LABELS threads)

sinter_test(io/match)
sinter_test(io/npy)
sinter_test(io/params)
sinter_fuzz(fuzz/npy CORPUS fuzz/corpus/npy)
sinter_fuzz(fuzz/params CORPUS fuzz/corpus/params)
