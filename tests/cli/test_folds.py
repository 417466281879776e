"""isofold reduce with several folds, with two arrays, and with a range."""

import json
import os
import re
import struct
import subprocess
import unittest

from support import (BAD_INPUT, DEVICE_BACKENDS, HERE, PAIRS, PLANTED, PROGRAM, UNAVAILABLE, ProgramTest,
                     available_backends, data_of, golden, npy_of, npz, run)

TYPES = ("f32", "f64", "i32", "i64", "u32", "u64")


def host_backends():
    return [name for name in available_backends(same_bits_only=True) if name not in DEVICE_BACKENDS]


def folds_of_one_array(type_name):
    names = dict.fromkeys(fold for fold, t, *_ in golden() if t == type_name)
    return [name for name in names if name not in PAIRS + ("count_in_range",)]


def bits_text(bits):
    """The bits of a result as the golden file writes them."""
    return ",".join(bits.values()) if isinstance(bits, dict) else bits


class FoldTest(ProgramTest):
    def reduce(self, *arguments, **settings):
        return json.loads(self.succeed("reduce", *arguments, "--json", **settings))

    def array(self, type_name, count, recipe="uniform", seed=0, name="x.npy"):
        return self.file(npy_of(type_name, f"({count},)", data_of(type_name, count, recipe, seed)), name)

    def planted(self):
        """Settings under which every backend reads device memory only, and where its largest buffer is noted."""
        log = self.folder / "largest"
        log.write_text("0")
        return {"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "device", "PLANTED_LOG": str(log)}, log


class SeveralFolds(FoldTest):
    def check(self, out, folds, type_name, count):
        self.assertEqual(list(out), ["definition", "type", "count", "backend", "results"])
        self.assertEqual((out["type"], out["count"]), (type_name, count))
        self.assertEqual([result["fold"] for result in out["results"]], folds)
        for result in out["results"]:
            self.assertEqual(list(result), ["fold", "result_type", "value", "bits"])
            self.assertEqual(bits_text(result["bits"]),
                             golden()[result["fold"], type_name, "uniform", 0, count][1], result["fold"])

    def test_all_folds_at_once_have_the_golden_bits_whatever_the_way_in(self):
        for type_name in TYPES:
            folds = folds_of_one_array(type_name)
            self.assertGreater(len(folds), 15)
            for count in (1, 1024, 65537):
                data = data_of(type_name, count)
                path = self.array(type_name, count)
                for backend in host_backends():
                    for block in ("1", "16KiB", "64MiB"):
                        common = ("--fold", ",".join(folds), "--backend", backend, "--block-bytes", block)
                        with self.subTest(type=type_name, n=count, backend=backend, block=block):
                            self.check(self.reduce(path, *common), folds, type_name, count)
                            self.check(self.reduce("-", *common, stdin=path.read_bytes()), folds, type_name, count)
                            self.check(self.reduce("-", "--type", type_name, *common, stdin=data), folds,
                                       type_name, count)

    def test_devices(self):
        path = self.array("f64", 5000)
        for backend in set(available_backends()) & set(DEVICE_BACKENDS):
            with self.subTest(backend=backend):
                folds = folds_of_one_array("f64")
                self.check(self.reduce(path, "--fold", ",".join(folds), "--backend", backend,
                                       "--block-bytes", "16KiB"), folds, "f64", 5000)

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_one_buffer_on_a_device_serves_all_folds(self):
        env, log = self.planted()
        folds = folds_of_one_array("f32")
        path = self.array("f32", 65537)
        self.check(self.reduce(path, "--fold", ",".join(folds), "--backend", "reference", "--block-bytes", "16KiB",
                               env=env), folds, "f32", 65537)
        self.assertEqual(int(log.read_text()), 16384)

    def test_text_has_a_line_for_each_fold_by_its_own_name(self):
        path = self.file(npy_of("f32", "(3,)", struct.pack("<3f", 2, -1, 5)))
        lines = "sum 6.0\nminimum -1.0\nmaximum 5.0\nmean 2.0\nargmax 5.0 2\n"
        for lists in (("sum,min,max,mean,argmax",), ("sum,minimum", "maximum", "mean,argmax")):
            flags = [word for each in lists for word in ("--fold", each)]
            self.assertEqual(self.succeed("reduce", path, *flags), lines)
            self.assertEqual(self.succeed("reduce", *flags, path), lines)

    def test_one_fold_by_another_name(self):
        path = self.array("f32", 100)
        for short, name in (("min", "minimum"), ("max", "maximum")):
            self.assertEqual(self.succeed("reduce", path, "--fold", short, "--json"),
                             self.succeed("reduce", path, "--fold", name, "--json"))

    def test_rows(self):
        path = self.file(npy_of("i32", "(2, 3)", struct.pack("<6i", 1, 2, 3, -4, 5, 6)))
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum,argmin", "--rows"),
                         "sum 6\nsum 7\nargmin 1 0\nargmin -4 0\n")
        out = self.reduce(path, "--fold", "sum,max", "--rows")
        self.assertEqual(list(out), ["definition", "type", "count", "rows", "length", "backend", "results"])
        self.assertEqual([result["value"] for result in out["results"]], [[6, 7], [3, 6]])
        self.assertEqual(out["results"][1]["bits"], ["0x00000003", "0x00000006"])

    def test_long_and_many_rows_have_the_bits_of_each_fold_alone(self):
        folds = folds_of_one_array("f64")
        for rows, length in ((3, 5000), (300, 40), (0, 5)):
            path = self.file(npy_of("f64", f"({rows}, {length})", data_of("f64", rows * length)))
            alone = [self.reduce(path, "--rows", "--fold", fold)["bits"] for fold in folds]
            settings = [("64MiB", {}), ("8192", {})]
            settings += [("8192", {"env": self.planted()[0]})] if PLANTED else []
            for block, more in settings:
                for name in (path, "-"):
                    with self.subTest(rows=rows, length=length, block=block, planted=bool(more), input=name):
                        out = self.reduce(name, "--rows", "--fold", ",".join(folds), "--block-bytes", block,
                                          "--backend", "reference",
                                          stdin=path.read_bytes() if name == "-" else b"", **more)
                        self.assertEqual([result["bits"] for result in out["results"]], alone)

    def test_blanks_in_a_list(self):
        path = self.array("f32", 10)
        self.assertEqual(self.succeed("reduce", path, "--fold", " sum, mean"),
                         self.succeed("reduce", path, "--fold", "sum,mean"))

    def test_what_is_no_list_of_folds(self):
        path = self.array("f32", 10)
        for words, lists in ((["''", "no fold"], ("sum,,mean",)), (["''"], (",",)), (["''"], ("sum,",)),
                             (["--fold"], ("",)),
                             (["'median'", "no fold", "softmax_statistics"], ("sum,median",)),
                             (["'su m'"], ("su m",)), (["sum", "twice"], ("sum,mean,sum",)),
                             (["sum", "twice"], ("sum", "sum")), (["minimum", "twice"], ("min,minimum",))):
            with self.subTest(lists=lists):
                self.refuse(BAD_INPUT, words, "reduce", path, *[f"--fold={each}" for each in lists])

    def test_a_case_that_one_of_the_folds_lacks(self):
        self.refuse(UNAVAILABLE, ["norm2", "i32"], "reduce", self.array("i32", 10), "--fold", "sum,norm2")
        if "kokkos" in available_backends():
            path = self.array("f64", 10)
            self.refuse(UNAVAILABLE, ["kokkos", "mean"], "reduce", path, "--fold", "sum,mean", "--backend", "kokkos")
            result = run("reduce", path, "--fold", "sum,max", "--backend", "kokkos", "--json")
            self.assertEqual(json.loads(result.stdout)["guarantee"], "within_bound")
            self.assertIn(b"within the error bound", result.stderr)

    def test_no_elements(self):
        path = self.array("f64", 0)
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum,count_nan"), "sum 0.0\ncount_nan 0\n")
        self.refuse(BAD_INPUT, ["minimum"], "reduce", path, "--fold", "sum,min")


class TwoArrays(FoldTest):
    def pair(self, type_name, count, recipe="uniform"):
        return (self.array(type_name, count, recipe, 0, "x.npy"), self.array(type_name, count, recipe, 1, "y.npy"))

    def bits(self, *arguments, **settings):
        return [bits_text(result["bits"]) for result in self.reduce(*arguments, **settings)["results"]]

    def golden(self, type_name, count, recipe="uniform"):
        return [golden()[fold, type_name, recipe, 0, count][1] for fold in PAIRS]

    def test_golden_bits(self):
        for type_name in ("f32", "f64"):
            for recipe, count in [("uniform", n) for n in (0, 1, 65, 1024, 1025, 5000, 65537)] + \
                                 [(r, n) for f, t, r, s, n in golden() if f == "dot" and t == type_name
                                  and s == 0 and r in ("one_nan", "wide", "overflow", "subnormals")]:
                x, y = self.pair(type_name, count, recipe)
                for backend in available_backends(same_bits_only=True):
                    if backend in DEVICE_BACKENDS and (recipe, count) != ("uniform", 5000):
                        continue
                    with self.subTest(type=type_name, recipe=recipe, n=count, backend=backend):
                        self.assertEqual(self.bits(x, y, "--fold", ",".join(PAIRS), "--backend", backend),
                                         self.golden(type_name, count, recipe))

    def test_one_fold_has_the_object_of_one_fold(self):
        out = self.reduce(*self.pair("f32", 1025), "--fold", "dot", "--backend", "reference")
        bits = golden()["dot", "f32", "uniform", 0, 1025][1]
        value = struct.unpack(">f", bytes.fromhex(bits[2:]))[0]
        self.assertEqual(struct.pack("<f", out["value"]), struct.pack("<f", value))
        del out["value"]
        self.assertEqual(out, {"definition": "tree_v1", "fold": "dot", "type": "f32", "result_type": "f32",
                               "count": 1025, "backend": "reference", "bits": bits})

    def test_every_way_in_has_the_same_bits(self):
        for type_name in ("f32", "f64"):
            for count in (0, 1024, 4096, 10000):
                x, y = self.pair(type_name, count)
                raw = [self.file(data_of(type_name, count, seed=seed), f"{seed}.bin") for seed in (0, 1)]
                expected = self.golden(type_name, count)
                for block in ("1", "32KiB", "64MiB"):
                    common = ("--fold", ",".join(PAIRS), "--block-bytes", block)
                    typed = (*common, "--type", type_name)
                    with self.subTest(type=type_name, n=count, block=block):
                        self.assertEqual(self.bits(x, y, *common), expected)
                        self.assertEqual(self.bits("-", y, *common, stdin=x.read_bytes()), expected)
                        self.assertEqual(self.bits(x, "-", *common, stdin=y.read_bytes()), expected)
                        self.assertEqual(self.bits(*raw, *typed), expected)
                        self.assertEqual(self.bits("-", raw[1], *typed, stdin=raw[0].read_bytes()), expected)
                        self.assertEqual(self.bits(x, "-", *typed, stdin=raw[1].read_bytes()), expected)

    def test_one_file_as_both_arrays(self):
        x = self.file(npy_of("f64", "(2,)", struct.pack("<2d", 3, 4)))
        self.assertEqual(self.succeed("reduce", x, x, "--fold", "dot,squared_distance"),
                         "dot 25.0\nsquared_distance 0.0\n")

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_both_arrays_share_the_bytes_of_a_block_on_a_device(self):
        env, log = self.planted()
        x, y = self.pair("f32", 65537)
        for block in (8192, 40_000):
            log.write_text("0")
            self.assertEqual(self.bits(x, y, "--fold", ",".join(PAIRS), "--backend", "reference",
                                       "--block-bytes", block, env=env), self.golden("f32", 65537))
            self.assertTrue(0 < 2 * int(log.read_text()) <= block, log.read_text())

    def test_rows(self):
        for rows, length in ((3, 5000), (300, 40), (4, 0), (0, 5)):
            data = [data_of("f64", rows * length, seed=seed) for seed in (0, 1)]
            files = [npy_of("f64", f"({rows}, {length})", each) for each in data]
            x, y = self.file(files[0], "x.npy"), self.file(files[1], "y.npy")
            alone = [[] for _ in PAIRS]
            for row in {0, 1, rows - 1} & set(range(rows)):
                cut = [self.file(each[8 * length * row:8 * length * (row + 1)], f"{i}.bin")
                       for i, each in enumerate(data)]
                out = self.reduce(*cut, "--type", "f64", "--fold", ",".join(PAIRS))["results"]
                for fold, result in zip(alone, out):
                    fold.append((row, result["bits"]))
            settings = [{}, {"env": self.planted()[0]}] if PLANTED else [{}]
            for more in settings:
                for block in ("1", "64MiB"):
                    with self.subTest(rows=rows, length=length, block=block, planted=bool(more)):
                        out = self.reduce(x, "-", "--rows", "--fold", ",".join(PAIRS), "--block-bytes", block,
                                          "--backend", "reference", stdin=files[1], **more)
                        self.assertEqual((out["rows"], out["length"]), (rows, length))
                        for fold, result in zip(alone, out["results"]):
                            self.assertEqual(len(result["bits"]), rows)
                            self.assertEqual([(row, result["bits"][row]) for row, _ in fold], fold)
            self.assertEqual(self.reduce(x, y, "--rows", "--fold", "dot")["bits"],
                             self.reduce(x, y, "--rows", "--fold", "dot", "--block-bytes", "1")["bits"])

    def test_within_the_bound_on_kokkos(self):
        if "kokkos" not in available_backends():
            self.skipTest("the backend kokkos is not available")
        x, y = self.pair("f64", 10000, "small")
        exact = self.reduce(x, y, "--fold", "dot")["bits"]
        for first, second, stdin in ((x, y, b""), ("-", y, x.read_bytes()), (x, "-", y.read_bytes())):
            result = run("reduce", first, second, "--fold", "dot", "--backend", "kokkos", "--json", stdin=stdin)
            out = json.loads(result.stdout)
            self.assertEqual((out["guarantee"], out["bits"]), ("within_bound", exact))

    def test_arrays_that_do_not_go_together(self):
        x = self.array("f32", 3000, name="x.npy")
        for words, other, more in ((["x.npy", "f32", "other.npy", "f64"], npy_of("f64", "(3000,)", bytes(24000)), ()),
                                   (["3000", "3001", "same shape"], npy_of("f32", "(3001,)", bytes(12004)), ()),
                                   (["truncated"], npy_of("f32", "(3000,)", bytes(11996)), ()),
                                   (["goes on"], npy_of("f32", "(3000,)", bytes(12004)), ()),
                                   (["(30, 100)", "same shape"], npy_of("f32", "(30, 100)", bytes(12000)), ()),
                                   (["--type"], bytes(12000), ()),
                                   (["3000", "3001"], bytes(12004), ("--type", "f32")),
                                   (["whole element"], bytes(12001), ("--type", "f32"))):
            path = self.file(other, "other.npy")
            with self.subTest(words=words):
                self.refuse(BAD_INPUT, words, "reduce", x, path, "--fold", "dot", *more)
        rows = [self.file(npy_of("f32", shape, bytes(24)), f"{i}.npy") for i, shape in enumerate(("(2, 3)", "(3, 2)"))]
        self.refuse(BAD_INPUT, ["2 rows of 3", "3 rows of 2"], "reduce", *rows, "--rows", "--fold", "dot")

    def test_a_pipe_that_ends_before_the_other_array_or_after_it(self):
        for count in (2048, 3000):
            x = self.array("f32", count, name="x.npy")
            for elements, words in ((count - 1, ["'standard input' ends before", "x.npy"]), (0, ["ends before"]),
                                    (count + 1, ["x.npy' ends before 'standard input'"]),
                                    (4 * count, ["ends before"])):
                for block in ("1", "16KiB", "64MiB"):
                    with self.subTest(n=count, other=elements, block=block):
                        self.refuse(BAD_INPUT, words, "reduce", x, "-", "--fold", "dot", "--type", "f32",
                                    "--block-bytes", block, stdin=bytes(4 * elements))
                        self.refuse(BAD_INPUT, ["ends before"], "reduce", "-", x, "--fold", "dot", "--type", "f32",
                                    "--block-bytes", block, stdin=bytes(4 * elements))
            if "kokkos" in available_backends():
                self.refuse(BAD_INPUT, ["ends before"], "reduce", x, "-", "--fold", "dot", "--type", "f32",
                            "--backend", "kokkos", "--guarantee", "within_bound", stdin=bytes(4 * count + 4))

    def test_as_many_files_as_the_folds_take(self):
        x, y = self.pair("f32", 10)
        self.refuse(BAD_INPUT, ["sum", "one array", "y.npy", "dot"], "reduce", x, y, "--fold", "sum")
        self.refuse(BAD_INPUT, ["sum", "norm2", "one array"], "reduce", x, y, "--fold", "sum,norm2")
        self.refuse(BAD_INPUT, ["dot", "two arrays", "second file"], "reduce", x, "--fold", "dot")
        self.refuse(BAD_INPUT, ["dot", "two arrays"], "reduce", x, "--fold", "sum,dot")
        self.refuse(BAD_INPUT, ["Standard input", "not both"], "reduce", "-", "-", "--fold", "dot")
        self.refuse(BAD_INPUT, [], "reduce", x, y, x, "--fold", "dot")
        self.refuse(BAD_INPUT, ["No such file", "missing"], "reduce", x, self.folder / "missing", "--fold", "dot")

    def test_folds_of_one_array_beside_those_of_two_take_the_first(self):
        x, y = self.pair("f64", 5000)
        rows = [self.file(npy_of("f64", "(50, 100)", path.read_bytes()[-40000:]), f"rows_{path.name}")
                for path in (x, y)]
        folds = ("norm2", "dot", "sum", "squared_distance")
        for files, more in (((x, y), []), ((x, y), ["--block-bytes", "1"]), (rows, ["--rows"]), (rows, ["--axis", "0"]),
                            (rows, ["--box", "1:-1,::2"])):
            for backend in host_backends():
                with self.subTest(more=more, backend=backend):
                    common = (*more, "--backend", backend, "--json")
                    together = json.loads(self.succeed("reduce", *files, "--fold", ",".join(folds), *common))
                    for fold, result in zip(folds, together["results"]):
                        arrays = files if fold in ("dot", "squared_distance") else files[:1]
                        alone = json.loads(self.succeed("reduce", *arrays, "--fold", fold, *common))
                        self.assertEqual(alone["bits"], result["bits"])


class Ranges(FoldTest):
    ENDS = {"f32": "-0.25,0.5", "f64": "-0.25,0.5", "i32": f"{-2**30},{2**29}", "i64": f"{-2**62},{2**61}",
            "u32": f"{2**29},{2**31}", "u64": f"{2**61},{2**63}"}  # docs/test_data.md

    def count(self, *arguments, **settings):
        return int(self.succeed("reduce", *arguments, "--fold", "count_in_range", **settings))

    def test_golden_counts(self):
        for type_name, ends in self.ENDS.items():
            for count in (0, 1, 1024, 5000, 65537):
                path = self.array(type_name, count)
                expected = golden()["count_in_range", type_name, "uniform", 0, count][1]
                for backend in host_backends():
                    for block in ("1", "64MiB"):
                        common = ("--fold", "count_in_range", "--range", ends, "--backend", backend,
                                  "--block-bytes", block)
                        with self.subTest(type=type_name, n=count, backend=backend, block=block):
                            self.assertEqual(self.reduce(path, *common)["bits"], expected)
                            self.assertEqual(self.reduce("-", *common, stdin=path.read_bytes())["bits"], expected)

    def test_beside_other_folds_and_on_every_backend(self):
        path = self.array("f32", 5000)
        expected = int(golden()["count_in_range", "f32", "uniform", 0, 5000][1], 16)
        for backend in available_backends():
            out = json.loads(run("reduce", path, "--fold", "max,count_in_range", "--range=-0.25,0.5", "--json",
                                 "--backend", backend).stdout)
            self.assertEqual([result["fold"] for result in out["results"]], ["maximum", "count_in_range"])
            self.assertEqual(out["results"][1]["value"], expected, backend)

    def test_rows(self):
        path = self.file(npy_of("i32", "(2, 3)", struct.pack("<6i", 1, 2, 3, -4, 5, 6)))
        for ends in ("2,5", "2, 5", " 2 ,5 "):
            self.assertEqual(self.succeed("reduce", path, "--rows", "--fold", "count_in_range", "--range", ends), "2\n1\n")

    def test_the_ends_are_exact(self):
        big = self.file(npy_of("i64", "(3,)", struct.pack("<3q", 2 ** 53, 2 ** 53 + 1, 2 ** 63 - 1)))
        self.assertEqual(self.count(big, "--range", f"{2**53 + 1},{2**63 - 1}"), 2)
        self.assertEqual(self.count(big, "--range", f"{-2**63},{2**53}"), 1)
        tenth = self.file(npy_of("f32", "(2,)", struct.pack("<2f", 0.1, 1e-45)))
        self.assertEqual(self.count(tenth, "--range", "0.1,0.1"), 1)
        self.assertEqual(self.count(tenth, "--range", "1e-45,1e-45"), 1)
        huge = self.file(npy_of("f64", "(5,)", struct.pack("<5d", 1e308, *map(float, ("inf", "-inf", "nan", "-0")))))
        for ends, count in (("-inf,inf", 4), ("0,inf", 3), ("0,1.7976931348623157e308", 2), ("inf,inf", 1),
                            ("-0,0", 1)):
            self.assertEqual(self.count(huge, "--range", ends), count, ends)

    def test_what_is_no_range(self):
        cases = {"i32": ("1.5,2", "0,2147483648", "-2147483649,0", "-inf,0", "0,nan", "1e3,2000", "a,b", "1 1,2",
                         "0x1,2", "+1,2", "1,2,3", "1,", ",1", ","),
                 "u32": ("-1,2", "0,4294967296"), "u64": ("0,18446744073709551616",), "i64": ("9223372036854775808,0",),
                 "f32": ("1e39,inf", "0,-1e39", "zero,1", "1..2,3", "0;1,2"), "f64": ("1e309,inf",)}
        for type_name, texts in cases.items():
            path = self.array(type_name, 10)
            for text in texts:
                with self.subTest(type=type_name, range=text):
                    self.refuse(BAD_INPUT, ["--range", type_name, "write"], "reduce", path, "--fold", "count_in_range",
                                f"--range={text}")
        path = self.array("f32", 10)
        for text, words in (("nan,1", ["NaN", "count_nan"]), ("0,NAN", ["NaN"]), ("5", ["comma", "'5'"]),
                            ("1,0", ["1.0", "above", "0.0"]), ("inf,-inf", ["above"])):
            self.refuse(BAD_INPUT, ["--range", *words], "reduce", path, "--fold", "count_in_range", f"--range={text}")
        self.refuse(BAD_INPUT, ["count_in_range", "--range LOW,HIGH"], "reduce", path, "--fold", "sum,count_in_range")
        self.refuse(BAD_INPUT, ["--range", "count_in_range"], "reduce", path, "--fold", "sum", "--range", "0,1")


class Examples(FoldTest):
    def test_the_commands_of_the_help_and_of_the_readme_run(self):
        for name in ("x.npy", "y.npy", "data.npy"):
            self.array("f32", 5000, name=name)
        self.file(npy_of("f32", "(20, 25, 10)", data_of("f32", 5000)), "field.npy")
        self.file(npy_of("u8", "(18, 23, 10)", bytes(2070 * [0, 1])), "mask.npy")
        self.file(npy_of("i64", "(3,)", struct.pack("<3q", 0, 700, 5000)), "offsets.npy")
        self.file(data_of("f32", 100 * 200), "raw.bin")
        self.file(npz({"rho.npy": npy_of("f32", "(5000,)", data_of("f32", 5000))}), "run.npz")
        text = self.succeed("reduce", "--help") + (HERE.parent.parent / "README.md").read_text()
        commands = re.findall(r"^.*\bisofold (reduce \w[^#\n]*)", text, re.M)
        self.assertGreaterEqual(len(commands), 10)
        for command in commands:
            with self.subTest(command=command):
                self.succeed(*command.split(), cwd=self.folder)


class TwoPipes(FoldTest):
    def test_they_are_read_as_they_come(self):
        """Blocks of two pipes that are written in turn: whoever read one to its end first would wait for ever."""
        count, step = 200_000, 8192
        data = [data_of("f32", count, seed=seed) for seed in (0, 1)]
        expected = self.reduce(*[self.file(d, f"{i}.bin") for i, d in enumerate(data)], "--type", "f32",
                               "--fold", "dot")["bits"]
        ends = [os.pipe(), os.pipe()]
        child = subprocess.Popen([PROGRAM, "reduce", f"/dev/fd/{ends[0][0]}", f"/dev/fd/{ends[1][0]}", "--type", "f32",
                                  "--fold", "dot", "--json", "--block-bytes", "16384"],
                                 pass_fds=[reader for reader, _ in ends], stdout=subprocess.PIPE)
        for reader, _ in ends:
            os.close(reader)
        for begin in range(0, 4 * count, step):
            for (_, writer), content in zip(ends, data):
                os.write(writer, content[begin:begin + step])
        for _, writer in ends:
            os.close(writer)
        out, _ = child.communicate(timeout=60)
        self.assertEqual(json.loads(out)["bits"], expected)


if __name__ == "__main__":
    unittest.main()
