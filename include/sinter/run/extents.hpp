// SPDX-License-Identifier: Apache-2.0
// The extents of an eager result with dynamic dimensions: the types say where each is read and which must be equal, so that eager calls
// follow the rules of the compiled network and not those of the numbers that a call happens to bring.
#pragma once
#include "../core/error.hpp"
#include "../ops/rule.hpp"

namespace sinter::executor::inline SINTER_ISA {

// A named dimension that several operands have: here it is read again.
struct named_again {
  extent is = 0;
  int input = 0, axis = 0;
};
// An extent of a rule: a number, or which row of the table it is.
constexpr extent row_of(dimension_table const& t, extent e) {
  for (int i = 0; i < t.rows.size(); ++i)
    if (t.rows[i].code == e) return -named_base - i;
  return e;
}
constexpr extent value_of(binding const& b, extent e) { return e > -named_base ? e : b.value[-named_base - e]; }

// The dynamic dimensions of the call that R is the rule of.
template <class R> struct extents_of;
template <class Op, class... K, class... Arg> struct extents_of<ops::rule<Op, ops::list_of<K...>, Arg...>> {
  using rule = ops::rule<Op, ops::list_of<K...>, Arg...>;
  static constexpr int n = sizeof...(Arg);
  struct found {
    bounded_list<dimension, max_dimensions> rows;
    bounded_list<equality, max_rank*(n + 1)> equal;
    bounded_list<named_again, max_rank*(n + 1)> again;
    dims results[rule::results];
    bool known = true;  // whether every extent of the results follows from the operands
  };
  static constexpr found find() {
    dimension_table t;
    list<named_again> repeated;
    array_type types[n + 1]{};
    for (int i = 0; i < n; ++i) {
      types[i] = rule::value.in[i];
      for (int k = 0; k < types[i].shape.rank; ++k) {
        extent& e = types[i].shape.d[k];
        int const before = t.rows.size();
        e = t.declare(e, i, k);
        if (e < 0 && t.rows.size() == before) repeated.push({row_of(t, e), i, k});
      }
    }
    auto const attributes = rule::attributes(types);
    inferred const r = ops::infer<Op>({types, n}, attributes, t);
    for (dimension& d : t.rows) d.a = row_of(t, d.a), d.b = row_of(t, d.b);
    for (equality& e : t.equal) e = {row_of(t, e.a), row_of(t, e.b)};
    found f{bounded_list<dimension, max_dimensions>(t.rows),
            bounded_list<equality, max_rank*(n + 1)>(t.equal),
            bounded_list<named_again, max_rank*(n + 1)>(repeated),
            {}};
    for (int k = 0; k < rule::results; ++k) {
      dims& s = f.results[k];
      s = r.type.shape;
      if constexpr (ops::has_several<Op>) s = Op::result(k, {types, n}, attributes, r.type).shape;
      for (int i = 0; i < s.rank; ++i) {
        f.known = f.known && (s.d[i] >= 0 || !(t.size_of(s.d[i]) == size{}));
        s.d[i] = row_of(t, s.d[i]);
      }
    }
    return f;
  }
  static constexpr found all = find();
  static constexpr bool known = all.known;
  static constexpr int n_results = rule::results;
  struct shapes {
    dims items[rule::results];
    constexpr dims const& operator[](int i) const { return items[i]; }
  };
  static constexpr shapes results = [] {
    shapes s{};
    for (int k = 0; k < rule::results; ++k) s.items[k] = all.results[k];
    return s;
  }();
  static constexpr frozen_list<dimension, all.rows.count> rows{all.rows};
  static constexpr frozen_list<equality, all.equal.count> equal{all.equal};
  static constexpr frozen_list<named_again, all.again.count> again{all.again};
};

// What the shapes of operands look like in a sentence.
inline std::string shapes_in_words(dims const* shapes, int n) {
  std::string r;
  for (int i = 0; i < n; ++i) r += (i == 0 ? "" : i + 1 == n ? " and " : ", ") + to_string(shapes[i]);
  return r;
}
[[noreturn]] SINTER_NOINLINE inline void refuse_extents(std::string_view op, dims const* shapes, int n) {
  throw shape_error("sinter: " + std::string(op) + " of " + shapes_in_words(shapes, n) +
                    (op == "reshape" ? ": the new shape holds another number of elements"
                                     : ": dynamic extents that meet must be equal; only a 1 in the type of a shape stretches"));
}

// The extents of result `which` when the operands have the shapes `actual`.
template <class E> constexpr dims result_extents_of(std::string_view op, dims const* actual, int n, int which) {
  binding b;
  for (int i = 0; i < E::rows.size(); ++i) {
    dimension const& d = E::rows.items[i];
    if (d.from == dimension::origin::input) b.value[i] = actual[d.input].d[d.axis];
    else if (d.from == dimension::origin::product) b.value[i] = b(d.value);
    else b.value[i] = computed_from(d, value_of(b, d.a), value_of(b, d.b));
  }
  bool fits = true;
  for (named_again const& a : E::again) fits = fits && actual[a.input].d[a.axis] == value_of(b, a.is);
  for (equality const& e : E::equal) fits = fits && value_of(b, e.a) == value_of(b, e.b);
  if (!fits) refuse_extents(op, actual, n);
  dims r = E::results[which];
  for (int i = 0; i < r.rank; ++i) r.d[i] = value_of(b, r.d[i]);
  if (!is_countable(r))
    throw shape_error("sinter: " + std::string(op) + " gives the extents " + to_string(r) +
                      ", which are more elements than memory can have");
  return r;
}

}  // namespace sinter::executor::inline SINTER_ISA
