# SPDX-License-Identifier: Apache-2.0
# Every test program, a line each, in the order of the rooms; headers/, rooms/, compile_fail/, package/, units/ and cuda/ register checks of their own. The columns say which compiler builds it, for which instruction set, under which
# sanitizer or on which backend, and the entry in a column when:
#   q   with the README's command (quick), and so in the gate
#   g   in the gate (.ci/run), besides; a number: so many parts of a test that a script writes, and all of them in .ci/run all
#   w   in the gate where this is the widest instruction set of the processor, otherwise as a
#   a   in .ci/run all
#   .   never
# sinter_test, sinter_check and sinter_fuzz in CMakeLists.txt say what may follow.
#
# A compiler needs longer for a test than the test runs. So the gate has most tests once: from Clang, which is twice as fast as GCC, under the
# address sanitizer where memory is read and written by hand, and without it elsewhere; kernels from GCC, too, which contracts and vectorizes in
# other places; and from GCC a part of each room, which is what the README's command shows. Without optimization, which takes a compiler half
# the time; a test that runs for long says otherwise.

# Files that several programs have: one operation of each kind, all operations, networks that are compiled, and those that are composed.
set(kinds ops/activation.cpp ops/convolution.cpp ops/pooling.cpp ops/product.cpp ops/reduction_shapes.cpp ops/row.cpp ops/sort.cpp ops/view.cpp)
set(ops ${kinds} ops/arithmetic.cpp ops/arrange.cpp ops/attention.cpp ops/bitwise.cpp ops/broadcast.cpp ops/cast.cpp ops/comparison.cpp ops/coordinates.cpp ops/ctc.cpp ops/einsum.cpp ops/fully_connected.cpp ops/gamma.cpp ops/images.cpp ops/linalg.cpp ops/logic.cpp ops/moments.cpp ops/movement.cpp ops/norms.cpp
  ops/random.cpp ops/reduction.cpp ops/reduction_special.cpp ops/rounding.cpp ops/sequence.cpp ops/transposed.cpp ops/trigonometric.cpp ops/unary.cpp)
set(named ops/fully_connected.cpp ops/movement.cpp ops/product.cpp ops/random.cpp ops/reduction_shapes.cpp ops/row.cpp ops/sort.cpp ops/view.cpp)
set(networks nn/containers.cpp nn/control_flow.cpp nn/convolution.cpp nn/effects.cpp nn/function.cpp nn/hybridize.cpp nn/once.cpp nn/share.cpp nn/states.cpp nn/training.cpp)
set(types nn/collect.cpp nn/constant.cpp nn/initializer.cpp nn/layers.cpp nn/names.cpp nn/plain.cpp nn/print.cpp nn/relaxed.cpp nn/summary.cpp)
set(on_devices nn/blocks.cpp nn/control_flow.cpp nn/convolution.cpp nn/once.cpp nn/states.cpp)
set(composed nn/cells.cpp nn/generation.cpp nn/image_layers.cpp nn/images.cpp nn/loss.cpp nn/models.cpp nn/transformer.cpp)
set(pages README.md docs/guide.md docs/layers.md docs/pipeline.md test/docs/snippets.py)
sinter_literals(literals seed-mlp digits-cnn digits-resnet digits-transformer two-inputs numpy-mode half text concurrent kitchen)

#                                      GCC                  Clang
#                                      sse2                 sse2
#                                      |  avx2              |  avx2
#                                      |  |  avx512         |  |  avx512
#                                      |  |  |  thrust: CPP |  |  |  asan: address sanitizer, avx2
#                                      |  |  |  |           |  |  |  |  asan512: address sanitizer, avx512
#                                      |  |  |  |           |  |  |  |  |  tsan: thread sanitizer, avx2
#                                      |  |  |  |           |  |  |  |  |  |  reference: the reference kernels
#                                      |  |  |  |           |  |  |  |  |  |  |  cpp: Thrust, CPP
#                                      |  |  |  |           |  |  |  |  |  |  |  |  omp: Thrust, OMP
sinter_test(core/buffer                q  .  .  .           .  .  .  g  .  g  .  .  .  LABELS threads)
sinter_test(core/math                  q  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(core/memory                q  .  .  .           .  .  .  g  .  g  .  .  .  LABELS threads OPTIONS -DSINTER_KEEPS_MEMORY=1)
sinter_test(core/shape                 q  .  .  .           .  .  .  g  .  .  .  .  .  SOURCES core/dtype.cpp core/float16.cpp core/letters.cpp core/list.cpp)

sinter_test(ops/data                   a  .  .  .           .  a  a  g  .  .  .  .  .  INTERPRETER)
sinter_test(ops/gradients              .  .  .  .           .  a  .  g  .  .  .  .  .  INTERPRETER)
sinter_test(ops/recorded               .  .  .  .           .  a  .  .  .  .  .  .  .  INTERPRETER SOURCES ${ops} BEGIN ops/loops.hpp OPTIONS -DSINTER_TEST_RECORD)
sinter_test(ops/kinds                  q  a  a  .           a  g  a  a  .  .  .  .  .  INTERPRETER SOURCES ${kinds} BEGIN ops/check.hpp)
sinter_test(ops/coverage               a  a  a  .           a  a  a  a  .  .  .  .  .  INTERPRETER SOURCES ${ops} BEGIN ops/check.hpp)
sinter_test(ops/thrust                 .  .  .  .           .  .  .  .  .  .  .  a  a  SOURCES ${ops} OPTIONS -DSINTER_THRUST_ONLY)
sinter_test(ops/reference              .  .  .  .           .  .  .  .  .  .  g  .  .)
sinter_test(ops/on_reference           .  .  .  .           .  .  .  .  .  .  a  .  .  SOURCES ops/reference.cpp ${ops})
sinter_test(ops/calls                  a  .  .  .           .  g  .  .  .  .  .  .  .)
sinter_test(ops/integers               a  .  .  .           .  g  .  a  .  .  .  .  .)
sinter_test(ops/narrow                 .  .  .  .           .  g  .  .  .  .  .  .  .)
sinter_test(ops/named                  .  .  .  .           .  a  .  .  .  .  .  .  .  SOURCES ${named} OPTIONS -DSINTER_TEST_NAMED)
sinter_test(ops/narrow_thrust          .  .  .  a           .  .  .  .  .  .  .  .  .  SOURCES ops/narrow.cpp OPTIONS -DSINTER_THRUST_ONLY)
sinter_test(ops/contract               a  .  .  .           .  g  .  .  .  .  .  .  .)
sinter_test(ops/refusals               .  .  .  .           .  g  .  .  .  .  .  .  .)
sinter_test(ops/selu                   a  w  w  .           a  g  a  .  .  .  .  .  .)

sinter_test(passes/laws                a  .  .  .           .  g  .  .  .  .  .  .  .  SOURCES passes/*.cpp OPTIONS -DSINTER_CHECK_LEVEL=1)
# Eight networks a part. GCC takes longer, and contracts products and sums from -O2 on. plan/random_graphs runs thousands.
sinter_test(passes/random              .  .  .  .           2  .  2  .  .  .  .  .  .  GENERATE passes/random_networks.py PARTS 25)
sinter_test(passes/contracted          1  1  1  .           .  .  .  .  .  .  .  .  .  GENERATE passes/random_networks.py PARTS 40 OPTIONS -O2)
sinter_test(passes/random_thrust       .  .  .  .           .  .  .  .  .  .  .  a  1  GENERATE passes/random_networks.py PARTS 25 OPTIONS -DSINTER_THRUST_ONLY)
sinter_test(passes/interpreted         .  .  .  .           .  a  a  .  .  .  .  .  .  GENERATE passes/random_networks.py PARTS 25 INTERPRETER OPTIONS -DSINTER_TEST_INTERPRETED)

sinter_test(plan/arena                 a  .  .  .           .  g  .  a  .  .  .  .  .  OPTIONS -O1)
sinter_test(plan/blocks                q  .  .  .           .  g  .  a  .  .  .  .  .)
sinter_test(plan/image_blocks          a  .  .  .           .  g  .  a  .  .  .  .  .)
sinter_test(plan/random_images         a  .  .  .           .  g  .  a  .  .  .  .  .  OPTIONS -O1 -DSINTER_SMALL_IMAGE_BLOCKS=1500)
sinter_test(plan/judge                 a  .  .  .           .  g  .  .  .  .  .  .  .  SOURCES plan/updates.cpp)
sinter_test(plan/map                   a  .  .  .           .  g  .  .  .  .  .  .  .)
sinter_test(plan/random_graphs         a  .  .  .           .  g  .  a  .  .  .  .  .  OPTIONS -O1)
sinter_test(plan/large                 a  .  .  .           .  g  .  .  .  .  .  .  .)
sinter_test(plan/parts                 a  .  .  .           .  g  .  .  .  .  .  .  .  OPTIONS -O1)
sinter_test(plan/counts                a  .  .  .           .  g  .  .  .  .  .  .  .  OPTIONS -DSINTER_REFERENCE_ONLY)

sinter_test(run/prepare                q  .  .  .           .  .  .  g  .  .  .  .  .)

sinter_test(backend/xsimd/batch        q  w  w  .           a  a  a  g  a  .  .  .  .)
sinter_test(backend/xsimd/compiled     q  .  .  .           .  .  .  a  .  .  .  .  .  LIBRARIES sinter::compiled)
sinter_test(backend/xsimd/kernels      q  w  w  .           a  a  a  g  a  .  .  .  .)
sinter_test(backend/xsimd/math         a  a  a  .           g  g  a  a  a  .  .  .  .  OPTIONS -O1)
sinter_test(backend/xsimd/opaque       q  .  .  .           .  .  .  g  .  g  .  .  .  LABELS threads)
sinter_test(backend/xsimd/pool         q  .  .  .           .  .  .  g  .  g  .  .  .  LABELS threads)
sinter_test(backend/xsimd/product      q  w  w  .           a  a  a  g  a  .  .  .  .  OPTIONS -O1)
sinter_test(backend/xsimd/special      a  a  w  .           a  g  a  a  a  .  .  .  .  UNSANITIZED -O1)  # the sanitizers take a compiler two minutes more
sinter_test(backend/xsimd/portable     .  .  .  .           a  .  .  .  .  .  .  .  .  SOURCES backend/xsimd/batch.cpp backend/xsimd/kernels.cpp backend/xsimd/special.cpp OPTIONS -O1 -DSINTER_SIMD_PORTABLE)
sinter_test(backend/interpreter/networks a a a .            a  a  a  g  a  .  .  .  .  INTERPRETER SOURCES backend/interpreter/chains.cpp backend/interpreter/random_graphs.cpp backend/interpreter/windows.cpp symbol/numbers.cpp)
sinter_test(backend/thrust/device      .  .  .  .           .  .  .  .  .  .  .  a  g  SOURCES backend/thrust/digits.cpp backend/thrust/rows.cpp backend/thrust/scan.cpp backend/thrust/scatter.cpp backend/thrust/sort.cpp)
sinter_test(backend/thrust/kernels     .  .  .  .           .  .  .  .  .  .  .  a  g)

sinter_test(nd/tensor                  q  .  .  .           .  .  .  g  .  .  .  .  .  SOURCES nd/elements.cpp nd/out.cpp nd/print.cpp)
sinter_test(nd/parts                   a  .  .  .           .  .  .  g  .  .  .  .  .  SOURCES nd/assign.cpp nd/creation.cpp)
sinter_test(nd/dlpack                  q  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(nd/dynamic                 a  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(nd/dynamic_networks        a  .  .  .           .  g  .  .  .  .  .  .  .)
sinter_test(nd/xtensor                 q  .  .  .           .  .  .  g  .  .  .  .  .  LIBRARIES sinter::xtensor)

sinter_test(nn/function                q  .  .  .           .  .  .  .  .  .  .  .  .  SOURCES nn/hybridize.cpp)
sinter_test(nn/block                   a  a  a  .           a  a  a  g  a  .  .  .  .  SOURCES ${networks})
sinter_test(nn/recurrent               a  .  .  .           .  g  .  a  .  .  .  .  .  INTERPRETER SOURCES ${composed})
sinter_test(nn/types                   a  .  .  .           .  g  .  a  .  .  .  .  .  SOURCES ${types})
sinter_test(nn/reference               .  .  .  .           .  .  .  .  .  .  a  .  .  SOURCES nn/block.cpp nn/blocks.cpp ${networks} ${types})
sinter_test(nn/thrust                  .  .  .  .           .  .  .  .  .  .  .  .  g  SOURCES nn/block.cpp ${on_devices} OPTIONS -DSINTER_THRUST_ONLY -DSINTER_CHECK_LEVEL=1)
sinter_test(nn/on_thrust               .  .  .  .           .  .  .  .  .  .  .  a  a  SOURCES nn/thrust.cpp nn/block.cpp nn/blocks.cpp ${networks} ${types} OPTIONS -DSINTER_THRUST_ONLY -DSINTER_CHECK_LEVEL=1)
sinter_test(nn/allocation              q  .  .  .           .  .  .  .  .  .  .  .  .  LABELS allocation LIBRARIES ${CMAKE_DL_LIBS})
sinter_test(nn/allocation_thrust       .  .  .  g           .  .  .  .  .  .  .  .  .  SOURCES nn/allocation.cpp LABELS allocation LIBRARIES ${CMAKE_DL_LIBS} OPTIONS -DSINTER_THRUST_ONLY)  # LLVM's OpenMP allocates by itself
sinter_test(nn/load                    q  .  .  .           .  .  .  g  .  .  .  .  .  LABELS allocation)
sinter_test(nn/blocks                  a  a  a  .           a  a  a  g  a  .  .  .  .)
sinter_test(nn/image_blocks            a  a  a  .           a  a  a  g  a  .  .  .  .  OPTIONS -DSINTER_SMALL_IMAGE_BLOCKS=8192 -DSINTER_CHECK_LEVEL=1)
sinter_test(nn/pixels                  a  a  a  .           a  a  a  g  a  .  .  .  .  OPTIONS -DSINTER_SIMD_PIXELS)
sinter_test(nn/fast                    a  a  w  .           g  g  a  .  .  .  .  .  .)
sinter_test(nn/winograd                a  a  a  .           a  a  a  g  a  .  .  .  .)
sinter_test(nn/weights                 a  a  w  .           g  a  a  g  a  .  .  .  .)
# Once with each compiler's most eager contraction of products and sums, against a file that may contract nothing.
sinter_test(nn/flags                   .  g  .  .           .  .  g  .  .  .  .  .  .  SOURCES nn/flags_plain.cpp OPTIONS -O3 $<$<CXX_COMPILER_ID:Clang>:-ffp-contract=fast>)
set_source_files_properties(nn/flags_plain.cpp PROPERTIES COMPILE_OPTIONS "-O1;-ffp-contract=off")
sinter_test(nn/gradient                a  .  .  .           .  a  .  g  .  .  .  .  .  INTERPRETER SOURCES nn/recorded.cpp)
sinter_test(nn/lifetime                a  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(nn/memory                  a  .  .  .           .  .  .  g  .  .  .  .  .  LABELS allocation OPTIONS -g1)
sinter_test(nn/overlap                 a  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(nn/ownership               a  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(nn/sanitized               g  .  .  .           .  .  .  .  .  .  .  .  .  LIBRARIES -fsanitize=undefined,address OPTIONS -fsanitize=undefined,address -fno-sanitize-recover=all)  # GCC's
sinter_test(nn/subnormal               .  a  a  .           .  g  a  .  .  .  .  .  .)
sinter_test(nn/instance                q  .  .  .           .  .  .  g  .  g  .  .  .  LABELS threads)
sinter_test(nn/threads                 q  .  .  .           .  a  .  .  .  g  .  .  .  LABELS threads OPTIONS -O1)

sinter_test(io/file                    q  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(io/match                   q  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(io/npy                     q  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(io/params                  q  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(io/tensor                  q  .  .  .           .  .  .  g  .  .  .  .  .)
sinter_test(io/npz                     q  .  .  .           .  .  .  g  .  .  .  .  .  SOURCES nd/files.cpp LIBRARIES sinter::npz)
sinter_test(io/safetensors             q  .  .  .           .  .  .  g  .  .  .  .  .  SOURCES nn/files.cpp LIBRARIES sinter::json)

sinter_test(train/record               .  .  .  .           .  a  .  g  .  .  .  .  .)
sinter_test(train/optimizers           a  .  .  .           .  g  .  .  .  .  .  .  .)
sinter_test(train/random               1  .  .  .           .  1  .  .  .  .  .  .  .  GENERATE train/random_steps.py PARTS 34)
sinter_test(train/trainer              a  .  .  .           .  g  .  .  .  .  .  .  .  LABELS allocation LIBRARIES ${CMAKE_DL_LIBS})

sinter_test(symbol/symbol              a  .  .  .           .  .  .  g  .  .  .  .  .  INTERPRETER SOURCES symbol/networks.cpp)
sinter_test(symbol/files               a  .  .  .           .  .  .  g  .  .  .  .  .  INTERPRETER LABELS files LIBRARIES sinter::json)
sinter_test(symbol/types               a  .  .  .           .  g  .  .  .  .  .  .  .  LABELS files MODELS concurrent seed-mlp hybrid-net digits-cnn half loops numpy-mode text two-inputs)
sinter_test(symbol/types_large         a  .  .  .           .  a  .  .  .  .  .  .  .  LABELS files MODELS digits-lstm digits-resnet digits-transformer kitchen)
sinter_test(models/zoo                 .  .  .  .           .  g  .  .  .  .  .  .  .  INTERPRETER SOURCES models/gradients.cpp models/transformers.cpp)
sinter_test(models/all                 a  .  .  .           .  .  .  .  .  .  .  .  .  INTERPRETER SOURCES models/gradients.cpp models/zoo.cpp models/transformers.cpp OPTIONS -O1 -DSINTER_ALL_NETWORKS)
# Literals are compared with what reads the same text while the program runs.
sinter_test(literal/network            q  .  .  .           .  .  .  .  .  .  .  .  .  SOURCES literal/decimal.cpp)
sinter_test(literal/rows               a  .  .  .           .  g  .  .  .  .  .  .  .  INTERPRETER SOURCES literal/layers.cpp LIBRARIES sinter::json)
sinter_test(literal/models             a  .  .  .           .  g  .  .  .  .  .  .  .  INTERPRETER LABELS files LIBRARIES sinter::json OPTIONS -I${literals})
sinter_test(onnx/onnx                  a  .  .  .           .  .  .  g  .  .  .  .  .  INTERPRETER SOURCES onnx/export.cpp onnx/nodes.cpp LIBRARIES sinter::onnx)
sinter_test(onnx/type                  a  .  .  .           .  g  .  .  .  .  .  .  .  LABELS files LIBRARIES small sinter::onnx OPTIONS "-DSINTER_SMALL_PARAMS=\"${small_params}\"")

sinter_test(viz/report                 q  .  .  .           .  .  .  .  .  .  .  .  .)

sinter_test(docs/operations            .  .  .  .           .  g  .  .  .  .  .  .  .)
sinter_test(docs/guide                 a  .  .  .           .  g  .  .  .  .  .  .  .  GENERATE docs/snippets.py DEPENDS ${pages} LIBRARIES sinter::json)
sinter_test(docs/devices               .  .  .  .           .  .  .  .  .  .  .  a  g  GENERATE docs/devices.py DEPENDS ${pages})

# What has no column: the entry for GCC, and that for Clang.
#                         GCC
#                         |  Clang
sinter_fuzz(fuzz/match    a  g)
sinter_fuzz(fuzz/npy      a  g)
sinter_fuzz(fuzz/npz      a  g  LIBRARIES sinter::npz)
sinter_fuzz(fuzz/onnx     a  g  LIBRARIES sinter::onnx)
sinter_fuzz(fuzz/params   a  g)
sinter_fuzz(fuzz/safetensors a g LIBRARIES sinter::json)
sinter_fuzz(fuzz/symbol   a  g  LIBRARIES sinter::json)

sinter_check(mutants      .  g  LABELS docs COMMAND mutants/run.py --check)
sinter_check(ops.made     .  g  NUMPY LABELS ops COMMAND data/ops/make.py --check)
sinter_check(ops.cases    .  a  LABELS ops COMMAND data/ops/cases.py --check $<TARGET_FILE:test.ops.recorded.avx2>)
sinter_check(docs.links   .  g  LABELS docs COMMAND docs/links.py ${PROJECT_SOURCE_DIR})
sinter_check(docs.links.harness . g LABELS docs COMMAND docs/links.py --self-test)
sinter_check(literal.aliases . g LABELS literal COMMAND literal/aliases.py ${PROJECT_SOURCE_DIR}/include)
sinter_check(literal.aliases.harness . g LABELS literal COMMAND literal/aliases.py --self-test)
sinter_check(onnx.nodes   .  g  LABELS onnx COMMAND onnx/nodes.py $<TARGET_FILE:test.onnx.onnx.asan> ${PROJECT_BINARY_DIR}/onnx)
sinter_check(onnx.runtime .  a  LABELS onnx COMMAND onnx/runtime.py $<TARGET_FILE:test.onnx.onnx.asan> ${PROJECT_BINARY_DIR}/onnxruntime)
sinter_check(onnx.peers   .  a  LABELS onnx COMMAND onnx/peers.py $<TARGET_FILE:run_model> ${PROJECT_BINARY_DIR}/onnxpeers)
sinter_check(symbol.mxnet .  a  LABELS files COMMAND symbol/in_mxnet.py $<TARGET_FILE:test.symbol.files.asan> ${PROJECT_BINARY_DIR}/mxnet)
