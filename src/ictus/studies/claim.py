"""The shape of a claim: what a paper says, the plan that measures it here, and the rule that judges it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ictus.engine.study_options import HERE, platform_of
from ictus.model.reduction import Reduction
from ictus.render.page import Legend, Panel
from ictus.render.table import Table
from ictus.stats.claim_rules import Ruling
from ictus.store.campaign import load
from ictus.studies.paper_figures import IN_THE_PAPER

REVISITED = "MPI benchmarking revisited (Hunold and Carpen-Amarie)"
SPACE_AND_TIME = "MPI process synchronization in space and time (Schuchart, Hunold and Bosilca)"
MASSIVE_SCALE = "Accurately measuring collective operations at massive scale (Hoefler, Schneider and Lumsdaine)"
SELF_CONSISTENT = (
    "Automatic verification of self-consistent MPI performance guidelines (Hunold, Carpen-Amarie, Lübbe and Träff)"
)

EVERY_SAMPLE = partial(load, reduction=Reduction(outliers=None))
"""Reads a campaign without the fences that would cut off what some claims are about."""


@dataclass(frozen=True)
class ClaimResult:
    """What was measured says of a claim."""

    ruling: Ruling
    because: str
    """What was seen, in a sentence with its numbers."""
    tables: tuple[Table[Any], ...] = ()
    rows: Sequence[Any] = ()
    """Those of the tables, as they have them."""
    panels: tuple[Panel, ...] = ()
    """The paper's figure, of these data."""
    legend: Legend | None = None
    """Of the figure; None: its series are the libraries."""


def one_process(values: Mapping[str, Any]) -> str | None:
    """Why nothing of a start can be seen: one process waits for nobody."""
    return None if min(_processes(values)) > 1 else "one process has no other to wait for; use -n 2"


def one_number(values: Mapping[str, Any]) -> str | None:
    """Why no growth can be seen: one number of processes has nothing beside it."""
    if len(set(_processes(values))) > 1:
        return None
    return "one number of processes shows no growth; --platform flat -n 4,64 has two, and more than cores allow here"


def most_processes(values: Mapping[str, Any]) -> int:
    """The largest number of processes of a plan."""
    return max(_processes(values))


def _processes(values: Mapping[str, Any]) -> list[int]:
    return [int(text) for text in str(values["n"]).split(",")]


@dataclass(frozen=True)
class Claim:
    """What a paper says, and whether it is so here. `plan` gives the options of what the study measures for it, by
    TOML key, those of the study's own by keyword: a quick one (some launches) or one as large as the paper's, as far
    as launches go.
    """

    name: str
    sentence: str
    source: str
    """Paper and figure or table."""
    rule: str
    """By which statistic it is judged."""
    plan: Callable[[bool], Mapping[str, Any]]
    judge: Callable[[Any], ClaimResult]
    """Of the study's record."""
    hidden: Callable[[Mapping[str, Any]], str | None] = lambda _: None
    """Why it cannot be seen here whatever is measured; None where it can. Takes the values of the plan."""
    libraries: int = 1
    """That are needed."""
    least_percent: float | None = None
    """The least effect that matters: a smaller one, however sure it is, is none. None where the rule compares counts or
    signs, which have no size.
    """
    planted: str = ""
    """What the plan itself puts there for the study to find; empty: nothing."""
    read: Callable[[Path], Any] | None = None
    """How its record is read from the folder; None: as the study's."""
    simulated: str = ""
    """Numbers of processes with which docs/studies/papers.md has it simulated too; empty: it is not."""
    when_simulated: Callable[[int], Mapping[str, Any]] = lambda _: {}
    """Values of the plan, by its keys, that are others on a simulated platform of so many processes."""

    @property
    def in_the_paper(self) -> str:
        """What the paper's figure or table shows; empty where it has none."""
        return IN_THE_PAPER.get(self.name, "")

    def plan_of(self, plan_values: Mapping[str, Any], *, quick: bool) -> Mapping[str, Any]:
        """The plan for the place and the number of processes that are `plan_values`."""
        plan = self.plan(quick)
        if platform_of(plan_values.get("platform") or HERE) is None:
            return plan
        return {**plan, **self.when_simulated(most_processes({**plan, **plan_values}))}


def quick_or(quick: Mapping[str, Any], full: Mapping[str, Any], **common: Any) -> Callable[[bool], Mapping[str, Any]]:
    """A plan of values that both have, and those that differ."""
    return lambda is_quick: {**common, **(quick if is_quick else full)}
