"""Arrays of other libraries: the same bits as NumPy's, results of the input's library on its device, no copy."""

import math
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import random_calls  # noqa: E402

import isofold  # noqa: E402

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
    "logsumexp": lambda x: isofold.logsumexp(x * 2.0**-33, axis=1),
    "norm": lambda x: isofold.linalg.vector_norm(x, axis=0),
    "vecdot": lambda x: isofold.vecdot(x, x),
    "fuse": lambda x: isofold.fuse(x, ["sum", "argmin"], axis=1)["argmin"],
}


def as_numpy(x):
    return x.cpu().numpy() if type(x).__module__.startswith("torch") else np.asarray(x.get() if hasattr(x, "get") else x)


def torch_with(device):
    torch = pytest.importorskip("torch")
    if device == "cuda":
        if not torch.cuda.is_available():
            pytest.skip("torch has no CUDA device")
        assert isofold.backends()["cuda"][0], isofold.backends()["cuda"][1]  # beside a GPU, the tests ask for the module
    return torch


def cupy_with_device():
    cupy = pytest.importorskip("cupy")
    if not cupy.cuda.is_available():
        pytest.skip("CuPy has no CUDA device")
    assert isofold.backends()["cuda"][0], isofold.backends()["cuda"][1]
    return cupy


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_torch(name, dtype, device):
    torch = torch_with(device)
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


@pytest.mark.parametrize("arrays", ["torch:cpu", "torch:cuda", "cupy"])
def test_random_calls_have_the_bits_of_numpys_arrays(arrays):
    if arrays == "cupy":
        cupy_with_device()
    else:
        torch_with(arrays.split(":")[1])
    counts = random_calls.run(600, 11, random_calls.arrays_of(arrays))
    assert all(counts[name] > 5 for name in random_calls.FUNCTIONS), counts


def test_random_calls_see_a_wrong_result(monkeypatch):
    torch_with("cpu")
    right = random_calls.FUNCTIONS["var"]
    monkeypatch.setitem(
        random_calls.FUNCTIONS, "var", lambda x, **a: right(x, definition="exact" if isinstance(x, np.ndarray) else "tree", **a)
    )
    with pytest.raises(AssertionError, match="seed 11"):
        random_calls.run(600, 11, random_calls.arrays_of("torch:cpu"))


# A long chain of kernels in front of the reduction, and one behind it, on a stream that waits for no other: a call that
# ran on another stream would read elements that are not there yet.
LONG, STEPS = 1 << 25, 200


def test_order_of_torch_streams():
    torch = torch_with("cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        t = torch.zeros(LONG, device="cuda")
        t += 1  # these load kernels, for which a first call waits
        isofold.sum(t) * 2 + isofold.max(t.reshape(-1, 1024), axis=1)
        side.synchronize()
        t.zero_()
        for _ in range(STEPS):
            t += 1
        assert not side.query()  # the chain still runs when the sum is enqueued
        total = isofold.sum(t)
        rows = isofold.max(t.reshape(-1, 1024), axis=1)
        doubled = total * 2
        assert not side.query()  # and no call has waited for it
        t.zero_()
    side.synchronize()
    assert total.item() == STEPS * LONG and doubled.item() == 2 * STEPS * LONG and bool((rows == STEPS).all())
    back = isofold.sum(t)  # the default stream again, by the same reducer
    assert back.item() == 0
    isofold.synchronize()


def test_order_of_cupy_streams():
    cupy = cupy_with_device()
    with cupy.cuda.Stream(non_blocking=True) as side:
        x = cupy.zeros(LONG, np.float32)
        x += 1
        x *= 0
        isofold.sum(x) * 2
        side.synchronize()
        for _ in range(STEPS):
            x += 1
        assert not side.done
        total = isofold.sum(x)
        doubled = total * 2
        assert not side.done
        x *= 0
        side.synchronize()
    assert float(total) == STEPS * LONG and float(doubled) == 2 * STEPS * LONG


@pytest.mark.parametrize("platform", ["cpu", "cuda"])
@pytest.mark.parametrize("name", CALLS)
def test_jax(name, platform):
    jax = pytest.importorskip("jax")
    try:
        device = jax.devices(platform)[0]
    except RuntimeError:
        pytest.skip(f"JAX has no device of {platform}")
    x = X.astype(np.float32)
    array = jax.device_put(x, device)
    result = CALLS[name](array)
    assert isinstance(result, jax.Array) and result.devices() == {device}
    with np.errstate(all="ignore"):
        expected = np.asarray(jax.numpy.asarray(CALLS[name](x)))
    assert result.dtype == expected.dtype and np.array_equal(np.asarray(result), expected)


def test_jax_on_a_device_is_described_as_it_lies(monkeypatch):
    """What is made for a GPU's arrays, over JAX's arrays in host memory."""
    jax = pytest.importorskip("jax")
    from isofold import _arrays

    monkeypatch.setattr(_arrays, "_jax_library", lambda x: _arrays.JaxOnDevice(next(iter(x.devices()))))
    x = jax.device_put(X.astype(np.float32), jax.devices("cpu")[0])
    read = _arrays.adapt(x)
    assert read.shape == (9, 11) and read.strides == (11, 1) and read.device_type == 2 and read.is_numpy is False
    assert np.array_equal(np.ctypeslib.as_array((np.ctypeslib.ctypes.c_float * 99).from_address(read.pointer)), np.asarray(x).ravel())
    words, pointer = read.library.empty((6,), _arrays.NUMBERS["int64"])
    assert words.nbytes == 48 and pointer == words.unsafe_buffer_pointer()
    np.ctypeslib.as_array((np.ctypeslib.ctypes.c_double * 6).from_address(pointer))[:] = [0.5, 1, 2, 3, 4, 5]
    taken = read.library.component(words, (3,), _arrays.NUMBERS["float64"], 8, 16, _arrays.NUMBERS["float64"])
    assert taken.tolist() == [1, 3, 5] and taken.dtype == np.float32  # as JAX rounds without jax_enable_x64
    assert read.library.finished(words).dtype == np.int32


@pytest.mark.parametrize("name", CALLS)
def test_cupy(name):
    cupy = cupy_with_device()
    for x in (X, X.T[::-2]):
        result = CALLS[name](cupy.asarray(X) if x is X else cupy.asarray(X).T[::-2])
        expected = np.asarray(CALLS[name](x))
        assert isinstance(result, cupy.ndarray) and np.array_equal(result.get(), expected) and result.dtype == expected.dtype


def test_cupys_arrays_are_described_as_they_lie(monkeypatch):
    """What is read of an array on a device, by a module in CuPy's place and without a device."""
    from types import SimpleNamespace

    from isofold import _arrays

    def fake(x):
        array = type("ndarray", (), {"__module__": "cupy"})()
        array.data = SimpleNamespace(ptr=x.ctypes.data, device_id=1)
        array.dtype, array.shape, array.strides = x.dtype, x.shape, x.strides
        return array

    cupy = SimpleNamespace(
        asarray=lambda x: fake(x.array), from_dlpack=lambda x: fake(x.array),
        cuda=SimpleNamespace(get_current_stream=lambda device: SimpleNamespace(ptr=6 + device)),
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    library = SimpleNamespace(module=cupy, empty=lambda shape, dtype: (np.empty(shape), 0))
    monkeypatch.setattr(_arrays, "_cupy", lambda device: library)
    x = X[::2, ::-1]
    of_interface = SimpleNamespace(__cuda_array_interface__={}, array=x)
    of_dlpack = SimpleNamespace(__dlpack__=None, __dlpack_device__=lambda: (2, 1), array=x)
    for array in (fake(x), of_interface, of_dlpack):
        read = _arrays.adapt(array)
        assert read.shape == (5, 11) and read.strides == (22, -1) and read.stream == 7 and read.device_type == 2
        assert read.pointer == x.ctypes.data and read.device == 1 and read.dtype == _arrays.NUMBERS["float64"]
    with pytest.raises(TypeError, match="cannot read"):
        _arrays.adapt(fake(X.astype(">f8")))
    with pytest.raises(ValueError, match="strides"):
        _arrays.adapt(fake(np.zeros(3, "f8,f4")["f0"]))
    if not isofold.backends()["cuda"][0]:
        with pytest.raises(RuntimeError, match="cuda"):
            isofold.argmax(fake(x), axis=())


class CudaInterface:
    """An array of no library that isofold knows, by __cuda_array_interface__."""

    def __init__(self, array):
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__}


class Dlpack:
    """An array of no library that isofold knows, by DLPack."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


@pytest.mark.parametrize("protocol", [CudaInterface, Dlpack])
@pytest.mark.parametrize("maker", ["torch", "cupy"])
def test_arrays_on_a_device_by_protocols(protocol, maker):
    x = X[::2]
    there = torch_with("cuda").from_numpy(X).cuda()[::2] if maker == "torch" else cupy_with_device().asarray(X)[::2]
    result = isofold.sum(protocol(there), axis=1)
    expected = isofold.sum(x, axis=1)
    assert hasattr(result, "__cuda_array_interface__") and np.array_equal(as_numpy(result), expected)
    assert int(as_numpy(isofold.argmax(protocol(there)))) == x.argmax()
    assert np.array_equal(as_numpy(isofold.mean(protocol(there), axis=0, dtype=np.float32)), isofold.mean(x, axis=0, dtype=np.float32))


def test_results_on_a_device_go_elsewhere():
    torch, cupy = torch_with("cuda"), cupy_with_device()
    expected = isofold.sum(X, axis=0)
    of_torch = isofold.sum(torch.from_numpy(X).cuda(), axis=0)
    of_cupy = isofold.sum(cupy.asarray(X), axis=0)
    assert np.array_equal(cupy.asarray(of_torch).get(), expected) and np.array_equal(cupy.from_dlpack(of_torch).get(), expected)
    assert np.array_equal(torch.as_tensor(of_cupy, device="cuda").cpu().numpy(), expected)
    assert np.array_equal(torch.from_dlpack(of_cupy).cpu().numpy(), expected)
    jax = pytest.importorskip("jax")
    if any(device.platform == "gpu" for device in jax.devices()):
        of_jax = jax.dlpack.from_dlpack(of_torch.float())
        assert np.array_equal(np.asarray(of_jax), expected.astype(np.float32))


def test_nothing_is_copied_on_a_device():
    torch = torch_with("cuda")
    t = torch.ones((1 << 12, 1 << 12), device="cuda")
    for view in (t, t.T, t[::2], t[:, ::2], t[5:, 7:]):
        isofold.sum(view, axis=0)  # what a first call keeps
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        result = isofold.sum(view, axis=0)
        assert torch.cuda.max_memory_allocated() - before <= 2 * result.nbytes + 1024
        assert bool((result == view.shape[0]).all())


def test_out_and_initial_on_a_device():
    torch, cupy = torch_with("cuda"), cupy_with_device()
    t, c = torch.from_numpy(X).cuda(), cupy.asarray(X)
    out = torch.empty(9, dtype=torch.float64, device="cuda")
    assert isofold.sum(t, axis=1, out=out) is out and np.array_equal(as_numpy(out), isofold.sum(X, axis=1))
    into = cupy.empty(9)
    assert isofold.sum(c, axis=1, out=into) is into and np.array_equal(into.get(), isofold.sum(X, axis=1))
    assert isofold.max(t, initial=1e20).item() == 1e20 and float(isofold.max(c, initial=1e20)) == 1e20
    for x in (t, c):
        with pytest.raises(ValueError, match="initial="):
            isofold.sum(x, initial=1.0)
        with pytest.raises(ValueError, match="another device"):
            isofold.sum(x, where=X > 0)
        with pytest.raises(ValueError, match="no elements"):
            isofold.max(x[:0])
    assert as_numpy(isofold.sum(t)) == isofold.sum(X)  # after errors


def test_partial_results_and_comparisons_on_a_device():
    torch = torch_with("cuda")
    t = torch.from_numpy(X).cuda()
    total = isofold.Exact("sum", "float64").add(t[:4])
    assert total.add(t[4:]).finish() == isofold.sum(X)
    half = isofold.Forest("sum", "float64", 99).add(t.ravel()[:40], first=0).add(t.ravel()[40:], first=40)
    assert half.finish() == isofold.sum(X, definition="tree")
    assert isofold.diff(t, X) == [] and isofold.diff(t, X + (X == X[3, 3])) == [(36, 37)]
    assert isofold.verify(lambda x: torch.from_numpy(x).cuda()) > 1000


def test_threads_on_a_device():
    torch = torch_with("cuda")
    from concurrent.futures import ThreadPoolExecutor

    t = torch.from_numpy(X).cuda()
    torch.cuda.synchronize()

    def call(i):
        with torch.cuda.stream(torch.cuda.Stream()):
            return isofold.sum(t * i, axis=1).cpu().numpy()

    with ThreadPoolExecutor(8) as pool:
        for i, result in enumerate(pool.map(call, range(100))):
            assert np.array_equal(result, isofold.sum(X * i, axis=1))


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
