// SPDX-License-Identifier: Apache-2.0
// The gradients of all parameters of five networks are those that PyTorch computes in double (gradients.py), within 1e-5 of the largest of each.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/gradient.hpp>
#include <sinter/io/params.hpp>
#include <sinter/models/bert.hpp>
#include <sinter/models/resnet.hpp>
#include <sinter/nn/load.hpp>
#include <sinter/nn/share.hpp>
#include <sinter/symbol/gradient.hpp>
#include <sinter/symbol/json.hpp>
#include <sinter/symbol/symbol_block.hpp>

#include "../catch.hpp"
#include "formula.hpp"

namespace models = sinter::models;
namespace nn = sinter::nn;
namespace nd = sinter::nd;
namespace sym = sinter::sym;
using sinter::shape;

namespace {

// Compares with what gradients.txt has of a parameter.
void check_gradient(std::string const& network, std::string const& parameter, float const* at, sinter::extent size) {
  INFO(network << "." << parameter);
  std::vector<double> const want = formula::numbers_in("gradients.txt", network + "." + parameter);
  REQUIRE(want.size() == 9);
  auto const n = static_cast<std::uint32_t>(size);
  REQUIRE(static_cast<double>(n) == want[0]);
  double largest = 0, sum = 0;
  double const margin = (network == "resnet18" ? 2e-5 : 1e-5) * want[1];  // batch norm in training: PyTorch's own float32 is 0.7e-5 off
  for (std::uint32_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(at[i])));
    sum += static_cast<double>(at[i]) * (2 * formula::number_of(parameter, i) - 1);
  }
  if (want[1] < 1e-15) {  // a bias of keys, which softmax does not see
    CHECK(largest < 1e-9);
    return;
  }
  CHECK(std::abs(largest - want[1]) <= margin);
  CHECK(std::abs(sum - want[2]) <= margin * std::sqrt(static_cast<double>(n)) * 2);
  for (std::uint32_t j = 0; j < 6; ++j) {
    INFO("sample " << j << " of " << want[1]);
    CHECK(std::abs(static_cast<double>(at[(j * 7919 + 13) % n]) - want[3 + j]) <= margin);
  }
}
// Compares what gradients.txt has of these parameters, which it calls `named`.
void check_gradients(std::string const& network, sinter::symbol const& loss, sym::arrays_by_name const& values,
                     std::vector<std::string> const& parameters, std::vector<std::string> const& named) {
  sym::symbols all{loss}, variables;
  for (std::string const& name : parameters) variables.push_back(loss.get_internals()[name]);
  for (sinter::symbol const& slope : sym::gradient(loss, variables)) all.push_back(slope);
  sym::results const got = sym::group(all).eval(values);
  CHECK(got[0].as<nd::tensor<float, shape<>>>().item() ==
        Approx(formula::numbers_in("gradients.txt", network + ".loss").at(0)).epsilon(1e-4));
  for (std::size_t k = 0; k < parameters.size(); ++k)
    check_gradient(network, named[k], reinterpret_cast<float const*>(got[k + 1].data()), got[k + 1].shape().size());
}
void check_gradients(std::string const& network, sinter::symbol const& loss, sym::arrays_by_name const& values,
                     std::vector<std::string> const& parameters) {
  check_gradients(network, loss, values, parameters, parameters);
}

sinter::symbol cross_entropy(sinter::symbol const& scores, sym::array const& labels) {
  return -sinter::mean(sinter::pick(sinter::log_softmax(scores), sym::held("labels", labels)));
}
sym::array array_of(std::vector<std::int64_t> const& values) {
  auto const n = static_cast<sinter::extent>(values.size());
  sym::array r(sinter::dtype::int64, {n});
  std::copy(values.begin(), values.end(), reinterpret_cast<std::int64_t*>(r.data()));
  return r;
}
sym::array floats(sinter::dims const& extents, auto const& number) {
  sym::array r(sinter::dtype::float32, extents);
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(extents.size()); ++i) reinterpret_cast<float*>(r.data())[i] = number(i);
  return r;
}

// The first digits.
struct digits {
  std::vector<float> pixels;
  std::vector<std::int64_t> labels;
  digits() {
    std::ifstream in(SINTER_SOURCE_DIR "/examples/data/digits.csv");
    std::string line;
    std::getline(in, line);
    while (labels.size() < 16 && std::getline(in, line)) {
      std::istringstream words(line);
      for (std::string word; std::getline(words, word, ',');) pixels.push_back(std::stof(word) / 16);
      labels.push_back(static_cast<std::int64_t>(pixels.back() * 16));
      pixels.pop_back();
    }
  }
  sym::array in(sinter::dims const& extents) const {
    return floats(extents, [&](std::uint32_t i) { return pixels[i]; });
  }
};

struct mlp : nn::hybrid_block<mlp> {
  using first = nn::dense<128, nn::relu>;
  using second = nn::dense<64, nn::relu>;
  BOOST_HANA_DEFINE_STRUCT(mlp, (first, dense0), (second, dense1), (nn::dense<10>, dense2));
  constexpr auto hybrid_forward(auto, auto x) const { return dense2(dense1(dense0(x))); }
};

// The same as a function of its parameters, eagerly and compiled.
struct mlp_gradients : nn::hybrid_block<mlp_gradients> {
  BOOST_HANA_DEFINE_STRUCT(mlp_gradients, (mlp, net));
  constexpr auto hybrid_forward(auto F, auto x, auto labels) const {
    auto const loss = [&](auto w0, auto b0, auto w1, auto b1, auto w2, auto b2) {
      auto const h = F.relu(F.fully_connected(F.relu(F.fully_connected(x, w0, b0)), w1, b1));
      return -F.mean(F.pick(F.log_softmax(F.fully_connected(h, w2, b2)), labels));
    };
    return F.gradient(loss, F.get(net.dense0.weight, shape<128, 64>{}), F.get(net.dense0.bias, shape<128>{}),
                      F.get(net.dense1.weight, shape<64, 128>{}), F.get(net.dense1.bias, shape<64>{}),
                      F.get(net.dense2.weight, shape<10, 64>{}), F.get(net.dense2.bias, shape<10>{}));
  }
};

// A network of MXNet's and its parameters.
void check_file(std::string const& network, sinter::dims const& extents) {
  std::string const path = SINTER_SOURCE_DIR "/test/data/models/" + network + "/" + network;
  digits const d;
  sinter::symbol const scores = sinter::symbol::load(path + "-symbol.json");
  sym::arrays_by_name values{{"data", d.in(extents)}};
  std::vector<std::string> parameters;
  for (sinter::io::array const& a : sinter::io::read_params(path + "-0000.params")) {
    std::string const name = a.name.substr(a.name.find(':') + 1);
    values.emplace(name, sym::array_of(a));
    if (name.find("running") == name.npos) parameters.push_back(name);
  }
  check_gradients(network, cross_entropy(scores, array_of(d.labels)), values, parameters);
}
template <class Net> std::vector<std::string> names_of(Net const& net) {
  std::vector<std::string> r;
  nn::visit_parameters(net, [&](auto const&, std::string_view name) {
    if (name.find("running") == name.npos) r.emplace_back(name);
  });
  return r;
}

}  // namespace

TEST_CASE("gradients of the digits networks are PyTorch's") {
  digits const d;
  mlp net;
  net.load_parameters(SINTER_SOURCE_DIR "/examples/data/digits-mlp-0000.params");
  check_gradients("digits-mlp", cross_entropy(net(sym::var("data")), array_of(d.labels)), {{"data", d.in({16, 64})}}, names_of(net),
                  {"dense0_weight", "dense0_bias", "dense1_weight", "dense1_bias", "dense2_weight", "dense2_bias"});
  mlp_gradients by_function;
  by_function.net.share_parameters(net);
  auto const x = nd::tensor<float, shape<16, 64>>::from(d.pixels);
  auto const labels = nd::tensor<std::int64_t, shape<16>>::from(d.labels);
  auto const check = [](auto const& w0, auto const& b0, auto const& w1, auto const& b1, auto const& w2, auto const& b2) {
    check_gradient("digits-mlp", "dense0_weight", w0.data(), w0.size());
    check_gradient("digits-mlp", "dense0_bias", b0.data(), b0.size());
    check_gradient("digits-mlp", "dense1_weight", w1.data(), w1.size());
    check_gradient("digits-mlp", "dense1_bias", b1.data(), b1.size());
    check_gradient("digits-mlp", "dense2_weight", w2.data(), w2.size());
    check_gradient("digits-mlp", "dense2_bias", b2.data(), b2.size());
  };
  std::apply(check, by_function(x, labels));
  std::apply(check, by_function.hybridize()(x, labels));
  check_file("digits-cnn", {16, 1, 8, 8});
  check_file("digits-transformer", {16, 8, 8});
}
TEST_CASE("gradients of ResNet-18 in training are PyTorch's") {
  models::resnet18_v1<10> net;
  net.initialize(sinter::init::zeros{});
  std::vector<std::string> const parameters = names_of(net);
  std::vector<std::string> named;
  for (std::string const& name : parameters) named.push_back(std::to_string(named.size()) + name.substr(name.rfind('.')));
  sinter::dims const extents{2, 3, 48, 48};
  sinter::symbol const scores = net(sinter::training(sym::var("image")));
  std::size_t k = 0;
  auto const types = scores.infer_shape({{"image", extents}});
  auto const order = scores.list_arguments();
  std::map<std::string, sinter::dims> shapes;
  for (std::size_t i = 0; i < order.size(); ++i) shapes[order[i]] = types.arguments[i];
  nn::visit_parameters(net, [&]<class T>(nn::parameter_of<T> const& p, std::string_view name) {
    if (name.find("running") != name.npos) return;
    sinter::dims const& s = shapes.at(std::string(name));
    std::vector<float> v(static_cast<std::size_t>(s.size()));
    for (std::uint32_t i = 0; i < v.size(); ++i) v[i] = formula::value_of(named[k], s, i);
    p.assign(s, v.data());
    ++k;
  });
  auto const image = floats(extents, [](std::uint32_t i) { return static_cast<float>(2 * formula::number_of("image", i) - 1); });
  check_gradients("resnet18", cross_entropy(scores, array_of({3, 7})), {{"image", image}}, parameters, named);
}
TEST_CASE("gradients of a layer of MiniLM are PyTorch's") {
  models::detail::bert_layer<384, 12, 1536> net;
  net.initialize(sinter::init::zeros{});
  sinter::dims const extents{2, 6, 384};
  sinter::symbol const y = net(sym::var("x"));
  formula::set_parameters(net, y, {{"x", extents}});
  auto const signed_numbers = [&](std::string const& name) {
    return floats(extents, [&](std::uint32_t i) { return static_cast<float>(2 * formula::number_of(name, i) - 1); });
  };
  check_gradients("minilm-layer", sinter::mean(y * sym::held("factors", signed_numbers("factors"))), {{"x", signed_numbers("x")}},
                  names_of(net));
}
