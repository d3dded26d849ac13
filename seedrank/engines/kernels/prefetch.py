"""Ask the processor for memory before it is needed: at a hundred million pages nearly every key is a cache miss."""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

__all__ = ["prefetch"]


def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Fetch the cache line of ``array[index]`` in the background; any index is safe, nothing is read."""
    signature = types.void(array, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        data = context.make_array(kind)(context, builder, arguments[0]).data
        byte = ir.IntType(8).as_pointer()
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        number = ir.IntType(32)
        function = builder.module.declare_intrinsic(
            "llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        )
        # For reading, keep in all caches, data.
        builder.call(function, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return signature, generate


prefetch: Any = intrinsic(_prefetch)
