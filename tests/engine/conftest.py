"""A campaign over simulated launches, with the real runner, journal and store."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ictus.engine.attempt import Execute
from ictus.engine.event import Event
from ictus.engine.pause import Pause
from ictus.engine.runner import Ending, run_campaign
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import Design, make_design
from ictus.model.plan import Plan
from ictus.model.registries import Registries

SMALL: dict[str, object] = {
    "op": "bcast,alltoall",
    "sizes": "64,512",
    "launches": 2,
    "nrep": 5,
    "seed": 7,
    "mpi": "a=x,b=y",
}


@dataclass
class Rig:
    """One campaign folder and what has been run in it."""

    folder: Path
    values: dict[str, object] = field(default_factory=lambda: dict(SMALL))
    events: list[Event] = field(default_factory=list)

    def design(self, **changes: object) -> Design:
        """The small campaign, with fields of its plan changed."""
        values = {**self.values, **{key.replace("_", "-"): value for key, value in changes.items()}}
        return make_design(Plan.from_values(values), Registries.load(), [Simulated.installation(x) for x in "ab"])

    def run(self, execute: Execute | None = None, pause: Pause | None = None, **changes: object) -> Ending:
        """Begin or go on, by default in a world where all goes well."""
        design = self.design(**changes)
        return run_campaign(self.folder, design, execute or Simulated(), self.events.append, pause=pause)

    def faulty(self, **faults: object) -> Simulated:
        """A world in which launches fail: `slot_3=["fail"]`."""
        return Simulated(
            Scenario.from_json(_json({"faults": {key.removeprefix("slot_"): value for key, value in faults.items()}}))
        )

    def seen(self, kind: Callable[..., Event]) -> list[Event]:
        """Events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]  # type: ignore[arg-type]

    def tree(self) -> list[str]:
        """Names under launches/ and aside/."""
        return sorted(
            f"{path.parent.name}/{path.name}"
            for name in ("launches", "aside")
            for path in (self.folder / name).glob("*")
        )


def _json(values: object) -> str:
    import json

    return json.dumps(values)


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    """A campaign that has not begun."""
    return Rig(tmp_path / "campaign")
