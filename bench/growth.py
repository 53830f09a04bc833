#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/growth.svg: the time to plan a graph over its nodes, both on logarithmic axes, a line for each kind of node (growth.cpp).

    bench/growth.py [MOST]    up to so many nodes, 10000 unless said
"""
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 400, 70, 40
COLOURS = ["#1b6ca8", "#d1495b", "#2e8b57", "#8e5ea2", "#c28f2c", "#444444", "#3aa6a6", "#b0446e", "#6b8e23", "#a0522d"]


def measured(most):
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "growth")
        subprocess.run(["c++", "-std=c++20", "-O2", f"-I{HERE.parent / 'include'}", HERE / "growth.cpp", "-o", program], check=True)
        table = subprocess.run([program, str(most)], check=True, capture_output=True, text=True).stdout
    print(table, end="")
    head, *rows = table.splitlines()
    nodes = [float(n) for n in head[12:].split()[:-1]]
    return nodes, {row[:12].strip(): [float(ms) for ms in row[12:].split()[:-1]] for row in rows}


def drawing(nodes, rows):
    low, high = math.floor(math.log10(min(min(r) for r in rows.values()))), math.ceil(math.log10(max(max(r) for r in rows.values())))
    first, last = math.log10(nodes[0]), math.log10(nodes[-1])

    def x(n):
        return LEFT + (math.log10(n) - first) / (last - first) * (WIDTH - LEFT - 130)

    def y(ms):
        return HEIGHT - BOTTOM - (math.log10(ms) - low) / (high - low) * (HEIGHT - BOTTOM - 20)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for power in range(low, high + 1):
        at = y(10.0**power)
        out += [f'<line x1="{LEFT}" y1="{at:.1f}" x2="{WIDTH - 130}" y2="{at:.1f}" stroke="#dddddd"/>',
                f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g} ms</text>']
    for n in nodes:
        out.append(f'<text x="{x(n):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{n:.0f}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - 130) / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">nodes</text>')
    ends = sorted((y(r[-1]), name) for name, r in rows.items())
    label = -math.inf
    for at, name in ends:
        label = max(label + 14, at)
        colour = COLOURS[list(rows).index(name) % len(COLOURS)]
        points = " ".join(f"{x(n):.1f},{y(ms):.1f}" for n, ms in zip(nodes, rows[name]))
        out += [f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
                f'<text x="{WIDTH - 122}" y="{label + 4:.1f}" fill="{colour}">{name}</text>']
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    (HERE.parent / "docs" / "growth.svg").write_text(drawing(*measured(int(sys.argv[1]) if len(sys.argv) > 1 else 10000)))
