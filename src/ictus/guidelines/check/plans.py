"""The campaigns of a check: the one that measures both sides of each guideline, and those that confirm predictions."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from ictus.guidelines.check.analysis import is_complete
from ictus.guidelines.question import repeated
from ictus.guidelines.rule import Rule
from ictus.guidelines.verdict import GuidelineVerdict
from ictus.model.call import BASIC
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.store.check import next_split, split_folders
from ictus.store.manifest import CampaignManifest, read_manifest


def measured_plan(plan: Plan, rules: Sequence[Rule]) -> Plan:
    """The plan with all operations that the rules need, each with the layout that they ask for."""
    operations: dict[Spec, dict[Spec, None]] = {}
    for rule in rules:
        operations.setdefault(rule.layout, {}).update(dict.fromkeys((rule.left, rule.right)))
    if set(operations) == {BASIC}:
        return plan.model_copy(update={"operations": tuple(operations[BASIC])})
    subsets = [{"op": list(names), "sizes": plan.sizes, "layout": layout} for layout, names in operations.items()]
    return _of_subsets(plan, subsets)


def to_confirm(folder: Path, predicted: Sequence[GuidelineVerdict]) -> tuple[tuple[Path, Plan], ...]:
    """Campaigns of confirmations to measure: the existing ones, then one with all cases that none of them has."""
    confirmations, whole = {path: read_manifest(path) for path in split_folders(folder)}, read_manifest(folder)
    launches = whole.plan.launches
    open_ones = [
        (path, manifest.plan.model_copy(update={"launches": max(launches, manifest.plan.launches)}))
        for path, manifest in confirmations.items()
        if not is_complete(path, launches)
    ]
    planned = {(case.operation, case.size_bytes) for manifest in confirmations.values() for case in manifest.cases}
    plan = split_plan(whole, predicted, planned)
    return (*open_ones, *(() if plan is None else ((next_split(folder), plan),)))


def split_plan(
    manifest: CampaignManifest, predicted: Iterable[GuidelineVerdict], planned: Collection[tuple[Spec, int]]
) -> Plan | None:
    """The campaign that confirms predictions: k calls in a row as one operation, and the call; None where all of them
    are in `planned`, by operation and size.
    """
    registries = Registries.load()
    cells: dict[tuple[Spec, Spec], dict[int, None]] = {}
    involved: set[tuple[Spec, int]] = set()
    for one in predicted:
        parts = registries.check("operation", repeated(one.rule.left, one.times))
        if {(parts, one.right_size_bytes), (one.rule.left, one.size_bytes)} <= set(planned):
            continue  # it was measured, and gave no data
        cells.setdefault((parts, one.rule.layout), {})[one.right_size_bytes] = None
        cells.setdefault((one.rule.left, one.rule.layout), {})[one.size_bytes] = None
        involved |= {(one.rule.left, one.size_bytes), (one.rule.left, one.right_size_bytes)}
    if not cells:
        return None
    plan = manifest.plan
    if plan.predicted:
        counts = [one.nrep for one in plan.predicted if (one.operation, one.size_bytes) in involved]
        plan = plan.repeated(max(counts))
    subsets = [{"op": [name], "sizes": list(sizes), "layout": layout} for (name, layout), sizes in cells.items()]
    return _of_subsets(plan.model_copy(update={"size_is": "total"}), subsets)


def _of_subsets(plan: Plan, subsets: Sequence[object]) -> Plan:
    values = {key: value for key, value in plan.values().items() if key not in ("op", "sizes")}
    return Plan.from_values({**values, "subset": list(subsets)})
