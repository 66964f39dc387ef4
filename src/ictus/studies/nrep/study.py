"""How many repetitions each case needs: three launches of each library that stop by the rule."""

from pathlib import Path
from typing import Any

from ictus.engine.backend import World
from ictus.engine.event import Observer
from ictus.engine.measurement import PlanLike, measure_with_defaults
from ictus.engine.nrep import NrepRow, nrep_rows, own_rule, rule_text
from ictus.model.errors import OptionError
from ictus.model.plan_parts import LAUNCHES
from ictus.model.spec import split_list
from ictus.model.unknown import unknown
from ictus.stats.nrep import METRICS, NrepRule
from ictus.store.campaign import load


def usual_of(rule: NrepRule) -> dict[str, Any]:
    """The defaults, by TOML key."""
    return {"launches": LAUNCHES, "repetition": rule_text(rule)}


def measure(
    plan: PlanLike, folder: Path | None, world: World, observer: Observer, *, rule: NrepRule | None = None
) -> tuple[NrepRow, ...]:
    """A prediction: a row for each library and case. `rule` says when there are enough samples; None: its defaults, of
    a folder its own.
    """
    folder = measure_with_defaults(plan, folder, usual_of(rule or NrepRule()), world, observer, prefix="nrep")
    campaign = load(folder)
    return nrep_rows(campaign, rule or own_rule(campaign) or NrepRule())


def parse_rule(metrics: str, least: int, most: int, step: int, windows: dict[str, int]) -> NrepRule:
    """The rule of the command's options: `cov_mean,cov_median=0.02` are metrics with their thresholds. UsageError."""
    if most < least:
        raise OptionError(("max", most, f"it is below the least number, {least}"))
    if not metrics.strip():
        raise OptionError(("metrics", metrics, f"expected one or more of {', '.join(METRICS)}"))
    thresholds = {}
    for item in split_list(metrics):
        name, equals, share = (part.strip() for part in item.partition("="))
        if name not in METRICS:
            raise unknown(f"--metrics '{name}'", name, METRICS)
        if name in thresholds:
            raise OptionError(("metrics", metrics, f"{name} is given twice"))
        thresholds[name] = _threshold(item, share) if equals else METRICS[name]
    return NrepRule({name: thresholds[name] for name in METRICS if name in thresholds}, least, most, step, windows)


def _threshold(item: str, share: str) -> float:
    try:
        value = float(share)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise OptionError(("metrics", item, "expected a threshold from 0 to 1, such as 0.025"))
    return value
