"""Applies what crashscan proposes, compiles it, runs it, and sees whether the fault is gone.

    python3 Tests/Checks/Fixes BUILD PROGRAMS

Subjects are every misbehaving program, every sample and every rule's example. For which of their findings
code is expected is in `expected`, written beforehand: a sentence there is a failure.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from apply import apply, edits
from examples import examples, program

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
# What a program must not come to by a fix: a crash is not to be traded for a hang.
HANGS = {"main-blocked", "sync-deadlock", "pool-blocked", "queue-blocked", "loop-blocked", "unclean-end"}
# It uses up all memory that there is.
LEFT_OUT = {"out-of-memory"}


class Subject:
    """A program that goes wrong, by the command that runs it and where its sources are copied to."""

    def __init__(self, name, command, places):
        self.name, self.command, self.places = name, command, places
        self.before, self.after = [], []
        self.culprits = set()  # of all findings whose edits were applied

    def run(self, programs, crashscan, scratch):
        log = scratch / (self.name.replace("/", "-") + ".log")
        for old in scratch.glob(log.stem + "*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        command = [part.replace("LOG", str(log)) for part in self.command]
        command[0] = str(programs / command[0])
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})  # fmt: skip
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said = subprocess.run(
            [str(crashscan), str(log), "--format", "json"], capture_output=True, text=True)
        return json.loads(said.stdout)["findings"]

    def copy_of(self, path):
        """Where the copy of a source file is; a copy is its own."""
        for place, copy in self.places:
            if Path(path).is_relative_to(copy):
                return Path(path)
            if Path(path).is_relative_to(place):
                return copy / Path(path).relative_to(place)
        raise ValueError(f"{self.name}: an edit of {path}, which is not its own")

    def elsewhere(self):
        """What was found after the edits, if all of it is in places that none of them was for."""
        found = [f for f in self.after if f["fix"]["edits"]]
        return [] if any(culprit(f) in self.culprits for f in found) else found

    def rules(self, findings, with_code):
        return sorted({f["rule"] for f in findings if bool(f["fix"]["edits"]) == with_code})


def swift(*arguments):
    run = subprocess.run(["swift", "build", "--disable-build-manifest-caching", *arguments],
                         capture_output=True, text=True)  # fmt: skip
    if run.returncode != 0:
        errors = re.findall(r"^.*error:.*(?:\n(?![/\[]).*){0,6}", run.stdout, re.M)
        print("\n".join(errors[:20]) or run.stdout[-3000:] + run.stderr[-2000:])
        sys.exit("fixes: what was applied does not compile")


def package(tree, programs):
    """A package of copies: of the misbehaving program, of the examples, or of both."""
    tree.mkdir(parents=True, exist_ok=True)
    products = ["ThreadAffinity", "Breadcrumbs", "CrashCapture", "BlockingCalls"]
    needs = ", ".join(f'.product(name: "{name}", package: "mainstay")' for name in products)
    targets = "".join(
        f'    .executableTarget(name: "{name}", dependencies: [{needs}]),\n' for name in programs)
    (tree / "Package.swift").write_text(f"""// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "fixes",
  dependencies: [.package(name: "mainstay", path: "{ROOT}")],
  targets: [
{targets}  ])
""")


def copy(source, target):
    """Copies sources, and leaves alone what is the same: it need not be compiled again."""
    for path in [p for p in source.rglob("*") if p.is_file()]:
        to = target / path.relative_to(source)
        if not to.exists() or to.read_bytes() != path.read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)


def main(build, programs, only):
    crashscan, scratch = programs / "crashscan", build / "fixes" / "logs"
    tree = build / "fixes" / "tree"
    scratch.mkdir(parents=True, exist_ok=True)
    package(tree, [name for name in ("misbehave", "examples") if name in only])
    subjects, built = [], {}

    if "misbehave" in only:
        copy(ROOT / "Tests/Programs/Misbehave", tree / "Sources/misbehave")
        usage = subprocess.run([programs / "misbehave"], capture_output=True, text=True).stdout
        for way in re.findall(r"^  ([a-z-]+)$", usage, re.M):
            if way not in LEFT_OUT:
                places = [(ROOT / "Tests/Programs/Misbehave", tree / "Sources/misbehave")]
                subject = Subject("misbehave/" + way, ["misbehave", way, "wrong", "LOG"], places)
                subject.before = subject.run(programs, crashscan, scratch)
                subjects.append(subject)
        built["misbehave"] = tree
    if "examples" in only:
        rules = subprocess.run([crashscan, "rules", "--markdown"], capture_output=True, text=True).stdout
        target = tree / "Sources/examples"
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE / "Prelude.swift", target / "Prelude.swift")
        found = examples(rules)
        (target / "main.swift").write_text(program(found))
        swift("--package-path", tree, "--scratch-path", build / "fixes/build", "--product", "examples")
        for rule in found:
            subject = Subject("examples/" + rule, ["examples", rule, "LOG"], [(target, target)])
            subject.before = subject.run(build / "fixes/build/debug", crashscan, scratch)
            subjects.append(subject)
        built["examples"] = tree
    if "samples" in only:
        samples = tree.parent / "samples"
        copy(ROOT / "samples", samples)
        manifest = samples / "Package.swift"
        manifest.write_text(manifest.read_text().replace('path: ".."', f'path: "{ROOT}"'))
        for expected in sorted((ROOT / "samples").glob("*/expected")):
            name = re.search(r"^program: *(.*)$", expected.read_text(), re.M)[1]
            subject = Subject(
                "samples/" + expected.parent.name, [name, "--bug", "--log", "LOG"],
                [(ROOT / "samples", samples)])  # fmt: skip
            subject.before = subject.run(programs, crashscan, scratch)
            subjects.append(subject)
            built[name] = samples

    change({subject: subject.before for subject in subjects}, built, build)
    for subject in subjects:
        if subject.rules(subject.before, True):
            subject.after = subject.run(build / "fixes/build/debug", crashscan, scratch)
    # A program that gets further may meet a second fault of the kind, in a place that it never came to.
    further = {subject: subject.elsewhere() for subject in subjects}
    further = {subject: found for subject, found in further.items() if found}
    if further:
        change(further, built, build)
        for subject in further:
            print(f"{subject.name}: went further, to a fault in another place; that was fixed too")
            subject.after = subject.run(build / "fixes/build/debug", crashscan, scratch)
    return tell(subjects, only)


def change(findings, built, build):
    """Applies the edits that are proposed for each subject, and compiles what they are in."""
    files = {}
    for subject, found in findings.items():
        subject.culprits |= {culprit(f) for f in found}
        for path, changes in edits(found).items():
            known = files.setdefault(subject.copy_of(path), [])
            known += [change for change in changes if change not in known]
    for path, changes in files.items():
        apply(path, changes)
    for product, where in built.items():
        swift("--package-path", where, "--scratch-path", build / "fixes/build", "--product", product)


def culprit(finding):
    return finding["rule"], (finding["culprit"] or {}).get("function")


def tell(subjects, only):
    """Prints what became of what was changed, and says whether all is as expected."""
    lines = (HERE / "expected").read_text().splitlines()
    lines = [line.split(" ", 2) for line in lines if line and not line.startswith("#")]
    lines = [line for line in lines if line[0].split("/")[0] in only]
    wanted = {tuple(line) for line in lines if len(line) == 2}
    harmful = [line for line in lines if len(line) == 3]
    applied, sentences, wrong = 0, 0, []
    for subject in subjects:
        code = subject.rules(subject.before, True)
        words = [rule for rule in subject.rules(subject.before, False) if rule not in code]
        sentences += len(words)
        left = {f["rule"] for f in subject.after}
        for rule in code:
            applied += 1
            if rule in left:
                wrong.append(f"{subject.name}: the fix of {rule} was applied, and it is still found")
            elif (subject.name, rule) not in wanted:
                wrong.append(f"{subject.name}: code for {rule}, which `expected` does not list")
        if code:
            hangs = (left - {f["rule"] for f in subject.before}) & HANGS
            wrong += [f"{subject.name}: with its fix it ends in {rule}" for rule in sorted(hangs)]
        for name, rule in sorted(wanted):
            # A finding with the cause of another one is folded into that one, whose fix is applied.
            is_told = rule in subject.rules(subject.before, False) or not code
            if name == subject.name and rule not in code and is_told:
                wrong.append(f"{name}: {rule} has a sentence, or is not found; code is expected")
        told = ", ".join(code) or "-"
        print(f"{subject.name:38} applied: {told:60} sentences: {', '.join(words) or '-'}")
    for name, rule, words in harmful:
        before = next(subject.before for subject in subjects if subject.name == name)
        said = [f["fix"] for f in before if f["rule"] == rule]
        if not said:
            wrong.append(f"{name}: {rule} is not found")
        wrong += [f"{name}: code for {rule}, which does harm" for fix in said if fix["edits"]]
        wrong += [f"{name}: “{words}” is not in “{fix['text']}”" for fix in said if words not in fix["text"]]
    missing = {name for name, _ in wanted} - {subject.name for subject in subjects}
    wrong += [f"{name} is expected and was not run" for name in sorted(missing)]
    print(f"{applied} fixes were applied and compiled; {sentences} are sentences; {len(wrong)} are wrong")
    for line in wrong:
        print("fixes:", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    kinds = sys.argv[3:] or ["misbehave", "examples", "samples"]
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), kinds))
