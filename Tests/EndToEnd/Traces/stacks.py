"""Readers of the two formats for flame graphs, as strict as their documentation is."""
from collections import Counter

UNITS = {"none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"}


def collapsed(text):
    """Stacks with their counts. A line is frames with semicolons between, a space, a whole number."""
    stacks = Counter()
    for line in text.splitlines():
        frames, count = line.rsplit(" ", 1)
        if not count.isdigit() or not all(frames.split(";")):
            raise ValueError(f"no collapsed stack: {line!r}")
        stacks[tuple(frames.split(";"))] += int(count)
    return stacks


def complaints(document):
    """What speedscope's documented schema has against a document."""
    found = []

    def demand(holds, what):
        if not holds:
            found.append(what)

    def has(value, required, optional, what):
        if not isinstance(value, dict):
            return demand(False, f"{what} is no object")
        for key, kind in required.items():
            demand(is_of(value.get(key), kind), f"{what} lacks {key}")
        for key, part in value.items():
            kind = {**required, **optional}.get(key)
            demand(kind is not None, f"{what} has {key}, which is unknown")
            demand(kind is None or is_of(part, kind), f"{key} of {what} is of another type")

    has(document, {"$schema": str, "shared": dict, "profiles": list},
        {"name": str, "activeProfileIndex": int, "exporter": str}, "the file")
    demand(document["$schema"] == "https://www.speedscope.app/file-format-schema.json", "$schema")
    has(document["shared"], {"frames": list}, {}, "shared")
    frames = document["shared"]["frames"]
    for frame in frames:
        has(frame, {"name": str}, {"file": str, "line": int, "col": int}, "a frame")
    demand(0 <= document.get("activeProfileIndex", 0) < len(document["profiles"]), "active profile")
    for profile in document["profiles"]:
        has(profile, {"type": str, "name": str, "unit": str, "startValue": int, "endValue": int,
                      "samples": list, "weights": list}, {}, "a profile")
        demand(profile["type"] == "sampled" and profile["unit"] in UNITS, "type or unit")
        demand(len(profile["samples"]) == len(profile["weights"]), "a weight for each sample")
        demand(profile["endValue"] - profile["startValue"] == sum(profile["weights"]), "values")
        for sample in profile["samples"]:
            demand(sample and all(is_of(i, int) and 0 <= i < len(frames) for i in sample), "a sample")
    return found


def is_of(value, kind):
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))
