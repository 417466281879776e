"""Writes checksums.txt from the Python oracle: python3 checksums.py > checksums.txt

Lines are added, never changed: another hash would be other test data under the same name.
"""

import hashlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "oracle"))
from test_data import generate  # noqa: E402

DISTRIBUTIONS = {t: ["uniform"] + (["normal", "cancelling", "wide"] if t[0] in "fc" else [])
                 for t in ("f32", "f64", "i32", "i64", "u32", "u64", "c64", "c128")}
PARTS = {"c64": "f32", "c128": "f64"}
CASES = ((0, 1), (0, 4097), (1, 1000), (18446744073709551615, 1000))


def elements(distribution, type_name, seed, count):
    """The bytes of a data set; complex elements are those of a real one of twice the count, in pairs."""
    if type_name in PARTS:
        return elements(distribution, PARTS[type_name], seed, 2 * count)
    return generate(distribution, type_name, seed, count).tobytes()


def oracle_hash(distribution, type_name, seed, count):
    return hashlib.sha256(elements(distribution, type_name, seed, count)).hexdigest()


if __name__ == "__main__":
    print("# SHA-256 of the elements, as `isofold generate` writes them after the .npy header.")
    print("# type distribution seed count sha256")
    for type_name, names in DISTRIBUTIONS.items():
        for name in names:
            for seed, count in CASES:
                print(type_name, name, seed, count, oracle_hash(name, type_name, seed, count))
