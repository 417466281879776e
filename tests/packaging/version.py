#!/usr/bin/env python3
"""Every file that names the version of a release, or its date, names the same: version.py ROOT"""
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
    "python/cuda/pyproject.toml": r'^version = "([\d.]+)"(?s:.*)"isofold==\1"',
    "CHANGELOG.md": r"^## \[([\d.]+)\]",
}
DATES = {
    "CITATION.cff": r'^date-released: "([\d-]+)"',
    "CHANGELOG.md": r"^## \[[\d.]+\] - ([\d-]+)$",
}


def named_by(root, patterns):
    """What each file names, as a dictionary from names to files."""
    found = {}
    for name, pattern in patterns.items():
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.M)
        found.setdefault(match[1] if match else "none", []).append(name)
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    versions, dates = named_by(root, PLACES), named_by(root, DATES)
    print(versions, dates)
    sys.exit(len(versions) != 1 or len(dates) != 1 or "none" in versions or "none" in dates)


if __name__ == "__main__":
    main()
