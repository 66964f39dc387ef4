"""Races take what the budget affords: all candidates, or the first ones, what the guideline names before others."""

from pathlib import Path

import pytest

from ictus.engine.backend import Backend
from ictus.guidelines.verdict import Configuration
from ictus.model.algorithm import Algorithm, Variant
from ictus.model.plan import Plan
from ictus.model.spec import Spec
from ictus.tuning.candidates import Candidate, CandidateField, TuningCell, TuningVariant, Way
from ictus.tuning.races import beginning_s, room_of
from ictus.tuning.session import TuningSession

CELL = TuningCell(Configuration("mpich", "default", 4), Spec("gather"), 64)
NAMES = ("gather=binomial", "gather=linear", "gather=ring")


class _Quick(TuningSession):
    """Launches of a second each, whatever they measure."""

    def launch_s(self, calls: int) -> float:  # noqa: ARG002
        """One second."""
        return 1.0


@pytest.fixture
def session(tmp_path: Path) -> TuningSession:
    """With nothing measured."""
    found = Backend((), {}, execute=None, offers=dict, availability=dict, dims=None, variants=None, real=False)  # type: ignore[arg-type]
    return _Quick(tmp_path, tmp_path, Plan(), found, 10, 1, {})


def field() -> CandidateField:
    """The call, a mock-up of it in the same launches, and three algorithms."""
    others = (Candidate(Way.ALGORITHM, name, Spec("gather"), 64, name) for name in NAMES)
    mock = Candidate(Way.MOCKUP, "gather_as_allgather", Spec("gather_as_allgather"), 64)
    variants = {name: TuningVariant(Way.ALGORITHM, Variant(name), Algorithm(name)) for name in NAMES}
    return CandidateField(CELL, (Candidate(Way.ORIGINAL, "gather", Spec("gather"), 64), mock, *others), variants)


def test_a_small_share_races_with_the_first_candidates(session: TuningSession) -> None:
    """A first look takes 5 launches of each variant: 20 s for all, 5 s for the call and its mock-up."""
    assert beginning_s(session, [field()]) == 20.0
    rooms = [room_of(session, "race/01-gather", [field()], share_s) for share_s in (20.0, 19.9, 10.0, 5.0, 4.9)]
    assert rooms == [5, 4, 3, 2, None]


def test_a_race_is_gone_on_with_unless_there_is_room_for_more(session: TuningSession) -> None:
    """What was begun with three candidates stays so with less time, and begins with all of them where there is more."""
    (session.folder / "race" / "01-gather-first-3").mkdir(parents=True)
    rooms = [room_of(session, "race/01-gather", [field()], share_s) for share_s in (0.0, 10.0, 15.0, 20.0)]
    assert rooms == [3, 3, 4, 5]
    (session.folder / "race" / "01-gather").mkdir()
    assert room_of(session, "race/01-gather", [field()], 0.0) == 5
