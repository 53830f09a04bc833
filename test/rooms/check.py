#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Data flows one way: no header includes one of a later room, nor another room's detail/. docs/layout.md says what the rooms are.

    check.py include             checks include/sinter
    check.py --self-test         shows that each kind of breach is found
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from self_test import main  # noqa: E402

# What each room may include, beside itself; in processing order.
ROOMS = {
    "core": [],
    "graph": ["core"],
    "ops": ["core", "graph"],
    "passes": ["core", "graph", "ops"],
    "plan": ["core", "graph", "ops", "passes"],
    "run": ["core", "graph", "ops", "passes", "plan"],
    "backend": ["core", "graph", "ops", "passes", "plan", "run"],
    # It compiles a loop for each operation and type: only who asks for it includes it.
    "backend/interpreter": ["core", "graph", "ops", "passes", "plan", "run", "backend"],
    "nd": ["core", "graph", "ops", "passes", "plan", "run", "backend", "io"],
    "sym": ["core", "graph", "ops", "passes", "plan", "run", "backend"],
    "io": ["core"],
    "nn": ["core", "graph", "ops", "passes", "plan", "run", "backend", "nd", "sym", "io"],
    "models": ["core", "graph", "ops", "passes", "plan", "run", "backend", "nd", "sym", "io", "nn"],
    # Like models/, networks that only who wants them includes; neither symbols nor JSON of a running program.
    "literal": ["core", "graph", "ops", "passes", "plan", "run", "backend", "nd", "sym", "io", "nn"],
    "train": ["core", "graph", "ops", "passes", "plan", "run", "backend", "nd", "sym", "io", "nn"],
    # As the interpreter, by which symbols are run.
    "symbol": ["core", "graph", "ops", "passes", "plan", "run", "backend", "backend/interpreter", "nd", "io", "nn", "viz"],
    # Files that are networks: they become symbols. protozero is included by nobody else.
    "onnx": ["core", "graph", "ops", "passes", "plan", "run", "backend", "backend/interpreter", "nd", "io", "nn", "viz", "symbol"],
    "viz": ["core", "graph", "ops", "passes", "plan", "sym", "nn"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The room of a path below include/sinter, or None for the headers that stand beside the rooms."""
    inner = "/".join(path.parts[:2])
    return inner if inner in ROOMS and len(path.parts) > 2 else path.parts[0] if len(path.parts) > 1 else None


def breaches(root):
    house = pathlib.Path(root, "sinter").resolve()
    found = []
    headers = sorted(house.rglob("*.hpp"))
    for header in headers:
        here = header.relative_to(house)
        room = room_of(here)
        if room is not None and room not in ROOMS:
            found.append(f"sinter/{here}: the room {room} is not in the table")
            continue
        for number, line in enumerate(header.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            style, name = match.groups()
            at = f"sinter/{here}:{number}"
            near = (header.parent / name).resolve()
            if style == '"' and near.is_file():
                target = near
            elif name.startswith("sinter/"):
                target = (house.parent / name).resolve()
            elif style == '"':
                found.append(f'{at}: "{name}" is not there')
                continue
            else:
                continue
            if not target.is_file() or house not in target.parents:
                found.append(f"{at}: {name} is not a header of sinter")
                continue
            there = target.relative_to(house)
            other = room_of(there)
            if room is not None and other is None:
                found.append(f"{at}: a room includes {there}, which stands above all rooms")
            elif room is not None and other != room and other not in ROOMS[room]:
                found.append(f"{at}: {room} may not include {other} ({there})")
            if other != room and "detail" in there.parts:
                found.append(f"{at}: {there} is private to {other}")
    if not headers:
        found.append("there is no header")
    return found


TREES = {  # a breach: (files, a part of its sentence)
    "none": ({"core/a.hpp": "", "core/detail/b.hpp": '#include "../a.hpp"', "nn/c.hpp": '#include "../core/a.hpp"\n#include <vector>',
              "sinter.hpp": '#include "nn/c.hpp"'}, None),
    "a backward arrow": ({"core/a.hpp": '#include "../nn/b.hpp"', "nn/b.hpp": ""}, "core may not include nn"),
    "a backward arrow by its full name": ({"graph/a.hpp": "#include <sinter/ops/b.hpp>", "ops/b.hpp": ""}, "graph may not include ops"),
    "rooms side by side": ({"nd/a.hpp": '#  include "../sym/b.hpp"', "sym/b.hpp": ""}, "nd may not include sym"),
    "a room in a room that only some may include": ({"nd/a.hpp": '#include "../backend/interpreter/b.hpp"',
                                                    "backend/interpreter/b.hpp": '#include "../c.hpp"', "backend/c.hpp": ""},
                                                   "nd may not include backend/interpreter"),
    "a foreign detail": ({"nn/a.hpp": '#include "../core/detail/b.hpp"', "core/detail/b.hpp": ""}, "private to core"),
    "a room that includes everything": ({"nn/a.hpp": '#include "../sinter.hpp"', "sinter.hpp": ""}, "stands above all rooms"),
    "an unknown room": ({"attic/a.hpp": ""}, "not in the table"),
    "a header that is gone": ({"core/a.hpp": '#include "b.hpp"'}, "is not there"),
    "no header": ({}, "no header"),
}


if __name__ == "__main__":
    main(breaches, TREES, "no breach")
