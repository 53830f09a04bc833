# SPDX-License-Identifier: Apache-2.0
# An ONNX model as a type, and sentences of the program that writes it.
sinter_registered(wanted a g)
if(sinter_onnx_missing OR NOT (wanted OR "avx2" IN_LIST SINTER_TEST_COLUMNS))
  return()
endif()
sinter_add_model(small data/onnx/small.onnx INPUTS "input.1=float32(batch, 1, 8, 8)" EMBED)  # for onnx/type
if(NOT wanted)
  return()
endif()
# INPUTS must agree with the file.
set(otherwise "INPUTS: `input.1` is float32 \\(3, 1, 8, 8\\) in small.onnx, and \"input.1=int32\\(4, 7, 3\\)\" says otherwise")
add_test(NAME onnx.inputs COMMAND sinter_onnx_model --out . --name wrong --model ${CMAKE_CURRENT_SOURCE_DIR}/data/onnx/small.onnx --input "input.1=int32(4, 7, 3)")
set_tests_properties(onnx.inputs PROPERTIES LABELS onnx PASS_REGULAR_EXPRESSION "${otherwise}")
add_test(NAME onnx.open COMMAND sinter_onnx_model --out . --name wrong --model ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/mlp.onnx)
set_tests_properties(onnx.open PROPERTIES LABELS onnx PASS_REGULAR_EXPRESSION "say its shape: INPUTS, for example \"x=float32\\(N, 3\\)\"")
# The header depends on the files in which the model keeps elements.
add_test(NAME onnx.beside COMMAND sh -euc "\"$<TARGET_FILE:sinter_onnx_model>\" --out . --name beside --model \"${CMAKE_CURRENT_SOURCE_DIR}/data/onnx/beside.onnx\"; cat beside.d")
set_tests_properties(onnx.beside PROPERTIES LABELS onnx PASS_REGULAR_EXPRESSION "^./beside.hpp: [^\n]*/data/onnx/beside\\\\ weights.bin\n$")
# A dimension may have a name where no operator computes with its extent.
add_test(NAME onnx.number COMMAND sinter_onnx_model --out . --name wrong --model ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/onnx/recurrent.onnx --input "x=float32(time, batch, 2)")
set_tests_properties(onnx.number PROPERTIES LABELS onnx PASS_REGULAR_EXPRESSION "\\(LSTM\\): it needs a number for dimension `time`; give `time` a number in INPUTS")
