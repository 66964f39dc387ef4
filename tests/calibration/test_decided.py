"""Twenty real campaigns until verdicts are known: one library against itself, made slower by a known delay.

Five campaigns each without delay and with 2, 5 and 20 % of what the broadcast takes, interposed by libictus-delay; an
allreduce beside it is never delayed, so that whatever is called different there is a false alarm. At most 30 launches a
side. Some five minutes of an idle machine; campaigns are kept in build/calibration/decided, and an interrupted run goes
on with the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from tests.calibration.series import BUILD, bench, measure
from tests.page_tables import PageTable, campaigns

import ictus
from ictus.comparison.rows import ComparisonRow
from ictus.stats.binomial_rate import rate
from ictus.store.journal import read_journal, spent_s

FOLDER = "decided"
BASE, SLOW = "base", "slow"
SHARES = (0, 2, 5, 20)
"""By how many percent the broadcast is made slower."""
MOST = 30
DELAYED, BESIDE = "bcast", "allreduce"
PLAN = {"op": f"{DELAYED},{BESIDE}", "sizes": "1Mi", "until": "decided", "launches": MOST}
TABLE = PageTable("decided", "studies/statistics-study.md", "calibration/test_decided.py")


@dataclass(frozen=True)
class Campaign:
    """One campaign: what was decided, at which look."""

    share: int
    rows: tuple[ComparisonRow, ...]
    spent_s: float

    def row(self, operation: str) -> ComparisonRow:
        """The comparison of an operation, base against slow."""
        return next(row for row in self.rows if operation in str(row.case["operation"]))


def measured(each: int) -> list[Campaign]:
    """Pilot, then all campaigns, as far as they are not there."""
    alone = bench((BASE,))
    pilot = alone.part("pilot", {"op": DELAYED, "sizes": "1Mi", "launches": 8, "seed": 1})
    measure(FOLDER, [pilot], alone.execute)
    base_s = float(ictus.load(BUILD / FOLDER / pilot.name).summaries["median"].median())  # type: ignore[arg-type]
    found = []
    for share in SHARES:
        both = bench((BASE, SLOW), {SLOW: f"MPI_Bcast={round(1e7 * share * base_s)}"} if share else {})
        names = [f"{share:02}-{number}" for number in range(each)]
        seeds = [1000 * share + number + 2 for number in range(each)]
        parts = [both.part(name, {**PLAN, "seed": seed}) for name, seed in zip(names, seeds, strict=True)]
        measure(FOLDER, parts, both.execute)
        found += [_campaign(share, part.name) for part in parts]
    return found


def _campaign(share: int, name: str) -> Campaign:
    folder = BUILD / FOLDER / name
    rows = ictus.compare(ictus.load(folder), BASE, SLOW).rows
    return Campaign(share, rows, spent_s(read_journal(folder / "journal.jsonl").entries))


def table(found: Sequence[Campaign]) -> list[str]:
    """In Markdown: one line for each share."""
    head = (
        "slower by", "campaigns", "base is faster", "the same within 5 %", "base is slower", "open at the end",
        "launches a side, mean", "ratio, mean", "false alarms of allreduce", "time in launches, mean",
    )  # fmt: skip
    lines = [f"| {' | '.join(head)} |", f"| ---: |{' ---: |' * (len(head) - 1)}"]
    for share in SHARES:
        own = [one for one in found if one.share == share]
        rows = [one.row(DELAYED) for one in own]
        outcomes = [row.outcome for row in rows]
        counts = [outcomes.count(kind) for kind in ("faster", "same", "slower")]
        alarms = sum(one.row(BESIDE).outcome in ("faster", "slower") for one in own)
        launches = sum(max(row.result.n_a, row.result.n_b) for row in rows) / len(rows)
        ratio = sum(1 / row.ratio for row in rows) / len(rows)
        spent = sum(one.spent_s for one in own) / len(own)
        cells = [len(own), *counts, len(own) - sum(counts), f"{launches:.1f}", f"{ratio:.3f}", alarms, f"{spent:.1f} s"]
        lines.append(f"| {share} % | {' | '.join(map(str, cells))} |")
    return lines


@pytest.mark.long
@pytest.mark.mpi
def test_a_difference_is_decided_soon_and_rightly() -> None:
    """What is 20 % slower is found in every campaign, what was not delayed is called different in one of twenty."""
    found = measured(campaigns(5))
    TABLE.show("\n".join(table(found)))
    assert {one.row(DELAYED).outcome for one in found if one.share == SHARES[-1]} == {"faster"}
    alarms = [one.row(BESIDE).outcome in ("faster", "slower") for one in found]
    assert rate(sum(alarms), len(alarms), "at most", 0.05).holds
