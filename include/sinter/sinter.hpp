// SPDX-License-Identifier: Apache-2.0
// Everything for a program that runs on the CPU.
#pragma once
#include "ops/rule.hpp"  // first of all: Clang prints who includes the file of an error, and most errors are there

#include "compile/instance.hpp"
#include "compile/plain.hpp"
#include "io/tensor.hpp"
#include "nd/files.hpp"
#include "nn/layers/cells.hpp"
#include "nn/layers/images.hpp"
#include "nn/layers/loss.hpp"
#include "nn/layers/norms.hpp"
#include "nn/layers/pooling.hpp"
#include "nn/layers/recurrent.hpp"
#include "nn/layers/transformer.hpp"
#include "nn/layers/transposed.hpp"
#include "nn/load.hpp"
#include "nn/save.hpp"
#include "nn/share.hpp"
#include "nn/table.hpp"
#include "viz/benchmark.hpp"
#include "viz/report.hpp"
