// SPDX-License-Identifier: Apache-2.0
// In which order the axes of sequences stand.
#pragma once
#include <cstdint>

namespace sinter::nn {

// How a sequence lies: (time, batch, channels), as in Gluon, or (batch, time, channels).
enum class sequence : std::int8_t { tnc, ntc };
// And how labels lie, of which an example has several: (batch, labels) or (labels, batch).
enum class label_layout : std::int8_t { nt, tn };

}  // namespace sinter::nn
