"""The engine on Apache Spark: links stay there, vectors with a number per page are held by the driver."""

from seedrank.engines.spark.blocks import Layout
from seedrank.engines.spark.engine import SparkEngine
from seedrank.engines.spark.from_memory import to_spark

__all__ = ["Layout", "SparkEngine", "to_spark"]
