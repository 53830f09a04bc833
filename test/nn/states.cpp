// SPDX-License-Identifier: Apache-2.0
// States: what a call remembers for the next one. Eager and compiled networks read and leave the same numbers.
#include <sinter/compile/plain.hpp>
#include <sinter/nn/collect.hpp>
#include <sinter/nn/layers/norms.hpp>
#include <sinter/viz/report.hpp>
#include <thread>

#include "loops.hpp"
#include "network.hpp"

namespace {

using sinter::axis;
using sinter::begin;
using sinter::end;
using test::running;

// The same in training, where it counts, and in inference, where it reads alone.
struct counted : nn::hybrid_block<counted> {
  BOOST_HANA_DEFINE_STRUCT(counted, (nn::state<shape<2>>, sum));
  template <class F, class X> constexpr auto hybrid_forward(F space, X x) const {
    if constexpr (F::training) space.assign(sum, space.get(sum, shape<2>{}) + x);
    return x + space.get(sum, shape<2>{});
  }
};
// Weights that a call replaces: a product's second operand, which compiled networks keep packed.
struct replaced : nn::hybrid_block<replaced> {
  BOOST_HANA_DEFINE_STRUCT(replaced, (nn::state<shape<4, 3>, 1>, weight));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto y = F.fully_connected(x, F.get(weight, shape<4, 3>{}));
    F.assign(weight, F.get(weight, shape<4, 3>{}) * 0.5f);
    return y;
  }
};
// Assigned, but never read: an input, and another state as it is.
struct delayed : nn::hybrid_block<delayed> {
  BOOST_HANA_DEFINE_STRUCT(delayed, (nn::state<shape<2>>, last), (nn::state<shape<2>, 9>, before));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto y = F.get(before, shape<2>{}) * 1;
    F.assign(before, F.get(last, shape<2>{}));
    F.assign(last, x);
    return y;
  }
};
struct any : nn::hybrid_block<any> {
  BOOST_HANA_DEFINE_STRUCT(any, (nn::state<>, last));
  constexpr auto hybrid_forward(auto F, auto x) const {
    F.assign(last, x);
    return x;
  }
};
// Each element by itself, so that the new values take the place of the old ones; and each from its neighbour, which cannot.
struct in_place : nn::hybrid_block<in_place> {
  BOOST_HANA_DEFINE_STRUCT(in_place, (nn::state<shape<5>, 1>, sum), (nn::state<shape<5>, 2>, line));
  constexpr auto hybrid_forward(auto F, auto x) const {
    F.assign(sum, F.get(sum, shape<5>{}) + x);
    auto const before = F.get(line, shape<5>{});
    F.assign(line, F.concat(F.slice(before, begin<1>), F.slice(x, end<1>), axis<0>));
    return std::tuple(F.exp(F.get(sum, shape<5>{})), F.exp(before));
  }
};
struct shown : nn::hybrid_block<shown> {
  BOOST_HANA_DEFINE_STRUCT(shown, (nn::state<shape<5>, 1>, sum));
  constexpr auto hybrid_forward(auto F, auto x) const {
    F.assign(sum, F.get(sum, shape<5>{}) + x);
    return F.get(sum, shape<5>{});
  }
};
// Bodies of control flow read the state; the plan of the whole does not say so.
struct read_in_a_loop : nn::hybrid_block<read_in_a_loop> {
  BOOST_HANA_DEFINE_STRUCT(read_in_a_loop, (nn::state<shape<2>, 1>, s));
  constexpr auto hybrid_forward(auto F, auto x, auto h) const {
    auto [all, last] = F.foreach (
        [&](auto row, auto sum) {
          auto next = sum + row - F.get(s, shape<2>{});
          return std::tuple(next, next);
        },
        x, h);
    F.assign(s, last);
    return std::tuple(all, F.get(s, shape<2>{}) * 1);
  }
};
struct read_in_a_branch : nn::hybrid_block<read_in_a_branch> {
  BOOST_HANA_DEFINE_STRUCT(read_in_a_branch, (nn::state<shape<2>, 1>, s));
  constexpr auto hybrid_forward(auto F, auto x, auto h) const {
    auto const old = F.cond(F.sum(x) > 0, [&] { return F.get(s, shape<2>{}) * 1; }, [&] { return F.get(s, shape<2>{}) * 2; });
    F.assign(s, h * 10);
    return std::tuple(F.get(s, shape<2>{}) + 1, old);
  }
};
// Each gets what the other had: `first` may not be written before `second` has been computed.
struct exchanged : nn::hybrid_block<exchanged> {
  BOOST_HANA_DEFINE_STRUCT(exchanged, (nn::state<shape<3>, 1>, first), (nn::state<shape<3>, 2>, second));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const a = F.get(first, shape<3>{}), b = F.get(second, shape<3>{});
    F.assign(first, b);
    F.assign(second, a + F.sum(x, axis<0>));
    return std::tuple(F.get(first, shape<3>{}), F.get(second, shape<3>{}), a, b);
  }
};
// Both new values lie beside the arena until the end of the call, because each is read at other places.
struct two_beside : nn::hybrid_block<two_beside> {
  BOOST_HANA_DEFINE_STRUCT(two_beside, (nn::state<shape<5>, 1>, first), (nn::state<shape<21>, 2>, second));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const a = F.get(first, shape<5>{});
    auto const b = F.get(second, shape<21>{});
    F.assign(first, F.flip(a, axis<0>) + F.sum(x));
    F.assign(second, F.flip(b, axis<0>) + F.sum(x));
    return std::tuple(F.cumsum(a, axis<0>), F.cumsum(b, axis<0>));
  }
};
template <class Net> Net started() {
  Net net;
  net.initialize(sinter::init::uniform{0.5}, 7);
  return net;
}
template <class A, class B> void check_all(A const& a, B const& b) {
  std::apply([&](auto const&... x) { std::apply([&](auto const&... y) { (check_same(x, y), ...); }, b); }, a);
}

void same_parameters(auto const& a, auto const& b) {
  auto const all = b.collect_params();
  for (auto const& p : a.collect_params()) CHECK(p.to_vector() == all[p.name()].to_vector());
}
// Eager and compiled calls give the same, and leave the same.
template <class Net> void same_states(auto const&... x) {
  Net const eager, other;
  auto const fast = other.hybridize();
  for (int i = 0; i < 4; ++i) {
    auto const got = fast(x...);
    check_all(got, eager(x...));
    same_parameters(other, eager);
  }
}

}  // namespace

TEST_CASE("a state is read and assigned in eager order, compiled as well") {
  running const eager = started<running>(), other = started<running>(), third = started<running>();
  auto const fast = other.hybridize();
  auto const reference = third.hybridize<sinter::reference::backend>();
  for (int i = 0; i < 4; ++i) {
    f32<4, 5> x = filled<f32<4, 5>>();
    x += static_cast<float>(i);
    auto const want = eager(x);
    check_all(fast(x), want);
    std::apply([](auto const&... y) { ((void)y.size(), ...); }, reference(x));
    CHECK(std::get<3>(want).item() == 6 + i);
    check_same(std::get<2>(want), std::get<1>(want) * 2);
    check_same(eager.mean.data<shape<3>>(), std::get<2>(want));
    check_same(other.mean.data<shape<3>>(), std::get<2>(want));
    CHECK(other.calls.data<shape<>>().item() == 6 + i);
  }
  for (int i = 0; i < 3; ++i) CHECK(third.mean.data<shape<3>>()[i] == Approx(eager.mean.data<shape<3>>()[i]));
}
TEST_CASE("what was read before an assignment keeps its numbers") {
  delayed const eager, other;
  auto const fast = other.hybridize();
  f32<2> const x{1, 2}, y{3, 4}, z{5, 6};
  for (auto const* v : {&x, &y, &z, &x}) {
    auto const want = eager(*v);
    check_same(fast(*v), want);
    check_same(eager.last.data<shape<2>>(), *v);
    check_same(other.last.data<shape<2>>(), *v);
  }
  check_same(other.before.data<shape<2>>(), z);
}
TEST_CASE("new values take the place of old ones that nobody needs") {
  using compiled = sinter::compiled_t<in_place, shape<5>>;
  STATIC_REQUIRE(compiled::plan.updates[0].in_place);
  STATIC_REQUIRE(!compiled::plan.updates[1].in_place);
  in_place const eager, other;
  auto const fast = other.hybridize();
  auto const x = filled<f32<5>>();
  for (int i = 0; i < 4; ++i) check_all(fast(x), eager(x));
  check_same(other.sum.data<shape<5>>(), eager.sum.data<shape<5>>());
  check_same(other.line.data<shape<5>>(), eager.line.data<shape<5>>());
}
TEST_CASE("who shares a state's values keeps them") {
  STATIC_REQUIRE(sinter::compiled_t<shown, shape<5>>::plan.updates[0].in_place);
  shown const net;
  auto const fast = net.hybridize();
  auto const x = filled<f32<5>>();
  (void)net(x);
  auto const before = net.sum.data<shape<5>>();
  auto const kept = net.sum.storage();
  (void)fast(x);
  for (int i = 0; i < 5; ++i) CHECK(kept.data()[i] == before[i]);
  check_same(net.sum.data<shape<5>>(), before + x);
}
TEST_CASE("who shares one of a state's two places keeps it") {
  in_place const net;
  auto const fast = net.hybridize();
  auto const x = filled<f32<5>>();
  (void)fast(x);
  std::vector<f32<5>> want;
  std::vector<sinter::buffer<float>> held;
  for (int i = 0; i < 4; ++i) {
    (void)fast(x + static_cast<float>(i));
    want.push_back(net.line.data<shape<5>>());
    held.push_back(net.line.storage());
  }
  for (std::size_t i = 0; i < 4; ++i)
    for (int k = 0; k < 5; ++k) CHECK(held[i].data()[k] == want[i][k]);
}
TEST_CASE("inference reads what training left") {
  counted const eager, other;
  auto const fast = other.hybridize();
  f32<2> const x{1, 2};
  using sinter::training;
  for (int i = 0; i < 3; ++i) {
    check_same(sinter::unmarked(fast(training(x))), sinter::unmarked(eager(training(x))));
    check_same(fast(x), eager(x));
  }
  check_same(eager(x), f32<2>{4, 8});
  f32<2> out;
  fast(x, out);
  check_same(out, f32<2>{4, 8});
  STATIC_REQUIRE(sinter::compiled_t<counted, shape<2>>::states == 0);
  STATIC_REQUIRE(sinter::compiled_t<counted, sinter::in_training<shape<2>>>::states == 1);
}
namespace {
// In training each element goes elsewhere, so that the next values have memory of their own; inference reads them element by element.
struct turning : nn::hybrid_block<turning> {
  BOOST_HANA_DEFINE_STRUCT(turning, (nn::state<shape<4>, 1>, weight));
  template <class F, class X> constexpr auto hybrid_forward(F space, X x) const {
    if constexpr (F::training)
      space.assign(weight, space.flip(space.get(weight, shape<4>{}), sinter::axis<0>) + space.sum(sinter::unmarked(x), sinter::axis<0>));
    return x * space.get(weight, shape<4>{});
  }
};
// In training it changes where it is; inference has made other weights of it.
struct settling : nn::hybrid_block<settling> {
  BOOST_HANA_DEFINE_STRUCT(settling, (nn::state<shape<3, 4>, 1>, weight));
  template <class F, class X> constexpr auto hybrid_forward(F space, X x) const {
    auto const w = space.get(weight, shape<3, 4>{});
    if constexpr (F::training) {
      space.assign(weight, w * 0.5f + space.sum(sinter::unmarked(x)));
      return x * 1;
    } else return space.fully_connected(x, w);
  }
};
template <class Net> void inference_follows() {
  Net const eager, other;
  auto const fast = other.hybridize(), again = other.hybridize();
  f32<2, 4> const x{{1, 2, 3, 5}, {0, 1, 0, 2}};
  // Before, because an eager call that assigns makes all plans look again.
  std::vector<decltype(eager(x))> want;
  for (int i = 0; i < 6; ++i) {
    (void)eager(sinter::training(x));
    want.push_back(eager(x));
  }
  for (auto const& y : want) {
    (void)fast(sinter::training(x));
    check_same(fast(x), y);
    check_same(again(x), y);
  }
}
}  // namespace
TEST_CASE("inference follows a state that changes places, and what was made of one") {
  STATIC_REQUIRE(!sinter::compiled_t<turning, sinter::in_training<shape<2, 4>>>::plan.updates[0].in_place);
  STATIC_REQUIRE(sinter::compiled_t<settling, sinter::in_training<shape<2, 4>>>::plan.updates[0].in_place);
  inference_follows<turning>();
  inference_follows<settling>();
}
TEST_CASE("a state that is a product's weights is packed again") {
  replaced const eager = started<replaced>(), other = started<replaced>();
  auto const fast = other.hybridize();
  auto const x = filled<f32<70, 3>>();
  for (int i = 0; i < 3; ++i) check_same(fast(x), eager(x));
  CHECK(eager.weight.data<shape<4, 3>>()[0] == 0.125f);  // initialize() leaves a state as it begins
}
TEST_CASE("a batch with a dynamic extent, and results into tensors that are there") {
  running const eager = started<running>(), other = started<running>();
  auto const fast = other.hybridize();
  for (int n : {3, 1, 7}) {
    auto const x = filled<f32<dim<"batch">, 5>>({n, 5});
    auto const want = eager(x);
    auto out = want;
    std::get<0>(out) = std::get<0>(want).copy();
    std::apply([](auto&... y) { ((y = y.copy(), y.fill(0)), ...); }, out);
    fast(x, out);
    check_all(out, want);
  }
}
TEST_CASE("states that are read in the bodies of control flow keep their values until the end of a call") {
  auto const x = filled<f32<3, 2>>();
  auto const h = filled<f32<2>>();
  same_states<read_in_a_loop>(x, h);
  same_states<read_in_a_branch>(x, h);
}
TEST_CASE("states that are assigned each other's values") {
  auto const x = filled<f32<7, 3>>();
  same_states<exchanged>(x);
  same_states<two_beside>(x);
}
namespace {
struct remembers : nn::hybrid_block<remembers> {
  BOOST_HANA_DEFINE_STRUCT(remembers, (nn::dense<2>, fc), (nn::batch_norm<-1>, norm), (nn::state<shape<3, 2>, 7>, last));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto y = norm(fc(x));
    F.assign(last, sinter::unmarked(y));
    return y;
  }
};
}  // namespace
TEST_CASE("reset_states() sets back what calls remember, and leaves parameters and what batch_norm has learned") {
  remembers const net = started<remembers>();
  auto const fast = net.hybridize();
  auto const x = filled<f32<3, 2>>();
  (void)net(sinter::training(x));
  f32<2> const mean = net.norm.running_mean.data<shape<2>>();
  f32<2, 2> const weight = net.fc.weight.data<shape<2, 2>>();
  auto const y = fast(x);
  auto const begins = [&] {
    auto const last = net.last.data<shape<3, 2>>();
    CHECK((last(0, 0) == 7 && last(2, 1) == 7));
    check_same(net.norm.running_mean.data<shape<2>>(), mean);
    CHECK((mean(0) != 0 && net.norm.running_var.data<shape<2>>()(0) != 1));
    check_same(net.fc.weight.data<shape<2, 2>>(), weight);
  };
  auto const kept = net.last.storage();  // as a tensor that shares it
  net.reset_states();
  begins();
  check_same(f32<3, 2>::share(kept, {3, 2}), y);
  check_same(fast(x), y);
  CHECK(net.last.data<shape<3, 2>>()(0, 0) == y(0, 0));
  fast.reset_states();
  begins();
  check_same(net(x), y);
  // In containers, where a block is compiled, and before there are values.
  auto const chain = nn::sequential{net, nn::identity{}}.hybridize();
  chain.reset_states();
  begins();
  remembers{}.reset_states();
  delayed const eager;
  f32<2> const one{1, 2}, other{3, 4};
  auto const first = eager(one);
  (void)eager(other);
  eager.reset_states();
  check_same(eager(one), first);
}
TEST_CASE("calls from several threads assign one after the other") {
  running const net = started<running>();
  auto const fast = net.hybridize();
  auto const x = filled<f32<4, 5>>();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) (void)fast(x);
    });
  for (std::thread& t : threads) t.join();
  CHECK(net.calls.data<shape<>>().item() == 5 + 200);
}
TEST_CASE("a state of another shape is refused before anything runs") {
  any const eager, other;
  auto const fast = other.hybridize();
  (void)eager(f32<2>{1, 2});
  (void)fast(f32<2>{1, 2});
  CHECK(message_of([&] { eager(f32<3>{1, 2, 3}); }).find("shape (2,) is used in shape (3,)") != std::string::npos);
  CHECK(message_of([&] { (void)fast(f32<3>{1, 2, 3}); }).find("shape (2,) is used in shape (3,)") != std::string::npos);
  check_same(other.last.data<shape<2>>(), f32<2>{1, 2});
}
TEST_CASE("a constant expression assigns eagerly") {
  constexpr auto sum = [] {
    counted const net;
    f32<2> const x{1, 2};
    (void)net(sinter::training(x));
    return net(sinter::training(x))[1];
  };
  static_assert(sum() == 6);
}
