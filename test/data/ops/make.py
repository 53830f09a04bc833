# SPDX-License-Identifier: Apache-2.0
"""Writes the expected values of test/ops with NumPy: python3 make.py. The files are committed; tests only read them. make.py --check says whether
cases.txt has each call that this makes and no other; the last digits of numbers differ from machine to machine.

A new operation needs rows here and nothing in C++:

    for t in FLOATS:
        x = unary.normal(t, 3, 5)
        case("softsign", [x], lift(x) / (1 + np.abs(lift(x))))
        case("sum", [x], lift(x).sum(1, keepdims=True), bound=5 * np.abs(x).sum(1, keepdims=True), axis=(1,), keepdims=True)

that is: the operation's name in F, its operands (arrays, or plain numbers), what it gives, and its keywords. A keyword is a number, a bool, a
dtype, a tuple where F takes a list (axis=(0, 2)), a list where it takes a shape (into=[2, 3]), a string where it takes numbers of both kinds
(values="{1,2.5}") or an option by its number; `as_` is `as`. Results of floats are computed in long double (`lift`), their tolerance is
the operation's line in test/ops/tolerance.hpp, and `bound` adds so many roundings. `dtype` is that of the results where it is not that of the
operands, named=False says that the operation must refuse names for the extents. Give it extents of 0 and 1, odd ones, and NaN and infinities.
test/ops/data.cpp runs each row by the interpreter: with numbers for the extents, with names, of views, and of parameters; it also says which
operation has no row. cases.py says what the files hold, and how calls in C++ become rows.

Each family of operations has two files, see test/ops/records.hpp: `name.npy` (doubles) and `name.int.npy` (int32). Results of floats are
computed in long double (64 bits of precision or more) from the very inputs and stored as doubles, so that errors of less than a unit in the
last place can be seen. Records named `.bound` say how far a result may lie away for inherent reasons, in units of the rounding error u
(2^-24 or 2^-53); each is derived beside the operation, to first order in u and with small constants rounded up. gamma_n = n u is the error
of a sum of n terms in any order, relative to the sum of their sizes (Higham, Accuracy and Stability of Numerical Algorithms, 2002, 4.2)."""
import decimal
import fractions
import math
import os
import pathlib
import sys

os.environ["NPY_DISABLE_CPU_FEATURES"] = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"  # its power differs with them
import numpy as np  # noqa: E402

from cases import Cases

CHECKS = sys.argv[1:] == ["--check"]
here = pathlib.Path(__file__).parent
wide = np.longdouble
assert np.finfo(wide).nmant >= 63, "long double must be wider than double: run this on x86"
np.seterr(all="ignore")
F4, F8, I4, I8, B = (np.dtype(t) for t in ["f4", "f8", "i4", "i8", "?"])
FLOATS, INTEGERS, NUMBERS = [F4, F8], [I4, I8], [F4, F8, I4, I8]
ALL = NUMBERS + [B]
cases = Cases("cases")
case = cases.case


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
        if a.dtype.kind == "f":
            self.floats.append(np.concatenate([np.array([h, a.ndim, *a.shape]), a.reshape(-1)]).astype("<f8"))
        else:
            v = a.reshape(-1).astype("<i8")
            short = (v == v.astype("<i4")).all()
            self.integers.append(np.concatenate([np.array([h, a.ndim, *a.shape, 1 if short else 2]).astype("<u4").view("<i4"), v.astype("<i4") if short else v.view("<i4")]))
        return a

    def save(self):
        if CHECKS:
            return
        for suffix, parts, t in [("", self.floats, "<f8"), (".int", self.integers, "<i4")]:
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
COUNT = 283
for t in FLOATS:
    r, large = unary.random, (100 if t == F4 else 740)
    x = np.concatenate([floats_of_note(t), r.uniform(-4, 4, 120).astype(t), r.uniform(-large, large, 60).astype(t), r.uniform(0.9, 1.1, 30).astype(t),
                        (10.0 ** r.uniform(-30, 30, 50)).astype(t), (-(10.0 ** r.uniform(-30, 3, 30))).astype(t),
                        (r.choice([-1, 1], 50) * 10.0 ** r.uniform(-9, 0, 50)).astype(t), r.normal(0, 1, 100).astype(t)])[:COUNT]
    unary.put("x", t, x)
    w = lift(x)
    for name, y in {
            "sqrt": np.sqrt(w), "rsqrt": 1 / np.sqrt(w), "exp": np.exp(w), "expm1": np.expm1(w), "log": np.log(w), "log1p": np.log1p(w), "tanh": np.tanh(w),
            "erf": erf(x), "sigmoid": np.where(w < 0, np.exp(w) / (1 + np.exp(w)), 1 / (1 + np.exp(-w))),
            "relu": np.where(w <= 0, 0, w), "softrelu": np.where(w > 0, w + np.log1p(np.exp(-w)), np.log1p(np.exp(w))),
            "gelu": w * 0.5 * (1 + np.array(erf(w * np.sqrt(wide(0.5))), wide)),
            "gelu_tanh": w * 0.5 * (1 + np.tanh(np.sqrt(2 / wide(np.pi)) * (w + wide("0.044715") * w * w * w)))}.items():
        unary.put(name, t, y)
        case(name, [x], y, bound=np.where(np.isfinite(w), 2.5 * np.abs(w), 0) + np.finfo(t).tiny * 2 if "gelu" in name else None)
    # 1 + phi, with |phi| <= 1: phi is 2 ulp (2 u) off, its argument 2 u (0.5 u in phi, as z erf'(z) < 1/2), or 4 u for tanh's (2 u; z tanh'(z)
    # < 1/2), and the sum 1 u; times |x| / 2. For float, the smallest subnormals of the product are lost as well.
    unary.put("gelu.bound", t, np.where(np.isfinite(w), 2.5 * np.abs(w), 0) + np.finfo(t).tiny * 2)
unary.save()

# --- two and three operands, and integers ---
SHAPES = {"row": ((3, 5), (5,)), "column": ((3, 5), (3, 1)), "both": ((2, 1, 4), (3, 1)), "scalar": ((), (7,)), "nothing": ((1,), (0,)),
          "cross": ((4, 1), (1, 5)), "empty": ((0, 3), (1, 3)), "middle": ((2, 0, 4), (4,)), "deep": ((4, 3, 2), (2,)), "long": ((1, 67), (3, 1))}
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
        case(name, [a, b, c][:{"negative": 1, "abs": 1, "square": 1, "relu": 1, "clip": 3}.get(name, 2)], y.astype(t) if t.kind == "i" else y)
    if t.kind == "f":
        binary.put("divide", t, p / q)
        binary.put("power", t, p ** q)
        case("divide", [a, b], p / q)
        case("power", [a, b], p ** q)
    for name, (l, r) in SHAPES.items():
        a, b = binary.put(name + ".a", t, small(binary, t, l)), binary.put(name + ".b", t, small(binary, t, r))
        binary.put(name + ".subtract", t, lift(a) - lift(b))
        binary.put(name + ".reverse", t, lift(b) - lift(a))
        case("subtract", [a, b], lift(a) - lift(b))
        case("subtract", [b, a], lift(b) - lift(a))
        case("power", [a, b], lift(a) ** lift(b)) if t == F4 else None
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
        case(name, [a, b], f(a, b))
    for name, (l, r) in SHAPES.items():
        a, b = logic.put(name + ".a", t, small(logic, t, l)), logic.put(name + ".b", t, small(logic, t, r))
        logic.put(name + ".lesser", t, a < b)
        case("lesser", [a, b], a < b)
        case("greater", [a, b], a > b)
a, b = (logic.put(n, B, logic.normal(B, COUNT)) for n in "ab")
for name, y in {"logical_and": a & b, "logical_or": a | b, "logical_xor": a ^ b, "logical_not": ~a}.items():
    logic.put(name, B, y)
    case(name, [a, b][:1 if name == "logical_not" else 2], y)
case("not_equal", [a, b], a != b), case("equal", [a, b], a == b)
for t in ALL:
    c = logic.put("condition", t, logic.normal(B, COUNT))
    a, b = [(logic.normal(B, COUNT), logic.normal(B, COUNT)), float_pairs(logic, t) if t.kind == "f" else None,
            integer_pairs(logic, t) if t.kind == "i" else None]["bfi".index(t.kind)]
    logic.put("where.a", t, a), logic.put("where.b", t, b), logic.put("where", t, np.where(c, lift(a), lift(b)))
    case("where", [c, a, b], np.where(c, lift(a), lift(b))), case("identity", [a], lift(a)), case("stop_gradient", [a], lift(a))
    c, a, b = logic.put("stretched.condition", t, logic.normal(B, 3, 1)), logic.put("stretched.a", t, logic.normal(t, 5)), logic.put("stretched.b", t, logic.normal(t))
    logic.put("stretched.where", t, np.where(c, lift(a), lift(b)))
    case("where", [c, a, np.asarray(b)], np.where(c, lift(a), lift(np.asarray(b)))), case("where", [~c, np.asarray(b), a], np.where(c, lift(a), lift(np.asarray(b))))
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
        case("cast", [source[:101]], source[:101].astype(to), dtype=to, as_=to)
logic.save()

# --- reductions ---
def bounded(f, name, t, y, bound):
    """A result, and how far one of floats may lie from it; where it is not finite, not at all."""
    f.put(name, t, y.astype(t) if t.kind == "i" and np.asarray(y).dtype.kind == "i" else y)
    if t.kind == "f":
        f.put(name + ".bound", t, np.where(np.isfinite(y), bound, 0))


def axes_name(axes):
    return "all" if axes is None else "".join(map(str, axes))


reduction = Family("reduction")


def reduce(t, name, x, cases, keepdims=False):
    keep = ".keep" if keepdims else ""
    for axes in cases:
        w, n = lift(x), math.prod(x.shape if axes is None else [x.shape[i] for i in axes])
        tail = f".{name}.{axes_name(axes)}{keep}"
        size = np.abs(w).sum(axes, keepdims=keepdims)
        bounded(reduction, "sum" + tail, t, w.sum(axes, keepdims=keepdims), n * size)
        if t.kind == "f":
            mean = w.sum(axes, keepdims=keepdims) / n if n else np.full(size.shape, np.nan)
            bounded(reduction, "mean" + tail, t, mean, (n + 1) * size / max(n, 1))
        lowest = t.type(-np.inf) if t.kind == "f" else np.iinfo(t).min
        reduction.put("max" + tail, t, np.max(x, axes, keepdims=keepdims, initial=lowest))
        if n and (axes is None or len(axes) == 1):
            reduction.put("argmax" + tail, t, np.asarray(np.argmax(x, None if axes is None else axes[0], keepdims=keepdims)).astype(I8))


for t in NUMBERS:
    put = reduction.put
    reduce(t, "cube", put("cube", t, reduction.normal(t, 2, 3, 4)), [None, (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)])
    x = put("kept", t, reduction.normal(t, 2, 3, 4))
    reduce(t, "kept", x, [None, (1,), (0, 2)], True)
    for name, shape in {"seven": (7,), "one": (1,), "none": (0,), "scalar": ()}.items():
        reduce(t, name, put(name, t, reduction.normal(t, *shape)), [None])
    for name, shape in {"tall": (0, 3), "flat": (3, 0), "long": (5, 131)}.items():
        reduce(t, name, put(name, t, reduction.normal(t, *shape)), [(0,), (1,), None])
    rows = put("rows", t, reduction.normal(t, 64, 3))
    for n in [0, 1, 7, 64]:
        reduce(t, f"rows{n}", rows[:n], [(0,), (1,)])
    if t.kind == "f":
        nan, inf = np.nan, np.inf
        x = np.array([[1, nan, 3, 2, nan], [inf, 1, 2, 3, inf], [-inf, -inf, -inf, -inf, -inf], [inf, -inf, 0, 1, 2], [-0., 0, -0., 0, -1], [nan, inf, 5, 6, 7]], t)
        reduce(t, "odd", put("odd", t, x), [(0,), (1,), None])
    else:
        x = np.array([[np.iinfo(t).max, 1, 5], [np.iinfo(t).min, -1, 7], [np.iinfo(t).min, np.iinfo(t).min, np.iinfo(t).min]], t)
        reduce(t, "odd", put("odd", t, x), [(0,), (1,), None])
reduction.save()

# --- products ---
product = Family("product")
MATMUL = {"one": ((1, 1), (1, 1)), "odd": ((3, 5), (5, 7)), "large": ((9, 33), (33, 19)), "wide": ((3, 70), (70, 35)), "k0": ((2, 0), (0, 3)), "m0": ((0, 3), (3, 2)),
          "n0": ((2, 3), (3, 0)), "dot": ((9,), (9,)), "dot0": ((0,), (0,)), "row": ((5,), (5, 3)), "column": ((3, 5), (5,)), "batch": ((2, 3, 4), (2, 4, 5)),
          "stretched": ((2, 1, 3, 4), (3, 4, 5)), "left": ((2, 3, 4), (4, 5)), "right": ((3, 4), (2, 4, 5)), "rows": ((4,), (2, 4, 3)), "columns": ((2, 3, 4), (4,)),
          "thin": ((7, 1), (1, 6)), "batch0": ((0, 2, 3), (3, 2))}


def multiply(name, t, a, b, bias=None):
    """One bound for all elements; a bias adds one rounding, to be generous two."""
    y, size, n = np.matmul(lift(a), lift(b)), np.matmul(np.abs(lift(a)), np.abs(lift(b))), a.shape[-1]
    if bias is not None:
        y, size, n = y + bias, size + np.abs(bias), n + 2
    product.put(name, t, y.astype(t) if t.kind == "i" else y)
    if t.kind == "f":
        product.put(name + ".bound", t, n * np.max(size, where=np.isfinite(size), initial=0))


for t in NUMBERS:
    put, normal = product.put, product.normal
    for name, (l, r) in MATMUL.items():
        if name == "wide" and t != F4:
            continue
        multiply(name, t, put(name + ".a", t, normal(t, *l)), put(name + ".b", t, normal(t, *r)))
    x = put("rows64.a", t, normal(t, 64, 3))
    w = put("rows64.b", t, normal(t, 3, 5))
    for n in [0, 1, 7, 64]:
        multiply(f"rows{n}", t, x[:n], w)
    a, b = normal(t, 4, 6), normal(t, 6, 5)
    if t.kind == "f":
        a[0, 1], a[1, 2], a[2, 3], b[3, 0], a[3, 0], b[0, 4] = np.nan, np.inf, -np.inf, 0, np.inf, -0.
    else:
        a[0], b[:, 0] = np.iinfo(t).max, np.iinfo(t).max - 1
    multiply("special", t, put("special.a", t, a), put("special.b", t, b))
    # x weight^T + bias
    for name, shape in {"matrix": (7, 6), "images": (4, 2, 3), "none": (0, 6)}.items():
        x, w, bias = put(name + ".x", t, normal(t, *shape)), put(name + ".weight", t, normal(t, 5, 6)), put(name + ".bias", t, normal(t, 5))
        flat = x.reshape(shape[0], 6)
        multiply(name + ".fc", t, flat, w.T)
        multiply(name + ".biased", t, flat, w.T, bias)
    for name, shape in {"deep": (2, 3, 6), "vector": (6,)}.items():
        x, w, bias = put(name + ".x", t, normal(t, *shape)), put(name + ".weight", t, normal(t, 5, 6)), put(name + ".bias", t, normal(t, 5))
        multiply(name + ".fc", t, x, w.T)
        multiply(name + ".biased", t, x, w.T, bias)
product.save()

# --- convolutions ---
convolution = Family("convolution")
# x, weight, stride, pad, dilate, groups
CONVOLUTIONS = {"line": ((2, 3, 11), (4, 3, 3), 1, 0, 1, 1), "line_all": ((2, 4, 13), (6, 2, 3), 2, 2, 2, 2), "image": ((2, 3, 6, 7), (5, 3, 3, 3), 1, 1, 1, 1),
                "strided": ((1, 3, 8, 9), (4, 3, 3, 2), (2, 3), (1, 0), 1, 1), "dilated": ((2, 2, 9, 8), (3, 2, 3, 3), 1, (2, 3), (2, 1), 1),
                "grouped": ((2, 6, 5, 5), (4, 3, 3, 3), 1, 1, 1, 2), "depthwise": ((2, 4, 6, 6), (8, 1, 3, 3), 2, 1, 1, 4), "point": ((2, 5, 4, 3), (7, 5, 1, 1), 1, 0, 1, 1),
                "point_strided": ((1, 3, 5, 6), (4, 3, 1, 1), 2, 1, 1, 1), "whole": ((2, 3, 4, 4), (5, 3, 4, 4), 1, 0, 1, 1), "ones": ((1, 1, 1, 1), (1, 1, 1, 1), 1, 1, 1, 1),
                "volume": ((1, 2, 4, 5, 6), (3, 2, 2, 3, 3), (1, 2, 1), (1, 0, 1), (1, 1, 2), 1), "volume_grouped": ((2, 4, 3, 4, 3), (4, 2, 2, 2, 2), 1, 1, 1, 2),
                "none": ((0, 3, 5, 5), (2, 3, 3, 3), 1, 0, 1, 1), "no_channels": ((2, 0, 4, 4), (3, 0, 3, 3), 1, 1, 1, 1), "no_outputs": ((2, 3, 4, 4), (0, 3, 3, 3), 1, 0, 1, 1),
                "padding": ((1, 2, 0, 3), (2, 2, 1, 1), 1, 1, 1, 1), "large": ((1, 20, 12, 13), (18, 20, 3, 3), 1, 1, 1, 1), "deep": ((1, 130, 3, 4), (3, 130, 3, 3), 1, 1, 1, 1),
                "special": ((1, 2, 4, 5), (3, 2, 3, 3), 1, 1, 1, 1)}


def convolve(x, w, stride, pad, dilate, groups):
    """The sum over the kernel's positions of slices of the padded operand."""
    n, spatial = x.shape[0], x.ndim - 2
    stride, pad, dilate = ((v,) * spatial if isinstance(v, int) else v for v in (stride, pad, dilate))
    padded = np.pad(x, [(0, 0), (0, 0)] + [(p, p) for p in pad])
    out = [(padded.shape[2 + i] - dilate[i] * (w.shape[2 + i] - 1) - 1) // stride[i] + 1 for i in range(spatial)]
    y = np.zeros((n, groups, w.shape[0] // groups, *out), x.dtype)
    for at in np.ndindex(*w.shape[2:]):
        cut = tuple(slice(a * d, a * d + (o - 1) * s + 1, s) for a, d, o, s in zip(at, dilate, out, stride))
        part = padded[(slice(None), slice(None)) + cut].reshape(n, groups, w.shape[1], *out)
        kernel = w[(slice(None), slice(None)) + at].reshape(groups, w.shape[0] // groups, w.shape[1])
        y += np.einsum("ngc...,goc->ngo...", part, kernel)
    return y.reshape(n, w.shape[0], *out)


for t in NUMBERS:
    put, normal = convolution.put, convolution.normal
    for name, (shape, kernel, *how) in CONVOLUTIONS.items():
        if name in ("large", "deep") and t != F4:
            continue
        x, w, bias = normal(t, *shape), normal(t, *kernel), normal(t, kernel[0])
        if name == "special" and t.kind == "f":
            x[0, 0, 1, 2], x[0, 1, 3, 4], w[0, 0, 0, 0], w[1, 1, 2, 2], w[2, 0, 1, 1] = np.nan, np.inf, np.inf, 0, -0.0
        elif name == "special":
            x[0, 0], w[:, 0] = np.iinfo(t).max, np.iinfo(t).max - 1
        put(name + ".x", t, x), put(name + ".weight", t, w), put(name + ".bias", t, bias)
        x, w = lift(x), lift(w)
        along = bias.reshape(-1, *[1] * (len(shape) - 2))
        y, size, n = convolve(x, w, *how), convolve(np.abs(x), np.abs(w), *how), int(np.prod(kernel[1:]))
        for record, result, most, terms in [(name, y, size, n), (name + ".biased", y + along, size + np.abs(along), n + 2)]:
            put(record, t, result.astype(t) if t.kind == "i" else result)
            if t.kind == "f":
                put(record + ".bound", t, terms * np.max(most, where=np.isfinite(most), initial=0))
convolution.save()

# --- rows ---
row = Family("row")


def softmax(t, name, x, axis):
    w, n = lift(x), x.shape[axis]
    top = w.max(axis, keepdims=True, initial=-np.inf)
    shifted = w - top
    e = np.exp(shifted)
    total = e.sum(axis, keepdims=True)
    finite_shift = np.where(np.isfinite(shifted), np.abs(shifted), 0)
    # The shift's rounding moves exp by |shift| u; exp is 2 u, twice; the sum n u and as far as its terms, weighted; division and product 2 u.
    term = finite_shift + 2.5
    moved = (e * term).sum(axis, keepdims=True) / total + n
    smallest = np.finfo(t).tiny * 4  # results below the normal numbers lose digits
    bounded(row, f"softmax.{name}.{axis}", t, e / total, (e / total) * (term + moved + 2) + smallest)
    bounded(row, f"log_softmax.{name}.{axis}", t, shifted - np.log(total), finite_shift + moved + 2 * np.abs(np.log(total)) + np.abs(shifted - np.log(total)) + smallest)


def layer_norm(t, name, x, gamma, beta, axis, eps=1e-5):
    n, along = x.shape[axis], [1] * x.ndim
    along[axis] = n
    w, g, b = lift(x), lift(gamma).reshape(along), lift(beta).reshape(along)
    mean = w.sum(axis, keepdims=True) / n if n else w.sum(axis, keepdims=True)
    c = w - mean
    variance = (c * c).sum(axis, keepdims=True) / max(n, 1)
    scale = 1 / np.sqrt(variance + wide(eps))
    # The centred values are (n + 2) max |x| u off; the variance twice as much relative to the deviation and n + 3 u by itself, of which the root
    # takes half; rsqrt, two products and the sum round once each, eps as a float once.
    off = (n + 3) * np.abs(w).max(axis, keepdims=True, initial=0)
    relative = off * scale + (n + 3) / 2 + 4
    bounded(row, name, t, c * scale * g + b, np.abs(g) * scale * (off + np.abs(c) * relative) + np.abs(c * scale * g) + np.abs(b))


for t in FLOATS:
    put, normal = row.put, row.normal
    for name, shape in {"seven": (7,), "one": (1,), "odd": (3, 5), "cube": (2, 3, 4), "long": (3, 37), "none": (0,), "tall": (0, 3), "flat": (3, 0)}.items():
        x = put(name, t, normal(t, *shape) * t.type(3))
        for axis in range(x.ndim):
            softmax(t, name, x, axis)
            if name in ["seven", "odd", "cube", "long", "tall"]:
                gamma, beta = put(f"{name}.gamma{axis}", t, normal(t, shape[axis])), put(f"{name}.beta{axis}", t, normal(t, shape[axis]))
                layer_norm(t, f"layer_norm.{name}.{axis}", x, gamma, beta, axis)
                if name == "odd":
                    layer_norm(t, f"layer_norm.eps.{axis}", x, gamma, beta, axis, 0.5)
    nan, inf, big = np.nan, np.inf, np.finfo(t).max
    x = put("special", t, np.array([[1, 2, nan, 3], [1, inf, 2, 3], [-inf, 1, 2, -inf], [-inf, -inf, -inf, -inf], [1000, 0, -1000, 999], [big, -big, 0, big], [-0., 0, -0., 0],
                                    [-88, 0, -104, -87]], t))
    softmax(t, "special", x, 1)
    softmax(t, "special", x, 0)
    x = put("level", t, np.array([[2, 2, 2, 2], [1, nan, 2, 3], [inf, 1, 2, 3], [-0., 0, 0, 0]], t))
    layer_norm(t, "layer_norm.level.1", x, put("level.gamma1", t, normal(t, 4)), put("level.beta1", t, normal(t, 4)), 1)
    rows = put("rows", t, normal(t, 64, 3))
    gamma, beta = put("rows.gamma1", t, normal(t, 3)), put("rows.beta1", t, normal(t, 3))
    for n in [0, 1, 7, 64]:
        softmax(t, f"rows{n}", rows[:n], 1)
        layer_norm(t, f"layer_norm.rows{n}.1", rows[:n], gamma, beta, 1)
row.save()

# --- views: exact, of small integers ---
view = Family("view")
cube = np.arange(24).reshape(2, 3, 4)
for t in [F4, I8, B]:
    x = view.put("cube", t, (cube % 2 == 0) if t == B else cube.astype(t))
    for name, n, axis in [("1", 3, 1), ("last", 2, -1), ("0", 2, 0), ("whole", 1, 1)]:
        for k, part in enumerate(np.split(x, n, axis)):
            view.put(f"split.{name}.{k}", t, part)
    grid = view.put("grid", t, np.arange(63).reshape(7, 9) % 5 == 0 if t == B else np.arange(63).reshape(7, 9).astype(t))
    for name, y in {
            "turned": x.T, "021": x.transpose(0, 2, 1), "201": x.transpose(2, 0, 1), "6x4": x.reshape(6, 4), "2x12": x.reshape(2, 12), "24": x.reshape(24), "turned.24": x.T.reshape(24),
            "turned.2x12": x.T.reshape(2, 12), "1x24x1": x.reshape(1, 24, 1), "new0": x[None], "new1": x[:, None], "new3": x[..., None],
            "stretched": np.broadcast_to(x[:, :1], (5, 2, 3, 4)), "part": grid[1:5], "column": grid[:, 3:4], "backwards": grid[::-1, ::-1], "steps": grid[1:7:2, 8:0:-3],
            "last": grid[-2:, -4:-1], "clipped": grid[3:100, -100:2], "empty": grid[5:2], "nothing": grid[2:2, 1:], "far": grid[::9, ::-20], "past": grid[100:],
            "turned.steps": grid.T[::-2, 1:6:3], "twice": grid[1:6:2][::-1, 2:], "sliced.9": grid[2:5, 1:4].reshape(9), "row": grid[4:5].reshape(9)}.items():
        view.put(name, t, np.ascontiguousarray(y).reshape(np.shape(y)))
    rows = view.put("rows", t, (np.arange(192) % 3 == 0 if t == B else np.arange(192).astype(t)).reshape(64, 3))
    for n in [0, 1, 7, 64]:
        view.put(f"rows{n}.turned", t, np.ascontiguousarray(rows[:n].T))
        view.put(f"rows{n}.flat", t, rows[:n].reshape(-1))
        view.put(f"rows{n}.column", t, np.ascontiguousarray(rows[:n, ::-2]))
view.save()

# --- movement ---
def put_topk(put, t, name, x, axis, k, up):
    """The first k elements of each sorted line and their places: NaN last, of equal ones the earlier first."""
    def places(line):
        return sorted(range(len(line)), key=lambda i: (bool(np.isnan(line[i])), 0 if np.isnan(line[i]) else line[i].item() * (1 if up else -1), i))[:k]
    at = np.apply_along_axis(lambda line: np.array(places(line)), axis, x)
    put(f"topk.{name}.0", t, np.take_along_axis(x, at, axis)), put(f"topk.{name}.1", t, at.astype(I8))


movement = Family("movement")
for t in ALL:
    put, normal = movement.put, movement.normal
    rows, x = put("rows", t, normal(t, 64, 3)), put("cube", t, normal(t, 3, 4, 5))
    if t in [F4, I8, B]:  # of each width one
        a, b, c, d = (put(n, t, normal(t, 2, k, 3)) for n, k in [("a", 2), ("b", 1), ("c", 0), ("d", 4)])
        for name, y in {"a": [a], "ab": [a, b], "abc": [a, b, c], "abcd": [a, b, c, d]}.items():
            put("concat." + name, t, np.concatenate(y, 1))
        put("concat.0", t, np.concatenate([a, a[:1], a], 0)), put("concat.2", t, np.concatenate([a, a.transpose(0, 2, 1)[:, :2, :1].copy(), a], 2))
        p, q, s = (put(n, t, normal(t, k)) for n, k in [("p", 3), ("q", 19), ("s", 1)])
        put("concat.list", t, np.concatenate([p, q, s]))
        for n in [0, 1, 7, 64]:
            put(f"concat.rows{n}", t, np.concatenate([rows[:n], rows[:n] * rows[:n]], 1))
        for axis, n in enumerate(x.shape):
            i = np.array([[0, n - 1, 1], [-1, n, 2], [-100, 100, 0]], I4)
            put(f"take.{axis}.indices", t, i)
            put(f"take.{axis}", t, np.take(x, np.clip(i, 0, n - 1), axis))
        put("take.one", t, x[2]), put("take.rows", t, rows[np.clip(np.array([0, 63, 64, -5, 7]), 0, 63)])
    put("zeros", t, np.zeros((3, 4, 5), t))
    put("ones", t, np.ones((3, 4, 5), t)), put("full", t, np.full((2, 3), -7, t)), put("eye", t, np.eye(3, 4, dtype=t)), put("square", t, np.eye(3, dtype=t))
    if t == B:
        continue
    x = put("sort.x", t, normal(t, 3, 4, 5))
    long = put("sort.long", t, np.concatenate([floats_of_note(t) if t.kind == "f" else integers_of_note(t), normal(t, 40), normal(t, 10)]))
    for axis in range(3):
        put(f"sort.{axis}", t, np.sort(x, axis)), put(f"sort.{axis}.down", t, np.sort(x, axis)[tuple(slice(None, None, -1 if k == axis else 1) for k in range(3))])
    up = np.sort(long)
    numbers = up[~np.isnan(up)]
    put("sort.long.up", t, up), put("sort.long.down", t, np.concatenate([numbers[::-1], up[len(numbers):]]))  # NaN last, both ways
    for n in [0, 1, 7, 64]:
        put(f"sort.rows{n}", t, np.sort(rows[:n], 0))
    for name, y, axis, k, up in [("2", x, 2, 3, False), ("0.up", x, 0, 3, True), ("1", x, 1, 1, False), ("long", long, 0, 70 if t.kind == "f" else 60, False),
                                 ("long.up", long, 0, 5, True), ("ties", np.repeat(rows[:2], 4, 1), 1, 9, False)]:
        put_topk(put, t, name, y, axis, k, up)
    for name, y in {"10": np.arange(10), "span": np.arange(-3, 12, 4), "down": np.arange(5, -5, -3), "none": np.arange(0), "wrong": np.arange(3, 1)}.items():
        put("arange." + name, t, y.astype(t))
    if t.kind == "f":
        for name, start, stop, n in [("unit", 0, 1, 11), ("back", 2.5, -1.25, 7), ("one", 3, 5, 1), ("none", 3, 5, 0), ("two", 1, 3, 2)]:
            put("linspace." + name, t, np.linspace(wide(start), wide(stop), n))
        put("arange.quarter", t, np.arange(0.5, 3, 0.25).astype(t)), put("arange.tenth", t, (lift(np.arange(10)) * 0.1).astype(wide))
    else:
        i = put("one_hot.i", t, np.array([[0, 3, -1], [4, 2, 100]], t))
        for to in [F4, I4, B]:
            y = (i[..., None] == np.arange(4)).astype(to)
            put(f"one_hot.{to.name}", t, y)
        put("one_hot.values", t, np.where(i[..., None] == np.arange(4), -2.5, 0.5))
        put("one_hot.none", t, np.zeros((2, 3, 0)))
        rows = put("one_hot.rows", t, movement.random.integers(-1, 6, (64, 3)).astype(t))
        for n in [0, 1, 7, 64]:
            put(f"one_hot.rows{n}", t, (rows[:n, :, None] == np.arange(2)).astype(F4))
movement.save()


random = Family("random")


def splitmix(key, n):
    """Outputs 1 to n of the generator of Steele, Lea and Flood (OOPSLA 2014) that begins at `key`."""
    mask = 2**64 - 1
    for i in range(1, n + 1):
        z = key + i * 0x9E3779B97F4A7C15 & mask
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        yield z ^ z >> 31


def uniform(key, n):
    """The same as numbers in [0, 1) of 53 bits."""
    return [(z >> 11) / 2**53 for z in splitmix(key % 2**64, n)]


def shuffled(key, rows):
    """The order of as many random integers of 64 bits with a sign."""
    signed = [z - 2**64 if z >> 63 else z for z in splitmix(key % 2**64, rows)]
    return sorted(range(rows), key=signed.__getitem__)


for t in FLOATS:
    for name, key, shape, p in [("odd", 7, (3, 5, 7), 0.3), ("negative", -(2**62) - 1, (64,), 0.5), ("one", 1, (), 0.1), ("none", 1, (0, 3), 0.1), ("all", 1, (4,), 0.0),
                                ("rows1", 5, (1, 3), 0.75), ("rows7", 5, (7, 3), 0.75), ("rows64", 5, (64, 3), 0.75), ("rows0", 5, (0, 3), 0.75)]:
        kept = np.array([u >= p for u in uniform(key, math.prod(shape))], bool).reshape(shape)
        random.put(name, t, np.where(kept, np.array(1 / (1 - p)).astype(t), np.array(0).astype(t)))
    for name, key, shape in [("plain", 7, (3, 5)), ("negative", -(2**62) - 1, (67,)), ("one", 1, ()), ("none", 1, (0, 3))]:
        u = np.array(uniform(key, math.prod(shape))).reshape(shape)
        random.put("uniform." + name, t, u), random.put("uniform.wide." + name, t, wide(-3) + wide(8) * u)
        # Box and Muller. The angle is rounded twice, so what it gives is off by 2 pi u at most, times a radius below 9; the rest is less.
        pairs = np.array(uniform(key, 2 * math.prod(shape)), wide).reshape(-1, 2)
        z = (np.sqrt(-2 * np.log(1 - pairs[:, 0])) * np.cos(wide(8) * np.arctan(wide(1)) * pairs[:, 1])).reshape(shape)
        random.put("normal." + name, t, z), random.put("normal." + name + ".bound", t, np.full(shape, 64 * (2.0**-29 if t == F4 else 1.0)))
        random.put("normal.far." + name, t, 16777217 + wide(3) * z), random.put("normal.far." + name + ".bound", t, np.full(shape, 240 * (2.0**-29 if t == F4 else 1.0)))
        random.put("normal.moved." + name, t, 10 + wide(0.5) * z), random.put("normal.moved." + name + ".bound", t, np.full(shape, 40 * (2.0**-29 if t == F4 else 1.0)))
for t in INTEGERS:
    for name, key, shape, low, high in [("small", 7, (3, 5), -3, 4), ("negative", -(2**62) - 1, (67,), 0, 1000), ("one", 1, (), 5, 6), ("none", 1, (0, 3), 0, 9),
                                        ("all", 3, (9,), int(np.iinfo(t).min), int(np.iinfo(t).max))]:
        random.put("randint." + name, t, np.array([low + (z * (high - low) >> 64) for z in splitmix(key % 2**64, math.prod(shape))], t).reshape(shape))
for t in ALL:
    for name, key, shape in [("list", 7, (61,)), ("cube", -5, (6, 5, 2)), ("one", 1, (1, 4)), ("none", 1, (0, 3)), ("empty", 1, (3, 0))]:
        x = np.arange(math.prod(shape)).reshape(shape)
        random.put("shuffle." + name, t, (x % 3 == 0 if t == B else x.astype(t))[shuffled(key, shape[0])])
random.save()

# --- rounding: NumPy's own results in the dtype itself ---
rounding = Family("rounding")
COUNT = 211
def floor_of_quotient(a, b):
    """Of the exact quotient; NumPy's own is of one that is rounded more than once. From 2^62 on the quotient."""
    y = np.floor_divide(a, b)
    for i in np.flatnonzero(np.isfinite(a) & np.isfinite(b) & (b != 0)):
        with np.errstate(all="ignore"):
            q = a[i] / b[i]
        whole = fractions.Fraction(float(a[i])) // fractions.Fraction(float(b[i]))
        y[i] = q if abs(q) >= 2.0**62 else np.copysign(wide(whole).astype(a.dtype), q) if whole == 0 else wide(whole).astype(a.dtype)
    return y


for t in NUMBERS:
    r = rounding.random
    if t in FLOATS:
        half, most = 0.5 / np.finfo(t).eps, 1 / np.finfo(t).eps
        x = np.concatenate([floats_of_note(t), np.array([2.5, -2.5, 3.5, -3.5, 0.49999997, 0.49999999999999994, -0.3, -0.9, half + 0.5, half - 0.5, -half - 0.5, half, most, most + 2, -most - 2], t),
                            r.uniform(-9, 9, 60).astype(t), (r.integers(-40, 40, 60) / 2).astype(t), (r.choice([-1, 1], 60) * 10.0 ** r.uniform(-30, 30, 60)).astype(t)])[:COUNT]
        a, b = float_pairs(rounding, t)
        # Quotients of every size: large ones, integers and those next to them.
        a[150:180] = (r.choice([-1, 1], 30) * 10.0 ** r.uniform(-37, 37, 30)).astype(t)
        a[180:200] = (b[180:200] * r.integers(-99, 99, 20)).astype(t)
    else:
        x, (a, b) = np.resize(np.concatenate([integers_of_note(t), r.integers(-9, 9, 60)]), COUNT).astype(t), integer_pairs(rounding, t)
    rounding.put("x", t, x), rounding.put("a", t, a), rounding.put("b", t, b)
    for name in ["floor", "ceil", "trunc", "rint", "round", "sign"] + ["reciprocal"] * (t in FLOATS):
        y = rounding.put(name, t, x if t in INTEGERS and name != "sign" else getattr(np, name)(x))
        case(name, [x], y)
    for name in ["isnan", "isinf", "isfinite"]:
        rounding.put(name, t, getattr(np, name)(x))
        case(name, [x], getattr(np, name)(x))
    for name, y in [("mod", np.mod(a, b)), ("floor_divide", floor_of_quotient(a, b) if t in FLOATS else np.floor_divide(a, b))]:
        rounding.put(name, t, y)
        case(name, [a, b], y)
rounding.save()

# --- activations ---
activation = Family("activation")
COUNT = 211
for t in FLOATS:
    r, u = activation.random, np.finfo(t).eps / 2
    x = np.concatenate([floats_of_note(t), r.uniform(-6, 6, 120).astype(t), r.uniform(-120, 120, 30).astype(t), r.normal(0, 1, 100).astype(t)])[:COUNT]
    a, b = float_pairs(activation, t)
    alpha = r.uniform(-1, 1, COUNT).astype(t)
    activation.put("x", t, x), activation.put("a", t, a), activation.put("b", t, b), activation.put("alpha", t, alpha)
    w = lift(x)
    softrelu = np.where(w > 0, w + np.log1p(np.exp(-w)), np.log1p(np.exp(w)))
    sigmoid = np.where(w < 0, np.exp(w) / (1 + np.exp(w)), 1 / (1 + np.exp(-w)))

    def above(y):
        return np.where(w > 0, w, y)

    step = wide(np.where(np.isnan(w), w, np.clip(w / 6 + wide(0.5), 0, 1)))
    results = {}
    for name, y in {
            "silu": w * sigmoid, "softsign": w / (1 + np.abs(w)), "hard_sigmoid": np.clip(w / 5 + wide(0.5), 0, 1), "hard_swish": w * step,
            "mish": w * np.tanh(softrelu), "elu": above(np.expm1(w)), "elu.half": above(wide(0.5) * np.expm1(w)),
            "selu": wide("1.0507009873554804934193349852946") * above(wide("1.6732632423543772848170429916717") * np.expm1(w)),
            "leaky_relu": above(w / 4), "leaky_relu.tenth": above(w / 10), "prelu": above(lift(alpha) * w),
            "logaddexp": np.logaddexp(lift(a), lift(b)), "degrees": w * (180 / (4 * np.arctan(wide(1)))), "radians": w * (4 * np.arctan(wide(1)) / 180)}.items():
        activation.put(name, t, y)
        results[name] = y
    # x times a factor that may be subnormal, and has lost digits then.
    size = np.where(np.isfinite(w), np.abs(w), 0)
    lost = size * np.finfo(t).smallest_subnormal / u
    activation.put("silu.bound", t, lost), activation.put("mish.bound", t, lost)
    # The factor is rounded (u / 2 of at most 1/2), the product (u / 2) and the sum (u).
    activation.put("hard_sigmoid.bound", t, np.full(COUNT, 1.5)), activation.put("hard_swish.bound", t, 1.5 * size)
    # The larger one and the logarithm (2 ulp of at most 0.7) cancel; a - b is rounded, which changes the logarithm by u z / (1 + e^z) < 0.3 u.
    activation.put("logaddexp.bound", t, np.full(COUNT, 3.0))
    bounds = {"silu": lost, "mish": lost, "hard_sigmoid": 1.5, "hard_swish": 1.5 * size, "logaddexp": 3}
    for name, y in results.items():
        case(name.split(".")[0], {"prelu": [x, alpha], "logaddexp": [a, b]}.get(name, [x]), y, bound=bounds.get(name),
             **{"elu.half": {"alpha": 0.5}, "leaky_relu.tenth": {"slope": 0.1}}.get(name, {}))
activation.save()

# --- trigonometric and hyperbolic functions ---
trigonometric = Family("trigonometric")
COUNT = 283
for t in FLOATS:
    r, large = trigonometric.random, (90 if t == F4 else 711)
    x = np.concatenate([floats_of_note(t), np.array([8, 1000, -27, 64, 0.1, 22, 355, 2.0**30, 1e15, -1e22, 0.75, 0.8414, -0.999], t), r.uniform(-4, 4, 60).astype(t),
                        r.uniform(-1, 1, 60).astype(t), r.uniform(-large, large, 40).astype(t), (r.choice([-1, 1], 60) * 10.0 ** r.uniform(-30, 30, 60)).astype(t),
                        r.uniform(0, 1e9, 60).astype(t)])[:COUNT]
    a, b = float_pairs(trigonometric, t)
    a, b = np.resize(a, COUNT), np.resize(b, COUNT)
    trigonometric.put("x", t, x), trigonometric.put("a", t, a), trigonometric.put("b", t, b)
    for name in ["sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "arcsinh", "arccosh", "arctanh", "log2", "log10", "cbrt"]:
        trigonometric.put(name, t, getattr(np, name)(lift(x)))
        case(name, [x], getattr(np, name)(lift(x)))
    trigonometric.put("hypot", t, np.hypot(lift(a), lift(b)))
    case("hypot", [a, b], np.hypot(lift(a), lift(b)))
trigonometric.save()

# --- operations that have rows here and nothing else ---
more = Family("more")
for t in NUMBERS:
    for shape, axis in [((3, 5), 0), ((3, 5), 1), ((2, 3, 4), 1), ((1, 7), 1), ((0, 3), 1), ((2, 131), 1)]:
        x = more.normal(t, *shape)
        case("flip", [x], np.flip(lift(x), axis), axis=(axis,))
        case("roll", [x], np.roll(lift(x), 2, axis), shift=(2,), axis=(axis,), named=False)
    case("reshape_like", [x, np.zeros((131, 2), F4)], lift(x).reshape(131, 2))
for t in FLOATS:
    for s in [0.7, 1.0, 2.0]:
        x = np.concatenate([floats_of_note(t), more.normal(t, 40)])
        w = lift(x)
        case("smooth_l1", [x], np.where(np.abs(w) > 1 / wide(s)**2, np.abs(w) - 1 / (2 * wide(s)**2), (wide(s) * w)**2 / 2), values=f"{{{s}}}")

# --- parts along axes with names: what can be said without their extent ---
x = more.normal(F4, 5, 6)
for part, named, words in [(x[:0], False, {"end": (0,)}), (x[-1:], False, {"begin": (-1,)}), (x[1::-1], False, {"begin": (1,), "step": (-1,)}), (x[:1:-1], False, {"end": (1,), "step": (-1,)}),
                           (x[::-1], True, {"step": (-1,)}), (x[2:], True, {"begin": (2,)}), (x[:-2], True, {"end": (-2,)}), (x[::-2], False, {"step": (-2,)}),
                           (x[:, 4:1:-2], False, {"begin": ("open", 4), "end": ("open", 1), "step": (1, -2)})]:
    case("slice", [x], np.ascontiguousarray(part), named=named, **words)

# --- numbers beside arrays ---
x, i = np.array([1, -2], F4), np.array([5, -6], I4)
case("add", [x, 1], wide([2, -1])), case("subtract", [1.5, x], wide([0.5, 3.5])), case("divide", [1, x], wide([1, -0.5])), case("power", [x, 2], wide([1, 4]))
case("multiply", [x, np.array([0.25, 0.5])], wide([0.25, -1]), dtype=F8), case("clip", [x, -1, 0.5], wide([0.5, -1]))
case("add", [i, np.array([2**40, 2])], np.array([2**40 + 5, -4])), case("subtract", [2, i], np.array([-3, 8], I4)), case("maximum", [i, 0], np.array([5, 0], I4))

# --- what is lower triangular ---
# Each element is a sum of at most n products, whose rounding is n u of their sizes, and is divided by the diagonal, which dominates here.
for t in FLOATS:
    for shape in [(2, 3, 3), (6, 6), (2, 2, 1, 1), (0, 2, 2), (2, 0, 0)]:
        n = shape[-1]
        x = unary.random.uniform(-1, 1, shape).astype(t) if n else np.zeros(shape, t)
        x = x + np.swapaxes(x, -1, -2) + (3 * n * np.eye(n)).astype(t)
        w, l = lift(x), np.zeros(shape, wide)
        for i in range(n):
            for j in range(i + 1):
                rest = w[..., i, j] - (l[..., i, :j] * l[..., j, :j]).sum(-1)
                l[..., i, j] = np.sqrt(rest) if i == j else rest / l[..., j, j]
        case("cholesky", [x], l, bound=20 * (n + 1))

# --- slices that are added where they go ---
# The sum of n numbers is off by at most n u of their sizes.
for t in NUMBERS:
    for slices, into, index, where in [
            ((5, 2), (3, 4, 2), I8, [[0, 2, 2, 0, 1], [3, 1, 1, 4, -1]]), ((5,), (3, 4), I4, [[0, 2, 2, 0, 2], [3, 1, 1, 3, 1]]),
            ((3, 4, 3), (40, 3), I4, [[[40, 1, 2, 3], [17, 39, 0, 2], [-1, 17, 5, 17]]]), ((3,), (4, 3), I8, [2]), ((4,), (1,), I8, [[0, 0, 0, 0]]),
            ((0,), (3,), I8, [[]]), ((2, 0), (3, 0), I8, [[1, 1]]), ((200, 3), (9, 3), I8, [[i * i % 11 for i in range(200)]])]:
        x, places = more.normal(t, *slices), np.array(where, index)
        y, sizes = np.zeros(into, lift(x).dtype), np.zeros(into, "f8")
        for at in np.ndindex(places.shape[1:]):
            place = tuple(places[(slice(None), *at)])
            if all(0 <= p < n for p, n in zip(place, into)):
                y[place] += lift(x)[at]
                sizes[place] += np.abs(x[at].astype("f8"))
        case("scatter_add", [x, places], y, bound=np.prod(places.shape[1:], dtype=int) * sizes if t in FLOATS else None, into=list(into), named=places.shape[0] == 1)

if CHECKS:
    sys.exit(cases.missing())
cases.save("Written by make.py.")
