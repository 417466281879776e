"""isofold reduce: the bits, whatever the way in; the formats of the results."""

import json
import os
import pty
import struct
import subprocess
import time
import unittest

from support import (BAD_INPUT, DESCR, DEVICE_BACKENDS, FAILED, PAIRS, PLANTED, PROGRAM, UNAVAILABLE, ProgramTest,
                     available_backends, data_of, golden, header_text, npy, npy_of, run, unpack)

ON_DEVICES = ("sum", "product", "minimum", "maximum")


class Bits(ProgramTest):
    def bits(self, *arguments, **settings):
        return json.loads(self.succeed("reduce", *arguments, "--json", **settings))["bits"]

    def test_golden_results_of_every_fold_type_and_backend(self):
        for (fold, type_name, recipe, seed, count), (result_type, bits) in golden().items():
            if seed != 0 or count not in (1, 1025, 4096) or recipe not in ("uniform", "one_nan", "small"):
                continue
            if fold in PAIRS or fold == "count_in_range":
                continue  # one file is not enough for them
            if fold not in ON_DEVICES and (recipe, count) != ("uniform", 1025):
                continue  # their bits are the conformance suite's affair, their output is this one's
            path = self.file(npy_of(type_name, f"({count},)", data_of(type_name, count, recipe)))
            for backend in available_backends(same_bits_only=True):
                if backend in DEVICE_BACKENDS and ((recipe, count) != ("uniform", 4096)
                                                   or fold not in ON_DEVICES):
                    continue
                with self.subTest(fold=fold, type=type_name, recipe=recipe, n=count, backend=backend):
                    out = json.loads(self.succeed("reduce", path, "--fold", fold, "--json",
                                                  "--backend", backend))
                    self.assertEqual(list(out), ["definition", "fold", "type", "result_type", "count",
                                                 "backend", "value", "bits"])
                    if isinstance(out["bits"], dict):  # a result of several components
                        self.assertEqual(list(out["bits"]), list(out["value"]))
                        self.assertEqual(list(out["bits"]), list(out["result_type"]))
                        self.assertEqual(",".join(out["bits"].values()), bits)
                    else:
                        self.assertEqual((out["bits"], out["result_type"]), (bits, result_type))
                    self.assertEqual((out["backend"], out["count"]), (backend, count))

    def test_narrow_types(self):
        for type_name in ("f16", "i8", "u8", "i16", "u16"):
            path = self.folder / "narrow.npy"
            self.succeed("generate", "--type", type_name, "--count", 3073, "--seed", 0, path)
            content = path.read_bytes()
            size = int(DESCR[type_name][-1])
            raw = self.file(content[-3073 * size:], "narrow.bin")
            spelled = self.file(npy(header_text("<" + DESCR[type_name][1:], "(3073,)"), raw.read_bytes()))
            for fold in ("sum", "maximum", "argmin"):
                result_type, bits = golden()[fold, type_name, "uniform", 0, 3073]
                for arguments in ((path,), (raw, "--type", type_name), (raw, "--type", type_name, "--block-bytes", 1),
                                  (spelled,)):
                    with self.subTest(type=type_name, fold=fold, arguments=arguments):
                        out = json.loads(self.succeed("reduce", *arguments, "--fold", fold, "--json"))
                        found = out["bits"]
                        self.assertEqual(",".join(found.values()) if isinstance(found, dict) else found, bits)

    def test_ranges_of_narrow_types(self):
        halves = self.file(struct.pack("<4e", -1, 0.0999755859375, 0.25, 3), "h.bin")  # 0.1 as f16 is the second
        self.assertIn("2", self.succeed("reduce", halves, "--type", "f16", "--fold", "count_in_range",
                                        "--range", "0.1,0.25"))
        small = self.file(struct.pack("<5b", -128, -1, 0, 5, 127), "s.bin")
        self.assertIn("3", self.succeed("reduce", small, "--type", "i8", "--fold", "count_in_range",
                                        "--range", "-1,126"))
        self.refuse(BAD_INPUT, ["-128", "127"], "reduce", small, "--type", "i8", "--fold", "count_in_range",
                    "--range", "0,128")

    def test_bf16_is_raw_only(self):
        raw = self.file(struct.pack("<3H", 0x3F80, 0xC000, 0x4040), "x.bin")  # 1, -2, 3
        self.assertIn("2.0", self.succeed("reduce", raw, "--type", "bf16", "--fold", "sum"))
        self.refuse(BAD_INPUT, ["bf16", "raw"], "generate", "--type", "bf16", "--count", 3, "--seed", 0,
                    self.folder / "y.npy")

    def test_every_way_in_has_the_same_bits(self):
        for type_name in ("f32", "f64", "u32"):
            for count in (0, 1, 1023, 1024, 1025, 8191, 8192, 8193, 20000, 65536, 70001):
                data = data_of(type_name, count)
                path = self.file(npy_of(type_name, f"({count},)", data))
                raw = self.file(data, "x.bin")
                expected = self.bits(path, "--fold", "sum", "--backend", "reference",
                                     "--block-bytes", "1GiB")
                if ("sum", type_name, "uniform", 0, count) in golden():
                    self.assertEqual(expected, golden()["sum", type_name, "uniform", 0, count][1])
                for backend in available_backends(same_bits_only=True):
                    if backend in DEVICE_BACKENDS and count not in (0, 1025, 70001):
                        continue  # starting a device takes longer than everything else here
                    for block in ("1", "20000", "32KiB", "1MiB"):
                        common = ("--fold", "sum", "--backend", backend, "--block-bytes", block)
                        with self.subTest(type=type_name, n=count, backend=backend, block=block):
                            self.assertEqual(self.bits(path, *common), expected)
                            self.assertEqual(self.bits(raw, "--type", type_name, *common), expected)
                            self.assertEqual(self.bits("-", *common, stdin=path.read_bytes()), expected)
                            self.assertEqual(
                                self.bits("-", "--type", type_name, *common, stdin=data), expected)

    def test_blocks_of_one_mebibyte_on_every_backend(self):
        count = 400_003
        for type_name in ("f32", "f64"):
            data = data_of(type_name, count)
            path = self.file(npy_of(type_name, f"({count},)", data))
            expected = self.bits(path, "--fold", "sum", "--backend", "reference", "--block-bytes", "1GiB")
            for backend in available_backends(same_bits_only=True):
                common = ("--fold", "sum", "--backend", backend, "--block-bytes", "1MiB")
                with self.subTest(type=type_name, backend=backend):
                    self.assertEqual(self.bits(path, *common), expected)
                    self.assertEqual(self.bits("-", *common, stdin=path.read_bytes()), expected)
                    self.assertEqual(self.bits("-", "--type", type_name, *common, stdin=data), expected)

    def test_a_redirected_file_is_read_from_its_position(self):
        data = data_of("f64", 3000)
        path = self.file(npy_of("f64", "(3000,)", data))
        with open(path, "rb") as file:
            whole = subprocess.run([PROGRAM, "reduce", "-", "--fold", "sum"], stdin=file,
                                   capture_output=True)
        with open(path, "rb", buffering=0) as file:
            file.seek(path.stat().st_size - len(data))
            rest = subprocess.run([PROGRAM, "reduce", "-", "--fold", "sum", "--type", "f64"],
                                  stdin=file, capture_output=True)
        self.assertEqual((whole.returncode, rest.returncode), (0, 0))
        self.assertEqual(whole.stdout, rest.stdout)

    def test_misaligned_elements_in_a_file(self):
        data = data_of("f64", 5000)
        text = header_text("<f8", "(5000,)")
        expected = golden().get(("sum", "f64", "uniform", 0, 5000))
        seen = {self.bits(self.file(npy(text + " " * pad, data)), "--fold", "sum") for pad in range(9)}
        self.assertEqual(len(seen), 1)
        if expected:
            self.assertEqual(seen, {expected[1]})

    def test_versions_two_and_three_and_header_spellings(self):
        data = data_of("f32", 100)
        expected = self.bits(self.file(npy_of("f32", "(100,)", data)), "--fold", "sum")
        spellings = [header_text("<f4", "(100L,)"), header_text("<f4", "(100)"),
                     "{'shape':(100,),'fortran_order':False,'descr':'<f4'}",
                     '{"descr": "<f4", "fortran_order": False, "shape": (100,)}  \n  ']
        for version in ((1, 0), (2, 0), (3, 0)):
            for text in spellings:
                with self.subTest(version=version, text=text):
                    path = self.file(npy(text, data, version))
                    self.assertEqual(self.bits(path, "--fold", "sum"), expected)

    def test_threads_change_no_bit(self):
        path = self.file(npy_of("f32", "(300001,)", data_of("f32", 300001)))
        seen = {self.bits(path, "--fold", "sum", "--threads", t) for t in (0, 1, 2, 3, 7)}
        self.assertEqual(len(seen), 1)

    def test_a_pipe_that_gives_odd_pieces(self):
        data = data_of("f64", 30000)
        expected = self.bits(self.file(npy_of("f64", "(30000,)", data)), "--fold", "sum")
        child = subprocess.Popen([PROGRAM, "reduce", "-", "--type", "f64", "--fold", "sum", "--json",
                                  "--block-bytes", "16KiB"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE)
        for begin in range(0, len(data), 7777):
            child.stdin.write(data[begin:begin + 7777])
            child.stdin.flush()
        out, _ = child.communicate()
        self.assertEqual(json.loads(out)["bits"], expected)

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_device_memory_is_used_in_blocks_of_at_most_n_bytes(self):
        log = self.folder / "largest"
        env = {"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "device", "PLANTED_LOG": str(log)}
        count = 400_003
        data = data_of("f32", count)
        path = self.file(npy_of("f32", f"({count},)", data))
        expected = self.bits(path, "--fold", "sum")
        for block in (4096, 100_000, 1 << 20):
            common = ("--fold", "sum", "--backend", "reference", "--block-bytes", block)
            for name, arguments, stdin in (("mapped", (path,), b""), ("npy pipe", ("-",), path.read_bytes()),
                                           ("raw pipe", ("-", "--type", "f32"), data)):
                with self.subTest(block=block, input=name):
                    log.unlink(missing_ok=True)
                    self.assertEqual(self.bits(*arguments, *common, stdin=stdin, env=env), expected)
                    self.assertTrue(0 < int(log.read_text()) <= block, log.read_text())

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_rows_on_a_device(self):
        log = self.folder / "largest"
        env = {"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "device", "PLANTED_LOG": str(log)}
        for type_name, rows, length in (("f64", 7, 5000), ("f64", 300, 40), ("i32", 5000, 1),
                                        ("i32", 5000, 0), ("f64", 0, 5)):
            path = self.file(npy_of(type_name, f"({rows}, {length})", data_of(type_name, rows * length)))
            arguments = (path, "--fold", "sum", "--rows", "--backend", "reference")
            for block in (8192, 1 << 20):
                with self.subTest(type=type_name, rows=rows, length=length, block=block):
                    log.write_text("0")
                    self.assertEqual(self.bits(*arguments, "--block-bytes", block, env=env),
                                     self.bits(*arguments))
                    self.assertLessEqual(int(log.read_text()), block)


class Rows(ProgramTest):
    def test_each_row_has_the_bits_of_the_row_alone(self):
        for type_name, size in (("f32", 4), ("i64", 8)):
            for rows, length in ((1, 1), (3, 5), (100, 100), (3, 3000), (2, 20000)):
                data = data_of(type_name, rows * length)
                path = self.file(npy_of(type_name, f"({rows}, {length})", data))
                alone = []
                for r in range(rows if rows < 10 else 2):
                    row = data[r * length * size:(r + 1) * length * size]
                    out = self.succeed("reduce", "-", "--fold", "sum", "--type", type_name, "--json",
                                       stdin=row)
                    alone.append(json.loads(out)["bits"])
                for backend in available_backends(same_bits_only=True):
                    for block in ("50000",) if backend in DEVICE_BACKENDS else ("1", "50000", "64MiB"):
                        for name in (path, "-"):
                            with self.subTest(type=type_name, shape=(rows, length), block=block):
                                out = json.loads(self.succeed(
                                    "reduce", name, "--fold", "sum", "--rows", "--json", "--backend",
                                    backend, "--block-bytes", block,
                                    stdin=path.read_bytes() if name == "-" else b""))
                                self.assertEqual(list(out), ["definition", "fold", "type", "result_type",
                                                             "count", "rows", "length", "backend",
                                                             "value", "bits"])
                                self.assertEqual((out["rows"], out["length"], out["count"]),
                                                 (rows, length, rows * length))
                                self.assertEqual(len(out["bits"]), rows)
                                self.assertEqual(out["bits"][:len(alone)], alone)

    def test_text_is_one_line_a_row(self):
        path = self.file(npy_of("i32", "(2, 3)", struct.pack("<6i", 1, 2, 3, -4, 5, 6)))
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--rows"), "6\n7\n")

    def test_results_of_several_components(self):
        path = self.file(npy_of("f32", "(3,)", struct.pack("<3f", 2, -1, 5)))
        self.assertEqual(self.succeed("reduce", path, "--fold", "argmin"), "-1.0 1\n")
        self.assertEqual(self.succeed("reduce", path, "--fold", "moments"), "3 2.0 18.0\n")
        self.assertEqual(self.succeed("reduce", path, "--fold", "all"), "true\n")
        out = json.loads(self.succeed("reduce", path, "--fold", "argminmax", "--json"))
        self.assertEqual(out["value"], {"minimum": -1, "minimum_index": 1, "maximum": 5, "maximum_index": 2})
        self.assertEqual(out["result_type"], {"minimum": "f32", "minimum_index": "i64", "maximum": "f32",
                                              "maximum_index": "i64"})
        self.assertEqual(out["bits"]["minimum_index"], "0x0000000000000001")
        rows = self.file(npy_of("f32", "(2, 3)", struct.pack("<6f", 2, -1, 5, 0, 7, 7)), "rows.npy")
        self.assertEqual(self.succeed("reduce", rows, "--rows", "--fold", "argmax"), "5.0 2\n7.0 1\n")

    def test_indices_count_through_blocks(self):
        count = 5000
        data = data_of("f64", count)
        path = self.file(npy_of("f64", f"({count},)", data))
        whole = self.succeed("reduce", path, "--fold", "argmax", "--json")
        for block in ("1", "20000"):
            self.assertEqual(self.succeed("reduce", path, "--fold", "argmax", "--json", "--block-bytes", block),
                             whole)
            self.assertEqual(self.succeed("reduce", "-", "--type", "f64", "--fold", "argmax", "--json",
                                          "--block-bytes", block, stdin=data), whole)

    def test_no_rows_and_empty_rows(self):
        none = self.file(npy_of("f32", "(0, 5)", b""), "none.npy")
        self.assertEqual(self.succeed("reduce", none, "--fold", "minimum", "--rows"), "")
        out = json.loads(self.succeed("reduce", none, "--fold", "sum", "--rows", "--json"))
        self.assertEqual((out["value"], out["bits"], out["rows"], out["length"]), ([], [], 0, 5))
        empty = self.file(npy_of("f32", "(5, 0)", b""), "empty.npy")
        for fold, line in (("sum", "0.0"), ("product", "1.0"), ("minimum", "inf"), ("maximum", "-inf")):
            self.assertEqual(self.succeed("reduce", empty, "--fold", fold, "--rows"), f"{line}\n" * 5)


class Accumulators(ProgramTest):
    """--accumulator f64 has the bits of the array converted to f64 first."""

    def results(self, *arguments):
        out = json.loads(self.succeed("reduce", *arguments, "--json"))
        return out, [(result["result_type"], result["bits"]) for result in out.get("results", [out])]

    def arrays(self):
        """(arguments of a file, a file of the same numbers in f64) of each type that is widened."""
        count = 6000
        singles = struct.unpack(f"<{count}f", data_of("f32", count))
        halves = struct.unpack(f"<{count}e", struct.pack(f"<{count}e", *singles))
        brains = [struct.unpack("<f", bytes(2) + struct.pack("<f", x)[2:])[0] for x in singles]
        packed = {"f32": struct.pack(f"<{count}f", *singles), "f16": struct.pack(f"<{count}e", *halves),
                  "bf16": b"".join(struct.pack("<f", x)[2:] for x in brains)}
        for (name, content), numbers in zip(packed.items(), (singles, halves, brains)):
            wide = self.file(npy_of("f64", "(60, 100)", struct.pack(f"<{count}d", *numbers)), f"{name}_wide.npy")
            yield name, (self.file(content, f"{name}.bin"), "--type", name, "--shape", "60,100"), wide

    def test_the_bits_of_the_array_converted(self):
        mask = self.file(npy(header_text("|b1", "(34,)"), bytes(i % 3 > 0 for i in range(34))), "mask.npy")
        folds = ("--fold", "sum,mean,norm2,argmax,sum_with_bound")
        for name, narrow, wide in self.arrays():
            for options in (folds, (), (*folds, "--rows"), (*folds, "--block-bytes", "8KiB"),
                            (*folds, "--axis", "0"), (*folds, "--box", "1:,::-3", "--where", mask),
                            ("--fold", "count_in_range", "--range", "0.1,0.2")):
                for backend in ("reference", "openmp"):
                    if backend in available_backends():
                        with self.subTest(type=name, options=options, backend=backend):
                            common = (*options, "--backend", backend)
                            out, found = self.results(*narrow, "--accumulator", "f64", *common)
                            self.assertEqual((out["type"], out["accumulator"]), (name, "f64"))
                            if "--range" not in options:  # whose ends are of the type of the file
                                self.assertEqual(found, self.results(wide, *common)[1])
                            else:
                                self.assertEqual(found, self.results(*narrow, *common)[1])

    def test_two_arrays_and_pipes(self):
        for name, narrow, wide in self.arrays():
            path, *how = narrow
            wanted = self.results(wide, wide, "--fold", "dot,sum")[1]
            how += ["--accumulator", "f64", "--fold", "dot,sum"]
            self.assertEqual(self.results(path, path, *how)[1], wanted, name)
            self.assertEqual(self.results(wide, wide, "--accumulator", "f64", "--fold", "dot,sum")[1], wanted)
            out = self.succeed("reduce", "-", path, *how, "--block-bytes", "8KiB", "--json", stdin=path.read_bytes())
            self.assertEqual([result["bits"] for result in json.loads(out)["results"]], [bits for _, bits in wanted])

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_on_a_device(self):
        env = {"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "device", "PLANTED_LOG": str(self.folder / "largest")}
        for name, narrow, wide in self.arrays():
            arguments = ("--fold", "sum,argmin", "--axis", "1", "--backend", "reference", "--json")
            found = json.loads(self.succeed("reduce", *narrow, "--accumulator", "f64", *arguments, env=env))
            self.assertEqual(found["results"], json.loads(self.succeed("reduce", wide, *arguments))["results"], name)

    def test_what_has_none(self):
        for type_name in ("i32", "u8", "c64"):
            path = self.file(npy_of(type_name, "(2,)", bytes(2 * int(DESCR[type_name][2:]))))
            self.refuse(BAD_INPUT, ["f32", type_name, "--accumulator"], "reduce", path, "--accumulator", "f64")
        path = self.file(npy_of("f32", "(2,)", bytes(8)))
        for name in ("f32", "f16"):
            self.refuse(BAD_INPUT, [f"'{name}' is no accumulator", "f64"], "reduce", path, "--accumulator", name)


class Formats(ProgramTest):
    def reduce_one(self, type_name, packed, fold="maximum"):
        return self.succeed("reduce", "-", "--type", type_name, "--fold", fold, "--json", stdin=packed)

    def test_shortest_round_trip_of_the_own_type(self):
        for value in (0.1, 1e30, 16777216.0, 1.17549435e-38, 1e-45, -0.0, 3.4028235e38, 5.0):
            packed = struct.pack("<f", value)
            out = json.loads(self.reduce_one("f32", packed))
            self.assertEqual(struct.pack("<f", out["value"]), packed)
            self.assertEqual(out["bits"], "0x" + packed[::-1].hex())
        self.assertIn('"value":0.1,', self.reduce_one("f32", struct.pack("<f", 0.1)))
        for value in (0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 123456789.0):
            text = self.reduce_one("f64", struct.pack("<d", value))
            self.assertEqual(struct.pack("<d", json.loads(text)["value"]), struct.pack("<d", value))
            shown = text.split('"value":')[1].split(",")[0]
            self.assertLessEqual(len(shown), len(repr(value)))

    def test_integers_of_64_bits_are_json_integers(self):
        for type_name, code, value in (("u64", "<Q", 2 ** 64 - 1), ("i64", "<q", -2 ** 63),
                                       ("u32", "<I", 2 ** 32 - 1)):
            out = json.loads(self.reduce_one(type_name, struct.pack(code, value)))
            self.assertEqual(out["value"], value)
            self.assertEqual(unpack(type_name, out["bits"]), value)
        out = json.loads(self.reduce_one("i32", struct.pack("<2i", -2 ** 31, -2 ** 31), "sum"))
        self.assertEqual((out["value"], out["result_type"]), (-2 ** 32, "i64"))

    def test_nan_and_infinities_are_strings(self):
        for value, text, bits in (("nan", "nan", "0x7fc00000"), ("inf", "inf", "0x7f800000"),
                                  ("-inf", "-inf", "0xff800000")):
            packed = struct.pack("<f", float(value))
            out = json.loads(self.reduce_one("f32", packed, "sum"))
            self.assertEqual((out["value"], out["bits"]), (text, bits))
            plain = self.succeed("reduce", "-", "--type", "f32", "--fold", "sum", stdin=packed)
            self.assertEqual(plain, text + "\n")

    def test_empty_input(self):
        path = self.file(npy_of("f64", "(0,)", b""))
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum"), "0.0\n")
        self.assertEqual(self.succeed("reduce", path, "--fold", "product"), "1.0\n")
        for fold in ("minimum", "maximum"):
            self.refuse(2, [], "reduce", path, "--fold", fold)
            self.refuse(2, [], "reduce", "-", "--fold", fold, "--type", "f32")
        self.assertEqual(self.succeed("reduce", "-", "--fold", "sum", "--type", "i32"), "0\n")

    def test_progress_shows_on_a_terminal_only(self):
        def slow(stderr):
            child = subprocess.Popen([PROGRAM, "reduce", "-", "--type", "f32", "--fold", "sum",
                                      "--block-bytes", "4096"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=stderr)
            for _ in range(15):
                child.stdin.write(bytes(8192))
                child.stdin.flush()
                time.sleep(0.1)
            return child
        master, terminal = pty.openpty()
        child = slow(terminal)
        os.close(terminal)
        out, _ = child.communicate()
        shown = os.read(master, 4096)
        os.close(master)
        self.assertEqual(out, b"0.0\n")
        self.assertIn(b"GB/s", shown)
        child = slow(subprocess.PIPE)
        self.assertEqual(child.communicate(), (b"0.0\n", b""))


class Backends(ProgramTest):
    def test_unavailable_backends_say_why(self):
        path = self.file(npy_of("f32", "(1,)", bytes(4)))
        for backend in ("cuda", "hip", "openmp", "kokkos"):
            if backend not in available_backends():
                self.refuse(UNAVAILABLE, [backend, "not available"], "reduce", path, "--fold", "sum",
                            "--backend", backend)
                self.refuse(UNAVAILABLE, [backend, "ISOFOLD_BACKEND", "not available"], "reduce", path,
                            "--fold", "sum", env={"ISOFOLD_BACKEND": backend})

    def test_the_environment_names_the_default(self):
        path = self.file(npy_of("f32", "(1,)", bytes(4)))
        out = self.succeed("reduce", path, "--fold", "sum", "--json", env={"ISOFOLD_BACKEND": "reference"})
        self.assertEqual(json.loads(out)["backend"], "reference")
        self.refuse(2, ["nonsense"], "reduce", path, "--fold", "sum", env={"ISOFOLD_BACKEND": "nonsense"})

    def test_within_bound_is_said_and_same_bits_is_refused(self):
        if "kokkos" not in available_backends():
            self.skipTest("the backend kokkos is not available")
        data = data_of("f64", 50000, "small")
        path = self.file(npy_of("f64", "(50000,)", data))
        exact = json.loads(self.succeed("reduce", path, "--fold", "sum", "--json"))
        self.refuse(UNAVAILABLE, ["kokkos"], "reduce", path, "--fold", "sum", "--backend", "kokkos",
                    "--guarantee", "same_bits")
        for name, extra, stdin in ((path, (), b""), ("-", (), path.read_bytes()),
                                   ("-", ("--type", "f64"), data)):
            result = run("reduce", name, *extra, "--fold", "sum", "--backend", "kokkos", "--json",
                         "--block-bytes", "8KiB", stdin=stdin)
            out = json.loads(result.stdout)
            self.assertEqual((out["guarantee"], out["bits"], out["count"]),
                             ("within_bound", exact["bits"], 50000))
            self.assertIn(b"within the error bound", result.stderr)


class LostOutput(ProgramTest):
    def test_a_full_disk_and_a_closed_pipe(self):
        path = self.file(npy_of("f32", "(1,)", bytes(4)))
        for arguments in (("reduce", str(path), "--fold", "sum"), ("info",), ("--help",),
                          ("generate", "--type", "f32", "--count", "100000", "--seed", "0", "-")):
            with open("/dev/full", "wb") as full:
                result = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(result.returncode, FAILED, result.stderr)
            self.assertIn(b"writing", result.stderr)
            reader, writer = os.pipe()
            os.close(reader)
            result = subprocess.run([PROGRAM, *arguments], stdout=writer, stderr=subprocess.PIPE)
            os.close(writer)
            self.assertEqual(result.returncode, FAILED, result.stderr)

    def test_a_closed_standard_output(self):
        path = self.file(npy_of("f32", "(1,)", bytes(4)))
        result = subprocess.run(f"'{PROGRAM}' reduce '{path}' --fold sum >&-", shell=True,
                                capture_output=True)
        self.assertEqual(result.returncode, FAILED)

    def test_a_file_that_is_cut_off_while_it_is_read(self):
        """A fault of the mapped file ends with a sentence and code 4, not with a signal."""
        path = self.file(npy_of("f64", "(80000000,)", b""))
        with open(path, "r+b") as file:
            size = path.stat().st_size
            file.truncate(size + 640_000_000)
        child = subprocess.Popen([PROGRAM, "reduce", str(path), "--fold", "sum", "--threads", "1"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.03)
        os.truncate(path, size)
        out, err = child.communicate()
        self.assertIn(child.returncode, (0, 2, FAILED), err)  # it may have been faster or slower
        if child.returncode == FAILED:
            self.assertIn(b"cut off", err)


if __name__ == "__main__":
    unittest.main()
