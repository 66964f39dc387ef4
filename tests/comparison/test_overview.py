"""What `ictus show` says first: how much was measured, how well medians are known, what to do next."""

from pathlib import Path

from tests.synthetic import Scenario, write_folder

from ictus.comparison.cases import cases
from ictus.comparison.overview import next_words, overview_sentences
from ictus.store.campaign import load


def said(folder: Path, scenario: Scenario) -> list[str]:
    """The sentences about a campaign."""
    campaign = load(write_folder(folder, scenario))
    return list(overview_sentences(campaign, cases(campaign)))


def test_medians_are_known_within_half_of_their_interval(tmp_path: Path) -> None:
    """The numbers are those of the rows; the worst one is named."""
    campaign = load(write_folder(tmp_path / "camp", Scenario(launches=10, seed=3)))
    rows = cases(campaign).rows
    first, known = overview_sentences(campaign, cases(campaign))
    assert first == f"{len(rows) // 2} cases of mpich and openmpi, 10 launches each."
    shares = sorted((row.high_s - row.low_s) / 2 / row.median_s for row in rows)  # type: ignore[operator]
    assert (
        f"known within {100 * shares[(len(shares) - 1) // 2]:.2g} %, at worst {100 * shares[-1]:.2g} % (MPI_" in known
    )
    assert known.endswith("half of the 95 % interval.")
    assert next_words(campaign) == ("compare",)


def test_too_few_launches_and_one_library_are_said(tmp_path: Path) -> None:
    """Without an interval nothing is claimed of how well a median is known."""
    few = Scenario(libraries=("mpich",), sizes=(64,), launches=2, seed=3)
    first, without = said(tmp_path / "few", few)
    assert first == "2 cases of mpich, 2 launches."
    assert without == "2 of 2 medians have too few launches for an interval."
    assert next_words(load(tmp_path / "few")) == ("show",)
