"""The figure of ways: a row for each, all in sight, and a bar that is much too long does not squeeze the rest."""

import re

import pytest

from ictus.render.figures.ways import WayPoint, ways_figure


def point(way: str, index: int, ratio: float, low: float, high: float) -> WayPoint:
    """One point; its tip is its name."""
    return WayPoint(way, index, ratio, low, high, f"{way} of {index}")


POINTS = [
    point("osu", 0, 0.5, 0.45, 0.6),
    point("osu", 1, 0.8, 0.7, 0.9),
    point("a lens with a long name", 0, 2.0, 1.8, 2.5),
    point("a lens with a long name", 1, 1.5, 1.2, 1.9),
]


def numbers(svg: str) -> list[float]:
    """The tick labels that are numbers."""
    return [float(text) for text in re.findall(r">([\d.]+)</text>", svg)]


def test_every_way_and_every_point_is_there() -> None:
    """Names at the left, 1 among the ticks, a text for the pointer at each point; the same twice."""
    svg = ways_figure(POINTS, "makespan", "what others say")
    assert all(f">{name}<" in svg for name in ("osu", "a lens with a long name", "reported / makespan"))
    assert all(f"<title>{one.tip}</title>" in svg for one in POINTS)
    assert 1.0 in numbers(svg)
    assert ways_figure(POINTS, "makespan", "what others say") == svg


def test_a_bar_that_is_much_too_long_leaves_the_panel() -> None:
    """An interval up to a thousand must not squeeze ratios between a half and two into a corner."""
    wild = [*POINTS, point("wild", 0, 1.0, 0.9, 1000.0)]
    assert max(numbers(ways_figure(wild, "makespan", "wild"))) <= 5


def test_one_point_near_one_still_has_an_axis() -> None:
    """At least one tick on either side of 1."""
    shown = numbers(ways_figure([point("osu", 0, 1.0, 1.0, 1.0)], "makespan", "one"))
    assert min(shown) < 1 < max(shown)


def test_a_figure_of_nothing_is_an_error() -> None:
    """Its caller must leave it out."""
    with pytest.raises(ValueError, match="at least one ratio"):
        ways_figure([], "makespan", "nothing")
