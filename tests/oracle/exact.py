"""exact_v1, evaluated from docs/exact.md with Python's integers and fractions alone: the real value, rounded once."""

import math
import struct
from fractions import Fraction

FORMATS = {"f32": ("<f", "<I", 24, -149, 128), "f64": ("<d", "<Q", 53, -1074, 1024)}


def to_bits(type_name, x):
    number, bits = FORMATS[type_name][:2]
    return struct.unpack(bits, struct.pack(number, x))[0]


def from_bits(type_name, bits):
    number, integer = FORMATS[type_name][:2]
    return struct.unpack(number, struct.pack(integer, bits))[0]


def rounded(type_name, value):
    """The number of the type nearest to a Fraction, ties to even."""
    _, _, precision, least, most = FORMATS[type_name]
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    last = max(exponent - precision + 1, least)
    units = round(magnitude / Fraction(2) ** last)  # Python rounds ties to even
    if units * Fraction(2) ** last >= Fraction(2) ** most:
        return math.copysign(math.inf, 1 if value > 0 else -1)
    return math.copysign(math.ldexp(units, last), 1 if value > 0 else -1)


def rounded_root(type_name, value):
    """The square root of a Fraction that is not negative, rounded once."""
    if value == 0:
        return 0.0
    # An integer root with more than enough bits; what is left only breaks ties.
    shift = 2 * (2400 + 64)
    scaled = value.numerator * 2**shift // value.denominator
    root = math.isqrt(scaled)
    inexact = root * root != scaled or scaled * value.denominator != value.numerator * 2**shift
    return rounded(type_name, Fraction(2 * root + (1 if inexact else 0), 2 ** (shift // 2 + 1)))


def special(terms):
    """NaN or an infinity, if the terms have such a sum; else None. Terms are floats, or None for a product that
    is not a number."""
    infinities = {x for x in terms if x in (math.inf, -math.inf)}
    if any(x != x for x in terms) or len(infinities) == 2:
        return math.nan
    return infinities.pop() if infinities else None


def product(x, y):
    """x * y as a Fraction, or as a float where it is no real number or a zero, which has a sign."""
    if x * 0 != 0 or y * 0 != 0 or x == 0 or y == 0:
        return x * y
    return Fraction(x) * Fraction(y)


def sum_of(type_name, terms, divisor=1):
    odd = special([x for x in terms if isinstance(x, float)])
    if odd is not None:
        return odd
    if terms and all(isinstance(x, float) and x == 0 and math.copysign(1, x) < 0 for x in terms):
        return -0.0
    total = sum((Fraction(x) for x in terms), Fraction(0)) / divisor
    result = rounded(type_name, total)
    return result


def result_type(fold, type_name):
    return "f64" if fold in ("mean", "variance", "sample_variance") else type_name


def evaluate(fold, type_name, x):
    n = len(x)
    type_name = result_type(fold, type_name)
    if fold == "sum":
        return sum_of(type_name, x)
    if fold == "mean":
        return sum_of(type_name, x, n)
    if fold == "dot":
        return sum_of(type_name, [product(a, b) for a, b in zip(x[: n // 2], x[n // 2 :])])
    squares = [product(a, a) for a in x]
    odd = special([a for a in squares if isinstance(a, float)])
    if fold == "norm2":
        return odd if odd is not None else rounded_root(type_name, sum(map(Fraction, squares), Fraction(0)))
    if odd is not None:
        return math.nan
    total, square = sum(map(Fraction, x), Fraction(0)), sum(map(Fraction, squares), Fraction(0))
    less = 1 if fold == "sample_variance" else 0
    return rounded(type_name, (n * square - total * total) / (n * (n - less)))
