"""log_sum_exp and softmax_statistics: two stages, and the exp and log of docs/exponential.md."""

import math

from description import Description, element, floating, one, struct
from exponential import exp_list, log
from number_types import fma, round_to_type
from order_free_folds import maximum, maximum_fold
from rounded_folds import SumFold
from tree import TwoStageFold


class ExponentialsFold(SumFold):
    def __init__(self, number_type, shift):
        super().__init__(number_type)
        self.shift = shift

    def lift_row(self, elements, first_index):
        return exp_list(self.number_type, self.rounded(x - self.shift for x in elements))


def exponential_fold(name, number_type):
    def combine(a, b):
        (m_a, s_a), (m_b, s_b) = a, b
        if m_a != m_a or m_b != m_b:
            return math.nan, math.nan
        if m_b == -math.inf:
            return a
        if m_a == -math.inf:
            return b
        if m_a == m_b:
            return maximum(m_a, m_b), round_to_type(number_type, [s_a + s_b])[0]
        (m, s), (m_less, s_less) = (a, b) if m_a > m_b else (b, a)
        difference = round_to_type(number_type, [m_less - m])
        return m, fma(number_type, s_less, exp_list(number_type, difference)[0], s)

    def finish_log(state, count):
        m, s = state
        if not math.isfinite(m):
            return m
        return round_to_type(number_type, [m + log(number_type, s)])[0]

    finish, empty = {"log_sum_exp": (finish_log, -math.inf),
                     "softmax_statistics": (lambda state, count: state, (-math.inf, 0.0))}[name]
    return TwoStageFold(first=maximum_fold(number_type), finish_first=lambda m, count: m,
                        second=lambda m: ExponentialsFold(number_type, m if math.isfinite(m) else 0.0),
                        make=lambda count, m, s: (m, s), combine=combine, finish=finish, empty=empty)


FOLDS = {
    "log_sum_exp": Description(lambda t: exponential_fold("log_sum_exp", t), floating, one(element)),
    "softmax_statistics": Description(lambda t: exponential_fold("softmax_statistics", t), floating,
                                      struct("softmax", element, element)),
}
