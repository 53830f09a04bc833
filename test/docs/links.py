#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every relative link of the Markdown pages leads to a file that is there, and every #anchor to a heading of it.

    links.py ROOT            checks the pages of the project in ROOT
    links.py --self-test     shows that a dead link and a dead anchor are found
"""
import pathlib
import re
import sys
import tempfile

LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$")


def lines_of(page):
    """Numbered lines outside of blocks of code."""
    inside = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def anchors(page):
    """What headings are called in links: small letters, dashes for spaces, no punctuation; a name that is there already gets a number."""
    found = set()
    for _, line in lines_of(page):
        if heading := HEADING.match(line):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
            name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            count, fresh = 0, name
            while fresh in found:
                count += 1
                fresh = f"{name}-{count}"
            found.add(fresh)
    return found


def dead(root):
    pages = [p for p in root.rglob("*.md") if not any(part.startswith((".", "build")) for part in p.relative_to(root).parts)]
    found = []
    links = 0
    for page in sorted(pages):
        for number, line in lines_of(page):
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                links += 1
                name, _, anchor = target.partition("#")
                to = (page.parent / name).resolve() if name else page
                at = f"{page.relative_to(root)}:{number}: {target}"
                if not to.exists():
                    found.append(f"{at}: there is no such file")
                elif anchor and anchor not in anchors(to):
                    found.append(f"{at}: the page has no such heading")
    return links, found


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "a.md").write_text("# One `thing`, two\n## Twice\n## Twice\n[a](#one-thing-two) [b](b.md#there) [c](#twice-1) `[no](link)`\n")
        (root / "b.md").write_text("# There\n```\n# no heading\n[d](none.md)\n```\n")
        assert dead(root) == (3, []), dead(root)
        (root / "b.md").write_text("# Here\n[a](c.md)\n")
        assert [line.split(":")[1] for line in dead(root)[1]] == ["4", "2"], dead(root)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit()
    count, wrong = dead(pathlib.Path(sys.argv[1]).resolve())
    print("\n".join(wrong) or f"{count} links lead somewhere")
    sys.exit(bool(wrong) or not count)
