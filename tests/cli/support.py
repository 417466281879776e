"""Support that the tests of the program share: running it, making .npy files, reading the golden results."""

import functools
import io
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest
import zipfile

from checksums import elements  # finds the oracle
from folds import TWO_ARRAY_FOLDS as PAIRS

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ["ISOFOLD_PROGRAM"]
PLANTED = os.environ.get("ISOFOLD_PLANTED", "")
WITHOUT_HIP = os.environ.get("ISOFOLD_WITHOUT_HIP", "")
DESCR = {"f32": "<f4", "f64": "<f8", "i32": "<i4", "i64": "<i8", "u32": "<u4", "u64": "<u8",
         "f16": "<f2", "i8": "|i1", "u8": "|u1", "i16": "<i2", "u16": "<u2", "c64": "<c8", "c128": "<c16"}
DEVICE_BACKENDS = ("cuda", "hip")
FINE, DIFFERENCE, BAD_INPUT, UNAVAILABLE, FAILED = range(5)


def run(*arguments, stdin=b"", env=None, **settings):
    environment = {k: v for k, v in os.environ.items() if k != "ISOFOLD_BACKEND"}
    # A sanitizer's allocator must refuse impossible sizes as the C library does.
    environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":allocator_may_return_null=1"
    # Looking for devices takes a driver most of a second: hide them, and AMD's runtime, from runs that need none.
    if "info" not in arguments and not set(DEVICE_BACKENDS) & set(map(str, arguments)):
        environment.update(CUDA_VISIBLE_DEVICES="", HIP_VISIBLE_DEVICES="")
        if WITHOUT_HIP:
            environment["LD_LIBRARY_PATH"] = f"{WITHOUT_HIP}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    environment.update(env or {})
    return subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True,
                          env=environment, timeout=600, **settings)


def header_text(descr, shape, order="False"):
    return f"{{'descr': {descr!r}, 'fortran_order': {order}, 'shape': {shape}, }}"


def npy(text, data=b"", version=(1, 0), magic=b"\x93NUMPY"):
    """A .npy file around any header text, well-formed or not."""
    encoded = text.encode("utf-8")
    length = struct.pack("<H" if version[0] == 1 else "<I", len(encoded) + 1)
    return magic + bytes(version) + length + encoded + b"\n" + data


def npy_of(type_name, shape, data, version=(1, 0)):
    return npy(header_text(DESCR[type_name], shape), data, version)


def npz(members, compression=zipfile.ZIP_STORED):
    """An archive as numpy makes it: sizes of 64 bits in the headers of its files."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", compression) as archive:
        for name, content in members.items():
            with archive.open(name, "w", force_zip64=True) as file:
                file.write(content)
    return memory.getvalue()


@functools.lru_cache(maxsize=64)
def data_of(type_name, count, recipe="uniform", seed=0):
    return elements(recipe, type_name, seed, count)


@functools.lru_cache(maxsize=None)
def info():
    return json.loads(run("info", "--json").stdout)


def available_backends(same_bits_only=False):
    names = [b["name"] for b in info()["backends"] if b["available"]]
    return [n for n in names if not (same_bits_only and n == "kokkos")]


@functools.lru_cache(maxsize=None)
def golden():
    """(fold, type, recipe, seed, n) -> (result type, bits) of tests/golden/ by tree v1, a fold after the other."""
    lines = [line for path in (HERE.parent / "golden").glob("*.txt") for line in path.read_text().splitlines()]
    words = [line.split() for line in lines if line.startswith("tree_v1 ")]
    return {(w[1], w[2], w[3], int(w[4]), int(w[5])): (w[6], w[7]) for w in words}


def unpack(type_name, bits):
    """The value of bits such as 0x3f800000."""
    code = {"f32": "<f", "f64": "<d", "i32": "<i", "i64": "<q", "u32": "<I", "u64": "<Q"}[type_name]
    return struct.unpack(code, int(bits, 16).to_bytes(struct.calcsize(code), "little"))[0]


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, content, name="x.npy"):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def succeed(self, *arguments, **settings):
        result = run(*arguments, **settings)
        self.assertEqual(result.returncode, FINE, result.stderr.decode(errors="replace"))
        return result.stdout.decode()

    def refuse(self, code, words, *arguments, **settings):
        """The program ends with `code` and one sentence that holds each of the words."""
        result = run(*arguments, **settings)
        sentence = result.stderr.decode(errors="replace")
        self.assertEqual(result.returncode, code, sentence)
        self.assertEqual(result.stdout, b"", "standard output carries results only")
        for word in words:
            self.assertIn(word, sentence)
        for trace in ("terminate called", "what():", "core dumped"):
            self.assertNotIn(trace, sentence)
        return sentence
