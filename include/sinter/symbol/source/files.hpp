// SPDX-License-Identifier: Apache-2.0
// The files that sinter_add_model writes for a network: a C++ header, and with EMBED and C_API a source and a header for C.
#pragma once
#include "network.hpp"

namespace sinter::sym::source {
inline namespace SINTER_ISA {

inline std::string first_comment(model const& m) {
  return "Written by sinter_add_model from " + in_string(m.file.substr(m.file.rfind('/') + 1)) +
         "; changes are lost when it is written again.";
}

inline std::string embedded_name(model const& m) { return "sinter_embedded_" + m.name; }

// NAME.hpp; `policy`: that for which weights are embedded in fewer bits, or empty.
inline std::string header_of(model const& m, written const& w, bool embeds, std::string const& policy = {}) {
  std::string r = "// " + first_comment(m) +
                  "\n#pragma once\n#include <array>\n#include <limits>\n#include <string_view>\n#include <tuple>\n\n#include "
                  "<sinter/sinter.hpp>\n#include <sinter/nn/imported.hpp>\n\n";
  if (embeds)
    r += "// Where they lie that are linked into the program, also where that is a shared "
         "library.\n__attribute__((visibility(\"default\"))) "
         "std::span<std::byte const> " +
         embedded_name(m) + "_bytes();\n\n";
  r += w.text;
  if (embeds)
    r += "  // Those that are linked into the program" +
         (policy.empty() ? "" : ", weights rounded as " + policy + " rounds them: for hybridize(" + policy + "{})") +
         ".\n  void load_embedded() { sinter::nn::load_bytes(*this, " + embedded_name(m) + "_bytes(), \"the embedded parameters\"); }\n";
  return r + "};\n";
}

// The bytes of a file in a program: part of NAME.cpp
inline std::string embedded_source(model const& m, std::string const& path) {
  std::string const name = embedded_name(m);
  std::string quoted;  // in a string of the assembler's, which stands in one of C++
  for (char const c : path) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  std::string r =
      "#if !defined(__ELF__)\n#error sinter: EMBED writes object files of the format ELF; load the parameters from a file "
      "instead\n#endif\n";
  r += "__asm__(\".pushsection .rodata,\\\"a\\\",@progbits\\n.balign 64\\n\"\n";
  for (char const* end : {"", "_end"}) {
    std::string const s = name + end;
    r.append("        \".globl ").append(s).append("\\n.hidden ").append(s).append("\\n").append(s).append(":\\n\"\n");
    if (!*end) r += "        \".incbin \\" + in_string(quoted).substr(0, in_string(quoted).size() - 1) + "\\\"\\n\"\n";
  }
  r += "        \".byte 0\\n.popsection\\n\");\n";
  r += "extern \"C\" std::byte const " + name + "[], " + name + "_end[];\n";
  r += "std::span<std::byte const> " + name + "_bytes() { return {" + name + ", " + name + "_end}; }\n";
  return r;
}

// ---- for C

class c_writer {
 public:
  // `policy`: as which the network is compiled, or empty.
  c_writer(model const& m, written const& w, bool embeds, std::string policy = {})
      : m_(m), w_(w), embeds_(embeds), policy_(std::move(policy)) {
    for (variable const& v : w.inputs)
      for (int i = 0; i < v.type.shape.rank; ++i) note(v.type.shape.d[i]);
    for (std::size_t i = 0; i < w.outputs.size(); ++i)
      for (int k = 0; k < w.outputs[i].shape.rank; ++k)
        if (extent const e = w.outputs[i].shape.d[k]; e < 0 && place(e) < 0)
          throw shape_error(
              "sinter: output `" + m.output_names[i] + "` has the shape " + to_string(w.outputs[i].shape) +
              ", in which an extent is neither a number nor a dimension of the inputs; C_API wants the extents as numbers in INPUTS");
  }
  // NAME.h
  std::string header() const {
    std::string const n = m_.name, type = n + "_model";
    std::string guard = "SINTER_MODEL_" + n + "_H";
    std::string r = "/* " + first_comment(m_) + "\n\n";
    r += "   Arrays are row-major, of the dtypes and shapes below, and belong to the caller. A dimension without a number has a name, and "
         "a call is\n"
         "   given its extent in `sizes`, one number for each: pass NULL where there is none.\n\n";
    list_arrays(
        r, "inputs", w_.inputs.size(), [&](std::size_t i) { return w_.inputs[i].name; }, [&](std::size_t i) { return w_.inputs[i].type; });
    list_arrays(
        r, "outputs", w_.outputs.size(), [&](std::size_t i) { return m_.output_names[i]; }, [&](std::size_t i) { return w_.outputs[i]; });
    r += "   sizes:";
    for (extent const e : dimensions_) r += " " + name_of_extent(e);
    if (dimensions_.empty()) r += " none";
    r += "\n\n   Threads: any number may run one model at the same time, and create others. A model is destroyed when no call with it "
         "runs.\n"
         "   What fails says why in " +
         n + "_error(), the text of the last failure in the calling thread, until the next one there. */\n";
    r += "#ifndef " + guard + "\n#define " + guard + "\n#include <stdint.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    r += "typedef struct " + type + " " + type + ";\n\n";
    r += embeds_ ? "/* `parameters`: a file of parameters, or NULL for those that are embedded. NULL where it fails. */\n"
                 : "/* `parameters`: the file of the parameters. NULL where it fails. */\n";
    for (std::string const& f : declarations()) r += f + ";\n";
    return r + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  }
  // The rest of NAME.cpp
  std::string source() const {
    std::string const n = m_.name, type = n + "_model", own = "sinter_for_" + n;  // no name of its own is the network's
    std::string r = "#include \"" + n + ".h\"\n\n#include <array>\n#include <sinter/compile/c_interface.hpp>\n\nnamespace {\nnamespace " +
                    own + " {\nnamespace c = sinter::nn::c;\n";
    std::string in, out, types_in, types_out;
    for (variable const& v : w_.inputs) row(in, v.name, v.type), tensor(types_in, v.type);
    for (std::size_t i = 0; i < w_.outputs.size(); ++i) row(out, m_.output_names[i], w_.outputs[i]), tensor(types_out, w_.outputs[i]);
    auto const array = [](char const* name, std::string const& rows, std::size_t size) {
      return "constexpr std::array<c::array_info, " + std::to_string(size) + "> " + name + "{" + (size ? "{\n" + rows + "}" : "") + "};\n";
    };
    r += array("input_arrays", in, w_.inputs.size()) + array("output_arrays", out, w_.outputs.size());
    r += "constexpr char const* dimension_names[] = {";
    for (extent const e : dimensions_) r += in_string(name_of_extent(e)) + ", ";
    r += "nullptr};\nusing input_types = c::tensors<" + types_in + ">;\nusing output_types = c::tensors<" + types_out + ">;\n";
    r += "constexpr c::signature all{input_arrays, output_arrays, dimension_names, " + std::to_string(dimensions_.size()) +
         "};\n}\n}  // namespace\n\n";
    std::string const c = own + "::c::", all = own + "::all";
    r += "struct " + type + " : " + c + "model<" + n + ", " + own + "::input_types, " + own + "::output_types" +
         (policy_.empty() ? "" : ", " + policy_) + "> {};\n\nextern \"C\" {\n";
    std::string const bodies[] = {"return " + c + "create<" + type + ">(parameters, [](" + n + "& net) { " +
                                      (embeds_ ? "net.load_embedded();" : "static_cast<void>(net), " + c + "refuse_nothing();") + " });",
                                  "delete model;",
                                  "return " + c + "run(" + all + ", model, sizes, inputs, outputs);",
                                  "return " + all + ".count_inputs();",
                                  "return " + all + ".count_outputs();",
                                  "return " + all + ".dimensions;",
                                  "return " + all + ".name(" + all + ".input(i));",
                                  "return " + all + ".dtype(" + all + ".input(i));",
                                  "return " + all + ".rank(" + all + ".input(i));",
                                  "return " + all + ".extent(" + all + ".input(i), axis, sizes);",
                                  "return " + all + ".name(" + all + ".output(i));",
                                  "return " + all + ".dtype(" + all + ".output(i));",
                                  "return " + all + ".rank(" + all + ".output(i));",
                                  "return " + all + ".extent(" + all + ".output(i), axis, sizes);",
                                  "return " + all + ".dimension(i);",
                                  "return " + c + "last_error().c_str();"};
    std::size_t i = 0;
    for (std::string const& f : declarations())
      r += "__attribute__((visibility(\"default\"))) " + f.substr(f.rfind('\n') + 1) + " { " + bodies[i++] + " }\n";
    return r + "}\n";
  }

 private:
  model const& m_;
  written const& w_;
  bool embeds_;
  std::string policy_;
  std::vector<extent> dimensions_;

  int place(extent e) const {
    auto const at = std::find(dimensions_.begin(), dimensions_.end(), e);
    return at == dimensions_.end() ? -1 : static_cast<int>(at - dimensions_.begin());
  }
  void note(extent e) {
    if (e < 0 && place(e) < 0) dimensions_.push_back(e);
  }
  static std::string in_words(dims const& s) { return to_string(s); }
  template <class Name, class Type> static void list_arrays(std::string& r, char const* what, std::size_t n, Name name, Type type) {
    r += std::string("   ") + what + ":\n";
    for (std::size_t i = 0; i < n; ++i)
      r += "     " + std::to_string(i) + "  " + in_string(name(i)) + "  " + std::string(sinter::name_of(type(i).type)) + "  " +
           in_words(type(i).shape) + "\n";
  }
  void row(std::string& to, std::string const& name, array_type const& t) const {
    to += "    {" + in_string(name) + ", " + in_string(sinter::name_of(t.type)) + ", " + std::to_string(t.shape.rank) + ", {";
    for (int i = 0; i < t.shape.rank; ++i)
      to += (i ? ", " : "") + (t.shape.d[i] < 0 ? std::to_string(-1 - place(t.shape.d[i])) : std::to_string(t.shape.d[i]));
    to += "}},\n";
  }
  static void tensor(std::string& to, array_type const& t) {
    to += (to.empty() ? "" : ", ") + std::string("sinter::nd::tensor<") + type_name(t.type) + ", " + spelled_named(t.shape) + ">";
  }
  std::vector<std::string> declarations() const {
    std::string const n = m_.name, type = n + "_model";
    return {type + "* " + n + "_create(char const* parameters)",
            "void " + n + "_destroy(" + type + "* model)",
            "/* One array for each input and output. 0, or -1 where it fails. */\nint " + n + "_run(" + type +
                " const* model, int64_t const* sizes, void const* const* inputs, void* const* outputs)",
            "\nint " + n + "_inputs(void)",
            "int " + n + "_outputs(void)",
            "int " + n + "_dimensions(void)",
            "/* NULL, or -1, where there is no such input or axis; extents at these sizes. */\nchar const* " + n + "_input_name(int i)",
            "char const* " + n + "_input_dtype(int i)",
            "int " + n + "_input_rank(int i)",
            "int64_t " + n + "_input_extent(int i, int axis, int64_t const* sizes)",
            "char const* " + n + "_output_name(int i)",
            "char const* " + n + "_output_dtype(int i)",
            "int " + n + "_output_rank(int i)",
            "int64_t " + n + "_output_extent(int i, int axis, int64_t const* sizes)",
            "char const* " + n + "_dimension_name(int i)",
            "char const* " + n + "_error(void)"};
  }
};

}  // namespace SINTER_ISA
}  // namespace sinter::sym::source
