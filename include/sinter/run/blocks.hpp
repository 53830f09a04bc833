// SPDX-License-Identifier: Apache-2.0
// Kernels that run together (plan/blocks.hpp): each computes a block of rows, from what the one before has written into the block.
#pragma once
#include <bit>

#include "../plan/arena.hpp"
#include "../plan/kernel.hpp"
#include "block_rows.hpp"

namespace sinter::executor::inline SINTER_ISA {

// A backend that runs kernels together: share_blocks(n, seconds, bytes, f) calls f(from, to, memory) for parts of [0, n), perhaps in several
// threads, each with so many bytes of memory of its own; all of it takes about so many seconds. Other backends run the kernels one after the
// other and keep what lies between them whole, behind the arena.
template <class Backend>
concept runs_blocks = requires { Backend::threads(); };

// One of the kernels, and where its operands begin, but for those that lie in the block.
struct block_kernel {
  kernel::launch const* launch = nullptr;
  group const* of = nullptr;
  operand const* operands = nullptr;
  std::byte* const* at = nullptr;
  void (*go)(kernel::launch const&, kernel::pointer const*) = nullptr;
  std::size_t (*packed_bytes)(kernel::launch const&) = nullptr;
  void (*pack)(kernel::launch const&, kernel::pointer const*, std::byte*) = nullptr;
  std::byte const* packed = nullptr;  // prepared
  bool packs = false;  // its second operand, for all blocks of a matrix: behind the block's rows, at `packed_at`
  std::size_t packed_at = 0;
  int rows() const { return sinter::detail::row_loops(*of); }
};

class block_runner {
 public:
  block_runner(binding const& b, buffer_info const* buffers) : b_(b), buffers_{buffers} {}
  void add(block_kernel const& k) { k_[n_++] = k; }

  template <class Backend> void run() {
    if (!measure(static_cast<std::int64_t>(Backend::threads()))) return;
    place();
    if constexpr (!requires { typename Backend::weights; })  // which would be packed in fewer bits
      if (rows_.of_a_matrix() > 1) find_packed();
    Backend::share_blocks(rows_.count(), seconds_, bytes_, [this](std::int64_t from, std::int64_t to, std::byte* memory) {
      for (std::int64_t i = from; i < to; ++i) {
        if (i == from || i % rows_.of_a_matrix() == 0) pack(i, memory);
        for (int k = 0; k < n_; ++k) run_block(k_[k], i, memory);
      }
    });
  }

 private:
  struct list_of_buffers {
    buffer_info const* items;
    buffer_info const& operator[](int i) const { return items[i]; }
  };
  // What lies between two kernels, or several that share its bytes.
  struct room {
    int home = -1;
    std::int64_t row_bytes = 0;
    std::size_t at = 0;
  };
  struct loops_and_places {
    kernel::launch launch;
    kernel::pointer p[most_block_operands];
  };
  binding const& b_;
  list_of_buffers buffers_;
  block_kernel k_[most_together];
  room rooms_[most_together];
  int n_ = 0, n_rooms_ = 0;
  block_rows rows_;
  double seconds_ = 0;
  std::size_t bytes_ = 0;  // of the memory for a block

  static std::size_t aligned(std::int64_t bytes) { return static_cast<std::size_t>((bytes + 63) / 64 * 64); }
  room* room_of(operand const& o) {
    int const home = home_of(buffers_, o.buffer);
    return std::find_if(rooms_, rooms_ + n_rooms_, [&](room const& r) { return r.home == home; });
  }
  bool is_within(operand const& o) const { return buffers_[o.buffer].where == storage::block; }

  // How much there is to do; false where that is nothing.
  bool measure(std::int64_t threads) {
    kernel::launch const& first = *k_[0].launch;
    std::int64_t rows = 1, row_bytes = 0;
    for (int i = 0; i < k_[0].rows(); ++i) rows *= first.extent[i];
    if (rows == 0) return false;
    for (block_kernel const* k = k_; k != k_ + n_; ++k) {
      kernel::launch const& l = *k->launch;
      if (k->of->kind == kernel_kind::product)
        seconds_ +=
            static_cast<double>(rows) * static_cast<double>(l.extent[l.rank - 2]) * static_cast<double>(l.extent[l.rank - 1]) * 2e-11;
      for (operand const* o = k->operands + k->of->inputs; o != k->operands + k->of->operands.n; ++o) {
        if (!is_within(*o) || room_of(*o) != rooms_ + n_rooms_) continue;
        int const home = home_of(buffers_, o->buffer);
        rooms_[n_rooms_++] = {home, b_(buffers_[home].elements) / rows * bytes_of(o->type)};
        row_bytes += rooms_[n_rooms_ - 1].row_bytes;
      }
    }
    rows_ = {rows, first.extent[k_[0].rows() - 1], row_bytes, threads};
    return true;
  }
  void place() {
    for (int i = 0; i < n_rooms_; ++i) {
      rooms_[i].at = bytes_;
      bytes_ += aligned(rows_.most() * rooms_[i].row_bytes);
    }
  }
  void find_packed() {
    for (block_kernel* k = k_; k != k_ + n_; ++k) {
      if (k->of->kind != kernel_kind::product || k->packed) continue;
      std::size_t const bytes = k->packed_bytes(loops_of(*k, rows_.most()));
      if (bytes == 0) continue;
      k->packs = true;
      k->packed_at = bytes_;
      bytes_ += aligned(static_cast<std::int64_t>(bytes));
    }
  }

  // The loops of kernel k over so many rows of one matrix; over all rows as they are.
  kernel::launch loops_of(block_kernel const& k, std::int64_t rows) const {
    kernel::launch l = *k.launch;
    if (rows == rows_.all()) return l;
    int const outer = k.rows() - 1;
    l.rank -= outer;
    if (l.row_rank > 0) l.row_rank = 1;
    for (int i = 0; i < l.rank; ++i) l.extent[i] = l.extent[i + outer];
    l.extent[0] = rows;
    l.stride += outer;
    return l;
  }
  void find(block_kernel const& k, std::int64_t block, std::byte* memory, loops_and_places& to) {
    to.launch = loops_of(k, rows_.size(block));
    for (int j = 0; j < k.of->operands.n; ++j) {
      std::byte* const at = is_within(k.operands[j]) ? memory + room_of(k.operands[j])->at
                                                     : k.at[j] + offset(k, j, rows_.first(block)) * bytes_of(k.operands[j].type);
      to.p[j] = std::bit_cast<kernel::pointer>(at);
    }
  }
  // How far operand j has moved at a row of all.
  static std::int64_t offset(block_kernel const& k, int j, std::int64_t row) {
    std::int64_t sum = 0;
    for (int i = k.rows() - 1; i >= 0; --i) {
      sum += row % k.launch->extent[i] * k.launch->stride[j * max_loop + i];
      row /= k.launch->extent[i];
    }
    return sum;
  }
  void pack(std::int64_t i, std::byte* memory) {
    for (block_kernel const* k = k_; k != k_ + n_; ++k) {
      if (!k->packs) continue;
      loops_and_places at;
      find(*k, i, memory, at);
      k->pack(at.launch, at.p, memory + k->packed_at);
    }
  }
  void run_block(block_kernel const& k, std::int64_t i, std::byte* memory) {
    loops_and_places at;
    find(k, i, memory, at);
    at.launch.packed = k.packs ? memory + k.packed_at : k.packed;
    k.go(at.launch, at.p);
  }
};

}  // namespace sinter::executor::inline SINTER_ISA
