"""Series of tries of `ictus advise`: how they are kept and counted, and that the page shows the published ones."""

from pathlib import Path

import pytest
from scipy.stats import beta
from tests.e2e.advise_series import (
    PAGE,
    PLANTED,
    PUBLISHED,
    SECTION,
    TRIES,
    Try,
    false_claims,
    interval,
    keep,
    kept_tries,
    table,
)

FILES = sorted(PUBLISHED.glob("*.jsonl"))


def a_try(seed: int, *, proven: bool = False, repeated: bool = False) -> Try:
    """One without anything planted."""
    return Try(seed, proven, proven, proven, repeated, 0.5 if proven else None, 3.0)


def test_the_page_shows_the_published_series() -> None:
    """Each is complete, of a setting that is planted or none, and no try is counted twice."""
    assert SECTION.of(PAGE) == "\n".join(table(PUBLISHED))
    known = [f"{label}-{kind}-" for label, kinds in PLANTED.items() for kind in kinds]
    for file in FILES:
        assert [one.seed for one in kept_tries(file)] == list(range(TRIES)), file.name
        assert any(file.name.startswith(name) for name in known), file.name


@pytest.mark.parametrize("seen", [0, 1, 10, 20])
def test_intervals_are_those_of_clopper_and_pearson(seen: int) -> None:
    """By the quantiles of the beta distribution that their paper derives."""
    low, high = interval([True] * seen + [False] * (20 - seen))
    assert low == pytest.approx(beta.ppf(0.025, seen, 21 - seen) if seen else 0)
    assert high == pytest.approx(beta.ppf(0.975, seen + 1, 20 - seen) if seen < 20 else 1)


def test_a_claim_that_fresh_launches_repeat_is_no_false_one() -> None:
    """Only one that they do not."""
    tries = [a_try(0), a_try(1, proven=True, repeated=True), a_try(2, proven=True)]
    assert false_claims(tries) == [False, False, True]


def test_a_series_goes_on_after_a_line_that_was_being_written(tmp_path: Path) -> None:
    """What is whole stays, in its order."""
    file = tmp_path / "openmpi-healthy-c-n2.jsonl"
    keep(file, a_try(0))
    keep(file, a_try(1, proven=True))
    file.write_text(file.read_text("utf-8") + '{"seed": 2, "fou', "utf-8")
    assert kept_tries(file) == [a_try(0), a_try(1, proven=True)]
    keep(file, a_try(2))
    assert [one.seed for one in kept_tries(file)] == [0, 1, 2]
    (line,) = list(table(tmp_path))[2:]
    assert line.startswith("| openmpi-healthy-c-n2 | 1 of 3 (0.01 … 0.91) |")
