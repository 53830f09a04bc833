// SPDX-License-Identifier: Apache-2.0
// What a snippet prints, beside what its page says that it prints.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "../catch.hpp"

namespace test {

inline std::vector<std::string> lines_of(std::string const& s) {
  std::vector<std::string> r;
  std::istringstream in(s);
  for (std::string line; std::getline(in, line);) r.push_back(line);
  return r;
}
// A line `...` stands for any number of lines.
inline bool alike(std::vector<std::string> const& page, std::size_t i, std::vector<std::string> const& real, std::size_t j) {
  if (i == page.size()) return j == real.size();
  if (page[i].find_first_not_of(' ') != page[i].npos && page[i].substr(page[i].find_first_not_of(' ')) == "...") {
    for (std::size_t k = j; k <= real.size(); ++k)
      if (alike(page, i + 1, real, k)) return true;
    return false;
  }
  return j < real.size() && page[i] == real[j] && alike(page, i + 1, real, j + 1);
}

// Takes std::cout, and works in a folder of its own with the files of examples/data.
class said {
 public:
  said() : before_(std::cout.rdbuf(text_.rdbuf())), home_(std::filesystem::current_path()) {
    here_ = std::filesystem::temp_directory_path() / ("sinter-docs-" + std::to_string(std::random_device{}()));
    std::filesystem::copy(SINTER_SOURCE_DIR "/examples/data", here_);
    std::filesystem::current_path(here_);
  }
  said(said const&) = delete;
  said& operator=(said const&) = delete;
  ~said() {
    std::cout.rdbuf(before_);
    std::error_code ignored;
    std::filesystem::current_path(home_, ignored);
    std::filesystem::remove_all(here_, ignored);
  }
  // Between snippets: what one of them prints stands on the page.
  void nothing() { CHECK(text_.str() == ""); }
  // `text` begins on this line of the page. With SINTER_WRITE_DOCS set the page is given what is printed.
  void is(char const* text, char const* page, int line) {
    std::vector<std::string> const old = lines_of(text), real = lines_of(text_.str());
    bool const same = alike(old, 0, real, 0);
    std::string const printed = text_.str();
    text_.str("");
    if (!same && std::getenv("SINTER_WRITE_DOCS")) return replace(page, line, old, real);
    INFO(page << ":" << line << " says\n" << text << "\nand this is printed:\n" << printed);
    CHECK(same);
  }

 private:
  static void replace(char const* page, int line, std::vector<std::string> const& old, std::vector<std::string> const& lines) {
    static std::map<std::string, std::ptrdiff_t> longer;  // than the page that this program was made of
    std::ifstream in(page);
    std::ostringstream whole;
    whole << in.rdbuf();
    std::vector<std::string> all = lines_of(whole.str());
    std::ptrdiff_t const first = line - 1 + longer[page];
    REQUIRE(first + static_cast<std::ptrdiff_t>(old.size()) <= static_cast<std::ptrdiff_t>(all.size()));
    auto const at = all.begin() + first;
    REQUIRE(std::equal(old.begin(), old.end(), at));  // else the page is not the one that this program was built from
    all.insert(all.erase(at, at + static_cast<std::ptrdiff_t>(old.size())), lines.begin(), lines.end());
    longer[page] += static_cast<std::ptrdiff_t>(lines.size()) - static_cast<std::ptrdiff_t>(old.size());
    std::ofstream out(page);
    for (std::string const& s : all) out << s << "\n";
  }
  std::ostringstream text_;
  std::streambuf* before_;
  std::filesystem::path home_, here_;
};

}  // namespace test
