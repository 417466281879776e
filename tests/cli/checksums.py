"""Writes checksums.txt from the Python oracle: python3 checksums.py > checksums.txt

Lines are added, never changed: another hash would be other test data under the same name.
"""

import hashlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "oracle"))
from test_data import generate  # noqa: E402

DISTRIBUTIONS = {t: ["uniform"] + (["normal", "cancelling", "wide"] if t[0] == "f" else [])
                 for t in ("f32", "f64", "i32", "i64", "u32", "u64")}
CASES = ((0, 1), (0, 4097), (1, 1000), (18446744073709551615, 1000))


def oracle_hash(distribution, type_name, seed, count):
    return hashlib.sha256(generate(distribution, type_name, seed, count).tobytes()).hexdigest()


if __name__ == "__main__":
    print("# SHA-256 of the elements, as `isofold generate` writes them after the .npy header.")
    print("# type distribution seed count sha256")
    for type_name, names in DISTRIBUTIONS.items():
        for name in names:
            for seed, count in CASES:
                print(type_name, name, seed, count, oracle_hash(name, type_name, seed, count))
