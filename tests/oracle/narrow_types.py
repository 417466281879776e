"""Element types that are converted, exactly, to a wider one as they are read (docs/folds.md): their data sets, as
bit patterns, and what the patterns are worth. Integers only, but for what `struct` decodes.
"""

import math
import struct
from dataclasses import dataclass

import test_data
from test_data import as_signed, word, words

COUNT_DEPENDENT = ("infinity", "opposite_infinities", "one_nan")


@dataclass(frozen=True)
class NarrowType:
    name: str
    bits: int
    computed: str       # the name of the type that folds compute in
    precision: int = 0  # significant bits of a floating-point type; 0 of integers
    infinity: int = 0   # bit patterns
    nan: int = 0

    @property
    def is_float(self):
        return self.precision != 0

    @property
    def sign(self):
        return 1 << (self.bits - 1)


NARROW_TYPES = {t.name: t for t in (
    NarrowType("i8", 8, "i32"), NarrowType("u8", 8, "u32"),
    NarrowType("i16", 16, "i32"), NarrowType("u16", 16, "u32"),
    NarrowType("f16", 16, "f32", 11, 0x7C00, 0xFE55), NarrowType("bf16", 16, "f32", 8, 0x7F80, 0xFFD5))}


def computed_name(type_name):
    return NARROW_TYPES[type_name].computed if type_name in NARROW_TYPES else type_name


def value_of(narrow, pattern):
    """The number, as a Python one, that a bit pattern is worth."""
    if narrow.name == "f16":
        return struct.unpack("<e", struct.pack("<H", pattern))[0]
    if narrow.name == "bf16":
        return struct.unpack("<f", struct.pack("<I", pattern << 16))[0]
    if narrow.is_float:
        return float_of(narrow, pattern)
    return as_signed(pattern, narrow.bits) if narrow.name[0] == "i" else pattern


def float_of(narrow, pattern):
    """Sign, exponent and fraction, with infinities and NaNs as IEEE 754 has them."""
    stored = narrow.precision - 1
    most = narrow.infinity >> stored
    exponent, fraction = pattern >> stored & most, pattern & ((1 << stored) - 1)
    sign = -1.0 if pattern >> (narrow.bits - 1) else 1.0
    if exponent == most:
        return math.nan if fraction else sign * math.inf
    whole = fraction + (1 << stored) if exponent else fraction
    return sign * math.ldexp(whole, max(exponent, 1) - most // 2 - stored)


def pattern_of(narrow, significand, exponent):
    """The bits of significand * 2 ** exponent, a number that the type has as a normal one, or zero."""
    if significand == 0:
        return 0
    stored = narrow.precision - 1
    top = abs(significand).bit_length() - 1
    assert top <= stored
    bias = (narrow.infinity >> stored) // 2
    fraction = (abs(significand) << (stored - top)) - (1 << stored)
    return (narrow.sign if significand < 0 else 0) | ((top + exponent + bias) << stored) | fraction


# --- floating-point data sets: integers times a power of two, or patterns -------------------------------

def float_pattern(recipe, narrow, seed, count, i):
    s, digits = word(seed, i), narrow.precision
    simple = {"zeros": 0, "negative_zeros": narrow.sign, "mixed_zeros": narrow.sign if i % 2 else 0}
    if recipe in simple:
        return simple[recipe]
    if recipe == "subnormals":
        return (s >> (65 - digits)) | ((s & 1) << (narrow.bits - 1))
    if recipe in ("infinity", "opposite_infinities") and i == count // 3:
        special = narrow.infinity
        return special if recipe == "infinity" or i != 2 * count // 3 else special | narrow.sign
    if recipe == "opposite_infinities" and i == 2 * count // 3:
        return narrow.infinity | narrow.sign
    if recipe == "one_nan" and i == count // 2:
        return narrow.nan
    if recipe == "uniform" or recipe in COUNT_DEPENDENT:
        return pattern_of(narrow, as_signed(s, 64) >> (64 - digits), 1 - digits)
    if recipe == "near_one":
        return pattern_of(narrow, (1 << (digits - 1)) + s % 17 - 8, 1 - digits)
    whole = {"alternating": 1 if i % 2 else -2, "lanes": 1 << (i % 64 % 16),
             "signs": -1 if s >> 40 & 1 else 1, "small": s % 17 - 8}[recipe]
    return pattern_of(narrow, whole, 0) if abs(whole) < 1 << digits else pattern_of(narrow, 1, whole.bit_length() - 1)


def integer_patterns(recipe, narrow, seed, count):
    mask = (1 << narrow.bits) - 1
    if recipe == "uniform":
        return [s >> (64 - narrow.bits) for s in words(seed, count)]
    kind = test_data.NUMBER_TYPES[narrow.computed]
    return [value & mask for value in test_data.ANY_TYPE[recipe](kind, seed, count)]


def values(recipe, type_name, seed, count):
    """The data set, converted to the type that is computed in."""
    narrow = NARROW_TYPES[type_name]
    patterns = ([float_pattern(recipe, narrow, seed, count, i) for i in range(count)] if narrow.is_float
                else integer_patterns(recipe, narrow, seed, count))
    return [value_of(narrow, p) for p in patterns]
