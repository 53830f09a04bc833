// SPDX-License-Identifier: Apache-2.0
// Runs kernels on the device, one launch each.
#pragma once
#include "algorithms.hpp"
#include "kernels/chain.hpp"
#include "kernels/mapped.hpp"
#include "kernels/opaque.hpp"
#include "kernels/pointwise.hpp"
#include "kernels/product.hpp"
#include "kernels/rows.hpp"
#include "kernels/scatter.hpp"
#include "kernels/tiles.hpp"
#include "kernels/unfold.hpp"
#include "launcher.hpp"
#if SINTER_GPU_CUDNN
#include "cuda/convolution.hpp"
#endif
#if SINTER_GPU_CUDA
#include "cuda/matmul.hpp"
#include "cuda/replay.hpp"
#endif

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

template <class Kernel> struct product_type {};
template <class T, class Slots, class Steps> struct product_type<product<T, Slots, Steps>> {
  using type = T;
};
template <class T, class Slots, class Steps> struct product_type<mapped_product<T, Slots, Steps>> {
  using type = T;
};

// `width` elements at each index, as one instruction loads them.
template <class Body> struct wide {
  Body body;
  SINTER_HD void operator()(std::int64_t i) const { body.template run<Body::width>(i); }
};
// Rows that their threads keep.
template <class Body> struct kept {
  Body body;
  template <class Team> SINTER_HD void operator()(std::int64_t row, Team team) const { body.run_kept(row, team); }
};
// Parts of rows, and then what follows from all parts of a row.
template <class Rows> struct row_parts {
  Rows rows;
  parts_of_row parts;
  std::int64_t n = 0;  // rows
  typename Rows::partial_results* results = nullptr;
  std::int64_t size() const { return n * parts.n; }
  template <class Team> SINTER_HD void operator()(std::int64_t i, Team team) const {
    std::int64_t const from = i / n * parts.each, to = from + parts.each;
    rows.run_part(i % n, from, to < rows.count ? to : rows.count, results[i], team);
  }
  SINTER_HD void operator()(std::int64_t i) const { (*this)(i, alone{}); }
};
template <class Rows> struct row_ends {
  row_parts<Rows> all;
  std::int64_t size() const { return all.n; }
  template <class Team> SINTER_HD void operator()(std::int64_t row, Team team) const {
    all.rows.finish_row(row, all.results + row, all.parts.n, all.n, team);
  }
  SINTER_HD void operator()(std::int64_t row) const { (*this)(row, alone{}); }
};
template <class Slots, class Steps> void start(std::type_identity<pointwise<Slots, Steps>>, launch const& l, pointer const* p) {
  using body_type = body<pointwise<Slots, Steps>>;
  if constexpr (!SINTER_GPU_CUDA) {
    body_type const b(l, p, 512);  // a thread of the processor takes more at once
    for_each(b, b.size());
  } else if (body_type const b(l, p, body_type::width); body_type::width > 1 && b.aligned()) for_each(wide<body_type>{b}, b.size());
  else {
    body_type const one(l, p, 1);
    for_each(one, one.size());
  }
}
template <class Slots, class Steps, int Phases>
void start(std::type_identity<rows<Slots, Steps, Phases>>, launch const& l, pointer const* p) {
  using body_type = body<rows<Slots, Steps, Phases>>;
  body_type const b(l, p);
  if constexpr (body_type::can_be_shared) {
    if (parts_of_row const parts = body_type::parts_of(l); parts.n > 1) {
      using results = typename body_type::partial_results;
      row_parts<body_type> all{b, parts, b.size()};
      void* const memory =
          current().workspace<scratch_memory>().at_least(static_cast<std::size_t>(all.size()) * sizeof(results), current().handle);
      all.results = static_cast<results*>(memory);
      for_each_team(all, all.size(), body_type::lies_across(l) ? 1 : 256);
      row_ends<body_type> const ends{all};
      return for_each_team(ends, ends.size(), parts.n < 64 ? 32 : 256);
    }
  }
#if SINTER_GPU_CUDA
  if (body_type::lies_across(l) || b.count < 8) return for_each_team(b, b.size(), 1);
  // As few as keep a row, and more where few rows would leave most of the device idle.
  int lanes = 8;
  bool const many = b.size() >= 1 << 13;
  while (lanes < block_size && (lanes * body_type::at_once < b.count || (!many && 2 * lanes <= b.count))) lanes *= 2;
  if (b.is_kept(lanes)) return for_each_team(kept<body_type>{b}, b.size(), lanes);
  for_each_team(b, b.size(), lanes);
#else
  for_each_team(b, b.size(), 1);
#endif
}
#if SINTER_GPU_CUDA
// Where a library leaves its part: in the operand, or for steps that follow it.
template <class T> void* library_result(library_part const& part, pointer const* p, std::int64_t elements) {
  if (part.stored >= 0) return p[part.stored].template get<T>();
  return current().workspace<scratch_memory>().at_least(static_cast<std::size_t>(elements) * sizeof(T), current().handle);
}
template <int Last, class Kernel> void finish(launch const& l, pointer const* p, void const* product) {
  using T = typename product_type<Kernel>::type;
  using body_type = epilogue<Kernel, Last>;
  body_type const rest(l, p, static_cast<T const*>(product));
  if (rest.aligned()) for_each(wide<body_type>{rest}, rest.size() / body_type::width);
  else for_each(rest, rest.size());
}
// False where cuBLASLt has no algorithm for it.
[[nodiscard]] inline bool multiply(matmul_shape& shape, void const* a, void const* b, void* to, void const* bias = nullptr) {
  void const* const places[]{a, b, to};
  for (int i = 0; i < 3; ++i) {
    auto const at = reinterpret_cast<std::uintptr_t>(places[i]);
    shape.alignment[i] = static_cast<std::int64_t>(std::min<std::uintptr_t>(at & (~at + 1), 256));
  }
  return current().workspace<matmul_library>().run(shape, a, b, to, bias, current().handle);
}
// Through cuBLASLt; what its epilogues do not cover follows as one kernel. False where it does not take the product.
template <class Kernel> bool through_cublas(launch const& l, pointer const* p) {
  using T = typename product_type<Kernel>::type;
  library_product r = for_library(std::type_identity<Kernel>{}, l);
  if (r.part.last < 0) return false;
  void* const to = library_result<T>(r.part, p, r.shape.batch * r.shape.c.rows * r.shape.c.columns);
  void const* const bias = r.part.bias >= 0 ? p[r.part.bias].template get<T>() : nullptr;
  if (!multiply(r.shape, p[r.a].template get<T>(), p[r.b].template get<T>(), to, bias)) return false;
  ++launches;
  if (r.part.stored >= 0) return true;
  constexpr int with = library_of<Kernel>::part(true).last, without = library_of<Kernel>::part(false).last;
  if (r.part.last == with) finish<with, Kernel>(l, p, to);
  else finish<without, Kernel>(l, p, to);
  return true;
}

template <class Kernel> constexpr library_part left_to_library(std::type_identity<Kernel>, launch const&) { return {}; }
template <class T, class Slots, class Steps>
constexpr library_part left_to_library(std::type_identity<product<T, Slots, Steps>> k, launch const& l) {
  return for_library(k, l).part;
}
#endif
#if SINTER_GPU_CUDA && !SINTER_GPU_CUDNN
template <class T, class Slots, class Steps>
constexpr library_part left_to_library(std::type_identity<mapped_product<T, Slots, Steps>> k, launch const& l) {
  library_convolution const r = as_convolution(k, l);
  return r.part.last >= 0 && unfolding(r.shape, sizeof(T)).is_worth_it() ? r.part : library_part{};
}
struct unfolded_memory : scratch_memory {};
// Written out for cuBLASLt, which counts as one launch; steps behind the convolution follow as one kernel. False where it is not worth it, or
// cuBLASLt does not take it.
template <class Kernel> bool through_products(launch const& l, pointer const* p) {
  using T = typename product_type<Kernel>::type;
  library_convolution const r = as_convolution(std::type_identity<Kernel>{}, l);
  if (r.part.last < 0) return false;
  unfolding const u(r.shape, sizeof(T));
  if (!u.is_worth_it()) return false;
  convolution_shape const& s = u.shape;
  T* const to = static_cast<T*>(library_result<T>(r.part, p, s.results()));
  T const *const x = p[r.x].template get<T>(), *const w = p[r.w].template get<T>();
  T* const written = u.in_place ? nullptr
                                : static_cast<T*>(current().workspace<unfolded_memory>().at_least(
                                      static_cast<std::size_t>(u.images * u.by_image) * sizeof(T), current().handle));
  std::int64_t const before = launches;
  bool const done = u.each_turn([&](std::int64_t image, std::int64_t images, std::int64_t column, std::int64_t columns) {
    auto const write = [&]<int Axes>(std::integral_constant<int, Axes>) {
      unfold<T, Axes> const b(u, x, written, image, images, column, columns);
      for_each_team(b, b.size(), columns <= 64 ? 32 : 128);
    };
    if (!u.in_place && s.rank == 4) write(std::integral_constant<int, 2>{});
    else if (!u.in_place) write(std::integral_constant<int, 3>{});
    T const* const matrices = u.in_place ? x + image * u.by_image : written;
    matmul_shape m;
    m.a = {u.outputs, u.depth, u.depth, 0, 0};
    m.b = {u.depth, columns, u.by_row, u.by_image, 0};
    m.c = {u.outputs, columns, s.y.stride[1], s.y.stride[0], 0};
    m.batch = images;
    m.is_double = std::is_same_v<T, double>;
    for (std::int64_t g = 0; g < s.groups(); ++g)
      if (!multiply(m, w + g * u.outputs * u.depth, matrices + g * u.depth * u.by_row,
                    to + image * s.y.stride[0] + g * u.outputs * s.y.stride[1] + column))
        return false;
    return true;
  });
  launches = before;
  if (!done) return false;
  ++launches;
  if (r.part.stored < 0) finish<library_of<Kernel>::part(false).last, Kernel>(l, p, to);
  return true;
}
#endif
#if SINTER_GPU_CUDNN
template <class T, class Slots, class Steps>
constexpr library_part left_to_library(std::type_identity<mapped_product<T, Slots, Steps>> k, launch const& l) {
  return as_convolution(k, l).part;
}
// Through cuDNN; steps behind the convolution follow as one kernel. False where it does not take it.
template <class Kernel> bool through_cudnn(launch const& l, pointer const* p) {
  using T = typename product_type<Kernel>::type;
  library_convolution const r = as_convolution(std::type_identity<Kernel>{}, l);
  if (r.part.last < 0) return false;
  void* const to = library_result<T>(r.part, p, r.shape.results());
  if (!current().workspace<convolution_library>().run(r.shape, p[r.x].template get<T>(), p[r.w].template get<T>(), to, current().handle))
    return false;
  ++launches;
  if (r.part.stored < 0) finish<library_of<Kernel>::part(false).last, Kernel>(l, p, to);
  return true;
}
#endif
template <class Kernel> void start_product(launch const& l, pointer const* p) {
#if SINTER_GPU_CUDA
  if (tiles<Kernel> const t(l, p); t.is_worth_it()) return for_each_tile(t, t.size());
#endif
  body<Kernel> const b(l, p);
  for_each(b, b.size());
}
template <class T, class Slots, class Steps> void start(std::type_identity<product<T, Slots, Steps>>, launch const& l, pointer const* p) {
#if SINTER_GPU_CUDA
  if constexpr (library_of<product<T, Slots, Steps>>::part(false).last >= 0)
    if (through_cublas<product<T, Slots, Steps>>(l, p)) return;
#endif
  start_product<product<T, Slots, Steps>>(l, p);
}
template <class T, class Slots, class Steps>
void start(std::type_identity<mapped_product<T, Slots, Steps>>, launch const& l, pointer const* p) {
#if SINTER_GPU_CUDNN
  if constexpr (library_of<mapped_product<T, Slots, Steps>>::part(false).last >= 0)
    if (through_cudnn<mapped_product<T, Slots, Steps>>(l, p)) return;
#elif SINTER_GPU_CUDA
  if constexpr (library_of<mapped_product<T, Slots, Steps>>::part(false).last >= 0)
    if (through_products<mapped_product<T, Slots, Steps>>(l, p)) return;
#endif
  start_product<mapped_product<T, Slots, Steps>>(l, p);
}
// Runs an algorithm in memory of the stream, and with so many bytes more of it; that counts as one launch.
template <class Algorithm> bool with_scratch(Algorithm const& a, std::size_t more, auto const& run) {
  std::int64_t const before = launches;
  std::size_t const own = (sinter_thrust_algorithms_hpp::scratch_bytes(a) + storage_alignment - 1) / storage_alignment * storage_alignment;
  auto* const memory = static_cast<std::byte*>(current().workspace<scratch_memory>().at_least(own + more, current().handle));
  run(memory, memory + own);
  launches = before + 1;
  return true;
}
// Sorts long lines into the first result, the second, or both. False where they are short.
template <class T> bool sort_lines(ops::around const& lines, std::int64_t top, bool ascending, T const* x, T* values,
                                   std::int64_t* places) {
  line_sort const s{dtype_of<T>, lines, top, ascending};
  return s.is_worth_it() && with_scratch(s, 0, [&](std::byte* scratch, std::byte*) {
           sinter_thrust_algorithms_hpp::sort(s, x, values, places, scratch, current().handle);
         });
}
template <class T> bool through_algorithm(std::type_identity<opaque<ops::sort, types<T>, types<T>>>, launch const& l, pointer const* p) {
  auto const a = unpack<ops::sort::attributes>(l.attributes);
  ops::around const lines(l.shapes[1], a.axis);
  return sort_lines<T>(lines, lines.n, a.ascending, p[0].template get<T>(), p[1].template get<T>(), nullptr);
}
template <class T>
bool through_algorithm(std::type_identity<opaque<ops::argsort, types<std::int64_t>, types<T>>>, launch const& l, pointer const* p) {
  auto const a = unpack<ops::argsort::attributes>(l.attributes);
  ops::around const lines(l.shapes[1], a.axis);
  return sort_lines<T>(lines, lines.n, a.ascending, p[0].template get<T>(), nullptr, p[1].template get<std::int64_t>());
}
template <class T>
bool through_algorithm(std::type_identity<opaque<ops::topk, types<T, std::int64_t>, types<T>>>, launch const& l, pointer const* p) {
  auto const a = unpack<ops::topk::attributes>(l.attributes);
  return sort_lines<T>({l.shapes[2], a.axis}, a.top, a.ascending, p[0].template get<T>(), p[1].template get<T>(),
                       p[2].template get<std::int64_t>());
}
template <class T, class I>
bool through_algorithm(std::type_identity<opaque<ops::scatter_add, types<T>, types<T, I>>>, launch const& l, pointer const* p) {
  scattered_places const places(l.shapes[0], l.shapes[2]);
  line_sort const s{dtype::int64, {{places.count}, 0}, places.count, true};
  return s.is_worth_it() &&
         with_scratch(s, 3 * static_cast<std::size_t>(places.count) * sizeof(std::int64_t), [&](std::byte* scratch, std::byte* more) {
           runtime::stream const stream = current().handle;
           auto *const of_slices = reinterpret_cast<std::int64_t*>(more), *const sorted = of_slices + places.count,
                       *const slice = sorted + places.count;
           T* const to = p[2].template get<T>();
           for_each(place_slices<I>{places, l.shapes[0], p[1].template get<I>(), of_slices}, places.count);
           sinter_thrust_algorithms_hpp::sort(s, of_slices, sorted, slice, scratch, stream);
           runtime::clear(to, static_cast<std::size_t>(l.shapes[0].size()) * sizeof(T), stream);
           for_each(add_slices<T>{places, p[0].template get<T>(), sorted, slice, to}, places.count * places.inner);
         });
}
template <class Op, class T>
  requires(std::is_same_v<Op, ops::running_sum> || std::is_same_v<Op, ops::running_product>)
bool through_algorithm(std::type_identity<opaque<Op, types<T>, types<T>>>, launch const& l, pointer const* p) {
  line_scan const s{
      dtype_of<T>, {l.shapes[1], unpack<ops::attributes_of<Op>>(l.attributes).axis}, std::is_same_v<Op, ops::running_product>};
  return s.is_worth_it() && with_scratch(s, 0, [&](std::byte* scratch, std::byte*) {
           sinter_thrust_algorithms_hpp::scan(s, p[0].template get<T>(), p[1].template get<T>(), scratch, current().handle);
         });
}
template <class Op, class R, class T> void start(std::type_identity<opaque<Op, R, T>>, launch const& l, pointer const* p) {
  static_assert(
      requires(ops::attributes_of<Op> const& a, dims const* s) { Op::items(a, s); },
      "sinter: this operation does not say how its work is shared by threads; give it items() and item(), as take has in "
      "sinter/ops/movement.hpp");
  if constexpr (requires { through_algorithm(std::type_identity<opaque<Op, R, T>>{}, l, p); })
    if (through_algorithm(std::type_identity<opaque<Op, R, T>>{}, l, p)) return;
  body<opaque<Op, R, T>> const b(l, p);
  for_each_team(b, b.size(), Op::lanes_share_items ? 32 : 1);
}

struct backend {
  template <class Kernel> static void go(launch const& l, pointer const* p) { start(std::type_identity<Kernel>{}, l, p); }
#if SINTER_GPU_CUDA
  // Kernels that run together: one launch where they are a chain that fits.
  template <class... Kernel> static constexpr bool joins = chain<Kernel...>::possible;
  template <class... Kernel> static bool takes(launch const* const* l) { return chain<Kernel...>::fits(l, runtime::shared_bytes()); }
  template <class... Kernel> static void go_joined(launch const* const* l, pointer const* const* p) {
    chain<Kernel...> const b(l, p);
    for_each_block(b, b.size(), b.shared_bytes());
  }
#endif
  // It reads weights as they are.
  template <class Kernel> static std::size_t packed_bytes(launch const&) { return 0; }
  template <class Kernel> static void pack(launch const&, pointer const*, std::byte*) {}
  // A plan's constants, where kernels can read them.
  template <class Pool> static Pool const& place(Pool const& host) {
#if SINTER_GPU_CUDA
    static Pool const* const copy = [&] {
      runtime::stream const s = current().handle;
      void* const p = runtime::allocate(sizeof(Pool), s);
      runtime::copy(p, &host, sizeof(Pool), s);
      runtime::wait(s);  // other streams read it too
      return static_cast<Pool const*>(p);
    }();
    return *copy;
#else
    return host;
#endif
  }
  template <class W> static W& workspace() { return current().workspace<W>(); }
  // What control flow does with elements between the kernels of its bodies.
  struct memory {
    template <class T> static void copy(T* to, T const* from, std::int64_t n) {
      runtime::copy(to, from, static_cast<std::size_t>(n) * sizeof(T), current().handle);
    }
    template <class T> static void clear(T* to, std::int64_t n) {
      runtime::clear(to, static_cast<std::size_t>(n) * sizeof(T), current().handle);
    }
    static bool read(bool const* from) {
      bool on_host = false;
      runtime::copy(&on_host, from, sizeof on_host, current().handle);
      runtime::wait(current().handle);
      return on_host;
    }
  };
  // Launches of a kernel of the plan: one more for the steps of a product that a library leaves, or to bring together the parts of rows that teams
  // share. A product that a library turns out not to take is one.
  template <class Kernel> static constexpr int launches_of([[maybe_unused]] launch const& l) {
    if constexpr (requires { body<Kernel>::can_be_shared; }) return body<Kernel>::parts_of(l).n > 1 ? 2 : 1;
#if SINTER_GPU_CUDA
    library_part const part = left_to_library(std::type_identity<Kernel>{}, l);
    if (part.last >= 0 && part.stored < 0) return 2;
#endif
    return 1;
  }
};
// How a compiled network runs on the device.
struct network_backend : backend {
#if SINTER_GPU_CUDA
  template <class P> static void run_together(geometry<P> const& g, executor::call const& c) {
    current().workspace<replay<P, backend>>().run(g, c, launches);
  }
#endif
};
// The backend, done when the call returns: for tests whose tensors lie in memory that the host reads too.
struct waiting_backend : backend {
  template <class Kernel> static void go(launch const& l, pointer const* p) {
    backend::go<Kernel>(l, p);
    runtime::wait(current().handle);
  }
#if SINTER_GPU_CUDA
  template <class... Kernel> static void go_joined(launch const* const* l, pointer const* const* p) {
    backend::go_joined<Kernel...>(l, p);
    runtime::wait(current().handle);
  }
#endif
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
