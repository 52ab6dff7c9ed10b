"""Runs the tests: `python3 Tests/Runner BUILD PROGRAMS short|whole [JOB…]`, as the Makefile does.

BUILD is the folder of the builds, PROGRAMS the one in it where the debug build's programs are. JOB is the
name of a job, of which only those named are run.

    python3 Tests/Runner BUILD PROGRAMS steady short|whole TIMES

runs them again and again; see steady.py.
"""

import pathlib
import signal
import subprocess
import sys

import job
import plan
import schedule
import steady


def main(build, programs, what, *rest):
    root = pathlib.Path(__file__).resolve().parents[2]
    places = plan.Places(root, pathlib.Path(build).resolve(), pathlib.Path(programs).resolve())
    subprocess.run([root / "scripts/preload", places.programs / "libmainstay-testing.so"], check=True)
    if what == "steady":
        return steady.run(places, rest[0], int(rest[1]))
    places.logs.mkdir(parents=True, exist_ok=True)
    jobs = plan.PLANS[what](places)
    jobs = plan.chosen(jobs, rest) if rest else jobs
    return schedule.summary(jobs, schedule.run(jobs, places.logs))


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, job.end_all)
    # A shell has it ignored by what it runs in the background, and what is ignored stays ignored in tests.
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
