"""examples/halo_allreduce.c in Python with mpi4py: halos with both neighbours, a relaxed field, a sum over all.

pip install mpi4py numpy
ictus advise -m openmpi -n 2 -- python halo_allreduce.py [STEPS] [MOMENTS] [CELLS]
"""

import sys

import numpy as np
from mpi4py import MPI

HALO = 64


def main(steps: int = 2000, moments: int = 8192, cells: int = 20000) -> None:
    """Run the steps; rank 0 prints how long they took."""
    world = MPI.COMM_WORLD
    left, right = (world.rank - 1) % world.size, (world.rank + 1) % world.size
    field = np.zeros(cells + 2 * HALO)
    field[HALO:-HALO] = (np.arange(cells) + world.rank * cells) % 97 / 97.0
    own, everything = np.zeros(moments), np.zeros(moments)
    chosen = HALO + np.arange(moments) % cells
    began = MPI.Wtime()
    for _ in range(steps):
        world.Sendrecv(field[HALO : 2 * HALO], left, 0, field[-HALO:], right, 0)
        world.Sendrecv(field[-2 * HALO : -HALO], right, 1, field[:HALO], left, 1)
        beside = field[HALO - 1 : -HALO - 1] + field[HALO + 1 : 1 - HALO]
        field[HALO:-HALO] = 0.5 * field[HALO:-HALO] + 0.25 * beside
        own[:] = field[chosen]
        world.Allreduce(own, everything)
    if world.rank == 0:
        took_s = MPI.Wtime() - began
        print(f"{steps} steps of {world.size} processes in {took_s:.3f} s, first moment {everything[0]:.12g}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
