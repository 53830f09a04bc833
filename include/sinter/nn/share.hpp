// SPDX-License-Identifier: Apache-2.0
// Two blocks with the same parameters, as Gluon's share_parameters.
#pragma once
#include "collect.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
// Each parameter of `shared` becomes that of its name in `own`: all, or where an exception says why not, none. The values of `shared` stay.
inline void share_all(parameter_dict const& own, parameter_dict const& shared) {
  for (parameter_handle const& p : shared) {
    parameter_handle const* const mine = own.find(p.name());
    if (!mine)
      throw parameter_error("sinter: " + p.in_words() + " cannot be shared with a block that has no parameter of this name, but " +
                            own.names());
    mine->check_share(p);
  }
  // Sharing moves all that has the same values: what is one must stay one, and nothing else become one.
  for (parameter_handle const& p : shared)
    for (parameter_handle const& q : shared)
      if (p.identity() != q.identity() &&
          (own[p.name()].identity() == own[q.name()].identity() || own[p.name()].identity() == q.identity()))
        throw parameter_error("sinter: parameters `" + p.name() + "` and `" + q.name() +
                              "` share their values on one side, and not on the other");
  for (parameter_handle const& p : shared) own[p.name()].share(p);
}
}  // namespace detail::inline SINTER_ISA

template <class D> template <block_like Other> D& block_functions<D>::share_parameters(Other const& other) {
  parameter_dict const own = collect_params(), shared = other.collect_params();
  for (parameter_handle const& p : own)
    if (!shared.contains(p.name()))
      throw parameter_error("sinter: " + p.in_words() +
                            " finds no parameter of its name in the block whose parameters it is to share: " + shared.names());
  detail::share_all(own, shared);
  return self();
}
template <class D> D& block_functions<D>::share_parameters(parameter_dict const& shared) {
  parameter_dict const own = collect_params();
  if (shared.empty() && !own.empty())
    throw parameter_error("sinter: no parameter is given to be shared, perhaps because no name matches a pattern; this block has " +
                          own.names());
  detail::share_all(own, shared);
  return self();
}

}  // namespace sinter::nn
