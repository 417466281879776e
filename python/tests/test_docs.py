"""Every block of Python in docs/python.md runs, in one namespace, as do the examples."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
BLOCKS = re.compile(r"^```python(?: (\w+))?\n(.*?)^```$", re.M | re.S)


def test_blocks_of_the_page():
    namespace = {}
    blocks = BLOCKS.findall((ROOT / "docs/python.md").read_text())
    assert len(blocks) >= 5
    for needed, block in blocks:
        if needed:
            try:
                __import__(needed)
            except ImportError:
                continue
        exec(compile(block, "docs/python.md", "exec"), namespace)


def run(name, *before, **environment):
    done = subprocess.run([*before, sys.executable, str(ROOT / "examples/python" / name)], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=600)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_log_softmax():
    assert "the bits that they have alone" in run("log_softmax.py")


def test_training_loss():
    torch = pytest.importorskip("torch")
    on_cpu = run("training_loss.py", OMP_NUM_THREADS="1", CUDA_VISIBLE_DEVICES="")
    assert on_cpu == run("training_loss.py", OMP_NUM_THREADS="2", CUDA_VISIBLE_DEVICES="")
    if torch.cuda.is_available():
        on_gpu = run("training_loss.py")
        assert on_gpu.replace("on cuda", "on cpu") == on_cpu != on_gpu


def test_budget_over_ranks():
    pytest.importorskip("mpi4py")
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        pytest.skip("no mpirun")
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
               "OMP_NUM_THREADS": "1"}  # fmt: skip
    one, three = (run("budget_mpi.py", mpirun, "-n", n, **allowed) for n in ("1", "3"))
    assert one == three and one.startswith("budget ")
