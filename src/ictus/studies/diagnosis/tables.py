"""The tables of a diagnosis: a row for each case, or for each launch where one case is looked at."""

from collections.abc import Sequence

import numpy as np

from ictus.comparison.case_titles import group_detail, group_key, grouped, operation_title, varying
from ictus.comparison.tables import p_text
from ictus.model.quantity import format_size
from ictus.render.table import Block, Cell, Column, Table, Times
from ictus.studies.diagnosis.analysis import CaseDiagnosis, LaunchDiagnosis
from ictus.studies.diagnosis.words import not_normal, signed_percent

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
        column("neighbours", "lag 1", lambda row: _decimal(row.neighbours), "point", 3),
        column("n_correlated", "correlated", lambda row: _of_launches(row.n_correlated, row), importance=1),
        column("effective", "worth", lambda row: number_text(row.effective)),
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


def launch_table(row: CaseDiagnosis) -> Table[LaunchDiagnosis]:
    """One line a launch of a single case."""
    column = Column[LaunchDiagnosis]
    columns = (
        column("slot", "slot", lambda one: str(one.slot)),
        column("n_samples", "samples", lambda one: str(one.n_samples), importance=3),
        column("median_s", "median", lambda one: Times(one.median_s), "point"),
        column("lag1", "lag 1", lambda one: _marked(_decimal(one.neighbours), one.correlation.significant), "point"),
        column("correlation_p", "p", lambda one: _p(one.correlation.p_value), "point", 2),
        column("effective", "worth", lambda one: number_text(one.correlation.effective)),
        column("drift", "drift", lambda one: _marked(signed_percent(one.drift.change), one.drift.matters), "point"),
        column("drift_p", "p", lambda one: _p(one.drift.p_value), "point", 2),
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
