// SPDX-License-Identifier: Apache-2.0
// A compiled network's plan once more, interpreted on the same tensors.
#pragma once
#include <sinter/compile/hybridized.hpp>

#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/interpreter.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace test {

// The bytes of a run's tensors: parameters as the plan wants them, inputs, and places for the results.
template <class M, class... X> class interpreted_network {
 public:
  using compiled = sinter::compiled_t<M, X...>;

  interpreted_network(M const& net, int vectors, X const&... x) : f_(plan()), vectors_(vectors) {
    std::vector<std::byte*> all;
    sinter::nn::visit_parameters(net,
                                 [&](auto const& p, std::string_view) { all.push_back(reinterpret_cast<std::byte*>(p.storage().data())); });
    parameters_ = parameters_of(f_.plan, all);
    for (auto const& body : f_.bodies) of_bodies_.push_back(parameters_of(body.plan, all));
    sinter::dims actual[sizeof...(X)], typed[sizeof...(X)];
    int n = 0;
    auto const note = [&](auto const& t) {
      typed[n] = std::remove_cvref_t<decltype(t)>::shape_type::value;
      actual[n++] = t.shape();
      inputs_.push_back(
          reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<std::remove_pointer_t<decltype(t.data())>>*>(t.data())));
    };
    (note(x), ...);
    at_ = f_.bind(actual, typed, n);
  }
  bool draws_numbers() const { return f_.plan.g.inputs > static_cast<int>(sizeof...(X)); }
  // The results' bytes, in memory that was full of NaN.
  std::vector<std::vector<std::byte>> run(bool prepares) {
    sinter::interpreter::instance const at(f_, at_, vectors_);
    sinter::interpreter::prepared const made(at, parameters_.data());
    std::vector<std::vector<std::byte>> outputs(static_cast<std::size_t>(f_.plan.g.outputs.size()));
    std::vector<std::byte*> to;
    for (sinter::buffer_info const& o : f_.plan.buffers)
      if (o.where == sinter::storage::output)
        outputs[static_cast<std::size_t>(o.index)].assign(static_cast<std::size_t>(at_(o.elements) * sinter::bytes_of(o.type)) + 1,
                                                          std::byte{255});
    for (auto& o : outputs) to.push_back(o.data());
    sinter::buffer<std::byte> const arena(static_cast<std::size_t>(at.arena_bytes()) + 1, false);
    std::memset(arena.data(), 255, static_cast<std::size_t>(at.arena_bytes()));
    std::vector<sinter::interpreter::prepared> made_for_bodies;
    std::vector<sinter::executor::body_values> bodies;
    made_for_bodies.reserve(of_bodies_.size());
    for (std::size_t i = 0; i < of_bodies_.size(); ++i) {
      made_for_bodies.emplace_back(at.at_body(static_cast<int>(i)), of_bodies_[i].data());
      bodies.push_back({of_bodies_[i].data(), nullptr});
    }
    // Without packed weights: only what was computed once.
    std::vector<std::vector<std::byte const*>> seen;
    auto const prepared_of = [&](sinter::interpreter::instance const& f, sinter::interpreter::prepared const& all) {
      seen.emplace_back(all.made(), all.made() + f.kernels() + 1);
      if (!prepares) std::fill(seen.back().begin(), seen.back().end() - 1, nullptr);
      return seen.back().data();
    };
    for (std::size_t i = 0; i < of_bodies_.size(); ++i)
      bodies[i].prepared = prepared_of(at.at_body(static_cast<int>(i)), made_for_bodies[i]);
    at.run({inputs_.data(), to.data(), &at_, parameters_.data(), prepared_of(at, made), arena.data(), bodies.data()});
    return outputs;
  }

 private:
  sinter::interpreter::program f_;
  int vectors_;
  sinter::binding at_;
  std::vector<std::byte*> parameters_, inputs_;
  std::vector<std::vector<std::byte*>> of_bodies_;

  static sinter::plan plan() {
    if constexpr (compiled::bodies > 0) return compiled::named_plan();
    else return compiled::source::make();
  }
  static std::vector<std::byte*> parameters_of(sinter::plan const& p, std::vector<std::byte*> const& all) {
    std::vector<std::byte*> r;
    for (int i : p.parameter_at) r.push_back(all[static_cast<std::size_t>(i)]);
    r.push_back(nullptr);
    return r;
  }
};
// Any NaN is one.
template <class T> bool same_elements(T const* want, std::byte const* got, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    T v;
    std::memcpy(&v, got + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(v) && std::isnan(want[i])) continue;
    if (std::memcmp(&v, want + i, sizeof(T)) != 0) return false;
  }
  return true;
}
inline constexpr int tile_sizes[] = {0, 1, 3};  // in vectors
// Whether the interpreter gives the bits that the compiled network has written to `out`, whatever the size of its tiles.
template <class M, class Out, class... X> bool interpreted_alike(M const& net, Out const& out, X const&... x) {
  for (int const vectors : tile_sizes) {
    interpreted_network<M, X...> slow(net, vectors, x...);
    if (slow.draws_numbers()) return true;
    auto const outputs = slow.run(vectors != 1);
    std::size_t j = 0;
    bool same = true;
    auto const look = [&](auto const& t) {
      auto const& got = outputs[j++];
      same = same && same_elements(t.data(), got.data(), t.size());
    };
    sinter::detail::each_tensor(out, look);
    if (!same) return false;
  }
  return true;
}

}  // namespace test
