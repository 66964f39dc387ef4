"""`make until-study`: its figures on the page."""

from pathlib import Path

from tests.synthetic import write_folder
from tools.until_study.__main__ import MARKS, PAGE, Measured, section

from ictus.store.campaign import load


def test_the_figures_of_both_campaigns_stand_between_their_marks(tmp_path: Path) -> None:
    """A row for each, what launches and repetitions differ by, whether the time was kept; the page has the marks."""
    campaign = load(write_folder(tmp_path / "camp"))
    by_number, by_goal = Measured(campaign, 300.0, (0.01, 0.02, 0.04)), Measured(campaign, 90.0, (0.01, 0.02, 0.035))
    text = section(by_number, by_goal, "4 %")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert rows[2].startswith("| 30 launches of 1,000 repetitions each | 4 % | 2 % | 20 | ")
    assert rows[3].startswith("| `--until '4 %'` | 3.5 % | 2 % | 20 | ")
    assert "3 intervals. a: launches differ by " in text or "3 intervals. mpich: launches differ by " in text
    assert text.endswith("the same half-width in 30.0% of the wall time, at most 33.3% wanted: kept.")
    assert f"{MARKS.begin}\n\n{text}\n\n{MARKS.end}" in MARKS.replaced(PAGE.read_text("utf-8"), text)
    assert section(by_number, Measured(campaign, 150.0, by_goal.widths), "4 %").endswith("MISSED.")
