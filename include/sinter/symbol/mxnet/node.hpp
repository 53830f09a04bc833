// SPDX-License-Identifier: Apache-2.0
// A node of MXNet's symbol JSON while it becomes operations, and the rows of the table that say how.
#pragma once
#include <functional>
#include <mutex>

#include "../../io/array.hpp"
#include "../../nn/space.hpp"
#include "../call.hpp"
#include "attributes.hpp"

namespace sinter::sym::mxnet {
inline namespace SINTER_ISA {

inline constexpr std::string_view format = "mxnet";

struct node_reader;
// An operation of MXNet: the name that files have, names that they may have, and how it is read. Without `read` it is the operation `same`
// of F, without attributes.
struct row {
  std::string_view name, aliases;
  operand_count operands;
  std::string_view same;
  symbols (*read)(node_reader&) = nullptr;
  int hidden = 0;  // results that only its gradient reads; they are counted in the file
};

// What the attributes of a node say of the shape of an operand.
struct wanted_shape {
  std::size_t operand;
  dims shape;
  std::string name, said;  // of the operand; and which attributes
  bool fits(dims const& actual) const { return may_equal(actual, shape); }
  std::string misfit(dims const& actual) const {
    return io::in_quotes(name) + " has the shape " + to_string(actual) + ", and " + said + " " + to_string(shape);
  }
};

inline void check_wanted(std::vector<wanted_shape> const& wants, operand_types types, std::string const& node = {}) {
  for (wanted_shape const& w : wants)
    if (dims const& actual = types.data[w.operand].shape; !w.fits(actual))
      throw shape_error("sinter: " + (node.empty() ? "" : node + ": ") + w.misfit(actual));
}

// What a row reads: the node, its inputs and attributes. What it composes has the name of the node, and knows what stood in the file.
struct node_reader {
  row const& of;
  std::string const& name;
  symbols in;
  attributes a;
  bool is_numpy = false;  // a file of the numpy mode: arrays may have rank 0
  std::shared_ptr<file_call const> read;
  std::vector<wanted_shape> wants{};

  void want(std::size_t operand, dims const& shape, std::initializer_list<char const*> attributes_of_it) {
    if (operand < in.size()) wants.push_back({operand, shape, in[operand].node(0).name, a.said(attributes_of_it)});
  }
  std::string title() const { return "node " + io::in_quotes(name) + " (" + read->op + ")"; }
  int inputs() const { return static_cast<int>(in.size()); }
  // One operation of F. `check` throws where the types of its operands do not fit the attributes.
  symbols direct(std::string_view op, symbols const& operands, keyword_values const& keywords = {},
                 std::function<void(operand_types)> const& check = {}) const {
    auto made = called_for(callable_named(op, name), operands, keywords, name);
    made->read = read;
    if (check)
      made->attributes = [check, attributes = made->attributes](operand_types types) {
        check(types);
        return attributes(types);
      };
    if (!wants.empty()) apply_wanted(*made);
    return compose(std::move(made), operands, name);
  }
  // One of MXNet, which `definition(in, types)` writes in terms of others when the types of the inputs are known.
  symbols written(std::function<symbols(symbols const&, operand_types)> definition, int results = 1) const {
    static std::map<std::string_view, op_info> infos;
    static std::mutex one_at_a_time;
    auto made = std::make_shared<called>();
    {
      std::lock_guard<std::mutex> const hold(one_at_a_time);
      made->op = &infos.try_emplace(of.name, sinter::detail::part(of.name, family::composite)).first->second;
    }
    made->results = results;
    made->first_promoted = -1;
    made->definition = std::move(definition);
    made->read = read;
    return compose(std::move(made), in, name);
  }

 private:
  // What is wanted of an operand is its shape where nobody knows it, and else it is compared.
  void apply_wanted(called& made) const {
    made.attributes = [title = title(), wants = wants, attributes = made.attributes](operand_types types) {
      check_wanted(wants, types, title);
      return attributes(types);
    };
    if (!made.complete) return;
    made.complete = [wants = wants, complete = made.complete](list<array_type>& types) {
      for (wanted_shape const& w : wants)
        if (dims& shape = types[static_cast<int>(w.operand)].shape; shape.rank < 0) shape = w.shape;
      complete(types);
    };
  }
};

// ---- what definitions are written with

inline symbol one(std::string_view op, symbols const& in, keyword_values const& keywords = {}) { return sym::call(op, in, keywords)[0]; }
inline symbol cast_to(symbol const& x, dtype t) { return one("cast", {x}, {{"as", t}}); }
// A number beside arrays of dtype t.
inline void check_beside(dtype t, double v) {
  if (is_floating(t) || (v >= -0x1p63 && v < 0x1p63 && v == static_cast<double>(static_cast<std::int64_t>(v)))) return;
  throw dtype_error("sinter: a number with a fraction beside an array of " + std::string(name_of(t)));
}
inline symbol number_beside(dtype t, double v) {
  check_beside(t, v);
  return is_floating(t) ? number_symbol(v) : number_symbol(static_cast<std::int64_t>(v));
}
// Indices and lengths, which MXNet keeps in floats, too: cut towards 0.
inline symbol as_index(symbol const& x, dtype t) { return t == dtype::int32 || t == dtype::int64 ? x : cast_to(x, dtype::int64); }
inline symbol as_truth(symbol const& x, dtype t) { return t == dtype::boolean ? x : one("not_equal", {x, number_beside(t, 0)}); }
inline symbol reshaped(symbol const& x, dims const& to) { return one("reshape", {x}, {{"into", to}}); }
inline int_list ints_of(whole_numbers const& all) {
  if (all.size() > static_cast<std::size_t>(max_rank)) throw error("sinter: a list of more than eight numbers");
  int_list r;
  for (std::int64_t const v : all) r.push(v);
  return r;
}
inline dims dims_of(whole_numbers const& all) {
  dims r;
  for (std::int64_t const v : ints_of(all).n == 0 ? whole_numbers{} : all) {
    if (v < 0) throw shape_error("sinter: a shape with a negative extent");
    r.push(v);
  }
  return r;
}
// An extent that a definition computes with.
inline extent known_extent(dims const& shape, int axis) {
  if (shape.d[axis] < 0) throw shape_error("sinter: axis " + std::to_string(axis) + " of " + to_string(shape) + " must be a number here");
  return shape.d[axis];
}
inline int axis_within(std::int64_t axis, int rank) {
  int const p = ops::place(axis, rank);
  if (p < 0) throw shape_error("sinter: there is no axis " + std::to_string(axis) + " among " + std::to_string(rank));
  return p;
}

}  // namespace SINTER_ISA
}  // namespace sinter::sym::mxnet
