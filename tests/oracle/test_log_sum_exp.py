"""Judges log_sum_exp and softmax_statistics: against decimals of 70 digits, and at infinities, NaNs and zeros.

    python3 -m unittest test_log_sum_exp      (in this folder)
"""

import itertools
import math
import random
import unittest
from decimal import Decimal, localcontext

import folds
import test_data
from number_types import F32, F64, to_bits
from test_folds import CANONICAL, FLOATS, INF, NAN, depth, nearest_list, unit, value_of


def exact_log_sum_exp(data):
    """By decimals of 70 digits; far terms included."""
    with localcontext() as context:
        context.prec, context.Emin, context.Emax = 70, -999999999, 999999999
        largest = Decimal(max(data))
        others = sorted(data)[:-1]
        return largest + sum(((Decimal(x) - largest).exp() for x in others), Decimal(1)).ln()


class LogSumExp(unittest.TestCase):
    def check(self, number_type, data):
        """The bounds of docs/folds.md."""
        n, u = len(data), Decimal(float(unit(number_type)))
        m, s = value_of("softmax_statistics", number_type, data)
        self.assertEqual(m, max(data))
        exact = exact_log_sum_exp(data)
        far = min(m - min(data), 104 if number_type is F32 else 746)
        with localcontext() as context:
            context.prec = 70
            log = exact - Decimal(m)
            k = Decimal(far) + 4 * (depth(n) - 21) + 29
            relative = k * u / (1 - k * u)
            subnormals = n * Decimal(math.ldexp(1.0, number_type.least_exponent))
            result = Decimal(value_of("log_sum_exp", number_type, data))
            self.assertLessEqual(abs(result - exact), u * abs(exact) + relative * log + subnormals,
                                 (number_type.name, n))
            others = log.exp() - 1
            self.assertLessEqual(abs(Decimal(s) - 1 - others), u * (1 + others) + relative * others + subnormals)

    def test_against_decimals(self):
        for number_type in FLOATS:
            source = random.Random(9)
            for recipe, n in itertools.product(("uniform", "normal", "wide", "cancelling", "subnormals", "small"),
                                               (1, 2, 65, 1000, 2100)):
                self.check(number_type, list(test_data.generate(recipe, number_type.name, 4, n)))
            for shift in (1e4, -1e4, 700.0, -745.0):  # exp of these alone is 0 or infinite
                self.check(number_type, nearest_list(number_type, (shift + source.gauss(0, 3) for _ in range(1100))))
            self.check(number_type, [float(i // 1024) for i in range(4000)])  # each chunk above the last one
            self.check(number_type, [-float(i // 1024) for i in range(4000)])
            self.check(number_type, [-1000.0] * 1024 + [0.0] * 3)  # a chunk that vanishes
            # The largest term alone is 1, and the others are the result.
            for x in (-20.0, -40.0, -87.0):
                for data in ([0.0, x], [x] * 1024 + [0.0], [0.0] + [x] * 2000, [x, x / 2, 0.0, -INF]):
                    self.check(number_type, data)

    def test_small_terms(self):
        self.assertEqual(value_of("log_sum_exp", F64, [0.0, -40.0]), math.exp(-40.0))
        self.assertEqual(to_bits(F32, value_of("log_sum_exp", F32, [-20.0, 0.0])), to_bits(F32, math.exp(-20.0)))

    def test_softmax_is_of_sum_one(self):
        for number_type in FLOATS:
            data = test_data.generate("normal", number_type.name, 1, 1500)
            m, s = value_of("softmax_statistics", number_type, data)
            self.assertAlmostEqual(math.fsum(math.exp(x - m) / s for x in data), 1.0,
                                   places=6 if number_type is F32 else 14)

    def test_infinities(self):
        for t in FLOATS:
            lse = lambda x: folds.result_bits("log_sum_exp", t.name, x)
            softmax = lambda x: folds.result_components("softmax_statistics", t.name, x)
            inf, minus, nan = to_bits(t, INF), to_bits(t, -INF), CANONICAL[t]
            for n in (1, 65, 1024, 1025, 5000):  # rows of -inf alone: no NaN from Inf - Inf
                self.assertEqual(lse([-INF] * n), minus)
                self.assertEqual(softmax([-INF] * n), (minus, 0))
                self.assertEqual(lse([-INF] * n + [1.5]), to_bits(t, 1.5))
                self.assertEqual(lse([1.5] + [-INF] * n), to_bits(t, 1.5))
                self.assertEqual(softmax([1.5] + [-INF] * n), (to_bits(t, 1.5), to_bits(t, 1.0)))
                self.assertEqual(lse([INF] + [-INF] * n), inf)
                self.assertEqual(lse([-INF] * n + [INF]), inf)
                self.assertEqual(lse([-INF] * n + [INF, NAN]), nan)
                self.assertEqual(softmax([NAN] + [-INF] * n), (nan, nan))
                self.assertEqual(softmax([INF] * n)[0], inf)
            top = float(t.largest_finite)
            self.assertEqual(lse([top, -top]), to_bits(t, top))  # x - m overflows to -inf, whose exp is 0
            self.assertEqual(lse([-top] * 1024 + [top]), to_bits(t, top))
            self.assertEqual(lse([top] * 3000), to_bits(t, top))
            self.assertEqual(lse([0.0] * 3000), to_bits(t, value_of("log_sum_exp", t, [-0.0] * 3000)))

    def test_equal_maxima_of_both_signs_of_zero(self):
        """Chunks whose maxima are -0 and +0: the maximum is that of the fold `maximum` in either order."""
        for t in FLOATS:
            for data in ([-0.0] * 1024 + [0.0], [0.0] * 1024 + [-0.0], [-0.0] * 1500):
                m, s = folds.result_components("softmax_statistics", t.name, data)
                self.assertEqual(m, folds.result_bits("maximum", t.name, data))
                self.assertEqual(s, to_bits(t, float(len(data))))


if __name__ == "__main__":
    unittest.main()
