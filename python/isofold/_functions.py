"""The reductions, by the names and with the arguments of the array API standard and of NumPy."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Optional, Union, overload

import numpy as np

from . import _arrays, _core
from ._arrays import known as _array
from ._definition import Definition
from ._definition import resolve as _definition

_Axis = Optional[Union[int, Sequence[int]]]
_Definition = Optional[Definition]

_FOLDS: dict[str, int] = _core.FOLDS
_TREE = 1

# Rules for the dtype of a result, and flags: python/src/call.hpp.
_AS_FOLD, _AS_SUM, _AS_ELEMENT, _AS_MEAN = range(4)
_ALLOW_EMPTY, _KEEP_PARTS, _REDUCE_PARTS, _ACCUMULATE_F64, _INTEGERS_AS_F64 = 1, 2, 4, 8, 16
_ALL = -1

_SUM = _FOLDS["sum"]
_PRODUCT = _FOLDS["product"]
_MINIMUM = _FOLDS["minimum"]
_MAXIMUM = _FOLDS["maximum"]
_MEAN = _FOLDS["mean"]
_ARGMIN = _FOLDS["argmin"]
_ARGMAX = _FOLDS["argmax"]
_ANY = _FOLDS["any"]
_ALL_FOLD = _FOLDS["all"]
_COUNT_NONZERO = _FOLDS["count_nonzero"]
_LOG_SUM_EXP = _FOLDS["log_sum_exp"]


class MinMax(NamedTuple):
    minimum: Any
    maximum: Any


class ArgMinMax(NamedTuple):
    minimum: Any
    minimum_index: Any
    maximum: Any
    maximum_index: Any


class Bounded(NamedTuple):
    """A value and a rigorous bound of its error."""

    value: Any
    bound: Any


class SoftmaxStatistics(NamedTuple):
    """The maximum, and the sum of exp(x - maximum)."""

    maximum: Any
    sum: Any


class Moments(NamedTuple):
    """How many elements there are, their mean, and the sum of squared distances from it."""

    count: Any
    mean: Any
    m2: Any

    def variance(self, correction: float = 0) -> Any:
        """m2 / (count - correction); NaN where that is not above 0."""
        divisor = self.count - correction
        positive = divisor > 0
        with np.errstate(invalid="ignore"):
            return (self.m2 * positive) / (divisor * positive)


def _kind(number: int) -> str:
    name = _arrays.NAMES[number]
    return "f" if "float" in name else name[0]  # f, c, i, u, b


def _bits(number: int) -> int:
    return int(_arrays.NUMPY_DTYPES[number].itemsize) * 8 if _arrays.NAMES[number] != "bfloat16" else 16


def _for_dtype(x: Any, dtype: Any, real: bool = False) -> tuple[Any, int, int]:
    """The array that is reduced for a result of `dtype`, the number of the dtype, and a flag.

    Elements are converted before they are added where the result is of another kind or of more bits, and the result
    where it is of fewer. `real`: the result is no integer, even of integers."""
    x = _array(x)
    wanted = _arrays.dtype_number(dtype)
    own = _arrays.dtype_number(x.dtype)
    kind, other = _kind(own), _kind(wanted)
    if other == "b":
        raise TypeError("The result of a sum, product or mean is a number; dtype= cannot be bool.")
    if real and other in "iu":
        raise TypeError(f"This result is no integer, and dtype= is {_arrays.NAMES[wanted]}: convert the result.")
    if kind == "c" and other != "c":
        raise TypeError(f"A complex result does not become {_arrays.NAMES[wanted]}: reduce x.real or x.imag.")
    f64 = _arrays.NUMBERS["float64"]
    if kind in "iub":
        return (x if other in "iu" else _arrays.library_of(x).astype(x, f64)), wanted, 0
    if kind == "f" and other in "iu":
        return _arrays.library_of(x).astype(x, wanted), wanted, 0
    if kind == "c":
        return (_arrays.library_of(x).astype(x, wanted) if _bits(own) < _bits(wanted) else x), wanted, 0
    precise = _bits(wanted) // (2 if other == "c" else 1) == 64
    if precise and _bits(own) == 32:
        return x, wanted, _ACCUMULATE_F64
    return (_arrays.library_of(x).astype(x, f64) if precise and _bits(own) == 16 else x), wanted, 0


def _store(out: Any, result: Any) -> Any:
    """`result`, put into `out` if that is given."""
    if out is None:
        return result
    if isinstance(out, tuple) and len(out) == 1:
        (out,) = out
    if isinstance(out, np.generic) or not hasattr(out, "shape"):
        raise TypeError(f"out= takes an array, not {out!r}.")
    shape = tuple(np.shape(result)) if not hasattr(result, "shape") else tuple(result.shape)
    if tuple(out.shape) != shape:
        raise ValueError(f"out= has the shape {tuple(out.shape)}; the result has {shape}.")
    _arrays.library_of(out).assign(out, result)
    return out


def _one_number(name: str, value: Any, kinds: str) -> Any:
    """`value` if it is one number of these kinds, or an array of another library without dimensions."""
    of_library = _arrays._library_name(type(value)) is not None
    given = value if of_library else np.asarray(value)
    known = of_library or given.dtype.kind in kinds or given.dtype == _arrays.BFLOAT16
    if tuple(given.shape) or not known:
        raise TypeError(f"{name}= takes one {'' if 'c' in kinds else 'real '}number, not {value!r}.")
    return value


def _initial_of(number: int, initial: Any) -> Any:
    """An initial value that elements of the dtype `number` take without a change."""
    kind = _kind(number)
    initial = _one_number("initial", initial, "biufc" if kind == "c" else "biuf")
    if kind in "iub" and np.issubdtype(getattr(initial, "dtype", type(initial)), np.floating):
        if not float(initial).is_integer():
            raise ValueError(f"initial={initial!r} is no integer, as the elements are: pass x.astype(numpy.float64).")
        return int(initial)
    return initial


def _as_element(initial: Any, result: Any) -> Any:
    """An initial value in the dtype of a NumPy result; another library's as it is."""
    if not isinstance(result, (np.ndarray, np.generic)):
        return initial
    dtype = result.dtype
    if dtype.kind in "iu" and not np.iinfo(dtype).min <= initial <= np.iinfo(dtype).max:
        raise OverflowError(f"initial={initial!r} is no {dtype}: pass x of a type that has this number.")
    return np.asarray(initial, dtype)[()]


def _initial(x: Any, initial: Any, flags: int) -> Any:
    """An initial value as an element of the type that the sum of `x` is computed in."""
    number = _arrays.dtype_number(x.dtype)
    initial = _initial_of(number, initial)
    if _kind(number) in "iub":
        value = int(initial)
        return np.asarray(value, np.uint64 if value >= 2**63 else np.int64)
    if _kind(number) == "c":
        return np.asarray(initial, _arrays.NUMPY_DTYPES[number])
    return np.asarray(initial, np.float64 if flags & _ACCUMULATE_F64 or _bits(number) == 64 else np.float32)


@overload
def sum(
    x: Any, /, axis: _Axis = None, *, keepdims: bool = False, where: Any = None, bound: Literal[True]
) -> Bounded: ...
@overload
def sum(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, bound: Literal[False] = False, definition: _Definition = None,
) -> Any: ...
def sum(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, bound: bool = False, definition: _Definition = None,
) -> Any:  # fmt: skip
    """The sum over `axis` (None: all of them), exact and rounded once unless definition="tree".

    bound=True: the sum of tree v1 and a rigorous bound of its error, as `Bounded`."""
    if bound:
        if dtype is not None or initial is not None or out is not None:
            raise TypeError("bound=True goes with axis, keepdims and where alone.")
        return Bounded(*_core.reduce(_FOLDS["sum_with_bound"], x, axis, keepdims, where, _TREE, _AS_FOLD, 0, _ALL,
                                     None, 0, None))  # fmt: skip
    chosen = _definition(definition)
    wanted = flags = 0
    if dtype is not None:
        x, wanted, flags = _for_dtype(x, dtype)
    first = None
    if initial is not None and chosen != _TREE:
        x = _array(x)
        first = _initial(x, initial, flags)
    result = _core.reduce(_SUM, x, axis, keepdims, where, chosen, _AS_SUM, wanted, 0, None, flags, first)
    if initial is not None and first is None:
        result = result + _as_element(_initial_of(_arrays.dtype_number(_array(x).dtype), initial), result)
    return result if out is None else _store(out, result)


def prod(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None,
    where: Any = None,
) -> Any:  # fmt: skip
    """The product over `axis`, by tree v1; that of integers modulo 2^64."""
    wanted = flags = 0
    if dtype is not None:
        x, wanted, flags = _for_dtype(x, dtype)
    result = _core.reduce(_PRODUCT, x, axis, keepdims, where, _TREE, _AS_SUM, wanted, 0, None, flags, None)
    if initial is not None:
        result = result * _as_element(_initial_of(_arrays.dtype_number(_array(x).dtype), initial), result)
    return result if out is None else _store(out, result)


def _extremum(fold: int, x: Any, axis: Any, out: Any, keepdims: bool, initial: Any, where: Any, better: str) -> Any:
    flags = 0 if initial is None else _ALLOW_EMPTY
    result = _core.reduce(fold, x, axis, keepdims, where, _TREE, _AS_ELEMENT, 0, 0, None, flags, None)
    if initial is not None:
        x = _array(x)
        first = _as_element(_initial_of(_arrays.dtype_number(x.dtype), initial), result)
        result = getattr(_arrays.library_of(x), better)(result, first)
    return result if out is None else _store(out, result)


def min(
    x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None,
) -> Any:  # fmt: skip
    """The smallest element; a NaN where there is one. -0 is below +0."""
    if out is None and initial is None:
        return _core.reduce(_MINIMUM, x, axis, keepdims, where, _TREE, _AS_ELEMENT, 0, 0, None, 0, None)
    return _extremum(_MINIMUM, x, axis, out, keepdims, initial, where, "minimum")


def max(
    x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None,
) -> Any:  # fmt: skip
    """The largest element; a NaN where there is one. -0 is below +0."""
    if out is None and initial is None:
        return _core.reduce(_MAXIMUM, x, axis, keepdims, where, _TREE, _AS_ELEMENT, 0, 0, None, 0, None)
    return _extremum(_MAXIMUM, x, axis, out, keepdims, initial, where, "maximum")


def argmin(x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False) -> Any:
    """The index of the first smallest element along `axis` (None: in the flattened array)."""
    result = _core.reduce(_ARGMIN, x, axis, keepdims, None, _TREE, _AS_FOLD, 0, 1, None, 0, None)
    return result if out is None else _store(out, result)


def argmax(x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False) -> Any:
    """The index of the first largest element along `axis` (None: in the flattened array)."""
    result = _core.reduce(_ARGMAX, x, axis, keepdims, None, _TREE, _AS_FOLD, 0, 1, None, 0, None)
    return result if out is None else _store(out, result)


def any(x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False, where: Any = None) -> Any:
    """Whether an element is not 0."""
    result = _core.reduce(_ANY, x, axis, keepdims, where, _TREE, _AS_FOLD, 0, 0, None, _REDUCE_PARTS, None)
    return result if out is None else _store(out, result)


def _as_nonzero(x: Any) -> Any:
    """`x`, or which elements are not 0 if they are complex, of which folds have no such question."""
    x = _array(x)
    return x != 0 if _kind(_arrays.dtype_number(x.dtype)) == "c" else x


def all(x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False, where: Any = None) -> Any:
    """Whether no element is 0."""
    x = _as_nonzero(x)
    result = _core.reduce(_ALL_FOLD, x, axis, keepdims, where, _TREE, _AS_FOLD, 0, 0, None, 0, None)
    return result if out is None else _store(out, result)


def count_nonzero(x: Any, /, axis: _Axis = None, *, keepdims: bool = False, where: Any = None) -> Any:
    """How many elements are not 0."""
    x = _as_nonzero(x)
    return _core.reduce(_COUNT_NONZERO, x, axis, keepdims, where, _TREE, _AS_FOLD, 0, 0, None, 0, None)


def mean(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, keepdims: bool = False, where: Any = None,
    definition: _Definition = None,
) -> Any:  # fmt: skip
    """The mean over `axis`, exact and rounded to f64 unless definition="tree", then converted to its dtype."""
    chosen = _definition(definition)
    flags = _KEEP_PARTS if chosen != _TREE else _KEEP_PARTS | _INTEGERS_AS_F64
    wanted = 0
    if dtype is not None:
        x, wanted, _ = _for_dtype(x, dtype, real=True)
    result = _core.reduce(_MEAN, x, axis, keepdims, where, chosen, _AS_MEAN, wanted, 0, None, flags, None)
    return result if out is None else _store(out, result)


def _spread(folds: tuple[str, str], root: bool, x: Any, axis: Any, dtype: Any, out: Any, correction: Any, ddof: Any,
            keepdims: bool, where: Any, definition: Any) -> Any:  # fmt: skip
    chosen = _definition(definition)
    wanted = 0
    if dtype is not None:
        x, wanted, _ = _for_dtype(x, dtype, real=True)
    if ddof is not None:
        if correction != 0:
            raise ValueError(f"ddof={ddof!r} and correction={correction!r} are one number: give one of them.")
        correction = ddof
    correction = float(_one_number("correction" if ddof is None else "ddof", correction, "biuf"))
    if correction in (0, 1):
        result = _core.reduce(_FOLDS[folds[int(correction)]], x, axis, keepdims, where, chosen, _AS_MEAN, wanted, 0,
                              None, _INTEGERS_AS_F64, None)  # fmt: skip
        return result if out is None else _store(out, result)
    x = _array(x)
    parts = Moments(*_core.reduce(_FOLDS["moments"], x, axis, keepdims, where, chosen, _AS_FOLD, 0, _ALL, None,
                                  _INTEGERS_AS_F64, None))  # fmt: skip
    result = parts.variance(correction)
    if root:
        result = result**0.5
    if not wanted:
        own = _arrays.dtype_number(x.dtype)
        wanted = own if _kind(own) == "f" else _arrays.NUMBERS["float64"]
    result = _arrays.library_of(x).astype(result, wanted)
    return _store(out, result[()] if isinstance(result, np.ndarray) else result)


def var(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, correction: float = 0.0,
    keepdims: bool = False, where: Any = None, ddof: Optional[float] = None, definition: _Definition = None,
) -> Any:  # fmt: skip
    """The variance, divided by n - correction; with correction 0 or 1 exact and rounded once to f64. `ddof` is NumPy's
    name of the correction."""
    return _spread(("variance", "sample_variance"), False, x, axis, dtype, out, correction, ddof, keepdims, where,
                   definition)  # fmt: skip


def std(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, correction: float = 0.0,
    keepdims: bool = False, where: Any = None, ddof: Optional[float] = None, definition: _Definition = None,
) -> Any:  # fmt: skip
    """The standard deviation: the root of `var`, with correction 0 or 1 rounded once to f64."""
    return _spread(("standard_deviation", "sample_standard_deviation"), True, x, axis, dtype, out, correction,
                   ddof, keepdims, where, definition)  # fmt: skip


def logsumexp(x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False, where: Any = None) -> Any:
    """log(sum(exp(x))) without overflow, by tree v1."""
    result = _core.reduce(_LOG_SUM_EXP, x, axis, keepdims, where, _TREE, _AS_MEAN, 0, 0, None, _INTEGERS_AS_F64, None)
    return result if out is None else _store(out, result)


def softmax_statistics(x: Any, /, axis: _Axis = -1, *, keepdims: bool = False, where: Any = None) -> SoftmaxStatistics:
    """The maximum and the sum of exp(x - maximum), by one read; of f32 for narrower elements."""
    return SoftmaxStatistics(*_core.reduce(_FOLDS["softmax_statistics"], x, axis, keepdims, where, _TREE, _AS_FOLD, 0,
                                           _ALL, None, _INTEGERS_AS_F64, None))  # fmt: skip


def minmax(x: Any, /, axis: _Axis = None, *, keepdims: bool = False, where: Any = None) -> MinMax:
    """The smallest and the largest element, by one read, as `MinMax`; narrow elements become f32, i32 or u32."""
    return MinMax(*_core.reduce(_FOLDS["minmax"], x, axis, keepdims, where, _TREE, _AS_FOLD, 0, _ALL, None, 0, None))


def argminmax(x: Any, /, axis: _Axis = None, *, keepdims: bool = False) -> ArgMinMax:
    """The smallest and the largest element and their first indices, by one read, as `ArgMinMax`."""
    return ArgMinMax(*_core.reduce(_FOLDS["argminmax"], x, axis, keepdims, None, _TREE, _AS_FOLD, 0, _ALL, None, 0,
                                   None))  # fmt: skip


def moments(
    x: Any, /, axis: _Axis = None, *, keepdims: bool = False, where: Any = None, definition: _Definition = None,
) -> Moments:  # fmt: skip
    """The count, the mean and the sum of squared distances from it, as `Moments`."""
    return Moments(*_core.reduce(_FOLDS["moments"], x, axis, keepdims, where, _definition(definition), _AS_FOLD, 0,
                                 _ALL, None, _INTEGERS_AS_F64, None))  # fmt: skip


def _pair(x1: Any, x2: Any, floating: bool) -> tuple[Any, Any, int]:
    """Two arrays of one dtype and one shape, and the number of the dtype."""
    x1, x2 = _array(x1), _array(x2)
    one, two = _arrays.dtype_number(x1.dtype), _arrays.dtype_number(x2.dtype)
    number = one
    if one != two:
        number = _arrays.dtype_number(np.result_type(_arrays.NUMPY_DTYPES[one], _arrays.NUMPY_DTYPES[two]))
    if floating and _kind(number) in "iub":
        number = _arrays.NUMBERS["float64"]
    library = _arrays.library_of(x1)
    if one != number:
        x1 = library.astype(x1, number)
    if two != number:
        x2 = library.astype(x2, number)
    if x1.shape != x2.shape:
        shape = np.broadcast_shapes(tuple(x1.shape), tuple(x2.shape))
        x1, x2 = library.broadcast(x1, shape), library.broadcast(x2, shape)
    return x1, x2, number


def _one_axis(axis: Any, dimensions: int) -> int:
    if isinstance(axis, bool) or not hasattr(axis, "__index__"):
        raise TypeError(f"axis= is one integer here, not {axis!r}.")
    number = operator.index(axis)
    if not -dimensions <= number < dimensions:
        raise np.exceptions.AxisError(f"axis {number} is out of bounds for an array of {dimensions} dimensions.")
    return number


def average(
    x: Any, /, axis: _Axis = None, weights: Any = None, *, returned: bool = False, keepdims: bool = False,
    where: Any = None, definition: _Definition = None,
) -> Any:  # fmt: skip
    """The mean with weights: the sum of x·w divided by the sum of w, each of them exact and rounded once.

    returned=True: the average and the sum of the weights."""
    chosen = _definition(definition)
    if weights is None:
        result = mean(x, axis, keepdims=keepdims, where=where, definition=definition)
        if not returned:
            return result
        x = _array(x)
        ones = _arrays.library_of(x).broadcast(_arrays.library_of(x).asarray(True, x), tuple(x.shape))
        return result, count_nonzero(ones, axis, keepdims=keepdims, where=where)
    x, weights = _array(x), _array(weights)
    if weights.shape != x.shape:
        line = None if axis is None or isinstance(axis, (tuple, list)) else _one_axis(axis, len(x.shape))
        if len(weights.shape) != 1 or line is None or weights.shape[0] != x.shape[line]:
            raise ValueError(
                "weights= has the shape of the array, or is one line of weights along the one axis=; here are"
                f" {tuple(weights.shape)} weights, an array of {tuple(x.shape)} and axis={axis!r}."
            )
        shape = [1] * len(x.shape)
        shape[line] = weights.shape[0]
        weights = weights.reshape(shape)
    x, weights, number = _pair(x, weights, floating=True)
    total, weight = _core.reduce(_FOLDS["weighted_sum"], x, axis, keepdims, where, chosen, _AS_FOLD, 0, _ALL, weights,
                                 0, None)  # fmt: skip
    result = total / weight
    return (result, weight) if returned else result


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1, definition: _Definition = None) -> Any:
    """The sum of conj(x1)·x2 over one axis; of integers in their own type, modulo its range."""
    x1, x2, number = _pair(x1, x2, floating=False)
    if not x1.shape:
        raise ValueError("vecdot takes arrays of at least one dimension.")
    axis = _one_axis(axis, len(x1.shape))
    if _kind(number) in "iub":
        product = _arrays.library_of(x1).multiply(x1, x2)
        return _core.reduce(_SUM, product, axis, False, None, _TREE, _AS_ELEMENT, 0, 0, None, 0, None)
    return _core.reduce(_FOLDS["dot"], x1, axis, False, None, _definition(definition), _AS_ELEMENT, 0, 0, x2, 0, None)


def dot(x1: Any, x2: Any, /, *, definition: _Definition = None) -> Any:
    """The sum of x1·x2 over two arrays of one dimension; complex elements are not conjugated."""
    x1, x2 = _array(x1), _array(x2)
    if len(x1.shape) != 1 or tuple(x1.shape) != tuple(x2.shape):
        raise ValueError(
            "isofold.dot takes two arrays of one dimension and one length, and these have the shapes"
            f" {tuple(x1.shape)} and {tuple(x2.shape)}; vecdot has an axis."
        )
    if _kind(_arrays.dtype_number(x1.dtype)) == "c":
        x1 = x1.conj()
    return vecdot(x1, x2, definition=definition)


def segment_sum(x: Any, offsets: Any, /, *, dtype: Any = None, definition: _Definition = None) -> Any:
    """The sum of each segment [offsets[r], offsets[r + 1]) of a contiguous array of one dimension."""
    wanted = 0
    if dtype is not None:
        x, wanted, flags = _for_dtype(x, dtype)
        if flags:
            x = _arrays.library_of(x).astype(x, _arrays.NUMBERS["float64"])
    listed = _array(offsets)
    if isinstance(listed, np.ndarray) and listed.dtype.kind in "iu":  # of any width and strides
        kept = np.uint64 if listed.dtype.kind == "u" and listed.dtype.itemsize == 8 else np.int64
        offsets = np.ascontiguousarray(listed, kept)
    return _core.segment_reduce(_SUM, x, offsets, _definition(definition), _AS_SUM, wanted)


_FUSED = {
    "prod": "product", "min": "minimum", "max": "maximum", "var": "variance", "std": "standard_deviation",
    "logsumexp": "log_sum_exp",
}  # fmt: skip
_NOT_FUSED = ("dot", "squared_distance", "dot_with_bound", "weighted_sum", "count_in_range")
_INDEX_FOLDS = ("argmin", "argmax")


def fuse(
    x: Any, folds: Sequence[str], /, axis: _Axis = None, *, keepdims: bool = False, where: Any = None,
    definition: _Definition = None,
) -> dict[str, Any]:  # fmt: skip
    """Several folds of one array, by name: {"sum": ..., "argmax": ...}.

    By definition="tree" the array is read once. Results are of the folds' own types; argmin and argmax are indices."""
    if isinstance(folds, str):
        raise TypeError(f"fuse takes a list of names: [{folds!r}].")
    folds = list(folds)
    numbers = []
    for name in folds:
        fold = _FUSED.get(name, name) if isinstance(name, str) else None
        if fold not in _FOLDS:
            raise ValueError(f"isofold has no fold {name!r}; it has {', '.join(_FOLDS)}.")
        if fold in _NOT_FUSED:
            raise ValueError(f"fuse takes folds of one array without parameters, and {name} is none.")
        numbers.append(_FOLDS[fold])
    results = _core.reduce(tuple(numbers), x, axis, keepdims, where, _definition(definition), _AS_FOLD, 0, _ALL, None,
                           0, None)  # fmt: skip
    fused = {}
    for name, result in zip(folds, results):
        fused[name] = result[1] if name in _INDEX_FOLDS else result[0] if len(result) == 1 else result
    return fused


def vector_norm(
    x: Any, /, *, axis: _Axis = None, keepdims: bool = False, ord: float = 2, dtype: Any = None,
    definition: _Definition = None,
) -> Any:  # noqa: A002  # fmt: skip
    """The 2-norm (exact), 1-norm, maximum (ord=inf) or minimum (-inf) of magnitudes, or the number of elements that
    are not 0 (ord=0)."""
    wanted, flags = 0, 0
    if dtype is not None:
        x, wanted, flags = _for_dtype(x, dtype, real=True)
    if not isinstance(ord, (int, float, np.integer, np.floating)) or isinstance(ord, bool):
        raise ValueError(f"ord= is 0, 1, 2, inf or -inf, not {ord!r}.")
    if ord == 0:
        count = count_nonzero(x, axis, keepdims=keepdims)
        x = _array(x)
        own = _arrays.NAMES[wanted or _arrays.dtype_number(x.dtype)]
        own = {"complex64": "float32", "complex128": "float64"}.get(own, own)
        number = _arrays.NUMBERS[own if "float" in own else "float64"]
        result = _arrays.library_of(x).astype(count, number)
        return result[()] if isinstance(result, np.ndarray) else result
    if ord == -float("inf"):
        x = _array(x)
        if _kind(_arrays.dtype_number(x.dtype)) != "f":
            raise TypeError("ord=-inf takes real floating-point elements.")
        return _core.reduce(_MINIMUM, abs(x), axis, keepdims, None, _TREE, _AS_ELEMENT, wanted, 0, None, 0, None)
    fold = {1: "norm1", 2: "norm2", float("inf"): "absolute_maximum"}.get(ord)
    if fold is None:
        raise ValueError(f"ord= is 0, 1, 2, inf or -inf, not {ord!r}: powers have no bits that all machines share.")
    x = _array(x)
    rule = _AS_FOLD if _kind(_arrays.dtype_number(x.dtype)) == "c" else _AS_MEAN
    return _core.reduce(_FOLDS[fold], x, axis, keepdims, None, _definition(definition), rule, wanted, 0, None,
                        flags | _INTEGERS_AS_F64, None)  # fmt: skip


__all__ = [
    "ArgMinMax", "Bounded", "MinMax", "Moments", "SoftmaxStatistics",
    "all", "any", "argmax", "argmin", "argminmax", "average", "count_nonzero", "dot", "fuse", "logsumexp", "max",
    "mean", "min", "minmax", "moments", "prod", "segment_sum", "softmax_statistics", "std", "sum", "var", "vecdot",
]  # fmt: skip
