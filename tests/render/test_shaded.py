"""Shaded sizes of the latency figure: where the ground is, what it says, and that marks stand clear of the lines."""

import re

import pytest

from ictus.render.figures.latency import LatencyPoint, LatencySeries, ShadedSize, latency_figure

SIZES = (8, 64, 512, 4096)
LINE = LatencySeries("call", 0, tuple(LatencyPoint(size, 1e-6 * size, 0.9e-6 * size, 1.1e-6 * size) for size in SIZES))


def grounds(svg: str) -> list[tuple[float, float]]:
    """Left and right end of each ground that has a tip."""
    found = re.findall(r"<title>tip \d+</title><path d=\"M ?([\d.]+)[ ,][\d.]+ ?L ?[\d.]+[ ,][\d.]+ ?L ?([\d.]+)", svg)
    return [(float(left), float(right)) for left, right in found]


def test_a_ground_reaches_halfway_to_the_neighbours() -> None:
    """Sizes are equally far apart on the axis: adjacent grounds meet, each as wide as the other."""
    shaded = [ShadedSize(size, "**", f"tip {size}") for size in (64, 512)]
    svg = latency_figure([LINE], "label", shaded)
    (first, second), (third, fourth) = grounds(svg)
    assert second == pytest.approx(third, abs=0.02)
    assert second - first == pytest.approx(fourth - third, abs=0.02)
    assert svg.count(">**</text>") == 2


def test_without_shaded_sizes_the_figure_is_what_it_was() -> None:
    """No ground, no room for marks: the axis ends where the data do."""
    plain, shaded = latency_figure([LINE], "label"), latency_figure([LINE], "label", [ShadedSize(8, "*", "tip 8")])
    assert grounds(plain) == []
    assert len(grounds(shaded)) == 1
    assert highest(shaded) > highest(plain)  # farther down: more room above


def highest(svg: str) -> float:
    """The smallest y of any marker's place: SVG counts from the top."""
    return min(float(y) for y in re.findall(r"<use[^>]* y=\"([\d.]+)\"", svg))
