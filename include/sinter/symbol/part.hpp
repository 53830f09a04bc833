// SPDX-License-Identifier: Apache-2.0
// A part of a symbol, y(all, range<1, 3>, 0, newaxis): the operations that a network has there, whose attributes follow when the shape is
// known.
#pragma once
#include "../core/part.hpp"
#include "../nd/elements.hpp"
#include "composing.hpp"

namespace sinter {
namespace sym::inline SINTER_ISA {

using index_list = std::vector<any_index>;

// The steps for a symbol of this shape; a list of indices that does not fit it is a shape_error.
inline part_steps checked_steps(index_list const& all, dims const& shape) {
  constexpr std::int64_t no_strides[max_rank]{};
  int const n = static_cast<int>(all.size());
  array_part const p = part_of(shape, no_strides, all.data(), n);
  std::string const of = "sinter: a symbol of shape " + to_string(shape);
  if (p.wrong == index_error::too_many) throw shape_error(of + " is given more indices than it has dimensions");
  if (p.wrong == index_error::rank) throw shape_error(of + " would have more than eight dimensions with these new axes");
  if (p.wrong != index_error::none) nd::refuse_index(p, shape);
  part_steps const r = steps_of(shape, all.data(), n);
  if (r.open_axis) throw shape_error(of + " has no index along a dynamic dimension; F.take(y, 0) takes the nearest");
  return r;
}
inline part_steps steps_of_rank(index_list const& all, int rank) {
  dims any;
  for (int i = 0; i < rank; ++i) any.push(1);
  return steps_of(any, all.data(), static_cast<int>(all.size()));
}
// The same as keywords, where no ellipsis leaves axes out: what files say of a part.
class keywords_of_part {
 public:
  explicit keywords_of_part(index_list const& all) {
    int added = 0;
    for (any_index const& i : all) {
      is_known_ = is_known_ && i.kind != any_index::rest;
      axes_ += i.kind == any_index::one || i.kind == any_index::some;
      added += i.kind == any_index::added;
    }
    is_known_ = is_known_ && axes_ <= max_rank && added <= max_rank;  // more are refused when the shape is known
    if (is_known_) steps_ = steps_of_rank(all, axes_);
  }
  bool is_known() const { return is_known_; }
  keyword_values slice() const {
    if (!is_known_) return {};
    int_list begin, end, step;
    bool steps = false;
    for (int i = 0; i < axes_; ++i) {
      begin.push(steps_.begin[i]), end.push(steps_.end[i]), step.push(steps_.step[i]);
      steps = steps || steps_.step[i] != 1;
    }
    keyword_values r{{"begin", begin}, {"end", end}};
    if (steps) r.emplace("step", step);
    return r;
  }
  keyword_values squeeze() const {
    int_list axes;
    for (int i = 0; i < steps_.drops; ++i) axes.push(steps_.dropped[i]);
    return {{"axis", axes}};
  }
  keyword_values expand_dims(int i) const {
    if (!is_known_) return {};
    return {{"axis", int_list{steps_.added[i]}}};
  }

 private:
  bool is_known_ = true;
  int axes_ = 0;
  part_steps steps_;
};
template <class Op, class Attributes>
symbol compose_part(symbol const& x, bool is_known, keyword_values keywords, Attributes const& attributes) {
  auto k = std::make_shared<composed>();
  auto call = std::make_shared<called>();
  call->op = &ops::info<Op>;
  call->as_given = is_known;
  if (is_known) call->keywords = std::move(keywords);
  call->attributes = [=](operand_types in) { return pack(attributes(in[0].shape)); };
  call->first_promoted = -1;
  place_operation(*k, ops::op_name<Op>);
  k->call = std::move(call);
  k->in.push_back(x);
  return symbol(std::move(k));
}
inline symbol compose_part(symbol const& x, index_list const& all) {
  bool slices = false;
  int drops = 0, adds = 0;
  for (any_index const& i : all) {
    slices = slices || i.kind == any_index::one || (i.kind == any_index::some && !i.is_whole());
    drops += i.kind == any_index::one;
    adds += i.kind == any_index::added;
  }
  keywords_of_part const words(all);
  bool const known = words.is_known();
  symbol y = x;
  if (slices)
    y = compose_part<ops::slice>(y, known, words.slice(), [=](dims const& s) {
      part_steps const p = checked_steps(all, s);
      ops::slice::attributes a;
      for (int i = 0; i < s.rank; ++i) a.begin.push(p.begin[i]), a.end.push(p.end[i]), a.step.push(p.step[i]);
      return a;
    });
  if (drops > 0)
    y = compose_part<ops::squeeze>(y, known, words.squeeze(), [=](dims const& s) {
      part_steps const p = steps_of_rank(all, s.rank);
      ops::squeeze::attributes a;
      for (int i = 0; i < p.drops; ++i) a.axes |= std::int64_t{1} << p.dropped[i];
      return a;
    });
  for (int j = 0; j < adds; ++j)
    y = compose_part<ops::expand_dims>(y, known, words.expand_dims(j), [=](dims const& s) {
      if (!slices && j == 0) static_cast<void>(checked_steps(all, s));
      return ops::expand_dims::attributes{steps_of_rank(all, s.rank + drops - j).added[j]};
    });
  return y;
}

}  // namespace sym::inline SINTER_ISA

template <class... I>
  requires sym::are_part_indices<I...>
symbol symbol::operator()(I const&... i) const {
  static_assert(((typed_index<I>.kind == any_index::rest) + ... + 0) <= 1,
                "sinter: ellipsis stands for all axes that are left, so it can be written once");
  static_cast<void>(name());  // one output
  return sym::compose_part(*this, sym::index_list{index_of(i)...});
}

}  // namespace sinter
