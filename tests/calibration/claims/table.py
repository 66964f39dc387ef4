"""What was counted, in docs/data/claim-verdicts.csv, and its table in docs/studies/papers.md."""

import csv
import fcntl
from collections.abc import Mapping, Sequence

from tests.calibration.claims.row import CalibrationRow, Counted, Kind
from tests.engines import ROOT
from tools.marked_page import table

from ictus.stats.binomial_rate import rate
from ictus.stats.claim_rules import LEVEL

DATA = ROOT / "docs" / "data" / "claim-verdicts.csv"
HEAD = ("claim", "world", "kind", "worlds", "holds", "does_not_hold")
_TOLD = {Kind.FALSE: "false", Kind.LIMIT: "at the limit", Kind.TRUE: "true"}


def counted() -> dict[tuple[str, str], Counted]:
    """By claim and world."""
    with DATA.open(encoding="utf-8", newline="") as file:
        return {
            (row["claim"], row["world"]): Counted(*(int(row[name]) for name in HEAD[3:]))
            for row in csv.DictReader(file)
        }


def keep(rows: Sequence[CalibrationRow], row: CalibrationRow, found: Counted) -> None:
    """Put a row into the data, in the order of all; rows of several processes wait for each other."""
    with DATA.open("r+", encoding="utf-8", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        known = {**counted(), (row.claim, row.world): found}
        file.seek(0)
        file.truncate()
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(HEAD)
        for one in rows:
            own = known.get((one.claim, one.world))
            if own is not None:
                lines.writerow([one.claim, one.world, one.kind.value, own.worlds, own.holds, own.does_not_hold])


def section(rows: Sequence[CalibrationRow], known: Mapping[tuple[str, str], Counted]) -> str:
    """A line for each row; of those that nobody has drawn yet that is said."""
    return table(
        ("claim", "world", "the claim is", "worlds", "holds", "upper limit", "does not hold", "upper limit"),
        [_cells(row, known.get((row.claim, row.world))) for row in rows],
        numbers_from=3,
    )


def _cells(row: CalibrationRow, found: Counted | None) -> tuple[str, ...]:
    if found is None:
        return (row.claim, row.world, _TOLD[row.kind], "not drawn", *[""] * 4)
    holds, does_not = (_share(hits, found.worlds) for hits in (found.holds, found.does_not_hold))
    return (row.claim, row.world, _TOLD[row.kind], f"{found.worlds:,}", *holds, *does_not)


def _share(hits: int, worlds: int) -> tuple[str, str]:
    """With the upper limit of Clopper and Pearson, 95 %."""
    return str(hits), f"{100 * rate(hits, worlds, 'at most', LEVEL).high:.2f} %"
