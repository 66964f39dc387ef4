"""`ictus-bench communicators creation`, launched for real: what it measures of which division, and what it frees."""

from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES
from tests.native.study_launches import clocks, document

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

TOPIC = "communicators"


@pytest.mark.parametrize("label", LIBRARIES)
def test_every_call_is_measured_with_every_number_of_groups(label: str, tmp_path: Path) -> None:
    """Three ranks: in one group, in two (of which one has two ranks), each alone. The core itself looks at size and
    rank of what the calls make, and would end the launch.
    """
    found = document(label, 3, "creation", "--nrep", "5", folder=tmp_path, topic=TOPIC)
    measured = {(one["call"], one["groups"]): one for one in found["creations"]}
    divided = [(call, groups) for call in ("split", "create", "create-group") for groups in (1, 2, 3)]
    assert list(measured) == [*divided, ("dup", 1), ("split-type", 1)]
    assert {groups: measured["split", groups]["largest"] for groups in (1, 2, 3)} == {1: 3, 2: 2, 3: 1}
    assert measured["split-type", 1]["largest"] == 3
    for one in found["creations"]:
        assert len(one["makespan_s"]) == one["valid"] <= one["attempted"]
        assert all(0 < time < found["elapsed_s"] for time in one["makespan_s"])


@pytest.mark.few(1)
@pytest.mark.parametrize("label", LIBRARIES)
def test_a_call_lasts_from_the_first_begin_to_the_last_end(label: str, tmp_path: Path) -> None:
    """Rank 1 arrives 50 ms later: so long lasts also what each rank, in a group of its own, has done at once. A
    repetition in which rank 0 was held up is shorter.
    """
    late = ("--procsync", "arrival(size=50ms)", "--nrep", "5", "--groups", "2", "--calls", "create-group")
    found = document(label, 2, "creation", *late, folder=tmp_path, topic=TOPIC)
    (one,) = found["creations"]
    assert max(one["makespan_s"]) >= 0.045


@pytest.mark.few(1)
@pytest.mark.parametrize("label", LIBRARIES)
def test_communicators_are_freed_between_calls(label: str, tmp_path: Path) -> None:
    """MPICH has some 2,000 context identifiers: without a free the launch would end."""
    words = ("--calls", "split", "--groups", "1", "--nrep", "3000")
    found = document(label, 2, "creation", *words, folder=tmp_path, topic=TOPIC)
    assert found["creations"][0]["attempted"] >= 3000


def test_more_groups_than_ranks_are_refused(tmp_path: Path) -> None:
    """With the numbers."""
    ended = clocks("mpich", 2, "creation", "--groups", "1,3", folder=tmp_path, topic=TOPIC)
    assert ended.exit_code != 0
    assert "option 'groups': 3 groups need as many ranks, and there are 2" in ended.error
