"""--clock-domain: which ranks are said to read one counter, what was found, and how it is said."""

from pathlib import Path

import pytest
from tests.native.launching import EITHER, LIBRARIES
from tests.native.test_ictus_bench import Measured, bench, measure

pytestmark = pytest.mark.mpi

CASE = "case id=0 op=barrier size=0 nrep=20 procsync=barrier\n"


def launched(
    label: str, n_ranks: int, folder: Path, *, clock: str, domain: str, more: str = "", case: str = CASE
) -> Measured:
    """A launch of one small case on one host."""
    head = f"launch ranks={n_ranks} clock={clock} clock-domain={domain} {more} output={{output}}\n"
    return measure(label, n_ranks, folder, head + case)


def said(got: Measured) -> list[str]:
    """The warnings about clock domains."""
    return [warning for warning in got.launch["warnings"] if warning.startswith("clock domain")]


@pytest.mark.parametrize("label", EITHER)
@pytest.mark.parametrize("domain", ["auto", "host", "rank"])
def test_ranks_of_one_counter_are_one_domain_unless_each_is_said_to_be_its_own(
    domain: str, label: str, tmp_path: Path
) -> None:
    """launch.json has the option and what was found: each rank's leader."""
    got = launched(label, 3, tmp_path, clock="monotonic", domain=domain)
    assert got.launch["options"]["clock-domain"] == domain
    assert got.launch["clock"]["domain_leader"] == ([0, 1, 2] if domain == "rank" else [0, 0, 0])
    assert said(got) == []


@pytest.mark.parametrize("label", LIBRARIES)
def test_a_false_claim_is_split_and_said_with_ranks_and_offset(label: str, tmp_path: Path) -> None:
    """Clocks tens of milliseconds apart that are said to be one: measured all the same, each rank for itself."""
    clock = "skewed(base=monotonic,offset=100ms,drift=0,seed=1)"
    got = launched(label, 3, tmp_path, clock=clock, domain="host", more="clocksync=ictus(fitpoints=20,span=20ms)")
    assert got.launch["clock"]["domain_leader"] == [0, 1, 2]
    (warning,) = said(got)
    assert warning.startswith("clock domain split: ranks 1 and 2 do not read the clock of rank 0 (")
    assert " ms apart); --clock-domain rank assumes no shared clock" in warning
    assert got.launch["blocks"][0]["closing"]["residual_max_s"] < 1e-3, "the clocks were synchronised"


@pytest.mark.parametrize("label", EITHER)
def test_what_is_known_to_differ_is_not_claimed(label: str, tmp_path: Path) -> None:
    """A skew of each rank's own is no common clock; one of each host is."""
    clock = "skewed(base=monotonic,offset=100ms,drift=20ppm,scope={})"
    apart = launched(label, 2, tmp_path, clock=clock.format("rank"), domain="auto")
    assert apart.launch["clock"]["domain_leader"] == [0, 1]
    assert said(apart) == [], "nothing was claimed"
    together = launched(label, 2, tmp_path, clock=clock.format("host"), domain="auto")
    assert together.launch["clock"]["domain_leader"] == [0, 0]


@pytest.mark.parametrize("label", EITHER)
def test_counters_that_part_during_the_launch_are_found_at_its_end(label: str, tmp_path: Path) -> None:
    """5 ppm from a common zero: less than a round trip when it begins, microseconds when it ends."""
    clock = "skewed(base=monotonic,offset=0,drift=5ppm,seed=1)"
    case = "case id=0 op=barrier size=0 nrep=400000 procsync=none\n"
    got = launched(label, 2, tmp_path, clock=clock, domain="host", case=case)
    (warning,) = said(got)
    assert "rank 1 does not read the clock of rank 0" in warning


@pytest.mark.parametrize("label", EITHER)
def test_propagating_over_clocks_that_differ_is_refused_with_the_remedy(label: str, tmp_path: Path) -> None:
    """Exit code 2: the ranks, how far they are apart, and what to write instead; which then works."""
    clock = "skewed(base=monotonic,offset=100ms,drift=0,seed=1)"
    words = ("--op", "barrier", "--nrep", 20, "--clock", clock, "--clock-domain", "host", "--clocksync")
    refused = bench(label, 3, *words, "hierarchical(hca3-offset,propagate)", folder=tmp_path)
    assert refused.exit_code == 2
    assert "ranks 1 and 2 do not read the clock of rank 0 (" in refused.error
    assert "use hca3 instead, as in --clocksync 'hierarchical(hca3,hca3)'" in refused.error
    remedy = bench(label, 3, *words, "hierarchical(hca3(fitpoints=20),hca3(fitpoints=20))", folder=tmp_path)
    assert remedy.exit_code == 0, remedy.error
