# SPDX-License-Identifier: Apache-2.0
"""Writes the expected values of test/ops with NumPy: python3 make.py. The files are committed; tests only read them.

Each family of operations has two files, see test/ops/records.hpp: `name.npy` (doubles) and `name.int.npy` (int64). Results of floats are
computed in long double (64 bits of precision or more) from the very inputs and stored as doubles, so that errors of less than a unit in the
last place can be seen. Records named `.bound` say how far a result may lie away for inherent reasons, in units of the rounding error u
(2^-24 or 2^-53); each is derived beside the operation, to first order in u and with small constants rounded up. gamma_n = n u is the error
of a sum of n terms in any order, relative to the sum of their sizes (Higham, Accuracy and Stability of Numerical Algorithms, 2002, 4.2)."""
import decimal
import math
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent
wide = np.longdouble
assert np.finfo(wide).nmant >= 63, "long double must be wider than double: run this on x86"
np.seterr(all="ignore")
F4, F8, I4, I8, B = (np.dtype(t) for t in ["f4", "f8", "i4", "i8", "?"])
FLOATS, INTEGERS, NUMBERS = [F4, F8], [I4, I8], [F4, F8, I4, I8]
ALL = NUMBERS + [B]


class Family:
    def __init__(self, name):
        self.name, self.floats, self.integers, self.seen = name, [], [], set()
        self.random = np.random.default_rng(sum(map(ord, name)))

    def put(self, name, about, a):
        """The record of array a in a test of dtype `about`."""
        a = np.asarray(a)
        text = f"{name}/{about.name}"
        assert text not in self.seen, text
        self.seen.add(text)
        h = 2166136261
        for c in text.encode():
            h = (h ^ c) * 16777619 & 0xFFFFFFFF
        floating = a.dtype.kind == "f"
        (self.floats if floating else self.integers).append(
            np.concatenate([np.array([h, a.ndim, *a.shape]), a.reshape(-1)]).astype("<f8") if floating
            else np.concatenate([np.array([h, a.ndim, *a.shape], "<i8"), a.reshape(-1).astype("<i8")]))
        return a

    def save(self):
        for suffix, parts, t in [("", self.floats, "<f8"), (".int", self.integers, "<i8")]:
            np.save(here / f"{self.name}{suffix}.npy", np.concatenate([np.zeros(0, t), *parts]), allow_pickle=False)

    def normal(self, about, *shape):
        """Numbers of a common size."""
        if about == B:
            return self.random.random(shape) < 0.5
        if about.kind == "i":
            return self.random.integers(-9, 10, shape).astype(about)
        return self.random.normal(0, 1.5, shape).astype(about)


def lift(a):
    return a.astype(wide) if a.dtype.kind == "f" else a


def floats_of_note(t):
    i = np.finfo(t)
    return np.array([0., -0., np.inf, -np.inf, np.nan, i.smallest_subnormal, -i.smallest_subnormal, i.tiny, -i.tiny, i.tiny * t.type(0.37),
                     i.max, -i.max, 1, -1, 0.5, -0.5, 2, -3, i.eps, -i.eps, 1 + i.eps, 1 - i.epsneg, 1.5, 1e-20, -7.25], t)


def integers_of_note(t):
    i = np.iinfo(t)
    return np.array([0, 1, -1, 2, -7, 13, i.min, i.max, i.min + 1, i.max - 1], t)


def erf(x):
    """Correctly rounded to double."""
    def one(v):
        if math.isnan(v) or abs(v) >= 7:
            return v if math.isnan(v) else math.copysign(1.0, v)
        with decimal.localcontext() as c:
            c.prec = 80
            x2, n = decimal.Decimal(v) ** 2, 0
            term = total = decimal.Decimal(v)
            while term and abs(term) > abs(total) * decimal.Decimal("1e-50"):
                n += 1
                term = -term * x2 / n
                total += term / (2 * n + 1)
            pi = decimal.Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
            return float(2 * total / pi.sqrt()) if v else v
    # Arguments of more than 64 bits do not occur: float or double, or such a number times a constant.
    return np.array([one(decimal.Decimal(int(np.ldexp(m, 63))) * decimal.Decimal(2) ** (int(e) - 63) if np.isfinite(m) and m != 0 else float(m))
                     for m, e in zip(*np.frexp(x))], wide) if x.dtype == wide else np.array([one(float(v)) for v in x], wide)


# --- one operand, floating ---
unary = Family("unary")
COUNT = 403
for t in FLOATS:
    r, large = unary.random, (100 if t == F4 else 740)
    x = np.concatenate([floats_of_note(t), r.uniform(-4, 4, 120).astype(t), r.uniform(-large, large, 60).astype(t), r.uniform(0.9, 1.1, 30).astype(t),
                        (10.0 ** r.uniform(-30, 30, 50)).astype(t), (-(10.0 ** r.uniform(-30, 3, 30))).astype(t),
                        (r.choice([-1, 1], 50) * 10.0 ** r.uniform(-9, 0, 50)).astype(t), r.normal(0, 1, 100).astype(t)])[:COUNT]
    unary.put("x", t, x)
    w = lift(x)
    for name, y in {
            "sqrt": np.sqrt(w), "rsqrt": 1 / np.sqrt(w), "exp": np.exp(w), "log": np.log(w), "log1p": np.log1p(w), "tanh": np.tanh(w),
            "erf": erf(x), "sigmoid": np.where(w < 0, np.exp(w) / (1 + np.exp(w)), 1 / (1 + np.exp(-w))),
            "relu": np.where(w <= 0, 0, w), "softrelu": np.where(w > 0, w + np.log1p(np.exp(-w)), np.log1p(np.exp(w))),
            "gelu": w * 0.5 * (1 + np.array(erf(w * np.sqrt(wide(0.5))), wide)),
            "gelu_tanh": w * 0.5 * (1 + np.tanh(np.sqrt(2 / wide(np.pi)) * (w + wide("0.044715") * w * w * w)))}.items():
        unary.put(name, t, y)
    # 1 + phi, with |phi| <= 1: phi is 2 ulp (2 u) off, its argument 2 u (0.5 u in phi, as z erf'(z) < 1/2), or 4 u for tanh's (2 u; z tanh'(z)
    # < 1/2), and the sum 1 u; times |x| / 2. For float, the smallest subnormals of the product are lost as well.
    unary.put("gelu.bound", t, np.where(np.isfinite(w), 2.5 * np.abs(w), 0) + np.finfo(t).tiny * 2)
unary.save()

# --- two and three operands, and integers ---
SHAPES = {"row": ((3, 5), (5,)), "column": ((3, 5), (3, 1)), "both": ((2, 1, 4), (3, 1)), "scalar": ((), (7,)), "nothing": ((1,), (0,)),
          "cross": ((4, 1), (1, 5)), "empty": ((0, 3), (1, 3)), "middle": ((2, 0, 4), (4,)), "deep": ((4, 3, 2), (2,)), "long": ((1, 131), (3, 1))}
COUNT = 211


def integer_pairs(f, t):
    n = integers_of_note(t)
    i = np.iinfo(t)
    rest = f.random.integers(i.min, i.max, (2, 60), dtype=t, endpoint=True), f.random.integers(-9, 10, (2, 200)).astype(t)
    return [np.concatenate([[np.repeat(n, len(n)), np.tile(n, len(n))][k], rest[0][k], rest[1][k]])[:COUNT].astype(t) for k in (0, 1)]


def float_pairs(f, t):
    n = np.array([0., -0., np.inf, -np.inf, np.nan, 1, -1, 2, -2.5, 3, np.finfo(t).max, np.finfo(t).smallest_subnormal], t)
    r = f.random
    rest = r.normal(0, 2, 200).astype(t), r.normal(0, 2, 200).astype(t)
    rest[0][20:40] = np.abs(rest[0][20:40]) * 30
    rest[1][:5] = rest[0][:5]
    return [np.concatenate([[np.repeat(n, len(n)), np.tile(n, len(n))][k], rest[k]])[:COUNT] for k in (0, 1)]


def small(f, t, shape):
    a = f.normal(t, *shape)
    if t.kind == "f" and a.size > 4:
        a.reshape(-1)[::4] = np.resize(np.array([np.nan, np.inf, -np.inf, -0.], t), a.reshape(-1)[::4].shape)
    return a


binary = Family("binary")
for t in NUMBERS:
    a, b = (float_pairs if t.kind == "f" else integer_pairs)(binary, t)
    c = b[::-1].copy()
    for name, v in [("a", a), ("b", b), ("c", c)]:
        binary.put(name, t, v)
    p, q, s = lift(a), lift(b), lift(c)
    for name, y in {"add": p + q, "subtract": p - q, "multiply": p * q, "maximum": np.maximum(p, q), "minimum": np.minimum(p, q),
                    "clip": np.minimum(np.maximum(p, q), s), "negative": -p, "abs": np.abs(p), "square": p * p, "relu": np.where(p <= 0, 0, p)}.items():
        binary.put(name, t, y.astype(t) if t.kind == "i" else y)
    if t.kind == "f":
        binary.put("divide", t, p / q)
        binary.put("power", t, p ** q)
    for name, (l, r) in SHAPES.items():
        a, b = binary.put(name + ".a", t, small(binary, t, l)), binary.put(name + ".b", t, small(binary, t, r))
        binary.put(name + ".subtract", t, lift(a) - lift(b))
        binary.put(name + ".reverse", t, lift(b) - lift(a))
        if t == F4:
            binary.put(name + ".power", t, lift(a) ** lift(b))
binary.save()

# --- comparison, logic, where, cast ---
COMPARISONS = {"equal": np.equal, "not_equal": np.not_equal, "lesser": np.less, "lesser_equal": np.less_equal, "greater": np.greater, "greater_equal": np.greater_equal}
logic = Family("logic")
COUNT = 137
for t in NUMBERS:
    a, b = (float_pairs if t.kind == "f" else integer_pairs)(logic, t)
    logic.put("a", t, a), logic.put("b", t, b)
    for name, f in COMPARISONS.items():
        logic.put(name, t, f(a, b))
    for name, (l, r) in SHAPES.items():
        a, b = logic.put(name + ".a", t, small(logic, t, l)), logic.put(name + ".b", t, small(logic, t, r))
        logic.put(name + ".lesser", t, a < b)
a, b = (logic.put(n, B, logic.normal(B, COUNT)) for n in "ab")
for name, y in {"logical_and": a & b, "logical_or": a | b, "logical_xor": a ^ b, "logical_not": ~a}.items():
    logic.put(name, B, y)
for t in ALL:
    c = logic.put("condition", t, logic.normal(B, COUNT))
    a, b = [(logic.normal(B, COUNT), logic.normal(B, COUNT)), float_pairs(logic, t) if t.kind == "f" else None,
            integer_pairs(logic, t) if t.kind == "i" else None]["bfi".index(t.kind)]
    logic.put("where.a", t, a), logic.put("where.b", t, b), logic.put("where", t, np.where(c, lift(a), lift(b)))
    c, a, b = logic.put("stretched.condition", t, logic.normal(B, 3, 1)), logic.put("stretched.a", t, logic.normal(t, 5)), logic.put("stretched.b", t, logic.normal(t))
    logic.put("stretched.where", t, np.where(c, lift(a), lift(b)))
for t in ALL:
    if t.kind == "f":
        x = np.concatenate([floats_of_note(t), [0.999, -0.999, 2.5, -2.5, 16777217, -2147483520, 2147483520, 1e300 if t == F8 else 1e38],
                            logic.random.uniform(-1e6, 1e6, 100)]).astype(t)
        safe = np.where(np.abs(np.nan_to_num(x, nan=3e9)) < 2147483648, x, t.type(42.75))  # out of range is unspecified
    else:
        x = logic.normal(B, 120) if t == B else np.concatenate([integers_of_note(t), [16777217, -16777219, 33554435], logic.random.integers(-2**31, 2**31 - 1, 100)]).astype(t)
        if t == I8:
            x = np.concatenate([x, np.array([2**53 + 1, -2**53 - 1, 2**40 + 12345, 2**62 + 3, 2**31, 2**32, 2**24 * 2**20 + 1], t)])
        safe = x
    logic.put("cast.x", t, x[:101]), logic.put("cast.safe", t, safe[:101])
    for to in ALL:
        source = safe if t.kind == "f" and to.kind == "i" else x
        logic.put(f"cast.{to.name}", t, source[:101].astype(to))
logic.save()
