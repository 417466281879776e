"""isofold diff and isofold fingerprint: the same bits or not, and where not, with the data or without them."""

import json
import random
import struct
import unittest

from support import BAD_INPUT, DIFFERENCE, FINE, ProgramTest, data_of, header_text, npy, npy_of, run

BYTES = {"f32": 4, "f64": 8, "i32": 4, "i64": 8, "u32": 4, "u64": 8, "f16": 2, "i8": 1, "u8": 1, "i16": 2, "u16": 2,
         "c64": 8, "c128": 16}
CHUNK = 1024
WORD = (1 << 64) - 1


def mix(s):
    s = (s ^ s >> 30) * 0xBF58476D1CE4E5B9 & WORD
    s = (s ^ s >> 27) * 0x94D049BB133111EB & WORD
    return s ^ s >> 31


def join(left, right):
    return mix(mix(left) + right & WORD)


def hashes_of(data, element_bytes):
    """The hash of each chunk, as include/isofold/fingerprint.hpp defines it, written from there."""
    elements = [int.from_bytes(data[i:i + element_bytes], "little") for i in range(0, len(data), element_bytes)]
    keys = [mix((p + 1) * 0x9E3779B97F4A7C15 & WORD) for p in range(CHUNK)]

    def hash_of(bits, key):
        first = mix((bits & WORD) ^ key)
        return first if element_bytes < 16 else mix(first + (bits >> 64) & WORD)

    return [sum(map(hash_of, elements[k:k + CHUNK], keys)) & WORD for k in range(0, len(elements), CHUNK)]


def ranges_of(indices):
    """Sorted indices as [first, count], neighbours merged."""
    ranges = []
    for i in indices:
        if ranges and sum(ranges[-1]) == i:
            ranges[-1][1] += 1
        else:
            ranges.append([i, 1])
    return ranges


class DiffTest(ProgramTest):
    def diff(self, first, second, *options, stdin=b""):
        result = run("diff", first, second, "--json", *options, stdin=stdin)
        self.assertEqual(result.stderr, b"")
        out = json.loads(result.stdout)
        self.assertEqual(result.returncode, FINE if out["equal"] else DIFFERENCE)
        self.assertEqual(out["equal"], out["differing_chunks"] == 0)
        return out

    def fingerprint(self, path, name):
        out = self.folder / name
        self.succeed("fingerprint", path, "-o", out)
        return out

    def listed(self, out):
        return [[r["first"], r["count"]] for r in out["ranges"]]


class Elements(DiffTest):
    def test_every_type(self):
        for type_name, size in BYTES.items():
            with self.subTest(type=type_name):
                data = bytearray(random.Random(1).randbytes(3000 * size))
                a = self.file(npy_of(type_name, "(3000,)", data), "a.npy")
                data[2000 * size] ^= 1
                b = self.file(npy_of(type_name, "(3000,)", data), "b.npy")
                self.assertTrue(self.diff(a, a)["equal"])
                out = self.diff(a, b)
                self.assertEqual((out["type"], out["differing_elements"]), (type_name, 1))
                self.assertEqual(self.listed(out), [[2000, 1]])
                self.assertEqual((out["first"]["index"], out["first"]["position"]), (2000, [2000]))
                first = [bits["real"] if isinstance(bits, dict) else bits for bits in out["first"]["bits"]]
                self.assertEqual(int(first[0], 16) ^ int(first[1], 16), 1)
                prints = [self.fingerprint(path, "print." + name) for path, name in ((a, "a"), (b, "b"))]
                self.assertEqual(self.listed(self.diff(*prints)), [[1024, 1024]])

    def test_random_places(self):
        source = random.Random(20261121)
        count = 3 * CHUNK + 100
        for _ in range(30):
            data = bytearray(data_of("f32", count))
            a = self.file(npy_of("f32", f"({count},)", data), "a.npy")
            places = set()
            for _ in range(source.choice((1, 2, 5, 50))):
                first = source.randrange(count)
                places.update(range(first, min(count, first + source.choice((1, 1, 2, 700)))))
            for i in places:
                data[4 * i + source.randrange(4)] ^= 1 << source.randrange(8)
            b = self.file(npy_of("f32", f"({count},)", data), "b.npy")
            ranges = ranges_of(sorted(places))
            chunks = sorted({i // CHUNK for i in places})
            out = self.diff(a, b, "--ranges", "3")
            self.assertEqual(self.listed(out), ranges[:3])
            self.assertEqual((out["differing_ranges"], out["differing_elements"], out["differing_chunks"]),
                             (len(ranges), len(places), len(chunks)))
            by_chunk = [[first * CHUNK, min(n * CHUNK, count - first * CHUNK)] for first, n in ranges_of(chunks)]
            for one, other in ((self.fingerprint(a, "a"), b), (a, self.fingerprint(b, "b")),
                               (self.folder / "a", self.folder / "b")):
                out = self.diff(one, other)
                self.assertEqual((out["compared"], self.listed(out)), ("fingerprints", by_chunk))
                self.assertEqual(out["differing_chunks"], len(chunks))

    def test_a_range_goes_on_from_one_block_to_the_next(self):
        count = (1 << 20) + 5  # blocks have 2^20 elements
        data = bytearray(count)
        a = self.file(npy_of("u8", f"({count},)", data), "a.npy")
        for i in ((1 << 20) - 1, 1 << 20, count - 1):
            data[i] = 1
        b = self.file(npy_of("u8", f"({count},)", data), "b.npy")
        self.assertEqual(self.listed(self.diff(a, b)), [[(1 << 20) - 1, 2], [count - 1, 1]])

    def test_bits_count_not_values(self):
        for one, other, values in ((struct.pack("<d", 0.0), struct.pack("<d", -0.0), [0.0, -0.0]),
                                   (bytes.fromhex("000000000000f87f"), bytes.fromhex("010000000000f87f"),
                                    ["nan", "nan"])):
            a = self.file(npy_of("f64", "(1,)", one), "a.npy")
            b = self.file(npy_of("f64", "(1,)", other), "b.npy")
            out = self.diff(a, b)
            self.assertEqual(str(out["first"]["values"]), str(values))
            self.assertFalse(self.diff(self.fingerprint(a, "p"), b)["equal"])
            self.assertTrue(self.diff(self.folder / "p", a)["equal"])

    def test_what_sums_do_not_see(self):
        """Swapped elements, swapped chunks and equal sums, seen by fingerprints."""
        x = list(range(4 * CHUNK))
        swapped = x[:]
        swapped[3], swapped[4] = x[4], x[3]
        chunks = x[CHUNK:2 * CHUNK] + x[:CHUNK] + x[2 * CHUNK:]
        equal_sum = x[:]
        equal_sum[7], equal_sum[9] = x[7] + 1, x[9] - 1
        pack = struct.Struct(f"<{len(x)}i").pack
        a = self.fingerprint(self.file(npy_of("i32", f"({len(x)},)", pack(*x)), "a.npy"), "a")
        for other, ranges in ((swapped, [[0, CHUNK]]), (chunks, [[0, 2 * CHUNK]]), (equal_sum, [[0, CHUNK]])):
            b = self.file(npy_of("i32", f"({len(x)},)", pack(*other)), "b.npy")
            self.assertEqual(self.listed(self.diff(a, b)), ranges)

    def test_shapes(self):
        data = bytearray(data_of("f32", 24))
        changed = data[:]
        changed[4 * 17] ^= 1
        for shape, position in (("(2, 3, 4)", [1, 1, 1]), ("(24,)", [17]), ("(1, 24)", [0, 17]), ("(24, 1)", [17, 0]),
                                ("(1, 2, 1, 3, 1, 1, 2, 1, 2, 1)", [0, 1, 0, 1, 0, 0, 0, 0, 1, 0])):
            a = self.file(npy_of("f32", shape, data), "a.npy")
            b = self.file(npy_of("f32", shape, changed, (2, 0)), "b.npy")
            out = self.diff(a, b)
            self.assertEqual((out["first"]["index"], out["first"]["position"]), (17, position))
        a = self.file(npy_of("f32", "()", data[:4]), "a.npy")
        self.assertTrue(self.diff(a, a)["equal"])
        for shape in ("(0,)", "(3, 0)"):
            a = self.file(npy_of("f32", shape, b""), "a.npy")
            self.assertTrue(self.diff(a, self.fingerprint(a, "p"))["equal"])

    def test_text(self):
        data = bytearray(struct.pack("<6f", *range(6)))
        a = self.file(npy_of("f32", "(2, 3)", data), "a.npy")
        data[16:20] = struct.pack("<f", 4.5)
        b = self.file(npy_of("f32", "(2, 3)", data), "b.npy")
        self.assertIn("the same bits", self.succeed("diff", a, a))
        result = run("diff", a, b)
        self.assertEqual((result.returncode, result.stderr), (DIFFERENCE, b""))
        for word in ("f32, shape (2, 3)", "1 of 6", "1 of 1", "index 4, at (1, 1)", "4.0 (0x40800000)",
                     "4.5 (0x40900000)", "[4, 5)"):
            self.assertIn(word, result.stdout.decode())
        self.assertNotIn(b"[4, 5)", run("diff", a, b, "--ranges", "0").stdout)
        self.assertIn("the same fingerprint 0x", self.succeed("diff", a, self.fingerprint(a, "p")))

    def test_pipes(self):
        content = npy_of("f32", "(5000,)", data_of("f32", 5000))
        a = self.file(content, "a.npy")
        self.assertTrue(self.diff(a, "-", stdin=content)["equal"])
        self.assertTrue(self.diff("-", a, stdin=content)["equal"])
        piped = run("fingerprint", a, "-o", "-").stdout
        self.assertEqual(piped, self.fingerprint(a, "p").read_bytes())
        self.assertTrue(self.diff(a, "-", stdin=piped)["equal"])
        self.assertEqual(run("fingerprint", "-", "-o", "-", stdin=content).stdout, piped)


class Fingerprints(DiffTest):
    def test_the_bytes_are_those_of_the_definition(self):
        for type_name in ("f32", "f64", "u8", "f16", "c64", "c128"):
            data = random.Random(5).randbytes(2500 * BYTES[type_name])
            path = self.file(npy_of(type_name, "(50, 50)", data))
            content = self.fingerprint(path, "p").read_bytes()
            chunks = hashes_of(data, BYTES[type_name])
            number = {"f32": 1, "f64": 2, "u8": 8, "f16": 11, "c64": 13, "c128": 14}[type_name]
            self.assertEqual(content[:-8], b"isoprint" + struct.pack("<4I2q3Q", 1, 1, number, 2, 50, 50, *chunks))
            digest = join(join(join(join(join(chunks[0], chunks[1]), chunks[2]), number), 50), 50)
            out = json.loads(self.succeed("fingerprint", path, "--json"))
            self.assertEqual((out["digest"], out["shape"], out["chunks"]), (f"0x{digest:016x}", [50, 50], 3))
            self.assertIn(f"0x{digest:016x}", self.succeed("fingerprint", path))
            self.assertIn(f"0x{digest:016x}", self.succeed("fingerprint", self.folder / "p"), "of a stored one")

    def test_damaged(self):
        path = self.file(npy_of("f32", "(3000,)", data_of("f32", 3000)))
        whole = self.fingerprint(path, "p").read_bytes()
        for size in list(range(8, len(whole), 3)) + [len(whole) - 1]:
            damaged = self.file(whole[:size], "damaged")
            self.refuse(BAD_INPUT, ["damaged", "cut or changed"], "diff", path, damaged)
        source = random.Random(11)
        for _ in range(40):
            content = bytearray(whole)
            content[source.randrange(8, len(whole))] ^= 1 << source.randrange(8)
            self.refuse(BAD_INPUT, ["damaged"], "diff", path, self.file(content, "damaged"))
        self.refuse(BAD_INPUT, ["damaged"], "diff", path, self.file(whole + bytes(8), "damaged"))
        self.refuse(BAD_INPUT, ["standard input"], "diff", path, "-", stdin=whole[:-1])


class BadInput(DiffTest):
    def test_what_cannot_be_compared(self):
        a = self.file(npy_of("f32", "(6,)", bytes(24)), "a.npy")
        box = self.file(npy_of("f32", "(2, 3)", bytes(24)), "box.npy")
        integers = self.file(npy_of("i32", "(6,)", bytes(24)), "integers.npy")
        for other in (box, self.fingerprint(box, "print.box")):
            self.refuse(BAD_INPUT, ["(6,)", "(2, 3)", "same shape"], "diff", a, other)
        for other in (integers, self.fingerprint(integers, "print.integers")):
            self.refuse(BAD_INPUT, ["f32", "i32", "one type"], "diff", a, other)

    def test_bad_files(self):
        a = self.file(npy_of("f32", "(6,)", bytes(24)), "a.npy")
        for content, word in ((b"", "0 bytes"), (b"hello, world", "no .npy"), (b"isoprin", "no .npy"),
                              (npy_of("f32", "(6,)", bytes(20)), "truncated"),
                              (npy_of("f32", "(6,)", bytes(25)), "goes on after"),
                              (npy(header_text("<f4", "(2, 3)", "Maybe"), bytes(24)), "fortran_order"),
                              (npy(header_text("|O", "(6,)"), bytes(6)), "objects")):
            bad = self.file(content, "bad.npy")
            for arguments in (("diff", a, bad), ("diff", bad, a), ("fingerprint", bad)):
                self.refuse(BAD_INPUT, ["bad.npy", word], *arguments)
            self.refuse(BAD_INPUT, ["standard input", word], "diff", a, "-", stdin=content)
        self.refuse(BAD_INPUT, ["No such file"], "diff", a, self.folder / "missing.npy")
        self.refuse(BAD_INPUT, ["directory"], "diff", self.folder, a)

    def test_usage(self):
        a = self.file(npy_of("f32", "(6,)", bytes(24)), "a.npy")
        for arguments in (("diff",), ("diff", a), ("diff", a, a, a), ("diff", a, a, "--ranges", "-1"),
                          ("diff", a, a, "--ranges", "many"), ("fingerprint",), ("fingerprint", a, a)):
            with self.subTest(arguments=arguments):
                self.refuse(BAD_INPUT, [], *arguments)
        self.refuse(BAD_INPUT, ["both"], "diff", "-", "-")
        self.refuse(BAD_INPUT, ["input itself"], "fingerprint", a, "-o", a)
        self.refuse(BAD_INPUT, ["JSON"], "fingerprint", a, "-o", "-", "--json")
        self.refuse(BAD_INPUT, ["No such file"], "fingerprint", a, "-o", self.folder / "no" / "x")
        self.assertEqual(a.read_bytes(), npy_of("f32", "(6,)", bytes(24)))


if __name__ == "__main__":
    unittest.main()
