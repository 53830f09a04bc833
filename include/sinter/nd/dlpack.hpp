// SPDX-License-Identifier: Apache-2.0
// DLPack: the elements of a tensor of another library as a tensor, and the other way round, without a copy.
#pragma once
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "dlpack_structs.hpp"
#include "tensor.hpp"

namespace sinter::nd::dlpack {
namespace detail::inline SINTER_ISA {
inline constexpr std::int32_t cpu = 1, cuda_host = 3, rocm_host = 11;

template <class T> constexpr data_type type_of() {
  constexpr auto code = std::is_same_v<T, bool>           ? 6
                        : std::is_same_v<T, bfloat16>     ? 4
                        : is_floating(dtype_of<T>)        ? 2
                        : std::is_same_v<T, std::uint8_t> ? 1
                                                          : 0;
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * sizeof(T)), 1};
}

// What is handed over, with the tensor that owns the elements.
template <class Managed, class T, class S> struct handed_over {
  Managed m{};
  std::int64_t shape[max_rank]{}, strides[max_rank]{};
  tensor<T, S> owner;

  explicit handed_over(tensor<T, S> t) : owner(std::move(t)) {
    for (int i = 0; i < S::rank; ++i) {
      shape[i] = owner.shape().d[i];
      strides[i] = owner.strides()[i];
    }
    m.context = this;
    m.deleter = [](Managed* given) { delete static_cast<handed_over*>(given->context); };
    m.tensor = {owner.data(), {cpu, 0}, S::rank, type_of<T>(), shape, strides, 0};
  }
};

// Several of its elements are one in memory.
template <class T, class S> bool repeats(tensor<T, S> const& t) {
  for (int i = 0; i < S::rank; ++i)
    if (t.shape().d[i] > 1 && t.strides()[i] == 0) return true;
  return false;
}
template <class T, class S> bool goes_back(tensor<T, S> const& t) {
  for (int i = 0; i < S::rank; ++i)
    if (t.shape().d[i] > 1 && t.strides()[i] < 0) return true;
  return false;
}
}  // namespace detail::inline SINTER_ISA
}  // namespace sinter::nd::dlpack

namespace sinter::nd::inline SINTER_ISA {

// A tensor for another library, which shares its elements and gives them back by the deleter, from any thread. It is read-only where the
// tensor is, and where one element of memory stands for several. Elements in backward order are copied, because PyTorch cannot have them.
//   void* const given = nd::to_dlpack(x).release();   // a DLManagedTensorVersioned*, in a capsule "dltensor_versioned"
template <class T, class S> dlpack::handle<dlpack::managed_versioned> to_dlpack(tensor<T, S> const& x) {
  x.check_owned();
  bool const copied = dlpack::detail::goes_back(x);
  auto* const h = new dlpack::detail::handed_over<dlpack::managed_versioned, T, S>(copied ? x.copy() : x);
  h->m.version = {1, 0};
  h->m.flags = copied ? dlpack::is_copied : x.is_read_only() || dlpack::detail::repeats(x) ? dlpack::read_only : 0;
  return dlpack::handle<dlpack::managed_versioned>(&h->m);
}
// The same for libraries of before version 1. What nobody may write is copied, because it could not say so.
//   void* const given = nd::to_dlpack_unversioned(x).release();   // a DLManagedTensor*, in a capsule "dltensor"
template <class T, class S> dlpack::handle<dlpack::managed> to_dlpack_unversioned(tensor<T, S> const& x) {
  x.check_owned();
  bool const copied = dlpack::detail::goes_back(x) || x.is_read_only() || dlpack::detail::repeats(x);
  return dlpack::handle<dlpack::managed>(&(new dlpack::detail::handed_over<dlpack::managed, T, S>(copied ? x.copy() : x))->m);
}

}  // namespace sinter::nd::inline SINTER_ISA

namespace sinter::nd::detail::inline SINTER_ISA {

// The checked tensor of another library; throws where this one cannot have it.
template <class T> struct foreign_tensor {
  using element = typename T::value_type;
  using S = typename T::shape_type;
  dims extents{};
  std::int64_t strides[max_rank]{};
  element* data = nullptr;
  bool aligned = true, repeats = false;

  explicit foreign_tensor(dlpack::view const& v) {
    check_type(v);
    if (v.ndim < 0 || (v.ndim > 0 && !v.shape)) throw shape_error("sinter: a DLPack tensor has no shape");
    bool fits = v.ndim == S::rank;
    for (int i = 0; fits && i < v.ndim; ++i) extents.push(v.shape[i]);
    if (!fits || !T::fits(extents))
      throw shape_error("sinter: a DLPack tensor has " + shape_of(v) + ", and a tensor of shape " + to_string(S::value) + " was asked for");
    T::checked(extents);
    find_strides(v);
    auto const at = reinterpret_cast<std::uintptr_t>(v.data);
    if (extents.size() > 0 && (!v.data || v.byte_offset > std::numeric_limits<std::uintptr_t>::max() - at))
      throw shape_error("sinter: a DLPack tensor has " + std::to_string(extents.size()) + " elements and no address");
    data = reinterpret_cast<element*>(v.data ? at + v.byte_offset : 0);
    aligned = reinterpret_cast<std::uintptr_t>(data) % alignof(element) == 0;
  }

 private:
  static std::string shape_of(dlpack::view const& v) {
    if (v.ndim > max_rank) return std::to_string(v.ndim) + " dimensions";
    dims d;
    for (int i = 0; i < v.ndim; ++i) d.push(v.shape[i]);
    return "shape " + numbers_of(d);
  }
  static void check_type(dlpack::view const& v) {
    using namespace dlpack::detail;
    if (v.device.type != cpu && v.device.type != cuda_host && v.device.type != rocm_host)
      throw device_error("sinter: a DLPack tensor is on device type " + std::to_string(v.device.type) + " (number " +
                         std::to_string(v.device.id) + "), and not on the host: let its library copy it there");
    constexpr auto want = dlpack::detail::type_of<element>();
    if (v.dtype.code != want.code || v.dtype.bits != want.bits || v.dtype.lanes != 1) {
      static constexpr char const* kinds[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
      std::string const kind = v.dtype.code < std::size(kinds) ? kinds[v.dtype.code] : "type code " + std::to_string(v.dtype.code) + ", ";
      throw dtype_error("sinter: a DLPack tensor has elements of " + kind + std::to_string(v.dtype.bits) +
                        (v.dtype.lanes == 1 ? "" : " in " + std::to_string(v.dtype.lanes) + " lanes") + ", not of " +
                        std::string(name_of(dtype_of<element>)));
    }
  }
  // Row-major where none are given. All offsets must be numbers of bytes that there are.
  void find_strides(dlpack::view const& v) {
    std::int64_t step = 1, room = std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(sizeof(element));
    for (int i = S::rank - 1; i >= 0; --i) {
      std::int64_t const n = extents.d[i];
      strides[i] = v.strides && n != 1 ? v.strides[i] : step;
      step *= n;
      if (n <= 1 || extents.size() == 0) continue;
      std::int64_t const most = room / (n - 1);
      if (strides[i] > most || strides[i] < -most) throw shape_error("sinter: a DLPack tensor has a stride that no memory has room for");
      room -= (strides[i] < 0 ? -strides[i] : strides[i]) * (n - 1);
      repeats = repeats || strides[i] == 0;
    }
  }
};

// A copy of elements that do not lie aligned.
template <class T> T gathered(foreign_tensor<T> const& from) {
  T t(from.extents, false);
  std::int64_t index[max_rank]{};
  auto const* at = reinterpret_cast<std::byte const*>(from.data);
  constexpr auto size = static_cast<std::int64_t>(sizeof(typename T::value_type));
  for (extent k = 0; k < t.size(); ++k) {
    std::memcpy(t.data() + k, at, sizeof(typename T::value_type));
    for (int i = T::rank - 1; i >= 0; --i) {
      at += from.strides[i] * size;
      if (++index[i] < from.extents.d[i]) break;
      at -= index[i] * from.strides[i] * size;
      index[i] = 0;
    }
  }
  return t;
}

template <class T, class Managed> T tensor_of(Managed* m, bool read_only) {
  using element = typename T::value_type;
  dlpack::handle<Managed> owner(m);
  foreign_tensor<T> const from(m->tensor);
  if (!from.aligned) return gathered<T>(from);
  owner.release();
  buffer<element> const shared(from.data, m, [](void* given) { dlpack::give_back()(static_cast<Managed*>(given)); });
  return T::view(T::share(shared, from.extents, read_only || from.repeats), from.extents, 0, from.strides);
}

}  // namespace sinter::nd::detail::inline SINTER_ISA

namespace sinter::nd::inline SINTER_ISA {

// The tensor of another library as one of type T, with its elements and strides; only elements that do not lie aligned are copied. It takes
// over what it is given, and calls the deleter once: when the last tensor on these elements is gone, or before this throws. Another shape is a
// shape_error, another element type a dtype_error, a device that is not the host a device_error. What is read-only there is it here.
//   auto x = nd::from_dlpack<nd::tensor<float, shape<dim<"batch">, 64>>>(managed);
template <class T> T from_dlpack(dlpack::managed_versioned* m) {
  if (!m) throw shape_error("sinter: there is no DLPack tensor");
  if (m->version.major != 1) {
    dlpack::handle<dlpack::managed_versioned> const owner(m);
    throw dtype_error("sinter: a DLPack tensor of version " + std::to_string(m->version.major) + "." + std::to_string(m->version.minor) +
                      " is not one of version 1");
  }
  return detail::tensor_of<T>(m, (m->flags & ~std::uint64_t{dlpack::is_copied}) != 0);  // flags that are not known yet may forbid to write
}
template <class T> T from_dlpack(dlpack::managed* m) {
  if (!m) throw shape_error("sinter: there is no DLPack tensor");
  return detail::tensor_of<T>(m, false);
}

}  // namespace sinter::nd::inline SINTER_ISA
