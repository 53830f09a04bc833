// SPDX-License-Identifier: Apache-2.0
// How near matrix products come to this core: FMA peak for the large ones, read bandwidth for a single row. Probes and products
// run interleaved in one process; medians over blocks.
#include <sinter/backend/xsimd/product.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {

namespace simd = sinter::simd;
using simd::index;
using batch = xsimd::batch<float>;
constexpr std::size_t lanes = batch::size;

struct buffer {
  explicit buffer(std::size_t n) : size(n), data(static_cast<float*>(std::aligned_alloc(64, (n * sizeof(float) / 64 + 2) * 64))) {
    for (std::size_t i = 0; i < n; ++i) { data.get()[i] = static_cast<float>((i * 2654435761u) % 1009) / 504.5f - 1.0f; }
  }
  struct release {
    void operator()(float* p) const { std::free(p); }
  };
  std::size_t size;
  std::unique_ptr<float, release> data;
  [[nodiscard]] float* get() const { return data.get(); }
};

template <class V>
SINTER_INLINE void keep(V& v) {
#if defined(__AVX512F__)
  __asm__ volatile("" : "+v"(v));
#elif defined(__x86_64__)
  __asm__ volatile("" : "+x"(v));
#else
  __asm__ volatile("" : "+w"(v));
#endif
}

// 12 chains, pinned so that nothing folds; floating point operations.
SINTER_NOINLINE double fma_probe() {
  constexpr int rounds = 2000;
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    batch acc[] = {(static_cast<void>(I), batch(0.5f))...};
    batch x(0.999f);
    batch y(0.001f);
    keep(x.data);
    keep(y.data);
    for (int r = 0; r < rounds; ++r) { ((acc[I] = simd::product_detail::fused(acc[I], x, y), keep(acc[I].data)), ...); }
  }(std::make_index_sequence<12>{});
  return 2.0 * 12 * rounds * static_cast<double>(lanes);
}

SINTER_NOINLINE void read_probe(float const* p, std::size_t n) {
  for (std::size_t i = 0; i + 8 * lanes <= n; i += 8 * lanes) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      batch v[] = {batch::load_aligned(p + i + I * lanes)...};
      (keep(v[I].data), ...);
    }(std::make_index_sequence<8>{});
  }
}

using work = std::function<void()>;

struct timing {
  double best, median;
};

// One block is a few ten microseconds of each work in turn.
std::vector<timing> measure(std::vector<work> const& works) {
  using clock = std::chrono::steady_clock;
  auto const seconds = [](work const& w, int n) {
    auto const t = clock::now();
    for (int i = 0; i < n; ++i) { w(); }
    return std::chrono::duration<double>(clock::now() - t).count();
  };
  std::vector<int> repeats;
  for (auto const& w : works) {
    int n = 1;
    while (seconds(w, n) < 1e-4 && n < 1 << 20) { n *= 2; }
    repeats.push_back(n);
  }
  constexpr int blocks = 61;
  std::vector<std::vector<double>> all(works.size());
  for (int b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < works.size(); ++i) { all[i].push_back(seconds(works[i], repeats[i]) / repeats[i]); }
  }
  std::vector<timing> result;
  for (auto& t : all) {
    std::sort(t.begin(), t.end());
    result.push_back({t.front(), t[t.size() / 2]});
  }
  return result;
}

struct layer {
  std::size_t m, n, k;
  bool columns; // weights[N][K]
  bool packed;
  int threads;
  buffer a, b, p, c, scratch;
  simd::b_operand<float> op;

  layer(std::size_t rows, std::size_t width, std::size_t depth, bool by_columns, bool with_packed, int n_threads = 1)
      : m(rows),
        n(width),
        k(depth),
        columns(by_columns),
        packed(with_packed),
        threads(n_threads),
        a(m * k),
        b(n * k),
        p(simd::packed_size<float>(n, k)),
        c(m * n),
        scratch(static_cast<std::size_t>(n_threads) * 2 * 1024 * 1024 / sizeof(float)),
        op{} {
    auto const wide = static_cast<index>(n);
    auto const deep = static_cast<index>(k);
    op = columns ? simd::b_operand<float>{b.get(), 1, deep} : simd::b_operand<float>{b.get(), wide, 1};
    if (packed) {
      simd::pack(b.get(), op.k_stride, op.n_stride, n, k, p.get());
      op.packed = p.get();
    }
  }

  void operator()() const {
    float* const out = c.get();
    std::size_t const width = n;
    simd::product<float>(
        m, n, k, simd::a_operand<float>{a.get(), static_cast<index>(k), 1}, op,
        [out, width](std::size_t i, std::size_t j, batch v, std::size_t count) {
          v = v + batch(0.25f);
          if (count == lanes) {
            v.store_unaligned(out + i * width + j);
          } else {
            alignas(64) float t[lanes];
            v.store_aligned(t);
            std::copy_n(t, count, out + i * width + j);
          }
        },
        scratch.get(), threads);
  }

  [[nodiscard]] double error() const {
    (*this)();
    double worst = 0;
    for (std::size_t i = 0; i < m; i += 1 + m / 9) {
      for (std::size_t j = 0; j < n; j += 1 + n / 13) {
        double sum = 0;
        double size = 0;
        for (std::size_t q = 0; q < k; ++q) {
          double const t = double{a.get()[i * k + q]} * double{columns ? b.get()[j * k + q] : b.get()[q * n + j]};
          sum += t;
          size += std::abs(t);
        }
        worst = std::max(worst, std::abs(sum + 0.25 - double{c.get()[i * n + j]}) / (size + 1e-30));
      }
    }
    return worst;
  }
};

void row(layer const& l) {
  std::vector<work> const works{[&] { l(); }, [] { fma_probe(); }, [&] { read_probe(l.b.get(), l.n * l.k); }};
  auto const t = measure(works);
  double const flops = 2.0 * static_cast<double>(l.m * l.n * l.k);
  double const peak = 2.0 * 12 * 2000 * static_cast<double>(lanes) / t[1].median;
  std::printf("%4zu x %4zu x %4zu %-7s %-6s %d thr | %9.3f us | %7.1f GFLOP/s | fma %5.3f (best %5.3f)", l.m, l.n, l.k,
              l.columns ? "[N][K]" : "[K][N]", l.packed ? "packed" : "raw", l.threads, t[0].median * 1e6, flops / t[0].median * 1e-9,
              flops / t[0].median / peak, flops / t[0].best / (peak * t[1].median / t[1].best));
  if (l.m <= 4) { std::printf(" | time / read probe %5.2f (best %5.2f)", t[0].median / t[2].median, t[0].best / t[2].best); }
  std::printf(" | err %.1e\n", l.error());
}

void mlp(bool columns, bool packed, int threads) {
  layer const l1(1, 256, 512, columns, packed, threads);
  layer const l2(1, 128, 256, columns, packed, threads);
  layer const l3(1, 2, 128, columns, packed, threads);
  auto const t = measure({[&] { l1(), l2(), l3(); },
                          [&] {
                            read_probe(l1.b.get(), 256 * 512);
                            read_probe(l2.b.get(), 128 * 256);
                            read_probe(l3.b.get(), 2 * 128);
                          }});
  std::printf("mlp 512-256-128-2, 1 row, %s %s, %d thr: %.3f us, time / read probe %.2f (best %.2f)\n", columns ? "[N][K]" : "[K][N]",
              packed ? "packed" : "raw", threads, t[0].median * 1e6, t[0].median / t[1].median, t[0].best / t[1].best);
}

} // namespace

int main(int argc, char** argv) {
  std::string const only = argc > 1 ? argv[1] : "";
  std::printf("%zu floats in a vector\n", lanes);
  if (only.empty() || only == "gemv") {
    for (bool packed : {false, true}) {
      row({1, 256, 512, true, packed});
      row({1, 256, 512, false, packed});
      row({1, 128, 256, true, packed});
      row({1, 128, 256, false, packed});
      row({1, 16, 16, true, packed});
      mlp(true, packed, 1);
      mlp(false, packed, 1);
    }
    row({4, 256, 512, true, true});
  }
  if (only.empty() || only == "cube") {
    for (std::size_t n : std::initializer_list<std::size_t>{16, 32, 48, 64, 96, 128, 256, 512}) { row({n, n, n, false, true}); }
    for (std::size_t m : std::initializer_list<std::size_t>{8, 16, 64, 256}) { row({m, 256, 512, true, true}); }
  }
  if (only.empty() || only == "raw") {
    for (std::size_t n : std::initializer_list<std::size_t>{32, 64, 128, 256, 512}) {
      row({n, n, n, false, false});
      row({n, n, n, true, false});
    }
    for (std::size_t m : std::initializer_list<std::size_t>{8, 64, 256}) {
      row({m, 256, 512, true, false});
      row({m, 256, 512, false, false});
    }
  }
  if (only.empty() || only == "threads") {
    for (int threads : {1, 2}) {
      row({1, 256, 512, true, true, threads});
      row({8, 256, 512, true, true, threads});
      row({64, 64, 64, false, true, threads});
      row({128, 128, 128, false, true, threads});
      row({256, 256, 512, true, true, threads});
      row({512, 512, 512, false, false, threads});
      mlp(true, true, threads);
    }
  }
  return 0;
}
