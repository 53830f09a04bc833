#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cases of operations as test/ops/cases.hpp reads them: a line of text each, and the elements of longer arrays in two .npy files beside it.

make.py writes its own (cases.txt). What the tests in C++ compare (test/ops/check.hpp, loops.hpp) becomes cases, too: the program ops/recorded,
which is built of them with SINTER_TEST_RECORD, writes its calls into the file that SINTER_RECORD_OPS names, with all elements in the lines.
    cases.py PROGRAM...          runs it and makes recorded.txt of them, with recorded.npy and recorded.int.npy
    cases.py --check PROGRAM...  says whether they are those of recorded.txt"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

here = pathlib.Path(__file__).parent
DTYPES = ["float32", "float64", "float16", "int8", "uint8", "int16", "int32", "int64", "bool"]
SHORT = 8  # elements that stand in the line


def fnv(data):
    h = 2166136261
    for c in data:
        h = (h ^ c) * 16777619 & 0xFFFFFFFF
    return h


def keyword(v):
    if isinstance(v, (bool, np.bool_)):
        return str(bool(v)).lower()
    if isinstance(v, tuple):
        return "(" + ",".join(map(str, v)) + ")"
    if isinstance(v, list):
        return "[" + ",".join(map(str, v)) + "]"
    if isinstance(v, set):
        raise TypeError("numbers are a string: '{1,2.5}'")
    if isinstance(v, (np.dtype, type)):
        return np.dtype(v).name
    return repr(v) if isinstance(v, float) else str(v)


class Cases:
    def __init__(self, name):
        self.name, self.lines, self.pool = name, {}, {}

    def elements(self, a):
        """The elements of a flat array of doubles or int64, as they stand in a line."""
        a = np.ascontiguousarray(a).reshape(-1)
        if a.size <= SHORT:
            return "[" + ",".join(repr(float(v)).removesuffix(".0") if a.dtype.kind == "f" else str(int(v)) for v in a) + "]"
        if a.dtype.kind == "f":
            a = a.astype("<f8")
        else:
            v = a.astype("<i8")
            a = v.astype("<i4") if (v == v.astype("<i4")).all() else v.view("<i4")
        h = fnv(a.dtype.kind.encode() + a.tobytes())
        assert self.pool.setdefault(h, a).tobytes() == a.tobytes(), "two arrays have one hash: change an element of one"
        return f"#{h:08x}"

    def array(self, a, dtype=None):
        a = np.asarray(a)
        name = np.dtype(dtype or a.dtype).name
        kept = a.astype("f8") if name.startswith("float") else a.astype("i8")
        return f"{name}({','.join(map(str, a.shape))}){self.elements(kept)}"

    def add(self, op, keywords, operands, results, named=True):
        line = f"{op}{''.join(f' {k}={v}' for k, v in sorted(keywords.items()))} : {' '.join([*operands, '='])} {' '.join(results)}"
        self.lines.setdefault(line.replace("  ", " ") + ("" if named else " unnamed"))

    def case(self, op, operands, *results, dtype=None, bound=None, named=True, **keywords):
        """F's `op` of these operands (arrays, or plain numbers) gives these results. Those of floats are as exact as they can be computed,
        and have the dtype of the first operand with floats unless `dtype` says another; they may lie away as far as test/ops/tolerance.hpp
        says of the operation, and by so many roundings (`bound`: a number, or an array for each result). Without `named` the operation
        refuses names for the extents."""
        like = dtype or next((a.dtype for a in operands if isinstance(a, np.ndarray) and a.dtype.kind == "f"), None)
        bounds = bound if isinstance(bound, list) else [bound] * len(results)
        wants = []
        for y, b in zip(results, bounds):
            y = np.asarray(y)
            t = like if y.dtype.kind == "f" else y.dtype
            text = self.array(y, t)
            if b is not None and y.dtype.kind == "f":
                text += "+-" + (repr(float(b)) if np.ndim(b) == 0 else self.elements(np.asarray(b, "f8")))
            wants.append(text)
        self.add(op, {k.rstrip("_"): keyword(v) for k, v in keywords.items()},
                 [self.array(a) if isinstance(a, np.ndarray) else keyword(a) for a in operands], wants, named)

    def missing(self):
        """Which calls stand in the file and are not made, or the other way round; the elements are not compared."""
        def calls(lines):
            return collections.Counter(re.sub(r"\)(#[0-9a-f]{8}|\[[^]]*\])(\+-\S+)?", ")", line.rstrip("\n")) for line in lines)

        made, there = calls(self.lines), calls(l for l in open(here / f"{self.name}.txt") if not l.startswith("#"))
        print(f"{sum(there.values())} calls in {self.name}.txt")
        return "\n".join([*(f"missing: {c}" for c in made - there), *(f"not made: {c}" for c in there - made)]) or None

    def save(self, head):
        (here / f"{self.name}.txt").write_text(f"# {head}\n" + "".join(l + "\n" for l in sorted(self.lines)))
        for suffix, kind, t in [("", "f", "<f8"), (".int", "i", "<i4")]:
            parts = [np.concatenate([np.array([h, a.size]).astype(t) if kind == "f" else np.array([h, a.size], "<u4").view("<i4"), a])
                     for h, a in sorted(self.pool.items()) if a.dtype.kind == kind]
            np.save(here / f"{self.name}{suffix}.npy", np.concatenate([np.zeros(0, t), *parts]), allow_pickle=False)


# --- what tests record ---
def parsed(text):
    """dtype(extents)[elements] as its dtype, its shape and its elements."""
    name, rest = text.split("(", 1)
    shape, rest = rest.split(")", 1)
    values = rest[1:-1].split(",") if rest != "[]" else []
    real = name.startswith("float")
    return name, shape, np.array([float.fromhex(v) if real else int(v) for v in values], "f8" if real else "i8")


def calls_of(program):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "calls.txt"
        if subprocess.run([program], env={**os.environ, "SINTER_RECORD_OPS": str(file)}, stdout=subprocess.DEVNULL).returncode != 0:
            sys.exit(f"{program} fails")
        return file.read_text().splitlines()


def recorded(programs):
    cases, n = Cases("recorded"), 0
    for program in programs:
        for line in calls_of(program):
            n += 1
            call, wants = line.split(" = ")
            head, _, operands = call.partition(" :")
            op, *words = head.split(" ")
            named = not wants.endswith(" unnamed")
            results = []
            for want in wants.removesuffix(" unnamed").split(" "):
                value, _, bound = want.partition("+-")
                t, shape, v = parsed(value)
                results.append(f"{t}({shape}){cases.elements(v)}")
                if bound and t.startswith("float"):
                    b = parsed("float64()" + bound)[2]
                    if b.size:
                        results[-1] += "+-" + (repr(float(b[0])) if (b == b[0]).all() else cases.elements(b))
            arrays = []
            for o in operands.split():
                if "(" in o:
                    t, shape, v = parsed(o)
                    o = f"{t}({shape}){cases.elements(v)}"
                arrays.append(o)
            cases.add(op, dict(w.split("=", 1) for w in words), arrays, results, named)
    print(f"{n} calls, {len(cases.lines)} of them differ, {sum(a.nbytes for a in cases.pool.values()) / 1e6:.2f} MB of elements")
    return cases


def check(cases):
    """Whether recorded.txt has each of these calls, with results that differ in the last digits alone, and no other."""
    def calls(text, pool):
        r = {}
        for line in text:
            call, want = line.rstrip("\n").split(" = ")
            r.setdefault(call, []).append((want, pool))
        return r

    def pool_of(name, t):
        v, r, i = np.load(here / name), {}, 0
        while i < v.size:
            n = int(v[i + 1])
            r[int(v[i]) & 0xFFFFFFFF] = v[i + 2:i + 2 + n]
            i += 2 + n
        return r

    def numbers(text, pool):
        if text.startswith("#"):
            return np.asarray(pool[int(text[1:], 16)], "f8")
        return np.array([float(v) for v in text.strip("[]").split(",") if v], "f8")

    def close(a, b, pools):
        for p, q in zip(a.split(" "), b.split(" "), strict=True):
            if p == q:
                continue
            (v, _, e), (w, _, f) = p.partition("+-"), q.partition("+-")
            if v.split(")")[0] != w.split(")")[0]:
                return False
            for l, r in [(v.split(")")[1], w.split(")")[1]), (e, f)]:
                x, y = numbers(l, pools[0]), numbers(r, pools[1])
                if x.shape != y.shape or not np.allclose(x, y, rtol=1e-12, atol=1e-300, equal_nan=True):
                    return False
        return True

    kept = {**pool_of("recorded.npy", "f"), **pool_of("recorded.int.npy", "i")}
    before = calls([l for l in open(here / "recorded.txt") if not l.startswith("#")], kept)
    now = calls(cases.lines, cases.pool)
    wrong = [f"not recorded any more: {c}" for c in before if c not in now] + [f"not in recorded.txt: {c}" for c in now if c not in before]
    for c in before:
        if c in now and not all(any(close(w, b, (cases.pool, kept)) for b, _ in before[c]) for w, _ in now[c]):
            wrong.append(f"gives something else: {c}")
    print("\n".join(wrong[:20] + ["run cases.py without --check to accept it"] * bool(wrong)) or f"{len(now)} calls are as recorded")
    return not wrong


if __name__ == "__main__":
    programs = [p for p in sys.argv[1:] if p != "--check"]
    if not programs:
        sys.exit(__doc__)
    if "--check" in sys.argv:
        sys.exit(0 if check(recorded(programs)) else 1)
    recorded(programs).save("Written by cases.py: what the tests of test/ops compare.")
