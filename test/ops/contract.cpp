// SPDX-License-Identifier: Apache-2.0
// What an operation can be: any number of operands and results, keywords and attributes of its own.
#include <sinter/compile/hybridized.hpp>
#include <sinter/passes/optimise.hpp>

#include "../catch.hpp"

using namespace sinter;

namespace my {

// A kernel of its own with six operands and two results: a b + c d + e f, and the largest of the three products.
struct blend_op : ops::opaque_op<blend_op> {
  static constexpr std::string_view name = "my.blend";
  static constexpr int arity = 6;
  static constexpr inferred infer(operand_types in, dimension_table&) { return {in[0]}; }
  static constexpr int results(no_attributes const&) { return 2; }
  static constexpr array_type result(int i, operand_types, no_attributes const&, array_type const& first) {
    return {i == 0 ? first.type : dtype::float64, first.shape};
  }
  static constexpr std::int64_t items(no_attributes const&, dims const* shapes) { return shapes[0].size(); }
  template <class T>
  static SINTER_HD constexpr void item(no_attributes const&, ops::share s, ops::array_view<T> sum, ops::array_view<double> largest,
                                       ops::array_view<T const> a, ops::array_view<T const> b, ops::array_view<T const> c,
                                       ops::array_view<T const> d, ops::array_view<T const> e, ops::array_view<T const> f) {
    std::int64_t const i = s.item;
    T const x = a.data[i] * b.data[i], y = c.data[i] * d.data[i], z = e.data[i] * f.data[i];
    sum.data[i] = x + y + z;
    largest.data[i] = static_cast<double>(x > y ? (x > z ? x : z) : (y > z ? y : z));
  }
};

// Written with others, with two results: the smallest and the largest of each row.
struct bounds_op {
  static constexpr std::string_view name = "my.bounds";
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  static constexpr inferred infer(operand_types in, dimension_table&) {
    inferred r{in[0]};
    --r.type.shape.rank;
    return r;
  }
  static constexpr int results(no_attributes const&) { return 2; }
  static constexpr array_type result(int, operand_types, no_attributes const&, array_type const& first) { return first; }
  static constexpr int expand(graph& g, operand_nodes in) {
    ops::reduction_attributes const last{std::int64_t{1} << (g.nodes[in[0]].type.shape.rank - 1), false};
    int const smallest = ops::make<ops::negative>(g, ops::make<ops::max>(g, last, ops::make<ops::negative>(g, in[0])));
    int const both[]{smallest, ops::make<ops::max>(g, last, in[0])};
    return g.tuple({both, 2});
  }
};

struct slope_key {
  static constexpr std::string_view name = "slope";
  using value = double;
  template <double V> static constexpr double read() { return V; }
};
template <double V> inline constexpr ops::keyword<slope_key, V> slope{};
struct leaky_op {
  static constexpr std::string_view name = "my.leaky";
  static constexpr family kind = family::composite;
  static constexpr int arity = 1;
  using keywords = ops::list_of<ops::must<slope_key>>;
  struct attributes {
    double slope = 0;
    static constexpr void each(auto& a, auto&& f) { f("slope", a.slope); }
  };
  static constexpr attributes arguments(ops::given<keywords> const& k, operand_types) { return {k[slope_key{}].value}; }
  static constexpr inferred infer(operand_types in, attributes const&, dimension_table&) { return {in[0]}; }
  static constexpr int expand(graph& g, operand_nodes in, attributes const& a) {
    int const slope = g.scalar(g.nodes[in[0]].type.type, a.slope);
    return ops::make<ops::maximum>(g, in[0], ops::make<ops::multiply>(g, in[0], slope));
  }
};

}  // namespace my

SINTER_USER_OP(my::blend_op);
SINTER_USER_OP(my::bounds_op);
SINTER_USER_OP(my::leaky_op);

namespace my {
inline constexpr ops::function<blend_op> blend{};
inline constexpr ops::function<bounds_op> bounds{};
inline constexpr ops::function<leaky_op> leaky{};
}  // namespace my

namespace {

nd::tensor<float, shape<2, 3>> const x{1, -2, 3, 0, 5, -1};

template <class A, class B> bool same(A const& a, B const& b) {
  static_assert(std::is_same_v<typename A::value_type, typename B::value_type> &&
                std::is_same_v<typename A::shape_type, typename B::shape_type>);
  bool r = a.shape() == b.shape();
  for (extent i = 0; r && i < a.size(); ++i) r = a[i] == b[i];
  return r;
}

constexpr auto six(auto const& y) { return my::blend(y, y, y + 1, y, y, y * 2); }

struct every_kind {
  bool truth = false;
  int whole = 0;
  std::int64_t large = 0;
  double real = 0;
  dtype type = dtype::none;
  number some, other;
  dims shape;
  int_list list;
  static constexpr void each(auto& a, auto&& f) {
    f("truth", a.truth), f("whole", a.whole), f("large", a.large), f("real", a.real), f("type", a.type), f("some", a.some);
    f("other", a.other), f("shape", a.shape), f("list", a.list);
  }
};
constexpr every_kind sample() {
  return {true, -7, INT64_MAX, 0.1, dtype::int64, number(INT64_MIN), number(0.25), {2, 3, detail::pack_name("n")}, {4, -1, open}};
}

}  // namespace

TEST_CASE("attributes come back from a graph's words as they were") {
  constexpr bool back = [] {
    words const w = pack(sample());
    every_kind const a = unpack<every_kind>(w.data());
    return a.truth && a.whole == -7 && a.large == INT64_MAX && a.real == 0.1 && a.type == dtype::int64 && a.some.is_whole &&
           a.some.whole == INT64_MIN && !a.other.is_whole && a.other.real == 0.25 && a.shape == sample().shape && a.list.n == 3 &&
           a.list[0] == 4 && a.list[1] == -1 && a.list[2] == open;
  }();
  STATIC_REQUIRE(back);
  op_info const op = [] {
    op_info r = ops::info<ops::relu>;
    r.fields = attribute_fields<every_kind>.rows;
    r.n_fields = attribute_fields<every_kind>.n;
    return r;
  }();
  graph g;
  int const at = g.append(op, {dtype::float32, {}}, {}, pack(sample()));
  CHECK(attributes_in_words(g, g.nodes[at]) ==
        "truth=true, whole=-7, large=9223372036854775807, real=0.1, type=int64, some=-9223372036854775808, other=0.25, shape=(2, 3, n), "
        "list=[4, -1, open]");
}

TEST_CASE("an operation with six operands and two results") {
  auto const [total, largest] = six(x);
  STATIC_REQUIRE(std::is_same_v<decltype(largest)::value_type, double>);
  for (int i = 0; i < 6; ++i) {
    CHECK(total[i] == x[i] * x[i] + (x[i] + 1) * x[i] + x[i] * x[i] * 2);
    CHECK(largest[i] == std::max({x[i] * x[i], (x[i] + 1) * x[i], x[i] * x[i] * 2}));
  }
  auto const both = hybridize([](auto, auto y) { return six(y); });
  CHECK(same(std::get<0>(both(x)), total));
  CHECK(same(std::get<1>(both(x)), largest));
  // In the other order, one of them twice and read by others.
  auto const turned = hybridize([](auto, auto y) {
    auto const [s, l] = six(y);
    return std::tuple{l, s * 2, l, s};
  });
  auto const [l, s2, again, s] = turned(x);
  CHECK(same(l, largest));
  CHECK(same(again, largest));
  CHECK(same(s, total));
  CHECK(same(s2, total * 2));
  // One that nobody reads has a place all the same.
  auto const second = hybridize([](auto, auto y) { return std::get<1>(six(y)) + 1; });
  CHECK(same(second(x), largest + 1));
}

TEST_CASE("an operation with several results along a dynamic axis") {
  nd::tensor<float, shape<dim<"n">, 3>> rows({5, 3});
  for (extent i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(i * 7 % 11);
  auto const f = [](auto F, auto y) {
    auto const [values, places] = F.topk(y * 2, top<2>);
    auto const [a, b, c] = F.split(y, parts<3>, axis<1>);
    return std::tuple{places, F.concat(values, a + c), b};
  };
  auto const fast = hybridize(f);
  auto const eager = f(nd::functions{}, rows);
  auto const compiled = fast(rows);
  CHECK(same(std::get<0>(eager), std::get<0>(compiled)));
  CHECK(same(std::get<1>(eager), std::get<1>(compiled)));
  CHECK(same(std::get<2>(eager), std::get<2>(compiled)));
  CHECK(std::get<1>(eager).shape() == dims{5, 3});
}

TEST_CASE("an operation written with others that has two results") {
  auto const [low, high] = my::bounds(x);
  CHECK(same(low, nd::tensor<float, shape<2>>{-2, -1}));
  CHECK(same(high, nd::tensor<float, shape<2>>{3, 5}));
  auto const spread = hybridize([](auto, auto y) {
    auto const [a, b] = my::bounds(y);
    return b - a;
  });
  CHECK(same(spread(x), high - low));
}

TEST_CASE("a keyword that the operation brings") {
  CHECK(same(my::leaky(x, my::slope<0.5>), nd::tensor<float, shape<2, 3>>{1, -1, 3, 0, 5, -0.5F}));
  auto const fast = hybridize([](auto, auto y) { return my::leaky(y, my::slope<0.5>) * 2; });
  CHECK(same(fast(x), my::leaky(x, my::slope<0.5>) * 2));
  STATIC_REQUIRE(!ops::well_called<my::leaky_op, decltype(x)>);
  STATIC_REQUIRE(!ops::knows_keywords<my::leaky_op, std::remove_const_t<decltype(axis<1>)>>);
  STATIC_REQUIRE(!ops::knows_keywords<ops::relu, std::remove_const_t<decltype(my::slope<0.5>)>>);
}

TEST_CASE("equal operations with several results are one, and what nobody reads goes") {
  using f = decltype([](auto F, auto y) { return std::get<0>(F.topk(y, top<2>)) + F.cast(std::get<1>(F.topk(y, top<2>)), as<float>); });
  STATIC_REQUIRE(compiled_t<nn::hybrid_lambda<f>, shape<2, 3>>::kernels == 2);
  using unread = decltype([](auto F, auto y) {
    (void)F.topk(y, top<2>);
    return F.relu(y);
  });
  STATIC_REQUIRE(compiled_t<nn::hybrid_lambda<unread>, shape<2, 3>>::kernels == 1);
}

TEST_CASE("activation functions join the kernel around them, with the bits of eager calls") {
  using one = decltype([](auto F, auto y) { return F.silu(F.elu(y, alpha<0.5>) + 1) * F.leaky_relu(y, slope<0.1>); });
  STATIC_REQUIRE(compiled_t<nn::hybrid_lambda<one>, shape<2, 3>>::kernels == 1);
  CHECK(same(nn::hybrid_lambda<one>{}.hybridize()(x), one{}(nd::functions{}, x)));
  using many = decltype([](auto F, auto y) {
    return F.selu(F.mish(y)) + F.logaddexp(F.prelu(F.hard_swish(y), 0.25), F.softsign(y)) + F.hard_sigmoid(F.degrees(F.radians(y)));
  });
  CHECK(same(nn::hybrid_lambda<many>{}.hybridize()(x), many{}(nd::functions{}, x)));
}
