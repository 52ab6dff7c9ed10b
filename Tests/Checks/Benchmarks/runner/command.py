"""One command in a session of its own: its output, its times, and its end."""

import contextlib
import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import machine

# Seconds that a command has to end by itself after SIGINT.
PATIENCE = 3


class Interrupted(Exception):
    """A signal asked the run to end. The argument is its number."""


@dataclasses.dataclass
class Ended:
    """How a command ended."""

    status: int  # as a shell counts it
    seconds: float
    processor: float  # seconds, of the command and its children
    others: float  # the mean number of processors that other processes used meanwhile
    last_line: str  # of standard error


interrupting = []  # the number of the signal that asked the run to end
running = []  # the session of the command that runs


def handle_signals():
    """From now on, the first signal to end ends the command that runs, and `run` raises `Interrupted`."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    # Raises nothing itself, because an exception at an arbitrary place could lose a row.
    def interrupt(number, _):
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)
        interrupting.append(number)
        for session in running:
            end_session(session)

    for number in numbers:
        signal.signal(number, interrupt)


def run(command, each_line, environment=None, folder=None, echo=None, limit=None):
    """Runs a command and calls `each_line` for each line of its standard output. Its standard error goes to `echo`.

    A command that takes longer than `limit` seconds is ended. So is everything that it started, in any case.
    """
    start, busy = time.monotonic(), machine.busy_seconds()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
        env=os.environ | (environment or {}), cwd=folder, start_new_session=True,
    )  # fmt: skip
    last = [""]
    reader = threading.Thread(target=copy_lines, args=(process.stderr, echo or sys.stderr, last), daemon=True)
    reader.start()
    late = threading.Event()
    timer = threading.Timer(limit or 0, end_late, (process.pid, late))
    if limit:
        timer.start()
    running.append(process.pid)
    if interrupting:
        end_session(process.pid)
    for line in process.stdout:
        each_line(line)
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    running.remove(process.pid)
    process.returncode = os.waitstatus_to_exitcode(status)
    end_session(process.pid)
    reader.join(PATIENCE)
    if interrupting:
        raise Interrupted(interrupting[0])
    seconds = time.monotonic() - start
    processor = usage.ru_utime + usage.ru_stime
    return Ended(
        status=process.returncode if process.returncode >= 0 else 128 - process.returncode,
        seconds=seconds,
        processor=processor,
        others=max(0, machine.busy_seconds() - busy - processor) / seconds,
        last_line=f"took longer than {limit} s" if late.is_set() else last[0],
    )


def copy_lines(stream, echo, last):
    for line in stream:
        echo.write(line)
        echo.flush()
        last[0] = line.strip() or last[0]


def end_late(session, late):
    late.set()
    end_session(session)


def end_session(session):
    """Ends all processes of a session: first by SIGINT, so that scripts remove their files."""
    deadline = time.monotonic() + PATIENCE
    for number in (signal.SIGINT, signal.SIGCONT):
        for process in processes(session):
            with contextlib.suppress(OSError):
                os.kill(process, number)
    while processes(session) and time.monotonic() < deadline:
        time.sleep(0.02)
    for process in processes(session):
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


def processes(session):
    """The processes of a session that have not ended."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, its_session = stat.read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z":
                found.append(int(stat.parent.name))
    return found
