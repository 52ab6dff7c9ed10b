"""Which logs there are, which were read before, and the reading of those that were not."""

import itertools
import re
import urllib.parse

from pyspark.sql import functions as F
from pyspark.sql.utils import AnalysisException

from .columns import KEPT
from .reading import Outcome, summarize, unread

# So many logs that only Hadoop's API reads are handed to the executors at a time.
AT_A_TIME = 5000
# So many logs are one task, which is what is read again where an executor dies.
LOGS_OF_A_TASK = 50


def index(spark, paths):
    """The files behind paths and patterns; their content is not looked at."""
    files = spark.read.format("binaryFile").load(list(paths))
    filled = files.select(
        "path", F.col("length").alias("size"), F.unix_micros("modificationTime").alias("modified")
    )
    empty = _addresses(spark, files).join(filled, "path", "left_anti")
    rest = empty.select("path", F.lit(0).cast("long").alias("size"), F.lit(0).cast("long").alias("modified"))
    return filled.union(rest).dropDuplicates(["path"])


def _addresses(spark, files):
    """All files that were found: the rows of `files` leave empty ones out. They come as one text, for one by one
    would take a call each."""
    joined = spark._jvm.org.apache.hadoop.util.StringUtils.join("\n", files._jdf.inputFiles())
    return spark.createDataFrame([(_as_in_rows(line),) for line in joined.split("\n")], "path STRING")


def _as_in_rows(address):
    """An address that was written as one, as the column `path` has it."""
    return re.sub(r"^file:/+", "file:/", urllib.parse.unquote(address))


def table(spark, folder):
    """What earlier runs have kept; an empty table where there were none."""
    try:
        return spark.read.schema(KEPT).parquet(folder)
    except AnalysisException as error:
        if "PATH_NOT_FOUND" not in str(error):
            raise
        return spark.createDataFrame([], KEPT)


def in_tasks(spark, files, count):
    """As many tasks as keep all executors busy, and none so long that much is lost with it."""
    parts = max(spark.sparkContext.defaultParallelism * 2, count // LOGS_OF_A_TASK)
    return files.repartition(max(1, min(parts, count)))


def _row(reading, run, file, outcome):
    return (
        file.path, file.size, file.modified, reading.key, run, outcome.state, outcome.why, outcome.seconds,
        outcome.summary,
    )  # fmt: skip


def read_in_place(spark, reading, run, files, count):
    """Of files that every executor can open."""

    def read(part):
        for file in part:
            yield _row(reading, run, file, summarize(reading, file.path))

    return spark.createDataFrame(in_tasks(spark, files, count).rdd.mapPartitions(read), KEPT, verifySchema=False)


def read_by_hadoop(spark, reading, run, files):
    """Of files on whatever Hadoop's API reads; some thousand at a time."""

    def read(part):
        for file in part:
            yield _row(reading, run, file, summarize(reading, file.path, bytes(file.content)))

    def set_aside(part):
        for file in part:
            if file.size == 0:
                outcome = summarize(reading, file.path, b"")
            else:
                why = f"{file.path}: is larger than {reading.largest} bytes"
                outcome = Outcome(unread(file.path, why), "failed", why, 0.0)
            yield _row(reading, run, file, outcome)

    is_aside = (F.col("size") > reading.largest) | (F.col("size") == 0)
    yield spark.createDataFrame(files.where(is_aside).rdd.mapPartitions(set_aside), KEPT, verifySchema=False)
    rest = files.where(~is_aside).toLocalIterator()
    while batch := list(itertools.islice(rest, AT_A_TIME)):
        content = spark.read.format("binaryFile").load([_literal(file.path) for file in batch])
        # By size and time as they were when the file was found: one that is written to meanwhile is read again next time.
        found = spark.createDataFrame(batch, "path STRING, size BIGINT, modified BIGINT")
        rows = content.select("path", "content").join(F.broadcast(found), "path").rdd.mapPartitions(read)
        yield spark.createDataFrame(rows, KEPT, verifySchema=False)


def _literal(path):
    """A path that happens to look like a pattern, as one that matches itself."""
    return "".join(f"\\{letter}" if letter in "*?[]{}\\," else letter for letter in path)


def current(there, kept, run):
    """What is kept of the files that are there now; what failed before counts only in the run it failed in."""
    usable = kept.where((F.col("state") != "failed") | (F.col("run") == run))
    latest = usable.dropDuplicates(["path", "size", "modified"])
    return latest.join(there, ["path", "size", "modified"], "left_semi")
