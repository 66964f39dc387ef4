"""`ictus-bench network state`, launched for real: its lists fit together, and times are of this machine."""

from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES
from tests.native.study_launches import document

from ictus.engine.measured_hosts import states_of
from ictus.studies.network.record import NetworkAnswer

pytestmark = pytest.mark.mpi

SMALL = ("--sizes", "1,64,1Ki,64Ki", "--train", "4", "--repeats", "3", "--matchings", "2", "--quanta", "20")


@pytest.mark.parametrize("label", LIBRARIES)
def test_links_matchings_and_noise_of_three_ranks(label: str, tmp_path: Path) -> None:
    """Every pair is a link of one distance; of three ranks one is idle in each matching; every rank has its noise, and
    the state of its host is read as that of an allocation is.
    """
    raw = document(label, 3, "state", *SMALL, folder=tmp_path, topic="network")
    found = NetworkAnswer.parse(raw, "network.json")
    assert {(link.sender, link.receiver) for link in found.links} == {(0, 1), (0, 2), (1, 2)}
    assert {link.shared for link in found.links} <= {"cache", "socket", "host"}
    link = found.links[0]
    assert found.sizes_bytes == (1, 64, 1024, 65536)
    for single, train, delayed, waited in zip(link.single_s, link.train_s, link.delayed_s, link.waited_s, strict=True):
        for one, four, late, wait in zip(single, train, delayed, waited, strict=True):
            assert one > 0
            assert four > 0
            assert 3 * one <= wait < late  # three delays, each of a single round trip or more
    assert len(found.matchings) == 2
    for matching in found.matchings:
        assert len(matching.stream_s) == 1
        assert matching.sender != matching.receiver
        assert matching.stream_s[0] > 0
        assert matching.alone_s is not None
        assert matching.alone_s > 0
    assert found.noise.units > 1000
    for least, middle, largest in zip(found.noise.least_s, found.noise.median_s, found.noise.largest_s, strict=True):
        assert 1e-5 < least <= middle <= largest
    (state,) = states_of(raw, pinned=False)
    assert len(state.ranks) == 3
    assert state.kernel.startswith("Linux")
    assert state.library != "unknown"
    assert state.shm_bytes is not None
    assert state.others is not None
