// SPDX-License-Identifier: Apache-2.0
// What sinter_add_model runs in a build: reads MXNet's symbol JSON, or an ONNX model where SINTER_MODEL_ONNX is defined, and writes C++.
//   sinter-model --model FILE --out DIR --name NAME [--params FILE] [--input "data=float32(batch, 64)"]... [--embed] [--weights bf16|int8]
//     [--c-api]
#include <charconv>
#include <functional>
#include <iostream>

#include <sinter/interpreter.hpp>
#if defined(SINTER_MODEL_ONNX)
#include <sinter/onnx/model.hpp>
#else
#include <sinter/symbol/symbol_block.hpp>
#endif
#if defined(SINTER_MODEL_NPZ)
#include <sinter/io/npz.hpp>
#endif
#include <sinter/io/write_params.hpp>
#include <sinter/symbol/network.hpp>
#include <sinter/symbol/source/files.hpp>
#include <sinter/symbol/source/weights.hpp>

namespace {

using namespace sinter;
namespace source = sym::source;

void write_text(std::string const& path, std::string const& text) { io::write_file(path, std::as_bytes(std::span<char const>(text))); }

struct arguments {
  std::string model, out, name, params;
  std::vector<std::string> input_names;
  std::map<std::string, std::string> input_texts;  // as INPUTS has them
  sym::types_by_name types;
  bool embed = false, c_api = false;
  source::weight_format weights = source::weight_format::full;
};

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}
bool may_be_dimension(std::string_view name) {
  return !name.empty() && name.size() <= 10 && name.find_first_of("0123456789") != 0 && source::identifiers::may_be(name);
}
// data=float32(batch, 64): a name, a dtype or none for float32, and extents, each a number or the name of a dimension.
void read_input(std::string_view text, arguments& to) {
  auto const refuse = [&](std::string const& why) {
    throw error("sinter: INPUTS: " + source::in_sentence(text) + " " + why + "; an input is said like \"data=float32(batch, 64)\"");
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
    else if (may_be_dimension(one)) t.shape.push(sinter::detail::pack_name(one));
    else refuse("has an extent that is neither a number nor a name of at most ten letters that has no other meaning");
    rest = comma == std::string_view::npos ? std::string_view() : trimmed(rest.substr(comma + 1));
  }
  if (!to.types.emplace(name, t).second) refuse("is said twice");
  to.input_names.push_back(name);
  to.input_texts.emplace(name, text);
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
    else if (s == "--weights") a.weights = source::weight_format_named(next());
    else if (s == "--c-api") a.c_api = true;
    else throw error("sinter: nothing is known of the argument " + s);
  }
  if (!source::identifiers::may_be_type(a.name))
    throw error("sinter: " + source::in_sentence(a.name) + " cannot be the name of a type; choose another name for the target");
  return a;
}

// A file that was read: what is to be written for inputs of these types.
struct source_file {
  sym::types_by_name types;
  std::function<source::model(sym::types_by_name const&)> model_for;
};

#if defined(SINTER_MODEL_ONNX)
// What the file says of an input, as signatures have it: float32 (b, 5).
std::string said_of(onnx::value const& v) {
  std::string r(name_of(onnx::dtype_of(v.type)));
  if (!v.has_shape) return r;
  r += " (";
  for (std::size_t i = 0; i < v.shape.size(); ++i) {
    onnx::dimension const& d = v.shape[i];
    r += (i ? ", " : "") + (d.extent >= 0 ? std::to_string(d.extent) : d.name.empty() ? "?" : d.name);
  }
  return r + (v.shape.size() == 1 ? ",)" : ")");
}
bool may_be(onnx::value const& v, array_type const& t) {
  if (v.type != onnx::element::undefined && onnx::dtype_of(v.type) != t.type) return false;
  if (!v.has_shape) return true;
  bool same = static_cast<int>(v.shape.size()) == t.shape.rank;
  for (int i = 0; same && i < t.shape.rank; ++i) {
    onnx::dimension const& d = v.shape[static_cast<std::size_t>(i)];
    same = d.extent < 0 || t.shape.d[i] < 0 || d.extent == t.shape.d[i];
  }
  return same;
}
// INPUTS say what the file leaves open; its names of dimensions are hints. A number of the file may become a dimension with a name.
void check_input(arguments const& a, onnx::value const& v, array_type const& t) {
  auto const text = a.input_texts.find(v.name);
  if (text != a.input_texts.end() && v.is_tensor && !may_be(v, t))
    throw error("sinter: INPUTS: " + io::in_quotes(v.name) + " is " + said_of(v) + " in " + a.model.substr(a.model.rfind('/') + 1) +
                ", and " + source::in_sentence(text->second) + " says otherwise");
}
// As INPUTS may say it: for the extents that the file leaves open with its names, and with eights where it has none.
std::string example_of(onnx::value const& v) {
  array_type t{v.is_tensor ? onnx::dtype_of(v.type) : dtype::float32, {8, 64}};
  if (v.has_shape && v.shape.size() <= static_cast<std::size_t>(max_rank)) {
    t.shape = {};
    for (onnx::dimension const& d : v.shape)
      t.shape.push(d.extent >= 0 ? d.extent : may_be_dimension(d.name) ? sinter::detail::pack_name(d.name) : 8);
  }
  return source::in_sentence(v.name + "=" + std::string(name_of(t.type)) + to_string(t.shape));
}
array_type type_of(onnx::value const& v, arguments const& a) {
  auto const refuse = [&](std::string const& why) {
    throw shape_error("sinter: " + a.model + ": input " + io::in_quotes(v.name) + " " + why + "; say its shape: INPUTS, for example " +
                      example_of(v));
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
  return t;
}
// For the build: the header is out of date when a file changes in which the model keeps elements.
void write_dependencies(arguments const& a, std::set<std::string> const& files) {
  auto const escaped = [](std::string const& path) {
    std::string r;
    for (char const c : path) r.append(c == ' ' || c == '#' || c == '\\' ? "\\" : c == '$' ? "$" : "").append(1, c);
    return r;
  };
  std::string text = escaped(a.out + "/" + a.name + ".hpp") + ":";
  for (std::string const& file : files) text += " " + escaped(file);
  write_text(a.out + "/" + a.name + ".d", text + "\n");
}
source_file load(arguments const& a) {
  onnx::model_proto proto = onnx::parse_model(io::read_file(a.model), a.model);
  onnx::detail::external_reader others(a.model);
  others.read(proto);
  write_dependencies(a, others.files());
  onnx::model const m(std::move(proto), a.model);
  std::vector<std::string> const names = m.input_names();
  for (std::string const& name : a.input_names)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw error("sinter: INPUTS: " + a.model + " has no input " + io::in_quotes(name) + "; those that it has are " + io::listed(names));
  source_file r;
  for (onnx::value const& v : m.proto().graph.inputs) {
    if (std::find(names.begin(), names.end(), v.name) == names.end()) continue;
    array_type const t = type_of(v, a);
    check_input(a, v, t);
    r.types[v.name] = t;
  }
  r.model_for = [m, names, a](sym::types_by_name const& types) {
    std::set<std::string> decides;
    try {
      return source::model{a.name, a.model, m.symbol_for(types, decides), m.output_names(), names, types};
    } catch (error const&) {
      if (decides.empty()) throw;
      throw error("sinter: " + a.model + ": the elements of input " + io::in_quotes(*decides.begin()) +
                  " decide shapes or branches of the model, which are part of a type; onnx::load runs such a model");
    }
  };
  return r;
}
#else
// What has no graph is refused with what is wanted.
void check_file(arguments const& a) {
  constexpr char const* takes =
      "sinter_add_model takes MXNet's symbol JSON, with its parameters as PARAMS, or an ONNX model, whose name ends in .onnx. (Of the one "
      "file that net.save() writes, symbol_block::load(file).export_(path) makes both files of MXNet.)";
  std::string text;
  try {
    text = sym::text_of_file(a.model);
  } catch (file_error const& e) { throw file_error(a.model, e.reason() + "; " + takes); }
  auto const first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{') throw file_error(a.model, std::string("this is no symbol JSON; ") + takes);
}
// All variables of a graph, also those that no operation reads, as the label of a SoftmaxOutput.
std::vector<std::string> variables_of(std::string const& file) {
  std::vector<std::string> r;
  for (auto const& n : sym::mxnet::text_reader::read(sym::text_of_file(file), file).nodes)
    if (n.op == "null") r.push_back(n.name);
  return r;
}
sym::arrays_by_name parameters(arguments const& a) {
  if (a.params.empty()) return {};
  if (char first[2]{}; !io::codec_of(io::file_format::npz).open) {
    io::detail::opened_file const f = io::detail::open_to_read(a.params);
    if (std::fread(first, 1, 2, f.handle.get()) == 2 && first[0] == 'P' && first[1] == 'K')
      throw file_error(a.params,
                       "it is a zip archive of .npy files, which sinter_add_model reads with the component npz: find_package(sinter "
                       "COMPONENTS json npz)");
  }
  return sym::values_in(a.params);
}
source_file load(arguments const& a) {
  check_file(a);
  std::vector<std::string> inputs = a.input_names;
  if (inputs.empty() && a.params.empty())
    throw error("sinter: " + a.model + ": which variables are inputs is not known; give the file of the parameters (PARAMS), or INPUTS");
  symbol const graph = symbol::load(a.model);
  sym::arrays_by_name const values = parameters(a);
  if (inputs.empty()) inputs = sym::left_by(values, graph.list_arguments());
  if (a.params.empty()) sym::check_inputs(a.model, inputs, variables_of(a.model), {}, values);
  symbol const s = a.params.empty() ? graph : symbol_block::imports(a.model, inputs, a.params).graph();
  return {a.types, [=](sym::types_by_name const& types) { return source::model{a.name, a.model, s, s.list_outputs(), inputs, types}; }};
}
#endif

struct network {
  source::model model;
  source::written text;
};
// What cannot be written names the dimensions in whose place numbers would do. (16 is one that operations like.)
network write(source_file const& file) {
  auto const network_for = [&](sym::types_by_name const& types) {
    source::model m = file.model_for(types);
    source::written w = source::network_writer::write(m);
    return network{std::move(m), std::move(w)};
  };
  std::set<extent> names;
  for (auto const& [name, t] : file.types)
    for (int i = 0; i < t.shape.rank; ++i)
      if (is_named(t.shape.d[i])) names.insert(t.shape.d[i]);
  auto const is_written = [&](std::set<extent> const& replaced) {
    sym::types_by_name other = file.types;
    for (auto& [name, t] : other)
      for (int i = 0; i < t.shape.rank; ++i)
        if (replaced.contains(t.shape.d[i])) t.shape.d[i] = 16;
    try {
      static_cast<void>(network_for(other));
      return true;
    } catch (error const&) { return false; }
  };
  try {
    return network_for(file.types);
  } catch (error const& e) {
    std::vector<std::string> blamed;
    for (extent const name : names)
      if (blamed.empty() && is_written({name})) blamed = {to_string(name)};
    if (blamed.empty() && names.size() > 1 && is_written(names))
      for (extent const name : names) blamed.push_back(to_string(name));
    if (blamed.empty()) throw;
    throw error(std::string(e.what()) + "; give " + io::listed(blamed) + (blamed.size() == 1 ? " a number" : " numbers") + " in INPUTS");
  }
}

std::vector<io::array> parameters_of(source::written const& w) {
  std::vector<io::array> all;
  for (source::variable const& p : w.parameters) {
    if (!p.node->values) throw error("sinter: EMBED: parameter `" + p.name + "` has no values; give the file of the parameters (PARAMS)");
    std::byte const* const from = p.node->values(p.type.shape);
    io::array one{p.name, p.type.type, {}, {}};
    for (int i = 0; i < p.type.shape.rank; ++i) one.shape.push_back(p.type.shape.d[i]);
    one.data.assign(from, from + p.type.shape.size() * bytes_of(p.type.type));
    all.push_back(std::move(one));
  }
  return all;
}
void run(arguments const& a) {
  auto const [m, w] = write(load(a));
  std::string const path = a.out + "/" + a.name;
  bool const narrow = a.weights != source::weight_format::full;
  if ((a.c_api || narrow) && m.types.empty() && !w.inputs.empty())
    throw error("sinter: " + std::string(narrow ? "WEIGHTS" : "C_API") +
                " wants the shapes of the inputs: " + source::example_of_inputs(m.input_names));
#if defined(SINTER_MODEL_ONNX)
  constexpr bool writes_params = true;
#else
  bool const writes_params = a.embed;
#endif
  std::string const embedded = path + (narrow ? ".weights" : ".params");
  if (writes_params) {
    std::vector<io::array> const all = parameters_of(w);
    io::write_params(path + ".params", all);
    if (narrow) io::write_params(embedded, source::narrowed(all, m, a.weights));
  }
  if (a.c_api || a.embed) {
    std::string text = "// " + source::first_comment(m) + "\n#include \"" + a.name + ".hpp\"\n";
    if (a.embed) text += source::embedded_source(m, embedded);
    if (a.c_api) {
      source::c_writer const c(m, w, a.embed, source::policy_of(a.weights));
      write_text(path + ".h", c.header());
      text += c.source();
    }
    write_text(path + ".cpp", text);
  }
  write_text(path + ".hpp", source::header_of(m, w, a.embed, source::policy_of(a.weights)));
}
// What is wrong names a file: the model's, where it names none.
std::string with_file(std::string what, arguments const& a) {
  bool const names_one = what.find(a.model) != std::string::npos || (!a.params.empty() && what.find(a.params) != std::string::npos);
  if (a.model.empty() || names_one) return what;
  if (auto const at = what.find("sinter: "); at != std::string::npos) what.erase(at, 8);  // behind the name of a node, perhaps
  return "sinter: " + a.model + ": " + what;
}

}  // namespace

int main(int count, char** all) {
  arguments a;
  try {
    a = read(count, all);
    run(a);
  } catch (std::exception const& e) {
    std::cerr << with_file(e.what(), a) << "\n";
    return 1;
  }
}
