# SPDX-License-Identifier: Apache-2.0
"""For checks that show, on small trees of files, that they find what they look for."""
import pathlib
import sys
import tempfile


def self_test(trees, check):
    """`trees`: by their names, the files of each below sinter/, and words of every sentence that the check must say of it, or None."""
    wrong = 0
    for name, (files, words) in trees.items():
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = pathlib.Path(folder, "sinter", path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text + "\n")
            found = check(folder)
        good = not found if words is None else len(found) == 1 and words in found[0]
        print(f"{'ok  ' if good else 'BAD '} {name}: {found or 'passes'}")
        wrong += not good
    return wrong


def main(check, trees, nothing):
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test(trees, check))
    found = check(sys.argv[1])
    print("\n".join(found) or nothing)
    sys.exit(bool(found))
