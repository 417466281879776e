"""The packages of backends: where they are looked for, and that another version's is refused."""

import os
import subprocess
import sys

import pytest

import isofold


def reason(tmp_path, version):
    """What a new process says of HIP, whose package, of this version, has a file that is no module."""
    package = tmp_path / "isofold_hip"
    package.mkdir()
    (package / "__init__.py").write_text(f'__version__ = "{version}"\n')
    (package / "isofold-hip.so").write_text("no module\n")
    code = "import isofold; print(*isofold.backends()['hip'])"
    done = subprocess.run(
        [sys.executable, "-c", code], env=dict(os.environ, PYTHONPATH=str(tmp_path)), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return done.stdout.strip()


@pytest.mark.skipif(isofold.backends()["hip"][0], reason="a module for HIP lies beside the library")
def test_a_package_is_found(tmp_path):
    text = reason(tmp_path, isofold.__version__)
    assert text.startswith("False its module could not be loaded: ") and "isofold-hip.so" in text


def test_a_package_of_another_version_is_refused_in_a_sentence(tmp_path):
    text = reason(tmp_path, "0.9.1")
    assert text.endswith(
        f"isofold_hip/isofold-hip.so is of isofold 0.9.1, and this library is isofold {isofold.__version__}: install both "
        "in one version"
    )


def test_a_folder_of_that_name_is_no_package(tmp_path):
    (tmp_path / "isofold_hip").mkdir()
    code = "import isofold; print(isofold.backends()['hip'][1])"
    environment = dict(os.environ, PYTHONPATH=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == isofold.backends()["hip"][1]


@pytest.mark.skipif(not os.environ.get("ISOFOLD_TEST_CUDA_WHEEL"), reason="scripts/wheel --cuda installs the module")
def test_the_cuda_module_is_found():
    import isofold_cuda

    assert isofold_cuda.__version__ == isofold.__version__
    here, text = isofold.backends()["cuda"]
    assert here or ("could not be loaded" not in text and "not built" not in text), text
    assert isofold.sum([1.0, 2.0]) == 3  # NumPy's arrays need no device
