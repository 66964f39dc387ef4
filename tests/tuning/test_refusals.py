"""What a tuning concludes from a failed launch: a refusal is remembered, a time-out is not, a full disk ends it."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from tests.launch_document import edit_head
from tests.synthetic import Scenario, write_folder

from ictus.engine.forced import check_shell
from ictus.guidelines.verdict import Configuration
from ictus.model.algorithm import Variant
from ictus.model.errors import DiskError, IctusError, LaunchTimeout, MeasurementError, UsageError
from ictus.model.spec import Spec
from ictus.store.campaign import load
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


def test_a_shell_that_forces_algorithms_otherwise_than_the_check_is_refused(tmp_path: Path) -> None:
    """Else what was slow by a forced algorithm would be raced, and confirmed, against the library as it is."""
    folder = write_folder(tmp_path / "check", Scenario(libraries=("mpich",), launches=2, nrep=5))
    name = "MPIR_CVAR_BCAST_INTRA_ALGORITHM"
    for path in folder.glob("launches/*/launch.json"):
        edit_head(path, environment={name: "binomial"})
    loaded = load(folder)
    campaign = replace(loaded, libraries=tuple(replace(one, flavour="mpich") for one in loaded.libraries))
    check_shell(campaign, {name: "binomial", "PATH": "/bin"})
    with pytest.raises(
        UsageError, match=f"{name}, which selects algorithms of mpich, was binomial .*, and is unset now"
    ):
        check_shell(campaign, {"PATH": "/bin"})
    with pytest.raises(UsageError, match=r"was binomial in your shell .*, and is ring now"):
        check_shell(campaign, {name: "ring"})
    with pytest.raises(UsageError, match=r"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM.* was unset"):
        check_shell(campaign, {name: "binomial", "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM": "ring"})
