"""isofold reduce --exact: real values, rounded once, judged by Python's fractions and math.fsum."""

import json
import math
import random
import struct
import unittest
from fractions import Fraction

from support import BAD_INPUT, UNAVAILABLE, ProgramTest, npy_of


def some(n, seed=1, binades=60):
    random_ = random.Random(seed)
    return [math.ldexp(random_.uniform(-1, 1), random_.randint(-binades, binades)) for _ in range(n)]


class Exact(ProgramTest):
    def setUp(self):
        super().setUp()
        self.x = some(5000)
        self.path = self.file(npy_of("f64", "(5000,)", struct.pack("<5000d", *self.x)), "x.npy")

    def result(self, *arguments, **options):
        return float(self.succeed("reduce", *arguments, **options))

    def test_sums_are_those_of_fsum(self):
        for extra in ((), ("--backend", "reference"), ("--threads", "2"), ("--block-bytes", "8KiB")):
            self.assertEqual(self.result(self.path, "--fold", "sum", "--exact", *extra), math.fsum(self.x))
        self.assertEqual(self.result(self.path, "--fold", "sum", "--accumulator", "exact"), math.fsum(self.x))

    def test_any_order_has_the_digits_also_through_a_pipe(self):
        shuffled = self.x[:]
        random.Random(2).shuffle(shuffled)
        data = struct.pack("<5000d", *shuffled)
        for fold in ("sum", "mean", "variance", "norm2"):
            wanted = self.result(self.path, "--fold", fold, "--exact")
            got = self.result("-", "--type", "f64", "--fold", fold, "--exact", "--block-bytes", "8KiB", stdin=data)
            self.assertEqual(got, wanted, fold)

    def test_means_and_variances_are_those_of_fractions(self):
        x = [Fraction(v) for v in self.x]
        mean = sum(x) / 5000
        variance = sum((v - mean) ** 2 for v in x) / 5000
        self.assertEqual(self.result(self.path, "--fold", "mean", "--exact"), float(mean))
        self.assertEqual(self.result(self.path, "--fold", "variance", "--exact"), float(variance))

    def test_rows_boxes_and_pairs(self):
        path = self.file(npy_of("f64", "(50, 100)", struct.pack("<5000d", *self.x)))
        rows = self.succeed("reduce", path, "--fold", "sum", "--exact", "--axis", "1").split()
        self.assertEqual([float(r) for r in rows], [math.fsum(self.x[i : i + 100]) for i in range(0, 5000, 100)])
        rows = self.succeed("reduce", path, "--fold", "sum", "--exact", "--rows").split()
        self.assertEqual(float(rows[7]), math.fsum(self.x[700:800]))
        part = self.result(path, "--fold", "sum", "--exact", "--box", "::-2,1:-1")
        self.assertEqual(part, math.fsum(self.x[i * 100 + j] for i in range(1, 50, 2) for j in range(1, 99)))
        dot = sum(Fraction(a) * Fraction(b) for a, b in zip(self.x, self.x))
        self.assertEqual(self.result(self.path, self.path, "--fold", "dot", "--exact"), float(dot))

    def test_integers(self):
        path = self.file(npy_of("i32", "(3,)", struct.pack("<3i", 1, 2, 4)))
        self.assertEqual(self.result(path, "--fold", "mean", "--exact"), 7 / 3)
        self.refuse(UNAVAILABLE, ["mean", "--exact"], "reduce", path, "--fold", "mean")
        self.assertIn("mean   2.3333333333333335\n", self.succeed("reduce", path, "--exact"))
        large = self.file(npy_of("i64", "(2,)", struct.pack("<2q", 2**63 - 1, 1)))
        self.refuse(BAD_INPUT, ["does not fit in 64 bits"], "reduce", large, "--fold", "sum", "--exact")

    def test_json_says_which_definition(self):
        out = json.loads(self.succeed("reduce", self.path, "--fold", "sum,max", "--exact", "--json"))
        self.assertEqual(out["definition"], "exact_v1")
        self.assertEqual([r["value"] for r in out["results"]], [math.fsum(self.x), max(self.x)])
        out = json.loads(self.succeed("reduce", self.path, "--fold", "sum", "--json"))
        self.assertEqual(out["definition"], "tree_v1")

    def test_what_has_no_exact_value_is_refused(self):
        self.refuse(UNAVAILABLE, ["product", "exact_v1"], "reduce", self.path, "--fold", "product", "--exact")
        self.refuse(BAD_INPUT, ["'exakt' is no accumulator", "exact"], "reduce", self.path, "--fold", "sum",
                    "--accumulator", "exakt")


if __name__ == "__main__":
    unittest.main()
