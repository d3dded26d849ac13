"""Apache Spark: the session, and a folder of Parquet that it reads as a store."""

from graphdb.spark.session import quiet, session, size_shuffles
from graphdb.spark.store import SparkStore

__all__ = ["SparkStore", "quiet", "session", "size_shuffles"]
