#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a C++ test of random networks: compiled equals eager, whatever was fused and wherever its values lie.

    random_networks.py --part 0 --parts 8 > random.0.cpp

Each network is 8 to 14 operations over a few shapes and dtypes, with all values that nothing else uses as outputs. Every second one has an
input of rank 3 and operations on that: windows, scans, attention, products of many matrices, and rows of several axes. The script follows what it
writes: the largest magnitude of each value (M), the power of two of which it is a multiple (grid), and how far two orders of its additions can
lie apart (E). Elementwise operations give the same bits whether fused or not, and a sum whose terms and partial sums are exact does in any
order; so E is 0, and bits are compared, until a sum rounds. From there on E grows with the length of the sum, and through each operation by
its Lipschitz constant.

Every third network of floats is uneven: its inputs have no grid, so that each product rounds, and a compiler shows that contracts a product and
a sum into one operation. The order in which sums of such numbers are added depends on the layout of what they read. So E stays 0 while that
lies row by row eagerly and compiled (plain), and grows where a view stands between it and memory.
"""

import argparse
import math
import random

DAGS = 200
LARGEST_BATCH = 1797
DYNAMIC = 'b'


class Value:
    def __init__(self, name, shape, dtype, M, E=0.0, grid=None, plain=True):
        self.name, self.shape, self.dtype, self.M, self.E, self.grid, self.plain = name, shape, dtype, M, E, grid, plain
        self.used = False


def count(extent):
    return LARGEST_BATCH if extent == DYNAMIC else extent


class Network:
    def __init__(self, number):
        self.r = random.Random(20240 + number)
        self.index = number
        self.real = 'double' if number >= 0.9 * DAGS else 'std::int32_t' if number >= 0.8 * DAGS else 'float'
        self.unit = 2.0 ** -53 if self.real == 'double' else 2.0 ** -24
        self.bits = 53 if self.real == 'double' else 24
        self.uneven = number % 3 == 1 and not self.whole()
        batch = 6 if number % 7 == 3 else DYNAMIC
        self.lines, self.values = [], []
        second = self.r.choice([(7, 5), (7, 5), (7, 5), (7,), (batch, 7), (batch, 1)])
        self.inputs = []
        self.leaf('x', (batch, 7))
        self.leaf('y', second)
        self.deep = number % 2 == 0
        if self.deep:
            self.leaf('z', self.r.choice([(batch, 5, 7), (batch, 5, 7), (batch, 7, 5), (batch, 5, 1), (5, 7, 1)]))

    def leaf(self, name, shape):
        v = Value(name, shape, self.real, 5.0 if self.whole() else 1.25, 0.0, 0 if self.whole() else None if self.uneven else 2)
        self.values.append(v)
        self.inputs.append(v)
        return v

    def whole(self):
        return self.real == 'std::int32_t'

    def add(self, text, operands, shape, M, E=0.0, grid=None, dtype=None, plain=None):
        for o in operands:
            o.used = True
        dtype = dtype or operands[0].dtype
        if dtype in ('std::int32_t', 'std::int64_t', 'bool'):
            M, E, grid = min(M, 2.0 ** 31), 0.0, 0
        elif grid is not None and (M * 2.0 ** grid > 2.0 ** self.bits or grid > 40):
            grid = None
        plain = all(o.plain for o in operands) if plain is None else plain
        v = Value(f'v{len(self.lines)}', shape, dtype, M, E, grid, plain)
        self.lines.append(f'auto {v.name} = {text};')
        self.values.append(v)
        return True

    def pick(self, fits):
        some = [v for v in self.values if fits(v)]
        if not some:
            return None
        fresh = [v for v in some if not v.used]  # long paths, not many short ones
        return self.r.choice(fresh if fresh and self.r.random() < 0.6 else some)

    def number(self, v):
        return v.dtype in ('float', 'double', 'std::int32_t')

    def floating(self, v):
        return v.dtype in ('float', 'double')

    # Whether what reads plain terms has the same bits in both forms. Of terms with a grid that is not asked: their sums are exact.
    def one_order(self, plain):
        return self.uneven and plain

    # What rounding can do to a sum of n terms of magnitude M, in two orders.
    def rounding(self, n, M, grid, plain):
        exact = grid is not None and n * M * 2.0 ** grid <= 2.0 ** self.bits
        return 0.0 if exact or self.one_order(plain) else 2.0 * n * self.unit * n * M

    # ---- operations: each returns whether it found operands

    def unary(self):
        v = self.pick(self.number)
        f = self.r.choice(['relu', 'abs', 'negative', 'square'])
        if f == 'square':
            if v.M > 40:
                return False
            return self.add(f'F.square({v.name})', [v], v.shape, v.M ** 2, 2 * v.M * v.E, None if v.grid is None else 2 * v.grid)
        return self.add(f'F.{f}({v.name})', [v], v.shape, v.M, v.E, v.grid)

    def curve(self):
        v = self.pick(self.floating)
        if not v:
            return False
        f = self.r.choice(['tanh', 'sigmoid', 'erf', 'softrelu', 'gelu', 'exp', 'sqrt'])
        if f == 'exp':
            if v.M > 4:
                return False
            return self.add(f'F.exp({v.name})', [v], v.shape, math.exp(v.M), math.exp(v.M) * (v.E + (8 * self.unit if v.E else 0)))
        if f == 'sqrt':
            if v.E:
                return False
            return self.add(f'F.sqrt(F.abs({v.name}))', [v], v.shape, math.sqrt(v.M) + 1e-3)
        M = v.M + 1 if f in ('softrelu', 'gelu') else 1.0
        return self.add(f'F.{f}({v.name})', [v], v.shape, M, 1.2 * v.E + (8 * self.unit * M if v.E else 0))

    def with_number(self):
        v = self.pick(self.number)
        c = 3 if self.whole() or v.dtype == 'std::int32_t' else 0.5
        f = self.r.choice(['+', '-', '*', 'maximum', 'clip'])
        if f in '+-':
            return self.add(f'{v.name} {f} {c}', [v], v.shape, v.M + c, v.E + (2 * self.unit * (v.M + c) if v.E else 0),
                            None if v.grid is None else max(v.grid, 1))
        if f == '*':
            return self.add(f'{v.name} * {c}', [v], v.shape, v.M * c, v.E * c, None if v.grid is None else v.grid + 1)
        if f == 'clip':
            return self.add(f'F.clip({v.name}, {-c}, {c})', [v], v.shape, c, v.E, None if v.grid is None else max(v.grid, 1))
        return self.add(f'F.maximum({v.name}, {c})', [v], v.shape, max(v.M, c), v.E, None if v.grid is None else max(v.grid, 1))

    def broadcast(self, a, b):
        n = max(len(a), len(b))
        a, b = (1,) * (n - len(a)) + a, (1,) * (n - len(b)) + b
        s = []
        for p, q in zip(a, b):
            if p != q and 1 not in (p, q):
                return None
            s.append(q if p == 1 else p)
        return tuple(s) if math.prod(count(e) for e in s) <= LARGEST_BATCH ** 2 else None

    def binary(self):
        a = self.pick(self.number)
        b = self.pick(lambda v: v.dtype == a.dtype and self.broadcast(a.shape, v.shape) is not None)
        f = self.r.choice(['+', '-', '*', 'maximum', 'minimum', 'ratio'])
        s = self.broadcast(a.shape, b.shape)
        grids = None if a.grid is None or b.grid is None else (a.grid, b.grid)
        if f in '+-':
            M = a.M + b.M
            E = a.E + b.E
            return self.add(f'{a.name} {f} {b.name}', [a, b], s, M, E + (2 * self.unit * M if E else 0), grids and max(grids))
        if f == '*':
            if a.M * b.M > 1e4:
                return False
            M, E = a.M * b.M, a.M * b.E + b.M * a.E + a.E * b.E
            return self.add(f'{a.name} * {b.name}', [a, b], s, M, E + (2 * self.unit * M if E else 0), grids and sum(grids))
        if f == 'ratio':  # the divisor is at least 1
            if not self.floating(a) or max(a.M, b.M) > 100:
                return False
            E = a.E + a.M * b.E * 2 * (1 + b.M)
            return self.add(f'{a.name} / (1 + F.square({b.name}))', [a, b], s, a.M, E + (8 * self.unit * a.M if E else 0))
        return self.add(f'F.{f}({a.name}, {b.name})', [a, b], s, max(a.M, b.M), max(a.E, b.E), grids and max(grids))

    # What a compiler would contract.
    def multiply_add(self):
        a = self.pick(lambda v: self.floating(v) and v.M < 10)
        b = self.pick(lambda v: v.dtype == a.dtype and v.shape == a.shape and v.M < 10)
        c = self.pick(lambda v: v.dtype == a.dtype and v.shape == a.shape and v.M < 10)
        if not c:
            return False
        M, E = a.M * b.M + c.M, a.M * b.E + b.M * a.E + a.E * b.E + c.E
        text = self.r.choice(['{0} * {1} + {2}', '{2} - {0} * {1}', 'F.square({0}) - {2}' if a is b else '{0} * {1} - {2}'])
        return self.add(text.format(a.name, b.name, c.name), [a, b, c], a.shape, M, E + (2 * self.unit * M if E else 0))

    def select(self):
        a = self.pick(self.number)
        c = self.pick(lambda v: self.number(v) and v.E == 0 and v.shape == a.shape)
        if not c:
            return False
        b = self.pick(lambda v: v.dtype == a.dtype and v.shape == a.shape)
        sign = self.r.choice(['>', '<=', '=='])
        grid = None if a.grid is None or b.grid is None else max(a.grid, b.grid)
        return self.add(f'F.where({c.name} {sign} 0, {a.name}, {b.name})', [a, b, c], a.shape, max(a.M, b.M), max(a.E, b.E), grid)

    def truth(self):
        a = self.pick(lambda v: self.number(v) and v.E == 0)
        b = self.pick(lambda v: v.dtype == a.dtype and v.E == 0 and v.shape == a.shape)
        return self.add(f'F.logical_or({a.name} > {b.name}, !({b.name} < 0))', [a, b], a.shape, 1, dtype='bool')

    def reduce(self):
        v = self.pick(lambda v: self.number(v) and v.shape)
        over = sorted(self.r.sample(range(len(v.shape)), self.r.randint(1, len(v.shape)) if self.r.random() < 0.5 else 1))
        n = math.prod(count(v.shape[at]) for at in over)
        f = self.r.choice(['max', 'sum', 'sum', 'var'] if n < 100 else ['max', 'mean', 'sum'])
        if f in ('mean', 'var') and not self.floating(v):
            return False
        keep = self.r.random() < 0.6
        shape = tuple(e if i not in over else 1 for i, e in enumerate(v.shape) if keep or i not in over)
        axes = f'axis<{over[0]}>' if len(over) == 1 else f'axes<{", ".join(map(str, over))}>'
        text = f'F.{f}({v.name}, {axes}{", keepdims" if keep else ""})'
        if f == 'max':
            return self.add(text, [v], shape, v.M, v.E, v.grid, plain=True)
        if f == 'var':
            if v.M > 40:
                return False
            rounding = 16 * (n + 4) * self.unit * v.M ** 2
            return self.add(text, [v], shape, 4 * v.M ** 2, 8 * v.M * v.E + rounding, plain=True)
        rounding = self.rounding(n, v.M, v.grid, v.plain and len(over) == 1)
        if f == 'mean':
            E = v.E + rounding / n
            return self.add(text, [v], shape, v.M, E + (2 * self.unit * v.M if E else 0), plain=True)
        if n * v.M > 1e5 or (n > 100 and v.grid is None):
            return False
        return self.add(text, [v], shape, n * v.M, n * v.E + rounding, v.grid, plain=True)

    def rows(self):
        v = self.pick(lambda v: self.floating(v) and v.shape and v.shape[-1] not in (DYNAMIC, 1) and v.M <= 100)
        if not v:
            return False
        at = self.r.choice([i for i, e in enumerate(v.shape) if e not in (DYNAMIC, 1)]) if self.r.random() < 0.3 else len(v.shape) - 1
        axis = f', axis<{at}>' if at != len(v.shape) - 1 else ''
        n = count(v.shape[at])
        rounding = 0.0 if self.one_order(v.plain) and not axis else 4 * (n + 8) * self.unit
        if self.r.random() < 0.6:
            return self.add(f'F.softmax({v.name}{axis})', [v], v.shape, 1.0, 2 * v.E + rounding)
        return self.add(f'F.log_softmax({v.name}{axis})', [v], v.shape, 2 * v.M + 4, 3 * v.E + rounding * (2 * v.M + 4))

    def product(self):
        a = self.pick(lambda v: self.number(v) and len(v.shape) == 2)
        if not a:
            return False
        ta = self.r.random() < 0.2
        depth = a.shape[0 if ta else 1]
        m = a.shape[1 if ta else 0]
        tb = self.r.random() < 0.5
        b = self.pick(lambda v: v.dtype == a.dtype and len(v.shape) == 2 and v.shape[1 if tb else 0] == depth and v.shape != (1, 1))
        if not b:
            return False
        n = count(depth)
        if m == DYNAMIC and b.shape[0 if tb else 1] == DYNAMIC:  # 1797 x 1797 elements
            return False
        grid = None if a.grid is None or b.grid is None else a.grid + b.grid
        M = a.M * b.M
        rounding = self.rounding(n, M, grid, a.plain and b.plain)
        if self.floating(a) and (n * M > 1e5 or (n > 100 and rounding)):
            return False
        flags = (', transpose_a' if ta else '') + (', transpose_b' if tb else '')
        return self.add(f'F.matmul({a.name}, {b.name}{flags})', [a, b], (m, b.shape[0 if tb else 1]), n * M,
                        n * (a.M * b.E + b.M * a.E + a.E * b.E) + rounding, grid, plain=True)

    # ---- operations on values of rank 3

    def image(self, fits=lambda v: True):
        return self.pick(lambda v: self.floating(v) and len(v.shape) == 3 and v.shape[1] in (5, 7) and v.shape[2] in (5, 7) and fits(v))

    def products(self):
        a = self.image()
        tb = self.r.random() < 0.5
        b = a and self.pick(lambda v: v.dtype == a.dtype and len(v.shape) in (2, 3) and v.shape[-1 if tb else -2] == a.shape[2] and
                            v.shape[-2 if tb else -1] != DYNAMIC and (len(v.shape) == 2 or v.shape[0] in (a.shape[0], 1)))
        if not b:
            return False
        grid = None if a.grid is None or b.grid is None else a.grid + b.grid
        n, M = a.shape[2], a.M * b.M
        rounding = self.rounding(n, M, grid, a.plain and b.plain)
        if n * M > 1e5:
            return False
        return self.add(f'F.matmul({a.name}, {b.name}{", transpose_b" if tb else ""})', [a, b],
                        a.shape[:2] + (b.shape[-2 if tb else -1],), n * M, n * (a.M * b.E + b.M * a.E + a.E * b.E) + rounding, grid, plain=True)

    def window(self):
        v = self.image()
        if not v:
            return False
        size, stride, pad = self.r.choice([2, 3]), self.r.choice([1, 2]), self.r.choice([0, 1])
        places = lambda reach: (v.shape[2] + 2 * pad - reach) // stride + 1
        given = (f', stride<{stride}>' if stride > 1 else '') + (f', pad<{pad}>' if pad else '')
        if self.r.random() < 0.4:
            shape = v.shape[:2] + (places(size),)
            given = f', pool_size<{size}>' + (given if stride > 1 else f', stride<1>{given}')
            if self.r.random() < 0.5:
                return self.add(f'F.max_pool({v.name}{given})', [v], shape, v.M, v.E, v.grid, plain=True)
            return self.add(f'F.avg_pool({v.name}{given})', [v], shape, v.M, v.E + 4 * (size + 2) * self.unit * v.M, plain=True)
        channels, each, dilate = v.shape[1], self.r.random() < 0.3, self.r.choice([1, 1, 2])
        outputs = channels if each else self.r.choice([1, 5, 7])
        w = self.leaf(f'w{len(self.inputs)}', (outputs, 1 if each else channels, size))
        operands = [v, w]
        if self.r.random() < 0.5:
            operands.append(self.leaf(f'w{len(self.inputs)}', (outputs,)))
        n, M = (1 if each else channels) * size, v.M * w.M
        grid = None if v.grid is None or w.grid is None else v.grid + w.grid
        given += (f', dilate<{dilate}>' if dilate > 1 else '') + (f', groups<{channels}>' if each else '')
        E = n * w.M * v.E + self.rounding(n + 1, max(M, w.M), grid, False)
        return self.add(f'F.convolution({", ".join(o.name for o in operands)}{given})', operands,
                        v.shape[:1] + (outputs, places((size - 1) * dilate + 1)), n * M + w.M, E, grid, plain=True)

    def scan(self):
        v = self.pick(lambda v: self.number(v) and v.shape and any(e not in (DYNAMIC, 1) for e in v.shape))
        if not v:
            return False
        at = self.r.choice([i for i, e in enumerate(v.shape) if e not in (DYNAMIC, 1)])
        n = v.shape[at]
        if n * v.M > 1e5:
            return False
        return self.add(f'F.cumsum({v.name}, axis<{at}>)', [v], v.shape, n * v.M, n * v.E + self.rounding(n, v.M, v.grid, False), v.grid, plain=True)

    def attention(self):
        q = self.image(lambda v: v.M < 20)
        k = q and self.image(lambda v: v.dtype == q.dtype and v.M < 20 and v.shape[0] == q.shape[0] and v.shape[2] == q.shape[2])
        v = k and self.image(lambda v: v.dtype == q.dtype and v.shape[0] == k.shape[0] and v.shape[1] == k.shape[1])
        if not v:
            return False
        n, width = k.shape[1], q.shape[2]
        causal = self.r.random() < 0.5
        heads = width if width == v.shape[2] and self.r.random() < 0.4 else 1
        scores = width * (q.M * k.E + k.M * q.E + q.E * k.E + 2 * width * self.unit * q.M * k.M)  # by how much two of them differ
        if scores > 0.1:
            return False
        E = v.E + v.M * (4 * scores + 8 * (n + 8) * self.unit)
        given = (f', num_heads<{heads}>' if heads > 1 else '') + (', is_causal' if causal else '')
        return self.add(f'F.scaled_dot_product_attention({q.name}, {k.name}, {v.name}{given})', [q, k, v], q.shape[:2] + v.shape[2:], v.M, E, plain=True)

    def view(self):
        v = self.pick(lambda v: v.shape)
        f = self.r.choice(['transpose', 'slice', 'backwards', 'expand', 'broadcast'])
        if f == 'transpose' and len(v.shape) == 3 and self.r.random() < 0.7:
            order = self.r.choice([(0, 2, 1), (1, 0, 2), (1, 2, 0)])
            return self.add(f'F.transpose({v.name}, axes<{", ".join(map(str, order))}>)', [v], tuple(v.shape[i] for i in order), v.M, v.E, v.grid,
                            plain=False)
        if f == 'transpose' and len(v.shape) > 1:
            return self.add(f'F.transpose({v.name})', [v], v.shape[::-1], v.M, v.E, v.grid, plain=False)
        last = v.shape[-1]
        if f == 'slice' and last == 7:
            begin = ', '.join(['sinter::open'] * (len(v.shape) - 1) + ['1'])
            end = ', '.join(['sinter::open'] * (len(v.shape) - 1) + ['6'])
            return self.add(f'F.slice({v.name}, begin<{begin}>, end<{end}>)', [v], v.shape[:-1] + (5,), v.M, v.E, v.grid, plain=False)
        if f == 'backwards' and (last != 7 or self.r.random() < 0.5):
            at = self.r.randrange(len(v.shape))
            return self.add(f'F.flip({v.name}, axis<{at}>)', [v], v.shape, v.M, v.E, v.grid, plain=False)
        if f == 'backwards' and last == 7:
            step = ', '.join(['1'] * (len(v.shape) - 1) + ['-1'])
            return self.add(f'F.slice({v.name}, step<{step}>)', [v], v.shape, v.M, v.E, v.grid, plain=False)
        if f == 'expand' and len(v.shape) == 1:
            return self.add(f'F.expand_dims({v.name}, axis<1>)', [v], v.shape + (1,), v.M, v.E, v.grid)
        if f == 'expand' and len(v.shape) == 2 and self.deep:
            at = self.r.randrange(3)
            return self.add(f'F.expand_dims({v.name}, axis<{at}>)', [v], v.shape[:at] + (1,) + v.shape[at:], v.M, v.E, v.grid)
        if f == 'broadcast' and v.shape == (7,):
            return self.add(f'F.broadcast_to({v.name}, into<5, 7>)', [v], (5, 7), v.M, v.E, v.grid, plain=False)
        return False

    def join(self):
        a = self.pick(lambda v: self.number(v) and len(v.shape) == 2 and v.shape[1] in (1, 5, 7))
        if not a:
            return False
        b = self.pick(lambda v: v.dtype == a.dtype and len(v.shape) == 2 and v.shape[0] == a.shape[0] and v.shape[1] in (1, 5, 7))
        grid = None if a.grid is None or b.grid is None else max(a.grid, b.grid)
        return self.add(f'F.concat({a.name}, {b.name}, axis<1>)', [a, b], (a.shape[0], a.shape[1] + b.shape[1]), max(a.M, b.M), max(a.E, b.E), grid)

    def indexed(self):
        v = self.pick(lambda v: self.number(v) and v.E == 0 and len(v.shape) == 2 and v.shape[1] in (5, 7, 12))
        if not v:
            return False
        f = self.r.choice(['sort', 'argmax', 'take', 'one_hot'])
        if f == 'sort':
            return self.add(f'F.sort({v.name})', [v], v.shape, v.M, v.E, v.grid)
        if f == 'argmax':
            return self.add(f'F.argmax({v.name}, axis<1>)', [v], (v.shape[0],), 12, dtype='std::int64_t', plain=True)
        index = f'F.cast(F.argmax({v.name}, axis<1>), as<std::int32_t>)'
        if f == 'one_hot':
            return self.add(f'F.one_hot({index}, depth<5>, values<1, 0>, as<{self.real}>)', [v], (v.shape[0], 5), 1.0, 0.0, 0, self.real, True)
        w = self.pick(lambda w: self.number(w) and w.E == 0 and len(w.shape) == 2 and w.shape[0] not in (DYNAMIC, 1))
        if not w:
            return False
        return self.add(f'F.take({w.name}, {index})', [w, v], (v.shape[0], w.shape[1]), w.M, w.E, w.grid)

    def operations(self):
        n = self.r.randint(8, 14)
        kinds = [self.unary, self.with_number, self.binary, self.binary, self.binary, self.select, self.reduce, self.reduce, self.product,
                 self.product, self.view, self.view, self.join, self.curve, self.rows]
        if self.uneven:
            kinds += 2 * [self.multiply_add]
        if self.deep:
            kinds += [self.products, self.window, self.window, self.scan, self.reduce, self.attention]
        rare = [self.truth, self.indexed]
        tries = 0
        while len(self.lines) < n and tries < 400:
            tries += 1
            self.r.choice(rare if self.r.random() < 0.08 else kinds)()

    def extents(self, shape):
        return 'shape<' + ', '.join('dim<"batch">' if e == DYNAMIC else str(e) for e in shape) + '>'

    def source(self):
        self.operations()
        outputs = [v for v in self.values if not v.used and v.name[0] == 'v']
        body = '\n'.join('    ' + line for line in self.lines)
        bounds = ', '.join(repr(v.E) for v in outputs)
        inputs = ', '.join(f'nd::tensor<{v.dtype}, {self.extents(v.shape)}>' for v in self.inputs)
        given = ', '.join(f'[[maybe_unused]] auto {v.name}' for v in self.inputs)
        return f'''struct network_{self.index} : nn::hybrid_block<network_{self.index}> {{
  static constexpr bool uneven = {str(self.uneven).lower()};
  constexpr auto hybrid_forward([[maybe_unused]] auto F, {given}) const {{
{body}
    return std::tuple{{{', '.join(v.name for v in outputs)}}};
  }}
}};
TEST_CASE("network {self.index}") {{ test::compare<network_{self.index}, {inputs}>({{{bounds}}}); }}
'''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--part', type=int, required=True)
    parser.add_argument('--parts', type=int, required=True)
    args = parser.parse_args()
    print('// Written by test/passes/random_networks.py.\n#include "passes/random.hpp"\n\nusing namespace sinter;\n\nnamespace {\n')
    for number in range(DAGS * args.part // args.parts, DAGS * (args.part + 1) // args.parts):
        print(Network(number).source())
    print('TEST_CASE("the arenas") { test::check_arenas(); }\n\n}  // namespace')


if __name__ == '__main__':
    main()
