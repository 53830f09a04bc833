// SPDX-License-Identifier: Apache-2.0
// The codes of MXNet's Reshape, in a running program and in constant expressions.
#pragma once
#include <algorithm>
#include <string>

#include "error.hpp"

namespace sinter::inline SINTER_ISA {

// The shape that the codes of a reshape make of `from`; one extent may be -1, for what is left over: by its code, or as a product or a part of
// extents that are no numbers.
//   Reshape:        0 this extent   -1 what is left  -2 all that remain  -3 the product of two  -4 a b  this one as a and b
//   _npx_reshape:  -2 this extent   -1 what is left  -4 all that remain  -5 the product of two  -6 a b  -3 this one, which is 1, goes
class reshape_codes {
 public:
  template <class Codes> static constexpr dims apply(dims const& from, Codes codes, bool reverse, bool is_numpy) {
    dims x = from;
    if (reverse) std::reverse(x.d, x.d + x.rank), std::reverse(codes.begin(), codes.end());
    reshape_codes r(x);
    for (std::size_t i = 0; i < codes.size(); ++i) i = is_numpy ? r.numpy_code(codes, i) : r.code(codes, i);
    if (r.left_over_ && std::count(r.to_.d, r.to_.d + r.to_.rank, extent{-1}) > 1)
      r.fail("; one product or part of extents that are no numbers can follow from the others");
    if (reverse) std::reverse(r.to_.d, r.to_.d + r.to_.rank);
    return r.to_;
  }

 private:
  dims const& from_;
  dims to_;
  int at_ = 0;
  bool left_over_ = false;

  constexpr explicit reshape_codes(dims const& from) : from_(from) {}
  [[noreturn]] void fail(std::string const& why = {}) const {
    throw shape_error("sinter: the codes of the new shape do not fit the shape " + to_string(from_) + why);
  }
  constexpr void put(extent e) {
    if (to_.rank == max_rank) fail();
    to_.push(e);
  }
  constexpr extent next() {
    if (at_ >= from_.rank) fail();
    return from_.d[at_++];
  }
  constexpr void rest() {
    while (at_ < from_.rank) put(next());
  }
  constexpr void product() {
    extent const a = next(), b = next();
    if (a == 1 || b == 1) put(a == 1 ? b : a);
    else if (a >= 0 && b >= 0) put(a * b);
    else put_rest();
  }
  constexpr void put_rest() {
    left_over_ = true;
    put(-1);
  }
  template <class Codes> constexpr std::size_t split(Codes const& codes, std::size_t i) {
    if (i + 2 >= codes.size()) fail();
    extent const all = next();
    std::int64_t a = codes[i + 1], b = codes[i + 2];
    if (a == 0 || b == 0 || a < -1 || b < -1 || (a == -1 && b == -1)) fail();
    if (all < 0) {
      for (std::int64_t const e : {a, b}) e == -1 ? put_rest() : put(e);
      return i + 2;
    }
    if (a == -1) a = all / b;
    if (b == -1) b = all / a;
    if (b > 0 && a > all / b) fail();
    if (a * b != all) fail();
    put(a), put(b);
    return i + 2;
  }
  constexpr void open(extent e) {
    if (at_ < from_.rank) ++at_;
    put(e);
  }
  template <class Codes> constexpr std::size_t code(Codes const& codes, std::size_t i) {
    switch (codes[i]) {
      case 0: put(next()); return i;
      case -2: rest(); return i;
      case -3: product(); return i;
      case -4: return split(codes, i);
      default:
        if (codes[i] < -1) fail();
        open(codes[i]);
        return i;
    }
  }
  template <class Codes> constexpr std::size_t numpy_code(Codes const& codes, std::size_t i) {
    switch (codes[i]) {
      case -2: put(next()); return i;
      case -3:
        if (next() != 1) fail();
        return i;
      case -4: rest(); return i;
      case -5: product(); return i;
      case -6: return split(codes, i);
      default:
        if (codes[i] < -1) fail();
        open(codes[i]);
        return i;
    }
  }
};

// A new shape as a type can spell it, for an operand of shape `from`: what is left over is the only extent of which `from` says nothing, or
// the only one that is no number.
constexpr dims with_one_open(dims to, dims const& from) {
  auto const is_known = [&](extent e) { return is_named(e) && std::find(from.d, from.d + from.rank, e) != from.d + from.rank; };
  int open_ones = 0, unknown = 0;
  for (int i = 0; i < to.rank; ++i) open_ones += to.d[i] < 0, unknown += to.d[i] < 0 && !is_known(to.d[i]);
  if (unknown > 1 || (unknown == 0 && open_ones != 1)) return to;
  for (int i = 0; i < to.rank; ++i)
    if (to.d[i] < 0 && (unknown == 0 || !is_known(to.d[i]))) to.d[i] = -1;
  return to;
}

}  // namespace sinter::inline SINTER_ISA
