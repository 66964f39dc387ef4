"""launch.json: what the core says about one launch, with what the store relies on checked and typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.model.document import check_version, read_object
from ictus.model.errors import MeasurementError
from ictus.store.journal import check_own

HEADLINES = ("makespan", "local_max")
"""Fields of a sample that can be the headline of a case: the first where clocks are synchronised."""


@dataclass(frozen=True)
class MeasuredCase:
    """What launch.json says about one case; `factors` has all its keys."""

    case_id: int
    headline: str
    attempted: int
    valid: int
    late: int
    long: int
    validated: bool
    factors: Mapping[str, Any]


@dataclass(frozen=True)
class LaunchRecord:
    """launch.json; `document` has all of it."""

    n_ranks: int
    seed: int
    synchronised: bool
    cases: tuple[MeasuredCase, ...]
    ranks: int
    """Entries in the list of ranks."""
    contended: bool
    share: float | None
    """Share of CPU time that others took; None where it is unknown."""
    document: Mapping[str, Any]


def read_launch(folder: Path) -> LaunchRecord:
    """launch.json of a launch folder; MeasurementError names the file and the key that is missing or wrong."""
    check_own(folder)
    path = folder / "launch.json"
    document = read_object(path)
    check_version(document, str(path), 1)
    try:
        contention = document["contention"]
        return LaunchRecord(
            n_ranks=int(document["n_ranks"]),
            seed=int(document["seed"]),
            synchronised=bool(document["clocksync"]["synchronised"]),
            cases=tuple(_case(case) for case in document["cases"]),
            ranks=len(document["ranks"]),
            contended=contention["contended"] is True,
            share=contention.get("share") if isinstance(contention.get("share"), (int, float)) else None,
            document=document,
        )
    except KeyError as error:
        raise MeasurementError(f"{path}: key {error} is missing") from error
    except (TypeError, ValueError) as error:
        raise MeasurementError(f"{path} is not as documented: {error}") from error


def _case(values: Mapping[str, Any]) -> MeasuredCase:
    if values["headline"] not in HEADLINES:
        raise ValueError(
            f"headline {values['headline']!r} of case {values['case_id']} is none of {', '.join(HEADLINES)}"
        )
    return MeasuredCase(
        case_id=int(values["case_id"]),
        headline=str(values["headline"]),
        attempted=int(values["attempted"]),
        valid=int(values["valid"]),
        late=int(values["late"]),
        long=int(values["long"]),
        validated=bool(values["validated"]),
        factors=values,
    )
