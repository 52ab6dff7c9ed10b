"""Lets the warehouse end in every way, and checks what crashscan says of each.

    python3 Tests/Checks/Verdicts [--page FILE] [--short] [--callers] [--again] [--only NAME…] FOLDER CRASHSCAN BUILD=PROGRAM…

With --callers nothing is judged but the async callers, beside what Swift's own backtracer finds. With --again nobody dies:
the logs that an earlier run left in FOLDER are judged. The text of each report is beside its log, as report.txt.
"""

import argparse
import concurrent.futures
import dataclasses
import pathlib
import shutil
import sys

import callers
import judge
import page
import rows
import service

HERE = pathlib.Path(__file__).parent
SOURCES = HERE.parents[2] / "samples" / "Service" / "Sources"
# Rows that happen at once: most of their time is waiting.
HANDS = 4
# Broken affinities that no row is about and that hurt nobody.
HARMLESS = ["POST /stock/recount", "POST /orders/touch"]


@dataclasses.dataclass
class Outcome:
    row: rows.Row
    build: str
    # Plain, and after a harmless violation; None where the row cannot be had here.
    verdicts: list
    absent: str = ""
    # Beside what Swift's backtracer finds, where it crashes.
    compared: callers.Comparison | None = None

    @property
    def is_same(self):
        # What a race breaks is another thing each time.
        if self.row.kind == "any":
            return True
        plain, after = map(judge.headline, self.verdicts)
        return plain == after

    @property
    def is_right(self):
        return (self.is_same and all(verdict.is_right for verdict in self.verdicts)
                and not (self.compared and self.compared.is_wrong))  # fmt: skip


def run(row, build, program, crashscan, folder, options):
    compared = None
    # Where a race is lost, several threads crash at once, and either may be the one that is shown.
    if row.ended == "crashed" and row.kind != "any" and not options.again:
        place = folder / build / row.name / "backtracer"
        shutil.rmtree(place, ignore_errors=True)
        compared = callers.run(row, program, crashscan, place)
    if options.callers:
        return Outcome(row, build, [], "not judged", compared)
    verdicts = []
    for name, before in (("plain", []), ("after", HARMLESS)):
        place = folder / build / row.name / name
        if options.again:
            log, failure = service.log_of(place, row), "there is no log of it"
        else:
            shutil.rmtree(place, ignore_errors=True)
            steps = [step for step in before if step not in row.steps]
            log, failure = service.run(program, place, row, steps)
        if log is None:
            return Outcome(row, build, [], failure)
        report, text = judge.read(crashscan, log, row)
        (place / "report.txt").write_text(text)
        verdict = judge.judge(row, report, text, is_plain=name == "plain")
        if options.again:
            failure = None
        if failure:
            verdict.wrong.insert(0, failure)
        verdicts.append(verdict)
    return Outcome(row, build, verdicts, compared=compared)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--page")
    options.add_argument("--short", action="store_true")
    options.add_argument("--callers", action="store_true")
    options.add_argument("--again", action="store_true")
    options.add_argument("--only", action="append")
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("crashscan")
    options.add_argument("builds", nargs="+")
    options = options.parse_args()
    chosen = [row for row in rows.read(HERE / "expected", SOURCES)
              if (not options.short or row.is_short)
              and (not options.only or row.name in options.only)]  # fmt: skip
    builds = [build.split("=", 1) for build in options.builds]
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(HANDS) as hands:
        jobs = [hands.submit(run, row, build, str(pathlib.Path(program).resolve()),
                             str(pathlib.Path(options.crashscan).resolve()),
                             options.folder.resolve(), options)
                for build, program in builds for row in chosen if row.is_in(build)]  # fmt: skip
        for job in jobs:
            outcomes.append(job.result())
            page.tell(outcomes[-1])
            if options.page:
                written = page.write(outcomes, [build for build, _ in builds])
                pathlib.Path(options.page).write_text(written)
    print(page.summary(outcomes, [build for build, _ in builds]))
    lost = [outcome for outcome in outcomes if outcome.compared and outcome.compared.is_wrong]
    wrong = [outcome for outcome in outcomes
             if outcome.verdicts and not outcome.row.pending and not outcome.is_right]  # fmt: skip
    return 1 if lost or (wrong and options.short) else 0


sys.exit(main())
