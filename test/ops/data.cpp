// SPDX-License-Identifier: Apache-2.0
// The values of every operation: each call in test/data/ops as a graph that the program makes and the interpreter runs, of operands whose
// extents are numbers, have names, lie in memory in another order, and are parameters. A new operation is a `case` in make.py there.
#include "cases.hpp"
#include "loops.hpp"

#include <filesystem>

namespace test {

using namespace sinter;

namespace {

std::vector<op_case> const& all_cases() {
  static auto const all = [] {
    std::vector<op_case> r = case_reader("cases").read();
    std::vector<op_case> more = case_reader("recorded").read();
    r.insert(r.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return r;
  }();
  return all;
}

enum class given { as_numbers, with_names, as_views, as_parameters };

// The operands of a call as symbols, and the values of their variables.
class operands_of {
 public:
  std::vector<symbol> symbols;
  sym::arrays_by_name values;

  operands_of(op_case const& c, given how) {
    for (case_array const& a : c.operands) add(a, how);
  }

 private:
  void add(case_array const& a, given how) {
    if (a.is_number) {
      symbols.push_back(a.is_floating() ? sym::number_symbol(a.reals[0]) : sym::number_symbol(static_cast<int>(a.wholes[0])));
      return;
    }
    std::string const name = "x" + std::to_string(symbols.size());
    if (how == given::as_parameters && symbols.size() > 0) {
      symbols.push_back(sym::held(name, stored(a, a.shape, [](extent i) { return i; })));
      return;
    }
    if (how != given::as_views || a.shape.rank == 0) {
      values.emplace(name, stored(a, a.shape, [](extent i) { return i; }));
      symbols.push_back(sym::var(name, how == given::with_names ? names_in(a.shape) : a.shape, a.type));
      return;
    }
    if (a.shape.rank > 1 && symbols.size() % 2 == 0) {  // transposed in memory
      dims turned;
      for (int k = a.shape.rank; k-- > 0;) turned.push(a.shape.d[k]);
      values.emplace(name, stored(a, turned, [&](extent i) {
                       place_of p;
                       for (int k = turned.rank; k-- > 0; i /= turned.d[k]) p[turned.rank - 1 - k] = i % turned.d[k];
                       return index_in_array(a.shape, p);
                     }));
      symbols.push_back(sym::call("transpose", {sym::var(name, turned, a.type)})[0]);
      return;
    }
    // Backwards, with other elements between its own.
    dims wide = a.shape;
    extent const n = wide.d[wide.rank - 1];
    wide.d[wide.rank - 1] = 2 * n;
    int_list step;
    for (int k = 0; k < wide.rank; ++k) step.push(k + 1 == wide.rank ? -2 : 1);
    values.emplace(name, stored(a, wide, [&](extent i) { return i / (2 * n) * n + n - 1 - i % (2 * n) / 2; }));
    symbols.push_back(sym::call("slice", {sym::var(name, wide, a.type)}, {{"step", step}})[0]);
  }
  // An array of this shape whose element i is element from(i) of `a`.
  template <class From> static sym::array stored(case_array const& a, dims const& shape_, From const& from) {
    sym::array r(a.type, shape_);
    with_type(a.type, [&]<class T>(T*) {
      T* const to = reinterpret_cast<T*>(r.data());
      for (extent i = 0, n = shape_.size(); i < n; ++i) {
        auto const f = static_cast<std::size_t>(from(i));
        if (a.is_floating()) to[i] = static_cast<T>(a.reals[f]);
        else to[i] = static_cast<T>(a.wholes[f]);
      }
    });
    return r;
  }
};

template <class T> std::string result_differs(tolerance const& t, sym::array const& got, case_array const& want,
                                              std::vector<double> const& bound) {
  any_array<T> g(got.shape());
  std::copy_n(reinterpret_cast<T const*>(got.data()), got.shape().size(), g.owner.data());
  any_array<wanted<T>> w(want.shape);
  any_array<double> b(want.shape);
  for (extent i = 0, n = want.shape.size(); i < n; ++i) {
    auto const k = static_cast<std::size_t>(i);
    if constexpr (std::is_floating_point_v<T>) w.owner.data()[i] = want.reals[k];
    else w.owner.data()[i] = static_cast<T>(want.wholes[k]);
    if (!bound.empty()) b.owner.data()[i] = bound[bound.size() == 1 ? 0 : k];
  }
  return mismatch<T>(t, g, w, bound.empty() ? nullptr : &b);
}
std::string result_differs(tolerance const& t, sym::array const& got, case_array const& want, std::vector<double> const& bound) {
  if (got.type() != want.type)
    return std::string(t.op) + ": the dtype is " + std::string(name_of(got.type())) + ", not " + std::string(name_of(want.type));
  switch (got.type()) {
    case dtype::int8: return result_differs<std::int8_t>(t, got, want, bound);
    case dtype::uint8: return result_differs<std::uint8_t>(t, got, want, bound);
    case dtype::int16: return result_differs<std::int16_t>(t, got, want, bound);
    default: return with_computed_type(got.type(), [&]<class T>(T*) { return result_differs<T>(t, got, want, bound); });
  }
}
sym::results run(op_case const& c, given how) {
  operands_of const in(c, how);
  return sym::group(sym::call(c.op, in.symbols, c.keywords)).eval(in.values);
}
// How these results differ from those of the case; empty where they do not.
std::string differ(op_case const& c, sym::results const& got) {
  if (got.size() != c.results.size()) return std::to_string(got.size()) + " results, not " + std::to_string(c.results.size());
  op_info const& op = *sym::find_callable(c.op)->op;
  tolerance const t = tolerance_of(op.name, op.kind, op.exact);
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::string const wrong = result_differs(t, got[i], c.results[i], c.bounds[i]); !wrong.empty())
      return got.size() == 1 ? wrong : "result " + std::to_string(i) + ": " + wrong;
  return {};
}
std::string failure(op_case const& c, given how) {
  try {
    return differ(c, run(c, how));
  } catch (std::exception const& e) { return e.what(); }
}
void check_cases(given how) {
  for (op_case const& c : all_cases()) {
    if (how == given::as_parameters && c.operands.size() < 2) continue;
    if (std::string const wrong = failure(c, how); !wrong.empty()) FAIL_CHECK(wrong << "\n  " << c.line);
  }
}

// What the headers of the room offer: one line SINTER_OP(name, ...) or SINTER_MATH_OP(name, ...) each.
std::set<std::string> offered_ops() {
  std::set<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(SINTER_SOURCE_DIR "/include/sinter/ops")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      for (std::string_view const begin : {"SINTER_OP(", "SINTER_MATH_OP("})
        if (line.starts_with(begin)) names.insert(line.substr(begin.size(), line.find(',') - begin.size()));
  }
  return names;
}
std::set<std::string> listed_ops() {
  std::set<std::string> names;
  for (sym::callable const& f : sym::callables()) names.emplace(f.op->name);
  return names;
}
std::string without_case(std::set<std::string> names) {
  for (op_case const& c : all_cases()) names.erase(c.op);
  std::string r;
  for (std::string const& n : names) r += r.empty() ? n : ", " + n;
  return r;
}
// The case with another number in place of one that it wants, of floats where the bound is least; false where it has none.
bool spoil(op_case& c) {
  for (std::size_t k = 0; k < c.results.size(); ++k) {
    case_array& r = c.results[k];
    std::vector<double> const& bound = c.bounds[k];
    if (!r.reals.empty()) {
      double& v = bound.size() > 1 ? r.reals[static_cast<std::size_t>(std::min_element(bound.begin(), bound.end()) - bound.begin())]
                                   : r.reals[r.reals.size() / 2];
      v = std::isfinite(v) ? v + (std::abs(v) + 1) / 64 : 0;
      return true;
    }
    if (!r.wholes.empty()) return r.wholes[r.wholes.size() / 2] ^= 1, true;
  }
  return false;
}

}  // namespace

TEST_CASE("operations of arrays whose extents are numbers, and whether a wrong one among the results would be seen") {
  std::set<std::string> spoiled;
  for (op_case c : all_cases()) {
    INFO(c.line);
    try {
      sym::results const got = run(c, given::as_numbers);
      CHECK(differ(c, got) == "");
      if (!spoil(c)) continue;
      spoiled.insert(c.op);
      CHECK(differ(c, got) != "");
    } catch (std::exception const& e) { FAIL_CHECK(e.what()); }
  }
  std::set<std::string> never = listed_ops();
  for (std::string const& op : spoiled) CHECK(never.erase(op) == 1);
  INFO("operations without a case whose result would be seen to be wrong");
  CHECK(never == std::set<std::string>{});
}
TEST_CASE("operations of arrays that lie in another order") { check_cases(given::as_views); }
TEST_CASE("operations whose operands, but for the first, are parameters") { check_cases(given::as_parameters); }
TEST_CASE("operations of arrays whose extents have names") {
  for (op_case const& c : all_cases()) {
    std::string const wrong = failure(c, given::with_names);
    if (c.is_named && !wrong.empty()) FAIL_CHECK(wrong << "\n  " << c.line);
    if (!c.is_named && !wrong.starts_with("sinter: ")) FAIL_CHECK("is not refused: " << c.line);
  }
}

TEST_CASE("every operation has a case, and stands in the list of its header") {
  auto const offered = offered_ops();
  CHECK(offered.size() >= 150);
  CHECK(offered.contains("one_hot"));
  CHECK(offered == listed_ops());
  CHECK(without_case(listed_ops()) == "");
  CHECK(without_case({"add", "untested", "exp"}) == "untested");
}

TEST_CASE("a case that is misspelled is refused") {
  case_reader const cases("cases");
  for (char const* line : {"exp : float32(2)[1] = float32(2)[1,2]", "exp : float32(1)[x] = float32(1)[1]",
                           "exp : float33(1)[1] = float32(1)[1]", "exp : float32(1)[1]", "sum axis : float32(1)[1] = float32()[1]"})
    CHECK_THROWS(cases.read(line));
  CHECK(failure(cases.read("exp : float32(1)[0] = float32(1)[1]"), given::as_numbers) == "");
  CHECK(failure(cases.read("exp : float32(1)[0] = float32(1)[1.0000003]"), given::as_numbers) != "");
  CHECK(failure(cases.read("exp : float32(1)[0] = float64(1)[1]"), given::as_numbers) != "");
  CHECK(failure(cases.read("exp : float32(1)[0] = float32(1,1)[1]"), given::as_numbers) != "");
  CHECK(failure(cases.read("exp axis=1 : float32(1)[0] = float32(1)[1]"), given::as_numbers) != "");
}

// The comparison itself: what it must find, and what it must let pass.
TEST_CASE("a wrong number is found, and none that is near enough") {
  using one = sinter::nd::tensor<float, shape<1>>;
  using wide = sinter::nd::tensor<double, shape<1>>;
  float const inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN(),
              most = std::numeric_limits<float>::max();
  auto const differ = [](float got, double want) { return test::mismatch<ops::sqrt>(one{got}, wide{want}) != ""; };
  CHECK(!differ(1, 1));
  CHECK(!differ(1, 1 + 0x1p-25));
  CHECK(differ(1, 1 + 0x1p-23));
  CHECK(differ(1, 1 - 0x1p-24));
  CHECK(differ(1, nan));
  CHECK(differ(nan, 1));
  CHECK(!differ(nan, nan));
  CHECK(differ(inf, -inf));
  CHECK(differ(inf, most));
  CHECK(!differ(inf, 1e300));
  CHECK(differ(most, inf));
  CHECK(differ(0.f, -0.0));
  CHECK(!differ(0.f, 1e-60));
  CHECK(differ(0.f, 1e-40));
  CHECK(!differ(std::numeric_limits<float>::denorm_min(), 0x1.4p-149));
  CHECK(test::mismatch<ops::sqrt>(one{1}, sinter::nd::tensor<double, shape<2>>{1, 1}) != "");
  CHECK(test::mismatch<ops::gelu>(one{1}, wide{1 + 0x1p-20}, wide{18}) == "");
  CHECK(test::mismatch<ops::gelu>(one{1}, wide{1 + 0x1p-20}, wide{13}) != "");
}

}  // namespace test
