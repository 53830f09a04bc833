#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a test program of the C++ in README.md and the pages below: every snippet is compiled and run, and what it prints is compared with the
block that follows it. `SINTER_WRITE_DOCS=1 ctest --test-dir build/clang -R docs` writes what they print into the pages.

    ```cpp          is run; `#include`, structs, classes, namespaces, templates and using-declarations (not aliases) go to file scope. Variables live for the whole
                    section (##). A ```text block behind it, before the next snippet, is all that it prints; a line `...` stands for any lines.
    ```cpp device   the same with sinter/thrust.hpp, in the test docs.devices
    ```cpp error    does not compile: what the ```text block behind it says is a sentence that a test in test/compile_fail expects
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/guide.md", "docs/layers.md", "docs/pipeline.md")  # and in test/list.cmake
FILE_SCOPE = re.compile(r"\s*(#|struct\b|class\b|template\b|namespace\b|using [\w:]+;|inline constexpr\b|SINTER_USER_OP\b)")
GLOBAL = re.compile(r"\s*(#|namespace \w+ \{|SINTER_USER_OP\b)")


def blocks(path):
    """(section, language, line number of the first line, lines) for each fenced block."""
    section, language, start, body = "", None, 0, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if language is None and line.startswith("## "):
            section = line[3:].strip()
        elif language is None and line.startswith("```"):
            language, start, body = line[3:].strip(), number + 1, []
        elif line.startswith("```"):
            yield section, language, start, body
            language = None
        elif language is not None:
            body.append(line)
    if language is not None:
        sys.exit(f"{path}:{start}: a block without an end")


def chunks(start, body):
    """(line number, lines) for each statement or declaration at the outermost level."""
    depth, first, kept = 0, 0, []
    for at, line in enumerate(body):
        code = re.sub(r'"(\\.|[^"\\])*"', '""', line.split("//")[0])
        if not kept:
            first = start + at
        kept.append(line)
        depth += sum(code.count(c) for c in "({[") - sum(code.count(c) for c in ")}]")
        ends = code.rstrip().endswith((";", "}")) or not code.strip() or code.lstrip().startswith("#")
        if depth == 0 and ends:
            yield first, kept
            kept = []
    if kept:
        sys.exit(f"line {first}: a snippet that does not end")


def check_quoted(path, expected):
    """What a table quotes as a sentence of the compiler's is one that a test expects."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for quoted in re.findall(r"^\| `(sinter: [^`]+)`", line):
            if not any(e.startswith(quoted) or quoted.startswith(e) for e in expected):
                sys.exit(f"{path}:{number}: no test in test/compile_fail expects '{quoted}'")


def raw(text):
    return 'R"~~~(' + text + ')~~~"'


def program(path, device):
    """(file scope, [(section, statements)])"""
    scope, name = [], path.stem.lower()
    sections, pending = {}, None
    expected = [line[len("// expect: "):] for f in sorted((ROOT / "test/compile_fail").glob("*.cpp"))
                for line in f.read_text().splitlines() if line.startswith("// expect: sinter: ")]
    check_quoted(path, expected)
    for section, language, start, body in blocks(path):
        kind, *more = language.split() or [""]
        if kind == "text":
            if more or pending is None:
                continue
            if pending == "error":
                sentence = " ".join(line.strip() for line in body)
                if sentence not in expected:
                    sys.exit(f"{path}:{start}: no test in test/compile_fail expects '{sentence}'")
            elif pending:
                sections[section].append(f'  said.is({raw(chr(10).join(body))}, "{path}", {start});\n')
            pending = None
            continue
        if kind != "cpp":
            continue
        pending = "error" if "error" in more else ""
        if pending == "error":
            continue
        runs = ("device" in more) == device
        pending = "run" if runs else ""
        statements = sections.setdefault(section, [])
        if runs:
            statements.append("  said.nothing();\n")
        for line, lines in chunks(start, body):
            text = f'#line {line} "{path}"\n' + "\n".join(lines) + "\n"
            if not any(part.strip() for part in lines):
                continue
            if GLOBAL.match(lines[0]):
                if device or "thrust.hpp" not in text:
                    scope.append(text)
            elif FILE_SCOPE.match(lines[0]):
                scope.append(f"namespace {name} {{\n{text}}}\n")
            elif runs:
                statements.append(text)
    return scope, [(f"{path.name}: {section}", name, body) for section, body in sections.items() if len(body) > 1]


def main(device=False):
    scope, sections = [], []
    for page in PAGES:
        s, b = program(ROOT / page, device)
        scope += s
        sections += b
    if not sections:
        sys.exit("no snippets are left to test")
    print("// Made by test/docs/snippets.py.")
    print("#include <sinter/thrust.hpp>" if device else "#include <sinter/sinter.hpp>")
    print('#include "docs/said.hpp"\n')
    print("".join(scope))
    for title, name, body in sections:
        print(f'namespace {name} {{\nTEST_CASE("{title}") {{\n  test::said said;\n{"".join(body)}  said.nothing();\n}}\n}}\n')


if __name__ == "__main__":
    main()
