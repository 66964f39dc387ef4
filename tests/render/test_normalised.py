"""Results over the smallest: one scale for figures beside each other, every size there, tips that say which."""

import re

import pytest

from ictus.studies.reproduce.figures import TrialColumn, normalised_figure

COLUMNS = [
    TrialColumn(8, [1.0, 1.1, 1.05], "ictus, 8 B: 3 results"),
    TrialColumn(1024, [1.02, 1.0, 1.2], "ictus, 1 KiB"),
]


def test_every_size_has_its_results_and_its_tip() -> None:
    """Sizes at the axis, a tip for each, three dots and a median for each."""
    svg = normalised_figure(COLUMNS, 0, 1.5, "Results of MPI_Bcast")
    assert 'aria-label="Results of MPI_Bcast"' in svg
    assert all(f">{text}<" in svg for text in ("8 B", "1 KiB", "message size", "result / smallest result"))
    assert all(f"<title>{column.tip}</title>" in svg for column in COLUMNS)


def test_figures_of_one_reach_share_their_scale() -> None:
    """The same ticks whatever the results; without any difference there is still an axis."""
    narrow = normalised_figure([TrialColumn(8, [1.0, 1.0], "")], 0, 2.0, "a")
    wide = normalised_figure([TrialColumn(8, [1.0, 2.0], "")], 1, 2.0, "b")
    ticks = [re.findall(r">(1\.\d+|2)<", svg) for svg in (narrow, wide)]
    assert ticks[0] == ticks[1]
    assert len(ticks[0]) >= 3
    assert "<svg" in normalised_figure([TrialColumn(8, [1.0], "")], 0, 1.0, "c")


def test_of_many_sizes_some_are_named_and_nothing_is_drawn_by_chance() -> None:
    """Thirteen sizes: at most seven names; twice the same bytes."""
    columns = [TrialColumn(8 << step, [1.0, 1.01], f"tip {step}") for step in range(13)]
    svg = normalised_figure(columns, 0, 1.05, "many")
    assert len(re.findall(r">\d+ (?:Ki)?B<", svg)) == 7
    assert svg == normalised_figure(columns, 0, 1.05, "many")


@pytest.mark.parametrize("columns", [[], [TrialColumn(8, [], "")]])
def test_without_results_there_is_no_figure(columns: list[TrialColumn]) -> None:
    """An empty picture would look like perfect agreement."""
    with pytest.raises(ValueError, match="at least one size"):
        normalised_figure(columns, 0, 1.5, "none")
