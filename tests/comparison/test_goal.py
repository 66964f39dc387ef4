"""A precision goal in sentences."""

from ictus.comparison.goal import GoalReached, GoalRow, goal_sentences
from ictus.model.goal import Goal
from ictus.store.journal import GoalProgress

CASE = {"operation": "bcast", "size_bytes": 64, "n": 2}


def row(half_width: float | None, launches: int) -> GoalRow:
    """One interval."""
    return GoalRow(CASE, "mpich", half_width, launches, reached=False)


def test_what_has_no_interval_yet_is_not_called_na() -> None:
    """Five launches have no 95 % interval of a median: that is why, and more of them is what helps."""
    rows = (row(None, 5), row(None, 0), row(0.042, 9))
    found = GoalReached(Goal("median", 0.01), 0.95, GoalProgress("budget", 30.0, 30.0), rows)
    _, missed = goal_sentences(found)
    assert missed == (
        "Not reached: mpich MPI_Bcast 64 B n=2 no interval yet (5 launches: too few), mpich MPI_Bcast 64 B n=2 no "
        "valid sample, mpich MPI_Bcast 64 B n=2 4.2 % after 9 launches."
    )
