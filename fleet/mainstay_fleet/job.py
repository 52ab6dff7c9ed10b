"""The job: logs in, tables out; the driver sees findings, never logs."""

import dataclasses
import json
import os
import pathlib
import tempfile
import uuid
import zipfile

from pyspark.sql import functions as F

from . import kept as keeping
from .columns import TABLES
from .merging import rows, tree
from .reading import Reading


@dataclasses.dataclass
class Report:
    """What the driver keeps: the fleet's row, those of findings, deaths and culprits, and what the run did."""

    fleet: dict
    findings: list
    deaths: list
    culprits: list
    unread: list
    known: int  # logs whose summaries were kept by an earlier run
    new: int  # logs that were read
    states: dict  # of all: how many were read, in part, not at all, beyond a limit
    crashscan_seconds: float  # of all processes that read, together


def ship(spark, reading):
    """Sends this package, crashscan and the symbols to every executor."""
    context = spark.sparkContext
    archive = pathlib.Path(tempfile.mkdtemp(prefix="mainstay-fleet-")) / "mainstay_fleet.zip"
    with zipfile.ZipFile(archive, "w") as package:
        for file in sorted(pathlib.Path(__file__).parent.glob("*.py")):
            package.write(file, f"mainstay_fleet/{file.name}")
    context.addPyFile(str(archive))
    if reading.crashscan:
        context.addFile(os.path.abspath(reading.crashscan))
    names = [pathlib.PurePath(path).name for path in reading.symbols]
    if len(set(names)) < len(names):
        raise ValueError(f"two of the symbols have one name: {' '.join(reading.symbols)}")
    for path in reading.symbols:
        context.addFile(os.path.abspath(path), recursive=os.path.isdir(path))


def _read_new(spark, reading, run, there, known, folder, by_hadoop):
    """Reads what is not known yet, and keeps what came of it."""
    done = known.where((F.col("way") == reading.key) & (F.col("state") != "failed"))
    new = there.join(done, ["path", "size", "modified"], "left_anti").cache()
    count = new.count()
    if count:
        batches = (
            keeping.read_by_hadoop(spark, reading, run, new)
            if by_hadoop
            else [keeping.read_in_place(spark, reading, run, new, count)]
        )
        for batch in batches:
            batch.write.mode("append").parquet(folder)
    new.unpersist()
    return count


def _is_local(paths):
    return all(path.startswith("file:") or "://" not in path for path in paths)


def _summaries(current):
    return current.select("summary").rdd.map(lambda row: row.summary)


def earlier(spark, folder):
    """The findings of an earlier report, as crashscan takes a baseline."""
    rows = spark.read.text(f"{folder}/rows").where(F.col("row").isin("fleet", "finding"))
    lines = [row.value for row in rows.select("value").collect()]
    return "\n".join(sorted(lines, key=lambda line: json.loads(line)["row"] != "fleet")) + "\n"


def report(spark, paths, output, reading=None, keep=None, baseline=None, by_hadoop=False):
    """Reads what is new, merges it with what is kept, and writes every table to `output`."""
    reading = reading or Reading()
    ship(spark, reading)
    run = uuid.uuid4().hex
    folder = keep or f"{output}/kept"
    there = keeping.index(spark, paths).cache()
    known = keeping.table(spark, folder)
    new = _read_new(
        spark, reading, run, there, known, folder, by_hadoop or not _is_local(paths)
    )
    now = keeping.table(spark, folder).where(F.col("way") == reading.key)
    current = keeping.current(there, now, run).cache()
    spent = F.sum(F.when(F.col("run") == run, F.col("seconds")).otherwise(0.0))
    told = current.groupBy("state").agg(F.count("*").alias("logs"), spent.alias("spent")).collect()
    states = {row.state: row.logs for row in told}
    known_before = earlier(spark, baseline) if baseline else None
    lines = rows(reading, tree(reading, _summaries(current)), known_before)
    table = spark.createDataFrame(lines, "row STRING, value STRING")
    table.write.mode("overwrite").partitionBy("row").text(f"{output}/rows")
    _write_tables(spark, output)
    held = _collect(spark, output, "fleet", "finding", "death", "culprit")
    current.unpersist()
    return Report(
        fleet=held["fleet"][0], findings=held["finding"], deaths=held["death"], culprits=held["culprit"],
        unread=_collect(spark, output, "unread", most=1000)["unread"], known=sum(states.values()) - new, new=new, states=states,
        crashscan_seconds=sum(row.spent for row in told),
    )  # fmt: skip


def _write_tables(spark, output):
    there = spark.read.text(f"{output}/rows")
    for kind, columns in TABLES.items():
        lines = there.where(F.col("row") == kind).select(F.from_json("value", columns).alias("row"))
        lines.select("row.*").write.mode("overwrite").parquet(f"{output}/{kind}.parquet")


def _collect(spark, output, *kinds, most=None):
    """The rows of these kinds, in their order."""
    lines = spark.read.text(f"{output}/rows").where(F.col("row").isin(*kinds))
    held = {kind: [] for kind in kinds}
    for line in (lines.limit(most) if most else lines).collect():
        held[line.row].append(json.loads(line.value))
    return held


def findings(spark, paths, reading=None):
    """The fleet's findings as a DataFrame, one a row; nothing is written or kept."""
    reading = reading or Reading()
    ship(spark, reading)
    paths = [paths] if isinstance(paths, str) else list(paths)
    there = keeping.index(spark, paths)
    if _is_local(paths):
        read = [keeping.read_in_place(spark, reading, "", there, there.count())]
    else:
        read = keeping.read_by_hadoop(spark, reading, "", there)
    summaries = spark.sparkContext.union([_summaries(batch) for batch in read])
    lines = spark.createDataFrame(
        rows(reading, tree(reading, summaries), None), "row STRING, value STRING"
    )
    mine = lines.where(F.col("row") == "finding").select(
        F.from_json("value", TABLES["finding"]).alias("row")
    )
    return mine.select("row.*")
