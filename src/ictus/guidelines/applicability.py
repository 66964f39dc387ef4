"""Where a guideline can be looked at: a library that lacks one of its operations does not violate it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ictus.guidelines.rule import Rule
from ictus.model.availability import Availability
from ictus.model.nested import leaves
from ictus.model.registries import Registries


@dataclass(frozen=True)
class Inapplicable:
    """A guideline that a library cannot be asked about."""

    rule: Rule
    library: str
    """Its label."""
    reason: str


def inapplicable(
    rules: Iterable[Rule], libraries: Mapping[str, Sequence[Availability]], registries: Registries
) -> tuple[Inapplicable, ...]:
    """All pairs of a rule and a library, by label, that lacks one of the operations of either side."""
    rules = tuple(rules)
    lacking = {label: {one.name: one for one in known if not one.available} for label, known in libraries.items()}
    found = []
    for label, missing in lacking.items():
        for rule in rules:
            name = next((name for name in operations_of(rule, registries) if name in missing), None)
            if name is not None:
                found.append(Inapplicable(rule, label, f"{label} lacks {name}: {missing[name].reason}"))
    return tuple(found)


def operations_of(rule: Rule, registries: Registries) -> tuple[str, ...]:
    """The names of all operations that a rule calls, those inside of others included, each once."""
    sides = (rule.left, rule.right)
    return tuple(dict.fromkeys(leaf.name for side in sides for leaf in leaves(registries, side)))
