"""SVG text: the same every time, nothing foreign in it, and it follows the colour scheme."""

import math
import re
import xml.etree.ElementTree as ET

import pytest

from ictus.render.figures.distributions import LEVELS, cumulative_figure, curve
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure
from ictus.render.figures.order import Level, OrderPoint, ratio_order_figure, time_order_figure
from ictus.render.figures.ratio import RatioPair, RatioPoint, ratio_figure

SIZES = (0, 8, 64, 512, 4096, 32768)


def latency() -> str:
    """Two libraries of which the second lost one case."""
    points = tuple(LatencyPoint(size, 1e-6 + size / 1e9, 0.9e-6 + size / 1e9, 1.2e-6 + size / 1e9) for size in SIZES)
    lost = tuple(LatencyPoint(size, *([math.nan] * 3 if size == 64 else [2e-6, 1.9e-6, 2.1e-6])) for size in SIZES)
    return latency_figure(
        [LatencySeries("mpich", 0, points), LatencySeries("openmpi", 1, lost)], "Latency of <MPI_Bcast>"
    )


def ratio() -> str:
    """One point of each outcome."""
    outcomes = ("faster", "slower", "same", "undecided")
    points = [
        RatioPoint(8 << i, r, r * 0.97, r * 1.02, o, o)
        for i, (r, o) in enumerate(zip((0.7, 1.4, 1.0, 1.1), outcomes, strict=True))
    ]
    return ratio_figure(points, RatioPair("mpich", "openmpi", 0, 1), 0.05, "Ratios")


def order_points(scale: float) -> list[OrderPoint]:
    """Four launches, one of them contended."""
    return [
        OrderPoint(i, i % 2, scale, (scale * 0.9, scale * 1.1), (scale * 0.5, scale * 3), f"launch {i}", i == 2)
        for i in range(4)
    ]


FIGURES = {
    "latency": latency,
    "ratio": ratio,
    "time order": lambda: time_order_figure(
        order_points(2e-6), [Level("mpich", 0, 2e-6), Level("openmpi", 1, 2e-6)], "latency", "Launches"
    ),
    "ratio order": lambda: ratio_order_figure(order_points(1.0), [], "launch / median", "Launches"),
    "cumulative": lambda: cumulative_figure(
        [c for c in (curve(0, [1e-6, 2e-6, 3e-6]), curve(1, [2e-6] * 5)) if c], "latency", "Samples"
    ),
}


@pytest.fixture(params=FIGURES, scope="module")
def figure(request: pytest.FixtureRequest) -> str:
    """Each kind of figure once."""
    return str(FIGURES[request.param]())


@pytest.mark.parametrize("name", FIGURES)
def test_the_same_data_give_the_same_bytes(name: str) -> None:
    """A figure depends on its data alone: drawn twice it is equal."""
    assert FIGURES[name]() == FIGURES[name]()


def test_a_figure_is_well_formed_and_scales(figure: str) -> None:
    """It parses as XML, has a viewBox and no fixed size, and names itself to a screen reader."""
    root = ET.fromstring(figure)
    assert root.get("viewBox") == "0 0 380 250"
    assert root.get("width") is None
    assert root.get("aria-label")


def test_text_stays_text(figure: str) -> None:
    """Labels are <text> elements that a reader can select and search."""
    assert len(ET.fromstring(figure).findall(".//{http://www.w3.org/2000/svg}text")) >= 5


def test_every_colour_is_a_variable(figure: str) -> None:
    """No colour stands outside var(): none would stay behind when the scheme turns dark."""
    outside = re.sub(r"var\(--[a-z0-9-]+,#[0-9a-f]{6}\)", "", figure)
    assert re.findall(r"#[0-9a-f]{6}\b|rgb\(", outside) == []
    assert "var(--series-1,#" in figure


def test_nothing_is_fetched_and_no_date_is_written(figure: str) -> None:
    """No address but the namespace, no date, no style sheet that would reach the page around it."""
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", figure) == []
    assert "<metadata" not in figure
    assert "<style" not in figure


def test_ids_of_two_figures_in_one_page_do_not_meet() -> None:
    """Different figures share no id, and every reference finds its target."""
    drawn = [latency(), ratio()]
    ids = [set(re.findall(r'\bid="([^"]+)"', text)) for text in drawn]
    assert not ids[0] & ids[1]
    for text, known in zip(drawn, ids, strict=True):
        assert set(re.findall(r'(?:href="|url\()#([^")]+)', text)) <= known


def test_the_pointer_is_told_the_numbers() -> None:
    """A point carries its values as a title."""
    assert "<title>mpich, 64 B: 1.06 µs (964 ns to 1.26 µs)</title>" in latency()


def test_a_lost_case_leaves_a_gap_and_no_zero() -> None:
    """NaN draws nothing: no point of the second library at 64 B."""
    assert "openmpi, 64 B" not in latency()
    assert "openmpi, 512 B" in latency()


@pytest.mark.parametrize(
    "draw",
    [
        lambda: latency_figure([LatencySeries("a", 0, (LatencyPoint(8, math.nan, math.nan, math.nan),))], "x"),
        lambda: ratio_figure(
            [RatioPoint(8, math.nan, math.nan, math.nan, "unmeasured", "")], RatioPair("a", "b", 0, 1), 0.05, "x"
        ),
        lambda: time_order_figure([], [], "x", "x"),
        lambda: cumulative_figure([], "x", "x"),
    ],
)
def test_a_figure_of_nothing_is_refused(draw: object) -> None:
    """Without any valid value there is no figure, rather than an empty frame."""
    assert callable(draw)
    with pytest.raises(ValueError, match="at least one"):
        draw()


def test_a_time_of_nothing_is_drawn() -> None:
    """At the foot of the axis, alone and beside others; its tip has the true value."""
    nothing = LatencySeries("a", 0, (LatencyPoint(8, 0.0, 0.0, 0.0),))
    other = LatencySeries("b", 1, (LatencyPoint(8, 1e-6, 1e-6, 1e-6),))
    for series in ([nothing], [nothing, other]):
        assert "a, 8 B: 0 s (0 s to 0 s)" in latency_figure(series, "x")


def test_a_curve_keeps_the_quantiles() -> None:
    """The curve of 0, 1, ..., 100 at probability p is 100 p (type 7)."""
    kept = curve(0, list(range(101)))
    assert kept is not None
    assert pytest.approx(100 * LEVELS) == list(kept.quantiles)
    assert curve(0, [math.nan]) is None


def test_bars_and_marks_stand_at_their_launch() -> None:
    """Over the tick of its number: the bar of the extremes, that of the quartiles, and the mark between their ends."""
    root, svg = ET.fromstring(FIGURES["time order"]()), "{http://www.w3.org/2000/svg}"
    ticks = [text.get("x") for text in root.iter(f"{svg}text") if text.get("y") == "225.24"]
    upright = [re.fullmatch(r"M (\S+) (\S+) L \1 (\S+)", path.get("d", "")) for path in root.iter(f"{svg}path")]
    bars = [(bar[1], (bar[2], bar[3])) for bar in upright if bar and bar[1] != "0"]  # at 0: the shape of a tick
    heights = ("251", "-1"), ("150.75", "79.25")  # beyond the axis; at 1.8 and 2.2 us, where the axis has ticks too
    assert bars == [(tick, height) for height in heights for tick in ticks]
    marks = [group for group in root.iter(f"{svg}g") if (group.findtext(f"{svg}title") or "").startswith("launch ")]
    assert [(use.get("x"), use.get("y")) for mark in marks for use in mark.iter(f"{svg}use")] == [
        (tick, "113.21") for tick in ticks
    ]
