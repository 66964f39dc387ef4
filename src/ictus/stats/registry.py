"""The hypothesis tests by name, as `--test` takes them, and the default for each kind of comparison."""

from ictus.model.errors import OptionError
from ictus.stats.hypothesis import HypothesisTest
from ictus.stats.kolmogorov_smirnov_test import KOLMOGOROV_SMIRNOV
from ictus.stats.rank_sum_test import RANK_SUM
from ictus.stats.signed_rank_test import SIGNED_RANK
from ictus.stats.welch_test import WELCH

TESTS: dict[str, HypothesisTest] = {test.name: test for test in (RANK_SUM, SIGNED_RANK, WELCH, KOLMOGOROV_SMIRNOV)}


def find_test(name: str | None, *, paired: bool) -> HypothesisTest:
    """The test of that name; None asks for the default: signed-rank for pairs, rank-sum for independent launches.

    `UsageError` for an unknown name, and for a test of pairs where there are none.
    """
    if name is None:
        return SIGNED_RANK if paired else RANK_SUM
    if name not in TESTS:
        raise OptionError(("test", name, f"unknown test; known: {', '.join(TESTS)}"))
    test = TESTS[name]
    if test.paired and not paired:
        reason = "needs pairs measured in the same launches; independent launches take rank-sum"
        raise OptionError(("test", name, reason))
    return test
