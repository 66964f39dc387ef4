"""Claims about our own synchronisation: choosing and judging by hand; the simulator itself, with bounds that hold and
bounds that cannot; an interrupted study, and folders that are not what they say.
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run_ictus
from tests.native.trees import settled
from tests.studies.claims.known import find, study_of
from tests.surroundings import CACHE

from ictus.engine.event import ignore
from ictus.model.errors import IctusError, MeasurementError, UsageError
from ictus.model.spec import parse_spec
from ictus.stats.claim_rules import Seen, rarity_rule
from ictus.studies.claim import Claim
from ictus.studies.clock_accuracy.contenders import grid, is_ours, within
from ictus.studies.clock_accuracy.equal_time import SettingTrials, judge_matches, match, real_algorithms
from ictus.studies.judging import ClaimVerdict, judge_claim, measure_claim
from ictus.studies.sync_worlds.claims import (
    WORST,
    ArityRow,
    BoundRow,
    arity_algorithms,
    judge_arities,
    judge_bounds,
    nearest,
)
from ictus.studies.sync_worlds.material import RESULTS


def trials(elapsed_s: float, *errors: float) -> SettingTrials:
    """A setting that always takes as long."""
    return SettingTrials([elapsed_s] * len(errors), errors)


def test_settings_are_chosen_by_every_other_trial_and_judged_by_the_rest() -> None:
    """jk(2) looks best in the first trials, and is not in the others; what takes too long is no choice."""
    found = match(
        "here",
        {
            "ictus(1)": trials(0.005, 1, 2, 1, 2, 1, 2),
            "ictus(2)": trials(0.0056, 0, 0, 0, 0, 0, 0),
            "jk(1)": trials(0.004, 3, 3, 3, 3, 3, 3),
            "jk(2)": trials(0.0055, 1, 9, 1, 9, 1, 9),
        },
        0.005,
    )
    assert found is not None
    assert (found.ours, found.best_other, found.ours_s, found.other_s) == ("ictus(1)", "jk(2)", (2, 2, 2), (9, 9, 9))
    assert (found.nearer, found.ratio) == (3, 4.5)
    assert found.ruling.p_value == pytest.approx(1 / 8)
    assert match("here", {"ictus(1)": trials(0.005, 1, 1)}, 0.005) is None


def test_it_holds_where_every_comparison_does() -> None:
    """Ten of ten are 1/1024; one in which the other is nearer refutes it."""
    near, far = trials(0.005, *[1.0] * 20), trials(0.005, *[2.0] * 20)
    good, bad = (match("here", {"ictus": a, "jk": b}, 0.005) for a, b in ((near, far), (far, near)))
    assert good is not None
    assert bad is not None
    assert judge_matches([good, good]).p_value == pytest.approx(1 / 1024)
    assert judge_matches([good, good]).seen is Seen.HOLDS
    assert judge_matches([good, bad]).seen is Seen.DOES_NOT_HOLD
    assert judge_matches([]).seen is Seen.CANNOT_BE_SEEN


@pytest.mark.parametrize(
    ("broken", "worlds", "seen"),
    [(0, 298, "cannot be seen here"), (0, 299, "holds"), (5, 299, "cannot be seen here"), (7, 299, "does not hold")],
)
def test_bounds_are_judged_by_an_exact_test(broken: int, worlds: int, seen: str) -> None:
    """Without any broken one, 0.99 to the power of 299 is below 5 %."""
    ruling = judge_bounds([BoundRow("one", broken, worlds - 100, 1.0, 0.1), BoundRow("other", 0, 100, 1.0, 0.1)])
    assert ruling.seen.value == seen
    if not broken:
        assert ruling.p_value == pytest.approx(0.99**worlds)
    assert rarity_rule(0, 0, 0.01).seen is Seen.CANNOT_BE_SEEN


def arity(asked: str, product: float, exchanges: float = 10.0) -> ArityRow:
    """One whose product is the same in twelve worlds."""
    return ArityRow("near", 64, asked, 4, exchanges, [product] * 12, [1.0] * 12)


def test_an_arity_that_starves_its_edges_is_no_measure_of_the_default() -> None:
    """It counts where all have so few exchanges."""
    rows = [arity("auto", 1.05), arity("4", 1.0), arity("16", 0.5, exchanges=3.0)]
    assert nearest(rows).asked == "4"
    ruling, excess = judge_arities(rows)
    assert (ruling.seen, ruling.p_value) == (Seen.HOLDS, pytest.approx(1 / 64))
    assert excess == {"near": pytest.approx(1.05)}
    assert nearest([arity("auto", 1.05, 3.0), arity("4", 1.0, 3.0), arity("16", 0.5, 3.0)]).asked == "16"
    assert judge_arities([arity("auto", 1.2), arity("4", 1.0)])[0].seen is Seen.DOES_NOT_HOLD


def test_arities_are_tried_up_to_a_star() -> None:
    """Of 16 hosts that is 15; a line of 64 would take a minute."""
    assert [one.partition("arity=")[2].rstrip(")") for one in arity_algorithms({}, 16)] == [
        "", "1", "2", "3", "4", "8", "15",
    ]  # fmt: skip
    assert "ictus(arity=1)" not in arity_algorithms({}, 64)


def test_every_setting_is_one_that_the_core_knows_and_keeps_to_the_time() -> None:
    """On 16 hosts JK asks each of 15 in turn, HCA3 goes through 4 rounds, and ours has three bursts a sweep."""
    taken = {one.spec: one.exchanges for one in grid(16, (100,), (10,))}
    by_name = {name.partition("(")[0]: number for name, number in taken.items()}
    assert {name: by_name[name] for name in ("skampi", "jk", "hca3", "ictus")} == {
        "skampi": 150, "jk": 15_000, "hca3": 4000, "ictus": 3000,
    }  # fmt: skip
    chosen = within(16, (10, 100, 1000), (10,), (0.005, 0.02))
    assert all(str(parse_spec(name)) for name in chosen)
    assert {name.partition("(")[0] for name in chosen if "fitpoints=1000" in name} == set()
    assert sum(map(is_ours, chosen)) == 1
    assert {int(name.partition("span=")[2].partition("us")[0]) for name in real_algorithms((0.005,), (10,))[:3]} == {
        3500, 4000, 4500,
    }  # fmt: skip


WORLDS = study_of("sync-bounds")


def few(name: str, algorithms: Callable[[Mapping[str, Any], int], Sequence[str]] | None = None) -> Claim:
    """The claim with four hosts and few worlds, so that it takes no second."""
    claim = find(name)
    own: dict[str, Any] = {"n": "4", "seeds": 12}
    if name == "sync-frontier":
        own = {"n": "4", "fitpoints": (30, 100), "exchanges": (10,)}
    if algorithms is not None:
        own["algorithms"] = algorithms
    return replace(claim, plan=lambda quick: {**claim.plan(quick), **own})


@pytest.fixture(autouse=True)
def _built(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulator is made once, with all else that tests need compiled."""
    monkeypatch.setenv("ICTUS_CACHE", str(CACHE))
    if request.node.get_closest_marker("mpi"):
        settled()


def simulated(claim: Claim, folder: Path, **given: Any) -> ClaimVerdict:
    """Measured with the simulator, whose compiler is MPICH's."""
    return measure_claim(WORLDS, claim, {"mpi": "mpich", **given}, folder, ignore, quick=True)


@pytest.mark.few(1)
@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.parametrize("name", ["sync-frontier", "sync-arity"])
def test_a_study_in_worlds_says_the_same_again(name: str, tmp_path: Path) -> None:
    """From the folder, and of the same seed in another one, byte for byte; another seed draws other worlds."""
    found = simulated(few(name), tmp_path / "one")
    assert found.seen in ("holds", "cannot be seen here"), found.sentence
    assert judge_claim(WORLDS, few(name), tmp_path / "one").as_row() == found.as_row()
    simulated(few(name), tmp_path / "same")
    simulated(few(name), tmp_path / "other", seed=2)
    first, same, other = ((tmp_path / place / RESULTS).read_bytes() for place in ("one", "same", "other"))
    assert first == same
    assert b"seed=1001," in first
    assert b"seed=2001," in other


@pytest.mark.mpi
@pytest.mark.beside
def test_proven_bounds_hold_and_those_of_a_wrong_assumption_do_not(tmp_path: Path) -> None:
    """Links are longer one way: bounds that assume that they are not are wrong, and the study says so."""
    held = simulated(few("sync-bounds"), tmp_path / "held")
    assert held.result.rows[0].broken == 0
    assert [row.trials for row in held.result.rows] == [12] * len(WORST)
    assert held.seen == "cannot be seen here"  # 48 worlds are too few to tell
    unproven = simulated(few("sync-bounds", lambda _, __: ("hca3(fitpoints=10)",)), tmp_path / "unproven")
    assert unproven.seen == "does not hold"  # an algorithm that states no bound keeps none
    assert {row.broken for row in unproven.result.rows} == {12}
    wrong = few("sync-bounds", lambda _, __: ("ictus(fitpoints=30,exchanges=10,asymmetry=0)",))
    broken = simulated(wrong, tmp_path / "broken")
    assert broken.seen == "does not hold", broken.sentence
    assert [row.broken for row in broken.result.rows if row.place.startswith("longer")] == [12, 12]


@pytest.mark.mpi
@pytest.mark.beside
def test_an_interrupted_study_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    """Its last line is torn; what was there stays as it was. Other worlds are refused, and so is a damaged line."""
    simulated(few("sync-bounds"), tmp_path / "study")
    path = tmp_path / "study" / RESULTS
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-3]) + lines[-3][:40])
    with pytest.raises(UsageError, match="lacks 3 of 12 synchronisations"):
        judge_claim(WORLDS, few("sync-bounds"), tmp_path / "study")
    simulated(few("sync-bounds"), tmp_path / "study")
    assert path.read_bytes() == whole
    with pytest.raises(UsageError, match="seed: 1001 there, 5001 asked for"):
        simulated(few("sync-bounds"), tmp_path / "study", seed=5)
    path.write_bytes(b"".join((*lines[:2], b"{torn\n", *lines[3:])))
    with pytest.raises(MeasurementError, match="line 3: this is not JSON"):
        judge_claim(WORLDS, few("sync-bounds"), tmp_path / "study")
    path.write_bytes(whole.replace(b'"messages":', b'"massages":', 1))
    with pytest.raises(MeasurementError, match="line 1: key 'messages' is missing"):
        judge_claim(WORLDS, few("sync-bounds"), tmp_path / "study")
    shutil.rmtree(tmp_path / "study")
    with pytest.raises(IctusError):
        judge_claim(WORLDS, few("sync-bounds"), tmp_path / "study")


def test_options_that_mean_nothing_in_worlds_are_refused() -> None:
    """With the name of the option."""
    answer = run_ictus("study", "sync-bounds", "--quick", "--platform", "flat")
    assert (answer.code, "--platform: study 'sync-bounds' is not a campaign and has no such option" in answer.err) == (
        2, True,
    )  # fmt: skip
