// SPDX-License-Identifier: Apache-2.0
// This program tests operations with the dtypes that the gate's other programs leave out, and lets the interpreter run them: it is built with
// SINTER_TEST_OTHER_DTYPES.
#include "check.hpp"

static_assert(std::is_same_v<sinter::ops::list_of<NUMBERS>, sinter::ops::list_of<double, std::int32_t>>,
              "this program is built with SINTER_TEST_OTHER_DTYPES");
static_assert(test::has_interpreter && !test::is_called<sinter::nd::tensor<float, sinter::shape<2>>>());
