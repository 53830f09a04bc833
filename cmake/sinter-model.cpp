// SPDX-License-Identifier: Apache-2.0
// What sinter_add_model runs in a build: reads MXNet's symbol JSON, or an ONNX model where SINTER_MODEL_ONNX is defined, and writes C++.
//   sinter-model --model FILE --out DIR --name NAME [--params FILE] [--input "data=float32(batch, 64)"]... [--embed] [--c-api]
#include <charconv>
#include <iostream>

#include <sinter/interpreter.hpp>
#if defined(SINTER_MODEL_ONNX)
#include <sinter/onnx/model.hpp>
#else
#include <sinter/symbol/symbol_block.hpp>
#endif
#include <sinter/io/write_params.hpp>
#include <sinter/symbol/network.hpp>
#include <sinter/symbol/source/files.hpp>

namespace {

using namespace sinter;
namespace source = sym::source;

struct arguments {
  std::string model, out, name, params;
  std::vector<std::string> input_names;
  sym::types_by_name types;
  bool embed = false, c_api = false;
};

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}
// data=float32(batch, 64): a name, a dtype or none for float32, and extents, each a number or the name of a dimension.
void read_input(std::string_view text, arguments& to) {
  auto const refuse = [&](std::string const& why) {
    throw error("sinter: INPUTS: " + source::in_string(text) + " " + why + "; an input is said like \"data=float32(batch, 64)\"");
  };
  auto const equals = text.find('='), open_at = text.find('(');
  if (equals == std::string_view::npos || open_at == std::string_view::npos || equals > open_at || !trimmed(text).ends_with(')'))
    refuse("is no input");
  std::string const name(trimmed(text.substr(0, equals)));
  std::string_view const type = trimmed(text.substr(equals + 1, open_at - equals - 1));
  array_type t{type.empty() ? dtype::float32 : dtype::none, {}};
  for (int i = 0; i <= static_cast<int>(dtype::bfloat16); ++i)
    if (has_tensors(static_cast<dtype>(i)) && name_of(static_cast<dtype>(i)) == type) t.type = static_cast<dtype>(i);
  if (t.type == dtype::none) refuse("has a dtype of which there are no tensors");
  std::string_view rest = trimmed(text.substr(open_at + 1));
  rest = trimmed(rest.substr(0, rest.size() - 1));
  while (!rest.empty()) {
    auto const comma = rest.find(',');
    std::string_view const one = trimmed(rest.substr(0, comma));
    if (t.shape.rank == max_rank) refuse("has more than eight dimensions");
    std::int64_t n = 0;
    auto const [end, code] = std::from_chars(one.data(), one.data() + one.size(), n);
    if (code == std::errc() && end == one.data() + one.size() && n >= 0) t.shape.push(n);
    else if (!one.empty() && one.size() <= 10 && one.find_first_of("0123456789") != 0 && source::identifiers::may_be(one))
      t.shape.push(sinter::detail::pack_name(one));
    else refuse("has an extent that is neither a number nor a name of at most ten letters that has no other meaning");
    rest = comma == std::string_view::npos ? std::string_view() : trimmed(rest.substr(comma + 1));
  }
  if (!to.types.emplace(name, t).second) refuse("is said twice");
  to.input_names.push_back(name);
}
arguments read(int count, char** all) {
  arguments a;
  for (int i = 1; i < count; ++i) {
    std::string const s = all[i];
    auto const next = [&] { return ++i < count ? std::string(all[i]) : throw error("sinter: " + s + " wants a value"); };
    if (s == "--model") a.model = next();
    else if (s == "--out") a.out = next();
    else if (s == "--name") a.name = next();
    else if (s == "--params") a.params = next();
    else if (s == "--input") read_input(next(), a);
    else if (s == "--embed") a.embed = true;
    else if (s == "--c-api") a.c_api = true;
    else throw error("sinter: nothing is known of the argument " + s);
  }
  if (!source::identifiers::may_be(a.name))
    throw error("sinter: " + source::in_string(a.name) + " cannot be the name of a type; choose another name for the target");
  return a;
}

#if defined(SINTER_MODEL_ONNX)
source::model load(arguments const& a) {
  onnx::model const m = onnx::load(a.model);
  std::vector<std::string> const names = m.input_names();
  for (std::string const& name : a.input_names)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw error("sinter: INPUTS: the model has no input " + io::in_quotes(name));
  sym::arrays_by_name zeros;
  for (onnx::value const& v : m.proto().graph.inputs) {
    if (std::find(names.begin(), names.end(), v.name) == names.end()) continue;
    auto const refuse = [&](std::string const& why) {
      throw shape_error("sinter: " + a.model + ": input " + io::in_quotes(v.name) + " " + why + "; say its shape: INPUTS \"" + v.name +
                        "=float32(8, 64)\"");
    };
    array_type t;
    if (auto const given = a.types.find(v.name); given != a.types.end()) t = given->second;
    else {
      if (!v.is_tensor || !v.has_shape) refuse("has no shape in the file");
      t.type = onnx::dtype_of(v.type);
      for (onnx::dimension const& d : v.shape) {
        if (d.extent < 0) refuse("has a dimension without a number" + (d.name.empty() ? "" : ", " + io::in_quotes(d.name)));
        if (t.shape.rank == max_rank) refuse("has more than eight dimensions");
        t.shape.push(d.extent);
      }
    }
    if (!has_tensors(t.type))
      throw dtype_error("sinter: " + a.model + ": input " + io::in_quotes(v.name) + " is no tensor of numbers that sinter has");
    if (!t.shape.fixed()) refuse("wants numbers for all extents, because operators of ONNX depend on them");
    zeros.emplace(v.name, sym::array(t.type, t.shape));
  }
  std::set<std::string> decides;
  auto const compose = [&] {
    try {
      return m.symbol_for(zeros, decides);
    } catch (error const&) {
      if (decides.empty()) throw;  // else the zeros are to blame
      return sym::var("none");
    }
  };
  source::model r{a.name, a.model, compose(), m.output_names(), names, {}};
  if (!decides.empty())
    throw error("sinter: " + a.model + ": the elements of input " + io::in_quotes(*decides.begin()) +
                " decide shapes or branches of the model, which are part of a type; onnx::load runs such a model");
  for (auto const& [name, x] : zeros) r.types[name] = {x.type(), x.shape()};
  return r;
}
#else
source::model load(arguments const& a) {
  std::vector<std::string> inputs = a.input_names;
  if (inputs.empty() && a.params.empty())
    throw error("sinter: " + a.model + ": which variables are inputs is not known; give the file of the parameters (PARAMS), or INPUTS");
  if (inputs.empty()) {
    std::set<std::string, std::less<>> held;
    for (io::array const& p : io::read_params(a.params)) held.emplace(io::detail::bare_name(p.name));
    for (std::string const& name : symbol::load(a.model).list_arguments())
      if (!held.contains(name)) inputs.push_back(name);
    inputs = sym::in_order_of_call(std::move(inputs));
  }
  symbol const s = a.params.empty() ? symbol::load(a.model) : symbol_block::imports(a.model, inputs, a.params).graph();
  return {a.name, a.model, s, s.list_outputs(), inputs, a.types};
}
#endif

void write_text(std::string const& path, std::string const& text) { io::write_file(path, std::as_bytes(std::span<char const>(text))); }

void run(arguments const& a) {
  source::model const m = load(a);
  source::written const w = source::network_writer::write(m);
  std::string const path = a.out + "/" + a.name;
  if (a.c_api && m.types.empty() && !w.inputs.empty())
    throw error("sinter: C_API wants the shapes of the inputs: INPUTS \"" + w.inputs[0].name + "=float32(batch, 64)\"");
#if defined(SINTER_MODEL_ONNX)
  constexpr bool writes_params = true;
#else
  bool const writes_params = a.embed;
#endif
  if (writes_params) {
    std::vector<io::array> all;
    for (source::variable const& p : w.parameters) {
      if (!p.node->values) throw error("sinter: EMBED: parameter `" + p.name + "` has no values; give the file of the parameters (PARAMS)");
      std::byte const* const from = p.node->values(p.type.shape);
      io::array one{p.member, p.type.type, {}, {}};
      for (int i = 0; i < p.type.shape.rank; ++i) one.shape.push_back(p.type.shape.d[i]);
      one.data.assign(from, from + p.type.shape.size() * bytes_of(p.type.type));
      all.push_back(std::move(one));
    }
    io::write_params(path + ".params", all);
  }
  if (a.c_api || a.embed) {
    std::string text = "// " + source::first_comment(m) + "\n#include \"" + a.name + ".hpp\"\n";
    if (a.embed) text += source::embedded_source(m, path + ".params");
    if (a.c_api) {
      source::c_writer const c(m, w, a.embed);
      write_text(path + ".h", c.header());
      text += c.source();
    }
    write_text(path + ".cpp", text);
  }
  write_text(path + ".hpp", source::header_of(m, w, a.embed));
}

}  // namespace

int main(int count, char** all) try { run(read(count, all)); } catch (std::exception const& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
