"""The bug bank through `crashscan repro`: each program with its bug runs and is recorded, and a test is written from
its log. Does that compile as it is, and fail? With the program in the stand-in's place, does it fail with the bug and
pass with the fix, and how many lines did that take?
"""

import difflib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
# What is no part of a client: programs.
APART = {"crashscan", "HopShimGenerator"}
LIBRARIES = ["-lc", "-lgcc_s", "-ldw", "-lelf", "-lsimdjson", "-lcapstone", "-lstdc++"]
RUNNER = """import Testing

@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
"""
TITLE = re.compile(r'@Test\("finding \d+: ([a-z-]+)"\)')
IMPORT = ("import Breadcrumbs", "import Breadcrumbs\nimport BugBank")
# What a person edits, besides importing the module: the stand-in, and how it is called back.
EDITS = {
    "labelOffMain": [("StandIn()", "PriceBoard()"), ("subject.calledBack()", "subject.received(3)")],
    "labelInAStorm": [("StandIn()", "PriceBoard()"), ("subject.calledBack()", "subject.received(3)")],
    "layoutInBackground": [
        ("StandIn()", "BackgroundFeed()"), ("subject.calledBack()", "subject.received()"),
        ("subject.lifecycle($0)", "subject.follow(isInBackground: $0 == .didEnterBackground)")],
    "delegateTraps": [("StandIn()", "StoreDelegate()"), ("subject.calledBack()", "subject.received()")],
    "trapBehindAQueue": [("StandIn()", "Importer()"), ("subject.calledBack()", "subject.received()")],
    "notifiedOffMain": [
        ("StandIn()", "Badge()"),
        ("subject.calledBack()", "subject.notifications.post(name: Badge.changed, object: nil)")],
    "backgroundTaskLeaks": [
        ("StandIn()", "Upload()"),
        ("{ subject.calledBack(app) }", '{ let task = app.beginBackgroundTask("upload") { subject.expired() }\n'
         "    subject.began { task.end() } }")],
    "rowsOffTheirQueue": [("StandIn()", "RowStore()"), ("subject.calledBack()", "subject.received()")],
    "ledgerOutsideItsActor": [("StandIn()", "Ledger()"), ("subject.calledBack()", "subject.received()")],
    "changedWhileTold": [("StandIn()", "Listeners()"), ("subject.calledBack()", "subject.changed()")],
    "resumedTwice": [
        ("StandIn()", "Request()"), ("subject.calledBack()", "subject.timedOut()"),
        ("subject.asked()", "subject.send()")],
    "mainWaitsForMain": [("StandIn()", "SyncedList()"), ("subject.calledBack()", "subject.received()")],
}
MOST_LINES = 4


def run(command, **variables):
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")


def written(programs, name, folder):
    """The test that is written from a log of the program, or why there is none."""
    log = folder / f"{name}.log"
    run([programs / "bank-recording", name, log], MAINSTAY_BUG="1")
    done = run([programs / "crashscan", "repro", log])
    if done.returncode == 0:
        return done.stdout, None
    reason = done.stderr.strip().split(": ", 2)[-1]
    return None, reason if done.returncode == 3 else f"status {done.returncode}: {reason}"


def edited(name, text):
    for before, after in [IMPORT, *EDITS.get(name, [])]:
        text = text.replace(before, after, 1)
    return text


def lines_edited(before, after):
    blocks = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for kind, a, b, c, d in blocks if kind != "equal")


class Client:
    """A program of tests, built against the modules of a build."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        (folder / "main-runner.swift").write_text(RUNNER)
        self.files = [folder / "main-runner.swift"]

    def add(self, name, text):
        path = self.folder / f"{name}.swift"
        # Named as the file is, to be told from the others in what is printed.
        path.write_text(TITLE.sub(f'@Test("{name}")', text))
        self.files.append(path)

    def build(self):
        """Which of the files do not compile; they are left out."""
        swiftc = shutil.which("swiftc")
        targets = [path for path in (ROOT / "Sources").glob("*/*") if path.name not in APART]
        imports = ["-plugin-path", pathlib.Path(swiftc).resolve().parents[1] / "lib/swift/host/plugins/testing", "-I", self.programs / "Modules"]
        objects = []
        for target in targets:
            built = self.programs / f"{target.name}.build"
            if (built / "module.modulemap").exists():
                imports += ["-Xcc", f"-I{target / 'include'}",
                            "-Xcc", f"-fmodule-map-file={built / 'module.modulemap'}"]
            # A build folder keeps the objects of sources that were removed.
            sources = {path.name for path in target.rglob("*")}
            objects += [path for path in built.rglob("*.o") if path.name.removesuffix(".o") in sources]
        objects += (self.programs / "BugBank.build").rglob("*.o")
        bad = set()
        while True:
            files = [path for path in self.files if path.stem not in bad]
            done = run([swiftc, "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-Onone",
                        "-package-name", ROOT.name.lower(), "-module-name", "BankClient", "-o", self.folder / "client",
                        *imports, *files, *objects, *LIBRARIES])
            if done.returncode == 0:
                return bad
            found = {pathlib.Path(path).stem for path in re.findall(r"^(\S+\.swift):\d+:\d+: error", done.stderr, re.M)}
            if not found - bad:
                raise SystemExit(done.stderr)
            bad |= found
            print(done.stderr)

    def passes(self, bug):
        """Whether the test of each file passes."""
        done = run([self.folder / "client", "--testing-library", "swift-testing"], MAINSTAY_BUG="1" if bug else "0")
        verdicts = re.findall(r'Test "(\w+)" (passed|failed) after', done.stdout + done.stderr)
        if not verdicts:
            raise SystemExit(f"the tests did not run: {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
        return {name: verdict == "passed" for name, verdict in verdicts}


def word(is_so):
    return "yes" if is_so else "NO"


def table(programs, names):
    """Prints the table; the answer says what is wrong in it."""
    wrong, rows, tests = [], [], {}
    with tempfile.TemporaryDirectory(prefix="mainstay-bank-") as path:
        folder = pathlib.Path(path)
        client = Client(programs, folder)
        for name in names:
            text, reason = written(programs, name, folder)
            if text is None:
                rows.append(f"| {name} | none: {reason} | | | | | |")
                if name in EDITS:
                    wrong.append(f"{name}: no test was written: {reason}")
                continue
            tests[name] = (text, edited(name, text))
            client.add(f"{name}Written", text)
            client.add(f"{name}Edited", tests[name][1])
        bad = client.build()
        with_bug, with_fix = client.passes(True), client.passes(False)
        for name, (text, mine) in tests.items():
            rule = TITLE.search(text)[1]
            facts = [
                f"{name}Written" not in bad, with_fix.get(f"{name}Written") is False,
                with_bug.get(f"{name}Edited") is False, with_fix.get(f"{name}Edited") is True]
            lines = lines_edited(text, mine)
            rows.append(f"| {name} | {rule} | {word(facts[0])} | {word(facts[1])} | {lines} | {word(facts[2])} | "
                        f"{word(facts[3])} |")
            if not all(facts) or lines > MOST_LINES:
                wrong.append(f"{name}: {rows[-1]}")
    print("| program | finding | compiles unchanged | fails unchanged | lines edited | fails with the bug | "
          "passes with the fix |")
    print("|---" * 7 + "|")
    print("\n".join(rows))
    for line in wrong:
        print(f"bugbank: {line}")
    print(f"bugbank: {len(tests)} tests written of {len(names)} programs, {len(wrong)} wrong")
    return wrong
