"""Arrays of other libraries: the same bits as NumPy's, results of the input's library on its device, no copy."""

import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import isofold

RNG = np.random.default_rng(3)
X = RNG.standard_normal((9, 11)) * 10.0 ** RNG.integers(-9, 9, (9, 11))

CALLS = {
    "sum": lambda x: isofold.sum(x, axis=1),
    "sum of all": lambda x: isofold.sum(x),
    "tree": lambda x: isofold.sum(x, axis=0, definition="tree", keepdims=True),
    "mean of f32": lambda x: isofold.mean(x, axis=0),
    "max": lambda x: isofold.max(x),
    "argmax": lambda x: isofold.argmax(x, axis=1),
    "minmax": lambda x: isofold.minmax(x, axis=0).maximum,
    "argminmax": lambda x: isofold.argminmax(x, axis=1).minimum_index,
    "moments": lambda x: isofold.moments(x, axis=1).m2,
    "std": lambda x: isofold.std(x, axis=0, correction=1),
    "any": lambda x: isofold.any(x, axis=1),
    "logsumexp": lambda x: isofold.logsumexp(x / 1e10, axis=1),
    "norm": lambda x: isofold.linalg.vector_norm(x, axis=0),
    "vecdot": lambda x: isofold.vecdot(x, x),
    "fuse": lambda x: isofold.fuse(x, ["sum", "argmin"], axis=1)["argmin"],
}


def as_numpy(x):
    return x.cpu().numpy() if type(x).__module__.startswith("torch") else np.asarray(x.get() if hasattr(x, "get") else x)


def torch_devices():
    torch = pytest.importorskip("torch")
    return ["cpu"] + (["cuda"] if torch.cuda.is_available() and isofold.backends()["cuda"][0] else [])


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_torch(name, dtype, device):
    torch = pytest.importorskip("torch")
    if device not in torch_devices():
        pytest.skip("no CUDA device that torch and isofold have")
    x = X.astype(dtype)
    for tensor, array in ((torch.from_numpy(x).to(device), x), (torch.from_numpy(x).to(device).T[::2], x.T[::2])):
        result = CALLS[name](tensor)
        assert isinstance(result, torch.Tensor) and result.device.type == device
        assert np.array_equal(as_numpy(result), np.asarray(CALLS[name](array))), name
        if name != "any":
            assert as_numpy(result).dtype == np.asarray(CALLS[name](array)).dtype


def test_torch_types_and_views():
    torch = pytest.importorskip("torch")
    t = torch.from_numpy(X.copy())
    b = t.to(torch.bfloat16)
    assert isofold.sum(b, axis=0).dtype == torch.bfloat16
    assert torch.equal(isofold.sum(b, axis=0, dtype=torch.float32), isofold.sum(b.float(), axis=0))
    z = torch.complex(t, -2 * t)
    assert isofold.sum(z.conj()) == isofold.sum(z.conj().resolve_conj()) == torch.conj(isofold.sum(z))
    assert isofold.sum(z.conj().imag) == -isofold.sum(z.imag)  # negated when it is read
    assert isofold.sum(t > 0).dtype == torch.int64 and isofold.max(t > 0).dtype == torch.bool
    assert isofold.max(t, where=t < 0) == t[t < 0].max()
    out = torch.empty(9, dtype=torch.float64)
    assert isofold.sum(t, axis=1, out=out) is out and torch.equal(out, isofold.sum(t, axis=1))
    assert isofold.max(t, initial=1e20) == 1e20 and isofold.sum(t, initial=1.0) == math.fsum([*X.ravel(), 1.0])
    with pytest.raises(ValueError, match="isofold.torch"):
        isofold.sum(t.requires_grad_())
    with pytest.raises(TypeError, match="float8"):
        isofold.sum(torch.zeros(3).to(torch.float8_e4m3fn))
    with pytest.raises(ValueError, match="no elements"):
        isofold.max(torch.empty(0))
    assert isofold.average(torch.ones(3), weights=torch.tensor([1.0, 2.0, 3.0])) == 1


def test_torch_results_are_written_where_they_are_used():
    torch = pytest.importorskip("torch")
    t = torch.arange(6, dtype=torch.float64).reshape(2, 3)
    first = isofold.sum(t, axis=1)
    t += 1
    second = isofold.sum(t, axis=1)
    assert first.tolist() == [3, 12] and second.tolist() == [6, 15]


def test_cuda_streams():
    torch = pytest.importorskip("torch")
    if "cuda" not in torch_devices():
        pytest.skip("no CUDA device that torch and isofold have")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        t = torch.zeros(1 << 24, device="cuda")
        for _ in range(20):
            t += 1  # the sum is enqueued behind these
        total = isofold.sum(t)
        doubled = total * 2  # and this behind the sum
    side.synchronize()
    assert total.item() == 20 * (1 << 24) and doubled.item() == 40 * (1 << 24)
    isofold.synchronize()


@pytest.mark.parametrize("name", CALLS)
def test_jax(name):
    jax = pytest.importorskip("jax")
    x = X.astype(np.float32)
    array = jax.numpy.asarray(x)
    result = CALLS[name](array)
    assert isinstance(result, jax.Array)
    with np.errstate(all="ignore"):
        expected = np.asarray(jax.numpy.asarray(CALLS[name](x)))
    assert np.array_equal(np.asarray(result), expected)


@pytest.mark.parametrize("name", CALLS)
def test_cupy(name):
    cupy = pytest.importorskip("cupy")
    if not isofold.backends()["cuda"][0]:
        pytest.skip("no CUDA device")
    result = CALLS[name](cupy.asarray(X))
    assert isinstance(result, cupy.ndarray) and np.array_equal(result.get(), np.asarray(CALLS[name](X)))


class HostArray:
    """An array by __cuda_array_interface__, whose device is the host: the way of CuPy's arrays, without a GPU.

    isofold's own kernels do not run over it; what is tested is the description of memory and the results' making."""

    def __init__(self, array):
        self.array = array
        self.device = SimpleNamespace(id=0)

    dtype = property(lambda self: self.array.dtype)
    shape = property(lambda self: self.array.shape)

    @property
    def __cuda_array_interface__(self):
        return {**self.array.__array_interface__, "version": 3, "stream": 1}


def test_cuda_array_interface(monkeypatch):
    from isofold import _arrays

    monkeypatch.setattr(
        _arrays.CuPy, "__init__", lambda self, x: setattr(self, "module", SimpleNamespace(empty=lambda *a: HostArray(np.empty(*a))))
    )
    read = _arrays._device_description(HostArray(X[::2, ::-1]))
    assert read.shape == (5, 11) and read.strides == (22, -1) and read.stream == 1 and read.device_type == 2
    assert read.pointer == X[::2, ::-1].ctypes.data
    assert _arrays._device_description(HostArray(np.empty((0, 3)))).shape == (0, 3)
    with pytest.raises(TypeError, match="cannot read"):
        _arrays._device_description(HostArray(X.astype(">f8")))
    if not isofold.backends()["cuda"][0]:
        with pytest.raises(RuntimeError, match="cuda"):
            isofold.sum(HostArray(X))
    assert isofold.sum(X) == math.fsum(X.ravel())


def test_dlpack_objects_and_sequences():
    class Producer:
        def __dlpack__(self, **arguments):
            return X.__dlpack__(**arguments)

        def __dlpack_device__(self):
            return X.__dlpack_device__()

    assert isofold.sum(Producer()) == math.fsum(X.ravel())
    assert isofold.sum([[1, 2], [3, 4]], axis=0).tolist() == [4, 6]
    assert isofold.sum(3.5) == 3.5 and isofold.sum(memoryview(X)) == math.fsum(X.ravel())


def test_importing_isofold_imports_no_other_library():
    import subprocess

    code = "import sys, isofold; sys.exit(any(m in sys.modules for m in ('torch', 'jax', 'cupy')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
