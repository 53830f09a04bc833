// SPDX-License-Identifier: Apache-2.0
// Products that additions follow, in every kind of kernel, as the bits of all results: what a compiler would contract if it might. Compiled
// twice into one program, with flags that allow it and, by flags_plain.cpp, under another name for the namespace with flags that do not.
#include <sinter/compile/hybridized.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace sinter::flags_test {

struct result {
  std::string name;
  std::vector<std::uint64_t> bits;
};

template <class T> std::vector<std::uint64_t> bits_of_all(T const& t) {
  std::vector<std::uint64_t> r;
  for (extent i = 0; i < t.size(); ++i) {
    if constexpr (sizeof(typename T::value_type) == 4) r.push_back(std::bit_cast<std::uint32_t>(t.data()[i]));
    else r.push_back(std::bit_cast<std::uint64_t>(t.data()[i]));
  }
  return r;
}
// Numbers between -2 and 2 whose products are never exact.
template <class T, auto... D> nd::tensor<T, shape<D...>> uneven(int seed) {
  nd::tensor<T, shape<D...>> t;
  std::uint64_t state = 88172645463325252u + static_cast<std::uint64_t>(seed) * 1234567;
  for (extent i = 0; i < t.size(); ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    t.data()[i] = static_cast<T>(static_cast<double>(state >> 11) * 0x1p-51 - 2);
  }
  return t;
}

struct chain {
  constexpr auto operator()(auto F, auto x, auto y, auto z) const {
    auto const a = F.multiply(x, y) + z, b = F.multiply(a, x) - F.multiply(y, z), c = z - F.multiply(a, b);
    return F.where(c > 0, F.square(b) + c, F.multiply(-b, c) - F.abs(F.multiply(a, z)));
  }
};
struct functions {
  constexpr auto operator()(auto F, auto x, auto y, auto z) const {
    auto const p = F.abs(x) + 0.5;
    auto s = F.multiply(F.exp(x), y) + z;
    s = F.multiply(F.log(p), y) + s, s = F.multiply(F.log1p(p), y) + s, s = F.multiply(F.tanh(x), y) + s;
    return std::tuple{s,         F.exp(x),       F.log(p),      F.log1p(p), F.tanh(x), F.erf(x), F.sigmoid(x), F.softrelu(x),
                      F.gelu(x), F.gelu_tanh(x), F.power(p, y), F.rsqrt(p)};
  }
};
struct rows {
  constexpr auto operator()(auto F, auto x, auto y, auto z) const {
    auto const m = F.mean(F.multiply(x, y) + z, axis<1>, keepdims);
    return std::tuple{F.softmax(F.multiply(x, y) - z), F.log_softmax(F.multiply(x, y)), F.square(x - m) + F.multiply(y, m),
                      F.sum(F.multiply(x, y) + z, axis<0>)};
  }
};
struct product {
  constexpr auto operator()(auto F, auto x, auto w, auto b, auto g) const {
    auto const in = F.multiply(x, 1.3) + 0.7;
    return std::tuple{F.gelu(F.multiply(F.matmul(in, w), g) + b), F.multiply(F.matmul(F.slice(x, begin<0, 0>, end<1, 53>), w), g) - b};
  }
};

// Arithmetic and functions on plain numbers: constant expressions, the reference kernels and devices have no others.
template <class T> std::vector<std::uint64_t> numbers() {
  std::vector<std::uint64_t> r;
  auto const x = uneven<T, 97>(5);
  T sum = 0;
  for (extent i = 1; i < x.size(); ++i) {
    T const a = x.data()[i], b = x.data()[i - 1], p = math::abs(a) + T(0.25);
    sum = element::add(sum, element::multiply(a, b));
    for (T const v : {sum, element::subtract(b, element::multiply(a, a)), math::exp(a), math::log(p), math::log1p(p), math::expm1(a),
                      math::tanh(a), math::erf(a), math::sigmoid(a), math::softrelu(a), math::gelu(a), math::gelu_tanh(a), math::pow(p, b),
                      math::sin(a * 50), math::cos(a), math::rsqrt(p), math::sqrt(p)}) {
      if constexpr (sizeof(T) == 4) r.push_back(std::bit_cast<std::uint32_t>(v));
      else r.push_back(std::bit_cast<std::uint64_t>(v));
    }
  }
  return r;
}

inline std::vector<result> results() {
  std::vector<result> r;
  auto const put = [&](std::string const& name, auto const& all) {
    int n = 0;
    std::apply([&](auto const&... t) { (r.push_back({name + ' ' + std::to_string(n++), bits_of_all(t)}), ...); }, all);
  };
  auto const elementwise = [&]<class T>(T) {
    auto const x = uneven<T, 9, 67>(1), y = uneven<T, 9, 67>(2), z = uneven<T, 9, 67>(3);
    std::string const type(name_of(dtype_of<T>));
    put("chain of " + type, std::tuple{hybridize(chain{})(x, y, z)});
    put("functions of " + type, hybridize(functions{})(x, y, z));
    put("rows of " + type, hybridize(rows{})(x, y, z));
    put("product of " + type, hybridize(product{})(uneven<T, 9, 53>(1), uneven<T, 53, 41>(2), uneven<T, 41>(3), uneven<T, 41>(4)));
    r.push_back({"numbers of " + type, numbers<T>()});
  };
  elementwise(1.0f);
  elementwise(1.0);
  return r;
}

}  // namespace sinter::flags_test
