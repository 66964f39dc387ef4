"""The claim that libraries break performance guidelines, from a check as `ictus check` makes it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ictus.engine.event import Observer
from ictus.guidelines.check.analysis import CheckResult, check_of
from ictus.guidelines.check.page import LABELS, panels
from ictus.guidelines.check.study import check
from ictus.guidelines.check.tables import COLUMNS, count_table, guideline_table, loss_table, size_tables
from ictus.guidelines.check.words import place_sentences
from ictus.guidelines.rule import short
from ictus.guidelines.verdict import GuidelineVerdict, State, by_loss
from ictus.model.registries import Registries
from ictus.render.page import Legend, Panel
from ictus.render.table import Table, records
from ictus.stats.claim_rules import Ruling, Seen
from ictus.store.check import is_check
from ictus.studies.campaign_material import campaign_provenance
from ictus.studies.claim import SELF_CONSISTENT, Claim, ClaimResult, quick_or
from ictus.studies.material import Material, Provenance, StudyRequest
from ictus.studies.study import study_of_claims

MARGIN = 1.05
"""Ratio up to which a call counts as no slower: the paper's tolerance for k calls against one."""
PATTERNS = ",".join(f"GL{number}" for number in range(3, 18))
_DRAWN = 3
"""So many of the violated guidelines are drawn, the most costly first."""


@dataclass(frozen=True, kw_only=True)
class CheckMaterial(Material[CheckResult]):
    """A check of guidelines; its plan has `guidelines` and `confirm` beside the keys of a plan."""

    def measure(self, request: StudyRequest, observer: Observer) -> CheckResult:
        """As `ictus check`; a check that was begun goes on with the options that it began with."""
        plan, begun, launcher_choice = dict(request.claim_plan), is_check(request.place), request.launcher_choice
        guidelines, confirm = plan.pop("guidelines"), plan.pop("confirm")
        check(
            request.typed if begun else {**plan, **request.typed},
            request.place,
            guidelines=None if begun else guidelines,
            confirm=confirm,
            launcher=launcher_choice.launcher,
            scenario=launcher_choice.scenario,
            observer=observer,
        )
        return check_of(request.place)

    def read(self, folder: Path, **_: Any) -> CheckResult:
        """The check in the folder, judged."""
        return check_of(folder)

    def provenance(self, record: CheckResult, folder: Path) -> Provenance:  # noqa: ARG002 (it knows its own)
        """As its campaign says, with the warnings of all its campaigns."""
        return replace(campaign_provenance(record.campaign), warnings=record.warnings)


def judge_verdicts(verdicts: Iterable[GuidelineVerdict]) -> Ruling:
    """One violation is enough, as p-values are adjusted over the whole check. What no interval of a ratio leaves room
    for is refuted: every call is shown to be slower by less than the margin, each at 2.5 %.
    """
    compared = [verdict for verdict in verdicts if verdict.state is not State.NOT_COMPARABLE]
    p_value = min((verdict.p_adjusted for verdict in compared if verdict.p_adjusted is not None), default=None)
    if any(verdict.state is State.VIOLATED for verdict in compared):
        return Ruling(Seen.HOLDS, p_value)
    if compared and all(verdict.ratio_high is not None and verdict.ratio_high < MARGIN for verdict in compared):
        return Ruling(Seen.DOES_NOT_HOLD, p_value, refuted=True)
    return Ruling(Seen.CANNOT_BE_SEEN, p_value)


def guideline_panels(result: CheckResult, most: int = _DRAWN) -> tuple[Panel, ...]:
    """The paper's Fig. 2 and 3 of the violations that cost the most: the call, and what it is compared with."""
    broken = [
        loss for loss in by_loss(result.verdicts) if loss.worst is not None and loss.worst.state is State.VIOLATED
    ]
    return tuple(
        replace(panel, title=f"{short(rule_loss.rule, Registries.load())}, {panel.title}")
        for rule_loss in broken[:most]
        for panel in panels(result, rule_loss.rule, rule_loss.verdicts)
    )


def rows_of(result: CheckResult) -> tuple[Mapping[str, Any], ...]:
    """Every verdict, for scripts."""
    return tuple(records(result.verdicts, COLUMNS))


def because(result: CheckResult) -> str:
    """How many are violated in each library."""
    return "; ".join(text.rstrip(".") for text in place_sentences(result))


def _judge(result: CheckResult) -> ClaimResult:
    tables: tuple[Table[Any], ...] = (
        count_table(result),
        guideline_table(result),
        *size_tables(result),
        loss_table(result, 10),
    )
    return ClaimResult(
        judge_verdicts(result.verdicts),
        because(result),
        tuple(table for table in tables if table.blocks),
        rows_of(result),
        guideline_panels(result),
        Legend(LABELS),
    )


CLAIMS = (
    Claim(
        "guidelines",
        "Libraries break performance guidelines, so that a collective takes longer than calls that do the same.",
        f"{SELF_CONSISTENT}, Tab. 2 to 4, Fig. 2 and 3",
        "signed-rank tests of every guideline at every size, all together (Holm, 5 %): one is enough; refuted where "
        "every call is shown to be slower by less than 5 %",
        quick_or(
            {"sizes": "16,1500,2Ki", "launches": 14, "nrep": 30, "guidelines": f"GL1,{PATTERNS}", "confirm": False},
            {"sizes": "paper", "launches": 30, "nrep": 1000, "guidelines": "paper", "confirm": True},
            n=2,
            procsync="barrier(library)",
        ),
        _judge,
    ),
)

STUDY = study_of_claims("guidelines", CheckMaterial(), CLAIMS)
