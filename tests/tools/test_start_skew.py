"""The page of `make start-skew`, from rows that are given."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import tools.start_skew.__main__ as study
from tools.start_skew.__main__ import PLACES, command, main, shortfalls, table, verdict


def row(start: str, n: int, true_s: float | None, **more: Any) -> dict[str, Any]:
    """As `ictus barriers skew --json` tells it."""
    known = {"clock_bound_s": 1e-6, "valid": 10, "attempted": 12}
    return {"start": start, "n": n, "true_skew_median_s": true_s, **known, **more}


ROWS = [
    row("barrier(library)", 16, 20e-6),
    row("barrier(library)", 64, 30e-6),
    row("harmonize", 16, 0.1e-6),
    row("harmonize", 64, 5e-6),
    row("window", 16, 10e-9),
    row("window", 64, None, valid=0),
]


def test_a_table_with_the_nearest_start_first() -> None:
    """Medians by number of ranks; what has none at the most ranks comes last, with a dash."""
    lines = table(ROWS).splitlines()
    assert lines[2:] == [
        "| `harmonize` | 100 ns | 5.00 µs | 6 | 1.00 µs | 20 of 24 |",
        "| `barrier(library)` | 20.0 µs | 30.0 µs | – | 1.00 µs | 20 of 24 |",
        "| `window` | 10.0 ns | – | – | 1.00 µs | 10 of 24 |",
    ]


def test_what_falls_short_is_said() -> None:
    """200 times at 16 ranks; at 64 fewer than 10, and beyond twice the clock error of 1 us."""
    said = verdict(ROWS).splitlines()
    assert (
        said[0]
        == "- 16 ranks, `harmonize`: 100 ns, 200 times below MPI_Barrier's 20.0 µs; within the proven clock error"
    )
    assert said[2].endswith("6 times below MPI_Barrier's 30.0 µs, fewer than 10; beyond the proven clock error")
    assert len(said) == 3


def test_only_a_harmonize_that_is_ten_times_nearer_passes() -> None:
    """200 times is enough, 10 as well, 6 is not; what is not known is not enough, and nothing at all neither."""
    assert shortfalls(ROWS[:1] + ROWS[2:3]) == ()
    assert shortfalls([row("barrier(library)", 16, 20e-6), row("harmonize", 16, 2e-6)]) == ()
    assert shortfalls(ROWS) == ("64 ranks: harmonize 5.00 µs, MPI_Barrier 30.0 µs: not 10 times nearer together",)
    assert len(shortfalls([row("barrier(library)", 16, 20e-6), row("harmonize", 16, None)])) == 1
    assert len(shortfalls([row("harmonize", 16, 1e-9)])) == 1
    assert shortfalls([])


@pytest.mark.parametrize(("simulated", "passes"), [(ROWS[:1] + ROWS[2:3], True), (ROWS, False)])
def test_the_exit_code_says_so_after_the_page_is_written(
    simulated: list[dict[str, Any]], passes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of real ranks it is not asked: there the two are 1 here."""
    level = [row("barrier(library)", 2, 1e-7), row("harmonize", 2, 1e-7)]
    monkeypatch.setattr(study, "PAGE", tmp_path / "start-skew.md")
    monkeypatch.setattr(study, "measured", lambda place: simulated if place.name == "simulated" else level)
    monkeypatch.setattr(study, "figure", lambda place: place.title)
    with nullcontext() if passes else pytest.raises(SystemExit, match="64 ranks: harmonize"):
        main()
    assert "fewer than 10" in (tmp_path / "start-skew.md").read_text("utf-8")


def test_the_commands_can_be_typed() -> None:
    """What a shell would take apart is quoted, and nothing else."""
    assert "-n 16,64,256,512 --clock 'skewed(base=wtime,offset=1s,drift=20ppm)'" in command(PLACES[-1])
