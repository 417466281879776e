"""The records of the benchmarks: peers.py writes those of the C++ programs, and plot.py draws them."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
PROGRAM = os.environ["ISOFOLD_PROGRAM"]
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
HAS_NUMPY = importlib.util.find_spec("numpy") is not None


def run(*arguments, text=None):
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""}
    return subprocess.run([str(a) for a in arguments], input=text, capture_output=True, encoding="utf-8",
                          env=environment, timeout=300)


def measured(*arguments):
    done = run(PROGRAM, "bench", "--json", "--seconds", "0.001", "--backend", "reference", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rung(name, rate):
    """A line as ladder_bench writes it, made from one that was measured."""
    record = json.loads(measured("--count", "1000").splitlines()[0])
    record.update(program="ladder_bench", name=name, gigabytes_per_second=rate, share_of_read_limit=rate / 1000,
                  speedup_over_rung_before=1.0)
    return json.dumps(record)


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def plot(self, text):
        return run(sys.executable, BENCH / "plot.py", "-", "--out", self.folder, text=text)

    def pictures(self, text):
        done = self.plot(text)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {path.name.split("_")[0]: path.read_text(encoding="utf-8") for path in self.folder.iterdir()}

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_curves_name_isofold_the_limit_and_the_peers(self):
        lines = measured("--count", "2^8,2^12,2^14")
        peer = [json.loads(line) for line in lines.splitlines() if '"name":"isofold"' in line]
        for record in peer:
            record["name"] = "A peer & others"
        pictures = self.pictures(lines + "\n".join(map(json.dumps, peer)))
        self.assertEqual(set(pictures), {"rate", "time"})
        for picture in pictures.values():
            for word in ("isofold (reference)", "read limit", "A peer &amp; others", "sum of f32", "elements"):
                self.assertIn(word, picture)
        self.assertIn("GB/s", pictures["rate"])

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_the_same_records_give_the_same_bytes(self):
        lines = measured("--count", "2^8,2^12")
        self.assertEqual(self.pictures(lines), self.pictures(lines))

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_rows_and_the_ladder(self):
        rows = measured("--shape", "rows", "--count", "2^14", "--length", "64")
        pictures = self.pictures(rows + rung("first", 2.5) + "\n" + rung("isofold", 900))
        self.assertEqual(set(pictures), {"rows", "ladder"})
        self.assertIn("256 rows of 64", pictures["rows"])
        for word in ("first", "isofold", "2.5 GB/s, 0.2 %", "900 GB/s, 90.0 %"):
            self.assertIn(word, pictures["ladder"])

    def test_what_is_no_record_is_refused_with_its_line(self):
        for broken in ("{}", "nonsense", '{"rates_from":"best","best_ns":"fast"}', "[]"):
            done = self.plot(measured("--count", "100") + broken)
            self.assertEqual(done.returncode, 2, broken)
            self.assertIn("line 3", done.stderr)
        self.assertEqual(self.plot("").returncode, 2)
        self.assertEqual(run(sys.executable, BENCH / "plot.py", self.folder / "absent").returncode, 2)


class Peers(unittest.TestCase):
    @unittest.skipUnless(HAS_NUMPY, "NumPy is not installed")
    def test_numpy_gives_the_fields_of_a_record(self):
        done = run(sys.executable, BENCH / "peers.py", "--peers", "numpy", "--folds", "sum,maximum", "--types", "f64",
                   "--counts", "1000", "--rows", "3x5", "--seconds", "0.001")
        self.assertEqual(done.returncode, 0, done.stderr)
        own = json.loads(measured("--count", "1000").splitlines()[0])
        records = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(records), 4)
        for record in records:
            self.assertEqual(list(record), list(own))
            self.assertLessEqual(record["best_ns"], record["median_ns"])
        self.assertEqual(records[0]["device"], own["device"])
        self.assertEqual([(r["shape"], r["rows"], r["length"]) for r in records[:2]],
                         [("array", 1, 1000), ("rows", 3, 5)])

    def test_what_is_not_installed_is_left_out_with_a_reason(self):
        hidden = "import sys; sys.modules['torch'] = None; sys.argv = ['', '--peers', 'torch', '--counts', '9']; "
        run_it = f"import runpy; runpy.run_path({str(BENCH / 'peers.py')!r}, run_name='__main__')"
        done = run(sys.executable, "-c", hidden + run_it)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertIn("left out", done.stderr)

    def test_refusals(self):
        for bad in (("--folds", "median"), ("--types", "f16"), ("--counts", "many"), ("--rows", "3"),
                    ("--peers", "abacus")):
            done = run(sys.executable, BENCH / "peers.py", *bad)
            self.assertEqual(done.returncode, 2, bad)


if __name__ == "__main__":
    unittest.main()
