"""Runs jobs side by side, and says of each how it went."""

import concurrent.futures
import os
import sys
import threading

# Most jobs wait for processes of theirs, so that there may be more of them than processors.
WIDTH = 2 * len(os.sched_getaffinity(0))


def run(jobs, logs, width=WIDTH):
    """The outcome of every job, in the order in which they ended."""
    logs.mkdir(parents=True, exist_ok=True)
    ended = {job.name: threading.Event() for job in jobs}
    outcomes = {}

    def one(job):
        try:
            for name in job.after:
                ended[name].wait()
                if not outcomes[name].passed:
                    return None
            outcome = outcomes[job.name] = job.run(logs)
            say(job, outcome)
            return outcome
        finally:
            ended[job.name].set()

    # Those that others wait for come first in the plan, so that a waiting one never keeps them out.
    with concurrent.futures.ThreadPoolExecutor(width) as pool:
        list(pool.map(one, jobs))
    return outcomes


def say(job, outcome):
    """A line for a job, and what failed in it."""
    word = "ok" if outcome.passed else "FAILED"
    count = f"{len(outcome.tests)} tests" if len(outcome.tests) > 1 else ""
    times = f"{outcome.seconds:7.1f} s, {outcome.processor:5.1f} s of a processor"
    lines = [f"{outcome.job:<22} {word:<6} {times}  {count}".rstrip()]
    if not outcome.passed:
        lines += [f"    {name}" for name, passed in outcome.tests.items() if not passed]
        lines += [f"    | {line}" for line in job.complaints(outcome.log)]
        lines.append(f"    all of it: {outcome.log}")
    print("\n".join(lines), flush=True)


def summary(jobs, outcomes):
    """The last line, and the status to exit with."""
    tests = [passed for outcome in outcomes.values() for passed in outcome.tests.values()]
    left = [job.name for job in jobs if job.name not in outcomes]
    failed = tests.count(False)
    for name in left:
        print(f"{name:<22} not run, for what it stands on failed")
    print(f"{len(tests)} tests in {len(outcomes)} jobs, {failed} failed")
    return 1 if failed or left or not tests else 0
