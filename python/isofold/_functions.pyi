from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Optional, Union, overload

_Axis = Optional[Union[int, Sequence[int]]]
_Definition = Optional[Literal["exact", "tree"]]

class MinMax(NamedTuple):
    minimum: Any
    maximum: Any

class ArgMinMax(NamedTuple):
    minimum: Any
    minimum_index: Any
    maximum: Any
    maximum_index: Any

class Bounded(NamedTuple):
    value: Any
    bound: Any

class SoftmaxStatistics(NamedTuple):
    maximum: Any
    sum: Any

class Moments(NamedTuple):
    count: Any
    mean: Any
    m2: Any
    def variance(self, correction: float = 0) -> Any: ...

@overload
def sum(
    x: Any, /, axis: _Axis = None, *, keepdims: bool = False, where: Any = None, bound: Literal[True]
) -> Bounded: ...
@overload
def sum(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, bound: Literal[False] = False, definition: _Definition = None,
) -> Any: ...
def prod(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None,
    where: Any = None,
) -> Any: ...
def min(
    x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any: ...
def max(
    x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any: ...
def argmin(x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False) -> Any: ...
def argmax(x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False) -> Any: ...
def any(x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False, where: Any = None) -> Any: ...
def all(x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False, where: Any = None) -> Any: ...
def count_nonzero(x: Any, /, axis: _Axis = None, *, keepdims: bool = False, where: Any = None) -> Any: ...
def mean(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, keepdims: bool = False, where: Any = None,
    definition: _Definition = None,
) -> Any: ...
def var(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, correction: float = 0.0,
    keepdims: bool = False, where: Any = None, definition: _Definition = None,
) -> Any: ...
def std(
    x: Any, /, axis: _Axis = None, *, dtype: Any = None, out: Any = None, correction: float = 0.0,
    keepdims: bool = False, where: Any = None, definition: _Definition = None,
) -> Any: ...
def logsumexp(
    x: Any, /, axis: _Axis = None, *, out: Any = None, keepdims: bool = False, where: Any = None
) -> Any: ...
def softmax_statistics(
    x: Any, /, axis: _Axis = -1, *, keepdims: bool = False, where: Any = None
) -> SoftmaxStatistics: ...
def minmax(x: Any, /, axis: _Axis = None, *, keepdims: bool = False, where: Any = None) -> MinMax: ...
def argminmax(x: Any, /, axis: _Axis = None, *, keepdims: bool = False) -> ArgMinMax: ...
def moments(
    x: Any, /, axis: _Axis = None, *, keepdims: bool = False, where: Any = None, definition: _Definition = None
) -> Moments: ...
def average(
    x: Any, /, axis: _Axis = None, weights: Any = None, *, returned: bool = False, keepdims: bool = False,
    where: Any = None, definition: _Definition = None,
) -> Any: ...
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1, definition: _Definition = None) -> Any: ...
def dot(x1: Any, x2: Any, /, *, definition: _Definition = None) -> Any: ...
def segment_sum(x: Any, offsets: Any, /, *, dtype: Any = None, definition: _Definition = None) -> Any: ...
def fuse(
    x: Any, folds: Sequence[str], /, axis: _Axis = None, *, keepdims: bool = False, where: Any = None,
    definition: _Definition = None,
) -> dict[str, Any]: ...
def vector_norm(
    x: Any, /, *, axis: _Axis = None, keepdims: bool = False, ord: float = 2, dtype: Any = None,
    definition: _Definition = None,
) -> Any: ...

__all__: list[str]
_FUSED: dict[str, str]
