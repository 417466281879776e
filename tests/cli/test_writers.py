"""Arrays as any writer stores them have the bits of the same array as numpy stores it on a PC."""

import itertools
import json
import math
import math
import struct
import unittest

from support import BAD_INPUT, DESCR, ProgramTest, data_of, header_text, npy, npy_of


def some(type_name, count):
    """Elements of any type; the oracle makes none of the narrow ones."""
    if type_name == "f16":
        return struct.pack(f"<{count}e", *((7 * i % 97 - 48) / 8 for i in range(count)))
    if type_name in ("i8", "i16", "u16"):
        return data_of("u32", count)[:count * int(type_name[1:]) // 8]
    return data_of(type_name, count)


def swapped(data, size):
    return b"".join(data[i:i + size][::-1] for i in range(0, len(data), size))


def in_fortran_order(data, size, shape):
    """The elements of an array in C order, the first index fastest."""
    strides = [math.prod(shape[d + 1:]) for d in range(len(shape))]
    indices = itertools.product(*(range(n) for n in reversed(shape)))
    offsets = [sum(i * s for i, s in zip(reversed(index), strides)) for index in indices]
    return b"".join(data[o * size:(o + 1) * size] for o in offsets)


class Writers(ProgramTest):
    def results(self, content, *arguments):
        """Through a file and a pipe, which must agree."""
        path = self.file(content)
        out = self.succeed("reduce", path, *arguments, "--json")
        self.assertEqual(self.succeed("reduce", "-", *arguments, "--json", stdin=content), out)
        return json.loads(out)

    def test_big_endian(self):
        for type_name, part in (("f16", 2), ("f32", 4), ("f64", 8), ("i16", 2), ("i32", 4), ("i64", 8), ("u16", 2),
                                ("u32", 4), ("u64", 8), ("c64", 4), ("c128", 8)):
            data = some(type_name, 3001)
            descr = ">" + DESCR[type_name][1:]
            folds = ("--fold", "sum") if type_name[0] == "c" else ("--fold", "sum,argmin")
            wanted = self.results(npy_of(type_name, "(3001,)", data), *folds)
            for extra in ((), ("--block-bytes", "16KiB")):
                with self.subTest(type=type_name, extra=extra):
                    self.assertEqual(self.results(npy(header_text(descr, "(3001,)"), swapped(data, part)), *folds,
                                                  *extra), wanted)

    def test_bytes_have_no_order(self):
        for code, values in (("u1", (200, 3)), ("i1", (5, 3)), ("b1", (1, 1))):
            wanted = str(sum(values))
            for order in "<>|":
                content = npy(header_text(order + code, "(2,)"), bytes(values))
                self.assertEqual(self.succeed("reduce", self.file(content), "--fold", "sum"), wanted + "\n")

    def test_booleans_are_0_or_1(self):
        path = self.file(npy(header_text("|b1", "(5,)"), bytes((1, 0, 7, 255, 1))))
        self.assertEqual(self.succeed("reduce", path, "--fold", "sum,max"), "sum 4\nmaximum 1\n")

    def test_fortran_order_of_any_rank(self):
        for shape in ((3,), (2, 3), (70, 45), (3, 4, 5), (1, 6, 1, 4), (2, 3, 4, 5), (2, 1, 3, 2, 2, 1, 2, 3, 2),
                      (0, 3), (4, 0, 2)):
            count = math.prod(shape)
            data = data_of("f32", count)
            text = str(shape)
            c_order = npy_of("f32", text, data)
            f_order = npy(header_text("<f4", text, "True"), in_fortran_order(data, 4, shape))
            with self.subTest(shape=shape):
                path, other = self.file(c_order, "c.npy"), self.file(f_order, "f.npy")
                self.assertEqual(self.results(f_order), self.results(c_order))  # with positions
                self.assertIn("same bits", self.succeed("diff", path, other))
                if len(shape) == 2:
                    self.assertEqual(self.results(f_order, "--fold", "sum,argmin", "--rows") if shape[1] else 0,
                                     self.results(c_order, "--fold", "sum,argmin", "--rows") if shape[1] else 0)
                if len(shape) > 1:
                    self.assertEqual(self.results(f_order, "--fold", "sum", "--axis", "0"),
                                     self.results(c_order, "--fold", "sum", "--axis", "0"))

    def test_fortran_order_of_every_width_and_big_endian(self):
        for type_name, size, part in (("i8", 1, 1), ("f16", 2, 2), ("f64", 8, 8), ("c128", 16, 8)):
            data = some(type_name, 33 * 34)
            wanted = self.results(npy_of(type_name, "(33, 34)", data), "--fold", "sum", "--axis", "1")
            turned = in_fortran_order(data, size, (33, 34))
            for descr, stored in ((DESCR[type_name], turned), (">" + DESCR[type_name][1:], swapped(turned, part))):
                self.assertEqual(self.results(npy(header_text(descr, "(33, 34)", "True"), stored), "--fold", "sum",
                                              "--axis", "1"), wanted)

    def test_a_truncated_file_in_fortran_order(self):
        content = npy(header_text("<f4", "(4, 4)", "True"), bytes(60))
        self.refuse(BAD_INPUT, ["truncated"], "reduce", self.file(content))
        self.refuse(BAD_INPUT, ["truncated"], "reduce", "-", stdin=content)

    def test_a_single_element(self):
        content = npy_of("f64", "()", struct.pack("<d", 2.5))
        self.assertEqual(self.results(content, "--fold", "sum")["value"], 2.5)

    def test_spellings_of_the_header(self):
        for text in ('{"descr": "<f4", "fortran_order": False, "shape": (2,)}',
                     "{u'descr': u'<f4', u'fortran_order': False, u'shape': (2L,)}",
                     "{'shape': (2, ),\n 'fortran_order' : False ,'descr':'<f4'}"):
            self.assertEqual(self.results(npy(text, struct.pack("<2f", 1, 2)), "--fold", "sum")["value"], 3)

    def test_offsets_of_any_integers(self):
        path = self.file(npy_of("f32", "(5,)", struct.pack("<5f", 1, 2, 3, 4, 5)))
        letters = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}
        for order, (code, letter) in itertools.product("<>", letters.items()):
            offsets = self.file(npy(header_text(order + code, "(3,)"), struct.pack(f"{order}3{letter}", 0, 2, 5)),
                                "offsets.npy")
            with self.subTest(code=order + code):
                self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--segments", offsets), "3.0\n12.0\n")
        long = self.file(npy_of("u8", "(70000,)", bytes(69999) + b"\1"), "long.npy")
        for code, letter, end in (("u2", "H", 65535), ("u1", "B", 255), ("u4", "I", 70000)):
            offsets = self.file(npy(header_text("<" + code, "(2,)"), struct.pack(f"<2{letter}", 0, end)), "offsets.npy")
            self.assertEqual(self.succeed("reduce", long, "--fold", "sum", "--segments", offsets),
                             f"{int(end == 70000)}\n")
        for code, packed in (("<u8", struct.pack("<2Q", 0, 1 << 63)), ("|i1", struct.pack("<2b", 0, -1))):
            wrong = self.file(npy(header_text(code, "(2,)"), packed), "wrong.npy")
            self.refuse(BAD_INPUT, ["offsets"], "reduce", path, "--fold", "sum", "--segments", wrong)

    def test_bf16_of_ml_dtypes(self):
        data = struct.pack("<3H", 0x3F80, 0xC000, 0x4040)  # 1, -2, 3
        for descr in ("<V2", "|V2"):
            path = self.file(npy(header_text(descr, "(3,)"), data))
            self.refuse(BAD_INPUT, [descr, "--type bf16"], "reduce", path, "--fold", "sum")
            self.refuse(BAD_INPUT, [descr, "--type bf16"], "reduce", path, "--fold", "sum", "--type", "f16")
            self.assertEqual(self.succeed("reduce", path, "--fold", "sum", "--type", "bf16"), "2.0\n")

    def test_native_order(self):
        """As numpy's own reader takes types without an order, and with '=' or '|'."""
        for descr, letter in (("f4", "f"), ("=f4", "f"), ("|f4", "f"), ("=i8", "q"), ("u2", "H"), ("=f2", "e")):
            path = self.file(npy(header_text(descr, "(3,)"), struct.pack(f"=3{letter}", 1, 2, 4)))
            with self.subTest(descr=descr):
                self.assertIn(self.succeed("reduce", path, "--fold", "sum"), ("7\n", "7.0\n"))
        for descr in ("?", "|?", "b1"):
            path = self.file(npy(header_text(descr, "(3,)"), bytes([1, 0, 7])))
            self.assertEqual(self.succeed("reduce", path, "--fold", "sum"), "2\n")
        path = self.file(npy(header_text("bfloat16", "(1,)"), bytes(2)))
        self.refuse(BAD_INPUT, ["bfloat16", "--type bf16", "<f4"], "reduce", path)

    def test_long_doubles(self):
        for descr, other in (("<f16", "<f8"), ("<c32", "<c16")):
            sentence = self.refuse(BAD_INPUT, ["long double", descr, other], "reduce",
                                   self.file(npy(header_text(descr, "(1,)"), bytes(32))))
            self.assertNotIn("f16, f32", sentence)  # which is another f16

    def test_other_formats_name_the_way(self):
        for content, words in ((b"1.5,2.5\n3,4\n", ["text", "np.loadtxt('x.csv', delimiter=',')", "np.save"]),
                               (b"a,b\n1,2\n", ["text", "np.loadtxt('x.csv', delimiter=',', skiprows=1)"]),
                               (b'{"u": [1.5, 2.5]}\n', ["text", "json.load(open('x.json'))['name of the array']"]),
                               (b" [1.5,\n 2.5]\n", ["text", "np.save('x.npy', json.load(open('x.json')))"]),
                               (b"# a\n1 2\t3\r\n", ["text", "np.loadtxt('x.txt')", "np.save"])):
            path = self.file(content, "x.csv")
            self.refuse(BAD_INPUT, words, "reduce", path)
            self.refuse(BAD_INPUT, words, "reduce", "-", "--fold", "sum", stdin=content)
            self.refuse(BAD_INPUT, words, "diff", path, path)
            # Text is no raw binary either, but for its bytes.
            for type_name in ("f32", "i16"):
                self.refuse(BAD_INPUT, words[:1], "reduce", path, "--type", type_name, "--fold", "sum")
            self.refuse(BAD_INPUT, words[:1], "reduce", "-", "--type", "f32", stdin=content)
            self.assertEqual(self.succeed("reduce", path, "--type", "u8", "--fold", "sum"), f"{sum(content)}\n")

    def test_text_whose_first_line_is_long(self):
        """The end of the line lies beyond what is looked at, or there is none."""
        numbers = [str(i / 7) for i in range(2000)]
        names = [f"column_{i}" for i in range(2000)]
        for content, words in ((",".join(numbers).encode(), ["delimiter=',')"]),
                               ("\t".join(numbers).encode(), ["np.loadtxt('x.txt')"]),
                               (";".join(names).encode() + b"\n1;2\n", ["delimiter=';', skiprows=1)"]),
                               ("\ufeff\u00b5m,\u6e29\u5ea6\n1,2\n".encode(), ["skiprows=1", "utf-8-sig"])):
            content += b" " * (-len(content) % 8)
            path = self.file(content, "x.csv")
            words = ["text", "np.save", *words]
            self.refuse(BAD_INPUT, words, "reduce", path)
            self.refuse(BAD_INPUT, words, "reduce", path, "--type", "f64", "--fold", "sum")
            self.refuse(BAD_INPUT, words, "reduce", "-", "--type", "f32", "--fold", "sum", stdin=content)

    def test_numbers_that_look_like_text(self):
        data = struct.pack("<2f", 2.59e-9, 1e-7) + b"1234"  # no end of a line
        self.succeed("reduce", self.file(data, "x.bin"), "--type", "f32", "--fold", "sum")
        self.succeed("reduce", self.file(b"12\n4", "x.bin"), "--type", "f32", "--fold", "sum")  # one element
        # Digits in front, digits alone, and what is no UTF-8.
        for content in (b"12345678" + struct.pack("<3d", 1, 2, 3), b"1234567812345678" * 400,
                        b"1,2,3,4,5,6,7,8,9,10\n\xc3(\xff"):
            values = struct.unpack(f"<{len(content) // 8}d", content)
            out = self.succeed("reduce", self.file(content, "x.bin"), "--type", "f64", "--fold", "sum", "--exact")
            self.assertEqual(float(out), math.fsum(values))
        # Whoever says how many there are means them.
        content = b"1,2,3,4,5,6,7,8\n"
        path = self.file(content, "x.bin")
        self.refuse(BAD_INPUT, ["--shape"], "reduce", path, "--type", "f64", "--fold", "sum")
        self.refuse(BAD_INPUT, ["text"], "reduce", path, "--type", "f64", "--shape", "3", "--fold", "sum")
        out = self.succeed("reduce", path, "--type", "f64", "--shape", "2", "--fold", "sum")
        self.assertEqual(float(out), math.fsum(struct.unpack("<2d", content)))

    def test_elements_that_are_no_numbers_name_the_way(self):
        for descr, words in (("|O", ["Python objects", "astype('<f8')"]), ("<U3", ["text", "astype"]),
                             ("<M8[D]", ["dates or times", "x.view('<i8')"]), ("|S2", ["text", "astype"])):
            self.refuse(BAD_INPUT, [descr, *words], "reduce", self.file(npy(header_text(descr, "(1,)"), bytes(12))))


class RawShapes(ProgramTest):
    def test_a_shape_and_an_order(self):
        data = data_of("f64", 60)
        folds = ("--fold", "sum,argmax", "--axis", "0,2", "--json")
        wanted = self.succeed("reduce", self.file(npy_of("f64", "(3, 4, 5)", data)), *folds)
        raw = self.file(data, "c.bin")
        turned = self.file(in_fortran_order(data, 8, (3, 4, 5)), "f.bin")
        how = ("--type", "f64", "--shape", "3,4,5")
        self.assertEqual(self.succeed("reduce", raw, *how, *folds), wanted)
        self.assertEqual(self.succeed("reduce", raw, *how, "--order", "C", *folds), wanted)
        self.assertEqual(self.succeed("reduce", turned, *how, "--order", "F", *folds), wanted)
        self.assertEqual(self.succeed("reduce", "-", *how, "--order", "F", *folds, stdin=turned.read_bytes()), wanted)
        self.assertIn("shape (3, 4, 5)", self.succeed("reduce", raw, *how))
        for written in ("(3, 4, 5)", "(3,4,5,)", "3, 4, 5", " (3,4,5) ",  # as numpy prints it
                        "3x4x5", "3X4X5", "3*4*5", "3 4 5", "[3, 4, 5]", "[3  4 5]", "3,2^2,5e0"):
            self.assertEqual(self.succeed("reduce", raw, *how[:3], written, *folds), wanted)
        self.assertEqual(self.succeed("reduce", turned, *how, "--order", "f", *folds), wanted)
        self.assertIn("shape (60,)", self.succeed("reduce", raw, *how[:3], "(60,)"))
        self.assertIn("shape ()", self.succeed("reduce", self.file(data[:8], "one.bin"), *how[:3], "()"))
        self.assertEqual(self.succeed("reduce", raw, "--type", "f64", "--shape", "12,5", "--rows", "--fold", "sum"),
                         self.succeed("reduce", self.file(npy_of("f64", "(12, 5)", data)), "--rows", "--fold", "sum"))

    def test_what_does_not_fit(self):
        raw = self.file(bytes(24), "x.bin")
        for words, *arguments in ((["24 bytes", "--shape", "32"], "--type", "f64", "--shape", "4"),
                                  (["24 bytes", "--shape", "16"], "--type", "f64", "--shape", "2,1"),
                                  (["'x'", "100,200"], "--type", "f64", "--shape", "3,x"),
                                  (["'(3'"], "--type", "f64", "--shape", "(3,1"), (["''"], "--type", "f64", "--shape", "(3,,)"),
                                  (["'-3'"], "--type", "f64", "--shape", "-3"),
                                  (["--shape ''"], "--type", "f64", "--shape", ""),
                                  (["--shape '3xx1'", "''"], "--type", "f64", "--shape", "3xx1"),
                                  (["64-bit"], "--type", "f64", "--shape", "4294967296,4294967296"),
                                  (["--shape"], "--type", "f64", "--order", "F"),
                                  (["order"], "--type", "f64", "--shape", "3", "--order", "K"),
                                  (["--type"], "--shape", "3")):
            with self.subTest(arguments=arguments):
                self.refuse(BAD_INPUT, words, "reduce", raw, *arguments)
        self.refuse(BAD_INPUT, ["truncated", "--shape"], "reduce", "-", "--type", "f64", "--shape", "4",
                    stdin=bytes(24))
        self.refuse(BAD_INPUT, ["goes on", "--shape"], "reduce", "-", "--type", "f64", "--shape", "2",
                    stdin=bytes(24))
        self.refuse(BAD_INPUT, ["--shape"], "reduce", self.file(npy_of("f64", "(3,)", bytes(24))), "--shape", "3")


if __name__ == "__main__":
    unittest.main()
