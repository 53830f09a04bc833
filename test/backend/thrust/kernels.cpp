// SPDX-License-Identifier: Apache-2.0
// What only a GPU would do, on the processor: rows shared by a team of threads, elements taken by fours, and products of which a library
// does the first part.
#include <sinter/backend/thrust/kernels/convolution.hpp>
#include <sinter/backend/thrust/kernels/unfold.hpp>
#include <sinter/thrust.hpp>

#include <barrier>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "../../catch.hpp"

namespace {

using namespace sinter;
namespace gpu = sinter::gpu;
template <class S> using f32 = nd::tensor<float, S>;

// A team of threads of the processor that meet as the lanes of a block do: two by two.
struct threads_team {
  struct board {
    explicit board(int n) : meeting(n), cell(static_cast<std::size_t>(n)) {}
    std::barrier<> meeting;
    std::vector<void const*> cell;
  };
  board* b;
  int at, n;
  std::int64_t lane() const { return at; }
  std::int64_t size() const { return n; }
  template <class V> V meet(V v) const {
    for (int distance = n / 2; distance > 0; distance /= 2) {
      b->cell[static_cast<std::size_t>(at)] = &v;
      b->meeting.arrive_and_wait();
      V const other = *static_cast<V const*>(b->cell[static_cast<std::size_t>(at ^ distance)]);
      b->meeting.arrive_and_wait();
      v = (at & distance) == 0 ? V::both(v, other) : V::both(other, v);
    }
    return v;
  }
};
template <class Body> void run_in_teams(Body const& body, int lanes) {
  threads_team::board board(lanes);
  std::vector<std::thread> threads;
  for (int i = 0; i < lanes; ++i)
    threads.emplace_back([&, i] {
      for (std::int64_t row = 0; row < body.size(); ++row) body(row, threads_team{&board, i, lanes});
    });
  for (auto& t : threads) t.join();
}

// A block of threads for each tile of a product.
struct block_of_threads {
  std::barrier<>* meeting;
  int at;
  std::int64_t lane() const { return at; }
  void meet() const { meeting->arrive_and_wait(); }
};
template <class Kernel> void run_in_tiles(kernel::launch const& l, kernel::pointer const* p) {
  gpu::tiles<Kernel> const body(l, p);
  auto const memory = std::make_unique<typename gpu::tiles<Kernel>::shared>();
  constexpr int lanes = gpu::tiles<Kernel>::lanes;
  std::barrier<> meeting(lanes);
  std::vector<std::thread> threads;
  for (int i = 0; i < lanes; ++i)
    threads.emplace_back([&, i] {
      for (std::int64_t tile = 0; tile < body.size(); ++tile) body(tile, block_of_threads{&meeting, i}, *memory);
    });
  for (auto& t : threads) t.join();
}
struct tiled : gpu::backend {
  static inline int products = 0;
  template <class Kernel> static void start(std::type_identity<Kernel>, kernel::launch const& l, kernel::pointer const* p) {
    gpu::backend::go<Kernel>(l, p);
  }
  template <class T, class Slots, class Steps>
  static void start(std::type_identity<kernel::product<T, Slots, Steps>>, kernel::launch const& l, kernel::pointer const* p) {
    ++products;
    run_in_tiles<kernel::product<T, Slots, Steps>>(l, p);
  }
  template <class T, class Slots, class Steps>
  static void start(std::type_identity<kernel::mapped_product<T, Slots, Steps>>, kernel::launch const& l, kernel::pointer const* p) {
    ++products;
    run_in_tiles<kernel::mapped_product<T, Slots, Steps>>(l, p);
  }
  template <class Kernel> static void go(kernel::launch const& l, kernel::pointer const* p) { start(std::type_identity<Kernel>{}, l, p); }
};

// A block of threads for some rows of a chain; 32 of them are a warp.
struct block_of_warps : block_of_threads {
  std::deque<threads_team::board>* boards;
  threads_team warp() const { return {&(*boards)[static_cast<std::size_t>(at) / 32], at % 32, 32}; }
};
struct chained : gpu::backend {
  static inline int chains = 0;
  template <class... Kernel> static constexpr bool joins = gpu::chain<Kernel...>::possible;
  template <class... Kernel> static bool takes(kernel::launch const* const* l) {
    return gpu::chain<Kernel...>::fits(l, gpu::chain_shape::usual_bytes);
  }
  template <class... Kernel> static void go_joined(kernel::launch const* const* l, kernel::pointer const* const* p) {
    ++chains;
    using body = gpu::chain<Kernel...>;
    body const b(l, p);
    std::vector<std::max_align_t> memory(b.shared_bytes() / sizeof(std::max_align_t) + 1);
    std::memset(memory.data(), 0xff, memory.size() * sizeof memory[0]);  // not a number, as it may be on a device
    std::barrier<> meeting(body::lanes);
    std::deque<threads_team::board> boards;
    for (int i = 0; i < body::lanes / 32; ++i) boards.emplace_back(32);
    std::vector<std::thread> threads;
    for (int i = 0; i < body::lanes; ++i)
      threads.emplace_back([&, i] {
        for (std::int64_t k = 0; k < b.size(); ++k)
          b(k, block_of_warps{{&meeting, i}, &boards}, reinterpret_cast<unsigned char*>(memory.data()));
      });
    for (auto& t : threads) t.join();
  }
};

// What follows a library, `width` elements at once where they are neighbours.
inline int finished_by_fours = 0, finished_by_ones = 0;
template <class Epilogue> void finish(kernel::launch const& l, kernel::pointer const* p, auto const& product) {
  Epilogue const rest(l, p, product.data());
  bool const wide = rest.aligned();
  ++(wide ? finished_by_fours : finished_by_ones);
  for (std::int64_t i = 0; i < rest.size(); i += wide ? Epilogue::width : 1)
    if (wide) gpu::wide<Epilogue>{rest}(i / Epilogue::width);
    else rest(i);
}

// A convolution as a library does it.
template <class T> void convolve(gpu::convolution_shape const& s, T const* x, T const* w, T* y) {
  int const rank = static_cast<int>(s.rank);
  struct place {
    std::int64_t of[gpu::convolution_shape::most]{};
    std::int64_t& operator[](int i) { return of[i]; }
    std::int64_t operator[](int i) const { return of[i]; }
  };
  auto const each_place = [&](gpu::convolution_shape::array const& a, int first, auto visit) {
    place at{};
    std::int64_t n = 1;
    for (int i = first; i < rank; ++i) n *= a.extent[i];
    for (std::int64_t k = 0; k < n; ++k) {
      std::int64_t left = k;
      for (int i = rank; i-- > first; left /= a.extent[i]) at[i] = left % a.extent[i];
      visit(at);
    }
  };
  auto const index = [&](gpu::convolution_shape::array const& a, place const& at) {
    std::int64_t r = 0;
    for (int i = 0; i < rank; ++i) {
      REQUIRE((at[i] >= 0 && at[i] < a.extent[i]));
      r += at[i] * a.stride[i];
    }
    return r;
  };
  std::int64_t const of_group = s.w.extent[0] / s.groups();
  each_place(s.y, 0, [&](place const& to) {
    T sum{};
    each_place(s.w, 1, [&](place from) {
      place read = from;
      bool inside = true;
      for (int i = 2; i < rank; ++i) {
        read[i] = to[i] * s.step[i - 2] + from[i] * s.dilation[i - 2] - s.before[i - 2];
        REQUIRE(read[i] < s.x.extent[i] + s.behind[i - 2]);
        inside = inside && read[i] >= 0 && read[i] < s.x.extent[i];
      }
      if (!inside) return;
      read[0] = to[0];
      read[1] = to[1] / of_group * s.w.extent[1] + from[1];
      from[0] = to[1];
      sum += x[index(s.x, read)] * w[index(s.w, from)];
    });
    y[index(s.y, to)] = sum;
  });
}

template <class Body> struct kept_rows : gpu::kept<Body> {
  std::int64_t size() const { return this->body.size(); }
};

// The backend, with several threads for each row and each item, and four elements at a time; with more than one part several teams share a row.
template <int Lanes, int Parts = 1> struct teams {
  [[maybe_unused]] static inline int by_fours = 0, by_library = 0;
  template <class Slots, class Steps, int Phases>
  static void start(std::type_identity<kernel::rows<Slots, Steps, Phases>>, kernel::launch const& l, kernel::pointer const* p) {
    using body = gpu::body<kernel::rows<Slots, Steps, Phases>>;
    body const b(l, p);
    if constexpr (Parts > 1 && body::can_be_shared) {
      gpu::parts_of_row parts(1, b.count, false);
      parts.each = (b.count + Parts - 1) / Parts;
      parts.n = (b.count + parts.each - 1) / parts.each;
      gpu::row_parts<body> all{b, parts, b.size()};
      std::vector<typename body::partial_results> results(static_cast<std::size_t>(all.size()));
      all.results = results.data();
      run_in_teams(all, Lanes);
      run_in_teams(gpu::row_ends<body>{all}, Lanes);
    } else if (b.is_kept(Lanes)) run_in_teams(kept_rows<body>{b}, Lanes);
    else run_in_teams(b, Lanes);
  }
  template <class Op, class... T>
  static void start(std::type_identity<kernel::opaque<Op, T...>>, kernel::launch const& l, kernel::pointer const* p) {
    run_in_teams(gpu::body<kernel::opaque<Op, T...>>(l, p), Lanes);
  }
  template <class Slots, class Steps>
  static void start(std::type_identity<kernel::pointwise<Slots, Steps>>, kernel::launch const& l, kernel::pointer const* p) {
    using body = gpu::body<kernel::pointwise<Slots, Steps>>;
    body const b(l, p, body::width);
    if (!b.aligned()) return gpu::backend::go<kernel::pointwise<Slots, Steps>>(l, p);
    ++by_fours;
    for (std::int64_t i = 0; i < b.size(); ++i) gpu::wide<body>{b}(i);
  }
  // The library's part by hand, then the rest by the kernel that follows it.
  template <class T, class Slots, class Steps>
  static void start(std::type_identity<kernel::product<T, Slots, Steps>>, kernel::launch const& l, kernel::pointer const* p) {
    using whole = kernel::product<T, Slots, Steps>;
    constexpr gpu::library_part part = gpu::library_of<whole>::part(false);
    if constexpr (part.last >= 0 && part.stored < 0) {
      ++by_library;
      int const m = l.rank - 3;
      std::int64_t rows = 1;
      for (int i = 0; i <= m; ++i) rows *= l.extent[i];
      REQUIRE(l.rank == 3);
      std::int64_t const n = l.extent[m + 1], depth = l.extent[m + 2];
      auto const place = [&](int j, std::int64_t i, std::int64_t c, std::int64_t k) {
        auto const* s = l.stride + j * max_loop;
        return p[j].template get<T>()[i * s[m] + c * s[m + 1] + k * s[m + 2]];
      };
      std::vector<T> product(static_cast<std::size_t>(rows * n));
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t c = 0; c < n; ++c) {
          T sum{};
          for (std::int64_t k = 0; k < depth; ++k)
            sum += element::multiply(place(gpu::library_of<whole>::factor(0), i, c, k), place(gpu::library_of<whole>::factor(1), i, c, k));
          product[static_cast<std::size_t>(i * n + c)] = part.function == library_epilogue::relu ? (sum > 0 ? sum : T{}) : sum;
        }
      finish<gpu::epilogue<whole, part.last>>(l, p, product);
    } else gpu::backend::go<whole>(l, p);
  }
  // The same for a convolution, as its shape says.
  template <class T, class Slots, class Steps>
  static void start(std::type_identity<kernel::mapped_product<T, Slots, Steps>> k, kernel::launch const& l, kernel::pointer const* p) {
    using whole = kernel::mapped_product<T, Slots, Steps>;
    gpu::library_convolution const c = gpu::as_convolution(k, l);
    if (c.part.last < 0) return gpu::backend::go<whole>(l, p);
    ++by_library;
    constexpr gpu::library_part part = gpu::library_of<whole>::part(false);
    std::vector<T> product(static_cast<std::size_t>(c.shape.results()));
    convolve(c.shape, p[c.x].template get<T>(), p[c.w].template get<T>(),
             part.stored >= 0 ? p[part.stored].template get<T>() : product.data());
    if constexpr (part.last >= 0 && part.stored < 0) { finish<gpu::epilogue<whole, part.last>>(l, p, product); }
  }
  template <class Kernel> static void go(kernel::launch const& l, kernel::pointer const* p) { start(std::type_identity<Kernel>{}, l, p); }
  template <class Kernel> static std::size_t packed_bytes(kernel::launch const&) { return 0; }
  template <class Kernel> static void pack(kernel::launch const&, kernel::pointer const*, std::byte*) {}
};

// Convolutions written out for products of matrices by several threads for each row, where there is room for `Rooms` halves of an image.
template <int Rooms> struct unfolded : gpu::backend {
  static inline int written = 0, in_place = 0;
  template <class Kernel> static void start(std::type_identity<Kernel>, kernel::launch const& l, kernel::pointer const* p) {
    gpu::backend::go<Kernel>(l, p);
  }
  template <class T, class Slots, class Steps>
  static void start(std::type_identity<kernel::mapped_product<T, Slots, Steps>> k, kernel::launch const& l, kernel::pointer const* p) {
    using whole = kernel::mapped_product<T, Slots, Steps>;
    gpu::library_convolution const c = gpu::as_convolution(k, l);
    if (c.part.last < 0) return gpu::backend::go<whole>(l, p);
    gpu::unfolding const whole_convolution(c.shape, sizeof(T));
    if (!whole_convolution.possible) return gpu::backend::go<whole>(l, p);
    std::int64_t const of_image = c.shape.groups() * whole_convolution.depth * whole_convolution.results;
    gpu::unfolding const u(c.shape, sizeof(T), static_cast<std::int64_t>(sizeof(T)) * of_image * Rooms / 2);
    ++(u.in_place ? in_place : written);
    constexpr gpu::library_part part = gpu::library_of<whole>::part(false);
    std::vector<T> product(static_cast<std::size_t>(c.shape.results())), columns(static_cast<std::size_t>(u.images * u.by_image));
    T const *const x = p[c.x].template get<T>(), *const w = p[c.w].template get<T>();
    T* const to = part.stored >= 0 ? p[part.stored].template get<T>() : product.data();
    std::int64_t const outputs = u.outputs * c.shape.groups();
    CHECK(u.each_turn([&](std::int64_t first, std::int64_t images, std::int64_t column, std::int64_t count) {
      if (!u.in_place && c.shape.rank == 4) run_in_teams(gpu::unfold<T, 2>(u, x, columns.data(), first, images, column, count), 4);
      else if (!u.in_place) run_in_teams(gpu::unfold<T, 3>(u, x, columns.data(), first, images, column, count), 4);
      T const* const matrices = u.in_place ? x + first * u.by_image : columns.data();
      for (std::int64_t i = 0; i < images * outputs * count; ++i) {
        std::int64_t const image = i / count / outputs, output = i / count % outputs, result = i % count;
        T sum{};
        for (std::int64_t d = 0; d < u.depth; ++d)
          sum += w[output * u.depth + d] * matrices[image * u.by_image + (output / u.outputs * u.depth + d) * u.by_row + result];
        to[(first + image) * c.shape.y.stride[0] + output * c.shape.y.stride[1] + column + result] = sum;
      }
      return true;
    }));
    if constexpr (part.last >= 0 && part.stored < 0) { finish<gpu::epilogue<whole, part.last>>(l, p, product); }
  }
  template <class Kernel> static void go(kernel::launch const& l, kernel::pointer const* p) { start(std::type_identity<Kernel>{}, l, p); }
};

template <class T> T filled() {
  T t;
  for (int i = 0; i < t.size(); ++i) t[i] = static_cast<typename T::value_type>((i * 37 % 23) - 11) / 8;
  return t;
}
// Sums of multiples of 1/64 are exact in any order, so the bits are those of the reference.
template <class Backend, class Net, class... X> void check(Net const& net, X const&... x) {
  auto const want = net.template hybridize<reference::backend>()(x...), got = net.template hybridize<Backend>()(x...);
  REQUIRE(got.shape() == want.shape());
  for (int i = 0; i < got.size(); ++i) {
    INFO("element " << i);
    CHECK(got[i] == want[i]);
  }
}

// A chain adds up in another order than the reference.
template <class T, class S> void check_near(nd::tensor<T, S> const& got, nd::tensor<T, S> const& want) {
  REQUIRE(got.shape() == want.shape());
  auto const a = got.to_vector(), b = want.to_vector();
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("element " << i);
    CHECK(std::abs(a[i] - b[i]) <= T(1e-5) * (std::abs(b[i]) + 1));
  }
}
template <class Net, class... X> void check_chain(Net const& net, X const&... x) {
  chained::chains = 0;
  check_near(net.template hybridize<chained>()(x...), net.template hybridize<reference::backend>()(x...));
  CHECK(chained::chains == 1);
}
template <auto... D> f32<shape<D...>> random_array(std::uint64_t seed, dims const& extents) {
  f32<shape<D...>> t(extents);
  std::mt19937 g(static_cast<unsigned>(seed));
  for (int i = 0; i < t.size(); ++i) t[i] = std::uniform_real_distribution<float>(-2, 2)(g);
  return t;
}

}  // namespace

TEMPLATE_TEST_CASE("a team gives what one thread gives", "", teams<1>, teams<4>, teams<8>, (teams<4, 3>)) {
  auto const x = filled<f32<shape<5, 19>>>();
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return F.sum(v, axis<1>); }}, x);
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return F.argmax(v, axis<1>); }}, x);
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return F.argmax(v * 0); }}, x);
  check<TestType>(
      nn::hybrid_lambda{[](auto F, auto v) { return v - F.max(v, axis<0>, keepdims) * F.mean(F.square(v), axis<0>, keepdims); }}, x);
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return F.sort(v); }}, x);
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return F.take(v, F.cast(F.max(v, axis<1>), as<int>)); }}, x);
  // Rows as long as are kept, and longer ones; several loops; results in the place of an operand, and in two phases.
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return v - F.max(v, axis<1>, keepdims); }}, filled<f32<shape<3, 128>>>());
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return v - F.max(v, axis<1>, keepdims); }}, filled<f32<shape<3, 129>>>());
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return v - F.max(v, axis<1>, keepdims); }}, filled<f32<shape<3, 64>>>());
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return v - F.max(v, axis<1>, keepdims); }}, filled<f32<shape<3, 65>>>());
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return F.max(F.slice(v, begin<0, 0, 1>, step<1, 2, 2>), axes<1, 2>); }},
                  filled<f32<shape<2, 6, 7>>>());
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v, auto w) {
                    auto const s = F.cumsum(v, axis<1>) * w;
                    auto const m = s - F.max(s, axis<1>, keepdims);
                    return m * w - F.min(m, axis<1>, keepdims) + s;
                  }},
                  x, filled<f32<shape<5, 19>>>());
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v, auto w) { return (v - F.max(v, axis<1>, keepdims)) * w; }}, x,
                  filled<f32<shape<5, 19>>>());  // read in a later phase alone
  // Several loops, along the outer of which an operand moves that stays along the inner one.
  auto const cube = filled<f32<shape<3, 5, 7>>>();
  auto const stretched = filled<f32<shape<3, 5, 1>>>();
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v, auto w) { return F.sum(v * w, axes<1, 2>); }}, cube, stretched);
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v, auto w) { return F.sum(v * w, axes<0, 2>); }}, cube, stretched);
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v, auto w) { return F.argmax(F.reshape(v * w, into<3, 35>), axis<1>); }}, cube,
                  stretched);
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v, auto w) { return (v - F.max(v, axes<1, 2>, keepdims)) * w; }}, cube,
                  filled<f32<shape<5, 1>>>());
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v, auto w) {
                    auto const s = v + w;
                    return s - F.max(s, axes<1, 2>, keepdims);
                  }},
                  cube, stretched);
  // Zeros of both signs: all threads of a row agree on one.
  f32<shape<2, 64>> of_both_signs;
  for (int i = 0; i < 128; ++i) of_both_signs[i] = i % 3 == 1 ? -0.0f : 0.0f;
  auto const inverted =
      nn::hybrid_lambda{[](auto F, auto v) { return v + 1 / F.max(v, axis<1>, keepdims); }}.template hybridize<TestType>()(of_both_signs);
  for (int i = 0; i < 128; ++i) CHECK(inverted[i] == inverted[i / 64 * 64]);
  f32<shape<2, 7>> odd;
  for (int i = 0; i < 14; ++i) odd[i] = i == 9 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i % 3);
  check<TestType>(nn::hybrid_lambda{[](auto F, auto v) { return F.argmax(v, axis<1>); }}, odd);
}

TEST_CASE("elements by fours, and the rest of a line one by one") {
  teams<1>::by_fours = 0;
  auto const net = nn::hybrid_lambda{[](auto F, auto a, auto b) { return F.maximum(a * b, a + 2) - b; }};
  check<teams<1>>(net, filled<f32<shape<64>>>(), filled<f32<shape<64>>>());
  check<teams<1>>(net, filled<f32<shape<67>>>(), filled<f32<shape<67>>>());
  check<teams<1>>(net, filled<f32<shape<6, 8>>>(), filled<f32<shape<8>>>());
  check<teams<1>>(net, filled<f32<shape<6, 8>>>(), filled<f32<shape<6, 1>>>());
  CHECK(teams<1>::by_fours == 4);
  check<teams<1>>(net, filled<f32<shape<6, 7>>>(), filled<f32<shape<7>>>());
  CHECK(teams<1>::by_fours == 4);
}

TEST_CASE("what a library leaves of a product follows it") {
  teams<1>::by_library = 0;
  auto const x = filled<f32<shape<6, 5>>>();
  auto const y = filled<f32<shape<6, 7>>>();
  auto const w = filled<f32<shape<5, 7>>>();
  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto a, auto b, auto c) { return F.tanh(F.matmul(a, b) + c); }}, x, w, y);
  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto a, auto b, auto c) { return c * F.relu(F.matmul(a, b)); }}, x, w, y);
  CHECK(teams<1>::by_library == 2);

  // By fours: operands that are side by side, the same along a line, in another order, and not where 16 bytes begin.
  finished_by_fours = finished_by_ones = 0;
  auto const v = filled<f32<shape<5, 8>>>();
  auto const behind = nn::hybrid_lambda{[](auto F, auto a, auto b, auto c) { return c * F.relu(F.matmul(a, b)) - c; }};
  check<teams<1>>(behind, x, v, filled<f32<shape<6, 8>>>());
  check<teams<1>>(behind, x, v, filled<f32<shape<8>>>());
  check<teams<1>>(behind, x, v, filled<f32<shape<6, 1>>>());
  check<teams<1>>(behind, x, v, filled<f32<shape<1>>>());
  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto a, auto b, auto c) { return F.transpose(c) * F.matmul(a, b); }}, x, v,
                  filled<f32<shape<8, 6>>>());
  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto a, auto b, auto c) { return F.slice(c, begin<0, 1>, end<6, 9>) * F.matmul(a, b); }}, x,
                  v, filled<f32<shape<6, 10>>>());
  check<teams<1>>(behind, filled<nd::tensor<double, shape<6, 5>>>(), filled<nd::tensor<double, shape<5, 2>>>(),
                  filled<nd::tensor<double, shape<6, 2>>>());
  CHECK(finished_by_fours == 7);
  CHECK(finished_by_ones == 0);
  // Lines of odd length that go on from one into the next, and those that do not.
  check<teams<1>>(behind, filled<f32<shape<4, 5>>>(), w, filled<f32<shape<4, 7>>>());
  check<teams<1>>(behind, filled<f32<shape<4, 5>>>(), w, filled<f32<shape<1>>>());
  CHECK(finished_by_fours == 9);
  check<teams<1>>(behind, filled<f32<shape<4, 5>>>(), w, filled<f32<shape<7>>>());
  check<teams<1>>(behind, x, w, y);
  CHECK(finished_by_fours == 9);
  CHECK(finished_by_ones == 2);
}

TEST_CASE("what a library leaves of a convolution follows it") {
  auto const images = filled<f32<shape<2, 4, 9, 8>>>();
  auto const w = filled<f32<shape<6, 4, 3, 2>>>();
  auto const bias = filled<f32<shape<6>>>();
  teams<1>::by_library = 0;
  auto const plain = [](auto... keywords) {
    return nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.convolution(x, v, decltype(keywords){}...); }};
  };
  check<teams<1>>(plain(), images, w);
  check<teams<1>>(plain(pad<1>), images, w);
  check<teams<1>>(plain(pad<2, 1>, dilate<2>), images, w);
  check<teams<1>>(plain(stride<2>, pad<1>), images, w);
  check<teams<1>>(plain(stride<3, 2>, dilate<1, 3>), images, w);
  check<teams<1>>(plain(pad<1>, groups<2>), images, filled<f32<shape<6, 2, 3, 2>>>());
  check<teams<1>>(plain(pad<1>, groups<4>), images, filled<f32<shape<4, 1, 3, 3>>>());
  check<teams<1>>(plain(groups<4>), images, filled<f32<shape<8, 1, 1, 1>>>());
  check<teams<1>>(plain(), images, filled<f32<shape<5, 4, 1, 1>>>());
  check<teams<1>>(plain(stride<2>), images, filled<f32<shape<5, 4, 1, 1>>>());
  check<teams<1>>(plain(), images, filled<f32<shape<5, 4, 9, 8>>>());
  check<teams<1>>(plain(pad<1>), filled<f32<shape<1, 1, 5, 5>>>(), filled<f32<shape<1, 1, 3, 3>>>());
  check<teams<1>>(plain(stride<2>, pad<1>), filled<f32<shape<2, 3, 11>>>(), filled<f32<shape<4, 3, 3>>>());
  check<teams<1>>(plain(pad<1, 0, 1>), filled<f32<shape<2, 3, 4, 5, 6>>>(), filled<f32<shape<2, 3, 3, 2, 3>>>());
  CHECK(teams<1>::by_library == 14);

  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto x, auto v, auto b) { return F.relu(F.convolution(x, v, b, pad<1>)); }}, images, w,
                  bias);
  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.convolution(x, v, pad<1>) + F.slice(x, begin<0, 0, 0, 0>) * 2; }},
                  images, filled<f32<shape<4, 4, 3, 3>>>());
  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.convolution(F.transpose(x, axes<0, 3, 1, 2>), v, pad<1>); }},
                  filled<f32<shape<2, 9, 8, 4>>>(), w);
  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.transpose(F.convolution(x, v), axes<0, 2, 3, 1>); }}, images, w);
  // Results that lie in a part of another.
  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.concat(F.convolution(x, v), F.convolution(x * 2, v), axis<1>); }},
                  images, w);
  CHECK(teams<1>::by_library >= 19);
  int const taken = teams<1>::by_library;
  // What a library does not do: a step before the product, weights in another order, zeros beyond the kernel, whole numbers.
  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.convolution(F.relu(x), v); }}, images, w);
  check<teams<1>>(nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.convolution(x, F.transpose(v, axes<3, 2, 0, 1>)); }}, images,
                  filled<f32<shape<3, 2, 4, 6>>>());
  check<teams<1>>(plain(pad<4>), images, w);
  check<teams<1>>(plain(pad<1>), filled<nd::tensor<std::int32_t, shape<1, 4, 5, 5>>>(),
                  filled<nd::tensor<std::int32_t, shape<2, 4, 3, 3>>>());
  CHECK(teams<1>::by_library == taken);
}

TEMPLATE_TEST_CASE("a convolution as products of matrices", "", unfolded<5>, unfolded<1>) {
  auto const images = filled<f32<shape<3, 4, 9, 8>>>();
  auto const plain = [](auto... keywords) {
    return nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.convolution(x, v, decltype(keywords){}...); }};
  };
  TestType::written = TestType::in_place = 0;
  auto const w = filled<f32<shape<6, 4, 3, 2>>>();
  check<TestType>(plain(), images, w);
  check<TestType>(plain(pad<2, 1>, dilate<2>), images, w);
  check<TestType>(plain(stride<3, 2>, dilate<1, 3>), images, w);
  check<TestType>(plain(pad<1>, groups<2>), images, filled<f32<shape<6, 2, 3, 2>>>());
  check<TestType>(plain(stride<2>), images, filled<f32<shape<5, 4, 1, 1>>>());
  check<TestType>(plain(pad<0, 1>), images, filled<f32<shape<5, 4, 1, 3>>>());
  check<TestType>(plain(stride<2>, pad<1>), filled<f32<shape<3, 3, 11>>>(), filled<f32<shape<4, 3, 3>>>());
  check<TestType>(plain(pad<1, 0, 1>), filled<f32<shape<3, 3, 4, 5, 6>>>(), filled<f32<shape<2, 3, 3, 2, 3>>>());
  check<TestType>(nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.convolution(F.transpose(x, axes<0, 3, 1, 2>), v, pad<1>); }},
                  filled<f32<shape<3, 9, 8, 4>>>(), w);
  check<TestType>(nn::hybrid_lambda{[](auto F, auto x, auto v, auto b) { return F.relu(F.convolution(x, v, b, pad<1>)); }}, images, w,
                  filled<f32<shape<6>>>());
  check<TestType>(nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.concat(F.convolution(x, v), F.convolution(x * 2, v), axis<1>); }},
                  images, w);
  check<TestType>(plain(), filled<nd::tensor<double, shape<3, 4, 9, 8>>>(), filled<nd::tensor<double, shape<6, 4, 3, 2>>>());
  CHECK(TestType::written == 12);
  CHECK(TestType::in_place == 0);
  // The image itself, of all channels or of groups, or of a part of a larger one.
  check<TestType>(plain(), images, filled<f32<shape<5, 4, 1, 1>>>());
  check<TestType>(plain(groups<2>), images, filled<f32<shape<6, 2, 1, 1>>>());
  check<TestType>(nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.convolution(F.slice(x, begin<0, 1>, end<3, 4>), v); }}, images,
                  filled<f32<shape<5, 3, 1, 1>>>());
  CHECK(TestType::written == 12);
  CHECK(TestType::in_place == 3);
  // Lines with gaps between them are written out; results with gaps are left to the kernel.
  check<TestType>(nn::hybrid_lambda{[](auto F, auto x, auto v) { return F.convolution(F.slice(x, begin<0, 0, 0, 1>), v); }}, images,
                  filled<f32<shape<5, 4, 1, 1>>>());
  CHECK(TestType::written == 13);
  check<TestType>(
      nn::hybrid_lambda{[](auto F, auto x, auto v, auto u) { return F.concat(F.convolution(x, v), F.convolution(x, u), axis<3>); }}, images,
      w, filled<f32<shape<6, 4, 3, 3>>>());
  CHECK(TestType::written + TestType::in_place == 16);
}
TEST_CASE("how much of a convolution is written out at once") {
  gpu::convolution_shape s;
  s.x = {{32, 64, 56, 56}, {64 * 56 * 56, 56 * 56, 56, 1}};
  s.w = {{64, 64, 3, 3}, {64 * 9, 9, 3, 1}};
  s.y = s.x;
  for (int i = 0; i < 2; ++i) s.step[i] = s.dilation[i] = s.before[i] = s.behind[i] = 1;
  gpu::unfolding const u(s, 4);
  CHECK(u.is_worth_it());
  CHECK((u.images == 4 && u.columns == 56 * 56));
  s.x = {{2, 64, 512, 512}, {64 * 512 * 512, 512 * 512, 512, 1}};
  s.y = s.x;
  gpu::unfolding const large(s, 4);
  CHECK((large.images == 1 && large.columns == 14560));
  CHECK(large.images * large.by_image * 4 <= gpu::unfolding::room);
  // No more matrices than the library multiplies at once, and no place that an int does not hold.
  s.x = {{70000, 8, 4, 4}, {128, 16, 4, 1}};
  s.w = {{16, 8, 1, 1}, {8, 1, 1, 1}};
  s.y = {{70000, 16, 4, 4}, {256, 16, 4, 1}};
  for (int i = 0; i < 2; ++i) s.before[i] = s.behind[i] = 0;
  gpu::unfolding const many(s, 4);
  CHECK((many.in_place && many.images == gpu::most_matrices));
  s.x.extent[2] = std::int64_t{1} << 31;
  CHECK_FALSE(gpu::unfolding(s, 4).possible);
}

TEST_CASE("products in tiles") {
  tiled::products = 0;
  auto const product = nn::hybrid_lambda{[](auto F, auto a, auto b) { return F.matmul(a, b); }};
  check<tiled>(product, filled<f32<shape<70, 37>>>(), filled<f32<shape<37, 129>>>());
  check<tiled>(product, filled<f32<shape<64, 16>>>(), filled<f32<shape<16, 64>>>());
  check<tiled>(product, filled<f32<shape<2, 3, 5, 7>>>(), filled<f32<shape<2, 3, 7, 66>>>());
  check<tiled>(product, filled<f32<shape<1, 200>>>(), filled<f32<shape<200, 1>>>());
  check<tiled>(product, filled<nd::tensor<double, shape<3, 20>>>(), filled<nd::tensor<double, shape<20, 70>>>());
  check<tiled>(product, filled<nd::tensor<std::int32_t, shape<66, 20>>>(), filled<nd::tensor<std::int32_t, shape<20, 3>>>());
  check<tiled>(nn::hybrid_lambda{[](auto F, auto a, auto b) { return F.matmul(F.transpose(a), F.transpose(b)); }},
               filled<f32<shape<37, 70>>>(), filled<f32<shape<30, 37>>>());
  // Steps before either factor, and behind the product.
  check<tiled>(nn::hybrid_lambda{[](auto F, auto a, auto b, auto c) { return F.relu(F.matmul(a * 0.5 + 1, b) + c) * 2; }},
               filled<f32<shape<20, 19>>>(), filled<f32<shape<19, 40>>>(), filled<f32<shape<40>>>());
  check<tiled>(nn::hybrid_lambda{[](auto F, auto a, auto b, auto c) { return F.matmul(F.abs(a), F.where(b > c, b, c)); }},
               filled<f32<shape<20, 19>>>(), filled<f32<shape<19, 40>>>(), filled<f32<shape<40>>>());
  CHECK(tiled::products >= 9);
  auto const images = filled<f32<shape<2, 4, 9, 8>>>();
  int const before = tiled::products;
  check<tiled>(nn::hybrid_lambda{[](auto F, auto x, auto w) { return F.convolution(x, w, pad<2, 1>, stride<2, 1>, dilate<1, 2>); }}, images,
               filled<f32<shape<70, 4, 3, 2>>>());
  check<tiled>(nn::hybrid_lambda{[](auto F, auto x, auto w) { return F.convolution(F.relu(x) + 1, w, pad<1>, groups<2>); }}, images,
               filled<f32<shape<6, 2, 3, 3>>>());
  check<tiled>(nn::hybrid_lambda{[](auto F, auto x, auto w, auto b) { return F.tanh(F.convolution(x, w, b)); }}, images,
               filled<f32<shape<5, 4, 1, 1>>>(), filled<f32<shape<5>>>());
  CHECK(tiled::products == before + 3);
}

// What a kernel computes beside its product, from other operands, before it or behind it: by single threads, tiles, a library and a chain.
TEST_CASE("what stands beside a product is computed, too") {
  auto const a = filled<f32<shape<20, 19>>>();
  auto const b = filled<f32<shape<19, 40>>>();
  auto const c = filled<f32<shape<20, 40>>>();
  auto const everywhere = [](auto const& net, auto const&... x) {
    check<gpu::backend>(net, x...);
    check<tiled>(net, x...);
    check<teams<1>>(net, x...);
  };
  everywhere(nn::hybrid_lambda{[](auto F, auto x, auto y, auto z) { return F.where(z > 0, F.matmul(x, y), -9); }}, a, b, c);
  everywhere(nn::hybrid_lambda{[](auto F, auto x, auto y, auto z) { return F.abs(z) + F.matmul(x, y); }}, a, b, c);
  everywhere(nn::hybrid_lambda{[](auto F, auto x, auto y, auto z) { return F.square(z) * F.relu(F.matmul(x * 2, y)) - F.abs(z); }}, a, b,
             c);
  everywhere(nn::hybrid_lambda{[](auto F, auto x, auto w, auto z) { return F.abs(z) * F.convolution(x, w, pad<1>); }},
             filled<f32<shape<2, 4, 9, 8>>>(), filled<f32<shape<6, 4, 3, 3>>>(), filled<f32<shape<2, 6, 9, 8>>>());
  auto const left = random_array<dim<"rows">, 9>(1, {45, 9});
  auto const others = random_array<dim<"columns">, 9>(2, {51, 9});
  check_chain(nn::hybrid_lambda{[](auto F, auto x, auto y, auto z, auto w) {
                auto const s = F.softmax(F.where(z > 0, F.matmul(x, F.transpose(y)), -9));
                return F.square(w) * F.matmul(s, y);
              }},
              left, others, random_array<dim<"rows">, dim<"columns">>(3, {45, 51}), random_array<dim<"rows">, 9>(4, {45, 9}));
  // Two results, of which the library computes one.
  auto const both = nn::hybrid_lambda{[](auto F, auto x, auto y, auto z) {
    auto const one = F.square(z);
    return std::tuple{one, one + F.matmul(x, y)};
  }};
  auto const [squared, total] = both.hybridize<teams<1>>()(a, b, c);
  auto const [want_squared, want_total] = both.hybridize<reference::backend>()(a, b, c);
  check_near(squared, want_squared);
  check_near(total, want_total);
}

TEST_CASE("attention in blocks of rows, by several warps") {
  auto const attend = [](auto... keywords) {
    return nn::hybrid_lambda{[](auto F, auto... x) { return F.scaled_dot_product_attention(x..., decltype(keywords){}...); }};
  };
  auto const of = [](std::int64_t rows, std::uint64_t seed) { return random_array<2, dim<"queries">, 12>(seed, {2, rows, 12}); };
  auto const keys = [](std::int64_t rows, std::uint64_t seed) { return random_array<2, dim<"keys">, 12>(seed, {2, rows, 12}); };
  for (std::int64_t n : {1, 33, 70}) check_chain(attend(num_heads<2>), of(n, 1), keys(n + 1, 2), keys(n + 1, 3));
  check_chain(attend(num_heads<3>), of(40, 1), keys(600, 2), keys(600, 3));
  check_chain(attend(num_heads<2>, is_causal), of(37, 1), of(37, 2), of(37, 3));
  check_chain(attend(num_heads<2>), of(37, 1), keys(50, 2), keys(50, 3), random_array<dim<"queries">, dim<"keys">>(4, {37, 50}) > -1.0f);
  using more_precise = nd::tensor<double, shape<1, 420, 9>>;
  check_chain(attend(), filled<nd::tensor<double, shape<1, 80, 9>>>(), filled<more_precise>(), filled<more_precise>());
}

TEST_CASE("kernels that could run together keep what lies between them apart where they run one by one") {
  auto const net = nn::hybrid_lambda{[](auto F, auto x, auto y) {
    auto const p = F.softmax(F.matmul(x, F.transpose(y)));
    auto const v = F.matmul(F.softmax(F.matmul(y, F.transpose(x))), x);  // begins and ends before p is read
    return F.matmul(p, v);
  }};
  auto const x = random_array<dim<"rows">, 4>(1, {40, 4});
  auto const y = random_array<dim<"columns">, 4>(2, {33, 4});
  check_near(net.hybridize<reference::backend>()(x, y), net(x, y));
  check_near(net.hybridize<gpu::backend>()(x, y), net(x, y));
  chained::chains = 0;
  check_near(net.hybridize<chained>()(x, y), net(x, y));
  CHECK(chained::chains == 2);
}

TEST_CASE("what runs as attention does: other factors, rows and results") {
  auto const a = random_array<2, dim<"rows">, 70>(1, {2, 45, 70});
  auto const b = random_array<2, dim<"columns">, 70>(2, {2, 51, 70});
  auto const across = random_array<2, 70, dim<"columns">>(2, {2, 70, 51});
  auto const weights = random_array<2, 130, dim<"columns">>(3, {2, 130, 51});
  // Both factors across, a step before and behind each product, results of more columns than a warp has, written transposed.
  check_chain(nn::hybrid_lambda{[](auto F, auto x, auto y, auto w) {
                auto const s = F.abs(F.matmul(F.relu(x), y) + 1);
                auto const p = s / F.sum(s, axis<2>, keepdims) - F.max(s, axis<2>, keepdims) / 64;
                return F.transpose(F.relu(F.matmul(p, F.transpose(w, axes<0, 2, 1>)) * 2), axes<0, 2, 1>);
              }},
              a, across, weights);
  // More columns than there is room for, and none.
  auto const by_scores = nn::hybrid_lambda{[](auto F, auto x, auto y) { return F.matmul(F.softmax(F.matmul(x, F.transpose(y))), y); }};
  auto const few = random_array<dim<"rows">, 4>(4, {3, 4});
  for (std::int64_t n : {1700, 0}) {
    chained::chains = 0;
    auto const many = random_array<dim<"columns">, 4>(5, {n, 4});
    check_near(by_scores.hybridize<chained>()(few, many), by_scores.hybridize<reference::backend>()(few, many));
    CHECK(chained::chains == 0);
  }
  // A value that is kept lies where a later phase still reads what it was made of: three kernels.
  chained::chains = 0;
  auto const kept = nn::hybrid_lambda{[](auto F, auto x, auto y) {
    auto const s = F.matmul(x, F.transpose(y, axes<0, 2, 1>));
    auto const e = F.exp(s - F.max(s, axis<2>, keepdims));
    return F.matmul(e / F.sum(e, axis<2>, keepdims) + s, y);
  }};
  check_near(kept.hybridize<chained>()(a, b), kept.hybridize<reference::backend>()(a, b));
  CHECK(chained::chains == 0);
}
