"""Which operators reduce what: MPI's own know its own datatypes alone, a function of ours also those of a layout."""

from collections.abc import Iterable, Sequence

from ictus.model.errors import UsageError
from ictus.model.layout import BASIC
from ictus.model.registries import Datatype, Registries
from ictus.model.subset import Subset

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


def _reduces(operations: Iterable[str], registries: Registries) -> bool:
    return any(registries.operation(text).reduces for text in operations)
