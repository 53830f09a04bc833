// SPDX-License-Identifier: Apache-2.0
// What a call of a network makes of its input, as a table.
#include <sinter/compile/plain.hpp>
#include <sinter/nn/share.hpp>
#include <sinter/nn/table.hpp>

#include <sstream>

#include "network.hpp"

namespace {
struct model : nn::hybrid_block<model> {
  BOOST_HANA_DEFINE_STRUCT(model, (nn::dense<4>, first), (nn::dense<4>, second), (nn::state<shape<4>>, mean), (nn::dense<9>, unused));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const y = second(first(first(x)));
    return std::tuple{y + F.get(mean, shape<4>{}), F.sum(y)};
  }
};
// The rows, with one space between the columns.
std::vector<std::string> rows_of(std::string const& table) {
  std::vector<std::string> rows;
  std::istringstream in(table);
  for (std::string line; std::getline(in, line);) {
    CHECK(line.size() <= 80);
    std::istringstream words(line);
    rows.emplace_back();
    for (std::string word; words >> word;) rows.back() += (rows.back().empty() ? "" : " ") + word;
  }
  return rows;
}
std::string const thin(80, '-'), thick(80, '=');
using rows = std::vector<std::string>;
}  // namespace

TEST_CASE("a table of a network's calls") {
  model net;
  net.initialize();
  rows const want{thin,
                  "Layer (type) Output shape Parameters",
                  thick,
                  "input (2, 4) 0",
                  "first (dense) (2, 4) 20",
                  "first (dense) (2, 4) 20",
                  "second (dense) (2, 4) 20",
                  "(model) (2, 4), () 4",
                  thick,
                  "parameters 53",
                  "trainable 49",
                  "not trainable 4",
                  "and 1 whose shapes are not known: this call has not reached them",
                  thin};
  // The layer that no call met knows of its weight only that it is a matrix.
  CHECK(rows_of(net.summary(shape<2, 4>{})) == want);
  CHECK(rows_of(net.summary(f32<2, 4>{})) == want);
  net.second.share_parameters(net.first);
  rows shared = want;
  shared[9] = "parameters 33";
  shared[10] = "trainable 29";
  shared.insert(shared.begin() + 13, "shared, counted once 20");
  CHECK(rows_of(net.summary(shape<2, 4>{})) == shared);
  CHECK(net.summary(f32<dim<"batch">, 4>({7, 4})).find("(7, 4), ()") != std::string::npos);
}

TEST_CASE("a table through plain blocks and containers") {
  auto net = nn::sequential{nn::hybrid_sequential{nn::dense<4>{}, nn::activation<nn::relu>{}}, nn::lambda{[](auto x) { return x; }},
                            nn::lambda{[](auto) { return 1; }}};
  net.initialize();
  CHECK(rows_of(net.summary(shape<2, 3>{})) == rows{thin, "Layer (type) Output shape Parameters", thick, "input (2, 3) 0",
                                                    "0.0 (dense) (2, 4) 16", "0.1 (activation) (2, 4) 0", "0 (hybrid_sequential) (2, 4) 0",
                                                    "1 (lambda) (2, 4) 0", "2 (lambda) no tensor 0", "(sequential) no tensor 0", thick,
                                                    "parameters 16", "trainable 16", "not trainable 0", thin});
  CHECK(net.summary(shape<2, 3>{}).find("0.0 (dense)                             (2, 4)                                16\n") !=
        std::string::npos);
}

TEST_CASE("a table needs values, and leaves nothing behind") {
  nn::dense<3> net;
  CHECK(message_of<sinter::parameter_error>([&] { net.summary(shape<2, 4>{}); }) ==
        "in weight: sinter: a parameter of shape (3, 4) has no values; call initialize() or load_parameters() first");
  CHECK(nn::detail::observer_of_calls == nullptr);
  net.initialize();
  std::string const once = net.summary(shape<2, 4>{});
  CHECK(net.summary(shape<2, 4>{}) == once);
}
