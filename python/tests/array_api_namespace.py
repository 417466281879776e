"""The array API's namespace with isofold's reductions over NumPy's arrays, for the public suite array-api-tests:

    ARRAY_API_TESTS_MODULE=array_api_namespace PYTHONPATH=python/tests pytest array_api_tests/test_statistical_functions.py \
        array_api_tests/test_searching_functions.py array_api_tests/test_utility_functions.py

(The suite is run where it is installed; it is no part of this repository.)"""

import numpy as _np
from numpy import *  # noqa: F403
from numpy import linalg as _linalg

import isofold as _isofold
from isofold import all, any, argmax, argmin, count_nonzero, max, mean, min, prod, std, sum, vecdot, var  # noqa: A004, F401

__array_api_version__ = "2025.12"
bool = _np.bool_  # noqa: A001
__array_namespace_info__ = _np.__array_namespace_info__


class linalg:  # noqa: N801
    """NumPy's, but for what isofold has."""

    def __getattr__(self, name):
        return getattr(_isofold.linalg, name, None) or getattr(_linalg, name)


linalg = linalg()


def __getattr__(name):
    return getattr(_np, name)
