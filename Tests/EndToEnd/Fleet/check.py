"""Checks the fleet's report on two executors' worth of threads: `check.py PROGRAMS SCRATCH`.

Some thirty logs of a real service, and what else lies in a fleet's folders; each result is compared with that of one
crashscan over the same files.
"""

import contextlib
import gzip
import io
import json
import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "fleet"))

import comparing  # noqa: E402
import make_logs  # noqa: E402
from comparing import Verdict, compare, reference  # noqa: E402

PROGRAMS, SCRATCH = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
LOGS = SCRATCH / "logs"
CRASHSCAN = PROGRAMS / "crashscan"
SERVICE = PROGRAMS / "fleet-service"
os.environ["PATH"] = f"{PROGRAMS}:{os.environ['PATH']}"
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
# So short a run ends before the better of Java's two compilers has paid.
os.environ["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
verdict = Verdict()


def logs_of(*hosts):
    return [log for host in hosts for log in (LOGS / host).glob("*.log")]


def glob(*hosts):
    return [f"{LOGS}/{host}/*.log" for host in hosts]


def grow(spark, job, Reading):
    """One host, then all, then all again, and what is new at each."""
    first, all_hosts = ["host-0000"], ["host-0000", "host-0001"]
    before = job.report(spark, glob(*first), f"{SCRATCH}/first", Reading())
    compare(verdict, "one host", spark, f"{SCRATCH}/first", reference(CRASHSCAN, logs_of(*first), SCRATCH / "one"))
    empty = f"{LOGS}/host-0000/empty.log"
    told = {row["input"]: row["why"] for row in before.unread}
    verdict.check("an empty file is told", told.get(empty) == f"{empty}: is empty", told)

    report = job.report(
        spark, glob(*all_hosts), f"{SCRATCH}/all", Reading(), keep=f"{SCRATCH}/first/kept", baseline=f"{SCRATCH}/first"
    )  # fmt: skip
    count = len(logs_of(*first))
    verdict.check(f"only what is new is read, not the {count} of before", report.known == count, report.known)
    expected = reference(CRASHSCAN, logs_of(*all_hosts), SCRATCH / "two", SCRATCH / "one/fleet.jsonl")
    compare(verdict, "all of it against a baseline", spark, f"{SCRATCH}/all", expected)
    new = {row["fingerprint"] for row in report.findings if row["isNew"]}
    known = {row["fingerprint"] for row in before.findings}
    verdict.check("what the baseline has is not new, the rest is", new and not new & known, (new, known))
    rules = {row["rule"] for row in report.findings}
    wanted = {"crash-cause", "crash-loop", "off-main-ui", "unclean-end"}
    verdict.check("crashes, a loop of them, kills and a violation are found", wanted <= rules, rules)

    again = job.report(spark, glob(*all_hosts), f"{SCRATCH}/all", Reading(), keep=f"{SCRATCH}/first/kept")
    verdict.check("a second run reads nothing", again.new == 0 and again.crashscan_seconds == 0, again.new)
    expected = reference(CRASHSCAN, logs_of(*all_hosts), SCRATCH / "two")
    compare(verdict, "the second run", spark, f"{SCRATCH}/all", expected)
    days = [entry["day"] for entry in again.fleet["days"]]
    verdict.check("the logs are of several days, in their order", len(days) >= 5 and days == sorted(set(days)), days)
    loop = [row for row in again.findings if row["rule"] == "crash-loop"]
    verdict.check("the loop is one of two hosts", [row["hosts"] for row in loop] == [2], loop)


def limit(spark, job, Reading):
    """A log over the limit of time and a report over that of memory fail by name; nothing else does."""
    host = LOGS / "host-0002"
    host.mkdir()
    long, large = host / "long.log", host / "large.log"
    make_logs.run(SERVICE, long, "1.2", 4, 131072)
    event = json.loads((ROOT / "Tests/Fixtures/reports/sentry-background.json").read_text())
    event["extra"] = {"padding": "x" * (96 << 20)}
    large.write_text(json.dumps(event))
    for number in range(3):
        make_logs.run(SERVICE, host / f"small-{number}.log", "1.2", 5 + number, 256)
    tight = Reading(seconds=1, megabytes=64)
    report = job.report(spark, glob(host.name), f"{SCRATCH}/tight", tight)
    whys = sorted(row["why"] for row in report.unread)
    verdict.check("two are beyond a limit", report.states.get("failed") == 2, (report.states, whys))
    verdict.check("one of memory", any(why.startswith(f"{large}: ") and "64 MB" in why for why in whys), whys)
    verdict.check("one of time", any(why == f"{long}: reading it took more than 1 s" for why in whys), whys)
    expected = reference(CRASHSCAN, host.glob("small-*.log"), SCRATCH / "small")
    found = {(row["fingerprint"], row["logs"]) for row in report.findings}
    meant = {(row["fingerprint"], row["logs"]) for row in expected["finding"].values()}
    verdict.check("the others are read as ever", found == meant and report.fleet["logs"] == 3, (found, meant))
    retried = job.report(spark, glob(host.name), f"{SCRATCH}/tight", tight)
    verdict.check("what failed is tried again, and only that", (retried.known, retried.new) == (3, 2), retried)


def by_hadoop(spark, job, Reading):
    """As of a file system that only Hadoop reads: reports name logs by their addresses, the rest is the same."""
    before = {log: log.read_bytes() for log in logs_of("host-0001")}
    report = job.report(spark, glob("host-0001"), f"{SCRATCH}/hadoop", Reading(), by_hadoop=True)
    expected = reference(CRASHSCAN, logs_of("host-0001"), SCRATCH / "three")
    for row in (*expected["log"].values(), *expected["finding"].values(), *expected["unread"].values()):
        field = "input" if "input" in row else "example"
        row[field] = row[field] and f"file:{row[field]}"
        if "why" in row:
            row["why"] = f"file:{row['why']}"
    expected["unread"] = {(row["input"],): row for row in expected["unread"].values()}
    compare(verdict, "what Hadoop's API reads", spark, f"{SCRATCH}/hadoop", expected)
    verdict.check("no log was touched", before == {log: log.read_bytes() for log in logs_of("host-0001")})
    return report


def symbols(spark, mainstay_fleet):
    """A stripped program is gone when its log is read; the same with what was stripped off has names."""
    host = LOGS / "host-0003"
    host.mkdir()
    bare = SCRATCH / "fleet-service-bare"
    comparing.run("strip", "-o", bare, SERVICE)
    make_logs.run(bare, host / "bare.log", "1.2", 7, 256)
    bare.unlink()
    for given, wanted in ((), False), ((str(SERVICE),), True):
        table = mainstay_fleet.findings(spark, f"{host}/*.log", mainstay_fleet.Reading(symbols=given))
        functions = {row.function for row in table.where("rule = 'crash-cause'").select("function").collect()}
        said = "with" if wanted else "without"
        verdict.check(f"{said} --symbols: {functions}", ("Shop.pay(_:)" in functions) == wanted, functions)


def is_refused(cli, option, text):
    words = io.StringIO()
    with contextlib.redirect_stderr(words):
        try:
            cli.parser().parse_args(["report", "--logs", "a", "--output", "b", f"{option}={text}"])
        except SystemExit as end:
            return end.code == 2 and f"'{text}' is not a whole number from" in words.getvalue()
    return False


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    LOGS.mkdir(parents=True)
    make_logs.main(str(SERVICE), str(LOGS), 34)
    # A fault that the other host does not have.
    make_logs.run(SERVICE, LOGS / "host-0001/pay.log", "1.2", 7, 256)
    packed = LOGS / "host-0001/packed {and} oddly+na%20med.log"
    packed.write_bytes(gzip.compress((LOGS / "host-0001/service-000026.log").read_bytes()))

    import mainstay_fleet
    from mainstay_fleet import cli, job

    spark = cli.session("local[2]")
    spark.sparkContext.setLogLevel("ERROR")
    grow(spark, job, mainstay_fleet.Reading)
    by_hadoop(spark, job, mainstay_fleet.Reading)
    limit(spark, job, mainstay_fleet.Reading)
    symbols(spark, mainstay_fleet)

    for option, text in ("--seconds", "604800"), ("--seconds", "0"), ("--megabytes", "-1"), ("--examples", "all"):
        verdict.check(f"{option} {text} is refused", is_refused(cli, option, text))

    # As a shell has it; it ends the session.
    output = SCRATCH / "all"
    options = ["--baseline", f"{SCRATCH}/first", "--keep", f"{SCRATCH}/first/kept", "--examples", "20"]
    logs = [word for each in glob("host-0000", "host-0001") for word in ("--logs", each)]
    status = cli.main(["report", *logs, "--output", str(output), *options])
    verdict.check("the command ends with 0 and leaves a page", status == 0 and (output / "fleet.html").exists(), status)
    for log in LOGS.glob("host-0002/l*.log"):
        log.unlink()
    if verdict.failed:
        sys.exit(f"{verdict.failed} failed")


main()
