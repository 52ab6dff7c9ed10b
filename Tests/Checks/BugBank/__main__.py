"""Runs the bug bank: every program with its bug and with its fix, alone and all at once under load.

    python3 Tests/Checks/BugBank PROGRAMS [RUNS]
    python3 Tests/Checks/BugBank PROGRAMS --repro

PROGRAMS is the folder of the debug build; RUNS, 50, says how often. It fails where a test passes with the bug, or
fails with the fix; a race may be missed once in 50 runs. What has run is kept in PROGRAMS/bugbank.json: the same
program goes on where it was stopped. What a process printed in which a test passed with the bug, or failed with the
fix, is kept in PROGRAMS/bugbank, in files that the table names. With RUNS at 1 each program runs once by Swift Testing, all at once.

Alone, a test is alone in its process; as many processes run side by side as there are processors. Under load, Swift
Testing runs all tests in parallel in one process, with the bug and with the fix, and XCTest runs them beside it, on
processors that are kept busy. With --repro, the tests are those that `crashscan repro` writes: repro.py.
"""

import collections
import concurrent.futures
import hashlib
import json
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import time

import repro

RACES = re.compile(r"static let (\w+) = Bug\(\.race\)")
NAMES = re.compile(r"static let (\w+) = Bug\b")
VERDICT = re.compile(r"Test (\w+)\(\) (passed|failed) after")
CASE = re.compile(r"bank: \S*?\.?test(\w+) (passed|failed)")
# So many runs of a test at a time: an interrupted run loses no more.
BATCH = 5

Job = collections.namedtuple("Job", "bug case load name batch", defaults=(None, 0))


def run(bundle, job, runs):
    """How many runs of each test passed, and how many there were, and what was printed."""
    environment = {**os.environ, "MAINSTAY_BUG": "1" if job.bug else "0", "MAINSTAY_RUNS": str(max(runs, 2))}
    environment["SWIFT_BACKTRACE"] = "enable=no"
    if job.case:
        only = "BugBankTests.BugBankCase" + (f"/test{job.name[0].upper()}{job.name[1:]}" if job.name else "")
        command = [bundle, only]
    else:
        only = f"BugBankTests.BugBankTests/{job.name}\\(" if job.name else "BugBankTests"
        command = [bundle, "--testing-library", "swift-testing", "--filter", only]
        command += ["--repetitions", str(runs)] if runs > 1 else []
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    counts = collections.defaultdict(lambda: [0, 0])
    for found in (CASE if job.case else VERDICT).finditer(done.stdout):
        test = found[1][0].lower() + found[1][1:]
        counts[test][0] += found[2] == "passed"
        counts[test][1] += 1
    return counts, f"{' '.join(command)}\nended with {done.returncode}\n\n{done.stdout}"


def is_wrong(job, counts, runs):
    """Whether a test passed with its bug, failed with its fix, or did not run as often as it was to."""
    return not counts or any(passed if job.bug else passed < runs for passed, _ in counts.values()) or any(
        ran != runs for _, ran in counts.values())


def burn():
    while True:
        pass


class Load:
    """Keeps every processor busy."""

    def __enter__(self):
        self.processes = [multiprocessing.Process(target=burn, daemon=True) for _ in range(os.cpu_count())]
        for one in self.processes:
            one.start()

    def __exit__(self, *_):
        for one in self.processes:
            one.kill()
            one.join()


class Results:
    """What has run so far, of this build of the programs."""

    def __init__(self, bundle, runs):
        self.path = pathlib.Path(bundle).parent / "bugbank.json"
        self.folder = self.path.with_suffix("")
        self.key = [hashlib.sha256(pathlib.Path(bundle).read_bytes()).hexdigest(), runs]
        self.jobs = {}
        if self.path.exists():
            kept = json.loads(self.path.read_text())
            if kept["key"] == self.key:
                self.jobs = kept["jobs"]

    def __contains__(self, job):
        return str(job) in self.jobs

    def keep(self, job, counts, output, runs, seconds):
        kept = None
        if is_wrong(job, counts, runs):
            kept = self.folder / (f"{job.name or 'all'}-{'bug' if job.bug else 'fix'}-{'xctest' if job.case else 'testing'}"
                                  f"-{'load' if job.load else 'alone'}-{job.batch}.txt")
            self.folder.mkdir(exist_ok=True)
            kept.write_text(output)
        self.jobs[str(job)] = {"job": job, "counts": counts, "seconds": round(seconds, 1), "output": str(kept or "")}
        scratch = self.path.with_suffix(".new")
        scratch.write_text(json.dumps({"key": self.key, "jobs": self.jobs}))
        scratch.replace(self.path)

    @staticmethod
    def title(job):
        place = "under load" if job.load else "alone"
        return f"{'bug' if job.bug else 'fix'}, {'XCTest' if job.case else 'Swift Testing'} {place}"

    def outputs(self, name, title):
        """Where that is which was printed as a test went wrong."""
        for one in self.jobs.values():
            job = Job(*one["job"])
            if self.title(job) != title or not one["output"]:
                continue
            passed, ran = one["counts"].get(name, (0, 0))
            if job.name in (None, name) and (passed if job.bug else passed < ran or not ran):
                yield one["output"]

    def columns(self):
        columns = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
        for one in sorted(self.jobs.values(), key=lambda one: (not one["job"][0], one["job"][2], one["job"][1])):
            job = Job(*one["job"])
            column = columns[self.title(job)]
            for name, (passed, ran) in one["counts"].items():
                column[name][0] += passed
                column[name][1] += ran
        return columns


def play(bundle, jobs, runs, results, width):
    """Runs jobs side by side, in their order."""
    def one(job):
        began = time.monotonic()
        counts, output = run(bundle, job, runs)
        return job, counts, output, runs, time.monotonic() - began

    with concurrent.futures.ThreadPoolExecutor(width) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, job) for job in jobs if job not in results]):
            results.keep(*done.result())


def main(programs, runs="50"):
    source = (pathlib.Path(__file__).parent / "Tests/BugBank.swift").read_text()
    names, races = NAMES.findall(source), set(RACES.findall(source))
    programs = pathlib.Path(programs).resolve()
    if runs == "--repro":
        return 1 if repro.table(programs, names) else 0
    runs = int(runs)
    bundle = str(programs / "mainstayPackageTests.xctest")
    results = Results(bundle, runs)
    if runs == 1:
        play(bundle, [Job(bug, False, True) for bug in (True, False)], 1, results, 1)
    for batch, done in enumerate(range(0, runs if runs > 1 else 0, BATCH)):
        each = min(BATCH, runs - done)
        alone = [Job(bug, case, False, name, batch) for name in names for bug in (True, False) for case in (False, True)]
        play(bundle, alone, each, results, os.cpu_count())
        with Load():
            loaded = [Job(bug, case, True, None, batch) for bug in (True, False) for case in (False, True)]
            play(bundle, loaded, each, results, len(loaded))
        print(f"bugbank: {done + each} of {runs} runs", file=sys.stderr, flush=True)
    wrong = report(names, races, results, runs)
    for line in wrong:
        print(f"bugbank: {line}")
    print(f"bugbank: {len(names)} programs, {len(wrong)} wrong")
    return 1 if wrong else 0


def report(names, races, results, runs):
    """Prints the table of passes, and what to read of each that went wrong; the answer says what is wrong in it."""
    columns = results.columns()
    print("| passes of " + str(runs) + " | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    wrong, read = [], []
    for name in names:
        cells = []
        for title, counts in columns.items():
            passed, ran = counts[name]
            cells.append(f"{passed}/{ran}" if ran != runs else str(passed))
            outputs = sorted(results.outputs(name, title))
            if outputs:
                cells[-1] += f" [{len(read) + 1}]"
                read.append(f"[{len(read) + 1}] {name}, {title}: {' '.join(outputs)}")
            most = (runs // 50 if name in races else 0) if title.startswith("bug") else runs
            least = 0 if title.startswith("bug") else runs
            if ran != runs or not least <= passed <= most:
                wrong.append(f"{name}, {title}: {passed} of {ran} passed")
        print(f"| {name}{' (race)' if name in races else ''} | " + " | ".join(cells) + " |")
    print("\n".join(read))
    return wrong


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:3]))
