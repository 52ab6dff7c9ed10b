"""`make fleet COSTS=1`: what the fleet's report costs, beside a peer that only counts.

costs.py PROGRAMS SCRATCH COUNT…   with one worker and with two, for so many logs each.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import make_logs
from cluster import Cluster, Tree
from comparing import reference

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAMS, SCRATCH = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
CRASHSCAN = PROGRAMS / "crashscan"


def watched(cluster, log, program, *arguments):
    """Runs an application to its end: what it said it took, and the most memory of its driver and an executor, in MB."""
    application = cluster.submit(log, program, *arguments)
    driver, executors = 0, 0
    while application.poll() is None:
        tree = Tree()
        driver = max(driver, tree.resident(application.pid))
        for number in range(cluster.count):
            if executor := cluster.executor(number):
                executors = max(executors, tree.resident(executor))
        time.sleep(0.5)
    said = log.read_text()
    if application.returncode:
        raise SystemExit(said[-3000:])
    took = float(re.search(r"took ([\d.]+) s", said).group(1))
    inner = re.search(r"crashscan ([\d.]+) s", said)
    return took, float(inner.group(1)) if inner else 0, driver, executors


def lines(logs, folder):
    """The crumbs of the same logs as lines of JSON."""
    folder.mkdir()

    def write(log):
        shown = subprocess.run([CRASHSCAN, "show", log, "--format", "json"], capture_output=True).stdout
        crumbs = (line.rstrip(b",") for line in shown.splitlines() if line.startswith(b'{"time"'))
        (folder / f"{log.parent.name}-{log.stem}.json").write_bytes(b"\n".join(crumbs))

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(write, logs))


def main(counts):
    os.environ["PYTHONPATH"] = str(ROOT / "fleet")
    shutil.rmtree(SCRATCH, ignore_errors=True)
    columns = "logs", "MiB", "workers", "s", "logs/s", "s in crashscan", "driver MB", "executor MB", "peer s", "one process s"
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|", flush=True)
    for count in counts:
        folder, text = SCRATCH / f"{count}/logs", SCRATCH / f"{count}/text"
        folder.mkdir(parents=True)
        make_logs.main(str(PROGRAMS / "fleet-service"), str(folder), count)
        logs = sorted(folder.glob("*/*.log"))
        lines(logs, text)
        size = sum(log.stat().st_size for log in logs) >> 20
        begun = time.monotonic()
        reference(CRASHSCAN, logs, SCRATCH / f"{count}/one-process")
        alone = time.monotonic() - begun
        for workers in (1, 2):
            name = f"{count}-{workers}"
            with Cluster(SCRATCH / f"cluster-{name}", workers, sys.executable) as cluster:
                took, inner, driver, executor = watched(
                    cluster, SCRATCH / f"{name}.txt", ROOT / "fleet/mainstay_fleet/__main__.py", "report", "--logs",
                    f"{folder}/*/*.log", "--output", SCRATCH / f"report-{name}", "--crashscan", CRASHSCAN,
                )  # fmt: skip
                counted = SCRATCH / f"peer-{name}"
                peer = watched(cluster, SCRATCH / f"peer-{name}.txt", HERE / "peer.py", text, counted)[0]
            print(f"| {len(logs)} | {size} | {workers} | {took:.0f} | {len(logs) / took:.1f} | {inner:.0f} | {driver} | "
                  f"{executor} | {peer:.0f} | {alone:.1f} |", flush=True)  # fmt: skip
        shutil.rmtree(SCRATCH / str(count))


main([int(count) for count in sys.argv[3:]])
