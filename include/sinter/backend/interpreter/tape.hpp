// SPDX-License-Identifier: Apache-2.0
// What a kernel does to one tile, as a list of calls. A tape is written once for each kernel of a plan and each choice of its dynamic
// dimensions; frame.hpp runs it.
#pragma once
#include <vector>

#include "library.hpp"
#include "lines.hpp"

namespace sinter::interpreter {
inline namespace SINTER_ISA {

enum class action : std::int8_t {
  point,     // an operand's elements lie as the loops read them: its value is where they are
  load,      // an operand's elements into a tile
  splat,     // the one element of an operand that does not move
  load_row,  // one element a row
  spread,    // one value a row to each element of the row
  compute,
  reduce,
  store,      // a tile to memory
  store_row,  // one value a row to memory
};
struct instruction {
  action what = action::compute;
  int value = -1;          // the slot that it fills, or that it stores
  int operand = -1;        // which it reads or writes; compute: the one that the result goes to at once, or -1
  std::int64_t place = 0;  // of the slot's elements, in bytes behind the frame's beginning
  std::int64_t state = 0;  // reduce: of its total, likewise
  tile_loop loop = nullptr;
  entry const* from = nullptr;  // compute: where the loop is from, while it is that of one operation
  interpreter::reducer const* reducer = nullptr;
  mover const* move = nullptr;
  int bytes = 0;           // of an element of its value
  int inputs = 0, in[max_step_operands]{};
};

// How a kernel's loops are cut into tiles.
enum class layout_of_tile : std::int8_t {
  along,   // lines along the innermost loop, of one row or of several whole ones
  across,  // each element is a vector of neighbouring rows
};
struct tape {
  struct phase {
    std::vector<instruction> begin, body, end;
  };
  std::vector<instruction> constants, rows;  // once a worker; at the beginning of each bundle of rows
  std::vector<phase> phases;
  std::vector<int> streams;  // operands whose elements are read or written where they lie
  std::int64_t computations = 0;  // of the first phase
  struct moved {
    int operand, bytes;  // of an element
  };
  std::vector<moved> moving;  // operands that do not stand still
  layout_of_tile layout = layout_of_tile::along;
  int slots = 0, operands = 0;
  int row_rank = 0, line = 0;      // loops before it count rows; the loop along which a line lies
  std::int64_t width = 0;          // elements of a value a row: rows in a bundle, or one vector
  std::int64_t bundle = 1;         // rows that go together
  std::int64_t capacity = 0;       // elements of a tile
  std::int64_t bytes = 0;          // of the frame
};

// Where the values of a frame are: a source for each slot, a pointer for each operand, then their elements.
class slot_numbers {
 public:
  slot_numbers(int steps, int operands) : steps_(steps), operands_(operands) {}
  static int step(int i) { return i; }
  int spread(int i) const { return steps_ + i; }
  int element(int j) const { return 2 * steps_ + j; }
  int row(int j) const { return 2 * steps_ + operands_ + j; }
  int count() const { return 2 * steps_ + 2 * operands_; }

 private:
  int steps_, operands_;
};

}  // namespace SINTER_ISA
}  // namespace sinter::interpreter
