"""How many repetitions each case needs: three launches of each library that stop by the rule."""

from pathlib import Path
from typing import Any

from ictus.engine.backend import World
from ictus.engine.event import Observer
from ictus.engine.measurement import PlanLike, measure_usual
from ictus.engine.nrep import NrepRow, nrep_rows, own_rule, rule_text
from ictus.model.plan_parts import LAUNCHES
from ictus.stats.nrep import NrepRule
from ictus.store.campaign import load


def usual_of(rule: NrepRule) -> dict[str, Any]:
    """What is measured where nothing else is said, by TOML key."""
    return {"launches": LAUNCHES, "repetition": rule_text(rule)}


def measure(
    plan: PlanLike, folder: Path | None, world: World, observer: Observer, *, rule: NrepRule | None = None
) -> tuple[NrepRow, ...]:
    """A prediction: a row for each library and case. `rule` says when there are enough samples; None: its defaults, of
    a folder its own.
    """
    folder = measure_usual(plan, folder, usual_of(rule or NrepRule()), world, observer, prefix="nrep")
    campaign = load(folder)
    return nrep_rows(campaign, rule or own_rule(campaign) or NrepRule())
