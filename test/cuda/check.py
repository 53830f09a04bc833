#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks at the machine code that nvcc makes of fused kernels; needs no GPU.

    check.py --nvcc nvcc --cuobjdump cuobjdump --include include [--flag ...]
    check.py --self-test

cuobjdump and the nvdisasm that it calls are on PyPI: nvidia-cuda-cuobjdump, nvidia-cuda-nvdisasm.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = ["-std=c++20", "-arch=sm_90", "-Werror", "all-warnings"]  # and none of nvcc's experimental ones


def functions(sass):
    """The instructions of each kernel, by its mangled name."""
    found, name = {}, None
    for line in sass.splitlines():
        if match := re.search(r"Function : (\S+)", line):
            name = match.group(1)
            found[name] = []
        elif name and (match := re.match(r"\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\d+ )?([A-Z0-9_.]+)", line)):
            found[name].append(match.group(1))
    return found


def problems(sass):
    """What is wrong, as sentences."""
    kernels = functions(sass)
    wide = {name: code for name, code in kernels.items() if "4wide" in name and "pointwise" in name and "multiply" in name}
    wrong = [] if wide else ["there is no fused elementwise kernel"]
    for name, code in wide.items():
        for what, instruction in ("loads", "LDG.E.128"), ("stores", "STG.E.128"):
            if sum(i.startswith(instruction) for i in code) < 2:
                wrong.append(f"{name} has no 128-bit {what} of both operands")
        wrong += [f"{name} contracts a product and a sum: {i}" for i in code if i.startswith("FFMA")]
    # What follows a library reads its result, and here one operand more, and writes one.
    behind = {name: code for name, code in kernels.items() if "4wide" in name and "8epilogue" in name}
    wrong += [] if behind else ["nothing follows a library's product"]
    loads = {name: sum(i.startswith("LDG.E.128") for i in code) for name, code in behind.items()}
    wrong += [f"{name} has no 128-bit load" for name in behind if loads[name] == 0]
    wrong += [f"{name} has no 128-bit store" for name, code in behind.items() if not any(i.startswith("STG.E.128") for i in code)]
    if behind and max(loads.values()) < 2:
        wrong.append("nothing that follows a library's product loads a second operand with 128 bits")
    for name, code in kernels.items():
        if "pointwise" in name or "4rows" in name or "7product" in name:
            wrong += [f"{name} uses local memory: {i}" for i in code if i.startswith(("LDL", "STL"))][:1]
            wrong += [f"{name} computes in double: {i}" for i in code if i.startswith(("DADD", "DMUL", "DFMA"))][:1]
    if not any("5chain" in name and code.count("FFMA") >= 384 for name, code in kernels.items()):
        wrong.append("attention is no kernel of its own")
    # Its operands of the product's type may lie in shared memory: only instructions that reach both can read and write them.
    for name, code in kernels.items():
        if "5chain" in name:
            wrong += [f"{name} takes an operand for global memory: {i}" for i in code if i.startswith(("LDG", "STG"))][:1]
    return wrong


def check(arguments):
    here = pathlib.Path(__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        cubin = pathlib.Path(folder, "kernels.cubin")
        command = [arguments.nvcc, *FLAGS, *arguments.flag, f"-I{arguments.include}", "-cubin", "-o", cubin, here / "kernels.cu"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            print(result.stderr[:4000])
            return 1
        tools = os.path.dirname(arguments.cuobjdump)
        environment = dict(os.environ, PATH=os.pathsep.join([tools, os.environ["PATH"]]))
        dump = subprocess.run([arguments.cuobjdump, "-sass", cubin], capture_output=True, text=True, env=environment)
    wrong = problems(dump.stdout) if dump.returncode == 0 and dump.stdout else [dump.stderr or "cuobjdump printed nothing"]
    print("\n".join(wrong) or f"{len(functions(dump.stdout))} kernels are as they should be")
    return len(wrong)


GOOD = """
		Function : run_each4wide9pointwise8multiply
        /*0000*/              @!P0 LDG.E.128 R8, desc[UR6][R20.64] ;    /* 0x0 */
        /*0010*/                   LDG.E.128.CONSTANT R8, desc[UR6][R20.64] ;    /* 0x0 */
        /*0020*/                   STG.E.128 desc[UR6][R20.64], R8 ;    /* 0x0 */
        /*0030*/                   STG.E.128 desc[UR6][R20.64], R8 ;    /* 0x0 */
		Function : run_each4wide8epilogue7product
        /*0000*/                   LDG.E.128 R8, desc[UR6][R20.64] ;    /* 0x0 */
        /*0010*/                   LDG.E.128 R8, desc[UR6][R24.64] ;    /* 0x0 */
        /*0020*/                   STG.E.128 desc[UR6][R20.64], R8 ;    /* 0x0 */
		Function : run_blocks5chain
""" + "        /*0000*/                   FFMA R8, R9, R10, R8 ;    /* 0x0 */\n" * 384


def self_test():
    rows = "\t\tFunction : run_teams4rows\n        /*0000*/  "
    second = "        /*0010*/                   LDG.E.128 R8, desc[UR6][R24.64] ;    /* 0x0 */\n"
    cases = [(GOOD, 0), ("", 3), (GOOD + rows + "FADD R4, R2, R0 ;\n", 0), (GOOD + rows + "DADD R4, R2, R0 ;\n", 1),
             (GOOD + rows + "STL [R1], R2 ;\n", 1), (GOOD.replace("5chain", "other"), 1),
             (GOOD + "        /*0010*/  STG.E [R2], R3 ;\n", 1), (GOOD.replace("LDG.E.128", "LDG.E"), 3), (GOOD.replace("STG.E.128", "STG.E"), 2),
             (GOOD.replace(second, ""), 1), (GOOD.replace("8epilogue", "other"), 1),
             (GOOD.replace("Function : run_each4wide8", "        /*0040*/  FFMA R1, R2, R3, R4 ;\n\t\tFunction : run_each4wide8"), 1)]
    return sum(len(problems(sass)) != count for sass, count in cases)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc")
    parser.add_argument("--cuobjdump")
    parser.add_argument("--include")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args()
    sys.exit(self_test() if given.self_test else check(given))
