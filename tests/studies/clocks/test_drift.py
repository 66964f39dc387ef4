"""Drifts of local clocks."""

import numpy as np
import pytest
from tests.clock_documents import drift

from ictus.studies.clock_drift.analysis import forecast_error, learning_time, summarise
from ictus.studies.clocks.record import ClocksStudy


def launch(*offsets_us, interval_s=1.0):
    """The launch of a study of one rank."""
    (one,) = ClocksStudy.parse(drift({1: offsets_us}, interval_s), "test").drift
    return one


def series(*offsets_us, interval_s=1.0):
    """Its only series."""
    (one,) = launch(*offsets_us, interval_s=interval_s).series
    return one


def test_a_steady_drift_is_its_slope() -> None:
    """0, 7, 14, 21 us at whole seconds: 7 ppm, 21 us of change, on a line."""
    (one,) = summarise(launch(0, 7, 14, 21))
    assert (one.rank, one.host, one.samples, one.span_s) == (1, "n0", 4, 3.0)
    assert (one.slope, one.change_s, one.departure_s) == pytest.approx((7e-6, 21e-6, 0.0), abs=1e-15)


def test_a_bend_is_a_departure_from_the_line() -> None:
    """0, 1, 4 us: the line through the ends is 2 us at 1 s, where the offset is 1."""
    (one,) = summarise(launch(0, 1, 4))
    assert one.departure_s == pytest.approx(1e-6)


def test_a_forecast_errs_by_what_the_drift_changed() -> None:
    """Two seconds of 5 ppm are learnt; afterwards it drifts by 6 ppm: wrong by 1 us a second, and by 0 before."""
    offsets = [0, 5, 10, 16, 22, 28]
    assert np.asarray([0, 0, 0, 1, 2, 3]) * 1e-6 == pytest.approx(forecast_error(series(*offsets), 2.0), abs=1e-15)


def test_a_forecast_learns_from_two_offsets_at_least() -> None:
    """However short the time given: one point makes no line."""
    assert forecast_error(series(0, 5, 10), 0.1) == pytest.approx([0, 0, 0], abs=1e-15)


@pytest.mark.parametrize(("span", "expected"), [(50, 10), (5, 1), (30, 5), (20, 2), (0.5, 0.1)])
def test_a_figure_learns_from_a_round_share(span: float, expected: float) -> None:
    """A fifth of the span: 10 of 50 s, 1 of 5, 6 rounded down to 5, 4 to 2."""
    assert learning_time([series(0, 0, interval_s=span)]) == pytest.approx(expected)


def test_no_offsets_have_no_drift() -> None:
    """An error that names the rank, never a number."""
    document = drift({1: (0, 1)})
    document["fits"] = []
    with pytest.raises(ValueError, match="rank 1"):
        summarise(ClocksStudy.parse(document, "test").drift[0])
