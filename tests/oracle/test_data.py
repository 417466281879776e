"""The data sets of docs/test_data.md: a function of (recipe, type, seed, count) alone.

`generate` gives an `array` of the type's true width, so that the bits of every element, NaN payloads
included, are those that the document describes.
"""

import struct
from array import array

from number_types import NUMBER_TYPES, round_to_type

WORD = (1 << 64) - 1
COUNTER_STEP = 0x9E3779B97F4A7C15


def word(seed, index):
    """splitmix64 of the counter: s(seed, i) of the document."""
    s = (seed + (index + 1) * COUNTER_STEP) & WORD
    s = ((s ^ (s >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    s = ((s ^ (s >> 27)) * 0x94D049BB133111EB) & WORD
    return s ^ (s >> 31)


def second_seed(seed):
    """The seed of a two-array fold's second array."""
    return (seed + 1) & WORD


def words(seed, count):
    return [word(seed, i) for i in range(count)]


def as_signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def wrap(number_type, value):
    """An integer modulo 2 ** bits, read as the integer type."""
    if number_type.kind == "signed":
        return as_signed(value, number_type.bits)
    return value & ((1 << number_type.bits) - 1)


def units(number_type, source):
    """unit(s) of the document for each word: one rounding, then an exact scaling."""
    if number_type.bits == 32:
        return round_to_type(number_type, [as_signed(s >> 32, 32) * 2.0 ** -31 for s in source])
    return [float(as_signed(s, 64)) * 2.0 ** -63 for s in source]


# --- the distributions of `isofold generate` ---------------------------------------------------------

def uniform(number_type, seed, count):
    if number_type.is_float:
        return units(number_type, words(seed, count))
    shift = 64 - number_type.bits
    return [wrap(number_type, s >> shift) for s in words(seed, count)]


def normal(number_type, seed, count):
    drop, scale = (32, 32) if number_type.bits == 32 else (11, 53)
    values = []
    for i in range(count):
        total = sum(word(seed, 12 * i + k) >> drop for k in range(12)) - (6 << scale)
        values.append(float(total) * 2.0 ** -scale)
    return round_to_type(number_type, values)


def cancelling(number_type, seed, count):
    unit = units(number_type, words(seed, count))
    values = [u * 2.0 ** 20 for u in unit]
    for i in range(1, count, 2):
        values[i] = -values[i - 1] + unit[i]
    return round_to_type(number_type, values)


def wide(number_type, seed, count):
    source = words(seed, 2 * count)
    exponents = [(s >> 58) - 32 for s in source[1::2]]
    return [u * 2.0 ** e for u, e in zip(units(number_type, source[0::2]), exponents)]


# --- the recipes of the tests ------------------------------------------------------------------------

def zeros(number_type, seed, count):
    return [0] * count


def negative_zeros(number_type, seed, count):
    return [-0.0 if number_type.is_float else 0] * count


def mixed_zeros(number_type, seed, count):
    if not number_type.is_float:
        return [0] * count
    return [-0.0 if i % 2 else 0.0 for i in range(count)]


def iota(number_type, seed, count):
    return [i + 1 for i in range(count)]


def alternating(number_type, seed, count):
    return [1 if i % 2 else -2 for i in range(count)]


def lanes(number_type, seed, count):
    return [1 << ((i % 64) % 16) for i in range(count)]


def signs(number_type, seed, count):
    return [-1 if s >> 40 & 1 else 1 for s in words(seed, count)]


def small(number_type, seed, count):
    offset = 0 if number_type.kind == "unsigned" else 8
    return [s % 17 - offset for s in words(seed, count)]


def all_negative(number_type, seed, count):
    top = number_type.highest if number_type.kind == "unsigned" else -1
    return [top - s % 1000 for s in words(seed, count)]


def all_positive(number_type, seed, count):
    return [1 + s % 1000 for s in words(seed, count)]


def near_one(number_type, seed, count):
    source = words(seed, count)
    if not number_type.is_float:
        return [1 + 2 * (s % 5) for s in source]
    return round_to_type(number_type, [1.0 + u * 2.0 ** -6 for u in units(number_type, source)])


def subnormals(number_type, seed, count):
    """Returned as bit patterns: the significand's field is random, the exponent's field is 0."""
    drop = 41 if number_type.bits == 32 else 12
    top = number_type.bits - 1
    return array("I" if number_type.bits == 32 else "Q",
                 [(s >> drop) | ((s & 1) << top) for s in words(seed, count)])


ANY_TYPE = {f.__name__: f for f in (uniform, zeros, negative_zeros, mixed_zeros, iota, alternating, lanes,
                                    signs, small, all_negative, all_positive, near_one)}
FLOAT_ONLY = {f.__name__: f for f in (normal, cancelling, wide, subnormals)}

# --- the recipes that depend on the count: a prefix of one of them is not the smaller data set --------

NAN_WITH_PAYLOAD = {"f32": 0xFFC12345, "f64": 0xFFF8123456789ABC}


def put_bits(data, number_type, index, bits):
    """Through the bits and not through a float, so that a NaN's payload stays."""
    raw = struct.pack("=I" if number_type.bits == 32 else "=Q", bits)
    data[index:index + 1] = array(number_type.array_code, raw)


def place_overflow(data, number_type, count):
    half = number_type.largest_finite // 2
    data[:] = array(number_type.array_code,
                    [float(half if i < count // 2 else -half) for i in range(count)])


def place_infinity(data, number_type, count):
    if count:
        data[count // 3] = float("inf")


def place_opposite_infinities(data, number_type, count):
    place_infinity(data, number_type, count)
    if count:
        data[(2 * count) // 3] = float("-inf")


def place_one_nan(data, number_type, count):
    if count:
        put_bits(data, number_type, count // 2, NAN_WITH_PAYLOAD[number_type.name])


COUNT_DEPENDENT = {"overflow": place_overflow, "infinity": place_infinity,
                   "opposite_infinities": place_opposite_infinities, "one_nan": place_one_nan}


def recipes_of(number_type):
    names = list(ANY_TYPE)
    return names + list(FLOAT_ONLY) + list(COUNT_DEPENDENT) if number_type.is_float else names


def pack(number_type, values):
    if isinstance(values, array):  # bit patterns
        packed = array(number_type.array_code)
        packed.frombytes(values.tobytes())
        return packed
    if not number_type.is_float:
        values = [wrap(number_type, v) for v in values]
    return array(number_type.array_code, values)


class Generator:
    """Makes data sets, and remembers the longest one of the last (recipe, type, seed): every shorter
    one is a prefix of it, unless the recipe depends on the count."""

    def __init__(self):
        self.key, self.longest = None, array("b")

    def generate(self, recipe, type_name, seed, count):
        number_type = NUMBER_TYPES[type_name]
        if recipe in COUNT_DEPENDENT:
            if not number_type.is_float:
                raise ValueError(f"{recipe} exists for floating point only")
            data = self.prefix("uniform", number_type, seed, count)
            COUNT_DEPENDENT[recipe](data, number_type, count)
            return data
        return self.prefix(recipe, number_type, seed, count)

    def prefix(self, recipe, number_type, seed, count):
        key = (recipe, number_type.name, seed)
        if key != self.key or count > len(self.longest):
            if recipe in FLOAT_ONLY and not number_type.is_float:
                raise ValueError(f"{recipe} exists for floating point only")
            function = ANY_TYPE.get(recipe) or FLOAT_ONLY[recipe]
            self.longest = pack(number_type, function(number_type, seed, count))
            self.key = key
        return self.longest[:count]


def generate(recipe, type_name, seed, count):
    return Generator().generate(recipe, type_name, seed, count)
