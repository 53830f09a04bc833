#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs an example and compares what it prints with the lines `// prints: ...` of its source; `...` in a line stands for any text.

    check.py SOURCE PROGRAM
    check.py --self-test"""
import pathlib
import re
import subprocess
import sys


def expected_lines(source):
    return re.findall(r"^// prints: (.*)$", source, re.MULTILINE)


def first_difference(expected, printed):
    if not expected:
        return "the source does not say what the program prints"
    for n, (want, got) in enumerate(zip(expected, printed), 1):
        if not re.fullmatch(".*".join(map(re.escape, want.split("..."))), got):
            return f"line {n} is\n  {got}\nand not\n  {want}"
    if len(expected) != len(printed):
        return f"it prints {len(printed)} lines, and not {len(expected)}"
    return None


def self_test():
    says = expected_lines("int main() {}\n// prints: a ... c\n// prints: d\n")
    assert says == ["a ... c", "d"]
    assert first_difference(says, ["a b c", "d"]) is None
    assert "line 1" in first_difference(says, ["a b d", "d"])
    assert "3 lines" in first_difference(says, ["a b c", "d", "e"])
    assert "1 lines" in first_difference(says, ["a b c"])
    assert first_difference([], []) is not None


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    source, program = sys.argv[1:]
    result = subprocess.run([program], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{program} ends with {result.returncode}: {result.stderr}")
    if wrong := first_difference(expected_lines(pathlib.Path(source).read_text()), result.stdout.splitlines()):
        sys.exit(f"{source}: {wrong}")


if __name__ == "__main__":
    main()
