// SPDX-License-Identifier: Apache-2.0
// This program runs the tests of networks on the reference kernels: it is built with SINTER_REFERENCE_ONLY.
#include <sinter/backend/default.hpp>

static_assert(std::is_same_v<sinter::default_backend, sinter::reference::backend>, "this program is built with SINTER_REFERENCE_ONLY");
