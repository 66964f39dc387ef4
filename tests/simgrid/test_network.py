"""`ictus network` on a simulated platform, against what the platform says of itself."""

import pytest

from ictus.api import study
from ictus.model.platform import parse_platform
from ictus.mpi.build import Build
from ictus.studies.network.analysis import BETWEEN, INSIDE, summarise
from ictus.studies.network.record import NetworkDocument

pytestmark = pytest.mark.engine("simgrid")

PLATFORM = "two-level(ranks_per_host=2,latency=5us,bandwidth=4Gi,local_latency=700ns,jitter=0,tail_share=0)"


def test_latencies_and_bandwidths_are_those_of_the_platform(simgrid: Build) -> None:
    """Between hosts L is 5 us and a byte takes 1 / 4 GiB/s; inside a host L is 0.7 us, and what several messages take
    at once is no gap. Two streams that leave one host share its link; a lone one has it. Nothing is said of noise.
    """
    answer = study("network", platform=PLATFORM, processes=(4,), launches=2, repeats=4, matchings=6)
    assert isinstance(answer, NetworkDocument)
    truth, found = parse_platform(PLATFORM), summarise(answer)
    links = {link.kind: link.lines[0] for link in found.links}
    for kind, latency in ((INSIDE, truth.local_latency_s), (BETWEEN, truth.latency_s)):
        assert links[kind].latency_s is not None
        assert links[kind].latency_s.mean == pytest.approx(latency, rel=0.02)
        assert links[kind].overhead_s.mean == pytest.approx(0, abs=latency / 100)
    assert links[BETWEEN].gap_per_byte_s.mean == pytest.approx(1 / truth.bandwidth, rel=0.05)
    bisection = {one.kind: one for one in found.bisection}
    between = bisection[BETWEEN]
    assert between.alone is not None
    assert between.alone.mean == pytest.approx(truth.bandwidth, rel=0.05)
    assert between.slowest == pytest.approx(truth.bandwidth / 2, rel=0.05)
    assert found.noise == ()
