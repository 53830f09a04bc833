// SPDX-License-Identifier: Apache-2.0
// Tests of the reader of MXNet's .params files: golden files, every kind of record, and hostile bytes.
#include <sinter/io/write_params.hpp>

#include "../catch.hpp"
#include "bytes.hpp"

using namespace sinter;
using namespace io_test;

namespace {

std::vector<io::array> parse(bytes const& b) { return io::parse_params(b, "m.params"); }
std::string error_in(bytes const& b) {
  return error_of([&] { parse(b); });
}
io::array only(bytes const& b) {
  auto const arrays = parse(b);
  REQUIRE(arrays.size() == 1);
  return arrays[0];
}

// Written out by hand and loaded by MXNet 1.9.1: `arg:w` = (1, -2.5).
bytes const one = from_hex(R"(
1201000000000000 0000000000000000 0100000000000000
c9fa93f9 00000000 01000000 0200000000000000 01000000 00000000 00000000 0000803f 000020c0
0100000000000000 0500000000000000 6172673a77)");
// Written by MXNet 1.9.1: `arg:w` = 2x3 of 1 to 6, `aux:m` = (0.5, -1).
bytes const two = from_hex(R"(
1201000000000000 0000000000000000 0200000000000000
c9fa93f9 00000000 02000000 0200000000000000 0300000000000000 01000000 00000000 00000000
0000803f 00000040 00004040 00008040 0000a040 0000c040
c9fa93f9 00000000 01000000 0200000000000000 01000000 00000000 00000000 0000003f 000080bf
0200000000000000 0500000000000000 6172673a77 0500000000000000 6175783a6d)");

constexpr std::uint32_t v1 = 0xf993fac8, v2 = 0xf993fac9, v3 = 0xf993faca;

builder shaped(std::vector<std::int64_t> const& shape) {
  builder b;
  b.i32(static_cast<int>(shape.size()));
  for (auto e : shape) b.i64(e);
  return b;
}
builder dense(std::vector<std::int64_t> const& shape, int type, builder const& data, std::uint32_t magic = v2) {
  builder b;
  b.u32(magic);
  if (magic != v1) b.i32(0);
  return b.more(shaped(shape)).i32(1).i32(0).i32(type).more(data);
}
bytes list_of(std::vector<builder> const& records, std::vector<std::string> const& names = {}) {
  builder b;
  b.u64(0x112).u64(0).u64(records.size());
  for (auto const& r : records) b.more(r);
  b.u64(names.size());
  for (auto const& n : names) b.u64(n.size()).text(n);
  return b.data;
}

struct rows {
  std::vector<std::int64_t> shape{4, 2}, stored{2, 2}, count{2};
  std::vector<std::int64_t> index{1, 3};
  int aux_type = 6;
  builder record() const {
    builder b;
    b.u32(v2).i32(1).more(shaped(stored)).more(shaped(shape)).i32(1).i32(0).i32(0).i32(aux_type).more(shaped(count));
    b.f32(1).f32(2).f32(3).f32(4);
    for (auto i : index) aux_type == 4 ? b.i32(static_cast<std::int32_t>(i)) : b.i64(i);
    return b;
  }
};
struct csr {
  std::vector<std::int64_t> shape{3, 4}, stored{3}, starts_shape{4}, columns_shape{3};
  std::vector<std::int64_t> starts{0, 2, 2, 3}, columns{0, 3, 1};
  builder record() const {
    builder b;
    b.u32(v2).i32(2).more(shaped(stored)).more(shaped(shape)).i32(1).i32(0).i32(0);
    b.i32(6).more(shaped(starts_shape)).i32(6).more(shaped(columns_shape)).f32(1).f32(2).f32(3);
    for (auto i : starts) b.i64(i);
    for (auto i : columns) b.i64(i);
    return b;
  }
};

}  // namespace

TEST_CASE("params: the golden files") {
  auto const a = only(one);
  CHECK(a.name == "arg:w");
  CHECK(a.type == dtype::float32);
  CHECK(a.shape == std::vector<extent>{2});
  CHECK(elements_of<float>(a) == std::vector<float>{1, -2.5f});

  auto const both = parse(two);
  REQUIRE(both.size() == 2);
  CHECK(both[0].shape == std::vector<extent>{2, 3});
  CHECK(elements_of<float>(both[0]) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(both[1].name == "aux:m");
  CHECK(elements_of<float>(both[1]) == std::vector<float>{0.5f, -1});
  CHECK(list_of({dense({2}, 0, builder().f32(1).f32(-2.5f))}, {"arg:w"}) == one);
}

TEST_CASE("params: files that MXNet 1.9.1 exported") {
  std::string const models = SINTER_SOURCE_DIR "/test/data/models/";
  auto const digits = io::read_params(SINTER_SOURCE_DIR "/examples/data/digits-mlp-0000.params");
  REQUIRE(digits.size() == 6);
  CHECK(digits[0].name == "arg:dense0_weight");
  CHECK(digits[0].shape == std::vector<extent>{128, 64});
  CHECK(digits[5].name == "arg:dense2_bias");
  CHECK(digits[5].shape == std::vector<extent>{10});

  auto const half = io::read_params(models + "half/half-0000.params");
  REQUIRE(half.size() == 1);
  CHECK(half[0].type == dtype::float16);
  CHECK(half[0].shape == std::vector<extent>{1, 6});
  CHECK(half[0].data.size() == 12);

  auto const v3_file = io::read_params(models + "numpy-mode/numpy-mode-0000.params");
  REQUIRE(v3_file.size() == 4);
  CHECK(v3_file[2].name == "arg:numpynet0_dense1_weight");
  CHECK(v3_file[2].shape == std::vector<extent>{3, 10});
  CHECK(io::read_params(models + "hybrid-net/hybrid-net-0000.params").size() == 4);
  CHECK(io::read_params(models + "two-inputs/two-inputs-0000.params")[1].name == "arg:twoinputs0_c");
}

TEST_CASE("params: what is written is what MXNet wrote, byte for byte") {
  std::string const models = SINTER_SOURCE_DIR "/test/data/models/";
  for (char const* name :
       {"seed-mlp/seed-mlp-0000.params", "two-inputs/two-inputs-0000.params", "half/half-0000.params", "loops/loops-0000.params"}) {
    auto const read = io::read_file(models + name, [](io::reader) {});
    CHECK(io::params_bytes(io::parse_params(read, name)) == std::vector<std::byte>(read.begin(), read.end()));
  }
}

TEST_CASE("params: all records are of one mode, because MXNet reads no file of both") {
  io::array const scalar{"s", sinter::dtype::float32, {}, std::vector<std::byte>(4)},
      row{"v", sinter::dtype::float32, {2}, std::vector<std::byte>(8)};
  auto const versions = [](std::vector<std::byte> const& file, std::size_t second) {
    std::pair<std::uint32_t, std::uint32_t> r;
    std::memcpy(&r.first, file.data() + 24, 4);
    std::memcpy(&r.second, file.data() + second, 4);
    return r;
  };
  CHECK(versions(io::params_bytes({row, row}), 24 + 40) == std::pair(v2, v2));
  CHECK(versions(io::params_bytes({row, scalar}), 24 + 40) == std::pair(v3, v3));
  CHECK(versions(io::params_bytes({scalar, row}), 24 + 28) == std::pair(v3, v3));
  CHECK(versions(io::params_bytes({row, row}, true), 24 + 40) == std::pair(v3, v3));
}
TEST_CASE("params: names that its readers take for one are refused") {
  io::array const a{"arg:a", sinter::dtype::float32, {1}, std::vector<std::byte>(4)},
      b{"aux:a", sinter::dtype::float32, {1}, std::vector<std::byte>(4)};
  CHECK_THROWS_WITH(io::params_bytes_for("x.params", {a, b}), Catch::Contains("two arrays are named `a`"));
}

TEST_CASE("params: arrays of every dtype and shape are read as they were written") {
  std::vector<io::array> all;
  for (int t = 0; t <= static_cast<int>(dtype::bfloat16); ++t)
    for (std::vector<extent> const& shape : {std::vector<extent>{}, {0}, {2, 3}, {1, 0, 4}}) {
      io::array a{"a" + std::to_string(all.size()), static_cast<dtype>(t), shape, {}};
      a.data.resize(static_cast<std::size_t>(io::element_count(a) * bytes_of(a.type)), std::byte{1});
      all.push_back(a);
    }
  auto const again = io::parse_params(io::params_bytes(all), "memory");
  REQUIRE(again.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(again[i].name == all[i].name);
    CHECK(again[i].type == all[i].type);
    CHECK(again[i].shape == all[i].shape);
    CHECK(again[i].data == all[i].data);
  }
  CHECK(io::parse_params(io::params_bytes({}), "memory").empty());
  CHECK_THROWS_AS(io::params_bytes({{"wrong", dtype::float32, {2}, std::vector<std::byte>(4)}}), sinter::shape_error);
}

TEST_CASE("params: every version of a record") {
  auto const data = builder().f32(7).f32(8);
  CHECK(elements_of<float>(only(list_of({dense({2, 1}, 0, data, v1)}))) == std::vector<float>{7, 8});
  auto const v0 = only(list_of({builder().u32(2).u32(1).u32(2).i32(2).i32(0).i32(0).more(data)}));
  CHECK(v0.shape == std::vector<extent>{1, 2});
  CHECK(elements_of<float>(v0) == std::vector<float>{7, 8});
  CHECK(v0.name.empty());
  auto const scalar = only(list_of({dense({}, 1, builder().number(2.5), v3)}, {"s"}));
  CHECK(scalar.shape.empty());
  CHECK(io::element_count(scalar) == 1);
  CHECK(elements_of<double>(scalar) == std::vector<double>{2.5});
  auto const empty = only(list_of({dense({3, 0}, 0, {})}, {"e"}));
  CHECK(empty.shape == std::vector<extent>{3, 0});
  CHECK(empty.data.empty());
  CHECK(parse(list_of({})).empty());
  // The device is where the array was, not where the data is.
  CHECK(elements_of<float>(only(with<std::int32_t>(one, 0x2c, 99))) == std::vector<float>{1, -2.5f});
}

TEST_CASE("params: every dtype") {
  for (int type = 0; type <= 12; ++type) {
    auto const t = static_cast<dtype>(type);
    builder data;
    for (int i = 0; i < 3 * bytes_of(t); ++i) data.number(static_cast<std::uint8_t>(i + 2));
    auto const a = only(list_of({dense({3}, type, data)}));
    INFO(name_of(t));
    CHECK(a.type == t);
    if (t == dtype::boolean) CHECK(elements_of<std::uint8_t>(a) == std::vector<std::uint8_t>{1, 1, 1});
    else CHECK(a.data == data.data);
  }
  auto const flags = only(list_of({dense({3}, 7, builder().number<std::uint8_t>(0).number<std::uint8_t>(2).number<std::uint8_t>(255))}));
  CHECK(elements_of<std::uint8_t>(flags) == std::vector<std::uint8_t>{0, 1, 1});
}

TEST_CASE("params: sparse arrays come back dense") {
  CHECK(elements_of<float>(only(list_of({rows().record()}))) == std::vector<float>{0, 0, 1, 2, 0, 0, 3, 4});
  rows narrow;
  narrow.aux_type = 4;
  CHECK(elements_of<float>(only(list_of({narrow.record()}))) == std::vector<float>{0, 0, 1, 2, 0, 0, 3, 4});
  auto const a = only(list_of({csr().record()}, {"c"}));
  CHECK(a.shape == std::vector<extent>{3, 4});
  CHECK(elements_of<float>(a) == std::vector<float>{1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0});
  auto const zero = builder().u32(v2).i32(1).more(shaped({0, 2})).more(shaped({3, 2})).i32(1).i32(0).i32(0).i32(6).more(shaped({0}));
  CHECK(elements_of<float>(only(list_of({zero}))) == std::vector<float>(6));
}

TEST_CASE("params: a file cut anywhere is an error") {
  for (auto const& good : {one, two, list_of({rows().record(), csr().record()}, {"r", "c"}),
                           list_of({builder().u32(1).u32(2).i32(1).i32(0).i32(3).text("ab"), dense({}, 1, builder().f32(0).f32(1), v3)})}) {
    CHECK(error_in(good) == "no error");
    for (std::size_t n = 0; n < good.size(); ++n) {
      auto const error = error_in({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)});
      INFO(n << " of " << good.size() << " bytes: " << error);
      CHECK(error != "no error");
      CHECK(std::stoul(error) <= n);
    }
  }
}

TEST_CASE("params: a file with any byte changed is an error or arrays that are whole") {
  for (auto const& good : {two, list_of({rows().record(), csr().record()}, {"r", "c"})}) {
    auto changed = good;
    for (std::size_t n = 0; n < good.size(); ++n)
      for (int const bits : {0x01, 0x80, 0xff}) {
        changed[n] ^= static_cast<std::byte>(bits);
        try {
          for (auto const& a : io::parse_params(changed, "x"))
            CHECK(a.data.size() == static_cast<std::size_t>(io::element_count(a) * bytes_of(a.type)));
        } catch (file_error const& e) { CHECK(e.offset() <= good.size()); }
        changed[n] = good[n];
      }
  }
}

TEST_CASE("params: hostile bytes") {
  struct {
    bytes file;
    std::string_view offset, reason;
  } const cases[] = {
      {with<std::uint8_t>(one, 0, 0x13), "0|", "not an MXNet NDArray list"},
      {builder().text("PK\3\4").u64(0).u64(0).u64(0).data, "0|", "zip archive"},
      {io_test::start_of_zip("archive/data.pkl"), "0|", "this is not an MXNet NDArray list; it is a PyTorch checkpoint"},
      {builder().text("<html><head><title>404</title>").data, "0|", "it is text, an HTML page"},
      {builder().text("PK\5\6").u64(0).u64(0).data, "0|", "zip archive"},
      {builder().text("\x93NUMPY").u64(0).u64(0).u64(0).data, "0|", "single .npy array"},
      {builder().text("{\"nodes\": []}").u64(0).u64(0).data, "0|", "-symbol.json"},
      {with(one, 0x10, std::uint64_t{1} << 60), "16|", "the list has 1152921504606846976 arrays"},
      {with<std::uint64_t>(one, 0x10, 4), "16|", "the list has 4 arrays"},
      {with<std::uint32_t>(one, 0x18, 0), "24|", "neither the magic number of a record nor a rank"},
      {with<std::uint32_t>(one, 0x18, 33), "24|", "begins with 33"},
      {with<std::uint32_t>(one, 0x18, 0xf993facb), "24|", "neither the magic number"},
      {with<std::int32_t>(one, 0x1c, 3), "28|", "array 0: the storage type is 3"},
      {with<std::int32_t>(one, 0x1c, -1), "28|", "the storage type is -1"},
      {with(with<std::int32_t>(one, 0x1c, 1), 0x18, v3), "28|", "version 3 record has sparse storage"},
      {with<std::int32_t>(one, 0x20, -1), "32|", "the rank is -1"},
      {with<std::int32_t>(one, 0x20, 33), "32|", "the rank is 33"},
      {with<std::int32_t>(one, 0x20, INT32_MIN), "32|", "the rank is -2147483648"},
      {with<std::int32_t>(one, 0x20, 0), "32|", "array 0: it is \"none\""},
      {with<std::int32_t>(with(one, 0x18, v3), 0x20, -1), "32|", "array 0: it is \"none\" (rank -1)"},
      {with<std::int64_t>(with(one, 0x18, v3), 0x24, -1), "36|", "array 0: it is \"none\" (an extent of -1)"},
      {list_of({dense({}, 0, {}, v1)}), "28|", "it is \"none\""},
      {with<std::int64_t>(one, 0x24, -1), "36|", "extent 0 is -1"},
      {with<std::int64_t>(one, 0x24, INT64_MIN), "36|", "extent 0 is -9223372036854775808"},
      {with(one, 0x24, std::int64_t{1} << 62), "56|", "has too many elements"},
      {with(one, 0x24, std::int64_t{1} << 40), "56|",
       "truncated: the shape (1099511627776,) of float32 needs 4398046511104 bytes, 29 are left"},
      {with<std::int64_t>(one, 0x24, 8), "56|", "needs 32 bytes"},
      {list_of({dense({std::int64_t{1} << 32, std::int64_t{1} << 32}, 0, {})}), "64|", "too many elements"},
      {list_of({dense({0, std::int64_t{1} << 62, 4}, 0, {})}), "72|", "too many elements"},
      {with<std::int32_t>(one, 0x34, 13), "52|", "array 0: the dtype is 13"},
      {with<std::int32_t>(one, 0x34, -1), "52|", "the dtype is -1"},
      {with<std::uint64_t>(one, 0x40, 2), "64|", "1 arrays and 2 names"},
      {with<std::uint64_t>(one, 0x40, 0), "72|", "13 bytes follow the last name"},
      {with<std::uint64_t>(one, 0x48, 6), "80|", "a name needs 6 bytes, 5 are left"},
      {with(one, 0x48, std::uint64_t{1} << 60), "80|", "a name needs 1152921504606846976 bytes"},
      {with<std::uint64_t>(one, 0x48, 4), "84|", "1 bytes follow the last name"},
      {with<std::uint8_t>(one, 0x52, 0), "72|", "name 0 contains a zero byte"},
      {with<std::uint8_t>(one, 0x54, 0xc3), "72|", "name 0 is not UTF-8"},
      {with<std::uint8_t>(two, 161, 'w'), "149|", "two arrays are named `w`"},
      {with<std::uint8_t>(with<std::uint32_t>(two, 157, 0x3a677261), 161, 'w'), "149|", "two arrays are named `w`"},
      {list_of({dense({0}, 0, {}), dense({0}, 0, {})}, {"", ""}), "104|", "two arrays are named ``"},
  };
  for (auto const& c : cases) {
    auto const error = error_in(c.file);
    INFO(error);
    CHECK(error.starts_with(c.offset));
    CHECK(has(error, c.reason));
  }
}

TEST_CASE("params: names are UTF-8") {
  auto const error = [](std::string const& name) { return error_in(list_of({dense({0}, 0, {})}, {name})); };
  for (auto good : {"", "a:b/c.d", "\xc3\xa9", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    CHECK(error(good) == "no error");
  for (auto bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                   "\xf5\x80\x80\x80", "\xe2\x82", "\xc3x", "\xe2\x82x", "x\xff"})
    CHECK(has(error(bad), "not UTF-8"));
}

TEST_CASE("params: hostile sparse arrays") {
  auto const of_rows = [](auto edit) {
    rows r;
    edit(r);
    return error_in(list_of({r.record()}));
  };
  auto const of_csr = [](auto edit) {
    csr c;
    edit(c);
    return error_in(list_of({c.record()}));
  };
  constexpr char disagree[] = "32|array 0: its parts disagree";
  CHECK(of_rows([](rows&) {}) == "no error");
  CHECK(of_rows([](rows& r) { r.stored = {2, 3}; }).starts_with(disagree));
  CHECK(of_rows([](rows& r) { r.stored = {2}; }).starts_with(disagree));
  CHECK(of_rows([](rows& r) {
          r.stored = {4};
          r.shape = {1};
          r.count = {4};
        }).starts_with(disagree));
  CHECK(of_rows([](rows& r) { r.count = {3}; }).starts_with(disagree));
  CHECK(of_rows([](rows& r) { r.count = {1, 2}; }).starts_with(disagree));
  CHECK(has(of_rows([](rows& r) { r.index = {1, 4}; }), "row 4 is not in 0 to 3"));
  CHECK(has(of_rows([](rows& r) { r.index = {-1, 1}; }), "row -1 is not in"));
  CHECK(has(of_rows([](rows& r) { r.index = {3, 1}; }), "row 1 comes after 3"));
  CHECK(has(of_rows([](rows& r) { r.index = {1, 1}; }), "row 1 comes after 1"));
  CHECK(has(of_rows([](rows& r) { r.aux_type = 0; }), "indices are of float32"));
  CHECK(has(of_rows([](rows& r) { r.shape = {std::int64_t{1} << 40, 2}; }), "more than 64 times the size of the file: save it dense"));
  CHECK(has(of_rows([](rows& r) { r.shape = {std::int64_t{1} << 62, 2}; }), "more than 64 times"));

  CHECK(of_csr([](csr&) {}) == "no error");
  CHECK(of_csr([](csr& c) { c.shape = {3}; }).starts_with(disagree));
  CHECK(of_csr([](csr& c) { c.shape = {2, 4}; }).starts_with(disagree));
  CHECK(of_csr([](csr& c) { c.shape = {INT64_MAX, 4}; }).starts_with(disagree));
  CHECK(of_csr([](csr& c) { c.stored = {3, 1}; }).starts_with(disagree));
  CHECK(of_csr([](csr& c) { c.columns_shape = {2}; }).starts_with(disagree));
  CHECK(of_csr([](csr& c) { c.starts_shape = {0}; }).starts_with(disagree));
  CHECK(has(of_csr([](csr& c) { c.starts = {1, 2, 2, 3}; }), "row starts go from 1 to 3"));
  CHECK(has(of_csr([](csr& c) { c.starts = {0, 2, 2, 4}; }), "row starts go from 0 to 4, not from 0 to 3"));
  CHECK(has(of_csr([](csr& c) { c.starts = {0, 2, 1, 3}; }), "row start 1 comes after 2"));
  CHECK(has(of_csr([](csr& c) { c.starts = {0, -5, 2, 3}; }), "row start -5 comes after 0"));
  CHECK(has(of_csr([](csr& c) { c.starts = {0, 9, 9, 3}; }), "row start 3 comes after 9"));
  CHECK(has(of_csr([](csr& c) { c.columns = {0, 4, 1}; }), "column 4 is not in 0 to 3"));
  CHECK(has(of_csr([](csr& c) { c.columns = {0, -1, 1}; }), "column -1 is not in"));
  CHECK(has(of_csr([](csr& c) { c.columns = {3, 0, 1}; }), "column 0 comes after 3"));
  CHECK(has(of_csr([](csr& c) { c.columns = {2, 2, 1}; }), "column 2 comes after 2"));

  // Each of these would fit alone: the limit is for all sparse arrays of a file together.
  rows wide;
  wide.shape = {900, 2};
  CHECK(error_in(list_of({wide.record(), wide.record()})) == "no error");
  wide.shape = {1100, 2};
  CHECK(error_in(list_of({wide.record()})) == "no error");
  CHECK(has(error_in(list_of({wide.record(), wide.record()})), "array 1: it is sparse"));
}

TEST_CASE("params: files that cannot be read") {
  folder const here("params");
  CHECK(has(error_of([&] { io::read_params(here.file("none.params")); }), "0|the file cannot be opened: No such file"));
  CHECK(has(error_of([&] { io::read_params(here.path.string()); }), "directory"));
  CHECK(has(error_of([&] { io::read_params(""); }), "cannot be opened"));
  write(here.file("empty.params"), {});
  CHECK(has(error_of([&] { io::read_params(here.file("empty.params")); }), "0|the file is empty"));
  for (std::size_t n : {1u, 65535u, 65536u, 65537u, 200000u}) {
    bytes b(n);
    for (std::size_t i = 0; i < n; ++i) b[i] = static_cast<std::byte>(i * i % 251);
    write(here.file("some"), b);
    CHECK(io::read_file(here.file("some")) == b);
  }
  try {
    io::read_params(here.file("empty.params"));
  } catch (file_error const& e) {
    CHECK(e.file() == here.file("empty.params"));
    CHECK(has(e.what(), here.file("empty.params") + ", at byte 0: "));
  }
}

TEST_CASE("names in sentences are safe to print") {
  CHECK(io::in_quotes(std::string("a\x1b[2J\x7f") + std::string(200, 'x')).starts_with("`a\\x1b[2J\\x7fxx"));
  CHECK(io::in_quotes(std::string(200, 'x')).size() == 125);
  CHECK(io::in_quotes("a\xff\xc3") == "`a\\xff\\xc3`");
  CHECK(io::in_quotes("\xc3\xa4") == "`\xc3\xa4`");
  CHECK(io::in_quotes(std::string(119, 'x') + "\xc3\xa4") == "`" + std::string(119, 'x') + "...`");
}
