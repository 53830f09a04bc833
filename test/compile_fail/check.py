#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles cases twice: as a case stands (the twin) it must compile, with SINTER_FAIL defined it must not, and must say why.

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

    check.py --compiler g++ [--flag=-Iinclude ...] [--header FOLDER] case.cpp...             both ways, one after the other
    check.py --compiler g++ [--flag=-Iinclude ...] [--header FOLDER] --no-twin case.cpp...   the mistakes alone
    check.py --compiler g++ [--flag=-Iinclude ...] [--header FOLDER] --twins 3/5 case.cpp... the twins alone, joined; the fourth of five parts
    check.py --compiler g++ [--flag=-Iinclude ...] --prepare FOLDER     compiles sinter.hpp once for all cases, which say --header then
    check.py --compiler g++ --self-test         shows that each kind of defect in a case is found

Joined twins share a translation unit, each in a namespace of its own, which takes half of the compiler's time. A unit has only cases that
include the same headers of sinter, apart from those in sinter.hpp, so that none compiles thanks to another's. Where a unit does not
compile, its cases are compiled one by one, to say which are wrong.
"""
import argparse
import dataclasses
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-fno-diagnostics-color"]
HEADER = "precompiled.hpp"
JOINED = 40  # so many twins share a translation unit
NOT_JOINED = re.compile(r"^(// flags: |SINTER_USER_OP|namespace sinter\b)", re.MULTILINE)  # other flags, or not to be put into a namespace
INCLUDED = re.compile(r"(In file included)? +from .*:\d+[:,]$")
MOST_AFTER = {"gcc": 11, "clang": 55}  # lines after the sentence


class Defect(Exception):
    pass


def family_of(compiler):
    if "clang" in pathlib.Path(compiler).name:
        return "clang"
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    return "clang" if "clang" in version else "gcc"


@dataclasses.dataclass
class Setup:
    compiler: str
    flags: list
    folder: pathlib.Path = None  # of the compiled header

    @functools.cached_property
    def files(self):
        """The files that the compiled header has."""
        text = (self.folder / (HEADER + ".d")).read_text() if self.folder else ""
        return [os.path.normpath(file) for file in text.split()]

    def flags_of(self, text):
        own = [flag for line in notes(text, "flags") for flag in line.split()]
        header = self.folder and not any(flag.startswith("-std=") for flag in own)
        # Both compilers look for what was compiled of the header, and say so where they cannot use it.
        return [*self.flags, *own, *(["-Winvalid-pch", "-include", str(self.folder / HEADER)] if header else [])]

    def compile(self, case, fail):
        command = [self.compiler, *FLAGS, "-fsyntax-only", *self.flags_of(case.read_text()), *(["-DSINTER_FAIL"] if fail else []), str(case)]
        result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        return result.returncode, result.stderr

    def prepare(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        header = self.folder / HEADER
        header.write_text("#include <sinter/sinter.hpp>\n")
        ending, once = ("pch", ["-fpch-instantiate-templates"]) if family_of(self.compiler) == "clang" else ("gch", [])
        command = [self.compiler, *FLAGS, *self.flags, *once, "-MD", "-MF", f"{header}.d", "-x", "c++-header", header, "-o", f"{header}.{ending}"]
        return subprocess.run(command).returncode


def notes(text, word):
    return re.findall(rf"^// {word}: (.*\S)", text, re.MULTILINE)


def check(setup, case, twin=True):
    text = case.read_text()
    family = family_of(setup.compiler)
    expected = notes(text, "expect") + notes(text, f"expect-{family}")
    if not expected:
        raise Defect("the case expects no text")
    if twin:
        check_twins(setup, [case])
    code, output = setup.compile(case, fail=True)
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


def parts_of(text):
    """The directives up to the last #include, and the text after it, whose lines are numbered as in the case."""
    lines = text.splitlines()
    last = max((i for i, line in enumerate(lines) if line.startswith("#include")), default=-1)
    return [line for line in lines[: last + 1] if line.startswith("#")], "\n".join([""] * (last + 1) + lines[last + 1:])


def units_of(setup, cases):
    """Lists of cases whose twins share a translation unit."""
    groups = {}
    for case in sorted(cases):
        text = case.read_text()
        begin, body = parts_of(text)
        alone = NOT_JOINED.search(text) or "#define" in body or any(line.startswith("#if") for line in begin)
        own = {line for line in begin if not any(file.endswith("/" + line[len("#include <"):-1]) for file in setup.files)}
        groups.setdefault(case if alone else frozenset(own), []).append(case)
    units = []
    for group in groups.values():
        count = -(-len(group) // JOINED)
        units += [group[i::count] for i in range(count)]
    return sorted(units, key=len, reverse=True)


def compile_twins(setup, unit):
    """Compiles the twins of a unit: the compiler's return code and what it says, which names files and lines of the cases."""
    if len(unit) == 1:
        return setup.compile(unit[0], fail=False)
    begins, bodies = {}, []
    for case in unit:
        begin, body = parts_of(case.read_text())
        begins.update(dict.fromkeys(begin))
        if "int main(" in body:  # where it is not the program's main it must return a number
            body = re.sub(r"\}\s*$", "return 0;\n}", body)
        bodies.append(f'namespace case_{case.stem} {{\n#line 1 "{case}"\n{body}\n}}\n')
    with tempfile.TemporaryDirectory() as folder:
        joined = pathlib.Path(folder, "twins.cpp")
        joined.write_text("\n".join([*begins, *bodies]))
        return setup.compile(joined, fail=False)


def check_twins(setup, unit):
    code, output = compile_twins(setup, unit)
    if not code:
        return
    alone = {case.name: compile_twins(setup, [case]) for case in unit} if len(unit) > 1 else {unit[0].name: (code, output)}
    wrong = [f"the twin without the mistake does not compile: {name}\n{said}" for name, (code, said) in alone.items() if code]
    raise Defect("\n".join(wrong) or f"each twin compiles alone, and not together; NOT_JOINED must recognise what cannot be joined\n{output}")


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


TWINS = {  # what is wrong with the twins that share a unit: (their texts, parts of the defect's sentence, a part that it lacks)
    "the twins": (["int x;\nint main() {}\n", "int x;\nint main() { return x; }\n"], None, ""),
    "one twin does not compile": (["int x;\n", "int y = no;\n", "int z;\n"], ["does not compile: case1.cpp", "case1.cpp:1:9: error"], "case2"),
    "two twins do not compile": (["int x = no;\n", "int y;\n", "int main() { return no; }\n"], ["case0.cpp\n", "case2.cpp\n"], "case1"),
    "a twin uses what another one includes": (["#include <sinter/a.hpp>\n", "int x = from_header;\n"], ["case1.cpp\n"], "case0"),
    "a twin uses what another one defines": (["#define FROM_OTHER 1\n#include <sinter/a.hpp>\n", "#include <sinter/a.hpp>\nint x = FROM_OTHER;\n"],
                                             ["case1.cpp\n"], "case0"),
    "a twin warns": (["int x;\n", "int f() {}\n"], ["case1.cpp\n"], "case0"),
    "a twin uses a macro of another one": (["#define FROM_OTHER 1\n", "int x = FROM_OTHER;\n"], ["case1.cpp\n"], "case0"),
    "a twin that cannot be joined": (["int x;\n", "int x;\nint* y = &::x;\n"], ["not together"], "case1.cpp\n"),
}


def self_test(compiler):
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        setup = Setup(compiler, [f"-I{folder}"])
        for name, (text, words) in CASES.items():
            case = folder / "case.cpp"
            case.write_text(text)
            wrong += not as_expected(name, defect_of(check, setup, case), [words] if words else None)
        (folder / "sinter").mkdir()
        (folder / "sinter/a.hpp").write_text("inline int from_header = 1;\n")
        for name, (texts, words, other) in TWINS.items():
            cases = [folder / f"case{i}.cpp" for i in range(len(texts))]
            for case, text in zip(cases, texts):
                case.write_text(text)
            found = [defect for unit in units_of(setup, cases) if (defect := defect_of(check_twins, setup, unit))]
            wrong += not as_expected(name, "\n".join(found), words, other)
    return wrong


def as_expected(name, found, words, other=None):
    good = not found if words is None else all(w in found for w in words) and not (other and other in found)
    print(f"{'ok  ' if good else 'BAD '} {name}: {(found or 'passes').splitlines()[0]}")
    return good


def defect_of(what, *arguments):
    try:
        what(*arguments)
    except Defect as defect:
        return str(defect)
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--header", type=pathlib.Path)
    parser.add_argument("--prepare", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--no-twin", action="store_true", help="the twins are compiled elsewhere")
    parser.add_argument("--twins", help="3/5: of the units of joined twins the fourth and every fifth after it")
    parser.add_argument("case", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.compiler)
    setup = Setup(arguments.compiler, arguments.flag, arguments.prepare or arguments.header)
    if arguments.prepare:
        return setup.prepare()
    wrong = 0
    if arguments.twins:
        part, parts = map(int, arguments.twins.split("/"))
        for unit in units_of(setup, arguments.case)[part::parts]:
            defect = defect_of(check_twins, setup, unit)
            print(f"FAILED: {defect}" if defect else f"compile: {' '.join(case.stem for case in unit)}")
            wrong += bool(defect)
    else:
        for case in arguments.case:
            defect = defect_of(lambda: print(f"{case.stem}: {check(setup, case, not arguments.no_twin)}"))
            if defect:
                print(f"FAILED: {case}: {defect}")
            wrong += bool(defect)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
