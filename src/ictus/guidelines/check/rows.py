"""A check of performance guidelines as rows for scripts, and what a reader must know."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from ictus.guidelines.judgement import Options
from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.rule import Rule
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.store.campaign import Campaign
from ictus.store.check import RuleFields


@dataclass(frozen=True, repr=False)
class Checked:
    """A check that was measured and judged."""

    campaign: Campaign
    measured: GuidelineMedians
    verdicts: tuple[GuidelineVerdict, ...]
    rules: tuple[Rule, ...]
    """Those that apply."""
    options: Options
    left_out: tuple[str, ...]
    """Guidelines that do not apply, each with the reason."""
    warnings: tuple[str, ...]
    marks: tuple[str, ...]
    """What sets the times apart from those of a library on cores of its own."""

    @property
    def places(self) -> tuple[Configuration, ...]:
        """Libraries with their variants: in the order of the plan, the fewest processes first."""
        campaign = self.campaign
        every = (
            (n, label, name) for n in campaign.plan.processes for label in campaign.labels for name in campaign.variants
        )
        there = set(self.measured.places)
        return tuple(place for place in (Configuration(label, name, n) for n, label, name in every) if place in there)

    @property
    def launches(self) -> int:
        """The least number that any place has."""
        counts = Counter(Configuration(one.mpi, one.algorithm, one.n) for one in self.campaign.launches)
        return min(counts.values(), default=0)

    def name(self, place: Configuration) -> str:
        """`mpich`, with the number of processes and the variant where there are several."""
        words = [place.library]
        words += [f"n={place.n}"] if len({one.n for one in self.places}) > 1 else []
        return " ".join([*words, *([place.algorithm] if len({one.algorithm for one in self.places}) > 1 else [])])


def only(found: Checked, rules: Collection[Rule]) -> Checked:
    """The check with these guidelines alone, judged as all of them were."""
    kept = tuple(one for one in found.verdicts if one.rule in rules)
    return replace(found, verdicts=kept, rules=tuple(rule for rule in found.rules if rule in rules))


def as_row(one: GuidelineVerdict) -> dict[str, Any]:
    """A verdict for scripts; times in seconds."""
    return {
        "guideline": one.rule.name,
        "kind": one.rule.kind.value,
        "source": one.rule.source.value,
        "left": str(one.rule.left),
        "right": str(one.rule.right),
        "layout": str(one.rule.layout),
        "mpi": one.place.library,
        "algorithm": one.place.algorithm,
        "n": one.place.n,
        "size_bytes": one.size_bytes,
        "right_size_bytes": one.right_size_bytes,
        "times": one.times,
        "left_s": one.left_s,
        "right_s": one.right_s,
        "ratio": one.ratio,
        "ratio_low": one.ratio_low,
        "ratio_high": one.ratio_high,
        "loss_s": one.loss_s,
        "loss_low_s": one.difference_low_s,
        "loss_high_s": one.difference_high_s,
        "n_launches": one.n_launches,
        "p_value": one.p_value,
        "p_adjusted": one.p_adjusted,
        "stars": one.stars,
        "state": one.state.value,
        "confirmed": one.confirmed,
        "reason": one.reason,
    }


def judged_by(found: Checked) -> dict[str, Any]:
    """How the verdicts came about, and what they are not about."""
    options = found.options
    return {
        "test": options.test,
        "adjust": options.adjust,
        "level": options.level,
        "tolerance": options.tolerance,
        "launches": found.launches,
        "marks": list(found.marks),
        "left_out": list(found.left_out),
    }


def violated(found: Checked) -> int:
    """Guidelines that are violated in any place at any size."""
    return len({one.rule for one in found.verdicts if one.state is State.VIOLATED})


def rule_fields(rule: Rule) -> RuleFields:
    """A guideline as check.json has it."""
    return RuleFields(
        name=rule.name,
        kind=rule.kind.value,
        source=rule.source.value,
        left=str(rule.left),
        right=str(rule.right),
        layout=str(rule.layout),
    )
