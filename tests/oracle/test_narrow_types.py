"""Judges narrow_types.py: what patterns are worth, and that recipes say what docs/test_data.md says."""

import math
import unittest
from fractions import Fraction

from narrow_types import NARROW_TYPES, float_pattern, pattern_of, value_of, values
from number_types import NUMBER_TYPES, round_exactly
from test_data import word


def worth(narrow, pattern):
    """The exact value of a finite pattern, by integers; None of the others."""
    stored = narrow.precision - 1
    exponent, fraction = pattern >> stored & ((1 << (15 - stored)) - 1), pattern & ((1 << stored) - 1)
    bias = (1 << (14 - stored)) - 1
    if exponent == (1 << (15 - stored)) - 1:
        return None
    significand = fraction if exponent == 0 else fraction + (1 << stored)
    return (-1) ** (pattern >> 15) * Fraction(significand) * Fraction(2) ** (max(exponent, 1) - bias - stored)


class Patterns(unittest.TestCase):
    def test_every_pattern_is_an_exact_number_of_the_computed_type(self):
        for name in ("f16", "bf16"):
            narrow = NARROW_TYPES[name]
            for pattern in range(65536):
                value, exact = value_of(narrow, pattern), worth(narrow, pattern)
                if exact is None:
                    self.assertEqual(math.isinf(value), pattern & 0x7FFF == narrow.infinity)
                    self.assertEqual(math.isnan(value), pattern & 0x7FFF != narrow.infinity)
                else:
                    self.assertEqual(Fraction(value), exact)
                    self.assertEqual(math.copysign(1, value) < 0, pattern >> 15 == 1)
                    if exact > 0:  # no rounding on the way to f32
                        bits = round_exactly(NUMBER_TYPES["f32"], exact)
                        self.assertEqual(round_exactly(NUMBER_TYPES["f32"], Fraction(value)), bits)

    def test_patterns_of_numbers(self):
        for name in ("f16", "bf16"):
            narrow = NARROW_TYPES[name]
            limit = 1 << narrow.precision
            for significand in range(1 - limit, limit):
                for exponent in (1 - narrow.precision, 0):
                    self.assertEqual(value_of(narrow, pattern_of(narrow, significand, exponent)),
                                     significand * 2.0 ** exponent)

    def test_integers(self):
        self.assertEqual([value_of(NARROW_TYPES["i8"], p) for p in (0, 127, 128, 255)], [0, 127, -128, -1])
        self.assertEqual([value_of(NARROW_TYPES["u8"], p) for p in (0, 127, 128, 255)], [0, 127, 128, 255])
        self.assertEqual(value_of(NARROW_TYPES["i16"], 0x8000), -32768)
        self.assertEqual(value_of(NARROW_TYPES["u16"], 0xFFFF), 65535)


class Recipes(unittest.TestCase):
    def test_uniform(self):
        for name, digits in (("f16", 11), ("bf16", 8)):
            expected = [(word(3, i) >> (64 - digits)) / 2.0 ** (digits - 1) for i in range(500)]
            expected = [x - 2 if x >= 1 else x for x in expected]  # read as a signed number
            self.assertEqual(values("uniform", name, 3, 500), expected)
        self.assertEqual(values("uniform", "u8", 0, 9), [word(0, i) >> 56 for i in range(9)])

    def test_what_depends_on_the_count(self):
        for name in ("f16", "bf16"):
            data = values("opposite_infinities", name, 0, 9)
            self.assertEqual((data[3], data[6]), (math.inf, -math.inf))
            self.assertEqual(values("opposite_infinities", name, 0, 1), [-math.inf])
            self.assertTrue(math.isnan(values("one_nan", name, 0, 9)[4]))
            self.assertEqual(float_pattern("one_nan", NARROW_TYPES[name], 0, 9, 4), NARROW_TYPES[name].nan)

    def test_small_numbers(self):
        for name in ("f16", "bf16"):
            self.assertEqual(values("lanes", name, 0, 64), [2.0 ** (i % 16) for i in range(64)])
            self.assertEqual(values("alternating", name, 0, 3), [-2, 1, -2])
            self.assertTrue(all(abs(x) < 2.0 ** -14 for x in values("subnormals", name, 0, 100)))
            self.assertTrue(all(0.9 < x < 1.1 for x in values("near_one", name, 0, 100)))
        self.assertEqual(values("alternating", "u8", 0, 2), [254, 1])
        self.assertEqual(values("lanes", "i8", 0, 9), [1, 2, 4, 8, 16, 32, 64, -128, 0])


if __name__ == "__main__":
    unittest.main()
