"""Fork, spawn, threads, Ctrl-C, the end of the interpreter."""

import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import isofold

X = np.random.default_rng(4).standard_normal(200_000)


def total(_=None):
    return float(isofold.sum(X)), float(isofold.sum(X, definition="tree")), int(isofold.argmax(X))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children(method):
    expected = total()  # the parent has threads by then
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map(total, range(4)) == [expected] * 4


def test_threads():
    expected = total()
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(total, range(60))) == [expected] * 60


def test_the_lock_is_released():
    x = np.random.default_rng(4).standard_normal(1 << 22)
    ticks = 0
    done = threading.Event()

    def tick():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0)

    # Nobody is made to give the lock away, so that ticks during a call are the call's doing. (Where all cores are
    # busy, the thread may sleep through some.)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    thread = threading.Thread(target=tick)
    thread.start()
    try:
        while ticks == 0:
            time.sleep(0)
        during = 0
        for _ in range(300):
            before = ticks
            isofold.logsumexp(x)
            during = ticks - before
            if during > 0:
                break
    finally:
        done.set()
        thread.join()
        sys.setswitchinterval(interval)
    assert during > 0


def test_a_definition_is_the_threads_own():
    seen = []
    with isofold.use_definition("tree"):
        thread = threading.Thread(target=lambda: seen.append(isofold.get_definition()))
        thread.start()
        thread.join()
        # From Python 3.14 on a free-threaded build's threads inherit it; others start with the program's.
        assert seen[0] in ("exact", "tree") and isofold.get_definition() == "tree"
    assert isofold.get_definition() == "exact"


INTERRUPTED = """
import signal
import numpy as np, isofold
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job is started without it
isofold._core.set_piece_elements(1 << 16)
x = np.ones(1 << 16)
big = np.lib.stride_tricks.as_strided(x, (1 << 22, 1 << 16), (0, 8))
print("begun", flush=True)
try:
    {call}
except KeyboardInterrupt:
    assert isofold.sum(x) == 1 << 16
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("call", ["isofold.sum(big)", "isofold.mean(big, axis=1)"])
def test_ctrl_c(call):
    """2^38 elements take minutes; an interrupt ends them between two pieces, and the next call works."""
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED.format(call=call)], stdout=subprocess.PIPE, text=True,
                             env={**os.environ, "OMP_NUM_THREADS": "1"})  # fmt: skip
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert out == "interrupted\n" and child.returncode == 0


SHUTDOWN = """
import atexit, threading, numpy as np, isofold
x = np.arange(100000.)
class Late:
    def __del__(self):
        isofold.sum(x)
keep = Late()
atexit.register(lambda: print(isofold.sum(x)))
threading.Thread(target=lambda: isofold.sum(x)).start()
forest, total = isofold.Forest("sum", "float64", 10), isofold.Exact()
"""


def test_the_end_of_the_interpreter():
    done = subprocess.run([sys.executable, "-X", "dev", "-c", SHUTDOWN], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout == "4999950000.0\n" and "Fatal" not in done.stderr, done


def test_sums_are_those_of_one_thread():
    code = "import numpy as np, isofold; print(isofold.sum(np.random.default_rng(4).standard_normal(200_000)).hex())"
    expected = float(isofold.sum(X)).hex()
    for threads in ("1", "2", "7"):
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                             env={**os.environ, "OMP_NUM_THREADS": threads})  # fmt: skip
        assert out.stdout.strip() == expected == math.fsum(X).hex()
