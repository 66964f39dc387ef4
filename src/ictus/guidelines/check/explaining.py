"""Why guidelines are violated, as far as what is on the disk says: nothing is launched for it.

Which algorithm the library took follows from the control variables of a launch and, of MPICH, from the trees in the
library itself; of Open MPI, from the functions that the calls entered when that was asked (asking.py). Where a tuning
of the check is there, its ping-pong gives expectations, and its races say which forced algorithms take as long as the
call as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from ictus.guidelines.check.algorithm_trace import Call, read_entered
from ictus.guidelines.check.rows import Checked
from ictus.guidelines.explain import Explanation, explain
from ictus.guidelines.hockney import Hockney, fit
from ictus.guidelines.tallies import worst_first
from ictus.guidelines.verdict import Place, Verdict
from ictus.model.algorithm import DEFAULT, Offer
from ictus.model.call import OUT_OF_PLACE
from ictus.model.call_shape import BASIC
from ictus.model.case import Case
from ictus.model.environment import common
from ictus.model.registries import Registries
from ictus.model.selected_algorithm import CallSignature, LaunchFacts, SelectedAlgorithm
from ictus.model.spec import parse_spec
from ictus.mpi.flavours import FLAVOURS, flavour
from ictus.store.campaign import Campaign, load
from ictus.store.charter import CAMPAIGN
from ictus.store.document import read_object

ALIKE = 0.05
"""A forced algorithm whose median is so near to that of the call as it is takes as long."""

_KNOWN = {member.name for member in FLAVOURS}


def tuning_of(check: Path) -> Path:
    """Where `ictus tune` keeps the tuning of a check."""
    return check.with_name(f"{check.name}-tune")


def explanations(found: Checked) -> tuple[Explanation, ...]:
    """Of each call that breaks a guideline, the dearest first; of several guidelines of one call the dearest."""
    tuning = tuning_of(found.campaign.folder)
    calls: dict[tuple[object, ...], Verdict] = {}
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
        made.append(explain(one, told_of(found.campaign, one), links[key], alike(tuning, one)))
    return tuple(made)


def told_of(campaign: Campaign, verdict: Verdict, offer: Offer | None = None) -> SelectedAlgorithm:
    """Which algorithm the library took for the call of a verdict; `offer` are those that it has, where it was asked."""
    library = next(one for one in campaign.libraries if one.label == verdict.place.library)
    operation = parse_spec(verdict.rule.left).name
    for word in verdict.place.algorithm.split(","):
        if word.startswith(f"{operation}="):
            return SelectedAlgorithm(word.partition("=")[2], "--algorithm")
    if library.flavour not in _KNOWN:
        return SelectedAlgorithm(None, "the scenario", "the library is simulated")
    launch = next((one for one in campaign.launches if one.mpi == library.label), None)
    path = None if launch is None else launch.folder / "cvars.json"
    cvars = dict(read_object(path).get("cvars", {})) if path is not None and path.is_file() else {}
    own = {} if launch is None else dict((launch.record.get("launcher") or {}).get("environment") or {})
    launched = LaunchFacts(cvars, {**common(campaign.plan.environment), **own}, offer or {}, Path(library.wrapper))
    signature = signature_of(campaign, verdict)
    told = flavour(library.flavour).selected_algorithm(signature, launched)
    if told.algorithm is not None or verdict.rule.layout != BASIC:
        return told
    return by_function(read_entered(campaign.folder), verdict.place, signature) or told


def by_function(entered: Mapping[Call, Sequence[str]], place: Place, call: CallSignature) -> SelectedAlgorithm | None:
    """The algorithm whose function such calls of the library as it is entered in a launch of their own; None where that
    was not one alone.
    """
    functions = entered.get(Call(place.library, place.n, call.operation, call.block_bytes), ())
    if place.algorithm != DEFAULT or call.in_place or len(functions) != 1:
        return None
    where = f"the function that it enters, ompi_coll_base_{call.operation}_{functions[0]}"
    return SelectedAlgorithm(functions[0].removeprefix("intra_"), where)


def signature_of(campaign: Campaign, verdict: Verdict) -> CallSignature:
    """What the library chose by, of the call of a verdict."""
    cases = (Case.from_json(row) for row in campaign.cases.iter_rows(named=True))
    asked = (verdict.rule.left, verdict.rule.layout, verdict.size_bytes, verdict.place.n)
    case = next(one for one in cases if (one.operation, one.layout, one.size_bytes, one.n) == asked)
    block = case.block_bytes or case.moved_bytes
    hosts = {len(one.record.get("hosts") or ()) for one in campaign.launches if one.mpi == verdict.place.library}
    return CallSignature(
        operation=parse_spec(case.operation).name,
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
    for case_id, time in campaign.summaries.select("case_id", "median").iter_rows():
        if time is not None and time > 0:
            times.setdefault(sizes[case_id], []).append(time)
    known = sorted(times)
    return fit(known, [median(times[size]) for size in known]) if len(known) > 1 else None


def _link(tuning: Path, library: str, n: int) -> Hockney | None:
    """Of the tuning's ping-pong; None where none was measured."""
    folder = tuning / "pingpong" / f"{library}-n{n}"
    return link_of(load(folder)) if _measured(folder) else None


def alike(tuning: Path, verdict: Verdict) -> dict[str, float]:
    """Forced algorithms that take as long as the call does, with the ratio, the nearest first."""
    operation, size = parse_spec(verdict.rule.left).name, verdict.size_bytes
    found: dict[str, float] = {}
    for folder in sorted((tuning / "race").glob("*/look-*")):
        if _measured(folder):
            found |= dict(_ratios(load(folder), verdict.rule.left, size, verdict.place.library, verdict.place.n))
    near = {name.partition("=")[2]: ratio for name, ratio in found.items() if name.startswith(f"{operation}=")}
    ordered = sorted(near.items(), key=lambda item: abs(item[1] - 1))
    return {name: ratio for name, ratio in ordered if abs(ratio - 1) <= ALIKE and "," not in name}


def _ratios(campaign: Campaign, operation: str, size_bytes: int, library: str, n: int) -> Iterator[tuple[str, float]]:
    """The medians of launches with an algorithm, to that of the library as it is."""
    if campaign.labels != (library,) or campaign.plan.processes != (n,):
        return
    rows = campaign.cases.select("case_id", "operation", "size_bytes").iter_rows()
    ids = {case_id for case_id, name, size in rows if (name, size) == (operation, size_bytes)}
    times: dict[str, list[float]] = {}
    for variant, case_id, time in campaign.summaries.select("algorithm", "case_id", "median").iter_rows():
        if case_id in ids and time is not None and time > 0:
            times.setdefault(variant, []).append(time)
    usual: Mapping[str, float] = {name: median(own) for name, own in times.items()}
    if DEFAULT in usual:
        yield from ((name, time / usual[DEFAULT]) for name, time in usual.items() if name != DEFAULT)


def _measured(folder: Path) -> bool:
    return (folder / CAMPAIGN).is_file() and any((folder / "launches").glob("*/launch.json"))
