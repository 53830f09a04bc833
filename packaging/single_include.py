#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes headers of sinter into one file each, for projects that take a single file; Boost.Hana and xsimd stay includes.

    packaging/single_include.py OUT sinter/sinter.hpp [sinter/onnx.hpp ...]

writes OUT/sinter/sinter.hpp from the first header, and from all of them together OUT/sinter/sinter-onnx.hpp and so on. A header that stands inside of
#if is written there, and once more where it stands outside; guards let it count once. Thrust's backend is left out: its users have the
folder."""
import pathlib
import re
import sys

INCLUDE = pathlib.Path(__file__).resolve().parents[1] / "include"
OWN = re.compile(r'^#include (?:"([^"]+)"|<(sinter/[^>]+)>).*$')
LEFT_OUT = INCLUDE / "sinter/backend/thrust"


class Writer:
    def __init__(self):
        self.lines, self.written = [], set()

    def include(self, header, written):
        """The header, unless `written`, the headers that stand there under the same conditions or under none, has it."""
        if header in written:
            return
        if header.is_relative_to(LEFT_OUT):
            self.lines.append(f'#error "sinter: the single header has no {header.relative_to(INCLUDE)}; take the folder include/sinter"')
            return
        written.add(header)
        name = header.relative_to(INCLUDE)
        guard = "SINTER_SINGLE_" + re.sub(r"\W", "_", str(name.relative_to("sinter"))).upper()
        self.lines += [f"#ifndef {guard}", f"#define {guard}", f"// {name}"]
        depth = 0
        for line in header.read_text().splitlines():
            depth += bool(re.match(r"#\s*if", line)) - line.startswith("#endif")
            if own := OWN.match(line):
                self.include((header.parent / own[1] if own[1] else INCLUDE / own[2]).resolve(), set(written) if depth else written)
            elif not line.startswith(("#pragma once", "// SPDX-License-Identifier")):
                self.lines.append(re.sub(r'__has_include\("[^"]+"\)', "1", line))
        self.lines.append("#endif")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out, headers = pathlib.Path(sys.argv[1]) / "sinter", [INCLUDE / name for name in sys.argv[2:]]
    for header in headers:
        if not header.is_file():
            sys.exit(f"there is no {header}")
    out.mkdir(parents=True, exist_ok=True)
    for count, last in enumerate(headers, 1):
        writer = Writer()
        for header in headers[:count]:
            writer.include(header, writer.written)
        name = "sinter.hpp" if count == 1 else f"sinter-{last.stem}.hpp"
        (out / name).write_text("// SPDX-License-Identifier: Apache-2.0\n#pragma once\n" + "\n".join(writer.lines) + "\n")


if __name__ == "__main__":
    main()
