#!/usr/bin/env python3
"""Checks that every relative link of the repository's Markdown files leads to a file, and to a heading that is there.

    check_links.py ROOT             exit code 1 and a line for each link that leads nowhere
    check_links.py --control        the check itself: a broken file, a broken heading and a sound link
"""
import pathlib
import re
import sys
import tempfile
import urllib.parse

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)


def documents(root):
    """Markdown files but for those of build trees and hidden folders."""
    for path in sorted(root.rglob("*.md")):
        folders = path.relative_to(root).parts[:-1]
        if not any(part.startswith(".") or part.startswith("build") for part in folders):
            yield path


def anchors(text):
    """The headings' anchors, as GitHub makes them."""
    names = set()
    for line in FENCE.sub("", text).splitlines():
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            name = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            unique, number = name, 0
            while unique in names:
                number += 1
                unique = f"{name}-{number}"
            names.add(unique)
    return names


def broken(root):
    """(file, line, link, why) of each link that leads nowhere."""
    for path in documents(root):
        text = path.read_text(encoding="utf-8")
        blank = lambda found: re.sub(r"[^\n]", " ", found[0])
        prose = CODE.sub(blank, FENCE.sub(blank, text))
        for found in LINK.finditer(prose):
            link = found[1]
            if SCHEME.match(link):
                continue
            name, _, anchor = urllib.parse.unquote(link).partition("#")
            target = (path.parent / name).resolve() if name else path
            why = None
            if not target.exists():
                why = "there is no such file"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8")):
                why = "there is no such heading"
            if why:
                yield path.relative_to(root), prose.count("\n", 0, found.start()) + 1, link, why


def control():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "a.md").write_text("# One: two `x`\n[sound](b.md#three-four) [no\nfile](c.md) [no heading](b.md#five)\n"
                                   "`[code](d.md)`\n[own](#one-two-x) [far](https://example.org/e.md)\n", encoding="utf-8")
        (root / "b.md").write_text("## Three, four\n", encoding="utf-8")
        seen = [(line, link) for _, line, link, _ in broken(root)]
    if seen != [(2, "c.md"), (3, "b.md#five")]:
        sys.exit(f"The check does not see what it must: {seen}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--control":
        return control()
    lines = [f"{file}:{line}: '{link}': {why}" for file, line, link, why in broken(pathlib.Path(sys.argv[1]).resolve())]
    print("\n".join(lines) if lines else "every relative link leads somewhere")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
