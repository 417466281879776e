"""Judges the complex types: their data sets, and their folds against a second reading of docs/folds.md in exact
rationals, against what they mean mathematically, and at the values where such folds go wrong.

    python3 -m unittest test_complex      (in this folder)
"""

import itertools
import math
import random
import unittest
from fractions import Fraction

import complex_folds
import complex_types
import folds
import test_data
import write_golden
from complex_types import C64, C128
from number_types import F32, F64, from_bits, to_bits
from test_folds import CANONICAL, Once, depth, gamma, nearest_list, one_stage, second_norm2, unit
from tree import Fold, evaluate

INF, NAN = math.inf, math.nan
COMPLEX = (C64, C128)


def data_of(recipe, complex_type, seed, count):
    return complex_types.values(test_data.Generator(), recipe, complex_type.name, seed, count)


def value_of(fold, complex_type, first, second=None):
    """The result as values: one, or the pair of the components."""
    components = folds.result_type(fold, complex_type).components
    bits = folds.result_components(fold, complex_type.name, first, second)
    values = [from_bits(t, b) for t, b in zip(components, bits, strict=True)]
    return values[0] if len(values) == 1 else tuple(values)


def modulus(number_type, re, im):
    return complex_folds.moduli(number_type, [(re, im)])[0]


def squared(z):
    return Fraction(z[0]) ** 2 + Fraction(z[1]) ** 2


def times(a, b):
    """The exact product of two pairs."""
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def exact(z):
    return Fraction(z[0]), Fraction(z[1])


# --- data sets -----------------------------------------------------------------------------------------------

class DataSets(unittest.TestCase):
    def test_elements_are_pairs_of_real_ones(self):
        for complex_type in COMPLEX:
            component = complex_type.component
            for recipe in test_data.recipes_of(component):
                for n in (0, 1, 2, 33, 100):
                    real = [to_bits(component, x) for x in test_data.generate(recipe, component.name, 4, 2 * n)]
                    found = [[to_bits(component, x) for x in z] for z in data_of(recipe, complex_type, 4, n)]
                    self.assertEqual(found, [[real[2 * i], real[2 * i + 1]] for i in range(n)])

    def test_by_hand(self):
        self.assertEqual(data_of("iota", C64, 0, 3), [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)])
        self.assertEqual(data_of("alternating", C128, 0, 2), [(-2.0, 1.0)] * 2)
        self.assertEqual([math.copysign(1.0, x) for x in data_of("mixed_zeros", C64, 0, 2)[1]], [1.0, -1.0])
        half = float(F32.largest_finite) / 2
        self.assertEqual(data_of("overflow", C64, 0, 2), [(half, half), (-half, -half)])

    def test_places_follow_the_count_of_real_elements(self):
        for complex_type, n in itertools.product(COMPLEX, (1, 2, 3, 7, 10)):
            place = lambda at: (at // 2, at % 2)
            data = data_of("opposite_infinities", complex_type, 0, n)
            for at, infinity in ((2 * n // 3, INF), (4 * n // 3, -INF)):
                i, component = place(at)
                self.assertEqual(data[i][component], infinity)
            i, component = place(n)
            self.assertTrue(math.isnan(data_of("one_nan", complex_type, 0, n)[i][component]))
            self.assertEqual(sum(x != x for z in data_of("one_nan", complex_type, 0, n) for x in z), 1)


# --- the modulus ---------------------------------------------------------------------------------------------

def second_modulus(number_type, t, z):
    """By exact rationals: the exponent by frexp instead of by bits, the root by integers."""
    limit = 126 if number_type is F32 else 1022
    m = max(map(abs, z))
    k = max(-limit, min(limit, math.frexp(m)[1] - 1)) if m else -limit
    re, im = (t.mul(x, Fraction(2) ** -k) for x in z)
    q = t.fma(im, im, t.mul(re, re))
    return t.mul(t.sqrt(q), Fraction(2) ** k) if q else 0.0


def hard_numbers(number_type):
    p, least = number_type.precision, number_type.least_exponent
    top = 128 if number_type is F32 else 1024
    values = [0.0, float(number_type.largest_finite)]
    for e in (least, least + 1, least + p - 2, least + p - 1, least + p, -p, -1, 0, 1, p, top - 3, top - 2, top - 1):
        one = math.ldexp(1.0, e)
        factors = (1, 1 + 2.0 ** (1 - p), 2 - 2.0 ** (1 - p), 1.6180339)
        values += nearest_list(number_type, (one * factor for factor in factors))
    return values


def random_numbers(number_type, source, count):
    """Pairs of numbers of all sizes; most have components of about one size, where both count."""
    least, top = number_type.least_exponent, 127 if number_type is F32 else 1023
    for _ in range(count):
        e = source.randint(least, top)
        draw = lambda e: source.uniform(-1, 1) * 2.0 ** max(-1074, min(top, e))
        yield tuple(nearest_list(number_type, (draw(e), draw(e + source.choice((0, 0, -1, 1, -12, 30, -200))))))


class Modulus(unittest.TestCase):
    def check(self, number_type, z):
        found = modulus(number_type, *z)
        self.assertEqual(found, second_modulus(number_type, Once(number_type), z), z)
        self.assertEqual(math.copysign(1.0, found), 1.0)
        if math.isfinite(found):  # |found - |z|| <= 2.01 u |z| + half the smallest subnormal, compared as squares
            relative = Fraction(201, 100) * unit(number_type)
            half = Fraction(2) ** (number_type.least_exponent - 1)
            low, high = max(Fraction(found) - half, 0), Fraction(found) + half
            self.assertLessEqual(low ** 2, squared(z) * (1 + relative) ** 2, z)
            self.assertGreaterEqual(high ** 2, squared(z) * (1 - relative) ** 2, z)
        else:
            self.assertGreater(squared(z), (Fraction(number_type.largest_finite) * (1 - 4 * unit(number_type))) ** 2)

    def test_hard_pairs(self):
        for number_type in (F32, F64):
            values = hard_numbers(number_type)
            for re, im in itertools.product(values, values):
                self.check(number_type, (re, -im))

    def test_random_pairs(self):
        source = random.Random(1)
        for number_type in (F32, F64):
            for z in random_numbers(number_type, source, 4000):
                self.check(number_type, z)

    def test_square_roots_of_f32_by_way_of_double_are_correct(self):
        source, t = random.Random(2), Once(F32)
        patterns = [source.getrandbits(31) for _ in range(2000)] + list(range(1, 400)) + [
            0x3F800000 + i for i in range(-200, 200)]
        for bits in patterns:
            x = from_bits(F32, bits)
            if math.isfinite(x) and x:
                self.assertEqual(nearest_list(F32, [complex_folds.square_root(x)])[0], t.sqrt(x))

    def test_of_a_real_or_an_imaginary_number_it_is_exact(self):
        source = random.Random(3)
        for number_type in (F32, F64):
            for x in hard_numbers(number_type) + [z[0] for z in random_numbers(number_type, source, 4000)]:
                for zero in (0.0, -0.0):
                    self.assertEqual(modulus(number_type, x, zero), abs(x))
                    self.assertEqual(modulus(number_type, zero, x), abs(x))

    def test_signs_and_powers_of_two_do_not_matter(self):
        source = random.Random(4)
        for number_type in (F32, F64):
            for _ in range(300):
                re, im = nearest_list(number_type, (source.uniform(1, 2), source.uniform(0.01, 2)))
                found = modulus(number_type, re, im)
                for e in (-100, -1, 1, 100):
                    self.assertEqual(modulus(number_type, -re * 2.0 ** e, im * 2.0 ** e), found * 2.0 ** e)

    def test_by_hand(self):
        for t in (F32, F64):
            least, high = t.least_exponent, 120 if t is F32 else 1016
            for e in (least, least + 3, -60, 0, 60, high):
                one = math.ldexp(1.0, e)
                self.assertEqual(modulus(t, -3 * one, 4 * one), 5 * one)
                self.assertEqual(modulus(t, 12 * one, -5 * one), 13 * one)
            self.assertEqual(to_bits(t, modulus(t, -0.0, -0.0)), 0)
            top, tiny = float(t.largest_finite), math.ldexp(1.0, least)
            self.assertEqual(modulus(t, top, tiny), top)
            self.assertEqual(modulus(t, top, top), INF)  # the modulus itself is out of range
            self.assertEqual(modulus(t, tiny, tiny), tiny)  # 1.41 units
            self.assertEqual(modulus(t, 2 * tiny, 2 * tiny), 3 * tiny)  # 2.83 units

    def test_infinities_and_nans(self):
        for t in (F32, F64):
            for x in (0.0, 1.0, math.ldexp(1.0, t.least_exponent), float(t.largest_finite), INF):
                for re, im in ((INF, x), (-INF, -x), (x, -INF)):
                    self.assertEqual(modulus(t, re, im), INF)
                for re, im in ((NAN, x), (-x, NAN)):  # also beside an infinity, where C's hypot is infinite
                    self.assertTrue(math.isnan(modulus(t, re, im)))
            self.assertTrue(math.isnan(modulus(t, NAN, NAN)))


# --- a second reading of docs/folds.md -----------------------------------------------------------------------

def add_pairs(t):
    return lambda a, b: (t.add(a[0], b[0]), t.add(a[1], b[1]))


def second_product(t, elements):
    def combine(a, b):
        return (t.sub(t.mul(a[0], b[0]), t.mul(a[1], b[1])), t.add(t.mul(a[0], b[1]), t.mul(a[1], b[0])))
    return one_stage(elements, lambda z: z, combine, combine)


def second_dot(t, elements):
    def lift(e):
        (xr, xi), (yr, yi) = e
        return t.fma(xi, yi, t.mul(xr, yr)), t.fma(-xi, yr, t.mul(xr, yi))

    def accumulate(s, e):
        (xr, xi), (yr, yi) = e
        return t.fma(xi, yi, t.fma(xr, yr, s[0])), t.fma(-xi, yr, t.fma(xr, yi, s[1]))
    return one_stage(elements, lift, accumulate, add_pairs(t))


def squares_of(t, base):
    """lift and accumulate of the squared moduli of base(element)."""
    def lift(e):
        re, im = base(e)
        return t.fma(im, im, t.mul(re, re))

    def accumulate(s, e):
        re, im = base(e)
        return t.fma(im, im, t.fma(re, re, s))
    return lift, accumulate


def scaled_moduli(t, scale):
    return squares_of(t, lambda z: (t.mul(z[0], scale), t.mul(z[1], scale)))


def second_reading(fold, complex_type, elements):
    component = complex_type.component
    t = Once(component)
    of_modulus = lambda z: second_modulus(component, t, z)
    if fold == "sum":
        return one_stage(elements, lambda z: z, add_pairs(t), add_pairs(t))
    if fold == "product":
        return second_product(t, elements)
    if fold == "dot":
        return second_dot(t, elements)
    if fold == "squared_distance":
        difference = lambda e: (t.sub(e[0][0], e[1][0]), t.sub(e[0][1], e[1][1]))
        return one_stage(elements, *squares_of(t, difference), t.add)
    if fold == "norm1":
        return one_stage(elements, of_modulus, lambda s, z: t.add(s, of_modulus(z)), t.add)
    if fold == "absolute_maximum":
        return max(map(of_modulus, elements))
    return second_norm2(component, t, Once(F64), elements, lambda z: max(map(abs, z)), scaled_moduli)


class SecondReading(unittest.TestCase):
    RECIPES = ("uniform", "normal", "cancelling", "wide", "near_one", "subnormals")

    def elements(self, fold, complex_type, recipe, n):
        first = data_of(recipe, complex_type, 3, n)
        return first, data_of(recipe, complex_type, 4, n)

    def check(self, fold, complex_type, recipe, n):
        first, second = self.elements(fold, complex_type, recipe, n)
        expected = second_reading(fold, complex_type, folds.elements_of(fold, first, second))
        with self.subTest(fold=fold, type=complex_type.name, recipe=recipe, n=n):
            self.assertEqual(value_of(fold, complex_type, first, second), expected)  # as numbers: -0 equals +0 here

    def test_bits(self):
        names = [fold for fold in complex_folds.COMPLEX_FOLDS if fold != "product"]
        for complex_type, recipe, n in itertools.product(COMPLEX, self.RECIPES, (1, 2, 3, 65, 200, 1025, 2100)):
            if n <= 200 or recipe == "wide":  # long rows are for the shape, which does not depend on the numbers
                for fold in names:
                    self.check(fold, complex_type, recipe, n)

    def test_bits_of_products(self):
        """Sizes whose products, and all partial ones, are finite."""
        for complex_type, n in itertools.product(COMPLEX, (1, 2, 3, 64, 65, 129, 200)):
            for recipe in ("normal", "uniform", "near_one", "subnormals"):
                self.check("product", complex_type, recipe, n)
        for n in (1025, 1500, 2100):
            self.check("product", C128, "normal", n)

    def test_an_fma_rounded_twice_is_told_apart(self):
        """And so is one of the two orders of the terms."""
        for complex_type in COMPLEX:
            t = Once(complex_type.component)
            differ = [0, 0]
            for seed in range(20):
                x, y = (data_of("uniform", complex_type, seed + k, 300) for k in (0, 1))
                found = value_of("dot", complex_type, x, y)[0]
                pairs = list(zip(x, y))
                twice = one_stage(pairs, lambda e: t.add(t.mul(e[0][0], e[1][0]), t.mul(e[0][1], e[1][1])),
                                  lambda s, e: t.add(t.add(s, t.mul(e[0][0], e[1][0])), t.mul(e[0][1], e[1][1])), t.add)
                swapped = one_stage(pairs, lambda e: t.fma(e[0][0], e[1][0], t.mul(e[0][1], e[1][1])),
                                    lambda s, e: t.fma(e[0][0], e[1][0], t.fma(e[0][1], e[1][1], s)), t.add)
                differ = [differ[0] + (twice != found), differ[1] + (swapped != found)]
            self.assertGreater(min(differ), 5)


# --- what the folds are worth --------------------------------------------------------------------------------

class AgainstRealFolds(unittest.TestCase):
    """Bits that a real fold gives as well."""

    def test_sums_are_those_of_the_components(self):
        for complex_type in COMPLEX:
            name = complex_type.component.name
            for recipe in test_data.recipes_of(complex_type.component):
                data = data_of(recipe, complex_type, 5, 1500)
                expected = tuple(folds.result_bits("sum", name, part) for part in complex_folds.parts(data))
                self.assertEqual(folds.result_components("sum", complex_type.name, data), expected)

    def test_of_real_elements(self):
        """With the imaginary component 0 a fold gives the real fold's result; finite results here."""
        for complex_type, n in itertools.product(COMPLEX, (1, 65, 1500)):
            name = complex_type.component.name
            for recipe in ("uniform", "normal", "cancelling", "near_one", "subnormals"):
                x, y = (list(test_data.generate(recipe, name, seed, n)) for seed in (1, 2))
                first, second = ([(v, 0.0) for v in part] for part in (x, y))
                for fold in complex_folds.REAL_RESULTS + ("dot",):
                    found = folds.result_components(fold, complex_type.name, first, second)[0]
                    expected = folds.result_bits(fold, name, x, y)
                    negative_zero = 1 << (complex_type.component.bits - 1)  # becomes +0 beside an added +0
                    self.assertEqual(found, 0 if expected == negative_zero else expected, (fold, recipe, n))

    def test_dot_of_an_array_with_itself(self):
        """The real component has the bits of the squared distance from 0."""
        for complex_type in COMPLEX:
            data = data_of("normal", complex_type, 5, 1500)
            zeros = [(0.0, 0.0)] * 1500
            self.assertEqual(value_of("dot", complex_type, data, data)[0],
                             value_of("squared_distance", complex_type, data, zeros))


class Bounds(unittest.TestCase):
    """Against exact rationals. A lane makes two roundings an element where a real one makes one: h + 17."""

    RECIPES = ("uniform", "normal", "cancelling", "wide", "subnormals")

    def each(self, *sizes):
        for complex_type, recipe, n in itertools.product(COMPLEX, self.RECIPES, sizes):
            first, second = (data_of(recipe, complex_type, seed, n) for seed in (2, 3))
            yield complex_type, first, second, depth(n), Fraction(2) ** complex_type.component.least_exponent

    def test_dot(self):
        for complex_type, x, y, h, least in self.each(1, 100, 2200):
            found = value_of("dot", complex_type, x, y)
            for component, swap in ((0, False), (1, True)):
                terms = []
                for (xr, xi), b in zip(map(exact, x), map(exact, y)):
                    terms += [xr * b[1], -xi * b[0]] if swap else [xr * b[0], xi * b[1]]
                error = abs(Fraction(found[component]) - sum(terms))
                bound = gamma(complex_type.component, h + 17) * sum(map(abs, terms))
                self.assertLessEqual(error, bound + 2 * len(x) * least)

    def test_squared_distance(self):
        for complex_type, x, y, h, least in self.each(1, 100, 2200):
            truth = sum(squared((a[0] - b[0], a[1] - b[1])) for a, b in zip(map(exact, x), map(exact, y)))
            error = abs(Fraction(value_of("squared_distance", complex_type, x, y)) - truth)
            self.assertLessEqual(error, gamma(complex_type.component, h + 19) * truth + 2 * len(x) * least)

    def test_norm2(self):
        for complex_type, x, _, h, least in self.each(1, 100, 2200):
            truth = sum(map(squared, x))
            found = Fraction(value_of("norm2", complex_type, x))
            relative = gamma(complex_type.component, h + 20) / 2 + 2 * unit(complex_type.component)
            self.assertLessEqual(max(found - least, 0) ** 2, truth * (1 + relative) ** 2)
            self.assertGreaterEqual((found + least) ** 2, truth * (1 - relative) ** 2)

    def test_norm1(self):
        for complex_type, x, _, h, least in self.each(1, 100, 1100):
            # Roots by integers, cut off below 2 ** -1200.
            truth = sum(Fraction(math.isqrt(int(squared(z) * 4 ** 1200)), 2 ** 1200) for z in x)
            error = abs(Fraction(value_of("norm1", complex_type, x)) - truth)
            self.assertLessEqual(error, gamma(complex_type.component, h + 3) * truth + len(x) * least)

    def test_product(self):
        """A complex multiplication errs by sqrt(5) u at most (Brent, Percival, Zimmermann, 2007)."""
        for complex_type, n in itertools.product(COMPLEX, (1, 2, 3, 10, 65, 200)):
            for recipe in ("normal", "uniform", "near_one"):
                data, truth = data_of(recipe, complex_type, 2, n), (Fraction(1), Fraction(0))
                for z in data:
                    truth = times(truth, exact(z))
                found = exact(value_of("product", complex_type, data))
                k = gamma(complex_type.component, Fraction(9, 4) * (n - 1))
                self.assertLessEqual(squared((found[0] - truth[0], found[1] - truth[1])), k ** 2 * squared(truth))

    def test_norm2_of_every_size_of_number(self):
        """Squares overflow and vanish at these sizes; nothing of that reaches the result."""
        for complex_type, exponents in ((C128, (200, -200, -300, 305, -323)), (C64, (19, -25, 37, -44))):
            for e, n in itertools.product(exponents, (1, 65, 1500)):
                source = random.Random(e)
                flat = nearest_list(complex_type.component, (source.uniform(-1, 1) * 10.0 ** e for _ in range(2 * n)))
                found = Fraction(value_of("norm2", complex_type, complex_types.pairs(flat)))
                truth, least = sum(Fraction(x) ** 2 for x in flat), Fraction(2) ** complex_type.component.least_exponent
                relative = gamma(complex_type.component, depth(n) + 20) / 2 + 2 * unit(complex_type.component)
                self.assertLessEqual(max(found - least, 0) ** 2, truth * (1 + relative) ** 2)
                self.assertGreaterEqual((found + least) ** 2, truth * (1 - relative) ** 2)


# --- values where such folds go wrong ------------------------------------------------------------------------

class SpecialValues(unittest.TestCase):
    def bits(self, fold, complex_type, first, second=None):
        return folds.result_components(fold, complex_type.name, first, second)

    def patterns(self, complex_type, *values):
        return tuple(to_bits(complex_type.component, v) for v in values)

    def test_empty_values(self):
        for complex_type in COMPLEX:
            expected = {"sum": (0.0, 0.0), "product": (1.0, 0.0), "dot": (0.0, 0.0)}
            for fold in complex_folds.COMPLEX_FOLDS:
                self.assertEqual(self.bits(fold, complex_type, [], []),
                                 self.patterns(complex_type, *expected.get(fold, (0.0,))))

    def test_signed_zeros_of_sums(self):
        for complex_type in COMPLEX:
            for n in (1, 2, 63, 64, 65, 1025, 3073):  # a padding of +0 would show in either component
                for zeros in itertools.product((0.0, -0.0), repeat=2):
                    self.assertEqual(self.bits("sum", complex_type, [zeros] * n), self.patterns(complex_type, *zeros))

    def test_signed_zeros_of_products_and_dots(self):
        for complex_type in COMPLEX:
            bits = lambda fold, *z: self.bits(fold, complex_type, *z)
            pattern = lambda *z: self.patterns(complex_type, *z)
            self.assertEqual(bits("product", [(-0.0, 0.0)]), pattern(-0.0, 0.0))  # no factor 1 is multiplied in
            self.assertEqual(bits("product", [(-0.0, 0.0), (1.0, 0.0)]), pattern(-0.0, 0.0))
            self.assertEqual(bits("product", [(0.0, -0.0), (1.0, 0.0)]), pattern(0.0, 0.0))  # so it is no padding
            # re: fma(-0, 1, -0 * 1) = -0; im: fma(0, 1, -0 * 1) = +0.
            self.assertEqual(bits("dot", [(-0.0, -0.0)], [(1.0, 1.0)]), pattern(-0.0, 0.0))
            self.assertEqual(bits("dot", [(-0.0, 0.0)], [(1.0, 1.0)]), pattern(0.0, -0.0))

    def test_the_conjugate_is_that_of_the_first_array(self):
        for complex_type in COMPLEX:
            self.assertEqual(value_of("dot", complex_type, [(1.0, 2.0)], [(3.0, 5.0)]), (13.0, -1.0))
            self.assertEqual(value_of("dot", complex_type, [(0.0, 1.0)], [(0.0, 1.0)]), (1.0, 0.0))
            self.assertEqual(value_of("product", complex_type, [(0.0, 1.0)] * 2), (-1.0, 0.0))
            self.assertEqual(value_of("product", complex_type, [(1.0, 2.0), (3.0, 5.0)]), (-7.0, 11.0))

    def test_components_become_nan_alone(self):
        for complex_type in COMPLEX:
            nan, pattern = CANONICAL[complex_type.component], lambda v: self.patterns(complex_type, v)[0]
            payload = from_bits(complex_type.component, test_data.NAN_WITH_PAYLOAD[complex_type.component.name])
            self.assertEqual(self.bits("sum", complex_type, [(1.0, payload), (2.0, 5.0)]), (pattern(3.0), nan))
            self.assertEqual(self.bits("sum", complex_type, [(INF, 1.0), (-INF, 2.0)]), (nan, pattern(3.0)))
            self.assertEqual(self.bits("product", complex_type, [(payload, -INF)]), (nan, pattern(-INF)))
            # No recovery of infinities: C's Annex G would give (inf, inf).
            self.assertEqual(self.bits("product", complex_type, [(INF, INF), (1.0, 1.0)]), (nan, pattern(INF)))
            self.assertEqual(self.bits("product", complex_type, [(INF, NAN), (1.0, 0.0)]), (nan, nan))

    def test_results_that_are_real(self):
        for complex_type in COMPLEX:
            inf, nan = self.patterns(complex_type, INF), (CANONICAL[complex_type.component],)
            for fold in ("absolute_maximum", "norm1", "norm2"):
                for n, at in ((1, 0), (65, 64), (2048, 1500)):
                    data = [(1.0, -2.0)] * n
                    for z, expected in (((1.0, -INF), inf), ((-INF, INF), inf), ((INF, NAN), nan), ((-NAN, 0.0), nan)):
                        data[at] = z
                        self.assertEqual(self.bits(fold, complex_type, data), expected)
                self.assertEqual(self.bits(fold, complex_type, [(-0.0, -0.0)] * 3), (0,))
            distance = lambda x, y: self.bits("squared_distance", complex_type, [x], [y])
            self.assertEqual(distance((INF, 0.0), (1.0, 0.0)), inf)
            self.assertEqual(distance((INF, 0.0), (INF, 0.0)), nan)
            self.assertEqual(distance((-0.0, 0.0), (0.0, -0.0)), (0,))

    def test_norm2_by_hand(self):
        for complex_type in COMPLEX:
            top = float(complex_type.component.largest_finite)
            tiny = math.ldexp(1.0, complex_type.component.least_exponent)
            for one in (tiny, 1.0, 2.0 ** 100):
                self.assertEqual(value_of("norm2", complex_type, [(3 * one, -4 * one)]), 5 * one)
                self.assertEqual(value_of("norm2", complex_type, [(one, one), (-one, one)]), 2 * one)
            self.assertEqual(value_of("norm2", complex_type, [(top, 0.0)]), top)
            self.assertEqual(value_of("norm2", complex_type, [(top, top)]), INF)
            # The larger component of a chunk may be an imaginary one.
            self.assertEqual(value_of("norm2", complex_type, [(tiny, top / 2)] + [(0.0, 0.0)] * 2000), top / 2)


# --- what holds for all --------------------------------------------------------------------------------------

class Everywhere(unittest.TestCase):
    def fold_and_data(self, name, complex_type, recipe, count):
        first, second = (data_of(recipe, complex_type, seed, count) for seed in (1, 2))
        return folds.make_fold(name, complex_type), folds.elements_of(name, first, second)

    def test_swapped_arguments_give_the_same_bits(self):
        for complex_type, name in itertools.product(COMPLEX, complex_folds.COMPLEX_FOLDS):
            if name == "norm2":
                continue
            fold, data = self.fold_and_data(name, complex_type, "cancelling", 60)
            states = fold.lift_row(data[:20], 0)
            states = fold.accumulate_row(states, data[20:40], 20) + fold.lift_row(data[40:], 40)
            for a, b in itertools.product(states, states):
                swapped = [folds.bits_of_value(name, complex_type, fold.finish(s, 2))
                           for s in (fold.combine(a, b), fold.combine(b, a))]
                self.assertEqual(*swapped)

    def test_list_forms(self):
        for complex_type, name in itertools.product(COMPLEX, complex_folds.COMPLEX_FOLDS):
            if name == "norm2":
                continue
            for recipe in ("uniform", "mixed_zeros"):
                fold, data = self.fold_and_data(name, complex_type, recipe, 1300)
                plain = Fold(fold.lift, fold.combine, fold.finish, fold.accumulate, fold.empty)
                self.assertEqual(folds.bits_of_value(name, complex_type, evaluate(plain, data)),
                                 folds.bits_of_value(name, complex_type, evaluate(fold, data)), name)

    def test_other_folds_are_refused(self):
        for complex_type, name in itertools.product(COMPLEX, folds.FOLD_NAMES):
            self.assertEqual(folds.exists_for(name, complex_type), name in complex_folds.COMPLEX_FOLDS)
        with self.assertRaises(ValueError):
            folds.result_bits("maximum", "c64", [(1.0, 2.0)])


class GoldenLines(unittest.TestCase):
    def test_a_line(self):
        case = ("sum", "c64", "iota", 0, 2)
        line = write_golden.compute([case])[case]
        self.assertEqual(line, "tree_v1 sum c64 iota 0 2 c64 0x40800000,0x40c00000")
        self.assertEqual(write_golden.case_of(line), case)
        case = ("norm2", "c128", "alternating", 0, 5)
        self.assertEqual(write_golden.compute([case])[case],
                         "tree_v1 norm2 c128 alternating 0 5 f64 0x4014000000000000")

    def test_every_fold_and_type_has_lines_with_finite_results_of_several_chunks(self):
        for complex_type, fold in itertools.product(COMPLEX, complex_folds.COMPLEX_FOLDS):
            infinity = to_bits(complex_type.component, INF)
            cases = [c for c in write_golden.complex_cases() if c[:2] == (fold, complex_type.name) and c[4] == 1025]
            lines = write_golden.compute(cases).values()
            finite = [line for line in lines
                      if all(0 < int(x, 16) & ~(1 << (complex_type.component.bits - 1)) < infinity
                             for x in line.split(" ")[7].split(","))]
            self.assertGreater(len(finite), 0, fold)

    def test_lines_stand_behind_those_of_real_elements(self):
        lines = 0
        for fold in folds.FOLD_NAMES:
            text = (write_golden.GOLDEN / f"{fold}.txt").read_text()
            self.assertTrue(all(line[0] == "#" or line.split(" ")[1] == fold for line in text.splitlines()), fold)
            types = [line.split(" ")[2] for line in text.splitlines() if line[0] != "#"]
            first = types.index("c64") if "c64" in types else len(types)
            self.assertEqual(set(types[first:]), {"c64", "c128"} if fold in complex_folds.COMPLEX_FOLDS else set())
            lines += len(types) - first
        self.assertEqual(lines, len(list(write_golden.complex_cases())))


if __name__ == "__main__":
    unittest.main()
