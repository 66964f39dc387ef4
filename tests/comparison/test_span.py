"""The time that verdicts hold for: from the first launch to the end of the last, in every output."""

import json
import re
from datetime import datetime, timezone
from pathlib import Path

import pytest
from tests.cli.conftest import simulate
from tests.command_line import Ictus
from tests.page_text import read_aloud

from ictus.comparison.comparison import compare
from ictus.comparison.span import MeasuredSpan, span_of
from ictus.engine.block_times import random_begin_s
from ictus.store.campaign import load

SPREAD = ("--over", "2h", "--launches", "8", "--nrep", "10")


def test_texts_say_the_length_and_the_times_of_day() -> None:
    """Seconds where it is short, the date again where it is another; in UTC, whatever zone a launch was in."""
    assert span("2026-11-28T11:00:00+01:00", "2026-11-28T12:03:00+00:00") == (
        "2.05 h from 2026-11-28 10:00 UTC to 12:03 UTC"
    )
    assert span("2026-11-28T10:00:05+00:00", "2026-11-28T10:00:15+00:00") == (
        "10 s from 2026-11-28 10:00:05 UTC to 10:00:15 UTC"
    )
    assert span("2026-11-28T23:00:00+00:00", "2026-11-29T01:00:00+00:00", 8) == (
        "2 h from 2026-11-28 23:00 UTC to 2026-11-29 01:00 UTC, in which 8 campaigns were measured"
    )


def span(begin: str, end: str, n_campaigns: int = 1) -> str:
    """The text of a span."""
    first, last = (datetime.fromisoformat(one).astimezone(timezone.utc) for one in (begin, end))
    return MeasuredSpan(first, last, n_campaigns).text


def test_every_output_says_what_time_it_holds_for(ictus: Ictus, tmp_path: Path) -> None:
    """A simulated campaign over two hours: from its first block to its eighth, which begins where its seed says."""
    folder = simulate(ictus, tmp_path, "spread", {"launch_spread": 0.02}, *SPREAD)
    campaign = load(folder)
    last = max(campaign.launches, key=lambda launch: launch.started)
    begin_s = random_begin_s(campaign.seed, 900.0, 7)
    expected_s = begin_s + (last.elapsed_s or 0.0)
    whole = span_of([campaign])
    assert whole is not None
    assert whole.seconds == pytest.approx(expected_s, abs=1e-2)
    assert compare(campaign).span == whole
    said = f"hold for the {whole.text}."
    assert re.search(r"h from 2026-01-01 00:00 UTC to 0[12]:\d\d UTC\.$", said)
    plain = " ".join(ictus("compare", folder, "--markdown", "found.md").out.split())
    assert f"These verdicts {said}" in plain
    assert f"These verdicts {said}" in Path("found.md").read_text()
    assert f"These medians {said}" in " ".join(ictus("show", folder).out.split())
    assert f"{said}" in " ".join(ictus("run", folder, "--launcher", "simulated").out.split())
    for command in ("compare", "show"):
        row = json.loads(ictus(command, folder, "--json").out)
        assert row["span_s"] == pytest.approx(expected_s, abs=1e-2)
        assert row["span_begin"] == "2026-01-01T00:00:00.000+00:00"
    ictus("report", folder)
    assert whole.text in read_aloud((folder / "report.html").read_text())


def test_two_campaigns_apart_have_no_verdict_that_could_hold(ictus: Ictus, tmp_path: Path) -> None:
    """Several a side have one, and it says how many campaigns were measured in that time."""
    names = [simulate(ictus, tmp_path, f"c{number}", {}, "--nrep", "10", "--seed", str(number)) for number in range(4)]
    apart = ictus("compare", *names[:2], "mpich", "openmpi").out
    assert "hold for" not in apart
    assert "hold for the" in ictus("compare", names[0]).out
    several = " ".join(ictus("compare", *names[:2], "--against", *names[2:], "--control", "none").out.split())
    assert "in which 4 campaigns were measured." in several
