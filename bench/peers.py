#!/usr/bin/env python3
"""NumPy, torch, JAX and CuPy, measured as isofold is, in the JSON lines of bench/record.hpp.

    bench/peers.py [--peers numpy,torch] [--folds sum] [--types f32,f64] [--counts 2^12,2^20] [--rows 65536x2048]

A library that is not installed, or that has no such case, is left out with a reason on standard error. Each runs
where its users have it: NumPy and torch on the CPU, torch, JAX and CuPy on a GPU too where they find one. On a
CPU the rates are of the best round and the data stay in the caches where they fit; on a GPU they are of the median, and
the inputs are rotated so that no cache holds them. The read limit is not known here: it is in the lines that
isofold_bench or `isofold bench` writes on the same machine, and bench/plot.py draws both into one picture.
"""

import argparse
import json
import os
import sys
import time

FOLDS = {"sum": "sum", "product": "prod", "minimum": "min", "maximum": "max"}
# Folds that NumPy has in a line or two; the other libraries are asked for the four above only.
NUMPY_FOLDS = ("argmin", "argmax", "minmax", "absolute_maximum", "norm1", "norm2", "mean", "variance", "log_sum_exp",
               "count_nonzero", "any", "all")
TYPES = {"f32": "float32", "f64": "float64", "i32": "int32", "i64": "int64", "u32": "uint32", "u64": "uint64"}
DEFAULT_COUNTS = "2^10,2^12,2^14,2^17,2^20,2^22,2^25,2^27"
# A round over a GPU's inputs reads about so much before it comes back to the first, as in cli/timed.cpp.
ROTATED_BYTES = 1 << 30
MOST_PLACES = 64


def note(sentence):
    sys.stderr.write(f"peers.py: {sentence}\n")


def by_numpy(numpy, fold):
    """The fold as a NumPy user writes it, over the last axis."""
    def log_sum_exp(x):
        from scipy.special import logsumexp
        return logsumexp(x, axis=-1)

    named = {"argmin": numpy.argmin, "argmax": numpy.argmax, "mean": numpy.mean, "variance": numpy.var,
             "count_nonzero": numpy.count_nonzero, "any": numpy.any, "all": numpy.all}
    if fold in named:
        return lambda x: named[fold](x, axis=-1)
    return {"minmax": lambda x: (numpy.min(x, axis=-1), numpy.max(x, axis=-1)),
            "absolute_maximum": lambda x: numpy.linalg.norm(x, numpy.inf, axis=-1),
            "norm1": lambda x: numpy.linalg.norm(x, 1, axis=-1),
            "norm2": lambda x: numpy.linalg.norm(x, axis=-1),
            "log_sum_exp": log_sum_exp}[fold]


def processor_name():
    """The processor's name, which bench/read_limit.cpp has, too, so that lines about one machine belong together."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(": ", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return "CPU"


class Numpy:
    """NumPy on one core."""
    on_device = False

    def __init__(self):
        import numpy
        self.library = numpy
        self.name = f"NumPy {numpy.__version__}"
        self.device = processor_name()
        self.threads = 1

    def place(self, values):
        return values.copy()

    def call(self, fold):
        if fold in NUMPY_FOLDS and self.library.__name__ == "numpy":
            return by_numpy(self.library, fold)
        function = getattr(self.library, FOLDS[fold])
        return lambda x: function(x, axis=-1)

    def wait(self, result):
        pass


class TorchCpu(Numpy):
    """torch on all cores that it takes."""

    def __init__(self):
        import torch
        self.library = torch
        self.name = f"torch {torch.__version__}"
        self.device = processor_name()
        self.threads = torch.get_num_threads()

    def place(self, values):
        return self.library.from_numpy(values.copy())

    def call(self, fold):
        function = {"minimum": "amin", "maximum": "amax"}.get(fold, FOLDS[fold])
        return lambda x: getattr(self.library, function)(x, dim=-1)


class TorchCuda(TorchCpu):
    on_device = True

    def __init__(self):
        super().__init__()
        if not self.library.cuda.is_available():
            raise ImportError("torch finds no GPU")
        self.device = self.library.cuda.get_device_name(0)
        self.threads = 0

    def place(self, values):
        return self.library.from_numpy(values).cuda()

    def wait(self, result):
        self.library.cuda.synchronize()


class Jax(Numpy):
    """jnp, compiled by jax.jit, on JAX's default device."""

    def __init__(self):
        import jax
        jax.config.update("jax_enable_x64", True)
        self.library = jax
        self.name = f"JAX {jax.__version__}"
        device = jax.devices()[0]
        self.on_device = device.platform != "cpu"
        self.device = device.device_kind if self.on_device else processor_name()
        self.threads = 0 if self.on_device else len(os.sched_getaffinity(0))

    def place(self, values):
        return self.library.device_put(values)

    def call(self, fold):
        function = getattr(self.library.numpy, FOLDS[fold])
        return self.library.jit(lambda x: function(x, axis=-1))

    def wait(self, result):
        self.library.block_until_ready(result)


class Cupy(Numpy):
    """CuPy on the first GPU."""
    on_device = True

    def __init__(self):
        import cupy
        self.library = cupy
        self.name = f"CuPy {cupy.__version__}"
        try:
            self.device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise ImportError(f"CuPy finds no GPU ({error})") from error
        self.threads = 0

    def place(self, values):
        return self.library.asarray(values)

    def wait(self, result):
        self.library.cuda.get_current_stream().synchronize()


PEERS = {"numpy": [Numpy], "torch": [TorchCpu, TorchCuda], "jax": [Jax], "cupy": [Cupy]}


def seconds_of_row(peer, function, places, calls):
    """Seconds of one of `calls` calls in a row, over the places in turn, with one wait at the end."""
    begin = time.perf_counter()
    for call in range(calls):
        result = function(places[call % len(places)])
    peer.wait(result)
    return (time.perf_counter() - begin) / calls


def rounds_of(peer, function, places, seconds_in_all):
    """Seconds of one call, round after round; a round is long enough for the clock, and for many calls a wait."""
    least = 2e-3 if peer.on_device else 50e-6
    once = min(seconds_of_row(peer, function, places, 1) for _ in range(3))
    calls = max(1, int(least / once) + 1)
    if peer.on_device:
        calls = min(max(calls, 4), MOST_PLACES)
    seconds_of_row(peer, function, places, calls)
    count = min(max(int(seconds_in_all / max(once * calls, 1e-9)), 7), 61)
    return sorted(seconds_of_row(peer, function, places, calls) for _ in range(count))


def record_of(peer, fold, kind, shape, element_bytes, seconds):
    """The fields of bench/record.hpp, in its order."""
    rows, length = shape
    count = rows * length
    best, median = seconds[0], seconds[len(seconds) // 2]
    spread = (seconds[3 * len(seconds) // 4] - seconds[len(seconds) // 4]) / median
    rate = median if peer.on_device else best
    return {"program": "peers.py", "device": peer.device, "name": peer.name, "backend": "", "guarantee": "",
            "fold": fold, "type": kind, "shape": "array" if rows == 1 else "rows", "rows": rows, "length": length,
            "count": count, "bytes": count * element_bytes, "threads": peer.threads,
            "best_ns": round(best * 1e9, 2), "median_ns": round(median * 1e9, 2), "spread": round(spread, 4),
            "rates_from": "median" if peer.on_device else "best",
            "gigabytes_per_second": round(count * element_bytes / rate * 1e-9, 2),
            "elements_per_second": float(f"{count / rate:.5g}"), "share_of_read_limit": None, "note": ""}


def values_of(numpy, kind, shape):
    """Elements near one of either sign, or near the middle of what an integer holds."""
    random = numpy.random.default_rng(0)
    values = random.uniform(0.5, 1.5, shape[0] * shape[1]) * random.choice([-1, 1], shape[0] * shape[1])
    if not kind.startswith("f"):
        values *= 1000
    if kind.startswith("u"):
        values = abs(values)
    values = values.astype(TYPES[kind])
    return values if shape[0] == 1 else values.reshape(shape)


def right(peer, fold, values, result):
    """Whether the peer computed what it is measured for, within what rounding in any order can do."""
    import numpy
    if fold == "product":
        return True  # of elements near one it may be anything
    if fold in NUMPY_FOLDS:
        wide = numpy.asarray(by_numpy(numpy, fold)(values.astype("float64")), dtype="float64")
        return bool(numpy.all(abs(numpy.asarray(result, dtype="float64") - wide) <= 1e-3 * abs(wide) + 1e-3))
    expected = getattr(numpy, FOLDS[fold])(values.astype("float64"), axis=-1)
    allowed = 1e-3 * numpy.sum(abs(values.astype("float64")), axis=-1) if fold == "sum" else 1e-6 * abs(expected)
    found = numpy.asarray(result.cpu() if hasattr(result, "cpu") else
                          result.get() if hasattr(result, "get") else result).astype("float64")
    return bool(numpy.all(abs(found - expected) <= allowed + 1e-30))


def measure(peer, fold, kind, shape, seconds_in_all):
    import numpy
    values = values_of(numpy, kind, shape)
    count = min(max(ROTATED_BYTES // max(values.nbytes, 1), 1), MOST_PLACES) if peer.on_device else 1
    places = [peer.place(values) for _ in range(count)]
    function = peer.call(fold)
    result = function(places[0])
    peer.wait(result)
    if not right(peer, fold, values, result):
        raise ValueError(f"gives a wrong {fold}")
    return record_of(peer, fold, kind, shape, values.itemsize, rounds_of(peer, function, places, seconds_in_all))


def number_of(text):
    return 1 << int(text[2:]) if text.startswith("2^") else int(text)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--folds", default="sum")
    parser.add_argument("--types", default="f32,f64")
    parser.add_argument("--counts", default=DEFAULT_COUNTS, help="elements of one array; empty for none")
    parser.add_argument("--rows", default="", metavar="ROWSxLENGTH,...", help="rows, each reduced to one result")
    parser.add_argument("--seconds", type=float, default=0.2, help="about how long each case is measured")
    arguments = parser.parse_args()
    try:
        shapes = [(1, number_of(text)) for text in arguments.counts.split(",") if text]
        shapes += [tuple(number_of(part) for part in text.split("x")) for text in arguments.rows.split(",") if text]
        if any(len(shape) != 2 or min(shape) < 1 for shape in shapes):
            raise ValueError
    except ValueError:
        parser.error("counts are digits or 2^digits, at least 1; rows are two of them with an x between")
    for name, known in (("peers", PEERS), ("folds", [*FOLDS, *NUMPY_FOLDS]), ("types", TYPES)):
        wishes = getattr(arguments, name).split(",")
        for wish in wishes:
            if wish not in known:
                parser.error(f"there is no '{wish}' among the {name}: {', '.join(known)}")
        setattr(arguments, name, wishes)
    return arguments, shapes


def main():
    arguments, shapes = parse()
    try:
        import numpy
        del numpy
    except ImportError as error:
        note(f"every peer is left out: their data are made with NumPy ({error}).")
        return
    for wish in arguments.peers:
        for kind_of_peer in PEERS[wish]:
            try:
                peer = kind_of_peer()
            except (ImportError, RuntimeError) as error:
                note(f"{wish} is left out: {error}.")
                continue
            for kind in arguments.types:
                for fold in arguments.folds:
                    for shape in shapes:
                        try:
                            record = measure(peer, fold, kind, shape, arguments.seconds)
                        except Exception as error:  # a library says in its own way what it does not have
                            note(f"{peer.name} is left out for {fold} of {kind} {shape}: {error}.")
                            continue
                        print(json.dumps(record, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
