"""What an executor does with one log: runs `crashscan summarize` on it, within limits."""

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import time

from pyspark import SparkFiles

SUMMARY = "crashscan-summary/3"
# The most that a summary of one log may be: one of a thousand findings is 3 MB.
LARGEST_SUMMARY = 64 << 20
# What crashscan ends with where it has written what it was asked for: nothing found, findings, an input
# that could not be read or not wholly.
WRITTEN = {0, 1, 2}
# A busy executor reads more slowly: by the clock a log may take so many times what it may take of a processor.
PATIENCE = 4


@dataclasses.dataclass(frozen=True)
class Reading:
    """How logs are read; the same on every executor."""

    crashscan: str = ""  # shipped with the job; empty: the one on the executor's path
    symbols: tuple[str, ...] = ()  # shipped with the job
    host: str = r"([^/]+)/[^/]+$"  # where a path names the host: the first group
    release: str = ""  # the same for the release, of logs that do not say theirs
    seconds: int = 120  # of a processor, for one log
    megabytes: int = 1024  # of memory, for one log
    largest: int = 2_000_000_000  # bytes of a log that does not lie on a file system of the executor's

    @property
    def key(self):
        """What was read in another way has to be read again."""
        parts = dataclasses.astuple(self) + (SUMMARY,)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@dataclasses.dataclass
class Outcome:
    """What came of one log."""

    summary: str
    state: str  # read; part: not wholly; nothing: it is no log; failed: a limit, to be tried again
    why: str
    seconds: float


def local_path(address):
    """The path of a file that any process can open; nothing where only Hadoop's API reads it."""
    return "/" + address[5:].lstrip("/") if address.startswith("file:") else None


def name_of(address):
    """What reports call a log that lies where any process can open it; another is called by its address."""
    return local_path(address) or address


def shipped(path):
    """A file as it came with the job."""
    return SparkFiles.get(pathlib.PurePath(path).name)


def program(reading):
    if not reading.crashscan:
        found = shutil.which("crashscan")
        if not found:
            raise RuntimeError("no crashscan on the executor's path: ship one by --crashscan")
        return found
    path = shipped(reading.crashscan)
    if not os.access(path, os.X_OK):
        os.chmod(path, 0o755)
    return path


@contextlib.contextmanager
def scratch():
    """A folder that is gone at the latest when Spark clears up after the executor."""
    try:
        # Relative on an executor of its own process; what runs here has another working directory.
        root = os.path.abspath(SparkFiles.getRootDirectory())
    except (AttributeError, TypeError):
        root = None
    with tempfile.TemporaryDirectory(prefix="mainstay-", dir=root) as folder:
        yield pathlib.Path(folder)


def unread(name, why):
    """The summary of a log that gave nothing, as crashscan itself writes it."""
    return json.dumps({"examples": {}, "logs": {}, "schema": SUMMARY, "unread": {name: why}})


def limit(process, seconds, megabytes, largest):
    """Once it runs, for code between fork and exec has all of Python's memory copied."""
    limits = {
        # What is mapped from a file does not count as data, so a log may be larger than this.
        resource.RLIMIT_DATA: (megabytes << 20, megabytes << 20),
        resource.RLIMIT_CPU: (seconds, seconds + 1),
        resource.RLIMIT_FSIZE: (largest, largest),
        resource.RLIMIT_CORE: (0, 0),
    }
    with contextlib.suppress(ProcessLookupError):
        for what, least_and_most in limits.items():
            resource.prlimit(process.pid, what, least_and_most)


def status_within(process, seconds):
    """Woken by its end: Python itself looks now and then, by pauses as long as a small log takes."""
    with contextlib.suppress(OSError):
        file = os.pidfd_open(process.pid)
        try:
            end = select.poll()
            end.register(file, select.POLLIN)
            end.poll(seconds * 1000)
            seconds = 0
        finally:
            os.close(file)
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return -signal.SIGXCPU


def run(command, folder, seconds, megabytes, largest):
    """Ends with an exit status, or with words for why there is none."""
    with open(folder / "errors", "wb") as errors:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            start_new_session=True, env=os.environ | {"TMPDIR": str(folder)},
        )  # fmt: skip
    try:
        limit(process, seconds, megabytes, largest)
        status = status_within(process, PATIENCE * seconds)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if status == -signal.SIGXCPU or status == -signal.SIGKILL:
        return f"reading it took more than {seconds} s"
    if status == -signal.SIGXFSZ:
        return "what was found in it is too large"
    if status < 0:
        return f"crashscan died of signal {-status}, perhaps because reading it takes more than {megabytes} MB"
    return status


def last_words(folder):
    lines = (folder / "errors").read_text(errors="replace").splitlines()
    return lines[-1].removeprefix("crashscan: ")[:500] if lines else "crashscan says nothing of why"


def named(pattern, name):
    found = re.search(pattern, name) if pattern else None
    return found.group(1) if found and found.groups() else None


def command_for(reading, name, output):
    command = [program(reading), "summarize", name, "--alone", "--output", str(output)]
    for option, value in ("--host", named(reading.host, name)), ("--release", named(reading.release, name)):
        command += [option, value] if value else []
    for path in reading.symbols:
        command += ["--symbols", shipped(path)]
    return command


def summarize(reading, address, content=None):
    """What one log holds; `content` where it can only be read by Hadoop's API."""
    begun = time.monotonic()
    name = name_of(address) if content is None else address
    if ".." in pathlib.PurePath(name).parts:
        # An object store has names that lead out of the scratch folder.
        why = f"{name}: has .. in its path"
        return Outcome(unread(name, why), "failed", why, 0.0)
    with scratch() as folder:
        if content is not None:
            # By the words of its address, so that reports call it so; they have a scheme, so the path is relative.
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        output = folder / "summary.json"
        command = command_for(reading, name, output)
        status = run(command, folder, reading.seconds, reading.megabytes, LARGEST_SUMMARY)
        seconds = time.monotonic() - begun
        if status not in WRITTEN or not output.exists():
            why = f"{name}: {status if isinstance(status, str) else last_words(folder)}"
            return Outcome(unread(name, why), "failed", why, seconds)
        text = output.read_text()
        whole = json.loads(text)
        whys = whole.get("unread") or {}
        state = "part" if whys and whole["logs"] else "nothing" if whys else "read"
        return Outcome(text, state, "; ".join(whys.values()), seconds)
