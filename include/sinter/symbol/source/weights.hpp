// SPDX-License-Identifier: Apache-2.0
// The parameters of a network as one of the policies of weights keeps them: what sinter_add_model embeds with WEIGHTS.
#pragma once
#include "../../backend/xsimd/product/narrow.hpp"
#include "../../io/narrow.hpp"
#include "../../plan/make.hpp"
#include "network.hpp"

namespace sinter::sym::source {
inline namespace SINTER_ISA {

enum class weight_format { full, bf16, int8 };
inline weight_format weight_format_named(std::string const& s) {
  if (s == "bf16") return weight_format::bf16;
  if (s == "int8") return weight_format::int8;
  throw error("sinter: WEIGHTS must be bf16 or int8, and is " + in_sentence(s));
}
// The type of the policy, or nothing.
inline std::string policy_of(weight_format f) {
  switch (f) {
    case weight_format::full: return "";
    case weight_format::bf16: return "sinter::weights::bf16_format";
    case weight_format::int8: return "sinter::weights::int8_format";
  }
  throw error("sinter: there is no such format of weights");
}

// A matrix of weights: n outputs of k inputs, those of one output beside each other or n apart.
struct weight_matrix {
  std::size_t n = 0, k = 0;
  bool by_output = true;
  bool operator==(weight_matrix const&) const = default;
};
// The parameters of a network that its plan reads as weights of float32 products, and in no other way. These are what a policy keeps in
// fewer bits.
class weights_of_products {
 public:
  static std::map<std::string, weight_matrix> of(model const& m) {
    types_by_name read;
    for (std::string const& name : m.outputs.list_arguments())
      if (auto const at = m.types.find(name); at != m.types.end()) read.insert(*at);
    typed_graph const typed(m.outputs, read);
    weights_of_products all(typed);
    plan const p = make_plan(typed.g);
    all.note(p);
    for (plan const& body : p.bodies) all.note(body);
    for (std::string const& name : all.others_) all.found_.erase(name);
    return std::move(all.found_);
  }

 private:
  typed_graph const& typed_;
  std::map<std::string, weight_matrix> found_;
  std::set<std::string> others_;

  explicit weights_of_products(typed_graph const& typed) : typed_(typed) {}
  void note(plan const& p) {
    for (int i = 0; i < p.groups.size(); ++i)
      for (int j = 0; j < p.groups[i].operands.n; ++j) {
        buffer_info const& b = p.buffers[p.operands[p.groups[i].operands.at + j].buffer];
        if (b.where != storage::parameter) continue;
        std::string const& name = typed_.parameters[static_cast<std::size_t>(p.parameter_at[b.index])].node->name;
        auto const w = matrix(p, i, j, b);
        if (!w || found_.try_emplace(name, *w).first->second != *w) others_.insert(name);
      }
  }
  static std::optional<weight_matrix> matrix(plan const& p, int i, int j, buffer_info const& b) {
    sinter::group const& q = p.groups[i];
    operand const& o = p.operands[q.operands.at + j];
    auto const is_it = [&](preparation const& w) { return w.group == i && w.operand == j; };
    bool const float32 = q.kind == kernel_kind::product && q.map < 0 && o.type == dtype::float32 && o.offset == place_sum{} &&
                         sinter::detail::product_of(p, q)->type == dtype::float32;
    if (!float32 || std::none_of(p.preparations.begin(), p.preparations.end(), is_it)) return std::nullopt;
    sinter::size const n = q.extents[q.rank - 2], k = q.extents[q.rank - 1], every = n * k;
    for (int l = 0; l < q.rank - 2; ++l)
      if (o.stride[l] != sinter::size{}) return std::nullopt;
    if (!n.fixed() || !k.fixed() || b.elements != every || every.k == 0) return std::nullopt;
    sinter::size const of_n = o.stride[q.rank - 2], of_k = o.stride[q.rank - 1], one{1, 0};
    weight_matrix r{static_cast<std::size_t>(n.k), static_cast<std::size_t>(k.k), true};
    if ((n == one || of_n == k) && (k == one || of_k == one)) return r;
    r.by_output = false;
    if ((n == one || of_n == one) && (k == one || of_k == n)) return r;
    return std::nullopt;
  }
};

// An array of such weights as the policy keeps them, each in its place.
class narrowing {
 public:
  // Adds them to `all`; the array itself where what is read again would not be the same.
  static void add(std::vector<io::array>& all, io::array const& a, weight_matrix const& w, weight_format f) {
    if (f == weight_format::bf16) return all.push_back(bf16(a));
    auto [q, largest] = int8(a, w);
    auto [again, largest_again] = int8(io::widened(q, largest), w);
    bool const same = q.data == again.data && scales(largest) == scales(largest_again);
    if (!same) return all.push_back(a);
    all.push_back(std::move(q));
    all.push_back(std::move(largest));
  }

 private:
  template <class W> using form = simd::product_detail::narrow<W>;

  static float const* floats(io::array const& a) { return reinterpret_cast<float const*>(a.data.data()); }
  // Bits, because they may be NaN.
  static std::vector<std::uint32_t> scales(io::array const& largest) {
    std::vector<std::uint32_t> r;
    r.reserve(largest.data.size() / 4);
    for (std::size_t i = 0; i < largest.data.size() / 4; ++i) r.push_back(std::bit_cast<std::uint32_t>(floats(largest)[i] / 127));
    return r;
  }
  static io::array bf16(io::array const& a) {
    io::array r{a.name, dtype::bfloat16, a.shape, std::vector<std::byte>(a.data.size() / 2)};
    for (std::size_t i = 0; i < a.data.size() / 4; ++i) {
      auto const v = form<weights::bf16_format>::rounded(floats(a)[i], 1);
      std::memcpy(r.data.data() + 2 * i, &v, 2);
    }
    return r;
  }
  static std::pair<io::array, io::array> int8(io::array const& a, weight_matrix const& w) {
    using to = form<weights::int8_format>;
    auto const n = static_cast<extent>(w.n);
    io::array q{a.name, dtype::int8, a.shape, std::vector<std::byte>(w.n * w.k)};
    io::array largest{a.name + std::string(io::largest_suffix), dtype::float32, {}, std::vector<std::byte>(4 * w.n)};
    largest.shape = w.by_output ? std::vector<extent>{n, 1} : std::vector<extent>{1, n};
    for (std::size_t j = 0; j < w.n; ++j) {
      std::size_t const first = w.by_output ? j * w.k : j, step = w.by_output ? 1 : w.n;
      float const scale = to::scale_of(floats(a) + first, static_cast<std::ptrdiff_t>(step), static_cast<std::ptrdiff_t>(w.k));
      float most = scale == scale ? 0 : scale;
      for (std::size_t i = 0; i < w.k; ++i) {
        float const v = floats(a)[first + i * step];
        if (most == most) most = std::max(most, std::abs(v));
        q.data[first + i * step] = std::bit_cast<std::byte>(to::rounded(v, scale));
      }
      std::memcpy(largest.data.data() + 4 * j, &most, 4);
    }
    return {std::move(q), std::move(largest)};
  }
};
inline std::vector<io::array> narrowed(std::vector<io::array> const& parameters, model const& m, weight_format f) {
  auto const all = weights_of_products::of(m);
  std::vector<io::array> r;
  for (io::array const& a : parameters) {
    if (a.name.ends_with(io::largest_suffix))
      throw error("sinter: WEIGHTS: no parameter may have a name that ends in " + io::in_quotes(io::largest_suffix) + ", as " +
                  io::in_quotes(a.name) + " has");
    if (auto const w = all.find(a.name); w != all.end()) narrowing::add(r, a, w->second, f);
    else r.push_back(a);
  }
  return r;
}

}  // namespace SINTER_ISA
}  // namespace sinter::sym::source
