"""How a module of the oracle describes its folds: FOLDS, a dictionary of names and descriptions. folds.py puts them
together.
"""

from dataclasses import dataclass
from typing import Callable

from number_types import I64, U64


@dataclass(frozen=True)
class ResultType:
    """The name in a golden line, and the types of the components in the order of the struct."""
    name: str
    components: tuple


@dataclass(frozen=True)
class Description:
    """What docs/folds.md has in its table: a fold of tree.py over a number type, and its result."""
    make: Callable
    takes: Callable
    result: Callable
    arrays: int = 1


def any_number(t):
    return True


def floating(t):
    return t.is_float


def integral(t):
    return not t.is_float


def element(t):
    return t


def wide(t):
    """Integers are added up and multiplied in 64 bits."""
    return t if t.is_float else I64 if t.kind == "signed" else U64


def one(component):
    """A result of one component, whose type is component(t)."""
    return lambda t: ResultType(component(t).name, (component(t),))


def struct(name, *components):
    """A result of several components; `element` is the type of the elements."""
    return lambda t: ResultType(f"{name}_{t.name}", tuple(t if c is element else c for c in components))
