"""The command that links the tests, their own `main` first: link_tests.py MANIFEST PROGRAM LIST, of SwiftPM's build.

Debian's SwiftPM leaves the `main` of each program its name, and the tests hold the code of several. LIST is written:
the object files in the order in which the linker is to see them, as it takes the first `main`.
"""

import json
import pathlib
import shlex
import sys


def main(manifest, program, order):
    text = pathlib.Path(manifest).read_text()
    rule = text.index(f'description: "Linking {program}"')
    start = text.index("args: ", rule) + len("args: ")
    command = json.loads(text[start : text.index("\n", start)])
    place = next(i for i, word in enumerate(command) if word.startswith("@"))
    objects = pathlib.Path(command[place][1:]).read_text().split()
    objects.sort(key=lambda path: "PackageTests.build/" not in path)
    pathlib.Path(order).write_text("\n".join(objects) + "\n")
    command[place] = f"@{order}"
    print(shlex.join(command))


main(*sys.argv[1:])
