// SPDX-License-Identifier: Apache-2.0
// The keywords that follow the operands of a call, such as `axis<1>`: what a keyword is, which ones an operation takes, and which ones a
// call gives.
#pragma once
#include "../core/index.hpp"
#include "registry.hpp"

namespace sinter {

// What `F.padded` puts around an array: a number, the element at the edge, or those behind the edge in the opposite order.
enum class borders : int { constant, edge, reflect };
// Over what `F.l2_normalize` sums: all of an image, the channels at one place, or the places of one channel.
enum class parts_of : int { instance, channel, spatial };
// What `F.resize` puts between elements: the nearest of them, or a mean of the four around.
enum class interpolation : int { nearest, bilinear };

}  // namespace sinter
namespace sinter::ops::inline SINTER_ISA {

struct keyword_base {};
template <class T>
concept is_keyword = std::is_base_of_v<keyword_base, T>;

// Calls the key's own check of its values, if it has one.
template <class Key, auto... V> constexpr bool check_values() {
  if constexpr (requires { Key::template check<V...>(); }) Key::template check<V...>();
  return true;
}
// A key has a name, the type of its value, and `read`, which makes the value from the numbers in angle brackets. They are part of the
// keyword's type, because they decide shapes. An operation may declare keys of its own, like those below:
//   struct alpha_key { static constexpr std::string_view name = "alpha"; using value = double; template <double A> ... read() };
//   template <double A> inline constexpr sinter::ops::keyword<alpha_key, A> alpha{};
// `takes(value)` says no to values that no operation can have; keys without it take every value.
template <class Key, auto... V> struct keyword : keyword_base {
  static_assert(check_values<Key, V...>());
  using key = Key;
  static constexpr int values = sizeof...(V);
  static constexpr typename Key::value value() { return Key::template read<V...>(); }
};

// Up to three numbers.
struct number_list {
  int n = 0;
  number at[3]{};
};

// Numbers beyond the limit are dropped: `well_called` refuses such a call.
struct int_list_key {
  using value = int_list;
  template <int... V> static constexpr int_list read() {
    int_list r;
    ((r.n < max_rank ? r.push(V) : void()), ...);
    return r;
  }
};
struct flag_key {
  using value = bool;
  template <bool V> static constexpr bool read() { return V; }
};
struct whole_key {
  using value = int;
  template <int N> static constexpr int read() { return N; }
};
namespace key {
struct axis : int_list_key {
  static constexpr std::string_view name = "axis";
};
struct begin : int_list_key {
  static constexpr std::string_view name = "begin";
};
struct end : int_list_key {
  static constexpr std::string_view name = "end";
};
struct step : int_list_key {
  static constexpr std::string_view name = "step";
};
// Numbers for the spatial axes of a convolution or a pooling: one for all, or one for each.
template <int Least> struct window_key : int_list_key {
  static constexpr bool takes(int_list const& v) {
    bool ok = true;
    for (int i = 0; i < v.n; ++i) ok = ok && v[i] >= Least;
    return ok;
  }
  template <int... V> static constexpr int_list read() {
    static_assert(((V >= Least) && ...),
                  "sinter: pool_size<2>, stride<2>, dilate<2> and factor<2> take numbers from 1 on, pad<1> and adjust<1> from 0 on");
    return int_list_key::read<V...>();
  }
};
struct pool_size : window_key<1> {
  static constexpr std::string_view name = "pool_size";
};
struct stride : window_key<1> {
  static constexpr std::string_view name = "stride";
};
struct pad : window_key<0> {
  static constexpr std::string_view name = "pad";
};
struct dilate : window_key<1> {
  static constexpr std::string_view name = "dilate";
};
struct adjust : window_key<0> {
  static constexpr std::string_view name = "adjust";
};
struct factor : window_key<1> {
  static constexpr std::string_view name = "factor";
};
struct groups : whole_key {
  static constexpr std::string_view name = "groups";
  using value = int;
  static constexpr bool takes(int n) { return n >= 1; }
  template <int N> static constexpr int read() {
    static_assert(takes(N), "sinter: groups<2> is a number from 1 on");
    return N;
  }
};
struct num_heads : whole_key {
  static constexpr std::string_view name = "num_heads";
};
struct is_causal : flag_key {
  static constexpr std::string_view name = "is_causal";
};
struct keepdims : flag_key {
  static constexpr std::string_view name = "keepdims";
};
struct exclude : flag_key {
  static constexpr std::string_view name = "exclude";
};
struct ceil_mode : flag_key {
  static constexpr std::string_view name = "ceil_mode";
};
struct count_include_pad : flag_key {
  static constexpr std::string_view name = "count_include_pad";
};
struct ascending : flag_key {
  static constexpr std::string_view name = "ascending";
};
struct transpose_a : flag_key {
  static constexpr std::string_view name = "transpose_a";
};
struct transpose_b : flag_key {
  static constexpr std::string_view name = "transpose_b";
};
struct upper : flag_key {
  static constexpr std::string_view name = "upper";
};
struct flattened : flag_key {
  static constexpr std::string_view name = "flattened";
};
// A shape, in which one extent may be -1 and is computed from the others.
struct into {
  static constexpr std::string_view name = "into";
  static constexpr int least = 0;
  using value = dims;
  template <auto... D> static constexpr dims read() { return dims{sinter::detail::extent_of(D)...}; }
  static constexpr bool takes(dims const& v) {
    bool ok = true;
    dims numbers;
    for (int i = 0; i < v.rank; ++i) {
      ok = ok && (v.d[i] >= -1 || v.d[i] <= -named_base);
      if (v.d[i] >= 0) numbers.push(v.d[i]);
    }
    return ok && is_countable(numbers);
  }
  template <auto... D> static constexpr void check() {
    static_assert(
        ((sinter::detail::is_extent(D) || sinter::detail::extent_of(D) == -1) && ...),
        "sinter: an extent of a new shape is a number from 0 on, -1 for what is left over, sinter::dynamic or sinter::dim<\"name\">");
  }
};
struct eps {
  static constexpr std::string_view name = "eps";
  using value = double;
  static constexpr bool takes(double e) { return e >= 0; }
  template <double E> static constexpr double read() { return E; }
  template <double E> static constexpr void check() {
    static_assert(takes(E), "sinter: eps<1e-5> is added to a variance, so it takes no negative number");
  }
};
struct number_key {
  using value = double;
  template <double V> static constexpr double read() { return V; }
};
struct alpha : number_key {
  static constexpr std::string_view name = "alpha";
};
struct slope : number_key {
  static constexpr std::string_view name = "slope";
};
struct beta : number_key {
  static constexpr std::string_view name = "beta";
};
struct knorm : number_key {
  static constexpr std::string_view name = "knorm";
};
struct nsize : whole_key {
  static constexpr std::string_view name = "nsize";
};
struct scale : number_key {
  static constexpr std::string_view name = "scale";
};
struct align_corners : flag_key {
  static constexpr std::string_view name = "align_corners";
};
struct mode {
  static constexpr std::string_view name = "mode";
  using value = int;
  static constexpr bool takes(int v) { return v >= 0 && v <= static_cast<int>(interpolation::bilinear); }
  template <interpolation M> static constexpr int read() { return static_cast<int>(M); }
};
struct reps : int_list_key {
  static constexpr std::string_view name = "reps";
};
struct shift : int_list_key {
  static constexpr std::string_view name = "shift";
};
struct diagonal : whole_key {
  static constexpr std::string_view name = "diagonal";
};
struct block : whole_key {
  static constexpr std::string_view name = "block";
};
struct border {
  static constexpr std::string_view name = "border";
  using value = int;
  static constexpr bool takes(int v) { return v >= 0 && v <= static_cast<int>(borders::reflect); }
  template <borders B> static constexpr int read() { return static_cast<int>(B); }
};
struct over {
  static constexpr std::string_view name = "over";
  using value = int;
  static constexpr bool takes(int v) { return v >= 0 && v <= static_cast<int>(parts_of::spatial); }
  template <parts_of P> static constexpr int read() { return static_cast<int>(P); }
};
struct ddof : whole_key {
  static constexpr std::string_view name = "ddof";
};
struct ord : whole_key {
  static constexpr std::string_view name = "ord";
};
struct as {
  static constexpr std::string_view name = "as";
  using value = dtype;
  static constexpr bool takes(dtype t) { return has_tensors(t); }
  template <dtype D> static constexpr dtype read() { return D; }
};
struct depth : whole_key {
  static constexpr std::string_view name = "depth";
  static constexpr bool takes(int n) { return n >= 0; }
  template <int N> static constexpr void check() {
    static_assert(takes(N), "sinter: depth<10> is the extent of a new axis, so it takes no negative number");
  }
};
struct parts : whole_key {
  static constexpr std::string_view name = "parts";
};
struct top : whole_key {
  static constexpr std::string_view name = "top";
};
struct values {
  static constexpr std::string_view name = "values";
  using value = number_list;
  template <auto... V> static constexpr number_list read() {
    number_list r;
    ((r.n < 3 ? void(r.at[r.n++] = number(V)) : void()), ...);
    return r;
  }
};
}  // namespace key

// ---- which ones an operation takes: using keywords = list_of<must<key::into>, may<key::axis, 1>>

template <class Key> struct takes {};
// A keyword with at most so many values, which a call may leave out or must have.
template <class Key, int Most = max_rank> struct may : takes<Key> {
  using key = Key;
  static constexpr int most = Most;
  static constexpr bool needed = false;
};
template <class Key, int Most = max_rank> struct must : takes<Key> {
  using key = Key;
  static constexpr int most = Most;
  static constexpr bool needed = true;
};
template <class Op> constexpr auto find_keywords() {
  if constexpr (requires { typename Op::keywords; }) return typename Op::keywords{};
  else return list_of<>{};
}
template <class Op> using keywords_of = decltype(find_keywords<Op>());

template <class List> struct all_takes;
template <class... W> struct all_takes<list_of<W...>> : W... {};
template <class Key, class Keywords> inline constexpr bool has_key = std::is_base_of_v<takes<Key>, all_takes<Keywords>>;

// ---- what a call has given

// One keyword: its value, or that it was left out.
template <class Key> struct slot {
  typename Key::value value{};
  bool is_given = false;
  constexpr typename Key::value or_else(typename Key::value v) const { return is_given ? value : v; }
};
template <class... Key> struct slots : slot<Key>... {
  template <class K> constexpr slot<K>& operator[](K) { return *this; }
  template <class K> constexpr slot<K> const& operator[](K) const { return *this; }
};
template <class... W> constexpr slots<typename W::key...> slots_for(list_of<W...>);
// `k[key::axis{}].or_else({1})`
template <class Keywords> using given = decltype(slots_for(Keywords{}));
template <class Op> using given_to = given<keywords_of<Op>>;

// ---- whether a call is complete

template <class A> inline constexpr bool is_operand = !is_keyword<A>;
// 1 if the argument is this keyword with a valid number of values, 2 with another number of values, otherwise 0.
template <class Word, class A> constexpr int matches() {
  if constexpr (is_keyword<A>) {
    if constexpr (std::is_same_v<typename A::key, typename Word::key>) {
      int least = 1;
      if constexpr (requires { Word::key::least; }) least = Word::key::least;
      return A::values >= least && A::values <= Word::most ? 1 : 2;
    }
  }
  return 0;
}
template <class Word, class... A> constexpr bool word_fits() {
  int const n = (matches<Word, A>() + ... + 0);
  return n == 1 || (n == 0 && !Word::needed);
}
template <class... A, class... Word> constexpr bool words_fit(list_of<Word...>) { return (word_fits<Word, A...>() && ...); }
// No keyword may be given twice or with a wrong number of values, and no required one may be missing.
template <class Op, class... A> constexpr bool keywords_fit() { return words_fit<A...>(keywords_of<Op>{}); }

template <class Op, class A> constexpr bool knows_keyword() {
  if constexpr (is_keyword<A>) return has_key<typename A::key, keywords_of<Op>>;
  else return true;
}
// What can be checked without the operands' types, each with its own message: whether the operation has these keywords, takes that many
// operands, and the keywords are complete.
template <class Op, class... A>
concept knows_keywords = (knows_keyword<Op, A>() && ...);
template <class Op, class... A>
concept counts_operands = knows_keywords<Op, A...> && arity_of<Op>.holds((int{is_operand<A>} + ... + 0));
template <class Op, class... A>
concept well_called = counts_operands<Op, A...> && keywords_fit<Op, A...>();

// The values of the keywords among a call's arguments.
template <class Op, class... A> constexpr given_to<Op> keywords_given() {
  given_to<Op> k;
  [[maybe_unused]] auto const take = [&]<class W>(std::type_identity<W>) {
    if constexpr (is_keyword<W>) {
      if constexpr (knows_keyword<Op, W>()) k[typename W::key{}] = {W::value(), true};
    }
  };
  (take(std::type_identity<A>{}), ...);
  return k;
}
// The attributes of a call: what the operation makes of the keywords and the operands' types.
template <class Op> constexpr attributes_of<Op> attributes_for(given_to<Op> const& k, operand_types in) {
  // The first holds for one of a wrong signature, too, which is then an error; the second for a template.
  if constexpr (requires { &Op::arguments; } || requires { Op::arguments(k, in); }) return Op::arguments(k, in);
  else return {};
}

// How many results a call has, whatever its operands are.
template <class Op> constexpr int results_of(given_to<Op> const& k) {
  if constexpr (!has_several<Op>) return 1;
  else {
    array_type const any[]{{dtype::float32, {1, 1, 1, 1, 1, 1, 1, 1}}};
    int const n = Op::results(attributes_for<Op>(k, {any, 1}));
    return n < 1 ? 1 : n;
  }
}

}  // namespace sinter::ops::inline SINTER_ISA
