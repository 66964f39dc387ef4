"""The campaigns of a check: the one that measures both sides of each guideline, and those that confirm predictions."""

from collections.abc import Collection, Iterable, Sequence
from math import lcm
from pathlib import Path

from ictus.guidelines.check.analysis import is_complete
from ictus.guidelines.check.medians import is_besides
from ictus.guidelines.question import repeated
from ictus.guidelines.rule import Rule
from ictus.guidelines.verdict import GuidelineVerdict
from ictus.model.call import BASIC, elements_of
from ictus.model.heap import KEPT, RETURNED, HeapState
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.store.check import IN_RETURNED, next_split, split_folders
from ictus.store.manifest import CampaignManifest, read_manifest
from ictus.store.page_faults import heap_effects


def measured_plan(plan: Plan, rules: Sequence[Rule]) -> Plan:
    """The plan with all operations that the rules need, each with the layouts that they ask for. The sizes of a rule
    with layouts are rounded up to whole units of both.
    """
    sizes: dict[tuple[Spec, Spec], set[int]] = {}
    for rule in rules:
        for side in rule.sides:
            sizes.setdefault(side, set()).update(_whole_units(plan, rule))
    operations: dict[tuple[Spec, tuple[int, ...]], list[Spec]] = {}
    for (operation, layout), side_sizes in sizes.items():
        operations.setdefault((layout, tuple(sorted(side_sizes))), []).append(operation)
    if {layout for layout, _ in operations} == {BASIC} and len(operations) == 1:
        return plan.model_copy(update={"operations": tuple(*operations.values())})
    subsets = [
        {"op": names, "sizes": subset_sizes, "layout": layout} for (layout, subset_sizes), names in operations.items()
    ]
    return _of_subsets(plan, subsets)


def _whole_units(plan: Plan, rule: Rule) -> set[int]:
    unit = lcm(elements_of(rule.layout), elements_of(rule.right_layout))
    bytes_each = unit * Registries.load().datatype(plan.datatype).size_bytes
    return {-(-size // bytes_each) * bytes_each for size in plan.sizes} if unit > 1 else set(plan.sizes)


def to_confirm(folder: Path, predicted: Sequence[GuidelineVerdict]) -> tuple[tuple[Path, Plan], ...]:
    """Campaigns of confirmations to measure: the existing ones, then one with all cases that none of them has."""
    confirmations, main = {path: read_manifest(path) for path in split_folders(folder)}, read_manifest(folder)
    launches = main.plan.launches
    open_ones = [
        (path, manifest.plan.model_copy(update={"launches": max(launches, manifest.plan.launches)}))
        for path, manifest in confirmations.items()
        if not is_complete(path, launches)
    ]
    new: list[tuple[Path, Plan]] = []
    for heap, verdicts in _by_heap(main.plan, predicted).items():
        planned = {
            (case.operation, case.size_bytes)
            for manifest in confirmations.values()
            for case in manifest.cases
            if manifest.plan.heap == heap
        }
        plan = split_plan(main, verdicts, planned)
        if plan is not None:
            new.append((next_split(folder, len(new)), plan.model_copy(update={"heap": heap})))
    return (*open_ones, *new)


def _by_heap(
    plan: Plan, predicted: Sequence[GuidelineVerdict]
) -> dict[tuple[HeapState, ...], tuple[GuidelineVerdict, ...]]:
    """The predictions of the campaign's own heap, and those of the one that it was measured in besides."""
    besides = {id(verdict) for verdict in predicted if plan.heap == (KEPT,) and is_besides(verdict.place.algorithm)}
    return {
        plan.heap: tuple(verdict for verdict in predicted if id(verdict) not in besides),
        (RETURNED,) if plan.heap == (KEPT,) else (): tuple(verdict for verdict in predicted if id(verdict) in besides),
    }


def returned_plan(folder: Path, rules: Sequence[Rule]) -> Plan | None:
    """The campaign that measures with freed memory returned the operations of all rules that have a case which depends
    on the heap; None where there is none, where it is complete, and where the check has another heap than the default.
    """
    manifest, effects = read_manifest(folder), heap_effects(folder)
    plan = manifest.plan
    if effects is None or plan.heap != (KEPT,) or is_complete(folder / IN_RETURNED, plan.launches):
        return None
    marked = {key[2] for key, effect in effects.by_case.items() if effect.matters}
    calls = {(case.operation, case.layout) for case in manifest.cases if case.case_id in marked}
    needed = {side for rule in rules if {*rule.sides} & calls for side in rule.sides}
    subsets = [
        {"op": list(operations), "sizes": subset.sizes, "layout": subset.layout}
        for subset in plan.measured
        if (operations := [operation for operation in subset.operations if (operation, subset.layout) in needed])
    ]
    if not subsets:
        return None
    return _of_subsets(plan.model_copy(update={"heap": (RETURNED,), "page_faults": False}), subsets)


def split_plan(
    manifest: CampaignManifest, predicted: Iterable[GuidelineVerdict], planned: Collection[tuple[Spec, int]]
) -> Plan | None:
    """The campaign that confirms predictions: k calls in a row as one operation, and the call; None where all of them
    are in `planned`, by operation and size.
    """
    registries = Registries.load()
    cells: dict[tuple[Spec, Spec], dict[int, None]] = {}
    involved: set[tuple[Spec, int]] = set()
    for verdict in predicted:
        parts = registries.check("operation", repeated(verdict.rule.left, verdict.times))
        if {(parts, verdict.right_size_bytes), (verdict.rule.left, verdict.size_bytes)} <= set(planned):
            continue  # it was measured, and gave no data
        cells.setdefault((parts, verdict.rule.layout), {})[verdict.right_size_bytes] = None
        cells.setdefault((verdict.rule.left, verdict.rule.layout), {})[verdict.size_bytes] = None
        involved |= {(verdict.rule.left, verdict.size_bytes), (verdict.rule.left, verdict.right_size_bytes)}
    if not cells:
        return None
    plan = manifest.plan
    if plan.predicted:
        counts = [count.nrep for count in plan.predicted if (count.operation, count.size_bytes) in involved]
        plan = plan.repeated(max(counts))
    subsets = [{"op": [name], "sizes": list(sizes), "layout": layout} for (name, layout), sizes in cells.items()]
    return _of_subsets(plan.model_copy(update={"size_is": "total"}), subsets)


def _of_subsets(plan: Plan, subsets: Sequence[object]) -> Plan:
    values = {key: value for key, value in plan.values().items() if key not in ("op", "sizes", "layout")}
    return Plan.from_values({**values, "subset": list(subsets)})
