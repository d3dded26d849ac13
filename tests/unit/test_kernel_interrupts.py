"""Ctrl-C while kernels are compiled or loaded."""

from __future__ import annotations

import signal

import numba
import pytest
from numba.core.registry import cpu_target

import seedrank.engines.kernels  # noqa: F401 - for what it does to numba


@pytest.fixture(params=["_object_cache_notify", "_object_cache_getbuffer"])
def interrupted(request, monkeypatch, ctrl_c):
    """Ctrl-C in one of the functions that LLVM calls, where Python ignores every exception."""
    engine = cpu_target.target_context.codegen()._engine._ee
    before = getattr(engine, request.param)

    def interrupt(*given):
        signal.raise_signal(signal.SIGINT)
        return before(*given)

    monkeypatch.setattr(engine, request.param, interrupt)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_in_a_callback_of_llvm_ends_the_call(interrupted):
    @numba.njit
    def one_more(number):
        return number + 1

    with pytest.raises(KeyboardInterrupt):
        one_more(1)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_the_callers_own_is_called(interrupted):
    seen = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:

        @numba.njit
        def two_more(number):
            return number + 2

        assert two_more(1) == 3
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen[0] == signal.SIGINT
