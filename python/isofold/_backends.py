"""Backends that packages of their own bring: isofold_cuda, which the distribution isofold-cuda13 installs."""

import importlib
import os

from . import _core


def find_packages() -> None:
    """Tells the library where those that are installed lie, and of which version they are."""
    for backend in ("cuda", "hip"):
        try:
            package = importlib.import_module(f"isofold_{backend}")
        except ModuleNotFoundError:
            continue
        if package.__file__ is not None:  # else a folder of that name that is no package
            _core.add_backend_folder(os.fsencode(os.path.dirname(package.__file__)), package.__version__)
