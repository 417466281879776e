"""The reductions of isofold as functions of torch with gradients, registered as custom operators, so that
torch.compile and torch.func see them. The backward passes are elementwise, and so deterministic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union, cast

import torch
from torch import Tensor

from . import _functions as _isofold
from ._definition import Definition
from ._definition import get_definition as _get_definition

Axis = Optional[Union[int, Sequence[int]]]

# The definition of a call that names none, which operators look up when they run: torch.compile's tracer cannot.
_current = ""


def _chosen(definition: str) -> Definition:
    return cast(Definition, definition) if definition else _get_definition()


def _axes(x: Tensor, axis: Axis) -> list[int]:
    if axis is None:
        return list(range(x.dim()))
    axes = [axis] if isinstance(axis, int) else list(axis)
    return [a + x.dim() if a < 0 else a for a in axes]


def _shape(x: Tensor, axes: Sequence[int], keepdims: bool) -> list[int]:
    return [1 if d in axes else n for d, n in enumerate(x.shape) if d not in axes or keepdims]


def _result(x: Tensor, axes: Sequence[int]) -> Tensor:
    return x.new_empty(_shape(x, axes, False))


def _expand(grad: Tensor, shape: Sequence[int], axes: Sequence[int]) -> Tensor:
    """The gradient of a result as one for each element."""
    for d in sorted(axes):
        grad = grad.unsqueeze(d)
    return grad.expand(shape)


def _count(shape: Sequence[int], axes: Sequence[int]) -> int:
    count = 1
    for d in axes:
        count *= shape[d]
    return count


# Every operator takes its axes as a list of numbers from 0 and drops them; keepdims is a view of its result.


@torch.library.custom_op("isofold::sum", mutates_args=())
def _sum(x: Tensor, axes: Sequence[int], definition: str) -> Tensor:
    return _isofold.sum(x.detach(), tuple(axes), definition=_chosen(definition), dtype=x.dtype)


@torch.library.custom_op("isofold::mean", mutates_args=())
def _mean(x: Tensor, axes: Sequence[int], definition: str) -> Tensor:
    return _isofold.mean(x.detach(), tuple(axes), definition=_chosen(definition))


@torch.library.custom_op("isofold::var", mutates_args=())
def _var(x: Tensor, axes: Sequence[int], correction: float, definition: str) -> Tensor:
    return _isofold.var(x.detach(), tuple(axes), correction=correction, definition=_chosen(definition))


@torch.library.custom_op("isofold::logsumexp", mutates_args=())
def _logsumexp(x: Tensor, axes: Sequence[int]) -> Tensor:
    return _isofold.logsumexp(x.detach(), tuple(axes))


@torch.library.custom_op("isofold::norm", mutates_args=())
def _norm(x: Tensor, axes: Sequence[int], definition: str) -> Tensor:
    return _isofold.vector_norm(x.detach(), axis=tuple(axes), definition=_chosen(definition))


@torch.library.custom_op("isofold::dot", mutates_args=())
def _dot(x: Tensor, y: Tensor, definition: str) -> Tensor:
    return _isofold.dot(x.detach(), y.detach(), definition=_chosen(definition))


_sum.register_fake(lambda x, axes, definition: _result(x, axes))
_mean.register_fake(lambda x, axes, definition: _result(x, axes))
_var.register_fake(lambda x, axes, correction, definition: _result(x, axes))
_logsumexp.register_fake(lambda x, axes: _result(x, axes))
_norm.register_fake(lambda x, axes, definition: _result(x, axes))
_dot.register_fake(lambda x, y, definition: x.new_empty(()))


def _keep_shape(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.shape, ctx.axes = inputs[0].shape, list(inputs[1])


def _keep_all(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.arguments = tuple(inputs[1:])
    ctx.save_for_backward(inputs[0], output)


def _keep_all_and_definition(ctx: Any, inputs: Any, output: Any) -> None:
    _keep_all(ctx, inputs, output)
    ctx.definition = _chosen(inputs[-1])  # here and now, for backward passes run in threads of torch's


def _sum_backward(ctx: Any, grad: Tensor) -> Any:
    return _expand(grad, ctx.shape, ctx.axes), None, None


def _mean_backward(ctx: Any, grad: Tensor) -> Any:
    return _expand(grad / _count(ctx.shape, ctx.axes), ctx.shape, ctx.axes), None, None


def _var_backward(ctx: Any, grad: Tensor) -> Any:
    x, _ = ctx.saved_tensors
    axes, correction, _ = ctx.arguments
    distance = x - _expand(_mean(x, axes, ctx.definition), x.shape, axes)
    scale = 2 / (_count(x.shape, axes) - correction)
    return _expand(grad, x.shape, axes) * distance * scale, None, None, None


def _logsumexp_backward(ctx: Any, grad: Tensor) -> Any:
    x, result = ctx.saved_tensors
    (axes,) = ctx.arguments
    return _expand(grad, x.shape, axes) * torch.exp(x - _expand(result, x.shape, axes)), None


def _norm_backward(ctx: Any, grad: Tensor) -> Any:
    x, norm = ctx.saved_tensors
    axes, _ = ctx.arguments
    ratio = x / _expand(norm, x.shape, axes)
    ratio = torch.where(_expand(norm == 0, x.shape, axes), torch.zeros_like(ratio), ratio)
    return _expand(grad, x.shape, axes) * ratio, None, None


def _dot_setup(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(inputs[0], inputs[1])


def _dot_backward(ctx: Any, grad: Tensor) -> Any:
    x, y = ctx.saved_tensors
    return grad * y, grad * x, None


_sum.register_autograd(_sum_backward, setup_context=_keep_shape)
_mean.register_autograd(_mean_backward, setup_context=_keep_shape)
_var.register_autograd(_var_backward, setup_context=_keep_all_and_definition)
_logsumexp.register_autograd(_logsumexp_backward, setup_context=_keep_all)
_norm.register_autograd(_norm_backward, setup_context=_keep_all)
_dot.register_autograd(_dot_backward, setup_context=_dot_setup)


def _shaped(result: Tensor, x: Tensor, axes: Sequence[int], keepdims: bool) -> Tensor:
    return result.reshape(_shape(x, axes, True)) if keepdims else result


def _real(x: Tensor) -> None:
    if not x.is_floating_point():
        raise TypeError(f"isofold.torch takes tensors of real floating point, not of {x.dtype}.")


def sum(x: Tensor, axis: Axis = None, *, keepdims: bool = False, definition: Optional[Definition] = None) -> Tensor:
    """isofold.sum with a gradient."""
    _real(x)
    axes = _axes(x, axis)
    return _shaped(_sum(x, axes, definition or _current), x, axes, keepdims)


def mean(x: Tensor, axis: Axis = None, *, keepdims: bool = False, definition: Optional[Definition] = None) -> Tensor:
    """isofold.mean with a gradient."""
    _real(x)
    axes = _axes(x, axis)
    return _shaped(_mean(x, axes, definition or _current), x, axes, keepdims)


def var(x: Tensor, axis: Axis = None, *, correction: float = 0.0, keepdims: bool = False,
        definition: Optional[Definition] = None) -> Tensor:  # fmt: skip
    """isofold.var with a gradient."""
    _real(x)
    axes = _axes(x, axis)
    return _shaped(_var(x, axes, float(correction), definition or _current), x, axes, keepdims)


def logsumexp(x: Tensor, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """isofold.logsumexp with a gradient."""
    _real(x)
    axes = _axes(x, axis)
    return _shaped(_logsumexp(x, axes), x, axes, keepdims)


def norm(x: Tensor, axis: Axis = None, *, keepdims: bool = False, definition: Optional[Definition] = None) -> Tensor:
    """The 2-norm, isofold.linalg.vector_norm, with a gradient, which is 0 where the norm is."""
    _real(x)
    axes = _axes(x, axis)
    return _shaped(_norm(x, axes, definition or _current), x, axes, keepdims)


def dot(x: Tensor, y: Tensor, *, definition: Optional[Definition] = None) -> Tensor:
    """isofold.dot of two vectors, with gradients."""
    _real(x)
    return _dot(x, y, definition or _current)


__all__ = ["dot", "logsumexp", "mean", "norm", "sum", "var"]
