"""Damaged .npy files: thousands of deterministic mutations, of which none may crash the program."""

import random
import struct
import unittest

from support import BAD_INPUT, FAILED, FINE, ProgramTest, header_text, npy, run

WORDS = [b"'", b'"', b"(", b")", b"{", b"}", b"[", b",", b":", b"\x00", b"\xff", b"True", b"False", b"-1",
         b"99999999999999999999", b"9223372036854775807", b"0", b"L", b"'descr'", b"'shape'", b"<f8", b">f4",
         b" " * 70, b"\n", b"\x93NUMPY", b"(1, 2)", b"(0, 3)", b"(3, 0)"]


def mutate(random_source, content):
    content = bytearray(content)
    for _ in range(random_source.choice((1, 1, 1, 2, 3, 8))):
        position = random_source.randrange(len(content) + 1)
        kind = random_source.randrange(5)
        if kind == 0 and position < len(content):
            content[position] ^= 1 << random_source.randrange(8)
        elif kind == 1:
            content[position:position] = random_source.choice(WORDS)
        elif kind == 2:
            del content[position:position + random_source.choice((1, 2, 5, 30))]
        elif kind == 3 and position < len(content):
            word = random_source.choice(WORDS)
            content[position:position + len(word)] = word
        else:
            content = content[:position]
    return bytes(content)


class Fuzz(ProgramTest):
    def test_no_mutation_crashes(self):
        seeds = [npy(header_text("<f4", "(4,)"), bytes(16)), npy(header_text("<f8", "(2, 3)"), bytes(48), (2, 0)),
                 npy(header_text("<i4", "(2, 2)", "True"), bytes(16), (3, 0))]
        random_source = random.Random(20240229)
        codes = {}
        for i in range(1500):
            content = mutate(random_source, random_source.choice(seeds))
            options = ((), ("--rows",), ("--box", "::-1"))[i // 3 % 3]
            piped = i % 3 == 0
            name = "-" if piped else self.file(content)
            result = run("reduce", name, "--fold", "sum", "--backend", "reference", *options,
                         stdin=content if piped else b"")
            self.assertIn(result.returncode, (FINE, BAD_INPUT, FAILED), (content, result))
            if result.returncode == FAILED:  # a damaged shape may ask for more memory than there is
                self.assertIn(b"memory", result.stderr, content)
            self.assertNotIn(b"terminate", result.stderr)
            self.assertEqual(result.returncode == FINE, result.stderr == b"", (content, result))
            codes[result.returncode] = codes.get(result.returncode, 0) + 1
        self.assertGreater(codes.get(FINE, 0), 20, "some mutations are harmless")
        self.assertGreater(codes.get(BAD_INPUT, 0), 500)

    def test_no_mutation_of_a_mask_or_of_offsets_crashes(self):
        random_source = random.Random(20240607)
        data = self.file(npy(header_text("<f4", "(6,)"), bytes(24)))
        files = {"--mask": npy(header_text("|b1", "(6,)"), bytes((1, 0) * 3)),
                 "--segments": npy(header_text("<i4", "(3,)"), struct.pack("<3i", 0, 2, 6))}
        codes = []
        for i in range(300):
            option = ("--mask", "--segments")[i % 2]
            path = self.file(mutate(random_source, files[option]), "other.npy")
            result = run("reduce", data, "--fold", "sum", option, path, "--backend", "reference")
            self.assertIn(result.returncode, (FINE, BAD_INPUT), (path.read_bytes(), result))
            self.assertEqual(result.returncode == FINE, result.stderr == b"", (path.read_bytes(), result))
            codes.append(result.returncode)
        self.assertGreater(codes.count(FINE), 0)
        self.assertGreater(codes.count(BAD_INPUT), 100)


if __name__ == "__main__":
    unittest.main()
