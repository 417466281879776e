"""isofold verify: passes here, finds a planted difference, and says so in its exit code."""

import json
import unittest

from support import DIFFERENCE, PLANTED, UNAVAILABLE, ProgramTest, info, run


class Verify(ProgramTest):
    def test_quick_passes(self):
        out = json.loads(self.succeed("verify", "--quick", "--json", "--backend", "reference"))
        self.assertTrue(out["passed"])
        self.assertEqual(out["failures"], 0)
        self.assertGreater(out["comparisons"], 1000)
        self.assertEqual({cell["backend"] for cell in out["cells"]}, {"reference"})

    def test_table(self):
        text = self.succeed("verify", "--quick", "--backend", "reference")
        for word in ("reference", "golden", "comparisons", "0 different", "sha256:"):
            self.assertIn(word, text)

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_a_planted_difference_is_found(self):
        env = {"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "bits"}
        result = run("verify", "--quick", "--backend", "reference", env=env)
        self.assertEqual(result.returncode, DIFFERENCE, result.stderr)
        self.assertIn(b"DIFFERENT", result.stdout)
        result = run("verify", "--quick", "--json", "--backend", "reference", env=env)
        self.assertEqual(result.returncode, DIFFERENCE, result.stderr)
        out = json.loads(result.stdout)
        self.assertFalse(out["passed"])
        self.assertTrue(any(cell.get("first_failure") for cell in out["cells"]))

    def test_an_unavailable_backend_is_not_skipped_when_named(self):
        for backend in info()["backends"]:
            if not backend["available"]:
                self.refuse(UNAVAILABLE, [backend["name"]], "verify", "--quick", "--backend", backend["name"])


if __name__ == "__main__":
    unittest.main()
