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

// The sum of `x`, each element times a number of its own. What is no number, or infinite, counts as zero, so that the others can be checked.
symbol weighted_sum(symbol const& x, dims const& shape_, std::string const& name) {
  case_array factor;
  factor.type = dtype::float64;
  factor.shape = shape_;
  for (extent i = 0; i < shape_.size(); ++i) factor.reals.push_back(static_cast<double>((i * 29 + 7) % 17) / 8 - 0.9);
  symbol const finite = sym::call("where", {sym::call("isfinite", {x})[0], x, sym::number_symbol(0.0)})[0];
  return sym::call("sum", {sym::call("multiply", {finite, sym::held(name, as_double(factor, 0))})[0]})[0];
}
symbol sum_of(std::vector<symbol> const& parts) {
  symbol r = parts.at(0);
  for (std::size_t k = 1; k < parts.size(); ++k) r = sym::call("add", {r, parts[k]})[0];
  return r;
}

// Whether results are no number for some operands that are.
bool has_domain(std::string const& op) {
  static std::set<std::string> const all{"arccos", "arccosh", "arcsin", "arctanh", "erfinv", "log", "log10",
                                         "log1p",  "log2",    "power",  "rsqrt",   "sqrt",   "var"};
  return all.contains(op);
}

// What is differentiated, and with respect to which of the arguments.
struct differentiated {
  symbol head;
  std::vector<symbol> variables;
  std::vector<std::string> names;
};
struct checked_gradients {
  int elements = 0;
  std::string wrong;
};
checked_gradients check(differentiated const& d, sym::arrays_by_name const& values, bool has_domain_) {
  checked_gradients r;
  sym::results const slopes = sym::group(sym::gradient(d.head, d.variables)).eval(values);
  sym::executor f = d.head.bind(values);
  auto const at = [&] { return element(f.forward()[0], 0); };
  for (std::size_t v = 0; v < d.variables.size(); ++v) {
    sym::array const& x = values.at(d.names[v]);
    extent const n = x.shape().size();
    int checked = 0;
    if (slopes[v].shape() != x.shape()) r.wrong = "the gradient has another shape";
    for (extent k = 0; k < n && k < 100 && checked < 3 && r.wrong.empty(); ++k) {
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
      if (!(std::abs(want - nearer) <= allowed)) continue;  // a kink, or no number
      if (std::isnan(got) && has_domain_) continue;  // the result is no number either, and counts as zero here
      ++r.elements, ++checked;
      if (!(std::abs(got - want) <= allowed))
        r.wrong = "element " + std::to_string(i) + " of " + d.names[v] + " has the gradient " + std::to_string(got) + ", not " +
                  std::to_string(want);
    }
  }
  return r;
}
// The gradients of a call, or with `order` 2 those of their own sum.
checked_gradients check(op_case const& c, int order) {
  std::vector<symbol> operands, parts;
  differentiated d{sym::number_symbol(0.0), {}, {}};
  sym::arrays_by_name values;
  for (case_array const& a : c.operands) {
    if (a.is_number) {
      operands.push_back(a.is_floating() ? sym::number_symbol(a.reals[0]) : sym::number_symbol(static_cast<int>(a.wholes[0])));
      continue;
    }
    std::string const name = "x" + std::to_string(operands.size());
    values.emplace(name, as_double(a, static_cast<extent>(operands.size())));
    operands.push_back(sym::var(name, a.shape, a.is_floating() ? dtype::float64 : a.type));
    if (!a.is_floating() || a.shape.size() == 0) continue;
    d.variables.push_back(operands.back());
    d.names.push_back(name);
  }
  if (d.variables.empty()) return {};
  sym::symbols const results = sym::call(c.op, operands, c.keywords);
  for (std::size_t k = 0; k < results.size(); ++k)
    if (c.results[k].is_floating())
      parts.push_back(
          weighted_sum(sym::call("cast", {results[k]}, {{"as", dtype::float64}})[0], c.results[k].shape, "factor" + std::to_string(k)));
  d.head = sum_of(parts);
  for (int again = 1; again < order; ++again) {
    sym::symbols const slopes = sym::gradient(d.head, d.variables);
    parts.clear();
    parts.push_back(sym::call("multiply", {d.head, d.head})[0]);
    for (std::size_t v = 0; v < slopes.size(); ++v)
      parts.push_back(
          weighted_sum(sym::call("multiply", {slopes[v], slopes[v]})[0], values.at(d.names[v]).shape(), "more" + std::to_string(v)));
    d.head = sum_of(parts);
  }
  return check(d, values, has_domain(c.op));
}

// The operations whose gradient nobody has written yet, and those whose gradient has such an operation in it.
std::set<std::string> const not_yet{"cumprod", "gamma", "gammaln", "scatter_nd", "sort", "topk"};
std::set<std::string> const not_yet_twice{"ctc_loss", "cumprod", "gamma", "gammaln", "scatter_nd", "sort", "topk"};

// A case for each call, dtype aside, with floating operands and results.
std::vector<op_case> const& all_cases() {
  static auto const all = [] {
    std::vector<op_case> r;
    std::set<std::string> seen;
    for (char const* file : {"cases", "recorded"})
      for (op_case& c : case_reader(file).read()) {
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
        bool const says_otherwise = c.op == "stop_gradient";  // nn/gradient.cpp
        if (!says_otherwise && floating && floating_result && in_double && size <= 6000 && seen.insert(key).second)
          r.push_back(std::move(c));
      }
    return r;
  }();
  return all;
}
void check_all(int order, std::set<std::string> const& without, int least) {
  std::map<std::string, int> elements;
  std::set<std::string> refused;
  for (op_case const& c : all_cases()) {
    INFO(c.line.substr(0, 300));
    try {
      checked_gradients const r = check(c, order);
      elements[c.op] += r.elements;
      CHECK(r.wrong == "");
    } catch (std::exception const& e) {
      refused.insert(c.op);
      CHECK(std::string(e.what()).starts_with("sinter: there is no gradient of "));
    }
  }
  CHECK(refused == without);
  int all = 0;
  for (auto const& [op, n] : elements) {
    INFO(op);
    CHECK((n > 0) != refused.contains(op));
    all += n;
  }
  CHECK(elements.size() > 120);
  CHECK(all > least);
}

}  // namespace

TEST_CASE("gradients of all operations against central differences") { check_all(1, not_yet, 3000); }
TEST_CASE("gradients of gradients of all operations against central differences") { check_all(2, not_yet_twice, 3000); }
TEST_CASE("operations that have no gradient yet say so") {
  for (std::string const& op : not_yet) CHECK(sym::find_callable(op)->op->derives == derivative::unknown);
  for (sym::callable const& f : sym::callables())
    if (f.op->derives == derivative::unknown) CHECK(not_yet.contains(std::string(f.op->name)));
}

}  // namespace test
