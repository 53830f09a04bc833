// SPDX-License-Identifier: Apache-2.0
// The expected values of one family of operations, which test/data/ops/make.py computed with NumPy.
#pragma once
#include <sinter/io/npy.hpp>
#include <sinter/nd/tensor.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace test {

using sinter::dim;
using sinter::dims;
using sinter::dtype;
using sinter::extent;
using sinter::shape;
namespace nd = sinter::nd;
namespace ops = sinter::ops;

// What a result of dtype T is compared with: floats with numbers in double, everything else with itself.
template <class T> using wanted = std::conditional_t<std::is_floating_point_v<T>, double, T>;

// An array without its shape type: what is compared is compiled once for each dtype. Shares the elements, or owns a row-major copy.
template <class T> struct any_array {
  sinter::buffer<T> owner;
  T const* data;
  dims shape;
  std::int64_t strides[sinter::max_rank]{};

  template <class S> explicit any_array(nd::tensor<T, S> const& t) : owner(t.owner()), data(t.data()), shape(t.shape()) {
    std::copy_n(t.strides(), S::rank, strides);
  }
  explicit any_array(dims const& extents) : owner(static_cast<std::size_t>(extents.size())), data(owner.data()), shape(extents) {
    std::int64_t step = 1;
    for (int i = shape.rank; i-- > 0; step *= shape.d[i]) strides[i] = step;
  }
  T operator[](extent i) const {
    std::int64_t place = 0;
    for (int k = shape.rank - 1; k >= 0; --k) {
      place += i % shape.d[k] * strides[k];
      i /= shape.d[k];
    }
    return data[place];
  }
};

// A family has two files of numbers, `name.npy` of doubles and `name.int.npy` of int32. Each holds records, one behind the other: the FNV-1a
// hash of the record's name, its rank, its extents, for integers whether an element is one number or two (the lower half first), and the
// elements. Names end with the dtype that the test is about: "add.x/float32".
class records {
 public:
  records(std::string_view family, dtype about) : files_(load(std::string(family))), suffix_("/" + std::string(sinter::name_of(about))) {}

  template <class E> bool has(std::string const& name) const { return file_of<E>().at.contains(hash(name + suffix_)); }
  template <class E> any_array<E> find(std::string const& name) const {
    auto const found = file_of<E>().at.find(hash(name + suffix_));
    if (found == file_of<E>().at.end()) throw std::runtime_error("test/data/ops has no record " + name + suffix_ + "; see make.py there");
    any_array<E> a(found->second.shape);
    for (extent i = 0, n = a.shape.size(); i < n; ++i)
      a.owner.data()[i] = static_cast<E>(element(file_of<E>(), found->second, static_cast<std::size_t>(i)));
    return a;
  }
  // The record as a tensor of elements E; throws where its extents are not those of S.
  template <class E, class S> nd::tensor<E, S> get(std::string const& name) const {
    any_array<E> const a = find<E>(name);
    nd::tensor<E, S> t(a.shape, false);
    std::copy_n(a.data, a.shape.size(), t.data());
    return t;
  }

 private:
  struct record {
    dims shape;
    std::size_t first, words;
  };
  template <class N> struct file {
    std::vector<N> numbers;
    std::map<std::uint32_t, record> at;
  };
  struct both {
    file<double> floats;
    file<std::int32_t> integers;
  };
  both const& files_;
  std::string suffix_;

  static std::uint32_t hash(std::string_view s) {
    std::uint32_t h = 2166136261u;
    for (char const c : s) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
    return h;
  }
  template <class E> auto const& file_of() const {
    if constexpr (std::is_floating_point_v<E>) return files_.floats;
    else return files_.integers;
  }
  static double element(file<double> const& f, record const& r, std::size_t i) { return f.numbers[r.first + i]; }
  static std::int64_t element(file<std::int32_t> const& f, record const& r, std::size_t i) {
    std::int32_t const* at = &f.numbers[r.first + i * r.words];
    return r.words == 1 ? *at : std::int64_t{at[1]} << 32 | static_cast<std::uint32_t>(*at);
  }

  template <class N> static file<N> read(std::string const& path) {
    sinter::io::array const a = sinter::io::read_npy(path);
    if (a.type != sinter::dtype_of<N>) throw std::runtime_error(path + " holds numbers of another type");
    file<N> f;
    f.numbers.resize(a.data.size() / sizeof(N));
    if (!a.data.empty()) std::memcpy(f.numbers.data(), a.data.data(), a.data.size());
    for (std::size_t i = 0; i < f.numbers.size();) {
      auto const next = [&] { return static_cast<std::int64_t>(f.numbers.at(i++)); };
      auto const name = static_cast<std::uint32_t>(next());
      record r{{}, 0, 1};
      r.shape.rank = static_cast<int>(next());
      for (int k = 0; k < r.shape.rank; ++k) r.shape.d[k] = next();
      if (std::is_integral_v<N>) r.words = static_cast<std::size_t>(next());
      r.first = i;
      i += static_cast<std::size_t>(r.shape.size()) * r.words;
      if (i > f.numbers.size()) throw std::runtime_error(path + " is cut in the middle of a record");
      if (!f.at.emplace(name, r).second) throw std::runtime_error(path + " holds a record twice, or two names have one hash");
    }
    return f;
  }
  static both const& load(std::string const& family) {
    static std::map<std::string, both> loaded;
    auto const found = loaded.find(family);
    if (found != loaded.end()) return found->second;
    std::string const path = SINTER_SOURCE_DIR "/test/data/ops/" + family;
    return loaded.emplace(family, both{read<double>(path + ".npy"), read<std::int32_t>(path + ".int.npy")}).first->second;
  }
};

}  // namespace test
