// SPDX-License-Identifier: Apache-2.0
// Operands of every layout of dynamic types, with extents of 0, 1 and more when they run: an eager operation gives what the rule says, or
// throws. The rule is written down here once more, element by element: only a 1 in a type stretches, what else meets is equal.
#include <sinter/nn/space.hpp>

#include <map>
#include <optional>

#include "../catch.hpp"
#include "../sanitized.hpp"

using namespace sinter;

namespace {

constexpr extent extents_tried[] = {0, 1, 2, 5};

// The extents of an operand of type S when the dynamic ones are the digits of `choice`, one name one extent.
template <class S> dims extents_at(int& choice, std::map<extent, extent>& named) {
  dims r = S::value;
  for (int i = 0; i < r.rank; ++i) {
    if (r.d[i] >= 0) continue;
    extent const code = r.d[i];
    if (is_named(code) && named.contains(code)) r.d[i] = named[code];
    else {
      r.d[i] = named[code] = extents_tried[choice % 4];
      choice /= 4;
    }
  }
  return r;
}
template <class T, class S> nd::tensor<T, S> numbered(dims const& extents, int first) {
  nd::tensor<T, S> t(extents, false);
  for (extent i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>(std::is_same_v<T, bool> ? (i + first) % 2 : i + first);
  return t;
}
// The result's extents; nothing where the operands must not fit.
template <class... X> std::optional<dims> expected_extents(X const&... x) {
  dims r;
  ((r.rank = std::max(r.rank, x.rank)), ...);
  std::map<extent, extent> named;
  bool fits = true;
  for (int i = 1; i <= r.rank; ++i) {
    bool found = false;
    extent e = 1;
    auto const look = [&]<class T, class S>(nd::tensor<T, S> const& t) {
      if (i > S::rank) return;
      extent const type = S::value.d[S::rank - i], run = t.shape().d[S::rank - i];
      if (is_named(type)) {
        if (named.contains(type) && named[type] != run) fits = false;
        named[type] = run;
      }
      if (type == 1) return;
      if (found && e != run) fits = false;
      found = true;
      e = run;
    };
    (look(x), ...);
    r.d[r.rank - i] = e;
  }
  if (!fits) return {};
  return r;
}
// The operand's element that meets element `at` of a result of `shape`.
template <class T, class S> T element_at(nd::tensor<T, S> const& t, dims const& shape, extent at) {
  std::int64_t place = 0;
  for (int i = 1; i <= shape.rank; ++i) {
    extent const e = shape.d[shape.rank - i];
    if (i <= S::rank && S::value.d[S::rank - i] != 1) place += at % e * t.strides()[S::rank - i];
    at /= e;
  }
  return t.data()[place];
}

int checked = 0, refused = 0;
std::string faults;
template <class... X> void fault(char const* what, X const&... x) {
  if (faults.size() > 2000) return;
  faults += what;
  ((faults += " " + to_string(X::shape_type::value) + "=" + to_string(x.shape())), ...);
  faults += "\n";
}
// What `call` gives for x... against `element` of their elements.
template <class Call, class Element, class... X> void check(Call const& call, Element const& element, X const&... x) {
  auto const want = expected_extents(x...);
  try {
    auto const got = call(x...);
    ++checked;
    if (!want) return fault("not refused:", x...);
    if (!(got.shape() == *want) || !decltype(got)::fits(got.shape())) return fault("wrong extents:", x...);
    for (extent i = 0; i < want->size(); ++i)
      if (got[i] != element(element_at(x, *want, i)...)) return fault("wrong element:", x...);
    // Into a tensor of dynamic shape that is there.
    auto into = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return nd::tensor<typename decltype(got)::value_type, sinter::shape<((void)I, dynamic)...>>(*want);
    }(std::make_index_sequence<static_cast<std::size_t>(decltype(got)::rank)>{});
    call.to(into, x...);
    for (extent i = 0; i < want->size(); ++i)
      if (into[i] != got[i]) return fault("wrong element in a result that is there:", x...);
  } catch (shape_error const& e) {
    ++refused;
    if (want) return fault("refused:", x...);
    std::string const what = e.what();
    if (what.find("sinter: ") != 0 || what.find(to_string(std::get<0>(std::tie(x...)).shape())) == std::string::npos)
      fault(("not a sentence: " + what).c_str(), x...);
  }
}

struct add_them {
  template <class A, class B> auto operator()(A const& a, B const& b) const { return a + b; }
  template <class Out, class A, class B> void to(Out& out, A const& a, B const& b) const { nd::out(out).add(a, b); }
};
struct choose {
  template <class C, class A, class B> auto operator()(C const& c, A const& a, B const& b) const { return where(c, a, b); }
  template <class Out, class C, class A, class B> void to(Out& out, C const& c, A const& a, B const& b) const {
    nd::out(out).where(c, a, b);
  }
};
struct cut_off {
  template <class X, class A, class B> auto operator()(X const& x, A const& a, B const& b) const { return clip(x, a, b); }
  template <class Out, class X, class A, class B> void to(Out& out, X const& x, A const& a, B const& b) const {
    nd::out(out).clip(x, a, b);
  }
};

template <class... S> struct shapes {};
template <class S, class U> void check_add() {
  if constexpr (ops::call_rule<ops::add, nd::tensor<int, S>, nd::tensor<int, U>>::ok)
    for (int c = 0; c < 256; ++c) {
      int left = c;
      std::map<extent, extent> first, second;
      dims const a = extents_at<S>(left, first), b = extents_at<U>(left, second);
      if (left) break;
      check(add_them{}, [](int x, int y) { return x + y; }, numbered<int, S>(a, 100), numbered<int, U>(b, 1000));
    }
}
template <class S, class U, class V> void check_three() {
  if constexpr (ops::call_rule<ops::where, nd::tensor<bool, S>, nd::tensor<int, U>, nd::tensor<int, V>>::ok)
    for (int c = 0; c < 256; ++c) {
      int left = c;
      std::map<extent, extent> first, second, third;
      dims const a = extents_at<S>(left, first), b = extents_at<U>(left, second), d = extents_at<V>(left, third);
      if (left) break;
      check(
          choose{}, [](bool x, int y, int z) { return x ? y : z; }, numbered<bool, S>(a, 1), numbered<int, U>(b, 1000),
          numbered<int, V>(d, 2000));
      check(
          cut_off{}, [](int x, int y, int z) { return std::min(std::max(x, y), z); }, numbered<int, S>(a, 100), numbered<int, U>(b, 101),
          numbered<int, V>(d, 102));
    }
}
template <class S, class... U> void check_row(shapes<U...>) { (check_add<S, U>(), ...); }
template <class... S, class U> void check_all(shapes<S...>, U all) { (check_row<S>(all), ...); }
template <class S, class... U> void check_both_ways(shapes<U...>) { (check_add<S, U>(), ...), (check_add<U, S>(), ...); }
template <class S, class U, class... V> void check_thirds(shapes<V...>) { (check_three<S, U, V>(), ...); }
template <class S, class All, class... U> void check_seconds(All all, shapes<U...>) { (check_thirds<S, U>(all), ...); }

inline constexpr auto b = dim<"b">;
inline constexpr auto c = dim<"c">;
using lines = shapes<shape<1>, shape<5>, shape<b>, shape<c>, shape<dynamic>>;
#if SINTER_SANITIZED
using planes = shapes<shape<1, 1>, shape<1, b>, shape<b, 1>, shape<b, c>, shape<1, dynamic>, shape<dynamic, b>>;
using first_planes = planes;
using few = shapes<shape<1>, shape<b>, shape<b, 1>, shape<1, dynamic>>;
#else
using planes =
    shapes<shape<1, 1>, shape<1, b>, shape<1, c>, shape<1, dynamic>, shape<b, 1>, shape<b, b>, shape<b, c>, shape<b, dynamic>, shape<c, 1>,
           shape<c, b>, shape<c, c>, shape<c, dynamic>, shape<dynamic, 1>, shape<dynamic, b>, shape<dynamic, c>, shape<dynamic, dynamic>>;
// With b and c exchanged in both operands, a pair of shapes is the same: in the first one b comes first.
using first_planes = shapes<shape<1, 1>, shape<1, b>, shape<1, dynamic>, shape<b, 1>, shape<b, b>, shape<b, c>, shape<b, dynamic>,
                            shape<dynamic, 1>, shape<dynamic, b>, shape<dynamic, dynamic>>;
using few = shapes<shape<1>, shape<b>, shape<dynamic>, shape<b, 1>, shape<1, dynamic>, shape<dynamic, b>>;
#endif

}  // namespace

TEST_CASE("two operands of every dynamic layout") {
  checked = refused = 0;
  faults.clear();
  check_all(first_planes{}, planes{});
  CHECK(faults == "");
  CHECK(checked > (SINTER_SANITIZED ? 100 : 500));
  CHECK(refused > (SINTER_SANITIZED ? 300 : 2000));
}

TEST_CASE("operands of different ranks in every dynamic layout") {
  faults.clear();
  check_all(lines{}, lines{});
  check_both_ways<shape<b, 1>>(lines{});
  check_both_ways<shape<1, b>>(lines{});
  check_both_ways<shape<dynamic, b>>(lines{});
  check_both_ways<shape<b, dynamic, 1>>(planes{});
  check_both_ways<shape<>>(planes{});
  CHECK(faults == "");
}

TEST_CASE("three operands of dynamic layouts") {
  faults.clear();
  check_seconds<shape<1>>(few{}, few{});
  check_seconds<shape<b>>(few{}, few{});
  check_seconds<shape<dynamic>>(few{}, few{});
  check_seconds<shape<b, 1>>(few{}, few{});
  CHECK(faults == "");
}

TEST_CASE("what a dynamic extent that does not fit is told") {
  nd::tensor<float, shape<dynamic>> const one(dims{1});
  nd::tensor<float, shape<5>> const five;
  CHECK_THROWS_WITH(one + five,
                    "sinter: add of (1,) and (5,): dynamic extents that meet must be equal; only a 1 in the type of a shape stretches");
  nd::tensor<bool, shape<b>> const two(dims{2});
  CHECK_THROWS_WITH(where(two, five, one),
                    "sinter: where of (2,), (5,) and (1,): dynamic extents that meet must be equal; only a 1 in "
                    "the type of a shape stretches");
}

TEST_CASE("many dynamic dimensions") {
  using five = nd::tensor<int, shape<dynamic, dynamic, dynamic, dynamic, dynamic>>;
  using eight = nd::tensor<int, shape<dynamic, dynamic, dynamic, dynamic, dynamic, dynamic, dynamic, dynamic>>;
  five const x({1, 2, 3, 1, 2});
  x.fill(3);
  CHECK((x + x).shape() == dims{1, 2, 3, 1, 2});
  CHECK((x + x)(0, 1, 2, 0, 1) == 6);
  CHECK_THROWS_AS(x + five({2, 2, 3, 1, 2}), shape_error);
  eight const y({1, 2, 1, 2, 1, 2, 1, 2});
  y.fill(2);
  CHECK((y * y)(0, 1, 0, 1, 0, 1, 0, 1) == 4);
  CHECK(sum(y, axis<7>).shape() == dims{1, 2, 1, 2, 1, 2, 1});
  using rows = nd::tensor<int, shape<dynamic, dynamic>>;
  rows const r({1, 2});
  CHECK(concat(r, r, r, r, r, axis<0>).shape() == dims{5, 2});
}

TEST_CASE("more elements than memory can have") {
  nd::tensor<float, shape<b, 0>> const x({extent{1} << 40, 0});
  CHECK_THROWS_WITH(broadcast_to(x, into<2000000000, b, 0>),
                    "sinter: broadcast_to gives the extents (2000000000, 1099511627776, 0), which are more elements than memory can have");
}
