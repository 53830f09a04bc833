// SPDX-License-Identifier: Apache-2.0
// Hana's BOOST_HANA_DEFINE_STRUCT with a sentence on what is wrong in its list, or with the base of the block in which it stands.
#pragma once
#include <boost/hana/define_struct.hpp>
#include <string_view>
#include <type_traits>

#include "../core/config.hpp"

SINTER_MACROS_ARE_NOT_PRINTED

namespace sinter::nn {
template <class D> struct block_functions;
}
namespace sinter::nn::detail {
// The block whose functions a class inherits; void of a class that is no block. The class itself asks, which sees its private bases.
template <class D> D functions_of(block_functions<D> const*);
void functions_of(void const*);
#define SINTER_SAY_PRIVATE_BASE                                                                                                     \
  "sinter: a block derives publicly from hybrid_block, and this one privately: struct net : nn::hybrid_block<net>, or class net : " \
  "public nn::hybrid_block<net>"
#define SINTER_SAY_LIST                                                                                                          \
  "sinter: BOOST_HANA_DEFINE_STRUCT takes the name of the struct and its members, each in parentheses with its type and its "    \
  "name, and a comma between all of them: (net, (nn::dense<16>, hidden), (nn::dense<4>, output)); here a comma, parentheses or " \
  "a name is missing"
constexpr bool has_no_list(std::string_view name) { return name.find('(') == std::string_view::npos; }
// Classes, which GCC names with the line of the macro alone, whatever macros are around.
template <bool Right> struct list_of_members {
  static_assert(Right, SINTER_SAY_LIST);
  using type = void;
};
template <bool Few> struct number_of_members {
  static_assert(Few,
                "sinter: BOOST_HANA_DEFINE_STRUCT takes at most 54 members; make a block of some of them, or use nn::hybrid_sequential for "
                "layers that follow one another");
  using type = void;
};
template <bool Itself, bool Public> struct base_of_block {
  static_assert(Itself,
                "sinter: a block derives from hybrid_block of its own type, struct net : nn::hybrid_block<net>; this one names another "
                "block there");
  static_assert(Public, SINTER_SAY_PRIVATE_BASE);
};
template <class Block, class D> constexpr bool names_itself() {  // a class derived from a block has the functions of that block
  if constexpr (std::is_void_v<D>) return true;
  else return std::is_base_of_v<D, Block>;
}
template <class Block, class D> constexpr bool is_public() {
  if constexpr (std::is_void_v<D>) return true;
  else return std::is_convertible_v<Block*, block_functions<D>*>;
}
// A struct whose list is wrong: its sentence has been said.
template <class D>
concept has_wrong_list = requires { typename D::sinter_wrong_list; };
}  // namespace sinter::nn::detail

// The rest of `(type, name), (type, name)` without each `(type, name)`: nothing, or text where something is missing.
#define SINTER_MEMBER(type, ...) SINTER_MEMBER_##__VA_OPT__(WITH_NAME)
#define SINTER_MEMBER_WITH_NAME
#define SINTER_MEMBERS(...) __VA_OPT__(SINTER_RESCAN(SINTER_NEXT_MEMBER(__VA_ARGS__)))
#define SINTER_NEXT_MEMBER(member, ...) SINTER_MEMBER member __VA_OPT__(SINTER_AGAIN SINTER_NO_TEXT()()(__VA_ARGS__))
#define SINTER_AGAIN() SINTER_NEXT_MEMBER
#define SINTER_NO_TEXT(...)
#define SINTER_RESCAN(...) SINTER_RESCAN_16(SINTER_RESCAN_16(SINTER_RESCAN_16(SINTER_RESCAN_16(__VA_ARGS__))))
#define SINTER_RESCAN_16(...) SINTER_RESCAN_4(SINTER_RESCAN_4(SINTER_RESCAN_4(SINTER_RESCAN_4(__VA_ARGS__))))
#define SINTER_RESCAN_4(...) SINTER_RESCAN_1(SINTER_RESCAN_1(SINTER_RESCAN_1(SINTER_RESCAN_1(__VA_ARGS__))))
#define SINTER_RESCAN_1(...) __VA_ARGS__

#define SINTER_WITH_LEFT(left, ...) left(__VA_ARGS__)
#define SINTER_LEFT(...) SINTER_LEFT_TEXT(__VA_ARGS__)
#define SINTER_LEFT_TEXT(...) SINTER_STRUCT##__VA_OPT__(_OF_NOTHING)
#define SINTER_STRUCT_OF_NOTHING(...) \
  using sinter_wrong_list = void;     \
  using sinter_list = typename sinter::nn::detail::list_of_members<false>::type
// With more members than Hana counts, its count is one of them, in parentheses, and not a number.
#define SINTER_STRUCT(...) SINTER_WITH_COUNT(SINTER_COUNT(SINTER_NO_TEXT BOOST_HANA_PP_NARG(__VA_ARGS__)), __VA_ARGS__)
#define SINTER_WITH_COUNT(count, ...) count(__VA_ARGS__)
#define SINTER_COUNT(...) SINTER_COUNT_TEXT(__VA_ARGS__)
#define SINTER_COUNT_TEXT(...) SINTER_STRUCT_OF_##__VA_OPT__(FEW)
#define SINTER_STRUCT_OF_(...)    \
  using sinter_wrong_list = void; \
  using sinter_list = typename sinter::nn::detail::number_of_members<false>::type
// The function's body is compiled when the struct is complete.
#define SINTER_STRUCT_OF_FEW(name, ...)                                                                           \
  static_assert(sinter::nn::detail::has_no_list(#name), SINTER_SAY_LIST);                                         \
  struct sinter_base {                                                                                            \
    static constexpr void check() {                                                                               \
      using block = decltype(sinter::nn::detail::functions_of(static_cast<name*>(nullptr)));                      \
      static_cast<void>(sizeof(sinter::nn::detail::base_of_block<sinter::nn::detail::names_itself<name, block>(), \
                                                                 sinter::nn::detail::is_public<name, block>()>)); \
    }                                                                                                             \
  };                                                                                                              \
  BOOST_HANA_DEFINE_STRUCT_IMPL(BOOST_HANA_PP_NARG(name __VA_OPT__(, ) __VA_ARGS__), name __VA_OPT__(, ) __VA_ARGS__)

// Hana's header is included above, once, so that the macro stays this one. Of a list without a mistake it makes the same struct.
#undef BOOST_HANA_DEFINE_STRUCT
#define BOOST_HANA_DEFINE_STRUCT(name, ...) SINTER_WITH_LEFT(SINTER_LEFT(SINTER_MEMBERS(__VA_ARGS__)), name __VA_OPT__(, ) __VA_ARGS__)
