"""Checks the runner itself: that it tells what fails, what dies and what is left out, and goes on where it
stopped."""

import contextlib
import io
import json
import pathlib
import re
import tempfile
import threading
import time

import job
import plan
import schedule
import steady
from job import Job, SwiftTests


def shell(name, script, after=(), builds=False):
    return Job(name, ["sh", "-c", script], after=after, builds=builds)


def quietly(body):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        result = body()
    return result, output.getvalue()


def check_one_run(folder):
    jobs = [
        shell("passes", "echo fine"),
        shell("fails", "echo broken; exit 3"),
        shell("dies", "kill -9 $$"),
        shell("says-which", "echo much else; echo '✘ Test broken() failed'; exit 1"),
        shell("stands-on-it", "true", after=("fails",)),
        shell("on-that", "true", after=("stands-on-it",)),
    ]
    outcomes, output = quietly(lambda: schedule.run(jobs, folder))
    status, summary = quietly(lambda: schedule.summary(jobs, outcomes))
    assert [outcomes[name].passed for name in ("passes", "fails", "dies")] == [True, False, False]
    for name in ("stands-on-it", "on-that"):
        assert name not in outcomes and name in summary, summary
    assert "| broken" in output and "fine" not in output, output
    assert "| ✘ Test broken() failed" in summary and "much else" not in summary, summary
    assert status == 1


def check_builds(folder):
    """One build at a time, beside tests; and nobody who waits for one keeps another from working."""
    waits = f"until [ -e {folder}/seen ]; do sleep 0.01; done"
    alone = f"mkdir {folder}/lock && {waits} && touch {folder}/built && rmdir {folder}/lock"
    jobs = [
        shell("first", alone, builds=True),
        shell("stands-on-it", f"[ -e {folder}/built ]", after=("first",)),
        shell("second", f"mkdir {folder}/lock && rmdir {folder}/lock", builds=True),
        shell("test", f"touch {folder}/seen"),
    ]
    assert plan.chosen(jobs, ["stands-on-it"]) == jobs[:2]
    outcomes, output = quietly(lambda: schedule.run(jobs, folder, width=2))
    assert len(outcomes) == 4 and all(outcome.passed for outcome in outcomes.values()), output


def check_events(folder):
    """A test that had begun when its process died has failed, and so has one that was to come."""
    job = SwiftTests("bundle", "SomeTests", folder, {})

    def test(name):
        return {"kind": "test", "payload": {"kind": "function", "id": f"SomeTests.{name}/A.swift:1:2"}}

    def event(kind, name, **more):
        return {"kind": "event", "payload": {"kind": kind, "testID": f"SomeTests.{name}/A.swift:1:2"} | more}

    lines = [
        *map(test, ("good()", "bad()", "known()", "cut()", "late()")),
        event("testEnded", "good()"),
        event("issueRecorded", "bad()", issue={"isKnown": False}),
        event("testEnded", "bad()"),
        event("issueRecorded", "known()", issue={"isKnown": True}),
        event("testEnded", "known()"),
        event("testStarted", "cut()"),
    ]
    job.events.write_text("\n".join(map(json.dumps, lines)) + '\n{"kind":')
    passed = sorted(name for name, holds in job.tests(1, None).items() if holds)
    assert passed == ["SomeTests.good()", "SomeTests.known()"], passed
    job.events.unlink()
    assert job.tests(0, None) == {"SomeTests": False}, "a run of nothing is no success"


def check_explained(folder):
    """A bundle runs under crashscan test, whose verdict is what failed; nothing of a job outlives its end."""
    crashscan = folder / "crashscan"
    crashscan.write_text(f"""#!/bin/sh
        echo "$@" > {folder}/arguments
        echo 'crashscan: hung: Suite/test(): a queue waits for itself'
        sleep 600 & echo $! > {folder}/child; set -m; sleep 600 & echo $! >> {folder}/child; touch {folder}/there; wait""")
    crashscan.chmod(0o755)
    tests = SwiftTests(str(folder / "some.xctest"), "SomeTests", folder, {})
    threading.Thread(target=end_when, args=(folder / "there",)).start()
    outcome = tests.run(folder)
    assert not outcome.passed
    assert tests.complaints(outcome.log) == ["crashscan: hung: Suite/test(): a queue waits for itself"]
    assert f"--no-rerun -- {folder}/some.xctest --testing-library" in (folder / "arguments").read_text()
    late = time.monotonic() + 10
    for child in (folder / "child").read_text().split():
        while lives(child):
            assert time.monotonic() < late, f"{child} lives"
            time.sleep(0.01)


def lives(process):
    with contextlib.suppress(OSError):
        return ") Z " not in pathlib.Path(f"/proc/{process}/stat").read_text()
    return False


def end_when(there):
    """Ends all jobs once the file exists."""
    while not there.exists():
        time.sleep(0.01)
    for session in list(job.running):
        job.end_session(session)


def check_steady(folder):
    """One that fails every second time does so twice in four, stopped after two."""
    places = plan.Places(folder, folder, folder / "debug")
    places.programs.mkdir()
    pathlib.Path(plan.bundle(places)).write_text("programs")
    seen = folder / "seen"
    flickers = f"if [ -e {seen} ]; then rm {seen}; exit 1; else touch {seen}; fi"
    plan.PLANS["check"] = lambda places: [shell("steady", "true"), shell("flickers", flickers)]
    status, output = quietly(lambda: steady.run(places, "check", 2))
    assert status == 1 and "run 2 of 2, beside a load" in output, output
    status, output = quietly(lambda: steady.run(places, "check", 4))
    assert "run 2 of 4" not in output and "run 3 of 4" in output, output
    assert "  2 of 4  flickers: flickers  (runs 2, 4)" in output, output
    assert not list(folder.glob("load-*"))


def check_short_ways(folder):
    """Every long check has a short version in `make test-all`, or a reason not to."""
    root = pathlib.Path(__file__).resolve().parents[2]
    listed = plan.targets
    plan.targets = lambda places: sorted(file.name for file in (root / "Tests/Unit").iterdir())
    jobs = {job.name for job in plan.whole(plan.Places(root, folder, folder / "debug"))}
    plan.targets = listed
    checks = (root / "Tests/Checks/checks.mk").read_text()
    commands = set(re.findall(r"^check-([a-z-]+):[^#\n]*##", checks, re.M))
    known = set(plan.SHORT_WAYS) | plan.NO_SHORT_WAY
    assert commands == known, commands ^ known
    assert set(plan.SHORT_WAYS.values()) <= jobs, set(plan.SHORT_WAYS.values()) - jobs


with tempfile.TemporaryDirectory() as scratch:
    for number, check in enumerate((check_one_run, check_builds, check_events, check_explained, check_steady, check_short_ways)):
        folder = pathlib.Path(scratch) / str(number)
        folder.mkdir()
        check(folder)
        print(f"holds: {check.__name__}")
