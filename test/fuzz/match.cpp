// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any names, wanted and there, are matched one to one with what fits, or a parameter_error; never by order where the name of a
// parameter is in the file, but for the numbers of sequences; and where the file keeps no order, the same in any.
#include <sinter/io/match.hpp>

#include <cstdlib>

namespace {
// A name without its numbers.
std::string words_of(std::string const& name) { return sinter::io::detail::counted_name(sinter::io::detail::dotted(name)).words; }
// Whether the same arrays are found where they lie the other way round.
bool matches_reversed(std::vector<sinter::io::array> const& have, std::vector<sinter::io::wanted> const& want,
                      sinter::io::load_options const& options, sinter::io::array_order order, std::vector<int> const& found) {
  try {
    auto other = sinter::io::match({have.rbegin(), have.rend()}, want, "fuzz", options, order);
    for (int& k : other)
      if (k >= 0) k = static_cast<int>(have.size()) - 1 - k;
    return other == found;
  } catch (sinter::parameter_error const&) { return false; }
}
}  // namespace

// A line is a name and an extent: those after `+` are wanted, those after `-` are there, `!` and a digit set the options.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);  // NOLINT(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace sinter;
  std::vector<io::array> have;
  std::vector<io::wanted> want;
  io::load_options options;
  auto order = io::array_order::kept;
  std::string_view text(reinterpret_cast<char const*>(data), size);
  while (!text.empty()) {
    auto const line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.size() < 2) continue;
    auto const extent = static_cast<sinter::extent>(line[1] - '0');
    std::string const name(line.substr(2));
    if (line[0] == '-') have.push_back({name, dtype::float32, {extent < 0 ? 0 : extent}, {}});
    else if (line[0] == '+') want.push_back({name, dtype::float32, {extent > 8 ? -1 : extent}});
    else if (line[0] == '!') options = {(extent & 1) != 0, (extent & 2) != 0, (extent & 4) != 0, (extent & 8) != 0};
    if (line[0] == '!') order = (extent & 32) != 0 ? io::array_order::sorted : (extent & 16) != 0 ? io::array_order::unknown : order;
  }
  try {
    auto const found = io::match(have, want, "fuzz", options, order);
    if (order != io::array_order::kept && !options.by_order && !matches_reversed(have, want, options, order, found)) std::abort();
    if (found.size() != want.size()) std::abort();
    std::vector<int> times(have.size(), 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] < 0) {
        if (!options.allow_missing) std::abort();
        continue;
      }
      io::array const& a = have[static_cast<std::size_t>(found[i])];
      if (++times[static_cast<std::size_t>(found[i])] > 1) std::abort();
      if (want[i].shape[0] >= 0 && want[i].shape[0] != a.shape[0]) std::abort();
      if (options.by_order || want[i].name.find('.') == std::string::npos) continue;
      for (io::array const& other : have)
        if (other.name == want[i].name && a.name != other.name && words_of(a.name).find(words_of(other.name)) == std::string::npos)
          std::abort();
    }
    if (!options.ignore_extra)
      for (int n : times)
        if (n != 1) std::abort();
  } catch (parameter_error const&) {}
  return 0;
}
