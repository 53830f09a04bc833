// SPDX-License-Identifier: Apache-2.0
// Larger files of MXNet as types.
#include <digits_lstm.hpp>
#include <digits_resnet.hpp>
#include <digits_transformer.hpp>
#include <kitchen.hpp>

#include "type_of_file.hpp"

using namespace sinter;

TEST_CASE("forty operations") {
  check_model<kitchen>("kitchen", input<float, shape<3, 4, 5>>("kitchen", 0), input<float, shape<4, 1>>("kitchen", 1));
}
TEST_CASE("a residual network, a recurrent one and a transformer") {
  check_model<digits_resnet>("digits-resnet", pictures<shape<dim<"batch">, 1, 8, 8>>({5, 1, 8, 8}));
  check_model<digits_lstm>("digits-lstm", pictures<shape<dim<"batch">, 8, 8>>({5, 8, 8}));
  check_model<digits_transformer>("digits-transformer", pictures<shape<4, 8, 8>>());
  check_model<digits_transformer>("digits-transformer", pictures<shape<dim<"batch">, 8, 8>>({3, 8, 8}));
}
