"""Checks the runner: that a failure is a row and stops nothing, that results survive an interruption, and that a
benchmark with a large spread is repeated."""

import contextlib
import io
import json
import os
import pathlib
import signal
import sys
import tempfile
import time

import command
import machine
import results
from benchmarks import LEFT_OUT, Benchmark
from run import Run

ROW = {"name": "a call", "unit": "ns", "ours": [10, 11, 12], "peer": [20, 22, 24], "peerName": "another", "aim": 0.6}


def shell(name, script, builds=(), rows=1):
    return Benchmark(name, ["sh", "-c", script], [["sh", "-c", build] for build in builds], rows)


def printing(*rows):
    return "; ".join(f"echo '{json.dumps(row)}'" for row in rows)


def quietly(folder, benchmarks, minutes=0):
    """Runs benchmarks. Returns the exit status, the stored results, and what was printed."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        status = Run(folder, "bench", {"BENCH_SMALL": "1"}).all_of(benchmarks, minutes)
    return status, json.loads((folder / "bench.json").read_text()), output.getvalue()


def check_failures(folder):
    """Each kind of failure is a row with its reason; the benchmarks after it run."""
    status, found, output = quietly(folder, [
        shell("unbuilt", printing(ROW), builds=["true", "echo 'a.swift:1:2: error: no such module'; exit 1"]),
        shell("dies", f"{printing(ROW)}; echo no memory >&2; exit 7"),
        shell("killed", "kill -9 $$"),
        shell("silent", "true"),
        shell("garbled", f"echo no row; {printing(ROW)}"),
        shell("endless", printing(ROW | {"ours": [float('nan')]})),
        shell("unavailable", f"echo no such tool >&2; exit {LEFT_OUT}", builds=[f"exit {LEFT_OUT}"]),
        shell("fine", f'test "$BENCH_SMALL" = 1 && {printing(ROW)}', builds=["true"]),
    ])  # fmt: skip
    errors = {row["name"]: row["error"] for row in found if row["error"]}
    expected = {
        "unbuilt": "a.swift:1:2: error: no such module", "dies": "exit status 7: no memory", "killed": "exit status 137",
        "silent": "printed 0 rows, expected at least 1", "garbled": "Expecting value", "endless": "no finite figures",
        "unavailable": "no such tool",
    }  # fmt: skip
    assert status == 1
    assert errors.keys() == expected.keys(), errors
    for name, error in expected.items():
        assert error in errors[name], errors
        assert f"{name}: {'left out' if name == 'unavailable' else 'FAILED'}: " in output, output
    assert len({tuple(row) for row in found}) == 1, "every row has the same keys"
    whole = [row["benchmark"] for row in found if row["error"] is None]
    assert whole == ["dies", "garbled", "fine"], whole
    assert quietly(folder, [shell("unavailable", f"exit {LEFT_OUT}"), shell("fine", printing(ROW))])[0] == 0


def check_figures(folder):
    """Ratios are those of the rounds. An aim without a peer is one for the figure itself."""
    rows = [
        ROW,
        ROW | {"ours": [30, 11, 12]},
        {"name": "alone", "unit": "s", "ours": [4, 5, 6], "aim": 4.5, "atLeast": True},
        {"name": "one", "unit": "s", "ours": 5, "aim": 4.5, "spread": 0.03},
    ]
    status, found, output = quietly(folder, [shell("figures", printing(*rows), rows=4)])
    assert status == 0, output
    assert [row["ours"] for row in found] == [11, 12, 5, 5]
    assert [row["ratio"] for row in found] == [0.5, 0.5, None, None]
    assert [row["met"] for row in found] == [True, True, True, False]
    assert [row["spread"] for row in found] == [0, 0.5, 0.1, 0.03], found
    assert "aims met: 3 of 4" in output and "≥ 4.5" in output, output


def check_repetition(folder):
    """The run with the smaller spread is kept and marked, and nothing is repeated when there is no time."""

    def noisy(name, first, second):
        again = folder / f"{name}-again"
        rows = [printing(ROW | {"name": name, "ours": ours}) for ours in (first, second)]
        return shell(name, f"if [ -e {again} ]; then {rows[1]}; else touch {again}; {rows[0]}; fi")

    def run(minutes):
        for file in folder.glob("*-again"):
            file.unlink()
        worse, better, steady = [5, 11, 30], [10, 11, 13], [10, 11, 12]
        return quietly(folder, [
            noisy("improved", worse, better), noisy("kept", [5, 11, 20], worse), noisy("steady", steady, worse),
        ], minutes)[1]  # fmt: skip

    assert [(row["name"], row["spread"] < 0.2, row["repeated"]) for row in run(minutes=5)] == [
        ("improved", True, True), ("kept", False, True), ("steady", True, False)]  # fmt: skip
    assert [(row["spread"] < 0.2, row["repeated"]) for row in run(minutes=0)] == [
        (False, False), (False, False), (True, False)]  # fmt: skip


def check_interruption(folder):
    """A run that is ended keeps its results, and ends what it has started."""
    ready, child = folder / "ready", folder / "child"
    stuck = f"{printing(ROW)}; sleep 600 & echo $! > {child}; touch {ready}; wait"
    for number, name in ((signal.SIGINT, "stuck"), (signal.SIGTERM, "stuck"), (signal.SIGKILL, None)):
        ready.unlink(missing_ok=True)
        process = os.fork()
        if process == 0:
            command.handle_signals()
            os._exit(quietly(folder, [shell("fine", printing(ROW)), shell("stuck", stuck), shell("later", "true")])[0])
        while not ready.exists():
            time.sleep(0.01)
        os.kill(process, number)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        found = json.loads((folder / "bench.json").read_text())
        sleeper = int(child.read_text())
        if number == signal.SIGKILL:  # Nothing can be ended any more, but the results are there.
            os.kill(sleeper, signal.SIGKILL)
            assert [row["benchmark"] for row in found] == ["fine"], found
            continue
        assert status == 128 + number, status
        assert [row["error"] for row in found] == [None, None, "interrupted"], found
        assert not lives(sleeper)


def check_limit(folder):
    """A command that takes too long is ended with all that it has started."""
    ended = command.run(["sh", "-c", "sleep 600 & echo $!; wait"], (lines := []).append, echo=io.StringIO(), limit=0.2)
    assert ended.status != 0 and ended.last_line == "took longer than 0.2 s", ended
    assert not lives(int(lines[0]))


def lives(process):
    with contextlib.suppress(OSError):
        return ") Z " not in pathlib.Path(f"/proc/{process}/stat").read_text()
    return False


def check_machine(folder):
    """The description names a processor, and warns of a load."""
    described = machine.describe()
    assert described["processors"] >= 1 and described["processor"], described
    for load, warns in ((0.1, False), (3.0, True)):
        said = machine.sentences(described | {"load": [load, 0, 0]})
        assert described["processor"] in said and ("not comparable" in said) == warns, said


for check in (check_failures, check_figures, check_repetition, check_interruption, check_limit, check_machine):
    with tempfile.TemporaryDirectory() as folder:
        check(pathlib.Path(folder))
        print(f"holds: {check.__name__}")
