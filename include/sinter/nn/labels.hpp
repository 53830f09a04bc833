// SPDX-License-Identifier: Apache-2.0
// Labels that are classes: eagerly they are compared with the number of classes at once; a trace notes that calls have to.
#pragma once
#include <string>

#include "phase.hpp"

namespace sinter::nn::detail::inline SINTER_ISA {

// Throws where a label on the processor is none of the classes: pick would take the nearest one without a word.
template <class Label> constexpr void check_labels([[maybe_unused]] Label const& label, [[maybe_unused]] extent classes) {
  if constexpr (is_training<Label>) check_labels(unmarked(label), classes);
  else if constexpr (nd::is_recorded<Label>) check_labels(label.held(), classes);
  else if constexpr (sym::is_symbol<Label>) {
    if constexpr (std::is_integral_v<typename Label::value_type>) label.t->note_classes(label.id, classes);
  } else if constexpr (nd::is_tensor<Label>)
    if constexpr (Label::device_type::is_host && std::is_integral_v<typename Label::value_type>) {
      auto const rows = label.contiguous();
      for (extent i = 0; i < rows.size(); ++i)
        if (auto const v = static_cast<std::int64_t>(rows.data()[i]); v < 0 || v >= classes)
          throw error("sinter: a label is " + std::to_string(v) + ", and there are " + std::to_string(classes) +
                      " classes, which are counted from 0");
    }
}

}  // namespace sinter::nn::detail::inline SINTER_ISA
