"""The budget of a field over MPI ranks: the same digits for any number of ranks and any cut.

mpirun -n 4 python examples/python/budget_mpi.py"""

import numpy as np
from mpi4py import MPI

import isofold

ranks = MPI.COMM_WORLD
cells = 100_000
first, last = cells * ranks.rank // ranks.size, cells * (ranks.rank + 1) // ranks.size
index = np.arange(first, last)
heat = np.sin(index * 0.1) * 10.0 ** (index % 30 - 15)

budget = isofold.Exact("sum", "float64").add(heat)
ranks.Allreduce(MPI.IN_PLACE, budget.words, op=MPI.SUM)
if ranks.rank == 0:
    print(f"budget {budget.finish().hex()}")
