"""Diagnosis of whole campaigns: what was planted is found, where nothing was nothing is."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.diagnosed import CORRELATION, DRIFT, PLANTED
from tests.launch_document import forget_checksums
from tests.synthetic import write_folder

import ictus
from ictus.diagnosis.analysis import CaseDiagnosis, diagnose, samples_of
from ictus.diagnosis.tables import findings, not_normal
from ictus.stats.correlation import autocorrelation
from ictus.stats.summary import inside


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with something planted in each operation."""
    return write_folder(tmp_path_factory.mktemp("diagnosed") / "camp", PLANTED)


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, CaseDiagnosis]:
    """The diagnosis by operation."""
    return {row.row.case["operation"]: row for row in ictus.diagnose(ictus.load(folder))}


def test_planted_autocorrelation_is_found_with_its_size(found: dict[str, CaseDiagnosis]) -> None:
    """All ten launches; neighbours at 0.8; worth about (1 - r) / (1 + r) of the samples. The others: hardly any."""
    row = found["bcast"]
    assert row.n_correlated == 10
    assert row.neighbours == pytest.approx(CORRELATION, abs=0.08)
    assert row.effective / row.n_samples == pytest.approx((1 - CORRELATION) / (1 + CORRELATION), rel=0.4)
    assert max(found[name].n_correlated for name in ("alltoall", "barrier")) <= 1
    assert found["barrier"].effective > 0.8 * found["barrier"].n_samples


def test_planted_drift_is_found_with_its_size(found: dict[str, CaseDiagnosis]) -> None:
    """All ten launches creep by about 10 %; of the others at most one is said to."""
    assert found["allreduce"].n_drifting == 10
    assert found["allreduce"].drift == pytest.approx(DRIFT, abs=0.02)
    assert max(found[name].n_drifting for name in ("bcast", "alltoall", "barrier")) <= 1


def test_planted_non_normality_is_found(found: dict[str, CaseDiagnosis]) -> None:
    """Two launches of ten that are three times as slow: both tests; steady launches pass both."""
    assert max(found["alltoall"].shapiro_p, found["alltoall"].lilliefors_p) < 0.01
    assert min(found["barrier"].shapiro_p, found["barrier"].lilliefors_p) > 0.05
    assert not_normal(list(found.values())) == [name == "alltoall" for name in found]


def test_the_sentences_say_what_was_planted(found: dict[str, CaseDiagnosis]) -> None:
    """Numbers of cases, the worst one, and no alarm where nothing was planted."""
    correlation, drift, normality = findings(list(found.values()))
    assert correlation.startswith("Repetitions resemble their neighbours in 2 of 4 cases: at worst ")
    assert "in 1 of 4 cases, at worst by +" in drift
    assert normality.startswith("Launch medians are not normal in 1 of 4 cases")
    steady = list(findings([found["barrier"]]))
    assert [text.split()[:3] for text in steady] == [
        ["Repetitions:", "in", "no"],
        ["Drift:", "in", "no"],
        ["Launch", "medians:", "no"],
    ]


def test_samples_that_take_turns_do_not_resemble_their_neighbours(found: dict[str, CaseDiagnosis]) -> None:
    """Short and long in turn is as sure a correlation, but a negative one: counted apart, and of no case the worst."""
    series = np.tile([1.0, 1.2], 200) + 0.01 * np.sin(np.arange(400.0) ** 2)
    turning = replace(found["barrier"].launches[0], correlation=autocorrelation(series))
    assert turning.correlation.significant
    assert turning.neighbours < -0.9
    row = replace(found["barrier"], launches=(turning,) * 10)
    correlation = next(findings([found["bcast"], row]))
    assert correlation.startswith("Repetitions resemble their neighbours in 1 of 2 cases: at worst ")
    assert correlation.endswith("Short and long ones take turns in 1 of 2 cases: lag 1 is negative there.")
    assert next(findings([row])).startswith("Repetitions: in no case")


def test_what_is_diagnosed_is_what_the_median_is_taken_of(folder: Path, found: dict[str, CaseDiagnosis]) -> None:
    """Kept samples of a launch: valid, inside Tukey's fences, in the order measured; their median is the summary's."""
    campaign = ictus.load(folder)
    row = found["barrier"].row
    slot = found["barrier"].launches[3].slot
    kept = samples_of(campaign, row, slot)
    assert kept is not None
    launch = campaign.launches[3].folder
    records = np.load(launch / "samples.npy")
    case_id = int(campaign.cases.filter(campaign.cases["operation"] == "barrier")["case_id"][0])
    own = records[(records["case_id"] == case_id) & (records["flags"] == 0)]
    assert kept.values_s.tolist() == own["makespan"][inside(own["makespan"])].tolist()
    assert kept.timed
    assert kept.started_s[0] == 0
    summary = campaign.summaries.filter(
        (campaign.summaries["slot"] == slot) & (campaign.summaries["case_id"] == case_id)
    )
    assert found["barrier"].launches[3].median_s == summary["median"][0]
    assert found["barrier"].launches[3].n_samples == summary["kept"][0]


def test_a_lost_case_is_not_known(tmp_path: Path) -> None:
    """No valid sample: no launch, NaN everywhere, and a sentence that says so."""
    lost = write_folder(tmp_path / "camp", replace(PLANTED, operations=("bcast",), lost=("bcast:64",), launches=3))
    campaign = ictus.load(lost)
    (row,) = diagnose(campaign, ictus.cases(campaign).rows)
    assert row.launches == ()
    assert all(map(math.isnan, (row.n_samples, row.neighbours, row.effective, row.drift, row.shapiro_p)))
    assert list(findings([row])) == ["No launch has a kept sample: there is nothing to diagnose."]
    assert samples_of(campaign, row.row, 0) is None


def test_clocks_that_are_not_synchronised_leave_the_order(tmp_path: Path) -> None:
    """The longest local duration is diagnosed, in the order measured."""
    world = {"operations": ("bcast",), "clocksync": "none", "procsyncs": ("barrier",), "launches": 4}
    folder = write_folder(tmp_path / "camp", replace(PLANTED, **world))
    campaign = ictus.load(folder)
    (row,) = diagnose(campaign, ictus.cases(campaign).rows)
    assert row.row.metric == "max"
    assert row.n_correlated == 4


@pytest.mark.parametrize("last", [20, 1])
def test_a_pause_takes_time_off_the_axis(tmp_path: Path, last: int) -> None:
    """Starts that do not follow at an even pace are replaced by their order: one late bin must not decide the slope,
    however few samples come after the pause.
    """
    folder = write_folder(tmp_path / "camp", replace(PLANTED, operations=("barrier",), launches=2))
    for path in folder.glob("launches/*/samples.npy"):
        records = np.load(path)
        records["start"][-last:] += 10.0
        np.save(path, records)
        path.with_suffix(".parquet").unlink()  # made of the samples when the launch arrived
    forget_checksums(folder)
    campaign = ictus.load(folder)
    (row,) = ictus.cases(campaign).rows
    for slot in (0, 1):
        kept = samples_of(campaign, row, slot)
        assert kept is not None
        assert not kept.timed
        assert kept.started_s.tolist() == list(range(kept.values_s.size))
