"""What fields of a plan must fulfil together.

Which operators reduce what: MPI's own know its own datatypes alone, a function of ours also those of a layout.

A bound that clocks are to be learnt to: which algorithms can be asked for one.

How often a case is repeated, as a plan says it in two fields: `repetition` and `nrep`.
"""

from collections.abc import Iterable, Sequence

from ictus.model.call_shape import BASIC
from ictus.model.errors import UsageError
from ictus.model.plan_parts import Subset
from ictus.model.quantity import format_duration
from ictus.model.registries import Datatype, Registries
from ictus.model.spec import Argument, Number, Spec

_USER_DEFINED = "user("


def check_operator(
    operator: str, datatype: Datatype, measured: Sequence[Subset], registries: Registries, *, asked: bool
) -> None:
    """UsageError for an operator that is not defined on what is reduced; where nothing is, if it was `asked` for."""
    reducing = [subset for subset in measured if _reduces(subset.operations, registries)]
    if operator not in datatype.operators and (reducing or asked):
        allowed = ", ".join(datatype.operators) or "none, it cannot be reduced"
        raise UsageError(f"operator '{operator}' with datatype '{datatype.name}': allowed are {allowed}")
    derived = next((subset.layout for subset in reducing if subset.layout != BASIC), None)
    if derived is not None and not operator.startswith(_USER_DEFINED):
        allowed = ", ".join(name for name in datatype.operators if name.startswith(_USER_DEFINED))
        raise UsageError(
            f"operator '{operator}' is MPI's own and not defined on datatypes of layout '{derived}': allowed are "
            f"{allowed}"
        )


def _reduces(operations: Iterable[Spec], registries: Registries) -> bool:
    return any(registries.operation(one).reduces for one in operations)


def check_clock_bound(bound_s: float | None, clocksync: Spec, registries: Registries) -> None:
    """UsageError for a bound that the algorithm cannot be asked to reach, or that is asked for twice."""
    if bound_s is None:
        return
    asked = f"clock-bound {format_duration(bound_s)}"
    own = registries.check("clocksync", clocksync).argument("bound")
    if own is None:
        able = [
            member.name
            for member in registries.family("clocksync").members
            if any(parameter.name == "bound" for parameter in member.parameters)
        ]
        raise UsageError(
            f"{asked}: clocksync '{clocksync}' does not learn until a bound is reached; use --clocksync "
            f"{' or '.join(able)}"
        )
    if own != Spec("auto"):
        raise UsageError(f"{asked}: clocksync '{clocksync}' says bound={own}; give one of the two")


def full_repetition(registries: Registries, repetition: Spec, nrep: int | str | Spec | None) -> Spec:
    """`--repetition fixed --nrep 100` is `fixed(nrep=100)`; said twice, both must agree."""
    full = registries.check("repetition", repetition)
    if isinstance(nrep, (str, Spec)) and full != registries.check("repetition", "fixed"):
        raise UsageError(f"nrep '{nrep}': the counts are predicted ones; leave out repetition '{repetition}'")
    if not isinstance(nrep, int):
        return full
    keys = [parameter.name for parameter in registries.family("repetition").member(full.name).parameters]
    if "nrep" not in keys:
        raise UsageError(f"nrep {nrep}: repetition '{full.name}' has no number of repetitions; leave nrep out")
    asked = [argument.key or key for argument, key in zip(repetition.arguments, keys, strict=False)]
    if "nrep" in asked and full.argument("nrep") != Number(str(nrep)):
        raise UsageError(f"nrep {nrep}: repetition '{repetition}' says {full.argument('nrep')}; give one of the two")
    rest = tuple(argument for argument in full.arguments if argument.key != "nrep")
    return registries.check("repetition", Spec(full.name, (*rest, Argument("nrep", Number(str(nrep))))))
