// SPDX-License-Identifier: Apache-2.0
// Every kind of kernel against the reference, through whole plans: all sizes around a vector's, poisoned results, guarded ends.
#include <sinter/backend/xsimd/backend.hpp>
#include <sinter/gradient.hpp>
#include <sinter/run/constant.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "../../catch.hpp"
#include "../../sanitized.hpp"

using namespace sinter;

namespace {

constexpr std::size_t guard = SINTER_SANITIZED ? 0 : 256;  // a sanitizer watches the ends itself
constexpr unsigned char poison = 0xff;

// `size` bytes, poisoned; says whether somebody wrote behind them.
struct bytes {
  std::size_t size;
  std::byte* p;
  explicit bytes(std::size_t n) : size(n), p(static_cast<std::byte*>(::operator new(n + guard, std::align_val_t{64}))) {
    std::memset(p, poison, n + guard);
  }
  bytes(bytes const&) = delete;
  bytes(bytes&& o) noexcept : size(o.size), p(std::exchange(o.p, nullptr)) {}
  ~bytes() { ::operator delete(p, std::align_val_t{64}); }
  bool whole() const {
    for (std::size_t i = 0; i < guard; ++i)
      if (p[size + i] != std::byte{poison}) return false;
    return true;
  }
};

enum class data { plain, special, rare };
std::mt19937_64 random_bits(7);

template <class T> T some(data d) {
  auto const b = random_bits();
  if constexpr (std::is_same_v<T, bool>) return (b >> 9) % 2 != 0;
  else if constexpr (std::is_integral_v<T>) return static_cast<T>((b >> 9) % 19) - T(9);
  else {
    constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    constexpr T odd[] = {inf, -inf, nan, T(0), -T(0), T(1), T(1), -T(1)};
    if (d == data::special && b % 16 == 0) return odd[(b >> 5) % 8];
    if (d == data::rare && b % 600 == 0) return inf;
    return static_cast<T>(static_cast<double>((b >> 9) % 4001) / 1000.0 - 2.0);
  }
}

template <class T> bool same(std::byte const* a, std::byte const* b, double tolerance) {
  T x{}, y{};
  std::memcpy(&x, a, sizeof(T));
  std::memcpy(&y, b, sizeof(T));
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x || y != y) return x != x && y != y;
    if (tolerance == 0 || std::isinf(x) || std::isinf(y)) return std::memcmp(&x, &y, sizeof(T)) == 0;
    return std::abs(static_cast<double>(x) - static_cast<double>(y)) <= tolerance * (1 + std::abs(static_cast<double>(y)));
  } else {
    return x == y;
  }
}

// Runs a network at these values of its dynamic dimensions with both backends.
template <class Source> void check(std::initializer_list<std::int64_t> sizes, double tolerance = 0, data kind = data::plain,
                                   bool pack = false) {
  using P = program<Source>;
  binding b;
  std::copy(sizes.begin(), sizes.end(), b.value);
  for (int i = 0; i < P::plan.dimensions.size(); ++i)
    if (dimension const& d = P::plan.dimensions[i]; d.from == dimension::origin::product) b.value[i] = b(d.value);
  geometry<P> g;
  P::compute_numbers(g, b);
  std::vector<bytes> in, out, judge;
  kernel::pointer in_p[8]{}, out_p[8]{};
  std::byte *in_b[8]{}, *out_b[8]{};
  int inputs = 0;
  for (buffer_info const& f : P::plan.buffers)
    if (f.where == storage::input && f.index >= inputs) inputs = f.index + 1;
  for (int i = 0; i < inputs; ++i)
    for (buffer_info const& f : P::plan.buffers) {
      if (f.where != storage::input || f.index != i) continue;
      auto const n = static_cast<std::size_t>(b(f.elements));
      in.emplace_back(n * static_cast<std::size_t>(bytes_of(f.type)));
      with_type(f.type, [&]<class T>(T*) {
        for (std::size_t k = 0; k < n; ++k) {
          T const x = some<T>(kind);
          std::memcpy(in.back().p + k * sizeof(T), &x, sizeof(T));
        }
        in_p[i] = reinterpret_cast<T*>(in.back().p);
      });
      in_b[i] = in.back().p;
    }
  std::int64_t count[8]{};
  for (int i = 0; i < P::plan.results.size(); ++i) {
    array_type const& t = P::plan.results[i];
    count[i] = 1;
    for (int d = 0; d < t.shape.rank; ++d) count[i] *= extent_in(P::plan.dimensions, b, t.shape.d[d]);
    auto const n = static_cast<std::size_t>(count[i] * bytes_of(t.type));
    out.emplace_back(n);
    judge.emplace_back(n);
    out_b[i] = out.back().p;
    with_type(t.type, [&]<class T>(T*) { out_p[i] = reinterpret_cast<T*>(judge.back().p); });
  }
  executor::run_constant<P, reference::backend>({in_p, out_p}, b);
  bytes arena(static_cast<std::size_t>(g.arena_bytes));
  std::vector<bytes> packed;
  std::byte const* packed_p[16]{};
  if (pack) {
    connect(g, P::plan);
    [&]<int... G>(std::integer_sequence<int, G...>) {
      auto const one = [&]<int I>(std::integral_constant<int, I>) {
        using K = typename P::template kernel_at<I>;
        std::size_t const n = simd::backend::packed_bytes<K>(g.launches[I]);
        if (n == 0) return;
        kernel::pointer p[8]{};
        group const& q = P::plan.groups[I];
        for (int j = 0; j < q.operands.n; ++j) {
          operand const& o = P::plan.operands[q.operands.at + j];
          if (P::plan.buffers[o.buffer].where == storage::input)
            p[j] = advance(in_p[P::plan.buffers[o.buffer].index], o.type, g.offset[q.operands.at + j]);
        }
        packed.emplace_back(n);
        simd::backend::pack<K>(g.launches[I], p, packed.back().p);
        packed_p[I] = packed.back().p;
      };
      (one(std::integral_constant<int, G>{}), ...);
    }(std::make_integer_sequence<int, P::sizes.groups>{});
  }
  executor::instance<P, simd::backend>(g).run({in_b, out_b, &b, nullptr, packed_p, arena.p});
  for (int i = 0; i < P::plan.results.size(); ++i) {
    auto const u = static_cast<std::size_t>(i);
    CHECK(out[u].whole());
    std::int64_t wrong = 0, first = -1;
    with_type(P::plan.results[i].type, [&]<class T>(T*) {
      for (std::int64_t k = 0; k < count[i]; ++k) {
        auto const at = static_cast<std::size_t>(k) * sizeof(T);
        if (!same<T>(out[u].p + at, judge[u].p + at, tolerance)) {
          ++wrong;
          if (first < 0) first = k;
        }
      }
    });
    INFO("output " << i << " first " << first << " sizes " << b.value[0] << ' ' << b.value[1] << ' ' << b.value[2]);
    CHECK(wrong == 0);
  }
  CHECK(arena.whole());
}

struct writer {
  graph g;
  constexpr int in(dtype t, std::initializer_list<extent> shape) {
    node k;
    k.op = &input_op;
    k.type.type = t;
    for (extent e : shape) k.type.shape.push(g.dimensions.declare(e, g.inputs, k.type.shape.rank));
    k.index = g.inputs++;
    return g.append(k);
  }
  template <class Op, class... I> constexpr int call(I... i) { return ops::make<Op>(g, i...); }
  template <class Op, class... I> constexpr int with(ops::attributes_of<Op> const& a, I... i) { return ops::make<Op>(g, a, i...); }
  template <class... I> constexpr plan give(I... outputs) {
    (g.outputs.push(outputs), ...);
    return make_plan(g);
  }
};
constexpr dtype f32 = dtype::float32, f64 = dtype::float64, i32 = dtype::int32, i64 = dtype::int64, b8 = dtype::boolean;
constexpr extent N = detail::pack_name("n"), M = detail::pack_name("m"), K = detail::pack_name("k");
constexpr ops::reduction_attributes over(std::int64_t axes, bool keep = false) { return {axes, keep}; }

// ---- elementwise

template <dtype T> struct chain {  // several results, a scalar, a row that is stretched; exact operations only
  static constexpr plan make() {
    writer w;
    int const x = w.in(T, {M, N}), y = w.in(T, {M, N}), row = w.in(T, {N}), column = w.in(T, {M, 1});
    int const a = w.call<ops::multiply>(w.call<ops::add>(x, row), w.g.scalar(T, 3));
    int const b = w.call<ops::relu>(w.call<ops::subtract>(a, y));
    int const c = w.call<ops::maximum>(w.call<ops::negative>(b), w.call<ops::minimum>(column, w.call<ops::abs>(y)));
    int const d = w.call<ops::clip>(w.call<ops::square>(c), w.g.scalar(T, 1), w.g.scalar(T, 5));
    return w.give(a, d, w.call<ops::add>(w.call<ops::multiply>(d, x), c));
  }
};
struct mixed {  // bool, and casts between all widths
  static constexpr plan make() {
    writer w;
    int const x = w.in(f32, {M, N}), y = w.in(f64, {M, N}), i = w.in(i32, {N}), l = w.in(i64, {M, N}), t = w.in(b8, {M, N});
    auto const to = [&](int v, dtype d) { return w.with<ops::cast>({d}, v); };
    int const less = w.call<ops::lesser>(x, to(y, f32)), same = w.call<ops::equal>(to(i, i64), l);
    int const mask =
        w.call<ops::logical_or>(w.call<ops::logical_and>(less, t), w.call<ops::logical_xor>(same, w.call<ops::logical_not>(t)));
    int const chosen = w.call<ops::where>(mask, x, to(l, f32));
    int const wide = w.call<ops::add>(w.call<ops::multiply>(to(chosen, f64), y), to(mask, f64));
    int const whole = w.call<ops::where>(w.call<ops::greater_equal>(y, to(x, f64)), to(i, i64), l);
    return w.give(mask, chosen, wide, whole, to(whole, i32), to(l, b8));
  }
};
template <dtype T> struct all_reals {
  static constexpr plan make() {
    writer w;
    int const x = w.in(T, {N}), y = w.in(T, {N});
    int const p = w.call<ops::add>(w.call<ops::abs>(x), w.g.scalar(T, 0.5));
    int s = w.call<ops::power>(p, y);
    for (int v : {w.call<ops::exp>(x), w.call<ops::log>(p), w.call<ops::log1p>(p), w.call<ops::tanh>(x), w.call<ops::erf>(x),
                  w.call<ops::sigmoid>(x), w.call<ops::softrelu>(x), w.call<ops::gelu>(x), w.call<ops::gelu_tanh>(x), w.call<ops::rsqrt>(p),
                  w.call<ops::sqrt>(p)})
      s = w.call<ops::add>(s, v);
    return w.give(s, w.call<ops::divide>(x, p), w.call<ops::not_equal>(x, y), w.call<ops::greater>(x, y), w.call<ops::lesser_equal>(x, y));
  }
};
struct views {  // transposed and stepped operands; a result that is written anew
  static constexpr plan make() {
    writer w;
    int const x = w.in(f32, {M, N}), y = w.in(f32, {N, M});
    return w.give(w.call<ops::add>(w.with<ops::transpose>({{1, 0}}, x), y),
                  w.call<ops::multiply>(w.with<ops::transpose>({{1, 0}}, x), w.g.scalar(f32, 2)));
  }
};
struct stepped {
  static constexpr plan make() {
    writer w;
    int const x = w.in(f32, {7, 41}), y = w.in(i64, {7, 41});
    constexpr std::int64_t o = open;
    ops::slice::attributes const back{{o, o}, {o, o}, {-1, -2}}, part{{1, 3}, {o, 37}, {2, 3}};
    return w.give(w.call<ops::relu>(w.with<ops::slice>(back, x)), w.call<ops::negative>(w.with<ops::slice>(part, y)));
  }
};

// ---- rows

template <dtype T, int Axes> struct reduce_all {
  static constexpr plan make() {
    writer w;
    int const x = w.in(T, {M, K, N});
    int const y = w.call<ops::multiply>(x, w.g.scalar(T, 3));
    if constexpr (T == f32 || T == f64)
      return w.give(w.with<ops::sum>(over(Axes), y), w.with<ops::mean>(over(Axes), x), w.with<ops::max>(over(Axes), y),
                    w.with<ops::argmax>(over(Axes), y));
    else return w.give(w.with<ops::sum>(over(Axes), y), w.with<ops::max>(over(Axes), x), w.with<ops::argmax>(over(Axes), y));
  }
};
template <class Op, dtype T, int Axis> struct row_op {
  static constexpr plan make() {
    writer w;
    int const x = w.in(T, {M, K, N});
    return w.give(w.with<Op>({Axis}, x));
  }
};
template <int Axis> struct row_norm {
  static constexpr plan make() {
    writer w;
    extent const e = Axis == 2 ? N : Axis == 1 ? K : M;
    int const x = w.in(f32, {M, K, N}), gamma = w.in(f32, {e}), beta = w.in(f32, {e});
    return w.give(w.call<ops::add>(w.with<ops::layer_norm>({Axis, 1e-5}, x, gamma, beta), x));
  }
};
struct row_values {  // what is computed once a row is stored, and used in the next phase with a transposed operand
  static constexpr plan make() {
    writer w;
    int const x = w.in(f32, {M, N}), y = w.in(f32, {N, M});
    int const s = w.with<ops::sum>(over(2, true), w.call<ops::add>(x, w.with<ops::transpose>({{1, 0}}, y)));
    int const t = w.call<ops::tanh>(w.call<ops::multiply>(s, w.g.scalar(f32, 0.25)));
    int const z = w.call<ops::multiply>(w.call<ops::exp>(x), t);
    return w.give(s, t, z, w.with<ops::max>(over(2, false), z));
  }
};

// ---- products

template <dtype T, bool TransposeA, bool TransposeB> struct dense {  // prologue, bias, relu, residual, two results
  static constexpr plan make() {
    writer w;
    int const x = TransposeA ? w.in(T, {K, M}) : w.in(T, {M, K}), y = TransposeB ? w.in(T, {N, K}) : w.in(T, {K, N}), bias = w.in(T, {N}),
              more = w.in(T, {M, N}), column = w.in(T, {M, 1});
    int const first = TransposeA ? x : w.call<ops::add>(w.call<ops::relu>(x), w.g.scalar(T, 1));
    int const p = w.with<ops::product>({TransposeA, TransposeB}, first, y);
    int const a = w.call<ops::add>(p, bias);
    return w.give(a, w.call<ops::add>(w.call<ops::relu>(a), w.call<ops::multiply>(more, column)), w.call<ops::greater>(a, more));
  }
};
template <dtype T> struct batches {  // (2, m, 3, k) x (3, k, n), (m, 5, k) x (k, n), (m, 1, k) x (k, n)
  static constexpr plan make() {
    writer w;
    int const x = w.in(T, {2, M, 3, K}), y = w.in(T, {M, K, N}), z = w.in(T, {K, N}), u = w.in(T, {M, 5, K}), v = w.in(T, {M, 1, K}),
              r = w.in(T, {M, 1, N});
    return w.give(w.with<ops::product>({false, false}, x, y), w.with<ops::product>({false, false}, u, z),
                  w.call<ops::add>(w.with<ops::product>({false, false}, v, z), r), w.with<ops::product>({false, true}, v, u));
  }
};

// ---- products with maps

// Of M images, with what stands before and after: an addition of what follows both channels and rows.
template <dtype T, int Channels, int Outputs, int Width, int Kernel> struct convolved {
  static constexpr plan make() {
    writer w;
    int const x = w.in(T, {M, Channels, 6, Width}), k = w.in(T, {Outputs, Channels, 3, Kernel}), b = w.in(T, {Outputs});
    int const y = w.with<ops::convolution>({1, {1, 2, 1}, {1, 2, 1}, {1, 2, 1}}, w.call<ops::relu>(x), k, b);
    return w.give(w.call<ops::relu>(y), y);
  }
};
template <dtype T> struct depthwise {
  static constexpr plan make() {
    writer w;
    int const x = w.in(T, {M, 12, 9, 37}), k = w.in(T, {12, 1, 3, 3}), column = w.in(T, {5, 1});
    int const y = w.with<ops::convolution>({12, {2, 1, 1}, {1, 1, 1}, {1, 1, 1}}, x, k);
    return w.give(w.call<ops::multiply>(y, column));
  }
};
template <dtype T, int Window, int Step> struct image_lines {  // those that kernels/lines.hpp sums
  static constexpr plan make() {
    writer w;
    int const x = w.in(T, {M, 3, 21, Step == 1 ? 48 : 53}), k = w.in(T, {6, 1, Window, Window});
    return w.give(w.call<ops::relu>(w.with<ops::convolution>({3, {Step, Step, 1}, {2, 1, 1}, {1, 1, 1}}, x, k)));
  }
};
// Gradients of a convolution's weights, whose depth runs along lines of M images (kernels/along.hpp).
template <dtype T, int Channels, int Outputs, int Width, int Kernel, bool Computed = false> struct of_weights {
  static constexpr plan make() {
    writer w;
    int const x = w.in(T, {M, Channels, 9, Width}), k = w.in(T, {Outputs, Channels, 3, Kernel}), d = w.in(T, {M, Outputs, 9, Width});
    int const y = w.with<ops::convolution>({1, {1, 1, 1}, {1, Kernel / 2, 1}, {1, 1, 1}}, Computed ? w.call<ops::abs>(x) : x, k);
    int const of[]{w.with<ops::sum>(over(15), w.call<ops::multiply>(y, d)), k};
    inferred why;
    int const gradients = w.g.apply(ops::info<ops::gradient>, {of, 2}, pack(ops::gradient::attributes{1}), why);
    return w.give(w.call<ops::add>(w.g.result(gradients, 0), k));
  }
};
// Of its input: the weights lie apart, and all M images have them in common.
template <dtype T, int Channels, int Outputs, int Size, int Kernel> struct of_images {
  static constexpr plan make() {
    writer w;
    int const x = w.in(T, {M, Channels, Size, Size}), k = w.in(T, {Outputs, Channels, Kernel, Kernel}),
              d = w.in(T, {M, Outputs, Size, Size});
    int const y = w.with<ops::convolution>({1, {1, 1, 1}, {Kernel / 2, Kernel / 2, 1}, {1, 1, 1}}, x, k);
    int const of[]{w.with<ops::sum>(over(15), w.call<ops::multiply>(y, d)), x};
    inferred why;
    int const gradients = w.g.apply(ops::info<ops::gradient>, {of, 2}, pack(ops::gradient::attributes{1}), why);
    return w.give(w.call<ops::add>(w.g.result(gradients, 0), x));
  }
};
// Scores of M places with N others in K images, four heads; then with a result whose heads stand last.
template <dtype T> struct scores {
  static constexpr plan make() {
    using map = ops::product_map;
    writer w;
    int const q = w.in(T, {K, M, 20}), k = w.in(T, {K, N, 20});
    map last, side_by_side;
    for (map* m : {&last, &side_by_side}) {
      m->add(map::loop{0, 0, 0});
      if (m == &side_by_side) m->add(map::loop{2, 2, 1, 4});
      m->add(map::loop{-1, 1, m == &last ? 1 : 2});
      m->add(map::loop{1, -1, m == &last ? 2 : 3});
      if (m == &last) m->add(map::loop{2, 2, 3, 4});
      m->add(map::loop{2, 2, -1, 5});
    }
    return w.give(w.with<ops::mapped_product>(side_by_side, w.call<ops::abs>(k), q), w.with<ops::mapped_product>(last, k, q));
  }
};

// Rows of two loops, whose axes have the other order in the result.
template <dtype T> struct turned_rows {
  static constexpr plan make() {
    using map = ops::product_map;
    writer w;
    int const x = w.in(T, {N, 20}), y = w.in(T, {K, M, 20});
    map m;
    m.add(map::loop{-1, 0, 1});
    m.add(map::loop{-1, 1, 0});
    m.add(map::loop{0, -1, 2});
    m.add(map::loop{1, 2, -1});
    return w.give(w.call<ops::relu>(w.with<ops::mapped_product>(m, x, y)));
  }
};

// ---- many loops, none of which can be merged with its neighbour: the operands stretch in turn

struct loops {
  static constexpr plan make() {
    writer w;
    int const x = w.in(f32, {3, 4, 5, 7, N}), y = w.in(f32, {3, 1, 5, 1, N}), z = w.in(f32, {1, 4, 1, 7, N});
    return w.give(w.call<ops::subtract>(w.call<ops::multiply>(x, y), z));
  }
};
template <int Axes> struct loops_of_rows {
  static constexpr plan make() {
    writer w;
    int const x = w.in(f32, {3, 4, 5, 7, N}), y = w.in(f32, {3, 1, 5, 1, N}), z = w.in(f32, {1, 4, 1, 7, N});
    return w.give(w.with<ops::max>(over(Axes), w.call<ops::subtract>(w.call<ops::multiply>(x, y), z)));
  }
};
struct loops_of_products {
  static constexpr plan make() {
    writer w;
    int const x = w.in(f32, {3, 1, 5, N, 48}), y = w.in(f32, {3, 4, 1, 48, N}), r = w.in(f32, {1, 4, 5, 1, N});
    return w.give(w.call<ops::add>(w.with<ops::product>({false, false}, x, y), r));
  }
};

// However many cores there are.
struct with_threads {
  unsigned before = simd::threads();
  explicit with_threads(unsigned n) { simd::set_threads(n); }
  with_threads(with_threads const&) = delete;
  ~with_threads() { simd::set_threads(before); }
};

constexpr std::int64_t some_sizes[] = {0, 1, 3, 7, 16, 17, 33, 64, 100};

}  // namespace

TEST_CASE("elementwise steps give the reference's bits") {
  for (std::int64_t m : {0, 1, 3, 7})
    for (std::int64_t n : some_sizes)
      for (data d : {data::plain, data::special}) {
        check<chain<f32>>({m, n}, 0, d);
        check<chain<f64>>({m, n}, 0, d);
        check<chain<i32>>({m, n}, 0, d);
        check<chain<i64>>({m, n}, 0, d);
        if (d == data::plain) check<mixed>({m, n});
        check<views>({m, n}, 0, d);
      }
  check<stepped>({}, 0, data::special);
}
TEST_CASE("functions agree with the reference") {
  for (std::int64_t n : some_sizes) {
    check<all_reals<f32>>({n}, 1e-5);
    check<all_reals<f64>>({n}, 1e-13);
  }
}
TEMPLATE_TEST_CASE_SIG("reductions over any axes", "", ((int Axes), Axes), 1, 2, 4, 5, 6, 7) {
  for (std::int64_t m : {0, 1, 3, 17})
    for (std::int64_t k : {0, 1, 5})
      for (std::int64_t n : some_sizes)
        for (data d : {data::plain, data::special}) {
          check<reduce_all<f32, Axes>>({m, k, n}, 2e-4, d);
          if constexpr (Axes == 1 || Axes == 5) check<reduce_all<i64, Axes>>({m, k, n}, 0, d);
          if constexpr (Axes == 4 || Axes == 1) check<reduce_all<f64, Axes>>({m, k, n}, 1e-13, d);
          if constexpr (Axes == 4 || Axes == 2) check<reduce_all<i32, Axes>>({m, k, n}, 0, d);
        }
}
TEST_CASE("a cursor that begins anywhere stands where one that was stepped there stands") {
  constexpr int operands = 3;
  for (int first : {0, 1, 2})
    for (int last = first; last <= 5; ++last) {
      std::int64_t stride[operands * max_loop]{};
      kernel::launch l;
      l.rank = 6;
      l.stride = stride;
      for (int d = 0; d < l.rank; ++d) {
        l.extent[d] = d == 3 ? 1 : 2 + d % 3;
        for (int j = 0; j < operands; ++j) stride[j * max_loop + d] = (j * 31 + d * 17 + 3) % 23 - 11;
      }
      std::int64_t const n = simd::kernels::turns(l, first, last);
      simd::kernels::cursor<operands> stepped;
      for (std::int64_t turn = 0; turn < n; ++turn) {
        simd::kernels::cursor<operands> c;
        c.seek(l, first, last, turn);
        INFO("turn " << turn << " of loops " << first << " to " << last);
        CHECK(std::equal(c.at, c.at + operands, stepped.at));
        CHECK(c.next(l, first, last) == stepped.next(l, first, last));
        CHECK(std::equal(c.at, c.at + operands, stepped.at));
        CHECK(std::equal(c.i, c.i + l.rank, stepped.i));
      }
    }
}
TEST_CASE("parts that begin in the middle of many loops") {
  for (unsigned threads : {2u, 5u}) {
    with_threads const some(threads);
    CAPTURE(threads);
    check<loops>({301});
    check<loops_of_rows<16>>({301});      // along the rows
    check<loops_of_rows<16 + 4>>({301});  // in two loops
    check<loops_of_rows<4>>({301});       // across them
    check<loops_of_rows<1>>({301});
    check<loops_of_products>({48}, 1e-4);
  }
}
TEST_CASE("large elementwise operations are shared out") {
  with_threads const some(2);
  check<chain<f32>>({300, 4001});
  check<chain<f32>>({1, 1000003});
}
TEST_CASE("large reductions are shared out") {
  with_threads const some(2);
  constexpr std::int64_t m = SINTER_SANITIZED ? 100 : 300;
  check<reduce_all<f32, 4>>({m, 5, 2001}, 1e-3);
  check<reduce_all<f32, 1>>({m, 5, 2001}, 1e-3);
  check<row_op<ops::softmax, f32, 2>>({m, 5, 2001}, 1e-5);
}
TEST_CASE("softmax and layer norm along any axis") {
  for (std::int64_t m : {0, 1, 3, 17})
    for (std::int64_t k : {1, 5})
      for (std::int64_t n : some_sizes) {
        for (data d : {data::plain, data::special}) {
          check<row_op<ops::softmax, f32, 2>>({m, k, n}, 1e-5, d);
          check<row_op<ops::softmax, f32, 1>>({m, k, n}, 1e-5, d);
          check<row_op<ops::softmax, f64, 0>>({m, k, n}, 1e-13, d);
        }
        check<row_op<ops::log_softmax, f32, 2>>({m, k, n}, 1e-5);
        check<row_op<ops::log_softmax, f64, 1>>({m, k, n}, 1e-13);
        if (n > 1) check<row_norm<2>>({m, k, n}, 1e-3);
        if (k > 1) check<row_norm<1>>({m, k, n}, 1e-3);
        if (m > 1) check<row_norm<0>>({m, k, n}, 1e-3);
        check<row_values>({m, n}, 1e-3);
      }
}
TEST_CASE("rows of special values, of any length") {
  for (std::int64_t n = 1; n <= 70; ++n) {
    check<reduce_all<f32, 4>>({29, 1, n}, 2e-4, data::special);
    check<reduce_all<f64, 4>>({29, 1, n}, 1e-13, data::special);
    check<row_op<ops::softmax, f32, 2>>({29, 1, n}, 1e-5, data::special);
    check<row_op<ops::log_softmax, f32, 2>>({29, 1, n}, 1e-5, data::special);
    check<row_norm<2>>({29, 1, n}, 1e-3, data::special);
  }
}
TEST_CASE("products with what stands before and after") {
  for (std::int64_t m : {0, 1, 3, 13, 40})
    for (std::int64_t k : {0, 1, 17, 100})
      for (std::int64_t n : some_sizes)
        for (bool pack : {false, true}) {
          check<dense<f32, false, false>>({m, k, n}, 1e-4, data::plain, pack);
          check<dense<f32, false, true>>({m, k, n}, 1e-4, data::plain, pack);
          check<dense<f32, true, true>>({k, m, n}, 1e-4, data::plain, pack);
          check<dense<f64, false, true>>({m, k, n}, 1e-12, data::plain, pack);
          check<dense<f64, true, false>>({k, m, n}, 1e-12, data::plain, pack);
          if (pack) check<dense<i32, false, true>>({m, k, n});
          if (pack) check<dense<i64, true, false>>({k, m, n});
        }
}
TEST_CASE("convolutions with what stands before and after") {
  for (std::int64_t m : {0, 1, 3})
    for (unsigned threads : {1u, 3u}) {
      if (SINTER_SANITIZED && threads == 1) continue;
      with_threads const some(threads);
      check<convolved<f32, 3, 5, 19, 3>>({m}, 1e-4);
      check<convolved<f32, 1, 1, 40, 2>>({m}, 1e-4);
      check<convolved<f32, 40, 17, 33, 3>>({m}, 1e-4);
      check<convolved<f64, 3, 14, 19, 4>>({m}, 1e-12);
      check<convolved<i32, 3, 5, 19, 3>>({m});
      check<depthwise<f32>>({m}, 1e-4);
      check<depthwise<f64>>({m}, 1e-12);
      check<depthwise<i64>>({m});
      check<image_lines<f32, 3, 2>>({m}, 1e-4);
      check<image_lines<f32, 5, 1>>({m}, 1e-4);
      check<image_lines<f64, 3, 1>>({m}, 1e-12);
      check<image_lines<f64, 5, 2>>({m}, 1e-12);
    }
  check<convolved<f32, 3, 5, 19, 3>>({2}, 1e-4, data::special);
  check<image_lines<f32, 3, 2>>({2}, 1e-4, data::special);
  // Several blocks of depth, and of rows.
  check<convolved<f32, 120, 230, 17, 3>>({2}, 1e-3);
  check<convolved<f64, 120, 20, 17, 3>>({1}, 1e-11);
}
TEST_CASE("gradients of a convolution's weights") {
  for (std::int64_t m : {0, 1, 3, 40})
    for (unsigned threads : {1u, 3u}) {
      with_threads const some(threads);
      check<of_weights<f32, 3, 5, 16, 3>>({m}, 1e-3);
      check<of_weights<f32, 1, 1, 21, 5>>({m}, 1e-3);
      check<of_weights<f32, 6, 16, 10, 5, true>>({m}, 1e-3);
      check<of_weights<f64, 2, 9, 7, 3>>({m}, 1e-11);
      check<of_weights<f64, 4, 3, 40, 1, true>>({m}, 1e-11);
    }
  for (int i = 0; i < 20; ++i) check<of_weights<f32, 3, 5, 16, 3>>({2}, 1e-4, data::rare);
  check<of_weights<f32, 3, 5, 16, 3>>({2}, 1e-4, data::special);
  check<of_weights<f32, 6, 16, 10, 5, true>>({3}, 1e-4, data::special);
}
TEST_CASE("gradients of a convolution's input") {
  for (std::int64_t m : {1, 3})
    for (bool pack : {false, true}) {
      check<of_images<f32, 6, 16, 10, 5>>({m}, 1e-3, data::plain, pack);
      check<of_images<f32, 16, 8, 7, 3>>({m}, 1e-3, data::plain, pack);
      check<of_images<f32, 16, 4, 2, 3>>({m}, 1e-3, data::plain, pack);
      check<of_images<f32, 31, 4, 3, 1>>({m}, 1e-3, data::plain, pack);
      check<of_images<f64, 16, 3, 3, 3>>({m}, 1e-11, data::plain, pack);
    }
}
TEST_CASE("products with maps of several kinds") {
  for (std::int64_t m : {0, 1, 7, 40})
    for (std::int64_t n : {1, 17, 64})
      for (std::int64_t k : {0, 1, 3}) {
        check<scores<f32>>({k, m, n}, 1e-4);
        check<scores<f64>>({k, m, n}, 1e-12);
        check<scores<i32>>({k, m, n});
        check<turned_rows<f32>>({k, m, n}, 1e-4);
      }
}
TEST_CASE("batches of products") {
  for (std::int64_t m : {0, 1, 3, 7})
    for (std::int64_t k : {0, 1, 17, 64})
      for (std::int64_t n : some_sizes)
        for (bool pack : {false, true}) {
          check<batches<f32>>({m, k, n}, 1e-4, data::plain, pack);
          check<batches<f64>>({m, k, n}, 1e-12, data::plain, pack);
          if (pack) check<batches<i32>>({m, k, n});
        }
}
