"""Apache Spark: the session, and a folder of Parquet that it reads as a store."""

from seedrank.graphdb.spark.jobs import followed
from seedrank.graphdb.spark.session import quiet, session, size_shuffles
from seedrank.graphdb.spark.store import SparkStore

__all__ = ["SparkStore", "followed", "quiet", "session", "size_shuffles"]
