"""What is said where Spark does not start."""

from __future__ import annotations

import pytest

from seedrank.core.errors import StoreError
from seedrank.graphdb.server import free_port
from seedrank.graphdb.spark.session import _reason, _require_answer, is_here

JAVA = """WARNING: Using incubator modules
Exception in thread "main" org.apache.spark.SparkException: Could not parse Master URL: 'nonsense'
\tat org.apache.spark.SparkContext$.createTaskScheduler(SparkContext.scala:3301)
\tat org.apache.spark.deploy.SparkSubmit.main(SparkSubmit.scala)
"""


def test_a_master_that_nobody_answers_at_is_told_at_once():
    masters = ",".join(f"127.0.0.1:{free_port()}" for _ in range(2))
    with pytest.raises(StoreError, match=rf"^no Spark master answers at spark://{masters}; start it, or correct"):
        _require_answer(f"spark://{masters}")


@pytest.mark.parametrize("master", ["local[2]", "yarn", "k8s://https://example.org:443"])
def test_other_masters_are_not_asked(master):
    _require_answer(master)


@pytest.mark.parametrize("master", ["spark://nonsense", "spark://:x", "spark://"])
def test_an_address_that_is_none(master):
    with pytest.raises(StoreError, match="no Spark master answers at"):
        _require_answer(master)


def test_the_reason_is_the_line_that_names_it():
    assert _reason(JAVA) == "org.apache.spark.SparkException: Could not parse Master URL: 'nonsense'"
    assert _reason("one\nno such file") == "no such file"
    assert _reason("") == ""


@pytest.mark.parametrize(
    ("master", "here"),
    [
        ("local[*]", True),
        ("spark://127.0.0.1:7077", True),
        ("spark://[::1]:7077", True),
        ("spark://localhost:7077", True),
        ("spark://10.0.0.1:7077,10.0.0.2:7077", False),
        ("yarn", False),
    ],
)
def test_a_master_on_this_machine(master, here):
    assert is_here(master) is here
