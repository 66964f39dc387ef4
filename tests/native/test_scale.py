"""What grows with the ranks: the tables of docs/explanation/scale.md are what simulated worlds count."""

import re
from pathlib import Path

import pytest
from tests.docs.test_scale import text
from tests.native.launching import start
from tests.native.trees import mpi_tree, plain_tree

PAGE = Path(__file__).resolve().parents[2] / "docs/explanation/scale.md"


def printed(program: str, ranks: int) -> list[str]:
    """What a simulation of at most so many ranks prints; its own claims must hold."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ICTUS_RANKS", str(ranks))
        ended = plain_tree().claims(f"sim/{program}")
    assert ended.returncode == 0, ended.stdout
    return ended.stdout.splitlines()


@pytest.mark.parametrize("ranks", [1024, pytest.param(16384, marks=pytest.mark.long)])
def test_the_messages_of_the_page_are_those_that_are_counted(ranks: int) -> None:
    """Each cell of each row."""
    page, rows, lines = PAGE.read_text("utf-8"), dict[str, list[str]](), printed("growth", ranks)
    (claim_bytes,) = (int(line.split()[4]) for line in lines if line.startswith("a wrong claim takes"))
    claims = " | ".join(text(claim_bytes * n / 8) for n in (64, 1024, 16384, 131072))
    assert f"wrong | every rank | {claim_bytes // 8} B | {claims} |" in page
    for line in lines:
        if line.endswith(" us"):
            name, _, messages, most, time = line.removesuffix(" us").split(" | ")
            rows.setdefault(name, []).append(f"{int(messages):,} / {int(most):,} / {int(time):,} µs")
    assert len(rows) == 10
    held = memory_rows(lines)
    assert len(held) == 12
    rows |= {f"{name} (memory)": cells for name, cells in held.items() if cells[-1] != "0 B"}
    assert len(rows) == 16
    for name, cells in rows.items():
        assert f"| {name.removesuffix(' (memory)')} | {' | '.join(cells)} |" in page


def memory_rows(lines: list[str]) -> dict[str, list[str]]:
    """Of each step, what a rank holds at most at once; `0 B` where that does not grow."""
    rows = dict[str, list[str]]()
    for line in lines:
        if line.endswith(" bytes"):
            name, _, held = line.removesuffix(" bytes").split(" | ")
            rows.setdefault(name, []).append(text(int(held)))
    return rows


@pytest.mark.parametrize("ranks", [256, *(pytest.param(n, marks=pytest.mark.long) for n in (64, 1024, 4096, 16384))])
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


@pytest.mark.mpi
@pytest.mark.beside
def test_the_bytes_of_counts_on_the_page_are_those_that_are_held(tmp_path: Path) -> None:
    """Of a rank's operation with MPICH; how long checks take is not compared, only that the page has them all."""
    ended = start("mpich", 1, mpi_tree("mpich").program("operation_growth"), folder=tmp_path)
    assert ended.exit_code == 0, ended.output + ended.error
    page, rows = PAGE.read_text("utf-8"), dict[str, list[str]]()
    for line in ended.output.splitlines():
        if " | " in line:
            name, ranks, held, _, _ = line.split(" | ")
            rows.setdefault(name, []).append(text(int(ranks) * int(held)))
    assert len(rows) == 5
    for name, cells in rows.items():
        assert re.search(rf"^\| {name}( of 1,024 elements)? \| 0 \|( [\d.]+ [µm]s \|){{4}}$", page, re.MULTILINE), name
        if name != "allreduce":  # holds nothing of all ranks
            (row,) = re.findall(
                rf"^\| counts of {name}, an operation \| every rank \| .*? \| (.*) \|$", page, re.MULTILINE
            )
            assert row.split(" | ") == cells
