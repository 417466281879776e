#!/usr/bin/env python3
"""Draws the bar charts of docs/performance.md from its own tables: for each `<!-- table: DEVICE layouts -->` the file
DEVICE_layouts.svg beside this script, the share of the read limit by layout, f32 above f64.

    python3 docs/images/draw_shares.py
"""
import html
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
LEFT, WIDTH, BAR, GAP, TOP = 250, 420, 9, 9, 46
STYLE = """<style>text { font: 12px sans-serif; fill: #333 } .small { font-size: 10px; fill: #777 }
.f32 { fill: #0072b2 } .f64 { fill: #56b4e9 } .grid { stroke: #ddd } rect.back { fill: #fff }</style>"""


def tables(text):
    """(device, rows of cells) of every table of layouts."""
    for found in re.finditer(r"<!-- table: (\w+) layouts -->\n(.*?)<!-- end -->", text, re.S):
        lines = found[2].strip().split("\n")
        yield found[1], [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def chart(rows):
    head, _, *body = rows
    columns = {name[:3]: i for i, name in enumerate(head) if "limit" in name}
    height = TOP + len(body) * (2 * BAR + GAP) + 24
    at = lambda share: LEFT + WIDTH * min(share, 100) / 100
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 60} {height}" '
           f'width="{LEFT + WIDTH + 60}" height="{height}">', STYLE,
           f'<rect class="back" width="100%" height="100%"/>']
    for key, x in (("f32", LEFT), ("f64", LEFT + 70)):
        out.append(f'<rect class="{key}" x="{x}" y="12" width="12" height="12"/><text x="{x + 18}" y="22">{key}</text>')
    out.append(f'<text x="{LEFT + 150}" y="22">share of the read limit, %</text>')
    for share in range(0, 101, 20):
        out.append(f'<line class="grid" x1="{at(share):g}" x2="{at(share):g}" y1="{TOP - 8}" y2="{height - 22}"/>'
                   f'<text class="small" x="{at(share):g}" y="{height - 8}" text-anchor="middle">{share}</text>')
    for i, row in enumerate(body):
        y = TOP + i * (2 * BAR + GAP)
        out.append(f'<text x="{LEFT - 10}" y="{y + BAR + 4}" text-anchor="end">{html.escape(row[0])}</text>')
        for j, key in enumerate(("f32", "f64")):
            share = float(row[columns[key]])
            out.append(f'<rect class="{key}" x="{LEFT}" y="{y + j * BAR}" width="{at(share) - LEFT:.1f}" height="{BAR - 1}"/>'
                       f'<text class="small" x="{at(share) + 5:.1f}" y="{y + j * BAR + BAR - 1}">{share:g}</text>')
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    for device, rows in tables((HERE.parent / "performance.md").read_text(encoding="utf-8")):
        (HERE / f"{device}_layouts.svg").write_text(chart(rows), encoding="utf-8")
