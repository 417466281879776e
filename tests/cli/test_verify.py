"""isofold verify: passes here, finds a planted difference, and says so in its exit code."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

from support import BAD_INPUT, DIFFERENCE, FINE, PLANTED, PROGRAM, UNAVAILABLE, ProgramTest, available_backends, info, run


class Verify(ProgramTest):
    def test_quick_passes(self):
        out = json.loads(self.succeed("verify", "--quick", "--json", "--backend", "reference", "--fold", "sum"))
        self.assertTrue(out["passed"])
        self.assertFalse(out["interrupted"])
        self.assertEqual(out["failures"], 0)
        self.assertEqual(out["folds"], ["sum"])
        self.assertGreater(out["comparisons"], 1000)
        self.assertEqual({cell["backend"] for cell in out["cells"]}, {"reference"})

    def test_folds_may_be_chosen(self):
        def comparisons(*folds):
            out = self.succeed("verify", "--quick", "--json", "--backend", "reference", "--fold", ",".join(folds))
            return json.loads(out)["comparisons"]

        self.assertEqual(comparisons("argmin", "none"), comparisons("argmin") + comparisons("none"))
        self.refuse(BAD_INPUT, ["abacus", "argmin"], "verify", "--fold", "abacus")
        self.refuse(BAD_INPUT, ["--tree", "--fold"], "verify", "--tree", "--fold", "sum")

    def test_table(self):
        text = self.succeed("verify", "--quick", "--backend", "reference", "--fold", "sum")
        for word in ("reference", "only of sum", "golden", "comparisons", "0 different", "sha256:"):
            self.assertIn(word, text)

    def interrupt(self, *arguments):
        """Ctrl-C once the first line of the table, or all of the first second, is there."""
        program = subprocess.Popen([PROGRAM, "verify", "--backend", "reference", *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        head = b"" if "--json" in arguments else b"".join(program.stdout.readline() for _ in range(5))
        if not head:
            time.sleep(1)
        self.assertIsNone(program.poll(), "lines come before the end")
        program.send_signal(signal.SIGINT)
        rest, errors = program.communicate(timeout=60)
        self.assertEqual(program.returncode, 130, errors)
        return (head + rest).decode()

    def test_lines_come_as_they_are_ready_and_an_interrupt_keeps_them(self):
        text = self.interrupt()
        self.assertRegex(text, r"reference +golden +\d+ +\d+")
        self.assertRegex(text, r"\d+ comparisons, 0 different, .* stopped before the end")

    def test_an_interrupt_in_json(self):
        out = json.loads(self.interrupt("--json"))
        self.assertTrue(out["interrupted"])
        self.assertFalse(out["passed"])

    def test_an_interrupt_of_trees(self):
        out = json.loads(self.interrupt("--tree", "--exhaustive", "--json"))
        self.assertEqual((out["interrupted"], out["passed"], out["differing"]), (True, False, 0))

    def test_an_ignored_interrupt_stays_ignored(self):
        """As in a background job of a shell without job control."""
        program = subprocess.Popen([PROGRAM, "verify", "--backend", "reference", "--quick", "--fold", "sum"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        program.stdout.readline()
        program.send_signal(signal.SIGINT)
        rest, errors = program.communicate(timeout=120)
        self.assertEqual(program.returncode, FINE, errors)
        self.assertNotIn(b"stopped before the end", rest)

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_an_interrupt_does_not_hide_a_difference(self):
        env = {**os.environ, "LD_PRELOAD": PLANTED, "PLANTED_FAULT": "bits"}
        program = subprocess.Popen([PROGRAM, "verify", "--backend", "reference", "--fold", "sum"], env=env,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        head = b""
        while b"DIFFERENT" not in head:
            line = program.stdout.readline()
            self.assertTrue(line, "a difference is found before the end")
            head += line
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=120)
        self.assertEqual(program.returncode, DIFFERENCE)

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_a_planted_difference_is_found(self):
        env = {"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "bits"}
        result = run("verify", "--quick", "--backend", "reference", "--fold", "sum", env=env)
        self.assertEqual(result.returncode, DIFFERENCE, result.stderr)
        self.assertIn(b"DIFFERENT", result.stdout)
        for word in (b"Check first", b"isofold info", b"report it"):
            self.assertIn(word, result.stdout)
        again = next(line for line in result.stdout.decode().splitlines() if line.startswith("Again: "))
        self.assertEqual(again, "Again: isofold verify --backend reference --fold sum --quick --seed 1")
        self.assertEqual(run(*again.split()[2:], env=env).returncode, DIFFERENCE)
        result = run("verify", "--quick", "--json", "--backend", "reference", "--fold", "sum", env=env)
        self.assertEqual(result.returncode, DIFFERENCE, result.stderr)
        out = json.loads(result.stdout)
        self.assertFalse(out["passed"])
        self.assertTrue(any(cell.get("first_failure") for cell in out["cells"]))

    def test_the_program_of_ones_mpi_is_another_one(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refuse(UNAVAILABLE, ["isofold_mpi_verify", "examples/mpi"], "verify", "--mpi",
                        env={**os.environ, "PATH": folder})
            stand_in = os.path.join(folder, "isofold_mpi_verify")
            with open(stand_in, "w") as script:
                script.write("#!/bin/sh\necho cases $1 seed $2\nexit 3\n")
            os.chmod(stand_in, 0o755)
            ended = run("verify", "--mpi", "--quick", "--seed", "7", env={**os.environ, "PATH": folder})
            self.assertEqual((ended.returncode, ended.stdout), (3, b"cases 10 seed 7\n"))

    def test_an_unavailable_backend_is_not_skipped_when_named(self):
        for backend in info()["backends"]:
            if not backend["available"]:
                self.refuse(UNAVAILABLE, [backend["name"]], "verify", "--quick", "--backend", backend["name"])


class Tree(ProgramTest):
    """verify --tree: the trees of sums, recovered from their results alone."""

    def tree(self, *arguments, code=FINE, env=None):
        result = run("verify", "--tree", "--quick", "--json", *arguments, env=env)
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)

    def test_backends_that_promise_tree_v1_have_it(self):
        for backend in {"reference", "openmp"} & set(available_backends()):
            out = self.tree("--backend", backend)
            self.assertTrue(out["passed"])
            self.assertEqual(out["differing"], 0)
            self.assertEqual({(cell["type"], cell["shape"]) for cell in out["cells"]},
                             {(t, s) for t in ("f32", "f64") for s in ("array", "rows")})
            for cell in out["cells"]:
                self.assertEqual((cell["backend"], cell["tree"]), (backend, "tree v1"))
                self.assertIn(300, cell["all_pairs_of"])
                self.assertLessEqual({1024, 1025}, set(cell["recovered_for"]))
                self.assertGreater(max(cell["sampled_for"]), 100000, "long enough for several threads")
                self.assertGreater(cell["pairs"], 300 * 299 // 2)

    def test_the_controls_are_told_apart(self):
        controls = self.tree("--backend", "reference")["controls"]
        self.assertEqual([control["name"] for control in controls], ["running sum", "pairwise sum"])
        for control in controls:
            self.assertTrue(control["told_apart"])
            self.assertGreater(control["differing"], control["pairs"] // 2)
            self.assertEqual(control["tree"], control["name"], "the probe recovers its own tree")

    @unittest.skipUnless("kokkos" in available_backends(), "needs the backend kokkos")
    def test_another_order_is_said_and_no_failure(self):
        text = self.succeed("verify", "--tree", "--quick", "--backend", "kokkos")
        self.assertIn("not the tree v1 (guarantee within_bound)", text)

    def test_table(self):
        text = self.succeed("verify", "--tree", "--quick", "--backend", "reference")
        for word in ("running sum", "told apart", "array", "rows", "0 different", "has it"):
            self.assertIn(word, text)

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_a_planted_difference_is_found(self):
        out = self.tree("--backend", "reference", code=DIFFERENCE,
                        env={"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "bits"})
        self.assertFalse(out["passed"])
        self.assertGreater(out["differing"], 0)
        self.assertIn("n = ", out["cells"][0]["first_difference"])

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_memory_that_only_a_device_reads(self):
        out = self.tree("--backend", "reference", env={"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "device"})
        self.assertTrue(out["passed"])

    def test_an_unavailable_backend_is_not_skipped_when_named(self):
        for backend in info()["backends"]:
            if not backend["available"]:
                self.refuse(UNAVAILABLE, [backend["name"]], "verify", "--tree", "--backend", backend["name"])


if __name__ == "__main__":
    unittest.main()
