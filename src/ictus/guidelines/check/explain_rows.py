"""Explanations of violations: rows for scripts, and the sentences of tables and pages."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ictus.guidelines.explain import Explanation
from ictus.guidelines.rule import Kind
from ictus.guidelines.verdict import Place, Verdict
from ictus.guidelines.wording import side
from ictus.model.quantity import format_duration, format_size
from ictus.model.registries import Registries

_NAMED = 3
"""So many algorithms that take as long are named."""
_FAR = 2.0
"""By what factor an expectation may be off and still be an explanation."""


def explanation_row(one: Explanation) -> dict[str, Any]:
    """An explanation for scripts; times in seconds."""
    verdict, link = one.verdict, one.link
    return {
        "guideline": verdict.rule.name,
        "mpi": verdict.place.library,
        "n": verdict.place.n,
        "operation": verdict.rule.left,
        "size_bytes": verdict.size_bytes,
        "measured_s": verdict.left_s,
        "algorithm": one.told.algorithm,
        "asked": one.told.where,
        "remark": one.told.remark,
        "alike": dict(one.alike),
        "alpha_s": None if link is None else link.alpha_s,
        "beta_s": None if link is None else link.beta_s,
        "residual": None if link is None else link.residual,
        "expected_s": dict(one.expected_s),
        "nearest": list(one.nearest),
        "right": verdict.rule.right,
        "right_s": verdict.right_s,
        "right_expected_s": one.right_s,
    }


def explanation_sentences(one: Explanation) -> tuple[str, ...]:
    """What a person would say: who chose what, what takes as long, what is expected of which algorithm, and what that
    suggests.
    """
    return (f"{_where(one)}: {_told(one)}", *_alike(one), *_model(one))


def explainer(known: Iterable[Explanation]) -> Callable[[Verdict], Sequence[str]]:
    """What is known of a violation's call, for pages: one paragraph."""
    by_call = {_call(one.verdict): " ".join(explanation_sentences(one)) for one in known}
    return lambda verdict: (by_call[_call(verdict)],) if _call(verdict) in by_call else ()


def _call(verdict: Verdict) -> tuple[Place, str, str, int]:
    return verdict.place, verdict.rule.left, verdict.rule.layout, verdict.size_bytes


def short_explanation(one: Explanation) -> str:
    """The algorithm alone: `MPI_Gather of 4 KiB (mpich, n=4): binomial.`"""
    told = one.told
    if told.algorithm is None:
        near = f"{_or(tuple(one.alike)[:_NAMED])}, by its time" if one.alike else f"not known; {told.remark}"
        return f"{_where(one)}: {near}."
    return f"{_where(one)}: {told.algorithm}, by {told.where}{f'; {told.remark}' if told.remark else ''}."


def _where(one: Explanation) -> str:
    verdict = one.verdict
    name = side(verdict.rule.left, Registries.load())
    size = f" of {format_size(verdict.size_bytes)}" if verdict.size_bytes else ""
    return f"{name}{size} ({verdict.place.library}, n={verdict.place.n})"


def _told(one: Explanation) -> str:
    remark = one.told.remark
    if one.told.algorithm is not None:
        return f"the library takes {one.told.algorithm} (by {one.told.where}{f'; {remark}' if remark else ''})."
    return f"which algorithm the library takes is not known from {one.told.where}{f': {remark}' if remark else ''}."


def _alike(one: Explanation) -> tuple[str, ...]:
    """A hint from races: several algorithms may be the same for these processes."""
    if not one.alike:
        return ()
    names = tuple(f"{name} ({ratio:.2f} times)" for name, ratio in tuple(one.alike.items())[:_NAMED])
    more = f" and {len(one.alike) - _NAMED} more" if len(one.alike) > _NAMED else ""
    return (f"Forced, as long as it takes {_or(names)}{more}: it may be that one.",)


def _model(one: Explanation) -> tuple[str, ...]:
    link, verdict = one.link, one.verdict
    if link is None or not one.expected_s:
        return ()
    bandwidth = "" if link.beta_s <= 0 else f" and {link.bandwidth / 1e9:.3g} GB/s"
    expected = ", ".join(f"{name} {format_duration(time)}" for name, time in one.expected_s.items())
    off = "" if link.residual is None else f" (the line is off by up to {100 * link.residual:.0f} %)"
    first = f"With {format_duration(link.alpha_s)}{bandwidth} from a ping-pong{off}, expected are {expected}."
    if not one.nearest or verdict.left_s is None:
        return (first,)
    near = one.expected_s[one.nearest[0]]
    second = f"Measured {format_duration(verdict.left_s)}, {_near(one.nearest, verdict.left_s / near)}"
    if one.right_s is not None and verdict.right_s is not None and one.right_s > 0:
        what = {Kind.MONOTONY: "the next size", Kind.SPLIT: f"{verdict.times} parts"}.get(
            verdict.rule.kind, verdict.rule.right
        )
        second += f"; {what} could take {format_duration(one.right_s)}, measured {format_duration(verdict.right_s)}"
    return (first, f"{second}.")


def _near(names: tuple[str, ...], ratio: float) -> str:
    """`nearest to linear (1.01 times that)`, or that none of them explains it."""
    said = f"nearest to {_or(names)} ({ratio:.3g} times that)"
    return said if 1 / _FAR < ratio < _FAR else f"which none of them explains: {said}"


def _or(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
