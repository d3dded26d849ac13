"""A store with its graph, its engine, the names of its pages and the answers kept for it."""

from seedrank.session.session import HANDED_OVER, Session

__all__ = ["HANDED_OVER", "Session"]
