"""The folds of docs/folds.md over the six number types and the two complex ones: their names, their result types,
their evaluation.

`make_fold(name, type)` gives a fold for tree.py whose result is a value of `result_type(name, type)`.
"""

from functools import lru_cache

import log_sum_exp_fold
import order_free_folds
import rounded_folds
import two_stage_folds
from complex_folds import COMPLEX_FOLDS, COMPLEX_RESULTS, make_complex_fold
from complex_types import COMPLEX_TYPES, ELEMENT_TYPES
from description import ResultType
from number_types import NUMBER_TYPES, to_bits
from tree import evaluate

FOLDS = {**rounded_folds.FOLDS, **order_free_folds.FOLDS, **two_stage_folds.FOLDS, **log_sum_exp_fold.FOLDS}
FOLD_NAMES = tuple(FOLDS)
FIRST_FOLDS = ("sum", "product", "minimum", "maximum")  # they have more golden lines than the others
TWO_ARRAY_FOLDS = tuple(name for name, fold in FOLDS.items() if fold.arrays == 2)


def types_of(fold_name):
    """The number types that the fold exists for."""
    return [t for t in NUMBER_TYPES.values() if FOLDS[fold_name].takes(t)]


def exists_for(fold_name, element_type):
    if element_type.name in COMPLEX_TYPES:
        return fold_name in COMPLEX_FOLDS
    return element_type in types_of(fold_name)


def complex_result_type(fold_name, complex_type):
    """A complex result is one of the element's type, and its components are the real and the imaginary one."""
    component = complex_type.component
    if fold_name in COMPLEX_RESULTS:
        return ResultType(complex_type.name, (component, component))
    return ResultType(component.name, (component,))


def result_type(fold_name, element_type):
    if element_type.name in COMPLEX_TYPES:
        return complex_result_type(fold_name, element_type)
    return FOLDS[fold_name].result(element_type)


@lru_cache(maxsize=None)
def make_fold(fold_name, element_type):
    if not exists_for(fold_name, element_type):
        raise ValueError(f"{fold_name} does not exist for {element_type.name}")
    if element_type.name in COMPLEX_TYPES:
        return make_complex_fold(fold_name, element_type)
    return FOLDS[fold_name].make(element_type)


def elements_of(fold_name, first, second):
    """The arguments of the fold's lift: elements, or pairs of elements."""
    return list(zip(first, second)) if fold_name in TWO_ARRAY_FOLDS else first


def bits_of_value(fold_name, element_type, value):
    """The bits of each component of a result, as a tuple of integers of the components' widths."""
    components = result_type(fold_name, element_type).components
    values = value if len(components) > 1 else (value,)
    return tuple(to_bits(t, v) for t, v in zip(components, values, strict=True))


def result_components(fold_name, type_name, first, second=None):
    """The bits of every component of the fold over the elements."""
    element_type = ELEMENT_TYPES[type_name]
    value = evaluate(make_fold(fold_name, element_type), elements_of(fold_name, first, second))
    return bits_of_value(fold_name, element_type, value)


def result_bits(fold_name, type_name, first, second=None):
    """The bits of a result of one component, as an integer."""
    bits, = result_components(fold_name, type_name, first, second)
    return bits
