"""Launches that hung after all of their results were written, mostly in MPI_Finalize: they were ended, and count."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ictus.launch.lease import RENEWED_S
from ictus.store.campaign import Campaign


@dataclass(frozen=True)
class HungLaunches:
    """Launches of one library that count, and hung in one place after all their results were written."""

    mpi: str
    hung_in: str
    launches: int
    of: int
    """Launches of this library."""


def hung_launches(campaign: Campaign) -> tuple[HungLaunches, ...]:
    """By library and place."""
    of = Counter(launch.mpi for launch in campaign.launches)
    counts = Counter((launch.mpi, launch.hung_in) for launch in campaign.launches if launch.hung_in)
    return tuple(HungLaunches(mpi, call or "", n, of[mpi]) for (mpi, call), n in counts.items())


def hung_warnings(campaign: Campaign) -> Iterator[str]:
    """A sentence for each, with what it means for the numbers."""
    for hung in hung_launches(campaign):
        yield (
            f"{hung.launches} of {hung.of} launches of {hung.mpi} did not end after all "
            "results were written (in "
            f"{hung.hung_in}), and were ended: their samples count, and each took up to {2 * RENEWED_S:g} s "
            "longer"
        )
