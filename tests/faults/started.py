"""Runs commands of seedrank in children of one process that has imported everything: a tenth of a second each.

It reads a request a line (JSON, as `run` takes it) and answers with the child's wait status. A fault is handed to the
preloaded library of ``faults.c`` in the child alone, and so is the file for a trace to that of ``trace.c``.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import runpy
import sys
import traceback
from typing import Any

MODULES = (
    "seedrank.cli.main",
    "seedrank.graphdb.duckdb",
    "seedrank.loaders.table",
    "seedrank.ingest.merge",
    "seedrank.methods.stats",
    "seedrank.api.workbench",
)


def serve() -> None:
    """Answer requests until the end of the input."""
    for name in MODULES:
        importlib.import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            run(request)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{status}\n")
        sys.stdout.flush()


def run(request: dict[str, Any]) -> None:
    """In the child: run one command, with its output in the folder."""
    from seedrank.cli.main import run as run_command

    code = 1
    try:
        os.chdir(request["folder"])
        for name, descriptor in (("stdout", 1), ("stderr", 2)):
            file = os.open(f"{request['output']}/{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(file, descriptor)
            os.close(file)
        arm(**request["fault"])
        if request["trace"]:
            ctypes.CDLL(None).trace_start(request["folder"].encode(), request["trace"].encode())
        sys.argv = [request["script"] or "seedrank", *request["argv"]]
        if request["script"]:
            runpy.run_path(request["script"], run_name="__main__")
            code = 0
        else:
            code = run_command()
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def arm(prefix: str = "", log: str = "", at: int = 0, mode: str = "") -> None:
    """Tell the library when to strike."""
    if prefix:
        ctypes.CDLL(None).fault_arm(prefix.encode(), log.encode(), at, mode.encode())


if __name__ == "__main__":
    serve()
