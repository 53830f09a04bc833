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
    "nn": ["core", "graph", "ops", "run", "nd", "sym", "io"],
    "compile": ["core", "graph", "ops", "passes", "plan", "run", "backend", "nd", "sym", "io", "nn"],
    "models": ["core", "graph", "ops", "passes", "plan", "run", "backend", "nd", "sym", "io", "nn", "compile"],
    # Like models/, networks that only who wants them includes; neither symbols nor JSON of a running program.
    "literal": ["core", "graph", "ops", "passes", "plan", "run", "backend", "nd", "sym", "io", "nn", "compile"],
    "train": ["core", "graph", "ops", "passes", "plan", "run", "backend", "nd", "sym", "io", "nn", "compile"],
    # As the interpreter, by which symbols are run.
    "symbol": ["core", "graph", "ops", "passes", "plan", "run", "backend", "backend/interpreter", "nd", "io", "nn", "compile", "viz"],
    # Files that are networks: they become symbols. protozero is included by nobody else.
    "onnx": ["core", "graph", "ops", "passes", "plan", "run", "backend", "backend/interpreter", "nd", "io", "nn", "compile", "viz", "symbol"],
    "viz": ["core", "graph", "ops", "passes", "plan", "sym", "nn", "compile"],
}
# Members that reach a header which they do not include, of a room above or one that few programs need: SINTER_CALL_FROM and SINTER_RETURN_FROM
# find its function where the program includes it, and say its name where not.
LATE = {
    "nn": {"save_parameters_of": "nn/save.hpp", "load_parameters_of": "nn/load.hpp", "export_network": "symbol/export.hpp",
           "export_onnx_network": "onnx/export.hpp", "save_network": "symbol/one_file.hpp", "load_network": "symbol/one_file.hpp"},
    "compile": {"instance_of": "compile/instance.hpp", "report_of": "viz/report.hpp", "dot_of": "viz/report.hpp",
                "recorded_call": "train/compiled_call.hpp"},
    "symbol": {"symbol_in_json": "symbol/json.hpp", "symbol_in_file": "symbol/json.hpp", "json_of_symbol": "symbol/json.hpp",
               "save_symbol": "symbol/json.hpp", "block_in_file": "symbol/one_file.hpp", "export_block": "symbol/export.hpp",
               "save_block": "symbol/one_file.hpp"},
}
CALL_LATE = re.compile(r'SINTER_(?:CALL|RETURN)_FROM\(\s*"([^"]+)",\s*(\w+)')
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The room of a path below include/sinter, or None for the headers that stand beside the rooms."""
    inner = "/".join(path.parts[:2])
    return inner if inner in ROOMS and len(path.parts) > 2 else path.parts[0] if len(path.parts) > 1 else None


def late_breaches(house, headers, late):
    """Late calls that the table has not, and rows of it that no header needs."""
    found, unused = [], {(room, name) for room, rows in late.items() for name in rows}
    for header in headers:
        here = header.relative_to(house)
        room = room_of(here)
        for target, name in CALL_LATE.findall(header.read_text()):
            unused.discard((room, name))
            if late.get(room, {}).get(name) != target:
                found.append(f"sinter/{here}: {room} may not call {name} of {target} late")
            elif not (house / target).is_file() or not re.search(rf"\b{name}\(", (house / target).read_text()):
                found.append(f"sinter/{here}: {target} has no function {name}")
    return found + [f"{room} calls no {name}, as the table says" for room, name in sorted(unused)]


def breaches(root, late=LATE):
    house = pathlib.Path(root, "sinter").resolve()
    headers = sorted(house.rglob("*.hpp"))
    found = late_breaches(house, headers, late)
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
    "a late call of the table": ({"nn/a.hpp": 'SINTER_CALL_FROM("viz/late.hpp", draw_of(x))', "viz/late.hpp": "void draw_of();"}, None),
    "a late call that the table has not": ({"nn/a.hpp": 'SINTER_CALL_FROM("viz/late.hpp", draw_of(x));\nSINTER_RETURN_FROM("viz/late.hpp", print_of(x))',
                                            "viz/late.hpp": "void draw_of();"}, "nn may not call print_of"),
    "a late call from another room": ({"nn/a.hpp": 'SINTER_CALL_FROM("viz/late.hpp", draw_of(x))', "viz/late.hpp": "void draw_of();",
                                       "nd/a.hpp": 'SINTER_CALL_FROM("viz/late.hpp", draw_of(x))'}, "nd may not call draw_of"),
    "a late call of a function that is gone": ({"nn/a.hpp": 'SINTER_CALL_FROM("viz/late.hpp", draw_of(x))', "viz/late.hpp": ""}, "has no function draw_of"),
    "a row of the table that nobody needs": ({"nn/a.hpp": "", "viz/late.hpp": "void draw_of();"}, "nn calls no draw_of"),
}


def in_tree(root):
    """The trees above have a table of one row, and only those with its header."""
    return breaches(root, {"nn": {"draw_of": "viz/late.hpp"}} if pathlib.Path(root, "sinter/viz/late.hpp").exists() else {})


if __name__ == "__main__":
    main(in_tree if "--self-test" in sys.argv else breaches, TREES, "no breach")
