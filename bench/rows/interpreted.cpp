// SPDX-License-Identifier: Apache-2.0
// Plans that are interpreted beside the same plans compiled, which give the same bits.
#include "rows.hpp"

#include <sinter/interpreter.hpp>

#include <cstring>
#include <optional>

namespace bench {

// The plan of a network for one type of input, interpreted.
template <class Net, class X> class interpreted {
 public:
  interpreted(Net const& net, X const& x) : program_(compiled::source::make()), at_(program_, sinter::binding{}) {
    std::vector<std::byte*> all;
    nn::visit_parameters(net, [&](auto const& p, std::string_view) { all.push_back(reinterpret_cast<std::byte*>(p.storage().data())); });
    for (int i : program_.plan.parameter_at) parameters_.push_back(all[static_cast<std::size_t>(i)]);
    parameters_.push_back(nullptr);
    made_.emplace(at_, parameters_.data());
    input_ = reinterpret_cast<std::byte*>(x.data());
    arena_ = sinter::buffer<std::byte>(static_cast<std::size_t>(at_.arena_bytes()) + 1, false);
  }
  template <class Y> void operator()(Y const& y) const {
    std::byte* const to = reinterpret_cast<std::byte*>(y.data());
    at_.run({&input_, &to, nullptr, parameters_.data(), made_->made(), arena_.data()});
  }

 private:
  using compiled = sinter::compiled_t<Net, X>;
  sinter::interpreter::program program_;
  sinter::interpreter::instance at_;
  std::optional<sinter::interpreter::prepared> made_;
  std::vector<std::byte*> parameters_;
  std::byte* input_ = nullptr;
  sinter::buffer<std::byte> arena_;
};

template <class X, class Y> static void beside(std::string const& what, auto const& net, X const& x, Y& y) {
  auto const fast = net.hybridize();
  Y z;
  fast(x, y);
  interpreted<std::remove_cvref_t<decltype(net)>, X> const slow(net, x);
  slow(z);
  if (std::memcmp(y.data(), z.data(), static_cast<std::size_t>(y.size()) * sizeof(*y.data())) != 0) {
    std::fprintf(stderr, "%s: interpreted, it gives other bits\n", what.c_str());
    std::exit(1);
  }
  row("C17", what, [&] { slow(z); }, {{[&] { fast(x, y); }}});
}
template <class Shape, class F> static void function(std::string const& what, F f) {
  if (!wanted("C17", what)) return;
  nd::tensor<float, Shape> x, y;
  fill(x);
  beside(what, nn::hybrid_lambda{f}, x, y);
}
template <class Net, int Rows, int In, int Out> static void dense(std::string const& what) {
  if (!wanted("C17", what)) return;
  Net net;
  net.initialize(sinter::init::xavier{}, 1);
  nd::tensor<float, shape<Rows, In>> x;
  nd::tensor<float, shape<Rows, Out>> y;
  fill(x);
  net(x);
  set_parameters(net);
  beside(what, net, x, y);
}

struct eight_cheap {
  constexpr auto operator()(auto F, auto x) const {
    auto const a = F.relu(F.add(F.multiply(x, 1.5f), 0.25f));
    return F.multiply(F.relu(F.add(F.subtract(F.multiply(a, 0.75f), 1.0f), 0.125f)), 3.0f);
  }
};
struct eight_dear {
  constexpr auto operator()(auto F, auto x) const {
    auto const a = F.sigmoid(F.add(F.multiply(x, 1.5f), 0.25f));
    return F.multiply(F.add(F.tanh(F.subtract(F.multiply(a, 0.75f), 1.0f)), 0.125f), 3.0f);
  }
};

void interpreted_plans() {
  using seed = nn::hybrid_sequential<nn::dense<256, nn::relu>, nn::dense<128, nn::relu>, nn::dense<2>>;
  function<shape<4 << 10>>("8 cheap operations, 4 Ki elements, interpreted", eight_cheap{});
  function<shape<1 << 20>>("8 cheap operations, 1024 Ki elements, interpreted", eight_cheap{});
  function<shape<1 << 20>>("8 with sigmoid and tanh, 1024 Ki elements, interpreted", eight_dear{});
  function<shape<768, 64>>("softmax, 768 x 64, interpreted", [](auto F, auto x) { return F.softmax(x); });
  function<shape<48, 1024>>("softmax, 48 x 1024, interpreted", [](auto F, auto x) { return F.softmax(x); });
  dense<seed, 1, 512, 2>("seed MLP, 1 row, interpreted");
  dense<seed, 8, 512, 2>("seed MLP, 8 rows, interpreted");
  dense<seed, 64, 512, 2>("seed MLP, 64 rows, interpreted");
}

}  // namespace bench
