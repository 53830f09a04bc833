// SPDX-License-Identifier: Apache-2.0
// Operations with dynamic dimensions give the same eagerly and compiled, whatever their extents are when they run: the same extents and
// elements, or both refuse them.
#include <sinter/compile/hybridized.hpp>

#include <cstring>
#include <map>

#include "../catch.hpp"

using namespace sinter;

namespace {

inline constexpr auto b = dim<"b">;
inline constexpr auto c = dim<"c">;
constexpr extent extents_tried[] = {0, 1, 2, 5};
constexpr int places = 4;  // of dynamic extents in one call

template <class T, class S> nd::tensor<T, S> numbered(extent const* at, int& used, int& first) {
  first += 3;
  dims e = S::value;
  for (int i = 0; i < e.rank; ++i)
    if (e.d[i] < 0) e.d[i] = at[used++];
  if (!nd::tensor<T, S>::fits(e)) throw std::out_of_range("one name, two extents in one operand");
  nd::tensor<T, S> t(e, false);
  for (extent i = 0; i < t.size(); ++i) t.data()[i] = static_cast<T>((i * 7 + first) % 11 - (std::is_same_v<T, float> ? 5 : 0));
  return t;
}
template <class Y> std::string described(Y const& y) {
  std::string r = to_string(y.shape());
  for (extent i = 0; i < y.size(); ++i) {
    char bytes[sizeof(typename Y::value_type)];
    std::memcpy(bytes, &y[i], sizeof bytes);
    for (char const v : bytes) r += ' ' + std::to_string(static_cast<unsigned char>(v));
  }
  return r;
}
template <class Call> std::string outcome(Call const& call) {
  try {
    return described(call());
  } catch (shape_error const& e) { return std::string(e.what()).find("sinter: ") == 0 ? "refused" : e.what(); }
}

int same = 0, refused = 0;
// f, given operands of element types T and shapes S.
template <class... T> struct of {
  template <class... S, class Function> static void check(Function f) {
    auto const fast = hybridize(f);
    constexpr int dynamic_places = ((S::value.rank -
                                     [] {
                                       int n = 0;
                                       for (int i = 0; i < S::rank; ++i) n += S::value.d[i] >= 0;
                                       return n;
                                     }()) +
                                    ...);
    static_assert(dynamic_places <= places);
    int all = 1;
    for (int i = 0; i < dynamic_places; ++i) all *= 4;
    for (int choice = 0; choice < all; ++choice) {
      extent at[places + 1]{};
      for (int i = 0, rest = choice; i < dynamic_places; ++i, rest /= 4) at[i] = extents_tried[rest % 4];
      try {
        int used = 0, first = 0;
        std::tuple<nd::tensor<T, S>...> const x{numbered<T, S>(at, used, first)...};
        std::apply(
            [&](auto const&... operands) {
              std::string shapes;
              ((shapes += to_string(S::value) + "=" + to_string(operands.shape()) + " "), ...);
              std::string const eager = outcome([&] { return f(space_for(in_sinter{}, operands...), operands...); });
              std::string const compiled = outcome([&] { return fast(operands...); });
              if (eager != compiled) {
                INFO(shapes);
                CHECK(eager == compiled);
              }
              ++(eager == "refused" ? refused : same);
            },
            x);
      } catch (std::out_of_range const&) {}
    }
  }
};
using of_one = of<float>;
using of_two = of<float, float>;
using of_three = of<float, float, float>;

template <class S> void check_rows() {
  of_one::check<S>([](auto F, auto x) { return F.sum(x, axis<0>); });
  of_one::check<S>([](auto F, auto x) { return F.sum(x, axis<1>, keepdims) + x; });
  of_one::check<S>([](auto F, auto x) { return F.max(x); });
  of_one::check<S>([](auto F, auto x) { return F.mean(x, axis<1>); });
  of_one::check<S>([](auto F, auto x) { return F.softmax(x); });
  of_one::check<S>([](auto F, auto x) { return F.softmax(x, axis<0>); });
  of_one::check<S>([](auto F, auto x) { return F.sort(x, axis<0>); });
  of_one::check<S>([](auto F, auto x) { return F.transpose(x) * 2; });
  of_one::check<S>([](auto F, auto x) { return F.reshape(x, into<-1>); });
  of_one::check<S>([](auto F, auto x) { return F.flatten(F.expand_dims(x, axis<1>)); });
  of_one::check<S>([](auto F, auto x) { return F.squeeze(F.expand_dims(x, axis<1>)); });
  of_one::check<S>([](auto F, auto x) { return F.concat(x, x * 2, axis<0>); });
  of_one::check<S>([](auto F, auto x) { return F.concat(x, F.sum(x, axis<1>, keepdims), axis<1>); });
}
template <class S> void check_slices() {
  of_one::check<S>([](auto F, auto x) { return F.slice(x, begin<1>); });
  of_one::check<S>([](auto F, auto x) { return F.slice(x, begin<3>) + 1; });
  of_one::check<S>([](auto F, auto x) { return F.slice(x, end<-2>); });
  of_one::check<S>([](auto F, auto x) { return F.sum(F.slice(x, begin<1>, end<-1>), axis<0>); });
  of_one::check<S>([](auto F, auto x) { return F.slice(F.slice(x * 2, begin<1>), begin<2>, end<-1>); });
  of_one::check<S>([](auto F, auto x) { return F.concat(F.slice(x, begin<3>), x, axis<0>); });
  of_one::check<S>([](auto F, auto x) { return F.concat(x * 3, F.slice(x, begin<1>), axis<0>); });
  of_one::check<S>([](auto F, auto x) { return F.softmax(F.slice(x, begin<2>), axis<0>); });
}

}  // namespace

TEST_CASE("one operand with dynamic extents, eagerly and compiled") {
  check_rows<shape<b, 3>>();
  check_rows<shape<dynamic, dynamic>>();
  check_rows<shape<c, b>>();
  of_one::check<shape<b, b>>([](auto F, auto x) { return x + F.transpose(x); });
  of_one::check<shape<dynamic, 1>>([](auto F, auto x) { return F.squeeze(x); });
  of_one::check<shape<b, 1>>([](auto F, auto x) { return F.squeeze(x) * 2; });
  of_one::check<shape<b, 1>>([](auto F, auto x) { return F.broadcast_to(x, into<b, 3>); });
  of_one::check<shape<b, c>>([](auto F, auto x) { return F.broadcast_to(x, into<2, b, c>) + 1; });
  of_one::check<shape<b, 6>>([](auto F, auto x) { return F.reshape(x, into<b, 2, 3>); });
  of_one::check<shape<b, 4>>([](auto F, auto x) { return F.reshape(x, into<2, 2, b>); });
  of_one::check<shape<b, c>>([](auto F, auto x) { return F.reshape(x, into<c, b>); });
}

// The type of a merged dimension says only that it is dynamic; where it comes from names, a compiled network knows what its parts are.
TEST_CASE("dimensions that are merged and split again, eagerly and compiled") {
  same = refused = 0;
  of_one::check<shape<b, 2, 3>>([](auto F, auto x) { return F.reshape(F.reshape(x, into<-1, 3>) * 2, into<-1, 2, 3>) + x; });
  of_one::check<shape<b, c, 2>>([](auto F, auto x) { return F.sum(F.reshape(F.reshape(x, into<-1, 2>), into<-1, 4>), axis<0>); });
  of_one::check<shape<b, 2, 4>>([](auto F, auto x) {
    auto const heads = F.reshape(F.transpose(x, axes<0, 2, 1>), into<-1, 2>);
    return F.transpose(F.reshape(heads, into<-1, 4, 2>), axes<0, 2, 1>) - x;
  });
  CHECK(refused > 0);  // the second of them with an odd product
  refused = 0;
  of_one::check<shape<dynamic, 6>>([](auto F, auto x) { return F.reshape(x, into<-1, 4>); });
  of_one::check<shape<dynamic, 6>>([](auto F, auto x) { return F.softmax(F.reshape(x * 2, into<4, -1>)) + 1; });
  of_one::check<shape<dynamic, 6>>([](auto F, auto x) { return F.sort(F.reshape(F.transpose(x), into<-1, 4>), axis<0>); });
  of_one::check<shape<dynamic, 6>>([](auto F, auto x) { return F.reshape(F.reshape(x, into<-1, 4>) + 1, into<-1, 6>) * x; });
  of_one::check<shape<dynamic, dynamic>>([](auto F, auto x) { return F.relu(F.reshape(x, into<-1, 5>)); });
  of_one::check<shape<dynamic, 3>>([](auto F, auto x) { return F.reshape(F.slice(x, begin<1>), into<-1, 2>); });
  of_one::check<shape<dynamic, 6>>([](auto F, auto x) { return F.reshape(x, into<2, 3>) * 2; });
  of_one::check<shape<6, dynamic>>([](auto F, auto x) { return F.reshape(F.transpose(x), into<3, 4>); });
  of_one::check<shape<dynamic, 2>>([](auto F, auto x) { return F.stack(F.reshape(x, into<-1, 5>), F.relu(F.reshape(x, into<-1, 5>))); });
  of_two::check<shape<dynamic, 6>, shape<dynamic, 4>>([](auto F, auto x, auto y) { return F.reshape(x, into<-1, 4>) + y; });
  of_two::check<shape<dynamic, 6>, shape<dynamic, 4>>(
      [](auto F, auto x, auto y) { return F.concat(F.reshape(x, into<-1, 4>), y, axis<0>); });
  CHECK(refused > 20);
  CHECK(same > 30);
}
template <class S, class Into> inline constexpr bool can_reshape = ops::call_rule<ops::reshape, nd::tensor<float, S>, Into>::ok;
static_assert(can_reshape<shape<dynamic, 6>, decltype(into<-1, 4>)>);
static_assert(!can_reshape<shape<b, 6>, decltype(into<-1, 4>)>);        // a name stays what it is
static_assert(!can_reshape<shape<dynamic, 6>, decltype(into<b, -1>)>);  // whose b?
static_assert(!can_reshape<shape<dynamic, 6>, decltype(into<-1, 0>)>);
static_assert(can_reshape<shape<dynamic, 6>, decltype(into<2, 9>)> && !can_reshape<shape<b, 6>, decltype(into<2, 9>)>);
TEST_CASE("a dimension that cannot be split") {
  nd::tensor<float, shape<dynamic, 6>> const x({3, 6});
  CHECK(reshape(x, into<-1, 9>).shape() == dims{2, 9});
  CHECK_THROWS_WITH(reshape(x, into<-1, 4>), "sinter: reshape of (3, 6): the new shape holds another number of elements");
  auto const fast = hybridize([](auto F, auto v) { return F.reshape(v, into<-1, 4>) * 2; });
  CHECK_THROWS_WITH(fast(x), "sinter: a reshape wants ?*6 to be a multiple of 4, and it is 18");
}

TEST_CASE("slices of dynamic extents, eagerly and compiled") {
  check_slices<shape<b, 3>>();
  check_slices<shape<dynamic, dynamic>>();
}

TEST_CASE("several operands with dynamic extents, eagerly and compiled") {
  same = refused = 0;
  of_two::check<shape<b, c>, shape<b, 1>>([](auto, auto x, auto y) { return x + y; });
  of_two::check<shape<dynamic, dynamic>, shape<dynamic, dynamic>>([](auto, auto x, auto y) { return x - y; });
  of_two::check<shape<dynamic, 1>, shape<1, dynamic>>([](auto, auto x, auto y) { return x - y; });
  of_two::check<shape<dynamic>, shape<5>>([](auto, auto x, auto y) { return x * y; });
  of_two::check<shape<dynamic, b>, shape<b, dynamic>>([](auto, auto x, auto y) { return x * y; });
  of_three::check<shape<b>, shape<dynamic>, shape<dynamic, 1>>([](auto F, auto x, auto y, auto z) { return F.clip(x, y, z); });
  of_three::check<shape<dynamic>, shape<2, 1>, shape<b>>([](auto F, auto x, auto y, auto z) { return F.where(x > 0, y, z); });
  of_two::check<shape<b, c>, shape<c, 3>>([](auto F, auto x, auto y) { return F.matmul(x, y); });
  of_two::check<shape<dynamic, dynamic>, shape<dynamic, dynamic>>([](auto F, auto x, auto y) { return F.matmul(x, y); });
  of_two::check<shape<2, dynamic>, shape<b, 5>>([](auto F, auto x, auto y) { return F.matmul(x, y); });
  of_two::check<shape<b, c>, shape<b, c>>([](auto F, auto x, auto y) { return F.matmul(x, y, transpose_b); });
  of_two::check<shape<dynamic>, shape<dynamic>>([](auto F, auto x, auto y) { return F.matmul(x, y); });
  of_two::check<shape<b, 2, dynamic>, shape<dynamic, 2>>([](auto F, auto x, auto y) { return F.matmul(x, y); });
  of_two::check<shape<b, 2, dynamic>, shape<3, dynamic>>([](auto F, auto x, auto y) { return F.fully_connected(x, y, flattened<false>); });
  of_two::check<shape<b, 2, c>, shape<3, 10>>([](auto F, auto x, auto y) { return F.fully_connected(x, y); });
  of_two::check<shape<b, 2>, shape<c, 2>>([](auto F, auto x, auto y) { return F.concat(x, y, axis<0>); });
  of_two::check<shape<dynamic, 2>, shape<dynamic, 2>>([](auto F, auto x, auto y) { return F.concat(x, y, axis<1>); });
  of_two::check<shape<dynamic, dynamic>, shape<2, dynamic>>([](auto F, auto x, auto y) { return F.concat(x, y, axis<1>); });
  of_three::check<shape<dynamic, 2>, shape<dynamic, 1>, shape<b, 3>>([](auto F, auto x, auto y, auto z) { return F.concat(x, y, z); });
  of_three::check<shape<b, c>, shape<c>, shape<c>>([](auto F, auto x, auto y, auto z) { return F.layer_norm(x, y, z); });
  of<float, std::int32_t>::check<shape<b, 2>, shape<dynamic>>([](auto F, auto x, auto i) { return F.take(x, i); });
  of<float, std::int32_t>::check<shape<2, b>, shape<dynamic, b>>([](auto F, auto x, auto i) { return F.take(x, i, axis<1>); });
  of<std::int32_t>::check<shape<dynamic>>([](auto F, auto i) { return F.one_hot(i, depth<4>); });
  CHECK(same > 200);
  CHECK(refused > 200);
}

TEST_CASE("a network whose intermediate results cannot be counted") {
  constexpr extent many = extent{1} << 40;
  nd::tensor<float, shape<dynamic, 0>> const x({many, 0});
  auto const fast = hybridize([](auto F, auto v) {
    auto const column = F.sum(v, axis<1>, keepdims);
    return F.sum(F.sort(F.sort(column + F.transpose(column)), axis<0>));
  });
  CHECK_THROWS_WITH(fast(x), "sinter: with these extents an intermediate result has more elements than memory can have");
}
