"""Campaign folders of simulated launches, as the real runner leaves them."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ictus.engine.runner import run_campaign
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import make_design
from ictus.model.plan import Plan
from ictus.model.registries import Registries

MakeFolder = Callable[..., Path]

FACTORS = {"a": 1.0, "b": 2.0}
VALUES: dict[str, object] = {
    "op": "bcast,alltoall",
    "sizes": "64,512",
    "launches": 2,
    "nrep": 40,
    "seed": 7,
    "mpi": "a=x,b=y",
}


@pytest.fixture
def make_folder(tmp_path: Path) -> MakeFolder:
    """Runs a small campaign in a scenario and returns its folder."""

    def make(scenario: Scenario | None = None, labels: Sequence[str] = ("a", "b"), **changes: object) -> Path:
        values = {**VALUES, **{key.replace("_", "-"): value for key, value in changes.items()}}
        design = make_design(Plan.from_values(values), Registries.load(), [Simulated.installation(x) for x in labels])
        run_campaign(tmp_path / "campaign", design, Simulated(scenario or Scenario(factors=FACTORS)))
        return tmp_path / "campaign"

    return make
