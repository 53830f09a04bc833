// SPDX-License-Identifier: Apache-2.0
// Training: gradients of eager calls that are recorded, optimizers, the trainer, and batches. With sinter.hpp.
#pragma once
#include "gradient.hpp"
#include "nn/layers/loss.hpp"
#include "train/batches.hpp"
#include "train/compiled_call.hpp"
#include "train/record.hpp"
#include "train/trainer.hpp"
