// SPDX-License-Identifier: Apache-2.0
// Wrong calls: each operation with an operand too few, one too many and a number in every place; keywords missing, twice, too long.
#include <sinter/compile/hybridized.hpp>

#include <string>

#include "../catch.hpp"

using namespace sinter;
using sinter::ops::op_name;

namespace {

// Whether the first of an operation's overloads takes the call, in the mode of its operands; the others only say why not.
template <class Op, class... A> constexpr bool fits() {
  if constexpr (ops::well_called<Op, A...>) return ops::function_fits<Op, A...> && ops::call_rule<Op, A...>::ok;
  else return false;
}
struct eager {
  template <class T, auto... D> using tensor = nd::tensor<T, shape<D...>>;
};
struct symbolic {
  template <class T, auto... D> using tensor = sym::tensor<T, shape<D...>>;
};

template <class... A> struct types {};
template <class X, int N, class... A> constexpr auto repeat() {
  if constexpr (N == 0) return types<A...>{};
  else return repeat<X, N - 1, A..., X>();
}
// The operands of a right call, as many as the operation takes at least, and the keywords that it needs.
template <class Op, class Mode> constexpr auto good_operands() {
  using f = typename Mode::template tensor<float, 2, 3>;
  using three = typename Mode::template tensor<float, 3>;
  using truth = typename Mode::template tensor<bool, 2, 3>;
  using index = typename Mode::template tensor<std::int64_t, 2>;
  using key = typename Mode::template tensor<std::int64_t>;
  using coordinates = typename Mode::template tensor<std::int64_t, 1, 4>;
  if constexpr (std::is_same_v<Op, ops::where>) return types<truth, f, f>{};
  else if constexpr (std::is_same_v<Op, ops::gather_nd>) return types<f, coordinates>{};
  else if constexpr (std::is_same_v<Op, ops::scatter_nd> || std::is_same_v<Op, ops::scatter_add>)
    return types<typename Mode::template tensor<float, 4>, coordinates>{};
  else if constexpr (op_name<Op>.starts_with("bitwise_") || op_name<Op>.ends_with("_shift")) return repeat<index, Op::arity>();
  else if constexpr (std::is_same_v<Op, ops::matmul>) return types<f, typename Mode::template tensor<float, 3, 4>>{};
  else if constexpr (std::is_same_v<Op, ops::gemm2>) return types<f, typename Mode::template tensor<float, 3, 4>>{};
  else if constexpr (op_name<Op> == "cholesky" || op_name<Op> == "solve_triangular" || op_name<Op> == "det" || op_name<Op> == "slogdet" ||
                     op_name<Op> == "inverse")
    return repeat<typename Mode::template tensor<float, 3, 3>, ops::arity_of<Op>.least>();
  else if constexpr (std::is_same_v<Op, ops::ctc_loss>)
    return types<typename Mode::template tensor<float, 4, 2, 3>, typename Mode::template tensor<std::int64_t, 2, 2>>{};
  else if constexpr (std::is_same_v<Op, ops::fully_connected>) return types<f, typename Mode::template tensor<float, 3, 3>>{};
  else if constexpr (std::is_same_v<Op, ops::convolution_transpose>) return repeat<typename Mode::template tensor<float, 1, 1, 3>, 2>();
  else if constexpr (std::is_same_v<Op, ops::pixel_shuffle>) return types<typename Mode::template tensor<float, 1, 2, 3>>{};
  else if constexpr (std::is_same_v<Op, ops::resize> || std::is_same_v<Op, ops::upsample>)
    return types<typename Mode::template tensor<float, 1, 2, 3, 4>>{};
  else if constexpr (std::is_same_v<Op, ops::grid_sample>) return repeat<typename Mode::template tensor<float, 1, 3, 2, 2>, 2>();
  else if constexpr (std::is_same_v<Op, ops::roi_pool>)
    return types<typename Mode::template tensor<float, 1, 3, 2, 2>, typename Mode::template tensor<float, 2, 5>>{};
  else if constexpr (std::is_same_v<Op, ops::convolution>) return repeat<typename Mode::template tensor<float, 1, 2, 3>, 2>();
  else if constexpr (op_name<Op>.ends_with("_pool")) return types<typename Mode::template tensor<float, 1, 2, 3>>{};
  else if constexpr (std::is_same_v<Op, ops::layer_norm>) return types<f, three, three>{};
  else if constexpr (std::is_same_v<Op, ops::rms_norm>) return types<f, three>{};
  else if constexpr (std::is_same_v<Op, ops::group_norm>) return types<f, three, three>{};
  else if constexpr (std::is_same_v<Op, ops::batch_norm>) return types<f, three, three, three, three>{};
  else if constexpr (std::is_same_v<Op, ops::instance_norm>) return types<typename Mode::template tensor<float, 2, 3, 1>, three, three>{};
  else if constexpr (std::is_same_v<Op, ops::take> || std::is_same_v<Op, ops::pick>) return types<f, index>{};
  else if constexpr (std::is_same_v<Op, ops::sequence_mask> || std::is_same_v<Op, ops::sequence_last> ||
                     std::is_same_v<Op, ops::sequence_reverse>)
    return types<typename Mode::template tensor<float, 3, 2>, index>{};
  else if constexpr (std::is_same_v<Op, ops::scaled_dot_product_attention>)
    return repeat<typename Mode::template tensor<float, 1, 2, 3>, 3>();
  else if constexpr (std::is_same_v<Op, ops::one_hot>) return types<index>{};
  else if constexpr (op_name<Op> == "space_to_depth" || op_name<Op> == "depth_to_space")
    return types<typename Mode::template tensor<float, 1, 4, 2, 2>>{};
  else if constexpr (std::is_same_v<Op, ops::any_true> || std::is_same_v<Op, ops::all_true>) return types<truth>{};
  else if constexpr (std::is_same_v<Op, ops::dropout_mask> || std::is_same_v<Op, ops::shuffle>) return types<f, key>{};
  else if constexpr (op_name<Op>.starts_with("random_")) return types<key>{};
  else if constexpr (Op::kind != family::elementwise) return repeat<f, ops::arity_of<Op>.least>();
  else if constexpr (Op::template takes<float>) return repeat<f, Op::arity>();
  else return repeat<truth, Op::arity>();
}
template <class Op> constexpr auto good_keywords() {
  if constexpr (std::is_same_v<Op, ops::cast>) return types<ops::keyword<ops::key::as, dtype::int32>>{};
  else if constexpr (std::is_same_v<Op, ops::einsum>) return types<ops::keyword<ops::key::subscripts, text("ij")>>{};
  else if constexpr (std::is_same_v<Op, ops::reshape>) return types<ops::keyword<ops::key::into, 3, 2>>{};
  else if constexpr (std::is_same_v<Op, ops::broadcast_to>) return types<ops::keyword<ops::key::into, 4, 2, 3>>{};
  else if constexpr (std::is_same_v<Op, ops::one_hot>) return types<ops::keyword<ops::key::depth, 4>>{};
  else if constexpr (std::is_same_v<Op, ops::arange>) return types<ops::keyword<ops::key::values, 4>>{};
  else if constexpr (std::is_same_v<Op, ops::linspace>) return types<ops::keyword<ops::key::values, 0, 1, 4>>{};
  else if constexpr (std::is_same_v<Op, ops::full_like>) return types<ops::keyword<ops::key::values, 4>>{};
  else if constexpr (std::is_same_v<Op, ops::full>) return types<ops::keyword<ops::key::into, 3>, ops::keyword<ops::key::values, 4>>{};
  else if constexpr (std::is_same_v<Op, ops::random_randint>)
    return types<ops::keyword<ops::key::into, 3>, ops::keyword<ops::key::values, 0, 4>>{};
  else if constexpr (std::is_same_v<Op, ops::resize> || std::is_same_v<Op, ops::roi_pool>)
    return types<ops::keyword<ops::key::into, 3, 2>>{};
  else if constexpr (std::is_same_v<Op, ops::upsample>) return types<ops::keyword<ops::key::scale, 2.0>>{};
  else if constexpr (std::is_same_v<Op, ops::pixel_shuffle>) return types<ops::keyword<ops::key::factor, 2>>{};
  else if constexpr (std::is_same_v<Op, ops::lrn>) return types<ops::keyword<ops::key::nsize, 3>>{};
  else if constexpr (ops::has_key<ops::key::into, ops::keywords_of<Op>>) return types<ops::keyword<ops::key::into, 3>>{};
  else if constexpr (std::is_same_v<Op, ops::dropout_mask>) return types<ops::keyword<ops::key::values, 0.5>>{};
  else if constexpr (std::is_same_v<Op, ops::swap_axes>) return types<ops::keyword<ops::key::axis, 0, 1>>{};
  else if constexpr (ops::has_key<ops::key::reps, ops::keywords_of<Op>>) return types<ops::keyword<ops::key::reps, 2>>{};
  else if constexpr (ops::has_key<ops::key::shift, ops::keywords_of<Op>>) return types<ops::keyword<ops::key::shift, 1>>{};
  else if constexpr (ops::has_key<ops::key::block, ops::keywords_of<Op>>) return types<ops::keyword<ops::key::block, 2>>{};
  else if constexpr (std::is_same_v<Op, ops::split>) return types<ops::keyword<ops::key::parts, 3>>{};
  else if constexpr (std::is_same_v<Op, ops::topk>) return types<ops::keyword<ops::key::top, 2>>{};
  else if constexpr (ops::has_key<ops::key::pool_size, ops::keywords_of<Op>>) return types<ops::keyword<ops::key::pool_size, 2>>{};
  else return types<>{};
}

// What the text of a call says: its operands and which of them may be left out, or that there may be more.
struct told {
  std::string name, keywords;
  int least = 0, most = 0;
};
told read(std::string_view text) {
  told r;
  r.name = text.substr(0, text.find('('));
  std::string rest(text.substr(text.find('(') + 1));
  rest.erase(rest.find(')'));
  int depth = 0;
  std::string word;
  bool more = false;
  auto const end_of_word = [&] {
    if (word == "...") more = true;
    else if (word.find('<') != std::string::npos || word == "keepdims" || word == "ascending" || word == "descending" ||
             word == "ceil_mode" || word == "upper" || word == "is_causal" || word == "align_corners" || word == "exclude" ||
             word.starts_with("transpose_"))
      r.keywords += word.substr(0, word.find('<')) + " ";
    else if (!word.empty()) {
      ++r.most;
      r.least += word[0] != '[';
    }
    word.clear();
  };
  for (char c : rest) {
    depth += (c == '<') - (c == '>');
    if (c == '[') {
      end_of_word();
      word = "[";
    } else if (c == ',' && depth == 0 && word != "[") end_of_word();
    else if (c != ' ' && c != ']' && (c != ',' || depth > 0)) word += c;
  }
  end_of_word();
  if (more) {
    r.least = 1;
    r.most = operand_count::any;
  }
  return r;
}
template <class... Word> std::string names_of(ops::list_of<Word...>) {
  std::string r;
  ((r += std::string(Word::key::name) + " "), ...);
  return r;
}
// In the words of a call.
template <class Op> std::string accepted() {
  std::string r = names_of(ops::keywords_of<Op>{});
  auto const say = [&](std::string_view name, std::string_view word) {
    if (std::size_t const at = r.find(name); at != r.npos) r.replace(at, name.size(), word);
  };
  if (op_name<Op> == "transpose" || op_name<Op> == "swap_axes" || op_name<Op> == "slice_like") say("axis", "axes");
  if (op_name<Op> == "sort" || op_name<Op> == "argsort") say("ascending", "descending");
  return r;
}

template <class Op, class... Operand, class... Keyword> constexpr bool counted_right(types<Operand...>, types<Keyword...>) {
  constexpr int n = sizeof...(Operand);
  if (!fits<Op, Operand..., Keyword...>()) return false;
  if constexpr (n == 0) {
    using f = nd::tensor<float, shape<2, 3>>;
    return !ops::well_called<Op, f, Keyword...>;
  } else {
    constexpr auto fewer = []<class First, class... Rest>(types<First, Rest...>) {
      return ops::counts_operands<Op, Rest..., Keyword...>;
    }(types<Operand...>{});
    constexpr auto with_one_more = []<class First, class... Rest>(types<First, Rest...>) {
      return ops::counts_operands<Op, First, Rest..., First, Keyword...> || ops::counts_operands<Op, Keyword..., First, Rest..., int>;
    }(types<Operand...>{});
    return !fewer && with_one_more == (ops::arity_of<Op>.most > n);
  }
}
// The places, as bits, in which a number fits.
template <class Op, class Number, class... Operand, class... Keyword> constexpr unsigned numbers_fit(types<Operand...>, types<Keyword...>) {
  return []<std::size_t... Place>(std::index_sequence<Place...>) {
    [[maybe_unused]] auto const at = []<std::size_t P>(std::integral_constant<std::size_t, P>) {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return fits<Op, std::conditional_t<I == P, Number, Operand>..., Keyword...>();
      }(std::index_sequence_for<Operand...>{});
    };
    return ((at(std::integral_constant<std::size_t, Place>{}) ? 1u << Place : 0u) | ... | 0u);
  }(std::index_sequence_for<Operand...>{});
}
template <class Op, class... A> constexpr bool is_written_elementwise(Op, ops::list_of<A...>) { return (std::is_same_v<Op, A> || ...); }
// Which they are: every place of an elementwise operation, also of one that is written with others, but a condition and what must be true or false; what an index can be.
template <class Op> constexpr unsigned places_of_integers() {
  if constexpr (std::is_same_v<Op, ops::where>) return 6;
  else if constexpr (std::is_same_v<Op, ops::take>) return 2;
  else if constexpr (std::is_same_v<Op, ops::one_hot> || std::is_same_v<Op, ops::full_like> || std::is_same_v<Op, ops::zeros_like> ||
                     std::is_same_v<Op, ops::ones_like>)
    return 1;
  else if constexpr (Op::kind != family::elementwise && !is_written_elementwise(Op{}, ops::activation_ops{})) return 0;
  else if constexpr (op_name<Op>.starts_with("bitwise_") || op_name<Op>.ends_with("_shift")) return (1u << Op::arity) - 1;
  else if constexpr (!Op::template takes<float>) return 0;
  else if constexpr (Op::arity == 1) return Op::template takes<std::int32_t> ? 1 : 0;
  else return (1u << Op::arity) - 1;
}

template <class Op> void check_calls() {
  INFO(op_name<Op>);
  told const said = read(ops::function<Op>::usage);
  CHECK(said.name == op_name<Op>);
  CHECK(said.least == ops::arity_of<Op>.least);
  CHECK(said.most == ops::arity_of<Op>.most);
  CHECK(said.keywords == accepted<Op>());
  STATIC_REQUIRE(counted_right<Op>(good_operands<Op, eager>(), good_keywords<Op>()));
  STATIC_REQUIRE(counted_right<Op>(good_operands<Op, symbolic>(), good_keywords<Op>()));
  STATIC_REQUIRE(numbers_fit<Op, int>(good_operands<Op, eager>(), good_keywords<Op>()) == places_of_integers<Op>());
  STATIC_REQUIRE(numbers_fit<Op, int>(good_operands<Op, symbolic>(), good_keywords<Op>()) == places_of_integers<Op>());
}
template <class... Op> void check_all(ops::list_of<Op...>) { (check_calls<Op>(), ...); }

template <class Op, class... Operand, class... K> constexpr bool takes(types<Operand...>, K...) { return fits<Op, Operand..., K...>(); }

}  // namespace

TEST_CASE("every operation counts its operands, and knows where a number may stand") { check_all(ops::all_ops{}); }

#define CHECK_KEYWORDS(right, op, ...)                                                                 \
  STATIC_REQUIRE(takes<ops::op>(good_operands<ops::op, eager>() __VA_OPT__(, ) __VA_ARGS__) == right); \
  STATIC_REQUIRE(takes<ops::op>(good_operands<ops::op, symbolic>() __VA_OPT__(, ) __VA_ARGS__) == right)

TEST_CASE("a keyword that an operation needs is missed") {
  CHECK_KEYWORDS(false, cast);
  CHECK_KEYWORDS(false, reshape);
  CHECK_KEYWORDS(false, broadcast_to);
  CHECK_KEYWORDS(false, one_hot);
  CHECK_KEYWORDS(false, one_hot, values<1, 0>);
  CHECK_KEYWORDS(false, arange);
  CHECK_KEYWORDS(false, arange, as<float>);
  CHECK_KEYWORDS(false, dropout_mask);
  CHECK_KEYWORDS(false, linspace);
  CHECK_KEYWORDS(false, zeros);
  CHECK_KEYWORDS(false, full, into<3>);
  CHECK_KEYWORDS(false, full_like);
  CHECK_KEYWORDS(false, random_uniform);
  CHECK_KEYWORDS(false, random_randint, into<3>);
  CHECK_KEYWORDS(false, resize);
  CHECK_KEYWORDS(false, upsample);
  CHECK_KEYWORDS(false, pixel_shuffle);
  CHECK_KEYWORDS(false, lrn);
  CHECK_KEYWORDS(false, roi_pool);
}

TEST_CASE("a keyword of another operation is no keyword") {
  CHECK_KEYWORDS(false, fully_connected, into<2>);
  CHECK_KEYWORDS(false, reshape, flattened<true>);
  CHECK_KEYWORDS(false, one_hot, parts<4>);
  CHECK_KEYWORDS(false, matmul, axis<1>);
  CHECK_KEYWORDS(false, convolution, step<1>);
}

TEST_CASE("a keyword is given once") {
  CHECK_KEYWORDS(false, sum, axis<0>, axis<1>);
  CHECK_KEYWORDS(false, sum, keepdims, keepdims);
  CHECK_KEYWORDS(false, slice, begin<0>, begin<1>);
  CHECK_KEYWORDS(true, slice, begin<0>, end<1>, step<1>);
  CHECK_KEYWORDS(false, matmul, transpose_a, transpose_a);
  CHECK_KEYWORDS(false, reshape, into<6>, into<3, 2>);
}

TEST_CASE("a keyword has as many values as the operation can use") {
  CHECK_KEYWORDS(false, sum, axis<>);
  CHECK_KEYWORDS(true, sum, axis<0, 1>);
  CHECK_KEYWORDS(false, sum, axis<0, 0>);
  CHECK_KEYWORDS(false, sum, axis<1, -1>);
  CHECK_KEYWORDS(false, sum, axis<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12>);
  CHECK_KEYWORDS(false, argmax, axis<0, 1>);
  CHECK_KEYWORDS(false, argmin, axis<0, 1>);
  CHECK_KEYWORDS(false, norm, ord<3>);
  CHECK_KEYWORDS(true, norm, ord<1>);
  CHECK_KEYWORDS(true, var, ddof<1>, axis<0, 1>);
  CHECK_KEYWORDS(false, swap_axes, axes<0>);
  CHECK_KEYWORDS(false, swap_axes, axes<0, 1, 0>);
  CHECK_KEYWORDS(false, repeat, reps<1, 2>);
  CHECK_KEYWORDS(false, roll, shift<1, 2>);
  CHECK_KEYWORDS(true, roll, shift<1, 2>, axis<0, 1>);
  CHECK_KEYWORDS(false, padded, begin<1, 2, 3>);
  CHECK_KEYWORDS(true, padded, begin<1, 2>, border<borders::edge>);
  CHECK_KEYWORDS(false, softmax, axis<0, 1>);
  CHECK_KEYWORDS(false, log_softmax, axis<0, 1>);
  CHECK_KEYWORDS(false, layer_norm, axis<1, 0>);
  CHECK_KEYWORDS(false, take, axis<0, 1>);
  CHECK_KEYWORDS(false, sort, axis<0, 1>);
  CHECK_KEYWORDS(false, concat, axis<0, 1>);
  CHECK_KEYWORDS(false, expand_dims, axis<0, 1>);
  CHECK_KEYWORDS(false, transpose, axes<>);
  CHECK_KEYWORDS(false, transpose, axes<1, 1>);
  CHECK_KEYWORDS(true, transpose, axes<1, 0>);
  CHECK_KEYWORDS(false, transpose, axes<1>);
  CHECK_KEYWORDS(false, broadcast_to, into<-1, 2, 3>);
  CHECK_KEYWORDS(false, slice, begin<>);
  CHECK_KEYWORDS(false, slice, begin<0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>);
  CHECK_KEYWORDS(false, arange, values<>);
  CHECK_KEYWORDS(true, arange, values<1, 2, 3>);
  CHECK_KEYWORDS(false, arange, values<1, 2, 3, 4>);
  CHECK_KEYWORDS(false, one_hot, depth<3>, values<1, 0, 5>);
  CHECK_KEYWORDS(false, linspace, values<0, 1>);
  CHECK_KEYWORDS(false, linspace, values<0, 1, -1>);
  CHECK_KEYWORDS(false, linspace, values<0, 1, 2.5>);
  CHECK_KEYWORDS(false, linspace, values<0, 1, 3>, as<int>);
  CHECK_KEYWORDS(false, zeros, into<2, -1>);
  CHECK_KEYWORDS(false, zeros, into<2, dynamic>);
  CHECK_KEYWORDS(true, full, into<>, values<0.5>);
  CHECK_KEYWORDS(false, full, into<>, values<0.5>, as<int>);
  CHECK_KEYWORDS(false, full, into<>, values<0.5, 1>);
  CHECK_KEYWORDS(false, full_like, values<1e300>);
  CHECK_KEYWORDS(true, eye, into<3, 4>);
  CHECK_KEYWORDS(false, eye, into<>);
  CHECK_KEYWORDS(false, eye, into<1, 2, 3>);
  CHECK_KEYWORDS(false, dropout_mask, values<0.5, 0.25>);
  CHECK_KEYWORDS(false, dropout_mask, values<1.0>);
  CHECK_KEYWORDS(false, dropout_mask, values<-0.5>);
  CHECK_KEYWORDS(true, convolution, stride<1>, pad<1>, dilate<1>, groups<1>);
  CHECK_KEYWORDS(false, convolution, stride<1, 1>);
  CHECK_KEYWORDS(false, convolution, pad<>);
  CHECK_KEYWORDS(false, convolution, dilate<2>);
  CHECK_KEYWORDS(true, convolution, dilate<2>, pad<1>);
  CHECK_KEYWORDS(false, convolution, groups<2>);
  CHECK_KEYWORDS(true, convolution_transpose, stride<2>, pad<1>, dilate<1>, groups<1>, adjust<1>);
  CHECK_KEYWORDS(false, convolution_transpose, adjust<1>);
  CHECK_KEYWORDS(false, convolution_transpose, stride<2, 2>);
  CHECK_KEYWORDS(false, resize, into<3, 2, 1>);
  CHECK_KEYWORDS(false, pixel_shuffle, factor<1, 2>);
  CHECK_KEYWORDS(true, lrn, nsize<3>, alpha<1>, beta<0.5>, knorm<1>);
}

TEST_CASE("einsum needs subscripts") {
  CHECK_KEYWORDS(false, einsum);
  CHECK_KEYWORDS(true, einsum, subscripts<"ij->ji">);
  CHECK_KEYWORDS(false, einsum, subscripts<"ij,jk">);
  CHECK_KEYWORDS(false, einsum, subscripts<"ij">, subscripts<"ij">);
}

TEST_CASE("into<> is the shape of one element") {
  nd::tensor<float, shape<1, 1>> const x{3};
  CHECK(reshape(x, into<>).item() == 3);
  STATIC_REQUIRE(takes<ops::reshape>(types<nd::tensor<float, shape<1, 1>>>{}, into<>));
}

TEST_CASE("a number stands where an array could, eagerly and compiled") {
  nd::tensor<float, shape<3>> const x{-1, 0.5F, 3};
  auto const both = [&](auto f, std::initializer_list<float> want) {
    auto const eager = f(space_of(x), x), compiled = hybridize(f)(x);
    for (int i = 0; i < 3; ++i) {
      CHECK(eager(i) == want.begin()[i]);
      CHECK(compiled(i) == want.begin()[i]);
    }
  };
  both([](auto F, auto y) { return F.clip(y, 0, 2); }, {0, 0.5F, 2});
  both([](auto F, auto y) { return F.clip(1, y, 2); }, {1, 1, 2});
  both([](auto F, auto y) { return F.where(y > 0, 1, y); }, {-1, 1, 1});
  both([](auto F, auto y) { return F.where(true, y, 7); }, {-1, 0.5F, 3});
  both([](auto F, auto y) { return F.maximum(0, y) + F.add(1., 2); }, {3, 3.5F, 6});
  both([](auto F, auto y) { return F.subtract(1, y) + true; }, {3, 1.5F, -1});
}

TEST_CASE("of two batches the one with a name is that of the result") {
  using any = nd::tensor<float, shape<dynamic, 2, 3, 4>>;
  using places = nd::tensor<float, shape<dim<"n">, 5, 6, 2>>;
  STATIC_REQUIRE(ops::call_rule<ops::grid_sample, any, places>::value.result.type.shape == shape<dim<"n">, 2, 5, 6>::value);
}

TEST_CASE("an index that is a number takes one slice") {
  nd::tensor<float, shape<2, 3>> const x{1, 2, 3, 4, 5, 6};
  auto const row = take(x, 1);
  STATIC_REQUIRE(std::is_same_v<decltype(row), nd::tensor<float, shape<3>> const>);
  CHECK(row(2) == 6);
  auto const fast = hybridize([](auto F, auto y) { return F.take(y, 1); });
  CHECK(fast(x)(2) == 6);
}
