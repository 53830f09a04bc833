// SPDX-License-Identifier: Apache-2.0
// Tests of .npy files as tensors: what is loaded has the shape and the element type that was asked for, or there is an error.
#include <sinter/io/tensor.hpp>
#include <sinter/nd/tensor.hpp>

#include <limits>

#include "../catch.hpp"
#include "bytes.hpp"

using namespace sinter;
using io_test::folder;

namespace {
template <class T, auto... D> using tensor = nd::tensor<T, shape<D...>>;

template <class Error, class Call> std::string message_of(Call call) {
  try {
    call();
  } catch (Error const& e) { return e.what(); }
  return "nothing was thrown";
}
template <class T> io::array an_array(std::vector<extent> shape, std::vector<T> const& values, dtype type = dtype_of<T>) {
  io::array a{"x", type, std::move(shape), {}};
  a.data.resize(values.size() * sizeof(T));
  std::memcpy(a.data.data(), values.data(), a.data.size());
  return a;
}
template <class T> std::string cast_error(io::array const& a) {
  return message_of<dtype_error>([&] { io::to_tensor<T>(a, {.cast_dtype = true}); });
}
}  // namespace

TEST_CASE("tensor: an .npy file comes back as it was saved") {
  folder const here("tensor");
  tensor<float, 2, 3> const x{1, 2, 3, 4, 5, 6};
  io::save(here.file("x.npy"), x);
  auto const y = io::load<tensor<float, 2, 3>>(here.file("x.npy"));
  for (int i = 0; i < 6; ++i) CHECK(y[i] == x[i]);
  auto const rows = io::load<tensor<float, dim<"batch">, 3>>(here.file("x.npy"));
  CHECK(rows.shape() == dims{2, 3});
  CHECK(rows(1, 2) == 6);
  std::int64_t const turned[]{1, 3};
  io::save(here.file("t.npy"), tensor<float, 3, 2>::view(x, dims{3, 2}, 0, turned));
  CHECK(io::load<tensor<float, 3, 2>>(here.file("t.npy"))(0, 1) == 4);
  io::save(here.file("scalar.npy"), tensor<double>(2.5));
  CHECK(io::load<tensor<double>>(here.file("scalar.npy")).item() == 2.5);
  CHECK(io_test::has(message_of<file_error>([&] { io::save(here.file("x.NPZ"), x); }), "io::save writes one tensor as .npy"));
  CHECK(here.count() == 3);
  io::save(here.file("empty.npy"), tensor<bool, dynamic, 3>());
  CHECK(io::load<tensor<bool, dynamic, 3>>(here.file("empty.npy")).size() == 0);
}

TEST_CASE("tensor: another shape or element type is one sentence") {
  folder const here("tensor-wrong");
  std::string const path = here.file("x.npy");
  io::save(path, tensor<double, 4, 3>());
  CHECK(message_of<shape_error>([&] { io::load<tensor<double, 2, 3>>(path); }) ==
        "sinter: array `" + path + "` has shape (4, 3), and a tensor of shape (2, 3) was asked for");
  CHECK(message_of<shape_error>([&] { io::load<tensor<double, 12>>(path); }) ==
        "sinter: array `" + path + "` has shape (4, 3), and a tensor of shape (12,) was asked for");
  CHECK(message_of<shape_error>([&] { io::load<tensor<double, dim<"n">, dim<"n">>>(path); }) ==
        "sinter: array `" + path + "` has shape (4, 3), and a tensor of shape (n, n) was asked for");
  CHECK(message_of<dtype_error>([&] { io::load<tensor<float, 4, 3>>(path); }) ==
        "sinter: array `" + path + "` has elements of float64, not of float32; {.cast_dtype = true} converts them");
  CHECK(io::load<tensor<float, 4, 3>>(path, {.cast_dtype = true}).size() == 12);
  // More dimensions than any tensor has, and an array whose data are not those of its shape.
  CHECK(message_of<shape_error>([&] { io::to_tensor<tensor<float, 1>>(an_array<float>({1, 1, 1, 1, 1, 1, 1, 1, 1}, {1})); }) ==
        "sinter: array `x` has shape (1, 1, 1, 1, 1, 1, 1, 1, 1), and a tensor of shape (1,) was asked for");
  CHECK(message_of<shape_error>([&] { io::to_tensor<tensor<float, 2>>(an_array<float>({2}, {1, 2, 3})); }) ==
        "sinter: array `x` has 12 bytes of data, which are no float32 array of shape (2,)");
}

TEST_CASE("tensor: a cast keeps the value or says which one it cannot keep") {
  CHECK(static_cast<float>(io::to_tensor<tensor<float16, 1>>(an_array<double>({1}, {65519}), {.cast_dtype = true})[0]) == 65504);
  CHECK(cast_error<tensor<float16, 1>>(an_array<double>({1}, {70000})) ==
        "sinter: element 0 of array `x` is 70000, which float16 cannot hold");
  CHECK(io::to_tensor<tensor<std::uint8_t, 2>>(an_array<float>({2}, {0, 255}), {.cast_dtype = true})[1] == 255);
  CHECK(cast_error<tensor<std::uint8_t, 1>>(an_array<float>({1}, {-1})) == "sinter: element 0 of array `x` is -1, which uint8 cannot hold");
  auto const halves = an_array<std::uint16_t>({8}, {0x3c00, 0xc100, 0x0001, 0x8000, 0x7bff, 0x7c00, 0xfc00, 0x0400}, dtype::float16);
  auto const h = io::to_tensor<tensor<float, 8>>(halves, {.cast_dtype = true});
  float const expected[]{
      1, -2.5f, 0x1p-24f, -0.0f, 65504, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), 0x1p-14f};
  for (int i = 0; i < 8; ++i) CHECK(std::bit_cast<std::uint32_t>(h[i]) == std::bit_cast<std::uint32_t>(expected[i]));
  CHECK(std::isnan(io::to_tensor<tensor<float, 1>>(an_array<std::uint16_t>({1}, {0x7e01}, dtype::float16), {.cast_dtype = true})[0]));
  CHECK(io::to_tensor<tensor<float, 1>>(an_array<std::uint16_t>({1}, {0xc020}, dtype::bfloat16), {.cast_dtype = true})[0] == -2.5f);
  CHECK(io::to_tensor<tensor<float, 2>>(an_array<std::uint8_t>({2}, {0, 255}, dtype::uint8), {.cast_dtype = true})[1] == 255);
  auto const truths = io::to_tensor<tensor<float, 2>>(an_array<std::uint8_t>({2}, {0, 1}, dtype::boolean), {.cast_dtype = true});
  CHECK((truths[0] == 0 && truths[1] == 1));
  CHECK(io::to_tensor<tensor<std::int32_t, 1>>(an_array<std::int64_t>({1}, {-5}), {.cast_dtype = true})[0] == -5);
  CHECK(io::to_tensor<tensor<std::int64_t, 1>>(an_array<double>({1}, {-0x1p63}), {.cast_dtype = true})[0] ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(io::to_tensor<tensor<float, 1>>(an_array<double>({1}, {0.1}), {.cast_dtype = true})[0] == 0.1f);
  CHECK(std::isinf(io::to_tensor<tensor<float, 1>>(an_array<double>({1}, {1 / 0.0}), {.cast_dtype = true})[0]));

  CHECK(cast_error<tensor<float, 2>>(an_array<double>({2}, {1, 1e39})) ==
        "sinter: element 1 of array `x` is 1e+39, which float32 cannot hold");
  CHECK(cast_error<tensor<std::int32_t, 1>>(an_array<std::int64_t>({1}, {1ll << 31})) ==
        "sinter: element 0 of array `x` is 2.14748365e+09, which int32 cannot hold");
  CHECK(cast_error<tensor<std::int32_t, 1>>(an_array<float>({1}, {0.5f})) ==
        "sinter: element 0 of array `x` is 0.5, which int32 cannot hold");
  CHECK(cast_error<tensor<std::int64_t, 1>>(an_array<double>({1}, {0x1p63})) ==
        "sinter: element 0 of array `x` is 9.22337204e+18, which int64 cannot hold");
  CHECK(cast_error<tensor<std::int64_t, 1>>(an_array<std::uint64_t>({1}, {1ull << 63}, dtype::uint64)) ==
        "sinter: element 0 of array `x` is 9.22337204e+18, which int64 cannot hold");
  CHECK(cast_error<tensor<std::int32_t, 1>>(an_array<float>({1}, {std::numeric_limits<float>::quiet_NaN()})) ==
        "sinter: element 0 of array `x` is nan, which int32 cannot hold");
  CHECK(cast_error<tensor<bool, 1>>(an_array<std::int32_t>({1}, {2})) == "sinter: element 0 of array `x` is 2, which bool cannot hold");
}
