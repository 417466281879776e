"""isofold info: every backend is listed, and what is not available says why."""

import json
import unittest

from support import ProgramTest


class Info(ProgramTest):
    def test_json(self):
        out = json.loads(self.succeed("info", "--json"))
        self.assertEqual(out["definition"], "tree_v1")
        self.assertRegex(out["version"], r"^\d+\.\d+\.\d+$")
        backends = {b["name"]: b for b in out["backends"]}
        self.assertEqual(set(backends), {"reference", "openmp", "cuda", "hip", "kokkos"})
        self.assertTrue(backends["reference"]["available"])
        for backend in backends.values():
            if backend["available"]:
                self.assertTrue(backend["description"])
                self.assertTrue(backend["devices"])
                self.assertEqual(backend["guarantee"],
                                 "within_bound" if backend["name"] == "kokkos" else "same_bits")
            else:
                self.assertTrue(backend["reason"])

    def test_text_names_every_backend(self):
        text = self.succeed("info")
        for word in ("isofold ", "tree_v1", "reference", "openmp", "cuda", "hip", "kokkos"):
            self.assertIn(word, text)

    def test_one_thread_is_no_plural(self):
        self.assertRegex(self.succeed("info", env={"OMP_NUM_THREADS": "1"}), r", 1 thread\n")

    def test_a_folder_without_modules_is_no_failure(self):
        self.succeed("info", env={"ISOFOLD_BACKEND_PATH": str(self.folder)})


if __name__ == "__main__":
    unittest.main()
