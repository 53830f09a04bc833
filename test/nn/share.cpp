// SPDX-License-Identifier: Apache-2.0
// Parameters that two blocks share, in memory, in compiled networks and in files.
#include <sinter/compile/plain.hpp>
#include <sinter/nn/load.hpp>
#include <sinter/nn/save.hpp>
#include <sinter/nn/share.hpp>

#include <thread>
#include <vector>

#include "network.hpp"

namespace {
using sinter::parameter_error;

struct twins : nn::hybrid_block<twins> {
  BOOST_HANA_DEFINE_STRUCT(twins, (nn::dense<4>, first), (nn::dense<4>, second));
  constexpr auto hybrid_forward(auto F, auto x) const { return second(F.tanh(first(x))); }
};
// As language models: words are read by the weight by which they are scored.
struct tied : nn::hybrid_block<tied> {
  using read = nn::embedding<6, 4>;
  BOOST_HANA_DEFINE_STRUCT(tied, (read, words), (nn::dense<6>, scores));
  constexpr auto hybrid_forward(auto F, auto x) const { return scores(F.tanh(words(x))); }
};
struct counts : nn::hybrid_block<counts> {
  BOOST_HANA_DEFINE_STRUCT(counts, (nn::state<shape<2>>, mean));
  constexpr auto hybrid_forward(auto F, auto x) const {
    F.assign(mean, F.get(mean, shape<2>{}) + x);
    return F.get(mean, shape<2>{});
  }
};
struct two_counts : nn::hybrid_block<two_counts> {
  BOOST_HANA_DEFINE_STRUCT(two_counts, (counts, left), (counts, right));
  constexpr auto hybrid_forward(auto, auto x) const {
    auto y = left(x);
    return right(y);
  }
};
struct reads_count : nn::hybrid_block<reads_count> {
  BOOST_HANA_DEFINE_STRUCT(reads_count, (counts, left), (nn::state<shape<2>>, other));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto y = left(x);
    return y + F.get(other, shape<2>{});
  }
};
template <int Units> nn::dense<Units> a_dense(std::uint64_t seed) {
  nn::dense<Units> d;
  d.initialize(sinter::init::uniform{0.5}, seed);
  return d;
}
}  // namespace

TEST_CASE("a block shares the parameters of another, eagerly and compiled before or after") {
  auto a = a_dense<4>(1), b = a_dense<4>(2);
  auto const x = filled<f32<3, 5>>();
  auto const before_a = a.hybridize(), before_b = b.hybridize();
  auto const copy_of_a = a;
  auto const old = before_a(x), want = before_b(x);
  CHECK(&a.share_parameters(b) == &a);
  auto const after = a.hybridize();
  CHECK(old.to_vector() != want.to_vector());
  for (auto const& y : {a(x), before_a(x), after(x), before_b(x), copy_of_a(x)}) check_same(y, want);
  // What is written to one, from whichever side, is seen by all.
  a.weight.set(filled<f32<4, 5>>());
  check_same(b(x), after(x));
  check_same(before_b(x), before_a(x));
  CHECK(b(x).to_vector() != want.to_vector());
  b.initialize(sinter::init::constant{1});
  check_same(a(x), before_b(x));
  check_same(before_a(x), after(x));
  CHECK(a(x)(0, 0) == before_a(x)(0, 3));
  a.share_parameters(b);  // again changes nothing
  b.share_parameters(a);
  check_same(a(x), b(x));
}

TEST_CASE("sharing goes on through those that share already") {
  auto a = a_dense<2>(1), b = a_dense<2>(2), c = a_dense<2>(3);
  auto const x = filled<f32<1, 3>>();
  auto const fast = a.hybridize();
  (void)fast(x), (void)b(x);
  auto const want = c(x);
  a.share_parameters(b);
  (void)fast(x);
  b.share_parameters(c);
  check_same(fast(x), want);
  check_same(a(x), want);
  c.bias.set(f32<2>{100, 200});
  CHECK(fast(x)(0, 1) > 100);
  CHECK(b(x)(0, 1) > 100);
}

TEST_CASE("a plan that ran with other values of the same version and place looks again") {
  // Memory that one parameter gives back is often the next one's.
  auto const x = filled<f32<2, 8>>();
  auto a = a_dense<8>(1);
  auto const fast = a.hybridize();
  for (int i = 0; i < 20; ++i) {
    nn::dense<8> b;
    b.initialize(sinter::init::uniform{0.5}, static_cast<std::uint64_t>(i + 2));
    a.share_parameters(b);
    check_same(fast(x), b(x));
  }
}

TEST_CASE("shared before the first call, in either order") {
  for (bool const other_first : {false, true}) {
    nn::dense<3> a, b;
    b.initialize(sinter::init::uniform{0.5}, 4);
    a.share_parameters(b);
    auto const x = filled<f32<2, 5>>();
    auto const y = other_first ? b(x) : a(x);
    check_same(a.hybridize()(x), y);
    check_same(b.hybridize()(x), y);
    CHECK(message_of<parameter_error>([&] { a(f32<2, 6>{}); }) ==
          "in weight: sinter: a parameter of shape (3, 5) is used in shape (3, 6); its values were made for inputs of other extents");
  }
}

TEST_CASE("two layers of one network share") {
  twins net;
  net.initialize(sinter::init::uniform{0.5}, 3);
  auto const fast = net.hybridize();
  auto const x = filled<f32<3, 4>>();
  auto const apart = fast(x);
  net.second.share_parameters(net.first);
  check_same(fast(x), net(x));
  CHECK(fast(x).to_vector() != apart.to_vector());
  net.second.weight.set(filled<f32<4, 4>>());
  check_same(fast(x), net(x));
  check_same(net.hybridize()(x), net(x));
  CHECK(net.summary() ==
        "first.weight (4, 4): 16\nfirst.bias (4,): 4\nsecond.weight (4, 4): 16, shared\nsecond.bias (4,): 4, shared\n20 values\n");
}

TEST_CASE("one weight of two layers is tied") {
  tied net;
  net.initialize(sinter::init::uniform{0.5}, 3);
  auto const fast = net.hybridize();
  sinter::nd::tensor<int, shape<3>> const x{5, 0, 2};
  (void)fast(x);
  net.scores.weight.share(net.words.weight);
  check_same(fast(x), net(x));
  net.words.weight.set(filled<f32<6, 4>>());
  check_same(fast(x), net(x));
  f32<6, 4> const w = net.scores.weight.data<shape<6, 4>>();
  check_same(w, filled<f32<6, 4>>());
  CHECK(message_of<parameter_error>([&] { net.scores.weight.share(net.scores.bias); }) ==
        "sinter: a parameter of shape (6,) cannot be shared as one of shape (6, 4)");
}

TEST_CASE("some parameters are shared by name") {
  twins a, b;
  a.initialize(sinter::init::uniform{0.5}, 1);
  b.initialize(sinter::init::uniform{0.5}, 2);
  auto const x = filled<f32<1, 4>>();
  a(x), b(x);
  a.share_parameters(b.collect_params(".*weight"));
  b.first.weight.set(filled<f32<4, 4>>());
  check_same(a.first.weight.data<shape<4, 4>>(), filled<f32<4, 4>>());
  b.first.bias.set(f32<4>{9, 9, 9, 9});
  CHECK(a.first.bias.data<shape<4>>()(0) == 0);
}

TEST_CASE("what does not fit is not shared, and nothing is changed") {
  auto a = a_dense<4>(1), b = a_dense<4>(2);
  auto const before = a(filled<f32<1, 5>>());
  b(filled<f32<1, 6>>());
  CHECK(message_of<parameter_error>([&] { a.share_parameters(b); }) ==
        "sinter: parameter weight (shape=(4, 6), dtype=float32) cannot be shared as parameter weight (shape=(4, 5), dtype=float32)");
  nn::dense<4, nn::no_activation, double> wide;
  CHECK(message_of<parameter_error>([&] { a.share_parameters(wide); }) ==
        "sinter: parameter weight (shape=(4, ?), dtype=float64) cannot be shared as parameter weight (shape=(4, 5), dtype=float32)");
  nn::dense<4, nn::no_activation, float, false> plain;
  CHECK(message_of<parameter_error>([&] { a.share_parameters(plain); }) ==
        "sinter: parameter bias (shape=(4,), dtype=float32) finds no parameter of its name in the block whose parameters it is to share: "
        "`weight`");
  CHECK(
      message_of<parameter_error>([&] { plain.share_parameters(a); }) ==
      "sinter: parameter bias (shape=(4,), dtype=float32) cannot be shared with a block that has no parameter of this name, but `weight`");
  twins net, other;
  net.second.share_parameters(net.first);
  CHECK(message_of<parameter_error>([&] { net.share_parameters(other); }) ==
        "sinter: parameters `first.weight` and `second.weight` share their values on one side, and not on the other");
  other.share_parameters(net);  // two of them become one
  other.first.weight.set(filled<f32<4, 4>>());
  check_same(net.second.weight.data<shape<4, 4>>(), filled<f32<4, 4>>());
  check_same(other.second.weight.data<shape<4, 4>>(), filled<f32<4, 4>>());
  check_same(a(filled<f32<1, 5>>()), before);
  struct both_states {
    nn::state<shape<2>> mean;
    nn::basic_parameter<float, shape<2>> weight;
  } s;
  CHECK(message_of<parameter_error>([&] { s.weight.share(s.mean); }) == "sinter: a parameter is shared as a parameter, a state as a state");
}

TEST_CASE("crossed sharing of one block with itself is refused") {
  twins net, other;
  other.first.share_parameters(net.second);
  CHECK(message_of<parameter_error>([&] { net.share_parameters(other); }) ==
        "sinter: parameters `second.weight` and `first.weight` share their values on one side, and not on the other");
}

TEST_CASE("networks share states, one compiled network does not assign one by two names") {
  counts a, b;
  auto const fast_a = a.hybridize(), fast_b = b.hybridize();
  f32<2> const x{1, 2};
  (void)fast_a(x);
  b.share_parameters(a);
  (void)fast_b(x);
  CHECK(a(x)(1) == 6);
  CHECK(fast_b(x)(1) == 8);
  CHECK(b.mean.data<shape<2>>()(0) == 4);
  two_counts net;
  auto const fast = net.hybridize();
  CHECK(fast(x)(1) == 2);
  CHECK(net(x)(1) == 4 + 2);
  net.right.share_parameters(net.left);
  std::string const why =
      "sinter: two states of this network share their values, and it assigns one of them; in a compiled network make them one member";
  CHECK(message_of<parameter_error>([&] { (void)fast(x); }) == why);
  CHECK(message_of<parameter_error>([&] { (void)net.hybridize()(x); }) == why);
  net(x);  // eagerly it is what it looks like
  reads_count reads;
  auto const compiled = reads.hybridize();
  CHECK(compiled(x)(0) == 1);
  reads.other.share(reads.left.mean);
  CHECK(message_of<parameter_error>([&] { (void)compiled(x); }) == why);
  reads_count after;
  after.left.mean.share(after.other);
  CHECK(message_of<parameter_error>([&] { (void)after.hybridize()(x); }) == why);
  counts fine;
  CHECK(fine.hybridize()(x)(1) == 2);
}

TEST_CASE("shared parameters are saved under both names, as Gluon does, and loaded") {
  twins from;
  from.second.share_parameters(from.first);
  from.initialize(sinter::init::uniform{0.5}, 3);
  auto const x = filled<f32<3, 4>>();
  auto const want = from(x);
  auto arrays = nn::arrays_of(from);
  REQUIRE(arrays.size() == 4);
  CHECK(arrays[2].name == "second.weight");
  CHECK(arrays[2].data == arrays[0].data);
  twins apart, together;
  together.second.share_parameters(together.first);
  auto const fast = together.hybridize();
  nn::set_parameters(apart, arrays, "memory");
  nn::set_parameters(together, arrays, "memory");
  check_same(apart(x), want);
  check_same(fast(x), want);
  arrays[2].data[0] = std::byte{1};
  CHECK(message_of<parameter_error>([&] { nn::set_parameters(together, arrays, "m.params"); }) ==
        "sinter: parameters `first.weight` and `second.weight` share their values, and m.params has different ones for them");
  // Gluon can write shared parameters once, under the first name.
  arrays.pop_back();
  arrays.pop_back();
  twins once;
  once.second.share_parameters(once.first);
  nn::set_parameters(once, arrays, "memory");
  check_same(once(x), want);
  twins lacks;
  CHECK(message_of<parameter_error>([&] { nn::set_parameters(lacks, arrays, "memory"); }) != "nothing was thrown");
}

TEST_CASE("threads make the first call of two networks that share") {
  for (int round = 0; round < 20; ++round) {
    nn::dense<4> a, b;
    b.initialize(sinter::init::uniform{0.5}, 3);
    a.share_parameters(b);
    auto const fast = a.hybridize();
    auto const x = filled<f32<2, 5>>();
    f32<2, 4> y, z;
    std::thread other([&] { y = b(x); });
    z = fast(x);
    other.join();
    check_same(y, z);
  }
}
TEST_CASE("a selection of nothing is not shared") {
  nn::dense<4> a, b;
  CHECK_THROWS_WITH(a.share_parameters(b.collect_params("wieght")),
                    "sinter: no parameter is given to be shared, perhaps because no name matches a pattern; this block has " +
                        a.collect_params().names());
  CHECK_NOTHROW(a.share_parameters(b.collect_params("weight")));
}
TEST_CASE("a selection of nothing is not initialized") {
  nn::dense<4> const a;
  CHECK_THROWS_WITH(a.collect_params("wieght").initialize(sinter::init::zeros{}),
                    "sinter: initialize() has no parameter: no name matches `wieght` among `weight`, `bias`");
  nn::activation<nn::relu> const none;
  CHECK_NOTHROW(none.collect_params().initialize());
  CHECK_NOTHROW(none.collect_params("weight").initialize());
}

TEST_CASE("copy() is a network with parameters of its own, and in it shares what was shared") {
  tied net;
  net.initialize(sinter::init::uniform{0.5}, 3);
  net.words.weight.share(net.scores.weight);
  sinter::nd::tensor<std::int64_t, shape<3>> const x{0, 5, 2};
  auto const before = net(x);
  auto const fast = net.hybridize();
  check_same(fast(x), before);
  tied const other = net.copy();
  auto const copied = fast.copy(), compiled = other.hybridize();
  net.scores.weight.set(f32<6, 4>{});
  CHECK(net(x)(0, 0) == 0);
  CHECK(fast(x)(0, 0) == 0);
  check_same(other(x), before);
  check_same(compiled(x), before);
  check_same(copied(x), before);
  tied changed = other.copy();
  changed.words.weight.set(f32<6, 4>{});
  CHECK(changed.scores.weight.data<shape<6, 4>>()(0, 0) == 0);  // still one parameter under two names
  CHECK(other.scores.weight.data<shape<6, 4>>()(0, 0) != 0);
  check_same(compiled(x), before);

  // Before there are values, and in containers with compiled blocks, whose copies do not run what was prepared from the old weights.
  nn::dense<2> late;
  late.initialize(sinter::init::constant{2});
  nn::dense<2> const early = late.copy();
  late.initialize(sinter::init::constant{3});
  f32<1, 2> const ones{1, 1};
  CHECK((early(ones)(0, 0) == 4 && late(ones)(0, 0) == 6));
  auto const chain = nn::sequential{late, nn::identity{}}.hybridize();
  CHECK(chain(ones)(0, 0) == 6);
  auto const apart = chain.copy();
  late.weight.set(f32<2, 2>{});
  CHECK((chain(ones)(0, 0) == 0 && apart(ones)(0, 0) == 6));
  std::vector<nn::dense<2>> const several(2, early);
  late = several[0];
  late.weight.set(f32<2, 2>{});
  CHECK(several[1](ones)(0, 0) == 0);  // as the README warns
}
