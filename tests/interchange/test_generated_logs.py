"""Logs made from a drawn truth are read as what they are, or refused with a word: never a number that is not so.

200 logs of each suite here, 10,000 in `make test-long`. Hypothesis draws a seed for each log, which a failure shows; a
smaller seed is no smaller log, so that nothing is shrunk.
"""

from collections.abc import Callable, Sequence
from math import isnan
from random import Random

import pytest
from hypothesis import Phase, given, seed, settings, strategies as st
from tests.interchange.generated_imb import imb_log
from tests.interchange.generated_logs import Draws, GeneratedLog, TruePart
from tests.interchange.generated_nccl import nccl_log
from tests.interchange.generated_osu import osu_log
from tests.interchange.generated_reprompi import reprompi_log

from ictus.interchange.decoding import decoded
from ictus.interchange.output_line import OutputText
from ictus.interchange.registry import find_suite
from ictus.interchange.suite import PrintedCase, PrintedLaunch, ReadRequest
from ictus.model.errors import UsageError

LOGS: dict[str, Callable[[Draws], GeneratedLog]] = {
    "osu": osu_log,
    "imb": imb_log,
    "reprompi": reprompi_log,
    "nccl": nccl_log,
}
SEEDS = {"osu": 7101, "imb": 7102, "reprompi": 7103, "nccl": 7104}


def check(suite: str, log: GeneratedLog) -> None:
    """A log is read as its truth, or refused."""
    text = decoded(log.content, "out.txt")
    good = [part for part in log.parts if not part.refused]
    read = find_suite(suite).read
    if not good or any(part.contradicted for part in good):
        with pytest.raises(UsageError, match="line "):
            read(OutputText("out.txt", text), ReadRequest(log.asked_n))
        return
    launches = read(OutputText("out.txt", text), ReadRequest(log.asked_n))
    assert len(launches) == len(good), text
    told = [warning for launch in launches for warning in launch.warnings if "a part is left out" in warning]
    assert len(told) == len(log.parts) - len(good), text
    for part, launch in zip(good, launches, strict=True):
        check_part(part, launch, text)
    check_apart(good, launches, text)


def check_part(part: TruePart, launch: PrintedLaunch, text: str) -> None:
    """A launch has the rows of its truth, and says when it did not end well."""
    assert launch.n == part.n, text
    assert bool(launch.incomplete) == part.incomplete, f"{launch.incomplete}\n{text}"
    assert [case.size_bytes for case in launch.cases] == [row.size for row in part.rows], text
    for row, case in zip(part.rows, launch.cases, strict=True):
        assert bool(case.samples["flags"].any()) != row.valid, text
        if row.valid:
            assert value(case, case.headline) == pytest.approx(row.mean_s, rel=1e-12), text
            for name, expected_s in (("local_min", row.least_s), ("local_max", row.most_s)):
                if expected_s is not None:
                    assert value(case, name) == pytest.approx(expected_s, rel=1e-12), text


def value(case: PrintedCase, name: str) -> float | None:
    """A time of a case of one sample; the largest of several."""
    found = float(case.samples[name].max())
    return None if isnan(found) else found


def check_apart(parts: Sequence[TruePart], launches: Sequence[PrintedLaunch], text: str) -> None:
    """Parts whose facts differ share no case; those whose facts are the same share all."""
    keys = [{(launch.n, launch.procsync, *case.key[:1], *case.key[2:]) for case in launch.cases} for launch in launches]
    for one, (part, own) in enumerate(zip(parts, keys, strict=True)):
        for other, others in zip(parts[:one], keys[:one], strict=True):
            assert (part.facts == other.facts) == bool(own & others), f"{own}\n{others}\n{text}"


def run(suite: str, n_logs: int) -> None:
    """Draw logs, and check each."""

    @seed(SEEDS[suite])
    @settings(max_examples=n_logs, deadline=None, database=None, phases=[Phase.generate])
    @given(st.integers(0, 2**53))
    def drawn(of_log: int) -> None:
        check(suite, LOGS[suite](Draws(Random(of_log))))

    drawn()


@pytest.mark.parametrize("suite", LOGS)
def test_logs_are_read_rightly_or_refused(suite: str) -> None:
    """Programs, ranks, buffers, datatypes, validation, forms, noise and faults."""
    run(suite, 200)


@pytest.mark.long
@pytest.mark.parametrize("suite", LOGS)
def test_ten_thousand_logs_are_read_rightly_or_refused(suite: str) -> None:
    """The same, for long."""
    run(suite, 10_000)
