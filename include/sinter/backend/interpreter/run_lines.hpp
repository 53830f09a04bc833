// SPDX-License-Identifier: Apache-2.0
// The kernels whose elements are computed tile by tile: pointwise ones, and those over rows.
#pragma once
#include "frame.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

// A kernel with its tape, for one choice of the dynamic dimensions.
struct line_kernel {
  interpreter::tape tape;
  std::int64_t rows = 1, count = 1;  // rows, and elements of each
  std::int64_t pieces = 1;           // pointwise: tiles of a row that has several
  bool ahead = false;                // and the next one is fetched while one runs
  simd::kernels::share share;
};

class line_runner {
 public:
  line_runner(line_kernel const& k, plan const& p, group const& q, kernel::launch const& l, std::byte* const* base)
      : k_(k), t_(k.tape), l_(l), f_(k.tape, p, q, l, base) {}

  // Pointwise: tiles [from, to).
  void tiles(std::int64_t from, std::int64_t to) {
    for (std::int64_t n = from; n < to; ++n) {
      if (k_.pieces > 1) {
        seek(0, t_.row_rank, n / k_.pieces);
        f_.turn[t_.line] = n % k_.pieces * t_.capacity;
        f_.lines = 1;
        f_.length = std::min(t_.capacity, l_.extent[t_.line] - f_.turn[t_.line]);
      } else set_bundle(n);
      f_.seek();
      if (k_.ahead) f_.run_ahead(t_.phases[0].body);
      else f_.run(t_.phases[0].body);
    }
  }
  // Bundles [from, to) of rows.
  void bundles(std::int64_t from, std::int64_t to) {
    for (std::int64_t n = from; n < to; ++n) {
      set_bundle(n);
      f_.seek();
      f_.begin(t_.rows);
      for (tape::phase const& p : t_.phases) {
        f_.begin(p.begin);
        if (t_.bundle > 1) f_.run(p.body);
        else if (k_.count > 0 && !p.body.empty()) parts(p.body);
        f_.end(p.end, k_.count, l_.extent[t_.line]);
      }
    }
  }
  // Neighbouring rows, a lane each.
  void blocks(std::int64_t from, std::int64_t to) {
    std::int64_t const width = l_.extent[t_.line], blocks = (width + lanes - 1) / lanes, most = t_.capacity / lanes;
    for (std::int64_t n = from; n < to; ++n) {
      seek(0, t_.line, n / blocks);
      f_.turn[t_.line] = n % blocks * lanes;
      f_.length = std::min<std::int64_t>(lanes, width - f_.turn[t_.line]);
      f_.lines = 1;
      f_.seek();
      f_.begin(t_.rows);
      for (tape::phase const& p : t_.phases) {
        f_.begin(p.begin);
        if (!p.body.empty())
          for (std::int64_t i = 0; i < k_.count; i += most) {
            f_.lines = std::min(most, k_.count - i);
            seek(t_.row_rank, l_.rank, i);
            f_.seek();
            f_.run(p.body);
          }
        f_.end(p.end, k_.count, 0);
        seek(t_.row_rank, l_.rank, 0);
        f_.seek();
      }
    }
  }

 private:
  line_kernel const& k_;
  tape const& t_;
  kernel::launch const& l_;
  frame f_;

  // Loops [first, last) at their turn number n.
  void seek(int first, int last, std::int64_t n) {
    for (int d = last - 1; d >= first; --d) {
      f_.turn[d] = n == 0 ? 0 : n % l_.extent[d];
      if (n != 0) n /= l_.extent[d];
    }
  }
  void set_bundle(std::int64_t n) {
    std::int64_t const first = n * t_.bundle;
    seek(0, t_.row_rank, first);
    f_.rows = std::min(t_.bundle, k_.rows - first);
    f_.length = l_.extent[t_.line];
    f_.lines = f_.length == 0 ? 0 : f_.rows * (k_.count / f_.length);
  }
  // A row in parts: lines that fit a tile, or pieces of one.
  void parts(std::vector<instruction> const& body) {
    std::int64_t const line = l_.extent[t_.line], all = k_.count / line;
    if (line > t_.capacity) {
      f_.lines = 1;
      for (std::int64_t i = 0; i < all; ++i) {
        seek(t_.row_rank, t_.line, i);
        for (std::int64_t from = 0; from < line; from += t_.capacity) {
          f_.turn[t_.line] = from;
          f_.length = std::min(t_.capacity, line - from);
          f_.seek();
          f_.run(body);
        }
      }
    } else {
      std::int64_t const most = t_.capacity / line;
      f_.length = line;
      for (std::int64_t i = 0; i < all; i += most) {
        f_.lines = std::min(most, all - i);
        seek(t_.row_rank, t_.line, i);
        f_.seek();
        f_.run(body);
      }
    }
    f_.turn[t_.line] = 0;
    seek(t_.row_rank, t_.line, 0);
    f_.seek();
  }
};

inline void run_lines(line_kernel const& k, plan const& p, group const& q, kernel::launch const& l, std::byte* const* base) {
  using simd::kernels::in_parts;
  if (k.rows == 0 || (q.kind == kernel_kind::pointwise && k.count == 0)) return;
  std::int64_t const bundles = (k.rows + k.tape.bundle - 1) / k.tape.bundle;
  if (q.kind == kernel_kind::pointwise)
    in_parts(k.share, k.pieces > 1 ? k.rows * k.pieces : bundles, 1,
             [&](std::int64_t from, std::int64_t to) { line_runner(k, p, q, l, base).tiles(from, to); });
  else if (k.tape.layout == layout_of_tile::across) {
    std::int64_t const width = l.extent[k.tape.line];
    in_parts(k.share, k.rows / width * ((width + lanes - 1) / lanes), 1,
             [&](std::int64_t from, std::int64_t to) { line_runner(k, p, q, l, base).blocks(from, to); });
  } else in_parts(k.share, bundles, 1, [&](std::int64_t from, std::int64_t to) { line_runner(k, p, q, l, base).bundles(from, to); });
}

// ---- how a kernel is cut

// Whether vectors lie across rows: an operand jumps along the rows, and all such ones stand side by side from row to row.
inline bool lies_across(plan const& p, group const& q, kernel::launch const& l) {
  if (l.row_rank == 0 || l.extent[l.row_rank - 1] < (lanes < 8 ? 2 : lanes / 4)) return false;
  bool jumps = false;
  for (int j = 0; j < q.operands.n; ++j) {
    if (p.operands[q.operands.at + j].mode != access::strided) continue;
    jumps = true;
    std::int64_t const stride = l.stride[j * max_loop + l.row_rank - 1];
    if (stride != 0 && stride != 1) return false;
  }
  return jumps;
}
// A tape whose registers take about 16 KiB, half of a first cache: the rest is for what is read from memory. `capacity`: elements of a tile,
// a multiple of the lanes of a vector, or 0.
inline tape write_tape(kernel_view const& k, part which, layout_of_tile layout, std::int64_t capacity) {
  if (capacity != 0) return tape_writer(k, which, layout, capacity).write();
  constexpr std::int64_t unit = 4 * lanes, least = 2 * unit, most = 2048;
  tape_writer trial(k, which, layout, 512);
  trial.write();
  std::int64_t const fits = 16384 / (std::max<std::int64_t>(trial.registers(), 1) * trial.widest()) / unit * unit;
  return tape_writer(k, which, layout, std::clamp(fits, least, most)).write();
}
inline line_kernel make_line_kernel(kernel_view const& k, std::int64_t capacity) {
  line_kernel r;
  group const& q = *k.q;
  kernel::launch const& l = *k.l;
  bool const rows = q.kind == kernel_kind::rows;
  r.tape = write_tape(k, part::all, rows && lies_across(*k.p, q, l) ? layout_of_tile::across : layout_of_tile::along, capacity);
  for (int d = 0; d < q.rank; ++d) (d < r.tape.row_rank ? r.rows : r.count) *= l.extent[d];
  if (!rows && r.count > r.tape.capacity) r.pieces = (r.count + r.tape.capacity - 1) / r.tape.capacity;
  double cycles = 0, bytes = 0;
  for (int i = 0; i < q.steps.n; ++i) cycles += k.step(i).op->cost + 1;
  for (int j = 0; j < q.operands.n; ++j) bytes += k.at(j).mode == access::zero ? 0 : bytes_of(k.at(j).type);
  double streamed = 0;
  for (int const j : r.tape.streams) streamed += bytes_of(k.at(j).type);
  r.ahead = r.pieces > 1 && streamed * static_cast<double>(r.rows * r.count) > 1 << 20;  // more than a second cache
  r.share = simd::kernels::share_of(r.rows * r.count, cycles, bytes);
  return r;
}

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
