// SPDX-License-Identifier: Apache-2.0
// F.print shows values in eager mode, each time, and once the symbol when a network is compiled.
#include <sinter/compile/hybridized.hpp>
#include <sstream>

#include "../catch.hpp"

namespace nn = sinter::nn;
using sinter::dim;
using sinter::shape;
template <auto... D> using f32 = sinter::nd::tensor<float, shape<D...>>;

namespace {

class captured {
 public:
  captured() : before_(std::cout.rdbuf(text_.rdbuf())) {}
  ~captured() { std::cout.rdbuf(before_); }
  captured(captured const&) = delete;
  captured& operator=(captured const&) = delete;
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};
int count(std::string const& text, std::string const& words) {
  int n = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++n;
  return n;
}

struct loud : nn::hybrid_block<loud> {
  BOOST_HANA_DEFINE_STRUCT(loud, (nn::dense<2>, hidden));
  constexpr auto hybrid_forward(auto F, auto x) const {
    auto h = hidden(x);
    F.print("hidden", h);
    return F.relu(h);
  }
};

}  // namespace

TEST_CASE("eager prints values each time") {
  loud net;
  net.initialize(sinter::init::constant{1});
  captured const out;
  net(f32<1, 3>{1, 2, 3});
  net(f32<1, 3>{1, 2, 4});
  CHECK(out.text() == "hidden float32 (1, 2)\n[[6, 6]]\nhidden float32 (1, 2)\n[[7, 7]]\n");
}

TEST_CASE("compiled prints the symbol once") {
  loud net;
  net.initialize(sinter::init::constant{1});
  auto const fast = net.hybridize();
  auto const copy = fast;
  captured const out;
  for (int i = 0; i < 3; (void)++i) (void)fast(f32<1, 3>{1, 2, 3});
  (void)copy(f32<1, 3>{1, 2, 3});
  net.hidden.bias.set(f32<2>{1, 2});
  CHECK(fast(f32<1, 3>{1, 2, 3})(0, 0) == 7);
  std::string const text = out.text();
  CHECK(text.find("hidden <symbol ") == 0);
  CHECK(text.find(" float32 (1, 2)>\n") != std::string::npos);
  CHECK(count(text, "\n") == 1);
}

TEST_CASE("a dynamic batch is printed by its name") {
  loud net;
  net.initialize();
  auto const fast = net.hybridize();
  captured const out;
  (void)fast(f32<dim<"batch">, 3>({4, 3}));
  (void)fast(f32<dim<"batch">, 3>({5, 3}));
  CHECK(out.text().find("(batch, 2)>\n") != std::string::npos);
  CHECK(count(out.text(), "symbol") == 1);
}

TEST_CASE("a dimension that is computed is printed as what it is computed from") {
  auto const fast = sinter::hybridize([](auto F, auto x) {
    auto const flat = F.reshape(x, sinter::into<-1>);
    F.print("flat", flat);
    return flat + 1;
  });
  captured const out;
  (void)fast(f32<dim<"batch">, 3>::of(2, 3));
  CHECK(out.text().find(" float32 (batch*3,)>\n") != std::string::npos);
}

TEST_CASE("a print keeps nothing from fusing") {
  static_assert(sinter::compiled_t<loud, shape<1, 3>>::kernels == 1);
  auto const fast = sinter::hybridize([](auto F, auto x) {
    F.print("x", x);
    return F.square(x);
  });
  captured const out;
  CHECK(fast(f32<2>{1, 2})(1) == 4);
  CHECK(fast(f32<2>{1, 3})(1) == 9);
  CHECK(count(out.text(), "x <symbol") == 1);
}

namespace {
template <int N> struct inner : nn::hybrid_block<inner<N>> {
  using table = nn::basic_parameter<std::int64_t, shape<3>>;
  BOOST_HANA_DEFINE_STRUCT(inner, (nn::parameter, weight), (nn::identity, pass), (table, places));
  constexpr auto hybrid_forward(auto, auto x) const { return x; }
};
struct printed : nn::hybrid_block<printed> {
  using body_type = nn::hybrid_sequential<nn::dense<4, nn::relu>, nn::activation<nn::tanh>, inner<3>>;
  BOOST_HANA_DEFINE_STRUCT(printed, (body_type, body), (nn::layer_norm<>, norm));
  constexpr auto hybrid_forward(auto, auto x) const { return norm(body(x)); }
};
struct named : nn::hybrid_sequential<nn::identity> {};
template <class X> std::string said(X const& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}
}  // namespace

TEST_CASE("networks print their blocks and the shapes of their parameters") {
  printed net;
  net.initialize(sinter::init::constant{1});
  CHECK(said(net) == R"(printed(
  (body): hybrid_sequential(
    (0): dense(weight (4, ?), bias (4,))
    (1): activation()
    (2): inner(weight (unknown), places int64 (3,)
      (pass): identity()
    )
  )
  (norm): layer_norm(gamma (?,), beta (?,))
))");
  auto const fast = net.hybridize();
  (void)fast(f32<1, 3>{1, 2, 3});
  CHECK(said(fast) == R"(hybridized printed(
  (body): hybrid_sequential(
    (0): dense(weight (4, 3), bias (4,))
    (1): activation()
    (2): inner(weight (unknown), places int64 (3,)
      (pass): identity()
    )
  )
  (norm): layer_norm(gamma (4,), beta (4,))
))");
  CHECK(said(net.norm.gamma) == "parameter float32 (4,)");
  CHECK(said(nn::dense<2, nn::relu, double, false>{}) == "dense(weight float64 (2, ?))");
  CHECK(said(nn::hybrid_sequential<>{}) == "hybrid_sequential()");
  CHECK(said(named{}) == "hybrid_sequential(\n  (0): identity()\n)");
  struct local : nn::hybrid_block<local> {
    constexpr int hybrid_forward(int) const { return 0; }
  };
  CHECK(said(local{}) == "local()");
  CHECK(said(sinter::hybridize([](auto F, auto x) { return F.exp(x); })) == "hybridized hybrid_lambda()");
}
