// SPDX-License-Identifier: Apache-2.0
// Ten thousand random networks over every operation, as graphs: each plan is judged, and run it gives the bits of its operations one by one.
// Of five hundred, with the gradients of their inputs: the plans give the bits of the pass, and what the pass gives in double is what central
// differences say. The environment variable SINTER_RANDOM_GRAPHS says how many, SINTER_RANDOM_SEED with which one to begin.
#include "random_graph.hpp"

#include <sinter/ops/gradient.hpp>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <set>

using namespace test;

namespace {
unsigned number_from(char const* name, unsigned otherwise) {
  char const* const v = std::getenv(name);
  return v ? static_cast<unsigned>(std::strtoul(v, nullptr, 10)) : otherwise;
}

// The program with one number, made of all its outputs, and its gradients with respect to the inputs of floats. False where there are none.
bool with_gradients(random_program const& p, graph& g, std::vector<int>& of, bool ask = true) {
  std::vector<int> node;
  if (!trace_into(p, g, node)) return false;
  int head = -1;
  list<int> const outputs = g.outputs;
  for (int j = 0; j < outputs.size(); ++j) {
    array_type const type = g.nodes[outputs[j]].type;
    if (!is_floating(type.type)) continue;
    int o = type.type == dtype::float64 ? outputs[j] : ops::make<ops::cast>(g, {dtype::float64}, outputs[j]);
    if (j % 2 != 0) o = ops::make<ops::multiply>(g, o, o);
    o = ops::make<ops::sum>(g, {(std::int64_t{1} << type.shape.rank) - 1, false}, o);
    head = head < 0 ? o : ops::make<ops::add>(g, head, o);
  }
  if (head < 0) return false;
  list<int> in, x;
  in.push(head);
  for (int i = 0; i < g.nodes.size(); ++i)
    if (g.is(i, input_op) && is_floating(g.nodes[i].type.type)) {
      list<int> one;
      one.push(i);
      if (ops::independent(g, head, one) >= 0) continue;
      x.push(i);
      in.push(i);
      of.push_back(g.nodes[i].index);
    }
  if (of.empty() || ops::without_gradient(g, head, x)) return false;
  for (sinter::node const& k : g.nodes)
    if (*k.op == ops::info<ops::stop_gradient> || *k.op == ops::info<ops::stddev>)
      return false;  // what the one computes has another slope, the other is a kink where all are equal
  g.outputs.shrink(0);
  g.outputs.push(head);
  if (!ask) return true;
  inferred why;
  int const made = g.apply(ops::info<ops::gradient>, {in.data(), in.size()}, pack(ops::gradient::attributes{x.size()}), why);
  for (int i = 0; i < x.size(); ++i) g.outputs.push(g.result(made, i));
  return true;
}
random_program in_double(random_program p) {
  for (line& l : p.lines) {
    if (is_floating(l.input.type)) l.input.type = dtype::float64;
    if (is_floating(l.given.type)) l.given.type = dtype::float64;
  }
  return p;
}
// Numbers of which no two are equal, and one of them moved.
struct {
  int input = -1;
  extent element = 0;
  double by = 0;
} moved;
std::uint64_t distinct_sample(dtype t, int input, extent e) {
  if (!is_floating(t)) return sample(t, input, e);
  double const v = 2 * uniform_number(static_cast<std::uint64_t>(input), static_cast<std::uint64_t>(e)) - 1;
  return bits_of(t, input == moved.input && e == moved.element ? v + moved.by : v);
}
// True where an operation in it has a slope that is infinite somewhere, or no number.
bool has_edges(random_program const& p) {
  static std::set<std::string_view> const all{"arccos", "arccosh", "arcsin", "arctanh", "cbrt", "divide", "erfinv", "hypot",      "log",
                                              "log10",  "log1p",   "log2",   "mod",     "norm", "power",  "rsqrt",  "reciprocal", "sqrt"};
  for (line const& l : p.lines)
    if (l.op && all.contains(l.op->name)) return true;
  return false;
}
// The fault in the gradients of a program; empty when there is none. `checked`: how many elements were compared with differences.
std::string fault_in_gradients(random_program const& p, unsigned seed, int& checked) {
  try {
    graph traced, wide, alone;
    std::vector<int> of, of_wide, of_alone;
    if (!with_gradients(p, traced, of)) return "";
    plan const planned = make_plan(traced);
    binding b;
    if (planned.g.dimensions.full || !bind_sizes(planned.g, p.sizes, b)) return "";
    if (std::string_view const fault = fault_of(planned); !fault.empty()) return std::string(fault);
    graph const written = passes::differentiate(passes::canonicalise(traced));
    interpreter const want(written, p.sizes);
    plan_runner const got(planned, b, p.sizes, seed, &sample);
    for (int j = 0; j < written.outputs.size(); ++j)
      if (!same_bits(written.nodes[written.outputs[j]].type.type, want.value[written.outputs[j]], got.output(j)))
        return "gradient " + std::to_string(j) + " differs from that of the pass";

    random_program const q = in_double(p);
    if (!with_gradients(q, wide, of_wide) || !with_gradients(q, alone, of_alone, false)) return "";
    moved = {};
    graph const wide_written = passes::differentiate(passes::canonicalise(wide));
    interpreter const slopes(wide_written, p.sizes, interpreter::everything, &distinct_sample);
    auto const head_at = [&](double by) {
      moved.by = by;
      interpreter const at(alone, p.sizes, interpreter::everything, &distinct_sample);
      return real_of(dtype::float64, at.value[alone.outputs[0]][0]);
    };
    for (std::size_t k = 0; k < of_wide.size(); ++k) {
      bits const& slope = slopes.value[wide_written.outputs[static_cast<int>(k) + 1]];
      for (int i = static_cast<int>(seed) % 3; i < slope.size() && i < 40; i += 13) {
        moved = {of_wide[k], i, 0};
        double const h = 1e-5, value = head_at(0), far = (head_at(h) - head_at(-h)) / (2 * h),
                     near = (head_at(h / 8) - head_at(-h / 8)) / (h / 4);
        double const allowed = 1e-6 * (1 + std::abs(far)) + std::abs(value) * 1e-11 / h, is = real_of(dtype::float64, slope[i]);
        if (!(std::abs(far - near) <= allowed)) continue;  // a kink, or no number
        if (std::isnan(is) && (far == 0 || has_edges(p))) continue;  // infinity, or no number, times zero
        ++checked;
        if (!(std::abs(is - far) <= allowed))
          return "element " + std::to_string(i) + " of input " + std::to_string(of_wide[k]) + " has the gradient " + std::to_string(is) +
                 ", not " + std::to_string(far);
      }
    }
  } catch (char const* what) { return what; } catch (std::exception const& e) {
    return e.what();
  }
  return "";
}
}  // namespace

TEST_CASE("gradients of random networks are those of the pass, and of central differences") {
  unsigned const first = number_from("SINTER_RANDOM_SEED", 0), count = number_from("SINTER_RANDOM_GRADIENTS", 1500);
  int failed = 0, checked = 0, differentiated = 0;
  for (unsigned seed = first; seed < first + count && failed < 5; ++seed) {
    random_program const p = program_writer(seed).p;
    int const before = checked;
    std::string const fault = fault_in_gradients(p, seed, checked);
    differentiated += checked > before;
    if (fault.empty()) continue;
    ++failed;
    int n = 0;
    random_program const small = shrunk(p, [&](random_program const& q) { return !fault_in_gradients(q, seed, n).empty(); });
    std::cout << "gradients, seed " << seed << ": " << fault << "\nshrunk: " << fault_in_gradients(small, seed, n) << "\n"
              << as_cpp(small) << "\n";
  }
  CHECK(failed == 0);
  std::cout << "gradients of " << differentiated << " networks, " << checked << " elements\n";
  if (count >= 1500) CHECK(differentiated > 500);
}

TEST_CASE("the plans of random networks are sound and give the values of their operations") {
  unsigned const first = number_from("SINTER_RANDOM_SEED", 0), count = number_from("SINTER_RANDOM_GRAPHS", 10000);
  std::set<std::string_view> drawn;
  std::size_t lines = 0;
  int failed = 0;
  for (unsigned seed = first; seed < first + count && failed < 5; ++seed) {
    random_program const p = program_writer(seed, true).p;
    for (line const& l : p.lines)
      if (l.op) {
        drawn.insert(l.op->name);
        ++lines;
      }
    std::string const fault = fault_in(p, seed);
    if (fault.empty()) continue;
    ++failed;
    random_program const small = shrunk(p, [&](random_program const& q) { return !fault_in(q, seed).empty(); });
    std::cout << "seed " << seed << ": " << fault << "\nshrunk: " << fault_in(small, seed) << "\n" << as_cpp(small) << "\n";
  }
  CHECK(failed == 0);
  std::cout << count << " networks of " << lines / count << " operations on average\n";
  if (count >= 1000 && failed == 0) {
    CHECK(plans_in_blocks() >= 5);
    std::cout << updates_of_plans()[0] << " parameters changed where they are, " << updates_of_plans()[1] << " elsewhere\n";
    CHECK(updates_of_plans()[0] > updates_of_plans()[1]);
    for (op_row const& op : every_op()) {
      INFO(op.name);
      CHECK(drawn.count(op.name) == 1);
    }
  }
}
