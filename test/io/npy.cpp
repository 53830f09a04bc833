// SPDX-License-Identifier: Apache-2.0
// Tests of .npy files: those of test/data/npy (NumPy wrote them, see make.py there), byte-equal writing, and hostile bytes.
#include <iomanip>
#include <sinter/io/npy.hpp>

#include "../catch.hpp"
#include "bytes.hpp"

using namespace sinter;
using namespace io_test;

namespace {

std::string const data_folder = SINTER_SOURCE_DIR "/test/data/npy/";
std::string error_in(bytes const& b) {
  return error_of([&] { io::parse_npy(b, "x.npy"); });
}
bytes npy(std::string_view header, std::size_t data_bytes, int major = 1, int minor = 0) {
  builder b;
  b.text("\x93NUMPY").number(static_cast<std::uint8_t>(major)).number(static_cast<std::uint8_t>(minor));
  if (major == 1) b.number(static_cast<std::uint16_t>(header.size()));
  else b.u32(static_cast<std::uint32_t>(header.size()));
  b.text(header);
  b.data.resize(b.data.size() + data_bytes);
  return b.data;
}
std::string error_in(std::string_view header, std::size_t data_bytes = 24) { return error_in(npy(header, data_bytes)); }
template <class T> std::vector<T> counting(int n) {
  std::vector<T> r(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) r[static_cast<std::size_t>(i)] = static_cast<T>(i);
  return r;
}

}  // namespace

TEST_CASE("npy: what NumPy wrote is read, and written again byte for byte") {
  struct {
    char const* name;
    dtype type;
    std::vector<extent> shape;
  } const cases[] = {{"f2", dtype::float16, {2, 3}},
                     {"f4", dtype::float32, {2, 3}},
                     {"f8", dtype::float64, {2, 3}},
                     {"i1", dtype::int8, {2, 3}},
                     {"i2", dtype::int16, {2, 3}},
                     {"i4", dtype::int32, {2, 3}},
                     {"i8", dtype::int64, {2, 3}},
                     {"u1", dtype::uint8, {2, 3}},
                     {"u2", dtype::uint16, {2, 3}},
                     {"u4", dtype::uint32, {2, 3}},
                     {"u8", dtype::uint64, {2, 3}},
                     {"b1", dtype::boolean, {2, 3}},
                     {"scalar", dtype::float64, {}},
                     {"one", dtype::float32, {3}},
                     {"empty", dtype::float32, {0, 7}},
                     {"long", dtype::uint8, {12345}},
                     {"rank9", dtype::float32, {1, 1, 1, 1, 2, 1, 1, 1, 1}}};
  folder const here("npy-same");
  for (auto const& c : cases) {
    INFO(c.name);
    auto const path = data_folder + "c-" + c.name + ".npy";
    auto const a = io::read_npy(path);
    CHECK(a.type == c.type);
    CHECK(a.shape == c.shape);
    CHECK(a.name.empty());
    CHECK(io::npy_bytes(a) == io::read_file(path));
    io::write_npy(here.file("same.npy"), a);
    CHECK(io::read_file(here.file("same.npy")) == io::read_file(path));
  }
  CHECK(here.count() == 1);
  for (std::string name : {"c-full", "c-fuller", "c-rank32"})
    CHECK(io::npy_bytes(io::read_npy(data_folder + name + ".npy")) == io::read_file(data_folder + name + ".npy"));
  CHECK(io::read_npy(data_folder + "c-rank32.npy").shape.size() == 32);
  CHECK(elements_of<float>(io::read_npy(data_folder + "c-f4.npy")) == counting<float>(6));
  CHECK(elements_of<std::int64_t>(io::read_npy(data_folder + "c-i8.npy")) == counting<std::int64_t>(6));
  CHECK(elements_of<std::uint16_t>(io::read_npy(data_folder + "c-f2.npy")) ==
        std::vector<std::uint16_t>{0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500});
  CHECK(elements_of<double>(io::read_npy(data_folder + "c-scalar.npy")) == std::vector<double>{1.5});
  CHECK(elements_of<std::uint8_t>(io::read_npy(data_folder + "c-b1.npy")) == std::vector<std::uint8_t>{1, 0, 1, 0, 0, 1});
}

TEST_CASE("npy: forms that are only read") {
  for (std::string name : {"fortran", "big", "version2", "version3", "old", "unpadded", "python2"}) {
    INFO(name);
    auto const a = io::read_npy(data_folder + "r-" + name + ".npy");
    CHECK(a.type == dtype::float32);
    CHECK(a.shape == std::vector<extent>{2, 3});
    CHECK(elements_of<float>(a) == counting<float>(6));
    CHECK(io::npy_bytes(a) == io::read_file(data_folder + "c-f4.npy"));
  }
  auto const f = io::read_npy(data_folder + "r-fortran3.npy");
  CHECK(f.shape == std::vector<extent>{2, 3, 4});
  CHECK(elements_of<std::int64_t>(f) == counting<std::int64_t>(24));
  CHECK(elements_of<std::int16_t>(io::read_npy(data_folder + "r-big-fortran.npy")) == counting<std::int16_t>(24));

  auto deep = npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2, 2), }", 24);  // element i of the data is i
  for (std::size_t i = 0; i < 24; ++i) deep[deep.size() - 24 + i] = static_cast<std::byte>(i);
  std::vector<std::uint8_t> want;
  for (int i = 0; i < 24; ++i) want.push_back(static_cast<std::uint8_t>(i / 12 + i / 4 % 3 * 2 + i / 2 % 2 * 6 + i % 2 * 12));
  CHECK(elements_of<std::uint8_t>(io::parse_npy(deep, "x.npy")) == want);

  for (auto header : {"{'descr':'=f4','fortran_order':True,'shape':()}", "{\"shape\": (), \"descr\": \"f4\", 'fortran_order': False}\n",
                      "  { 'descr' : '|f4' , 'fortran_order' : False , 'shape' : ( ) , }   ",
                      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, ), }"})
    CHECK(error_in(header, 4) == "no error");
  for (auto code : {"|u1", "<u1", ">u1", "u1", "=b1", ">b1"})
    CHECK(error_in(std::string("{'descr': '") + code + "', 'fortran_order': False, 'shape': (4,), }", 4) == "no error");
  CHECK(error_in("{'descr': '<f4', 'fortran_order': True, 'shape': (0, 1152921504606846976), }", 0) == "no error");
}

TEST_CASE("npy: a byte of a bool is 0 or 1") {
  auto file = npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", 3);
  file[file.size() - 1] = std::byte{2};
  file[file.size() - 2] = std::byte{255};
  CHECK(elements_of<std::uint8_t>(io::parse_npy(file, "x.npy")) == std::vector<std::uint8_t>{0, 1, 1});
}

TEST_CASE("npy: a file cut anywhere is an error") {
  for (std::string name : {"c-f4", "c-scalar", "r-version2", "r-fortran3", "r-unpadded", "r-python2"}) {
    auto const good = io::read_file(data_folder + name + ".npy");
    CHECK(error_in(good) == "no error");
    for (std::size_t n = 0; n < good.size(); ++n) {
      auto const error = error_in({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)});
      INFO(name << ", " << n << " of " << good.size() << " bytes: " << error);
      CHECK(error != "no error");
      CHECK(std::stoul(error) <= n);
    }
  }
}

TEST_CASE("npy: hostile files") {
  auto const good = io::read_file(data_folder + "c-f4.npy");
  auto longer = good;
  longer.push_back(std::byte{0});
  constexpr std::string_view text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  struct {
    bytes file;
    std::string_view offset, reason;
  } const cases[] = {
      {with<std::uint8_t>(good, 0, 0x92), "0|", "not an .npy file"},
      {with<std::uint8_t>(good, 5, 'y'), "0|", "not an .npy file"},
      {builder().text("PK\3\4").u64(0).data, "0|", "zip archive"},
      {builder().text("version https://git-lfs.github.com/spec/v1").data, "0|", "this is not an .npy file; it is text, a git-lfs pointer"},
      {with<std::uint8_t>(good, 6, 0), "6|", "the version is 0.0"},
      {with<std::uint8_t>(good, 6, 4), "6|", "the version is 4.0"},
      {with<std::uint8_t>(good, 7, 1), "6|", "the version is 1.1"},
      {with<std::uint16_t>(good, 8, 143), "10|", "the header needs 143 bytes, 142 are left"},
      {with<std::uint16_t>(good, 8, 65535), "10|", "the header needs 65535 bytes"},
      {with<std::uint16_t>(good, 8, 0), "10|", "a dictionary was expected"},
      {with<std::uint32_t>(npy(text, 24, 2), 8, 0xffffffff), "8|", "the header has 4294967295 bytes"},
      {npy(std::string(70000, ' '), 24, 2), "8|", "the header has 70000 bytes"},
      {npy(text, 23), "69|", "the data of shape (2, 3) needs 24 bytes, 23 are left"},
      {longer, "152|", "1 bytes follow the data"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3), }", 24, 3), "64|", "a comma"},
  };
  for (auto const& c : cases) {
    auto const error = error_in(c.file);
    INFO(error);
    CHECK(error.starts_with(c.offset));
    CHECK(has(error, c.reason));
  }
}

TEST_CASE("npy: hostile headers") {
  auto const with_shape = [](std::string const& shape) {
    return error_in("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }");
  };
  auto const with_descr = [](std::string const& descr) {
    return error_in("{'descr': " + descr + ", 'fortran_order': False, 'shape': (2, 3), }");
  };
  auto const with_order = [](std::string const& order) {
    return error_in("{'descr': '<f4', 'fortran_order': " + order + ", 'shape': (2, 3), }");
  };
  CHECK(with_shape("(2, 3)") == "no error");
  CHECK(with_shape("(2, 3,)") == "no error");
  CHECK(has(with_shape("(-2,)"), "61|the header is not NumPy's: an extent is negative"));
  CHECK(has(with_shape("(2, -1)"), "an extent is negative"));
  CHECK(has(with_shape("(4294967296, 4294967296)"), "10|the shape (4294967296, 4294967296) has too many elements"));
  CHECK(has(with_shape("(0, 4294967296, 4294967296)"), "too many elements"));
  CHECK(has(with_shape("(9223372036854775807,)"), "too many elements"));
  CHECK(has(with_shape("(9223372036854775808,)"), "does not fit in 64 bits"));
  CHECK(has(with_shape("(99999999999999999999999999,)"), "does not fit in 64 bits"));
  CHECK(has(with_shape("(1099511627776,)"), "needs 4398046511104 bytes, 24 are left"));
  CHECK(has(with_shape("(1" + std::string(32 * 2, 'x') + ")"), "a comma"));
  std::string extents;
  for (int i = 0; i < 33; ++i) extents += "1,";
  CHECK(has(with_shape("(" + extents + ")"), "the rank is above 32"));
  for (auto bad : {"(True,)",  "(2.0, 3)", "(0x2, 3)",  "(2_0,)",   "(+2, 3)", "(2 3)",         "(2,, 3)",      "(,)",     "(2)",
                   "2",        "[2, 3]",   "(2, (3,))", "('2', 3)", "(02, 3)", "(2e0, 3)",      "(2, 3",        "(2l, 3)", "(2LL, 3)",
                   "(2\t, 3)", "(2, 3)#",  "None",      "",         "(2, 3)(", "tuple((2, 3))", "(2, 3) + (1,)"}) {
    INFO(bad);
    CHECK(has(with_shape(bad), "the header is not NumPy's"));
  }
  for (auto bad : {"'|O'",  "'|S5'", "'<U5'", "'|V2'", "'<V2'", "'<M8[ns]'", "'<m8[s]'",  "'<c8'",  "'<c16'", "'<f16'",
                   "'<b2'", "''",    "'<'",   "'f'",   "'<f3'", "'<i16'",    "'float32'", "'<<f4'", "'<f4 '", "'f44'"}) {
    INFO(bad);
    CHECK(has(with_descr(bad), "is not read: "));
    CHECK(!has(with_descr(bad), "the header is not NumPy's"));
  }
  CHECK(has(with_descr("'|O'"), "pickle"));
  CHECK(has(with_descr("[('a', '<f4'), ('b', '<i2')]"), "structured arrays are not read"));
  for (auto bad : {"'<f\\x34'", "'<f4", "f4", "'<f4\"", "'<f\n4'", "'<f\xc3\xa9'", "('<f4')", "b'<f4'", "'<f''4'", "1"}) {
    INFO(bad);
    std::string const said = with_descr(bad);
    CHECK((has(said, "the header is not NumPy's") || has(said, "is not read: ")));
  }
  for (auto bad : {"0", "1", "true", "None", "Truex", "'True'", "Tru", "not True", ""}) {
    INFO(bad);
    CHECK(has(with_order(bad), "the header is not NumPy's"));
  }
  struct {
    char const* header;
    char const* reason;
  } const cases[] = {
      {"{'descr': '<f4', 'fortran_order': False}", "lacks one of the keys"},
      {"{}", "lacks one of the keys"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}", "the key `x` is not one of"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'descr': '<f8'}", "the key `descr` stands there twice"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x", "something follows"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}\n\n", "something follows"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}\n ", "something follows"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), , }", "in quotes was expected"},
      {"{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3), }", "a comma or the end of the dictionary"},
      {"{'descr' '<f4', 'fortran_order': False, 'shape': (2, 3), }", "a colon was expected"},
      {"{{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }}", "a key in quotes was expected"},
      {"['descr', '<f4']", "a dictionary was expected"},
      {"# {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "a dictionary was expected"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), ", "in quotes was expected"},
      {"{'descr': '<f4', # c\n 'fortran_order': False, 'shape': (2, 3), }", "in quotes was expected"},
  };
  for (auto const& c : cases) {
    auto const error = error_in(c.header);
    INFO(c.header << ": " << error);
    CHECK(has(error, c.reason));
  }
}

TEST_CASE("npy: writing") {
  io::array const a{"w", dtype::float32, {2}, bytes(8)};
  auto changed = a;
  changed.type = dtype::bfloat16;
  CHECK_THROWS_AS(io::npy_bytes(changed), dtype_error);
  changed.type = dtype::none;
  CHECK_THROWS_AS(io::npy_bytes(changed), dtype_error);
  for (auto const& shape : {std::vector<extent>{3}, {-2}, {}, std::vector<extent>(33, 1), {extent{1} << 62, 4}}) {
    changed = a;
    changed.shape = shape;
    CHECK_THROWS_AS(io::npy_bytes(changed), shape_error);
  }

  folder const here("npy-write");
  auto const path = here.file("a.npy");
  write(path, from_hex("00"));
  write(path + ".part0", from_hex("11"));  // another writer, or what one left behind
  io::write_npy(path, a);
  CHECK(io::read_npy(path).data == a.data);
  CHECK(io::read_file(path + ".part0") == from_hex("11"));
  CHECK(here.count() == 2);
  CHECK(has(error_of([&] { io::write_npy(here.file("none/a.npy"), a); }), "the file cannot be created: No such file"));
  CHECK_THROWS_WITH(io::write_npy(here.file("none/a.npy"), a),
                    "sinter: " + here.file("none/a.npy") + ": the file cannot be created: No such file or directory");
  std::filesystem::create_directory(here.file("d"));
  CHECK(error_of([&] { io::write_npy(here.file("d"), a); }) == "0|it is a directory, not a file");
  CHECK(here.count() == 3);
  CHECK(has(error_of([&] { io::read_npy(here.file("d")); }), "directory"));
  CHECK(has(error_of([&] { io::read_npy(here.file("e")); }), "cannot be opened"));
}

TEST_CASE("npy: the scores of the digits example") {
  auto const a = io::read_npy(SINTER_SOURCE_DIR "/examples/data/digits-mlp-output.npy");
  CHECK(a.type == dtype::float32);
  CHECK(a.shape == std::vector<extent>{1797, 10});
  CHECK(io::npy_bytes(a) == io::read_file(SINTER_SOURCE_DIR "/examples/data/digits-mlp-output.npy"));
}
