"""A store with its graph, its engine, the names of its pages and the answers kept for it."""

from seedrank.session.session import Session

__all__ = ["Session"]
