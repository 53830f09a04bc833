// SPDX-License-Identifier: Apache-2.0
// The gradient of every operation against central differences, on the operands of all its cases in test/data/ops, in double: of the sum of its
// results, each element with a factor of its own, as a run-time graph that the passes differentiate and the interpreter runs. What has no gradient
// yet stands in a list here.
#include <sinter/symbol/gradient.hpp>

#include <cmath>

#include "../catch.hpp"
#include "cases.hpp"

namespace test {

using namespace sinter;

namespace {

// An array of doubles, or of what it was where it is not floating.
sym::array as_double(case_array const& a, extent which) {
  sym::array r(a.is_floating() ? dtype::float64 : a.type, a.shape);
  with_type(r.type(), [&]<class T>(T*) {
    T* const to = reinterpret_cast<T*>(r.data());
    for (extent i = 0, n = a.shape.size(); i < n; ++i) {
      auto const k = static_cast<std::size_t>(i);
      if (a.is_floating()) {
        // Finite, no two of them equal, and not where a step is.
        double const v = std::isfinite(a.reals[k]) && std::abs(a.reals[k]) < 30 ? a.reals[k] : 0.7;
        to[i] = static_cast<T>(v + static_cast<double>((i * 37 + which * 17 + 11) % 101) * 0.00131);
      } else to[i] = static_cast<T>(a.wholes[k]);
    }
  });
  return r;
}
double& element(sym::array const& a, extent i) { return reinterpret_cast<double*>(a.data())[i]; }

// The sum of the floating results of a call, each element times a number of its own.
symbol head_of(op_case const& c, std::vector<symbol> const& operands) {
  std::vector<symbol> parts;
  sym::symbols const results = sym::call(c.op, operands, c.keywords);
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (!c.results[k].is_floating()) continue;
    symbol const y = sym::call("cast", {results[k]}, {{"as", dtype::float64}})[0];
    case_array factor;
    factor.type = dtype::float64;
    factor.shape = c.results[k].shape;
    for (extent i = 0; i < factor.shape.size(); ++i) factor.reals.push_back(static_cast<double>((i * 29 + 7) % 17) / 8 - 0.9);
    // What is no number, or infinite, counts as zero, so that the others can be checked.
    symbol const finite = sym::call("where", {sym::call("isfinite", {y})[0], y, sym::number_symbol(0.0)})[0];
    symbol const factors = sym::held("factor" + std::to_string(k), as_double(factor, 0));
    parts.push_back(sym::call("sum", {sym::call("multiply", {finite, factors})[0]})[0]);
  }
  if (parts.empty()) throw std::runtime_error("no result is floating");
  symbol r = parts[0];
  for (std::size_t k = 1; k < parts.size(); ++k) r = sym::call("add", {r, parts[k]})[0];
  return r;
}

// Whether results are no number for some operands that are.
bool has_domain(std::string const& op) {
  static std::set<std::string> const all{"arccos", "arccosh", "arcsin", "arctanh", "erfinv", "log", "log10", "log1p", "log2", "power", "rsqrt", "sqrt", "var"};
  return all.contains(op);
}

struct checked_gradients {
  int elements = 0, kinks = 0;
  std::string wrong;
};
checked_gradients check(op_case const& c) {
  std::vector<symbol> operands, variables;
  std::vector<std::string> names;
  sym::arrays_by_name values;
  for (case_array const& a : c.operands) {
    if (a.is_number) {
      operands.push_back(a.is_floating() ? sym::number_symbol(a.reals[0]) : sym::number_symbol(static_cast<int>(a.wholes[0])));
      continue;
    }
    std::string const name = "x" + std::to_string(operands.size());
    operands.push_back(sym::var(name, a.shape, a.is_floating() ? dtype::float64 : a.type));
    values.emplace(name, as_double(a, static_cast<extent>(operands.size())));
    if (!a.is_floating() || a.shape.size() == 0) continue;
    variables.push_back(operands.back());
    names.push_back(name);
  }
  checked_gradients r;
  if (variables.empty()) return r;
  symbol const head = head_of(c, operands);
  sym::results const slopes = sym::group(sym::gradient(head, variables)).eval(values);
  sym::executor f = head.bind(values);
  auto const at = [&] { return element(f.forward()[0], 0); };
  for (std::size_t v = 0; v < variables.size(); ++v) {
    sym::array const& x = values.at(names[v]);
    extent const n = x.shape().size();
    int checked = 0;
    if (slopes[v].shape() != x.shape()) r.wrong = "the gradient has another shape";
    for (extent k = 0; k < n && k < 100 && checked < 7 && r.wrong.empty(); ++k) {
      extent const i = (k * 1009 + 3) % n;
      double const x0 = element(x, i), h = 1e-5 * std::max(1.0, std::abs(x0)), got = element(slopes[v], i);
      auto const slope = [&](double by) {
        element(x, i) = x0 + by;
        double const above = at();
        element(x, i) = x0 - by;
        double const below = at();
        element(x, i) = x0;
        return (above - below) / (2 * by);
      };
      double const want = slope(h), nearer = slope(h / 8), noise = std::abs(at()) * 1e-11 / h;
      double const allowed = 1e-6 * (1 + std::abs(want)) + noise;
      if (!(std::abs(want - nearer) <= allowed)) {
        ++r.kinks;  // or no number
        continue;
      }
      if (std::isnan(got) && has_domain(c.op)) continue;  // the result is no number either, and counts as zero here
      ++r.elements, ++checked;
      if (!(std::abs(got - want) <= allowed))
        r.wrong = "element " + std::to_string(i) + " of " + names[v] + " has the gradient " + std::to_string(got) + ", not " + std::to_string(want);
    }
  }
  return r;
}

// The operations whose gradient nobody has written yet. cumprod is written with one of these.
std::set<std::string> const not_yet{"cumprod", "gamma", "gammaln", "scatter_nd", "sort", "topk"};

}  // namespace

TEST_CASE("gradients of all operations against central differences") {
  std::map<std::string, int> elements;
  std::set<std::string> refused, seen;
  for (char const* file : {"cases", "recorded"})
    for (op_case const& c : case_reader(file).read()) {
      std::string key = c.line.substr(0, c.line.find(" : "));
      extent size = 0;
      bool floating = false, floating_result = false;
      for (case_array const& a : c.operands) {
        size += a.is_number ? 1 : a.shape.size();
        key += " " + to_string(a.shape) + (a.is_floating() ? "f" : "i");
        floating = floating || (a.is_floating() && !a.is_number);
      }
      for (case_array const& a : c.results) floating_result = floating_result || a.is_floating();
      bool const in_double = !c.keywords.contains("as") || c.line.find("as=float64") != c.line.npos;
      if (!floating || !floating_result || !in_double || size > 6000 || !seen.insert(key).second) continue;
      INFO(c.line.substr(0, 300));
      try {
        checked_gradients const r = check(c);
        elements[c.op] += r.elements;
        CHECK(r.wrong == "");
      } catch (std::exception const& e) {
        refused.insert(c.op);
        CHECK(std::string(e.what()).starts_with("sinter: there is no gradient of "));
      }
    }
  CHECK(refused == not_yet);
  int all = 0;
  for (auto const& [op, n] : elements) {
    INFO(op);
    CHECK((n > 0) != refused.contains(op));
    all += n;
  }
  CHECK(elements.size() > 120);
  CHECK(all > 8000);
}

}  // namespace test
