"""Runs samples/Gtk with its bug and without, alone and under `crashscan run --gtk`, and checks what crashscan finds.

sample.py PROGRAMS SCRATCH   where PROGRAMS holds crashscan and the sample's program.
"""
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from screen import Screen

ROOT = pathlib.Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "samples/Gtk"
SOURCE = SAMPLE / "Sources/gtk-app/main.swift"
PATIENCE = 120


def line_of(text):
    """The number of the only line that contains the text."""
    (number,) = [number for number, line in enumerate(SOURCE.read_text().splitlines(), 1) if text in line]
    return number


class Sample:
    """One run of the program, up to the moment at which the window shows the size."""

    def __init__(self, programs, folder, screen, *, bug, watched=False):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self.programs, self.log, self.toolkit_log = programs, folder / "breadcrumbs.log", folder / "toolkit.log"
        # Under `crashscan run`, the program's own check must not contribute to the findings.
        environment = {**screen.environment, "MAINSTAY_POLICY": "ignore" if watched else "log,record"}
        command = [programs / "crashscan", "run", "--gtk", "--log", self.toolkit_log, "--"] if watched else []
        with (folder / "errors").open("w") as errors:
            process = subprocess.Popen(
                [*command, programs / "gtk-app", *(["--bug"] if bug else [])], cwd=folder, env=environment,
                stdout=errors, stderr=errors)  # fmt: skip
        end = time.monotonic() + PATIENCE
        while not self.has_shown() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        self.status = process.wait(PATIENCE)
        self.errors = (folder / "errors").read_text()

    def crashscan(self, *words):
        return subprocess.run([self.programs / "crashscan", *words], capture_output=True, text=True).stdout

    def has_shown(self):
        return "window: shown" in self.crashscan("show", self.log)

    def findings(self, log):
        """Each rule with the file and the line of the culprit, and the finding's JSON."""
        report = json.loads(self.crashscan("report", "--format", "json", log))
        found = []
        for finding in report["findings"]:
            culprit = finding.get("culprit") or {}
            place = pathlib.Path(culprit.get("file") or "").name, culprit.get("line")
            found.append((finding["rule"], *place, json.dumps(finding, ensure_ascii=False)))
        return found


def main():
    programs, scratch = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    subprocess.run([ROOT / "scripts/preload", programs / "libmainstay-toolkit.so"], check=True)
    scratch.mkdir(parents=True, exist_ok=True)
    failed = []

    def check(what, holds, *seen):
        print(("  holds: " if holds else "  FAILS: ") + what, flush=True)
        if not holds:
            failed.append(what)
            print("    seen:", *seen, sep="\n    ", flush=True)

    def finds(what, sample, log, rule, text, *told):
        found = sample.findings(log)
        expected = [(rule, "main.swift", line_of(text))]
        check(f"{what}: {rule} in line {expected[0][2]}, and nothing else", [one[:3] for one in found] == expected,
              *found, sample.errors)  # fmt: skip
        check(f"{what}: with {', '.join(told)}", found and all(word in found[0][3] for word in told), *found)

    with Screen(scratch / "screen") as screen:
        right = Sample(programs, scratch / "right", screen, bug=False, watched=True)
        check("without the bug, the window shows the size", right.has_shown() and right.status == 0, right.status, right.errors)
        for log in (right.log, right.toolkit_log):
            found = right.findings(log)
            check(f"without the bug, nothing is found in {log.name}", found == [], *found, right.errors)
        wrong = Sample(programs, scratch / "bug", screen, bug=True)
        finds("with the bug", wrong, wrong.log, "wrong-executor", "// the bug", "com.example.files", "thread “GTK”")
        check("with the bug, the program says so itself", f"main.swift:{line_of('label changes')}" in wrong.errors, wrong.errors)
        watched = Sample(programs, scratch / "watched", screen, bug=True, watched=True)
        finds("under crashscan run --gtk", watched, watched.toolkit_log, "toolkit-off-thread", "gtk_label_set_text(",
              "GtkLabel", "// the bug", "g_idle_add")  # fmt: skip
        found = watched.findings(watched.log)
        check("and without a check in the program", found == [] and "violation" not in watched.errors, *found, watched.errors)
    shown = f"main.swift:{line_of('// the bug')}", f"main.swift:{line_of('gtk_label_set_text(')}"
    check(f"README.md shows {' and '.join(shown)}", all(place in (SAMPLE / "README.md").read_text() for place in shown))
    sys.exit(bool(failed))


main()
