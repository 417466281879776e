"""Which definition of the bits a call uses that names none: exact_v1 or tree v1."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Literal

Definition = Literal["exact", "tree"]

_NUMBERS = {"tree": 1, "exact": 2}
_default = 2
_current: ContextVar[int] = ContextVar("isofold_definition", default=0)


def _number(definition: str) -> int:
    try:
        return _NUMBERS[definition]
    except (KeyError, TypeError):
        raise ValueError(f'definition= is "exact" or "tree", not {definition!r}.') from None


def resolve(definition: str | None) -> int:
    if definition is None:
        return _current.get() or _default
    return _number(definition)


def set_definition(definition: str) -> None:
    """Makes "exact" or "tree" the definition of all calls of the program that name none."""
    global _default
    _default = _number(definition)


def get_definition() -> Definition:
    """The definition of calls that name none, here and now."""
    return "exact" if resolve(None) == 2 else "tree"


@contextlib.contextmanager
def use_definition(definition: str) -> Iterator[None]:
    """Makes "exact" or "tree" the definition inside a `with`, for this thread or task alone."""
    token = _current.set(_number(definition))
    try:
        yield
    finally:
        _current.reset(token)
