// SPDX-License-Identifier: Apache-2.0
// Models in ONNX's format: onnx::load(file) runs them by the interpreter, onnx::save(symbol, file, types) writes them. It needs protozero, which the target sinter::onnx adds; what it costs
// a translation unit is said in interpreter.hpp.
#pragma once
#include "onnx/export.hpp"
#include "onnx/model.hpp"
#include "onnx/save.hpp"
#include "symbol/part.hpp"
