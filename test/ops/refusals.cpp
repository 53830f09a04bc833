// SPDX-License-Identifier: Apache-2.0
// What operations refuse. test/data/ops has what they compute.
#include <sinter/nd/functions.hpp>
#include <sinter/nn/space.hpp>

#include "../catch.hpp"

namespace test {
using namespace sinter;
namespace ops = sinter::ops;
using key = nd::tensor<std::int64_t, shape<>>;

TEST_CASE("a mask needs a floating type and one int64 as its key") {
  using f = nd::tensor<float, shape<3>>;
  using half = std::remove_const_t<decltype(values<0.5>)>;
  static_assert(ops::function_fits<ops::dropout_mask, f, key, half>);
  static_assert(!ops::function_fits<ops::dropout_mask, nd::tensor<std::int32_t, shape<3>>, key, half>);
  static_assert(!ops::function_fits<ops::dropout_mask, f, nd::tensor<std::int32_t, shape<>>, half>);
  static_assert(!ops::function_fits<ops::dropout_mask, f, nd::tensor<std::int64_t, shape<0>>, half>);
}

TEST_CASE("what random arrays cannot be made of") {
  using v = std::remove_const_t<decltype(values<0, 1>)>;
  using s = std::remove_const_t<decltype(into<3>)>;
  static_assert(ops::function_fits<ops::random_uniform, key, s, v>);
  static_assert(!ops::function_fits<ops::random_uniform, nd::tensor<std::int32_t, shape<>>, s, v>);
  static_assert(!ops::function_fits<ops::random_uniform, nd::tensor<std::int64_t, shape<2>>, s, v>);
  static_assert(!ops::function_fits<ops::random_uniform, key, s, std::remove_const_t<decltype(values<1, 0>)>>);
  static_assert(!ops::function_fits<ops::random_uniform, key, s, std::remove_const_t<decltype(values<1>)>>);
  static_assert(!ops::function_fits<ops::random_uniform, key, s, std::remove_const_t<decltype(as<int>)>>);
  static_assert(!ops::function_fits<ops::random_uniform, key, std::remove_const_t<decltype(into<-1>)>>);
  static_assert(!ops::function_fits<ops::random_normal, key, s, std::remove_const_t<decltype(values<0, -1>)>>);
  static_assert(!ops::function_fits<ops::random_normal, key, s, std::remove_const_t<decltype(values<1>)>>);
  static_assert(!ops::function_fits<ops::random_randint, key, s, std::remove_const_t<decltype(values<3, 3>)>>);
  static_assert(!ops::function_fits<ops::random_randint, key, s, std::remove_const_t<decltype(values<3>)>>);
  static_assert(!ops::function_fits<ops::random_randint, key, s, std::remove_const_t<decltype(values<0, 1.5>)>>);
  static_assert(!ops::function_fits<ops::random_randint, key, s, v, std::remove_const_t<decltype(as<float>)>>);
  static_assert(!ops::function_fits<ops::random_randint, key, s, std::remove_const_t<decltype(values<0, 5000000000>)>,
                                    std::remove_const_t<decltype(as<int>)>>);
  using whole = std::remove_const_t<decltype(as<int>)>;
  static_assert(ops::function_fits<ops::random_randint, key, s, std::remove_const_t<decltype(values<0, 2147483648>)>, whole>);
  static_assert(!ops::function_fits<ops::random_randint, key, s, std::remove_const_t<decltype(values<0, 2147483649>)>, whole>);
  static_assert(!ops::function_fits<ops::shuffle, nd::tensor<float, shape<>>, key>);
  static_assert(!ops::function_fits<ops::shuffle, nd::tensor<float, shape<3>>, nd::tensor<float, shape<>>>);
}

TEST_CASE("matrices that are not square") {
  auto const why = []<class Op, class... A>(std::type_identity<Op>, A const&...) { return ops::call_rule<Op, A...>::value.result.what; };
  using wide = nd::tensor<float, shape<2, 3>>;
  using square = nd::tensor<float, shape<3, 3>>;
  using whole = nd::tensor<int, shape<3, 3>>;
  STATIC_REQUIRE(why(std::type_identity<ops::cholesky>{}, wide{}) == problem::not_square);
  STATIC_REQUIRE(why(std::type_identity<ops::det>{}, nd::tensor<float, shape<2, 1>>{}) == problem::not_square);
  STATIC_REQUIRE(why(std::type_identity<ops::inverse>{}, whole{}) == problem::wants_floating);
  STATIC_REQUIRE(why(std::type_identity<ops::slogdet>{}, nd::tensor<float, shape<3>>{}) == problem::rank_too_small);
  STATIC_REQUIRE(why(std::type_identity<ops::solve_triangular>{}, square{}, wide{}) == problem::inner_differ);
  STATIC_REQUIRE(why(std::type_identity<ops::solve_triangular>{}, nd::tensor<float, shape<2, 3, 3>>{},
                     nd::tensor<float, shape<4, 3, 1>>{}) == problem::shapes_differ);
  STATIC_REQUIRE(why(std::type_identity<ops::gemm2>{}, whole{}, whole{}, alpha<0.5>) == problem::keyword_value);
  using named = nd::tensor<float, shape<dim<"n">, dim<"m">>>;
  STATIC_REQUIRE(why(std::type_identity<ops::inverse>{}, named{}) == problem::not_square);
  using free = nd::tensor<float, shape<dynamic, dynamic>>;
  CHECK_THROWS(inverse(free(dims{2, 3})));
  CHECK(inverse(free(dims{2, 2})).shape() == dims{2, 2});
  CHECK_THROWS(solve_triangular(free(dims{2, 2}), free(dims{3, 2})));
}

TEST_CASE("what does not fit coordinates and outer products") {
  auto const why = []<class Op, class A, class B, class... K>(std::type_identity<Op>, std::type_identity<A>, std::type_identity<B>, K...) {
    return ops::call_rule<Op, A, B, K...>::value.result.what;
  };
  std::type_identity<nd::tensor<float, shape<4, 3>>> const x;
  std::type_identity<nd::tensor<float, shape<2>>> const data;
  std::type_identity<nd::tensor<std::int64_t, shape<2, 2>>> const two;
  std::type_identity<nd::tensor<std::int64_t, shape<3, 2>>> const three;
  std::type_identity<nd::tensor<std::int64_t, shape<dim<"n">, 2>>> const open_;
  std::type_identity<nd::tensor<std::int64_t, shape<0, 2>>> const none;
  std::type_identity<nd::tensor<bool, shape<2, 2>>> const truth;
  std::type_identity<ops::gather_nd> const gather;
  std::type_identity<ops::scatter_nd> const scatter;
  std::type_identity<ops::outer> const product_;
  STATIC_REQUIRE(why(gather, x, two) == problem::none);
  STATIC_REQUIRE(why(gather, x, three) == problem::coordinates_shape);
  STATIC_REQUIRE(why(gather, x, none) == problem::coordinates_shape);
  STATIC_REQUIRE(why(gather, x, open_) == problem::wants_number);
  STATIC_REQUIRE(why(gather, x, truth) == problem::wants_integer);
  STATIC_REQUIRE(why(gather, x, x) == problem::wants_integer);
  STATIC_REQUIRE(why(scatter, data, two, into<4, 3>) == problem::none);
  STATIC_REQUIRE(why(scatter, x, two, into<4, 3>) == problem::coordinates_shape);
  STATIC_REQUIRE(why(scatter, std::type_identity<nd::tensor<float, shape<3>>>{}, two, into<4, 3>) == problem::coordinates_shape);
  STATIC_REQUIRE(why(scatter, data, three, into<4, 3>) == problem::coordinates_shape);
  STATIC_REQUIRE(why(scatter, data, two, into<-1, 3>) == problem::keyword_value);
  STATIC_REQUIRE(why(scatter, data, data, into<4, 3>) == problem::wants_integer);
  STATIC_REQUIRE(why(product_, x, two) == problem::mixed_dtypes);
  STATIC_REQUIRE(why(product_, truth, truth) == problem::takes_no_bool);
}

TEST_CASE("what does not fit images") {
  auto const fits = []<class Op, class X, class... A>(std::type_identity<Op>, std::type_identity<X>, A...) {
    return ops::call_rule<Op, X, A...>::ok;
  };
  using image = nd::tensor<float, shape<1, 6, 4, 5>>;
  using whole = nd::tensor<int, shape<1, 6, 4, 5>>;
  std::type_identity<image> const x;
  std::type_identity<ops::resize> const resized;
  STATIC_REQUIRE(fits(resized, x, into<8, 8>));
  STATIC_REQUIRE(!fits(resized, x, into<8, -1>));
  STATIC_REQUIRE(!fits(resized, x, into<0, 8>));
  STATIC_REQUIRE(!fits(resized, x, into<8>));
  STATIC_REQUIRE(!fits(resized, std::type_identity<nd::tensor<float, shape<6, 4, 5>>>{}, into<8, 8>));
  STATIC_REQUIRE(!fits(resized, std::type_identity<nd::tensor<float, shape<1, 6, 0, 5>>>{}, into<8, 8>));
  STATIC_REQUIRE(fits(resized, std::type_identity<whole>{}, into<8, 8>));
  STATIC_REQUIRE(!fits(resized, std::type_identity<whole>{}, into<8, 8>, mode<interpolation::bilinear>));
  std::type_identity<ops::upsample> const larger;
  STATIC_REQUIRE(!fits(larger, x, scale<1.5>));
  STATIC_REQUIRE(!fits(larger, x, scale<0>));
  std::type_identity<ops::pixel_shuffle> const shuffled;
  STATIC_REQUIRE(fits(shuffled, x, factor<2, 3>));
  STATIC_REQUIRE(!fits(shuffled, x, factor<2>));
  STATIC_REQUIRE(!fits(shuffled, x, factor<1, 2, 3>));
  std::type_identity<ops::lrn> const normed;
  STATIC_REQUIRE(!fits(normed, x, nsize<4>));
  STATIC_REQUIRE(!fits(normed, std::type_identity<whole>{}, nsize<5>));
  std::type_identity<ops::grid_sample> const read;
  STATIC_REQUIRE(fits(read, x, nd::tensor<float, shape<1, 3, 3, 2>>{}));
  STATIC_REQUIRE(!fits(read, x, nd::tensor<float, shape<2, 3, 3, 2>>{}));
  STATIC_REQUIRE(!fits(read, x, nd::tensor<float, shape<1, 2, 3, 3>>{}));
  STATIC_REQUIRE(!fits(read, x, nd::tensor<double, shape<1, 3, 3, 2>>{}));
  std::type_identity<ops::roi_pool> const pooled;
  STATIC_REQUIRE(fits(pooled, x, nd::tensor<float, shape<3, 5>>{}, into<2, 2>));
  STATIC_REQUIRE(!fits(pooled, x, nd::tensor<float, shape<3, 4>>{}, into<2, 2>));
  STATIC_REQUIRE(!fits(pooled, x, nd::tensor<float, shape<3, 5>>{}, into<2>));
}

TEST_CASE("what has no bits") {
  using real = nd::tensor<float, shape<3>>;
  using whole = nd::tensor<std::int32_t, shape<3>>;
  using truth = nd::tensor<bool, shape<3>>;
  auto const why = []<class Op, class... A>(std::type_identity<Op>, std::type_identity<A>...) {
    return ops::call_rule<Op, A...>::value.result.what;
  };
  std::type_identity<real> const f;
  std::type_identity<whole> const i;
  std::type_identity<truth> const b;
  STATIC_REQUIRE(why(std::type_identity<ops::bitwise_and>{}, f, f) == problem::wants_integer);
  STATIC_REQUIRE(why(std::type_identity<ops::bitwise_not>{}, f) == problem::wants_integer);
  STATIC_REQUIRE(why(std::type_identity<ops::left_shift>{}, f, f) == problem::wants_integer);
  STATIC_REQUIRE(why(std::type_identity<ops::right_shift>{}, b, b) == problem::wants_integer);
  STATIC_REQUIRE(why(std::type_identity<ops::bitwise_or>{}, b, b) == problem::none);
  STATIC_REQUIRE(why(std::type_identity<ops::bitwise_or>{}, b, i) == problem::mixed_dtypes);
}

TEST_CASE("what does not fit ctc_loss") {
  auto const why = []<class... A>(A const&...) { return ops::call_rule<ops::ctc_loss, A...>::value.result.what; };
  using x = nd::tensor<float, shape<5, 2, 3>>;
  using label = nd::tensor<int, shape<2, 4>>;
  using length = nd::tensor<int, shape<2>>;
  STATIC_REQUIRE(why(x{}, label{}, length{}, length{}) == problem::none);
  STATIC_REQUIRE(why(x{}, nd::tensor<int, shape<5, 4>>{}) == problem::ctc_shapes);
  STATIC_REQUIRE(why(x{}, label{}, nd::tensor<int, shape<5>>{}) == problem::ctc_shapes);
  STATIC_REQUIRE(why(x{}, length{}) == problem::ctc_shapes);
  STATIC_REQUIRE(why(nd::tensor<float, shape<5, 2, 0>>{}, label{}) == problem::ctc_shapes);
  STATIC_REQUIRE(why(nd::tensor<float, shape<5, 2, dynamic>>{dims{5, 2, 3}}, label{}) == problem::wants_number);
  STATIC_REQUIRE(why(x{}, nd::tensor<float, shape<2, 4>>{}) == problem::wants_integer);
  STATIC_REQUIRE(why(x{}, label{}, nd::tensor<bool, shape<2>>{}) == problem::wants_integer);
  STATIC_REQUIRE(why(nd::tensor<int, shape<5, 2, 3>>{}, label{}) == problem::wants_floating);
  using any_label = nd::tensor<int, shape<dynamic, 2>>;
  CHECK_THROWS(ctc_loss(x{}, any_label(dims{3, 2})));
  CHECK(ctc_loss(x{}, any_label(dims{2, 2})).size() == 2);
}

TEST_CASE("what einsum refuses") {
  using m = nd::tensor<float, shape<2, 3>>;
  using n = nd::tensor<float, shape<3, 4>>;
  using truth = nd::tensor<bool, shape<2, 3>>;
  auto const refused = []<class... A>(A const&...) { return ops::call_rule<ops::einsum, A...>::value.result.what; };
  STATIC_REQUIRE(refused(m{}, n{}, subscripts<"ij,jk">) == problem::none);
  STATIC_REQUIRE(refused(m{}, m{}, subscripts<"ij,jk">) == problem::subscripts_extents);
  STATIC_REQUIRE(refused(m{}, nd::tensor<float, shape<1, 4>>{}, subscripts<"ij,jk">) == problem::subscripts_extents);
  STATIC_REQUIRE(refused(m{}, subscripts<"ij,jk">) == problem::subscripts_count);
  STATIC_REQUIRE(refused(m{}, subscripts<"ijk">) == problem::subscripts_count);
  STATIC_REQUIRE(refused(m{}, subscripts<"...ijk">) == problem::subscripts_count);
  STATIC_REQUIRE(refused(truth{}, subscripts<"ij">) == problem::takes_no_bool);
  STATIC_REQUIRE(refused(nd::tensor<float, shape<1, 1, 1, 1, 1>>{}, nd::tensor<float, shape<1, 1, 1, 1>>{}, subscripts<"abcde,fghi">) ==
                 problem::too_many_dimensions);
  STATIC_REQUIRE(refused(nd::tensor<float, shape<dim<"n">, dim<"n">>>{}, subscripts<"ii">) == problem::wants_number);
  for (std::string const wrong : {"ij-jk", "ij->ik", "i->ii", "i1", "i..j", "....", "i,j->i,j", "...i->i", "......", "ij->->", "i>j"})
    CHECK(!ops::axes_of_operands(ops::axes_of_operands::packed(wrong)).ok);
}

TEST_CASE("dynamic extents that disagree are refused") {
  nd::tensor<float, shape<dim<"batch">, 3>> const a(dims{2, 3}), b(dims{3, 3});
  CHECK_THROWS_AS(a + b, shape_error);
  CHECK_THROWS_AS(clip(a, b, 1), shape_error);
  CHECK_NOTHROW(a + a);
}

TEST_CASE("axes, blocks and ranges that do not fit") {
  auto const why = []<class Op, class... A>(std::type_identity<Op>, A const&...) { return ops::call_rule<Op, A...>::value.result.what; };
  nd::tensor<float, shape<1, 8, 4, 6>> const image;
  STATIC_REQUIRE(why(std::type_identity<ops::sum>{}, image, axis<1, 1>) == problem::axis_twice);
  STATIC_REQUIRE(why(std::type_identity<ops::sum>{}, image, axis<1, -3>) == problem::axis_twice);
  STATIC_REQUIRE(why(std::type_identity<ops::sum>{}, image, axis<1, 4>) == problem::no_such_axis);
  STATIC_REQUIRE(why(std::type_identity<ops::space_to_depth>{}, image, block<2>) == problem::none);
  STATIC_REQUIRE(why(std::type_identity<ops::space_to_depth>{}, image, block<3>) == problem::split_uneven);
  STATIC_REQUIRE(why(std::type_identity<ops::space_to_depth>{}, image, block<4>) == problem::split_uneven);
  STATIC_REQUIRE(why(std::type_identity<ops::depth_to_space>{}, image, block<3>) == problem::split_uneven);
  nd::tensor<float, shape<4, 3>> const x;
  STATIC_REQUIRE(why(std::type_identity<ops::slice_like>{}, x, nd::tensor<float, shape<2, 3>>{}) == problem::none);
  STATIC_REQUIRE(why(std::type_identity<ops::slice_like>{}, x, nd::tensor<float, shape<2, 4>>{}) == problem::slice_range);
}

}  // namespace test
