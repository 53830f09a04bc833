// SPDX-License-Identifier: Apache-2.0
// This program runs the tests of narrow numbers on one of Thrust's device systems: it is built with SINTER_THRUST_ONLY.
#include <sinter/backend/default.hpp>

static_assert(std::is_same_v<sinter::default_backend, sinter::gpu::waiting_backend>, "this program is built with SINTER_THRUST_ONLY");
