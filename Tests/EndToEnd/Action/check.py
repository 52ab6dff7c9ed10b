"""Runs action.yml as the runner of GitHub does, on logs and reports: check.py PROGRAMS PYTHON SCRATCH.

PROGRAMS has crashscan and misbehave, PYTHON is the interpreter of .build/tools, with the schema of SARIF. A step that `uses`
another action is recorded with its inputs; the files that it names are checked.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
PROGRAMS, PYTHON, SCRATCH = (pathlib.Path(argument).absolute() for argument in sys.argv[1:])
FAILED = []


def check(what, holds, seen=""):
    print(("  holds: " if holds else "  FAILS: ") + what, flush=True)
    if not holds:
        FAILED.append(what)
        print("    seen: " + str(seen).replace("\n", "\n    "), flush=True)


class Run:
    """One use of the action in a job."""

    def __init__(self, workspace, inputs, path=None):
        self.workspace = workspace
        unknown = inputs.keys() - ACTION["inputs"].keys()
        assert not unknown, unknown
        self.inputs = {name: inputs.get(name, one.get("default", "")) for name, one in ACTION["inputs"].items()}
        missing = [name for name, one in ACTION["inputs"].items() if one.get("required") and name not in inputs]
        assert not missing, missing
        self.path = path or f"{PROGRAMS}:{os.environ['PATH']}"
        self.temp = pathlib.Path(tempfile.mkdtemp(prefix="runner-", dir=SCRATCH))
        self.outputs, self.used, self.log, self.failed = {}, [], "", False
        for step in ACTION["runs"]["steps"]:
            self.step(step)
        self.results = {name: self.value(one["value"]) for name, one in ACTION["outputs"].items()}
        self.summary = (self.temp / "summary").read_text() if (self.temp / "summary").exists() else ""

    def step(self, step):
        # The runner leaves out what follows a failed step, and steps whose condition does not hold.
        if self.failed or ("if" in step and not self.holds(step["if"])):
            return
        if "uses" in step:
            self.used.append((step["uses"], {name: self.value(text) for name, text in step["with"].items()}))
            return
        for name in ("output", "summary"):
            (self.temp / name).touch()
        environment = {
            "GITHUB_ACTIONS": "true", "PATH": self.path, "HOME": str(self.temp), "RUNNER_TEMP": str(self.temp), "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_OUTPUT": str(self.temp / "output"), "GITHUB_STEP_SUMMARY": str(self.temp / "summary"),
            "GITHUB_ACTION_PATH": str(ROOT), **{name: self.value(text) for name, text in step.get("env", {}).items()},
        }  # fmt: skip
        # The runner writes the script into a file; expressions in `run` would be an injection.
        assert "${{" not in step["run"], step["run"]
        script = self.temp / "step.sh"
        script.write_text(step["run"])
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=self.workspace,
                              env=environment, capture_output=True, text=True)  # fmt: skip
        self.log += done.stdout + done.stderr
        self.failed = done.returncode != 0
        if "id" in step:
            lines = (self.temp / "output").read_text().splitlines()
            self.outputs[step["id"]] = dict(line.split("=", 1) for line in lines)

    def value(self, text):
        return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda found: self.lookup(found[1]), text)

    def lookup(self, expression):
        if found := re.fullmatch(r"inputs\.([\w-]+)", expression):
            return self.inputs[found[1]]
        step, output = re.fullmatch(r"steps\.(\w+)\.outputs\.(\w+)", expression).groups()
        return self.outputs.get(step, {}).get(output, "")

    def holds(self, condition):
        inner = re.fullmatch(r"\$\{\{ *(.*?) *\}\}", condition)[1]
        name, operator, wanted = re.fullmatch(r"(\S+) (==|!=) '(.*)'", inner).groups()
        return (self.lookup(name) == wanted) == (operator == "==")


def workspace(name, *ways):
    folder = SCRATCH / name
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "logs of a job").mkdir(parents=True)
    for way in ways:
        subprocess.run([PROGRAMS / "misbehave", way, "wrong", folder / f"logs of a job/{way}.log"],
                       env=os.environ | {"SWIFT_BACKTRACE": "enable=no"}, capture_output=True)  # fmt: skip
    return folder


def check_findings():
    job = workspace("crashed", "off-main-ui", "unhopped-callback")
    shutil.copy(ROOT / "Tests/Fixtures/reports/alike-asan-uaf.txt", job / "console.txt")
    run = Run(job, {"files": "logs of a job/*.log\nconsole.txt\n", "upload-sarif": "true"})
    annotations = [line for line in run.log.splitlines() if line.startswith("::error ")]
    off_main = [line for line in annotations if "off-main" in line]
    check("each defect is an annotation at its line", len(annotations) >= 2 and off_main and all(
        re.match(r"::error file=\S+,line=\d+,title=", line) for line in off_main), run.log)
    check("the job fails, with the status of crashscan", run.failed and run.results["status"] == "1", run.log)
    check("two actions get the files", [used.split("@")[0] for used, _ in run.used] == [
        "github/codeql-action/upload-sarif", "actions/upload-artifact"], run.used)
    sarif = pathlib.Path(run.used[0][1]["sarif_file"])
    valid = subprocess.run([PYTHON, ROOT / "Tests/EndToEnd/Deaths/check-sarif", sarif], capture_output=True, text=True)
    check("the SARIF file is as code scanning wants it", valid.returncode == 0, valid.stdout + valid.stderr)
    results = json.loads(sarif.read_text())["runs"][0]["results"]
    check("the SARIF file has the same defects", len(results) >= len(annotations), len(results))
    files = sorted(file.name for file in pathlib.Path(run.used[1][1]["path"]).iterdir())
    check("the artifact has the page and the SARIF file", files == ["report.html", "report.sarif"], files)
    page = pathlib.Path(run.results["html"]).read_text()
    check("the page has the timeline", page.startswith("<!DOCTYPE html>") and "off-main-ui" in page, page[:200])
    check("the summary has the report", run.summary.startswith("```text") and "off-main-ui" in run.summary, run.summary)


def check_bars():
    job = workspace("warned", "hop-storm")
    run = Run(job, {"files": "logs of a job/hop-storm.log", "artifact": ""})
    check("a warning is no failure by default", not run.failed and "::warning" in run.log, run.log)
    check("without a name no artifact is uploaded", run.used == [], run.used)
    run = Run(job, {"files": "logs of a job/hop-storm.log", "fail-on": "warning"})
    check("fail-on: warning makes it one", run.failed and run.results["status"] == "1", run.log)
    check("an artifact of a failed job is uploaded", len(run.used) == 1, run.used)


def check_tests():
    subprocess.run([ROOT / "scripts/preload", PROGRAMS / "libmainstay-testing.so"], check=True)
    job = workspace("tests", "hop-storm")
    bundle = f"{PROGRAMS}/mainstayPackageTests.xctest --testing-library swift-testing --filter ^TestRunsTests.Trials/"
    run = Run(job, {"tests": f"MAINSTAY_TRIAL=crash {bundle}", "test-options": "--timeout 60"})
    check("a crash is an annotation at its line", re.search(
        r"^::error file=\S*Tests/Unit/TestRunsTests/Trials.swift,line=\d+,title=Trials/crashes", run.log, re.M), run.log)
    check("a crash fails the job", run.failed and run.results["status"] == "1", run.log)
    files = sorted(file.name for file in pathlib.Path(run.used[0][1]["path"]).iterdir())
    check("the artifact has the output and the results", files == ["tests.txt", "tests.xml"], files)
    check("the output is in the log and in the artifact", "error crash-cause" in run.log and
          "error crash-cause" in (pathlib.Path(run.used[0][1]["path"]) / "tests.txt").read_text(), run.log)
    check("the summary names the test", "crashed: Trials/crashes()" in run.summary, run.summary)
    run = Run(job, {"tests": f"MAINSTAY_TRIAL=none {bundle}", "files": "logs of a job/*.log"})
    check("tests that pass fail nothing", not run.failed and run.results["status"] == "0", run.log)
    check("the files are read too", "hop-storm" in run.summary and "::warning" in run.log, run.summary)
    run = Run(job, {})
    check("an action without tests and files fails", run.failed and "neither the input tests" in run.log, run.log)


def check_nothing():
    job = workspace("empty")
    run = Run(job, {"files": "*.log"})
    check("no file is a failure that says so", run.failed and "::error title=crashscan::no file matches *.log" in run.log, run.log)
    run = Run(job, {"files": "*.log", "allow-empty": "true"})
    check("allow-empty accepts that", not run.failed and run.results["status"] == "0", run.log)
    run = Run(job, {"files": "*.log"}, path="/usr/bin:/bin")
    check("a runner without crashscan is told", run.failed and "crashscan is not in PATH" in run.log, run.log)


def check_hostile_names():
    job = workspace("names")
    evil = job / "$(touch owned) ::error::x.log"
    evil.write_bytes(b"neither")
    run = Run(job, {"files": "*.log"})
    lines = [line for line in run.log.splitlines() if line.startswith("::")]
    check("the name of a file is no command", not (job / "owned").exists() and len(lines) == 1, run.log)


shutil.rmtree(SCRATCH, ignore_errors=True)
SCRATCH.mkdir(parents=True)
for part in (check_findings, check_bars, check_tests, check_nothing, check_hostile_names):
    part()
sys.exit(bool(FAILED))
