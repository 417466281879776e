#!/usr/bin/env python3
"""torch over the cases of shapes_bench, in microseconds by the device's events.

    bench/gpu/shape_peers.py [--beside SHAPES.json] [--only WORDS] [--types f32,f64]

SHAPES.json is what `shapes_bench --json SHAPES.json` wrote on the same machine: its times stand beside. Segments are
torch.segment_reduce, masks and gathers x[mask].sum() and x[indices].sum(); what torch calls once for each array, as a
batch, is left out, and so are bits as a mask, which it does not have.
"""
import argparse
import json
import re
import statistics
import sys

import torch

N = 1 << 27
TYPES = {"f32": torch.float32, "f64": torch.float64}


def microseconds(call, calls=4, rounds=5):
    """The median round of some calls, after one that warms up."""
    call()
    times = []
    for _ in range(rounds):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3 / calls)
    return statistics.median(times)


def offsets_of(lengths):
    """Offsets of segments of N elements in all, of which these are the first lengths."""
    ends = torch.cumsum(lengths, 0)
    return torch.cat((ends.new_zeros(1), ends[ends < N], ends.new_full((1,), N)))


def segments(x):
    def one(words, lengths):
        offsets = offsets_of(lengths)
        return f"segments, {words}", lambda: torch.segment_reduce(x[:N], "sum", offsets=offsets, axis=0, unsafe=True)

    for mean in (8, 16, 32, 64, 128, 256, 400, 1024, 65536):
        yield one(f"mean length {mean}", torch.randint(0, 2 * mean + 1, (N // mean * 11 // 10 + 99,), device="cuda"))
    power = (4 * torch.rand(N // 8, device="cuda", dtype=torch.float64).clamp_min(2.0 ** -30) ** -0.8).clamp_max(4e6)
    yield one("power law", power.long())
    tiny = torch.randint(0, 135, (N // 120,), device="cuda")
    tiny[999] = N // 2
    yield one("one of them half of all", tiny)


def boxes(x):
    for rows, columns in ((65536, 2048), (2048, 65536), (8, 1 << 24), (1 << 24, 8), (65536, 256), (1 << 24, 3),
                          (1 << 22, 19)):
        matrix = x[:rows * columns].view(rows, columns)
        yield f"columns of {rows} x {columns}", lambda matrix=matrix: matrix.sum(dim=0)
    for ghosts in (1, 2, 4):
        side = 512 + 2 * ghosts
        inner = x[:side ** 3].view(side, side, side)[(slice(ghosts, -ghosts),) * 3]
        yield f"interior of 512^3, ghosts {ghosts}", inner.sum
        yield f"maximum of interior of 512^3, ghosts {ghosts}", inner.amax
    cube = x[:N].view(512, 512, 512)
    for axes in ("x", "y", "z", "xy", "xz", "yz"):
        yield f"512^3 over {axes}", lambda axes=axes: cube.sum(dim=["xyz".index(axis) for axis in axes])
    yield "interior of 320^3 vectors of 3", lambda: x[:322 ** 3 * 3].view(322, 322, 322, 3)[1:-1, 1:-1, 1:-1].sum(
        dim=(0, 1, 2))
    yield "500^3, the first index nearest", lambda: x[:500 ** 3].view(500, 500, 500).permute(2, 1, 0).sum()
    yield "8 x 16777216, the first index nearest", lambda: x[:N].view(1 << 24, 8).t().sum()


def lists(x):
    mask = torch.randint(0, 2, (N,), device="cuda", dtype=torch.bool)
    yield "half of 2^27 by a mask of bytes", lambda: x[:N][mask].sum()
    indices = torch.arange(0, N, 2, device="cuda") + torch.randint(0, 2, (N // 2,), device="cuda")
    yield "gather of every other element", lambda: x[indices].sum()


def ours_of(path):
    """(type, case) -> microseconds of isofold. A count of segments, which are drawn anew, is left out."""
    ours = {}
    with open(path, encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["name"] == "isofold":
                words = re.sub(r"^\d+ segments", "segments", record["shape"])
                words = ("maximum of " if record["fold"] == "maximum" else "") + words
                ours[record["type"], words] = record["median_ns"] * 1e-3
    return ours


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", metavar="SHAPES.json")
    parser.add_argument("--only", default="", metavar="WORDS")
    parser.add_argument("--types", default="f32,f64")
    arguments = parser.parse_args()
    types = arguments.types.split(",")
    if any(name not in TYPES for name in types):
        parser.error(f"--types takes {' and '.join(TYPES)}, not '{arguments.types}'")
    if not torch.cuda.is_available():
        sys.exit("shape_peers.py: torch finds no GPU here.")
    ours = ours_of(arguments.beside) if arguments.beside else {}
    print(f"{torch.cuda.get_device_name(0)}, torch {torch.__version__}, medians in microseconds")
    for name in types:
        print(f"\n| {name} | isofold | torch | torch / isofold |\n|---|---|---|---|")
        x = (torch.rand(N * 11 // 10, device="cuda") - 0.5).to(TYPES[name])
        for cases in (segments, boxes, lists):
            for words, call in cases(x):
                if arguments.only in words:
                    time, own = microseconds(call), ours.get((name, words))
                    beside = ("- |", "- |") if own is None else (f"{own:.1f} |", f"{time / own:.2f} |")
                    print(f"| {words} | {beside[0]} {time:.1f} | {beside[1]}", flush=True)


if __name__ == "__main__":
    main()
