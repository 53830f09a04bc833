// SPDX-License-Identifier: Apache-2.0
// Parameters from a file: all or none, converted where that is asked for, whatever fails on the way.
#include <sinter/nn/load.hpp>

#include <cstdlib>
#include <new>

#include "../io/bytes.hpp"
#include "network.hpp"

namespace {
long allocations_left = -1;  // below zero: as many as anybody wants
}
// Not inlined: GCC takes what it sees of one half for a mistake in the other.
SINTER_NOINLINE void* operator new(std::size_t n) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* const p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
SINTER_NOINLINE void* operator new(std::size_t n, std::nothrow_t const&) noexcept { return std::malloc(n ? n : 1); }
SINTER_NOINLINE void operator delete(void* p) noexcept { std::free(p); }
SINTER_NOINLINE void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {
using sinter::io::array;

using sinter::dtype_error;
using sinter::parameter_error;
using net_type = nn::hybrid_sequential<nn::dense<3>, nn::dense<2>>;

template <class T> array an_array(std::string name, std::vector<sinter::extent> shape, T first) {
  array a{std::move(name), sinter::dtype_of<T>, std::move(shape), {}};
  a.data.resize(static_cast<std::size_t>(element_count(a)) * sizeof(T));
  for (std::size_t i = 0; i < a.data.size() / sizeof(T); ++i, first = static_cast<T>(first + T{1}))
    std::memcpy(a.data.data() + i * sizeof(T), &first, sizeof(T));
  return a;
}
template <class T> std::vector<array> a_file(T first) {
  return {an_array<T>("0.weight", {3, 4}, first), an_array<T>("0.bias", {3}, first), an_array<T>("1.weight", {2, 3}, first),
          an_array<T>("1.bias", {2}, first)};
}
float first_weight(net_type const& net) { return net.at<0>().weight.data<shape<3, 4>>()(0, 0); }
}  // namespace

TEST_CASE("a network takes its parameters from a file") {
  net_type net;
  nn::set_parameters(net, a_file(1.0f), "m.params");
  CHECK(first_weight(net) == 1);
  CHECK(net(f32<1, 4>{1, 0, 0, 0}).shape() == sinter::dims{1, 2});
  auto const copy = net.at<0>().weight.data<shape<3, 4>>();
  nn::set_parameters(net, a_file(5.0f), "m.params");
  CHECK(first_weight(net) == 5);
  CHECK(copy(0, 0) == 1);
}

TEST_CASE("another element type is converted if the program says so") {
  net_type net;
  CHECK(
      message_of<parameter_error>([&] { nn::set_parameters(net, a_file(1.0), "m.params"); }) ==
      "sinter: parameters do not fit the arrays of their names in m.params: `0.weight` (float32 (3, ?)) and `0.weight` (float64 (3, 4)), "
      "`0.bias` (float32 (3,)) and `0.bias` (float64 (3,)), `1.weight` (float32 (2, ?)) and `1.weight` (float64 (2, 3)), `1.bias` (float32 "
      "(2,)) and `1.bias` (float64 (2,)); {.cast_dtype = true} converts it");
  nn::set_parameters(net, a_file(1.0), "m.params", {.cast_dtype = true});
  CHECK(first_weight(net) == 1);
  nn::set_parameters(net, a_file(std::int64_t{7}), "m.params", {.cast_dtype = true});
  CHECK(first_weight(net) == 7);
}

TEST_CASE("a weight that lies the other way round is recognised") {
  net_type net;
  auto file = a_file(1.0f);
  file[0].shape = {4, 3};
  CHECK(message_of<parameter_error>([&] { nn::set_parameters(net, file, "m.params"); }) ==
        "sinter: parameter `0.weight` (float32 (3, ?)) does not fit the array of its name in m.params: `0.weight` (float32 (4, 3)); is it "
        "transposed? The weight of a dense layer is (units, inputs), and Keras writes (inputs, units)");
}

TEST_CASE("parameters that the file lacks keep what they have") {
  net_type net;
  nn::set_parameters(net, a_file(1.0f), "m.params");
  auto file = a_file(9.0f);
  file.erase(file.begin());
  nn::set_parameters(net, file, "m.params", {.allow_missing = true});
  CHECK(first_weight(net) == 1);
  CHECK(net.at<0>().bias.data<shape<3>>()(0) == 9);
}

TEST_CASE("a program is told what a file lacked and what was left over") {
  net_type net;
  using names = std::vector<std::string>;
  nn::load_result const all = nn::set_parameters(net, a_file(1.0f), "m.params");
  CHECK(all.missing.empty());
  CHECK(all.extra.empty());
  auto file = a_file(9.0f);
  file[0].name = "head.weight";
  auto const [missing, extra] = nn::set_parameters(net, file, "m.params", {.allow_missing = true, .ignore_extra = true});
  CHECK(missing == names{"0.weight"});
  CHECK(extra == names{"head.weight"});
  // The file has what two layers share once.
  nn::hybrid_sequential<nn::dense<3>, nn::dense<3>> tied;
  tied.at<1>() = tied.at<0>();
  nn::load_result const once = nn::set_parameters(tied, {an_array<float>("0.weight", {3, 3}, 1), an_array<float>("2.bias", {3}, 1)},
                                                  "m.params", {.allow_missing = true, .ignore_extra = true});
  CHECK(once.missing == names{"0.bias", "1.bias"});
  CHECK(once.extra == names{"2.bias"});
}

TEST_CASE("a member gives what a file lacked and what was left over") {
  auto const path = std::string(SINTER_SOURCE_DIR) + "/examples/data/digits-mlp-0000.params";
  nn::hybrid_sequential<nn::dense<128>> first;
  first.load_parameters(path, {.ignore_extra = true, .names = [](std::string const& n) { return n.substr(9); }});
  nn::load_result const left =
      first.load_parameters(path, {.ignore_extra = true, .names = [](std::string const& n) { return n.substr(9); }});
  CHECK(left.missing.empty());
  CHECK(left.extra == std::vector<std::string>{"arg:dense1_weight", "arg:dense1_bias", "arg:dense2_weight", "arg:dense2_bias"});
}

TEST_CASE("a file that is refused changes nothing") {
  net_type net;
  auto file = a_file(1.0);
  double const huge = 1e300;
  std::memcpy(file[3].data.data() + 8, &huge, 8);
  CHECK(message_of<dtype_error>([&] { nn::set_parameters(net, file, "m.params", {.cast_dtype = true}); }) ==
        "sinter: m.params: element 1 of array `1.bias` is 1e+300, which float32 cannot hold");
  CHECK(!net.at<0>().weight.has_values());
  CHECK(net.at<0>().weight.shape().rank < 0);
  net.initialize();
  CHECK(net(f32<1, 9>{}).shape() == sinter::dims{1, 2});  // any number of inputs, as before

  net_type full;
  nn::set_parameters(full, a_file(1.0f), "m.params");
  CHECK(message_of<dtype_error>([&] { nn::set_parameters(full, file, "m.params", {.cast_dtype = true}); }) != "nothing was thrown");
  file[0] = an_array<double>("0.weight", {3, 4}, 50);
  CHECK(message_of<dtype_error>([&] { nn::set_parameters(full, file, "m.params", {.cast_dtype = true}); }) != "nothing was thrown");
  CHECK(first_weight(full) == 1);
}

TEST_CASE("memory that ends anywhere while parameters are set changes nothing") {
  for (bool const initialized : {false, true}) {
    auto const file = a_file(3.0f);
    bool done = false;
    long n = 0;
    for (; !done; ++n) {
      net_type net;
      if (initialized) nn::set_parameters(net, a_file(1.0f), "m.params");
      allocations_left = n;
      try {
        nn::set_parameters(net, file, "m.params");
        done = true;
      } catch (std::bad_alloc const&) {}
      allocations_left = -1;
      bool ok = true;
      nn::visit_parameters(net, [&](auto const& p, std::string_view) {
        ok = ok && p.has_values() == (done || initialized) && (p.shape().rank >= 0) == (done || initialized);
        if (done || initialized) ok = ok && p.template storage<>().data()[0] == (done ? 3 : 1);
      });
      INFO("allocation " << n << " failed");
      REQUIRE(ok);
    }
    CHECK(n > 20);
  }
}

TEST_CASE("an array whose data are not those of its shape is refused before memory is asked for") {
  for (std::vector<sinter::extent> const& shape : {std::vector<sinter::extent>{3, 5}, {3, -4}, {3, 1ll << 62}}) {
    net_type net;
    auto file = a_file(1.0f);
    file[0].shape = shape;
    CHECK(message_of<sinter::shape_error>([&] { nn::set_parameters(net, file, "m.params"); }) ==
          "sinter: array `0.weight` has 48 bytes of data, which are no float32 array of shape " + sinter::io::to_string(shape));
  }
}

TEST_CASE("parameters that share their values are given one value") {
  nn::hybrid_sequential<nn::dense<3>, nn::dense<3>> tied;
  tied.at<1>() = tied.at<0>();
  std::vector<array> file = {an_array<float>("0.weight", {3, 3}, 1), an_array<float>("0.bias", {3}, 1),
                             an_array<float>("1.weight", {3, 3}, 1), an_array<float>("1.bias", {3}, 1)};
  nn::set_parameters(tied, file, "m.params");
  CHECK(tied.at<1>().weight.data<shape<3, 3>>()(0, 0) == 1);
  file[2] = an_array<float>("1.weight", {3, 3}, 2);
  CHECK(message_of<parameter_error>([&] { nn::set_parameters(tied, file, "m.params"); }) ==
        "sinter: parameters `0.weight` and `1.weight` share their values, and m.params has different ones for them");
  CHECK(tied.at<1>().weight.data<shape<3, 3>>()(0, 0) == 1);
}
