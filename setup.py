"""The folders at the top of the tree are packages of seedrank once it is installed: ``cli/`` is ``seedrank.cli``."""

from setuptools import find_packages, setup

TOP = ("cli", "cypher", "exporters", "graphdb", "loaders")

setup(
    package_dir={f"seedrank.{name}": name for name in TOP},
    packages=[
        *find_packages(include=["seedrank", "seedrank.*"]),
        *(f"seedrank.{package}" for name in TOP for package in find_packages(include=[name, f"{name}.*"])),
    ],
)
