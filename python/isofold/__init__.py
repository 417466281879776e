"""Reductions whose answer is the same, bit for bit, for any number of threads, any memory layout, and on a GPU.

The functions have the names and arguments of the array API standard and of NumPy, and take arrays of NumPy, torch,
CuPy and JAX without a copy. Sums, means, variances and dot products are exact, rounded once, unless tree v1 is asked
for: by definition="tree", `use_definition` or `set_definition`. docs/python.md describes them."""

from . import _arrays, _backends, _core, linalg
from ._core import backends, synchronize
from ._comparing import Fingerprint, diff, fingerprint, verify
from ._definition import get_definition, set_definition, use_definition
from ._functions import *  # noqa: F403
from ._functions import __all__ as _names
from ._partial import Exact, Forest

_core.initialise(_arrays)
_backends.find_packages()

__version__ = _core.version()
__all__ = [
    *_names, "Exact", "Fingerprint", "Forest", "backends", "diff", "fingerprint", "get_definition", "linalg",
    "set_definition", "synchronize", "use_definition", "verify",
]  # fmt: skip
