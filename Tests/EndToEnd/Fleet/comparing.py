"""What `crashscan merge` says of the same logs in one process, and the comparison with it, field by field."""

import json
import pathlib
import subprocess

# What tells rows of a kind apart.
KEYS = {
    "fleet": (), "finding": ("fingerprint",), "death": ("kind",), "culprit": ("function", "module"),
    "occurrence": ("fingerprint", "recording"), "log": ("recording",), "unread": ("input",), "summary": (),
}  # fmt: skip


class Verdict:
    """What held and what did not, said as it comes."""

    def __init__(self):
        self.failed = 0

    def check(self, what, holds, seen=""):
        print(("  holds: " if holds else "  FAILS: ") + what, flush=True)
        if not holds:
            self.failed += 1
            print("    seen: " + str(seen)[:4000].replace("\n", "\n    "), flush=True)


def rows(lines):
    """Rows of JSON by kind, and by what tells them apart."""
    table = {kind: {} for kind in KEYS}
    for line in lines:
        row = json.loads(line)
        kind = row.pop("row", "summary")
        table[kind][tuple(row[key] for key in KEYS[kind])] = row
    return table


def reference(crashscan, logs, scratch, baseline=None):
    """The rows of `crashscan merge --format fleet` over these logs, whose folders are the hosts."""
    scratch = pathlib.Path(scratch)
    scratch.mkdir(parents=True, exist_ok=True)
    hosts = {}
    for log in sorted(logs):
        hosts.setdefault(log.parent.name, []).append(log)
    summaries = []
    for host, mine in hosts.items():
        summaries.append(scratch / f"{host}.json")
        run(crashscan, "summarize", *mine, "--alone", "--host", host, "--output", summaries[-1])
    table = scratch / "fleet.jsonl"
    known = ["--baseline", baseline] if baseline else []
    run(crashscan, "merge", *summaries, "--format", "fleet", "--fail-on", "never", *known, "--output", table)
    return rows(table.read_text().splitlines())


def run(*command):
    """Of a fleet some files give nothing, which makes crashscan end with 2."""
    ran = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if ran.returncode not in (0, 1, 2):
        raise SystemExit(f"{command}: {ran.stderr}")


def written(spark, output):
    """What the job wrote: the rows as text, and the tables."""
    lines = [row.value for row in spark.read.text(f"{output}/rows").select("value").collect()]
    tables = {}
    for kind in ("finding", "occurrence", "log", "death", "culprit", "unread"):
        records = [row.asDict(recursive=True) for row in spark.read.parquet(f"{output}/{kind}.parquet").collect()]
        tables[kind] = {tuple(record[key] for key in KEYS[kind]): record for record in records}
        if len(records) != len(tables[kind]):
            raise SystemExit(f"{kind}.parquet has rows twice")
    return rows(lines), tables


def differences(expected, seen):
    """Of two tables of one kind, field by field."""
    for key in expected.keys() - seen.keys():
        yield f"{key}: is missing"
    for key in seen.keys() - expected.keys():
        yield f"{key}: nobody expects it"
    for key in expected.keys() & seen.keys():
        for field in sorted(expected[key].keys() | seen[key].keys()):
            one, other = (table[key].get(field, "no such field") for table in (expected, seen))
            if one != other:
                yield f"{key} {field}: {one!r} expected, {other!r} seen"


def compare(verdict, what, spark, output, expected):
    """Rows and tables of the job against the rows of one process."""
    lines, tables = written(spark, output)
    found, fields = [], 0
    for kind in expected:
        if kind == "summary":
            continue
        fields += sum(map(len, expected[kind].values()))
        found += [f"{kind} {each}" for each in differences(expected[kind], lines[kind])]
        if kind in tables:
            found += [f"{kind}.parquet {each}" for each in differences(expected[kind], tables[kind])]
    counts = ", ".join(f"{len(expected[kind])} of {kind}" for kind in expected if kind != "summary")
    verdict.check(f"{what} equals one process in {fields} fields ({counts})", not found, "\n".join(found[:40]))
    if pathlib.Path(f"{output}/kept").exists():
        kept = spark.read.parquet(f"{output}/kept").where("state <> 'failed'")
        twice = kept.groupBy("path", "size", "modified", "way").count().where("count > 1").count()
        verdict.check("no log was kept twice", twice == 0, twice)
