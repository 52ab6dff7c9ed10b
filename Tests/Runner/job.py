"""One job of a run: a command of its own, whose tests are known by name when it has ended."""

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

# After so long a job is taken to hang, and is killed. Nothing is measured by it.
PATIENCE = 60 * 60

# Seconds without a test event after which crashscan examines a test process.
SILENCE = 300

# The starts of lines that state a failure: those of Swift Testing, with the lines that follow, and those of crashscan test.
SAYS_WHAT_FAILED = ("✘", "↳", "􀢄", "crashscan: hung: ", "crashscan: crashed: ")

running = set()  # the sessions of jobs that have not ended


def end_session(session):
    """Kills all processes of a session. Its processes may be in several groups."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[3]) == session:
                os.kill(int(stat.parent.name), signal.SIGKILL)


def end_all(number, _):
    """Ends every job, and then the run: they are in sessions of their own, which Ctrl-C does not reach."""
    for session in list(running):
        end_session(session)
    os._exit(128 + number)


def explained(bundle):
    """The command that runs a test bundle under crashscan test, so that the log of the job explains a hang or a crash."""
    crashscan = pathlib.Path(bundle).parent / "crashscan"
    return [str(crashscan), "test", "--timeout", str(SILENCE), "--no-rerun", "--", bundle]


@dataclasses.dataclass
class Outcome:
    """What came of a job."""

    job: str
    passed: bool
    seconds: float
    processor: float
    tests: dict[str, bool]  # the name of each test, and whether it passed
    log: pathlib.Path


@dataclasses.dataclass
class Job:
    """A command that passes if it exits with 0. It is the one test of its name."""

    name: str
    command: list[str]
    environment: dict[str, str] = dataclasses.field(default_factory=dict)
    after: tuple[str, ...] = ()  # names of jobs that must have passed before
    builds: bool = False  # whether it is a compiler that works in it

    def run(self, logs):
        """Runs it to its end; what it says goes to a file in the folder `logs`."""
        log = logs / f"{self.name}.txt"
        start = time.monotonic()
        with open(log, "wb") as output:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=os.environ | self.environment,
                start_new_session=True,
            )
            running.add(process.pid)
            limit = threading.Timer(PATIENCE, end_session, (process.pid,))
            limit.start()
            _, status, usage = os.wait4(process.pid, 0)
            limit.cancel()
            running.discard(process.pid)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        tests = self.tests(process.returncode, log)
        return Outcome(
            job=self.name,
            passed=process.returncode == 0 and all(tests.values()),
            seconds=seconds,
            processor=usage.ru_utime + usage.ru_stime,
            tests=tests,
            log=log,
        )

    def tests(self, status, log):
        return {self.name: status == 0}

    def complaints(self, log):
        """The lines of its output that say what failed; where none does, the last ones."""
        lines = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text(errors="replace")).splitlines()
        return [line for line in lines if line.startswith(SAYS_WHAT_FAILED)] or lines[-30:]


class SwiftTests(Job):
    """Tests of one target by Swift Testing, one after the other in a process of their own."""

    def __init__(self, bundle, target, logs, environment, only="", name=None, after=()):
        self.events = logs / f"{name or target}.events"
        super().__init__(
            name or target,
            [*explained(bundle), "--testing-library", "swift-testing", "--no-parallel"]
            + ["--filter", rf"^{target}\.{only}" if target else only, "--event-stream-output-path", str(self.events)],
            environment,
            after,
        )

    def run(self, logs):
        self.events.unlink(missing_ok=True)
        return super().run(logs)

    def tests(self, status, log):
        functions, ended, failed = set(), set(), set()
        for line in self.events.read_text().splitlines() if self.events.exists() else ():
            try:
                record = json.loads(line)
            except ValueError:  # The last line of a process that died.
                continue
            payload = record["payload"]
            if record["kind"] == "test":
                if payload["kind"] == "function":
                    functions.add(payload["id"])
                continue
            test = payload.get("testID")
            if payload["kind"] in ("testEnded", "testSkipped"):
                ended.add(test)
            elif payload["kind"] == "issueRecorded" and payload["issue"].get("isFailure", True):
                if not payload["issue"]["isKnown"]:
                    failed.add(test)
        # A test is told apart by its place in the file, which is no part of its name.
        names = {test: re.sub(r"/[^/]*:\d+:\d+$", "", test) for test in functions}
        tests = {name: test in ended and test not in failed for test, name in names.items()}
        if not tests or (status != 0 and all(tests.values())):
            tests[self.name] = False
        return tests


class XCTests(Job):
    """The tests by XCTest, all in one process."""

    def __init__(self, bundle, environment):
        super().__init__("XCTest", explained(bundle), environment)

    def tests(self, status, log):
        text = log.read_text(errors="replace")
        tests = {
            name.replace(".", "/"): result == "passed"
            for name, result in re.findall(r"^Test Case '(.*?)' (passed|failed)", text, re.M)
        }
        if not tests or (status != 0 and all(tests.values())):
            tests[self.name] = False
        return tests
