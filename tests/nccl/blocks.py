"""The blocks of docs/scale_out.md about GPUs, compiled with NCCL's header: blocks.py --cxx g++ --folder F -- OPTIONS."""

import argparse
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.M | re.S)
# The names that blocks of a few lines use, as the page says.
PREAMBLE = """
#include <isofold/nccl.hpp>
[[maybe_unused]] static void block(int gpu, ncclComm_t comm, cudaStream_t stream, const double* x, std::int64_t n) {
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    page = pathlib.Path(__file__).resolve().parents[2] / "docs/scale_out.md"
    blocks = [code for code in BLOCK.findall(page.read_text()) if "nccl" in code]
    if len(blocks) < 2:
        sys.exit(f"{page} has {len(blocks)} blocks about NCCL, where a program and a shorter one were.")
    for number, code in enumerate(blocks):
        source = arguments.folder / f"block{number}.cpp"
        source.write_text(code if "int main" in code else PREAMBLE + code + "(void)total, (void)sum, (void)most;\n}\n")
        subprocess.run([arguments.cxx, "-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only",
                        *arguments.options, str(source)], check=True)


if __name__ == "__main__":
    main()
