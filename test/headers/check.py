#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every public header compiles alone, included twice.

    check.py --compiler g++ --include include [--flag ...] [--exclude 'backend/xsimd/*' ...] [--parsed] [--doors]
    --parsed leaves out the instantiation of templates at the end of the file, which takes longer than all before it, and headers that
    another one includes before anything else: they are compiled alone there. The libraries' headers are compiled once for all; includes.py
    says whether each of ours includes them. A header that includes one of BEGINNINGS, itself or through others, finds that compiled, too
    --doors takes the headers that a user includes first, and those that nothing else includes
    check.py --compiler g++ --include include [--flag ...] --refused   shows that flags that sinter cannot work with are one sentence
    check.py --compiler g++ --self-test
"""
import argparse
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
NVCC_FLAGS = ["-std=c++20", "-arch=sm_90", "-cuda", "-Werror", "all-warnings"]


def public_headers(include, excluded):
    names = sorted(str(path.relative_to(include)) for path in pathlib.Path(include, "sinter").rglob("*.hpp"))
    return [name for name in names if "/detail/" not in name and not any(fnmatch.fnmatch(name, "sinter/" + e) for e in excluded)]


END = "the end of the headers"
FIRST = re.compile(r'(?://[^\n]*\n|\s)*#pragma once\n(?://[^\n]*\n|\s)*#include "([^"]+)"')


def without_first(include, names):
    """Those that no other one begins with."""
    first = set()
    for name in names:
        path = pathlib.Path(include, name)
        if found := FIRST.match(path.read_text()):
            other = pathlib.Path(os.path.normpath(path.parent / found[1]))
            if "#pragma once" in other.read_text():  # it is included once there
                first.add(os.path.relpath(other, include))
    return [name for name in names if name not in first]


def doors(include, names):
    """The headers of sinter/ itself, and those that none of them includes, nor another such header."""
    first = [name for name in names if name.count("/") == 1]
    reached = set().union(*(included(include, name, True) for name in first))
    other = [name for name in names if name not in reached and name not in first]
    reached = set().union(*(included(include, name, True) - {name} for name in other))
    return first + [name for name in other if name not in reached]


def others(include):
    """What the headers include of the standard library, Boost.Hana and xsimd."""
    text = "".join(path.read_text() for path in pathlib.Path(include, "sinter").rglob("*.hpp"))
    return "".join(f"#include <{name}>\n" for name in sorted(set(re.findall(r"^#include <([a-z_]+|(?:boost|xsimd)/[\w/.]+)>$", text, re.M))))


BEGINNINGS = ["sinter/symbol/executor.hpp", "sinter/nn/phase.hpp", "sinter/ops/all.hpp"]  # each with more than the next; many include them


def included(include, name, ever=False):
    """What a header includes of sinter, itself and through others, whatever is defined; with `ever`, what it may include."""
    found, todo = set(), [name]
    while todo:
        path, conditions = pathlib.Path(include, todo.pop()), 0
        for line in path.read_text().splitlines():
            conditions += bool(re.match(r"#\s*if", line)) - bool(re.match(r"#\s*endif", line))
            if (ever or conditions == 0) and (match := re.match(r'\s*#\s*include "([^"]+)"', line)):
                other = os.path.relpath(os.path.normpath(path.parent / match[1]), include)
                if other not in found:
                    found.add(other)
                    todo.append(other)
    return found


def precompile(compiler, flags, header, text):
    """Whether it compiles."""
    header.write_text(text)
    command = [compiler, *(flag for flag in FLAGS if flag != "-fsyntax-only"), *flags, "-x", "c++-header", str(header)]
    ending = ".pch" if "clang" in os.path.basename(compiler) else ".gch"
    return subprocess.run([*command, "-o", str(header) + ending], capture_output=True).returncode == 0


def check_one(compiler, flags, include, name, folder, parsed, begin):
    nvcc = "nvcc" in os.path.basename(compiler)
    unit = pathlib.Path(folder, name.replace("/", ".") + (".cu" if nvcc else ".cpp"))
    unit.write_text(f"#include <{name}>\n#include <{name}>\n" + (f'static_assert(false, "{END}");\n' if parsed else ""))
    command = [compiler, *(NVCC_FLAGS if nvcc else FLAGS), *flags, f"-I{include}"]
    command += ["-Wfatal-errors", "-include", str(begin)] if parsed else []
    command += ["-o", str(unit) + ".ii"] if nvcc else []
    result = subprocess.run([*command, str(unit)], capture_output=True, text=True)
    output = result.stderr + result.stdout
    reached = any("error:" in line and END in line for line in output.splitlines())  # the first error ends the compilation
    return name, result.returncode if not parsed else not reached, output


def check(compiler, flags, include, excluded, parsed, only_doors=False):
    headers = public_headers(include, excluded)
    if only_doors:
        headers = doors(include, headers)
    if parsed:
        headers = without_first(include, headers)
    failed = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        begins = {}  # compiled headers, by what they begin with
        if parsed:
            libraries = others(include)
            for name in ["", *(name for name in reversed(BEGINNINGS) if pathlib.Path(include, name).exists())]:
                header = pathlib.Path(folder, f"begin.{name.replace('/', '.')}.hpp")
                if precompile(compiler, [*flags, f"-I{include}"], header, libraries + (f"#include <{name}>\n" if name else "")):
                    begins[name] = header  # otherwise it is reported when it is compiled alone
                elif not name:
                    sys.exit("the libraries' headers do not compile")

        def one(name):
            theirs = included(include, name) if parsed else ()
            begin = next((header for first, header in reversed(begins.items()) if not first or first in theirs), None)
            return check_one(compiler, flags, include, name, folder, parsed, begin)

        for name, code, output in pool.map(one, headers):
            if code:
                failed.append(name)
                lines = output.replace(str(folder), "").splitlines()
                print(f"{name} does not compile alone:", *(line[:200] for line in lines[:12]), sep="\n")
    print(f"{len(headers) - len(failed)} of {len(headers)} headers compile alone")
    return len(headers), failed


REFUSED = {  # what these flags are answered with, whichever header of core/ comes first; all other rooms include those
    "-std=c++17": "compile with -std=c++20",
    "-fno-exceptions": "compile without -fno-exceptions",
    "-ffast-math": "compile without it",
    "-ffinite-math-only": "compile without it",
}
REFUSED_BY_GCC = {  # Clang does not tell the preprocessor, or has no such flag
    "-freciprocal-math": "compile without it",
    "-fno-signed-zeros": "compile without it",
    "-fassociative-math -fno-signed-zeros -fno-trapping-math": "compile without it",
    "-mfpmath=387": "compile with -msse2 -mfpmath=sse",
}
REFUSED_BY_CLANG = {  # its optimizer tells, in headers of the system and without warnings, too
    flags: "compile without it"
    for flags in [
        "-O1 -fno-honor-nans",
        "-O2 -w -fno-honor-nans",
        "-O2 -fno-honor-infinities",
        "-O2 -fno-signed-zeros",
        "-O2 -freciprocal-math",
        "-O2 -fassociative-math -fno-signed-zeros -fno-trapping-math",
    ]
}


def first_error(compiler, flags, name, folder, optimized=False):
    unit = pathlib.Path(folder, "unit.cpp")
    unit.write_text(f"#include <{name}>\n")
    to = ["-c", "-o", f"{unit}.o"] if optimized else ["-fsyntax-only"]
    command = [compiler, "-std=c++20", *to, "-fno-diagnostics-color", *flags, str(unit)]
    output = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stderr.splitlines()
    return next((line for line in output if "error:" in line), "no error"), len(output)


def check_refused(compiler, flags, include):
    headers = [name for name in public_headers(include, []) if name.startswith("sinter/core/")] + ["sinter/sinter.hpp"]
    family = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    refused = REFUSED if "clang" in family else {**REFUSED, **REFUSED_BY_GCC}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for refusal, words in refused.items():
            for name in headers:
                line, lines = first_error(compiler, [*flags, f"-I{include}", *refusal.split()], name, folder)
                if "sinter: " not in line or words not in line or lines > 18:
                    print(f"{name} with {refusal}: {line}, and {lines} lines in all")
                    wrong += 1
        if "clang" in family:
            for refusal, words in {**REFUSED_BY_CLANG, "-O2": ""}.items():
                for name in ["sinter/core/config.hpp", "sinter/sinter.hpp"]:
                    line, lines = first_error(compiler, [*flags, "-isystem", include, *refusal.split()], name, folder, True)
                    if line != "no error" if not words else "sinter: " not in line or words not in line or lines > 18:
                        print(f"{name} with {refusal}: {line}, and {lines} lines in all")
                        wrong += 1
            for refusal in ["-O0 -fno-honor-nans", "-O0 -fno-honor-infinities"]:
                line, _ = first_error(compiler, [*flags, f"-I{include}", *refusal.split()], "sinter/core/config.hpp", folder)
                if "is undefined behavior due to the currently enabled floating-point options" not in line:
                    print(f"config.hpp with {refusal}: {line}")
                    wrong += 1
            refused = {**refused, **REFUSED_BY_CLANG}
    print(f"{len(headers)} headers, {len(refused)} flags, {wrong} without their sentence")
    return wrong + (len(headers) < 10)


def self_test(compiler, parsed):
    with tempfile.TemporaryDirectory() as folder:
        room = pathlib.Path(folder, "sinter", "core")
        (room / "detail").mkdir(parents=True)
        (room / "good.hpp").write_text("#pragma once\nstruct good {};\n")
        (room / "needs.hpp").write_text("#pragma once\ninline good needs;\n")
        (room / "twice.hpp").write_text("struct twice {};\n")
        (room / "first.hpp").write_text("#pragma once\nstruct first {};\n")
        (room / "second.hpp").write_text('#pragma once\n// The first.\n#include "first.hpp"\ninline first second;\n')
        (room / "left_out.hpp").write_text("#error left out\n")
        ops = pathlib.Path(folder, "sinter", "ops")
        ops.mkdir()
        (ops / "all.hpp").write_text("#pragma once\nstruct every {};\n")
        (ops / "lacks.hpp").write_text('#pragma once\n#if 0\n#include "all.hpp"\n#endif\ninline every lacks;\n')
        (ops / "takes.hpp").write_text('#pragma once\n#include "all.hpp"\ninline every takes;\n')
        (room / "detail" / "part.hpp").write_text("#error private\n")
        (room / "part.hpp").write_text("#pragma once\n#include \"good.hpp\"\n")
        pathlib.Path(folder, "sinter", "door.hpp").write_text('#pragma once\n#ifdef FAST\n#include "core/good.hpp"\n#endif\n#include "ops/takes.hpp"\n')
        found = doors(folder, public_headers(folder, ["core/*o*.hpp"]))
        if found != ["sinter/door.hpp", "sinter/core/first.hpp", "sinter/core/needs.hpp", "sinter/core/part.hpp", "sinter/core/twice.hpp", "sinter/ops/lacks.hpp"]:
            sys.exit(f"the doors are {found}")
        count, failed = check(compiler, [], folder, ["core/left_out.hpp"], parsed)
    wrong = ["sinter/core/needs.hpp", "sinter/core/twice.hpp", "sinter/ops/lacks.hpp"]
    return 0 if (count, failed) == (7 if parsed else 10, wrong) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--exclude", action="append", default=[])
    parser.add_argument("--refused", action="store_true")
    parser.add_argument("--parsed", action="store_true")
    parser.add_argument("--doors", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.compiler, arguments.parsed)
    if arguments.refused:
        return 1 if check_refused(arguments.compiler, arguments.flag, arguments.include) else 0
    count, failed = check(arguments.compiler, arguments.flag, arguments.include, arguments.exclude, arguments.parsed, arguments.doors)
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
