"""Whether a plan has the sizes that guidelines of one call need: monotony two that differ, splitting two above 0 B.

A call without data has no size at all. A call of 0 B can neither be split nor be a part: `calls` of question.py leaves
it out.
"""

from collections.abc import Iterable, Sequence

from ictus.guidelines.rule import Kind, Rule
from ictus.model.case import Case
from ictus.model.quantity import format_size
from ictus.model.registries import Registries

_NO_DATA = {
    Kind.MONOTONY: "it moves no data, so that there is no larger size",
    Kind.SPLIT: "it moves no data, so that there is nothing to split",
}


def missing_sizes(rule: Rule, cases: Iterable[Case], registries: Registries) -> str:
    """Why none of the cases can judge a rule of one call; empty where some can, and for patterns."""
    if rule.kind is Kind.PATTERN:
        return ""
    if registries.operation(rule.left).volume == "none":
        return _NO_DATA[rule.kind]
    volumes: dict[int, set[int]] = {}
    for case in cases:
        if (case.operation, case.layout) == (rule.left, rule.layout):
            volumes.setdefault(case.n, set()).add(case.moved_bytes)
    moved = {
        n: sorted(volumes_bytes - ({0} if rule.kind is Kind.SPLIT else set())) for n, volumes_bytes in volumes.items()
    }
    if any(len(volumes_bytes) > 1 for volumes_bytes in moved.values()):
        return ""
    if rule.kind is Kind.MONOTONY:
        return f"all sizes move {_shown(moved)}; monotony needs two that move different volumes"
    return f"all sizes above 0 B move {_shown(moved)}; splitting needs two of them that move different volumes"


def _shown(moved: dict[int, list[int]]) -> str:
    """The volumes, each once."""
    return (
        " or ".join(
            dict.fromkeys(
                format_size(volume_bytes) for volumes_bytes in moved.values() for volume_bytes in volumes_bytes
            )
        )
        or "nothing"
    )


def empty_calls(rules: Sequence[Rule], cases: Iterable[Case]) -> str:
    """A sentence where sizes of 0 B are among those of a split rule; else nothing."""
    split = {(rule.left, rule.layout): rule.name for rule in rules if rule.kind is Kind.SPLIT}
    calls = (((case.operation, case.layout), case.size_bytes) for case in cases)
    named = next((split[call] for call, size in calls if size == 0 and call in split), None)
    return "" if named is None else f"{named} at 0 B: a call without data can neither be split nor be a part"
