#!/usr/bin/env python3
"""Pictures from the JSON lines that isofold_bench, ladder_bench, `isofold bench` and peers.py write.

    bench/plot.py FILE... [--out FOLDER]      - is standard input

Draws, as SVG files in FOLDER, for every (device, fold, type, threads) among the lines:
  rate_*.svg     GB/s over the number of elements, and below it the share of the read limit
  time_*.svg     the time of one reduction over the number of elements
  rows_*.svg     GB/s for each shape of rows
  ladder_*.svg   the classic kernels, from the first lesson up to isofold
Lines of several files about the same device come into one picture. Needs matplotlib (python3-matplotlib).
"""

import argparse
import collections
import json
import pathlib
import re
import sys

# Okabe and Ito's colours, which people with any colour vision can tell apart; each peer has a marker besides.
PEER_COLOURS = ["#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#8C8C8C"]
PEER_MARKERS = ["s", "^", "D", "v", "P", "X", "<", ">", "*"]
OWN_COLOUR = "#0072B2"
LIMIT_COLOUR = "#000000"
LIMIT = "read limit"

Group = collections.namedtuple("Group", "device fold type threads")


def fail(sentence):
    sys.stderr.write(f"plot.py: {sentence}\n")
    sys.exit(2)


def read_records(paths):
    """Every line of the files as a dictionary; a line that is no record ends the program with its place."""
    records = []
    for path in paths:
        try:
            text = sys.stdin.read() if path == "-" else pathlib.Path(path).read_text(encoding="utf-8")
        except OSError as error:
            fail(f"'{path}' cannot be read: {error.strerror}.")
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                record["seconds"] = record[record["rates_from"] + "_ns"] * 1e-9
                record["group"] = Group(*(record[field] for field in Group._fields))
            except (ValueError, KeyError, TypeError) as error:
                fail(f"line {number} of '{path}' is no record of a benchmark ({error!r}).")
            records.append(record)
    if not records:
        fail("there is not one record in the files.")
    return records


def label_of(record):
    """isofold's lines are told apart by their backend, for there may be several in one picture."""
    if record["name"] != "isofold":
        return record["name"]
    return f"isofold ({record['backend']}{', value returned' if 'returned' in record['note'] else ''})"


def series_of(records, value):
    """label -> [(count, value)], sorted by count; the fastest of several lines about one point."""
    points = collections.defaultdict(dict)
    for record in records:
        number = value(record)
        if number is not None:
            best = points[label_of(record)].get(record["count"])
            if best is None or record["seconds"] < best[0]:
                points[label_of(record)][record["count"]] = (record["seconds"], number)
    order = sorted(points, key=lambda label: (not label.startswith("isofold"), label != LIMIT))
    return {label: [(n, pair[1]) for n, pair in sorted(points[label].items())] for label in order}


def style_of(label, peers):
    if label == LIMIT:
        return {"color": LIMIT_COLOUR, "linestyle": "--", "linewidth": 1.6, "zorder": 3}
    if label.startswith("isofold"):
        return {"color": OWN_COLOUR, "marker": "o", "linewidth": 2.6, "markersize": 5, "zorder": 4}
    place = peers.index(label)
    return {"color": PEER_COLOURS[place % len(PEER_COLOURS)], "marker": PEER_MARKERS[place % len(PEER_MARKERS)],
            "linestyle": ["-", "-.", ":"][place // len(PEER_COLOURS) % 3], "linewidth": 1.2, "markersize": 4.5,
            "zorder": 2}


def count_text(count):
    power = count.bit_length() - 1
    return f"$2^{{{power}}}$" if count == 1 << power else f"{count:,}"


def plain(value, _=None):
    return f"{value:g}" if value < 1e5 else f"{value:.0e}"


def peers_of(series):
    return [label for label in series if label != LIMIT and not label.startswith("isofold")]


def draw_series(axes, series, peers, ticker):
    for label, points in series.items():
        axes.plot([n for n, _ in points], [v for _, v in points], label=label, **style_of(label, peers))
    counts = sorted({n for points in series.values() for n, _ in points})
    powers = [n for n in counts if n & (n - 1) == 0]  # the others would be long numbers
    counts = powers or counts
    step = -(-len(counts) // 12)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(ticker.FixedLocator(counts[::step]))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda n, _: count_text(int(n))))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.grid(True, color="#DDDDDD", linewidth=0.7)


def log_scale(axes, ticker):
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(ticker.LogLocator(base=10, subs=(1, 2, 5), numticks=30))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(plain))
    axes.yaxis.set_minor_locator(ticker.NullLocator())


def title_of(group, what):
    threads = "" if not group.threads else f", {group.threads} thread{'s' if group.threads > 1 else ''}"
    return f"{what}: {group.fold} of {group.type}\n{group.device}{threads}"


def file_of(kind, group, suffix=""):
    words = [kind, group.device, group.fold, group.type] + ([f"{group.threads}t"] if group.threads else [])
    return re.sub(r"[^a-z0-9_]+", "-", "_".join(words).lower()).strip("-") + suffix + ".svg"


def draw_rate(group, records, pyplot, ticker):
    shares = series_of([r for r in records if r["name"] != LIMIT], lambda r: r["share_of_read_limit"])
    shares = {label: [(n, 100 * share) for n, share in points] for label, points in shares.items()}
    figure, axes = pyplot.subplots(2 if shares else 1, 1, figsize=(9, 7.5 if shares else 4.5), sharex=True,
                                   squeeze=False, gridspec_kw={"height_ratios": [3, 2][:2 if shares else 1]})
    rates = axes[0][0]
    series = series_of(records, lambda r: r["gigabytes_per_second"])
    draw_series(rates, series, peers_of(series), ticker)
    log_scale(rates, ticker)
    rates.set_ylabel("GB/s read")
    rates.set_title(title_of(group, "Rate"), fontsize=11)
    rates.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    if shares:
        lower = axes[1][0]
        draw_series(lower, shares, peers_of(series), ticker)  # in the colours of the upper picture
        lower.axhline(100, **style_of(LIMIT, []))
        lower.set_ylabel("% of the read limit")
        lower.set_ylim(0, max(105, min(130, 1.05 * max(v for points in shares.values() for _, v in points))))
    axes[-1][0].set_xlabel("elements")
    return figure


def draw_time(group, records, pyplot, ticker):
    figure, axes = pyplot.subplots(figsize=(9, 5))
    series = series_of(records, lambda r: r["seconds"] * 1e6)
    draw_series(axes, series, peers_of(series), ticker)
    log_scale(axes, ticker)
    axes.set_ylabel("µs a reduction")
    axes.set_xlabel("elements")
    axes.set_title(title_of(group, "Time"), fontsize=11)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    return figure


def draw_bars(axes, labels, records):
    """One bar a record, the first at the bottom, with its rate and its share of the limit written at the right."""
    colours = [OWN_COLOUR if r["name"] == "isofold" else "#E69F00" for r in records]
    rates = [r["gigabytes_per_second"] for r in records]
    axes.barh(range(len(records)), rates, color=colours, height=0.7)
    axes.set_yticks(range(len(records)), labels)
    limit = limit_of(records)
    if limit > 0:
        axes.axvline(limit, color=LIMIT_COLOUR, linestyle="--", linewidth=1.3, zorder=3)
    for place, (record, rate) in enumerate(zip(records, rates)):
        share = record["share_of_read_limit"]
        text = (f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}") + " GB/s"
        text += "" if share is None else f", {100 * share:.1f} %"
        axes.annotate(text, (max(rate, limit), place), xytext=(6, 0), textcoords="offset points", va="center",
                      fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)


def limit_of(records):
    """GB/s of the read limit that a record was measured beside, 0 where none was."""
    shares = [r["gigabytes_per_second"] / r["share_of_read_limit"] for r in records if r["share_of_read_limit"]]
    return max(shares, default=0)


def stacked(kinds, height, pyplot):
    """A figure with one picture above the other, as high as each has bars."""
    bars = [len(records) for records in kinds.values()]
    figure, axes = pyplot.subplots(len(kinds), 1, figsize=(9, height * (sum(bars) + 1.2 * len(bars))), squeeze=False,
                                   sharex=True, gridspec_kw={"height_ratios": bars, "hspace": 1.6 / max(bars) + 0.25})
    return figure, axes[:, 0]


def title_above(axes, title):
    axes.annotate(title, (0.5, 1), xytext=(0, 30), xycoords="axes fraction", textcoords="offset points", ha="center",
                  fontsize=11)


def draw_rows(group, records, pyplot, ticker):
    shapes = collections.defaultdict(dict)
    for record in records:
        if record["name"] != LIMIT:
            shapes[record["rows"], record["length"]][label_of(record)] = record
    figure, all_axes = stacked(shapes, 0.42, pyplot)
    most = max(max(r["gigabytes_per_second"], limit_of([r])) for r in records)
    for axes, ((rows, length), of_shape) in zip(all_axes, sorted(shapes.items())):
        draw_bars(axes, list(of_shape), list(of_shape.values()))
        axes.set_xlim(0, 1.3 * most)
        axes.set_title(f"{rows:,} rows of {length:,}", fontsize=10, loc="left")
    title_above(all_axes[0], title_of(group, "Rows"))
    all_axes[-1].set_xlabel("GB/s (dashed: the read limit)")
    return figure


def draw_ladder(device, records, pyplot, ticker):
    ladders = collections.defaultdict(dict)
    for record in records:
        ladders[record["type"], record["rows"], record["length"]][record["name"]] = record
    figure, all_axes = stacked(ladders, 0.4, pyplot)
    rates = [r["gigabytes_per_second"] for r in records]
    for axes, ((kind, rows, length), rungs) in zip(all_axes, ladders.items()):
        draw_bars(axes, list(rungs), list(rungs.values()))
        axes.set_xscale("log")
        axes.set_xlim(min(rates) / 2, max(rates) * 8)
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(plain))
        what = f"one array of {length:,} {kind}" if rows == 1 else f"{rows:,} rows of {length:,} {kind}"
        axes.set_title(what, fontsize=10, loc="left")
    title_above(all_axes[0], f"The ladder: sums on {device}")
    all_axes[-1].set_xlabel("GB/s, logarithmic (dashed: the read limit)")
    return figure


def pictures_of(records, pyplot, ticker):
    """(file name, figure) of everything that the records hold."""
    ladders = collections.defaultdict(list)
    arrays = collections.defaultdict(list)
    rows = collections.defaultdict(list)
    for record in records:
        if record["program"] == "ladder_bench":
            ladders[record["device"]].append(record)
        else:
            (rows if record["shape"] == "rows" else arrays)[record["group"]].append(record)
    for group, lines in arrays.items():
        if len({r["count"] for r in lines}) > 1:
            yield file_of("rate", group), draw_rate(group, lines, pyplot, ticker)
            yield file_of("time", group), draw_time(group, lines, pyplot, ticker)
    for group, lines in rows.items():
        yield file_of("rows", group), draw_rows(group, lines, pyplot, ticker)
    for device, lines in ladders.items():
        yield file_of("ladder", Group(device, "sum", "all", 0)), draw_ladder(device, lines, pyplot, ticker)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON lines; - is standard input")
    parser.add_argument("--out", default=".", metavar="FOLDER", help="where the pictures go; made if absent")
    arguments = parser.parse_args()
    records = read_records(arguments.files)
    try:
        import matplotlib
    except ImportError:
        fail("matplotlib is not installed (python3-matplotlib).")
    matplotlib.use("svg")
    from matplotlib import pyplot, ticker
    # Text stays text, and the same records give the same bytes.
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "isofold", "font.family": "DejaVu Sans"})
    folder = pathlib.Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for name, figure in pictures_of(records, pyplot, ticker):
        figure.savefig(folder / name, bbox_inches="tight", facecolor="white", metadata={"Date": None})
        pyplot.close(figure)
        print(folder / name)
        count += 1
    if count == 0:
        fail("nothing to draw: a curve needs records of more than one count.")


if __name__ == "__main__":
    main()
