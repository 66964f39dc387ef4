"""Variables in the environment of ranks that a reader must know of: those that Ictus set by itself, each with its
reason, and those that select algorithms of collectives, which a comparison of libraries does not expect.
"""

from collections.abc import Iterator, Mapping, Sequence

from ictus.comparison.shared_values import counted
from ictus.engine.forced import unplanned_variables
from ictus.model.environment import UNSET
from ictus.model.library import Library
from ictus.mpi.environment import of_one_launch, reasons_of, selecting_sentence, selects_algorithms
from ictus.render.page import Fact, FactGroup
from ictus.store.campaign import Campaign
from ictus.store.launch import Launch
from ictus.store.launch_record import LaunchRecord


def variable_groups(
    libraries: Sequence[Mapping[str, object]], launches: Sequence[tuple[str, LaunchRecord]]
) -> tuple[FactGroup, ...]:
    """The recorded variables of each library, and those of them that Ictus set, each with its reason; `launches` with
    the label of the library.
    """
    flavours = {str(one["label"]): str(one.get("flavour")) for one in libraries}
    records = {label: [record for mpi, record in launches if mpi == label] for label, _ in launches}
    own = {label: _set_by_ictus(flavours.get(label, ""), found) for label, found in records.items()}
    return (
        FactGroup("Environment", tuple(Fact(label, _environment(found)) for label, found in records.items())),
        FactGroup("Variables that Ictus set", tuple(Fact(label, text) for label, text in own.items() if text)),
    )


def _environment(records: Sequence[LaunchRecord]) -> str:
    found = [record.head.environment for record in records]
    names = sorted({name for one in found for name in one if not of_one_launch(name)})
    lines = [f"{name}={counted(one.get(name, UNSET) for one in found)}" for name in names]
    return "\n".join(lines) or "nothing that matters is set"


def _set_by_ictus(flavour: str, records: Sequence[LaunchRecord]) -> str:
    """`NAME=VALUE: why` in a line each; empty for launches of versions that did not record it."""
    found = [_set_in(record) for record in records]
    names = sorted({name for one in found for name in one})
    reasons = reasons_of(flavour, names)
    values = {name: counted(one.get(name, "not by Ictus") for one in found) for name in names}
    return "\n".join(": ".join(filter(None, (f"{name}={values[name]}", reasons.get(name)))) for name in names)


def _set_in(record: LaunchRecord) -> Mapping[str, str]:
    launcher = record.head.launcher or {}
    values = launcher.get("environment") or {}
    return {str(name): str(values.get(name, "")) for name in launcher.get("set_by_ictus") or ()}


def selecting_sentences(*campaigns: Campaign) -> tuple[str, ...]:
    """For each library the variables that select algorithms in its launches, beside those that the campaign compares.
    Of several campaigns that do not agree, each is named.
    """
    each = [
        tuple(text for one in campaign.libraries for text in _selecting(one, campaign.launches))
        for campaign in campaigns
    ]
    if len(set(each)) <= 1:
        return each[0] if each else ()
    return tuple(
        f"{campaign.folder.resolve().name}: {text}"
        for campaign, texts in zip(campaigns, each, strict=True)
        for text in texts
    )


def _selecting(library: Library, launches: Sequence[Launch]) -> Iterator[str]:
    own = [unplanned_variables(one) for one in launches if one.mpi == library.label]
    names = sorted({name for one in own for name in one if selects_algorithms(library.flavour, name)})
    if names:
        shown = ", ".join(f"{name}={counted(one.get(name, UNSET) for one in own)}" for name in names)
        yield f"{selecting_sentence(library.label, shown)}."
