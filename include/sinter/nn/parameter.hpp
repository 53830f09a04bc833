// SPDX-License-Identifier: Apache-2.0
// A layer's parameter: a handle to values that all copies of a network share.
#pragma once
#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>

#include "../nd/tensor.hpp"
#include "initializer.hpp"

namespace sinter::nn {

// Moves whenever any parameter gets other values; what was derived from them is then looked at again.
inline std::atomic<std::uint64_t> parameter_epoch{1};
inline std::mutex state_assignments;  // held while a state gets other values, and by a compiled call that assigns some
inline std::mutex device_copies;  // held while a parameter's copy on a device is renewed

template <class T> class parameter_of {
 public:
  using value_type = T;
  // A trace has no use for values, so that a parameter in a constant expression is a block without a state. It is never a constant
  // itself, or a static network that the compiler made would have no state that its copies could share.
  // Not inlined: into the implicit constructor of a user's network, which carries no instruction set in its name.
  SINTER_OWN SINTER_NOINLINE constexpr parameter_of() : state_(std::is_constant_evaluated() ? 0 : 1) {}

  // The values come when the shape is known: at once where it is, else with the first call.
  SINTER_OWN constexpr void initialize(init::spec how, std::uint64_t key) {
    check(how, {});
    state& s = own();
    if (s.starts) how = s.how;
    s.how = how;
    s.key = key;
    if (s.values) init::fill(how, key, s.shape, s.values.data());
    touch(s);
  }
  // The values for a use in shape `want`.
  SINTER_OWN constexpr T* use(dims const& want) const {
    if (!state_.data())
      throw parameter_error("sinter: a parameter of shape " + to_string(want) +
                            " has no values; call initialize() or load_parameters() first");
    state& s = *state_.data();
    if (!std::is_constant_evaluated()) {
      if (std::atomic_ref<int>(s.made).load(std::memory_order_acquire) != 2) make_once(s, want);
    } else if (!s.values) make(s, want);
    if (!(s.shape == want))
      throw parameter_error("sinter: a parameter of shape " + to_string(s.shape) + " is used in shape " + to_string(want));
    return s.values.data();
  }
  // Other values for a state, in the shape that it has. Tensors that share the old ones keep them.
  SINTER_OWN constexpr void assign(dims const& shape, T const* from) const {
    use(shape);
    state& s = *state_.data();
    if (s.values.is_shared()) s.values = buffer<T>(static_cast<std::size_t>(shape.size()), false);
    if (s.copy.is_shared()) s.copy = {};
    std::copy_n(from, shape.size(), s.values.data());
    touch(s);
  }
  SINTER_OWN void assign_alone(dims const& shape, T const* from) const {
    std::lock_guard const hold(state_assignments);
    assign(shape, from);
  }
  SINTER_OWN constexpr bool has_values() const { return state_.data() && state_.data()->values; }
  SINTER_OWN constexpr dims shape() const { return state_.data() ? state_.data()->shape : unknown_dims; }
  SINTER_OWN constexpr std::uint64_t version() const { return state_.data() ? state_.data()->version : 0; }
  // Whether values of this shape fit; throws where they do not.
  SINTER_OWN constexpr void check(dims const& shape) {
    state const& s = own();
    if (s.values && !(s.shape == shape))
      throw parameter_error("sinter: a parameter of shape " + to_string(s.shape) + " is given values of shape " + to_string(shape));
  }
  // Whether it can hold these first values; throws where it cannot. After it initialize() cannot fail.
  SINTER_OWN constexpr void check(init::spec how, std::string_view name) {
    if (!own().starts && !init::fits(how, dtype_of<T>))
      throw parameter_error("sinter: a parameter of " + std::string(name_of(dtype_of<T>)) +
                            " cannot hold the values that it is initialized with" + (name.empty() ? "" : ": ") + std::string(name));
  }
  // The same for a shape, and what all handles to these values have in common. After it take() cannot fail.
  SINTER_OWN void const* prepare(dims const& shape) {
    check(shape);
    return &own();
  }
  // Takes row-major values over; after check() this cannot fail.
  SINTER_OWN constexpr void take(dims const& shape, buffer<T> values) {
    state& s = own();
    if (s.values) std::copy_n(values.data(), shape.size(), s.values.data());
    else s.values = std::move(values);
    s.shape = shape;
    set_made(s);
    touch(s);
  }
  // Copies row-major values in; their number fits the shape.
  SINTER_OWN constexpr void set(dims const& shape, T const* from) {
    check(shape);
    if (state& s = own(); s.values) {
      std::copy_n(from, shape.size(), s.values.data());
      touch(s);
    } else {
      buffer<T> values(static_cast<std::size_t>(shape.size()), false);
      std::copy_n(from, shape.size(), values.data());
      take(shape, std::move(values));
    }
  }
  template <class U> SINTER_OWN constexpr void set(nd::tensor<T, U> const& v) {
    nd::tensor<T, U> const c = v.contiguous();
    set(c.shape(), c.data());
  }
  // A copy of the values as a tensor of shape U, in which extents that need not be known are dynamic. To change them is set()'s, which
  // compiled networks hear of.
  template <class U> SINTER_OWN constexpr nd::tensor<T, U> data() const {
    if constexpr (U::fixed) use(U::value);
    else check_known(U::value, nd::tensor<T, U>::fits(shape()));
    return nd::tensor<T, U>::share(state_.data()->values, shape()).copy();
  }
  template <class... I> SINTER_UNAVAILABLE(
      "a parameter is no tensor; net.weight.data<shape<10, 8>>() is one, a copy of its values, and in a block F.get(weight, shape<10, "
      "8>{})")
  SINTER_OWN T
  operator()(I...) const {
    return T{};
  }
  template <std::integral I> SINTER_UNAVAILABLE(
      "a parameter is no tensor; net.weight.data<shape<10, 8>>() is one, a copy of its values, and in a block F.get(weight, shape<10, "
      "8>{})")
  SINTER_OWN T
  operator[](I) const {
    return T{};
  }
  // The values on a device, after use(): elsewhere than on the host a copy, which is renewed when they have changed since.
  template <class D = device::cpu_t> SINTER_OWN constexpr buffer<T> const& storage() const {
    if constexpr (!D::is_host) {
      if (state* const s = state_.data()) renew_copy<D>(*s);
      return state_.data()->copy;
    } else return state_.data()->values;
  }

 protected:
  SINTER_OWN SINTER_NOINLINE constexpr explicit parameter_of(init::spec start) : parameter_of() {
    if (!state_.data()) return;
    state_.data()->how = start;
    state_.data()->starts = true;
  }

 private:
  struct state {
    dims shape = unknown_dims;
    buffer<T> values;
    init::spec how;
    bool starts = false;  // a state: `how` is its own, whatever the network is initialized with
    std::uint64_t key = 0, version = 1;
    int made = 0;  // 0: no values, 1: somebody is making them, 2: there
    buffer<T> copy;  // on a device, of the values in version `copied`
    std::uint64_t copied = 0;
    SINTER_OWN constexpr state() = default;
    state(state const&) = delete;
    state& operator=(state const&) = delete;
    SINTER_OWN constexpr ~state() = default;
  };
  buffer<state> state_;

  // For a use that does not say the whole shape, and so cannot make the values.
  SINTER_OWN constexpr void check_known(dims const& want, bool fits) const {
    if (!has_values())
      throw parameter_error("sinter: a parameter of shape " + to_string(want) +
                            " has no values yet; call initialize() or load_parameters(), and the network once if its inputs say the shape");
    if (!fits) throw parameter_error("sinter: a parameter of shape " + to_string(shape()) + " is used in shape " + to_string(want));
  }
  SINTER_OWN constexpr state& own() {
    if (!state_.data()) state_ = buffer<state>(1);
    return *state_.data();
  }
  template <class D> SINTER_OWN static void renew_copy(state& s) {
    std::atomic_ref<std::uint64_t> const copied(s.copied);
    if (copied.load(std::memory_order_acquire) == s.version) return;
    std::lock_guard const hold(device_copies);
    if (copied.load(std::memory_order_relaxed) == s.version) return;
    auto const n = static_cast<std::size_t>(s.shape.size());
    if (!s.copy) s.copy = D::template allocate<T>(n, false);
    D::copy(s.copy.data(), s.values.data(), n * sizeof(T));
    D::wait();  // other streams may read it next
    copied.store(s.version, std::memory_order_release);
  }
  SINTER_OWN static constexpr void touch(state& s) {
    ++s.version;
    if (!std::is_constant_evaluated()) parameter_epoch.fetch_add(1, std::memory_order_release);
  }
  SINTER_OWN static constexpr void set_made(state& s) {
    if (std::is_constant_evaluated()) s.made = 2;
    else std::atomic_ref<int>(s.made).store(2, std::memory_order_release);
  }
  SINTER_OWN static constexpr void make(state& s, dims const& shape) {
    if (s.how.how == init::kind::none)
      throw parameter_error("sinter: a parameter of shape " + to_string(shape) +
                            " has no values; call initialize() or load_parameters() first");
    buffer<T> values(static_cast<std::size_t>(shape.size()));
    init::fill(s.how, s.key, shape, values.data());
    s.values = std::move(values);
    s.shape = shape;
    set_made(s);
  }
  // Several threads may make the first call.
  SINTER_OWN static void make_once(state& s, dims const& want) {
    for (;;) {
      int expected = 0;
      if (std::atomic_ref<int>(s.made).compare_exchange_strong(expected, 1, std::memory_order_acquire)) break;
      if (expected == 2) return;
    }
    try {
      make(s, want);
    } catch (...) {
      std::atomic_ref<int>(s.made).store(0, std::memory_order_release);
      throw;
    }
    parameter_epoch.fetch_add(1, std::memory_order_release);
  }
};

#if defined(SINTER_COMPILED)
SINTER_COMPILED_TEMPLATE class parameter_of<float>;
#endif

// What a layer declares. S: what is known of the shape beforehand, `shape<256, dynamic>` for example.
struct any_shape {
  static constexpr dims value = unknown_dims;
};
template <class T, class S = any_shape> class basic_parameter : public parameter_of<T> {
 public:
  using declared_shape = S;
  SINTER_OWN constexpr basic_parameter() = default;
  // As parameter_of::set, and within what is declared: another shape would be found by the first call alone, far from here.
  SINTER_OWN constexpr void set(dims const& shape, T const* from) {
    if (!may_equal(S::value, shape))
      throw parameter_error("sinter: a parameter of shape " + to_string(S::value) + " is given values of shape " + to_string(shape));
    parameter_of<T>::set(shape, from);
  }
  template <class U> SINTER_OWN constexpr void set(nd::tensor<T, U> const& v) {
    nd::tensor<T, U> const c = v.contiguous();
    set(c.shape(), c.data());
  }

 protected:
  SINTER_OWN constexpr explicit basic_parameter(init::spec start) : parameter_of<T>(start) {}
};
using parameter = basic_parameter<float>;
// What a call remembers for the next one: F.assign(mean, value) changes it, F.get(mean, shape) reads it as it was assigned last. It begins
// as `Start` everywhere, and has a name and a place in files as parameters have.
template <class T, class S = any_shape, int Start = 0> class basic_state : public basic_parameter<T, S> {
 public:
  SINTER_OWN constexpr basic_state() : basic_parameter<T, S>(init::constant(Start)) {}
};
template <class S = any_shape, int Start = 0> using state = basic_state<float, S, Start>;

template <class> inline constexpr bool is_parameter = false;
template <class T, class S> inline constexpr bool is_parameter<basic_parameter<T, S>> = true;
template <class T, class S, int Start> inline constexpr bool is_parameter<basic_state<T, S, Start>> = true;
template <class> inline constexpr bool is_state = false;
template <class T, class S, int Start> inline constexpr bool is_state<basic_state<T, S, Start>> = true;

}  // namespace sinter::nn
