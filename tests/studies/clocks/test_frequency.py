"""Stated against calibrated frequencies."""

import pytest
from tests.clock_documents import frequency

from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.frequency.analysis import reference, summarise

GHZ = 2e9


def study(stated, calibrated, per_rank):
    """Study frequency as it is read."""
    return ClocksStudy.parse(frequency(stated, calibrated, per_rank), "test").frequency[0]


def test_errors_are_relative_to_what_is_stated() -> None:
    """8000 Hz of 2 GHz are 4 ppm, the papers' error of Netgauge's routine."""
    made = summarise(study(GHZ, [[GHZ, GHZ]], [[GHZ + 8000, GHZ + 2000]]))
    by_source = {one.source: one for one in made}
    netgauge = by_source["calibrated-per-rank"]
    assert (netgauge.worst, netgauge.error) == pytest.approx((4e-6, 2.5e-6))
    assert (by_source["stated"].worst, by_source["stated"].duration_s) == (0.0, None)
    assert by_source["model name"].error == pytest.approx(0.05)  # 2.1 GHz in its name
    assert by_source["calibrated"].worst == 0.0


def test_ranks_of_one_repeat_run_apart_by_their_difference() -> None:
    """Repeat 1: +1 and -2 ppm are 3 apart; repeat 2: +4 and +3.5. The whole range, 6 ppm, happens in no repeat."""
    rows = [[GHZ * (1 + 1e-6), GHZ * (1 + 4e-6)], [GHZ * (1 - 2e-6), GHZ * (1 + 3.5e-6)]]
    netgauge = summarise(study(GHZ, [[GHZ], [GHZ]], rows))[-1]
    assert netgauge.apart == pytest.approx(3e-6, rel=1e-6)
    assert (netgauge.ranks, netgauge.repeats) == (2, 2)


def test_the_worst_error_keeps_its_sign() -> None:
    """-5 is worse than +4."""
    rows = [[GHZ * (1 + 4e-6), GHZ * (1 - 5e-6)]]
    assert summarise(study(GHZ, [[GHZ]], rows))[-1].worst == pytest.approx(-5e-6)


def test_where_nothing_is_stated_the_longest_calibration_is_the_reference() -> None:
    """`calibrated` over 0.1 s, median of its repeats; Netgauge's is under trial and never the judge."""
    found = reference(study(None, [[GHZ, GHZ + 2000, GHZ + 1000]], [[GHZ + 9000]]))
    assert found.hz == GHZ + 1000
    assert found.source == "median of 'calibrated' over 0.1 s"


def test_without_any_frequency_there_is_no_reference() -> None:
    """An error, never a guess."""
    with pytest.raises(ValueError, match="no frequency"):
        reference(study(None, [[]], [[]]))
