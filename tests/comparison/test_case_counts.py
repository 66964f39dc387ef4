"""Attempted, valid, late and long, wherever a case is shown."""

from dataclasses import replace
from pathlib import Path

from tests.launch_document import edit_head
from tests.synthetic import Scenario, write_folder

import ictus
from ictus.comparison.case_row import CASE_COLUMNS, CaseRow
from ictus.comparison.case_table import case_table
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
        }.items() <= CASE_COLUMNS.record(row).items()


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


def test_windows_of_messages_have_a_bandwidth_and_a_message_rate(tmp_path: Path) -> None:
    """Three pairs with 4 messages of 16 B each: 12 messages and 192 B in 6 µs. Other operations have neither."""
    scenario = Scenario(
        libraries=("mpich",),
        operations=("bandwidth(4)",),
        sizes=(64,),
        processes=(6,),
        launches=3,
        nrep=20,
        latency=lambda *_: 6e-6,
    )
    campaign = ictus.load(write_folder(tmp_path / "window", scenario))
    (row,) = ictus.cases(campaign).rows
    assert (row.messages, row.case["block_bytes"]) == (12, 16)
    row = replace(row, median_s=6e-6)
    assert CASE_COLUMNS.record(row)["messages_per_s"] == 2e6
    assert CASE_COLUMNS.record(row)["bytes_per_s"] == 32e6
    lines = [str(line) for line in lines_of(case_table([row], 0.95), 160)]
    heading, line = next(one for one in lines if "size" in one), next(one for one in lines if one.split()[:1] == ["64"])
    assert "bandwidth, GB/s" in heading
    assert "messages, million/s" in heading
    assert {"0.0320", "2.00"} <= set(line.split())
    assert replace(row, median_s=None).messages_per_s is None
    (plain, _) = rows(tmp_path / "plain")
    assert CASE_COLUMNS.record(plain)["messages_per_s"] is None
    assert not any("million/s" in str(one) for one in lines_of(case_table([plain], 0.95), 160))


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


def test_few_valid_samples_are_one_warning_that_says_what_to_do(tmp_path: Path) -> None:
    """What the core says of each case of each launch is not said again; its counts overlap, which is said."""
    folder = tmp_path / "late"
    row = replace(rows(folder, late_share=0.1)[0], attempted=1388, rejected=120, valid=500, late=716, long=782)
    own = (
        "case 0 (bcast, 8 B, window(size=auto)): only 500 of 1268 samples are valid (716 late, 782 long, 120 rejected)"
    )
    other = "case 1 (bcast, 64 B, window(size=auto)): no valid sample among 90 (90 late, 0 long, 0 rejected): no result"
    for path in folder.glob("launches/*/launch.json"):
        edit_head(path, warnings=[own, other, "something else"])
    said = campaign_warnings(ictus.load(folder), [row])
    assert not any("samples are valid (716 late" in text or "no valid sample among" in text for text in said)
    assert any(text.startswith("something else") for text in said)
    (few,) = (text for text in said if "samples are valid" in text)
    assert "500 of 1,268 (716 began late, 782 outlasted their window; a sample can do both)" in few
    assert "ictus procsync window" in few


def test_launches_with_few_valid_samples_are_counted_where_all_together_have_enough(tmp_path: Path) -> None:
    """Else the core's own warning of a launch would be lost."""
    folder = tmp_path / "late"
    known = rows(folder, late_share=0.7)
    enough = [replace(row, valid=row.attempted) for row in known]
    assert any("valid in 6 of 6 medians of a launch" in text for text in campaign_warnings(ictus.load(folder), enough))


def test_a_case_of_which_nothing_is_known_is_na(tmp_path: Path) -> None:
    """No sample at all: NA, not zero."""
    late, other = rows(tmp_path / "late", late_share=0.1)
    nothing = replace(other, attempted=0, valid=0, late=0, long=0, median_s=None)
    assert nothing.valid_share is None
    lines = [str(line) for line in lines_of(case_table([late, nothing], 0.95), 120)]
    assert next(line for line in lines if line.split()[:1] == ["64"]).count("NA") >= 3
