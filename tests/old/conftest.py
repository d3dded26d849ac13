"""Old commands are run as those of today are."""

from tests.cli.conftest import seedrank

__all__ = ["seedrank"]
