#!/usr/bin/env python3
# Draws tree.svg, the README's picture of tree v1: python3 docs/images/draw_tree.py > docs/images/tree.svg
# Left: one chunk, its lanes and their halving. Right: the tree above seven chunks.

out = []


def emit(text):
    out.append(text)


def text(x, y, words, kind="label", anchor="middle"):
    emit(f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{words}</text>')


def line(x1, y1, x2, y2, kind="edge"):
    emit(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{kind}"/>')


def box(x, y, width, height, kind, words=""):
    emit(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" class="{kind}"/>')
    if words:
        text(x + width / 2, y + height / 2 + 4.5, words, "in")


def draw_chunk():
    left, top, cell, gap = 40, 92, 40, 4
    text(left - 4, 34, "A chunk: 1024 elements in 64 lanes", "title", "start")
    text(left - 4, 54, "lane l folds elements l, l + 64, … in order", "label", "start")
    columns = ["0", "1", "2", "…", "63"]
    rows = [["0", "1", "2", "…", "63"], ["64", "65", "66", "…", "127"], ["⋮"] * 5,
            ["960", "961", "962", "…", "1023"]]
    for c, name in enumerate(columns):
        text(left + c * (cell + gap) + cell / 2, top - 10, f"lane {name}" if c in (0, 4) else name, "small")
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            box(left + c * (cell + gap), top + r * (24 + gap), cell, 24, "element", word)
    bottom = top + 4 * (24 + gap)
    for c in range(5):
        x = left + c * (cell + gap) + cell / 2
        line(x, bottom, x, bottom + 14)
        box(x - cell / 2, bottom + 16, cell, 24, "state", ["s0", "s1", "s2", "…", "s63"][c])
    y = bottom + 66
    for c in range(5):
        line(left + c * (cell + gap) + cell / 2, bottom + 40, left + cell / 2, y - 2)
    box(left, y, cell, 24, "node", "c")
    text(left + cell + 12, y + 11, "the chunk's state: lane l takes in", "small", "start")
    text(left + cell + 12, y + 27, "lane l + h for h = 32, 16, 8, 4, 2, 1", "small", "start")


def draw_tree():
    left, base, step = 420, 262, 56
    text(left, 34, "Above: a binary tree over the chunks", "title", "start")
    text(left, 54, "a missing right operand is skipped", "label", "start")
    level = []
    for k in range(7):
        x = left + k * step
        box(x, base, 36, 26, "element" if k < 6 else "element short", f"c{k}")
        level.append((x + 18, base))
    height = 0
    while len(level) > 1:
        height += 1
        above, y = [], base - height * 58
        for i in range(0, len(level), 2):
            if i + 1 == len(level):
                x, below = level[i]
                line(x, below, x, y + 26, "edge skipped")
                above.append((x, y + 26))
                continue
            (x1, y1), (x2, y2) = level[i], level[i + 1]
            x = (x1 + x2) / 2
            for x0, y0 in ((x1, y1), (x2, y2)):
                line(x0, y0, x, y + 24)
            box(x - 18, y, 36, 24, "node", "+")
            above.append((x, y))
        level = above
    x, y = level[0]
    text(x + 28, y + 17, "root → result", "label", "start")
    text(left + 6 * step + 18, base + 44, "short chunk", "small")
    text(left, base + 44, "who computes which node, and when, is free", "small", "start")


draw_chunk()
draw_tree()
print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 330" role="img" aria-labelledby="name">')
print('<title id="name">Tree v1: 64 lanes a chunk, folded by halving; an aligned binary tree above the chunks</title>')
print("""<style>
  text { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #24292f; }
  .title { font-size: 15px; font-weight: 600; }
  .label { font-size: 13px; }
  .small { font-size: 11.5px; fill: #57606a; }
  .in { font-size: 12px; }
  .element { fill: #ddf4ff; stroke: #54aeff; }
  .short { stroke-dasharray: 4 3; }
  .state { fill: #dafbe1; stroke: #4ac26b; }
  .node { fill: #fff8c5; stroke: #d4a72c; }
  .edge { stroke: #6e7781; stroke-width: 1.3; }
  .skipped { stroke-dasharray: 4 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .small { fill: #8d96a0; }
    .element { fill: #0c2d4d; stroke: #388bfd; }
    .state { fill: #12361f; stroke: #3fb950; }
    .node { fill: #3b2e06; stroke: #bb8009; }
    .edge { stroke: #8b949e; }
  }
</style>""")
print("\n".join(out))
print("</svg>")
