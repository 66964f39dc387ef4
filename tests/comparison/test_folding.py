"""Long operations fold on a terminal, and say so."""

from pathlib import Path

from tests.synthetic import Scenario, write_folder

from ictus.comparison.answer import comparison_lines
from ictus.comparison.comparison import compare
from ictus.comparison.folding import fold_note, folded
from ictus.store.campaign import load

SIZES = tuple(2**power for power in range(3, 13))


def _latency(label: str, operation: str, size: int) -> float:
    """Openmpi is 20 % faster in a broadcast up to 64 B, 20 % slower above; of allreduce nothing is decided so early."""
    factor = {"openmpi": 0.8 if size <= 64 else 1.2}.get(label, 1.0)
    return (1e-6 + size / 4e9) * factor * (2 if operation == "allreduce" else 1)


def test_only_ends_and_changes_of_a_verdict_are_shown(tmp_path: Path) -> None:
    """Of ten sizes the first, the last and both beside the change; six and fewer are left alone."""
    folder = write_folder(tmp_path / "long", Scenario(sizes=SIZES, operations=("bcast",), latency=_latency, nrep=20))
    found = compare(load(folder))
    assert [row.outcome for row in found.rows] == ["slower"] * 4 + ["faster"] * 6
    shown = folded(found.rows)
    assert [row.case["size_bytes"] for row in shown] == [8, 64, 128, 4096]
    assert fold_note(shown, found.rows, "x").startswith("4 of 10 cases are shown. Hidden sizes have the same verdict")
    assert folded(found.rows[:6]) == list(found.rows[:6])
    assert fold_note(found.rows, found.rows, "x") == ""
    whole, short = ("\n".join(map(str, comparison_lines(found, fold=fold))) for fold in (False, True))
    assert ("  16 B" in whole, "  16 B" in short) == (True, False)
    assert whole.startswith("mpich is faster than openmpi in 6 of 10 cases and slower in 4.\n")
