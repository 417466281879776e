#!/usr/bin/env python3
"""The CPU's tables of docs/performance.md, from the JSON lines of isofold_bench and peers.py.

    bench/tables.py FILE...

For each fold and number of threads a table over the counts, f32 beside f64: the best time, the rate, its share of the
read limit of that run, the fastest peer, and the peer's time over isofold's. Folds with one or two counts share a table.
"""

import collections
import json
import sys

OWN = "isofold"
LIMIT = "read limit"
TYPES = ("f32", "f64")
MOST_SHORT = 2  # counts: folds with so few share one table
LEAST_SHARED = 1024  # elements; below, the share of the limit says nothing


def read_records(paths):
    """The records by case: {(fold, threads): {(count, type): {name: record}}}, in the order of the lines."""
    tables = collections.defaultdict(lambda: collections.defaultdict(dict))
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                if record["shape"] == "array":
                    table = tables[record["fold"], record["threads"] or 1]
                    table[record["count"], record["type"]][record["name"]] = record
    return tables


def time_text(nanoseconds):
    if nanoseconds < 1e3:
        return f"{nanoseconds:.1f} ns" if nanoseconds < 100 else f"{nanoseconds:.0f} ns"
    if nanoseconds < 1e6:
        return f"{nanoseconds / 1e3:.1f} µs" if nanoseconds < 1e5 else f"{nanoseconds / 1e3:.0f} µs"
    return f"{nanoseconds / 1e6:.1f} ms"


def count_text(count):
    power = count.bit_length() - 1
    return f"2^{power}" if power >= 10 and count == 1 << power else str(count)


def cells(records):
    """What one type has to say of one count."""
    own = records.get(OWN)
    if own is None:
        return ["-"] * 5
    share = own["share_of_read_limit"]
    peers = [r for name, r in records.items() if name != OWN and not name.startswith(LIMIT)]
    best = min(peers, key=lambda r: r["best_ns"], default=None)
    return [
        time_text(own["best_ns"]),
        f"{own['gigabytes_per_second']:.1f}",
        f"{share * 100:.0f} %" if share and own["count"] >= LEAST_SHARED else "-",
        f"{time_text(best['best_ns'])} {best['name']}" if best else "-",
        f"{best['best_ns'] / own['best_ns']:.2f}" if best else "-",
    ]


def print_head(first):
    columns = [column if i else f"{t}: {column}" for t in TYPES
               for i, column in enumerate(("isofold", "GB/s", "share of the limit", "best peer", "peer / isofold"))]
    print(f"| {first} | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")


def print_rows(table, label=""):
    for count in sorted({count for count, _ in table}):
        row = [cell for t in TYPES for cell in cells(table.get((count, t), {}))]
        print(f"| {label}{count_text(count)} | " + " | ".join(row) + " |")


def main():
    if len(sys.argv) < 2:
        sys.stderr.write(__doc__)
        sys.exit(2)
    tables = {case: table for case, table in read_records(sys.argv[1:]).items()
              if any(OWN in records for records in table.values())}
    short = {case: table for case, table in tables.items() if len(table) <= MOST_SHORT * len(TYPES)}
    for (fold, threads), table in tables.items():
        if (fold, threads) not in short:
            print(f"\n{fold}, {threads} thread{'s' if threads > 1 else ''}:\n")
            print_head("n")
            print_rows(table)
    if short:
        print()
        print_head("fold, n")
    for (fold, _), table in short.items():
        print_rows(table, f"{fold}, ")


if __name__ == "__main__":
    main()
