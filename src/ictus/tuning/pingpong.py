"""Ping-pongs of a tuning: latency and bandwidth of each library, at sizes of their own."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ictus.guidelines.check.explaining import link_of
from ictus.guidelines.hockney import Hockney
from ictus.guidelines.verdict import Place
from ictus.tuning.budget import affordable
from ictus.tuning.session import Wanted, Workshop, folder_name, in_full

LAUNCHES = 5
SIZES = tuple(4**power for power in range(11))
"""1 B to 1 MiB, whatever was checked: through two sizes a line goes exactly, and says nothing."""
SHARE = 0.1
"""Of the budget, at most."""
_PING_PONG = "pingpong(time=half)"


@dataclass
class PingPongs:
    """One for each library and number of processes, measured when first asked for."""

    workshop: Workshop
    budget_s: float | None
    """Of the tuning; None: as long as they take."""
    _links: dict[Place, Hockney | None] = field(default_factory=dict)
    _skipped: list[Place] = field(default_factory=list)

    def link(self, place: Place) -> Hockney | None:
        """Latency and bandwidth; None with a single process, or without time."""
        if place not in self._links:
            self._links[place] = self._measured(place) if place.n > 1 else None
        return self._links[place]

    def warnings(self) -> Iterator[str]:
        """What the budget had no time for."""
        for place in self._skipped:
            yield (
                f"{place.library}, n={place.n}: no ping-pong, which would take more than {SHARE:.0%} of the budget; "
                "--explain measures it"
            )

    def _measured(self, place: Place) -> Hockney | None:
        name = f"pingpong/{folder_name(place.library, f'n{place.n}')}"
        launch_s = self.workshop.launch_s(len(SIZES))
        begun = self.workshop.is_begun(name)
        if self.budget_s is not None and not begun and not affordable(LAUNCHES, launch_s, SHARE * self.budget_s):
            self._skipped.append(place)
            return None
        calls = {(in_full(_PING_PONG), "basic"): SIZES}
        base = self.workshop.base(place.library)
        campaign = self.workshop.campaign(name, Wanted(place.library, [place.n], calls, [base], LAUNCHES))
        return link_of(campaign)
