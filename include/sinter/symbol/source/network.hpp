// SPDX-License-Identifier: Apache-2.0
// A symbol as the C++ text of a network: a hybrid_block whose hybrid_forward calls the same operations, one in a line, under the names that
// they have in the file.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>

#include "../../core/reshape_codes.hpp"
#include "../typed.hpp"
#include "spelling.hpp"

namespace sinter::sym::source {
inline namespace SINTER_ISA {

// What is to be written.
struct model {
  std::string name;  // of the type
  std::string file;  // it comes from there, which a comment says
  symbol outputs;
  std::vector<std::string> output_names;
  std::vector<std::string> input_names;  // variables that a call gives, in this order
  types_by_name types;  // of the inputs; empty where the shapes are left to the calls
};
// How INPUTS says them.
inline std::string example_of_inputs(std::vector<std::string> const& names) {
  std::string r = "INPUTS";
  for (std::string const& name : names) r += " " + in_sentence(name + "=float32(batch, 64)");
  return r;
}
struct variable {
  std::string name, member;  // in the file, and in the network: of a parameter an enumerator
  array_type type;
  composed const* node = nullptr;
};
struct written {
  std::string text;  // of the header
  std::vector<variable> inputs, parameters;
  std::vector<array_type> outputs;  // where the shapes are known
};

class network_writer final : typing_observer {
 public:
  static written write(model const& m) { return network_writer(m).run(); }

 private:
  model const& m_;
  written to_;
  identifiers names_;
  std::map<std::pair<composed const*, int>, std::string> values_;
  std::string body_, indent_ = "    ";
  std::vector<std::pair<std::string, std::string>> outer_;  // bodies that are open: text and indent of what is around
  std::vector<std::vector<std::string>> bodies_;  // of control flow that is written now
  std::set<std::string> words_;
  std::map<std::string, std::string> variable_in_;  // what is read of a variable, and its name
  std::map<std::string, dims> shapes_;  // of what is read, as types say them
  std::set<std::string> read_;  // variables
  std::string inside_;  // the node whose definition is written

  explicit network_writer(model const& m) : m_(m) {
    names_.reserve(m.name);
    for (auto const& [name, type] : m.types)
      for (int i = 0; i < type.shape.rank; ++i)
        if (is_named(type.shape.d[i])) names_.reserve(name_of_extent(type.shape.d[i]));
  }

  written run() {
    std::optional<typed_graph> typed;
    if (!m_.types.empty()) {
      types_by_name read;  // an input may be one that nothing reads
      for (std::string const& name : m_.outputs.list_arguments())
        if (auto const at = m_.types.find(name); at != m_.types.end()) read.insert(*at);
      typed.emplace(m_.outputs, read);
      find_variables(&*typed);
      typed.emplace(m_.outputs, read, static_cast<typing_observer*>(this));
    } else find_variables(nullptr);
    for (composed const* k : m_.outputs.nodes())
      if (!typed) untyped(*k);
    std::string results;
    for (int i = 0; i < m_.outputs.outputs(); ++i) {
      composed const& k = m_.outputs.node(i);
      std::string const r = value_of(m_.outputs[i]);
      results += (i ? ", " : "") + (k.is_variable() ? "F.identity(" + r + ")" : r);
      if (!typed) continue;
      array_type const& t = typed->g.nodes[typed->g.outputs[i]].type;
      to_.outputs.push_back({t.type, ops::as_typed(t.shape)});
    }
    body_ += indent_ + "return " + (m_.outputs.outputs() == 1 ? results : "std::tuple(" + results + ")") + ";\n";
    to_.text = text();
    return std::move(to_);
  }

  // ---- variables

  void find_variables(typed_graph const* typed) {
    std::map<composed const*, array_type> types;
    if (typed)
      for (auto const& v : typed->variables) types[v.node] = {v.type.type, ops::as_typed(v.type.shape)};
    std::map<std::string, composed const*> nodes;
    for (composed const* k : m_.outputs.nodes()) {
      if (k->key >= 0) throw error("sinter: " + k->name + " draws random numbers, which networks from files do not");
      if (k->is_variable()) nodes.emplace(k->name, k);
    }
    for (std::string const& name : m_.input_names) {
      variable v{name, names_.fresh(name), {}, nullptr};
      if (auto const given = m_.types.find(name); given != m_.types.end()) v.type = given->second;
      if (v.type.type == dtype::none) v.type.type = dtype::float32;
      if (auto const at = nodes.find(name); at != nodes.end()) {
        v.node = at->second;
        values_[{v.node, 0}] = v.member;
        if (typed) v.type = types.at(v.node);
        nodes.erase(at);
      }
      to_.inputs.push_back(std::move(v));
    }
    for (composed const* k : m_.outputs.nodes()) {
      if (!k->is_variable() || !nodes.contains(k->name)) continue;
      variable p{k->name, names_.fresh(k->name), k->type, k};
      if (typed) p.type = types.at(k);
      else if (k->known_shape) p.type.shape = k->known_shape();
      if (p.type.type == dtype::none) p.type.type = dtype::float32;
      if (!p.type.shape.fixed())
        throw shape_error("sinter: the shape of parameter `" + k->name +
                          "` is not known; give the file of the parameters (PARAMS) or the shapes of the inputs (INPUTS)");
      to_.parameters.push_back(std::move(p));
    }
    for (variable const& p : to_.parameters) {
      words_.insert("shape");
      values_[{p.node, 0}] = "F.get(at<" + p.member + ">(), " + spelled_fixed(p.type.shape).substr(8) + "{})";
    }
  }

  // ---- operations

  std::string value_of(symbol const& s) {
    composed const& k = s.node(0);
    if (k.is_number) return spelled(k.value);
    auto const at = values_.find({&k, s.index(0)});
    if (at == values_.end()) throw error("sinter: " + k.name + " has no value here");
    if (auto const variable = variable_in_.find(at->second); variable != variable_in_.end()) read_.insert(variable->second);
    return at->second;
  }
  void line(std::string const& s) { body_ += indent_ + s + "\n"; }
  // The words of sinter in a keyword, which the function declares. (With all of them, by a using-directive, `open` would also be that of
  // the system.)
  void note_words(std::string_view s) {
    words_.emplace(s.substr(0, s.find('<')));
    for (char const* inner : {"open", "borders", "parts_of", "interpolation"})
      if (s.find(inner) != std::string_view::npos) words_.emplace(inner);
  }
  // What a definition computes has the name of its node.
  std::string begin_line(composed const& k) { return names_.fresh(inside_.empty() || k.is_named ? k.name : inside_); }
  // A variable, which a mark precedes until it is known whether anything reads it.
  void declare(std::string const& name, std::string const& rest) { line("\1" + name + "\2auto const " + name + " = " + rest); }
  std::string without_marks(std::string const& s) const {
    std::string r;
    for (std::size_t at = 0;;) {
      std::size_t const mark = s.find('\1', at);
      r += s.substr(at, mark - at);
      if (mark == std::string::npos) return r;
      std::size_t const end = s.find('\2', mark);
      if (!read_.contains(s.substr(mark + 1, end - mark - 1))) r += "[[maybe_unused]] ";
      at = end + 1;
    }
  }
  void give(composed const& k, std::string const& name, int results, bool several) {
    for (int i = 0; i < results; ++i) set(k, i, name, several ? "std::get<" + std::to_string(i) + ">(" + name + ")" : name);
  }
  void set(composed const& k, int i, std::string const& variable, std::string text) {
    variable_in_[text] = variable;
    values_[{&k, i}] = std::move(text);
  }
  // Of an extent that is computed from others a type says only that it is dynamic, also where the graph knows the extent by a name: what must
  // know more would not compile. The results' types.
  static list<array_type> results_by_types(called const& c, keyword_values const& keywords, list<array_type> const& typed) {
    dimension_table t;
    t.typed = true;
    list<array_type> const declared = ops::declared({typed.data(), typed.size()}, t);
    operand_types const known{declared.data(), declared.size()};
    words attributes = c.attributes(known);
    bool ok = true;
    for (auto const& [key, value] : keywords)
      if (dims const* const to = std::get_if<dims>(&value)) {
        for (int i = 0; i < to->rank; ++i) ok = ok && (!is_named(to->d[i]) || !(t.size_of(to->d[i]) == size{}));
        if (*c.op == ops::info<ops::reshape>) attributes = pack(ops::reshape::attributes{*to});
      }
    inferred const found = c.op->infer(known, attributes.data(), t);
    if (!ok || found.what != problem::none)
      throw shape_error("sinter: it needs an extent that is computed from others, and the type of its operand does not say how");
    list<array_type> r;
    for (int i = 0; i < c.results; ++i) {
      array_type const one = c.op->several ? c.op->result(i, known, attributes.data(), found.type) : found.type;
      r.push({one.type, ops::as_typed(one.shape)});
    }
    return r;
  }
  array_type typed(symbol const& s, array_type const& in_graph) {
    auto const at = shapes_.find(value_of(s));
    return {in_graph.type, at == shapes_.end() ? ops::as_typed(in_graph.shape) : at->second};
  }
  void operation(composed const& k, operand_types in) override {
    called const& c = *k.call;
    if (!c.as_given)
      throw error("sinter: " + k.name + " (" + std::string(c.op->name) + ") cannot be written: its keywords are those of a program");
    std::string call, name = begin_line(k);
    for (symbol const& s : k.in) call += (call.empty() ? "" : ", ") + value_of(s);
    list<array_type> operands, results;
    try {
      for (int i = 0; i < in.n; ++i) operands.push(typed(k.in[static_cast<std::size_t>(i)], in[i]));
      keyword_values keywords = c.keywords;
      if (*c.op == ops::info<ops::reshape>)
        for (auto& [key, value] : keywords)
          if (dims* const to = std::get_if<dims>(&value)) *to = with_one_open(*to, operands.empty() ? dims{} : operands[0].shape);
      if (!m_.types.empty()) results = results_by_types(c, keywords, operands);
      for (auto const& [key, value] : keywords)
        if (std::string const w = keyword_speller::spell(key, value); !w.empty()) {
          call += (call.empty() ? "" : ", ") + w;
          note_words(w);
        }
    } catch (error& e) {
      e.set_layer(inside_.empty() ? k.name : inside_);
      throw;
    }
    std::string note;
    if (inside_.empty() && name != k.name && k.is_named) note = "  // " + in_string(k.name);
    declare(name, "F." + std::string(c.op->name) + "(" + call + ");" + note);
    give(k, name, c.results, c.op->several);
    for (int i = 0; i < results.size(); ++i) shapes_[values_.at({&k, i})] = results[i].shape;
  }
  void enter_definition(composed const& k, std::vector<symbol> const& in) override {
    for (std::size_t i = 0; i < in.size(); ++i) values_[{&in[i].node(0), 0}] = value_of(k.in[i]);
    if (!inside_.empty()) return;
    inside_ = k.name;
    line("// " + in_string(k.name) + (k.call->read ? ", " + in_string(k.call->read->op) : ""));
    definition_ = &k;
  }
  void leave_definition(composed const& k, symbol const& out) override {
    for (int i = 0; i < out.outputs(); ++i) values_[{&k, i}] = values_.at({&out.node(i), out.index(i)});
    if (definition_ == &k) inside_.clear(), definition_ = nullptr;
  }
  composed const* definition_ = nullptr;

  // Without types: what a file's operation means may depend on them.
  void untyped(composed const& k) {
    if (k.bodies || (k.call && k.call->definition))
      throw error("sinter: node `" + k.name + "`" + (k.call->read ? " (" + k.call->read->op + ")" : "") +
                  ": what it does depends on the shapes of its operands; say those of the inputs: " + example_of_inputs(m_.input_names));
    if (k.call) operation(k, {nullptr, 0});
  }

  // ---- control flow: sequences, states and results are tuples

  static std::string tuple_of(std::vector<std::string> const& all) {
    std::string r = "std::tuple(";
    for (std::size_t i = 0; i < all.size(); ++i) r += (i ? ", " : "") + all[i];
    return r + ")";
  }
  void enter_body(composed const& k, body const& b) override {
    std::string_view const op = k.call->op->name;
    outer_.emplace_back(std::move(body_), indent_);
    body_.clear();
    indent_ += "  ";
    std::vector<std::string> head;
    if (op == ops::foreach::name) {
      std::string const slices = names_.fresh("slices"), states = names_.fresh("states");
      head = {slices, states};
      for (std::size_t i = 0; i < b.arguments.size(); ++i) {
        bool const slice = i < static_cast<std::size_t>(k.bodies->sequences);
        std::size_t const at = slice ? i : i - static_cast<std::size_t>(k.bodies->sequences);
        values_[{&b.arguments[i].node(0), 0}] = "std::get<" + std::to_string(at) + ">(" + (slice ? slices : states) + ")";
      }
    } else if (op == ops::while_loop::name)
      for (symbol const& a : b.arguments) {
        head.push_back(names_.fresh("state"));
        values_[{&a.node(0), 0}] = head.back();
      }
    bodies_.push_back(std::move(head));
  }
  void leave_body(composed const& k, body const& b) override {
    std::string_view const op = k.call->op->name;
    std::vector<std::string> all;
    all.reserve(b.outputs.size());
    for (symbol const& s : b.outputs) all.push_back(s.node(0).is_variable() ? "F.identity(" + value_of(s) + ")" : value_of(s));
    if (op == ops::cond::name) line("return " + tuple_of(all) + ";");
    else {  // of a while_loop the last is the condition of the next turn, one more state
      auto const stacked = static_cast<std::ptrdiff_t>(all.size()) - k.bodies->states - (op == ops::while_loop::name ? 1 : 0);
      line("return std::tuple(" + tuple_of({all.begin(), all.begin() + stacked}) + ", " + tuple_of({all.begin() + stacked, all.end()}) +
           ");");
    }
    bodies_.back().push_back(std::move(body_));
    std::tie(body_, indent_) = std::move(outer_.back());
    outer_.pop_back();
  }
  void control_flow(composed const& k) override {
    region const& r = *k.bodies;
    std::vector<std::string> in;
    in.reserve(static_cast<std::size_t>(r.operands));
    for (int i = 0; i < r.operands; ++i) in.push_back(value_of(k.in[static_cast<std::size_t>(i)]));
    std::string const name = begin_line(k), end = indent_ + "}";
    std::vector<std::string> const b = std::move(bodies_.back());
    bodies_.pop_back();
    std::string_view const op = k.call->op->name;
    if (op == ops::cond::name) {
      std::vector<std::string> const first = std::move(bodies_.back());
      bodies_.pop_back();
      declare(name, "F.cond(" + in[0] + ", [&] {");
      body_ += first.back() + end + ", [&] {\n" + b.back() + end + ");\n";
      return give(k, name, k.call->results, true);
    }
    auto const parts = in.begin() + r.sequences;
    if (op == ops::foreach::name) {
      declare(name, "F.foreach([&]([[maybe_unused]] auto const& " + b[0] + ", [[maybe_unused]] auto const& " + b[1] + ") {");
      body_ += b.back() + end + ", " + tuple_of({in.begin(), parts}) + ", " + tuple_of({parts, in.end()}) + ");\n";
    } else {
      std::string operands, unnamed;
      for (std::size_t i = 0; i + 1 < b.size(); ++i) operands += "[[maybe_unused]] auto const& " + b[i] + ", ", unnamed += "auto const&, ";
      declare(name, "F.while_loop([](" + unnamed + "auto const& go_on) { return go_on; }, [&](" + operands + "auto const&) {");
      std::rotate(in.begin(), in.begin() + 1, in.end());  // the condition behind the states
      body_ += b.back() + end + ", " + tuple_of(in) + ", sinter::max_iterations<" + std::to_string(r.most) + ">);\n";
    }
    int const stacked = k.call->results - r.states;
    for (int i = 0; i < k.call->results; ++i)
      set(k, i, name,
          "std::get<" + std::to_string(i < stacked ? i : i - stacked) + ">(std::get<" + (i < stacked ? "0" : "1") + ">(" + name + "))");
  }

  // ---- the whole

  // Of the parameters: their numbers, and what the file calls them.
  std::string names() const {
    std::string numbers, texts;
    for (variable const& p : to_.parameters) {
      numbers += (numbers.empty() ? "" : ", ") + p.member;
      texts += "      " + in_string(p.name) + ",\n";
    }
    return (numbers.empty() ? "" : "  enum : int { " + numbers + " };\n") + "  static constexpr std::array<std::string_view, " +
           std::to_string(to_.parameters.size()) + "> parameter_names{" + (texts.empty() ? "" : "\n" + texts + "  ") + "};\n";
  }
  std::string parameter_types() const {
    std::string r;
    for (variable const& p : to_.parameters)
      r += (r.empty() ? "\n    sinter::nn::basic_parameter<" : ",\n    sinter::nn::basic_parameter<") + type_name(p.type.type) + ", " +
           spelled_fixed(p.type.shape) + ">";
    return "sinter::nn::children_list<" + r + ">";
  }
  std::string text() const {
    std::string r;
    std::string operands;
    for (variable const& v : to_.inputs) operands += ", " + std::string(v.node ? "" : "[[maybe_unused]] ") + "auto const& " + v.member;
    r += "struct " + m_.name + " : sinter::nn::imported_block<" + m_.name + ", " + parameter_types() + "> {\n" + names();
    r += "  constexpr auto hybrid_forward([[maybe_unused]] auto F" + operands + ") const {\n";
    std::string used;
    for (std::string const& word : words_) used += (used.empty() ? "    using sinter::" : ", sinter::") + word;
    if (!used.empty()) r += used + ";\n";
    std::set<std::string> known;
    for (variable const& v : to_.inputs) {
      if (m_.types.empty()) break;
      r += "    static_cast<void>(sinter::nn::takes_input<" + type_name(v.type.type) + ", " + spelled_named(v.type.shape) + ">(" +
           v.member + "));\n";
      for (int i = 0; i < v.type.shape.rank; ++i)
        if (extent const e = v.type.shape.d[i]; is_named(e) && known.insert(name_of_extent(e)).second)
          r += "    [[maybe_unused]] constexpr auto " + name_of_extent(e) + " = sinter::nn::extent_of_input<decltype(" + v.member + "), " +
               std::to_string(i) + ", sinter::dim<" + in_string(name_of_extent(e)) + ">>;\n";
    }
    r += without_marks(body_) + "  }\n";
    return r;
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::sym::source
