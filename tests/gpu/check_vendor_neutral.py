"""GPU code is written once: no word of a vendor, no way to spell a launch, but in the vendors' platform headers."""
import pathlib
import re
import sys

PLATFORMS = {"cuda.hpp", "hip.hpp"}  # of include/isofold/detail/gpu
FORBIDDEN = [
    r"__shared__", r"threadIdx", r"blockIdx", r"blockDim", r"gridDim", r"<<<", r"__syncthreads",
    r"__shfl", r"__global__", r"\bwarpSize\b", r"\batomic[A-Z]", r"\bcuda[A-Z_]\w*", r"\bhip[A-Z_]\w*",
    r"#\s*include\s*[<\"](cuda|hip)",
]


def main():
    found = 0
    files = sorted(file for folder in sys.argv[1:] for file in pathlib.Path(folder).rglob("*.[hc]*")
                   if file.name not in PLATFORMS)
    for path in files:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("//")[0]
            for pattern in FORBIDDEN:
                if re.search(pattern, code):
                    print(f"{path.name}:{number}: {pattern}: {line.strip()}")
                    found += 1
    print(f"{len(files)} files, {found} vendor words")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
