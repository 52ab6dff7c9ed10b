"""Builds and runs the benchmarks: `scripts/bench [--smoke] [NAME…]`, as `make bench` does. ../README.md describes it."""

import os
import pathlib
import sys

import benchmarks
import command
from run import Run

# Minutes after which no benchmark is repeated.
MINUTES = 25


def main(*arguments):
    is_smoke = "--smoke" in arguments
    names = [name for name in arguments if name != "--smoke"]
    root = pathlib.Path(__file__).resolve().parents[4]
    try:
        chosen = benchmarks.chosen(root, names)
    except KeyError as error:
        sys.exit(f"bench: no benchmark {error}; they are {', '.join(one.name for one in benchmarks.all_of(root))}")
    environment = benchmarks.environment(root) | (benchmarks.SMOKE if is_smoke else {})
    run = Run(root / ".build", "bench-smoke" if is_smoke else "bench", environment)
    return run.all_of(chosen, minutes=0 if is_smoke else float(os.environ.get("BENCH_MINUTES", MINUTES)))


if __name__ == "__main__":
    command.handle_signals()
    sys.exit(main(*sys.argv[1:]))
