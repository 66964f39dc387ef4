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


def explanations(result: CheckResult) -> tuple[Explanation, ...]:
    """The explanation of each call that violates a guideline, the most costly first; for several guidelines of one call
    that of the most costly.
    """
    tuning = tuning_of(result.campaign.folder)
    calls: dict[tuple[object, ...], GuidelineVerdict] = {}
    for verdict in worst_first(result.verdicts):
        calls.setdefault((verdict.place, verdict.rule.left, verdict.rule.layout, verdict.size_bytes), verdict)
    links: dict[tuple[str, int], Hockney | None] = {}
    made = []
    flavours = {library.label: library.flavour for library in result.campaign.libraries}
    for verdict in calls.values():
        if flavours[verdict.place.library] not in _KNOWN:
            continue  # there is no library
        key = (verdict.place.library, verdict.place.n)
        if key not in links:
            links[key] = _link(tuning, *key)
        selected = selected_algorithm_of(result.campaign, verdict)
        made.append(explain(verdict, selected, links[key], alike(tuning, verdict)))
    return tuple(made)


def selected_algorithm_of(
    campaign: Campaign, verdict: GuidelineVerdict, offer: Offer | None = None
) -> SelectedAlgorithm:
    """The algorithm that the library took for the call of a verdict, and the user's variables that select it; `offer`
    has its algorithms, where it was asked.
    """
    library = next(candidate for candidate in campaign.libraries if candidate.label == verdict.place.library)
    selected = _selected_in(campaign, library, verdict, offer or {})
    forced = concerning(library.flavour, verdict.rule.left.name, forced_variables(campaign, library))
    if not forced:
        return selected
    reason = f"variables of your environment select it: {', '.join(map(str, forced))}"
    return replace(selected, remark="; ".join(filter(None, (selected.remark, reason))))


def _selected_in(campaign: Campaign, library: Library, verdict: GuidelineVerdict, offer: Offer) -> SelectedAlgorithm:
    operation = verdict.rule.left.name
    for word in verdict.place.algorithm.split(","):
        if word.startswith(f"{operation}="):
            return SelectedAlgorithm(word.partition("=")[2], "--algorithm")
    if Registries.load().operation(operation).stands_for:
        return SelectedAlgorithm(operation, "its plug-in")
    if library.flavour not in _KNOWN:
        return SelectedAlgorithm(None, "the scenario", "the library is simulated")
    launch = next((candidate for candidate in campaign.launches if candidate.mpi == library.label), None)
    cvars = {} if launch is None else control_variables(launch.folder, launch.checksums)
    launcher_variables = {} if launch is None else dict((launch.record.head.launcher or {}).get("environment") or {})
    planned = {name: value for name, value in common(campaign.plan.environment).items() if value != UNSET}
    launched = LaunchEvidence(cvars, {**planned, **launcher_variables}, offer, Path(library.wrapper))
    signature = signature_of(campaign, verdict)
    selected = flavour(library.flavour).selected_algorithm(signature, launched)
    if selected.algorithm is not None or verdict.rule.layout != BASIC:
        return selected
    return by_function(read_traces(campaign.folder), verdict.place, signature) or selected


def by_function(
    entered: Mapping[TracedCall, Sequence[str]], configuration: Configuration, call: CallSignature
) -> SelectedAlgorithm | None:
    """The algorithm whose function these calls of the unchanged library entered in a separate launch; None unless there
    is exactly one.
    """
    functions = entered.get(TracedCall(configuration.library, configuration.n, call.operation, call.block_bytes), ())
    if configuration.algorithm != DEFAULT or call.in_place or len(functions) != 1:
        return None
    where = f"the function that it enters, ompi_coll_base_{call.operation}_{functions[0]}"
    return SelectedAlgorithm(functions[0].removeprefix("intra_"), where)


def signature_of(campaign: Campaign, verdict: GuidelineVerdict) -> CallSignature:
    """The properties of a verdict's call by which the library chooses an algorithm."""
    cases = (Case.from_json(row) for row in campaign.cases.iter_rows(named=True))
    key = (verdict.rule.left, verdict.rule.layout, verdict.size_bytes, verdict.place.n)
    case = next(entry for entry in cases if (entry.operation, entry.layout, entry.size_bytes, entry.n) == key)
    block = case.block_bytes or case.moved_bytes
    hosts = {launch.record.head.nodes for launch in campaign.launches if launch.mpi == verdict.place.library}
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
    known_sizes = sorted(times)
    return fit(known_sizes, [median(times[size]) for size in known_sizes]) if len(known_sizes) > 1 else None


def _link(tuning: Path, library: str, n: int) -> Hockney | None:
    """The tuning's ping-pong; None without one."""
    folder = tuning / "pingpong" / f"{library}-n{n}"
    return link_of(load(folder)) if _measured(folder) else None


def alike(tuning: Path, verdict: GuidelineVerdict) -> dict[str, float]:
    """Forced algorithms that take as long as the call does, with the ratio, the nearest first."""
    operation, size = verdict.rule.left.name, verdict.size_bytes
    ratios: dict[str, float] = {}
    for folder in sorted((tuning / "race").glob("*/look-*")):
        if _measured(folder):
            ratios |= dict(_ratios(load(folder), str(verdict.rule.left), size, verdict.place.library, verdict.place.n))
    near = {name.partition("=")[2]: ratio for name, ratio in ratios.items() if name.startswith(f"{operation}=")}
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
    medians_s: Mapping[str, float] = {name: median(times_s) for name, times_s in times.items()}
    if DEFAULT in medians_s:
        yield from ((name, time / medians_s[DEFAULT]) for name, time in medians_s.items() if name != DEFAULT)


def _measured(folder: Path) -> bool:
    return (folder / CAMPAIGN).is_file() and any((folder / "launches").glob("*/launch.json"))


_NAMED = 3
"""At most this number of algorithms that take as long are named."""
_FAR = 2.0
"""The factor by which an expectation may be wrong and still be an explanation."""


def explanation_row(explanation: Explanation) -> dict[str, Any]:
    """An explanation for scripts; times in seconds."""
    verdict, link = explanation.verdict, explanation.link
    return {
        "guideline": verdict.rule.name,
        "mpi": verdict.place.library,
        "n": verdict.place.n,
        "operation": str(verdict.rule.left),
        "size_bytes": verdict.size_bytes,
        "measured_s": verdict.left_s,
        "algorithm": explanation.selected.algorithm,
        "asked": explanation.selected.where,
        "remark": explanation.selected.remark,
        "alike": dict(explanation.alike),
        "alpha_s": None if link is None else link.alpha_s,
        "beta_s": None if link is None else link.beta_s,
        "residual": None if link is None else link.residual,
        "expected_s": dict(explanation.expected_s),
        "nearest": list(explanation.nearest),
        "right": str(verdict.rule.right),
        "right_s": verdict.right_s,
        "right_expected_s": explanation.right_s,
    }


def explanation_sentences(explanation: Explanation) -> tuple[str, ...]:
    """Sentences for people: the selected algorithm, the forced algorithms that take as long, the expected times, and
    what these suggest.
    """
    return (f"{_where(explanation)}: {_selection_text(explanation)}", *_alike(explanation), *_model(explanation))


def explainer(kept: Iterable[Explanation]) -> Callable[[GuidelineVerdict], Sequence[str]]:
    """The explanation of a violation's call, for pages: one paragraph."""
    by_call = {_call(explanation.verdict): " ".join(explanation_sentences(explanation)) for explanation in kept}
    return lambda verdict: (by_call[_call(verdict)],) if _call(verdict) in by_call else ()


def _call(verdict: GuidelineVerdict) -> tuple[Configuration, Spec, Spec, int]:
    return verdict.place, verdict.rule.left, verdict.rule.layout, verdict.size_bytes


def short_explanation(explanation: Explanation) -> str:
    """The algorithm alone: `MPI_Gather of 4 KiB (mpich, n=4): binomial.`"""
    selected = explanation.selected
    if selected.algorithm is None:
        near = (
            f"{_or(tuple(explanation.alike)[:_NAMED])}, by its time"
            if explanation.alike
            else f"not known; {selected.remark}"
        )
        return f"{_where(explanation)}: {near}."
    remark = f"; {selected.remark}" if selected.remark else ""
    return f"{_where(explanation)}: {selected.algorithm}, by {selected.where}{remark}."


def _where(explanation: Explanation) -> str:
    verdict = explanation.verdict
    name = side(verdict.rule.left, Registries.load())
    size = f" of {format_size(verdict.size_bytes)}" if verdict.size_bytes else ""
    return f"{name}{size} ({verdict.place.library}, n={verdict.place.n})"


def _selection_text(explanation: Explanation) -> str:
    selected, remark = explanation.selected, explanation.selected.remark
    if selected.algorithm is not None:
        return f"the library takes {selected.algorithm} (by {selected.where}{f'; {remark}' if remark else ''})."
    return f"which algorithm the library takes is not known from {selected.where}{f': {remark}' if remark else ''}."


def _alike(explanation: Explanation) -> tuple[str, ...]:
    """A hint from races: several algorithms may be the same for these processes."""
    if not explanation.alike:
        return ()
    names = tuple(f"{name} ({ratio:.2f} times)" for name, ratio in tuple(explanation.alike.items())[:_NAMED])
    unnamed = f" and {len(explanation.alike) - _NAMED} more" if len(explanation.alike) > _NAMED else ""
    return (f"Forced, as long as it takes {_or(names)}{unnamed}: it may be that one.",)


def _model(explanation: Explanation) -> tuple[str, ...]:
    link, verdict, right_s = explanation.link, explanation.verdict, explanation.right_s
    if link is None or not explanation.expected_s:
        return ()
    bandwidth = "" if link.beta_s <= 0 else f" and {link.bandwidth / 1e9:.3g} GB/s"
    expected = ", ".join(f"{name} {format_duration(time)}" for name, time in explanation.expected_s.items())
    off = "" if link.residual is None else f" (the line is off by up to {100 * link.residual:.0f} %)"
    first = f"With {format_duration(link.alpha_s)}{bandwidth} from a ping-pong{off}, expected are {expected}."
    if not explanation.nearest or verdict.left_s is None:
        return (first,)
    near = explanation.expected_s[explanation.nearest[0]]
    second = f"Measured {format_duration(verdict.left_s)}, {_near(explanation.nearest, verdict.left_s / near)}"
    if right_s is not None and verdict.right_s is not None and right_s > 0:
        what = {Kind.MONOTONY: "the next size", Kind.SPLIT: f"{verdict.times} parts"}.get(
            verdict.rule.kind, verdict.rule.right
        )
        second += f"; {what} could take {format_duration(right_s)}, measured {format_duration(verdict.right_s)}"
    return (first, f"{second}.")


def _near(names: tuple[str, ...], ratio: float) -> str:
    """`nearest to linear (1.01 times that)`, or that none of them explains it."""
    nearest = f"nearest to {_or(names)} ({ratio:.3g} times that)"
    return nearest if 1 / _FAR < ratio < _FAR else f"which none of them explains: {nearest}"


def _or(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
