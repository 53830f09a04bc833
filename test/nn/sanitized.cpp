// SPDX-License-Identifier: Apache-2.0
// Under GCC's sanitizers less is a constant expression: what the compiler computes must be one there, too.
#include <sinter/sinter.hpp>

#include "../catch.hpp"

using namespace sinter;

namespace {

struct network : nn::hybrid_block<network> {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<8>, hidden), (nn::layer_norm<>, norm), (nn::dense<3>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmax(output(F.gelu(norm(hidden(x))))); }
};

}  // namespace

TEST_CASE("names of dimensions and networks compile under the sanitizers") {
  using rows = nd::tensor<float, shape<dim<"Rows_09">, 4>>;
  CHECK(to_string(rows::shape_type::value) == "(Rows_09, 4)");
  rows x({5, 4});
  x.fill(0.5f);
  network net;
  net.initialize(init::xavier{}, 1);
  auto const fast = net.hybridize();
  auto const y = net(x), z = fast(x);
  for (extent i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - z[i]) < 1e-6f);
  CHECK(compiled_t<network, shape<dim<"Rows_09">, 4>>::kernels == 4);
}
