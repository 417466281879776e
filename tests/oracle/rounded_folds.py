"""The folds of one stage that round: sum and product, norm1, the folds of two arrays, and those that bring a
bound of their own error. Floating-point states are Python floats that the state's type holds exactly.

Two-array folds take pairs (x, y) as their elements.
"""

import math
import operator
from fractions import Fraction

from description import Description, any_number, element, floating, one, struct, wide
from number_types import fma_list, from_bits, round_exactly, round_to_type
from tree import Fold

WORD = (1 << 64) - 1


class ListFold(Fold):
    """A fold written for whole rows; its scalar functions are rows of one."""

    def __init__(self, number_type, empty):
        super().__init__(lambda x, i: self.lift_row([x], i)[0],
                         lambda a, b: self.combine_pairs([a], [b])[0],
                         self.finish_state,
                         lambda s, x, i: self.accumulate_row([s], [x], i)[0], empty)
        self.number_type = number_type

    def rounded(self, values):
        return round_to_type(self.number_type, list(values))

    def finish_state(self, state, count):
        return state

    def accumulate_row(self, states, elements, first_index):
        return self.combine_pairs(states, self.lift_row(elements, first_index))


class FloatFold(ListFold):
    """One operation on floats, rounded to the type after every step; lift is exact."""

    def __init__(self, number_type, operation, empty, lift=None):
        super().__init__(number_type, empty)
        self.operation, self.exact_lift = operation, lift

    def lift_row(self, elements, first_index):
        return list(map(self.exact_lift, elements)) if self.exact_lift else list(elements)

    def combine_pairs(self, lefts, rights):
        return self.rounded(map(self.operation, lefts, rights))


def fraction_and_exponent(x, exponent=0):
    """x * 2 ** exponent as (fraction, exponent), 1 <= |fraction| < 2; or (x, 0) for zeros, infinities and NaNs."""
    if x == 0 or x - x != 0:
        return x, 0
    half, twice = math.frexp(x)
    return 2 * half, exponent + twice - 1


class ProductFold(ListFold):
    """States are a fraction and an exponent, which no partial product leaves; fractions are rounded to the type."""

    def __init__(self, number_type):
        super().__init__(number_type, 1.0)

    def lift_row(self, elements, first_index):
        return list(map(fraction_and_exponent, elements))

    def combine_pairs(self, lefts, rights):
        products = self.rounded(a[0] * b[0] for a, b in zip(lefts, rights))
        return [fraction_and_exponent(p, a[1] + b[1]) for p, a, b in zip(products, lefts, rights)]

    def finish_state(self, state, count):
        fraction, exponent = state
        if fraction == 0 or fraction - fraction != 0:
            return fraction
        bits = round_exactly(self.number_type, Fraction(fraction) * Fraction(2) ** exponent)
        return math.copysign(from_bits(self.number_type, bits & ~(1 << (self.number_type.bits - 1))), fraction)


class WordFold(Fold):
    """Integers, extended to 64 bits by their sign or by zeros, combined modulo 2 ** 64."""

    def __init__(self, operation, result_is_signed, empty):
        def finish(state, count):
            return state - (1 << 64) if result_is_signed and state >> 63 else state
        super().__init__(lambda x, index: x & WORD, lambda a, b: operation(a, b) & WORD, finish, empty=empty)
        self.operation = operation

    def lift_row(self, elements, first_index):
        return [x & WORD for x in elements]

    def accumulate_row(self, states, elements, first_index):
        # Python's & on a negative integer is the sign extension.
        return [self.operation(a, b & WORD) & WORD for a, b in zip(states, elements)]

    def combine_pairs(self, lefts, rights):
        return [v & WORD for v in map(self.operation, lefts, rights)]


class SumFold(ListFold):
    """The sum of what lift_row gives, by + in the type. Subclasses lift, and may accumulate by an fma."""

    def __init__(self, number_type):
        super().__init__(number_type, 0.0)

    def combine_pairs(self, lefts, rights):
        return self.rounded(map(operator.add, lefts, rights))


class DotFold(SumFold):
    def lift_row(self, elements, first_index):
        return self.rounded(x * y for x, y in elements)

    def accumulate_row(self, states, elements, first_index):
        return fma_list(self.number_type, [x for x, _ in elements], [y for _, y in elements], states)


class SquaresFold(SumFold):
    """The sum of the squares of what `bases` makes of a row of elements."""

    def lift_row(self, elements, first_index):
        return self.rounded(d * d for d in self.bases(elements))

    def accumulate_row(self, states, elements, first_index):
        d = self.bases(elements)
        return fma_list(self.number_type, d, d, states)


class SquaredDistanceFold(SquaresFold):
    def bases(self, elements):
        return self.rounded(x - y for x, y in elements)


class WeightedSumFold(ListFold):
    """State and result (s, w): the sum of x times its weight, and the sum of the weights."""

    def __init__(self, number_type):
        super().__init__(number_type, (0.0, 0.0))

    def lift_row(self, elements, first_index):
        return list(zip(self.rounded(x * w for x, w in elements), [w for _, w in elements]))

    def accumulate_row(self, states, elements, first_index):
        s = fma_list(self.number_type, [x for x, _ in elements], [w for _, w in elements],
                     [state[0] for state in states])
        return list(zip(s, self.rounded(state[1] + w for state, (_, w) in zip(states, elements))))

    def combine_pairs(self, lefts, rights):
        return list(zip(self.rounded(a[0] + b[0] for a, b in zip(lefts, rights)),
                        self.rounded(a[1] + b[1] for a, b in zip(lefts, rights))))


class BoundFold(ListFold):
    """State (s, r), result (value, bound): r is the sum of the magnitudes of all rounded results."""

    def __init__(self, number_type, empty):
        super().__init__(number_type, empty)
        slack = -10 if number_type.bits == 32 else -40
        self.c = 1.0 + 2.0 ** slack
        self.u = 2.0 ** -number_type.precision
        self.smallest = math.ldexp(1.0, number_type.least_exponent)

    def one(self, value):
        return self.rounded([value])[0]

    def combine_pairs(self, lefts, rights):
        s = self.rounded(a[0] + b[0] for a, b in zip(lefts, rights))
        r = self.rounded(a[1] + b[1] for a, b in zip(lefts, rights))
        return list(zip(s, self.rounded(map(operator.add, r, map(abs, s)))))

    def grown(self, states, s):
        """The states after one accumulation that gave s."""
        return list(zip(s, self.rounded(state[1] + abs(v) for state, v in zip(states, s))))

    def judged(self, value, bound):
        return value, bound if math.isfinite(value) else abs(value)

    def sum_bound(self, r):
        return self.one(self.one(r * self.u) * self.c)


class SumWithBoundFold(BoundFold):
    def __init__(self, number_type, empty=(0.0, 0.0)):
        super().__init__(number_type, empty)

    def lift_row(self, elements, first_index):
        return [(x, 0.0) for x in elements]

    def accumulate_row(self, states, elements, first_index):
        return self.grown(states, self.rounded(state[0] + x for state, x in zip(states, elements)))

    def finish_state(self, state, count):
        s, r = state
        return self.judged(s, self.sum_bound(r))


class MeanWithBoundFold(SumWithBoundFold):
    def __init__(self, number_type):
        super().__init__(number_type, (math.nan, math.nan))

    def finish_state(self, state, count):
        s, r = state
        n = self.one(float(count))
        mean = self.one(s / n)
        of_sum = self.one(self.sum_bound(r) / n)
        of_mean = self.one(abs(mean) * (2.0 * self.u))
        bound = self.one(self.one(of_sum + of_mean) * self.c)
        return self.judged(mean, self.one(bound + 2.0 * self.smallest))


class DotWithBoundFold(BoundFold):
    def __init__(self, number_type):
        super().__init__(number_type, (0.0, 0.0))

    def lift_row(self, elements, first_index):
        return [(p, abs(p)) for p in self.rounded(x * y for x, y in elements)]

    def accumulate_row(self, states, elements, first_index):
        s = fma_list(self.number_type, [x for x, _ in elements], [y for _, y in elements],
                     [state[0] for state in states])
        return self.grown(states, s)

    def finish_state(self, state, count):
        s, r = state
        of_underflow = self.one(self.one(float(count)) * self.smallest)
        return self.judged(s, self.one(self.one(self.sum_bound(r) + of_underflow) * self.c))


def wrapping(operation, empty, float_fold):
    """In the type where that is a floating-point one; integers modulo 2 ** 64."""
    def make(number_type):
        if number_type.is_float:
            return float_fold(number_type)
        return WordFold(operation, number_type.kind == "signed", empty)
    return Description(make, any_number, one(wide))


FOLDS = {
    "sum": wrapping(operator.add, 0, lambda t: FloatFold(t, operator.add, 0.0)),
    "product": wrapping(operator.mul, 1, ProductFold),
    "norm1": Description(lambda t: FloatFold(t, operator.add, 0.0, lift=abs), floating, one(element)),
    "dot": Description(DotFold, floating, one(element), arrays=2),
    "squared_distance": Description(SquaredDistanceFold, floating, one(element), arrays=2),
    "sum_with_bound": Description(SumWithBoundFold, floating, struct("bounded", element, element)),
    "mean_with_bound": Description(MeanWithBoundFold, floating, struct("bounded", element, element)),
    "dot_with_bound": Description(DotWithBoundFold, floating, struct("bounded", element, element), arrays=2),
    "weighted_sum": Description(WeightedSumFold, floating, struct("weighted", element, element), arrays=2),
}
