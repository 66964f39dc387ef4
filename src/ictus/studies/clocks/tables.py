"""Tables of clocks, for terminal and page: accuracy of synchronised clocks, drifts and frequencies."""

import math
from collections.abc import Iterator, Sequence

from ictus.model.quantity import format_duration
from ictus.render.figures.axes import tick_text
from ictus.render.figures.panel import short
from ictus.render.table import Block, Cell, CellRow, Heading, Table, cell_table
from ictus.render.unit import TimeUnit, three_digits, time_unit
from ictus.studies.clock_drift.analysis import DriftSummary
from ictus.studies.clock_pareto.analysis import GRID_KEYS, Point
from ictus.studies.clocks.errors import AlgorithmSummary, ErrorSummary
from ictus.studies.clocks.labels import OVER_BUDGET, label, processes, seconds, setting_number, variant
from ictus.studies.clocks.record import SynchronisationRun
from ictus.studies.frequency.analysis import FrequencySummary, Reference

_NONE = "–"


def error_table(summaries: Sequence[AlgorithmSummary], shown: Sequence[float]) -> Table[CellRow]:
    """A block for each algorithm with its errors at the waits `shown`."""
    unit = _unit(summaries, shown)
    columns = (
        Heading("after"),
        Heading("max", "point"),
        Heading("mean", "point", 1),
        Heading("p95", "point"),
        Heading("bound", "point"),
        Heading("beyond", "right"),
    )
    several = len({one.n_ranks for one in summaries}) > 1
    blocks = [
        Block(
            _title(one, several=several),
            f"{spent(one)}, errors in {unit.name}",
            [_error_row(error, unit) for error in one.errors if error.wait_s in shown],
        )
        for one in summaries
        if one.errors
    ]
    return cell_table(columns, blocks)


def spent(one: AlgorithmSummary) -> str:
    """`12.3 ms, 800 messages, 3 repeats`: what the synchronisation cost."""
    repeats = f", median of {one.repeats} repeats" if one.repeats > 1 else ""
    return f"{format_duration(one.elapsed_s)}, {one.messages:,.0f} messages{repeats}"


def _title(one: AlgorithmSummary, *, several: bool) -> str:
    return f"{label(one.algorithm)}, {processes(one.n_ranks)}" if several else label(one.algorithm)


def _error_row(error: ErrorSummary, unit: TimeUnit) -> CellRow:
    return (
        seconds(error.wait_s),
        Cell(unit.number(error.max_s), "bold"),
        unit.number(error.mean_s),
        unit.number(error.p95_s),
        _NONE if error.bound_s is None else unit.number(error.bound_s),
        beyond_cell(error.beyond, error.bounded),
    )


def beyond_cell(beyond: int, bounded: int) -> Cell:
    """`0 of 63`: checks beyond their proven bound; a dash where nothing was proven."""
    if bounded == 0:
        return Cell(_NONE)
    return Cell(f"{beyond} of {bounded}", "bold red" if beyond else "", f"{beyond}/{bounded}")


def overview(summaries: Sequence[AlgorithmSummary], shown: Sequence[float]) -> Table[CellRow]:
    """One line an algorithm: the largest error at each wait. Waits between the first and the last give way first."""
    unit = _unit(summaries, shown)
    waits = [
        Heading(seconds(wait), "point", 0 if place in (0, len(shown) - 1) else 2) for place, wait in enumerate(shown)
    ]
    columns = (
        Heading("", "left"),
        Heading("spent"),
        Heading("messages", importance=3),
        *waits,
        Heading("beyond", importance=1),
    )
    blocks = []
    for n_ranks in dict.fromkeys(one.n_ranks for one in summaries):
        own = [one for one in summaries if one.n_ranks == n_ranks]
        judged = [one for one in own if one.synchronises]
        best = {wait: min((e.max_s for one in judged if (e := one.at(wait))), default=None) for wait in shown}
        rows: list[CellRow] = [
            (
                Cell(label(one.algorithm), short=short(label(one.algorithm), 26)),
                format_duration(one.elapsed_s),
                f"{one.messages:,.0f}",
                *(_largest(one.at(wait), best[wait], unit, of=len(judged)) for wait in shown),
                beyond_cell(one.beyond, one.bounded),
            )
            for one in own
        ]
        blocks.append(Block("Largest error over ranks", f"{processes(n_ranks)}, in {unit.name}", rows))
    return cell_table(columns, blocks)


def _largest(error: ErrorSummary | None, best: float | None, unit: TimeUnit, of: int) -> Cell:
    if error is None:
        return Cell(_NONE)
    return Cell(unit.number(error.max_s), "bold" if of > 1 and error.max_s == best else "")


def _unit(summaries: Sequence[AlgorithmSummary], shown: Sequence[float]) -> TimeUnit:
    """That of clocks that were synchronised, where there are any: those left alone may be seconds apart."""
    judged = [one for one in summaries if one.synchronises] or summaries
    return time_unit([error.max_s for one in judged for error in one.errors if error.wait_s in shown])


def rank_table(runs: Sequence[SynchronisationRun], shown: Sequence[float]) -> Table[CellRow]:
    """The signed error of every checked rank at the waits `shown`: a block a synchronisation."""
    unit = time_unit([error for run in runs for step in run.steps for error in step.error_s])
    columns = (Heading("rank"), *(Heading(seconds(wait), "point", int(place > 0)) for place, wait in enumerate(shown)))
    blocks = []
    for run in runs:
        steps = [step for step in run.steps if step.wait_s in shown]
        again = f", repeat {run.repeat}" if run.repeat else ""
        rows: list[CellRow] = [
            (str(rank), *(f"{unit.number(step.error_s[place])}" for step in steps))
            for place, rank in enumerate(steps[0].ranks if steps else ())
        ]
        blocks.append(Block(label(run.algorithm), f"{processes(run.n_ranks)}{again}, signed, in {unit.name}", rows))
    return cell_table(columns, blocks)


def pareto_table(points: Sequence[Point], wait_s: float) -> Table[CellRow]:
    """The frontier from the quickest to the most accurate, then every setting of each algorithm."""
    unit = time_unit([point.error_s for point in points])
    columns = (
        Heading("", "left"),
        Heading("", "left"),
        Heading("fit points", short="points"),
        Heading("exchanges", short="exch."),
        Heading("spent"),
        Heading("messages", importance=1),
        Heading(f"error, {unit.name}", "point", short="error"),
    )
    return cell_table(columns, list(_pareto_blocks(points, wait_s, unit)))


def _pareto_blocks(points: Sequence[Point], wait_s: float, unit: TimeUnit) -> Iterator[Block[CellRow]]:
    for n_ranks in dict.fromkeys(point.n_ranks for point in points):
        own = [point for point in points if point.n_ranks == n_ranks]
        best = [point for point in own if point.on_frontier]
        detail = f"{processes(n_ranks)}; largest error over ranks {seconds(wait_s)} after synchronising, in {unit.name}"
        yield Block("Frontier", detail, [_pareto_row(point, unit) for point in best])
        for name in dict.fromkeys(variant(point.algorithm) for point in own):
            settings = [point for point in own if variant(point.algorithm) == name]
            reached = sum(point.on_frontier for point in settings)
            count = f"{len(settings)} setting{'' if len(settings) == 1 else 's'}, {reached} on the frontier"
            yield Block(name, count, [_pareto_row(point, unit) for point in settings])


def _pareto_row(point: Point, unit: TimeUnit) -> CellRow:
    style = "bold" if point.on_frontier else ""
    return (
        Cell("*" if point.on_frontier else "", style),
        Cell(variant(point.algorithm), style, short(variant(point.algorithm), 24)),
        *(setting_number(point.algorithm, key) for key in GRID_KEYS),
        f"{format_duration(point.elapsed_s)}{OVER_BUDGET if point.over_budget else ''}",
        f"{point.messages:,.0f}",
        Cell(unit.number(point.error_s), style),
    )


def drift_table(ranks: Sequence[DriftSummary]) -> Table[CellRow]:
    """One line a rank: how fast it runs away from rank 0, and how straight."""
    unit = time_unit([one.change_s for one in ranks])
    columns = (
        Heading("rank"),
        Heading("host", "left", 2),
        Heading("offset", importance=3),
        Heading("drift, ppm", "point", short="ppm"),
        Heading("±", "point", 1),
        Heading("lowest", "point", 2),
        Heading("highest", "point", 2),
        Heading(f"run apart, {unit.name}", "point", short="apart"),
    )
    rows: list[CellRow] = [
        (
            str(one.rank),
            one.host,
            format_duration(one.first_offset_s),
            Cell(_ppm(one.slope), "bold"),
            _ppm(one.slope_error),
            _ppm(one.slope_low),
            _ppm(one.slope_high),
            unit.number(one.change_s),
        )
        for one in ranks
    ]
    span = max(one.span_s for one in ranks)
    return cell_table(columns, [Block("Local clocks against rank 0's", f"over {span:.3g} s", rows)])


def departure_table(ranks: Sequence[DriftSummary]) -> Table[CellRow]:
    """How far each rank is from a straight line, by the time that the line spans."""
    lengths = sorted({length for one in ranks for length, _ in one.departures})
    unit = time_unit([distance for one in ranks for _, distance in one.departures])
    last = len(lengths) - 1
    columns = (
        Heading("rank"),
        *(Heading(tick_text(length), "point", 0 if place in (0, last) else 1) for place, length in enumerate(lengths)),
    )
    rows: list[CellRow] = []
    for one in ranks:
        found = dict(one.departures)
        rows.append((str(one.rank), *(unit.number(found[length]) if length in found else "" for length in lengths)))
    detail = f"by the time that the line spans, in {unit.name}"
    return cell_table(columns, [Block("Largest distance from a straight line", detail, rows)])


def frequency_table(sources: Sequence[FrequencySummary], reference: Reference) -> Table[CellRow]:
    """One line for each way to a frequency: how far from the reference, and how far ranks run apart by it."""
    columns = (
        Heading("source", "left"),
        Heading("takes", importance=1),
        Heading("ranks", importance=3),
        Heading("repeats", importance=2),
        Heading("MHz", "point"),
        Heading("ppm off", "point", short="ppm"),
        Heading("at worst", "point", short="worst"),
        Heading("ranks apart", "point", short="apart"),
    )
    rows: list[CellRow] = [
        (
            one.source,
            "" if one.duration_s is None else format_duration(one.duration_s),
            str(one.ranks),
            str(one.repeats),
            f"{one.median_hz / 1e6:.6f}",
            Cell(_ppm(one.error), "bold"),
            _ppm(one.worst),
            _ppm(one.apart),
        )
        for one in sources
    ]
    detail = f"against {reference.hz / 1e6:.6f} MHz, {reference.source}; 1 ppm is 1 µs a second"
    return cell_table(columns, [Block("From ticks to seconds", detail, rows)])


def _ppm(ratio: float) -> str:
    """Parts per million with three significant digits, nothing finer than a millionth of one."""
    return "NA" if math.isnan(ratio) else three_digits(round(1e6 * ratio, 6))
