"""Turns the rows that benchmarks print into results, and prints and stores them."""

import json
import math
import os

# A benchmark is repeated if the spread of a row with an aim is larger. ../README.md states where the value comes from.
SPREAD = 0.1


def result(benchmark, row):
    """A row's medians, its ratio and its spread. `row` is one line of a benchmark's output, described in
    ../README.md. Raises ValueError if the row has no finite figures."""
    try:
        ours, peer = figures(row["ours"]), figures(row["peer"]) if row.get("peer") is not None else None
        taken = judged(ours, peer)
        made = {
            "benchmark": benchmark,
            "name": row["name"],
            "unit": row["unit"],
            "ours": rounded(median(ours)),
            "peer": peer and rounded(median(peer)),
            "peerName": row.get("peerName"),
            "ratio": rounded(median(taken)) if peer else None,
            "aim": row.get("aim"),
            "atLeast": bool(row.get("atLeast")),
            "met": None,
            "spread": row["spread"] if row.get("spread") is not None else spread(taken),
            "repeated": False,
            "others": None,
            "error": None,
            "leftOut": False,
        }
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a row: {row} ({error})") from error
    if made["aim"] is not None:
        value = made["ratio"] if peer else made["ours"]
        made["met"] = value >= made["aim"] if made["atLeast"] else value <= made["aim"]
    return made


def failure(benchmark, error, left_out=False):
    """The row of a benchmark that failed, or that was left out because it cannot run here."""
    return {
        "benchmark": benchmark, "name": benchmark, "unit": None, "ours": None, "peer": None, "peerName": None, "ratio": None,
        "aim": None, "atLeast": False, "met": None, "spread": None, "repeated": False, "others": None, "error": error,
        "leftOut": left_out,
    }  # fmt: skip


def figures(values):
    values = values if isinstance(values, list) else [values]
    if not values or not all(isinstance(value, (int, float)) and math.isfinite(value) for value in values):
        raise ValueError(f"no finite figures: {values}")
    return values


def judged(ours, peer):
    """The figures whose median and spread count: the ratios of the rounds, or without a peer, our own figures."""
    if not peer:
        return ours
    if len(ours) != len(peer):
        ours, peer = [median(ours)], [median(peer)]
    ratios = [mine / other for mine, other in zip(ours, peer) if other]
    if not ratios:
        raise ValueError(f"every figure of the peer is 0: {peer}")
    return ratios


def spread(values):
    """Half the distance between the quartiles, relative to the median."""
    middle = median(values)
    return rounded((quantile(values, 0.75) - quantile(values, 0.25)) / 2 / abs(middle), 2) if middle else 0


def largest_spread(results):
    """The largest spread of the rows with an aim."""
    return max((result["spread"] for result in results if result["met"] is not None), default=0)


def median(values):
    return quantile(values, 0.5)


def quantile(values, share):
    """The value at a share of the sorted values, interpolated between neighbours."""
    values = sorted(values)
    position = share * (len(values) - 1)
    lower = int(position)
    upper = min(lower + 1, len(values) - 1)
    return values[lower] + (values[upper] - values[lower]) * (position - lower)


def rounded(value, digits=4):
    """The value rounded to `digits` significant digits."""
    return round(value, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0


def write(results, path):
    """Replaces the file, so that a reader finds either the old results or the new ones."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(results, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
    os.replace(part, path)


HEADER = ["", "unit", "ours", "peer", "", "ratio", "aim", "met", "spread", ""]
ALIGNED_LEFT = {0, 1, 4, 9}


def table(results):
    """The results as lines of text with aligned columns; below them, the benchmarks that failed."""
    lines = [HEADER, *[cells(result) for result in results if result["error"] is None]]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    text = [
        "  ".join(
            cell.ljust(width) if column in ALIGNED_LEFT else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    ]
    said = [
        f"{result['name']}: {'left out' if result['leftOut'] else 'FAILED'}: {result['error']}"
        for result in results if result["error"] is not None
    ]  # fmt: skip
    return "\n".join([*(text if len(lines) > 1 else []), *said])


def cells(result):
    aim = "" if result["aim"] is None else f"{'≥' if result['atLeast'] else '≤'} {shown(result['aim'])}"
    met = {None: "", True: "yes", False: "NO"}[result["met"]]
    return [
        result["name"], result["unit"], shown(result["ours"]), shown(result["peer"]), result["peerName"] or "",
        shown(result["ratio"]), aim, met, f"±{result['spread'] * 100:.0f} %", "repeated" if result["repeated"] else "",
    ]  # fmt: skip


def shown(value):
    """Three digits, and large numbers with separators."""
    if value is None:
        return ""
    value = rounded(value, 3)
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
