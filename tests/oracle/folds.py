"""The folds of docs/folds.md: sum, product, minimum and maximum over the six number types.

`make_fold(name, type)` gives a fold for tree.py whose result is a value of `result_type(name, type)`.
Floating-point states are Python floats that the state type holds exactly.
"""

import math
import operator
from functools import lru_cache

from number_types import I64, NUMBER_TYPES, U64, round_to_type, to_bits
from tree import Fold, evaluate

FOLD_NAMES = ("sum", "product", "minimum", "maximum")
WORD = (1 << 64) - 1


def result_type(fold_name, number_type):
    if number_type.is_float or fold_name in ("minimum", "maximum"):
        return number_type
    return I64 if number_type.kind == "signed" else U64


def pick_equal(a, b, prefer_negative):
    """The extremum of two floats of which neither is the smaller: equal, or at least one NaN."""
    if a != a or b != b:
        return math.nan
    if (math.copysign(1.0, a) < 0) == prefer_negative:
        return a
    return b


def minimum(a, b):
    """IEEE 754-2019 minimum: a NaN wins, and -0 is less than +0."""
    return a if a < b else b if b < a else pick_equal(a, b, True)


def maximum(a, b):
    return a if a > b else b if b > a else pick_equal(a, b, False)


class FloatFold(Fold):
    """One operation on floats, rounded to the type after every step."""

    def __init__(self, number_type, operation, empty):
        def combine(a, b):
            return round_to_type(number_type, [operation(a, b)])[0]
        super().__init__(lambda x, index: x, combine, empty=empty)
        self.number_type, self.operation = number_type, operation

    def lift_row(self, elements, first_index):
        return list(elements)

    def accumulate_row(self, states, elements, first_index):
        return self.combine_pairs(states, elements)

    def combine_pairs(self, lefts, rights):
        return round_to_type(self.number_type, list(map(self.operation, lefts, rights)))


class ExtremumFold(Fold):
    """No arithmetic, so nothing to round; the same for integers, where neither NaN nor -0 exists."""

    def __init__(self, operation, empty):
        super().__init__(lambda x, index: x, operation, empty=empty)
        self.operation = operation

    def lift_row(self, elements, first_index):
        return list(elements)

    def accumulate_row(self, states, elements, first_index):
        return self.combine_pairs(states, elements)

    def combine_pairs(self, lefts, rights):
        return list(map(self.operation, lefts, rights))


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


@lru_cache(maxsize=None)
def make_fold(fold_name, number_type):
    if fold_name == "minimum":
        operation = minimum if number_type.is_float else min
        return ExtremumFold(operation, number_type.highest)
    if fold_name == "maximum":
        operation = maximum if number_type.is_float else max
        return ExtremumFold(operation, number_type.lowest)
    operation, empty = {"sum": (operator.add, 0), "product": (operator.mul, 1)}[fold_name]
    if number_type.is_float:
        return FloatFold(number_type, operation, float(empty))
    return WordFold(operation, number_type.kind == "signed", empty)


def result_bits(fold_name, type_name, elements):
    """The bits of the fold over the elements, as an integer of the result type's width."""
    number_type = NUMBER_TYPES[type_name]
    value = evaluate(make_fold(fold_name, number_type), elements)
    return to_bits(result_type(fold_name, number_type), value)
