"""Persistent collectives: from which call on they are ahead, what their making takes, and a study in a simulated world
of known costs.
"""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from tests.command_line import Answer, Ictus

from ictus.model.errors import UsageError
from ictus.studies.persistent.analysis import PersistentLaunch, ahead_from, request_s, summarise
from ictus.studies.persistent.forms import both_forms
from ictus.studies.persistent.tables import sentences

BCAST = {"operation": "bcast", "size_bytes": 8, "n": 2}


@pytest.mark.parametrize(
    ("set_up_s", "blocking_s", "persistent_s"),
    [(6.0, 3.0, 1.0), (7.0, 3.0, 1.0), (0.25, 4.0, 3.0), (100.0, 2.0, 1.875)],
)
def test_it_is_the_first_call_after_which_the_sum_is_smaller(
    set_up_s: float, blocking_s: float, persistent_s: float
) -> None:
    """By adding up call after call, exactly; where both sums are equal, it is not ahead yet."""
    blocking, persistent, calls = Fraction(0), Fraction(set_up_s), 0
    while calls == 0 or persistent >= blocking:
        calls, blocking, persistent = calls + 1, blocking + Fraction(blocking_s), persistent + Fraction(persistent_s)
    assert ahead_from(set_up_s, blocking_s, persistent_s) == calls


def test_it_is_never_ahead_where_its_calls_are_no_faster() -> None:
    """Equal calls do not pay even for a making that takes nothing; neither do those that gain less than can be told."""
    assert ahead_from(0.0, 2.0, 2.0) is None
    assert ahead_from(0.0, 2.0, 2.5) is None
    assert ahead_from(1.0, math.ulp(0.0), 0.0) is None
    assert ahead_from(0.0, 2.0, 1.0) == 1


def test_what_the_blocking_form_makes_too_is_not_its_making() -> None:
    """A topology belongs to both forms of a neighbourhood collective, however long either took."""
    assert request_s("topology=0.5,request=0.25", "topology=0.75") == 0.25
    assert request_s("request=0.25", "") == 0.25
    assert request_s("topology=0.5", "topology=0.75") is None
    assert request_s("", "") is None


def test_launches_are_summed_up_by_medians_and_compared_in_pairs() -> None:
    """Launches differ by a factor of 8, the persistent call takes 3/4 in each: the ratio is certain. By the medians of
    six launches, 3.5 times as long as the first, 7 / (3.5 - 2.625) = 8: equal after 8 calls, ahead from 9 on.
    """
    launches = [PersistentLaunch(2.0 * scale, 1.0 * scale, 0.75 * scale) for scale in (1, 2, 3, 4, 6, 8)]
    row = summarise("mpich", BCAST, launches)
    assert (row.set_up.median, row.blocking.median, row.persistent.median) == (7.0, 3.5, 2.625)
    assert (row.ratio.ratio, row.ratio.low, row.ratio.high) == pytest.approx((0.75, 0.75, 0.75))
    assert (row.ahead_from, row.is_faster, row.is_slower) == (9, True, False)


def test_too_few_launches_show_nothing() -> None:
    """Of 3 launches there is no interval."""
    row = summarise("mpich", BCAST, [PersistentLaunch(2.0, 1.0, 0.75)] * 3)
    assert (row.is_faster, row.is_slower) == (False, False)
    assert sentences([row]) == (
        "In 1 of 1 case it is not shown whether calls of the persistent form are faster.",
        "3 launches can never decide 1 case; at least 6 are needed.",
    )


def test_each_collective_is_measured_in_both_forms_once() -> None:
    """Whichever form is named, in whatever spelling; arguments stay. What has no persistent form is refused."""
    both = ["bcast", "bcast_init"]
    assert both_forms(["bcast"]) == both_forms(["MPI_Bcast_init", "ibcast"]) == both
    grid = "(cartesian(1))"
    assert both_forms([f"neighbor_alltoall{grid}"]) == [f"neighbor_alltoall{grid}", f"neighbor_alltoall_init{grid}"]
    assert both_forms(["all"]) == ["all"]
    with pytest.raises(UsageError, match="'put' has no persistent form"):
        both_forms(["bcast", "put"])


WORLD = {
    "factors": {"mpich": 1.0, "openmpi": 1.0},
    "startup_s": 1e-6,
    "bandwidth": 1e12,
    "set_ups_s": {"allreduce_init": 1e-5, "bcast_init": 1e-5},
    "operation_factors": {"allreduce_init": 0.5, "bcast_init": 1.25},
}
"""Without noise: a call of 1 us or a little more, half as long in the persistent form of MPI_Allreduce, longer in that
of MPI_Bcast.
"""


def study(ictus: Ictus, *words: str) -> Answer:
    """Of two simulated libraries."""
    Path("world.json").write_text(json.dumps(WORLD))
    simulated = ("--launcher", "simulated", "--scenario", "world.json", "-m", "mpich", "-m", "openmpi", "-n", "2")
    return ictus("persistent", *simulated, "--launches", "6", "--nrep", "20", "--seed", "7", *words)


@pytest.mark.figures
def test_a_study_finds_the_planted_costs(ictus: Ictus) -> None:
    """10 us are paid by 0.5 us a call, of 8 B and 1 TB/s a little more, after 20 calls at most; bcast never pays."""
    answer = study(ictus, "--sizes", "8,1Ki", "-o", "camp")
    assert answer.code == 0, answer.err
    rows = json.loads(ictus("persistent", "camp", "--json").out)["rows"]
    assert len(rows) == 8
    for row in rows:
        operation, moved = row["case"]["operation"], row["case"]["size_bytes"]
        call_s, factor = 1e-6 + moved / 1e12, WORLD["operation_factors"][f"{operation}_init"]  # type: ignore[index]
        assert row["launches"] == 6
        assert (row["set_up_s"], row["blocking_s"], row["persistent_s"]) == pytest.approx(
            (1e-5, call_s, factor * call_s)
        )
        assert row["ratio"] == pytest.approx(factor)
        assert row["ahead_from"] == (math.floor(1e-5 / (call_s / 2)) + 1 if operation == "allreduce" else None)
    said = " ".join(answer.out.split())
    assert "In 4 of 8 cases the persistent form is ahead: from call 20 on with MPI_Allreduce of 8 B, mpich." in said
    assert "In 4 of 8 cases the persistent form is never ahead, because its calls are slower" in said
    assert (Path("camp") / "persistent.html").read_text("utf-8").count('role="img"') == 4


def test_what_cannot_be_measured_or_shown_is_refused(ictus: Ictus) -> None:
    """An operation without a persistent form, before anything is measured; a campaign of one form alone."""
    answer = study(ictus, "--op", "put", "-o", "none")
    assert answer.code == 2
    assert "--op 'put': 'put' has no persistent form" in " ".join(answer.err.split())
    assert not Path("none").exists()
    simulated = ("--launcher", "simulated", "--scenario", "world.json", "-m", "mpich", "-n", "2")
    assert ictus("run", *simulated, "--op", "bcast", "--sizes", "8", "--launches", "1", "-o", "plain").code == 0
    refused = ictus("persistent", "plain")
    assert refused.code == 2
    assert "`--op bcast,bcast_init` measures both" in refused.err
