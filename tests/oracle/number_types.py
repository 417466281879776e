"""The six number types of the golden file: widths, bits, and rounding.

Rounding exists twice on purpose. `round_to_type` is the fast one (the machine's own conversion);
`round_exactly` works on exact rationals with integers only. The tests hold one against the other.
"""

import math
import struct
from array import array
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class NumberType:
    name: str
    bits: int
    array_code: str          # of the module `array`, which stores elements at their true width
    kind: str                # "float", "signed" or "unsigned"
    precision: int = 0       # significant bits, the leading one included
    least_exponent: int = 0  # the smallest subnormal is 2 ** least_exponent

    @property
    def is_float(self):
        return self.kind == "float"

    @property
    def lowest(self):
        if self.is_float:
            return float("-inf")
        return -(1 << (self.bits - 1)) if self.kind == "signed" else 0

    @property
    def highest(self):
        if self.is_float:
            return float("inf")
        return (1 << (self.bits - 1)) - 1 if self.kind == "signed" else (1 << self.bits) - 1

    @property
    def largest_finite(self):
        """The largest finite value of a floating-point type, as an exact integer."""
        greatest_exponent = {32: 128, 64: 1024}[self.bits]
        return (1 << greatest_exponent) - (1 << (greatest_exponent - self.precision))


F32 = NumberType("f32", 32, "f", "float", 24, -149)
F64 = NumberType("f64", 64, "d", "float", 53, -1074)
I32 = NumberType("i32", 32, "i", "signed")
I64 = NumberType("i64", 64, "q", "signed")
U32 = NumberType("u32", 32, "I", "unsigned")
U64 = NumberType("u64", 64, "Q", "unsigned")

BOOL = NumberType("bool", 8, "B", "unsigned")  # of results only: 0 or 1

NUMBER_TYPES = {t.name: t for t in (F32, F64, I32, I64, U32, U64)}

for _type in NUMBER_TYPES.values():
    assert array(_type.array_code).itemsize * 8 == _type.bits, "this platform's array widths differ"

CANONICAL_NAN_BITS = {"f32": 0x7FC00000, "f64": 0x7FF8000000000000}


def round_to_type(number_type, values):
    """A list of Python floats (IEEE doubles), each rounded to nearest even in the given type.

    For f32 this rounds a second time, after the double operation that made the value. That is harmless
    for one +, - or * of two f32 values:
    * a product of two 24-bit significands has at most 48 bits and an exponent far inside the double's
      range, so the double product is exact and only one rounding happens, subnormal results included;
    * a sum or difference that is a normal f32 number: a double carries 53 >= 2 * 24 + 2 bits, and then
      rounding to 53 and to 24 bits equals rounding to 24 at once (S. Figueroa, "When is double rounding
      innocuous?", SIGNUM Newsletter 30(3), 1995);
    * a sum or difference below the normal f32 range is a multiple of 2 ** -149 with few bits, so exact;
    * a quotient of two 24-bit significands that is not itself halfway between two f32 numbers is at least
      2 ** -50 of its size away from every such point, subnormal results included, and a double's rounding
      moves it by 2 ** -53 at most.
    It is not harmless for an fma: see there.
    """
    if number_type.bits == 64:
        return values
    return array("f", values).tolist()


def to_bits(number_type, value):
    """The bit pattern of a value, with one pattern for every NaN."""
    if not number_type.is_float:
        return value & ((1 << number_type.bits) - 1)
    if value != value:
        return CANONICAL_NAN_BITS[number_type.name]
    if number_type.bits == 32:
        return struct.unpack("<I", struct.pack("<f", value))[0]
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def from_bits(number_type, bits):
    """The value of a floating-point bit pattern."""
    if number_type.bits == 32:
        return struct.unpack("<f", struct.pack("<I", bits))[0]
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def round_exactly(number_type, exact):
    """An exact rational, rounded to nearest even, as the bit pattern; by integer arithmetic alone.

    Zero gives the bits of +0: the sign of an exact zero is not in the rational, the caller decides it.
    """
    sign = (1 << (number_type.bits - 1)) if exact < 0 else 0
    magnitude = abs(Fraction(exact))
    if magnitude == 0:
        return 0
    # 2 ** exponent <= magnitude < 2 ** (exponent + 1)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    # The unit in the last place, no finer than the smallest subnormal.
    unit_exponent = max(exponent - number_type.precision + 1, number_type.least_exponent)
    units = round(magnitude / Fraction(2) ** unit_exponent)  # Fraction's round is to nearest even
    # Consecutive bit patterns are consecutive values, so the pattern is a sum: a carry out of the
    # significand lands in the exponent, as it should.
    stored_exponent = unit_exponent - number_type.least_exponent
    pattern = (stored_exponent << (number_type.precision - 1)) + units
    infinity = ((1 << (number_type.bits - number_type.precision)) - 1) << (number_type.precision - 1)
    return sign | min(pattern, infinity)


# --- fma: x * y + z rounded once -----------------------------------------------------------------------

def fma_exactly(number_type, x, y, z):
    """By exact rationals and one rounding. Slow; the functions below are held against it."""
    if not (math.isfinite(x) and math.isfinite(y)):
        return x * y + z  # no rounding decides anything here
    if not math.isfinite(z):
        return z  # also where x * y, rounded, would be an opposite infinity
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return x * y + z  # signed as IEEE 754 says: two zeros, or z = -(x * y), which is then exact
    return from_bits(number_type, round_exactly(number_type, exact))


def odd_sum(p, z):
    """p + z rounded to odd in double: where inexact, the neighbour whose last bit is 1. Rounding that to a
    type of 51 bits or fewer gives what rounding the exact sum gives (S. Boldo, G. Melquiond, "Emulation of
    FMA and correctly rounded sums", IEEE Transactions on Computers 57(4), 2008)."""
    s = p + z
    t = s - p
    error = (p - (s - t)) + (z - t)  # exact: Knuth's TwoSum
    if error == 0.0 or error != error:  # exact, or not finite
        return s
    if struct.unpack("<q", struct.pack("<d", s))[0] & 1:
        return s
    return math.nextafter(s, math.inf if error > 0.0 else -math.inf)


SPLITTER = 134217729.0  # 2 ** 27 + 1


def fma_f64(x, y, z):
    """Dekker's exact product p + error, then math.fsum, which rounds the exact sum of its arguments once; by
    rationals where the product may come near the ends of the range."""
    p = x * y
    if not (1e-240 < abs(p) < 1e280 and abs(x) < 1e280 and abs(y) < 1e280 and abs(z) < 1e280):
        if x == 0.0 or y == 0.0:
            return p + z
        return fma_exactly(F64, x, y, z)
    t = SPLITTER * x
    x_high = t - (t - x)
    x_low = x - x_high
    t = SPLITTER * y
    y_high = t - (t - y)
    y_low = y - y_high
    error = x_low * y_low - (((p - x_high * y_high) - x_low * y_high) - x_high * y_low)
    return p + z if error == 0.0 else math.fsum((p, error, z))


def fma_list(number_type, xs, ys, zs):
    """fma of three lists, element by element. For f32 x * y is exact in double."""
    if number_type.bits == 32:
        return array("f", [odd_sum(x * y, z) for x, y, z in zip(xs, ys, zs)]).tolist()
    return [fma_f64(x, y, z) for x, y, z in zip(xs, ys, zs)]


def fma(number_type, x, y, z):
    return fma_list(number_type, (x,), (y,), (z,))[0]
