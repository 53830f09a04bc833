// SPDX-License-Identifier: Apache-2.0
// What a call of a network makes of its input, block by block, as Gluon's summary: std::cout << net.summary(x)
#pragma once
#include "apply.hpp"
#include "eager.hpp"
#include "print.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
class call_table final : public call_observer {
 public:
  // A block of the network, before its calls.
  void add_type(void const* block, void const* type, std::string_view name) { blocks_.push({block, type, std::string(name), "", 0}); }
  void add_path(void const* block, void const* type, std::string_view path) {
    if (known* const k = find(block, type)) k->path = path;
  }
  void called(void const* block, void const* type, list<dims> const& results) override {
    std::string shapes;
    for (dims const& s : results) shapes += (shapes.empty() ? "" : ", ") + to_string(s);
    calls_.push({block, type, shapes.empty() ? "no tensor" : shapes});
  }
  // A parameter, after the call: its block is the one whose path is before its last dot.
  void add_parameter(std::string_view name, dims const& shape, bool is_trained, void const* identity) {
    std::size_t const dot = name.rfind('.');
    std::string_view const path = dot == name.npos ? std::string_view{} : name.substr(0, dot);
    if (!shape.fixed()) {
      ++unknown_;
      return;
    }
    for (known& k : blocks_)
      if (k.path == path) k.parameters += shape.size();
    for (void const* const m : met_)
      if (m == identity) {
        shared_ += shape.size();
        return;
      }
    met_.push(identity);
    (is_trained ? trained_ : others_) += shape.size();
  }
  std::string text(std::string const& input) const {
    std::string s = std::string(width, '-') + "\n" + row("Layer (type)", "Output shape", "Parameters") + std::string(width, '=') + "\n" +
                    row("input", input, "0");
    for (call const& c : calls_)
      if (known const* const k = find(c.block, c.type))
        s += row(k->path + (k->path.empty() ? "(" : " (") + k->name + ")", c.shapes, std::to_string(k->parameters));
    s += std::string(width, '=') + "\nparameters " + std::to_string(trained_ + others_) + "\n  trainable " + std::to_string(trained_) +
         "\n  not trainable " + std::to_string(others_) + "\n";
    if (unknown_ > 0) s += "  and " + std::to_string(unknown_) + " whose shapes are not known: this call has not reached them\n";
    if (shared_ > 0) s += "  shared, counted once " + std::to_string(shared_) + "\n";
    return s + std::string(width, '-') + "\n";
  }

 private:
  static constexpr std::size_t width = 80, of_name = 40, of_shape = 28;
  struct known {
    void const *block = nullptr, *type = nullptr;
    std::string name, path;
    extent parameters = 0;
  };
  struct call {
    void const *block = nullptr, *type = nullptr;
    std::string shapes;
  };
  list<known> blocks_;
  list<call> calls_;
  list<void const*> met_;
  extent trained_ = 0, others_ = 0, shared_ = 0;
  int unknown_ = 0;  // parameters

  known const* find(void const* block, void const* type) const {
    for (known const& k : blocks_)
      if (k.block == block && k.type == type) return &k;
    return nullptr;
  }
  known* find(void const* block, void const* type) { return const_cast<known*>(std::as_const(*this).find(block, type)); }
  // Columns, with a space between them where one is too long.
  static std::string row(std::string s, std::string const& shape, std::string const& number) {
    s += std::string(s.size() < of_name ? of_name - s.size() : 1, ' ') + shape;
    std::size_t const used = s.size() + number.size();
    return s + std::string(used < width ? width - used : 1, ' ') + number + "\n";
  }
};
// Observes while it is there.
class observed {
 public:
  explicit observed(call_observer& o) : before_(std::exchange(observer_of_calls, &o)) {}
  observed(observed const&) = delete;
  observed& operator=(observed const&) = delete;
  ~observed() { observer_of_calls = before_; }

 private:
  call_observer* before_;
};

template <class X> auto example_of(X const& x) { return x; }
template <auto... D> auto example_of(shape<D...>) {
  static_assert(shape<D...>::fixed, "sinter: summary(x) runs the network, so a dynamic dimension needs a tensor that has a number for it");
  if constexpr (shape<D...>::fixed) return nd::tensor<float, shape<D...>>{};
}
template <class M> inline constexpr bool has_compiled = compiled_block<M>;
template <class A, class B> inline constexpr bool has_compiled<fork<A, B>> = has_compiled<A> || has_compiled<B>;
template <class... M> constexpr bool any_compiled(children_list<M...>) { return (has_compiled<M> || ...); }
template <plain_block M> inline constexpr bool has_compiled<M> = [] {
  if constexpr (has_children<M>) return has_compiled<decltype(M::children)>;
  else if constexpr (has_members<M>) return any_compiled(members_of<M>{});
  else return false;
}();
}  // namespace detail::inline SINTER_ISA

template <class D> template <class X, class... More> std::string block_functions<D>::summary(X const& x, More const&... more) const {
  static_assert(
      !detail::has_compiled<D>,
      "sinter: a compiled network does not run layer by layer; ask the network that it was made of for summary(x), and the compiled "
      "one for report(x)");
  if constexpr (!detail::has_compiled<D>) {
    detail::call_table table;
    apply([&]<class M>(M const& m) {
      table.add_type(&m, &type_tag<M>, detail::name_of_type<std::conditional_t<has_children<M>, typename M::block_type, M>>());
    });
    visit_parameters(
        self(), [](auto const&, std::string_view) {},
        [&](void const* block, void const* type, std::string_view path) { table.add_path(block, type, path); });
    auto const input = detail::example_of(x);
    {
      detail::observed const now(table);
      self()(input, detail::example_of(more)...);
    }
    visit_parameters(self(), [&](auto& p, std::string_view name, dims const& declared) {
      table.add_parameter(name, p.shape().rank < 0 ? declared : p.shape(), p.kind() == role::parameter, p.identity());
    });
    list<dims> shapes;
    detail::note_shapes(input, shapes);
    return table.text(shapes.empty() ? "no tensor" : to_string(shapes[0]));
  }
}

}  // namespace sinter::nn
