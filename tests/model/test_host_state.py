"""The checks of hosts: each finds what it is for, and is silent on a host that is in order."""

import math
from dataclasses import replace

import numpy as np
import pytest

from ictus.model.host_checks import check_hosts
from ictus.model.host_state import MIB, HostState, needed_shm, others_cores

PAIRS = tuple(frozenset({cpu, cpu + 4}) for cpu in range(4))
"""Four cores of two threads."""
FINE = HostState(
    name="n1",
    cpu_model="Chip 9000",
    kernel="Linux 6.1",
    library="MPI 1\nbuilt today",
    governor="performance",
    turbo="off",
    smt="on",
    clocksource="tsc",
    tsc_invariant=True,
    huge_pages="madvise",
    shm_bytes=1 << 33,
    siblings=PAIRS,
    ranks=PAIRS,
    others=0.1,
)


def subjects(*hosts: HostState) -> list[tuple[str, str]]:
    """Levels and subjects."""
    return [(one.level, one.subject) for one in check_hosts(hosts)]


def test_hosts_in_order_and_hosts_that_say_nothing_have_no_findings() -> None:
    """Unknown is no fault."""
    assert subjects(FINE, replace(FINE, name="n2")) == []
    assert subjects(HostState("n1")) == []
    assert subjects(FINE, HostState("n2")) == []


@pytest.mark.parametrize(
    ("change", "level", "subject", "state"),
    [
        ({"governor": "powersave"}, "warning", "governor", "frequency governor powersave"),
        ({"turbo": "on"}, "advice", "turbo", "turbo is on"),
        ({"tsc_invariant": False}, "warning", "clock", "the time stamp counter is not invariant"),
        ({"clocksource": "hpet"}, "warning", "clock", "the kernel's clock source is hpet"),
        ({"huge_pages": "always"}, "advice", "huge pages", "transparent huge pages always"),
        (
            {"shm_bytes": 40 * MIB},
            "error",
            "shared memory",
            "40 MiB of shared memory, where 4 ranks should have 48 MiB",
        ),
        ({"quota_cpus": 1.5, "container": "docker"}, "warning", "quota", "limits us to 1.50 CPUs (container: docker)"),
        ({"others": 1.2}, "warning", "load", "others used 1.2 cores beside 4 ranks"),
        ({"others": 3.5, "ranks": (PAIRS[0],)}, "warning", "load", "others used 3.5 cores beside 1 rank"),
        ({"ranks": (frozenset({0}), frozenset({4}))}, "warning", "hyperthreads", "2 ranks share cores"),
        ({"ranks": (*PAIRS[:3], frozenset({3}), frozenset({7}))}, "warning", "hyperthreads", "2 ranks share cores"),
        ({"ranks": (frozenset(range(8)),) * 2}, "warning", "pinning", "2 of 2 ranks may move between cores"),
        ({"ranks": (frozenset({0, 4}),) * 3}, "warning", "oversubscription", "3 ranks on 2 CPUs take turns"),
    ],
)
def test_each_fault_is_found_alone(change: dict[str, object], level: str, subject: str, state: str) -> None:
    """One fault, one finding, that says what it does and how to mend it."""
    (found,) = check_hosts([replace(FINE, **change)])  # type: ignore[arg-type]
    assert (found.level, found.subject) == (level, subject)
    assert state in found.state
    assert found.sentence == f"host n1: {found.state}: {found.effect}; {found.remedy}"


def test_ranks_that_were_not_to_be_pinned_are_no_finding() -> None:
    """It was asked for."""
    loose = replace(FINE, ranks=(frozenset(range(8)),) * 2)
    assert subjects(replace(loose, pinned=False)) == []


def test_others_beside_few_ranks_matter_when_they_are_more_than_a_tenth_of_the_cores() -> None:
    """Two ranks on a host of 40 cores: 3 cores of others leave enough, 5 take bandwidth."""
    cores = tuple(frozenset({cpu}) for cpu in range(40))
    host = replace(FINE, siblings=(), ranks=(frozenset(range(20)), frozenset(range(20, 40))), pinned=False)
    assert len(cores) == host.cores
    assert subjects(replace(host, others=3.0)) == []
    assert subjects(replace(host, others=5.0)) == [("warning", "load")]


@pytest.mark.parametrize(
    ("key", "value", "subject", "said"),
    [
        ("cpu_model", "Chip 8000", "processors", "Chip 8000 here, Chip 9000 on 2 of 3 hosts"),
        ("kernel", "Linux 5.9", "kernels", "Linux 5.9 here, Linux 6.1 on 2 of 3 hosts"),
        ("library", "MPI 2\nbuilt long ago", "MPI libraries", "MPI 2 here, MPI 1 on 2 of 3 hosts"),
        ("smt", "off", "hyperthreading", "off here, on on 2 of 3 hosts"),
    ],
)
def test_what_differs_names_the_hosts_that_differ_from_most(key: str, value: str, subject: str, said: str) -> None:
    """Of three hosts one."""
    odd = replace(FINE, name="n3", **{key: value})  # type: ignore[arg-type]
    (found,) = check_hosts([FINE, replace(FINE, name="n2"), odd])
    assert (found.subject, found.state, found.hosts) == (subject, said, ("n3",))


def test_one_fault_of_many_hosts_is_one_finding() -> None:
    """With the first hosts by name, and how many more."""
    hosts = [replace(FINE, name=f"n{number}", governor="powersave") for number in range(20)]
    (found,) = check_hosts(hosts)
    assert found.where == "hosts n0, n1, n2 and 17 more"


def test_errors_come_before_warnings_and_those_before_advice() -> None:
    """Whatever the order of checks."""
    host = replace(FINE, turbo="on", governor="powersave", shm_bytes=1)
    assert [level for level, _ in subjects(host)] == ["error", "warning", "advice"]


def test_a_host_is_read_from_the_facts_of_a_launch() -> None:
    """Facts that an earlier version did not record are unknown."""
    kind = {"cpu_model": "Chip", "siblings": ["0,2", "1,3"], "shm_bytes": None, "governor": None}
    host = HostState.of("n1", kind, ["0-1", "2,3", "0-1"], pinned=True, others=None)
    assert (host.cpu_model, host.governor, host.shm_bytes, host.tsc_invariant) == ("Chip", "unknown", None, None)
    assert host.siblings == (frozenset({0, 2}), frozenset({1, 3}))
    assert host.ranks == (frozenset({0, 1}), frozenset({2, 3}), frozenset({0, 1}))
    assert host.cores == 2


def test_cores_of_others_are_what_ranks_did_not_use() -> None:
    """4.04 s of CPU time in 2 s, of which two ranks had 3 s, and four counters 10 ms too much each: half a core."""
    assert others_cores(4.04, 3.0, 2.0, 2) == pytest.approx(0.5)
    assert others_cores(2.9, 3.0, 2.0, 2) == 0.0
    assert others_cores(None, 3.0, 2.0, 2) is None


@pytest.mark.parametrize("elapsed_s", [0.004, 0.05, 0.08, 0.3, 5.0])
def test_ranks_that_are_alone_have_no_others_however_short_they_run(elapsed_s: float) -> None:
    """Two ranks fill their CPUs, a part of the time in the kernel; the four counters show whole ticks, and the window
    begins anywhere in a tick.
    """
    drawn = np.random.default_rng(7)
    for _ in range(500):
        user_s = drawn.random(2) * elapsed_s
        ends = [(begin, begin + spent) for spent in (*user_s, *(elapsed_s - user_s)) for begin in drawn.random(1) * 9]
        busy_s = sum(math.floor(end * 100) - math.floor(begin * 100) for begin, end in ends) / 100
        assert others_cores(busy_s, 2 * elapsed_s, elapsed_s, 2) == pytest.approx(0.0, abs=1e-9)


def test_shared_memory_that_is_needed_grows_with_ranks() -> None:
    """As preflight says it: 80 MiB for 8 ranks."""
    assert needed_shm(8) == 80 * MIB
