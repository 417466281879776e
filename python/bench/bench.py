"""What isofold's functions cost from Python, beside NumPy, torch, torch.compile, JAX, CuPy and cuda.compute.

    python python/bench/bench.py [--device cuda] [--quick] [--json FILE]

prints tables in Markdown, one for each library: microseconds of calls on small arrays, of large arrays, and of rows of
16-bit floats. On a device a call's time is that until it is enqueued, and large inputs have their share of the read limit,
the time in which the fastest of several kernels that do nothing else reads as many bytes; on a CPU they have their rate.
--quick leaves out large arrays and half of the calls, and stops after 90 seconds: what is left out then is said.

A time is the least of several bursts of calls, with one wait behind each. Those of isofold and of the library take turns
over the same inputs, and large inputs on a device are several, so that no cache holds them. JAX's functions are compiled by
jax.jit; methods are called where a library has them (x.sum()), which are faster than its functions. FILE gets all times
as lines of JSON."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import sys
import time

os.environ.setdefault("CUPY_ACCELERATORS", "cub")  # CuPy's fastest

import numpy as np

import isofold

WIDE, NARROW = ("float32", "float64"), ("float16", "bfloat16")
SHORT = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}
SIZE = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}


class NumPy:
    name, types = "NumPy", ("float16", "float32", "float64")

    def __init__(self, device):
        self.module = np

    def array(self, x, dtype):
        return x.astype(dtype)

    def call(self, fold, dtype, axis):
        """The library's own way to reduce an array of `dtype` over `axis`, or None."""
        method = getattr(self.module.ndarray, fold, None)
        return method if method is None or axis is None else lambda x: method(x, axis=axis)

    def wait(self, result=None):
        pass


class Torch(NumPy):
    name, types = "torch", NARROW + WIDE
    names = {"min": "amin", "max": "amax"}

    def __init__(self, device):
        import torch

        self.module, self.device = torch, device

    def array(self, x, dtype):
        return self.module.from_numpy(x).to(self.device, getattr(self.module, dtype))

    def call(self, fold, dtype, axis):
        torch = self.module
        if fold == "softmax_statistics":

            def softmax_statistics(x):
                largest = x.amax(axis, keepdim=True)
                return largest, (x.float() - largest).exp().sum(axis)

            return softmax_statistics
        if fold == "logsumexp":
            return lambda x: torch.logsumexp(x, axis)
        method = getattr(torch.Tensor, self.names.get(fold, fold))
        return method if axis is None else lambda x: method(x, dim=axis)

    def wait(self, result=None):
        if self.device == "cuda":
            self.module.cuda.synchronize()


class TorchCompile(Torch):
    name, types, beside = "torch.compile", NARROW, "torch"  # elsewhere there is nothing to fuse

    def call(self, fold, dtype, axis):
        self.module._dynamo.reset()  # else the ninth function of one source is not compiled
        return self.module.compile(super().call(fold, dtype, axis), dynamic=False)


class CuPy(NumPy):
    name = "CuPy"

    def __init__(self, device):
        import cupy

        self.module = cupy

    def array(self, x, dtype):
        return self.module.asarray(x.astype(dtype))

    def call(self, fold, dtype, axis):
        if fold == "logsumexp":
            from cupyx.scipy.special import logsumexp

            return lambda x: logsumexp(x, axis=axis)
        return super().call(fold, dtype, axis)

    def wait(self, result=None):
        self.module.cuda.Device().synchronize()


class Jax(NumPy):
    name, types = "JAX", NARROW + WIDE

    def __init__(self, device):
        import jax

        jax.config.update("jax_enable_x64", True)
        self.module, self.device = jax, jax.devices(device)[0]

    def array(self, x, dtype):
        return self.module.device_put(self.module.numpy.asarray(x, dtype), self.device)

    def call(self, fold, dtype, axis):
        numpy = self.module.numpy

        def softmax_statistics(x, axis):
            largest = numpy.max(x, axis, keepdims=True)
            return largest, numpy.sum(numpy.exp(x.astype("float32") - largest.astype("float32")), axis)

        plain = {"logsumexp": self.module.nn.logsumexp, "softmax_statistics": softmax_statistics}.get(fold)
        plain = plain or getattr(numpy, fold)
        return self.module.jit(lambda x: plain(x, axis=axis))

    def wait(self, result=None):
        if result is not None:
            self.module.block_until_ready(result)
        isofold.synchronize()


class CudaCompute(CuPy):
    """NVIDIA's cuda.compute over CuPy's arrays: whole arrays, and operators that it need not compile from Python."""

    name, types, beside = "cuda.compute", WIDE, "CuPy"

    def __init__(self, device):
        super().__init__(device)
        import cuda.compute

        self.compute = cuda.compute

    def call(self, fold, dtype, axis):
        operators = {"sum": self.compute.OpKind.PLUS, "max": self.compute.OpKind.MAXIMUM}
        if fold not in operators or axis is not None:
            return None
        first = np.zeros(1, dtype) if fold == "sum" else np.full(1, -np.inf, dtype)

        def reduce(x):
            result = self.module.empty(1, x.dtype)
            self.compute.reduce_into(d_in=x, d_out=result, num_items=x.size, op=operators[fold], h_init=first)
            return result

        return reduce


# torch.compile comes last: it takes longest, and a quick run may stop before its end.
LIBRARIES = {"cpu": (NumPy, Torch, Jax, TorchCompile), "cuda": (Torch, CuPy, Jax, CudaCompute, TorchCompile)}


def own_calls(fold, axis):
    """Pairs of (name, call) of isofold's function."""
    own = getattr(isofold, fold)
    arguments = {} if axis is None and fold != "softmax_statistics" else {"axis": axis}
    yield "isofold", lambda x: own(x, **arguments)
    if fold in ("sum", "mean", "var"):
        yield "isofold, tree", lambda x: own(x, definition="tree", **arguments)


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


def least(calls, inputs, wait, ended, seconds=0.06):
    """The least seconds of each call; a call is measured for about `seconds`, in bursts that take turns."""
    numbers, best = [], []
    for call in calls:
        wait(call(inputs[0]))
        times = seconds_of_a_burst(call, inputs, len(inputs), wait)
        numbers.append(int(np.clip(seconds / 5 / times[1], 1 if ended else 20, 500)))
        best.append(times[ended])
    for _ in range(5):
        for i, call in enumerate(calls):
            if best[i] < seconds or not ended:
                best[i] = min(best[i], seconds_of_a_burst(call, inputs, numbers[i], wait)[ended])
    return best


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
    """Seconds in which the fastest of several kernels that do nothing else reads `size` bytes (bench/gpu/read_limit.cu)."""
    import cupy

    inputs = [cupy.arange(size // 4, dtype=np.int32) for _ in range(3)]
    out = cupy.zeros(1, np.uint32)
    processors = cupy.cuda.Device().attributes["MultiProcessorCount"]
    runs = []
    for unrolled in (2, 4, 8):
        kernel = cupy.RawKernel(READ, "read_all", ("-std=c++17", f"-DUNROLLED={unrolled}"))
        for threads in (256, 512, 1024):
            for blocks in (2048 // threads * processors, 8 * 2048 // threads * processors):
                runs.append(lambda x, k=kernel, b=blocks, t=threads: k((b,), (t,), (x, np.int64(size // 16), out)))
    return min(least(runs, inputs, lambda r=None: cupy.cuda.Device().synchronize(), True))


def work_of(options):
    """Lines of (kind, shape, axis, types, folds)."""
    folds = ("sum", "max", "argmax", "mean", "var")
    of_rows = ("argmax", "softmax_statistics", "logsumexp", "sum")
    scale = 1 if options.device == "cuda" else 16  # of rows that a CPU takes long for
    narrow = [("data", (65536 // scale, 2048), 1, NARROW, of_rows), ("data", (1024 // scale, 50257), 1, NARROW, of_rows)]
    small = ("sum", "argmax", "var") if options.quick else folds
    calls = [("call", shape, axis, WIDE[:1] if options.quick else WIDE, small)
             for shape, axis in (((10,), None), ((1000,), None), ((10, 10), 1))]  # fmt: skip
    if options.quick:
        return calls + narrow
    return [*calls, ("data", (options.count,), None, WIDE, folds),
            ("data", (max(options.count // 2048, 1), 2048), 1, WIDE, folds), *narrow]  # fmt: skip


def bytes_of(shape, dtype):
    return int(np.prod(shape)) * SIZE[dtype]


def limits_of(work, notes):
    """The read limit of each size of data."""
    limits = {}
    try:
        for kind, shape, _, types, _ in work:
            for size in {bytes_of(shape, dtype) for dtype in types if kind == "data"} - set(limits):
                limits[size] = read_limit(size)
                notes.append(f"The read limit of {size / 1e6:.0f} MB is {limits[size] * 1e6:.1f} µs, "
                             f"{size / limits[size] / 1e9:.0f} GB/s.")  # fmt: skip
    except ImportError as error:
        notes.append(f"There is no read limit without CuPy: {error}.")
    return limits


def working_calls(library, fold, dtype, axis, x, what, notes):
    """Calls by the names of who makes them; those that fail are left out, and said."""
    theirs = library.call(fold, dtype, axis)
    calls = {} if theirs is None else {library.name: theirs}
    if not hasattr(library, "beside"):
        calls |= own_calls(fold, axis)
    for who in list(calls):
        try:
            library.wait(calls[who](x))
        except Exception as error:
            sentence = (str(error).splitlines() or [""])[0][:200]
            notes.append(f"{who}, {fold} {what} {SHORT[dtype]}: {type(error).__name__}: {sentence}")
            del calls[who]
    return calls


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        return next((line.split(": ", 1)[1].strip() for line in lines if line.startswith("model name")), "CPU")


def machine(options):
    """The hardware, and what computes on it."""
    if options.device == "cpu":
        return f"{processor()} ({isofold.backends()['openmp'][1]})"
    for module, name_of in (
        ("torch", lambda torch: torch.cuda.get_device_name()),
        ("cupy", lambda cupy: cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()),
    ):
        try:
            return f"{name_of(__import__(module))} ({isofold.backends()['cuda'][1]}), host {processor()}"
        except Exception:
            continue
    return isofold.backends()["cuda"][1]


def text_of(shape):
    return " x ".join(map(str, shape))


def print_tables(records, versions, options, notes):
    command = " ".join(["python python/bench/bench.py", *options.arguments])
    names = ", ".join(f"{name} {version}" for name, version in versions.items())
    print(f"{machine(options)}; Python {platform.python_version()}, {names}; {datetime.date.today()}: `{command}`. "
          + "Microseconds, the least of several bursts"
          + ("; calls until they are enqueued, in brackets the share of the read limit."
             if options.device == "cuda" else "; in brackets GB/s."))  # fmt: skip
    for library in dict.fromkeys(record["library"] for record in records):
        of_it = [record for record in records if record["library"] == library]
        columns = sorted({record["who"] for record in of_it}, key=lambda who: (who.startswith("isofold"), who))
        print("\n|", " | ".join(["", *columns]), "|\n" + "|---" * (len(columns) + 1) + "|")
        rows = {}
        for record in of_it:
            where = "" if record["axis"] is None else f", axis {record['axis']}"
            case = f"{record['fold']} of {text_of(record['shape'])} {SHORT[record['type']]}{where}"
            rows.setdefault(case, {})[record["who"]] = record
        for case, cells in rows.items():
            print("|", case, "|", " | ".join(cell_of(cells.get(who)) for who in columns), "|")
    for note in dict.fromkeys(notes):
        print(f"\n{note}")


def cell_of(record):
    if record is None:
        return ""
    time_of = record["microseconds"]
    text = f"{time_of:.{2 if time_of < 10 else 1 if time_of < 100 else 0}f}"
    share = record.get("percent_of_the_limit")
    if share is not None:
        return f"{text} ({share:.0f} %)"
    return text if record["kind"] == "call" else f"{text} ({record['gigabytes_per_second']:.1f})"


def measure(options, records, notes, versions):
    """Appends a record of each time, and what there is to say beside them."""
    stop = time.monotonic() + (90 if options.quick else np.inf)
    work = work_of(options)
    limits = limits_of(work, notes) if options.device == "cuda" else {}
    base = np.random.default_rng(1).standard_normal(1 << 22, dtype=np.float32)
    for kind_of_library in LIBRARIES[options.device]:
        if kind_of_library.name not in options.libraries.split(","):
            continue
        try:
            library = kind_of_library(options.device)
        except Exception as error:
            notes.append(f"{kind_of_library.name} is left out: {type(error).__name__}: {error}")
            continue
        of = getattr(library, "beside", library.name)
        versions.setdefault(of, getattr(library.module, "__version__", ""))
        for kind, shape, axis, types, folds in work:
            types = [dtype for dtype in types if dtype in library.types]
            values = np.resize(base, shape) if types else None
            for dtype in types:
                several = 3 if kind == "data" and options.device == "cuda" else 1
                inputs = [library.array(values, dtype) for _ in range(several)]
                size = bytes_of(shape, dtype)
                for fold in folds:
                    case = f"{fold} of {text_of(shape)} {SHORT[dtype]}"
                    if time.monotonic() > stop:
                        notes.append(f"{library.name}: after 90 seconds the rest is left out, from {case} on.")
                        return
                    print(f"{library.name}: {case}", file=sys.stderr)
                    calls = working_calls(library, fold, dtype, axis, inputs[0], f"of {text_of(shape)}", notes)
                    ended = kind == "data" or options.device == "cpu"
                    for who, seconds in zip(calls, least(calls.values(), inputs, library.wait, ended)):
                        records.append({"library": of, "who": who, "fold": fold, "type": dtype, "shape": shape,
                                        "axis": axis, "kind": kind, "microseconds": round(seconds * 1e6, 3),
                                        "gigabytes_per_second": round(size / seconds / 1e9, 2)})  # fmt: skip
                        if kind == "data" and size in limits:
                            records[-1]["percent_of_the_limit"] = round(100 * limits[size] / seconds, 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--quick", action="store_true", help="rows of 16-bit floats and a few calls, in 90 seconds")
    parser.add_argument("--count", type=int, default=1 << 24, help="elements of a large array")
    parser.add_argument("--libraries", default="NumPy,torch,CuPy,JAX,cuda.compute,torch.compile")
    parser.add_argument("--json", help="a file for all times, as lines of JSON")
    options = parser.parse_args()
    options.arguments = sys.argv[1:]
    available, why = isofold.backends()["cuda" if options.device == "cuda" else "openmp"]
    if not available:
        sys.exit(f"isofold cannot compute on {options.device} here: {why}.")
    records, notes, versions = [], [], {"isofold": isofold.__version__}
    try:
        measure(options, records, notes, versions)
    except KeyboardInterrupt:
        notes.append("Interrupted: the rest is left out.")
    print_tables(records, versions, options, notes)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as lines:
            for record in records:
                print(json.dumps(record), file=lines)


if __name__ == "__main__":
    main()
