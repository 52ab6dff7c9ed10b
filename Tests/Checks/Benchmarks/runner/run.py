"""A run of benchmarks, one after the other, with the results on disk after each."""

import json
import time

import benchmarks
import command
import machine
import results

# Seconds after which a benchmark is ended. The longest takes half of that.
LIMIT = 480


class Run:
    """Builds and runs benchmarks, and stores their results in `build/NAME.json`."""

    def __init__(self, build, name, environment):
        self.folder, self.path, self.environment = build / name, build / f"{name}.json", environment
        self.found = {}  # the results of each benchmark
        self.times = {}  # the seconds that each benchmark took to run
        self.start = time.monotonic()

    def all_of(self, chosen, minutes):
        """Runs all benchmarks, and repeats those with a large spread if they will have ended `minutes` after the start.
        Returns the exit status."""
        self.folder.mkdir(parents=True, exist_ok=True)
        described = machine.describe()
        say(machine.sentences(described))
        results.write(described, self.path.with_name(f"{self.path.stem}-machine.json"))
        self.write()
        status = 0
        try:
            for benchmark in chosen:
                self.measure(benchmark)
            for benchmark in self.worth_repeating(chosen):
                if self.seconds() + self.times[benchmark.name] <= minutes * 60:
                    self.repeat(benchmark)
        except command.Interrupted as signal:
            say(f"\nbench: ended by signal {signal.args[0]}")
            status = 128 + signal.args[0]
        self.write()
        return status or self.summarize()

    def measure(self, benchmark):
        """Builds and runs a benchmark, whose failure is a row of its results."""
        say(f"\n{benchmark.name}")
        found = self.found[benchmark.name] = []
        try:
            error, left_out = self.build(benchmark), False
            if error is None:
                error, left_out = self.run(benchmark, found)
        except command.Interrupted:
            found.append(results.failure(benchmark.name, "interrupted"))
            raise
        if error is not None:
            found.append(results.failure(benchmark.name, error, left_out))
        self.write()
        say(results.table(found))

    def build(self, benchmark):
        """Builds a benchmark. Returns the error, or None."""
        log = self.folder / f"{benchmark.name}-build.txt"
        seconds = processor = 0
        with open(log, "w") as output:
            for build in benchmark.builds:
                ended = command.run(build, output.write, echo=output)
                seconds, processor = seconds + ended.seconds, processor + ended.processor
                if ended.status not in (0, benchmarks.LEFT_OUT):
                    output.flush()
                    return f"not built: {first_error(log.read_text())} (all of it: {log})"
        if benchmark.builds:
            say(f"built in {seconds:.0f} s, {processor:.0f} s of processor time")
        return None

    def run(self, benchmark, found):
        """Appends the results of a benchmark to `found`. Returns the error and whether the benchmark was left out."""
        errors = []

        def append(line):
            try:
                found.append(results.result(benchmark.name, json.loads(line)))
            except ValueError as error:
                errors.append(str(error))

        ended = command.run(benchmark.program, append, self.environment, self.folder, limit=LIMIT)
        self.times[benchmark.name] = ended.seconds
        others = f"other processes used {ended.others:.2f} processors"
        say(f"ran {ended.seconds:.0f} s, {ended.processor:.0f} s of processor time; {others}"
            + (": not comparable with other runs" if ended.others > machine.QUIET else ""))  # fmt: skip
        for result in found:
            result["others"] = round(ended.others, 2)
        if ended.status == benchmarks.LEFT_OUT:
            return ended.last_line, True
        if ended.status != 0:
            return f"exit status {ended.status}: {ended.last_line}", False
        if not errors and len(found) < benchmark.rows:
            errors = [f"printed {len(found)} rows, expected at least {benchmark.rows}"]
        return "; ".join(errors[:3]) or None, False

    def worth_repeating(self, chosen):
        """The benchmarks with a large spread, the largest first."""
        spread = {one.name: results.largest_spread(self.found[one.name]) for one in chosen if not self.failed(one.name)}
        large = [one for one in chosen if spread.get(one.name, 0) > results.SPREAD]
        return sorted(large, key=lambda one: spread[one.name], reverse=True)

    def repeat(self, benchmark):
        """Runs a benchmark again, and keeps the run whose largest spread is smaller."""
        first, again = self.found[benchmark.name], []
        spread = results.largest_spread(first)
        say(f"\n{benchmark.name}, again: its largest spread is ±{spread:.0%}, more than {results.SPREAD:.0%}")
        error, _ = self.run(benchmark, again)
        if error is None and results.largest_spread(again) < spread:
            self.found[benchmark.name] = again
        else:
            say(f"The first run is kept{f', because the second failed: {error}' if error else ''}.")
        for result in self.found[benchmark.name]:
            result["repeated"] = True
        self.write()
        say(results.table(self.found[benchmark.name]))

    def failed(self, name):
        return any(result["error"] is not None for result in self.found[name])

    def rows(self):
        return [result for found in self.found.values() for result in found]

    def write(self):
        results.write(self.rows(), self.path)

    def seconds(self):
        return time.monotonic() - self.start

    def summarize(self):
        """Prints the last lines. Returns the exit status: 1 if a benchmark failed."""
        rows = self.rows()
        judged = [result["met"] for result in rows if result["met"] is not None]
        failed = [result for result in rows if result["error"] is not None]
        if failed:
            say("\n" + results.table(failed))
        say(f"\naims met: {judged.count(True)} of {len(judged)}; {self.seconds() / 60:.0f} minutes; all figures: {self.path}")
        return 1 if any(not result["leftOut"] for result in failed) else 0


def first_error(log):
    """The first line of a build's output that states an error, or else the last line."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return next((line for line in lines if "error:" in line), lines[-1] if lines else "no output")


def say(text):
    print(text, flush=True)
