// SPDX-License-Identifier: Apache-2.0
// Calls of operations and what they give, as test/data/ops has them: a line for each call, and beside it the elements of longer arrays.
//   sum axis=(0,2) keepdims=true : float32(2,3,4)#0a1b2c3d = float32(1,3,1)[1,-2.5,0]+-#4e5f6071
// An operation of F, its keywords by name, the operands (a plain number is one, too), the results. Elements stand in brackets or, where
// there are more than eight, in the .npy files under the FNV-1a hash of what they are. Results of floats are numbers in double, and behind +-
// stands how far they may lie away, in roundings of their dtype: one number, or one for each element. `unnamed` at the end: the operation
// refuses names for the extents of these operands.
#pragma once
#include <sinter/symbol.hpp>
#include <sinter/symbol/call.hpp>
#include <sinter/symbol/held.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "records.hpp"

namespace test {

// An operand, a result or its bounds: floats in `reals`, everything else in `wholes`. A plain number has `is_number` and no shape.
struct case_array {
  sinter::dtype type = sinter::dtype::none;
  dims shape;
  bool is_number = false;
  std::vector<double> reals;
  std::vector<std::int64_t> wholes;
  bool is_floating() const { return sinter::is_floating(type); }
};
struct op_case {
  std::string line, op;
  sinter::sym::keyword_values keywords;
  std::vector<case_array> operands, results;
  std::vector<std::vector<double>> bounds;  // of each result: none, one or as many as elements
  bool is_named = true;
};

class case_reader {
 public:
  explicit case_reader(std::string const& file)
      : name_(file), reals_(pool<double>(file + ".npy")), wholes_(pool<std::int32_t>(file + ".int.npy")) {}

  std::vector<op_case> read() {
    std::vector<op_case> all;
    std::ifstream file(folder() + name_ + ".txt");
    if (!file) throw std::runtime_error("test/data/ops has no " + name_ + ".txt; make.py writes it");
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line[0] == '#') continue;
      try {
        all.push_back(read(line));
      } catch (std::exception const& e) { throw std::runtime_error(name_ + ".txt: " + line + ": " + e.what()); }
    }
    return all;
  }
  op_case read(std::string const& line) const {
    op_case r;
    r.line = line;
    std::istringstream words(line);
    words >> r.op;
    std::string w;
    while (words >> w && w != ":") {
      std::size_t const at = w.find('=');
      if (at == w.npos) throw std::runtime_error("a keyword is written name=value, not " + w);
      r.keywords.emplace(w.substr(0, at), keyword(w.substr(at + 1)));
    }
    while (words >> w && w != "=") r.operands.push_back(operand(w));
    while (words >> w)
      if (w == "unnamed") r.is_named = false;
      else result(r, w);
    if (r.results.empty()) throw std::runtime_error("no result is given");
    return r;
  }

 private:
  template <class N> using pooled = std::map<std::uint32_t, std::vector<N>>;
  std::string name_;
  pooled<double> reals_;
  pooled<std::int32_t> wholes_;

  static std::string folder() { return SINTER_SOURCE_DIR "/test/data/ops/"; }
  // Hash, count, and the elements, one behind the other; integers that need 64 bits as two numbers, the lower half first.
  template <class N> static pooled<N> pool(std::string const& file) {
    sinter::io::array const a = sinter::io::read_npy(folder() + file);
    if (a.type != sinter::dtype_of<N>) throw std::runtime_error(file + " holds numbers of another type");
    std::vector<N> v(a.data.size() / sizeof(N));
    if (!v.empty()) std::memcpy(v.data(), a.data.data(), a.data.size());
    pooled<N> r;
    for (std::size_t i = 0; i < v.size();) {
      auto const hash = static_cast<std::uint32_t>(static_cast<std::int64_t>(v[i]));
      auto const n = static_cast<std::size_t>(v.at(i + 1));
      if (i + 2 + n > v.size()) throw std::runtime_error(file + " is cut in the middle of an array");
      r.emplace(hash, std::vector<N>(v.begin() + static_cast<std::ptrdiff_t>(i + 2), v.begin() + static_cast<std::ptrdiff_t>(i + 2 + n)));
      i += 2 + n;
    }
    return r;
  }
  static std::vector<std::string> split(std::string const& s) {
    std::vector<std::string> r;
    std::istringstream in(s);
    for (std::string part; std::getline(in, part, ',');) r.push_back(part);
    return r;
  }
  static double real(std::string const& s) {
    char* end = nullptr;
    double const v = std::strtod(s.c_str(), &end);
    if (s.empty() || *end) throw std::runtime_error(s + " is no number");
    return v;
  }
  static std::int64_t whole(std::string const& s) {
    char* end = nullptr;
    long long const v = std::strtoll(s.c_str(), &end, 10);
    if (s.empty() || *end) throw std::runtime_error(s + " is no whole number");
    return v;
  }
  static bool is_whole(std::string const& s) { return s.find_first_not_of("-0123456789") == s.npos; }
  // true, 3, 0.5, float32, (1,open) a list, [2,3] a shape, {1,2.5} numbers, "ij,jk->ik" subscripts.
  static sinter::sym::keyword_value keyword(std::string const& s) {
    std::string const inner = s.size() < 2 ? "" : s.substr(1, s.size() - 2);
    switch (s.empty() ? ' ' : s[0]) {
      case '(': {
        sinter::int_list r;
        for (std::string const& v : split(inner)) r.push(v == "open" ? std::int64_t{sinter::open} : whole(v));
        return r;
      }
      case '[': {
        dims r;
        for (std::string const& v : split(inner)) r.push(whole(v));
        return r;
      }
      case '{': {
        ops::number_list r;
        for (std::string const& v : split(inner)) r.at[r.n++] = is_whole(v) ? sinter::number(whole(v)) : sinter::number(real(v));
        return r;
      }
      case '"': return ops::axes_of_operands::packed(inner);
      default: break;
    }
    if (s == "true" || s == "false") return s == "true";
    if (dtype const t = sinter::dtype_named(s); t != dtype::none) return t;
    if (is_whole(s)) return static_cast<int>(whole(s));
    return real(s);
  }
  std::vector<double> reals(std::string const& s) const {
    if (s[0] == '#') return reals_.at(hash(s));
    std::vector<double> r;
    for (std::string const& v : split(s.substr(1, s.size() - 2))) r.push_back(real(v));
    return r;
  }
  static std::uint32_t hash(std::string const& s) { return static_cast<std::uint32_t>(std::strtoul(s.c_str() + 1, nullptr, 16)); }
  std::vector<std::int64_t> wholes(std::string const& s, std::size_t n) const {
    std::vector<std::int64_t> r;
    if (s[0] == '#') {
      std::vector<std::int32_t> const& v = wholes_.at(hash(s));
      if (v.size() == n) return {v.begin(), v.end()};
      for (std::size_t i = 0; i + 1 < v.size(); i += 2)
        r.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(v[i + 1])) << 32 |
                                              static_cast<std::uint32_t>(v[i])));
      return r;
    }
    for (std::string const& v : split(s.substr(1, s.size() - 2))) r.push_back(whole(v));
    return r;
  }
  case_array operand(std::string const& w) const {
    case_array r;
    std::size_t const open = w.find('('), close = w.find(')');
    if (open == w.npos || close == w.npos) {
      r.is_number = true;
      r.type = is_whole(w) ? dtype::int32 : dtype::float64;
      if (r.is_floating()) r.reals = {real(w)};
      else r.wholes = {whole(w)};
      return r;
    }
    r.type = sinter::dtype_named(w.substr(0, open));
    if (r.type == dtype::none) throw std::runtime_error(w + " has no dtype");
    for (std::string const& v : split(w.substr(open + 1, close - open - 1))) r.shape.push(whole(v));
    std::string const elements = w.substr(close + 1);
    auto const n = static_cast<std::size_t>(r.shape.size());
    if (elements.empty()) throw std::runtime_error(w + " has no elements");
    if (r.is_floating()) r.reals = reals(elements);
    else r.wholes = wholes(elements, n);
    if (r.reals.size() + r.wholes.size() != n) throw std::runtime_error(w + " has another number of elements than its shape");
    return r;
  }
  void result(op_case& c, std::string const& w) const {
    std::size_t const at = w.find("+-");
    c.results.push_back(operand(w.substr(0, at)));
    c.bounds.emplace_back();
    if (at == w.npos) return;
    std::string const b = w.substr(at + 2);
    c.bounds.back() = b[0] == '#' || b[0] == '[' ? reals(b) : std::vector<double>{real(b)};
    std::size_t const n = c.bounds.back().size();
    if (n != 1 && n != c.results.back().reals.size()) throw std::runtime_error(w + " has another number of bounds than of elements");
  }
};

}  // namespace test
