"""`make check-fleet COSTS=1`: what the fleet's report costs, beside a peer that only counts.

costs.py PROGRAMS SCRATCH COUNT…   with one worker and with two, for so many logs each.
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import resource
import subprocess
import sys
import time

import make_logs
from cluster import Cluster, Tree, cleared
from comparing import reference

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAMS, SCRATCH = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
CRASHSCAN = PROGRAMS / "crashscan"


@dataclasses.dataclass
class Cost:
    """What an application took: by the clock, of processors in all and by crashscan's reading, and memory in MB.

    Java takes what memory it may before it clears up; what is left then is what the driver holds.
    """

    seconds: float = 0
    reading: float = 0
    driver_spent: float = 0
    executors_spent: float = 0
    driver: int = 0
    driver_holds: int = 0
    executor: int = 0


def watched(cluster, log, program, *arguments):
    """Runs an application to its end."""
    application = cluster.submit(log, program, *arguments)
    cost = Cost()
    while application.poll() is None:
        tree = Tree()
        cost.driver = max(cost.driver, tree.resident(application.pid))
        cost.driver_spent = max(cost.driver_spent, tree.spent(application.pid))
        executors = [each for number in range(cluster.count) if (each := cluster.executor(number))]
        cost.executor = max([cost.executor, *map(tree.resident, executors)])
        cost.executors_spent = max(cost.executors_spent, sum(map(tree.spent, executors)))
        time.sleep(0.5)
    cost.driver_holds = max(map(int, re.findall(r"->(\d+)M\(", cleared(log).read_text())), default=0)
    said = log.read_text()
    if application.returncode:
        raise SystemExit(said[-3000:])
    cost.seconds = float(re.search(r"took ([\d.]+) s", said).group(1))
    if inner := re.search(r"crashscan ([\d.]+) s", said):
        cost.reading = float(inner.group(1))
    return cost


def lines(logs, folder):
    """The crumbs of the same logs as lines of JSON."""
    folder.mkdir()

    def write(log):
        shown = subprocess.run([CRASHSCAN, "show", log, "--format", "json"], capture_output=True).stdout
        crumbs = (line.rstrip(b",") for line in shown.splitlines() if line.startswith(b'{"time"'))
        (folder / f"{log.parent.name}-{log.stem}.json").write_bytes(b"\n".join(crumbs))

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(write, logs))


def children():
    """Seconds of processors that ended children have taken."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main(counts):
    os.environ["PYTHONPATH"] = str(ROOT / "fleet")
    shutil.rmtree(SCRATCH, ignore_errors=True)
    columns = (
        "logs", "MiB", "workers", "s", "logs/s", "s in crashscan", "driver: processor s", "MB", "MB held",
        "executors: processor s", "MB of one", "peer: s", "processor s", "one process: s", "processor s",
    )  # fmt: skip
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|", flush=True)
    for count in counts:
        folder, text = SCRATCH / f"{count}/logs", SCRATCH / f"{count}/text"
        folder.mkdir(parents=True)
        make_logs.main(str(PROGRAMS / "fleet-service"), str(folder), count)
        logs = sorted(folder.glob("*/*.log"))
        lines(logs, text)
        size = sum(log.stat().st_size for log in logs) >> 20
        begun, before = time.monotonic(), children()
        reference(CRASHSCAN, logs, SCRATCH / f"{count}/one-process")
        alone, alone_spent = time.monotonic() - begun, children() - before
        for workers in (1, 2):
            name = f"{count}-{workers}"
            with Cluster(SCRATCH / f"cluster-{name}", workers, sys.executable) as cluster:
                cost = watched(
                    cluster, SCRATCH / f"{name}.txt", ROOT / "fleet/mainstay_fleet/__main__.py", "report", "--logs",
                    f"{folder}/*/*.log", "--output", SCRATCH / f"report-{name}", "--crashscan", CRASHSCAN,
                )  # fmt: skip
                counted = SCRATCH / f"peer-{name}"
                peer = watched(cluster, SCRATCH / f"peer-{name}.txt", HERE / "peer.py", text, counted)
            cells = (
                len(logs), size, workers, f"{cost.seconds:.0f}", f"{len(logs) / cost.seconds:.1f}", f"{cost.reading:.0f}",
                f"{cost.driver_spent:.0f}", cost.driver, cost.driver_holds, f"{cost.executors_spent:.0f}", cost.executor,
                f"{peer.seconds:.0f}", f"{peer.driver_spent + peer.executors_spent:.0f}", f"{alone:.1f}", f"{alone_spent:.1f}",
            )  # fmt: skip
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
        shutil.rmtree(SCRATCH / str(count))


main([int(count) for count in sys.argv[3:]])
