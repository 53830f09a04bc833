// SPDX-License-Identifier: Apache-2.0
// One operation of every kind in constant expressions, which the reference kernels evaluate. This program runs all tests of operations on
// them: it is built with SINTER_REFERENCE_ONLY.
#include <array>

#include "check.hpp"

namespace sinter {
namespace {

template <class T, class S, class... E> constexpr bool holds(nd::tensor<T, S> const& t, E... element) {
  T const want[]{static_cast<T>(element)...};
  if (t.size() != static_cast<extent>(sizeof...(E))) return false;
  for (extent i = 0; i < t.size(); ++i)
    if (t[i] != want[i]) return false;
  return true;
}
using matrix = nd::tensor<float, shape<2, 3>>;
using list = nd::tensor<float, shape<3>>;
using numbers = nd::tensor<std::int32_t, shape<3>>;
using small = nd::tensor<float, shape<2, 2>>;

static_assert(std::is_same_v<default_backend, reference::backend>, "this program is built with SINTER_REFERENCE_ONLY");
static_assert(holds(matrix{1, 2, 3, 4, 5, 6} + list{10, 20, 30}, 11, 22, 33, 14, 25, 36));
static_assert(holds(power(list{1, 2, 3}, 2), 1, 4, 9));
static_assert(holds(numbers{INT32_MAX, 1, 2} + 1, INT32_MIN, 2, 3));
static_assert(holds(list{1, 2, 3} < 2, true, false, false));
static_assert(holds(where(list{1, 2, 3} < 2, list{4, 5, 6}, 0), 4, 0, 0));
static_assert(holds(cast(list{1.5f, -2.5f, 0}, as<std::int64_t>), 1, -2, 0));
static_assert(holds(floor(list{1.5f, -1.5f, 2}), 1, -2, 2));
static_assert(holds(round(list{0.5f, 1.5f, -2.5f}), 0, 2, -2));
static_assert(holds(sign(list{0.5f, -0.f, -3}), 1, 0, -1));
static_assert(holds(isfinite(list{1, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}), true, false,
                    false));
static_assert(holds(mod(numbers{7, -7, 5}, numbers{-3, 3, 0}), -2, 2, 0));
static_assert(holds(mod(list{7, -7, 1e30f}, 3), 1, 2, 0));
static_assert(holds(floor_divide(list{7, -7, 1}, 2), 3, -4, 0));
static_assert(holds(sqrt(list{4, 9, 16}), 2, 3, 4));
static_assert(holds(log2(list{8, 0.25f, 1}), 3, -2, 0));
static_assert(holds(sin(list{0, 1e30f, 1}), 0, -0.79116344f, 0.84147098f));
static_assert(holds(hypot(list{3, 5, 0}, list{4, 12, -7}), 5, 13, 7));
static_assert(holds(silu(list{0, 200, -200}), 0, 200, 0));
static_assert(holds(elu(list{1, 0, -200}, alpha<2>), 1, 0, -2));
static_assert(holds(elu(list{200, 2, 1}), 200, 2, 1));
static_assert(holds(exp(list{0, -200, 200}), 1, 0, std::numeric_limits<float>::infinity()));
static_assert(holds(sigmoid(list{0, 100, -200}), 0.5, 1, 0));
static_assert(holds(gelu(list{0, 10, -10}), 0, 10, 0));
static_assert(holds(sum(matrix{1, 2, 3, 4, 5, 6}, axis<0>), 5, 7, 9));
static_assert(holds(mean(matrix{1, 2, 3, 4, 5, 6}), 3.5));
static_assert(holds(max(matrix{1, 2, 3, 4, 5, 6}, axis<1>, keepdims), 3, 6));
static_assert(holds(argmax(matrix{1, 3, 3, 6, 5, 4}, axis<1>), 1, 0));
static_assert(holds(transpose(matrix{1, 2, 3, 4, 5, 6}), 1, 4, 2, 5, 3, 6));
static_assert(holds(reshape(transpose(matrix{1, 2, 3, 4, 5, 6}), into<6>), 1, 4, 2, 5, 3, 6));
static_assert(holds(slice(matrix{1, 2, 3, 4, 5, 6}, begin<1>, step<1, -2>), 6, 4));
static_assert(holds(matmul(small{1, 2, 3, 4}, small{5, 6, 7, 8}), 19, 22, 43, 50));
static_assert(holds(fully_connected(matrix{1, 2, 3, 4, 5, 6}, matrix{1, 0, 0, 0, 1, 1}, nd::tensor<float, shape<2>>{1, 2}), 2, 7, 5, 13));
static_assert(holds(softmax(small{2, 2, 0, 200}), 0.5, 0.5, 0, 1));
static_assert(holds(concat(small{1, 2, 3, 4}, small{5, 6, 7, 8}), 1, 2, 5, 6, 3, 4, 7, 8));
static_assert(holds(take(list{1, 2, 3}, numbers{2, 9, -1}), 3, 3, 1));
static_assert(holds(sort(numbers{3, 1, 2}, descending), 3, 2, 1));
static_assert(holds(arange(values<0, 6, 2>), 0, 2, 4));
static_assert(holds(one_hot(numbers{1, 0, 5}, depth<2>), 0, 1, 1, 0, 0, 0));
static_assert(holds(zeros_like(numbers{1, 2, 3}), 0, 0, 0));
static_assert(holds(full(into<2>, values<1.5>), 1.5, 1.5));
static_assert(holds(eye(into<2>), 1, 0, 0, 1));
static_assert(holds(linspace(values<1, 2, 3>), 1, 1.5, 2));

TEST_CASE("a constant expression has the bits of the same call at run time") {
  static constexpr float x[]{0.1f, -1.5f, 30, -87, 1e-20f, 5};
  constexpr auto evaluate = [] {
    nd::tensor<float, shape<2, 3>> t;
    for (extent i = 0; i < 6; ++i) t[i] = x[i];
    auto const y = softmax(tanh(t) + log1p(abs(t)), axis<1>);
    std::array<float, 6> r{};
    for (extent i = 0; i < 6; ++i) r[static_cast<std::size_t>(i)] = y[i];
    return r;
  };
  constexpr auto constant = evaluate();
  CHECK(constant == evaluate());
}

}  // namespace
}  // namespace sinter
