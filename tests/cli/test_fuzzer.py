"""isofold fuzz: passes here, finds a planted difference, and prints the command that finds it again."""

import json
import shlex
import signal
import subprocess
import time
import unittest

from support import DIFFERENCE, PLANTED, PROGRAM, UNAVAILABLE, ProgramTest, available_backends, info, run


class Fuzz(ProgramTest):
    def report(self, *arguments):
        return json.loads(self.succeed("fuzz", "--json", *arguments))

    def test_the_backends_of_host_memory_pass(self):
        names = sorted({"reference", "openmp"} & set(available_backends()))
        out = self.report("--cases", "100", *(word for name in names for word in ("--backend", name)))
        self.assertTrue(out["passed"])
        self.assertEqual((out["seed"], out["first"], out["next"]), (1, 0, 100))
        self.assertEqual(sorted(cell["backend"] for cell in out["cells"]), names)
        for cell in out["cells"]:
            self.assertEqual((cell["cases"], cell["failures"]), (100, 0))
            self.assertGreater(cell["comparisons"], 1000)
            self.assertGreater(cell["cases_per_second"], 0)

    def test_it_goes_on_where_it_ended(self):
        whole = self.report("--cases", "60", "--seed", "7", "--backend", "reference")
        part = self.report("--cases", "40", "--seed", "7", "--backend", "reference")
        rest = self.report("--cases", "20", "--seed", "7", "--backend", "reference", "--first", part["next"])
        self.assertEqual(part["comparisons"] + rest["comparisons"], whole["comparisons"])
        other = self.report("--cases", "60", "--seed", "8", "--backend", "reference")
        self.assertNotEqual(other["comparisons"], whole["comparisons"])

    def test_seconds_end_it(self):
        out = self.report("--seconds", "1", "--backend", "reference")
        self.assertLess(out["seconds"], 10)
        self.assertGreater(out["next"], 10)

    def test_an_interrupt_keeps_what_there_is(self):
        program = subprocess.Popen([PROGRAM, "fuzz", "--seconds", "600", "--backend", "reference", "--json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        program.send_signal(signal.SIGINT)
        text, errors = program.communicate(timeout=60)
        self.assertEqual(program.returncode, 130, errors)
        out = json.loads(text)
        self.assertEqual((out["interrupted"], out["passed"]), (True, False))
        self.assertGreater(out["next"], 0)
        self.assertEqual(out["cells"][0]["failures"], 0)

    def test_table(self):
        text = self.succeed("fuzz", "--cases", "20", "--backend", "reference")
        for word in ("cases/s", "seed 1", "no difference", "isofold fuzz --seed 1 --first 20"):
            self.assertIn(word, text)

    # Counts calls, so that it is not found again by the number of its case; its command is run all the same.
    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_a_planted_difference_is_found(self):
        env = {"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "bits"}
        result = run("fuzz", "--cases", "400", "--backend", "reference", env=env)
        self.assertEqual(result.returncode, DIFFERENCE, result.stderr)
        text = result.stdout.decode()
        self.assertIn("DIFFERENT", text)
        again = next(line for line in text.splitlines() if line.startswith("Again: "))
        words = shlex.split(again.removeprefix("Again: "))
        self.assertEqual(words[:2], ["isofold", "fuzz"])
        self.assertIn("no difference", self.succeed(*words[1:]))

    def test_an_unavailable_backend_is_not_skipped_when_named(self):
        for backend in info()["backends"]:
            if not backend["available"]:
                self.refuse(UNAVAILABLE, [backend["name"]], "fuzz", "--cases", "1", "--backend", backend["name"])

    def test_bad_numbers(self):
        for option in ("--cases", "--seconds", "--first", "--seed"):
            for value in ("-1", "x", "1.5"):
                result = run("fuzz", option, value)
                self.assertEqual(result.returncode, 2, (option, value))


if __name__ == "__main__":
    unittest.main()
