"""The version, where every part can read it."""

__all__ = ["VERSION"]

VERSION = "0.2.0"
