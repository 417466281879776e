"""Random calls of isofold compared with an oracle: functions, dtypes, layouts, axes, masks. With --arrays they are calls
on another library's arrays, compared with the same calls on NumPy's.

    python python/tests/random_calls.py --calls 100000 --seed 1
    python python/tests/random_calls.py --calls 100000 --arrays torch:cuda      (or cupy, torch:cpu)"""

from __future__ import annotations

import argparse
import collections
import pathlib
import sys
import time
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import oracle  # noqa: E402

import isofold  # noqa: E402

FLOATS = ("float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def unaligned(x):
    memory = np.empty(x.nbytes + 1, np.uint8)
    view = memory[1 : 1 + x.nbytes].view(x.dtype).reshape(x.shape)
    view[...] = x
    return view


def random_layout(rng, x):
    """The same values as `x` in other places of memory: strides, order, byte order, alignment, read-only."""
    x = np.asarray(x)  # one without dimensions, not a scalar
    kind = rng.integers(7)
    if kind == 0:
        x = np.asfortranarray(x).reshape(x.shape, order="A")
    elif kind == 1 and x.ndim:
        wide = np.empty(tuple(2 * n + 1 for n in x.shape), x.dtype)
        view = wide[tuple(slice(0, 2 * n, 2) for n in x.shape)]
        view[...] = x
        x = view
    elif kind == 2 and x.ndim:
        axis = rng.integers(x.ndim)
        x = np.flip(np.flip(x, axis).copy(), axis)
    elif kind == 3 and x.ndim:
        order = rng.permutation(x.ndim)
        x = np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))
    elif kind == 4:
        x = x.astype(x.dtype.newbyteorder(">"))
    elif kind == 5 and x.dtype.itemsize > 1:
        x = unaligned(x)
    elif kind == 6:
        x = x.copy()
        x.flags.writeable = False
    return x


def random_array(rng, dtype, most=200):
    ndim = int(rng.integers(0, 5))
    shape = tuple(int(n) for n in rng.integers(0 if rng.random() < 0.05 else 1, max(2, int(most ** (1 / max(ndim, 1)))) + 1, ndim))
    if dtype == "bool":
        return rng.random(shape) < rng.random()
    if dtype in INTEGERS:
        info = np.iinfo(dtype)
        narrow = min(info.max, 2**45)  # the sum of 200,000 fits 64 bits
        return rng.integers(max(info.min, -narrow), narrow, shape, dtype=dtype, endpoint=True)
    x = rng.standard_normal(shape)
    if rng.random() < 0.5:
        x = x * 10.0 ** rng.integers(-12, 12, shape)
    if rng.random() < 0.2:
        x = np.where(rng.random(shape) < 0.3, rng.choice([0.0, -0.0, 1.0, -1.0]), x)
    return x.astype(dtype)


def random_axis(rng, ndim):
    kind = rng.integers(4)
    if kind == 0 or ndim == 0:
        return None if ndim == 0 or rng.random() < 0.8 else ()
    if kind == 1:
        return int(rng.integers(-ndim, ndim))
    count = int(rng.integers(1, ndim + 1))
    return tuple(int(a) - (ndim if rng.random() < 0.3 else 0) for a in rng.permutation(ndim)[:count])


def rows_of(x, axis, where, function, dtype):
    shape, rows = oracle.slices(x, axis, where)
    values = [function(row) for row in rows]
    return np.array(values, dtype).reshape(shape) if values else np.empty(shape, dtype)


def expectation(name, x, axis, where):
    """The expected result without keepdims, or None where another oracle judges."""
    kind = x.dtype.kind
    wide = np.float64 if kind in "iub" else x.dtype
    if name == "sum":
        if kind == "f":
            return rows_of(x, axis, where, lambda row: signed_zero(row, oracle.exact_sum(row, x.dtype)), x.dtype)
        dtype = np.int64 if kind in "ib" else np.uint64
        return rows_of(x, axis, where, lambda row: sum(map(int, row.tolist())), dtype)
    if name == "mean":
        return rows_of(x, axis, where, lambda row: signed_zero(row, oracle.exact_mean(row)), np.float64).astype(wide)
    if name in ("var0", "var1"):
        values = rows_of(x, axis, where, lambda row: oracle.exact_variance(row, int(name[3])), np.float64)
        return values.astype(wide)
    if name == "count_nonzero":
        return rows_of(x, axis, where, np.count_nonzero, np.int64)
    if name in ("any", "all"):
        return rows_of(x, axis, where, getattr(np, name), bool)
    if name in ("min", "max"):
        return rows_of(x, axis, where, lambda row: extremum(row, name), x.dtype)
    if name in ("argmin", "argmax"):
        return rows_of(x, axis, None, lambda row: list(row).index(getattr(np, name[3:])(row)), np.int64)
    raise AssertionError(name)


def signed_zero(row, value):
    """-0 for a sum or mean of nothing but -0, by exact_v1."""
    return -abs(value) if value == 0 and len(row) and np.all((row == 0) & np.signbit(row)) else value


def extremum(row, name):
    """-0 is below +0, which NumPy does not tell apart."""
    value = getattr(np, name)(row)
    if value == 0 and row.dtype.kind == "f":
        zeros = row[row == 0]
        negative = np.signbit(zeros).any() if name == "min" else np.signbit(zeros).all()
        return row.dtype.type(-0.0 if negative else 0.0)
    return value


NAMES = ("sum", "sum", "mean", "var0", "var1", "min", "max", "argmin", "argmax", "count_nonzero", "any", "all")


def random_mask(rng, x):
    start = int(rng.integers(0, x.ndim + 1))
    return np.asarray(rng.random(tuple(1 if rng.random() < 0.3 else n for n in x.shape[start:])) < 0.7)


def one_call(rng, counts):
    name = str(rng.choice(NAMES))
    dtype = str(rng.choice(FLOATS + FLOATS + INTEGERS + ("bool",)))
    x = random_array(rng, dtype)
    axis = random_axis(rng, x.ndim)
    keepdims = bool(rng.random() < 0.3)
    where = None
    if name in ("sum", "mean", "var0", "var1", "count_nonzero", "any", "all") and rng.random() < 0.3:
        where = random_mask(rng, x)
    if name.startswith("arg"):
        x = x + 0 if x.dtype.kind == "f" else x  # the index of the first of two zeros of other signs is not NumPy's
        if x.dtype.kind == "f":
            x = np.where(x == 0, x.dtype.type(0), x)
    empty = x.size == 0
    if name in ("min", "max", "argmin", "argmax") and empty:
        counts["skipped"] += 1
        return
    laid = random_layout(rng, x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = expectation(name, x, axis, where)
    arguments = {"axis": axis, "keepdims": keepdims}
    if where is not None:
        arguments["where"] = where
    function = getattr(isofold, name.rstrip("01"))
    if name.startswith("var"):
        arguments["correction"] = int(name[3])
    if keepdims:
        axes = range(x.ndim) if axis is None else [a % x.ndim for a in np.atleast_1d(np.asarray(axis, int))]
        expected = expected.reshape([1 if d in axes else n for d, n in enumerate(x.shape)])
    result = function(laid, **arguments)
    counts[name] += 1
    if not oracle.same_bits(result, expected):
        raise AssertionError(
            f"isofold.{name}({laid.dtype.str} {x.shape} strides {laid.strides}, {arguments}) gave\n{result!r}\n"
            f"instead of\n{expected!r}\nof\n{x!r}"
        )


# ---- other libraries' arrays


class TorchArrays:
    def __init__(self, device):
        import torch

        self.torch, self.device = torch, device

    def of(self, x):
        """A tensor of the values of `x`, with its strides where torch has such."""
        torch = self.torch
        if x.dtype.name == "bfloat16":
            return self.of(x.astype(isofold._arrays.BFLOAT16, copy=not x.dtype.isnative).view(np.int16)).view(torch.bfloat16)
        if min(x.strides, default=0) < 0 or not x.dtype.isnative or not x.flags.aligned or not x.size:
            return torch.from_numpy(np.array(x, x.dtype.newbyteorder("="), order="C")).to(self.device)
        dtype = torch.from_numpy(np.empty(0, x.dtype)).dtype
        memory = torch.from_numpy(memory_of(x)).to(self.device).view(dtype)
        return torch.as_strided(memory, x.shape, [step // x.itemsize for step in x.strides])

    def numpy(self, result):
        assert isinstance(result, self.torch.Tensor) and result.device.type == self.device, result
        result = result.cpu()
        if result.dtype == self.torch.bfloat16:
            return result.view(self.torch.int16).numpy().view(isofold._arrays.BFLOAT16)
        return result.numpy()


class CuPyArrays:
    def __init__(self):
        import cupy

        self.cupy = cupy

    def of(self, x):
        """An array of the values of `x`, with its strides."""
        if not x.dtype.isnative or not x.flags.aligned or not x.size:
            native = np.array(x, x.dtype.newbyteorder("="), order="C")
            return self.cupy.asarray(native.reshape(-1)).reshape(x.shape)  # of no dimensions it makes -0.0 0.0
        memory = self.cupy.asarray(memory_of(x))
        begin = sum((n - 1) * step for n, step in zip(x.shape, x.strides) if step < 0)
        return self.cupy.ndarray(x.shape, x.dtype, memory.data - begin, x.strides)

    def numpy(self, result):
        assert isinstance(result, self.cupy.ndarray), result
        return result.get()


def memory_of(x):
    """The bytes that the elements of `x` span, from the lowest address on."""
    size = x.itemsize + sum((n - 1) * abs(step) for n, step in zip(x.shape, x.strides))
    first = x[(*(slice(n - 1, n) if step < 0 else slice(0, 1) for n, step in zip(x.shape, x.strides)), ...)]
    return np.lib.stride_tricks.as_strided(first.reshape(1).view(np.uint8), (size,), (1,)).copy()


def arrays_of(name):
    library, _, device = name.partition(":")
    return CuPyArrays() if library == "cupy" else TorchArrays(device or "cpu")


def random_dtype(rng, name, arrays):
    real = ("float32", "float64", "float16") + (("bfloat16",) if isinstance(arrays, TorchArrays) else ())
    complex_too = name in ("sum", "tree", "mean", "vecdot", "norm", "norm1", "prod", "any", "count_nonzero")
    kinds = [real] * 3 + ([] if name in ("bound",) else [INTEGERS, ("bool",)]) + ([("complex64", "complex128")] if complex_too else [])
    choice = str(rng.choice(kinds[int(rng.integers(len(kinds)))]))
    return "float32" if name == "bound" and choice.endswith("16") else choice


FUNCTIONS = {
    "sum": isofold.sum,
    "tree": lambda x, **arguments: isofold.sum(x, definition="tree", **arguments),
    "bound": lambda x, **arguments: isofold.sum(x, bound=True, **arguments),
    "f64": lambda x, **arguments: isofold.sum(x, dtype="float64", **arguments),
    "prod": isofold.prod,
    "mean": isofold.mean,
    "var": isofold.var,
    "std": lambda x, **arguments: isofold.std(x, correction=1, definition="tree", **arguments),
    "min": isofold.min,
    "max": isofold.max,
    "minmax": isofold.minmax,
    "argmin": isofold.argmin,
    "argmax": isofold.argmax,
    "argminmax": isofold.argminmax,
    "moments": isofold.moments,
    "count_nonzero": isofold.count_nonzero,
    "any": isofold.any,
    "all": isofold.all,
    "logsumexp": isofold.logsumexp,
    "softmax_statistics": isofold.softmax_statistics,
    "norm": isofold.linalg.vector_norm,
    "norm1": lambda x, **arguments: isofold.linalg.vector_norm(x, ord=1, **arguments),
    "vecdot": lambda x, axis, **arguments: isofold.vecdot(x, x, axis=axis),
    "fuse": lambda x, **arguments: isofold.fuse(x, ["sum", "argmax", "min"], **arguments),
}
UNMASKED = ("argmin", "argmax", "argminmax", "norm", "norm1", "vecdot")
WITHOUT_EMPTY = ("min", "max", "minmax", "argmin", "argmax", "argminmax", "fuse")


def parts_of(result):
    return list(result.values()) if isinstance(result, dict) else list(result) if isinstance(result, tuple) else [result]


def one_call_elsewhere(rng, counts, arrays):
    name = str(rng.choice(list(FUNCTIONS)))
    dtype = random_dtype(rng, name, arrays)
    most = 200 if rng.random() < 0.95 else 200_000
    if dtype == "bfloat16":
        x = random_array(rng, "float32", most).astype(isofold._arrays.BFLOAT16)
    elif dtype.startswith("complex"):
        x = random_array(rng, "float32", most)
        x = (x + 1j * rng.permutation(x.ravel()).reshape(x.shape)).astype(dtype)
    else:
        with np.errstate(over="ignore"):
            x = random_array(rng, dtype, most)
    if x.ndim == 0 and name == "vecdot" or x.size == 0 and name in WITHOUT_EMPTY:
        counts["skipped"] += 1
        return
    arguments = {"axis": int(rng.integers(x.ndim)) if name == "vecdot" else random_axis(rng, x.ndim)}
    if name != "vecdot":
        arguments["keepdims"] = bool(rng.random() < 0.3)
    x = random_layout(rng, x)
    there = dict(arguments)
    if name not in UNMASKED + WITHOUT_EMPTY and rng.random() < 0.3:
        arguments["where"] = random_mask(rng, x)
        there["where"] = arrays.of(arguments["where"])
    with np.errstate(all="ignore"):
        expected = parts_of(FUNCTIONS[name](x, **arguments))
        results = [arrays.numpy(part) for part in parts_of(FUNCTIONS[name](arrays.of(x), **there))]
    counts[name] += 1
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected):
        if not oracle.same_bits(result, wanted):
            raise AssertionError(
                f"{name} of {x.dtype.str} {x.shape} strides {x.strides}, {arguments}, gave\n{result!r}\n"
                f"instead of NumPy's\n{wanted!r}\nof\n{x!r}"
            )


def run(calls, seed, arrays=None):
    """Counts of the calls by name, all of which had the right bits; `arrays` are another library's, or None."""
    counts = collections.Counter()
    for call in range(calls):
        rng = np.random.default_rng((seed, call))
        try:
            if arrays is None:
                one_call(rng, counts)
            else:
                one_call_elsewhere(rng, counts, arrays)
        except Exception as error:
            raise AssertionError(f"seed {seed}, call {call}: {type(error).__name__}: {error}") from error
    return counts


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--arrays", help="torch:cpu, torch:cuda or cupy; NumPy's and the oracle otherwise")
    options = parser.parse_args()
    began = time.process_time()
    done = run(options.calls, options.seed, arrays_of(options.arrays) if options.arrays else None)
    skipped = done.pop("skipped", 0)
    print(f"{sum(done.values())} calls, 0 different, {skipped} skipped, {time.process_time() - began:.0f} CPU seconds: {dict(done)}")
