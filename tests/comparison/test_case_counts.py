"""Attempted, valid, late and long, wherever a case is shown."""

from dataclasses import replace
from pathlib import Path

from tests.synthetic import Scenario, write_folder

import ictus
from ictus.comparison.rows import CaseRow
from ictus.comparison.tables import case_table
from ictus.comparison.warnings import campaign_warnings
from ictus.render.terminal import lines as lines_of


def rows(folder: Path, **changes: object) -> list[CaseRow]:
    """The cases of one small campaign."""
    small = Scenario(libraries=("mpich",), operations=("bcast",), sizes=(8, 64), launches=3, nrep=90)
    campaign = ictus.load(write_folder(folder, replace(small, **changes)))  # type: ignore[arg-type]
    return list(ictus.cases(campaign).rows)


def test_counts_are_those_of_all_launches(tmp_path: Path) -> None:
    """Three launches of 100 samples, a tenth of them late; in rows for scripts too."""
    for row in rows(tmp_path / "late", late_share=0.1):
        assert (row.attempted, row.valid, row.late, row.long) == (300, 270, 30, 0)
        assert row.valid_share == 0.9
        assert {
            "attempted": 300,
            "valid": 270,
            "late": 30,
            "long": 0,
            "valid_share": 0.9,
        }.items() <= row.as_row().items()


def test_why_samples_are_not_valid_has_columns_where_some_are_not(tmp_path: Path) -> None:
    """`late` and `long` only where they say something, as shares of all samples; NA without any sample."""
    (heading,) = {
        str(line)
        for line in lines_of(case_table(rows(tmp_path / "good", late_share=0.0), 0.95), 100)
        if "size" in str(line)
    }
    assert heading.split()[-3:] == ["valid", "skew,", "ns"]
    late, other = rows(tmp_path / "late", late_share=0.1)
    lost = replace(other, attempted=400, valid=0, late=400, long=100, median_s=None, low_s=None, high_s=None)
    lines = [str(line) for line in lines_of(case_table([late, lost], 0.95), 120)]
    assert next(line for line in lines if "size" in line).split()[-5:] == ["valid", "late", "long", "skew,", "ns"]
    assert next(line for line in lines if line.split()[:1] == ["8"]).split()[-7:-1] == ["90", "%", "10", "%", "0", "%"]
    last = next(line for line in lines if line.split()[:1] == ["64"]).split()
    assert last[-7:-1] == ["0", "%", "100", "%", "25", "%"]
    assert "NA" in last


def test_rejected_batches_are_no_reason_for_doubt(tmp_path: Path) -> None:
    """A tenth of what was not rejected may be late; the same counts without the rejection are doubtful."""
    folder = tmp_path / "late"
    row = rows(folder, late_share=0.1)[0]
    assert row.rejected == 0
    campaign = ictus.load(folder)
    lost = replace(row, attempted=1000)
    assert any("fewer than half" in text for text in campaign_warnings(campaign, [lost]))
    taken_again = replace(lost, rejected=700)
    assert not any("fewer than half" in text for text in campaign_warnings(campaign, [taken_again]))


def test_a_case_of_which_nothing_is_known_is_na(tmp_path: Path) -> None:
    """No sample at all: NA, not zero."""
    late, other = rows(tmp_path / "late", late_share=0.1)
    nothing = replace(other, attempted=0, valid=0, late=0, long=0, median_s=None)
    assert nothing.valid_share is None
    lines = [str(line) for line in lines_of(case_table([late, nothing], 0.95), 120)]
    assert next(line for line in lines if line.split()[:1] == ["64"]).count("NA") >= 3
