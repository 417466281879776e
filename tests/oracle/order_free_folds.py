"""The folds whose result no order can change: extrema, where they are, counts, logic, bits. Their states are
exact, so they are written as plain Python, one function for all six number types.
"""

import math
import operator

from description import Description, any_number, element, floating, integral, one, struct
from number_types import BOOL, I64
from tree import Fold


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


class OrderFreeFold(Fold):
    """One exact operation on lifted elements; the element's index is lifted with it where asked for."""

    def __init__(self, operation, empty, lift=None, lift_with_index=None, finish=lambda state, count: state):
        lift_one = lift_with_index or (lambda x, index: lift(x) if lift else x)
        super().__init__(lift_one, operation, finish, empty=empty)
        self.operation, self.plain_lift, self.index_lift = operation, lift, lift_with_index

    def lift_row(self, elements, first_index):
        if self.index_lift:
            return [self.index_lift(x, i) for i, x in enumerate(elements, first_index)]
        return [self.plain_lift(x) for x in elements] if self.plain_lift else list(elements)

    def accumulate_row(self, states, elements, first_index):
        return self.combine_pairs(states, self.lift_row(elements, first_index))

    def combine_pairs(self, lefts, rights):
        return list(map(self.operation, lefts, rights))


class TogetherFold(Fold):
    """Two folds in one read: each component has the bits that its fold has alone."""

    def __init__(self, first, second):
        super().__init__(lambda x, i: (first.lift(x, i), second.lift(x, i)),
                         lambda a, b: (first.combine(a[0], b[0]), second.combine(a[1], b[1])),
                         lambda s, n: (*as_tuple(first.finish(s[0], n)), *as_tuple(second.finish(s[1], n))),
                         empty=(*as_tuple(first.empty), *as_tuple(second.empty)))


def as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def minimum_fold(number_type):
    return OrderFreeFold(minimum if number_type.is_float else min, number_type.highest)


def maximum_fold(number_type):
    return OrderFreeFold(maximum if number_type.is_float else max, number_type.lowest)


def absolute_maximum_fold():
    return OrderFreeFold(maximum, 0.0, lift=abs)


def location_fold(number_type, largest, last):
    """The state is a key whose smallest one wins: (NaN first, value, zeros by their sign, index)."""
    value_sign, index_sign = -1 if largest else 1, -1 if last else 1

    def integer_key(x, index):
        return 1, x * value_sign, 0, index * index_sign

    def float_key(x, index):
        if x != x:
            return 0, 0.0, 0, index * index_sign
        return 1, x * value_sign, math.copysign(1.0, x * value_sign), index * index_sign

    def finish(key, count):
        is_number, value, _, index = key
        return (value * value_sign if is_number else math.nan), index * index_sign

    empty = number_type.lowest if largest else number_type.highest
    return OrderFreeFold(min, (empty, -1), lift_with_index=float_key if number_type.is_float else integer_key,
                         finish=finish)


def magnitude_location_fold(number_type):
    """That of the largest magnitude, whose value is the magnitude."""
    of_value = location_fold(number_type, largest=True, last=False)
    return OrderFreeFold(min, (0.0, -1), lift_with_index=lambda x, index: of_value.index_lift(abs(x), index),
                         finish=of_value.finish)


def count_fold(predicate):
    return OrderFreeFold(operator.add, 0, lift=lambda x: 1 if predicate(x) else 0)


def in_range(number_type):
    low, high = range_of(number_type)
    return count_fold(lambda x: low <= x <= high)


def range_of(number_type):
    """The parameters of count_in_range in all data sets (docs/test_data.md)."""
    if number_type.is_float:
        return -0.25, 0.5
    b = number_type.bits
    return (-(1 << (b - 2)), 1 << (b - 3)) if number_type.kind == "signed" else (1 << (b - 3), 1 << (b - 1))


def logic_fold(name):
    operation, empty = {"any": (operator.or_, 0), "none": (operator.or_, 1), "all": (operator.and_, 1)}[name]
    negated = name == "none"
    return OrderFreeFold(operation, empty, lift=lambda x: 1 if x != 0 else 0,
                         finish=lambda state, count: 1 - state if negated else state)


def bit_fold(name):
    # Python's integers are two's complement of unlimited width: -1 is all ones of every type.
    operation, empty = {"bit_and": (operator.and_, -1), "bit_or": (operator.or_, 0),
                        "bit_xor": (operator.xor, 0)}[name]
    return OrderFreeFold(operation, empty)


def location(largest, last):
    return Description(lambda t: location_fold(t, largest, last), any_number, struct("location", element, I64))


def both_locations(number_type):
    return TogetherFold(location_fold(number_type, largest=False, last=False),
                        location_fold(number_type, largest=True, last=False))


def count(predicate):
    return Description(lambda t: count_fold(predicate), any_number, one(lambda t: I64))


def logic(name):
    return Description(lambda t: logic_fold(name), any_number, one(lambda t: BOOL))


def bits(name):
    return Description(lambda t: bit_fold(name), integral, one(element))


FOLDS = {
    "minimum": Description(minimum_fold, any_number, one(element)),
    "maximum": Description(maximum_fold, any_number, one(element)),
    "argmin": location(largest=False, last=False),
    "argmax": location(largest=True, last=False),
    "argmin_last": location(largest=False, last=True),
    "argmax_last": location(largest=True, last=True),
    "minmax": Description(lambda t: TogetherFold(minimum_fold(t), maximum_fold(t)), any_number,
                          struct("extent", element, element)),
    "argminmax": Description(both_locations, any_number, struct("locations", element, I64, element, I64)),
    "absolute_maximum": Description(lambda t: absolute_maximum_fold(), floating, one(element)),
    "argabsmax": Description(magnitude_location_fold, floating, struct("location", element, I64)),
    "count_nonzero": count(lambda x: x != 0),
    "count_nan": count(lambda x: x != x),
    "count_in_range": Description(in_range, any_number, one(lambda t: I64)),
    "any": logic("any"),
    "all": logic("all"),
    "none": logic("none"),
    "bit_and": bits("bit_and"),
    "bit_or": bits("bit_or"),
    "bit_xor": bits("bit_xor"),
}
