"""The table of real ranks at equal time in docs/studies/clocks-study.md is what its data file says."""

import os
from collections.abc import Iterator

import polars as pl
from tests.engines import ROOT
from tests.page_tables import WRITE
from tools.marked_page import Marks

from ictus.model.quantity import format_duration
from ictus.studies.clock_accuracy.equal_time import TOLERANCE

PAGE = ROOT / "docs" / "studies" / "clocks-study.md"
DATA = ROOT / "docs" / "data" / "clocks-equal-time.csv"
MARKS = Marks("equal-time", f"{WRITE}=1 pytest tests/studies/clocks/test_equal_time_page.py")
HEAD = """\
| library | time | error | ictus | its time | best other | its error | its time | ratio |
| --- | ---: | --- | ---: | ---: | --- | ---: | ---: | ---: |"""
LIBRARIES = {"mpich": "MPICH", "openmpi": "Open MPI"}
SETTING = ("library", "algorithm", "offsets", "exchanges", "fitpoints", "span_s")


def settings(quantile: float) -> pl.DataFrame:
    """What each setting took in the median, and that quantile of its error 5 s later."""
    return (
        pl.read_csv(DATA)
        .group_by(SETTING, maintain_order=True)
        .agg(pl.col("elapsed_s").median(), pl.col("error_5s").quantile(quantile, "linear"))
    )


def rows() -> Iterator[str]:
    """A line for each library, time and quantile: the best of ours and the best of the others."""
    for library, name in LIBRARIES.items():
        for budget_s in (0.005, 0.02, 0.04, 0.1, 0.4):
            for quantile, error in ((0.5, "median"), (0.9, "90th percentile")):
                time = pl.col("elapsed_s").is_between(budget_s / 4, TOLERANCE * budget_s)
                kept = settings(quantile).filter(pl.col("library") == library, time)
                ours, other = (
                    kept.filter((pl.col("algorithm") == "ictus") == own).sort("error_5s").row(0, named=True)
                    for own in (True, False)
                )
                cells = (
                    *(name, format_duration(budget_s), error),
                    *(format_duration(ours["error_5s"]), format_duration(ours["elapsed_s"])),
                    f"{other['algorithm'].upper()}, {other['exchanges']} exchanges",
                    *(format_duration(other["error_5s"]), format_duration(other["elapsed_s"])),
                    f"{ours['error_5s'] / other['error_5s']:.2f}",
                )
                yield f"| {' | '.join(cells)} |"


def test_the_table_is_what_the_data_say() -> None:
    """Written where that is asked for."""
    table = "\n".join([HEAD, *rows()])
    if os.environ.get(WRITE) == "1":
        MARKS.write(PAGE, table)
    assert MARKS.of(PAGE) == table
