#!/usr/bin/env python3
"""NumPy over the cases of layouts_bench: the best of some rounds, in milliseconds, on one core.

    bench/layout_peers.py [f32] [f64]

Segments are numpy.add.reduceat (which has no empty segments: theirs are left out), batches a call of sum an array.
"""
import sys
import time

import numpy

EDGE = 320
ELEMENTS = 1 << 25
AXES = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))


def best_milliseconds(call, rounds=7):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times) * 1e3


def cases(x):
    """(name, call) of every case."""
    cube = x[:EDGE ** 3].reshape(EDGE, EDGE, EDGE)
    yield "interior of 320^3, 1 ghost layer", cube[1:-1, 1:-1, 1:-1].sum
    for axes in AXES:
        yield "320^3 over axes " + " ".join(map(str, axes)), lambda axes=axes: cube.sum(axis=axes)
    nearest = ", the first index nearest"
    fortran = cube.T
    yield "320^3" + nearest, fortran.sum
    yield "interior of 320^3, 1 ghost layer" + nearest, fortran[1:-1, 1:-1, 1:-1].sum
    for axes in AXES:
        yield ("320^3 over axes " + " ".join(map(str, axes)) + nearest,
               lambda axes=axes: fortran.sum(axis=axes))
    for lines, count in ((65536, 512), (21845, 1536), (4096, 8192), (1 << 20, 32)):
        yield f"{lines} x {count}" + nearest, x[:lines * count].reshape(count, lines).T.sum
    for rows, columns in ((4096, 4096), (65536, 256), (256, 65536), (16777216, 2), (262144, 128)):
        matrix = x[:rows * columns].reshape(rows, columns)
        yield f"{rows} x {columns} over axis 0", lambda matrix=matrix: matrix.sum(axis=0)
    random = numpy.random.default_rng(1)
    array = x[:ELEMENTS]
    for run in (1, 64):
        mask = numpy.repeat(random.integers(0, 2, ELEMENTS // run, dtype=numpy.uint8), run).astype(bool)
        yield f"mask of bytes: 2^25, half of them, in runs of {run}", lambda mask=mask: array[mask].sum()
    for mean in (8, 64, 1024, 65536):
        offsets = numpy.cumsum(random.integers(1, 2 * mean + 1, ELEMENTS // mean))
        offsets = numpy.concatenate(([0], offsets[offsets < ELEMENTS]))
        yield (f"segments of 2^25, 0 to {2 * mean} long",
               lambda offsets=offsets: numpy.add.reduceat(array, offsets))
    indices = numpy.flatnonzero(random.integers(0, 2, ELEMENTS)).astype(numpy.int32)
    yield "gather of half of 2^25, in order", lambda: array[indices].sum()
    lengths = random.integers(100, 10001, 10000)
    arrays = [x[10000 * i:10000 * i + length] for i, length in enumerate(lengths)]
    yield "batch of 10000 arrays of 100 to 10000", lambda: [part.sum() for part in arrays]


def main():
    for name in sys.argv[1:] or ("f32", "f64"):
        x = (numpy.arange(10 ** 8) % 1000 * 0.01).astype({"f32": "float32", "f64": "float64"}[name])
        print(f"\n| {name} | NumPy {numpy.__version__} |\n|---|---|")
        for case, call in cases(x):
            print(f"| {case} | {best_milliseconds(call):.1f} ms |", flush=True)


if __name__ == "__main__":
    main()
