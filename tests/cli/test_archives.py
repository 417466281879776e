"""Files of .npz archives, as numpy's np.savez and np.savez_compressed write them: x.npz:name."""

import struct
import subprocess
import unittest
import unittest.mock
import zipfile

from support import BAD_INPUT, PROGRAM, UNAVAILABLE, ProgramTest, data_of, npy_of, npz, run


class Archives(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.data = data_of("f64", 5000)
        cls.array = npy_of("f64", "(5000,)", cls.data)
        cls.members = {"rho.npy": cls.array, "velocity.npy": npy_of("f32", "(2, 3)", struct.pack("<6f", *range(6))),
                       "mask.npy": npy_of("u8", "(2, 3)", bytes((1, 0, 0, 0, 0, 1))),
                       "runs/offsets.npy": npy_of("i64", "(3,)", struct.pack("<3q", 0, 2, 5000))}

    def archive(self, members=None, compression=zipfile.ZIP_STORED, name="x.npz"):
        return self.file(npz(self.members if members is None else members, compression), name)

    def packed(self):
        """A compressed archive, or a skipped test of a program that reads none."""
        path = self.archive(compression=zipfile.ZIP_DEFLATED, name="packed.npz")
        if run("reduce", f"{path}:rho").returncode == UNAVAILABLE:
            self.refuse(UNAVAILABLE, ["rho", "zlib", "np.savez"], "reduce", f"{path}:rho")
            self.skipTest("the program was built without zlib")
        return path

    def test_a_file_has_the_bits_that_it_has_alone(self):
        alone = self.file(self.array, "rho.npy")
        for path in (self.archive(), self.packed()):
            for arguments in (("--fold", "sum,argmax"), ("--fold", "sum", "--block-bytes", "16KiB"),
                              ("--fold", "sum", "--box", "::-3")):
                with self.subTest(path=path, arguments=arguments):
                    wanted = self.succeed("reduce", alone, *arguments, "--json")
                    for name in ("rho", "rho.npy"):
                        self.assertEqual(self.succeed("reduce", f"{path}:{name}", *arguments, "--json"), wanted)
            self.assertIn(f"{path}:velocity: f32, shape (2, 3)\n", self.succeed("reduce", f"{path}:velocity"))

    def test_a_mask_offsets_and_two_arrays(self):
        path = self.archive()
        self.assertEqual(self.succeed("reduce", f"{path}:velocity", "--fold", "sum", "--mask", f"{path}:mask"), "5.0\n")
        self.assertEqual(self.succeed("reduce", f"{path}:rho", "--fold", "sum", "--segments", f"{path}:runs/offsets"),
                         self.succeed("reduce", self.file(self.array, "rho.npy"), "--fold", "sum", "--segments",
                                      self.file(self.members["runs/offsets.npy"], "offsets.npy")))
        self.assertEqual(self.succeed("reduce", f"{path}:rho", f"{path}:rho", "--fold", "squared_distance"), "0.0\n")
        self.assertIn("same bits", self.succeed("diff", f"{path}:rho", self.file(self.array, "rho.npy")))

    def test_the_only_file_needs_no_name(self):
        for name in ("arr_0.npy", "arr_0"):
            path = self.archive({name: self.array})
            wanted = self.succeed("reduce", "-", "--fold", "sum", stdin=self.array)
            self.assertEqual(self.succeed("reduce", path, "--fold", "sum"), wanted)
        with open(path, "rb") as file:  # a redirected file knows its end; a pipe does not
            redirected = subprocess.run([PROGRAM, "reduce", "-", "--fold", "sum"], stdin=file, capture_output=True)
        self.assertEqual(redirected.stdout.decode(), wanted, redirected.stderr)
        self.refuse(BAD_INPUT, ["standard input", "archive", "path"], "reduce", "-", stdin=path.read_bytes())

    def test_bf16_has_its_type_from_the_user(self):
        path = self.archive({"b.npy": npy_of("u16", "(2,)", struct.pack("<2H", 0x3F80, 0x4040)).replace(b"<u2", b"<V2")})
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--type", "bf16"), "4.0\n")
        self.assertEqual(self.succeed("reduce", f"{path}:b", "--fold", "sum", "--type", "bf16"), "4.0\n")

    def test_names(self):
        path = self.archive()
        self.refuse(BAD_INPUT, ["4 files", "rho, velocity, mask, runs/offsets", f"{path}:rho"], "reduce", path)
        self.refuse(BAD_INPUT, ["'rhoo'", "x.npz", "did you mean rho?", "velocity"], "reduce", f"{path}:rhoo")
        self.refuse(BAD_INPUT, ["'x'", "no archive"], "reduce", f"{self.file(self.array)}:x")
        self.refuse(BAD_INPUT, ["No such file", "missing.npz:rho"], "reduce", self.folder / "missing.npz:rho")
        self.refuse(BAD_INPUT, ["without any file"], "reduce", self.archive({}))
        # A file whose own name has a colon is that file.
        self.assertIn("(5000,)", self.succeed("reduce", self.file(self.array, "x.npz:rho")))
        self.assertIn("a:b", self.succeed("reduce", f"{self.archive({'a:b.npy': self.array}, name='t:1.npz')}:a:b"))

    def test_more_than_32_bits(self):
        """Offsets and sizes as archives beyond 4 GiB have them."""
        with unittest.mock.patch("zipfile.ZIP64_LIMIT", 10):
            path = self.archive({"pad": bytes(70), "rho.npy": self.array})
        self.assertIn(b"PK\x06\x06", path.read_bytes())
        self.assertEqual(self.succeed("reduce", f"{path}:rho", "--fold", "sum"),
                         self.succeed("reduce", "-", "--fold", "sum", stdin=self.array))

    def test_what_is_damaged(self):
        content = npz({"rho.npy": self.array, "v.npy": self.array})
        for cut in (5, 100, len(content) // 2, len(content) - 50, len(content) - 1):
            with self.subTest(cut=cut):
                self.refuse(BAD_INPUT, ["damaged archive"], "reduce", f"{self.file(content[:cut], 'cut.npz')}:rho")
        for at in range(content.index(b"PK\x01\x02"), len(content)):
            changed = content[:at] + bytes((content[at] ^ 0xFF,)) + content[at + 1:]
            result = run("reduce", f"{self.file(changed, 'changed.npz')}:rho", "--fold", "sum")
            self.assertIn(result.returncode, (0, BAD_INPUT, UNAVAILABLE), result.stderr)
        other = npz({"rho.npy": self.array}, zipfile.ZIP_BZIP2)
        self.refuse(BAD_INPUT, ["rho", "method 12", "np.savez"], "reduce", self.file(other))

    def test_what_does_not_unpack(self):
        path = self.packed()
        content = path.read_bytes()
        begin = content.index(b"rho.npy") + 100
        end = zipfile.ZipFile(path).getinfo("velocity.npy").header_offset
        for at in (begin, (begin + end) // 2, end - 1):
            with self.subTest(at=at):
                changed = content[:at] + bytes((content[at] ^ 0xFF,)) + content[at + 1:]
                self.refuse(BAD_INPUT, ["rho"], "reduce", f"{self.file(changed, 'changed.npz')}:rho", "--fold", "sum")


if __name__ == "__main__":
    unittest.main()
