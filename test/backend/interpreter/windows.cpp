// SPDX-License-Identifier: Apache-2.0
// Convolutions of every kind of window, with sizes and attributes that the program draws, against sums of products one by one. The numbers are
// small and whole, so that every order of additions gives the same.
#include "../../plan/random_graph.hpp"

#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/interpreter.hpp>

#include <random>

using namespace test;

namespace {

struct drawn {
  std::mt19937 engine;
  int operator()(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); }
};
// Rank 3 to 5: shapes of x and of the weights, and a convolution that fits them.
struct convolution_case {
  dims x, w, y;
  ops::convolution_attributes a;
  bool computed, sliced, framed;

  explicit convolution_case(drawn& draw) {
    int const spatial = draw(1, 3), most = spatial == 1 ? 1200 : spatial == 2 ? 40 : 9;
    bool const depthwise = draw(0, 2) == 0, few = draw(0, 1) == 0;
    int const per_group = depthwise ? 1 : draw(1, 6), outputs = depthwise ? draw(1, 2) : draw(1, few ? 3 : 20);
    a.groups = draw(1, depthwise ? 5 : 2);
    // Kernels that are as high as wide, in steps of one or two, are summed in lines.
    bool const usual = spatial == 2 && draw(0, 1) == 0;
    int const size = 2 * draw(1, 2) + 1, step = draw(1, 2);
    x = {draw(1, 3), per_group * a.groups};
    w = {outputs * a.groups, per_group};
    y = {x.d[0], w.d[0]};
    for (int i = 0; i < spatial; ++i) {
      int const kernel = usual ? size : draw(1, 5), stride = usual ? step : draw(1, 4), dilate = usual ? 1 : draw(1, 3), pad = draw(0, 4);
      int const span = dilate * (kernel - 1) + 1, longest = usual && i == 1 && draw(0, 9) == 0 ? 1200 : most;
      int const n = draw(std::max(1, span - 2 * pad), std::max(span, longest));
      x.push(n);
      w.push(kernel);
      y.push((n + 2 * pad - span) / stride + 1);
      a.stride.push(stride), a.dilate.push(dilate), a.pad.push(pad);
    }
    for (int i = spatial; i < ops::max_windows; ++i) a.stride.push(1), a.dilate.push(1), a.pad.push(0);
    computed = draw(0, 3) == 0;
    sliced = draw(0, 3) == 0;
    framed = draw(0, 3) == 0;
  }
};
std::vector<float> whole_numbers(drawn& draw, std::int64_t n) {
  std::vector<float> r(static_cast<std::size_t>(n));
  for (float& v : r) v = static_cast<float>(draw(-4, 4));
  return r;
}

// The turns of an index in a shape.
void turns_of(dims const& shape, std::int64_t i, std::int64_t* turn) {
  for (int d = shape.rank - 1; d >= 0; --d) {
    turn[d] = i % shape.d[d];
    i /= shape.d[d];
  }
}
float one_by_one(convolution_case const& c, std::vector<float> const& x, std::vector<float> const& w, std::int64_t output) {
  std::int64_t y[max_rank]{}, k[max_rank]{};
  turns_of(c.y, output, y);
  std::int64_t const terms = c.w.size() / c.w.d[0], outputs = c.w.d[0] / c.a.groups, group = y[1] / outputs;
  double sum = 0;
  for (std::int64_t t = 0; t < terms; ++t) {
    turns_of(c.w, y[1] * terms + t, k);
    std::int64_t at = y[0] * c.x.d[1] + group * c.w.d[1] + k[1];
    bool inside = true;
    for (int i = 2; i < c.x.rank; ++i) {
      std::int64_t const place = y[i] * c.a.stride[i - 2] + k[i] * c.a.dilate[i - 2] - c.a.pad[i - 2];
      inside = inside && place >= 0 && place < c.x.d[i];
      at = at * c.x.d[i] + place;
    }
    if (inside)
      sum += static_cast<double>(x[static_cast<std::size_t>(at)]) * static_cast<double>(w[static_cast<std::size_t>(y[1] * terms + t)]);
  }
  return static_cast<float>(sum);
}

int input(graph& g, dims const& shape) {
  node k;
  k.op = &input_op;
  k.type = {dtype::float32, shape};
  k.index = g.inputs++;
  return g.append(k);
}
// The part [0, shape) of an array.
int beginning(graph& g, int whole, dims const& shape) {
  ops::slice::attributes part{};
  for (int i = 0; i < shape.rank; ++i) part.begin.push(0), part.end.push(shape.d[i]), part.step.push(1);
  return ops::make<ops::slice>(g, part, whole);
}
// `x` as a part of an array that is one longer along each of its spatial axes.
std::vector<float> with_frame(dims const& all, dims const& shape, std::vector<float> const& x) {
  std::vector<float> r(static_cast<std::size_t>(all.size()), 100.0f);
  std::int64_t at[max_rank]{};
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    turns_of(shape, i, at);
    std::int64_t to = 0;
    for (int d = 0; d < all.rank; ++d) to = to * all.d[d] + at[d];
    r[static_cast<std::size_t>(to)] = x[static_cast<std::size_t>(i)];
  }
  return r;
}
// With x as it lies, as a part of a larger image, or computed by the kernel; the weights as they lie, or as a part of an array with one channel
// more in each group.
std::vector<float> interpreted(convolution_case const& c, std::vector<float> x, std::vector<float> w) {
  builder b;
  dims image = c.x;
  for (int i = 2; c.framed && i < image.rank; ++i) ++image.d[i];
  int in = input(b.g, image);
  if (c.framed) {
    x = with_frame(image, c.x, x);
    in = beginning(b.g, in, c.x);
  }
  int const from = c.computed ? b.call<ops::negative>(in) : in;
  dims all = c.w;
  if (c.sliced) {
    ++all.d[1];
    std::vector<float> wide;
    std::int64_t const row = c.w.size() / c.w.d[0], more = row / c.w.d[1];
    for (std::int64_t i = 0; i < c.w.d[0]; ++i) {
      wide.insert(wide.end(), w.begin() + i * row, w.begin() + (i + 1) * row);
      wide.insert(wide.end(), static_cast<std::size_t>(more), 100.0f);
    }
    w = wide;
  }
  int weights = input(b.g, all);
  if (c.sliced) weights = beginning(b.g, weights, c.w);
  sinter::interpreter::program const program(make_plan(b.with_outputs(ops::make<ops::convolution>(b.g, c.a, from, weights))));
  binding const no_dimensions{};
  sinter::interpreter::instance const at(program, no_dimensions, 0);
  std::vector<float> y(static_cast<std::size_t>(c.y.size()), std::numeric_limits<float>::quiet_NaN());
  std::byte *inputs[]{reinterpret_cast<std::byte*>(x.data()), reinterpret_cast<std::byte*>(w.data())},
      *outputs[]{reinterpret_cast<std::byte*>(y.data())};
  buffer<std::byte> const arena(static_cast<std::size_t>(at.arena_bytes()) + 1, false);
  at.run({inputs, outputs, &no_dimensions, nullptr, nullptr, arena.data()});
  return y;
}

}  // namespace

TEST_CASE("convolutions with windows of every kind give their sums of products") {
  drawn draw{std::mt19937(1)};
  std::int64_t compared = 0;
  for (unsigned const threads : {1u, 3u}) {
    unsigned const before = simd::threads();
    simd::set_threads(threads);
    for (int i = 0; i < 1500; ++i) {
      convolution_case const c(draw);
      std::vector<float> x = whole_numbers(draw, c.x.size()), w = whole_numbers(draw, c.w.size());
      std::vector<float> const y = interpreted(c, x, w);
      std::int64_t const step = std::max<std::int64_t>(1, c.y.size() / 200);  // of large ones not every element
      for (std::int64_t k = draw(0, 1); k < c.y.size(); k += step) {
        float const want = one_by_one(c, x, w, k) * (c.computed ? -1.0f : 1.0f);
        ++compared;
        if (y[static_cast<std::size_t>(k)] == want) continue;
        INFO("case " << i << ", element " << k << " of " << to_string(c.y) << ", x " << to_string(c.x) << ", weights " << to_string(c.w));
        REQUIRE(y[static_cast<std::size_t>(k)] == want);
      }
    }
    simd::set_threads(before);
  }
  CHECK(compared > 100000);
}
