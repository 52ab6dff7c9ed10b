"""Runs the warehouse, does to it what a row says, and waits for its end."""

import http.client
import os
import pathlib
import re
import resource
import signal
import subprocess
import threading
import time

ENVIRONMENT = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "MAINSTAY_POLICY": "record"}
# For what must come; nothing is taken to have come because time has passed.
LIMIT = 30
# Bytes of memory for a service that is to run out of it.
LITTLE = 160 << 20


class Lost(Exception):
    """Something that a row waits for did not come."""


class Service:
    """A run of the warehouse, in a folder of its own."""

    def __init__(self, program, folder, environment=ENVIRONMENT):
        self.program, self.folder, self.environment = program, folder, environment
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "breadcrumbs.log"
        self.process, self.port = None, 0
        self.memory, self.group = None, None
        self.beside = []

    def start(self, port=0):
        """Starts it, and waits until it is open or has ended."""

        def prepare():
            # Whoever runs this may ignore what a row sends.
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)
            if self.memory:
                resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))
            if self.group:
                (self.group / "cgroup.procs").write_text(str(os.getpid()))

        self.output = open(self.folder / "output", "ab")
        self.process = subprocess.Popen(
            [self.program, self.log, str(port)], stdout=subprocess.PIPE, stderr=self.output,
            env=self.environment, preexec_fn=prepare, cwd=self.folder)  # fmt: skip
        for line in self.process.stdout:
            found = re.match(rb"open at port (\d+)", line)
            if found:
                self.port = int(found[1])
                break
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def end(self):
        """Its exit status as Python has it, once it has ended; None if it does not end."""
        try:
            return self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        finally:
            for service in self.beside:
                service.process.kill()
                service.process.wait()
            if self.group:
                self.group.rmdir()

    # What is done to it.

    def request(self, method, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        try:
            connection.request(method, path)
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            # It may die of the request.
            pass
        finally:
            connection.close()

    def do(self, step):
        word, _, rest = step.partition(" ")
        if word.isdigit():
            for _ in range(int(word)):
                self.do(rest)
        elif word in ("GET", "POST"):
            self.request(word, rest)
        elif word == "POST&":
            threading.Thread(target=self.request, args=("POST", rest), daemon=True).start()
        elif word.startswith("SIG"):
            self.process.send_signal(signal.Signals[word])
        elif word == "pause":
            time.sleep(float(rest))
        elif word == "wait":
            self.wait(*rest.partition(" ")[::2])
        elif word == "told":
            # Whoever started it tells crashscan.
            return
        elif step == "next run":
            self.process.wait(LIMIT)
            later = Service(self.program, self.folder, self.environment)
            later.group = self.group
            later.start()
            later.process.terminate()
            later.process.wait(LIMIT)
            self.log = self.folder / "breadcrumbs.1.log"
        else:
            raise ValueError(f"nobody knows how to do: {step}")

    def wait(self, what, detail):
        if what == "end":
            return
        if what == "quiet":
            return self.wait_until("nothing runs", Quiet(self.process.pid))
        words = {"hang": b"does not answer", "asked": b"will terminate", "crumb": detail.encode()}[what]
        self.wait_until(words.decode(), lambda: words in self.log.read_bytes())

    def wait_until(self, what, holds):
        end = time.monotonic() + LIMIT
        while not holds():
            if self.process.poll() is not None or time.monotonic() > end:
                raise Lost(f"waited in vain: {what}")
            time.sleep(0.02)


class Quiet:
    """Whether the process has taken no processor time for a while: whoever waits, waits."""

    def __init__(self, process):
        self.path = f"/proc/{process}/stat"
        self.last, self.since = None, time.monotonic()

    def __call__(self):
        fields = pathlib.Path(self.path).read_text().rsplit(")", 1)[1].split()
        used = (fields[11], fields[12])
        if used != self.last:
            self.last, self.since = used, time.monotonic()
        return time.monotonic() - self.since > 0.5


def run(program, folder, row, after, environment=ENVIRONMENT):
    """Lets one row happen; returns the log and what went wrong with that. None for a row that cannot."""
    service = Service(program, folder, environment)
    steps = row.steps
    port = 0
    if steps[0] == "limit memory":
        service.memory, steps = 3 << 29, steps[1:]
    elif steps[0] == "memory group":
        service.group = memory_group()
        if not service.group:
            return None, "no memory group can be made here"
        steps = steps[1:]
    elif steps[0] == "second on the same port":
        first = Service(program, folder / "first")
        first.start()
        service.beside, port, steps = [first], first.port, steps[1:]
    service.start(port)
    lost = None
    try:
        for step in (after if not service.beside else []) + steps:
            service.do(step)
    except Lost as error:
        lost = str(error)
        service.process.kill()
    status = service.end()
    if lost:
        return service.log, lost
    return service.log, "did not end" if status is None else None


def log_of(folder, row):
    """The log of a row that happened before; None where there is none."""
    log = folder / ("breadcrumbs.1.log" if "next run" in row.steps else "breadcrumbs.log")
    return log if log.exists() else None


def memory_group():
    """A control group of 160 MB; None where none can be made."""
    root = pathlib.Path("/sys/fs/cgroup")
    limits = {"memory.max": LITTLE, "memory.swap.max": 0}
    if (root / "memory").is_dir():
        root, limits = root / "memory", {"memory.limit_in_bytes": LITTLE}
    group = root / f"mainstay-verdicts-{os.getpid()}-{threading.get_ident()}"
    try:
        group.mkdir()
        for file, limit in limits.items():
            (group / file).write_text(str(limit))
    except OSError:
        if group.exists():
            group.rmdir()
        return None
    return group
