"""How guidelines are judged: test, adjustment of the campaign's family, level, and what is forgiven."""

from dataclasses import dataclass
from math import inf

from ictus.model.errors import UsageError
from ictus.model.registries import unknown
from ictus.stats.adjust import find_adjustment
from ictus.stats.kolmogorov_smirnov_test import KOLMOGOROV_SMIRNOV
from ictus.stats.rank_sum_test import RANK_SUM
from ictus.stats.signed_rank_test import SIGNED_RANK

TESTS = {test.name: test for test in (SIGNED_RANK, RANK_SUM, KOLMOGOROV_SMIRNOV)}
"""Signed-rank uses that both sides were measured in the same launches; the others are the paper's."""


@dataclass(frozen=True)
class Options:
    """By `make_options`."""

    test: str = SIGNED_RANK.name
    adjust: str = "holm"
    level: float = 0.05
    """What an honest library's chance of any violation in a campaign is kept under."""
    tolerance: float = 0.05
    """As a ratio: by how much k calls must be faster before a violation of split-robustness is predicted, and by how
    much a call may be slower than the mock-up that libictus-redirect.so makes of it.
    """


def make_options(
    *, test: str = "signed-rank", adjust: str = "holm", level: float = 0.05, tolerance: float = 0.05
) -> Options:
    """The options by their names; `UsageError` for unknown ones, a level outside (0, 1) or a tolerance below 0."""
    if test not in TESTS:
        raise unknown(f"test '{test}' (--test)", test, TESTS)
    find_adjustment(adjust)
    if not 0 < level < 1:
        raise UsageError(f"--level {level}: must lie between 0 and 1, for example 0.05")
    if not 0 <= tolerance < inf:
        raise UsageError(f"--tolerance {tolerance}: must be a ratio of 0 or more, for example 0.05 for 5 %")
    return Options(test, adjust, level, tolerance)
