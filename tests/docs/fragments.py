#!/usr/bin/env python3
"""Compiles every block of C++ in the pages that show parts of programs, each as the body of a function whose arguments
are the names that the page's text speaks of.

    fragments.py ROOT FOLDER COMPILER...   FOLDER gets the source; the words of the command that compiles it
    fragments.py --control FOLDER COMPILER...   a block with an error is noticed
"""
import pathlib
import re
import subprocess
import sys

HEAD = """#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <utility>
#include <variant>
#include <vector>

#include <isofold/fingerprint.hpp>
#include <isofold/fold_of.hpp>
#include <isofold/folds.hpp>
#include <isofold/isofold.hpp>
#include <isofold/transform_reduce.hpp>

using isofold::Reducer;
"""
FIELD = "Reducer& reduce, const double* cells, std::int64_t nz, std::int64_t ny, std::int64_t nx"
VALUES = "const std::vector<double>& x, const std::vector<double>& y, std::int64_t n"
MASSES = "const double* m, const double* v, std::int64_t n"
# The arguments of each block, in the order of the page. None: it needs MPI or a compiler of devices, and is compiled in
# programs of tests/mpi and tests/hip_on_cuda in other words.
ARGUMENTS = {
    "docs/cpp.md": ["const std::vector<double>& x, const double* m, std::int64_t r, std::int64_t c, double* out",
                    "Reducer& reduce, char** argv, const std::vector<float>& x", FIELD, None],
    "docs/shapes.md": [FIELD + ", const unsigned char* fluid, const double* values, const std::int64_t* row_offsets, "
                       "std::int64_t n, double* row_sums, const double* const* cells_of, const std::int64_t* lengths, "
                       "std::int64_t count, double* patch_sums",
                       "Reducer& reduce, const float* fine, const float* coarse, const float* ghosts, "
                       "const float* const* weights",
                       "Reducer& reduce, const double* cells, const isofold::Box<double>& field, "
                       "const isofold::Box<unsigned char>& is_fluid"],
    "docs/user_folds.md": ["Reducer& reduce, const double* x, std::int64_t n", VALUES.replace("std::vector<double>&", "double*"),
                           MASSES, "const double* x, std::int64_t n", None],
    "docs/comparing.md": ["const double* cells, std::int64_t nz, std::int64_t ny, std::int64_t nx, "
                          "const isofold::Fingerprint& theirs"],
}


def source_of(root):
    text = HEAD
    for name, arguments in ARGUMENTS.items():
        page = (root / name).read_text(encoding="utf-8")
        blocks = list(re.finditer(r"^```cpp\n(.*?)^```$", page, re.M | re.S))
        if len(blocks) != len(arguments):
            sys.exit(f"{name} has {len(blocks)} blocks of C++, and {len(arguments)} have arguments in {__file__}.")
        for block, given in zip(blocks, arguments):
            if given is not None:
                line = page.count("\n", 0, block.start()) + 2
                text += f"void line_{line}_of_{pathlib.Path(name).stem}({given}) {{\n#line {line} \"{name}\"\n{block[1]}}}\n"
    return text


def compiles(text, folder, command):
    source = pathlib.Path(folder) / "fragments.cpp"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text, encoding="utf-8")
    return subprocess.run([*command, "-std=c++17", "-fsyntax-only", str(source)], check=False).returncode == 0


def main():
    if sys.argv[1] == "--control":
        body = "void broken(Reducer& reduce, const std::vector<float>& x) {{ {} }}\n"
        good = compiles(HEAD + body.format("reduce.sum(x);"), sys.argv[2], sys.argv[3:])
        sys.exit(not good or compiles(HEAD + body.format("reduce.suum(x);"), sys.argv[2], sys.argv[3:]))
    sys.exit(not compiles(source_of(pathlib.Path(sys.argv[1])), sys.argv[2], sys.argv[3:]))


if __name__ == "__main__":
    main()
