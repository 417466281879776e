"""bench/tables.py: the tables and charts of the documents are what the records in bench/results give."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "bench" / "tables.py"
RESULTS = ROOT / "bench" / "results"
FIELDS = {"program", "device", "name", "backend", "guarantee", "fold", "type", "shape", "rows", "length", "count", "bytes",
          "threads", "best_ns", "median_ns", "spread", "rates_from", "gigabytes_per_second", "elements_per_second",
          "share_of_read_limit", "note"}
DOCUMENT = """Before.
<!-- table: h200 folds sum,argmin -->
<!-- end -->
Between.
<!-- table: h200 layouts -->
stale
<!-- end -->
<!-- table: h200 sizes sum -->
<!-- end -->
<!-- table: zen5 folds sum,norm2 1 -->
<!-- end -->
<!-- table: zen5 cases -->
<!-- end -->
<!-- table: h200 rates 2^27 sum,argminmax 2^20,2^29 -->
<!-- end -->
<!-- table: zen5 rates 2^25 dot -->
<!-- end -->
<!-- table: zen5 layout_rates NumPy, the loop: interior of 320^3, 1 ghost layer;
mask of bits: half of 2^25, in runs of 1 -->
<!-- end -->
<!-- table: h200 chart sum,minimum,argmin -->
<!-- end -->
After.
"""


def tables(*arguments):
    return subprocess.run([sys.executable, str(TABLES), *map(str, arguments)], capture_output=True, encoding="utf-8",
                          timeout=60)


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.document = pathlib.Path(folder.name) / "document.md"

    def write(self, text=DOCUMENT):
        self.document.write_text(text, encoding="utf-8")
        done = tables("--write", self.document)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.document.read_text(encoding="utf-8")

    def test_the_documents_show_what_the_records_give(self):
        for document in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
            done = tables("--check", document)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        performance = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
        self.assertLessEqual(4, performance.count("<!-- table: "))

    def test_tables_are_filled_and_the_rest_is_left(self):
        text = self.write()
        for words in ("Before.\n", "\nBetween.\n", "\nAfter.\n", "| argmin |", "CUB", "| segments |", "| 2^27 |",
                      "| norm2 | 3.75 ms | 73 % |", "320^3 over axes 0 1",
                      "| sum | 97 | 4392 | 0.98 | 67, 99 |", "| argminmax | 92 | 4155 |  | 48, 96 |",
                      "| dot | 87 | 41.4 | 71 |", "| interior of 320^3, 1 ghost layer | 46 | 22.2 | 2.10 | 0.55 |",
                      "(images/h200.svg)", "commit b23752f"):
            self.assertIn(words, text)
        self.assertNotIn("stale", text)
        self.assertEqual(self.write(text), text)

    def test_charts_are_pictures(self):
        self.write()
        picture = xml.etree.ElementTree.parse(self.document.parent / "images" / "h200.svg").getroot()
        words = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
        for label in ("sum", "argmin", "segments", "f32", "f64", "fastest peer", "100 %"):
            self.assertIn(label, words)
        self.assertNotIn("dot", words)

    def test_what_was_edited_by_hand_is_seen(self):
        text = self.write()
        self.assertEqual(tables("--check", self.document).returncode, 0)
        self.document.write_text(text.replace("| norm2 | 3.75 ms", "| norm2 | 2.75 ms"), encoding="utf-8")
        done = tables("--check", self.document)
        self.assertEqual(done.returncode, 1)
        self.assertIn("document.md is not what the records give", done.stdout)
        self.write(text)
        (self.document.parent / "images" / "h200.svg").unlink()
        self.assertEqual(tables("--check", self.document).returncode, 1)

    def test_refusals(self):
        for marker in ("abacus folds", "h200 splines", "h200 folds summ", "h200 sizes", "zen5 folds 3",
                       "h200 rates 2^27 summ", "h200 rates 2^26 argmin", "h200 layout_rates CUB",
                       "h200 layout_rates CUB: a"):
            self.document.write_text(f"<!-- table: {marker} -->\n<!-- end -->\n", encoding="utf-8")
            done = tables("--write", self.document)
            self.assertEqual(done.returncode, 2, marker)
            self.assertIn("tables.py: there ", done.stderr)
        self.assertEqual(tables().returncode, 2)
        self.assertEqual(tables("--check").returncode, 2)


class Records(unittest.TestCase):
    def test_every_file_says_where_it_comes_from(self):
        paths = sorted(RESULTS.glob("*/*.json"))
        self.assertTrue(paths)
        for path in paths:
            lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            self.assertNotIn("program", lines[0], path)
            for line in lines:
                if "program" in line:
                    self.assertLessEqual(FIELDS, set(line), path)
                else:
                    self.assertEqual(set(line), {"date", "commit", "machine", "command", "source"}, path)
                    self.assertEqual(line["date"], path.stem)

    def test_a_later_run_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for date, time in (("2026-01-01", 1000), ("2026-01-02", 3000)):
                record = dict.fromkeys(FIELDS, "") | {
                    "program": "p", "name": "isofold", "fold": "sum", "type": "f32", "shape": "array", "count": 4096,
                    "bytes": 16384, "threads": 0, "best_ns": time, "rates_from": "best", "share_of_read_limit": 0.5}
                run = {"date": date, "commit": "c", "machine": "m", "command": "p", "source": "measured"}
                paths.append(pathlib.Path(folder) / f"{date}.json")
                paths[-1].write_text(f"{json.dumps(run)}\n{json.dumps(record)}\n", encoding="utf-8")
            done = tables(*paths)
        self.assertIn("| sum | 3 µs | 50 % |", done.stdout, done.stderr)
        self.assertNotIn("2026-01-01", done.stdout)

    def test_what_is_no_record_is_refused_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "broken.json"
            for broken in ("nonsense", '{"program":"p"}'):
                path.write_text('{"date":"2026-01-01"}\n' + broken, encoding="utf-8")
                done = tables(path)
                self.assertEqual(done.returncode, 2, broken)
                self.assertIn("line 2 of", done.stderr)


if __name__ == "__main__":
    unittest.main()
