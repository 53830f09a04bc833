// SPDX-License-Identifier: Apache-2.0
// Pooling: the maximum or the mean of windows of the spatial axes, written axis by axis with slices, which fusion makes one kernel an axis.
#pragma once
#include "arrange.hpp"
#include "creation.hpp"
#include "movement.hpp"
#include "product_map.hpp"
#include "reduction.hpp"
#include "rounding.hpp"

namespace sinter::ops::inline SINTER_ISA {

struct pooling_attributes {
  int_list window, stride, pad;  // of three spatial axes
  bool ceil_mode = false;  // a last window that the operand ends in counts, too
  bool count_include_pad = true;  // of a mean: padding counts as elements
  bool fits = true;  // whether a call gave as many numbers as there are
  static constexpr void each(auto& a, auto&& f) {
    f("window", a.window), f("stride", a.stride), f("pad", a.pad), f("ceil_mode", a.ceil_mode);
    f("count_include_pad", a.count_include_pad), f("fits", a.fits);
  }
};

// The windows along one axis.
struct pooled_axis {
  std::int64_t n = 0, window = 1, stride = 1, pad = 0, count = 0;

  constexpr pooled_axis(std::int64_t extent, pooling_attributes const& a, int i)
      : n(extent), window(a.window[i]), stride(a.stride[i]), pad(a.pad[i]) {
    std::int64_t const room = n + 2 * pad - window;
    if (room < 0) return;
    count = room / stride + 1;
    // As in PyTorch, no window begins behind the elements: it would hold nothing but padding.
    if (a.ceil_mode && room % stride != 0 && count * stride < n + pad) ++count;
  }
  constexpr std::int64_t behind() const {  // what the last window reads behind the elements
    std::int64_t const end = (count - 1) * stride + window - pad;
    return end > n ? end - n : 0;
  }
  constexpr bool is_whole() const { return count == 1 && pad == 0 && window == n; }
};

// What max_pool and avg_pool have in common. x is (N, C, W), (N, C, H, W) or (N, C, D, H, W); the stride is by default the window. An output
// extent is floor((x + 2 pad - window) / stride) + 1.
struct pooling {
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr bool wants_arrays = true;
  using attributes = pooling_attributes;
  static constexpr attributes windows_of(auto const& k, operand_types in) {
    int const spatial = in[0].shape.rank - 2;
    attributes a;
    a.window = for_each_window(k[key::pool_size{}].value, spatial, a.fits);
    a.stride = for_each_window(k[key::stride{}].or_else(k[key::pool_size{}].value), spatial, a.fits);
    a.pad = for_each_window(k[key::pad{}].or_else({0}), spatial, a.fits);
    a.ceil_mode = k[key::ceil_mode{}].value;
    return a;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table&) {
    dims const& x = in[0].shape;
    if (in[0].type == dtype::boolean) return {{}, problem::takes_no_bool, 0, 0};
    if (x.rank < 3) return {{}, problem::rank_too_small, 0, 0};
    if (x.rank > 2 + max_windows) return {{}, problem::too_many_dimensions, 0, 0};
    if (!a.fits) return {{}, problem::keyword_count, 0, 0};
    inferred r{{in[0].type, {x.d[0], x.d[1]}}};
    for (int i = 0; i + 2 < x.rank; ++i) {
      if (x.d[i + 2] < 0) return {{}, problem::image_extents, 0, 0};
      pooled_axis const p(x.d[i + 2], a, i);
      if (p.pad >= p.window) return {{}, problem::pad_too_large, 0, 0};
      if (p.count == 0) return {{}, problem::window_too_large, 0, 0};
      r.type.shape.push(p.count);
    }
    return r;
  }
  // The windows of axis `axis` reduced by Reduce, or by Combine one element of each after the other; `beyond` stands for padding.
  template <class Reduce, class Combine> static constexpr int along(auto& g, int x, int axis, pooled_axis const& p, std::uint64_t beyond) {
    if (p.is_whole()) return make<Reduce>(g, {std::int64_t{1} << axis, true}, x);
    x = padded(g, x, axis, p, beyond);
    int r = -1;
    for (std::int64_t i = 0; i < p.window; ++i) {
      int const one = every(g, x, axis, i, p);
      r = r < 0 ? one : make<Combine>(g, r, one);
    }
    return r;
  }

 protected:
  static constexpr int padded(auto& g, int x, int axis, pooled_axis const& p, std::uint64_t beyond) {
    array_type t = g.nodes[x].type;
    int parts[3]{}, n = 0;
    auto const fill = [&](std::int64_t extent) {
      if (extent == 0) return;
      t.shape.d[axis] = extent;
      parts[n++] = g.fill(t.type, t.shape, beyond);
    };
    fill(p.pad);
    parts[n++] = x;
    fill(p.behind());
    return n == 3 ? make<concat>(g, {axis}, parts[0], parts[1], parts[2]) : n == 2 ? make<concat>(g, {axis}, parts[0], parts[1]) : x;
  }
  // Element `first` of each window.
  static constexpr int every(auto& g, int x, int axis, std::int64_t first, pooled_axis const& p) {
    slice::attributes a;
    for (int i = 0; i < g.nodes[x].type.shape.rank; ++i) {
      a.begin.push(i == axis ? first : open);
      a.end.push(i == axis ? first + (p.count - 1) * p.stride + 1 : open);
      a.step.push(i == axis ? p.stride : 1);
    }
    return make<slice>(g, a, x);
  }
  // The sum of `parts`, one for each element of a window along the axes from `axis` on, in row-major order, each of them where the elements of
  // windows are: an element of the operand is in several windows, by how many strides it lies behind their beginnings.
  static constexpr int put_back(auto& g, list<int> const& parts, dims const& to, attributes const& a, int axis) {
    if (axis == to.rank) return parts[0];
    pooled_axis const p(to.d[axis], a, axis - 2);
    int const inner = parts.size() / static_cast<int>(p.window);
    list<int> along;  // one for each element of a window along this axis
    for (int k = 0; k < p.window; ++k) {
      list<int> rest;
      for (int i = 0; i < inner; ++i) rest.push(parts[k * inner + i]);
      along.push(put_back(g, rest, to, a, axis + 1));
    }
    return put_back_along(g, along, to, a, axis);
  }
  // The same along one axis, with one of `along` for each element of a window there.
  static constexpr int put_back_along(auto& g, list<int> const& along, dims const& to, attributes const& a, int axis) {
    pooled_axis const p(to.d[axis], a, axis - 2);
    std::int64_t const rows = (p.window + p.stride - 1) / p.stride, steps = p.count + rows - 1;
    list<int> turns;  // the elements whose place in the padded operand has this remainder
    for (std::int64_t r = 0; r < p.stride; ++r) {
      int sum = -1;
      for (std::int64_t j = 0; j < rows && j * p.stride + r < p.window; ++j) {
        int const part = between_zeros(g, along[static_cast<int>(r + j * p.stride)], axis, j, rows - 1 - j);
        sum = sum < 0 ? part : make<add>(g, sum, part);
      }
      dims none = g.nodes[along[0]].type.shape;
      none.d[axis] = steps;
      turns.push(sum < 0 ? zeros_beside(g, along[0], none) : sum);
    }
    std::int64_t const all = steps * p.stride;  // without the padding before, and no more than there is
    int r = by_turns(g, turns, axis, all);
    r = between_zeros(g, r, axis, 0, p.pad + p.n - all);
    if (p.pad == 0 && p.n >= all) return r;
    return make<slice>(g, roll::between(to.rank, axis, p.pad, p.pad + p.n), r);
  }
};

// max_pool(x, pool_size<2>, stride<2>, pad<1>, ceil_mode): padding is less than every number. A NaN is the maximum of its windows.
struct max_pool : pooling {
  static constexpr format_names formats{"Pooling", "MaxPool"};
  using keywords = list_of<must<key::pool_size>, may<key::stride>, may<key::pad>, may<key::ceil_mode, 1>>;
  static constexpr attributes arguments(auto const& k, operand_types in) { return windows_of(k, in); }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const t = g.nodes[in[0]].type;
    std::uint64_t const lowest = bits_of_lowest(t.type);
    int r = in[0];
    for (int i = 2; i < t.shape.rank; ++i) r = along<max, maximum>(g, r, i, pooled_axis(t.shape.d[i], a, i - 2), lowest);
    return r;
  }
  // Of each window it goes to the first element, in row-major order, that is the maximum: as in MXNet and PyTorch.
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    int const x = operand_of(g, y, 0);
    array_type const t = g.nodes[x].type;
    auto const a = unpack<attributes>(g.words_of(g.nodes[y]));
    int wide = x, taken = -1;
    std::int64_t window[max_windows]{1, 1, 1}, count = 1;
    for (int i = 2; i < t.shape.rank; ++i) {
      pooled_axis const p(t.shape.d[i], a, i - 2);
      wide = padded(g, wide, i, p, bits_of_lowest(t.type));
      count *= window[i - 2] = p.window;
    }
    list<int> parts;  // of the gradient, one for each element of a window
    for (std::int64_t k = 0; k < count; ++k) {
      int one = wide;
      std::int64_t left = k;
      for (int i = t.shape.rank; i-- > 2; left /= window[i - 2])
        one = every(g, one, i, left % window[i - 2], pooled_axis(t.shape.d[i], a, i - 2));
      int const greatest = make<logical_or>(g, make<equal>(g, one, y), make<isnan>(g, one));
      parts.push(
          make<where>(g, taken < 0 ? greatest : make<logical_and>(g, greatest, make<logical_not>(g, taken)), d[0], number_beside(g, x, 0)));
      taken = taken < 0 ? greatest : make<logical_or>(g, taken, greatest);
    }
    return put_back(g, parts, t.shape, a, 2);
  }
};
// avg_pool(x, pool_size<2>, stride<2>, pad<1>, ceil_mode, count_include_pad<false>): the sum of a window divided by the number of its elements.
// `pad` elements on each side are zeros that count, or do not.
struct avg_pool : pooling {
  static constexpr format_names formats{"Pooling", "AveragePool"};
  using keywords = list_of<must<key::pool_size>, may<key::stride>, may<key::pad>, may<key::ceil_mode, 1>, may<key::count_include_pad, 1>>;
  static constexpr attributes arguments(auto const& k, operand_types in) {
    attributes a = windows_of(k, in);
    a.count_include_pad = k[key::count_include_pad{}].or_else(true);
    return a;
  }
  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (!is_floating(in[0].type)) return {{}, problem::wants_floating, 0, 0};
    return pooling::infer(in, a, t);
  }
  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    array_type const t = g.nodes[in[0]].type;
    int r = in[0];
    for (int i = 2; i < t.shape.rank; ++i) r = along<sum, add>(g, r, i, pooled_axis(t.shape.d[i], a, i - 2), bits_of(t.type, 0));
    return divided(g, r, t, a);
  }
  // To each element of a window its share.
  static constexpr int gradient(auto& g, int y, operand_nodes d, int) {
    array_type const t = g.nodes[operand_of(g, y, 0)].type;
    auto const a = unpack<attributes>(g.words_of(g.nodes[y]));
    int r = divided(g, d[0], t, a);
    for (int axis = t.shape.rank - 1; axis >= 2; --axis) {
      pooled_axis const p(t.shape.d[axis], a, axis - 2);
      if (p.is_whole()) {
        dims s = g.nodes[r].type.shape;
        s.d[axis] = p.n;
        r = make<broadcast_to>(g, {s}, r);
        continue;
      }
      list<int> const along_axis(static_cast<int>(p.window), r);
      r = put_back_along(g, along_axis, t.shape, a, axis);
    }
    return r;
  }

 private:
  // Divides r, one value for each window of an operand of type t, by the number of elements in the window.
  static constexpr int divided(auto& g, int r, array_type const t, attributes const& a) {
    int counts = -1;
    double count = 1;
    for (int i = 2; i < t.shape.rank; ++i) {
      pooled_axis const p(t.shape.d[i], a, i - 2);
      if ((p.pad == 0 || a.count_include_pad) && (p.count - 1) * p.stride + p.window <= p.n + 2 * p.pad) {
        count *= static_cast<double>(p.window);
        continue;
      }
      int const of_axis = counts_along(g, p, t.type, a.count_include_pad ? p.pad : 0, t.shape.rank - i);
      counts = counts < 0 ? of_axis : make<multiply>(g, counts, of_axis);
    }
    int const all = g.scalar(t.type, count);
    return make<divide>(g, r, counts < 0 ? all : count == 1 ? counts : make<multiply>(g, counts, all));
  }
  // How many elements each window of an axis has, of those up to `pad` beyond the ends; the result has `rank` axes.
  static constexpr int counts_along(auto& g, pooled_axis const& p, dtype type, std::int64_t pad, int rank) {
    int const first = make<arange>(g, {number(-p.pad), number(-p.pad + p.count * p.stride), number(p.stride), type});
    auto const at = [&](std::int64_t v) { return g.scalar(type, static_cast<double>(v)); };
    int const begin = make<maximum>(g, first, at(-pad)), end = make<minimum>(g, make<add>(g, first, at(p.window)), at(p.n + pad));
    dims along{p.count};
    while (along.rank < rank) along.push(1);
    return make<reshape>(g, {along}, make<subtract>(g, end, begin));
  }
};

using pooling_ops = list_of<max_pool, avg_pool>;

}  // namespace sinter::ops::inline SINTER_ISA

SINTER_OP(max_pool, "(x, pool_size<2>, stride<2>, pad<1>, ceil_mode)")
SINTER_OP(avg_pool, "(x, pool_size<2>, stride<2>, pad<1>, ceil_mode, count_include_pad<false>)")
