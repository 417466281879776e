"""isofold generate: the committed checksums, the oracle's bits, and the .npy around them."""

import ast
import hashlib
import signal
import subprocess
import time
import unittest

from checksums import CASES, DISTRIBUTIONS, oracle_hash
from support import DESCR, FAILED, HERE, PROGRAM, ProgramTest, run
from test_data import generate


def committed():
    lines = (HERE / "checksums.txt").read_text().splitlines()
    words = [line.split() for line in lines if not line.startswith("#")]
    return {(w[1], w[0], int(w[2]), int(w[3])): w[4] for w in words}


class Generate(ProgramTest):
    def elements(self, type_name, count, seed, distribution=None, path=None):
        path = path or self.folder / "x.npy"
        extra = ("--distribution", distribution) if distribution else ()
        self.succeed("generate", "--type", type_name, "--count", count, "--seed", seed, *extra, path)
        return self.split(path.read_bytes(), type_name, count)

    def split(self, content, type_name, count):
        self.assertEqual(content[:8], b"\x93NUMPY\x01\x00")
        length = int.from_bytes(content[8:10], "little")
        self.assertEqual((10 + length) % 64, 0)
        header = ast.literal_eval(content[10:10 + length].decode("ascii"))
        self.assertEqual(header, {"descr": DESCR[type_name], "fortran_order": False, "shape": (count,)})
        return content[10 + length:]

    def test_committed_checksums(self):
        sums = committed()
        self.assertEqual(len(sums), len(CASES) * sum(map(len, DISTRIBUTIONS.values())))
        for (distribution, type_name, seed, count), expected in sums.items():
            with self.subTest(type=type_name, distribution=distribution, seed=seed, count=count):
                data = self.elements(type_name, count, seed, distribution)
                self.assertEqual(hashlib.sha256(data).hexdigest(), expected)
                self.assertEqual(oracle_hash(distribution, type_name, seed, count), expected)

    def test_counts_around_a_block_and_none(self):
        for count in (0, 1, 3):
            self.assertEqual(self.elements("f32", count, 7), generate("uniform", "f32", 7, count).tobytes())
        whole = self.elements("u32", (1 << 20) + 3, 0)
        self.assertEqual(len(whole), 4 * ((1 << 20) + 3))
        self.assertEqual(whole[:4096], generate("uniform", "u32", 0, 1024).tobytes())
        self.assertEqual(self.elements("u32", 1 << 20, 0), whole[:4 << 20])

    def test_standard_output_is_the_same_file(self):
        path = self.folder / "y.npy"
        self.elements("f64", 1000, 3, "wide", path)
        result = run("generate", "--type", "f64", "--count", 1000, "--seed", 3, "--distribution", "wide", "-")
        self.assertEqual((result.returncode, result.stdout), (0, path.read_bytes()))

    def test_generate_then_reduce_is_the_test_vector(self):
        path = self.folder / "z.npy"
        for n, bits in ((100003, "0x4051f7a1b4cc2db6"), (1048576, "0xc05952ca0462b75c"),
                        (3000001, "0xc0738681b9d57342")):
            self.elements("f64", n, 0, None, path)
            self.assertIn(bits, self.succeed("reduce", path, "--fold", "sum", "--json"))

    def test_a_failed_write_leaves_no_half_file(self):
        result = run("generate", "--type", "f32", "--count", 100000, "--seed", 0, "/dev/full")
        self.assertEqual(result.returncode, FAILED)
        path = self.folder / "half.npy"
        for script in ('ulimit -f 100; exec "$0" "$@"', 'trap "" XFSZ; ulimit -f 100; exec "$0" "$@"'):
            result = subprocess.run(["sh", "-c", script, PROGRAM, "generate", "--type", "f64", "--count",
                                     "1000000", "--seed", "0", str(path)], capture_output=True)
            self.assertEqual(result.returncode, FAILED, result.stderr)
            self.assertIn(b"too large", result.stderr)
            self.assertFalse(path.exists())

    def test_an_interrupt_leaves_no_half_file(self):
        """Nor does the signal of a batch system."""
        for number in (signal.SIGINT, signal.SIGTERM):
            path = self.folder / "half.npy"
            program = subprocess.Popen([PROGRAM, "generate", "--count", "2^30", str(path)], stderr=subprocess.PIPE)
            deadline = time.monotonic() + 60
            while not (path.exists() and path.stat().st_size > 0) and time.monotonic() < deadline:
                time.sleep(0.01)
            program.send_signal(number)
            program.communicate(timeout=60)
            self.assertEqual(program.returncode, -number, "ended by the signal, as shells expect")
            self.assertFalse(path.exists())


if __name__ == "__main__":
    unittest.main()
