"""What isofold's functions cost from Python, beside NumPy, torch, JAX and CuPy: per call, and on large arrays.

    python python/bench/bench.py [--device cuda] [--json bench/results/<machine>/<date>-python.json]

A per-call time is the least of several repeats of many calls, on a device without a wait; a time of a large array is
the least of several calls, on a device with one. Results are lines of JSON."""

from __future__ import annotations

import argparse
import json
import sys
import timeit

import numpy as np

import isofold


def libraries(device, wanted):
    """(name, array maker, module of functions, wait) of each library that is here."""
    nothing = lambda result: result  # noqa: E731
    if device == "cpu":
        yield "numpy", np.asarray, np, nothing
    try:
        import torch

        wait = (lambda result: torch.cuda.synchronize()) if device == "cuda" else nothing
        yield "torch", lambda x: torch.from_numpy(x).to(device), torch, wait
    except ImportError:
        pass
    if device == "cuda":
        try:
            import cupy

            yield "cupy", cupy.asarray, cupy, lambda result: cupy.cuda.Device().synchronize()
        except ImportError:
            pass
    if device == "cpu" and "jax" in wanted:
        try:
            import jax

            jax.config.update("jax_enable_x64", True)
            yield "jax", jax.numpy.asarray, jax.numpy, lambda result: jax.block_until_ready(result)
        except ImportError:
            pass


def least(call, repeats, number):
    return min(timeit.repeat(call, number=number, repeat=repeats)) / number


def torch_name(name):
    return {"min": "amin", "max": "amax"}.get(name, name)


def calls(name, library, module, x, axis):
    """Pairs of (who, call) of the same reduction."""
    theirs = getattr(module, torch_name(name) if library == "torch" else name)
    keyword = "dim" if library == "torch" else "axis"
    arguments = {} if axis is None else {keyword: axis}
    yield library, lambda: theirs(x, **arguments)
    own = getattr(isofold, name)
    yield f"isofold of {library}", lambda: own(x, axis=axis)
    if name in ("sum", "mean", "var"):
        yield f"isofold of {library}, tree", lambda: own(x, axis=axis, definition="tree")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--count", type=int, default=1 << 24)
    parser.add_argument("--libraries", default="numpy,torch,jax,cupy")
    parser.add_argument("--json")
    parser.add_argument("--note", default="")
    options = parser.parse_args()
    out = open(options.json, "w") if options.json else sys.stdout
    wanted = options.libraries.split(",")

    def record(**fields):
        print(json.dumps(fields), file=out, flush=True)

    record(program="python/bench/bench.py", device=options.device, python=sys.version.split()[0], note=options.note,
           isofold=isofold.__version__, numpy=np.__version__)  # fmt: skip
    rng = np.random.default_rng(1)
    rows = max(options.count // 2048, 1)
    for library, make, module, wait in libraries(options.device, wanted):
        if library not in wanted:
            continue
        for shape, axis, kind in (((10,), None, "call"), ((1000,), None, "call"), ((10, 10), 1, "call with an axis"),
                                  ((options.count,), None, "array"), ((rows, 2048), 1, "rows")):  # fmt: skip
            for dtype in ("float32", "float64"):
                x = make(rng.standard_normal(shape).astype(dtype))
                for name in ("sum", "max", "argmax", "mean", "var"):
                    for who, call in calls(name, library, module, x, axis):
                        call()
                        if kind.startswith("call"):
                            seconds = least(call, 5, 1000)
                        else:
                            seconds = least(lambda: wait(call()), 5, 1)  # noqa: B023
                        record(who=who, fold=name, type=dtype, shape=shape, axis=axis, kind=kind,
                               microseconds=round(seconds * 1e6, 3),
                               gigabytes_per_second=round(np.prod(shape) * np.dtype(dtype).itemsize / seconds / 1e9, 2))  # fmt: skip


if __name__ == "__main__":
    main()
