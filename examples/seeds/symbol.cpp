// SPDX-License-Identifier: Apache-2.0
// A network fed a symbol: what it is made of, its shapes, and its numbers without a compiler.
#include <sinter/sinter.hpp>
#include <sinter/symbol.hpp>

#include <iostream>

namespace nn = sinter::nn;
namespace sym = sinter::sym;
using sinter::shape;

struct hybrid_net : nn::hybrid_block<hybrid_net> {
  BOOST_HANA_DEFINE_STRUCT(hybrid_net, (nn::dense<4>, hidden), (nn::dense<2>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return output(F.relu(hidden(x))); }
};

int main() {
  hybrid_net net;
  net.initialize(sinter::init::constant{0.5});
  sinter::symbol const y = net(sym::var("data"));
  std::cout << y;

  auto const inferred = y.infer_shape({{"data", {8, 3}}});
  for (std::size_t i = 0; i < inferred.arguments.size(); ++i) std::cout << y.list_arguments()[i] << " " << inferred.arguments[i] << "\n";
  std::cout << "gives " << inferred.outputs[0] << "\n";

  sinter::nd::tensor<float, shape<1, 3>> const x{{1, 2, 3}};
  auto run = y.bind({{"data", x}});
  std::cout << run.forward()[0] << ", " << net(x) << ", " << net.hybridize()(x) << "\n";
  sinter::symbol const hidden = y.get_internals()["relu0"];
  std::cout << hidden.eval({{"data", x}})[0] << "\n";
}
// prints: data
// prints: hidden.weight (4, ?) float32
// prints: hidden.bias (4,) float32
// prints: hidden.fully_connected = fully_connected(data, hidden.weight, hidden.bias)
// prints: relu0 = relu(hidden.fully_connected)
// prints: output.weight (2, ?) float32
// prints: output.bias (2,) float32
// prints: output.fully_connected = fully_connected(relu0, output.weight, output.bias)
// prints: outputs: output.fully_connected_output
// prints: data (8, 3)
// prints: hidden.weight (4, 3)
// prints: hidden.bias (4,)
// prints: output.weight (2, 4)
// prints: output.bias (2,)
// prints: gives (8, 2)
// prints: [[6, 6]], [[6, 6]], [[6, 6]]
// prints: [[3, 3, 3, 3]]
