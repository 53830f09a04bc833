// SPDX-License-Identifier: Apache-2.0
// The structs of DLPack (https://dmlc.github.io/dlpack, version 1.1), with the layout of those in its own header: pointers can be cast to and
// from them. Of their own, because one that defines names for everybody may be another version of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "../core/config.hpp"

namespace sinter::nd::dlpack {

struct device {
  std::int32_t type, id;
};
struct data_type {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct view {
  void* data;
  dlpack::device device;
  std::int32_t ndim;
  data_type dtype;
  std::int64_t *shape, *strides;  // in elements
  std::uint64_t byte_offset;
};
// Before version 1, which NumPy takes before 2.1: it cannot say that nobody may write.
struct managed {
  view tensor;
  void* context;
  void (*deleter)(managed*);
};
struct version {
  std::uint32_t major, minor;
};
struct managed_versioned {
  dlpack::version version;
  void* context;
  void (*deleter)(managed_versioned*);
  std::uint64_t flags;
  view tensor;
};
static_assert(sizeof(device) == 8 && sizeof(data_type) == 4 && sizeof(view) == 48 && sizeof(managed) == 64 &&
              sizeof(managed_versioned) == 80);
static_assert(offsetof(view, device) == 8 && offsetof(view, ndim) == 16 && offsetof(view, dtype) == 20 && offsetof(view, shape) == 24 &&
              offsetof(view, strides) == 32 && offsetof(view, byte_offset) == 40);
static_assert(offsetof(managed, context) == 48 && offsetof(managed, deleter) == 56 && offsetof(managed_versioned, context) == 8 &&
              offsetof(managed_versioned, deleter) == 16 && offsetof(managed_versioned, flags) == 24 &&
              offsetof(managed_versioned, tensor) == 32);

inline constexpr std::uint64_t read_only = 1, is_copied = 2;

// Gives it back to who made it, unless somebody else has taken it with release().
struct give_back {
  template <class Managed> SINTER_OWN void operator()(Managed* m) const {
    if (m->deleter) m->deleter(m);
  }
};
template <class Managed> using handle = std::unique_ptr<Managed, give_back>;

}  // namespace sinter::nd::dlpack
