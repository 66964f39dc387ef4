"""What the figures of starts show: the medians of table and headline, and of many starts those that matter."""

import re

from tests.skew_documents import launch, start, study

from ictus.render.figures.ratio import RelativeLine, RelativePoint
from ictus.studies.barrier_impact.figures import MatrixCell, emphasised, start_matrix_figure
from ictus.studies.exit_skew.analysis import BASELINE, StartSummary, summarise
from ictus.studies.exit_skew.figures import bar_panels, exit_panels, legend_of
from ictus.studies.exit_skew.record import SkewDocument, study_of

BARRIERS = ("dissemination", "tree", "binomial", "bruck", "linear", "recursive-doubling", "double-ring")


def summaries(*starts: dict[str, object]) -> tuple[StartSummary, ...]:
    """Of one launch with two ranks."""
    return summarise(study_of(SkewDocument.parse(study(launch(2, list(starts))), "skew.json")).launches)


def titles(svg: str) -> list[str]:
    """What the pointer reads, each once."""
    return re.findall(r"<title>([^<]*)</title>", svg)


def test_bars_are_the_medians_that_headline_and_order_use() -> None:
    """Skews 1, 1 and 7 µs: the median is 1, the mean 3; the percentile beside it."""
    (bars,) = bar_panels(found := summaries(start(BASELINE, [[0, 1], [0, 1], [0, 7]])), legend_of(found))
    assert titles(bars.svg) == ["barrier(library): 1.00 µs, 95th percentile 6.40 µs"]


def test_of_many_starts_the_closest_the_library_and_the_farthest_are_coloured() -> None:
    """Eight starts: three have colours and names, the pointer names the others."""
    starts = [start(f"barrier(algorithm={name})", [[0, 2 + at]] * 2) for at, name in enumerate(BARRIERS)]
    found = summaries(*starts, start(BASELINE, [[0, 5]] * 2))
    (panel,) = exit_panels(found, legend_of(found))
    assert "series-4" not in panel.svg
    assert {f"series-{number}" in panel.svg for number in (1, 2, 3)} == {True}
    written = re.findall(r">(barrier[^<>]*)</text>", panel.svg)
    assert written == ["barrier(disseminat…", "barrier(library)", "barrier(double-rin…"]
    assert len({title.partition(", rank")[0] for title in titles(panel.svg)}) == 8


def test_of_many_ratios_the_farthest_are_coloured() -> None:
    """Eight lines, the farther the later; the reference is none of the three. Six stay as they are."""
    lines = [RelativeLine(f"s{at}", at, (RelativePoint(8, 1 + at / 10, 1, 2),)) for at in range(8)]
    assert {line.label: line.index for line in emphasised(lines, "s7")} == {
        **{f"s{at}": None for at in (0, 1, 2, 3, 7)},
        "s6": 0,
        "s5": 1,
        "s4": 2,
    }
    assert emphasised(lines[:6], "s0") == lines[:6]


def test_names_of_a_matrix_s_rows_are_whole() -> None:
    """A long one takes two lines; none begins left of the figure."""
    svg = start_matrix_figure([MatrixCell("barrier(recursive-doubling)", "8 B", 1.2, "tip")], "size", "a matrix")
    texts = re.findall(r'<text[^>]*?x="(-?[\d.]+)"[^>]*>|<tspan[^>]*?x="(-?[\d.]+)"', svg)
    assert min(float(a or b) for a, b in texts) >= 0
    assert "barrier(" in svg
    assert "recursive-doubling)" in svg
