"""Campaigns with something planted in the course of their launches, and one in which nothing is."""

import numpy as np
from numpy.typing import NDArray
from tests.synthetic import Scenario

from ictus.launch.launchers.simulated_record import normal

CORRELATION = 0.8
DRIFT = 0.1
SCATTER = 0.05


def planted(slot: int, operation: str, n: int) -> NDArray[np.float64]:
    """The broadcast's repetitions correlate, the allreduce creeps up by 10 %, every fifth launch of the alltoall is
    three times as slow, the barrier is as it should be.
    """
    noise = SCATTER * normal(n, 1000 * slot + len(operation))
    if operation == "bcast":
        for index in range(1, n):
            noise[index] = CORRELATION * noise[index - 1] + np.sqrt(1 - CORRELATION**2) * noise[index]
    if operation == "allreduce":
        noise += np.log1p(DRIFT * np.linspace(0, 1, n))
    if operation == "alltoall" and slot % 5 == 0:
        noise += np.log(3)
    return np.exp(noise)


PLANTED = Scenario(
    libraries=("mpich",),
    operations=("bcast", "allreduce", "alltoall", "barrier"),
    sizes=(64,),
    launches=10,
    nrep=400,
    noise=0.0,
    trace=planted,
)
