"""Independent values of what isofold promises: Python's fractions and fsum, and NumPy where no rounding happens."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np


def slices(x, axis, where=None):
    """The elements of each result, in row-major order of the kept axes, as (shape, list of arrays)."""
    x = np.asarray(x)
    axes = tuple(range(x.ndim)) if axis is None else tuple(sorted(a % x.ndim for a in np.atleast_1d(np.asarray(axis, int))))
    kept = tuple(d for d in range(x.ndim) if d not in axes)
    shape = tuple(x.shape[d] for d in kept)
    order = kept + axes
    rows = x.transpose(order).reshape(int(np.prod(shape)), -1) if x.size else np.empty((int(np.prod(shape)), 0), x.dtype)
    if where is None:
        return shape, list(rows)
    masks = np.broadcast_to(where, x.shape).transpose(order).reshape(rows.shape)
    return shape, [row[mask] for row, mask in zip(rows, masks)]


def rounded(value: Fraction, dtype) -> np.generic:
    """A rational number rounded once, to nearest even; of f32 by hand, for Python rounds to f64 alone."""
    if np.dtype(dtype) == np.float64:
        try:
            return np.float64(value.numerator / value.denominator)
        except OverflowError:
            return np.float64(math.copysign(math.inf, value))
    assert np.dtype(dtype) == np.float32
    guess = np.float32(np.clip(value.numerator / value.denominator, -3e38, 3e38))
    below, above = np.nextafter(guess, np.float32(-np.inf)), np.nextafter(guess, np.float32(np.inf))
    return min((guess, below, above), key=lambda near: (abs(Fraction(float(near)) - value), near.view(np.uint32) & 1))


def exact_sum(row, dtype):
    return rounded(sum(map(Fraction, row.tolist()), Fraction(0)), dtype)


def exact_mean(row):
    return rounded(sum(map(Fraction, row.tolist()), Fraction(0)) / len(row), np.float64) if len(row) else np.float64("nan")


def exact_variance(row, correction):
    n = len(row)
    if n - correction <= 0:
        return np.float64("nan")
    values = [Fraction(v) for v in row.tolist()]
    total = sum(values, Fraction(0))
    return rounded((n * sum(v * v for v in values) - total * total) / (n * (n - correction)), np.float64)


def exact_dot(row, other, dtype):
    return rounded(sum(Fraction(a) * Fraction(b) for a, b in zip(row.tolist(), other.tolist())), dtype)


def same_bits(a, b) -> bool:
    """Equal dtypes and values, with NaNs equal and zeros told apart."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.name == "bfloat16":
        a, b = a.astype(np.float32), b.astype(np.float32)
    if a.dtype.kind in "fc":
        zeros = (a == 0) & (b == 0)
        parts = [(a.real, b.real), (a.imag, b.imag)] if a.dtype.kind == "c" else [(a, b)]
        for one, two in parts:
            if not np.array_equal(one, two, equal_nan=True):
                return False
            if np.any(zeros & (np.signbit(one) != np.signbit(two))):
                return False
        return True
    return bool(np.array_equal(a, b))
