"""What the checks here share: programs are built, run under `crashscan run`, and judged by what is found."""
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAMS, SCRATCH = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SOURCES = HERE / "Programs"
BUILT = SCRATCH.parent  # kept from run to run
CRASHSCAN = PROGRAMS / "crashscan"
# What has not come by then does not come.
PATIENCE = 180
FAILED, LEFT_OUT = [], []

sys.path.insert(0, str(ROOT / "Tests/Checks/Desktop"))


def check(what, holds, seen=""):
    print(("  holds: " if holds else "  FAILS: ") + what, flush=True)
    if not holds:
        FAILED.append(what)
        print("    seen: " + str(seen).replace("\n", "\n    "), flush=True)


def is_there(what, *command):
    try:
        there = subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        there = False
    if not there:
        LEFT_OUT.append(what)
    return there


def flags(*packages):
    return subprocess.run(
        ["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True).stdout.split()  # fmt: skip


def build(*command):
    built = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=SCRATCH)
    if built.returncode != 0:
        sys.exit(f"{command}: {built.stdout}{built.stderr}")


def findings(log):
    told = subprocess.run([CRASHSCAN, "report", "--format", "json", log], capture_output=True, text=True)
    return json.loads(told.stdout)["findings"] if told.stdout else [told.stderr]


class Run:
    """A run of a program under `crashscan run`, and what is found in its log."""

    def __init__(self, options, *command, environment={}):
        self.log = SCRATCH / "toolkit.log"
        for old in SCRATCH.glob("toolkit*.log*"):
            old.unlink()
        ran = subprocess.run(
            list(map(str, [CRASHSCAN, "run", *options, "--log", self.log, "--", *command])),
            capture_output=True, text=True, timeout=PATIENCE, cwd=SCRATCH,
            env={**os.environ, "XDG_CACHE_HOME": str(SCRATCH / "cache"), "NO_AT_BRIDGE": "1", **environment})  # fmt: skip
        self.status, self.output, self.errors = ran.returncode, ran.stdout, ran.stderr
        self.findings = findings(self.log)

    def __str__(self):
        return f"status {self.status}\n{self.output}{self.errors}{json.dumps(self.findings, indent=1)}"


def lines_marked(source, *marks):
    """The lines of a program that a comment marks."""
    lines = source.read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if any(line.endswith(mark) for mark in marks)}


def places(found):
    """Files and lines of what was found."""
    culprits = [each.get("culprit") or {} for each in found if each["rule"] == "toolkit-off-thread"]
    return {(pathlib.Path(one.get("file") or "").name, one.get("line")) for one in culprits}


def judge(what, options, source, marks, api, *command, folder=SOURCES, environment={}):
    """The program with the fault, and without."""
    wrong = Run(options, *command, "wrong", environment=environment)
    expected = {(source, line) for line in lines_marked(folder / source, *marks)}
    check(f"{what}: the fault is found at its line", places(wrong.findings) == expected, wrong)
    check(f"{what}: by its function, and nothing else is found",
          {each.get("api") for each in wrong.findings} == api, wrong)  # fmt: skip
    check(f"{what}: the status is the program's own", wrong.status == 7, wrong)
    right = Run(options, *command, environment=environment)
    check(f"{what}: nothing is found where it is handed over", right.findings == [] and right.status == 7, right)
    return wrong
