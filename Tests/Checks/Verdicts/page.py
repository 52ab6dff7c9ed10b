"""Writes what was found: a line for each row, and docs/internals/verdicts.md."""

import callers

HEAD = """# Verdicts on the deaths of a service

`make check-verdicts` generates this page. Real requests and signals end [samples/Service](../../samples/Service/README.md), a Hummingbird
service, in each of these ways, once alone and once after a harmless violation in other code, and `crashscan` reads the log. The
[expected verdicts](../../Tests/Checks/Verdicts/expected) were written before the code that produces the verdicts.

A cell shows the result of the plain run, followed by the result of the run after a violation: ✓ if the ending, the kind, the message, the
line to open and the link are right, ✗ otherwise, and ≠ if the two headlines differ. *Pending* rows need facts that a log does not contain yet,
and are counted separately. The async callers of a crash are compared with the async callers that Swift's own backtracer prints for the same
death, for at most 512 frames each.
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

    return [
        ("headlines without a wrong word", share(without("ended", "kind", "words"), len(told))),
        ("lines to open exactly right", share(lines, len(lined))),
        ("links right", share(without("link"), len(told))),
        ("accusations without a link", sum(verdict.blames for verdict in told)),
        ("same headline after a violation",
         share(sum(outcome.is_same for outcome in counted(outcomes)), len(counted(outcomes)))),
        ("completely right", share(sum(verdict.is_right for verdict in told), len(told))),
        ("pending, not counted; of these right",
         f"{len(pending)}; {sum(outcome.is_right for outcome in pending)}"),
        ("not run here", sum(not outcome.verdicts for outcome in outcomes)),
        *callers.sums([outcome.compared for outcome in outcomes if outcome.compared]),
    ]  # fmt: skip


def write(outcomes, builds):
    return "\n".join([HEAD, summary(outcomes, builds), table(outcomes, builds), wrong(outcomes)])


def summary(outcomes, builds):
    """The sums, with a column for each build."""
    of_builds = [sums([outcome for outcome in outcomes if outcome.build == build]) for build in builds]
    lines = [f"| | {' | '.join(builds)} |", "|---" * (len(builds) + 1) + "|"]
    for rows in zip(*of_builds):
        lines.append(f"| {rows[0][0]} | {' | '.join(str(value) for _, value in rows)} |")
    return "\n".join(lines) + "\n"


def table(outcomes, builds):
    lines = ["## Rows\n", f"| | ending | kind | line to open | link | {' | '.join(builds)} |",
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
    """The wrong verdicts: a row once for all builds with the same faults."""
    builds = {}
    for outcome in outcomes:
        if outcome.verdicts and not outcome.is_right:
            builds.setdefault((outcome.row.name, bool(outcome.row.pending), faults(outcome)), []).append(outcome.build)
    lines = ["## Wrong verdicts\n"]
    for (name, pending, told), found in builds.items():
        lines.append(f"- **{name}**, {', '.join(found)}{' (pending)' if pending else ''}")
        lines += [f"  - {fault}" for fault in told]
    return "\n".join(lines if builds else [*lines, "None."]) + "\n"


def faults(outcome):
    """The faults of both runs, each once."""
    told = {}
    for name, verdict in zip(("plain", "after a violation"), outcome.verdicts):
        for fault in verdict.wrong:
            told.setdefault(f"{fault}, in “{verdict.headline}”", []).append(name)
    lines = [text if len(names) == 2 else f"{names[0]}: {text}" for text, names in told.items()]
    if not outcome.is_same:
        lines.append(f"the headlines differ: “{outcome.verdicts[0].headline}” and “{outcome.verdicts[1].headline}”")
    return tuple(lines)
