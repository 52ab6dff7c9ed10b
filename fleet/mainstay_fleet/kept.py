"""Which logs there are, which were read before, and the reading of those that were not."""

import itertools

from pyspark.sql import functions as F
from pyspark.sql.utils import AnalysisException

from .columns import KEPT
from .reading import Outcome, name_of, summarize, unread

# So many logs that only Hadoop's API reads are handed to the executors at a time.
AT_A_TIME = 5000
# So many logs are one task, which is what is read again where an executor dies.
LOGS_OF_A_TASK = 50


def index(spark, paths):
    """The files behind paths and patterns; their content is not looked at."""
    files = spark.read.format("binaryFile").load(list(paths))
    return _named(files).select("path", "size", "modified").dropDuplicates(["path"])


def _named(files):
    return files.withColumns({"size": F.col("length"), "modified": F.unix_micros("modificationTime")})


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
            outcome = summarize(reading, file.path, bytes(file.content))
            yield _row(reading, run, file, outcome)

    def too_large(part):
        for file in part:
            why = f"{name_of(file.path)}: is larger than {reading.largest} bytes"
            yield _row(reading, run, file, Outcome(unread(name_of(file.path), why), "failed", why, 0.0))

    large = files.where(F.col("size") > reading.largest)
    yield spark.createDataFrame(large.rdd.mapPartitions(too_large), KEPT, verifySchema=False)
    paths = (row.path for row in files.where(F.col("size") <= reading.largest).select("path").toLocalIterator())
    while batch := list(itertools.islice(paths, AT_A_TIME)):
        content = spark.read.format("binaryFile").load([_literal(path) for path in batch])
        rows = in_tasks(spark, _named(content), len(batch)).rdd.mapPartitions(read)
        yield spark.createDataFrame(rows, KEPT, verifySchema=False)


def _literal(path):
    """A path that happens to look like a pattern, as one that matches itself."""
    return "".join(f"\\{letter}" if letter in "*?[]{}\\," else letter for letter in path)


def current(there, kept, run):
    """What is kept of the files that are there now; what failed before counts only in the run it failed in."""
    usable = kept.where((F.col("state") != "failed") | (F.col("run") == run))
    latest = usable.dropDuplicates(["path", "size", "modified"])
    return latest.join(there, ["path", "size", "modified"], "left_semi")
