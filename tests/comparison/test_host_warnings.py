"""What is wrong with hosts is said once, however many launches found it; what could be better, in one line."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.launch_document import edit_head
from tests.synthetic import Scenario, write_folder

import ictus
from ictus.comparison.warnings import campaign_warnings

SMALL = Scenario(libraries=("mpich",), operations=("bcast",), sizes=(8,), launches=3)


def warned(folder: Path, **facts: object) -> list[str]:
    """The warnings of three launches on one host, with other facts; those of the host alone."""
    write_folder(folder, SMALL)
    usual = set(campaign_warnings(ictus.load(folder)))
    for path in folder.glob("launches/*/launch.json"):
        (kind,) = json.loads(path.read_text("utf-8"))["kinds"]
        edit_head(path, kinds=[{**kind, **facts}])
    return [text for text in campaign_warnings(ictus.load(folder)) if text not in usual and "checksums" not in text]


def test_a_host_in_order_has_no_warning(tmp_path: Path) -> None:
    """Else every page would have one."""
    assert warned(tmp_path / "fine", governor="performance", turbo="off", huge_pages="madvise") == []


def test_results_that_nobody_checked_are_said(tmp_path: Path) -> None:
    """A wrong operation has times like a right one; those of another suite have a warning of their own."""
    campaign = ictus.load(write_folder(tmp_path / "camp", SMALL))
    unchecked = replace(campaign, plan=campaign.plan.model_copy(update={"validation": False}))
    (said,) = set(campaign_warnings(unchecked)) - set(campaign_warnings(campaign))
    assert said.startswith("no result was checked (--no-validate)")


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"turbo": "on"}, "turbo is on"),
        ({"turbo": "on", "huge_pages": "always"}, "turbo is on, transparent huge pages always"),
    ],
)
def test_turbo_and_huge_pages_are_one_line(tmp_path: Path, facts: dict[str, object], said: str) -> None:
    """They are on nearly everywhere: all launches together say it once."""
    (line,) = warned(tmp_path / "usual", **facts)
    assert line == f"launches of other days may differ: {said}; `ictus doctor` says how to correct it"


def test_what_is_wrong_is_said_before_it_and_once(tmp_path: Path) -> None:
    """Found in three launches."""
    wrong, better = warned(tmp_path / "slow", governor="powersave", turbo="on")
    assert wrong.startswith("frequency governor powersave: the speed of cores changes while measuring; ")
    assert "turbo is on" in better
