"""What executors do with summaries: merge them in a tree, and make the fleet's rows of the last one."""

import itertools
import json

from .reading import WRITTEN, last_words, program, run, scratch

# So many summaries are merged by one process, which holds all that they say; and so many branches has a tree.
ONCE = 500
BRANCHES = 8
# What merges is our own, but made of what is not.
SECONDS = 3600
LARGEST = 16 << 30


def _crashscan(reading, folder, operands, *options):
    output = folder / "merged"
    command = [program(reading), "merge", *operands, *options, "--output", str(output)]
    status = run(command, folder, SECONDS, LARGEST >> 20, LARGEST)
    if status not in WRITTEN:
        raise RuntimeError(f"summaries cannot be merged: {status if isinstance(status, str) else last_words(folder)}")
    return output.read_text()


def merged(reading, summaries):
    """One summary of many; of none where there are none."""
    whole = []
    while batch := list(itertools.islice(summaries, ONCE)):
        with scratch() as folder:
            names = []
            for number, text in enumerate(whole + batch):
                names.append(f"{number}.json")
                (folder / names[-1]).write_text(text)
            whole = [_crashscan(reading, folder, names, "--format", "summary")]
    return whole


def tree(reading, summaries):
    """All of them as one, by way of ever fewer that are merged side by side; none of it on the driver."""

    def merge(part):
        return merged(reading, part)

    summaries = summaries.mapPartitions(merge)
    while (parts := summaries.getNumPartitions()) > 1:
        summaries = summaries.repartition(-(-parts // BRANCHES)).mapPartitions(merge)
    return summaries


def rows(reading, summary, baseline):
    """The kind of each row, and the row as JSON."""

    def split(part):
        for text in part:
            with scratch() as folder:
                (folder / "summary.json").write_text(text)
                options = ["--format", "fleet", "--fail-on", "never"]
                if baseline:
                    (folder / "baseline").write_text(baseline)
                    options += ["--baseline", "baseline"]
                table = _crashscan(reading, folder, ["summary.json"], *options)
            for line in table.splitlines():
                yield json.loads(line)["row"], line
            yield "summary", text.rstrip("\n")

    return summary.mapPartitions(split)
