"""The figures of the study, drawn by the product's own plots."""

from collections.abc import Sequence
from pathlib import Path

from ictus.render.figures.clock_errors import Growth, GrowthPoint, error_over_time_figure
from ictus.studies.clock_pareto.figures import ParetoPoint, ParetoSeries, pareto_figure

from .data import WAITS_S
from .frontier import JUDGED_AT, Point


def pareto(found: Sequence[Point], label: str) -> str:
    """SVG: error 5 s after synchronising against the time spent, all settings of a row."""
    families = list(dict.fromkeys(point.family for point in found))
    best: dict[int, bool] = {}
    least = float("inf")
    for point in sorted(found, key=lambda one: (one.elapsed_s, one.max_s[JUDGED_AT])):
        best[id(point)] = point.max_s[JUDGED_AT] < least
        least = min(least, point.max_s[JUDGED_AT])
    series = [
        ParetoSeries(
            family,
            index,
            tuple(
                ParetoPoint(one.spec, one.elapsed_s, one.max_s[JUDGED_AT], best[id(one)])
                for one in found
                if one.family == family
            ),
        )
        for index, family in enumerate(families)
    ]
    return pareto_figure(series, None, "largest error over ranks, 5 s later", label)


def growth(lines: Sequence[tuple[str, Sequence[float]]], label: str) -> str:
    """SVG: largest error over ranks at each wait, one line an algorithm."""
    drawn = [
        Growth(name, index, tuple(GrowthPoint(wait, e, e, e) for wait, e in zip(WAITS_S, errors, strict=True)))
        for index, (name, errors) in enumerate(lines)
    ]
    return error_over_time_figure(drawn, "largest error over ranks", label)


def save(folder: Path, name: str, svg: str) -> None:
    """Writes the figure."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.svg").write_text(svg + "\n", "utf-8")


def shown(folder: Path, name: str) -> str:
    """The Markdown that shows it, from a folder of docs."""
    return f"![{name.replace('-', ' ').capitalize()}](../img/{folder.name}/{name}.svg)"
