#!/usr/bin/env python3
"""Writes the site's reference, a page of Markdown: what the public headers declare, with their comments as text.

    reference.py ROOT        prints the page
    reference.py --control   the reader itself, by a small header

The headers are written for readers: a comment stands in front of what it is about, bodies are inline, and macros make
names out of lists. So a declaration is shown as it stands there, without its body; namespaces of details, what is
private, and the preprocessor's lines are left out.
"""
import pathlib
import re
import sys

PAGES = [
    ("C", ["isofold.h", "lists.h", "backend_folder.h", "mpi.h"]),
    ("C++: calls and results", ["reducer.hpp", "result.hpp", "fold.hpp", "named_fold.hpp", "error.hpp", "backend.hpp"]),
    ("C++: over which elements", ["shape.hpp", "views/array.hpp", "views/box.hpp", "views/range.hpp", "views/segments.hpp",
                                  "views/gather.hpp", "views/batch.hpp", "views/skip_nan.hpp", "views/exact.hpp",
                                  "views/address_of.hpp", "views/indices.hpp"]),
    ("C++: partial results", ["forest.hpp", "exact.hpp", "fingerprint.hpp"]),
    ("C++: maps and folds of your own", ["transform_reduce.hpp", "device_reducer.hpp", "fold_of.hpp"]),
    ("C++: ranks of MPI", ["mpi.hpp", "mpi_functions.hpp"]),
]
COMMENT = re.compile(r"^\s*//(?!-)\s?(.*)$")


def without_insides(lines):
    """Drops the preprocessor, namespaces of details, and private members."""
    kept, skipping, depth = [], None, 0
    for line in lines:
        bare = re.sub(r"//.*|/\*.*?\*/", "", line)
        before = depth
        depth += bare.count("{") - bare.count("}")
        if skipping is not None:
            if depth <= skipping:
                skipping = None
                if bare.strip() == "};":
                    kept.append(line)
            continue
        if re.match(r"\s*namespace \w*detail\w* \{", bare):
            skipping = before
        elif re.match(r"\s*(private|protected):", bare):
            skipping = before - 1
        elif not re.match(r"\s*(#|namespace\b|\}\s*//\s*namespace|extern \"C\" \{|using namespace)", line):
            kept.append(line)
    return kept


def blocks(text):
    """(comment, code) in the order of the header; the head's comment has no code."""
    text = re.sub(r"\\\n\s*", " ", text)
    text = re.sub(r"^([ \t]*)/\*(?!-)(.*?)\*/[ \t]*$", lambda m: "\n".join(
        m[1] + "// " + re.sub(r"^\s*\*? ?", "", part) for part in m[2].split("\n")), text, flags=re.M | re.S)
    comment, code, inside = [], [], 0
    for line in without_insides(text.splitlines()) + [""]:
        found = COMMENT.match(line)
        if inside > 0:  # a body, which is not shown
            inside += line.count("{") - line.count("}")
            continue
        if found or not line.strip():
            if code:
                yield " ".join(comment), "\n".join(code)
                comment, code = [], []
            elif not line.strip() and comment:
                yield " ".join(comment), ""
                comment = []
            if found:
                comment.append(found[1].strip())
            continue
        if re.search(r"\)[^;{}]*(: .*)?\{", line) and not re.match(r"\s*(struct|class|enum|union)\b", line):
            inside = line.count("{") - line.count("}")
            line = re.sub(r"\s*(: \w+[({].*)?\{.*$", ";", line)
        code.append(line.rstrip())


def page_of(root):
    parts = ["# Reference\n\nMade of the headers by `docs/reference.py`: their declarations without bodies, and their "
             "comments. `isofold/isofold.hpp` includes those of C++ that need no compiler of a GPU and no MPI. The module "
             "for Fortran is described in [fortran.md](fortran.md), the program in [program.md](program.md).\n"]
    for title, headers in PAGES:
        parts.append(f"## {title}\n")
        for name in headers:
            parts.append(f"### `isofold/{name}`\n")
            language = "c" if name.endswith(".h") else "cpp"
            for comment, code in blocks((root / "include/isofold" / name).read_text(encoding="utf-8")):
                if comment and not re.match(r"-{3,}|=+", comment):
                    parts.append(re.sub(r"([*_<>|\[\]])", r"\\\1", comment) + "\n")
                if code.strip(" };\n"):
                    parts.append(f"```{language}\n{code}\n```\n")
    return "\n".join(parts)


def control():
    header = ("// The head.\n#pragma once\n\nnamespace a {\nnamespace detail {\nint hidden();\n}\n\n// Adds.\n"
              "inline int add(int x) {\n  return x;\n}\n\nclass C {\n public:\n  // Calls.\n  int call();\n\n private:\n"
              "  int x_;\n};\n}  // namespace a\n/* Of C. */\nint c(void);\n")
    read = list(blocks(header))
    expected = [("The head.", ""), ("Adds.", "inline int add(int x);"), ("", "class C {\n public:"),
                ("Calls.", "  int call();"), ("Of C.", "int c(void);")]
    if [pair for pair in read if pair[1].strip(" };\n") or pair[0]] != expected:
        sys.exit(f"The reader is wrong: {read}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--control"]:
        control()
    else:
        print(page_of(pathlib.Path(sys.argv[1])))
