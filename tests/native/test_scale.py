"""What grows with the ranks: the tables of docs/explanation/scale.md are what simulated worlds count."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.native.trees import plain_tree

PAGE = Path(__file__).resolve().parents[2] / "docs/explanation/scale.md"


def printed(program: str, ranks: int) -> list[str]:
    """What a simulation of at most so many ranks prints; its own claims must hold."""
    words = (str(plain_tree().program("sim", program)),)
    environment = {**os.environ, "ICTUS_RANKS": str(ranks)}
    ended = subprocess.run(words, check=False, capture_output=True, text=True, timeout=3600, env=environment)
    assert ended.returncode == 0, ended.stdout
    return ended.stdout.splitlines()


@pytest.mark.parametrize("ranks", [1024, pytest.param(16384, marks=pytest.mark.long)])
def test_the_messages_of_the_page_are_those_that_are_counted(ranks: int) -> None:
    """Each cell of each row."""
    page, rows = PAGE.read_text("utf-8"), dict[str, list[str]]()
    for line in printed("growth", ranks):
        if " | " in line:
            name, _, messages, most, time = line.split(" | ")
            rows.setdefault(name, []).append(f"{int(messages):,} / {most} / {time.replace('us', 'µs')}")
    assert len(rows) == 6
    for name, cells in rows.items():
        assert f"| {name} | {' | '.join(cells)} |" in page


@pytest.mark.parametrize("ranks", [1024, *(pytest.param(n, marks=pytest.mark.long) for n in (64, 256, 4096, 16384))])
def test_the_valid_shares_of_the_page_are_those_that_are_simulated(ranks: int) -> None:
    """With trials at least nine of ten, and without as many as the page says."""
    tried, untried = (
        [float(number) for number in re.findall(r"[\d.]+", line.partition(":")[2])]
        for line in printed("window_share", ranks)
        if line.startswith(f"{ranks} ranks")
    )
    share, _, window, first, call = tried
    shown = (f"{call:.0f} µs", f"{first:,.0f} µs", f"{untried[0]:.0%}", f"{window:,.0f} µs", f"{share:.0%}")
    cells = " | ".join(shown).replace("%", " %")
    assert f"| {ranks:,} | {cells} |" in PAGE.read_text("utf-8")
