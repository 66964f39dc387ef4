"""clocks.json as it is read."""

import pytest
from tests.clock_documents import accuracy, drift

from ictus.model.errors import MeasurementError
from ictus.studies.clock_drift.analysis import summarise
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.clocks.setting import where_text


def document():
    """Four ranks, one algorithm, one wait."""
    return accuracy(4, (0,), [("hca3", 0.5, 12, [[0, 1, -2, 3]], [[0, 4, 4, 4]])])


def test_a_launch_and_a_list_of_launches_read_the_same() -> None:
    """What the core wrote can be read without Ictus having been there."""
    alone = ClocksStudy.parse(document(), "a")
    listed = ClocksStudy.parse({"format": 1, "study": "pareto", "launches": [document()]}, "b")
    assert alone.accuracy == listed.accuracy
    assert (alone.study, listed.study) == ("accuracy", "pareto")


def test_matrices_become_steps_of_the_checked_ranks() -> None:
    """Rank 0 is the reference and no finding."""
    (run,) = ClocksStudy.parse(document(), "a").runs
    (step,) = run.steps
    assert step.ranks == (1, 2, 3)
    assert step.error_s == pytest.approx((1e-6, -2e-6, 3e-6))
    assert step.bound_s == pytest.approx((4e-6, 4e-6, 4e-6))
    assert step.doubt_s == (0.0, 0.0, 0.0)


def test_the_computed_truth_wins_over_the_ping_pong() -> None:
    """Where both are there, the check that cannot err is the judge."""
    both = document()
    both["synchronisations"][0]["ping_pong"] = {
        "waited_s": [[0] * 4],
        "error_s": [[None, 9e-6, 9e-6, 9e-6]],
        "half_width_s": [[None, 1e-6, 1e-6, 1e-6]],
        "bound_s": None,
    }
    (run,) = ClocksStudy.parse(both, "a").runs
    assert run.steps[0].error_s == pytest.approx((1e-6, -2e-6, 3e-6))


def test_the_setting_names_hosts_clock_and_library() -> None:
    """Two ranks a host."""
    (setting,) = ClocksStudy.parse(document(), "a").settings
    assert setting.hosts == ("n0", "n0", "n1", "n1")
    assert (setting.n_hosts, setting.label, setting.library) == (2, "mpich", "MPICH Version: 5.0.2")


@pytest.mark.parametrize(
    ("hosts", "names", "nodes", "said"),
    [
        ((0, 0, 1, 1), "aaaa", "aaaa", "2 hosts"),  # namespaces of one name
        ((0, 0, 0, 0), "aaaa", "aaaa", "1 host"),
        ((0, 0, 0, 0), "aaaa", "xxyy", "2 nodes of 1 host"),  # two node daemons
        ((0, 0, 1, 1), "aabb", "wxyz", "4 nodes of 2 hosts"),
        ((0, 0, 1, 1), "aabb", "    ", "2 hosts"),  # an older file
    ],
)
def test_nodes_are_counted_as_the_batch_system_names_them_and_hosts_by_memory(
    hosts: tuple[int, ...], names: str, nodes: str, said: str
) -> None:
    """Not by the names of hosts, which several may share."""
    one = document()
    one["places"]["host"] = list(hosts)
    one["ranks"] = [{"rank": i, "host": names[i], "node": nodes[i].strip()} for i in range(4)]
    assert where_text(ClocksStudy.parse(one, "a").settings) == said


@pytest.mark.parametrize("key", ["study", "places", "synchronisations", "truth"])
def test_a_missing_key_is_named_with_its_file(key: str) -> None:
    """MeasurementError: the file is damaged, nobody typed it."""
    broken = document()
    del broken[key]
    with pytest.raises(MeasurementError, match=rf"clocks\.json: key '{key}' is missing"):
        ClocksStudy.parse(broken, "clocks.json")


def test_a_study_that_is_not_known_says_so() -> None:
    """Of a later version, perhaps."""
    with pytest.raises(MeasurementError, match="study 'weather' is none of accuracy, drift, frequency"):
        ClocksStudy.parse({**document(), "study": "weather"}, "clocks.json")


def test_a_drift_keeps_the_lines_of_its_windows() -> None:
    """Each rank with its own."""
    (launch,) = ClocksStudy.parse(drift({1: (0, 2, 4), 2: (0, 3, 6)}), "a").drift
    assert [(one.rank, one.slope) for one in summarise(launch)] == [
        (1, pytest.approx(2e-6)),
        (2, pytest.approx(3e-6)),
    ]


def test_launches_that_differ_in_nothing_are_repeats_of_one() -> None:
    """An algorithm a launch, three launches: two repeats of the first algorithm, one of the other, one barrier."""
    made = [accuracy(2, (0,), [(name, 1.0, 10, [[0, error]], None)]) for name, error in (("a", 1), ("b", 2), ("a", 3))]
    for number, document in enumerate(made):
        document["barrier"]["mean_s"] = number * 1e-6
    (launch,) = ClocksStudy.parse({"format": 1, "study": "accuracy", "launches": made}, "x").accuracy
    assert [(run.algorithm, run.repeat) for run in launch.runs] == [("a", 0), ("b", 0), ("a", 1)]
    assert launch.barrier_s == pytest.approx(1e-6)


def test_a_check_that_came_late_says_so() -> None:
    """Asked for at 1 s, performed at 6 s; a hundredth of a second later than asked for is no matter."""
    late = accuracy(2, (1, 5), [("a", 1.0, 10, [[0, 1], [0, 2]], None)], truth="ping-pong")
    late["synchronisations"][0]["ping_pong"]["waited_s"] = [[None, 6.0], [None, 5.01]]
    (run,) = ClocksStudy.parse(late, "x").runs
    assert [(step.waited_s, step.late) for step in run.steps] == [(6.0, True), (5.01, False)]


def test_algorithms_come_in_the_order_asked_for() -> None:
    """The core measures them in shuffled order."""
    shuffled = accuracy(2, (0,), [("a", 1.0, 10, [[0, 1]], None), ("b", 1.0, 10, [[0, 1]], None)])
    shuffled["synchronisations"].reverse()
    assert [run.algorithm for run in ClocksStudy.parse(shuffled, "x").runs] == ["a", "b"]


def test_simulated_hosts_are_told_apart_by_their_places() -> None:
    """All simulated ranks run in one process: what that one's host is called is no matter."""
    simulated = {**document(), "simulated": True, "ranks": [{"rank": rank, "host": "here"} for rank in range(4)]}
    (setting,) = ClocksStudy.parse(simulated, "x").settings
    assert (setting.hosts, setting.n_hosts) == (("host0", "host0", "host1", "host1"), 2)
