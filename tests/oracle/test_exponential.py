"""Judges exp, log and log1p against decimals of 50 digits, and at the ends of their ranges.

    python3 -m unittest test_exponential      (in this folder)
"""

import math
import random
import unittest
from decimal import Decimal, localcontext
from fractions import Fraction

from exponential import CONSTANTS, exp_list, exp_nonpositive_list, log1p, log_list
from number_types import F32, F64, from_bits, round_to_type, to_bits

FLOATS = (F32, F64)


def exp(number_type, x):
    return exp_list(number_type, [x])[0]


def ulps(number_type, found, exact):
    """|found - exact| in units of the last place of the exact value (a Decimal)."""
    greatest = {32: 127, 64: 1023}[number_type.bits]
    y = Fraction(exact)
    exponent = abs(y.numerator).bit_length() - y.denominator.bit_length()
    if abs(y) < Fraction(2) ** exponent:
        exponent -= 1
    ulp = Fraction(2) ** max(min(exponent, greatest) - number_type.precision + 1, number_type.least_exponent)
    value = Fraction(2) ** (greatest + 1) if math.isinf(found) else Fraction(found)
    if math.isinf(found) and y >= value:
        return 0.0
    return float(abs(value - y) / ulp)


class Exponential(unittest.TestCase):
    # docs/exponential.md: below 1 ulp in f32, at most 1 in f64; log1p at most 2.5.

    def judge(self, number_type, function, exactly, arguments, most=1.0):
        arguments = round_to_type(number_type, list(arguments))
        worst = 0.0
        with localcontext() as context:
            context.prec = 50
            for x, found in zip(arguments, function(number_type, arguments)):
                error = ulps(number_type, found, exactly(Decimal(x)))
                self.assertLessEqual(error, most, (number_type.name, x.hex()))
                worst = max(worst, error)
        self.assertGreater(worst, 0.4)  # errors are seen at all: half an ulp is met by chance

    def test_exp(self):
        source = random.Random(1)
        for t, lowest, highest in ((F32, -103.9, 88.9), (F64, -745.1, 709.9)):
            self.judge(t, exp_list, Decimal.exp, [source.uniform(lowest, highest) for _ in range(4000)])
            self.judge(t, exp_list, Decimal.exp, [source.uniform(-1, 1) for _ in range(4000)])
            self.judge(t, exp_list, Decimal.exp, [source.uniform(-1, 1) * 2.0 ** -source.randrange(60)
                                                  for _ in range(500)])
            near = [(k + 0.5) * math.log(2) * (1 + source.randint(-3, 3) * 2.0 ** -t.precision)
                    for k in range(int(lowest / 0.694), int(highest / 0.694))]
            self.judge(t, exp_list, Decimal.exp, near)  # where k changes

    def test_log(self):
        source = random.Random(2)
        for t in FLOATS:
            positive = (1 << (t.bits - 1)) - (1 << (t.bits - t.precision))
            any_bits = [from_bits(t, source.randrange(1, positive)) for _ in range(3000)]
            self.judge(t, log_list, Decimal.ln, [x for x in any_bits if math.isfinite(x)])
            self.judge(t, log_list, Decimal.ln, [source.uniform(0.5, 2.0) for _ in range(3000)])
            subnormal = 1 << (t.precision - 1)
            self.judge(t, log_list, Decimal.ln, [from_bits(t, source.randrange(1, subnormal)) for _ in range(300)])
            one = CONSTANTS[t].one
            self.judge(t, log_list, Decimal.ln, [from_bits(t, one + d) for d in range(-200, 200) if d])

    def test_log1p(self):
        source = random.Random(3)
        of_list = lambda number_type, xs: [log1p(number_type, x) for x in xs]
        exactly = lambda x: (1 + x).ln() if x > Decimal("1e-20") else x - x * x / 2
        for t in FLOATS:
            for xs in ([source.uniform(0, 0.42) for _ in range(1000)],
                       [source.uniform(0.4142, 0.4143) for _ in range(1000)],  # where 1 + x is rounded first
                       [source.uniform(0, 2.0 ** 31) for _ in range(500)],
                       [source.uniform(1, 2) * 2.0 ** -source.randrange(126) for _ in range(1000)]):
                self.judge(t, of_list, exactly, xs, 2.5)
            self.assertEqual(to_bits(t, log1p(t, 0.0)), 0)
            self.assertEqual(log1p(t, math.inf), math.inf)
            self.assertNotEqual(log1p(t, math.nan), log1p(t, math.nan))

    def test_published_errors(self):
        """From docs/exponential.md, "What was measured": the worst results of two functions over all floats."""
        for t, function, exactly, x, published, places in (
                (F32, exp_list, Decimal.exp, "-0x1.df4c9ep+5", 0.993208, 5),
                (F32, log_list, Decimal.ln, "0x1.69afdap-1", 0.840965, 5),
                (F64, exp_list, Decimal.exp, "-0x1.0df7a840f2bd1p+8", 0.881836, 2),
                (F64, log_list, Decimal.ln, "0x1.65e7eabd752acp-1", 0.798340, 2)):
            with localcontext() as context:
                context.prec = 50
                x = float.fromhex(x)
                self.assertAlmostEqual(ulps(t, function(t, [x])[0], exactly(Decimal(x))), published, places=places)

    def test_ends(self):
        for t in FLOATS:
            top, tiny = float(t.largest_finite), math.ldexp(1.0, t.least_exponent)
            infinity, nan = to_bits(t, math.inf), to_bits(t, math.nan)
            e = lambda x: to_bits(t, exp(t, x))
            for x in (0.0, -0.0, tiny, -tiny):
                self.assertEqual(exp(t, x), 1.0)
            self.assertEqual([e(math.inf), e(top), e(-math.inf), e(-top), e(math.nan)], [infinity, infinity, 0, 0, nan])
            bits = lambda x: to_bits(t, log_list(t, [x])[0])
            self.assertEqual([bits(x) for x in (math.inf, 0.0, -0.0, 1.0)],
                             [infinity, to_bits(t, -math.inf), to_bits(t, -math.inf), 0])
            self.assertEqual([bits(x) for x in (-tiny, -1.0, -top, -math.inf, math.nan)], [nan] * 5)

    def test_over_and_underflow(self):
        for t, largest, smallest in ((F32, 128, -149), (F64, 1024, -1074)):
            edge = round_to_type(t, [largest * math.log(2)])[0]
            step = edge * 2.0 ** (1 - t.precision)
            self.assertTrue(math.isfinite(exp(t, edge - 2 * step)))
            self.assertEqual(exp(t, edge + 2 * step), math.inf)
            edge = round_to_type(t, [(smallest - 1) * math.log(2)])[0]  # half the smallest subnormal
            self.assertEqual(exp(t, edge * (1 - 2.0 ** (3 - t.precision))), math.ldexp(1.0, smallest))
            self.assertEqual(to_bits(t, exp(t, edge * (1 + 2.0 ** (3 - t.precision)))), 0)

    def test_the_shorter_form_has_the_same_bits(self):
        source = random.Random(3)
        for t, lowest in ((F32, -110), (F64, -750)):
            xs = [0.0, -0.0, -math.inf, math.nan, -1e-30]
            xs += [source.uniform(lowest, 0) for _ in range(2000)] + [source.uniform(-1, 0) for _ in range(2000)]
            xs = round_to_type(t, xs)
            self.assertEqual([to_bits(t, v) for v in exp_nonpositive_list(t, xs)],
                             [to_bits(t, v) for v in exp_list(t, xs)])

    def test_a_spoilt_coefficient_is_seen(self):
        """The judge's limit is close: moved by 64 units of its last place, a coefficient breaks it."""
        source = random.Random(4)
        xs = round_to_type(F32, [source.uniform(-1, 1) for _ in range(2000)])
        good = CONSTANTS[F32]
        spoilt = good.a[:2] + (good.a[2] + 64 * 2.0 ** -25,) + good.a[3:]
        CONSTANTS[F32] = type(good)(**{**good.__dict__, "a": spoilt})
        try:
            with self.assertRaises(AssertionError):
                self.judge(F32, exp_list, Decimal.exp, xs)
        finally:
            CONSTANTS[F32] = good


if __name__ == "__main__":
    unittest.main()
