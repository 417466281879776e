"""Runs a program under mpirun by several numbers of ranks: all must end well, and print the same."""

import argparse
import os
import subprocess
import sys

ENVIRONMENT = {  # Open MPI as root, with more ranks than cores, and without a ptrace that containers refuse
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMP_NUM_THREADS": "1"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--ranks", required=True, help="numbers of ranks, separated by commas")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    printed = {}
    for ranks in options.ranks.split(","):
        run = subprocess.run([options.mpirun, "-n", ranks, *options.command], env={**os.environ, **ENVIRONMENT},
                             stdout=subprocess.PIPE, text=True)
        print(f"{ranks} ranks: {run.stdout.strip()}", flush=True)
        if run.returncode == 77:  # skipped, with the reason
            sys.exit(77)
        if run.returncode != 0:
            sys.exit(f"{ranks} ranks ended with {run.returncode}.")
        printed.setdefault(run.stdout, []).append(ranks)
    if len(printed) != 1:
        sys.exit(f"Ranks print {len(printed)} different results: {printed}")


if __name__ == "__main__":
    main()
