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


PARTS = {"c64": "f32", "c128": "f64", "f16": "f32", "bf16": "f32"}
INTEGERS = {"i8": (-(2**7), 2**7), "u16": (0, 2**16), "i32": (-(2**31), 2**31), "u32": (0, 2**32),
            "i64": (-(2**63), 2**63), "u64": (0, 2**64)}
MOMENTS = ("moments", "mean", "variance", "sample_variance", "standard_deviation", "sample_standard_deviation")
OF_TWO = ("dot", "squared_distance", "weighted_sum")
FOLDS = {
    "floating": ("sum", "norm1", "norm2") + OF_TWO + MOMENTS,
    "complex": ("sum", "norm2", "dot", "squared_distance"),
    "integer": ("sum", "mean"),
}
OUT_OF_RANGE = "out of range"


def folds_over(type_name):
    return FOLDS["integer" if type_name in INTEGERS else "complex" if type_name in ("c64", "c128") else "floating"]


def part_type(type_name):
    """The floating-point type that results over elements of the type have."""
    return PARTS.get(type_name, type_name)


def squared(x, y):
    """(x - y)^2 as a Fraction, or as a float where it is no real number."""
    if x * 0 != 0 or y * 0 != 0:
        return (x - y) ** 2
    return (Fraction(x) - Fraction(y)) ** 2


def root_of(type_name, terms):
    odd = special([x for x in terms if isinstance(x, float)])
    return odd if odd is not None else rounded_root(type_name, sum(map(Fraction, terms), Fraction(0)))


def moment(fold, x):
    """A mean, a variance or a deviation of numbers that are f64."""
    n = len(x)
    if fold == "mean":
        return sum_of("f64", x, n)
    if special([a for a in x if a * 0 != 0]) is not None:
        return math.nan
    total, square = sum(map(Fraction, x), Fraction(0)), sum((Fraction(a) ** 2 for a in x), Fraction(0))
    by = n - 1 if fold.startswith("sample") else 1 if fold == "m2" else n
    if by == 0:
        return math.nan
    value = (n * square - total * total) / (n * by)
    return rounded_root("f64", value) if fold.endswith("deviation") else rounded("f64", value)


def evaluate(fold, type_name, x, y=()):
    """The components of a result, each as (its type, its value). Complex elements are pairs. x is not empty."""
    if type_name in INTEGERS:
        total = sum(x)
        if fold == "mean":
            return [("f64", rounded("f64", Fraction(total, len(x))))]
        wide = "u64" if type_name[0] == "u" else "i64"
        low, high = INTEGERS[wide]
        return [(wide, total)] if low <= total < high else OUT_OF_RANGE
    part = part_type(type_name)
    if type_name in ("c64", "c128"):
        if fold == "sum":
            return [(part, sum_of(part, [z[k] for z in x])) for k in (0, 1)]
        if fold == "norm2":
            return [(part, root_of(part, [product(a, a) for z in x for a in z]))]
        if fold == "squared_distance":
            return [(part, sum_of(part, [squared(a, b) for z, w in zip(x, y) for a, b in zip(z, w)]))]
        real = [product(z[k], w[k]) for z, w in zip(x, y) for k in (0, 1)]
        imaginary = [t for z, w in zip(x, y) for t in (product(z[0], w[1]), product(-z[1], w[0]))]
        return [(part, sum_of(part, real)), (part, sum_of(part, imaginary))]
    if fold == "sum":
        return [(part, sum_of(part, x))]
    if fold == "norm1":
        return [(part, sum_of(part, [math.fabs(a) for a in x]))]
    if fold == "norm2":
        return [(part, root_of(part, [product(a, a) for a in x]))]
    if fold == "dot":
        return [(part, sum_of(part, [product(a, b) for a, b in zip(x, y)]))]
    if fold == "squared_distance":
        return [(part, sum_of(part, [squared(a, b) for a, b in zip(x, y)]))]
    if fold == "weighted_sum":
        return [(part, sum_of(part, [product(a, b) for a, b in zip(x, y)])), (part, sum_of(part, y))]
    if fold == "moments":
        return [("i64", len(x)), ("f64", moment("mean", x)), ("f64", moment("m2", x))]
    return [("f64", moment(fold, x))]


def text_of(type_name, value):
    """The bits of a component of a result as hexadecimal digits."""
    if type_name in INTEGERS:
        return f"{value % 2**64:x}"
    if value != value:
        value = math.nan
    return f"{to_bits(type_name, value):x}"
