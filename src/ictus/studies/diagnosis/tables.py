"""The tables of a diagnosis: a row for each case, or for each launch where one case is looked at."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from rich.text import Text

from ictus.comparison.case_titles import group_detail, group_key, grouped, operation_title, varying
from ictus.comparison.tables import p_text
from ictus.model.quantity import format_size
from ictus.render.terminal import Block, Cell, Column, Row, table
from ictus.render.unit import time_unit
from ictus.studies.diagnosis.analysis import CaseDiagnosis, LaunchDiagnosis
from ictus.studies.diagnosis.words import not_normal, signed_percent

HEAD = ("size", "library", "samples", "lag 1", "correlated", "worth", "drift", "drifting", "S.-W. p", "K.-S. p")
"""What the columns are called on the terminal and on the page."""
LEGEND = (
    "Medians over launches: kept samples, correlation of neighbours (lag 1), independent samples that tell as much "
    "(worth), change over the launch (drift). Correlated, drifting: launches of all. S.-W., K.-S.: are the launch "
    "medians normal? p of Shapiro-Wilk and of Kolmogorov-Smirnov with estimated mean and spread (Lilliefors)."
)


def diagnosis_table(rows: Sequence[CaseDiagnosis], width: int) -> list[Text]:
    """One block per operation and whatever else varies; the libraries of one size stand below each other."""
    columns = (
        Column(HEAD[0]),
        Column(HEAD[1], "left"),
        Column(HEAD[2], importance=4),
        Column(HEAD[3], "point", 3),
        Column(HEAD[4], importance=1),
        Column(HEAD[5], "right"),
        Column(HEAD[6], "point"),
        Column(HEAD[7], importance=1),
        Column(HEAD[8], "point", 2),
        Column(HEAD[9], "point", 5),
    )
    names = varying([row.row.case for row in rows])
    marked = dict(zip(map(id, rows), not_normal(rows), strict=True))
    blocks = []
    for block in grouped(rows, lambda row: group_key(row.row.case, names)):
        case = block[0].row.case
        lines: list[Row] = []
        for size, group in groupby(block, key=lambda row: row.row.case["size_bytes"]):
            for index, row in enumerate(group):
                texts = cells(row)
                lines.append(
                    (
                        "" if index else format_size(int(size)),
                        *texts[1:4],
                        Cell(texts[4], "magenta" if 2 * row.n_correlated > len(row.launches) > 0 else ""),
                        *texts[5:7],
                        Cell(texts[7], "magenta" if 2 * row.n_drifting > len(row.launches) > 0 else ""),
                        Cell(texts[8], "magenta" if marked[id(row)] else ""),
                        texts[9],
                    )
                )
        blocks.append(Block(operation_title(case), group_detail(case, names), lines))
    return table(columns, blocks, width)


def cells(row: CaseDiagnosis) -> tuple[str, ...]:
    """The texts of a row, in the order of HEAD."""
    number = len(row.launches)
    return (
        format_size(int(row.row.case["size_bytes"])),
        row.row.mpi,
        number_text(row.n_samples),
        _decimal(row.neighbours),
        f"{row.n_correlated} of {number}",
        number_text(row.effective),
        signed_percent(row.drift),
        f"{row.n_drifting} of {number}",
        _p(row.shapiro_p),
        _p(row.lilliefors_p),
    )


def launch_table(row: CaseDiagnosis, width: int) -> list[Text]:
    """One line a launch of a single case."""
    unit = time_unit([launch.median_s for launch in row.launches])
    columns = (
        Column("slot"),
        Column("samples", importance=3),
        Column("median", "point"),
        Column("lag 1", "point"),
        Column("p", "point", 2),
        Column("worth"),
        Column("drift", "point"),
        Column("p", "point", 2),
        Column("", "left"),
    )
    lines: list[Row] = [
        (
            str(launch.slot),
            str(launch.n_samples),
            unit.number(launch.median_s),
            Cell(_decimal(launch.neighbours), "magenta" if launch.correlation.significant else ""),
            _p(launch.correlation.p_value),
            number_text(launch.correlation.effective),
            Cell(signed_percent(launch.drift.change), "magenta" if launch.drift.matters else ""),
            _p(launch.drift.p_value),
            _remark(launch),
        )
        for launch in row.launches
    ]
    case = row.row.case
    detail = f"{row.row.mpi}, {format_size(int(case['size_bytes']))}, {group_detail(case, ())}, times in {unit.name}"
    return table(columns, [Block(f"{operation_title(case)}, launch by launch", detail, lines)], width)


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
