"""What is expected: the rows of the file `expected`."""

import dataclasses
import pathlib
import re


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
    # The parts of the headline, in order, that `→` stands between.
    chain: list = dataclasses.field(default_factory=list)
    # How many findings there are; None for any number.
    findings: int | None = 1
    flight: list = dataclasses.field(default_factory=list)
    others: str = ""
    quotes: list = dataclasses.field(default_factory=list)
    folded: str = ""
    never: list = dataclasses.field(default_factory=list)
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
            row.lines.append(place(value, sources)[0])
        elif key == "party":
            row.parties.append(place(value, sources)[0])
        elif key == "quote":
            row.quotes.append(place(value, sources))
        elif key == "findings":
            row.findings = None if value == "any" else int(value)
        elif key in ("chain", "flight", "never"):
            setattr(row, key, value.split("; "))
        elif key == "in":
            row.builds = value.split(", ")
        elif key == "short":
            row.is_short = value == "yes"
        elif key in ("ended", "kind", "says", "link", "way", "pending", "others", "folded"):
            setattr(row, key, value)
        else:
            raise SystemExit(f"{path}: what is “{key}”?")
    return rows


def place(value, sources):
    """Of `File.swift: text`, where that is the text of one line of the file: `File.swift:12`, the text, and the header of
    the function around it."""
    name, text = value.split(": ", 1)
    (file,) = sources.rglob(name)
    lines = file.read_text().splitlines()
    found = [number for number, line in enumerate(lines, 1) if line.strip() == text]
    if len(found) != 1:
        raise SystemExit(f"{len(found)} lines of {name} are “{text}”")
    return f"{name}:{found[0]}", text, header(lines, found[0])


FUNCTION = re.compile(r"\b(func|init|deinit)\b")


def header(lines, number):
    """The first line of the function that a line is in; empty where it begins none of Swift."""
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    for line in reversed(lines[:number]):
        begins = len(line) - len(line.lstrip())
        if FUNCTION.search(line) and begins <= indent:
            return line.strip().removesuffix("{").strip()
    return ""
