// SPDX-License-Identifier: Apache-2.0
// The keywords of a call while the program runs: by their names, with their values.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <variant>

#include "../core/error.hpp"
#include "../ops/keywords.hpp"

namespace sinter::sym::inline SINTER_ISA {

using keyword_value = std::variant<bool, int, double, dtype, int_list, dims, ops::number_list>;
// {{"axis", int_list{1, 2}}, {"keepdims", true}}
using keyword_values = std::map<std::string, keyword_value, std::less<>>;

// Notes what a call has given; false where an operation of the user's own has a keyword of another type.
template <class... Word, class Slots> bool note_keywords(keyword_values& to, ops::list_of<Word...>, Slots const& given) {
  bool all = true;
  [[maybe_unused]] auto const note = [&]<class Key>(Key) {
    if (!given[Key{}].is_given) return;
    if constexpr (std::is_constructible_v<keyword_value, typename Key::value>) to.emplace(Key::name, given[Key{}].value);
    else all = false;
  };
  (note(typename Word::key{}), ...);
  return all;
}

// The other way: what an operation takes of these keywords. One that it does not have, has not been given or cannot take is an error about
// the node `name`.
template <class Op> class keywords_reader {
 public:
  static ops::given_to<Op> read(keyword_values const& all, std::string const& name) {
    keywords_reader r{all, name};
    return r.words(ops::keywords_of<Op>{});
  }

 private:
  keyword_values const& all_;
  std::string const& name_;
  std::size_t known_ = 0;

  keywords_reader(keyword_values const& all, std::string const& name) : all_(all), name_(name) {}
  template <class... Word> ops::given_to<Op> words(ops::list_of<Word...>) {
    ops::given_to<Op> to;
    (word<Word>(to), ...);
    if (known_ != all_.size())
      for (auto const& [key, value] : all_)
        if (((key != Word::key::name) && ...)) refuse(key, "is none of its keywords");
    return to;
  }
  template <class Word> void word(ops::given_to<Op>& to) {
    using key = typename Word::key;
    auto const at = all_.find(key::name);
    if (at == all_.end()) {
      if constexpr (Word::needed) refuse(key::name, "is a keyword that it needs");
      return;
    }
    ++known_;
    auto const value = value_of<typename key::value>(at->second, key::name);
    int least = 1;
    if constexpr (requires { key::least; }) least = key::least;
    if (int const n = numbers_in(value); n < least || n > Word::most) refuse(key::name, "has too many or too few values");
    if constexpr (requires { key::takes(value); })
      if (!key::takes(value)) refuse(key::name, "has a value that it cannot take");
    to[key{}] = {value, true};
  }
  static int numbers_in(int_list const& v) { return v.n; }
  static int numbers_in(dims const& v) { return v.rank; }
  static int numbers_in(ops::number_list const& v) { return v.n; }
  static int numbers_in(auto const&) { return 1; }
  // One number may stand for a list of one, and a whole number for a real one.
  template <class V> V value_of(keyword_value const& v, std::string_view key) const {
    if constexpr (std::is_constructible_v<keyword_value, V>) {
      if (V const* const same = std::get_if<V>(&v)) return *same;
      if (int const* const whole = std::get_if<int>(&v)) {
        if constexpr (std::is_same_v<V, int_list>) return {*whole};
        if constexpr (std::is_same_v<V, double>) return *whole;
      }
    }
    refuse(key, "has a value of another type");
  }
  [[noreturn]] void refuse(std::string_view key, std::string const& why) const {
    std::string const op(ops::op_name<Op>);
    throw error("sinter: " + name_ + (name_ == op ? "" : " (" + op + ")") + ": " + std::string(key) + " " + why);
  }
};

}  // namespace sinter::sym::inline SINTER_ISA
