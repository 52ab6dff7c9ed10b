"""`mainstay-fleet report`: the command line, for a shell and for spark-submit."""

import argparse
import pathlib
import sys
import time

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from . import job, page
from .reading import Reading

A_DAY = 86_400


def number(least, most):
    def read(text):
        if text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")

    return read


def parser():
    whole = argparse.ArgumentParser(prog="mainstay-fleet", description=__doc__)
    command = whole.add_subparsers(dest="command", required=True).add_parser(
        "report", help="what the logs of many hosts say together"
    )
    add = command.add_argument
    add("--logs", required=True, action="append", metavar="GLOB", help="the logs, as Spark reads paths")
    add("--output", required=True, metavar="FOLDER", help="where tables and page go")
    add("--symbols", action="append", default=[], metavar="PATH", help="programs or symbols, shipped to the executors")
    add("--crashscan", default="", metavar="FILE", help="crashscan, shipped to the executors; else found on their path")
    add("--keep", metavar="FOLDER", help="where summaries are kept between runs (FOLDER/kept of --output)")
    add("--baseline", metavar="FOLDER", help="the output of an earlier run: what it had is not new")
    add("--host", default=Reading.host, metavar="PATTERN", help="names the host in a path by its first group")
    add("--release", default="", metavar="PATTERN", help="names the release in a path, of logs that do not say theirs")
    seconds, megabytes, largest = number(1, A_DAY), number(1, 1 << 20), number(0, 1 << 50)
    add("--seconds", type=seconds, default=Reading.seconds, metavar="N", help="of a processor that one log may take")
    add("--megabytes", type=megabytes, default=Reading.megabytes, metavar="N", help="of memory that it may take")
    add("--largest", type=largest, default=Reading.largest, metavar="BYTES", help="of a log that Hadoop's API reads")
    add("--by-hadoop", action="store_true", help="read logs by Hadoop's API, also where executors could open them")
    add("--examples", type=number(0, 10_000), default=10, metavar="N", help="so many logs have timelines in the page")
    add("--page", metavar="FILE", help="where the page goes: fleet.html, in the output if that is a local folder")
    add("--master", metavar="URL", help="as spark-submit takes it; by default as that says, else all processors here")
    return whole


def session(master):
    builder = SparkSession.builder.appName("mainstay-fleet")
    if master:
        builder = builder.master(master)
    spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    # Spark's own 200 are for tables of gigabytes; what is joined here is a list of files.
    if not spark.sparkContext.getConf().contains("spark.sql.shuffle.partitions"):
        parts = max(2, spark.sparkContext.defaultParallelism)
        spark.conf.set("spark.sql.shuffle.partitions", parts)
    return spark


def page_path(options):
    if options.page:
        return pathlib.Path(options.page)
    output = options.output.removeprefix("file://")
    return pathlib.Path("fleet.html" if "://" in output else f"{output}/fleet.html")


def say(report, path, seconds):
    states = report.states
    in_part = f"{states['part']} were read only in part, " if states.get("part") else ""
    print(
        f"{sum(states.values())} logs: {report.known} were read by an earlier run, {report.new} are new; "
        f"{report.fleet['torn']} lack a part, {in_part}{states.get('nothing', 0)} gave nothing, "
        f"{states.get('failed', 0)} were beyond a limit"
    )
    for row in report.unread[:20]:
        print(f"  {row['why']}")
    if report.fleet["unread"] > 20:
        print(f"  and {report.fleet['unread'] - 20} more, in unread.parquet")
    new = sum(row["isNew"] for row in report.findings)
    hosts = report.fleet["hosts"]
    print(f"{len(report.findings)} findings on {hosts} hosts, {new} of them new; {path}")
    print(f"took {seconds:.1f} s, crashscan {report.crashscan_seconds:.1f} s of processes that read logs")


def main(arguments=None):
    options = parser().parse_args(arguments)
    begun = time.monotonic()
    reading = Reading(
        crashscan=options.crashscan, symbols=tuple(options.symbols), host=options.host, release=options.release,
        seconds=options.seconds, megabytes=options.megabytes, largest=options.largest,
    )  # fmt: skip
    spark = session(options.master)
    spark.sparkContext.setLogLevel("ERROR")
    try:
        report = job.report(
            spark, options.logs, options.output, reading, options.keep, options.baseline, options.by_hadoop
        )
        examples = page.examples(spark, reading, report.findings, options.examples)
    except AnalysisException as error:
        if "PATH_NOT_FOUND" not in str(error):
            raise
        print(f"mainstay-fleet: there are no such files: {' '.join(options.logs)}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    path = page_path(options)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page.page(report, examples))
    say(report, path, time.monotonic() - begun)
    return 0
