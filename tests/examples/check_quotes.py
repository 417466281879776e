#!/usr/bin/env python3
"""Checks that every block of C, C++ or Fortran in these pages is a file of examples/, which is compiled and run, or of
packaging/: the line above the block names it, <!-- examples/c/sum.c -->, or <!-- lines of examples/c/sum.c -->. A block
of CMake need not have a name, nor the program of README.md, which tests/install compiles.

    check_quotes.py ROOT            exit code 1 and a line for each block that is another one, or has no name
    check_quotes.py ROOT --write    puts the files into the blocks
    check_quotes.py --control       the check itself: a right block, an altered one, one without a name
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"(?:<!-- (?P<part>lines of )?(?P<file>\S+) -->\n)?```(?P<language>c|cpp|fortran|cmake)\n(?P<text>.*?)```\n", re.S)
DOCUMENTS = ("docs/c.md", "docs/fortran.md", "docs/tutorial.md", "docs/howto.md", "docs/packages.md",
             "README.md")


def problems_of(name, text, read):
    found = []
    blocks = list(BLOCK.finditer(text))
    for block in blocks:
        line = text.count("\n", 0, block.start()) + 1
        is_program = name == "README.md" and block["language"] == "cpp"
        if block["file"] is None and (block["language"] == "cmake" or is_program):
            continue
        if block["file"] is None:
            found.append(f"{name}:{line}: the block has no file of examples/ above it")
        elif block["part"] and block["text"] not in read(block["file"]):
            found.append(f"{name}:{line}: these are no lines of {block['file']}")
        elif not block["part"] and block["text"] != read(block["file"]):
            found.append(f"{name}:{line}: the block is not {block['file']}; --write mends it")
    return found if blocks else [f"{name}: no blocks"]


def main():
    if sys.argv[1:] == ["--control"]:
        files = {"examples/c/a.c": "int a;\n"}
        right = "<!-- examples/c/a.c -->\n```c\nint a;\n```\n"
        assert not problems_of("right", right, files.__getitem__)
        assert problems_of("altered", right.replace("int", "long"), files.__getitem__)
        assert problems_of("unnamed", right[right.index("```"):], files.__getitem__)
        assert problems_of("empty", "", files.__getitem__)
        assert not problems_of("lines", right.replace("<!-- ", "<!-- lines of "), files.__getitem__)
        assert problems_of("other lines", right.replace("<!-- ", "<!-- lines of ").replace("int", "long"), files.__getitem__)
        return
    root = pathlib.Path(sys.argv[1])

    def read(file):
        return (root / file).read_text(encoding="utf-8")

    found = []
    for name in DOCUMENTS:
        text = read(name)
        if "--write" in sys.argv:
            text = BLOCK.sub(lambda b: f"<!-- {b['file']} -->\n```{b['language']}\n{read(b['file'])}```\n"
                             if b["file"] and not b["part"] else b[0], text)
            (root / name).write_text(text, encoding="utf-8")
        found += problems_of(name, text, read)
    for problem in found:
        print(problem)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
