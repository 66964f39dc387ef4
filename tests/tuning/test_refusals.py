"""What a tuning concludes from a failed launch: a refusal is remembered, a time-out is not, a full disk ends it."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from ictus.guidelines.verdict import Configuration
from ictus.model.algorithm import Variant
from ictus.model.errors import DiskError, IctusError, LaunchTimeout, MeasurementError
from ictus.model.spec import Spec
from ictus.tuning.candidates import Candidate, CandidateField, TuningCell, TuningVariant, Way
from ictus.tuning.races import qualified
from ictus.tuning.session import CampaignRequest, TuningSession

CELL = TuningCell(Configuration("mpich", "default", 4), Spec("bcast"), 64)
NAMES = ("ring", "tree", "chain")


def field() -> CandidateField:
    """The call itself, and three algorithms for it."""
    original = Candidate(Way.ORIGINAL, "bcast", Spec("bcast"), 64)
    others = tuple(Candidate(Way.ALGORITHM, name, Spec("bcast"), 64, variant=name) for name in NAMES)
    variants = {name: TuningVariant(Way.ALGORITHM, Variant(name), None) for name in NAMES}
    return CandidateField(CELL, (original, *others), variants)


def session(folder: Path, errors: dict[str, IctusError], launched: list[str]) -> TuningSession:
    """Launches end as they are told here, by the name of their variant."""

    def campaign(name: str, request: CampaignRequest) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (variant,) = request.variants
        launched.append(variant.name)
        if variant.name in errors:
            raise errors[variant.name]

    return cast("TuningSession", SimpleNamespace(folder=folder, campaign=campaign))


def test_a_time_out_is_left_out_now_and_tried_again_later(tmp_path: Path) -> None:
    """The machine may have been busy. What failed by itself is not launched again."""
    errors = {"ring": LaunchTimeout("did not end"), "tree": MeasurementError("ended with exit code 1\nits last words")}
    launched: list[str] = []
    (left,), refused = qualified(session(tmp_path, errors, launched), "race", [field()])
    assert refused == {"ring": "did not end", "tree": "ended with exit code 1"}
    assert [one.name for one in left.candidates] == ["bcast", "chain"]
    assert launched == ["ring", "tree", "chain"]
    launched.clear()
    (left,), refused = qualified(session(tmp_path, {}, launched), "race", [field()])
    assert refused == {"tree": "ended with exit code 1"}
    assert [one.name for one in left.candidates] == ["bcast", "ring", "chain"]
    assert launched == ["ring", "chain"]


def test_a_full_disk_says_nothing_of_an_algorithm(tmp_path: Path) -> None:
    """It ends the tuning, and nothing is remembered."""
    with pytest.raises(DiskError, match="no space"):
        qualified(session(tmp_path, {"ring": DiskError("no space")}, []), "race", [field()])
    assert not list(tmp_path.rglob("*.refused"))
