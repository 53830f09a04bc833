// SPDX-License-Identifier: Apache-2.0
// Networks that MXNet 1.9.1 exported, written in C++ with its weights: MXNet's outputs, as symbols, eagerly and compiled.
#define SINTER_INTERPRETER_ELSEWHERE
#include <sinter/compile/hybridized.hpp>
#include <sinter/io/tensor.hpp>
#include <sinter/nn/load.hpp>
#include <sinter/nn/save.hpp>
#include <sinter/symbol.hpp>

#include <cstdio>

#include "../builds.hpp"
#include "../catch.hpp"

namespace nn = sinter::nn;
namespace io = sinter::io;
using sinter::as;
using sinter::axis;
using sinter::shape;

namespace {

template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

// Results of all modes that this build compiles are compared with output0.npy, output1.npy, ...
template <class Net, class... X> void gives_the_outputs(std::string const& name, double margin, X const&... x) {
  INFO(name);
  std::string const folder = SINTER_SOURCE_DIR "/test/data/models/" + name + "/";
  Net net;
  nn::load_parameters(net, folder + name + "-0000.params");
  int at = 0;
  auto const close = [&]<class T>(T const& got) {
    auto const want = io::load<T>(folder + "output" + std::to_string(at++) + ".npy");
    for (sinter::extent i = 0; i < got.size(); ++i)
      CHECK(static_cast<double>(got[i]) == Approx(static_cast<double>(want[i])).margin(margin));
  };
  auto const all_close = [&](auto const& y) {
    at = 0;
    sinter::each_part(y, close);
  };
  if constexpr (test::compiles_networks) {
    all_close(net(x...));
    all_close(net.hybridize()(x...));
  }
  sinter::sym::arrays_by_name arguments;
  std::vector<sinter::symbol> outputs;
  auto const variable = [&](auto const& k) {
    std::string const called = "input" + std::to_string(arguments.size());
    arguments.emplace(called, k);
    return sinter::sym::var(called);
  };
  sinter::each_part(std::apply(net, std::tuple{variable(x)...}), [&](sinter::symbol const& s) { outputs.push_back(s); });
  auto const results = sinter::sym::group(outputs).eval(arguments);
  std::size_t i = 0;
  all_close(sinter::map_parts(net(x...), [&]<class T>(T const&) { return results[i++].template as<T>(); }));
}
template <class T> T input(std::string const& path) { return io::load<T>(SINTER_SOURCE_DIR "/test/data/models/" + path); }

using mlp = nn::hybrid_sequential<nn::dense<256, nn::relu>, nn::dense<128, nn::relu>, nn::dense<2>>;
struct hybrid_net : nn::hybrid_block<hybrid_net> {
  BOOST_HANA_DEFINE_STRUCT(hybrid_net, (nn::dense<10>, hidden), (nn::dense<2>, output));
  constexpr auto hybrid_forward(auto F, auto x) const { return output(F.relu(hidden(x))); }
};
using concurrent = nn::hybrid_sequential<nn::hybrid_concurrent<nn::dense<6, nn::tanh>, nn::dense<5, nn::sigmoid>, nn::identity>,
                                         nn::dense<3, nn::softrelu>>;
struct two_inputs : nn::hybrid_block<two_inputs> {
  BOOST_HANA_DEFINE_STRUCT(two_inputs, (nn::parameter, w), (nn::parameter, c));
  constexpr auto hybrid_forward(auto F, auto a, auto b) const {
    auto const weight = F.get(w, shape<5, 5>{});
    auto h = F.tanh(F.matmul(a, weight)) + F.matmul(b, weight, sinter::transpose_b);
    auto s = h * F.expand_dims(F.get(c, shape<5>{}), axis<0>);
    auto largest = F.reshape(F.max(F.abs(h)), sinter::into<1>);  // which MXNet gives the shape (1,)
    return std::tuple(s, std::tuple(F.sum(s, axis<1>), largest));
  }
};
struct half : nn::hybrid_block<half> {
  BOOST_HANA_DEFINE_STRUCT(half, (nn::basic_parameter<sinter::float16>, w));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto const weight = F.get(w, shape<1, 6>{});
    return std::tuple(F.tanh(x * weight + 0.5), F.cast(x + weight, as<float>));
  }
};
struct loops : nn::hybrid_block<loops> {
  BOOST_HANA_DEFINE_STRUCT(loops, (nn::dense<3, nn::tanh>, cell));
  constexpr auto hybrid_forward(auto F, auto x, auto h) const {
    auto [outs, last] = F.foreach (
        [&](auto row, auto state) {
          auto next = cell(F.concat(row, state, axis<1>));
          return std::tuple(next * 2, next);
        },
        x, h);
    auto [none, looped] = F.while_loop([&](auto, auto w) { return F.sum(F.abs(w)) < 100; },
                                       [&](auto n, auto w) { return std::tuple(std::tuple<>{}, std::tuple(n + 1, w * 1.5f)); },
                                       std::tuple(F.zeros_like(F.sum(h)), last), sinter::max_iterations<50>);
    auto [n, w] = looped;
    auto z =
        F.cond(F.sum(last) > 0, [h = last] { return h + 1; }, [h = last] { return h - 1; });  // Clang captures no structured binding here
    return std::tuple(outs, last, F.reshape(n, sinter::into<1>), w, z);
  }
};
struct text : nn::hybrid_block<text> {
  using words = nn::embedding<50, 16>;
  BOOST_HANA_DEFINE_STRUCT(text, (words, embed), (nn::dense<4>, head));
  constexpr auto hybrid_forward(auto F, auto tokens) const {
    auto mask = F.cast(F.expand_dims(tokens > 0, axis<2>), as<float>);
    auto h = embed(tokens) * mask;
    return F.log_softmax(head(F.sum(h, axis<1>) / (F.sum(mask, axis<1>) + 1e-6f)));
  }
};

}  // namespace

TEST_CASE("networks of MXNet give MXNet's outputs") {
  gives_the_outputs<mlp>("seed-mlp", 1e-5, input<f32<1, 512>>("seed-mlp/input0.npy"));
  gives_the_outputs<hybrid_net>("hybrid-net", 1e-6, input<f32<3, 4>>("hybrid-net/input0.npy"));
  gives_the_outputs<concurrent>("concurrent", 1e-6, input<f32<7, 4>>("concurrent/input0.npy"));
  gives_the_outputs<two_inputs>("two-inputs", 1e-5, input<f32<4, 5>>("two-inputs/input0.npy"), input<f32<4, 5>>("two-inputs/input1.npy"));
  gives_the_outputs<half>("half", 0, input<sinter::nd::tensor<sinter::float16, shape<5, 6>>>("half/input0.npy"));
  // The last bit of a state is multiplied by 1.5 in each turn of the while_loop.
  gives_the_outputs<loops>("loops", 1e-4, input<f32<7, 2, 2>>("loops/input0.npy"), input<f32<2, 3>>("loops/input1.npy"));
  gives_the_outputs<text>("text", 1e-5, sinter::cast(input<f32<6, 9>>("text/input0.npy"), as<int>));  // MXNet has the words as floats
}

namespace {
struct removed {
  std::string const path = "models_saved.params";
  ~removed() { std::remove(path.c_str()); }
};
struct scaled : nn::hybrid_block<scaled> {
  BOOST_HANA_DEFINE_STRUCT(scaled, (nn::basic_parameter<float, shape<3>>, gamma));
  constexpr auto hybrid_forward(auto F, auto x) const { return F.multiply(x, F.get(gamma, shape<3>{})); }
};
}  // namespace

TEST_CASE("a parameter whose shape is declared is saved before the first call") {
  removed const file;
  scaled net;
  CHECK_THROWS_WITH(nn::save_parameters(net, file.path), Catch::Contains("sinter: parameter `gamma` has no values to save"));
  net.initialize();  // what is named gamma begins with ones
  nn::save_parameters(net, file.path);
  CHECK(io::read_params(file.path)[0].shape == std::vector<sinter::extent>{3});
  f32<3> const x{1, 2, 3};
  CHECK(net(x)[2] == 3);
}
TEST_CASE("a network's parameters are saved and loaded") {
  removed const file;
  text net, other, third;
  CHECK_THROWS_WITH(nn::save_parameters(net, file.path),
                    "sinter: parameter `embed.weight` has no values to save; call initialize(), and the network once if its inputs say the "
                    "shape");
  auto const x = sinter::random::randint(sinter::into<2, 9>, sinter::values<0, 50>);
  net.initialize(sinter::init::normal{0.5}, 1);
  net(x);
  nn::save_parameters(net, file.path);
  CHECK(io::read_params(file.path)[1].name == "head.weight");
  nn::load_parameters(other, file.path);
  CHECK(other(x).to_vector() == net(x).to_vector());
  auto const fast = third.hybridize();
  nn::load_parameters(third, file.path);
  CHECK(fast(x).to_vector() == net.hybridize()(x).to_vector());
  CHECK_THROWS_AS(nn::save_parameters(net, "no_such_folder/x.params"), sinter::file_error);
}
