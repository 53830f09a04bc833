// SPDX-License-Identifier: Apache-2.0
// oneDNN 2: a chain of operations is a primitive with more of them after it, weights lie as it likes them.
#include <dnnl.hpp>

#include "other.hpp"

using namespace others;
using dnnl::algorithm;
using dnnl::memory;
using tag = memory::format_tag;
using kind = dnnl::prop_kind;

static dnnl::engine const cpu(dnnl::engine::kind::cpu, 0);
static dnnl::stream stream(cpu);

static memory::desc floats(memory::dims const& dims, tag t) { return {dims, memory::data_type::f32, t}; }
static memory view(array const& a, memory::dims const& dims, tag t) { return {floats(dims, t), cpu, a.get()}; }

struct step {
  dnnl::primitive what;
  std::unordered_map<int, memory> with;
};
static work run(std::vector<step> steps) {
  return [steps]() mutable {
    for (step& s : steps) s.what.execute(stream, s.with);
    stream.wait();
  };
}

static work network(row const& r) {
  std::vector<step> steps;
  memory x = view(r.inputs[0], {r.height, r.width}, tag::nc);
  for (layer const& l : r.layers) {
    memory const w = view(l.weights, {l.out, l.in}, tag::oi), b = view(l.bias, {l.out}, tag::x);
    memory::desc const to = floats({r.height, l.out}, tag::nc);
    dnnl::primitive_attr attributes;
    dnnl::post_ops after;
    if (l.after != activation::none)
      after.append_eltwise(1, l.after == activation::relu ? algorithm::eltwise_relu : algorithm::eltwise_tanh, 0, 0);
    attributes.set_post_ops(after);
    using product = dnnl::inner_product_forward;
    product::primitive_desc const plan({kind::forward_inference, x.get_desc(), floats({l.out, l.in}, tag::any), b.get_desc(), to},
                                       attributes, cpu);
    memory packed(plan.weights_desc(), cpu), y = &l == &r.layers.back() ? memory(to, cpu, r.result.get()) : memory(to, cpu);
    dnnl::reorder(w, packed).execute(stream, const_cast<memory&>(w), packed);
    stream.wait();
    steps.push_back({product(plan), {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, packed}, {DNNL_ARG_BIAS, b}, {DNNL_ARG_DST, y}}});
    x = y;
  }
  return chained(r, [r, f = run(steps)] { f(); });
}

// An operation and, appended to it, the others: with a number, or of one operand alone. (Several appended eltwise_linear all take the
// numbers of the first, in 2.6.3.)
static work chain(row const& r, std::vector<std::pair<algorithm, float>> const& operations) {
  memory const x = view(r.inputs[0], {r.result.size}, tag::x), y = view(r.result, {r.result.size}, tag::x);
  std::unordered_map<int, memory> with{{DNNL_ARG_SRC_0, x}, {DNNL_ARG_DST, y}};
  memory::desc const one = floats({1}, tag::x);
  dnnl::post_ops after;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    auto const [what, number] = operations[i];
    if (what == algorithm::binary_add || what == algorithm::binary_mul) {
      memory const m(one, cpu);
      *static_cast<float*>(m.get_data_handle()) = number;
      with[i == 0 ? DNNL_ARG_SRC_1 : DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(i) - 1) | DNNL_ARG_SRC_1] = m;
      if (i > 0) after.append_binary(what, one);
    } else {
      after.append_eltwise(1, what, 0, 0);
    }
  }
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(after);
  return run({{dnnl::binary({{operations[0].first, x.get_desc(), one, y.get_desc()}, attributes, cpu}), with}});
}

static work make(row const& r) {
  if (!r.layers.empty()) return network(r);
  memory const x = view(r.inputs[0], {r.height, r.width}, tag::ab), y = view(r.result, {r.height, r.width}, tag::ab);
  memory const second = r.inputs.size() > 1 ? view(r.inputs[1], {r.inputs[1].size / r.width, r.width}, tag::ab) : memory();
  std::unordered_map<int, memory> const one_to_one{{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}};
  auto const add = algorithm::binary_add, multiply = algorithm::binary_mul, relu = algorithm::eltwise_relu;
  if (r.kind == "cheap")
    return chain(
        r, {{multiply, 1.5f}, {add, 0.25f}, {relu, 0.0f}, {multiply, 0.75f}, {add, -1.0f}, {add, 0.125f}, {relu, 0.0f}, {multiply, 3.0f}});
  if (r.kind == "dear")
    return chain(r, {{multiply, 1.5f},
                     {add, 0.25f},
                     {algorithm::eltwise_logistic, 0.0f},
                     {multiply, 0.75f},
                     {add, -1.0f},
                     {algorithm::eltwise_tanh, 0.0f},
                     {add, 0.125f},
                     {multiply, 3.0f}});
  if (r.kind == "gelu" || r.kind == "gelu_tanh") {
    algorithm const a = r.kind == "gelu" ? algorithm::eltwise_gelu_erf : algorithm::eltwise_gelu_tanh;
    using f = dnnl::eltwise_forward;
    return run({{f(f::primitive_desc({kind::forward_inference, a, x.get_desc(), 0, 0}, cpu)), one_to_one}});
  }
  if (r.kind == "softmax") {
    using f = dnnl::softmax_forward;
    return run({{f(f::primitive_desc({kind::forward_inference, x.get_desc(), 1}, cpu)), one_to_one}});
  }
  if (r.kind == "log_softmax") {
    using f = dnnl::logsoftmax_forward;
    return run({{f(f::primitive_desc({kind::forward_inference, x.get_desc(), 1}, cpu)), one_to_one}});
  }
  if (r.kind == "layer_norm") {
    using f = dnnl::layer_normalization_forward;
    using flag = dnnl::normalization_flags;
    f::primitive_desc const plan({kind::forward_inference, x.get_desc(), 1e-5f, flag::use_scale | flag::use_shift}, cpu);
    return run({{f(plan),
                 {{DNNL_ARG_SRC, x},
                  {DNNL_ARG_DST, y},
                  {DNNL_ARG_SCALE, view(r.inputs[1], {r.width}, tag::x)},
                  {DNNL_ARG_SHIFT, view(r.inputs[2], {r.width}, tag::x)}}}});
  }
  if (r.kind == "matmul") {
    dnnl::matmul::primitive_desc const plan({x.get_desc(), second.get_desc(), y.get_desc()}, cpu);
    return run({{dnnl::matmul(plan), {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, second}, {DNNL_ARG_DST, y}}}});
  }
  if (r.kind == "add") {
    dnnl::binary::primitive_desc const plan({algorithm::binary_add, x.get_desc(), second.get_desc(), y.get_desc()}, cpu);
    return run({{dnnl::binary(plan), {{DNNL_ARG_SRC_0, x}, {DNNL_ARG_SRC_1, second}, {DNNL_ARG_DST, y}}}});
  }
  return nullptr;
}

int main() {
  std::ostringstream name;
  name << "oneDNN " << dnnl_version()->major << '.' << dnnl_version()->minor << '.' << dnnl_version()->patch;
  return serve(name.str(), make);
}
