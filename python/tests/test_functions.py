"""The functions over NumPy's arrays: random calls against the oracle, and each argument by itself."""

import inspect
import math
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import oracle  # noqa: E402
import random_calls  # noqa: E402

import isofold  # noqa: E402

RNG = np.random.default_rng(20261128)
X = RNG.standard_normal((6, 7, 8)) * 10.0 ** RNG.integers(-8, 8, (6, 7, 8))


def test_random_calls_agree_with_the_oracle():
    counts = random_calls.run(1500, seed=7)
    assert all(counts[name] > 20 for name in set(random_calls.NAMES)), counts


def test_the_oracle_sees_a_wrong_result(monkeypatch):
    right = isofold.sum
    monkeypatch.setattr(isofold, "sum", lambda *a, **k: right(*a, **k, definition="tree"))
    with pytest.raises(AssertionError, match="seed 7"):
        random_calls.run(1500, seed=7)


def test_a_sum_is_fsum_in_every_layout():
    expected = math.fsum(X.ravel())
    for laid in (X, X.T, X[::-1, :, ::-1], np.asfortranarray(X), X.astype(">f8"), X.transpose(1, 2, 0)):
        assert isofold.sum(laid) == expected


def test_tree_is_the_definition_on_request():
    x = np.array([1.0, -1e16, 1e16, 0.0])  # tree v1 adds the first and the third
    assert isofold.sum(x) == 1.0
    assert isofold.sum(x, definition="tree") == 0.0
    with isofold.use_definition("tree"):
        assert isofold.get_definition() == "tree"
        assert isofold.sum(x) == 0.0
    isofold.set_definition("tree")
    try:
        assert isofold.sum(x) == 0.0
    finally:
        isofold.set_definition("exact")
    with pytest.raises(ValueError, match="not 'fast'"):
        isofold.sum(x, definition="fast")


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (2, 0), (), (0, 1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_shapes_are_numpys(axis, keepdims):
    for name in ("sum", "min", "mean", "std", "any", "count_nonzero"):
        expected = getattr(np, name)(X, axis=axis, keepdims=keepdims)
        result = getattr(isofold, name)(X, axis=axis, keepdims=keepdims)
        assert np.shape(result) == np.shape(expected) and type(result) is type(expected)


def test_dtypes_of_results():
    for dtype, total, mean in (("f2", "f2", "f2"), ("f4", "f4", "f4"), ("f8", "f8", "f8"), ("i1", "i8", "f8"), ("u2", "u8", "f8"),
                               ("?", "i8", "f8"), ("c8", "c8", "c8"), ("c16", "c16", "c16")):  # fmt: skip
        x = np.ones((2, 3), dtype)
        assert isofold.sum(x).dtype == total and isofold.sum(x, axis=0).dtype == total
        assert isofold.mean(x).dtype == mean and isofold.mean(x, axis=0).dtype == mean
        if np.dtype(dtype).kind != "c":
            assert isofold.max(x).dtype == dtype and isofold.max(x, axis=0).dtype == dtype
            assert isofold.argmin(x, axis=0).dtype == np.int64 and isofold.var(x).dtype == mean


def test_dtype_argument():
    x = np.full(5, 200, np.uint8)
    assert isofold.sum(x, dtype=np.uint8) == 1000 % 256
    assert isofold.sum(x, dtype="float32").dtype == np.float32
    f = np.array([1.0, 2.0**-30], np.float32)
    assert isofold.sum(f, dtype=np.float64) == 1 + 2.0**-30
    assert isofold.prod(np.full(20, 1e5, np.float32), dtype=np.float64) == pytest.approx(1e100)
    assert isofold.sum(np.array([0.5, 0.5]), dtype=int) == 0  # elements first, as NumPy does
    assert isofold.sum([1.5], dtype=complex) == 1.5 + 0j
    with pytest.raises(TypeError, match="real"):
        isofold.sum(np.ones(2, complex), dtype=float)
    with pytest.raises(TypeError, match="bool"):
        isofold.sum([1.0], dtype=bool)


def test_initial():
    assert isofold.sum([1e300, 1.0, -1e300], initial=2.5) == 3.5  # one more element of an exact sum
    assert isofold.sum(np.ones((2, 3), np.int8), axis=1, initial=1000).tolist() == [1003, 1003]
    assert isofold.sum([1.0], initial=2.0, definition="tree") == 3.0
    assert isofold.prod([2.0, 3.0], initial=4.0) == 24.0
    assert isofold.max([], initial=3.0) == 3.0 and isofold.min([5.0], initial=3.0) == 3.0
    assert isofold.max(X, axis=0, initial=1e20).shape == (7, 8)
    assert isofold.max(X, where=np.zeros(8, bool), initial=5.0) == 5.0 == isofold.min(X, where=False, initial=5.0)


def test_out():
    out = np.empty((6, 8))
    assert isofold.sum(X, axis=1, out=out) is out
    assert np.array_equal(out, isofold.sum(X, axis=1))
    narrow = np.empty((6, 8), np.float32)
    isofold.mean(X, axis=1, out=narrow)
    with pytest.raises(ValueError, match="shape"):
        isofold.sum(X, axis=1, out=np.empty(3))
    with pytest.raises(TypeError):
        isofold.sum(X, axis=1, out=np.empty((6, 8), int))


def test_where():
    mask = X > 0
    assert isofold.sum(X, where=mask) == math.fsum(X[mask])
    assert np.array_equal(isofold.max(X, axis=1, where=mask | True), X.max(axis=1))
    assert isofold.max(X, where=mask) == X[mask].max()
    assert isofold.sum(X, where=True) == isofold.sum(X)
    assert isofold.sum(X, where=False) == 0
    line = np.arange(8) % 2 == 0
    assert isofold.sum(X, where=line) == isofold.sum(X[..., line])
    with pytest.raises(ValueError, match="mask takes none"):
        isofold.max(X, where=np.zeros(8, bool))
    with pytest.raises(ValueError, match="broadcast"):
        isofold.sum(X, where=np.zeros(3, bool))
    with pytest.raises(TypeError, match="booleans"):
        isofold.sum(X, where=np.ones(8))


def test_no_elements():
    assert isofold.sum([]) == 0 and isofold.prod([]) == 1
    assert np.isnan(isofold.mean([])) and np.isnan(isofold.var([]))
    assert isofold.sum(np.empty((0, 3)), axis=0).tolist() == [0, 0, 0]
    assert isofold.max(np.empty((0, 3)), axis=1).shape == (0,)
    assert [part.shape for part in isofold.minmax(np.empty((0, 3)), axis=1)] == [(0,), (0,)]
    for function in (isofold.min, isofold.argmax, isofold.minmax):
        with pytest.raises(ValueError, match="no elements"):
            function([])
        with pytest.raises(ValueError, match="no elements"):
            function(np.empty((0, 3)), axis=0)


def test_errors_leave_the_next_call_right():
    for axis in (3, -4, (0, 0), (0, 5)):
        with pytest.raises(ValueError, match="axis"):
            isofold.sum(X, axis=axis)
    with pytest.raises(TypeError):
        isofold.sum(X, axis=1.5)
    for x in (np.array(["a"]), np.array([None]), np.array([1], np.longdouble), np.array(["2026-11-28"], "M8[D]")):
        with pytest.raises(TypeError, match="cannot read"):
            isofold.sum(x)
    with pytest.raises(TypeError, match="maximum takes no elements of complex128"):
        isofold.max(X + 1j)
    with pytest.raises(TypeError, match="where="):
        isofold.sum(np.ma.masked_array([1.0, 2.0], [True, False]))
    with pytest.raises(OverflowError, match="does not fit"):
        isofold.sum([2**63 - 1, 1])
    assert isofold.sum([1, 2]) == 3


def test_more_axes_than_the_library_has():
    x = RNG.standard_normal((2,) * 14).transpose(RNG.permutation(14))
    axis = (0, 2, 4, 6, 8, 10, 12)
    mask = RNG.random((2,) * 13) < 0.7
    assert np.array_equal(isofold.max(x, axis=axis, keepdims=True), x.max(axis=axis, keepdims=True))
    assert np.array_equal(isofold.count_nonzero(x, axis=axis, where=mask), np.sum(np.broadcast_to(mask, x.shape), axis=axis))
    tree = isofold.sum(x, axis=axis, definition="tree")
    packed = x.transpose([d for d in range(14) if d not in axis] + list(axis)).reshape((2,) * 7 + (-1,)).copy()
    assert np.array_equal(tree, isofold.sum(packed, axis=-1, definition="tree"))


def test_complex():
    z = (X + 1j * X[::-1]).astype(np.complex64)
    total = isofold.sum(z, axis=1)
    assert np.array_equal(total.real, isofold.sum(z.real, axis=1)) and np.array_equal(total.imag, isofold.sum(z.imag, axis=1))
    assert isofold.mean(z, axis=0).dtype == np.complex64
    assert isofold.mean(z).real == isofold.mean(z.real)
    w = np.array([0, 1j, 0], np.complex128)
    assert isofold.any(w) and not isofold.all(w) and isofold.count_nonzero(w) == 1
    assert isofold.vecdot(w, w) == 1 and isofold.dot(w, w) == -1
    assert isofold.linalg.vector_norm(w) == 1.0


def test_narrow_types():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    b = X.astype(ml_dtypes.bfloat16)
    assert isofold.sum(b, dtype="float32") == oracle.exact_sum(b.astype(np.float32).ravel(), np.float32)
    assert np.array_equal(isofold.max(b, axis=1), b.max(axis=1)) and isofold.sum(b[::2, ::-1], axis=0).dtype == b.dtype
    assert isofold.sum(random_calls.unaligned(b)) == isofold.sum(b.astype(b.dtype.newbyteorder(">"))) == isofold.sum(b)
    h = (X / 1e6).astype(np.float16)
    assert isofold.sum(h) == np.float16(oracle.exact_sum(h.ravel(), np.float32))
    assert isofold.sum(h, dtype=np.float64) == math.fsum(h.ravel().astype(float))


def test_pairs_and_moments():
    extent = isofold.minmax(X, axis=1)
    assert np.array_equal(extent.minimum, X.min(axis=1)) and np.array_equal(extent.maximum, X.max(axis=1))
    where = isofold.argminmax(X, axis=2)
    assert np.array_equal(where.minimum_index, X.argmin(axis=2)) and np.array_equal(where.maximum_index, X.argmax(axis=2))
    parts = isofold.moments(X, axis=0)
    assert np.array_equal(parts.count, np.full((7, 8), 6)) and np.array_equal(parts.mean, isofold.mean(X, axis=0))
    assert np.allclose(isofold.std(X, axis=0, correction=1.5), X.std(axis=0, ddof=1.5), rtol=1e-12)
    assert np.array_equal(isofold.std(X, axis=0, ddof=1), isofold.std(X, axis=0, correction=1))
    with pytest.raises(ValueError, match="ddof=1 and correction=1 are one number"):
        isofold.var(X, ddof=1, correction=1)
    assert np.isnan(isofold.var([1.0], correction=1)) and np.isnan(isofold.var([1.0, 2.0], correction=2.5))
    assert isofold.var(np.array([1, 2, 4])) == np.float64(14 / 9)
    bounded = isofold.sum(X, bound=True)
    assert abs(bounded.value - math.fsum(X.ravel())) <= bounded.bound
    statistics = isofold.softmax_statistics(X.astype(np.float32), axis=1)
    assert np.array_equal(statistics.maximum, X.astype(np.float32).max(axis=1)) and np.all(statistics.sum >= 1)
    small = RNG.standard_normal((5, 9))
    assert np.allclose(isofold.logsumexp(small, axis=1), np.log(np.exp(small).sum(axis=1)))


def test_two_arrays():
    y = RNG.standard_normal(X.shape)
    result = isofold.vecdot(X, y, axis=1)
    for i in range(6):
        for k in range(8):
            assert result[i, k] == oracle.exact_dot(X[i, :, k], y[i, :, k], np.float64)
    assert np.array_equal(isofold.vecdot(X, y[0, 0]), isofold.vecdot(X, np.broadcast_to(y[0, 0], X.shape)))
    assert isofold.vecdot(np.array([1, 2], np.int8), np.array([3, 4], np.int8)) == 11
    assert isofold.linalg.vector_norm([3.0, 4.0]) == 5.0
    assert [isofold.linalg.vector_norm([3.0, -4.0, 0.0], ord=p) for p in (0, 1, math.inf, -math.inf)] == [2, 7, 4, 0]
    with pytest.raises(ValueError, match="ord="):
        isofold.linalg.vector_norm([1.0], ord=3)
    weights = RNG.random(7)
    assert np.allclose(isofold.average(X, axis=1, weights=weights), np.average(X, axis=1, weights=weights), rtol=1e-12)
    assert isofold.average([1.0, 2.0], weights=[3, 1], returned=True) == (1.25, 4.0)
    with pytest.raises(ValueError, match="differ|broadcast"):
        isofold.vecdot(X, y[:5])


def test_segments_and_lists_of_folds():
    x = RNG.standard_normal(100)
    offsets = np.array([0, 10, 10, 97, 100])
    expected = [math.fsum(x[a:b]) for a, b in zip(offsets, offsets[1:])]
    assert isofold.segment_sum(x, offsets).tolist() == expected
    assert isofold.segment_sum(x, offsets.astype(np.int32)).tolist() == expected
    with pytest.raises(ValueError):
        isofold.segment_sum(x, np.array([0, 101]))
    with pytest.raises(ValueError, match="offsets"):
        isofold.segment_sum(x, np.array([0.0, 1.0]))
    for definition in ("exact", "tree"):
        fused = isofold.fuse(X, ["sum", "min", "argmax", "std", "minmax"], axis=1, definition=definition)
        assert np.array_equal(fused["sum"], isofold.sum(X, axis=1, definition=definition))
        assert np.array_equal(fused["argmax"], X.argmax(axis=1)) and np.array_equal(fused["min"], X.min(axis=1))
        assert np.array_equal(fused["minmax"][1], X.max(axis=1))
    with pytest.raises(ValueError, match="median"):
        isofold.fuse(X, ["median"])


def test_pieces_change_no_bit():
    """Long reductions are cut, so that Ctrl-C is seen; here all of these are long."""
    x = RNG.standard_normal(20000) * 10.0 ** RNG.integers(-9, 9, 20000)
    m = x.reshape(50, 20, 20)
    mask = x > 0
    calls = (
        lambda: isofold.sum(x), lambda: isofold.sum(x, definition="tree"), lambda: isofold.mean(x, where=mask),
        lambda: isofold.var(x[::-1]), lambda: isofold.vecdot(x, x), lambda: isofold.argmax(x), lambda: isofold.max(m, axis=1),
        lambda: isofold.sum(m, axis=(1, 2)), lambda: isofold.mean(m.astype(np.float32), axis=2), lambda: isofold.logsumexp(x),
        lambda: isofold.sum(m[:, ::2], axis=0), lambda: isofold.mean(np.arange(20000), axis=None),
        lambda: isofold.mean(np.arange(20000).reshape(50, 400), axis=1), lambda: isofold.any(m, axis=2),
    )  # fmt: skip
    whole = [call() for call in calls]
    before = isofold._core.set_piece_elements(1500)
    try:
        in_pieces = [call() for call in calls]
    finally:
        isofold._core.set_piece_elements(before)
    for one, other in zip(whole, in_pieces):
        assert oracle.same_bits(one, other)


@pytest.mark.campaign
def test_a_hundred_thousand_random_calls():
    random_calls.run(100_000, seed=1)


def test_every_function_is_annotated():
    functions = [f for f in (getattr(isofold, name) for name in isofold.__all__) if inspect.isfunction(f)]
    assert len(functions) > 25
    for function in functions:
        missing = [p.name for p in inspect.signature(function).parameters.values() if p.annotation is p.empty]
        assert not missing and "return" in function.__annotations__, (function.__name__, missing)


def test_types_agree():
    """mypy over the package's sources and the stub of its extension, by the settings of pyproject.toml."""
    pytest.importorskip("mypy")
    root = pathlib.Path(__file__).parents[2]
    checked = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "--config-file",
                              str(root / "pyproject.toml"), str(root / "python/isofold")], capture_output=True, text=True)  # fmt: skip
    assert checked.returncode == 0, checked.stdout + checked.stderr


MASK = np.array([[True, False, True, True]] * 3)
TABLE = np.arange(12.0).reshape(3, 4)
INTEGERS = TABLE.astype(np.int32)
STRUCTS = np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        # These are no arrays of numbers.
        (lambda: isofold.sum(None), TypeError, "and None is neither"),
        (lambda: isofold.sum(i for i in range(3)), TypeError, "generator .*numpy.fromiter"),
        (lambda: isofold.sum({1, 2}), TypeError, "{1, 2} is neither"),
        (lambda: isofold.max(map(float, [1])), TypeError, "fromiter"),
        (lambda: isofold.sum([1, None]), TypeError, "dtype object .x.astype"),
        (lambda: isofold.sum(2**70), TypeError, "dtype object .x.astype"),
        (lambda: isofold.sum(np.array(["1"])), TypeError, "dtype <U1 .x.astype"),
        (lambda: isofold.sum(STRUCTS), TypeError, "a field, x"),
        (lambda: isofold.sum(np.zeros(3, "V4")), TypeError, "V4"),
        (lambda: isofold.max(np.array(["2020-01-01"], "M8[D]")), TypeError, "datetime64.*x.view"),
        (lambda: isofold.sum(np.zeros(3, np.longdouble)), TypeError, "rounds them"),
        (lambda: isofold.sum([[1, 2], [3]]), ValueError, "inhomogeneous"),
        (lambda: isofold.sum(np.ma.array([1.0, 2.0], mask=[0, 1])), TypeError, "where=~mask"),
        (lambda: isofold.var(1j * TABLE), TypeError, "complex128: pass x.real"),
        (lambda: isofold.sum(INTEGERS, bound=True), TypeError, "int32: pass x.astype"),
        # Axes and keepdims.
        (lambda: isofold.sum(TABLE, axis=2), np.exceptions.AxisError, "axis 2 is out of bounds"),
        (lambda: isofold.argmax(TABLE, axis=-3), np.exceptions.AxisError, "axis -3"),
        (lambda: isofold.sum(TABLE, axis=(0, -2)), ValueError, "given twice"),
        (lambda: isofold.sum(TABLE, axis=True), TypeError, "not True"),
        (lambda: isofold.sum(TABLE, axis=1.0), TypeError, "not 1.0"),
        (lambda: isofold.sum(TABLE, axis=math.nan), TypeError, "not nan"),
        (lambda: isofold.sum(TABLE, axis="0"), TypeError, "not '0'"),
        (lambda: isofold.sum(TABLE, axis=(0, None)), TypeError, "not None"),
        (lambda: isofold.sum(TABLE, keepdims="no"), TypeError, "keepdims= is True or False, not 'no'"),
        (lambda: isofold.sum(TABLE, keepdims=None), TypeError, "keepdims="),
        (lambda: isofold.vecdot(TABLE, TABLE, axis=None), TypeError, "one integer here, not None"),
        (lambda: isofold.vecdot(TABLE, TABLE, axis=(0, 1)), TypeError, "one integer here"),
        (lambda: isofold.vecdot(TABLE, TABLE, axis=7), np.exceptions.AxisError, "axis 7"),
        (lambda: isofold.average(TABLE, axis=9, weights=[1, 2, 3]), np.exceptions.AxisError, "axis 9"),
        (lambda: isofold.average(TABLE, axis=True, weights=[1, 2, 3]), TypeError, "not True"),
        (lambda: isofold.average(TABLE, weights=[1, 2]), ValueError, r"\(2,\) weights"),
        # out=, where=, initial=, correction=, dtype=.
        (lambda: isofold.sum(TABLE, out=[0]), TypeError, r"takes an array, not \[0\]"),
        (lambda: isofold.sum(TABLE, out=np.float64(0)), TypeError, "takes an array"),
        (lambda: isofold.sum(TABLE, axis=0, out=np.zeros(4, int)), TypeError, "int64"),
        (lambda: isofold.sum(TABLE, axis=0, out=np.broadcast_to(0.0, 4)), ValueError, "read-only"),
        (lambda: isofold.sum(TABLE, axis=0, keepdims=True, out=np.zeros(4)), ValueError, "shape"),
        (lambda: isofold.sum(TABLE, where=MASK.astype(int)), TypeError, "int64: pass mask != 0"),
        (lambda: isofold.sum(TABLE, where=MASK[:, :2]), ValueError, r"shape \(3, 2\).*\(3, 4\)"),
        (lambda: isofold.sum(TABLE[0], where=MASK), ValueError, r"shape \(3, 4\).*\(4,\)"),
        (lambda: isofold.sum(TABLE, initial="a"), TypeError, "real number, not 'a'"),
        (lambda: isofold.sum(TABLE, initial=[1, 2]), TypeError, "one real number"),
        (lambda: isofold.max(TABLE, axis=0, initial=[1, 2, 3, 4]), TypeError, "one real number"),
        (lambda: isofold.prod(TABLE, initial=1j), TypeError, "one real number"),
        (lambda: isofold.sum(INTEGERS, initial=0.5), ValueError, "initial=0.5 is no integer"),
        (lambda: isofold.prod(INTEGERS, initial=0.5), ValueError, "initial=0.5 is no integer"),
        (lambda: isofold.max(INTEGERS, initial=math.nan), ValueError, "initial=nan is no integer"),
        (lambda: isofold.max(TABLE.astype("u1"), initial=np.int64(300)), OverflowError, "is no uint8"),
        (lambda: isofold.var(TABLE, correction="a"), TypeError, "correction= takes one real number"),
        (lambda: isofold.var(TABLE, correction=[1, 2]), TypeError, "correction= takes one real number"),
        (lambda: isofold.std(TABLE, correction=1j), TypeError, "correction= takes one real number"),
        (lambda: isofold.mean(TABLE, dtype=int), TypeError, "dtype= is int64: convert the result"),
        (lambda: isofold.var(INTEGERS, dtype="i4"), TypeError, "dtype= is int32: convert the result"),
        (lambda: isofold.linalg.vector_norm(TABLE, dtype=int), TypeError, "convert the result"),
        (lambda: isofold.linalg.vector_norm(TABLE, ord=[2]), ValueError, r"not \[2\]"),
        # Names of folds, pairs and segments.
        (lambda: isofold.fuse(TABLE, "sum"), TypeError, r"\['sum'\]"),
        (lambda: isofold.fuse(TABLE, [["sum"]]), ValueError, "no fold"),
        (lambda: isofold.fuse(TABLE, ["dot"]), ValueError, "and dot is none"),
        (lambda: isofold.dot(TABLE, TABLE), ValueError, r"shapes \(3, 4\) and \(3, 4\)"),
        (lambda: isofold.segment_sum(TABLE, [0, 1]), ValueError, "x.ravel"),
        (lambda: isofold.segment_sum(TABLE[0], [0.0, 2.0]), ValueError, "float64"),
        (lambda: isofold.segment_sum(TABLE[0], None), TypeError, "None is neither"),
    ],
)
def test_wrong_arguments_are_one_sentence(call, error, sentence):
    with pytest.raises(error, match=sentence) as raised:
        call()
    assert "\n" not in str(raised.value).replace("\nThe detected", "") and "arg0" not in str(raised.value)


def test_unusual_arguments_that_have_a_value():
    assert isofold.sum(TABLE, keepdims=1).shape == isofold.sum(TABLE, keepdims=np.True_).shape == (1, 1)
    assert isofold.sum(INTEGERS, initial=2.0) == 68 and isofold.sum(INTEGERS.astype("u4"), initial=-1) == 65
    assert isofold.prod(TABLE.astype("f4") + 1, initial=np.float64(2)).dtype == np.float32
    assert isofold.sum(TABLE.astype("f4"), initial=np.float64(2), definition="tree").dtype == np.float32
    assert isofold.fuse(TABLE, (name for name in ["sum", "max"])) == {"sum": 66, "max": 11}
    for offsets in (np.array([0, 2, 12], "u1"), np.array([0, 9, 2, 9, 12])[::2], np.array([0, 2, 12], ">i4")):
        assert isofold.segment_sum(TABLE.ravel(), offsets).tolist() == [1, 65]
    assert np.array_equal(isofold.average(TABLE, axis=np.int64(-1), weights=[1, 2, 3, 4]), [2, 6, 10])
    assert math.isnan(isofold.var(TABLE, correction=12)) and math.isnan(isofold.var(TABLE, correction=math.nan))
    assert isofold.var(TABLE, correction=-1) == 11
    windows = np.lib.stride_tricks.as_strided(np.arange(10.0), (8, 3), (8, 8))
    assert isofold.sum(windows, axis=1).tolist() == windows.sum(axis=1).tolist()
    overwritten = np.arange(16.0).reshape(4, 4)
    assert isofold.sum(overwritten, axis=0, out=overwritten[0]).tolist() == [24, 28, 32, 36]

    class Named(np.ndarray):
        pass

    of_subclass = isofold.sum(TABLE.view(Named), axis=0)
    assert type(of_subclass) is np.ndarray and of_subclass.tolist() == [12, 15, 18, 21]


@pytest.mark.campaign
def test_more_than_two_to_the_31_elements_without_strides():
    many = np.broadcast_to(np.uint8(1), 2**31 + 1)
    assert isofold.argmax(many) == 0 and isofold.sum(many, definition="tree") == 2**31 + 1
