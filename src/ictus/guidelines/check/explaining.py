"""Explains violations from the files on the disk; nothing is launched. Rows for scripts, sentences for tables and
pages.

The selected algorithm follows from the control variables of a launch; for MPICH also from the trees in the library, for
Open MPI from the functions that the calls entered (algorithm_trace.py). Where a tuning of the check exists, its
ping-pong gives expected times, and its races show which forced algorithms take as long as the unchanged call.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from ictus.engine.forced import concerning, forced_variables
from ictus.guidelines.check.algorithm_trace import TracedCall, read_traces
from ictus.guidelines.check.analysis import CheckResult
from ictus.guidelines.explain import Explanation, explain
from ictus.guidelines.hockney import Hockney, fit
from ictus.guidelines.rule import Kind, side
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, worst_first
from ictus.model.algorithm import DEFAULT, CallSignature, LaunchEvidence, Offer, SelectedAlgorithm
from ictus.model.call import BASIC, OUT_OF_PLACE
from ictus.model.case import Case
from ictus.model.environment import UNSET, common
from ictus.model.library import Library
from ictus.model.quantity import format_duration, format_size
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.mpi.flavours import FLAVOURS, flavour
from ictus.store.campaign import Campaign, load
from ictus.store.launch_files import control_variables
from ictus.store.manifest import CAMPAIGN

ALIKE = 0.05
"""A forced algorithm whose median is this close to that of the unchanged call takes as long."""

_KNOWN = {member.name for member in FLAVOURS}


def tuning_of(check: Path) -> Path:
    """Where `ictus tune` keeps the tuning of a check."""
    return check.with_name(f"{check.name}-tune")


def explanations(found: CheckResult) -> tuple[Explanation, ...]:
    """The explanation of each call that violates a guideline, the most costly first; for several guidelines of one call
    that of the most costly.
    """
    tuning = tuning_of(found.campaign.folder)
    calls: dict[tuple[object, ...], GuidelineVerdict] = {}
    for one in worst_first(found.verdicts):
        calls.setdefault((one.place, one.rule.left, one.rule.layout, one.size_bytes), one)
    links: dict[tuple[str, int], Hockney | None] = {}
    made = []
    flavours = {one.label: one.flavour for one in found.campaign.libraries}
    for one in calls.values():
        if flavours[one.place.library] not in _KNOWN:
            continue  # there is no library
        key = (one.place.library, one.place.n)
        if key not in links:
            links[key] = _link(tuning, *key)
        made.append(explain(one, selected_algorithm_of(found.campaign, one), links[key], alike(tuning, one)))
    return tuple(made)


def selected_algorithm_of(
    campaign: Campaign, verdict: GuidelineVerdict, offer: Offer | None = None
) -> SelectedAlgorithm:
    """The algorithm that the library took for the call of a verdict, and the user's variables that select it; `offer`
    has its algorithms, where it was asked.
    """
    library = next(one for one in campaign.libraries if one.label == verdict.place.library)
    selected = _selected_in(campaign, library, verdict, offer or {})
    own = concerning(library.flavour, verdict.rule.left.name, forced_variables(campaign, library))
    if not own:
        return selected
    said = f"variables of your environment select it: {', '.join(map(str, own))}"
    return replace(selected, remark="; ".join(filter(None, (selected.remark, said))))


def _selected_in(campaign: Campaign, library: Library, verdict: GuidelineVerdict, offer: Offer) -> SelectedAlgorithm:
    operation = verdict.rule.left.name
    for word in verdict.place.algorithm.split(","):
        if word.startswith(f"{operation}="):
            return SelectedAlgorithm(word.partition("=")[2], "--algorithm")
    if Registries.load().operation(operation).stands_for:
        return SelectedAlgorithm(operation, "its plug-in")
    if library.flavour not in _KNOWN:
        return SelectedAlgorithm(None, "the scenario", "the library is simulated")
    launch = next((one for one in campaign.launches if one.mpi == library.label), None)
    cvars = {} if launch is None else control_variables(launch.folder, launch.checksums)
    own = {} if launch is None else dict((launch.record.head.launcher or {}).get("environment") or {})
    planned = {name: value for name, value in common(campaign.plan.environment).items() if value != UNSET}
    launched = LaunchEvidence(cvars, {**planned, **own}, offer, Path(library.wrapper))
    signature = signature_of(campaign, verdict)
    selected = flavour(library.flavour).selected_algorithm(signature, launched)
    if selected.algorithm is not None or verdict.rule.layout != BASIC:
        return selected
    return by_function(read_traces(campaign.folder), verdict.place, signature) or selected


def by_function(
    entered: Mapping[TracedCall, Sequence[str]], place: Configuration, call: CallSignature
) -> SelectedAlgorithm | None:
    """The algorithm whose function these calls of the unchanged library entered in a separate launch; None unless there
    is exactly one.
    """
    functions = entered.get(TracedCall(place.library, place.n, call.operation, call.block_bytes), ())
    if place.algorithm != DEFAULT or call.in_place or len(functions) != 1:
        return None
    where = f"the function that it enters, ompi_coll_base_{call.operation}_{functions[0]}"
    return SelectedAlgorithm(functions[0].removeprefix("intra_"), where)


def signature_of(campaign: Campaign, verdict: GuidelineVerdict) -> CallSignature:
    """The properties of a verdict's call by which the library chooses an algorithm."""
    cases = (Case.from_json(row) for row in campaign.cases.iter_rows(named=True))
    key = (verdict.rule.left, verdict.rule.layout, verdict.size_bytes, verdict.place.n)
    case = next(one for one in cases if (one.operation, one.layout, one.size_bytes, one.n) == key)
    block = case.block_bytes or case.moved_bytes
    hosts = {one.record.head.nodes for one in campaign.launches if one.mpi == verdict.place.library}
    return CallSignature(
        operation=case.operation.name,
        n=case.n,
        total_bytes=case.moved_bytes,
        block_bytes=block,
        count=block // Registries.load().datatype(case.datatype).size_bytes,
        one_host=hosts <= {0, 1},
        built_in=not case.operator.startswith("user("),
        in_place=case.in_place != OUT_OF_PLACE,
    )


def link_of(campaign: Campaign) -> Hockney | None:
    """Latency and bandwidth of a campaign of ping-pongs; None of fewer than two sizes."""
    sizes = dict(campaign.cases.select("case_id", "size_bytes").iter_rows())
    times: dict[int, list[float]] = {}
    for case_id, time in campaign.summaries.select("case_id", "value").iter_rows():
        if time is not None and time > 0:
            times.setdefault(sizes[case_id], []).append(time)
    known = sorted(times)
    return fit(known, [median(times[size]) for size in known]) if len(known) > 1 else None


def _link(tuning: Path, library: str, n: int) -> Hockney | None:
    """The tuning's ping-pong; None without one."""
    folder = tuning / "pingpong" / f"{library}-n{n}"
    return link_of(load(folder)) if _measured(folder) else None


def alike(tuning: Path, verdict: GuidelineVerdict) -> dict[str, float]:
    """Forced algorithms that take as long as the call does, with the ratio, the nearest first."""
    operation, size = verdict.rule.left.name, verdict.size_bytes
    found: dict[str, float] = {}
    for folder in sorted((tuning / "race").glob("*/look-*")):
        if _measured(folder):
            found |= dict(_ratios(load(folder), str(verdict.rule.left), size, verdict.place.library, verdict.place.n))
    near = {name.partition("=")[2]: ratio for name, ratio in found.items() if name.startswith(f"{operation}=")}
    ordered = sorted(near.items(), key=lambda item: abs(item[1] - 1))
    return {name: ratio for name, ratio in ordered if abs(ratio - 1) <= ALIKE and "," not in name}


def _ratios(campaign: Campaign, operation: str, size_bytes: int, library: str, n: int) -> Iterator[tuple[str, float]]:
    """The medians of launches with an algorithm, relative to the unchanged library."""
    if campaign.labels != (library,) or campaign.plan.processes != (n,):
        return
    rows = campaign.cases.select("case_id", "operation", "size_bytes").iter_rows()
    ids = {case_id for case_id, name, size in rows if (name, size) == (operation, size_bytes)}
    times: dict[str, list[float]] = {}
    for variant, case_id, time in campaign.summaries.select("algorithm", "case_id", "value").iter_rows():
        if case_id in ids and time is not None and time > 0:
            times.setdefault(variant, []).append(time)
    usual: Mapping[str, float] = {name: median(own) for name, own in times.items()}
    if DEFAULT in usual:
        yield from ((name, time / usual[DEFAULT]) for name, time in usual.items() if name != DEFAULT)


def _measured(folder: Path) -> bool:
    return (folder / CAMPAIGN).is_file() and any((folder / "launches").glob("*/launch.json"))


_NAMED = 3
"""At most this number of algorithms that take as long are named."""
_FAR = 2.0
"""The factor by which an expectation may be wrong and still be an explanation."""


def explanation_row(one: Explanation) -> dict[str, Any]:
    """An explanation for scripts; times in seconds."""
    verdict, link = one.verdict, one.link
    return {
        "guideline": verdict.rule.name,
        "mpi": verdict.place.library,
        "n": verdict.place.n,
        "operation": str(verdict.rule.left),
        "size_bytes": verdict.size_bytes,
        "measured_s": verdict.left_s,
        "algorithm": one.selected.algorithm,
        "asked": one.selected.where,
        "remark": one.selected.remark,
        "alike": dict(one.alike),
        "alpha_s": None if link is None else link.alpha_s,
        "beta_s": None if link is None else link.beta_s,
        "residual": None if link is None else link.residual,
        "expected_s": dict(one.expected_s),
        "nearest": list(one.nearest),
        "right": str(verdict.rule.right),
        "right_s": verdict.right_s,
        "right_expected_s": one.right_s,
    }


def explanation_sentences(one: Explanation) -> tuple[str, ...]:
    """Sentences for people: the selected algorithm, the forced algorithms that take as long, the expected times, and
    what these suggest.
    """
    return (f"{_where(one)}: {_selection_text(one)}", *_alike(one), *_model(one))


def explainer(known: Iterable[Explanation]) -> Callable[[GuidelineVerdict], Sequence[str]]:
    """The explanation of a violation's call, for pages: one paragraph."""
    by_call = {_call(one.verdict): " ".join(explanation_sentences(one)) for one in known}
    return lambda verdict: (by_call[_call(verdict)],) if _call(verdict) in by_call else ()


def _call(verdict: GuidelineVerdict) -> tuple[Configuration, Spec, Spec, int]:
    return verdict.place, verdict.rule.left, verdict.rule.layout, verdict.size_bytes


def short_explanation(one: Explanation) -> str:
    """The algorithm alone: `MPI_Gather of 4 KiB (mpich, n=4): binomial.`"""
    selected = one.selected
    if selected.algorithm is None:
        near = f"{_or(tuple(one.alike)[:_NAMED])}, by its time" if one.alike else f"not known; {selected.remark}"
        return f"{_where(one)}: {near}."
    return (
        f"{_where(one)}: {selected.algorithm}, by {selected.where}{f'; {selected.remark}' if selected.remark else ''}."
    )


def _where(one: Explanation) -> str:
    verdict = one.verdict
    name = side(verdict.rule.left, Registries.load())
    size = f" of {format_size(verdict.size_bytes)}" if verdict.size_bytes else ""
    return f"{name}{size} ({verdict.place.library}, n={verdict.place.n})"


def _selection_text(one: Explanation) -> str:
    remark = one.selected.remark
    if one.selected.algorithm is not None:
        return f"the library takes {one.selected.algorithm} (by {one.selected.where}{f'; {remark}' if remark else ''})."
    return f"which algorithm the library takes is not known from {one.selected.where}{f': {remark}' if remark else ''}."


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
