"""What only counts: `peer.py FOLDER OUTPUT` groups crumbs as JSON lines by message and counts them, by Spark SQL."""

import sys
import time

from pyspark.sql import SparkSession

begun = time.monotonic()
spark = SparkSession.builder.appName("peer").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
crumbs = spark.read.schema("message STRING, category STRING").json(sys.argv[1])
crumbs.groupBy("category", "message").count().write.parquet(sys.argv[2])
spark.stop()
print(f"took {time.monotonic() - begun:.1f} s")
