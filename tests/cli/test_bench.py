"""isofold bench: its records, its table, and what it refuses. Nothing is asserted about how long anything takes."""

import csv
import io
import json
import os
import subprocess
import unittest

from support import BAD_INPUT, DEVICE_BACKENDS, FAILED, PROGRAM, UNAVAILABLE, ProgramTest, available_backends

FIELDS = ["program", "device", "name", "backend", "guarantee", "fold", "type", "shape", "rows", "length", "count",
          "bytes", "threads", "best_ns", "median_ns", "spread", "rates_from", "gigabytes_per_second",
          "elements_per_second", "share_of_read_limit", "note"]
QUICK = ("--seconds", "0.001")
HOST = "reference"


class Bench(ProgramTest):
    def records(self, *arguments):
        lines = self.succeed("bench", "--json", *QUICK, *arguments).splitlines()
        return [json.loads(line) for line in lines]

    def test_a_record_says_what_was_measured(self):
        own, limit = self.records("--backend", HOST, "--count", "2^10", "--type", "f64")
        self.assertEqual(list(own), FIELDS)
        self.assertEqual((own["name"], own["backend"], own["fold"], own["type"], own["shape"]),
                         ("isofold", HOST, "sum", "f64", "array"))
        self.assertEqual((own["count"], own["rows"], own["length"], own["bytes"]), (1024, 1, 1024, 8192))
        self.assertEqual(own["guarantee"], "same_bits")
        self.assertEqual(limit["name"], "read limit")
        self.assertEqual(limit["share_of_read_limit"], 1)

    def test_the_figures_of_a_record_agree(self):
        for record in self.records("--backend", HOST, "--count", "100000"):
            self.assertLessEqual(record["best_ns"], record["median_ns"])
            self.assertGreaterEqual(record["spread"], 0)
            seconds = record[record["rates_from"] + "_ns"] * 1e-9
            self.assertAlmostEqual(record["gigabytes_per_second"] * seconds * 1e9 / record["bytes"], 1, delta=0.02)
            self.assertAlmostEqual(record["elements_per_second"] * seconds / record["count"], 1, delta=0.02)

    def test_every_case_of_the_lists_is_measured(self):
        records = self.records("--backend", HOST, "--fold", "sum,maximum", "--type", "i32,u64", "--count", "100,200")
        cases = {(r["fold"], r["type"], r["count"]) for r in records if r["name"] == "isofold"}
        self.assertEqual(cases, {(f, t, n) for f in ("sum", "maximum") for t in ("i32", "u64") for n in (100, 200)})

    def test_rows(self):
        record = self.records("--backend", HOST, "--shape", "rows", "--count", "1000", "--length", "64")[0]
        self.assertEqual((record["shape"], record["rows"], record["length"], record["count"]), ("rows", 15, 64, 960))

    def test_without_a_name_every_available_backend_is_measured(self):
        backends = {r["backend"] for r in self.records("--count", "256") if r["name"] == "isofold"}
        hidden = {"cuda", "hip"}  # by the environment of these tests
        self.assertEqual(backends - hidden, set(available_backends()) - hidden)

    def test_exact_v1_is_measured_where_it_is(self):
        records = self.records("--exact", "--count", "256")
        measured = {(r["backend"], r["guarantee"]) for r in records if r["name"] == "isofold"}
        self.assertIn((HOST, "exact_v1"), measured)
        self.assertIn((HOST, "same_bits"), measured)
        if "kokkos" in available_backends():  # it has no exact_v1
            self.assertEqual([g for b, g in measured if b == "kokkos"], ["within_bound"])

    def test_exact_v1_of_a_fold_that_lacks_it_is_refused(self):
        self.refuse(UNAVAILABLE, ["exact_v1"], "bench", "--exact", "--backend", HOST, "--fold", "product", "--count", "256")

    def test_an_array_too_small_for_the_read_kernels_has_no_share(self):
        (own,) = self.records("--backend", HOST, "--count", "1")
        self.assertIsNone(own["share_of_read_limit"])

    def test_csv_holds_the_same_fields(self):
        text = self.succeed("bench", "--csv", *QUICK, "--backend", HOST, "--count", "64,128")
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(list(rows[0]), FIELDS)
        self.assertEqual([r["count"] for r in rows if r["name"] == "isofold"], ["64", "128"])

    def test_the_table_names_the_backend_and_the_limit(self):
        text = self.succeed("bench", *QUICK, "--backend", HOST, "--count", "1000")
        for word in ("sum of 1000 f32 (4000 bytes)", HOST, "same_bits", "read limit", "GB/s", "GFLOP/s", "spread"):
            self.assertIn(word, text)

    def test_devices(self):
        for backend in set(DEVICE_BACKENDS) & set(available_backends()):
            for extra in ((), ("--returned",), ("--shape", "rows", "--length", "10")):
                with self.subTest(backend=backend, extra=extra):
                    own = self.records("--backend", backend, "--count", "1000", *extra)[0]
                    self.assertEqual((own["backend"], own["rates_from"], own["threads"]), (backend, "median", 0))
                    self.assertGreater(own["median_ns"], 0)

    def test_refusals(self):
        self.refuse(BAD_INPUT, ["2^63", "count"], "bench", "--count", "2^63")
        self.refuse(BAD_INPUT, ["'0'"], "bench", "--count", "0")
        self.refuse(BAD_INPUT, ["'-5'"], "bench", "--count=-5")
        self.refuse(BAD_INPUT, ["fortran"], "bench", "--backend", "fortran")
        self.refuse(BAD_INPUT, ["20", "2048", "--length"], "bench", "--shape", "rows", "--count", "20")
        self.refuse(BAD_INPUT, ["--returned"], "bench", "--shape", "rows", "--returned")
        self.refuse(BAD_INPUT, ["--csv"], "bench", "--json", "--csv")
        self.refuse(FAILED, ["elements", "--count"], "bench", "--backend", HOST, "--count", "2^60")

    def test_what_is_not_here_says_why(self):
        hidden = {"CUDA_VISIBLE_DEVICES": ""}
        self.refuse(UNAVAILABLE, ["cuda"], "bench", "--backend", "cuda", "--count", "10", env=hidden)
        self.refuse(UNAVAILABLE, ["ladder"], "bench", "--ladder", env=hidden)

    def test_output_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "bench", *QUICK, "--backend", HOST, "--count", "16"], stdout=full,
                                  stderr=subprocess.PIPE, env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual(done.returncode, FAILED, done.stderr)


if __name__ == "__main__":
    unittest.main()
