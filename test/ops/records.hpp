// SPDX-License-Identifier: Apache-2.0
// The expected values of one family of operations, which test/data/ops/make.py computed with NumPy.
#pragma once
#include <sinter/io/npy.hpp>
#include <sinter/nd/tensor.hpp>

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

// A family has two files of numbers, `name.npy` of doubles and `name.int.npy` of int64. Each holds records, one behind the other: the FNV-1a
// hash of the record's name, its rank, its extents, its elements. Names end with the dtype that the test is about: "add.x/float32".
class records {
 public:
  records(std::string_view family, dtype about) : files_(load(std::string(family))), suffix_("/" + std::string(sinter::name_of(about))) {}

  // The record as an array of elements E; its extents must be those of S.
  template <class E, class S> nd::tensor<E, S> get(std::string const& name) const {
    record const& r = find<E>(name);
    nd::tensor<E, S> t(r.shape, false);  // throws where they differ
    for (extent i = 0; i < t.size(); ++i) t.data()[i] = static_cast<E>(value<E>(r, i));
    return t;
  }

 private:
  struct record {
    dims shape;
    std::size_t first;
  };
  template <class N> struct file {
    std::vector<N> numbers;
    std::map<std::uint32_t, record> at;
  };
  struct both {
    file<double> floats;
    file<std::int64_t> integers;
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
  template <class E> record const& find(std::string const& name) const {
    auto const found = file_of<E>().at.find(hash(name + suffix_));
    if (found == file_of<E>().at.end()) throw std::runtime_error("test/data/ops has no record " + name + suffix_ + "; see make.py there");
    return found->second;
  }
  template <class E> auto value(record const& r, extent i) const { return file_of<E>().numbers[r.first + static_cast<std::size_t>(i)]; }

  template <class N> static file<N> read(std::string const& path) {
    sinter::io::array const a = sinter::io::read_npy(path);
    if (a.type != sinter::dtype_of<N>) throw std::runtime_error(path + " holds numbers of another type");
    file<N> f;
    f.numbers.resize(a.data.size() / sizeof(N));
    if (!a.data.empty()) std::memcpy(f.numbers.data(), a.data.data(), a.data.size());
    for (std::size_t i = 0; i < f.numbers.size();) {
      auto const name = static_cast<std::uint32_t>(f.numbers[i]);
      record r{{static_cast<int>(f.numbers[i + 1]), {}}, i + 2 + static_cast<std::size_t>(f.numbers[i + 1])};
      for (int k = 0; k < r.shape.rank; ++k) r.shape.d[k] = static_cast<extent>(f.numbers[i + 2 + static_cast<std::size_t>(k)]);
      i = r.first + static_cast<std::size_t>(r.shape.size());
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
    return loaded.emplace(family, both{read<double>(path + ".npy"), read<std::int64_t>(path + ".int.npy")}).first->second;
  }
};

}  // namespace test
