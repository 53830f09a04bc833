// SPDX-License-Identifier: Apache-2.0
// Kernels over images that run together, some rows of an image after the other, so that what lies between them stays in the cache: a convolution
// and the pooling behind it, or those of a separable convolution. An image is (N, C, H, W...), and its rows are those of its third axis.
#pragma once
#include "blocks.hpp"
#include "winograd.hpp"

namespace sinter {
inline namespace SINTER_ISA {

// What lies between two of the kernels is larger: it would leave the second cache. And how much lies between all of them for some rows, at most,
// and at least how many of these the last kernel's result has. A test has blocks of small images, too.
#ifdef SINTER_SMALL_IMAGE_BLOCKS
inline constexpr std::int64_t most_cached_bytes = 0, most_image_block_bytes = SINTER_SMALL_IMAGE_BLOCKS, least_image_rows = 1;
#else
inline constexpr std::int64_t most_cached_bytes = 1024 * 1024, most_image_block_bytes = 512 * 1024, least_image_rows = 4;
#endif
inline constexpr std::int64_t most_image_block_weights = 128 * 1024;  // bytes, of each product
inline constexpr int most_image_operands = 12;

// What lies between two kernels that run together.
struct image_between {
  std::int64_t row = 0, height = 0, channels = 0, element = 0;  // elements of a row, rows, channels of an image, and bytes of an element
  row_window read;
  constexpr std::int64_t bytes(std::int64_t rows) const { return (channels * rows * row * element + 63) / 64 * 64; }
};
// Into how many rows of the last result, `height` in all, an image is cut; 0 where too few would fit.
template <class Between> constexpr std::int64_t rows_of_blocks(Between const& between, int n, std::int64_t height) {
  for (std::int64_t rows = height; rows > 0; --rows) {
    std::int64_t bytes = 0, need = rows;
    for (int i = n - 1; i >= 0; --i) {
      need = between[i].read.rows_for(need, between[i].height);
      bytes += between[i].bytes(need);
    }
    if (bytes > most_image_block_bytes) continue;
    std::int64_t const blocks = (height + rows - 1) / rows;
    return rows < least_image_rows && blocks > 1 ? 0 : (height + blocks - 1) / blocks;
  }
  return 0;
}

}  // namespace SINTER_ISA
namespace detail::inline SINTER_ISA {

// The axes of a buffer of images in elements: a row, a channel, an image. row = 0: it is none, or its extents differ between calls.
struct image_axes {
  std::int64_t row = 0, plane = 0, image = 0;
  constexpr image_axes() = default;
  constexpr image_axes(plan const& p, buffer_info const& f) {
    if (f.node < 0) return;
    dims const& s = p.g.nodes[f.node].type.shape;
    if (s.rank < 4) return;
    for (int i = 1; i < s.rank; ++i)
      if (s.d[i] < 1) return;
    row = 1;
    for (int i = 3; i < s.rank; ++i) row *= s.d[i];
    plane = row * s.d[2];
    image = plane * s.d[1];
  }
};
// The loops of a kernel with one of their own for the images of its result, and one for the rows of an image: parts of its loops, from the
// outermost on.
struct image_loops {
  int n = 0, image = -1, row = -1;
  int from[max_loop]{};  // the loop that it is a part of
  size turns[max_loop]{}, times[max_loop]{};  // one turn is so many turns of that loop
  constexpr size stride(operand const& o, int i) const { return o.stride[from[i]] * times[i]; }

  constexpr image_loops() = default;
  constexpr image_loops(plan const& p, group const& q, operand const& result, image_axes const& a) {
    for (int i = 0; i < q.rank; ++i)
      if (!add_parts(i, q.extents[i], result.stride[i], a)) {
        n = 0;
        return;
      }
    bool one_each = true;
    for (int i = 0; i < n; ++i) {
      std::int64_t const s = stride(result, i).k;
      if (turns[i] == size{1, 0} || (s != a.image && (s < a.row || s >= a.plane))) continue;
      int& at = s == a.image ? image : row;
      one_each = one_each && at < 0;
      at = i;
    }
    bool const whole = one_each && row >= 0 && turns[row] == size{a.plane / a.row, 0};
    if (!whole || (image < 0 && !(p.buffers[result.buffer].elements == size{a.image, 0}))) n = 0;
  }

 private:
  constexpr bool add_parts(int loop, size left, size step, image_axes const& a) {
    if (step == size{} || left == size{1, 0}) return add(loop, left, {1, 0});
    if (!step.fixed() || step.k < 0) return false;
    size part[3], taken{1, 0}, at[3];
    int parts = 0;
    std::int64_t stride = step.k;
    for (std::int64_t border : {a.row, a.plane, a.image}) {
      if (stride >= border) continue;
      if (left.fixed() && stride * left.k <= border) break;
      size rest;
      if (border % stride != 0 || !divides(left, {border / stride, 0}, rest)) return false;
      part[parts] = {border / stride, 0};
      at[parts++] = taken;
      taken = taken * part[parts - 1];
      left = rest;
      stride = border;
    }
    if (!add(loop, left, taken)) return false;
    while (parts-- > 0)
      if (!add(loop, part[parts], at[parts])) return false;
    return true;
  }
  constexpr bool add(int loop, size count, size each) {
    if (n == max_loop) return false;
    from[n] = loop;
    turns[n] = count;
    times[n++] = each;
    return true;
  }
};

// A kernel of a chain.
struct image_kernel {
  int group = -1;
  image_loops loops;
};
// Kernels that give each other images larger than the cache, one after the other.
struct image_chain {
  image_kernel kernel[most_together]{};
  image_between between[most_together]{};
  int n = 0;
  std::string_view why;  // why the last kernel is the last one, if what it gives is large
};

constexpr operand const& result_of(plan const& p, group const& q) { return p.operands[q.operands.at + q.inputs]; }
// How far an operand moves, each time in elements: within a row, over rows, over channels.
struct image_span {
  std::int64_t inside = 0, rows = 0, channels = 0;
  // By `n` steps of `by` elements. False where these are no whole rows or channels.
  constexpr bool add(image_axes const& a, std::int64_t by, std::int64_t n) {
    if (by < 0 || n < 0) return false;
    if (by < a.row) inside += by * n;
    else if (by < a.plane) rows += by * n;
    else channels += by * n;
    return by < a.row || by % (by < a.plane ? a.row : a.plane) == 0;
  }
  constexpr bool stays_in_image(image_axes const& a) const {
    return inside < a.row && rows <= a.plane - a.row && channels <= a.image - a.plane;
  }
};
// The rows of operand `o`, images with axes `a`, from which kernel q computes its rows, each in the same image. False where these do not follow
// from its loops: they move over the image along its axes, none of them over two.
constexpr bool find_rows_read(plan const& p, group const& q, image_loops const& l, operand const& o, image_axes const& a, row_window& r) {
  loop_map const m = q.map >= 0 && o.windowed ? p.maps[q.map] : loop_map{};
  std::int64_t const offset = o.offset.fixed;
  place_sum const only{offset, {}};
  if (!(o.offset == only) || offset < 0 || offset >= a.plane) return false;
  image_span span{offset % a.row, offset - offset % a.row, 0};
  r = {0, -(offset / a.row), 0};
  for (int w = 0; w < m.windows; ++w) {
    window const& v = m.window_at[w];
    int outer = -1, inner = -1;
    for (int i = 0; i < l.n; ++i) {
      if (l.from[i] == v.outer) outer = i;
      if (l.from[i] == v.inner) inner = i;
    }
    size const step = l.stride(o, outer);
    if (outer == l.image || inner == l.image || inner == l.row || !step.fixed() || step.k % v.step != 0) return false;
    std::int64_t const by = step.k / v.step;
    if (step.k >= a.plane || by * v.dilation >= a.plane || !span.add(a, by, v.extent - 1)) return false;  // others are steps over channels
    if (outer != l.row) continue;
    if (by < a.row || !l.turns[inner].fixed()) return false;
    r.step = step.k / a.row;
    r.shift += v.shift * (by / a.row);
    r.reach += (l.turns[inner].k - 1) * v.dilation * (by / a.row);
  }
  for (int i = 0; i < l.n; ++i) {
    bool windowed = false;
    for (int w = 0; w < m.windows; ++w) windowed = windowed || m.window_at[w].outer == l.from[i] || m.window_at[w].inner == l.from[i];
    size const s = l.stride(o, i);
    if (windowed || l.turns[i] == size{1, 0}) continue;
    if (i == l.image) {
      if (!(s == size{a.image, 0})) return false;
      continue;
    }
    if (s == size{} && i != l.row) continue;
    if (!s.fixed() || !l.turns[i].fixed() || !span.add(a, s.k, l.turns[i].k - 1)) return false;
    if (i == l.row) {
      if (s.k < a.row || s.k >= a.plane) return false;
      r.step = s.k / a.row;
    } else if (s.k >= a.row && s.k < a.plane) r.reach += s.k / a.row * (l.turns[i].k - 1);
  }
  return r.step > 0 && span.stays_in_image(a);
}
// Why kernel q cannot be one of a chain; empty where it can.
constexpr std::string_view why_no_image_kernel(plan const& p, group const& q, image_loops& loops) {
  bool const has_loops = q.kind == kernel_kind::rows || q.kind == kernel_kind::pointwise || (q.kind == kernel_kind::product && q.map >= 0);
  if (!has_loops || q.once || q.together >= 0 || q.results() != 1 || q.operands.n > most_image_operands)
    return "one of the kernels has no rows of images";
  operand const& o = result_of(p, q);
  image_axes const a(p, p.buffers[o.buffer]);
  if (a.row == 0 || !(o.touched == p.buffers[o.buffer].elements) || !(o.offset == place_sum{}))
    return "one of the kernels has no rows of images";
  loops = image_loops(p, q, o, a);
  row_window own;  // a kernel over rows may have its elements, not its rows, in those of an image
  bool const by_rows = loops.n > 0 && (q.kind != kernel_kind::rows ||
                                       (loops.from[loops.row] < q.row_rank && (loops.image < 0 || loops.from[loops.image] < q.row_rank)));
  if (!by_rows || !find_rows_read(p, q, loops, o, a, own) || own.step != 1 || own.shift != 0 || own.reach != 0)
    return "one of the kernels has no rows of images";
  if (q.map < 0) return {};
  int const second = second_operand_of(p, q);
  if (second < 0) return "one of the kernels has no rows of images";
  operand const& weights = p.operands[q.operands.at + second];
  if (!weights.touched.fixed() || weights.touched.k * bytes_of(weights.type) > most_image_block_weights)
    return "each block would read all weights again";
  bool const has_form = winograd_of(
                            p.maps[q.map], q.rank, [&](int i) { return q.extents[i].fixed() ? q.extents[i].k : std::int64_t{1}; },
                            [&](int i) { return weights.stride[i] != size{}; })
                            .tile != 0;
  return has_form ? "math::winograd may take another form for it" : "";
}
// Why kernel `to` does not read what the last one of a chain gives row by row; what lies between them, where it does.
constexpr std::string_view why_no_rows_between(plan const& p, int at, image_kernel const& to, image_between& between) {
  operand const& o = result_of(p, p.groups[at]);
  buffer_info const& f = p.buffers[o.buffer];
  group const& q = p.groups[to.group];
  image_axes const a(p, f);
  if (f.last != to.group) return "another kernel reads it, too";
  between = {a.row, a.plane / a.row, a.image / a.plane, bytes_of(f.type), {}};
  size const images = to.loops.image < 0 ? size{1, 0} : to.loops.turns[to.loops.image];
  bool by_rows = images * size{a.image, 0} == f.elements, first = true;
  for (int j = 0; j < q.operands.n && by_rows; ++j) {
    operand const& from = p.operands[q.operands.at + j];
    if (from.buffer != o.buffer) continue;
    row_window r, &all = between.read;
    by_rows = find_rows_read(p, q, to.loops, from, a, r) && (first || r.step == all.step);
    if (!first)
      r = {r.step, std::max(r.shift, all.shift), std::max(r.reach - r.shift, all.reach - all.shift) + std::max(r.shift, all.shift)};
    all = r;
    first = false;
  }
  return by_rows ? "" : "its rows are read in another order, or several as one";
}
constexpr bool is_large_image(plan const& p, buffer_info const& f) {
  image_axes const a(p, f);
  return a.row > 0 && a.image * bytes_of(f.type) > most_cached_bytes;
}
constexpr image_chain image_chain_from(plan const& p, int first) {
  image_chain c;
  c.why = why_no_image_kernel(p, p.groups[first], c.kernel[0].loops);
  if (!c.why.empty()) return c;
  c.kernel[c.n++].group = first;
  for (int at = first; c.n < most_together;) {
    int const buffer = result_of(p, p.groups[at]).buffer;
    buffer_info const& f = p.buffers[buffer];
    if (f.where != storage::arena || f.first != at || f.last <= at || !is_large_image(p, f)) return c;
    int to = at + 1;
    while (!use_of(p, p.groups[to], buffer).any) ++to;
    image_kernel& next = c.kernel[c.n];
    next = {to, {}};
    c.why = why_no_image_kernel(p, p.groups[to], next.loops);
    if (c.why.empty()) c.why = why_no_rows_between(p, at, next, c.between[c.n - 1]);
    if (!c.why.empty()) return c;
    image_axes const a(p, p.buffers[result_of(p, p.groups[to]).buffer]);
    if (rows_of_blocks(c.between, c.n, a.plane / a.row) == 0) {
      c.why = "few rows of them fit into the cache";
      return c;
    }
    ++c.n;
    at = to;
  }
  return c;
}
// Why a kernel does not run together with one that reads large images from it; empty where none does, and where the two run together.
constexpr std::string_view why_no_image_block(plan const& p, int at) {
  group const& q = p.groups[at];
  if (q.kind != kernel_kind::product || q.map < 0 || q.together >= 0 || q.results() != 1) return {};
  buffer_info const& f = p.buffers[result_of(p, q).buffer];
  return f.where == storage::arena && f.last > at && is_large_image(p, f) ? image_chain_from(p, at).why : std::string_view();
}
// The loops of kernel q as `l` has them.
constexpr void set_image_loops(plan& p, group& q, image_loops const& l) {
  int count[max_loop + 1]{};  // parts of each loop
  for (int i = 0; i < l.n; ++i) ++count[l.from[i]];
  auto const parts = [&](int from, int to) {
    int n = 0;
    for (int i = from; i < to; ++i) n += count[i];
    return n;
  };
  for (int j = 0; j < q.operands.n; ++j) {
    operand& o = p.operands[q.operands.at + j];
    operand const from = o;
    for (int i = 0; i < l.n; ++i) o.stride[i] = l.stride(from, i);
  }
  if (q.map >= 0) {
    loop_map& m = p.maps[q.map];
    int const depth = q.rank - m.depth, columns = depth - m.columns, rows = columns - m.rows;
    m.rows = parts(rows, columns);
    m.columns = parts(columns, depth);
    m.depth = parts(depth, q.rank);
    for (int w = 0; w < m.windows; ++w) {
      m.window_at[w].outer = parts(0, m.window_at[w].outer);
      m.window_at[w].inner = parts(0, m.window_at[w].inner);
    }
  }
  if (q.kind == kernel_kind::rows) q.row_rank = parts(0, q.row_rank);
  q.rank = l.n;
  for (int i = 0; i < l.n; ++i) q.extents[i] = l.turns[i];
  q.of_images = {l.image, l.row, {}};
}
// exact. Kernels that give each other images larger than the cache run some rows of an image after the other. Each is done with the rows that
// the one before has computed, and nothing else reads these. What any of them reads is needed until the last one runs.
constexpr void run_in_image_blocks(plan& p) {
  for (int at = 0; at < p.groups.size(); ++at) {
    if (p.groups[at].together >= 0 || p.groups[at].results() != 1 || !is_large_image(p, p.buffers[result_of(p, p.groups[at]).buffer]))
      continue;
    image_chain const c = image_chain_from(p, at);
    if (c.n < 2) continue;
    int const last = c.kernel[c.n - 1].group;
    for (int i = 0; i < c.n; ++i) {
      group& q = p.groups[c.kernel[i].group];
      set_image_loops(p, q, c.kernel[i].loops);
      q.together = last;
      if (i > 0) q.of_images.read = c.between[i - 1].read;
      for (int j = 0; j < q.operands.n; ++j) {
        buffer_info& f = p.buffers[p.operands[q.operands.at + j].buffer];
        if (j >= q.inputs && i + 1 < c.n) f.where = storage::block;
        else if (f.where != storage::block && f.last < last) f.last = last;
      }
    }
  }
}

}  // namespace detail::inline SINTER_ISA
}  // namespace sinter
