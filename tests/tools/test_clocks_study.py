"""The page of the study of clocks: made of the data that are kept, and of nothing else."""

from dataclasses import replace
from pathlib import Path

from tools.clocks_study.data import EqualTimeRow, SettingRow, read_data, read_points, read_rows, write_rows
from tools.clocks_study.page import DRAWN, FIGURES, PAGE, goal_summary, grown, page, ratio_table, width_sentence

ROW = EqualTimeRow("flat, 2 ranks, 1 ppm", 0.005, "JK", 31e-9, 10e-9, 2.0, None, 100, 200, "reached")


def test_the_page_is_that_of_the_data() -> None:
    """Whoever changes one of them runs `python -m tools.clocks_study.page`; both figures are there."""
    text = PAGE.read_text("utf-8")
    assert page(read_data()) == text
    assert len(text.split()) < 5000
    assert {path.stem for path in FIGURES.glob("*.svg")} == {"error-against-time", "error-over-time"}


def test_the_summary_counts_what_the_rows_say() -> None:
    """Three times smaller is reached; asymmetric worlds are no part of that, and ties are left out."""
    rows = [
        ROW,
        replace(ROW, ictus_error_s=20e-9, outcome="less"),
        replace(ROW, ictus_error_s=1e-9, times_faster=12.0),
        replace(ROW, outcome="tie"),
        replace(ROW, world="asymmetric, 64 ranks, 20 ppm", ictus_error_s=40e-9, outcome="worse"),
    ]
    said = goal_summary(rows)
    assert "on 2 of 3 symmetric rows (ties left out) at least 3 times smaller than the best other; median 3.1" in said
    assert "1 of 5 rows more than 5 % worse" in said
    assert "at least 10 times faster on 1 of 3 rows; median 2.0 times" in said


def test_a_table_has_a_line_for_each_world() -> None:
    """What was reached is bold, a tie is named, and a budget that nobody keeps is a dash."""
    wander = replace(ROW, budget_s=0.02, ictus_error_s=20e-9, outcome="wander decides")
    lines = ratio_table([ROW, replace(ROW, budget_s=0.01, outcome="tie"), wander]).splitlines()
    assert lines[2:] == ["| flat, 2 ranks, 1 ppm | **3.1** | tie | 1.6 (wander) | – | – |"]


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Numbers with four digits; what is not known stays so."""
    path = tmp_path / "rows.csv"
    numbers = (1e-3, 5, *(1.2345678e-6 for _ in range(8)))
    rows = [SettingRow("mpich", "one host", 2, 20.0, 0.0, "hca3(a=1,b=2)", *numbers, violated=one) for one in (None, 3)]
    write_rows(path, rows)
    found = read_rows(path, SettingRow)
    assert [row.violated for row in found] == [None, 3]
    assert found[0].max_s == (1.235e-6,) * 4
    assert found[0].algorithm == "hca3(a=1,b=2)"


def test_what_the_page_names_is_in_the_data() -> None:
    """The drawn world has points of ours and of others, and the table of one setting all algorithms."""
    data = read_data()
    assert {"ictus", "JK", "HCA3", "SKaMPI"} <= {point.family for point in read_points(DRAWN.name)}
    assert len(grown(data.settings)) == 9
    assert "of 1," in width_sentence(data.widths)
    assert {row.place for row in data.settings} == {"virtual", "mpich", "openmpi", "simgrid"}
