#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions that the linker may keep for another translation unit have no instructions that its processor may lack.

check.py [--nm NM] [--objdump OBJDUMP] objects...     built for more than the lowest instruction set
A function that several objects define is kept once. So those of sinter and of its users' templates carry the instruction set in
their names, or have none of its instructions. What the standard library and Boost define is left to the order of the objects, but
may not have instructions of AVX-512: a program with one unit for it must run on processors without it.
"""
import argparse
import re
import subprocess
import sys

# Beyond what every x86-64 processor has: all that is encoded with VEX or EVEX, and the scalar extensions of AVX2's generation.
BEYOND = re.compile(r"v(?!err|erw)[a-z]|k(mov|or|and|xn?or|not|test|shift|add|unpck)|(sh[lr]x|sarx|rorx|mulx|pdep|pext|andn|bextr|bzhi"
                    r"|bls(r|i|msk)|tzcnt|lzcnt|popcnt|movbe)")
AVX512 = re.compile(r"vpternlog|v[a-z]+(32x[48]|64x[24])|vmovdq[au](8|16|32|64)|v(p?blendm|perm[it]2|p?compress|p?expand|pmov[a-z]*2m|pmovm2)"
                    r"|k(mov|or|and|xn?or|not|test|shift|add|unpck)")
FOREIGN = re.compile(r"_Z(T[A-Z])?N?[VKR]*(St|S[absiod]|9__gnu_cxx|5boost|5Catch)|DW\.ref|__|_Z[TG]")
NAMED = re.compile("4sse2|5sse42|3avx|4avx2|8avx2_fma|6avx512")  # as mangled names spell them


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def weak(nm, path):
    rows = (line.split() for line in output(nm, path).splitlines())
    return {row[2] for row in rows if len(row) == 3 and row[1] in "VWu"}


def instructions(objdump, path):
    found, name = {}, ""
    for line in output(objdump, "-d", "--no-show-raw-insn", path).splitlines():
        if head := re.match(r"[0-9a-f]+ <(.+)>:$", line):
            name = head[1]
            found.setdefault(name, set())
        elif row := re.match(r"\s+[0-9a-f]+:\s+([a-z]\S*)", line):
            found[name].add(row[1])
    return found


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--nm", default="nm")
    p.add_argument("--objdump", default="objdump")
    p.add_argument("objects", nargs="+")
    a = p.parse_args()
    wrong = named = 0
    for path in a.objects:
        code = instructions(a.objdump, path)
        for symbol in sorted(weak(a.nm, path) & code.keys()):
            beyond = sorted(i for i in code[symbol] if BEYOND.match(i))
            if not beyond:
                continue
            if NAMED.search(symbol):
                named += 1
            elif not FOREIGN.match(symbol) or any(AVX512.match(i) for i in beyond):
                wrong += 1
                print(f"{path}: {output('c++filt', symbol).strip()}: {' '.join(beyond[:5])}")
    # As many functions must have been seen as there are kernels, or the tools read nothing.
    if named < 100:
        sys.exit(f"only {named} functions of an instruction set were found in {a.objects}")
    if wrong:
        sys.exit(f"{wrong} functions carry no instruction set in their names and have its instructions")


main()
