// SPDX-License-Identifier: Apache-2.0
// The eager tensor: a typed shape over shared storage.
#pragma once
#include <initializer_list>
#include <iterator>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "../core/buffer.hpp"
#include "../core/config.hpp"
#include "../core/device.hpp"
#include "../core/error.hpp"
#include "../graph/layout.hpp"
#include "access.hpp"
#include "braces.hpp"
#include "no_members.hpp"
#include "print.hpp"

namespace sinter::nd {

// The type of a range's elements; what a std::vector<bool> gives out is none.
template <class Range> struct elements_of {
  using type = std::remove_cvref_t<decltype(*std::begin(std::declval<Range const&>()))>;
};
template <class Range>
  requires requires { typename Range::value_type; }
struct elements_of<Range> {
  using type = typename Range::value_type;
};
template <class Range> using element_of = typename elements_of<Range>::type;

// Elements of type T in the shape S. A tensor is a handle: copies share the elements (use `copy()` for others), views do so with strides of
// their own, and `const` keeps a handle at its elements, not the elements as they are.
//   tensor<float, shape<2, 3>> x{{1, 2, 3}, {4, 5, 6}};   x(1, 2) = 7;   x.row(0) += 1;
//   tensor<float, shape<dim<"batch">, 64>> b({32, 64});
// They lie on the host or, with the third argument, on another device; `to(device::cpu)` brings them back.
template <class T, class S, class Device = device::cpu_t> class tensor : public element_access<T, S, Device>,
                                                                         public operations_are_functions {
  static_assert(dtype_of<std::remove_const_t<T>> != dtype::none,
                "sinter: the elements of a tensor are float, double, float16, bfloat16, bool, std::int8_t to std::int64_t or std::uint8_t");

 public:
  using value_type = T;
  using shape_type = S;
  using device_type = Device;
  static constexpr int rank = S::rank;
  // Whether a tensor of shape U can have extents that fit this shape.
  template <class U>
  static constexpr bool may_be = may_equal(S::value, U::value);

  static_assert(!S::fixed || is_countable(S::value), "sinter: a tensor of this shape has more elements than memory can have");

  // Zeros; a shape with dynamic dimensions begins without elements.
  SINTER_OWN constexpr tensor() : tensor(no_elements()) {}
  // The elements in row-major order.
  SINTER_OWN constexpr tensor(std::initializer_list<T> v)
    requires(S::fixed && S::rank > 0 && Device::is_host)
      : tensor(S::value, false) {
    if (static_cast<extent>(v.size()) != size_.size())
      throw shape_error("sinter: a tensor of shape " + to_string(S::value) + " is given " + std::to_string(v.size()) + " elements");
    T* to = data_;
    for (T const& e : v) *to++ = e;
  }
  // The same with a pair of braces for each dimension, which say how large the dynamic ones are.
  SINTER_OWN constexpr tensor(std::initializer_list<nested<T, (S::rank > 1 ? S::rank - 1 : 1)>> v)
    requires(S::rank > 1 && Device::is_host)
      : tensor(extents_in_braces(S::value, v), false) {
    if (static_cast<extent>(v.size()) != size_.d[0]) refuse_elements(size_, 0, v.size());
    T* to = data_;
    for (auto const& e : v) unfold(e, size_, 1, to);
  }
  SINTER_OWN constexpr tensor(T v)
    requires(S::rank == 0 && Device::is_host)
      : tensor(S::value, false) {
    *data_ = v;
  }
  // The extents of the dynamic dimensions; those of the others are checked.
  SINTER_OWN constexpr explicit tensor(dims const& extents, bool clear = true)
      : size_(checked(extents)),
        owner_(Device::template allocate<T>(static_cast<std::size_t>(count_elements(size_, rank)), clear)),
        data_(owner_.data()) {
    write_row_major(stride_, size_, rank);
  }
  // Not where all are integers: the extents in b({3, 2}) could then become a tensor as well as dims.
  template <class... N>
    requires(S::rank > 0 && !S::fixed && (std::is_arithmetic_v<N> && ...) && !(std::is_integral_v<N> && ...))
  SINTER_UNAVAILABLE(
      "these elements do not say the extents of a dynamic shape; write them in a pair of braces for each dimension, or along one "
      "dimension as b(std::vector<float>{1, 2, 3})")
  SINTER_OWN constexpr explicit tensor(N...)
      : tensor() {}
  template <class... N>
    requires(sizeof...(N) > 0 && S::rank > 0 && S::fixed && (std::is_arithmetic_v<N> && ...))
  SINTER_UNAVAILABLE(
      "the type says the extents of this tensor; its elements are written in braces, x{1, 2, 3}, and fill(v) gives all one value; x.row(1) "
      "is a row, x[1] an element")
  SINTER_OWN constexpr explicit(sizeof...(N) != 1) tensor(N...)
      : tensor() {}
  template <std::integral... E>
    requires(sizeof...(E) == S::rank && S::rank > 0 && !S::fixed)
  SINTER_OWN static constexpr tensor of(E... extents) {
    return tensor(dims{extents...});
  }
  // The elements of a std::vector, or of what else has a size, in row-major order. One dynamic extent follows from how many they are.
  //   auto x = tensor<float, shape<dim<"batch">, 64>>::from(numbers);
  template <class Range>
    requires(Device::is_host)
  SINTER_OWN static constexpr tensor from(Range const& elements, dims const& extents) {
    static_assert(std::is_same_v<element_of<Range>, T>,
                  "sinter: the elements have another type than the tensor; make a tensor of their type, t, and convert it: sinter::cast(t, "
                  "as<float>)");
    tensor t(extents, false);
    if (static_cast<extent>(std::size(elements)) != t.size())
      throw shape_error("sinter: a tensor of the extents " + to_string(extents) + " is given " + std::to_string(std::size(elements)) +
                        " elements");
    T* to = t.data_;
    for (auto const& e : elements) *to++ = e;
    return t;
  }
  template <class Range>
    requires(Device::is_host)
  SINTER_OWN static constexpr tensor from(Range const& elements) {
    dims extents = S::value;
    extent known = 1;
    int open = -1;
    for (int i = 0; i < rank; ++i)
      if (extents.d[i] >= 0) known *= extents.d[i];
      else if (open < 0) open = i;
      else throw shape_error("sinter: a tensor of shape " + to_string(S::value) + " is made from elements without saying its extents");
    auto const given = static_cast<extent>(std::size(elements));
    if (open >= 0 && known > 0 && given % known != 0)
      throw shape_error("sinter: a tensor of shape " + to_string(S::value) + " is given " + std::to_string(given) +
                        " elements, which is no multiple of " + std::to_string(known));
    if (open >= 0) extents.d[open] = known == 0 ? 0 : given / known;
    return from(elements, extents);
  }
  template <class V>
    requires(std::is_same_v<V, std::vector<T>> && Device::is_host)
  SINTER_OWN constexpr explicit tensor(V const& elements) : tensor(from(elements)) {}
  // Borrows memory of somebody else (row-major): `release(context)` is called when the last tensor on it is gone,
  // or when this throws. What is const there is only read.
  SINTER_OWN static tensor borrow(T* data, dims const& extents, void* context = nullptr, void (*release)(void*) = nullptr) {
    tensor t{no_storage{}};
    t.owner_ = buffer<T>(data, context, release);
    t.size_ = checked(extents);
    if (data == nullptr && t.size() > 0) refuse_null(t.size_);
    t.data_ = data;
    write_row_major(t.stride_, t.size_, rank);
    return t;
  }
  SINTER_OWN static tensor borrow(T const* data, dims const& extents, void* context = nullptr, void (*release)(void*) = nullptr) {
    tensor t = borrow(const_cast<T*>(data), extents, context, release);
    t.read_only_ = true;
    return t;
  }
  // Row-major elements that somebody else owns too. `read_only`: those of a parameter, which operations read and nobody writes; single
  // elements are then not given out, because who has one could write it.
  SINTER_OWN static constexpr tensor share(buffer<T> const& owner, dims const& extents, bool read_only = false) {
    tensor t{no_storage{}};
    t.read_only_ = read_only;
    t.size_ = checked(extents);
    t.owner_ = owner;
    t.data_ = owner.data();
    write_row_major(t.stride_, t.size_, rank);
    return t;
  }
  // A view of the elements of another tensor.
  template <class U, class V> SINTER_OWN static constexpr tensor view(tensor<U, V, Device> const& of, dims const& extents,
                                                                      std::int64_t offset, std::int64_t const* strides) {
    of.check_owned();
    tensor t{no_storage{}};
    t.read_only_ = of.is_read_only();
    t.size_ = extents;
    t.owner_ = of.owner();
    t.data_ = of.data() + offset;
    for (int i = 0; i < rank; ++i) t.stride_[i] = strides[i];
    return t;
  }
  // The same elements with their extents written in another shape type; throws when they differ.
  template <class U>
    requires(!std::is_same_v<U, S> && may_be<U>)
  SINTER_OWN constexpr explicit tensor(tensor<T, U, Device> const& other)
      : tensor(view(other, checked(other.shape()), 0, other.strides())) {}
  template <class U, class V, class D>
    requires(!std::is_same_v<tensor<U, V, D>, tensor>)
  SINTER_UNAVAILABLE(
      "a tensor of another shape, dtype or device cannot be assigned to this one; shapes are types, so write auto h = s, or "
      "tensor<T, S> h(s) where one of both shapes is dynamic and only the extents are to be checked")
  SINTER_OWN constexpr tensor(tensor<U, V, D> const&) {}

  template <class U, class V, class D>
    requires(!std::is_same_v<tensor<U, V, D>, tensor>)
  SINTER_UNAVAILABLE(
      "a tensor of another shape, dtype or device cannot be assigned to this one; shapes are types, so write auto h = s, or "
      "tensor<T, S> h(s) where one of both shapes is dynamic and only the extents are to be checked")
  SINTER_OWN constexpr tensor&
  operator=(tensor<U, V, D> const&) & {
    return *this;
  }
  SINTER_OWN constexpr tensor(tensor const&) = default;
  // What is moved from has no elements until another tensor is assigned to it; to use it throws. (To copy the handle instead would count
  // its owners up and down, which takes as long as a small operation.)
  SINTER_OWN constexpr tensor(tensor&& o) noexcept
      : size_(o.size_), owner_(std::move(o.owner_)), data_(std::exchange(o.data_, nullptr)), read_only_(o.read_only_) {
    for (int i = 0; i < rank; ++i) stride_[i] = o.stride_[i];
  }
  SINTER_OWN constexpr tensor& operator=(tensor const&) & = default;
  SINTER_OWN constexpr tensor& operator=(tensor&& o) & noexcept {
    size_ = o.size_;
    for (int i = 0; i < rank; ++i) stride_[i] = o.stride_[i];
    owner_ = std::move(o.owner_);
    data_ = std::exchange(o.data_, nullptr);
    read_only_ = o.read_only_;
    return *this;
  }
  template <class N>
    requires(std::is_arithmetic_v<N> && S::rank > 0)
  SINTER_UNAVAILABLE("a number is no tensor; x.fill(v) gives all elements one value")
  SINTER_OWN constexpr tensor& operator=(N) & {
    return *this;
  }
  // What is assigned to a part goes into its elements, stretched to its shape: x(all, 0) = y, x.row(1) = 0.5f. A tensor with a name takes
  // another handle instead.
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): then every element is its own
  SINTER_OWN constexpr tensor& operator=(tensor const& from) && {
    assign_elements(*this, from);
    return *this;
  }
  template <class A>
    requires(std::is_arithmetic_v<A> || requires { typename A::device_type; })
  SINTER_OWN constexpr tensor& operator=(A const& from) && {
    assign_elements(*this, from);
    return *this;
  }
  template <class A>
    requires(!std::is_arithmetic_v<A> && !std::is_convertible_v<A const&, tensor> && !requires { typename A::device_type; })
  SINTER_UNAVAILABLE("numbers and tensors are assigned to elements; write nd::tensor<float, shape<4>>(v) for the elements of a std::vector")
  SINTER_OWN constexpr tensor& operator=(A const&) && {
    return *this;
  }
  SINTER_OWN constexpr ~tensor() = default;

  SINTER_OWN constexpr dims const& shape() const { return size_; }
  SINTER_OWN constexpr extent size() const {
    if constexpr (S::fixed) return S::value.size();
    else return size_.size();
  }
  SINTER_OWN constexpr T* data() const { return data_; }
  SINTER_OWN constexpr std::int64_t const* strides() const { return stride_; }
  SINTER_OWN constexpr buffer<T> const& owner() const { return owner_; }
  SINTER_OWN constexpr bool is_read_only() const { return read_only_; }
  SINTER_OWN constexpr void check_writable() const {
    if (read_only_) refuse_change();
  }
  SINTER_OWN constexpr void check_owned() const {
    if (!owner_) refuse_moved();
  }
  SINTER_OWN constexpr bool is_contiguous() const {
    check_owned();
    if constexpr (S::fixed) return lie_in_order(S::value, stride_, rank);  // one comparison an axis is left of it
    else return lie_in_order(size_, stride_, rank);
  }

  // A contiguous tensor with the same elements: this one, or a copy.
  SINTER_OWN constexpr tensor contiguous() const {
    if (is_contiguous()) return *this;
    return copy();
  }
  [[nodiscard("sinter: copy() returns a tensor with elements of its own: auto y = x.copy();")]] SINTER_OWN constexpr tensor copy() const {
    if constexpr (Device::is_host) {
      tensor t(size_, false);
      copy_in_order(this->first_element(), size(), t.data_);
      return t;
    } else return copy_on_device(*this);
  }
  // The same elements there, row-major: this tensor, or a copy of it. To the host it waits for them, from the host it does not:
  // the copy is queued, and memory that is not pinned may be changed at once.
  //   auto x = images.to(device::gpu);   auto y = fast(x).to(device::cpu);
  template <device::place To> SINTER_OWN constexpr tensor<T, S, To> to(To) const {
    if constexpr (std::is_same_v<To, Device>) return *this;
    else {
      tensor<T, S, To> out(size_, false);
      copy_to(out);
      if constexpr (To::is_host) Device::wait();
      return out;
    }
  }
  // Queues a copy into a row-major tensor of another device; throws shape_error. What it copies into on the host can be read after
  // waitall(), and is best pinned (sinter::pinned): a copy into other memory may hold the caller up.
  template <class To>
    requires(!std::is_same_v<To, Device>)
  SINTER_OWN void copy_to(tensor<T, S, To> const& out) const {
    out.check_writable();
    if (!(out.shape() == size_) || !out.is_contiguous())
      throw shape_error("sinter: a tensor of shape " + to_string(size_) + " is copied to one of shape " + to_string(out.shape()) +
                        (out.is_contiguous() ? "" : ", not row-major"));
    tensor const from = contiguous();
    std::conditional_t<To::is_host, Device, To>::copy(out.data(), from.data(), static_cast<std::size_t>(size()) * sizeof(T));
  }
  // Until the elements are there: on the host they always are.
  SINTER_OWN constexpr void wait_to_read() const {
    check_owned();
    if constexpr (!Device::is_host) Device::wait();
  }
  SINTER_OWN static constexpr dims checked(dims const& extents) {
    if (!fits(extents)) refuse_extents(S::value, extents);
    if constexpr (!S::fixed)
      if (!is_countable(extents)) refuse_size(extents);
    return extents;
  }
  SINTER_OWN static constexpr bool fits(dims const& extents) { return extents_fit(S::value, extents); }

 private:
  struct no_storage {};
  SINTER_OWN constexpr explicit tensor(no_storage) {}
  SINTER_OWN static consteval dims no_elements() {
    dims d = S::value;
    for (int i = 0; i < d.rank; ++i)
      if (d.d[i] < 0) d.d[i] = 0;
    return d;
  }
  dims size_;
  buffer<T> owner_;
  T* data_ = nullptr;
  std::int64_t stride_[rank ? rank : 1]{};
  bool read_only_ = false;
};

inline namespace SINTER_ISA {
template <class T, class S> std::ostream& operator<<(std::ostream& out, tensor<T, S> const& t) {
  t.check_owned();
  array_printer<T> const written(out, t.data(), t.shape(), t.strides());
  return out;
}
template <class T, class S, class D>
  requires(!D::is_host)
std::ostream& operator<<(std::ostream& out, tensor<T, S, D> const& t) {
  return out << t.to(device::cpu);
}

}  // namespace SINTER_ISA
}  // namespace sinter::nd
