"""Judges the text of a report as its reader meets it: its length, its order, its labels, its noise."""

import json
import re

# Lines of a report on one death, and of its finding.
MOST, USUAL = 30, 25

# What no report is to hold, and why.
NOISE = [
    (r"no link between this crash and queues", "no link"),
    (r"\btask \d+\b|child of \d+", "a task's id"),
    (r"the watch thread of the process", "the watch's last look"),
    (r"see it again|crashscan repro|breakpoint set|MAINSTAY_POLICY|`crashscan rules", "a command for every report"),
]  # fmt: skip

HEAD = re.compile(r"^(?:error|warning|note) ([a-z-]+)", re.M)
THREAD = re.compile(r"\bthread (\d+)( “[^”]*”| \([^)]*\))?")
# A name that the kernel has cut: Dispatch's threads are named by the end of a label.
CUT = re.compile(r"[“\"][^”\"]*-qos(\.overcommit)?[”\"]|(?<![\w.])r?oot\.[a-z.-]+")


def faults(row, report, text, is_plain):
    return [*counted(row, text, is_plain), *long(text, is_plain), *noisy(row, text), *labelled(report, text),
            *opened(report, text), *quoted(row, text), *folded(row, text)]  # fmt: skip


def counted(row, text, is_plain):
    heads = HEAD.findall(text)
    # After a harmless violation there are findings about it, behind what the row is about.
    if row.findings is not None and is_plain and len(heads) != row.findings:
        yield f"findings: {len(heads)} for {row.findings}: {', '.join(heads)}"


def first_finding(text):
    """The report up to its second finding."""
    heads = list(HEAD.finditer(text))
    return text[: heads[1].start()] if len(heads) > 1 else text


def long(text, is_plain):
    if is_plain and len(text.splitlines()) > MOST:
        yield f"long: {len(text.splitlines())} lines for {MOST}"
    finding = len(first_finding(text).splitlines())
    if finding > USUAL:
        yield f"long: {finding} lines of the first finding for {USUAL}"


def noisy(row, text):
    for pattern, what in NOISE:
        if re.search(pattern, text):
            yield f"noise: {what}"
    for words in row.never:
        if words in text:
            yield f"noise: “{words}” is said, and is not so"
    for section in re.findall(r"^  how it got there\n((?:    .*\n)*)", text, re.M):
        # Two threads may be in one function.
        if any(one == other for one, other in zip(section.splitlines(), section.splitlines()[1:])):
            yield "noise: one function twice in a row"


def labelled(report, text):
    labels = {}
    for number, name in THREAD.findall(text + json.dumps(report["findings"], ensure_ascii=False)):
        labels.setdefault(number, set()).add(name)
    for number, names in labels.items():
        if len(names) > 1:
            yield f"label: thread {number} is {' and '.join(sorted(name or 'nameless' for name in names))}"
    if CUT.search(text):
        yield f"label: {CUT.search(text)[0]} is cut"


def opened(report, text):
    for finding in report["findings"][:1]:
        culprit = finding["culprit"]
        if not culprit:
            continue
        if not re.search(r"^  open first  .*\.\w+:\d+$", first_finding(text), re.M):
            yield "open first: no file and line"
        elif not culprit["function"]:
            yield "open first: no function"


def quoted(row, text):
    """Whether each own frame on the way stands in one line: where, its function's header, the line itself."""
    lines = first_finding(re.sub(r"(?m)^(  open first .*)\n", r"\1", text)).splitlines()
    for place, source, header in row.quotes:
        if not any(place in line and source[:60] in line and header[:60] in line for line in lines):
            yield f"quote: {place} {header} │ {source}"


def folded(row, text):
    crumbs = re.findall(r"^  crumbs around it\n((?:    .*\n)*)", text, re.M)
    rows = [re.sub(r"^ *\S+ ?\w*  +", "", line) for section in crumbs for line in section.splitlines()]
    if any(one == other for one, other in zip(rows, rows[1:])):
        yield "folded: two like crumbs in a row"
    if row.folded and not any(row.folded in section for section in crumbs):
        yield f"folded: “{row.folded}” is not there"
