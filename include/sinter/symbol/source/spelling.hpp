// SPDX-License-Identifier: Apache-2.0
// Names, numbers, shapes and keywords as C++ text: what a network from a file is written with.
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "../../io/array.hpp"
#include "../call.hpp"

namespace sinter::sym::source {
inline namespace SINTER_ISA {

inline std::string type_name(dtype t) {
  switch (t) {
    case dtype::float32: return "float";
    case dtype::float64: return "double";
    case dtype::boolean: return "bool";
    case dtype::float16: return "sinter::float16";
    case dtype::bfloat16: return "sinter::bfloat16";
    case dtype::int8: return "std::int8_t";
    case dtype::int16: return "std::int16_t";
    case dtype::int32: return "std::int32_t";
    case dtype::int64: return "std::int64_t";
    case dtype::uint8: return "std::uint8_t";
    default: throw dtype_error("sinter: there are no tensors of " + std::string(sinter::name_of(t)));
  }
}
inline std::string spelled(std::int64_t n) {
  if (n == INT64_MIN) return "INT64_MIN";
  return std::to_string(n) + (n > INT32_MAX || n < INT32_MIN ? "LL" : "");
}
inline std::string spelled(double v) {
  if (std::isnan(v)) throw error("sinter: a number of the file is NaN, which no operation is given");
  if (std::isinf(v)) return std::string(v < 0 ? "-" : "") + "std::numeric_limits<double>::infinity()";
  char digits[40];
  std::string r(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
  return r.find_first_of(".e") == std::string::npos ? r + ".0" : r;
}
inline std::string spelled(number const& v) { return v.is_whole ? spelled(v.whole) : spelled(v.real); }
// One that another program may have put into a file, in a comment or a string.
inline std::string in_string(std::string_view s) {
  std::string r = "\"";
  for (char const c : s) {
    bool const plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?' && c != '*';
    if (plain) r += c;
    else {
      auto const u = static_cast<unsigned char>(c);
      r += {'\\', static_cast<char>('0' + u / 64), static_cast<char>('0' + u / 8 % 8), static_cast<char>('0' + u % 8)};
    }
  }
  return r + "\"";
}
// The same for people: what would garble a terminal is escaped.
inline std::string in_sentence(std::string_view s) {
  std::string const quoted = io::in_quotes(s);
  return "\"" + quoted.substr(1, quoted.size() - 2) + "\"";
}

// Names of C++ for names of files: each is met once in its list.
class identifiers {
 public:
  void reserve(std::string_view name) { taken_.emplace(name); }
  bool has(std::string const& name) const { return taken_.contains(name); }
  // Whether somebody may choose this name.
  static bool may_be(std::string_view name) { return identifier(name) == name && !is_reserved(name); }
  // The same of a type in the global namespace.
  static bool may_be_type(std::string_view name) { return may_be(name) && !is_in_c(name); }
  std::string fresh(std::string_view like) {
    std::string const base = identifier(like);
    std::string r = base;
    for (int i = 1; taken_.contains(r) || is_reserved(r) || (i == 1 && may_be_macro(r)); ++i)
      r = base + (base.ends_with('_') ? "" : "_") + std::to_string(i);
    taken_.insert(r);
    return r;
  }
  // Letters, digits and single underscores, beginning with a letter.
  static std::string identifier(std::string_view s) {
    std::string r;
    for (char const c : s) {
      bool const digit = c >= '0' && c <= '9', letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (digit && r.empty()) r = "n";
      if (digit || letter) r += c;
      else if (!r.empty() && r.back() != '_') r += '_';
    }
    if (r.empty()) r = "value";
    return r;
  }

 private:
  std::set<std::string, std::less<>> taken_;

  // As EINVAL, M_PI, and BUFSIZ of the system's headers.
  static bool may_be_macro(std::string_view name) {
    auto const is_large = [](char c) { return c >= 'A' && c <= 'Z'; };
    return std::count_if(name.begin(), name.end(), is_large) > 2 &&
           std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  }
  // What headers of C declare in the global namespace, where a type would lie beside it.
  static bool is_in_c(std::string_view name) {
    static std::set<std::string_view> const all{
        "abort",     "abs",       "accept",    "access",     "alarm",   "asctime",     "atexit",   "atof",      "atoi",     "atol",
        "atoll",     "bcmp",      "bcopy",     "bind",       "bsearch", "bzero",       "calloc",   "clock",     "close",    "connect",
        "crypt",     "ctime",     "daylight",  "difftime",   "div",     "drem",        "dup",      "environ",   "erand48",  "exit",
        "fclose",    "fdim",      "feof",      "ferror",     "fflush",  "ffs",         "fgets",    "finite",    "fma",      "fmax",
        "fmin",      "fmod",      "fopen",     "fork",       "fprintf", "fputs",       "fread",    "free",      "freopen",  "frexp",
        "fscanf",    "fseek",     "ftell",     "fwrite",     "getc",    "getchar",     "getenv",   "getline",   "gets",     "gmtime",
        "hypot",     "index",     "isalnum",   "isalpha",    "iscntrl", "isdigit",     "isgraph",  "islower",   "isprint",  "ispunct",
        "isspace",   "isupper",   "isxdigit",  "j0",         "j1",      "jn",          "kill",     "labs",      "ldexp",    "ldiv",
        "lgamma",    "link",      "listen",    "llabs",      "lldiv",   "llrint",      "llround",  "localtime", "logb",     "lrint",
        "lround",    "malloc",    "mblen",     "memchr",     "memcmp",  "memcpy",      "memmove",  "memset",    "mktime",   "modf",
        "nan",       "nearbyint", "nextafter", "nexttoward", "nice",    "open",        "pause",    "perror",    "pipe",     "poll",
        "pow",       "printf",    "putc",      "putchar",    "putenv",  "puts",        "qsort",    "raise",     "rand",     "random",
        "read",      "realloc",   "recv",      "remainder",  "remove",  "remquo",      "rename",   "rewind",    "rindex",   "scalb",
        "scalbln",   "scalbn",    "scanf",     "select",     "send",    "setbuf",      "setenv",   "setvbuf",   "signal",   "significand",
        "sleep",     "snprintf",  "socket",    "sprintf",    "srand",   "srandom",     "sscanf",   "stat",      "stpcpy",   "strcat",
        "strchr",    "strcmp",    "strcoll",   "strcpy",     "strcspn", "strdup",      "strerror", "strftime",  "strlen",   "strncat",
        "strncmp",   "strncpy",   "strpbrk",   "strrchr",    "strspn",  "strstr",      "strtod",   "strtok",    "strtol",   "strtoul",
        "strxfrm",   "swab",      "sync",      "system",     "tgamma",  "time",        "timezone", "tm",        "tmpfile",  "tmpnam",
        "tolower",   "toupper",   "tzname",    "tzset",      "ungetc",  "unlink",      "usleep",   "va_list",   "vprintf",  "wait",
        "write",     "y0",        "y1",        "yn",         "FILE",    "clock_t",     "div_t",    "int8_t",    "int16_t",  "int32_t",
        "int64_t",   "intmax_t",  "intptr_t",  "ldiv_t",     "lldiv_t", "max_align_t", "mode_t",   "off_t",     "pid_t",    "ptrdiff_t",
        "size_t",    "ssize_t",   "time_t",    "timespec",   "timeval", "uid_t",       "uint8_t",  "uint16_t",  "uint32_t", "uint64_t",
        "uintmax_t", "uintptr_t", "wint_t"};
    return all.contains(name);
  }
  // The words of the language, and those that a network is written with.
  static bool is_reserved(std::string_view name) {
    static std::set<std::string_view> const all = [] {
      std::set<std::string_view> r{
          "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "char8_t",
          "char16_t", "char32_t", "class", "compl", "concept", "const", "consteval", "constexpr", "constinit", "const_cast", "continue",
          "co_await", "co_return", "co_yield", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit",
          "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
          "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
          "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
          "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned",
          "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "linux", "unix", "errno", "NULL", "EOF", "main", "F",
          "std", "sinter", "boost", "axis", "keepdims", "exclude", "into", "begin", "end", "step", "open", "eps", "alpha", "slope", "reps",
          "shift", "diagonal", "block", "border", "borders", "over", "parts_of", "ddof", "ord", "as", "depth", "parts", "top", "values",
          "flattened", "stride", "pad", "dilate", "groups", "adjust", "factor", "scale", "mode", "interpolation", "align_corners", "nsize",
          "beta", "knorm", "pool_size", "ceil_mode", "count_include_pad", "num_heads", "is_causal", "ascending", "descending",
          "transpose_a", "transpose_b", "upper", "max_iterations", "dim", "dynamic", "shape", "float16", "bfloat16",
          // what a block has
          "hybrid_forward", "hybridize", "initialize", "load", "load_embedded", "load_parameters", "save_parameters", "apply",
          "share_parameters", "block_type", "child_types", "children", "at", "size", "parameter_names", "name_of_child", "all", "path",
          "options", "export_", "export_onnx", "save", "summary", "to", "collect_params", "hana", "hana_accessors_impl", "assert", "stdin",
          "stdout", "stderr", "INFINITY", "NAN", "major", "minor"};
      for (callable const& f : callables()) r.insert(f.op->name);
      return r;
    }();
    return all.contains(name);
  }
};

// ---- shapes: names of dimensions are those of constants that the network declares

inline std::string name_of_extent(extent e) {
  std::string r(static_cast<std::size_t>(sinter::detail::name_length(e)), ' ');
  sinter::detail::unpack_name(e, r.data());
  return r;
}
inline std::string spelled_fixed(dims const& s) {
  std::string r = "sinter::shape<";
  for (int i = 0; i < s.rank; ++i) r += (i ? ", " : "") + spelled(s.d[i]);
  return r + ">";
}
inline std::string spelled_named(dims const& s) {
  std::string r = "sinter::shape<";
  for (int i = 0; i < s.rank; ++i)
    r += (i ? ", " : "") + (s.d[i] >= 0 ? spelled(s.d[i]) : "sinter::dim<" + in_string(name_of_extent(s.d[i])) + ">");
  return r + ">";
}

// ---- the keywords of a call

class keyword_speller {
 public:
  static std::string spell(std::string_view key, keyword_value const& value) {
    return std::visit([&](auto const& v) { return std::string(of(key, v)); }, value);
  }

 private:
  static std::string of(std::string_view key, bool v) {
    if (key == "flattened" || key == "count_include_pad") return angle(key, v ? "true" : "false");
    if (key == "ascending" && !v) return "descending";
    return v ? std::string(key) : "";  // what is left out is false
  }
  static std::string of(std::string_view key, int v) {
    if (key == "border") return angle(key, one_of(v, {"borders::constant", "borders::edge", "borders::reflect"}));
    if (key == "over") return angle(key, one_of(v, {"parts_of::instance", "parts_of::channel", "parts_of::spatial"}));
    if (key == "mode") return angle(key, one_of(v, {"interpolation::nearest", "interpolation::bilinear"}));
    return angle(key, spelled(std::int64_t{v}));
  }
  static std::string of(std::string_view key, double v) { return angle(key, spelled(v)); }
  static std::string of(std::string_view key, dtype v) { return angle(key, type_name(v)); }
  static std::string of(std::string_view key, int_list const& v) {
    std::string all;
    if (key == ops::key::subscripts::name) {  // eight letters in a number
      for (int i = 0; i < 8 * v.n; ++i)
        if (char const c = static_cast<char>(v[i / 8] >> 8 * (i % 8) & 0x7f); c != 0) all += c;
      return angle(key, in_string(all));
    }
    for (int i = 0; i < v.n; ++i) {
      if (v[i] < INT32_MIN || v[i] > INT32_MAX)
        throw shape_error("sinter: " + std::string(key) +
                          " depends on a dimension that is no number, or is out of range; INPUTS says extents");
      all += (i ? ", " : "") + (v[i] == open ? std::string("open") : spelled(v[i]));
    }
    return angle(key, all);
  }
  static std::string of(std::string_view key, ops::number_list const& v) {
    std::string all;
    for (int i = 0; i < v.n; ++i) {
      std::string const one = spelled(v.at[i]);
      all += (i ? ", " : "") + (one.find("infinity") == std::string::npos ? one : "(" + one + ")");
    }
    return angle(key, all);
  }
  static std::string of(std::string_view key, dims const& v) {
    std::string all;
    for (int i = 0; i < v.rank; ++i) {
      extent const e = v.d[i];
      std::string one = spelled(std::int64_t{e});
      if (e < -1) {
        if (is_named(e)) one = name_of_extent(e);
        else
          throw shape_error("sinter: the shape " + to_string(v) +
                            " depends on a dimension that is no number; give its extent as a number in INPUTS");
      }
      all += (i ? ", " : "") + one;
    }
    return angle(key, all);
  }
  static std::string angle(std::string_view key, std::string const& inner) { return std::string(key) + "<" + inner + ">"; }
  static std::string one_of(int v, std::initializer_list<char const*> words) {
    if (v < 0 || v >= static_cast<int>(words.size())) throw error("sinter: a keyword has the value " + std::to_string(v));
    return words.begin()[v];
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::sym::source
