"""Judges the folds behind the first four: each against a second reading of docs/folds.md in exact rationals,
against what it means mathematically, and at the values where such folds go wrong.

    python3 -m unittest test_folds      (in this folder)
"""

import functools
import itertools
import math
import random
import statistics
import struct
import unittest
from fractions import Fraction

import folds
import number_types
import test_data
import write_golden
from number_types import F32, F64, NUMBER_TYPES, fma, from_bits, round_exactly, round_to_type, to_bits
from order_free_folds import range_of
from tree import Fold, evaluate

INF, NAN = math.inf, math.nan
FLOATS = (F32, F64)
CANONICAL = {F32: 0x7FC00000, F64: 0x7FF8000000000000}


def nearest(number_type, value):
    return round_to_type(number_type, [value])[0]


def nearest_list(number_type, values):
    return round_to_type(number_type, list(values))


def value_of(fold, number_type, first, second=None):
    """The result as values: one, or a tuple of the components."""
    bits = folds.result_components(fold, number_type.name, first, second)
    components = folds.result_type(fold, number_type).components
    values = [from_bits(t, b) if t.is_float else test_data.wrap(t, b) for t, b in zip(components, bits)]
    return values[0] if len(values) == 1 else tuple(values)


def depth(n):
    return 21 + (-(-n // 1024) - 1).bit_length()


def gamma(number_type, k):
    u = Fraction(1, 1 << number_type.precision)
    return k * u / (1 - k * u)


def unit(number_type):
    return Fraction(1, 1 << number_type.precision)


# --- a second reading of docs/folds.md --------------------------------------------------------------------

class Once:
    """Arithmetic on finite numbers of a type: the exact rational, rounded once. Zeros carry no sign here: an
    exact zero is +0, so the data of these tests must not make a -0."""

    def __init__(self, number_type):
        self.number_type = number_type

    def __call__(self, exact):
        return from_bits(self.number_type, round_exactly(self.number_type, exact))

    def add(self, a, b):
        return self(Fraction(a) + Fraction(b))

    def sub(self, a, b):
        return self(Fraction(a) - Fraction(b))

    def mul(self, a, b):
        return self(Fraction(a) * Fraction(b))

    def div(self, a, b):
        return self(Fraction(a) / Fraction(b))

    def fma(self, a, b, c):
        return self(Fraction(a) * Fraction(b) + Fraction(c))

    def sqrt(self, a):
        """By an integer square root of 2 * 60 more bits; what is cut off cannot be a tie, only below one."""
        exact = Fraction(a) * 4 ** 1200
        root = math.isqrt(exact.numerator // exact.denominator)
        inexact = root * root != exact
        return self(Fraction(2 * root + inexact, 2 ** 1201))


def chunk_state(elements, lift, accumulate, combine):
    """Steps 2 and 3 of docs/tree.md by recursion from lane 0 down."""
    def lane(index, h):
        if h == 64:
            if index >= len(elements):
                return None
            return functools.reduce(accumulate, elements[index + 64::64], lift(elements[index]))
        left, right = lane(index, 2 * h), lane(index + h, 2 * h)
        return left if right is None else combine(left, right)
    return lane(0, 1)


def root_of_chunks(states, combine):
    """Step 4: the left half of a node is the largest power of two of chunks below its number."""
    if len(states) == 1:
        return states[0]
    half = 1 << ((len(states) - 1).bit_length() - 1)
    return combine(root_of_chunks(states[:half], combine), root_of_chunks(states[half:], combine))


def one_stage(elements, lift, accumulate, combine):
    chunks = [elements[i:i + 1024] for i in range(0, len(elements), 1024)]
    return root_of_chunks([chunk_state(c, lift, accumulate, combine) for c in chunks], combine)


def second_reading(fold, number_type, elements):
    t, f64 = Once(number_type), Once(F64)
    n = len(elements)
    if fold == "norm1":
        return one_stage(elements, abs, lambda s, x: t.add(s, abs(x)), t.add)
    if fold == "dot":
        return one_stage(elements, lambda e: t.mul(*e), lambda s, e: t.fma(*e, s), t.add)
    if fold == "squared_distance":
        d = lambda e: t.sub(*e)
        return one_stage(elements, lambda e: t.mul(d(e), d(e)), lambda s, e: t.fma(d(e), d(e), s), t.add)
    if fold == "norm2":
        return second_norm2(number_type, t, f64, elements)
    if fold == "moments":
        return second_moments(t, f64, elements)
    return second_bound(fold, number_type, t, elements, n)


def second_bound(fold, number_type, t, elements, n):
    eta = Fraction(2) ** number_type.least_exponent
    c = 1 + Fraction(1, 2 ** (10 if number_type is F32 else 40))
    step = lambda r, s: (s, t.add(r, abs(s)))
    join = lambda a, b: step(t.add(a[1], b[1]), t.add(a[0], b[0]))
    if fold == "dot_with_bound":
        lift = lambda e: (t.mul(*e), abs(t.mul(*e)))
        s, r = one_stage(elements, lift, lambda a, e: step(a[1], t.fma(*e, a[0])), join)
        return s, t.mul(t.add(t.mul(t(r * unit(number_type)), c), t(t(n) * eta)), c)
    s, r = one_stage(elements, lambda x: (x, 0.0), lambda a, x: step(a[1], t.add(a[0], x)), join)
    bound = t.mul(t.mul(r, unit(number_type)), c)
    if fold == "sum_with_bound":
        return s, bound
    mean = t.div(s, t(n))
    sides = t.add(t.div(bound, t(n)), t.mul(abs(mean), 2 * unit(number_type)))
    return mean, t.add(t.mul(sides, c), 2 * eta)


def scaled_squares(t, scale):
    y = lambda x: t.mul(x, scale)
    return lambda x: t.mul(y(x), y(x)), lambda q, x: t.fma(y(x), y(x), q)


def second_norm2(number_type, t, f64, elements, magnitude=abs, squares=scaled_squares):
    limit = 126 if number_type is F32 else 1022
    states = []
    for i in range(0, len(elements), 1024):
        chunk = elements[i:i + 1024]
        m = max(map(magnitude, chunk))
        if m == 0:
            states.append((0.0, -2000))
            continue
        e = limit
        while e > -limit and Fraction(2) ** e > Fraction(m):
            e -= 1
        states.append((chunk_state(chunk, *squares(t, Fraction(2) ** -e), t.add), e))

    def combine(a, b):
        e = max(a[1], b[1])
        scaled = lambda s: f64.mul(s[0], Fraction(2) ** (2 * (s[1] - e)) if s[1] - e >= -511 else 0)
        return f64.add(scaled(a), scaled(b)), e
    q, e = root_of_chunks(states, combine)
    return t(f64.mul(f64.sqrt(q), Fraction(2) ** e)) if q else 0.0


def second_moments(t, f64, elements):
    states = []
    for i in range(0, len(elements), 1024):
        chunk = elements[i:i + 1024]
        n = len(chunk)
        a = t.div(chunk_state(chunk, lambda x: x, t.add, t.add), n)
        d = lambda x, a=a: t.sub(x, a)
        d1, d2 = chunk_state(chunk, lambda x: (d(x), t.mul(d(x), d(x))),
                             lambda s, x: (t.add(s[0], d(x)), t.fma(d(x), d(x), s[1])),
                             lambda s, o: (t.add(s[0], o[0]), t.add(s[1], o[1])))
        m2 = f64.sub(d2, f64.div(f64.mul(d1, d1), n))
        states.append((n, f64.add(a, f64.div(d1, n)), max(m2, 0.0)))

    def combine(a, b):
        n = a[0] + b[0]
        delta = f64.sub(b[1], a[1])
        f = f64.div(b[0], n)
        grown = f64.mul(f64.mul(delta, delta), f64.mul(a[0], f))
        return n, f64.add(a[1], f64.mul(delta, f)), f64.add(f64.add(a[2], b[2]), grown)
    return root_of_chunks(states, combine)


class SecondReading(unittest.TestCase):
    FOLDS = ("norm1", "norm2", "dot", "squared_distance", "moments", "sum_with_bound", "mean_with_bound",
             "dot_with_bound")
    RECIPES = ("uniform", "normal", "cancelling", "wide", "near_one", "subnormals")

    def test_bits(self):
        for number_type, recipe, n in itertools.product(FLOATS, self.RECIPES, (1, 2, 3, 65, 200, 1025, 2100)):
            if n > 200 and recipe != "wide":
                continue  # long rows are for the shape, which does not depend on the numbers
            first = list(test_data.generate(recipe, number_type.name, 3, n))
            pairs = list(zip(first, test_data.generate(recipe, number_type.name, 4, n)))
            for fold in self.FOLDS:
                two = fold in folds.TWO_ARRAY_FOLDS
                expected = second_reading(fold, number_type, pairs if two else first)
                found = value_of(fold, number_type, first, [y for _, y in pairs])
                with self.subTest(fold=fold, type=number_type.name, recipe=recipe, n=n):
                    self.assertEqual(found, expected)  # as numbers: -0 equals +0 here

    def test_an_fma_rounded_twice_is_told_apart(self):
        """Most dot products differ if these rows are folded with two roundings."""
        for number_type in FLOATS:
            t, differ = Once(number_type), 0
            for seed in range(20):
                x = list(test_data.generate("uniform", number_type.name, seed, 300))
                y = list(test_data.generate("uniform", number_type.name, seed + 1, 300))
                twice = one_stage(list(zip(x, y)), lambda e: t.mul(*e), lambda s, e: t.add(s, t.mul(*e)), t.add)
                differ += twice != value_of("dot", number_type, x, y)
            self.assertGreater(differ, 10)

    def test_moments_are_shared(self):
        for number_type in FLOATS:
            data = test_data.generate("normal", number_type.name, 1, 2500)
            n, mean, m2 = value_of("moments", number_type, data)
            self.assertEqual(value_of("mean", number_type, data), mean)
            self.assertEqual(value_of("variance", number_type, data), float(Fraction(m2) / n))
            self.assertEqual(value_of("sample_variance", number_type, data), float(Fraction(m2) / (n - 1)))
            for variance, deviation in (("variance", "standard_deviation"),
                                        ("sample_variance", "sample_standard_deviation")):
                square = value_of(variance, number_type, data)
                self.assertEqual(value_of(deviation, number_type, data), math.sqrt(square))

    def test_bound_folds_have_the_bits_of_the_plain_ones(self):
        for number_type, recipe in itertools.product(FLOATS, test_data.recipes_of(F32)):
            data = test_data.generate(recipe, number_type.name, 6, 1500)
            other = test_data.generate(recipe, number_type.name, 7, 1500)
            for bounded, plain in (("sum_with_bound", "sum"), ("dot_with_bound", "dot")):
                found = folds.result_components(bounded, number_type.name, data, other)[0]
                self.assertEqual(found, folds.result_bits(plain, number_type.name, data, other))

    def test_a_weighted_sum_has_the_bits_of_a_dot_product_and_of_a_sum(self):
        for number_type, recipe in itertools.product(FLOATS, test_data.recipes_of(F32)):
            data = test_data.generate(recipe, number_type.name, 6, 1500)
            weights = test_data.generate(recipe, number_type.name, 7, 1500)
            found = folds.result_components("weighted_sum", number_type.name, data, weights)
            self.assertEqual(found, (folds.result_bits("dot", number_type.name, data, weights),
                                     folds.result_bits("sum", number_type.name, weights)))


# --- fma ---------------------------------------------------------------------------------------------------

class Fma(unittest.TestCase):
    def hard_values(self, number_type):
        p, least = number_type.precision, number_type.least_exponent
        top = 128 if number_type is F32 else 1024
        values = [0.0, math.ldexp(1.0, least), math.ldexp(1.0, least + p - 1), float(number_type.largest_finite)]
        for e in (least // 2 - p, least // 2, -p, 0, p, top // 2, top // 2 - 1):
            one = math.ldexp(1.0, e)
            values += [one, one * (1 + 2.0 ** (1 - p)), one * (1 - 2.0 ** -p), one * (1 + 2.0 ** (1 - p // 2))]
        return [s * v for v in values for s in (1.0, -1.0)]

    def check(self, number_type, x, y, z):
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        found = to_bits(number_type, fma(number_type, x, y, z))
        if exact:
            self.assertEqual(found, round_exactly(number_type, exact), f"{x.hex()} {y.hex()} {z.hex()}")
        else:
            self.assertEqual(found & ((1 << (number_type.bits - 1)) - 1), 0)

    def test_hard_triples(self):
        for number_type in FLOATS:
            values = self.hard_values(number_type)
            for x, y in itertools.product(values, values):
                for z in values[::7] + [-nearest(number_type, x * y)]:
                    if math.isfinite(z):
                        self.check(number_type, x, y, z)

    def test_random_triples(self):
        source = random.Random(1)
        for number_type in FLOATS:
            for _ in range(20000):
                x, y = (nearest(number_type, source.uniform(-1, 1) * 2.0 ** source.randint(-60, 60)) for _ in "xy")
                z = nearest(number_type, -x * y * source.choice((1, 1 + 2.0 ** -20, 2.0 ** source.randint(-60, 60))))
                if math.isfinite(z):
                    self.check(number_type, x, y, z)
            for _ in range(5000):
                x, y, z = (from_bits(number_type, source.getrandbits(number_type.bits)) for _ in "xyz")
                if all(map(math.isfinite, (x, y, z))):
                    self.check(number_type, x, y, z)

    def test_double_rounding_is_avoided(self):
        """4097 * 4097 is halfway between two f32 numbers and 2 ** -40 decides, which a double cannot hold
        beside it: rounded to double first, the tie goes to even."""
        x, z = 4097.0, 2.0 ** -40
        self.assertEqual(fma(F32, x, x, z), 16785410.0)
        self.assertEqual(fma(F32, x, x, -z), 16785408.0)
        self.assertEqual(nearest(F32, x * x + z), 16785408.0)
        x, z = 4097.0, 2.0 ** -40  # and above a number whose last bit is 1 it is the other side
        self.assertEqual(nearest(F32, 4099.0 * x - z), 16793604.0)
        self.assertEqual(fma(F32, 4099.0, x, -z), 16793602.0)

    def test_special_values(self):
        for t in FLOATS:
            top = float(t.largest_finite)
            bits = lambda *xyz: to_bits(t, fma(t, *xyz))
            self.assertEqual(bits(top, top, -INF), to_bits(t, -INF))  # x * y is finite: no Inf - Inf
            self.assertEqual(bits(top, 2.0, -top), to_bits(t, top))   # and may overflow on the way
            self.assertEqual(bits(top, 2.0, 0.0), to_bits(t, INF))
            for nan in ((INF, 0.0, 1.0), (INF, 1.0, -INF), (NAN, 0.0, 0.0), (0.0, 0.0, NAN)):
                self.assertEqual(bits(*nan), CANONICAL[t])
            self.assertEqual(bits(-1.0, 0.0, -0.0), to_bits(t, -0.0))
            self.assertEqual(bits(1.0, 0.0, -0.0), 0)
            self.assertEqual(bits(3.0, 5.0, -15.0), 0)  # an exact cancellation is +0
            tiny = math.ldexp(1.0, t.least_exponent)
            self.assertEqual(bits(-tiny, tiny, 0.0), to_bits(t, -0.0))  # a product that vanishes keeps its sign
            self.assertEqual(bits(tiny, 0.5, tiny), 2)  # 1.5 units: to even
            self.assertEqual(bits(tiny, 0.5, 0.0), 0)


# --- extrema and where they are ------------------------------------------------------------------------------

def located(elements, largest, last):
    """By scanning: the first better element wins, or the last one that is not worse."""
    best = None
    for i, x in enumerate(elements):
        if best is None or before(x, elements[best], largest) or (last and not before(elements[best], x, largest)):
            best = i
    return elements[best], best


def before(a, b, largest):
    """Whether a comes before b: NaN first, then value, -0 below +0; NaNs tie."""
    if b != b:
        return False
    if a != a or a != b:
        return a != a or (a > b if largest else a < b)
    if a != 0 or isinstance(a, int):
        return False
    signs = math.copysign(1.0, a), math.copysign(1.0, b)
    return signs[0] > signs[1] if largest else signs[0] < signs[1]


LOCATIONS = {"argmin": (False, False), "argmin_last": (False, True), "argmax": (True, False),
             "argmax_last": (True, True)}


class Extrema(unittest.TestCase):
    def check(self, number_type, elements):
        answers = {}
        for fold, (largest, last) in LOCATIONS.items():
            value, index = located(elements, largest, last)
            answers[fold] = to_bits(number_type, value), index
            found = folds.result_components(fold, number_type.name, elements)
            self.assertEqual(found, answers[fold], (fold, number_type.name, elements[:8]))
        minimum, maximum = (folds.result_bits(f, number_type.name, elements) for f in ("minimum", "maximum"))
        self.assertEqual((minimum, maximum), (answers["argmin"][0], answers["argmax"][0]))
        self.assertEqual(folds.result_components("minmax", number_type.name, elements), (minimum, maximum))
        self.assertEqual(folds.result_components("argminmax", number_type.name, elements),
                         answers["argmin"] + answers["argmax"])

    def test_by_scanning(self):
        source = random.Random(3)
        for number_type in NUMBER_TYPES.values():
            few = [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN] if number_type.is_float else [
                number_type.lowest, number_type.highest, 0, 1]
            for n in (1, 2, 3, 7, 64, 65, 130, 1025, 2049):
                for size in (2, 3, len(few)):  # few values: ties everywhere
                    values = source.sample(few, min(size, len(few)))
                    self.check(number_type, [source.choice(values) for _ in range(n)])
            for recipe in test_data.recipes_of(number_type):
                self.check(number_type, list(test_data.generate(recipe, number_type.name, 1, 1300)))

    def test_by_hand(self):
        at = lambda fold, *x: folds.result_components(fold, "f64", list(x))
        nan = CANONICAL[F64]
        payload = struct.unpack("<d", struct.pack("<Q", 0xFFF8123456789ABC))[0]
        for fold, index in (("argmin", 1), ("argmax", 1), ("argmin_last", 3), ("argmax_last", 3)):
            # NaNs tie whatever their payload, and come before -inf and +inf.
            self.assertEqual(at(fold, -INF, payload, 0.0, NAN, INF), (nan, index))
        self.assertEqual(at("argmin", 0.0, -0.0, -0.0), (1 << 63, 1))
        self.assertEqual(at("argmin_last", 0.0, -0.0, -0.0, 0.0), (1 << 63, 2))
        self.assertEqual(at("argmax", -0.0, 0.0, -0.0, 0.0), (0, 1))
        self.assertEqual(at("argmax_last", -0.0, 0.0, -0.0), (0, 1))
        self.assertEqual(at("minmax", 0.0, -0.0), (1 << 63, 0))
        # All elements are the empty value: an index all the same.
        self.assertEqual(at("argmin", INF, INF), (to_bits(F64, INF), 0))
        self.assertEqual(folds.result_components("argmax", "u32", [0, 0]), (0, 0))

    def test_absolute_maximum(self):
        for number_type in FLOATS:
            for recipe in test_data.recipes_of(number_type):
                data = test_data.generate(recipe, number_type.name, 1, 1300)
                found = folds.result_bits("absolute_maximum", number_type.name, data)
                expected = CANONICAL[number_type] if any(x != x for x in data) else to_bits(
                    number_type, max(map(abs, data)))
                self.assertEqual(found, expected)
            self.assertEqual(folds.result_bits("absolute_maximum", number_type.name, [-0.0]), 0)
            self.assertEqual(folds.result_bits("absolute_maximum", number_type.name, [-INF, 1.0]),
                             to_bits(number_type, INF))

    def test_where_the_largest_magnitude_is(self):
        for number_type in FLOATS:
            for recipe in test_data.recipes_of(number_type):
                data = test_data.generate(recipe, number_type.name, 1, 1300)
                value, index = folds.result_components("argabsmax", number_type.name, data)
                self.assertEqual(value, folds.result_bits("absolute_maximum", number_type.name, data))
                nans = [i for i, x in enumerate(data) if x != x]
                largest = max(map(abs, data))
                self.assertEqual(index, nans[0] if nans else next(i for i, x in enumerate(data) if abs(x) == largest))
        self.assertEqual(folds.result_components("argabsmax", "f32", [-0.0, 0.0]), (0, 0))


# --- counts, logic, bits -------------------------------------------------------------------------------------

class Counting(unittest.TestCase):
    def test_by_counting(self):
        for number_type in NUMBER_TYPES.values():
            low, high = range_of(number_type)
            for recipe in test_data.recipes_of(number_type):
                data = list(test_data.generate(recipe, number_type.name, 2, 2100))
                found = lambda fold: folds.result_bits(fold, number_type.name, data)
                nonzero = len([x for x in data if x])  # Python's truth: a NaN is true, -0.0 is false
                self.assertEqual(found("count_nonzero"), nonzero)
                self.assertEqual(found("count_nan"), sum(map(math.isnan, data)))
                self.assertEqual(found("count_in_range"), sum(not (x < low or x > high or x != x) for x in data))
                self.assertEqual((found("any"), found("all"), found("none")), (any(data), all(data), not any(data)))

    def test_ends_of_the_range_count(self):
        for number_type in NUMBER_TYPES.values():
            low, high = range_of(number_type)
            self.assertEqual(to_bits(number_type, low) != to_bits(number_type, high), True)
            inside = [low, high]
            outside = ([math.nextafter(low, -INF), math.nextafter(high, INF), NAN, INF, -INF]
                       if number_type is F64 else [-1.0, 1.0, NAN] if number_type.is_float else [low - 1, high + 1])
            self.assertEqual(folds.result_bits("count_in_range", number_type.name, outside + inside), 2)
        self.assertEqual(range_of(NUMBER_TYPES["i32"]), (-1073741824, 536870912))
        self.assertEqual(range_of(NUMBER_TYPES["u64"]), (1 << 61, 1 << 63))

    def test_nan_and_zeros(self):
        self.assertEqual(folds.result_bits("any", "f32", [-0.0, 0.0]), 0)
        self.assertEqual(folds.result_bits("any", "f32", [-0.0, NAN]), 1)
        self.assertEqual(folds.result_bits("all", "f32", [NAN, 1.0]), 1)
        self.assertEqual(folds.result_bits("none", "f32", [NAN]), 0)
        self.assertEqual(folds.result_bits("count_nonzero", "f32", [NAN, -0.0, 2.0 ** -149]), 2)

    def test_bits(self):
        for name in ("i32", "i64", "u32", "u64"):
            number_type = NUMBER_TYPES[name]
            mask = (1 << number_type.bits) - 1
            for recipe, n in itertools.product(test_data.recipes_of(number_type), (1, 2, 65, 1100)):
                data = [x & mask for x in test_data.generate(recipe, name, 2, n)]
                found = [folds.result_bits(fold, name, [test_data.wrap(number_type, x) for x in data])
                         for fold in ("bit_and", "bit_or", "bit_xor")]
                for place in range(number_type.bits):
                    ones = sum(x >> place & 1 for x in data)
                    self.assertEqual([bits >> place & 1 for bits in found], [ones == n, ones > 0, ones % 2])


# --- no elements ---------------------------------------------------------------------------------------------

class Empty(unittest.TestCase):
    def test_every_empty_value(self):
        """The column "no elements" of the table in docs/folds.md."""
        for number_type in NUMBER_TYPES.values():
            t = number_type
            low, high = (INF, -INF) if t.is_float else (t.highest, t.lowest)
            low, high, none = to_bits(t, low), to_bits(t, high), (1 << 64) - 1
            nan, nan64 = CANONICAL.get(t), CANONICAL[F64]
            minus_infinity = to_bits(t, -INF) if t.is_float else None
            ones = (1 << t.bits) - 1
            expected = {
                "minimum": (low,), "maximum": (high,), "argmin": (low, none), "argmin_last": (low, none),
                "argmax": (high, none), "argmax_last": (high, none), "minmax": (low, high),
                "argminmax": (low, none, high, none), "absolute_maximum": (0,), "norm1": (0,), "norm2": (0,),
                "dot": (0,), "squared_distance": (0,), "moments": (0, nan64, nan64), "mean": (nan64,),
                "variance": (nan64,), "sample_variance": (nan64,), "log_sum_exp": (minus_infinity,),
                "softmax_statistics": (minus_infinity, 0), "count_nonzero": (0,), "count_nan": (0,),
                "count_in_range": (0,), "any": (0,), "all": (1,), "none": (1,), "bit_and": (ones,),
                "bit_or": (0,), "bit_xor": (0,), "sum_with_bound": (0, 0), "mean_with_bound": (nan, nan),
                "dot_with_bound": (0, 0), "weighted_sum": (0, 0), "argabsmax": (0, none),
                "standard_deviation": (nan64,), "sample_standard_deviation": (nan64,)}
            for fold in expected:
                if t in folds.types_of(fold):
                    with self.subTest(fold=fold, type=t.name):
                        self.assertEqual(folds.result_components(fold, t.name, [], []), expected[fold])

    def test_types(self):
        count = lambda fold: len(folds.types_of(fold))
        self.assertEqual({f: count(f) for f in ("argmin", "any", "bit_or", "norm2", "dot", "moments")},
                         {"argmin": 6, "any": 6, "bit_or": 4, "norm2": 2, "dot": 2, "moments": 2})
        self.assertEqual(len(folds.FOLD_NAMES), len(set(folds.FOLD_NAMES)))
        with self.assertRaises(ValueError):
            folds.result_bits("bit_or", "f32", [1.0])


# --- norms and products ----------------------------------------------------------------------------------------

class Norms(unittest.TestCase):
    def assert_norm2(self, number_type, data):
        """|norm - exact| <= (gamma_{h+4} / 2 + 2u) exact, compared as squares."""
        exact = sum(Fraction(x) ** 2 for x in data)
        found = Fraction(value_of("norm2", number_type, data))
        relative = gamma(number_type, depth(len(data)) + 4) / 2 + 2 * unit(number_type)
        least = Fraction(2) ** number_type.least_exponent
        self.assertLessEqual((found - least) ** 2 if found > least else 0, exact * (1 + relative) ** 2)
        self.assertGreaterEqual((found + least) ** 2, exact * (1 - relative) ** 2)

    def test_norm2_of_every_size_of_number(self):
        """1e200 squared overflows and 1e-200 squared vanishes; nothing of that reaches the result."""
        for number_type, exponents in ((F64, (200, -200, 150, -161, -300, 305, 0, -323)), (F32, (19, -25, 37, -44, 0))):
            for e in exponents:
                source = random.Random(e)
                for n in (1, 2, 65, 1024, 2500):
                    data = nearest_list(number_type, (source.uniform(-1, 1) * 10.0 ** e for _ in range(n)))
                    self.assert_norm2(number_type, data)
        for number_type in FLOATS:
            for recipe in ("uniform", "normal", "wide", "cancelling", "subnormals"):
                self.assert_norm2(number_type, test_data.generate(recipe, number_type.name, 2, 2200))

    def test_norm2_of_chunks_of_different_sizes(self):
        for number_type, exponents in ((F64, (200, -200, 0)), (F32, (18, -40, 0))):
            for order in itertools.permutations(exponents):
                source = random.Random(7)
                values = (source.uniform(-1, 1) * 10.0 ** e for e in order for _ in range(1024))
                data = nearest_list(number_type, values)
                self.assert_norm2(number_type, data + [0.0] * 1024)
                self.assert_norm2(number_type, [0.0] * 1024 + data)

    def test_norm2_by_hand(self):
        norm = lambda *x: value_of("norm2", F64, list(x))
        self.assertEqual(norm(3.0, -4.0), 5.0)
        self.assertEqual(norm(3 * 2.0 ** 700, 4 * 2.0 ** 700), 5 * 2.0 ** 700)
        self.assertEqual(norm(3 * 2.0 ** -700, 4 * 2.0 ** -700), 5 * 2.0 ** -700)
        self.assertEqual(norm(-5e-324), 5e-324)  # one element: its magnitude
        top = float(F64.largest_finite)
        self.assertEqual(norm(top), top)
        self.assertEqual(norm(top, top), INF)  # the norm itself is out of range
        self.assertEqual(to_bits(F64, norm(-0.0, -0.0)), 0)
        self.assertEqual(value_of("norm2", F32, [float(F32.largest_finite)]), float(F32.largest_finite))
        self.assertEqual(value_of("norm2", F32, [2.0 ** -149]), 2.0 ** -149)

    def test_norm2_of_infinities_and_nans(self):
        """An infinity beside a chunk of the largest numbers must not become NaN (Inf * 0 on the way)."""
        for number_type in FLOATS:
            for other in (0.0, 1.0, 1e-40, float(number_type.largest_finite)):
                for at in (0, 500, 1024, 2047):
                    data = [other] * 2048
                    data[at] = -INF
                    self.assertEqual(value_of("norm2", number_type, data), INF)
                    for nan_at in (3, 1500):
                        self.assertEqual(folds.result_bits("norm2", number_type.name,
                                                           data[:nan_at] + [NAN] + data[nan_at + 1:]),
                                         CANONICAL[number_type])
            self.assertEqual(value_of("norm2", number_type, [INF] * 1024 + [-INF]), INF)

    def test_norm1(self):
        for number_type in FLOATS:
            for recipe in ("uniform", "cancelling", "wide", "subnormals"):
                data = test_data.generate(recipe, number_type.name, 2, 2200)
                exact = sum(abs(Fraction(x)) for x in data)
                error = abs(Fraction(value_of("norm1", number_type, data)) - exact)
                self.assertLessEqual(error, gamma(number_type, depth(2200)) * exact)
            self.assertEqual(folds.result_bits("norm1", number_type.name, [-0.0]), 0)
            self.assertEqual(value_of("norm1", number_type, [INF, -INF]), INF)  # no cancellation to NaN

    def test_products_of_two_arrays(self):
        for number_type in FLOATS:
            least = Fraction(2) ** number_type.least_exponent
            for recipe, n in itertools.product(("uniform", "cancelling", "wide", "subnormals"), (1, 100, 2200)):
                x = test_data.generate(recipe, number_type.name, 2, n)
                y = test_data.generate(recipe, number_type.name, 3, n)
                products = [Fraction(a) * Fraction(b) for a, b in zip(x, y)]
                error = abs(Fraction(value_of("dot", number_type, x, y)) - sum(products))
                self.assertLessEqual(error, gamma(number_type, depth(n) + 1) * sum(map(abs, products)) + n * least)
                exact = sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, y))
                error = abs(Fraction(value_of("squared_distance", number_type, x, y)) - exact)
                self.assertLessEqual(error, gamma(number_type, depth(n) + 3) * exact + n * least)

    def test_special_products(self):
        for t in FLOATS:
            top = float(t.largest_finite)
            dot = lambda x, y: folds.result_bits("dot", t.name, x, y)
            self.assertEqual(dot([-0.0], [1.0]), to_bits(t, -0.0))
            self.assertEqual(dot([-1.0] * 100, [0.0] * 100), to_bits(t, -0.0))
            self.assertEqual(dot([0.0], [INF]), CANONICAL[t])
            # In one lane the fma does not overflow on the way; in two lanes the lifted products do.
            self.assertEqual(dot([-top] + [0.0] * 63 + [top], [1.0] + [0.0] * 63 + [2.0]), to_bits(t, top))
            self.assertEqual(dot([-top, top], [2.0, 2.0]), CANONICAL[t])
            self.assertEqual(folds.result_bits("squared_distance", t.name, [INF], [INF]), CANONICAL[t])
            self.assertEqual(folds.result_bits("squared_distance", t.name, [INF, 1.0], [-INF, 1.0]), to_bits(t, INF))


# --- moments -----------------------------------------------------------------------------------------------------

class Moments(unittest.TestCase):
    def test_against_exact_rationals(self):
        for number_type in FLOATS:
            for recipe, n in itertools.product(("uniform", "normal", "near_one", "cancelling", "wide", "small"),
                                               (1, 2, 65, 1000, 1025, 5000)):
                self.check(number_type, list(test_data.generate(recipe, number_type.name, 4, n)))

    def test_a_mean_far_above_the_spread(self):
        """The textbook difference of means of squares has no correct digit here; this fold has nearly all."""
        # In f64 the chunks' means are rounded to 1e-7 here, and their differences are part of the variance.
        for number_type, mean, places in ((F32, 1e5, 1e-6), (F64, 1e9, 1e-7)):
            source = random.Random(11)
            data = nearest_list(number_type, (mean + source.gauss(0.0, 1.0) for _ in range(5000)))
            self.check(number_type, data)
            exact = statistics.pvariance(map(Fraction, data))
            self.assertLess(abs(Fraction(value_of("variance", number_type, data)) / exact - 1), places)
            sample = statistics.variance(map(Fraction, data))
            self.assertLess(abs(Fraction(value_of("sample_variance", number_type, data)) / sample - 1), places)
            squares = value_of("sum", number_type, nearest_list(number_type, (x * x for x in data)))
            naive = squares / 5000 - value_of("mean", number_type, data) ** 2
            self.assertGreater(abs(naive / exact - 1), 0.01)

    def check(self, number_type, data):
        """The bounds of docs/folds.md."""
        n, h = len(data), depth(len(data))
        exact = sum(map(Fraction, data)) / n
        exact_m2 = sum((Fraction(x) - exact) ** 2 for x in data)
        count, mean, m2 = value_of("moments", number_type, data)
        self.assertEqual(count, n)
        bound = (gamma(number_type, h) * sum(abs(Fraction(x)) for x in data) / n * (1 + unit(number_type))
                 + unit(number_type) * abs(exact))
        self.assertLessEqual(abs(Fraction(mean) - exact), bound)
        cross = 2 * bound * Fraction(math.sqrt(n * exact_m2) * (1 + 1e-9))
        self.assertLessEqual(abs(Fraction(m2) - exact_m2),
                             gamma(number_type, h + 3) * (exact_m2 + n * bound ** 2) + n * bound ** 2 + cross)

    def test_variance_is_never_negative(self):
        """In f32 the squares of deviations below 1e-23 vanish while their sum does not."""
        for number_type, scale in ((F32, 1e-25), (F32, 1e-36), (F64, 1e-160), (F64, 1e-300), (F32, 1.0), (F64, 1.0)):
            for n in (2, 64, 1000, 3000):
                data = nearest_list(number_type, (x * scale for x in test_data.generate("uniform", "f64", n, n)))
                self.assertGreaterEqual(value_of("variance", number_type, data), 0.0)
                constant = nearest_list(number_type, [0.1 * scale] * n)
                self.assertGreaterEqual(value_of("variance", number_type, constant), 0.0)
                self.assertLess(value_of("variance", number_type, constant), 1e-12 * scale ** 2 + 1e-300)

    def test_special_values(self):
        for t in FLOATS:
            nan, inf = CANONICAL[F64], to_bits(F64, INF)
            bits = lambda fold, x: folds.result_components(fold, t.name, x)
            self.assertEqual(bits("moments", [3.0]), (1, to_bits(F64, 3.0), 0))
            self.assertEqual(bits("variance", [3.0]), (0,))
            self.assertEqual(bits("sample_variance", [3.0]), (nan,))
            self.assertEqual(bits("sample_variance", [1.0, 3.0]), (to_bits(F64, 2.0),))
            # An infinite mean stays that infinity wherever its chunk lies, beside others and beside itself.
            for where in (0, 1, 2000, 4000):
                data = [1.0] * 4001
                data[where] = -INF
                self.assertEqual(bits("moments", data), (4001, to_bits(F64, -INF), nan))
                data[3999 - where] = -INF
                self.assertEqual(bits("mean", data), (to_bits(F64, -INF),))
                data[3000] = INF
                self.assertEqual(bits("mean", data), (nan,))
            self.assertEqual(bits("moments", [1.0, NAN] + [0.0] * 3000), (3002, nan, nan))
            # A chunk whose sum overflows has an infinite mean.
            self.assertEqual(bits("mean", [float(t.largest_finite)] * 2), (inf,))

    def test_f64_means_too_far_apart_to_subtract(self):
        huge = float(F64.largest_finite)
        count, mean, m2 = value_of("moments", F64, [huge] + [0.0] * 1023 + [-huge])
        self.assertEqual(count, 1025)
        self.assertFalse(math.isfinite(m2))  # about 1e613
        self.assertLess(abs(mean), huge * 2.0 ** -50)


# --- bounds --------------------------------------------------------------------------------------------------------

class Bounds(unittest.TestCase):
    FOLDS = ("sum_with_bound", "dot_with_bound", "mean_with_bound")

    def exact(self, fold, x, y):
        if fold == "dot_with_bound":
            return sum(Fraction(a) * Fraction(b) for a, b in zip(x, y))
        total = sum(map(Fraction, x))
        return total / len(x) if fold == "mean_with_bound" else total

    def arrays(self, number_type, source):
        """Random numbers of random sizes: some arrays cancel, some lie near the ends of the range."""
        n = source.choice((1, 2, 3, 10, 64, 65, 200, 1000, 1030, 2100))
        top = 126 if number_type is F32 else 1022
        middle = source.choice((0, 0, 0, -top - 10, -top, -top // 2, top // 2 - 12, -number_type.precision - top))
        spread = source.choice((0, 1, 10, 40))
        exponent = lambda: max(-1074, min(top - 12, middle + source.randint(-spread, spread)))
        draw = lambda: source.uniform(-1, 1) * 2.0 ** exponent()
        x, y = [draw() for _ in range(n)], [draw() for _ in range(n)]
        if source.random() < 0.4:  # cancelling pairs, shuffled
            x = x[:n - n // 2] + [-v * (1 + source.randint(-2, 2) * 2.0 ** -number_type.precision) for v in x[:n // 2]]
            source.shuffle(x)
        return nearest_list(number_type, x), nearest_list(number_type, y)

    def test_random_arrays(self):
        source, not_zero, tight = random.Random(5), 0, 0
        for number_type in FLOATS:
            for _ in range(200):
                x, y = self.arrays(number_type, source)
                for fold in self.FOLDS:
                    value, bound = value_of(fold, number_type, x, y)
                    if not math.isfinite(value):
                        self.assertTrue(bound == INF or bound != bound)
                        continue
                    error = abs(Fraction(value) - self.exact(fold, x, y))
                    if bound != INF:
                        self.assertLessEqual(error, Fraction(bound), (fold, number_type.name, len(x)))
                        not_zero += error > 0
                        tight += error > Fraction(bound) / 10
        # The bound is not merely large: errors are seen, and some come near it.
        self.assertGreater(not_zero, 500)
        self.assertGreater(tight, 50)

    def test_recipes(self):
        for number_type, n in itertools.product(FLOATS, (65, 3000)):
            for recipe in ("uniform", "normal", "cancelling", "wide", "subnormals", "near_one"):
                x = test_data.generate(recipe, number_type.name, 8, n)
                y = test_data.generate(recipe, number_type.name, 9, n)
                for fold in self.FOLDS:
                    value, bound = value_of(fold, number_type, x, y)
                    self.assertLessEqual(abs(Fraction(value) - self.exact(fold, x, y)), Fraction(bound))

    def test_a_bound_half_as_large_would_not_hold(self):
        """One product: its error can be all of u |p|; the bound's slack is below one part in a thousand."""
        source, passed = random.Random(6), 0
        for number_type in FLOATS:
            for _ in range(300):
                x, y = nearest_list(number_type, (source.uniform(1, 2), source.uniform(1, 2)))
                value, bound = value_of("dot_with_bound", number_type, [x], [y])
                passed += abs(Fraction(value) - Fraction(x) * Fraction(y)) > Fraction(bound) / 2
        self.assertGreater(passed, 50)

    def test_means_of_more_elements_than_f32_counts(self):
        """Past 2 ** 24 the count itself is rounded: u |mean| alone would not cover it."""
        fold, source, passed = folds.make_fold("mean_with_bound", F32), random.Random(8), 0
        for _ in range(500):
            n, s = source.randrange(1 << 24, 1 << 31), nearest(F32, source.uniform(1, 2))
            mean, bound = fold.finish((s, 0.0), n)
            error = abs(Fraction(mean) - Fraction(s) / n)
            self.assertLessEqual(error, Fraction(bound))
            passed += error > Fraction(mean) * unit(F32)
        self.assertGreater(passed, 10)

    def test_special_values(self):
        for t in FLOATS:
            bits = lambda fold, x, y=None: folds.result_components(fold, t.name, x, y)
            inf, nan, eta = to_bits(t, INF), CANONICAL[t], math.ldexp(1.0, t.least_exponent)
            self.assertEqual(bits("sum_with_bound", [1.5]), (to_bits(t, 1.5), 0))  # nothing was rounded
            self.assertEqual(bits("sum_with_bound", [INF, 1.0]), (inf, inf))
            self.assertEqual(bits("sum_with_bound", [-INF]), (to_bits(t, -INF), inf))
            self.assertEqual(bits("sum_with_bound", [INF, -INF]), (nan, nan))
            self.assertEqual(bits("mean_with_bound", [NAN, 1.0]), (nan, nan))
            top = float(t.largest_finite)
            self.assertEqual(bits("sum_with_bound", [top, top]), (inf, inf))
            self.assertEqual(bits("dot_with_bound", [top], [2.0]), (inf, inf))
            # A product that vanishes has an error though every rounded result is 0.
            value, bound = value_of("dot_with_bound", t, [eta], [0.25])
            self.assertEqual(value, 0.0)
            self.assertGreaterEqual(bound, eta / 2)


# --- what holds for all ------------------------------------------------------------------------------------------

class Everywhere(unittest.TestCase):
    ORDERED = ("moments", "mean", "variance", "sample_variance", "standard_deviation", "sample_standard_deviation",
               "log_sum_exp", "softmax_statistics", "norm2")

    def test_nan_is_canonical(self):
        """A NaN with a payload anywhere: every floating component of a result that depends on it."""
        for t in FLOATS:
            for fold in folds.FOLD_NAMES:
                if t not in folds.types_of(fold):
                    continue
                for n in (1, 2, 65, 1025, 3000):
                    data = test_data.generate("one_nan", t.name, 0, n)
                    found = folds.result_components(fold, t.name, data, data)
                    for component, bits in zip(folds.result_type(fold, t).components, found):
                        if component.is_float:
                            self.assertEqual(bits, CANONICAL[component], fold)

    def test_swapped_arguments_give_the_same_bits(self):
        for t in NUMBER_TYPES.values():
            recipe = "cancelling" if t.is_float else "uniform"
            for fold_name in folds.FOLD_NAMES:
                if t not in folds.types_of(fold_name) or fold_name in self.ORDERED:
                    continue
                fold = folds.make_fold(fold_name, t)
                data = folds.elements_of(fold_name, test_data.generate(recipe, t.name, 1, 60),
                                         test_data.generate(recipe, t.name, 2, 60))
                states = fold.lift_row(data[:20], 0)
                states = fold.accumulate_row(states, data[20:40], 20) + fold.lift_row(data[40:], 40)
                for a, b in itertools.product(states, states):
                    swapped = [folds.bits_of_value(fold_name, t, fold.finish(s, 2))
                               for s in (fold.combine(a, b), fold.combine(b, a))]
                    self.assertEqual(*swapped)

    def test_list_forms(self):
        """Element by element through the scalar functions, by the default lists of tree.Fold."""
        for t in NUMBER_TYPES.values():
            for fold_name in folds.FOLD_NAMES:
                if t not in folds.types_of(fold_name) or fold_name in self.ORDERED:
                    continue
                fold = folds.make_fold(fold_name, t)
                plain = Fold(fold.lift, fold.combine, fold.finish, fold.accumulate, fold.empty)
                for recipe in ("uniform", "mixed_zeros"):
                    data = folds.elements_of(fold_name, test_data.generate(recipe, t.name, 2, 1300),
                                             test_data.generate(recipe, t.name, 3, 1300))
                    self.assertEqual(folds.bits_of_value(fold_name, t, evaluate(plain, data)),
                                     folds.bits_of_value(fold_name, t, evaluate(fold, data)), fold_name)


class GoldenLines(unittest.TestCase):
    def test_a_line_of_several_components(self):
        bits = folds.result_components("argminmax", "f32", [1.0, -2.0])
        line = write_golden.line_of(("argminmax", "f32", "uniform", 0, 2), bits)
        self.assertEqual(line, "tree_v1 argminmax f32 uniform 0 2 locations_f32 "
                               "0xc0000000,0x0000000000000001,0x3f800000,0x0000000000000000")
        self.assertEqual(write_golden.case_of(line), ("argminmax", "f32", "uniform", 0, 2))
        line = write_golden.line_of(("any", "u64", "zeros", 0, 2), folds.result_components("any", "u64", [0, 0]))
        self.assertEqual(line, "tree_v1 any u64 zeros 0 2 bool 0x00")

    def test_shared_states_do_not_change_results(self):
        cases = [(fold, "f32", "normal", (1 << 64) - 1, n) for fold in folds.FOLD_NAMES
                 if F32 in folds.types_of(fold) for n in (0, 65, 1100)]
        lines = write_golden.compute(cases)
        for case in cases:
            fold, type_name, recipe, seed, n = case
            first = test_data.generate(recipe, type_name, seed, n)
            second = test_data.generate(recipe, type_name, 0, n)  # the seed behind 2 ** 64 - 1
            found = folds.result_components(fold, type_name, first, second)
            self.assertEqual(lines[case], write_golden.line_of(case, found))


if __name__ == "__main__":
    unittest.main()
