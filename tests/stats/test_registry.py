"""The tests by name."""

import pytest

from ictus.model.errors import UsageError
from ictus.stats.hypothesis import ALTERNATIVES
from ictus.stats.registry import TESTS, find_test


def test_names_are_those_of_the_command_line():
    """`--test` takes these four."""
    assert list(TESTS) == ["rank-sum", "signed-rank", "welch", "kolmogorov-smirnov"]


@pytest.mark.parametrize(("paired", "name"), [(True, "signed-rank"), (False, "rank-sum")])
def test_default_follows_the_pairing(paired, name):
    """Paired where paired (decision 25)."""
    assert find_test(None, paired=paired).name == name


def test_unknown_test_lists_the_known_ones():
    """The message names option, value and what is allowed."""
    with pytest.raises(UsageError, match="test='t-test': unknown test; known: rank-sum, signed-rank, welch"):
        find_test("t-test", paired=False)


def test_a_test_of_pairs_needs_pairs():
    """Signed-rank on independent launches would pair strangers."""
    with pytest.raises(UsageError, match="needs pairs measured in the same launches"):
        find_test("signed-rank", paired=False)


@pytest.mark.parametrize("name", TESTS)
def test_every_member_knows_less_from_greater(name):
    """With a far below b, `less` is significant, `greater` is not, and two sides lie between."""
    a, b = [1.0, 1.1, 1.2, 1.3, 1.45, 1.6, 1.75, 1.9], [2.0, 2.15, 2.3, 2.5, 2.7, 2.9, 3.1, 3.35]
    p_value = {alternative: TESTS[name].apply(a, b, alternative).p_value for alternative in ALTERNATIVES}
    assert p_value["less"] < p_value["two-sided"] < 0.05
    assert p_value["greater"] > 0.9


@pytest.mark.parametrize("name", TESTS)
def test_no_data_undercut_the_smallest_p(name):
    """Complete separation reaches the bound that each member states for one side, and nothing goes below."""
    a, b = [1.0, 1.1, 1.25, 1.4], [20.0, 21.0, 22.5, 24.5]
    smallest = TESTS[name].smallest_p(4, 4)
    assert TESTS[name].apply(a, b, "less").p_value >= smallest
    if name != "welch":
        assert TESTS[name].apply(a, b, "less").p_value == pytest.approx(smallest, rel=1e-12)
