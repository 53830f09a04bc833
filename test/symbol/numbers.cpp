// SPDX-License-Identifier: Apache-2.0
// Numbers of symbols where something could be lost: products of odd sizes that lie anyhow, and algebra on what is no ordinary number.
#include "beside.hpp"

#include <sinter/io/cast.hpp>
#include <sinter/symbol/source/weights.hpp>

#include <limits>
#include <random>

using namespace sinter;

namespace {

using test::f32;

// ---- products

template <class T> using matrix = nd::tensor<T, shape<dynamic, dynamic>>;
template <class T> matrix<T> random_matrix(extent rows, extent columns, std::mt19937& random) {
  matrix<T> t({rows, columns});
  std::uniform_int_distribution<int> some(-1000, 1000);
  for (extent i = 0; i < t.size(); ++i)
    t.data()[i] = static_cast<T>(std::is_floating_point_v<T> ? static_cast<T>(some(random)) / T(97) : static_cast<T>(some(random)));
  return t;
}
// The operands of a product as matrices without strides, and the product; the sizes that its operands have for (m, k) x (k, n).
struct plain {
  static constexpr extent more = 0;
  static constexpr bool a_turned = false, b_turned = false;
  // Eagerly, a view as the second operand is copied, and then read in another order of additions than where it lies.
  static constexpr bool same_order = true;
  static auto left(auto const& a) { return a; }
  static auto right(auto const& b) { return b; }
  static auto product(auto const& a, auto const& b) { return matmul(a, b); }
};
struct turned_left : plain {
  static constexpr bool a_turned = true;
  static auto left(auto const& a) { return transpose(a); }
  static auto product(auto const& a, auto const& b) { return matmul(transpose(a), b); }
};
struct turned_right : plain {
  static constexpr bool b_turned = true;
  static auto right(auto const& b) { return transpose(b); }
  static auto product(auto const& a, auto const& b) { return matmul(a, b, transpose_b); }
};
struct turned_both : turned_right {
  static constexpr bool same_order = false;
  static constexpr bool a_turned = true;
  static auto left(auto const& a) { return transpose(a); }
  static auto product(auto const& a, auto const& b) { return matmul(a, transpose(b), transpose_a); }
};
struct cut : plain {
  static constexpr extent more = 3;
  static constexpr bool same_order = false;
  static auto left(auto const& a) { return slice(a, begin<1, 2>, end<-2, -1>); }
  static auto right(auto const& b) { return slice(b, begin<2, 1>, end<-1, -2>); }
  static auto product(auto const& a, auto const& b) { return matmul(left(a), right(b)); }
};
struct cut_and_turned : cut {
  static constexpr bool b_turned = true;
  static auto right(auto const& b) { return transpose(slice(b, begin<2, 1>, end<-1, -2>)); }
  static auto product(auto const& a, auto const& b) { return matmul(left(a), right(b)); }
};
struct around : plain {
  static auto left(auto const& a) { return a * 2; }
  static auto product(auto const& a, auto const& b) { return matmul(a * 2, b) + 0; }
};

template <class How, class T> void products(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<extent> size(1, 70);
  symbol const a = sym::var("a", unknown_dims, dtype_of<T>), b = sym::var("b", unknown_dims, dtype_of<T>), y = How::product(a, b);
  for (int i = 0; i < count; ++i) {
    extent const m = size(random), k = size(random), n = size(random), more = How::more;
    INFO("seed " << seed << ", (" << m << ", " << k << ") x (" << k << ", " << n << ")");
    auto const left = How::a_turned ? random_matrix<T>(k + more, m + more, random) : random_matrix<T>(m + more, k + more, random);
    auto const right = How::b_turned ? random_matrix<T>(n + more, k + more, random) : random_matrix<T>(k + more, n + more, random);
    auto const eager = How::product(left, right).contiguous();
    auto const got = y.eval({{"a", left}, {"b", right}});
    REQUIRE(got[0].shape() == eager.shape());
    REQUIRE(eager.shape() == dims{m, n});
    if (How::same_order || std::is_integral_v<T>)
      REQUIRE(std::memcmp(got[0].data(), eager.data(), sizeof(T) * static_cast<std::size_t>(eager.size())) == 0);
    auto const x = How::left(left).contiguous(), z = How::right(right).contiguous();
    for (extent r = 0; r < m; ++r)
      for (extent c = 0; c < n; ++c) {
        double sum = 0, magnitude = 0;
        for (extent q = 0; q < k; ++q) {
          double const term = static_cast<double>(x.data()[r * k + q]) * static_cast<double>(z.data()[q * n + c]);
          sum += term;
          magnitude += std::abs(term);
        }
        double const bound =
            std::is_floating_point_v<T> ? magnitude * static_cast<double>(k) * static_cast<double>(std::numeric_limits<T>::epsilon()) : 0;
        for (T const v : {eager.data()[r * n + c], reinterpret_cast<T const*>(got[0].data())[r * n + c]})
          if (!(std::abs(static_cast<double>(v) - sum) <= bound)) FAIL("element " << r << ", " << c);
      }
  }
}

// ---- algebra

template <class T> nd::tensor<T, shape<361>> pairs_of_specials(bool second) {
  using limits = std::numeric_limits<T>;
  T const all[]{0,
                -T(0),
                1,
                -1,
                T(0.5),
                -3,
                T(1e-3),
                limits::min(),
                -limits::min(),
                limits::denorm_min(),
                -limits::denorm_min(),
                limits::min() / 4 * 3,
                limits::max(),
                -limits::max(),
                limits::infinity(),
                -limits::infinity(),
                limits::quiet_NaN(),
                7,
                T(1) / 3};
  nd::tensor<T, shape<361>> t;
  for (int i = 0; i < 361; ++i) t.data()[i] = all[second ? i / 19 : i % 19];
  return t;
}
// Eagerly, compiled and as symbols.
template <class Net, class... X> void same_in_all_modes(Net const& net, X const&... x) {
  test::same_as_compiled(net, x...);
  if constexpr (test::compiles_networks)
    each_pair(net(x...), net.hybridize()(x...), []<class T, class S>(nd::tensor<T, S> const& a, nd::tensor<T, S> const& b) {
      for (extent i = 0; i < a.size(); ++i) {
        if constexpr (std::is_floating_point_v<T>)
          if (std::isnan(a[i]) && std::isnan(b[i])) continue;
        if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0) FAIL_CHECK("element " << i << ": " << +a[i] << " eagerly, " << +b[i] << " compiled");
      }
    });
}

}  // namespace

TEST_CASE("products of odd sizes, however their operands lie") {
  products<plain, float>(1, 120);
  products<turned_left, float>(2, 120);
  products<turned_right, float>(3, 120);
  products<turned_both, float>(4, 120);
  products<cut, float>(5, 120);
  products<cut_and_turned, float>(6, 120);
  products<around, float>(7, 60);
  products<plain, double>(8, 60);
  products<cut_and_turned, double>(9, 60);
  products<turned_both, std::int32_t>(10, 40);
  products<cut_and_turned, std::int64_t>(11, 40);
}

TEST_CASE("algebra keeps NaN, infinities, signs of zeros and subnormal numbers") {
  auto const neutral = [](auto F, auto x, auto y) {
    auto a = std::tuple(x * 1, x + 0.0f, x - 0.0f, x + -0.0f, -0.0f - x, 0.0f - x, x / 1, x * 0, x - x);
    auto b = std::tuple(x / x, -(-x), x * -1, x / -1, F.abs(-x), F.maximum(x, x), F.minimum(x, y), F.maximum(y, x), F.relu(F.relu(x)));
    return std::tuple(a, b);
  };
  auto const numbers = [](auto F, auto x, auto y) {
    auto a = std::tuple(x / 8, x / -0.25f, x / 3, x / 1e-39f, x / 5.877472e-39f, x / 1.7014118e38f, x / 1.4e-45f, x * 2 * 4, x * 0.1f * 10);
    auto b = std::tuple(x + 1 + 2, x - 1 + 1, (x + y) - y, 1 / (1 / x), x * y / y, F.square(F.sqrt(x)), F.sqrt(F.square(x)));
    return std::tuple(a, b);
  };
  auto const functions = [](auto F, auto x, auto y) {
    auto a = std::tuple(F.power(x, 0.0f), F.power(x, 1.0f), F.power(x, 2.0f), F.power(x, 0.5f), F.power(x, -1.0f), F.power(x, y));
    auto b = std::tuple(F.exp(F.log(x)), F.log(F.exp(x)), F.sigmoid(-x), F.tanh(x), F.erf(x), F.where(x > y, x, y), F.where(x == x, x, y));
    return std::tuple(a, b);
  };
  auto const comparisons = [](auto F, auto x, auto y) {
    auto a = std::tuple(!(x < y), x >= y, x == x, x != x, !(!(x > 0)), (x < y) && (y < x), (x <= y) || (x > y), x == -x);
    auto b = std::tuple(F.reshape(F.relu(F.reshape(x, into<19, 19>)), into<361>), F.cast(F.cast(x, as<double>), as<float>) * 1,
                        F.softmax(F.reshape(x, into<19, 19>)), F.max(F.reshape(x, into<19, 19>), axis<0>),
                        F.argmax(F.reshape(x, into<19, 19>), axis<1>), F.sum(F.reshape(x, into<19, 19>), axis<1>));
    return std::tuple(a, b);
  };
  auto const x = pairs_of_specials<float>(false), y = pairs_of_specials<float>(true);
  same_in_all_modes(nn::hybrid_lambda{neutral}, x, y);
  same_in_all_modes(nn::hybrid_lambda{numbers}, x, y);
  same_in_all_modes(nn::hybrid_lambda{functions}, x, y);
  same_in_all_modes(nn::hybrid_lambda{comparisons}, x, y);
  same_in_all_modes(nn::hybrid_lambda{neutral}, pairs_of_specials<double>(false), pairs_of_specials<double>(true));
}

// ---- weights in fewer bits

namespace {

template <class W> std::vector<std::byte> packed(float const* v, sym::source::weight_matrix const& m) {
  using namespace simd::product_detail;
  auto const n = static_cast<std::ptrdiff_t>(m.n), k = static_cast<std::ptrdiff_t>(m.k);
  buffer<std::byte> to(narrow_bytes<W>({n, k}));
  narrow_pack<W>(v, m.by_output ? 1 : n, m.by_output ? k : 1, {n, k}, to.data());
  return {to.data(), to.data() + narrow_bytes<W>({n, k})};
}

}  // namespace
TEST_CASE("weights that are embedded in fewer bits become the same ones in a program") {
  constexpr float inf = std::numeric_limits<float>::infinity(), least = std::numeric_limits<float>::denorm_min();
  constexpr float most = std::numeric_limits<float>::max();
  std::vector<std::vector<float>> outputs{{0, -0.f, 0, 0, 0},
                                          {1, -1, 1, -1, 1},
                                          {1, NAN, 2, 3, 4},
                                          {1, 2, -inf, 3, 4},
                                          {most, -most, most / 2, 1, 0},
                                          {least, -least, 0, 0, 0},
                                          {190 * least, 130 * least, 126 * least, -127 * least, 64 * least},
                                          {251 * least, 250 * least, 1, -1e-30f, 1e-38f}};
  std::mt19937 random(5);
  std::normal_distribution<float> some;
  for (int i = 0; i < 200; ++i) {
    std::vector<float>& w = outputs.emplace_back(5);
    for (float& v : w) v = some(random) * std::ldexp(1.f, static_cast<int>(random() % 250) - 130);
  }
  for (bool by_output : {true, false}) {
    sym::source::weight_matrix const m{outputs.size(), 5, by_output};
    io::array a{"w", dtype::float32, {static_cast<extent>(m.n), 5}, std::vector<std::byte>(m.n * m.k * sizeof(float))};
    for (std::size_t j = 0; j < m.n; ++j)
      for (std::size_t i = 0; i < m.k; ++i)
        std::memcpy(a.data.data() + sizeof(float) * (by_output ? j * m.k + i : i * m.n + j), &outputs[j][i], sizeof(float));
    auto const* const values = reinterpret_cast<float const*>(a.data.data());

    std::vector<io::array> all;
    sym::source::narrowing::add(all, a, m, sym::source::weight_format::int8);
    REQUIRE(all.size() == 2);
    CHECK(all[0].type == dtype::int8);
    std::vector<io::array> const again = io::widened(all);
    REQUIRE(again.size() == 1);
    CHECK(packed<weights::int8_format>(reinterpret_cast<float const*>(again[0].data.data()), m) == packed<weights::int8_format>(values, m));

    all.clear();
    sym::source::narrowing::add(all, a, m, sym::source::weight_format::bf16);
    REQUIRE(all.size() == 1);
    CHECK(all[0].type == dtype::bfloat16);
    std::vector<float> wide(m.n * m.k);
    io::detail::copy_elements(all[0], wide.data(), true);
    CHECK(packed<weights::bf16_format>(wide.data(), m) == packed<weights::bf16_format>(values, m));
  }
}
