"""The array API's extension `linalg`, as far as it reduces."""

from ._functions import vecdot, vector_norm

__all__ = ["vecdot", "vector_norm"]
