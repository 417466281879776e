"""The runner's own tests: how it reads a list, where it finds fault with one, what it makes of results."""
import io
import pathlib
import tempfile
import unittest
from contextlib import redirect_stdout

import run

ONE = """# a comment

mutant lost | lost tail | walk.hpp | gpu_sum_f32 golden
---
`i < count`
+++
`i + 1 < count`
===
mutant dropped | dropped barrier | walk.hpp | gpu_races
---
  barrier();
  return 0;
+++
  return 0;
===
"""
WALK = "if (i < count) {\n  barrier();\n  return 0;\n}\n"


class List(unittest.TestCase):
    def problems(self, text, walk=WALK):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "walk.hpp").write_text(walk)
            return run.problems(run.parse(text), pathlib.Path(folder))

    def test_mutants_are_read_and_planted(self):
        lost, dropped = run.parse(ONE)
        self.assertEqual((lost.name, lost.kind, lost.file, lost.killers),
                         ("lost", "lost tail", "walk.hpp", ["gpu_sum_f32", "golden"]))
        self.assertEqual(lost.applied_to(WALK), WALK.replace("i < count", "i + 1 < count"))
        self.assertEqual(dropped.applied_to(WALK), WALK.replace("  barrier();\n", ""))
        self.assertEqual(self.problems(ONE), [])

    def test_faults_of_a_list_are_named(self):
        self.assertIn("occurs 0 times", self.problems(ONE, "i < count")[0])
        self.assertIn("occurs 2 times", self.problems(ONE, WALK + "i < count")[0])
        self.assertIn("occurs 0 times", self.problems(ONE.replace("walk.hpp", "gone.hpp"))[0])
        self.assertIn("no killer nobody", self.problems(ONE.replace("gpu_races", "nobody"))[0])
        self.assertIn("changes nothing", self.problems(ONE.replace("i + 1 < count", "i < count"))[0])
        self.assertIn("named twice", self.problems(ONE.replace("mutant dropped", "mutant lost"))[0])
        with self.assertRaises(ValueError):
            run.parse("mutant lost | lost tail | walk.hpp\n")
        with self.assertRaises(ValueError):
            run.parse("nothing that belongs here\n")


class Judgement(unittest.TestCase):
    def how(self, *command, timeout=10):
        workshop = run.Workshop.__new__(run.Workshop)  # without a copy of the sources
        workshop.folder = workshop.source = pathlib.Path("/")
        killer = run.Killer("few", [], list(command), timeout=timeout)
        return workshop.run(killer, pathlib.Path("/"))

    def test_every_end_has_its_word(self):
        self.assertEqual(self.how("true"), "")
        self.assertEqual(self.how("false"), "failure")
        self.assertEqual(self.how("sh", "-c", "kill -SEGV $$"), "crash")
        self.assertEqual(self.how("sleep", "5", timeout=0.1), "hang")

    def test_a_skipped_program_kills_nothing(self):
        self.assertEqual(self.how("sh", "-c", "exit 77"), "skipped")
        self.assertFalse(run.is_killed("skipped"))
        self.assertFalse(run.is_killed(""))
        self.assertTrue(run.is_killed("hang"))


class Results(unittest.TestCase):
    def test_results_are_kept_and_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.jsonl"
            record = {"name": "lost", "key": "1", "kind": "lost tail", "status": "killed", "killer": "gpu_sum_f32",
                      "how": "failure", "seconds": 2.0}
            run.Results(path).add({**record, "status": "survived"})
            run.Results(path).add(record)
            results = run.Results(path)
            self.assertEqual(results.known("lost", "1"), record)
            self.assertIsNone(results.known("lost", "2"))
            for unanswered in ("does not build", "no control"):
                results.add({**record, "name": unanswered, "status": unanswered})
                self.assertIsNone(results.known(unanswered, "1"))
            with redirect_stdout(io.StringIO()) as table:
                total = run.print_table(run.parse(ONE), results)
            self.assertEqual(total, {"killed": 1})
            self.assertRegex(table.getvalue(), r"lost tail +1 +1 +0")


if __name__ == "__main__":
    unittest.main()
