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
    print("\n".join([f"{outcome.job:<22} {word:<6} {times}  {count}".rstrip(), *failures(job, outcome)]), flush=True)


def failures(job, outcome):
    """What failed in a job, and what it said of that."""
    if outcome.passed:
        return []
    failed = [f"    {name}" for name, passed in outcome.tests.items() if not passed]
    said = [f"    | {line}" for line in job.complaints(outcome.log)]
    return [*failed, *said, f"    all of it: {outcome.log}"]


def summary(jobs, outcomes):
    """The last lines, all that failed among them once more, and the status to exit with."""
    tests = [passed for outcome in outcomes.values() for passed in outcome.tests.values()]
    left = [job.name for job in jobs if job.name not in outcomes]
    failed = tests.count(False)
    for job in jobs:
        if job.name in outcomes and not outcomes[job.name].passed:
            print("\n".join([f"{job.name} FAILED", *failures(job, outcomes[job.name])]))
    for name in left:
        print(f"{name:<22} not run, for what it stands on failed")
    print(f"{len(tests)} tests in {len(outcomes)} jobs, {failed} failed")
    return 1 if failed or left or not tests else 0
