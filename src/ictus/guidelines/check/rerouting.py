"""Which calls libictus-redirect.so made others in the launches of a campaign, by what it wrote there."""

from ictus.guidelines.rerouted import Reroute
from ictus.guidelines.verdict import Place
from ictus.store.campaign import Campaign
from ictus.store.redirect import REPORT, read_report


def reroutes_of(campaign: Campaign) -> dict[Place, tuple[Reroute, ...]]:
    """The lines that were used in all launches of a place. A launch without a report had no call rerouted.

    Raises MeasurementError for a damaged report.
    """
    found: dict[Place, set[Reroute]] = {}
    for launch in campaign.launches:
        path, place = launch.folder / REPORT, Place(launch.mpi, launch.algorithm, launch.n)
        lines = read_report(path).reroutes if path.is_file() else ()
        used = {
            Reroute(one.operation, one.from_bytes, one.to_bytes, one.mockup)
            for one in lines
            if one.calls > 0 and one.n == launch.n
        }
        found[place] = found[place] & used if place in found else used
    return {
        place: tuple(sorted(used, key=lambda one: (one.operation, one.from_bytes))) for place, used in found.items()
    }
