#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles one case twice: as it stands it must compile, with SINTER_FAIL defined it must not, and must say why.

A case is a .cpp file whose comments state the error:

    // expect: text             every compiler prints it
    // expect-gcc: text         GCC prints it (expect-clang: likewise)
    // reject: text             no compiler prints it
    // lines-gcc: 8             GCC prints at most so many lines (lines-clang: likewise); every case says both
    // after-gcc: 17            in this case so many lines may follow the sentence, more than MOST_AFTER allows
    // flags: -DX               further flags, for both ways; with another standard the case does without the compiled header
    // only: clang              the other compiler does not see the mistake

and whose mistake stands in `#ifdef SINTER_FAIL`. The first line of the output that holds a sentence of sinter ("sinter: ...") must hold
the first expected text: what the user reads first is what the test is about. Where that is no sentence of sinter's, because the compiler
says enough, the output holds none. After it GCC prints at most 11 lines, Clang 55. The lines
on who includes whom are not counted: a precompiled header changes them.

    check.py --compiler g++ [--flag -Iinclude ...] [--header FOLDER] case.cpp
    check.py --compiler g++ [--flag -Iinclude ...] --prepare FOLDER    compiles sinter.hpp once for all cases, which say --header then
    check.py --compiler g++ --self-test        shows that each kind of defect in a case is found
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-fno-diagnostics-color"]
HEADER = "precompiled.hpp"
INCLUDED = re.compile(r"(In file included)? +from .*:\d+[:,]$")
MOST_AFTER = {"gcc": 11, "clang": 55}  # lines after the sentence


class Defect(Exception):
    pass


def family_of(compiler):
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    return "clang" if "clang" in version else "gcc"


def notes(text, word):
    return re.findall(rf"^// {word}: (.*\S)", text, re.MULTILINE)


def compile_case(compiler, flags, case, fail):
    command = [compiler, *FLAGS, "-fsyntax-only", *flags, *(["-DSINTER_FAIL"] if fail else []), str(case)]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    return result.returncode, result.stderr


def prepare(compiler, flags, folder):
    folder.mkdir(parents=True, exist_ok=True)
    header = folder / HEADER
    header.write_text("#include <sinter/sinter.hpp>\n")
    ending, once = ("pch", ["-fpch-instantiate-templates"]) if family_of(compiler) == "clang" else ("gch", [])
    return subprocess.run([compiler, *FLAGS, *flags, *once, "-x", "c++-header", header, "-o", f"{header}.{ending}"]).returncode


def check(compiler, flags, case, twin=True):
    text = pathlib.Path(case).read_text()
    family = family_of(compiler)
    expected = notes(text, "expect") + notes(text, f"expect-{family}")
    flags = flags + [flag for line in notes(text, "flags") for flag in line.split()]
    if not expected:
        raise Defect("the case expects no text")
    code, output = compile_case(compiler, flags, case, fail=False) if twin else (0, "")
    if code:
        raise Defect(f"the twin without the mistake does not compile:\n{output}")
    code, output = compile_case(compiler, flags, case, fail=True)
    if code == 0:
        raise Defect("the mistake compiles")
    if code < 0 or "internal compiler error" in output:
        raise Defect(f"the compiler crashed:\n{output}")
    # GCC spells the inline namespaces and tags of the instruction set, which nobody writes.
    plain = re.sub(r"\[abi:\w+\]|(?<=::)(avx512|avx2_fma|avx2|avx|sse42|sse2|baseline)::", "", output.replace("‘", "'").replace("’", "'"))
    for words in expected:
        if words not in plain:
            raise Defect(f"the output lacks: {words}\n{output}")
    for words in notes(text, "reject"):
        if words in plain:
            raise Defect(f"the output has: {words}\n{output}")
    first = next((line for line in plain.splitlines() if re.search(r"sinter: \S", line)), None)
    if "sinter: " not in expected[0]:
        if first:
            raise Defect(f"a sentence of sinter follows what the compiler says: {first.strip()}\n{output}")
        first = next(line for line in plain.splitlines() if expected[0] in line)
    if expected[0] not in first:
        raise Defect(f"the first sentence is another one: {first.strip()}\n{output}")
    check_length(text, family, plain, first)
    return first.strip()


def check_length(text, family, plain, first):
    limit = notes(text, f"lines-{family}")
    if len(limit) != 1:
        raise Defect(f"the case does not say once how many lines {family} prints (// lines-{family}: 8)\n{plain}")
    lines = [line for line in plain.splitlines() if not INCLUDED.match(line)]
    if len(lines) > int(limit[0]):
        raise Defect(f"the output has {len(lines)} lines, and the case allows {limit[0]}\n{plain}")
    after = len(lines) - lines.index(first) - 1
    own = notes(text, f"after-{family}")
    allowed = int(own[0]) if own else MOST_AFTER.get(family, after)
    if after > allowed:
        raise Defect(f"after the sentence follow {after} lines, and {allowed} are allowed\n{plain}")


SHORT = "// lines-gcc: 6\n// lines-clang: 6\n"
CASES = {  # what is wrong with the case: (its text, a part of the defect's sentence)
    "nothing": (SHORT + "// expect: sinter: no\n#ifdef SINTER_FAIL\nstatic_assert(false, \"sinter: no\");\n#endif\n", None),
    "the twin does not compile": ("// expect: sinter: no\nstatic_assert(false, \"sinter: no\");\n", "the twin"),
    "the mistake compiles": ("// expect: sinter: no\nint x;\n", "the mistake compiles"),
    "the text is missing": ("// expect: sinter: no\n#ifdef SINTER_FAIL\nstatic_assert(false, \"sinter: never\");\n#endif\n", "lacks"),
    "no text is expected": ("#ifdef SINTER_FAIL\nstatic_assert(false, \"sinter: no\");\n#endif\n", "expects no text"),
    "another sentence comes first": (
        "// expect: sinter: no\n#ifdef SINTER_FAIL\nstatic_assert(false, \"sinter: other\");\nstatic_assert(false, \"sinter: no\");\n"
        "#endif\n", "first sentence"),
    "the output is longer than the case says": (
        SHORT + "// expect: sinter: no\n#ifdef SINTER_FAIL\nstatic_assert(false, \"sinter: no\");\nint a = b;\nint c = d;\n#endif\n",
        "lines, and the case allows 6"),
    "much follows the sentence": (
        "// lines-gcc: 99\n// lines-clang: 99\n// expect: sinter: no\n#ifdef SINTER_FAIL\nstatic_assert(false, \"sinter: no\");\n"
        + "".join(f"int a{i} = b{i};\n" for i in range(20)) + "#endif\n", "after the sentence follow"),
    "the length is not said": ("// expect: sinter: no\n#ifdef SINTER_FAIL\nstatic_assert(false, \"sinter: no\");\n#endif\n",
                               "does not say once how many lines"),
    "a sentence follows the compiler's": (
        SHORT + "// expect: static assertion\n#ifdef SINTER_FAIL\nstatic_assert(false, \"no\");\nstatic_assert(false, \"sinter: no\");\n"
        "#endif\n", "a sentence of sinter follows"),
    "the compiler's words alone": (
        SHORT + "// expect: static assertion\n#ifdef SINTER_FAIL\nstatic_assert(false, \"no\");\n#endif\n", None),
    "rejected text": ("// expect: sinter: no\n// reject: chatter\n#ifdef SINTER_FAIL\nstatic_assert(false, \"sinter: no chatter\");\n"
                      "#endif\n", "output has"),
}


def self_test(compiler):
    wrong = 0
    for name, (text, words) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            case = pathlib.Path(folder, "case.cpp")
            case.write_text(text)
            try:
                check(compiler, [], case)
                found = None
            except Defect as defect:
                found = str(defect)
        good = found is None if words is None else found is not None and words in found
        print(f"{'ok  ' if good else 'BAD '} {name}: {(found or 'passes').splitlines()[0]}")
        wrong += not good
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--header", type=pathlib.Path)
    parser.add_argument("--prepare", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--no-twin", action="store_true", help="another compiler compiles the twin without the mistake")
    parser.add_argument("case", nargs="?")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.compiler)
    if arguments.prepare:
        return prepare(arguments.compiler, arguments.flag, arguments.prepare)
    flags = arguments.flag
    own = notes(pathlib.Path(arguments.case).read_text(), "flags")
    if arguments.header and not any("-std=" in line for line in own):  # both compilers look for what they have compiled of it, and say so where they cannot use it
        flags = [*flags, "-Winvalid-pch", "-include", str(arguments.header / HEADER)]
    try:
        print(check(arguments.compiler, flags, arguments.case, not arguments.no_twin))
    except Defect as defect:
        print(f"{arguments.case}: {defect}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
