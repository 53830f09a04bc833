// SPDX-License-Identifier: Apache-2.0
// The network of a symbol JSON that stands in the program as a literal.
#pragma once
#include "../nn/imported.hpp"
#include "values.hpp"

namespace sinter {

namespace literal::inline SINTER_ISA {
template <class File, int... P> constexpr auto list_parameters(std::integer_sequence<int, P...>)
    -> nn::children_list<typename parameter_of_file<File, P>::type...>;
template <class File> using parameters_of =
    decltype(list_parameters<File>(std::make_integer_sequence<int, is_right<File> ? File::graph.parameters : 0>{}));
template <class File, int... P> constexpr auto list_names(std::integer_sequence<int, P...>) {
  return std::array<std::string_view, sizeof...(P) + 1>{parameter_of_file<File, P>::name...};
}
template <class File> inline constexpr auto parameter_names =
    list_names<File>(std::make_integer_sequence<int, is_right<File> ? File::graph.parameters : 0>{});
}  // namespace literal::inline SINTER_ISA

// Json: a function without captures that gives the text, or a type whose static member `json` is it. Input: the names of the variables that a
// call gives, in this order; without names they are the variables called data, data0, data1, ..., and those on which nothing is noted and
// that no layer has as its weight.
template <class Json, text... Input>
struct symbol_network : nn::imported_block<symbol_network<Json, Input...>, literal::parameters_of<literal::file<Json, Input...>>> {
  static_assert(literal::check_file<Json, Input...>());
  using file = literal::file<Json, Input...>;
  static constexpr auto const& parameter_names = literal::parameter_names<file>;

  template <class Space, class... X>
    requires(sizeof...(X) == static_cast<std::size_t>(literal::is_right<file> ? file::graph.inputs : 1))
  constexpr auto hybrid_forward(Space F, X const&... x) const {
    if constexpr (!literal::is_right<file>) return F.template refused<ops::identity>();
    else if constexpr ((ops::is_untyped<X> || ...)) {
      static_assert(
          sizeof...(X) == 0,
          "sinter: a network from a literal is not called with symbols, whose shapes come later; symbol::load_json reads the same "
          "text as symbols");
      return F.template refused<ops::identity>();
    } else if constexpr ((nn::is_poison<X> || ...)) return literal::first_poison(x...);
    else {
      using run = literal::run<file, nn::children_of_list<typename symbol_network::child_types>, Space, X...>;
      literal::all_values<run> const all(literal::sources<run>{F, this->children, {x...}});
      return outputs(all, std::make_integer_sequence<int, file::graph.n_heads>{});
    }
  }

 private:
  template <class All, int First, int... I> static constexpr auto outputs(All const& all, std::integer_sequence<int, First, I...>) {
    if constexpr (sizeof...(I) == 0) return all.template output<First>();
    else return std::tuple{all.template output<First>(), all.template output<I>()...};
  }
};

inline namespace SINTER_ISA {
// The network of MXNet's symbol JSON, read by the compiler. Its parameters have the names of the file.
//   auto net = sinter::symbol_literal([] { return R"({"nodes": [...], ...})"; });
//   auto net = sinter::symbol_literal<"query", "words">([] { return R"(...)"; });
//   net.load("digits-0000.params");
template <text... Input, class Json> constexpr symbol_network<Json, Input...> symbol_literal(Json) {
  static_assert(std::is_empty_v<Json>, "sinter: a symbol JSON is given as a function without captures: [] { return R\"(...)\"; }");
  return {};
}
}  // namespace SINTER_ISA

}  // namespace sinter
