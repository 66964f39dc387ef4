"""Exit skews of a program's barriers: numbers worked out by hand, and what a terminal shows of them."""

import numpy as np
import pytest

from ictus.programs.exit_skew import exit_skew_lines, summarise_exits
from ictus.programs.preload import PreloadReport, ReplacedBarriers

FIELDS = [
    ("communicator", "<u4"), ("barrier", "<u8"), ("rank", "<u4"), ("flags", "<u2"), ("exit", "<f8"), ("skew", "<f8"),
    ("clock_bound", "<f8"),
]  # fmt: skip

WORLD = ReplacedBarriers(
    name="MPI_COMM_WORLD",
    communicators=1,
    n_ranks=2,
    barriers=8,
    calls=16,
    missed=0,
    missed_share=0.0,
    kept=8,
    stride=1,
)
REPORT = PreloadReport(
    state="finalised", procsync="harmonize()", library_version="x", n_ranks=2, barriers=8, calls=16, missed=0,
    missed_share=0.0, left_to_library=0, communicators=(WORLD,), log={"file": "exits.npy"}, warnings=(),
)  # fmt: skip


def log(skews: dict[tuple[int, int], list[float]], bound: float = 1e-8) -> "np.ndarray":  # type: ignore[type-arg]
    """Records of (communicator, rank): skews in seconds, ranks in no order."""
    rows = [(c, i, rank, 0, i + skew, skew, bound) for (c, rank), ones in skews.items() for i, skew in enumerate(ones)]
    return np.array(rows, dtype=FIELDS)


def test_each_process_is_summarised_for_itself() -> None:
    """Skews 1 to 8 µs: mean and median 4.5, 95th percentile 7.65 (type 7), and 1 to 8 is the 95 % interval of eight."""
    exits = log({(0, 1): [k * 1e-6 for k in (8, 1, 7, 2, 6, 3, 5, 4)], (0, 0): [0.0] * 8})
    first, second = summarise_exits(exits, REPORT)
    assert (first.rank, first.max_s, first.low_s, first.high_s) == (0, 0.0, 0.0, 0.0)
    assert (second.rank, second.barriers, second.name) == (1, 8, "MPI_COMM_WORLD")
    found = np.array([second.mean_s, second.median_s, second.low_s, second.high_s, second.p95_s, second.max_s])
    assert found * 1e6 == pytest.approx([4.5, 4.5, 1, 8, 7.65, 8])
    assert second.clock_bound_s == 1e-8
    assert summarise_exits(log({(0, 0): [0.0]}, np.nan), REPORT)[0].clock_bound_s is None
    assert summarise_exits(log({}), REPORT) == ()


def test_the_table_shows_the_communicators_with_the_most_barriers() -> None:
    """Four at most, 32 processes of each; what is left out is counted."""
    exits = log({(index, rank): [rank * 1e-6] * (index + 1) for index in range(6) for rank in range(34)})
    many = tuple(WORLD.model_copy(update={"name": f"c{index}", "kept": index + 1}) for index in range(5))
    last = WORLD.model_copy(update={"name": "", "kept": 6, "stride": 4, "barriers": 23})
    report = REPORT.model_copy(update={"communicators": (*many, last)})
    text = "\n".join(line.plain for line in exit_skew_lines(summarise_exits(exits, report), report, 100))
    assert "Exit skew of c1 " not in text
    assert "Exit skew of c2  3 barriers, in µs, after the first process to leave" in text
    assert "Exit skew of communicator 5  6 barriers, every 4th of 23, in µs" in text
    assert text.endswith("Not shown: 2 more communicators and 2 more processes (--json has all).")
    one = log({(0, 0): [0.0]})
    assert "Not shown" not in "\n".join(map(str, exit_skew_lines(summarise_exits(one, REPORT), REPORT, 100)))
