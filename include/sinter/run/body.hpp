// SPDX-License-Identifier: Apache-2.0
// Control flow in a program that the compiler made: each body is a program of its own, which runs in the arena of the whole.
#pragma once
#include "region.hpp"
#include "workspace.hpp"

namespace sinter::executor::inline SINTER_ISA {

template <class P, int I> using body_program = program<typename P::source::template body<I>>;

// What a kernel of control flow is, as the compiler knows it.
template <class P, int Q> struct region_of {
  static constexpr group q = P::plan.groups.items[Q];
  static constexpr std::uint64_t id = P::pieces.steps[q.steps.at].op;
  static constexpr bool is = ops::is_region(id);
  static constexpr ops::region_info find() {
    if constexpr (is) return unpack<ops::region_info>(P::plan.attributes.items + q.attributes.at);
    else return {};
  }
  static constexpr ops::region_info info = find();
  static constexpr int memory = info.states + (id == ops::while_loop_id) + 1;
  static constexpr region_call call_of(kernel::launch const& l, kernel::pointer const* p, kernel::pointer* in, kernel::pointer* out) {
    return {info, P::plan.operands.items + q.operands.at, p, l.shapes, q.inputs, q.results(), q.results() - memory, in, out};
  }
};

// f(region_of<P, q>{}), where group `q` is control flow; otherwise nothing.
template <class P, class F> constexpr void with_region(int q, F const& f) {
  [&]<int... Q>(std::integer_sequence<int, Q...>) {
    auto const one = [&]<class R>(R, int which) {
      if constexpr (R::is)
        if (q == which) f(R{});
    };
    (one(region_of<P, Q>{}, Q), ...);
  }(std::make_integer_sequence<int, P::sizes.groups>{});
}

// A body at the dimensions of the call that it belongs to. Its first dimensions are those of the whole network.
template <class B, class Backend> class body_call {
 public:
  body_call(call const& whole, body_values const& values, std::byte* arena)
      : dimensions_(with_computed(B::plan.dimensions, *whole.dimensions)), f_(*static_cast<geometry<B> const*>(values.numbers)) {
    call_.inputs = in_;
    call_.outputs = out_;
    call_.dimensions = &dimensions_;
    call_.parameters = values.parameters;
    call_.prepared = values.prepared;
    call_.arena = arena;
    call_.bodies = whole.bodies;
  }
  body_call(body_call const&) = delete;
  body_call& operator=(body_call const&) = delete;
  void operator()(kernel::pointer const* in, kernel::pointer const* out) {
    for (int i = 0; i < B::sizes.inputs; ++i) in_[i] = std::bit_cast<std::byte*>(in[i]);
    for (int i = 0; i < B::sizes.results; ++i) out_[i] = std::bit_cast<std::byte*>(out[i]);
    f_.run(call_);
  }

 private:
  binding dimensions_;
  instance<B, Backend> f_;
  std::byte *in_[B::sizes.inputs + 1], *out_[B::sizes.results + 1];
  call call_;
};
template <class Backend> constexpr auto memory_for() {
  if constexpr (requires { typename Backend::memory; }) return std::type_identity<typename Backend::memory>{};
  else return std::type_identity<host_memory>{};
}
template <class P, class Backend, class R> void run_region_of(call const& c, kernel::launch const& l, kernel::pointer const* p) {
  using memory = typename decltype(memory_for<Backend>())::type;
  kernel::pointer in[R::q.inputs + 1], out[R::q.results() + 1];
  region_call const r = R::call_of(l, p, in, out);
  auto* const arena = std::bit_cast<std::byte*>(p[R::q.operands.n - 1]);
  body_call<body_program<P, R::info.body>, Backend> body(c, c.bodies[R::info.body], arena);
  if constexpr (R::info.otherwise < 0)
    run_region<memory>(R::id, r, [&](int, kernel::pointer const* from, kernel::pointer const* to) { body(from, to); });
  else {
    body_call<body_program<P, R::info.otherwise>, Backend> otherwise(c, c.bodies[R::info.otherwise], arena);
    run_region<memory>(R::id, r, [&](int which, kernel::pointer const* from, kernel::pointer const* to) {
      if (which == R::info.body) body(from, to);
      else otherwise(from, to);
    });
  }
}
template <class P, class Backend> void run_control_flow(int q, call const& c, kernel::launch const& l, kernel::pointer const* p) {
  with_region<P>(q, [&]<class R>(R) { run_region_of<P, Backend, R>(c, l, p); });
}

}  // namespace sinter::executor::inline SINTER_ISA
