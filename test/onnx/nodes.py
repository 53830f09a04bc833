#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the node tests of PyPI's onnx through sinter and compares what came out with docs/onnx.md, whose tables this script writes.

    nodes.py PROGRAM FOLDER      PROGRAM is the test program; FOLDER is where the package is installed, once
    SINTER_WRITE_DOCS=1 nodes.py PROGRAM FOLDER     writes the tables

Of the package only the files are needed. An operator that sinter claims gives ONNX's results or refuses the model with a sentence; another
result fails, but for those in DIFFERENT."""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ONNX = "onnx==1.22.0"  # 1.23 no longer has the files
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "onnx.md"
FOREIGN = "operators of another domain"
MARK = "<!-- Written by test/onnx/nodes.py; the test fails when it is out of date. -->\n"
DIFFERENT = {
    f"test_resize_downsample_scales_{mode}_align_corners": "ONNX Runtime's result: the last element stays the last; ONNX takes an extent of 2.4 for it"
    for mode in ("cubic", "linear")
}


def data(folder):
    """The folder of the tests, installed if it is not there."""
    nodes = folder / "onnx" / "backend" / "test" / "data" / "node"
    if not nodes.is_dir():
        venv = folder.with_name(folder.name + "-venv")
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([venv / "bin" / "pip", "install", "--quiet", "--no-deps", "--target", folder, ONNX], check=True)
    return nodes


def report(program, nodes):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "report")
        env = dict(os.environ, SINTER_ONNX_NODES=str(nodes), SINTER_ONNX_REPORT=str(out))
        subprocess.run([program, "[.nodes]"], env=env, check=True, stdout=subprocess.DEVNULL)
        lines = out.read_text().splitlines()
    operators, tests = collections.defaultdict(list), {}
    for line in lines:
        kind, name, *rest = line.split(" ", 3)
        if kind == "operator":
            operators[name].append((int(rest[0]), int(rest[1])))
        else:
            tests[name] = (rest[0], rest[1] if len(rest) > 1 else "")
    return operators, tests


def opsets(ranges):
    first = max(7, min(since for since, _ in ranges))
    last = max(until or 99 for _, until in ranges)
    return f"{first} and later" if last == 99 else f"{first} to {last}"


def reason(words):
    """What is wrong, the same for all tests of a kind."""
    if "of the domain" in words or "imports no opset" in words:
        return FOREIGN
    words = re.sub(r".*no tensors of (?=\w+$)|.*tensor `\w*` of (?=\w+ .*no tensors)", "there are no tensors of ", words)
    return re.sub(r"^(sinter: )?(.*/model\.onnx: )?(a node )?|(?<=no tensors of )(\w+) .*", lambda m: m[4] or "", words)


def tables(operators, tests):
    count = collections.Counter(status for status, _ in tests.values())
    missing = collections.Counter(words.rsplit("operator ", 1)[1].split(" ")[0] for status, words in tests.values() if status == "missing")
    refused = collections.defaultdict(list)
    for name, (status, words) in sorted(tests.items()):
        if status == "refused":
            refused[reason(words)].append(name)
    foreign = sum(len(names) for why, names in refused.items() if why == FOREIGN)
    claimed = len(tests) - count["missing"] - foreign
    yield f"Of the {len(tests)} node tests of {ONNX.replace('==', ' ')} {count['pass']} pass; {claimed} are of operators that sinter has."
    yield ""
    yield "| operator | opsets |"
    yield "| --- | --- |"
    for name in sorted(operators):
        yield f"| `{name}` | {opsets(operators[name])} |"
    yield ""
    yield "Tests of these operators that do not pass:"
    yield ""
    yield "| why | tests |"
    yield "| --- | --- |"
    for why, names in sorted(refused.items(), key=lambda k: (-len(k[1]), k[0])):
        shown = ", ".join(f"`{n}`" for n in names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        yield f"| {why.replace('|', '/')} | {shown} |"
    for name, why in sorted(DIFFERENT.items()):
        yield f"| {why} | `{name}` |"
    yield ""
    yield "Operators of the tests that sinter does not have, in the opset of the test at least, and how many tests need them first:"
    yield ""
    yield ", ".join(f"`{name}` {n}" for name, n in sorted(missing.items(), key=lambda k: (-k[1], k[0]))) + "."


def main(program, folder):
    operators, tests = report(program, data(pathlib.Path(folder)))
    wrong = [f"{name}: {words}" for name, (status, words) in sorted(tests.items()) if status == "FAIL" and name not in DIFFERENT]
    wrong += [f"{name} passes, and the list says that it does not" for name in DIFFERENT if tests[name][0] != "FAIL"]
    text = "\n".join(tables(operators, tests)) + "\n"
    print(text.splitlines()[0])
    head, mark, old = PAGE.read_text().partition(MARK)
    if os.environ.get("SINTER_WRITE_DOCS"):
        PAGE.write_text(head + MARK + "\n" + text)
    elif old.strip() != text.strip():
        wrong.append(f"{PAGE} is out of date: SINTER_WRITE_DOCS=1 {' '.join(sys.argv)}")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
