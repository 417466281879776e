"""What isofold's functions cost from Python, beside NumPy, torch, JAX, CuPy and cuda.compute: per call, on large arrays
and on rows of 16-bit floats.

    python python/bench/bench.py [--device cuda] [--json bench/results/<machine>/<date>-python.json]

A per-call time is the least of several bursts of many calls, on a device without a wait for their ends; a time of a
large array is the least of several bursts, on a device with one wait for all calls of it, over several copies of the
input, so that no cache holds it. JAX's functions are compiled by jax.jit. On a device the first lines say what the
fastest of several kernels that only read as many bytes takes. Results are lines of JSON."""

from __future__ import annotations

import argparse
import json
import sys
import time

import numpy as np

import isofold


class NumPy:
    name, axis_name = "numpy", "axis"

    def array(self, x, dtype):
        return x.astype(dtype)

    def function(self, fold):
        return getattr(np, fold, None)

    def wait(self, result=None):
        pass


class Torch:
    name, axis_name = "torch", "dim"

    def __init__(self, device):
        import torch

        self.torch, self.device = torch, device

    def array(self, x, dtype):
        return self.torch.from_numpy(x).to(self.device, getattr(self.torch, dtype))

    def function(self, fold):
        return getattr(self.torch, {"min": "amin", "max": "amax"}.get(fold, fold), None)

    def wait(self, result=None):
        if self.device == "cuda":
            self.torch.cuda.synchronize()


class CuPy:
    name, axis_name = "cupy", "axis"

    def __init__(self, device):
        import cupy

        self.cupy = cupy

    def array(self, x, dtype):
        return self.cupy.asarray(x.astype(dtype))

    def function(self, fold):
        return getattr(self.cupy, fold, None)

    def wait(self, result=None):
        self.cupy.cuda.Device().synchronize()


class Jax:
    name, axis_name = "jax", "axis"

    def __init__(self, device):
        import jax

        jax.config.update("jax_enable_x64", True)
        self.jax, self.device = jax, jax.devices(device)[0]

    def array(self, x, dtype):
        return self.jax.device_put(self.jax.numpy.asarray(x, dtype), self.device)

    def function(self, fold):
        plain = self.jax.nn.logsumexp if fold == "logsumexp" else getattr(self.jax.numpy, fold, None)
        return plain and self.jax.jit(plain, static_argnames="axis")

    def wait(self, result=None):
        if result is not None:
            self.jax.block_until_ready(result)
        isofold.synchronize()


class CudaCompute(CuPy):
    """NVIDIA's cuda.compute over CuPy's arrays: whole arrays, and operators that it need not compile from Python."""

    name = "cuda.compute"

    def __init__(self, device):
        super().__init__(device)
        import cuda.compute

        self.compute = cuda.compute

    def function(self, fold):
        operators = {"sum": self.compute.OpKind.PLUS, "max": self.compute.OpKind.MAXIMUM}
        if fold not in operators:
            return None

        def reduce(x):
            result = self.cupy.empty(1, x.dtype)
            first = np.zeros(1, x.dtype) if fold == "sum" else np.full(1, -np.inf, x.dtype)
            self.compute.reduce_into(d_in=x, d_out=result, num_items=x.size, op=operators[fold], h_init=first)
            return result

        return reduce


LIBRARIES = {"cpu": (NumPy, Torch, Jax), "cuda": (Torch, CuPy, CudaCompute, Jax)}


def seconds_of_a_burst(call, inputs, number, wait):
    """(seconds a call until the last was made, seconds a call until all had ended)"""
    wait()
    began = time.perf_counter()
    result = None
    for i in range(number):
        result = call(inputs[i % len(inputs)])
    made = time.perf_counter()
    wait(result)
    return (made - began) / number, (time.perf_counter() - began) / number


def least(call, inputs, wait, ended, seconds):
    """The least time of a call in bursts that take about `seconds` altogether."""
    wait(call(inputs[0]))
    _, once = seconds_of_a_burst(call, inputs, len(inputs), wait)
    number = int(np.clip(seconds / 5 / once, 1 if ended else 20, 500))
    return min(seconds_of_a_burst(call, inputs, number, wait)[ended] for _ in range(5 if once < seconds else 1))


def calls(fold, library, x, axis):
    """Pairs of (who, call) of the same reduction."""
    theirs = library.function(fold)
    if theirs is not None:
        arguments = {} if axis is None else {library.axis_name: axis}
        if fold == "logsumexp" and axis is None and library.name == "torch":
            arguments = {"dim": tuple(range(len(x.shape)))}
        yield library.name, lambda x: theirs(x, **arguments)
    if library.name == "cuda.compute":
        return
    own = getattr(isofold, fold)
    yield f"isofold of {library.name}", lambda x: own(x, axis=axis)
    if fold in ("sum", "mean", "var"):
        yield f"isofold of {library.name}, tree", lambda x: own(x, axis=axis, definition="tree")


READ = r"""
extern "C" __global__ void read_all(const uint4* x, long long count, unsigned* out) {
  unsigned all = 0;
  const long long step = (long long)gridDim.x * blockDim.x;
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  for (; i + (UNROLLED - 1) * step < count; i += UNROLLED * step) {
    uint4 v[UNROLLED];
#pragma unroll
    for (int k = 0; k < UNROLLED; ++k) v[k] = __ldcs(x + i + k * step);
#pragma unroll
    for (int k = 0; k < UNROLLED; ++k) all ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  }
  for (; i < count; i += step) { const uint4 v = x[i]; all ^= v.x ^ v.y ^ v.z ^ v.w; }
  if (all == 12345u) *out = all;
}
"""


def read_limit(size):
    """Seconds in which the fastest of several kernels that do nothing else reads `size` bytes."""
    import cupy

    inputs = [cupy.arange(size // 4, dtype=np.int32) for _ in range(3)]
    out = cupy.zeros(1, np.uint32)
    processors = cupy.cuda.Device().attributes["MultiProcessorCount"]
    best = np.inf
    for unrolled in (2, 4, 8):
        kernel = cupy.RawKernel(READ, "read_all", ("-std=c++17", f"-DUNROLLED={unrolled}"))
        for threads in (256, 512, 1024):
            for blocks in (2048 // threads * processors, 8 * 2048 // threads * processors):
                run = lambda x: kernel((blocks,), (threads,), (x, np.int64(size // 16), out))  # noqa: B023, E731
                best = min(best, least(run, inputs, lambda r=None: cupy.cuda.Device().synchronize(), True, 0.05))
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--count", type=int, default=1 << 24)
    parser.add_argument("--libraries", default="numpy,torch,cupy,jax,cuda.compute")
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
    wide, narrow = ("float32", "float64"), ("float16", "bfloat16")
    folds = ("sum", "max", "argmax", "mean", "var")
    of_softmax = ("argmax", "softmax_statistics", "logsumexp", "sum")
    work = [((10,), None, "call", wide, folds), ((1000,), None, "call", wide, folds),
            ((10, 10), 1, "call with an axis", wide, folds),
            ((options.count,), None, "array", wide, folds), ((rows, 2048), 1, "rows", wide, folds),
            ((65536, 2048), 1, "rows", narrow, of_softmax), ((1024, 50257), 1, "rows", narrow, of_softmax)]  # fmt: skip
    limits = {}
    if options.device == "cuda" and "cupy" in wanted:
        for shape, _, kind, dtypes, _ in work:
            for dtype in dtypes if kind in ("array", "rows") else ():
                size = int(np.prod(shape)) * (2 if dtype in narrow else np.dtype(dtype).itemsize)
                if size not in limits:
                    limits[size] = read_limit(size)
                    record(who="limit", bytes=size, microseconds=round(limits[size] * 1e6, 3),
                           gigabytes_per_second=round(size / limits[size] / 1e9, 1))  # fmt: skip
    for kind_of_library in LIBRARIES[options.device]:
        if kind_of_library.name not in wanted:
            continue
        try:
            library = kind_of_library(*([] if kind_of_library is NumPy else [options.device]))
        except Exception as error:
            record(who=kind_of_library.name, missing=f"{type(error).__name__}: {error}")
            continue
        for shape, axis, kind, dtypes, chosen in work:
            large = not kind.startswith("call")
            values = np.resize(rng.standard_normal(1 << 22, dtype=np.float32), shape)
            for dtype in dtypes:
                if library.name in ("numpy", "cupy") and dtype == "bfloat16" or library.name == "cuda.compute" and axis is not None:
                    continue
                inputs = [library.array(values, dtype) for _ in range(3 if large and options.device == "cuda" else 1)]
                size = int(np.prod(shape)) * (2 if dtype in narrow else np.dtype(dtype).itemsize)
                for fold in chosen:
                    for who, call in calls(fold, library, inputs[0], axis):
                        fields = {"who": who, "fold": fold, "type": dtype, "shape": shape, "axis": axis, "kind": kind}
                        try:
                            seconds = least(call, inputs, library.wait, large, 0.06)
                        except Exception as error:
                            record(**fields, failed=f"{type(error).__name__}: {error}"[:300])
                            continue
                        fields |= {"microseconds": round(seconds * 1e6, 3), "gigabytes_per_second": round(size / seconds / 1e9, 2)}
                        if large and size in limits:
                            fields["percent_of_the_limit"] = round(100 * limits[size] / seconds, 1)
                        record(**fields)


if __name__ == "__main__":
    main()
