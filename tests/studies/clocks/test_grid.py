"""The grid of settings, and what fits into a budget."""

import pytest

from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.studies.clock_pareto.analysis import (
    GRIDS,
    Grid,
    GridSetting,
    grid_of,
    pilots,
    predicted,
    settings,
    within_budget,
)
from ictus.studies.clocks.label import number_in, reset, short_label

REGISTRIES = Registries.load()
SQUARE = Grid((10, 100), (10, 20))


def test_the_papers_grid_is_that_of_the_paper() -> None:
    """Seven numbers of fit points by four of exchanges from 10 to 100."""
    assert GRIDS["paper"] == Grid((10, 100, 200, 300, 500, 700, 1000), (10, 20, 50, 100))
    assert len(settings(REGISTRIES, ["hca3(span=0)"], GRIDS["paper"])) == 28


def test_an_algorithm_runs_over_the_parameters_that_it_has() -> None:
    """hca3 has both, hca3-offset exchanges alone, none neither."""
    assert [one.algorithm for one in settings(REGISTRIES, ["hca3(span=1s)"], SQUARE)] == [
        "hca3(span=1s,fitpoints=10,exchanges=10)",
        "hca3(span=1s,fitpoints=10,exchanges=20)",
        "hca3(span=1s,fitpoints=100,exchanges=10)",
        "hca3(span=1s,fitpoints=100,exchanges=20)",
    ]
    assert [one.algorithm for one in settings(REGISTRIES, ["hca3-offset"], SQUARE)] == [
        "hca3-offset(exchanges=10)",
        "hca3-offset(exchanges=20)",
    ]
    assert [one.algorithm for one in settings(REGISTRIES, ["none"], SQUARE)] == ["none"]


def test_points_that_are_spread_unasked_are_laid_back_to_back_too() -> None:
    """As the papers do it, and as we do: hca3 spreads its points over 100 ms, hca3-offset has no points to spread."""
    made = settings(REGISTRIES, ["hca3", "hca3-offset"], Grid((10,), (20,)))
    assert [one.algorithm for one in made] == [
        "hca3(span=0s,slope_test=off,fitpoints=10,exchanges=20)",
        "hca3(fitpoints=10,exchanges=20)",
        "hca3-offset(exchanges=20)",
    ]


def test_what_is_given_stays_as_it_is() -> None:
    """The grid is laid over the rest; a parameter that was given is no dimension."""
    made = settings(REGISTRIES, ["hca3(exchanges=30,span=0)"], SQUARE)
    assert [one.algorithm for one in made] == [
        "hca3(exchanges=30,span=0,fitpoints=10)",
        "hca3(exchanges=30,span=0,fitpoints=100)",
    ]


def test_equal_settings_are_measured_once() -> None:
    """Two spellings of one thing are one point."""
    assert len(settings(REGISTRIES, ["none", "none()"], SQUARE)) == 1


def test_unknown_names_say_what_is_known() -> None:
    """Grid and algorithm."""
    with pytest.raises(UsageError, match="--grid 'papers', did you mean 'paper'"):
        grid_of("papers")
    with pytest.raises(UsageError, match="clocksync 'hca33', did you mean 'hca3'"):
        settings(REGISTRIES, ["hca33"], SQUARE)


A10, A100, A1000, B10 = (
    GridSetting(f"{name}{size}", name, size) for name, size in [("a", 10), ("a", 100), ("a", 1000), ("b", 10)]
)


def test_pilots_are_the_two_smallest_of_each() -> None:
    """They are points of the grid themselves, so that nothing is measured for nothing."""
    assert pilots([A1000, A100, A10, B10]) == (A10, A100, B10)


def test_time_is_predicted_on_the_line_through_the_pilots() -> None:
    """1.1 s at 10 and 2 s at 100 are 1 s and 0.01 s a unit: 11 s at 1000. Repeats count by their median."""
    taken = {A10: [1.1, 1.1, 9.0], A100: [2.0]}
    assert predicted(A1000, taken) == pytest.approx(11.0)
    assert predicted(A10, taken) == pytest.approx(1.1)


def test_a_line_never_falls() -> None:
    """A larger setting that was quicker by chance does not make the largest one free."""
    assert predicted(A1000, {A10: [2.0], A100: [1.0]}) == pytest.approx(2.0)


def test_one_pilot_is_taken_in_proportion() -> None:
    """With a single size nothing says what part is constant: the dearer guess is taken."""
    assert predicted(A100, {A10: [0.5]}) == pytest.approx(5.0)
    with pytest.raises(ValueError, match="no pilot of b"):
        predicted(B10, {A10: [0.5]})


def test_what_is_over_the_budget_is_left_out_and_named() -> None:
    """11 s do not fit into 5."""
    found = within_budget([A10, A100, A1000], {A10: [1.1], A100: [2.0]}, 5.0)
    assert found.kept == (A10, A100)
    assert found.left_out == ((A1000, pytest.approx(11.0)),)


def test_labels_are_short_and_mean_the_same() -> None:
    """Nested keys are handed to the outermost name where that is unambiguous; defaults are left out."""
    full = str(REGISTRIES.check("clocksync", "hca3(fitpoints=10,exchanges=20)"))
    assert len(full) > 80
    label = short_label(REGISTRIES, full)
    assert label == "hca3(fitpoints=10,exchanges=20)"
    assert str(REGISTRIES.check("clocksync", label)) == full
    assert short_label(REGISTRIES, str(REGISTRIES.check("clocksync", "hca3"))) == "hca3"
    assert short_label(REGISTRIES, "of-a-later-version(x=1)") == "of-a-later-version(x=1)"


def test_the_settings_of_a_grid_have_a_name_in_common() -> None:
    """Whatever the values: hca3-offset's own default of 20 exchanges is not skampi's of 100."""
    keys = ("fitpoints", "exchanges")
    for given, plain in (
        ("hca3-offset(exchanges=100)", "hca3-offset"),
        ("hca3(fitpoints=10,exchanges=100)", "hca3"),
        ("hca3(span=1s,fitpoints=10)", "hca3(span=1s)"),
        ("of-a-later-version(exchanges=1)", "of-a-later-version(exchanges=1)"),
    ):
        assert short_label(REGISTRIES, reset(REGISTRIES, given, keys)) == plain


def test_a_number_is_found_however_deep() -> None:
    """For tables that have a column of their own for it."""
    full = str(REGISTRIES.check("clocksync", "hca3(fitpoints=10,exchanges=20)"))
    assert (number_in(full, "fitpoints"), number_in(full, "exchanges"), number_in(full, "patience")) == (10, 20, None)
