# SPDX-License-Identifier: Apache-2.0
# Every test, a line each, in the order of the rooms; sinter_test and sinter_fuzz in CMakeLists.txt say what a line may hold. The presets
# compile without optimization, which takes a compiler half the time or less; a test that runs for long says otherwise.
sinter_test(core/buffer LABELS threads)
sinter_test(core/math)
sinter_test(core/shape SOURCES core/dtype.cpp core/float16.cpp core/letters.cpp core/list.cpp)

# Who builds what. Each instruction set has its networks (SSE2 and AVX2 their operations, too) from one compiler, all kernels from both; what takes
# the compiler longest and has no vectors (the reference kernels, Thrust's systems) is Clang's, which is twice as fast.
if(SINTER_TEST_ALL)
  set(systems CPP OMP)
else()
  set(systems OMP)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(isa avx2 avx512)
  set(thrust OMP)
else()
  set(isa sse2 avx512)
  set(thrust CPP)
endif()

# One program, so that ops/coverage.cpp sees what the others check.
set(ops ops/activation.cpp ops/arithmetic.cpp ops/arrange.cpp ops/attention.cpp ops/bitwise.cpp ops/broadcast.cpp ops/cast.cpp ops/comparison.cpp ops/convolution.cpp ops/coordinates.cpp ops/ctc.cpp ops/einsum.cpp ops/fully_connected.cpp ops/gamma.cpp ops/images.cpp ops/linalg.cpp ops/logic.cpp ops/moments.cpp ops/movement.cpp ops/norms.cpp ops/pooling.cpp ops/product.cpp ops/random.cpp ops/reduction.cpp
  ops/reduction_shapes.cpp ops/reduction_special.cpp ops/rounding.cpp ops/row.cpp ops/sequence.cpp ops/sort.cpp ops/transposed.cpp ops/trigonometric.cpp ops/unary.cpp ops/view.cpp)
# Minutes for AVX-512, whose kernels backend, passes/random and some of nn have.
set(most_isa ${isa})
if(NOT SINTER_TEST_ALL)
  list(REMOVE_ITEM most_isa avx512)
endif()
# What is written with other operations has no kernels of its own, which another instruction set, the reference or Thrust could get wrong.
set(with_kernels ${ops})
if(NOT SINTER_TEST_ALL)
  list(REMOVE_ITEM with_kernels ops/arrange.cpp ops/attention.cpp ops/einsum.cpp ops/images.cpp ops/moments.cpp ops/norms.cpp ops/transposed.cpp)
endif()
if(SINTER_TEST_ALL OR NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  sinter_test(ops/coverage SOURCES ${ops} backend/interpreter/loops.cpp ISA ${most_isa})
else()
  set_property(GLOBAL APPEND PROPERTY sinter_listed_tests ops/coverage.cpp ${ops})
  list(REMOVE_ITEM with_kernels ops/activation.cpp)
  sinter_test(ops/activation SOURCES ${with_kernels} backend/interpreter/loops.cpp ISA ${most_isa})
  list(APPEND with_kernels ops/activation.cpp)
endif()
sinter_test(ops/reference SOURCES ${with_kernels} REFERENCE BY Clang)
sinter_test(ops/thrust SOURCES ${with_kernels} THRUST ${systems} BY Clang OPTIONS -DSINTER_THRUST_ONLY)

# The same operations once more, with named dimensions instead of numbers.
sinter_test(ops/named SOURCES ops/fully_connected.cpp ops/movement.cpp ops/product.cpp ops/random.cpp ops/reduction_shapes.cpp ops/row.cpp ops/sort.cpp
  ops/view.cpp BY Clang OPTIONS -DSINTER_TEST_NAMED)

sinter_test(ops/calls)
sinter_test(ops/integers)
sinter_test(ops/narrow BY Clang)
if(SINTER_TEST_ALL)
  sinter_test(ops/narrow_thrust SOURCES ops/narrow.cpp THRUST CPP BY GNU OPTIONS -DSINTER_THRUST_ONLY)
else()
  set_property(GLOBAL APPEND PROPERTY sinter_listed_tests ops/narrow_thrust.cpp)
endif()
sinter_test(ops/contract)
sinter_test(ops/selu ISA sse2 avx2 avx512)

sinter_test(passes/laws SOURCES passes/*.cpp OPTIONS -DSINTER_CHECK_LEVEL=1)
# 32 of 200 networks with Clang (all of them with SINTER_TEST_ALL), 15 with GCC, which takes longer and contracts products and sums from -O2
# on. plan/random_graphs runs thousands.
if(SINTER_TEST_ALL)
  set(networks PARTS 8)
else()
  set(networks PARTS 25 ONLY 4)
endif()
sinter_test(passes/random GENERATE passes/random_networks.py ${networks} SPREAD ISA sse2 avx512 BY Clang)
sinter_test(passes/random GENERATE passes/random_networks.py PARTS 40 ONLY 3 SPREAD ISA sse2 avx2 avx512 BY GNU OPTIONS -O2)
sinter_test(passes/random_thrust GENERATE passes/random_networks.py PARTS 25 ONLY 1 THRUST ${thrust} OPTIONS -DSINTER_THRUST_ONLY)

sinter_test(plan/arena OPTIONS -O1)
sinter_test(plan/judge)
sinter_test(plan/map)
sinter_test(plan/random_graphs OPTIONS -O1)
if(SINTER_TEST_ALL AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(largest -DSINTER_TEST_LARGEST)
endif()
sinter_test(plan/large OPTIONS ${largest})
sinter_test(plan/parts OPTIONS -O1)
sinter_test(plan/counts OPTIONS -DSINTER_REFERENCE_ONLY)

sinter_test(run/prepare)

sinter_test(backend/xsimd/batch ISA sse2 avx2 avx512)
sinter_test(backend/xsimd/compiled LIBRARIES sinter::compiled)
sinter_test(backend/xsimd/kernels ISA sse2 avx2 avx512)
sinter_test(backend/xsimd/math ISA sse2 avx2 avx512 OPTIONS -O1)  # minutes under the sanitizers otherwise
sinter_test(backend/xsimd/opaque LABELS threads)
sinter_test(backend/xsimd/pool LABELS threads)
sinter_test(backend/xsimd/product ISA sse2 avx2 avx512 OPTIONS -O1)
if(NOT CMAKE_CXX_FLAGS MATCHES "fsanitize")  # which takes the compiler two minutes more
  set(special OPTIONS -O1)
endif()
if(NOT SINTER_TEST_ALL AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  sinter_test(backend/xsimd/special ISA avx512 ${special})
else()
  sinter_test(backend/xsimd/special ISA sse2 avx2 avx512 ${special})
endif()
sinter_test(backend/xsimd/portable SOURCES backend/xsimd/batch.cpp backend/xsimd/kernels.cpp backend/xsimd/special.cpp ISA sse2
  BY Clang OPTIONS -O1 -DSINTER_SIMD_PORTABLE)
# Few programs, because each compiles the interpreter's loops.
sinter_test(backend/interpreter/networks SOURCES backend/interpreter/loops.cpp backend/interpreter/random_graphs.cpp symbol/numbers.cpp
  ISA ${most_isa})
set(composed nn/cells.cpp nn/generation.cpp nn/image_layers.cpp nn/images.cpp nn/loss.cpp nn/models.cpp nn/recurrent.cpp nn/transformer.cpp)
set_property(GLOBAL APPEND PROPERTY sinter_listed_tests ${composed})
if(NOT SINTER_TEST_ALL AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)  # minutes, too, and the preset asan has them
  list(REMOVE_ITEM composed nn/generation.cpp nn/images.cpp nn/loss.cpp nn/models.cpp)
endif()
if(SINTER_JSON_INCLUDE_DIR)
  sinter_test(symbol/files SOURCES backend/interpreter/loops.cpp)
else()
  set_property(GLOBAL APPEND PROPERTY sinter_listed_tests symbol/files.cpp fuzz/symbol.cpp)
endif()
sinter_test(symbol/symbol SOURCES backend/interpreter/loops.cpp ${composed} symbol/networks.cpp)
if(SINTER_TEST_ALL)
  sinter_test(models/zoo SOURCES backend/interpreter/loops.cpp BY GNU OPTIONS -O1 -DSINTER_ALL_NETWORKS)
else()
  sinter_test(models/zoo SOURCES backend/interpreter/loops.cpp BY GNU)
endif()
if(SINTER_TEST_ALL)
  sinter_test(backend/interpreter/random GENERATE passes/random_networks.py PARTS 25 ONLY 3 SPREAD SOURCES backend/interpreter/loops.cpp
    ISA sse2 avx2 avx512 BY Clang OPTIONS -DSINTER_TEST_INTERPRETED)
endif()
sinter_test(backend/thrust/device SOURCES backend/thrust/digits.cpp THRUST ${thrust} LABELS unit)
sinter_test(backend/thrust/kernels THRUST ${thrust})

sinter_test(nd/tensor SOURCES nd/elements.cpp nd/out.cpp nd/print.cpp)
sinter_test(nd/parts SOURCES nd/assign.cpp nd/creation.cpp)
sinter_test(nd/dynamic)
sinter_test(nd/dynamic_networks)
if(sinter_xtensor_missing)
  set_property(GLOBAL APPEND PROPERTY sinter_listed_tests nd/xtensor.cpp)
else()
  sinter_test(nd/xtensor LIBRARIES sinter::xtensor)
endif()

set(nn nn/collect.cpp nn/constant.cpp nn/containers.cpp nn/control_flow.cpp nn/convolution.cpp nn/effects.cpp nn/function.cpp nn/hybridize.cpp nn/initializer.cpp nn/layers.cpp nn/names.cpp nn/once.cpp nn/plain.cpp nn/print.cpp nn/relaxed.cpp nn/share.cpp nn/states.cpp nn/summary.cpp nn/training.cpp)
sinter_test(nn/block SOURCES ${nn} ISA ${most_isa})
sinter_test(nn/reference SOURCES nn/block.cpp ${nn} REFERENCE BY Clang)
sinter_test(nn/thrust SOURCES nn/block.cpp ${nn} THRUST ${systems} BY Clang OPTIONS -DSINTER_THRUST_ONLY)
sinter_test(nn/allocation LABELS allocation LIBRARIES ${CMAKE_DL_LIBS})
# LLVM's OpenMP allocates by itself in every parallel loop, GCC's does not.
sinter_test(nn/allocation_thrust SOURCES nn/allocation.cpp THRUST CPP OMP LABELS allocation BY GNU LIBRARIES ${CMAKE_DL_LIBS}
  OPTIONS -DSINTER_THRUST_ONLY)
sinter_test(nn/load LABELS allocation)
sinter_test(nn/fast ISA ${isa})
sinter_test(nn/weights ISA ${isa})
# Once with each compiler's most eager contraction of products and sums, against a file that may contract nothing.
sinter_test(nn/flags SOURCES nn/flags_plain.cpp ISA avx2 BY GNU OPTIONS -O3)
sinter_test(nn/flags SOURCES nn/flags_plain.cpp ISA avx512 BY Clang OPTIONS -O3 -ffp-contract=fast)
set_source_files_properties(nn/flags_plain.cpp PROPERTIES COMPILE_OPTIONS "-O1;-ffp-contract=off")
sinter_test(nn/lifetime)
sinter_test(nn/memory LABELS allocation OPTIONS -g1)
sinter_test(nn/overlap)
sinter_test(nn/ownership)
# The preset asan is Clang's.
sinter_test(nn/sanitized BY GNU LIBRARIES -fsanitize=undefined,address OPTIONS -fsanitize=undefined,address -fno-sanitize-recover=all)
sinter_test(nn/subnormal ISA ${isa})
sinter_test(nn/threads LABELS threads OPTIONS -O1)

sinter_test(io/file)
sinter_test(io/match)
sinter_test(io/npy)
sinter_test(io/params)
sinter_test(io/tensor)
sinter_fuzz(fuzz/match CORPUS fuzz/corpus/match)
sinter_fuzz(fuzz/npy CORPUS fuzz/corpus/npy)
sinter_fuzz(fuzz/params CORPUS fuzz/corpus/params)
if(SINTER_JSON_INCLUDE_DIR)
  sinter_fuzz(fuzz/symbol CORPUS fuzz/corpus/symbol SOURCES backend/interpreter/loops.cpp)
endif()

sinter_test(viz/report)

sinter_test(docs/operations)
set(pages README.md docs/guide.md docs/layers.md docs/pipeline.md test/docs/snippets.py)
sinter_test(docs/guide GENERATE docs/snippets.py DEPENDS ${pages})
sinter_test(docs/devices GENERATE docs/devices.py DEPENDS ${pages} THRUST ${thrust})
