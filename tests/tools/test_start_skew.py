"""The page of `make start-skew`, from rows that are given."""

from typing import Any

from tools.start_skew.__main__ import PLACES, command, table, verdict


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


def test_the_commands_can_be_typed() -> None:
    """What a shell would take apart is quoted, and nothing else."""
    assert "-n 16,64,256,512 --clock 'skewed(base=wtime,offset=1s,drift=20ppm)'" in command(PLACES[-1])
