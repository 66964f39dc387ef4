"""The table of the cost of accuracy, for every output, and the result in sentences."""

from collections.abc import Iterator, Sequence
from typing import Any

from ictus.comparison.case_titles import processes
from ictus.model.quantity import format_duration
from ictus.model.registries import Registries
from ictus.model.spec import Argument, parse_spec
from ictus.render.table import Block, Cell, Column, Table, short
from ictus.render.unit import time_unit
from ictus.studies.clock_pareto.analysis import BACK_TO_BACK, GRID_KEYS, Point
from ictus.studies.clocks.label import label, number_in, reset, seconds, without
from ictus.studies.clocks.record import ClocksStudy

_OVER_BUDGET = "‡"
"""Behind the time of a setting that took longer than the budget."""


def pareto_table(points: Sequence[Point], wait_s: float) -> Table[Point]:
    """The frontier from the quickest to the most accurate, then every setting of each algorithm."""
    unit = time_unit([point.error_s for point in points])
    column = Column[Point]
    columns = (
        column("algorithm", "", _name, "left"),
        column("fitpoints", "fit points", lambda row: setting_number(row.algorithm, "fitpoints"), short="points"),
        column("exchanges", "exchanges", lambda row: setting_number(row.algorithm, "exchanges"), short="exch."),
        column("elapsed_s", "spent", _spent),
        column("messages", "messages", lambda row: f"{row.messages:,.0f}", importance=1),
        column(
            "error_s",
            "error",
            lambda row: Cell(unit.number(row.error_s), _style(row)),
            "point",
            short="error",
            unit=unit.name,
        ),
        column("on_frontier", "", lambda row: Cell("on frontier" if row.on_frontier else "", _style(row)), "left"),
    )
    detail = f"largest error over ranks {seconds(wait_s)} after synchronising, in {unit.name}"
    return Table(columns, list(_blocks(points, detail)))


def _blocks(points: Sequence[Point], detail: str) -> Iterator[Block[Point]]:
    for n_ranks in dict.fromkeys(point.n_ranks for point in points):
        of_size = [point for point in points if point.n_ranks == n_ranks]
        yield Block("Frontier", f"{processes(n_ranks)}; {detail}", [point for point in of_size if point.on_frontier])
        for name in dict.fromkeys(variant(point.algorithm) for point in of_size):
            settings = [point for point in of_size if variant(point.algorithm) == name]
            reached = sum(point.on_frontier for point in settings)
            count = f"{len(settings)} setting{'' if len(settings) == 1 else 's'}, {reached} on the frontier"
            yield Block(name, count, settings)


def _style(point: Point) -> str:
    return "bold" if point.on_frontier else ""


def _name(point: Point) -> Cell:
    return Cell(variant(point.algorithm), _style(point), short(variant(point.algorithm), 24))


def _spent(point: Point) -> str:
    return f"{format_duration(point.elapsed_s)}{_OVER_BUDGET if point.over_budget else ''}"


def rows(points: Sequence[Point], wait_s: float) -> Iterator[dict[str, Any]]:
    """A row for scripts of each setting."""
    for point in points:
        yield {
            "n": point.n_ranks,
            "algorithm": label(point.algorithm),
            "spec": point.algorithm,
            **{key: number_in(point.algorithm, key) for key in GRID_KEYS},
            "repeats": point.repeats,
            "elapsed_s": point.elapsed_s,
            "messages": point.messages,
            "wait_s": wait_s,
            "error_s": point.error_s,
            "on_frontier": point.on_frontier,
            "over_budget": point.over_budget,
        }


def budget_note(points: Sequence[Point], budget_s: float | None) -> tuple[str, ...]:
    """The meaning of the mark, if a row has it."""
    over = sum(point.over_budget for point in points)
    if budget_s is None or not over:
        return ()
    count_text = f"{over} of {len(points)} settings"
    return (
        f"{_OVER_BUDGET} {count_text} took longer than predicted, and than the budget of {format_duration(budget_s)}.",
    )


def variant(algorithm: str) -> str:
    """The label that the settings of a grid share: the short label without the grid's own parameters."""
    name = label(reset(Registries.load(), algorithm, GRID_KEYS))
    spec = parse_spec(name)
    tight = {Argument(key, value) for key, value in BACK_TO_BACK.items()}
    return f"{without(name, BACK_TO_BACK)}, back to back" if tight <= set(spec.arguments) else name


def setting_number(algorithm: str, key: str) -> str:
    """The number of fit points or exchanges of an algorithm in full form, empty where it has none."""
    number = number_in(algorithm, key)
    return "" if number is None else str(number)


def pareto_sentence(points: Sequence[Point], barrier_s: float | None) -> str:
    """How many settings are on the frontier, whose, and the quickest that beats a barrier."""
    best = [point for point in points if point.on_frontier]
    names = list(dict.fromkeys(point.algorithm.partition("(")[0] for point in best))
    count_text = f"{len(best)} of {len(points)} setting{'' if len(points) == 1 else 's'}"
    parts = [f"{count_text} {'is' if len(best) == 1 else 'are'} beaten by none: of {', '.join(names)}."]
    if barrier_s is not None:
        below = [point for point in points if point.error_s < barrier_s]
        barrier = f"the mean MPI_Barrier, {format_duration(barrier_s)}"
        if below:
            first = min(below, key=lambda point: point.elapsed_s)
            spent = format_duration(first.elapsed_s)
            parts.append(f"The quickest that errs by less than {barrier}, takes {spent}: {label(first.algorithm)}.")
        else:
            parts.append(f"None errs by less than {barrier}.")
    return " ".join(parts)


def barriers_of(study: ClocksStudy) -> dict[int, float | None]:
    """By number of processes, the mean time of MPI_Barrier, seconds; None where it was not measured."""
    return {launches.setting.n_ranks: launches.barrier_s for launches in study.accuracy}


def pareto_sentences(study: ClocksStudy, points: Sequence[Point]) -> Iterator[str]:
    """The result for each number of processes."""
    barriers = barriers_of(study)
    for n_ranks in dict.fromkeys(point.n_ranks for point in points):
        of_size = [point for point in points if point.n_ranks == n_ranks]
        among = f"{processes(n_ranks)}: " if len(barriers) > 1 else ""
        yield f"{among}{pareto_sentence(of_size, barriers[n_ranks])}"
