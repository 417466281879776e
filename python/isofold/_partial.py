"""Partial results that other processes, machines or time steps complete: Exact and Forest."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import _arrays, _core
from ._functions import _FUSED

_FOLDS: dict[str, int] = _core.FOLDS
_FOLD_NAMES = {number: name for name, number in _FOLDS.items()}


def _fold_number(fold: str) -> int:
    try:
        return _FOLDS[_FUSED.get(fold, fold)]
    except (KeyError, TypeError):
        raise ValueError(f"isofold has no fold {fold!r}; it has {', '.join(_FOLDS)}.") from None


def _index(name: str, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}= is an integer, not {value!r}.")
    if not 0 <= operator.index(value) < 2**63:
        raise ValueError(f"{name}= lies between 0 and 2**63 - 1, and is {value!r}.")
    return operator.index(value)


class Exact:
    """A partial result of exact_v1: integers that add up in any order to the real sum.

    `words` is a NumPy array of int64. The words of several processes may be added by anything that adds 64-bit
    integers, such as MPI's Allreduce with SUM, up to 2^30 of them at once."""

    __slots__ = ("fold", "dtype", "words", "_fold", "_dtype")

    def __init__(self, fold: str = "sum", dtype: Any = "float64") -> None:
        self._fold = _fold_number(fold)
        self._dtype = _arrays.dtype_number(dtype)
        count = _core.exact_words(self._fold, self._dtype)
        if count == 0:
            raise TypeError(f"exact_v1 keeps no words for {fold} over {_arrays.NAMES[self._dtype]}.")
        self.fold = _FOLD_NAMES[self._fold]
        self.dtype = _arrays.NAMES[self._dtype]
        self.words: np.ndarray = np.zeros(count, np.int64)

    def add(self, x: Any, y: Any = None) -> Exact:
        """Adds all elements of an array of this dtype; of two arrays for folds of two. Returns itself."""
        _core.exact_add(self._fold, self._dtype, self.words, x, y, 1)
        return self

    def subtract(self, x: Any, y: Any = None) -> Exact:
        """Takes elements away that were added."""
        _core.exact_add(self._fold, self._dtype, self.words, x, y, -1)
        return self

    def _check(self, other: Exact) -> None:
        if not isinstance(other, Exact) or (other._fold, other._dtype) != (self._fold, self._dtype):
            raise ValueError(f"Exact of {self.fold} over {self.dtype} merges with one of the same alone.")

    def merge(self, other: Exact) -> Exact:
        """Adds another partial result. Returns itself."""
        self._check(other)
        _core.exact_merge(self._fold, self._dtype, self.words, other.words, 1)
        return self

    def finish(self) -> Any:
        """The result, rounded once; a tuple for folds of several numbers."""
        return _core.exact_finish(self._fold, self._dtype, self.words)

    def copy(self) -> Exact:
        other = Exact(self.fold, self.dtype)
        other.words[:] = self.words
        return other

    def to_bytes(self) -> bytes:
        return _core.exact_to_bytes(self._fold, self._dtype, self.words)

    @classmethod
    def from_bytes(cls, data: bytes, fold: str = "sum", dtype: Any = "float64") -> Exact:
        made = cls(fold, dtype)
        _core.exact_from_bytes(made._fold, made._dtype, data, made.words)
        return made

    def __iadd__(self, other: Any) -> Exact:
        return self.merge(other) if isinstance(other, Exact) else self.add(other)

    def __isub__(self, other: Any) -> Exact:
        if not isinstance(other, Exact):
            return self.subtract(other)
        self._check(other)
        _core.exact_merge(self._fold, self._dtype, self.words, other.words, -1)
        return self

    def __add__(self, other: Any) -> Exact:
        return NotImplemented if not isinstance(other, Exact) else self.copy().merge(other)

    def __reduce__(self) -> Any:
        return Exact.from_bytes, (self.to_bytes(), self.fold, self.dtype)

    def __repr__(self) -> str:
        return f"Exact({self.fold!r}, {self.dtype!r}, terms={int(self.words[0])})"


class Forest:
    """A partial result of tree v1: nodes and elements of one array of `count` elements, with the bits of the whole."""

    __slots__ = ("_forest",)

    def __init__(self, fold: str, dtype: Any, count: int) -> None:
        self._forest = _core.Forest(_fold_number(fold), _arrays.dtype_number(dtype), _index("count", count))

    @classmethod
    def _of(cls, forest: Any) -> Forest:
        made = cls.__new__(cls)
        made._forest = forest
        return made

    def add(self, x: Any, first: int) -> Forest:
        """Adds the contiguous elements [first, first + x.size) of the array. Returns itself."""
        self._forest.add(x, _index("first", first))
        return self

    def merge(self, other: Forest) -> Forest:
        """Unites another Forest of the same array into this one. Returns itself."""
        if not isinstance(other, Forest):
            raise TypeError("A Forest merges with a Forest alone; add(x, first) takes elements.")
        self._forest.merge(other._forest)
        return self

    def finish(self) -> Any:
        """The result once all elements are there; a tuple for folds of several numbers."""
        return self._forest.finish()

    def copy(self) -> Forest:
        return Forest._of(self._forest.copy())

    @property
    def complete(self) -> bool:
        """Whether all elements are there."""
        return self._forest.complete

    @property
    def count(self) -> int:
        return self._forest.count

    @property
    def fold(self) -> str:
        return _FOLD_NAMES[self._forest.fold]

    @property
    def dtype(self) -> str:
        return _arrays.NAMES[self._forest.dtype]

    def to_bytes(self) -> bytes:
        return self._forest.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes, dtype: Any) -> Forest:
        return cls._of(_core.Forest(data, _arrays.dtype_number(dtype)))

    def __iadd__(self, other: Any) -> Forest:
        return self.merge(other)

    def __add__(self, other: Any) -> Forest:
        return NotImplemented if not isinstance(other, Forest) else self.copy().merge(other)

    def __reduce__(self) -> Any:
        return Forest.from_bytes, (self.to_bytes(), self.dtype)

    def __repr__(self) -> str:
        return f"Forest({self.fold!r}, {self.dtype!r}, {self.count}, complete={self.complete})"
