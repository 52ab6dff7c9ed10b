"""Runs the bug bank: every program with its bug and with its fix, alone and all at once under load.

    python3 Tests/Checks/BugBank PROGRAMS [RUNS]

PROGRAMS is the folder of the debug build; RUNS, 50, says how often. With RUNS at 1 each program runs once by Swift
Testing, all at once. It fails where a test passes with the bug, or fails with the fix; a race may be missed once in 50 runs.
"""

import collections
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys

RACES = re.compile(r"static let (\w+) = Bug\(\.race\)")
NAMES = re.compile(r"static let (\w+) = Bug\b")
VERDICT = re.compile(r"Test (\w+)\(\) (passed|failed) after")
CASE = re.compile(r"bank: \S*?\.?test(\w+) (passed|failed)")


def run(bundle, bug, runs, name=None, case=False):
    """How many runs of each test passed."""
    environment = {**os.environ, "MAINSTAY_BUG": "1" if bug else "0", "MAINSTAY_RUNS": str(max(runs, 2))}
    environment["SWIFT_BACKTRACE"] = "enable=no"
    if case:
        only = "BugBankTests.BugBankCase" + (f"/test{name[0].upper()}{name[1:]}" if name else "")
        command = [bundle, only]
    else:
        only = f"BugBankTests.BugBankTests/{name}\\(" if name else "BugBankTests"
        command = [bundle, "--testing-library", "swift-testing", "--filter", only]
        command += ["--repetitions", str(runs)] if runs > 1 else []
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    passed, ran = collections.Counter(), collections.Counter()
    for found in (CASE if case else VERDICT).finditer(done.stdout):
        test = found[1][0].lower() + found[1][1:]
        ran[test] += 1
        passed[test] += found[2] == "passed"
    return passed, ran


def burn():
    while True:
        pass


class Load:
    """Keeps every processor busy twice."""

    def __enter__(self):
        self.processes = [multiprocessing.Process(target=burn, daemon=True) for _ in range(2 * os.cpu_count())]
        for one in self.processes:
            one.start()

    def __exit__(self, *_):
        for one in self.processes:
            one.kill()
            one.join()


def main(programs, runs=50):
    source = (pathlib.Path(__file__).parent / "Tests/BugBank.swift").read_text()
    names, races = NAMES.findall(source), set(RACES.findall(source))
    bundle = str(pathlib.Path(programs).resolve() / "mainstayPackageTests.xctest")
    columns = {}
    for bug in (True, False):
        what = "bug" if bug else "fix"
        if runs > 1:
            with Load():
                columns[f"{what}, all at once under load"] = run(bundle, bug, runs)
            for case in (False, True):
                together = (collections.Counter(), collections.Counter())
                for name in names:
                    for all_of, one in zip(together, run(bundle, bug, runs, name, case)):
                        all_of.update(one)
                columns[f"{what}, alone, {'XCTest' if case else 'Swift Testing'}"] = together
        else:
            columns[f"{what}, all at once"] = run(bundle, bug, runs)
    wrong = report(names, races, columns, runs)
    for line in wrong:
        print(f"bugbank: {line}")
    print(f"bugbank: {len(names)} programs, {len(wrong)} wrong")
    return 1 if wrong else 0


def report(names, races, columns, runs):
    print("| passes of " + str(runs) + " | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    wrong = []
    for name in names:
        cells = []
        for title, (passed, ran) in columns.items():
            cells.append(f"{passed[name]}/{ran[name]}" if ran[name] != runs else str(passed[name]))
            most = (runs // 50 if name in races else 0) if title.startswith("bug") else runs
            least = 0 if title.startswith("bug") else runs
            if ran[name] != runs or not least <= passed[name] <= most:
                wrong.append(f"{name}, {title}: {passed[name]} of {ran[name]} passed")
        print(f"| {name}{' (race)' if name in races else ''} | " + " | ".join(cells) + " |")
    return wrong


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50))
