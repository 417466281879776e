"""Programs compiled by an MPI's own wrappers against the headers and the library, as users compile them, and run:
the C functions from C and Fortran, and all blocks of code of docs/scale_out.md."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
# The names that blocks of a few lines use, as docs/scale_out.md says.
PREAMBLE = """
#include <isofold/mpi.hpp>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>
[[maybe_unused]] static void block(isofold::Reducer& reduce, isofold::mpi::Team& team, const double* rho,
    const double* t, const double* u, const double* v, const std::int64_t nz, const std::int64_t ny,
    const std::int64_t nx, const std::int64_t NZ, const std::int64_t NY, const std::int64_t NX,
    const std::int64_t z0, const std::int64_t y0, const std::int64_t x0, const std::vector<double>& x,
    const std::vector<double>& y, const std::vector<std::int64_t>& ids, const std::int64_t total,
    const std::uint8_t* land) {
  using namespace isofold;
  (void)reduce, (void)team, (void)rho, (void)t, (void)u, (void)v, (void)nz, (void)ny, (void)nx, (void)NZ, (void)NY;
  (void)NX, (void)z0, (void)y0, (void)x0, (void)x, (void)y, (void)ids, (void)total, (void)land;
"""


def run(*command):
    print(*command, flush=True)
    subprocess.run([str(word) for word in command], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpicxx", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--library", required=True, help="libisofold.so, or .a")
    parser.add_argument("--folder", required=True, type=pathlib.Path, help="for what is built")
    parser.add_argument("--what", choices=["functions", "blocks", "headers"], required=True)
    options = parser.parse_args()
    here = pathlib.Path(__file__).resolve().parent
    root = here.parent.parent
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    includes = [f"-I{folder}" for folder in options.include]
    warnings = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
    cxx = [options.mpicxx, "-std=c++17", "-O2", *warnings, "-Wshadow", "-Wsign-conversion", *includes]
    link = [options.library, f"-Wl,-rpath,{pathlib.Path(options.library).parent}", "-lstdc++"]
    ranks = [sys.executable, here / "run_ranks.py", "--mpirun", options.mpicxx.replace("mpicxx", "mpirun")]
    text = (root / "docs/scale_out.md").read_text()
    blocks = BLOCK.findall(text)

    if options.what == "headers":
        headers = [root / "include/isofold" / name for name in ("mpi.h", "mpi.hpp", "mpi_functions.hpp")]
        details = [header for folder in ("mpi", "team") for header in (root / "include/isofold/detail" / folder).glob("*.hpp")]
        for header in headers + sorted(details):
            name = header.relative_to(root / "include")
            source = options.folder / "alone.cpp"
            source.write_text(f"#include <{name}>\n#include <{name}>\nint main() {{ return 0; }}\n")
            run(*cxx, "-fsyntax-only", source)
        return
    functions = options.folder / "functions.o"
    run(*cxx, "-c", here / "functions.cpp", "-o", functions)
    if options.what == "functions":
        mpicc = options.mpicxx.replace("mpicxx", "mpicc")
        run(mpicc, "-std=c99", *warnings, *includes, "-c", here / "functions_test.c", "-o", options.folder / "c.o")
        run(options.mpicxx, options.folder / "c.o", functions, *link, "-o", options.folder / "c")
        run(*ranks, "--ranks", "1,3", options.folder / "c")
        mpifort = shutil.which(options.mpicxx.replace("mpicxx", "mpifort"))
        module = [code for language, code in blocks if language == "fortran"]
        if mpifort is None or subprocess.run([mpifort, "--version"], capture_output=True).returncode != 0:
            print("Fortran: left out, there is no mpifort that runs")
            return
        (options.folder / "isofold_mpi.f90").write_text(module[0])
        run(mpifort, f"-J{options.folder}", options.folder / "isofold_mpi.f90", here / "fortran_test.f90", functions,
            *link, "-o", options.folder / "fortran")
        run(*ranks, "--ranks", "1,3", options.folder / "fortran")
        return
    snippets = PREAMBLE
    for language, code in blocks:
        if "nccl" in code:
            continue  # tests/nccl compiles them
        if language == "cpp" and "int main" in code:
            name = options.folder / f"program{text[:text.index(code)].count(chr(10)) + 1}"
            name.with_suffix(".cpp").write_text(code)
            run(*cxx, name.with_suffix(".cpp"), *link, "-o", name)
            run(*ranks, "--ranks", "1,2,4", name)
        elif language == "cpp":
            snippets += "  {\n" + code + "  }\n"
        elif language == "c":
            source = options.folder / "block.c"
            source.write_text(code)
            run(options.mpicxx.replace("mpicxx", "mpicc"), "-std=c99", *warnings, *includes, source, functions,
                *link, "-o", options.folder / "block")
            run(*ranks, "--ranks", "1,2,4", options.folder / "block")
    source = options.folder / "snippets.cpp"
    source.write_text(snippets + "}\nint main() { return 0; }\n")
    run(*cxx, "-Wno-unused-variable", "-Wno-unused-but-set-variable", "-fsyntax-only", source)


if __name__ == "__main__":
    main()
