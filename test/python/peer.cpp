// SPDX-License-Identifier: Apache-2.0
// What check.py calls: tensors handed over by DLPack both ways, and files for NumPy to read.
#include <sinter/nd/dlpack.hpp>
#include <sinter/nd/files.hpp>
#if defined(SINTER_TEST_NPZ)
#include <sinter/io/npz.hpp>
#endif

using namespace sinter;
template <class T> using matrix = nd::tensor<T, shape<dynamic, dynamic>>;

namespace {
int given_back = 0;

// 0 to 5 as (2, 3), on memory that counts when it is given back. `how`: as it is, turned, backwards, repeated, read-only, empty.
template <class T> matrix<T> counting(int how) {
  auto* const values = new T[6];
  for (int i = 0; i < 6; ++i) values[i] = static_cast<T>(i);
  auto const x = matrix<T>::borrow(values, dims{2, 3}, values, [](void* p) {
    delete[] static_cast<T*>(p);
    ++given_back;
  });
  std::int64_t const turned[]{1, 3}, backwards[]{-3, -1}, repeated[]{0, 1};
  if (how == 1) return matrix<T>::view(x, dims{3, 2}, 0, turned);
  if (how == 2) return matrix<T>::view(x, dims{2, 3}, 5, backwards);
  if (how == 3) return matrix<T>::view(x, dims{2, 3}, 0, repeated);
  if (how == 4) return matrix<T>::share(x.owner(), dims{2, 3}, true);
  if (how == 5) return matrix<T>::view(x, dims{0, 3}, 0, x.strides());
  return x;
}
template <class F> auto with_type(int type, F const& f) {
  switch (static_cast<dtype>(type)) {
    case dtype::float32: return f.template operator()<float>();
    case dtype::float64: return f.template operator()<double>();
    case dtype::float16: return f.template operator()<float16>();
    case dtype::bfloat16: return f.template operator()<bfloat16>();
    case dtype::uint8: return f.template operator()<std::uint8_t>();
    case dtype::int8: return f.template operator()<std::int8_t>();
    case dtype::int16: return f.template operator()<std::int16_t>();
    case dtype::int32: return f.template operator()<std::int32_t>();
    case dtype::int64: return f.template operator()<std::int64_t>();
    default: return f.template operator()<bool>();
  }
}
}  // namespace

extern "C" {
int peer_given_back() { return given_back; }
void* peer_give(int type, int how, int versioned) {
  return with_type(type, [&]<class T>() -> void* {
    if (versioned) return nd::to_dlpack(counting<T>(how)).release();
    return nd::to_dlpack_unversioned(counting<T>(how)).release();
  });
}
// The elements of a matrix of somebody else, in rows; gives it back. What it says of it: rows, columns, read-only. `add` is added in place
// first. 0, or 1 with the reason in `error`.
int peer_take(void* given, int type, int versioned, double add, double* elements, std::int64_t* said, char* error) {
  try {
    with_type(type, [&]<class T>() {
      auto const x = versioned ? nd::from_dlpack<matrix<T>>(static_cast<nd::dlpack::managed_versioned*>(given))
                               : nd::from_dlpack<matrix<T>>(static_cast<nd::dlpack::managed*>(given));
      said[0] = x.shape().d[0];
      said[1] = x.shape().d[1];
      said[2] = x.is_read_only();
      for (extent i = 0; i < said[0]; ++i)
        for (extent j = 0; j < said[1]; ++j) {
          T& element = x.data()[i * x.strides()[0] + j * x.strides()[1]];
          if (add != 0) element = static_cast<T>(static_cast<double>(element) + add);
          *elements++ = static_cast<double>(element);
        }
    });
    return 0;
  } catch (sinter::error const& e) {
    std::snprintf(error, 400, "%s", e.what());
    return 1;
  }
}
void peer_save(char const* path) {
  nd::save(path, {{"float", counting<float>(0)},
                  {"turned", counting<double>(1)},
                  {"long", counting<std::int64_t>(0)},
                  {"half", counting<float16>(0)},
                  {"empty", counting<std::uint8_t>(5)},
                  {"bool", counting<bool>(0)}});
}
}
