#!/usr/bin/env python3
"""Tables and charts from the records of the benchmarks.

    bench/tables.py FILE...             prints every table of these records
    bench/tables.py --write DOCUMENT    fills the document's tables and draws its charts
    bench/tables.py --check DOCUMENT    says which of them are not what the records give

A file of records is bench/results/DEVICE/DATE.json: lines as record.hpp writes them, below a line that says where
they come from, {"date", "commit", "machine", "command", "source"}. Where two runs have the same case, the later one
counts. In a document

    <!-- table: DEVICE NAME -->
    <!-- end -->

receives, for NAME,
    folds [FOLDS] [THREADS]    folds of one large array: share of the read limit, beside the fastest peer
    layouts                    sums by layout: the least and the greatest share of the read limit
    cases                      the same, case by case
    sizes FOLD [THREADS]       one fold over the number of elements
    rates COUNT FOLDS [COUNTS] folds of COUNT elements (2^27): share of the read limit and GB/s, on a CPU of one
                               thread; the shares at COUNTS and with all threads beside them
    layout_rates PEERS: SHAPE; SHAPE; ...
                               the same of sums in these shapes, beside the peers, which commas separate
    chart [FOLDS] [THREADS]    a picture of the first two, images/DEVICE.svg beside the document
FOLDS are all that were measured, or those named with commas between; THREADS are those of a CPU, the most that were
measured if not given.
"""

import collections
import html
import json
import pathlib
import re
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
OWN = "isofold"
LIMIT = "read limit"
TYPES = ("f32", "f64")
MARKER = re.compile(r"(<!-- table: (\S+) ([^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)
# The first pattern that a case's name has decides.
LAYOUTS = (("rows", r"^\d+ rows of"), ("another order than memory's", "nearest"), ("masks", "mask"),
           ("segments", "segments"), ("gathers", "gather"), ("batches of arrays", "batch|the same arrays"),
           ("interiors of boxes", "interior"), ("columns", "columns of|over axis 0$"), ("axes of boxes", " over "))
LEAST_SHARED = 1024  # elements; below, the share of the limit says nothing
LEAST_BYTES = 32 << 20  # of a layout's cases: smaller ones wait for calls and caches

Case = collections.namedtuple("Case", "fold type shape count threads")


def fail(sentence):
    sys.stderr.write(f"tables.py: {sentence}\n")
    sys.exit(2)


# ---- records -------------------------------------------------------------------------------------

def read(paths):
    """{case: {name: record}}; a record knows its run. The fastest line of a case's last run counts."""
    cases = collections.defaultdict(dict)
    for path in paths:
        run = {"date": "", "commit": "", "command": "", "machine": "", "source": "measured"}
        for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
            try:
                record = json.loads(line)
                if "program" not in record:
                    run = {**run, **record}
                    continue
                record["ns"] = record[record["rates_from"] + "_ns"]
                if record["shape"] == "rows":
                    record["shape"] = f"{record['rows']} rows of {record['length']}"
                case = Case(*(record[field] for field in Case._fields))
            except (ValueError, KeyError, TypeError) as error:
                fail(f"line {number} of '{path}' is no record of a benchmark ({error!r}).")
            record["run"] = run
            name = LIMIT if record["name"].startswith(LIMIT) else record["name"]
            before = cases[case].get(name)
            if before is None or before["run"] is not run or record["ns"] < before["ns"]:
                cases[case][name] = record
    return cases


def read_device(device):
    paths = sorted((RESULTS / device).glob("*.json"))
    if not paths:
        fail(f"there are no records in '{RESULTS / device}'.")
    return read(paths)


def most_threads(cases):
    return max((case.threads or 1 for case, records in cases.items() if OWN in records), default=1)


class Arrays:
    """The folds of one array, of those named in `words` and with as many threads: {fold: {(count, type): records}}."""

    def __init__(self, cases, words=()):
        numbers = [int(word) for word in words if word.isdigit()]
        names = [name for word in words if not word.isdigit() for name in word.split(",")]
        self.threads = numbers[0] if numbers else most_threads(cases)
        self.folds = {name: {} for name in names}
        for case, records in cases.items():
            if (case.shape == "array" and (case.threads or 1) == self.threads and OWN in records
                    and (not names or case.fold in names)):
                self.folds.setdefault(case.fold, {})[case.count, case.type] = records
        if words and not (self.folds and all(self.folds.values())):
            raise KeyError(f"no records of {' '.join(words)}")
        # The large number of elements is the largest that most folds were measured with.
        counts = collections.Counter(n for table in self.folds.values() for n in {n for n, _ in table})
        self.large = max(counts, key=lambda n: (counts[n], n), default=0)
        self.words = "" if {case.threads for case in cases} <= {0} else (
            f", {self.threads} thread{'s' if self.threads > 1 else ''}")

    def of_large(self):
        """{fold: {type: records}}"""
        return {fold: {kind: records for (n, kind), records in table.items() if n == self.large}
                for fold, table in self.folds.items() if any(n == self.large for n, _ in table)}


def fastest_peer(records):
    peers = [record for name, record in records.items() if name not in (OWN, LIMIT)]
    return min(peers, key=lambda record: record["ns"], default=None)


def layout_of(shape):
    return next((layout for layout, pattern in LAYOUTS if re.search(pattern, shape)), None)


def threads_of_layouts(cases):
    return most_threads({case: records for case, records in cases.items() if layout_of(case.shape)})


def lead_column(cases):
    return "fastest peer / isofold" + (", one thread each" if threads_of_layouts(cases) > 1 else "")


def of_layouts(cases):
    """{shape: {type: (isofold's record with all threads, the fastest peer's time over isofold's with one)}} of sums."""
    all_threads = threads_of_layouts(cases)
    table = collections.defaultdict(dict)
    for case, records in cases.items():
        if layout_of(case.shape) and case.fold == "sum" and OWN in records and (case.threads or 1) == all_threads:
            single = records if all_threads == 1 else cases.get(case._replace(threads=1), {})
            peer = fastest_peer(single)
            lead = peer["ns"] / single[OWN]["ns"] if peer and OWN in single else None
            table[case.shape][case.type] = (records[OWN], lead)
    return table


# ---- text ----------------------------------------------------------------------------------------

def time_text(nanoseconds):
    for unit, size in (("ns", 1), ("µs", 1e3), ("ms", 1e6)):
        value = nanoseconds / size
        if value < 1000 or unit == "ms":
            return f"{value:.3g} {unit}" if value < 100 else f"{value:.0f} {unit}"


def count_text(count):
    power = count.bit_length() - 1
    return f"2^{power}" if power >= 10 and count == 1 << power else str(count)


def share_text(record):
    share = record["share_of_read_limit"]
    return f"{share * 100:.0f} %" if share and record["count"] >= LEAST_SHARED else "-"


def range_text(numbers, form):
    if not numbers:
        return "-"
    least, most = form.format(min(numbers)), form.format(max(numbers))
    return least if least == most else f"{least} to {most}"


def table_text(head, rows):
    lines = ["| " + " | ".join(cells) + " |" for cells in [head, *rows]]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]]) + "\n"


def runs_text(records):
    """The runs that `records` come from, as a sentence."""
    runs = {(r["run"]["date"], r["run"]["commit"], r["run"]["command"], r["run"]["source"]): None for r in records}
    texts = [f"{date}, commit {commit}, `{command}`" + (f" ({source})" if source != "measured" else "")
             for date, commit, command, source in sorted(runs)]
    return "Measured: " + "; ".join(texts) + ".\n"


def typed(columns):
    return [f"{kind}: {column}" if i == 0 else column for kind in TYPES for i, column in enumerate(columns)]


def cells_of(records):
    """The cells of one case of one type."""
    own, peer = records.get(OWN), fastest_peer(records)
    if own is None:
        return ["-"] * 4
    return [time_text(own["ns"]), share_text(own),
            *([f"{peer['name']}, {time_text(peer['ns'])}", f"{peer['ns'] / own['ns']:.2f}"] if peer else ["-", "-"])]


COLUMNS = ("isofold", "of the limit", "fastest peer", "peer / isofold")


def folds_table(cases, *words):
    arrays = Arrays(cases, words)
    folds = arrays.of_large()
    rows = [[fold] + [cell for kind in TYPES for cell in cells_of(table.get(kind, {}))]
            for fold, table in folds.items()]
    used = [record for table in folds.values() for records in table.values() for record in records.values()]
    head = [f"fold of {count_text(arrays.large)} elements{arrays.words}", *typed(COLUMNS)]
    return table_text(head, rows) + "\n" + runs_text(used)


def sizes_table(cases, fold, *words):
    arrays = Arrays(cases, (fold, *words))
    table = arrays.folds[fold]
    rows = [[count_text(count)] + [cell for kind in TYPES for cell in cells_of(table.get((count, kind), {}))]
            for count in sorted({count for count, _ in table})]
    used = [record for records in table.values() for record in records.values()]
    return table_text([f"{fold}{arrays.words}", *typed(COLUMNS)], rows) + "\n" + runs_text(used)


def by_layout(cases):
    """{layout: {type: (shares, leads)}}"""
    layouts = collections.defaultdict(lambda: {kind: ([], []) for kind in TYPES})
    for shape, of_type in of_layouts(cases).items():
        for kind, (own, lead) in of_type.items():
            if own["bytes"] < LEAST_BYTES:
                continue
            shares, leads = layouts[layout_of(shape)][kind]
            if own["share_of_read_limit"]:
                shares.append(own["share_of_read_limit"])
            if lead:
                leads.append(lead)
    return {layout: layouts[layout] for layout, _ in LAYOUTS if layout in layouts}


def layouts_table(cases):
    rows = []
    for layout, of_type in by_layout(cases).items():
        row = [layout]
        for kind in TYPES:
            shares, leads = of_type[kind]
            row += [range_text([100 * s for s in shares], "{:.0f}") + (" %" if shares else ""),
                    range_text(leads, "{:.3g}")]
        rows.append(row)
    used = [own for of_type in of_layouts(cases).values() for own, _ in of_type.values()]
    return (table_text(["sums by layout, of 32 MiB and more", *typed(("of the limit", lead_column(cases)))], rows)
            + "\n" + runs_text(used))


def cases_table(cases):
    rows = []
    used = []
    for shape, of_type in of_layouts(cases).items():
        row = [shape]
        for kind in TYPES:
            own, lead = of_type.get(kind, (None, None))
            row += [time_text(own["ns"]), share_text(own)] if own else ["-", "-"]
            row += [f"{lead:.2f}" if lead else "-"]
            used += [own] if own else []
        rows.append(row)
    return (table_text(["sums", *typed(("isofold", "of the limit", lead_column(cases)))], rows)
            + "\n" + runs_text(used))


def percent_text(share):
    return f"{share * 100:.0f}"


def rate_text(record):
    rate = record["gigabytes_per_second"]
    return f"{rate:.0f}" if rate >= 1000 else f"{rate:.1f}"


def lead_text(records, peer):
    return f"{records[peer]['ns'] / records[OWN]['ns']:.2f}" if peer in records else ""


def rates_table(cases, count, folds, counts=""):
    """A missing case is a KeyError: the document asks for what was not measured."""
    threads = most_threads(cases)
    arrays = {(case.fold, case.type, count_text(case.count), case.threads or 1): records
              for case, records in cases.items() if case.shape == "array"}
    at_count = {(fold, kind): arrays[fold, kind, count, 1] for fold in folds.split(",") for kind in TYPES}
    peers = {name for records in at_count.values() for name in records} - {OWN, LIMIT}

    def share(*case):
        return percent_text(arrays[case][OWN]["share_of_read_limit"])

    def cells(fold, kind):
        records = at_count[fold, kind]
        return [share(fold, kind, count, 1), rate_text(records[OWN]),
                *(lead_text(records, peer) for peer in sorted(peers)),
                *([", ".join(share(fold, kind, other, 1) for other in counts.split(","))] if counts else []),
                *([share(fold, kind, count, threads)] if threads > 1 else [])]

    columns = ["% of the limit", "GB/s", *(f"{peer} / isofold" for peer in sorted(peers)),
               *([f"% at {counts.replace(',', ', ')}"] if counts else []),
               *([f"{threads} threads, %"] if threads > 1 else [])]
    rows = [[fold] + [cell for kind in TYPES for cell in cells(fold, kind)] for fold in folds.split(",")]
    head = [f"fold of {count} elements", *typed(columns)]
    return table_text(head, rows) + "\n" + runs_text([records[OWN] for records in at_count.values()])


def array_limit(cases, kind):
    """GB/s that one thread, or a GPU, reads of the largest array that was summed."""
    sums = [records[OWN] for case, records in cases.items()
            if case.fold == "sum" and case.shape == "array" and case.type == kind and (case.threads or 1) == 1
            and OWN in records]
    largest = max(sums, key=lambda record: record["count"])
    return largest["gigabytes_per_second"] / largest["share_of_read_limit"]


def layout_rates_table(cases, *words):
    """A layout whose run has no limit of its own has its share of the array's."""
    peers, shapes = (part.strip() for part in " ".join(words).split(":", 1))
    peers = [peer.strip() for peer in peers.split(",")]
    sums = {(case.shape, case.type): records for case, records in cases.items()
            if case.fold == "sum" and (case.threads or 1) == 1 and OWN in records}
    rows, used = [], []
    for shape in (text.strip() for text in shapes.split(";")):
        row = [shape]
        for kind in TYPES:
            records = sums[shape, kind]
            own = records[OWN]
            share = own["share_of_read_limit"] or own["gigabytes_per_second"] / array_limit(cases, kind)
            row += [percent_text(share), rate_text(own), *(lead_text(records, peer) for peer in peers)]
            used.append(own)
        rows.append(row)
    head = ["sums", *typed(["% of the limit", "GB/s", *(f"{peer} / isofold" for peer in peers)])]
    return table_text(head, rows) + "\n" + runs_text(used)


TABLES = {"folds": folds_table, "layouts": layouts_table, "cases": cases_table, "sizes": sizes_table,
          "rates": rates_table, "layout_rates": layout_rates_table}


# ---- charts --------------------------------------------------------------------------------------

COLOURS = {"f32": "#0072B2", "f64": "#56B4E9", "peer": "#D55E00"}
LEFT, WIDTH, BAR = 190, 420, 9  # of the labels, of 100 %, of one bar


def bar(y, kind, least, most):
    """A bar to the least share, with a line on to the greatest."""
    middle = y + BAR / 2
    return (f'<rect x="{LEFT}" y="{y}" width="{least * WIDTH:.1f}" height="{BAR - 1}" fill="{COLOURS[kind]}"/>'
            f'<line x1="{LEFT + least * WIDTH:.1f}" y1="{middle}" x2="{LEFT + most * WIDTH:.1f}" y2="{middle}"'
            f' stroke="{COLOURS[kind]}" stroke-width="2"/>')


def panel(top, title, rows):
    """(lines, the height below which the next one starts); rows: (label, [(type, shares, peer's share)])."""
    lines = [f'<text x="10" y="{top + 12}" font-weight="bold">{html.escape(title)}</text>']
    y = top + 24
    for label, bars in rows:
        lines.append(f'<text x="{LEFT - 8}" y="{y + BAR + 3}" text-anchor="end">{html.escape(label)}</text>')
        for kind, shares, peer in bars:
            lines.append(bar(y, kind, min(shares), max(shares)))
            if peer:
                x = LEFT + peer * WIDTH
                lines.append(f'<line x1="{x:.1f}" y1="{y - 1}" x2="{x:.1f}" y2="{y + BAR}"'
                             f' stroke="{COLOURS["peer"]}" stroke-width="3"/>')
            y += BAR
        y += 6
    for percent in (0, 50, 100):
        x = LEFT + percent / 100 * WIDTH
        lines.append(f'<line x1="{x}" y1="{top + 20}" x2="{x}" y2="{y}" stroke="#888888" stroke-width="0.7"/>'
                     f'<text x="{x}" y="{y + 13}" text-anchor="middle">{percent} %</text>')
    return lines, y + 30


def chart(device, cases, *words):
    arrays = Arrays(cases, words)

    def bars_of(table):
        bars = []
        for kind in TYPES:
            own = table.get(kind, {}).get(OWN)
            if own and own["share_of_read_limit"]:
                peer = fastest_peer(table[kind])
                bars.append((kind, [own["share_of_read_limit"]], peer and peer["share_of_read_limit"]))
        return bars

    fold_rows = [(fold, bars_of(table)) for fold, table in arrays.of_large().items() if bars_of(table)]
    layout_rows = [(layout, [(kind, of_type[kind][0], None) for kind in TYPES if of_type[kind][0]])
                   for layout, of_type in by_layout(cases).items() if any(of_type[kind][0] for kind in TYPES)]
    lines, y = [], 40
    if fold_rows:
        more, y = panel(y, f"Folds of {count_text(arrays.large)} elements{arrays.words}", fold_rows)
        lines += more
    if layout_rows:
        more, y = panel(y, "Sums by layout: a bar to the least share, a line to the greatest", layout_rows)
        lines += more
    legend = "".join(f'<rect x="{LEFT + 90 * i}" y="12" width="12" height="9" fill="{colour}"/>'
                     f'<text x="{LEFT + 90 * i + 17}" y="21">{"fastest peer" if name == "peer" else name}</text>'
                     for i, (name, colour) in enumerate(COLOURS.items()))
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + round(WIDTH * 1.2)} {y}"'
            ' font-family="sans-serif" font-size="12">\n'
            f'<title>Share of the read limit: {html.escape(device)}</title>\n'
            '<rect width="100%" height="100%" fill="#FFFFFF"/>\n')
    return head + legend + "\n" + "\n".join(lines) + "\n</svg>\n"


# ---- documents -----------------------------------------------------------------------------------

def generated(document):
    """{path: text} of the document with its tables filled, and of its charts."""
    files = {}
    devices = {}

    def fill(match):
        opening, device, name, closing = match.groups()
        cases = devices.setdefault(device, None) or read_device(device)
        devices[device] = cases
        kind, *words = name.split()
        try:
            if kind == "chart":
                files[document.parent / "images" / f"{device}.svg"] = chart(device, cases, *words)
                return f"{opening}![Share of the read limit, {device}](images/{device}.svg)\n{closing}"
            text = TABLES[kind](cases, *words)
        except (KeyError, TypeError, ValueError) as error:
            fail(f"there is no table '{name}' of '{device}' ({error}).")
        return f"{opening}{text}{closing}"

    files[document] = MARKER.sub(fill, document.read_text(encoding="utf-8"))
    return files


def main(arguments):
    if not arguments or arguments[0].startswith("--") and (arguments[0] not in ("--write", "--check")
                                                           or len(arguments) != 2):
        sys.stderr.write(__doc__)
        sys.exit(2)
    if arguments[0] in ("--write", "--check"):
        files = generated(pathlib.Path(arguments[1]))
        stale = [path for path, text in files.items()
                 if not path.exists() or path.read_text(encoding="utf-8") != text]
        if arguments[0] == "--check":
            for path in stale:
                print(f"{path} is not what the records give: bench/tables.py --write {arguments[1]}")
            sys.exit(1 if stale else 0)
        for path in stale:
            path.parent.mkdir(exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
        return
    cases = read(arguments)
    for threads in sorted({case.threads or 1 for case in cases if case.shape == "array"}):
        print(folds_table(cases, str(threads)))
        for fold, table in Arrays(cases, [str(threads)]).folds.items():
            if len({count for count, _ in table}) > 2:
                print(sizes_table(cases, fold, str(threads)))
    if of_layouts(cases):
        print(layouts_table(cases))
        print(cases_table(cases))


if __name__ == "__main__":
    main(sys.argv[1:])
