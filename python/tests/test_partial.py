"""Exact and Forest: partial results that are cut, shuffled, pickled and merged."""

import copy
import math
import pickle

import numpy as np
import pytest

import isofold

RNG = np.random.default_rng(11)
X = RNG.standard_normal(10000) * 10.0 ** RNG.integers(-200, 200, 10000)


def test_exact_parts_in_any_order():
    parts = [isofold.Exact().add(part) for part in np.array_split(X, 13)]
    RNG.shuffle(parts)
    total = isofold.Exact()
    for part in parts:
        total += pickle.loads(pickle.dumps(part))
    assert total.finish() == math.fsum(X) and type(total.finish()) is np.float64
    total -= X[:5000]
    assert total.finish() == math.fsum(X[5000:])
    assert (parts[0] + parts[1]).finish() == isofold.Exact.from_bytes((parts[0] + parts[1]).to_bytes()).finish()


def test_words_are_added_by_anything_that_adds_integers():
    parts = [isofold.Exact().add(part) for part in np.array_split(X, 5)]
    total = isofold.Exact()
    total.words[:] = np.sum([part.words for part in parts], axis=0)
    assert total.finish() == math.fsum(X)


def test_other_folds_and_types():
    f = X[np.abs(X) < 1e30].astype(np.float32)
    assert isofold.Exact("mean", "float32").add(f).finish() == isofold.mean(f, dtype=np.float64)
    assert isofold.Exact("var", np.float32).add(f[:50]).add(f[50:]).finish() == isofold.var(f, dtype=np.float64)
    assert isofold.Exact("dot").add(X[:9], X[9:18]).finish() == isofold.dot(X[:9], X[9:18])
    assert isofold.Exact("sum", "int8").add(np.full(9, 100, np.int8)).finish() == 900
    count, mean, m2 = isofold.Exact("moments").add(X[:7]).finish()
    assert count == 7 and mean == isofold.mean(X[:7])
    assert isofold.Exact("sum", "complex64").add(np.array([1 + 2j, 3], np.complex64)).finish() == 4 + 2j


def test_what_does_not_fit_is_refused_and_changes_nothing():
    total = isofold.Exact().add([1.0])
    with pytest.raises(TypeError, match="float32"):
        total.add(np.ones(2, np.float32))
    with pytest.raises(TypeError, match="one array"):
        total.add([1.0], [2.0])
    with pytest.raises(ValueError, match="merges"):
        total.merge(isofold.Exact("mean"))
    with pytest.raises(TypeError, match="no words"):
        isofold.Exact("max")
    with pytest.raises(ValueError, match="median"):
        isofold.Exact("median")
    with pytest.raises(ValueError):
        isofold.Exact.from_bytes(total.to_bytes()[:-1])
    broken = total.copy()
    broken.words[0] = -1
    with pytest.raises(ValueError):
        total.merge(broken)
    assert total.finish() == 1.0


def test_a_forest_has_the_bits_of_the_whole():
    whole = isofold.sum(X, definition="tree")
    cuts = [0, 100, 1024, 5000, 5001, 10000]
    ranges = list(zip(cuts, cuts[1:]))
    RNG.shuffle(ranges)
    forest = isofold.Forest("sum", "float64", len(X))
    for begin, end in ranges:
        assert not forest.complete
        forest += pickle.loads(pickle.dumps(isofold.Forest("sum", "float64", len(X)).add(X[begin:end], begin)))
    assert forest.complete and forest.finish() == whole and copy.copy(forest).finish() == whole
    assert (forest.fold, forest.dtype, forest.count) == ("sum", "float64", 10000)
    value, index = isofold.Forest("argmax", "float64", len(X)).add(X, 0).finish()
    assert index == X.argmax() and value == X.max()


def test_forests_refuse():
    forest = isofold.Forest("sum", "float64", 10).add(np.ones(4), 0)
    with pytest.raises(ValueError):
        forest.finish()
    with pytest.raises(ValueError):
        forest.add(np.ones(4), 2)
    with pytest.raises(ValueError, match="contiguous"):
        forest.add(np.ones(12)[::2], 4)
    with pytest.raises(TypeError, match="float32"):
        forest.add(np.ones(6, np.float32), 4)
    with pytest.raises(ValueError):
        isofold.Forest.from_bytes(b"nonsense", "float64")
    with pytest.raises(TypeError, match="merges with a Forest alone"):
        forest += np.ones(4)
    assert forest.add(np.ones(6), 4).finish() == 10


def test_mpi4py():
    MPI = pytest.importorskip("mpi4py.MPI", exc_type=ImportError)
    total = isofold.Exact().add(X)
    MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, total.words, op=MPI.SUM)
    assert total.finish() == math.fsum(list(X) * MPI.COMM_WORLD.size)
