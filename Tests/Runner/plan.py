"""What there is to run: `short` is what `make test` runs, `whole` what `make test-all` does."""

import re
import subprocess

from job import Job, SwiftTests, XCTests

MAKE = ["make", "--no-print-directory", "-s"]


class Places:
    """Where things are; all builds of the packages here share one folder."""

    def __init__(self, root, build, programs):
        self.root, self.build, self.programs = root, build, programs
        self.release = programs.parent / "release"
        self.static = build / "static" / programs.parent.name / "release"
        self.scratch = build / "tests"
        self.logs = self.scratch / "logs"

    def script(self, name, *arguments):
        return [str(self.root / name), *map(str, arguments)]


def short(places):
    """The tests of every target, without those that say that they are long; and one way from end to end
    for each promise: among them are a kill (TortureTests), a victim for each signal (DeathTests) and reports
    of others (ReportReadingTests)."""
    built = ("programs",)
    return [
        Job("programs", [*MAKE, "build-programs"], builds=True),
        page(places, "test_it_finds_what_the_data_have", after=built),
        *swift_tests(places, {"MAINSTAY_TESTS": "short"}),
        interface(places),
        Job("client", [str(places.root / "Tests/EndToEnd/ClientPackage/run"), str(places.programs / "client")],
            after=built),
        sample(places, "StoreProducts", after=built),
        demo(places, after=built),
    ]  # fmt: skip


def whole(places):
    """Everything there is, with one short way through each of the long checks."""
    return [
        # Builds come first, one after the other; what takes longest or has most that stands on it before the rest.
        Job("release", [*MAKE, "build-release"], builds=True),
        Job("servers", places.script("Tests/Integrations/integrations", places.build), builds=True),
        Job("fuzz", [*MAKE, "check-fuzz", "FUZZ_SECONDS=1"], builds=True),
        Job("small-containers", [*MAKE, "test-small-containers"], builds=True),
        Job("static", [*MAKE, "build-static"], after=("small-containers",), builds=True),
        Job("client", [str(places.root / "Tests/EndToEnd/ClientPackage/run"), "dynamic", "static"], builds=True),
        Job("client-shim", [str(places.root / "Tests/Unit/HopShimTests/client")], builds=True),
        Job("shims-of-samples", [*MAKE, "check-shims"], builds=True),
        Job("bench-smoke", [*MAKE, "bench-smoke"], after=("release", "servers"), builds=True),
        # What the optimizer has not seen takes a quarter of an hour for logs that grow.
        Job("hostile", places.script(
            "Tests/Checks/Hostile/hostile", places.build / "hostile-short", places.release, "short"), after=("release",)),
        SwiftTests(
            bundle(places, "samples"), "", places.logs, {}, only=".*", name="samples-tests"),
        *swift_tests(places, {}),
        Job("integrations", places.script(
            "Tests/Integrations/integrations", places.build, places.programs / "crashscan"), after=("servers",)),
        page(places),
        Job("samples", places.script(
            "scripts/samples", places.build / "samples-run", places.programs,
            places.programs / "crashscan")),
        demo(places),
        Job("readme", places.script("Tests/EndToEnd/Readme/check-readme")),
        interface(places),
        Job("docs", places.script("scripts/docs", places.programs, places.scratch / "docs")),
        Job("readme-service", places.script(
            "Tests/EndToEnd/Readme/run-readme", places.build / "readme", places.programs / "readme-service",
            places.programs / "crashscan")),
        Job("loopback-session", [str(places.programs / "loopback-session")]),
        Job("trace", places.script("Tests/EndToEnd/Traces/traces", places.build, places.programs)),
        Job("watch", ["python3", "Tests/EndToEnd/Watch/check.py", str(places.programs)]),
        Job("deaths", places.script(
            "Tests/EndToEnd/Deaths/deaths", places.build / "tools/bin/python3", places.programs, places.scratch / "deaths")),
        Job("pages", ["python3", "Tests/EndToEnd/Pages/pages.py", str(places.programs), "check"]),
        Job("action", [
            "python3", "Tests/EndToEnd/Action/check.py", str(places.programs), str(places.build / "tools/bin/python3"),
            str(places.scratch / "action")]),
        Job("editors", ["python3", "Tests/EndToEnd/Editors/check.py", str(places.programs)]),
        Job("run", [
            "python3", "Tests/EndToEnd/Run/check.py", str(places.build), str(places.programs)],
            after=("servers",)),
        Job("toolkit", [
            "python3", "Tests/EndToEnd/Toolkit/check.py", str(places.programs), str(places.scratch / "toolkit")]),
        Job("fleet", places.script("Tests/EndToEnd/Fleet/fleet", places.build, places.programs, places.scratch / "fleet", "check")),
        Job("fixes", [
            "python3", "Tests/Checks/Fixes", str(places.build), str(places.programs), "examples"]),
        Job("bugbank", ["python3", "Tests/Checks/BugBank", str(places.programs), "1"]),
        Job("model", [*MAKE, "test-model"]),
        Job("walk-in-c", places.script("Tests/Checks/WalkInC/walk-in-c", "--if-there", 1)),
        Job("runner", ["python3", "Tests/Runner/check.py"]),
        # What must not depend on the optimizer.
        Job("torture-kills", [str(places.release / "torture"), "run", "50"], after=("release",)),
        Job("torture-live", [str(places.release / "torture"), "live", "2"], after=("release",)),
        Job("torture-damage", [str(places.release / "torture"), "damage", "1"], after=("release",)),
        Job("async-truth", [str(places.programs / "async-truth"), "4000"]),
        Job("async-truth-release", [str(places.release / "async-truth"), "4000"], after=("release",)),
        Job("wording", places.script("Tests/Checks/Wording/wording", places.build, places.programs)),
        Job("hot-path", [str(places.release / "hot-path")], after=("release",)),
        SwiftTests(
            bundle(places), "ThreadAffinityTests", places.logs,
            {"MAINSTAY_TEST_RECORDS": str(places.release / "affinity-records")},
            only="RecordTests", name="records-release", after=("release",)),
        SwiftTests(
            bundle(places), "CrashCaptureTests", places.logs,
            {"MAINSTAY_TEST_WAITING": str(places.release / "waiting")},
            only="WaitingTaskTests", name="waiting-release", after=("release",)),
        SwiftTests(
            bundle(places), "CrashCaptureTests", places.logs,
            {"MAINSTAY_TEST_WAITING": str(places.static / "waiting")},
            only="WaitingTaskTests", name="waiting-static", after=("static",)),
        SwiftTests(
            bundle(places), "BlockingCallsTests", places.logs,
            {"MAINSTAY_TEST_BLOCKING": str(places.release / "blocking")},
            name="blocking-release", after=("release",)),
        SwiftTests(
            bundle(places), "BlockingCallsTests", places.logs,
            {"MAINSTAY_TEST_BLOCKING": str(places.static / "blocking"), "MAINSTAY_TEST_STATIC": "1"},
            name="blocking-static", after=("static",)),
        Job("verdicts", places.script(
            "Tests/Checks/Verdicts/verdicts", places.build, places.programs / "crashscan", "short"), after=("servers",)),
    ]  # fmt: skip


# The long checks, and the job of `whole` that runs a short version of each.
SHORT_WAYS = {
    "steady": "runner",
    "torture": "torture-kills",
    "model": "model",
    "fuzz": "fuzz",
    "hostile": "hostile",
    "victims": "CrashCaptureTests",
    "walk": "CRecorderWalkTests",
    "walk-in-c": "walk-in-c",
    "async-truth": "async-truth",
    "accuracy": "ReportReadingTests",
    "verdicts": "verdicts",
    "fixes": "fixes",
    "bugbank": "bugbank",
    "desktop": "toolkit",
    "fleet": "fleet",
    "interface": "interface",
    "pages": "pages",
    "docs": "docs",
    "small-containers": "small-containers",
    "integrations": "integrations",
}
# These unpack other systems, build everything again, read what is installed, draw pictures, or need Prometheus.
NO_SHORT_WAY = {"swift-versions", "recording-in-c", "platforms", "sanitizers", "prose", "pictures", "package", "alerts"}


def bundle(places, package="mainstay"):
    return str(places.programs / f"{package}PackageTests.xctest")


# One after the other, the tests of a target take as long as they wait.
WAIT_LONGEST = {"AffinityTestingTests", "CrashAnalysisTests", "CrashCaptureTests", "CrashscanOutputTests"}
PARTS = {"AffinityTestingTests": {"storms": "InTurn", "others": "(?!InTurn)"}}


def swift_tests(places, environment):
    """A process for each target or part of it: first those whose tests wait longest, then those with most tests."""
    jobs = []
    for target in targets(places):
        for part, only in PARTS.get(target, {None: ""}).items():
            name = f"{target}-{part}" if part else target
            jobs.append(SwiftTests(bundle(places), target, places.logs, environment, only=only, name=name))
    return [*jobs, XCTests(bundle(places), environment)]


def chosen(jobs, names):
    """The jobs of these names, and those that they stand on. The name of a target stands for all of its parts."""
    wanted = {*names, *(f"{target}-{part}" for target in names for part in PARTS.get(target, ()))}
    for job in reversed(jobs):
        if job.name in wanted:
            wanted.update(job.after)
    return [job for job in jobs if job.name in wanted]


def targets(places):
    listed = subprocess.run(
        [bundle(places), "--testing-library", "swift-testing", "--list-tests"],
        check=True, capture_output=True, text=True).stdout  # fmt: skip
    names = [line.split(".")[0] for line in listed.splitlines() if re.match(r"\w+\.", line)]
    return sorted(set(names), key=lambda name: (name in WAIT_LONGEST, names.count(name)), reverse=True)


def interface(places):
    return Job("interface", places.script("Tests/Checks/Interface/interface", "check", places.programs))


def page(places, *tests, after=()):
    return Job("page", places.script("Tests/EndToEnd/Timeline/timeline", places.build, places.programs, *tests), after=after)


def demo(places, after=()):
    return Job("demo", places.script(
        "Tests/EndToEnd/Readme/check-demo", places.build / "demo", places.programs / "demo-service",
        places.programs / "crashscan"), after=after)  # fmt: skip


def sample(places, name, after):
    return Job("sample", places.script(
        "scripts/samples", places.build / "samples-run", places.programs, places.programs / "crashscan",
        "--check", name), after=after)  # fmt: skip


PLANS = {"short": short, "whole": whole}
