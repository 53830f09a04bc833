// SPDX-License-Identifier: Apache-2.0
// Tests of .npz: archives that NumPy wrote (test/data/npz/make.py), archives written by sinter, and hostile ones.
#include <sinter/io/npz.hpp>

#include "../catch.hpp"
#include "bytes.hpp"

using namespace sinter;
using namespace io_test;

namespace {
std::string const data_folder = SINTER_SOURCE_DIR "/test/data/npz/";

std::string error_in(bytes const& b) {
  try {
    io::parse_npz(b, "x.npz");
  } catch (file_error const& e) { return e.file() + "|" + e.reason(); }
  return "no error";
}
// Where a signature of the archive is for the n-th time.
std::size_t find(bytes const& b, std::string_view signature, int n = 0) {
  std::string_view const text(reinterpret_cast<char const*>(b.data()), b.size());
  std::size_t at = text.find(signature);
  while (n-- > 0) at = text.find(signature, at + 1);
  REQUIRE(at != text.npos);
  return at;
}
bool same(io::array const& a, io::array const& b) { return a.name == b.name && a.type == b.type && a.shape == b.shape && a.data == b.data; }
}  // namespace

TEST_CASE("npz: what NumPy wrote is read") {
  for (std::string const name : {"stored", "earlier", "deflated"}) {
    INFO(name);
    auto const all = io::read_npz(data_folder + name + ".npz");
    REQUIRE(all.size() == (name == "deflated" ? 6 : 5));
    CHECK(all[0].name == "arg:fc1_weight");
    CHECK(all[0].shape == std::vector<extent>{2, 3});
    CHECK(elements_of<float>(all[0]) == std::vector<float>{0, 1, 2, 3, 4, 5});
    CHECK(all[1].name == "aux:mean");
    CHECK(elements_of<double>(all[1]) == std::vector<double>{0.5, -1});
    CHECK(all[2].shape.empty());
    CHECK(elements_of<std::int64_t>(all[2]) == std::vector<std::int64_t>{7});
    CHECK(all[3].name == "a/b");
    CHECK(all[3].shape == std::vector<extent>{0, 2});
    CHECK(all[4].name == "\xc3\xa9");
    CHECK(elements_of<std::uint8_t>(all[4]) == std::vector<std::uint8_t>{1, 0});
    if (name == "deflated") CHECK(elements_of<float>(all[5]) == std::vector<float>(5000));
  }
  auto const list = io::read_npz(data_folder + "list.npz");
  REQUIRE(list.size() == 2);
  CHECK(list[1].name == "arr_1");
}

TEST_CASE("npz: what is written is read again, and the same arrays are the same bytes") {
  folder const here("npz-same");
  auto all = io::read_npz(data_folder + "stored.npz");
  io::write_npz(here.file("x.npz"), all);
  auto const again = io::read_array(io::open_arrays(here.file("x.npz")), 2);
  CHECK(same(again, all[2]));
  io::array_file const in_memory = io::parse_arrays(io::npz_bytes(all, "x"));
  CHECK(in_memory.path == "a zip archive of .npy files in memory");
  CHECK(in_memory.access.order == io::array_order::kept);
  CHECK(same(io::read_array(in_memory, 2), all[2]));
  auto const read = io::read_npz(here.file("x.npz"));
  REQUIRE(read.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(same(read[i], all[i]));
  CHECK(io::read_file(here.file("x.npz")) == io::npz_bytes(all, "x"));
  auto const written = io::read_file(here.file("x.npz"));
  CHECK(bytes(written.begin() + 10, written.begin() + 14) == from_hex("00002100"));  // midnight, the first of January 1980
  for (auto& a : all) a.name.clear();
  CHECK(io::parse_npz(io::npz_bytes(all, "x"), "x")[4].name == "arr_4");
  CHECK(io::parse_npz(io::npz_bytes({}, "x"), "x").empty());
  all[1].name = all[2].name = "a";
  CHECK(has(error_of([&] { io::write_npz(here.file("y.npz"), all); }), "two arrays are named `"));
  all.resize(1);
  all[0].type = dtype::none;
  CHECK_THROWS_AS(io::write_npz(here.file("y.npz"), all), dtype_error);
  CHECK(here.count() == 1);
}

TEST_CASE("npz: hostile archives") {
  auto const stored = io::read_file(data_folder + "stored.npz"), deflated = io::read_file(data_folder + "deflated.npz");
  CHECK(error_in(stored) == "no error");
  CHECK_THROWS_WITH(
      io::parse_arrays(std::span(stored).first(stored.size() / 2)),
      "sinter: a zip archive of .npy files in memory: this is not a zip archive that can be read: it is cut off, for it begins "
      "as one and its end is missing");
  CHECK(has(error_in({}), "this is not a zip archive: it does not begin with PK"));
  std::string const cut = "this is not a zip archive that can be read: it is cut off, for it begins as one and its end is missing";
  CHECK(has(error_in(io_test::builder().text("PK\3\4 and no more").data), cut));
  CHECK(has(error_in({stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(stored.size() / 2)}), cut));
  CHECK(has(error_in({deflated.begin(), deflated.end() - 30}), cut));
  CHECK(
      has(error_in(io_test::start_of_zip("archive/data.pkl")), "this is not an .npz file; it is a PyTorch checkpoint; write safetensors"));
  // The central directory, PK\1\2: method at 10, flags at 8, sum at 16, sizes at 20 and 24.
  auto const directory = find(stored, "PK\1\2");
  CHECK(error_in(with<std::uint16_t>(stored, directory + 10, 12)) == "x.npz:`arg:fc1_weight.npy`|it is neither stored nor deflated");
  CHECK(error_in(with<std::uint16_t>(stored, directory + 8, 1)) == "x.npz:`arg:fc1_weight.npy`|it is encrypted");
  CHECK(has(error_in(with<std::uint32_t>(stored, directory + 16, 1)), "`|it cannot be unpacked: CRC error"));
  CHECK(has(error_in(with<std::uint32_t>(stored, directory + 20, 5000)), ", which the archive is too small for"));
  // Of the first member the packed size would be believed, behind it not.
  auto const whole = static_cast<std::uint32_t>(stored.size());
  CHECK(has(error_in(with<std::uint32_t>(stored, find(stored, "PK\1\2", 1) + 20, whole - 1)), ", which the archive is too small for"));
  auto const last = find(deflated, "PK\1\2", 5);
  CHECK(has(error_in(with<std::uint32_t>(deflated, last + 24, 4'000'000'000u)), "it would have 4000000000 bytes, packed in "));
  // Members that lie over each other.
  auto twice = stored;
  std::memcpy(twice.data() + find(stored, "PK\1\2", 1) + 42, stored.data() + directory + 42, 4);
  CHECK(error_in(twice) != "no error");

  auto const member = [](std::string name) { return error_in(io::npz_bytes({{std::move(name), dtype::uint8, {1}, {std::byte{1}}}}, "x")); };
  CHECK(member("a") == "no error");
  CHECK(member("w/format") == "x.npz:`w/format.npy`|the array is sparse: save it dense");
  auto renamed = io::npz_bytes({{"name", dtype::uint8, {1}, {std::byte{1}}}}, "x");
  for (int i : {0, 0}) renamed[find(renamed, ".npy", i) + 3] = std::byte{'z'};
  CHECK(error_in(renamed) == "x.npz:`name.npz`|it is no .npy file");
  auto two = io::npz_bytes({{"a", dtype::uint8, {0}, {}}, {"b", dtype::uint8, {0}, {}}}, "x");
  for (int i : {0, 0}) two[find(two, "b.npy", i)] = std::byte{'a'};
  CHECK(has(error_in(two), "x.npz|two arrays are named `a`"));
}

TEST_CASE("npz: an archive cut at any byte is an error, and one with any byte changed is one or has the same elements") {
  for (std::string const name : {"stored", "deflated"}) {
    auto const good = io::read_file(data_folder + name + ".npz");
    auto const arrays = io::parse_npz(good, "x");
    for (std::size_t n = 0; n < good.size(); ++n)
      CHECK(error_in({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)}) != "no error");
    auto changed = good;
    for (std::size_t n = 0; n < good.size(); ++n)
      for (int const bits : {0x01, 0x80, 0xff}) {
        changed[n] ^= static_cast<std::byte>(bits);
        try {
          auto const read = io::parse_npz(changed, "x");
          for (std::size_t i = 0; i < read.size(); ++i)
            if (std::none_of(arrays.begin(), arrays.end(), [&](auto& a) { return a.shape == read[i].shape && a.data == read[i].data; }))
              FAIL_CHECK("byte " << n << " of " << name << " gives other elements");
        } catch (file_error const&) {}
        changed[n] = good[n];
      }
  }
}
