// SPDX-License-Identifier: Apache-2.0
// Tests of safetensors: files that its own library wrote (test/data/safetensors/make.py), byte-equal writing, and hostile bytes.
#include <sinter/io/safetensors.hpp>
#include <sinter/nd/tensor.hpp>

#include "../catch.hpp"
#include "bytes.hpp"

using namespace sinter;
using namespace io_test;
namespace fs = std::filesystem;

namespace {
std::string const data_folder = SINTER_SOURCE_DIR "/test/data/safetensors/";

bytes file_of(std::string_view header, std::size_t data) {
  builder b;
  b.u64(header.size()).text(header);
  b.data.resize(b.data.size() + data);
  return b.data;
}
std::string error_in(bytes const& b) {
  return error_of([&] { io::parse_safetensors(b, "x.safetensors"); });
}
std::string error_in(std::string_view header, std::size_t data = 8) { return error_in(file_of(header, data)); }
bytes const one = from_hex(
    "3800000000000000 7b2277223a7b226474797065223a22463332222c227368617065223a5b325d2c22646174615f6f66667365747322"
    "3a5b302c385d7d7d2020 0000803f000000c0");
template <class T, auto... D> using tensor = nd::tensor<T, shape<D...>>;
}  // namespace

TEST_CASE("safetensors: what its own library wrote is read, and written again byte for byte") {
  io::safetensors const all(data_folder + "all.safetensors");
  dtype const types[] = {dtype::float32, dtype::float64, dtype::float16, dtype::bfloat16, dtype::int8,   dtype::int16, dtype::int32,
                         dtype::int64,   dtype::uint8,   dtype::boolean, dtype::uint16,   dtype::uint32, dtype::uint64};
  REQUIRE(all.arrays().size() == 16);
  std::vector<io::array> read;
  for (io::array const& a : all.arrays()) {
    CHECK(a.data.empty());
    read.push_back(all.read(a.name));
  }
  CHECK(read[0].name == "empty");
  CHECK(read[0].shape == std::vector<extent>{0, 7});
  for (std::size_t i = 0; i < std::size(types); ++i) {
    INFO(i);
    CHECK(read[i + 1].name == "layers." + std::to_string(i) + ".weight");  // 2 before 10
    CHECK(read[i + 1].type == types[i]);
    CHECK(read[i + 1].shape == std::vector<extent>{2, 3});
    if (types[i] == dtype::boolean) continue;
    auto const values = io::to_tensor<tensor<double, 2, 3>>(read[i + 1], {.cast_dtype = true});
    for (int k = 0; k < 6; ++k) CHECK(values[k] == k);
  }
  CHECK(elements_of<std::uint8_t>(read[10]) == std::vector<std::uint8_t>{0, 1, 1, 1, 1, 1});
  CHECK(read[14].name == "name\n\xc3\xa9\"");
  CHECK(elements_of<float>(read[14]) == std::vector<float>{1.5f});
  CHECK(elements_of<float>(read[15]) == std::vector<float>{1, -2});

  folder const here("safetensors-same");
  io::write_safetensors(here.file("all"), read);
  CHECK(io::read_file(here.file("all")) == io::read_file(data_folder + "all.safetensors"));
  io::safetensors const w(data_folder + "w.safetensors");
  CHECK(w.metadata() == std::map<std::string, std::string>{{"format", "pt"}});
  io::write_safetensors(here.file("w"), {w.read("w")}, w.metadata());
  CHECK(io::read_file(here.file("w")) == io::read_file(data_folder + "w.safetensors"));
  io::write_arrays(here.file("one.safetensors"), {w.read("w")});
  CHECK(io::read_file(here.file("one.safetensors")) == one);
  CHECK(io::read_array(io::open_arrays(here.file("w")), 0).data == w.read("w").data);
  io::write_safetensors(here.file("none"), {});
  CHECK(io::safetensors(here.file("none")).arrays().empty());
}

TEST_CASE("safetensors: an array as a tensor, copied or where it lies in the file") {
  tensor<bfloat16, 2, 3> narrow;
  {
    io::safetensors const all(data_folder + "all.safetensors");
    CHECK(all.load<tensor<float, 2, 3>>("layers.3.weight", {.cast_dtype = true})(1, 2) == 5);
    CHECK_THROWS_WITH((all.load<tensor<float, 2, 3>>("layers.3.weight")),
                      "sinter: array `layers.3.weight` has elements of bfloat16, not of float32; {.cast_dtype = true} converts them");
    CHECK_THROWS_WITH((all.map<tensor<float, 2, 3>>("layers.3.weight")),
                      "sinter: array `layers.3.weight` has elements of bfloat16, not of float32; {.cast_dtype = true} converts them");
    CHECK_THROWS_WITH((all.map<tensor<bfloat16, 3, 2>>("layers.3.weight")),
                      "sinter: array `layers.3.weight` has shape (2, 3), and a tensor of shape (3, 2) was asked for");
    CHECK(has(error_of([&] { all.read("layers.3"); }), "there is no array `layers.3` in the file"));
    narrow = all.map<tensor<bfloat16, 2, 3>>("layers.3.weight");
    CHECK(all.map<tensor<bfloat16, 2, 3>>("layers.3.weight").data() == narrow.data());
    CHECK(all.map<tensor<float>>("name\n\xc3\xa9\"").copy().item() == 1.5f);
  }
  CHECK(static_cast<float>(narrow.copy()[5]) == 5);  // the file is no longer open for anybody else
  CHECK(narrow.is_read_only());
}

TEST_CASE("safetensors: elements that do not lie aligned") {
  folder const here("safetensors-odd");
  auto const b = file_of(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"F32","shape":[],"data_offsets":[1,5]}})", 5);
  write(here.file("x"), with(b, b.size() - 4, 2.5f));
  io::safetensors const file(here.file("x"));
  auto const b_of_file = file.map<tensor<float>>("b");
  CHECK(b_of_file.copy().item() == 2.5f);
  CHECK(reinterpret_cast<std::uintptr_t>(b_of_file.data()) % alignof(float) == 0);
  CHECK(file.load<tensor<float>>("b").item() == 2.5f);
}

TEST_CASE("safetensors: every byte but 0 is true") {
  folder const here("safetensors-bool");
  auto const b = file_of(R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", 2);
  write(here.file("x"), with<std::uint8_t>(b, b.size() - 1, 2));
  io::safetensors const file(here.file("x"));
  CHECK(file.read("a").data == from_hex("0001"));
  CHECK(file.map<tensor<bool, 2>>("a").copy()[1] == true);
  CHECK(io::parse_safetensors(io::read_file(here.file("x")), "x")[0].data == from_hex("0001"));
}

TEST_CASE("safetensors: the elements begin at a multiple of 8") {
  folder const here("safetensors-padding");
  for (std::size_t n = 0; n < 9; ++n) {
    io::write_safetensors(here.file("x"), {{std::string(n, 'a'), dtype::uint8, {0}, {}}});
    auto const written = io::read_file(here.file("x"));
    CHECK(written.size() == (8 + 52 + n + 7) / 8 * 8);
  }
}

TEST_CASE("safetensors: a file that is changed while it is open is an error") {
  folder const here("safetensors-changed");
  auto const path = here.file("x");
  write(path, one);
  io::safetensors const file(path);
  CHECK(file.read("w").data.size() == 8);
  fs::resize_file(path, one.size() - 3);
  CHECK(has(error_of([&] { file.read("w"); }), "69|the file ends here, and had 72 bytes when it was opened"));
  fs::resize_file(path, one.size());
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(1));
  CHECK(has(error_of([&] { file.read("w"); }), "the file was changed while it was read"));
  CHECK(has(error_of([&] { file.map<tensor<float, 2>>("w"); }), "the file was changed while it was read"));
  for (std::string const no_file : {"/dev/zero", "/", "nowhere", ""})
    CHECK(error_of([&] { io::safetensors const none(no_file); }).starts_with("0|"));
  write(path, {});
  CHECK(has(error_of([&] { io::safetensors const none(path); }),
            "the file is truncated: the length of the header needs 8 bytes, 0 are left"));
}

TEST_CASE("safetensors: what cannot be written") {
  folder const here("safetensors-write");
  auto const error = [&](std::vector<io::array> const& arrays) { return error_of([&] { io::write_safetensors(here.file("x"), arrays); }); };
  io::array const a{"a", dtype::uint8, {1}, {std::byte{1}}};
  CHECK(has(error({a, a}), "two arrays are named `a`"));
  CHECK(has(error({{"__metadata__", dtype::uint8, {1}, a.data}}), "an array cannot be named `__metadata__`"));
  CHECK(has(error({{"\xff", dtype::uint8, {1}, a.data}}), "is not UTF-8"));
  CHECK_THROWS_AS(error({{"a", dtype::uint8, {2}, a.data}}), shape_error);
  CHECK(here.count() == 0);
}

TEST_CASE("safetensors: hostile headers") {
  std::string const good = R"("w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  auto const entry = [](std::string const& text) { return "{\"w\":{" + text + "}}"; };
  auto const two = [](std::string const& a, std::string const& b) {
    return R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + a + R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + b + "}}";
  };
  for (std::string const& right : std::vector<std::string>{
           "{" + good + "}", "{" + good + "}   \n", R"({"__metadata__":null,)" + good + "}", R"({"__metadata__":{"a":"b"},)" + good + "}",
           std::string(R"({"\u0061":{"data_offsets":[0,8],"shape":[2],"dtype":"F32"}})"), two("[4,8]", "[0,4]")})
    CHECK(error_in(right) == "no error");
  CHECK(error_in("{}", 0) == "no error");
  CHECK(error_in(R"({"e":{"dtype":"F32","shape":[0,4294967296],"data_offsets":[4,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                 R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})") == "no error");
  struct {
    std::string header;
    std::string_view reason;
  } const cases[] = {
      {"", "does not begin with {"},
      {" {" + good + "}", "does not begin with {"},
      {"\xef\xbb\xbf{" + good + "}", "does not begin with {"},
      {"[1]", "does not begin with {"},
      {"{" + good, "the header is no JSON"},
      {"{" + good + "}x", "the header is no JSON"},
      {"{" + good + ",}", "the header is no JSON"},
      {"{" + good + "}" + std::string(1, '\0'), "there is a zero byte"},
      {"{" + good + ",/*a*/\"b\":1}", "the header is no JSON"},
      {"{\"\xff\":{}}", "the header is no JSON"},
      {R"({"\ud800":{}})", "the header is no JSON"},
      {"{\"a\nb\":{}}", "the header is no JSON"},
      {"{" + good + "," + good + "}", "the name `w` stands there twice"},
      {"{" + good + R"(,"\u0077":{"dtype":"F32","shape":[0],"data_offsets":[8,8]}})", "the name `w` stands there twice"},
      {R"({"__metadata__":{},"__metadata__":{},)" + good + "}", "`__metadata__` stands there twice"},
      {R"({"__metadata__":{"a":"b","a":"b"},)" + good + "}", "the key `a` of the metadata stands there twice"},
      {R"({"__metadata__":{"a":1},)" + good + "}", "a number is in the wrong place"},
      {R"({"__metadata__":{"a":{}},)" + good + "}", "an object is in the wrong place"},
      {R"({"__metadata__":[],)" + good + "}", "an array is in the wrong place"},
      {R"({"w":null})", "null is in the wrong place"},
      {R"({"w":["F32",[2],[0,8]]})", "an array is in the wrong place"},
      {R"({"w":true})", "true or false is in the wrong place"},
      {entry(R"("dtype":"F32","shape":[2])"), "it lacks dtype, shape or data_offsets"},
      {entry(R"("dtype":"F32","shape":[2],"data_offsets":[0,8],"more":1)"), "array `w`: the field `more` is not one of"},
      {entry(R"("dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8])"), "array `w`: dtype stands there twice"},
      {entry(R"("dtype":"f32","shape":[2],"data_offsets":[0,8])"), "array `w`: the dtype `f32` is not one that is read"},
      {entry(R"("dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8])"), "the dtype `F8_E4M3` is not one"},
      {entry(R"("dtype":1,"shape":[2],"data_offsets":[0,8])"), "a number is in the wrong place"},
      {entry(R"("dtype":"F32","shape":2,"data_offsets":[0,8])"), "a number is in the wrong place"},
      {entry(R"("dtype":"F32","shape":[2.0],"data_offsets":[0,8])"), "the number `2.0` is not a plain integer"},
      {entry(R"("dtype":"F32","shape":[2e0],"data_offsets":[0,8])"), "the number `2e0` is not"},
      {entry(R"("dtype":"F32","shape":[02],"data_offsets":[0,8])"), "the header is no JSON"},
      {entry(R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])"), "a number is negative"},
      {entry(R"("dtype":"F32","shape":[18446744073709551616],"data_offsets":[0,8])"), "is not a plain integer"},
      {entry(R"("dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,8])"), "an extent does not fit"},
      {entry(R"("dtype":"F32","shape":[[2]],"data_offsets":[0,8])"), "an array is in the wrong place"},
      {entry(R"("dtype":"F32","shape":["2"],"data_offsets":[0,8])"), "a string is in the wrong place"},
      {entry(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8])"), "too many elements"},
      {entry(R"("dtype":"F32","shape":[0,4294967296,4294967296],"data_offsets":[0,0])"), "too many elements"},
      {entry(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])"), "array `w`: bytes 0 to 8 are not the 12 of float32 (3,)"},
      {entry(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])"), "bytes 8 to 0 are not the 8"},
      {entry(R"("dtype":"F32","shape":[2],"data_offsets":[0])"), "data_offsets are not two numbers"},
      {entry(R"("dtype":"F32","shape":[2],"data_offsets":[0,8,8])"), "data_offsets are more than two numbers"},
      {entry(R"("dtype":"F32","shape":[3],"data_offsets":[0,12])"), "the file is truncated: the data of array `w` end at byte 12"},
      {entry(R"("dtype":"F32","shape":[1],"data_offsets":[0,4])"), "4 bytes follow the data"},
      {entry(R"("dtype":"F32","shape":[1],"data_offsets":[4,8])"),
       "array `w` begins at byte 4 behind the header, and the one before it ends at 0"},
      {two("[0,4]", "[0,4]"), "array `b` begins at byte 0 behind the header, and the one before it ends at 4"},
      {two("[0,4]", "[2,6]"), "array `b` begins at byte 2"},
      {entry("\"dtype\":\"F32\",\"shape\":[2" +
             [] {
               std::string more;
               for (int i = 0; i < 32; ++i) more += ",1";
               return more;
             }() +
             "],\"data_offsets\":[0,8]"),
       "the rank is above 32"},
      {"{\"a\":" + std::string(100000, '['), "an array is in the wrong place"},
  };
  for (auto const& c : cases) {
    auto const error = error_in(c.header);
    INFO(c.header.substr(0, 200) << "\n" << error);
    CHECK(has(error, c.reason));
    CHECK(std::stoul(error) <= 8 + c.header.size() + 8);
  }
  CHECK(
      has(error_in(builder().u64(100'000'001).text("{}").data), "0|this is not a safetensors file: its header would have 100000001 bytes"));
  CHECK(has(error_in(builder().text("{\n  \"nodes\": []}").data), "0|this is not a safetensors file, but JSON text"));
  CHECK(has(error_in(builder().text("version https://git-lfs.github.com/spec/v1").data),
            "0|this is not a safetensors file; it is text, a git-lfs pointer, whose file was not fetched"));
  CHECK(has(error_in(builder().u64(~0ull).text("{}").data), "0|this is not a safetensors file"));
  CHECK(has(error_in(builder().u64(0x112).u64(0).data), "0|this is not a safetensors file; it seems to be a .params file of MXNet"));
  CHECK(has(error_in(builder().u64(3).text("{}").data), "8|the file is truncated: the header needs 3 bytes, 2 are left"));
}

TEST_CASE("safetensors: a file cut at any byte is an error, and one with any byte changed is one or another file") {
  for (auto const& name : {"all", "w"}) {
    auto const good = io::read_file(data_folder + name + ".safetensors");
    for (std::size_t n = 0; n < good.size(); ++n) {
      auto const error = error_in({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)});
      INFO(n << " of " << good.size() << " bytes: " << error);
      CHECK(error != "no error");
      CHECK(std::stoul(error) <= n);
    }
    auto changed = good;
    std::size_t const header = 8 + static_cast<std::size_t>(good[0]) + 256 * static_cast<std::size_t>(good[1]);
    int read = 0;
    for (std::size_t n = 0; n < good.size(); ++n)
      for (int const bits : {0x01, 0x20, 0x80, 0xff}) {
        changed[n] ^= static_cast<std::byte>(bits);
        auto const error = error_in(changed);
        if (n < 8 || n >= header) CHECK((error == "no error") == (n >= header));
        read += error == "no error";
        changed[n] = good[n];
      }
    CHECK(read >= 4 * static_cast<int>(good.size() - header));
  }
}
