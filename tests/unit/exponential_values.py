#!/usr/bin/env python3
"""Writes exponential_values.hpp: inputs of exp and log with the nearest results, from mpmath (200 bits).

    python3 tests/unit/exponential_values.py > tests/unit/exponential_values.hpp
"""
import random
import struct

from mpmath import mp, mpf

mp.prec = 200
FORMATS = {"float": ("<f", "<I", 24, -149, 128), "double": ("<d", "<Q", 53, -1074, 1024)}


def bits(kind, value):
    code, integer, *_ = FORMATS[kind]
    return struct.unpack(integer, struct.pack(code, value))[0]


def from_bits(kind, pattern):
    code, integer, *_ = FORMATS[kind]
    return struct.unpack(code, struct.pack(integer, pattern))[0]


def nearest(kind, exact):
    """The nearest number of the format, ties to even, subnormals included, as a Python float."""
    _, _, digits, lowest, highest = FORMATS[kind]
    if exact == 0:
        return 0.0
    _, exponent = mp.frexp(abs(exact))
    last = max(exponent - digits, lowest)
    rounded = mp.nint(mp.ldexp(exact, -last))
    value = mp.ldexp(rounded, last)
    return float("inf") if abs(value) >= mp.ldexp(1, highest) else float(value)


def exp_inputs(kind, generator):
    largest, smallest = (88.7, -103.9) if kind == "float" else (709.7, -745.1)
    ln2 = float(mp.log(2))
    yield from (1.0, -1.0, 0.5, largest, smallest, -ln2 / 2, ln2 / 2, 2.0**-30, -2.0**-60)
    for _ in range(24):
        yield generator.uniform(smallest, largest)
    for _ in range(16):  # next to the ends of the reduced range
        yield (generator.randrange(-140, 120) + 0.5) * ln2 * (1 + generator.uniform(-1, 1) * 1e-6)
    for _ in range(16):  # subnormal results
        yield generator.uniform(smallest, smallest + (16 if kind == "float" else 36))


def log_inputs(kind, generator):
    _, _, digits, lowest, highest = FORMATS[kind]
    yield from (2.0, 0.5, 10.0, 1 + 2.0**(1 - digits), 1 - 2.0**-digits, 2.0**lowest, 0.7071067811865476,
                1.4142135623730951)
    for _ in range(24):
        yield generator.uniform(0.5, 2.0) * 2.0**generator.randrange(lowest + 60, highest - 2)
    for _ in range(16):  # near 1
        yield 1 + generator.uniform(-1, 1) * 2.0**-generator.randrange(1, digits - 2)
    for _ in range(16):  # subnormals
        yield generator.uniform(1, 2) * 2.0**generator.randrange(lowest, lowest + digits - 2)


def main():
    print("// Inputs of exp and log with the nearest results, as bits. Written by exponential_values.py.")
    print("#pragma once\n\n#include <cstdint>\n\nnamespace exponential_test {\n")
    print("template <class Bits>\nstruct Value {\n  Bits input;\n  Bits nearest;\n};\n")
    for name, function, inputs in (("exp", mp.exp, exp_inputs), ("log", mp.log, log_inputs)):
        for kind in FORMATS:
            word = "std::uint32_t" if kind == "float" else "std::uint64_t"
            suffix = "f32" if kind == "float" else "f64"
            digits = 8 if kind == "float" else 16
            print(f"inline constexpr Value<{word}> {name}_{suffix}[] = {{")
            for x in inputs(kind, random.Random(20)):
                pattern = bits(kind, x)
                exact = function(mpf(from_bits(kind, pattern)))
                print(f"    {{0x{pattern:0{digits}x}U, 0x{bits(kind, nearest(kind, exact)):0{digits}x}U}},")
            print("};\n")
    print("}  // namespace exponential_test")


if __name__ == "__main__":
    main()
