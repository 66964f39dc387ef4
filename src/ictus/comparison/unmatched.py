"""Cases that only one of two campaigns has: they are named, so that no reader takes them for compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ictus.comparison.case_titles import IDENTITY, LIBRARY, operation_title, processes_title, size_title
from ictus.comparison.matching import Side, medians, values
from ictus.store.campaign import Campaign

_FACTORS = (LIBRARY, *IDENTITY)
_NAMED = 3


@dataclass(frozen=True)
class UnmatchedCase:
    """A case that `there` has and `not_in` has not: folders, or sides of one folder each."""

    there: str
    not_in: str
    case: Mapping[str, Any]
    """All its factors, the library among them."""

    def as_row(self) -> dict[str, Any]:
        """The row for scripts."""
        return {"there": self.there, "not_in": self.not_in, "case": dict(self.case)}


def unmatched(pairs: Sequence[tuple[Side, Side]], by: str) -> tuple[UnmatchedCase, ...]:
    """For pairs of sides from two campaigns: the cases of each that its twin has not, in the order of its campaign."""
    found: list[UnmatchedCase] = []
    for a, b in pairs:
        if a.campaign is not b.campaign:
            for side, twin in ((a, b), (b, a)):
                own, other = _cases(side.campaign, by, side.value), _cases(twin.campaign, by, twin.value)
                found += [UnmatchedCase(side.name, twin.name, case) for key, case in own.items() if key not in other]
    return tuple(found)


def unmatched_values(campaign: Campaign, other: Campaign, by: str) -> tuple[UnmatchedCase, ...]:
    """The cases of those values of the compared factor that only one of both campaigns has."""
    found: list[UnmatchedCase] = []
    for one, twin in ((campaign, other), (other, campaign)):
        names = (one.folder.resolve().name, twin.folder.resolve().name)
        names = (str(one.folder), str(twin.folder)) if names[0] == names[1] else names
        for value in values(one, by):
            if value not in values(twin, by):
                found += [UnmatchedCase(*names, case) for case in _cases(one, by, value).values()]
    return tuple(found)


def unmatched_warnings(found: Sequence[UnmatchedCase]) -> Iterator[str]:
    """`2 cases of now:mpich are not in base:mpich, and left out: MPI_Bcast 64 B n=2, MPI_Scan 8 B n=2`."""
    for there, not_in in dict.fromkeys((one.there, one.not_in) for one in found):
        cases = [one.case for one in found if (one.there, one.not_in) == (there, not_in)]
        number = "1 case" if len(cases) == 1 else f"{len(cases)} cases"
        rest = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
        named = ", ".join(case_name(case) for case in cases[:_NAMED])
        yield (f"{number} of {there} {'is' if len(cases) == 1 else 'are'} not in {not_in}, and left out: {named}{rest}")


def case_name(case: Mapping[str, Any]) -> str:
    """`mpich MPI_Bcast 64 B n=2`; without the library where the case has none."""
    words = (str(case[LIBRARY]),) if LIBRARY in case else ()
    return " ".join((*words, operation_title(case), size_title(case), processes_title(case))).rstrip()


def _cases(campaign: Campaign, by: str, value: object) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The cases with that value, by all factors but the compared one."""
    frame = medians(campaign, by).filter(pl.col(by) == value)
    rows = frame.sort("case_id", maintain_order=True).select(_FACTORS).unique(maintain_order=True)
    return {tuple(row[name] for name in _FACTORS if name != by): row for row in rows.iter_rows(named=True)}
