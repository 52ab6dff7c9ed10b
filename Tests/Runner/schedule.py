"""Runs jobs side by side, and says of each how it went."""

import concurrent.futures
import os

# Most jobs wait for processes of theirs, so that there may be more of them than processors.
WIDTH = 2 * len(os.sched_getaffinity(0))


def run(jobs, logs, width=WIDTH):
    """The outcome of every job, in the order in which they ended.

    Of the jobs that may start, the first in the plan does. A build takes all processors by itself: one at a
    time, so that what waits for processes of its own beside it is not kept from seeing them.
    """
    logs.mkdir(parents=True, exist_ok=True)
    todo, at_work, outcomes, left = list(jobs), {}, {}, set()

    def may_start(job):
        return all(name in outcomes for name in job.after) and not (
            job.builds and any(other.builds for other in at_work.values())
        )

    with concurrent.futures.ThreadPoolExecutor(width) as pool:
        while todo or at_work:
            # What stands on one that failed is left out, and so is what stands on that.
            for job in todo:
                if any(name in left or name in outcomes and not outcomes[name].passed for name in job.after):
                    left.add(job.name)
            todo = [job for job in todo if job.name not in left]
            while len(at_work) < width and (job := next(filter(may_start, todo), None)):
                todo.remove(job)
                at_work[pool.submit(job.run, logs)] = job
            done, _ = concurrent.futures.wait(at_work, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                job = at_work.pop(future)
                outcomes[job.name] = future.result()
                say(job, outcomes[job.name])
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
    said = [f"    | {line[:500]}" for line in job.complaints(outcome.log)]
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
