// SPDX-License-Identifier: Apache-2.0
// Large networks are traced, optimised and planned under the compilers' default limits: in many evaluations, and with the same plan as when
// the program makes it.
#include <sinter/compile/hybridized.hpp>
#if defined(SINTER_TEST_ALL) && defined(__clang__)
#define SINTER_TEST_LARGEST
#include <sinter/models/gpt2.hpp>
#endif
#include <utility>

#include "../catch.hpp"

namespace nn = sinter::nn;
using sinter::shape;

namespace {

struct residual : nn::hybrid_block<residual> {
  BOOST_HANA_DEFINE_STRUCT(residual, (nn::dense<64>, fc));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.add(x, F.relu(fc(x))); }
};
// Each of another width, with a layer norm between.
template <int I> struct normed : nn::hybrid_block<normed<I>> {
  BOOST_HANA_DEFINE_STRUCT(normed, (nn::layer_norm<>, norm), (nn::dense<16 + I>, up), (nn::dense<64>, down));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.add(x, F.relu(down(up(norm(x))))); }
};
template <int> using equal = residual;
template <template <int> class Block, class I> struct chain_of;
template <template <int> class Block, int... I> struct chain_of<Block, std::integer_sequence<int, I...>> {
  using type = nn::hybrid_sequential<Block<I>...>;
};
template <template <int> class Block, int N> using chain = typename chain_of<Block, std::make_integer_sequence<int, N>>::type;

template <class Net> void same_plan_at_run_time() {
  using compiled = sinter::compiled_t<Net, shape<1, 64>>;
  static_assert(compiled::arena_bytes == compiled::arena_lower_bound);
  sinter::plan const p = sinter::make_plan(compiled::traced());
  REQUIRE(p.groups.size() == compiled::kernels);
  REQUIRE(p.buffers.size() == compiled::plan.buffers.size());
  REQUIRE(p.operands.size() == compiled::plan.operands.size());
  for (int i = 0; i < p.buffers.size(); ++i) {
    sinter::buffer_info const &a = p.buffers[i], &b = compiled::plan.buffers[i];
    CHECK((a.where == b.where && a.index == b.index && a.elements == b.elements && a.first == b.first && a.last == b.last &&
           a.home == b.home));
  }
  for (int i = 0; i < p.operands.size(); ++i) {
    sinter::operand const &a = p.operands[i], &b = compiled::plan.operands[i];
    CHECK((a.buffer == b.buffer && a.mode == b.mode && a.written == b.written && a.offset == b.offset && a.stride[0] == b.stride[0] &&
           a.stride[1] == b.stride[1]));
  }
  for (int i = 0; i < p.groups.size(); ++i) {
    sinter::group const &a = p.groups[i], &b = compiled::plan.groups[i];
    CHECK((a.kind == b.kind && a.steps == b.steps && a.operands == b.operands && a.inputs == b.inputs && a.rank == b.rank &&
           a.phases == b.phases && a.anchor == b.anchor));
  }
}

}  // namespace

TEST_CASE("400 equal blocks") {
  static_assert(sinter::compiled_t<chain<equal, 400>, shape<1, 64>>::kernels == 400);
  same_plan_at_run_time<chain<equal, 400>>();
}
TEST_CASE("different blocks with layer norms") {
#ifdef SINTER_TEST_LARGEST  // a minute, and with GCC several GB
  constexpr int blocks = 400;
#else
  constexpr int blocks = 80;
#endif
  static_assert(sinter::compiled_t<chain<normed, blocks>, shape<1, 64>>::kernels == 3 * blocks);
  same_plan_at_run_time<chain<normed, blocks>>();
}
#ifdef SINTER_TEST_LARGEST
// Each layer expands into three times as many operations, and has a mask whose numbers are folded.
TEST_CASE("GPT-2 and its step") {
  using sinter::models::gpt2_medium;
  using text = sinter::nd::tensor<std::int64_t, shape<1, 128>>;
  static_assert(sinter::compiled_t<gpt2_medium, text>::kernels > 0);
  using token = sinter::nd::tensor<std::int64_t, shape<1, 1>>;
  static_assert(sinter::compiled_t<gpt2_medium::step<256>, token, sinter::nd::tensor<std::int64_t, shape<>>>::kernels > 0);
}
#endif
