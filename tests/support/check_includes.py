"""The include rule of ARCHITECTURE.md, checked on the sources:
include <- src <- backends <- conformance, bench, simulator <- cli, tests.
Vendor headers and API names stay in their places; public headers outside core/ hold no floating point."""

import argparse
import pathlib
import re
import sys
import tempfile

SOURCES = {".h", ".hpp", ".cpp", ".c", ".cu", ".cuh", ".hip"}
# The right may include the left, never the reverse. examples/ include only what users can.
LAYERS = {"include": 0, "src": 1, "backends": 2, "conformance": 3, "bench": 3, "simulator": 3, "cli": 4, "tests": 5}
VENDOR_HEADER = re.compile(
    r"^(cuda|hip|cub/|thrust/|nv|cooperative_groups|curand|cublas|rocprim|hipcub|Kokkos|mma\.h|device_launch)")
VENDOR_NAME = re.compile(
    r"\b(cuda[A-Z]\w+|CU[a-z]\w+|hip[A-Z]\w+|Kokkos::|__shfl\w*|__ballot\w*|__syncthreads\w*|__syncwarp\w*"
    r"|threadIdx|blockIdx|blockDim|gridDim|__shared__|__global__|__device__|__host__)|<<<")
# Files that may say a vendor's words, by the start of the path.
VENDOR_PLACES = ("backends/cuda/", "backends/hip/", "backends/kokkos/", "bench/", "tests/gpu/", "tests/hip",
                 "tests/install/", "cmake/checks/", "examples/")
# The macros that hide a vendor's words, ISOFOLD_HOST_DEVICE and ISOFOLD_DEVICE; the platforms and
# DeviceReducer, which users include; views of Kokkos; the pretend NCCL; the names of RCCL.
VENDOR_EXCEPTIONS = {"include/isofold/detail/core/host_device.hpp", "include/isofold/detail/gpu/device.hpp",
                     "include/isofold/detail/gpu/cuda.hpp", "include/isofold/detail/gpu/hip.hpp",
                     "include/isofold/device_reducer.hpp", "include/isofold/kokkos.hpp", "tests/unit/kokkos_views_test.cpp",
                     "tests/nccl/pretend/nccl.h", "tests/nccl/rccl_names/rccl/rccl.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
FLOATING = re.compile(r"\b(float|double)\b|\b\d+\.\d*|\b\d+[eE][-+]?\d+|\bstd::(sqrt|fma|abs|pow|exp|log)\b")
# They name types and hold no arithmetic; transform_reduce.hpp checks the arithmetic of its user's
# file.
FLOATING_EXCEPTIONS = {"include/isofold/isofold.h", "include/isofold/lists.h", "include/isofold/result.hpp",
                       "include/isofold/transform_reduce.hpp"}


def strip(text):
    """Without comments and strings; lines keep their number."""
    def blank(match):
        return "\n" * match.group(0).count("\n")
    return COMMENT_OR_STRING.sub(blank, text)


def resolve(root, source, name):
    """The file of this repository that an include names, or None for a system's or a vendor's."""
    for base in (source.parent, root, root / "include", root / "src", root / "tests/support",
                 root / "tests/conformance"):
        candidate = (base / name).resolve()
        if candidate.is_file() and root in candidate.parents:
            return candidate.relative_to(root)
    return None


def backend_of(path):
    return path.parts[1] if path.parts[0] == "backends" and len(path.parts) > 2 else None


def check_include(path, target):
    """The fault of `path` including `target`, both relative to the root; None when it is right."""
    own, other = path.parts[0], target.parts[0]
    if own == "examples":
        return None if other in ("include", "examples") else "examples include public headers only"
    if own not in LAYERS or other not in LAYERS:
        return None
    if LAYERS[other] > LAYERS[own]:
        return f"{own}/ must not include {other}/"
    mine, theirs = backend_of(path), backend_of(target)
    if mine and theirs and mine != theirs and not (mine in ("cuda", "hip") and theirs == "gpu"):
        return f"backend {mine} must not include backend {theirs}"
    if theirs == "gpu" and not (mine in ("cuda", "hip", "gpu") or
                                str(path).startswith(("simulator/", "tests/simt/", "tests/gpu/", "tests/hip", "bench/"))):
        return "only cuda/, hip/, simulator/, bench/ and their tests include gpu/"
    return None


def check_file(root, source):
    path = source.relative_to(root)
    name = str(path)
    text = source.read_text(encoding="utf-8", errors="replace")
    problems = []
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        target = resolve(root, source, match.group(2))
        if target is not None:
            problem = check_include(path, target)
        elif (VENDOR_HEADER.match(match.group(2)) and not name.startswith(VENDOR_PLACES)
              and name not in VENDOR_EXCEPTIONS):
            problem = f"vendor header {match.group(2)}"
        else:
            problem = None
        if problem:
            problems.append(f"{name}:{line}: {problem}")
    code = strip(text)
    if not name.startswith(VENDOR_PLACES) and name not in VENDOR_EXCEPTIONS:
        for match in VENDOR_NAME.finditer(code):
            problems.append(f"{name}:{code.count(chr(10), 0, match.start()) + 1}: vendor name {match.group(0)}")
    public = name.startswith("include/") and not name.startswith(("include/isofold/detail/core/",
                                                                  "include/isofold/detail/gpu/"))
    if public and name not in FLOATING_EXCEPTIONS:
        for match in FLOATING.finditer(code):
            problems.append(f"{name}:{code.count(chr(10), 0, match.start()) + 1}: "
                            f"floating point in a public header: {match.group(0)}")
    return problems


def check(root):
    root = root.resolve()
    files = [f for folder in (*LAYERS, "examples") for f in sorted((root / folder).rglob("*"))
             if f.suffix in SOURCES]
    return files, [problem for f in files for problem in check_file(root, f)]


# The control: one file for each rule, wrong and right.
WRONG = {
    "include/isofold/a.hpp": '#include "../../src/front.hpp"\n',
    "include/isofold/b.hpp": "#include <cuda_runtime.h>\n",
    "include/isofold/c.hpp": "inline double mean(double s) { return s; }\n",
    "include/isofold/d.hpp": "inline auto half() { return 0.5; }\n",
    "src/a.cpp": "#include <backends/openmp/walk.hpp>\n",
    "src/b.cpp": "#include <hip/hip_runtime.h>\n",
    "src/c.cpp": "void f() { cudaFree(nullptr); }\n",
    "src/d.cpp": "#include <cli/own.hpp>\n",
    "backends/openmp/a.cpp": "#include <backends/gpu/kernel.hpp>\n",
    "backends/kokkos/a.cpp": '#include "../openmp/walk.hpp"\n',
    "backends/gpu/a.hpp": "__shared__ int x;\n",
    "backends/gpu/b.hpp": "int i() { return threadIdx.x; }\n",
    "backends/gpu/c.hpp": "void f() { kernel<<<1, 1>>>(); }\n",
    "backends/openmp/b.cpp": "#include <bench/measure.hpp>\n",
    "cli/a.cpp": "#include <Kokkos_Core.hpp>\n",
    "cli/b.cpp": "#include <backends/gpu/kernel.hpp>\n",
    "examples/a.cpp": "#include <src/front.hpp>\n",
}
RIGHT = {
    "include/isofold/ok.hpp": "#include <cstdint>\n// 0.5 double cudaFree\n#include <isofold/detail/core/x.hpp>\n",
    "include/isofold/detail/core/x.hpp": "inline float f(float x) { return x + 0.5F; }\n",
    "src/front.hpp": "#include <isofold/ok.hpp>\n",
    "backends/openmp/walk.hpp": "#include <front.hpp>\n",
    "backends/gpu/kernel.hpp": "#include <isofold/detail/core/x.hpp>\n",
    "backends/cuda/ok.cu": "#include <backends/gpu/kernel.hpp>\n#include <cuda_runtime.h>\nvoid f() { k<<<1, 2>>>(); }\n",
    "bench/measure.hpp": "#include <cub/cub.cuh>\n",
    "cli/own.hpp": "#include <isofold/ok.hpp>\nconst char* name = \"cudaFree\";\n",
}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {**WRONG, **RIGHT}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        _, problems = check(root)
        found = {problem.split(":")[0] for problem in problems}
        for name in sorted(set(WRONG) - found):
            print(f"not noticed: {name}")
        for name in sorted(found - set(WRONG)):
            print(f"wrongly refused: {[p for p in problems if p.startswith(name)]}")
        return 0 if found == set(WRONG) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    files, problems = check(arguments.root)
    print("\n".join(problems))
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or len(files) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
