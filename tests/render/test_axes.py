"""Ticks, units and labels: few, round, apart."""

import math
from itertools import pairwise

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from ictus.model.quantity import format_size
from ictus.render.figures.axes import apart, even_ticks, log_ticks, ratio_ticks, size_axis, size_positions, size_ticks
from ictus.render.figures.panel import panel, spread
from ictus.render.figures.svg import drawing
from ictus.render.unit import time_unit


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.4, 12.0, (0.5, 1.0, 2.0, 5.0, 10.0)),
        (1.0, 1e4, (1.0, 10.0, 100.0, 1e3, 1e4)),
        (0.9, 1.2e9, (1.0, 100.0, 1e4, 1e6, 1e8)),
        (400.0, 560.0, (400.0, 450.0, 500.0, 550.0)),
    ],
)
def test_log_ticks_are_round_and_few(low: float, high: float, expected: tuple[float, ...]) -> None:
    """Between two and six round values, decades where there are many, even steps where there is hardly one."""
    assert pytest.approx(expected) == log_ticks(low, high)


@pytest.mark.parametrize("span", [1.01, 1.3, 2.0, 7.0, 50.0, 1e3, 1e7])
@pytest.mark.parametrize("low", [1e-9, 0.37, 4.2, 999.0])
def test_log_ticks_lie_inside_and_are_at_most_six(low: float, span: float) -> None:
    """Whatever the axis: every tick inside it, never more than asked, at least one."""
    ticks = log_ticks(low, low * span)
    assert 1 <= len(ticks) <= 6
    assert all(low * 0.999 <= tick <= low * span * 1.001 for tick in ticks)


def test_an_axis_from_zero_has_no_logarithm() -> None:
    """Zero and the wrong order are refused."""
    for low, high in ((0.0, 1.0), (2.0, 1.0), (math.nan, 1.0)):
        with pytest.raises(ValueError, match="logarithmic"):
            log_ticks(low, high)


def test_even_ticks_are_multiples_of_a_round_step() -> None:
    """0 to 19 in steps of 5; a point is its own tick."""
    assert even_ticks(0, 19, 6) == (0.0, 5.0, 10.0, 15.0)
    assert even_ticks(3, 3) == (3.0,)


@pytest.mark.parametrize("reach", [1.025, 1.05, 1.1, 1.25, 1.6, 2.5, 8.0, 40.0, 1e4])
def test_ratio_ticks_hold_one_and_stay_inside(reach: float) -> None:
    """1 is always there, with at least one tick on either side."""
    ticks = ratio_ticks(reach)
    assert 1.0 in ticks
    assert 1 / reach <= min(ticks) < 1 < max(ticks) <= reach
    assert len(ticks) <= 9


def test_size_zero_sits_one_step_before_the_smallest() -> None:
    """A size without a logarithm keeps its place in the row: log2(8) = 3, so that 0 is at 2."""
    assert size_positions([1024, 0, 8]) == {0: 2.0, 8: 3.0, 1024: 10.0}
    assert size_positions([0]) == {0: 0.0}


def test_at_most_six_sizes_are_named() -> None:
    """Fourteen sizes: every third is named, the smallest first."""
    sizes = [8 << i for i in range(14)]
    assert tuple(sizes[::3]) == size_ticks(sizes)


def test_labels_of_close_sizes_do_not_touch() -> None:
    """Of the second and the third, which begins where the second ends, one is left; 5 between two are enough."""
    assert apart([0, 60, 95, 140], [40, 40, 40, 40], 5) == (0, 1, 3)
    assert apart([0, 45], [40, 40], 5) == (0, 1)
    assert apart([0, 44.9], [40, 40], 5) == (0,)


@pytest.mark.parametrize("sizes", [[2, 64, 4096, 5000], [512, 1024, 1500, 2048, 4096, 5000, 8192, 10000], [8]])
def test_the_labels_of_a_size_axis_leave_room(sizes: list[int]) -> None:
    """As drawn: each label ends before the next one begins, and the first is there."""
    with drawing():
        figure, axes = panel(right=70)
        size_axis(axes, sizes)
        FigureCanvasAgg(figure).draw()
        boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    assert boxes
    assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
    assert axes.get_xticklabels()[0].get_text() == format_size(sizes[0])


@pytest.mark.parametrize(
    ("times", "unit"),
    [
        ([412e-9, 60e-6], "µs"),
        ([40e-9, 60e-9], "ns"),
        ([0.4e-6, 0.8e-6], "ns"),
        ([3e-3, 1e-6, 5e-3], "ms"),
        ([2.0], "s"),
        ([], "µs"),
        ([None, math.nan], "µs"),
    ],
)
def test_a_block_has_one_unit(times: list[float | None], unit: str) -> None:
    """The middle time decides; nothing known gives microseconds."""
    assert unit == time_unit(times).name


def test_times_beside_a_median_make_no_number_long() -> None:
    """Medians of nanoseconds with a mean of 16 ms: 16149 µs, not 16149216 ns; of 16 s beside microseconds: ms."""
    assert time_unit([200e-9]).name == "ns"
    assert time_unit([200e-9], [16.149216e-3]).name == "µs"
    assert time_unit([5e-6, 5e-6], [16.1]).name == time_unit([5e-6, 5e-6, 16.1]).name == "ms"


def test_numbers_have_three_digits() -> None:
    """Three significant digits in the unit of the block, NA for what is not known, never 0 for it."""
    microseconds = time_unit([1e-6])
    assert [
        microseconds.number(time) for time in (0.4123e-6, 12.34e-6, 123.4e-6, 1234e-6, None, math.nan, 0.9999e-6)
    ] == ["0.412", "12.3", "123", "1234", "NA", "NA", "1.00"]


def test_what_is_below_a_picosecond_makes_no_column_wide() -> None:
    """Errors of 1.4e-17 s are rounding errors: shown as 0, and without a say in the unit of their block."""
    unit = time_unit([1.4e-17, -2e-17, 3e-6])
    assert [unit.number(time) for time in (1.4e-17, -2e-17, 3e-6, 1.25e-12)] == ["0", "0", "3.00", "0.000001"]
    assert unit.name == "µs"
    assert time_unit([1e-9]).number(1.04e-11) == "0.010"


def test_labels_that_touch_are_moved_apart_evenly() -> None:
    """Two at one place go half a gap each way; the far one stays; a chain is spread around its centre."""
    assert spread([50, 50, 100], 12) == [44.0, 56.0, 100.0]
    assert spread([9, 14, 19], 10) == [4.0, 14.0, 24.0]
    assert spread([], 12) == []
