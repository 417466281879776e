"""Fingerprints, differences, golden results."""

import pickle
import shutil
import subprocess

import numpy as np
import pytest

import isofold
from isofold import _comparing, _core

X = np.random.default_rng(8).standard_normal((40, 50, 3))


def flipped(x, index):
    y = x.copy()
    y.reshape(-1).view(np.uint64)[index] ^= 1
    return y


def test_differences_are_ranges_of_elements():
    assert isofold.diff(X, X) == isofold.diff(X, np.asfortranarray(X)) == []
    y = flipped(X, [7, 8, 9, 5999])
    assert isofold.diff(X, y) == [(7, 10), (5999, 6000)]
    assert isofold.diff(X[:, ::2].copy(), y[:, ::2]) == [(4, 6)]  # rows 0, 2, ... of three elements: 7, 8 of 6 to 8
    assert isofold.diff([0.0], [-0.0]) == [(0, 1)] and isofold.diff([np.nan], [np.nan]) == []
    assert isofold.diff(np.empty((0, 3)), np.empty((0, 3))) == []
    for other in (X.astype(np.float32), X.reshape(-1)):
        with pytest.raises(ValueError, match="one dtype and one shape"):
            isofold.diff(X, other)


def test_fingerprints():
    one = isofold.fingerprint(X)
    assert one.shape == X.shape and one.dtype == "float64" and one.complete
    assert one == isofold.fingerprint(np.asfortranarray(X)) == pickle.loads(pickle.dumps(one))
    assert isofold.diff(one, X) == [] and isofold.diff(one, flipped(X, [1500, 5999])) == [(1024, 2048), (5120, 6000)]
    pieces = isofold.Fingerprint(np.float64, X.shape)
    pieces.add(X.reshape(-1)[999:], first=999)
    assert not pieces.complete and "incomplete" in repr(pieces)
    with pytest.raises(ValueError, match="missing"):
        pieces.digest  # noqa: B018
    assert pieces.add(X.reshape(-1)[:999]).digest == one.digest and hash(pieces) == hash(one)
    with pytest.raises(ValueError, match="added before"):
        pieces.add(X[0])
    with pytest.raises(TypeError, match="float64"):
        isofold.Fingerprint("float32", 10).add(X)
    with pytest.raises(ValueError, match="cut or changed"):
        isofold.Fingerprint.from_bytes(one.to_bytes()[:-8])
    with pytest.raises(ValueError, match="one type and shape"):
        one.differs_from(isofold.fingerprint(X[0]))
    assert isofold.fingerprint(X > 0).digest == isofold.fingerprint((X > 0).astype(np.uint8)).digest


def test_the_program_reads_them(tmp_path):
    program = shutil.which("isofold")
    if program is None:
        pytest.skip("no isofold in PATH")
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "x.fingerprint").write_bytes(isofold.fingerprint(X).to_bytes())
    subprocess.run([program, "diff", tmp_path / "x.npy", tmp_path / "x.fingerprint"], check=True)
    out = subprocess.run([program, "fingerprint", tmp_path / "x.npy", "-o", "-"], check=True, capture_output=True).stdout
    assert out == isofold.fingerprint(X).to_bytes()


def test_golden_results(monkeypatch):
    assert isofold.verify() > 2000
    right = _comparing._uniform
    monkeypatch.setattr(_comparing, "_uniform", lambda short, seed, count: flipped_first(right(short, seed, count)))
    with pytest.raises(RuntimeError, match="golden results differ: tree_v1"):
        isofold.verify()


def flipped_first(x):
    x[0] = x[0] ^ 1 if x.dtype.kind in "iu" else -x[0]
    return x


def test_a_library_of_torch():
    torch = pytest.importorskip("torch")
    t = torch.from_numpy(X.copy()).requires_grad_()
    assert isofold.fingerprint(t) == isofold.fingerprint(X) and isofold.diff(t, X) == []
    b = t.detach().to(torch.bfloat16)
    assert isofold.diff(b, b.clone()) == [] and isofold.fingerprint(b).dtype == "bfloat16"
    if isofold._arrays.BFLOAT16 is None:
        pytest.skip("no ml_dtypes: NumPy has no bfloat16 to convert")

    def tensor(x):
        if x.dtype == isofold._arrays.BFLOAT16:
            return torch.from_numpy(x.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(x)

    assert isofold.verify(tensor) == isofold.verify()
    assert 2000 < isofold.verify(torch.from_numpy) < isofold.verify()  # which takes no bfloat16 of NumPy


def test_every_fold_has_golden_results():
    text = (_comparing.pathlib.Path(_comparing.__file__).parent / "golden.txt").read_text()
    assert {line.split()[1] for line in text.splitlines()} == set(_core.FOLDS) - {"none", "count_in_range"}
