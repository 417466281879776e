"""log_sum_exp and softmax_statistics: two stages, and the exp and log1p of docs/exponential.md."""

import math

from description import Description, element, floating, one, struct
from exponential import exp_list, log1p
from number_types import fma, round_to_type
from order_free_folds import maximum, maximum_fold
from rounded_folds import ListFold
from tree import TwoStageFold


class ExponentialsFold(ListFold):
    """State (sum of exp(x - shift) for x other than the shift, number of x that are the shift)."""

    def __init__(self, number_type, shift):
        super().__init__(number_type, None)
        self.shift = shift

    def lift_row(self, elements, first_index):
        differences = self.rounded(x - self.shift for x in elements)
        return [(-0.0, 1) if d == 0.0 else (term, 0)
                for d, term in zip(differences, exp_list(self.number_type, differences))]

    def combine_pairs(self, lefts, rights):
        sums = self.rounded(a[0] + b[0] for a, b in zip(lefts, rights))
        return [(s, a[1] + b[1]) for s, a, b in zip(sums, lefts, rights)]


def exponential_fold(name, number_type):
    """The state is (maximum, sum of the other terms)."""
    def rounded(value):
        return round_to_type(number_type, [value])[0]

    def make(count, m, terms):
        total, at_maximum = terms
        return m, rounded(total + (at_maximum - 1))

    def combine(a, b):
        (m_a, r_a), (m_b, r_b) = a, b
        if m_a != m_a or m_b != m_b:
            return math.nan, math.nan
        if m_b == -math.inf:
            return a
        if m_a == -math.inf:
            return b
        if m_a == m_b:
            return maximum(m_a, m_b), rounded(rounded(r_a + r_b) + 1.0)
        (m, r), (m_less, r_less) = (a, b) if m_a > m_b else (b, a)
        power, = exp_list(number_type, [rounded(m_less - m)])
        return m, fma(number_type, rounded(r_less + 1.0), power, r)

    def finish_log(state, count):
        m, r = state
        return rounded(m + log1p(number_type, r)) if math.isfinite(m) else m

    def finish_softmax(state, count):
        m, r = state
        return m, rounded(r + 1.0)

    finish, empty = {"log_sum_exp": (finish_log, -math.inf),
                     "softmax_statistics": (finish_softmax, (-math.inf, 0.0))}[name]
    return TwoStageFold(first=maximum_fold(number_type), finish_first=lambda m, count: m,
                        second=lambda m: ExponentialsFold(number_type, m if math.isfinite(m) else 0.0),
                        make=make, combine=combine, finish=finish, empty=empty)


FOLDS = {
    "log_sum_exp": Description(lambda t: exponential_fold("log_sum_exp", t), floating, one(element)),
    "softmax_statistics": Description(lambda t: exponential_fold("softmax_statistics", t), floating,
                                      struct("softmax", element, element)),
}
