#!/usr/bin/env python3
"""Every file that names the version of a release names the same: version.py ROOT"""
import pathlib
import re
import sys

PLACES = {
    "CMakeLists.txt": r"project\(isofold VERSION (\S+)",
    "CITATION.cff": r"^version: (\S+)",
    "packaging/debian/changelog": r"\Aisofold \(([\d.]+)-",
    "packaging/spack/package.py": r'version\("([\d.]+)"',
    "packaging/vcpkg/vcpkg.json": r'"version": "([\d.]+)"',
    "fortran/fpm.toml": r'^version = "([\d.]+)"',
}


def main():
    root = pathlib.Path(sys.argv[1])
    found = {}
    for name, pattern in PLACES.items():
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.M)
        found.setdefault(match[1] if match else "none", []).append(name)
    print(found)
    sys.exit(len(found) != 1)


if __name__ == "__main__":
    main()
