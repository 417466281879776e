#!/usr/bin/env python3
"""The chart of exact sums over the range of exponents in the data, from what `gpu_bench --exact` prints.

    gpu_bench --exact | bench/plot_binades.py docs/images/h200_binades.svg [--device "NVIDIA H200"]

Times are those of 2^26 elements over the time in which the device reads them. Needs matplotlib (python3-matplotlib).
"""
import argparse
import re
import sys

COLOURS = {"f32": "#0072B2", "f64": "#D55E00"}  # of Okabe and Ito, as in plot.py


def series_of(text):
    """{type: [(binades, time over the read limit)]}"""
    series = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in COLOURS:
            series.setdefault(cells[0], [])
            kind = cells[0]
        elif found := re.fullmatch(r"2\^26, over binades: (\d+)", cells[0]):
            series[kind].append((int(found[1]), float(cells[3]) / float(cells[1])))
    if not any(series.values()):
        sys.exit("plot_binades.py: the input has no line 'over binades'; it is what `gpu_bench --exact` prints.")
    return series


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture")
    parser.add_argument("--device", default="")
    options = parser.parse_args()
    series = series_of(sys.stdin.read())
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "isofold"  # the same names in every run
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 3.2), layout="constrained")
    for (kind, points), marker in zip(series.items(), "os"):
        axes.plot(*zip(*points), marker=marker, color=COLOURS[kind], label=f"exact sum of {kind}")
    axes.axhline(1, color="black", linewidth=0.8, linestyle="--", label="read limit")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel("binades over which the exponents are spread")
    axes.set_ylabel("time / read limit")
    axes.set_title(" ".join(filter(None, ["Exact sums of $2^{26}$ elements", options.device and f"on an {options.device}"])))
    axes.grid(True, which="both", linewidth=0.3)
    axes.legend()
    figure.savefig(options.picture, facecolor="white", metadata={"Date": None})


if __name__ == "__main__":
    main()
