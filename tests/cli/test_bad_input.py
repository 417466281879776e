"""Every bad input is a clear sentence on standard error and exit code 2."""

import os
import struct
import unittest

from support import BAD_INPUT, ProgramTest, header_text, npy, npy_of, run


class CommandLines(ProgramTest):
    def test_the_parsers_errors_are_sentences(self):
        """With what was written, and the way out."""
        for words, arguments in ((["--fold", "needs a value"], ("reduce", "x.npy", "--fold")),
                                 (["needs FILE"], ("reduce",)),
                                 (["'c'", "more than"], ("reduce", "a", "b", "c")),
                                 (["--threads", "'x'", "whole number"], ("reduce", "a", "--threads", "x")),
                                 (["'version'", "isofold --version"], ("version",)),
                                 (["'help'", "isofold --help"], ("help",)),
                                 (["'--fold'", "isofold reduce --fold"], ("--fold", "sum", "x.npy")),
                                 (["'sum'", "isofold reduce x.npy --fold sum"], ("reduce", "sum", "x.npy")),
                                 (["'sum'", "isofold reduce x.npy --fold sum"], ("reduce", "x.npy", "sum")),
                                 (["'sum'", "isofold reduce FILE --fold sum"], ("reduce", "sum")),
                                 (["--foldd", "--fold"], ("reduce", "a", "--foldd", "sum")),
                                 (["--type", "more often"], ("reduce", "a", "--type", "f32", "--type", "f64")),
                                 (["--mask", "more often"], ("reduce", "a", "--mask", "m", "--where", "m")),
                                 (["'--version'", "isofold --version"], ("reduce", "--version")),
                                 (["'sum max'", "--fold sum,max"], ("reduce", "a", "--fold", "sum max")),
                                 (["'max'", "--fold sum,max"], ("reduce", "a", "--fold", "sum", "max")),
                                 (["'nansum'", "--skip-nan --fold sum"], ("reduce", "a", "--fold", "nansum")),
                                 (["'extra'", "more than"], ("verify", "extra"))):
            sentence = self.refuse(BAD_INPUT, words, *arguments)
            self.assertEqual(sentence.strip().count("\n"), 0, sentence)


class BadFiles(ProgramTest):
    def refuse_content(self, words, content, *arguments):
        """As a file and through a pipe."""
        path = self.file(content)
        with self.subTest(start=content[:90]):
            self.refuse(BAD_INPUT, words + [str(path)], "reduce", path, "--fold", "sum", *arguments)
            self.refuse(BAD_INPUT, words + ["standard input"], "reduce", "-", "--fold", "sum",
                        *arguments, stdin=content)

    def test_what_is_no_npy(self):
        self.refuse_content(["0 bytes", "--type"], b"")
        self.refuse_content(["no .npy", "--type"], b"hello, world, this is text")
        self.refuse_content(["no .npy"], npy_of("f32", "(1,)", bytes(4))[1:])
        self.refuse_content(["no .npy"], b"\x93NUMP")

    def test_files_of_other_programs(self):
        """They are named, also where --type would make numbers of their bytes, unless --shape insists."""
        for start, words in ((b"\x89HDF\r\n\x1a\n", ["HDF5", "h5py"]), (b"CDF\x01", ["netCDF"]), (b"CDF\x05", ["netCDF"]),
                             (b"MATLAB 5.0 MAT-file", ["MATLAB", "loadmat"]), (b"PAR1", ["Parquet"]),
                             (b"\x1f\x8b\x08", ["gzip -dc"])):
            content = start + bytes(400 - len(start))
            self.refuse_content(words, content)
            self.refuse_content(words + ["--shape"], content, "--type", "f64")
            path = self.file(content)
            self.succeed("reduce", path, "--type", "u8")
            self.succeed("reduce", path, "--type", "f64", "--shape", "50")
        self.refuse_content(["zip archive", "--type"], b"PK\x03\x04" + bytes(396), "--type", "f64")

    def test_a_fold_of_no_elements(self):
        """The way out is one of the program's, not of C++."""
        path = self.file(npy_of("f32", "(0,)", b""))
        sentence = self.refuse(BAD_INPUT, ["maximum", "no elements", "leave the fold out"],
                               "reduce", path, "--fold", "sum,max")
        self.assertNotIn("memory", sentence)

    def test_truncation_anywhere(self):
        whole = npy_of("f32", "(10,)", bytes(40))
        for size in range(1, len(whole)):
            self.refuse_content([], whole[:size])
        self.refuse_content(["within its .npy header"], whole[:9])
        path = self.file(whole[:-4])
        self.refuse(BAD_INPUT, ["truncated"], "reduce", path, "--fold", "sum")
        self.refuse(BAD_INPUT, ["truncated"], "reduce", "-", "--fold", "sum", stdin=whole[:-4])

    def test_bytes_after_the_array(self):
        self.refuse_content(["goes on after"], npy_of("f32", "(10,)", bytes(44)))
        self.refuse_content(["goes on after"], npy_of("f32", "(0,)", bytes(1)))
        # The size of a file is known before an element is read, and the sentence has both sizes.
        path = self.file(npy_of("f32", "(10,)", bytes(44)))
        self.refuse(BAD_INPUT, ["44 bytes", "says 40"], "reduce", path, "--fold", "sum")

    def test_versions(self):
        for version in ((0, 0), (4, 0), (255, 0)):
            self.refuse_content([f"version {version[0]}"],
                                npy(header_text("<f4", "(1,)"), bytes(4), version))

    def test_element_types(self):
        for descr, word in ((">V2", ">V2"), ("<c4", "complex"),
                            ("|O", "objects"), ("|S5", "|S5"), ("<U3", "<U3"), ("|i3", "|i3"), ("<b2", "<b2"),
                            ("<M8[ns]", "<M8"), ("|V4", "|V4"), ("", "type"), ("f", "f"),
                            ("<f4x", "<f4x")):
            self.refuse_content([word, "f16, f32, f64, c64, c128 and integers of 8 to 64 bits"],
                                npy(header_text(descr, "(1,)"), bytes(8)))
        self.refuse_content(["structured"], npy("{'descr': [('a', '<f4')], 'fortran_order': False, "
                                                "'shape': (1,), }", bytes(4)))

    def test_shapes(self):
        self.refuse_content(["64-bit"], npy(header_text("<f4", "(99999999999999999999,)")))
        self.refuse_content(["64-bit"], npy(header_text("<f4", "(9223372036854775807,)")))
        self.refuse_content(["64-bit"], npy(header_text("<f4", "(4294967296, 4294967296)")), "--rows")
        self.refuse_content(["64-bit"], npy(header_text("<f8", "(9223372036854775807, 0)")), "--rows")
        self.refuse_content(["64-bit"], npy(header_text("<f8", "(0, 9223372036854775807)")), "--rows")
        self.refuse_content(["negative"], npy(header_text("<f4", "(-1,)")))
        self.refuse_content(["1 dimension", "--rows"], npy_of("f32", "(4,)", bytes(16)), "--rows")
        for shape in ("()", "(1, 2, 2)"):
            self.refuse_content(["dimensions"], npy_of("f32", shape, bytes(16)), "--rows")

    def test_broken_headers(self):
        for text in ("", "{", "{}", "[]", "{'descr': '<f4'}", "{'descr': '<f4", "{'descr'}", "{'shape': (1,)}",
                     header_text("<f4", "(1,)") + "x", header_text("<f4", "(1,"), header_text("<f4", "(,)"),
                     header_text("<f4", "(a,)"), header_text("<f4", "1"), header_text("<f4", "(1 2)"),
                     header_text("<f4", "(1,)", "Maybe"), header_text("<f4", "(1,)", "0"),
                     header_text("<f4", "(1,)")[:-1] + "'extra': 1}",
                     "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
                     "{'descr': '<f4', 'fortran_order': False, 'fortran_order': False, 'shape': (1,)}",
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'shape': (1,)}"):
            self.refuse_content(["header"], npy(text, bytes(4)))
        self.refuse_content(["header of 4294967295 bytes"],
                            b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + bytes(100))

    def test_raw_sizes(self):
        for type_name, size in (("f32", 4), ("f64", 8), ("u32", 4), ("i64", 8), ("f16", 2), ("bf16", 2), ("c64", 8),
                                ("c128", 16)):
            for extra in (1, size - 1):
                self.refuse_content(["whole element"], bytes(10 * size + extra), "--type", type_name)
            self.refuse_content(["whole element"], bytes(3000 * size + 1), "--type", type_name,
                                "--block-bytes", "4096")

    def test_raw_options_that_do_not_fit(self):
        self.refuse_content(["--rows", "shape"], bytes(16), "--type", "f32", "--rows")
        self.refuse_content(["f32", "f64", "--type"], npy_of("f32", "(2,)", bytes(8)), "--type", "f64")

    def test_paths(self):
        self.refuse(BAD_INPUT, ["No such file"], "reduce", self.folder / "missing.npy", "--fold", "sum")
        self.refuse(BAD_INPUT, ["directory"], "reduce", self.folder, "--fold", "sum")
        if os.geteuid() != 0:
            path = self.file(npy_of("f32", "(1,)", bytes(4)))
            path.chmod(0)
            self.refuse(BAD_INPUT, ["denied"], "reduce", path, "--fold", "sum")


class BadUsage(ProgramTest):
    def test_the_command_line(self):
        path = self.file(npy_of("f32", "(1,)", struct.pack("<f", 1)))
        good = ("reduce", path, "--fold", "sum")
        generate = ("generate", "--type", "f32", "--count", "1", "--seed", "0")
        out = self.folder / "out.npy"
        for arguments in (("nonsense",), ("reduce",), ("reduce", "--fold", "sum"),
                          ("reduce", path, "--fold", "median"), (*good, "--backend", "abacus"),
                          (*good, "--type", "f8"), (*good, "--nonsense"), (*good, "extra"),
                          (*good, "--block-bytes", "0"), (*good, "--block-bytes", "-1"),
                          (*good, "--block-bytes", "1e3"), (*good, "--block-bytes", "99999999999999999999"),
                          (*good, "--block-bytes", "17179869184GiB"), (*good, "--block-bytes", "4 bananas"),
                          (*good, "--threads", "-1"), (*good, "--threads", "x"), (*good, "--threads", "2147483648"),
                          (*good, "--device", "-1"), (*good, "--guarantee", "perfect"),
                          ("verify", "--quick", "--exhaustive"), ("verify", "--backend", "abacus"),
                          ("info", "extra"), generate,
                          (*generate, out, "--count", "-1"), (*generate, out, "--distribution", "gamma"),
                          ("generate", "--type", "f32", "--count", "-1", "--seed", "0", out),
                          ("generate", "--type", "f32", "--count", "1.5", "--seed", "0", out),
                          ("generate", "--type", "f32", "--count", "9223372036854775807", "--seed", "0", out),
                          ("generate", "--type", "f32", "--count", "1", "--seed", "-1", out),
                          ("generate", "--type", "f32", "--count", "1", "--seed", "18446744073709551616", out),
                          ("generate", "--type", "i32", "--count", "1", "--seed", "0", "--distribution", "normal", out),
                          ("generate", "--type", "f32", "--count", "1", "--seed", "0", self.folder),
                          ("generate", "--type", "f32", "--count", "1", "--seed", "0", self.folder / "no" / "x")):
            with self.subTest(arguments=arguments):
                self.refuse(BAD_INPUT, [], *arguments)
        self.assertFalse(out.exists())

    def test_a_file_whose_name_begins_as_an_option(self):
        self.file(npy_of("f32", "(1,)", struct.pack("<f", 1)), "-x.npy")
        self.refuse(BAD_INPUT, ["'-x.npy' is no option", "./-x.npy"], "reduce", "-x.npy", cwd=self.folder)
        self.succeed("reduce", "./-x.npy", cwd=self.folder)

    def test_a_device_of_no_backend(self):
        """It would be that of no device backend, and the host would answer."""
        path = self.file(npy_of("f32", "(1,)", struct.pack("<f", 1)))
        for device in ("0", "7"):
            self.refuse(BAD_INPUT, [f"--device {device}", "--backend"], "reduce", path, "--device", device)
        for env, *backend in (({}, "--backend", "openmp"), ({"ISOFOLD_BACKEND": "openmp"},)):
            self.succeed("reduce", path, "--device", "0", *backend, env=env)
            self.refuse(BAD_INPUT, ["openmp", "device 7"], "reduce", path, "--device", "7", *backend, env=env)

    def test_a_misspelt_backend_of_the_environment(self):
        path = self.file(npy_of("f32", "(1,)", struct.pack("<f", 1)))
        for arguments in (("info",), ("info", "--json"), ("verify", "--quick"), ("verify", "--tree"),
                          ("verify", "--mpi"), ("fuzz", "--cases", "1"), ("bench",), ("reduce", path)):
            self.refuse(BAD_INPUT, ["ISOFOLD_BACKEND", "'opnmp'", "did you mean openmp?"], *arguments,
                        env={"ISOFOLD_BACKEND": "opnmp"})
        self.succeed("info", env={"ISOFOLD_BACKEND": "openmp"})

    def test_help_and_version(self):
        for arguments in (("--help",), ("reduce", "--help"), ("info", "--help"), ("verify", "--help"),
                          ("generate", "--help"), ("diff", "--help"), ("fingerprint", "--help"),
                          ("--version",)):
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, b""))
            self.assertTrue(result.stdout)


if __name__ == "__main__":
    unittest.main()
