// SPDX-License-Identifier: Apache-2.0
// Random graphs over images: convolutions, poolings and what stands between them.
#pragma once
#include <stdexcept>

#include "random_graph.hpp"

namespace test {

class image_graph : program_lines {
 public:
  using program_lines::p;
  explicit image_graph(unsigned seed) : program_lines(seed, 4000) {
    for (extent& s : p.sizes) s = pick(5);
    t_ = pick(6) ? dtype::float32 : pick(2) ? dtype::float64 : pick(2) ? dtype::int32 : dtype::float16;
    int const rank = pick(6) ? 4 : pick(3) ? 5 : 3;
    dims s;
    s.push(pick(3) ? 1 + pick(3) : pick(2) ? detail::pack_name("n") : 1);
    s.push(1 + pick(4));
    s.push(pick(10) ? 4 + pick(18) : 1 + pick(3));
    for (int i = 3; i < rank; ++i) s.push(pick(4) ? 1 + pick(6) : 1 + pick(2));
    int x = add_input(s);
    if (x < 0) {
      for (int i = 1; i < s.rank; ++i) s.d[i] = std::min<extent>(s.d[i], i == 2 ? 9 : 3);
      x = add_input(s);
    }
    if (x < 0) { x = add_input({1, 2, 7, 3}); }
    int const want = 2 + pick(5);
    for (int i = 0; i < want; ++i)
      if (int const y = step(x); y >= 0) x = y;
    p.outputs.push_back(x);
    if (pick(6) == 0) p.outputs.push_back(pick(static_cast<int>(p.lines.size())));
  }

 private:
  dtype t_;
  static op_row const& op(std::string_view name) {
    for (op_row const& r : every_op())
      if (r.name == name) return r;
    throw std::logic_error("there is no such operation");
  }
  int add_input(dims const& s) {
    line l;
    l.input = {t_, s};
    return append(std::move(l));
  }
  int make(std::string_view name, std::vector<int> in, drawn_keywords k = {}) {
    for (int i : in)
      if (i < 0) return -1;
    line l;
    l.op = &op(name);
    l.in = std::move(in);
    l.given = k;
    return append(std::move(l));
  }
  int number(double v) {
    line l;
    l.is_number = true;
    l.number = v;
    l.input = {t_, {}};
    return append(std::move(l));
  }
  int convolution(int x) {
    dims const s = type(x).shape;
    if (s.rank < 3 || s.rank > 5) return -1;
    for (int i = 1; i < s.rank; ++i)
      if (s.d[i] < 1) return -1;
    drawn_keywords k;
    k.groups = pick(2) ? 1 : pick(3) ? static_cast<int>(s.d[1]) : s.d[1] % 2 == 0 ? 2 : 1;
    int const outputs = k.groups > 1 ? 1 + (pick(4) == 0) : 1 + pick(5);
    bool const tr = pick(8) == 0;
    dims w = tr ? dims{s.d[1], outputs} : dims{k.groups * outputs, s.d[1] / k.groups};
    int const all = s.rank - 2;
    k.n_stride = k.n_pad = k.n_dilate = all;
    for (int i = 0; i < all; ++i) {
      k.stride[i] = pick(2) ? 1 : 1 + pick(3);
      k.dilate[i] = pick(3) ? 1 : 1 + pick(3);
      w.push(1 + pick(4));
      k.pad[i] = pick(3) == 0 ? 0 : pick(6) ? pick(3) : pick(8);
      k.adjust[i] = pick(2);
    }
    if (tr) k.n_adjust = all;
    std::vector<int> in{x, add_input(w)};
    if (pick(2)) in.push_back(add_input({k.groups * outputs}));
    return make(tr ? "convolution_transpose" : "convolution", in, k);
  }
  int pooling(int x) {
    dims const s = type(x).shape;
    if (s.rank < 3 || s.rank > 5) return -1;
    drawn_keywords k;
    int const all = s.rank - 2;
    k.n_pool = k.n_stride = k.n_pad = all;
    for (int i = 0; i < all; ++i) {
      k.pool[i] = 1 + pick(4);
      k.stride[i] = 1 + pick(3);
      k.pad[i] = pick(3) ? 0 : pick(k.pool[i]);
    }
    k.ceil_mode = pick(3) == 0;
    k.count_include_pad = pick(2);
    return make(pick(2) ? "max_pool" : "avg_pool", {x}, k);
  }
  int beside(int x) {
    dims s = type(x).shape;
    for (int tries = 0; tries < 6; ++tries)
      if (int y = pick(static_cast<int>(p.lines.size())); y != x && type(y).type == type(x).type && type(y).shape == s) return y;
    if (pick(3) == 0) return number(pick(3) + 0.0);
    dims r;
    int from = pick(3) ? 0 : pick(s.rank);
    for (int i = from; i < s.rank; ++i) r.push(pick(2) ? s.d[i] : 1);
    return add_input(r);
  }
  int step(int x) {
    dims const s = type(x).shape;
    drawn_keywords k;
    switch (pick(20)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5: return convolution(x);
      case 6:
      case 7:
      case 8: return pooling(x);
      case 9: return make("relu", {x});
      case 10:
      case 11: {
        static constexpr char const* some[]{"add", "multiply", "subtract", "maximum"};
        return make(some[pick(4)], {x, beside(x)});
      }
      case 12: { // reductions with keepdims, then combined
        k.n_axes = 1;
        k.axes[0] = pick(s.rank);
        k.keepdims = true;
        if (pick(3) == 0) return make(pick(2) ? "softmax" : "log_softmax", {x}, k);
        if (s.rank > 1 && pick(3) == 0) {
          k.n_axes = 2;
          k.axes[1] = (k.axes[0] + 1 + pick(s.rank - 1)) % s.rank;
        }
        int m = make(pick(2) ? "max" : "sum", {x}, k);
        if (pick(3) == 0) return m;
        return make("subtract", {x, m});
      }
      case 13: { // slice
        for (int i = 0; i < s.rank; ++i) {
          bool dyn = s.d[i] < 0;
          k.begin[i] = pick(2) || dyn ? sinter::open : pick(4);
          k.end[i] = pick(2) || dyn ? sinter::open : -pick(3) - 1;
          k.step[i] = dyn || pick(3) ? 1 : pick(3) ? 2 : -1;
          if (k.step[i] < 0) k.begin[i] = k.end[i] = sinter::open;
        }
        k.n_begin = k.n_end = k.n_step = s.rank;
        return make("slice", {x}, k);
      }
      case 14: {
        if (pick(2)) {
          k.n_axes = 1;
          k.axes[0] = pick(s.rank);
          return make("flip", {x}, k);
        }
        for (int i = 0; i < s.rank; ++i) k.axes[i] = i;
        int a = pick(s.rank), b = pick(s.rank);
        std::swap(k.axes[a], k.axes[b]);
        k.n_axes = s.rank;
        return make("transpose", {x}, k);
      }
      case 15: { // concat with self-derived or an input
        k.n_axes = 1;
        k.axes[0] = 1;
        int y = beside(x);
        if (y < 0 || !(type(y).shape == type(x).shape)) return -1;
        return pick(2) ? make("concat", {x, y}, k) : make("concat", {y, x}, k);
      }
      case 16: { // padded
        k.border = pick(3);
        k.n_begin = k.n_end = s.rank;
        for (int i = 0; i < s.rank; ++i) k.begin[i] = i < 2 ? 0 : pick(3), k.end[i] = i < 2 ? 0 : pick(3);
        return make("padded", {x}, k);
      }
      case 17: { // reshape: merge or split rows, channels
        dims r;
        if (s.rank >= 4 && pick(2)) {
          for (int i = 0; i + 1 < s.rank; ++i) r.push(s.d[i]);
          r.d[r.rank - 1] *= s.d[s.rank - 1];
        } else if (s.rank == 4 && s.d[1] % 2 == 0 && pick(2)) {
          r = {s.d[0], s.d[1] / 2, s.d[2] * 2, s.d[3]};
        } else if (s.rank == 4 && s.d[2] % 2 == 0) {
          r = {s.d[0], s.d[1] * 2, s.d[2] / 2, s.d[3]};
        } else if (s.rank == 4) {
          r = {s.d[0], s.d[1], s.d[3], s.d[2]};
        } else return -1;
        for (int i = 1; i < r.rank; ++i)
          if (r.d[i] < 0) return -1;
        if (r.d[0] < 0) r.d[0] = -1;
        k.shape = r;
        return make("reshape", {x}, k);
      }
      case 18: { // residual: two branches of conv of one
        int a = convolution(x);
        if (a < 0) return -1;
        if (type(a).shape == s) return make("add", {a, x});
        return a;
      }
      default: {
        if (pick(2)) {
          k.n_several = 1;
          k.several[0] = 1 + pick(3);
          k.n_axes = 1;
          k.axes[0] = pick(s.rank);
          return make(pick(2) ? "repeat" : "roll", {x}, k);
        }
        int y = add_input({s.d[1]}), z = add_input({s.d[1]}), m = add_input({s.d[1]}), v = add_input({s.d[1]});
        k.n_axes = 1;
        k.axes[0] = 1;
        return make("batch_norm", {x, y, z, m, v}, k);
      }
    }
  }
};

}  // namespace test
