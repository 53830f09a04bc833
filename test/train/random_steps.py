#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a C++ test of steps of training: random networks whose eager and compiled steps have the same bits, whatever was fused.

    random_steps.py --part 0 --parts 34 > random.0.cpp

Each network has some dense layers and a parameter of its own, and values that several operations read, so that gradients of several ways are
added; its optimizer is drawn, too."""
import argparse
import random

NETWORKS = 204
OPEN = {196}  # the order of a sum of something that is stretched is open (docs/accuracy.md)
OPTIMIZERS = ["train::sgd{.learning_rate = 0.05}", "train::sgd<0.9>{.learning_rate = 0.05, .weight_decay = 0.01}", "train::nag<>{.learning_rate = 0.02}",
              "train::adam<>{.learning_rate = 0.01}", "train::adamw<>{.learning_rate = 0.01}"]


def network(number):
    r = random.Random(4100 + number)
    layers, lines, values, used = [], [], [("x", 5)], set()

    def add(text, width, *read):
        used.update(read)
        name = f"v{len(lines)}"
        lines.append(f"auto const {name} = {text};")
        values.append((name, width))
        return name

    def pick(width=None):
        some = [v for v in values if width in (None, v[1])]
        fresh = [v for v in some if v[0] not in used]
        return r.choice(fresh if fresh and r.random() < 0.5 else some) if some else None

    def dense():
        v, width = pick(), r.choice([4, 6])
        name = f"fc{len(layers)}"
        layers.append(f"(nn::dense<{width}>, {name})")
        return add(f"{name}({v[0]})", width, v[0])

    def unary():
        v = pick()
        if v[0] == "x":
            return dense()
        f = r.choice(["relu", "tanh", "sigmoid", "gelu", "square", "softrelu", "abs", "exp_of", "number"])
        text = {"exp_of": f"F.exp({v[0]} * 0.25)", "number": f"{v[0]} * 1.5 - 0.25"}.get(f, f"F.{f}({v[0]})")
        return add(text, v[1], v[0])

    def two():
        v = pick()
        w = pick(v[1])
        sign = r.choice(["+", "-", "*"])
        if v[0] == "x" and w[0] == "x":
            return dense()
        return add(f"F.tanh({v[0]} {sign} {w[0]})" if r.random() < 0.5 else f"({v[0]} {sign} {w[0]}) * 0.5", v[1], v[0], w[0])

    def rows():
        v = pick()
        f = r.choice(["F.softmax({0})", "F.log_softmax({0})", "{0} - F.mean({0}, axis<1>, keepdims)", "{0} * F.sum({0}, axis<1>, keepdims)", "F.layer_norm({0}, F.get(of{1}_gamma, shape<{1}>{{}}), F.get(of{1}_beta, shape<{1}>{{}}))"])
        return add(f.format(v[0], v[1]), v[1], v[0]) if v[0] != "x" else dense()

    def joined():
        v, w = pick(), pick()
        if v[1] + w[1] > 12:
            return dense()
        return add(f"F.concat({v[0]}, {w[0]}, axis<1>)", v[1] + w[1], v[0], w[0])

    def part():
        v = pick()
        end = min(4, v[1])
        return add(f"{v[0]}(all, range<1, {end}>)", end - 1, v[0]) if v[0] != "x" else dense()

    dense(), dense()
    for _ in range(r.randint(5, 9)):
        r.choice([dense, unary, unary, two, two, rows, joined, part])()
    ends = [v for v in values[1:] if v[0] not in used]
    out = " + ".join(f"F.sum({v[0]}, axis<1>, keepdims)" for v in ends)
    layers += [f"(nn::basic_parameter<float, shape<{w}>>, of{w}_{name})" for name in ("gamma", "beta") for w in sorted({v[1] for v in values})
               if any(f"of{w}_{name}," in line for line in lines)]
    body = "\n    ".join(lines)
    return f"""struct network{number} : nn::hybrid_block<network{number}> {{
  BOOST_HANA_DEFINE_STRUCT(network{number}, {", ".join(layers)});
  constexpr auto hybrid_forward(auto F, auto x) const {{
    {body}
    return F.concat({out.replace(" + ", ", ")}, axis<1>);
  }}
}};
TEST_CASE("random steps {number}") {{ test::same_steps(network{number}{{}}, {r.choice(OPTIMIZERS)}); }}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1)
    arguments = parser.parse_args()
    print('// Made by test/train/random_steps.py.\n#include "train/steps.hpp"\n\nnamespace {\n\nnamespace nn = sinter::nn;\nnamespace train = sinter::train;\nusing sinter::all;\n'
          "using sinter::axis;\nusing sinter::keepdims;\nusing sinter::range;\nusing sinter::shape;\n")
    for number in range(arguments.part, NETWORKS, arguments.parts):
        if number not in OPEN:
            print(network(number))
    print("}  // namespace")


main()
