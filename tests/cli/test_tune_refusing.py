"""A remedy whose files end a launch is refused with what it said, and the others go on."""

from pathlib import Path
from typing import Any

import pytest

from ictus.engine.backend import Backend
from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.verdict import Configuration
from ictus.model.algorithm import Algorithm, Variant
from ictus.model.errors import MeasurementError
from ictus.model.plan import Plan
from ictus.model.spec import parse_spec
from ictus.tuning.candidates import Candidate, TuningCell, TuningVariant, Way
from ictus.tuning.drafts import RemedySet, TuningLibrary, find_refusals, known_refusals
from ictus.tuning.outcome import Remedy
from ictus.tuning.session import CampaignRequest, TuningSession

LIBRARY = TuningLibrary("lib", "simulated", "Some MPI", None, GuidelineMedians({}))
NAMES = ("gather=bad", "bcast=good")
OFFERS = {name: TuningVariant(Way.ALGORITHM, Variant(name), Algorithm(name.partition("=")[2])) for name in NAMES}


class _Fragile(TuningSession):
    """Launches end where gather is forced to `bad`."""

    def campaign(self, name: str, wanted: CampaignRequest) -> Any:
        """What a launch says that does not come to its end."""
        if any(one.setting.environment.get("SIMULATED_GATHER") == "bad" for one in wanted.variants):
            raise MeasurementError(f"{name}: Assertion failed\nin a file")


def remedy(name: str) -> Remedy:
    """An algorithm."""
    operation = name.partition("=")[0]
    cell = TuningCell(Configuration("lib", "default", 2), parse_spec(operation), 64)
    return Remedy(cell, Candidate(Way.ALGORITHM, name, parse_spec(operation), 64, name), ())


def test_one_launch_of_each_alone_finds_out_which(tmp_path: Path) -> None:
    """Both were in force when a launch ended; one alone ends it. That is remembered. Where none does alone, all of them
    are refused with what the launch of all of them said; where nothing is in force, the library itself fails.
    """
    found = Backend((), {}, execute=None, offers=dict, availability=dict, dims=None, variants=None, real=False)  # type: ignore[arg-type]
    session = _Fragile(tmp_path, tmp_path, Plan(), found, 10, 1, {})
    (tmp_path / "confirm").mkdir()
    wanted, error = CampaignRequest("lib", [2], {}, [], 8), MeasurementError("all of them\nfailed")
    both = RemedySet("both", tuple(map(remedy, NAMES)), OFFERS)
    assert known_refusals(session, both) == {}
    refusals = {0: "confirm/both-alone-0: Assertion failed"}
    assert find_refusals(session, LIBRARY, both, wanted, error) == refusals
    assert known_refusals(session, both) == refusals
    good = RemedySet("good", (remedy(NAMES[1]),), OFFERS)
    assert find_refusals(session, LIBRARY, good, wanted, error) == {0: "all of them"}
    with pytest.raises(MeasurementError, match="all of them"):
        find_refusals(session, LIBRARY, RemedySet("none", (), OFFERS), wanted, error)
