// SPDX-License-Identifier: Apache-2.0
// Matrix products against a plain double sum; equal bits however the operands are given.
#include "../../catch.hpp"

#include <sinter/backend/xsimd/product.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace {

namespace simd = sinter::simd;
using simd::a_operand;
using simd::b_operand;
using simd::index;

// Exactly as large as asked for, so that the address sanitizer sees the first element too many.
template <class T>
struct block {
  explicit block(std::size_t n, T value = T(0)) : size(n), data(new T[n]) { std::fill_n(data.get(), n, value); }
  std::size_t size;
  std::unique_ptr<T[]> data;
  [[nodiscard]] T* get() const { return data.get(); }
  T& operator[](std::size_t i) const { return data[i]; }
};

template <class T>
struct scratch_block {
  explicit scratch_block(std::size_t bytes) : data(std::aligned_alloc(64, bytes + 64)) {
    // What is read before it was written shows up as a NaN.
    std::memset(data, 0xff, bytes + 64);
  }
  scratch_block(scratch_block const&) = delete;
  scratch_block& operator=(scratch_block const&) = delete;
  ~scratch_block() { std::free(data); }
  void* data;
};

template <class T>
block<T> numbers(std::size_t n, unsigned seed) {
  block<T> b(n);
  std::uint32_t s = seed * 2654435761u + 12345u;
  for (std::size_t i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    if constexpr (std::is_floating_point_v<T>) {
      b[i] = static_cast<T>(s >> 8) / T(1 << 23) - T(1);
    } else {
      b[i] = static_cast<T>(static_cast<std::int32_t>(s));
    }
  }
  return b;
}

enum class how { rows, columns, general };

struct shape {
  std::size_t m, n, k;
};

// One product in all the ways in which it may be given.
template <class T>
struct given {
  shape s;
  how layout;
  bool a_transposed;
  block<T> a, b, packed;

  given(shape sizes, how b_layout, bool transposed)
      : s(sizes),
        layout(b_layout),
        a_transposed(transposed),
        a(numbers<T>(s.m * s.k, 1)),
        b(numbers<T>(layout == how::general ? (s.k == 0 || s.n == 0 ? 0 : (s.k * s.n - 1) * 2 + 1) : s.k * s.n, 2)),
        packed(simd::packed_size<T>(s.n, s.k)) {
    simd::pack(b.get(), b_op(false).k_stride, b_op(false).n_stride, s.n, s.k, packed.get());
  }

  [[nodiscard]] a_operand<T> a_op() const {
    auto const m = static_cast<index>(s.m);
    auto const k = static_cast<index>(s.k);
    return a_transposed ? a_operand<T>{a.get(), 1, m} : a_operand<T>{a.get(), k, 1};
  }
  [[nodiscard]] b_operand<T> b_op(bool with_packed) const {
    auto const n = static_cast<index>(s.n);
    auto const k = static_cast<index>(s.k);
    T const* const p = with_packed ? packed.get() : nullptr;
    switch (layout) {
      case how::rows: return {b.get(), n, 1, p};
      case how::columns: return {b.get(), 1, k, p};
      case how::general: break;
    }
    return {b.get(), 2 * n, 2, p};
  }
  [[nodiscard]] T at_a(std::size_t i, std::size_t k) const { return a_transposed ? a[k * s.m + i] : a[i * s.k + k]; }
  [[nodiscard]] T at_b(std::size_t k, std::size_t j) const {
    auto const o = b_op(false);
    return b[static_cast<std::size_t>(static_cast<index>(k) * o.k_stride + static_cast<index>(j) * o.n_stride)];
  }

  // Runs it and counts how often each output arrives.
  template <class A>
  [[nodiscard]] std::vector<T> run(A const& left, bool fill, bool with_packed, int threads, bool& once) const {
    std::vector<T> c(s.m * s.n, T(77));
    std::vector<int> calls(s.m * s.n, 0);
    auto const right = b_op(with_packed);
    std::size_t const bytes = simd::product_scratch<T>(s.m, s.n, s.k, simd::layout_of(right, s.n), fill, with_packed);
    scratch_block<T> const scratch(bytes * static_cast<std::size_t>(threads));
    if constexpr (std::is_floating_point_v<T>) {
      simd::product<T>(
          s.m, s.n, s.k, left, right,
          [&](std::size_t i, std::size_t j, xsimd::batch<T> v, std::size_t count) {
            T lane[xsimd::batch<T>::size];
            v.store_unaligned(lane);
            for (std::size_t l = 0; l < count; ++l) {
              c.at(i * s.n + j + l) = lane[l];
              ++calls.at(i * s.n + j + l);
            }
          },
          scratch.data, threads);
    } else {
      simd::product<T>(
          s.m, s.n, s.k, left, right,
          [&](std::size_t i, std::size_t j, T v) {
            c.at(i * s.n + j) = v;
            ++calls.at(i * s.n + j);
          },
          scratch.data, threads);
    }
    once = std::all_of(calls.begin(), calls.end(), [](int n) { return n == 1; });
    return c;
  }

  [[nodiscard]] std::vector<T> run(bool with_packed, int threads, bool& once) const {
    return run(a_op(), a_transposed, with_packed, threads, once);
  }
  [[nodiscard]] auto reading() const {
    return [this](std::size_t i, std::size_t k, std::size_t count, T* to) {
      for (std::size_t p = 0; p < count; ++p) { to[p] = at_a(i, k + p); }
    };
  }
  [[nodiscard]] std::vector<T> run_prologue(bool with_packed, bool& once) const { return run(reading(), true, with_packed, 1, once); }

  // Into rows that lie apart, by an epilogue that says where: tiles may write there themselves. `once`: nothing else was written.
  struct storing {
    struct place {
      T* p;
      std::int64_t row;
    };
    place to;
    place destination() const { return to; }
    void operator()(std::size_t i, std::size_t j, xsimd::batch<T> v, std::size_t count) const {
      T lane[xsimd::batch<T>::size];
      v.store_unaligned(lane);
      std::copy_n(lane, count, to.p + static_cast<index>(i) * to.row + static_cast<index>(j));
    }
  };
  template <class A>
  [[nodiscard]] std::vector<T> run_stored(A const& left, bool fill, bool with_packed, int threads, bool& once) const {
    std::size_t const row = s.n + 3;
    std::vector<T> wide(1 + s.m * row, T(77)), c;
    auto const right = b_op(with_packed);
    std::size_t const bytes = simd::product_scratch<T>(s.m, s.n, s.k, simd::layout_of(right, s.n), fill, with_packed);
    scratch_block<T> const scratch(bytes * static_cast<std::size_t>(threads));
    simd::product<T>(s.m, s.n, s.k, left, right, storing{{wide.data() + 1, static_cast<std::int64_t>(row)}}, scratch.data, threads);
    once = wide[0] == T(77);
    for (std::size_t i = 0; i < s.m; ++i) {
      c.insert(c.end(), wide.begin() + static_cast<index>(1 + i * row), wide.begin() + static_cast<index>(1 + i * row + s.n));
      for (std::size_t j = s.n; j < row; ++j) { once = once && wide[1 + i * row + j] == T(77); }
    }
    return c;
  }
};

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// |error| <= gamma_K * sum |a||b|, gamma_K = K u / (1 - K u), with two roundings a step where there is no fma.
template <class T>
bool near(given<T> const& g, std::vector<T> const& c) {
  for (std::size_t i = 0; i < g.s.m; ++i) {
    for (std::size_t j = 0; j < g.s.n; ++j) {
      long double sum = 0;
      long double size = 0;
      for (std::size_t k = 0; k < g.s.k; ++k) {
        auto const t = static_cast<long double>(g.at_a(i, k)) * static_cast<long double>(g.at_b(k, j));
        sum += t;
        size += std::abs(t);
      }
      auto const u = static_cast<long double>(std::numeric_limits<T>::epsilon()) / 2;
      auto const steps = static_cast<long double>(g.s.k + 1);
      if (!(std::abs(sum - static_cast<long double>(c[i * g.s.n + j])) <= steps * u / (1 - steps * u) * size)) { return false; }
    }
  }
  return true;
}

template <class T>
void check(shape s, how layout, bool transposed) {
  INFO("M " << s.m << " N " << s.n << " K " << s.k << " layout " << static_cast<int>(layout) << " A transposed " << transposed);
  given<T> const g(s, layout, transposed);
  bool once = false;
  auto const raw = g.run(false, 1, once);
  bool good = once && near(g, raw);
  auto const packed = g.run(true, 1, once);
  good = good && once && same_bits(raw, packed);
  auto const computed = g.run_prologue(true, once);
  good = good && once && same_bits(raw, computed);
  auto const computed_raw = g.run_prologue(false, once);
  good = good && once && same_bits(raw, computed_raw);
  auto const two = g.run(false, 2, once);
  good = good && once && same_bits(raw, two);
  auto const two_packed = g.run(true, 2, once);
  good = good && once && same_bits(raw, two_packed);
  std::vector<T> stored;
  for (int threads : {1, 2}) {
    for (bool with_packed : {false, true}) {
      stored = g.run_stored(g.a_op(), transposed, with_packed, threads, once);
      good = good && once && same_bits(raw, stored);
      stored = g.run_stored(g.reading(), true, with_packed, threads, once);
      good = good && once && same_bits(raw, stored);
    }
  }
  if (!good) {
    CHECK(near(g, raw));
    CHECK(same_bits(raw, packed));
    CHECK(same_bits(raw, computed));
    CHECK(same_bits(raw, computed_raw));
    CHECK(same_bits(raw, two));
    CHECK(same_bits(raw, two_packed));
    FAIL("an output came twice or not at all or was stored elsewhere, or one of the above");
  }
}

constexpr std::size_t sizes[] = {0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 64, 100};

} // namespace

TEMPLATE_TEST_CASE("a product is right for every small shape and layout", "[product]", float, double) {
  for (std::size_t m : sizes) {
    for (std::size_t n : sizes) {
      for (std::size_t k : sizes) {
        for (how layout : {how::rows, how::columns, how::general}) { check<TestType>({m, n, k}, layout, (m + n + k) % 2 == 1); }
      }
    }
  }
  SUCCEED();
}

TEMPLATE_TEST_CASE("a product is right where the work is cut into blocks and rows of dots", "[product]", float, double) {
  simd::set_threads(2);
  // More than one block of K; more than one group of columns; dots with tails, few rows, few columns.
  for (shape s :
       {shape{5, 70, 2500}, shape{30, 170, 1100}, shape{230, 150, 1030}, shape{1, 250, 515}, shape{3, 133, 517}, shape{4, 41, 300},
        shape{260, 1, 260}, shape{45, 3, 141}, shape{13, 4, 128}, shape{150, 700, 130}, shape{1, 3000, 40}, shape{1, 40, 40000}}) {
    for (how layout : {how::rows, how::columns, how::general}) {
      for (bool transposed : {false, true}) { check<TestType>(s, layout, transposed); }
    }
  }
  SUCCEED();
}

TEMPLATE_TEST_CASE("an integer product wraps", "[product]", std::int32_t, std::int64_t) {
  using wide = std::make_unsigned_t<TestType>;
  for (shape s : {shape{0, 3, 2}, shape{3, 4, 0}, shape{1, 1, 1}, shape{5, 67, 300}, shape{17, 130, 33}}) {
    for (how layout : {how::rows, how::columns, how::general}) {
      for (bool transposed : {false, true}) {
        given<TestType> const g(s, layout, transposed);
        std::vector<TestType> expected;
        for (std::size_t i = 0; i < s.m; ++i) {
          for (std::size_t j = 0; j < s.n; ++j) {
            wide sum = 0;
            for (std::size_t k = 0; k < s.k; ++k) { sum += static_cast<wide>(g.at_a(i, k)) * static_cast<wide>(g.at_b(k, j)); }
            expected.push_back(static_cast<TestType>(sum));
          }
        }
        bool once = false;
        CHECK(g.run(false, 1, once) == expected);
        CHECK(once);
        CHECK(g.run_prologue(false, once) == expected);
        CHECK(once);
      }
    }
  }
}

TEMPLATE_TEST_CASE("a product that is taken for small is one whose plan has nothing to prepare", "[product]", float, double) {
  namespace d = simd::product_detail;
  int small = 0;
  for (std::size_t m : sizes) {
    for (std::size_t n : sizes) {
      for (std::size_t k : {0u, 1u, 2u, 7u, 16u, 31u, 64u, 130u, 300u, 1024u, 1025u, 2000u}) {
        for (bool packed : {false, true}) {
          for (bool columns : {false, true}) {
            TestType const b{};
            auto const along = static_cast<simd::index>(columns ? k : n);
            simd::b_operand<TestType> const operand{&b, columns ? 1 : along, columns ? along : 1, packed ? &b : nullptr};
            if (!d::is_small<TestType>(static_cast<simd::index>(m), static_cast<simd::index>(n), static_cast<simd::index>(k), operand))
              continue;
            ++small;
            d::plan<TestType> const p(m, n, k, simd::layout_of(operand, n), false, packed);
            CHECK(p.ready);
            CHECK_FALSE(p.dot);
            CHECK(p.few == (m == 1 && n * k <= 4096));
            CHECK(d::estimated_seconds(p) < 2 * d::shortest_part);
          }
        }
      }
    }
  }
  CHECK(small > 1000);
}

TEST_CASE("an infinite weight gives an infinite output, not a NaN", "[product]") {
  given<float> const g({1, 40, 131}, how::columns, false);
  for (std::size_t k : {std::size_t{0}, std::size_t{120}, std::size_t{127}, std::size_t{128}, std::size_t{130}}) {
    float const before = g.b[7 * 131 + k];
    g.b[7 * 131 + k] = std::numeric_limits<float>::infinity();
    bool once = false;
    CHECK(std::isinf(g.run(false, 1, once)[7]));
    g.b[7 * 131 + k] = before;
  }
}

TEST_CASE("scratch stays small", "[product]") {
  using simd::b_layout;
  static_assert(simd::product_scratch<float>(1, 512, 256, b_layout::columns, false, true) <= 4096);
  for (std::size_t m : {1u, 3u, 4u, 12u, 13u, 1000u, 100000u}) {
    for (std::size_t n : {1u, 4u, 5u, 300u, 100000u}) {
      for (std::size_t k : {1u, 100u, 2000u, 32768u, 100000u}) {
        for (b_layout layout : {b_layout::rows, b_layout::columns, b_layout::general}) {
          for (int flags = 0; flags < 4; ++flags) {
            CHECK(simd::product_scratch<float>(m, n, k, layout, (flags & 1) != 0, (flags & 2) != 0) <= 1024 * 1024);
            CHECK(simd::product_scratch<double>(m, n, k, layout, (flags & 1) != 0, (flags & 2) != 0) <= 1280 * 1024);
          }
        }
      }
    }
  }
}

TEST_CASE("weights are packed only for products that read them", "[product]") {
  CHECK(simd::product_uses_packed<float>(64, 256, 512, simd::b_layout::columns));
  CHECK_FALSE(simd::product_uses_packed<float>(1, 256, 512, simd::b_layout::columns));
  CHECK(simd::product_uses_packed<float>(1, 256, 512, simd::b_layout::rows));
  CHECK(simd::product_uses_packed<float>(1, 16, 16, simd::b_layout::columns));
}
