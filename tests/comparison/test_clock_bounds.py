"""What was proven of the clocks as blocks began, and what had been asked for, in a sentence and on the page."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.comparison.test_page import page
from tests.page_text import read_aloud
from tests.synthetic import Scenario, write_folder

import ictus
from ictus.comparison.clock_bounds import bound_sentences, error_sentences, opening_bounds, reached_bound
from ictus.comparison.warnings import campaign_warnings
from ictus.store.launch_record import LaunchRecord, listed_launch

WORLD = Scenario(operations=("bcast",), sizes=(8,), launches=6, nrep=20, clock_bound_s=45.3e-9)


def launch(*blocks: Sequence[float | None] | None) -> LaunchRecord:
    """A launch of two or three ranks with these bounds of its blocks."""
    n_ranks = max(len(bounds or ()) for bounds in blocks)
    listed = [{"opening": None if bounds is None else {"bound_s": list(bounds)}} for bounds in blocks]
    head: dict[str, Any] = {"format": 1, "n_ranks": n_ranks, "seed": 1, "clocksync": {"synchronised": True}}
    empty: dict[str, Any] = {"contention": {"contended": None}, "cases": [], "ranks": []}
    return listed_launch({**head, **empty, "blocks": listed}, Path("launch.json"))


def test_a_block_is_as_good_as_its_worst_rank() -> None:
    """The largest over ranks for each block; a block that lacks a rank's bound, or any, has none."""
    found = opening_bounds([launch([0.0, 1e-9, 3e-9], [0.0, 2e-9, 1e-9]), launch([0.0, None, 1e-9], None)])
    assert found == (3e-9, 2e-9)


def test_a_bound_below_zero_of_an_old_launch_is_none() -> None:
    """Exchanges had contradicted their own proof; the interval that was left was empty, and its width negative."""
    assert opening_bounds([launch([0.0, -2e-9, 1e-9], [0.0, 1e-9, 0.0])]) == (1e-9,)


def test_what_was_reached_is_said_beside_what_was_asked_for(tmp_path: Path) -> None:
    """Unasked too; where nothing was proven only to whom who asked."""
    campaign = ictus.load(write_folder(tmp_path / "proven", WORLD))
    assert reached_bound(campaign) == 45.3e-9
    assert bound_sentences(campaign) == ("Proven bound of the clocks as blocks began: 45.3 ns or better.",)
    asked = campaign.plan.model_copy(update={"clock_bound_s": 1e-7})
    assert bound_sentences(replace(campaign, plan=asked)) == (
        "Proven bound of the clocks as blocks began: 45.3 ns or better; 100 ns was asked for.",
    )
    unproven = ictus.load(write_folder(tmp_path / "unproven", replace(WORLD, clock_bound_s=math.nan)))
    assert bound_sentences(unproven) == ()
    assert bound_sentences(replace(unproven, plan=asked)) == (
        "Proven bound of the clocks as blocks began: none; 100 ns was asked for.",
    )


def test_a_standard_error_is_said_to_whom_who_asked_for_one(tmp_path: Path) -> None:
    """The largest of all launches, blocks and ranks, for 5 s later; None where a clock states none."""
    campaign = ictus.load(write_folder(tmp_path / "proven", WORLD))
    assert error_sentences(campaign) == ()
    asked = replace(campaign, plan=campaign.plan.model_copy(update={"clock_error_s": 5e-8}))
    for slopes, said in (([1e-9, 8e-9], "40.0 ns or better"), ([1e-9, math.nan], "none")):
        first = asked.launches[0].record.clocks["slope_error"]
        first[...] = slopes[0]
        first[0, 0] = slopes[1]
        assert error_sentences(asked) == (
            f"Standard error of the clocks 5 s after blocks began: {said}; 50.0 ns was asked for.",
        )


def test_a_warning_of_a_wide_proof_says_the_standard_error_too(tmp_path: Path) -> None:
    """Where clocks state one: ranks that read one counter have an error of 0."""
    campaign = ictus.load(write_folder(tmp_path / "wide", replace(WORLD, clock_bound_s=5e-6)))
    wide = "less than ten times the proven error of the clocks"
    (before,) = (text for text in campaign_warnings(campaign) if wide in text)
    assert "standard error" not in before
    for launch in campaign.launches:
        launch.record.clocks["slope_error"][..., 1:] = 8e-9
    (after,) = (text for text in campaign_warnings(campaign) if wide in text)
    assert "Their standard error is 40.0 ns after 5 s." in after


def test_the_page_says_it_where_it_says_how_clocks_were_synchronised(tmp_path: Path) -> None:
    """Among the facts and among the factors; neither where nothing is proven."""
    text = read_aloud(page(write_folder(tmp_path / "proven", WORLD)))
    assert "hca3, proven to 45.3 ns" in text
    assert "proven bound as blocks began" in text
    unproven = page(write_folder(tmp_path / "unproven", replace(WORLD, clock_bound_s=math.nan)))
    assert "proven to" not in unproven
    assert "proven bound as blocks began" not in unproven
