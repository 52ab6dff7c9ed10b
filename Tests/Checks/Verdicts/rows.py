"""What is expected: the rows of the file `expected`."""

import dataclasses
import pathlib


@dataclasses.dataclass
class Row:
    name: str
    steps: list = dataclasses.field(default_factory=list)
    ended: str = ""
    kind: str = ""
    says: str = ""
    lines: list = dataclasses.field(default_factory=list)
    parties: list = dataclasses.field(default_factory=list)
    link: str = ""
    way: str = ""
    builds: list = dataclasses.field(default_factory=list)
    pending: str = ""
    is_short: bool = False

    def is_in(self, build):
        return not self.builds or build in self.builds


def read(path, sources):
    rows = []
    for line in pathlib.Path(path).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            rows.append(Row(line[1:-1]))
            continue
        key, value = line.split(": ", 1)
        row = rows[-1]
        if key == "do":
            row.steps = value.split("; ")
        elif key == "line":
            row.lines.append(place(value, sources))
        elif key == "party":
            row.parties.append(place(value, sources))
        elif key == "in":
            row.builds = value.split(", ")
        elif key == "short":
            row.is_short = value == "yes"
        elif key in ("ended", "kind", "says", "link", "way", "pending"):
            setattr(row, key, value)
        else:
            raise SystemExit(f"{path}: what is “{key}”?")
    return rows


def place(value, sources):
    """`File.swift: text` as `File.swift:12`: the one line of the file that is this text."""
    name, text = value.split(": ", 1)
    (file,) = sources.rglob(name)
    lines = file.read_text().splitlines()
    found = [number for number, line in enumerate(lines, 1) if line.strip() == text]
    if len(found) != 1:
        raise SystemExit(f"{len(found)} lines of {name} are “{text}”")
    return f"{name}:{found[0]}"
