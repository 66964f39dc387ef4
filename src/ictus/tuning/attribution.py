"""Which remedies have to answer for what the check, run again with them in force, finds."""

from collections.abc import Iterable, Mapping, Sequence

from ictus.guidelines.explain import parts_of
from ictus.guidelines.rule import Kind, Rule
from ictus.guidelines.verdict import State, Verdict
from ictus.model.quantity import format_size
from ictus.model.spec import parse_spec
from ictus.tuning.outcome import Remedy, Result
from ictus.tuning.side_effects import holds_for_the_program

_CLEAN = (State.HOLDS, State.REFUTED)

Blamed = Mapping[Remedy, tuple[Result, str]]
"""Remedies that are not to be written, with the reason."""


def blamed(remedies: Sequence[Remedy], before: Iterable[Verdict], after: Iterable[Verdict]) -> Blamed:
    """Remedies whose call still breaks a guideline, or that a guideline newly violated is about: those of its size,
    where there are any, else all that are of one of its calls.
    """
    known = {_key(one) for one in before if one.state is State.VIOLATED}
    after = list(after)
    found: dict[Remedy, tuple[Result, str]] = {}
    for one in remedies:
        wrong = [_unclean(broken, after) for broken in one.violated]
        texts = [text for text in wrong if text]
        if texts:
            found[one] = (Result.STILL_VIOLATED, "; ".join(texts))
    for verdict in after:
        if verdict.state is not State.VIOLATED or _key(verdict) in known:
            continue
        touched = [one for one in remedies if touches(one, verdict)]
        sizes = (verdict.size_bytes, verdict.right_size_bytes)
        narrow = [one for one in touched if one.cell.size_bytes in sizes and not holds_for_the_program(one)]
        for one in narrow or touched:
            found.setdefault(one, (Result.BREAKS, f"{verdict.rule.name} at {format_size(verdict.size_bytes)}"))
    return found


def _unclean(broken: Verdict, after: Sequence[Verdict]) -> str:
    """What is still wrong with a guideline that was to be mended; empty where nothing is."""
    own = [one for one in after if _key(one) == _key(broken)]
    if own and all(one.state in _CLEAN for one in own):
        return ""
    where = f"{broken.rule.name} at {format_size(broken.size_bytes)}"
    if not any(one.state is State.VIOLATED for one in own):
        return f"{where} could not be decided"
    ratio = own[0].ratio
    return where if ratio is None else f"{where}, ratio {ratio:.3f}"


def _key(one: Verdict) -> tuple[Rule, int, int, int]:
    """Which question it answers. The parts that a split is compared with may be others each time."""
    return one.rule, one.place.n, one.size_bytes, 0 if one.kind is Kind.SPLIT else one.right_size_bytes


def touches(remedy: Remedy, verdict: Verdict) -> bool:
    """Whether a call of the guideline may be another one with the remedy."""
    if holds_for_the_program(remedy):
        return True
    sides = (verdict.rule.left, verdict.rule.right)
    operations = {name for side in sides for name in (side, *parts_of(parse_spec(side)))}
    return remedy.cell.operation in operations
