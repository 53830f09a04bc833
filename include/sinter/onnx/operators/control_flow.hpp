// SPDX-License-Identifier: Apache-2.0
// ONNX's operators with subgraphs; what becomes of them is in subgraphs.hpp.
#pragma once
#include "../site.hpp"

namespace sinter::onnx::inline SINTER_ISA {
namespace detail {

void compose_if(site& k);
void compose_loop(site& k);
void compose_scan(site& k);

inline constexpr operator_row control_flow_rows[] = {
    {"If", 1, 0, 1, "else_branch then_branch", "", compose_if},
    {"Loop", 1, 0, any_number, "body", "", compose_loop},
    {"Scan", 9, 0, any_number, "body num_scan_inputs scan_input_axes scan_input_directions scan_output_axes scan_output_directions", "",
     compose_scan},
};

}  // namespace detail
}  // namespace sinter::onnx::inline SINTER_ISA
