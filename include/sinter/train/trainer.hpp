// SPDX-License-Identifier: Apache-2.0
// The trainer: an optimizer over the parameters of a network, for eager steps and for compiled ones, which may take turns.
//   train::trainer trainer(net, train::adam<>{.learning_rate = 1e-3});
//   loss.backward();                                                       // eagerly: in an autograd::record
//   trainer.step(64);
//   auto step = trainer.compile(nn::softmax_cross_entropy_loss<>{});       // or all of it as one plan
//   float const loss = step(x, y).item();
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../nn/load.hpp"
#include "../nn/save.hpp"
#include "step.hpp"

namespace sinter::train {
namespace detail {

// The update of one parameter, which an eager step runs.
template <class Optimizer, class Clip, class T> struct update_source {
  static constexpr bool never_constant = true;
  static constexpr plan make() {
    graph g;
    g = update_graph<Optimizer, Clip, T>();
    return make_plan(std::move(g));
  }
};

// The trainer's policies: one chooses parameters, one clips gradients.
template <class> inline constexpr bool chooses = false;
template <text P> inline constexpr bool chooses<only_these<P>> = true;
template <class Otherwise, template <class> class Is, class... P> struct policy_among {
  using type = Otherwise;
};
template <class P> struct is_choice : std::bool_constant<chooses<P>> {};
template <class P> struct is_clip : std::bool_constant < requires {
  P::clipped(nd::functions{}, 1.0f);
}>{};
template <class Otherwise, template <class> class Is, class First, class... P>
struct policy_among<Otherwise, Is, First, P...>
    : std::conditional_t<Is<First>::value, std::type_identity<First>, policy_among<Otherwise, Is, P...>> {};
template <class Net> struct network_of_trainer {
  using type = Net;
};
template <class M, class Backend> struct network_of_trainer<hybridized<M, Backend>> {
  using type = M;
};

template <class Fast> inline constexpr bool narrows_weights_of = false;
template <class M, class Backend>
inline constexpr bool narrows_weights_of<hybridized<M, Backend>> = sinter::detail::narrows_weights<sinter::detail::named_backend<Backend>>;

}  // namespace detail

template <class Net, class Optimizer, class... Policy> class trainer {
  using network = typename detail::network_of_trainer<Net>::type;
  using which = typename detail::policy_among<all_of_them, detail::is_choice, Policy...>::type;
  using clip = typename detail::policy_among<no_clip, detail::is_clip, Policy...>::type;
  using progress = detail::progress<network, Optimizer, which>;
  using number = typename progress::trained_type::number_type;

 public:
  // The parameters of `net` from now on: what shares them sees them change.
  explicit trainer(Net const& net, Optimizer const& how = {}, Policy...) : shared_(std::make_shared<progress>(network_in(net), how)) {
    constexpr bool is_optimizer = optimizer<Optimizer>;  // a name, because GCC explains a concept in ten lines
    static_assert(is_optimizer,
                  "sinter: a trainer takes a network and an optimizer, a struct with learning_rate, weight_decay and update: "
                  "train::sgd{.learning_rate = 0.1}");
    if constexpr (is_optimizer) {
      constexpr bool takes_operands = detail::has_update<Optimizer>();
      static_assert(takes_operands,
                    "sinter: the update of an optimizer is a static constexpr function that is called with F, the parameter, its gradient, "
                    "the numbers (rate and decay, or those that its `numbers` gives) and one array for each of its slots");
    }
    static_assert(progress::count > 0 || !std::is_same_v<which, all_of_them>,
                  "sinter: this network has no parameters of floats, so that there is nothing to train");
    static_assert(
        progress::count > 0 || std::is_same_v<which, all_of_them>,
        "sinter: the pattern of train::only matches the name of no parameter that could be trained; net.summary() prints the names");
    static_assert((0 + ... + detail::is_choice<Policy>::value) <= 1 && (0 + ... + detail::is_clip<Policy>::value) <= 1,
                  "sinter: a trainer takes one train::only<\"...\">, whose pattern may say (a|b), and one of train::clip_value<1.0> and "
                  "train::clip_norm<1.0>");
    static_assert(((detail::is_choice<Policy>::value || detail::is_clip<Policy>::value) && ...),
                  "sinter: behind the optimizer a trainer takes train::only<\"...\">, train::clip_value<1.0> and train::clip_norm<1.0>");
  }

  // An eager step, with the gradients that backward() has left, divided by the number of examples.
  void step(double batch_size) {
    if (!(batch_size > 0 && batch_size <= progress::largest))
      throw error("sinter: trainer.step() takes the number of examples, by which gradients are divided");
    progress& now = *shared_;
    now.check_rates();
    std::string missing;
    bool any = false;
    now.each(
        [&](auto& p, std::string_view name, dims const&, std::size_t) {
          if (p.has_new_gradient()) any = true;
          else if (missing.empty() && p.get_grad_req() != grad_req::null) missing = name;
        },
        true);
    if (!any) throw error("sinter: trainer.step() finds no gradient that is newer than the last step; call backward() of a loss first");
    if (!missing.empty())
      throw error("sinter: trainer.step() finds no new gradient of " + missing +
                  ": the last backward() did not meet it; train::only<\"...\"> leaves parameters out");
    number const scale = scale_of(batch_size);
    std::vector<void*> state_at(static_cast<std::size_t>(progress::count * progress::slots + 1));
    now.each_state([&](auto& p, int n) { state_at[static_cast<std::size_t>(n)] = &p; });
    check_states(state_at);
    now.each(
        [&]<class T>(nn::parameter_of<T>& p, std::string_view, dims const&, std::size_t i) {
          if (buffer<T> const* const d = p.new_gradient())
            update(p, *d, static_cast<T>(scale), now.numbers_of(i), state_at.data() + i * static_cast<std::size_t>(progress::slots),
                   std::make_index_sequence<static_cast<std::size_t>(progress::numbers)>{},
                   std::make_index_sequence<static_cast<std::size_t>(progress::slots)>{});
        },
        false);
    ++now.updates;
  }
  // Forward pass, loss, mean over the batch, gradients and updates as one network, which is compiled. Without a loss the network gives it.
  template <class Backend = on_host<>, class Loss = no_loss, class... Compiled> auto compile(Loss const& loss = {}, Compiled... how) {
    if constexpr (check_updates()) {
      using block = detail::step_block<network, Loss, Optimizer, which, clip>;
      shared_->check_wanted();
      block b;
      b.net = shared_->net;
      b.loss = loss;
      b.states = shared_->states;
      auto fast = b.template hybridize<Backend>(how...);
      constexpr bool in_full = !detail::narrows_weights_of<decltype(fast)>;
      static_assert(in_full,
                    "sinter: a step of training changes its weights, so that they are not kept as weights::bf16 or weights::int8; these "
                    "are for inference, net.hybridize(weights::int8)");
      return train::step<block, decltype(fast), progress>(b, fast, shared_);
    } else return detail::refused_step{};
  }

  double learning_rate() const { return shared_->how.learning_rate; }
  double weight_decay() const { return shared_->how.weight_decay; }
  // For the steps that follow, compiled ones as well.
  void set_learning_rate(double rate) { shared_->how.learning_rate = rate; }
  void set_weight_decay(double decay) { shared_->how.weight_decay = decay; }
  // Rate and decay of the parameters whose names match are multiplied by this: trainer.set_lr_mult(".*bias", 2)
  void set_lr_mult(std::string_view pattern, double times) { multiply(shared_->rate_times, pattern, times); }
  void set_wd_mult(std::string_view pattern, double times) { multiply(shared_->decay_times, pattern, times); }
  // The number of updates so far.
  std::int64_t updates() const { return shared_->updates; }

  // Saves the optimizer state by the parameters' names, and the number of updates; the rates are not saved.
  void save_states(std::string const& path, io::save_options const& options = {}) const {
    typename progress::count_type count;
    nn::save_parameters(shared_->saved(count), path, options);
  }
  void load_states(std::string const& path, io::load_options const& options = {}) {
    typename progress::count_type count;
    auto const checked = [&] {
      std::int64_t const n = count.to_vector()[0];
      if (n < 0) throw error("sinter: \"" + path + "\": the number of updates must be at least 0; it is " + std::to_string(n));
      return n;
    };
    if (!options.by_order) {  // the number first, so that no state changes if it is wrong
      io::load_options one = options;
      one.ignore_extra = true;
      nn::parameter_dict alone;
      alone.add("updates", count, dims{});
      static_cast<void>(nn::load_parameters(alone, path, one));
      static_cast<void>(checked());
    }
    nn::parameter_dict all = shared_->saved(count);
    static_cast<void>(nn::load_parameters(all, path, options));
    shared_->updates = checked();
  }

 private:
  std::shared_ptr<progress> shared_;

  static auto const& network_in(Net const& net) {
    if constexpr (nn::is_hybridized<Net>) return net.network();
    else return net;
  }
  // One whose values are those of an earlier parameter, whose update is its own.
  template <class T> bool is_tied_before(nn::parameter_of<T>& p) {
    bool before = false, here = false;
    shared_->each(
        [&](auto& other, std::string_view, dims const&, std::size_t) {
          here = here || static_cast<void const*>(&other) == &p;
          before = before || (!here && other.identity() == p.identity());
        },
        false);
    return before;
  }
  // Throws before anything is updated, where states were made for parameters of other shapes.
  void check_states(std::vector<void*> const& state_at) {
    shared_->each(
        [&]<class T>(nn::parameter_of<T>& p, std::string_view name, dims const&, std::size_t i) {
          for (std::size_t j = 0; j < static_cast<std::size_t>(progress::slots); ++j) {
            auto& s = *static_cast<nn::parameter_of<T>*>(state_at[i * static_cast<std::size_t>(progress::slots) + j]);
            if (p.has_new_gradient() && s.has_values() && !(s.shape() == p.shape()))
              throw parameter_error("sinter: parameter " + std::string(name) + " has the shape " + to_string(p.shape()) +
                                    ", and the optimizer's state of it, perhaps from a file, the shape " + to_string(s.shape()));
          }
        },
        true);
  }
  // By what gradients are multiplied: 1 / batch size, or less where their norm would be too large. As in a compiled step.
  number scale_of(double batch_size) {
    number const one_of = number{1} / static_cast<number>(batch_size);
    if constexpr (!requires { clip::norm; }) return one_of;
    else {
      number total = 0;
      shared_->each(
          [&]<class T>(nn::parameter_of<T>& p, std::string_view, dims const&, std::size_t) {
            if (!p.has_new_gradient() || is_tied_before(p)) return;
            auto const g = nd::tensor<T, shape<dynamic>>::share(p.gradient(), dims{p.shape().size()}, true);
            nd::functions const F;
            auto const x = [&] {
              if constexpr (std::is_same_v<T, number>) return g;
              else return F.cast(g, as<number>);
            }();
            total = total + F.sum(F.square(x)).item();
          },
          false);
      number const norm = std::sqrt(total) * one_of, most = static_cast<number>(clip::norm);
      return one_of * (norm > most ? most / norm : number{1});
    }
  }
  template <std::size_t N> void multiply(std::array<double, N>& all, std::string_view pattern, double times) {
    nn::detail::pattern const wanted(pattern);
    bool any = false;
    shared_->each(
        [&](auto const&, std::string_view name, dims const&, std::size_t i) {
          if (wanted.matches(name)) all[i] = times, any = true;
        },
        true);
    if (!any) throw error("sinter: the pattern \"" + std::string(pattern) + "\" matches the name of no parameter that is trained");
  }
  template <class Is> static constexpr bool of_each_dtype(Is const& is) {
    bool all = true;
    for (detail::trained_one const& one : progress::trained_type::list)
      with_type(one.type, [&]<class T>(T* t) {
        if constexpr (is_floating(dtype_of<T>)) all = all && is(t);
      });
    return all;
  }
  static constexpr bool check_updates() {
    constexpr bool has_epsilon = of_each_dtype([]<class T>(T*) { return detail::holds_epsilon<Optimizer, T>(); });
    static_assert(has_epsilon,
                  "sinter: the epsilon of this optimizer is 0 in float16, so that a parameter whose gradient is 0 would become NaN; "
                  "train::adam<0.9, 0.999, 1e-4> has a larger one");
    constexpr bool elementwise = of_each_dtype([]<class T>(T*) { return detail::is_elementwise<Optimizer, clip, T>(); });
    static_assert(elementwise,
                  "sinter: the update of an optimizer is made of elementwise operations, so that it is the same for parameters of all "
                  "shapes; this one has another operation, as F.sum is one");
    return has_epsilon && elementwise;
  }
  template <class T, class Numbers, std::size_t... K, std::size_t... S>
  static void update(nn::parameter_of<T>& p, buffer<T> const& gradient, T scale, Numbers const& numbers, void* const* states,
                     std::index_sequence<K...>, std::index_sequence<S...>) {
    check_updates();
    using source = program<detail::update_source<Optimizer, clip, T>>;
    constexpr bool in_place = source::sizes.groups == 1;  // one kernel reads an element before it writes it
    using array = nd::tensor<T, detail::flat>;
    dims const extents = p.shape();
    auto const n = static_cast<std::size_t>(extents.size());
    executor::value<T>* const values[]{&p.value_in(extents), &static_cast<nn::parameter_of<T>*>(states[S])->value_in(extents)...};
    kernel::pointer to[sizeof...(S) + 2]{};
    T const* written[sizeof...(S) + 1];
    for (std::size_t i = 0; i <= sizeof...(S); ++i) {
      T* const next = values[i]->template for_next<device::cpu_t>(n, in_place);
      written[i] = next;
      to[i] = kernel::pointer(next);
    }
    auto const read = [&](std::size_t i) { return array::share(values[i]->on(n), dims{extents.size()}, true); };
    auto const one = [](auto v) { return nd::tensor<T, shape<>>(static_cast<T>(v)); };
    nd::detail::run_planned<source, device::cpu_t>(to, read(0), array::share(gradient, dims{extents.size()}, true),
                                                   nd::tensor<T, shape<>>(scale), one(numbers[K])..., read(S + 1)...);
    bool elsewhere = false;
    for (std::size_t i = 0; i <= sizeof...(S); ++i) elsewhere |= values[i]->template take_next<device::cpu_t>(written[i]);
    if (elsewhere) executor::value_epoch.fetch_add(1, std::memory_order_release);
  }
};
template <class Net, class... Rest> trainer(Net const&, Rest...) -> trainer<Net, Rest...>;

}  // namespace sinter::train
