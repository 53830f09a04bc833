// SPDX-License-Identifier: Apache-2.0
// A network's parameters as a dictionary: net.collect_params(".*weight")["hidden.weight"].set(w)
#pragma once
#include <memory>
#include <ostream>
#include <vector>

#include "../core/hash.hpp"
#include "block_functions.hpp"
#include "pattern.hpp"

namespace sinter::nn {

// One parameter, state or constant of a network: a handle, whose values are the network's.
class parameter_handle {
 public:
  template <class T> SINTER_OWN parameter_handle(std::string_view name, parameter_of<T>& p, dims const& declared)
      : name_(name), declared_(declared), held_(std::make_shared<held_of<T>>(p)) {}

  SINTER_OWN std::string const& name() const { return name_; }
  SINTER_OWN dtype type() const { return held_->type; }
  SINTER_OWN role kind() const { return held_->kind(); }
  // What is known of it: extents that the first call decides are dynamic before.
  SINTER_OWN dims shape() const {
    dims const known = held_->shape();
    return known.rank < 0 ? declared_ : known;
  }
  SINTER_OWN dims declared() const { return declared_; }
  SINTER_OWN bool has_values() const { return held_->has_values(); }
  // The parameter itself, by its element type; another one is a dtype_error.
  template <class T> SINTER_OWN parameter_of<T>& as(std::string_view what = "is asked for as ") const {
    if (held_->type != dtype_of<T>)
      throw dtype_error("sinter: parameter `" + name_ + "` is " + std::string(name_of(held_->type)) + ", and " + std::string(what) +
                        std::string(name_of(dtype_of<T>)));
    return static_cast<held_of<T>&>(*held_).parameter;
  }
  // A copy of the values as a tensor of shape S, in which extents that need not be known are dynamic; or all of them, row by row.
  template <class S, class T = float> SINTER_OWN nd::tensor<T, S> data() const { return as<T>().template data_within<S>(declared_); }
  template <class T = float> SINTER_OWN std::vector<T> to_vector() const {
    parameter_of<T> const& p = as<T>();
    if (!p.has_values()) throw parameter_error("sinter: parameter `" + name_ + "` has no values yet");
    return p.to_vector();
  }
  // A copy of the gradient that backward() left (train.hpp), as data().
  template <class S, class T = float> SINTER_OWN nd::tensor<T, S> grad() const { return as<T>().template grad<S>(); }
  // Templates, so that programs that never call them do not pay for all dtypes.
  template <class = void> SINTER_OWN void zero_grad() const {
    with_type(type(), [&]<class T>(T*) { as<T>().zero_grad(); });
  }
  template <class = void> SINTER_OWN void set_grad_req(grad_req wanted) const {
    with_type(type(), [&]<class T>(T*) { as<T>().set_grad_req(wanted); });
  }
  // Copies the elements of a tensor in; a shape or dtype that does not fit is an error, and changes nothing.
  template <class T, class S> SINTER_OWN void set(nd::tensor<T, S> const& values) const {
    parameter_of<T>& p = as<T>("is given values of ");
    if (!may_equal(shape(), values.shape()))
      throw parameter_error("sinter: parameter `" + name_ + "` of shape " + to_string(shape()) + " is given values of shape " +
                            to_string(values.shape()));
    p.set(values);
  }
  template <class T> SINTER_OWN void set(std::vector<T> const& values) const {
    parameter_of<T>& p = as<T>("is given values of ");
    try {
      p.set(values, declared_);
    } catch (parameter_error& e) {
      e.set_layer(name_);
      throw;
    }
  }
  // As asked, whatever the name. A state or a constant gets the values that it begins with.
  SINTER_OWN void initialize(init::spec how = init::uniform{}, std::uint64_t seed = 0) const {
    check(how);
    held_->initialize(how, random_bits(seed, hash_of(name_)));
  }
  SINTER_OWN void check(init::spec how) const { held_->check(how, name_); }
  // The same for all handles to the same values, which parameters that share them have.
  SINTER_OWN void const* identity() const { return held_->identity(); }
  // From now on it has the values of `other`; see share_parameters.
  SINTER_OWN void share(parameter_handle const& other) const {
    check_share(other);
    held_->share(*other.held_);
  }
  SINTER_OWN void check_share(parameter_handle const& other) const {
    if (type() != other.type() || kind() != other.kind() || !may_equal(shape(), other.shape()) || !may_equal(declared_, other.shape()))
      throw parameter_error("sinter: " + other.in_words() + " cannot be shared as " + in_words());
  }
  SINTER_OWN std::string in_words() const {
    static constexpr char const* roles[] = {"parameter ", "state ", "constant "};
    return roles[static_cast<int>(kind())] + name_ + " (shape=" + to_string(shape()) + ", dtype=" + std::string(name_of(type())) + ")";
  }

 private:
  struct held {
    dtype type;
    SINTER_OWN explicit held(dtype t) : type(t) {}
    held(held const&) = delete;
    held& operator=(held const&) = delete;
    SINTER_OWN virtual ~held() = default;
    SINTER_OWN virtual dims shape() const = 0;
    SINTER_OWN virtual role kind() const = 0;
    SINTER_OWN virtual bool has_values() const = 0;
    SINTER_OWN virtual void const* identity() = 0;
    SINTER_OWN virtual void check(init::spec how, std::string_view name) = 0;
    SINTER_OWN virtual void initialize(init::spec how, std::uint64_t key) = 0;
    SINTER_OWN virtual void share(held& other) = 0;
  };
  template <class T> struct held_of final : held {
    parameter_of<T> parameter;
    SINTER_OWN explicit held_of(parameter_of<T>& p) : held(dtype_of<T>), parameter((p.identity(), p)) {}
    SINTER_OWN dims shape() const override { return parameter.shape(); }
    SINTER_OWN role kind() const override { return parameter.kind(); }
    SINTER_OWN bool has_values() const override { return parameter.has_values(); }
    SINTER_OWN void const* identity() override { return parameter.identity(); }
    SINTER_OWN void check(init::spec how, std::string_view name) override { parameter.check(how, name); }
    SINTER_OWN void initialize(init::spec how, std::uint64_t key) override { parameter.initialize(how, key); }
    SINTER_OWN void share(held& other) override { parameter.become(static_cast<held_of&>(other).parameter); }
  };
  std::string name_;
  dims declared_;
  std::shared_ptr<held> held_;
};

// Handles in the order of the network's members.
class parameter_dict {
 public:
  SINTER_OWN auto begin() const { return all_.begin(); }
  SINTER_OWN auto end() const { return all_.end(); }
  SINTER_OWN std::size_t size() const { return all_.size(); }
  SINTER_OWN bool empty() const { return all_.empty(); }
  SINTER_OWN parameter_handle const* find(std::string_view name) const {
    for (parameter_handle const& p : all_)
      if (p.name() == name) return &p;
    return nullptr;
  }
  SINTER_OWN bool contains(std::string_view name) const { return find(name) != nullptr; }
  SINTER_OWN parameter_handle const& operator[](std::string_view name) const {
    if (parameter_handle const* const p = find(name)) return *p;
    throw parameter_error("sinter: there is no parameter `" + std::string(name) + "` among " + names());
  }
  // As net.initialize, where the ends of names decide first; all of them, or none where one cannot hold such values.
  SINTER_OWN void initialize(init::spec how = init::uniform{}, std::uint64_t seed = 0) const {
    check_met("initialize()");
    for (parameter_handle const& p : all_) p.check(init::for_name(how, p.name()));
    for (parameter_handle const& p : all_) p.initialize(init::for_name(how, p.name()), seed);
  }
  // Of each: net.collect_params("features.*").set_grad_req(grad_req::null)
  template <class = void> SINTER_OWN void zero_grad() const {
    check_met("zero_grad()");
    for (parameter_handle const& p : all_) p.zero_grad();
  }
  template <class = void> SINTER_OWN void set_grad_req(grad_req wanted) const {
    check_met("set_grad_req()");
    for (parameter_handle const& p : all_) p.set_grad_req(wanted);
  }
  // A handle, or what one is made of. A template, so that programs that never call it do not pay for a growing array.
  template <class... A> SINTER_OWN void add(A&&... of) { all_.emplace_back(std::forward<A>(of)...); }
  // Why it is empty, where a pattern matches no name.
  SINTER_OWN void miss(std::string why) { missed_ = std::move(why); }
  SINTER_OWN std::string names() const {
    std::string s;
    for (parameter_handle const& p : all_) s += (s.empty() ? "`" : ", `") + p.name() + "`";
    return s.empty() ? "none" : s;
  }

 private:
  SINTER_OWN void check_met(char const* call) const {
    if (!missed_.empty()) throw parameter_error("sinter: " + std::string(call) + " has no parameter: " + missed_);
  }
  std::vector<parameter_handle> all_;
  std::string missed_;
};

inline namespace SINTER_ISA {
inline std::ostream& operator<<(std::ostream& out, parameter_handle const& p) { return out << p.in_words(); }
inline std::ostream& operator<<(std::ostream& out, parameter_dict const& all) {
  out << "(\n";
  for (parameter_handle const& p : all) out << "  " << p << "\n";
  return out << ")";
}
}  // namespace SINTER_ISA

// A dictionary as a network: what reads and writes files takes one, too.
inline namespace SINTER_ISA {
template <class Fn, class Enter = detail::ignore_blocks>
void visit_parameters(parameter_dict const& all, Fn fn, Enter = {}, bool names = true) {
  for (parameter_handle const& p : all)
    with_type(p.type(), [&]<class T>(T*) {
      std::string_view const name = names ? std::string_view(p.name()) : std::string_view();
      if constexpr (std::invocable<Fn&, parameter_of<T>&, std::string_view, dims const&>) fn(p.template as<T>(), name, p.declared());
      else fn(p.template as<T>(), name);
    });
}
}  // namespace SINTER_ISA

template <class D> parameter_dict block_functions<D>::collect_params() const {
  parameter_dict all;
  visit_parameters(self(), [&]<class T>(parameter_of<T>& p, std::string_view name, dims const& declared) { all.add(name, p, declared); });
  return all;
}
template <class D> parameter_dict block_functions<D>::collect_params(std::string_view pattern) const {
  detail::pattern const wanted(pattern);
  parameter_dict const all = collect_params();
  parameter_dict some;
  for (parameter_handle const& p : all)
    if (wanted.matches(p.name())) some.add(p);
  if (some.empty() && !all.empty()) some.miss("no name matches `" + std::string(pattern) + "` among " + all.names());
  return some;
}

}  // namespace sinter::nn
