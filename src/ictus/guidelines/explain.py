"""Why a call may be slow: the library's algorithm where it is known, and the times that known algorithms would take by
the latency and bandwidth of a ping-pong. As in the paper's first case study; it is no proof, and says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log

from ictus.guidelines.hockney import Hockney, expected
from ictus.guidelines.rule import Kind
from ictus.guidelines.verdict import GuidelineVerdict
from ictus.model.algorithm import SelectedAlgorithm
from ictus.model.registries import Registries
from ictus.model.spec import Spec

_SAME = 1e-9
"""Expectations that differ by no more are one: with two processes most are."""


@dataclass(frozen=True)
class Explanation:
    """One violation. Times in seconds."""

    verdict: GuidelineVerdict
    selected: SelectedAlgorithm
    link: Hockney | None
    """None where no ping-pong was measured."""
    expected_s: Mapping[str, float]
    """The call, by algorithm; empty where the model is not defined for it."""
    nearest: tuple[str, ...]
    """The algorithms whose expectation is nearest to what was measured; several where they are expected alike."""
    right_s: float | None
    """What it was compared with, by the best algorithm for each of its parts; None where the model has none."""
    alike: Mapping[str, float] = field(default_factory=dict)
    """The library's algorithms that take as long as the call when they are forced, with the ratio; where it was tried.
    """

    @property
    def best(self) -> tuple[str, ...]:
        """The algorithms that would be fastest."""
        least = min(self.expected_s.values(), default=0.0)
        return tuple(name for name, time in self.expected_s.items() if time <= least * (1 + _SAME))


def explain(
    verdict: GuidelineVerdict,
    selected: SelectedAlgorithm,
    link: Hockney | None,
    alike: Mapping[str, float] | None = None,
) -> Explanation:
    """The explanation of a violation."""
    n, operation = verdict.place.n, verdict.rule.left.name
    times = {} if link is None else expected(operation, link, n, verdict.size_bytes)
    near: tuple[str, ...] = ()
    if times and verdict.left_s and min(times.values()) > 0:
        measured = verdict.left_s
        far = {name: abs(log(measured / time)) for name, time in times.items()}
        near = tuple(name for name in times if abs(far[name] - min(far.values())) <= _SAME)
    return Explanation(
        verdict, selected, link, times, near, None if link is None else _right(verdict, link), alike or {}
    )


def _right(verdict: GuidelineVerdict, link: Hockney) -> float | None:
    """The other side of the guideline."""
    if verdict.rule.kind is Kind.PATTERN:
        return best_s(verdict.rule.right, link, verdict.place.n, verdict.right_size_bytes)
    each = best_s(verdict.rule.right, link, verdict.place.n, verdict.right_size_bytes)
    return None if each is None else verdict.times * each


def best_s(operation: Spec, link: Hockney, n: int, size_bytes: int) -> float | None:
    """An operation by the best algorithm of each of its parts; None where one of them has no model."""
    parts = parts_of(operation)
    times = [min(expected(part, link, n, size_bytes).values(), default=None) for part in parts]
    known_s = [time for time in times if time is not None]
    return sum(known_s) if known_s and len(known_s) == len(times) else None


def parts_of(spec: Spec) -> tuple[str, ...]:
    """The operations in a mock-up or a composed operation; any other operation is its own only part."""
    inner = [argument.value for argument in spec.arguments if isinstance(argument.value, Spec)]
    if spec.name in ("sequence", "repeated") and inner:
        return tuple(part for inner_spec in inner for part in parts_of(inner_spec))
    member = next(
        (candidate for candidate in Registries.load().family("operation").members if candidate.name == spec.name), None
    )
    if member is None or not member.mockup_of:
        return (spec.name,)
    words = spec.name.removeprefix(f"{member.mockup_of}_as_").split("_and_")
    return tuple(word for word in words if word != "reduce_local")
