"""The check of lenses against the suites themselves: what it reads of their output, when it says that they agree; and,
where a suite can be had, the check itself.
"""

import math

import pytest
from tests.page_tables import PageTable, campaigns
from tests.studies.lens.counterparts import (
    AGREES,
    CONTROL,
    DISAGREES,
    SUITES,
    UNDECIDED,
    Row,
    Suite,
    available,
    check,
    folder_of,
    headline,
    ratio,
    verdict,
)
from tools.marked_page import table

from ictus.comparison.verdict_texts import interval_text, ratio_text
from ictus.mpi.discover import find

TABLE = PageTable("lens-counterparts", "explanation/lenses.md", "studies/lens/test_counterparts.py")

OUTPUTS = {
    "imb": (
        (
            "# Bcast\n       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
            "            0         1000         0.03         0.03         0.03\n"
            "            8         1000         0.14         0.16         0.15\n"
        ),
        0.15e-6,
    ),
    "osu": (
        (
            "# OSU MPI Broadcast Latency Test v7.5\n# Datatype: MPI_CHAR.\n"
            "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
            "8                       1.25              0.50              2.00        1000\n"
        ),
        1.25e-6,
    ),
    "mpibench-llnl": (
        (
            "START mpiBench v1.5\n0 : node\n"
            "Bcast               \tBytes:\t       8\tIters:\t   1000\tAvg:\t  0.9612\tMin:\t  0.9601\tMax:\t  0.9623\t"
            "Comm: MPI_COMM_WORLD\tRanks: 2\n"
        ),
        0.9612e-6,
    ),
}
"""By suite: what it prints, as its source and published outputs have it, and the headline of 8 B in seconds."""


@pytest.mark.parametrize("lens", OUTPUTS)
def test_the_headline_is_read_from_the_suite_s_own_line(lens: str) -> None:
    """The number of the size asked for, in seconds; of another size there is none."""
    (suite,) = (one for one in SUITES if one.lens == lens)
    text, expected = OUTPUTS[lens]
    assert headline(suite, 8, text) == pytest.approx(expected)
    assert headline(suite, 16, text) is None


def test_agreement_is_a_narrow_interval_near_one() -> None:
    """5 % apart agrees; twice, half and 1.3 times as much do not; what jumps about, and one round, tell nothing."""
    lens = [1.0e-6, 1.01e-6, 0.99e-6, 1.02e-6, 0.98e-6, 1.0e-6]
    for factor in (1.0, 1.05, 0.95):
        assert verdict(ratio([factor * value for value in lens], lens)) == AGREES
    for factor in (2.0, 0.5, 1.3):
        assert verdict(ratio([factor * value for value in lens], lens)) == DISAGREES
    noisy = [0.2e-6, 5e-6, 1e-6, 9e-6, 0.3e-6, 2e-6]
    assert verdict(ratio(noisy, lens)) == UNDECIDED
    assert verdict(ratio([2e-6], [1e-6])) == UNDECIDED


HEAD = ("", "printed", "lens", "ratio [95 %]", "", f"control: lens `{CONTROL}`", "ratio")


def cells(row: Row) -> tuple[str, ...]:
    """A row of the page; microseconds."""
    own, other = row.own, row.other
    us = [f"{(time_s or math.nan) * 1e6:.3f}" for time_s in (own.median_a, own.median_b, other.median_b)]
    ratios = [ratio_text(one.ratio) for one in (own, other)]
    own_text = f"{ratios[0]} {interval_text(own.ratio_low, own.ratio_high)}"
    call = f"MPI_{row.operation.capitalize()} {row.size} B"
    return (call, us[0], us[1], own_text, verdict(own), us[2], f"{ratios[1]}: {verdict(other)}")


@pytest.mark.long
@pytest.mark.mpi
@pytest.mark.parametrize("suite", available(), ids=lambda one: one.lens)
def test_a_suite_prints_what_its_lens_says(suite: Suite) -> None:
    """On our MPICH, whose ABI Intel's IMB-MPI1 was built for, launch by launch beside the lens, 32 rounds at most; of
    others only those that ICTUS_SUITES names. The control, a lens that leaves the barriers in the time, must not agree.
    """
    rows = check(suite, folder_of(suite), find("mpich", "mpich"), campaigns(32))
    shown = table(HEAD, map(cells, rows))
    print(f"lens {suite.lens}, {len(rows[0].printed_s)} rounds\n{shown}")
    if suite.lens == "imb":
        TABLE.show(shown)
    own = {verdict(row.own) for row in rows}
    assert DISAGREES not in own
    assert AGREES in own, "nothing could be decided: others disturbed all launches"
    assert AGREES not in {verdict(row.other) for row in rows}
