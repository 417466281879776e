"""Comparing results by their bits: fingerprints, differences, and the golden results of other machines."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _arrays, _core


def _on_host(x: Any) -> Any:
    """An array in host memory with the values of `x`; gradients are no part of these."""
    if not (hasattr(x, "dtype") and hasattr(x, "shape")):
        return np.asarray(x)
    library = _arrays.library_of(x)
    if isinstance(library, _arrays.Torch):
        return x.detach().cpu()
    return x.get() if isinstance(library, _arrays.CuPy) else x


class Fingerprint:
    """64 bits for each 1024 elements of an array, to find where two arrays differ that are not in one place.

    Made of the elements' bits alone: -0.0 and 0.0 differ. Booleans are uint8. The bytes are those that
    `isofold fingerprint` writes and `isofold diff` reads."""

    __slots__ = ("_print",)

    def __init__(self, dtype: Any, shape: int | Sequence[int]) -> None:
        extents = (shape,) if isinstance(shape, int) else tuple(shape)
        self._print = _core.Fingerprint(_arrays.dtype_number(dtype), extents)

    def add(self, x: Any, first: int = 0) -> Fingerprint:
        """Adds the elements [first, first + x.size) of the array, in row-major order. Returns itself."""
        self._print.add(_on_host(x), first)
        return self

    def differs_from(self, other: Fingerprint) -> list[tuple[int, int]]:
        """The chunks that differ, as ranges [first, end) of row-major indices."""
        return self._print.differs_from(other._print)

    @property
    def digest(self) -> int:
        """One number for bits, dtype and shape."""
        return self._print.digest()

    @property
    def complete(self) -> bool:
        """Whether every element was added."""
        return self._print.complete

    @property
    def dtype(self) -> str:
        return _arrays.NAMES[self._print.dtype]

    @property
    def shape(self) -> tuple[int, ...]:
        return self._print.shape

    def to_bytes(self) -> bytes:
        return self._print.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Fingerprint:
        made = cls.__new__(cls)
        made._print = _core.Fingerprint(data)
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fingerprint) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> Any:
        return Fingerprint.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        state = f"{self.digest:#018x}" if self.complete else "incomplete"
        return f"Fingerprint({self.dtype!r}, {self.shape}, {state})"


def fingerprint(x: Any) -> Fingerprint:
    """The fingerprint of an array of any library and layout."""
    x = _on_host(x)
    return Fingerprint(x.dtype, tuple(x.shape)).add(x)


def diff(x: Any, y: Any) -> list[tuple[int, int]]:
    """The ranges [first, end) of row-major indices where the bits of two arrays differ; none if they are the same.

    One of the two, or both, may be a `Fingerprint`: then the ranges are whole chunks of 1024 elements."""
    if isinstance(x, Fingerprint) or isinstance(y, Fingerprint):
        one, two = (each if isinstance(each, Fingerprint) else fingerprint(each) for each in (x, y))
        return one.differs_from(two)
    return _core.differences(_on_host(x), _on_host(y))


_TWO_ARRAYS = ("dot", "dot_with_bound", "squared_distance", "weighted_sum")

# The short names of dtypes in golden lines.
_DTYPES = {short: number for short, number in _arrays.TYPES.items() if short != "boolean"}
_STEP = 0x9E3779B97F4A7C15


def _uniform(short: str, seed: int, count: int) -> np.ndarray:
    """The data set "uniform" of docs/test_data.md."""
    dtype = _arrays.NUMPY_DTYPES[_DTYPES[short]]
    if dtype.kind == "c":
        return _uniform({"c64": "f32", "c128": "f64"}[short], seed, 2 * count).view(dtype)
    words = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_STEP) + np.uint64(seed)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    words ^= words >> np.uint64(31)
    significant = {"f16": 11, "bf16": 8, "f32": 32, "f64": 64}.get(short)
    if significant is None:
        return (words >> np.uint64(64 - 8 * dtype.itemsize)).astype(dtype)
    tops = words.view(np.int64) >> np.int64(64 - significant)
    wide = np.dtype(np.float32 if significant == 32 else np.float64)
    return np.ldexp(tops.astype(wide), 1 - significant).astype(dtype)


def _bits(component: Any) -> list[str]:
    """A component of a result as golden lines have it: its bits in hexadecimal, of a complex number those of both parts."""
    value = np.asarray(component)
    parts = (value.real, value.imag) if value.dtype.kind == "c" else (value,)
    return ["0x" + part.astype(part.dtype.newbyteorder(">")).tobytes().hex() for part in parts]


def _takes(convert: Callable[[np.ndarray], Any], x: np.ndarray) -> bool:
    try:
        convert(x)
    except TypeError:
        return False
    return True


def verify(convert: Callable[[np.ndarray], Any] = lambda x: x) -> int:
    """Computes the golden results that the package has, which other machines and a program that shares no code with the
    library computed, too, and returns how many they are. Raises RuntimeError where a bit differs.

    `convert` makes another library's array of NumPy's: `verify(lambda x: torch.from_numpy(x).cuda())` asks a GPU. Results of
    bfloat16 are left out where NumPy has no such type, or `convert` does not take it (TypeError), as torch does not."""
    data: dict[tuple[str, int], np.ndarray] = {}
    compared = 0
    different = []
    lines = (pathlib.Path(__file__).parent / "golden.txt").read_text(encoding="utf-8").splitlines()
    longest = max(int(line.split()[5]) for line in lines)
    has_bf16 = _arrays.BFLOAT16 is not None and _takes(convert, np.zeros(1, _arrays.BFLOAT16))
    for line in lines:
        definition, fold, short, _, seed_text, count_text, _, expected = line.split()
        if short == "bf16" and not has_bf16:
            continue
        seed, count = int(seed_text), int(count_text)
        for each in (seed, seed + 1):
            if (short, each) not in data:
                data[short, each] = _uniform(short, each, longest)
        second = convert(data[short, seed + 1][:count]) if fold in _TWO_ARRAYS else None
        (components,) = _core.reduce(
            (_core.FOLDS[fold],), convert(data[short, seed][:count]), None, False, None,
            2 if definition == "exact_v1" else 1, 0, 0, -1, second, 0, None,
        )  # fmt: skip
        found = ",".join(bits for part in components for bits in _bits(_on_host(part)))
        compared += 1
        if found != expected:
            different.append(f"{line}: {found} here")
    if different:
        raise RuntimeError(f"{len(different)} of {compared} golden results differ: {'; '.join(different[:3])}")
    return compared
