"""What the extension asks of array libraries beyond the fast paths in C++: the descriptions of their arrays, memory
for results, copies and conversions."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import _core

TYPES: dict[str, int] = _core.TYPES

# The names of dtypes that all libraries share, by the extension's number.
NAMES = {
    TYPES[short]: long
    for short, long in {
        "boolean": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
        "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
        "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
        "c64": "complex64", "c128": "complex128",
    }.items()
}  # fmt: skip
NUMBERS = {name: number for number, name in NAMES.items()}

try:
    import ml_dtypes

    BFLOAT16: Any = np.dtype(ml_dtypes.bfloat16)
except ImportError:
    BFLOAT16 = None

NUMPY_DTYPES = {number: np.dtype(name) for number, name in NAMES.items() if name != "bfloat16"}
# Without ml_dtypes NumPy has no bfloat16: results of torch's arrays never come here, and NumPy's have none.
NUMPY_DTYPES[NUMBERS["bfloat16"]] = BFLOAT16 if BFLOAT16 is not None else np.dtype("float32")

_numbers: dict[Any, int] = {}


def dtype_number(dtype: Any) -> int:
    """The extension's number of a dtype of any library, or of its name."""
    try:
        return _numbers[dtype]
    except (KeyError, TypeError):
        pass
    text = str(dtype)
    name = text.rsplit(".", 1)[-1] if text.startswith(("torch.", "jax.")) else None
    if name not in NUMBERS:
        if dtype is bool:
            name = "bool"
        elif isinstance(dtype, str) and dtype in NUMBERS:
            name = dtype
        else:
            name = np.dtype(dtype).name
    if name not in NUMBERS:
        raise TypeError(f"isofold has no dtype {dtype!r}; it has {', '.join(NUMBERS)}.")
    try:
        _numbers[dtype] = NUMBERS[name]
    except TypeError:
        pass  # not hashable
    return NUMBERS[name]


def _by_way_of_f32(dtype: int) -> bool:
    return NAMES[dtype] in ("float16", "bfloat16")


class NumPy:
    """Arrays of NumPy, and what becomes one."""

    @staticmethod
    def multiply(x: Any, y: Any) -> Any:
        return x * y

    @staticmethod
    def astype(x: Any, dtype: int) -> Any:
        return np.asarray(x).astype(NUMPY_DTYPES[dtype])

    @staticmethod
    def packed(x: Any, order: list[int]) -> Any:
        return np.ascontiguousarray(np.transpose(x, order))

    @staticmethod
    def broadcast(x: Any, shape: tuple[int, ...]) -> Any:
        return np.broadcast_to(x, shape)

    @staticmethod
    def component(memory: Any, shape: tuple[int, ...], native: int, offset: int, step: int, dtype: int) -> Any:
        if step and 0 in shape:
            return np.empty(shape, NUMPY_DTYPES[dtype])  # ndarray() refuses an offset into memory of no bytes
        if step:
            dims, strides = [], step
            for extent in reversed(shape):
                dims.append(strides)
                strides *= extent
            memory = np.ndarray(shape, NUMPY_DTYPES[native], memory, offset, tuple(reversed(dims)))
        if _by_way_of_f32(dtype):
            memory = memory.astype(np.float32)
        return memory.astype(NUMPY_DTYPES[dtype])

    @staticmethod
    def assign(out: Any, result: Any) -> None:
        np.copyto(out, result, casting="same_kind")

    minimum = staticmethod(np.minimum)
    maximum = staticmethod(np.maximum)

    @staticmethod
    def asarray(value: Any, like: Any) -> Any:
        return np.asarray(value)


class _Bytes:
    """Views of results of several components in libraries whose arrays have view(dtype)."""

    def component(self, memory: Any, shape: tuple[int, ...], native: int, offset: int, step: int, dtype: int) -> Any:
        if step:
            size = NUMPY_DTYPES[native].itemsize
            memory = memory.view(self.dtype(native))[offset // size :: step // size].reshape(shape)
        if _by_way_of_f32(dtype):
            memory = self.convert(memory, NUMBERS["float32"])
        return self.convert(memory, dtype)

    def dtype(self, number: int) -> Any:
        raise NotImplementedError

    def convert(self, x: Any, dtype: int) -> Any:
        raise NotImplementedError

    def multiply(self, x: Any, y: Any) -> Any:
        return x * y


class Torch(_Bytes):
    """Tensors of torch, on any device."""

    def __init__(self, x: Any) -> None:
        import torch

        self.torch = torch
        self.device = x.device

    def dtype(self, number: int) -> Any:
        return getattr(self.torch, NAMES[number])

    def convert(self, x: Any, dtype: int) -> Any:
        return x.to(self.dtype(dtype)).contiguous()

    astype = convert

    def packed(self, x: Any, order: list[int]) -> Any:
        return x.permute(order).contiguous()

    def broadcast(self, x: Any, shape: tuple[int, ...]) -> Any:
        return x.expand(shape)

    def empty(self, shape: tuple[int, ...], dtype: int) -> tuple[Any, int]:
        made = self.torch.empty(shape, dtype=self.dtype(dtype), device=self.device)
        return made, made.data_ptr()

    @staticmethod
    def finished(x: Any) -> Any:
        return x

    @staticmethod
    def assign(out: Any, result: Any) -> None:
        if tuple(out.shape) != tuple(result.shape):
            raise ValueError(f"out= has the shape {tuple(out.shape)}; the result has {tuple(result.shape)}.")
        out.copy_(result)

    def minimum(self, x: Any, y: Any) -> Any:
        return self.torch.minimum(x, self.torch.as_tensor(y, dtype=x.dtype, device=x.device))

    def maximum(self, x: Any, y: Any) -> Any:
        return self.torch.maximum(x, self.torch.as_tensor(y, dtype=x.dtype, device=x.device))

    def asarray(self, value: Any, like: Any) -> Any:
        return self.torch.as_tensor(value, device=like.device)

    def multiply(self, x: Any, y: Any) -> Any:
        if x.dtype not in (self.torch.uint16, self.torch.uint32, self.torch.uint64):
            return x * y
        # Those have no product on CUDA. It has the bits of the signed one.
        signed = getattr(self.torch, f"int{8 * x.element_size()}")
        return (x.view(signed) * y.view(signed)).view(x.dtype)


class CuPy(_Bytes):
    """Arrays of CuPy on a device, on its current stream."""

    def __init__(self, device: int) -> None:
        import cupy

        self.module = cupy
        self.device = device

    def dtype(self, number: int) -> Any:
        return NUMPY_DTYPES[number]

    def convert(self, x: Any, dtype: int) -> Any:
        return self.contiguous(x.astype(self.dtype(dtype), copy=False))

    astype = convert

    def packed(self, x: Any, order: list[int]) -> Any:
        return self.contiguous(x.transpose(order))

    @staticmethod
    def contiguous(x: Any) -> Any:
        return x if x.flags.c_contiguous else x.copy(order="C")  # ascontiguousarray() gives 0-d arrays a dimension

    def broadcast(self, x: Any, shape: tuple[int, ...]) -> Any:
        return self.module.broadcast_to(x, shape)

    def empty(self, shape: tuple[int, ...], dtype: int) -> tuple[Any, int]:
        if self.module.cuda.runtime.getDevice() == self.device:
            made = self.module.empty(shape, NUMPY_DTYPES[dtype])
        else:
            with self.module.cuda.Device(self.device):
                made = self.module.empty(shape, NUMPY_DTYPES[dtype])
        return made, made.data.ptr

    def finished(self, x: Any) -> Any:
        return x

    def assign(self, out: Any, result: Any) -> None:
        self.module.copyto(out, result, casting="same_kind")

    def minimum(self, x: Any, y: Any) -> Any:
        return self.module.minimum(x, y)

    def maximum(self, x: Any, y: Any) -> Any:
        return self.module.maximum(x, y)

    def asarray(self, value: Any, like: Any) -> Any:
        return self.module.asarray(value)


class Jax(NumPy):
    """Arrays of JAX in host memory: their results are made in NumPy's memory and handed over.

    JAX computes with 64 bits only if jax_enable_x64 is set; without it jnp.asarray rounds results as it does."""

    is_numpy = False

    def __init__(self, device: Any) -> None:
        self.device = device

    def empty(self, shape: tuple[int, ...], dtype: int) -> tuple[Any, int]:
        made = np.empty(shape, NUMPY_DTYPES[dtype])
        return made, made.ctypes.data

    def finished(self, x: Any) -> Any:
        import jax.numpy as jnp

        return jnp.asarray(x, device=self.device)

    def astype(self, x: Any, dtype: int) -> Any:  # type: ignore[override]
        return self.finished(np.asarray(x).astype(NUMPY_DTYPES[dtype]))

    def packed(self, x: Any, order: list[int]) -> Any:  # type: ignore[override]
        return self.finished(NumPy.packed(np.asarray(x), order))

    def broadcast(self, x: Any, shape: tuple[int, ...]) -> Any:  # type: ignore[override]
        return self.finished(np.broadcast_to(np.asarray(x), shape))

    def component(self, *arguments: Any) -> Any:  # type: ignore[override]
        return self.finished(NumPy.component(*arguments))

    def assign(self, out: Any, result: Any) -> None:  # type: ignore[override]
        raise TypeError("JAX's arrays are immutable, so out= cannot take one.")

    def minimum(self, x: Any, y: Any) -> Any:  # type: ignore[override]
        import jax.numpy as jnp

        return jnp.minimum(x, y)

    def maximum(self, x: Any, y: Any) -> Any:  # type: ignore[override]
        import jax.numpy as jnp

        return jnp.maximum(x, y)

    def asarray(self, value: Any, like: Any) -> Any:  # type: ignore[override]
        return self.finished(np.asarray(value))


class JaxOnDevice(_Bytes):
    """Arrays of JAX on a GPU. JAX tells nobody its streams, so a call waits for its input and for its result.

    Results are computed with 64 bits, and then rounded as JAX does where jax_enable_x64 is not set."""

    def __init__(self, device: Any) -> None:
        import jax

        self.jax = jax
        self.device = device

    def dtype(self, number: int) -> Any:
        return NUMPY_DTYPES[number]

    def convert(self, x: Any, dtype: int) -> Any:
        return x.astype(self.dtype(dtype))

    astype = convert

    def packed(self, x: Any, order: list[int]) -> Any:
        return self.jax.numpy.transpose(x, order)

    def broadcast(self, x: Any, shape: tuple[int, ...]) -> Any:
        return self.jax.numpy.broadcast_to(x, shape)

    def empty(self, shape: tuple[int, ...], dtype: int) -> tuple[Any, int]:
        with self.jax.enable_x64(True):
            made = self.jax.numpy.zeros(shape, self.dtype(dtype), device=self.device).block_until_ready()
        return made, made.unsafe_buffer_pointer()

    def finished(self, x: Any) -> Any:
        _core.synchronize()
        dtype = self.jax.dtypes.canonicalize_dtype(x.dtype)
        with self.jax.enable_x64(True):
            return x.astype(dtype)

    def component(self, *arguments: Any) -> Any:
        _core.synchronize()
        with self.jax.enable_x64(True):
            made = super().component(*arguments)
        return self.finished(made)

    def assign(self, out: Any, result: Any) -> None:
        raise TypeError("JAX's arrays are immutable, so out= cannot take one.")

    def minimum(self, x: Any, y: Any) -> Any:
        return self.jax.numpy.minimum(x, y)

    def maximum(self, x: Any, y: Any) -> Any:
        return self.jax.numpy.maximum(x, y)

    def asarray(self, value: Any, like: Any) -> Any:
        return self.jax.numpy.asarray(value, device=self.device)


NUMPY = NumPy()


_LIBRARIES = {"torch": "torch", "jax": "jax", "jaxlib": "jax", "cupy": "cupy"}


_library_names: dict[type, str | None] = {}


def _library_name(kind: type) -> str | None:
    """torch, jax or cupy, if a type or one that it derives from is that library's."""
    if kind not in _library_names:
        names = (_LIBRARIES.get(base.__module__.split(".")[0]) for base in kind.__mro__)
        _library_names[kind] = next(filter(None, names), None)
    return _library_names[kind]


_cupy = functools.cache(CuPy)


def _jax_library(x: Any) -> Jax | JaxOnDevice:
    devices = x.devices()
    if len(devices) != 1:
        raise ValueError(
            f"This array of JAX lies on {len(devices)} devices; isofold reduces arrays of one: reduce its shards."
        )
    (device,) = devices
    return Jax(device) if device.platform == "cpu" else JaxOnDevice(device)


def library_of(x: Any) -> Any:
    """The library of an array that `known` returned."""
    name = _library_name(type(x))
    if name == "torch":
        return Torch(x)
    if name == "jax":
        return _jax_library(x)
    if name == "cupy":
        return _cupy(x.data.device_id)
    return NUMPY


def _on_device(x: Any) -> bool:
    if hasattr(x, "__cuda_array_interface__"):
        return True
    return hasattr(x, "__dlpack_device__") and int(x.__dlpack_device__()[0]) not in (1, 3, 11)  # memory of the host


def known(x: Any) -> Any:
    """`x`, or an array of NumPy, CuPy or torch over its memory if it is of none of the libraries above.

    CuPy and torch wait for what its maker has enqueued, as the protocols demand."""
    if isinstance(x, np.ndarray) or _library_name(type(x)) is not None:
        return x
    if not _on_device(x):
        if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
            return np.from_dlpack(x)
        return np.asarray(x)
    try:
        import cupy
    except ImportError:
        pass
    else:
        return cupy.asarray(x) if hasattr(x, "__cuda_array_interface__") else cupy.from_dlpack(x)
    try:
        import torch
        from torch.utils.dlpack import from_dlpack
    except ImportError:
        raise TypeError(
            f"A result of {type(x).__name__}, which lies on a device, is an array of CuPy or torch: install one of them."
        ) from None
    return torch.as_tensor(x, device="cuda") if hasattr(x, "__cuda_array_interface__") else from_dlpack(x)


def _numpy_readable(x: np.ndarray) -> Any:
    """An array whose elements the extension can read where they lie; or a description of one of bfloat16."""
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError("isofold does not read the mask of a masked array: pass x.data and where=~mask.")
    if not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    if BFLOAT16 is not None and x.dtype == BFLOAT16:
        if not x.flags.aligned or any(step % 2 for step in x.strides):
            x = x.copy()
        return SimpleNamespace(
            owner=x, library=NUMPY, dtype=NUMBERS["bfloat16"], device_type=1, device=0, pointer=x.ctypes.data,
            stream=0, is_numpy=True, shape=x.shape, strides=tuple(step // 2 for step in x.strides),
        )  # fmt: skip
    if not x.flags.aligned or any(step % max(x.itemsize, 1) for step in x.strides):
        return np.array(x, order="C", copy=True, subok=False)
    return x.view(np.ndarray)


def _cupy_description(x: Any) -> Any:
    """An array of CuPy, whose type has no exchange functions of DLPack."""
    number = dtype_number(x.dtype)
    size = x.dtype.itemsize
    strides = x.strides
    if not x.dtype.isnative:
        raise TypeError(f"isofold cannot read elements of {x.dtype.str} on a device.")
    if any(step % size for step in strides):
        raise ValueError("The strides of this array are no multiples of its elements' size; copy it first.")
    memory = x.data
    library = _cupy(memory.device_id)
    stream = library.module.cuda.get_current_stream(memory.device_id)
    return SimpleNamespace(
        owner=x, library=library, dtype=number, device_type=2, device=memory.device_id, pointer=memory.ptr,
        stream=stream.ptr, stream_owner=stream, is_numpy=False, shape=x.shape,
        strides=tuple([step // size for step in strides]),
    )  # fmt: skip


def _torch_description(x: Any) -> Any:
    """A tensor of a torch without DLPack's exchange functions, or one of a type that these refuse."""
    if x.requires_grad:
        raise ValueError(
            "This tensor requires a gradient, which isofold's functions do not track: take those of isofold.torch, "
            "or pass x.detach()."
        )
    if x.is_conj() or x.is_neg():
        x = x.resolve_conj().resolve_neg()
    name = str(x.dtype).rsplit(".", 1)[-1]
    if name not in NUMBERS:
        raise TypeError(f"isofold cannot read elements of {x.dtype}.")
    stream = 0
    device_type = {"cpu": 1, "cuda": 2}.get(x.device.type)
    if device_type is None:
        raise TypeError(f"isofold reads tensors on the CPU and on CUDA and ROCm devices, not on {x.device}.")
    if device_type == 2:
        import torch

        stream = torch.cuda.current_stream(x.device).cuda_stream
        device_type = 10 if torch.version.hip else 2
    return SimpleNamespace(
        owner=x, library=Torch(x), dtype=NUMBERS[name], device_type=device_type, device=x.device.index or 0,
        pointer=x.data_ptr(), stream=stream, is_numpy=False, shape=tuple(x.shape), strides=tuple(x.stride()),
    )  # fmt: skip


def _jax_description(x: Any) -> Any:
    library = _jax_library(x)
    if isinstance(library, JaxOnDevice):
        if library.device.client.platform_version.startswith("rocm"):
            raise TypeError("isofold reads JAX's arrays in host memory and on CUDA devices.")
        x.block_until_ready()
        steps, step = [], 1
        for extent in reversed(x.shape):
            steps.append(step)
            step *= extent
        return SimpleNamespace(
            owner=x, library=library, dtype=dtype_number(x.dtype), device_type=2,
            device=library.device.local_hardware_id, pointer=x.unsafe_buffer_pointer(), stream=0, is_numpy=False,
            shape=tuple(x.shape), strides=tuple(reversed(steps)),
        )  # fmt: skip
    host = np.asarray(x)
    if host.size and not host.flags.aligned:
        host = host.copy()
    return SimpleNamespace(
        owner=host, library=library, dtype=NUMBERS[host.dtype.name], device_type=1, device=0,
        pointer=host.ctypes.data, stream=0, is_numpy=False, shape=host.shape,
        strides=tuple(step // max(host.itemsize, 1) for step in host.strides),
    )  # fmt: skip


_WAYS = {
    "O": "x.astype(numpy.float64) converts Python's numbers",
    "M": "x.view(numpy.int64) has the numbers of its units",
    "m": "x.view(numpy.int64) has the numbers of its units",
    "f": "x.astype(numpy.float64) rounds them",
    "c": "x.astype(numpy.complex128) rounds them",
    "U": "x.astype(numpy.float64) reads numbers in text",
    "S": "x.astype(numpy.float64) reads numbers in text",
}


def unreadable(given: Any, x: np.ndarray) -> str:
    """Why no element of `x`, which NumPy made of `given`, can be read, and the way out."""
    if x.dtype.kind == "O" and x.ndim == 0 and not isinstance(given, (np.ndarray, int)):
        text = repr(given)
        return (
            f"isofold reduces arrays and numbers, and {text if len(text) < 60 else text[:57] + '...'} is neither:"
            " numpy.fromiter(x, float) makes an array of an iterator, a set or the values of a dictionary."
        )
    way = _WAYS.get(x.dtype.kind, "x.astype(numpy.float64) may convert them")
    if x.dtype.names:
        way = 'a field, x["name"], may be of one that it does'
    return (
        f"isofold cannot read elements of the dtype {x.dtype} ({way}); it reads booleans, integers, floats"
        " of 16, 32 and 64 bits, bfloat16 and complex numbers of two floats."
    )


def adapt(x: Any) -> Any:
    """What the extension reads in place of `x`: an array of NumPy, or a description of memory."""
    x = known(x)
    name = _library_name(type(x))
    if name == "torch":
        return _torch_description(x)
    if name == "jax":
        return _jax_description(x)
    if name == "cupy":
        return _cupy_description(x)
    return _numpy_readable(x)
