"""Folds that need a value of the whole chunk first: norm2 and the moments. (log_sum_exp_fold.py: one more.)

In the chunk the operations are those of the element type. The chunk's states of norm2 and of the moments are
f64 for both types, which is Python's own arithmetic.
"""

import math
import operator

from description import Description, ResultType, element, floating, one
from number_types import F64, I64, fma_list, round_to_type
from order_free_folds import absolute_maximum_fold
from rounded_folds import FloatFold, ListFold, SquaresFold
from tree import TwoStageFold


# --- norm2 -----------------------------------------------------------------------------------------------

class ScaledSquaresFold(SquaresFold):
    def __init__(self, number_type, scale):
        super().__init__(number_type)
        self.scale = scale

    def bases(self, elements):
        return self.rounded(x * self.scale for x in elements)


def scale_exponent(number_type, magnitude):
    """e of the document, where 2 ** -e is the scale."""
    limit = {32: 126, 64: 1022}[number_type.bits]
    if magnitude == 0.0 or not math.isfinite(magnitude):
        return 0  # what the second stage makes of it is not used
    return max(-limit, min(limit, math.frexp(magnitude)[1] - 1))


def norm2_of(number_type, largest, scaled):
    """largest: the fold of the largest magnitude of a chunk; scaled(type, scale): that of the scaled squares."""
    def make(count, a, q):
        magnitude, e = a
        if magnitude == 0.0:
            return 0.0, -2000
        return (q, e) if math.isfinite(magnitude) else (magnitude, 1023)

    def combine(a, b):
        e = max(a[1], b[1])

        def scaled(state):
            k = state[1] - e
            return state[0] * (math.ldexp(1.0, 2 * k) if k >= -511 else 0.0)
        return scaled(a) + scaled(b), e

    def finish(state, count):
        q, e = state
        root = math.sqrt(q) if q == q else q
        return round_to_type(number_type, [root * math.ldexp(1.0, e)])[0]

    return TwoStageFold(first=largest,
                        finish_first=lambda m, count: (m, scale_exponent(number_type, m)),
                        second=lambda a: scaled(number_type, math.ldexp(1.0, -a[1])),
                        make=make, combine=combine, finish=finish, empty=0.0)


# --- moments, mean, variances, standard deviations ------------------------------------------------------------

class DeviationsFold(ListFold):
    """State (sum of d, sum of d * d) with d = x - a."""

    def __init__(self, number_type, a):
        super().__init__(number_type, None)
        self.a = a

    def lift_row(self, elements, first_index):
        d = self.rounded(x - self.a for x in elements)
        return list(zip(d, self.rounded(map(operator.mul, d, d))))

    def accumulate_row(self, states, elements, first_index):
        d = self.rounded(x - self.a for x in elements)
        d1 = self.rounded(s[0] + v for s, v in zip(states, d))
        return list(zip(d1, fma_list(self.number_type, d, d, [s[1] for s in states])))

    def combine_pairs(self, lefts, rights):
        return list(zip(self.rounded(a[0] + b[0] for a, b in zip(lefts, rights)),
                        self.rounded(a[1] + b[1] for a, b in zip(lefts, rights))))


def make_moments(count, a, state):
    if not math.isfinite(a):
        return float(count), a, math.nan
    n = float(count)
    d1, d2 = state
    m2 = d2 - (d1 * d1) / n
    return n, a + d1 / n, 0.0 if m2 < 0.0 else m2


def combine_moments(a, b):
    n_a, mean_a, m2_a = a
    n_b, mean_b, m2_b = b
    n = n_a + n_b
    delta = mean_b - mean_a
    f = n_b / n
    mean = mean_a + delta * f if math.isfinite(delta) else mean_a * (n_a / n) + mean_b * f
    return n, mean, (m2_a + m2_b) + (delta * delta) * (n_a * f)


MOMENT_RESULTS = {
    "moments": (lambda s, count: (count, s[1], s[2]), (0, math.nan, math.nan)),
    "mean": (lambda s, count: s[1], math.nan),
    "variance": (lambda s, count: s[2] / s[0], math.nan),
    "sample_variance": (lambda s, count: s[2] / (s[0] - 1.0) if count > 1 else math.nan, math.nan),
    "standard_deviation": (lambda s, count: math.sqrt(s[2] / s[0]), math.nan),
    "sample_standard_deviation": (lambda s, count: math.sqrt(s[2] / (s[0] - 1.0)) if count > 1 else math.nan, math.nan),
}


def moments_fold(name, number_type):
    finish, empty = MOMENT_RESULTS[name]
    return TwoStageFold(first=FloatFold(number_type, operator.add, 0.0),
                        finish_first=lambda total, count: round_to_type(number_type, [total / count])[0],
                        second=lambda a: DeviationsFold(number_type, a),
                        make=make_moments, combine=combine_moments, finish=finish, empty=empty)


def moment(name, result=one(lambda t: F64)):
    return Description(lambda t: moments_fold(name, t), floating, result)


FOLDS = {
    "norm2": Description(lambda t: norm2_of(t, absolute_maximum_fold(), ScaledSquaresFold), floating, one(element)),
    "moments": moment("moments", lambda t: ResultType("moments", (I64, F64, F64))),
    "mean": moment("mean"),
    "variance": moment("variance"),
    "sample_variance": moment("sample_variance"),
    "standard_deviation": moment("standard_deviation"),
    "sample_standard_deviation": moment("sample_standard_deviation"),
}
