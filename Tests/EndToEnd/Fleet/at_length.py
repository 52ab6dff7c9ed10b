"""`make check-fleet`: a real master and two workers, an executor and a worker killed while they read.

at_length.py PROGRAMS SCRATCH LOGS LARGEST   so many logs, and one of so many MiB (none for 0).
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time
import venv

import make_logs
import pyspark
from cluster import Cluster, Tree, kill
from comparing import Verdict, compare, reference, run, written

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAMS, SCRATCH = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
COUNT, LARGEST = int(sys.argv[3]), int(sys.argv[4])
LOGS, OUTPUT = SCRATCH / "logs", SCRATCH / "report"
CRASHSCAN = PROGRAMS / "crashscan"
verdict = Verdict()


def installed():
    """The package, as pip puts it into a fresh environment, which sees the pyspark that is here already."""
    folder = SCRATCH / "venv"
    venv.create(folder, with_pip=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "here.pth").write_text(f"{pathlib.Path(pyspark.__file__).parents[1]}\n")
    # Copied, for pip leaves its own files beside what it builds.
    shutil.copytree(ROOT / "fleet", SCRATCH / "source", ignore=shutil.ignore_patterns("__pycache__"))
    run(folder / "bin/pip", "install", "-q", "--disable-pip-version-check", SCRATCH / "source")
    for name in "fleet.js", "colours.css":
        verdict.check(f"pip installs {name}", (packages / "mainstay_fleet/page" / name).exists())
    return folder / "bin/python3", packages / "mainstay_fleet/__main__.py"


def options(*more):
    return ["report", "--logs", f"{LOGS}/*/*.log", "--output", OUTPUT, "--crashscan", CRASHSCAN, *more]


def interrupted(cluster, application):
    """Kills an executor once a seventh of the logs is being read, and the other's worker at three of seven."""
    seen, killed = set(), []
    while application.poll() is None and len(killed) < 2:
        tree = Tree()
        for number in range(2):
            mine = tree.readers(cluster.worker(number))
            seen |= mine
            if number == len(killed) and mine and len(seen) > COUNT * (1 + 2 * len(killed)) // 7:
                victim = cluster.worker(number) if killed else cluster.executor(number)
                if victim:
                    kill(victim)
                    killed.append("a worker" if killed else "an executor")
                    print(f"  killed {killed[-1]}, {len(seen)} logs were read or being read", flush=True)
        time.sleep(0.02)
    application.wait()
    return killed


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    LOGS.mkdir(parents=True)
    begun = time.monotonic()
    make_logs.main(str(PROGRAMS / "fleet-service"), str(LOGS), COUNT)
    if LARGEST:
        make_logs.run(PROGRAMS / "fleet-service", LOGS / "host-0000/largest.log", "1.2", 7, LARGEST << 10)
    logs = sorted(LOGS.glob("*/*.log"))
    size = sum(log.stat().st_size for log in logs) >> 20
    print(f"{len(logs)} files, {size} MiB, made in {time.monotonic() - begun:.0f} s", flush=True)
    python, program = installed()
    with Cluster(SCRATCH / "cluster", 2, python) as cluster:
        begun = time.monotonic()
        application = cluster.submit(SCRATCH / "killed.txt", program, *options())
        killed = interrupted(cluster, application)
        said = (SCRATCH / "killed.txt").read_text()
        print(said[said.rfind(" logs: ") - 10 :] if " logs: " in said else said[-3000:])
        print(f"the run with kills took {time.monotonic() - begun:.0f} s", flush=True)
        verdict.check("an executor and a worker were killed while they read", len(killed) == 2, killed)
        verdict.check("the job ends well", application.returncode == 0, said[-3000:])
        begun = time.monotonic()
        again = cluster.submit(SCRATCH / "again.txt", program, *options("--baseline", OUTPUT, "--output", f"{OUTPUT}-2",
                               "--keep", f"{OUTPUT}/kept"))  # fmt: skip
        again.wait()
        said = (SCRATCH / "again.txt").read_text()
        told = f"{len(logs)} logs: {len(logs)} were read by an earlier run, 0 are new"
        verdict.check(f"a second run says: {told}", told in said, said[-3000:])
        verdict.check("against the first as baseline nothing is new", ", 0 of them new" in said, said[-500:])
        print(f"the second run took {time.monotonic() - begun:.0f} s", flush=True)
    if verdict.failed:
        sys.exit(f"{verdict.failed} failed; what there was is in {SCRATCH}")
    begun = time.monotonic()
    expected = reference(CRASHSCAN, logs, SCRATCH / "one-process")
    told = f"; {expected['fleet'][()]['torn']} lack a part, 3 gave nothing,"
    verdict.check(f"it says: {told}", told in said, said[-3000:])
    print(f"one process at a time took {time.monotonic() - begun:.0f} s", flush=True)

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    spark = pyspark.sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    compare(verdict, "the run with kills", spark, OUTPUT, expected)
    baseline = SCRATCH / "one-process/fleet.jsonl"
    known = reference(CRASHSCAN, logs, SCRATCH / "one-process-2", baseline)
    compare(verdict, "the second run, with a baseline,", spark, f"{OUTPUT}-2", known)
    sizes = [row.size for row in spark.read.parquet(f"{OUTPUT}/kept").selectExpr("length(summary) AS size").collect()]
    whole = written(spark, OUTPUT)[0]["summary"]
    print(f"summaries of a log: {sum(sizes) // len(sizes)} bytes on average, {max(sizes)} at most")
    spark.stop()
    kept = sum(file.stat().st_size for file in (OUTPUT / "kept").glob("*.parquet"))
    print(f"kept: {kept} bytes of Parquet; {len(whole)} summary of all")
    if verdict.failed:
        sys.exit(f"{verdict.failed} failed; what there was is in {SCRATCH}")
    shutil.rmtree(LOGS)


main()
