"""The folds of docs/folds.md over the six number types and the two complex ones: their names, their result types,
their evaluation.

`make_fold(name, type)` gives a fold for tree.py whose result is a value of `result_type(name, type)`.
"""

from dataclasses import dataclass
from functools import lru_cache

from complex_folds import COMPLEX_FOLDS, COMPLEX_RESULTS, make_complex_fold
from complex_types import COMPLEX_TYPES, ELEMENT_TYPES
from log_sum_exp_fold import make_log_sum_exp_fold
from number_types import BOOL, F64, I64, NUMBER_TYPES, U64, to_bits
from order_free_folds import make_order_free_fold
from rounded_folds import make_rounded_fold
from tree import evaluate
from two_stage_folds import make_two_stage_fold

FIRST_FOLDS = ("sum", "product", "minimum", "maximum")
LOCATION_FOLDS = ("argmin", "argmax", "argmin_last", "argmax_last")
COUNT_FOLDS = ("count_nonzero", "count_nan", "count_in_range")
LOGIC_FOLDS = ("any", "all", "none")
BIT_FOLDS = ("bit_and", "bit_or", "bit_xor")
BOUND_FOLDS = ("sum_with_bound", "mean_with_bound", "dot_with_bound")
LATER_FOLDS = ("weighted_sum",)  # in the golden file behind all others
TWO_ARRAY_FOLDS = ("dot", "squared_distance", "dot_with_bound", "weighted_sum")

FOLD_NAMES = FIRST_FOLDS + LOCATION_FOLDS + (
    "minmax", "argminmax", "absolute_maximum", "norm1", "norm2", "dot", "squared_distance", "moments", "mean",
    "variance", "sample_variance", "log_sum_exp", "softmax_statistics") + (
    COUNT_FOLDS + LOGIC_FOLDS + BIT_FOLDS + BOUND_FOLDS + LATER_FOLDS)

ANY_TYPE = FIRST_FOLDS + LOCATION_FOLDS + ("minmax", "argminmax") + COUNT_FOLDS + LOGIC_FOLDS


def types_of(fold_name):
    """The number types that the fold exists for."""
    if fold_name in ANY_TYPE:
        return list(NUMBER_TYPES.values())
    return [t for t in NUMBER_TYPES.values() if t.is_float != (fold_name in BIT_FOLDS)]


@dataclass(frozen=True)
class ResultType:
    """The name in a golden line, and the types of the components in the order of the struct."""
    name: str
    components: tuple


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
    t = element_type
    if t.name in COMPLEX_TYPES:
        return complex_result_type(fold_name, t)
    one = lambda component: ResultType(component.name, (component,))
    struct = lambda name, *components: ResultType(f"{name}_{t.name}", components)
    if fold_name in ("sum", "product"):
        return one(t if t.is_float else I64 if t.kind == "signed" else U64)
    if fold_name in LOCATION_FOLDS:
        return struct("location", t, I64)
    if fold_name == "minmax":
        return struct("extent", t, t)
    if fold_name == "argminmax":
        return struct("locations", t, I64, t, I64)
    if fold_name == "moments":
        return ResultType("moments", (I64, F64, F64))
    if fold_name in ("mean", "variance", "sample_variance"):
        return one(F64)
    if fold_name == "softmax_statistics":
        return struct("softmax", t, t)
    if fold_name in COUNT_FOLDS:
        return one(I64)
    if fold_name in LOGIC_FOLDS:
        return one(BOOL)
    if fold_name in BOUND_FOLDS:
        return struct("bounded", t, t)
    if fold_name == "weighted_sum":
        return struct("weighted", t, t)
    return one(t)


@lru_cache(maxsize=None)
def make_fold(fold_name, element_type):
    if not exists_for(fold_name, element_type):
        raise ValueError(f"{fold_name} does not exist for {element_type.name}")
    if element_type.name in COMPLEX_TYPES:
        return make_complex_fold(fold_name, element_type)
    for make in (make_order_free_fold, make_rounded_fold, make_two_stage_fold, make_log_sum_exp_fold):
        fold = make(fold_name, element_type)
        if fold:
            return fold
    raise ValueError(f"no fold is called {fold_name}")


def elements_of(fold_name, first, second):
    """What the fold's lift takes: an element, or a pair of elements."""
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
