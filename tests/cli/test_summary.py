"""isofold alone, reduce without a fold, numbers as people write them, and names that were misspelt."""

import json
import struct
import unittest

from support import BAD_INPUT, ProgramTest, header_text, npy, npy_of, run


class Summary(ProgramTest):
    def field(self):
        return self.file(npy_of("f32", "(2, 3, 4)", self.data()), "field.npy")

    def data(self):
        data = [0.5] * 24
        data[7], data[23] = -3.0, 4.0  # at (0, 1, 3) and (1, 2, 3)
        return struct.pack("<24f", *data)

    def test_text(self):
        path = self.field()
        self.assertEqual(self.succeed("reduce", path),
                         f"{path}: f32, shape (2, 3, 4)\ncount  24\nsum    12.0\nmean   0.5\n"
                         "min    -3.0 at (0, 1, 3)\nmax    4.0 at (1, 2, 3)\n")

    def test_json_has_the_bits_that_the_folds_have(self):
        path = self.field()
        out = json.loads(self.succeed("reduce", path, "--json"))
        self.assertEqual((out["count"], out["extents"]), (24, [2, 3, 4]))
        flat = self.file(npy_of("f32", "(24,)", self.data()))
        folds = json.loads(self.succeed("reduce", flat, "--fold", "sum,mean,argmin,argmax", "--json"))
        self.assertEqual([r.pop("position", None) for r in out["results"]], [None, None, [0, 1, 3], [1, 2, 3]])
        self.assertEqual(out["results"], folds["results"])

    def test_any_rank(self):
        for shape in ("()", "(1,)", "(1, 1)", "(" + "1, " * 12 + ")"):
            path = self.file(npy_of("f64", shape, struct.pack("<d", 7)))
            text = self.succeed("reduce", path)
            for line in ("count  1\n", "sum    7.0\n", "min    7.0 at (0,) " if shape == "(1,)" else "min    7.0 at ("):
                self.assertIn(line.rstrip(" "), text)

    def test_raw_data_in_blocks_and_pipes(self):
        data = struct.pack("<5000d", *range(5000))
        raw = self.file(data, "x.bin")
        wanted = "count  5000\nsum    12497500.0\nmean   2499.5\nmin    0.0 at (0,)\nmax    4999.0 at (4999,)\n"
        self.assertIn(wanted, self.succeed("reduce", raw, "--type", "f64", "--block-bytes", "8KiB"))
        self.assertIn(wanted, self.succeed("reduce", "-", "--type", "f64", "--block-bytes", "8KiB", stdin=data))

    def test_integers_and_complex_numbers_have_what_their_folds_have(self):
        path = self.file(npy_of("u8", "(2, 2)", bytes((3, 1, 9, 2))))
        self.assertIn("count  4\nsum    15\nmin    1 at (0, 1)\nmax    9 at (1, 0)\n", self.succeed("reduce", path))
        path = self.file(npy_of("c64", "(2,)", struct.pack("<4f", 1, 2, 3, -4)))
        self.assertIn("count  2\nsum    4.0-2.0j\n", self.succeed("reduce", path))

    def test_no_elements(self):
        path = self.file(npy_of("f32", "(3, 0)", b""))
        self.assertEqual(self.succeed("reduce", path), f"{path}: f32, shape (3, 0)\ncount  0\nsum    0.0\n")
        out = json.loads(self.succeed("reduce", path, "--json"))
        self.assertEqual([r["fold"] for r in out["results"]], ["sum"])
        self.assertIn("count  0\nsum    0.0\n", self.succeed("reduce", "-", "--type", "f32"))

    def test_what_asks_for_a_fold(self):
        path = self.field()
        for arguments in (("--rows",), ("--axis", 0), ("--segments", path), ("--range", "0,1"), ("--packed-index",), (path,)):
            self.refuse(BAD_INPUT, ["--fold", str(arguments[0])], "reduce", path, *arguments)
        self.refuse(BAD_INPUT, ["no file 'max'", f"isofold reduce {path} --fold max"], "reduce", path, "max")

    def test_without_nans(self):
        nan = float("nan")
        values = [nan, 1.5, nan, -2.0, 3.5, nan]
        wanted = "count  3\nnan    3\nsum    3.0\nmean   1.0\nmin    -2.0 at (1, 0)\nmax    3.5 at (1, 1)\n"
        for descr, letter in (("<f4", "<6f"), (">f4", ">6f")):
            path = self.file(npy(header_text(descr, "(2, 3)"), struct.pack(letter, *values)), "x.npy")
            self.assertEqual(self.succeed("reduce", path, "--skip-nan"), f"{path}: f32, shape (2, 3)\n{wanted}")
        for name, letter in (("f16", "e"), ("f64", "d")):
            path = self.file(npy_of(name, "(2, 3)", struct.pack(f"<6{letter}", *values)))
            out = json.loads(self.succeed("reduce", path, "--skip-nan", "--json"))
            self.assertEqual((out["count"], out["nan"], out["extents"]), (3, 3, [2, 3]))
            self.assertEqual([r.pop("position", None) for r in out["results"]], [None, None, [1, 0], [1, 1]])
            folds = json.loads(self.succeed("reduce", path, "--skip-nan", "--fold", "sum,mean,argmin,argmax", "--json"))
            self.assertEqual([{**r, "value": r["value"][0], "bits": r["bits"][0]} for r in folds["results"]],
                             out["results"])
        # By --fold an index is that of the summary's position.
        raw = struct.pack("<3d", 1, nan, 2)
        self.assertIn("count  2\nnan    1\nsum    3.0\nmean   1.5\nmin    1.0 at (0,)\nmax    2.0 at (2,)\n",
                      self.succeed("reduce", "-", "--type", "f64", "--skip-nan", stdin=raw))
        exact = self.succeed("reduce", "-", "--type", "f64", "--skip-nan", "--exact", stdin=raw)
        self.assertIn("count  2\nnan    1\nsum    3.0\n", exact)
        self.refuse(BAD_INPUT, ["--block-bytes", "--skip-nan"], "reduce", path, "--skip-nan", "--block-bytes", "1MiB")

    def test_of_a_part(self):
        nan = float("nan")
        path = self.file(npy_of("f64", "(2, 3)", struct.pack("<6d", nan, 1.5, 9, -2.0, nan, 3.5)))
        mask = self.file(npy(header_text("|b1", "(2, 3)"), bytes([1, 1, 0, 1, 1, 1])), "mask.npy")
        self.assertEqual(self.succeed("reduce", path, "--box", ":,1:", "--skip-nan"),
                         f"{path}: f64, shape (2, 2)\ncount  3\nnan    1\nsum    14.0\nmean   4.666666666666667\n"
                         "min    1.5 at (0, 0)\nmax    9.0 at (0, 1)\n")
        for option in ("--mask", "--where"):
            self.assertEqual(self.succeed("reduce", path, option, mask, "--skip-nan"),
                             f"{path}: f64, shape (2, 3)\ncount  3\nnan    2\nsum    3.0\nmean   1.0\n"
                             "min    -2.0 at (1, 0)\nmax    3.5 at (1, 2)\n")
        nothing = self.file(npy(header_text("|b1", "(3,)"), bytes(3)), "nothing.npy")
        self.assertIn("count  0\nsum    0.0\n", self.succeed("reduce", path, "--where", nothing))
        complex_path = self.file(npy_of("c64", "(2,)", struct.pack("<4f", 1, nan, 2, 3)), "z.npy")
        self.refuse(BAD_INPUT, ["complex", "--fold"], "reduce", complex_path, "--box", "1:", "--skip-nan")

    def test_without_nans_of_odd_arrays(self):
        nan = float("nan")
        path = self.file(npy_of("f32", "(2,)", struct.pack("<2f", nan, nan)))
        self.assertEqual(self.succeed("reduce", path, "--skip-nan"),
                         f"{path}: f32, shape (2,)\ncount  0\nnan    2\nsum    0.0\n")
        path = self.file(npy_of("c64", "(3,)", struct.pack("<6f", 1, nan, 2, -1, nan, 0)))
        self.assertIn("count  1\nnan    2\nsum    2.0-1.0j\n", self.succeed("reduce", path, "--skip-nan"))
        path = self.file(npy_of("i32", "(2,)", struct.pack("<2i", 7, -7)))
        self.assertIn("count  2\nnan    0\nsum    0\nmin    -7 at (1,)\n", self.succeed("reduce", path, "--skip-nan"))
        path = self.file(npy_of("f32", "()", struct.pack("<f", 2)))
        self.assertIn("shape ()\ncount  1\nnan    0\nsum    2.0\n", self.succeed("reduce", path, "--skip-nan"))
        path = self.file(npy_of("f32", "(0,)", b""))
        self.assertIn("count  0\nnan    0\nsum    0.0\n", self.succeed("reduce", path, "--skip-nan"))


class Words(ProgramTest):
    def test_alone_it_prints_its_help(self):
        self.assertEqual(self.succeed(), self.succeed("--help"))

    def test_did_you_mean(self):
        path = self.file(npy_of("f32", "(1,)", bytes(4)))
        for meant, arguments in (("reduce", ("redcue", path)), ("verify", ("verfiy",)), ("generate", ("generat",)),
                                 ("sum", ("reduce", path, "--fold", "suum")),
                                 ("minimum", ("reduce", path, "--fold", "minimun")),
                                 ("mean", ("reduce", path, "--fold", "sum,average")),
                                 ("f32", ("reduce", path, "--type", "float32")),
                                 ("f64", ("reduce", path, "--type", "f8")),
                                 ("f64", ("reduce", path, "--type", "<f8")),
                                 ("i32", ("reduce", path, "--type", "i4")),
                                 ("standard_deviation", ("reduce", path, "--fold", "std")),
                                 ("mean", ("reduce", path, "--fold", "avg")),
                                 ("argmax", ("reduce", path, "--fold", "max_element")),
                                 ("bf16", ("reduce", path, "--type", "BF16")),
                                 ("openmp", ("reduce", path, "--backend", "opemmp")),
                                 ("cuda", ("verify", "--backend", "gpu")),
                                 ("argmin", ("verify", "--fold", "argmn")),
                                 ("reference", ("fuzz", "--backend", "refernce")),
                                 ("normal", ("generate", "--count", 1, "--distribution", "nromal", "x.npy")),
                                 ("--fold", ("reduce", path, "--flod", "sum")),
                                 ("--fold", ("reduce", "--folds=sum", path)),
                                 ("--segments", ("reduce", path, "--ofsets", path)),
                                 ("--type", ("reduce", path, "--dtype", "f32")),
                                 ("--count", ("generate", "--cuont", 1, "x.npy")),
                                 ("--backend", ("verify", "--quick", "--backends", "openmp")),
                                 ("--quick", ("verify", "--quik")), ("--version", ("--vesion",)),
                                 ("f64", ("reduce", path, "--accumulator", "double"))):
            with self.subTest(arguments=arguments):
                self.refuse(BAD_INPUT, [f"did you mean {meant}?"], *arguments)
        for words, command in ((f"isofold reduce {path}", path), ("isofold --help", "help"),
                               ("isofold reduce FILE --fold max", "max")):
            self.refuse(BAD_INPUT, ["is no command", words], command)
        for arguments in (("reduce", path, "--abacus"), ("reduce", path, "--abacus", "--fold", "suum")):
            sentence = self.refuse(BAD_INPUT, ["no option of isofold reduce", "--fold", "--axis"], *arguments)
            self.assertNotIn("did you mean", sentence)
        for word in ("abacus", "median", "nanmedian", "nth_element", "mode", "sort", "cumsum"):  # nothing like them
            sentence = self.refuse(BAD_INPUT, ["no fold", "argmin"], "reduce", path, "--fold", word)
            self.assertNotIn("did you mean", sentence)

    def test_the_environment_variable_is_named(self):
        path = self.file(npy_of("f32", "(1,)", bytes(4)))
        env = {"ISOFOLD_BACKEND": "opnmp"}
        for arguments in (("reduce", path), ("reduce", path, "--fold", "sum"), ("bench", "--count", 1)):
            self.refuse(BAD_INPUT, ["ISOFOLD_BACKEND", "'opnmp'", "did you mean openmp?"], *arguments, env=env)
        self.succeed("reduce", path, "--backend", "reference", env=env)  # the option goes first
        out = self.succeed("reduce", path, "--json", env={"ISOFOLD_BACKEND": "reference"})
        self.assertEqual(json.loads(out)["backend"], "reference")
        self.succeed("reduce", path, env={"ISOFOLD_BACKEND": ""})

    def test_counts_as_people_write_them(self):
        for written, count in (("2^10", 1024), ("1e3", 1000), ("3e0", 3), ("10^2", 100), ("0", 0), ("1E3", 1000),
                               ("1_000", 1000), ("1_0e2", 1000)):
            path = self.folder / "x.npy"
            self.succeed("generate", "--count", written, path)
            self.assertIn(f"f64, shape ({count},)", self.succeed("reduce", path))
        for written in ("1.5e3", "2^63", "1e19", "e3", "2^", "1e", "2^-1", "1e3e3", "-1", "1e99999999999", "_1", "1_", "1__0",
                        "1k"):
            self.refuse(BAD_INPUT, ["count", written], "generate", "--count", written, self.folder / "y.npy")

    def test_generate_makes_f64_with_seed_0(self):
        self.succeed("generate", "--count", 9, self.folder / "x.npy")
        self.succeed("generate", "--count", 9, "--type", "f64", "--seed", 0, self.folder / "y.npy")
        self.assertEqual((self.folder / "x.npy").read_bytes(), (self.folder / "y.npy").read_bytes())
        self.assertEqual(run("generate", self.folder / "z.npy").returncode, BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
