"""Judges what crashscan says of one death by what is expected of it."""

import dataclasses
import json
import re
import subprocess

import kinds
import prose

# Words that tie a death to queues and threads; without a link none of them may be in a headline, but in
# the program's own words.
BLAMES = re.compile(
    r"off the main queue|main queue|main thread|background|violation|affinit|deadlock|waited for (each other|itself)")

# The rules that say how a run ended, what it died of, or what kept it from going on.
VERDICTS = {"crash-cause", "isolation-trap", "sync-deadlock", "unclean-end", "leaked-continuation", "main-blocked",
            "pool-blocked", "loop-blocked", "queue-blocked"}  # fmt: skip


@dataclasses.dataclass
class Verdict:
    """What was said, and what of it is wrong."""

    headline: str = ""
    ended: str = ""
    line: str = ""
    link: str = ""
    wrong: list = dataclasses.field(default_factory=list)
    blames: bool = False

    @property
    def is_right(self):
        return not self.wrong


def read(crashscan, log, row):
    """The report as JSON, and as text."""
    told = [f"--exit-status={step[5:]}" for step in row.steps if step.startswith("told ")]

    def say(*options):
        said = subprocess.run([crashscan, log, *told, *options], capture_output=True, text=True)
        if said.returncode == 64:
            said = subprocess.run([crashscan, log, *options], capture_output=True, text=True)
        if said.returncode not in (0, 1):
            raise SystemExit(f"crashscan {log}: {said.stderr}")
        return said.stdout

    return json.loads(say("--format", "json")), say()


def judge(row, report, text, is_plain=True):
    verdict = Verdict()
    head = text.splitlines()[0].split(": ", 1)[1]
    findings = report["findings"]
    first = findings[0] if findings else None
    if row.kind == "violation":
        first = next((finding for finding in findings if row.says in finding["title"]), first)
    # What else was found of a run says nothing of its end.
    if first and row.kind != "violation" and first["rule"] not in VERDICTS:
        first = None
    verdict.ended = kinds.ending(head)
    if verdict.ended != row.ended:
        verdict.wrong.append(f"ended: {verdict.ended} for {row.ended}")
    verdict.headline = first["title"] if first else ""
    whole = head + " " + verdict.headline
    if row.says and row.says not in whole:
        verdict.wrong.append(f"words: “{row.says}” is not in it")
    if row.kind:
        kind = kinds.kind(verdict.headline, first and first["rule"])
        if row.kind not in ("any", kind):
            verdict.wrong.append(f"kind: {kind} for {row.kind}")
    culprit = first and first["culprit"] or {}
    if culprit.get("file"):
        verdict.line = f"{culprit['file'].rsplit('/', 1)[-1]}:{culprit['line']}"
    if row.lines and verdict.line not in row.lines:
        verdict.wrong.append(f"line: {verdict.line or 'none'} for {' or '.join(row.lines)}")
    found = kinds.links(first) if first else set()
    verdict.link = ", ".join(sorted(found))
    if row.link and row.link not in found:
        verdict.wrong.append(f"link: {verdict.link or 'none named'} for {row.link}")
    verdict.blames = row.link in ("", "none") and is_blaming(row, first)
    if verdict.blames:
        verdict.wrong.append("blame: a link to queues is claimed, and there is none")
    for party in row.parties:
        if party not in places(first):
            verdict.wrong.append(f"party: {party} is not named")
    if row.way and row.way not in [step["place"] and step["place"]["function"]
                                   for step in (first["cause"] if first else [])]:  # fmt: skip
        verdict.wrong.append(f"way: {row.way} is not on it")
    judge_chain(row, first, verdict)
    verdict.wrong += prose.faults(row, report, text, is_plain)
    return verdict


def places(finding):
    """Every line that a finding names beside the one to open first."""
    named = [one["place"] for one in finding["evidence"] + finding["cause"]] if finding else []
    return {f"{place['file'].rsplit('/', 1)[-1]}:{place['line']}" for place in named if place and place.get("file")}


def judge_chain(row, first, verdict):
    """Whether the headline has cause, trigger and effect in their order, and the evidence whom else it hurt."""
    parts = verdict.headline.split(" → ")
    if row.chain and (len(parts) != len(row.chain)
                      or any(wanted not in part for wanted, part in zip(row.chain, parts))):  # fmt: skip
        verdict.wrong.append(f"chain: {len(parts)} parts for “{' → '.join(row.chain)}”")
    said = [verdict.headline] + [evidence["text"] for evidence in (first or {}).get("evidence", [])]
    told = [text for text in said if "in flight" in text and "never answered" in text]
    for route in row.flight:
        if not any(route in text for text in told):
            verdict.wrong.append(f"flight: {route} is not told as never answered")
    if not row.flight and any("in flight" in text for text in said) and row.chain:
        verdict.wrong.append("flight: there was none")
    if row.others and not any(row.others in text for text in said):
        verdict.wrong.append(f"others: “{row.others}” is not said")


def is_blaming(row, first):
    """Whether the first finding ties the end to queues, by its headline, its rule or its fix."""
    if not first or row.kind in ("violation", "blocked-main") or row.ended == "hung, then killed":
        return False
    title = first["title"].replace(row.says, "") if row.says else first["title"]
    fix = json.dumps(first["fix"])
    return bool(BLAMES.search(title) or re.search(r"main queue|DispatchQueue\.main", fix)
                or kinds.links(first) - {"none"})  # fmt: skip


def headline(verdict):
    """What must be the same before and after a harmless violation: numbers of one run left out."""
    times = r"\d+(\.\d+)? (ns|µs|ms|s|min)\b|right"
    return re.sub(rf"process \d+|(?<!closure )#\d+|0x[0-9a-f]+|{times}", "…", f"{verdict.ended}: {verdict.headline}")
