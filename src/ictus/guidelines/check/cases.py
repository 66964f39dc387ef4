"""Which cases guidelines are judged by: both sides of each, and what confirms a prediction."""

from collections.abc import Collection, Iterable, Sequence

from ictus.guidelines.rule import Rule
from ictus.guidelines.split import repeated
from ictus.guidelines.verdict import Verdict
from ictus.model.call_shape import BASIC
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.store.charter import Charter


def measured_plan(plan: Plan, rules: Sequence[Rule]) -> Plan:
    """The plan with all operations that the rules need, each with the layout that they ask for."""
    operations: dict[str, dict[str, None]] = {}
    for rule in rules:
        operations.setdefault(rule.layout, {}).update(dict.fromkeys((rule.left, rule.right)))
    if set(operations) == {BASIC}:
        return plan.model_copy(update={"operations": tuple(operations[BASIC])})
    subsets = [{"op": list(names), "sizes": plan.sizes, "layout": layout} for layout, names in operations.items()]
    return _of_subsets(plan, subsets)


def split_plan(charter: Charter, predicted: Iterable[Verdict], planned: Collection[tuple[str, int]]) -> Plan | None:
    """The campaign that confirms predictions: k calls in a row as one operation, and the call; None where all of them
    are in `planned`, by operation and size.
    """
    registries = Registries.load()
    cells: dict[tuple[str, str], dict[int, None]] = {}
    involved: set[tuple[str, int]] = set()
    for one in predicted:
        parts = str(registries.check("operation", repeated(one.rule.left, one.times)))
        if {(parts, one.right_size_bytes), (one.rule.left, one.size_bytes)} <= set(planned):
            continue  # it was measured, and gave no data
        cells.setdefault((parts, one.rule.layout), {})[one.right_size_bytes] = None
        cells.setdefault((one.rule.left, one.rule.layout), {})[one.size_bytes] = None
        involved |= {(one.rule.left, one.size_bytes), (one.rule.left, one.right_size_bytes)}
    if not cells:
        return None
    plan = charter.plan
    if isinstance(plan.nrep, str):
        counts = [one.nrep for one in plan.predicted if (one.operation, one.size_bytes) in involved]
        update = {"nrep": max(counts), "repetition": "fixed", "predicted": ()}
        plan = plan.model_copy(update=update)
    subsets = [{"op": [name], "sizes": list(sizes), "layout": layout} for (name, layout), sizes in cells.items()]
    return _of_subsets(plan.model_copy(update={"size_is": "total"}), subsets)


def _of_subsets(plan: Plan, subsets: Sequence[object]) -> Plan:
    values = {key: value for key, value in plan.values().items() if key not in ("op", "sizes")}
    return Plan.from_values({**values, "subset": list(subsets)}, "check")
