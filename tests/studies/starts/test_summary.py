"""Exit skew over repetitions and launches, from exits that are given in whole microseconds."""

import math

import pytest
from tests.skew_documents import launch, start, study

from ictus.model.errors import MeasurementError
from ictus.studies.exit_skew.analysis import BASELINE, StartSummary, summarise, times_further
from ictus.studies.exit_skew.record import SkewDocument, study_of
from ictus.studies.exit_skew.tables import skew_table

OURS = "harmonize"


def summaries(*launches: dict[str, object]) -> dict[str, StartSummary]:
    """By start."""
    return {one.start: one for one in summarise(study_of(SkewDocument.parse(study(*launches), "skew.json")).launches)}


def test_of_one_launch_intervals_are_over_repetitions() -> None:
    """Skews 2 and 4: mean 3; rank 1 leaves 1 and 3 later, mean 2, deviation sqrt(2), t(1) = 12.7062."""
    found = summaries(launch(3, [start(BASELINE, [[0, 1, 2], [5, 8, 9]])]))[BASELINE]
    assert found.skew is not None
    assert found.skew.mean.mean == pytest.approx(3e-6)
    assert found.skew.median_s == pytest.approx(3e-6)
    assert found.skew.max_s == pytest.approx(4e-6)
    assert [one.mean for one in found.exits] == pytest.approx([0, 2e-6, 3e-6])
    assert found.exits[1].high == pytest.approx(2e-6 + 12.7062e-6, rel=1e-5)
    assert found.duration_s == pytest.approx(5.5e-6)
    assert (found.true_skew, found.true_exits) == (None, ())


def test_of_two_launches_they_are_over_launches() -> None:
    """Launch means 3 and 5: mean 4, deviation sqrt(2), half width 12.7062. Many repetitions do not narrow it."""
    first = launch(2, [start(BASELINE, [[0, 3]] * 50)])
    second = launch(2, [start(BASELINE, [[5, 0]] * 50)])
    found = summaries(first, second)[BASELINE]
    assert found.skew is not None
    assert found.skew.mean.mean == pytest.approx(4e-6)
    assert found.skew.mean.high == pytest.approx(4e-6 + 12.7062e-6, rel=1e-5)
    assert (found.launches, found.valid) == (2, 100)


def test_one_unit_fits_medians_and_means() -> None:
    """A median of 200 ns beside a mean of 4 ms, as on a busy machine: in µs, and no number has eight digits."""
    made = launch(2, [start(BASELINE, [[0, 0.2]] * 4 + [[0, 20_000]])])
    (block,) = skew_table(list(summaries(made).values())).view("page").blocks
    assert block.detail == "1 launch; exit skew, medians, in µs"


def test_the_truth_comes_first_where_it_is_known() -> None:
    """Measured 1 apart and truly 2: ten times nearer than 20, not twenty times."""
    made = launch(2, [start(OURS, [[0, 1]] * 2, [[0, 2]] * 2), start(BASELINE, [[0, 20]] * 2, [[0, 20]] * 2)])
    found = summaries(made)
    assert times_further(found[OURS], found[BASELINE]) == pytest.approx(10)
    assert list(found) == [OURS, BASELINE]


def test_what_is_not_valid_is_counted_and_nothing_is_made_up() -> None:
    """No valid repetition: counts, and None for everything else."""
    empty = {"mean_s": [None, None], "sd_s": [None, None], "skew_s": []}
    account = {"entry": empty, "exit": empty, "duration_s": []}
    lost = start(OURS, [[0, 1]], attempted=9, late_entry=6, missed=3, valid=0, clock_bound_s=None)
    found = summaries(launch(2, [{**lost, "measured": account, "true": account}]))[OURS]
    assert (found.attempted, found.late_entry, found.missed, found.valid) == (9, 6, 3, 0)
    assert (found.skew, found.true_skew, found.entry, found.duration_s, found.exits) == (None, None, None, None, ())
    assert found.clock_bound_s is None


def test_a_single_repetition_has_a_mean_and_no_interval() -> None:
    """One launch, one repetition."""
    found = summaries(launch(2, [start(OURS, [[0, 1]])]))[OURS]
    assert found.skew is not None
    assert (found.skew.mean.low, found.exits[1].low) == (None, None)
    assert not math.isnan(found.skew.mean.mean)


def test_documents_that_are_not_as_laid_down_are_refused() -> None:
    """Another study, and a key that is missing; the file is named."""
    with pytest.raises(MeasurementError, match=r"here: 'launches\.0\.study' is 'drift', expected 'skew'"):
        study_of(SkewDocument.parse(study({**launch(2, []), "study": "drift"}), "here"))
    broken = launch(2, [start(OURS, [[0, 1]])])
    del broken["starts"][0]["missed"]
    with pytest.raises(MeasurementError, match=r"here: key 'launches\.0\.starts\.0\.missed' is missing"):
        study_of(SkewDocument.parse(study(broken), "here"))
