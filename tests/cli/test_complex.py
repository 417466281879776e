"""Complex elements in every command: the bits, how a complex number is written, and what there is not."""

import json
import math
import struct
import unittest

from checksums import PARTS, elements
from support import (BAD_INPUT, DEVICE_BACKENDS, DIFFERENCE, PLANTED, UNAVAILABLE, ProgramTest, available_backends,
                     data_of, golden, npy_of, run)

CODE = {"c64": "f", "c128": "d"}
FOLDS = ("sum", "product", "absolute_maximum", "norm1", "norm2")
PAIRS = ("dot", "squared_distance")
COMPLEX_RESULTS = ("sum", "product", "dot")
SIZE = {"c64": 8, "c128": 16}


def pack(type_name, *numbers):
    """Python's complex numbers as elements."""
    parts = [part for z in numbers for part in (z.real, z.imag)]
    return struct.pack(f"<{len(parts)}{CODE[type_name]}", *parts)


def hexadecimal(packed):
    return "0x" + packed[::-1].hex()


class ComplexTest(ProgramTest):
    def reduce(self, *arguments, **settings):
        return json.loads(self.succeed("reduce", *arguments, "--json", **settings))

    def array(self, type_name, *numbers, shape=None, name="x.npy"):
        return self.file(npy_of(type_name, shape or f"({len(numbers)},)", pack(type_name, *numbers)), name)

    def random(self, type_name, count, seed=0, name="x.npy"):
        return self.file(npy_of(type_name, f"({count},)", data_of(type_name, count, seed=seed)), name)


def bits_text(bits):
    return ",".join(bits.values()) if isinstance(bits, dict) else bits


def has_golden(fold, type_name, recipe, count):
    return (fold, type_name, recipe, 0, count) in golden()


class Bits(ComplexTest):
    def check(self, out, folds, type_name, recipe, count):
        self.assertEqual((out["type"], out["count"]), (type_name, count))
        self.assertEqual([result["fold"] for result in out["results"]], folds)
        for result in out["results"]:
            self.assertEqual(bits_text(result["bits"]), golden()[result["fold"], type_name, recipe, 0, count][1],
                             result["fold"])

    def cases(self, folds):
        for type_name in CODE:
            for recipe, counts in (("uniform", (0, 1, 65, 1024, 1025, 10000)), ("normal", (1025, 3073)),
                                   ("one_nan", (65, 3073)), ("overflow", (3073,)), ("subnormals", (3073,))):
                for count in counts:
                    named = [fold for fold in folds if has_golden(fold, type_name, recipe, count)]
                    if len(named) > 1:
                        yield type_name, recipe, count, named

    def test_golden_bits_whatever_the_way_in(self):
        seen = set()
        for type_name, recipe, count, folds in self.cases(FOLDS):
            seen.update(folds)
            data = data_of(type_name, count, recipe)
            path = self.file(npy_of(type_name, f"({count},)", data))
            for backend in available_backends(same_bits_only=True):
                if backend in DEVICE_BACKENDS and (recipe, count) != ("uniform", 10000):
                    continue
                for block in ("1", "64KiB"):
                    common = ("--fold", ",".join(folds), "--backend", backend, "--block-bytes", block)
                    with self.subTest(type=type_name, recipe=recipe, n=count, backend=backend, block=block):
                        case = (folds, type_name, recipe, count)
                        self.check(self.reduce(path, *common), *case)
                        self.check(self.reduce("-", *common, stdin=path.read_bytes()), *case)
                        self.check(self.reduce("-", "--type", type_name, *common, stdin=data), *case)
        self.assertEqual(seen, set(FOLDS))

    def test_two_arrays(self):
        for type_name, recipe, count, folds in self.cases(PAIRS):
            x, y = (self.file(npy_of(type_name, f"({count},)", data_of(type_name, count, recipe, seed)), f"{seed}.npy")
                    for seed in (0, 1))
            for block in ("1", "64MiB"):
                with self.subTest(type=type_name, recipe=recipe, n=count, block=block):
                    out = self.reduce(x, y, "--fold", ",".join(folds), "--block-bytes", block)
                    self.check(out, folds, type_name, recipe, count)

    def test_elements_aligned_as_their_parts_are(self):
        """A header of an odd length, after which elements begin at every multiple of 4, and between them."""
        for type_name in CODE:
            expected = golden()["norm2", type_name, "uniform", 0, 1025][1]
            content = npy_of(type_name, "(1025,)", data_of(type_name, 1025))
            length = struct.unpack("<H", content[8:10])[0]
            for more in range(17):
                padded = content[:8] + struct.pack("<H", length + more) + content[10:9 + length] + b" " * more + \
                    content[9 + length:]
                self.assertEqual(self.reduce(self.file(padded), "--fold", "norm2")["bits"], expected)

    @unittest.skipUnless(PLANTED, "needs a shared build")
    def test_memory_that_only_a_device_reads(self):
        env = {"LD_PRELOAD": PLANTED, "PLANTED_FAULT": "device", "PLANTED_LOG": str(self.folder / "largest")}
        for type_name in CODE:
            folds = [fold for fold in FOLDS if has_golden(fold, type_name, "uniform", 10000)]
            out = self.reduce(self.random(type_name, 10000), "--fold", ",".join(folds), "--backend", "reference",
                              "--block-bytes", "32KiB", env=env)
            self.check(out, folds, type_name, "uniform", 10000)


class Formats(ComplexTest):
    def test_text_reads_back_as_the_same_bits(self):
        inf, nan = math.inf, math.nan
        tiny, large = {"c64": (1e-45, 3.4028234663852886e38), "c128": (5e-324, 1.7976931348623157e308)}, 1e22
        for type_name in CODE:
            for parts in ((1.5, -2.25), (0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0), (inf, -inf), (-inf, inf), (nan, 1.0),
                          (-3.0, nan), (nan, nan), (inf, nan), tiny[type_name], (large, -1e-20), (5.0, 7.0)):
                packed = pack(type_name, complex(*parts))
                text = self.succeed("reduce", "-", "--type", type_name, "--fold", "sum", stdin=packed)
                with self.subTest(type=type_name, parts=parts, text=text):
                    self.assertEqual(text.count("\n"), 1)
                    self.assertNotIn(" ", text)
                    read = complex(text.strip())
                    for was, part in zip(parts, (read.real, read.imag)):
                        if math.isnan(was):
                            self.assertTrue(math.isnan(part))
                        else:
                            code = "<" + CODE[type_name]
                            self.assertEqual(struct.pack(code, part), struct.pack(code, was))

    def test_shortest_text_of_the_own_type(self):
        for type_name in CODE:
            path = self.array(type_name, complex(0.1, -2.25))
            self.assertEqual(self.succeed("reduce", path, "--fold", "sum"), "0.1-2.25j\n")
        x = self.array("c64", 3 + 4j, 4.5 - 6j)
        self.assertEqual(self.succeed("reduce", x, "--fold", "sum,product,absolute_maximum,norm1"),
                         "sum 7.5-2.0j\nproduct 37.5+0.0j\nabsolute_maximum 7.5\nnorm1 12.5\n")
        self.assertEqual(self.succeed("reduce", x, x, "--fold", "dot,squared_distance"),
                         "dot 81.25+0.0j\nsquared_distance 0.0\n")

    def test_dot_conjugates_the_first_array(self):
        x = self.array("c128", 1 + 2j, name="x.npy")
        y = self.array("c128", 3 + 5j, name="y.npy")
        self.assertEqual(self.succeed("reduce", x, y, "--fold", "dot"), "13.0-1.0j\n")
        self.assertEqual(self.succeed("reduce", y, x, "--fold", "dot"), "13.0+1.0j\n")

    def test_json_has_two_components(self):
        for type_name, part in PARTS.items():
            z = complex(-0.0, math.inf)
            out = self.reduce(self.array(type_name, z), "--fold", "sum")
            real, imaginary = (hexadecimal(struct.pack("<" + CODE[type_name], x)) for x in (z.real, z.imag))
            self.assertEqual(list(out), ["definition", "fold", "type", "result_type", "count", "backend", "value",
                                         "bits"])
            self.assertEqual(str(out["value"]), str({"real": -0.0, "imaginary": "inf"}))
            self.assertEqual(list(out["bits"].items()), [("real", real), ("imaginary", imaginary)])
            self.assertEqual(out["result_type"], {"real": part, "imaginary": part})
            out = self.reduce(self.array(type_name, 3 + 4j), "--fold", "norm2")
            self.assertEqual((out["result_type"], out["value"]), (part, 5))

    def test_no_elements(self):
        for type_name in CODE:
            path = self.array(type_name)
            self.assertEqual(self.succeed("reduce", path, "--fold", ",".join(FOLDS)),
                             "sum 0.0+0.0j\nproduct 1.0+0.0j\nabsolute_maximum 0.0\nnorm1 0.0\nnorm2 0.0\n")


class Shapes(ComplexTest):
    NUMBERS = tuple(complex(i, -i * i) for i in range(12))

    def text(self, *numbers):
        """Sums of small integers, which are exact."""
        return "".join(f"{z.real:.1f}{z.imag:+.1f}j\n" for z in numbers)

    def test_rows(self):
        for type_name in CODE:
            path = self.array(type_name, *self.NUMBERS, shape="(3, 4)")
            rows = [sum(self.NUMBERS[4 * r:4 * r + 4]) for r in range(3)]
            self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--rows"), self.text(*rows))
            out = self.reduce(path, "--fold", "sum", "--rows")
            self.assertEqual(out["value"], [{"real": z.real, "imaginary": z.imag} for z in rows])
            self.assertEqual([list(bits) for bits in out["bits"]], [["real", "imaginary"]] * 3)
            out = self.reduce(path, "--fold", "sum,norm1", "--rows")
            self.assertEqual([len(result["value"]) for result in out["results"]], [3, 3])

    def test_axes_boxes_masks_and_segments(self):
        z = self.NUMBERS
        mask = self.file(npy_of("u8", "(3, 4)", bytes([1, 0] * 6)), "mask.npy")
        offsets = self.file(npy_of("i64", "(4,)", struct.pack("<4q", 0, 1, 7, 12)), "offsets.npy")
        for type_name in CODE:
            path = self.array(type_name, *z, shape="(3, 4)")
            flat = self.array(type_name, *z, name="flat.npy")
            for arguments, expected in (((path, "--axis", "0"), [z[i] + z[i + 4] + z[i + 8] for i in range(4)]),
                                        ((path, "--box", "::-2,1:3", "--axis", "1"), [z[9] + z[10], z[1] + z[2]]),
                                        ((path, "--box", "1,2"), [z[6]]),
                                        ((path, "--mask", mask), [sum(z[0::2])]),
                                        ((flat, "--segments", offsets), [z[0], sum(z[1:7]), sum(z[7:])])):
                with self.subTest(type=type_name, arguments=arguments):
                    found = self.succeed("reduce", *arguments, "--fold", "sum").split()
                    self.assertEqual([complex(text) for text in found], expected)


class Refusals(ComplexTest):
    def test_folds_that_complex_numbers_do_not_have(self):
        for type_name in CODE:
            path = self.random(type_name, 10)
            for fold in ("minimum", "argmax", "mean", "moments", "any", "count_nonzero", "bit_or", "sum_with_bound",
                         "log_sum_exp"):
                self.refuse(UNAVAILABLE, [f"no fold {fold} ", type_name, "they have", "sum, product", "norm2", "dot"],
                            "reduce", path, "--fold", fold)
            sentence = self.refuse(UNAVAILABLE, ["no fold mean "], "reduce", path, "--fold", "sum,mean,max")
            self.assertNotIn("minimum", sentence)
            self.refuse(UNAVAILABLE, ["weighted_sum", type_name, "dot"], "reduce", path, path, "--fold", "weighted_sum")
            self.refuse(BAD_INPUT, ["--range", type_name, "no order"], "reduce", path, "--fold", "count_in_range",
                        "--range", "0,1")

    def test_what_real_elements_lack_is_said_too(self):
        path = self.file(npy_of("i32", "(2,)", bytes(8)))
        self.refuse(UNAVAILABLE, ["no fold norm2 ", "i32", "bit_xor"], "reduce", path, "--fold", "norm2")

    @unittest.skipUnless("kokkos" in available_backends(), "needs the backend kokkos")
    def test_kokkos_has_none(self):
        self.refuse(UNAVAILABLE, ["kokkos"], "reduce", self.random("c64", 10), "--fold", "sum", "--backend", "kokkos")

    def test_arrays_of_two_types(self):
        x, y = self.random("c64", 10, name="x.npy"), self.random("c128", 10, name="y.npy")
        real = self.file(npy_of("f32", "(10,)", bytes(40)), "real.npy")
        for one, other, words in ((x, y, ["c64", "c128"]), (x, real, ["c64", "f32"])):
            self.refuse(BAD_INPUT, [*words, "one type"], "reduce", one, other, "--fold", "dot")
            self.refuse(BAD_INPUT, [*words, "one type"], "diff", one, other)

    def test_truncated(self):
        for type_name, size in SIZE.items():
            whole = npy_of(type_name, "(10,)", bytes(10 * size))
            self.refuse(BAD_INPUT, ["truncated"], "reduce", self.file(whole[:-size // 2]), "--fold", "sum")
            self.refuse(BAD_INPUT, ["goes on after"], "reduce", self.file(whole + bytes(size)), "--fold", "sum")


class Diff(ComplexTest):
    def test_two_complex_numbers_are_shown(self):
        x = self.array("c64", 1 + 1j, 1.5 - 2.25j, name="x.npy")
        y = self.array("c64", 1 + 1j, complex(1.5, math.nan), name="y.npy")
        result = run("diff", x, y)
        self.assertEqual((result.returncode, result.stderr), (DIFFERENCE, b""))
        for words in ("c64, shape (2,)", "1 of 2", "index 1: 1.5-2.25j (0x3fc00000,0xc0100000) and "
                      "1.5+nanj (0x3fc00000,0x7fc00000)"):
            self.assertIn(words, result.stdout.decode())
        first = json.loads(run("diff", x, y, "--json").stdout)["first"]
        self.assertEqual(first["values"], [{"real": 1.5, "imaginary": -2.25}, {"real": 1.5, "imaginary": "nan"}])
        self.assertEqual(first["bits"], [{"real": "0x3fc00000", "imaginary": "0xc0100000"},
                                         {"real": "0x3fc00000", "imaginary": "0x7fc00000"}])

    def test_a_difference_in_either_part_of_any_element_has_another_fingerprint(self):
        count = 1030
        for type_name, size in SIZE.items():
            data = data_of(type_name, count)
            x = self.file(npy_of(type_name, f"({count},)", data), "x.npy")
            self.succeed("fingerprint", x, "-o", self.folder / "x.print")
            for index in (0, 511, 512, 1023, 1029):
                for byte in (0, size // 2 - 1, size // 2, size - 1):
                    changed = bytearray(data)
                    changed[index * size + byte] ^= 1
                    y = self.file(npy_of(type_name, f"({count},)", changed), "y.npy")
                    self.assertEqual(run("diff", x, y).returncode, DIFFERENCE)
                    self.assertEqual(run("diff", self.folder / "x.print", y).returncode, DIFFERENCE,
                                     (type_name, index, byte))

    def test_swapped_parts_have_another_fingerprint(self):
        for type_name in CODE:
            x = self.array(type_name, 1 + 2j, 3 + 4j, name="x.npy")
            digests = [self.succeed("fingerprint", x).split()[0]]
            for numbers in ((2 + 1j, 3 + 4j), (3 + 4j, 1 + 2j), (1 + 4j, 3 + 2j), (3 + 2j, 1 + 4j)):
                digests.append(self.succeed("fingerprint", self.array(type_name, *numbers, name="y.npy")).split()[0])
            self.assertEqual(len(set(digests)), 5)


class OtherCommands(ComplexTest):
    def test_generate_makes_real_data_in_pairs(self):
        path = self.folder / "z.npy"
        for type_name, size in SIZE.items():
            for distribution in ("uniform", "normal", "cancelling", "wide"):
                self.succeed("generate", "--type", type_name, "--count", 1500, "--seed", 7, "--distribution",
                             distribution, path)
                content = path.read_bytes()
                self.assertIn(f"'descr': '<c{size}', 'fortran_order': False, 'shape': (1500,)".encode(), content)
                self.assertEqual(content[-1500 * size:], elements(distribution, type_name, 7, 1500))
                self.assertEqual(content[-1500 * size:], elements(distribution, PARTS[type_name], 7, 3000))
        self.refuse(BAD_INPUT, ["normal", "c64 and c128", "uniform"], "generate", "--type", "i32", "--count", 1,
                    "--seed", 0, "--distribution", "normal", path)

    def test_generate_then_reduce_is_the_golden_result(self):
        path = self.folder / "z.npy"
        for type_name in CODE:
            self.succeed("generate", "--type", type_name, "--count", 65537, "--seed", 0, path)
            self.assertEqual(bits_text(self.reduce(path, "--fold", "sum")["bits"]),
                             golden()["sum", type_name, "uniform", 0, 65537][1])

    def test_bench(self):
        lines = self.succeed("bench", "--json", "--seconds", "0.001", "--backend", "reference", "--count", "1000",
                             "--type", "c64,c128", "--fold", "sum,norm2").splitlines()
        records = [record for record in map(json.loads, lines) if record["name"] == "isofold"]
        self.assertEqual([(r["type"], r["fold"], r["bytes"]) for r in records],
                         [(t, f, 1000 * size) for t, size in SIZE.items() for f in ("sum", "norm2")])
        self.refuse(UNAVAILABLE, ["no fold mean ", "c64", "norm1"], "bench", "--backend", "reference", "--count", "10",
                    "--type", "c64", "--fold", "mean")


if __name__ == "__main__":
    unittest.main()
