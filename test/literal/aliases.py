#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each name of an operation of MXNet stands for the same operation in a literal (literal/rows/) as in a file (symbol/mxnet/).

    aliases.py include           compares both tables
    aliases.py --self-test       shows that each kind of difference is found
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from self_test import main  # noqa: E402

# Aliases in literal/rows/ that are rows of their own in symbol/mxnet/: both sides ask for the name while they read the attributes.
OWN_ROWS = {"Dropout": "_copy", "_npx_dropout": "_copy", "SoftmaxActivation": "SoftmaxOutput", "_npi_concatenate": "Concat", "_np_reshape": "_npx_reshape"}

MACRO = re.compile(r"^#define (\w+)\(([^)]*)\)((?:.*\\\n)*.*)\n", re.M)
LITERAL_ROW = re.compile(r'struct row<"(\w+)">\s*(?::\s*([^{]*?))?\s*\{')
FILE_ROW = re.compile(r'\{"(\w+)", "([^"]*)", (?:\{[^}]*\}|\w+), "(\w*)"(?:, &?(\w+))?')


def expanded(text, macros):
    """As the preprocessor leaves it."""
    call = re.compile(rf"\b({'|'.join(macros)})\(([^()]*)\)")
    while match := call.search(text):
        names, body = macros[match[1]]
        values = [value.strip() for value in match[2].split(",", len(names) - 1)]
        given = dict(zip(names, values, strict=True))

        def put(token):
            value = given.get(token[0].lstrip("#"))
            return token[0] if value is None else f'"{value}"' if token[0][0] == "#" else value

        text = text[: match.start()] + re.sub(r'"[^"]*"|#?\w+', put, body) + text[match.end() :]
    return re.sub(r'"\s+"', "", text)


def literal_rows(folder):
    """The base of each row, by its name: `row<"abs">` of an alias."""
    headers = [re.sub(r"//.*", "", header.read_text()) for header in sorted(folder.glob("*.hpp"))]
    macros = {m[1]: (re.split(r",\s*", m[2].replace("...", "__VA_ARGS__")), m[3].replace("\\\n", " ")) for h in headers for m in MACRO.finditer(h)}
    return {m[1]: m[2] or "" for h in headers for m in LITERAL_ROW.finditer(expanded(MACRO.sub("", h), macros))}


def file_rows(folder):
    """The row of each name: its first name, the operation of F, and the function that reads it."""
    rows = [(m.group(1, 3, 4), [m[1], *m[2].split()]) for header in sorted(folder.glob("*.hpp")) for m in FILE_ROW.finditer(header.read_text())]
    return {name: row for row, names in rows for name in names}


def differences(root):
    literal, files = literal_rows(pathlib.Path(root, "sinter/literal/rows")), file_rows(pathlib.Path(root, "sinter/symbol/mxnet"))
    if not literal or not files:
        return ["there is no row"]
    found = []
    for name, base in literal.items():
        row = files.get(name)
        if row is None:
            found.append(f"{name}: symbol/mxnet has no such operation")
        elif alias := re.fullmatch(r'row<"(\w+)">', base):
            other = files.get(alias[1])
            if row != other and not (other and OWN_ROWS.get(name) == alias[1] and row[2] == other[2]):
                found.append(f"{name}: it is {alias[1]} in literal/rows, and {row[0]} in symbol/mxnet")
        elif op := re.match(r"detail::\w+<ops::(\w+)", base):
            if row[1] not in ("", op[1]):
                found.append(f"{name}: it is F.{op[1]} in literal/rows, and F.{row[1]} in symbol/mxnet")
    known = {files[name][0] for name in literal if name in files}
    return found + [f"{name}: literal/rows has {row[0]}, and not this name" for name, row in files.items() if row[0] in known and name not in literal]


LITERAL = """
#define SINTER_ALIAS(name, other) \\
  template <> struct row<other> : row<name> {}
#define SINTER_UNARY(name, ...) \\
  template <> struct row<#name> : detail::same<ops::name, __VA_ARGS__> {}; \\
  SINTER_ALIAS(#name, "_npi_" #name)
SINTER_UNARY(sin, 1, 2);
SINTER_UNARY(cos, 1);
SINTER_ALIAS("sin", "sine");
template <> struct row<"_npx_reshape"> : detail::reshape {
};
SINTER_ALIAS("_npx_reshape", "_np_reshape");
"""
FILES = """
      {"sin", "_npi_sin sine", 1, "sin"},
      {"cos", "_npi_cos", {1, 2}, "cos", &read_number},
      {"tan", "", 1, "tan"},
      {"_npx_reshape", "", 1, "", &read_reshape},
      {"_np_reshape", "", 1, "", &read_reshape},
"""
CHANGES = {  # a difference: (what stands in one of both, what becomes of it, a part of its sentence)
    "none": ("tan", "tan", None),
    "an alias of another": ('SINTER_ALIAS("sin", "sine")', 'SINTER_ALIAS("cos", "sine")', "sine: it is cos in literal/rows, and sin"),
    "an alias by a macro": ('"_npi_sin sine", 1, "sin"},\n      {"cos", "_npi_cos"', '"sine", 1, "sin"},\n      {"cos", "_npi_cos _npi_sin"', "_npi_sin: it is sin"),
    "another operation": ('sine", 1, "sin"', 'sine", 1, "tan"', "sin: it is F.sin in literal/rows, and F.tan"),
    "a name too many": ("_npi_sin sine", "_npi_sin", "sine: symbol/mxnet has no such operation"),
    "a name too few": ("_npi_cos", "_npi_cos cosine", "cosine: literal/rows has cos, and not this name"),
    "a row of its own": ('sine", 1, "sin"}', '", 1, "sin"}, {"sine", "", 1, "sin"}', "sine: it is sin in literal/rows, and sine"),
    "a row of its own that is read in another way": ('"_np_reshape", "", 1, "", &read_reshape', '"_np_reshape", "", 1, "", &read_shape', "_np_reshape: it is _npx_reshape"),
    "no row in one": ('{"', '{R"', "there is no row"),
    "no row in the other": ("struct row", "class row", "there is no row"),
}


def tree(before, after):
    """Both tables, in which the text `before`, which one of them has, is changed."""
    assert before in LITERAL + FILES, before
    return {"literal/rows/a.hpp": LITERAL.replace(before, after), "symbol/mxnet/a.hpp": FILES.replace(before, after)}


if __name__ == "__main__":
    main(differences, {name: (tree(before, after), words) for name, (before, after, words) in CHANGES.items()}, "no difference")
