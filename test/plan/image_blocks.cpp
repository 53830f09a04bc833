// SPDX-License-Identifier: Apache-2.0
// Which kernels over images run together in blocks of image rows, why others do not, and that a plan in which they cannot is found. nn/image_blocks.cpp
// runs them.
#include <sinter/plan/frozen.hpp>
#include <sinter/plan/image_blocks.hpp>

#include "run_plan.hpp"

using namespace test;

namespace {

template <int To, int From, int Size = 1, int Groups = 1> constexpr int conv(builder& b, int x, auto... how) {
  int const w = b.parameter<shape<To, From / Groups, Size, Size>>();
  return b.call<ops::relu>(b.call<ops::convolution>(x, w, groups<Groups>, how...));
}
template <int Channels> constexpr int depthwise(builder& b, int x, auto... how) {
  return conv<Channels, Channels, 3, Channels>(b, x, how...);
}
// 32 channels of 112 x 112: more than 1 MiB.
using image = shape<1, 8, 112, 112>;
constexpr graph separable(int images) {
  builder b;
  int const x = images == 0 ? b.input<shape<dim<"n">, 8, 112, 112>>() : images == 1 ? b.input<image>() : b.input<shape<2, 8, 112, 112>>();
  return b.with_outputs(conv<24, 32>(b, depthwise<32>(b, conv<32, 8>(b, x), pad<1>)));
}
constexpr graph pooled() {
  builder b;
  int const x = conv<32, 8, 3>(b, b.input<image>());
  return b.with_outputs(b.call<ops::max_pool>(x, pool_size<2>));
}
constexpr graph small_image() {
  builder b;
  return b.with_outputs(depthwise<32>(b, conv<32, 8>(b, b.input<shape<1, 8, 90, 90>>())));
}
constexpr graph read_twice() {
  builder b;
  int const x = conv<32, 8>(b, b.input<image>());
  return b.with_outputs(depthwise<32>(b, x, pad<1>), b.call<ops::max_pool>(x, pool_size<2>));
}
constexpr graph many_weights() {
  builder b;
  return b.with_outputs(conv<700, 64>(b, depthwise<64>(b, conv<64, 8>(b, b.input<image>()))));
}
constexpr graph winograd() {
  builder b;
  return b.with_outputs(conv<32, 32, 3>(b, conv<32, 8>(b, b.input<image>()), pad<1>));
}
constexpr graph wide_rows() {
  builder b;
  return b.with_outputs(depthwise<32>(b, conv<32, 8>(b, b.input<shape<1, 8, 16, 2048>>())));
}
constexpr graph other_order() {
  builder b;
  int const x = conv<32, 8>(b, b.input<image>());
  return b.with_outputs(conv<24, 32>(b, b.call<ops::transpose>(x, axes<0, 1, 3, 2>)));
}
// What is read along the rows, or over the images; and images that a reshape gives other rows, or that a window leaves.
constexpr graph reduced_rows() {
  builder b;
  return b.with_outputs(b.call<ops::softmax>(conv<32, 8>(b, b.input<image>()), axis<2>));
}
constexpr graph reduced_images() {
  builder b;
  int const x = conv<32, 8>(b, b.input<shape<2, 8, 112, 112>>());
  return b.with_outputs(b.call<ops::subtract>(x, b.call<ops::mean>(x, axis<0>, keepdims)));
}
constexpr graph reshaped_rows() {
  builder b;
  int const x = b.call<ops::reshape>(conv<32, 8>(b, b.input<image>()), into<1, 16, 224, 112>);
  return b.with_outputs(depthwise<16>(b, x, pad<1>));
}
constexpr graph far_rows() {
  builder b;
  int const w = b.parameter<shape<32, 1, 2, 1>>(), x = conv<32, 8>(b, b.input<image>());
  return b.with_outputs(b.call<ops::convolution>(x, w, groups<32>, pad<56, 0>, dilate<112, 1>));
}
constexpr int together(graph const& g) { return together_in(make_plan(g)); }
constexpr std::string_view why_not(graph const& g) {
  plan const p = make_plan(g);
  for (int q = 0; q < p.groups.size(); ++q)
    if (std::string_view const why = detail::why_no_image_block(p, q); !why.empty()) return why;
  return "";
}
template <class Spoil> constexpr std::string_view fault_after(Spoil spoil) {
  plan p = make_plan(separable(1));
  spoil(p);
  return fault_of(p);
}

}  // namespace

TEST_CASE("a separable convolution runs in blocks of image rows, and what lies between takes no place in the arena") {
  SINTER_AT_BOTH_CLOCKS(together(separable(1)) == 3);
  for (int images : {0, 1, 2}) {
    plan const p = make_plan(separable(images));
    CHECK(together_in(p) == 3);
    CHECK(of_images_in(p) == 3);
    CHECK(fault_of(p).empty());
    CHECK(plan_arena(p).size() == 0);
    CHECK(fault_of(without_blocks(p)).empty());
    CHECK(of_images_in(without_blocks(p)) == 0);
    for (group const& q : p.groups) CHECK((q.of_images.image >= 0) == (images != 1));
    row_window const r = p.groups[1].of_images.read;
    CHECK(r.step == 1);
    CHECK(r.shift == 1);
    CHECK(r.reach == 2);
  }
}
TEST_CASE("a pooling runs in the blocks of the convolution that it reads") {
  plan const p = make_plan(pooled());
  CHECK(p.groups.size() == 3);
  CHECK(together_in(p) == 2);  // what the columns of the maximum are taken of is small
  CHECK(p.groups[1].of_images.read.step == 2);
  CHECK(p.groups[1].of_images.read.reach == 1);
  CHECK(fault_of(p).empty());
}
TEST_CASE("rows that a window reads") {
  constexpr row_window r{2, 1, 2};  // 3 rows, in steps of 2, with a row of zeros
  CHECK(r.first(0, 9) == 0);
  CHECK(r.first(2, 9) == 3);
  CHECK(r.first(9, 9) == 9);
  CHECK(r.end(1, 9) == 2);
  CHECK(r.end(3, 9) == 6);
  CHECK(r.end(5, 9) == 9);
  CHECK(r.rows_for(1, 9) == 3);
  CHECK(r.rows_for(4, 9) == 9);
  constexpr row_window far{1, 5, 2};
  CHECK(far.first(0, 9) == 0);
  CHECK(far.end(1, 9) == 0);
}
TEST_CASE("blocks have as many rows as fit, nearly the same each") {
  constexpr image_between of{112, 112, 32, 4, {1, 1, 2}};  // 14 KiB a row
  CHECK(rows_of_blocks(&of, 1, 112) == 28);  // 34 would fit: four blocks
  CHECK(rows_of_blocks(&of, 1, 30) == 30);
  constexpr image_between wide{2048, 112, 32, 4, {1, 1, 2}};
  CHECK(rows_of_blocks(&wide, 1, 112) == 0);
  constexpr image_between two[]{{112, 112, 32, 4, {1, 1, 2}}, {112, 112, 32, 4, {2, 0, 1}}};
  CHECK(rows_of_blocks(two, 2, 56) == 8);  // 18 + 16 rows
}
TEST_CASE("what fits into the cache, and what blocks cannot be cut from, runs as a whole") {
  CHECK(together(small_image()) == 0);
  CHECK(why_not(small_image()) == "");
  CHECK(why_not(read_twice()) == "another kernel reads it, too");
  CHECK(why_not(many_weights()) == "");
  CHECK(together(many_weights()) == 2);
  CHECK(why_not(winograd()) == "math::winograd may take another form for it");
  CHECK(why_not(wide_rows()) == "few rows of them fit into the cache");
  CHECK(why_not(other_order()) == "its rows are read in another order, or several as one");
  for (graph const& g :
       {read_twice(), winograd(), wide_rows(), other_order(), reduced_rows(), reduced_images(), reshaped_rows(), far_rows()})
    CHECK(together(g) == 0);
}
TEST_CASE("a plan whose kernels cannot run in blocks of image rows is found") {
  constexpr std::string_view other = "a kernel reads or writes other rows of a block than its own";
  CHECK(fault_after([](plan&) {}).empty());
  CHECK(fault_after([](plan& p) { p.groups[1].together = -1; }) == "a kernel needs what lay in a block of others");
  CHECK(fault_after([](plan& p) { p.groups[1].of_images = {}; }) == "a kernel without rows runs in blocks of them");
  CHECK(fault_after([](plan& p) { p.groups[1].of_images.row = 99; }) == "a kernel without rows runs in blocks of them");
  CHECK(fault_after([](plan& p) { p.groups[0].of_images.row += 1; }) == other);
  CHECK(fault_after([](plan& p) { p.groups[1].of_images.read.reach = 1; }) == other);
  CHECK(fault_after([](plan& p) { p.groups[1].of_images.read.shift = 0; }) == other);
  CHECK(fault_after([](plan& p) { p.groups[1].of_images.read.step = 2; }) == other);
  CHECK(fault_after([](plan& p) { p.groups[2].of_images.read.shift = -1; }) == other);
  CHECK(fault_after([](plan& p) { within(p, 2).stride[p.groups[2].of_images.row] = {2 * 112, 0}; }) != "");
  // The convolution reads the next channel's rows behind those of its own.
  CHECK(fault_after([](plan& p) { within(p, 2).offset.fixed = 112; }) != "");
  // What the last one writes lies where the first one reads the next block.
  graph const g = [] {
    builder b;
    int const x = b.call<ops::sort>(b.input<shape<1, 32, 112, 112>>());
    return b.with_outputs(b.call<ops::sort>(conv<32, 32>(b, depthwise<32>(b, conv<32, 32>(b, x), pad<1>))));
  }();
  plan p = make_plan(g);
  REQUIRE(together_in(p) == 3);
  CHECK(fault_of(p).empty());
  p.buffers[result_of(p, 3).buffer].home = operand_of(p, 1, 0).buffer;
  CHECK(judge(p, {}).what == "a store destroys what the next block reads");
}
