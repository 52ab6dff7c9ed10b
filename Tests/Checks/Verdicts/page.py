"""Writes what was found: a line for each row, and docs/internals/verdicts.md."""

import callers

HEAD = """# How the service dies, and what is said of it

`make check-verdicts` wrote this page. [samples/Service](../../samples/Service/README.md) is a service on Hummingbird. It is made
to end in each of these ways by real requests and signals, once by itself and once after a harmless violation elsewhere,
and `crashscan` reads its log. [What is expected](../../Tests/Checks/Verdicts/expected) was written before what says it.

A cell has the plain run first, then the one after a violation: ✓ where the manner of its end, the kind, the words, the
line to open and the link are all right, ✗ where not; ≠ where the two headlines differ. *Pending* is what a log cannot
hold yet; it is counted apart.

The async callers of a crash are compared with those that Swift's own backtracer finds in the same death, of at most 512
frames each.
"""


def tell(outcome):
    if outcome.compared and (outcome.compared.ours or outcome.compared.theirs):
        found = outcome.compared
        print(f"{outcome.build:8} {outcome.row.name:28} {found.same} async callers, missing {found.missing}, "
              f"invented {found.invented}, only ours {found.only_ours}", flush=True)  # fmt: skip
    if not outcome.verdicts:
        return print(f"{outcome.build:8} {outcome.row.name:28} left out: {outcome.absent}")
    print(f"{outcome.build:8} {outcome.row.name:28} {cell(outcome)}"
          + (f"  pending: {outcome.row.pending}" if outcome.row.pending else ""), flush=True)  # fmt: skip
    for name, verdict in zip(("plain", "after"), outcome.verdicts):
        if verdict.wrong:
            print(f"           {name}: {verdict.headline}")
            for wrong in verdict.wrong:
                print(f"             {wrong}")


def cell(outcome):
    if not outcome.verdicts:
        return "–"
    marks = "".join("✓" if verdict.is_right else "✗" for verdict in outcome.verdicts)
    return marks if outcome.is_same else marks + "≠"


def counted(outcomes):
    return [outcome for outcome in outcomes if outcome.verdicts and not outcome.row.pending]


def share(good, all_of):
    return f"{good} of {all_of}" + (f" ({100 * good / all_of:.1f} %)" if all_of else "")


def sums(outcomes):
    told = [verdict for outcome in counted(outcomes) for verdict in outcome.verdicts]
    lined = [(outcome, verdict) for outcome in counted(outcomes) if outcome.row.lines
             for verdict in outcome.verdicts]  # fmt: skip
    lines = sum(verdict.line in outcome.row.lines for outcome, verdict in lined)
    pending = [outcome for outcome in outcomes if outcome.verdicts and outcome.row.pending]

    def without(*what):
        return sum(not any(wrong.startswith(what) for wrong in verdict.wrong) for verdict in told)

    return "\n".join(
        f"{name:42} {value}"
        for name, value in [
            ("headlines without a wrong word", share(without("ended", "kind", "words"), len(told))),
            ("lines to open exactly right", share(lines, len(lined))),
            ("links right", share(without("link"), len(told))),
            ("blames without a link", sum(verdict.blames for verdict in told)),
            ("same headline after a violation",
             share(sum(outcome.is_same for outcome in counted(outcomes)), len(counted(outcomes)))),
            ("all of it right", share(sum(verdict.is_right for verdict in told), len(told))),
            ("pending, not counted", f"{len(pending)}, of which right: "
             f"{sum(outcome.is_right for outcome in pending)}"),
            ("left out here", sum(not outcome.verdicts for outcome in outcomes)),
            *callers.sums([outcome.compared for outcome in outcomes if outcome.compared]),
        ])  # fmt: skip


def write(outcomes, builds):
    parts = [HEAD]
    for build in builds:
        of_build = [outcome for outcome in outcomes if outcome.build == build]
        parts.append(f"## {build.capitalize()}\n\n```\n{sums(of_build)}\n```\n")
    parts += [table(outcomes, builds), wrong(outcomes)]
    return "\n".join(parts)


def table(outcomes, builds):
    lines = ["## Each of them\n", f"| | how it ended | kind | line to open | link | {' | '.join(builds)} |",
             "|---|---|---|---|---|" + "---|" * len(builds)]  # fmt: skip
    rows = list({outcome.row.name: outcome.row for outcome in outcomes}.values())
    for row in rows:
        cells = []
        for build in builds:
            found = [o for o in outcomes if o.build == build and o.row.name == row.name]
            cells.append(cell(found[0]) if found else "–")
        name = row.name.replace("-", " ") + (f" *(pending: {row.pending})*" if row.pending else "")
        lines.append(f"| {name} | {row.ended} | {row.kind.replace('-', ' ')} | "
                     f"{' or '.join(row.lines)} | {row.link} | {' | '.join(cells)} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def wrong(outcomes):
    lines = ["## What is wrong\n"]
    for outcome in outcomes:
        if not outcome.verdicts or outcome.is_right:
            continue
        pending = ", pending" if outcome.row.pending else ""
        lines.append(f"- **{outcome.row.name}**, {outcome.build}{pending}")
        for name, verdict in zip(("plain", "after"), outcome.verdicts):
            for fault in verdict.wrong:
                lines.append(f"  - {name}: {fault}, in “{verdict.headline}”")
        if not outcome.is_same:
            lines.append(f"  - the headline differs: “{outcome.verdicts[0].headline}” and "
                         f"“{outcome.verdicts[1].headline}”")  # fmt: skip
    if len(lines) == 1:
        lines.append("Nothing.")
    return "\n".join(lines) + "\n"
