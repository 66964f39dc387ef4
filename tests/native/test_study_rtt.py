"""`ictus-bench clocks rtt`, launched for real, against the offsets that its clocks have."""

from itertools import combinations
from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES
from tests.native.study_launches import DRIFTING, clocks, document, skew

from ictus.studies.rtt.record import RoundTripAnswer

pytestmark = pytest.mark.mpi


@pytest.mark.parametrize("label", LIBRARIES)
def test_every_pair_shows_the_offset_of_its_clocks(label: str, tmp_path: Path) -> None:
    """Three ranks, three pairs; each offset is right within half its round trip, and clocks drift meanwhile."""
    found = document(label, 3, "rtt", "--clock", DRIFTING, "--exchanges", "20", folder=tmp_path)
    assert [(one["reference"], one["client"]) for one in found["pairs"]] == list(combinations(range(3), 2))
    for one in found["pairs"]:
        client, reference = skew(one["client"]), skew(one["reference"])
        drift = client.drift - reference.drift
        offset = client.offset_s - reference.offset_s
        lasted = one["elapsed_s"][-1]
        assert one["elapsed_s"] == sorted(one["elapsed_s"])
        assert len(one["rtt_s"]) == 20
        quickest = min(range(20), key=lambda i: one["rtt_s"][i])
        shown = [value - one["offset_s"][quickest] for value in one["offset_s"]]
        for value, rtt in zip(shown, one["rtt_s"], strict=True):
            assert abs(value) <= rtt / 2 + one["rtt_s"][quickest] / 2 + abs(drift) * lasted + 1e-9
        # Clocks drift from the launch's begin on, which was seconds before.
        assert one["offset_s"][quickest] == pytest.approx(offset, abs=abs(drift) * 30)


def test_many_exchanges_are_read_as_few_are(tmp_path: Path) -> None:
    """The core writes lists of 256 numbers and more as the bytes of an array, which the commands could not read."""
    written = document("mpich", 2, "rtt", "--exchanges", "300", folder=tmp_path)
    assert not isinstance(written["pairs"][0]["rtt_s"], list)
    (pair,) = RoundTripAnswer.model_validate(written).pairs
    assert pair.rtt_s.shape == pair.offset_s.shape == pair.elapsed_s.shape == (300,)
    assert (pair.rtt_s > 0).all()
    assert (pair.elapsed_s[1:] >= pair.elapsed_s[:-1]).all()


def test_named_ranks_are_the_only_pairs(tmp_path: Path) -> None:
    """Two of three; a rank that there is not ends the launch with its number."""
    found = document("mpich", 3, "rtt", "--of", "2,0", "--exchanges", "5", folder=tmp_path)
    assert [(one["reference"], one["client"]) for one in found["pairs"]] == [(0, 2)]
    ended = clocks("mpich", 2, "rtt", "--of", "0,7", folder=tmp_path)
    assert ended.exit_code != 0
    assert "option 'of': there is no rank 7; ranks are 0 to 1" in ended.error
