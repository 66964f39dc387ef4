"""Variables in the environment of ranks, for the page: recorded ones, and those set by Ictus, each with its reason."""

from collections.abc import Mapping, Sequence

from ictus.comparison.shared_values import counted
from ictus.model.environment import UNSET
from ictus.mpi.environment import of_one_launch, reasons_of
from ictus.render.page import Fact, FactGroup
from ictus.store.launch_record import LaunchRecord


def variable_groups(
    libraries: Sequence[Mapping[str, object]], launches: Sequence[tuple[str, LaunchRecord]]
) -> tuple[FactGroup, ...]:
    """The recorded variables of each library, and those of them that Ictus set, each with its reason; `launches` with
    the label of the library.
    """
    flavours = {str(library["label"]): str(library.get("flavour")) for library in libraries}
    records = {label: [record for mpi, record in launches if mpi == label] for label, _ in launches}
    set_by_ictus = {
        label: _set_by_ictus(flavours.get(label, ""), label_records) for label, label_records in records.items()
    }
    return (
        FactGroup(
            "Environment", tuple(Fact(label, _environment(label_records)) for label, label_records in records.items())
        ),
        FactGroup("Variables that Ictus set", tuple(Fact(label, text) for label, text in set_by_ictus.items() if text)),
    )


def _environment(records: Sequence[LaunchRecord]) -> str:
    variables_each = [record.head.environment for record in records]
    names = sorted({name for variables in variables_each for name in variables if not of_one_launch(name)})
    lines = [f"{name}={counted(variables.get(name, UNSET) for variables in variables_each)}" for name in names]
    return "\n".join(lines) or "nothing that matters is set"


def _set_by_ictus(flavour: str, records: Sequence[LaunchRecord]) -> str:
    """`NAME=VALUE: why` in a line each; empty for launches of versions that did not record it."""
    variables_each = [_set_in(record) for record in records]
    names = sorted({name for variables in variables_each for name in variables})
    reasons = reasons_of(flavour, names)
    values = {name: counted(variables.get(name, "not by Ictus") for variables in variables_each) for name in names}
    return "\n".join(": ".join(filter(None, (f"{name}={values[name]}", reasons.get(name)))) for name in names)


def _set_in(record: LaunchRecord) -> Mapping[str, str]:
    launcher = record.head.launcher or {}
    values = launcher.get("environment") or {}
    return {str(name): str(values.get(name, "")) for name in launcher.get("set_by_ictus") or ()}
