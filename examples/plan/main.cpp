// SPDX-License-Identifier: Apache-2.0
// What the compiler makes of a network: the plan in words, and with the argument `dot` as a drawing for Graphviz.
// docs/plan.svg was drawn by `build/dev/examples/plan dot | dot -Tsvg > docs/plan.svg` (Debian: graphviz).
#include <iostream>
#include <sinter/sinter.hpp>
#include <string_view>

namespace nn = sinter::nn;

struct classifier : nn::hybrid_block<classifier> {
  BOOST_HANA_DEFINE_STRUCT(classifier, (nn::dense<128>, hidden), (nn::layer_norm<>, norm), (nn::dense<10>, output));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = F.gelu(norm(hidden(x)));
    return F.softmax(output(h));
  }
};

// One image, and any number of them: the arena is a number, and a function of the batch.
using one = sinter::compiled_t<classifier, sinter::shape<1, 64>>;
using many = sinter::compiled_t<classifier, sinter::shape<sinter::dim<"batch">, 64>>;
static_assert(one::kernels == 4 && one::arena_bytes == 576);
static_assert(many::arena_bytes(32) == 32 * 552);

int main(int count, char** arguments) {
  using compiled = sinter::hybridized<classifier>;
  if (count > 1 && std::string_view(arguments[1]) == "dot") std::cout << compiled::dot<sinter::shape<1, 64>>();
  else std::cout << compiled::report<sinter::shape<1, 64>>();
}
