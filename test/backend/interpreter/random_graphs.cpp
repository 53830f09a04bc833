// SPDX-License-Identifier: Apache-2.0
// The random networks of plan/random_graphs.cpp, run by the interpreter: the bits of their operations one by one, with the additions of
// sums in the order of vectors. SINTER_RANDOM_GRAPHS says how many, SINTER_RANDOM_SEED with which one to begin.
#include "../../plan/random_graph.hpp"
#include "../../sanitized.hpp"

#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/interpreter.hpp>

#include <cstdlib>
#include <iostream>

using namespace test;

namespace {

unsigned number_from(char const* name, unsigned otherwise) {
  char const* const v = std::getenv(name);
  return v ? static_cast<unsigned>(std::strtoul(v, nullptr, 10)) : otherwise;
}
// An operation that is not exact, in one lane of a vector.
template <class Op, class T> std::uint64_t in_a_lane(std::uint64_t const* in) {
  auto const all = [](std::uint64_t v) { return simd::splat(element_of<T>(v)); };
  T out[static_cast<std::size_t>(simd::lanes)];
  if constexpr (Op::arity == 1) simd::store(out, simd::kernels::apply<Op, T>(all(in[0])));
  else simd::store(out, simd::kernels::apply<Op, T>(all(in[0]), all(in[1])));
  return std::bit_cast<std::uint64_t>(static_cast<double>(out[0]));
}
template <class... Op> std::uint64_t function_of(op_info const* op, dtype t, std::uint64_t const* in, ops::list_of<Op...>) {
  std::uint64_t r = 0;
  bool found = false;
  (
      [&] {
        if constexpr (!Op::exact) {
          if (*op != ops::info<Op>) return;
          found = true;
          r = t == dtype::float64 ? in_a_lane<Op, double>(in) : in_a_lane<Op, float>(in);
        }
      }(),
      ...);
  if (!found) throw "no lane computes this operation";
  return r;
}
std::uint64_t function(op_info const* op, dtype t, std::uint64_t const* in) {
  return function_of(op, t, in, ops::joined<ops::list_of<ops::power>, ops::transcendental_ops, ops::trigonometric_ops>::type{});
}
bits sorted(dtype t, ops::sort::attributes const& a, bits const& from, dims const& s) {
  bits r;
  with_computed_type(t, [&]<class T>(T*) {
    auto const n = static_cast<std::size_t>(from.size());
    std::unique_ptr<T[]> const in(new T[n + 1]), out(new T[n + 1]);
    for (std::size_t i = 0; i < n; ++i) in[i] = element_of<T>(from[static_cast<int>(i)]);
    ops::sort::run(a, ops::array_view<T>{out.get(), s}, ops::array_view<T const>{in.get(), s});
    for (std::size_t i = 0; i < n; ++i)
      r.push(plan_runner::get(reinterpret_cast<std::byte const*>(out.get()), t, static_cast<std::int64_t>(i)));
  });
  return r;
}
#if defined(__FMA__)
constexpr bool fused = true;
#else
constexpr bool fused = false;
#endif
constexpr vector_sums order{static_cast<int>(simd::lanes), fused, &function, &sorted};

// The outputs of an interpreted plan, in memory that was full of NaN.
struct interpreted {
  std::vector<std::vector<std::byte>> outputs;

  interpreted(sinter::interpreter::program const& f, binding const& b, std::vector<std::byte*> inputs, unsigned seed) {
    sinter::interpreter::instance const at(f, b, static_cast<int>(seed % 4));
    sinter::interpreter::prepared const made(at, nullptr);
    std::vector<std::byte*> to;
    outputs.resize(static_cast<std::size_t>(f.plan.g.outputs.size()));
    for (int i = 0; i < f.plan.buffers.size(); ++i) {
      buffer_info const& o = f.plan.buffers[i];
      if (o.where == storage::output)
        outputs[static_cast<std::size_t>(o.index)].assign(static_cast<std::size_t>(b(o.elements) * bytes_of(o.type)) + 1, std::byte{255});
    }
    for (auto& o : outputs) to.push_back(o.data());
    buffer<std::byte> const arena(static_cast<std::size_t>(at.arena_bytes()) + 1, false);
    std::memset(arena.data(), 255, static_cast<std::size_t>(at.arena_bytes()));
    inputs.push_back(nullptr);
    at.run({inputs.data(), to.data(), &b, nullptr, seed % 2 == 0 ? made.made() : nullptr, arena.data()});
  }
};

bool has(random_program const& p, std::string_view name) {
  for (line const& l : p.lines)
    if (l.op && l.op->name == name) return true;
  return false;
}
// Dynamic dimensions of more than a vector, where the reference does not take long for it.
bool enlarge(random_program& p, extent by) {
  random_program large = p;
  for (extent& s : large.sizes) s *= by;
  graph g;
  std::vector<int> node;
  binding b;
  if (!trace_into(large, g, node) || !bind_sizes(g, large.sizes, b)) return false;
  for (sinter::node const& k : g.nodes)
    if (b(g.dimensions.elements(k.type.shape)) > 4000) return false;
  p = large;
  return g.dimensions.rows.size() > 0;
}
std::string fault_when_interpreted(random_program const& p, unsigned seed, bool large) {
  try {
    graph traced;
    std::vector<int> node;
    binding traced_at, b;
    if (!trace_into(p, traced, node) || !bind_sizes(traced, p.sizes, traced_at)) return "";
    sinter::interpreter::program const f(make_plan(traced));
    if (f.plan.g.dimensions.full || !bind_sizes(f.plan.g, p.sizes, b)) return "";
    sampler const inputs = seed % 4 == 0 && !large ? &special_sample : &sample;
    plan_runner want(f.plan, b, p.sizes, seed, inputs, order);
    std::vector<std::byte*> in;
    std::byte nothing{};
    for (int i = 0; i < f.plan.g.inputs; ++i) in.push_back(want.input(i) ? want.input(i) : &nothing);
    interpreted const got(f, b, in, seed);
    for (int i = 0; i < f.plan.buffers.size(); ++i) {
      buffer_info const& o = f.plan.buffers[i];
      if (o.where != storage::output) continue;
      bits given;
      auto const& bytes = got.outputs[static_cast<std::size_t>(o.index)];
      for (std::int64_t e = 0; e < b(o.elements); ++e) given.push(plan_runner::get(bytes.data(), o.type, e));
      if (!same_bits(o.type, want.output(o.index), given)) return "output " + std::to_string(o.index) + " differs";
    }
  } catch (char const* what) { return what; } catch (std::exception const& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("interpreted, random networks give the bits of their operations") {
  unsigned const first = number_from("SINTER_RANDOM_SEED", 0), count = number_from("SINTER_RANDOM_GRAPHS", SINTER_SANITIZED ? 1500 : 10000);
  int failed = 0, large = 0;
  for (unsigned seed = first; seed < first + count && failed < 5; ++seed) {
    random_program p = program_writer(seed).p;
    bool const is_large = seed % 3 == 0 && !has(p, "cast") && enlarge(p, 11);  // what is cast was looked at: it is in range
    large += is_large;
    std::string const fault = fault_when_interpreted(p, seed, is_large);
    if (fault.empty()) continue;
    ++failed;
    random_program const small = shrunk(p, [&](random_program const& q) { return !fault_when_interpreted(q, seed, is_large).empty(); });
    std::cout << "seed " << seed << ": " << fault << "\nshrunk: " << fault_when_interpreted(small, seed, is_large) << "\n"
              << as_cpp(small) << "\n";
  }
  CHECK(failed == 0);
  std::cout << count << " networks, " << large << " of them with dimensions of more than a vector\n";
}
