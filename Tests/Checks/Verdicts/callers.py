"""Compares the async callers of a death with those that Swift's own backtracer finds in it.

Both look at the same death: our handler records it and hands it on to Swift's, which asks the backtracer.
"""

import dataclasses
import json
import pathlib
import shutil
import subprocess

import service

# Beside the compiler; a program that brings the runtime with it does not find it.
BACKTRACER = pathlib.Path(shutil.which("swift") or "").resolve().parents[1] / "libexec/swift/linux/swift-backtrace"
# As many frames as a crash of ours has at most, and no others kept for the end.
FRAMES = 512
SETTINGS = ("enable=yes,format=json,symbolicate=off,threads=crashed,images=none,interactive=no,color=no,"
            f"limit={FRAMES},top=0,swift-backtrace={BACKTRACER},output-to=")  # fmt: skip


@dataclasses.dataclass
class Comparison:
    ours: list
    theirs: list

    @property
    def same(self):
        """How many agree, from the innermost on."""
        return next((i for i, (a, b) in enumerate(zip(self.ours, self.theirs)) if a != b),
                    min(len(self.ours), len(self.theirs)))  # fmt: skip

    @property
    def missing(self):
        return len(self.theirs) - self.same

    @property
    def invented(self):
        """Those of ours where it has others; where its own end, it has lost what ours go on with."""
        return len(self.ours) - self.same if self.missing else 0

    @property
    def is_wrong(self):
        return self.missing > 0 or self.invented > 0

    @property
    def only_ours(self):
        return len(self.ours) - self.same - self.invented


def run(row, program, crashscan, folder):
    """The comparison of a row that crashes; None where the backtracer said nothing."""
    said = folder / "backtrace.json"
    environment = {**service.ENVIRONMENT, "SWIFT_BACKTRACE": SETTINGS + str(said)}
    log, failure = service.run(program, folder, row, [], environment)
    if failure or not said.exists():
        return None
    shown = subprocess.run([crashscan, "show", "--format", "json", log], capture_output=True, text=True)
    crash = json.loads(shown.stdout)["crash"] or {}
    stack = (crash.get("thread") or {}).get("stack") or {"frames": []}
    ours = [int(frame["address"], 16) for frame in stack["frames"] if frame["isAsyncCaller"]]
    threads = [thread for thread in json.loads(said.read_text())["threads"] if thread.get("crashed")]
    theirs = [int(frame["address"], 16) for frame in threads[0]["frames"]
              if frame["kind"] == "asyncResumePoint"]  # fmt: skip
    return Comparison(ours, theirs)


def sums(comparisons):
    """The sums of comparisons, as (name, value)."""
    some = [one for one in comparisons if one.ours or one.theirs]
    return [
        ("deaths compared with Swift's backtracer", len(comparisons)),
        ("deaths with async callers", len(some)),
        ("async callers in both", sum(one.same for one in some)),
        ("missing from ours", sum(one.missing for one in some)),
        ("invented by ours", sum(one.invented for one in some)),
        ("lost by the backtracer", sum(one.only_ours for one in some)),
    ]
