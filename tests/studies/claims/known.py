"""The claims by their names, as the registry of studies has them."""

from typing import Any

from ictus.studies.claim import Claim
from ictus.studies.registry import every_claim, named
from ictus.studies.study import Study

CLAIMS: tuple[Claim, ...] = tuple(claim for _, claim in every_claim())


def find(name: str) -> Claim:
    """The claim of that name."""
    _, ((_, claim),) = named(name)
    return claim


def study_of(name: str) -> Study[Any, Any]:
    """The study that decides it."""
    _, ((entry, _),) = named(name)
    return entry.study
