// SPDX-License-Identifier: Apache-2.0
// einsum against a loop over all places of all letters. Elements are small whole numbers, so that the sums are exact in any order.
#include "loops.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

namespace test {

using namespace sinter;

namespace {

struct numbers_of {
  dims shape;
  std::vector<double> v;
  explicit numbers_of(dims const& s, int seed = 0) : shape(s), v(static_cast<std::size_t>(s.size())) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<double>((i * 7 + static_cast<std::size_t>(seed) * 3 + i / 3) % 7) - 3;
  }
  template <class T, class S> explicit numbers_of(nd::tensor<T, S> const& x) : shape(x.shape()) {
    for (extent i = 0; i < shape.size(); ++i) v.push_back(static_cast<double>(any_array<T>(x)[i]));
  }
};

// Terms without spaces; axes of an ellipsis are digits, 1 for the last.
std::vector<std::string> terms_of(std::string s, std::vector<numbers_of> const& in, std::string& out) {
  s.erase(std::remove(s.begin(), s.end(), ' '), s.end());
  std::string const left = s.substr(0, s.find("->"));
  std::vector<std::string> terms(1);
  for (char c : left)
    if (c == ',') terms.emplace_back();
    else terms.back() += c;
  std::size_t most = 0;
  auto const axes_for = [](std::string& term, std::size_t n) {
    if (std::size_t const at = term.find("..."); at != term.npos) {
      std::string digits;
      for (std::size_t k = n; k > 0; --k) digits += static_cast<char>('0' + k);
      term.replace(at, 3, digits);
    }
  };
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (terms[i].find('.') != std::string::npos) {
      std::size_t const n = static_cast<std::size_t>(in[i].shape.rank) + 3 - terms[i].size();
      most = std::max(most, n);
      axes_for(terms[i], n);
    }
  if (s.find("->") != s.npos) out = s.substr(s.find("->") + 2);
  else {
    out = left.find('.') != left.npos ? "..." : "";
    for (char c = 'A'; c <= 'z'; ++c)
      if (std::isalpha(static_cast<unsigned char>(c)) && std::count(left.begin(), left.end(), c) == 1) out += c;
  }
  axes_for(out, most);
  return terms;
}
numbers_of looped(std::string const& s, std::vector<numbers_of> const& in) {
  std::string out;
  std::vector<std::string> const terms = terms_of(s, in, out);
  std::map<char, extent> all, at;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t j = 0; j < terms[i].size(); ++j) {
      extent const e = in[i].shape.d[j];
      auto const found = all.emplace(terms[i][j], e).first;
      if (found->second == 1) found->second = e;
    }
  dims shape;
  for (char c : out) shape.push(all.at(c));
  numbers_of r(shape);
  std::fill(r.v.begin(), r.v.end(), 0.);
  bool nothing = false;
  for (auto const& [c, n] : all) at[c] = 0, nothing = nothing || n == 0;
  auto const place = [&](std::string const& term, dims const& of) {
    extent p = 0;
    for (std::size_t j = 0; j < term.size(); ++j) p = p * of.d[j] + (of.d[j] == 1 ? 0 : at[term[j]]);
    return static_cast<std::size_t>(p);
  };
  for (bool more = !nothing; more;) {
    double product = 1;
    for (std::size_t i = 0; i < terms.size(); ++i) product *= in[i].v[place(terms[i], in[i].shape)];
    r.v[place(out, shape)] += product;
    more = false;
    for (auto& [c, n] : at)
      if (++n < all.at(c)) {
        more = true;
        break;
      } else n = 0;
  }
  return r;
}

// The call as a symbol: a string of the running program, which no compiler knows.
template <bool Runs> sym::results evaluated(std::string const& s, std::vector<numbers_of> const& in, dtype t,
                                            std::vector<dims> const& types) {
  auto called = std::make_shared<sym::called>();
  called->op = &ops::info<ops::einsum>;
  called->attributes = [words = ops::axes_of_operands::packed(s)](operand_types) { return pack(ops::einsum::attributes{words}); };
  auto k = std::make_shared<sym::composed>();
  k->name = "einsum";
  k->call = called;
  sym::arrays_by_name values;
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::string const name = "x" + std::to_string(i);
    sym::array a(t, in[i].shape);
    with_type(t, [&]<class T>(T*) {
      for (std::size_t e = 0; e < in[i].v.size(); ++e) reinterpret_cast<T*>(a.data())[e] = static_cast<T>(in[i].v[e]);
    });
    values.emplace(name, a);
    k->in.push_back(sym::var(name, types[i], t));
  }
  return symbol(k).eval(values);
}
#if defined(SINTER_TEST_RECORD)
void record(std::string const& s, std::vector<numbers_of> const& in, dtype t, dtype result, numbers_of const& want) {
  std::ostream* const out = recording();
  if (!out || t == dtype::float16 || s.empty()) return;  // a keyword has a value
  auto const array = [&](numbers_of const& x, dtype type) {
    if (is_floating(type)) {
      any_array<double> a(x.shape);
      std::copy(x.v.begin(), x.v.end(), a.owner.data());
      write_array(*out << ' ', a, name_of(type));
    } else {
      any_array<std::int64_t> a(x.shape);
      std::transform(x.v.begin(), x.v.end(), a.owner.data(), [](double v) { return static_cast<std::int64_t>(v); });
      write_array(*out << ' ', a, name_of(type));
    }
  };
  std::vector<dims> names;
  for (numbers_of const& x : in) names.push_back(names_in(x.shape));
  bool runs = true;
  try {
    static_cast<void>(evaluated<true>(s, in, t, names));
  } catch (std::exception const&) { runs = false; }
  *out << "einsum subscripts=" << keyword_text{"subscripts"}(ops::axes_of_operands::packed(s)) << " :";
  for (numbers_of const& x : in) array(x, t);
  *out << " =";
  array(want, result);
  *out << (runs ? "\n" : " unnamed\n");
}
#endif
template <bool Runs = has_interpreter> void check(std::string const& s, std::vector<dims> const& shapes, dtype t = dtype::float32,
                                                  std::vector<dims> types = {}) {
  INFO(s);
  std::vector<numbers_of> in;
  for (dims const& d : shapes) in.emplace_back(d, static_cast<int>(in.size()) + 1);
  numbers_of const want = looped(s, in);
  if constexpr (Runs) {
    auto const all = evaluated<Runs>(s, in, t, types.empty() ? shapes : types);
    sym::array const got = all[0];
#if defined(SINTER_TEST_RECORD)
    record(s, in, t, got.type(), want);
#endif
    REQUIRE(got.shape() == want.shape);
    with_type(got.type(), [&]<class T>(T*) {
      for (std::size_t i = 0; i < want.v.size(); ++i)
        if (static_cast<double>(reinterpret_cast<T const*>(got.data())[i]) != want.v[i]) FAIL_CHECK("element " << i << " differs");
    });
  }
}

// Subscripts and shapes that fit them.
struct drawn {
  std::string s;
  std::vector<dims> shapes, types;
  explicit drawn(unsigned seed) {
    std::mt19937 random(seed);
    auto const pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    constexpr std::string_view letters_ = "aBcdeF";
    extent extents[6], further[2];
    for (extent& e : extents) e = pick(9) ? 1 + pick(3) : 0;
    for (extent& e : further) e = 1 + pick(3);
    bool const wide = pick(4) == 0, named = pick(2) == 0;
    std::string used;
    for (int n = 1 + pick(4), i = 0; i < n; ++i) {
      std::string term;
      for (int k = pick(5); k > 0; --k) term += letters_[static_cast<std::size_t>(pick(6))];
      int const at = wide && pick(2) ? pick(static_cast<int>(term.size()) + 1) : -1, axes = pick(3);
      dims shape, type;
      for (int k = 0; k <= static_cast<int>(term.size()); ++k) {
        for (int j = axes; k == at && j > 0; --j) shape.push(pick(3) ? further[j - 1] : 1), type.push(shape.d[shape.rank - 1]);
        if (k == static_cast<int>(term.size())) break;
        char const c = term[static_cast<std::size_t>(k)];
        shape.push(extents[letters_.find(c)]);
        // Some axes have names instead of numbers; a diagonal needs numbers.
        bool const once = std::count(term.begin(), term.end(), c) == 1 && extents[letters_.find(c)] != 1;
        type.push(named && once && c < 'd' && pick(2) ? sinter::detail::pack_name(std::string(1, c)) : shape.d[shape.rank - 1]);
      }
      used += term;
      if (at >= 0) term.insert(static_cast<std::size_t>(at), "...");
      s += (i ? "," : "") + term;
      shapes.push_back(shape);
      types.push_back(type);
    }
    if (pick(4) == 0) return;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    std::shuffle(used.begin(), used.end(), random);
    used.resize(static_cast<std::size_t>(pick(static_cast<int>(used.size()) + 1)));
    if (s.find('.') != s.npos) used.insert(static_cast<std::size_t>(pick(static_cast<int>(used.size()) + 1)), "...");
    s += "->" + used;
  }
};

}  // namespace

TEST_CASE("einsum, whose subscripts a compiler has read") {
  auto const expected = [](std::string const& s, auto const& got, auto const&... x) {
    numbers_of const want = looped(s, {numbers_of(x)...}), y(got);
    CHECK(y.shape == want.shape);
    CHECK(y.v == want.v);
  };
  auto const whole = []<class T, class S>(nd::tensor<T, S> x) {
    numbers_of const v(S::value, static_cast<int>(S::rank));
    for (std::size_t i = 0; i < v.v.size(); ++i) x.data()[i] = static_cast<T>(v.v[i]);
    return x;
  };
  auto const a = whole(nd::tensor<float, shape<2, 3, 4>>{});
  auto const b = whole(nd::tensor<float, shape<2, 4, 5>>{});
  expected("bij,bjk->bik", call<ops::einsum>(subscripts<"bij,bjk->bik">)(a, b), a, b);
  auto const square = whole(nd::tensor<float, shape<3, 3>>{});
  expected("ii", call<ops::einsum>(subscripts<"ii">)(square), square);
  STATIC_REQUIRE(std::is_same_v<typename decltype(einsum(a, b, subscripts<"...ij, ...jk">))::shape_type, shape<2, 3, 5>>);
  STATIC_REQUIRE(std::is_same_v<typename decltype(einsum(b, subscripts<"zaX">))::shape_type, shape<5, 4, 2>>);
  STATIC_REQUIRE(std::is_same_v<typename decltype(einsum(nd::tensor<std::int8_t, shape<3>>{}, subscripts<"i">))::value_type, std::int32_t>);
}

TEST_CASE("einsum of all kinds of subscripts") {
  check("ij,jk->ik", {{2, 3}, {3, 4}});
  check("ij,kj->ik", {{2, 3}, {4, 3}});
  check("ji,jk->ik", {{3, 2}, {3, 4}});
  check("ji,kj->ki", {{3, 2}, {4, 3}});
  check("ij,jk", {{2, 3}, {3, 4}});
  check("ba", {{2, 3}});
  check("ij->ji", {{2, 3}});
  check("i->", {{5}});
  check("", {{}});
  check("->", {{}});
  check(",", {{}, {}});
  check("i,->i", {{3}, {}});
  check("ii->i", {{3, 3}});
  check("iii->i", {{3, 3, 3}});
  check("iij->ji", {{2, 2, 3}});
  check("ijij->ij", {{2, 3, 2, 3}});
  check("ijij", {{2, 3, 2, 3}});
  check("i,i", {{4}, {4}});
  check("i,i->i", {{4}, {4}});
  check("i,j->ij", {{4}, {3}});
  check("i,j->ji", {{4}, {3}});
  check("bi,bi->b", {{2, 3}, {2, 3}});
  check("bhqd,bhkd->bhqk", {{2, 3, 2, 4}, {2, 3, 5, 4}});
  check("abcd,cdef->abef", {{2, 1, 3, 2}, {3, 2, 2, 2}});
  check("abcd,cdef->feba", {{2, 1, 3, 2}, {3, 2, 2, 2}});
  check("abcd,efcd->abef", {{2, 2, 3, 2}, {3, 2, 3, 2}});
  check("ij,ij->", {{2, 3}, {2, 3}});
  check("ik,jkl,il->ij", {{2, 3}, {4, 3, 2}, {2, 2}});
  check("ij,jk,kl,lm->im", {{2, 3}, {3, 1}, {1, 2}, {2, 4}});
  check("i,i,i,i->i", {{3}, {3}, {3}, {3}});
  check("ij,k->i", {{2, 3}, {4}});
  check("aab,bcc->ac", {{2, 2, 3}, {3, 2, 2}});
  check("ij,jk->ik", {{2, 0}, {0, 4}});
  check("ij,jk->ik", {{0, 3}, {3, 4}});
  check("i,j->ij", {{0}, {4}});
  check("ii->i", {{0, 0}});
  check("ii", {{0, 0}});
  check("...ij,...jk->...ik", {{2, 3, 4}, {4, 5}});
  check("...ij,...jk->...ik", {{1, 3, 2, 3}, {2, 1, 3, 2}});
  check("i...,...i", {{3, 2}, {4, 1, 3}});
  check("...,...", {{2, 1}, {3}});
  check("...i->i...", {{2, 3, 4}});
  check("ii...->...i", {{3, 3, 2}});
  check("a...b,b->...a", {{2, 3, 1, 4}, {4}});
  check("abcdefgh->hgfedcba", {{1, 2, 1, 2, 1, 2, 1, 2}});
  check("abcdefgi,abcdefgi->gfedcba", {{1, 2, 1, 2, 1, 2, 1, 3}, {1, 2, 1, 2, 1, 2, 1, 3}});
  check("abcdefgh,abcdefgi->hi", {{1, 2, 1, 2, 1, 2, 1, 3}, {1, 2, 1, 2, 1, 2, 1, 2}});
  check("abcdefgh,ijklmnop->ai", {{1, 2, 1, 2, 1, 2, 1, 3}, {1, 2, 1, 2, 1, 2, 1, 2}});
  check(" i j , j k -> i k ", {{2, 3}, {3, 4}});
  for (dtype const t : {dtype::float64, dtype::int32, dtype::int64, dtype::int8, dtype::float16}) {
    check("bij,bjk->bki", {{2, 3, 4}, {2, 4, 2}}, t);
    check("ii,ij,j->i", {{3, 3}, {3, 2}, {2}}, t);
  }
}

TEST_CASE("einsum of subscripts drawn by chance") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    drawn const d(seed);
    if (d.s.size() > 64) continue;
    std::string out;
    std::vector<numbers_of> in(d.shapes.begin(), d.shapes.end());
    terms_of(d.s, in, out);
    if (out.size() > max_rank) continue;
    try {
      check(d.s, d.shapes, seed % 3 ? dtype::float32 : dtype::int64, d.types);
    } catch (error const& e) {
      // What is kept for later operands may have more axes than an array.
      INFO(d.s);
      CHECK(std::string(e.what()).find("more than eight dimensions") != std::string::npos);
    }
  }
}

TEST_CASE("extents that differ only when the program runs") {
  using free = nd::tensor<float, shape<dynamic, dynamic>>;
  CHECK_THROWS(einsum(free(dims{2, 3}), free(dims{2, 3}), subscripts<"ij,jk">));
  CHECK_THROWS(einsum(free(dims{2, 3}), free(dims{3, 2}), subscripts<"ij,ij->ij">));
  CHECK(einsum(free(dims{2, 3}), free(dims{3, 4}), subscripts<"ij,jk">).shape() == dims{2, 4});
}

TEST_CASE("einsum of infinities and NaN") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  nd::tensor<float, shape<2>> const a{inf, 1}, b{0, 2};
  CHECK(std::isnan(einsum(a, b, subscripts<"i,i">).item()));
  CHECK(einsum(a, subscripts<"i->">).item() == inf);
}

}  // namespace test
