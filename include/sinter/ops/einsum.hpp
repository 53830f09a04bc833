// SPDX-License-Identifier: Apache-2.0
// Sums of products, of which a string names the axes: einsum.
#pragma once
#include <string_view>

#include "../core/text.hpp"
#include "blocks.hpp"
#include "product.hpp"
#include "reduction.hpp"

namespace sinter::ops::inline SINTER_ISA {

// Names of axes in their order: letters, '.' for an ellipsis, and behind `with_axes` the numbers 1, 2, ... for its axes, counted from the last.
struct axis_names {
  int n = 0;
  char at[64]{};
  constexpr void push(char c) { at[n++] = c; }
  constexpr int code(int j) const { return static_cast<unsigned char>(at[j]); }
  constexpr int count(char c) const {
    int r = 0;
    for (int i = 0; i < n; ++i) r += at[i] == c;
    return r;
  }
  constexpr bool has(char c) const { return count(c) > 0; }
  constexpr bool operator==(axis_names const& o) const {
    bool same = n == o.n;
    for (int i = 0; same && i < n; ++i) same = at[i] == o.at[i];
    return same;
  }
  // A letter for each axis of `rank`; of fewer axes than letters n is -1.
  constexpr axis_names with_axes(int rank) const {
    axis_names r;
    int const more = rank - n + 1;
    if (!has('.') ? more != 1 : more < 0) r.n = -1;
    for (int i = 0; i < n && r.n >= 0; ++i) {
      if (at[i] != '.') r.push(at[i]);
      for (int k = more; at[i] == '.' && k > 0; --k) r.push(static_cast<char>(k));
    }
    return r;
  }
};

// What subscripts say, and how a graph keeps them: eight characters a word.
struct axes_of_operands {
  static constexpr int longest = 8 * max_rank;
  list<axis_names> in;
  axis_names out;
  bool ok = true;

  static constexpr int_list packed(std::string_view s) {
    int_list r;
    for (std::size_t i = 0; i < s.size() && i < longest; ++i) {
      if (i % 8 == 0) r.push(0);
      r.at[r.n - 1] |= static_cast<std::int64_t>(static_cast<unsigned char>(s[i]) & 0x7f) << 8 * (i % 8);
    }
    return r;
  }
  static constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  constexpr explicit axes_of_operands(int_list const& words) {
    char s[longest + 3]{};
    for (int i = 0; i < 8 * words.n; ++i) s[i] = static_cast<char>(words[i / 8] >> 8 * (i % 8) & 0x7f);
    bool arrow = false;
    axis_names now;
    for (int i = 0; s[i] && ok; ++i) {
      if (s[i] == ' ') continue;
      if (is_letter(s[i])) now.push(s[i]);
      else if (s[i] == '.') ok = s[i + 1] == '.' && s[i + 2] == '.' && !now.has('.'), now.push('.'), i += 2;
      else if (s[i] == ',' && !arrow) in.push(now), now = {};
      else if (s[i] == '-' && s[i + 1] == '>' && !arrow) in.push(now), now = {}, arrow = true, ++i;
      else ok = false;
    }
    if (arrow) out = now;
    else in.push(now);
    check_result(arrow);
  }
  constexpr int count(char c) const {
    int r = 0;
    for (axis_names const& k : in) r += k.count(c);
    return r;
  }

 private:
  // Without an arrow the result has the letters that stand in the subscripts once, in the order of the alphabet.
  constexpr void check_result(bool given) {
    if (!given) {
      if (count('.')) out.push('.');
      for (int c = 'A'; c <= 'z'; ++c)
        if (is_letter(static_cast<char>(c)) && count(static_cast<char>(c)) == 1) out.push(static_cast<char>(c));
      return;
    }
    for (int i = 0; i < out.n; ++i) ok = ok && out.count(out.at[i]) == 1 && (out.at[i] == '.' || count(out.at[i]) > 0);
    ok = ok && (out.has('.') || !count('.'));
  }
};

namespace key {
struct subscripts {
  static constexpr std::string_view name = "subscripts";
  using value = int_list;
  // Of what is misspelled -1 words: `check` says so, and no sentence about the operands is to follow.
  template <text S> static constexpr int_list read() {
    int_list r;
    r.n = -1;
    return is_spelled(S.view()) ? axes_of_operands::packed(S.view()) : r;
  }
  static constexpr bool takes(int_list const& words) { return words.n > 0 && axes_of_operands(words).ok; }
  static constexpr bool is_spelled(std::string_view s) {
    return s.size() <= axes_of_operands::longest && axes_of_operands(axes_of_operands::packed(s)).ok;
  }
  template <text S> static constexpr void check() {
    constexpr bool spelled = is_spelled(S.view());
    static_assert(spelled,
                  "sinter: subscripts<\"ij,jk->ik\"> are letters for the axes of each operand, between commas, and behind -> those of the "
                  "result, each once and one of theirs; ... stands for further axes on both sides, and 64 characters are the most");
  }
};
}  // namespace key

// einsum(a, b, ..., subscripts<"ij,jk->ik">): NumPy's: a letter for each axis of an operand. The products of all elements whose places agree
// in all letters are summed over the letters that the result has not; without an arrow it has those that stand there once, in the order of
// the alphabet. A letter twice in one operand is its diagonal, and ... stands for axes that broadcast. Unlike NumPy's, an extent of 1 does
// not stretch under a letter. Several operands are multiplied from left to right, two at a time. Integers of fewer than 32 bits give int32.
struct einsum {
  static constexpr format_names formats{"_npi_einsum", "Einsum"};
  static constexpr family kind = family::composite;
  static constexpr operand_count arity{1, operand_count::any};
  static constexpr bool wants_arrays = true;
  using keywords = list_of<must<key::subscripts>>;
  struct attributes {
    int_list subscripts;
    static constexpr void each(auto& a, auto&& f) { f("subscripts", a.subscripts); }
  };
  static constexpr attributes arguments(auto const& k, operand_types) { return {k[key::subscripts{}].value}; }

  static constexpr inferred infer(operand_types in, attributes const& a, dimension_table& t) {
    if (a.subscripts.n < 0) return {in[0]};
    axes_of_operands const s(a.subscripts);
    if (in[0].type == dtype::boolean) return {{}, problem::takes_no_bool, 0, in.n - 1};
    if (!s.ok) return {{}, problem::keyword_value, 0, 0};
    if (in.n != s.in.size()) return {{}, problem::subscripts_count, 0, in.n - 1};
    list<axis_names> names;
    extent known[128]{};
    int seen_in[128]{}, further = 0;
    for (int i = 0; i < in.n; ++i) {
      dims const& x = in[i].shape;
      axis_names const k = s.in[i].with_axes(x.rank);
      if (k.n < 0) return {{}, problem::subscripts_count, i, i};
      for (int j = 0; j < k.n; ++j) {
        if (k.count(k.at[j]) > 1 && x.d[j] < 0) return {{}, problem::wants_number, i, i};
        int const c = k.code(j);
        if (c <= max_rank && c > further) further = c;
        if (seen_in[c] == 0) known[c] = x.d[j], seen_in[c] = i + 1;
        else if (!agree(known[c], x.d[j], c <= max_rank, t)) return {{}, problem::subscripts_extents, seen_in[c] - 1, i};
      }
      names.push(once(k));
    }
    for (int i = 0; i < in.n; ++i) {
      names[i] = without_alone(names, i, s.out);
      if (i == 0) continue;
      axis_names const both = meeting(names[i - 1], names[i], names, i, s.out).result();
      if (both.n > max_rank) return {{}, problem::too_many_dimensions, i - 1, i};
      names[i] = both;
    }
    inferred r{{summed_in(in[0].type), {}}};
    axis_names const out = s.out.with_axes(s.out.n - (s.out.has('.') ? 1 - further : 0));
    if (out.n > max_rank) return {{}, problem::too_many_dimensions, 0, in.n - 1};
    for (int j = 0; j < out.n; ++j) r.type.shape.push(known[out.code(j)]);
    return r;
  }

  static constexpr int expand(auto& g, operand_nodes in, attributes const& a) {
    if (a.subscripts.n < 0) return in[0];
    axes_of_operands const s(a.subscripts);
    list<axis_names> names;
    bool stretched[max_rank + 1]{};  // whether an axis of the ellipsis has another extent than 1 somewhere
    int further = 0;
    for (int i = 0; i < in.n; ++i) {
      dims const x = g.nodes[in[i]].type.shape;
      names.push(s.in[i].with_axes(x.rank));
      for (int j = 0; j < names[i].n; ++j)
        if (int const c = names[i].code(j); c <= max_rank) stretched[c] = stretched[c] || x.d[j] != 1, further = c > further ? c : further;
    }
    list<int> node;
    for (int i = 0; i < in.n; ++i) {
      array_type const t = g.nodes[in[i]].type;
      node.push(summed_in(t.type) == t.type ? in[i] : make<cast>(g, {summed_in(t.type)}, in[i]));
      without_ones(g, node[i], names[i], stretched);
      diagonals(g, node[i], names[i]);
    }
    for (int i = 0; i < in.n; ++i) sum_alone(g, node[i], names, i, s.out);
    for (int i = 1; i < in.n; ++i) {
      meeting const m(names[i - 1], names[i], names, i, s.out);
      node[i] = m.summed.n > 0 ? product_of(g, node[i - 1], names[i - 1], node[i], names[i], m)
                               : multiplied(g, node[i - 1], names[i - 1], node[i], names[i], m);
      names[i] = m.result();
    }
    int const last = in.n - 1;
    return arranged(g, node[last], names[last], s.out.with_axes(s.out.n - (s.out.has('.') ? 1 - further : 0)));
  }

 private:
  // What the letters of two operands are to each other; `i` is the second of `names`, and what stands behind it or in the result is kept.
  struct meeting {
    axis_names both, first, second, summed;
    constexpr meeting(axis_names const& x, axis_names const& y, list<axis_names> const& names, int i, axis_names const& out) {
      for (int j = 0; j < x.n; ++j) {
        bool kept = out.has(x.at[j]) || x.at[j] <= max_rank;
        for (int k = i + 1; k < names.size(); ++k) kept = kept || names[k].has(x.at[j]);
        if (!y.has(x.at[j])) first.push(x.at[j]);
        else (kept ? both : summed).push(x.at[j]);
      }
      for (int j = 0; j < y.n; ++j)
        if (!x.has(y.at[j])) second.push(y.at[j]);
    }
    constexpr axis_names result() const { return joined(joined(both, first), second); }
  };
  static constexpr axis_names once(axis_names const& x) {
    axis_names r;
    for (int j = 0; j < x.n; ++j)
      if (!r.has(x.at[j])) r.push(x.at[j]);
    return r;
  }
  // Operand i without the letters that only it has and the result has not: those are summed at once.
  static constexpr axis_names without_alone(list<axis_names> const& names, int i, axis_names const& out) {
    axis_names r;
    for (int j = 0; j < names[i].n; ++j) {
      char const c = names[i].at[j];
      bool kept = c <= max_rank || out.has(c);
      for (int k = 0; k < names.size(); ++k) kept = kept || (k != i && names[k].has(c));
      if (kept) r.push(c);
    }
    return r;
  }
  static constexpr axis_names joined(axis_names a, axis_names const& b) {
    for (int i = 0; i < b.n && a.n < 64; ++i) a.push(b.at[i]);
    return a;
  }
  // Whether a letter can stand for both extents; axes of an ellipsis stretch.
  static constexpr bool agree(extent& known, extent e, bool stretches, dimension_table& t) {
    extent both = 0;
    if (known == e) return true;
    if (!stretches && (known == 1 || e == 1)) return false;
    if (!broadcast_extent(known, e, both)) return false;
    if (known != 1 && e != 1) t.same(known, e);
    known = both;
    return true;
  }
  // The axes in another order; those that x has not get an extent of 1.
  static constexpr int arranged(auto& g, int x, axis_names const& from, axis_names const& to) {
    transpose::attributes order;
    bool moved = false;
    for (int i = 0; i < to.n; ++i)
      for (int j = 0; j < from.n; ++j)
        if (from.at[j] == to.at[i]) moved = moved || j != order.axes.n, order.axes.push(j);
    if (moved) x = make<transpose>(g, order, x);
    if (order.axes.n == to.n) return x;
    dims const s = g.nodes[x].type.shape;
    dims shape;
    int next = 0;
    for (int i = 0; i < to.n; ++i) shape.push(from.has(to.at[i]) ? s.d[next++] : 1);
    return make<reshape>(g, {shape}, x);
  }
  static constexpr void without_ones(auto& g, int& x, axis_names& names, bool const* stretched) {
    axis_names rest;
    dims const s = g.nodes[x].type.shape;
    dims shape;
    for (int j = 0; j < names.n; ++j)
      if (names.at[j] > max_rank || s.d[j] != 1 || !stretched[names.code(j)]) rest.push(names.at[j]), shape.push(s.d[j]);
    if (rest.n < names.n) x = make<reshape>(g, {shape}, x);
    names = rest;
  }
  static constexpr void diagonals(auto& g, int& x, axis_names& names) {
    for (int j = 0; j < names.n; ++j) {
      char const c = names.at[j];
      if (names.count(c) == 1) continue;
      transpose::attributes order;
      axis_names rest;
      int left = 2;
      for (int k = 0; k < names.n; ++k)
        if (names.at[k] != c || left-- <= 0) order.axes.push(k), rest.push(names.at[k]);
      for (int k = 0, more = 2; k < names.n; ++k)
        if (names.at[k] == c && more-- > 0) order.axes.push(k);
      rest.push(c);
      x = make<diag>(g, {0}, make<transpose>(g, order, x));
      names = rest;
      j = -1;
    }
  }
  static constexpr void sum_alone(auto& g, int& x, list<axis_names>& names, int i, axis_names const& out) {
    axis_names const rest = without_alone(names, i, out);
    reduction_attributes alone{0, false};
    for (int j = 0; j < names[i].n; ++j)
      if (!rest.has(names[i].at[j])) alone.axes |= std::int64_t{1} << j;
    if (alone.axes) x = make<sum>(g, alone, x);
    names[i] = rest;
  }
  static constexpr int multiplied(auto& g, int x, axis_names const& of_x, int y, axis_names const& of_y, meeting const& m) {
    axis_names const all = m.result();
    return make<multiply>(g, arranged(g, x, of_x, all), arranged(g, y, of_y, all));
  }
  // The extent of several axes as one: of the letters `some`, which x has.
  static constexpr extent together(auto& g, int x, axis_names const& of_x, axis_names const& some) {
    size n{1, 0};
    for (int i = 0; i < some.n; ++i)
      for (int j = 0; j < of_x.n; ++j)
        if (of_x.at[j] == some.at[i]) n = n * g.dimensions.size_of(g.nodes[x].type.shape.d[j]);
    return g.dimensions.extent_of(n);
  }
  // As a matrix for each place of the axes in `both`, or with those as one axis where they are too many.
  static constexpr int as_matrices(auto& g, int x, axis_names const& of_x, axis_names const& both, axis_names const& rows,
                                   axis_names const& columns) {
    bool const many = both.n > max_rank - 2;
    extent const r = together(g, x, of_x, rows), c = together(g, x, of_x, columns);
    dims shape;
    if (many) shape.push(together(g, x, of_x, both));
    int const y = arranged(g, x, of_x, joined(joined(both, rows), columns));
    for (int i = 0; i < both.n && !many; ++i) shape.push(g.nodes[y].type.shape.d[i]);
    shape.push(r);
    shape.push(c);
    return !many && rows.n == 1 && columns.n == 1 ? y : make<reshape>(g, {shape}, y);
  }
  static constexpr int product_of(auto& g, int x, axis_names const& of_x, int y, axis_names const& of_y, meeting const& m) {
    // As they stand, where one of them is only to be read transposed.
    bool const ta = of_x == joined(joined(m.both, m.summed), m.first), tb = of_y == joined(joined(m.both, m.second), m.summed);
    int const a = as_matrices(g, x, of_x, m.both, ta ? m.summed : m.first, ta ? m.first : m.summed);
    int const b = as_matrices(g, y, of_y, m.both, tb ? m.second : m.summed, tb ? m.summed : m.second);
    int const z = make<product>(g, {ta, tb}, a, b);
    if (m.both.n <= max_rank - 2 && m.first.n == 1 && m.second.n == 1) return z;
    dims const s = g.nodes[z].type.shape;
    dims shape;
    for (int i = 0; i < m.both.n && m.both.n <= max_rank - 2; ++i) shape.push(s.d[i]);
    if (m.both.n > max_rank - 2) push_extents(g, shape, x, of_x, m.both);
    push_extents(g, shape, x, of_x, m.first);
    push_extents(g, shape, y, of_y, m.second);
    return make<reshape>(g, {shape}, z);
  }
  static constexpr void push_extents(auto& g, dims& shape, int x, axis_names const& of_x, axis_names const& some) {
    for (int i = 0; i < some.n; ++i)
      for (int j = 0; j < of_x.n; ++j)
        if (of_x.at[j] == some.at[i]) shape.push(g.nodes[x].type.shape.d[j]);
  }
};

using einsum_ops = list_of<einsum>;

}  // namespace sinter::ops::inline SINTER_ISA

namespace sinter::inline SINTER_ISA {
// `F.einsum(a, b, subscripts<"ij,jk->ik">)`
template <text S> inline constexpr ops::keyword<ops::key::subscripts, S> subscripts{};
}  // namespace sinter::inline SINTER_ISA

SINTER_OP(einsum, "(a, b, ..., subscripts<\"ij,jk\">)")
