// SPDX-License-Identifier: Apache-2.0
// Tests of nd::save and nd::load: tensors of every dtype, with names and without, in every format.
#include <sinter/io/npz.hpp>
#include <sinter/nd/files.hpp>

#include "../catch.hpp"
#include "../io/bytes.hpp"

using namespace sinter;
template <class T, auto... D> using tensor = nd::tensor<T, shape<D...>>;

template <class F> static std::string error_of(F const& f) {
  try {
    f();
  } catch (error const& e) { return e.what(); }
  return "nothing was thrown";
}

TEST_CASE("files: tensors of every dtype come back as they were saved") {
  io_test::folder const here("nd-files");
  tensor<float, 2, 3> const x{1, 2, 3, 4, 5, 6};
  std::int64_t const turned[]{1, 3};
  auto const t = tensor<float, 3, 2>::view(x, dims{3, 2}, 0, turned);
  for (std::string const name : {"x.params", "x.npz", "x.NPZ"}) {
    nd::save(here.file(name), {{"float", x},
                               {"turned", t},
                               {"double", tensor<double>(2.5)},
                               {"half", tensor<float16, 1>{float16(0.5f)}},
                               {"bytes", tensor<std::int8_t, 2>{-1, 1}},
                               {"unsigned", tensor<std::uint8_t, 1>{255}},
                               {"short", tensor<std::int16_t, 1>{-300}},
                               {"int", tensor<std::int32_t, 1>{1 << 30}},
                               {"long", tensor<std::int64_t, 1>{std::int64_t{1} << 60}},
                               {"none", tensor<float, dynamic, 3>()},
                               {"bool", tensor<bool, 2>{true, false}}});
    auto const file = nd::load(here.file(name));
    REQUIRE(file.size() == 11);
    CHECK((io::read_file(here.file(name))[0] == std::byte{'P'}) == (name != "x.params"));
    CHECK(file.name(0) == "float");
    CHECK(file.get<tensor<float, 2, 3>>("float")(1, 2) == 6);
    CHECK(file.get<tensor<float, dim<"n">, 2>>(1)(2, 0) == 3);
    CHECK(file.get<tensor<double>>("double").item() == 2.5);
    CHECK(static_cast<float>(file.get<tensor<float16, 1>>("half")[0]) == 0.5f);
    CHECK(file.get<tensor<std::int8_t, 2>>("bytes")[0] == -1);
    CHECK(file.get<tensor<std::uint8_t, 1>>("unsigned")[0] == 255);
    CHECK(file.get<tensor<std::int16_t, 1>>("short")[0] == -300);
    CHECK(file.get<tensor<std::int32_t, 1>>("int")[0] == 1 << 30);
    CHECK(file.get<tensor<std::int64_t, 1>>("long")[0] == std::int64_t{1} << 60);
    CHECK(file.get<tensor<float, dynamic, 3>>("none").size() == 0);
    CHECK(file.get<tensor<bool, 2>>("bool")[0]);
    CHECK(file.read("int").shape == std::vector<extent>{1});
    CHECK(file.get<tensor<float, 2>>("bytes", {.cast_dtype = true})[0] == -1);
    CHECK(io_test::has(io_test::error_of([&] { file.read("ints"); }), "there is no array `ints` in the file"));
    CHECK_THROWS_AS((file.get<tensor<float, 6>>("float")), shape_error);
    CHECK_THROWS_AS((file.get<tensor<double, 2, 3>>("float")), dtype_error);
    CHECK(error_of([&] { file.get<tensor<double, 2, 3>>(0); }) ==
          "sinter: " + here.file(name) + ": array `float` has elements of float32, not of float64; {.cast_dtype = true} converts them");
    CHECK(error_of([&] { file.get<tensor<float, 6>>("float"); }) ==
          "sinter: " + here.file(name) + ": array `float` has shape (2, 3), and a tensor of shape (6,) was asked for");
  }
}

TEST_CASE("files: a list of tensors without names") {
  io_test::folder const here("nd-list");
  tensor<float, 2> const x{1, 2};
  nd::save(here.file("x"), {x, tensor<std::int32_t, 1>{3}});
  CHECK(nd::load(here.file("x")).name(1).empty());
  CHECK(nd::load(here.file("x")).get<tensor<std::int32_t, 1>>(1)[0] == 3);
  nd::save(here.file("x.npz"), {x, tensor<std::int32_t, 1>{3}});
  CHECK(nd::load(here.file("x.npz")).get<tensor<std::int32_t, 1>>("arr_1")[0] == 3);
  nd::save(here.file("zip.params"), {{"arg:x", x}}, {.format = io::file_format::npz});  // as MXNet 2 does
  CHECK(nd::load(here.file("zip.params")).get<tensor<float, 2>>("arg:x")[1] == 2);
  nd::save(here.file("one"), {x});
  CHECK(nd::load(here.file("one")).size() == 1);
  CHECK(io_test::has(io_test::error_of([&] { nd::save(here.file("two"), {{"a", x}, {"a", x}}); }), "two arrays are named `a`"));
  CHECK(io_test::has(io_test::error_of([&] { nd::save(here.file("x.safetensors"), {{"a", x}}); }), "includes sinter/io/safetensors.hpp"));
  io_test::write(here.file("bad"), io_test::from_hex("0102"));
  CHECK(io_test::has(io_test::error_of([&] { nd::load(here.file("bad")); }), "0|the file is truncated: the magic number of the list"));
  for (std::string const no_file : {"/dev/zero", "/", "nowhere"}) CHECK(io_test::error_of([&] { nd::load(no_file); }) != "no error");
}
