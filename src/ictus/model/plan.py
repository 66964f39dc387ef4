"""The plan of a campaign: every decision of the user. TOML keys are the names of the command line's options.

A plan checks types and ranges (model/plan_fields.py); `checked` compares names with the registries.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ictus.model.availability import named
from ictus.model.call import check_roots
from ictus.model.errors import OptionError
from ictus.model.job_size import JobSize, job_sizes
from ictus.model.plan_field import problem, shown
from ictus.model.plan_fields import FIXED, LARGEST_SEED, MOST_LAUNCHES, PlanFields
from ictus.model.plan_parts import (
    Method,
    PredictedCount,
    Subset,
    check_clocksyncs,
    check_operator,
    full_repetition,
    full_specs,
    operations_of,
    sizes_of,
)
from ictus.model.platform import DEFAULT_PLATFORM, full_platform, simulated_clocks
from ictus.model.registries import Registries
from ictus.model.spec import Number, Spec
from ictus.model.unknown import unknown

__all__ = ["LARGEST_SEED", "MOST_LAUNCHES", "Plan"]


class Plan(PlanFields):
    """A plan, and what can be asked of it."""

    @staticmethod
    def from_values(values: Mapping[str, object], source: str = "") -> "Plan":
        """A plan from fields by their TOML keys (or their names here); `source` is the file that they are from.

        Raises OptionError for a value, UsageError for a field that there is not.
        """
        keys = [field.alias or name for name, field in Plan.model_fields.items()]
        foreign = next((key for key in values if key not in keys and key not in Plan.model_fields), None)
        if foreign is not None:
            raise unknown(f"field '{foreign}' in {source or 'plan'}", foreign, keys)
        try:
            return Plan.model_validate(dict(values))
        except ValidationError as error:
            aliases = {name: field.alias or name for name, field in Plan.model_fields.items()}  # of a default
            faults = (problem(detail) for detail in error.errors())
            named_as_typed = ((aliases.get(key, key), value, reason) for key, value, reason in faults)
            raise OptionError(*named_as_typed, source=source) from None

    def values(self) -> dict[str, Any]:
        """All fields by their TOML keys, as JSON has them; the inverse of `from_values`."""
        return self.model_dump(mode="json", by_alias=True)

    def seeded(self) -> "Plan":
        """This plan with a seed: its own, or one drawn now, short enough to be typed."""
        return self if self.seed is not None else self.model_copy(update={"seed": secrets.randbelow(10**9)})

    def repeated(
        self, nrep: int | str | Spec | None = None, repetition: Spec = FIXED, predicted: Sequence[PredictedCount] = ()
    ) -> "Plan":
        """This plan with other numbers of repetitions. Three fields say them, so all three are replaced."""
        return self.model_copy(update={"nrep": nrep, "repetition": repetition, "predicted": tuple(predicted)})

    def simulated(self) -> "Plan":
        """This plan for simulated libraries: on a platform, and in simulated time where no clock is named."""
        clocks = simulated_clocks(self.clock if "clock" in self.model_fields_set else (None,))
        return self.model_copy(update={"clock": clocks, "platform": self.platform or DEFAULT_PLATFORM})

    @property
    def ways(self) -> tuple[Method, ...]:
        """How each operation and size is measured: `methods`, else one for each process synchronisation."""
        each = (Method(procsync=name, scheme=self.scheme, repetition=self.repetition) for name in self.procsync)
        return self.methods or tuple(each)

    @property
    def measured(self) -> tuple[Subset, ...]:
        """The measured cases: `subsets`, else every operation at every size."""
        each = (Subset(operations=self.operations, sizes=self.sizes, layout=layout) for layout in self.layout)
        return self.subsets or tuple(each)

    @property
    def job_sizes(self) -> tuple[JobSize, ...]:
        """The sizes of launches: numbers of processes, and of nodes where they are given."""
        return job_sizes(self.processes, self.nodes, self.ppn)

    def checked(self, registries: Registries) -> "Plan":
        """This plan with every name checked and in full form, so that equal plans are equal texts."""
        datatype = registries.datatype(self.datatype)
        operator = self.operator or datatype.default_operator
        subsets = tuple(dict.fromkeys(subset.checked(registries) for subset in self.subsets))
        operations = operations_of(subsets) or named(self.operations, registries)
        full = full_specs(registries, "operation", operations)
        checked: dict[str, object] = {"operations": full, "operator": operator, "subsets": subsets}
        if subsets:
            checked["sizes"] = sizes_of(subsets)
        if self.methods:
            checked["methods"] = tuple(dict.fromkeys(method.checked(registries) for method in self.methods))
        else:
            repetition = full_repetition(registries, self.repetition, self.nrep)
            nrep = repetition.argument("nrep") if self.nrep is None or isinstance(self.nrep, int) else None
            checked["procsync"] = full_specs(registries, "procsync", self.procsync)
            checked["scheme"] = registries.check("scheme", self.scheme)
            checked["repetition"] = repetition
            checked["nrep"] = int(nrep.text) if isinstance(nrep, Number) else self.nrep
        if self.platform is not None:
            checked["platform"] = full_platform(self.platform)
        for family in ("cache", "comm", "counts", "layout", "clock", "clocksync"):
            checked[family] = full_specs(registries, family, getattr(self, family))
        goals_s = {"bound": self.clock_bound_s, "error": self.clock_error_s}
        check_clocksyncs(self.clocksync, self.ways, goals_s, registries)
        plan = self.model_copy(update=checked)
        check_roots(plan.root, plan.comm, plan.processes, registries)
        check_operator(operator, datatype, plan.measured, registries, by_user=self.operator is not None)
        return plan

    def differences(self, other: "Plan") -> tuple[str, ...]:
        """Fields in which the plans differ, as `field: here there, other`; a seed or libraries left open do not."""
        here, theirs = self.values(), other.values()
        left_open: dict[str, object] = {"seed": None, "mpi": []}
        return tuple(
            f"{key}: {shown(here[key])} there, {shown(theirs[key])}"
            for key in here
            if here[key] != theirs[key] and not (key in left_open and left_open[key] in (here[key], theirs[key]))
        )
