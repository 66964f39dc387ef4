"""The tables of a diagnosis, a row for each case or for each launch of one case, and its findings in sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from rich.text import Text

from ictus.comparison.case_titles import group_detail, group_key, grouped, operation_title, varying
from ictus.comparison.verdict_texts import p_text
from ictus.diagnosis.analysis import CaseDiagnosis, LaunchDiagnosis
from ictus.model.quantity import format_size
from ictus.render.output import answer_first, width, wrapped
from ictus.render.table import Block, Cell, Column, Table, Times, records, row_columns
from ictus.render.terminal import stacked
from ictus.stats.adjust import holm

DIAGNOSIS_COLUMNS = row_columns(
    """
    row.mpi row.metric row.summary row.case lag_1=neighbours effective_samples=effective launches.lag_1=neighbours
    launches.correlation_p=correlation.p_value launches.correlated=correlation.significant
    launches.effective_samples=correlation.effective launches.drift=drift.change launches.drift_p=drift.p_value
    launches.drifts=drift.matters
    """,
    "ictus.diagnose/1",
)

NORMALITY_LEVEL = 0.05
FEWEST_FOR_NORMALITY = 10
"""Launches below which a test of normality finds next to nothing."""


def findings(rows: Sequence[CaseDiagnosis]) -> Iterator[str]:
    """One sentence for each question that the diagnosis asks, with what follows from it."""
    diagnosed = [row for row in rows if row.launches]
    if not diagnosed:
        yield "No launch has a kept sample: there is nothing to diagnose."
        return
    yield _correlation(diagnosed)
    yield _drift(diagnosed)
    yield _normality(diagnosed)


def not_normal(rows: Sequence[CaseDiagnosis]) -> list[bool]:
    """Whether each case's launch medians are shown not to be normal: Shapiro-Wilk at 5 %, after Holm over all cases."""
    adjusted = holm([row.shapiro_p for row in rows]) if rows else np.empty(0)
    return [bool(p_value <= NORMALITY_LEVEL) for p_value in adjusted]


def _correlation(rows: Sequence[CaseDiagnosis]) -> str:
    marked = [row for row in rows if 2 * row.n_correlated > len(row.launches)]
    alike = [row for row in marked if row.neighbours >= 0]
    turns = _turns(len(marked) - len(alike), len(rows))
    if not alike:
        return (
            "Repetitions: in no case do most launches show that they resemble their neighbours. The launch stays the "
            f"sample all the same: launches differ by more than their repetitions tell.{turns}"
        )
    worst = min(alike, key=lambda row: row.effective / row.n_samples)
    return (
        f"Repetitions resemble their neighbours in {_of(len(alike), len(rows))}: at worst {worst.n_samples:,.0f} kept "
        f"samples of {worst.row.mpi} tell as much as {_number(worst.effective)} independent ones would. An interval "
        f"computed from the repetitions of one launch as if they were independent is too narrow.{turns}"
    )


def _turns(number: int, total: int) -> str:
    """A sentence more where neighbours differ: a negative correlation does not narrow an interval."""
    return f" Short and long ones take turns in {_of(number, total)}: lag 1 is negative there." if number else ""


def _drift(rows: Sequence[CaseDiagnosis]) -> str:
    marked = [row for row in rows if 2 * row.n_drifting > len(row.launches)]
    if not marked:
        return "Drift: in no case do latencies creep by 1 % or more in most launches."
    worst = max(marked, key=lambda row: abs(row.drift))
    return (
        f"Drift: latencies creep in most launches in {_of(len(marked), len(rows))}, at worst by "
        f"{signed_percent(worst.drift)}. A clock that runs away, a warm-up that is not over or a processor that heats "
        f"up looks like this: see when it begins, try a larger --warmup and another --clocksync."
    )


def _normality(rows: Sequence[CaseDiagnosis]) -> str:
    number = sum(not_normal(rows))
    fewest = min(len(row.launches) for row in rows)
    if number:
        return (
            f"Launch medians are not normal in {_of(number, len(rows))} (Shapiro-Wilk, Holm over all cases). Rank-sum, "
            f"the default test, does not ask for it; Welch's t-test does."
        )
    few_text = f", but {fewest} launches tell little" if fewest < FEWEST_FOR_NORMALITY else ""
    return f"Launch medians: no case is shown not to be normal{few_text}."


def signed_percent(share: float) -> str:
    """`+3.2 %`, `-0.4 %`, NA for an unknown value."""
    return "NA" if np.isnan(share) else f"{100 * share:+.1f} %"


def _number(value: float) -> str:
    return f"about {value:.0f}" if value >= 10 else f"about {value:.2g}"


def _of(number: int, total: int) -> str:
    if number == total:
        return "the one case" if total == 1 else f"all {total} cases"
    return f"{number} of {total} cases"


LEGEND = (
    "Medians over launches: kept samples, correlation of neighbours (lag 1), independent samples that tell as much "
    "(worth), change over the launch (drift). Correlated, drifting: launches of all. S.-W., K.-S.: are the launch "
    "medians normal? p of Shapiro-Wilk and of Kolmogorov-Smirnov with estimated mean and spread (Lilliefors)."
)


def diagnosis_table(rows: Sequence[CaseDiagnosis]) -> Table[CaseDiagnosis]:
    """One block per operation and whatever else varies; the libraries of one size stand below each other."""
    marked = dict(zip(map(id, rows), not_normal(rows), strict=True))
    column = Column[CaseDiagnosis]
    columns = (
        column("size_bytes", "size", lambda row: format_size(int(row.row.case["size_bytes"])), once=True),
        column("mpi", "library", lambda row: row.row.mpi, "left"),
        column("n_samples", "samples", lambda row: number_text(row.n_samples), importance=4),
        column("lag_1", "lag 1", lambda row: _decimal(row.neighbours), "point", 3),
        column("n_correlated", "correlated", lambda row: _of_launches(row.n_correlated, row), importance=1),
        column("effective_samples", "worth", lambda row: number_text(row.effective)),
        column("drift", "drift", lambda row: signed_percent(row.drift), "point"),
        column("n_drifting", "drifting", lambda row: _of_launches(row.n_drifting, row), importance=1),
        column("shapiro_p", "S.-W. p", lambda row: _marked(_p(row.shapiro_p), marked[id(row)]), "point", 2),
        column("lilliefors_p", "K.-S. p", lambda row: _p(row.lilliefors_p), "point", 5),
    )
    names = varying([row.row.case for row in rows])
    blocks = [
        Block(operation_title(block[0].row.case), group_detail(block[0].row.case, names), block)
        for block in grouped(rows, lambda row: group_key(row.row.case, names))
    ]
    return Table(columns, blocks)


def explained_table(rows: Sequence[CaseDiagnosis]) -> Table[CaseDiagnosis]:
    """The same with what its columns mean."""
    return replace(diagnosis_table(rows), note=LEGEND)


def launch_table(row: CaseDiagnosis) -> Table[LaunchDiagnosis]:
    """One line a launch of a single case."""
    column = Column[LaunchDiagnosis]
    columns = (
        column("slot", "slot", lambda diagnosis: str(diagnosis.slot)),
        column("n_samples", "samples", lambda row: str(row.n_samples), importance=3),
        column("median_s", "median", lambda row: Times(row.median_s), "point"),
        column("lag_1", "lag 1", lambda row: _marked(_decimal(row.neighbours), row.correlation.significant), "point"),
        column("correlation_p", "p", lambda row: _p(row.correlation.p_value), "point", 2),
        column("effective_samples", "worth", lambda row: number_text(row.correlation.effective)),
        column("drift", "drift", lambda row: _marked(signed_percent(row.drift.change), row.drift.matters), "point"),
        column("drift_p", "p", lambda row: _p(row.drift.p_value), "point", 2),
        column("", "", _remark, "left"),
    )
    case = row.row.case
    detail = f"{row.row.mpi}, {format_size(int(case['size_bytes']))}, {group_detail(case, ())}"
    return Table(columns, [Block(f"{operation_title(case)}, launch by launch", detail, row.launches)])


def _of_launches(count: int, row: CaseDiagnosis) -> Cell:
    """`3 of 10`, marked where it is most of them."""
    n_launches = len(row.launches)
    return _marked(f"{count} of {n_launches}", 2 * count > n_launches > 0)


def _marked(text: str, matters: bool) -> Cell:
    return Cell(text, "magenta" if matters else "")


def number_text(value: float) -> str:
    """A number of samples: whole from ten on."""
    if np.isnan(value):
        return "NA"
    return f"{value:,.0f}" if value >= 9.95 else f"{value:.1f}"


def _remark(launch: LaunchDiagnosis) -> str:
    words = ["correlated"] if launch.correlation.significant else []
    words += ["drifts"] if launch.drift.matters else []
    words += [] if launch.accepted else ["disturbed, repeated"]
    return ", ".join(words)


def _decimal(value: float) -> str:
    return "NA" if np.isnan(value) else f"{value:+.2f}"


def _p(value: float) -> str:
    return p_text(None if np.isnan(value) else value)


def answer_lines(rows: Sequence[CaseDiagnosis], caption: str = "", onward: str | None = None) -> Iterator[Text]:
    """The lines of the terminal with the next command; `caption` says what launches stand for, where unusual."""
    columns = width()
    by_launch = [launch_table(rows[0])] if len(rows) == 1 and rows[0].launches else []
    tables = stacked([diagnosis_table(rows), *by_launch], columns)
    legend = wrapped(f"{LEGEND} {caption}".rstrip(), "dim", columns)
    yield from answer_first(findings(rows), [*tables, Text(), *legend], columns, onward=onward)


def launch_rows(rows: Sequence[CaseDiagnosis]) -> list[dict[str, object]]:
    """A row for each case and launch: a table has no lists."""
    return [
        {"mpi": row["mpi"], "case": row["case"], **launch}
        for row in records(rows, DIAGNOSIS_COLUMNS)
        for launch in row["launches"]
    ]
