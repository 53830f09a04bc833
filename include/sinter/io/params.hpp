// SPDX-License-Identifier: Apache-2.0
// Reads MXNet's .params files (an NDArray list with names).
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "detail/names.hpp"
#include "file.hpp"

namespace sinter::io::inline SINTER_ISA {
namespace detail {

// A template, as `read_params` is, so that a program which reads no such file does not compile it.
template <class = void> class params_reader {
 public:
  explicit params_reader(reader in) : in_(std::move(in)), dense_budget_(dense_per_byte * in_.left()) {}

  // The number of arrays.
  std::uint64_t start() {
    magic();
    in_.get<std::uint64_t>("the reserved word");
    auto const counted_at = in_.offset();
    auto const count = in_.get<std::uint64_t>("the number of arrays");
    if (count > in_.left() / smallest_record)
      in_.fail_at(counted_at,
                  "the list has " + std::to_string(count) + " arrays, more than " + std::to_string(in_.left()) + " bytes can hold");
    return count;
  }
  std::vector<array> list() {
    auto const count = start();
    std::vector<array> arrays;
    for (index_ = 0; index_ < count; ++index_) arrays.push_back(record());
    names(arrays);
    if (in_.left() != 0) in_.fail(std::to_string(in_.left()) + " bytes follow the last name");
    return arrays;
  }

 private:
  static constexpr std::uint64_t smallest_record = 20;  // V0: rank, one extent of zero, context, dtype
  // A sparse array of some bytes can stand for a dense one of exabytes. All dense forms of a file together may take this many
  // bytes for each byte of the file: far more than a sparse array that saves anything worth saving needs, and little enough for
  // any machine that could hold the file.
  static constexpr std::uint64_t dense_per_byte = 64;
  enum storage : std::int32_t { dense = 0, row_sparse = 1, csr = 2 };

  [[noreturn]] void fail_at(std::uint64_t offset, std::string const& reason) const {
    in_.fail_at(offset, "array " + std::to_string(index_) + ": " + reason);
  }

  void magic() {
    if (std::string const other = in_.foreign(); !other.empty()) in_.fail("this is not an MXNet NDArray list; " + other);
    if (in_.starts_with("PK\3\4") || in_.starts_with("PK\5\6"))
      in_.fail(
          "this is a zip archive of .npy files (MXNet 2 in numpy mode, or .npz), no NDArray list: read it with io::open_arrays, and "
          "sinter/io/npz.hpp included");
    if (in_.starts_with("\x93NUMPY"))
      in_.fail("this is a single .npy array, not a list of parameters: read it with io::load<tensor>(path)");
    if (in_.starts_with("{")) in_.fail("this is text, perhaps the -symbol.json: the parameters are in the .params file beside it");
    if (in_.get<std::uint64_t>("the magic number of the list") != 0x112)
      in_.fail_at(0, "this is not an MXNet NDArray list: the file does not begin with 12 01 00 00 00 00 00 00" + in_.seeming());
  }

  array record() {
    auto const at = in_.offset();
    auto const word = in_.get<std::uint32_t>("the magic number of a record");
    if (word == 0xf993faca || word == 0xf993fac9) {  // V3 and V2
      auto const storage_at = in_.offset();
      auto const s = in_.get<std::int32_t>("the storage type");
      if (s != dense && s != row_sparse && s != csr) fail_at(storage_at, "the storage type is " + std::to_string(s) + ", not 0, 1 or 2");
      bool const v3 = word == 0xf993faca;
      if (v3 && s != dense) fail_at(storage_at, "a version 3 record has sparse storage");
      return s == dense ? dense_record(wide_shape(v3)) : sparse_record(s == csr);
    }
    if (word == 0xf993fac8) return dense_record(wide_shape(false));  // V1
    // V0 has no magic number: the word is the rank, the extents have 32 bits.
    if (word == 0 || word > largest_file_rank)
      fail_at(at, "the record begins with " + std::to_string(word) + ", neither the magic number of a record nor a rank of 1 to 32");
    std::vector<extent> shape(word);
    for (extent& e : shape) e = in_.get<std::uint32_t>("an extent");
    return dense_record(std::move(shape));
  }

  // V3 follows NumPy: rank 0 is a scalar and an extent of -1 says "none". Before, rank 0 said "none".
  std::vector<extent> wide_shape(bool v3) {
    auto const at = in_.offset();
    auto const rank = in_.get<std::int32_t>("the rank");
    if (rank == 0 && !v3) fail_at(at, "it is \"none\" (rank 0): it has no elements and no dtype");
    if (rank == -1 && v3) fail_at(at, "it is \"none\" (rank -1): its shape was not known when it was saved");
    if (rank < 0 || rank > largest_file_rank) fail_at(at, "the rank is " + std::to_string(rank) + ", not 0 to 32");
    std::vector<extent> shape;
    for (std::int32_t i = 0; i < rank; ++i) {
      auto const extent_at = in_.offset();
      shape.push_back(in_.get<std::int64_t>("an extent"));
      if (shape.back() == -1 && v3) fail_at(extent_at, "it is \"none\" (an extent of -1): its shape was not known when it was saved");
      if (shape.back() < 0) fail_at(extent_at, "extent " + std::to_string(i) + " is " + std::to_string(shape.back()));
    }
    return shape;
  }

  dtype element_type() {
    auto const at = in_.offset();
    auto const flag = in_.get<std::int32_t>("the dtype");
    if (flag < 0 || flag > static_cast<int>(dtype::bfloat16)) fail_at(at, "the dtype is " + std::to_string(flag) + ", not 0 to 12");
    return static_cast<dtype>(flag);  // the numbers of dtype are those of MXNet
  }

  // The device that an array was saved from says nothing about the file: the data was copied to the host.
  void context() { in_.take(8, "the context"); }

  std::span<std::byte const> elements(std::vector<extent> const& shape, dtype type) {
    auto const bytes = checked_bytes(shape, type);
    if (!bytes) fail_at(in_.offset(), "the shape " + to_string(shape) + " has too many elements");
    if (*bytes > in_.left())
      fail_at(in_.offset(), "the file is truncated: the shape " + to_string(shape) + " of " + std::string(name_of(type)) + " needs " +
                                std::to_string(*bytes) + " bytes, " + std::to_string(in_.left()) + " are left");
    return in_.take(*bytes, "the elements");
  }

  array dense_record(std::vector<extent> shape) {
    context();
    array a{{}, element_type(), std::move(shape), {}};
    auto const bytes = elements(a.shape, a.type);
    a.data.assign(bytes.begin(), bytes.end());
    normalise_bools(a);
    return a;
  }

  std::vector<std::int64_t> indices(std::vector<extent> const& shape, dtype type) {
    if (type != dtype::int32 && type != dtype::int64)
      fail_at(in_.offset(), "its indices are of " + std::string(name_of(type)) + ", not of int64 or int32");
    auto const bytes = elements(shape, type);
    auto const size = static_cast<std::size_t>(bytes_of(type));
    std::vector<std::int64_t> r(bytes.size() / size);
    for (std::size_t i = 0; i < r.size(); ++i) {
      std::int32_t narrow = 0;
      if (type == dtype::int64) std::memcpy(&r[i], bytes.data() + i * size, size);
      else std::memcpy(&narrow, bytes.data() + i * size, size), r[i] = narrow;
    }
    return r;
  }

  // `first` to `last` must ascend strictly and be positions in 0 to bound - 1.
  void check_positions(std::int64_t const* first, std::int64_t const* last, extent bound, std::uint64_t at, char const* what) const {
    for (std::int64_t previous = -1; first != last; previous = *first++) {
      if (*first < 0 || *first >= bound)
        fail_at(at, std::string(what) + " " + std::to_string(*first) + " is not in 0 to " + std::to_string(bound - 1));
      if (*first <= previous) fail_at(at, std::string(what) + " " + std::to_string(*first) + " comes after " + std::to_string(previous));
    }
  }

  // What stands before the values of a sparse array. Its auxiliary arrays: row starts and columns, or rows alone.
  struct sparse_head {
    std::vector<extent> stored;
    struct {
      dtype type = dtype::none;
      std::vector<extent> shape;
    } aux[2];

    bool fits(std::vector<extent> const& dense, bool is_csr) const {
      if (is_csr)
        return dense.size() == 2 && stored.size() == 1 && aux[0].shape.size() == 1 && aux[0].shape[0] - 1 == dense[0] &&
               aux[1].shape == stored;
      return aux[0].shape.size() == 1 && aux[0].shape[0] == stored[0] && stored.size() == dense.size() && stored[0] <= dense[0] &&
             std::equal(stored.begin() + 1, stored.end(), dense.begin() + 1);
    }
  };
  array sparse_record(bool is_csr) {
    auto const at = in_.offset();
    sparse_head head{wide_shape(false), {}};
    array a{{}, dtype::none, wide_shape(false), {}};
    context();
    a.type = element_type();
    for (int i = 0; i < (is_csr ? 2 : 1); ++i) {
      head.aux[i].type = element_type();
      head.aux[i].shape = wide_shape(false);
    }
    if (!head.fits(a.shape, is_csr))
      fail_at(at, "its parts disagree: the shape " + to_string(a.shape) + ", the stored values " + to_string(head.stored) + ", the " +
                      (is_csr ? "row starts " + to_string(head.aux[0].shape) + ", the columns " + to_string(head.aux[1].shape)
                              : "rows " + to_string(head.aux[0].shape)));
    auto const bytes = checked_bytes(a.shape, a.type);
    if (!bytes || *bytes > dense_budget_)
      fail_at(at, "it is sparse, and as a dense array " + to_string(a.shape) + " of " + std::string(name_of(a.type)) +
                      " it would take more than " + std::to_string(dense_per_byte) + " times the size of the file: save it dense");
    dense_budget_ -= *bytes;

    auto const values = elements(head.stored, a.type);
    auto const first_at = in_.offset();
    auto const first = indices(head.aux[0].shape, head.aux[0].type);
    if (is_csr) {
      auto const columns_at = in_.offset();
      auto const columns = indices(head.aux[1].shape, head.aux[1].type);
      fill_csr(a, *bytes, values, first, first_at, columns, columns_at);
    } else fill_rows(a, *bytes, values, first, first_at);
    normalise_bools(a);
    return a;
  }

  void fill_rows(array& a, std::uint64_t bytes, std::span<std::byte const> values, std::vector<std::int64_t> const& rows,
                 std::uint64_t rows_at) const {
    check_positions(rows.data(), rows.data() + rows.size(), a.shape[0], rows_at, "row");
    a.data.resize(static_cast<std::size_t>(bytes));
    std::size_t const row = rows.empty() ? 0 : values.size() / rows.size();
    if (row)
      for (std::size_t i = 0; i < rows.size(); ++i)
        std::memcpy(a.data.data() + static_cast<std::size_t>(rows[i]) * row, values.data() + i * row, row);
  }
  void fill_csr(array& a, std::uint64_t bytes, std::span<std::byte const> values, std::vector<std::int64_t> const& starts,
                std::uint64_t starts_at, std::vector<std::int64_t> const& columns, std::uint64_t columns_at) const {
    auto const count = static_cast<std::int64_t>(columns.size());
    if (starts.front() != 0 || starts.back() != count)
      fail_at(starts_at, "its row starts go from " + std::to_string(starts.front()) + " to " + std::to_string(starts.back()) +
                             ", not from 0 to " + std::to_string(count));
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
      if (starts[i] > starts[i + 1])
        fail_at(starts_at, "row start " + std::to_string(starts[i + 1]) + " comes after " + std::to_string(starts[i]));
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
      check_positions(columns.data() + starts[i], columns.data() + starts[i + 1], a.shape[1], columns_at, "column");
    a.data.resize(static_cast<std::size_t>(bytes));
    auto const size = static_cast<std::size_t>(bytes_of(a.type)), width = static_cast<std::size_t>(a.shape[1]);
    for (std::size_t row = 0; row + 1 < starts.size(); ++row)
      for (auto k = static_cast<std::size_t>(starts[row]); k < static_cast<std::size_t>(starts[row + 1]); ++k)
        std::memcpy(a.data.data() + (row * width + static_cast<std::size_t>(columns[k])) * size, values.data() + k * size, size);
  }

  void names(std::vector<array>& arrays) {
    auto const at = in_.offset();
    auto const count = in_.get<std::uint64_t>("the number of names");
    if (count != 0 && count != arrays.size())
      in_.fail_at(at, "the list has " + std::to_string(arrays.size()) + " arrays and " + std::to_string(count) + " names");
    std::vector<std::pair<std::string_view, std::uint64_t>> seen;
    for (std::uint64_t i = 0; i < count; ++i) {
      auto const name_at = in_.offset();
      auto const bytes = in_.take(in_.get<std::uint64_t>("the length of a name"), "a name");
      std::string_view const name(reinterpret_cast<char const*>(bytes.data()), bytes.size());
      if (name.find('\0') != name.npos) in_.fail_at(name_at, "name " + std::to_string(i) + " contains a zero byte");
      if (!is_utf8(name)) in_.fail_at(name_at, "name " + std::to_string(i) + " is not UTF-8");
      arrays[static_cast<std::size_t>(i)].name = name;
      seen.emplace_back(bare_name(name), name_at);
    }
    std::sort(seen.begin(), seen.end());
    for (std::size_t i = 1; i < seen.size(); ++i)
      if (seen[i].first == seen[i - 1].first)
        in_.fail_at(seen[i].second, "two arrays are named " + in_quotes(seen[i].first) + " (arg: and aux: do not count)");
  }

  reader in_;
  std::uint64_t dense_budget_, index_ = 0;
};

}  // namespace detail

// The arrays of an NDArray list in file order, versions 0 to 3, with their names as they stand (a list without names: all empty).
// Sparse arrays come back dense. Damage of any kind, "none" arrays and bytes behind the end are a file_error; `file` is the name
// it shows. Memory stays within a small multiple of the bytes. The format is that of NDArray::Load in MXNet's
// src/ndarray/ndarray.cc.
template <class = void> std::vector<array> parse_params(std::span<std::byte const> bytes, std::string const& file) {
  return detail::params_reader<>(reader(bytes, file)).list();
}
//   auto arrays = sinter::io::read_params("digits-mlp-0000.params");
template <class = void> std::vector<array> read_params(std::string const& path) {
  return parse_params(read_file(path, [](reader in) { detail::params_reader<>(std::move(in)).start(); }), path);
}

}  // namespace sinter::io::inline SINTER_ISA
