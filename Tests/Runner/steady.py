"""Runs the tests again and again, every second time beside a load, and keeps a table of what failed.

The table is `BUILD/steady-PLAN.jsonl`, a line for each run. Stopped and started again it goes on where it
stopped, as long as the programs are the same. What a failed job said stays in `BUILD/steady-PLAN/RUN`.
"""

import collections
import contextlib
import json
import pathlib
import shutil
import subprocess
import sys

import plan
import schedule

LOAD = 4  # processes


def run(places, what, times):
    table = places.build / f"steady-{what}.jsonl"
    kept = places.build / f"steady-{what}"
    programs = built(places)
    runs = [json.loads(line) for line in table.read_text().splitlines()] if table.exists() else []
    if runs and runs[-1]["built"] != programs:
        print("steady: the programs are others than those of the table, which begins anew")
        table.unlink()
        shutil.rmtree(kept, ignore_errors=True)
        runs = []
    for number in range(len(runs) + 1, times + 1):
        is_loaded = number % 2 == 0
        print(f"run {number} of {times}{', beside a load' if is_loaded else ''}", flush=True)
        places.logs = kept / f"{number}"
        shutil.rmtree(places.logs, ignore_errors=True)
        places.logs.mkdir(parents=True)
        jobs = plan.PLANS[what](places)
        with load(places.build) if is_loaded else contextlib.nullcontext():
            outcomes = schedule.run(jobs, places.logs)
        runs.append(record(number, is_loaded, programs, jobs, outcomes))
        with open(table, "a") as file:
            file.write(json.dumps(runs[-1]) + "\n")
        for outcome in outcomes.values():
            if outcome.passed:
                for file in places.logs.glob(f"{outcome.job}.*"):
                    file.unlink()
    return tell(runs)


def built(places):
    """What tells one build of the tests from another."""
    status = pathlib.Path(plan.bundle(places)).stat()
    return f"{status.st_mtime_ns} {status.st_size}"


@contextlib.contextmanager
def load(folder):
    """Keeps processors and the disk busy."""
    script = pathlib.Path(__file__).with_name("load.py")
    files = [folder / f"load-{number}" for number in range(LOAD)]
    processes = [subprocess.Popen([sys.executable, script, file]) for file in files]
    try:
        yield
    finally:
        for process, file in zip(processes, files):
            process.kill()
            process.wait()
            file.unlink(missing_ok=True)


def record(number, is_loaded, programs, jobs, outcomes):
    tests = {
        f"{outcome.job}: {name}": passed
        for outcome in outcomes.values()
        for name, passed in outcome.tests.items()
    }
    left = [f"{job.name}: not run" for job in jobs if job.name not in outcomes]
    return {
        "run": number,
        "loaded": is_loaded,
        "built": programs,
        "tests": len(tests) + len(left),
        "failed": sorted(name for name, passed in tests.items() if not passed) + left,
    }


def tell(runs):
    """The table: a line for each run, then one for each test that ever failed."""
    print("\nrun  load  tests  failed")
    failures = collections.defaultdict(list)
    for one in runs:
        word = "yes" if one["loaded"] else "no"
        print(f"{one['run']:>3}  {word:<4}  {one['tests']:>5}  {len(one['failed']):>6}")
        for name in one["failed"]:
            failures[name].append(one["run"])
    print(f"\n{len(failures)} tests failed in {len(runs)} runs")
    for name, numbers in sorted(failures.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(numbers):>3} of {len(runs)}  {name}  (runs {', '.join(map(str, numbers))})")
    return 1 if failures else 0
