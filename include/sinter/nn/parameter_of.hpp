// SPDX-License-Identifier: Apache-2.0
// The values of a parameter: a handle to what all copies of a network share.
#pragma once
#include <algorithm>
#include <mutex>
#include <string>

#include "../nd/tensor.hpp"
#include "../run/value.hpp"
#include "initializer.hpp"

namespace sinter::nn {

// What a member of a block is to training and to initialize(): a state and a constant have first values of their own.
enum class role : std::int8_t { parameter, state, constant };

}  // namespace sinter::nn
namespace sinter {
// Effect of backward() on a parameter: its gradient replaces the last one, is added to it, or is not computed.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // GCC 12 says that the name shadows sinter::add
enum class grad_req : std::int8_t { write, add, null };
#pragma GCC diagnostic pop
}  // namespace sinter
namespace sinter::nn {

struct any_parameter {};  // a parameter_of<T>, whatever T
template <class T> class parameter_of : public any_parameter {
 public:
  using value_type = T;
  // In a constant expression an empty buffer has one element, too, which is the parameter's state there. A parameter is never a constant
  // itself, or a static network that the compiler made would have no state that its copies could share.
  // Not inlined: into the implicit constructor of a user's network, which carries no instruction set in its name.
  SINTER_OWN SINTER_NOINLINE constexpr parameter_of() : state_(std::is_constant_evaluated() ? 0 : 1) {}

  // The values come when the shape is known: at once where it is, else with the first call.
  SINTER_OWN constexpr void initialize(init::spec how, std::uint64_t key) {
    check(how, {});
    state& s = own();
    if (s.kind != role::parameter) how = s.how;
    s.how = how;
    s.key = key;
    if (s) s.replace(elements(s), [&](T* to) { fill(s, s.shape, to); });
    s.moved();
  }
  // The values for a use in shape `want`.
  SINTER_OWN constexpr T* use(dims const& want) const {
    state& s = ready(want);
    return s.on(elements(s)).data();
  }
  // What all handles to the same values have in common, and nobody else: the values wherever they are, made where they were not.
  SINTER_OWN constexpr executor::value<T>& value_in(dims const& want) const { return ready(want); }

  // Other values for a state, in the shape that it has. Tensors that share the old ones keep them.
  SINTER_OWN constexpr void assign(dims const& shape, T const* from) const {
    state& s = ready(shape);
    s.replace(elements(s), [&](T* to) { std::copy_n(from, shape.size(), to); });
  }
  SINTER_OWN void assign_alone(dims const& shape, T const* from) const {
    std::lock_guard const hold(ready(shape));
    assign(shape, from);
  }
  // Whether use() makes values where there are none.
  SINTER_OWN constexpr bool is_initialized() const {
    state const* const s = find();
    return s && s->how.how != init::kind::none;
  }
  SINTER_OWN constexpr bool has_values() const {
    state const* const s = find();
    return s && *s;
  }
  SINTER_OWN constexpr dims shape() const {
    state const* const s = find();
    return s ? s->shape : unknown_dims;
  }
  SINTER_OWN constexpr role kind() const {
    state const* const s = find();
    return s ? s->kind : role::parameter;
  }
  // Whether values of this shape fit; throws where they do not.
  SINTER_OWN constexpr void check(dims const& shape) {
    state const& s = own();
    if (s && !(s.shape == shape)) refuse_values(s.shape, shape);
  }
  // Whether it can hold these first values; throws where it cannot. After it initialize() cannot fail.
  SINTER_OWN constexpr void check(init::spec how, std::string_view name) {
    if (own().kind == role::parameter && !init::fits(how, dtype_of<T>))
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
    s.hold(std::move(values));
    s.shape = shape;
    set_made(s);
    s.moved();
  }
  // Copies row-major values in; their number fits the shape.
  SINTER_OWN constexpr void set(dims const& shape, T const* from) {
    check(shape);
    buffer<T> values(static_cast<std::size_t>(shape.size()), false);
    std::copy_n(from, shape.size(), values.data());
    take(shape, std::move(values));
  }
  // The same for a shape of which something was declared.
  SINTER_OWN constexpr void set_within(dims const& declared, dims const& shape, T const* from) {
    if (dims const known = this->shape().rank < 0 ? declared : this->shape(); !may_equal(known, shape)) refuse_values(known, shape);
    set(shape, from);
  }
  template <class U> SINTER_OWN constexpr void set(nd::tensor<T, U> const& v) {
    nd::tensor<T, U> const c = v.contiguous();
    set(c.shape(), c.data());
  }
  // Row-major values for the shape that it has, or that was declared.
  SINTER_OWN constexpr void set(std::vector<T> const& v, dims const& declared = unknown_dims)
    requires(!std::is_same_v<T, bool>)
  {
    dims const known = shape().rank < 0 ? declared : shape();
    if (known.rank < 0 || !known.fixed())
      throw parameter_error("sinter: a parameter whose shape is not known yet is given " + std::to_string(v.size()) +
                            " values; give it a tensor, which has a shape, or call the network first");
    if (static_cast<extent>(v.size()) != known.size())
      throw parameter_error("sinter: a parameter of shape " + to_string(known) + " is given " + std::to_string(v.size()) + " values");
    set(known, v.data());
  }
  // A copy of the values as a tensor of shape U, in which extents that need not be known are dynamic. To change them is set()'s, which
  // compiled networks hear of. Only a shape that was declared whole brings the values before the first call: U is no more than a question.
  template <class U> SINTER_OWN constexpr nd::tensor<T, U> data() const { return data_within<U>(unknown_dims); }
  template <class U> SINTER_OWN constexpr nd::tensor<T, U> data_within(dims const& declared) const {
    if (!has_values() && declared.fixed()) use(declared);
    check_known(U::value, nd::tensor<T, U>::fits(shape()));
    return nd::tensor<T, U>::share(storage(), shape()).copy();
  }
  SINTER_UNAVAILABLE("the values of a parameter are a tensor of a shape, data<shape<10, 8>>(), or a std::vector, to_vector()")
  SINTER_OWN void data() const {}
  SINTER_OWN std::vector<T> to_vector() const {
    if (!has_values())
      throw parameter_error(
          "sinter: a parameter that has no values yet is read; call initialize(), and the network once if its inputs say the shape");
    auto const n = static_cast<std::size_t>(shape().size());
    return {storage().data(), storage().data() + n};
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
    state* const s = find();
    return s->template on<D>(elements(*s));
  }
  // From now on all handles to these values, in networks that are compiled already as well, have those of `other`. Tensors that share
  // the values keep them.
  SINTER_OWN void become(parameter_of& other) {
    state &from = own(), &to = other.own();
    if (&from == &to) return;
    // Above all versions that a plan has noted for either, so that each looks again, wherever the values lie then.
    to.pass(from);
    to.moved();
    from.drop();
    from.shared_with = other.last();
  }
  SINTER_OWN void swap(parameter_of& o) noexcept { std::swap(state_, o.state_); }
  // From now on this handle has values of its own, equal to those that it shared.
  SINTER_OWN void separate(bool alone = false) {
    state& from = own();
    buffer<state> made(1);
    state& to = *made.data();
    if (alone) to.keep_alone();
    to.how = from.how;
    to.kind = from.kind;
    to.numbers = from.numbers;
    to.key = from.key;
    to.gradient_wanted = from.gradient_wanted;
    if (std::atomic_ref<int>(from.made).load(std::memory_order_acquire) == 2) {
      std::lock_guard const hold(from);  // another thread may be in a call that changes them
      to.shape = from.shape;
      buffer<T> values(elements(from), false);
      std::copy_n(from.on(elements(from)).data(), from.shape.size(), values.data());
      to.hold(std::move(values));
      set_made(to);
    }
    state_ = std::move(made);
  }
  // A state gets the values that it begins with. Tensors that share the others keep them.
  SINTER_OWN void begin_again() const {
    state* const s = find();
    if (!s || std::atomic_ref<int>(s->made).load(std::memory_order_acquire) != 2) return;
    std::lock_guard const hold(*s);
    s->replace(elements(*s), [&](T* to) { fill(*s, s->shape, to); });
  }
  // A copy of the gradient that backward() left (train.hpp), as a tensor of shape U.
  template <class U> SINTER_OWN nd::tensor<T, U> grad() const {
    state const* const s = find();
    if (!s || !s->gradient)
      throw parameter_error("sinter: a parameter has no gradient yet; backward() of a loss that depends on it makes one");
    if (!nd::tensor<T, U>::fits(s->shape))
      throw parameter_error("sinter: the gradient of a parameter of shape " + to_string(s->shape) + " is read in shape " +
                            to_string(U::value));
    return nd::tensor<T, U>::share(s->gradient, s->shape).copy();
  }
  SINTER_OWN void zero_grad() const {
    state* const s = find();
    if (!s || !s->gradient) return;
    std::fill_n(s->gradient.data(), s->shape.size(), T{});
    s->gradient_is_new = false;
  }
  SINTER_OWN void set_grad_req(grad_req r) {
    state& s = own();
    s.gradient_wanted = r;
    if (r == grad_req::null) s.gradient_is_new = false;
  }
  SINTER_OWN grad_req get_grad_req() const {
    state const* const s = find();
    return s ? s->gradient_wanted : grad_req::write;
  }
  // Takes the elements of a gradient over, which has the shape of the values; they must not be shared.
  SINTER_OWN void take_gradient(buffer<T> found) const {
    state& s = *find();
    if (s.gradient_wanted == grad_req::null) return;
    if (s.gradient_wanted == grad_req::add && s.gradient)
      for (std::size_t i = 0; i < elements(s); ++i) found.data()[i] = static_cast<T>(s.gradient.data()[i] + found.data()[i]);
    s.gradient = std::move(found);
    s.gradient_is_new = true;
  }
  // The gradient, where backward() has left one since it was last asked for; else null.
  SINTER_OWN buffer<T> const* new_gradient() const {
    state* const s = find();
    if (!s || !s->gradient_is_new) return nullptr;
    s->gradient_is_new = false;
    return &s->gradient;
  }
  SINTER_OWN buffer<T> const& gradient() const { return find()->gradient; }
  SINTER_OWN bool has_new_gradient() const {
    state const* const s = find();
    return s && s->gradient_is_new;
  }
  // What all handles to the same values have in common, and nobody else.
  SINTER_OWN void const* identity() { return &own(); }
  SINTER_OWN bool is(executor::any_value const* v) const { return find() == v; }

 protected:
  SINTER_OWN SINTER_NOINLINE constexpr explicit parameter_of(init::spec start) : parameter_of() {
    if (!state_.data()) return;
    state_.data()->how = start;
    state_.data()->kind = role::state;
  }
  // A constant: `numbers` are there as long as the program runs.
  SINTER_OWN SINTER_NOINLINE constexpr parameter_of(dims const& shape, T const* numbers) : parameter_of() {
    if (!state_.data()) return;
    state& s = *state_.data();
    s.how = init::zeros{};
    s.kind = role::constant;
    s.numbers = numbers;
    if (!std::is_constant_evaluated()) make(s, shape);  // a trace has no use for them
    else s.shape = shape;
  }

 private:
  struct state : executor::value<T> {
    dims shape = unknown_dims;
    init::spec how;
    role kind = role::parameter;  // the `how` of others is their own, whatever the network is initialized with
    T const* numbers = nullptr;  // of a constant
    std::uint64_t key = 0;
    int made = 0;  // 0: no values, 1: somebody is making them, 2: there
    buffer<T> gradient;  // of backward(), as far as there is one
    grad_req gradient_wanted = grad_req::write;
    bool gradient_is_new = false;
    buffer<state> shared_with;  // after become(): the values are there
    SINTER_OWN constexpr state() = default;
    state(state const&) = delete;
    state& operator=(state const&) = delete;
    SINTER_OWN constexpr ~state() = default;
  };
  buffer<state> state_;

  SINTER_OWN constexpr state* find() const {
    state* s = state_.data();
    while (s && s->shared_with) s = s->shared_with.data();
    return s;
  }
  SINTER_OWN buffer<state> last() const {
    buffer<state> const* at = &state_;
    while (at->data()->shared_with) at = &at->data()->shared_with;
    return *at;
  }
  SINTER_OWN static constexpr std::size_t elements(state const& s) { return static_cast<std::size_t>(s.shape.size()); }
  [[noreturn]] SINTER_OWN SINTER_NOINLINE static void refuse_values(dims const& known, dims const& given) {
    throw parameter_error("sinter: a parameter of shape " + to_string(known) + " is given values of shape " + to_string(given));
  }
  [[noreturn]] SINTER_OWN SINTER_NOINLINE static void refuse_without_values(dims const& want) {
    throw parameter_error("sinter: a parameter of shape " + to_string(want) +
                          " has no values; call initialize() or load_parameters() first");
  }
  SINTER_OWN constexpr state& ready(dims const& want) const {
    state* const known = find();
    if (!known) refuse_without_values(want);
    state& s = *known;
    if (!std::is_constant_evaluated()) {
      if (std::atomic_ref<int>(s.made).load(std::memory_order_acquire) != 2) make_once(s, want);
    } else if (!s) make(s, want);
    if (!(s.shape == want))
      throw parameter_error("sinter: a parameter of shape " + to_string(s.shape) + " is used in shape " + to_string(want) +
                            "; its values were made for inputs of other extents");
    return s;
  }
  SINTER_OWN static constexpr void fill(state const& s, dims const& shape, T* to) {
    if (s.numbers) std::copy_n(s.numbers, shape.size(), to);
    else init::fill(s.how, s.key, shape, to);
  }
  // For a use that cannot make the values.
  SINTER_OWN constexpr void check_known(dims const& want, bool fits) const {
    if (!has_values())
      throw parameter_error("sinter: a parameter of shape " + to_string(want) +
                            " has no values yet; call initialize() or load_parameters(), and the network once if its inputs say the shape");
    if (!fits) throw parameter_error("sinter: a parameter of shape " + to_string(shape()) + " is used in shape " + to_string(want));
  }
  SINTER_OWN constexpr state& own() {
    if (!state_.data()) state_ = buffer<state>(1);
    return *find();
  }
  SINTER_OWN static constexpr void set_made(state& s) {
    if (std::is_constant_evaluated()) s.made = 2;
    else std::atomic_ref<int>(s.made).store(2, std::memory_order_release);
  }
  SINTER_OWN static constexpr void make(state& s, dims const& shape) {
    if (s.how.how == init::kind::none) refuse_without_values(shape);
    buffer<T> values(static_cast<std::size_t>(shape.size()));
    fill(s, shape, values.data());
    s.hold(std::move(values));
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
    executor::value_epoch.fetch_add(1, std::memory_order_release);
  }
};

#if defined(SINTER_COMPILED)
SINTER_COMPILED_TEMPLATE class parameter_of<float>;
#endif

}  // namespace sinter::nn
