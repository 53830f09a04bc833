// SPDX-License-Identifier: Apache-2.0
// Everything for a program that runs on the CPU.
#pragma once
#include "ops/rule.hpp"  // first of all: Clang prints who includes the file of an error, and most errors are there

#include "io/tensor.hpp"
#include "nd/files.hpp"
#include "nn/cells.hpp"
#include "nn/images.hpp"
#include "nn/load.hpp"
#include "nn/loss.hpp"
#include "nn/norms.hpp"
#include "nn/plain.hpp"
#include "nn/pooling.hpp"
#include "nn/recurrent.hpp"
#include "nn/save.hpp"
#include "nn/share.hpp"
#include "nn/table.hpp"
#include "nn/transformer.hpp"
#include "nn/transposed.hpp"
#include "viz/benchmark.hpp"
#include "viz/report.hpp"
