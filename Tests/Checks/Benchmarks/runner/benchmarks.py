"""The benchmarks, the commands that build each of them, and the variables of a short run."""

import dataclasses
import os
import pathlib
import shlex

# For a run that only shows that each benchmark still works: two rounds, small data.
SMOKE = {"BENCH_ROUNDS": "2", "BENCH_PAIRS": "2", "BENCH_STARTS": "1", "BENCH_SMALL": "1"}

# The exit status of a build or a benchmark whose packages or tools are not available.
LEFT_OUT = 3


@dataclasses.dataclass
class Benchmark:
    """A program, the commands that build it, and the least number of rows that it prints."""

    name: str
    program: list[str]
    builds: list[list[str]]
    rows: int = 1


def environment(root):
    """The variables of every benchmark."""
    return {"BENCH_CRASHSCAN": str(root / ".build/release/crashscan")}


def all_of(root):
    """The benchmarks, in the order in which they run."""
    here = root / "Tests/Checks/Benchmarks"
    build = root / ".build"

    def swift(*arguments, package=".", scratch=build):
        # All packages share a build folder, so that common sources are built once.
        flags = shlex.split(os.environ.get("SWIFTFLAGS", ""))
        command = ["swift", "build", "--disable-build-manifest-caching", "--package-path", str(root / package)]
        return [*command, "--scratch-path", str(scratch), "-c", "release", *arguments, *flags]

    def program(name, rows, wrapper=()):
        """A program of the package here."""
        built = swift("--product", f"{name}-bench", package=here)
        return Benchmark(name, [*wrapper, str(build / f"release/{name}-bench")], [built], rows)

    def package(name, rows, *builds, scratch=build):
        """A program of a package of its own."""
        built = swift(package=here / name, scratch=scratch)
        return Benchmark(name, [str(scratch / f"release/{name}-bench")], [*builds, built], rows)

    def script(name, rows, *builds):
        """A script that compares `crashscan` with other programs."""
        return Benchmark(name, [str(here / name / f"{name}-bench")], [crashscan, *builds], rows)

    crashscan = swift("--product", "crashscan")
    # Exits with LEFT_OUT if the packages of a server are not available.
    service = [str(root / "Tests/Integrations/service"), str(build), "optimized-tests"]
    return [
        program("crumbs", 144, wrapper=[str(here / "with-lttng"), str(build / "bench")]),
        program("walk", 46),
        program("affinity", 30),
        # The sources that this package links to are part of another package here, and need other flags.
        package("symbolication", 18, crashscan, scratch=build / "benchmarks-symbolication"),
        package("crash-capture", 12),
        script("analysis", 19, swift(package=here / "analysis")),
        script("console", 2),
        script("blocking", 3, service),
        script("toolkit", 2),
        Benchmark("server", [str(here / "server/server-bench")], [service], rows=35),
    ]


def chosen(root, names):
    """The benchmarks of these names, or all. Raises KeyError for an unknown name."""
    known = {benchmark.name: benchmark for benchmark in all_of(root)}
    return [known[name] for name in names] if names else list(known.values())
