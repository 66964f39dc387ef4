"""The tables of real ranks at equal time in docs/studies/clocks-study.md are what their data files say."""

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
AGAIN = Marks("equal-time-again", MARKS.command)
AGAIN_HEAD = """\
| library | where | time | ictus, median | best other | ratio | ictus, 90th percentile | best other | ratio |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""
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


def rows_again() -> Iterator[str]:
    """A line for each later match: half of the repeats choose the settings, the others judge them."""
    for row in pl.read_csv(DATA.with_name("clocks-equal-time-again.csv")).iter_rows(named=True):
        name = row["other"].partition("(")[0].upper()
        cells = (
            *(LIBRARIES[row["library"]], row["place"], format_duration(row["budget_s"])),
            *(format_duration(row["ours_s"]), f"{name}, {format_duration(row['other_s'])}"),
            f"{row['ours_s'] / row['other_s']:.2f}",
            *(format_duration(row["ours_p90_s"]), format_duration(row["other_p90_s"])),
            f"{row['ours_p90_s'] / row['other_p90_s']:.2f}",
        )
        yield f"| {' | '.join(cells)} |"


def test_the_table_of_later_measurements_is_what_the_data_say() -> None:
    """Written where that is asked for."""
    table = "\n".join([AGAIN_HEAD, *rows_again()])
    if os.environ.get(WRITE) == "1":
        AGAIN.write(PAGE, table)
    assert AGAIN.of(PAGE) == table
