"""The figures of the report: latency and ratio over sizes, launches in order, distributions, starts, clocks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_titles import (
    ALGORITHM,
    IDENTITY,
    LIBRARY,
    brief,
    group_detail,
    group_key,
    grouped,
    operation_title,
    value_title,
    varying,
)
from ictus.comparison.compared_factor import variants_with
from ictus.comparison.matching import medians
from ictus.comparison.modes import machine_modes
from ictus.comparison.rows import OPEN, ComparisonRow
from ictus.comparison.verdict_texts import row_verdict
from ictus.model.case import FACTORS
from ictus.model.launch_factor import is_launch_factor
from ictus.model.quantity import format_duration, format_size
from ictus.model.reduction import FIELDS
from ictus.render.figures.distributions import LEVELS, Curve, cumulative_figure
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure
from ictus.render.figures.order import Level, OrderPoint, ratio_order_figure, time_order_figure
from ictus.render.figures.ratio import RatioPair, RatioPoint, ratio_figure
from ictus.render.page import Legend, Panel
from ictus.store.campaign import Campaign

Series = Callable[[CaseRow], str]
"""The series that a case belongs to: its library, or its value of the compared factor."""


def series_by(by: str) -> Series:
    """The series of a page that compares by that factor."""
    return lambda row: row.mpi if by == LIBRARY else value_title(by, row.case[by], row.case.get("cache_bytes"))


def case_groups(rows: Sequence[CaseRow], by: str) -> Iterator[tuple[str, str, list[CaseRow]]]:
    """Title, detail and rows of each group that is one panel: all factors equal but the size and the compared one."""
    names = [name for name in varying([_factors(row) for row in rows]) if name != by]
    for group in grouped(rows, lambda row: group_key(_factors(row), names)):
        yield operation_title(group[0].case), group_detail(_factors(group[0]), names), group


def latency_panels(rows: Sequence[CaseRow], legend: Legend, by: str) -> tuple[Panel, ...]:
    """One panel for each group that has any valid sample."""
    panels = []
    for title, detail, group in case_groups(rows, by):
        lines = _lines(group, legend, series_by(by))
        if any(row.median_s is not None for row in group):
            svg = latency_figure(lines, f"Latency against message size, {title}, {detail}")
            panels.append(Panel(title, detail, svg))
    return tuple(panels)


def ratio_groups(rows: Sequence[ComparisonRow]) -> list[list[ComparisonRow]]:
    """The rows of each panel of ratios: a pair, and all factors equal but the size."""
    names = varying([row.case for row in rows])
    groups = grouped(rows, lambda row: (row.a, row.b, *group_key(row.case, names)))
    return [group for group in groups if any(row.result.ratio is not None for row in group)]


def ratio_panels(rows: Sequence[ComparisonRow], legend: Legend, equivalence: float) -> tuple[Panel, ...]:
    """One panel for each pair and group that both sides measured."""
    names = varying([row.case for row in rows])
    panels = []
    for group in ratio_groups(rows):
        a, b = group[0].a, group[0].b
        points = [_ratio_point(row) for row in group]
        title, detail = operation_title(group[0].case), group_detail(group[0].case, names)
        svg = ratio_figure(
            points,
            RatioPair(a, b, legend.index(a), legend.index(b)),
            equivalence,
            f"Ratio {a} to {b} against message size, {title}, {detail}",
        )
        panels.append(Panel(title, detail, svg, (a, b)))
    return tuple(panels)


def _factors(row: CaseRow) -> dict[str, object]:
    return {LIBRARY: row.mpi, **row.case}


def _lines(group: Sequence[CaseRow], legend: Legend, series: Series) -> list[LatencySeries]:
    """A line for each series of the group; where there are too few launches for an interval, from the smallest to
    the largest.
    """
    lines = []
    for label in legend.labels:
        points = tuple(_latency_point(row) for row in group if series(row) == label)
        if points:
            lines.append(LatencySeries(label, legend.index(label), points))
    return lines


def _latency_point(row: CaseRow) -> LatencyPoint:
    low, high = (row.min_s, row.max_s) if row.low_s is None else (row.low_s, row.high_s)
    return LatencyPoint(int(row.case["size_bytes"]), _number(row.median_s), _number(low), _number(high))


def _ratio_point(row: ComparisonRow) -> RatioPoint:
    result = row.result
    outcome = "undecided" if row.outcome in OPEN else row.outcome
    low, high = (
        _number(limit if limit is not None else result.ratio) for limit in (result.ratio_low, result.ratio_high)
    )
    return RatioPoint(int(row.case["size_bytes"]), row.ratio, low, high, outcome, row_verdict(row))


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


MOST_PANELS = 18
"""Cases that are shown launch by launch; more would make the page heavy."""


@dataclass(frozen=True)
class ShownCase:
    """A case that is shown launch by launch: its title and the rows (one a series) that belong to it."""

    title: str
    detail: str
    rows: tuple[CaseRow, ...]


def picked(rows: Sequence[CaseRow], by: str) -> tuple[ShownCase, ...]:
    """The smallest, the middle and the largest size of every group; fewer where there are many groups."""
    groups = [(title, detail, group) for title, detail, group in case_groups(rows, by)]
    number_of_sizes = next((number for number in (3, 2, 1) if number * len(groups) <= MOST_PANELS), 1)
    chosen = []
    for title, detail, group in groups:
        sizes = sorted({int(row.case["size_bytes"]) for row in group if row.n_launches})
        places = {3: (0, len(sizes) // 2, -1), 2: (0, -1), 1: (0,)}[number_of_sizes] if sizes else ()
        for size in sorted({sizes[index] for index in places}):
            case_rows = tuple(row for row in group if row.case["size_bytes"] == size)
            chosen.append(ShownCase(f"{title}, {format_size(size)}", detail, case_rows))
    return tuple(chosen[:MOST_PANELS])


def factor_panels(campaign: Campaign, legend: Legend) -> tuple[Panel, ...]:
    """For each number of processes: what all cases of a launch have in common, against their library's medians."""
    modes = _modes(campaign)
    frame = medians(campaign).filter(pl.col("value").is_not_null())
    typical = pl.col("value").median().over(LIBRARY, ALGORITHM, "case_id")
    launches = (
        frame.with_columns((pl.col("value") / typical).alias("ratio"))
        .group_by("launch", LIBRARY, "n", "slot", "contended", maintain_order=True)
        .agg([pl.col("ratio").quantile(level, "linear").alias(str(level)) for level in (0.0, 0.25, 0.5, 0.75, 1.0)])
    )
    panels = []
    for n in sorted(launches["n"].unique().to_list()):
        points = []
        for position, row in enumerate(launches.filter(pl.col("n") == n).sort("launch").iter_rows(named=True)):
            tip = f"{row[LIBRARY]}, slot {row['slot']}: its cases are at {row['0.5']:.3f} of their medians"
            inner, outer = (row["0.25"], row["0.75"]), (row["0.0"], row["1.0"])
            index = legend.index(row[LIBRARY]) if row[LIBRARY] in legend.labels else 0
            points.append(
                OrderPoint(position, index, row["0.5"], inner, outer, tip, row["contended"], modes[row["launch"]])
            )
        svg = ratio_order_figure(
            points, (), "launch / median of its library", f"All cases of each launch, {n} processes"
        )
        panels.append(Panel("All cases together", f"{n} processes", svg))
    return tuple(panels)


def _modes(campaign: Campaign) -> dict[int, int]:
    """The mode of each launch, by its running number; 0 where there is one mode only."""
    modes = machine_modes(campaign)
    (of_launches,) = modes.of_launches
    return {number: (mode + 1 if modes.several else 0) for number, mode in enumerate(of_launches, 1)}


def launch_panels(campaign: Campaign, chosen: Sequence[ShownCase], legend: Legend, by: str) -> tuple[Panel, ...]:
    """For each chosen case: median, quartiles and extremes of every launch, in the order measured."""
    frame, modes = medians(campaign, by), _modes(campaign)
    series = series_by(by)
    panels = []
    for case in chosen:
        points = []
        medians_frame = pl.concat(
            [_of(frame, row, by).with_columns(pl.lit(series(row)).alias("series")) for row in case.rows]
        )
        position = {launch: at for at, launch in enumerate(sorted(medians_frame["launch"].unique().to_list()))}
        for iter_row in medians_frame.filter(pl.col("value").is_not_null()).sort("launch").iter_rows(named=True):
            value = f"{campaign.reduction.summary} {format_duration(iter_row['value'])}"
            tip = f"{iter_row['series']}, slot {iter_row['slot']}: {value}, {iter_row['valid']} valid samples"
            inner, outer = (iter_row["q1"], iter_row["q3"]), (iter_row["min"], iter_row["max"])
            index = legend.index(iter_row["series"])
            points.append(
                OrderPoint(
                    position[iter_row["launch"]], index, iter_row["value"], inner, outer, tip, iter_row["contended"],
                    modes[iter_row["launch"]],
                )
            )  # fmt: skip
        levels = [
            Level(series(row), legend.index(series(row)), row.median_s) for row in case.rows if row.median_s is not None
        ]
        svg = time_order_figure(points, levels, "latency", f"Launches of {case.title}, {case.detail}")
        panels.append(Panel(case.title, case.detail, svg))
    return tuple(panels)


def sample_panels(campaign: Campaign, chosen: Sequence[ShownCase], legend: Legend, by: str) -> tuple[Panel, ...]:
    """For each chosen case: the distribution of the valid samples of every launch."""
    series = series_by(by)
    panels = []
    for case in chosen:
        curves = [curve for row in case.rows for curve in _curves(campaign, row, legend.index(series(row)), by)]
        if curves:
            svg = cumulative_figure(curves, "latency", f"Distribution of the samples of {case.title}, {case.detail}")
            panels.append(Panel(case.title, case.detail, svg))
    return tuple(panels)


def skew_panels(campaign: Campaign, legend: Legend, by: str) -> tuple[Panel, ...]:
    """For each number of processes and process synchronisation: how far apart the ranks started, one curve a launch."""
    key = [LIBRARY, "slot", "n", "procsync"]
    quantiles = (
        campaign.samples.filter((pl.col("flags") == 0) & pl.col("start_skew").is_finite())
        .group_by(key)
        .agg([pl.col("start_skew").quantile(float(level), "linear").alias(str(level)) for level in LEVELS])
        .sort(key)
        .collect()
    )
    panels = []
    for (n, procsync), group in quantiles.group_by("n", "procsync", maintain_order=True):
        curves = []
        for row in group.iter_rows(named=True):
            label = brief(by, row["procsync"]) if by == "procsync" else row[LIBRARY]
            index = legend.index(label) if label in legend.labels else 0
            curves.append(Curve(index, tuple(row[str(level)] for level in LEVELS)))
        svg = cumulative_figure(curves, "start skew", f"Start skew with {procsync}, {n} processes")
        panels.append(Panel(brief("procsync", procsync), f"{n} processes", svg))
    return tuple(sorted(panels, key=lambda panel: (panel.detail, panel.title)))


def residual_panels(campaign: Campaign, legend: Legend) -> tuple[Panel, ...]:
    """How far the clocks had drifted apart from their model when they were measured again, largest of all ranks."""
    points = []
    for position, launch in enumerate(campaign.launches):
        residuals = [residual_s for residual_s in launch.record.blocks["residual_max_s"].tolist() if residual_s > 0]
        if residuals:
            low, middle, high = min(residuals), float(np.median(residuals)), max(residuals)
            index = legend.index(launch.mpi) if launch.mpi in legend.labels else 0
            tip = f"{launch.mpi}, slot {launch.slot.slot}: {format_duration(middle)}, largest {format_duration(high)}"
            points.append(OrderPoint(position, index, middle, (low, high), (low, high), tip, launch.contended))
    if not points:
        return ()
    svg = time_order_figure(points, (), "residual", "Residual of the clocks at the end of each launch")
    return (Panel("Clocks at the end of a launch", "largest over ranks", svg),)


def _of(frame: pl.DataFrame, row: CaseRow, by: str) -> pl.DataFrame:
    """The launches of one library's case."""
    names = [*IDENTITY, *([by] if is_launch_factor(by) else [])]
    return frame.filter(pl.col(LIBRARY) == row.mpi, *(pl.col(name) == row.case[name] for name in names))


def _curves(campaign: Campaign, row: CaseRow, index: int, by: str) -> list[Curve]:
    conditions = (pl.col(name) == value for name, value in row.case.items() if name in FACTORS)
    case_id = campaign.cases.filter(*conditions)["case_id"][0]
    variants = variants_with(campaign, by, row.case[ALGORITHM], row.case.get(by))
    launched = (pl.col(LIBRARY) == row.mpi) & pl.col(ALGORITHM).is_in(variants)
    quantiles = (
        campaign.samples.filter((pl.col("case_id") == case_id) & launched & (pl.col("flags") == 0))
        .filter(pl.col(FIELDS[row.metric]).is_finite())
        .group_by("slot")
        .agg([pl.col(FIELDS[row.metric]).quantile(float(level), "linear").alias(str(level)) for level in LEVELS])
        .sort("slot")
        .collect()
    )
    return [
        Curve(index, tuple(iter_row[str(level)] for level in LEVELS)) for iter_row in quantiles.iter_rows(named=True)
    ]
