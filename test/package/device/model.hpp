// SPDX-License-Identifier: Apache-2.0
// The same header for both compilers.
#pragma once
#include <sinter/sinter.hpp>

struct model : sinter::nn::hybrid_block<model> {
  BOOST_HANA_DEFINE_STRUCT(model, (sinter::nn::dense<16>, hidden), (sinter::nn::dense<4>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.softmax(output(F.relu(hidden(x)))); }
};

// In device.cu: the largest difference between the results there and `want`, of 2 x 8 inputs; -1 where there is no device.
float on_device(model const& net, float const* x, float const* want);
// nvcc plans eager operations of the host, too, and what a network runs in a loop; false where one of their results is wrong.
bool host_loops_and_sorts();
